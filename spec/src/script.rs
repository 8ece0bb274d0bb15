//! FutharkScript: the expressions that make inputs by calling entry points.

mod eval;
mod parse;
#[cfg(test)]
mod tests;

use fun_base::value::Value;
use fun_frontend::lower::Layout;

pub(crate) use eval::{Machine, Stop, evaluate};
pub(crate) use parse::parse;

/// An expression.
#[derive(Clone, Debug)]
pub(crate) enum Exp {
    /// A name applied to arguments (possibly none): a variable, an entry point, or a `$builtin`.
    Apply(String, Vec<Exp>),
    /// A constant.
    Const(Value),
    /// `(a, b)`; `()` has no components.
    Tuple(Vec<Exp>),
    /// `{x = a, y = b}`.
    Record(Vec<(String, Exp)>),
    /// `[a, b]`.
    Array(Vec<Exp>),
    /// `a.x`.
    Field(Box<Exp>, String),
    /// `a[i, j]`.
    Index(Box<Exp>, Vec<Exp>),
    /// `let x = a in b`, `let (x, y) = a in b`.
    Let(Vec<String>, Box<Exp>, Box<Exp>),
}

/// A value of a source type: its structure, and the scalars and arrays that stand for it. Nothing of it can be seen but fields and
/// elements, so values of any type go from one entry point to the next.
#[derive(Clone, Debug)]
pub(crate) struct Val {
    /// The structure.
    pub(crate) layout: Layout,
    /// What stands for it.
    pub(crate) leaves: Vec<Value>,
}

impl Val {
    /// The components of a tuple; the value itself where it is none.
    pub(crate) fn components(&self) -> Vec<Val> {
        let Some(parts) = self.layout.components() else { return vec![self.clone()] };
        let mut rest = self.leaves.as_slice();
        let part = |layout: &Layout| {
            let (leaves, after) = rest.split_at(layout.leaves().min(rest.len()));
            rest = after;
            Val { layout: layout.clone(), leaves: leaves.to_vec() }
        };
        parts.into_iter().map(part).collect()
    }
}
