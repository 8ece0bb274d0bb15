//! Small blocks of constant size go on the stack.
//!
//! ```text
//! for i < n par {
//!   alloc t : f32[19]
//!   …
//!   free t
//! }
//! ```
//! becomes
//! ```text
//! for i < n par {
//!   alloc t : f32[19] in stack
//!   …
//!   free t
//! }
//! ```
//! which costs no call of the allocator, and needs no place of its own for each thread.
//!
//! A block goes there if it is private to the statements that allocate it (`private.rs`), of constant size, no larger than
//! [`MOST_BYTES`], and while those of a procedure take no more than [`PROCEDURE_BYTES`].
//!
//! Requires I1–I8 and ensures I1–I9. Cost: linear in the size of the program, times how deep loops nest.

use super::private::private_blocks;
use imp::ir::{Program, Space, Statement, StatementKind, constant_bytes};
use imp::visit::for_each_statement;

/// The size of the largest block that goes there.
const MOST_BYTES: i64 = 1024;
/// How much of the stack the blocks of one procedure may take: far less than what calls leave free (`backends/runtime`).
const PROCEDURE_BYTES: i64 = 16 << 10;

/// Moves the blocks of a program.
pub fn run(mut program: Program) -> Program {
    for procedure in &mut program.procedures {
        let mut left = PROCEDURE_BYTES - on_stack(&procedure.body);
        statements(&mut procedure.body, &mut left);
    }
    program
}

/// The bytes of the blocks that are there already.
fn on_stack(list: &[Statement]) -> i64 {
    let mut bytes = 0;
    for_each_statement(list, &mut |statement| {
        if let StatementKind::Alloc { elem, shape, space: Space::Stack, .. } = &statement.kind {
            bytes += constant_bytes(*elem, shape).unwrap_or(0);
        }
    });
    bytes
}

fn statements(list: &mut [Statement], left: &mut i64) {
    let private = private_blocks(list);
    for statement in list {
        statement.kind.for_each_body_mut(&mut |body| statements(body, left));
        if let StatementKind::Alloc { var, elem, shape, space } = &mut statement.kind
            && private.contains(var)
            && let Some(bytes) = constant_bytes(*elem, shape)
            && bytes <= MOST_BYTES.min(*left)
        {
            *space = Space::Stack;
            *left -= bytes;
        }
    }
}
