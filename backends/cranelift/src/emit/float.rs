//! Operators on floats.

use super::{Emit, Emitter};
use crate::unit::machine_type;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};
use fun_base::prim::{BinOp, PrimType, UnOp};
use fun_runtime::scalar::{bin_number, un_number};
use fun_runtime::symbols::Function;

impl Emitter<'_, '_> {
    pub(super) fn float_binary(&mut self, op: BinOp, ty: PrimType, x: Value, y: Value) -> Emit<Value> {
        if let Some(value) = self.elementary_of_two(op, ty, x, y)? {
            return Ok(value);
        }
        Ok(match op {
            BinOp::Add => self.b.ins().fadd(x, y),
            BinOp::Sub => self.b.ins().fsub(x, y),
            BinOp::Mul => self.b.ins().fmul(x, y),
            BinOp::Div => self.b.ins().fdiv(x, y),
            BinOp::Min | BinOp::Max => {
                if let Some(value) = self.bounded(op, x, y) {
                    return Ok(value);
                }
                // the machine-independent min and max give NaN for a NaN; here the number wins
                let least = matches!(op, BinOp::Min);
                let extreme = if least { self.b.ins().fmin(x, y) } else { self.b.ins().fmax(x, y) };
                let x_nan = self.b.ins().fcmp(FloatCC::Unordered, x, x);
                let y_nan = self.b.ins().fcmp(FloatCC::Unordered, y, y);
                let other = self.choose(y_nan, x, extreme);
                self.choose(x_nan, y, other)
            }
            BinOp::CopySign => self.b.ins().fcopysign(x, y),
            BinOp::Eq => self.b.ins().fcmp(FloatCC::Equal, x, y),
            BinOp::Ne => self.b.ins().fcmp(FloatCC::NotEqual, x, y),
            BinOp::Lt => self.b.ins().fcmp(FloatCC::LessThan, x, y),
            BinOp::Le => self.b.ins().fcmp(FloatCC::LessThanOrEqual, x, y),
            BinOp::Gt => self.b.ins().fcmp(FloatCC::GreaterThan, x, y),
            BinOp::Ge => self.b.ins().fcmp(FloatCC::GreaterThanOrEqual, x, y),
            BinOp::Mod | BinOp::Pow | BinOp::Atan2 | BinOp::Hypot | BinOp::NextAfter | BinOp::Ldexp => {
                let function = if ty == PrimType::F32 { Function::BinaryF32 } else { Function::BinaryF64 };
                let op = self.i32(bin_number(op));
                return self.call_runtime_value(function, &[op, x, y]);
            }
            BinOp::Quot
            | BinOp::Rem
            | BinOp::And
            | BinOp::Or
            | BinOp::Xor
            | BinOp::Shl
            | BinOp::Shr
            | BinOp::ShrLogical
            | BinOp::MulHi => return Err(self.undefined(format!("{op:?}"), ty)),
        })
    }

    pub(super) fn float_unary(&mut self, op: UnOp, ty: PrimType, x: Value) -> Emit<Value> {
        let bits = machine_type(ty.unsigned_of_width());
        let machine = self.b.func.dfg.value_type(x);
        if let Some(value) = self.elementary(op, ty, x)? {
            return Ok(value);
        }
        Ok(match op {
            UnOp::Neg => self.b.ins().fneg(x),
            UnOp::Abs => self.b.ins().fabs(x),
            UnOp::Sqrt => self.b.ins().sqrt(x),
            UnOp::Rsqrt => {
                let root = self.b.ins().sqrt(x);
                let one = self.float_of_type(machine, 1.0);
                self.b.ins().fdiv(one, root)
            }
            UnOp::Floor => self.b.ins().floor(x),
            UnOp::Ceil => self.b.ins().ceil(x),
            UnOp::Trunc => self.b.ins().trunc(x),
            UnOp::Round => self.b.ins().nearest(x),
            UnOp::Sgn => {
                let zero = self.float_of_type(machine, 0.0);
                let one = self.float_of_type(machine, 1.0);
                let minus = self.float_of_type(machine, -1.0);
                let nan = self.b.ins().fcmp(FloatCC::Unordered, x, x);
                let positive = self.b.ins().fcmp(FloatCC::GreaterThan, x, zero);
                let negative = self.b.ins().fcmp(FloatCC::LessThan, x, zero);
                let rest = self.b.ins().select(nan, x, zero);
                let rest = self.b.ins().select(negative, minus, rest);
                self.b.ins().select(positive, one, rest)
            }
            UnOp::IsNan => self.b.ins().fcmp(FloatCC::Unordered, x, x),
            UnOp::IsInf => {
                let size = self.b.ins().fabs(x);
                let infinity = self.float_of_type(machine, f64::INFINITY);
                self.b.ins().fcmp(FloatCC::Equal, size, infinity)
            }
            UnOp::SignBit => {
                let bits = self.b.ins().bitcast(bits, MemFlagsData::new(), x);
                self.b.ins().icmp_imm_s(IntCC::SignedLessThan, bits, 0)
            }
            UnOp::ToBits => self.b.ins().bitcast(bits, MemFlagsData::new(), x),
            UnOp::Cbrt
            | UnOp::Exp
            | UnOp::Exp2
            | UnOp::Exp10
            | UnOp::Expm1
            | UnOp::Log
            | UnOp::Log2
            | UnOp::Log10
            | UnOp::Log1p
            | UnOp::Sin
            | UnOp::Cos
            | UnOp::Tan
            | UnOp::Asin
            | UnOp::Acos
            | UnOp::Atan
            | UnOp::Sinh
            | UnOp::Cosh
            | UnOp::Tanh
            | UnOp::Asinh
            | UnOp::Acosh
            | UnOp::Atanh
            | UnOp::Sinpi
            | UnOp::Cospi
            | UnOp::Tanpi
            | UnOp::Asinpi
            | UnOp::Acospi
            | UnOp::Atanpi
            | UnOp::Erf
            | UnOp::Erfc
            | UnOp::Gamma
            | UnOp::Lgamma => {
                let function = if ty == PrimType::F32 { Function::UnaryF32 } else { Function::UnaryF64 };
                let op = self.i32(un_number(op));
                return self.call_runtime_value(function, &[op, x]);
            }
            UnOp::Not | UnOp::Popc | UnOp::Clz | UnOp::Ctz | UnOp::FromBits => {
                return Err(self.undefined(format!("{op:?}"), ty));
            }
        })
    }

