//! Types of the source language after checking: sizes are terms, size parameters and existentials are variables.

mod named;
mod print;
mod slots;
mod subst;

pub use named::{AbstractParam, AbstractType, TypeArg};
pub(crate) use print::types_to_strings;
pub use print::{scheme_to_string, size_to_string, type_to_string};
pub use slots::{Slot, Slots, TAG, leaf_count};
pub use subst::{Subst, free_sizes, subst_size, subst_type};
pub(crate) use subst::{free_in_exp, free_in_size, has_opaque, opaque, size_to_exp, subst_exp};

use crate::syntax::Liftedness;
use fun_base::name::{Symbol, Var};
use fun_base::prim::PrimType;
use std::sync::Arc;

/// The field of the records that stand for accumulators (`intrinsics.acc`); no source text can name it.
pub(crate) const ACCUMULATOR: &str = "acc#";

/// A type. After checking no [`Type::Meta`] and no [`Size::Meta`] is left.
#[derive(Clone, PartialEq, Debug)]
pub enum Type {
    /// A primitive type (never `Unit`: the unit type is the empty record).
    Prim(PrimType),
    /// `[size]elem`; `elem` may itself be an array, a record or a type parameter.
    Array(Size, Box<Type>),
    /// A record, fields sorted by name; a tuple is a record with the fields `0, 1, …` in numeric order. Shared: each use of a
    /// variable has its type once more.
    Record(Arc<[(Symbol, Type)]>),
    /// A sum, constructors sorted by name, each with the types of its payload.
    Sum(Vec<(Symbol, Vec<Type>)>),
    /// A function type.
    Arrow(Arc<Arrow>),
    /// A type parameter in scope (rigid).
    Param(Var),
    /// An abstract type with its arguments, those for sizes that its definition leaves open last. Only types of names have
    /// it: in the typed tree abstract types are what they stand for.
    Named(Arc<AbstractType>, Vec<TypeArg>),
    /// `*t`: consumed as a parameter, fresh as a result. Only at parameters and results, directly or at components of a
    /// record there.
    Unique(Box<Type>),
    /// A unification variable of the checker.
    Meta(u32),
}

/// A function type `(x: param) -> ?[exts].result`.
#[derive(Clone, PartialEq, Debug)]
pub struct Arrow {
    /// The name that `result` uses in sizes.
    pub name: Option<Var>,
    /// The parameter; `Unique` when the function consumes it.
    pub param: Type,
    /// Sizes that each application makes anew (existentials of the result), e.g. of `filter`.
    pub exts: Vec<Var>,
    /// The result; `Unique` when it aliases nothing.
    pub result: Type,
}

/// The size of one dimension: an i64 term over variables in scope.
#[derive(Clone, PartialEq, Debug)]
pub enum Size {
    /// A constant.
    Const(i64),
    /// A size parameter, an `i64` variable in scope, or an existential bound by an application or pattern.
    Var(Var),
    /// `a + b`, `a - b`, `a * b`: kept normalised by the checker as far as equality needs.
    Add(Box<Size>, Box<Size>),
    /// Difference.
    Sub(Box<Size>, Box<Size>),
    /// Product.
    Mul(Box<Size>, Box<Size>),
    /// Any other expression of type i64 with the text that identifies it: equal texts over equal variables are equal
    /// sizes. The expression evaluates it.
    Opaque(std::sync::Arc<crate::typed::Exp>, Symbol),
    /// A unification variable of the checker.
    Meta(u32),
}

/// The type of a top-level or prelude function: `forall sizes types. ty`.
#[derive(Clone, PartialEq, Debug)]
pub struct Scheme {
    /// Size parameters `[n]`, then type parameters `'a` in the order of [`crate::typed::Instance`]'s lists.
    pub sizes: Vec<Var>,
    /// Type parameters.
    pub types: Vec<Var>,
    /// How lifted each type parameter is.
    pub liftedness: Vec<Liftedness>,
    /// The type over them.
    pub ty: Type,
}

