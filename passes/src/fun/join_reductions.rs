//! Horizontal fusion of reductions, for devices: two over one space become one, by the operator of pairs.
//!
//! ```text
//! let (s_1: f32) = kernel (i_2 < n_0) reduce \… (0.0f32) { … in (x_3) }
//! let (m_4: f32) = kernel (j_5 < n_0) reduce \… (-inf) { … in (y_6) }
//! ```
//! becomes
//! ```text
//! let (s_1: f32) (m_4: f32) = kernel (j_5 < n_0) reduce \… (0.0f32, -inf) { … in (x_3, y_6) }
//! ```
//! The algebra: `(reduce + 0 xs, reduce max z ys) = reduce (\(a, b) (c, d) -> (a + c, max b d)) (0, z) (zip xs ys)`. It is one kernel instead of two, or one
//! for all rows, and what both read is one consumer's, so that `fuse`, which comes behind, need not keep it: `let (cs, ss) = unzip (map turn xs) in (sum cs,
//! sum ss)` has no arrays then. On hosts loops are joined where memory is known (`join-kernels`, `fuse-folds`).
//!
//! Legal where the second one uses nothing of the first, also by way of what stands between, and neither they nor that may stop the program or write in place: what
//! uses the first one's results comes behind both. Done for scalars of
//! [`MOST_BYTES`] in all, for operators that both may take elements in any order or both not, and not for products of matrices, which are tiled one by one.
//!
//! Requires and ensures F1–F9. Cost: linear, as no more than [`FAR`] statements between are looked at.

use super::is_commutative;
use super::merge_rows::{is_harmless, is_product};
use super::soac_to_kernel::costs_nothing;
use fun::ir::{Atom, Body, Combine, Exp, Program, Rep, Statement, Type};
use fun::visit::for_each_body_mut;
use fun::visit::names::{Subst, free_in_statement, subst_body};
use fun_base::name::Var;
use std::collections::BTreeSet;

/// The most bytes that the results of a reduction may take: the threads of a block exchange them.
const MOST_BYTES: u32 = 32;
/// The most statements between two reductions.
const FAR: usize = 64;

/// Joins the reductions of a program.
pub fn run(mut program: Program) -> Program {
    for function in &mut program.functions {
        in_body(&mut function.body, &Around::default());
    }
    program
}

/// The maps around a body.
#[derive(Clone, Default)]
struct Around {
    /// Their counters and sizes.
    space: Vec<(Var, Atom)>,
    /// What stands in them before it and costs nothing.
    before: Vec<Statement>,
}

fn in_body(body: &mut Body, around: &Around) {
    let mut done: Vec<Statement> = Vec::with_capacity(body.statements.len());
    for mut statement in std::mem::take(&mut body.statements) {
        let inner = around.of(&statement, &done);
        for_each_body_mut(&mut statement.exp, &mut |body| in_body(body, &inner));
        let Some(Partner { at, behind }) = partner(&done, &statement, around) else {
            done.push(statement);
            continue;
        };
        let between = done.split_off(at + 1);
        if let Some(first) = done.pop() {
            join(first, &mut statement);
        }
        let (uses, others): (Vec<_>, Vec<_>) =
            between.into_iter().enumerate().partition(|(k, _)| behind.contains(k));
        done.extend(others.into_iter().map(|(_, other)| other));
        done.push(statement);
        done.extend(uses.into_iter().map(|(_, user)| user));
    }
    body.statements = done;
}

impl Around {
    /// What is around the bodies of a statement, behind these of the same body.
    fn of(&self, statement: &Statement, done: &[Statement]) -> Around {
        match &statement.exp {
            Exp::Kernel { space, combine: Combine::Map, .. } => {
                let mut inner = self.clone();
                inner.space.extend(space);
                // (outside of maps there are no products)
                if !self.space.is_empty() {
                    inner.before.extend(done.iter().filter(|before| costs_nothing(&before.exp)).cloned());
                }
                inner
            }
            // what a thread reduces for itself
            Exp::Kernel { .. } => Around::default(),
            _ => self.clone(),
        }
    }

