//! Modules as the checker knows them: what they contain, and how names lead through them.
//!
//! Modules exist only here: their definitions become definitions of the program, their types are types.

use super::builtin::INTRINSICS;
use super::scope::{Binding, Scope, TypeBinding};
use crate::syntax::{Ident, ModuleLambda, ModuleTypeExp};
use crate::typed::Exp;
use crate::types::Scheme;
use fun_base::diag::Diagnostic;
use fun_base::name::Symbol;
use fun_base::prim::PrimType;
use fun_base::source::Span;
use std::sync::{Arc, OnceLock};

/// What a name for modules means.
#[derive(Clone, Debug)]
pub(crate) enum Module {
    /// A collection of bindings.
    Structure(Arc<Scope>),
    /// A parametric module.
    Parametric(Arc<Parametric>),
    /// A module that has errors: its uses cause no further ones.
    Failed,
}

/// A parametric module: elaborated anew for each argument.
#[derive(Clone, Debug)]
pub(crate) enum Parametric {
    /// As it was declared, with the scope of the declaration.
    Lambda(Arc<ModuleLambda>, Scope),
    /// Seen through a module type.
    View {
        /// What gives the results; `None` for the parameter of a parametric module.
        inner: Option<Module>,
        /// The module type.
        signature: Arrow,
        /// Whether the types of the results are abstract.
        opaque: bool,
    },
}

/// A module type `(param: argument) -> result` with the scope of its names.
#[derive(Clone, Debug)]
pub(crate) struct Arrow {
    pub(crate) param: Option<Ident>,
    pub(crate) argument: Arc<ModuleTypeExp>,
    pub(crate) result: Arc<ModuleTypeExp>,
    pub(crate) scope: Scope,
}

/// What a name for module types means.
#[derive(Clone, Debug)]
pub(crate) enum ModuleTypeBinding {
    /// A declared module type with the scope of the declaration.
    Declared(Arc<ModuleTypeExp>, Scope),
    /// One of the prelude's, parsed when it is first used.
    Prelude,
    /// One that has errors.
    Failed,
}

/// A value seen through a module type.
#[derive(Clone, Debug)]
pub(crate) struct View {
    /// The type that it is given.
    pub(crate) scheme: Scheme,
    /// The value, for parameters of the scheme.
    pub(crate) exp: Exp,
}

/// Where the modules at the beginning of a qualified name lead.
pub(crate) enum Path {
    /// To a module, or to no further module: how many names that took, and what is in scope there.
    Found(usize, Option<Arc<Scope>>),
    /// The module with this number has errors.
    Failed,
    /// The module with this number has parameters.
    Parametric(usize),
}

/// Goes through the modules that these names begin with.
pub(crate) fn follow(scope: &Scope, names: &[Symbol]) -> Path {
    let mut here: Option<Arc<Scope>> = None;
    for (i, name) in names.iter().enumerate() {
        let values = &here.as_deref().unwrap_or(scope).values;
        match values.get(name) {
            Some(Binding::Module(Module::Structure(inner))) => here = Some(inner.clone()),
            Some(Binding::Module(Module::Failed) | Binding::Failed) => return Path::Failed,
            Some(Binding::Module(Module::Parametric(_))) => return Path::Parametric(i),
            None if here.as_deref().unwrap_or(scope).incomplete => return Path::Failed,
            _ => return Path::Found(i, here),
        }
    }
    Path::Found(names.len(), here)
}

/// The scope that the qualifiers of a name lead to; `None` for the scope itself. All of them must be modules; there is no
/// error where one has been reported.
pub(crate) fn scope_of(
    scope: &Scope,
    qualifiers: &[Symbol],
    span: Span,
) -> Result<Option<Arc<Scope>>, Vec<Diagnostic>> {
    match follow(scope, qualifiers) {
        Path::Found(count, here) if count == qualifiers.len() => Ok(here),
        Path::Found(count, here) => {
            Err(vec![unknown_module(scope, here.as_deref(), qualifiers, count, span)])
        }
        Path::Failed => Err(Vec::new()),
        Path::Parametric(i) => Err(vec![not_a_structure(qualifiers, i, span)]),
    }
}

/// The text of the first names of a path.
fn text(names: &[Symbol]) -> String {
    names.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(".")
}

/// No module has this name.
pub(crate) fn unknown_module(
    scope: &Scope,
    here: Option<&Scope>,
    names: &[Symbol],
    at: usize,
    span: Span,
) -> Diagnostic {
    let name = names[at];
    let scope = here.unwrap_or(scope);
    let message = match (scope.values.contains_key(&name), at) {
        (true, _) => format!("`{}` is a value, not a module", text(&names[..=at])),
        (false, 0) => format!("no module or record `{name}` is in scope"),
        (false, _) => format!("the module `{}` has no `{name}`", text(&names[..at])),
    };
    let modules = scope.values.iter().filter(|(_, binding)| matches!(binding, Binding::Module(_)));
    let d = Diagnostic::error("E0203", message).at(span);
    d.did_you_mean(name.as_str(), modules.map(|(known, _)| known.as_str()))
}

/// A parametric module is not applied.
pub(crate) fn not_a_structure(names: &[Symbol], at: usize, span: Span) -> Diagnostic {
    let message =
        format!("the module `{}` has parameters: only its results have members", text(&names[..=at]));
    Diagnostic::error("E0232", message).at(span).help("apply it: `module m = f (argument)`")
}

/// A module has no such member.
pub(crate) fn no_member<'a>(
    qualifiers: &[Symbol],
    kind: &str,
    name: Symbol,
    known: impl IntoIterator<Item = &'a str>,
    span: Span,
) -> Diagnostic {
    let message = format!("the module `{}` has no {kind}`{name}`", text(qualifiers));
    Diagnostic::error("E0203", message).at(span).did_you_mean(name.as_str(), known)
}

/// The module of a primitive type.
pub(crate) fn of_prim(t: PrimType) -> Module {
    static MODULES: OnceLock<Vec<Arc<Scope>>> = OnceLock::new();
    let all = PrimType::NUMERIC_AND_BOOL;
    let modules = MODULES.get_or_init(|| all.iter().map(|t| Arc::new(members(*t))).collect());
    match all.iter().position(|known| *known == t) {
        Some(i) => Module::Structure(modules[i].clone()),
        None => Module::Failed,
    }
}

fn members(t: PrimType) -> Scope {
    let mut scope = Scope::default();
    // What `ldexp` is made of has no name that is suggested.
    let hidden = t.is_float().then_some("ldexp_whole");
    for name in super::module::member_names(t).into_iter().chain(hidden) {
        scope.values.insert(Symbol::new(name), Binding::Member(t));
    }
    scope.types.insert(Symbol::new("t"), TypeBinding::Prim(t));
    if t.is_float() {
        scope.types.insert(Symbol::new("int_t"), TypeBinding::Prim(t.unsigned_of_width()));
    }
    scope
}

/// Whether a name is qualified by the module of intrinsic functions.
pub(crate) fn is_intrinsics(scope: &Scope, qualifiers: &[Symbol]) -> bool {
    matches!(qualifiers, [only] if only.as_str() == INTRINSICS && !scope.values.contains_key(only))
}
