//! Reductions get an accumulator for each of several lanes, so that they neither wait for one another nor keep compilers from
//! using vectors.
//!
//! ```text
//! for i < n fold {
//!   let x = a[i]
//!   let s = add.f32(sum, x)
//!   sum := s
//! }
//! ```
//! becomes
//! ```text
//! var done : i64 = 0
//! if ge.i64(n, 256) {
//!   let rounds = quot.i64(n, 64)
//!   alloc lanes_mem : f32[64] in stack
//!   view lanes : f32 @ lanes_mem -> 0 + {(64 : 1)}
//!   for l < 64 simd { lanes[l] := 0 }
//!   for r < rounds seq {
//!     for l < 64 simd {
//!       let i = add.i64(mul.i64(r, 64), l)
//!       let old = lanes[l]
//!       let x = a[i]
//!       let s = add.f32(old, x)
//!       lanes[l] := s
//!     }
//!   }
//!   for l < 32 simd { lanes[l] := add.f32(lanes[l], lanes[l + 32]) }
//!   …                                                                   for 16, 8, 4 and 2
//!   sum := add.f32(sum, add.f32(lanes[0], lanes[1]))
//!   free lanes_mem
//!   done := mul.i64(rounds, 64)
//! }
//! let left = sub.i64(n, done)
//! if ge.i64(left, 16) { … the same with 16 lanes, from done on }
//! for t < sub.i64(n, done) seq { … with add.i64(done, t) for i }
//! ```
//!
//! Legal for a `fold` loop (I10) whose body is straight-line code that can't fail and combines each accumulator once, by an operator that is
//! commutative too and has a neutral element: of 64 lanes, lane `l` has every 64th element. How the elements are grouped depends on the size alone,
//! so that results are the same for any number of threads, on any machine, by any backend. Integers are computed exactly in any order, which C compilers
//! know and use where there are few: for them (`split-folds-c`) folds of integers alone are split only where they are chunks of a long reduction, whose bound is declared beside
//! them, while rows of an array have one length.
//!
//! Short branches become choices, whether the reduction is split or left to a C compiler: with them it has no vectors.
//!
//! What is counted (a sum of bools as numbers) is counted in as few bits as what is compared has, so that the lanes of both are vectors of one length, and added to
//! totals before that might wrap ([`counts`]).
//!
//! An iteration may write cells of its own (`fuse-folds`): no other one touches those (I10), so the iterations of a round may do it side by side.
//!
//! Requires and ensures I1–I10. Cost: linear in the size of the program.

mod counts;

use super::convert_branches::convert_in_lanes;
use super::copy::{can_fail, constant, declared_in, fresh, replace, write_to};
use counts::Count;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue};
use fun_base::source::Loc;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use imp::build::{Builder, bin, read};
use imp::ir::{Exp, ImpType, LoopKind, Program, Space, Statement, StatementKind};
use imp::prefix::neutral;
use imp::visit::{for_each_statement, names_after};
use std::collections::BTreeSet;

/// How folds are split.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    /// From many lanes to few.
    tiers: [Tier; 2],
    /// Whether every fold of integers is split, or only chunks of a long reduction.
    integer_rows: bool,
    /// No more rounds are counted in few bits than this, even if more can be.
    most_counted: i64,
}

/// A number of lanes.
#[derive(Clone, Copy, Debug)]
struct Tier {
    /// Bytes of the accumulators of one variable, a power of two.
    bytes: i64,
    /// So many lanes at least.
    lanes: i64,
    /// With fewer rounds than that it is not worth it.
    rounds: i64,
}

/// What machines want: several vectors of any machine, so that sums do not wait for one another. Loops over fewer lanes than 32 are
/// written out by GCC before it looks for vectors, and it finds none then.
const USUAL: Sizes = Sizes {
    tiers: [Tier { bytes: 256, lanes: 1, rounds: 4 }, Tier { bytes: 128, lanes: 32, rounds: 1 }],
    integer_rows: true,
    most_counted: i64::MAX,
};
/// What C compilers want: they find the lanes of integers themselves, and fewer where rows are short.
const FOR_C: Sizes = Sizes { integer_rows: false, ..USUAL };
/// What small test programs come to; integers show any mistake.
const SMALL: Sizes = Sizes {
    tiers: [Tier { bytes: 16, lanes: 2, rounds: 1 }, Tier { bytes: 2, lanes: 2, rounds: 1 }],
    integer_rows: true,
    most_counted: 1,
};

/// Splits the folds of a program.
pub fn run(program: Program) -> Program {
    split(program, USUAL)
}

/// The same where a C compiler comes next.
pub fn run_for_c(program: Program) -> Program {
    split(program, FOR_C)
}

