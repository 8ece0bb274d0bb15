//! What follows when two addresses are equal: the equation falls apart like a number written in a mixed radix.
//!
//! An equation `s·q + r = 0` with `-s < r < s` gives `q = 0` and `r = 0`. Taking strides for `s`, largest first, this is the
//! theorem on sums of strided intervals where these do not overlap; where they do, the quotient of the polynomials moves what
//! a large stride has beyond a multiple of the small one (`(n*b - b)·x` is `n·(b*x)` and `-b*x`) to where it belongs, which
//! takes the place of splitting dimensions. Constant strides make it a test of divisibility.

use super::context::{Context, assumption};
use super::derivation::Claim;
use super::exact::{Exact, monomial_quotient};
use super::node::{Case, Node};
use fun_base::name::Var;
use std::rc::Rc;

/// How many cases may be told apart within each other.
pub(super) const CASES: usize = 2;

impl Context {
    /// Takes the equation apart and learns the parts. What is left are equations that may yet be divided in cases.
    pub(super) fn resolve(&mut self, equation: Rc<Node>) -> Vec<Rc<Node>> {
        let mut open = vec![equation];
        let mut whole: Vec<Rc<Node>> = Vec::new();
        while let Some(equation) = open.pop() {
            if self.absurd.is_some() || self.exhausted() {
                return Vec::new();
            }
            let Some(equation) = self.reduced(equation) else { continue };
            if let Some(absurd) = self.excluded(&equation) {
                self.absurd = Some(absurd);
                return Vec::new();
            }
            if let Some(parts) = self.divide(&equation) {
                // Each part may make more of the ones before it divisible.
                open.append(&mut whole);
                open.extend(parts);
            } else if units(equation.poly()) {
                self.learn(equation);
                open.append(&mut whole);
            } else {
                whole.push(equation);
            }
        }
        for equation in &whole {
            self.learn(equation.clone());
        }
        self.sharpen();
        whole
    }

    /// The claim `-1 ≥ 0` if what is known contradicts itself; `open` are equations that may be divided in cases.
    pub(super) fn refute(&mut self, open: &[Rc<Node>], cases: usize) -> Option<Rc<Node>> {
        if let Some(absurd) = self.absurd.clone() {
            return Some(absurd);
        }
        if let Some(absurd) = self.shown_quietly(&Exact::constant(-1)) {
            return Some(absurd);
        }
        if cases == 0 || self.exhausted() || self.has_model() {
            return None;
        }
        self.by_unequal(open, cases).or_else(|| self.by_quotient(open, cases))
    }

    /// `-1 ≥ 0` if the equation cannot hold because its polynomial is always positive or always negative.
    fn excluded(&mut self, equation: &Rc<Node>) -> Option<Rc<Node>> {
        for sign in [1, -1] {
            let apart = equation.poly().scale(sign)?.plus(-1)?;
            if let Some(node) = self.evident(&apart) {
                let terms =
                    vec![(Exact::constant(1), vec![node]), (Exact::constant(-sign), vec![equation.clone()])];
                return Node::sum(Claim::Nonneg(Exact::constant(-1)), 1, terms);
            }
        }
        None
    }

    /// `q = 0` and `r = 0` for some stride.
    fn divide(&mut self, equation: &Rc<Node>) -> Option<[Rc<Node>; 2]> {
        for stride in self.strides(equation.poly()) {
            let Some((quotient, rest)) = quotient(equation.poly(), &stride) else { continue };
            let divided = self.divide_by(equation, &stride, &quotient, &rest);
            if divided.is_some() {
                return divided;
            }
        }
        None
    }

