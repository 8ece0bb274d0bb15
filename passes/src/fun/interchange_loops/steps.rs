//! What an iteration of a loop does for an element of its maps.

use super::super::fuse::cost::Cost;
use super::super::operator_may_fail;
use fun::ir::{Atom, Binder, Body, Combine, Exp, Fun, LoopParam, NoOp, Statement, Type};
use fun::visit::names::{Subst, free_in_statement, subst_atom, subst_type};
use fun::visit::{Map, map_exp};
use fun_base::name::Var;
use std::collections::BTreeSet;

/// The most statements of a branch: those of all lanes are computed.
const SHORT: usize = 12;

/// An iteration that is made of scalars and maps.
pub(super) struct Steps<'b> {
    steps: Vec<Step<'b>>,
    /// What goes from one iteration to the next, and what maps give: of these each element has one of its own.
    arrays: BTreeSet<Var>,
}

enum Step<'b> {
    Scalar(&'b Statement),
    Map { counters: Vec<Var>, pattern: &'b [Binder], body: &'b Body },
}

impl<'b> Steps<'b> {
    /// An iteration whose maps have this shape, if its elements do not need each other.
    pub(super) fn of(params: &[LoopParam], shape: &[Atom], body: &'b Body) -> Option<Steps<'b>> {
        let arrays = params.iter().filter(|param| param.binder.ty.rank() > 0);
        let mut found =
            Steps { steps: Vec::new(), arrays: arrays.clone().map(|param| param.binder.var).collect() };
        if !arrays.clone().all(|param| param.binder.ty.shape() == shape) {
            return None;
        }
        for statement in &body.statements {
            let step = found.step(statement, shape)?;
            if let Step::Map { pattern, .. } = &step {
                found.arrays.extend(pattern.iter().map(|binder| binder.var));
            }
            found.steps.push(step);
        }
        let light = Cost::of(&Body { statements: found.scalars(), results: Vec::new() }).is_light();
        let has_maps = found.steps.iter().any(|step| matches!(step, Step::Map { .. }));
        let is_own = |(param, result): (&LoopParam, &Atom)| {
            let is_array = result.as_var().is_some_and(|var| found.arrays.contains(&var));
            is_array == (param.binder.ty.rank() > 0)
        };
        (has_maps && light && params.iter().zip(&body.results).all(is_own)).then_some(found)
    }

    fn step(&self, statement: &'b Statement, shape: &[Atom]) -> Option<Step<'b>> {
        if let Exp::Kernel { space, combine: Combine::Map, body } = &statement.exp {
            let fills = space.iter().map(|(_, bound)| bound).eq(shape)
                && statement.pattern.iter().all(|binder| binder.ty.rank() == shape.len());
            let counters: Vec<Var> = space.iter().map(|(counter, _)| *counter).collect();
            let is_plain =
                fills && body.statements.iter().all(|statement| self.is_plain(statement, &counters));
            // (an array is no element)
            let gives = body.results.iter().all(|result| !self.is_array(*result));
            return (is_plain && gives).then_some(Step::Map { counters, pattern: &statement.pattern, body });
        }
        // (without counters there is no element that is one's own)
        self.is_plain(statement, &[]).then_some(Step::Scalar(statement))
    }

    fn is_array(&self, atom: Atom) -> bool {
        atom.as_var().is_some_and(|var| self.arrays.contains(&var))
    }

    /// Whether a statement is a scalar operator, the read of an element, of these arrays the one at the counters, or a choice of a few of these; none may fail.
    fn is_plain(&self, statement: &Statement, counters: &[Var]) -> bool {
        if statement.pattern.iter().any(|binder| binder.ty.rank() > 0) {
            return false;
        }
        match &statement.exp {
            Exp::Index { array, indices } if self.arrays.contains(array) => {
                !counters.is_empty()
                    && indices.iter().map(|index| index.as_var()).eq(counters.iter().copied().map(Some))
            }
            Exp::Index { .. } | Exp::Atom(_) | Exp::Un(..) | Exp::Fma(..) | Exp::Convert { .. } => {
                free_in_statement(statement).is_disjoint(&self.arrays)
            }
            Exp::Bin(op, ty, _, right) => !operator_may_fail(*op, *ty, *right),
            Exp::If { then, otherwise, .. } => [then, otherwise].iter().all(|arm| {
                arm.statements.len() <= SHORT
                    && arm.statements.iter().all(|statement| self.is_plain(statement, counters))
            }),
            _ => false,
        }
    }

    /// The scalars of an iteration.
    pub(super) fn scalars(&self) -> Vec<Statement> {
        let scalars = self.steps.iter().filter_map(|step| match step {
            Step::Scalar(statement) => Some((*statement).clone()),
            Step::Map { .. } => None,
        });
        scalars.collect()
    }

    /// The iteration for the element at `counters`; `own` says what stands for its elements of the arrays that go from one iteration to the next.
    pub(super) fn of_element(&self, counters: &[Var], own: Subst, results: &[Atom]) -> Body {
        let mut element = Element { subst: own, arrays: &self.arrays };
        let mut statements = Vec::new();
        for step in &self.steps {
            match step {
                Step::Scalar(statement) => element.statement(statement, &mut statements),
                Step::Map { counters: inner, pattern, body } => {
                    element.subst.extend(
                        inner.iter().copied().zip(counters.iter().map(|counter| Atom::Var(*counter))),
                    );
                    body.statements
                        .iter()
                        .for_each(|statement| element.statement(statement, &mut statements));
                    for (binder, result) in pattern.iter().zip(&body.results) {
                        let result = subst_atom(&element.subst, *result);
                        element.subst.insert(binder.var, result);
                    }
                }
            }
        }
        let results = results.iter().map(|result| subst_atom(&element.subst, *result)).collect();
        Body { statements, results }
    }
}

/// Puts scalars in the place of the elements of arrays.
struct Element<'a> {
    subst: Subst,
    arrays: &'a BTreeSet<Var>,
}

impl Map<Fun, Fun> for Element<'_> {
    fn ty(&mut self, ty: &Type) -> Type {
        subst_type(&self.subst, ty)
    }
    fn op(&mut self, op: &NoOp) -> Exp {
        match *op {}
    }
    fn atom(&mut self, atom: &Atom) -> Atom {
        subst_atom(&self.subst, *atom)
    }
    fn exp(&mut self, exp: &Exp) -> Exp {
        match exp {
            Exp::Index { array, .. } if self.arrays.contains(array) => {
                Exp::Atom(self.atom(&Atom::Var(*array)))
            }
            _ => map_exp(self, exp),
        }
    }
}
