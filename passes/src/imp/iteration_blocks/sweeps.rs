//! Sweeps of an iteration over a matrix in place, whose anti-diagonals the threads of its block share, and cells that an iteration fills.
//!
//! ```text
//! for i < n seq { for j < m seq { a[i + 1, j + 1] := max(a[i, j + 1], a[i + 1, j]) } }
//! ```
//! becomes, where the matrix has enough rows and columns,
//! ```text
//! let last = sub.i64(m, 1)
//! for d < add.i64(n, last) seq {
//!   let top = max.i64(sub.i64(d, last), 0)
//!   for t < sub.i64(min.i64(add.i64(d, 1), n), top) par { let i = add.i64(top, t)   let j = sub.i64(d, i)   … }
//! }
//! ```
//! Legal as tiles are (`tile_sweeps.rs`): what an iteration reads of others is on an anti-diagonal before, or on one behind. And loops in order that write one
//! cell in each iteration, and read none, become parallel.

use super::super::copy::{fresh, replace};
use super::super::fuse_loops::access::Places;
use super::super::fuse_loops::facts::LoopFacts;
use super::super::numbers::Numbers;
use super::super::sweeps::{Sweep, lies_apart};
use super::super::tile_sweeps::pays;
use super::I64;
use fun_base::prim::{BinOp, PrimType};
use imp::build::{Builder, add, bin, sub};
use imp::ir::{Exp, LoopKind, Statement, StatementKind};

/// What is known of a procedure.
pub(super) struct Finder {
    pub(super) places: Places,
    pub(super) numbers: Numbers,
    pub(super) facts: LoopFacts,
    /// Rows and columns of a matrix whose anti-diagonals pay.
    pub(super) least: i64,
}

impl Finder {
    /// What an iteration does, with its sweeps by anti-diagonals; nothing where it has none. Adds to `sizes` how long these are at most.
    pub(super) fn shared(
        &mut self,
        list: &[Statement],
        sizes: &mut Vec<Exp>,
        b: &mut Builder,
    ) -> Option<Vec<Statement>> {
        let mut list = list.to_vec();
        let before = sizes.len();
        self.statements(&mut list, sizes, b);
        if sizes.len() == before {
            return None;
        }
        self.fills(&mut list);
        Some(list)
    }

    fn statements(&mut self, list: &mut [Statement], sizes: &mut Vec<Exp>, b: &mut Builder) {
        let mark = self.facts.mark();
        for statement in list {
            let sweep = Sweep::of(statement, &self.places, &self.numbers, Some(&mut self.facts));
            if let Some(sweep) = sweep.filter(pays) {
                b.loc = statement.loc;
                let (then, ()) = b.nested(|b| diagonals(b, &sweep));
                sizes.push(bin(BinOp::Min, I64, sweep.rows.clone(), sweep.columns.clone()));
                let is_least = |size: &Exp| bin(BinOp::Le, I64, Exp::i64(self.least), size.clone());
                let condition =
                    bin(BinOp::And, PrimType::Bool, is_least(sweep.rows), is_least(sweep.columns));
                let kind = StatementKind::If { condition, then, otherwise: vec![statement.clone()] };
                *statement = Statement { kind, loc: statement.loc };
                continue;
            }
            let inside = self.facts.mark();
            match &mut statement.kind {
                // the threads' own
                StatementKind::For { kind, .. } if kind.is_parallel() => {}
                StatementKind::For { var, bound, body, .. } => {
                    self.facts.counter(*var, bound);
                    self.statements(body, sizes, b);
                }
                kind => kind.for_each_body_mut(&mut |body| self.statements(body, sizes, b)),
            }
            self.facts.reset(inside);
            self.facts.passed(statement);
        }
        self.facts.reset(mark);
    }

    /// Makes loops parallel that fill an array.
    fn fills(&self, list: &mut [Statement]) {
        for statement in list {
            match &mut statement.kind {
                kind @ StatementKind::For { kind: LoopKind::Seq, .. } if self.is_fill(kind) => {
                    let mut at = kind;
                    while let StatementKind::For { kind, body, .. } = at {
                        *kind = LoopKind::Par;
                        let [inner] = body.as_mut_slice() else { break };
                        at = &mut inner.kind;
                    }
                }
                StatementKind::For { kind, .. } if kind.is_parallel() => {}
                kind => kind.for_each_body_mut(&mut |body| self.fills(body)),
            }
        }
    }

    /// Whether loops write each cell of an array that is nowhere twice, and read none.
    fn is_fill(&self, nest: &StatementKind) -> bool {
        let (mut counters, mut at) = (Vec::new(), nest);
        while let StatementKind::For { var, ty: I64, bound, kind: LoopKind::Seq, body } = at {
            let [inner] = body.as_slice() else { return false };
            let is_size = !bound.reads() && matches!(bound, Exp::Var(_) | Exp::Const(_));
            if !is_size {
                return false;
            }
            counters.push(Exp::Var(*var));
            at = &inner.kind;
        }
        let StatementKind::Write { view, indices, value } = at else { return false };
        let is_plain = matches!(value, Exp::Const(_))
            || matches!(value, Exp::Var(var) if !self.numbers.is_assigned(*var));
        is_plain
            && *indices == counters
            && self.places.place(*view).is_some_and(|(_, _, lmad)| lies_apart(lmad))
    }
}

/// A loop over the anti-diagonals, and in it a parallel one over the cells of one.
fn diagonals(b: &mut Builder, sweep: &Sweep<'_>) {
    let last = b.let_("last", I64, sub(sweep.columns.clone(), Exp::i64(1)));
    b.for_("d", add(sweep.rows.clone(), last), LoopKind::Seq, |b, d| {
        let top = b.let_("top", I64, bin(BinOp::Max, I64, sub(d, last), Exp::i64(0)));
        let end = b.let_("end", I64, bin(BinOp::Min, I64, add(d, Exp::i64(1)), sweep.rows.clone()));
        b.for_("t", sub(end, top), LoopKind::Par, |b, t| {
            let i = b.let_(sweep.i.text, I64, add(top, t));
            let j = b.let_(sweep.j.text, I64, sub(d, i));
            let mut iteration = fresh(&[sweep.prelude, sweep.body].concat(), &mut b.names);
            replace(&mut iteration, sweep.i, i);
            replace(&mut iteration, sweep.j, j);
            b.push_all(iteration);
        });
    });
}
