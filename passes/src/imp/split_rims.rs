//! Loops over arrays with a rim: where a branch or a clamp on the counter goes one way but for a few iterations at the ends, those in
//! the middle run without it.
//!
//! ```text
//! for j < n simd {
//!   if and.bool(gt.i64(j, 0), lt.i64(j, sub.i64(n, 1))) { y[j] := add.f32(x[j - 1], x[j + 1]) } else { y[j] := x[j] }
//! }
//! ```
//! becomes
//! ```text
//! let first = max.i64(0, 1)
//! let last = min.i64(n, sub.i64(n, 1))
//! let inner = sub.i64(last, first)
//! if gt.i64(inner, 0) {
//!   for t < inner simd { let j = add.i64(first, t); if true { … } else { … } }
//!   for t < sub.i64(n, inner) seq { let j = select(lt.i64(t, first), t, add.i64(t, inner)); … as before }
//! } else { … the loop as before }
//! ```
//!
//! Done for loops whose iterations are independent (I6) and, in the middle, cannot fail, so that their order shows nowhere, where a branch that
//! reads or writes, a clamp, or what is left of an index when it is divided by the bound, depends on comparisons of `j + c` or `c - j` with numbers that stay the same. Comparisons with constants
//! are taken to hold above them, others below: where that leaves no middle, the loop runs as it was, which is found out
//! when it runs; so it does where a number is beyond 2^61, as sums could wrap around. A loop of a few iterations, by a constant, stays, but for lanes.
//!
//! A loop over lanes, of a known number, is not split: if all of them are in the middle, it runs without branch and clamp, and as it was otherwise.
//!
//! A rim of a few iterations, as far as anyone can see, is one loop; another one, as triangles have it, is a loop before the middle and one
//! behind it, where a comparison that makes the end of the middle is known as well:
//!
//! ```text
//! for j < n simd { if le.i64(j, s) { … } else { y[j] := 0 } }
//! ```
//! becomes `for t < last simd { … }` and `for t < sub.i64(n, last) simd { y[add.i64(last, t)] := 0 }`.
//!
//! Assertions are such comparisons too, and hold in the middle: an index is within bounds there. What stops the program is at an end, and comes in order. Where
//! there are some, a branch by a number that is known when the program runs may be taken either way; the one that leaves more to do is the middle's.
//!
//! Such loops may stand inside: in the middle a comparison of `j + a` holds for every value of their counter `a`. Comparisons of the counter of
//! a loop around with its ends are taken to hold for its middle, too: at the rim of a matrix rows run as they were. (Not so for nests, below.)
//!
//! Nests with loops in a branch by their counter are split in the same way, but before lanes are made of them (`split-nests`): with those loops in a
//! branch, lanes would go different ways. Where those loops write arrays, branches that a row takes as a whole stay there: they cost nothing beside such loops, and rows at the
//! rim of a grid have a middle as others have. (Other loops are written out in the middle, which has no branches then.)
//!
//! What is the same in a row, and divides, stands in front of its loop. Remainders that are left, in loops that are not split, are comparisons (`wrapped.rs`).
//!
//! Requires and ensures I1–I10. Cost: linear in the size of the program; a loop of at most 80 statements is written four times, a nest of at most 240, and a
//! loop of at most 160 where less than a quarter of it is left in the middle.

mod linear;
mod middle;

use super::copy::{self, can_fail, constant, fresh, is_fixed, replace};
use super::wrapped;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use imp::build::{Builder, bin};
use imp::ir::{Exp, LoopKind, Program, Statement, StatementKind};
use imp::visit::{for_each_statement, names_after};
use linear::above_bound;
use middle::{Around, Limit, Middle};
use std::collections::{BTreeMap, BTreeSet};

/// Iterations at the ends that are one loop without vectors.
const RIM: i64 = 16;
/// Statements of a body that is written four times, and of one of which little is left in the middle.
const MOST_STATEMENTS: usize = 80;
const MOST_AT_ENDS: usize = 160;
/// Statements of a nest that is written four times: lanes take it whole (`spread-lanes`).
const MOST_OF_NEST: usize = 240;
/// What is left of such a body in the middle, at most.
const SHARE_IN_MIDDLE: usize = 4;
/// Counters and what is compared with them are below this, where sums cannot wrap around.
const FAR: i64 = 1 << 61;

