//! Module types: what a module looks like through one, and whether it is as the module type says.
//!
//! A module type is interpreted anew each time, with the types of the module at hand for its own: that decides what the
//! types of values must be. Seen from outside (`opaque`), types without a definition become abstract.

use super::definition::rank;
use super::elaborate::{Elaborator, Seen};
use super::modules::{self, Arrow, Module, ModuleTypeBinding, Parametric};
use super::scope::{Abbreviation, AbbreviationParam, Binding, Scope, TypeBinding};
use crate::syntax::{Liftedness, ModuleTypeExp, ModuleTypeExpKind, Refinement, Spec, TypeParam, TypeSpec};
use crate::types::{AbstractParam, AbstractType, Size, Subst, Type, TypeArg, subst_type};
use fun_base::diag::Diagnostic;
use fun_base::name::Symbol;
use fun_base::source::Span;
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

/// What `with` says about the type at the end of a path.
#[derive(Clone)]
struct Constraint {
    path: Vec<Symbol>,
    definition: Arc<Abbreviation>,
    span: Span,
    used: Rc<Cell<bool>>,
}

/// How a module is seen.
pub(super) struct How {
    /// Whether types without a definition become abstract.
    opaque: bool,
    /// The module.
    pub(super) span: Span,
    /// The abstract types made so far, with their paths.
    made: Vec<(Symbol, Arc<AbstractType>)>,
}

impl How {
    /// The type with the types made here replaced by what they stand for.
    pub(super) fn reveal(&self, t: &Type) -> Type {
        if self.made.is_empty() {
            return t.clone();
        }
        t.map_named(&mut |name, args| match self.made.iter().any(|(_, made)| made == name) {
            true => name.reveal(&args).unwrap_or_else(|| Type::Named(name.clone(), args)),
            false => Type::Named(name.clone(), args),
        })
    }
}

