//! How far the indices of a nest's body are from the counters of its loops, at least and at most.

use super::copy::can_fail;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use imp::ir::{Exp, Statement, StatementKind};
use std::collections::{BTreeMap, BTreeSet};

/// A loop of a nest.
#[derive(Clone)]
pub(super) struct Axis {
    pub(super) counter: Var,
    pub(super) bound: Exp,
}

/// Numbers beyond this are not looked at: sums of others do not wrap around.
const FAR: i64 = 1 << 20;

/// What is known of an i64.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Number {
    /// From `low` to `high`, and the counter of an axis if there is one.
    Near { axis: Option<usize>, low: i64, high: i64 },
    /// Such a number with a counter, taken modulo what the counter counts up to.
    Wrapped { axis: usize, low: i64, high: i64, of: Exp },
    /// The last value of the counter of an axis.
    Last(usize),
    /// The same for all iterations of the axes; made of what stands outside of them.
    Same(Exp),
}

/// What is known of the i64 variables of a nest's body.
pub(super) struct Numbers<'n> {
    axes: &'n [Axis],
    known: BTreeMap<Var, Number>,
    /// What the nest declares inside of the loops of its axes.
    inside: &'n BTreeSet<Var>,
}

impl<'n> Numbers<'n> {
    pub(super) fn new(axes: &'n [Axis], inside: &'n BTreeSet<Var>) -> Numbers<'n> {
        let counters = axes.iter().enumerate();
        let known = counters.map(|(at, axis)| (axis.counter, near(Some(at), 0, 0))).collect();
        Numbers { axes, known, inside }
    }

    /// A statement of the body comes before others.
    pub(super) fn passed(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Let { var, ty: PrimType::I64, value } => {
                if let Some(number) = self.of(value) {
                    self.known.insert(*var, number);
                }
            }
            StatementKind::For { var, bound: Exp::Const(bound), .. } => {
                if let Some(bound) = bound.as_i64().filter(|bound| (1..FAR).contains(bound)) {
                    self.known.insert(*var, near(None, 0, bound - 1));
                }
            }
            _ => {}
        }
    }

    /// What is known of an expression.
    pub(super) fn of(&self, exp: &Exp) -> Option<Number> {
        self.moving(exp).or_else(|| self.same(exp).map(Number::Same))
    }

    fn moving(&self, exp: &Exp) -> Option<Number> {
        match exp {
            Exp::Const(value) => {
                value.as_i64().filter(|x| (1 - FAR..FAR).contains(x)).map(|x| near(None, x, x))
            }
            Exp::Var(var) => self.known.get(var).cloned(),
            Exp::Bin(op, PrimType::I64, x, y) => self.combined(*op, (x, y)),
            Exp::Select(_, x, y) => match (self.of(x)?, self.of(y)?) {
                (
                    Number::Near { axis, low, high },
                    Number::Near { axis: other, low: other_low, high: other_high },
                ) if axis == other => Some(near(axis, low.min(other_low), high.max(other_high))),
                _ => None,
            },
            _ => None,
        }
    }

    fn combined(&self, op: BinOp, (x, y): (&Exp, &Exp)) -> Option<Number> {
        let (left, right) = (self.of(x)?, self.of(y)?);
        if op == BinOp::Sub
            && let Some(axis) = self.counts_to(x)
            && right == near(None, 1, 1)
        {
            return Some(Number::Last(axis));
        }
        if op == BinOp::Mod
            && let Number::Near { axis: Some(axis), low, high } = left
            && self.axes[axis].bound == *y
        {
            return Some(Number::Wrapped { axis, low, high, of: x.clone() });
        }
        match (left, right) {
            (
                Number::Near { axis, low, high },
                Number::Near { axis: other, low: other_low, high: other_high },
            ) => match op {
                BinOp::Add if axis.is_none() || other.is_none() => {
                    bounded(axis.or(other), low + other_low, high + other_high)
                }
                BinOp::Sub if other.is_none() => bounded(axis, low - other_high, high - other_low),
                // a counter is not negative
                BinOp::Max if other.is_none() && other_high <= 0 => bounded(axis, low, high.max(0)),
                BinOp::Max if axis.is_none() && high <= 0 => bounded(other, other_low, other_high.max(0)),
                BinOp::Min if other.is_none() && self.is_last(axis, other_low) => {
                    bounded(axis, low.min(0), high)
                }
                BinOp::Min if axis.is_none() && self.is_last(other, low) => {
                    bounded(other, other_low.min(0), other_high)
                }
                _ => None,
            },
            (Number::Near { axis: Some(axis), low, high }, Number::Last(last))
            | (Number::Last(last), Number::Near { axis: Some(axis), low, high })
                if op == BinOp::Min && self.axes[axis].bound == self.axes[last].bound =>
            {
                bounded(Some(axis), low.min(0), high)
            }
            _ => None,
        }
    }

    /// The axis whose counter goes up to this number.
    fn counts_to(&self, exp: &Exp) -> Option<usize> {
        self.axes.iter().position(|axis| axis.bound == *exp)
    }

    /// Whether no value of an axis' counter is beyond a number.
    fn is_last(&self, axis: Option<usize>, number: i64) -> bool {
        let bound = axis.and_then(|axis| match &self.axes[axis].bound {
            Exp::Const(bound) => bound.as_i64(),
            _ => None,
        });
        bound.is_some_and(|bound| bound - 1 <= number)
    }

    /// The expression by what stands outside of the axes' loops alone, if it is the same for all of their iterations.
    fn same(&self, exp: &Exp) -> Option<Exp> {
        match exp {
            Exp::Var(var) => match self.known.get(var) {
                Some(Number::Same(exp)) => Some(exp.clone()),
                Some(_) => None,
                None => (!self.inside.contains(var)).then(|| exp.clone()),
            },
            Exp::Const(_) => Some(exp.clone()),
            Exp::Bin(op, PrimType::I64, x, y) if !can_fail(exp) => {
                Some(imp::build::bin(*op, PrimType::I64, self.same(x)?, self.same(y)?))
            }
            _ => None,
        }
    }
}

fn near(axis: Option<usize>, low: i64, high: i64) -> Number {
    Number::Near { axis, low, high }
}

fn bounded(axis: Option<usize>, low: i64, high: i64) -> Option<Number> {
    (low > -FAR && high < FAR).then(|| near(axis, low, high))
}