/// Which loops are split.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    /// Those without long loops inside.
    Innermost,
    /// Those with loops inside in a branch by the counter.
    Nests,
}

impl Which {
    /// Of a body that is written four times.
    fn most_statements(self) -> usize {
        match self {
            Which::Innermost => MOST_STATEMENTS,
            Which::Nests => MOST_OF_NEST,
        }
    }
}

/// Splits the innermost loops of a program.
pub fn run(program: Program) -> Program {
    split_all(program, Which::Innermost)
}

/// Splits the loops of a program that have others inside in a branch.
pub fn run_nests(program: Program) -> Program {
    split_all(program, Which::Nests)
}

fn split_all(mut program: Program, which: Which) -> Program {
    let mut builder = Builder::new(names_after(&program));
    for procedure in &mut program.procedures {
        let (mut changing, mut sums) = (BTreeSet::new(), BTreeMap::new());
        for_each_statement(&procedure.body, &mut |statement| match &statement.kind {
            StatementKind::Assign { var, .. } => drop(changing.insert(*var)),
            StatementKind::Call { results, .. } => changing.extend(results),
            StatementKind::Let { var, ty: PrimType::I64, value: value @ Exp::Bin(op, _, x, c) }
                if matches!(op, BinOp::Add | BinOp::Sub)
                    && matches!(**x, Exp::Var(_))
                    && constant(c).is_some() =>
            {
                sums.insert(*var, value.clone());
            }
            _ => {}
        });
        sums.retain(|_, value| {
            let mut same = true;
            value.for_each_var(&mut |var| same &= !changing.contains(&var));
            same
        });
        let mut bounds = Bounds { which, changing, around: Vec::new(), counters: Vec::new(), sums };
        statements(&mut procedure.body, &mut bounds, &mut builder);
        if which == Which::Innermost {
            wrapped::in_procedure(procedure);
        }
    }
    program
}

/// What loops around a place count up to.
struct Bounds {
    which: Which,
    /// Variables that are assigned somewhere.
    changing: BTreeSet<Var>,
    /// The bounds, those of inner loops last.
    around: Vec<Exp>,
    /// The counters of the loops around.
    counters: Vec<Var>,
    /// Variables that are sums of another one, which never changes, and a constant.
    sums: BTreeMap<Var, Exp>,
}

impl Bounds {
    /// Whether evaluating the expression can stop the program: a bound is a divisor above 0 inside of its loop.
    fn can_fail(&self, exp: &Exp) -> bool {
        match exp {
            Exp::Bin(BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem, PrimType::I64, x, divisor)
                if self.around.contains(divisor) =>
            {
                self.can_fail(x)
            }
            _ => can_fail(exp),
        }
    }
}

fn statements(list: &mut Vec<Statement>, bounds: &mut Bounds, b: &mut Builder) {
    let mut done = Vec::with_capacity(list.len());
    for mut statement in std::mem::take(list) {
        let depth = bounds.around.len();
        if let StatementKind::For { ty: PrimType::I64, bound: bound @ Exp::Var(var), .. } = &statement.kind
            && !bounds.changing.contains(var)
        {
            bounds.around.push(bound.clone());
        }
        let inside = bounds.counters.len();
        if let StatementKind::For { var, ty: PrimType::I64, .. } = &statement.kind {
            bounds.counters.push(*var);
        }
        statement.kind.for_each_body_mut(&mut |body| statements(body, bounds, b));
        bounds.counters.truncate(inside);
        let outer = b.begin();
        b.loc = statement.loc;
        let split = split(&statement, bounds, b);
        bounds.around.truncate(depth);
        let new = b.end(outer);
        match split {
            Some(()) => done.extend(new),
            None => {
                if bounds.which == Which::Innermost {
                    done.extend(remainders_of_rows(&mut statement, bounds));
                }
                done.push(statement);
            }
        }
    }
    *list = done;
}

