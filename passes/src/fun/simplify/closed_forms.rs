//! Reductions and loops that are one formula.
//!
//! ```text
//! let (s: i32) = kernel (i < n) reduce \(a: i32) (b: i32) : i32 { let (x: i32) = add.i32 a b in (x) } (z) { in (c) }
//! let (t: i64) (r: i64) = loop (t_0 = u) (r_1 = v) for i : i64 < n { … let (t_2: i64) = add.i64 t_0 d in (t_2, r_3) }
//! ```
//! becomes
//! ```text
//! let (count: i32) = convert.i32.i64 n
//! let (sum: i32) = mul.i32 count c                                  s is z + n * c
//! let (s: i32) = add.i32 z sum
//! let (times: i64) = max.i64 n 0                                    t is u + max n 0 * d
//! …
//! ```
//! and `r` is all that is left of the loop. Of equal values an operator that is idempotent gives the value itself, or the neutral element of
//! none. For integers and truths alone: their sums are exact, and wrap around the same way.

use super::Simplify;
use crate::fun::single_operators;
use fun::ir::{Atom, Binder, Body, Combine, Exp, LoopForm, LoopParam, Statement, Type};
use fun::visit::names::free_in_body;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_base::source::Loc;
use std::collections::BTreeSet;

impl Simplify<'_> {
    /// The result of a reduction of one value for every point, if there is a formula for it.
    pub(super) fn reduced(
        &mut self,
        space: &[(Var, Atom)],
        combine: &Combine,
        body: &Body,
        loc: Option<Loc>,
        out: &mut Vec<Statement>,
    ) -> Option<Atom> {
        let (Combine::Reduce { op, neutral, .. }, [(counter, count)]) = (combine, space) else { return None };
        let ([value], [neutral]) = (body.results.as_slice(), neutral.as_slice()) else { return None };
        // (more statements of the operator might stop the program)
        if !body.statements.is_empty() || *value == Atom::Var(*counter) || op.body.statements.len() != 1 {
            return None;
        }
        let [operator] = single_operators(op)?[..] else { return None };
        let [Type::Prim(ty)] = op.results[..] else { return None };
        match operator {
            BinOp::Add if ty.is_int() => {
                Some(self.multiple(ty, *neutral, (PrimType::I64, *count), *value, loc, out))
            }
            BinOp::Min | BinOp::Max | BinOp::And | BinOp::Or if ty.is_int() || ty == PrimType::Bool => {
                let truth = Type::Prim(PrimType::Bool);
                let none = Exp::Bin(BinOp::Eq, PrimType::I64, *count, Atom::i64(0));
                let condition = self.scalar(none, truth, loc, out);
                let only = |result: Atom| Body { statements: Vec::new(), results: vec![result] };
                let var = self.names.fresh("red");
                let pattern = vec![Binder { var, ty: Type::Prim(ty) }];
                let exp = Exp::If { condition, then: only(*neutral), otherwise: only(*value) };
                out.push(Statement { pattern, exp, loc });
                Some(Atom::Var(var))
            }
            _ => None,
        }
    }

    /// The loop parameters that are only added to, and by the same in every iteration. What they come to stands for them in the pattern.
    pub(super) fn counted(
        &mut self,
        pattern: &[Binder],
        params: &[LoopParam],
        form: &LoopForm,
        body: &Body,
        loc: Option<Loc>,
        out: &mut Vec<Statement>,
    ) -> BTreeSet<usize> {
        let mut counted = BTreeSet::new();
        let LoopForm::For { var: counter, ty: count_ty, bound } = form else { return counted };
        // what the body does not bind itself, once it is asked for
        let mut outside = None;
        for (at, ((binder, param), next)) in pattern.iter().zip(params).zip(&body.results).enumerate() {
            let (Some(next), Type::Prim(ty)) = (next.as_var(), &param.binder.ty) else { continue };
            let once = |var: Var| self.uses.get(&var) == Some(&1);
            if !ty.is_int() || !once(param.binder.var) || !once(next) || !self.is_used(binder.var) {
                continue;
            }
            let made = body.statements.iter().find(|made| made.pattern.iter().any(|own| own.var == next));
            let Some(Exp::Bin(BinOp::Add, _, left, right)) = made.map(|made| &made.exp) else { continue };
            let own = Atom::Var(param.binder.var);
            let step = match (*left == own, *right == own) {
                (true, false) => *right,
                (false, true) => *left,
                _ => continue,
            };
            let outside = outside.get_or_insert_with(|| {
                let mut free = free_in_body(body);
                free.remove(counter);
                params.iter().for_each(|param| _ = free.remove(&param.binder.var));
                free
            });
            if step.as_var().is_some_and(|step| !outside.contains(&step)) {
                continue;
            }
            let times = Exp::Bin(BinOp::Max, *count_ty, *bound, Atom::Const(count_ty.zero()));
            let times = self.scalar(times, Type::Prim(*count_ty), loc, out);
            let total = self.multiple(*ty, param.init, (*count_ty, times), step, loc, out);
            self.stand_for(std::slice::from_ref(binder), &[total]);
            counted.insert(at);
        }
        counted
    }

    /// `start + count * step`.
    fn multiple(
        &mut self,
        ty: PrimType,
        start: Atom,
        (count_ty, count): (PrimType, Atom),
        step: Atom,
        loc: Option<Loc>,
        out: &mut Vec<Statement>,
    ) -> Atom {
        let prim = Type::Prim(ty);
        let convert = Exp::Convert { to: ty, from: count_ty, value: count };
        let count = self.scalar(convert, prim.clone(), loc, out);
        let product = self.scalar(Exp::Bin(BinOp::Mul, ty, count, step), prim.clone(), loc, out);
        self.scalar(Exp::Bin(BinOp::Add, ty, start, product), prim, loc, out)
    }
}
