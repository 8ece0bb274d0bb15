//! Conversions between primitive types.

use super::{Emit, Emitter};
use crate::unit::machine_type;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, Value, types};
use fun_base::prim::PrimType;
use fun_runtime::scalar::type_number;
use fun_runtime::symbols::Function;

/// What conversions distinguish.
enum Class {
    Int,
    Half,
    Float,
    Bool,
    Unit,
}

fn class(ty: PrimType) -> Class {
    match ty {
        PrimType::I8
        | PrimType::I16
        | PrimType::I32
        | PrimType::I64
        | PrimType::U8
        | PrimType::U16
        | PrimType::U32
        | PrimType::U64 => Class::Int,
        PrimType::F16 => Class::Half,
        PrimType::F32 | PrimType::F64 => Class::Float,
        PrimType::Bool => Class::Bool,
        PrimType::Unit => Class::Unit,
    }
}

impl Emitter<'_, '_> {
    /// `x` of type `from` converted to type `to`.
    pub(super) fn convert(&mut self, to: PrimType, from: PrimType, x: Value) -> Emit<Value> {
        if to == from {
            return Ok(x);
        }
        Ok(match (class(from), class(to)) {
            (_, Class::Unit) | (Class::Unit, _) => self.constant(to.zero()),
            (Class::Bool, _) => {
                let (one, zero) = (self.constant(to.of_i64(1)), self.constant(to.zero()));
                self.b.ins().select(x, one, zero)
            }
            (Class::Half, _) | (_, Class::Half) => {
                let bits = self.bits_of(from, x);
                let (to_number, from) = (self.i32(type_number(to)), self.i32(type_number(from)));
                let bits = self.call_runtime_value(Function::Convert, &[to_number, from, bits])?;
                self.of_bits(to, bits)
            }
            (Class::Int, Class::Bool) => self.b.ins().icmp_imm_s(IntCC::NotEqual, x, 0),
            (Class::Int, Class::Int) => {
                if to.bits() <= from.bits() {
                    if to.bits() == from.bits() { x } else { self.b.ins().ireduce(machine_type(to), x) }
                } else {
                    self.widen(from, x, machine_type(to))
                }
            }
            (Class::Int, Class::Float) => {
                if from == PrimType::U64 {
                    self.b.ins().fcvt_from_uint(machine_type(to), x)
                } else {
                    let wide = self.widen(from, x, types::I64);
                    self.b.ins().fcvt_from_sint(machine_type(to), wide)
                }
            }
            (Class::Float, Class::Int) if self.is_wide() => self.float_to_int_in_lanes(to, from, x),
            (Class::Float, Class::Int) => self.float_to_int(to, from, x),
            (Class::Float, Class::Float) => {
                if to == PrimType::F64 {
                    self.b.ins().fpromote(types::F64, x)
                } else {
                    self.b.ins().fdemote(types::F32, x)
                }
            }
            (Class::Float, Class::Bool) => {
                let zero = self.constant(from.zero());
                self.b.ins().fcmp(FloatCC::NotEqual, x, zero)
            }
        })
    }

    /// As `float_to_int`, by a vector's first lane: the generator of wide vectors has no other conversions.
    fn float_to_int_in_lanes(&mut self, to: PrimType, from: PrimType, x: Value) -> Value {
        let long = to.bits() == 64 && from == PrimType::F32;
        let x = if long { self.b.ins().fpromote(types::F64, x) } else { x };
        let vector = if self.b.func.dfg.value_type(x) == types::F32 { types::F32X4 } else { types::F64X2 };
        let lanes = self.b.ins().scalar_to_vector(vector, x);
        let integers = self.integers_in_place(to, lanes);
        let integer = self.b.ins().extractlane(integers, 0);
        let machine = machine_type(to);
        if self.b.func.dfg.value_type(integer) == machine {
            integer
        } else {
            self.b.ins().ireduce(machine, integer)
        }
    }
}
