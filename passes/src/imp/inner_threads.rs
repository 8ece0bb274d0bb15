//! Threads for the inner loops of a nest whose outer loop has too few iterations for them.
//!
//! ```text
//! for i < n par {
//!   view row : f32 @ a -> i * m + {(m : 1)}
//!   for j < m simd { row[j] := mul.f32(row[j], 2) }
//! }
//! ```
//! becomes
//! ```text
//! let long = ge.f64(mul.f64(convert.f64.i64(m), …), 100000)
//! let few = lt.i64(n, mul.i64(threads, 4))
//! if and.bool(long, few) {
//!   for i < n seq {
//!     view row : f32 @ a -> i * m + {(m : 1)}
//!     for j < m par { row[j] := mul.f32(row[j], 2) }
//!   }
//! } else { … the loop as before }
//! ```
//! (Two versions of a nest, one for the parallelism outside and one for that inside, chosen by sizes: Henriksen et al., PPoPP 2019.) One row on two
//! threads is otherwise the work of one of them, and three rows that of two rows.
//!
//! Legal wherever the inner loops are parallel: iterations of the outer one are independent (I6), so in order is one of the ways to run them, and `simd`
//! loops promise what `par` ones do. Done where all that may take long in an iteration are such loops, whose bounds are known before the outer one, are not its own, and which take
//! 100 microseconds each by estimate (`shares.rs`). Other loops, calls or copies beside them would run on one thread alone, so such nests stay.
//!
//! A reduction by operators with a neutral element is such a loop too, cut into a fixed number of chunks, while it is a `fold` loop: so nests that have some are taken
//! before `split-folds` (`run_on_folds`), and others at the end, when loops have the form that backends see. What sums of floats give depends on how they are cut: for them, *few* are
//! fewer than 16, whatever the number of threads.
//!
//! Requires and ensures I1–I10. Cost: linear in the size of the program; a loop of at most 150 statements is written twice.

mod shares;

use super::copy::{self, constant, declared_in, fresh, replace};
use super::split_folds::Accumulator;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use imp::build::{Builder, bin, mul, read};
use imp::ir::{Exp, ImpType, LoopKind, Program, Space, Statement, StatementKind};
use imp::visit::names_after;
use shares::{Nest, Shares, Task};

/// When threads take inner loops.
#[derive(Clone, Copy)]
struct Sizes {
    /// Outer iterations for each thread that are enough for threads.
    each: i64,
    /// And in all, where the way that threads take shows in the values of floats.
    fixed: i64,
    /// Nanoseconds, by estimate, from which on an inner loop is worth threads even where others run between.
    long: f64,
    /// Into how many parts a reduction is cut. A fixed number: what a reduction of floats gives must not depend on the machine.
    chunks: i64,
}

/// With four iterations for each thread, the last ones keep all but a few threads waiting for a quarter of the time at most.
const USUAL: Sizes = Sizes { each: 4, fixed: 16, long: 100_000.0, chunks: 64 };
/// What small test programs come to: one and two iterations.
const SMALL: Sizes = Sizes { each: 3, fixed: 3, long: 0.0, chunks: 3 };

/// Statements of a body that is written twice.
const MOST_STATEMENTS: usize = 150;

/// The nests without reductions inside.
pub fn run(program: Program) -> Program {
    take(program, USUAL, false)
}

/// The nests with reductions inside, which are `fold` loops.
pub fn run_on_folds(program: Program) -> Program {
    take(program, USUAL, true)
}

/// The nests without reductions inside, whatever their sizes, for one or two iterations on one thread.
pub fn run_small(program: Program) -> Program {
    take(program, SMALL, false)
}

/// The nests with reductions inside, whatever their sizes, for one or two iterations.
pub fn run_on_folds_small(program: Program) -> Program {
    take(program, SMALL, true)
}

fn take(mut program: Program, sizes: Sizes, folds: bool) -> Program {
    let mut b = Builder::new(names_after(&program));
    for procedure in &mut program.procedures {
        statements(&mut procedure.body, sizes, folds, &mut b);
    }
    program
}

fn statements(list: &mut Vec<Statement>, sizes: Sizes, folds: bool, b: &mut Builder) {
    let mut done = Vec::with_capacity(list.len());
    for mut statement in std::mem::take(list) {
        let is_parallel = matches!(statement.kind, StatementKind::For { kind, .. } if kind.is_parallel());
        if !is_parallel {
            statement.kind.for_each_body_mut(&mut |body| statements(body, sizes, folds, b));
        }
        let outer = b.begin();
        b.loc = statement.loc;
        let taken = versions(&statement, sizes, folds, b);
        let new = b.end(outer);
        match taken {
            Some(()) => done.extend(new),
            None => done.push(statement),
        }
    }
    *list = done;
}

