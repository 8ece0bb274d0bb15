//! Rows of small elements are whole vectors, of which the last one overlaps the one before it.
//!
//! ```text
//! for i < n par { for j < m simd { y[i, j] := add.u8(x[i, j], 1) } }
//! ```
//! becomes
//! ```text
//! for i < n par {
//!   if le.i64(64, m) {
//!     for k < shr.i64(m, 6) seq { let first = mul.i64(k, 64)   for l < 64 simd { let j = add.i64(first, l) … } }
//!     if gt.i64(and.i64(m, 63), 0) { let last = sub.i64(m, 64)   for l < 64 simd { let j = add.i64(last, l) … } }
//!   } else { … as before }
//! }
//! ```
//! A vector has up to 64 bytes, so what is left of a row may be as many elements, one by one, as take longer than the row. Here they are computed together with some that
//! are there already.
//!
//! Legal where an iteration that runs again does the same: it cannot fail, and reads no block that the loop writes. Iterations of one loop over lanes are still different ones, so
//! they stay independent (I6). Done for loops in loops whose smallest elements have one or two bytes: of wider ones fewer are left, and GCC has vectors of half the size for these.
//!
//! Requires and ensures I1–I10. Cost: linear in the size of the program; a loop of at most 60 statements is written three times.

use super::copy::{can_fail, constant, count, fresh, replace};
use super::different_blocks::{Known, at_loops};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use imp::build::{Builder, add, bin, mul, sub};
use imp::ir::{Exp, ImpType, LoopKind, Program, Statement, StatementKind};
use imp::visit::{for_each_statement, names_after};
use std::collections::{BTreeMap, BTreeSet};

const I64: PrimType = PrimType::I64;
/// Statements of a body that is written three times.
const MOST_STATEMENTS: usize = 60;

/// Of what size vectors are.
#[derive(Clone, Copy)]
struct Sizes {
    /// The bytes of a vector, as a power of two, and the most elements that it has.
    log_bytes: i64,
    log_elements: i64,
    /// The bytes of the elements for which it is done, at most.
    widest: u32,
}

const USUAL: Sizes = Sizes { log_bytes: 6, log_elements: 6, widest: 2 };
/// Rows of small test programs have several vectors of two elements.
const SMALL: Sizes = Sizes { log_bytes: 4, log_elements: 1, widest: 8 };

/// Fills the vectors of a program.
pub fn run(program: Program) -> Program {
    fill(program, USUAL)
}

/// The same with vectors of two elements of any type.
pub fn run_small(program: Program) -> Program {
    fill(program, SMALL)
}

fn fill(mut program: Program, sizes: Sizes) -> Program {
    let mut b = Builder::new(names_after(&program));
    for procedure in &mut program.procedures {
        let mut widths = BTreeMap::new();
        for_each_statement(&procedure.body, &mut |statement| {
            if let StatementKind::View { var, elem, .. } = &statement.kind {
                widths.insert(*var, elem.bytes());
            }
        });
        // (which blocks differ takes long to find out, and few procedures have such rows)
        let mut counters = BTreeSet::new();
        each_row(&mut procedure.body, None, false, &mut |around, statement| {
            counters.extend(Row::of(statement, &widths, sizes).map(|_| around));
        });
        if counters.is_empty() {
            continue;
        }
        let blocks = at_loops(procedure, &counters);
        each_row(&mut procedure.body, None, false, &mut |around, statement| {
            if let Some(row) = Row::of(statement, &widths, sizes)
                && blocks.get(&around).is_some_and(|known| row.runs_again(known))
            {
                write(statement, row.log_elements, &mut b);
            }
        });
    }
    program
}

/// Calls `f` on the statements in loops, inner ones first, with the counter of the parallel loop around them, or that they are, which stands in no other.
fn each_row(
    list: &mut [Statement],
    around: Option<Var>,
    inside: bool,
    f: &mut dyn FnMut(Var, &mut Statement),
) {
    for statement in list {
        let own = match &statement.kind {
            StatementKind::For { var, kind, .. } if kind.is_parallel() => Some(*var),
            _ => None,
        };
        let around = around.or(own);
        let is_loop = matches!(statement.kind, StatementKind::For { .. } | StatementKind::While { .. });
        statement.kind.for_each_body_mut(&mut |body| each_row(body, around, inside || is_loop, f));
        if let Some(around) = around.filter(|_| inside) {
            f(around, statement);
        }
    }
}

