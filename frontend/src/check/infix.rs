//! Operators between operands, pipes, composition and sections.

use super::Infer;
use super::apply::Arg;
use super::operators::Operator;
use super::report::Why;
use super::scope::{Binding, Scope};
use super::unknown::Constraint;
use crate::syntax::{self, QualName};
use crate::typed::{Exp, ExpKind};
use crate::types::Type;
use fun_base::prim::{PrimType, UnOp};
use fun_base::source::Span;

impl Infer<'_> {
    /// `a op b`.
    pub(crate) fn binary(
        &mut self,
        scope: &Scope,
        op: &QualName,
        a: &syntax::Exp,
        b: &syntax::Exp,
        span: Span,
    ) -> Exp {
        let binding = if op.qualifiers.is_empty() { scope.values.get(&op.name) } else { None };
        match (binding, op.name.as_str()) {
            (Some(Binding::Operator(operator @ (Operator::And | Operator::Or))), text) => {
                let bool = Type::Prim(PrimType::Bool);
                let a = self.infer(scope, a);
                let why = |span| Why::at(span).because(op.span, format!("operands of `{text}` are bools"));
                self.expect(&bool, &a.ty, why(a.span));
                // The second operand is evaluated only sometimes, as a branch is.
                self.level += 1;
                let b = self.infer(scope, b);
                self.level -= 1;
                self.expect(&bool, &b.ty, why(b.span));
                self.short_circuit(*operator == Operator::And, a, b, span)
            }
            // Pipes are applications, so that results may have any size.
            (Some(Binding::Prelude), "|>") => self.pipe(scope, b, a, span),
            (Some(Binding::Prelude), "<|") => {
                self.function_first.insert(span);
                self.pipe(scope, a, b, span)
            }
            (Some(Binding::Prelude), ">->") => self.compose(scope, a, b, span),
            (Some(Binding::Prelude), "<-<") => self.compose(scope, b, a, span),
            _ => {
                let function = self.name(scope, op);
                self.apply(scope, function, vec![Arg::Syntax(a), Arg::Syntax(b)], span)
            }
        }
    }

    /// `f x` where `f` may be an application itself.
    fn pipe(&mut self, scope: &Scope, function: &syntax::Exp, arg: &syntax::Exp, span: Span) -> Exp {
        let (mut head, mut args) = (function, vec![Arg::Syntax(arg)]);
        loop {
            match &head.kind {
                syntax::ExpKind::Apply(inner, arg) => {
                    args.push(Arg::Syntax(arg));
                    head = inner;
                }
                syntax::ExpKind::Parens(inner) => head = inner,
                _ => break,
            }
        }
        args.reverse();
        // The parameters of a lambda have the types of its arguments.
        if let (syntax::ExpKind::Lambda { .. }, [Arg::Syntax(arg)]) = (&head.kind, args.as_slice()) {
            let arg = self.infer(scope, arg);
            let result =
                self.fresh_constrained(Constraint { lifted: true, ..Constraint::default() }, head.span);
            let function = self.infer_expecting(scope, head, &Type::arrow(arg.ty.clone(), result));
            return self.apply(scope, function, vec![Arg::Typed(Box::new(arg))], span);
        }
        let function = self.infer(scope, head);
        self.apply(scope, function, args, span)
    }

    /// `\x -> second (first x)`.
    fn compose(&mut self, scope: &Scope, first: &syntax::Exp, second: &syntax::Exp, span: Span) -> Exp {
        if is_function_value(first) && is_function_value(second) {
            // Nothing to evaluate beforehand; inside, the second function can take what size the first gives.
            return self.section(span, |this, x| {
                let f = this.infer(scope, first);
                let inner = this.apply(scope, f, vec![Arg::Typed(Box::new(x))], span);
                this.pipe_typed(scope, second, inner, span)
            });
        }
        let first = self.infer(scope, first);
        let second = self.infer(scope, second);
        let (f, g) = (self.fresh_var("f", None), self.fresh_var("g", None));
        let var = |var, e: &Exp| Exp { kind: ExpKind::Var(var), ty: e.ty.clone(), span: e.span };
        let (f_use, g_use) = (var(f, &first), var(g, &second));
        let composed = self.section(span, |this, x| {
            let inner = this.apply(scope, f_use, vec![Arg::Typed(Box::new(x))], span);
            this.apply(scope, g_use, vec![Arg::Typed(Box::new(inner))], span)
        });
        let composed = self.let_var(g, second, composed);
        self.let_var(f, first, composed)
    }

    /// `function arg`; the parameters of a lambda have the type of the argument.
    fn pipe_typed(&mut self, scope: &Scope, function: &syntax::Exp, arg: Exp, span: Span) -> Exp {
        let result =
            self.fresh_constrained(Constraint { lifted: true, ..Constraint::default() }, function.span);
        let function = self.infer_expecting(scope, function, &Type::arrow(arg.ty.clone(), result));
        self.apply(scope, function, vec![Arg::Typed(Box::new(arg))], span)
    }

    /// `\x -> make x`.
    pub(crate) fn section(&mut self, span: Span, make: impl FnOnce(&mut Self, Exp) -> Exp) -> Exp {
        self.level += 1;
        let ty = self.fresh_meta(span);
        let x = self.fresh_var("x", None);
        self.level += 1;
        let body = make(self, Exp { kind: ExpKind::Var(x), ty: ty.clone(), span });
        self.level -= 2;
        let param = crate::typed::Pattern { kind: crate::typed::PatternKind::Var(x), ty, span };
        self.finish_lambda(vec![param], body, None, span)
    }

    /// `\x -> x op operand`, the operand evaluated first.
    pub(crate) fn section_right(
        &mut self,
        scope: &Scope,
        op: &QualName,
        operand: &syntax::Exp,
        span: Span,
    ) -> Exp {
        let operand = self.infer(scope, operand);
        let y = self.fresh_var("y", None);
        let trivial = matches!(operand.kind, ExpKind::Const(_) | ExpKind::Var(_));
        let right = match trivial {
            true => operand.clone(),
            false => Exp { kind: ExpKind::Var(y), ty: operand.ty.clone(), span: operand.span },
        };
        let function = self.section(span, |this, x| {
            let function = this.name(scope, op);
            this.apply(scope, function, vec![Arg::Typed(Box::new(x)), Arg::Typed(Box::new(right))], span)
        });
        if trivial { function } else { self.let_var(y, operand, function) }
    }

    pub(crate) fn unary(&mut self, scope: &Scope, op: UnOp, operand: &syntax::Exp, span: Span) -> Exp {
        if let (UnOp::Neg, syntax::ExpKind::Literal(literal)) = (op, &operand.kind) {
            match literal {
                syntax::Literal::Int(n) if *n != 0 => return self.literal(&syntax::Literal::Int(-n), span),
                syntax::Literal::Float(text, x) if !text.starts_with('-') => {
                    return self.literal(&syntax::Literal::Float(format!("-{text}"), -x), span);
                }
                _ => {}
            }
        }
        let function = self.unary_operator(op, span);
        self.apply(scope, function, vec![Arg::Syntax(operand)], span)
    }
}

/// Whether an expression is a function without any work to do: a name, a lambda, a section, or one of these with some
/// of its arguments, which are names and literals or such functions.
fn is_function_value(exp: &syntax::Exp) -> bool {
    match &exp.kind {
        syntax::ExpKind::Name(_)
        | syntax::ExpKind::Literal(_)
        | syntax::ExpKind::Lambda { .. }
        | syntax::ExpKind::SectionProject(_) => true,
        syntax::ExpKind::Parens(inner)
        | syntax::ExpKind::SectionLeft(inner, _)
        | syntax::ExpKind::SectionRight(_, inner) => is_function_value(inner),
        syntax::ExpKind::Apply(function, arg) => is_function_value(function) && is_function_value(arg),
        syntax::ExpKind::BinOp(op, a, b) => {
            matches!(op.name.as_str(), ">->" | "<-<") && is_function_value(a) && is_function_value(b)
        }
        _ => false,
    }
}
