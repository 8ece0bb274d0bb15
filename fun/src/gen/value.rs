//! Types, sizes and values of given types.

use super::scope::I64;
use super::{Form, Maker};
use crate::ir::{Atom, Combine, Dim, Exp, LoopForm, LoopParam, Type};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};

impl Maker {
    /// A size in scope of at most `max`, a constant, or a clamped number.
    pub(super) fn some_size(&mut self, max: i64) -> Atom {
        let known = self.scope.sizes_up_to(max);
        match self.rng.pick(&known) {
            Some(size) if self.rng.chance(65) => *size,
            _ if self.rng.chance(15) && max > 0 => self.computed_size(max),
            _ => Atom::i64(self.rng.below(max.clamp(0, self.scale.array_size) as usize + 1) as i64),
        }
    }

    /// A size that no simplifier knows, at most `max`, which is above 0.
    pub(super) fn computed_size(&mut self, max: i64) -> Atom {
        let any = self.scalar(PrimType::I64);
        let most = 1 + self.rng.below(max.min(self.scale.array_size) as usize) as i64;
        let low = Exp::Bin(BinOp::Max, PrimType::I64, any, Atom::i64(0));
        let low = Atom::Var(self.fresh("z", I64, low));
        self.size("n", most, Exp::Bin(BinOp::Min, PrimType::I64, low, Atom::i64(most)))
    }

    /// A size as large as they come at this scale.
    pub(super) fn any_size(&mut self) -> Atom {
        self.some_size(self.scale.array_size)
    }

    /// A type of small arrays over sizes in scope.
    pub(super) fn array_type(&mut self) -> Type {
        let rank = [1, 1, 1, 2, 2, 3][self.rng.below(6)];
        let shape: Vec<Atom> = (0..rank).map(|_| self.any_size()).collect();
        Type::Array { shape, elem: self.prim() }
    }

    /// A type over sizes in scope.
    pub(super) fn any_type(&mut self) -> Type {
        if self.rng.chance(50) { Type::Prim(self.prim()) } else { self.array_type() }
    }

    /// A type of what branches give and loops carry: at times there is nothing to say.
    pub(super) fn carried_type(&mut self) -> Type {
        if self.rng.chance(2) { Type::Prim(PrimType::Unit) } else { self.any_type() }
    }

    /// An atom of a type.
    pub(super) fn value(&mut self, ty: &Type) -> Atom {
        if let Type::Prim(t) = ty {
            return self.scalar(*t);
        }
        let known = self.scope.of_type(ty);
        match self.choose(&known) {
            Some(var) if self.rng.chance(70) => Atom::Var(var),
            _ => Atom::Var(self.fresh_array(ty)),
        }
    }

    /// What a body gives: a value of the type, a scalar often joined with others that the body has computed and does not use.
    /// What leads to no result shows no mistake.
    pub(super) fn outcome(&mut self, ty: &Type) -> Atom {
        let mut result = self.value(ty);
        let Type::Prim(t) = *ty else { return result };
        let op = match t {
            PrimType::Unit => return result,
            PrimType::Bool => BinOp::Xor,
            _ if t.is_float() => BinOp::Sub,
            _ => BinOp::Add,
        };
        if self.integers || self.derived || self.rng.chance(30) {
            return result;
        }
        let made = self.statements.iter().rev().flat_map(|statement| &statement.pattern);
        let unused = made.filter(|binder| binder.ty.rank() == 0 && binder.ty != Type::Prim(PrimType::Unit));
        let mut unused: Vec<(Var, PrimType)> = unused.map(|binder| (binder.var, binder.ty.elem())).collect();
        unused.retain(|(var, _)| !self.scope.used.contains(var) && Atom::Var(*var) != result);
        for (var, from) in unused.into_iter().take(3) {
            let value = match from == t {
                true => Atom::Var(var),
                false => {
                    Atom::Var(self.fresh("c", ty.clone(), Exp::Convert { to: t, from, value: var.into() }))
                }
            };
            result = Atom::Var(self.fresh("o", ty.clone(), Exp::Bin(op, t, result, value)));
        }
        result
    }