/// The same with few lanes, so that small inputs fill them.
pub fn run_small(program: Program) -> Program {
    split(program, SMALL)
}

fn split(mut program: Program, sizes: Sizes) -> Program {
    let mut builder = Builder::new(names_after(&program));
    for procedure in &mut program.procedures {
        statements(&mut procedure.body, sizes, &mut builder);
    }
    program
}

fn statements(list: &mut Vec<Statement>, sizes: Sizes, b: &mut Builder) {
    let mut done = Vec::with_capacity(list.len());
    let around: BTreeSet<Var> = list.iter().filter_map(|statement| statement.kind.declares()).collect();
    for mut statement in std::mem::take(list) {
        statement.kind.for_each_body_mut(&mut |body| statements(body, sizes, b));
        if let StatementKind::For { var, kind: LoopKind::Fold, body, .. } = &mut statement.kind
            && accumulators_beside_cells(body, *var).is_some()
        {
            *body = convert_in_lanes(std::mem::take(body), b);
        }
        match Fold::of(&statement, &around, sizes) {
            Some(fold) => {
                let outer = b.begin();
                b.loc = statement.loc;
                fold.split(b);
                done.extend(b.end(outer));
            }
            None => done.push(statement),
        }
    }
    *list = done;
}

/// A fold that can be split.
struct Fold<'s> {
    var: Var,
    bound: &'s Exp,
    body: &'s [Statement],
    accumulators: Vec<Accumulator>,
    /// For each accumulator what it counts, if it does.
    counts: Vec<Option<Count>>,
    most_counted: i64,
    /// Numbers of lanes, and of iterations from which on they are worth it.
    lanes: Vec<(i64, i64)>,
    loc: Option<Loc>,
}

/// What a fold assigns.
pub(super) struct Accumulator {
    pub(super) var: Var,
    pub(super) ty: PrimType,
    pub(super) op: BinOp,
    pub(super) neutral: PrimValue,
}

