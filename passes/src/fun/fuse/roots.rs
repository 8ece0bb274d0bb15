//! Whose cells an array has: those of a parameter of the function or of an array that was made, as far as views and updates tell.

use super::makes_fresh;
use fun::ir::{Atom, Combine, Exp, Fun, Program, Statement};
use fun::visit::{Walk, walk_program, walk_statement};
use fun_base::name::Var;
use std::collections::{BTreeMap, BTreeSet};

/// The arrays of a program whose cells are known to belong to one.
#[derive(Default)]
pub(super) struct Roots {
    root: BTreeMap<Var, Var>,
    /// Parameters whose cells no other parameter has: they are consumed.
    unique: BTreeSet<Var>,
    /// Arrays that were made.
    fresh: BTreeSet<Var>,
}

impl Roots {
    /// Of a program.
    pub(super) fn of(program: &Program) -> Roots {
        let mut roots = Roots::default();
        for param in program.functions.iter().flat_map(|function| &function.params) {
            let var = param.binder.var;
            if param.binder.ty.rank() > 0 {
                roots.root.insert(var, var);
            }
            if param.unique {
                roots.unique.insert(var);
            }
        }
        walk_program(&mut roots, program);
        roots
    }

    /// Whether what consumes the first array leaves the cells of the second one alone.
    pub(super) fn are_apart(&self, consumed: Var, other: Var) -> bool {
        let (Some(consumed), Some(other)) = (self.root.get(&consumed), self.root.get(&other)) else {
            return false;
        };
        consumed != other && (self.unique.contains(consumed) || self.fresh.contains(consumed))
    }
}

impl Walk<Fun> for Roots {
    fn statement(&mut self, statement: &Statement) {
        let of = |array: Var| self.root.get(&array).copied();
        let vars = statement.pattern.iter().map(|binder| binder.var);
        let found: Vec<(Var, Option<Var>)> = match &statement.exp {
            exp if makes_fresh(exp) => {
                self.fresh.extend(vars.clone());
                vars.map(|var| (var, Some(var))).collect()
            }
            Exp::Slice { array, .. }
            | Exp::Permute { array, .. }
            | Exp::Reshape { array, .. }
            | Exp::Reverse { array, .. }
            | Exp::Update { array, .. }
            | Exp::Atom(Atom::Var(array)) => vars.map(|var| (var, of(*array))).collect(),
            Exp::Kernel { combine: Combine::Hist { dests, .. } | Combine::Scatter { dests }, .. } => {
                vars.zip(dests.iter().map(|dest| of(*dest))).collect()
            }
            _ => Vec::new(),
        };
        self.root.extend(found.into_iter().filter_map(|(var, root)| Some((var, root?))));
        walk_statement(self, statement);
    }
}
