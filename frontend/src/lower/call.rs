//! Top-level functions as FUN functions: one for each instance, that is for each way to fill the type parameters up to sizes.
//!
//! Size parameters, sizes inside of type parameters, and sizes of parameters that are no plain names become implicit
//! parameters. Functions of functions, functions that give functions, those of the prelude and those marked `#[inline]` are
//! lowered in place instead.

use super::alias::{Uniqueness, fresh_results};
use super::capture::Captured;
use super::constant::ConstantParam;
use super::emit::readable;
use super::info::entry_info;
use super::layout::Layout;
use super::local::LocalCode;
use super::recursion::{Recursion, with_functions};
use super::sizes::Effort;
use super::value::{Env, Expected, InstanceOf, Leaf, PartialTy, Ty, Value, ValueTy};
use super::{Copies, Lowerer, Outcome};
use crate::typed::{DefId, Exp as SourceExp, Pattern, PatternKind};
use crate::types::{Scheme, Size, Type, has_function};
use fun::ir::{self, Atom, Binder, Exp, Param};
use fun_base::name::{Symbol, Var};
use fun_base::prim::PrimType;
use fun_base::source::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The functions made so far.
#[derive(Default)]
pub(super) struct Instances {
    made: BTreeMap<Key, Rc<Made>>,
    names: BTreeSet<&'static str>,
    uniqueness: BTreeMap<Symbol, Uniqueness>,
}

/// Definition, whether checks are on, whether it is the entry point, and the structure of the type parameters.
type Key = (DefId, bool, bool, Vec<Ty<()>>);

/// What a function is made of: a definition or a local function.
pub(super) struct Code<'a, 't> {
    params: &'t [Pattern],
    body: &'t SourceExp,
    /// The type that is left after the parameters.
    result: &'t Type,
    scheme: Option<&'t Scheme>,
    /// The definition, if it is recursive.
    recursive: Option<DefId>,
    noinline: bool,
    /// The local function.
    local: Option<&'a LocalCode<'t>>,
}

impl<'a, 't> Code<'a, 't> {
    pub(super) fn of_local(local: &'a LocalCode<'t>, scheme: Option<&'t Scheme>) -> Code<'a, 't> {
        let LocalCode { params, body, .. } = local;
        let result = &body.ty;
        Code { params, body, result, scheme, recursive: None, noinline: false, local: Some(local) }
    }
}

/// The parameters of a function that is being made.
#[derive(Default)]
struct Interface {
    extra: Vec<Var>,
    params: Vec<(ValueTy, Vec<Var>)>,
    explicit: Vec<Param>,
}

/// The interface of a function that was made.
#[derive(Debug)]
pub(super) struct Made {
    pub(super) name: Symbol,
    /// For each size of the scheme its parameter.
    sizes: Vec<Var>,
    /// For each size in a type parameter its parameter.
    type_sizes: Vec<Var>,
    /// Parameters for sizes that are no plain names; found in the types of the arguments.
    extra: Vec<Var>,
    /// For each source parameter its type and variables.
    params: Vec<(ValueTy, Vec<Var>)>,
    /// Parameters for what functions have captured.
    captured: Vec<Var>,
    /// The constants that it needs.
    constants: Vec<ConstantParam>,
    /// Sizes among the results.
    result_sizes: Vec<Var>,
    /// Type of the result, over parameters and `result_sizes`.
    result: ValueTy,
}

impl<'t> Lowerer<'t> {
    /// Keeps the names of entry points for them.
    pub(super) fn reserve_entry_names(&mut self) {
        let entries = self.program.definitions.iter().filter(|definition| definition.entry);
        self.instances.names = entries.map(|definition| definition.name.as_str()).collect();
    }

