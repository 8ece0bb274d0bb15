//! SOACs to kernels: `map`, `reduce`, `scan`, `hist` and `scatter` on arrays become index spaces whose bodies index the arrays.
//!
//! ```text
//! let (ys_3: [n_0]i32) = map n_0 \(x_1: i32): i32 { let (y_2: i32) = mul.i32 x_1 x_1 in (y_2) } xs_4
//! let (s_5: i32) = reduce n_0 \(a_6: i32) (b_7: i32): i32 { … } (0i32) ys_3
//! ```
//! becomes, when `ys_3` has no other use,
//! ```text
//! let (s_5: i32) = kernel (i_8 < n_0) reduce \(a_6: i32) (b_7: i32): i32 { … } (0i32) {
//!   let (x_1: i32) = index xs_4[i_8]
//!   let (y_2: i32) = mul.i32 x_1 x_1
//!   in (y_2)
//! }
//! ```
//!
//! - A `map` whose results only a following reduce or scan in the same body reads is absorbed by it, if nothing between them
//!   can consume an array.
//! - A reduction of a flattened map with short rows reduces the rows ([`rows`]).
//! - Kernels that are all of another kernel's body, but for free expressions, are merged with it into one space, if their bounds
//!   are known outside.
//! - Reductions, scans and histograms of arrays become sequential loops.
//!
//! Requires F1–F7. Ensures F8: no SOACs are left, and kernel operators are scalar. Cost: linear.

mod absorb;
mod rows;
mod sequential;

use absorb::{absorb_maps, may_absorb};
use fun::ir::{Atom, Binder, Body, Combine, Dim, Exp, Fun, Lambda, NoOp, Program, Statement, Type};
use fun::visit::{Map, map_body, map_program, map_statement, names};
use fun_base::name::{NameSource, Var};
use rows::reduce_rows;
use std::collections::BTreeMap;

/// Turns a program into kernel form.
pub fn run(program: Program) -> Program {
    let (uses, names) = (names::use_counts(&program), names::name_source(&program));
    map_program(&mut ToKernel { names, uses }, &program)
}

struct ToKernel {
    names: NameSource,
    /// How often each variable of the original program is used.
    uses: BTreeMap<Var, usize>,
}

impl Map<Fun, Fun> for ToKernel {
    fn ty(&mut self, ty: &Type) -> Type {
        ty.clone()
    }

    fn op(&mut self, op: &NoOp) -> Exp {
        match *op {}
    }

    fn body(&mut self, body: &Body) -> Body {
        if !body.statements.iter().any(|statement| may_absorb(&statement.exp)) {
            return map_body(self, body);
        }
        let body = reduce_rows(body, &mut self.uses, &mut self.names);
        let body = absorb_maps(&body, &self.uses, &mut self.names);
        map_body(self, &body)
    }