/// Adds what takes the place of a loop; adds nothing where it stays.
fn split(statement: &Statement, bounds: &Bounds, b: &mut Builder) -> Option<()> {
    let i64 = PrimType::I64;
    let StatementKind::For { var, ty: PrimType::I64, bound, kind, body } = &statement.kind else {
        return None;
    };
    let all_or_none = is_short(bound);
    if all_or_none && (*kind != LoopKind::Simd || bounds.which == Which::Nests)
        || !matches!(kind, LoopKind::Par | LoopKind::Simd)
        || !is_simple(body, bounds)
    {
        return None;
    }
    if bounds.which == Which::Nests && !has_loops_in_branch(body, *var) {
        return None;
    }
    let around = Around {
        counters: &bounds.counters,
        bounds: &bounds.around,
        sums: &bounds.sums,
        all_or_none,
        lanes_inside: bounds.which == Which::Nests && writes_in_loops(body),
    };
    let Middle { body: inside, before, behind, limits, near_zero, assumed } =
        Middle::of(*var, bound, body, around)?;
    let size = copy::count(body);
    if size > bounds.which.most_statements() && SHARE_IN_MIDDLE * copy::count(&inside) > size {
        return None;
    }
    let count = Exp::Var(b.let_("count", i64, bound.clone()));
    let (mut first, mut last) = (Exp::i64(0), count.clone());
    let (mut starts_late, mut ends_early, mut thin) = (false, false, true);
    for limit in limits {
        match limit {
            Limit::From(limit) => {
                starts_late = true;
                thin &= constant(&limit).is_some_and(|limit| limit <= RIM);
                first = bin(BinOp::Max, i64, first, limit);
            }
            Limit::Below(limit) => {
                ends_early = true;
                thin &= above_bound(&limit, bound).is_some_and(|above| above >= -RIM);
                last = bin(BinOp::Min, i64, last, limit);
            }
        }
    }
    let first = Exp::Var(b.let_("first", i64, first));
    let last = Exp::Var(b.let_("last", i64, last));
    let inner = Exp::Var(b.let_("inner", i64, bin(BinOp::Sub, i64, last.clone(), first.clone())));
    let rim = bin(BinOp::Sub, i64, count.clone(), inner.clone());
    let rim = if all_or_none { rim } else { Exp::Var(b.let_("rim", i64, rim)) };
    let both = |x, y| bin(BinOp::And, PrimType::Bool, x, y);
    // (a difference that wraps is far from the number of lanes)
    let mut splits = if all_or_none {
        bin(BinOp::Eq, i64, inner.clone(), count.clone())
    } else {
        bin(BinOp::Gt, i64, inner.clone(), Exp::i64(0))
    };
    splits = both(splits, bin(BinOp::Lt, i64, count.clone(), Exp::i64(FAR)));
    for number in near_zero {
        let above = bin(BinOp::Gt, i64, number.clone(), Exp::i64(-FAR));
        splits = both(splits, both(above, bin(BinOp::Lt, i64, number, Exp::i64(FAR))));
    }
    for holds in assumed {
        splits = both(splits, holds);
    }
    let (then, ()) = b.nested(|b| {
        if starts_late && !thin && !all_or_none {
            b.for_("t", first.clone(), *kind, |b, t| again(&before, *var, t, b));
        }
        let (same, inside) = what_is_the_same(fresh(&inside, &mut b.names), *var, bounds);
        b.push_all(same);
        if all_or_none {
            b.for_("t", bound.clone(), *kind, |b, t| again(&inside, *var, t, b));
            return;
        }
        b.for_("t", inner.clone(), *kind, |b, t| {
            let index = b.let_(var.text, i64, bin(BinOp::Add, i64, first.clone(), t));
            again(&inside, *var, index, b);
        });
        if thin {
            // (an iteration of a nest may take long)
            let many = bounds.which == Which::Nests && *kind == LoopKind::Par;
            b.for_("t", rim, if many { LoopKind::Par } else { LoopKind::Seq }, |b, t| {
                let before = Box::new(bin(BinOp::Lt, i64, t, first));
                let behind = Box::new(bin(BinOp::Add, i64, t, inner));
                let index = b.let_(var.text, i64, Exp::Select(before, Box::new(t.into()), behind));
                again(body, *var, index, b);
            });
        } else if ends_early {
            b.for_("t", bin(BinOp::Sub, i64, count, last.clone()), *kind, |b, t| {
                let index = b.let_(var.text, i64, bin(BinOp::Add, i64, last, t));
                again(&behind, *var, index, b);
            });
        }
    });
    b.push(StatementKind::If { condition: splits, then, otherwise: vec![statement.clone()] });
    Some(())
}

