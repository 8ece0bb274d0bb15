//! Unknowns: what the checker does not know yet of types and sizes, and what it must turn out to be.

use super::Infer;
use crate::types::{Arrow, Size, Subst, Type, TypeArg, map_record, map_sum, payloads, subst_size};
use fun_base::name::{Symbol, Var};
use fun_base::prim::PrimType;
use fun_base::source::Span;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What an unknown type must be.
#[derive(Clone, Debug, Default)]
pub(crate) struct Constraint {
    /// One of these primitive types.
    pub(crate) prims: Option<PrimSet>,
    /// Comparable: without functions.
    pub(crate) equality: bool,
    /// Not a function: the instance of an unlifted type parameter.
    pub(crate) first_order: bool,
    /// All its values have the same sizes: an element of an array, the instance of an unlifted type parameter.
    pub(crate) unlifted: bool,
    /// A record with these fields.
    pub(crate) fields: Vec<(Symbol, Type)>,
    /// A sum with at least these constructors.
    pub(crate) constructors: Vec<(Symbol, Vec<Type>)>,
    /// The instance of a lifted type parameter: may have sizes that only a run decides.
    pub(crate) lifted: bool,
    /// Stands for something that has been reported: no further errors about it.
    pub(crate) failed: bool,
}

impl Constraint {
    /// The types of the fields and payloads.
    pub(crate) fn parts(&self) -> impl Iterator<Item = Type> {
        self.fields.iter().map(|(_, t)| t).chain(payloads(&self.constructors)).cloned()
    }
}

/// A set of primitive types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PrimSet(u16);

