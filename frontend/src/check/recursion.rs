//! Functions in the scope of themselves.
//!
//! A recursive use has the types of the definition at hand, and sizes of its own for the size parameters that are declared.
//! Without a declared result the result's type is that of the body, which then must have no sizes: those of a call are
//! others. Functions among the parameters must be passed on as they are, so that lowering can specialise on them.

use super::Infer;
use super::function::{Signature, variable};
use super::report::Why;
use super::scope::Binding;
use crate::syntax::Liftedness;
use crate::typed::{DefId, Definition, Exp, ExpKind, Instance};
use crate::types::{Scheme, Size, Type, TypeArg, free_sizes, has_function, payloads};
use fun_base::diag::Diagnostic;
use fun_base::name::Var;
use fun_base::source::Span;
use std::sync::Arc;

/// The number of the definition being checked, until its own is known.
pub(crate) const OWN: DefId = DefId(u32::MAX);

/// What is known of a definition's uses of itself.
#[derive(Default)]
pub(crate) struct Recursion {
    /// The first place.
    pub(crate) used: Option<Span>,
    /// The name of the definition is in its body what it was before.
    pub(crate) earlier: bool,
    /// The type of its result where none is declared.
    result: Option<Type>,
    /// What its uses get for the parameters of the scheme that are not declared: sizes and types.
    rest: (Vec<Var>, Vec<Var>),
}

impl Infer<'_> {
    /// What the name of the definition means in its body.
    pub(crate) fn own_binding(&mut self, signature: &Signature, sizes: &[Var], span: Span) -> Binding {
        let (result, exts) = match &signature.result {
            Some((declared, exts, _)) => {
                let (mut exts, declared) = (exts.clone(), self.resolve(declared));
                // Sizes that the type leaves open are those of each call.
                let mut open = Vec::new();
                self.visit_metas(&declared, &mut |_, meta| open.extend(meta.err()));
                let opened = open.into_iter().map(|meta| {
                    let origin = (span, "this size is that of a recursive call's result".to_owned());
                    let ext = self.fresh_var("k", Some(origin));
                    exts.push(ext);
                    (meta, Size::Var(ext))
                });
                let opened = opened.collect();
                (super::loops::put_metas_in_type(&declared, &opened), exts)
            }
            None => {
                let result = self.fresh_meta(span);
                self.recursion.result = Some(result.clone());
                (result, Vec::new())
            }
        };
        let ty = self.arrows(&signature.params, exts, result);
        let scheme = Scheme { sizes: sizes.to_vec(), types: Vec::new(), liftedness: Vec::new(), ty };
        Binding::Recursive(Some(Arc::new(scheme)))
    }

    /// The definition's use of itself.
    pub(crate) fn own_use(&mut self, scheme: &Scheme, span: Span) -> Exp {
        self.recursion.used.get_or_insert(span);
        let (ty, instance) = self.instantiate(scheme, span);
        Exp { kind: ExpKind::Def(OWN, instance), ty, span }
    }

    /// A result that is not declared must be one type for all calls.
    pub(crate) fn close_recursion(&mut self, body: &Exp, sizes: &[Var]) {
        let (Some(used), Some(result)) = (self.recursion.used, self.recursion.result.clone()) else { return };
        if !self.expect(&result, &body.ty, Why::at(body.span).because(used, "a recursive call gives {}")) {
            return;
        }
        let result = self.resolve(&result);
        let mut open = free_sizes(&result).iter().any(|var| sizes.contains(var));
        self.visit_metas(&result, &mut |_, meta| open |= meta.is_err());
        if open && !self.tainted {
            let message = "a recursive function whose result has sizes must declare the result's type";
            self.errors.push(Diagnostic::error("E0219", message).at(used));
        }
    }

    /// The parameters of the scheme beyond those that are declared: recursive uses have them as they are.
    pub(crate) fn rest_of_scheme(&mut self, sizes: &[Var], types: &[(Var, Liftedness)]) {
        self.recursion.rest = (sizes.to_vec(), types.iter().map(|(var, _)| *var).collect());
    }

    /// Completes a use of the definition in itself.
    pub(crate) fn close_own_use(&self, def: &mut DefId, instance: &mut Instance) {
        *def = DefId(self.global.definitions.len() as u32);
        let (sizes, types) = &self.recursion.rest;
        instance
            .sizes
            .extend(sizes[instance.sizes.len().min(sizes.len())..].iter().map(|var| Size::Var(*var)));
        instance.types = types.iter().map(|var| Type::Param(*var)).collect();
    }

    /// Reports recursion that the language does not have: results that are functions, and calls that change functions
    /// among the parameters.
    pub(crate) fn check_recursion(&mut self, definition: &Definition) {
        if has_function(&definition.result) {
            let message = format!("the result of `{}`, which calls itself, is a function", definition.name);
            let d = Diagnostic::error("E0219", message).at(self.recursion.used.unwrap_or(definition.span));
            self.errors.push(d.help("write what it takes as a further parameter"));
            return;
        }
        let lifted = |t: &Type| match t {
            Type::Param(var) => {
                let at = definition.scheme.types.iter().position(|other| other == var);
                at.is_some_and(|at| definition.scheme.liftedness[at] == Liftedness::Lifted)
            }
            _ => false,
        };
        let functions: Vec<Option<Var>> = definition.params.iter().map(variable).collect();
        let of_function = |t: &Type| has_function(t) || mentions(t, &lifted);
        let places: Vec<usize> =
            (0..definition.params.len()).filter(|i| of_function(&definition.params[*i].ty)).collect();
        if places.is_empty() {
            return;
        }
        let own = DefId(self.global.definitions.len() as u32);
        let mut faults = Vec::new();
        let wanted = definition.params.len();
        uses(&definition.body, own, &mut |place, args: Option<&[Exp]>| match args {
            Some(args) if args.len() >= wanted => {
                for i in &places {
                    let same = matches!(&args[*i].kind, ExpKind::Var(var) if Some(*var) == functions[*i]);
                    if !same {
                        let name = functions[*i].map_or("it", |var| var.text.as_str());
                        let message =
                            format!("a recursive call must pass the function `{name}` on unchanged");
                        faults.push(Diagnostic::error("E0219", message).at(args[*i].span));
                    }
                }
            }
            _ => {
                let message = format!(
                    "`{}` takes a function, so in its own body it must be applied to all its arguments",
                    definition.name
                );
                faults.push(Diagnostic::error("E0219", message).at(place));
            }
        });
        self.errors.append(&mut faults);
    }
}

