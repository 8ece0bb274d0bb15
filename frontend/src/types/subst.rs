//! Substitution of types and sizes for parameters, and the variables that sizes mention.

use super::{Arrow, Size, Type, TypeArg, map_record, map_sum, payloads};
use crate::typed::{DimIndex, Exp, ExpKind, Instance, Intrinsic};
use fun_base::name::{Symbol, Var};
use fun_base::prim::{BinOp, PrimType, PrimValue};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What to put for which variable.
#[derive(Clone, Debug, Default)]
pub struct Subst {
    /// For type parameters.
    pub types: BTreeMap<Var, Type>,
    /// For variables in sizes. A variable that is not an `i64` maps to a [`Size::Opaque`] that holds the expression.
    pub sizes: BTreeMap<Var, Size>,
    /// For variables inside of expressions whose size is not decided yet: variables that stand for it.
    pub stand_ins: BTreeMap<Var, Var>,
}

impl Subst {
    /// Nothing to put.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty() && self.sizes.is_empty()
    }
}

/// The type with everything put in. Binders of function types have names of their own, so nothing is captured.
pub fn subst_type(t: &Type, s: &Subst) -> Type {
    if s.is_empty() {
        return t.clone();
    }
    match t {
        Type::Prim(_) | Type::Meta(_) => t.clone(),
        Type::Array(size, elem) => Type::array(subst_size(size, s), subst_type(elem, s)),
        Type::Record(fields) => map_record(fields, |t| subst_type(t, s)),
        Type::Sum(constructors) => map_sum(constructors, |t| subst_type(t, s)),
        Type::Arrow(arrow) => Type::Arrow(Arc::new(Arrow {
            name: arrow.name,
            param: subst_type(&arrow.param, s),
            exts: arrow.exts.clone(),
            result: subst_type(&arrow.result, s),
        })),
        Type::Param(var) => s.types.get(var).cloned().unwrap_or_else(|| t.clone()),
        Type::Named(name, args) => Type::Named(name.clone(), args.iter().map(|arg| arg.subst(s)).collect()),
        Type::Unique(inner) => match subst_type(inner, s) {
            unique @ Type::Unique(_) => unique,
            other => Type::Unique(Box::new(other)),
        },
    }
}

/// The size with everything put in.
pub fn subst_size(size: &Size, s: &Subst) -> Size {
    let pair = |a: &Size, b: &Size| -> (Box<Size>, Box<Size>) {
        (Box::new(subst_size(a, s)), Box::new(subst_size(b, s)))
    };
    match size {
        Size::Const(_) | Size::Meta(_) => size.clone(),
        Size::Var(var) => s.sizes.get(var).cloned().unwrap_or_else(|| size.clone()),
        Size::Add(a, b) => {
            let (a, b) = pair(a, b);
            Size::Add(a, b)
        }
        Size::Sub(a, b) => {
            let (a, b) = pair(a, b);
            Size::Sub(a, b)
        }
        Size::Mul(a, b) => {
            let (a, b) = pair(a, b);
            Size::Mul(a, b)
        }
        Size::Opaque(exp, _) => {
            let mut mentioned = BTreeSet::new();
            free_in_exp(exp, &mut mentioned);
            if mentioned.iter().all(|var| !s.sizes.contains_key(var)) {
                return size.clone();
            }
            opaque(subst_exp(exp, s))
        }
    }
}

/// The expression, of one of the forms that sizes may have, as a size that is equal only to itself.
pub(crate) fn opaque(exp: Exp) -> Size {
    let mut key = String::new();
    write_key(&exp, &mut key);
    Size::Opaque(Arc::new(exp), Symbol::new(&key))
}