impl Elaborator<'_> {
    /// The module seen through a module type, which it must match.
    pub(crate) fn ascribe(
        &mut self,
        scope: &Scope,
        module: &Module,
        signature: &Arc<ModuleTypeExp>,
        opaque: bool,
        span: Span,
    ) -> Module {
        if matches!(module, Module::Failed) {
            return Module::Failed;
        }
        let name = self.path.unwrap_or_else(|| Symbol::new("module"));
        let mut how = How { opaque, span, made: Vec::new() };
        self.view(scope, signature, Some(module), &mut how, name, &[])
    }

    /// A module of which only the module type is known.
    pub(crate) fn parameter(
        &mut self,
        scope: &Scope,
        name: Symbol,
        signature: &Arc<ModuleTypeExp>,
    ) -> Module {
        let mut how = How { opaque: true, span: signature.span, made: Vec::new() };
        self.view(scope, signature, None, &mut how, name, &[])
    }

    fn view(
        &mut self,
        scope: &Scope,
        signature: &Arc<ModuleTypeExp>,
        module: Option<&Module>,
        how: &mut How,
        path: Symbol,
        constraints: &[Constraint],
    ) -> Module {
        match &signature.kind {
            ModuleTypeExpKind::Name(name) => {
                let here = match modules::scope_of(scope, &name.qualifiers, name.span) {
                    Ok(here) => here,
                    Err(problem) => {
                        self.errors.extend(problem);
                        return Module::Failed;
                    }
                };
                let here = here.as_deref().unwrap_or(scope);
                match here.module_types.get(&name.name).cloned() {
                    Some(ModuleTypeBinding::Declared(exp, scope)) => {
                        self.view(&scope, &exp, module, how, path, constraints)
                    }
                    Some(ModuleTypeBinding::Prelude) => match crate::prelude::module_type(name.name) {
                        Some(exp) => {
                            let scope = self.global.prelude_scope.clone();
                            self.view(&scope, &exp, module, how, path, constraints)
                        }
                        None => Module::Failed,
                    },
                    Some(ModuleTypeBinding::Failed) => Module::Failed,
                    None if here.incomplete => Module::Failed,
                    None => {
                        let message = format!("unknown module type `{}`", name.name);
                        let known = here.module_types.keys().map(|known| known.as_str());
                        let d = Diagnostic::error("E0203", message).at_saying(name.span, "not defined here");
                        self.errors.push(d.did_you_mean(name.name.as_str(), known));
                        Module::Failed
                    }
                }
            }
            ModuleTypeExpKind::With(inner, refinement) => {
                let Some(constraint) = self.constraint(scope, refinement) else { return Module::Failed };
                let used = constraint.used.clone();
                let mut all = constraints.to_vec();
                all.push(constraint);
                let before = self.errors.len();
                let result = self.view(scope, inner, module, how, path, &all);
                if !used.get() && self.errors.len() == before && !matches!(result, Module::Failed) {
                    let name = &refinement.name;
                    let message = format!("the module type has no type `{}` to refine", name.name);
                    self.errors.push(Diagnostic::error("E0233", message).at(name.span));
                    return Module::Failed;
                }
                result
            }
            ModuleTypeExpKind::Parametric(param, argument, result) => {
                let (argument, result, scope) = (argument.clone(), result.clone(), scope.clone());
                let arrow = Arrow { param: *param, argument, result, scope };
                self.parametric_view(arrow, module, how, path)
            }
            ModuleTypeExpKind::Specs(specs) => {
                let structure = match module {
                    None => None,
                    Some(Module::Structure(structure)) => Some(&**structure),
                    Some(Module::Failed) => return Module::Failed,
                    Some(Module::Parametric(_)) => {
                        let message = "this module has parameters, which its module type does not say";
                        self.errors.push(
                            Diagnostic::error("E0232", message)
                                .at(how.span)
                                .label(signature.span, "the module type"),
                        );
                        return Module::Failed;
                    }
                };
                let (mut inner, mut seen) = (scope.clone(), Seen::default());
                let mut result = Scope::default();
                for spec in specs {
                    self.spec(&mut inner, &mut result, &mut seen, spec, structure, how, path, constraints);
                }
                Module::Structure(Arc::new(result))
            }
        }
    }

    /// A parametric module through `(p: S) -> T`: it must give a `T` for every `S`.
    fn parametric_view(
        &mut self,
        arrow: Arrow,
        module: Option<&Module>,
        how: &mut How,
        path: Symbol,
    ) -> Module {
        let before = self.errors.len();
        let name = arrow.param.map_or_else(|| Symbol::new("argument"), |param| param.name);
        let argument = self.parameter(&arrow.scope, name, &arrow.argument);
        if matches!(argument, Module::Failed) {
            return Module::Failed;
        }
        let mut inner = arrow.scope.clone();
        if let Some(param) = arrow.param {
            inner.values.insert(param.name, Binding::Module(argument.clone()));
        }
        match module {
            None => drop(self.parameter(&inner, path, &arrow.result)),
            Some(Module::Failed) => return Module::Failed,
            Some(Module::Structure(_)) => {
                let message = "this module has no parameters, but its module type says so";
                self.errors.push(Diagnostic::error("E0232", message).at(how.span));
            }
            Some(module @ Module::Parametric(_)) => {
                let made = self.apply(module, &argument, how.span, how.span);
                self.ascribe(&inner, &made, &arrow.result, true, how.span);
            }
        }
        if self.errors.len() > before {
            return Module::Failed;
        }
        let (inner, opaque) = (module.cloned(), how.opaque);
        Module::Parametric(Arc::new(Parametric::View { inner, signature: arrow, opaque }))
    }

    /// `with` as what it says about which type.
    fn constraint(&mut self, scope: &Scope, refinement: &Refinement) -> Option<Constraint> {
        let Refinement { name, params, definition } = refinement;
        let ident = crate::syntax::Ident { name: name.name, span: name.span };
        // What it may be is up to the type that is refined.
        let definition = self
            .infer(|infer| infer.abbreviation(scope, &ident, params, Liftedness::Lifted, definition))
            .map(|mut definition| {
                definition.liftedness = definition.actual_liftedness();
                definition
            })?;
        let path = name.qualifiers.iter().copied().chain([name.name]).collect();
        let used = Rc::new(Cell::new(false));
        Some(Constraint { path, definition: Arc::new(definition), span: name.span, used })
    }

    #[expect(clippy::too_many_arguments, reason = "the walk over specs has this state")]
    fn spec(
        &mut self,
        inner: &mut Scope,
        result: &mut Scope,
        seen: &mut Seen,
        spec: &Spec,
        module: Option<&Scope>,
        how: &mut How,
        path: Symbol,
        constraints: &[Constraint],
    ) {
        match spec {
            Spec::Value(spec) => {
                self.errors.extend(seen.define("value", &spec.name));
                let binding = self.value_spec(inner, spec, module, how);
                inner.values.insert(spec.name.name, binding.clone());
                result.values.insert(spec.name.name, binding);
            }
            Spec::Type(spec) => {
                self.errors.extend(seen.define("type", &spec.name));
                let binding = self.type_spec(inner, spec, module, how, path, constraints);
                let binding = binding.map_or(TypeBinding::Failed, TypeBinding::Abbreviation);
                inner.types.insert(spec.name.name, binding.clone());
                result.types.insert(spec.name.name, binding);
            }
            Spec::Module(name, signature) => {
                self.errors.extend(seen.define("value", name));
                let path = Symbol::new(&format!("{path}.{}", name.name));
                let inside: Vec<Constraint> = constraints
                    .iter()
                    .filter(|constraint| constraint.path.len() > 1 && constraint.path[0] == name.name)
                    .map(|constraint| Constraint {
                        path: constraint.path[1..].to_vec(),
                        ..constraint.clone()
                    })
                    .collect();
                let view = match module.map(|module| module.values.get(&name.name)) {
                    None => self.view(inner, signature, None, how, path, &inside),
                    Some(Some(Binding::Module(actual))) => {
                        let actual = actual.clone();
                        self.view(inner, signature, Some(&actual), how, path, &inside)
                    }
                    Some(Some(Binding::Failed)) => Module::Failed,
                    Some(_) => {
                        if !module.is_some_and(|module| module.incomplete) {
                            self.missing("module", name.name, name.span, how.span);
                        }
                        Module::Failed
                    }
                };
                inner.values.insert(name.name, Binding::Module(view.clone()));
                result.values.insert(name.name, Binding::Module(view));
            }
            Spec::Include(signature) => {
                let whole = module.map(|module| Module::Structure(Arc::new(module.clone())));
                match self.view(inner, signature, whole.as_ref(), how, path, constraints) {
                    Module::Structure(included) => {
                        let again = included.types.keys().find(|name| result.types.contains_key(*name));
                        if let (Some(name), None) = (again, module) {
                            let message = format!("Inclusion shadows type `{name}`");
                            self.warnings.push(Diagnostic::warning("W0509", message).at(signature.span));
                        }
                        inner.open(&included);
                        result.open(&included);
                    }
                    Module::Parametric(_) => {
                        let d =
                            Diagnostic::error("E0232", "the type of a parametric module cannot be included");
                        self.errors.push(d.at(signature.span));
                    }
                    Module::Failed => {
                        inner.incomplete = true;
                        result.incomplete = true;
                    }
                }
            }
        }
    }

    /// Reports what a module lacks.
    pub(super) fn missing(&mut self, kind: &str, name: Symbol, spec: Span, at: Span) {
        let message = format!("the module has no {kind} `{name}`, which its module type asks for");
        let d = Diagnostic::error("E0230", message).at(at);
        self.errors.push(d.label(spec, "asked for here"));
    }

    fn type_spec(
        &mut self,
        inner: &Scope,
        spec: &TypeSpec,
        module: Option<&Scope>,
        how: &mut How,
        path: Symbol,
        constraints: &[Constraint],
    ) -> Option<Arc<Abbreviation>> {
        let name = spec.name.name;
        let (kinds, refined) = (kinds(&spec.params), refinement(constraints, name));
        let actual = match module {
            None => None,
            Some(module) => match module.types.get(&name) {
                Some(TypeBinding::Failed) => return None,
                Some(binding) => Some(as_abbreviation(binding)?),
                None => {
                    if !module.incomplete {
                        self.missing("type", name, spec.name.span, how.span);
                    }
                    return None;
                }
            },
        };
        // What the module type says of the type.
        let mut declared = match &spec.definition {
            Some(definition) => Some(Arc::new(self.infer(|infer| {
                infer.abbreviation(inner, &spec.name, &spec.params, spec.liftedness, definition)
            })?)),
            None => {
                self.infer(|infer| Some(infer.type_params(&mut inner.clone(), &spec.params)))?;
                None
            }
        };
        for constraint in refined {
            // What includes this refines its type to one of its own, which the constraint has refined already.
            if constraint.used.replace(true) && declared.is_some() && spec.definition.is_none() {
                continue;
            }
            if declared.is_some() {
                let message = format!("`{name}` is not an abstract type of the module type");
                let d = Diagnostic::error("E0233", message).at(constraint.span);
                self.errors.push(d.label(spec.name.span, "declared here"));
                return None;
            }
            if !same_params(&constraint.definition, &kinds) {
                let message = format!("Cannot refine a type with one of other parameters: `{name}`");
                let d = Diagnostic::error("E0233", message).at(constraint.span);
                self.errors.push(d.label(spec.name.span, "declared here"));
                return None;
            }
            declared = Some(constraint.definition.clone());
        }
        let Some(actual) = actual else {
            return Some(declared.unwrap_or_else(|| self.abstract_type(spec, &kinds, how, path, None)));
        };
        // A refined type is as lifted as what it is refined to.
        let too_lifted = match (&declared, &spec.definition) {
            (Some(refined), None) => {
                rank(actual.actual_liftedness()) > rank(refined.liftedness).max(rank(spec.liftedness))
            }
            _ => rank(actual.liftedness) > rank(spec.liftedness),
        };
        if too_lifted || !same_params(&actual, &kinds) {
            let message = format!(
                "the type `{name}` of the module is not as its module type says: {}",
                misfit(&actual, &kinds)
            );
            let d = Diagnostic::error("E0234", message).at(how.span);
            self.errors.push(d.label(spec.name.span, "asked for here"));
            return None;
        }
        if declared.is_none()
            && let Some(size) = actual.hidden_size()
        {
            let message = format!(
                "the type `{name}` cannot be abstract: the size {size} of its parameters is no whole dimension of it"
            );
            let d = Diagnostic::error("E0234", message).at(how.span);
            self.errors.push(d.label(spec.name.span, "asked for here"));
            return None;
        }
        match declared {
            Some(declared) => {
                let (wanted, given) = (apply_abbreviation(&declared, &actual), actual.ty.clone());
                let wanted = how.reveal(&wanted);
                let open = [&declared.open[..], &actual.open[..]].concat();
                let same = self.infer(|infer| Some(infer.same_type(&wanted, &given, &open)))?;
                if let Err((wanted, given)) = same {
                    let message = format!(
                        "the module has type {name} = {given}, but its module type requires type {name} = {wanted}"
                    );
                    let d = Diagnostic::error("E0234", message).at(how.span);
                    self.errors.push(d.label(spec.name.span, "asked for here"));
                    return None;
                }
                Some(declared)
            }
            None if how.opaque => Some(self.abstract_type(spec, &kinds, how, path, Some(&actual))),
            None => Some(actual),
        }
    }

    /// A new abstract type, as an abbreviation.
    fn abstract_type(
        &mut self,
        spec: &TypeSpec,
        kinds: &[(bool, Liftedness)],
        how: &mut How,
        path: Symbol,
        actual: Option<&Abbreviation>,
    ) -> Arc<Abbreviation> {
        let text = Symbol::new(&format!("{path}.{}", spec.name.name));
        let known = how.made.iter().find(|(made, _)| *made == text).map(|(_, made)| made.clone());
        let made = known.unwrap_or_else(|| {
            let names = &mut self.global.names;
            let params = match actual {
                Some(actual) => {
                    let params = actual.params.iter().map(|param| match param {
                        AbbreviationParam::Size(var) => AbstractParam::Size(*var),
                        AbbreviationParam::Type(var, _) => AbstractParam::Type(*var),
                    });
                    params.chain(actual.open.iter().map(|var| AbstractParam::Size(*var))).collect()
                }
                None => kinds
                    .iter()
                    .map(|(size, _)| match size {
                        true => AbstractParam::Size(names.fresh("n")),
                        false => AbstractParam::Type(names.fresh("a")),
                    })
                    .collect(),
            };
            Arc::new(AbstractType {
                name: names.fresh(text),
                params,
                hidden: actual.map_or(0, |actual| actual.open.len()),
                liftedness: spec.liftedness,
                representation: actual.map(|actual| actual.ty.clone()),
                whole: actual.map(|actual| actual.ty.revealed()),
            })
        });
        if !how.made.iter().any(|(name, _)| *name == text) {
            how.made.push((text, made.clone()));
        }
        let names = &mut self.global.names;
        let (mut params, mut open, mut args) = (Vec::new(), Vec::new(), Vec::new());
        for (i, param) in made.params.iter().enumerate() {
            match param {
                AbstractParam::Size(var) => {
                    let fresh = names.fresh_like(*var);
                    args.push(TypeArg::Size(Size::Var(fresh)));
                    match i < kinds.len() {
                        true => params.push(AbbreviationParam::Size(fresh)),
                        false => open.push(fresh),
                    }
                }
                AbstractParam::Type(var) => {
                    let fresh = names.fresh_like(*var);
                    args.push(TypeArg::Type(Type::Param(fresh)));
                    let lifted = kinds.get(i).map_or(Liftedness::Unlifted, |(_, lifted)| *lifted);
                    params.push(AbbreviationParam::Type(fresh, lifted));
                }
            }
        }
        Arc::new(Abbreviation { params, open, ty: Type::Named(made, args), liftedness: spec.liftedness })
    }
}

