//! Scalars: literals, operators, conversions.

use super::code::{Code, Level};
use super::raise::{Raiser, prim_name};
use super::style::{Dice, Feature};
use fun::ir::{Atom, Exp};
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp};

/// How an operator stands between its operands, where it does.
pub(super) fn symbol(op: BinOp, t: PrimType) -> Option<&'static str> {
    let bool = t == PrimType::Bool;
    Some(match op {
        BinOp::Add => "+",
        BinOp::Sub => "-",
        BinOp::Mul => "*",
        BinOp::Div => "/",
        BinOp::Mod => "%",
        BinOp::Quot => "//",
        BinOp::Rem => "%%",
        BinOp::Pow => "**",
        BinOp::And | BinOp::Min if bool => "&&",
        BinOp::Or | BinOp::Max if bool => "||",
        BinOp::Xor if bool => "!=",
        BinOp::And => "&",
        BinOp::Or => "|",
        BinOp::Xor => "^",
        BinOp::Shl => "<<",
        BinOp::Shr => ">>",
        BinOp::ShrLogical => ">>>",
        BinOp::Eq => "==",
        BinOp::Ne => "!=",
        BinOp::Lt => "<",
        BinOp::Le => "<=",
        BinOp::Gt => ">",
        BinOp::Ge => ">=",
        BinOp::Min
        | BinOp::Max
        | BinOp::MulHi
        | BinOp::Atan2
        | BinOp::Hypot
        | BinOp::CopySign
        | BinOp::NextAfter
        | BinOp::Ldexp => return None,
    })
}

/// The member of the module of its type that an operator is.
fn member(op: BinOp) -> &'static str {
    match op {
        BinOp::MulHi => "mul_hi",
        _ => op.name(),
    }
}

