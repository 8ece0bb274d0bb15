//! Top-level declarations: inference, generalisation, and what the environment learns from them.

use super::Infer;
use super::attempt::{Outcome, check_value};
use super::scope::{Abbreviation, AbbreviationParam, Binding, Scope};
use super::unknown::TypeMeta;
use crate::syntax::{Declaration, Ident, Liftedness, TypeExp, TypeParam, ValueDeclaration};
use crate::typed::{DefId, Definition, Pattern};
use crate::types::{
    Scheme, Subst, Type, TypeArg, free_sizes, has_function, payloads, subst_type, type_to_string,
};
use fun_base::diag::Diagnostic;
use fun_base::name::{Symbol, Var};
use fun_base::prim::PrimType;
use fun_base::source::Span;
use std::collections::BTreeSet;

/// Where a definition stands.
#[derive(Clone, Copy, Default)]
pub(crate) struct Place {
    /// The module that it belongs to.
    pub(crate) module: Option<Symbol>,
    /// Whether entry points here are those of the program.
    pub(crate) entries: bool,
}

impl Infer<'_> {
    /// The definition with its warnings, or what is wrong with it.
    pub(crate) fn outcome(mut self, definition: Definition) -> Outcome {
        self.warn_of_holes();
        // What uses something that failed is no definition either, but says nothing.
        match self.errors.is_empty() && !self.tainted {
            true => Ok((definition, self.warnings)),
            false => Err(self.errors),
        }
    }

    /// A type abbreviation; reports what is wrong with it.
    pub(crate) fn abbreviation(
        &mut self,
        scope: &Scope,
        name: &Ident,
        declared: &[TypeParam],
        liftedness: Liftedness,
        definition: &TypeExp,
    ) -> Option<Abbreviation> {
        let mut scope = scope.clone();
        let mut params = Vec::new();
        let (sizes, types) = self.type_params(&mut scope, declared);
        let (mut sizes, mut types) = (sizes.into_iter(), types.into_iter());
        for param in declared {
            match param {
                TypeParam::Size(_) => params.extend(sizes.next().map(AbbreviationParam::Size)),
                TypeParam::Type(..) => {
                    params.extend(types.next().map(|(var, lifted)| AbbreviationParam::Type(var, lifted)));
                }
            }
        }
        let mut open = Vec::new();
        let ty = self.type_exp(&scope, definition, super::type_exp::Open::Exists(&mut open));
        let ty = self.resolve(&ty);
        let mut undecided = false;
        self.visit_metas(&ty, &mut |_, _| undecided = true);
        let fine = |this: &Self| this.errors.is_empty() && !this.tainted;
        if undecided && fine(self) {
            let d = Diagnostic::error("E0303", "sizes of parameters in a type abbreviation must be named");
            self.errors.push(d.at(definition.span));
        }
        let used = free_sizes(&ty);
        for (param, declared) in params.iter().zip(declared) {
            if let (AbbreviationParam::Size(var), TypeParam::Size(name)) = (param, declared)
                && !used.contains(var)
                && fine(self)
            {
                let message = format!("the size parameter {} is not used by the type", name.name);
                self.errors.push(Diagnostic::error("E0305", message).at(name.span));
            }
        }
        if !open.is_empty() && liftedness == Liftedness::Unlifted {
            let d = Diagnostic::error("E0303", format!("the type `{}` leaves sizes open", name.name));
            self.errors.push(d.at(definition.span).help("declare it with `type~`"));
        }
        let abbreviation = Abbreviation { params, open, ty, liftedness };
        let actual = abbreviation.actual_liftedness();
        let open = !abbreviation.open.is_empty();
        if rank(actual) > rank(liftedness) && !(open && actual == Liftedness::SizeLifted) {
            let (what, with) = match actual {
                Liftedness::Lifted if has_function(&abbreviation.ty) => ("contains a function", "type^"),
                Liftedness::Lifted => ("may contain a function", "type^"),
                Liftedness::SizeLifted | Liftedness::Unlifted => ("may contain sizes of its own", "type~"),
            };
            let d = Diagnostic::error("E0215", format!("the type `{}` {what}", name.name));
            self.errors.push(d.at(definition.span).help(format!("declare it with `{with}`")));
        }
        Some(abbreviation)
    }

    pub(crate) fn value(&mut self, scope: &Scope, value: &ValueDeclaration, place: Place) -> Definition {
        let mut inner = scope.clone();
        if let "&&" | "||" = value.name.name.as_str() {
            let message = format!(
                "`{}` cannot be defined anew: it evaluates its operands when needed",
                value.name.name
            );
            self.errors.push(Diagnostic::error("E0211", message).at(value.name.span));
        }
        let recursive = !value.params.is_empty() && !self.recursion.earlier;
        if recursive {
            inner.values.insert(value.name.name, Binding::Recursive(None));
        }
        self.level = 1;
        let (mut sizes, declared_types) = self.type_params(&mut inner, &value.type_params);
        let first_size = self.size_metas.len();
        let mut signature =
            self.signature(&inner, &value.params, value.result.as_ref(), None, &value.type_params);
        self.size_metas[first_size..].iter_mut().for_each(|meta| meta.of_parameter = true);
        if recursive {
            let own = self.own_binding(&signature, &sizes, value.name.span);
            // A parameter of the same name hides the function.
            if matches!(signature.scope.values.get(&value.name.name), Some(Binding::Recursive(_))) {
                signature.scope.values.insert(value.name.name, own);
            }
        }
        self.level = 2;
        let mut body = match &signature.result {
            Some((declared, ..)) => self.infer_expecting(&signature.scope, &value.body, declared),
            None => self.infer(&signature.scope, &value.body),
        };
        self.close_recursion(&body, &sizes);
        self.level = 0;
        self.retry(false, value.name.span);
        let known: BTreeSet<Var> = sizes.iter().copied().collect();
        let declared = signature.result.is_some();
        let mut params = signature.params;
        let (result, mut exts) = self.close_result(&params, &body, signature.result, 0, &known);
        self.retry(true, value.name.span);
        // A constant has the sizes that its declared type says: nothing else decides them.
        let told = (declared || !params.is_empty()).then_some(&result);
        self.unused_sizes(&sizes, &params, told, &value.type_params);
        self.warn_of_defaults(&params, &result, value.name);
        self.default_overloaded();
        let ty = self.arrows(&params, exts.clone(), result.clone());
        let mut types = declared_types;
        if !params.is_empty() || has_function(&self.resolve(&result)) {
            self.level = 0;
            self.generalise_sizes(&ty, 0, &mut sizes);
            self.generalise_types(&ty, 0, &mut types);
        }
        self.rest_of_scheme(&sizes, &types);
        let mut result = self.zonk_type(&result);
        let ty = self.zonk_abstract(&ty);
        self.zonk_exp(&mut body);
        params.iter_mut().for_each(|param| self.zonk_binding(param));
        let mut ty = ty;
        if params.is_empty() {
            // A constant's sizes are known to all that follows, under names of their own.
            exts = exts.iter().map(|ext| self.rename_ext(*ext, &mut result, &mut ty)).collect();
        }
        let (types, liftedness) = types.into_iter().unzip();
        let definition = Definition {
            name: match place.module {
                Some(module) => Symbol::new(&format!("{module}.{}", value.name.name)),
                None => value.name.name,
            },
            // As in Futhark, `main` is an entry point however it is declared.
            entry: place.entries && (value.entry || value.name.name.as_str() == "main"),
            recursive: self.recursion.used.is_some(),
            scheme: Scheme { sizes, types, liftedness, ty },
            params,
            body,
            result,
            exts,
            attributes: value.attributes.iter().map(|attribute| attribute.text).collect(),
            doc: value.doc.clone(),
            span: value.span,
        };
        if self.errors.is_empty() && !self.tainted {
            self.check_scoping(&definition);
        }
        if definition.recursive && self.errors.is_empty() && !self.tainted {
            self.check_recursion(&definition);
        }
        if definition.entry && self.errors.is_empty() && !self.tainted {
            self.check_entry(&definition, value.name.span);
        }
        definition
    }

    /// Reports sizes that are needed before they are known.
    fn check_scoping(&mut self, definition: &Definition) {
        let vars = &self.vars;
        let known = |var: Var| !vars.contains_key(&var);
        let faults = super::scoping::unknown_sizes(definition, &self.function_first, known);
        for (var, span) in faults {
            let d =
                Diagnostic::error("E0306", format!("the size {} isn't known here yet", var.text)).at(span);
            let d = match self.vars.get(&var).and_then(|info| info.origin.clone()) {
                Some((origin, text)) => d.label(origin, text),
                None => d,
            };
            self.errors.push(d.help("bind what decides the size with `let` before this"));
        }
    }

    pub(crate) fn retry(&mut self, last: bool, span: Span) {
        if let Err(mismatch) = self.retry_deferred() {
            let at = if self.current == Span::default() { span } else { self.current };
            let unit = Type::unit();
            self.report(&mismatch, &unit, &unit, super::report::Why::at(at));
        }
        if last {
            for (a, b, at) in std::mem::take(&mut self.deferred) {
                self.current = at;
                let _ = self.unify_terms(&a, &b, true);
                let (a, b) = (self.resolve_size(&a), self.resolve_size(&b));
                if self.sizes_equal(&a, &b) {
                    continue;
                }
                let texts = [a, b].map(|size| crate::types::size_to_string(&size));
                let message = format!("cannot tell which sizes make {} and {} equal", texts[0], texts[1]);
                let d = Diagnostic::error("E0304", message).at(at);
                self.errors.push(d.help("give the result a type with sizes"));
            }
        }
    }

    fn rename_ext(&mut self, ext: Var, result: &mut Type, ty: &mut Type) -> Var {
        let fresh = self.global.names.fresh(ext.text);
        let mut s = Subst::default();
        s.sizes.insert(ext, crate::types::Size::Var(fresh));
        *result = subst_type(result, &s);
        *ty = subst_type(ty, &s);
        fresh
    }

    /// Every size parameter must be a size of some parameter or of the result, as they turned out to be: that is where
    /// its value comes from.
    fn unused_sizes(
        &mut self,
        sizes: &[Var],
        params: &[crate::typed::Pattern],
        result: Option<&Type>,
        declared: &[TypeParam],
    ) {
        let mut used = BTreeSet::new();
        for t in params.iter().map(|param| &param.ty).chain(result) {
            used.append(&mut free_sizes(&self.resolve(t)));
        }
        let names = declared.iter().filter_map(|param| match param {
            TypeParam::Size(name) => Some(name),
            TypeParam::Type(..) => None,
        });
        for (var, name) in sizes.iter().zip(names) {
            if !used.contains(var) && !self.tainted {
                let message = format!("the size parameter {} is not a size of any parameter", name.name);
                self.errors.push(Diagnostic::error("E0305", message).at(name.span));
            }
        }
    }

    /// Warns if the type of a function is decided by nothing but the defaults for numbers.
    fn warn_of_defaults(&mut self, params: &[Pattern], result: &Type, name: Ident) {
        let mut ambiguous = false;
        for t in params.iter().map(|param| &param.ty).chain([result]).filter(|_| !params.is_empty()) {
            self.visit_metas(t, &mut |this, meta| {
                ambiguous |= meta.is_ok_and(|meta| this.metas[meta as usize].constraint.prims.is_some());
            });
        }
        if ambiguous {
            let message = format!("the type of `{}` is ambiguous: a default was chosen", name.name);
            let warning = Diagnostic::warning("W0504", message).at(name.span);
            self.warnings.push(warning.help("say the types of its parameters"));
        }
    }

    /// Types that nothing decides but that must be numbers are `i32`, or `f64` where they must be floats.
    fn default_overloaded(&mut self) {
        for meta in 0..self.metas.len() {
            if self.metas[meta].solution.is_some() {
                continue;
            }
            let Some(set) = self.metas[meta].constraint.prims else { continue };
            let choices = [PrimType::I32, PrimType::F64, PrimType::I64, PrimType::Bool];
            let all = PrimType::NUMERIC_AND_BOOL;
            if let Some(choice) = choices.into_iter().chain(all).find(|t| set.contains(*t)) {
                self.metas[meta].solution = Some(Type::Prim(choice));
            }
        }
    }

    /// Makes parameters of the unsolved types from a level on, but for those that overloading restricts.
    pub(crate) fn generalise_types(&mut self, t: &Type, level: u32, types: &mut Vec<(Var, Liftedness)>) {
        let mut open = Vec::new();
        let mut fields = Vec::new();
        self.visit_metas(t, &mut |this, meta| {
            if let Ok(meta) = meta {
                fields.extend(this.metas[meta as usize].constraint.parts());
            }
        });
        // The fields of a record that is not known yet are decided with it.
        let mut bound = Vec::new();
        while let Some(field) = fields.pop() {
            self.visit_metas(&field, &mut |this, meta| {
                if let Ok(meta) = meta
                    && !bound.contains(&meta)
                {
                    bound.push(meta);
                    fields.extend(this.metas[meta as usize].constraint.parts());
                }
            });
        }
        self.visit_metas(t, &mut |_, meta| {
            if let Ok(meta) = meta
                && !bound.contains(&meta)
                && !open.contains(&meta)
            {
                open.push(meta);
            }
        });
        for meta in open {
            let TypeMeta { constraint, level: depth, .. } = &self.metas[meta as usize];
            let overloaded =
                constraint.equality || constraint.prims.is_some() || constraint.parts().next().is_some();
            if constraint.failed || overloaded || *depth < level {
                continue;
            }
            let lifted = if constraint.first_order || constraint.unlifted {
                Liftedness::Unlifted
            } else {
                Liftedness::Lifted
            };
            let name = "abcdefghijklmnopqrstuvwxyz".get(types.len()..=types.len()).unwrap_or("t");
            let var = self.fresh_var(name, None);
            types.push((var, lifted));
            self.metas[meta as usize].solution = Some(Type::Param(var));
        }
    }

    fn check_entry(&mut self, definition: &Definition, span: Span) {
        let name = definition.name;
        if !definition.scheme.types.is_empty() {
            let message = format!(
                "the entry point `{name}` has the open type {}",
                type_to_string(&definition.scheme.ty)
            );
            let d = Diagnostic::error("E0217", message).at(span);
            self.errors.push(d.help("give its parameters types"));
            return;
        }
        // A function that it gives takes further parameters.
        let (mut ty, mut functional) = (definition.scheme.ty.clone(), false);
        let mut whole = Vec::new();
        let sizes = definition.scheme.sizes.iter().copied().collect();
        while let Type::Arrow(arrow) = ty {
            functional |= has_function(&arrow.param);
            super::apply::whole_dimensions(&arrow.param, &sizes, &mut whole);
            ty = arrow.result.clone();
        }
        if functional || has_function(&ty) {
            let message = format!("the entry point `{name}` takes or gives a function");
            self.errors.push(Diagnostic::error("E0217", message).at(span));
        }
        // The sizes of the arguments must give the values of the size parameters.
        if let Some(size) = definition.scheme.sizes.iter().find(|size| !whole.contains(size)) {
            let message =
                format!("the entry point `{name}` needs a parameter of exactly the size {}", size.text);
            self.errors.push(Diagnostic::error("E0217", message).at(span));
        }
    }

    /// The definition of a name of the prelude, checked now if it has not been used before.
    pub(crate) fn prelude_definition(&mut self, name: Symbol) -> Option<DefId> {
        if let Some(def) = self.global.used.get(&name) {
            return Some(*def);
        }
        let prelude = self.global.prelude.clone();
        let parsed = prelude.parse(name);
        self.check_library(name, parsed, &format!("`{name}` of the prelude"))
    }

    /// The definition of a module's member from its text, checked now if it has not been used before.
    pub(crate) fn member_definition(&mut self, name: &str, text: &str) -> Option<DefId> {
        let symbol = Symbol::new(name);
        if let Some(def) = self.global.used.get(&symbol) {
            return Some(*def);
        }
        let source = fun_base::source::Source { name: Symbol::new("prelude"), text: text.into() };
        let program = crate::parse::parse_program(&source, crate::prelude::MEMBERS_FILE).ok();
        let parsed = program.and_then(|program| match program.declarations.into_iter().next() {
            Some(Declaration::Value(value)) => Some(value),
            _ => None,
        });
        self.check_library(symbol, parsed, name)
    }

    fn check_library(&mut self, name: Symbol, parsed: Option<ValueDeclaration>, what: &str) -> Option<DefId> {
        let Some(parsed) = parsed else {
            self.errors.push(Diagnostic::error("E0299", format!("{what} cannot be parsed")));
            return None;
        };
        let scope = self.global.prelude_scope.clone();
        match check_value(self.global, &scope, &parsed, Place::default()) {
            Ok((def, _)) => {
                self.global.used.insert(name, def);
                Some(def)
            }
            Err(errors) => {
                // The prelude has no errors: a test checks all of it.
                let message = errors.first().map_or_else(String::new, |error| error.message.clone());
                self.errors.push(Diagnostic::error("E0299", format!("{what}: {message}")));
                None
            }
        }
    }
}