    /// Whether this, behind these of the same body, is the reduction of a product of matrices.
    fn makes_product(&self, statement: &Statement, done: &[Statement]) -> bool {
        if self.space.len() < 2 {
            return false;
        }
        let before: Vec<Statement> = self.before.iter().chain(done).cloned().collect();
        is_product(&self.space, &before, &statement.exp)
    }
}

/// What a reduction is joined with.
struct Partner {
    /// The number of the statement.
    at: usize,
    /// Which of the statements behind it use its results, and so come behind both.
    behind: BTreeSet<usize>,
}

/// The statement that this one is joined with, if there is one.
fn partner(done: &[Statement], second: &Statement, around: &Around) -> Option<Partner> {
    let mine = Reduction::of(second)?;
    let used = free_in_statement(second);
    for (at, first) in done.iter().enumerate().rev().take(FAR) {
        if Reduction::of(first).is_some_and(|other| mine.goes_with(&other)) {
            let mut made: BTreeSet<Var> = first.pattern.iter().map(|binder| binder.var).collect();
            let mut behind = BTreeSet::new();
            for (k, between) in done[at + 1..].iter().enumerate() {
                if !free_in_statement(between).is_disjoint(&made) {
                    made.extend(between.pattern.iter().map(|binder| binder.var));
                    behind.insert(k);
                }
            }
            let product = [first, second].iter().any(|one| around.makes_product(one, &done[..at]));
            if !product && made.is_disjoint(&used) {
                return Some(Partner { at, behind });
            }
        }
        if !is_harmless(first) {
            return None;
        }
    }
    None
}

/// A reduction of scalars that may be joined with another.
struct Reduction {
    bounds: Vec<Atom>,
    any_order: bool,
    bytes: u32,
}

impl Reduction {
    fn of(statement: &Statement) -> Option<Reduction> {
        let Exp::Kernel { space, combine: Combine::Reduce { op, commutative, .. }, .. } = &statement.exp else {
            return None;
        };
        let bytes = op.results.iter().map(|ty| match ty {
            Type::Prim(ty) => Some(ty.bytes()),
            Type::Array { .. } => None,
        });
        let reduction = Reduction {
            bounds: space.iter().map(|(_, bound)| *bound).collect(),
            any_order: *commutative || is_commutative(op),
            bytes: bytes.sum::<Option<u32>>()?,
        };
        is_harmless(statement).then_some(reduction)
    }

    fn goes_with(&self, other: &Reduction) -> bool {
        self.bounds == other.bounds
            && self.any_order == other.any_order
            && self.bytes + other.bytes <= MOST_BYTES
    }
}

/// Puts the first map or reduction into the second: its results and values come first. Both have spaces of the same sizes.
pub(crate) fn join<R: Rep>(first: Statement<R>, second: &mut Statement<R>) {
    let Exp::Kernel { space: before, combine: first_combine, body: earlier } = first.exp else { return };
    let Exp::Kernel { space, combine, body } = &mut second.exp else { return };
    let counters = before.iter().zip(space.iter());
    let subst: Subst = counters.map(|((old, _), (new, _))| (*old, Atom::Var(*new))).collect();
    prepend(body, subst_body(&subst, &earlier));
    if let (
        Combine::Reduce { op: first_op, neutral: first_neutral, commutative: first_commutes },
        Combine::Reduce { op, neutral, commutative },
    ) = (first_combine, combine)
    {
        // the left operands of both, then the right ones
        let (first_count, count) = (first_op.results.len(), op.results.len());
        op.params.splice(count..count, first_op.params[first_count..].iter().cloned());
        op.params.splice(0..0, first_op.params[..first_count].iter().cloned());
        op.results.splice(0..0, first_op.results);
        prepend(&mut op.body, first_op.body);
        neutral.splice(0..0, first_neutral);
        *commutative &= first_commutes;
    }
    second.pattern.splice(0..0, first.pattern);
}

/// Puts the statements and results of a body before those of another.
fn prepend<R: Rep>(body: &mut Body<R>, earlier: Body<R>) {
    body.statements.splice(0..0, earlier.statements);
    body.results.splice(0..0, earlier.results);
}
