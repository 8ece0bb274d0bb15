//! What variables are computed from: definitions modulo 2^64 and divisions, and what these say of the integers.
//!
//! That takes a proof that nothing wraps, which is looked for when a question first leads to the variable.

use super::context::Context;
use super::derivation::Claim;
use super::equation::{at_least_zero, quotient};
use super::exact::Exact;
use super::facts::Facts;
use super::memory::{Number, Tried};
use super::node::{Node, Reason};
use crate::poly::Poly;
use fun_base::name::Var;
use std::rc::Rc;

/// A division that the program does, where the divisor is at least 1 and the dividend at least 0, or rounding goes down.
#[derive(Clone, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Division {
    /// Its value is the quotient.
    pub quotient: Var,
    /// Its value is the remainder, if the program has that too.
    pub remainder: Option<Var>,
    /// What is divided.
    pub dividend: Poly,
    /// By what.
    pub divisor: Poly,
    /// Whether a negative quotient is rounded down, so that the remainder is never negative.
    pub floors: bool,
}

/// The square root of 2^63, rounded down.
const ROOT: i128 = 3_037_000_499;
/// How deep proofs that something does not wrap may rest on each other before any of them is known.
const DEPTH: u32 = 4;
/// How often a proof is looked for again when more is known.
const TRIES: u32 = 3;

/// How variables are computed.
#[derive(Clone, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub(super) enum Rule {
    /// `var = poly` modulo 2^64.
    Definition(Var, Poly),
    Division(Division),
}

/// A computation and what it says.
#[derive(Clone, Debug)]
pub(super) struct Computed {
    pub(super) rule: Rule,
    pub(super) number: Number,
}

impl Computed {
    /// The variables that it computes.
    pub(super) fn results(&self) -> impl Iterator<Item = Var> {
        let (first, second) = match &self.rule {
            Rule::Definition(var, _) => (*var, None),
            Rule::Division(division) => (division.quotient, division.remainder),
        };
        std::iter::once(first).chain(second)
    }

    /// All variables in it, without repetition.
    pub(super) fn vars(&self) -> Vec<Var> {
        let mut vars: Vec<Var> = self.results().collect();
        let operands = match &self.rule {
            Rule::Definition(_, poly) => vec![poly],
            Rule::Division(division) => vec![&division.dividend, &division.divisor],
        };
        operands.iter().for_each(|poly| poly.for_each_var(&mut |var| vars.push(var)));
        vars.sort();
        vars.dedup();
        vars
    }
}

impl Facts {
    /// What a computation was found to say of the integers so far.
    pub(super) fn said(&self, at: usize) -> Option<Rc<[Rc<Node>]>> {
        self.memory.borrow().said(self.computed[at].number, &|number| self.is_present(number))
    }

    /// What a computation says of the integers.
    pub(super) fn claims_of(&self, at: usize) -> Rc<[Rc<Node>]> {
        if let Some(claims) = self.said(at) {
            return claims;
        }
        let Computed { rule, number } = &self.computed[at];
        let (last, uses) = (self.memory.borrow().tried(*number, &self.path), self.uses_of(rule));
        let more = last.is_none_or(|last| {
            last.tries < TRIES && last.at.amount < self.state().amount && last.uses < uses
        });
        if !more || self.depth.get() >= DEPTH {
            return Rc::default();
        }
        // Meanwhile it says nothing, so that no proof rests on itself.
        let tries = last.map_or(0, |last| last.tries) + 1;
        self.memory.borrow_mut().keep_tried(*number, Tried { at: self.state(), tries, uses });
        self.depth.set(self.depth.get() + 1);
        let claims: Rc<[Rc<Node>]> = match rule {
            Rule::Definition(var, poly) => self.equation(*var, poly, *number).into_iter().collect(),
            // (what comes right before says more, where it says anything)
            Rule::Division(division) if division.floors && !self.claims_of(at - 1).is_empty() => {
                Rc::default()
            }
            Rule::Division(division) => self.division(division, *number).unwrap_or_default().into(),
        };
        self.depth.set(self.depth.get() - 1);
        if !claims.is_empty() {
            self.memory.borrow_mut().keep_said(*number, claims.clone());
        }
        claims
    }

