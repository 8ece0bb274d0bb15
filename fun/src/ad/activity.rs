//! Activity: which variables of a function change with its arguments. Only these have tangents and adjoints.

use super::partial;
use crate::ir::{Atom, Body, Exp, Lambda, Statement, Type};
use fun_base::name::Var;
use fun_base::prim::PrimType;
use std::collections::BTreeSet;

/// The active variables of a function all of whose parameters are active. No calls and no kernels occur in it.
pub(super) fn active(function: &Lambda) -> BTreeSet<Var> {
    let mut activity = Activity { active: BTreeSet::new(), changed: true };
    for param in &function.params {
        activity.mark(param.var, &param.ty, true);
    }
    while activity.changed {
        activity.changed = false;
        activity.body(&function.body);
    }
    activity.active
}

struct Activity {
    active: BTreeSet<Var>,
    changed: bool,
}

impl Activity {
    fn mark(&mut self, var: Var, ty: &Type, active: bool) {
        if active && ty.elem() != PrimType::Unit {
            self.changed |= self.active.insert(var);
        }
    }

    fn is(&self, atom: Atom) -> bool {
        atom.as_var().is_some_and(|var| self.active.contains(&var))
    }

    fn any(&self, atoms: &[Atom]) -> bool {
        atoms.iter().any(|atom| self.is(*atom))
    }

    fn var(&self, var: Var) -> bool {
        self.active.contains(&var)
    }

    /// Whether the results are active.
    fn body(&mut self, body: &Body) -> Vec<bool> {
        body.statements.iter().for_each(|statement| self.statement(statement));
        body.results.iter().map(|atom| self.is(*atom)).collect()
    }

    /// A lambda whose parameters get arguments that are active or not.
    fn lambda(&mut self, lambda: &Lambda, args: &[bool]) -> Vec<bool> {
        for (param, active) in lambda.params.iter().zip(args) {
            self.mark(param.var, &param.ty, *active);
        }
        self.body(&lambda.body)
    }

    /// An operator on these operands, and on what it gives itself.
    fn operator(&mut self, op: &Lambda, operands: Vec<bool>) -> Vec<bool> {
        let mut operands = operands;
        loop {
            let twice: Vec<bool> = operands.iter().chain(&operands).copied().collect();
            let results = self.lambda(op, &twice);
            let more: Vec<bool> = operands.iter().zip(&results).map(|(a, b)| *a || *b).collect();
            if more == operands {
                return operands;
            }
            operands = more;
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let results = self.exp(&statement.exp);
        for (binder, active) in statement.pattern.iter().zip(results) {
            self.mark(binder.var, &binder.ty, active);
        }
    }

    fn exp(&mut self, exp: &Exp) -> Vec<bool> {
        let vars = |this: &Self, vars: &[Var]| vars.iter().map(|var| this.var(*var)).collect::<Vec<bool>>();
        match exp {
            Exp::Atom(atom) => vec![self.is(*atom)],
            Exp::Bin(op, t, left, right) => {
                let (by_left, by_right) = partial::bin_depends(*op, *t);
                vec![by_left && self.is(*left) || by_right && self.is(*right)]
            }
            Exp::Un(op, _, value) => vec![partial::un_depends(*op) && self.is(*value)],
            Exp::Convert { value, .. } | Exp::Replicate { value, .. } => vec![self.is(*value)],
            Exp::Index { array, .. }
            | Exp::Slice { array, .. }
            | Exp::Permute { array, .. }
            | Exp::Reshape { array, .. }
            | Exp::Reverse { array, .. }
            | Exp::Copy(array) => vec![self.var(*array)],
            Exp::Fma(_, operands) => vec![self.any(operands)],
            Exp::Update { array, value, .. } => vec![self.var(*array) || self.is(*value)],
            Exp::Iota { start, step, .. } => vec![self.is(*start) || self.is(*step)],
            Exp::ArrayLiteral { elems, .. } => vec![self.any(elems)],
            Exp::Concat { arrays, .. } => vec![vars(self, arrays).contains(&true)],
            Exp::If { then, otherwise, .. } => {
                let (then, otherwise) = (self.body(then), self.body(otherwise));
                then.iter().zip(&otherwise).map(|(a, b)| *a || *b).collect()
            }
            Exp::Loop { params, body, .. } => {
                for param in params {
                    let active = self.is(param.init);
                    self.mark(param.binder.var, &param.binder.ty, active);
                }
                let results = self.body(body);
                for (param, active) in params.iter().zip(results) {
                    self.mark(param.binder.var, &param.binder.ty, active);
                }
                params.iter().map(|param| self.var(param.binder.var)).collect()
            }
            Exp::Map { lambda, arrays, .. } => {
                let args = vars(self, arrays);
                self.lambda(lambda, &args)
            }
            Exp::Reduce { op, neutral, arrays, .. } | Exp::Scan { op, neutral, arrays, .. } => {
                let start = neutral.iter().map(|atom| self.is(*atom));
                let operands = start.zip(vars(self, arrays)).map(|(a, b)| a || b).collect();
                self.operator(op, operands)
            }
            Exp::Hist { op, dests, values, .. } => {
                let operands = vars(self, dests).into_iter().zip(vars(self, values));
                let operands = operands.map(|(a, b)| a || b).collect();
                self.operator(op, operands)
            }
            Exp::Scatter { dests, values, .. } => {
                vars(self, dests).into_iter().zip(vars(self, values)).map(|(a, b)| a || b).collect()
            }
            Exp::Derive { function, args, .. } => {
                let args: Vec<bool> = args.iter().map(|arg| self.is(*arg)).collect();
                self.lambda(function, &args);
                vec![args.contains(&true); function.results.len()]
            }
            Exp::Scratch { .. }
            | Exp::Call { .. }
            | Exp::Assert { .. }
            | Exp::Trace { .. }
            | Exp::Kernel { .. } => Vec::new(),
            Exp::Op(op) => match *op {},
        }
    }
}
