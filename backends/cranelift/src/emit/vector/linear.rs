//! Numbers that grow evenly from iteration to iteration, and the cells that they are the indices of.

use super::super::view::{Number, ViewPlace};
use super::super::{Emit, Emitter};
use super::lane::{Lane, Lanes};
use crate::CompileError;
use cranelift_codegen::ir::{InstBuilder, Value};
use fun_base::prim::{BinOp, PrimType};
use imp::ir::Exp;

/// `base + constant + step * i` in iteration i.
#[derive(Clone, Debug)]
pub(super) struct Affine {
    pub(super) base: Option<Value>,
    pub(super) constant: i64,
    pub(super) step: Number,
}

/// Cells of successive iterations.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub(super) elem: PrimType,
    /// The address for iteration 0, without the constant.
    pub(super) base: Value,
    pub(super) constant: i64,
    /// Bytes from iteration to iteration.
    pub(super) step: Number,
}

impl Emitter<'_, '_> {
    /// A sum, difference or product that grows evenly; of clamps the operand that does, since that one is taken in these iterations.
    pub(super) fn affine(&mut self, op: BinOp, x: &Lane, y: &Lane) -> Option<Affine> {
        let constant = |constant| Affine { base: None, constant, step: Number::Const(0) };
        let of = |lane: &Lane| match lane {
            Lane::Const(value) => value.as_i64().map(constant),
            Lane::Uniform(value) => Some(Affine { base: Some(*value), ..constant(0) }),
            Lane::Affine(affine) => Some(affine.clone()),
            Lane::Vector(_) | Lane::Extended(_) | Lane::Mask(..) => None,
        };
        let (a, b) = (of(x)?, of(y)?);
        let grows = |lane: &Lane| matches!(lane, Lane::Affine(_));
        match op {
            BinOp::Add | BinOp::Sub => {
                let sub = op == BinOp::Sub;
                let join = |e: &mut Self, a: Option<Value>, b: Option<Value>| match (a, b) {
                    (a, None) => a,
                    (None, Some(b)) => Some(if sub { e.b.ins().ineg(b) } else { b }),
                    (Some(a), Some(b)) => Some(if sub { e.b.ins().isub(a, b) } else { e.b.ins().iadd(a, b) }),
                };
                let constant = match sub {
                    true => a.constant.wrapping_sub(b.constant),
                    false => a.constant.wrapping_add(b.constant),
                };
                let step = match (a.step, b.step) {
                    (Number::Const(a), Number::Const(b)) => {
                        Number::Const(if sub { a.wrapping_sub(b) } else { a.wrapping_add(b) })
                    }
                    (a, b) => {
                        let (a, b) = (self.number(a), self.number(b));
                        Number::Value(if sub { self.b.ins().isub(a, b) } else { self.b.ins().iadd(a, b) })
                    }
                };
                Some(Affine { base: join(self, a.base, b.base), constant, step })
            }
            BinOp::Mul if grows(x) != grows(y) => {
                let (a, factor) = if grows(x) { (a, b) } else { (b, a) };
                let factor = match factor.base {
                    Some(value) => Number::Value(value),
                    None => Number::Const(factor.constant),
                };
                let step = self.scale(a.step, factor);
                let constant = self.scale(Number::Const(a.constant), factor);
                let mut base = a.base.map(|base| self.scale(Number::Value(base), factor));
                let mut rest = 0;
                match constant {
                    Number::Const(n) => rest = n,
                    Number::Value(value) => {
                        base = Some(match base {
                            Some(base) => {
                                let base = self.number(base);
                                Number::Value(self.b.ins().iadd(base, value))
                            }
                            None => Number::Value(value),
                        });
                    }
                }
                let base = base.map(|base| self.number(base));
                Some(Affine { base, constant: rest, step })
            }
            BinOp::Min | BinOp::Max => match (x, y) {
                (Lane::Affine(a), Lane::Const(_) | Lane::Uniform(_))
                | (Lane::Const(_) | Lane::Uniform(_), Lane::Affine(a))
                    if matches!(a.step, Number::Const(1)) =>
                {
                    Some(a.clone())
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The scalar value of what grows evenly, in the first lane.
    pub(super) fn first_lane(&mut self, lanes: &Lanes, affine: &Affine) -> Value {
        let mut constant = affine.constant;
        let mut sum = affine.base;
        if let Number::Const(step) = affine.step {
            constant = constant.wrapping_add(step.wrapping_mul(lanes.first));
        }
        let growth = match (lanes.from, affine.step) {
            (Some(from), step) => Some(self.scale(Number::Value(from), step)),
            (None, _) => None,
        };
        if let Some(growth) = growth {
            let growth = self.number(growth);
            sum = Some(match sum {
                Some(sum) => self.b.ins().iadd(sum, growth),
                None => growth,
            });
        }
        match sum {
            None => self.i64(constant),
            Some(sum) if constant == 0 => sum,
            Some(sum) => self.b.ins().iadd_imm_s(sum, constant),
        }
    }

    /// Cells of successive iterations, from indices that grow evenly.
    pub(super) fn lane_access(&mut self, lanes: &Lanes, view: &ViewPlace, indices: &[Exp]) -> Emit<Access> {
        self.check_rank(view, indices.len())?;
        let (mut base, mut constant, mut step) = (view.base, 0i64, Number::Const(0));
        for (index, dim) in indices.iter().zip(&view.dims) {
            let mut add = |e: &mut Self, number: Number| match e.scale(number, dim.stride) {
                Number::Const(n) => constant = constant.wrapping_add(n),
                Number::Value(value) => base = e.b.ins().iadd(base, value),
            };
            match self.lane(lanes, index)? {
                Lane::Const(value) => add(self, Number::Const(value.bits() as i64)),
                Lane::Uniform(value) => {
                    let parts = self.constant_part(value);
                    let parts = parts.filter(|_| matches!(dim.stride, Number::Const(_)));
                    let (rest, known) = parts.unwrap_or((value, 0));
                    add(self, Number::Value(rest));
                    add(self, Number::Const(known));
                }
                Lane::Affine(affine) => {
                    if let Some(value) = affine.base {
                        add(self, Number::Value(value));
                    }
                    add(self, Number::Const(affine.constant));
                    let by = self.scale(affine.step, dim.stride);
                    step = match (step, by) {
                        (Number::Const(x), Number::Const(y)) => Number::Const(x.wrapping_add(y)),
                        (x, y) => {
                            let (x, y) = (self.number(x), self.number(y));
                            Number::Value(self.b.ins().iadd(x, y))
                        }
                    };
                }
                Lane::Vector(_) | Lane::Extended(_) | Lane::Mask(..) => {
                    return Err(CompileError::new("invariant: indices grow evenly"));
                }
            }
        }
        Ok(Access { elem: view.elem, base, constant, step })
    }
}
