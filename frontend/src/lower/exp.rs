//! Expressions.

use super::sizes::Effort;
use super::value::{Env, Expected, Head, InstanceOf, Leaf, LocalFunction, Value};
use super::{Lowerer, Outcome};
use crate::typed::{DefId, Exp, ExpKind, Instance};
use crate::types::Type;
use fun::ir::{self, Atom};
use fun_base::name::{Symbol, Var};
use fun_base::prim::{PrimType, PrimValue};
use std::rc::Rc;

impl<'t> Lowerer<'t> {
    /// Lowers an expression into the innermost scope. Existential sizes that it binds are added to the environment; names
    /// are too, which harms nothing because they are unique.
    pub(super) fn lower_exp(&mut self, env: &mut Env<'t>, exp: &'t Exp) -> Outcome<Value<'t>> {
        // Chains of `let` are as long as programs: no recursion for them.
        let mut exp = exp;
        loop {
            match &exp.kind {
                ExpKind::Let { sizes: _, pattern, value, body } => {
                    let value = self.lower_exp(env, value)?;
                    self.at(pattern.span, |this| this.bind_pattern(env, pattern, value))?;
                    exp = body;
                }
                ExpKind::LetDef { var, scheme, value, body } => {
                    let local = match &value.kind {
                        ExpKind::Lambda { params, body, exts: _ } => {
                            self.local_function(env, params, body)?
                        }
                        _ => None,
                    };
                    let function = LocalFunction { scheme, value, env: env.clone(), local };
                    env.functions.insert(*var, Rc::new(function));
                    exp = body;
                }
                _ => return self.at(exp.span, |this| this.lower_simple(env, exp)),
            }
        }
    }

    /// Lowers an expression that is no `let`.
    fn lower_simple(&mut self, env: &mut Env<'t>, exp: &'t Exp) -> Outcome<Value<'t>> {
        match &exp.kind {
            ExpKind::Const(value) => Ok(Value::scalar(Atom::Const(*value), value.prim_type())),
            ExpKind::Bytes(bytes) => self.lower_bytes(bytes),
            ExpKind::Var(var) => match env.values.get(var) {
                Some(value) => Ok(value.clone()),
                None => Err(self.inconsistent(format!("{var} is not in scope"))),
            },
            ExpKind::Def(def, instance) => self.lower_def(env, *def, instance, exp),
            ExpKind::Intrinsic(intrinsic, instance) => {
                let instance = InstanceOf { instance, scheme: None, env: env.clone() };
                Ok(Value::function(Head::Intrinsic(*intrinsic, instance)))
            }
            ExpKind::LocalDef(var, instance) => self.lower_local_def(env, *var, instance),
            ExpKind::Record(fields) => self.lower_record(env, exp, fields),
            ExpKind::Project(record, field) => {
                let record = self.lower_exp(env, record)?;
                record.field(*field).ok_or_else(|| self.inconsistent(format!("no field {field}")))
            }
            ExpKind::UpdateField(record, path, value) => {
                let record = self.lower_exp(env, record)?;
                let value = self.lower_exp(env, value)?;
                self.update_field(record, path, value)
            }
            ExpKind::ArrayLiteral(elements) => self.lower_array_literal(env, exp, elements),
            ExpKind::Range { first, second, end, exts: _ } => {
                let range = self.lower_range(env, first, second.as_deref(), end)?;
                self.match_type(env, &exp.ty, &range.ty);
                Ok(range)
            }
            ExpKind::Index { array, indices, exts: _ } => {
                let value = self.lower_exp(env, array)?;
                let result = self.lower_index(env, value, indices)?;
                self.match_type(env, &exp.ty, &result.ty);
                Ok(result)
            }
            ExpKind::Update { array, indices, value } => self.lower_update(env, array, indices, value),
            ExpKind::Apply { function, args, exts: _ } => {
                // Arguments come before functions: these may need sizes that only the arguments decide.
                let is_function = |arg: &Exp| matches!(arg.ty, Type::Arrow(_));
                let mut values: Vec<Option<Value<'t>>> = vec![None; args.len()];
                for functions in [false, true] {
                    for (value, arg) in values.iter_mut().zip(args) {
                        if is_function(arg) == functions {
                            *value = Some(self.lower_exp(env, arg)?);
                        }
                    }
                }
                let values: Vec<Value<'t>> = values.into_iter().flatten().collect();
                let function = self.lower_exp(env, function)?;
                // Evaluated for its side effect: sizes computed here are found again inside of functions.
                self.eval_type(env, &exp.ty, Effort::Cheap);
                let outer = env.clone();
                let result = self.apply(&function, values, Some(Expected { ty: &exp.ty, env: &outer }))?;
                self.match_type(env, &exp.ty, &result.ty);
                Ok(result)
            }
            ExpKind::Lambda { params, body, exts: _ } => {
                Ok(Value::function(match self.local_function(env, params, body)? {
                    Some(local) => Head::Local(local, None),
                    None => Head::Lambda { params, body, env: env.clone(), instance: None },
                }))
            }
            ExpKind::Let { .. } | ExpKind::LetDef { .. } => self.lower_exp(env, exp),
            ExpKind::If { condition, then, otherwise, exts: _ } => {
                let result = self.lower_if(env, exp, condition, then, otherwise)?;
                self.match_type(env, &exp.ty, &result.ty);
                Ok(result)
            }
            ExpKind::Loop { sizes, pattern, kept: _, init, form, body, exts: _ } => {
                let unrolling = std::mem::take(&mut self.unrolling);
                let init = self.lower_exp(env, init)?;
                self.unrolling = unrolling;
                let result = self.lower_loop(env, sizes, pattern, init, form, body)?;
                self.match_type(env, &exp.ty, &result.ty);
                Ok(result)
            }
            ExpKind::Construct(name, args) => self.lower_construct(env, exp, *name, args),
            ExpKind::Match { scrutinee, cases, exts: _ } => {
                let result = self.lower_match(env, exp, scrutinee, cases)?;
                self.match_type(env, &exp.ty, &result.ty);
                Ok(result)
            }
            ExpKind::Hole => {
                let result = self.hole(env, &exp.ty)?;
                self.match_type(env, &exp.ty, &result.ty);
                Ok(result)
            }
            ExpKind::Coerce(value) => {
                let value = self.lower_exp(env, value)?;
                let target = self.eval_type(env, &exp.ty, Effort::Full);
                let result = self.coerce_partly(value, &target, "Value cannot match shape of type")?;
                self.match_type(env, &exp.ty, &result.ty);
                Ok(result)
            }
            ExpKind::Assert { condition, text, value } => {
                if self.safe {
                    let place = condition.span;
                    let condition = self.lower_scalar(env, condition)?;
                    let text = if text.is_empty() { self.text(place).unwrap_or_default() } else { text };
                    let message = format!("Assertion is false: {text}");
                    self.assert(condition, message.trim_end_matches([':', ' ']), Vec::new());
                }
                self.lower_exp(env, value)
            }
            ExpKind::Attribute(attribute, inner) => {
                let (safe, noting) = (self.safe, self.noting);
                self.safe &= attribute.as_str() != "unsafe";
                self.noting |= attribute.as_str() == "warn(safety_checks)";
                self.unrolling = attribute.as_str() == "unroll" && matches!(inner.kind, ExpKind::Loop { .. });
                if attribute.as_str() == "break" {
                    let text = format!("stopped at {}", self.place_text());
                    self.bind(Vec::new(), ir::Exp::Trace { text, args: Vec::new(), pause: true });
                }
                let result = match self.parameter(*attribute, &inner.ty) {
                    Some(value) => Ok(value),
                    None => self.lower_exp(env, inner),
                };
                (self.safe, self.noting) = (safe, noting);
                let tag = attribute.as_str().strip_prefix("trace(").and_then(|rest| rest.strip_suffix(')'));
                match tag {
                    Some(tag) => self.trace(tag, &result?),
                    None if attribute.as_str() == "trace" => {
                        let place = self.place_text();
                        self.trace(&place, &result?)
                    }
                    None => result,
                }
            }
        }
    }

    /// The value of a hole: fails, then stands for nothing.
    pub(super) fn hole(&mut self, env: &Env<'t>, ty: &'t Type) -> Outcome<Value<'t>> {
        self.assert(Atom::Const(PrimValue::Bool(false)), "Reached hole", Vec::new());
        if let Type::Arrow(arrow) = ty {
            return Ok(Value::function(Head::Hole { result: &arrow.result, env: env.clone() }));
        }
        let ty = self.eval_type(env, ty, Effort::Cheap);
        Ok(self.blank_value(ty.map_sizes(&mut |size| size.unwrap_or(Atom::i64(0)))))
    }

    /// Where the expression being lowered stands.
    fn place_text(&self) -> String {
        self.loc().map_or_else(|| "the prelude".to_owned(), |loc| loc.to_string())
    }

    /// The value that was given for `#[param(name)]`.
    fn parameter(&self, attribute: Symbol, ty: &Type) -> Option<Value<'t>> {
        let name = attribute.as_str().strip_prefix("param(")?.strip_suffix(')')?;
        let value = self.program.parameters.get(&Symbol::new(name))?;
        (*ty == Type::Prim(PrimType::I64)).then(|| Value::scalar(Atom::i64(*value), PrimType::I64))
    }

    /// The value, after telling whoever watches what it is.
    fn trace(&mut self, tag: &str, value: &Value<'t>) -> Outcome<Value<'t>> {
        if !value.ty.has_functions() {
            let text = format!("{}: {}", tag.replace(['{', '}'], ""), value.ty.template());
            self.bind(Vec::new(), ir::Exp::Trace { text, args: value.atoms(), pause: false });
        }
        Ok(value.clone())
    }

    /// Lowers an expression of primitive type.
    pub(super) fn lower_scalar(&mut self, env: &mut Env<'t>, exp: &'t Exp) -> Outcome<Atom> {
        let value = self.lower_exp(env, exp)?;
        self.scalar(&value)
    }

    /// The atom of a scalar.
    pub(super) fn scalar(&self, value: &Value<'t>) -> Outcome<Atom> {
        match value.leaves.as_slice() {
            [Leaf::Atom(atom)] => Ok(*atom),
            _ => Err(self.inconsistent("a scalar was expected")),
        }
    }

    /// A string literal.
    fn lower_bytes(&mut self, bytes: &[u8]) -> Outcome<Value<'t>> {
        let elems: Vec<Atom> = bytes.iter().map(|byte| Atom::Const(PrimValue::U8(*byte))).collect();
        self.literal_of_scalars(PrimType::U8, elems)
    }

    fn lower_record(
        &mut self,
        env: &mut Env<'t>,
        exp: &'t Exp,
        fields: &'t [(Symbol, Exp)],
    ) -> Outcome<Value<'t>> {
        let mut values = Vec::with_capacity(fields.len());
        for (name, field) in fields {
            values.push((*name, self.lower_exp(env, field)?));
        }
        // Evaluated as written, kept in the order of the type.
        if let crate::types::Type::Record(order) = exp.ty.without_unique() {
            values.sort_by_cached_key(|(name, _)| order.iter().position(|(field, _)| field == name));
        }
        Ok(Value::record(values))
    }

    fn update_field(&mut self, record: Value<'t>, path: &[Symbol], value: Value<'t>) -> Outcome<Value<'t>> {
        let Some((name, rest)) = path.split_first() else { return Ok(value) };
        let Some(mut fields) = record.fields() else {
            return Err(self.inconsistent("a record was expected"));
        };
        for (field, old) in &mut fields {
            if field == name {
                *old = self.update_field(old.clone(), rest, value)?;
                return Ok(Value::record(fields));
            }
        }
        Err(self.inconsistent(format!("no field {name}")))
    }

    /// A reference to a top-level definition: a function, or the value of a constant.
    fn lower_def(
        &mut self,
        env: &mut Env<'t>,
        def: DefId,
        instance: &'t Instance,
        exp: &'t Exp,
    ) -> Outcome<Value<'t>> {
        let definition = &self.program.definitions[def.0 as usize];
        let instance = InstanceOf { instance, scheme: Some(&definition.scheme), env: env.clone() };
        if !definition.params.is_empty() {
            return Ok(Value::function(Head::Def(def, instance)));
        }
        let value = if definition.scheme.types.is_empty() && definition.scheme.sizes.is_empty() {
            self.constant(def)?
        } else {
            let mut inner = Env::default();
            self.bind_instance(&mut inner, &instance);
            self.within(definition, |this| this.lower_exp(&mut inner, &definition.body))?
        };
        self.match_type(env, &exp.ty, &value.ty);
        Ok(value)
    }

    /// Runs `f` as if only the outermost scope of the function were open.
    pub(super) fn at_top<T>(&mut self, f: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        let mut inner = Vec::new();
        while self.scopes.len() > 1 {
            inner.push(self.close());
        }
        let result = f(self);
        self.close_to(1);
        while let Some(scope) = inner.pop() {
            self.reopen(scope);
        }
        result
    }

    /// A use of a local polymorphic function.
    fn lower_local_def(&mut self, env: &Env<'t>, var: Var, instance: &'t Instance) -> Outcome<Value<'t>> {
        let Some(function) = env.functions.get(&var).cloned() else {
            return Err(self.inconsistent(format!("{var} is not in scope")));
        };
        let instance = InstanceOf { instance, scheme: Some(function.scheme), env: env.clone() };
        if let Some(local) = &function.local {
            return Ok(Value::function(Head::Local(local.clone(), Some(instance))));
        }
        let mut inner = function.env.clone();
        if let ExpKind::Lambda { params, body, exts: _ } = &function.value.kind {
            return Ok(Value::function(Head::Lambda { params, body, env: inner, instance: Some(instance) }));
        }
        self.bind_instance(&mut inner, &instance);
        self.lower_exp(&mut inner, function.value)
    }

    /// An array of constants or variables of primitive type.
    pub(super) fn literal_of_scalars(&mut self, prim: PrimType, elems: Vec<Atom>) -> Outcome<Value<'t>> {
        let size = Atom::i64(elems.len() as i64);
        let ty = super::value::Ty::array(size, super::value::Ty::Prim(prim));
        let row = ir::Type::Prim(prim);
        let array_ty = ir::Type::array_of(&[size], &row);
        let array = self.emit("lit", array_ty, ir::Exp::ArrayLiteral { row, elems });
        Ok(Value::of_atoms(ty, [array.into()]))
    }
}
