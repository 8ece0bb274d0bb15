//! Scans of integers by one operator (I16): prefixes of lanes.
//!
//! A vector `x0 x1 x2 x3` is combined with itself moved by one lane, then by two: `x0 x01 x012 x0123`. Neutral elements come in from below. Each of these
//! is combined with the old value, which is in all lanes; the new one is that combined with the last prefix, so vectors wait for one another no longer
//! than for one operator.

use super::super::{Emit, Emitter};
use super::lane::{Lane, Lanes, vector_type};
use super::plan::NARROW;
use crate::CompileError;
use cranelift_codegen::ir::InstBuilder;
use cranelift_frontend::Variable;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue};
use imp::ir::{Exp, Statement};
use imp::prefix::{Prefix, neutral};

/// What a loop in vectors scans.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scanned<'p> {
    pub(super) acc: Var,
    pub(super) op: BinOp,
    pub(super) ty: PrimType,
    pub(super) value: &'p Exp,
    pub(super) named: Option<Var>,
    neutral: PrimValue,
}

impl<'p> Scanned<'p> {
    /// What the body of a `scan` loop has to be for that.
    pub(super) fn of(body: &'p [Statement]) -> Option<Scanned<'p>> {
        let Prefix { acc, op, ty, value, named, .. } = Prefix::of(body)?;
        Some(Scanned { acc, op, ty, value, named, neutral: neutral(op, ty)? })
    }
}

impl Emitter<'_, '_> {
    /// A variable with the old value in all lanes.
    pub(super) fn begin_scan(&mut self, scanned: &Scanned<'_>) -> Emit<Variable> {
        let old = self.use_var(scanned.acc)?;
        let vector = vector_type(scanned.ty, NARROW)?;
        let old = self.b.ins().splat(vector, old);
        let total = self.b.declare_var(vector);
        self.b.def_var(total, old);
        Ok(total)
    }

    /// Leaves the new value where the rest of the iterations find it.
    pub(super) fn end_scan(&mut self, scanned: &Scanned<'_>, total: Variable) -> Emit {
        let total = self.b.use_var(total);
        let total = self.b.ins().extractlane(total, 0);
        self.assign(scanned.acc, total)
    }

    /// The new values of some iterations.
    pub(super) fn scan(&mut self, lanes: &Lanes, scanned: &Scanned<'_>) -> Emit<Lane> {
        let (op, ty) = (scanned.op, scanned.ty);
        let total = lanes.total.ok_or_else(|| CompileError::new("invariant: a scan has a total"))?;
        let value = self.lane(lanes, scanned.value)?;
        let vector = vector_type(ty, NARROW)?;
        let neutral = self.splat_bits(vector, scanned.neutral.bits());
        let bytes = ty.bytes() as u8;
        let mut values = Vec::new();
        for mut part in self.vectors(lanes, ty, value)? {
            let mut by = bytes;
            while i64::from(by) < NARROW {
                let moved = self.shuffled(vector, neutral, part, std::array::from_fn(|k| 16 - by + k as u8));
                part = self.vector_binary(op, ty, part, moved)?;
                by *= 2;
            }
            let last = std::array::from_fn(|k| 16 - bytes + k as u8 % bytes);
            let last = self.shuffled(vector, part, part, last);
            let old = self.b.use_var(total);
            values.push(self.vector_binary(op, ty, part, old)?);
            let new = self.vector_binary(op, ty, old, last)?;
            self.b.def_var(total, new);
        }
        Ok(Lane::Vector(values))
    }
}
