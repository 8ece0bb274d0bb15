//! Rounds of steps.

use super::Sizes;
use super::steps::{Stencil, Steps};
use crate::imp::copy::{fresh, replace};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use imp::build::{Builder, add, bin, convert, mul, select, sub};
use imp::ir::{Exp, LoopKind, Statement, StatementKind};

const I64: PrimType = PrimType::I64;

/// Steps that become rounds.
pub(super) struct Tiling<'s> {
    pub(super) steps: &'s Steps<'s>,
    pub(super) stencil: Stencil,
    /// How many steps a round has.
    pub(super) together: i64,
    pub(super) sizes: Sizes,
}

/// A round: its first step, and how many it has.
#[derive(Clone, Copy)]
struct Round {
    first: Var,
    count: Var,
}

/// Rows that a piece of a phase begins with and goes up to, moved by the reach with each step.
struct Ends {
    low: Exp,
    high: Exp,
}

impl Tiling<'_> {
    /// Adds the rounds, where there are rows, columns and steps enough, and else the steps as they are.
    pub(super) fn emit(&self, original: &Statement, b: &mut Builder) {
        let Tiling { steps, stencil, together, sizes } = self;
        let all = convert(I64, steps.ty, steps.count.clone());
        let (then, ()) = b.nested(|b| {
            let side = self.side(b);
            let pieces = b.let_("pieces", I64, up(steps.rows.clone(), side.into()));
            let rounds = b.let_("rounds", I64, up(all.clone(), Exp::i64(*together)));
            b.for_("round", rounds, LoopKind::Seq, |b, round| {
                let first = b.let_("first", I64, mul(round, Exp::i64(*together)));
                let left = sub(all.clone(), first);
                let count = b.let_("count", I64, bin(BinOp::Min, I64, Exp::i64(*together), left));
                let round = Round { first, count };
                b.for_("phase", Exp::i64(2), LoopKind::Seq, |b, phase| {
                    let pieces = b.let_("pieces", I64, sub(pieces, phase));
                    b.for_("c", pieces, LoopKind::Par, |b, piece| self.piece(b, round, phase, piece, side));
                });
                b.for_("s", count, LoopKind::Seq, |b, _| {
                    let behind = fresh(steps.behind, &mut b.names);
                    b.push_all(behind);
                });
            });
        });
        let least = |least: i64, size: &Exp| bin(BinOp::Le, I64, Exp::i64(least), size.clone());
        let [rows, columns] = sizes.least;
        let large = and(least(rows, steps.rows), least(columns, &stencil.columns));
        let condition = and(large, least(2, &all));
        b.push(StatementKind::If { condition, then, otherwise: vec![original.clone()] });
    }

    /// How many rows a piece has: all for one thread.
    fn side(&self, b: &mut Builder) -> Var {
        let rows = self.steps.rows;
        let least = Exp::i64(2 * self.stencil.reach * self.together);
        let side = match self.sizes.pieces {
            0 => least,
            pieces => {
                let pieces = mul(Exp::Threads, Exp::i64(pieces));
                let side = bin(BinOp::Max, I64, least, up(rows.clone(), pieces));
                let several = bin(BinOp::Lt, I64, Exp::i64(1), Exp::Threads);
                select(several, side, bin(BinOp::Max, I64, rows.clone(), Exp::i64(1)))
            }
        };
        b.let_("side", I64, side)
    }

    /// What a piece computes in a phase.
    fn piece(&self, b: &mut Builder, round: Round, phase: Var, piece: Var, side: Var) {
        let (rows, reach) = (self.steps.rows, self.stencil.reach);
        let is_first = b.let_("is_first", PrimType::Bool, bin(BinOp::Eq, I64, phase, Exp::i64(0)));
        let first = |yes: Exp, no: Exp| select(is_first, yes, no);
        let start = b.let_("start", I64, mul(piece, side));
        let end = b.let_("end", I64, add(start, side));
        let is_top = b.let_("is_top", PrimType::Bool, bin(BinOp::Eq, I64, start, Exp::i64(0)));
        let is_bottom = b.let_("is_bottom", PrimType::Bool, bin(BinOp::Le, I64, rows.clone(), end));
        // how much ends move with a step: inwards, but at the ends of the array, and outwards from a place between pieces
        let shrinks = |stays: Var| select(stays, Exp::i64(0), Exp::i64(reach));
        let down = b.let_("down", I64, first(shrinks(is_top), Exp::i64(-reach)));
        let up = b.let_("up", I64, first(shrinks(is_bottom), Exp::i64(-reach)));
        let top = b.let_("top", I64, first(start.into(), end.into()));
        let bottom = b.let_("bottom", I64, bin(BinOp::Min, I64, rows.clone(), end));
        // rows of the last step are computed this many waves after those of the first
        let behind = mul(sub(round.count, Exp::i64(1)), Exp::i64(reach));
        let behind = b.let_("behind", I64, behind);
        let own = add(sub(bottom, top), select(is_bottom, behind, Exp::i64(0)));
        let waves = b.let_("waves", I64, first(own, mul(behind, Exp::i64(2))));
        b.for_("wave", waves, LoopKind::Seq, |b, wave| {
            let at = b.let_("at", I64, add(top, wave));
            let (mut turning, ends) = (Vec::new(), |s: Var| Ends {
                low: add(top, mul(down, s)),
                high: bin(BinOp::Min, I64, rows.clone(), sub(bottom, mul(up, s))),
            });
            for (var, ty) in &self.stencil.turning {
                let own = b.names.fresh_like(*var);
                b.push(StatementKind::Declare { var: own, ty: *ty, value: Some((*var).into()) });
                turning.push((*var, own));
            }
            b.for_("s", round.count, LoopKind::Seq, |b, s| self.row(b, round, s, at, ends(s), &turning));
        });
    }

    /// The row of a step that comes in a wave, if it is one of the piece.
    fn row(&self, b: &mut Builder, round: Round, s: Var, at: Var, ends: Ends, turning: &[(Var, Var)]) {
        let row = b.let_("i", I64, sub(at, mul(s, Exp::i64(self.stencil.reach))));
        let inside = and(bin(BinOp::Le, I64, ends.low, row), bin(BinOp::Lt, I64, row, ends.high));
        let own = |list: &[Statement], b: &mut Builder| {
            let mut list = fresh(list, &mut b.names);
            turning.iter().for_each(|(var, own)| replace(&mut list, *var, *own));
            list
        };
        b.when(inside, |b| {
            let step = convert(self.steps.ty, I64, add(round.first, s));
            let step = b.let_("t", self.steps.ty, step);
            let all: Vec<Statement> = self.steps.before.iter().chain(self.steps.body).cloned().collect();
            let mut all = own(&all, b);
            replace(&mut all, self.steps.step, step);
            replace(&mut all, self.steps.row, row);
            b.push_all(all);
        });
        let turns: Vec<Statement> =
            self.steps.behind.iter().filter(|statement| !is_count(statement)).cloned().collect();
        let turns = own(&turns, b);
        b.push_all(turns);
    }
}

/// Whether a statement changes how many owners a block has.
fn is_count(statement: &Statement) -> bool {
    matches!(statement.kind, StatementKind::Share(_) | StatementKind::Free(_))
}

/// How many of these sizes a positive number takes.
fn up(number: Exp, size: Exp) -> Exp {
    add(Exp::i64(1), bin(BinOp::Quot, I64, sub(number, Exp::i64(1)), size))
}

fn and(x: Exp, y: Exp) -> Exp {
    bin(BinOp::And, PrimType::Bool, x, y)
}
