//! Reductions and scans of rows: a map whose function reduces or scans becomes a kernel over all rows and their elements.
//!
//! ```text
//! let (ys_3: [n_0]f32) = kernel (i_4 < n_0) {
//!   let (row_5: [m_1]f32) = slice xs_2[i_4, 0i64:m_1:1i64]
//!   let (s_6: f32) = kernel (j_7 < m_1) reduce \… (0.0f32) { … index row_5[j_7] … }
//!   let (y_8: f32) = sqrt.f32 s_6
//!   in (y_8)
//! }
//! ```
//! becomes
//! ```text
//! let (rows_9: [n_0]f32) = kernel (i_4 < n_0, j_7 < m_1) reduce \… (0.0f32) {
//!   let (row_5: [m_1]f32) = slice xs_2[i_4, 0i64:m_1:1i64]
//!   … index row_5[j_7] …
//! }
//! let (ys_3: [n_0]f32) = kernel (i_10 < n_0) {
//!   let (s_6: f32) = index rows_9[i_10]
//!   let (y_8: f32) = sqrt.f32 s_6
//!   in (y_8)
//! }
//! ```
//! The algebra: a map of a composition is the composition of maps. The lowering for devices has a choice then, by sizes: a thread or a block of
//! threads for each row. What comes behind is split in the same way, so a row may be reduced several times, and an array between two
//! reductions becomes one of all rows. On hosts a row is a thread's work in any case, and arrays between would only go through memory.
//!
//! - Before the reduction stand only expressions that cost nothing: they are repeated for each element.
//! - Behind it nothing may fail, so that the failure reported is the same, and nothing writes in place.
//! - Rows of a small constant size are a thread's work.
//! - Products of matrices stay: `tile-kernels` has a better version of them. Where a map has several one after the other, it becomes one map for
//!   each, so that all have tiles.
//!
//! Histograms of rows become one of all rows first ([`histograms`]).
//! Transposed and reversed arrays that are the same for all points of a map stand before it, so that products are seen to be some.
//! Elements of a reduction that have loops around maps, or reductions, become a map before it (`apart.rs`). What is checked of sizes in each row, which is the same
//! for all, is checked before the map if that has rows, and a map that gives rows of another array becomes one of their elements (`checked.rs`).
//! - Kernels inside of others are left alone: a thread runs them.
//!
//! Requires and ensures F1–F9 with kernels. Cost: quadratic in the reductions of one map.

mod apart;
mod checked;
mod histograms;
mod whole;

pub(super) use whole::makes_arrays;

use super::dependent;
use super::fuse::read_only::given_row;
use super::soac_to_kernel::{costs_nothing, merge_nest};
use crate::lower::funmem_to_imp::ROWS_IN_BLOCKS;
use crate::thresholds::Threshold;
use checked::SizeChecks;
use fun::ir::{Atom, Binder, Body, Combine, Dim, Exp, Fun, NoOp, Program, Statement, Type};
use fun::visit::names::{free_in_exp, free_in_lambda, name_source, rename_body};
use fun::visit::{Map, map_program, map_statement, walk_program};
use fun_base::name::{NameSource, Var};
use fun_base::source::Loc;
use std::collections::{BTreeMap, BTreeSet};

/// Rows with fewer elements are a thread's work. From so many 4-byte elements on the rows of neighbouring threads lie in lines of memory of their own, which
/// blocks that rows share read at once, and fewer are soon combined.
const LEAST: i64 = 32;

/// Merges the reductions and scans of the rows of a program with the maps around them.
pub fn run(program: Program) -> Program {
    let names = name_source(&program);
    // an entry point may have any name
    let free = program.functions.iter().all(|function| function.name.as_str() != ROWS_IN_BLOCKS);
    let mut checks = SizeChecks::default();
    walk_program(&mut checks, &program);
    let SizeChecks { sizes, dims } = checks;
    let mut rows = MergeRows { names, versions: free, asks: false, sizes, dims };
    let mut program = map_program(&mut rows, &program);
    if rows.asks {
        program.functions.insert(0, whole::question(&mut rows.names));
    }
    program
}

