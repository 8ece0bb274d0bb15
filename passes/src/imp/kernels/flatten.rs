//! Nests of parallel loops as one loop, which then becomes a kernel with a thread for each point of the nest.
//!
//! ```text
//! for i < n par { s…; for j < m par { … } }
//! ```
//! becomes
//! ```text
//! for flat < mul.i64(max.i64(n, 0), max.i64(m, 0)) par {
//!   let i = quot.i64(flat, max.i64(m, 1))
//!   let j = sub.i64(flat, mul.i64(i, max.i64(m, 0)))
//!   s…
//!   …
//! }
//! ```
//! Neighbouring threads have neighbouring indices of the innermost loop, which step through neighbouring cells of arrays in row order. What stands
//! before the inner loop runs for each of its iterations, and not at all where there are none: so it may be scalars and views alone that cannot
//! fail, or assertions where there certainly is an iteration, and reads only blocks that the inner loop certainly does not write.

use super::super::copy::{can_fail, constant};
use super::super::fuse_loops::access::{Places, reads_of};
use super::super::private::allocates;
use super::Host;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use imp::build::bin;
use imp::ir::{Exp, LoopKind, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::BTreeSet;

/// A loop: its counter, bound and body.
type Loop = (Var, Exp, Vec<Statement>);

impl Host {
    /// A parallel loop with the parallel loops that its body ends with.
    pub(super) fn flatten(&mut self, (mut var, mut bound, mut body): Loop) -> Loop {
        while let Some((inner, size)) = inner_loop(var, &body, &self.places) {
            let i64 = PrimType::I64;
            let least = |size: &Exp, least: i64| bin(BinOp::Max, i64, size.clone(), Exp::i64(least));
            let flat = self.b.names.fresh("flat");
            let outer = self.b.begin();
            self.b.push(StatementKind::Let {
                var,
                ty: i64,
                value: bin(BinOp::Quot, i64, flat, least(&size, 1)),
            });
            let before = bin(BinOp::Mul, i64, var, least(&size, 0));
            self.b.push(StatementKind::Let {
                var: inner,
                ty: i64,
                value: bin(BinOp::Sub, i64, flat, before),
            });
            let last = body.pop();
            self.b.push_all(body);
            if let Some(Statement { kind: StatementKind::For { body, .. }, .. }) = last {
                self.b.push_all(body);
            }
            body = self.b.end(outer);
            bound = bin(BinOp::Mul, i64, least(&bound, 0), least(&size, 0));
            var = flat;
        }
        (var, bound, body)
    }
}

/// The counter and bound of the loop that a body ends with, if the loop around and this one may be one.
fn inner_loop(outer: Var, body: &[Statement], places: &Places) -> Option<(Var, Exp)> {
    let (last, before) = body.split_last()?;
    let StatementKind::For { var, ty: PrimType::I64, bound, kind, body: inner } = &last.kind else {
        return None;
    };
    // arrays of all points would be many more than those of the outer ones
    let is_point = matches!(kind, LoopKind::Par | LoopKind::Simd) && !allocates(inner);
    let mut own = BTreeSet::from([outer]);
    let (mut read, mut possible) = (BTreeSet::new(), is_point && !bound.reads() && !can_fail(bound));
    for statement in before {
        own.extend(statement.kind.declares());
        possible &= may_repeat(&statement.kind, bound);
        statement.kind.for_each_exp(&mut |exp| {
            possible &= !can_fail(exp);
            read.extend(reads_of(exp));
        });
    }
    bound.for_each_var(&mut |var| possible &= !own.contains(&var));
    if !read.is_empty() {
        possible &= written(inner).is_some_and(|written| {
            written.iter().all(|to| read.iter().all(|from| places.in_different_blocks(*to, *from)))
        });
    }
    possible.then(|| (*var, bound.clone()))
}

/// Whether what stands before an inner loop of so many iterations may run in each of these instead, as far as its kind says.
pub(in crate::imp) fn may_repeat(kind: &StatementKind, bound: &Exp) -> bool {
    match kind {
        StatementKind::Let { .. } | StatementKind::View { .. } | StatementKind::Window { .. } => true,
        StatementKind::Assert { .. } => constant(bound).is_some_and(|bound| bound > 0),
        _ => false,
    }
}

/// The views that statements write, if nothing else is written by them.
fn written(body: &[Statement]) -> Option<BTreeSet<Var>> {
    let (mut views, mut known) = (BTreeSet::new(), true);
    for_each_statement(body, &mut |statement| {
        views.extend(statement.kind.writes());
        known &= !matches!(statement.kind, StatementKind::Call { .. });
    });
    known.then_some(views)
}