    /// A new array of a type with at least one dimension; nothing else shares its cells.
    pub(super) fn fresh_array(&mut self, ty: &Type) -> Var {
        let (shape, elem) = (ty.shape().to_vec(), ty.elem());
        let known = self.scope.of_type(ty);
        match self.rng.below(7) {
            0 | 1 if !known.is_empty() => {
                let array = self.choose(&known).unwrap_or(known[0]);
                self.fresh("y", ty.clone(), Exp::Copy(array))
            }
            2 if shape.len() == 1 && elem.is_int() => {
                let (start, step) = (self.scalar(elem), self.scalar(elem));
                self.fresh("j", ty.clone(), Exp::Iota { count: shape[0], start, step, elem })
            }
            3 if shape[0].as_const().is_some() => {
                let row = ty.peel(1);
                let count = self.scope.size_max(shape[0]).unwrap_or(0);
                let elems = (0..count).map(|_| self.value(&row)).collect();
                self.fresh("l", ty.clone(), Exp::ArrayLiteral { row, elems })
            }
            4 | 5 if self.may_nest() => self.computed_array(ty),
            6 if self.may_nest() => self.filled_array(ty),
            _ => {
                let depth = 1 + self.rng.below(shape.len());
                let value = self.value(&ty.peel(depth));
                self.fresh("v", ty.clone(), Exp::Replicate { shape: shape[..depth].to_vec(), value })
            }
        }
    }

    /// An array by a map or kernel.
    fn computed_array(&mut self, ty: &Type) -> Var {
        match self.form {
            Form::Soac => self.mapped(ty.shape()[0], &[ty.peel(1)])[0],
            Form::Kernel => {
                let depth = 1 + self.rng.below(ty.rank());
                let types = [ty.peel(depth)];
                self.kernel_map(&ty.shape()[..depth], &types)[0]
            }
        }
    }

    /// A kernel over a space with results of these types at each point.
    pub(super) fn kernel_map(&mut self, bounds: &[Atom], cells: &[Type]) -> Vec<Var> {
        let (space, body) = self.kernel_body(bounds, |m| {
            m.some_statements(2);
            cells.iter().map(|ty| m.outcome(ty)).collect()
        });
        let types: Vec<Type> = cells.iter().map(|ty| Type::array_of(bounds, ty)).collect();
        self.fresh_all("k", &types, Exp::Kernel { space, combine: Combine::Map, body })
    }

    /// An array whose cells a loop writes; what they were before it may read if they were anything.
    pub(super) fn filled_array(&mut self, ty: &Type) -> Var {
        let (shape, elem) = (ty.shape().to_vec(), ty.elem());
        let binder = self.binder("s", ty.clone());
        let start = binder.var;
        let (filled, read) = (self.rng.chance(40), self.rng.chance(30));
        let exp = if filled {
            let value = self.constant(elem);
            Exp::Replicate { shape: shape.clone(), value }
        } else {
            Exp::Scratch { shape: shape.clone(), elem }
        };
        self.push(vec![binder], exp);
        let mut bound = shape[0];
        if filled && self.rng.chance(30) {
            // all rows, or the first
            let few = Exp::Bin(BinOp::Min, PrimType::I64, bound, Atom::i64(1));
            bound = Atom::Var(self.fresh("few", I64, few));
        }
        let param = self.binder("w", ty.clone());
        let counter = self.names.fresh("i");
        let mut scope = self.shared_scope();
        scope.add(counter, I64, Default::default());
        scope.counters.push((counter, shape[0]));
        let (array, whole_row) = (param.var, row_dims(Atom::Var(counter), &shape[1..]));
        let (body, _) = self.body(scope, |m| {
            m.some_statements(1);
            if filled && read {
                m.element_of(array, ty);
            }
            let value = m.value(&ty.peel(1));
            vec![Atom::Var(m.fresh("u", ty.clone(), Exp::Update { array, dims: whole_row, value }))]
        });
        let params = vec![LoopParam { binder: param, init: Atom::Var(start) }];
        let form = LoopForm::For { var: counter, ty: PrimType::I64, bound };
        self.fresh("r", ty.clone(), Exp::Loop { params, form, body })
    }
}

/// The dimensions of the row at an index.
pub(super) fn row_dims(index: Atom, rest: &[Atom]) -> Vec<Dim> {
    let whole = |size: &Atom| Dim::Range { offset: Atom::i64(0), count: *size, stride: Atom::i64(1) };
    [Dim::Fix(index)].into_iter().chain(rest.iter().map(whole)).collect()
}
