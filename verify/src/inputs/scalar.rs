//! Scalars: random ones of every class that programs get wrong, tame ones, and the few that stand for all in exhaustive runs.

use fun_base::prim::{PrimType, PrimValue, eval_conv};
use fun_base::rng::Rng;

/// Any value of the type: mostly small, with extremes of the width, powers of two, NaN, infinities, denormals and -0.0 among them.
pub(super) fn any(rng: &mut Rng, ty: PrimType) -> PrimValue {
    if ty.is_float() { any_float(rng, ty) } else { any_integer(rng, ty) }
}

fn any_integer(rng: &mut Rng, ty: PrimType) -> PrimValue {
    let bits = ty.bits().max(1);
    let lowest = if ty.is_signed() { 1 << (bits - 1) } else { 0 };
    let highest = if ty.is_signed() { (1u64 << (bits - 1)).wrapping_sub(1) } else { u64::MAX };
    match rng.below(32) {
        0 => PrimValue::from_bits(ty, rng.next_u64()),
        1 => PrimValue::from_bits(ty, lowest),
        2 => PrimValue::from_bits(ty, highest),
        3 => {
            let power = 1u64 << rng.below(bits as usize);
            let near = [power.wrapping_sub(1), power, power.wrapping_add(1)];
            PrimValue::from_bits(ty, near[rng.below(3)])
        }
        _ => {
            let small = rng.below(17) as i64 - 4;
            ty.of_i64(if ty.is_unsigned() { small.abs() } else { small })
        }
    }
}

fn any_float(rng: &mut Rng, ty: PrimType) -> PrimValue {
    let sign = rng.next_u64() << (ty.bits() - 1);
    // the representation of the largest finite number is that of infinity less one
    let infinity = of_f64(ty, f64::INFINITY).bits();
    let mantissa = match ty.bits() {
        16 => 10,
        32 => 23,
        _ => 52,
    };
    match rng.below(36) {
        0 => PrimValue::from_bits(ty, rng.next_u64()),
        1 => PrimValue::from_bits(ty, infinity | sign),
        2 => of_f64(ty, f64::NAN),
        3 => of_f64(ty, -0.0),
        4 => PrimValue::from_bits(ty, (infinity - 1) | sign),
        5 => {
            let bits = 1 + rng.below(mantissa) as u32;
            PrimValue::from_bits(ty, (1 + (rng.next_u64() >> (64 - bits))) | sign)
        }
        _ => of_f64(ty, (rng.below(17) as f64 - 4.0) / 4.0 + rng.below(64) as f64 / 64.0),
    }
}

/// A finite number, positive and not large: integers below `bound` (which counts as at least 1), floats above 0 and at most 4.
pub(super) fn tame(rng: &mut Rng, ty: PrimType, bound: i64) -> PrimValue {
    match ty {
        _ if ty.is_float() => of_f64(ty, (1 + rng.below(64)) as f64 / 16.0),
        PrimType::Bool => PrimValue::Bool(rng.chance(70)),
        _ => ty.of_i64(rng.below(bound.clamp(1, 100) as usize) as i64),
    }
}

/// The number of this magnitude, whatever the type.
pub(super) fn number(ty: PrimType, n: i64) -> PrimValue {
    match ty {
        PrimType::Bool => PrimValue::Bool(n & 1 == 0),
        _ if ty.is_float() => of_f64(ty, n as f64 / 2.0),
        _ => ty.of_i64(n.min(100)),
    }
}

/// The values that stand for all of a type, plainest first.
pub(crate) fn small_domain(ty: PrimType) -> Vec<PrimValue> {
    match ty {
        PrimType::Unit => vec![PrimValue::Unit],
        PrimType::Bool => vec![PrimValue::Bool(false), PrimValue::Bool(true)],
        _ if ty.is_float() => [0.0, 1.0, -1.5, f64::NAN].map(|x| of_f64(ty, x)).to_vec(),
        _ => [0, 1, 2, -1].map(|n| ty.of_i64(n)).to_vec(),
    }
}

fn of_f64(ty: PrimType, x: f64) -> PrimValue {
    eval_conv(ty, PrimValue::F64(x))
}
