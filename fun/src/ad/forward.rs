//! Forward mode: every statement is followed by one that computes the tangents of its results from those of its operands.
//!
//! A variable without a tangent does not change; a zero array is made only where one must stand. SOACs, loops and branches carry
//! tangents next to their values, so the operator of a reduction combines pairs of value and tangent, which is associative
//! again. Tangents of arrays share cells exactly where the arrays do, so what consumed arrays still consumes tangents.
//!
//! Cost: a constant factor in time and space.

use super::{activity, partial};
use crate::build::Builder;
use crate::ir::{Atom, Binder, Body, Exp, Lambda, LoopParam, Statement, Type};
use fun_base::name::{Symbol, Var};
use fun_base::prim::{BinOp, PrimType};
use std::collections::{BTreeMap, BTreeSet};

/// The results of the function at the arguments, then their tangents.
pub(super) fn jvp(b: &mut Builder<'_>, function: &Lambda, args: &[Atom], tangents: &[Atom]) -> Vec<Atom> {
    let active = activity::active(function);
    let mut forward = Forward { b, active, tangents: BTreeMap::new() };
    for ((param, arg), tangent) in function.params.iter().zip(args).zip(tangents) {
        forward.b.bind(vec![param.clone()], Exp::Atom(*arg));
        forward.tangents.insert(param.var, *tangent);
    }
    let mut results = forward.statements(&function.body);
    for (result, ty) in function.body.results.iter().zip(&function.results) {
        results.push(forward.total(*result, ty));
    }
    results
}

/// A zero of the type.
pub(super) fn zero(b: &mut Builder<'_>, ty: &Type) -> Atom {
    let zero = Atom::Const(ty.elem().zero());
    match ty {
        Type::Prim(_) => zero,
        Type::Array { shape, .. } => b.one("zero", Exp::Replicate { shape: shape.clone(), value: zero }),
    }
}

struct Forward<'b, 'n> {
    b: &'b mut Builder<'n>,
    active: BTreeSet<Var>,
    /// Tangents; what has none does not change.
    tangents: BTreeMap<Var, Atom>,
}

impl Forward<'_, '_> {
    fn tangent(&self, atom: Atom) -> Option<Atom> {
        self.tangents.get(&atom.as_var()?).copied()
    }

    fn is_active(&self, var: Var) -> bool {
        self.active.contains(&var)
    }

    /// The tangent, a zero if need be.
    fn total(&mut self, atom: Atom, ty: &Type) -> Atom {
        self.tangent(atom).unwrap_or_else(|| zero(self.b, ty))
    }

    /// The tangent of an array, a zero if need be.
    fn total_array(&mut self, array: Var) -> Var {
        let ty = self.type_of(array.into());
        self.total(array.into(), &ty).as_var().expect("invariant: arrays are variables")
    }

    fn type_of(&self, atom: Atom) -> Type {
        self.b.type_of(atom).expect("invariant: types of all variables are known")
    }

    /// A binder for the tangent of what is bound.
    fn dual(&mut self, binder: &Binder) -> Binder {
        let dual = self.b.binder(Symbol::new(&format!("{}_t", binder.var.text)), binder.ty.clone());
        self.tangents.insert(binder.var, dual.var.into());
        dual
    }

