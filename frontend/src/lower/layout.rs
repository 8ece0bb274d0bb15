//! How values of source types are passed to and from entry points.

use super::sum::{Constructor, slots_of};
use super::value::Ty;
use crate::types::Slots;
use fun_base::name::Symbol;
use fun_base::prim::PrimType;
use std::fmt;

/// The structure of an argument or result of an entry point, without sizes. It says which scalars and arrays stand for it: one
/// for each leaf, in order, where a leaf below arrays is an array over all of their dimensions (so an array of pairs is
/// a pair of arrays).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Layout {
    /// A scalar: one leaf.
    Prim(PrimType),
    /// An array of these.
    Array(Box<Layout>),
    /// A record, in the order of its leaves; a tuple has the fields `0`, `1`, ….
    Record(Vec<(String, Layout)>),
    /// A sum: its constructors with their payloads. Its leaves are the tag, then the slots.
    Sum(Vec<(String, Vec<Layout>)>, Slots),
}

impl Layout {
    /// The layout of a value of a type; `None` where functions are in it.
    pub(super) fn of<D: Clone>(ty: &Ty<D>) -> Option<Layout> {
        Some(match ty {
            Ty::Prim(prim) => Layout::Prim(*prim),
            Ty::Array(_, element) => Layout::Array(Box::new(Layout::of(element)?)),
            Ty::Record(fields) => {
                let of_field = |(name, ty): &(Symbol, Ty<D>)| Some((name.to_string(), Layout::of(ty)?));
                Layout::Record(fields.iter().map(of_field).collect::<Option<_>>()?)
            }
            Ty::Sum(constructors) => {
                let of_payload = |(name, payload): &Constructor<D>| {
                    let payload: Option<Vec<Layout>> = payload.iter().map(Layout::of).collect();
                    Some((name.to_string(), payload?))
                };
                let payloads = constructors.iter().map(of_payload).collect::<Option<_>>()?;
                Layout::Sum(payloads, slots_of(constructors))
            }
            Ty::Function => return None,
        })
    }

    /// A tuple of these.
    pub fn tuple(components: Vec<Layout>) -> Layout {
        Layout::Record(components.into_iter().enumerate().map(|(k, part)| (k.to_string(), part)).collect())
    }

    /// The components of a tuple.
    pub fn components(&self) -> Option<Vec<&Layout>> {
        match self {
            Layout::Record(fields) if fields.len() != 1 => {
                let is_tuple = fields.iter().enumerate().all(|(k, (name, _))| *name == k.to_string());
                is_tuple.then(|| fields.iter().map(|(_, part)| part).collect())
            }
            Layout::Record(_) | Layout::Prim(_) | Layout::Array(_) | Layout::Sum(..) => None,
        }
    }

    /// How many scalars and arrays stand for a value.
    pub fn leaves(&self) -> usize {
        match self {
            Layout::Prim(_) => 1,
            Layout::Array(element) => element.leaves(),
            Layout::Record(fields) => fields.iter().map(|(_, part)| part.leaves()).sum(),
            Layout::Sum(_, slots) => 1 + slots.slots.len(),
        }
    }
}

/// `[](i32, {a: f32})`
impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Layout::Prim(prim) => write!(f, "{prim}"),
            Layout::Array(element) => write!(f, "[]{element}"),
            Layout::Sum(constructors, _) => {
                for (k, (name, payload)) in constructors.iter().enumerate() {
                    write!(f, "{}#{name}", if k > 0 { " | " } else { "" })?;
                    payload.iter().try_for_each(|part| write!(f, " ({part})"))?;
                }
                Ok(())
            }
            Layout::Record(fields) => {
                if let Some(components) = self.components() {
                    let parts: Vec<String> = components.iter().map(ToString::to_string).collect();
                    return write!(f, "({})", parts.join(", "));
                }
                let parts: Vec<String> =
                    fields.iter().map(|(name, part)| format!("{name}: {part}")).collect();
                write!(f, "{{{}}}", parts.join(", "))
            }
        }
    }
}
