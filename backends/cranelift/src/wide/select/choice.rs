//! Comparisons, the masks that they give, and choices by these.

use super::super::Unsupported;
use super::super::code::{Class, Inst, Operand, Reg, View};
use super::integer::byte;
use super::tables::*;
use super::{Selected, Selector, view_of};
use cranelift_codegen::ir::condcodes::{CondCode, FloatCC, IntCC};
use cranelift_codegen::ir::{self, InstructionData, Opcode, Type, Value, types};
use iced_x86::Code;

/// How deeply it is looked whether something is a mask.
pub(super) const MASK_DEPTH: u32 = 8;

impl Selector<'_> {
    pub(super) fn ternary(&mut self, inst: ir::Inst, opcode: Opcode, [x, y, z]: [Value; 3]) -> Selected {
        let (to, ty) = self.result(inst)?;
        let view = view_of(ty)?;
        let wide = usize::from(view == View::Ymm);
        match opcode {
            Opcode::Fma => {
                let forms = fma(ty).ok_or_else(|| self.unsupported(inst))?;
                // one of them may be in memory; factors may change places
                let (x, y) = if self.is_in_memory(x) && !self.is_in_memory(z) { (y, x) } else { (x, y) };
                let x = self.reg(x)?;
                let in_memory = self.is_in_memory(z);
                let y = if in_memory { Operand::UseOrMemory(self.reg(y)?, view) } else { self.operand(y)? };
                let z = if in_memory { self.operand(z)? } else { Operand::UseOrMemory(self.reg(z)?, view) };
                self.now.push(Inst::Fma { to, x, y, z, view, forms });
                Ok(())
            }
            Opcode::Bitselect if let Some((codes, first, second)) = self.extreme(x, y, z) => {
                let code = float(self.ty(first), codes).ok_or_else(|| self.unsupported(inst))?;
                self.three(to, code, view, first, second)
            }
            Opcode::Bitselect if self.is_mask(x, MASK_DEPTH) => {
                let (mask, other) = (self.reg(x)?, self.reg(z)?);
                let one = self.operand(y)?;
                self.put(
                    BLEND[wide],
                    [Operand::Def(to, view), Operand::Use(other, view), one, Operand::Use(mask, view)],
                );
                Ok(())
            }
            Opcode::Bitselect => {
                let (mask, one, other) = (self.reg(x)?, self.reg(y)?, self.reg(z)?);
                let one = self.three_regs(AND[wide], view, mask, one);
                let other = self.three_regs(AND_NOT[wide], view, mask, other);
                self.put(
                    OR[wide],
                    [Operand::Def(to, view), Operand::Use(one, view), Operand::Use(other, view)],
                );
                Ok(())
            }
            Opcode::Select if !ty.is_vector() => {
                let mask = self.mask_of(x, ty)?;
                let other = self.reg(z)?;
                let one = Operand::Use(self.reg(y)?, view);
                self.put(
                    BLEND[0],
                    [Operand::Def(to, view), Operand::Use(other, view), one, Operand::Use(mask, view)],
                );
                Ok(())
            }
            _ => Err(self.unsupported(inst)),
        }
    }

    /// For a choice between what a comparison compares: the instruction that gives its first operand where that is less or greater, and
    /// else its second, also of two zeros and where one is no number; with these operands.
    fn extreme(&self, condition: Value, x: Value, y: Value) -> Option<([Code; 6], Value, Value)> {
        let data = match self.definition(condition)?.1 {
            InstructionData::LoadNoOffset { opcode: Opcode::Bitcast, arg, .. } => self.definition(arg)?.1,
            data => data,
        };
        let InstructionData::FloatCompare { cond, args: [a, b], .. } = data else { return None };
        if self.ty(a) != self.ty(x) {
            return None;
        }
        match (cond, a == x && b == y, a == y && b == x) {
            (FloatCC::LessThan, true, _) | (FloatCC::GreaterThan, _, true) => Some((MIN, x, y)),
            (FloatCC::GreaterThan, true, _) | (FloatCC::LessThan, _, true) => Some((MAX, x, y)),
            _ => None,
        }
    }

    /// A condition as a mask of the bytes of a scalar of this type, or more. The comparison of two floats gives as many as they have.
    fn mask_of(&mut self, condition: Value, chosen: Type) -> Selected<Reg> {
        if let Some((inst, InstructionData::FloatCompare { cond, args: [x, y], .. })) =
            self.definition(condition)
            && self.is_used_once(condition)
            && !self.ty(self.func.dfg.first_result(inst)).is_vector()
            && self.ty(x).bytes() >= chosen.bytes()
        {
            let mask = self.fresh(Class::Vector);
            self.float_compare(mask, cond, x, y)?;
            return Ok(mask);
        }
        let wide = self.fresh(Class::General);
        match self.ty(condition) {
            types::I64 => return Err(Unsupported::new("a condition of 64 bits for floats")),
            _ => self.extend(wide, types::I64, condition, false)?,
        }
        // Any integer but zero holds: Cranelift leaves comparisons with zero out. Negation carries if it is not of zero.
        let negative = self.fresh(Class::General);
        self.copy(negative, wide, View::Quad);
        self.put(Code::Neg_rm64, [Operand::Change(negative, View::Quad)]);
        self.put(
            Code::Sbb_r64_rm64,
            [Operand::Change(negative, View::Quad), Operand::Use(negative, View::Quad)],
        );
        let mask = self.fresh(Class::Vector);
        self.put(
            Code::VEX_Vmovq_xmm_rm64,
            [Operand::Def(mask, View::Xmm), Operand::UseOrMemory(negative, View::Quad)],
        );
        Ok(mask)
    }

    /// Whether all lanes of a vector are known to have only ones or only zeros as bits.
    pub(super) fn is_mask(&self, value: Value, depth: u32) -> bool {
        let Some((inst, data)) = self.definition(value) else { return false };
        if depth == 0 || !self.ty(value).is_vector() {
            return false;
        }
        match data.opcode() {
            Opcode::Icmp | Opcode::Fcmp => true,
            Opcode::Vconst | Opcode::Splat => {
                self.constant(value).is_some_and(|bytes| bytes.iter().all(|byte| *byte == 0 || *byte == 0xff))
            }
            Opcode::Bitcast
            | Opcode::Band
            | Opcode::Bor
            | Opcode::Bxor
            | Opcode::Bnot
            | Opcode::Snarrow
            | Opcode::SwidenLow
            | Opcode::SwidenHigh
            | Opcode::Shuffle => self.args(inst).iter().all(|arg| self.is_mask(*arg, depth - 1)),
            _ => false,
        }
    }

    /// Whether the elements of a vector of 64 bits are known to be less than 2^32.
    pub(super) fn has_low_words(&self, value: Value) -> bool {
        let is_constant = |value: Value| {
            let bytes = self.constant(value);
            bytes.is_some_and(|bytes| bytes.chunks(8).all(|word| word[4..] == [0; 4]))
        };
        let Some((inst, data)) = self.definition(value) else { return false };
        match (data.opcode(), self.args(inst)) {
            (Opcode::UwidenLow | Opcode::UwidenHigh, _) => true,
            (Opcode::Band, [x, y]) => is_constant(*x) || is_constant(*y),
            (Opcode::Ushr, [_, count]) => self.integer(*count).is_some_and(|count| (32..64).contains(&count)),
            _ => is_constant(value),
        }
    }

    pub(super) fn compare_regs(&mut self, to: Reg, ty: Type, predicate: u8, x: Reg, y: Reg) -> Selected {
        let view = view_of(ty)?;
        let code = float(ty, COMPARE).ok_or_else(|| Unsupported::new(format!("comparisons of {ty}")))?;
        self.put(
            code,
            [Operand::Def(to, view), Operand::Use(x, view), Operand::UseOrMemory(y, view), byte(predicate)],
        );
        Ok(())
    }

    pub(super) fn float_compare(&mut self, to: Reg, cond: FloatCC, x: Value, y: Value) -> Selected {
        let ty = self.ty(x);
        let (left, right) = (self.reg(x)?, self.operand(y)?);
        let predicate = match cond {
            FloatCC::Equal => 0,
            FloatCC::LessThan => 1,
            FloatCC::LessThanOrEqual => 2,
            FloatCC::Unordered => 3,
            FloatCC::NotEqual => 4,
            FloatCC::UnorderedOrGreaterThanOrEqual => 5,
            FloatCC::UnorderedOrGreaterThan => 6,
            FloatCC::Ordered => 7,
            FloatCC::UnorderedOrEqual => 8,
            FloatCC::UnorderedOrLessThan => 9,
            FloatCC::UnorderedOrLessThanOrEqual => 10,
            FloatCC::OrderedNotEqual => 12,
            FloatCC::GreaterThanOrEqual => 13,
            FloatCC::GreaterThan => 14,
        };
        let view = view_of(ty)?;
        let code = float(ty, COMPARE).ok_or_else(|| Unsupported::new(format!("comparisons of {ty}")))?;
        self.put(code, [Operand::Def(to, view), Operand::Use(left, view), right, byte(predicate)]);
        Ok(())
    }

    pub(super) fn integer_compare(&mut self, to: Reg, ty: Type, cond: IntCC, x: Value, y: Value) -> Selected {
        let view = view_of(ty)?;
        let wide = usize::from(view == View::Ymm);
        let lane = ty.lane_type();
        let failed = || Unsupported::new(format!("comparisons of {ty}"));
        let (x, y, cond) = match cond {
            IntCC::SignedLessThan
            | IntCC::SignedGreaterThanOrEqual
            | IntCC::UnsignedLessThan
            | IntCC::UnsignedGreaterThanOrEqual => (y, x, cond.swap_args()),
            _ => (x, y, cond),
        };
        // now equal, not equal, greater, or less or equal
        let (left, right) = (self.reg(x)?, self.reg(y)?);
        let negated =
            matches!(cond, IntCC::NotEqual | IntCC::SignedLessThanOrEqual | IntCC::UnsignedLessThanOrEqual);
        let mask = if negated { self.fresh(Class::Vector) } else { to };
        let operands =
            |to, x, y| [Operand::Def(to, view), Operand::Use(x, view), Operand::UseOrMemory(y, view)];
        match cond {
            IntCC::Equal | IntCC::NotEqual => {
                self.put(integers(lane, wide == 1, EQUAL).ok_or_else(failed)?, operands(mask, left, right));
            }
            IntCC::SignedGreaterThan | IntCC::SignedLessThanOrEqual => {
                self.put(integers(lane, wide == 1, GREATER).ok_or_else(failed)?, operands(mask, left, right));
            }
            _ => {
                // unsigned numbers with their first bits turned compare as signed ones
                let sign = sign_bytes(lane);
                let (a, b) = (self.fresh(Class::Vector), self.fresh(Class::Vector));
                self.with_pattern(a, XOR[wide], view, left, &sign);
                self.with_pattern(b, XOR[wide], view, right, &sign);
                self.put(integers(lane, wide == 1, GREATER).ok_or_else(failed)?, operands(mask, a, b));
            }
        }
        if negated {
            self.with_pattern(to, XOR[wide], view, mask, &[0xff]);
        }
        Ok(())
    }
}
