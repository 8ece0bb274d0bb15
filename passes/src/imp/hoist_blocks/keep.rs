//! Blocks that cannot be allocated before the loops of a thread, because the program might have stopped by then: the first iteration
//! that gets there allocates them, and later ones find them there.
//!
//! ```text
//! for k < count seq {
//!   assert b "…"
//!   alloc t : f32[m]
//!   …
//!   free t
//! }
//! ```
//! becomes
//! ```text
//! var t : mem
//! var made : bool = false
//! for k < count seq {
//!   assert b "…"
//!   if not(made) { alloc t' : f32[m]  t := t'  made := true }
//!   …
//! }
//! free t
//! ```
//! for whole nests of loops at once, branches in them included.
//!
//! In a thread, a block whose size changes from one iteration to the next is replaced by a larger one where it does not fit, `if gt(n, size) { free t  alloc t' : f32[larger]
//! t := t'  size := larger }`. A block along one dimension is made somewhat larger than asked for, as allocating takes long beside using few cells.
//! (What the host does in order has few and large ones, which it gives back for others.)

use super::super::copy::is_fixed;
use super::super::private::{freed, private_blocks};
use fun_base::name::{NameSource, Var};
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp};
use imp::build::{bin, un};
use imp::ir::{Exp, ImpType, LoopKind, Space, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::BTreeSet;

/// By how many cells a block along one dimension is larger than asked for, at most, where its size changes; by half of what is asked for if that is less.
const SPARE: i64 = 1024;

/// Keeps the blocks of the sequential loops among the statements that one thread executes.
pub(super) fn keep(list: &mut Vec<Statement>, names: &mut NameSource) {
    keep_in(list, false, names);
}

/// The same in a thread of a parallel loop or outside of these.
fn keep_in(list: &mut Vec<Statement>, thread: bool, names: &mut NameSource) {
    let mut done = Vec::with_capacity(list.len());
    for mut statement in std::mem::take(list) {
        let mut kept = Vec::new();
        if is_sequential_loop(&statement.kind) {
            let shared = Shared { changing: changing(std::slice::from_ref(&statement)), thread };
            statement.kind.for_each_body_mut(&mut |body| nest(body, &shared, names, &mut kept));
        }
        // What depends on the outer loop may yet leave inner ones.
        let thread =
            thread || matches!(&statement.kind, StatementKind::For { kind, .. } if kind.is_parallel());
        statement.kind.for_each_body_mut(&mut |body| keep_in(body, thread, names));
        let loc = statement.loc;
        let of = |kind: StatementKind| Statement { kind, loc };
        for Kept { block, holds } in &kept {
            done.push(of(StatementKind::Declare {
                var: *block,
                ty: ImpType::Mem(Space::Default),
                value: None,
            }));
            let (var, none) = match *holds {
                Holds::Made(made) => (made, PrimValue::Bool(false)),
                Holds::Cells(size) => (size, PrimValue::I64(i64::MIN)),
            };
            let ty = ImpType::Prim(none.prim_type());
            done.push(of(StatementKind::Declare { var, ty, value: Some(Exp::Const(none)) }));
        }
        done.push(statement);
        done.extend(kept.iter().map(|kept| of(StatementKind::Free(kept.block))));
    }
    *list = done;
}

/// Whether there are blocks that the iterations of a loop with this body may share.
pub(super) fn has_kept(body: &[Statement], counter: Var) -> bool {
    let mut changing = changing(body);
    changing.insert(counter);
    has_shared(body, &Shared { changing, thread: true })
}

fn has_shared(list: &[Statement], shared: &Shared) -> bool {
    let private = private_blocks(list);
    list.iter().any(|statement| match &statement.kind {
        StatementKind::Alloc { var, shape, space: Space::Default, .. } => {
            private.contains(var) && shared.asked(shape).is_some()
        }
        kind if is_sequential_loop(kind) || matches!(kind, StatementKind::If { .. }) => {
            let mut found = false;
            kind.for_each_body(&mut |body| found |= has_shared(body, shared));
            found
        }
        _ => false,
    })
}

/// A block that the iterations of a loop share.
struct Kept {
    block: Var,
    holds: Holds,
}

/// The variable that says what such a block holds.
enum Holds {
    /// Whether it was allocated, in the size that all iterations ask for.
    Made(Var),
    /// The size that changes, of what was allocated.
    Cells(Var),
}

/// Which blocks the iterations of a loop may share.
struct Shared {
    /// What changes from one iteration to the next.
    changing: BTreeSet<Var>,
    /// Whether a thread of a parallel loop does them.
    thread: bool,
}

impl Shared {
    /// What iterations ask for in this shape; nothing where they cannot share blocks of it.
    fn asked(&self, shape: &[Exp]) -> Option<Asked> {
        let mut changing = shape.iter().filter(|size| !is_fixed(size, &self.changing));
        let Some(size) = changing.next() else { return Some(Asked::Same) };
        // (a selection is what another loop left: it allocates once for many iterations)
        let grows = self.thread && !matches!(size, Exp::Select(..)) && changing.all(|other| other == size);
        grows.then(|| Asked::Changing(size.clone()))
    }
}

/// What the iterations of a loop ask for.
enum Asked {
    Same,
    /// The one size of the shape that changes.
    Changing(Exp),
}

fn is_sequential_loop(kind: &StatementKind) -> bool {
    matches!(
        kind,
        StatementKind::While { .. } | StatementKind::For { kind: LoopKind::Seq | LoopKind::Fold, .. }
    )
}

/// What the statements change.
pub(super) fn changing(list: &[Statement]) -> BTreeSet<Var> {
    let mut changing = BTreeSet::new();
    for_each_statement(list, &mut |statement| {
        changing.extend(statement.kind.declares());
        match &statement.kind {
            StatementKind::Assign { var, .. } | StatementKind::For { var, .. } => _ = changing.insert(*var),
            StatementKind::Call { results, .. } => changing.extend(results),
            _ => {}
        }
    });
    changing
}

/// Takes the blocks of these statements, and of the loops and branches among them that the same thread executes.
fn nest(list: &mut Vec<Statement>, shared: &Shared, names: &mut NameSource, kept: &mut Vec<Kept>) {
    let private = private_blocks(list);
    let before = kept.len();
    for statement in &mut *list {
        match &mut statement.kind {
            StatementKind::Alloc { var, elem, shape, space: Space::Default } if private.contains(var) => {
                let Some(asked) = shared.asked(shape) else { continue };
                let (block, elem, fresh, loc) = (*var, *elem, names.fresh_like(*var), statement.loc);
                let mut shape = std::mem::take(shape);
                let of = |kind: StatementKind| Statement { kind, loc };
                let assign = |var: Var, value: Exp| of(StatementKind::Assign { var, value });
                let mut then = Vec::new();
                let (holds, condition, known) = match asked {
                    Asked::Same => {
                        let made = names.fresh("made");
                        let yes = assign(made, Exp::Const(PrimValue::Bool(true)));
                        (Holds::Made(made), un(UnOp::Not, PrimType::Bool, Exp::Var(made)), yes)
                    }
                    Asked::Changing(size) => {
                        let (cells, larger) = (names.fresh("cells"), names.fresh("larger"));
                        let spare = Exp::i64(if shape.len() == 1 { SPARE } else { 0 });
                        let half = bin(BinOp::Quot, PrimType::I64, size.clone(), Exp::i64(2));
                        let spare = bin(BinOp::Min, PrimType::I64, half, spare);
                        // (a sum that wraps around is below)
                        let more = bin(BinOp::Add, PrimType::I64, size.clone(), spare);
                        let value = bin(BinOp::Max, PrimType::I64, size.clone(), more);
                        then.push(of(StatementKind::Free(block)));
                        then.push(of(StatementKind::Let { var: larger, ty: PrimType::I64, value }));
                        for changes in shape.iter_mut().filter(|each| **each == size) {
                            *changes = Exp::Var(larger);
                        }
                        let condition = bin(BinOp::Gt, PrimType::I64, size, Exp::Var(cells));
                        (Holds::Cells(cells), condition, assign(cells, Exp::Var(larger)))
                    }
                };
                then.push(of(StatementKind::Alloc { var: fresh, elem, shape, space: Space::Default }));
                then.push(assign(block, Exp::Var(fresh)));
                then.push(known);
                statement.kind = StatementKind::If { condition, then, otherwise: Vec::new() };
                kept.push(Kept { block, holds });
            }
            kind if is_sequential_loop(kind) || matches!(kind, StatementKind::If { .. }) => {
                kind.for_each_body_mut(&mut |body| nest(body, shared, names, kept));
            }
            _ => {}
        }
    }
    let own = &kept[before..];
    list.retain(|statement| {
        !freed(statement).is_some_and(|block| own.iter().any(|kept| kept.block == block))
    });
}
