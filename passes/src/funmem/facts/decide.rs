//! What is decided by what is known at a point: conditions, selections between two numbers, signs.

use super::narrow::integer;
use super::{Case, Condition, PointFacts, difference};
use fun::ir::{Atom, Body, Exp, Rep};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp};
use fun_index::certificate::Evidence;
use fun_index::poly::Poly;
use fun_index::prove::exact::Exact;
use fun_index::prove::{self, Answer, Why};

/// How many choices between numbers a question goes into.
const CASES: usize = 3;

impl<R: Rep> PointFacts<R> {
    /// Why a condition always holds; `None` if that was not shown.
    pub fn shows(&mut self, condition: Atom) -> Option<Vec<Evidence>> {
        self.known();
        let mut evidence = Vec::new();
        self.has_value(condition, true, &mut evidence).then_some(evidence)
    }

    /// Whether an array certainly has an element at these indices.
    pub fn in_bounds(&mut self, array: Var, indices: &[Atom]) -> bool {
        self.known();
        let Some(shape) = self.shapes.get(&array) else { return false };
        indices.iter().zip(shape).all(|(index, size)| {
            let index = integer(*index);
            let room = difference(&integer(*size), &index, 1);
            [Some(index), room].iter().all(|number| {
                number.as_ref().is_some_and(|number| prove::nonneg(&self.facts, number).is_proved())
            })
        })
    }

    /// What a selection between two numbers, or the sign of a number, always is, and why; `None` if that was not shown.
    pub fn value(&mut self, exp: &Exp<R>) -> Option<(Atom, Vec<Evidence>)> {
        match exp {
            Exp::If { condition, then, otherwise } => {
                let (then, otherwise) = (number(then)?, number(otherwise)?);
                self.known();
                [(true, then), (false, otherwise)].into_iter().find_map(|(taken, number)| {
                    let mut evidence = Vec::new();
                    self.has_value(*condition, taken, &mut evidence).then_some((number, evidence))
                })
            }
            Exp::Un(UnOp::Sgn, PrimType::I64, number) => {
                self.known();
                let evidence =
                    self.first_shown(false, [difference(&integer(*number), &Poly::default(), 1)])?;
                Some((Atom::i64(1), vec![evidence]))
            }
            _ => None,
        }
    }

    /// Whether a comparison always has this value.
    pub(super) fn is_plainly(&mut self, condition: Atom, value: bool) -> bool {
        let known = condition.as_var().and_then(|var| self.bools.get(&var));
        matches!(known, Some(Condition::Compare(..))) && self.has_value(condition, value, &mut Vec::new())
    }

    fn has_value(&mut self, condition: Atom, value: bool, evidence: &mut Vec<Evidence>) -> bool {
        let known = match condition {
            Atom::Const(constant) => return constant == PrimValue::Bool(value),
            Atom::Var(var) => self.bools.get(&var).copied(),
        };
        let shown = match known {
            None => None,
            Some(Condition::Not(other)) => return self.has_value(other, !value, evidence),
            Some(Condition::Both(op, x, y)) => {
                let before = evidence.len();
                let first = self.has_value(x, value, evidence);
                let all = (op == BinOp::And) == value;
                if first != all {
                    return first;
                }
                let second = self.has_value(y, value, evidence);
                if !second {
                    evidence.truncate(before);
                }
                return second;
            }
            Some(Condition::Compare(op, x, y)) => match (op, value) {
                (BinOp::Lt, true) | (BinOp::Ge, false) => {
                    return self.is_beyond(y, x, &Poly::constant(1), CASES, evidence);
                }
                (BinOp::Lt, false) | (BinOp::Ge, true) => {
                    return self.is_beyond(x, y, &Poly::constant(0), CASES, evidence);
                }
                (BinOp::Gt, true) | (BinOp::Le, false) => {
                    return self.is_beyond(x, y, &Poly::constant(1), CASES, evidence);
                }
                (BinOp::Gt, false) | (BinOp::Le, true) => {
                    return self.is_beyond(y, x, &Poly::constant(0), CASES, evidence);
                }
                (BinOp::Eq, true) | (BinOp::Ne, false) => {
                    self.first_shown(true, [difference(&integer(x), &integer(y), 0)])
                }
                // one is less than the other
                _ => {
                    let (x, y) = (integer(x), integer(y));
                    self.first_shown(false, [difference(&x, &y, 1), difference(&y, &x, 1)])
                }
            },
        };
        let holds = shown.is_some();
        evidence.extend(shown);
        holds
    }

