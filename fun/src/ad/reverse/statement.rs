//! The return sweep of statements without bodies.

use super::super::partial;
use super::super::sequential::is_extreme;
use super::Reverse;
use super::adjoint::{Adjoint, plus};
use crate::ir::{Atom, Dim, Exp, Mode, Statement, Type};
use crate::visit::names::rename_lambda;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};

impl Reverse<'_, '_> {
    /// Adds what a statement hands on from the adjoints of its results, which nobody needs after that. `forward` is the forward
    /// sweep of the body, where loops keep what they need.
    pub(super) fn back(&mut self, statement: &Statement, forward: &mut Vec<Statement>) {
        let adjoints: Vec<Option<Adjoint>> =
            statement.pattern.iter().map(|binder| self.adjoints.remove(&binder.var)).collect();
        if adjoints.iter().all(Option::is_none) {
            return;
        }
        match &statement.exp {
            Exp::If { condition, then, otherwise } => {
                self.back_if(*condition, then, otherwise, &adjoints);
            }
            Exp::Loop { params, form, body } => {
                self.back_loop(statement, params, form, body, adjoints, forward);
            }
            Exp::Map { width, lambda, arrays } => self.back_map(*width, lambda, arrays, &adjoints),
            Exp::Scatter { width, dests, indices, values } => {
                self.back_scatter(*width, dests, *indices, values, adjoints);
            }
            Exp::Derive { mode: Mode::Custom { adjoint }, args, .. } => {
                let mut lambda = rename_lambda(self.b.names(), Default::default(), adjoint);
                self.b.declare_lambda(&lambda);
                let mut given: Vec<Atom> =
                    statement.pattern.iter().map(|binder| Atom::Var(binder.var)).collect();
                for (binder, adjoint) in statement.pattern.iter().zip(adjoints) {
                    let adjoint = adjoint.unwrap_or_else(|| self.zero(&binder.ty));
                    given.push(adjoint.atom);
                }
                for (param, atom) in lambda.params.drain(..).zip(given) {
                    self.b.bind(vec![param], Exp::Atom(atom));
                }
                lambda.body.statements.into_iter().for_each(|statement| self.b.push(statement));
                for (arg, result) in args.iter().zip(lambda.body.results) {
                    self.contribute(*arg, Adjoint { atom: result, owned: false });
                }
            }
            exp => {
                if let ([binder], [Some(adjoint)]) = (statement.pattern.as_slice(), adjoints.as_slice()) {
                    self.back_one(exp, Atom::Var(binder.var), *adjoint);
                }
            }
        }
    }

    /// Expressions with one result.
    fn back_one(&mut self, exp: &Exp, result: Atom, y: Adjoint) {
        match exp {
            Exp::Atom(atom) => self.contribute(*atom, y),
            Exp::Bin(op, t, left, right) => {
                let want = (self.is_active(*left), self.is_active(*right));
                let (by_left, by_right) = partial::bin(self.b, *op, *t, (*left, *right), result, want);
                for (operand, partial, want) in [(left, by_left, want.0), (right, by_right, want.1)] {
                    if want && let Some(change) = partial::apply(self.b, *t, partial, y.atom) {
                        self.contribute(*operand, Adjoint::owned(change));
                    }
                }
            }
            Exp::Un(op, t, value) => {
                let partial = partial::un(self.b, *op, *t, *value, result);
                if let partial::Partial::Bits(_, back) = partial {
                    let from = op.result_type(*t).unwrap_or(*t);
                    let change = self.b.un(back, from, y.atom);
                    self.contribute(*value, Adjoint::owned(change));
                } else if let Some(change) = partial::apply(self.b, *t, partial, y.atom) {
                    self.contribute(*value, Adjoint::owned(change));
                }
            }
            Exp::Fma(t, [left, right, added]) => {
                for (operand, factor) in [(left, right), (right, left)] {
                    if self.is_active(*operand) {
                        let change = self.b.bin(BinOp::Mul, *t, *factor, y.atom);
                        self.contribute(*operand, Adjoint::owned(change));
                    }
                }
                self.contribute(*added, y);
            }
            Exp::Convert { to, from, value } => {
                let change = self.b.convert(*from, *to, y.atom);
                self.contribute(*value, Adjoint::owned(change));
            }
            Exp::Index { array, indices } => {
                let dims: Vec<Dim> = indices.iter().map(|index| Dim::Fix(*index)).collect();
                self.contribute_at(*array, &dims, y);
            }
            Exp::Slice { array, dims } => self.contribute_at(*array, dims, y),
            Exp::Update { array, dims, value } => self.back_update(*array, dims, *value, y),
            Exp::Iota { count, start, step, elem } => self.back_iota(*count, *start, *step, *elem, y),
            Exp::Replicate { shape, value } => {
                let sum = self.sum_outer(y.array(), shape.len());
                self.contribute(*value, Adjoint::owned(sum));
            }
            Exp::ArrayLiteral { row, elems } => {
                for (i, elem) in elems.iter().enumerate() {
                    self.hand_on_part(*elem, y.array(), row_of(Atom::i64(i as i64), row));
                }
            }
            Exp::Concat { arrays, .. } => {
                let mut offset = Atom::i64(0);
                for array in arrays {
                    let shape = self.type_of((*array).into()).shape().to_vec();
                    let mut dims: Vec<Dim> = shape.iter().map(|size| Self::whole(*size)).collect();
                    dims[0] = Dim::Range { offset, count: shape[0], stride: Atom::i64(1) };
                    self.hand_on_part((*array).into(), y.array(), dims);
                    offset = self.b.add(offset, shape[0]);
                }
            }
            Exp::Copy(array) => self.contribute((*array).into(), y),
            Exp::Permute { perm, array } => {
                let mut inverse = vec![0; perm.len()];
                perm.iter().enumerate().for_each(|(k, from)| inverse[*from] = k);
                self.view(*array, y, |array| Exp::Permute { perm: inverse, array });
            }
            Exp::Reshape { shape: _, array } => {
                let shape = self.type_of((*array).into()).shape().to_vec();
                self.view(*array, y, |array| Exp::Reshape { shape, array });
            }
            Exp::Reverse { dim, array } => {
                self.view(*array, y, |array| Exp::Reverse { dim: *dim, array });
            }
            Exp::Reduce { width, op, neutral, arrays, .. } if is_extreme(op) => {
                self.back_extreme(*width, neutral[0], arrays[0], result, y.atom);
            }
            Exp::Reduce { width, neutral, arrays, .. } => {
                // Sums are left (`sequential`).
                let each = self.b.one("adj", Exp::Replicate { shape: vec![*width], value: y.atom });
                self.contribute(arrays[0].into(), Adjoint::owned(each));
                self.contribute(neutral[0], Adjoint { owned: false, ..y });
            }
            Exp::Scan { width, neutral, arrays, .. } => self.back_scan(*width, neutral[0], arrays[0], y),
            Exp::Hist { width, dests, indices, values, .. } => {
                self.back_hist(*width, dests[0], *indices, values[0], y);
            }
            Exp::Scratch { .. }
            | Exp::Assert { .. }
            | Exp::Trace { .. }
            | Exp::If { .. }
            | Exp::Loop { .. }
            | Exp::Map { .. }
            | Exp::Scatter { .. }
            | Exp::Derive { .. }
            | Exp::Call { .. }
            | Exp::Kernel { .. } => {}
            Exp::Op(op) => match *op {},
        }
    }

