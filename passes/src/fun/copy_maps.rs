//! Maps that only rearrange an array become copies of a view of it.
//!
//! ```text
//! let (ys_2: [m_1][n_0]f32) = kernel (i_3 < m_1, j_4 < n_0) {
//!   let (x_5: f32) = index xs_6[j_4, i_3]
//!   in (x_5)
//! }
//! ```
//! becomes
//! ```text
//! let (turned_7: [m_1][n_0]f32) = permute (1, 0) xs_6
//! let (ys_2: [m_1][n_0]f32) = copy turned_7
//! ```
//! The algebra: `(permute p x)[i] = x[p i]`. A device copies such a view through tiles that its threads share (`device_copies.c`), so that neighbouring
//! threads read and write neighbouring cells; a kernel would take long steps on one side.
//!
//! A row that is copied before it is the result (`map copy (transpose xs)`) is copied once.
//!
//! Done where a map gives the whole array, by its type, in at most as many dimensions as the device copies at once. Maps inside of kernels are left
//! alone: a thread runs them.
//!
//! Requires and ensures F1–F9 with kernels. Cost: linear.

use fun::ir::{Atom, Binder, Body, Combine, Dim, Exp, Fun, NoOp, Program, Statement, Type};
use fun::visit::names::name_source;
use fun::visit::{Map, Walk, map_program, map_statement, walk_program};
use fun_base::name::{NameSource, Var};
use std::collections::BTreeMap;

/// How many dimensions the device copies at once.
const MOST: usize = 4;

/// Makes copies of the maps of a program that only rearrange an array.
pub fn run(program: Program) -> Program {
    let mut types = Types::default();
    walk_program(&mut types, &program);
    map_program(&mut CopyMaps { names: name_source(&program), types }, &program)
}

/// The types of all arrays.
#[derive(Default)]
struct Types(BTreeMap<Var, Type>);

impl Walk<Fun> for Types {
    fn bind(&mut self, var: Var, ty: Option<&Type>) {
        if let Some(ty) = ty.filter(|ty| ty.rank() > 0) {
            self.0.insert(var, ty.clone());
        }
    }
}

struct CopyMaps {
    names: NameSource,
    types: Types,
}

impl Map<Fun, Fun> for CopyMaps {
    fn op(&mut self, op: &NoOp) -> Exp {
        match *op {}
    }

    fn ty(&mut self, ty: &Type) -> Type {
        ty.clone()
    }

    fn statement(&mut self, statement: &Statement, out: &mut Vec<Statement>) {
        let Exp::Kernel { space, combine, body } = &statement.exp else {
            return out.push(map_statement(self, statement));
        };
        match combine {
            Combine::Map => match self.views(&statement.pattern, space, body) {
                Some(views) => self.copies(statement, views, out),
                None => out.push(statement.clone()),
            },
            Combine::Reduce { .. }
            | Combine::Scan { .. }
            | Combine::Hist { .. }
            | Combine::Scatter { .. } => {
                out.push(statement.clone());
            }
        }
    }
}

/// What a point of a map has of an array.
#[derive(Clone)]
struct View {
    array: Var,
    /// The counter that each dimension of the array is at, if it is at one.
    at: Vec<Option<Var>>,
    /// The dimension of the array that is each of the view.
    left: Vec<usize>,
}

impl View {
    /// The same at these places of its dimensions; none if that is not all of those that it keeps, or a place is no counter.
    fn sliced(mut self, dims: &[Dim], shape: &[Atom], space: &[(Var, Atom)]) -> Option<View> {
        let mut left = Vec::new();
        for (dim, of) in dims.iter().zip(self.left) {
            match dim {
                Dim::Fix(Atom::Var(counter)) if space.contains(&(*counter, shape[of])) => {
                    self.at[of] = Some(*counter);
                }
                Dim::Range { offset, count, stride }
                    if (*offset, *count, *stride) == (Atom::i64(0), shape[of], Atom::i64(1)) =>
                {
                    left.push(of);
                }
                _ => return None,
            }
        }
        Some(View { left, ..self })
    }

    /// Which dimension of the array is each of the map's result; none if one is missing.
    fn permutation(&self, space: &[(Var, Atom)]) -> Option<Vec<usize>> {
        let place = |(counter, _): &(Var, Atom)| self.at.iter().position(|at| *at == Some(*counter));
        let mut permutation: Vec<usize> = space.iter().map(place).collect::<Option<_>>()?;
        permutation.extend(&self.left);
        (permutation.len() == self.at.len() && permutation.len() <= MOST).then_some(permutation)
    }
}

impl CopyMaps {
    /// The arrays and permutations that the results of a map are, if it does nothing else.
    fn views(
        &self,
        pattern: &[Binder],
        space: &[(Var, Atom)],
        body: &Body,
    ) -> Option<Vec<(Var, Vec<usize>)>> {
        let mut views: BTreeMap<Var, View> = BTreeMap::new();
        for Statement { pattern, exp, .. } in &body.statements {
            let of = |array: &Var| match views.get(array) {
                Some(view) => Some(view.clone()),
                None => {
                    let rank = self.types.0.get(array)?.rank();
                    Some(View { array: *array, at: vec![None; rank], left: (0..rank).collect() })
                }
            };
            let view = match exp {
                Exp::Index { array, indices } => {
                    let dims: Vec<Dim> = indices.iter().map(|index| Dim::Fix(*index)).collect();
                    let view = of(array)?;
                    let shape = self.types.0.get(&view.array)?.shape();
                    view.sliced(&dims, shape, space)?
                }
                Exp::Slice { array, dims } => {
                    let view = of(array)?;
                    let shape = self.types.0.get(&view.array)?.shape();
                    view.sliced(dims, shape, space)?
                }
                // what is copied once more is copied to the result
                Exp::Copy(array) => of(array)?,
                Exp::Permute { perm, array } => {
                    let mut view = of(array)?;
                    view.left = perm.iter().map(|k| view.left[*k]).collect();
                    view
                }
                _ => return None,
            };
            views.insert(pattern.first()?.var, view);
        }
        let view = |result: &Atom| {
            let view = views.get(&result.as_var()?)?;
            Some((view.array, view.permutation(space)?))
        };
        let found: Vec<_> = body.results.iter().map(view).collect::<Option<_>>()?;
        let ranks = pattern.iter().zip(&found).all(|(binder, (_, perm))| binder.ty.rank() == perm.len());
        ranks.then_some(found)
    }

    /// A copy for each result.
    fn copies(&mut self, map: &Statement, views: Vec<(Var, Vec<usize>)>, out: &mut Vec<Statement>) {
        let loc = map.loc;
        for (binder, (array, perm)) in map.pattern.iter().zip(views) {
            let whole = if perm.iter().enumerate().all(|(k, dim)| k == *dim) {
                array
            } else {
                let turned = Binder { var: self.names.fresh("turned"), ty: binder.ty.clone() };
                let var = turned.var;
                out.push(Statement { pattern: vec![turned], exp: Exp::Permute { perm, array }, loc });
                var
            };
            out.push(Statement { pattern: vec![binder.clone()], exp: Exp::Copy(whole), loc });
        }
    }
}
