//! Sums of what is linear in a counter, or nearly so: a conversion on the way may lose something, a factor may depend on the counter, too.

use super::super::{Form, Maker};
use crate::ir::{Atom, Combine, Exp, Lambda, LoopForm, LoopParam, Type};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, UnOp};

impl Maker {
    /// A loop, a reduction of an `iota` or a kernel that adds up.
    pub(super) fn sum_of_counters(&mut self) {
        let ty = self.integer();
        match self.rng.below(3) {
            0 if self.form == Form::Kernel => self.kernel_of_counters(ty),
            0 => self.reduced_iota(ty),
            _ => self.counting_loop(ty),
        }
    }

    fn integer(&mut self) -> PrimType {
        let ints: Vec<PrimType> = PrimType::NUMERIC_AND_BOOL.into_iter().filter(|t| t.is_int()).collect();
        let any =
            if self.rng.chance(40) { PrimType::I64 } else { *self.rng.pick(&ints).unwrap_or(&PrimType::I64) };
        if self.integers { PrimType::I64 } else { any }
    }

    /// A loop that adds to a number or takes from it; its bound may be below 0.
    fn counting_loop(&mut self, ty: PrimType) {
        let mut count_ty = self.integer();
        let mut known = self.scope.of_type(&Type::Prim(count_ty));
        if known.is_empty() {
            // (a constant would leave no formula)
            count_ty = PrimType::I64;
            known = self.scope.of_type(&Type::Prim(count_ty));
        }
        let Some(any) = self.choose(&known).map(Atom::Var) else { return };
        let most = Atom::Const(count_ty.of_i64(4 + self.rng.below(5) as i64));
        let few = Exp::Bin(BinOp::Rem, count_ty, any, most);
        let bound = Atom::Var(self.fresh("n", Type::Prim(count_ty), few));
        let init = self.scalar(ty);
        let counter = self.names.fresh("i");
        let param = self.binder("a", Type::Prim(ty));
        let old = Atom::Var(param.var);
        let (body, _) = self.body(self.shared_scope(), |m| {
            let line = m.line(counter.into(), count_ty, ty);
            let mut sum = m.sum(ty, old, line);
            if m.rng.chance(30) {
                let other = if m.rng.chance(50) { line } else { m.scalar(ty) };
                sum = m.sum(ty, sum, other);
            }
            vec![sum]
        });
        let form = LoopForm::For { var: counter, ty: count_ty, bound };
        let params = vec![LoopParam { binder: param, init }];
        self.fresh("z", Type::Prim(ty), Exp::Loop { params, form, body });
    }

    fn sum(&mut self, ty: PrimType, old: Atom, step: Atom) -> Atom {
        let (operator, left, right) = match self.rng.below(3) {
            0 => (BinOp::Sub, old, step),
            1 => (BinOp::Add, step, old),
            _ => (BinOp::Add, old, step),
        };
        Atom::Var(self.fresh("s", Type::Prim(ty), Exp::Bin(operator, ty, left, right)))
    }

    /// A number of this type that is made of the counter. More often than not nothing is lost on the way.
    fn line(&mut self, counter: Atom, count_ty: PrimType, ty: PrimType) -> Atom {
        let (mut of, mut line) = (count_ty, counter);
        if self.rng.chance(70) {
            line = self.converted(line, of, ty);
            of = ty;
        }
        for _ in 0..self.rng.below(4) {
            let exp = match self.rng.below(6) {
                0 if self.rng.chance(50) => {
                    let to = self.integer();
                    line = self.converted(line, of, to);
                    of = to;
                    continue;
                }
                0..3 => {
                    let factor = if self.rng.chance(10) { line } else { self.scalar(of) };
                    Exp::Bin(BinOp::Mul, of, line, factor)
                }
                3 => Exp::Un(UnOp::Neg, of, line),
                _ => {
                    let other = self.scalar(of);
                    let (left, right) = if self.rng.chance(50) { (line, other) } else { (other, line) };
                    let operator = if self.rng.chance(50) { BinOp::Add } else { BinOp::Sub };
                    Exp::Bin(operator, of, left, right)
                }
            };
            line = Atom::Var(self.fresh("j", Type::Prim(of), exp));
        }
        self.converted(line, of, ty)
    }

    fn converted(&mut self, value: Atom, from: PrimType, to: PrimType) -> Atom {
        if to == from {
            return value;
        }
        Atom::Var(self.fresh("j", Type::Prim(to), Exp::Convert { to, from, value }))
    }

    /// The sum of an array that is no more than a counter.
    fn reduced_iota(&mut self, ty: PrimType) {
        let width = self.any_size();
        let (start, step) = (self.scalar(ty), self.scalar(ty));
        let array = Type::Array { shape: vec![width], elem: ty };
        let iota = self.fresh("k", array, Exp::Iota { count: width, start, step, elem: ty });
        let (op, neutral, commutative) = self.adding(ty);
        self.fresh("r", Type::Prim(ty), Exp::Reduce { width, op, neutral, arrays: vec![iota], commutative });
    }

    /// A kernel that reduces what it makes of its counter, or counts the elements of an array for which something holds.
    fn kernel_of_counters(&mut self, ty: PrimType) {
        let width = self.any_size();
        let counter = self.names.fresh("i");
        // (from a copy, so that other programs stay what they are)
        let mut decide = self.rng.clone();
        let narrow = [PrimType::I8, PrimType::U8, PrimType::I16, PrimType::U16, PrimType::I32, PrimType::I64];
        let compared = decide.pick(&narrow).copied().filter(|_| decide.below(2) == 0 && !self.integers);
        let (ty, width, counted) = match compared {
            Some(elem) => {
                // (more than small inputs have, so that there are several rounds of lanes)
                let width = Atom::i64(4 + decide.below(9) as i64);
                let array = self.fresh_array(&Type::Array { shape: vec![width], elem });
                (PrimType::I64, width, Some((array, elem)))
            }
            None => (ty, width, None),
        };
        let (body, _) = self.body(self.shared_scope(), |m| {
            vec![match counted {
                Some((array, elem)) => m.held(array, counter.into(), elem, ty),
                None => m.line(counter.into(), PrimType::I64, ty),
            }]
        });
        let (op, neutral, commutative) = self.adding(ty);
        let combine = Combine::Reduce { op, neutral, commutative };
        self.fresh("r", Type::Prim(ty), Exp::Kernel { space: vec![(counter, width)], combine, body });
    }

    /// 1 where an element is below a number, or is not, else 0.
    fn held(&mut self, array: Var, counter: Atom, elem: PrimType, ty: PrimType) -> Atom {
        let other = self.scalar(elem);
        let element = self.fresh("e", Type::Prim(elem), Exp::Index { array, indices: vec![counter] });
        let compare = if self.rng.chance(50) { BinOp::Lt } else { BinOp::Ge };
        let held =
            self.fresh("b", Type::Prim(PrimType::Bool), Exp::Bin(compare, elem, element.into(), other));
        self.converted(held.into(), PrimType::Bool, ty)
    }

    /// The operator of a sum, its neutral element, and whether it is said to commute.
    fn adding(&mut self, ty: PrimType) -> (Lambda, Vec<Atom>, bool) {
        let op = self.scalar_lambda(&[ty], |m, left, right| {
            let sum = Exp::Bin(BinOp::Add, ty, left[0].into(), right[0].into());
            vec![Atom::Var(m.fresh("s", Type::Prim(ty), sum))]
        });
        (op, vec![Atom::Const(ty.zero())], self.rng.chance(50))
    }
}
