//! Local functions that are called instead of put in place: those that would make the program much longer.
//!
//! In a chain of local functions each of which applies the one before twice, or passes it to a function that does, the text in place of
//! the last use doubles with each of them.
//! What such a function has captured becomes parameters ([`super::capture`]): these are found once, where it is defined, and functions that
//! have captured it in turn only pass them on. So the whole chain is as long as its text.

use super::call::{Code, Made};
use super::capture::{Captured, mentioned_by};
use super::value::{Env, InstanceOf, Ty, Value};
use super::{Lowerer, Outcome};
use crate::typed::{DefId, Definition, Exp, ExpKind, Pattern, PatternKind};
use crate::types::has_function;
use fun::ir::{Atom, Binder, BinderType};
use fun_base::name::{Symbol, Var};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A local function that is used several times is called if its body has more expressions than this, those of the local functions
/// in it and of those put in place in it included.
const LARGE: usize = 1000;

/// The bodies of the local functions that are called, by address, with their names.
pub(super) type Large = BTreeMap<*const Exp, Symbol>;

/// The functions made for them, with what they were made of, lest another take its address.
pub(super) type LocalInstances<'t> = BTreeMap<Key<'t>, (Rc<LocalCode<'t>>, Rc<Made>)>;

/// What it is made of, whether checks are on, and the structure of the type parameters.
pub(super) type Key<'t> = (*const LocalCode<'t>, bool, Vec<Ty<()>>);

/// A local function that is called, as the function that mentions it sees it.
#[derive(Clone, Debug)]
pub(super) struct Local<'t> {
    code: Rc<LocalCode<'t>>,
    /// What is passed for what it has captured.
    captured: Vec<Var>,
}

/// What the function for it is made of.
#[derive(Debug)]
pub(super) struct LocalCode<'t> {
    name: Symbol,
    pub(super) params: &'t [Pattern],
    pub(super) body: &'t Exp,
    /// Variables for what it has captured, and what names stand for, over these.
    captured: Vec<Binder>,
    env: Env<'t>,
}

impl Local<'_> {
    /// How many arguments it needs to run.
    pub(super) fn arity(&self) -> usize {
        self.code.params.len()
    }
}

