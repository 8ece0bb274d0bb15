//! Operators and conversions.

use super::exp::Text;
use super::kernel::LIVE;
use super::{Emit, Emitter};
use crate::CompileError;
use crate::dialect::Dialect;
use crate::helpers::{alone, binary_function, in_vectors, unary_function};
use crate::types::short;
use fun_base::prim::{BinOp, EvalError, PrimType, PrimValue, UnOp};

/// What is known of a second operand.
#[derive(Clone, Copy)]
pub(super) enum SecondOperand {
    /// What it is.
    Constant(PrimValue),
    /// What it is not less than.
    AtLeast(PrimValue),
}

impl SecondOperand {
    fn constant(self) -> Option<i128> {
        match self {
            SecondOperand::Constant(value) => value.as_int(),
            SecondOperand::AtLeast(_) => None,
        }
    }

    fn least(self) -> Option<i128> {
        match self {
            SecondOperand::Constant(value) | SecondOperand::AtLeast(value) => value.as_int(),
        }
    }
}

impl Emitter<'_, '_> {
    /// A binary operator. `known` is what one knows of the second operand; `extreme`: compilers may warn of a
    /// comparison with it.
    pub(super) fn binary(
        &mut self,
        op: BinOp,
        ty: PrimType,
        x: &Text,
        y: &Text,
        known: Option<SecondOperand>,
        extreme: bool,
    ) -> Emit<Text> {
        match ty {
            PrimType::F32 | PrimType::F64 => self.float_binary(op, ty, x, y),
            PrimType::F16 if op == BinOp::NextAfter => Ok(self.call_helper("nextafter_f16", &[x, y])),
            PrimType::F16 => {
                let x = self.call_helper("f32_of_f16", &[x]);
                let y = self.call_helper("f32_of_f16", &[y]);
                let result = self.float_binary(op, PrimType::F32, &x, &y)?;
                let boolean = op.result_type(ty) == Some(PrimType::Bool);
                Ok(if boolean { result } else { self.call_helper("f16_of_f32", &[&result]) })
            }
            PrimType::Unit => {
                let holds = matches!(op, BinOp::Eq | BinOp::Le | BinOp::Ge);
                Ok(Text::name(holds.to_string()))
            }
            PrimType::Bool
            | PrimType::I8
            | PrimType::I16
            | PrimType::I32
            | PrimType::I64
            | PrimType::U8
            | PrimType::U16
            | PrimType::U32
            | PrimType::U64 => self.integer_binary(op, ty, x, y, known, extreme),
        }
    }

    fn float_binary(&mut self, op: BinOp, ty: PrimType, x: &Text, y: &Text) -> Emit<Text> {
        if let Some(symbol) = float_symbol(op) {
            return Ok(infix(symbol, x, y));
        }
        match binary_function(op, ty) {
            Some(function) => Ok(self.call_helper(&self.placed(function), &[x, y])),
            None => Err(undefined(format!("{op:?}"), ty)),
        }
    }

    /// The function that a function of C is here: a single call of C's takes less time than one of ours, and many at once do not. CUDA's of `f32` are within two units in
    /// the last place and take a third to a half of the instructions of ours, as some of their steps are the device's.
    fn placed(&self, function: String) -> String {
        if self.kernel.is_some() {
            return match (self.dialect(), function.as_str()) {
                (Some(Dialect::Cuda), "exp_f32") => "expf".to_owned(),
                (Some(Dialect::Cuda), "log_f32") => "logf".to_owned(),
                (Some(Dialect::Cuda), "tanh_f32") => "tanhf".to_owned(),
                _ => function,
            };
        }
        let own = if self.in_vectors { in_vectors(&function) } else { alone(&function) };
        own.unwrap_or(function)
    }

    fn integer_binary(
        &mut self,
        op: BinOp,
        ty: PrimType,
        x: &Text,
        y: &Text,
        known: Option<SecondOperand>,
        extreme: bool,
    ) -> Emit<Text> {
        // unsigned arithmetic that C does not promote
        let plain = matches!(ty, PrimType::U32 | PrimType::U64);
        let helper = match op {
            BinOp::Add if plain => return Ok(infix("+", x, y)),
            BinOp::Sub if plain => return Ok(infix("-", x, y)),
            BinOp::Mul if plain => return Ok(infix("*", x, y)),
            BinOp::Add => "add",
            BinOp::Sub => "sub",
            BinOp::Mul => "mul",
            BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem => {
                return self.division(op, ty, x, y, known);
            }
            BinOp::Pow => {
                if ty.is_signed() && known.and_then(SecondOperand::least).is_none_or(|y| y < 0) {
                    let y = self.checked(ty, y, ">= 0", EvalError::NegativeExponent)?;
                    return Ok(self.call_helper(&format!("pow_{}", short(ty)), &[x, &y]));
                }
                "pow"
            }
            BinOp::Min | BinOp::And if ty == PrimType::Bool => return Ok(truth("&", x, y)),
            BinOp::Max | BinOp::Or if ty == PrimType::Bool => return Ok(truth("|", x, y)),
            BinOp::Min => "min",
            BinOp::Max => "max",
            BinOp::And => return Ok(infix("&", x, y)),
            BinOp::Or => return Ok(infix("|", x, y)),
            BinOp::Xor => return Ok(infix("^", x, y)),
            BinOp::Shl => "shl",
            BinOp::Shr => "shr",
            BinOp::ShrLogical => "lshr",
            BinOp::MulHi => "mul_hi",
            BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => {
                let (symbol, helper) = comparison(op).ok_or_else(|| CompileError::new("not a comparison"))?;
                let ordered = !matches!(op, BinOp::Eq | BinOp::Ne);
                // compilers warn of comparisons whose outcome they know
                if x.text != y.text && !(ordered && (extreme || ty == PrimType::Bool)) {
                    return Ok(infix(symbol, x, y));
                }
                helper
            }
            BinOp::Atan2 | BinOp::Hypot | BinOp::CopySign | BinOp::NextAfter | BinOp::Ldexp => {
                return Err(undefined(format!("{op:?}"), ty));
            }
        };
        if op.result_type(ty).is_none() {
            return Err(undefined(format!("{op:?}"), ty));
        }
        Ok(self.call_helper(&format!("{helper}_{}", short(ty)), &[x, y]))
    }

