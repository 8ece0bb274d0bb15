//! Short loops of threads over small arrays are written out, so that these are registers.
//!
//! `for k < 64 seq { … m[(5 * k + 1) % 16] … }` reads memory of the thread, or chooses among registers by comparisons, in each round; written out, each read is of
//! a register that is known. It is done where an array in `stack` is read or written at an index that is no constant.

use super::super::fuse_loops::access::Places;
use fun_base::name::Var;
use imp::ir::{Exp, LoopKind, Space, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::BTreeSet;

/// Rounds of a loop that is written out, at most.
const ROUNDS: i64 = 64;
/// Statements of all rounds of such loops of a kernel, at most.
const STATEMENTS: i64 = 10_000;

/// Says of the loops in the kernels of a list that they are to be written out, where that pays.
pub(super) fn in_kernels(list: &mut [Statement], places: &Places) {
    for statement in list {
        match &mut statement.kind {
            StatementKind::For { kind, body, .. } if kind.is_kernel() => {
                let mut arrays = BTreeSet::new();
                for_each_statement(body, &mut |inner| {
                    if let StatementKind::Alloc { var, space: Space::Stack, .. } = &inner.kind {
                        arrays.insert(*var);
                    }
                });
                if !arrays.is_empty() {
                    Threads { arrays, places, left: STATEMENTS }.statements(body, false);
                }
            }
            kind => kind.for_each_body_mut(&mut |body| in_kernels(body, places)),
        }
    }
}

/// The threads of a kernel, with the small arrays that each has.
struct Threads<'p> {
    arrays: BTreeSet<Var>,
    places: &'p Places,
    /// Statements that may still be written out.
    left: i64,
}

impl Threads<'_> {
    /// Loops of a block stay: its statements are the same for all threads (I11).
    fn statements(&mut self, list: &mut [Statement], in_thread: bool) {
        for statement in list {
            let is_thread = matches!(&statement.kind, StatementKind::For { kind: LoopKind::Thread, .. });
            let inside = in_thread || is_thread;
            statement.kind.for_each_body_mut(&mut |body| self.statements(body, inside));
            if let StatementKind::For { bound, kind: kind @ LoopKind::Seq, body, .. } = &mut statement.kind
                && in_thread
                && let Some(rounds) = constant(bound).filter(|rounds| (2..=ROUNDS).contains(rounds))
                && let all = rounds.saturating_mul(count(body))
                && all <= self.left
                && self.moves_in_array(body)
            {
                *kind = LoopKind::Unroll;
                self.left -= all;
            }
        }
    }

    /// Whether statements read or write a small array at an index that is no constant.
    fn moves_in_array(&self, body: &[Statement]) -> bool {
        let mut found = false;
        let mut touched = |view: Var, indices: &[Exp]| {
            let is_array = || self.places.place(view).is_some_and(|(_, mem, _)| self.arrays.contains(&mem));
            found |= indices.iter().any(|index| !matches!(index, Exp::Const(_))) && is_array();
        };
        for_each_statement(body, &mut |statement| {
            if let StatementKind::Write { view, indices, .. }
            | StatementKind::Accumulate { view, indices, .. } = &statement.kind
            {
                touched(*view, indices);
            }
            statement.kind.for_each_exp(&mut |exp| exp.for_each_read(&mut touched));
        });
        found
    }
}

/// A bound, of whatever type, that is known.
fn constant(bound: &Exp) -> Option<i64> {
    let Exp::Const(value) = bound else { return None };
    i64::try_from(value.as_int()?).ok()
}

/// How many statements are executed, where loops of unknown length have one round.
fn count(body: &[Statement]) -> i64 {
    body.iter().fold(0, |sum, statement| {
        let mut inner = 0i64;
        statement.kind.for_each_body(&mut |body| inner = inner.saturating_add(count(body)));
        let rounds = match &statement.kind {
            StatementKind::For { bound, .. } => constant(bound).unwrap_or(1).max(1),
            _ => 1,
        };
        sum.saturating_add(inner.saturating_mul(rounds).saturating_add(1))
    })
}
