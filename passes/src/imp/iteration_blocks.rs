//! Iterations of a parallel loop that have parallel loops in loops of their own are done by a block of threads each.
//!
//! ```text
//! for i < n par {
//!   alloc t : f32[m]
//!   for k < steps seq {
//!     for j < m simd { t[j] := … }
//!     let x = t[0]
//!     for j < m simd { a[i, j] := x * t[m - 1 - j] }
//!   }
//!   free t
//! }
//! ```
//! becomes, where there are few iterations and their loops are long,
//! ```text
//! alloc t : f32[n][m]
//! for i < n block {
//!   for k < steps seq {
//!     for l < 128 thread { for r < share seq { let j = l + r * 128   t[j] := … } }
//!     for l < 128 thread { own[l] := t[0] }
//!     for l < 128 thread { let x = own[l]   for r < share seq { let j = l + r * 128   a[i, j] := x * t[m - 1 - j] } }
//!   }
//! }
//! free t
//! ```
//! A thread for each iteration, which `kernels.rs` would make of it, is `n` threads, each of which does all of `j` by itself.
//!
//! And where iterations are so few, and their loops so long, that all threads of the device have something to do in each loop, the host does the iterations in order,
//! with a kernel for each loop.
//!
//! What a block does is in `block.rs`: loops around parallel ones stand around thread loops, scalars that depend on memory are computed by each thread for
//! itself and kept in registers (`own.rs`), and what writes without a parallel loop is done by the first thread. Blocks of memory that an iteration allocates are
//! allocated before, for all iterations, those of an iteration next to each other; small ones of constant size are shared memory.
//!
//! Loops that fill an array, which a thread runs in order, are parallel ones there (`points.rs`).
//!
//! Variables that hold these are numbers then (`buffers.rs`). Where threads have arrays of their own there are few blocks, each of which does several iterations,
//! and a thread has the iteration if all these arrays take very much.
//!
//! Legal wherever it is possible: iterations of `par` and `simd` loops are independent (I6), and the statements of one keep their order by the barriers between
//! thread loops.
//!
//! Requires I1–I9; ensures I1–I9 and I11. Cost: linear in the size of the program, times how deep loops nest; such a loop is there three times.

mod block;
mod buffers;
mod own;
mod points;
mod sweeps;

use super::copy::{can_fail, constant, fresh};
use super::different_blocks::{self, Known};
use super::fuse_loops::access::Places;
use super::fuse_loops::facts::LoopFacts;
use super::kernels::{hoisted, is_size, may_repeat, possible_in_blocks};
use super::numbers::Numbers;
use super::private::{allocated, allocates, bytes};
use crate::thresholds::{Threshold, Thresholds};
use block::{Block, is_point};
use fun_base::name::{Symbol, Var};
use fun_base::prim::{BinOp, PrimType};
use imp::build::{Builder, bin};
use imp::ir::{Exp, LoopKind, Procedure, Program, Statement, StatementKind};
use imp::visit::{for_each_statement, names_after};
use std::collections::{BTreeMap, BTreeSet};
use sweeps::Finder;

const I64: PrimType = PrimType::I64;
const F64: PrimType = PrimType::F64;

/// How iterations are shared, and where that pays.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    /// Threads of a block.
    threads: i64,
    /// From so many points of a parallel loop in an iteration on …
    values: i64,
    /// … and while there are no more iterations than this.
    iterations: i64,
    /// From so many of these points for each iteration on the host does the iterations in order.
    host_values: i64,
    /// Blocks at most where threads have arrays of their own.
    blocks: i64,
    /// Bytes of these arrays in all, from which on a thread does an iteration: it needs fewer of them.
    private_bytes: f64,
    /// Bytes of the arrays of constant size that a block has in shared memory, at most.
    shared_bytes: i64,
    /// Rows and columns of a matrix that a block sweeps over, at least.
    least: i64,
}

/// Threads that run in step.
const STEP: i64 = 32;
/// The most threads that a block has: with 255 registers each, the most there are, they have all of a multiprocessor.
const MOST_THREADS: i64 = 256;

impl Sizes {
    /// The same for iterations with so many points, if that is a constant: as many threads as leave the fewest without work, and have the fewest rounds then. Of 257 points
    /// 128 threads have three rounds, the last one for a single point, and 160 have two.
    fn for_points(self, points: &Exp) -> Sizes {
        let Some(points) = constant(points).filter(|points| *points < i64::from(u32::MAX)) else {
            return self;
        };
        if self.threads % STEP != 0 {
            return self;
        }
        let rounds = |threads: &i64| (points + threads - 1) / threads;
        let choices = (self.threads..=MOST_THREADS).step_by(STEP as usize);
        let threads = choices.min_by_key(|threads| (rounds(threads) * threads, rounds(threads)));
        Sizes { threads: threads.unwrap_or(self.threads), ..self }
    }
}