    /// Whether `left` is at least `right + more`.
    pub(super) fn is_at_least(&mut self, left: Atom, right: Atom, more: &Poly) -> bool {
        self.is_beyond(left, right, more, CASES, &mut Vec::new())
    }

    /// Whether `left` is at least `right + more`: as it is, or, where one of them is one of two numbers, for each of these. So often
    /// at most is a number taken apart.
    fn is_beyond(
        &mut self,
        left: Atom,
        right: Atom,
        more: &Poly,
        cases: usize,
        evidence: &mut Vec<Evidence>,
    ) -> bool {
        let direct = self.first_shown(false, [room(&integer(left), &integer(right), more)]);
        if let Some(direct) = direct {
            evidence.push(direct);
            return true;
        }
        let Some(rest) = cases.checked_sub(1) else { return false };
        let before = evidence.len();
        let mut of_each = false;
        for (number, is_left, matters) in [(left, true, BinOp::Min), (right, false, BinOp::Max)] {
            let found = number.as_var().and_then(|var| self.cases.get(&var)).cloned();
            let mut one = |facts: &mut PointFacts<R>, number, other| {
                let (left, right) = if is_left { (number, other) } else { (other, number) };
                facts.is_beyond(left, right, more, rest, evidence)
            };
            let other = if is_left { right } else { left };
            of_each = match found {
                // the other extreme is known by a fact
                Some(Case::Extreme(op, x, y)) if op == matters => one(self, x, other) && one(self, y, other),
                Some(Case::Choice(condition, arms, result)) => {
                    arms.iter().zip([true, false]).all(|(arm, taken)| {
                        let (known, open) = (self.knows(), self.open.len());
                        if let Some(var) = condition.as_var() {
                            self.holds(condition, taken, Why::Branch(var));
                        }
                        for statement in &arm.statements {
                            if let [binder] = &statement.pattern[..] {
                                self.scalar(binder, &statement.exp);
                            }
                        }
                        // what the same branch gives for the other number
                        let other = match other.as_var().and_then(|var| self.cases.get(&var)) {
                            Some(Case::Choice(again, arms, result)) if *again == condition => {
                                arms[usize::from(!taken)].results.get(*result).copied().unwrap_or(other)
                            }
                            _ => other,
                        };
                        let holds = arm.results.get(result).is_some_and(|number| one(self, *number, other));
                        self.forget(known);
                        // (what is one of two in this case need not be in others)
                        self.open.truncate(open);
                        holds
                    })
                }
                Some(Case::Extreme(..)) | None => false,
            };
            if of_each {
                break;
            }
        }
        if !of_each {
            evidence.truncate(before);
        }
        of_each
    }

    /// The evidence that one of these is 0, or at least 0.
    fn first_shown(&self, zero: bool, goals: impl IntoIterator<Item = Option<Poly>>) -> Option<Evidence> {
        goals.into_iter().flatten().find_map(|goal| {
            let ask = if zero { prove::zero } else { prove::nonneg };
            match ask(&self.facts, &goal) {
                Answer::Proved(derivation) => Some(Evidence::new(&self.facts, derivation)),
                Answer::Refuted(_) | Answer::Unknown(_) => None,
            }
        })
    }
}

/// The number that an arm gives and computes nothing for.
fn number<R: Rep>(arm: &Body<R>) -> Option<Atom> {
    match (arm.statements.is_empty(), arm.results.as_slice()) {
        (true, [number]) => Some(*number),
        _ => None,
    }
}

/// `left - right - more` over the integers; `None` where it is no polynomial of i64.
pub(super) fn room(left: &Poly, right: &Poly, more: &Poly) -> Option<Poly> {
    Exact::from(left).sub(&Exact::from(right))?.sub(&Exact::from(more))?.to_poly()
}
