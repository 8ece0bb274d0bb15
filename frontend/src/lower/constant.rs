//! Constants of the source: evaluated once, by the entry point that needs them. Other functions get them as parameters,
//! lest a constant that is used inside of a `map` be computed again for each element.

use super::value::{Env, Value, ValueTy};
use super::{Copies, Lowerer, Outcome};
use crate::typed::DefId;
use fun::ir::{self, Atom, Binder, Exp, Param, Statement};
use fun_base::name::Var;
use fun_base::prim::PrimType;
use std::collections::BTreeMap;

/// A constant of at most this many scalar operations is computed wherever it is used.
const CHEAP: usize = 16;

/// Parameters for a constant.
#[derive(Clone, Debug)]
pub(super) struct ConstantParam {
    pub(super) def: DefId,
    pub(super) ty: ValueTy,
    /// The sizes in `ty` that are parameters too.
    pub(super) sizes: Vec<Var>,
    pub(super) leaves: Vec<Var>,
}

impl<'t> Lowerer<'t> {
    /// The value of a definition that has no parameters of any kind.
    pub(super) fn constant(&mut self, def: DefId) -> Outcome<Value<'t>> {
        let value = self.kept_constant(def)?;
        // A function may give away a constant of a module.
        let in_module = self.program.definitions[def.0 as usize].name.as_str().contains('.');
        let given_away = in_module && self.copies >= Copies::Updated && !value.ty.has_functions();
        if given_away { self.copy(&value) } else { Ok(value) }
    }

    fn kept_constant(&mut self, def: DefId) -> Outcome<Value<'t>> {
        if let Some(value) = self.constants.get(&def) {
            return Ok(value.clone());
        }
        let safe = std::mem::replace(&mut self.safe, true);
        let value = self.at_top(|this| this.constant_at_top(def));
        self.safe = safe;
        let value = value?;
        self.constants.insert(def, value.clone());
        Ok(value)
    }

    fn constant_at_top(&mut self, def: DefId) -> Outcome<Value<'t>> {
        let definition = &self.program.definitions[def.0 as usize];
        self.open();
        let value = self.within(definition, |this| this.lower_exp(&mut Env::default(), &definition.body))?;
        let scope = self.close();
        let costly = scope.statements.len() > CHEAP || !scope.statements.iter().all(is_scalar);
        if costly && self.constant_params.is_some() && !value.ty.has_functions() {
            return Ok(self.constant_param(def, &value.ty));
        }
        self.splice(scope);
        Ok(value)
    }

    /// Adds parameters for a constant to the function being lowered.
    fn constant_param(&mut self, def: DefId, ty: &ValueTy) -> Value<'t> {
        let mut sizes: BTreeMap<Var, Var> = BTreeMap::new();
        let ty = ty.map_sizes(&mut |size| match size {
            Atom::Var(var) if !self.visible(*size) => {
                let fresh = *sizes.entry(*var).or_insert_with(|| self.size_param(var.text.as_str()));
                Atom::Var(fresh)
            }
            Atom::Var(_) | Atom::Const(_) => *size,
        });
        let leaves: Vec<Var> = ty.leaf_types().iter().map(|_| self.fresh("constant")).collect();
        let value = Value::of_atoms(ty.clone(), leaves.iter().copied().map(Atom::Var));
        let sizes = sizes.into_values().collect();
        if let Some(params) = &mut self.constant_params {
            params.push(ConstantParam { def, ty, sizes, leaves });
        }
        value
    }

    /// The arguments for the constants that a function takes; `atoms` learns the sizes in them.
    pub(super) fn constant_args(
        &mut self,
        params: &[ConstantParam],
        atoms: &mut BTreeMap<Var, Atom>,
    ) -> Outcome<Vec<Atom>> {
        let mut args = Vec::new();
        for param in params {
            let value = self.constant(param.def)?;
            for (formal, actual) in param.ty.sizes().into_iter().zip(value.ty.sizes()) {
                if let Atom::Var(formal) = formal {
                    atoms.entry(formal).or_insert(actual);
                }
            }
            args.extend(param.sizes.iter().map(|size| atoms.get(size).copied().unwrap_or(Atom::i64(0))));
            args.extend(value.atoms());
        }
        Ok(args)
    }
}

impl ConstantParam {
    /// Its variables, sizes first, in the order of [`Lowerer::constant_args`].
    pub(super) fn vars(&self) -> impl Iterator<Item = Var> + '_ {
        self.sizes.iter().chain(&self.leaves).copied()
    }

    /// What the function takes.
    pub(super) fn params(&self) -> Vec<Param> {
        let size = |var: &Var| Binder { var: *var, ty: ir::Type::Prim(PrimType::I64) };
        let leaves = self.leaves.iter().zip(self.ty.leaf_types()).map(|(var, ty)| Binder { var: *var, ty });
        let binders = self.sizes.iter().map(size).chain(leaves);
        binders.map(|binder| Param { binder, implicit: false, unique: false }).collect()
    }
}

/// Whether a statement works on scalars alone and has no statements inside.
fn is_scalar(statement: &Statement) -> bool {
    matches!(
        statement.exp,
        Exp::Atom(_) | Exp::Bin(..) | Exp::Un(..) | Exp::Fma(..) | Exp::Convert { .. } | Exp::Assert { .. }
    )
}
