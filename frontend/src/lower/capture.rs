//! Closures that a recursive function is specialised on, and local functions that are called: what they have captured becomes parameters of
//! the function.

use super::value::{Closure, Env, Head, InstanceOf, Leaf, LocalFunction, Value};
use super::{Lowerer, Outcome};
use crate::typed::{Exp, ExpKind, Instance, LoopForm, Pattern};
use crate::types::{Scheme, Size, Type, free_in_size, free_sizes, payloads};
use fun::ir::{self, Atom, Binder, BinderType, Param};
use fun_base::name::Var;
use fun_base::prim::PrimType;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Variables of the caller and the parameters that stand for them.
#[derive(Default)]
pub(super) struct Captured {
    known: BTreeMap<Var, Var>,
    binders: Vec<(Var, Binder)>,
    /// Whether an accumulator is among it.
    pub(super) accumulators: bool,
}

impl Captured {
    /// With other variables for those of the function being made.
    pub(super) fn renamed(known: BTreeMap<Var, Var>) -> Captured {
        Captured { known, ..Captured::default() }
    }

    /// Adds a parameter.
    pub(super) fn add(&mut self, outer: Var, own: Var, ty: &ir::Type) {
        let ty = ty.map_vars(&mut |var| Atom::Var(self.known.get(&var).copied().unwrap_or(var)));
        self.known.insert(outer, own);
        self.binders.push((outer, Binder { var: own, ty }));
    }

    /// The variables of the caller and the parameters.
    pub(super) fn into_parts(self) -> (Vec<Var>, Vec<Binder>) {
        self.binders.into_iter().unzip()
    }

    /// The variables of the parameters.
    pub(super) fn own_vars(&self) -> impl Iterator<Item = Var> + '_ {
        self.binders.iter().map(|(_, binder)| binder.var)
    }

    /// The parameters, sizes before the arrays that have them.
    pub(super) fn params(&self) -> impl Iterator<Item = Param> + '_ {
        let param =
            |(_, binder): &(Var, Binder)| Param { binder: binder.clone(), implicit: false, unique: false };
        self.binders.iter().map(param)
    }

    /// What a caller passes for them.
    pub(super) fn outer(&self) -> Vec<Atom> {
        self.binders.iter().map(|(outer, _)| Atom::Var(*outer)).collect()
    }

    /// What the function itself passes for them.
    pub(super) fn own(&self) -> Vec<Atom> {
        self.own_vars().map(Atom::Var).collect()
    }
}

