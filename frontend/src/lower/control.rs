//! `if` and loops, with the sizes that they decide.

use super::emit::Scope;
use super::sizes::{Effort, known_sizes};
use super::value::{Env, Ty, Value, ValueTy};
use super::{Lowerer, Outcome};
use crate::typed::{Exp, LoopForm, Pattern};
use crate::types::{Size, Type};
use fun::ir::{self, Atom, Binder, LoopParam};
use fun_base::name::Var;
use fun_base::prim::{PrimType, PrimValue, UnOp};

impl<'t> Lowerer<'t> {
    /// `if condition then a else b`.
    pub(super) fn lower_if(
        &mut self,
        env: &mut Env<'t>,
        exp: &'t Exp,
        condition: &'t Exp,
        then: &'t Exp,
        otherwise: &'t Exp,
    ) -> Outcome<Value<'t>> {
        let condition = self.lower_scalar(env, condition)?;
        match condition {
            Atom::Const(PrimValue::Bool(true)) => return self.lower_exp(env, then),
            Atom::Const(_) => return self.lower_exp(env, otherwise),
            Atom::Var(_) => {}
        }
        let expected = self.eval_type(env, &exp.ty, Effort::Cheap);
        self.open();
        self.assume(condition);
        let a = self.lower_exp(&mut env.clone(), then)?;
        let then = self.close();
        self.open();
        let b = self.lower_exp(&mut env.clone(), otherwise)?;
        let otherwise = self.close();
        self.branches(condition, (then, a), (otherwise, b), &expected)
    }

    /// The value of either branch, by what costs least.
    pub(super) fn branches(
        &mut self,
        condition: Atom,
        (then, a): (Scope, Value<'t>),
        (otherwise, b): (Scope, Value<'t>),
        expected: &super::value::PartialTy,
    ) -> Outcome<Value<'t>> {
        self.first_order(&a.ty)?;
        if let (Ty::Prim(PrimType::Bool), Ty::Prim(PrimType::Bool)) = (&a.ty, &b.ty) {
            let (then, otherwise) = match self.connective(condition, &a, &b, then, otherwise)? {
                Ok(result) => return Ok(result),
                Err(scopes) => scopes,
            };
            return self.join_branches(condition, (then, a), (otherwise, b), expected);
        }
        self.join_branches(condition, (then, a), (otherwise, b), expected)
    }

    /// `&&` and `||` whose second operand is cheap and cannot fail are operators; otherwise the scopes are given back.
    fn connective(
        &mut self,
        condition: Atom,
        a: &Value<'t>,
        b: &Value<'t>,
        then: Scope,
        otherwise: Scope,
    ) -> Outcome<Result<Value<'t>, (Scope, Scope)>> {
        let (a, b) = (self.scalar(a)?, self.scalar(b)?);
        let yes = Atom::Const(PrimValue::Bool(true));
        let no = Atom::Const(PrimValue::Bool(false));
        let result = if b == no && otherwise.statements.is_empty() && harmless(&then) {
            self.splice(then);
            self.and(condition, a)
        } else if a == yes && then.statements.is_empty() && harmless(&otherwise) {
            self.splice(otherwise);
            self.or(condition, b)
        } else if a == no && b == yes && then.statements.is_empty() && otherwise.statements.is_empty() {
            self.un(UnOp::Not, PrimType::Bool, condition)
        } else {
            return Ok(Err((then, otherwise)));
        };
        Ok(Ok(Value::scalar(result, PrimType::Bool)))
    }

    /// Writes the `if`. Sizes that are the same in both branches, or known outside, stay; others become results.
    fn join_branches(
        &mut self,
        condition: Atom,
        (then, a): (Scope, Value<'t>),
        (otherwise, b): (Scope, Value<'t>),
        expected: &super::value::PartialTy,
    ) -> Outcome<Value<'t>> {
        let (sizes_a, sizes_b) = (a.ty.sizes(), b.ty.sizes());
        if sizes_a.len() != sizes_b.len() {
            return Err(self.inconsistent("the branches of an `if` have different types"));
        }
        let known = known_sizes(&a.ty, expected);
        // For each size the atom that both branches agree on, if any.
        let mut agreed = Vec::with_capacity(known.len());
        for ((a, b), known) in sizes_a.iter().zip(&sizes_b).zip(known) {
            agreed.push(if a == b && self.visible(*a) { Some(*a) } else { known });
        }
        let open: Vec<usize> = (0..agreed.len()).filter(|k| agreed[*k].is_none()).collect();
        let mut branch = |scope: Scope, value: Value<'t>, sizes: &[Atom]| -> Outcome<ir::Body> {
            self.reopen(scope);
            let target = with_sizes(&value.ty, |k| agreed[k].unwrap_or(sizes[k]));
            let value = self.coerce(value, &target, "Branch of `if` has unexpected size")?;
            let results = open.iter().map(|k| sizes[*k]).chain(value.atoms()).collect();
            Ok(self.close_body(results))
        };
        let ty_a = a.ty.clone();
        let then = branch(then, a, &sizes_a)?;
        let otherwise = branch(otherwise, b, &sizes_b)?;
        let mut pattern = Vec::new();
        let mut sizes = agreed;
        for k in open {
            let var = self.fresh("size");
            self.facts.natural(var);
            pattern.push(Binder { var, ty: ir::Type::Prim(PrimType::I64) });
            sizes[k] = Some(var.into());
        }
        let ty = with_sizes(&ty_a, |k| sizes[k].unwrap_or(Atom::i64(0)));
        let binders = self.binders("if", &ty);
        let atoms: Vec<Atom> = binders.iter().map(|binder| binder.var.into()).collect();
        pattern.extend(binders);
        if pattern.is_empty() && then.statements.is_empty() && otherwise.statements.is_empty() {
            return Ok(Value::of_atoms(ty, atoms));
        }
        self.bind(pattern, ir::Exp::If { condition, then, otherwise });
        Ok(Value::of_atoms(ty, atoms))
    }

    /// A loop. Sizes in the type of its pattern that `sizes` names are loop parameters of their own.
    pub(super) fn lower_loop(
        &mut self,
        env: &mut Env<'t>,
        sizes: &'t [Var],
        pattern: &'t Pattern,
        init: Value<'t>,
        form: &'t LoopForm,
        body: &'t Exp,
    ) -> Outcome<Value<'t>> {
        self.first_order(&init.ty)?;
        let unrolling = std::mem::take(&mut self.unrolling);
        let varying = varying_sizes(&pattern.ty, &init.ty, sizes);
        let used: Vec<Var> = sizes.iter().copied().filter(|size| varying.contains(&Some(*size))).collect();
        let state = State { varying, used };
        let (init_sizes, init) = state.split(self, init, "Initial value of loop has unexpected size")?;
        // What drives the loop, evaluated before it.
        let counter = match form {
            LoopForm::For(_, bound) => {
                Some((self.lower_scalar(env, bound)?, self.prim_of(env, bound)?, None))
            }
            LoopForm::ForIn(_, array) => {
                let array = self.lower_exp(env, array)?;
                let (size, _) = self.rows(&array)?;
                Some((size, PrimType::I64, Some(array)))
            }
            LoopForm::While(_) => None,
        };
        if unrolling && !matches!(counter, Some((Atom::Const(_), _, _))) {
            let message = "#[unroll] on a loop whose number of iterations is not known";
            self.warn("W0502", message, self.place);
        }
        let first_condition = match form {
            LoopForm::While(condition) => {
                let mut env = env.clone();
                state.bind_sizes(&mut env, &init_sizes);
                self.bind_pattern(&mut env, pattern, init.clone())?;
                Some(self.lower_scalar(&mut env, condition)?)
            }
            LoopForm::For(..) | LoopForm::ForIn(..) => None,
        };

        self.open();
        let mut inner = env.clone();
        let size_params: Vec<Var> = state.used.iter().map(|size| self.fresh(size.text.as_str())).collect();
        size_params.iter().for_each(|size| self.facts.natural(*size));
        let param_sizes: Vec<Atom> = size_params.iter().map(|var| Atom::Var(*var)).collect();
        state.bind_sizes(&mut inner, &param_sizes);
        let param_ty = state.typed(&init.ty, &param_sizes);
        let names = names_of(pattern);
        let binders: Vec<Binder> = param_ty
            .leaf_types()
            .into_iter()
            .enumerate()
            .map(|(k, ty)| Binder { var: self.fresh(names.get(k).map_or("acc", |name| name.as_str())), ty })
            .collect();
        let param = Value::of_atoms(param_ty.clone(), binders.iter().map(|binder| binder.var.into()));
        self.bind_pattern(&mut inner, pattern, param)?;
        let mut params: Vec<LoopParam> = Vec::new();
        let i64_type = ir::Type::Prim(PrimType::I64);
        for (var, init) in size_params.iter().zip(&init_sizes) {
            params.push(LoopParam { binder: Binder { var: *var, ty: i64_type.clone() }, init: *init });
        }
        let mut drive = None;
        if let Some(init) = first_condition {
            let var = self.fresh("continue");
            let ty = ir::Type::Prim(PrimType::Bool);
            params.push(LoopParam { binder: Binder { var, ty }, init });
            drive = Some(ir::LoopForm::While(var));
        }
        for (binder, init) in binders.into_iter().zip(init.atoms()) {
            params.push(LoopParam { binder, init });
        }
        if let Some((bound, ty, array)) = counter {
            let var = self.fresh(match form {
                LoopForm::For(var, _) => var.text.as_str(),
                LoopForm::ForIn(..) | LoopForm::While(_) => "i",
            });
            if ty == PrimType::I64 {
                self.facts.counts(var, bound);
            }
            match (form, array) {
                (LoopForm::For(name, _), _) => {
                    inner.values.insert(*name, Value::scalar(var, ty));
                }
                (LoopForm::ForIn(pattern, _), Some(array)) => {
                    let element = self.element(&array, var.into())?;
                    self.bind_pattern(&mut inner, pattern, element)?;
                }
                (LoopForm::ForIn(..) | LoopForm::While(_), _) => {}
            }
            drive = Some(ir::LoopForm::For { var, ty, bound });
        }
        let Some(drive) = drive else { return Err(self.inconsistent("a loop that nothing drives")) };
        let mut body_env = inner.clone();
        let next = self.lower_exp(&mut body_env, body)?;
        let (next_sizes, next) = state.split(self, next, "Value of loop body has unexpected size")?;
        // Sizes that do not vary must be those of the initial value.
        let target = state.typed(&init.ty, &next_sizes);
        let next = self.coerce(next, &target, "Shape of result does not match shape of initial value")?;
        let mut results = next_sizes.clone();
        if let LoopForm::While(condition) = form {
            let mut env = env.clone();
            state.bind_sizes(&mut env, &next_sizes);
            self.bind_pattern(&mut env, pattern, next.clone())?;
            results.push(self.lower_scalar(&mut env, condition)?);
        }
        results.extend(next.atoms());
        let body = self.close_body(results);

        let result_sizes: Vec<Var> = state.used.iter().map(|size| self.fresh(size.text.as_str())).collect();
        result_sizes.iter().for_each(|size| self.facts.natural(*size));
        let size_atoms: Vec<Atom> = result_sizes.iter().map(|var| Atom::Var(*var)).collect();
        let ty = state.typed(&init.ty, &size_atoms);
        let mut out: Vec<Binder> =
            result_sizes.iter().map(|var| Binder { var: *var, ty: i64_type.clone() }).collect();
        if matches!(drive, ir::LoopForm::While(_)) {
            out.push(Binder { var: self.fresh("continue"), ty: ir::Type::Prim(PrimType::Bool) });
        }
        let atoms: Vec<Atom> = ty
            .leaf_types()
            .into_iter()
            .enumerate()
            .map(|(k, ty)| {
                let var = self.fresh(names.get(k).map_or("acc", |name| name.as_str()));
                out.push(Binder { var, ty });
                var.into()
            })
            .collect();
        self.bind(out, ir::Exp::Loop { params, form: drive, body });
        Ok(Value::of_atoms(ty, atoms))
    }

    /// The primitive type of an expression.
    fn prim_of(&mut self, env: &Env<'t>, exp: &'t Exp) -> Outcome<PrimType> {
        match self.eval_type(env, &exp.ty, Effort::Cheap) {
            Ty::Prim(prim) => Ok(prim),
            Ty::Array(..) | Ty::Record(_) | Ty::Sum(_) | Ty::Function => {
                Err(self.inconsistent("a scalar was expected"))
            }
        }
    }

    /// `foldl f init array`: a loop over the elements.
    pub(super) fn foldl(&mut self, f: &Value<'t>, init: Value<'t>, array: &Value<'t>) -> Outcome<Value<'t>> {
        self.first_order(&init.ty)?;
        let (bound, _) = self.rows(array)?;
        self.open();
        let binders = self.binders("acc", &init.ty);
        let var = self.fresh("i");
        self.facts.counts(var, bound);
        let accumulator = Value::of_atoms(init.ty.clone(), binders.iter().map(|binder| binder.var.into()));
        let element = self.element(array, var.into())?;
        let next = self.apply(f, vec![accumulator, element], None)?;
        let next = self.coerce(next, &init.ty, "Shape of result does not match shape of initial value")?;
        let body = self.close_body(next.atoms());
        let params =
            binders.into_iter().zip(init.atoms()).map(|(binder, init)| LoopParam { binder, init }).collect();
        let pattern = self.binders("fold", &init.ty);
        let result = Value::of_atoms(init.ty, pattern.iter().map(|binder| binder.var.into()));
        let form = ir::LoopForm::For { var, ty: PrimType::I64, bound };
        self.bind(pattern, ir::Exp::Loop { params, form, body });
        Ok(result)
    }
}