/// A loop over small elements, which cannot fail.
struct Row {
    /// The views that it reads, and those that it writes.
    read: BTreeSet<Var>,
    written: BTreeSet<Var>,
    /// How many elements fill a vector, as a power of two.
    log_elements: i64,
}

impl Row {
    /// The loop that a statement is; `widths`: the bytes of the elements of views.
    fn of(statement: &Statement, widths: &BTreeMap<Var, u32>, sizes: Sizes) -> Option<Row> {
        let StatementKind::For { ty: I64, bound, kind: LoopKind::Simd, body, .. } = &statement.kind else {
            return None;
        };
        if count(body) > MOST_STATEMENTS || bound.reads() || can_fail(bound) {
            return None;
        }
        let (mut read, mut written, mut plain) = (BTreeSet::new(), BTreeSet::new(), true);
        for_each_statement(body, &mut |inner| {
            inner.kind.for_each_exp(&mut |exp| {
                plain &= !can_fail(exp);
                exp.for_each_read(&mut |view, _| _ = read.insert(view));
            });
            match &inner.kind {
                StatementKind::Write { view, .. } => _ = written.insert(*view),
                StatementKind::Let { .. }
                | StatementKind::Declare { ty: ImpType::Prim(_), .. }
                | StatementKind::Assign { .. }
                | StatementKind::If { .. } => {}
                _ => plain = false,
            }
        });
        let bytes = read.union(&written).filter_map(|view| widths.get(view)).min().copied()?;
        if !plain || written.is_empty() || bytes > sizes.widest {
            return None;
        }
        let log_elements = (sizes.log_bytes - i64::from(bytes.ilog2())).min(sizes.log_elements);
        // whether a constant number fills vectors backends see
        let whole = constant(bound).is_some_and(|bound| bound & ((1 << log_elements) - 1) == 0);
        (log_elements > 0 && !whole).then_some(Row { read, written, log_elements })
    }

    /// Whether iterations that run again do the same.
    fn runs_again(&self, known: &Known) -> bool {
        self.written.iter().all(|to| self.read.iter().all(|from| known.are_different(*from, *to)))
    }
}

/// Puts vectors and the choice in place of a loop.
fn write(statement: &mut Statement, log_elements: i64, b: &mut Builder) {
    let StatementKind::For { var, bound, body, .. } = &statement.kind else { return };
    let elements = Exp::i64(1 << log_elements);
    let outer = b.begin();
    b.loc = statement.loc;
    let (then, ()) = b.nested(|b| {
        let vectors = bin(BinOp::Shr, I64, bound.clone(), Exp::i64(log_elements));
        b.for_("k", vectors, LoopKind::Seq, |b, k| {
            let first = b.let_("first", I64, mul(k, elements.clone()));
            vector(*var, first, elements.clone(), body, b);
        });
        let rest = bin(BinOp::And, I64, bound.clone(), Exp::i64((1 << log_elements) - 1));
        b.when(bin(BinOp::Gt, I64, rest, Exp::i64(0)), |b| {
            let last = b.let_("last", I64, sub(bound.clone(), elements.clone()));
            vector(*var, last, elements.clone(), body, b);
        });
    });
    b.end(outer);
    let condition = bin(BinOp::Le, I64, elements, bound.clone());
    let otherwise = vec![statement.clone()];
    statement.kind = StatementKind::If { condition, then, otherwise };
}

/// The iterations from one on that fill a vector.
fn vector(counter: Var, first: Var, elements: Exp, body: &[Statement], b: &mut Builder) {
    b.for_("l", elements, LoopKind::Simd, |b, l| {
        let index = b.let_(counter.text, I64, add(first, l));
        let mut body = fresh(body, &mut b.names);
        replace(&mut body, counter, index);
        b.push_all(body);
    });
}
