//! The rules of operators, a table: each has a name and its algebra. They hold for wrap-around integers of every width, and of floats only where
//! they change no bit. The test goes through all operands of a byte, and those at the ends of wider types.

use crate::fun::commutes;
use fun::ir::{Atom, Exp};
use fun_base::prim::{BinOp, PrimType, eval_bin, eval_conv, eval_fma, eval_un};

/// `operator x right = gives`, for operands of these types. Where the operator commutes, for the operands the other way round as well.
struct Rule {
    /// Unique in the table.
    #[cfg_attr(not(test), expect(dead_code, reason = "for the test to say which"))]
    name: &'static str,
    types: Types,
    operator: BinOp,
    right: Term,
    gives: Gives,
}

/// The types for which a rule holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Types {
    Integers,
    Truths,
    /// Both of these.
    Discrete,
    Numbers,
}

/// What the right operand is.
#[derive(Clone, Copy)]
enum Term {
    /// The left one once more.
    X,
    /// The constant of the type with this value: `false` is 0, `true` is 1.
    Is(i64),
}

/// What the operator gives.
#[derive(Clone, Copy)]
enum Gives {
    /// The left operand.
    X,
    /// The constant of the type with this value.
    Is(i64),
    /// A truth, of whatever operands.
    Truth(bool),
    /// The operator on the operand twice.
    Twice(BinOp),
}

const fn rule(name: &'static str, types: Types, operator: BinOp, right: Term, gives: Gives) -> Rule {
    Rule { name, types, operator, right, gives }
}

use BinOp::{
    Add, And, Div, Eq, Ge, Gt, Le, Lt, Max, Min, Mod, Mul, Ne, Or, Pow, Quot, Rem, Shl, Shr, ShrLogical, Sub,
    Xor,
};
use Term::{Is, X};
use Types::{Discrete, Integers, Numbers, Truths};

const RULES: &[Rule] = &[
    rule("add-zero", Integers, Add, Is(0), Gives::X), // x + 0 = x
    rule("sub-zero", Integers, Sub, Is(0), Gives::X), // x - 0 = x
    rule("sub-self", Integers, Sub, X, Gives::Is(0)), // x - x = 0
    rule("mul-one", Numbers, Mul, Is(1), Gives::X),   // x * 1 = x
    rule("mul-zero", Integers, Mul, Is(0), Gives::Is(0)), // x * 0 = 0
    rule("square", Numbers, Pow, Is(2), Gives::Twice(Mul)), // x ** 2 = x * x
    rule("power-one", Numbers, Pow, Is(1), Gives::X), // x ** 1 = x
    rule("power-zero", Integers, Pow, Is(0), Gives::Is(1)), // x ** 0 = 1
    rule("div-one", Numbers, Div, Is(1), Gives::X),   // x / 1 = x
    rule("quot-one", Integers, Quot, Is(1), Gives::X), // x // 1 = x
    rule("mod-one", Integers, Mod, Is(1), Gives::Is(0)), // x % 1 = 0
    rule("rem-one", Integers, Rem, Is(1), Gives::Is(0)), // x %% 1 = 0
    rule("min-self", Discrete, Min, X, Gives::X),     // min x x = x
    rule("max-self", Discrete, Max, X, Gives::X),     // max x x = x
    rule("and-self", Discrete, And, X, Gives::X),     // x & x = x
    rule("or-self", Discrete, Or, X, Gives::X),       // x | x = x
    rule("xor-self", Discrete, Xor, X, Gives::Is(0)), // x ^ x = 0
    rule("and-zero", Discrete, And, Is(0), Gives::Is(0)), // x & 0 = 0
    rule("or-zero", Discrete, Or, Is(0), Gives::X),   // x | 0 = x
    rule("xor-zero", Discrete, Xor, Is(0), Gives::X), // x ^ 0 = x
    rule("and-ones", Discrete, And, Is(-1), Gives::X), // x & -1 = x
    rule("or-ones", Discrete, Or, Is(-1), Gives::Is(-1)), // x | -1 = -1
    rule("shl-zero", Integers, Shl, Is(0), Gives::X), // x << 0 = x
    rule("shr-zero", Integers, Shr, Is(0), Gives::X), // x >> 0 = x
    rule("shrl-zero", Integers, ShrLogical, Is(0), Gives::X), // x >>> 0 = x
    rule("eq-true", Truths, Eq, Is(1), Gives::X),     // (x == true) = x
    rule("ne-false", Truths, Ne, Is(0), Gives::X),    // (x != false) = x
    rule("eq-self", Discrete, Eq, X, Gives::Truth(true)), // (x == x) = true
    rule("le-self", Discrete, Le, X, Gives::Truth(true)), // (x <= x) = true
    rule("ge-self", Discrete, Ge, X, Gives::Truth(true)), // (x >= x) = true
    rule("ne-self", Discrete, Ne, X, Gives::Truth(false)), // (x != x) = false
    rule("lt-self", Discrete, Lt, X, Gives::Truth(false)), // (x < x) = false
    rule("gt-self", Discrete, Gt, X, Gives::Truth(false)), // (x > x) = false
];