    fn statement(&mut self, statement: &Statement, out: &mut Vec<Statement>) {
        let Statement { pattern, exp, loc } = map_statement(self, statement);
        let mut single = |exp| out.push(Statement { pattern: pattern.clone(), exp, loc });
        match exp {
            Exp::Map { width, lambda, arrays } => {
                let i = self.names.fresh("i");
                let body = element_body(i, lambda, &arrays, loc);
                single(merge_nest(Exp::Kernel { space: vec![(i, width)], combine: Combine::Map, body }));
            }
            Exp::Reduce { width, op, neutral, arrays, commutative } => {
                if all_scalar(&op) {
                    let (i, body) = self.elements(&op, &arrays, loc);
                    let combine = Combine::Reduce { op, neutral, commutative };
                    single(Exp::Kernel { space: vec![(i, width)], combine, body });
                } else {
                    let exp = sequential::reduce(&mut self.names, width, op, neutral, &arrays, loc);
                    out.extend(self.fresh_results(&pattern, exp, loc));
                }
            }
            Exp::Scan { width, op, neutral, arrays } => {
                if all_scalar(&op) {
                    let (i, body) = self.elements(&op, &arrays, loc);
                    single(Exp::Kernel {
                        space: vec![(i, width)],
                        combine: Combine::Scan { op, neutral, epilogue: None },
                        body,
                    });
                } else {
                    out.extend(sequential::scan(&mut self.names, pattern, width, op, neutral, &arrays, loc));
                }
            }
            Exp::Hist { width, op, neutral, dests, indices, values } => {
                if all_scalar(&op) {
                    let (i, mut body) = self.elements(&op, &values, loc);
                    self.index_first(&mut body, i, indices, loc);
                    let combine = Combine::Hist { op, neutral, dests };
                    single(Exp::Kernel { space: vec![(i, width)], combine, body });
                } else {
                    let operands =
                        sequential::Hist { pattern: &pattern, dests: &dests, indices, values: &values };
                    single(sequential::hist(&mut self.names, width, op, operands, loc));
                }
            }
            Exp::Scatter { width, dests, indices, values } => {
                let i = self.names.fresh("i");
                let rows: Vec<Type> = pattern.iter().map(|binder| binder.ty.peel(1)).collect();
                let mut body = self.elements_of(i, rows, &values, loc);
                self.index_first(&mut body, i, indices, loc);
                single(Exp::Kernel { space: vec![(i, width)], combine: Combine::Scatter { dests }, body });
            }
            Exp::Kernel { space, combine, body } => {
                single(merge_nest(Exp::Kernel { space, combine, body }));
            }
            other @ (Exp::Atom(_)
            | Exp::Bin(..)
            | Exp::Un(..)
            | Exp::Fma(..)
            | Exp::Convert { .. }
            | Exp::Index { .. }
            | Exp::Slice { .. }
            | Exp::Update { .. }
            | Exp::Iota { .. }
            | Exp::Replicate { .. }
            | Exp::Scratch { .. }
            | Exp::ArrayLiteral { .. }
            | Exp::Concat { .. }
            | Exp::Copy(_)
            | Exp::Permute { .. }
            | Exp::Reshape { .. }
            | Exp::Reverse { .. }
            | Exp::If { .. }
            | Exp::Loop { .. }
            | Exp::Call { .. }
            | Exp::Assert { .. }
            | Exp::Trace { .. }
            | Exp::Derive { .. }
            | Exp::Op(_)) => single(other),
        }
    }
}

impl ToKernel {
    /// A loop, and copies of the arrays that it gives: the results of a reduction are fresh, but a loop without iterations gives
    /// the neutral element itself.
    fn fresh_results(&mut self, pattern: &[Binder], exp: Exp, loc: Loc) -> Vec<Statement> {
        let mut copies = Vec::new();
        let mut inner = pattern.to_vec();
        for binder in inner.iter_mut().filter(|binder| binder.ty.rank() > 0) {
            let copied = binder.clone();
            binder.var = self.names.fresh_like(binder.var);
            copies.push(Statement { pattern: vec![copied], exp: Exp::Copy(binder.var), loc });
        }
        [Statement { pattern: inner, exp, loc }].into_iter().chain(copies).collect()
    }

    /// A counter, and a body that gives the elements there of the arrays that an operator combines.
    fn elements(&mut self, op: &Lambda, arrays: &[Var], loc: Loc) -> (Var, Body) {
        let i = self.names.fresh("i");
        let rows = op.results.clone();
        (i, self.elements_of(i, rows, arrays, loc))
    }

    fn elements_of(&mut self, i: Var, rows: Vec<Type>, arrays: &[Var], loc: Loc) -> Body {
        let mut body = Body { statements: Vec::new(), results: Vec::new() };
        for (ty, array) in rows.into_iter().zip(arrays) {
            let var = self.names.fresh("element");
            body.statements.push(element(Binder { var, ty }, *array, i.into(), loc));
            body.results.push(var.into());
        }
        body
    }

    /// Puts the element of `indices` before the other results.
    fn index_first(&mut self, body: &mut Body, i: Var, indices: Var, loc: Loc) {
        let var = self.names.fresh("index");
        let ty = Type::Prim(fun_base::prim::PrimType::I64);
        body.statements.insert(0, element(Binder { var, ty }, indices, i.into(), loc));
        body.results.insert(0, var.into());
    }
}

type Loc = Option<fun_base::source::Loc>;