/// Whether the predicate holds of the type or of one of its parts.
fn mentions(t: &Type, is: &dyn Fn(&Type) -> bool) -> bool {
    is(t)
        || match t {
            Type::Array(_, elem) => mentions(elem, is),
            Type::Record(fields) => fields.iter().any(|(_, t)| mentions(t, is)),
            Type::Sum(constructors) => payloads(constructors).any(|t| mentions(t, is)),
            Type::Unique(inner) => mentions(inner, is),
            Type::Arrow(arrow) => mentions(&arrow.param, is) || mentions(&arrow.result, is),
            Type::Named(_, args) => args.iter().any(|arg| match arg {
                TypeArg::Size(_) => false,
                TypeArg::Type(t) => mentions(t, is),
            }),
            Type::Prim(_) | Type::Param(_) | Type::Meta(_) => false,
        }
}

/// Calls `f` on each use of the definition, with the arguments it is applied to.
fn uses<'e>(exp: &'e Exp, own: DefId, f: &mut dyn FnMut(Span, Option<&'e [Exp]>)) {
    match &exp.kind {
        ExpKind::Def(def, _) if *def == own => f(exp.span, None),
        ExpKind::Apply { function, args, exts: _ } if matches!(function.kind, ExpKind::Def(def, _) if def == own) =>
        {
            f(function.span, Some(args));
            args.iter().for_each(|arg| uses(arg, own, f));
        }
        _ => exp.for_each_child(&mut |inner| uses(inner, own, f)),
    }
}
