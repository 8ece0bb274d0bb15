//! Branches, loops and calls: their scalar and block results become variables, and views on the blocks follow.

use super::{Lowerer, imp_type};
use fun::ir::{Atom, LoopForm, LoopParam};
use fun_base::name::{Symbol, Var};
use fun_base::prim::PrimType;
use funmem::ir::{Binder, Body, Mem, MemType};
use imp::ir::{Exp, ImpType, LoopKind, Statement, StatementKind};

impl Lowerer {
    /// Declares a variable for each scalar or block of a pattern; arrays give `None`.
    pub(super) fn declare_results(&mut self, pattern: &[Binder]) -> Vec<Option<(Var, ImpType)>> {
        let declare = |binder: &Binder| {
            let ty = imp_type(&binder.ty)?;
            let var = self.bind(binder.var);
            self.b.push(StatementKind::Declare { var, ty, value: None });
            Some((var, ty))
        };
        pattern.iter().map(declare).collect()
    }

    /// After the results of a pattern have their values: blocks belong to the body around, arrays get their views.
    pub(super) fn bind_results(&mut self, pattern: &[Binder], vars: &[Option<(Var, ImpType)>]) {
        for (var, ty) in vars.iter().flatten() {
            if let ImpType::Mem(_) = ty {
                self.own(*var);
            }
        }
        for binder in pattern {
            self.bind_array(binder);
        }
    }

    pub(super) fn branch(&mut self, pattern: &[Binder], condition: Atom, then: &Body, otherwise: &Body) {
        if condition.as_var().is_some_and(|var| self.asks.contains(&var)) {
            return self.versions(pattern, then, otherwise);
        }
        let condition = self.exp(condition);
        let scalar = |binder: &Binder| matches!(binder.ty, MemType::Prim(ty) if ty != PrimType::Unit);
        if then.statements.is_empty() && otherwise.statements.is_empty() && pattern.iter().all(scalar) {
            return self.choose(pattern, &condition, &then.results, &otherwise.results);
        }
        let vars = self.declare_results(pattern);
        let (then, otherwise) = (self.arm(&vars, then), self.arm(&vars, otherwise));
        self.b.push(StatementKind::If { condition, then, otherwise });
        self.bind_results(pattern, &vars);
    }

    /// A body that gives variables its results.
    pub(super) fn arm(&mut self, vars: &[Option<(Var, ImpType)>], body: &Body) -> Vec<Statement> {
        let outer = self.b.begin();
        self.body(body, |this, results| {
            for (target, result) in vars.iter().zip(results) {
                let Some((var, ty)) = target else { continue };
                let value = this.atom(*result);
                if let (ImpType::Mem(_), Atom::Var(block)) = (ty, value) {
                    this.hand_over(block);
                }
                this.b.assign(*var, super::atom_exp(value));
            }
        });
        self.b.end(outer)
    }

    /// A branch between scalars that are known already.
    fn choose(&mut self, pattern: &[Binder], condition: &Exp, then: &[Atom], otherwise: &[Atom]) {
        for ((binder, yes), no) in pattern.iter().zip(then).zip(otherwise) {
            let (yes, no) = (self.exp(*yes), self.exp(*no));
            self.scalar(binder, Exp::Select(Box::new(condition.clone()), Box::new(yes), Box::new(no)));
        }
    }

    pub(super) fn repeat(
        &mut self,
        pattern: &[Binder],
        params: &[LoopParam<Mem>],
        form: &LoopForm,
        body: &Body,
    ) {
        // First values are those of before the loop, whatever they are called, so take them before binding.
        let inits: Vec<Option<(ImpType, Atom)>> =
            params.iter().map(|param| Some((imp_type(&param.binder.ty)?, self.atom(param.init)))).collect();
        let mut vars = Vec::new();
        for (param, init) in params.iter().zip(inits) {
            vars.push(init.map(|(ty, value)| {
                if let (ImpType::Mem(_), Atom::Var(block)) = (ty, value) {
                    self.b.push(StatementKind::Share(block));
                }
                let var = self.bind(param.binder.var);
                self.b.push(StatementKind::Declare { var, ty, value: Some(super::atom_exp(value)) });
                (var, ty)
            }));
        }
        let bound = match form {
            LoopForm::For { bound, .. } => self.exp(*bound),
            LoopForm::While(condition) => self.exp(Atom::Var(*condition)),
        };
        let counter = match form {
            LoopForm::For { var, ty, .. } => Some((self.bind(*var), *ty)),
            LoopForm::While(_) => None,
        };
        let outer = self.b.begin();
        for param in params {
            self.bind_array(&param.binder);
        }
        self.body(body, |this, results| this.next_iteration(&vars, results));
        let body = self.b.end(outer);
        self.b.push(match counter {
            Some((var, ty)) => StatementKind::For { var, ty, bound, kind: LoopKind::Seq, body },
            None => StatementKind::While { condition: bound, body },
        });
        for (binder, var) in pattern.iter().zip(&vars) {
            if let Some((var, _)) = var {
                self.values.insert(binder.var, Atom::Var(*var));
            }
        }
        self.bind_results(pattern, &vars);
    }

    /// The parameters take the results of an iteration: new blocks first get their owners, then old ones lose theirs.
    fn next_iteration(&mut self, vars: &[Option<(Var, ImpType)>], results: &[Atom]) {
        let mut targets = Vec::new();
        let mut values = Vec::new();
        for (target, result) in vars.iter().zip(results) {
            if let Some(target) = target {
                targets.push(*target);
                values.push(self.atom(*result));
            }
        }
        let changed: Vec<(Var, Var)> = targets
            .iter()
            .zip(&values)
            .filter_map(|((var, ty), value)| match (ty, value) {
                (ImpType::Mem(_), Atom::Var(block)) if block != var => Some((*var, *block)),
                _ => None,
            })
            .collect();
        for (_, new) in &changed {
            self.hand_over(*new);
        }
        for (old, _) in &changed {
            self.b.push(StatementKind::Free(*old));
        }
        self.assign_all(&targets, &values);
    }

    pub(super) fn call(&mut self, pattern: &[Binder], function: Symbol, args: &[Atom]) {
        let is_array = |atom: &Atom| atom.as_var().is_some_and(|var| self.arrays.contains_key(&var));
        let args: Vec<Exp> = args.iter().filter(|arg| !is_array(arg)).map(|arg| self.exp(*arg)).collect();
        let mut vars = self.declare_results(pattern);
        for ty in self.extras.get(&function).cloned().unwrap_or_default() {
            let unused = self.b.declare("unused", ty, None);
            vars.push(Some((unused, ty)));
        }
        let results = vars.iter().flatten().map(|(var, _)| *var).collect();
        self.b.push(StatementKind::Call { results, procedure: function, args });
        self.bind_results(pattern, &vars);
    }
}