impl Abbreviation {
    /// How lifted the type itself is.
    pub(crate) fn actual_liftedness(&self) -> Liftedness {
        let param = |var: &Var| {
            let found = self.params.iter().find_map(|param| match param {
                AbbreviationParam::Type(known, liftedness) if known == var => Some(*liftedness),
                AbbreviationParam::Type(..) | AbbreviationParam::Size(_) => None,
            });
            found.unwrap_or(Liftedness::Unlifted)
        };
        let open = if self.open.is_empty() { Liftedness::Unlifted } else { Liftedness::SizeLifted };
        let of_type = liftedness_of(&self.ty, &param);
        if rank(of_type) > rank(open) { of_type } else { open }
    }

    /// A size parameter that is not a whole dimension of the type: values do not tell it.
    pub(crate) fn hidden_size(&self) -> Option<Symbol> {
        let sizes = self.params.iter().filter_map(|param| match param {
            AbbreviationParam::Size(var) => Some(*var),
            AbbreviationParam::Type(..) => None,
        });
        let sizes: BTreeSet<Var> = sizes.collect();
        let mut whole = Vec::new();
        super::apply::whole_dimensions(&self.ty, &sizes, &mut whole);
        sizes.iter().find(|size| !whole.contains(size) && !has_function(&self.ty)).map(|size| size.text)
    }
}

