//! What comparisons, clamps and remainders are in a part of the iterations, and which limits that takes.

use super::super::FAR;
use super::super::linear::{Linear, above_bound, added, is_near, parts, size};
use super::{Finder, Known, Limit, Part, part_of, truth};
use crate::imp::copy::{can_fail, constant};
use crate::imp::numbers::mirrored;
use fun_base::prim::{BinOp, PrimType, UnOp};
use imp::build::bin;
use imp::ir::Exp;
use std::collections::BTreeSet;

/// As far as loops inside may move a number: so little that it does not wrap around either.
const MOST_SPREAD: i64 = 1 << 20;

impl Finder<'_> {
    /// The limits of which one at least is not kept in this part.
    pub(super) fn limits_here(&self) -> impl Iterator<Item = usize> {
        let part = self.part;
        self.limits.iter().enumerate().filter(move |(_, limit)| part_of(limit) == part).map(|(at, _)| at)
    }

    /// What a truth is where any of some limits is not kept.
    pub(super) fn broken(&self, exp: &Exp) -> Option<(BTreeSet<usize>, bool)> {
        match exp {
            Exp::Var(var) => self.broken.get(var).cloned(),
            Exp::Un(UnOp::Not, PrimType::Bool, x) => self.broken(x).map(|(limits, value)| (limits, !value)),
            Exp::Bin(op @ (BinOp::And | BinOp::Or), PrimType::Bool, x, y) => {
                let decides = *op == BinOp::Or;
                let deciding =
                    [x, y].map(|operand| self.broken(operand).filter(|(_, value)| *value == decides));
                let limits: BTreeSet<usize> =
                    deciding.into_iter().flatten().flat_map(|(limits, _)| limits).collect();
                (!limits.is_empty()).then_some((limits, decides))
            }
            _ => {
                let (_, limit, value) = self.comparisons.iter().find(|(other, ..)| other == exp)?;
                Some((BTreeSet::from([*limit]), *value))
            }
        }
    }

    /// What a comparison is in this part.
    pub(super) fn compare(&mut self, given: BinOp, left: &Exp, right: &Exp) -> Option<Exp> {
        let (x, y) = (self.linear(left)?, self.linear(right)?);
        if self.asserting && (x.counter, y.counter) == (0, 0) && !x.is_spread() && !y.is_spread() {
            return self.always(bin(given, PrimType::I64, x.rest, y.rest));
        }
        let op = given;
        let falls = x.counter < 0 || y.counter < 0;
        // from here on, counter + linear `op` other
        let (op, linear, other) = match (x.counter, y.counter) {
            (1, 0) => (op, x, y),
            (0, 1) => (mirrored(op), y, x),
            (-1, 0) => (mirrored(op), Linear { counter: 1, ..y }, Linear { counter: 0, ..x }),
            (0, -1) => (op, Linear { counter: 1, ..x }, Linear { counter: 0, ..y }),
            (0, 0) if self.moves_around(&x.rest) => (op, x, y),
            (0, 0) => (mirrored(op), y, x),
            _ => return None,
        };
        if falls && !self.near(&other.rest) {
            return None;
        }
        let fixed = linear.counter == 0;
        let spread = linear.is_spread() || other.is_spread();
        if fixed && !(self.moves_around(&linear.rest) && self.is_end(&other.rest)) {
            return None;
        }
        // (rows at the rim of a nest have a middle, too)
        if fixed && self.around.lanes_inside && !spread {
            return None;
        }
        // a number that falls is compared with a constant at the last iterations, with another one at the first
        let above = match fixed {
            true => constant(&other.rest).is_some(),
            // an assertion holds in the middle
            false if self.asserting => matches!(op, BinOp::Gt | BinOp::Ge),
            false if falls => constant(&linear.rest).is_none(),
            false if self.above && !self.is_known(&other.rest) => true,
            false => self.is_low(&other.rest, &linear.rest),
        };
        let (op, holds) = match (op, above) {
            (BinOp::Eq, true) => (BinOp::Gt, false),
            (BinOp::Eq, false) => (BinOp::Lt, false),
            (BinOp::Ne, true) => (BinOp::Gt, true),
            (BinOp::Ne, false) => (BinOp::Lt, true),
            (BinOp::Gt | BinOp::Ge, true) | (BinOp::Lt | BinOp::Le, false) => (op, true),
            (BinOp::Gt, false) => (BinOp::Le, false),
            (BinOp::Ge, false) => (BinOp::Lt, false),
            (BinOp::Lt, true) => (BinOp::Ge, false),
            (BinOp::Le, true) => (BinOp::Gt, false),
            _ => return None,
        };
        match if fixed { self.assume(op, linear, other) } else { self.limit(op, linear, other) } {
            Known::Kept => return Some(truth(holds)),
            Known::Limit(limit) if !spread => {
                // an equation is one with the first iteration, or there is more to it than the limit
                let first = self.limits[limit] == Limit::From(Exp::i64(1));
                if first || !matches!(given, BinOp::Eq | BinOp::Ne) {
                    let exp = bin(given, PrimType::I64, left.clone(), right.clone());
                    self.comparisons.push((exp, limit, !holds));
                }
            }
            Known::Limit(_) | Known::Open => {}
        }
        None
    }

    /// The operand of `min` or `max` that it is in this part.
    pub(super) fn clamp(&mut self, op: BinOp, x: &Exp, y: &Exp) -> Option<Exp> {
        let (left, right) = (self.linear(x)?, self.linear(y)?);
        let holds = if op == BinOp::Max { BinOp::Ge } else { BinOp::Le };
        let (chosen, linear, other) = match (left.counter, right.counter) {
            (1, 0) => (x, left, right),
            (0, 1) => (y, right, left),
            (0, 0) if self.moves_around(&left.rest) => (x, left, right),
            (0, 0) => (y, right, left),
            _ => return None,
        };
        // what is compared with must be at the end where the clamp acts
        if linear.counter == 0 {
            let at_end = constant(&other.rest).is_some() == (op == BinOp::Max);
            // (one that is the same in all iterations keeps nothing from vectors)
            if !linear.is_spread() || !at_end || !self.moves_around(&linear.rest) || !self.is_end(&other.rest)
            {
                return None;
            }
            let kept = matches!(self.assume(holds, linear, other), Known::Kept);
            self.pays |= kept;
            return kept.then(|| chosen.clone());
        }
        let at_end = constant(&other.rest).is_some() == (op == BinOp::Max);
        if !self.around.all_or_none && !at_end && self.is_low(&other.rest, &linear.rest) != (op == BinOp::Max)
        {
            return None;
        }
        let spread = linear.is_spread() || other.is_spread();
        match self.limit(holds, linear, other) {
            Known::Kept => {
                self.pays = true;
                Some(chosen.clone())
            }
            Known::Limit(limit) if !spread && self.limits_here().all(|other| other == limit) => {
                Some(if chosen == x { y.clone() } else { x.clone() })
            }
            Known::Limit(_) | Known::Open => None,
        }
    }

    /// What is left of a number that moves with the counter of this loop or of one around, divided by the bound: the number itself, or where it is the bound and more, what
    /// it is more.
    pub(super) fn remainder(&mut self, x: &Exp, divisor: &Exp) -> Option<Exp> {
        let mut linear = self.linear(x)?;
        let mut rest = x.clone();
        if linear.counter == 1
            && divisor == self.bound
            && let Some(more) = above_bound(&linear.rest, divisor)
            // (any constant is a constant bound and more or less: the nearer of both)
            && constant(divisor).is_none_or(|divisor| more >= -(divisor / 2))
            && self.near(divisor)
        {
            linear.rest = Exp::i64(more);
            rest = bin(BinOp::Sub, PrimType::I64, rest, divisor.clone());
        }
        let (zero, end) = (Linear::fixed(Exp::i64(0)), Linear::fixed(divisor.clone()));
        let known = match linear.counter {
            1 if divisor == self.bound => {
                [self.limit(BinOp::Ge, linear.clone(), zero), self.limit(BinOp::Lt, linear, end)]
            }
            0 if linear.is_spread() && self.moves_around(&linear.rest) && self.is_end(divisor) => {
                [self.assume(BinOp::Ge, linear.clone(), zero), self.assume(BinOp::Lt, linear, end)]
            }
            _ => return None,
        };
        let kept = known.iter().all(|known| matches!(known, Known::Kept));
        self.pays |= kept;
        kept.then_some(rest)
    }

    /// The middle is where `counter + linear op other`, whatever loops inside make of these.
    fn limit(&mut self, op: BinOp, linear: Linear, other: Linear) -> Known {
        let i64 = PrimType::I64;
        let (offset, mut number) = (linear.rest, other.rest);
        if let Exp::Var(var) = &number
            && let Some(sum) = self.around.sums.get(var)
            && above_bound(sum, self.bound).is_some()
        {
            number = sum.clone();
        }
        let clamped = |number| bin(BinOp::Max, i64, number, Exp::i64(-2 * FAR));
        let clamped = |number| bin(BinOp::Min, i64, clamped(number), Exp::i64(2 * FAR - 1));
        if !self.near(&offset) || (other.low != 0 || other.high != 0) && !self.near(&number) {
            return Known::Open;
        }
        // sums near 0 are sums of integers: then limits that are the same number look the same
        let (within, more) = match is_near(&number) || above_bound(&number, self.bound).is_some() {
            true => (number, 0),
            false if self.near_zero.contains(&number) => {
                let (rest, more) = parts(&number);
                let sum = if let Exp::Var(var) = &rest { self.around.sums.get(var) } else { None };
                let (rest, further) = sum.map_or((rest, 0), parts);
                (rest, more + further)
            }
            false => (clamped(number), 0),
        };
        let from = matches!(op, BinOp::Gt | BinOp::Ge);
        let spread = if from { other.high - linear.low } else { other.low - linear.high };
        let limit = added(BinOp::Add, added(BinOp::Sub, within, offset), Exp::i64(spread + more));
        let next = || added(BinOp::Add, limit.clone(), Exp::i64(1));
        let limit = match op {
            BinOp::Gt => Limit::From(next()),
            BinOp::Ge => Limit::From(limit),
            BinOp::Le => Limit::Below(next()),
            _ => Limit::Below(limit),
        };
        let same = self.limits.iter().position(|other| *other == limit);
        match same {
            Some(at) if part_of(&limit) == self.part => Known::Limit(at),
            Some(_) => Known::Kept,
            None if self.part != Part::Middle => Known::Open,
            None => {
                self.limits.push(limit);
                Known::Kept
            }
        }
    }

    /// There is no middle but where `linear op other`, which are the same in all iterations but for loops inside.
    fn assume(&mut self, op: BinOp, linear: Linear, other: Linear) -> Known {
        let from = matches!(op, BinOp::Gt | BinOp::Ge);
        let (here, there) = if from { (linear.low, other.high) } else { (linear.high, other.low) };
        let spread = linear.is_spread() || other.is_spread();
        if spread && !(self.near(&linear.rest) && self.near(&other.rest)) {
            return Known::Open;
        }
        let with = |rest: Exp, more: i64| added(BinOp::Add, rest, Exp::i64(more));
        let holds = bin(op, PrimType::I64, with(linear.rest, here), with(other.rest, there));
        if !self.assumed.contains(&holds) {
            if self.part != Part::Middle {
                return Known::Open;
            }
            self.spread |= spread;
            self.assumed.push(holds);
        }
        Known::Kept
    }

    /// What an assertion needs and is the same in all iterations: there is no middle where it does not hold.
    fn always(&mut self, holds: Exp) -> Option<Exp> {
        if !self.assumed.contains(&holds) {
            (self.part == Part::Middle).then(|| self.assumed.push(holds))?;
        }
        Some(truth(true))
    }

    /// Whether a number moves with the counter of a loop around.
    fn moves_around(&self, exp: &Exp) -> bool {
        let mut moves = false;
        exp.for_each_var(&mut |var| moves |= self.around.counters.contains(&var));
        moves
    }

    /// Whether a number has to do with where loops begin and end alone.
    fn is_end(&self, exp: &Exp) -> bool {
        let mut end = !exp.reads();
        exp.for_each_var(&mut |var| end &= self.around.bounds.contains(&Exp::Var(var)));
        end
    }

    /// There is no middle where this number is far from 0; whether that is settled.
    fn near(&mut self, number: &Exp) -> bool {
        let settled = is_near(number) || self.near_zero.contains(number);
        if !settled && self.part == Part::Middle {
            self.near_zero.push(number.clone());
        }
        settled || self.part == Part::Middle
    }

    /// Whether a number is a constant or not far from the bound.
    fn is_known(&self, number: &Exp) -> bool {
        constant(number).is_some() || above_bound(number, self.bound).is_some()
    }

    /// Whether the counter reaches `number - offset` at its first iterations rather than at its last.
    fn is_low(&self, number: &Exp, offset: &Exp) -> bool {
        let (Some(number), Some(offset)) = (constant(number), constant(offset)) else { return false };
        constant(self.bound).is_none_or(|bound| number.saturating_sub(offset) < bound / 2)
    }

    /// How an i64 moves with the counter.
    pub(super) fn linear(&self, exp: &Exp) -> Option<Linear> {
        if let Some(linear) = self.sum(exp) {
            return Some(linear);
        }
        self.is_fixed(exp).then(|| Linear::fixed(exp.clone()))
    }

    fn sum(&self, exp: &Exp) -> Option<Linear> {
        match exp {
            Exp::Var(var) if *var == self.counter => {
                Some(Linear { counter: 1, ..Linear::fixed(Exp::i64(0)) })
            }
            Exp::Var(var) => match self.inside.get(var) {
                Some(last) => Some(Linear { high: *last, ..Linear::fixed(Exp::i64(0)) }),
                None => self.linear.get(var).cloned(),
            },
            Exp::Bin(op @ (BinOp::Add | BinOp::Sub), PrimType::I64, x, y) if !self.is_fixed(exp) => {
                let (x, y) = (self.linear(x)?, self.linear(y)?);
                let counter = if *op == BinOp::Add { x.counter + y.counter } else { x.counter - y.counter };
                let (low, high) = match op {
                    BinOp::Add => (x.low + y.low, x.high + y.high),
                    _ => (x.low - y.high, x.high - y.low),
                };
                let rest = added(*op, x.rest, y.rest);
                let simple = (-1..=1).contains(&counter) && size(&rest) <= 12 && high - low <= MOST_SPREAD;
                simple.then_some(Linear { counter, rest, low, high })
            }
            _ => None,
        }
    }

    /// Whether an expression is the same in all iterations, and can be computed before them.
    fn is_fixed(&self, exp: &Exp) -> bool {
        let mut fixed = !exp.reads() && !can_fail(exp);
        exp.for_each_var(&mut |var| fixed &= !self.own.contains(&var));
        fixed && size(exp) <= 12
    }
}
