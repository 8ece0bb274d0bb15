//! What it costs to compute an element again, and whether doing so may stop the program.

use super::super::operator_may_fail;
use fun::ir::{Atom, Binder, Body, Exp, Fun, LoopForm, Statement, Type};
use fun::visit::names::free_in_statement;
use fun::visit::{Walk, walk_exp, walk_statement};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, UnOp};
use std::collections::{BTreeMap, BTreeSet};

/// The most statements of a producer that is cheap enough for one thread.
const CHEAP: usize = 16;
/// The most operators that are computed again rather than stored and read, at all the places together.
const REPEATABLE: usize = 8;

/// The most operators that each of several statements computes for itself.
const AGAIN: usize = 6;

/// What a body costs.
#[derive(Default)]
pub(in crate::fun) struct Cost {
    /// Numbers that are above 0 where it is computed: divisions by them can't fail.
    bounds: Vec<Atom>,
    /// Its statements, those inside of others included.
    pub(super) statements: usize,
    /// Reads of elements.
    reads: usize,
    /// Scalar operators.
    operators: usize,
    /// Whether there is anything that takes longer: loops, kernels, arrays, divisions, functions that are no operator of a machine.
    slow: bool,
    /// Whether it has loops or makes arrays.
    unbounded: bool,
}

impl Cost {
    pub(in crate::fun) fn of(body: &Body) -> Cost {
        Cost::of_point(&[], body)
    }

    /// The same of a body for each point of a space.
    pub(super) fn of_point(space: &[(Var, Atom)], body: &Body) -> Cost {
        let mut cost = Cost { bounds: space.iter().map(|(_, bound)| *bound).collect(), ..Cost::default() };
        cost.body(body);
        cost
    }

    /// The number of statements, those inside of these included.
    pub(in crate::fun) fn of_statements(statements: &[Statement]) -> usize {
        let mut cost = Cost::default();
        statements.iter().for_each(|statement| Walk::<Fun>::statement(&mut cost, statement));
        cost.statements
    }

    /// Whether one thread may do it as well as several: a few scalars.
    pub(super) fn is_cheap(&self) -> bool {
        self.statements <= CHEAP && !self.unbounded
    }

    /// Whether it is next to nothing: a few operators and reads.
    pub(in crate::fun) fn is_light(&self) -> bool {
        !self.slow && self.operators + self.reads <= REPEATABLE
    }

    /// Whether it may be computed at several places, or more than once at one: one read, and an operator or two.
    pub(super) fn is_repeatable(&self, places: usize) -> bool {
        !self.slow && self.reads <= 1 && self.operators <= 2 && self.operators * places <= REPEATABLE
    }

    /// Whether some statements may each compute the elements of a producer instead of reading what it stored: a few operators on what lies
    /// as the elements do, and no more bytes than go to and fro otherwise.
    pub(super) fn is_no_dearer_again(
        &self,
        pattern: &[Binder],
        space: &[(Var, Atom)],
        body: &Body,
        types: &BTreeMap<Var, Type>,
        places: usize,
    ) -> bool {
        if self.slow || self.operators > AGAIN || self.reads > 1 {
            return false;
        }
        let read = body.statements.iter().find_map(|statement| match &statement.exp {
            Exp::Index { array, indices } => Some((array, indices)),
            _ => None,
        });
        let bytes = |ty: &Type| u64::from(ty.elem().bytes());
        let (source, in_order) = match read {
            None => (0, true),
            Some((array, indices)) => {
                let in_order = indices.len() == space.len()
                    && indices.iter().zip(space).all(|(index, point)| is_own(body, *index, *point));
                (types.get(array).map_or(u64::MAX, bytes), in_order)
            }
        };
        let result: u64 = pattern.iter().map(|binder| bytes(&binder.ty)).sum();
        let places = places as u64;
        in_order && source.saturating_mul(places) <= source.saturating_add(result.saturating_mul(places + 1))
    }
}