/// An expression that evaluates the size; `None` while it has unification variables.
pub(crate) fn size_to_exp(size: &Size, span: fun_base::source::Span) -> Option<Exp> {
    let int = Type::Prim(PrimType::I64);
    let operation = |op, a: &Size, b: &Size| {
        let ty = Type::arrow(int.clone(), Type::arrow(int.clone(), int.clone()));
        let kind = ExpKind::Intrinsic(Intrinsic::Bin(op, PrimType::I64), Instance::default());
        let function = Box::new(Exp { kind, ty, span });
        let args = vec![size_to_exp(a, span)?, size_to_exp(b, span)?];
        Some(ExpKind::Apply { function, args, exts: Vec::new() })
    };
    let kind = match size {
        Size::Const(n) => ExpKind::Const(PrimValue::I64(*n)),
        Size::Var(var) => ExpKind::Var(*var),
        Size::Add(a, b) => operation(BinOp::Add, a, b)?,
        Size::Sub(a, b) => operation(BinOp::Sub, a, b)?,
        Size::Mul(a, b) => operation(BinOp::Mul, a, b)?,
        Size::Opaque(exp, _) => return Some((**exp).clone()),
        Size::Meta(_) => return None,
    };
    Some(Exp { kind, ty: int, span })
}

/// Puts sizes into an expression of one of the forms that sizes may have.
pub(crate) fn subst_exp(exp: &Exp, s: &Subst) -> Exp {
    let instance = |instance: &Instance| Instance {
        sizes: instance.sizes.iter().map(|size| subst_size(size, s)).collect(),
        types: instance.types.iter().map(|t| subst_type(t, s)).collect(),
    };
    let kind = match &exp.kind {
        ExpKind::Var(var) => match s.sizes.get(var).and_then(|size| size_to_exp(size, exp.span)) {
            Some(exp) => return exp,
            None => ExpKind::Var(s.stand_ins.get(var).copied().unwrap_or(*var)),
        },
        ExpKind::Apply { function, args, exts } => ExpKind::Apply {
            function: Box::new(subst_exp(function, s)),
            args: args.iter().map(|arg| subst_exp(arg, s)).collect(),
            exts: exts.clone(),
        },
        ExpKind::Project(inner, field) => ExpKind::Project(Box::new(subst_exp(inner, s)), *field),
        ExpKind::Index { array, indices, exts } => {
            let indices = indices.iter().map(|index| match index {
                DimIndex::Fix(exp) => DimIndex::Fix(subst_exp(exp, s)),
                slice @ DimIndex::Slice { .. } => slice.clone(),
            });
            let indices = indices.collect();
            ExpKind::Index { array: Box::new(subst_exp(array, s)), indices, exts: exts.clone() }
        }
        ExpKind::Intrinsic(intrinsic, at) => ExpKind::Intrinsic(*intrinsic, instance(at)),
        ExpKind::Def(def, at) => ExpKind::Def(*def, instance(at)),
        other => other.clone(),
    };
    Exp { kind, ty: subst_type(&exp.ty, s), span: exp.span }
}

/// The text that decides whether two opaque sizes are the same.
fn write_key(exp: &Exp, out: &mut String) {
    use std::fmt::Write as _;
    // Writing to a string cannot fail.
    let _ = match &exp.kind {
        ExpKind::Var(var) => write!(out, "{var}"),
        // A literal whose type is open is known by its number in the table of literals.
        ExpKind::Const(value) => match &exp.ty {
            Type::Meta(_) => write!(out, "literal {}", value.bits()),
            _ => write!(out, "{value:?}"),
        },
        ExpKind::Def(def, _) => write!(out, "def{}", def.0),
        ExpKind::Intrinsic(intrinsic, _) => write!(out, "{intrinsic:?}"),
        ExpKind::Apply { function, args, .. } => {
            write_key(function, out);
            out.push('(');
            for (i, arg) in args.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                write_key(arg, out);
            }
            write!(out, ")")
        }
        ExpKind::Project(inner, field) => {
            write_key(inner, out);
            write!(out, ".{field}")
        }
        ExpKind::Index { array, indices, .. } => {
            write_key(array, out);
            for index in indices {
                out.push('[');
                if let DimIndex::Fix(exp) = index {
                    write_key(exp, out);
                }
                out.push(']');
            }
            Ok(())
        }
        other => write!(out, "{other:?}"),
    };
}