struct MergeRows {
    names: NameSource,
    /// Whether maps may have two versions.
    versions: bool,
    /// Whether some have.
    asks: bool,
    /// The variables that say whether a number is a size, and that number.
    sizes: BTreeMap<Var, Atom>,
    /// How many arrays have a variable as a size.
    dims: BTreeMap<Var, usize>,
}

impl Map<Fun, Fun> for MergeRows {
    fn op(&mut self, op: &NoOp) -> Exp {
        match *op {}
    }

    fn ty(&mut self, ty: &Type) -> Type {
        ty.clone()
    }

    fn statement(&mut self, statement: &Statement, out: &mut Vec<Statement>) {
        match &statement.exp {
            Exp::Kernel { combine: Combine::Map, .. } if given_row(&statement.exp).is_some() => {
                self.rows_of_another(statement, out);
            }
            Exp::Kernel { space, combine: Combine::Map, body } => {
                let mut body = body.clone();
                self.checks_before(space, &mut body, out);
                let mut map =
                    Rows { pattern: statement.pattern.clone(), space: space.clone(), loc: statement.loc };
                let mut inside = space.iter().map(|(counter, _)| *counter).collect();
                take_views(&mut body, &mut inside, out);
                self.histograms(&mut map, &mut body, out);
                if map.pattern.is_empty() {
                    return;
                }
                if !self.versions || !whole::pays(space, &body) {
                    return self.split(map, body, out);
                }
                self.two_versions(map, body, out);
            }
            Exp::Kernel { combine: Combine::Reduce { op, .. }, body, .. } if apart::is_heavy(op, body) => {
                match self.elements_apart(statement) {
                    Some((elements, reduction)) => {
                        self.statement(&elements, out);
                        out.push(reduction);
                    }
                    None => out.push(statement.clone()),
                }
            }
            Exp::Kernel { .. } => out.push(statement.clone()),
            _ => out.push(map_statement(self, statement)),
        }
    }
}

/// A map but for its body.
struct Rows {
    pattern: Vec<Binder>,
    space: Vec<(Var, Atom)>,
    loc: Option<Loc>,
}

impl MergeRows {
    /// The statements of a map whose first reduction, scan or map between is a kernel over all rows.
    fn split(&mut self, map: Rows, mut body: Body, out: &mut Vec<Statement>) {
        let Some(at) = head(&map.space, &body) else {
            let exp = merge_nest(Exp::Kernel { space: map.space, combine: Combine::Map, body });
            return out.push(Statement { pattern: map.pattern, exp, loc: map.loc });
        };
        let behind = body.statements.split_off(at + 1);
        let Some(Statement { pattern, exp: Exp::Kernel { space, combine, body: inner }, loc }) =
            body.statements.pop()
        else {
            unreachable!("invariant: the head is a kernel");
        };
        let before = body.statements;
        // a result of the head that is one of the map is there at once
        let direct =
            |binder: &Binder| body.results.iter().position(|result| *result == Atom::Var(binder.var));
        let shape: Vec<Atom> = map.space.iter().map(|(_, bound)| *bound).collect();
        let (mut made, mut views) = (Vec::new(), Vec::new());
        let mut done = BTreeSet::new();
        for binder in &pattern {
            let ty = Type::array_of(&shape, &binder.ty);
            let var = match direct(binder) {
                Some(k) => {
                    done.insert(k);
                    map.pattern[k].var
                }
                None => self.names.fresh("rows"),
            };
            made.push(Binder { var, ty });
            views.push(Statement {
                pattern: vec![binder.clone()],
                exp: row(var, &map.space, &binder.ty),
                loc,
            });
        }
        let all = map.space.iter().chain(&space).copied().collect();
        let statements = before.iter().cloned().chain(inner.statements).collect();
        let exp = Exp::Kernel { space: all, combine, body: Body { statements, results: inner.results } };
        // the names that the rest keeps are others here
        let renamed = rename_body(
            &mut self.names,
            Default::default(),
            &Body { statements: vec![Statement { pattern, exp, loc }], results: Vec::new() },
        );
        for statement in renamed.statements {
            match statement.exp {
                // what is in a map between may be split again
                Exp::Kernel { space, combine: Combine::Map, body } => {
                    self.split(Rows { pattern: made.clone(), space, loc: statement.loc }, body, out);
                }
                exp => out.push(Statement { pattern: made.clone(), exp, loc: statement.loc }),
            }
        }
        let left = |k: &usize| !done.contains(k);
        let rest: Vec<usize> = (0..map.pattern.len()).filter(left).collect();
        if rest.is_empty() {
            return;
        }
        let map = Rows { pattern: rest.iter().map(|k| map.pattern[*k].clone()).collect(), ..map };
        let results = rest.iter().map(|k| body.results[*k]).collect();
        let statements = before.into_iter().chain(views).chain(behind).collect();
        self.split(map, Body { statements, results }, out);
    }
}