impl Fold<'_> {
    /// A fold that is worth it, where these variables are declared in the body around it.
    fn of<'s>(statement: &'s Statement, around: &BTreeSet<Var>, sizes: Sizes) -> Option<Fold<'s>> {
        let StatementKind::For { var, ty: PrimType::I64, bound, kind: LoopKind::Fold, body } =
            &statement.kind
        else {
            return None;
        };
        let accumulators = accumulators_beside_cells(body, *var)?;
        let floats = accumulators.iter().any(|accumulator| accumulator.ty.is_float());
        let is_chunk = matches!(bound, Exp::Var(count) if around.contains(count));
        if !floats && !sizes.integer_rows && !is_chunk {
            return None;
        }
        let counts: Vec<_> = accumulators.iter().map(|accumulator| Count::of(body, accumulator)).collect();
        let in_lanes =
            accumulators.iter().zip(&counts).map(|(accumulator, count)| type_in_lanes(accumulator, count));
        let widest = in_lanes.map(|ty| i64::from(ty.bytes())).max()?;
        let count = constant(bound);
        let mut lanes = Vec::new();
        for tier in sizes.tiers {
            let own = tier.lanes.max(tier.bytes / widest);
            if count.is_none_or(|count| count >= own * tier.rounds) {
                // the last tier with so many lanes is for the fewest rounds
                lanes.retain(|(others, _)| *others != own);
                lanes.push((own, own * tier.rounds));
            }
        }
        (!lanes.is_empty()).then_some(Fold {
            var: *var,
            bound,
            body,
            accumulators,
            counts,
            most_counted: sizes.most_counted,
            lanes,
            loc: statement.loc,
        })
    }

    fn split(&self, b: &mut Builder) {
        let i64 = PrimType::I64;
        let bound = Exp::Var(b.let_("count", i64, self.bound.clone()));
        let done = b.declare("done", ImpType::Prim(i64), Some(Exp::i64(0)));
        for (lanes, least) in &self.lanes {
            let left = Exp::Var(b.let_("left", i64, bin(BinOp::Sub, i64, bound.clone(), done)));
            let many = bin(BinOp::Ge, i64, left.clone(), Exp::i64(*least));
            b.when(many, |b| self.rounds(*lanes, left, done, b));
        }
        let rest = bin(BinOp::Sub, i64, bound, done);
        b.for_("t", rest, LoopKind::Seq, |b, t| {
            let index = b.let_("i", i64, bin(BinOp::Add, i64, done, t));
            let mut body = fresh(self.body, &mut b.names);
            replace(&mut body, self.var, index);
            b.push_all(body);
        });
        b.loc = self.loc;
    }

    /// As many rounds of all lanes as there are `left`, from `done` on.
    fn rounds(&self, count: i64, left: Exp, done: Var, b: &mut Builder) {
        let i64 = PrimType::I64;
        let lanes = Exp::i64(count);
        let rounds = b.let_("rounds", i64, bin(BinOp::Quot, i64, left, lanes.clone()));
        let start = b.let_("start", i64, Exp::Var(done));
        let mut blocks = Vec::new();
        let mut cells = |ty: PrimType, (block, view): (&str, &str), b: &mut Builder| {
            let block = b.alloc(block, ty, vec![lanes.clone()], Space::Stack);
            blocks.push(block);
            b.view(view, ty, block, Lmad::row_major(Poly::constant(0), &[Poly::constant(count)]))
        };
        let views: Vec<Var> = self
            .accumulators
            .iter()
            .map(|accumulator| cells(accumulator.ty, ("lanes_mem", "lanes"), b))
            .collect();
        let counters: Vec<Option<Var>> = self
            .counts
            .iter()
            .map(|count| count.as_ref().map(|count| cells(count.ty, ("counts_mem", "counts"), b)))
            .collect();
        b.for_("l", lanes.clone(), LoopKind::Simd, |b, l| {
            for (accumulator, view) in self.accumulators.iter().zip(&views) {
                b.write(*view, vec![l.into()], Exp::Const(accumulator.neutral));
            }
        });
        let some_rounds = |first: Option<Exp>, number: Exp, b: &mut Builder| {
            b.for_("r", number, LoopKind::Seq, |b, r| {
                b.for_("l", lanes.clone(), LoopKind::Simd, |b, l| {
                    let round = match first.clone() {
                        Some(first) => bin(BinOp::Add, i64, first, r),
                        None => r.into(),
                    };
                    let of_round = bin(BinOp::Add, i64, start, bin(BinOp::Mul, i64, round, lanes.clone()));
                    let index = b.let_("i", i64, bin(BinOp::Add, i64, of_round, l));
                    self.lane(b, index, l, &views, &counters);
                });
            });
        };
        match self.counts.iter().flatten().map(Count::most).min() {
            None => some_rounds(None, rounds.into(), b),
            Some(most) => {
                let most = Exp::i64(most.min(self.most_counted));
                let up = bin(BinOp::Add, i64, rounds, bin(BinOp::Sub, i64, most.clone(), Exp::i64(1)));
                b.for_("p", bin(BinOp::Quot, i64, up, most.clone()), LoopKind::Seq, |b, p| {
                    let first = b.let_("first", i64, bin(BinOp::Mul, i64, p, most.clone()));
                    let left = bin(BinOp::Sub, i64, rounds, first);
                    counts::clear(&self.counts, &counters, &lanes, b);
                    some_rounds(Some(first.into()), bin(BinOp::Min, i64, most.clone(), left), b);
                    let totals = self.accumulators.iter().zip(&views);
                    counts::add(totals, &self.counts, &counters, &lanes, b);
                });
            }
        }
        let mut half = count / 2;
        while half > 1 {
            b.for_("l", Exp::i64(half), LoopKind::Simd, |b, l| {
                for (accumulator, view) in self.accumulators.iter().zip(&views) {
                    let other = read(*view, vec![bin(BinOp::Add, i64, l, Exp::i64(half))]);
                    let both = bin(accumulator.op, accumulator.ty, read(*view, vec![l.into()]), other);
                    b.write(*view, vec![l.into()], both);
                }
            });
            half /= 2;
        }
        for (accumulator, view) in self.accumulators.iter().zip(&views) {
            let lane = b.let_("lane", accumulator.ty, read(*view, vec![Exp::i64(0)]));
            let last = b.let_("last", accumulator.ty, read(*view, vec![Exp::i64(1)]));
            let both = bin(accumulator.op, accumulator.ty, lane, last);
            b.assign(accumulator.var, bin(accumulator.op, accumulator.ty, accumulator.var, both));
        }
        blocks.iter().for_each(|block| b.push(StatementKind::Free(*block)));
        let covered = bin(BinOp::Mul, i64, rounds, lanes);
        b.assign(done, bin(BinOp::Add, i64, start, covered));
    }

    /// The body for one index, with the accumulators of a lane.
    fn lane(&self, b: &mut Builder, index: Var, l: Var, views: &[Var], counters: &[Option<Var>]) {
        let mut body = self.body.to_vec();
        self.counts.iter().flatten().for_each(|count| count.narrow(&mut body));
        let mut body = fresh(&body, &mut b.names);
        replace(&mut body, self.var, index);
        let of_lane = views.iter().zip(counters).map(|(view, counter)| counter.unwrap_or(*view));
        for ((accumulator, count), view) in self.accumulators.iter().zip(&self.counts).zip(of_lane) {
            let old = b.let_("old", type_in_lanes(accumulator, count), read(view, vec![l.into()]));
            write_to(&mut body, accumulator.var, view, &[l.into()]);
            replace(&mut body, accumulator.var, old);
        }
        b.push_all(body);
    }
}