impl Raiser<'_> {
    /// An atom where a value is wanted.
    pub(super) fn atom(&mut self, dice: &mut Dice, atom: Atom) -> Code {
        match atom {
            Atom::Var(var) => self.var(var),
            Atom::Const(value) if dice.takes(Feature::Modules, 1) => {
                let literal = literal(dice, value);
                let (t, name) = (prim_name(value.prim_type()), self.own("c"));
                self.kit.makes(&name, || format!("def {name}: {t} = {}", literal.text));
                Code::atom(name)
            }
            Atom::Const(value) => literal(dice, value),
        }
    }

    /// An i64 where the context says that it is one.
    pub(super) fn index(&mut self, dice: &mut Dice, atom: Atom) -> Code {
        match atom.as_const().and_then(PrimValue::as_i64) {
            Some(n) if dice.takes(Feature::Literals, 20) => literal(dice, PrimValue::I64(n)),
            Some(n) => bare(n),
            None => self.atom(dice, atom),
        }
    }

    /// A number of elements. Constants are bare: the checker may take a size with a suffix for another one.
    pub(super) fn count(&mut self, atom: Atom) -> Code {
        match atom {
            Atom::Var(var) => self.var(var),
            Atom::Const(value) => bare(value.as_i64().unwrap_or_default()),
        }
    }

    /// A scalar expression; `None` for others.
    pub(super) fn scalar(&mut self, dice: &mut Dice, exp: &Exp) -> Option<Code> {
        Some(match exp {
            Exp::Bin(op, t, left, right) => {
                let (left, right) = (self.atom(dice, *left), self.atom(dice, *right));
                self.binary(dice, *op, *t, left, right)
            }
            Exp::Un(op, t, value) => {
                let value = self.atom(dice, *value);
                unary(dice, *op, *t, value)
            }
            Exp::Fma(t, operands) => {
                let operands = operands.map(|operand| self.atom(dice, operand));
                Code::call(&format!("{}.fma", prim_name(*t)), &operands)
            }
            Exp::Convert { to, from, value } => {
                let value = self.atom(dice, *value);
                conversion(dice, *to, *from, value)
            }
            _ => return None,
        })
    }

    /// An operator on two operands.
    fn binary(&mut self, dice: &mut Dice, op: BinOp, t: PrimType, left: Code, right: Code) -> Code {
        let module = prim_name(t);
        if op == BinOp::Ldexp {
            let exponent = Code::call(&format!("i32.{module}"), &[right]);
            return Code::call(&format!("{module}.ldexp"), &[left, exponent]);
        }
        let Some(symbol) = symbol(op, t) else {
            let name = format!("{module}.{}", member(op));
            return match dice.form(Feature::Operators, 5) {
                1 => Code::operator(format!("{} `{name}` {}", left.operand(), right.operand())),
                2 => Code::apply(format!("({name} {}) {}", left.arg(), right.arg())),
                3 if dice.takes(Feature::Pipes, 100) => {
                    Code::operator(format!("{} |> {name} {}", right.operand(), left.arg()))
                }
                _ => Code::call(&name, &[left, right]),
            };
        };
        if dice.takes(Feature::UserOperators, 5) {
            let (name, result) = (format!("{symbol}."), op.result_type(t).unwrap_or(t));
            let name = self.user_operator(&name, symbol, t, result);
            return Code::operator(format!("{} {name} {}", left.operand(), right.operand()));
        }
        let lazy = matches!(symbol, "&&" | "||");
        if !lazy && op.result_type(t) == Some(t) && t != PrimType::Bool && dice.takes(Feature::Functors, 5) {
            let instance = self.functor_instance(dice, op, symbol, module);
            return match dice.coin() {
                true => Code::call(&format!("{instance}.op"), &[left, right]),
                false => Code::call(&format!("{instance}.flipped"), &[right, left]),
            };
        }
        let infix = Code::operator(format!("{} {symbol} {}", left.operand(), right.operand()));
        match dice.form(Feature::Operators, 14) {
            1 => Code::call(&format!("({symbol})"), &[left, right]),
            // `(- x)` is a negation.
            2 if symbol != "-" => Code::apply(format!("({symbol} {}) {}", right.operand(), left.arg())),
            3 => Code::apply(format!("({} {symbol}) {}", left.operand(), right.arg())),
            4 if !lazy && t != PrimType::Bool => {
                Code::operator(format!("{} {module}.{symbol} {}", left.operand(), right.operand()))
            }
            5 if !lazy && t != PrimType::Bool => Code::call(&format!("({module}.{symbol})"), &[left, right]),
            6 if dice.takes(Feature::Pipes, 100) => {
                Code::operator(format!("{} |> ({} {symbol})", right.operand(), left.operand()))
            }
            7 if dice.takes(Feature::Pipes, 100) => {
                Code::operator(format!("({symbol}) {} <| {}", left.arg(), right.operand()))
            }
            8 if dice.takes(Feature::HigherOrder, 100) => {
                Code::call("flip", &[Code::atom(format!("({symbol})")), right, left])
            }
            // Names that the module has too would mean its own.
            10 if !lazy && t != PrimType::Bool && is_name(&left) && is_name(&right) => {
                Code::atom(format!("{module}.({} {symbol} {})", left.operand(), right.operand()))
            }
            9 if dice.takes(Feature::HigherOrder, 100) => {
                Code::call("uncurry", &[Code::atom(format!("({symbol})")), Code::tuple(&[left, right])])
            }
            _ => infix,
        }
    }

    /// A module made by a parametric one, with an operator on this type.
    fn functor_instance(&mut self, dice: &mut Dice, op: BinOp, symbol: &str, t: &str) -> String {
        self.kit.needs("arith");
        self.kit.needs("arith_both");
        let argument = format!("{{ type t = {t}  def op = ({t}.{symbol}) }}");
        let (name, made) = (op.name(), format!("functor {} {t}", op.name()));
        match dice.below(4) {
            0 => {
                self.kit.makes(&made, || format!("module {name}_{t} = mk_both {argument}"));
                format!("{name}_{t}")
            }
            1 => {
                self.kit.needs("maker");
                self.kit.makes(&format!("{made} maker"), || {
                    format!("module made_{name}_{t} = made ({argument} : arith with t = {t})")
                });
                format!("made_{name}_{t}")
            }
            _ => {
                self.kit.needs("holder");
                self.kit.makes(&format!("{made} held"), || {
                    format!("module held_{name}_{t} = mk_held {{ module held = mk_both {argument} }}")
                });
                format!("held_{name}_{t}")
            }
        }
    }

    /// The name of an operator of the program that does what a built-in one does on this type.
    fn user_operator(&mut self, text: &str, symbol: &str, t: PrimType, result: PrimType) -> String {
        let marks = match t {
            PrimType::I8 | PrimType::U8 => "+",
            PrimType::I16 | PrimType::U16 | PrimType::F16 => "-",
            PrimType::I32 | PrimType::U32 | PrimType::F32 => "*",
            PrimType::I64 | PrimType::U64 | PrimType::F64 => "/",
            PrimType::Bool | PrimType::Unit => "%",
        };
        let kind = match () {
            () if t.is_float() => "<",
            () if t.is_unsigned() => ">",
            () => "=",
        };
        // The first characters decide how tightly the operator binds; its operands are in parentheses where it matters.
        let name = format!("{}{kind}{marks}", text.trim_end_matches('.'));
        let (t, result) = (prim_name(t), prim_name(result));
        self.kit.makes(&name, || format!("def (x: {t}) {name} (y: {t}): {result} = x {symbol} y"));
        name
    }
}