/// Puts the views of a body before it that are the same at all points, where `inside` is what it binds.
fn take_views(body: &mut Body, inside: &mut BTreeSet<Var>, out: &mut Vec<Statement>) {
    for mut statement in std::mem::take(&mut body.statements) {
        match &mut statement.exp {
            Exp::Permute { array, .. } | Exp::Reverse { array, .. } if !inside.contains(array) => {
                out.push(statement);
                continue;
            }
            Exp::Kernel { space, body, .. } => {
                inside.extend(space.iter().map(|(counter, _)| *counter));
                take_views(body, inside, out);
            }
            _ => {}
        }
        inside.extend(statement.pattern.iter().map(|binder| binder.var));
        body.statements.push(statement);
    }
}

/// The row, or the number, that an array of all rows has at the point of a space.
fn row(array: Var, space: &[(Var, Atom)], ty: &Type) -> Exp {
    let counters = space.iter().map(|(counter, _)| Atom::Var(*counter));
    if ty.rank() == 0 {
        return Exp::Index { array, indices: counters.collect() };
    }
    let whole = |size: &Atom| Dim::Range { offset: Atom::i64(0), count: *size, stride: Atom::i64(1) };
    Exp::Slice { array, dims: counters.map(Dim::Fix).chain(ty.shape().iter().map(whole)).collect() }
}

/// The number of the statement that becomes a kernel over all rows: the first that is not free, if that pays and is right.
fn head(space: &[(Var, Atom)], body: &Body) -> Option<usize> {
    let at = body.statements.iter().position(|statement| !costs_nothing(&statement.exp))?;
    let (before, behind) = (&body.statements[..at], &body.statements[at + 1..]);
    let head = &body.statements[at];
    // at once, or an array between it and a reduction or product
    let product = |statement: &Statement| makes_product(space, before, &statement.exp);
    let pays = is_long(head)
        || is_map(head) && behind.iter().any(|statement| is_long(statement) || product(statement))
        || product(head) && behind.iter().any(is_map);
    let inside: BTreeSet<Var> = space
        .iter()
        .map(|(counter, _)| *counter)
        .chain(before.iter().flat_map(|statement| statement.pattern.iter().map(|binder| binder.var)))
        .collect();
    (pays
        && !is_product(space, before, &head.exp)
        && is_over_all_rows(&head.exp, &inside)
        && behind.iter().all(is_harmless))
    .then_some(at)
}

/// Whether a statement reduces or scans more than a few elements.
fn is_long(statement: &Statement) -> bool {
    let Exp::Kernel { space, combine: Combine::Reduce { .. } | Combine::Scan { .. }, .. } = &statement.exp
    else {
        return false;
    };
    may_have(space, LEAST)
}

/// Whether a space is not known to have a few points only.
fn may_have_points(space: &[(Var, Atom)]) -> bool {
    let known = |(_, bound): &(Var, Atom)| bound.as_const()?.as_i64();
    let points = space.iter().try_fold(1i64, |points, size| points.checked_mul(known(size)?));
    points.is_none_or(|points| points >= LEAST)
}

