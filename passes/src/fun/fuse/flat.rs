//! Elementwise producers: what is a point of an array in another shape is the same of its operands in that shape.
//!
//! ```text
//! let (ys_1: [n_0][m_2]i32) = kernel (i_3 < n_0, j_4 < m_2) {
//!   let (x_5: i32) = index xs_6[i_3, j_4]
//!   let (y_7: i32) = mul.i32 x_5 x_5
//!   in (y_7)
//! }
//! let (zs_8: [k_9]i32) = reshape [k_9] ys_1
//! ```
//! `zs_8[t]` is computed from `x[t]`, where `x` is `xs_6` in the shape of `zs_8`: no index has to be taken apart.

use fun::ir::{Atom, Binder, Body, Exp, Fun, NoOp, Statement, Type};
use fun::visit::{Map, Walk, map_statement, walk_statement};
use fun_base::name::{NameSource, Var};
use std::collections::BTreeMap;

/// Whether the counters serve only to read arrays of the shape of the space at the point.
pub(super) fn is_elementwise(space: &[(Var, Atom)], body: &Body, types: &BTreeMap<Var, Type>) -> bool {
    let mut uses = Uses { space, types, others: false };
    Walk::<Fun>::body(&mut uses, body);
    !uses.others
}

struct Uses<'a> {
    space: &'a [(Var, Atom)],
    types: &'a BTreeMap<Var, Type>,
    others: bool,
}

impl Walk<Fun> for Uses<'_> {
    fn atom(&mut self, atom: &Atom) {
        self.others |= self.space.iter().any(|(counter, _)| Atom::Var(*counter) == *atom);
    }

    fn statement(&mut self, statement: &Statement) {
        if let Exp::Index { array, indices } = &statement.exp {
            let here = is_point(self.space, indices);
            let shape = self.types.get(array).map(Type::shape).unwrap_or_default();
            if here && shape.iter().eq(self.space.iter().map(|(_, bound)| bound)) {
                return;
            }
        }
        walk_statement(self, statement);
    }
}

fn is_point(space: &[(Var, Atom)], indices: &[Atom]) -> bool {
    indices.iter().copied().eq(space.iter().map(|(counter, _)| Atom::Var(*counter)))
}

/// The body of an elementwise producer for its point at these indices of another shape. The arrays in that shape are added to `before`.
pub(super) fn reshaped_body(
    space: &[(Var, Atom)],
    body: &Body,
    (shape, indices): (&[Atom], &[Atom]),
    types: &BTreeMap<Var, Type>,
    names: &mut NameSource,
    before: &mut Vec<Statement>,
) -> Body {
    Reshape { space, shape, indices, types, names, before }.body(body)
}

struct Reshape<'a> {
    space: &'a [(Var, Atom)],
    shape: &'a [Atom],
    indices: &'a [Atom],
    types: &'a BTreeMap<Var, Type>,
    names: &'a mut NameSource,
    before: &'a mut Vec<Statement>,
}

impl Map<Fun, Fun> for Reshape<'_> {
    fn ty(&mut self, ty: &Type) -> Type {
        ty.clone()
    }

    fn op(&mut self, op: &NoOp) -> Exp {
        match *op {}
    }

    fn statement(&mut self, statement: &Statement, out: &mut Vec<Statement>) {
        let mut mapped = map_statement(self, statement);
        if let Exp::Index { array, indices } = &mut mapped.exp {
            let elem = self.types.get(array).map(Type::elem);
            if let Some(elem) = elem.filter(|_| is_point(self.space, indices)) {
                let var = self.names.fresh_like(*array);
                let ty = Type::array_of(self.shape, &Type::Prim(elem));
                let exp = Exp::Reshape { shape: self.shape.to_vec(), array: *array };
                self.before.push(Statement { pattern: vec![Binder { var, ty }], exp, loc: statement.loc });
                (*array, *indices) = (var, self.indices.to_vec());
            }
        }
        out.push(mapped);
    }
}
