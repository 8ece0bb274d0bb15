//! Declarations and module expressions. A parametric module is checked once for a parameter of which only the module type is
//! known, and elaborated again for each argument; what that makes are ordinary definitions.

use super::Infer;
use super::attempt::check_value;
use super::definition::Place;
use super::modules::{self, Arrow, Module, ModuleTypeBinding, Parametric};
use super::scope::{Binding, Environment, Scope, TypeBinding};
use crate::syntax::{Declaration, Ident, Import, ModuleExp, ModuleExpKind, ModuleLambda, QualName};
use fun_base::diag::Diagnostic;
use fun_base::name::Symbol;
use fun_base::source::Span;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What checks declarations.
pub(crate) struct Elaborator<'e> {
    pub(crate) global: &'e mut Environment,
    pub(crate) errors: Vec<Diagnostic>,
    pub(crate) warnings: Vec<Diagnostic>,
    /// The module that is being elaborated; `None` at the top of the main file.
    pub(crate) path: Option<Symbol>,
    /// Whether this is the main file, whose entry points are those of the program.
    pub(crate) main: bool,
    /// Whether parametric modules have been checked already, as part of one that is being applied.
    pub(crate) checked: bool,
}

/// The names that a sequence of declarations has defined, to find those defined twice.
#[derive(Default)]
pub(crate) struct Seen(BTreeMap<(&'static str, Symbol), Span>);

impl Seen {
    /// Notes a name of a name space; gives the error if it is there already.
    pub(crate) fn define(&mut self, space: &'static str, name: &Ident) -> Option<Diagnostic> {
        let first = self.0.insert((space, name.name), name.span)?;
        let message = format!("`{}` is defined twice", name.name);
        Some(Diagnostic::error("E0211", message).at(name.span).label(first, "first defined here"))
    }
}

impl<'e> Elaborator<'e> {
    pub(crate) fn new(global: &'e mut Environment, path: Option<Symbol>) -> Elaborator<'e> {
        let main = path.is_none();
        Elaborator { global, errors: Vec::new(), warnings: Vec::new(), path, main, checked: false }
    }

    /// Runs the inference of something outside of definitions; `None` when it has errors.
    pub(crate) fn infer<R>(&mut self, f: impl FnOnce(&mut Infer) -> Option<R>) -> Option<R> {
        let mut infer = Infer::new(self.global);
        let result = f(&mut infer);
        let fine = infer.errors.is_empty() && !infer.tainted;
        self.errors.append(&mut infer.errors);
        result.filter(|_| fine)
    }

    /// Checks declarations in order. `scope` learns all names, `exports` those that can be seen outside.
    pub(crate) fn declarations(
        &mut self,
        scope: &mut Scope,
        exports: &mut Scope,
        declarations: &[Declaration],
    ) {
        let mut seen = Seen::default();
        for declaration in declarations {
            self.declaration(scope, Some(exports), &mut seen, declaration);
        }
    }

    fn declaration(
        &mut self,
        scope: &mut Scope,
        exports: Option<&mut Scope>,
        seen: &mut Seen,
        declaration: &Declaration,
    ) {
        match declaration {
            Declaration::Value(value) => {
                self.errors.extend(seen.define("value", &value.name));
                let place = Place { module: self.path, entries: self.main && self.path.is_none() };
                let binding = match check_value(self.global, scope, value, place) {
                    Ok((def, mut warnings)) => {
                        self.warnings.append(&mut warnings);
                        Binding::Def(def)
                    }
                    Err(mut errors) => {
                        self.errors.append(&mut errors);
                        Binding::Failed
                    }
                };
                self.bind(scope, exports, &value.name, binding);
            }
            Declaration::Type(t) => {
                self.errors.extend(seen.define("type", &t.name));
                let checked = self.infer(|infer| {
                    infer.abbreviation(scope, &t.name, &t.params, t.liftedness, &t.definition)
                });
                let binding = checked.map_or(TypeBinding::Failed, |t| TypeBinding::Abbreviation(Arc::new(t)));
                for scope in exports.into_iter().chain([scope]) {
                    scope.types.insert(t.name.name, binding.clone());
                }
                self.declared(&t.name);
            }
            Declaration::Module(name, exp) => {
                self.errors.extend(seen.define("value", name));
                let path = self.path;
                self.path = Some(self.qualified(name.name));
                let module = self.module_exp(scope, exp);
                self.path = path;
                self.bind(scope, exports, name, Binding::Module(module));
            }
            Declaration::ModuleType(name, exp) => {
                self.errors.extend(seen.define("module type", name));
                let before = self.errors.len();
                // Seen as the type of a module of which nothing else is known.
                let instance = self.parameter(scope, name.name, exp);
                let binding = match instance {
                    Module::Failed => ModuleTypeBinding::Failed,
                    _ if self.errors.len() > before => ModuleTypeBinding::Failed,
                    _ => ModuleTypeBinding::Declared(exp.clone(), scope.clone()),
                };
                for scope in exports.into_iter().chain([scope]) {
                    scope.module_types.insert(name.name, binding.clone());
                }
                self.declared(name);
            }
            Declaration::Open(exp) => {
                let module = self.module_exp(scope, exp);
                self.open(scope, exports, module, exp.span);
            }
            Declaration::Import(import) => {
                let module = self.import(import);
                self.open(scope, None, module, import.span);
            }
            Declaration::Local(inner) => self.declaration(scope, None, seen, inner),
        }
    }

    fn declared(&mut self, name: &Ident) {
        if self.main && self.path.is_none() {
            self.global.declared.insert(name.name, name.span);
        }
    }

    fn bind(&mut self, scope: &mut Scope, exports: Option<&mut Scope>, name: &Ident, binding: Binding) {
        if let Some(exports) = exports {
            exports.values.insert(name.name, binding.clone());
        }
        scope.values.insert(name.name, binding);
        self.declared(name);
    }

    /// The name with that of the module in front.
    fn qualified(&self, name: Symbol) -> Symbol {
        self.path.map_or(name, |path| Symbol::new(&format!("{path}.{name}")))
    }

    fn open(&mut self, scope: &mut Scope, exports: Option<&mut Scope>, module: Module, span: Span) {
        match module {
            Module::Structure(opened) => {
                scope.open(&opened);
                if let Some(exports) = exports {
                    exports.open(&opened);
                }
            }
            Module::Parametric(_) => {
                let d = Diagnostic::error("E0232", "a parametric module cannot be opened").at(span);
                self.errors.push(d.help("apply it to an argument"));
            }
            Module::Failed => {
                scope.incomplete = true;
                if let Some(exports) = exports {
                    exports.incomplete = true;
                }
            }
        }
    }

    /// The module that an expression gives.
    pub(crate) fn module_exp(&mut self, scope: &Scope, exp: &ModuleExp) -> Module {
        match &exp.kind {
            ModuleExpKind::Name(name) => self.module_name(scope, name),
            ModuleExpKind::Structure(declarations) => {
                let (mut inner, mut exports) = (scope.clone(), Scope::default());
                self.declarations(&mut inner, &mut exports, declarations);
                Module::Structure(Arc::new(exports))
            }
            ModuleExpKind::Import(import) => self.import(import),
            ModuleExpKind::Ascription(inner, signature) => {
                let module = self.module_exp(scope, inner);
                self.ascribe(scope, &module, signature, true, inner.span)
            }
            ModuleExpKind::Lambda(lambda) => self.lambda(scope, lambda),
            ModuleExpKind::Apply(function, arg) => {
                let function = self.module_exp(scope, function);
                let arg_module = self.module_exp(scope, arg);
                self.apply(&function, &arg_module, exp.span, arg.span)
            }
        }
    }

    fn module_name(&mut self, scope: &Scope, name: &QualName) -> Module {
        let here = match modules::scope_of(scope, &name.qualifiers, name.span) {
            Ok(here) => here,
            Err(problem) => {
                self.errors.extend(problem);
                return Module::Failed;
            }
        };
        let inner = here.as_deref().unwrap_or(scope);
        match inner.values.get(&name.name) {
            Some(Binding::Module(module)) => module.clone(),
            Some(Binding::Failed) => Module::Failed,
            None if inner.incomplete => Module::Failed,
            _ => {
                let names: Vec<Symbol> = name.qualifiers.iter().copied().chain([name.name]).collect();
                let at = names.len() - 1;
                self.errors.push(modules::unknown_module(scope, here.as_deref(), &names, at, name.span));
                Module::Failed
            }
        }
    }

    /// A parametric module, checked for a parameter of which only the module type is known.
    fn lambda(&mut self, scope: &Scope, lambda: &Arc<ModuleLambda>) -> Module {
        if !self.checked {
            let before = self.errors.len();
            let param = self.parameter(scope, lambda.param.name, &lambda.signature);
            let failed = matches!(param, Module::Failed);
            let main = std::mem::replace(&mut self.main, false);
            self.body(scope, lambda, param);
            self.main = main;
            if failed || self.errors.len() > before {
                return Module::Failed;
            }
        }
        Module::Parametric(Arc::new(Parametric::Lambda(lambda.clone(), scope.clone())))
    }

    /// The result of a parametric module for this parameter.
    fn body(&mut self, scope: &Scope, lambda: &ModuleLambda, param: Module) -> Module {
        let mut inner = scope.clone();
        inner.values.insert(lambda.param.name, Binding::Module(param));
        let result = self.module_exp(&inner, &lambda.body);
        match &lambda.result {
            Some(signature) => self.ascribe(&inner, &result, signature, true, lambda.body.span),
            None => result,
        }
    }

    /// The result of applying a module.
    pub(crate) fn apply(&mut self, function: &Module, arg: &Module, span: Span, arg_span: Span) -> Module {
        let parametric = match function {
            Module::Parametric(parametric) => parametric.clone(),
            Module::Structure(_) => {
                let d = Diagnostic::error("E0232", "this module has no parameters, so it cannot be applied");
                self.errors.push(d.at(span));
                return Module::Failed;
            }
            Module::Failed => return Module::Failed,
        };
        match &*parametric {
            Parametric::Lambda(lambda, scope) => {
                let errors = self.errors.len();
                let param = self.ascribe(scope, arg, &lambda.signature, false, arg_span);
                if matches!(param, Module::Failed) || self.errors.len() > errors {
                    return Module::Failed;
                }
                let warnings = self.warnings.len();
                let checked = std::mem::replace(&mut self.checked, true);
                let result = self.body(scope, lambda, param);
                self.checked = checked;
                self.warnings.truncate(warnings);
                // The body is right for some arguments: it is this one that does not fit.
                for error in self.errors.drain(errors..).collect::<Vec<_>>() {
                    self.errors.push(error.label(span, "in this application of a parametric module"));
                }
                result
            }
            Parametric::View { inner, signature, opaque } => {
                let Arrow { param, argument, result, scope } = signature;
                let errors = self.errors.len();
                let given = self.ascribe(scope, arg, argument, false, arg_span);
                if matches!(given, Module::Failed) || self.errors.len() > errors {
                    return Module::Failed;
                }
                let mut scope = scope.clone();
                if let Some(param) = param {
                    scope.values.insert(param.name, Binding::Module(given.clone()));
                }
                match inner {
                    None => {
                        let name = self.path.unwrap_or_else(|| Symbol::new("result"));
                        self.parameter(&scope, name, result)
                    }
                    Some(inner) => {
                        let made = self.apply(inner, &given, span, arg_span);
                        self.ascribe(&scope, &made, result, *opaque, span)
                    }
                }
            }
        }
    }

    /// The module of a file.
    fn import(&mut self, import: &Import) -> Module {
        let path = import.path.as_str();
        if let Some(name) = path.strip_prefix("/prelude/") {
            if super::PRELUDE_FILES.contains(&name) {
                return Module::Structure(Arc::new(self.global.prelude_scope.clone()));
            }
        } else {
            let directory = self.global.directories.get(&import.span.file);
            let file = crate::files::resolve(directory.map_or("", |directory| directory.as_str()), path);
            if let Some(module) = self.global.files.get(&Symbol::new(&file)) {
                return module.clone();
            }
        }
        let d = Diagnostic::error("E0240", format!("there is no file `{path}.fut` to import"));
        self.errors.push(d.at(import.span));
        Module::Failed
    }
}