/// How many times as long points take that have loops of their own, as far as one can say.
const LOOPS_TAKE: i64 = 8;

/// What devices want.
const USUAL: Sizes = Sizes {
    threads: 128,
    values: Threshold::IterationValues.usual(),
    iterations: Threshold::Iterations.usual(),
    host_values: Threshold::HostValues.usual(),
    blocks: 256,
    private_bytes: 1e9,
    shared_bytes: 16 << 10,
    least: 8,
};
/// What small test programs come to.
const SMALL: Sizes =
    Sizes { threads: 3, values: 1, host_values: 3, blocks: 2, shared_bytes: 16, least: 1, ..USUAL };

/// Makes blocks of the iterations of a program for a device.
pub fn run(program: Program, thresholds: &Thresholds) -> Program {
    convert(program, USUAL, thresholds)
}

/// The same with few threads, so that small inputs fill several rounds of them.
pub fn run_small(program: Program, thresholds: &Thresholds) -> Program {
    convert(program, SMALL, thresholds)
}

fn convert(mut program: Program, sizes: Sizes, thresholds: &Thresholds) -> Program {
    let mut b = Builder::new(names_after(&program));
    for procedure in &mut program.procedures {
        let asked = [Threshold::IterationValues, Threshold::Iterations, Threshold::HostValues];
        thresholds.enter(procedure.name, &asked);
        let (numbers, facts) = (Numbers::of(procedure), LoopFacts::of(procedure));
        let finder = Finder { places: Places::of(procedure), numbers, facts, least: sizes.least };
        let known = known_where_copied(procedure);
        let mut found = Found { sizes, thresholds, function: procedure.name, finder, known };
        found.statements(&mut procedure.body, &mut b);
    }
    program
}

struct Found<'t> {
    sizes: Sizes,
    thresholds: &'t Thresholds,
    function: Symbol,
    finder: Finder,
    /// What is known of blocks where loops with these counters begin.
    known: BTreeMap<Var, Known>,
}