impl<'t> Lowerer<'t> {
    /// The closure as the function being made sees it.
    pub(super) fn capture(&mut self, closure: &Closure<'t>, into: &mut Captured) -> Outcome<Closure<'t>> {
        let head = match &closure.head {
            Head::Lambda { params, body, env, instance } => {
                let instance = instance.as_ref().map(|instance| self.capture_instance(instance, into));
                let env = self.capture_env(env, mentioned_by(params, body), into)?;
                Head::Lambda { params, body, env, instance: instance.transpose()? }
            }
            Head::Local(local, instance) => {
                let instance = instance.as_ref().map(|instance| self.capture_instance(instance, into));
                Head::Local(self.capture_local(local, into), instance.transpose()?)
            }
            Head::Def(def, instance) => Head::Def(*def, self.capture_instance(instance, into)?),
            Head::Hole { result, env } => {
                let mut mentioned = BTreeSet::new();
                ty(result, &mut mentioned);
                Head::Hole { result, env: self.capture_env(env, mentioned, into)? }
            }
            Head::Absent => Head::Absent,
            Head::Intrinsic(intrinsic, instance) => {
                Head::Intrinsic(*intrinsic, self.capture_instance(instance, into)?)
            }
        };
        let args = closure.args.iter().map(|arg| self.capture_value(arg, into)).collect::<Outcome<_>>()?;
        Ok(Closure { head, args })
    }

    fn capture_instance(&mut self, of: &InstanceOf<'t>, into: &mut Captured) -> Outcome<InstanceOf<'t>> {
        let mut mentioned = BTreeSet::new();
        instance(of.instance, &mut mentioned);
        let env = self.capture_env(&of.env, mentioned, into)?;
        Ok(InstanceOf { instance: of.instance, scheme: of.scheme, env })
    }

    /// The environment, of the names that are mentioned, as the function being made sees it.
    pub(super) fn capture_env(
        &mut self,
        env: &Env<'t>,
        mentioned: BTreeSet<Var>,
        into: &mut Captured,
    ) -> Outcome<Env<'t>> {
        let mut inner = Env { recursion: env.recursion.clone(), ..Env::default() };
        for var in mentioned {
            // The environment may still have names that are out of scope; of these only types tell.
            let known = |atom: Atom| {
                self.visible(atom) || atom.as_var().is_some_and(|var| into.known.contains_key(&var))
            };
            let in_scope = |value: &&Value<'t>| value.ty.sizes().into_iter().chain(value.atoms()).all(known);
            if let Some(value) = env.values.get(&var).filter(in_scope) {
                inner.values.insert(var, self.capture_value(value, into)?);
            }
            if let Some(ty) = env.types.get(&var) {
                let ty = ty.map_sizes(&mut |size| size.map(|size| self.capture_size(size, into)));
                inner.types.insert(var, ty);
            }
            if let Some(function) = env.functions.get(&var) {
                let mut mentioned = BTreeSet::new();
                scheme(function.scheme, &mut mentioned);
                mentions(function.value, &mut mentioned);
                let env = self.capture_env(&function.env, mentioned, into)?;
                let local = function.local.as_ref().map(|local| self.capture_local(local, into));
                let function = LocalFunction { scheme: function.scheme, value: function.value, env, local };
                inner.functions.insert(var, Rc::new(function));
            }
        }
        Ok(inner)
    }

    pub(super) fn capture_value(&mut self, value: &Value<'t>, into: &mut Captured) -> Outcome<Value<'t>> {
        into.accumulators |= value.ty.has_accumulators();
        let ty = value.ty.map_sizes(&mut |size| self.capture_size(*size, into));
        let mut types = ty.leaf_types().into_iter();
        let mut leaves = Vec::with_capacity(value.leaves.len());
        for leaf in &value.leaves {
            leaves.push(match leaf {
                Leaf::Function(closure) => Leaf::Function(Rc::new(self.capture(closure, into)?)),
                Leaf::Atom(atom) => match (atom, types.next()) {
                    (Atom::Var(var), Some(ty)) => Leaf::Atom(self.capture_var(*var, ty, into).into()),
                    _ => Leaf::Atom(*atom),
                },
            });
        }
        Ok(Value { ty, leaves })
    }

    fn capture_size(&mut self, size: Atom, into: &mut Captured) -> Atom {
        match size {
            Atom::Var(var) => self.capture_var(var, ir::Type::Prim(PrimType::I64), into).into(),
            Atom::Const(_) => size,
        }
    }

    /// `ty` is the type in the function being made.
    pub(super) fn capture_var(&mut self, var: Var, ty: ir::Type, into: &mut Captured) -> Var {
        if let Some(known) = into.known.get(&var) {
            return *known;
        }
        let fresh = self.fresh(var.text.as_str());
        into.known.insert(var, fresh);
        into.binders.push((var, Binder { var: fresh, ty }));
        fresh
    }
}

/// What a function mentions.
pub(super) fn mentioned_by(params: &[Pattern], body: &Exp) -> BTreeSet<Var> {
    let mut mentioned = BTreeSet::new();
    params.iter().for_each(|param| pattern(param, &mut mentioned));
    mentions(body, &mut mentioned);
    mentioned
}

/// The variables, functions and type parameters that an expression mentions, bound inside or not.
fn mentions(exp: &Exp, out: &mut BTreeSet<Var>) {
    ty(&exp.ty, out);
    match &exp.kind {
        ExpKind::Var(var) => {
            out.insert(*var);
        }
        ExpKind::LocalDef(var, at) => {
            out.insert(*var);
            instance(at, out);
        }
        ExpKind::Def(_, at) | ExpKind::Intrinsic(_, at) => instance(at, out),
        ExpKind::Lambda { params, .. } => params.iter().for_each(|param| pattern(param, out)),
        ExpKind::Let { pattern: bound, .. } => pattern(bound, out),
        ExpKind::Match { cases, .. } => cases.iter().for_each(|case| pattern(&case.pattern, out)),
        ExpKind::LetDef { scheme: of, .. } => scheme(of, out),
        ExpKind::Loop { pattern: bound, form, .. } => {
            pattern(bound, out);
            if let LoopForm::ForIn(element, _) = form {
                pattern(element, out);
            }
        }
        _ => {}
    }
    exp.for_each_child(&mut |inner| mentions(inner, out));
}

fn pattern(pattern: &Pattern, out: &mut BTreeSet<Var>) {
    ty(&pattern.ty, out);
}

fn scheme(scheme: &Scheme, out: &mut BTreeSet<Var>) {
    ty(&scheme.ty, out);
}

fn instance(instance: &Instance, out: &mut BTreeSet<Var>) {
    instance.types.iter().for_each(|t| ty(t, out));
    instance.sizes.iter().for_each(|size| size_of(size, out));
}

fn size_of(size: &Size, out: &mut BTreeSet<Var>) {
    free_in_size(size, out);
}

fn ty(t: &Type, out: &mut BTreeSet<Var>) {
    out.append(&mut free_sizes(t));
    params(t, out);
}

fn params(t: &Type, out: &mut BTreeSet<Var>) {
    match t {
        Type::Param(var) => {
            out.insert(*var);
        }
        Type::Array(_, elem) => params(elem, out),
        Type::Record(fields) => fields.iter().for_each(|(_, t)| params(t, out)),
        Type::Sum(constructors) => payloads(constructors).for_each(|t| params(t, out)),
        Type::Unique(inner) => params(inner, out),
        Type::Arrow(arrow) => {
            params(&arrow.param, out);
            params(&arrow.result, out);
        }
        // Abstract types have been replaced by what they stand for.
        Type::Prim(_) | Type::Named(..) | Type::Meta(_) => {}
    }
}
