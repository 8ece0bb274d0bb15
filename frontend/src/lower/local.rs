//! Local functions that are called instead of put in place: those that would make the program much longer.
//!
//! In a chain of local functions each of which applies the one before twice, the text in place of the last use doubles with each of them.
//! As for recursive functions, what such a function has captured becomes parameters ([`super::capture`]). It is made once for all uses that
//! differ in nothing but the variables that are captured.

use super::call::{Code, Made};
use super::capture::Captured;
use super::value::{Closure, Env, Head, Leaf, Ty, Value, ValueTy};
use super::{Lowerer, Outcome};
use crate::typed::{Exp, ExpKind, Pattern, PatternKind};
use crate::types::has_function;
use fun::ir::Atom;
use fun_base::name::{Symbol, Var};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A local function that is used several times is called if its body has more expressions than this, those of the local functions
/// that would be put in place in it included.
const LARGE: usize = 1000;

/// The bodies of the local functions that are called, by address, with their names.
pub(super) type Large = BTreeMap<*const Exp, Symbol>;

/// The functions made for them.
pub(super) type LocalInstances = BTreeMap<Key, Rc<Made>>;

/// The body, whether checks are on, the structure of the type parameters, and what is captured.
pub(super) type Key = (*const Exp, bool, Vec<Ty<()>>, Vec<Part>);

/// Adds the local functions of a definition that are to be called.
pub(super) fn find_large(body: &Exp, large: &mut Large) {
    let mut uses = BTreeMap::new();
    count_uses(body, &mut uses);
    Survey { uses, weights: BTreeMap::new(), large }.weight(body);
}

fn count_uses(exp: &Exp, uses: &mut BTreeMap<Var, usize>) {
    if let ExpKind::Var(var) | ExpKind::LocalDef(var, _) = &exp.kind {
        *uses.entry(*var).or_default() += 1;
    }
    exp.for_each_child(&mut |inner| count_uses(inner, uses));
}

struct Survey<'l> {
    uses: BTreeMap<Var, usize>,
    /// How many expressions come in place of a use of a local function.
    weights: BTreeMap<Var, usize>,
    large: &'l mut Large,
}

impl Survey<'_> {
    /// How many expressions an expression is with functions in place of their uses.
    fn weight(&mut self, exp: &Exp) -> usize {
        let mut weight: usize = 1;
        match &exp.kind {
            ExpKind::Var(var) | ExpKind::LocalDef(var, _) => {
                weight += self.weights.get(var).copied().unwrap_or(0);
            }
            ExpKind::Let { pattern: Pattern { kind: PatternKind::Var(var), .. }, value, body, .. }
            | ExpKind::LetDef { var, value, body, .. }
                if matches!(value.kind, ExpKind::Lambda { .. }) =>
            {
                self.function(*var, value);
                weight = weight.saturating_add(self.weight(body));
            }
            _ => exp.for_each_child(&mut |inner| weight = weight.saturating_add(self.weight(inner))),
        }
        weight
    }

    fn function(&mut self, var: Var, value: &Exp) {
        let ExpKind::Lambda { body, .. } = &value.kind else { return };
        let weight = self.weight(body);
        if weight > LARGE && self.uses.get(&var).is_some_and(|uses| *uses > 1) {
            self.large.insert(&raw const **body, Symbol::new(var.text.as_str()));
        } else {
            self.weights.insert(var, weight);
        }
    }
}