    fn division(
        &mut self,
        op: BinOp,
        ty: PrimType,
        x: &Text,
        y: &Text,
        known: Option<SecondOperand>,
    ) -> Emit<Text> {
        let least = known.and_then(SecondOperand::least);
        let checked = match least {
            Some(y) if y != 0 => None,
            _ if self.positive.contains(&y.text) => None,
            _ => Some(self.checked(ty, y, "!= 0", EvalError::DivisionByZero)?),
        };
        if least == Some(0) {
            // never reached; compilers warn of the division
            return Ok(x.clone());
        }
        let is_positive = ty.is_signed() && least.is_some_and(|y| y > 0);
        let power = known.and_then(SecondOperand::constant).filter(|y| is_positive && y & (y - 1) == 0);
        match (op, power) {
            (BinOp::Div, Some(y)) => {
                return Ok(infix(">>", x, &Text::name(y.trailing_zeros().to_string())));
            }
            (BinOp::Mod, Some(y)) => return Ok(infix("&", x, &Text::name((y - 1).to_string()))),
            _ => {}
        }
        let y = checked.as_ref().unwrap_or(y);
        let (symbol, helper) = match op {
            BinOp::Div if is_positive => ("/", "div_positive"),
            BinOp::Mod if is_positive => ("%", "mod_positive"),
            BinOp::Div => ("/", "div"),
            BinOp::Quot => ("/", "quot"),
            BinOp::Mod => ("%", "mod"),
            _ => ("%", "rem"),
        };
        if ty.is_unsigned() {
            return Ok(infix(symbol, x, y));
        }
        Ok(self.call_helper(&format!("{helper}_{}", short(ty)), &[x, y]))
    }

    /// The operand in a variable, after a check that it compares as it must.
    fn checked(&mut self, ty: PrimType, y: &Text, compares: &str, error: EvalError) -> Emit<Text> {
        let name = self.named(ty, y.clone());
        let holds = Text::operator(format!("{name} {compares}"), &[y]);
        self.check(&holds, &error.to_string(), &[])?;
        if self.is_between_threads() {
            // all go on behind a failure: with an operand that does no harm
            let harmless = Text::operator(format!("{LIVE} ? {name} : 1"), &[y]);
            return Ok(Text::name(self.named(ty, harmless)));
        }
        Ok(Text::name(name))
    }

    /// A unary operator.
    pub(super) fn unary(&mut self, op: UnOp, ty: PrimType, x: &Text) -> Emit<Text> {
        match ty {
            PrimType::F32 | PrimType::F64 => self.float_unary(op, ty, x),
            PrimType::F16 => Ok(match op {
                UnOp::Neg => Text::operator(format!("{} ^ 0x8000", x.operand()), &[x]),
                UnOp::Abs => Text::operator(format!("{} & 0x7fff", x.operand()), &[x]),
                UnOp::ToBits => x.clone(),
                UnOp::SignBit => Text::operator(format!("({} & 0x8000) != 0", x.operand()), &[x]),
                UnOp::IsInf => Text::operator(format!("({} & 0x7fff) == 0x7c00", x.operand()), &[x]),
                UnOp::IsNan => Text::operator(format!("({} & 0x7fff) > 0x7c00", x.operand()), &[x]),
                _ => {
                    let x = self.call_helper("f32_of_f16", &[x]);
                    let result = self.float_unary(op, PrimType::F32, &x)?;
                    self.call_helper("f16_of_f32", &[&result])
                }
            }),
            PrimType::Unit => Ok(x.clone()),
            PrimType::Bool => Ok(Text::operator(format!("!{}", x.operand()), &[x])),
            PrimType::I8
            | PrimType::I16
            | PrimType::I32
            | PrimType::I64
            | PrimType::U8
            | PrimType::U16
            | PrimType::U32
            | PrimType::U64 => self.integer_unary(op, ty, x),
        }
    }