/// Whether this is a variable or a number, and nothing out of a module.
fn is_name(code: &Code) -> bool {
    code.level == Level::Atom && code.text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// An operator on one operand.
fn unary(dice: &mut Dice, op: UnOp, t: PrimType, value: Code) -> Code {
    let module = prim_name(t);
    match op {
        UnOp::Neg if !dice.takes(Feature::Operators, 30) => Code::operator(format!("-{}", value.arg())),
        UnOp::Not if t == PrimType::Bool && dice.takes(Feature::Prelude, 30) => Code::call("not", &[value]),
        UnOp::Not if !dice.takes(Feature::Operators, 30) || t == PrimType::Bool => {
            Code::operator(format!("!{}", value.arg()))
        }
        UnOp::FromBits => Code::call(&format!("{}.from_bits", prim_name(float_of_width(t))), &[value]),
        UnOp::ToBits => Code::call(&format!("{module}.to_bits"), &[value]),
        _ => {
            let name = format!("{module}.{}", op.name());
            match dice.form(Feature::Pipes, 6) {
                1 => Code::operator(format!("{} |> {name}", value.operand())),
                2 => Code::operator(format!("{name} <| {}", value.operand())),
                _ => Code::call(&name, &[value]),
            }
        }
    }
}

/// The float with as many bits as an unsigned integer.
fn float_of_width(t: PrimType) -> PrimType {
    match t.bits() {
        16 => PrimType::F16,
        32 => PrimType::F32,
        _ => PrimType::F64,
    }
}

fn conversion(dice: &mut Dice, to: PrimType, from: PrimType, value: Code) -> Code {
    // The source's conversions from a signed integer to a wider unsigned one fill with zeros, FUN's with the sign.
    let signed = match to {
        PrimType::U16 => PrimType::I16,
        PrimType::U32 => PrimType::I32,
        PrimType::U64 => PrimType::I64,
        _ => to,
    };
    if signed != to && from.is_signed() && from.bytes() < to.bytes() {
        let value = conversion(dice, signed, from, value);
        return conversion(dice, to, signed, value);
    }
    let short = match (to, from) {
        (PrimType::F32, PrimType::I32) => Some("r32"),
        (PrimType::F64, PrimType::I32) => Some("r64"),
        (PrimType::I32, PrimType::F32) => Some("t32"),
        (PrimType::I32, PrimType::F64) => Some("t64"),
        _ => None,
    };
    let name = format!("{}.{}", prim_name(to), prim_name(from));
    match (dice.form(Feature::Prelude, 4), short) {
        (1 | 2, Some(short)) => Code::call(short, &[value]),
        (1, None) if from.is_number() && matches!(to, PrimType::I32 | PrimType::I64 | PrimType::F64) => {
            Code::call(&format!("{}.to_{}", prim_name(from), prim_name(to)), &[value])
        }
        (3, _) if dice.takes(Feature::Pipes, 40) => Code::operator(format!("{} |> {name}", value.operand())),
        _ => Code::call(&name, &[value]),
    }
}

/// An integer whose type the context says.
pub(super) fn bare(n: i64) -> Code {
    match n {
        i64::MIN => Code::atom("i64.lowest"),
        _ if n < 0 => Code::operator(n.to_string()),
        _ => Code::atom(n.to_string()),
    }
}

/// A literal of a type that it says itself.
pub(super) fn literal(dice: &mut Dice, value: PrimValue) -> Code {
    let t = value.prim_type();
    let name = prim_name(t);
    if let Some(n) = value.as_int() {
        let spelled = match dice.form(Feature::Literals, 12) {
            1 => format!("0x{:x}", n.unsigned_abs()),
            2 => format!("0X{:X}", n.unsigned_abs()),
            3 => format!("0b{:b}", n.unsigned_abs()),
            4 => with_underscores(&n.unsigned_abs().to_string()),
            5 if n > 0 && t.is_signed() && PrimValue::as_int(highest(t)) == Some(n) => {
                return Code::atom(format!("{name}.highest"));
            }
            6 if (32..127).contains(&n) && t != PrimType::I8 => {
                let c = char::from(n as u8);
                if c != '\'' && c != '\\' && c != '"' {
                    return Code::ascription(format!("'{c}' : {name}"));
                }
                n.unsigned_abs().to_string()
            }
            7 => return Code::ascription(format!("{n} : {name}")),
            _ => n.unsigned_abs().to_string(),
        };
        return if n < 0 { Code::operator(format!("-{spelled}{name}")) } else { Code::atom(spelled + name) };
    }
    match value {
        PrimValue::Bool(value) => Code::atom(value.to_string()),
        PrimValue::F16(x) => float(dice, name, x.to_f64(), format!("{:?}", x.to_f64()), value.bits()),
        PrimValue::F32(x) => float(dice, name, x.into(), format!("{x:?}"), value.bits()),
        PrimValue::F64(x) => float(dice, name, x, format!("{x:?}"), value.bits()),
        _ => Code::atom("()"),
    }
}

/// The greatest integer of a type.
fn highest(t: PrimType) -> PrimValue {
    let top = if t.is_signed() { t.bits() - 1 } else { t.bits() };
    PrimValue::from_bits(t, u64::MAX >> (64 - top.max(1)))
}

fn float(dice: &mut Dice, name: &str, x: f64, digits: String, bits: u64) -> Code {
    if x.is_nan() {
        let plain = [0x7e00, 0x7fc0_0000, 0x7ff8_0000_0000_0000].contains(&bits);
        let of_bits = || {
            let width = name.trim_start_matches('f');
            Code::call(&format!("{name}.from_bits"), &[Code::atom(format!("0x{bits:x}u{width}"))])
        };
        return if plain && !dice.takes(Feature::Literals, 20) {
            Code::atom(format!("{name}.nan"))
        } else {
            of_bits()
        };
    }
    let magnitude = if x.is_infinite() {
        format!("{name}.inf")
    } else {
        let digits = digits.trim_start_matches('-');
        match dice.form(Feature::Literals, 8) {
            1 if !digits.contains('e') => format!("{digits}e0{name}"),
            2 if !digits.contains('e') => format!("{digits}e+00{name}"),
            4 if !x.is_sign_negative() => return Code::ascription(format!("{digits} : {name}")),
            3 if digits.ends_with(".0") => digits.replace(".0", "") + name,
            _ => digits.to_owned() + name,
        }
    };
    if x.is_sign_negative() { Code::operator(format!("-{magnitude}")) } else { Code::atom(magnitude) }
}

fn with_underscores(digits: &str) -> String {
    let mut text = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            text.push('_');
        }
        text.push(digit);
    }
    text
}
