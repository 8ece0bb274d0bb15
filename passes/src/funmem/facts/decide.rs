//! What is decided by what is known at a point: conditions, selections between two numbers, signs.

use super::{Condition, PointFacts, difference};
use fun::ir::Atom;
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp};
use fun_index::certificate::Evidence;
use fun_index::poly::Poly;
use fun_index::prove::{self, Answer};
use funmem::ir::{Body, Exp, atom_poly};

impl PointFacts {
    /// Why a condition always holds; `None` if that was not shown.
    pub fn shows(&mut self, condition: Atom) -> Option<Vec<Evidence>> {
        self.known();
        let mut evidence = Vec::new();
        self.has_value(condition, true, &mut evidence).then_some(evidence)
    }

    /// What a selection between two numbers, or the sign of a number, always is, and why; `None` if that was not shown.
    pub fn value(&mut self, exp: &Exp) -> Option<(Atom, Vec<Evidence>)> {
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
                    self.first_shown(false, [difference(&atom_poly(*number), &Poly::default(), 1)])?;
                Some((Atom::i64(1), vec![evidence]))
            }
            _ => None,
        }
    }

    fn has_value(&self, condition: Atom, value: bool, evidence: &mut Vec<Evidence>) -> bool {
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
            Some(Condition::Compare(op, x, y)) => {
                let (x, y) = (atom_poly(x), atom_poly(y));
                let beyond = |left: &Poly, right: &Poly, less| [difference(left, right, less), None];
                let (zero, goals) = match (op, value) {
                    (BinOp::Lt, true) | (BinOp::Ge, false) => (false, beyond(&y, &x, 1)),
                    (BinOp::Lt, false) | (BinOp::Ge, true) => (false, beyond(&x, &y, 0)),
                    (BinOp::Gt, true) | (BinOp::Le, false) => (false, beyond(&x, &y, 1)),
                    (BinOp::Gt, false) | (BinOp::Le, true) => (false, beyond(&y, &x, 0)),
                    (BinOp::Eq, true) | (BinOp::Ne, false) => (true, beyond(&x, &y, 0)),
                    // one is less than the other
                    _ => (false, [difference(&x, &y, 1), difference(&y, &x, 1)]),
                };
                self.first_shown(zero, goals)
            }
        };
        let holds = shown.is_some();
        evidence.extend(shown);
        holds
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
fn number(arm: &Body) -> Option<Atom> {
    match (arm.statements.is_empty(), arm.results.as_slice()) {
        (true, [number]) => Some(*number),
        _ => None,
    }
}
