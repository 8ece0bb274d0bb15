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
//! and `r` is all that is left of the loop. What is linear in the counter ([`super::linear`]), `b * i + d`, comes to `n * d + T * b`, where `T`
//! is the sum of the counters, `(n >>> 1) * ((n - 1) | 1)` in 64 bits. Nothing of it is lost by wrapping around: for even `n`, `n >>> 1` is `n / 2`
//! and `n - 1` odd, so the product is `n / 2 * (n - 1)`; for odd `n`, `n >>> 1` is `(n - 1) / 2` and `(n - 1) | 1` is `n`, so it is
//! `(n - 1) / 2 * n`. Each is the sum modulo 2^64 for all `n` of 64 bits without sign, and so modulo the size of every narrower type. A size is
//! never negative; the bound of a loop may be, and then counts as 0.
//!
//! Of equal values an operator that is idempotent gives the value itself, or the neutral element of none. For integers and truths alone: their sums are exact, and wrap around the same way.

use super::Simplify;
use super::linear::{Linear, needed};
use crate::fun::single_operators;
use fun::ir::{Atom, Binder, Body, Combine, Exp, LoopForm, LoopParam, Statement, Type};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_base::source::Loc;
use std::collections::BTreeSet;

impl Simplify<'_> {
    /// The result of a reduction of one value for every point, or of integers linear in the counter, if there is a formula for it.
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
        if op.body.statements.len() != 1 {
            return None;
        }
        let [operator] = single_operators(op)?[..] else { return None };
        let [Type::Prim(ty)] = op.results[..] else { return None };
        let equal = body.statements.is_empty() && *value != Atom::Var(*counter);
        match operator {
            BinOp::Add if ty.is_int() => {
                let needed = needed(body, &[*value])?;
                // (what else is in the body, an assertion too, might stop the program)
                for Statement { pattern, .. } in &body.statements {
                    let [binder] = pattern.as_slice() else { return None };
                    if !needed.contains(&binder.var) {
                        return None;
                    }
                }
                let mut made = Vec::new();
                let counter = (*counter, PrimType::I64);
                let [line] = self.linear(counter, body, (&[*value], ty), &needed, loc, &mut made)?[..] else {
                    return None;
                };
                out.append(&mut made);
                Some(self.sum(ty, *neutral, (PrimType::I64, *count), line, loc, out))
            }
            BinOp::Min | BinOp::Max | BinOp::And | BinOp::Or
                if equal && (ty.is_int() || ty == PrimType::Bool) =>
            {
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

    /// The loop parameters that are only added to, and by what is linear in the counter. What they come to stands for them in the pattern.
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
        for (at, ((binder, param), next)) in pattern.iter().zip(params).zip(&body.results).enumerate() {
            let (Some(next), Type::Prim(ty)) = (next.as_var(), &param.binder.ty) else { continue };
            if !ty.is_int() || !self.is_used(binder.var) {
                continue;
            }
            let Some(steps) = self.steps(param.binder.var, next, body) else { continue };
            let atoms: Vec<Atom> = steps.iter().map(|(_, atom)| *atom).collect();
            let Some(needed) = needed(body, &atoms) else { continue };
            if params.iter().any(|param| needed.contains(&param.binder.var)) {
                continue;
            }
            let mut made = Vec::new();
            let counter = (*counter, *count_ty);
            let lines = self.linear(counter, body, (&atoms, *ty), &needed, loc, &mut made);
            let Some(lines) = lines else { continue };
            out.append(&mut made);
            let mut step = Linear::fixed(*ty, Atom::Const(ty.zero()));
            for ((operator, _), line) in steps.iter().zip(lines) {
                let mut bin = |left, right| {
                    self.scalar(Exp::Bin(*operator, *ty, left, right), Type::Prim(*ty), loc, out)
                };
                step.slope = bin(step.slope, line.slope);
                step.offset = bin(step.offset, line.offset);
            }
            let times = Exp::Bin(BinOp::Max, *count_ty, *bound, Atom::Const(count_ty.zero()));
            let times = self.scalar(times, Type::Prim(*count_ty), loc, out);
            let total = self.sum(*ty, param.init, (*count_ty, times), step, loc, out);
            self.stand_for(std::slice::from_ref(binder), &[total]);
            counted.insert(at);
        }
        counted
    }

    /// What an iteration adds to a parameter and takes from it, one after the other, if nothing else is done with it on the way to its next value.
    fn steps(&self, param: Var, next: Var, body: &Body) -> Option<Vec<(BinOp, Atom)>> {
        let once = |var: Var| self.uses.get(&var) == Some(&1);
        let mut steps = Vec::new();
        let mut own = param;
        for Statement { pattern, exp, .. } in &body.statements {
            if own == next || !once(own) {
                break;
            }
            let ([made], Exp::Bin(operator, _, left, right)) = (pattern.as_slice(), exp) else { continue };
            let step = match operator {
                BinOp::Add if *left == Atom::Var(own) => *right,
                BinOp::Add if *right == Atom::Var(own) => *left,
                BinOp::Sub if *left == Atom::Var(own) => *right,
                _ => continue,
            };
            steps.push((*operator, step));
            own = made.var;
        }
        (own == next && own != param && once(own)).then_some(steps)
    }

    /// `start` and, for each `i < count`, what is linear in it.
    fn sum(
        &mut self,
        ty: PrimType,
        start: Atom,
        (count_ty, count): (PrimType, Atom),
        line: Linear,
        loc: Option<Loc>,
        out: &mut Vec<Statement>,
    ) -> Atom {
        let zero = Atom::Const(ty.zero());
        let mut sum = start;
        if line.offset != zero {
            sum = self.multiple(ty, sum, (count_ty, count), line.offset, loc, out);
        }
        if line.slope != zero {
            let counters = self.sum_of_counters((count_ty, count), loc, out);
            sum = self.multiple(ty, sum, (PrimType::I64, counters), line.slope, loc, out);
        }
        sum
    }

    /// The sum of all `i < count` modulo 2^64. One of `count` and `count - 1` is even; that is the one to halve.
    fn sum_of_counters(
        &mut self,
        (count_ty, count): (PrimType, Atom),
        loc: Option<Loc>,
        out: &mut Vec<Statement>,
    ) -> Atom {
        let i64 = PrimType::I64;
        let mut scalar = |exp: Exp| self.scalar(exp, Type::Prim(i64), loc, out);
        let count = scalar(Exp::Convert { to: i64, from: count_ty, value: count });
        let half = scalar(Exp::Bin(BinOp::ShrLogical, i64, count, Atom::i64(1)));
        let before = scalar(Exp::Bin(BinOp::Sub, i64, count, Atom::i64(1)));
        let odd = scalar(Exp::Bin(BinOp::Or, i64, before, Atom::i64(1)));
        scalar(Exp::Bin(BinOp::Mul, i64, half, odd))
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

#[cfg(test)]
mod tests {
    use super::super::Kept;
    use super::*;
    use fun::ir::Program;
    use fun::visit::names::Subst;
    use fun_base::name::NameSource;
    use std::collections::BTreeMap;

    use PrimType::{I8, I16, I32, I64, U8, U16, U32, U64};

    /// What a sum of so many comes to. All of it is constant, so that no statement is left.
    fn sum(ty: PrimType, start: i64, (count_ty, count): (PrimType, i64), slope: i64, offset: i64) -> Atom {
        let of = |value: i64| Atom::Const(ty.of_i64(value));
        let mut line = Linear::fixed(ty, of(offset));
        line.slope = of(slope);
        let mut names = NameSource::starting_at(0);
        let mut simplify = Simplify {
            subst: Subst::new(),
            names: &mut names,
            types: BTreeMap::new(),
            counters: BTreeMap::new(),
            has_scratch: false,
            kept: Kept::of(&Program { functions: Vec::new() }),
            uses: BTreeMap::new(),
            definitions: BTreeMap::new(),
            choices: BTreeMap::new(),
        };
        let mut out = Vec::new();
        let count = Atom::Const(count_ty.of_i64(count));
        let sum = simplify.sum(ty, of(start), (count_ty, count), line, None, &mut out);
        assert_eq!(out, []);
        sum
    }

    #[test]
    fn sums_are_what_adding_up_gives() {
        for ty in [I8, I16, I32, I64, U8, U16, U32, U64] {
            for (slope, offset) in [(1, 0), (0, 5), (3, -2), (-7, 100), (i64::MAX, i64::MIN + 1)] {
                let mut by_hand = 9i64;
                for count in 0..300 {
                    let found = sum(ty, 9, (I64, count), slope, offset);
                    assert_eq!(
                        found,
                        Atom::Const(ty.of_i64(by_hand)),
                        "{ty}: {count} of {slope} * i + {offset}"
                    );
                    by_hand = by_hand.wrapping_add(slope.wrapping_mul(count)).wrapping_add(offset);
                }
            }
        }
    }

    #[test]
    fn sums_of_many_wrap_around_as_adding_up_does() {
        for count in [1u64 << 31, (1 << 32) - 1, (1 << 63) - 1, 1 << 63, u64::MAX - 1, u64::MAX] {
            let exact = u128::from(count) * (u128::from(count) - 1) / 2;
            let found = sum(U64, 0, (U64, count as i64), 1, 0);
            assert_eq!(found, Atom::Const(U64.of_i64(exact as i64)), "{count}");
        }
    }

    #[test]
    fn counts_of_narrow_types_are_taken_as_they_are() {
        assert_eq!(sum(I64, 0, (U8, 255), 1, 0), Atom::i64(254 * 255 / 2));
        assert_eq!(sum(I64, 0, (I8, 127), 1, 0), Atom::i64(126 * 127 / 2));
    }
}
