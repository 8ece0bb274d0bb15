//! Operators: dispatch, integers and bools. Floats are in `float`.

use super::{Emit, Emitter};
use crate::unit::machine_type;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, InstructionData, Opcode, Type, Value, types};
use fun_base::prim::{BinOp, EvalError, PrimType, PrimValue, UnOp};
use fun_runtime::scalar::{bin_number, type_number, un_number};
use fun_runtime::symbols::Function;

impl Emitter<'_, '_> {
    /// A binary operator on operands of type `ty`; `known` is the second when it is a constant.
    pub(super) fn binary(
        &mut self,
        op: BinOp,
        ty: PrimType,
        x: Value,
        y: Value,
        known: Option<PrimValue>,
    ) -> Emit<Value> {
        match ty {
            PrimType::F32 | PrimType::F64 => self.float_binary(op, ty, x, y),
            PrimType::F16 => self.runtime_binary(op, ty, x, y),
            PrimType::Unit => {
                Ok(self.b.ins().iconst(types::I8, i64::from(matches!(op, BinOp::Eq | BinOp::Le | BinOp::Ge))))
            }
            PrimType::Bool
            | PrimType::I8
            | PrimType::I16
            | PrimType::I32
            | PrimType::I64
            | PrimType::U8
            | PrimType::U16
            | PrimType::U32
            | PrimType::U64 => self.int_binary(op, ty, x, y, known.and_then(PrimValue::as_int)),
        }
    }

    /// A unary operator on an operand of type `ty`.
    pub(super) fn unary(&mut self, op: UnOp, ty: PrimType, x: Value) -> Emit<Value> {
        match ty {
            PrimType::F32 | PrimType::F64 => self.float_unary(op, ty, x),
            PrimType::F16 => self.half_unary(op, x),
            PrimType::Unit => Ok(x),
            PrimType::Bool => Ok(self.b.ins().bxor_imm_u(x, 1)),
            PrimType::I8
            | PrimType::I16
            | PrimType::I32
            | PrimType::I64
            | PrimType::U8
            | PrimType::U16
            | PrimType::U32
            | PrimType::U64 => self.int_unary(op, ty, x),
        }
    }

    /// A binary operator that the runtime computes.
    pub(super) fn runtime_binary(&mut self, op: BinOp, ty: PrimType, x: Value, y: Value) -> Emit<Value> {
        let result = op.result_type(ty).unwrap_or(ty);
        let x = self.bits_of(ty, x);
        let y = self.bits_of(ty, y);
        let (op, number) = (self.i32(bin_number(op)), self.i32(type_number(ty)));
        let bits = self.call_runtime_value(Function::Binary, &[op, number, x, y])?;
        Ok(self.of_bits(result, bits))
    }

    /// A unary operator that the runtime computes.
    pub(super) fn runtime_unary(&mut self, op: UnOp, ty: PrimType, x: Value) -> Emit<Value> {
        let result = op.result_type(ty).unwrap_or(ty);
        let x = self.bits_of(ty, x);
        let (op, number) = (self.i32(un_number(op)), self.i32(type_number(ty)));
        let bits = self.call_runtime_value(Function::Unary, &[op, number, x])?;
        Ok(self.of_bits(result, bits))
    }

    /// The comparison of two numbers and these, if a value is one of them by it. Adding to both does not wait for the comparison: recurrences
    /// such as `x := max(x, y) - 1` are a cycle shorter.
    fn chosen(&self, value: Value) -> Option<(Value, Value, Value)> {
        let data = |value: Value| Some(self.b.func.dfg.insts[self.b.func.dfg.value_def(value).inst()?]);
        let InstructionData::Ternary { opcode: Opcode::Select, args: [holds, x, y] } = data(value)? else {
            return None;
        };
        let compares = matches!(data(holds)?, InstructionData::IntCompare { args, .. } if args == [x, y]);
        compares.then_some((holds, x, y))
    }

