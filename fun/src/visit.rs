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

use crate::ir::{Body, Combine, Exp, Lambda, Mode, Rep};

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
}
