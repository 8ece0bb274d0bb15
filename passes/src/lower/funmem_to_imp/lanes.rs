//! Reductions by a commutative operator that combines several values at once, such as the least with its index, in lanes: each has accumulators of
//! its own, so that none waits for another and compilers use vectors.
//!
//! ```text
//! var done : i64 = 0
//! if ge.i64(n, 128) {
//!   let rounds = quot.i64(n, 64)
//!   … an array of 64 cells in the stack frame for each accumulator, which begin with the neutral element …
//!   for r < rounds seq { for l < 64 simd { lanes[l] := op(lanes[l], value at r * 64 + l) } }
//!   for l < 32 simd { lanes[l] := op(lanes[l], lanes[l + 32]) }                                  and for 16 and 8
//!   for l < 8 seq { acc := op(acc, lanes[l]) }
//!   done := mul.i64(rounds, 64)
//! }
//! for k < sub.i64(n, done) fold { acc := op(acc, value at done + k) }
//! ```
//! Lane `l` has every 64th value, so the operator must be declared to commute (`reduce_comm`): of floats no compiler can tell, as comparisons with NaN
//! are all false. Values are simple and read neighbouring cells, or lanes would be no vectors. How they are grouped depends on their number alone.
//! Where each result is combined by an operator of its own, `split-folds` does the same to the loop, knowing that operator's neutral element.
//! Outside of parallel loops only: of many reductions, which may be short, `spread-lanes` has one in each lane.

use super::Lowerer;
use super::blocks::{Fold, types};
use super::kernel::{Accumulators, Operator};
use crate::fun::{is_commutative, operator_may_fail};
use fun::ir::Atom;
use fun::visit::is_scalar_step;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use funmem::ir::{Body, Exp as FunExp};
use imp::build::{bin, read};
use imp::ir::{Exp, ImpType, LoopKind, Space, StatementKind};
use std::collections::BTreeMap;

const I64: PrimType = PrimType::I64;

/// Values of neighbouring lanes lie at most so many cells apart: small vectors side by side, as those of points.
const MOST_APART: i64 = 8;

/// How reductions run in lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lanes {
    /// How many there are, a power of two.
    count: i64,
    /// With fewer values for each than that it is not worth it.
    rounds: i64,
    /// As many are combined one after the other at the end, a power of two.
    few: i64,
}

/// What machines want: several vectors of each accumulator, of any width.
pub(super) const USUAL: Lanes = Lanes { count: 64, rounds: 2, few: 8 };
/// What small test programs come to.
pub(super) const SMALL: Lanes = Lanes { count: 2, rounds: 1, few: 1 };

impl Lowerer {
    /// Combines `count` values from the one at `start` on into accumulators; in lanes if there are some.
    pub(super) fn reduce_values(
        &mut self,
        fold: &Fold,
        lanes: Option<Lanes>,
        accumulators: &Accumulators,
        start: Exp,
        count: Exp,
    ) {
        let done = lanes.map(|lanes| self.take_rounds(fold, lanes, accumulators, &start, &count));
        let (start, left) = match done {
            Some(done) => (bin(BinOp::Add, I64, start, done), bin(BinOp::Sub, I64, count, done)),
            None => (start, count),
        };
        self.in_loop("k", left, LoopKind::Fold, |this, k| {
            this.counted(fold.last.0, bin(BinOp::Add, I64, start, k));
            this.step(accumulators, fold.op, fold.body);
        });
    }

    /// The counter of a value, whose number this is.
    pub(super) fn counted(&mut self, counter: Var, value: Exp) -> Var {
        let var = self.bind(counter);
        self.b.push(StatementKind::Let { var, ty: I64, value });
        var
    }