impl Rule {
    /// The simpler expression of an operator on these operands, if the rule is one of them.
    fn apply(&self, ty: PrimType, left: Atom, right: Atom) -> Option<Exp> {
        let holds = match self.types {
            Integers => ty.is_int(),
            Truths => ty == PrimType::Bool,
            Discrete => ty.is_int() || ty == PrimType::Bool,
            Numbers => ty.is_int() || ty.is_float(),
        };
        let constant = |value: i64| Atom::Const(ty.of_i64(value));
        let fits = |x: Atom, other: Atom| match self.right {
            X => x == other,
            Is(value) => other == constant(value),
        };
        let x = match holds {
            true if fits(left, right) => left,
            true if commutes(self.operator) && fits(right, left) => right,
            _ => return None,
        };
        Some(match self.gives {
            Gives::X => Exp::Atom(x),
            Gives::Is(value) => Exp::Atom(constant(value)),
            Gives::Truth(truth) => Exp::Atom(Atom::Const(PrimType::Bool.of_i64(truth.into()))),
            Gives::Twice(operator) => Exp::Bin(operator, ty, x, x),
        })
    }
}

/// Applies the first rule that fits.
pub(super) fn rewrite(exp: Exp) -> Exp {
    match exp {
        Exp::Bin(operator, ty, left, right) => {
            if let (Some(a), Some(b)) = (left.as_const(), right.as_const()) {
                // What fails stays, to fail when the program runs.
                return eval_bin(operator, a, b).map_or(exp, |value| Exp::Atom(Atom::Const(value)));
            }
            let mut rules = RULES.iter().filter(|rule| rule.operator == operator);
            rules.find_map(|rule| rule.apply(ty, left, right)).unwrap_or(exp)
        }
        Exp::Un(operator, _, value) => {
            let folded = value.as_const().and_then(|value| eval_un(operator, value).ok());
            folded.map_or(exp, |value| Exp::Atom(Atom::Const(value)))
        }
        Exp::Fma(_, operands) => match operands.map(|operand| operand.as_const()) {
            [Some(a), Some(b), Some(c)] => {
                eval_fma(a, b, c).map_or(exp, |value| Exp::Atom(Atom::Const(value)))
            }
            _ => exp,
        },
        Exp::Convert { to, from, value } => {
            // t.t x = x
            let same = (to == from).then_some(value);
            let folded = value.as_const().map(|value| Atom::Const(eval_conv(to, value)));
            same.or(folded).map_or(exp, Exp::Atom)
        }
        other => other,
    }
}

#[cfg(test)]
pub(super) use tests::values;

#[cfg(test)]
mod tests {
    use super::*;
    use fun_base::name::NameSource;
    use fun_base::prim::PrimValue;
    use std::collections::BTreeSet;

    use PrimType::{Bool, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
    const TYPES: [PrimType; 11] = [I8, I16, I32, I64, U8, U16, U32, U64, F32, F64, Bool];

    /// All values of a byte, and those at the ends of other types.
    pub(in super::super) fn values(ty: PrimType) -> Vec<PrimValue> {
        let bits = ty.bits();
        if ty == Bool {
            return [0, 1].map(|value| ty.of_i64(value)).to_vec();
        }
        let edges = [0, 1, 2, (1 << (bits - 1)) - 1, 1 << (bits - 1), u64::MAX >> (64 - bits)];
        match bits {
            _ if ty.is_float() => {
                // among them the least number, infinity, a NaN and -0
                let ends = if bits == 32 { 0x7f80_0000 } else { 0x7ff0_0000_0000_0000 };
                let special = [1, ends, ends | ends >> 1, 1 << (bits - 1)];
                let numbers = [-3, 0, 1, 7].map(|value| ty.of_i64(value));
                numbers.into_iter().chain(special.map(|value| PrimValue::from_bits(ty, value))).collect()
            }
            8 => (0..256).map(|value| PrimValue::from_bits(ty, value)).collect(),
            _ => edges.map(|value| PrimValue::from_bits(ty, value)).to_vec(),
        }
    }

    fn operand(atom: Atom, x: PrimValue) -> PrimValue {
        atom.as_const().unwrap_or(x)
    }

    /// Puts a value for `x` into both sides of a rule.
    fn check(rule: &Rule, ty: PrimType, left: Atom, right: Atom, found: &Exp) {
        for x in values(ty) {
            let before = eval_bin(rule.operator, operand(left, x), operand(right, x));
            let after = match found {
                Exp::Atom(atom) => Ok(operand(*atom, x)),
                Exp::Bin(operator, _, a, b) => eval_bin(*operator, operand(*a, x), operand(*b, x)),
                other => panic!("{}: {other:?}", rule.name),
            };
            // (as text, which tells -0 from 0 and takes a NaN for a NaN)
            assert_eq!(format!("{before:?}"), format!("{after:?}"), "{} of {ty} at {x}", rule.name);
        }
    }

    #[test]
    fn each_rule_is_found_and_holds() {
        let x = Atom::Var(NameSource::starting_at(0).fresh("x"));
        let mut names = BTreeSet::new();
        for rule in RULES {
            assert!(names.insert(rule.name), "{} is there twice", rule.name);
            let mut types = 0;
            for ty in TYPES {
                let left = x;
                let right = match rule.right {
                    X => x,
                    Is(value) => Atom::Const(ty.of_i64(value)),
                };
                if rule.apply(ty, left, right).is_none() {
                    continue;
                }
                types += 1;
                let mut places = vec![(left, right)];
                places.extend(commutes(rule.operator).then_some((right, left)));
                for (left, right) in places {
                    let exp = Exp::Bin(rule.operator, ty, left, right);
                    let found = rewrite(exp.clone());
                    assert_ne!(found, exp, "{} of {ty} is not found", rule.name);
                    check(rule, ty, left, right, &found);
                }
            }
            assert!(types > 0, "{} is for no type", rule.name);
        }
    }
}