impl Found<'_> {
    fn statements(&mut self, list: &mut Vec<Statement>, b: &mut Builder) {
        let mark = self.finder.facts.mark();
        let mut done = Vec::with_capacity(list.len());
        for mut statement in std::mem::take(list) {
            match &mut statement.kind {
                StatementKind::For { kind, .. } if kind.is_parallel() => {
                    let outer = b.begin();
                    b.loc = statement.loc;
                    let made = self.version(&statement, b);
                    let new = b.end(outer);
                    self.finder.facts.passed(&statement);
                    match made {
                        Some(()) => done.extend(new),
                        None => done.push(statement),
                    }
                }
                kind => {
                    let inside = self.finder.facts.mark();
                    if let StatementKind::For { var, bound, .. } = kind {
                        self.finder.facts.counter(*var, bound);
                    }
                    kind.for_each_body_mut(&mut |body| self.statements(body, b));
                    self.finder.facts.reset(inside);
                    self.finder.facts.passed(&statement);
                    done.push(statement);
                }
            }
        }
        *list = done;
        self.finder.facts.reset(mark);
    }

    /// Adds both versions of a loop and the choice between them; adds nothing that stays where there is no other.
    fn version(&mut self, statement: &Statement, b: &mut Builder) -> Option<()> {
        let StatementKind::For { var: counter, ty: I64, bound, kind: LoopKind::Par, body } = &statement.kind
        else {
            return None;
        };
        if bound.reads() || can_fail(bound) {
            return None;
        }
        let mark = self.finder.facts.mark();
        self.finder.facts.counter(*counter, bound);
        let mut diagonals = Vec::new();
        let shared = self.finder.shared(body, &mut diagonals, b);
        // (what is declared in an iteration has another name in its copy)
        let declared = declared_with(body, *counter);
        diagonals.retain(|size| is_size(size, &declared));
        self.finder.facts.reset(mark);
        let mut copy = statement.clone();
        if let (StatementKind::For { body, .. }, Some(shared)) = (&mut copy.kind, shared) {
            *body = shared;
        } else if !has_own_loops(body) {
            return None;
        }
        let copy = fresh(&[copy], &mut b.names);
        let StatementKind::For { var, body: mut copied, .. } = copy.into_iter().next()?.kind else {
            return None;
        };
        let mut inner = declared_with(&copied, var);
        b.push_all(hoisted(&mut copied, &mut inner));
        // (a point with a loop takes as long as several, where many threads do them at the same time)
        let weighted = longest(&copied, &inner, &diagonals, LOOPS_TAKE)?;
        let longest = longest(&copied, &inner, &diagonals, 1)?;
        if constant(&longest).is_some_and(|size| size < self.sizes.values) {
            return None;
        }
        let iterations = b.let_("iterations", I64, bin(BinOp::Max, I64, bound.clone(), Exp::i64(0)));
        let sizes = self.sizes.for_points(&longest);
        let known = self.known.get(counter);
        points::fills_are_points(&mut copied);
        let mut block = Block::new((var, iterations), &inner, &self.finder.places, known, sizes);
        let (then, made) = b.nested(|b| block.emit(copied, b));
        made?;
        if !then.iter().all(|statement| possible_in_blocks(&statement.kind)) {
            return None;
        }
        let count = Exp::from(iterations);
        let some = bin(BinOp::Max, I64, count.clone(), Exp::i64(1));
        let share = bin(BinOp::Quot, I64, weighted.clone(), some);
        let asked = [
            (Threshold::IterationValues, self.sizes.values, &longest),
            (Threshold::Iterations, self.sizes.iterations, &count),
        ];
        let [values, most] = self.thresholds.ask(self.function, statement.loc, asked);
        let long = bin(BinOp::Ge, I64, longest.clone(), values);
        let few = bin(BinOp::Le, I64, count, most);
        let both = |x, y| bin(BinOp::And, PrimType::Bool, x, y);
        let condition = both(long, few);
        let condition = match private_bytes(&then, sizes, iterations) {
            Some(bytes) => {
                both(condition, bin(BinOp::Le, F64, bytes, Exp::Const(self.sizes.private_bytes.into())))
            }
            None => condition,
        };
        let otherwise = fresh(std::slice::from_ref(statement), &mut b.names);
        let blocks_or_threads = StatementKind::If { condition, then, otherwise };
        if constant(&weighted).is_some_and(|size| size == i64::MAX || size < self.sizes.host_values) {
            b.push(blocks_or_threads);
            return Some(());
        }
        let mark = self.finder.facts.mark();
        self.finder.facts.counter(*counter, bound);
        let mut body = body.clone();
        points::fills_are_points(&mut body);
        self.statements(&mut body, b);
        self.finder.facts.reset(mark);
        let asked = [(Threshold::HostValues, self.sizes.host_values, &share)];
        let [host_values] = self.thresholds.ask(self.function, statement.loc, asked);
        let condition = bin(BinOp::Ge, I64, share, host_values);
        let (otherwise, ()) = b.nested(|b| b.push(blocks_or_threads));
        let in_order =
            StatementKind::For { var: *counter, ty: I64, bound: bound.clone(), kind: LoopKind::Seq, body };
        let then = vec![Statement { kind: in_order, loc: statement.loc }];
        b.push(StatementKind::If { condition, then, otherwise });
        Some(())
    }
}

/// Whether a point has loops that are not parallel.
fn has_loops(point: &[Statement]) -> bool {
    let mut found = false;
    for_each_statement(point, &mut |inner| {
        found |= match &inner.kind {
            StatementKind::While { .. } => true,
            StatementKind::For { .. } => !is_point(&inner.kind),
            _ => false,
        };
    });
    found
}

/// What is known of blocks at parallel loops that have others and copies in their iterations.
fn known_where_copied(procedure: &Procedure) -> BTreeMap<Var, Known> {
    let mut counters = BTreeSet::new();
    for_each_statement(&procedure.body, &mut |statement| {
        if let StatementKind::For { var, kind: LoopKind::Par, body, .. } = &statement.kind {
            let mut copies = false;
            for_each_statement(body, &mut |inner| copies |= matches!(inner.kind, StatementKind::Copy { .. }));
            if copies && has_own_loops(body) {
                counters.insert(*var);
            }
        }
    });
    match counters.is_empty() {
        true => BTreeMap::new(),
        false => different_blocks::at_loops(procedure, &counters),
    }
}

