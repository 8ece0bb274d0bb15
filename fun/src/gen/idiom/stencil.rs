//! Maps over an array that look at neighbours, and at the ends do something else: what passes on loops have rules for.

use super::super::scope::{I64, Roots};
use super::super::{Form, Maker};
use crate::ir::{Atom, Combine, Exp, LoopForm, Type};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};

const BOOL: Type = Type::Prim(PrimType::Bool);

impl Maker {
    /// A map of the neighbours of each element, which are those at the ends again beyond them, or of which elements at the ends have none.
    pub(super) fn stencil(&mut self) {
        // (without a draw of its own, so that other programs stay as they are)
        if self.form == Form::Kernel && self.rng.clone().chance(12) {
            return if self.rng.clone().chance(4) { self.walls() } else { self.rim() };
        }
        if self.form == Form::Kernel && self.rng.chance(50) {
            return if self.rng.chance(50) { self.plane() } else { self.steps() };
        }
        let size = self.any_size();
        let ty = Type::Array { shape: vec![size], elem: self.prim() };
        let array = self.fresh_array(&ty);
        match self.form {
            Form::Soac => {
                let (start, step) = (Atom::i64(0), Atom::i64(1));
                let iota = Exp::Iota { count: size, start, step, elem: PrimType::I64 };
                let indices = self.fresh("k", Type::Array { shape: vec![size], elem: PrimType::I64 }, iota);
                let results = [Type::Prim(ty.elem())];
                let lambda = self.lambda(&[(I64, Roots::new())], &results, |m, params| {
                    vec![m.neighbours(array, &ty, Atom::Var(params[0]))]
                });
                self.fresh("m", ty, Exp::Map { width: size, lambda, arrays: vec![indices] });
            }
            Form::Kernel => {
                let (space, body) = self.kernel_body(&[size], |m| {
                    let counter =
                        m.scope.counters.last().map_or(Atom::i64(0), |(counter, _)| Atom::Var(*counter));
                    vec![m.neighbours(array, &ty, counter)]
                });
                self.fresh("m", ty, Exp::Kernel { space, combine: Combine::Map, body });
            }
        }
    }

    /// What is computed for the element at `at`, which there is.
    fn neighbours(&mut self, array: Var, ty: &Type, at: Atom) -> Atom {
        let (size, elem) = (ty.shape()[0], ty.elem());
        match self.rng.below(100) {
            0..30 => return self.triangle(array, elem, at),
            90.. => return self.flipped(array, elem, at, size),
            _ => {}
        }
        let (before, behind) = (self.rng.below(3) as i64, self.rng.below(3) as i64);
        let left = self.number(BinOp::Sub, at, Atom::i64(before));
        let right = self.number(BinOp::Add, at, Atom::i64(behind));
        if self.rng.chance(40) {
            let last = self.number(BinOp::Sub, size, Atom::i64(1));
            let left = self.number(BinOp::Max, left, Atom::i64(0));
            let right = if self.rng.chance(50) {
                self.number(BinOp::Min, right, last)
            } else {
                self.number(BinOp::Min, last, right)
            };
            return self.both(array, elem, left, right);
        }
        let below = match self.rng.below(4) {
            0 => self.test(BinOp::Ge, left, Atom::i64(0)),
            1 => self.test(BinOp::Gt, at, Atom::i64(before - 1)),
            2 => self.test(BinOp::Le, Atom::i64(before), at),
            _ => self.test(BinOp::Lt, Atom::i64(-1), left),
        };
        let beyond = match self.rng.below(4) {
            0 => self.test(BinOp::Lt, right, size),
            1 => self.test(BinOp::Gt, size, right),
            2 => {
                let rest = self.number(BinOp::Sub, size, at);
                self.test(BinOp::Gt, rest, Atom::i64(behind))
            }
            _ => {
                let last = self.number(BinOp::Sub, size, Atom::i64(behind + 1));
                self.test(BinOp::Le, at, last)
            }
        };
        let inside = Atom::Var(self.fresh("in", BOOL, Exp::Bin(BinOp::And, PrimType::Bool, below, beyond)));
        let (then, _) = self.body(self.shared_scope(), |m| vec![m.both(array, elem, left, right)]);
        let (otherwise, _) = self.body(self.shared_scope(), |m| {
            let own = Exp::Index { array, indices: vec![at] };
            vec![Atom::Var(m.fresh("e", Type::Prim(elem), own))]
        });
        Atom::Var(self.fresh("x", Type::Prim(elem), Exp::If { condition: inside, then, otherwise }))
    }

    /// A map of several neighbours of each element of a matrix, some of them by a loop: those at the ends again beyond them, or at the other end.
    fn plane(&mut self) {
        let shape = [self.any_size(), self.any_size()];
        let ty = Type::Array { shape: shape.to_vec(), elem: self.prim() };
        let array = self.fresh_array(&ty);
        let (furthest, by_loop) = (2, self.rng.chance(40));
        self.map_of_neighbours(array, &ty, furthest, by_loop);
    }