/// Adds both versions of a nest and the choice; adds nothing where it stays.
fn versions(statement: &Statement, sizes: Sizes, folds: bool, b: &mut Builder) -> Option<()> {
    let i64 = PrimType::I64;
    let StatementKind::For { var, ty: PrimType::I64, bound, kind: LoopKind::Par, body } = &statement.kind
    else {
        return None;
    };
    if constant(bound).is_some_and(|count| count >= sizes.fixed) || copy::count(body) > MOST_STATEMENTS {
        return None;
    }
    let nest = |counter: Var, body: &[Statement]| Nest {
        bound,
        declared: declared_in(body).into_iter().chain([counter]).collect(),
        long: sizes.long,
    };
    let shares = Shares::of(&nest(*var, body), body)?;
    if shares.folds != folds {
        return None;
    }
    let long = bin(BinOp::Ge, PrimType::F64, shares.cost, Exp::Const(PrimValue::F64(sizes.long)));
    let long = b.let_("long", PrimType::Bool, long);
    let limit = if shares.floats { Exp::i64(sizes.fixed) } else { mul(Exp::Threads, Exp::i64(sizes.each)) };
    let few = b.let_("few", PrimType::Bool, bin(BinOp::Lt, i64, bound.clone(), limit));
    let counter = b.names.fresh_like(*var);
    let mut inside = fresh(body, &mut b.names);
    replace(&mut inside, *var, counter);
    let copied = nest(counter, &inside);
    let inside = with_threads(inside, &copied, sizes.chunks, b);
    let in_order =
        StatementKind::For { var: counter, ty: i64, bound: bound.clone(), kind: LoopKind::Seq, body: inside };
    b.push(StatementKind::If {
        condition: bin(BinOp::And, PrimType::Bool, long, few),
        then: vec![Statement { kind: in_order, loc: statement.loc }],
        otherwise: vec![statement.clone()],
    });
    Some(())
}

/// The statements of an iteration, whose loops threads share.
fn with_threads(body: Vec<Statement>, nest: &Nest, chunks: i64, b: &mut Builder) -> Vec<Statement> {
    let mut done = Vec::with_capacity(body.len());
    for mut statement in body {
        match nest.task(&statement.kind) {
            Some(Task::Chunks(accumulators)) => {
                let outer = b.begin();
                b.loc = statement.loc;
                in_chunks(&statement.kind, &accumulators, chunks, b);
                done.extend(b.end(outer));
                continue;
            }
            Some(Task::Iterations) => {
                if let StatementKind::For { kind, .. } = &mut statement.kind {
                    *kind = LoopKind::Par;
                }
            }
            None => statement.kind.for_each_body_mut(&mut |inner| {
                *inner = with_threads(std::mem::take(inner), nest, chunks, b);
            }),
        }
        done.push(statement);
    }
    done
}

/// A reduction in chunks, whose results come together in order.
fn in_chunks(kind: &StatementKind, accumulators: &[Accumulator], chunks: i64, b: &mut Builder) {
    let i64 = PrimType::I64;
    let StatementKind::For { var, bound, body, .. } = kind else { return };
    let size = b.let_("size", i64, bound.clone());
    let rounded = bin(BinOp::Add, i64, size, Exp::i64(chunks - 1));
    let chunk = b.let_("chunk", i64, bin(BinOp::Quot, i64, rounded, Exp::i64(chunks)));
    let mut blocks = Vec::new();
    let mut partial = Vec::new();
    for accumulator in accumulators {
        let block = b.alloc("partial_mem", accumulator.ty, vec![Exp::i64(chunks)], Space::Stack);
        let place = Lmad::row_major(Poly::constant(0), &[Poly::constant(chunks)]);
        partial.push(b.view("partial", accumulator.ty, block, place));
        blocks.push(block);
    }
    b.for_("c", Exp::i64(chunks), LoopKind::Par, |b, c| {
        let start = b.let_("start", i64, mul(c, chunk));
        let left = bin(BinOp::Sub, i64, size, start);
        let count = b.let_("count", i64, bin(BinOp::Min, i64, left, chunk));
        let own: Vec<Var> = accumulators
            .iter()
            .map(|accumulator| {
                let neutral = Some(Exp::Const(accumulator.neutral));
                b.declare("acc", ImpType::Prim(accumulator.ty), neutral)
            })
            .collect();
        b.for_("t", count, LoopKind::Fold, |b, t| {
            let index = b.let_("i", i64, bin(BinOp::Add, i64, start, t));
            let mut body = fresh(body, &mut b.names);
            replace(&mut body, *var, index);
            for (accumulator, own) in accumulators.iter().zip(&own) {
                replace(&mut body, accumulator.var, *own);
            }
            b.push_all(body);
        });
        for (view, own) in partial.iter().zip(own) {
            b.write(*view, vec![c.into()], own);
        }
    });
    b.for_("c", Exp::i64(chunks), LoopKind::Seq, |b, c| {
        for (accumulator, view) in accumulators.iter().zip(&partial) {
            let part = b.let_("part", accumulator.ty, read(*view, vec![c.into()]));
            b.assign(accumulator.var, bin(accumulator.op, accumulator.ty, accumulator.var, part));
        }
    });
    blocks.into_iter().for_each(|block| b.push(StatementKind::Free(block)));
}
