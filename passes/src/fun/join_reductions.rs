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
//! Legal where the second one uses nothing of the first, also by way of what stands between, and where neither the two nor what stands between may stop the program or
//! write in place. What uses the first one's results comes behind both.
//!
//! Done for scalars of [`MOST_BYTES`] in all, for operators that both may take elements in any order or both not, and for values that both need arrays of
//! their own or both not. Reductions of rows (in maps, or of several dimensions) get versions by what they read, so there both read the same elements of the same arrays, or of
//! arrays that one statement makes, and neither operators nor neutral elements depend on the row: rows and columns of a matrix stay apart, and so do products of matrices with
//! one operand in common.
//!
//! Requires and ensures F1–F9. Cost: linear; for each reduction up to [`FAR`] statements between it and each of as many others are looked at, by what they use.

use super::fuse::cost::Cost;
use super::is_commutative;
use super::merge_rows::{is_harmless, makes_arrays};
use fun::ir::{Atom, Body, Combine, Exp, Lambda, Program, Rep, Statement, Type};
use fun::visit::names::{Subst, free_in_lambda, free_in_statement, subst_body};
use fun::visit::{for_each_body, for_each_body_mut};
use fun_base::name::Var;
use std::collections::{BTreeMap, BTreeSet};

/// The most bytes that the results of a reduction may take: the threads of a block exchange them.
const MOST_BYTES: u32 = 32;
/// The most statements between two reductions.
const FAR: usize = 64;
/// The most statements of the values of two reductions together.
const LARGEST: usize = 120;

/// Joins the reductions of a program.
pub fn run(mut program: Program) -> Program {
    for function in &mut program.functions {
        in_body(&mut function.body, false);
    }
    program
}

/// Joins in a body, which may be one of a map.
fn in_body(body: &mut Body, of_map: bool) {
    for statement in &mut body.statements {
        let inner = match &statement.exp {
            Exp::Kernel { combine, .. } => matches!(combine, Combine::Map),
            _ => of_map,
        };
        for_each_body_mut(&mut statement.exp, &mut |body| in_body(body, inner));
    }
    let reduces =
        |statement: &&Statement| matches!(statement.exp, Exp::Kernel { combine: Combine::Reduce { .. }, .. });
    if body.statements.iter().filter(reduces).count() < 2 {
        return;
    }
    let mut sources = BTreeMap::new();
    let mut done: Vec<Passed> = Vec::with_capacity(body.statements.len());
    for statement in std::mem::take(&mut body.statements) {
        let first = statement.pattern.first().map(|binder| binder.var);
        sources.extend(statement.pattern.iter().filter_map(|binder| Some((binder.var, first?))));
        let mut passed = Passed::new(statement, of_map, &sources);
        let Some(Partner { at, behind }) = partner(&done, &passed) else {
            done.push(passed);
            continue;
        };
        let between = done.split_off(at + 1);
        if let Some(first) = done.pop() {
            join(first.statement, &mut passed.statement);
        }
        let (uses, others): (Vec<_>, Vec<_>) =
            between.into_iter().enumerate().partition(|(k, _)| behind.contains(k));
        done.extend(others.into_iter().map(|(_, other)| other));
        done.push(Passed::new(passed.statement, of_map, &sources));
        done.extend(uses.into_iter().map(|(_, user)| user));
    }
    body.statements = done.into_iter().map(|passed| passed.statement).collect();
}

/// A statement, and what is asked of it.
struct Passed {
    statement: Statement,
    /// The variables that it uses.
    used: BTreeSet<Var>,
    /// Whether it cannot stop the program and writes nothing in place.
    harmless: bool,
    reduction: Option<Reduction>,
}

impl Passed {
    fn new(statement: Statement, of_map: bool, sources: &BTreeMap<Var, Var>) -> Passed {
        let harmless = is_harmless(&statement);
        let reduction = Reduction::of(&statement, of_map, sources).filter(|_| harmless);
        Passed { used: free_in_statement(&statement), harmless, reduction, statement }
    }

