//! Where unknowns are: what they become must be known there, and must not contain them.

use super::Infer;
use super::size::collected;
use super::unify::Mismatch;
use super::unknown::{VarInfo, metas_of_size};
use crate::typed::{DimIndex, Exp, ExpKind, Instance};
use crate::types::{Arrow, Size, Subst, Type, TypeArg, free_sizes, payloads, subst_size};
use fun_base::name::Var;
use std::collections::BTreeSet;
use std::sync::Arc;

impl Infer<'_> {
    /// The type (resolved) as it can be at `level`: unknowns inside move there, variables must be known there.
    pub(crate) fn lower_levels(&mut self, t: &Type, level: u32) -> Result<Type, Mismatch> {
        Ok(match t {
            Type::Prim(_) => t.clone(),
            Type::Param(var) if self.level_of(*var) > level => return Err(Mismatch::Escape(*var)),
            Type::Param(_) => t.clone(),
            Type::Meta(meta) => {
                let meta = &mut self.metas[*meta as usize];
                meta.level = meta.level.min(level);
                t.clone()
            }
            Type::Array(size, elem) => {
                Type::array(self.lower_size(size, level, &[])?, self.lower_levels(elem, level)?)
            }
            Type::Record(fields) if fields.iter().all(|(_, t)| matches!(t, Type::Prim(_))) => t.clone(),
            Type::Record(fields) => {
                let fields = fields.iter().map(|(f, t)| Ok((*f, self.lower_levels(t, level)?)));
                Type::Record(fields.collect::<Result<_, Mismatch>>()?)
            }
            Type::Sum(constructors) => {
                let mut lowered = constructors.clone();
                for t in lowered.iter_mut().flat_map(|(_, payload)| payload) {
                    *t = self.lower_levels(t, level)?;
                }
                Type::Sum(lowered)
            }
            Type::Unique(inner) => Type::Unique(Box::new(self.lower_levels(inner, level)?)),
            Type::Named(name, args) => {
                let args = args.iter().map(|arg| {
                    Ok(match arg {
                        TypeArg::Size(size) => TypeArg::Size(self.lower_size(size, level, &[])?),
                        TypeArg::Type(t) => TypeArg::Type(self.lower_levels(t, level)?),
                    })
                });
                Type::Named(name.clone(), args.collect::<Result<_, Mismatch>>()?)
            }
            Type::Arrow(arrow) => {
                let param = self.lower_levels(&arrow.param, level)?;
                // The names that the arrow binds are fine inside it.
                let bound: Vec<Var> = arrow.exts.iter().copied().chain(arrow.name).collect();
                let saved: Vec<u32> = bound.iter().map(|var| self.level_of(*var)).collect();
                bound.iter().for_each(|var| self.set_level(*var, 0));
                let result = self.lower_levels(&arrow.result, level);
                bound.iter().zip(saved).for_each(|(var, old)| self.set_level(*var, old));
                let (name, exts) = (arrow.name, arrow.exts.clone());
                Type::Arrow(Arc::new(Arrow { name, param, exts, result: result? }))
            }
        })
    }

    pub(crate) fn set_level(&mut self, var: Var, level: u32) {
        if let Some(info) = self.vars.get_mut(&var) {
            info.level = level;
        }
    }

    /// As [`Infer::lower_levels`] for a size.
    pub(crate) fn lower_size(&mut self, size: &Size, level: u32, seen: &[Var]) -> Result<Size, Mismatch> {
        let mut size = self.resolve_size(size);
        let mut free = BTreeSet::new();
        crate::types::free_in_size(&size, &mut free);
        if free.iter().any(|var| self.level_of(*var) > level) {
            size = collected(&size);
            free.clear();
            crate::types::free_in_size(&size, &mut free);
        }
        let mut s = Subst::default();
        for var in free {
            if self.level_of(var) <= level {
                continue;
            }
            let info = self.vars.get(&var).cloned();
            match info.and_then(|info| info.alias.or(info.definition)) {
                Some(definition) if !seen.contains(&var) => {
                    let seen: Vec<Var> = seen.iter().copied().chain([var]).collect();
                    s.sizes.insert(var, self.lower_size(&definition, level, &seen)?);
                }
                _ => return Err(Mismatch::Escape(var)),
            }
        }
        for meta in metas_of_size(&size) {
            let meta = &mut self.size_metas[meta as usize];
            meta.level = meta.level.min(level);
        }
        Ok(if s.is_empty() { size } else { subst_size(&size, &s) })
    }

    /// Whether an unknown, `Ok` of a type or `Err` of a size, occurs in a type (of a size: only inside of expressions).
    pub(crate) fn occurs(&self, t: &Type, meta: Result<u32, u32>) -> bool {
        match t {
            Type::Prim(_) | Type::Param(_) => false,
            Type::Meta(other) => match &self.metas[*other as usize].solution {
                Some(solution) => self.occurs(solution, meta),
                None => meta == Ok(*other),
            },
            Type::Array(size, elem) => self.occurs_in_size(size, meta, false) || self.occurs(elem, meta),
            Type::Record(fields) => fields.iter().any(|(_, t)| self.occurs(t, meta)),
            Type::Sum(constructors) => payloads(constructors).any(|t| self.occurs(t, meta)),
            Type::Unique(inner) => self.occurs(inner, meta),
            Type::Named(_, args) => args.iter().any(|arg| match arg {
                TypeArg::Size(size) => self.occurs_in_size(size, meta, false),
                TypeArg::Type(t) => self.occurs(t, meta),
            }),
            Type::Arrow(arrow) => self.occurs(&arrow.param, meta) || self.occurs(&arrow.result, meta),
        }
    }

    /// As [`Infer::occurs`] in a size; the unknown itself counts unless it is the whole size and `outside`.
    pub(crate) fn occurs_in_size(&self, size: &Size, meta: Result<u32, u32>, outside: bool) -> bool {
        match size {
            Size::Const(_) | Size::Var(_) => false,
            Size::Meta(other) => match &self.size_metas[*other as usize].solution {
                Some(solution) => self.occurs_in_size(solution, meta, outside),
                None => !outside && meta == Err(*other),
            },
            Size::Add(a, b) | Size::Sub(a, b) | Size::Mul(a, b) => {
                self.occurs_in_size(a, meta, false) || self.occurs_in_size(b, meta, false)
            }
            Size::Opaque(exp, _) => self.occurs_in_exp(exp, meta),
        }
    }

    fn occurs_in_exp(&self, exp: &Exp, meta: Result<u32, u32>) -> bool {
        let in_instance = |instance: &Instance| {
            instance.sizes.iter().any(|size| self.occurs_in_size(size, meta, false))
                || instance.types.iter().any(|t| self.occurs(t, meta))
        };
        let inside = match &exp.kind {
            ExpKind::Apply { function, args, .. } => {
                self.occurs_in_exp(function, meta) || args.iter().any(|arg| self.occurs_in_exp(arg, meta))
            }
            ExpKind::Project(inner, _) => self.occurs_in_exp(inner, meta),
            ExpKind::Index { array, indices, .. } => {
                let fixed = |index: &DimIndex| match index {
                    DimIndex::Fix(exp) => self.occurs_in_exp(exp, meta),
                    DimIndex::Slice { .. } => false,
                };
                self.occurs_in_exp(array, meta) || indices.iter().any(fixed)
            }
            ExpKind::Def(_, instance) | ExpKind::Intrinsic(_, instance) => in_instance(instance),
            ExpKind::Var(var) => match self.vars.get(var) {
                Some(VarInfo { stand_in: true, alias: Some(alias), .. }) => {
                    self.occurs_in_size(alias, meta, false)
                }
                _ => false,
            },
            // Sizes have no other forms.
            _ => false,
        };
        inside || self.occurs(&exp.ty, meta)
    }

    /// The free variables of a type that are deeper than a level.
    pub(crate) fn deeper_than(&self, t: &Type, level: u32) -> BTreeSet<Var> {
        free_sizes(t).into_iter().filter(|var| self.level_of(*var) > level).collect()
    }
}
