//! Scalar operators that have no machine instruction: compiled code calls the very functions that the interpreters use.

use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp, eval_bin, eval_conv, eval_fma, eval_un, math};

/// The type with this number, as [`type_number`] gives it.
fn type_of(number: u32) -> PrimType {
    PrimType::NUMERIC_AND_BOOL.get(number as usize).copied().unwrap_or(PrimType::Unit)
}

/// The number of a type in calls.
pub fn type_number(ty: PrimType) -> u32 {
    let place = PrimType::NUMERIC_AND_BOOL.iter().position(|t| *t == ty);
    place.unwrap_or(PrimType::NUMERIC_AND_BOOL.len()) as u32
}

/// The number of an operator in calls.
pub fn un_number(op: UnOp) -> u32 {
    UnOp::ALL.iter().position(|o| *o == op).expect("invariant: ALL lists every operator") as u32
}

/// The number of an operator in calls.
pub fn bin_number(op: BinOp) -> u32 {
    BinOp::ALL.iter().position(|o| *o == op).expect("invariant: ALL lists every operator") as u32
}

/// The representation of a result. Compiled code calls only operators that are defined, and with operands on which they
/// don't fail, so the zero is never seen.
fn bits<E>(result: Result<PrimValue, E>) -> u64 {
    result.map_or(0, PrimValue::bits)
}

/// A unary operator on representations.
pub extern "C" fn unary(op: u32, ty: u32, x: u64) -> u64 {
    bits(eval_un(un_of(op), PrimValue::from_bits(type_of(ty), x)))
}

/// A binary operator on representations.
pub extern "C" fn binary(op: u32, ty: u32, x: u64, y: u64) -> u64 {
    let ty = type_of(ty);
    bits(eval_bin(bin_of(op), PrimValue::from_bits(ty, x), PrimValue::from_bits(ty, y)))
}

/// A conversion on representations.
pub extern "C" fn convert(to: u32, from: u32, x: u64) -> u64 {
    eval_conv(type_of(to), PrimValue::from_bits(type_of(from), x)).bits()
}

fn un_of(number: u32) -> UnOp {
    UnOp::ALL[number as usize % UnOp::ALL.len()]
}

fn bin_of(number: u32) -> BinOp {
    BinOp::ALL[number as usize % BinOp::ALL.len()]
}

/// `x * y + z` on representations, rounded once.
pub extern "C" fn fma_f16(x: u64, y: u64, z: u64) -> u64 {
    let [x, y, z] = [x, y, z].map(|bits| PrimValue::from_bits(PrimType::F16, bits));
    bits(eval_fma(x, y, z))
}

/// `x * y + z`, rounded once.
pub extern "C" fn fma_f32(x: f32, y: f32, z: f32) -> f32 {
    x.mul_add(y, z)
}

/// `x * y + z`, rounded once.
pub extern "C" fn fma_f64(x: f64, y: f64, z: f64) -> f64 {
    x.mul_add(y, z)
}

/// An elementary function.
pub extern "C" fn unary_f32(op: u32, x: f32) -> f32 {
    math::f32::unary(un_of(op)).map_or(f32::NAN, |f| f(x))
}

/// An elementary function.
pub extern "C" fn unary_f64(op: u32, x: f64) -> f64 {
    math::f64::unary(un_of(op)).map_or(f64::NAN, |f| f(x))
}

/// An elementary function.
pub extern "C" fn binary_f32(op: u32, x: f32, y: f32) -> f32 {
    math::f32::binary(bin_of(op)).map_or(f32::NAN, |f| f(x, y))
}

/// An elementary function.
pub extern "C" fn binary_f64(op: u32, x: f64, y: f64) -> f64 {
    math::f64::binary(bin_of(op)).map_or(f64::NAN, |f| f(x, y))
}