    /// A map over a matrix that takes one way in some of its rows and some of its columns.
    fn rim(&mut self) {
        let sizes = [2 + self.rng.below(4) as i64, 3 + self.rng.below(4) as i64];
        let matrix = self.numbered_of(&sizes);
        let (ty, array) = (matrix.ty, matrix.var);
        let (shape, elem) = (ty.shape().to_vec(), ty.elem());
        let (space, body) = self.kernel_body(&shape, |m| {
            let own = &m.scope.counters[m.scope.counters.len() - shape.len()..];
            let at: Vec<Atom> = own.iter().map(|(counter, _)| Atom::Var(*counter)).collect();
            let op = if m.rng.chance(60) { BinOp::Or } else { BinOp::And };
            let mut condition = None;
            for part in 0..2 + m.rng.below(2) {
                let dim = if part < 2 { part } else { m.rng.below(2) };
                let bound = match m.rng.below(3) {
                    0 => m.number(BinOp::Sub, shape[dim], Atom::i64(1)),
                    other => Atom::i64(other as i64 - 1),
                };
                let compare = [BinOp::Eq, BinOp::Lt, BinOp::Gt][m.rng.below(3)];
                let part = m.test(compare, at[dim], bound);
                condition = Some(match condition {
                    None => part,
                    Some(other) => {
                        let both = if m.rng.chance(50) { [other, part] } else { [part, other] };
                        Atom::Var(m.fresh("rim", BOOL, Exp::Bin(op, PrimType::Bool, both[0], both[1])))
                    }
                });
            }
            let element = |m: &mut Maker, indices: Vec<Atom>| {
                Atom::Var(m.fresh("e", Type::Prim(elem), Exp::Index { array, indices }))
            };
            let (then, _) = m.body(m.shared_scope(), |m| vec![element(m, at.clone())]);
            let (otherwise, _) = m.body(m.shared_scope(), |m| {
                let above = m.number(BinOp::Sub, at[0], Atom::i64(1));
                // (reads that are known to be there move in front of the branch, which is none then)
                let above = m.number(BinOp::Mod, above, shape[0]);
                let (own, above) = (element(m, at.clone()), element(m, vec![above, at[1]]));
                vec![m.combined(elem, own, above)]
            });
            let condition = condition.unwrap_or(Atom::Const(true.into()));
            vec![Atom::Var(m.fresh("x", Type::Prim(elem), Exp::If { condition, then, otherwise }))]
        });
        self.fresh("m", ty, Exp::Kernel { space, combine: Combine::Map, body });
    }

    /// Such maps one after the other, each of what the one before gave: of several rows.
    fn steps(&mut self) {
        let shape = [5 + self.rng.below(6) as i64, 1 + self.rng.below(3) as i64];
        let first = self.numbered_of(&shape);
        let ty = first.ty;
        let bound =
            if self.rng.chance(80) { Atom::i64(2 + self.rng.below(4) as i64) } else { self.any_size() };
        let param = self.binder("a", ty.clone());
        let (array, counter) = (param.var, self.names.fresh("t"));
        let mut scope = self.loop_scope(std::slice::from_ref(&param), &[false]);
        scope.add(counter, I64, Roots::new());
        let furthest = if self.rng.chance(80) { 1 } else { 2 };
        let (body, inner) =
            self.body(scope, |m| vec![Atom::Var(m.map_of_neighbours(array, &ty, furthest, false))]);
        let form = LoopForm::For { var: counter, ty: PrimType::I64, bound };
        let inits = vec![Atom::Var(first.var)];
        self.finish_loop(vec![param], &[false], inits, form, body, &inner);
    }

    /// A map of neighbours of each element of a matrix, so far away at most.
    fn map_of_neighbours(&mut self, array: Var, ty: &Type, furthest: i64, by_loop: bool) -> Var {
        let (shape, elem) = (ty.shape().to_vec(), ty.elem());
        let around = self.rng.chance(30);
        let (space, body) = self.kernel_body(&shape, |m| {
            let own = &m.scope.counters[m.scope.counters.len() - shape.len()..];
            let at: Vec<(Atom, Atom)> =
                own.iter().map(|(counter, _)| Atom::Var(*counter)).zip(shape.iter().copied()).collect();
            let mut value = m.near(array, elem, &at, furthest, around);
            for _ in 0..1 + m.rng.below(3) {
                let other = m.near(array, elem, &at, furthest, around);
                value = m.combined(elem, value, other);
            }
            // (without a draw of its own, so that other programs stay as they are)
            if by_loop && shape.len() == 2 && m.rng.clone().chance(70) {
                let (rows, columns) = (2 + m.rng.below(2) as i64, 3 + m.rng.below(2) as i64);
                let rest = i64::from(m.rng.chance(10));
                value = m.fold(elem, value, Atom::i64(rows * columns + rest), &mut |m, old, counter| {
                    let mut at = at.clone();
                    for (dim, op) in [BinOp::Div, BinOp::Mod].into_iter().enumerate() {
                        let digit = m.number(op, counter, Atom::i64(columns));
                        at[dim].0 = m.number(BinOp::Add, at[dim].0, digit);
                    }
                    let element = m.near(array, elem, &at, furthest, around);
                    m.combined(elem, old, element)
                });
            } else if by_loop {
                let bound = Atom::i64(1 + m.rng.below(3) as i64);
                value = m.fold(elem, value, bound, &mut |m, old, counter| {
                    let mut at = at.clone();
                    let dim = m.rng.below(at.len());
                    at[dim].0 = m.number(BinOp::Add, at[dim].0, counter);
                    let element = m.near(array, elem, &at, furthest, around);
                    m.combined(elem, old, element)
                });
            }
            vec![value]
        });
        self.fresh("m", ty.clone(), Exp::Kernel { space, combine: Combine::Map, body })
    }

