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
use imp::ir::{Exp, ImpType, LoopKind, Procedure, Program, Statement, StatementKind};
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
        let mut filling = Filling::of(procedure, sizes, b);
        filling.statements(&mut procedure.body, false);
        b = filling.b;
    }
    program
}

struct Filling {
    sizes: Sizes,
    /// The bytes of the elements of views.
    widths: BTreeMap<Var, u32>,
    /// Which blocks differ, at the parallel loops that stand in no other.
    blocks: BTreeMap<Var, Known>,
    /// The counter of the one that the walk is in.
    around: Option<Var>,
    b: Builder,
}

impl Filling {
    fn of(procedure: &Procedure, sizes: Sizes, b: Builder) -> Filling {
        let (mut widths, mut counters) = (BTreeMap::new(), BTreeSet::new());
        for_each_statement(&procedure.body, &mut |statement| match &statement.kind {
            StatementKind::View { var, elem, .. } => _ = widths.insert(*var, elem.bytes()),
            StatementKind::For { var, kind, .. } if kind.is_parallel() => _ = counters.insert(*var),
            _ => {}
        });
        Filling { sizes, widths, blocks: at_loops(procedure, &counters), around: None, b }
    }

    /// Fills the vectors of a list; `inside`: it stands in a loop.
    fn statements(&mut self, list: &mut [Statement], inside: bool) {
        for statement in list {
            let around = self.around;
            if let StatementKind::For { var, kind, .. } = &statement.kind
                && kind.is_parallel()
            {
                self.around = around.or(Some(*var));
            }
            let is_loop = matches!(statement.kind, StatementKind::For { .. } | StatementKind::While { .. });
            statement.kind.for_each_body_mut(&mut |body| self.statements(body, inside || is_loop));
            if inside && let Some(elements) = self.elements(statement) {
                self.write(statement, elements);
            }
            self.around = around;
        }
    }

    /// The logarithm of how many elements fill a vector, where a loop can have the last one overlap.
    fn elements(&self, statement: &Statement) -> Option<i64> {
        let StatementKind::For { ty: I64, bound, kind: LoopKind::Simd, body, .. } = &statement.kind else {
            return None;
        };
        if count(body) > MOST_STATEMENTS || bound.reads() || can_fail(bound) {
            return None;
        }
        let known = self.blocks.get(&self.around?)?;
        let (mut read, mut written, mut again) = (BTreeSet::new(), BTreeSet::new(), true);
        for_each_statement(body, &mut |inner| {
            inner.kind.for_each_exp(&mut |exp| {
                again &= !can_fail(exp);
                exp.for_each_read(&mut |view, _| _ = read.insert(view));
            });
            match &inner.kind {
                StatementKind::Write { view, .. } => _ = written.insert(*view),
                StatementKind::Let { .. }
                | StatementKind::Declare { ty: ImpType::Prim(_), .. }
                | StatementKind::Assign { .. }
                | StatementKind::If { .. } => {}
                _ => again = false,
            }
        });
        again &= written.iter().all(|to| read.iter().all(|from| known.are_different(*from, *to)));
        let bytes = read.union(&written).filter_map(|view| self.widths.get(view)).min().copied()?;
        if !again || written.is_empty() || bytes > self.sizes.widest {
            return None;
        }
        let elements = (self.sizes.log_bytes - i64::from(bytes.ilog2())).min(self.sizes.log_elements);
        // whether a constant number fills vectors backends see
        let whole = constant(bound).is_some_and(|bound| bound & ((1 << elements) - 1) == 0);
        (elements > 0 && !whole).then_some(elements)
    }

    /// Puts vectors and the choice in place of a loop.
    fn write(&mut self, statement: &mut Statement, log_elements: i64) {
        let StatementKind::For { var, bound, body, .. } = &statement.kind else { return };
        let elements = Exp::i64(1 << log_elements);
        let b = &mut self.b;
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
