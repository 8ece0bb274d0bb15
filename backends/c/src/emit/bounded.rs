//! The least and greatest of two floats of which one is known not to be NaN, nor a zero whose sign decides: one comparison says which it is.

use super::exp::Text;
use super::{Emit, Emitter};
use crate::types::short;
use fun_base::prim::{BinOp, PrimType};
use imp::ir::Exp;

/// What is known of a float, which is not NaN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sign {
    /// It is above zero.
    Positive,
    /// The same, or zero with a positive sign.
    NotNegative,
    /// It is below zero.
    Negative,
}

impl Emitter<'_, '_> {
    /// The sign of a float, where it is known.
    pub(super) fn sign(&self, exp: &Exp) -> Option<Sign> {
        match exp {
            Exp::Const(value) => match value.as_f64()? {
                number if number > 0.0 => Some(Sign::Positive),
                number if number < 0.0 => Some(Sign::Negative),
                number if number == 0.0 && number.is_sign_positive() => Some(Sign::NotNegative),
                _ => None,
            },
            Exp::Var(var) => self.signs.get(var).copied(),
            Exp::Bin(op @ (BinOp::Min | BinOp::Max), PrimType::F32 | PrimType::F64, x, y) => {
                let signs = [self.sign(x), self.sign(y)];
                // the first of these that one operand has, the result has
                let passed: &[Sign] = match op {
                    BinOp::Max => &[Sign::Positive, Sign::NotNegative],
                    _ => &[Sign::Negative],
                };
                passed.iter().find(|sign| signs.contains(&Some(**sign))).copied()
            }
            _ => None,
        }
    }

    /// The least or greatest of two floats, of which one has such a sign.
    pub(super) fn bounded(&mut self, op: BinOp, ty: PrimType, x: &Exp, y: &Exp) -> Emit<Option<Text>> {
        if !matches!(ty, PrimType::F32 | PrimType::F64) || self.kernel.is_some() {
            return Ok(None);
        }
        // of zeros of both signs the greatest is the positive one, also where it comes second
        let fits = |exp: &Exp| match self.sign(exp) {
            Some(Sign::NotNegative) => op == BinOp::Max,
            sign => sign.is_some(),
        };
        let (number, bound) = match (fits(x), fits(y)) {
            (_, true) => (x, y),
            (true, false) => (y, x),
            (false, false) => return Ok(None),
        };
        let (number, bound) = (self.exp(number)?, self.exp(bound)?);
        let name = if op == BinOp::Max { "at_least" } else { "at_most" };
        Ok(Some(self.call_helper(&format!("{name}_{}", short(ty)), &[&number, &bound])))
    }
}
