//! Scalar expressions.

use super::operator::SecondOperand;
use super::{Binding, Emit, Emitter};
use crate::CompileError;
use crate::types::{c_type, constant};
use fun_base::name::Symbol;
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp};
use imp::build::{bin, un};
use imp::ir::{Exp, ImpType};
use imp::params::comparison;

/// Expressions that are nested deeper are cut by a variable: compilers bound how many parentheses they read, and so do people.
pub(super) const DEEPEST: usize = 12;

/// An expression in C. Its value is that of the expression; its type may be wider, as C promotes narrow integers.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub(super) text: String,
    /// Needs no parentheses as an operand.
    pub(super) atom: bool,
    /// The name of a variable that does not change, or a constant.
    pub(super) name: bool,
    /// How many parentheses are within each other.
    pub(super) depth: usize,
}

impl Text {
    /// A name or literal.
    pub(super) fn name(text: impl Into<String>) -> Text {
        Text { text: text.into(), atom: true, name: true, depth: 0 }
    }

    /// A call or another thing that binds tightly.
    pub(super) fn atom(text: String, parts: &[&Text]) -> Text {
        Text { text, atom: true, name: false, depth: deepest(parts) }
    }

    /// An operator with its operands.
    pub(super) fn operator(text: String, parts: &[&Text]) -> Text {
        Text { text, atom: false, name: false, depth: deepest(parts) }
    }

    /// As an operand.
    pub(super) fn operand(&self) -> String {
        if self.atom { self.text.clone() } else { format!("({})", self.text) }
    }
}

fn deepest(parts: &[&Text]) -> usize {
    1 + parts.iter().map(|part| part.depth).max().unwrap_or(0)
}

impl Emitter<'_, '_> {
    /// The value of an expression. What it needs before is written: checks of operators that can fail, and variables.
    pub(super) fn exp(&mut self, exp: &Exp) -> Emit<Text> {
        let text = match exp {
            _ if self.kernel.is_none()
                && let Some((name, _, size, reached)) = comparison(exp) =>
            {
                let (size, number) = (self.exp(size)?, self.param(name)?);
                let not = if reached { "" } else { "!" };
                Text::atom(format!("{not}fun_reaches(context, {number}, {})", size.text), &[&size])
            }
            Exp::Const(value) => {
                let (text, low) = constant(*value);
                for helper in ["f32_of_bits", "f64_of_bits"].iter().filter(|name| text.starts_with(**name)) {
                    self.unit.helpers.need(helper);
                }
                Text { atom: !low, ..Text::name(text) }
            }
            Exp::Var(var) => {
                let fixed = matches!(self.lookup(*var)?, Binding::Fixed(_));
                Text { name: fixed, ..Text::name(self.use_variable(*var)?) }
            }
            Exp::Bin(op, ty, x, y) => {
                let special = match op {
                    BinOp::Pow => self.power(*ty, x, y)?,
                    BinOp::Min | BinOp::Max => self.bounded(*op, *ty, x, y)?,
                    _ => None,
                };
                if let Some(special) = special {
                    return Ok(special);
                }
                let known = match &**y {
                    Exp::Const(value) => Some(SecondOperand::Constant(*value)),
                    Exp::Bin(BinOp::Max, _, _, least) => match **least {
                        Exp::Const(value) if value.as_int() > Some(0) => Some(SecondOperand::AtLeast(value)),
                        _ => None,
                    },
                    _ => None,
                };
                let extreme = is_telling(x, y) || is_telling(y, x);
                let x = self.exp(x)?;
                let y = self.exp(y)?;
                self.binary(*op, *ty, &x, &y, known, extreme)?
            }
            Exp::Un(op, ty, x) => {
                let x = self.exp(x)?;
                self.unary(*op, *ty, &x)?
            }
            Exp::Fma(ty, [a, b, c]) => {
                let (a, b, c) = (self.exp(a)?, self.exp(b)?, self.exp(c)?);
                let function = match ty {
                    PrimType::F32 => "fmaf",
                    PrimType::F64 => "fma",
                    PrimType::F16 => "fma_f16",
                    _ => return Err(CompileError::new(format!("fma is not defined on {ty}"))),
                };
                self.call_helper(function, &[&a, &b, &c])
            }
            Exp::Convert { to, from, value } => {
                let value = self.exp(value)?;
                self.convert(*to, *from, &value)?
            }
            // a vector has a mask for each, but no choice between two; both are computed in any case, and
            // where an iteration waits for the one before a choice is there sooner
            Exp::Select(condition, x, y)
                if matches!(**condition, Exp::Var(_))
                    && self.kernel.is_none()
                    && !self.in_while
                    && self.type_of(x)? == PrimType::Bool =>
            {
                let and = |x: Exp, y: Exp| bin(BinOp::And, PrimType::Bool, x, y);
                let no = un(UnOp::Not, PrimType::Bool, (**condition).clone());
                let (yes, no) = (and((**condition).clone(), (**x).clone()), and(no, (**y).clone()));
                self.exp(&bin(BinOp::Or, PrimType::Bool, yes, no))?
            }
            Exp::Select(condition, x, y) => {
                let (condition, x, y) = (self.exp(condition)?, self.exp(x)?, self.exp(y)?);
                let text = format!("{} ? {} : {}", condition.operand(), x.operand(), y.operand());
                Text::operator(text, &[&condition, &x, &y])
            }
            Exp::Read { view, indices } => {
                let view = self.view(*view)?;
                if view.elem == PrimType::Unit {
                    for index in indices {
                        self.exp(index)?;
                    }
                    Text::name("0")
                } else if self.is_remote(&view) {
                    self.remote_read(&view, indices)?
                } else {
                    self.cell(&view, indices)?
                }
            }
            Exp::Threads if self.kernel.is_some() => {
                return Err(CompileError::new("a kernel asks for the threads of the host"));
            }
            Exp::Threads => Text::atom("fun_threads(context)".to_owned(), &[]),
            // what runs say is the host's
            Exp::Param { usual, .. } if self.kernel.is_some() => self.exp(&Exp::i64(*usual))?,
            Exp::Param { name, .. } => Text::atom(format!("fun_param(context, {})", self.param(*name)?), &[]),
        };
        if text.depth <= DEEPEST {
            return Ok(text);
        }
        let ty = self.type_of(exp)?;
        let name = self.named(ty, text);
        Ok(Text::name(name))
    }

