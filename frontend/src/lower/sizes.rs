//! Sizes and types: evaluating those of the source, binding size and type parameters from values, and making shapes agree.

use super::value::{Env, Expected, InstanceOf, PartialTy, Ty, Value, ValueTy};
use super::{Lowerer, Outcome};
use crate::types::{Size, Type};
use fun::ir::{Atom, Exp};
use fun_base::prim::{BinOp, PrimType};
use std::rc::Rc;

/// How far to go for the value of a size.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Effort {
    /// Constants, variables and arithmetic.
    Cheap,
    /// Any expression.
    Full,
}

impl<'t> Lowerer<'t> {
    /// The value of a size, when all that it mentions is known here.
    pub(super) fn eval_size(&mut self, env: &Env<'t>, size: &'t Size, effort: Effort) -> Option<Atom> {
        let mut binary = |op, a: &'t Size, b: &'t Size| {
            let a = self.eval_size(env, a, effort)?;
            let b = self.eval_size(env, b, effort)?;
            Some(self.size_op(op, a, b))
        };
        match size {
            Size::Const(n) => Some(Atom::i64(*n)),
            Size::Var(var) => {
                let atom = env.values.get(var)?.atoms().first().copied()?;
                self.visible(atom).then_some(atom)
            }
            Size::Add(a, b) => binary(BinOp::Add, a, b),
            Size::Sub(a, b) => binary(BinOp::Sub, a, b),
            Size::Mul(a, b) => binary(BinOp::Mul, a, b),
            Size::Opaque(exp, _) => {
                if effort == Effort::Cheap {
                    return None;
                }
                // A size may mention what is not in scope here; then nothing of the attempt must stay.
                let depth = self.scopes.len();
                self.open();
                let result = self.lower_exp(&mut env.clone(), exp);
                self.close_to(depth + 1);
                let scope = self.close();
                let atom = result.ok()?.atoms().first().copied()?;
                self.splice(scope);
                self.visible(atom).then_some(atom)
            }
            Size::Meta(_) => None,
        }
    }

    /// The type that the source gives, as far as its sizes are known.
    pub(super) fn eval_type(&mut self, env: &Env<'t>, ty: &'t Type, effort: Effort) -> PartialTy {
        match ty {
            Type::Prim(prim) => Ty::Prim(*prim),
            Type::Array(size, element) => {
                let size = self.eval_size(env, size, effort);
                Ty::array(size, self.eval_type(env, element, effort))
            }
            Type::Record(fields) => {
                Ty::Record(fields.iter().map(|(name, ty)| (*name, self.eval_type(env, ty, effort))).collect())
            }
            Type::Sum(constructors) => {
                let mut sum = Vec::with_capacity(constructors.len());
                for (name, payload) in constructors {
                    let payload: Rc<[PartialTy]> =
                        payload.iter().map(|ty| self.eval_type(env, ty, effort)).collect();
                    sum.push((*name, payload));
                }
                Ty::Sum(sum.into())
            }
            Type::Arrow(_) => Ty::Function,
            Type::Param(var) => env.types.get(var).cloned().unwrap_or(Ty::Record(Rc::new([]))),
            Type::Unique(inner) => self.eval_type(env, inner, effort),
            // Abstract types have been replaced by what they stand for.
            Type::Named(..) | Type::Meta(_) => Ty::Record(Rc::new([])),
        }
    }

    /// Binds the sizes and type parameters that `ty` mentions and `env` does not know to those of a value's type.
    pub(super) fn match_type(&mut self, env: &mut Env<'t>, ty: &Type, actual: &ValueTy) {
        match (ty, actual) {
            (Type::Unique(inner), _) => self.match_type(env, inner, actual),
            (Type::Param(var), _) => {
                if !env.types.contains_key(var) {
                    env.types.insert(*var, actual.partial());
                }
            }
            (Type::Array(size, element), Ty::Array(atom, actual)) => {
                if let Size::Var(var) = size
                    && !env.values.contains_key(var)
                {
                    env.values.insert(*var, Value::scalar(*atom, PrimType::I64));
                }
                self.match_type(env, element, actual);
            }
            (Type::Record(fields), Ty::Record(actual)) => {
                for (at, (name, ty)) in fields.iter().enumerate() {
                    // Most often both have the fields in the same order.
                    let named = |(field, _): &&(_, _)| field == name;
                    let here = actual.get(at).filter(named);
                    if let Some((_, actual)) = here.or_else(|| actual.iter().find(named)) {
                        self.match_type(env, ty, actual);
                    }
                }
            }
            (Type::Sum(constructors), Ty::Sum(actual)) if constructors.len() == actual.len() => {
                for ((_, payload), (_, actual)) in constructors.iter().zip(actual.iter()) {
                    payload
                        .iter()
                        .zip(actual.iter())
                        .for_each(|(ty, actual)| self.match_type(env, ty, actual));
                }
            }
            (
                Type::Prim(_)
                | Type::Array(..)
                | Type::Record(_)
                | Type::Sum(_)
                | Type::Arrow(_)
                | Type::Named(..)
                | Type::Meta(_),
                _,
            ) => {}
        }
    }

