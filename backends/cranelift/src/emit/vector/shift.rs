//! Shifts of lanes: by a constant, by one number for all, and by one for each.

use super::super::{Emit, Emitter};
use super::lane::vector_type;
use crate::wide::{hidden, hidden_pair};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use fun_base::prim::{BinOp, PrimType};

/// Whether there are shifts of lanes by a number that is known only when the program runs.
pub(super) fn by_any(op: BinOp, ty: PrimType) -> bool {
    let signed = op == BinOp::Shr && ty.is_signed();
    matches!(op, BinOp::Shl | BinOp::Shr | BinOp::ShrLogical) && ty.bits() > 8 && !(signed && ty.bits() == 64)
}

/// Whether there are shifts of each lane by a number of its own, in the vectors of the generator in `wide`.
pub(super) fn by_each(op: BinOp, ty: PrimType) -> bool {
    by_any(op, ty) && ty.bits() > 16
}

impl Emitter<'_, '_> {
    /// The lanes of a vector, each shifted by that of another: Cranelift's own shifts have no such counts, so opcodes stand for them that loops in these vectors do not have
    /// otherwise. By more bits than they have, nothing is left but the sign.
    pub(super) fn vector_shift_by_each(&mut self, op: BinOp, ty: PrimType, x: Value, counts: Value) -> Value {
        let (x, counts) = hidden_pair(&mut self.b, x, counts);
        match op {
            BinOp::Shl => self.b.ins().avg_round(x, counts),
            BinOp::Shr if ty.is_signed() => self.b.ins().sadd_sat(x, counts),
            _ => self.b.ins().usub_sat(x, counts),
        }
    }

    /// The lanes of a vector, shifted by a number of their type that is the same for all: by more bits than they have, nothing is left but the sign.
    pub(super) fn vector_shift_by_any(&mut self, op: BinOp, ty: PrimType, x: Value, count: Value) -> Value {
        let machine = self.b.func.dfg.value_type(count);
        let width = i64::from(ty.bits());
        if op == BinOp::Shr && ty.is_signed() {
            let inside = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, count, width - 1);
            let last = self.b.ins().iconst(machine, width - 1);
            let count = self.b.ins().select(inside, count, last);
            return self.shifted_in_range(op, ty, x, count);
        }
        let shifted = self.shifted_in_range(op, ty, x, count);
        let lanes = self.b.func.dfg.value_type(shifted);
        let (counts, most) = (self.b.ins().splat(lanes, count), self.splat_bits(lanes, width as u64 - 1));
        let bits = self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, counts, most);
        let (shifted, bits) = hidden_pair(&mut self.b, shifted, bits);
        self.b.ins().band(shifted, bits)
    }

    /// Lanes of more than 8 bits, shifted by fewer than they have.
    fn shifted_in_range(&mut self, op: BinOp, ty: PrimType, x: Value, count: Value) -> Value {
        let x = hidden(&mut self.b, x);
        match op {
            BinOp::Shl => self.b.ins().ishl(x, count),
            BinOp::Shr if ty.is_signed() => self.b.ins().sshr(x, count),
            _ => self.b.ins().ushr(x, count),
        }
    }

    /// The lanes of a vector of so many bytes, shifted by fewer bits than they have. Machines shift no bytes: pairs of them are, and what comes from the other is
    /// taken out.
    pub(super) fn vector_shift(
        &mut self,
        size: i64,
        op: BinOp,
        ty: PrimType,
        x: Value,
        count: i64,
    ) -> Emit<Value> {
        let signed = op == BinOp::Shr && ty.is_signed();
        if ty.bits() > 8 {
            let count = self.b.ins().iconst(types::I32, count);
            return Ok(self.shifted_in_range(op, ty, x, count));
        }
        let (bytes, pairs) = (vector_type(ty, size)?, vector_type(PrimType::U16, size)?);
        let op = if op == BinOp::Shl { op } else { BinOp::ShrLogical };
        let x = self.cast(pairs, x);
        let shifted = self.vector_shift(size, op, PrimType::U16, x, count)?;
        let own = if op == BinOp::Shl { 0xff << count & 0xff } else { 0xff >> count };
        let (shifted, own) = (self.cast(bytes, shifted), self.splat_bits(bytes, own));
        let shifted = self.vector_binary(BinOp::And, ty, shifted, own)?;
        if !signed {
            return Ok(shifted);
        }
        // the sign, where it has come to stand, is spread by a difference
        let sign = self.splat_bits(bytes, 0x80 >> count);
        let turned = self.vector_binary(BinOp::Xor, ty, shifted, sign)?;
        self.vector_binary(BinOp::Sub, ty, turned, sign)
    }
}
