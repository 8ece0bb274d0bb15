//! Scalar expressions.

use super::{Binding, Emit, Emitter, array_access};
use crate::unit::machine_type;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue};
use fun_runtime::symbols::Function;
use imp::ir::{Exp, ImpType};

impl Emitter<'_, '_> {
    /// The value of an expression, in the machine type of its type.
    pub(super) fn exp(&mut self, exp: &Exp) -> Emit<Value> {
        match exp {
            Exp::Const(value) => Ok(self.constant(*value)),
            Exp::Var(var) => self.use_var(*var),
            Exp::Bin(op, ty, x, y) => {
                if *op == BinOp::And
                    && let Some(holds) = self.both(x, y)?
                {
                    return Ok(holds);
                }
                let known = match **y {
                    Exp::Const(value) => Some(value),
                    Exp::Var(_)
                    | Exp::Bin(..)
                    | Exp::Un(..)
                    | Exp::Fma(..)
                    | Exp::Convert { .. }
                    | Exp::Select(..)
                    | Exp::Read { .. }
                    | Exp::Threads
                    | Exp::Param { .. } => None,
                };
                let x = self.exp(x)?;
                let y = self.exp(y)?;
                self.binary(*op, *ty, x, y, known)
            }
            Exp::Un(op, ty, x) => {
                let x = self.exp(x)?;
                self.unary(*op, *ty, x)
            }
            Exp::Fma(ty, [a, b, c]) => {
                let (a, b, c) = (self.exp(a)?, self.exp(b)?, self.exp(c)?);
                self.fma(*ty, a, b, c)
            }
            Exp::Convert { to, from, value } => {
                let value = self.exp(value)?;
                self.convert(*to, *from, value)
            }
            Exp::Select(condition, x, y) => {
                let condition = self.exp(condition)?;
                let x = self.exp(x)?;
                let y = self.exp(y)?;
                Ok(self.b.ins().select(condition, x, y))
            }
            Exp::Read { view, indices } => {
                let view = self.view(*view)?;
                if view.elem == PrimType::Unit {
                    self.exps(indices)?;
                    return Ok(self.constant(PrimValue::Unit));
                }
                let (address, offset) = self.address(&view, indices)?;
                Ok(self.b.ins().load(machine_type(view.elem), array_access(), address, offset))
            }
            Exp::Threads => self.call_runtime_value(Function::Threads, &[self.context]),
            // only programs by way of C are told others
            Exp::Param { usual, .. } => Ok(self.constant(PrimValue::I64(*usual))),
        }
    }

    /// The type of an expression; `known` has those of variables that the emitter does not.
    pub(super) fn type_of(&self, exp: &Exp, known: &dyn Fn(Var) -> Option<PrimType>) -> Option<PrimType> {
        match exp {
            Exp::Const(value) => Some(value.prim_type()),
            Exp::Var(var) => known(*var).or_else(|| match self.env.get(var)?.ty? {
                ImpType::Prim(ty) => Some(ty),
                ImpType::Mem(_) => None,
            }),
            Exp::Bin(op, ty, _, _) => op.result_type(*ty),
            Exp::Un(op, ty, _) => op.result_type(*ty),
            Exp::Fma(ty, _) => Some(*ty),
            Exp::Convert { to, .. } => Some(*to),
            Exp::Select(_, x, _) => self.type_of(x, known),
            Exp::Read { view, .. } => self.view(*view).ok().map(|view| view.elem),
            Exp::Threads | Exp::Param { .. } => Some(PrimType::I64),
        }
    }

    /// The values of expressions.
    pub(super) fn exps(&mut self, exps: &[Exp]) -> Emit<Vec<Value>> {
        exps.iter().map(|exp| self.exp(exp)).collect()
    }

    /// A constant.
    pub(super) fn constant(&mut self, value: PrimValue) -> Value {
        match value {
            PrimValue::F32(x) => self.b.ins().f32const(x),
            PrimValue::F64(x) => self.b.ins().f64const(x),
            PrimValue::I8(_)
            | PrimValue::I16(_)
            | PrimValue::I32(_)
            | PrimValue::I64(_)
            | PrimValue::U8(_)
            | PrimValue::U16(_)
            | PrimValue::U32(_)
            | PrimValue::U64(_)
            | PrimValue::F16(_)
            | PrimValue::Bool(_)
            | PrimValue::Unit => self.b.ins().iconst(machine_type(value.prim_type()), value.bits() as i64),
        }
    }

    /// How many loops around the current place the value of an expression depends on.
    pub(super) fn exp_depth(&self, exp: &Exp) -> u32 {
        match exp {
            Exp::Const(_) | Exp::Threads | Exp::Param { .. } => 0,
            Exp::Var(var) => match self.env.get(var) {
                Some(bound) => match bound.binding {
                    Binding::Fixed(_) | Binding::View(_) => bound.depth,
                    Binding::Mutable(_) => self.depth,
                },
                None => self.depth,
            },
            Exp::Bin(_, _, x, y) => self.exp_depth(x).max(self.exp_depth(y)),
            Exp::Un(_, _, x) | Exp::Convert { to: _, from: _, value: x } => self.exp_depth(x),
            Exp::Fma(_, [x, y, z]) => self.exp_depth(x).max(self.exp_depth(y)).max(self.exp_depth(z)),
            Exp::Select(c, x, y) => self.exp_depth(c).max(self.exp_depth(x)).max(self.exp_depth(y)),
            Exp::Read { .. } => self.depth,
        }
    }

    /// The representation as 64 bits, for calls of the runtime.
    pub(super) fn bits_of(&mut self, ty: PrimType, x: Value) -> Value {
        match ty {
            PrimType::I64 | PrimType::U64 => x,
            PrimType::F64 => self.b.ins().bitcast(types::I64, MemFlagsData::new(), x),
            PrimType::F32 => {
                let bits = self.b.ins().bitcast(types::I32, MemFlagsData::new(), x);
                self.b.ins().uextend(types::I64, bits)
            }
            PrimType::I8
            | PrimType::I16
            | PrimType::I32
            | PrimType::U8
            | PrimType::U16
            | PrimType::U32
            | PrimType::F16
            | PrimType::Bool
            | PrimType::Unit => self.b.ins().uextend(types::I64, x),
        }
    }

    /// The value with this representation.
    pub(super) fn of_bits(&mut self, ty: PrimType, bits: Value) -> Value {
        match ty {
            PrimType::I64 | PrimType::U64 => bits,
            PrimType::F64 => self.b.ins().bitcast(types::F64, MemFlagsData::new(), bits),
            PrimType::F32 => {
                let bits = self.b.ins().ireduce(types::I32, bits);
                self.b.ins().bitcast(types::F32, MemFlagsData::new(), bits)
            }
            PrimType::I8
            | PrimType::I16
            | PrimType::I32
            | PrimType::U8
            | PrimType::U16
            | PrimType::U32
            | PrimType::F16
            | PrimType::Bool
            | PrimType::Unit => self.b.ins().ireduce(machine_type(ty), bits),
        }
    }
}