/// Whether the last size of a space is not known to be smaller.
fn may_have(space: &[(Var, Atom)], least: i64) -> bool {
    let known = space.last().and_then(|(_, bound)| bound.as_const()).and_then(|size| size.as_i64());
    known.is_none_or(|size| size >= least)
}

fn is_map(statement: &Statement) -> bool {
    matches!(&statement.exp, Exp::Kernel { combine: Combine::Map, .. })
}

/// Whether a kernel has the same space and operator for all rows, where `inside` is what a row has.
fn is_over_all_rows(kernel: &Exp, inside: &BTreeSet<Var>) -> bool {
    let Exp::Kernel { space, combine, .. } = kernel else { return false };
    let outside = |atom: &Atom| atom.as_var().is_none_or(|var| !inside.contains(&var));
    let operator = match combine {
        Combine::Map => true,
        Combine::Reduce { op, neutral, .. } | Combine::Scan { op, neutral, .. } => {
            let mut lambdas = [op].into_iter().chain(combine.epilogue());
            neutral.iter().all(outside) && lambdas.all(|lambda| free_in_lambda(lambda).is_disjoint(inside))
        }
        Combine::Hist { .. } | Combine::Scatter { .. } => false,
    };
    operator && space.iter().all(|(_, bound)| outside(bound))
}

/// Whether a map has a product for each of its points, where a space and what costs nothing are around.
fn makes_product(space: &[(Var, Atom)], before: &[Statement], exp: &Exp) -> bool {
    let Exp::Kernel { space: inner, combine: Combine::Map, body } = exp else { return false };
    let Some(at) = body.statements.iter().position(|statement| !costs_nothing(&statement.exp)) else {
        return false;
    };
    let all: Vec<(Var, Atom)> = space.iter().chain(inner).copied().collect();
    let before: Vec<Statement> = before.iter().chain(&body.statements[..at]).cloned().collect();
    let sum = &body.statements[at].exp;
    let deep = matches!(sum, Exp::Kernel { space, combine: Combine::Reduce { .. }, .. } if may_have(space, Threshold::ProductDepth.usual()));
    deep && is_product(&all, &before, sum)
}

/// Whether a kernel reads what goes by the last counter around and what goes by the one before it, and nothing that goes by both; what goes by those
/// before these two is the same for one product of a batch. What stands before it and is not for it may read anything.
fn is_product(space: &[(Var, Atom)], before: &[Statement], kernel: &Exp) -> bool {
    let ([.., (row, _), (column, _)], Exp::Kernel { body, .. }) = (space, kernel) else { return false };
    let by = BTreeMap::from([(*row, (true, false)), (*column, (false, true))]);
    let (mut rows, mut columns, mut both) = (false, false, false);
    let mut wanted = free_in_exp(kernel);
    for statement in before.iter().rev() {
        if statement.pattern.iter().any(|binder| wanted.contains(&binder.var)) {
            wanted.extend(free_in_exp(&statement.exp));
        }
    }
    let is_wanted = |statement: &&Statement| statement.pattern.iter().any(|b| wanted.contains(&b.var));
    for (statement, on) in dependent(before.iter().filter(is_wanted).chain(&body.statements), by) {
        if let Exp::Index { .. } = statement.exp {
            rows |= on == (true, false);
            columns |= on == (false, true);
            both |= on == (true, true);
        }
    }
    rows && columns && !both
}

/// Whether a statement cannot stop the program, says nothing, and writes nothing in place.
pub(super) fn is_harmless(statement: &Statement) -> bool {
    let all = |body: &Body| body.statements.iter().all(is_harmless);
    match &statement.exp {
        Exp::Kernel { combine, body, .. } => {
            let operator = match combine {
                Combine::Map => true,
                Combine::Reduce { op, .. } | Combine::Scan { op, .. } => all(&op.body),
                Combine::Hist { .. } | Combine::Scatter { .. } => false,
            };
            operator && all(body)
        }
        Exp::If { then, otherwise, .. } => all(then) && all(otherwise),
        Exp::Copy(_) | Exp::Iota { .. } | Exp::Replicate { .. } => true,
        exp => costs_nothing(exp),
    }
}