    /// Combines as many values as fill all lanes, if they are enough, and gives how many these are.
    fn take_rounds(
        &mut self,
        fold: &Fold,
        lanes: Lanes,
        accumulators: &Accumulators,
        start: &Exp,
        count: &Exp,
    ) -> Var {
        let width = Exp::i64(lanes.count);
        let done = self.b.declare("done", ImpType::Prim(I64), Some(Exp::i64(0)));
        let enough = bin(BinOp::Ge, I64, count.clone(), Exp::i64(lanes.count * lanes.rounds));
        self.when(enough, |this| {
            let rounds = this.b.let_("rounds", I64, bin(BinOp::Quot, I64, count.clone(), width.clone()));
            let place = Lmad::row_major(Poly::constant(0), &[Poly::constant(lanes.count)]);
            let mut cells = Vec::new();
            let mut blocks = Vec::new();
            for ty in types(fold.op.lambda) {
                let block = this.b.alloc("lanes_mem", ty, vec![width.clone()], Space::Stack);
                cells.push((this.b.view("lanes", ty, block, place.clone()), ty));
                blocks.push(block);
            }
            this.in_loop("l", width.clone(), LoopKind::Simd, |this, l| {
                for ((view, _), neutral) in cells.iter().zip(fold.op.neutral) {
                    let neutral = this.exp(*neutral);
                    this.b.write(*view, vec![l.into()], neutral);
                }
            });
            this.in_loop("r", rounds.into(), LoopKind::Seq, |this, r| {
                this.in_loop("l", width.clone(), LoopKind::Simd, |this, l| {
                    let of_round = bin(BinOp::Add, I64, bin(BinOp::Mul, I64, r, width.clone()), l);
                    this.counted(fold.last.0, bin(BinOp::Add, I64, start.clone(), of_round));
                    this.body(fold.body, |this, results| {
                        let values: Vec<Atom> = results.iter().map(|result| this.atom(*result)).collect();
                        this.combine_lane(fold.op, &cells, l, &values);
                    });
                });
            });
            let mut half = lanes.count / 2;
            while half >= lanes.few {
                this.in_loop("l", Exp::i64(half), LoopKind::Simd, |this, l| {
                    let others = this.lane(&cells, bin(BinOp::Add, I64, l, Exp::i64(half)));
                    this.combine_lane(fold.op, &cells, l, &others);
                });
                half /= 2;
            }
            this.in_loop("l", Exp::i64(lanes.few), LoopKind::Seq, |this, l| {
                let values = this.lane(&cells, l.into());
                this.combine(accumulators, fold.op, &values);
            });
            blocks.iter().for_each(|block| this.b.push(StatementKind::Free(*block)));
            this.b.assign(done, bin(BinOp::Mul, I64, rounds, width.clone()));
        });
        done
    }

    /// What a lane has.
    fn lane(&mut self, cells: &[(Var, PrimType)], at: Exp) -> Vec<Atom> {
        let value =
            |(view, ty): &(Var, PrimType)| Atom::Var(self.b.let_("lane", *ty, read(*view, vec![at.clone()])));
        cells.iter().map(value).collect()
    }

    /// A lane has these values in addition.
    fn combine_lane(&mut self, op: &Operator, cells: &[(Var, PrimType)], l: Var, values: &[Atom]) {
        let old = self.lane(cells, l.into());
        self.apply(op, &old, values, |this, sums| {
            for ((view, _), sum) in cells.iter().zip(sums) {
                let sum = this.exp(*sum);
                this.b.write(*view, vec![l.into()], sum);
            }
        });
    }

    /// The lanes of a reduction, where these are vectors.
    pub(super) fn lanes_of(&self, fold: &Fold) -> Option<Lanes> {
        let lanes = self.lanes?;
        let op = fold.op.lambda;
        let joint = fold.commutative && !is_commutative(op) && !types(op).contains(&PrimType::Unit);
        if self.parallel || !joint || !is_simple(&op.body, false) || !is_simple(fold.body, true) {
            return None;
        }
        self.reads_neighbours(fold).then_some(lanes)
    }

    /// Whether all that values are computed from lies next to that of the value before, or is the same.
    fn reads_neighbours(&self, fold: &Fold) -> bool {
        // how much greater numbers are than for the value before, if that is a constant
        let mut known = BTreeMap::from([(fold.last.0, Some(1))]);
        fold.body.statements.iter().all(|statement| {
            let of = |atom: &Atom| match atom {
                Atom::Const(_) => Some(0i64),
                Atom::Var(var) => known.get(var).copied().unwrap_or(Some(0)),
            };
            let (step, fits) = match &statement.exp {
                FunExp::Atom(atom) => (of(atom), true),
                FunExp::Bin(BinOp::Add, I64, x, y) => {
                    (of(x).zip(of(y)).and_then(|(x, y)| x.checked_add(y)), true)
                }
                FunExp::Bin(BinOp::Sub, I64, x, y) => {
                    (of(x).zip(of(y)).and_then(|(x, y)| x.checked_sub(y)), true)
                }
                FunExp::Index { array, indices } => {
                    let mut dims = self.array(*array).lmad.dims.iter().zip(indices);
                    let address = dims.try_fold(0i64, |sum, (dim, index)| match of(index)? {
                        0 => Some(sum),
                        step => sum.checked_add(step.checked_mul(dim.stride.as_constant()?)?),
                    });
                    (address.filter(|step| *step == 0), address.is_some_and(|step| step.abs() <= MOST_APART))
                }
                _ => (None, true),
            };
            known.extend(statement.pattern.iter().map(|binder| (binder.var, step)));
            fits
        })
    }
}

/// Whether a body is scalars alone that can't stop the program, and branches between such; whether it may read.
fn is_simple(body: &Body, reads: bool) -> bool {
    body.statements.iter().all(|statement| match &statement.exp {
        FunExp::Bin(op, ty, _, right) => !operator_may_fail(*op, *ty, *right),
        FunExp::Index { .. } => reads,
        FunExp::If { condition: _, then, otherwise } => is_simple(then, false) && is_simple(otherwise, false),
        exp => is_scalar_step(exp),
    })
}