/// What the lanes of an accumulator hold.
fn type_in_lanes(accumulator: &Accumulator, count: &Option<Count>) -> PrimType {
    count.as_ref().map_or(accumulator.ty, |count| count.ty)
}

/// What the body of a fold assigns, if it can be split and writes no cells: straight-line code that can't fail.
pub(super) fn accumulators(body: &[Statement]) -> Option<Vec<Accumulator>> {
    let writes = body.iter().any(|statement| statement.kind.writes().is_some());
    if writes { None } else { split_accumulators(body) }
}

/// The same, where an iteration may also write cells of its own: one of their indices moves with the counter (I10).
pub(super) fn accumulators_beside_cells(body: &[Statement], counter: Var) -> Option<Vec<Accumulator>> {
    let declared = declared_in(body);
    let fixed = |exp: &Exp| match exp {
        Exp::Const(_) => true,
        Exp::Var(var) => *var != counter && !declared.contains(var),
        _ => false,
    };
    // the counter, or the sum of it and something else
    let mut moving = vec![Exp::Var(counter)];
    for statement in body {
        if let StatementKind::Let { var, value: Exp::Bin(BinOp::Add, PrimType::I64, x, y), .. } =
            &statement.kind
            && ((fixed(x) && **y == Exp::Var(counter)) || (fixed(y) && **x == Exp::Var(counter)))
        {
            moving.push(Exp::Var(*var));
        }
    }
    let own = |indices: &[Exp]| {
        indices.iter().filter(|index| moving.contains(index)).count() == 1
            && indices.iter().all(|index| moving.contains(index) || fixed(index))
    };
    let all = body.iter().all(|statement| match &statement.kind {
        StatementKind::Write { indices, .. } => own(indices),
        _ => true,
    });
    if all { split_accumulators(body) } else { None }
}

fn split_accumulators(body: &[Statement]) -> Option<Vec<Accumulator>> {
    let mut declared = BTreeSet::new();
    let mut simple = true;
    for_each_statement(body, &mut |statement| {
        declared.extend(statement.kind.declares());
        statement.kind.for_each_exp(&mut |exp| simple &= !can_fail(exp));
        simple &= matches!(
            statement.kind,
            StatementKind::Let { .. }
                | StatementKind::Declare { ty: ImpType::Prim(_), .. }
                | StatementKind::Assign { .. }
                | StatementKind::View { .. }
                | StatementKind::Window { .. }
                | StatementKind::Write { .. }
                | StatementKind::If { .. }
        );
    });
    let in_branches = body.iter().any(|statement| {
        let mut writes = false;
        statement.kind.for_each_body(&mut |body| {
            for_each_statement(body, &mut |statement| writes |= statement.kind.writes().is_some());
        });
        writes
    });
    if !simple || in_branches {
        return None;
    }
    let mut found = Vec::new();
    for statement in body {
        if let StatementKind::Assign { var, value } = &statement.kind
            && !declared.contains(var)
        {
            found.push(accumulator(body, *var, value)?);
        }
    }
    // one that is assigned in a branch is none of those
    let mut all = true;
    for_each_statement(body, &mut |statement| {
        if let StatementKind::Assign { var, .. } = &statement.kind {
            all &= declared.contains(var) || found.iter().any(|known: &Accumulator| known.var == *var);
        }
    });
    let distinct: BTreeSet<Var> = found.iter().map(|accumulator| accumulator.var).collect();
    (all && distinct.len() == found.len() && !found.is_empty()).then_some(found)
}

/// `var := op(var, e)`, perhaps by way of a `let`, where nothing else mentions `var`.
fn accumulator(body: &[Statement], var: Var, value: &Exp) -> Option<Accumulator> {
    let combined = match value {
        Exp::Var(name) => {
            let named = body.iter().find_map(|statement| match &statement.kind {
                StatementKind::Let { var, value, .. } if var == name => Some(value),
                _ => None,
            });
            if uses(body, *name) != 1 {
                return None;
            }
            named?
        }
        _ => value,
    };
    let Exp::Bin(op, ty, left, right) = combined else { return None };
    let is_accumulator = |exp: &Exp| *exp == Exp::Var(var);
    // the assignment counts as a use
    if is_accumulator(left) == is_accumulator(right) || uses(body, var) != 2 {
        return None;
    }
    Some(Accumulator { var, ty: *ty, op: *op, neutral: neutral(*op, *ty)? })
}

/// How often statements use or assign a variable.
fn uses(body: &[Statement], var: Var) -> usize {
    let mut count = 0;
    for_each_statement(body, &mut |statement| {
        statement.kind.for_each_use(&mut |used| count += usize::from(used == var));
    });
    count
}