    fn int_binary(
        &mut self,
        op: BinOp,
        ty: PrimType,
        x: Value,
        y: Value,
        known: Option<i128>,
    ) -> Emit<Value> {
        let signed = ty.is_signed();
        let compare = |signed_cc: IntCC| if signed { signed_cc } else { signed_cc.unsigned() };
        if let Some(value) = self.binary_in_lane(op, ty, x, y) {
            return Ok(value);
        }
        if ty.bits() == 32
            && known.is_some()
            && matches!(op, BinOp::Add | BinOp::Sub)
            && let Some((holds, a, b)) = self.chosen(x)
        {
            let a = self.int_binary(op, ty, a, y, None)?;
            let b = self.int_binary(op, ty, b, y, None)?;
            return Ok(self.choose(holds, a, b));
        }
        Ok(match op {
            BinOp::Add => self.b.ins().iadd(x, y),
            BinOp::Sub => self.b.ins().isub(x, y),
            BinOp::Mul => self.b.ins().imul(x, y),
            BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem => {
                return self.division(op, ty, x, y, known);
            }
            BinOp::Pow => {
                if signed && known.is_none_or(|y| y < 0) {
                    let holds = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, y, 0);
                    self.check(holds, &EvalError::NegativeExponent.to_string())?;
                }
                return self.runtime_binary(op, ty, x, y);
            }
            BinOp::Min => {
                let less = self.b.ins().icmp(compare(IntCC::SignedLessThan), x, y);
                self.choose(less, x, y)
            }
            BinOp::Max => {
                let more = self.b.ins().icmp(compare(IntCC::SignedGreaterThan), x, y);
                self.choose(more, x, y)
            }
            BinOp::And => self.b.ins().band(x, y),
            BinOp::Or => self.b.ins().bor(x, y),
            BinOp::Xor => self.b.ins().bxor(x, y),
            BinOp::Shl => {
                let shifted = self.b.ins().ishl(x, y);
                self.shift_in_range(ty, shifted, y, known)
            }
            BinOp::ShrLogical => {
                let shifted = self.b.ins().ushr(x, y);
                self.shift_in_range(ty, shifted, y, known)
            }
            BinOp::Shr if signed => {
                let last = i64::from(ty.bits() - 1);
                let inside = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, y, last);
                let last = self.b.ins().iconst(machine_type(ty), last);
                let count = self.b.ins().select(inside, y, last);
                self.b.ins().sshr(x, count)
            }
            BinOp::Shr => {
                let shifted = self.b.ins().ushr(x, y);
                self.shift_in_range(ty, shifted, y, known)
            }
            BinOp::MulHi => self.high_product(ty, x, y),
            BinOp::Eq => self.b.ins().icmp(IntCC::Equal, x, y),
            BinOp::Ne => self.b.ins().icmp(IntCC::NotEqual, x, y),
            BinOp::Lt => self.b.ins().icmp(compare(IntCC::SignedLessThan), x, y),
            BinOp::Le => self.b.ins().icmp(compare(IntCC::SignedLessThanOrEqual), x, y),
            BinOp::Gt => self.b.ins().icmp(compare(IntCC::SignedGreaterThan), x, y),
            BinOp::Ge => self.b.ins().icmp(compare(IntCC::SignedGreaterThanOrEqual), x, y),
            BinOp::Atan2 | BinOp::Hypot | BinOp::CopySign | BinOp::NextAfter | BinOp::Ldexp => {
                return Err(self.undefined(format!("{op:?}"), ty));
            }
        })
    }

    /// Machine shifts take the count modulo the width; counts outside give 0 here.
    fn shift_in_range(&mut self, ty: PrimType, shifted: Value, count: Value, known: Option<i128>) -> Value {
        let width = i64::from(ty.bits());
        if known.is_some_and(|n| (0..i128::from(width)).contains(&n)) {
            return shifted;
        }
        let inside = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, count, width);
        let zero = self.b.ins().iconst(machine_type(ty), 0);
        self.b.ins().select(inside, shifted, zero)
    }

    /// Quotients and remainders: never trap in the machine.
    fn division(&mut self, op: BinOp, ty: PrimType, x: Value, y: Value, known: Option<i128>) -> Emit<Value> {
        if known.is_none_or(|y| y == 0) {
            let holds = self.b.ins().icmp_imm_s(IntCC::NotEqual, y, 0);
            self.check(holds, &EvalError::DivisionByZero.to_string())?;
        }
        let quotient = matches!(op, BinOp::Div | BinOp::Quot);
        if !ty.is_signed() {
            return Ok(if quotient { self.b.ins().udiv(x, y) } else { self.b.ins().urem(x, y) });
        }
        let floors = matches!(op, BinOp::Div | BinOp::Mod);
        if let Some(k) = known.filter(|y| *y > 0)
            && floors
            && k & (k - 1) == 0
        {
            return Ok(if quotient {
                self.b.ins().sshr_imm_u(x, i64::from(k.trailing_zeros()))
            } else {
                self.b.ins().band_imm_s(x, (k - 1) as i64)
            });
        }
        // the one quotient that overflows has divisor -1: divide by 1 there and negate
        let minus = match known {
            Some(k) if k != -1 && k != 0 => None,
            _ => Some(self.b.ins().icmp_imm_s(IntCC::Equal, y, -1)),
        };
        let divisor = match minus {
            Some(minus) => {
                let one = self.b.ins().iconst(machine_type(ty), 1);
                self.b.ins().select(minus, one, y)
            }
            None => y,
        };
        if !quotient {
            let rest = self.b.ins().srem(x, divisor);
            if !floors {
                return Ok(rest);
            }
            let adjust = self.must_adjust(rest, divisor, known);
            let adjusted = self.b.ins().iadd(rest, divisor);
            return Ok(self.b.ins().select(adjust, adjusted, rest));
        }
        let mut result = self.b.ins().sdiv(x, divisor);
        if floors {
            let back = self.b.ins().imul(result, divisor);
            let rest = self.b.ins().isub(x, back);
            let adjust = self.must_adjust(rest, divisor, known);
            let less = self.b.ins().iadd_imm_s(result, -1);
            result = self.b.ins().select(adjust, less, result);
        }
        if let Some(minus) = minus {
            let negated = self.b.ins().ineg(x);
            result = self.b.ins().select(minus, negated, result);
        }
        Ok(result)
    }

    /// Whether a remainder rounded to zero differs from the one that has the divisor's sign.
    fn must_adjust(&mut self, rest: Value, divisor: Value, known: Option<i128>) -> Value {
        if known.is_some_and(|k| k > 0) {
            return self.b.ins().icmp_imm_s(IntCC::SignedLessThan, rest, 0);
        }
        let mixed = self.b.ins().bxor(rest, divisor);
        let differ = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, mixed, 0);
        let rest = self.b.ins().icmp_imm_s(IntCC::NotEqual, rest, 0);
        self.b.ins().band(rest, differ)
    }

    fn high_product(&mut self, ty: PrimType, x: Value, y: Value) -> Value {
        match ty {
            PrimType::I64 => self.b.ins().smulhi(x, y),
            PrimType::U64 => self.b.ins().umulhi(x, y),
            _ => {
                let (x, y) = (self.widen(ty, x, types::I64), self.widen(ty, y, types::I64));
                let product = self.b.ins().imul(x, y);
                let high = self.b.ins().ushr_imm_u(product, i64::from(ty.bits()));
                self.b.ins().ireduce(machine_type(ty), high)
            }
        }
    }

    /// An integer in a wider machine type, keeping its value.
    pub(super) fn widen(&mut self, ty: PrimType, x: Value, to: Type) -> Value {
        if machine_type(ty) == to {
            x
        } else if to == types::I64
            && let Some(extended) = self.extended_load(x, ty.is_signed())
        {
            extended
        } else if ty.is_signed() {
            self.b.ins().sextend(to, x)
        } else {
            self.b.ins().uextend(to, x)
        }
    }

    fn int_unary(&mut self, op: UnOp, ty: PrimType, x: Value) -> Emit<Value> {
        Ok(match op {
            UnOp::Neg => self.b.ins().ineg(x),
            UnOp::Not => self.b.ins().bnot(x),
            UnOp::Abs if ty.is_signed() && self.b.func.dfg.value_type(x).is_vector() => self.b.ins().iabs(x),
            UnOp::Abs if ty.is_signed() => {
                let negative = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, x, 0);
                let negated = self.b.ins().ineg(x);
                self.b.ins().select(negative, negated, x)
            }
            UnOp::Abs => x,
            UnOp::Sgn => {
                let nonzero = self.b.ins().icmp_imm_s(IntCC::NotEqual, x, 0);
                let one = self.of_bool(ty, nonzero);
                if ty.is_signed() {
                    let sign = self.b.ins().sshr_imm_u(x, i64::from(ty.bits() - 1));
                    self.b.ins().bor(sign, one)
                } else {
                    one
                }
            }
            UnOp::Popc | UnOp::Clz | UnOp::Ctz => self.count_bits(op, ty, x),
            UnOp::FromBits => match ty {
                PrimType::U16 => x,
                PrimType::U32 => {
                    self.b.ins().bitcast(types::F32, cranelift_codegen::ir::MemFlagsData::new(), x)
                }
                PrimType::U64 => {
                    self.b.ins().bitcast(types::F64, cranelift_codegen::ir::MemFlagsData::new(), x)
                }
                _ => return Err(self.undefined(format!("{op:?}"), ty)),
            },
            _ => return Err(self.undefined(format!("{op:?}"), ty)),
        })
    }

    /// A bool as 0 or 1 of an integer type.
    pub(super) fn of_bool(&mut self, ty: PrimType, x: Value) -> Value {
        let to = machine_type(ty);
        if to == types::I8 { x } else { self.b.ins().uextend(to, x) }
    }

    /// Counts in i32, of at least 32 bits.
    fn count_bits(&mut self, op: UnOp, ty: PrimType, x: Value) -> Value {
        let narrow = ty.bits() < 32;
        let wide = if narrow { self.b.ins().uextend(types::I32, x) } else { x };
        let count = match op {
            UnOp::Popc => self.b.ins().popcnt(wide),
            UnOp::Clz => {
                let zeros = self.b.ins().clz(wide);
                if narrow { self.b.ins().iadd_imm_s(zeros, i64::from(ty.bits()) - 32) } else { zeros }
            }
            _ => {
                let marked = if narrow { self.b.ins().bor_imm_u(wide, 1i64 << ty.bits()) } else { wide };
                self.b.ins().ctz(marked)
            }
        };
        if ty.bits() == 64 { self.b.ins().ireduce(types::I32, count) } else { count }
    }

    /// The error for an operator that the type does not have.
    pub(super) fn undefined(&self, op: String, ty: PrimType) -> crate::CompileError {
        crate::CompileError::new(format!("operator {op} is not defined on {ty}"))
    }
}
