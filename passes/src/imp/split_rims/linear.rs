//! Numbers that move with a counter, and sums of expressions.

use super::FAR;
use crate::imp::copy::constant;
use fun_base::prim::{BinOp, PrimType, PrimValue};
use imp::build::bin;
use imp::ir::Exp;

/// An i64 that is `rest`, or `rest` and the counter, or `rest` without the counter, and a number from `low` to `high`, which counters
/// of loops inside make up.
#[derive(Clone)]
pub(super) struct Linear {
    pub(super) counter: i64,
    pub(super) rest: Exp,
    pub(super) low: i64,
    pub(super) high: i64,
}

impl Linear {
    /// Of an expression that is the same in all iterations.
    pub(super) fn fixed(rest: Exp) -> Linear {
        Linear { counter: 0, rest, low: 0, high: 0 }
    }

    /// Whether loops inside make it different numbers.
    pub(super) fn is_spread(&self) -> bool {
        self.low != self.high
    }
}

/// Whether this is a constant nearer to 0 than [`FAR`].
pub(super) fn is_near(number: &Exp) -> bool {
    constant(number).is_some_and(|x| (-FAR + 1..FAR).contains(&x))
}

/// How far this is above a bound, if that is a constant nearer to 0 than [`FAR`].
pub(super) fn above_bound(number: &Exp, bound: &Exp) -> Option<i64> {
    let above = match number {
        _ if number == bound => 0,
        Exp::Bin(BinOp::Add, PrimType::I64, x, c) if **x == *bound => constant(c)?,
        Exp::Bin(BinOp::Sub, PrimType::I64, x, c) if **x == *bound => constant(c)?.checked_neg()?,
        _ => constant(number)?.checked_sub(constant(bound)?)?,
    };
    (-FAR + 1..FAR).contains(&above).then_some(above)
}

/// A number as another one and a constant nearer to 0 than [`FAR`].
pub(super) fn parts(number: &Exp) -> (Exp, i64) {
    let (rest, more) = match number {
        Exp::Bin(BinOp::Add, PrimType::I64, rest, c) => (rest, constant(c)),
        Exp::Bin(BinOp::Sub, PrimType::I64, rest, c) => (rest, constant(c).and_then(i64::checked_neg)),
        _ => return (number.clone(), 0),
    };
    match more {
        Some(more) if (-FAR + 1..FAR).contains(&more) => ((**rest).clone(), more),
        _ => (number.clone(), 0),
    }
}

/// The sum or difference, where constants are put together.
pub(super) fn added(op: BinOp, x: Exp, y: Exp) -> Exp {
    if let Some(more) = constant(&y) {
        let more = if op == BinOp::Add { more } else { more.wrapping_neg() };
        let (rest, sum) = match &x {
            Exp::Bin(BinOp::Add, PrimType::I64, rest, c) => (Some(&**rest), constant(c)),
            Exp::Bin(BinOp::Sub, PrimType::I64, rest, c) => {
                (Some(&**rest), constant(c).map(i64::wrapping_neg))
            }
            _ => (None, constant(&x)),
        };
        let sum = sum.map(|sum| sum.wrapping_add(more));
        return match (rest, sum) {
            (None, Some(sum)) => Exp::i64(sum),
            (Some(rest), Some(sum)) => moved(rest.clone(), sum),
            _ => moved(x, more),
        };
    }
    match &x {
        Exp::Const(PrimValue::I64(0)) if op == BinOp::Add => y,
        _ => bin(op, PrimType::I64, x, y),
    }
}

/// An expression and a constant.
fn moved(x: Exp, by: i64) -> Exp {
    match by {
        0 => x,
        i64::MIN..0 if by != i64::MIN => bin(BinOp::Sub, PrimType::I64, x, Exp::i64(-by)),
        _ => bin(BinOp::Add, PrimType::I64, x, Exp::i64(by)),
    }
}

/// How many nodes an expression has.
pub(super) fn size(exp: &Exp) -> usize {
    let mut total = 1;
    exp.for_each_child(&mut |child| total += size(child));
    total
}
