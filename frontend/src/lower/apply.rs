//! Patterns and application.

use super::value::{Closure, Env, Expected, Head, Leaf, Value};
use super::{Lowerer, Outcome};
use crate::typed::{DefId, Pattern, PatternKind};
use std::rc::Rc;

impl<'t> Lowerer<'t> {
    /// Binds the variables of a pattern, then the sizes that its type names.
    pub(super) fn bind_pattern(
        &mut self,
        env: &mut Env<'t>,
        pattern: &'t Pattern,
        value: Value<'t>,
    ) -> Outcome<()> {
        let ty = value.ty.clone();
        self.bind_names(env, pattern, value)?;
        self.match_type(env, &pattern.ty, &ty);
        Ok(())
    }

    /// Binds the variables of a pattern.
    fn bind_names(&mut self, env: &mut Env<'t>, pattern: &'t Pattern, value: Value<'t>) -> Outcome<()> {
        match &pattern.kind {
            PatternKind::Var(var) => {
                env.values.insert(*var, value);
            }
            PatternKind::Wildcard | PatternKind::Literal(_) => {}
            PatternKind::Constructor(name, patterns) => {
                let position = value
                    .constructors()
                    .and_then(|constructors| constructors.iter().position(|(other, _)| other == name));
                let Some(k) = position else {
                    return Err(self.inconsistent(format!("no constructor {name} in {:?}", value.ty)));
                };
                for (pattern, part) in patterns.iter().zip(value.payload(k)) {
                    self.bind_names(env, pattern, part)?;
                }
            }
            PatternKind::Record(fields) => {
                for (name, pattern) in fields {
                    let Some(part) = value.field(*name) else {
                        return Err(self.inconsistent(format!("no field {name} in {:?}", value.ty)));
                    };
                    self.bind_names(env, pattern, part)?;
                }
            }
        }
        Ok(())
    }

    /// Binds parameters to arguments; names first, so that a size that is also a parameter is that parameter.
    pub(super) fn bind_params(
        &mut self,
        env: &mut Env<'t>,
        params: &'t [Pattern],
        args: Vec<Value<'t>>,
    ) -> Outcome<()> {
        let types: Vec<_> = args.iter().map(|arg| arg.ty.clone()).collect();
        for (param, arg) in params.iter().zip(args) {
            self.bind_names(env, param, arg)?;
        }
        for (param, ty) in params.iter().zip(&types) {
            self.match_type(env, &param.ty, ty);
        }
        Ok(())
    }

    /// Applies a function to more arguments: runs it when it has them all.
    pub(super) fn apply(
        &mut self,
        function: &Value<'t>,
        args: Vec<Value<'t>>,
        expected: Option<Expected<'_, 't>>,
    ) -> Outcome<Value<'t>> {
        let Some(Leaf::Function(closure)) = function.leaves.first() else {
            return Err(self.inconsistent("application of what is not a function"));
        };
        let mut closure = Rc::clone(closure);
        let mut pending = args.into_iter();
        loop {
            let arity = self.arity(&closure.head);
            let mut applied = closure.args.clone();
            while applied.len() < arity {
                let Some(arg) = pending.next() else {
                    return Ok(Value::closure(Closure { head: closure.head.clone(), args: applied }));
                };
                applied.push(arg);
            }
            let last = pending.len() == 0;
            let result = self.run(&closure.head, applied, if last { expected } else { None })?;
            if last {
                return Ok(result);
            }
            match result.leaves.into_iter().next() {
                Some(Leaf::Function(next)) => closure = next,
                Some(Leaf::Atom(_)) | None => return Err(self.inconsistent("too many arguments")),
            }
        }
    }

    /// How many arguments a function needs to run.
    fn arity(&self, head: &Head<'t>) -> usize {
        match head {
            Head::Lambda { params, .. } => params.len(),
            Head::Local(local, _) => local.arity(),
            Head::Def(def, _) => self.program.definitions[def.0 as usize].params.len(),
            Head::Intrinsic(intrinsic, _) => super::intrinsic::arity(*intrinsic),
            Head::Hole { .. } | Head::Absent => 1,
        }
    }

    /// Applies a function to exactly as many arguments as it has parameters.
    fn run(
        &mut self,
        head: &Head<'t>,
        args: Vec<Value<'t>>,
        expected: Option<Expected<'_, 't>>,
    ) -> Outcome<Value<'t>> {
        match head {
            Head::Lambda { params, body, env, instance } => {
                let mut env = env.clone();
                self.bind_params(&mut env, params, args)?;
                if let Some(instance) = instance {
                    self.bind_instance(&mut env, instance);
                }
                self.lower_exp(&mut env, body)
            }
            Head::Local(local, instance) => self.call_local(local, instance.as_ref(), args),
            Head::Def(def, instance) => {
                if let Some(result) = self.zip_of_prelude(*def, &args)? {
                    return Ok(result);
                }
                let definition = &self.program.definitions[def.0 as usize];
                let mut env = Env::default();
                if self.calls(*def, &args) {
                    return self.call(*def, instance, args);
                }
                self.bind_params(&mut env, &definition.params, args)?;
                self.bind_instance(&mut env, instance);
                self.within(definition, |this| this.lower_exp(&mut env, &definition.body))
            }
            Head::Hole { result, env } => self.hole(env, result),
            Head::Absent => {
                Err(self.inconsistent("the function of a constructor that a value does not have"))
            }
            Head::Intrinsic(intrinsic, instance) => self.run_intrinsic(*intrinsic, instance, args, expected),
        }
    }

    /// Runs `f` under the attributes of a definition.
    pub(super) fn within<T>(
        &mut self,
        definition: &'t crate::typed::Definition,
        f: impl FnOnce(&mut Self) -> Outcome<T>,
    ) -> Outcome<T> {
        let safe = self.safe;
        self.safe &= !definition.attributes.iter().any(|attribute| attribute.as_str() == "unsafe");
        let result = f(self);
        self.safe = safe;
        result
    }

    /// `zip3` to `unzip5` of the prelude only rearrange components: no map is needed for them.
    fn zip_of_prelude(&mut self, def: DefId, args: &[Value<'t>]) -> Outcome<Option<Value<'t>>> {
        let definition = &self.program.definitions[def.0 as usize];
        if !self.in_prelude(definition.span) {
            return Ok(None);
        }
        match (definition.name.as_str(), args) {
            ("zip2" | "zip3" | "zip4" | "zip5", arrays) => Ok(Some(self.fresh_zip(arrays.to_vec())?)),
            ("unzip2" | "unzip3" | "unzip4" | "unzip5", [array]) => Ok(Some(self.unzip(array)?)),
            _ => Ok(None),
        }
    }
}
