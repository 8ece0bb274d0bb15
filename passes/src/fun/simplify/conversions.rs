//! Conversions of integers of 64 bits to 32, which commute with sums and products.
//!
//! ```text
//! let (a_1: i64) = mul.i64 i_0 64i64
//! let (b_2: i64) = add.i64 a_1 k_3
//! let (c_4: u32) = convert.u32.i64 b_2
//! ```
//! becomes `let (d_5: u32) = convert.u32.i64 i_0`, `let (e_6: u32) = mul.u32 d_5 64u32` and so on: vectors have twice as many lanes for 4 bytes as for 8, and processors multiply
//! these in vectors. Done where nothing else needs the wide number, and no operand comes from an array, as its elements would each be converted.

use super::Simplify;
use super::arrays::Definition;
use fun::ir::{Atom, Exp, Statement, Type};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_base::source::Loc;

impl Simplify<'_> {
    /// The conversion of what an operator gives, by operators on what its operands convert to.
    pub(super) fn rewrite_conversion(&mut self, exp: Exp, loc: Option<Loc>, out: &mut Vec<Statement>) -> Exp {
        let Exp::Convert { to, from, value: Atom::Var(wide) } = exp else { return exp };
        if !to.is_int() || !from.is_int() {
            return exp;
        }
        match self.definition(wide) {
            // t.u (u.s x) = t.s x, where t is no wider than u
            Some(Definition::Converted(source, value)) if to.bits() <= from.bits() => {
                super::rules::rewrite(Exp::Convert { to, from: source, value })
            }
            // t.u (x + y) = t.u x + t.u y
            Some(Definition::Binary(op, _, x, y))
                if to.bits() == 32 && is_modular(op) && self.may_narrow(wide, from, [x, y]) =>
            {
                let [x, y] = [x, y].map(|value| self.narrowed(to, from, value, loc, out));
                super::rules::rewrite(Exp::Bin(op, to, x, y))
            }
            _ => exp,
        }
    }

    fn may_narrow(&self, wide: Var, from: PrimType, operands: [Atom; 2]) -> bool {
        let is_element = |operand: &Atom| {
            operand.as_var().is_some_and(|var| matches!(self.definition(var), Some(Definition::Element)))
        };
        from.bits() == 64 && self.uses.get(&wide) == Some(&1) && !operands.iter().any(is_element)
    }

    fn narrowed(
        &mut self,
        to: PrimType,
        from: PrimType,
        value: Atom,
        loc: Option<Loc>,
        out: &mut Vec<Statement>,
    ) -> Atom {
        let exp = super::rules::rewrite(Exp::Convert { to, from, value });
        let exp = self.rewrite_conversion(exp, loc, out);
        self.scalar(exp, Type::Prim(to), loc, out)
    }
}

/// Whether the lowest bits of what an operator gives come from the lowest bits of its operands alone.
fn is_modular(op: BinOp) -> bool {
    matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::And | BinOp::Or | BinOp::Xor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fun_base::prim::{PrimValue, eval_bin, eval_conv};

    const OPERATORS: [BinOp; 6] = [BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::And, BinOp::Or, BinOp::Xor];
    const NUMBERS: [u64; 8] = [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 1 << 63, u64::MAX >> 1, u64::MAX];

    #[test]
    fn conversions_commute_with_modular_operators() {
        for (wide, to) in [PrimType::I64, PrimType::U64]
            .into_iter()
            .flat_map(|wide| [PrimType::I32, PrimType::U32].map(|to| (wide, to)))
        {
            for op in OPERATORS {
                assert!(is_modular(op));
                for (x, y) in NUMBERS.into_iter().flat_map(|x| NUMBERS.map(|y| (x, y))) {
                    let [x, y] = [x, y].map(|bits| PrimValue::from_bits(wide, bits));
                    let before = eval_bin(op, x, y).map(|sum| eval_conv(to, sum));
                    let after = eval_bin(op, eval_conv(to, x), eval_conv(to, y));
                    assert_eq!(before, after, "{op:?} of {x} and {y} as {to}");
                }
            }
        }
    }

    #[test]
    fn a_conversion_to_no_more_bits_is_one() {
        use PrimType::{I8, I16, I32, I64, U8, U16, U32, U64};
        let types = [I8, I16, I32, I64, U8, U16, U32, U64];
        for (source, between, to) in types
            .into_iter()
            .flat_map(|source| types.map(|between| (source, between)))
            .flat_map(|(source, between)| types.map(|to| (source, between, to)))
            .filter(|(_, between, to)| to.bits() <= between.bits())
        {
            for bits in NUMBERS {
                let x = PrimValue::from_bits(source, bits & u64::MAX >> (64 - source.bits()));
                assert_eq!(
                    eval_conv(to, eval_conv(between, x)),
                    eval_conv(to, x),
                    "{x} by {between} to {to}"
                );
            }
        }
    }
}