    /// Lowers an entry point.
    pub(super) fn lower_entry(&mut self, def: DefId) -> Outcome<()> {
        let definition = &self.program.definitions[def.0 as usize];
        if !definition.scheme.types.is_empty() {
            self.place = definition.span;
            return Err(self.limitation("an entry point with type parameters"));
        }
        let made = self.instance(def, Vec::new(), true)?;
        let takes: Option<Vec<Layout>> = made.params.iter().map(|(ty, _)| Layout::of(ty)).collect();
        let (Some(takes), Some(gives)) = (takes, Layout::of(&made.result)) else {
            return Err(self.limitation("an entry point that takes or gives functions"));
        };
        self.entries.push(entry_info(definition, takes, gives));
        Ok(())
    }

    /// Whether applying a definition to these arguments is a call; otherwise its body is lowered in place.
    pub(super) fn calls(&self, def: DefId, args: &[Value<'t>]) -> bool {
        let definition = &self.program.definitions[def.0 as usize];
        if definition.recursive {
            return true;
        }
        let inline = definition.attributes.iter().any(|attribute| attribute.as_str() == "inline");
        // What writing to an accumulator means is known where it was made.
        let plain = |ty: &ValueTy| !ty.has_functions() && !ty.has_accumulators();
        let first_order = args.iter().all(|arg| plain(&arg.ty)) && !has_function(&definition.result);
        // Checks are noted where they are written.
        !inline && !self.noting && first_order && !self.in_prelude(definition.span)
    }

    /// Calls the instance of a definition that fits the arguments.
    pub(super) fn call(
        &mut self,
        def: DefId,
        instance: &InstanceOf<'t>,
        args: Vec<Value<'t>>,
    ) -> Outcome<Value<'t>> {
        let definition = &self.program.definitions[def.0 as usize];
        if definition.recursive {
            return self.call_recursive(def, instance, args);
        }
        let mut env = Env::default();
        self.bind_params(&mut env, &definition.params, args.clone())?;
        self.bind_instance(&mut env, instance);
        let known = self.sizes_and_types(&env, Some(&definition.scheme));
        let Some((sizes, types)) = known.filter(|(_, types)| types.iter().all(|ty| !ty.has_functions()))
        else {
            // An instance that cannot be named from outside: in place.
            return self.within(definition, |this| this.lower_exp(&mut env, &definition.body));
        };
        let structure = types.iter().map(|ty| ty.map_sizes(&mut |_| ())).collect();
        let made = self.instance(def, structure, definition.entry)?;
        self.call_made(&made, sizes, &types, args, Vec::new())
    }