    /// Operators on `f16`, which is held as its bits.
    pub(super) fn half_unary(&mut self, op: UnOp, x: Value) -> Emit<Value> {
        Ok(match op {
            UnOp::Neg => self.b.ins().bxor_imm_u(x, 0x8000),
            UnOp::Abs => self.b.ins().band_imm_u(x, 0x7fff),
            UnOp::ToBits => x,
            UnOp::SignBit => self.b.ins().icmp_imm_s(IntCC::SignedLessThan, x, 0),
            UnOp::IsInf => {
                let size = self.b.ins().band_imm_u(x, 0x7fff);
                self.b.ins().icmp_imm_u(IntCC::Equal, size, 0x7c00)
            }
            UnOp::IsNan => {
                let size = self.b.ins().band_imm_u(x, 0x7fff);
                self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThan, size, 0x7c00)
            }
            _ => return self.runtime_unary(op, PrimType::F16, x),
        })
    }

    /// `x * y + z`, rounded once: one instruction where the machine has it.
    pub(super) fn fma(&mut self, ty: PrimType, x: Value, y: Value, z: Value) -> Emit<Value> {
        match ty {
            PrimType::F32 | PrimType::F64 if self.unit.has_fma => Ok(self.b.ins().fma(x, y, z)),
            PrimType::F32 => self.call_runtime_value(Function::FmaF32, &[x, y, z]),
            PrimType::F64 => self.call_runtime_value(Function::FmaF64, &[x, y, z]),
            _ => {
                let (x, y, z) = (self.bits_of(ty, x), self.bits_of(ty, y), self.bits_of(ty, z));
                let bits = self.call_runtime_value(Function::FmaF16, &[x, y, z])?;
                Ok(self.of_bits(ty, bits))
            }
        }
    }

    /// A float, not `f16`, to an integer type: the nearest number, of NaN and infinities 0; an unsigned integer of a
    /// negative number has the bits of the signed one.
    pub(super) fn float_to_int(&mut self, to: PrimType, from: PrimType, x: Value) -> Value {
        let size = self.b.ins().fabs(x);
        let infinity = self.float_of_type(machine_type(from), f64::INFINITY);
        let zero = self.float_of_type(machine_type(from), 0.0);
        let infinite = self.b.ins().fcmp(FloatCC::Equal, size, infinity);
        let x = self.b.ins().select(infinite, zero, x);
        let signed = self.saturated(to.signed_of_width(), x);
        if !to.is_unsigned() {
            return signed;
        }
        let unsigned = self.saturated(to, x);
        let negative = self.b.ins().fcmp(FloatCC::LessThan, x, zero);
        self.b.ins().select(negative, signed, unsigned)
    }

    /// The nearest number of an integer type; 0 of NaN.
    fn saturated(&mut self, to: PrimType, x: Value) -> Value {
        let narrow = to.bits() < 32;
        let machine = if narrow { types::I32 } else { machine_type(to) };
        if to.is_unsigned() {
            let wide = self.b.ins().fcvt_to_uint_sat(machine, x);
            if !narrow {
                return wide;
            }
            let max = (1i64 << to.bits()) - 1;
            let over = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThan, wide, max);
            let max = self.b.ins().iconst(types::I32, max);
            let clamped = self.b.ins().select(over, max, wide);
            return self.b.ins().ireduce(machine_type(to), clamped);
        }
        let wide = self.b.ins().fcvt_to_sint_sat(machine, x);
        if !narrow {
            return wide;
        }
        let max = (1i64 << (to.bits() - 1)) - 1;
        let over = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThan, wide, max);
        let bound = self.b.ins().iconst(types::I32, max);
        let clamped = self.b.ins().select(over, bound, wide);
        let under = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, wide, -max - 1);
        let bound = self.b.ins().iconst(types::I32, i64::from((-max - 1) as i32 as u32));
        let clamped = self.b.ins().select(under, bound, clamped);
        self.b.ins().ireduce(machine_type(to), clamped)
    }
}