/// Whether statements are cheap and cannot fail.
pub(super) fn harmless(scope: &Scope) -> bool {
    scope.statements.len() <= 8
        && scope.statements.iter().all(|statement| {
            matches!(
                &statement.exp,
                ir::Exp::Un(..) | ir::Exp::Fma(..) | ir::Exp::Convert { .. } | ir::Exp::Atom(_)
            ) || matches!(&statement.exp, ir::Exp::Bin(op, prim, ..) if !op.can_fail(*prim))
        })
}

/// How the sizes of a loop's parameter behave.
struct State {
    /// For each size of the type: the name of the size, if it varies.
    varying: Vec<Option<Var>>,
    /// The names that occur.
    used: Vec<Var>,
}

impl State {
    /// The varying sizes of a value, and the value under a type in which each has one atom.
    fn split<'t>(
        &self,
        lowerer: &mut Lowerer<'t>,
        value: Value<'t>,
        message: &str,
    ) -> Outcome<(Vec<Atom>, Value<'t>)> {
        let sizes = value.ty.sizes();
        let first = |name: &Var| {
            let at = self.varying.iter().position(|size| size.as_ref() == Some(name));
            at.and_then(|at| sizes.get(at).copied()).unwrap_or(Atom::i64(0))
        };
        let atoms: Vec<Atom> = self.used.iter().map(first).collect();
        let target = self.typed(&value.ty, &atoms);
        let value = lowerer.coerce(value, &target, message)?;
        Ok((atoms, value))
    }

    /// The type with the varying sizes replaced.
    fn typed(&self, ty: &ValueTy, atoms: &[Atom]) -> ValueTy {
        let sizes = ty.sizes();
        with_sizes(ty, |k| {
            let name = self.varying.get(k).copied().flatten();
            let at = name.and_then(|name| self.used.iter().position(|size| *size == name));
            at.and_then(|at| atoms.get(at).copied()).unwrap_or(sizes[k])
        })
    }

    fn bind_sizes<'t>(&self, env: &mut Env<'t>, atoms: &[Atom]) {
        for (name, atom) in self.used.iter().zip(atoms) {
            env.values.insert(*name, Value::scalar(*atom, PrimType::I64));
        }
    }
}