    /// Calls a function that was made; `captured` is for what its functions have captured.
    pub(super) fn call_made(
        &mut self,
        made: &Made,
        sizes: Vec<Atom>,
        types: &[ValueTy],
        args: Vec<Value<'t>>,
        captured: Vec<Atom>,
    ) -> Outcome<Value<'t>> {
        let mut atoms: BTreeMap<Var, Atom> = BTreeMap::new();
        atoms.extend(made.sizes.iter().copied().zip(sizes));
        atoms.extend(made.type_sizes.iter().copied().zip(types.iter().flat_map(Ty::sizes)));
        atoms.extend(made.captured.iter().copied().zip(captured.iter().copied()));
        let (mut values, mut types_of_values) = (Vec::new(), Vec::new());
        for ((ty, vars), arg) in made.params.iter().zip(args) {
            for (formal, actual) in ty.sizes().into_iter().zip(arg.ty.sizes()) {
                if let Atom::Var(formal) = formal {
                    atoms.entry(formal).or_insert(actual);
                }
            }
            let target = substitute(ty, &atoms);
            let arg = match arg.ty.has_functions() {
                true => arg,
                false => self.coerce(arg, &target, "Argument has another size than the parameter")?,
            };
            let leaves = arg.atoms();
            atoms.extend(vars.iter().copied().zip(leaves.iter().copied()));
            types_of_values.extend(arg.ty.leaf_types());
            values.extend(leaves);
        }
        values.extend(self.constant_args(&made.constants, &mut atoms)?);
        let implicit = made.sizes.iter().chain(&made.type_sizes).chain(&made.extra);
        let implicit = implicit.map(|var| atoms.get(var).copied().unwrap_or(Atom::i64(0)));
        let mut args: Vec<Atom> = implicit.chain(captured).collect();
        let explicit_from = args.len();
        args.extend(values);
        if self.copies >= Copies::Updated {
            self.copy_consumed(made.name, &mut args, explicit_from, &types_of_values);
        }
        let mut pattern = Vec::new();
        for size in &made.result_sizes {
            let var = self.fresh(size.text.as_str());
            self.facts.natural(var);
            pattern.push(Binder { var, ty: ir::Type::Prim(PrimType::I64) });
            atoms.insert(*size, var.into());
        }
        let ty = substitute(&made.result, &atoms);
        let binders = self.binders(made.name.as_str(), &ty);
        let results: Vec<Atom> = binders.iter().map(|binder| binder.var.into()).collect();
        pattern.extend(binders);
        self.bind(pattern, Exp::Call { function: made.name, args });
        Ok(Value::of_atoms(ty, results))
    }

    /// Puts copies in the place of the arrays that a call consumes.
    fn copy_consumed(&mut self, name: Symbol, args: &mut [Atom], from: usize, types: &[ir::Type]) {
        let consumed: Vec<usize> = (0..types.len())
            .filter(|k| self.instances.uniqueness.get(&name).is_none_or(|of| of.consumes(from + k)))
            .collect();
        for k in consumed {
            if let (true, Some(Atom::Var(array))) = (types[k].rank() > 0, args.get(from + k).copied()) {
                args[from + k] = self.emit(array.text.as_str(), types[k].clone(), Exp::Copy(array)).into();
            }
        }
    }

    /// The sizes and types that the parameters of a scheme stand for, when all are known.
    pub(super) fn sizes_and_types(
        &self,
        env: &Env<'t>,
        scheme: Option<&Scheme>,
    ) -> Option<(Vec<Atom>, Vec<ValueTy>)> {
        let Some(scheme) = scheme else { return Some((Vec::new(), Vec::new())) };
        let size = |var: &Var| env.values.get(var).and_then(|value| value.atoms().first().copied());
        let sizes: Option<Vec<Atom>> = scheme.sizes.iter().map(size).collect();
        let known = |ty: &PartialTy| {
            let all = ty.sizes().iter().all(Option::is_some);
            all.then(|| ty.map_sizes(&mut |size| size.unwrap_or(Atom::i64(0))))
        };
        let types: Option<Vec<ValueTy>> =
            scheme.types.iter().map(|var| env.types.get(var).and_then(known)).collect();
        Some((sizes?, types?))
    }

    /// The function for an instance, made when it is first needed. An entry point that calls itself is two functions.
    pub(super) fn instance(&mut self, def: DefId, types: Vec<Ty<()>>, entry: bool) -> Outcome<Rc<Made>> {
        let key = (def, self.safe, entry, types);
        if let Some(made) = self.instances.made.get(&key) {
            return Ok(Rc::clone(made));
        }
        let entry = entry && self.safe;
        let made =
            self.apart_from(def, entry, |this, code, name| this.make(code, name, entry, &key.3, &[]))?;
        let made = Rc::new(made.0);
        self.instances.made.insert(key, Rc::clone(&made));
        Ok(made)
    }

    /// The function for a call with functions among its arguments, and what to pass for what these have captured.
    pub(super) fn specialise(
        &mut self,
        def: DefId,
        types: &[Ty<()>],
        args: &[Value<'t>],
    ) -> Outcome<(Rc<Made>, Vec<Atom>)> {
        let (made, captured) =
            self.apart_from(def, false, |this, code, name| this.make(code, name, false, types, args))?;
        Ok((Rc::new(made), captured))
    }

    /// Makes the function of a definition.
    fn apart_from<T>(
        &mut self,
        def: DefId,
        entry: bool,
        make: impl FnOnce(&mut Self, &Code<'_, 't>, Symbol) -> Outcome<T>,
    ) -> Outcome<T> {
        let definition = &self.program.definitions[def.0 as usize];
        let code = Code {
            params: &definition.params,
            body: &definition.body,
            result: &definition.result,
            scheme: Some(&definition.scheme),
            recursive: definition.recursive.then_some(def),
            noinline: definition.attributes.iter().any(|attribute| attribute.as_str() == "noinline"),
            local: None,
        };
        self.apart(definition.name, definition.span, (entry, definition.recursive), |this, name| {
            this.within(definition, |this| make(this, &code, name))
        })
    }

    /// Makes a function, an entry point or a recursive one or not: it sees nothing of the one that calls it.
    pub(super) fn apart<T>(
        &mut self,
        name: Symbol,
        place: Span,
        (entry, recursive): (bool, bool),
        make: impl FnOnce(&mut Self, Symbol) -> Outcome<T>,
    ) -> Outcome<T> {
        let name = if entry { name } else { self.unused_name(name) };
        let scopes = std::mem::take(&mut self.scopes);
        let facts = std::mem::take(&mut self.facts);
        let constants = std::mem::take(&mut self.constants);
        // A recursive function would have to pass on what it turns out to need later.
        let takes_constants = !entry && !recursive;
        let constant_params = std::mem::replace(&mut self.constant_params, takes_constants.then(Vec::new));
        let place = std::mem::replace(&mut self.place, place);
        let function = self.function.replace(name);
        let made = make(self, name);
        self.scopes = scopes;
        self.facts = facts;
        self.constants = constants;
        self.constant_params = constant_params;
        self.place = place;
        self.function = function;
        made
    }

    /// A name that no function has.
    fn unused_name(&mut self, name: Symbol) -> Symbol {
        let base = readable(name.as_str());
        let mut candidate = Symbol::new(&base);
        let mut k = 1;
        while !self.instances.names.insert(candidate.as_str()) {
            candidate = Symbol::new(&format!("{base}_{k}"));
            k += 1;
        }
        candidate
    }

    /// Lowers code into a function. Functions among the arguments are known: `args`; gives also what a caller passes
    /// for what they, or a local function, have captured.
    pub(super) fn make(
        &mut self,
        code: &Code<'_, 't>,
        name: Symbol,
        entry: bool,
        types: &[Ty<()>],
        args: &[Value<'t>],
    ) -> Outcome<(Made, Vec<Atom>)> {
        self.open();
        let mut captured = Captured::default();
        let mut env = match code.local {
            Some(local) => self.own_env(local, &mut captured)?,
            None => Env::default(),
        };
        let mut sizes = Vec::new();
        for size in code.scheme.iter().flat_map(|scheme| &scheme.sizes) {
            let var = self.size_param(size.text.as_str());
            env.values.insert(*size, Value::scalar(var, PrimType::I64));
            sizes.push(var);
        }
        let mut type_sizes = Vec::new();
        for (param, ty) in code.scheme.iter().flat_map(|scheme| &scheme.types).zip(types) {
            let ty = ty.map_sizes(&mut |()| {
                let var = self.size_param("d");
                type_sizes.push(var);
                Some(Atom::Var(var))
            });
            env.types.insert(*param, ty);
        }
        let mut interface = Interface::default();
        let mut own_args = Vec::new();
        for (i, param) in code.params.iter().enumerate() {
            let text = if let PatternKind::Var(var) = &param.kind { var.text.as_str() } else { "arg" };
            let functions = args.get(i).map_or(&[][..], |arg| &arg.leaves);
            let value = self.param(&env, text, &param.ty, &mut interface, (functions, &mut captured))?;
            self.bind_pattern(&mut env, param, value.clone())?;
            let checked = self.checked_param(&env, &param.ty, value)?;
            own_args.push(checked.clone());
            self.bind_pattern(&mut env, param, checked)?;
        }
        let own_vars = |interface: &Interface, captured: &Captured, constants: &[ConstantParam]| {
            let params = interface.params.iter().flat_map(|(_, vars)| vars);
            let implicit = sizes.iter().chain(&type_sizes).chain(&interface.extra);
            let others = captured.own_vars().chain(constants.iter().flat_map(ConstantParam::vars));
            implicit.chain(params).copied().chain(others).collect::<BTreeSet<Var>>()
        };
        let mut planned_sizes = Vec::new();
        let mut planned = None;
        if let (Some(def), false) = (code.recursive, entry) {
            let known = own_vars(&interface, &captured, &[]);
            let result = self.planned_result(&env, code.result, &known, &mut planned_sizes);
            let made = Rc::new(Made {
                name,
                sizes: sizes.clone(),
                type_sizes: type_sizes.clone(),
                extra: interface.extra.clone(),
                params: interface.params.clone(),
                captured: captured.own_vars().collect(),
                constants: Vec::new(),
                result_sizes: planned_sizes.iter().map(|(_, var)| *var).collect(),
                result: result.clone(),
            });
            env.recursion = Some(Rc::new(Recursion { def, made, captured: captured.own() }));
            planned = Some(result);
        }
        let mut value = match code.recursive {
            Some(def) if entry => {
                let sizes = sizes.iter().map(|var| Atom::Var(*var)).collect();
                self.call_from_outside(def, sizes, &[], own_args)?
            }
            _ => self.lower_exp(&mut env, code.body)?,
        };
        // An entry point that gives a function takes its parameters too.
        let mut declared_result = code.result;
        while let Type::Arrow(arrow) = declared_result.without_unique() {
            let text = arrow.name.map_or("arg", |name| name.text.as_str());
            let arg = self.param(&env, text, &arrow.param, &mut interface, (&[], &mut captured))?;
            if let Some(name) = arrow.name {
                env.values.insert(name, arg.clone());
            }
            self.match_type(&mut env, &arrow.param, &arg.ty);
            let arg = self.checked_param(&env, &arrow.param, arg)?;
            let outer = env.clone();
            value = self.apply(&value, vec![arg], Some(Expected { ty: &arrow.result, env: &outer }))?;
            declared_result = &arrow.result;
        }
        let constants = self.constant_params.take().unwrap_or_default();
        // What the result type says of sizes in terms of parameters is made so; other sizes are results.
        let known = own_vars(&interface, &captured, &constants);
        let Interface { extra, params, mut explicit } = interface;
        // The sizes of parameters may be among what was captured.
        explicit.splice(0..0, captured.params());
        explicit.extend(constants.iter().flat_map(ConstantParam::params));
        self.first_order(&value.ty)?;
        let nameable = |atom: &Atom| atom.as_var().is_none_or(|var| known.contains(&var));
        let (value, result, result_sizes) = match planned {
            Some(planned) => {
                let (value, sizes) = self.fit_result(value, &planned, &planned_sizes)?;
                (value, planned, sizes)
            }
            None => {
                let declared = self.declared(&env, declared_result);
                let declared = declared.map_sizes(&mut |size| size.filter(|size| nameable(size)));
                let value = self.coerce_partly(value, &declared, "Result does not have the declared size")?;
                let mut result_sizes: Vec<(Var, Atom)> = Vec::new();
                let result = value.ty.map_sizes(&mut |size| {
                    if nameable(size) {
                        return *size;
                    }
                    if let Some((var, _)) = result_sizes.iter().find(|(_, atom)| atom == size) {
                        return (*var).into();
                    }
                    let var = self.fresh("size");
                    result_sizes.push((var, *size));
                    var.into()
                });
                (value, result, result_sizes)
            }
        };
        let mut results: Vec<Param> = Vec::new();
        for (var, _) in &result_sizes {
            results.push(size_interface(*var));
        }
        let unique = unique_leaves(declared_result, &result);
        for (binder, unique) in self.binders("res", &result).into_iter().zip(unique) {
            results.push(Param { binder, implicit: false, unique });
        }
        let body = self.close_body(result_sizes.iter().map(|(_, atom)| *atom).chain(value.atoms()).collect());
        let implicit = sizes.iter().chain(&type_sizes).chain(&extra).map(|var| size_interface(*var));
        let mut function = ir::Function {
            name,
            entry,
            noinline: code.noinline,
            params: implicit.chain(explicit).collect(),
            results,
            body,
        };
        let fresh = fresh_results(&function, &self.instances.uniqueness);
        for (result, fresh) in function.results.iter_mut().zip(fresh) {
            result.unique |= fresh;
        }
        self.instances.uniqueness.insert(name, Uniqueness::of(&function));
        self.functions.push(function);
        let result_sizes = result_sizes.into_iter().map(|(var, _)| var).collect();
        let outer = captured.outer();
        let captured = captured.own_vars().collect();
        let made = Made { name, sizes, type_sizes, extra, params, captured, constants, result_sizes, result };
        Ok((made, outer))
    }

    /// Parameters for a value of the source type.
    fn param(
        &mut self,
        env: &Env<'t>,
        text: &str,
        ty: &'t Type,
        interface: &mut Interface,
        (leaves, captured): (&[Leaf<'t>], &mut Captured),
    ) -> Outcome<Value<'t>> {
        let actual = self.param_type(env, ty, &mut interface.extra)?;
        let mut functions = Vec::new();
        for leaf in leaves {
            if let Leaf::Function(closure) = leaf {
                functions.push(Leaf::Function(Rc::new(self.capture(closure, captured)?)));
            }
        }
        if functions.is_empty() {
            self.first_order(&actual)?;
        }
        let binders = self.binders(text, &actual);
        let vars: Vec<Var> = binders.iter().map(|binder| binder.var).collect();
        for (binder, unique) in binders.into_iter().zip(unique_leaves(ty, &actual)) {
            interface.explicit.push(Param { binder, implicit: false, unique });
        }
        interface.params.push((actual.clone(), vars.clone()));
        Ok(with_functions(actual, vars.into_iter().map(Atom::Var).collect(), functions))
    }

    /// Checks the sizes of a parameter that are expressions; then it has the atoms of these expressions in its type.
    fn checked_param(&mut self, env: &Env<'t>, ty: &'t Type, value: Value<'t>) -> Outcome<Value<'t>> {
        let declared = self.eval_type(env, ty, Effort::Full);
        self.coerce_partly(value, &declared, "Argument has an invalid size")
    }

    /// A parameter for a size.
    pub(super) fn size_param(&mut self, text: &str) -> Var {
        let var = self.fresh(text);
        self.facts.natural(var);
        var
    }

    /// The type of a parameter: sizes are constants and variables; others become parameters in `extra`.
    fn param_type(&mut self, env: &Env<'t>, ty: &'t Type, extra: &mut Vec<Var>) -> Outcome<ValueTy> {
        Ok(match ty {
            Type::Prim(prim) => Ty::Prim(*prim),
            Type::Array(size, element) => {
                let known = match size {
                    Size::Const(n) => Some(Atom::i64(*n)),
                    Size::Var(_) => {
                        self.eval_size(env, size, Effort::Cheap).filter(|atom| atom.as_var().is_some())
                    }
                    Size::Add(..) | Size::Sub(..) | Size::Mul(..) | Size::Opaque(..) | Size::Meta(_) => None,
                };
                let size = known.unwrap_or_else(|| {
                    let var = self.size_param("n");
                    extra.push(var);
                    var.into()
                });
                Ty::array(size, self.param_type(env, element, extra)?)
            }
            Type::Record(fields) => {
                let mut types = Vec::with_capacity(fields.len());
                for (name, ty) in fields.iter() {
                    types.push((*name, self.param_type(env, ty, extra)?));
                }
                Ty::Record(types.into())
            }
            Type::Sum(constructors) => {
                let mut sum = Vec::with_capacity(constructors.len());
                for (name, payload) in constructors {
                    let mut types = Vec::with_capacity(payload.len());
                    for ty in payload {
                        types.push(self.param_type(env, ty, extra)?);
                    }
                    sum.push((*name, types.into()));
                }
                Ty::Sum(sum.into())
            }
            Type::Arrow(_) => Ty::Function,
            Type::Unique(inner) => self.param_type(env, inner, extra)?,
            Type::Param(var) => match env.types.get(var) {
                Some(ty) => ty.map_sizes(&mut |size| size.unwrap_or(Atom::i64(0))),
                None => return Err(self.inconsistent(format!("type parameter {var} is not in scope"))),
            },
            Type::Named(..) | Type::Meta(_) => {
                return Err(self.inconsistent("a type that was not inferred or is abstract"));
            }
        })
    }

    /// The declared type with the sizes that are plain names or constants.
    fn declared(&mut self, env: &Env<'t>, ty: &'t Type) -> PartialTy {
        match ty {
            Type::Array(size, element) => {
                let size = match size {
                    Size::Const(_) | Size::Var(_) => self.eval_size(env, size, Effort::Cheap),
                    Size::Add(..) | Size::Sub(..) | Size::Mul(..) | Size::Opaque(..) | Size::Meta(_) => None,
                };
                Ty::array(size, self.declared(env, element))
            }
            Type::Record(fields) => {
                Ty::Record(fields.iter().map(|(name, ty)| (*name, self.declared(env, ty))).collect())
            }
            Type::Sum(constructors) => {
                let mut sum = Vec::with_capacity(constructors.len());
                for (name, payload) in constructors {
                    let payload: Rc<[PartialTy]> = payload.iter().map(|ty| self.declared(env, ty)).collect();
                    sum.push((*name, payload));
                }
                Ty::Sum(sum.into())
            }
            Type::Unique(inner) => self.declared(env, inner),
            Type::Prim(_) | Type::Arrow(_) | Type::Param(_) | Type::Named(..) | Type::Meta(_) => {
                self.eval_type(env, ty, Effort::Cheap)
            }
        }
    }
}

fn size_interface(var: Var) -> Param {
    Param { binder: Binder { var, ty: ir::Type::Prim(PrimType::I64) }, implicit: true, unique: false }
}

/// For each leaf whether the source type marks it `*`.
fn unique_leaves(ty: &Type, actual: &ValueTy) -> Vec<bool> {
    fn walk(ty: &Type, actual: &ValueTy, unique: bool, leaves: &mut Vec<bool>) {
        match (ty, actual) {
            (Type::Unique(inner), _) => walk(inner, actual, true, leaves),
            (Type::Array(_, element), Ty::Array(_, actual)) => walk(element, actual, unique, leaves),
            (Type::Record(fields), Ty::Record(actual)) if fields.len() == actual.len() => {
                fields
                    .iter()
                    .zip(actual.iter())
                    .for_each(|((_, ty), (_, actual))| walk(ty, actual, unique, leaves));
            }
            // A scalar is nothing to consume.
            (_, Ty::Prim(_)) if matches!(ty, Type::Prim(_)) => leaves.push(unique),
            _ => leaves.extend(std::iter::repeat_n(unique, actual.leaf_types().len())),
        }
    }
    let mut leaves = Vec::new();
    walk(ty, actual, false, &mut leaves);
    actual.leaf_types().iter().zip(leaves).map(|(ty, unique)| unique && ty.rank() > 0).collect()
}

/// The type with variables replaced.
pub(super) fn substitute(ty: &ValueTy, atoms: &BTreeMap<Var, Atom>) -> ValueTy {
    ty.map_sizes(&mut |size| match size {
        Atom::Var(var) => atoms.get(var).copied().unwrap_or(*size),
        Atom::Const(_) => *size,
    })
}
