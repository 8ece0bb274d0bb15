//! Quotients and remainders of up to 32 bits by constants in lanes: vectors have no division of integers, but products and shifts. Machines have no products of bytes
//! either: pairs of them are multiplied.
//!
//! For `n < 2^N`, a divisor `d` and the least `l` with `d ≤ 2^l`, the quotient of `n` is `n * m >> (N + l)` with `m = ⌊2^(N + l) / d⌋ + 1`: `m * d` is more than
//! `2^(N + l)`, by at most `2^l` (Granlund and Montgomery 1994, Theorem 4.2). `m` has at most `N + 1` bits.

use super::super::{Emit, Emitter};
use super::NARROW;
use super::lane::vector_type;
use cranelift_codegen::ir::{InstBuilder, Value};
use fun_base::prim::{BinOp, PrimType};

/// The divisor, if vectors have the quotient or remainder: it is a constant above 0.
pub(super) fn divisor(op: BinOp, ty: PrimType, known: Option<i64>) -> Option<u32> {
    let divides = matches!(op, BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem);
    let fits = divides && ty.is_int() && ty.bits() <= 32;
    known.filter(|_| fits).and_then(|divisor| u32::try_from(divisor).ok()).filter(|divisor| *divisor > 0)
}

/// What a numerator of so many bits is multiplied by, and the shift of the product.
fn factor(divisor: u32, bits: u32) -> (u64, u32) {
    let shift = bits + (u32::BITS - (divisor - 1).leading_zeros());
    (((1_u128 << shift) / u128::from(divisor) + 1) as u64, shift)
}

impl Emitter<'_, '_> {
    /// The quotient or remainder of the lanes of a vector.
    pub(super) fn vector_quotient(
        &mut self,
        size: i64,
        op: BinOp,
        ty: PrimType,
        x: Value,
        divisor: u32,
    ) -> Emit<Value> {
        let all = |e: &mut Self, bits: u32| -> Emit<Value> {
            let machine = vector_type(ty, size)?;
            Ok(e.splat_bits(machine, u64::from(bits)))
        };
        let last = i64::from(ty.bits()) - 1;
        let quotient = if !ty.is_signed() {
            self.quotient_of_unsigned(size, ty, x, divisor)?
        } else {
            let mut n = x;
            if matches!(op, BinOp::Quot | BinOp::Rem) {
                // towards zero: what is negative begins further up
                let (signs, further) =
                    (self.vector_shift(size, BinOp::Shr, ty, n, last)?, all(self, divisor - 1)?);
                let further = self.vector_binary(BinOp::And, ty, signs, further)?;
                n = self.vector_binary(BinOp::Add, ty, n, further)?;
            }
            // the complement of what is negative is not, and the complement of its quotient is the quotient rounded down
            let signs = self.vector_shift(size, BinOp::Shr, ty, n, last)?;
            let positive = self.vector_binary(BinOp::Xor, ty, n, signs)?;
            let (factor, shift) = factor(divisor, ty.bits() - 1);
            let quotient = self.scaled(size, ty, positive, factor, shift)?;
            self.vector_binary(BinOp::Xor, ty, quotient, signs)?
        };
        if matches!(op, BinOp::Div | BinOp::Quot) {
            return Ok(quotient);
        }
        let divisor = all(self, divisor)?;
        let below = self.vector_product(size, ty, quotient, divisor)?;
        self.vector_binary(BinOp::Sub, ty, x, below)
    }

    fn quotient_of_unsigned(&mut self, size: i64, ty: PrimType, x: Value, divisor: u32) -> Emit<Value> {
        let (twos, bits) = (divisor.trailing_zeros(), ty.bits());
        if divisor == 1 {
            return Ok(x);
        }
        if twos > 0 {
            let halved = self.vector_shift(size, BinOp::ShrLogical, ty, x, twos.into())?;
            let (factor, shift) = factor(divisor >> twos, bits - twos);
            return self.scaled(size, ty, halved, factor, shift);
        }
        // the factor is 2^bits and some more: half of what is left of the numerator is added, as the sum itself may have a bit too many
        let (factor, shift) = factor(divisor, bits);
        let more = self.scaled(size, ty, x, factor & ((1 << bits) - 1), bits)?;
        let rest = self.vector_binary(BinOp::Sub, ty, x, more)?;
        let half = self.vector_shift(size, BinOp::ShrLogical, ty, rest, 1)?;
        let sum = self.vector_binary(BinOp::Add, ty, more, half)?;
        self.vector_shift(size, BinOp::ShrLogical, ty, sum, i64::from(shift - bits) - 1)
    }