/// Of each parameter whether it is a size, and how lifted its arguments may be.
fn kinds(params: &[TypeParam]) -> Vec<(bool, Liftedness)> {
    let kind = |param: &TypeParam| match param {
        TypeParam::Size(_) => (true, Liftedness::Unlifted),
        TypeParam::Type(_, liftedness) => (false, *liftedness),
    };
    params.iter().map(kind).collect()
}

/// What is said about the type of this name, innermost `with` last.
fn refinement(constraints: &[Constraint], name: Symbol) -> Vec<&Constraint> {
    constraints.iter().rev().filter(|constraint| constraint.path == [name]).collect()
}

/// Whether a type has parameters for the arguments that are asked for.
fn same_params(actual: &Abbreviation, kinds: &[(bool, Liftedness)]) -> bool {
    actual.params.len() == kinds.len()
        && actual.params.iter().zip(kinds).all(|(param, (size, wanted))| match param {
            AbbreviationParam::Size(_) => *size,
            AbbreviationParam::Type(_, taken) => !size && rank(*taken) >= rank(*wanted),
        })
}

/// Why a type cannot be where one with these parameters is asked for.
fn misfit(actual: &Abbreviation, kinds: &[(bool, Liftedness)]) -> &'static str {
    let sizes = actual.params.iter().map(|param| matches!(param, AbbreviationParam::Size(_)));
    if sizes.eq(kinds.iter().map(|(size, _)| *size)) {
        "it is more lifted, or its parameters are less"
    } else {
        "it has other parameters"
    }
}

