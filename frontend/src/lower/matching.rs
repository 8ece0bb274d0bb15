//! `match`: the cases in order, each an `if` on the tags and literals of its pattern.

use super::sizes::Effort;
use super::sum::tag;
use super::value::{Env, Leaf, PartialTy, Value};
use super::{Lowerer, Outcome};
use crate::typed::{Case, Exp, Pattern, PatternKind};
use crate::types::TAG;
use fun::ir::Atom;
use fun_base::prim::{BinOp, PrimType, PrimValue};

/// What always holds.
const YES: Atom = Atom::Const(PrimValue::Bool(true));

impl<'t> Lowerer<'t> {
    /// `match scrutinee case p -> a …`.
    pub(super) fn lower_match(
        &mut self,
        env: &mut Env<'t>,
        exp: &'t Exp,
        scrutinee: &'t Exp,
        cases: &'t [Case],
    ) -> Outcome<Value<'t>> {
        let value = self.lower_exp(env, scrutinee)?;
        let expected = self.eval_type(env, &exp.ty, Effort::Cheap);
        self.lower_cases(env, &value, cases, &expected)
    }

    fn lower_cases(
        &mut self,
        env: &mut Env<'t>,
        value: &Value<'t>,
        cases: &'t [Case],
        expected: &PartialTy,
    ) -> Outcome<Value<'t>> {
        let Some((case, rest)) = cases.split_first() else {
            return Err(self.inconsistent("a `match` without a case that matches"));
        };
        // One case matches, so the last one does when the others do not.
        let condition = match rest {
            [] => YES,
            _ => self.at(case.pattern.span, |this| this.matches(&case.pattern, value))?,
        };
        match condition {
            Atom::Const(PrimValue::Bool(true)) => return self.lower_case(env, value, case),
            Atom::Const(_) => return self.lower_cases(env, value, rest, expected),
            Atom::Var(_) => {}
        }
        self.open();
        self.assume(condition);
        let a = self.lower_case(&mut env.clone(), value, case)?;
        let then = self.close();
        self.open();
        let b = self.lower_cases(&mut env.clone(), value, rest, expected)?;
        let otherwise = self.close();
        self.branches(condition, (then, a), (otherwise, b), expected)
    }

    fn lower_case(&mut self, env: &mut Env<'t>, value: &Value<'t>, case: &'t Case) -> Outcome<Value<'t>> {
        self.at(case.pattern.span, |this| this.bind_pattern(env, &case.pattern, value.clone()))?;
        self.lower_exp(env, &case.body)
    }

    /// Whether a value matches a pattern.
    fn matches(&mut self, pattern: &'t Pattern, value: &Value<'t>) -> Outcome<Atom> {
        match &pattern.kind {
            PatternKind::Var(_) | PatternKind::Wildcard => Ok(YES),
            PatternKind::Literal(literal) => {
                let scalar = self.scalar(value)?;
                Ok(self.bin(BinOp::Eq, literal.prim_type(), scalar, Atom::Const(*literal)))
            }
            PatternKind::Record(fields) => {
                let mut all = YES;
                for (name, pattern) in fields {
                    let Some(part) = value.field(*name) else {
                        return Err(self.inconsistent(format!("no field {name} in {:?}", value.ty)));
                    };
                    let part = self.matches(pattern, &part)?;
                    all = self.and(all, part);
                }
                Ok(all)
            }
            PatternKind::Constructor(name, patterns) => {
                let Some(constructors) = value.constructors().cloned() else {
                    return Err(self.inconsistent("a sum was expected"));
                };
                let position = constructors.iter().position(|(other, _)| other == name);
                let (Some(k), Some(Leaf::Atom(found))) = (position, value.leaves.first()) else {
                    return Err(self.inconsistent(format!("no constructor {name}")));
                };
                let mut all = match constructors.len() {
                    1 => YES,
                    _ => self.bin(BinOp::Eq, TAG, *found, tag(k)),
                };
                if all == Atom::Const(PrimValue::Bool(false)) {
                    return Ok(all);
                }
                for (pattern, part) in patterns.iter().zip(value.payload(k)) {
                    let part = self.matches(pattern, &part)?;
                    all = self.bin(BinOp::And, PrimType::Bool, all, part);
                }
                Ok(all)
            }
        }
    }
}
