//! Which variables, costs and loops statements contain: what must be known before code for them is emitted.

use fun_base::name::Var;
use imp::ir::{Exp, Statement, StatementKind, WindowDim};
use std::collections::HashSet;

/// The variables that occur in statements, in order of first occurrence, binders included.
pub(crate) fn variables(body: &[Statement]) -> Vec<Var> {
    let mut found = Found::default();
    found.body(body);
    found.order
}

#[derive(Default)]
struct Found {
    order: Vec<Var>,
    seen: HashSet<Var>,
}

impl Found {
    fn var(&mut self, var: Var) {
        if self.seen.insert(var) {
            self.order.push(var);
        }
    }

    fn body(&mut self, body: &[Statement]) {
        for statement in body {
            self.statement(&statement.kind);
        }
    }

    fn statement(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::Let { var, ty: _, value } | StatementKind::Assign { var, value } => {
                self.exp(value);
                self.var(*var);
            }
            StatementKind::Declare { var, ty: _, value } => {
                self.exps(value);
                self.var(*var);
            }
            StatementKind::Alloc { var, elem: _, shape, space: _ } => {
                self.exps(shape);
                self.var(*var);
            }
            StatementKind::Share(var) | StatementKind::Free(var) => self.var(*var),
            StatementKind::View { var, elem: _, mem, lmad } => {
                self.var(*mem);
                lmad.for_each_var(&mut |v| self.var(v));
                self.var(*var);
            }
            StatementKind::Window { var, view, dims } => {
                self.var(*view);
                for dim in dims {
                    match dim {
                        WindowDim::Fix(index) => self.exp(index),
                        WindowDim::Range { offset, count, stride } => {
                            self.exp(offset);
                            self.exp(count);
                            self.exp(stride);
                        }
                    }
                }
                self.var(*var);
            }
            StatementKind::Write { view, indices, value }
            | StatementKind::Accumulate { view, indices, value }
            | StatementKind::Atomic { view, indices, op: _, value }
            | StatementKind::Publish { view, indices, value } => {
                self.var(*view);
                self.exps(indices);
                self.exp(value);
            }
            StatementKind::Await { var, view, first, count } => {
                self.exp(first);
                self.exp(count);
                self.var(*view);
                self.var(*var);
            }
            StatementKind::Copy { dest, source } => {
                self.var(*dest);
                self.var(*source);
            }
            StatementKind::For { var, ty: _, bound, kind: _, body } => {
                self.exp(bound);
                self.var(*var);
                self.body(body);
            }
            StatementKind::While { condition, body } => {
                self.exp(condition);
                self.body(body);
            }
            StatementKind::If { condition, then, otherwise } => {
                self.exp(condition);
                self.body(then);
                self.body(otherwise);
            }
            StatementKind::Assert { condition, message: _, args } => {
                self.exp(condition);
                args.iter().for_each(|arg| self.exp(arg));
            }
            StatementKind::Call { results, procedure: _, args } => {
                self.exps(args);
                results.iter().for_each(|result| self.var(*result));
            }
        }
    }

    fn exps<'e>(&mut self, exps: impl IntoIterator<Item = &'e Exp>) {
        exps.into_iter().for_each(|exp| self.exp(exp));
    }

    fn exp(&mut self, exp: &Exp) {
        match exp {
            Exp::Const(_) | Exp::Threads => {}
            Exp::Var(var) => self.var(*var),
            Exp::Bin(_, _, x, y) => {
                self.exp(x);
                self.exp(y);
            }
            Exp::Un(_, _, x) | Exp::Convert { to: _, from: _, value: x } => self.exp(x),
            Exp::Fma(_, operands) => operands.iter().for_each(|operand| self.exp(operand)),
            Exp::Select(c, x, y) => {
                self.exp(c);
                self.exp(x);
                self.exp(y);
            }
            Exp::Read { view, indices } => {
                self.var(*view);
                self.exps(indices);
            }
        }
    }
}

/// The views that copies name: only of these are sizes needed.
pub(crate) fn copied_views(body: &[Statement], views: &mut HashSet<Var>) {
    for statement in body {
        match &statement.kind {
            StatementKind::Copy { dest, source } => views.extend([*dest, *source]),
            StatementKind::For { body, .. } | StatementKind::While { body, .. } => copied_views(body, views),
            StatementKind::If { then, otherwise, .. } => {
                copied_views(then, views);
                copied_views(otherwise, views);
            }
            StatementKind::Let { .. }
            | StatementKind::Declare { .. }
            | StatementKind::Assign { .. }
            | StatementKind::Alloc { .. }
            | StatementKind::Share(_)
            | StatementKind::Free(_)
            | StatementKind::View { .. }
            | StatementKind::Window { .. }
            | StatementKind::Write { .. }
            | StatementKind::Accumulate { .. }
            | StatementKind::Atomic { .. }
            | StatementKind::Publish { .. }
            | StatementKind::Await { .. }
            | StatementKind::Assert { .. }
            | StatementKind::Call { .. } => {}
        }
    }
}

/// Whether statements contain a loop or a call: then an iteration of theirs may take long.
pub(crate) fn has_loop_or_call(body: &[Statement]) -> bool {
    body.iter().any(|statement| match &statement.kind {
        StatementKind::For { .. } | StatementKind::While { .. } | StatementKind::Call { .. } => true,
        StatementKind::If { then, otherwise, .. } => has_loop_or_call(then) || has_loop_or_call(otherwise),
        StatementKind::Let { .. }
        | StatementKind::Declare { .. }
        | StatementKind::Assign { .. }
        | StatementKind::Alloc { .. }
        | StatementKind::Share(_)
        | StatementKind::Free(_)
        | StatementKind::View { .. }
        | StatementKind::Window { .. }
        | StatementKind::Write { .. }
        | StatementKind::Accumulate { .. }
        | StatementKind::Atomic { .. }
        | StatementKind::Publish { .. }
        | StatementKind::Await { .. }
        | StatementKind::Copy { .. }
        | StatementKind::Assert { .. } => false,
    })
}
