//! Comparisons of what branches choose among constants, as a `match` on a sum of alternatives makes them.
//!
//! ```text
//! let (kind_2: u8) = if wall_1 { in (2u8) } else { …; in (lid_or_inside_3) }     of which one is 1u8, the other 0u8
//! let (x_4: bool) = eq.u8 kind_2 2u8
//! ```
//! `x_4` is `wall_1`: what follows goes by the condition itself.

use super::Simplify;
use fun::ir::{Atom, Binder, Body, Exp};
use fun::visit::names::subst_atom;
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp};
use std::collections::BTreeSet;

/// Constants that a variable has one of.
type Constants = BTreeSet<i128>;

/// The most constants that are looked at.
const MOST_CONSTANTS: usize = 16;

/// An integer that is one of the first constants where the condition holds, otherwise one of the others.
pub(super) struct Choice {
    condition: Atom,
    arms: [Constants; 2],
}

impl Simplify<'_> {
    /// Learns what a branch chooses among.
    pub(super) fn learn_choices(&mut self, pattern: &[Binder], condition: Atom, arms: [&Body; 2]) {
        for (at, binder) in pattern.iter().enumerate() {
            if let [Some(then), Some(otherwise)] = arms.map(|arm| self.constants(arm.results[at])) {
                self.choices.insert(binder.var, Choice { condition, arms: [then, otherwise] });
            }
        }
    }

    /// What an integer may be, if that is one of a few constants.
    fn constants(&self, atom: Atom) -> Option<Constants> {
        match atom {
            Atom::Const(value) => value.as_int().map(|value| Constants::from([value])),
            Atom::Var(var) => {
                let [then, otherwise] = &self.choices.get(&var)?.arms;
                let all: Constants = then.union(otherwise).copied().collect();
                (all.len() <= MOST_CONSTANTS).then_some(all)
            }
        }
    }

    /// A comparison of such an integer with a constant that the condition decides.
    pub(super) fn rewrite_comparison(&self, exp: Exp) -> Exp {
        let Exp::Bin(op @ (BinOp::Eq | BinOp::Ne), _, x, y) = exp else { return exp };
        let (Atom::Var(var), Atom::Const(constant)) = (if x.as_const().is_some() { (y, x) } else { (x, y) })
        else {
            return exp;
        };
        let (Some(choice), Some(constant)) = (self.choices.get(&var), constant.as_int()) else { return exp };
        // whether each arm always gives the constant, or never
        let gives = choice.arms.each_ref().map(|arm| match arm.contains(&constant) {
            true => (arm.len() == 1).then_some(true),
            false => Some(false),
        });
        let [Some(then), Some(otherwise)] = gives else { return exp };
        let condition = subst_atom(&self.subst, choice.condition);
        let equal = op == BinOp::Eq;
        match (then == equal, otherwise == equal) {
            (true, false) => Exp::Atom(condition),
            (false, true) => Exp::Un(UnOp::Not, PrimType::Bool, condition),
            (same, _) => Exp::Atom(Atom::Const(PrimValue::Bool(same))),
        }
    }
}
