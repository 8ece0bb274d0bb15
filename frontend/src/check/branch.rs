//! `if`, and the type that two branches have in common.

use super::Infer;
use super::report::Why;
use super::scope::Scope;
use crate::syntax;
use crate::typed::{Exp, ExpKind};
use crate::types::{Size, Type, free_in_size, map_sum, payloads, same_constructors};
use fun_base::name::Var;
use fun_base::prim::PrimType;
use fun_base::source::Span;
use std::collections::BTreeSet;

impl Infer<'_> {
    pub(crate) fn if_exp(
        &mut self,
        scope: &Scope,
        condition: &syntax::Exp,
        then: &syntax::Exp,
        otherwise: &syntax::Exp,
        span: Span,
    ) -> Exp {
        let condition = self.infer(scope, condition);
        let why = Why::at(condition.span).because(span, "the condition of `if` is a bool");
        self.expect(&Type::Prim(PrimType::Bool), &condition.ty, why);
        self.level += 1;
        let then = self.infer(scope, then);
        let otherwise = self.infer(scope, otherwise);
        self.level -= 1;
        let mut exts = Vec::new();
        self.branch_sizes.clear();
        let why = Why::at(otherwise.span).because(then.span, "because the other branch gives {}");
        let ty = self.common_type(&then.ty, &otherwise.ty, &mut exts, &why, span);
        let _ = self.lower_type(&ty);
        self.require_first_order(&ty, span);
        let (condition, then, otherwise) = (Box::new(condition), Box::new(then), Box::new(otherwise));
        Exp { kind: ExpKind::If { condition, then, otherwise, exts }, ty, span }
    }

    /// The type that values of both types have: sizes that differ, or that only a branch knows, become existentials.
    pub(crate) fn common_type(
        &mut self,
        a: &Type,
        b: &Type,
        exts: &mut Vec<Var>,
        why: &Why,
        span: Span,
    ) -> Type {
        let (x, y) = (self.head(a), self.head(b));
        // Branches that use different constructors, or payloads of different sizes.
        let (x, y) = match (&x, &y) {
            (Type::Meta(_), Type::Sum(sum)) => (self.solve_sum(&x, sum).unwrap_or(x), y),
            (Type::Sum(sum), Type::Meta(_)) => {
                let solved = self.solve_sum(&y, sum);
                (x, solved.unwrap_or(y))
            }
            _ => (x, y),
        };
        match (&x, &y) {
            (Type::Array(n, s), Type::Array(m, t)) => {
                let size = self.common_size(n, m, exts, span);
                let elem = self.common_type(s, t, exts, why, span);
                Type::array(size, elem)
            }
            (Type::Record(s), Type::Record(t))
                if s.len() == t.len() && s.iter().zip(t.iter()).all(|(s, t)| s.0 == t.0) =>
            {
                let fields = s.iter().zip(t.iter());
                Type::Record(
                    fields.map(|(s, t)| (s.0, self.common_type(&s.1, &t.1, exts, why, span))).collect(),
                )
            }
            (Type::Sum(s), Type::Sum(t)) if same_constructors(s, t) => {
                let mut others = payloads(t);
                map_sum(s, |s| match others.next() {
                    Some(t) => self.common_type(s, t, exts, why, span),
                    None => s.clone(),
                })
            }
            (Type::Meta(_), _) | (_, Type::Meta(_)) if x != y => {
                let known = if matches!(x, Type::Meta(_)) { &y } else { &x };
                let known = self.resolve(known);
                let hidden = self.deeper_than(&known, self.level);
                let known = self.replace_sizes(&known, &hidden, exts, span);
                match x {
                    Type::Meta(_) => self.expect(&x, &known, why.clone()),
                    _ => self.expect(&known, &y, why.clone()),
                };
                known
            }
            _ => {
                self.expect(&x, &y, why.clone());
                x
            }
        }
    }

    fn common_size(&mut self, a: &Size, b: &Size, exts: &mut Vec<Var>, span: Span) -> Size {
        let (x, y) = (self.resolve_size(a), self.resolve_size(b));
        let hidden = |this: &Self, size: &Size| {
            let mut free = BTreeSet::new();
            free_in_size(size, &mut free);
            free.iter().any(|var| this.level_of(*var) > this.level)
        };
        let unknown = |this: &Self, size: &Size| match size {
            Size::Meta(meta) => {
                let meta = &this.size_metas[*meta as usize];
                !meta.of_loop && !meta.of_parameter
            }
            _ => false,
        };
        if !hidden(self, &x) && !hidden(self, &y) {
            let either = unknown(self, &x) || unknown(self, &y);
            if self.sizes_equal(&x, &y) || either && self.unify_sizes(&x, &y).is_ok() {
                return self.resolve_size(&x);
            }
        }
        if let Some((.., var)) = self.branch_sizes.iter().find(|(a, b, _)| *a == x && *b == y) {
            return Size::Var(*var);
        }
        let var = self.fresh_var("k", Some((span, "the branches give different sizes".to_owned())));
        exts.push(var);
        self.branch_sizes.push((x, y, var));
        Size::Var(var)
    }
}
