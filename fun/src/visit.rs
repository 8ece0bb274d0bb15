//! Walks over and maps of the tree, generic in the representation. Whoever needs one hook implements [`Walk`] or [`Map`]
//! and leaves the rest to the defaults; ready-made ones (free variables, substitution, renaming) are in [`names`].
//!
//! Types of binders are visited too. Binding occurrences are visited before every use in their scope, uses outside the scope
//! (the expression of a `let`, initial values, bounds) before the binding. Recursion is as deep as bodies nest; statement
//! lists are iterated.

mod map;
mod walk;

pub mod calls;
pub mod names;

pub use map::{Map, map_binders, map_body, map_exp, map_function, map_lambda, map_program, map_statement};
pub use walk::{
    Walk, walk_binders, walk_body, walk_exp, walk_function, walk_lambda, walk_program, walk_statement,
};

use crate::ir::{Atom, Binder, Body, Combine, Exp, Lambda, LoopForm, Mode, Rep};
use fun_base::prim::BinOp;

/// Calls `f` on the bodies directly inside the expression, those of lambdas included.
pub fn for_each_body<R: Rep>(exp: &Exp<R>, f: &mut dyn FnMut(&Body<R>)) {
    match exp {
        Exp::If { then, otherwise, .. } => {
            f(then);
            f(otherwise);
        }
        Exp::Loop { body, .. } => f(body),
        Exp::Kernel { body, combine, .. } => {
            if let Some(lambda) = combine.lambda() {
                f(&lambda.body);
            }
            if let Some(epilogue) = combine.epilogue() {
                f(&epilogue.body);
            }
            f(body);
        }
        Exp::Map { lambda, .. } => f(&lambda.body),
        Exp::Reduce { op, .. } | Exp::Scan { op, .. } | Exp::Hist { op, .. } => f(&op.body),
        Exp::Derive { mode, function, .. } => {
            f(&function.body);
            if let Mode::Custom { adjoint } = mode {
                f(&adjoint.body);
            }
        }
        Exp::Atom(_)
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
        | Exp::Call { .. }
        | Exp::Assert { .. }
        | Exp::Trace { .. }
        | Exp::Scatter { .. }
        | Exp::Op(_) => {}
    }
}

/// Calls `f` on the bodies directly inside the expression, those of lambdas included, to change them in place.
pub fn for_each_body_mut<R: Rep>(exp: &mut Exp<R>, f: &mut dyn FnMut(&mut Body<R>)) {
    match exp {
        Exp::If { then, otherwise, .. } => {
            f(then);
            f(otherwise);
        }
        Exp::Loop { body, .. } => f(body),
        Exp::Kernel { body, combine, .. } => {
            if let Some(lambda) = combine.lambda_mut() {
                f(&mut lambda.body);
            }
            if let Some(epilogue) = combine.epilogue_mut() {
                f(&mut epilogue.body);
            }
            f(body);
        }
        Exp::Map { lambda, .. } => f(&mut lambda.body),
        Exp::Reduce { op, .. } | Exp::Scan { op, .. } | Exp::Hist { op, .. } => f(&mut op.body),
        Exp::Derive { mode, function, .. } => {
            f(&mut function.body);
            if let Mode::Custom { adjoint } = mode {
                f(&mut adjoint.body);
            }
        }
        Exp::Atom(_)
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
        | Exp::Call { .. }
        | Exp::Assert { .. }
        | Exp::Trace { .. }
        | Exp::Scatter { .. }
        | Exp::Op(_) => {}
    }
}

/// The operator of each result of an operator, where this combines its own two parameters by one and nothing else.
pub fn component_operators<R: Rep>(op: &Lambda<R>) -> Vec<Option<BinOp>> {
    let (left, right) = op.params.split_at(op.params.len() / 2);
    let single = |((result, left), right): ((&Atom, &Binder<R>), &Binder<R>)| {
        let mut made =
            op.body.statements.iter().filter(|statement| {
                statement.pattern.iter().any(|binder| Some(binder.var) == result.as_var())
            });
        match &made.next()?.exp {
            Exp::Bin(op, _, Atom::Var(x), Atom::Var(y))
                if (*x, *y) == (left.var, right.var) || (*x, *y) == (right.var, left.var) =>
            {
                Some(*op)
            }
            _ => None,
        }
    };
    op.body.results.iter().zip(left).zip(right).map(single).collect()
}

/// Whether the expression is a scalar operator or the read of an element, of which an epilogue is made (F8): it ends, says nothing and
/// needs no memory.
pub fn is_scalar_step<R: Rep>(exp: &Exp<R>) -> bool {
    matches!(
        exp,
        Exp::Atom(_) | Exp::Bin(..) | Exp::Un(..) | Exp::Fma(..) | Exp::Convert { .. } | Exp::Index { .. }
    )
}

/// Whether a body has calls, or loops that run `many` times or more: its elements are worth a thread of their own.
pub fn takes_long<R: Rep>(body: &Body<R>, many: i64) -> bool {
    let few = |bounds: &mut dyn Iterator<Item = &Atom>| {
        let constant = |bound: &Atom| bound.as_const().and_then(|bound| bound.as_i64());
        bounds
            .map(constant)
            .try_fold(1i64, |product, bound| product.checked_mul(bound?))
            .is_some_and(|count| count < many)
    };
    body.statements.iter().any(|statement| {
        let exp = &statement.exp;
        let long = match exp {
            Exp::Call { .. } => true,
            Exp::Loop { form: LoopForm::For { bound, .. }, .. } => !few(&mut std::iter::once(bound)),
            Exp::Loop { .. } => true,
            Exp::Kernel { space, .. } => !few(&mut space.iter().map(|(_, bound)| bound)),
            _ => false,
        };
        let mut inside = false;
        for_each_body(exp, &mut |body| inside |= takes_long(body, many));
        long || inside
    })
}

impl<R: Rep> Combine<R> {
    /// The operator, if the combination has one.
    pub fn lambda(&self) -> Option<&Lambda<R>> {
        match self {
            Combine::Reduce { op, .. } | Combine::Scan { op, .. } | Combine::Hist { op, .. } => Some(op),
            Combine::Map | Combine::Scatter { .. } => None,
        }
    }

    /// The operator, if the combination has one.
    pub fn lambda_mut(&mut self) -> Option<&mut Lambda<R>> {
        match self {
            Combine::Reduce { op, .. } | Combine::Scan { op, .. } | Combine::Hist { op, .. } => Some(op),
            Combine::Map | Combine::Scatter { .. } => None,
        }
    }

    /// The epilogue of a scan.
    pub fn epilogue(&self) -> Option<&Lambda<R>> {
        match self {
            Combine::Scan { epilogue, .. } => epilogue.as_deref(),
            Combine::Map | Combine::Reduce { .. } | Combine::Hist { .. } | Combine::Scatter { .. } => None,
        }
    }

    /// The epilogue of a scan.
    pub fn epilogue_mut(&mut self) -> Option<&mut Lambda<R>> {
        match self {
            Combine::Scan { epilogue, .. } => epilogue.as_deref_mut(),
            Combine::Map | Combine::Reduce { .. } | Combine::Hist { .. } | Combine::Scatter { .. } => None,
        }
    }
}