impl Type {
    /// The tuple type of these components (unit for none).
    pub fn tuple(components: Vec<Type>) -> Type {
        Type::Record(
            components.into_iter().enumerate().map(|(i, t)| (Symbol::new(&i.to_string()), t)).collect(),
        )
    }
    /// The unit type `()`.
    pub fn unit() -> Type {
        Type::Record(Arc::new([]))
    }
    /// A one-dimensional array of these elements.
    pub fn array(size: Size, elem: Type) -> Type {
        Type::Array(size, Box::new(elem))
    }
    /// A function type without names and existentials.
    pub fn arrow(param: Type, result: Type) -> Type {
        Type::Arrow(Arc::new(Arrow { name: None, param, exts: Vec::new(), result }))
    }
    /// The components when this is a tuple type (of two or more, or unit).
    pub fn as_tuple(&self) -> Option<Vec<&Type>> {
        let Type::Record(fields) = self else { return None };
        if fields.len() == 1 {
            return None;
        }
        fields
            .iter()
            .enumerate()
            .map(|(i, (name, t))| (name.as_str() == i.to_string()).then_some(t))
            .collect()
    }
    /// The type without any `*` on it or on components of records.
    pub fn strip_unique(&self) -> Type {
        match self {
            Type::Unique(inner) => inner.strip_unique(),
            Type::Record(fields) => map_record(fields, |t| t.strip_unique()),
            Type::Sum(constructors) => map_sum(constructors, |t| t.strip_unique()),
            Type::Prim(_)
            | Type::Array(..)
            | Type::Arrow(_)
            | Type::Param(_)
            | Type::Named(..)
            | Type::Meta(_) => self.clone(),
        }
    }
    /// The payload of a constructor, when this is a sum type that has it.
    pub fn payload(&self, constructor: Symbol) -> Option<&[Type]> {
        let Type::Sum(constructors) = self.without_unique() else { return None };
        constructors.iter().find(|(name, _)| *name == constructor).map(|(_, payload)| payload.as_slice())
    }
    /// The type without an outer `*`.
    pub fn without_unique(&self) -> &Type {
        if let Type::Unique(inner) = self { inner } else { self }
    }
}

/// The record type with the type of each field replaced by what `f` makes of it, which leaves primitive types as they are: a
/// record of these is not copied.
pub(crate) fn map_record(fields: &Arc<[(Symbol, Type)]>, mut f: impl FnMut(&Type) -> Type) -> Type {
    if fields.iter().all(|(_, t)| matches!(t, Type::Prim(_))) {
        return Type::Record(Arc::clone(fields));
    }
    Type::Record(fields.iter().map(|(name, t)| (*name, f(t))).collect())
}

/// The sum type with each type in its payloads replaced.
pub(crate) fn map_sum(constructors: &[(Symbol, Vec<Type>)], mut f: impl FnMut(&Type) -> Type) -> Type {
    Type::Sum(
        constructors.iter().map(|(name, payload)| (*name, payload.iter().map(&mut f).collect())).collect(),
    )
}

/// All types in the payloads of a sum, in order.
pub(crate) fn payloads(constructors: &[(Symbol, Vec<Type>)]) -> impl Iterator<Item = &Type> {
    constructors.iter().flat_map(|(_, payload)| payload)
}

/// Whether two sums have the same constructors with as many components each.
pub(crate) fn same_constructors(a: &[(Symbol, Vec<Type>)], b: &[(Symbol, Vec<Type>)]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.0 == b.0 && a.1.len() == b.1.len())
}

/// Whether functions occur in the type, type parameters aside; what a fully lifted abstract type hides may be one.
pub(crate) fn has_function(ty: &Type) -> bool {
    match ty {
        Type::Prim(_) | Type::Param(_) | Type::Meta(_) => false,
        Type::Named(name, _) => name.liftedness == Liftedness::Lifted,
        Type::Array(_, element) => has_function(element),
        Type::Record(fields) => fields.iter().any(|(_, ty)| has_function(ty)),
        Type::Sum(constructors) => payloads(constructors).any(has_function),
        Type::Unique(inner) => has_function(inner),
        Type::Arrow(_) => true,
    }
}
