//! What the threads of a block exchange (I17). CUDA has an instruction for it, by which the threads of a warp wait for one another; it takes words of 32 and 64 bits, and narrower cells
//! are widened. OpenCL 1.2 has none: there values go through memory that the block shares, which has two halves, so that one barrier for each exchange is enough: who
//! writes to a half has been at the barrier of the other since all read this one.

use super::kernel::Kernel;
use super::{Emit, Emitter};
use crate::CompileError;
use crate::dialect::Dialect;
use fun_base::name::Var;
use fun_base::prim::PrimType;
use imp::ir::{Direction, Exp, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::BTreeMap;

/// Memory that values go through, and which half of it is next.
const EXCHANGE: &str = "exchange";
const HALF: &str = "turn";

/// Threads of a warp.
const WARP: i64 = 32;

impl Emitter<'_, '_> {
    /// Each thread gets what another one has.
    pub(super) fn shuffle(
        &mut self,
        (dest, source): (Var, Var),
        direction: Direction,
        by: &Exp,
        group: i64,
    ) -> Emit {
        let none = || CompileError::new("I17: a shuffle outside of kernels");
        let dialect = self.dialect().ok_or_else(none)?;
        let (to, from) = (self.view(dest)?, self.view(source)?);
        // a thread has its own cell alone
        let own = [Exp::i64(0)];
        let (into, value) = (self.cell(&to, &own)?.text, self.cell(&from, &own)?.text);
        let by = self.exp(by)?;
        let threads = self.kernel.as_ref().map_or(1, |kernel| kernel.threads);
        match dialect {
            Dialect::Cuda => {
                let ty = self.cell_type(to.elem);
                let (cast, widened) = if to.elem.bytes() < 4 {
                    (format!("({ty})"), "(unsigned int)")
                } else {
                    (String::new(), "")
                };
                let by = by.operand();
                self.lines.push(format!(
                    "{into} = {cast}__shfl_{direction}_sync({}, {widened}{value}, (unsigned int){by}, {group});",
                    warp(threads)
                ));
            }
            Dialect::OpenCl => {
                let (place, ty) = (self.temporary(), self.cell_type(to.elem));
                let (pointer, thread) = (format!("__local {ty} *"), dialect.thread_index());
                let half = threads * self.kernel.as_ref().map_or(0, Kernel::exchanged);
                self.lines.open("{");
                self.lines
                    .push(format!("{pointer}const {place} = ({pointer})({EXCHANGE} + {HALF} * {half});"));
                self.lines.push(format!("{place}[{thread}] = {value};"));
                self.lines.push(dialect.barrier());
                self.lines.push(format!("{into} = {place}[fun_{direction}({}, {group})];", by.text));
                self.lines.push(format!("{HALF} = 1 - {HALF};"));
                self.lines.close("}");
            }
        }
        Ok(())
    }

    /// Declares what the exchanges of a kernel go through, of values of at most so many bytes.
    pub(super) fn share_exchange(&mut self, dialect: Dialect, bytes: i64) {
        if bytes == 0 || dialect == Dialect::Cuda {
            return;
        }
        let threads = self.kernel.as_ref().map_or(1, |kernel| kernel.threads);
        self.share_memory(EXCHANGE, 2 * threads * bytes);
        self.lines.push(format!("int32_t {HALF} = 0;"));
    }
}

/// The bytes of the widest cells that are exchanged; 0 if none are.
pub(super) fn widest(body: &[Statement]) -> i64 {
    let (mut types, mut widest): (BTreeMap<Var, PrimType>, i64) = (BTreeMap::new(), 0);
    for_each_statement(body, &mut |statement| match &statement.kind {
        StatementKind::View { var, elem, .. } => _ = types.insert(*var, *elem),
        StatementKind::Shuffle { dest, .. } => {
            widest = widest.max(types.get(dest).map_or(0, |ty| i64::from(ty.bytes())));
        }
        _ => {}
    });
    widest
}

/// The threads of a warp, a bit for each, in a block of so many.
fn warp(threads: i64) -> String {
    let some = |count: i64| format!("{:#x}u", (1u64 << count) - 1);
    match (threads / WARP, threads % WARP) {
        (_, 0) => some(WARP),
        (0, rest) => some(rest),
        (full, rest) => format!("threadIdx.x / {WARP} < {full} ? {} : {}", some(WARP), some(rest)),
    }
}
