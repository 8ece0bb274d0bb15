//! Derivatives: `jvp2`, `vjp2` and `with_vjp`. What they are applied to becomes a lambda; the pass `ad` takes the derivative.

use super::value::{Value, ValueTy};
use super::{Lowerer, Outcome};
use fun::ir::{Atom, Body, Exp, Fun, Lambda, Mode};
use fun::visit::{Walk, walk_exp};
use fun_base::diag::Diagnostic;
use fun_base::name::Symbol;
use std::collections::BTreeMap;

/// A function with more statements than this, those of the functions that it calls in place of the calls, is not differentiated:
/// differentiation puts them in place, and chains of calls can make exponentially many.
const LARGEST: u64 = 100_000;

impl<'t> Lowerer<'t> {
    /// `jvp2 f x x'`.
    pub(super) fn jvp(&mut self, f: &Value<'t>, x: &Value<'t>, tangent: Value<'t>) -> Outcome<Value<'t>> {
        let (function, ty) = self.differentiable(f, x, None)?;
        let tangent = self.coerce(tangent, &x.ty, "The tangent has another shape than the argument")?;
        let mode = Mode::Jvp { tangents: tangent.atoms() };
        Ok(self.derivative(mode, function, x, vec![ty.clone(), ty]))
    }

    /// `vjp2 f x y'`.
    pub(super) fn vjp(&mut self, f: &Value<'t>, x: &Value<'t>, adjoint: &Value<'t>) -> Outcome<Value<'t>> {
        self.first_order(&adjoint.ty)?;
        let (function, ty) = self.differentiable(f, x, Some(&adjoint.ty))?;
        let mode = Mode::Vjp { adjoints: adjoint.atoms() };
        Ok(self.derivative(mode, function, x, vec![ty, x.ty.clone()]))
    }

    /// `with_vjp f adjoint x`.
    pub(super) fn with_vjp(
        &mut self,
        f: &Value<'t>,
        adjoint: &Value<'t>,
        x: &Value<'t>,
    ) -> Outcome<Value<'t>> {
        let (function, ty) = self.differentiable(f, x, None)?;
        self.open();
        let (results, adjoints) = (self.binders("y", &ty), self.binders("adj", &ty));
        let args = [&results, &adjoints].map(|binders| {
            let atoms = binders.iter().map(|binder| Atom::Var(binder.var));
            Value::of_atoms(ty.clone(), atoms)
        });
        let back = self.apply(adjoint, args.to_vec(), None)?;
        let back = self.coerce(back, &x.ty, "The adjoint has another shape than the argument")?;
        let body = self.close_body(back.atoms());
        let params = results.into_iter().chain(adjoints).collect();
        let mode = Mode::Custom { adjoint: Lambda { params, results: x.ty.leaf_types(), body } };
        let value = self.derivative(mode, function, x, vec![ty]);
        value.fields().and_then(|fields| fields.into_iter().next()).map_or_else(
            || Err(self.inconsistent("a function with an adjoint gives nothing")),
            |(_, value)| Ok(value),
        )
    }

    /// The lambda of a function of `x`, and the type of what it gives: this one, if it is known.
    fn differentiable(
        &mut self,
        f: &Value<'t>,
        x: &Value<'t>,
        ty: Option<&ValueTy>,
    ) -> Outcome<(Lambda, ValueTy)> {
        self.first_order(&x.ty)?;
        self.open();
        let params = self.binders("x", &x.ty);
        let arg = Value::of_atoms(x.ty.clone(), params.iter().map(|param| Atom::Var(param.var)));
        let mut result = self.apply(f, vec![arg], None)?;
        self.first_order(&result.ty)?;
        if let Some(ty) = ty {
            result = self.coerce(result, ty, "The adjoint has another shape than the result")?;
        } else if !result.ty.sizes().into_iter().all(|size| self.visible_outside(size)) {
            // Sizes that only the function knows: it is run once more to tell them.
            let value = self.outside(|this| this.apply(f, vec![x.clone()], None))?;
            result = self.coerce(result, &value.ty, "Result of function has unexpected size")?;
        }
        let body = self.close_body(result.atoms());
        let statements = self.statements_in_place(&body, &mut BTreeMap::new())?;
        if statements > LARGEST {
            let what = format!("the derivative of a function that calls others for {statements} statements");
            return Err(self.limitation(what));
        }
        Ok((Lambda { params, results: result.ty.leaf_types(), body }, result.ty))
    }

    /// How many statements a body has when what it calls stands in place of the calls. `known` is what is known of functions;
    /// nothing while their own bodies are being looked at.
    fn statements_in_place(&self, body: &Body, known: &mut BTreeMap<Symbol, Option<u64>>) -> Outcome<u64> {
        #[derive(Default)]
        struct Survey {
            statements: u64,
            calls: BTreeMap<Symbol, u64>,
        }
        impl Walk<Fun> for Survey {
            fn exp(&mut self, exp: &Exp) {
                self.statements += 1;
                if let Exp::Call { function, .. } = exp {
                    *self.calls.entry(*function).or_insert(0) += 1;
                }
                walk_exp(self, exp);
            }
        }
        let mut survey = Survey::default();
        survey.body(body);
        let mut statements = survey.statements;
        for (name, times) in survey.calls {
            let each = match known.get(&name) {
                Some(Some(each)) => *each,
                // A function that is not finished is the one that this body stands in.
                Some(None) => return Err(self.calls_itself(name)),
                None => {
                    let callee = self.functions.iter().find(|function| function.name == name);
                    let callee = callee.ok_or_else(|| self.calls_itself(name))?;
                    known.insert(name, None);
                    let each = self.statements_in_place(&callee.body, known)?;
                    known.insert(name, Some(each));
                    each
                }
            };
            statements = statements.saturating_add(each.saturating_mul(times));
        }
        Ok(statements)
    }

    fn calls_itself(&self, name: Symbol) -> Box<Diagnostic> {
        self.limitation(format!("the derivative of {name}, which calls itself"))
    }

    /// Writes the derivative at `x`; gives a tuple of values of these types.
    fn derivative(&mut self, mode: Mode, function: Lambda, x: &Value<'t>, types: Vec<ValueTy>) -> Value<'t> {
        let mut pattern = Vec::new();
        let mut fields = Vec::new();
        for (i, ty) in types.into_iter().enumerate() {
            let binders = self.binders("d", &ty);
            let value = Value::of_atoms(ty, binders.iter().map(|binder| Atom::Var(binder.var)));
            pattern.extend(binders);
            fields.push((Symbol::new(&i.to_string()), value));
        }
        self.bind(pattern, Exp::Derive { mode, function, args: x.atoms() });
        Value::record(fields)
    }
}
