//! Elementary functions of our own as instructions, on scalars and on vectors.

use super::{Emit, Emitter};
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Type, Value, types};
use fun_base::prim::math::elementary::{self, Arithmetic};
use fun_base::prim::{PrimType, UnOp};

impl Emitter<'_, '_> {
    /// The function, if it is one of these and the machine multiplies and adds with one rounding.
    pub(super) fn elementary(&mut self, op: UnOp, ty: PrimType, x: Value) -> Emit<Option<Value>> {
        if !self.unit.has_fma {
            return Ok(None);
        }
        let float = self.b.func.dfg.value_type(x);
        let mut code = Code { bits: float.as_int(), float, emitter: self };
        Ok(Some(match (op, ty) {
            (UnOp::Exp, PrimType::F32) => elementary::exp_f32(&mut code, x),
            (UnOp::Exp, PrimType::F64) => elementary::exp_f64(&mut code, x),
            (UnOp::Log, PrimType::F32) => elementary::log_f32(&mut code, x),
            (UnOp::Log, PrimType::F64) => elementary::log_f64(&mut code, x),
            (UnOp::Tanh, PrimType::F32) => elementary::tanh_f32(&mut code, x),
            (UnOp::Tanh, PrimType::F64) => elementary::tanh_f64(&mut code, x),
            _ => return Ok(None),
        }))
    }

    /// A float constant of a machine type, in all lanes if that is one of vectors.
    pub(super) fn float_of_type(&mut self, ty: Type, x: f64) -> Value {
        let is_single = ty.lane_type() == types::F32;
        if ty.is_vector() {
            let bits = if is_single { u64::from((x as f32).to_bits()) } else { x.to_bits() };
            return self.splat_bits(ty, bits);
        }
        if is_single { self.b.ins().f32const(x as f32) } else { self.b.ins().f64const(x) }
    }
}

/// Arithmetic as instructions.
struct Code<'e, 'a, 'p> {
    emitter: &'e mut Emitter<'a, 'p>,
    float: Type,
    bits: Type,
}

impl Code<'_, '_, '_> {
    fn count(&mut self, by: u32) -> Value {
        self.emitter.b.ins().iconst(types::I32, i64::from(by))
    }
}

impl Arithmetic for Code<'_, '_, '_> {
    type Float = Value;
    type Bits = Value;
    type Mask = Value;

    fn float(&mut self, x: f64) -> Value {
        self.emitter.float_of_type(self.float, x)
    }
    fn bits(&mut self, n: u64) -> Value {
        if self.bits.is_vector() {
            return self.emitter.splat_bits(self.bits, n);
        }
        self.emitter.b.ins().iconst(self.bits, n as i64)
    }
    fn add(&mut self, x: Value, y: Value) -> Value {
        self.emitter.b.ins().fadd(x, y)
    }
    fn sub(&mut self, x: Value, y: Value) -> Value {
        self.emitter.b.ins().fsub(x, y)
    }
    fn mul(&mut self, x: Value, y: Value) -> Value {
        self.emitter.b.ins().fmul(x, y)
    }
    fn div(&mut self, x: Value, y: Value) -> Value {
        self.emitter.b.ins().fdiv(x, y)
    }
    fn fma(&mut self, x: Value, y: Value, z: Value) -> Value {
        self.emitter.b.ins().fma(x, y, z)
    }
    fn abs(&mut self, x: Value) -> Value {
        self.emitter.b.ins().fabs(x)
    }
    fn copysign(&mut self, x: Value, y: Value) -> Value {
        if !self.float.is_vector() {
            return self.emitter.b.ins().fcopysign(x, y);
        }
        let sign = self.bits(1 << (self.float.lane_bits() - 1));
        let sign = self.float_of(sign);
        self.emitter.b.ins().bitselect(sign, y, x)
    }
    fn less(&mut self, x: Value, y: Value) -> Value {
        self.emitter.b.ins().fcmp(FloatCC::LessThan, x, y)
    }
    fn equal(&mut self, x: Value, y: Value) -> Value {
        self.emitter.b.ins().fcmp(FloatCC::Equal, x, y)
    }
    fn choose(&mut self, holds: Value, x: Value, y: Value) -> Value {
        self.emitter.choose(holds, x, y)
    }
    fn bits_of(&mut self, x: Value) -> Value {
        self.emitter.b.ins().bitcast(self.bits, MemFlagsData::new(), x)
    }
    fn float_of(&mut self, n: Value) -> Value {
        self.emitter.b.ins().bitcast(self.float, MemFlagsData::new(), n)
    }
    fn add_bits(&mut self, m: Value, n: Value) -> Value {
        self.emitter.b.ins().iadd(m, n)
    }
    fn sub_bits(&mut self, m: Value, n: Value) -> Value {
        self.emitter.b.ins().isub(m, n)
    }
    fn shift_left(&mut self, n: Value, by: u32) -> Value {
        let count = self.count(by);
        self.emitter.b.ins().ishl(n, count)
    }
    fn shift_right(&mut self, n: Value, by: u32) -> Value {
        let count = self.count(by);
        self.emitter.b.ins().ushr(n, count)
    }
    fn float_of_small(&mut self, n: Value) -> Value {
        self.emitter.b.ins().fcvt_from_sint(self.float, n)
    }
}
