//! Functions that call themselves.
//!
//! Their result's type is fixed before the body is lowered: what is no parameter or constant in it is a size among the
//! results. Functions among the arguments are known where the function is called from outside; it is made once for each such
//! call, with what they have captured as parameters.

use super::call::Made;
use super::value::{Env, InstanceOf, Leaf, Ty, Value, ValueTy};
use super::{Lowerer, Outcome};
use crate::typed::DefId;
use crate::types::{Size, Type};
use fun::ir::Atom;
use fun_base::name::Var;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The recursive function that code belongs to.
#[derive(Debug)]
pub(super) struct Recursion {
    pub(super) def: DefId,
    pub(super) made: Rc<Made>,
    /// What a call passes for captured variables.
    pub(super) captured: Vec<Atom>,
}

impl<'t> Lowerer<'t> {
    /// Calls a recursive definition: from outside, or from its own body.
    pub(super) fn call_recursive(
        &mut self,
        def: DefId,
        instance: &InstanceOf<'t>,
        args: Vec<Value<'t>>,
    ) -> Outcome<Value<'t>> {
        let definition = &self.program.definitions[def.0 as usize];
        let mut env = Env::default();
        self.bind_params(&mut env, &definition.params, args.clone())?;
        self.bind_instance(&mut env, instance);
        let Some((sizes, types)) = self.sizes_and_types(&env, Some(&definition.scheme)) else {
            return Err(self.limitation("a recursive function with sizes that its arguments do not tell"));
        };
        if args.iter().any(|arg| arg.ty.has_accumulators()) {
            return Err(self.limitation("a recursive function with accumulators among its arguments"));
        }
        if let Some(own) = instance.env.recursion.clone().filter(|own| own.def == def) {
            if self.function != Some(own.made.name) {
                let what = "recursion through another recursive function that takes functions";
                return Err(self.limitation(what));
            }
            return self.call_made(&own.made, sizes, &types, args, own.captured.clone());
        }
        self.call_from_outside(def, sizes, &types, args)
    }

    /// The same where sizes and types are known.
    pub(super) fn call_from_outside(
        &mut self,
        def: DefId,
        sizes: Vec<Atom>,
        types: &[ValueTy],
        args: Vec<Value<'t>>,
    ) -> Outcome<Value<'t>> {
        let structure: Vec<Ty<()>> = types.iter().map(|ty| ty.map_sizes(&mut |_| ())).collect();
        let plain = args.iter().all(|arg| !arg.ty.has_functions());
        let (made, captured) = match plain {
            true => (self.instance(def, structure, false)?, Vec::new()),
            false => self.specialise(def, &structure, &args)?,
        };
        self.call_made(&made, sizes, types, args, captured)
    }

    /// The type of the result of a recursive function, over its parameters (`known`) and sizes among the results.
    pub(super) fn planned_result(
        &mut self,
        env: &Env<'t>,
        ty: &'t Type,
        known: &BTreeSet<Var>,
        sizes: &mut Vec<(Size, Var)>,
    ) -> ValueTy {
        match ty {
            Type::Prim(prim) => Ty::Prim(*prim),
            Type::Array(size, element) => {
                let atom = match size {
                    Size::Const(n) => Some(Atom::i64(*n)),
                    Size::Var(var) => env.values.get(var).and_then(|value| value.atoms().first().copied()),
                    Size::Add(..) | Size::Sub(..) | Size::Mul(..) | Size::Opaque(..) | Size::Meta(_) => None,
                };
                let nameable = |atom: &Atom| atom.as_var().is_none_or(|var| known.contains(&var));
                let earlier = sizes.iter().find(|(other, _)| other == size).map(|(_, var)| Atom::Var(*var));
                let atom = atom.filter(nameable).or(earlier).unwrap_or_else(|| {
                    let var = self.fresh("size");
                    sizes.push((size.clone(), var));
                    var.into()
                });
                Ty::array(atom, self.planned_result(env, element, known, sizes))
            }
            Type::Record(fields) => {
                let field = |(name, ty)| (name, self.planned_result(env, ty, known, sizes));
                Ty::Record(fields.iter().map(|(name, ty)| (*name, ty)).map(field).collect())
            }
            Type::Sum(constructors) => {
                let mut sum = Vec::with_capacity(constructors.len());
                for (name, payload) in constructors {
                    let payload: Rc<[ValueTy]> =
                        payload.iter().map(|ty| self.planned_result(env, ty, known, sizes)).collect();
                    sum.push((*name, payload));
                }
                Ty::Sum(sum.into())
            }
            Type::Unique(inner) => self.planned_result(env, inner, known, sizes),
            Type::Param(var) => {
                let ty = env.types.get(var).cloned();
                ty.map_or(Ty::Function, |ty| ty.map_sizes(&mut |size| size.unwrap_or(Atom::i64(0))))
            }
            Type::Arrow(_) | Type::Named(..) | Type::Meta(_) => Ty::Function,
        }
    }

    /// The result as planned, with the values of the sizes among the results.
    pub(super) fn fit_result(
        &mut self,
        value: Value<'t>,
        planned: &ValueTy,
        sizes: &[(Size, Var)],
    ) -> Outcome<(Value<'t>, Vec<(Var, Atom)>)> {
        let mut actual: BTreeMap<Var, Atom> = BTreeMap::new();
        for (plan, size) in planned.sizes().into_iter().zip(value.ty.sizes()) {
            if let Atom::Var(var) = plan
                && sizes.iter().any(|(_, other)| *other == var)
            {
                actual.entry(var).or_insert(size);
            }
        }
        let target = super::call::substitute(planned, &actual);
        let value = self.coerce(value, &target, "Result does not have the declared size")?;
        let sizes = sizes.iter().map(|(_, var)| (*var, actual.get(var).copied().unwrap_or(Atom::i64(0))));
        Ok((value, sizes.collect()))
    }
}

/// The value of a parameter: `atoms` for its data, the functions of an argument for its functions.
pub(super) fn with_functions<'t>(ty: ValueTy, atoms: Vec<Atom>, functions: Vec<Leaf<'t>>) -> Value<'t> {
    let (mut atoms, mut functions) = (atoms.into_iter(), functions.into_iter());
    let next = |leaf: Option<fun::ir::Type>| match leaf {
        Some(_) => atoms.next().map(Leaf::Atom),
        None => functions.next(),
    };
    let leaves = ty.typed_leaves().into_iter().filter_map(next).collect();
    Value { ty, leaves }
}
