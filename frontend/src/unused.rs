//! Warnings for names that a `let` binds and nothing uses.

use crate::syntax::{
    Declaration, DimIndex, Exp, ExpKind, Loop, LoopForm, ModuleExp, ModuleExpKind, Pattern, PatternKind,
    QualName, RangeEnd, SizeExp, TypeArg, TypeExp, TypeExpKind, ValueDeclaration,
};
use fun_base::diag::Diagnostic;
use fun_base::name::Symbol;
use fun_base::source::Span;

/// A name in scope.
struct Binder {
    name: Symbol,
    /// Where it stands, when it should be used.
    wanted: Option<Span>,
    used: bool,
}

/// The names in scope, innermost last.
#[derive(Default)]
struct Walk {
    scope: Vec<Binder>,
    warnings: Vec<Diagnostic>,
}

/// A warning for each name bound by `let` that is not used; names that begin with `_` need not be.
pub(crate) fn unused_names(declarations: &[Declaration]) -> Vec<Diagnostic> {
    let mut walk = Walk::default();
    declarations.iter().for_each(|declaration| walk.declaration(declaration));
    walk.warnings
}

impl Walk {
    fn declaration(&mut self, declaration: &Declaration) {
        match declaration {
            Declaration::Value(value) => self.value(value),
            Declaration::Module(_, module) | Declaration::Open(module) => self.module(module),
            Declaration::Local(inner) => self.declaration(inner),
            Declaration::Type(_) | Declaration::ModuleType(..) | Declaration::Import(_) => {}
        }
    }

    fn module(&mut self, module: &ModuleExp) {
        match &module.kind {
            ModuleExpKind::Structure(declarations) => {
                declarations.iter().for_each(|declaration| self.declaration(declaration));
            }
            ModuleExpKind::Ascription(inner, _) => self.module(inner),
            ModuleExpKind::Lambda(lambda) => self.module(&lambda.body),
            ModuleExpKind::Apply(function, arg) => {
                self.module(function);
                self.module(arg);
            }
            ModuleExpKind::Name(_) | ModuleExpKind::Import(_) => {}
        }
    }

    fn value(&mut self, value: &ValueDeclaration) {
        self.inside(|this| {
            this.params(&value.params);
            value.result.iter().for_each(|t| this.type_exp(t));
            this.exp(&value.body);
        });
    }

    /// Runs `f`; the names that it bound are out of scope afterwards.
    fn inside(&mut self, f: impl FnOnce(&mut Self)) {
        let depth = self.scope.len();
        f(self);
        for binder in self.scope.split_off(depth) {
            if let (Some(span), false) = (binder.wanted, binder.used) {
                let message = format!("`{}` is not used", binder.name);
                let warning = Diagnostic::warning("W0503", message).at(span);
                self.warnings.push(warning.help("a name that begins with `_` need not be used"));
            }
        }
    }

    fn bind(&mut self, name: Symbol, wanted: Option<Span>) {
        let wanted = wanted.filter(|_| !name.as_str().starts_with('_'));
        self.scope.push(Binder { name, wanted, used: false });
    }

    fn use_name(&mut self, name: Symbol) {
        if let Some(binder) = self.scope.iter_mut().rev().find(|binder| binder.name == name) {
            binder.used = true;
        }
    }

    fn use_qualified(&mut self, name: &QualName) {
        self.use_name(name.qualifiers.first().copied().unwrap_or(name.name));
    }

    fn params(&mut self, params: &[Pattern]) {
        params.iter().for_each(|param| self.pattern(param, false));
    }

