//! Expressions: names, sizes of expressions, and the forms that need no file of their own.

use super::Infer;
use super::apply::Arg;
use super::builtin::INTRINSICS;
use super::modules::{self, Module, Path};
use super::report::Why;
use super::scope::{Binding, Scope};
use super::type_exp::Open;
use super::unknown::Constraint;
use crate::syntax::{self, Liftedness, QualName};
use crate::typed::{Exp, ExpKind, Instance};
use crate::types::{Scheme, Size, Subst, Type, TypeArg, has_opaque, map_record, map_sum, subst_type};
use fun_base::diag::Diagnostic;
use fun_base::name::Symbol;
use fun_base::prim::{PrimType, UnOp};
use fun_base::source::Span;

impl Infer<'_> {
    /// Reports, and gives an expression that fits everywhere.
    pub(crate) fn fail(&mut self, diagnostic: Diagnostic, span: Span) -> Exp {
        self.errors.push(diagnostic);
        self.failed(span)
    }

    pub(crate) fn failed(&mut self, span: Span) -> Exp {
        Exp { kind: ExpKind::Record(Vec::new()), ty: self.failed_type(span), span }
    }

    pub(crate) fn is_failed(&self, t: &Type) -> bool {
        matches!(self.head(t), Type::Meta(meta) if self.metas[meta as usize].constraint.failed)
    }

    /// The typed form of an expression.
    pub(crate) fn infer(&mut self, scope: &Scope, exp: &syntax::Exp) -> Exp {
        let span = exp.span;
        match &exp.kind {
            syntax::ExpKind::Literal(literal) => self.literal(literal, span),
            syntax::ExpKind::Name(name) => self.name(scope, name),
            syntax::ExpKind::Hole => self.hole(span),
            syntax::ExpKind::Parens(inner) => {
                let inner = self.infer(scope, inner);
                Exp { span, ..inner }
            }
            syntax::ExpKind::LocalOpen(module, inner) => self.local_open(scope, module, inner),
            syntax::ExpKind::Tuple(components) => {
                let fields = components.iter().enumerate();
                let fields: Vec<(Symbol, Exp)> =
                    fields.map(|(i, e)| (Symbol::new(&i.to_string()), self.infer(scope, e))).collect();
                let ty = Type::tuple(fields.iter().map(|(_, e)| e.ty.clone()).collect());
                Exp { kind: ExpKind::Record(fields), ty, span }
            }
            syntax::ExpKind::Record(fields) => self.record(scope, fields, span),
            syntax::ExpKind::ArrayLiteral(elements) => self.array_literal(scope, elements, span),
            syntax::ExpKind::Range { first, second, end } => {
                self.range(scope, first, second.as_deref(), end, span)
            }
            syntax::ExpKind::Project(inner, field) => {
                let inner = self.infer(scope, inner);
                self.project(inner, field.name, span)
            }
            syntax::ExpKind::Index(array, indices) => {
                let array = self.infer(scope, array);
                self.index(scope, array, indices, span)
            }
            syntax::ExpKind::Apply(..) => {
                let (mut head, mut args) = (exp, Vec::new());
                while let syntax::ExpKind::Apply(function, arg) = &head.kind {
                    args.push(Arg::Syntax(arg));
                    head = function;
                }
                args.reverse();
                let function = self.infer(scope, head);
                self.apply(scope, function, args, span)
            }
            syntax::ExpKind::BinOp(op, a, b) => self.binary(scope, op, a, b, span),
            syntax::ExpKind::Negate(inner) => self.unary(scope, UnOp::Neg, inner, span),
            syntax::ExpKind::Not(inner) => self.unary(scope, UnOp::Not, inner, span),
            syntax::ExpKind::Ascription(inner, t) => {
                let ty = self.type_exp(scope, t, Open::Unknown);
                let inner = self.infer_expecting(scope, inner, &ty);
                self.expect(&ty, &inner.ty, Why::at(inner.span).because(t.span, "because of this type"));
                // A literal keeps its unknown type: that tells where its value is.
                let ty = if matches!(inner.kind, ExpKind::Const(_)) {
                    inner.ty.clone()
                } else {
                    ty.strip_unique()
                };
                Exp { ty, span, ..inner }
            }
            syntax::ExpKind::Coercion(inner, t) => self.coercion(scope, inner, t, span),
            syntax::ExpKind::Lambda { params, result, body } => {
                self.lambda(scope, params, result.as_deref(), body, None, span)
            }
            syntax::ExpKind::SectionLeft(operand, op) => {
                self.function_first.insert(span);
                let function = self.name(scope, op);
                self.apply(scope, function, vec![Arg::Syntax(operand)], span)
            }
            syntax::ExpKind::SectionRight(op, operand) => self.section_right(scope, op, operand, span),
            syntax::ExpKind::SectionProject(fields) => self.section(span, |this, x| {
                fields.iter().fold(x, |inner, field| this.project(inner, field.name, span))
            }),
            syntax::ExpKind::SectionIndex(indices) => {
                self.section(span, |this, x| this.index(scope, x, indices, span))
            }
            syntax::ExpKind::Let { sizes, pattern, value, body } => {
                self.let_binding(scope, sizes, pattern, value, body, span)
            }
            syntax::ExpKind::LetFunction(function) => self.let_function(scope, function, span),
            syntax::ExpKind::LetWith { name, indices, value, body } => {
                let array =
                    self.name(scope, &QualName { qualifiers: Vec::new(), name: name.name, span: name.span });
                let update = self.update(scope, array, indices, value, name.span.to(value.span));
                self.rebind(scope, name, update, body, span)
            }
            syntax::ExpKind::LetWithField { name, fields, value, body } => {
                let record =
                    self.name(scope, &QualName { qualifiers: Vec::new(), name: name.name, span: name.span });
                let update = self.update_field(scope, record, fields, value, name.span.to(value.span));
                self.rebind(scope, name, update, body, span)
            }
            syntax::ExpKind::With { array, indices, value } => {
                let array = self.infer(scope, array);
                self.update(scope, array, indices, value, span)
            }
            syntax::ExpKind::WithField { record, fields, value } => {
                let record = self.infer(scope, record);
                self.update_field(scope, record, fields, value, span)
            }
            syntax::ExpKind::If(condition, then, otherwise) => {
                self.if_exp(scope, condition, then, otherwise, span)
            }
            syntax::ExpKind::Loop(l) => self.loop_exp(scope, l, span),
            syntax::ExpKind::Match(scrutinee, cases) => self.match_exp(scope, scrutinee, cases, span),
            syntax::ExpKind::Constructor(name, payload) => self.construct(scope, *name, payload, None, span),
            syntax::ExpKind::Assert(condition, value) => {
                let bool = Type::Prim(PrimType::Bool);
                let cond = self.infer(scope, condition);
                let why = Why::at(cond.span).because(span, "the condition of `assert` is a bool");
                self.expect(&bool, &cond.ty, why);
                let value = Box::new(self.infer(scope, value));
                let ty = value.ty.clone();
                // Messages quote the source text at the place of the condition.
                let kind = ExpKind::Assert { condition: Box::new(cond), text: String::new(), value };
                Exp { kind, ty, span }
            }
            syntax::ExpKind::Attribute(attribute, inner) => {
                let inner = self.infer(scope, inner);
                let ty = inner.ty.clone();
                Exp { kind: ExpKind::Attribute(attribute.text, Box::new(inner)), ty, span }
            }
        }
    }

    /// As [`Infer::infer`]; a lambda learns its parameters' types from the context.
    pub(crate) fn infer_expecting(&mut self, scope: &Scope, exp: &syntax::Exp, expected: &Type) -> Exp {
        match &exp.kind {
            syntax::ExpKind::Parens(inner) => {
                let inner = self.infer_expecting(scope, inner, expected);
                Exp { span: exp.span, ..inner }
            }
            syntax::ExpKind::Lambda { params, result, body } => {
                self.lambda(scope, params, result.as_deref(), body, Some(expected), exp.span)
            }
            syntax::ExpKind::Constructor(name, payload) => {
                self.construct(scope, *name, payload, Some(expected), exp.span)
            }
            _ => self.infer(scope, exp),
        }
    }

    fn local_open(&mut self, scope: &Scope, module: &QualName, inner: &syntax::Exp) -> Exp {
        let names: Vec<Symbol> = module.qualifiers.iter().copied().chain([module.name]).collect();
        match modules::scope_of(scope, &names, module.span) {
            Ok(opened) => {
                let mut scope = scope.clone();
                if let Some(opened) = opened {
                    scope.open(&opened);
                }
                self.infer(&scope, inner)
            }
            Err(problems) => {
                self.errors.extend(problems);
                self.failed(module.span)
            }
        }
    }

    /// What a name means: a variable, a definition, a member of a module, or a field of a record.
    pub(crate) fn name(&mut self, scope: &Scope, name: &QualName) -> Exp {
        let span = name.span;
        if name.qualifiers.is_empty() {
            return self.unqualified(scope, name.name, span);
        }
        if modules::is_intrinsics(scope, &name.qualifiers) {
            return self.intrinsic_of_prelude(scope, name.name, span);
        }
        let (count, module) = match modules::follow(scope, &name.qualifiers) {
            Path::Found(count, module) => (count, module),
            Path::Parametric(at) => {
                let d = modules::not_a_structure(&name.qualifiers, at, span);
                return self.fail(d, span);
            }
            Path::Failed => return self.failed(span),
        };
        // What follows the modules is a value; what follows that are fields.
        let here = module.as_deref().unwrap_or(scope);
        let field = count < name.qualifiers.len();
        let member = if field { name.qualifiers[count] } else { name.name };
        if here.values.contains_key(&member) {
            let value = self.unqualified(here, member, span);
            if !field {
                return value;
            }
            let fields = name.qualifiers[count + 1..].iter().chain([&name.name]);
            return fields.fold(value, |inner, field| self.project(inner, *field, span));
        }
        if here.incomplete {
            return self.failed(span);
        }
        let d = match field {
            true => modules::unknown_module(scope, module.as_deref(), &name.qualifiers, count, span),
            false => {
                let known = here.values.keys().map(|known| known.as_str());
                modules::no_member(&name.qualifiers, "", member, known, span)
            }
        };
        self.fail(d, span)
    }

    /// `intrinsics.name`.
    fn intrinsic_of_prelude(&mut self, scope: &Scope, name: Symbol, span: Span) -> Exp {
        let qualified = Symbol::new(&format!("{INTRINSICS}.{name}"));
        if scope.values.contains_key(&qualified) {
            return self.unqualified(scope, qualified, span);
        }
        let message = format!("the module `{INTRINSICS}` has no `{name}`");
        self.fail(Diagnostic::error("E0203", message).at(span), span)
    }

    pub(crate) fn unqualified(&mut self, scope: &Scope, name: Symbol, span: Span) -> Exp {
        if name.as_str().starts_with('_') {
            let message = format!("`{name}` starts with an underscore, so it cannot be used");
            return self.fail(Diagnostic::error("E0218", message).at(span), span);
        }
        let Some(binding) = scope.values.get(&name).cloned() else {
            if scope.incomplete {
                return self.failed(span);
            }
            let kind = if name.as_str().starts_with(|c: char| c.is_alphanumeric() || c == '_') {
                "name"
            } else {
                "operator"
            };
            let d = Diagnostic::error("E0201", format!("unknown {kind} `{name}`"))
                .at_saying(span, "not defined here");
            // Of names equally close the program's own are likelier.
            let names = |own: bool| {
                let own = move |binding: &Binding| {
                    matches!(binding, Binding::Local(..) | Binding::LocalDef(..)) == own
                };
                scope.values.iter().filter(move |(_, binding)| own(binding)).map(|(known, _)| known.as_str())
            };
            let d = d.did_you_mean(name.as_str(), names(true).chain(names(false)));
            return self.fail(d, span);
        };
        match binding {
            Binding::Local(var, ty) => Exp { kind: ExpKind::Var(var), ty: ty.strip_unique(), span },
            Binding::LocalDef(var, scheme) => {
                let (ty, instance) = self.instantiate(&scheme, span);
                Exp { kind: ExpKind::LocalDef(var, instance), ty, span }
            }
            Binding::Builtin(scheme, intrinsic) => {
                let (ty, instance) = self.instantiate(&scheme, span);
                Exp { kind: ExpKind::Intrinsic(intrinsic, instance), ty, span }
            }
            Binding::Operator(operator) => self.operator(operator, span),
            Binding::Member(t) => match self.member(t, name, span) {
                Some(exp) => exp,
                None => self.failed(span),
            },
            Binding::Def(def) => self.definition(def, span),
            Binding::Prelude => match self.prelude_definition(name) {
                Some(def) => self.definition(def, span),
                None => self.failed(span),
            },
            Binding::Recursive(Some(scheme)) => self.own_use(&scheme, span),
            Binding::Recursive(None) => {
                let message = format!("the type of `{name}` cannot mention `{name}`");
                self.fail(Diagnostic::error("E0219", message).at(span), span)
            }
            Binding::Module(Module::Failed) | Binding::Failed => self.failed(span),
            Binding::Module(_) => {
                let what = if scope.types.contains_key(&name) { "a type and a module" } else { "a module" };
                let d = Diagnostic::error("E0201", format!("`{name}` is {what}, not a value")).at(span);
                self.fail(d, span)
            }
            Binding::View(view) => {
                let (s, _) = self.fresh_instance(&view.scheme, span);
                // Its type is that of the scheme: the expression's own shows what abstract types stand for.
                let ty = subst_type(&view.scheme.ty, &s).strip_unique();
                Exp { ty, span, ..crate::types::subst_exp(&view.exp, &s) }
            }
        }
    }

    pub(crate) fn definition(&mut self, def: crate::typed::DefId, span: Span) -> Exp {
        let Some(definition) = self.global.definitions.get(def.0 as usize).cloned() else {
            return self.failed(span);
        };
        let (ty, instance) = self.instantiate(&definition.scheme, span);
        Exp { kind: ExpKind::Def(def, instance), ty: ty.strip_unique(), span }
    }

    /// The scheme's type with fresh unknowns for its parameters.
    pub(crate) fn instantiate(&mut self, scheme: &Scheme, span: Span) -> (Type, Instance) {
        let (s, instance) = self.fresh_instance(scheme, span);
        (subst_type(&scheme.ty, &s), instance)
    }

    /// Fresh unknowns for the scheme's parameters.
    pub(crate) fn fresh_instance(&mut self, scheme: &Scheme, span: Span) -> (Subst, Instance) {
        let (mut s, mut instance) = (Subst::default(), Instance::default());
        let in_expressions = has_opaque(&scheme.ty);
        for var in &scheme.sizes {
            let size = self.fresh_size();
            s.sizes.insert(*var, size.clone());
            if in_expressions {
                s.stand_ins.insert(*var, self.stand_in(size.clone()));
            }
            instance.sizes.push(size);
        }
        for (var, lifted) in scheme.types.iter().zip(&scheme.liftedness) {
            let constraint = Constraint {
                first_order: *lifted != Liftedness::Lifted,
                unlifted: *lifted == Liftedness::Unlifted,
                lifted: *lifted != Liftedness::Unlifted,
                ..Constraint::default()
            };
            let t = self.fresh_constrained(constraint, span);
            s.types.insert(*var, t.clone());
            instance.types.push(t);
        }
        (s, instance)
    }

    /// `let var = value in body` for a variable that the checker made.
    pub(crate) fn let_var(&mut self, var: fun_base::name::Var, value: Exp, body: Exp) -> Exp {
        let (ty, span) = (body.ty.clone(), body.span);
        let kind = crate::typed::PatternKind::Var(var);
        let pattern = crate::typed::Pattern { kind, ty: value.ty.clone(), span: value.span };
        let (value, body) = (Box::new(value), Box::new(body));
        Exp { kind: ExpKind::Let { sizes: Vec::new(), pattern, value, body }, ty, span }
    }

    fn coercion(&mut self, scope: &Scope, inner: &syntax::Exp, t: &syntax::TypeExp, span: Span) -> Exp {
        let inner = self.infer(scope, inner);
        let ty = self.type_exp(scope, t, Open::Unknown).strip_unique();
        // Everything but the sizes must be the same.
        let unsized_type = self.with_fresh_sizes(&inner.ty);
        let target = self.with_fresh_sizes(&ty);
        self.expect(&target, &unsized_type, Why::at(inner.span).because(t.span, "because of this type"));
        // Sizes that the type leaves open are those of the value.
        let (mut wanted, mut given) = (Vec::new(), Vec::new());
        self.dims(&ty, &mut wanted);
        self.dims(&inner.ty, &mut given);
        for (wanted, given) in wanted.iter().zip(&given) {
            let wanted = self.resolve_size(wanted);
            if matches!(wanted, Size::Meta(_)) {
                // An unknown takes any size that is known here.
                let _ = self.unify_sizes(&wanted, given);
            }
        }
        Exp { kind: ExpKind::Coerce(Box::new(inner)), ty, span }
    }

    /// The type with an unknown for every size outside function types.
    pub(crate) fn with_fresh_sizes(&mut self, t: &Type) -> Type {
        match self.head(t) {
            Type::Array(_, elem) => {
                let size = self.fresh_size();
                Type::array(size, self.with_fresh_sizes(&elem))
            }
            Type::Sum(constructors) => map_sum(&constructors, |t| self.with_fresh_sizes(t)),
            Type::Named(name, args) => {
                let mut fresh = Vec::new();
                for arg in args {
                    fresh.push(match arg {
                        TypeArg::Size(_) => TypeArg::Size(self.fresh_size()),
                        TypeArg::Type(t) => TypeArg::Type(self.with_fresh_sizes(&t)),
                    });
                }
                Type::Named(name, fresh)
            }
            Type::Record(fields) => map_record(&fields, |t| self.with_fresh_sizes(t)),
            other => other,
        }
    }
}