impl<'t> Lowerer<'t> {
    /// The function that a lambda is, if it is called.
    pub(super) fn local_function(
        &mut self,
        env: &Env<'t>,
        params: &'t [Pattern],
        body: &'t Exp,
    ) -> Outcome<Option<Local<'t>>> {
        let Some(name) = self.large.get(&(&raw const *body)).copied() else { return Ok(None) };
        // What recursion means is known where it began.
        if env.recursion.is_some() {
            return Ok(None);
        }
        let mut captured = Captured::default();
        self.open();
        let own = self.capture_env(env, mentioned_by(params, body), &mut captured);
        self.close();
        let own = own?;
        // And so is what writing to an accumulator means.
        if captured.accumulators {
            return Ok(None);
        }
        let (outer, captured) = captured.into_parts();
        let code = Rc::new(LocalCode { name, params, body, captured, env: own });
        Ok(Some(Local { code, captured: outer }))
    }

    /// A local function as the function being made sees it.
    pub(super) fn capture_local(&mut self, local: &Local<'t>, into: &mut Captured) -> Local<'t> {
        let mut known: BTreeMap<Var, Atom> = BTreeMap::new();
        let mut captured = Vec::with_capacity(local.captured.len());
        for (outer, binder) in local.captured.iter().zip(&local.code.captured) {
            let ty = binder.ty.map_vars(&mut |var| known.get(&var).copied().unwrap_or(var.into()));
            let own = self.capture_var(*outer, ty, into);
            known.insert(binder.var, own.into());
            captured.push(own);
        }
        Local { code: Rc::clone(&local.code), captured }
    }

    /// What names stand for in the function that is being made of a local one, whose parameters are added to `captured`.
    pub(super) fn own_env(&mut self, code: &LocalCode<'t>, captured: &mut Captured) -> Outcome<Env<'t>> {
        for binder in &code.captured {
            let own = self.fresh(binder.var.text.as_str());
            captured.add(binder.var, own, &binder.ty);
        }
        self.capture_env(&code.env, names_of(&code.env), captured)
    }

    /// Applies a local function that is called.
    pub(super) fn call_local(
        &mut self,
        local: &Local<'t>,
        instance: Option<&InstanceOf<'t>>,
        args: Vec<Value<'t>>,
    ) -> Outcome<Value<'t>> {
        let code = &local.code;
        let mut env = Env::default();
        self.bind_params(&mut env, code.params, args.clone())?;
        if let Some(instance) = instance {
            self.bind_instance(&mut env, instance);
        }
        let scheme = instance.and_then(|instance| instance.scheme);
        let plain = |arg: &Value<'t>| !arg.ty.has_functions() && !arg.ty.has_accumulators();
        let known = self.sizes_and_types(&env, scheme).filter(|(_, types)| {
            // Checks are noted where they are written.
            !self.noting && args.iter().all(plain) && !types.iter().any(Ty::has_functions)
        });
        let Some((sizes, types)) = known else { return self.in_place(local, instance, args) };
        let structure: Vec<Ty<()>> = types.iter().map(|ty| ty.map_sizes(&mut |_| ())).collect();
        let key = (Rc::as_ptr(code), self.safe, structure);
        let made = match self.local_instances.get(&key) {
            Some((_, made)) => Rc::clone(made),
            None => {
                let of = Code::of_local(code, scheme);
                let (made, _) = self.apart(code.name, code.body.span, (false, false), |this, name| {
                    this.make(&of, name, false, &key.2, &[])
                })?;
                let made = Rc::new(made);
                self.local_instances.insert(key, (Rc::clone(code), Rc::clone(&made)));
                made
            }
        };
        let captured = local.captured.iter().copied().map(Atom::Var).collect();
        self.call_made(&made, sizes, &types, args, captured)
    }

    /// The body of a local function that cannot be called here.
    fn in_place(
        &mut self,
        local: &Local<'t>,
        instance: Option<&InstanceOf<'t>>,
        args: Vec<Value<'t>>,
    ) -> Outcome<Value<'t>> {
        let code = &local.code;
        let own = code.captured.iter().map(|binder| binder.var);
        let mut here = Captured::renamed(own.zip(local.captured.iter().copied()).collect());
        let mut env = self.capture_env(&code.env, names_of(&code.env), &mut here)?;
        self.bind_params(&mut env, code.params, args)?;
        if let Some(instance) = instance {
            self.bind_instance(&mut env, instance);
        }
        self.lower_exp(&mut env, code.body)
    }
}

fn names_of(env: &Env<'_>) -> BTreeSet<Var> {
    env.values.keys().chain(env.types.keys()).chain(env.functions.keys()).copied().collect()
}

/// How often functions use each of their parameters, those that they pass on included: what comes there is put in place as often.
#[derive(Default)]
pub(super) struct Repeats {
    of_definitions: BTreeMap<DefId, Vec<usize>>,
    of_local: BTreeMap<Var, Vec<usize>>,
}

impl Repeats {
    /// Adds the local functions of a definition that are to be called; definitions come in their order.
    pub(super) fn find_large(
        &mut self,
        id: DefId,
        Definition { params, body, .. }: &Definition,
        large: &mut Large,
    ) {
        let mut uses = BTreeMap::new();
        self.count_uses(body, 1, &mut uses);
        if let Some(repeats) = uses_of_params(params, &uses) {
            self.of_definitions.insert(id, repeats);
        }
        Survey { uses, repeats: self, weights: BTreeMap::new(), large }.weight(body);
    }