impl<'t> Lowerer<'t> {
    /// The result of a call of a local function; none where its body is to be put in place.
    pub(super) fn call_local(&mut self, head: &Head<'t>, args: &[Value<'t>]) -> Outcome<Option<Value<'t>>> {
        let Head::Lambda { params, body, env, instance } = head else { return Ok(None) };
        let address: *const Exp = *body;
        let Some(name) = self.large.get(&address).copied() else { return Ok(None) };
        let plain = |ty: &ValueTy| !ty.has_functions() && !ty.has_accumulators();
        let first_order = args.iter().all(|arg| plain(&arg.ty)) && !has_function(&body.ty);
        // Checks are noted where they are written, and what writing to an accumulator or recursion means is known where they began.
        if self.noting || !first_order || !self.accumulators.is_empty() || env.recursion.is_some() {
            return Ok(None);
        }
        let mut inner = env.clone();
        self.bind_params(&mut inner, params, args.to_vec())?;
        let mut scheme = None;
        if let Some(instance) = instance {
            self.bind_instance(&mut inner, instance);
            scheme = instance.scheme;
        }
        let Some((sizes, types)) = self.sizes_and_types(&inner, scheme) else { return Ok(None) };
        if types.iter().any(Ty::has_functions) {
            return Ok(None);
        }
        let head = Head::Lambda { params, body, env: env.clone(), instance: None };
        let closure = Closure { head, args: Vec::new() };
        let mut captured = Captured::default();
        self.open();
        let own = self.capture(&closure, &mut captured);
        self.close();
        let own = own?.head.into_env();
        let mut form = Form::default();
        form.slots.extend(captured.own_vars().enumerate().map(|(at, var)| (var, at)));
        if form.env(&own).is_none() {
            return Ok(None);
        }
        let structure: Vec<Ty<()>> = types.iter().map(|ty| ty.map_sizes(&mut |_| ())).collect();
        let key = (address, self.safe, structure, form.parts);
        let made = match self.local_instances.get(&key) {
            Some(made) => Rc::clone(made),
            None => {
                let code = Code::of_local(params, body, scheme, &closure);
                let (made, _) = self.apart(name, body.span, (false, false), |this, name| {
                    this.make(&code, name, false, &key.2, &[])
                })?;
                let made = Rc::new(made);
                self.local_instances.insert(key, Rc::clone(&made));
                made
            }
        };
        self.call_made(&made, sizes, &types, args.to_vec(), captured.outer()).map(Some)
    }
}

/// A captured variable by its number, or a constant.
type Slot = Result<usize, Atom>;

/// A part of what is captured.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Part {
    Name(Var),
    Value(Ty<Slot>),
    Type(Ty<Option<Slot>>),
    Leaf(Slot),
    /// A function, followed by its environment.
    Code(*const Exp),
    /// The function that came so many functions after the first.
    Again(usize),
    End,
}

/// The form of what is captured: equal for two environments that differ in the captured variables only.
#[derive(Default)]
struct Form {
    slots: BTreeMap<Var, usize>,
    seen: BTreeMap<*const (), usize>,
    parts: Vec<Part>,
}

impl Form {
    /// Adds an environment; none if something in it is no value and no local function.
    fn env(&mut self, env: &Env<'_>) -> Option<()> {
        for (var, value) in &env.values {
            self.parts.push(Part::Name(*var));
            self.value(value)?;
        }
        for (var, ty) in &env.types {
            let ty = ty.map_sizes(&mut |size| size.map(|size| self.slot(size)));
            self.parts.extend([Part::Name(*var), Part::Type(ty)]);
        }
        for (var, function) in &env.functions {
            self.parts.push(Part::Name(*var));
            if self.is_new(Rc::as_ptr(function).cast()) {
                self.parts.push(Part::Code(function.value));
                self.env(&function.env)?;
            }
        }
        self.parts.push(Part::End);
        Some(())
    }

    fn value(&mut self, value: &Value<'_>) -> Option<()> {
        if value.ty.has_accumulators() {
            return None;
        }
        self.parts.push(Part::Value(value.ty.map_sizes(&mut |size| self.slot(*size))));
        for leaf in &value.leaves {
            match leaf {
                Leaf::Atom(atom) => {
                    let slot = self.slot(*atom);
                    self.parts.push(Part::Leaf(slot));
                }
                Leaf::Function(closure) => {
                    let Head::Lambda { body, env, instance: None, .. } = &closure.head else { return None };
                    if !closure.args.is_empty() {
                        return None;
                    }
                    if self.is_new(Rc::as_ptr(closure).cast()) {
                        self.parts.push(Part::Code(*body));
                        self.env(env)?;
                    }
                }
            }
        }
        Some(())
    }

    /// Whether a function has not been added yet; otherwise adds that it comes again.
    fn is_new(&mut self, function: *const ()) -> bool {
        let count = self.seen.len();
        let first = *self.seen.entry(function).or_insert(count);
        if first < count {
            self.parts.push(Part::Again(first));
        }
        first == count
    }

    fn slot(&self, atom: Atom) -> Slot {
        atom.as_var().and_then(|var| self.slots.get(&var).copied()).ok_or(atom)
    }
}