    /// The place of a parameter in the table.
    fn param(&self, name: Symbol) -> Emit<usize> {
        let place = self.unit.params.iter().position(|param| param.name == name);
        place.ok_or_else(|| CompileError::new(format!("the parameter {name} is not in the table")))
    }

    /// The type of a scalar expression.
    pub(super) fn type_of(&self, exp: &Exp) -> Emit<PrimType> {
        let undefined = || CompileError::new("an operator is not defined on its operands");
        Ok(match exp {
            Exp::Const(value) => value.prim_type(),
            Exp::Var(var) => match self.lookup(*var)? {
                Binding::Fixed(ImpType::Prim(ty)) | Binding::Mutable(ImpType::Prim(ty)) => *ty,
                Binding::Fixed(ImpType::Mem(_)) | Binding::Mutable(ImpType::Mem(_)) | Binding::View(_) => {
                    return Err(CompileError::new(format!("{var} is used as a scalar")));
                }
            },
            Exp::Bin(op, ty, _, _) => op.result_type(*ty).ok_or_else(undefined)?,
            Exp::Un(op, ty, _) => op.result_type(*ty).ok_or_else(undefined)?,
            Exp::Fma(ty, _) => *ty,
            Exp::Convert { to, from: _, value: _ } => *to,
            Exp::Select(_, x, _) => self.type_of(x)?,
            Exp::Read { view, indices: _ } => self.view(*view)?.elem,
            Exp::Threads | Exp::Param { .. } => PrimType::I64,
        })
    }

    /// Whether an expression is a block.
    pub(super) fn is_block(&self, exp: &Exp) -> bool {
        matches!(exp, Exp::Var(var) if matches!(
            self.env.get(var),
            Some(Binding::Fixed(ImpType::Mem(_)) | Binding::Mutable(ImpType::Mem(_)))
        ))
    }

    /// A call of a helper, or of a function of C.
    pub(super) fn call_helper(&mut self, function: &str, operands: &[&Text]) -> Text {
        self.unit.helpers.need(function);
        let operands_text: Vec<&str> = operands.iter().map(|operand| operand.text.as_str()).collect();
        Text::atom(format!("{function}({})", operands_text.join(", ")), operands)
    }

    /// The value of `text`, converted by C.
    pub(super) fn cast(&mut self, ty: PrimType, text: &Text) -> Text {
        Text::operator(format!("({}){}", c_type(ty), text.operand()), &[text])
    }
}

/// Whether compilers may warn of a comparison of a constant with an operand, as its outcome is known: the constant is the least or
/// greatest of its type, or the operand was converted from a type with other bounds.
fn is_telling(exp: &Exp, other: &Exp) -> bool {
    let Exp::Const(value) = exp else { return false };
    if matches!(other, Exp::Convert { .. }) {
        return true;
    }
    let ty = value.prim_type();
    let last = if ty.is_signed() { 1u64 << (ty.bits() - 1) } else { 0 };
    let all = if ty.is_int() { u64::MAX >> (64 - ty.bits()) } else { return ty == PrimType::Bool };
    [PrimValue::from_bits(ty, last), PrimValue::from_bits(ty, !last & all)].contains(value)
}
