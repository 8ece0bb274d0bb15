//! Quotients and remainders of 32 bits by constants in lanes: vectors have no division of integers, but products and shifts.
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
    let fits = divides && matches!(ty, PrimType::I32 | PrimType::U32);
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
        let quotient = if ty == PrimType::U32 {
            self.quotient_of_unsigned(size, x, divisor)?
        } else {
            let mut n = x;
            if matches!(op, BinOp::Quot | BinOp::Rem) {
                // towards zero: what is negative begins further up
                let (signs, further) =
                    (self.vector_shift(size, BinOp::Shr, ty, n, 31)?, all(self, divisor - 1)?);
                let further = self.vector_binary(BinOp::And, ty, signs, further)?;
                n = self.vector_binary(BinOp::Add, ty, n, further)?;
            }
            // the complement of what is negative is not, and the complement of its quotient is the quotient rounded down
            let signs = self.vector_shift(size, BinOp::Shr, ty, n, 31)?;
            let positive = self.vector_binary(BinOp::Xor, ty, n, signs)?;
            let (factor, shift) = factor(divisor, 31);
            let quotient = self.scaled(size, positive, factor, shift)?;
            self.vector_binary(BinOp::Xor, ty, quotient, signs)?
        };
        if matches!(op, BinOp::Div | BinOp::Quot) {
            return Ok(quotient);
        }
        let divisor = all(self, divisor)?;
        let below = self.vector_binary(BinOp::Mul, ty, quotient, divisor)?;
        self.vector_binary(BinOp::Sub, ty, x, below)
    }

    fn quotient_of_unsigned(&mut self, size: i64, x: Value, divisor: u32) -> Emit<Value> {
        let twos = divisor.trailing_zeros();
        if divisor == 1 {
            return Ok(x);
        }
        if twos > 0 {
            let halved = self.vector_shift(size, BinOp::ShrLogical, PrimType::U32, x, twos.into())?;
            let (factor, shift) = factor(divisor >> twos, 32 - twos);
            return self.scaled(size, halved, factor, shift);
        }
        // the factor is 2^32 and some more: half of what is left of the numerator is added, as the sum itself may have a bit too many
        let (factor, shift) = factor(divisor, 32);
        let more = self.scaled(size, x, factor & u64::from(u32::MAX), 32)?;
        let rest = self.vector_binary(BinOp::Sub, PrimType::U32, x, more)?;
        let half = self.vector_shift(size, BinOp::ShrLogical, PrimType::U32, rest, 1)?;
        let sum = self.vector_binary(BinOp::Add, PrimType::U32, more, half)?;
        self.vector_shift(size, BinOp::ShrLogical, PrimType::U32, sum, i64::from(shift) - 33)
    }

    /// The product of lanes without sign and a factor of 32 bits, in 64 bits and shifted, of which the low 32 are left.
    fn scaled(&mut self, size: i64, x: Value, factor: u64, shift: u32) -> Emit<Value> {
        let (words, pairs) = (vector_type(PrimType::U32, size)?, vector_type(PrimType::U64, size)?);
        let product = |e: &mut Self, x: Value, factor: Value| -> Emit<Value> {
            let product = e.vector_binary(BinOp::Mul, PrimType::U64, x, factor)?;
            e.vector_shift(size, BinOp::ShrLogical, PrimType::U64, product, shift.into())
        };
        if size == NARROW {
            // widened like this, both have the machine's product of 32 bits
            let factor = self.splat_bits(words, factor);
            let (x_low, factor_low) = (self.b.ins().uwiden_low(x), self.b.ins().uwiden_low(factor));
            let (x_high, factor_high) = (self.b.ins().uwiden_high(x), self.b.ins().uwiden_high(factor));
            let (low, high) = (product(self, x_low, factor_low)?, product(self, x_high, factor_high)?);
            return Ok(self.low_halves(words, low, high));
        }
        let (factor, low_word) =
            (self.splat_bits(pairs, factor), self.splat_bits(pairs, u64::from(u32::MAX)));
        let x = self.cast(pairs, x);
        let (even, odd) = (
            self.vector_binary(BinOp::And, PrimType::U64, x, low_word)?,
            self.vector_shift(size, BinOp::ShrLogical, PrimType::U64, x, 32)?,
        );
        let (even, odd) = (product(self, even, factor)?, product(self, odd, factor)?);
        // both have 32 bits
        let odd = self.vector_shift(size, BinOp::Shl, PrimType::U64, odd, 32)?;
        let both = self.vector_binary(BinOp::Or, PrimType::U64, even, odd)?;
        Ok(self.cast(words, both))
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

    /// Where quotients change, and at the ends: 31 bits by a factor of 32, 32 bits by one of 33.
    #[test]
    fn quotients_are_products() {
        let small = 1..3000_u32;
        let at_powers = (1..32).flat_map(|k| [(1_u32 << k) - 1, 1 << k, (1 << k) + 1]);
        for divisor in small.chain(at_powers).chain([u32::MAX - 1, u32::MAX]) {
            for bits in [31, 32] {
                let most = u32::MAX >> (32 - bits);
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
                for n in around.into_iter().filter(|n| *n <= most) {
                    assert_eq!(quotient(n, divisor, bits), n / divisor, "{n} / {divisor}, {bits} bits");
                }
            }
        }
    }
}