    /// Binders for the tangents of those that are active.
    fn duals<'a>(&mut self, binders: impl Iterator<Item = &'a Binder>) -> Vec<Binder> {
        let active: Vec<&Binder> = binders.filter(|binder| self.is_active(binder.var)).collect();
        active.into_iter().map(|binder| self.dual(binder)).collect()
    }

    /// The statements of a body, added here; gives its results.
    fn statements(&mut self, body: &Body) -> Vec<Atom> {
        body.statements.iter().for_each(|statement| self.statement(statement));
        body.results.clone()
    }

    /// A body that gives the tangents of some of its results after the results. The types are those of the results.
    fn body(&mut self, body: &Body, types: &[Type], wanted: &[bool]) -> Body {
        let outer = self.b.take();
        let mut results = self.statements(body);
        for ((result, ty), _) in body.results.iter().zip(types).zip(wanted).filter(|(_, wanted)| **wanted) {
            // Sizes that only the body knows are those of the result itself.
            let ty = if ty.rank() > 0 { self.type_of(*result) } else { ty.clone() };
            results.push(self.total(*result, &ty));
        }
        Body { statements: self.b.replace(outer), results }
    }

    /// A function of elements, and of the tangents of those marked.
    fn lambda(&mut self, lambda: &Lambda, with: &[bool], wanted: &[bool]) -> Lambda {
        let mut params = lambda.params.clone();
        for (param, _) in lambda.params.iter().zip(with).filter(|(_, with)| **with) {
            params.push(self.dual(param));
        }
        let body = self.body(&lambda.body, &lambda.results, wanted);
        Lambda { params, results: chosen_twice(&lambda.results, wanted), body }
    }

    /// An operator on values and tangents of those marked: first the left operands with their tangents, then the right ones.
    fn operator(&mut self, op: &Lambda, with: &[bool]) -> Lambda {
        let half = op.params.len() / 2;
        let mut params = Vec::new();
        for side in [&op.params[..half], &op.params[half..]] {
            params.extend(side.iter().cloned());
            for (param, _) in side.iter().zip(with).filter(|(_, with)| **with) {
                params.push(self.dual(param));
            }
        }
        let body = self.body(&op.body, &op.results, with);
        Lambda { params, results: chosen_twice(&op.results, with), body }
    }

    /// The arrays, then the tangents of those marked.
    fn arrays(&mut self, arrays: &[Var], with: &[bool]) -> Vec<Var> {
        let mut all = arrays.to_vec();
        for (array, _) in arrays.iter().zip(with).filter(|(_, with)| **with) {
            all.push(self.total_array(*array));
        }
        all
    }

    /// The atoms, then the tangents of those marked.
    fn atoms(&mut self, atoms: &[Atom], types: &[Type], with: &[bool]) -> Vec<Atom> {
        let mut all = atoms.to_vec();
        for ((atom, ty), _) in atoms.iter().zip(types).zip(with).filter(|(_, with)| **with) {
            all.push(self.total(*atom, ty));
        }
        all
    }

    /// Adds a statement whose results are followed by the tangents of those that are active.
    fn with_duals(&mut self, statement: &Statement, exp: Exp) {
        let mut pattern = statement.pattern.clone();
        pattern.extend(self.duals(statement.pattern.iter()));
        self.b.bind(pattern, exp);
    }

    fn marks(&self, binders: &[Binder]) -> Vec<bool> {
        binders.iter().map(|binder| self.is_active(binder.var)).collect()
    }

    fn statement(&mut self, statement: &Statement) {
        self.b.at(statement.loc);
        let pattern = &statement.pattern;
        if !pattern.iter().any(|binder| self.is_active(binder.var)) {
            return self.b.push(statement.clone());
        }
        let wanted = self.marks(pattern);
        match &statement.exp {
            Exp::If { condition, then, otherwise } => {
                let types: Vec<Type> = pattern.iter().map(|binder| binder.ty.clone()).collect();
                let then = self.body(then, &types, &wanted);
                let otherwise = self.body(otherwise, &types, &wanted);
                self.with_duals(statement, Exp::If { condition: *condition, then, otherwise });
            }
            Exp::Loop { params, form, body } => {
                let mut all = params.clone();
                let active = params.iter().zip(&wanted).filter(|(_, active)| **active);
                for (param, _) in active {
                    // The initial tangent is in scope of the loop, the type of the binder is not.
                    let ty = self.type_of(param.init);
                    let init = self.total(param.init, &ty);
                    all.push(LoopParam { binder: self.dual(&param.binder), init });
                }
                let types: Vec<Type> = params.iter().map(|param| param.binder.ty.clone()).collect();
                let body = self.body(body, &types, &wanted);
                self.with_duals(statement, Exp::Loop { params: all, form: form.clone(), body });
            }
            Exp::Map { width, lambda, arrays } => {
                let with: Vec<bool> = arrays.iter().map(|array| self.is_active(*array)).collect();
                let lambda = self.lambda(lambda, &with, &wanted);
                let arrays = self.arrays(arrays, &with);
                self.with_duals(statement, Exp::Map { width: *width, lambda, arrays });
            }
            Exp::Reduce { width, op, neutral, arrays, commutative } => {
                let neutral = self.atoms(neutral, &op.results, &wanted);
                let op = self.operator(op, &wanted);
                let arrays = self.arrays(arrays, &wanted);
                let (width, commutative) = (*width, *commutative);
                self.with_duals(statement, Exp::Reduce { width, op, neutral, arrays, commutative });
            }
            Exp::Scan { width, op, neutral, arrays } => {
                let neutral = self.atoms(neutral, &op.results, &wanted);
                let op = self.operator(op, &wanted);
                let arrays = self.arrays(arrays, &wanted);
                self.with_duals(statement, Exp::Scan { width: *width, op, neutral, arrays });
            }
            Exp::Hist { width, op, neutral, dests, indices, values } => {
                let neutral = self.atoms(neutral, &op.results, &wanted);
                let op = self.operator(op, &wanted);
                let (dests, values) = (self.arrays(dests, &wanted), self.arrays(values, &wanted));
                let (width, indices) = (*width, *indices);
                self.with_duals(statement, Exp::Hist { width, op, neutral, dests, indices, values });
            }
            Exp::Scatter { width, dests, indices, values } => {
                let (dests, values) = (self.arrays(dests, &wanted), self.arrays(values, &wanted));
                let (width, indices) = (*width, *indices);
                self.with_duals(statement, Exp::Scatter { width, dests, indices, values });
            }
            exp => {
                let [binder] = pattern.as_slice() else { return self.b.push(statement.clone()) };
                // A scalar's tangent may use the result, an array's operands may be consumed: so before or after.
                if let Exp::Bin(..) | Exp::Un(..) | Exp::Fma(..) = exp {
                    self.b.push(statement.clone());
                    let tangent = self.scalar(exp, binder);
                    self.tangents.extend(tangent.map(|tangent| (binder.var, tangent)));
                } else {
                    let tangent = self.array(exp);
                    self.b.push(statement.clone());
                    if let Some(exp) = tangent {
                        let dual = self.dual(binder);
                        self.b.bind(vec![dual], exp);
                    }
                }
            }
        }
    }

    /// The tangent of a scalar operator.
    fn scalar(&mut self, exp: &Exp, binder: &Binder) -> Option<Atom> {
        let result = Atom::Var(binder.var);
        match exp {
            Exp::Bin(op, t, x, y) => {
                let (dx, dy) = (self.tangent(*x), self.tangent(*y));
                let want = (dx.is_some(), dy.is_some());
                let (by_x, by_y) = partial::bin(self.b, *op, *t, (*x, *y), result, want);
                let dx = dx.and_then(|dx| partial::apply(self.b, *t, by_x, dx));
                let dy = dy.and_then(|dy| partial::apply(self.b, *t, by_y, dy));
                match (dx, dy) {
                    (Some(dx), Some(dy)) => Some(partial::add(self.b, *t, dx, dy)),
                    (dx, dy) => dx.or(dy),
                }
            }
            Exp::Un(op, t, x) => {
                let dx = self.tangent(*x)?;
                let partial = partial::un(self.b, *op, *t, *x, result);
                partial::apply(self.b, *t, partial, dx)
            }
            Exp::Fma(t, [x, y, z]) => {
                let mut sum = self.tangent(*z);
                for (factor, change) in [(x, self.tangent(*y)), (y, self.tangent(*x))] {
                    let Some(change) = change else { continue };
                    sum = Some(match sum {
                        Some(sum) => self.b.one("fma", Exp::Fma(*t, [*factor, change, sum])),
                        None => self.b.bin(BinOp::Mul, *t, *factor, change),
                    });
                }
                sum
            }
            _ => None,
        }
    }

    /// What makes the tangent of an array, or of a scalar that is only moved.
    fn array(&mut self, exp: &Exp) -> Option<Exp> {
        let of = |this: &Self, var: Var| this.tangent(var.into()).and_then(Atom::as_var);
        Some(match exp {
            Exp::Atom(atom) => Exp::Atom(self.tangent(*atom)?),
            Exp::Convert { to, from, value } => {
                Exp::Convert { to: *to, from: *from, value: self.tangent(*value)? }
            }
            Exp::Index { array, indices } => {
                Exp::Index { array: of(self, *array)?, indices: indices.clone() }
            }
            Exp::Slice { array, dims } => Exp::Slice { array: of(self, *array)?, dims: dims.clone() },
            Exp::Update { array, dims, value } => {
                let ty = self.type_of(*value);
                let value = self.total(*value, &ty);
                Exp::Update { array: self.total_array(*array), dims: dims.clone(), value }
            }
            Exp::Iota { count, start, step, elem } => {
                let prim = Type::Prim(*elem);
                let (start, step) = (self.total(*start, &prim), self.total(*step, &prim));
                self.arithmetic_sequence(*count, start, step, *elem)
            }
            Exp::Replicate { shape, value } => {
                Exp::Replicate { shape: shape.clone(), value: self.tangent(*value)? }
            }
            Exp::ArrayLiteral { row, elems } => {
                let elems = elems.iter().map(|elem| self.total(*elem, row)).collect();
                Exp::ArrayLiteral { row: row.clone(), elems }
            }
            Exp::Concat { size, arrays } => {
                let arrays = arrays.iter().map(|array| self.total_array(*array)).collect();
                Exp::Concat { size: *size, arrays }
            }
            Exp::Copy(array) => Exp::Copy(of(self, *array)?),
            Exp::Permute { perm, array } => Exp::Permute { perm: perm.clone(), array: of(self, *array)? },
            Exp::Reshape { shape, array } => Exp::Reshape { shape: shape.clone(), array: of(self, *array)? },
            Exp::Reverse { dim, array } => Exp::Reverse { dim: *dim, array: of(self, *array)? },
            Exp::Bin(..)
            | Exp::Un(..)
            | Exp::Fma(..)
            | Exp::Scratch { .. }
            | Exp::Assert { .. }
            | Exp::Trace { .. }
            | Exp::If { .. }
            | Exp::Loop { .. }
            | Exp::Call { .. }
            | Exp::Map { .. }
            | Exp::Reduce { .. }
            | Exp::Scan { .. }
            | Exp::Hist { .. }
            | Exp::Scatter { .. }
            | Exp::Kernel { .. }
            | Exp::Derive { .. } => return None,
            Exp::Op(op) => match *op {},
        })
    }

    /// `start, start + step, …`, where neither need be constant.
    fn arithmetic_sequence(&mut self, count: Atom, start: Atom, step: Atom, elem: PrimType) -> Exp {
        let (zero, one) = (Atom::Const(elem.zero()), Atom::Const(elem.of_i64(1)));
        let numbers = self.b.array("i", Exp::Iota { count, start: zero, step: one, elem });
        let prim = Type::Prim(elem);
        let lambda = self.b.lambda(std::slice::from_ref(&prim), std::slice::from_ref(&prim), |b, x| {
            let scaled = b.bin(BinOp::Mul, elem, x[0], step);
            vec![b.bin(BinOp::Add, elem, start, scaled)]
        });
        Exp::Map { width: count, lambda, arrays: vec![numbers] }
    }
}

/// The types, then those marked again.
fn chosen_twice(types: &[Type], marked: &[bool]) -> Vec<Type> {
    let again = types.iter().zip(marked).filter(|(_, marked)| **marked).map(|(ty, _)| ty);
    types.iter().chain(again).cloned().collect()
}
