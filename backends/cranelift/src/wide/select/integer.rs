//! Integers in general registers.

use super::super::Unsupported;
use super::super::code::{Address, Base, Class, Condition, Operand, Reg, View};
use super::{Selected, Selector, view_of};
use cranelift_codegen::ir::condcodes::{CondCode, IntCC};
use cranelift_codegen::ir::{self, InstructionData, Opcode, Type, Value, types};
use iced_x86::{Code, OpKind};

/// Operators by the numbers of conditions: a byte that is 0 or 1.
const SETS: [Code; 16] = [
    Code::Seto_rm8,
    Code::Setno_rm8,
    Code::Setb_rm8,
    Code::Setae_rm8,
    Code::Sete_rm8,
    Code::Setne_rm8,
    Code::Setbe_rm8,
    Code::Seta_rm8,
    Code::Sets_rm8,
    Code::Setns_rm8,
    Code::Setp_rm8,
    Code::Setnp_rm8,
    Code::Setl_rm8,
    Code::Setge_rm8,
    Code::Setle_rm8,
    Code::Setg_rm8,
];

/// The same: a move if the condition holds.
const MOVES: [Code; 16] = [
    Code::Cmovo_r64_rm64,
    Code::Cmovno_r64_rm64,
    Code::Cmovb_r64_rm64,
    Code::Cmovae_r64_rm64,
    Code::Cmove_r64_rm64,
    Code::Cmovne_r64_rm64,
    Code::Cmovbe_r64_rm64,
    Code::Cmova_r64_rm64,
    Code::Cmovs_r64_rm64,
    Code::Cmovns_r64_rm64,
    Code::Cmovp_r64_rm64,
    Code::Cmovnp_r64_rm64,
    Code::Cmovl_r64_rm64,
    Code::Cmovge_r64_rm64,
    Code::Cmovle_r64_rm64,
    Code::Cmovg_r64_rm64,
];

/// What the machine calls a comparison.
fn condition_of(cond: IntCC) -> Condition {
    Condition(match cond {
        IntCC::Equal => 4,
        IntCC::NotEqual => 5,
        IntCC::SignedLessThan => 12,
        IntCC::SignedGreaterThanOrEqual => 13,
        IntCC::SignedGreaterThan => 15,
        IntCC::SignedLessThanOrEqual => 14,
        IntCC::UnsignedLessThan => 2,
        IntCC::UnsignedGreaterThanOrEqual => 3,
        IntCC::UnsignedGreaterThan => 7,
        IntCC::UnsignedLessThanOrEqual => 6,
    })
}

/// A number as part of an instruction, in the form of the narrow ones.
pub(super) fn byte(value: u8) -> Operand {
    Operand::Immediate(i64::from(value as i8), OpKind::Immediate8)
}

