//! Literals: their types while these are open, and their values once they are decided.

use super::Infer;
use super::unknown::{Constraint, PrimSet};
use crate::syntax::Literal;
use crate::typed::{Exp, ExpKind};
use crate::types::{Size, Type};
use fun_base::diag::Diagnostic;
use fun_base::prim::{PrimType, PrimValue};
use fun_base::source::Span;

impl Infer<'_> {
    pub(crate) fn literal(&mut self, literal: &Literal, span: Span) -> Exp {
        let set = match literal {
            Literal::Prim(value) => {
                return Exp { kind: ExpKind::Const(*value), ty: Type::Prim(value.prim_type()), span };
            }
            Literal::String(bytes) => {
                let ty = Type::array(Size::Const(bytes.len() as i64), Type::Prim(PrimType::U8));
                return Exp { kind: ExpKind::Bytes(bytes.clone()), ty, span };
            }
            Literal::Int(_) | Literal::Char(_) => PrimSet::of(PrimType::is_number),
            Literal::Float(..) => PrimSet::of(PrimType::is_float),
        };
        let ty = self.fresh_constrained(Constraint { prims: Some(set), ..Constraint::default() }, span);
        let index = self.literals.len() as u64;
        self.literals.push(literal.clone());
        Exp { kind: ExpKind::Const(PrimValue::U64(index)), ty, span }
    }

    /// The integer that a constant expression is, whatever its type.
    pub(crate) fn constant_int(&self, exp: &Exp) -> Option<i128> {
        let ExpKind::Const(value) = &exp.kind else { return None };
        match &exp.ty {
            Type::Meta(_) => match self.literals.get(value.bits() as usize)? {
                Literal::Int(n) => Some(*n),
                Literal::Char(c) => Some(i128::from(*c)),
                Literal::Prim(_) | Literal::Float(..) | Literal::String(_) => None,
            },
            _ => value.as_int(),
        }
    }

    /// The value of the literal with this index at its type.
    pub(crate) fn literal_value(&mut self, index: u64, t: PrimType, span: Span) -> PrimValue {
        let float = |x: f64| match t {
            PrimType::F16 => PrimValue::F16(fun_base::prim::math::f16_from_f64(x)),
            PrimType::F32 => PrimValue::F32(x as f32),
            _ => PrimValue::F64(x),
        };
        let value = self.written_value(index, t, float, span);
        let infinite = match value {
            PrimValue::F16(x) => x.is_infinite(),
            PrimValue::F32(x) => x.is_infinite(),
            PrimValue::F64(x) => x.is_infinite(),
            _ => false,
        };
        if infinite {
            self.errors
                .push(Diagnostic::error("E0212", format!("this number doesn't fit the type {t}")).at(span));
        }
        value
    }

    fn written_value(
        &mut self,
        index: u64,
        t: PrimType,
        float: impl Fn(f64) -> PrimValue,
        span: Span,
    ) -> PrimValue {
        match self.literals.get(index as usize) {
            Some(Literal::Float(text, value)) => match t {
                // From the digits, so that rounding happens once.
                PrimType::F32 => PrimValue::F32(text.parse().unwrap_or(*value as f32)),
                _ => float(*value),
            },
            Some(Literal::Int(n)) if t.is_float() => match t {
                PrimType::F32 => PrimValue::F32(*n as f32),
                _ => float(*n as f64),
            },
            Some(Literal::Int(n)) => self.integer_value(*n, t, span),
            Some(Literal::Char(c)) if t.is_float() => float(f64::from(*c)),
            Some(Literal::Char(c)) => self.integer_value(i128::from(*c), t, span),
            Some(Literal::Prim(_) | Literal::String(_)) | None => t.zero(),
        }
    }

    fn integer_value(&mut self, n: i128, t: PrimType, span: Span) -> PrimValue {
        let bits = t.bits();
        let least = if t.is_signed() { -(1i128 << (bits - 1)) } else { 0 };
        // A suffix is needed to give all bits, as in `0xffffffffi32`.
        let greatest = (1i128 << if t.is_signed() { bits - 1 } else { bits }) - 1;
        if n < least || n > greatest {
            let message = format!("the number {n} doesn't fit the type {t}");
            self.errors.push(Diagnostic::error("E0212", message).at(span));
        }
        PrimValue::from_bits(t, n as u64)
    }
}