    /// Binds the size and type parameters that no value has determined to those of the instance.
    pub(super) fn bind_instance(&mut self, env: &mut Env<'t>, of: &InstanceOf<'t>) {
        let Some(scheme) = of.scheme else { return };
        for (var, size) in scheme.sizes.iter().zip(&of.instance.sizes) {
            if !env.values.contains_key(var)
                && let Some(atom) = self.eval_size(&of.env, size, Effort::Full)
            {
                env.values.insert(*var, Value::scalar(atom, PrimType::I64));
            }
        }
        for (var, ty) in scheme.types.iter().zip(&of.instance.types) {
            if !env.types.contains_key(var) {
                let ty = self.eval_type(&of.env, ty, Effort::Full);
                env.types.insert(*var, ty);
            }
        }
    }

    /// The value under another type of the same structure: where sizes differ, they are asserted to be equal and the arrays
    /// reshaped.
    pub(super) fn coerce(&mut self, value: Value<'t>, target: &ValueTy, message: &str) -> Outcome<Value<'t>> {
        if value.ty == *target {
            return Ok(value);
        }
        if value.ty.has_functions() {
            return Ok(value);
        }
        let (from, to) = (value.ty.sizes(), target.sizes());
        if from.len() != to.len() || value.ty.count() != target.count() {
            return Err(self.inconsistent(format!("{:?} is not of type {target:?}", value.ty)));
        }
        let message =
            format!("{message}: expected \"{}\", found \"{}\"", target.pattern(), value.ty.pattern());
        let numbers: Vec<Atom> = to.iter().chain(&from).copied().collect();
        for (a, b) in from.into_iter().zip(to) {
            let equal = self.bin(BinOp::Eq, PrimType::I64, a, b);
            self.check_with(equal, message.as_str(), numbers.clone());
        }
        self.each_leaf(&value, target.clone(), |this, atom, from, to| {
            if from == to {
                return Ok(atom);
            }
            let array = this.array(atom)?;
            let exp = Exp::Reshape { shape: to.shape().to_vec(), array };
            Ok(this.emit(array.text.as_str(), to.clone(), exp).into())
        })
    }

    /// Like [`Lowerer::coerce`]; sizes that the target leaves open stay.
    pub(super) fn coerce_partly(
        &mut self,
        value: Value<'t>,
        target: &PartialTy,
        message: &str,
    ) -> Outcome<Value<'t>> {
        let target = fill(&value.ty, target);
        self.coerce(value, &target, message)
    }

    /// The value, which was made in the innermost scope, under a type whose sizes are known outside of it as well.
    pub(super) fn settle(
        &mut self,
        value: Value<'t>,
        expected: Option<Expected<'_, 't>>,
    ) -> Outcome<Value<'t>> {
        let sizes = value.ty.sizes();
        if sizes.iter().all(|size| self.visible_outside(*size)) {
            return Ok(value);
        }
        let Some(expected) = expected else {
            return Err(self.limitation("a function whose result has a size that is not known outside"));
        };
        let outer = self.outside(|this| this.eval_type(expected.env, expected.ty, Effort::Full));
        let outer_sizes = known_sizes(&value.ty, &outer);
        let mut known = Vec::with_capacity(sizes.len());
        for (inner, outer) in sizes.into_iter().zip(outer_sizes) {
            known.push(match outer {
                _ if self.visible_outside(inner) => inner,
                Some(outer) => outer,
                None => {
                    return Err(self.limitation("elements whose size is not known outside of the function"));
                }
            });
        }
        let mut known = known.into_iter();
        let target = value.ty.map_sizes(&mut |size| known.next().unwrap_or(*size));
        self.coerce(value, &target, "Result of function has unexpected size")
    }
}

/// The actual type with the sizes that the target knows.
pub(super) fn fill(actual: &ValueTy, target: &PartialTy) -> ValueTy {
    let mut known = known_sizes(actual, target).into_iter();
    actual.map_sizes(&mut |size| known.next().flatten().unwrap_or(*size))
}

/// For each size of the actual type what the target says of it; nothing where their structures differ, because a type
/// parameter is not known.
pub(super) fn known_sizes(actual: &ValueTy, target: &PartialTy) -> Vec<Option<Atom>> {
    fn walk(actual: &ValueTy, target: Option<&PartialTy>, sizes: &mut Vec<Option<Atom>>) {
        match actual {
            Ty::Prim(_) | Ty::Function => {}
            Ty::Array(_, element) => {
                let below =
                    if let Some(Ty::Array(size, below)) = target { Some((size, below)) } else { None };
                sizes.push(below.and_then(|(size, _)| *size));
                walk(element, below.map(|(_, below)| &**below), sizes);
            }
            Ty::Sum(constructors) => {
                let targets = if let Some(Ty::Sum(targets)) = target { Some(targets) } else { None };
                for (k, (_, payload)) in constructors.iter().enumerate() {
                    let targets = targets.and_then(|targets| targets.get(k));
                    for (part, ty) in payload.iter().enumerate() {
                        walk(ty, targets.and_then(|(_, targets)| targets.get(part)), sizes);
                    }
                }
            }
            Ty::Record(fields) => {
                let targets = if let Some(Ty::Record(targets)) = target { Some(targets) } else { None };
                for (name, ty) in fields.iter() {
                    let target = targets.and_then(|fields| fields.iter().find(|(field, _)| field == name));
                    walk(ty, target.map(|(_, ty)| ty), sizes);
                }
            }
        }
    }
    let mut sizes = Vec::new();
    walk(actual, Some(target), &mut sizes);
    sizes
}