    /// Counts the uses in an expression that comes `times` times.
    fn count_uses(&mut self, exp: &Exp, times: usize, uses: &mut BTreeMap<Var, usize>) {
        // Chains of `let` are as long as programs: no recursion for them.
        let mut exp = exp;
        while let ExpKind::Let { value, body, .. } | ExpKind::LetDef { value, body, .. } = &exp.kind {
            self.count_uses(value, times, uses);
            if let Some(var) = bound_function(exp)
                && let ExpKind::Lambda { params, .. } = &value.kind
                && let Some(repeats) = uses_of_params(params, uses)
            {
                self.of_local.insert(var, repeats);
            }
            exp = body;
        }
        if let ExpKind::Var(var) | ExpKind::LocalDef(var, _) = &exp.kind {
            let count = uses.entry(*var).or_default();
            *count = count.saturating_add(times);
        }
        for (inner, repeats) in self.parts(exp) {
            self.count_uses(inner, times.saturating_mul(repeats), uses);
        }
    }

    /// The expressions directly in this one, with how often each comes.
    fn parts<'e>(&self, exp: &'e Exp) -> Vec<(&'e Exp, usize)> {
        let ExpKind::Apply { function, args, .. } = &exp.kind else {
            let mut parts = Vec::new();
            exp.for_each_child(&mut |inner| parts.push((inner, 1)));
            return parts;
        };
        let repeats = match &function.kind {
            ExpKind::Var(var) | ExpKind::LocalDef(var, _) => self.of_local.get(var),
            ExpKind::Def(id, _) => self.of_definitions.get(id),
            _ => None,
        };
        let times = |(at, arg): (usize, &'e Exp)| {
            let repeat = repeats.and_then(|repeats| repeats.get(at)).filter(|_| has_function(&arg.ty));
            (arg, repeat.copied().unwrap_or(1).max(1))
        };
        std::iter::once((&**function, 1)).chain(args.iter().enumerate().map(times)).collect()
    }
}

/// How often a function of functions uses each parameter.
fn uses_of_params(params: &[Pattern], uses: &BTreeMap<Var, usize>) -> Option<Vec<usize>> {
    params.iter().any(|param| has_function(&param.ty)).then_some(())?;
    let count = |param: &Pattern| match &param.kind {
        PatternKind::Var(var) => uses.get(var).copied().unwrap_or(0),
        _ => 1,
    };
    Some(params.iter().map(count).collect())
}

struct Survey<'l> {
    uses: BTreeMap<Var, usize>,
    repeats: &'l Repeats,
    /// How many expressions come in place of a use of a local function.
    weights: BTreeMap<Var, usize>,
    large: &'l mut Large,
}

impl Survey<'_> {
    /// How many expressions an expression is with functions in place of their uses, and with those that are called.
    fn weight(&mut self, exp: &Exp) -> usize {
        let mut weight: usize = 1;
        let mut exp = exp;
        while let ExpKind::Let { value, body: rest, .. } | ExpKind::LetDef { value, body: rest, .. } =
            &exp.kind
        {
            let inner = match (bound_function(exp), &value.kind) {
                (Some(var), ExpKind::Lambda { params, body, .. }) => self.function(var, params, body),
                _ => self.weight(value),
            };
            weight = weight.saturating_add(inner);
            exp = rest;
        }
        if let ExpKind::Var(var) | ExpKind::LocalDef(var, _) = &exp.kind {
            weight = weight.saturating_add(self.weights.get(var).copied().unwrap_or(0));
        }
        for (inner, times) in self.repeats.parts(exp) {
            weight = weight.saturating_add(self.weight(inner).saturating_mul(times));
        }
        weight
    }

    /// How many expressions come where a function is defined: the function, if it is called.
    fn function(&mut self, var: Var, params: &[Pattern], body: &Exp) -> usize {
        let weight = self.weight(body);
        let first_order = !params.iter().any(|param| has_function(&param.ty)) && !has_function(&body.ty);
        if weight > LARGE && first_order && self.uses.get(&var).is_some_and(|uses| *uses > 1) {
            self.large.insert(body, Symbol::new(var.text.as_str()));
            return weight;
        }
        self.weights.insert(var, weight);
        0
    }
}

/// The name that an expression gives to a value.
fn bound_function(exp: &Exp) -> Option<Var> {
    match &exp.kind {
        ExpKind::Let { pattern: Pattern { kind: PatternKind::Var(var), .. }, .. } => Some(*var),
        ExpKind::LetDef { var, .. } => Some(*var),
        _ => None,
    }
}
