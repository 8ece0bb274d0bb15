//! The overloaded operators.

use super::Infer;
use super::scope::{Binding, Scope};
use super::unknown::{Constraint, PrimSet};
use crate::typed::{Exp, ExpKind, Instance, Intrinsic, Pattern, PatternKind};
use crate::types::Type;
use fun_base::name::Symbol;
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp};
use fun_base::source::Span;

/// What an operator that the user has not redefined means.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Operator {
    /// On numbers of one type.
    Bin(BinOp),
    /// `==`, or `!=` where true.
    Equal(bool),
    /// `&&`
    And,
    /// `||`
    Or,
}

/// How the scalar operators are written.
pub(crate) const SYMBOLS: [(&str, BinOp); 19] = [
    ("+", BinOp::Add),
    ("-", BinOp::Sub),
    ("*", BinOp::Mul),
    ("/", BinOp::Div),
    ("%", BinOp::Mod),
    ("//", BinOp::Quot),
    ("%%", BinOp::Rem),
    ("**", BinOp::Pow),
    ("&", BinOp::And),
    ("|", BinOp::Or),
    ("^", BinOp::Xor),
    ("<<", BinOp::Shl),
    (">>", BinOp::Shr),
    (">>>", BinOp::ShrLogical),
    ("<", BinOp::Lt),
    ("<=", BinOp::Le),
    (">", BinOp::Gt),
    (">=", BinOp::Ge),
    ("==", BinOp::Eq),
];

/// Puts the operators into scope.
pub(crate) fn declare(scope: &mut Scope) {
    for (text, op) in SYMBOLS {
        let operator = if op == BinOp::Eq { Operator::Equal(false) } else { Operator::Bin(op) };
        scope.values.insert(Symbol::new(text), Binding::Operator(operator));
    }
    for (text, operator) in [("!=", Operator::Equal(true)), ("&&", Operator::And), ("||", Operator::Or)] {
        scope.values.insert(Symbol::new(text), Binding::Operator(operator));
    }
}

fn is_comparison(op: BinOp) -> bool {
    matches!(op, BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge)
}

/// The types whose values a source operator takes.
fn operands(op: BinOp) -> PrimSet {
    PrimSet::of(|t| (t.is_number() || is_comparison(op)) && op.result_type(t).is_some())
}

impl Infer<'_> {
    /// An operator as a function.
    pub(crate) fn operator(&mut self, operator: Operator, span: Span) -> Exp {
        let bool = Type::Prim(PrimType::Bool);
        match operator {
            Operator::Bin(op) => {
                let constraint = Constraint { prims: Some(operands(op)), ..Constraint::default() };
                let t = self.fresh_constrained(constraint, span);
                let result = if is_comparison(op) { bool } else { t.clone() };
                // The primitive type is filled in when the types are known.
                self.intrinsic(Intrinsic::Bin(op, PrimType::Unit), t.clone(), [t.clone(), t], result, span)
            }
            Operator::Equal(negated) => {
                let constraint = Constraint { equality: true, first_order: true, ..Constraint::default() };
                let t = self.fresh_constrained(constraint, span);
                self.intrinsic(Intrinsic::Equal(negated), t.clone(), [t.clone(), t], bool, span)
            }
            Operator::And | Operator::Or => {
                let (a, b) = (self.fresh_var("a", None), self.fresh_var("b", None));
                let var = |var| Exp { kind: ExpKind::Var(var), ty: Type::Prim(PrimType::Bool), span };
                let body = self.short_circuit(operator == Operator::And, var(a), var(b), span);
                let param =
                    |var| Pattern { kind: PatternKind::Var(var), ty: Type::Prim(PrimType::Bool), span };
                let params = vec![param(a), param(b)];
                let kind = ExpKind::Lambda { params, body: Box::new(body), exts: Vec::new() };
                Exp { kind, ty: Type::arrow(bool.clone(), Type::arrow(bool.clone(), bool)), span }
            }
        }
    }

    fn intrinsic<const N: usize>(
        &mut self,
        intrinsic: Intrinsic,
        instance: Type,
        params: [Type; N],
        result: Type,
        span: Span,
    ) -> Exp {
        let ty = params.into_iter().rev().fold(result, |result, param| Type::arrow(param, result));
        let instance = Instance { sizes: Vec::new(), types: vec![instance] };
        Exp { kind: ExpKind::Intrinsic(intrinsic, instance), ty, span }
    }

    /// `a && b` or `a || b`.
    pub(crate) fn short_circuit(&self, and: bool, a: Exp, b: Exp, span: Span) -> Exp {
        let ty = Type::Prim(PrimType::Bool);
        let constant = |value| Exp { kind: ExpKind::Const(PrimValue::Bool(value)), ty: ty.clone(), span };
        let (then, otherwise) = if and { (b, constant(false)) } else { (constant(true), b) };
        let (condition, then, otherwise) = (Box::new(a), Box::new(then), Box::new(otherwise));
        Exp { kind: ExpKind::If { condition, then, otherwise, exts: Vec::new() }, ty, span }
    }

    /// `-e` or `!e` as a function.
    pub(crate) fn unary_operator(&mut self, op: UnOp, span: Span) -> Exp {
        let set = PrimSet::of(|t| op.result_type(t) == Some(t));
        let t = self.fresh_constrained(Constraint { prims: Some(set), ..Constraint::default() }, span);
        self.intrinsic(Intrinsic::Un(op, PrimType::Unit), t.clone(), [t.clone()], t, span)
    }
}
