//! Powers of integers by small constants are products, which wrap alike.
//!
//! ```text
//! let (b_1: i32) = pow.i32 a_0 5i32
//! ```
//! becomes
//! ```text
//! let (x_2: i32) = mul.i32 a_0 a_0
//! let (x_3: i32) = mul.i32 x_2 x_2
//! let (b_1: i32) = mul.i32 a_0 x_3
//! ```

use super::Simplify;
use fun::ir::{Atom, Exp, Statement, Type};
use fun_base::prim::BinOp;
use fun_base::source::Loc;

/// The greatest exponent: a dozen products at most.
const GREATEST: i128 = 64;

impl Simplify<'_> {
    /// The power as a product of two numbers, for which others are multiplied before.
    pub(super) fn rewrite_power(&mut self, exp: Exp, loc: Option<Loc>, out: &mut Vec<Statement>) -> Exp {
        let Exp::Bin(BinOp::Pow, ty, base @ Atom::Var(_), Atom::Const(exponent)) = exp else { return exp };
        let Some(exponent @ 3..=GREATEST) = exponent.as_int().filter(|_| ty.is_int()) else { return exp };
        let mut power = |x, y| self.scalar(Exp::Bin(BinOp::Mul, ty, x, y), Type::Prim(ty), loc, out);
        // x^(2k) = x^k * x^k, x^(2k + 1) = x^(2k) * x, from the first bit of the exponent on
        let mut made = base;
        let mut factors = [base, base];
        for bit in (0..exponent.ilog2()).rev() {
            factors = [made, made];
            if exponent >> bit & 1 == 1 {
                factors = [base, power(made, made)];
            }
            if bit > 0 {
                made = power(factors[0], factors[1]);
            }
        }
        Exp::Bin(BinOp::Mul, ty, factors[0], factors[1])
    }
}
