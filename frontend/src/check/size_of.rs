//! Expressions as sizes.

use super::Infer;
use crate::typed::{DimIndex, Exp, ExpKind, Instance, Intrinsic};
use crate::types::{Size, Type, free_in_exp, opaque};
use fun_base::diag::Diagnostic;
use fun_base::prim::{BinOp, PrimType, PrimValue};
use std::collections::BTreeSet;

impl Infer<'_> {
    /// The size that an expression of type `i64` gives, where it can be told.
    pub(crate) fn exp_to_size(&self, exp: &Exp) -> Option<Size> {
        if let Some(n) = self.constant_int(exp) {
            return i64::try_from(n).ok().map(Size::Const);
        }
        if !matches!(self.head(&exp.ty), Type::Prim(PrimType::I64)) {
            return None;
        }
        let pair = |a: &Exp, b: &Exp| Some((Box::new(self.exp_to_size(a)?), Box::new(self.exp_to_size(b)?)));
        match &exp.kind {
            ExpKind::Var(var) => Some(Size::Var(*var)),
            ExpKind::Apply { function, args, .. } => match (&function.kind, args.as_slice()) {
                (ExpKind::Intrinsic(Intrinsic::Bin(BinOp::Add, _), _), [a, b]) => {
                    pair(a, b).map(|(a, b)| Size::Add(a, b))
                }
                (ExpKind::Intrinsic(Intrinsic::Bin(BinOp::Sub, _), _), [a, b]) => {
                    pair(a, b).map(|(a, b)| Size::Sub(a, b))
                }
                (ExpKind::Intrinsic(Intrinsic::Bin(BinOp::Mul, _), _), [a, b]) => {
                    pair(a, b).map(|(a, b)| Size::Mul(a, b))
                }
                _ => self.closed(exp).map(opaque),
            },
            ExpKind::Assert { value, .. } => self.exp_to_size(value),
            ExpKind::Attribute(_, inner) => self.exp_to_size(inner),
            _ => self.closed(exp).map(opaque),
        }
    }

    /// The expression with all types decided, if it is of a form that sizes may have: pure and without binders.
    pub(crate) fn closed(&self, exp: &Exp) -> Option<Exp> {
        let ty = self.resolve(&exp.ty);
        let kind = match &exp.kind {
            ExpKind::Const(value) => match (self.constant_int(exp), &ty) {
                (Some(n), Type::Prim(t)) if t.is_int() => ExpKind::Const(PrimValue::from_bits(*t, n as u64)),
                _ if matches!(exp.ty, Type::Prim(_)) => ExpKind::Const(*value),
                _ => return None,
            },
            ExpKind::Var(var) => ExpKind::Var(*var),
            ExpKind::Project(inner, field) => ExpKind::Project(Box::new(self.closed(inner)?), *field),
            ExpKind::Apply { function, args, exts } if exts.is_empty() && !self.takes(&function.ty, args) => {
                ExpKind::Apply {
                    function: Box::new(self.closed(function)?),
                    args: args.iter().map(|arg| self.closed(arg)).collect::<Option<_>>()?,
                    exts: Vec::new(),
                }
            }
            ExpKind::Intrinsic(intrinsic, instance) => {
                let operand = instance.types.first().map(|t| self.head(t));
                match (intrinsic, operand) {
                    (Intrinsic::Bin(op, _), Some(Type::Prim(t))) => {
                        ExpKind::Intrinsic(Intrinsic::Bin(*op, t), Instance::default())
                    }
                    (Intrinsic::Un(op, _), Some(Type::Prim(t))) => {
                        ExpKind::Intrinsic(Intrinsic::Un(*op, t), Instance::default())
                    }
                    (Intrinsic::Bin(..) | Intrinsic::Un(..), Some(_)) => return None,
                    _ => ExpKind::Intrinsic(*intrinsic, self.closed_instance(instance)),
                }
            }
            ExpKind::Def(def, instance) => ExpKind::Def(*def, self.closed_instance(instance)),
            ExpKind::Index { array, indices, exts } if exts.is_empty() => {
                let indices = indices.iter().map(|index| match index {
                    DimIndex::Fix(exp) => match self.constant_int(exp).map(i64::try_from) {
                        Some(n) => {
                            let kind = ExpKind::Const(PrimValue::I64(n.ok()?));
                            Some(DimIndex::Fix(Exp { kind, ty: Type::Prim(PrimType::I64), span: exp.span }))
                        }
                        None => Some(DimIndex::Fix(self.closed(exp)?)),
                    },
                    DimIndex::Slice { .. } => None,
                });
                let indices = indices.collect::<Option<_>>()?;
                ExpKind::Index { array: Box::new(self.closed(array)?), indices, exts: Vec::new() }
            }
            _ => return None,
        };
        Some(Exp { kind, ty, span: exp.span })
    }

    /// Warns where an expression would be a size, but for the names that it binds.
    pub(crate) fn warn_of_binding(&mut self, exp: &Exp) {
        fn binds(exp: &Exp) -> bool {
            let mut found =
                matches!(exp.kind, ExpKind::Let { .. } | ExpKind::LetDef { .. } | ExpKind::Match { .. });
            if !found && !matches!(exp.kind, ExpKind::Lambda { .. }) {
                exp.for_each_child(&mut |inner| found |= binds(inner));
            }
            found
        }
        if binds(exp) {
            let message = "a size expression with binding is replaced by an unknown size";
            let warning = Diagnostic::warning("W0510", message).at(exp.span);
            self.warnings.push(warning.help("bind the size with `let` before this"));
        }
    }

    /// Whether a function of this type consumes one of its first arguments: then what it gives is no size, unless the
    /// argument is made there.
    fn takes(&self, function: &Type, args: &[Exp]) -> bool {
        match (self.head(function), args) {
            (Type::Arrow(arrow), [arg, rest @ ..]) => {
                let mut free = BTreeSet::new();
                free_in_exp(arg, &mut free);
                matches!(arrow.param, Type::Unique(_)) && !free.is_empty() || self.takes(&arrow.result, rest)
            }
            _ => false,
        }
    }

    fn closed_instance(&self, instance: &Instance) -> Instance {
        Instance {
            sizes: instance.sizes.iter().map(|size| self.resolve_size(size)).collect(),
            types: instance.types.iter().map(|t| self.resolve(t)).collect(),
        }
    }
}