    /// An element near to that at some indices, of which each comes with the size of its dimension.
    fn near(&mut self, array: Var, elem: PrimType, at: &[(Atom, Atom)], furthest: i64, around: bool) -> Atom {
        let mut indices = Vec::new();
        for (index, size) in at {
            let by = self.rng.below(2 * furthest as usize + 1) as i64 - furthest;
            let moved = self.number(BinOp::Add, *index, Atom::i64(by));
            indices.push(if around {
                self.number(BinOp::Mod, moved, *size)
            } else {
                let last = self.number(BinOp::Sub, *size, Atom::i64(1));
                let inside = self.number(BinOp::Min, moved, last);
                self.number(BinOp::Max, inside, Atom::i64(0))
            });
        }
        Atom::Var(self.fresh("e", Type::Prim(elem), Exp::Index { array, indices }))
    }

    /// The element at `at` and that where some of its bits are others, if there is one, as in sorting networks.
    fn flipped(&mut self, array: Var, elem: PrimType, at: Atom, size: Atom) -> Atom {
        let bits = if self.rng.chance(50) { Atom::i64(self.rng.below(5) as i64) } else { self.value(&I64) };
        let other = self.number(BinOp::Xor, bits, at);
        let above = self.test(BinOp::Le, Atom::i64(0), other);
        let below = self.test(BinOp::Lt, other, size);
        let condition = Atom::Var(self.fresh("in", BOOL, Exp::Bin(BinOp::And, PrimType::Bool, above, below)));
        let (then, _) = self.body(self.shared_scope(), |m| vec![m.both(array, elem, at, other)]);
        let (otherwise, _) = self.body(self.shared_scope(), |m| vec![m.value(&Type::Prim(elem))]);
        Atom::Var(self.fresh("x", Type::Prim(elem), Exp::If { condition, then, otherwise }))
    }

    /// The element at `at` on one side of a number, or between two, and something else on the other, as in the rows of triangles.
    fn triangle(&mut self, array: Var, elem: PrimType, at: Atom) -> Atom {
        let side = |m: &mut Maker| {
            let (end, shift) = (m.value(&I64), m.value(&I64));
            let from = if m.rng.chance(50) { m.number(BinOp::Sub, end, at) } else { at };
            let to = if m.rng.chance(50) { shift } else { end };
            let op = [BinOp::Lt, BinOp::Le, BinOp::Gt, BinOp::Ge, BinOp::Eq][m.rng.below(5)];
            m.test(op, from, to)
        };
        let mut condition = side(self);
        if self.rng.chance(50) {
            let other = side(self);
            let op = if self.rng.chance(50) { BinOp::And } else { BinOp::Or };
            condition = Atom::Var(self.fresh("in", BOOL, Exp::Bin(op, PrimType::Bool, condition, other)));
        }
        let own = |m: &mut Maker| vec![m.both(array, elem, at, at)];
        let constant = |m: &mut Maker| vec![m.value(&Type::Prim(elem))];
        let (then, otherwise) = if self.rng.chance(50) {
            (self.body(self.shared_scope(), own).0, self.body(self.shared_scope(), constant).0)
        } else {
            (self.body(self.shared_scope(), constant).0, self.body(self.shared_scope(), own).0)
        };
        Atom::Var(self.fresh("x", Type::Prim(elem), Exp::If { condition, then, otherwise }))
    }

    /// Two elements put together.
    fn both(&mut self, array: Var, elem: PrimType, left: Atom, right: Atom) -> Atom {
        let op = if elem == PrimType::Bool { BinOp::Xor } else { BinOp::Sub };
        let [left, right] = [left, right].map(|at| {
            let read = Exp::Index { array, indices: vec![at] };
            Atom::Var(self.fresh("e", Type::Prim(elem), read))
        });
        Atom::Var(self.fresh("d", Type::Prim(elem), Exp::Bin(op, elem, left, right)))
    }

    pub(in crate::r#gen) fn number(&mut self, op: BinOp, x: Atom, y: Atom) -> Atom {
        Atom::Var(self.fresh(op.name(), I64, Exp::Bin(op, PrimType::I64, x, y)))
    }

    pub(in crate::r#gen) fn test(&mut self, op: BinOp, x: Atom, y: Atom) -> Atom {
        Atom::Var(self.fresh("t", BOOL, Exp::Bin(op, PrimType::I64, x, y)))
    }
}
