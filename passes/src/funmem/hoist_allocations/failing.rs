//! Which statements of a body may stop the program for a reason that has to do with some variables.

use super::known::Scalars;
use fun::ir::Atom;
use fun::visit::{Walk, walk_exp};
use fun_base::name::Var;
use funmem::ir::{Exp, Mem, MemType, Statement};
use std::collections::{BTreeMap, BTreeSet};

/// The most variables that are looked at to see what a number is made of.
const SLICE: usize = 64;

/// The statements of a body that may fail, each list in order.
pub(super) struct Failing {
    all: Vec<usize>,
    /// Those that fail for a reason that is not known.
    unknown: Vec<usize>,
    /// Those whose failure has to do with a variable.
    by_var: BTreeMap<Var, Vec<usize>>,
}

impl Failing {
    /// `small`: also assertions that only say that numbers are not too small.
    pub(super) fn of(statements: &[Statement], scalars: &Scalars, small: bool) -> Failing {
        let mut failing = Failing { all: Vec::new(), unknown: Vec::new(), by_var: BTreeMap::new() };
        for (k, statement) in statements.iter().enumerate() {
            let mut reasons = Reasons { vars: Vec::new(), any: false, passed: (!small).then_some(scalars) };
            reasons.exp(&statement.exp);
            if !reasons.any {
                continue;
            }
            failing.all.push(k);
            let mut slice = BTreeSet::new();
            // Each reason has a limit of its own: an inner body may have many.
            let known =
                reasons.vars.iter().all(|var| scalars.slice(*var, &mut slice, SLICE * reasons.vars.len()));
            if !known {
                failing.unknown.push(k);
            }
            for var in slice {
                failing.by_var.entry(var).or_default().push(k);
            }
        }
        failing
    }

    /// The position behind the last statement before number `k` that may fail for a reason related to these variables.
    pub(super) fn before(&self, vars: &[Var], k: usize, scalars: &Scalars) -> usize {
        let last = |list: &[usize]| list[..list.partition_point(|at| *at < k)].last().map_or(0, |at| at + 1);
        let mut slice = BTreeSet::new();
        if !vars.iter().all(|var| scalars.slice(*var, &mut slice, SLICE)) {
            return last(&self.all);
        }
        let related = slice.iter().filter_map(|var| self.by_var.get(var)).map(|list| last(list));
        related.max().unwrap_or(0).max(last(&self.unknown))
    }
}

/// The variables on which it depends whether an expression fails.
struct Reasons<'s> {
    vars: Vec<Var>,
    any: bool,
    /// If assertions that say only that numbers are not too small don't count: what tells them.
    passed: Option<&'s Scalars>,
}

impl Reasons<'_> {
    fn because<'a>(&mut self, atoms: impl IntoIterator<Item = &'a Atom>) {
        self.any = true;
        self.vars.extend(atoms.into_iter().filter_map(|atom| atom.as_var()));
    }
}

impl Walk<Mem> for Reasons<'_> {
    fn ty(&mut self, _: &MemType) {}

    fn exp(&mut self, exp: &Exp) {
        if let Exp::Assert { condition, .. } = exp {
            if self.passed.is_none_or(|scalars| !scalars.is_lower(*condition)) {
                self.because([condition]);
            }
        } else if let Exp::Call { args, .. } = exp {
            self.because(args);
        } else if let Exp::Bin(op, ty, left, right) = exp
            && op.can_fail(*ty)
        {
            self.because([left, right]);
        }
        walk_exp(self, exp);
    }
}