    /// How often the variables that something is computed from occur in what is known.
    fn uses_of(&self, rule: &Rule) -> usize {
        let mut uses = 0;
        let mut count = |var: Var| {
            let lists = [self.by_var.get(&var), self.by_operand.get(&var)];
            uses += lists.into_iter().flatten().map(Vec::len).sum::<usize>();
        };
        match rule {
            Rule::Definition(var, poly) => {
                count(*var);
                poly.for_each_var(&mut count);
            }
            Rule::Division(division) => {
                division.dividend.for_each_var(&mut count);
                division.divisor.for_each_var(&mut count);
            }
        }
        uses
    }

    fn equation(&self, var: Var, poly: &Poly, number: Number) -> Option<Rc<Node>> {
        let exact = Exact::from(poly);
        if exact.has(var) {
            return None;
        }
        let range = self.range_of(&exact).or_else(|| self.close_to(var, &exact));
        let (low, high) = range.or_else(|| self.product_of_roots(&exact))?;
        let reason = Reason::Definition { var, poly: poly.clone(), low, high };
        Some(Node::said_by(Claim::Zero(Exact::var(var).sub(&exact)?), reason, number))
    }

    fn division(&self, division: &Division, number: Number) -> Option<Vec<Rc<Node>>> {
        let (dividend, divisor) = (Exact::from(&division.dividend), Exact::from(&division.divisor));
        let most = i128::from(i64::MAX);
        let mut context = Context::new(self, dividend.vars().into_iter().chain(divisor.vars()), u32::MAX);
        // How far the dividend, and then the quotient, may be below 0: often 1, as in (n - 1) / b.
        let below: &[i128] = if division.floors { &[1, -(i64::MIN as i128)] } else { &[0] };
        let least = |below: &i128| Some((*below, context.shown(&dividend.plus(*below)?)?));
        let (below, least) = below.iter().find_map(least)?;
        let shown = [
            least,
            context.shown(&dividend.scale(-1)?.plus(most)?)?,
            context.shown(&divisor.plus(-1)?)?,
            context.shown(&divisor.scale(-1)?.plus(most)?)?,
        ];
        let quotient = Exact::var(division.quotient);
        let rest = dividend.sub(&quotient.mul(&divisor)?)?;
        let mut claims = vec![Claim::Nonneg(quotient.plus(below)?)];
        match division.remainder {
            Some(var) => {
                let remainder = Exact::var(var);
                claims.push(Claim::Zero(rest.sub(&remainder)?));
                claims.push(Claim::Nonneg(divisor.plus(-1)?.sub(&remainder)?));
                claims.push(Claim::Nonneg(remainder));
            }
            None => {
                claims.push(Claim::Nonneg(divisor.plus(-1)?.sub(&rest)?));
                claims.push(Claim::Nonneg(rest));
            }
        }
        let reason = || Reason::Division { division: division.clone(), shown: shown.clone() };
        let mut claims: Vec<Rc<Node>> =
            claims.into_iter().map(|claim| Node::said_by(claim, reason(), number)).collect();
        claims.extend(known_quotient(&mut context, division, &claims));
        Some(claims)
    }

    /// That the variable, which is the integer polynomial modulo 2^64, is less than that away from it on the sides where the
    /// polynomial is not evidently an i64: `n + 1` for `n ≥ 0` may be 2^63, but not where the program knows that the sum is not
    /// negative.
    fn close_to(&self, var: Var, poly: &Exact) -> Option<(Rc<Node>, Rc<Node>)> {
        let mut near = Context::nearby(self, [poly.vars(), vec![var]].concat());
        let more = Exact::var(var).sub(poly)?;
        let low = [poly.plus(-i128::from(i64::MIN))?, more.scale(-1)?.plus(i128::from(u64::MAX))?];
        let high = [poly.scale(-1)?.plus(i128::from(i64::MAX))?, more.plus(i128::from(u64::MAX))?];
        let mut either = |goals: [Exact; 2]| {
            let evident = goals.iter().find_map(|goal| near.evident(goal));
            evident.or_else(|| near.shown_quietly(&goals[1]))
        };
        Some((either(low)?, either(high)?))
    }

