//! Sums of floats. The reference is the sum itself as far as its type goes, not what is left of it after thousands of roundings: the
//! rounding errors are added up and put to the sum at the end (Neumaier, *Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen*,
//! 1974). So what is compared with it, in whatever order that adds, is compared with the truth.

use super::Val;
use crate::ir::Lambda;
use crate::visit::component_operators;
use fun_base::prim::{BinOp, PrimValue, UnOp, eval_bin, eval_un};

/// What an operator that is applied again and again has lost so far.
pub(super) struct Sums {
    /// For each component, as the value to add; none where it is no sum of floats alone.
    lost: Vec<Option<PrimValue>>,
}

impl Sums {
    /// Nothing yet.
    pub(super) fn of(op: &Lambda) -> Sums {
        let components = component_operators(op).into_iter().zip(&op.results);
        let lost = components.map(|(operator, ty)| {
            let sum = operator == Some(BinOp::Add) && ty.rank() == 0 && ty.elem().is_float();
            sum.then(|| ty.elem().zero())
        });
        Sums { lost: lost.collect() }
    }

    /// Notes what was lost when the operator gave these values.
    pub(super) fn note(&mut self, old: &[Val], added: &[Val], new: &[Val]) {
        for (lost, ((old, added), new)) in self.lost.iter_mut().zip(old.iter().zip(added).zip(new)) {
            let (Some(before), Val::Prim(old), Val::Prim(added), Val::Prim(new)) = (*lost, old, added, new)
            else {
                continue;
            };
            *lost = rounding_error(*old, *added, *new).and_then(|error| bin(BinOp::Add, before, error));
        }
    }

    /// The values that the operator gave at last, with what was lost.
    pub(super) fn whole(&self, total: &[Val]) -> Vec<Val> {
        let whole = |(total, lost): (&Val, &Option<PrimValue>)| match (total, lost) {
            (Val::Prim(sum), Some(lost)) => Val::Prim(corrected(*sum, *lost)),
            _ => total.clone(),
        };
        total.iter().zip(&self.lost).map(whole).collect()
    }
}

/// By how much the sum of two numbers is more than what it was rounded to.
fn rounding_error(x: PrimValue, y: PrimValue, sum: PrimValue) -> Option<PrimValue> {
    let (x_size, y_size) = (eval_un(UnOp::Abs, x).ok()?, eval_un(UnOp::Abs, y).ok()?);
    let (large, small) =
        if bin(BinOp::Ge, x_size, y_size)? == PrimValue::Bool(true) { (x, y) } else { (y, x) };
    bin(BinOp::Add, bin(BinOp::Sub, large, sum)?, small)
}

/// A sum and what was lost. One that is infinite has lost nothing that means anything, and one that has lost nothing keeps its sign.
fn corrected(sum: PrimValue, lost: PrimValue) -> PrimValue {
    let is_nan = |value| eval_un(UnOp::IsNan, value) == Ok(PrimValue::Bool(true));
    match bin(BinOp::Add, sum, lost) {
        Some(whole) if !is_nan(whole) && lost != lost.prim_type().zero() => whole,
        _ => sum,
    }
}

fn bin(op: BinOp, x: PrimValue, y: PrimValue) -> Option<PrimValue> {
    eval_bin(op, x, y).ok()
}