    /// Binds the names of a pattern.
    fn pattern(&mut self, pattern: &Pattern, wanted: bool) {
        match &pattern.kind {
            PatternKind::Name(name) => self.bind(*name, wanted.then_some(pattern.span)),
            PatternKind::Wildcard | PatternKind::Literal(_) => {}
            PatternKind::Tuple(parts) | PatternKind::Constructor(_, parts) => {
                parts.iter().for_each(|part| self.pattern(part, wanted));
            }
            PatternKind::Record(fields) => {
                for (name, part) in fields {
                    match part {
                        Some(part) => self.pattern(part, wanted),
                        None => self.bind(name.name, wanted.then_some(name.span)),
                    }
                }
            }
            PatternKind::Ascription(inner, t) => {
                self.type_exp(t);
                self.pattern(inner, wanted);
            }
            PatternKind::Attribute(_, inner) => self.pattern(inner, wanted),
        }
    }

    /// Uses the names of a pattern: those of a loop without initial values.
    fn use_pattern(&mut self, pattern: &Pattern) {
        match &pattern.kind {
            PatternKind::Name(name) => self.use_name(*name),
            PatternKind::Wildcard | PatternKind::Literal(_) => {}
            PatternKind::Tuple(parts) | PatternKind::Constructor(_, parts) => {
                parts.iter().for_each(|part| self.use_pattern(part));
            }
            PatternKind::Record(fields) => {
                for (name, part) in fields {
                    match part {
                        Some(part) => self.use_pattern(part),
                        None => self.use_name(name.name),
                    }
                }
            }
            PatternKind::Ascription(inner, _) | PatternKind::Attribute(_, inner) => self.use_pattern(inner),
        }
    }

    fn type_exp(&mut self, t: &TypeExp) {
        match &t.kind {
            TypeExpKind::Name(_) => {}
            TypeExpKind::Apply(inner, arg) => {
                self.type_exp(inner);
                match arg {
                    TypeArg::Size(size) => self.size(size),
                    TypeArg::Type(t) => self.type_exp(t),
                }
            }
            TypeExpKind::Array(size, inner) => {
                self.size(size);
                self.type_exp(inner);
            }
            TypeExpKind::Tuple(parts) => parts.iter().for_each(|part| self.type_exp(part)),
            TypeExpKind::Record(fields) => fields.iter().for_each(|(_, part)| self.type_exp(part)),
            TypeExpKind::Sum(constructors) => {
                constructors.iter().flat_map(|(_, parts)| parts).for_each(|part| self.type_exp(part));
            }
            TypeExpKind::Unique(inner) | TypeExpKind::Exists(_, inner) => self.type_exp(inner),
            TypeExpKind::Arrow(_, param, result) => {
                self.type_exp(param);
                self.type_exp(result);
            }
        }
    }

    fn size(&mut self, size: &SizeExp) {
        match size {
            SizeExp::Any(_) => {}
            SizeExp::Exp(exp) => self.exp(exp),
        }
    }

    fn indices(&mut self, indices: &[DimIndex]) {
        for index in indices {
            match index {
                DimIndex::Fix(exp) => self.exp(exp),
                DimIndex::Slice { start, end, stride, .. } => {
                    [start, end, stride].into_iter().flatten().for_each(|exp| self.exp(exp));
                }
            }
        }
    }

    fn exp(&mut self, exp: &Exp) {
        self.inside(|this| {
            // Chains of `let` are as long as programs: no recursion for them.
            let mut exp = exp;
            while let Some(body) = this.binding(exp) {
                exp = body;
            }
            this.simple(exp);
        });
    }