    /// That the product of two variables is an i64, because neither is negative nor greater than the square root of 2^63.
    fn product_of_roots(&self, poly: &Exact) -> Option<(Rc<Node>, Rc<Node>)> {
        let mut terms = poly.terms();
        let (Some((monomial, 1)), None) = (terms.next(), terms.next()) else { return None };
        let [x, y] = monomial[..] else { return None };
        let mut near = Context::nearby(self, vec![x, y]);
        let below = |var: Var| Exact::constant(ROOT).sub(&Exact::var(var));
        // (one that nothing near bounds is hardly bounded at all)
        let (x, y) = if near.evident(&below(x)?).is_some() { (x, y) } else { (y, x) };
        let small = near.evident(&below(x)?)?;
        let mut context = Context::new(self, [x, y], u32::MAX);
        let least = context.shown(&Exact::var(x))?;
        let (other_least, other_small) = (context.shown(&Exact::var(y))?, context.shown(&below(y)?)?);
        let one = Exact::constant(1);
        let low = poly.plus(-i128::from(i64::MIN))?;
        let low = Node::sum(Claim::Nonneg(low), 1, vec![(one.clone(), vec![least, other_least.clone()])])?;
        // 2^63 - 1 - x * y = (r - x) * y + r * (r - y) + 2^63 - 1 - r * r
        let high = poly.scale(-1)?.plus(i128::from(i64::MAX))?;
        let terms = vec![(one, vec![small, other_least]), (Exact::constant(ROOT), vec![other_small])];
        Some((low, Node::sum(Claim::Nonneg(high), 1, terms)?))
    }

    /// That the integer polynomial is at least -2^63 and at most 2^63 - 1.
    pub(super) fn range_of(&self, poly: &Exact) -> Option<(Rc<Node>, Rc<Node>)> {
        let low = poly.plus(-i128::from(i64::MIN))?;
        let high = poly.scale(-1)?.plus(i128::from(i64::MAX))?;
        let mut near = Context::nearby(self, poly.vars());
        let (below, above) = (near.evident(&low), near.evident(&high));
        if let (Some(below), Some(above)) = (&below, &above) {
            return Some((below.clone(), above.clone()));
        }
        // Products of what is near take longer than a look at what is far.
        let mut context = Context::new(self, poly.vars(), u32::MAX);
        let mut either = |found: Option<Rc<Node>>, goal: &Exact| {
            let found = found.or_else(|| context.evident(goal)).or_else(|| near.shown_quietly(goal));
            found.or_else(|| context.shown(goal))
        };
        Some((either(below, &low)?, either(above, &high)?))
    }
}

/// `quotient = c` where the dividend is `c · divisor + r` with `0 ≤ r < divisor`, from what division says.
fn known_quotient(context: &mut Context, division: &Division, said: &[Rc<Node>]) -> Option<Rc<Node>> {
    let (dividend, divisor) = (Exact::from(&division.dividend), Exact::from(&division.divisor));
    let (whole, by) = (context.reduce(&dividend)?.0, context.reduce(&divisor)?.0);
    let (value, rest) = quotient(&whole, &by).unwrap_or_else(|| (Exact::default(), whole.clone()));
    let last = divisor.plus(-1)?;
    let remainder = dividend.sub(&divisor.mul(&Exact::var(division.quotient))?)?;
    let said = |poly: &Exact| said.iter().find(|node| node.claim == Claim::Nonneg(poly.clone()));
    let of_remainder = [said(&remainder)?, said(&last.sub(&remainder)?)?];
    let positive = context.evident(&last)?;
    // The nearest multiple may be the one above.
    [(value.clone(), rest.clone()), (value.plus(-1)?, rest.add(&by)?)].into_iter().find_map(
        |(value, rest)| {
            let of_rest = [context.evident(&rest)?, context.evident(&last.sub(&rest)?)?];
            // divisor · (value - quotient) + (rest - remainder) = 0, where both the rest and the remainder are below the divisor.
            let difference = value.sub(&Exact::var(division.quotient))?;
            let equation = divisor.mul(&difference)?.add(&rest.sub(&remainder)?)?;
            let equation = context.shown_zero(&equation)?;
            let side = |rest: &Rc<Node>, remainder: &Rc<Node>, sign| {
                let one = Exact::constant(1);
                let bound = rest.poly().add(remainder.poly())?;
                let terms = vec![(one.clone(), vec![rest.clone()]), (one, vec![remainder.clone()])];
                let bound = Node::sum(Claim::Nonneg(bound), 1, terms)?;
                at_least_zero(&equation, &positive, &bound, &difference, sign)
            };
            let at_most = side(&of_rest[1], of_remainder[0], 1)?;
            let at_least = side(&of_rest[0], of_remainder[1], -1)?;
            Node::both(&at_least, &at_most)
        },
    )
}
