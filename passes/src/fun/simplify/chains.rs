//! The rules of operators on what operators give, a table: each has a name and its algebra. They hold for wrap-around integers of every width, and of floats only where they change no bit. The
//! tests go through all operands of a byte, and those at the ends of wider types.

use crate::fun::commutes;
use fun::ir::{Atom, Exp};
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp, eval_bin};

use BinOp::{Add, And, Max, Min, Mul, Or, Shl, Shr, ShrLogical, Sub, Xor};

/// `(x inner c) outer d = x outer (c by d)`, for constants `c` and `d`.
struct Constants {
    /// Unique in the table.
    #[cfg_attr(not(test), expect(dead_code, reason = "for the test to say which"))]
    name: &'static str,
    outer: BinOp,
    inner: BinOp,
    gives: BinOp,
    by: Joined,
}

/// What becomes of two constants.
#[derive(Clone, Copy)]
enum Joined {
    /// What an operator gives.
    By(BinOp),
    /// The second less the first.
    Less,
    /// The sum of two counts of bits, each less than a number has.
    Bits,
    /// The same, at most all bits but one.
    BitsOfSign,
}
use Joined::{Bits, BitsOfSign, By, Less};

const fn constants(name: &'static str, outer: BinOp, inner: BinOp, gives: BinOp, by: Joined) -> Constants {
    Constants { name, outer, inner, gives, by }
}

const CONSTANTS: &[Constants] = &[
    constants("add-add", Add, Add, Add, By(Add)), // (x + c) + d = x + (c + d)
    constants("sub-add", Sub, Add, Add, By(Sub)), // (x + c) - d = x + (c - d)
    constants("add-sub", Add, Sub, Add, Less),    // (x - c) + d = x + (d - c)
    constants("sub-sub", Sub, Sub, Sub, By(Add)), // (x - c) - d = x - (c + d)
    constants("mul-mul", Mul, Mul, Mul, By(Mul)), // (x * c) * d = x * (c * d)
    constants("and-and", And, And, And, By(And)), // (x & c) & d = x & (c & d)
    constants("or-or", Or, Or, Or, By(Or)),       // (x | c) | d = x | (c | d)
    constants("xor-xor", Xor, Xor, Xor, By(Xor)), // (x ^ c) ^ d = x ^ (c ^ d)
    constants("min-min", Min, Min, Min, By(Min)), // min (min x c) d = min x (min c d)
    constants("max-max", Max, Max, Max, By(Max)), // max (max x c) d = max x (max c d)
    constants("shl-shl", Shl, Shl, Shl, Bits),    // (x << c) << d = x << (c + d)
    constants("shr-shr", Shr, Shr, Shr, BitsOfSign), // (x >> c) >> d = x >> min (c + d) (bits - 1)
    constants("shrl-shrl", ShrLogical, ShrLogical, ShrLogical, Bits), // (x >>> c) >>> d = x >>> (c + d)
];

impl Constants {
    fn join(&self, ty: PrimType, c: PrimValue, d: PrimValue) -> Option<PrimValue> {
        let count =
            |value: PrimValue| value.as_int().filter(|count| (0..i128::from(ty.bits())).contains(count));
        match self.by {
            By(op) => eval_bin(op, c, d).ok(),
            Less => eval_bin(Sub, d, c).ok(),
            Bits => Some(ty.of_i64(i64::try_from(count(c)? + count(d)?).ok()?)),
            // (of numbers without sign nothing is left)
            BitsOfSign if !ty.is_signed() => Some(ty.of_i64(i64::try_from(count(c)? + count(d)?).ok()?)),
            BitsOfSign => {
                let sum = (count(c)? + count(d)?).min(i128::from(ty.bits()) - 1);
                Some(ty.of_i64(i64::try_from(sum).ok()?))
            }
        }
    }
}

/// `outer (inner x) = gives x`.
struct Unary {
    /// Unique in the table.
    #[cfg_attr(not(test), expect(dead_code, reason = "for the test to say which"))]
    name: &'static str,
    outer: UnOp,
    inner: UnOp,
    /// The operand itself, if nothing.
    gives: Option<UnOp>,
}

const UNARY: &[Unary] = &[
    Unary { name: "neg-neg", outer: UnOp::Neg, inner: UnOp::Neg, gives: None }, // -(-x) = x
    Unary { name: "not-not", outer: UnOp::Not, inner: UnOp::Not, gives: None }, // !(!x) = x
    Unary { name: "abs-abs", outer: UnOp::Abs, inner: UnOp::Abs, gives: Some(UnOp::Abs) }, // |(|x|)| = |x|
    Unary { name: "abs-neg", outer: UnOp::Abs, inner: UnOp::Neg, gives: Some(UnOp::Abs) }, // |-x| = |x|
];