/// Takes what is the same in all iterations out of a loop that divides there, as places of rows do.
fn remainders_of_rows(statement: &mut Statement, bounds: &Bounds) -> Vec<Statement> {
    let StatementKind::For { var, kind: LoopKind::Par | LoopKind::Simd, body, .. } = &mut statement.kind
    else {
        return Vec::new();
    };
    let divides = |statement: &Statement| {
        matches!(
            &statement.kind,
            StatementKind::Let {
                value: Exp::Bin(BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem, ..),
                ..
            }
        )
    };
    if !body.iter().any(divides) {
        return Vec::new();
    }
    let (same, own) = what_is_the_same(body.clone(), *var, bounds);
    if !same.iter().any(divides) {
        return Vec::new();
    }
    *body = own;
    same
}

/// Scalars of a body that are the same in all iterations, of which there are some; and the rest of it.
fn what_is_the_same(body: Vec<Statement>, counter: Var, bounds: &Bounds) -> (Vec<Statement>, Vec<Statement>) {
    let mut own = BTreeSet::from([counter]);
    for_each_statement(&body, &mut |statement| own.extend(statement.kind.declares()));
    body.into_iter().partition(|statement| {
        let StatementKind::Let { var, value, .. } = &statement.kind else { return false };
        let same = is_fixed(value, &own) && !bounds.can_fail(value);
        if same {
            own.remove(var);
        }
        same
    })
}

/// The body of a loop for an index.
fn again(body: &[Statement], var: Var, index: Var, b: &mut Builder) {
    let mut body = fresh(body, &mut b.names);
    replace(&mut body, var, index);
    b.push_all(body);
}

/// Whether loops stand in a branch that depends on a counter.
fn has_loops_in_branch(body: &[Statement], counter: Var) -> bool {
    let mut own = BTreeSet::from([counter]);
    let mut found = false;
    for_each_statement(body, &mut |statement| match &statement.kind {
        StatementKind::Let { var, value, .. } if !is_fixed(value, &own) => _ = own.insert(*var),
        StatementKind::Assign { var, .. } => _ = own.insert(*var),
        StatementKind::If { condition, then, otherwise } => {
            let has_loops = copy::has_loops(then) || copy::has_loops(otherwise);
            found |= has_loops && !is_fixed(condition, &own);
        }
        _ => {}
    });
    found
}

/// Whether loops in a body write arrays: lanes run these, as they are not written out (`unroll-loops`).
fn writes_in_loops(body: &[Statement]) -> bool {
    let mut found = false;
    for_each_statement(body, &mut |statement| {
        found |= matches!(&statement.kind, StatementKind::For { body, .. } if copy::writes(body));
    });
    found
}

/// Whether a loop has a few iterations, by a constant.
fn is_short(bound: &Exp) -> bool {
    matches!(bound, Exp::Const(count) if count.as_int().is_some_and(|count| count <= 2 * i128::from(RIM)))
}

/// Whether a body has no loops but short ones, cannot fail and is not too long.
fn is_simple(body: &[Statement], bounds: &Bounds) -> bool {
    let mut simple = copy::count(body) <= MOST_AT_ENDS.max(bounds.which.most_statements());
    for_each_statement(body, &mut |statement| {
        statement.kind.for_each_exp(&mut |exp| simple &= !bounds.can_fail(exp));
        simple &= match &statement.kind {
            StatementKind::For { bound, .. } => is_short(bound),
            kind => matches!(
                kind,
                StatementKind::Let { .. }
                    | StatementKind::Declare { .. }
                    | StatementKind::Assign { .. }
                    | StatementKind::Write { .. }
                    | StatementKind::Accumulate { .. }
                    | StatementKind::View { .. }
                    | StatementKind::Window { .. }
                    | StatementKind::If { .. }
                    | StatementKind::Assert { .. }
            ),
        };
    });
    simple
}