    fn integer_unary(&mut self, op: UnOp, ty: PrimType, x: &Text) -> Emit<Text> {
        let helper = match op {
            UnOp::Neg => "neg",
            // narrow ones are promoted before
            UnOp::Not if ty.bits() < 32 => "not",
            UnOp::Not => return Ok(Text::operator(format!("~{}", x.operand()), &[x])),
            UnOp::Abs if ty.is_unsigned() => return Ok(x.clone()),
            UnOp::Abs => "abs",
            UnOp::Sgn => "sgn",
            UnOp::Popc => "popc",
            UnOp::Clz => "clz",
            UnOp::Ctz => "ctz",
            UnOp::FromBits => match ty {
                PrimType::U16 => return Ok(x.clone()),
                PrimType::U32 => return Ok(self.call_helper("f32_of_bits", &[x])),
                PrimType::U64 => return Ok(self.call_helper("f64_of_bits", &[x])),
                _ => return Err(undefined(format!("{op:?}"), ty)),
            },
            _ => return Err(undefined(format!("{op:?}"), ty)),
        };
        Ok(self.call_helper(&format!("{helper}_{}", short(ty)), &[x]))
    }

    fn float_unary(&mut self, op: UnOp, ty: PrimType, x: &Text) -> Emit<Text> {
        Ok(match op {
            UnOp::Neg => Text::operator(format!("-{}", x.operand()), &[x]),
            UnOp::IsNan => Text::operator(format!("isnan({}) != 0", x.text), &[x]),
            UnOp::IsInf => Text::operator(format!("isinf({}) != 0", x.text), &[x]),
            UnOp::SignBit => Text::operator(format!("signbit({}) != 0", x.text), &[x]),
            UnOp::ToBits => self.call_helper(&format!("{}_bits", short(ty)), &[x]),
            _ => match unary_function(op, ty) {
                Some(function) => self.call_helper(&self.placed(function), &[x]),
                None => return Err(undefined(format!("{op:?}"), ty)),
            },
        })
    }

    /// `x` of type `from` converted to type `to`.
    pub(super) fn convert(&mut self, to: PrimType, from: PrimType, x: &Text) -> Emit<Text> {
        let float = |ty| matches!(ty, PrimType::F32 | PrimType::F64);
        let half = PrimType::F16;
        Ok(match (from, to) {
            _ if from == to => x.clone(),
            (PrimType::Unit, _) | (_, PrimType::Unit) => Text::name("0"),
            (PrimType::F16, _) => {
                let wide = self.call_helper("f32_of_f16", &[x]);
                if to == PrimType::F32 { wide } else { self.convert(to, PrimType::F32, &wide)? }
            }
            (PrimType::F32, PrimType::F16) => self.call_helper("f16_of_f32", &[x]),
            (PrimType::F64, PrimType::F16) => self.call_helper("f16_of_f64", &[x]),
            (_, PrimType::F16) => {
                let wide = self.cast(PrimType::F64, x);
                self.convert(half, PrimType::F64, &wide)?
            }
            (_, PrimType::Bool) => Text::operator(format!("{} != 0", x.operand()), &[x]),
            (_, _) if float(from) && to.is_int() => {
                self.call_helper(&format!("{}_of_{}", short(to), short(from)), &[x])
            }
            (_, _) => self.cast(to, x),
        })
    }
}

/// An operator between its operands.
pub(super) fn infix(symbol: &str, x: &Text, y: &Text) -> Text {
    Text::operator(format!("{} {symbol} {}", x.operand(), y.operand()), &[x, y])
}

/// An operator on truth values that computes both. Clang takes it for a mistaken `&&` or `||`, and warns, where the right one calls a
/// function, unless one of them is a number.
fn truth(symbol: &str, x: &Text, y: &Text) -> Text {
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let calls = y.text.as_bytes().windows(2).any(|pair| letter(pair[0]) && pair[1] == b'(');
    if !calls {
        return infix(symbol, x, y);
    }
    infix(symbol, &Text::atom(format!("(int){}", x.operand()), &[x]), y)
}

/// What C writes between two floats, also where these are vectors.
pub(super) fn float_symbol(op: BinOp) -> Option<&'static str> {
    match op {
        BinOp::Add => Some("+"),
        BinOp::Sub => Some("-"),
        BinOp::Mul => Some("*"),
        BinOp::Div => Some("/"),
        _ => comparison(op).map(|(symbol, _)| symbol),
    }
}

/// The symbol of a comparison in C, and its name in helpers.
fn comparison(op: BinOp) -> Option<(&'static str, &'static str)> {
    match op {
        BinOp::Eq => Some(("==", "eq")),
        BinOp::Ne => Some(("!=", "ne")),
        BinOp::Lt => Some(("<", "lt")),
        BinOp::Le => Some(("<=", "le")),
        BinOp::Gt => Some((">", "gt")),
        BinOp::Ge => Some((">=", "ge")),
        _ => None,
    }
}

/// The error for an operator that the type does not have.
fn undefined(op: String, ty: PrimType) -> CompileError {
    CompileError::new(format!("operator {op} is not defined on {ty}"))
}