/// What an operator gives, where a rule says so of what its operand is; `of` gives that.
pub(super) fn rewrite(exp: &Exp, of: &dyn Fn(Atom) -> Option<Exp>) -> Option<Exp> {
    match exp {
        Exp::Un(outer, ty, value) => match of(*value)? {
            Exp::Bin(inner, ty, x, y) if *outer == UnOp::Not => Some(Exp::Bin(inner.negated(ty)?, ty, x, y)),
            Exp::Un(inner, _, x) => {
                // (of numbers without sign the absolute value is the number)
                let mut rules = UNARY.iter().filter(|rule| rule.outer != UnOp::Abs || !ty.is_unsigned());
                let rule = rules.find(|rule| rule.outer == *outer && rule.inner == inner)?;
                Some(rule.gives.map_or(Exp::Atom(x), |op| Exp::Un(op, *ty, x)))
            }
            _ => None,
        },
        Exp::Bin(outer, ty, left, right) if !ty.is_float() => {
            // (constants may be on either side)
            let swaps = left.as_const().is_some() && commutes(*outer);
            let (value, right) = if swaps { (right, left) } else { (left, right) };
            let Exp::Bin(inner, inner_ty, x, y) = of(*value)? else { return None };
            let (x, y) = if x.as_const().is_some() && commutes(inner) { (y, x) } else { (x, y) };
            if inner_ty != *ty {
                return None;
            }
            match (outer, inner) {
                (Sub, Add) if y == *right => return Some(Exp::Atom(x)), // (x + y) - y = x
                (Sub, Add) if x == *right => return Some(Exp::Atom(y)), // (x + y) - x = y
                (Add, Sub) if y == *right => return Some(Exp::Atom(x)), // (x - y) + y = x
                (Xor, Xor) if y == *right => return Some(Exp::Atom(x)), // (x ^ y) ^ y = x
                _ => {}
            }
            let rule = CONSTANTS.iter().find(|rule| rule.outer == *outer && rule.inner == inner)?;
            let joined = rule.join(*ty, y.as_const()?, right.as_const()?)?;
            Some(Exp::Bin(rule.gives, *ty, x, Atom::Const(joined)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::rules::values;
    use super::*;
    use fun_base::name::NameSource;
    use fun_base::prim::eval_un;
    use std::collections::BTreeSet;

    use PrimType::{Bool, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
    const TYPES: [PrimType; 11] = [I8, I16, I32, I64, U8, U16, U32, U64, F32, F64, Bool];

    fn value(exp: &Exp, known: &[(Atom, PrimValue)]) -> Option<PrimValue> {
        let of = |atom: &Atom| {
            let found = known.iter().find(|(other, _)| other == atom).map(|(_, value)| *value);
            atom.as_const().or(found)
        };
        match exp {
            Exp::Atom(atom) => of(atom),
            Exp::Bin(op, _, x, y) => eval_bin(*op, of(x)?, of(y)?).ok(),
            Exp::Un(op, _, x) => eval_un(*op, of(x)?).ok(),
            _ => None,
        }
    }

    /// Puts values into both sides of what a rule says of an operator on what an inner one gives; whether one applies.
    fn check(outer: impl Fn(Atom) -> Exp, inner: &Exp, [x, y]: [(Atom, PrimValue); 2], middle: Atom) -> bool {
        let outer = outer(middle);
        let Some(after) = rewrite(&outer, &|atom| (atom == middle).then(|| inner.clone())) else {
            return false;
        };
        let Some(between) = value(inner, &[x, y]) else { return true };
        let before = value(&outer, &[x, y, (middle, between)]);
        // (as text, which tells -0 from 0)
        assert_eq!(format!("{before:?}"), format!("{:?}", value(&after, &[x, y])), "{outer:?} of {inner:?}");
        true
    }

    #[test]
    fn each_rule_is_found_and_holds() {
        let mut names = NameSource::starting_at(0);
        let [x, y, middle] = ["x", "y", "z"].map(|text| Atom::Var(names.fresh(text)));
        let mut known = BTreeSet::new();
        for rule in CONSTANTS {
            assert!(known.insert(rule.name), "{} is there twice", rule.name);
            let mut found = false;
            for ty in TYPES {
                let few: Vec<PrimValue> =
                    values(ty).into_iter().step_by(if ty.bits() == 8 { 17 } else { 1 }).collect();
                for (c, d, v) in few
                    .iter()
                    .flat_map(|c| few.iter().map(move |d| (c, d)))
                    .flat_map(|(c, d)| values(ty).into_iter().map(move |v| (*c, *d, v)))
                {
                    let inner = Exp::Bin(rule.inner, ty, x, Atom::Const(c));
                    let outer = |middle| Exp::Bin(rule.outer, ty, middle, Atom::Const(d));
                    found |= check(outer, &inner, [(x, v), (y, v)], middle);
                }
            }
            assert!(found, "{} is not found", rule.name);
        }
        for rule in UNARY {
            assert!(known.insert(rule.name), "{} is there twice", rule.name);
            let mut found = false;
            for (ty, v) in TYPES.into_iter().flat_map(|ty| values(ty).into_iter().map(move |v| (ty, v))) {
                let inner = Exp::Un(rule.inner, ty, x);
                found |= check(|middle| Exp::Un(rule.outer, ty, middle), &inner, [(x, v), (y, v)], middle);
            }
            assert!(found, "{} is not found", rule.name);
        }
    }

    #[test]
    fn comparisons_are_negated_and_sums_undone() {
        let mut names = NameSource::starting_at(0);
        let [x, y, middle] = ["x", "y", "z"].map(|text| Atom::Var(names.fresh(text)));
        let mut negations = 0;
        for (ty, v) in TYPES.into_iter().flat_map(|ty| values(ty).into_iter().map(move |v| (ty, v))) {
            for w in values(ty).into_iter().step_by(if ty.bits() == 8 { 5 } else { 1 }) {
                for op in [BinOp::Eq, BinOp::Ne, BinOp::Lt, BinOp::Le, BinOp::Gt, BinOp::Ge] {
                    let inner = Exp::Bin(op, ty, x, y);
                    let outer = |middle| Exp::Un(UnOp::Not, Bool, middle);
                    negations += usize::from(check(outer, &inner, [(x, v), (y, w)], middle));
                }
                for (outer, inner) in [(Sub, Add), (Add, Sub), (Xor, Xor)] {
                    for right in [x, y] {
                        let inner = Exp::Bin(inner, ty, x, y);
                        check(|middle| Exp::Bin(outer, ty, middle, right), &inner, [(x, v), (y, w)], middle);
                    }
                }
            }
        }
        assert!(negations > 0);
    }
}
