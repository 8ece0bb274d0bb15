//! Abstract types: what a module type hides the definition of.

use super::{Size, Subst, Type, map_record, subst_size, subst_type};
use crate::syntax::Liftedness;
use fun_base::name::Var;
use std::sync::Arc;

/// A type that is equal only to itself. Each ascription and each application of a parametric module makes its own.
#[derive(Clone, Debug)]
pub struct AbstractType {
    /// Its identity, with the name that messages show.
    pub name: Var,
    /// Its parameters.
    pub params: Vec<AbstractParam>,
    /// How many of the parameters, the last ones, are sizes that the definition leaves open.
    pub hidden: usize,
    /// How lifted it is.
    pub liftedness: Liftedness,
    /// What it stands for, over the parameters; unknown for the types of a module parameter.
    pub representation: Option<Type>,
    /// The same without abstract types: kept, as there may be long chains of them.
    pub whole: Option<Type>,
}

/// A parameter of an abstract type.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum AbstractParam {
    /// `[n]`, or a size that the definition leaves open.
    Size(Var),
    /// `'a`.
    Type(Var),
}

/// An argument of an abstract type.
#[derive(Clone, PartialEq, Debug)]
pub enum TypeArg {
    /// For `[n]`.
    Size(Size),
    /// For `'a`.
    Type(Type),
}

impl PartialEq for AbstractType {
    fn eq(&self, other: &AbstractType) -> bool {
        self.name == other.name
    }
}

impl AbstractType {
    /// What the type stands for with these arguments.
    pub fn reveal(&self, args: &[TypeArg]) -> Option<Type> {
        self.with_args(self.representation.as_ref()?, args)
    }

    fn with_args(&self, representation: &Type, args: &[TypeArg]) -> Option<Type> {
        let mut s = Subst::default();
        for (param, arg) in self.params.iter().zip(args) {
            match (param, arg) {
                (AbstractParam::Size(var), TypeArg::Size(size)) => drop(s.sizes.insert(*var, size.clone())),
                (AbstractParam::Type(var), TypeArg::Type(t)) => drop(s.types.insert(*var, t.clone())),
                (AbstractParam::Size(_), TypeArg::Type(_)) | (AbstractParam::Type(_), TypeArg::Size(_)) => {
                    return None;
                }
            }
        }
        Some(subst_type(representation, &s))
    }
}

impl TypeArg {
    /// The argument with its size or type replaced.
    pub fn map(&self, mut size: impl FnMut(&Size) -> Size, mut ty: impl FnMut(&Type) -> Type) -> TypeArg {
        match self {
            TypeArg::Size(s) => TypeArg::Size(size(s)),
            TypeArg::Type(t) => TypeArg::Type(ty(t)),
        }
    }

    /// The argument with everything put in.
    pub(super) fn subst(&self, s: &Subst) -> TypeArg {
        self.map(|size| subst_size(size, s), |t| subst_type(t, s))
    }
}

impl Type {
    /// The type with `f` deciding what abstract types in it become; arguments first.
    pub fn map_named(&self, f: &mut impl FnMut(&Arc<AbstractType>, Vec<TypeArg>) -> Type) -> Type {
        match self {
            Type::Prim(_) | Type::Param(_) | Type::Meta(_) => self.clone(),
            Type::Array(size, elem) => Type::array(size.clone(), elem.map_named(f)),
            Type::Record(fields) => map_record(fields, |t| t.map_named(f)),
            Type::Sum(constructors) => super::map_sum(constructors, |t| t.map_named(f)),
            Type::Unique(inner) => match inner.map_named(f) {
                unique @ Type::Unique(_) => unique,
                other => Type::Unique(Box::new(other)),
            },
            Type::Arrow(arrow) => Type::Arrow(Arc::new(super::Arrow {
                name: arrow.name,
                param: arrow.param.map_named(f),
                exts: arrow.exts.clone(),
                result: arrow.result.map_named(f),
            })),
            Type::Named(name, args) => {
                let args = args.iter().map(|arg| arg.map(Size::clone, |t| t.map_named(f))).collect();
                f(name, args)
            }
        }
    }

    /// The type with abstract types replaced by what they stand for, where that is known.
    pub fn revealed(&self) -> Type {
        self.map_named(&mut |name, args| {
            let whole = name.whole.as_ref().and_then(|whole| name.with_args(whole, &args));
            whole.unwrap_or_else(|| Type::Named(name.clone(), args))
        })
    }
}