/// The dimensions of a space whose bound something is the remainder of.
pub(super) fn goes_round(space: &[(Var, Atom)], body: &Body) -> Vec<usize> {
    struct Rounds<'s>(&'s [(Var, Atom)], &'s Body, Vec<usize>);
    impl Walk<Fun> for Rounds<'_> {
        fn statement(&mut self, statement: &Statement) {
            if let ([binder], Exp::Bin(BinOp::Mod, _, _, by)) = (&statement.pattern[..], &statement.exp) {
                let dims = (0..self.0.len()).filter(|dim| self.0[*dim].1 == *by);
                let own = dims.clone().find(|dim| is_own(self.1, binder.var.into(), self.0[*dim]));
                match own {
                    Some(dim) => self.2.push(dim),
                    None => self.2.extend(dims),
                }
            }
            walk_statement(self, statement);
        }
    }
    let mut rounds = Rounds(space, body, Vec::new());
    rounds.body(body);
    rounds.2
}

/// Whether an index is that of the point itself, or of one that lies so many further on, where the first comes behind the last (`read_only.rs`).
fn is_own(body: &Body, index: Atom, (counter, bound): (Var, Atom)) -> bool {
    let defined = |atom: Atom| {
        let var = atom.as_var()?;
        let made = |statement: &&Statement| statement.pattern.iter().any(|binder| binder.var == var);
        body.statements.iter().find(made).map(|statement| &statement.exp)
    };
    let is_counter = |atom: Atom| atom == Atom::Var(counter);
    let beside = |atom: Atom| match defined(atom) {
        Some(Exp::Bin(BinOp::Add, PrimType::I64, x, y)) => {
            is_counter(*x) && *y == bound || is_counter(*y) && *x == bound
        }
        _ => is_counter(atom),
    };
    let moved = |atom: Atom| match defined(atom) {
        Some(Exp::Bin(BinOp::Add | BinOp::Sub, PrimType::I64, x, y)) if y.as_const().is_some() => beside(*x),
        _ => false,
    };
    is_counter(index)
        || matches!(defined(index), Some(Exp::Bin(BinOp::Mod, PrimType::I64, x, by)) if *by == bound && moved(*x))
}

/// Whether what some statements read, each some of the results, is computed by itself but for an operator or two: so nothing of account is
/// computed twice if each has its part.
pub(super) fn is_separate(body: &Body, read: impl Iterator<Item = BTreeSet<usize>>) -> bool {
    let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
    for results in read {
        let mut used: BTreeSet<Var> =
            results.iter().filter_map(|result| body.results.get(*result)?.as_var()).collect();
        for (at, statement) in body.statements.iter().enumerate().rev() {
            if statement.pattern.iter().any(|binder| used.contains(&binder.var)) {
                used.extend(free_in_statement(statement));
                *shared.entry(at).or_default() += 1;
            }
        }
    }
    let twice = shared.iter().filter(|(_, times)| **times > 1).map(|(at, _)| body.statements[*at].clone());
    let cost = Cost::of(&Body { statements: twice.collect(), results: Vec::new() });
    !cost.slow && cost.reads == 0 && cost.operators <= 2
}

/// Whether a body has loops or makes arrays, so that computing it again costs more than keeping what it gave.
pub(in crate::fun) fn is_costly(body: &Body) -> bool {
    Cost::of(body).unbounded
}

impl Walk<Fun> for Cost {
    fn statement(&mut self, statement: &Statement) {
        self.statements += 1;
        walk_statement(self, statement);
    }

