//! The loop over rounds of lanes, and when there is one.

use super::Sizes;
use super::emit::{Failed, Round, one, to_bool, zero};
use super::plan::Plan;
use super::rows::Loop;
use crate::imp::copy::{fresh, replace};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use imp::build::{Builder, bin};
use imp::ir::{Exp, ImpType, LoopKind, StatementKind};

const I64: PrimType = PrimType::I64;

/// The most cells of a block that each lane gets one of: more, and those of all lanes would not stay in the cache.
const MOST_CELLS: i64 = 1 << 11;

/// Whether a loop has enough iterations, and its blocks are small enough.
pub(super) fn enough(plan: &Plan<'_>, bound: &Exp, sizes: Sizes) -> Exp {
    // (a round that is not full runs in order where assertions may fail)
    let least = if plan.fails { sizes.least.max(sizes.lanes()) } else { sizes.least };
    let least = bin(BinOp::Le, I64, Exp::i64(least), bound.clone());
    let at_most = |cells: Exp| bin(BinOp::Le, I64, cells, Exp::i64(MOST_CELLS));
    let both = |x: Exp, y: Exp| bin(BinOp::And, PrimType::Bool, x, y);
    let known = |size: &Exp| matches!(size, Exp::Const(cells) if (0..=MOST_CELLS).contains(&cells.as_i64().unwrap_or(-1)));
    let least = match &plan.least {
        Some((length, number)) => both(least, bin(BinOp::Le, I64, Exp::i64(*number), length.clone())),
        None => least,
    };
    plan.blocks.iter().fold(least, |all, shape| {
        // factors that are small have a product that is a number
        let factors = shape.iter().filter(|size| !known(size)).map(|size| at_most((*size).clone()));
        let all = factors.fold(all, both);
        if shape.len() < 2 {
            return all;
        }
        let cells = shape.iter().cloned().reduce(|x, y| bin(BinOp::Mul, I64, x, y));
        cells.map_or(all.clone(), |cells| both(all, at_most(cells)))
    })
}

/// The loop over rounds of lanes.
pub(super) fn rounds(plan: &Plan<'_>, of: &Loop<'_>, kind: LoopKind, sizes: Sizes, b: &mut Builder) {
    let bound = of.bound;
    let lanes = sizes.lanes();
    let filled = bin(BinOp::Add, I64, bound.clone(), Exp::i64(lanes - 1));
    let rounds = b.let_("rounds", I64, bin(BinOp::Shr, I64, filled, Exp::i64(sizes.log_lanes)));
    let kind = if kind.is_parallel() { kind } else { LoopKind::Seq };
    b.for_("r", rounds, kind, |b, r| {
        let first = b.let_("first", I64, bin(BinOp::Mul, I64, r, Exp::i64(lanes)));
        let left = bin(BinOp::Sub, I64, bound.clone(), first);
        let width = b.let_("width", I64, bin(BinOp::Min, I64, Exp::i64(lanes), left));
        if plan.fails {
            return round_or_in_order(plan, of, sizes, (first, width), b);
        }
        let (then, ()) = b.nested(|b| Round::new(plan, sizes, first, Exp::i64(lanes)).build(b));
        let (otherwise, ()) = b.nested(|b| Round::new(plan, sizes, first, width.into()).build(b));
        let condition = bin(BinOp::Eq, I64, width, Exp::i64(lanes));
        b.push(StatementKind::If { condition, then, otherwise });
    });
}

/// A round whose iterations run again in order if an assertion does not hold in one of them, as those of the last one do if it is not full.
fn round_or_in_order(
    plan: &Plan<'_>,
    of: &Loop<'_>,
    sizes: Sizes,
    (first, width): (Var, Var),
    b: &mut Builder,
) {
    let lanes = Exp::i64(sizes.lanes());
    let failed = b.declare("failed", ImpType::Prim(PrimType::I32), Some(one()));
    b.when(bin(BinOp::Eq, I64, width, lanes.clone()), |b| {
        b.assign(failed, zero());
        let mut round = Round::new(plan, sizes, first, lanes);
        let (block, in_lanes) = round.cells("failed".into(), PrimType::I32, b);
        b.for_("l", round.width.clone(), LoopKind::Simd, |b, l| b.write(in_lanes, vec![l.into()], zero()));
        round.failed = Some(Failed { any: failed, in_lanes });
        round.build(b);
        b.push(StatementKind::Free(block));
    });
    b.when(to_bool(failed), |b| {
        b.for_("l", width, LoopKind::Seq, |b, l| {
            let i = b.let_("i", I64, bin(BinOp::Add, I64, first, l));
            let mut body = fresh(of.body, &mut b.names);
            replace(&mut body, of.counter, i);
            b.push_all(body);
        });
    });
}

/// All lanes at once, whose scalars then are on the heap.
pub(super) fn all_at_once(plan: &Plan<'_>, bound: &Exp, sizes: Sizes, b: &mut Builder) {
    let first = b.let_("first", I64, Exp::i64(0));
    let width = b.let_("width", I64, bound.clone());
    let mut round = Round::new(plan, sizes, first, width.into());
    round.on_heap = true;
    round.build(b);
}
