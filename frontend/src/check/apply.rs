//! Applications.

use super::Infer;
use super::report::Why;
use super::scope::Scope;
use super::unknown::Constraint;
use crate::syntax;
use crate::typed::{Exp, ExpKind};
use crate::types::{
    Arrow, Size, Subst, Type, TypeArg, free_in_size, map_sum, opaque, payloads, size_to_exp, subst_type,
    type_to_string,
};
use fun_base::diag::Diagnostic;
use fun_base::name::{Symbol, Var};
use fun_base::prim::PrimType;
use fun_base::source::Span;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Sizes of results larger than this are not followed.
const LARGEST_SIZE: u32 = 200;

/// An argument, typed or not yet.
pub(crate) enum Arg<'a> {
    Syntax(&'a syntax::Exp),
    Typed(Box<Exp>),
}

fn is_lambda(exp: &syntax::Exp) -> bool {
    match &exp.kind {
        syntax::ExpKind::Parens(inner) => is_lambda(inner),
        syntax::ExpKind::Lambda { .. } => true,
        _ => false,
    }
}

impl Infer<'_> {
    /// The function applied to the arguments. Lambdas among these are looked at last: the other arguments tell the types
    /// of their parameters.
    pub(crate) fn apply(&mut self, scope: &Scope, function: Exp, args: Vec<Arg>, span: Span) -> Exp {
        let saved = std::mem::take(&mut self.pending_exts);
        let given = args.len();
        let mut ty = function.ty.clone();
        let callee = function.span;
        // An application of an application is one.
        let (function, earlier, mut exts) = match function {
            Exp { kind: ExpKind::Apply { function, args, exts }, .. } => (function, args, exts),
            other => (Box::new(other), Vec::new(), Vec::new()),
        };
        let mut typed: Vec<Option<Exp>> = Vec::new();
        let mut later = Vec::new();
        let mut failed = false;
        for (i, arg) in args.into_iter().enumerate() {
            let Some(arrow) = (if failed { None } else { self.function_type(&ty, callee, span, i, given) })
            else {
                failed = true;
                if let Arg::Syntax(exp) = arg {
                    self.infer(scope, exp);
                }
                continue;
            };
            let result = self.resolve(&arrow.result);
            let mut s = Subst::default();
            match arg {
                Arg::Syntax(exp) if is_lambda(exp) && arrow.name.is_none() => {
                    later.push((i, exp, arrow.param.clone()));
                    typed.push(None);
                }
                arg => {
                    let exp = match arg {
                        Arg::Syntax(exp) => self.infer_expecting(scope, exp, &arrow.param),
                        Arg::Typed(exp) => *exp,
                    };
                    self.expect_argument(&arrow.param, &exp, callee, i);
                    if let Some(name) = arrow.name {
                        self.name_argument(name, &result, &exp, &mut s);
                    }
                    typed.push(Some(exp));
                }
            }
            for ext in &arrow.exts {
                let origin = Some((span, format!("the size {} is decided by this when it runs", ext.text)));
                let fresh = self.fresh_var(ext.text.as_str(), origin);
                exts.push(fresh);
                s.sizes.insert(*ext, Size::Var(fresh));
            }
            ty = subst_type(&result, &s);
            if let Some(name) = arrow.name {
                // What could not be put in: sizes that mention the name are known only when the program runs.
                let names = BTreeSet::from([name]);
                ty = self.replace_sizes(&ty, &names, &mut exts, span);
            }
        }
        for (i, exp, param) in later {
            let exp = self.infer_expecting(scope, exp, &param);
            self.expect_argument(&param, &exp, callee, i);
            typed[i] = Some(exp);
        }
        ty = self.bound_sizes(ty, &mut exts, span);
        ty = self.check_pending(ty, span);
        exts.append(&mut self.pending_exts);
        self.pending_exts = saved;
        if failed {
            return self.failed(span);
        }
        let args = earlier.into_iter().chain(typed.into_iter().flatten()).collect();
        Exp { kind: ExpKind::Apply { function, args, exts }, ty: ty.strip_unique(), span }
    }

    /// The type with new existentials for the sizes of arrays that have grown too large, as those of a chain of functions do
    /// that multiply them.
    fn bound_sizes(&mut self, ty: Type, exts: &mut Vec<Var>, span: Span) -> Type {
        match ty {
            Type::Array(size, elem) => {
                let simple = matches!(size, Size::Const(_) | Size::Var(_) | Size::Meta(_));
                let large = !simple && self.weight(&self.resolve_size(&size)) > LARGEST_SIZE;
                let size = if large {
                    let origin = (span, "this size is too large an expression to follow".to_owned());
                    let ext = self.fresh_var("k", Some(origin));
                    exts.push(ext);
                    Size::Var(ext)
                } else {
                    size
                };
                Type::array(size, self.bound_sizes(*elem, exts, span))
            }
            Type::Record(fields) => {
                let part = |(f, t): &(Symbol, Type)| (*f, self.bound_sizes(t.clone(), exts, span));
                Type::Record(fields.iter().map(part).collect())
            }
            Type::Unique(inner) => Type::Unique(Box::new(self.bound_sizes(*inner, exts, span))),
            other => other,
        }
    }

    /// A size that the instance of a lifted parameter left open must be told by the result.
    fn check_pending(&mut self, result: Type, span: Span) -> Type {
        if self.pending_exts.is_empty() {
            return result;
        }
        let pending: BTreeSet<Var> = self.pending_exts.iter().copied().collect();
        let result = self.resolve(&result);
        let mut whole = Vec::new();
        whole_dimensions(&result, &pending, &mut whole);
        let later: BTreeSet<Var> = pending.iter().filter(|var| !whole.contains(var)).copied().collect();
        // A function decides its sizes when it is applied.
        let result = self.close_arrows(&result, &later);
        if let Some(size) = crate::types::free_sizes(&result).intersection(&later).next() {
            let message = format!("the size {} isn't known where the result of this is used", size.text);
            let d = Diagnostic::error("E0302", message)
                .at_saying(span, format!("this is {}", type_to_string(&result)));
            self.errors
                .push(d.help("a function whose result has a size of its own cannot be used like this"));
        }
        result
    }

    /// The type with existentials at the function types whose results have these sizes.
    fn close_arrows(&mut self, t: &Type, sizes: &BTreeSet<Var>) -> Type {
        match t {
            Type::Arrow(arrow) => {
                let mut whole = Vec::new();
                whole_dimensions(&arrow.result, sizes, &mut whole);
                let mut s = Subst::default();
                let mut arrow = (**arrow).clone();
                for var in whole {
                    let fresh = self.fresh_var(var.text.as_str(), None);
                    arrow.exts.push(fresh);
                    s.sizes.insert(var, Size::Var(fresh));
                }
                let result = subst_type(&arrow.result, &s);
                let rest = sizes.iter().filter(|var| !s.sizes.contains_key(var)).copied().collect();
                arrow.result = self.close_arrows(&result, &rest);
                Type::Arrow(Arc::new(arrow))
            }
            Type::Record(fields) => {
                Type::Record(fields.iter().map(|(f, t)| (*f, self.close_arrows(t, sizes))).collect())
            }
            Type::Unique(inner) => Type::Unique(Box::new(self.close_arrows(inner, sizes))),
            other => other.clone(),
        }
    }

    fn expect_argument(&mut self, param: &Type, arg: &Exp, callee: Span, i: usize) {
        let why = Why::at(arg.span).because(callee, format!("expected {{}} as argument {} of this", i + 1));
        self.expect(param, &arg.ty, why);
    }

    /// Puts the argument in for the name that the result's sizes use; what can't be put in stays.
    fn name_argument(&mut self, name: Var, result: &Type, arg: &Exp, s: &mut Subst) {
        if !crate::types::free_sizes(result).contains(&name) {
            return;
        }
        let is_int = matches!(self.head(&arg.ty), Type::Prim(PrimType::I64));
        let size = if is_int { self.exp_to_size(arg) } else { self.closed(arg).map(opaque) };
        if size.is_none() {
            self.warn_of_binding(arg);
        }
        if let Some(size) = size {
            // An unknown inside of another expression could not be seen there.
            if is_int || size_to_exp(&size, arg.span).is_some() {
                s.sizes.insert(name, size);
            }
        }
    }

    /// The type as that of a function; reports what is none.
    fn function_type(
        &mut self,
        ty: &Type,
        callee: Span,
        span: Span,
        i: usize,
        given: usize,
    ) -> Option<Arrow> {
        match self.head(ty) {
            Type::Arrow(arrow) => Some(Arc::unwrap_or_clone(arrow)),
            Type::Unique(inner) => self.function_type(&inner, callee, span, i, given),
            Type::Meta(_) if self.is_failed(ty) => None,
            Type::Meta(meta) => {
                let level = self.metas[meta as usize].level;
                let here = std::mem::replace(&mut self.level, level);
                let param = self.fresh_meta(span);
                let result =
                    self.fresh_constrained(Constraint { lifted: true, ..Constraint::default() }, span);
                self.level = here;
                let arrow = Arrow { name: None, param, exts: Vec::new(), result };
                let function = Type::Arrow(Arc::new(arrow.clone()));
                self.expect(ty, &function, Why::at(callee)).then_some(arrow)
            }
            other => {
                let (code, text) = ("E0205", type_to_string(&self.resolve(&other)));
                let diagnostic = if i == 0 {
                    Diagnostic::error(
                        code,
                        format!("a value of type {text} is applied as if it were a function"),
                    )
                    .at_saying(callee, "not a function")
                } else {
                    let takes = if i == 1 { "1 argument".to_owned() } else { format!("{i} arguments") };
                    Diagnostic::error(
                        code,
                        format!("too many arguments: the function takes {takes}, {given} are given"),
                    )
                    .at_saying(callee, format!("after {takes} this gives {text}"))
                };
                self.errors.push(diagnostic);
                None
            }
        }
    }

    /// The (resolved) type with new existentials for the sizes that mention any of the variables.
    pub(crate) fn replace_sizes(
        &mut self,
        t: &Type,
        vars: &BTreeSet<Var>,
        exts: &mut Vec<Var>,
        span: Span,
    ) -> Type {
        let mut known: Vec<(Size, Var)> = Vec::new();
        // Variables that are a whole dimension get an existential, which other sizes can mention as well.
        let mut whole = Vec::new();
        whole_dimensions(t, vars, &mut whole);
        let mut s = Subst::default();
        for var in whole {
            let ext = self.replace_in(&Type::array(Size::Var(var), Type::unit()), vars, &mut known, span);
            if let Type::Array(ext, _) = ext {
                s.sizes.insert(var, ext);
            }
        }
        let t = subst_type(t, &s);
        let replaced = self.replace_in(&t, vars, &mut known, span);
        exts.extend(known.into_iter().map(|(_, var)| var));
        replaced
    }

    fn replace_in(
        &mut self,
        t: &Type,
        vars: &BTreeSet<Var>,
        known: &mut Vec<(Size, Var)>,
        span: Span,
    ) -> Type {
        match t {
            Type::Prim(_) | Type::Param(_) | Type::Meta(_) => t.clone(),
            Type::Array(size, elem) => {
                let mut free = BTreeSet::new();
                free_in_size(size, &mut free);
                let size = if free.is_disjoint(vars) {
                    size.clone()
                } else if let Some((_, var)) = known.iter().find(|(other, _)| other == size) {
                    Size::Var(*var)
                } else {
                    let (text, origin) = match size {
                        Size::Var(var) => {
                            (var.text.as_str(), self.vars.get(var).and_then(|info| info.origin.clone()))
                        }
                        _ => ("k", None),
                    };
                    let origin =
                        origin.or(Some((span, "this size is known only when the program runs".to_owned())));
                    let var = self.fresh_var(text, origin);
                    known.push((size.clone(), var));
                    Size::Var(var)
                };
                Type::array(size, self.replace_in(elem, vars, known, span))
            }
            Type::Record(fields) => Type::Record(
                fields.iter().map(|(f, t)| (*f, self.replace_in(t, vars, known, span))).collect(),
            ),
            Type::Sum(constructors) => map_sum(constructors, |t| self.replace_in(t, vars, known, span)),
            Type::Unique(inner) => Type::Unique(Box::new(self.replace_in(inner, vars, known, span))),
            Type::Named(name, args) => {
                let mut replaced = Vec::new();
                for arg in args {
                    replaced.push(match arg {
                        TypeArg::Size(size) => {
                            match self.replace_in(&Type::array(size.clone(), Type::unit()), vars, known, span)
                            {
                                Type::Array(size, _) => TypeArg::Size(size),
                                _ => arg.clone(),
                            }
                        }
                        TypeArg::Type(t) => TypeArg::Type(self.replace_in(t, vars, known, span)),
                    });
                }
                Type::Named(name.clone(), replaced)
            }
            Type::Arrow(arrow) => {
                let param = self.replace_in(&arrow.param, vars, known, span);
                let inner: BTreeSet<Var> = vars
                    .iter()
                    .filter(|v| !arrow.exts.contains(v) && arrow.name != Some(**v))
                    .copied()
                    .collect();
                let result = self.replace_in(&arrow.result, &inner, known, span);
                Type::Arrow(Arc::new(Arrow { name: arrow.name, param, exts: arrow.exts.clone(), result }))
            }
        }
    }
}

/// The variables among `vars` that are a dimension of an array outside function types.
pub(crate) fn whole_dimensions(t: &Type, vars: &BTreeSet<Var>, out: &mut Vec<Var>) {
    match t {
        Type::Array(size, elem) => {
            if let Size::Var(var) = size
                && vars.contains(var)
                && !out.contains(var)
            {
                out.push(*var);
            }
            whole_dimensions(elem, vars, out);
        }
        Type::Record(fields) => fields.iter().for_each(|(_, t)| whole_dimensions(t, vars, out)),
        Type::Sum(constructors) => payloads(constructors).for_each(|t| whole_dimensions(t, vars, out)),
        Type::Unique(inner) => whole_dimensions(inner, vars, out),
        Type::Named(_, args) => args.iter().for_each(|arg| match arg {
            TypeArg::Size(size) => whole_dimensions(&Type::array(size.clone(), Type::unit()), vars, out),
            TypeArg::Type(t) => whole_dimensions(t, vars, out),
        }),
        Type::Prim(_) | Type::Param(_) | Type::Meta(_) | Type::Arrow(_) => {}
    }
}