impl PrimSet {
    pub(crate) fn of(accepts: impl Fn(PrimType) -> bool) -> PrimSet {
        let types = PrimType::NUMERIC_AND_BOOL.into_iter().enumerate();
        PrimSet(types.filter(|(_, t)| accepts(*t)).fold(0, |set, (i, _)| set | 1 << i))
    }
    pub(crate) fn contains(self, t: PrimType) -> bool {
        PrimType::NUMERIC_AND_BOOL.iter().position(|x| *x == t).is_some_and(|i| self.0 & (1 << i) != 0)
    }
    pub(crate) fn both(self, other: PrimSet) -> PrimSet {
        PrimSet(self.0 & other.0)
    }
    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }
    /// What messages call the set.
    pub(crate) fn describe(self) -> &'static str {
        if self == PrimSet::of(PrimType::is_number) {
            "a number"
        } else if self == PrimSet::of(PrimType::is_int) {
            "an integer"
        } else if self == PrimSet::of(PrimType::is_float) {
            "a float"
        } else if self == PrimSet::of(|t| t.is_int() || t == PrimType::Bool) {
            "an integer or bool"
        } else if self == PrimSet::of(|_| true) {
            "a number or bool"
        } else {
            "a primitive type"
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct TypeMeta {
    pub(crate) solution: Option<Type>,
    pub(crate) constraint: Constraint,
    pub(crate) level: u32,
    /// Where it arose.
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct SizeMeta {
    pub(crate) solution: Option<Size>,
    pub(crate) level: u32,
    /// A dimension of a loop's parameter: whether it stays the same is decided after the body.
    pub(crate) of_loop: bool,
    /// A size that a parameter of a named function leaves open: branches that differ from it do not decide it.
    pub(crate) of_parameter: bool,
}

/// What is known of a variable that may occur in sizes.
#[derive(Clone, Debug)]
pub(crate) struct VarInfo {
    pub(crate) level: u32,
    /// Where it was bound, with a description for messages.
    pub(crate) origin: Option<(Span, String)>,
    /// Equal to this size everywhere.
    pub(crate) alias: Option<Size>,
    /// Stands for its alias inside of an expression until that is decided.
    pub(crate) stand_in: bool,
    /// What a `let` bound it to: replaces it where it is out of scope.
    pub(crate) definition: Option<Size>,
    /// How large that is with all definitions put in.
    pub(crate) weight: u32,
}

impl Infer<'_> {
    pub(crate) fn fresh_meta(&mut self, span: Span) -> Type {
        self.fresh_constrained(Constraint::default(), span)
    }

    pub(crate) fn fresh_constrained(&mut self, constraint: Constraint, span: Span) -> Type {
        self.metas.push(TypeMeta { solution: None, constraint, level: self.level, span });
        Type::Meta(self.metas.len() as u32 - 1)
    }

    /// A type for an expression that has been reported already.
    pub(crate) fn failed_type(&mut self, span: Span) -> Type {
        self.tainted = true;
        self.fresh_constrained(Constraint { failed: true, ..Constraint::default() }, span)
    }

    pub(crate) fn fresh_size(&mut self) -> Size {
        self.size_metas.push(SizeMeta {
            solution: None,
            level: self.level,
            of_loop: false,
            of_parameter: false,
        });
        Size::Meta(self.size_metas.len() as u32 - 1)
    }

    /// A variable of the current level.
    pub(crate) fn fresh_var(&mut self, text: &str, origin: Option<(Span, String)>) -> Var {
        let var = self.global.names.fresh(super::variable_text(text).as_str());
        self.vars.insert(
            var,
            VarInfo { level: self.level, origin, alias: None, stand_in: false, definition: None, weight: 1 },
        );
        var
    }

    pub(crate) fn level_of(&self, var: Var) -> u32 {
        self.vars.get(&var).map_or(0, |info| info.level)
    }

    /// The type with solved unknowns replaced at its head only.
    pub(crate) fn head(&self, t: &Type) -> Type {
        let mut t = t;
        while let Type::Meta(meta) = t {
            match &self.metas[*meta as usize].solution {
                Some(solution) => t = solution,
                None => break,
            }
        }
        t.clone()
    }

    /// The type with all solved unknowns replaced.
    pub(crate) fn resolve(&self, t: &Type) -> Type {
        self.with_sizes(t, &|size| self.resolve_size(size))
    }

    /// The same, with names left out of sizes that they do not depend on.
    pub(crate) fn resolve_collected(&self, t: &Type) -> Type {
        self.with_sizes(t, &|size| super::size::collected(&self.resolve_size(size)))
    }

    fn with_sizes(&self, t: &Type, of: &dyn Fn(&Size) -> Size) -> Type {
        let again = |t: &Type| self.with_sizes(t, of);
        match t {
            Type::Prim(_) | Type::Param(_) => t.clone(),
            Type::Meta(meta) => match &self.metas[*meta as usize].solution {
                Some(solution) => again(solution),
                None => t.clone(),
            },
            Type::Array(size, elem) => Type::array(of(size), again(elem)),
            Type::Record(fields) => map_record(fields, again),
            Type::Sum(constructors) => map_sum(constructors, again),
            Type::Unique(inner) => Type::Unique(Box::new(again(inner))),
            Type::Named(name, args) => {
                let arg = |arg: &TypeArg| arg.map(of, again);
                Type::Named(name.clone(), args.iter().map(arg).collect())
            }
            Type::Arrow(arrow) => Type::Arrow(Arc::new(Arrow {
                name: arrow.name,
                param: again(&arrow.param),
                exts: arrow.exts.clone(),
                result: again(&arrow.result),
            })),
        }
    }

    /// The size with all solved unknowns replaced, normalised.
    pub(crate) fn resolve_size(&self, size: &Size) -> Size {
        super::size::normalise(&self.replace_size(size))
    }

    fn replace_size(&self, size: &Size) -> Size {
        let pair = |a: &Size, b: &Size| (Box::new(self.replace_size(a)), Box::new(self.replace_size(b)));
        match size {
            Size::Const(_) | Size::Var(_) => size.clone(),
            Size::Opaque(..) => self.settle(size),
            Size::Meta(meta) => match &self.size_metas[*meta as usize].solution {
                Some(solution) => self.replace_size(solution),
                None => size.clone(),
            },
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
        }
    }

    /// An expression as a size, with the decided ones of the variables replaced that stand for sizes in it.
    fn settle(&self, size: &Size) -> Size {
        let mut free = BTreeSet::new();
        crate::types::free_in_size(size, &mut free);
        let mut s = Subst::default();
        for var in free {
            if let Some(VarInfo { stand_in: true, alias: Some(alias), .. }) = self.vars.get(&var) {
                let alias = self.resolve_size(alias);
                if let Size::Meta(meta) = alias {
                    // One variable stands for each unknown.
                    let same = |known: u32| self.resolve_size(&Size::Meta(known)) == Size::Meta(meta);
                    let first = self.stand_ins.iter().find(|(known, _)| same(**known));
                    if let Some((_, first)) = first.filter(|(_, first)| **first != var) {
                        s.sizes.insert(var, Size::Var(*first));
                    }
                } else if metas_of_size(&alias).is_empty() && !self.has_stand_in(&alias) {
                    s.sizes.insert(var, alias);
                }
            }
        }
        if s.is_empty() { size.clone() } else { subst_size(size, &s) }
    }

    /// Whether the value of an expression in the size is not decided.
    pub(crate) fn has_stand_in(&self, size: &Size) -> bool {
        let mut free = BTreeSet::new();
        crate::types::free_in_size(size, &mut free);
        free.iter().any(|var| self.vars.get(var).is_some_and(|info| info.stand_in))
    }

    /// A variable that stands for a size inside of expressions.
    pub(crate) fn stand_in(&mut self, size: Size) -> Var {
        let known = if let Size::Meta(meta) = self.resolve_size(&size) { Some(meta) } else { None };
        if let Some(var) = known.and_then(|meta| self.stand_ins.get(&meta)) {
            return *var;
        }
        let var = self.fresh_var("n", None);
        if let Some(meta) = known {
            self.stand_ins.insert(meta, var);
        }
        if let Some(info) = self.vars.get_mut(&var) {
            *info = VarInfo { level: 0, alias: Some(size), stand_in: true, ..info.clone() };
        }
        var
    }
}

/// The unknowns in a size.
pub(crate) fn metas_of_size(size: &Size) -> Vec<u32> {
    match size {
        Size::Const(_) | Size::Var(_) | Size::Opaque(..) => Vec::new(),
        Size::Meta(meta) => vec![*meta],
        Size::Add(a, b) | Size::Sub(a, b) | Size::Mul(a, b) => {
            let mut metas = metas_of_size(a);
            metas.append(&mut metas_of_size(b));
            metas
        }
    }
}