    fn makes_one_of(&self, vars: &BTreeSet<Var>) -> bool {
        self.statement.pattern.iter().any(|binder| vars.contains(&binder.var))
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
fn partner(done: &[Passed], second: &Passed) -> Option<Partner> {
    let mine = second.reduction.as_ref()?;
    for (at, first) in done.iter().enumerate().rev().take(FAR) {
        if first.reduction.as_ref().is_some_and(|other| mine.goes_with(other))
            && let Some(behind) = users(first, &done[at + 1..], second)
        {
            return Some(Partner { at, behind });
        }
        if !first.harmless {
            return None;
        }
    }
    None
}

/// Which of the statements between use the first one's results; nothing if the second one does.
fn users(first: &Passed, between: &[Passed], second: &Passed) -> Option<BTreeSet<usize>> {
    let mut made: BTreeSet<Var> = BTreeSet::new();
    let mut behind = BTreeSet::new();
    let statements = std::iter::once(first).chain(between);
    for (at, statement) in statements.enumerate() {
        if at > 0 && !made.iter().any(|var| statement.used.contains(var)) {
            continue;
        }
        if statement.makes_one_of(&second.used) {
            return None;
        }
        made.extend(statement.statement.pattern.iter().map(|binder| binder.var));
        behind.extend(at.checked_sub(1));
    }
    Some(behind)
}

/// The first result of what makes an array, and where it is read: by a counter of the reduction, which has a number, or by something else.
type Read = (Var, Vec<Result<usize, Atom>>);

/// What two reductions must have alike.
#[derive(PartialEq)]
struct Alike {
    bounds: Vec<Atom>,
    any_order: bool,
    makes_arrays: bool,
    /// What is read, where that matters.
    reads: Option<BTreeSet<Read>>,
}

/// A reduction of scalars that may be joined with another.
struct Reduction {
    alike: Alike,
    bytes: u32,
    statements: usize,
}

impl Reduction {
    /// Of a body of a map or not, where arrays come from the statements with these first results.
    fn of(statement: &Statement, of_map: bool, sources: &BTreeMap<Var, Var>) -> Option<Reduction> {
        let Exp::Kernel { space, combine, body } = &statement.exp else { return None };
        let Combine::Reduce { op, neutral, commutative } = combine else { return None };
        let bytes = op.results.iter().map(|ty| match ty {
            Type::Prim(ty) => Some(ty.bytes()),
            Type::Array { .. } => None,
        });
        let bytes = bytes.sum::<Option<u32>>()?;
        let reads = match of_map || space.len() > 1 {
            true if neutral.iter().all(|atom| atom.as_var().is_none()) && free_in_lambda(op).is_empty() => {
                let counters: Vec<Var> = space.iter().map(|(counter, _)| *counter).collect();
                let mut reads = BTreeSet::new();
                read_by(body, &counters, sources, &mut reads);
                Some(reads)
            }
            true => return None,
            false => None,
        };
        let alike = Alike {
            bounds: space.iter().map(|(_, bound)| *bound).collect(),
            any_order: *commutative || is_commutative(op),
            makes_arrays: makes_arrays(body),
            reads,
        };
        Some(Reduction { alike, bytes, statements: Cost::of_statements(&body.statements) })
    }

    fn goes_with(&self, other: &Reduction) -> bool {
        self.alike == other.alike
            && self.bytes + other.bytes <= MOST_BYTES
            && self.statements + other.statements <= LARGEST
    }
}

/// What is read in a body.
fn read_by(body: &Body, counters: &[Var], sources: &BTreeMap<Var, Var>, reads: &mut BTreeSet<Read>) {
    for statement in &body.statements {
        if let Exp::Index { array, indices } = &statement.exp {
            let number = |index: &Atom| counters.iter().position(|counter| Atom::Var(*counter) == *index);
            let places = indices.iter().map(|index| number(index).ok_or(*index)).collect();
            reads.insert((sources.get(array).copied().unwrap_or(*array), places));
        }
        for_each_body(&statement.exp, &mut |inner| read_by(inner, counters, sources, reads));
    }
}

/// Puts the first map or reduction into the second, of the same kind: its results and values come first. Both have spaces of the same sizes.
pub(crate) fn join<R: Rep>(first: Statement<R>, second: &mut Statement<R>) {
    let (
        Exp::Kernel { space: before, combine: first_combine, body: earlier },
        Exp::Kernel { space, combine, body },
    ) = (first.exp, &mut second.exp)
    else {
        unreachable!("invariant: kernels are joined");
    };
    let counters = before.iter().zip(space.iter());
    let subst: Subst = counters.map(|((old, _), (new, _))| (*old, Atom::Var(*new))).collect();
    prepend(body, subst_body(&subst, &earlier));
    match (first_combine, combine) {
        (Combine::Map, Combine::Map) => {}
        (
            Combine::Reduce { op: first_op, neutral: first_neutral, commutative: first_commutes },
            Combine::Reduce { op, neutral, commutative },
        ) => {
            let commutes = |op: &Lambda<R>, said: bool| said || is_commutative(op);
            *commutative = commutes(op, *commutative) && commutes(&first_op, first_commutes);
            // the left operands of both, then the right ones
            let (first_count, count) = (first_op.results.len(), op.results.len());
            op.params.splice(count..count, first_op.params[first_count..].iter().cloned());
            op.params.splice(0..0, first_op.params[..first_count].iter().cloned());
            op.results.splice(0..0, first_op.results);
            prepend(&mut op.body, first_op.body);
            neutral.splice(0..0, first_neutral);
        }
        _ => unreachable!("invariant: both are maps or both are reductions"),
    }
    second.pattern.splice(0..0, first.pattern);
}

/// Puts the statements and results of a body before those of another.
fn prepend<R: Rep>(body: &mut Body<R>, earlier: Body<R>) {
    body.statements.splice(0..0, earlier.statements);
    body.results.splice(0..0, earlier.results);
}