    /// The product of lanes without sign and a factor of as many bits, in twice as many and shifted, of which the low half is left: the product has no more, shifted.
    fn scaled(&mut self, size: i64, ty: PrimType, x: Value, factor: u64, shift: u32) -> Emit<Value> {
        let bits = i64::from(ty.bits());
        let twice = match bits {
            8 => PrimType::U16,
            16 => PrimType::U32,
            _ => PrimType::U64,
        };
        let (single, pairs) = (vector_type(ty, size)?, vector_type(twice, size)?);
        let product = |e: &mut Self, x: Value, factor: Value| -> Emit<Value> {
            let product = e.vector_binary(BinOp::Mul, twice, x, factor)?;
            e.vector_shift(size, BinOp::ShrLogical, twice, product, shift.into())
        };
        if size == NARROW && bits == 32 {
            // widened like this, both have the machine's product of 32 bits
            let factor = self.splat_bits(single, factor);
            let (x_low, factor_low) = (self.b.ins().uwiden_low(x), self.b.ins().uwiden_low(factor));
            let (x_high, factor_high) = (self.b.ins().uwiden_high(x), self.b.ins().uwiden_high(factor));
            let (low, high) = (product(self, x_low, factor_low)?, product(self, x_high, factor_high)?);
            return Ok(self.low_halves(single, low, high));
        }
        let (factor, low) = (self.splat_bits(pairs, factor), self.splat_bits(pairs, (1 << bits) - 1));
        let x = self.cast(pairs, x);
        let even = self.vector_binary(BinOp::And, twice, x, low)?;
        let odd = self.vector_shift(size, BinOp::ShrLogical, twice, x, bits)?;
        let (even, odd) = (product(self, even, factor)?, product(self, odd, factor)?);
        let odd = self.vector_shift(size, BinOp::Shl, twice, odd, bits)?;
        let both = self.vector_binary(BinOp::Or, twice, even, odd)?;
        Ok(self.cast(single, both))
    }

    /// The product of lanes. Of bytes: that of the lower ones of pairs is the lower half of the product of the pairs, and that of the upper ones is the upper half
    /// where one factor has them in its upper half and the other in its lower.
    pub(super) fn vector_product(&mut self, size: i64, ty: PrimType, x: Value, y: Value) -> Emit<Value> {
        if ty.bits() > 8 {
            return self.vector_binary(BinOp::Mul, ty, x, y);
        }
        let twice = PrimType::U16;
        let (bytes, pairs) = (vector_type(ty, size)?, vector_type(twice, size)?);
        let (x, y) = (self.cast(pairs, x), self.cast(pairs, y));
        let (low, high) = (self.splat_bits(pairs, 0xff), self.splat_bits(pairs, 0xff00));
        let even = self.vector_binary(BinOp::Mul, twice, x, y)?;
        let even = self.vector_binary(BinOp::And, twice, even, low)?;
        let x = self.vector_shift(size, BinOp::ShrLogical, twice, x, 8)?;
        let y = self.vector_binary(BinOp::And, twice, y, high)?;
        let odd = self.vector_binary(BinOp::Mul, twice, x, y)?;
        let both = self.vector_binary(BinOp::Or, twice, even, odd)?;
        Ok(self.cast(bytes, both))
    }
}

#[cfg(test)]
mod tests {
    use super::factor;

    /// A product and a shift in the place of a quotient.
    fn quotient(n: u32, divisor: u32, bits: u32) -> u32 {
        let (factor, shift) = factor(divisor, bits);
        ((u128::from(n) * u128::from(factor)) >> shift) as u32
    }

    /// Where quotients change, and at the ends: numbers without their sign and with all bits, of each width.
    #[test]
    fn quotients_are_products() {
        let small = 1..3000_u32;
        let at_powers = (1..32).flat_map(|k| [(1_u32 << k) - 1, 1 << k, (1 << k) + 1]);
        for divisor in small.chain(at_powers).chain([u32::MAX - 1, u32::MAX]) {
            for bits in [7, 8, 15, 16, 31, 32] {
                let most = u32::MAX >> (32 - bits);
                if divisor > most {
                    continue;
                }
                assert!(factor(divisor, bits).0 < 1 << (bits + 1), "{divisor} {bits}");
                let multiple = most - most % divisor;
                let around = [
                    0,
                    1,
                    divisor - 1,
                    divisor,
                    multiple.wrapping_sub(1),
                    multiple,
                    most / 2,
                    most - 1,
                    most,
                ];
                let all = if bits > 8 { 0..0 } else { 0..most + 1 };
                for n in all.chain(around).filter(|n| *n <= most) {
                    assert_eq!(quotient(n, divisor, bits), n / divisor, "{n} / {divisor}, {bits} bits");
                }
            }
        }
    }
}