    /// An adjoint through a view of an array.
    fn view(&mut self, array: Var, y: Adjoint, view: impl FnOnce(Var) -> Exp) {
        let atom = self.b.one("adj", view(y.array()));
        self.contribute(array.into(), Adjoint { atom, owned: y.owned });
    }

    /// Hands on a part of an adjoint of which other parts go elsewhere.
    fn hand_on_part(&mut self, to: Atom, from: Var, dims: Vec<Dim>) {
        if self.is_active(to) {
            let atom = self.read(from, &dims);
            self.contribute(to, Adjoint { atom, owned: false });
        }
    }

    fn back_update(&mut self, array: Var, dims: &[Dim], value: Atom, y: Adjoint) {
        if self.is_active(value) {
            let part = self.read(y.array(), dims);
            // What is read is overwritten below.
            let part = self.own(Adjoint { atom: part, owned: false });
            self.contribute(value, part);
        }
        if self.active.contains(&array) {
            let ty = self.type_of(value);
            let zero = self.zero(&ty).atom;
            let y = self.own(y).array();
            let rest = self.b.array("adj", Exp::Update { array: y, dims: dims.to_vec(), value: zero });
            self.contribute(array.into(), Adjoint::owned(rest));
        }
    }

    fn back_iota(&mut self, count: Atom, start: Atom, step: Atom, elem: PrimType, y: Adjoint) {
        if self.is_active(start) {
            let sum = self.sum_outer(y.array(), 1);
            self.contribute(start, Adjoint::owned(sum));
        }
        if self.is_active(step) {
            let (zero, one) = (Atom::Const(elem.zero()), Atom::Const(elem.of_i64(1)));
            let numbers = self.b.array("i", Exp::Iota { count, start: zero, step: one, elem });
            let prim = Type::Prim(elem);
            let lambda = self.b.lambda(&[prim.clone(), prim.clone()], &[prim], |b, x| {
                vec![b.bin(BinOp::Mul, elem, x[0], x[1])]
            });
            let exp = Exp::Map { width: count, lambda, arrays: vec![numbers, y.array()] };
            let scaled = self.b.array("adj", exp);
            let sum = self.sum_outer(scaled, 1);
            self.contribute(step, Adjoint::owned(sum));
        }
    }

    /// A running sum: an element counts in all sums from its own on.
    fn back_scan(&mut self, width: Atom, neutral: Atom, array: Var, y: Adjoint) {
        if self.is_active(neutral) {
            let sum = self.sum_outer(y.array(), 1);
            self.contribute(neutral, Adjoint::owned(sum));
        }
        let elem = self.type_of(array.into()).elem();
        let reversed = self.b.array("adj", Exp::Reverse { dim: 0, array: y.array() });
        let (op, zero) = (plus(self.b, elem), Atom::Const(elem.zero()));
        let exp = Exp::Scan { width, op, neutral: vec![zero], arrays: vec![reversed] };
        let sums = self.b.array("adj", exp);
        let back = self.b.one("adj", Exp::Reverse { dim: 0, array: sums });
        self.contribute(array.into(), Adjoint::owned(back));
    }
}

/// The dimensions of a row of this type.
fn row_of(index: Atom, row: &Type) -> Vec<Dim> {
    let rest = row.shape().iter().map(|size| Dim::Range {
        offset: Atom::i64(0),
        count: *size,
        stride: Atom::i64(1),
    });
    std::iter::once(Dim::Fix(index)).chain(rest).collect()
}