/// What a name for types means, as an abbreviation.
fn as_abbreviation(binding: &TypeBinding) -> Option<Arc<Abbreviation>> {
    let plain = |ty| {
        let (params, open) = (Vec::new(), Vec::new());
        Some(Arc::new(Abbreviation { params, open, ty, liftedness: Liftedness::Unlifted }))
    };
    match binding {
        TypeBinding::Prim(t) => plain(Type::Prim(*t)),
        TypeBinding::Param(var) => plain(Type::Param(*var)),
        TypeBinding::Abbreviation(abbreviation) => Some(abbreviation.clone()),
        TypeBinding::Failed => None,
    }
}

/// The type with the parameters of another abbreviation for its own.
fn apply_abbreviation(declared: &Abbreviation, other: &Abbreviation) -> Type {
    let mut s = Subst::default();
    for pair in declared.params.iter().zip(&other.params) {
        match pair {
            (AbbreviationParam::Size(from), AbbreviationParam::Size(to)) => {
                s.sizes.insert(*from, Size::Var(*to));
            }
            (AbbreviationParam::Type(from, _), AbbreviationParam::Type(to, _)) => {
                s.types.insert(*from, Type::Param(*to));
            }
            (AbbreviationParam::Size(_), AbbreviationParam::Type(..))
            | (AbbreviationParam::Type(..), AbbreviationParam::Size(_)) => {}
        }
    }
    subst_type(&declared.ty, &s)
}
