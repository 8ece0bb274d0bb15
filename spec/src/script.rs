//! FutharkScript: the expressions that make inputs by calling entry points.

mod eval;
mod parse;
#[cfg(test)]
mod tests;

use fun_base::value::{Value, ValueReader, ValueType};
use fun_frontend::lower::Layout;

#[cfg(test)]
pub(crate) use eval::evaluate;
pub(crate) use eval::{Machine, Stop, arguments};
pub(crate) use parse::parse;

/// An expression.
#[derive(Clone, Debug)]
pub(crate) enum Exp {
    /// A name applied to arguments (possibly none): a variable, an entry point, or a `$builtin`.
    Apply(String, Vec<Exp>),
    /// A constant.
    Const(Value),
    /// A number without the name of its type.
    Number(String, Value),
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
    /// The number that the script has here without saying its type: it can be of any type that a function takes.
    pub(crate) number: Option<String>,
}

impl Val {
    /// A value whose type is known.
    pub(crate) fn new(layout: Layout, leaves: Vec<Value>) -> Val {
        Val { layout, leaves, number: None }
    }

    /// The value for a parameter, if it can be one.
    pub(crate) fn fit(self, wanted: &Layout) -> Result<Val, Val> {
        if self.layout == *wanted {
            return Ok(self);
        }
        match (&self.number, wanted) {
            (Some(number), Layout::Prim(prim)) => {
                let read = ValueReader::new(number.as_bytes()).read(Some(ValueType::scalar(*prim)));
                match read {
                    Ok(Some(value)) => Ok(Val::new(wanted.clone(), vec![value])),
                    Ok(None) | Err(_) => Err(self),
                }
            }
            _ => Err(self),
        }
    }

    /// The components of a tuple; the value itself where it is none.
    pub(crate) fn components(&self) -> Vec<Val> {
        let Some(parts) = self.layout.components() else { return vec![self.clone()] };
        let mut rest = self.leaves.as_slice();
        let part = |layout: &Layout| {
            let (leaves, after) = rest.split_at(layout.leaves().min(rest.len()));
            rest = after;
            Val::new(layout.clone(), leaves.to_vec())
        };
        parts.into_iter().map(part).collect()
    }
}