    /// Binds what a `let` binds and gives its body.
    fn binding<'e>(&mut self, exp: &'e Exp) -> Option<&'e Exp> {
        match &exp.kind {
            ExpKind::Let { sizes, pattern, value, body } => {
                self.exp(value);
                sizes.iter().for_each(|size| self.bind(size.name, None));
                self.pattern(pattern, true);
                Some(body)
            }
            ExpKind::LetFunction(function) => {
                self.inside(|this| {
                    this.params(&function.params);
                    function.result.iter().for_each(|t| this.type_exp(t));
                    this.exp(&function.function);
                });
                self.bind(function.name.name, Some(function.name.span));
                Some(&function.body)
            }
            ExpKind::LetWith { name, indices, value, body } => {
                self.use_name(name.name);
                self.indices(indices);
                self.exp(value);
                self.bind(name.name, None);
                Some(body)
            }
            ExpKind::LetWithField { name, value, body, .. } => {
                self.use_name(name.name);
                self.exp(value);
                self.bind(name.name, None);
                Some(body)
            }
            _ => None,
        }
    }

    fn simple(&mut self, exp: &Exp) {
        match &exp.kind {
            ExpKind::Literal(_) | ExpKind::Hole | ExpKind::SectionProject(_) => {}
            ExpKind::Name(name) => self.use_qualified(name),
            ExpKind::Parens(inner)
            | ExpKind::LocalOpen(_, inner)
            | ExpKind::Project(inner, _)
            | ExpKind::Negate(inner)
            | ExpKind::Not(inner)
            | ExpKind::Attribute(_, inner) => self.exp(inner),
            ExpKind::Tuple(parts) | ExpKind::ArrayLiteral(parts) | ExpKind::Constructor(_, parts) => {
                parts.iter().for_each(|part| self.exp(part));
            }
            ExpKind::Record(fields) => {
                for (name, value) in fields {
                    match value {
                        Some(value) => self.exp(value),
                        None => self.use_name(name.name),
                    }
                }
            }
            ExpKind::Range { first, second, end } => {
                self.exp(first);
                second.iter().for_each(|second| self.exp(second));
                let (RangeEnd::Inclusive(end) | RangeEnd::UpTo(end) | RangeEnd::DownTo(end)) = end;
                self.exp(end);
            }
            ExpKind::Index(array, indices) => {
                self.exp(array);
                self.indices(indices);
            }
            ExpKind::Apply(a, b) | ExpKind::Assert(a, b) => {
                self.exp(a);
                self.exp(b);
            }
            ExpKind::BinOp(op, a, b) => {
                self.use_qualified(op);
                self.exp(a);
                self.exp(b);
            }
            ExpKind::Ascription(inner, t) | ExpKind::Coercion(inner, t) => {
                self.exp(inner);
                self.type_exp(t);
            }
            ExpKind::Lambda { params, result, body } => self.inside(|this| {
                this.params(params);
                result.iter().for_each(|t| this.type_exp(t));
                this.exp(body);
            }),
            ExpKind::SectionRight(op, operand) | ExpKind::SectionLeft(operand, op) => {
                self.use_qualified(op);
                self.exp(operand);
            }
            ExpKind::SectionIndex(indices) => self.indices(indices),
            ExpKind::Let { .. }
            | ExpKind::LetFunction(_)
            | ExpKind::LetWith { .. }
            | ExpKind::LetWithField { .. } => self.exp(exp),
            ExpKind::With { array, indices, value } => {
                self.exp(array);
                self.indices(indices);
                self.exp(value);
            }
            ExpKind::WithField { record, value, .. } => {
                self.exp(record);
                self.exp(value);
            }
            ExpKind::If(condition, then, otherwise) => {
                [condition, then, otherwise].into_iter().for_each(|part| self.exp(part));
            }
            ExpKind::Loop(repeat) => self.repeat(repeat),
            ExpKind::Match(value, cases) => {
                self.exp(value);
                for case in cases {
                    self.inside(|this| {
                        this.pattern(&case.pattern, false);
                        this.exp(&case.body);
                    });
                }
            }
        }
    }

    fn repeat(&mut self, repeat: &Loop) {
        match &repeat.init {
            Some(init) => self.exp(init),
            None => self.use_pattern(&repeat.pattern),
        }
        if let LoopForm::For(_, bound) | LoopForm::ForIn(_, bound) = &repeat.form {
            self.exp(bound);
        }
        self.inside(|this| {
            repeat.sizes.iter().for_each(|size| this.bind(size.name, None));
            this.pattern(&repeat.pattern, false);
            match &repeat.form {
                LoopForm::For(name, _) => this.bind(name.name, None),
                LoopForm::ForIn(pattern, _) => this.pattern(pattern, false),
                LoopForm::While(condition) => this.exp(condition),
            }
            this.exp(&repeat.body);
        });
    }
}