    fn exp(&mut self, exp: &Exp) {
        match exp {
            Exp::Index { .. } => self.reads += 1,
            Exp::Bin(op, ty, _, right) => {
                self.operators += 1;
                let wraps = *op == BinOp::Mod && self.bounds.contains(right);
                self.slow |=
                    !wraps && (op.can_fail(*ty) || matches!(op, BinOp::Div | BinOp::Mod | BinOp::Pow));
            }
            Exp::Un(op, ..) => {
                self.operators += 1;
                self.slow |= !matches!(op, UnOp::Neg | UnOp::Not | UnOp::Abs);
            }
            Exp::Fma(..) | Exp::Convert { .. } => self.operators += 1,
            Exp::Atom(_)
            | Exp::Slice { .. }
            | Exp::Permute { .. }
            | Exp::Reshape { .. }
            | Exp::Reverse { .. } => {}
            Exp::If { .. } | Exp::Assert { .. } | Exp::Trace { .. } => self.slow = true,
            Exp::Update { .. }
            | Exp::Iota { .. }
            | Exp::Replicate { .. }
            | Exp::Scratch { .. }
            | Exp::ArrayLiteral { .. }
            | Exp::Concat { .. }
            | Exp::Copy(_)
            | Exp::Loop { .. }
            | Exp::Call { .. }
            | Exp::Map { .. }
            | Exp::Reduce { .. }
            | Exp::Scan { .. }
            | Exp::Hist { .. }
            | Exp::Scatter { .. }
            | Exp::Derive { .. }
            | Exp::Kernel { .. }
            | Exp::Op(_) => (self.slow, self.unbounded) = (true, true),
        }
        walk_exp(self, exp);
    }
}

/// Whether an expression is a function that takes many operators of a machine.
pub(in crate::fun) fn has_function(exp: &Exp) -> bool {
    match exp {
        Exp::Un(op, ty, _) => {
            ty.is_float()
                && !matches!(
                    op,
                    UnOp::Neg
                        | UnOp::Abs
                        | UnOp::Sgn
                        | UnOp::Sqrt
                        | UnOp::Rsqrt
                        | UnOp::Floor
                        | UnOp::Ceil
                        | UnOp::Trunc
                        | UnOp::Round
                        | UnOp::IsNan
                        | UnOp::IsInf
                        | UnOp::SignBit
                        | UnOp::ToBits
                )
        }
        Exp::Bin(op, ty, ..) => {
            matches!(op, BinOp::Pow | BinOp::Atan2 | BinOp::Hypot | BinOp::NextAfter | BinOp::Ldexp)
                || *op == BinOp::Mod && ty.is_float()
        }
        _ => false,
    }
}

/// Whether there are such functions in a body.
pub(in crate::fun) fn has_functions(body: &Body) -> bool {
    struct Found(bool);
    impl Walk<Fun> for Found {
        fn exp(&mut self, exp: &Exp) {
            self.0 |= has_function(exp);
            walk_exp(self, exp);
        }
    }
    let mut found = Found(false);
    found.body(body);
    found.0
}

/// Whether evaluating the expression may stop the program, not end, or show something.
pub(in crate::fun) fn may_stop(exp: &Exp) -> bool {
    /// Whether there is something, and the bounds of the counters around, which are above 0.
    struct Effect(bool, Vec<Atom>);
    impl Walk<Fun> for Effect {
        fn exp(&mut self, exp: &Exp) {
            let around = self.1.len();
            match exp {
                Exp::Kernel { space, .. } => self.1.extend(space.iter().map(|(_, bound)| *bound)),
                Exp::Loop { form: LoopForm::For { ty: PrimType::I64, bound, .. }, .. } => self.1.push(*bound),
                _ => {}
            }
            self.0 |= match exp {
                Exp::Assert { .. }
                | Exp::Call { .. }
                | Exp::Trace { .. }
                | Exp::Loop { form: LoopForm::While(_), .. } => true,
                Exp::Bin(op, ty, _, right) => !self.1.contains(right) && operator_may_fail(*op, *ty, *right),
                _ => false,
            };
            walk_exp(self, exp);
            self.1.truncate(around);
        }
    }
    let mut effect = Effect(false, Vec::new());
    effect.exp(exp);
    effect.0
}

/// The same of all that a body does.
pub(in crate::fun) fn body_may_stop(body: &Body) -> bool {
    body.statements.iter().any(|statement| may_stop(&statement.exp))
}
