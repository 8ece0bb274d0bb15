//! Flags in kernels: blocks that tell others what they have, and wait for those that began before them (I14).
//!
//! A block takes its number from a count of those that have begun. Behind the barrier before a flag one thread sees what all of its block wrote, and sets
//! the flag behind a fence. To wait each thread looks at every n-th flag; in shared memory they find which is the last that is complete, or that a
//! block has failed, for whose flag nobody would wait in vain.

use super::kernel::LIVE;
use super::view::Dim;
use super::{Binding, Emit, Emitter};
use crate::CompileError;
use crate::dialect::Dialect;
use crate::names;
use fun_base::name::Var;
use fun_base::prim::PrimType;
use imp::ir::{Exp, ImpType};

/// Where the threads of a block find together what they wait for.
const SEEN: &str = "seen";

/// What the threads of a block take from the count of blocks together.
const TICKET: &str = "ticket";

impl Emitter<'_, '_> {
    /// The number of a block among those that have begun.
    pub(super) fn ticket(&mut self, dialect: Dialect, name: &str) {
        self.share_number(TICKET);
        self.by_first(dialect, &format!("{TICKET} = fun_ticket(failure);"));
        self.lines.push(dialect.barrier());
        self.lines.declare(name, format!("const int64_t {name} = {TICKET};"));
    }

    /// Sets a flag.
    pub(super) fn publish(&mut self, view: Var, indices: &[Exp], value: &Exp) -> Emit {
        let dialect = self.in_chain()?;
        let view = self.view(view)?;
        let value = self.exp(value)?;
        let cell = self.cell(&view, indices)?.text;
        self.barrier_before(dialect);
        self.lines.open(format!("if ({LIVE} && {} == 0) {{", dialect.thread_index()));
        self.lines.push(format!("fun_publish(&{cell}, {});", value.text));
        self.lines.close("}");
        Ok(())
    }

    /// Waits for flags.
    pub(super) fn wait(&mut self, var: Var, view: Var, first: &Exp, count: &Exp) -> Emit {
        let dialect = self.in_chain()?;
        let view = self.view(view)?;
        let [Dim { stride, .. }] = view.dims.as_slice() else {
            return Err(CompileError::new("I14: flags in more than one dimension"));
        };
        let (first, count) = (self.exp(first)?, self.exp(count)?);
        let (first, count) = (self.named(PrimType::I64, first), self.named(PrimType::I64, count));
        let threads = self.kernel.as_ref().map_or(1, |kernel| kernel.threads);
        self.share_number(SEEN);
        self.by_first(dialect, &format!("{SEEN} = -1;"));
        self.lines.push(dialect.barrier());
        let k = self.temporary();
        let thread = dialect.thread_index();
        self.lines.open(format!("for (int64_t {k} = {thread}; {k} < {count}; {k} += {threads}) {{"));
        let (offset, stride) = (view.offset.operand(), stride.operand());
        let cell = format!("{}[{offset} + ({first} + {k}) * {stride}]", view.pointer);
        self.lines.push(format!("fun_see(&{SEEN}, fun_flag(&{cell}, failure), {k});"));
        self.lines.close("}");
        self.lines.push(dialect.barrier());
        let seen = self.temporary();
        self.lines.push(format!("const int64_t {seen} = {SEEN};"));
        // all threads have looked before one of them waits again
        self.lines.push(dialect.barrier());
        // where nothing fails a kernel before has, and all know that: CUDA's compiler then takes a register less
        if self.kernel.as_ref().is_some_and(|kernel| kernel.may_fail) {
            self.lines.push(format!("{LIVE} = {LIVE} && {seen} != FUN_FAILED;"));
        }
        let name = names::variable(var);
        let found = format!("{LIVE} && {seen} >= 0 ? {first} + {seen} : -1");
        self.lines.declare(&name, format!("const int64_t {name} = {found};"));
        self.env.insert(var, Binding::Fixed(ImpType::Prim(PrimType::I64)));
        Ok(())
    }

    fn in_chain(&self) -> Emit<Dialect> {
        self.dialect().ok_or_else(|| CompileError::new("I14: a flag outside of kernels"))
    }

    fn by_first(&mut self, dialect: Dialect, text: &str) {
        self.lines.open(format!("if ({} == 0) {{", dialect.thread_index()));
        self.lines.push(text);
        self.lines.close("}");
    }
}
