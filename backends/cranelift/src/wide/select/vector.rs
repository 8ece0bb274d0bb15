//! Floats and vectors.

use super::super::code::{Class, Inst, Operand, Reg, View};
use super::integer::byte;
use super::tables::*;
use super::{Selected, Selector, view_of};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, InstructionData, Opcode, Value, types};
use iced_x86::Code;

/// Less than half of the distance between the greatest two floats of either width.
const MOST_ADDEND: f64 = 18_446_744_073_709_551_616.0;

impl Selector<'_> {
    /// An instruction on floats or vectors.
    pub(super) fn vectors(&mut self, inst: ir::Inst) -> Selected {
        match self.func.dfg.insts[inst] {
            InstructionData::Binary { opcode, args } => self.binary(inst, opcode, args),
            InstructionData::Unary { opcode, arg } => self.unary(inst, opcode, arg),
            InstructionData::Ternary { opcode, args } => self.ternary(inst, opcode, args),
            InstructionData::FloatCompare { cond, args: [x, y], .. } => {
                let (to, ty) = self.result(inst)?;
                if ty.is_vector() {
                    return self.float_compare(to, cond, x, y);
                }
                let mask = self.fresh(Class::Vector);
                self.float_compare(mask, cond, x, y)?;
                self.put(
                    Code::VEX_Vmovd_rm32_xmm,
                    [Operand::Def(to, View::Double), Operand::Use(mask, View::Xmm)],
                );
                let one = Operand::Immediate(1, iced_x86::OpKind::Immediate32);
                let result = self.fresh(Class::General);
                // a bool is 0 or 1
                let last = self.now.len() - 1;
                if let Inst::Machine { operands, .. } = &mut self.now[last] {
                    operands[0] = Operand::Def(result, View::Double);
                }
                self.copy(to, result, View::Quad);
                self.put(Code::And_rm32_imm32, [Operand::Change(to, View::Double), one]);
                Ok(())
            }
            InstructionData::IntCompare { cond, args: [x, y], .. } => {
                let (to, ty) = self.result(inst)?;
                self.integer_compare(to, ty, cond, x, y)
            }
            InstructionData::LoadNoOffset { opcode: Opcode::Bitcast, arg, .. } => self.cast(inst, arg),
            InstructionData::TernaryImm8 { opcode: Opcode::Insertlane, args: [vector, element], imm } => {
                self.insert(inst, vector, element, imm)
            }
            InstructionData::BinaryImm8 { opcode: Opcode::Extractlane, arg, imm } => {
                self.extract(inst, arg, imm)
            }
            InstructionData::Shuffle { args, imm, .. } => self.shuffle(inst, args, imm),
            _ => Err(self.unsupported(inst)),
        }
    }

    /// An instruction of three operands, the last of which may be in memory.
    pub(super) fn three(&mut self, to: Reg, code: Code, view: View, x: Value, y: Value) -> Selected {
        let left = self.reg(x)?;
        let right = self.operand(y)?;
        self.put(code, [Operand::Def(to, view), Operand::Use(left, view), right]);
        Ok(())
    }

    /// The same of registers.
    pub(super) fn three_regs(&mut self, code: Code, view: View, x: Reg, y: Reg) -> Reg {
        let to = self.fresh(Class::Vector);
        self.put(code, [Operand::Def(to, view), Operand::Use(x, view), Operand::UseOrMemory(y, view)]);
        to
    }

    /// A register with these bytes again and again.
    pub(super) fn pattern(&mut self, view: View, bytes: &[u8]) -> Operand {
        let width = if view == View::Ymm { 32 } else { 16 };
        Operand::Pool(self.pool(bytes.repeat(width / bytes.len())))
    }

    pub(super) fn with_pattern(&mut self, to: Reg, code: Code, view: View, x: Reg, bytes: &[u8]) {
        let pattern = self.pattern(view, bytes);
        self.put(code, [Operand::Def(to, view), Operand::Use(x, view), pattern]);
    }

    fn binary(&mut self, inst: ir::Inst, opcode: Opcode, [x, y]: [Value; 2]) -> Selected {
        let (to, ty) = self.result(inst)?;
        let view = view_of(ty)?;
        let wide = view == View::Ymm;
        let lane = ty.lane_type();
        let (mut x, mut y) = (x, y);
        if opcode == Opcode::Fadd
            && let Some((factor, power, addend)) =
                self.exact_product(x, y).or_else(|| self.exact_product(y, x))
            && let Some(forms) = fma(ty)
        {
            let (x, y) = (self.reg(factor)?, Operand::UseOrMemory(self.reg(power)?, view));
            let z = self.operand(addend)?;
            self.now.push(Inst::Fma { to, x, y, z, view, forms });
            return Ok(());
        }
        let commutes = matches!(
            opcode,
            Opcode::Fadd
                | Opcode::Fmul
                | Opcode::Iadd
                | Opcode::Imul
                | Opcode::Band
                | Opcode::Bor
                | Opcode::Bxor
        );
        if commutes && self.is_in_memory(x) && !self.is_in_memory(y) {
            (x, y) = (y, x);
        }
        let code = match opcode {
            Opcode::Fadd => float(ty, ADD),
            Opcode::Fsub => float(ty, SUB),
            Opcode::Fmul => float(ty, MUL),
            Opcode::Fdiv => float(ty, DIV),
            Opcode::Iadd => integers(lane, wide, INTEGER_ADD),
            Opcode::Isub => integers(lane, wide, INTEGER_SUB),
            Opcode::Imul => integers(lane, wide, INTEGER_MUL),
            Opcode::Band => Some(AND[usize::from(wide)]),
            Opcode::Bor => Some(OR[usize::from(wide)]),
            Opcode::Bxor => Some(XOR[usize::from(wide)]),
            Opcode::Smin => integers(lane, wide, SIGNED_MIN),
            Opcode::Smax => integers(lane, wide, SIGNED_MAX),
            Opcode::Umin => integers(lane, wide, UNSIGNED_MIN),
            Opcode::Umax => integers(lane, wide, UNSIGNED_MAX),
            // these three stand for shifts of each lane by another's (`emit/vector/shift.rs`)
            Opcode::AvgRound => integers(lane, wide, SHIFT_LEFT_BY_EACH),
            Opcode::UsubSat => integers(lane, wide, SHIFT_RIGHT_BY_EACH),
            Opcode::SaddSat => integers(lane, wide, SHIFT_SIGNED_BY_EACH),
            _ => None,
        };
        if let Some(code) = code {
            return self.three(to, code, view, x, y);
        }
        match opcode {
            Opcode::Fmin | Opcode::Fmax => {
                let least = opcode == Opcode::Fmin;
                let code = float(ty, if least { MIN } else { MAX }).ok_or_else(|| self.unsupported(inst))?;
                let (left, right) = (self.reg(x)?, self.reg(y)?);
                // of two zeros and of what is no number the machine gives the second operand
                let one = self.three_regs(code, view, left, right);
                let other = self.three_regs(code, view, right, left);
                if least {
                    let both = [Operand::Def(to, view), Operand::Use(one, view), Operand::Use(other, view)];
                    self.put(OR[usize::from(wide)], both);
                    return Ok(());
                }
                let both = self.three_regs(AND[usize::from(wide)], view, one, other);
                let nan = self.fresh(Class::Vector);
                self.compare_regs(nan, ty, 3, left, right)?;
                self.put(
                    OR[usize::from(wide)],
                    [Operand::Def(to, view), Operand::Use(both, view), Operand::Use(nan, view)],
                );
                Ok(())
            }
            Opcode::Fcopysign => {
                let (left, right) = (self.reg(x)?, self.reg(y)?);
                let sign = sign_bytes(lane);
                let (size, of_y) = (self.fresh(Class::Vector), self.fresh(Class::Vector));
                let mask = self.fresh(Class::Vector);
                let pattern = self.pattern(view, &sign);
                self.put(MOVE_WHOLE[usize::from(wide)], [Operand::Def(mask, view), pattern]);
                let both = |to, x, y| [Operand::Def(to, view), Operand::Use(x, view), Operand::Use(y, view)];
                self.put(AND_NOT[usize::from(wide)], both(size, mask, left));
                self.put(AND[usize::from(wide)], both(of_y, mask, right));
                self.put(OR[usize::from(wide)], both(to, size, of_y));
                Ok(())
            }
            Opcode::Imul if lane == types::I64 => {
                let (left, right) = (self.reg(x)?, self.reg(y)?);
                let product = PRODUCT[usize::from(wide)];
                if self.has_low_words(x) && self.has_low_words(y) {
                    self.put(
                        product,
                        [Operand::Def(to, view), Operand::Use(left, view), Operand::Use(right, view)],
                    );
                    return Ok(());
                }
                let low = self.three_regs(product, view, left, right);
                let (high_left, high_right) =
                    (self.shifted_by(view, left, 32, false), self.shifted_by(view, right, 32, false));
                let first = self.three_regs(product, view, high_left, right);
                let second = self.three_regs(product, view, left, high_right);
                let add = INTEGER_ADD[3][usize::from(wide)];
                let sum = self.three_regs(add, view, first, second);
                let high = self.shifted_by(view, sum, 32, true);
                self.put(add, [Operand::Def(to, view), Operand::Use(low, view), Operand::Use(high, view)]);
                Ok(())
            }
            Opcode::Smin | Opcode::Smax | Opcode::Umin | Opcode::Umax => {
                let cond = match opcode {
                    Opcode::Smin => IntCC::SignedLessThan,
                    Opcode::Smax => IntCC::SignedGreaterThan,
                    Opcode::Umin => IntCC::UnsignedLessThan,
                    _ => IntCC::UnsignedGreaterThan,
                };
                let mask = self.fresh(Class::Vector);
                self.integer_compare(mask, ty, cond, x, y)?;
                let (left, right) = (self.reg(x)?, Operand::Use(self.reg(y)?, view));
                let blend = BLEND[usize::from(wide)];
                self.put(
                    blend,
                    [
                        Operand::Def(to, view),
                        right,
                        Operand::UseOrMemory(left, view),
                        Operand::Use(mask, view),
                    ],
                );
                Ok(())
            }
            Opcode::Ishl | Opcode::Ushr | Opcode::Sshr => self.shift_lanes(inst, opcode, x, y),
            Opcode::Snarrow | Opcode::Unarrow => self.narrow(inst, opcode, x, y),
            _ => Err(self.unsupported(inst)),
        }
    }

    /// A product by a constant power of two, which is exact unless it is infinite, and a constant to add that is too small to bring a sum back from there:
    /// rounding once gives the same as rounding twice. The factor, the power and the addend.
    fn exact_product(&self, product: Value, addend: Value) -> Option<(Value, Value, Value)> {
        let (_, InstructionData::Binary { opcode: Opcode::Fmul, args: [x, y] }) = self.definition(product)?
        else {
            return None;
        };
        if !self.lanes_are(addend, |c| c.abs() <= MOST_ADDEND) {
            return None;
        }
        let is_power = |c: f64| (1.0..=MOST_ADDEND).contains(&c) && c.log2().fract() == 0.0;
        match (self.lanes_are(x, is_power), self.lanes_are(y, is_power)) {
            (_, true) => Some((x, y, addend)),
            (true, _) => Some((y, x, addend)),
            _ => None,
        }
    }

    /// Whether all lanes of a constant of floats are such numbers.
    fn lanes_are(&self, value: Value, holds: impl Fn(f64) -> bool) -> bool {
        let Some(bytes) = self.constant(value) else { return false };
        let number = |lane: &[u8]| match lane {
            [a, b, c, d] => f64::from(f32::from_le_bytes([*a, *b, *c, *d])),
            [a, b, c, d, e, f, g, h] => f64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h]),
            _ => f64::NAN,
        };
        bytes.chunks(self.ty(value).lane_type().bytes() as usize).all(|lane| holds(number(lane)))
    }

    /// 64-bit lanes shifted by a constant, without signs.
    fn shifted_by(&mut self, view: View, x: Reg, count: u8, left: bool) -> Reg {
        let to = self.fresh(Class::Vector);
        let codes = if left { SHIFT_LEFT[2] } else { SHIFT_RIGHT[2] };
        let code = codes[usize::from(view == View::Ymm)];
        self.put(code, [Operand::Def(to, view), Operand::Use(x, view), byte(count)]);
        to
    }

    fn shift_lanes(&mut self, inst: ir::Inst, opcode: Opcode, x: Value, count: Value) -> Selected {
        let (to, ty) = self.result(inst)?;
        let view = view_of(ty)?;
        let wide = usize::from(view == View::Ymm);
        let lane = ty.lane_type();
        let number = match lane {
            types::I16 => 0,
            types::I32 => 1,
            types::I64 => 2,
            _ => return Err(self.unsupported(inst)),
        };
        let Some(count) = self.integer(count) else {
            return self.shift_by_any(inst, opcode, number, x, count);
        };
        let count = count.rem_euclid(i64::from(lane.bits())) as u8;
        let from = self.reg(x)?;
        let code = match opcode {
            Opcode::Ishl => SHIFT_LEFT[number][wide],
            Opcode::Ushr => SHIFT_RIGHT[number][wide],
            _ if number < 2 => SHIFT_SIGNED[number][wide],
            _ => {
                // the sign, where it has come to stand, is spread by a difference
                let shifted = self.shifted_by(view, from, count, false);
                let sign = (1u64 << (63 - count)).to_le_bytes();
                let turned = self.fresh(Class::Vector);
                self.with_pattern(turned, XOR[wide], view, shifted, &sign);
                self.with_pattern(to, INTEGER_SUB[3][wide], view, turned, &sign);
                return Ok(());
            }
        };
        self.put(code, [Operand::Def(to, view), Operand::Use(from, view), byte(count)]);
        Ok(())
    }

    /// The same by a number in a register, modulo the width of lanes.
    fn shift_by_any(
        &mut self,
        inst: ir::Inst,
        opcode: Opcode,
        number: usize,
        x: Value,
        count: Value,
    ) -> Selected {
        let (to, ty) = self.result(inst)?;
        let view = view_of(ty)?;
        let codes = match opcode {
            Opcode::Ishl => SHIFT_LEFT_BY_ANY[number],
            Opcode::Ushr => SHIFT_RIGHT_BY_ANY[number],
            _ if number < 2 => SHIFT_SIGNED_BY_ANY[number],
            _ => return Err(self.unsupported(inst)),
        };
        let (from, count) = (self.reg(x)?, self.reg(count)?);
        let (within, counts) = (self.fresh(Class::General), self.fresh(Class::Vector));
        self.copy(within, count, View::Quad);
        let last = Operand::Immediate(i64::from(ty.lane_bits() - 1), iced_x86::OpKind::Immediate32);
        self.put(Code::And_rm32_imm32, [Operand::Change(within, View::Double), last]);
        let moved = [Operand::Def(counts, View::Xmm), Operand::Use(within, View::Double)];
        self.put(Code::VEX_Vmovd_xmm_rm32, moved);
        let operands = [Operand::Def(to, view), Operand::Use(from, view), Operand::Use(counts, View::Xmm)];
        self.put(codes[usize::from(view == View::Ymm)], operands);
        Ok(())
    }

    fn unary(&mut self, inst: ir::Inst, opcode: Opcode, arg: Value) -> Selected {
        let (to, ty) = self.result(inst)?;
        let view = view_of(ty)?;
        let wide = usize::from(view == View::Ymm);
        let lane = ty.lane_type();
        match opcode {
            Opcode::Fneg => {
                let x = self.reg(arg)?;
                self.with_pattern(to, XOR[wide], view, x, &sign_bytes(lane));
            }
            Opcode::Fabs => {
                let x = self.reg(arg)?;
                let others: Vec<u8> = sign_bytes(lane).iter().map(|byte| !byte).collect();
                self.with_pattern(to, AND[wide], view, x, &others);
            }
            Opcode::Bnot => {
                let x = self.reg(arg)?;
                self.with_pattern(to, XOR[wide], view, x, &[0xff]);
            }
            Opcode::Sqrt => {
                let code = float(ty, SQRT).ok_or_else(|| self.unsupported(inst))?;
                if ty.is_vector() {
                    let x = self.operand(arg)?;
                    self.put(code, [Operand::Def(to, view), x]);
                } else {
                    let x = self.reg(arg)?;
                    self.put(code, [Operand::Def(to, view), Operand::Use(x, view), Operand::Use(x, view)]);
                }
            }
            Opcode::Nearest | Opcode::Floor | Opcode::Ceil | Opcode::Trunc => {
                let code = float(ty, ROUND).ok_or_else(|| self.unsupported(inst))?;
                let mode = byte(match opcode {
                    Opcode::Nearest => 8,
                    Opcode::Floor => 9,
                    Opcode::Ceil => 10,
                    _ => 11,
                });
                let x = Operand::Use(self.reg(arg)?, view);
                if ty.is_vector() {
                    self.put(code, [Operand::Def(to, view), x, mode]);
                } else {
                    self.put(code, [Operand::Def(to, view), x, x, mode]);
                }
            }
            Opcode::Ineg | Opcode::Iabs => {
                let x = self.reg(arg)?;
                let sub = integers(lane, wide == 1, INTEGER_SUB).ok_or_else(|| self.unsupported(inst))?;
                if opcode == Opcode::Iabs
                    && let Some(code) = integers(lane, wide == 1, ABS)
                {
                    self.put(code, [Operand::Def(to, view), Operand::Use(x, view)]);
                    return Ok(());
                }
                let zero = self.fresh(Class::Vector);
                self.now.push(Inst::Zero { to: zero });
                if opcode == Opcode::Ineg {
                    self.put(sub, [Operand::Def(to, view), Operand::Use(zero, view), Operand::Use(x, view)]);
                    return Ok(());
                }
                let negative = self.three_regs(GREATER[3][wide], view, zero, x);
                let turned = self.three_regs(XOR[wide], view, x, negative);
                self.put(
                    sub,
                    [Operand::Def(to, view), Operand::Use(turned, view), Operand::Use(negative, view)],
                );
            }
            Opcode::Splat => return self.splat(to, ty, arg),
            Opcode::ScalarToVector => return self.lone(inst, to, ty, arg),
            Opcode::SwidenLow | Opcode::SwidenHigh | Opcode::UwidenLow | Opcode::UwidenHigh => {
                return self.widen(inst, opcode, arg);
            }
            // these two stand for conversions between floats of the two widths (`emit/elementary.rs`)
            Opcode::FcvtFromUint if ty == types::F64X4 && self.ty(arg) == types::I32X4 => {
                let x = self.operand(arg)?;
                self.put(Code::VEX_Vcvtps2pd_ymm_xmmm128, [Operand::Def(to, view), x]);
            }
            Opcode::FcvtToUintSat if ty == types::I32X4 && self.ty(arg) == types::F64X4 => {
                let x = self.operand(arg)?;
                self.put(Code::VEX_Vcvtpd2ps_xmm_ymmm256, [Operand::Def(to, view), x]);
            }
            Opcode::X86Cvtt2dq => {
                let codes = [Code::VEX_Vcvttps2dq_xmm_xmmm128, Code::VEX_Vcvttps2dq_ymm_ymmm256];
                let x = self.operand(arg)?;
                self.put(codes[wide], [Operand::Def(to, view), x]);
            }
            Opcode::FcvtFromSint | Opcode::FcvtFromUint => {
                return self.float_of(inst, arg, opcode == Opcode::FcvtFromSint);
            }
            Opcode::FvpromoteLow => {
                let x = self.reg(arg)?;
                self.put(
                    Code::VEX_Vcvtps2pd_xmm_xmmm64,
                    [Operand::Def(to, View::Xmm), Operand::Use(x, View::Xmm)],
                );
            }
            Opcode::Fvdemote => {
                let x = self.reg(arg)?;
                self.put(
                    Code::VEX_Vcvtpd2ps_xmm_xmmm128,
                    [Operand::Def(to, View::Xmm), Operand::Use(x, View::Xmm)],
                );
            }
            Opcode::Fpromote | Opcode::Fdemote => {
                let x = Operand::Use(self.reg(arg)?, View::Xmm);
                let code = match opcode {
                    Opcode::Fpromote => Code::VEX_Vcvtss2sd_xmm_xmm_xmmm32,
                    _ => Code::VEX_Vcvtsd2ss_xmm_xmm_xmmm64,
                };
                self.put(code, [Operand::Def(to, View::Xmm), x, x]);
            }
            _ => return Err(self.unsupported(inst)),
        }
        Ok(())
    }
}
