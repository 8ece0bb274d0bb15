//! Loops whose iterations do not wait for each other: each writes its own row of an array, adds to a number, or writes at a place of its own.

use super::super::Maker;
use super::super::scope::{I64, Roots};
use crate::ir::{Atom, Binder, Dim, Exp, LoopForm, LoopParam, Type};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};

/// What becomes of a parameter in an iteration.
#[derive(Clone, Copy)]
enum Role {
    /// Its row is written.
    Row,
    /// It is combined with something.
    Sum(BinOp),
    /// The element at some place is written, or combined with something.
    Place(Option<BinOp>),
}

/// Elements of the arrays that are written at places that iterations compute: a power of two.
const CELLS: i64 = 4;

impl Maker {
    /// Such a loop. Some iterations leave a parameter as it is.
    pub(super) fn separate_iterations(&mut self) {
        // (loops of a few iterations, by a constant, stay)
        let known = self.scope.sizes_up_to(self.scale.array_size);
        let bound = self.rng.pick(&known).copied().unwrap_or_else(|| self.any_size());
        let (mut params, mut roles) = (Vec::new(), Vec::new());
        let most = 1 + self.rng.below(3);
        for _ in 0..most {
            let sums = [BinOp::Add, BinOp::Mul, BinOp::Max, BinOp::Min, BinOp::Xor, BinOp::Or];
            let op = *self.rng.pick(&sums).unwrap_or(&BinOp::Add);
            // (places are taken for a histogram where there is nothing beside)
            let (role, ty) = match self.rng.below(if most == 1 { 4 } else { 2 }) {
                0 => (Role::Row, Type::Array { shape: vec![bound], elem: self.prim() }),
                1 => (Role::Sum(op), I64),
                _ => {
                    let op = self.rng.chance(60).then_some(op);
                    (Role::Place(op), Type::Array { shape: vec![Atom::i64(CELLS)], elem: PrimType::I64 })
                }
            };
            let init = match role {
                Role::Row => {
                    let value = self.scalar(ty.elem());
                    Atom::Var(self.fresh("v", ty.clone(), Exp::Replicate { shape: vec![bound], value }))
                }
                Role::Sum(_) => self.scalar(PrimType::I64),
                Role::Place(_) => Atom::Var(self.fresh_array(&ty)),
            };
            let roots = self.scope.roots_of(init);
            self.scope.consume(&roots);
            params.push(LoopParam { binder: self.binder("a", ty), init });
            roles.push(role);
        }
        let counter = self.names.fresh("i");
        let mut scope = self.shared_scope();
        scope.add(counter, I64, Roots::new());
        let (body, _) = self.body(scope, |m| {
            m.some_statements(2);
            let next = params.iter().zip(&roles);
            next.map(|(param, role)| m.next_of(&param.binder, *role, counter)).collect()
        });
        let form = LoopForm::For { var: counter, ty: PrimType::I64, bound };
        let types: Vec<Type> = params.iter().map(|param| param.binder.ty.clone()).collect();
        self.fresh_all("r", &types, Exp::Loop { params, form, body });
    }

    /// What a parameter is in the next iteration.
    fn next_of(&mut self, param: &Binder, role: Role, counter: Var) -> Atom {
        if !self.rng.chance(35) {
            return self.after_iteration(param, role, counter);
        }
        let other = self.scalar(PrimType::I64);
        let condition = self.test(BinOp::Lt, Atom::Var(counter), other);
        let scope = self.shared_scope();
        let (then, _) = self.body(scope.clone(), |m| vec![m.after_iteration(param, role, counter)]);
        let (otherwise, _) = self.body(scope, |_| vec![Atom::Var(param.var)]);
        let next = self.binder("a", param.ty.clone());
        let var = next.var;
        self.push(vec![next], Exp::If { condition, then, otherwise });
        Atom::Var(var)
    }

    fn after_iteration(&mut self, param: &Binder, role: Role, counter: Var) -> Atom {
        let value = self.of_counter(param.ty.elem(), counter);
        let exp = match role {
            Role::Sum(op) => Exp::Bin(op, PrimType::I64, Atom::Var(param.var), value),
            Role::Row => Exp::Update { array: param.var, dims: vec![Dim::Fix(Atom::Var(counter))], value },
            Role::Place(op) => {
                let scaled = self.of_counter(PrimType::I64, counter);
                let place = self.number(BinOp::And, scaled, Atom::i64(CELLS - 1));
                let value = match op {
                    Some(op) => {
                        let read = Exp::Index { array: param.var, indices: vec![place] };
                        let old = self.fresh("e", I64, read);
                        self.number(op, Atom::Var(old), value)
                    }
                    None => value,
                };
                Exp::Update { array: param.var, dims: vec![Dim::Fix(place)], value }
            }
        };
        let next = self.binder("u", param.ty.clone());
        let var = next.var;
        self.push(vec![next], exp);
        Atom::Var(var)
    }

    /// A number that often differs between iterations.
    fn of_counter(&mut self, ty: PrimType, counter: Var) -> Atom {
        if self.rng.chance(30) {
            return self.scalar(ty);
        }
        let other = self.scalar(PrimType::I64);
        let op = if self.rng.chance(50) { BinOp::Add } else { BinOp::Mul };
        if ty == PrimType::Bool {
            return self.test(BinOp::Lt, Atom::Var(counter), other);
        }
        let value = self.number(op, Atom::Var(counter), other);
        if ty == PrimType::I64 {
            return value;
        }
        Atom::Var(self.fresh("x", Type::Prim(ty), Exp::Convert { to: ty, from: PrimType::I64, value }))
    }
}