    fn divide_by(
        &mut self,
        equation: &Rc<Node>,
        stride: &Exact,
        quotient: &Exact,
        rest: &Exact,
    ) -> Option<[Rc<Node>; 2]> {
        let positive = self.shown_quietly(&stride.plus(-1)?)?;
        let below = stride.plus(-1)?.sub(rest)?;
        let above = stride.plus(-1)?.add(rest)?;
        // rest < stride, so the quotient is at least 0; rest > -stride, so it is at most 0.
        let mut low =
            self.shown(&below).and_then(|below| at_least_zero(equation, &positive, &below, quotient, 1));
        let mut high =
            self.shown(&above).and_then(|above| at_least_zero(equation, &positive, &above, quotient, -1));
        if low.is_some() != high.is_some() {
            low = low.or_else(|| self.evident(quotient));
            high = high.or_else(|| self.evident(&quotient.scale(-1)?));
        }
        let quotient_is_zero = Node::both(&low?, &high?)?;
        let terms = vec![
            (Exact::constant(1), vec![equation.clone()]),
            (stride.scale(-1)?, vec![quotient_is_zero.clone()]),
        ];
        Some([quotient_is_zero, Node::sum(Claim::Zero(rest.clone()), 1, terms)?])
    }

    /// What to divide by: the multiples of indices first, then variables of the program.
    fn strides(&mut self, poly: &Exact) -> Vec<Exact> {
        let mut strides: Vec<Exact> = Vec::new();
        let (points, others): (Vec<Var>, Vec<Var>) =
            poly.vars().into_iter().partition(|var| var.tag >= self.points_from);
        let slopes = points.iter().filter_map(|var| Some(poly.linear_in(*var)?.0));
        for stride in slopes.chain(others.into_iter().map(Exact::var)) {
            // Up to sign.
            let negative = stride.lead().is_some_and(|(_, c)| c < 0);
            let stride = if negative { stride.scale(-1) } else { Some(stride) };
            let Some(stride) = stride else { continue };
            let unit = stride.as_constant().is_some_and(|c| c.abs() <= 1);
            if !unit && !strides.contains(&stride) {
                strides.push(stride);
            }
        }
        strides.sort_by_cached_key(|stride| {
            let size = stride.as_constant().unwrap_or(0);
            (std::cmp::Reverse((stride.degree(), size)), stride.terms().count(), stride.clone())
        });
        strides
    }

    /// Uses that things are not zero: one side is often known.
    pub(super) fn sharpen(&mut self) {
        for nonzero in self.nonzero.clone() {
            for sign in [1, -1] {
                let Some(poly) = nonzero.poly().scale(sign) else { continue };
                if self.absurd.is_some() {
                    return;
                }
                if let Some(apart) = self.evident(&poly).and_then(|node| Node::apart(&nonzero, &node)) {
                    self.learn(apart);
                }
            }
        }
    }

    /// Positive or negative, where something is not zero.
    fn by_unequal(&mut self, open: &[Rc<Node>], cases: usize) -> Option<Rc<Node>> {
        let nonzero = self.nonzero.clone();
        for nonzero in nonzero {
            let on = nonzero.poly().clone();
            let above = assumption(on.clone());
            let below = assumption(on.scale(-1)?.plus(-1)?);
            let Some(first) = self.case(Node::apart(&nonzero, &above)?, open, cases) else { continue };
            let Some(second) = self.case(below.clone(), open, cases) else { continue };
            let first = Case { assumed: above, shows: first };
            let second = Case { assumed: below, shows: second };
            return Node::cases(Claim::Nonneg(Exact::constant(-1)), on, first, second);
        }
        None
    }

    /// The quotient positive, zero or negative.
    fn by_quotient(&mut self, open: &[Rc<Node>], cases: usize) -> Option<Rc<Node>> {
        for equation in open {
            for stride in self.strides(equation.poly()) {
                let Some((quotient, _)) = quotient(equation.poly(), &stride) else { continue };
                if self.shown_quietly(&stride.plus(-1)?).is_none() {
                    continue;
                }
                let found = self.three_cases(&quotient, open, cases);
                if found.is_some() || self.exhausted() {
                    return found;
                }
            }
        }
        None
    }

