//! The least and greatest of two floats of which one is known not to be NaN, nor a zero whose sign decides: one instruction says which it is.
//!
//! The C backend does the same (`backends/c/src/emit/bounded.rs`).

use super::Emitter;
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{InstBuilder, InstructionData, Opcode, Value, types};
use fun_base::prim::BinOp;

/// What is known of a float, or of all lanes of a vector, where none is NaN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sign {
    /// Above zero.
    Positive,
    /// The same, or zero with a positive sign.
    NotNegative,
    /// Below zero.
    Negative,
}

impl Emitter<'_, '_> {
    /// The least or greatest of two floats, of which one has such a sign; otherwise nothing is emitted.
    pub(super) fn bounded(&mut self, op: BinOp, x: Value, y: Value) -> Option<Value> {
        let least = op == BinOp::Min;
        // of zeros of both signs the greatest is the positive one, also where it comes second
        let fits = |sign: Option<Sign>| match sign {
            Some(Sign::NotNegative) => !least,
            sign => sign.is_some(),
        };
        let signs = [self.sign(x), self.sign(y)];
        let (number, bound) = match signs.map(fits) {
            [_, true] => (x, y),
            [true, false] => (y, x),
            [false, false] => return None,
        };
        let (less, more) = if least { (number, bound) } else { (bound, number) };
        let chosen = self.b.ins().fcmp(FloatCC::LessThan, less, more);
        let result = self.choose(chosen, number, bound);
        // the first of these that one operand has, the result has
        let passed: &[Sign] = if least { &[Sign::Negative] } else { &[Sign::Positive, Sign::NotNegative] };
        if let Some(sign) = passed.iter().find(|sign| signs.contains(&Some(**sign))) {
            self.signs.insert(result, *sign);
        }
        Some(result)
    }

    fn sign(&self, value: Value) -> Option<Sign> {
        if let Some(sign) = self.signs.get(&value) {
            return Some(*sign);
        }
        match self.constant_float(value)? {
            number if number > 0.0 => Some(Sign::Positive),
            number if number < 0.0 => Some(Sign::Negative),
            number if number == 0.0 && number.is_sign_positive() => Some(Sign::NotNegative),
            _ => None,
        }
    }

    /// The number that a value is, in all lanes where it is a vector.
    fn constant_float(&self, value: Value) -> Option<f64> {
        let dfg = &self.b.func.dfg;
        match dfg.insts[dfg.value_def(value).inst()?] {
            InstructionData::UnaryIeee32 { imm, .. } => Some(f64::from(f32::from_bits(imm.bits()))),
            InstructionData::UnaryIeee64 { imm, .. } => Some(f64::from_bits(imm.bits())),
            InstructionData::Unary { opcode: Opcode::Splat, arg } => self.constant_float(arg),
            InstructionData::UnaryConst { opcode: Opcode::Vconst, constant_handle } => {
                let bytes = dfg.constants.get(constant_handle).as_slice();
                let lane = dfg.value_type(value).lane_type();
                let (first, _) = bytes.split_at_checked(lane.bytes() as usize)?;
                let number = match lane {
                    types::F32 => f64::from(f32::from_le_bytes(first.try_into().ok()?)),
                    types::F64 => f64::from_le_bytes(first.try_into().ok()?),
                    _ => return None,
                };
                bytes.chunks_exact(first.len()).all(|other| other == first).then_some(number)
            }
            _ => None,
        }
    }
}