/// The type with size `k` (in order) replaced by `size(k)`.
fn with_sizes(ty: &ValueTy, size: impl Fn(usize) -> Atom) -> ValueTy {
    let mut k = 0;
    ty.map_sizes(&mut |_| {
        k += 1;
        size(k - 1)
    })
}

/// For each size of the value's type the name among `sizes` that the pattern's type has there.
fn varying_sizes(ty: &Type, actual: &ValueTy, sizes: &[Var]) -> Vec<Option<Var>> {
    fn walk(ty: Option<&Type>, actual: &ValueTy, sizes: &[Var], found: &mut Vec<Option<Var>>) {
        let ty = ty.map(Type::without_unique);
        match actual {
            Ty::Prim(_) | Ty::Function => {}
            Ty::Array(_, element) => {
                let below = if let Some(Type::Array(size, below)) = ty { Some((size, below)) } else { None };
                found.push(match below {
                    Some((Size::Var(var), _)) if sizes.contains(var) => Some(*var),
                    _ => None,
                });
                walk(below.map(|(_, below)| &**below), element, sizes, found);
            }
            Ty::Sum(constructors) => {
                let types = if let Some(Type::Sum(types)) = ty { types.as_slice() } else { &[] };
                for (k, (_, payload)) in constructors.iter().enumerate() {
                    for (part, actual) in payload.iter().enumerate() {
                        walk(types.get(k).and_then(|(_, types)| types.get(part)), actual, sizes, found);
                    }
                }
            }
            Ty::Record(fields) => {
                for (name, actual) in fields.iter() {
                    let part = if let Some(Type::Record(types)) = ty {
                        types.iter().find(|(field, _)| field == name).map(|(_, ty)| ty)
                    } else {
                        None
                    };
                    walk(part, actual, sizes, found);
                }
            }
        }
    }
    let mut found = Vec::new();
    walk(Some(ty), actual, sizes, &mut found);
    found
}

/// Names for the leaves of a pattern of scalars and arrays, as far as it names them.
fn names_of(pattern: &Pattern) -> Vec<fun_base::name::Symbol> {
    fn walk(pattern: &Pattern, names: &mut Vec<fun_base::name::Symbol>) -> bool {
        match &pattern.kind {
            crate::typed::PatternKind::Var(var) => {
                names.push(var.text);
                matches!(pattern.ty.without_unique(), Type::Prim(_) | Type::Array(..))
            }
            crate::typed::PatternKind::Wildcard => {
                names.push("unused".into());
                matches!(pattern.ty.without_unique(), Type::Prim(_) | Type::Array(..))
            }
            crate::typed::PatternKind::Constructor(..) | crate::typed::PatternKind::Literal(_) => false,
            crate::typed::PatternKind::Record(fields) => {
                fields.iter().all(|(_, pattern)| walk(pattern, names))
            }
        }
    }
    let mut names = Vec::new();
    // Only patterns whose names are one for each leaf: otherwise a name could stand at the wrong one.
    if walk(pattern, &mut names) { names } else { Vec::new() }
}