/// The variables that an expression of one of the forms that sizes may have mentions.
pub(crate) fn free_in_exp(exp: &Exp, out: &mut BTreeSet<Var>) {
    match &exp.kind {
        ExpKind::Var(var) => {
            out.insert(*var);
        }
        ExpKind::Apply { function, args, .. } => {
            free_in_exp(function, out);
            args.iter().for_each(|arg| free_in_exp(arg, out));
        }
        ExpKind::Project(inner, _) => free_in_exp(inner, out),
        ExpKind::Index { array, indices, .. } => {
            free_in_exp(array, out);
            for index in indices {
                if let DimIndex::Fix(exp) = index {
                    free_in_exp(exp, out);
                }
            }
        }
        _ => {}
    }
}

/// Adds the variables that a size mentions.
pub(crate) fn free_in_size(size: &Size, out: &mut BTreeSet<Var>) {
    match size {
        Size::Const(_) | Size::Meta(_) => {}
        Size::Var(var) => {
            out.insert(*var);
        }
        Size::Add(a, b) | Size::Sub(a, b) | Size::Mul(a, b) => {
            free_in_size(a, out);
            free_in_size(b, out);
        }
        Size::Opaque(exp, _) => free_in_exp(exp, out),
    }
}

/// The variables in the sizes of a type that the type does not bind itself.
pub fn free_sizes(t: &Type) -> BTreeSet<Var> {
    let mut out = BTreeSet::new();
    collect(t, &mut out);
    out
}

fn collect(t: &Type, out: &mut BTreeSet<Var>) {
    match t {
        Type::Prim(_) | Type::Param(_) | Type::Meta(_) => {}
        Type::Array(size, elem) => {
            free_in_size(size, out);
            collect(elem, out);
        }
        Type::Record(fields) => fields.iter().for_each(|(_, t)| collect(t, out)),
        Type::Sum(constructors) => payloads(constructors).for_each(|t| collect(t, out)),
        Type::Unique(inner) => collect(inner, out),
        Type::Named(_, args) => args.iter().for_each(|arg| match arg {
            TypeArg::Size(size) => free_in_size(size, out),
            TypeArg::Type(t) => collect(t, out),
        }),
        Type::Arrow(arrow) => {
            collect(&arrow.param, out);
            let mut inner = free_sizes(&arrow.result);
            arrow.exts.iter().chain(&arrow.name).for_each(|var| {
                inner.remove(var);
            });
            out.append(&mut inner);
        }
    }
}

/// Whether a size of the type is an expression.
pub(crate) fn has_opaque(t: &Type) -> bool {
    match t {
        Type::Prim(_) | Type::Param(_) | Type::Meta(_) => false,
        Type::Array(size, elem) => size_has_opaque(size) || has_opaque(elem),
        Type::Record(fields) => fields.iter().any(|(_, t)| has_opaque(t)),
        Type::Sum(constructors) => payloads(constructors).any(has_opaque),
        Type::Unique(inner) => has_opaque(inner),
        Type::Named(_, args) => args.iter().any(|arg| match arg {
            TypeArg::Size(size) => size_has_opaque(size),
            TypeArg::Type(t) => has_opaque(t),
        }),
        Type::Arrow(arrow) => has_opaque(&arrow.param) || has_opaque(&arrow.result),
    }
}

fn size_has_opaque(size: &Size) -> bool {
    match size {
        Size::Const(_) | Size::Var(_) | Size::Meta(_) => false,
        Size::Add(a, b) | Size::Sub(a, b) | Size::Mul(a, b) => size_has_opaque(a) || size_has_opaque(b),
        Size::Opaque(..) => true,
    }
}