    fn three_cases(&mut self, quotient: &Exact, open: &[Rc<Node>], cases: usize) -> Option<Rc<Node>> {
        let absurd = Claim::Nonneg(Exact::constant(-1));
        let (positive, not_positive) = (quotient.plus(-1)?, quotient.scale(-1)?);
        let negative = not_positive.plus(-1)?;
        let [above, below, at_most, at_least] =
            [positive.clone(), negative.clone(), not_positive, quotient.clone()].map(assumption);
        let zero = Node::both(&at_least, &at_most)?;
        let first = Case { shows: self.case(above.clone(), open, cases)?, assumed: above };
        let second = Case { shows: self.case(below.clone(), open, cases)?, assumed: below };
        let third = Case { shows: self.case(zero, open, cases)?, assumed: at_least };
        let shows = Node::cases(absurd.clone(), negative, second, third)?;
        Node::cases(absurd, positive, first, Case { assumed: at_most, shows })
    }

    /// `-1 ≥ 0` with one more known claim.
    fn case(&mut self, known: Rc<Node>, open: &[Rc<Node>], cases: usize) -> Option<Rc<Node>> {
        let mut inner = self.clone();
        inner.learn(known);
        let mut left = Vec::new();
        for equation in open {
            left.extend(inner.resolve(equation.clone()));
        }
        let found = inner.refute(&left, cases - 1);
        self.work = inner.work;
        found
    }
}

/// `sign · quotient ≥ 0`, where `stride · quotient + rest = 0`, `stride - 1 ≥ 0` and `stride - 1 - sign · rest ≥ 0`.
pub(super) fn at_least_zero(
    equation: &Rc<Node>,
    positive: &Rc<Node>,
    bound: &Rc<Node>,
    quotient: &Exact,
    sign: i128,
) -> Option<Rc<Node>> {
    let quotient = quotient.scale(sign)?;
    let holds = assumption(quotient.clone());
    let fails = assumption(quotient.scale(-1)?.plus(-1)?);
    let one = Exact::constant(1);
    // (s - 1)·(-q - 1) + (-q - 1) + (s - 1 - r) + (s·q + r) = -1
    let terms = vec![
        (one.clone(), vec![positive.clone(), fails.clone()]),
        (one.clone(), vec![fails.clone()]),
        (one, vec![bound.clone()]),
        (Exact::constant(sign), vec![equation.clone()]),
    ];
    let absurd = Node::sum(Claim::Nonneg(Exact::constant(-1)), 1, terms)?;
    let first = Case { assumed: holds.clone(), shows: holds };
    let second = Case { assumed: fails, shows: absurd };
    Node::cases(Claim::Nonneg(quotient.clone()), quotient, first, second)
}

/// `(q, r)` with `poly = stride · q + r`, where `q` is not 0: division by the greatest term of the stride, where what is left of
/// each coefficient is nearest to 0.
pub(super) fn quotient(poly: &Exact, stride: &Exact) -> Option<(Exact, Exact)> {
    let (lead, unit) = stride.lead()?;
    let (mut quotient, mut rest, mut left) = (Exact::default(), Exact::default(), poly.clone());
    while let Some((monomial, c)) = left.lead() {
        let monomial = monomial.clone();
        let nearest = c.checked_mul(2)?.checked_add(unit.abs())?.div_euclid(unit.abs().checked_mul(2)?);
        let times = nearest * unit.signum();
        match monomial_quotient(&monomial, lead).filter(|_| times != 0) {
            Some(factor) => {
                quotient.add_term(&factor, times)?;
                left = left.sub(&stride.mul(&Exact::term(factor, times))?)?;
                let kept = left.coefficient(&monomial);
                rest.add_term(&monomial, kept)?;
                left.add_term(&monomial, -kept)?;
            }
            None => {
                rest.add_term(&monomial, c)?;
                left.add_term(&monomial, c.checked_neg()?)?;
            }
        }
    }
    (!quotient.is_zero()).then_some((quotient, rest))
}

/// Whether no term has a coefficient or a variable times another: nothing to divide by.
fn units(poly: &Exact) -> bool {
    poly.terms().all(|(monomial, c)| monomial.len() <= 1 && (monomial.is_empty() || c.abs() == 1))
}