/// How many bytes the arrays take that threads of a version have, if they have any.
fn private_bytes(version: &[Statement], sizes: Sizes, count: Var) -> Option<Exp> {
    let times = |x: Exp, y: Exp| bin(BinOp::Mul, F64, x, y);
    let number = |n: Exp| imp::build::convert(F64, I64, bin(BinOp::Max, I64, n, Exp::i64(0)));
    let mut sum: Option<Exp> = None;
    let kernels = version.iter().filter(|statement| allocated(statement).is_none());
    for statement in kernels {
        for_each_statement(std::slice::from_ref(statement), &mut |inner| {
            if let StatementKind::Alloc { elem, shape, .. } = &inner.kind
                && allocated(inner).is_some()
            {
                let bytes = bytes(*elem, shape);
                sum = Some(sum.take().map_or(bytes.clone(), |sum| bin(BinOp::Add, F64, sum, bytes)));
            }
        });
    }
    let blocks = bin(BinOp::Min, I64, count, Exp::i64(sizes.blocks));
    sum.map(|sum| times(sum, number(bin(BinOp::Mul, I64, blocks, Exp::i64(sizes.threads)))))
}

/// Whether an iteration has parallel loops that are not its last statement, behind names and assertions alone: such a nest is one loop for `kernels.rs`.
fn has_own_loops(body: &[Statement]) -> bool {
    let mut found = false;
    for_each_statement(body, &mut |statement| found |= is_point(&statement.kind));
    if !found {
        return false;
    }
    let Some((last, before)) = body.split_last() else { return false };
    match &last.kind {
        StatementKind::For { bound, body, .. } if is_point(&last.kind) && !allocates(body) => {
            !before.iter().all(|statement| may_repeat(&statement.kind, bound)) || has_own_loops(body)
        }
        _ => true,
    }
}

/// What an iteration declares, its counter and those of its loops.
fn declared_with(body: &[Statement], counter: Var) -> BTreeSet<Var> {
    let mut declared = super::copy::declared_in(body);
    declared.insert(counter);
    declared
}

/// How many points the longest parallel loop of an iteration has, of those that all iterations have alike and of its anti-diagonals; very many
/// where there are none of these.
fn longest(body: &[Statement], inner: &BTreeSet<Var>, diagonals: &[Exp], loops_take: i64) -> Option<Exp> {
    let mut sizes = diagonals.to_vec();
    let mut known = true;
    for_each_nest(body, &mut |bounds, point| match bounds.iter().all(|bound| is_size(bound, inner)) {
        true => {
            let times = if has_loops(point) { loops_take } else { 1 };
            let factors = bounds.iter().map(|bound| (*bound).clone());
            sizes.extend(factors.reduce(|x, y| bin(BinOp::Mul, I64, x, y)).map(|size| {
                match (times, constant(&size)) {
                    (1, _) => size,
                    (_, Some(size)) => Exp::i64(size.saturating_mul(times)),
                    _ => bin(BinOp::Mul, I64, size, Exp::i64(times)),
                }
            }));
        }
        false => known = false,
    });
    sizes.dedup();
    let larger = |x: Exp, y: Exp| match (constant(&x), constant(&y)) {
        (Some(x), Some(y)) => Exp::i64(x.max(y)),
        _ => bin(BinOp::Max, I64, x, y),
    };
    match sizes.into_iter().reduce(larger) {
        None if known => None,
        None => Some(Exp::i64(i64::MAX)),
        some => some,
    }
}

/// The bounds of parallel loops that have nothing but one another in them, outermost first; not of those inside.
fn for_each_nest<'s>(body: &'s [Statement], f: &mut dyn FnMut(&[&'s Exp], &'s [Statement])) {
    for statement in body {
        if is_point(&statement.kind) {
            let (mut bounds, mut at, mut point): (_, _, &[Statement]) = (Vec::new(), statement, &[]);
            while let StatementKind::For { bound, body, .. } = &at.kind
                && is_point(&at.kind)
            {
                bounds.push(bound);
                point = body;
                match body.as_slice() {
                    [only] => at = only,
                    _ => break,
                }
            }
            f(&bounds, point);
            continue;
        }
        match &statement.kind {
            StatementKind::For { body, .. } | StatementKind::While { body, .. } => for_each_nest(body, f),
            StatementKind::If { then, otherwise, .. } => {
                for_each_nest(then, f);
                for_each_nest(otherwise, f);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_have_as_many_threads_as_a_constant_number_of_points_fills() {
        let threads = |points| USUAL.for_points(&Exp::i64(points)).threads;
        let expected = [(0, 128), (100, 128), (128, 128), (129, 160), (256, 256), (257, 160), (1000, 256)];
        assert_eq!(expected.map(|(points, _)| (points, threads(points))), expected);
        assert_eq!(threads(i64::MAX), USUAL.threads);
        assert_eq!(SMALL.for_points(&Exp::i64(257)).threads, SMALL.threads);
    }
}
