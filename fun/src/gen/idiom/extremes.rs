//! Reductions to the first or the last of the least elements of an array with its place: many elements are equal.

use super::super::Maker;
use super::super::scope::I64;
use crate::ir::{Atom, Exp, Type};
use fun_base::prim::{BinOp, PrimType};

impl Maker {
    /// Such a reduction.
    pub(super) fn extremes(&mut self) {
        let (size, elem) = (self.any_size(), self.any_int());
        let ty = Type::Array { shape: vec![size], elem };
        let array = self.fresh_array(&ty);
        let lambda =
            self.lambda(&[(Type::Prim(elem), Default::default())], &[Type::Prim(elem)], |m, params| {
                let masked = Exp::Bin(BinOp::And, elem, params[0].into(), Atom::Const(elem.of_i64(3)));
                let masked = Atom::Var(m.fresh("z", Type::Prim(elem), masked));
                let more = Exp::Bin(BinOp::Add, elem, masked, Atom::Const(elem.of_i64(1)));
                vec![Atom::Var(m.fresh("z", Type::Prim(elem), more))]
            });
        let values = self.fresh("few", ty, Exp::Map { width: size, lambda, arrays: vec![array] });
        let iota = Exp::Iota { count: size, start: Atom::i64(0), step: Atom::i64(1), elem: PrimType::I64 };
        let places = self.fresh("j", Type::Array { shape: vec![size], elem: PrimType::I64 }, iota);
        let relation = *self.rng.pick(&[BinOp::Lt, BinOp::Le, BinOp::Gt, BinOp::Ge]).unwrap_or(&BinOp::Lt);
        let (takes_new, new_is_left) = (self.rng.chance(70), self.rng.chance(50));
        let op = self.scalar_lambda(&[elem, PrimType::I64], |m, old, new| {
            let (left, right) = if new_is_left { (new[0], old[0]) } else { (old[0], new[0]) };
            let compared = Exp::Bin(relation, elem, left.into(), right.into());
            let condition = Atom::Var(m.fresh("z", Type::Prim(PrimType::Bool), compared));
            let [then, otherwise] = if takes_new { [new, old] } else { [old, new] }.map(|of| {
                let (body, _) = m.body(m.shared_scope(), |_| of.iter().map(|var| Atom::Var(*var)).collect());
                body
            });
            let pair = [Type::Prim(elem), I64];
            let chosen = m.fresh_all("w", &pair, Exp::If { condition, then, otherwise });
            chosen.into_iter().map(Atom::Var).collect()
        });
        // (no element is as small or as large; where the first one wins, one may be, and its place may be any)
        let least = (relation == BinOp::Lt || relation == BinOp::Le) == (new_is_left == takes_new);
        let first_wins = matches!(relation, BinOp::Lt | BinOp::Gt) == takes_new;
        let (extreme, place) = match first_wins && self.rng.chance(40) {
            true => (if least { 4 } else { 1 }, [-1, 0, 1, 100][self.rng.below(4)]),
            false => (if least { 64 } else { 0 }, -1),
        };
        let neutral = vec![Atom::Const(elem.of_i64(extreme)), Atom::i64(place)];
        let reduce =
            Exp::Reduce { width: size, op, neutral, arrays: vec![values, places], commutative: false };
        self.fresh_all("w", &[Type::Prim(elem), I64], reduce);
    }
}