/// Whether an operator combines scalars only.
fn all_scalar(op: &Lambda) -> bool {
    op.results.iter().all(|ty| ty.rank() == 0)
}

/// `let binder = array[i]`, a whole row if the binder is an array.
fn element(binder: Binder, array: Var, i: Atom, loc: Loc) -> Statement {
    let exp = if binder.ty.rank() == 0 {
        Exp::Index { array, indices: vec![i] }
    } else {
        Exp::Slice { array, dims: row_dims(i, &binder.ty) }
    };
    Statement { pattern: vec![binder], exp, loc }
}

/// The dimensions of row `i`, of this type.
fn row_dims(i: Atom, row: &Type) -> Vec<Dim> {
    let whole = |size: &Atom| Dim::Range { offset: Atom::i64(0), count: *size, stride: Atom::i64(1) };
    std::iter::once(Dim::Fix(i)).chain(row.shape().iter().map(whole)).collect()
}

/// The body of a lambda whose parameters are the elements at `i` of the arrays.
fn element_body(i: Var, lambda: Lambda, arrays: &[Var], loc: Loc) -> Body {
    let elements = lambda.params.into_iter().zip(arrays);
    let mut statements: Vec<_> =
        elements.map(|(binder, array)| element(binder, *array, i.into(), loc)).collect();
    statements.extend(lambda.body.statements);
    Body { statements, results: lambda.body.results }
}

/// Merges a map kernel with the map kernel that is all of its body, but for expressions that cost nothing.
pub(super) fn merge_nest(exp: Exp) -> Exp {
    let Exp::Kernel { mut space, combine: Combine::Map, mut body } = exp else { return exp };
    let inner = body.statements.pop();
    if let Some(Statement {
        pattern,
        exp: Exp::Kernel { space: below, combine: Combine::Map, body: inner_body },
        loc,
    }) = inner
    {
        let gives_all = pattern.len() == body.results.len()
            && pattern.iter().zip(&body.results).all(|(binder, result)| Atom::Var(binder.var) == *result);
        let bound_inside = |atom: &Atom| {
            let Some(var) = atom.as_var() else { return false };
            space.iter().any(|(counter, _)| *counter == var)
                || body.statements.iter().any(|s| s.pattern.iter().any(|binder| binder.var == var))
        };
        let free = body.statements.iter().all(|s| costs_nothing(&s.exp));
        if gives_all && free && !below.iter().any(|(_, bound)| bound_inside(bound)) {
            space.extend(below);
            body.statements.extend(inner_body.statements);
            body.results = inner_body.results;
        } else {
            let exp = Exp::Kernel { space: below, combine: Combine::Map, body: inner_body };
            body.statements.push(Statement { pattern, exp, loc });
        }
    } else {
        body.statements.extend(inner);
    }
    Exp::Kernel { space, combine: Combine::Map, body }
}

/// Expressions that are another view of an array, or one read: repeating them in every iteration of an inner kernel is cheaper
/// than a kernel of its own. None can fail on a program that is in bounds.
pub(super) fn costs_nothing(exp: &Exp) -> bool {
    match exp {
        Exp::Atom(_)
        | Exp::Index { .. }
        | Exp::Slice { .. }
        | Exp::Permute { .. }
        | Exp::Reshape { .. }
        | Exp::Reverse { .. } => true,
        Exp::Bin(op, ty, ..) => !op.can_fail(*ty),
        Exp::Un(..) | Exp::Fma(..) | Exp::Convert { .. } => true,
        Exp::Update { .. }
        | Exp::Iota { .. }
        | Exp::Replicate { .. }
        | Exp::Scratch { .. }
        | Exp::ArrayLiteral { .. }
        | Exp::Concat { .. }
        | Exp::Copy(_)
        | Exp::If { .. }
        | Exp::Loop { .. }
        | Exp::Call { .. }
        | Exp::Assert { .. }
        | Exp::Trace { .. }
        | Exp::Map { .. }
        | Exp::Reduce { .. }
        | Exp::Scan { .. }
        | Exp::Hist { .. }
        | Exp::Scatter { .. }
        | Exp::Derive { .. }
        | Exp::Kernel { .. }
        | Exp::Op(_) => false,
    }
}