/// Liftedness as a number: what is more lifted has a larger one.
pub(crate) fn rank(liftedness: Liftedness) -> u8 {
    match liftedness {
        Liftedness::Unlifted => 0,
        Liftedness::SizeLifted => 1,
        Liftedness::Lifted => 2,
    }
}

/// How lifted a type is whose parameters are as `param` says.
fn liftedness_of(t: &Type, param: &dyn Fn(&Var) -> Liftedness) -> Liftedness {
    let most = |types: &mut dyn Iterator<Item = &Type>| {
        let all = types.map(|t| liftedness_of(t, param));
        all.max_by_key(|liftedness| rank(*liftedness)).unwrap_or(Liftedness::Unlifted)
    };
    match t {
        Type::Prim(_) | Type::Meta(_) => Liftedness::Unlifted,
        Type::Param(var) => param(var),
        Type::Named(name, args) => {
            let of_args = most(&mut args.iter().filter_map(|arg| match arg {
                TypeArg::Size(_) => None,
                TypeArg::Type(t) => Some(t),
            }));
            let own = name.liftedness;
            if rank(own) > rank(of_args) || own == Liftedness::Unlifted { own } else { of_args }
        }
        Type::Array(_, elem) => liftedness_of(elem, param),
        Type::Record(fields) => most(&mut fields.iter().map(|(_, t)| t)),
        Type::Sum(constructors) => most(&mut payloads(constructors)),
        Type::Unique(inner) => liftedness_of(inner, param),
        Type::Arrow(_) => Liftedness::Lifted,
    }
}