impl Selector<'_> {
    /// A constant with its sign, where it fits in the instructions that take one.
    fn small(&self, value: Value) -> Option<i64> {
        let bits = self.integer(value)?;
        let unused = 64 - self.ty(value).bits();
        let signed = bits << unused >> unused;
        i32::try_from(signed).is_ok().then_some(signed)
    }

    /// An integer operand that may be in memory: only there as wide as the operation.
    fn integer_operand(&mut self, value: Value, view: View) -> Selected<Operand> {
        if matches!(self.ty(value), types::I32 | types::I64)
            && let Some(address) = self.loaded(value)?
        {
            return Ok(Operand::Memory(address));
        }
        Ok(Operand::UseOrMemory(self.reg(value)?, view))
    }

    /// An operation of two operands, the first of which it overwrites.
    fn overwriting(&mut self, inst: ir::Inst, wide: [Code; 2], double: [Code; 2]) -> Selected {
        let (to, ty) = self.result(inst)?;
        let view = if ty == types::I64 { View::Quad } else { View::Double };
        let codes = if ty == types::I64 { wide } else { double };
        let [x, y] = *self.args(inst) else { return Err(self.unsupported(inst)) };
        let from = self.reg(x)?;
        let (code, operand) = match self.small(y) {
            Some(constant) => {
                let kind = if ty == types::I64 { OpKind::Immediate32to64 } else { OpKind::Immediate32 };
                (codes[1], Operand::Immediate(constant, kind))
            }
            None => (codes[0], self.integer_operand(y, view)?),
        };
        self.copy(to, from, View::Quad);
        self.put(code, [Operand::Change(to, view), operand]);
        Ok(())
    }

    /// An instruction on integers with an integer result.
    pub(super) fn integers(&mut self, inst: ir::Inst) -> Selected {
        let data = self.func.dfg.insts[inst];
        match data {
            InstructionData::Binary { opcode: Opcode::Iadd, args: [x, y] } => {
                let (to, ty) = self.result(inst)?;
                let address = match self.small(y) {
                    Some(constant) => {
                        let base = Base::Reg(self.reg(x)?);
                        Address { base, index: None, offset: constant as i32 }
                    }
                    None => self.sum([x, y], 0)?,
                };
                let (code, view) = match ty {
                    types::I64 => (Code::Lea_r64_m, View::Quad),
                    _ => (Code::Lea_r32_m, View::Double),
                };
                self.put(code, [Operand::Def(to, view), Operand::Memory(address)]);
                Ok(())
            }
            InstructionData::Binary { opcode: Opcode::Isub, .. } => self.overwriting(
                inst,
                [Code::Sub_r64_rm64, Code::Sub_rm64_imm32],
                [Code::Sub_r32_rm32, Code::Sub_rm32_imm32],
            ),
            InstructionData::Binary { opcode: Opcode::Band, .. } => self.overwriting(
                inst,
                [Code::And_r64_rm64, Code::And_rm64_imm32],
                [Code::And_r32_rm32, Code::And_rm32_imm32],
            ),
            InstructionData::Binary { opcode: Opcode::Bor, .. } => self.overwriting(
                inst,
                [Code::Or_r64_rm64, Code::Or_rm64_imm32],
                [Code::Or_r32_rm32, Code::Or_rm32_imm32],
            ),
            InstructionData::Binary { opcode: Opcode::Bxor, .. } => self.overwriting(
                inst,
                [Code::Xor_r64_rm64, Code::Xor_rm64_imm32],
                [Code::Xor_r32_rm32, Code::Xor_rm32_imm32],
            ),
            InstructionData::Binary { opcode: Opcode::Imul, args: [x, y] } => {
                let (to, ty) = self.result(inst)?;
                let is_quad = ty == types::I64;
                let view = if is_quad { View::Quad } else { View::Double };
                if let Some(constant) = self.small(y) {
                    let (code, kind) = match is_quad {
                        true => (Code::Imul_r64_rm64_imm32, OpKind::Immediate32to64),
                        false => (Code::Imul_r32_rm32_imm32, OpKind::Immediate32),
                    };
                    let operand = self.integer_operand(x, view)?;
                    self.put(code, [Operand::Def(to, view), operand, Operand::Immediate(constant, kind)]);
                    return Ok(());
                }
                let from = self.reg(x)?;
                let operand = self.integer_operand(y, view)?;
                self.copy(to, from, View::Quad);
                let code = if is_quad { Code::Imul_r64_rm64 } else { Code::Imul_r32_rm32 };
                self.put(code, [Operand::Change(to, view), operand]);
                Ok(())
            }
            // the upper half of a product, which quotients by constants are made of
            InstructionData::Binary { opcode: opcode @ (Opcode::Umulhi | Opcode::Smulhi), args } => {
                let (to, ty) = self.result(inst)?;
                if ty != types::I32 {
                    return Err(self.unsupported(inst));
                }
                let signed = opcode == Opcode::Smulhi;
                let [x, y] = [self.fresh(Class::General), self.fresh(Class::General)];
                self.extend(x, types::I64, args[0], signed)?;
                self.extend(y, types::I64, args[1], signed)?;
                let quad = |reg| Operand::Change(reg, View::Quad);
                self.put(Code::Imul_r64_rm64, [quad(x), Operand::UseOrMemory(y, View::Quad)]);
                self.copy(to, x, View::Quad);
                self.put(Code::Shr_rm64_imm8, [quad(to), byte(32)]);
                Ok(())
            }
            InstructionData::Binary {
                opcode: opcode @ (Opcode::Ishl | Opcode::Ushr | Opcode::Sshr),
                args,
            } => self.shift(inst, opcode, args),
            InstructionData::Unary { opcode: opcode @ (Opcode::Ineg | Opcode::Bnot), arg } => {
                let (to, _) = self.result(inst)?;
                let from = self.reg(arg)?;
                self.copy(to, from, View::Quad);
                let code = if opcode == Opcode::Ineg { Code::Neg_rm64 } else { Code::Not_rm64 };
                self.put(code, [Operand::Change(to, View::Quad)]);
                Ok(())
            }
            InstructionData::Unary { opcode: Opcode::Iabs, arg } => {
                let (to, ty) = self.result(inst)?;
                let x = self.fresh(Class::General);
                if ty.bits() < 32 {
                    self.extend(x, types::I32, arg, true)?;
                } else {
                    let from = self.reg(arg)?;
                    self.copy(x, from, View::Quad);
                }
                self.copy(to, x, View::Quad);
                let (code, view) = match ty {
                    types::I64 => (Code::Neg_rm64, View::Quad),
                    _ => (Code::Neg_rm32, View::Double),
                };
                self.put(code, [Operand::Change(to, view)]);
                // where that is negative, the number was not
                let is_negative = MOVES[8];
                self.put(is_negative, [Operand::Change(to, View::Quad), Operand::UseOrMemory(x, View::Quad)]);
                Ok(())
            }
            InstructionData::Unary { opcode: opcode @ (Opcode::Sextend | Opcode::Uextend), arg } => {
                let (to, ty) = self.result(inst)?;
                self.extend(to, ty, arg, opcode == Opcode::Sextend)
            }
            InstructionData::Unary { opcode: Opcode::Ireduce, arg } => {
                let (to, _) = self.result(inst)?;
                let from = self.reg(arg)?;
                self.copy(to, from, View::Quad);
                Ok(())
            }
            InstructionData::IntCompare { cond, .. } => {
                let (to, _) = self.result(inst)?;
                let condition = self.compare(inst, cond)?;
                self.put(SETS[usize::from(condition.0)], [Operand::Def(to, View::Byte)]);
                Ok(())
            }
            InstructionData::Ternary { opcode: Opcode::Select, args: [condition, x, y] } => {
                let (to, _) = self.result(inst)?;
                let (x, y) = (self.reg(x)?, self.reg(y)?);
                let condition = self.condition(condition)?;
                self.choose(to, condition, x, y);
                Ok(())
            }
            InstructionData::Binary {
                opcode: opcode @ (Opcode::Smin | Opcode::Smax | Opcode::Umin | Opcode::Umax),
                args: [x, y],
            } => {
                let (to, ty) = self.result(inst)?;
                let cond = match opcode {
                    Opcode::Smin => IntCC::SignedLessThan,
                    Opcode::Smax => IntCC::SignedGreaterThan,
                    Opcode::Umin => IntCC::UnsignedLessThan,
                    _ => IntCC::UnsignedGreaterThan,
                };
                let (left, right) = (self.reg(x)?, self.reg(y)?);
                let view = view_of(ty)?;
                let code = compare_code(view)?[0];
                self.put(code, [Operand::Use(left, view), Operand::UseOrMemory(right, view)]);
                self.choose(to, condition_of(cond), left, right);
                Ok(())
            }
            _ => Err(self.unsupported(inst)),
        }
    }

    /// The first where the flags say so.
    fn choose(&mut self, to: Reg, condition: Condition, x: Reg, y: Reg) {
        self.copy(to, y, View::Quad);
        let code = MOVES[usize::from(condition.0)];
        self.put(code, [Operand::Change(to, View::Quad), Operand::UseOrMemory(x, View::Quad)]);
    }

    /// A wider integer.
    pub(super) fn extend(&mut self, to: Reg, ty: Type, value: Value, signed: bool) -> Selected {
        let from = view_of(self.ty(value))?;
        let quad = ty == types::I64;
        let (code, view) = match (from, signed, quad) {
            (View::Byte, true, true) => (Code::Movsx_r64_rm8, View::Quad),
            (View::Byte, true, false) => (Code::Movsx_r32_rm8, View::Double),
            (View::Word, true, true) => (Code::Movsx_r64_rm16, View::Quad),
            (View::Word, true, false) => (Code::Movsx_r32_rm16, View::Double),
            (View::Double, true, _) => (Code::Movsxd_r64_rm32, View::Quad),
            (View::Byte, false, _) => (Code::Movzx_r32_rm8, View::Double),
            (View::Word, false, _) => (Code::Movzx_r32_rm16, View::Double),
            (View::Double, false, _) => (Code::Mov_r32_rm32, View::Double),
            _ => return Err(Unsupported::new(format!("extensions to {ty}"))),
        };
        let operand = match self.loaded(value)? {
            Some(address) => Operand::Memory(address),
            None => Operand::UseOrMemory(self.reg(value)?, from),
        };
        self.put(code, [Operand::Def(to, view), operand]);
        Ok(())
    }

    fn shift(&mut self, inst: ir::Inst, opcode: Opcode, [x, count]: [Value; 2]) -> Selected {
        let (to, ty) = self.result(inst)?;
        let quad = ty == types::I64;
        let view = if quad { View::Quad } else { View::Double };
        if let Some(count) = self.integer(count) {
            let count = count.rem_euclid(i64::from(ty.bits())) as u8;
            if ty.bits() < 32 && opcode != Opcode::Ishl {
                self.extend(to, types::I32, x, opcode == Opcode::Sshr)?;
            } else {
                let from = self.reg(x)?;
                self.copy(to, from, View::Quad);
            }
            let code = match (opcode, quad) {
                (Opcode::Ishl, true) => Code::Shl_rm64_imm8,
                (Opcode::Ishl, false) => Code::Shl_rm32_imm8,
                (Opcode::Ushr, true) => Code::Shr_rm64_imm8,
                (Opcode::Ushr, false) => Code::Shr_rm32_imm8,
                (_, true) => Code::Sar_rm64_imm8,
                (_, false) => Code::Sar_rm32_imm8,
            };
            self.put(code, [Operand::Change(to, view), byte(count)]);
            return Ok(());
        }
        if ty.bits() < 32 {
            return Err(self.unsupported(inst));
        }
        let code = match (opcode, quad) {
            (Opcode::Ishl, true) => Code::VEX_Shlx_r64_rm64_r64,
            (Opcode::Ishl, false) => Code::VEX_Shlx_r32_rm32_r32,
            (Opcode::Ushr, true) => Code::VEX_Shrx_r64_rm64_r64,
            (Opcode::Ushr, false) => Code::VEX_Shrx_r32_rm32_r32,
            (_, true) => Code::VEX_Sarx_r64_rm64_r64,
            (_, false) => Code::VEX_Sarx_r32_rm32_r32,
        };
        let operand = Operand::UseOrMemory(self.reg(x)?, view);
        let count = Operand::Use(self.reg(count)?, view);
        self.put(code, [Operand::Def(to, view), operand, count]);
        Ok(())
    }

    /// Sets the flags by a comparison.
    pub(super) fn compare(&mut self, inst: ir::Inst, cond: IntCC) -> Selected<Condition> {
        let [x, y] = *self.args(inst) else { return Err(self.unsupported(inst)) };
        let (x, y, cond) = if self.small(x).is_some() && self.small(y).is_none() {
            (y, x, cond.swap_args())
        } else {
            (x, y, cond)
        };
        let view = view_of(self.ty(x))?;
        let [code, immediate] = compare_code(view)?;
        let left = Operand::Use(self.reg(x)?, view);
        let right = match self.small(y) {
            Some(constant) if i8::try_from(constant).is_ok() && matches!(view, View::Double | View::Quad) => {
                let (immediate, kind) = match view {
                    View::Quad => (Code::Cmp_rm64_imm8, OpKind::Immediate8to64),
                    _ => (Code::Cmp_rm32_imm8, OpKind::Immediate8to32),
                };
                self.put(immediate, [left, Operand::Immediate(constant, kind)]);
                return Ok(condition_of(cond));
            }
            Some(constant) => {
                let kind = match view {
                    View::Byte => OpKind::Immediate8,
                    View::Word => OpKind::Immediate16,
                    View::Quad => OpKind::Immediate32to64,
                    _ => OpKind::Immediate32,
                };
                self.put(immediate, [left, Operand::Immediate(constant, kind)]);
                return Ok(condition_of(cond));
            }
            None => Operand::UseOrMemory(self.reg(y)?, view),
        };
        self.put(code, [left, right]);
        Ok(condition_of(cond))
    }
}

/// Comparisons with an operand and with a constant.
fn compare_code(view: View) -> Selected<[Code; 2]> {
    Ok(match view {
        View::Byte => [Code::Cmp_r8_rm8, Code::Cmp_rm8_imm8],
        View::Word => [Code::Cmp_r16_rm16, Code::Cmp_rm16_imm16],
        View::Double => [Code::Cmp_r32_rm32, Code::Cmp_rm32_imm32],
        View::Quad => [Code::Cmp_r64_rm64, Code::Cmp_rm64_imm32],
        View::Xmm | View::Ymm => return Err(Unsupported::new("comparisons of vectors")),
    })
}
