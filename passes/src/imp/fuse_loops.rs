//! Fusion of parallel loops: a loop that takes long steps through memory runs in the iterations of the one behind it, which comes by
//! the same places.
//!
//! ```text
//! for i < m par {
//!   let f = div.f32(column[i], pivot)
//!   column[i] := f
//! }
//! copy row <- top
//! for i < m par {
//!   for j < m simd { rest[i, j] := sub.f32(rest[i, j], mul.f32(column[i], row[j])) }
//! }
//! ```
//! becomes, where `column` lies beside `rest` in rows of more than `m` cells,
//! ```text
//! copy row <- top
//! for i < m par {
//!   let f = div.f32(column[i], pivot)
//!   column[i] := f
//!   for j < m simd { rest[i, j] := sub.f32(rest[i, j], mul.f32(f, row[j])) }
//! }
//! ```
//!
//! Legal where the first loop cannot stop the program, and no iteration of it touches what another of the second one writes, nor writes what
//! that one reads: both lie in different blocks, the prover shows that their index functions have no cell in common, or both are the cell
//! that the first loop writes under its own counter, since its iterations write different ones (I6); or the prover shows that both go along rows, each iteration of the nest along its own, and are
//! in different ones (`rows.rs`). What stands between the loops neither
//! writes what the first one touches nor reads what it writes. A read of what the first loop wrote is the value itself where the second one
//! writes to no cell of that view.
//!
//! A loop that stands behind the nest runs at the end of its iterations (`behind.rs`), where neither it nor what stands between them touches what the other writes,
//! also in blocks that variables take turns at.
//!
//! Done where the first loop is without loops inside and its elements do not lie side by side, so that vectors would gain it nothing, and the
//! second one has loops inside: each line of memory comes by once instead of twice, and there is one loop less to share among threads.
//! Not inside of parallel loops.
//!
//! A copy of such elements is a loop, too, where its sides have no cell in common and all that it copies has a value (`filled.rs`). What iteration `i` copies from the rows of a matrix that iteration `i` of the nest writes, comes from the cache of the thread
//! that has that row, where the copy before the nest would ask all other threads for theirs (a column that a step of Floyd and Warshall's algorithm reads).
//!
//! Requires and ensures I1–I10. Cost: linear in the size of the program, and at most three questions to the prover for each pair of accesses.

pub(in crate::imp) mod access;
mod behind;
pub(in crate::imp) mod facts;
mod filled;
mod rows;

use super::copy::{has_loops, replace};
use access::{Access, Places, accesses, reads_of};
use facts::{LoopFacts, Walk};
use filled::Filled;
use fun_base::name::Var;
use imp::build::{self, Builder};
use imp::ir::{Exp, LoopKind, Program, Statement, StatementKind};
use imp::visit::names_after;

/// Fuses the loops of a program.
pub fn run(mut program: Program) -> Program {
    let mut b = Builder::new(names_after(&program));
    for procedure in &mut program.procedures {
        let (places, facts, filled) =
            (Places::of(procedure), LoopFacts::of(procedure), Filled::of(procedure));
        let mut fusion = Fusion { places, facts, filled, b };
        fusion.statements(&mut procedure.body);
        b = fusion.b;
        behind::run(procedure);
    }
    program
}

struct Fusion {
    places: Places,
    facts: LoopFacts,
    filled: Filled,
    b: Builder,
}

impl Walk for Fusion {
    fn facts(&mut self) -> &mut LoopFacts {
        &mut self.facts
    }

    fn take(&mut self, mut statement: Statement, before: &mut Vec<Statement>) {
        if let StatementKind::For { var, bound, kind: LoopKind::Par, body, .. } = &mut statement.kind
            && has_loops(body)
        {
            while let Some((at, first)) = self.partner(before, *var, bound, body) {
                before.remove(at);
                self.fuse(first, *var, body);
            }
        }
        self.filled.passed(&statement, &self.places);
        before.push(statement);
    }
}

impl Fusion {
    /// Which of the statements before a loop is one that can run in its iterations, as a loop.
    fn partner(
        &mut self,
        before: &[Statement],
        counter: Var,
        bound: &Exp,
        body: &[Statement],
    ) -> Option<(usize, Statement)> {
        let second = accesses(body, Some(counter))?;
        let last = before.iter().rposition(|statement| !is_simple(statement));
        for at in (last.unwrap_or(0)..before.len()).rev() {
            let first = match &before[at].kind {
                StatementKind::For { var: _, bound: other, kind: LoopKind::Par, body: first, .. }
                    if other == bound && first.iter().all(is_simple) =>
                {
                    before[at].clone()
                }
                StatementKind::Copy { dest, source } => match self.as_loop(*dest, *source, bound) {
                    Some(kind) => Statement { kind, loc: before[at].loc },
                    None => continue,
                },
                _ => continue,
            };
            let StatementKind::For { var, body: own, .. } = &first.kind else { continue };
            let Some(own) = accesses(own, Some(*var)) else { continue };
            let strided = own.iter().any(|access| self.places.is_strided(access.view));
            if strided
                && self.stays_behind(&own, &before[at + 1..])
                && self.independent(&own, &second, counter, bound)
            {
                return Some((at, first));
            }
        }
        None
    }

    /// A copy of one dimension, from cells that do not lie side by side, as a loop with that bound. (Copies may move cells by one another, and copy
    /// cells that have no value, which a loop may not.)
    fn as_loop(&mut self, dest: Var, source: Var, bound: &Exp) -> Option<StatementKind> {
        let moves = !self.apart(dest, source) || !self.filled.has(source, &self.places);
        let (elem, _, lmad) =
            self.places.place(source).filter(|_| !moves && self.places.is_strided(source))?;
        let size = &lmad.dims.first()?.size;
        (self.facts.poly(bound)? == *size).then_some(())?;
        let outer = self.b.begin();
        self.b.for_("i", bound.clone(), LoopKind::Par, |b, i| {
            let value = b.let_("elem", elem, build::read(source, vec![i.into()]));
            b.write(dest, vec![i.into()], value);
        });
        self.b.end(outer).pop().map(|statement| statement.kind)
    }

    /// Whether statements do the same before a loop that has these accesses.
    fn stays_behind(&self, first: &[Access], between: &[Statement]) -> bool {
        between.iter().all(|statement| match &statement.kind {
            StatementKind::Copy { dest, source } => first.iter().all(|access| {
                self.apart(access.view, *dest) && (!access.write || self.apart(access.view, *source))
            }),
            StatementKind::Write { .. } => false,
            kind => {
                let mut stays = true;
                kind.for_each_exp(&mut |exp| {
                    for view in reads_of(exp) {
                        stays &= first.iter().all(|access| !access.write || self.apart(access.view, view));
                    }
                });
                stays
            }
        })
    }

    /// Whether different iterations of two loops do not get in each other's way.
    fn independent(&mut self, first: &[Access], second: &[Access], counter: Var, bound: &Exp) -> bool {
        let written: Vec<Var> =
            first.iter().filter(|access| access.write && access.own).map(|access| access.view).collect();
        first.iter().all(|a| {
            second.iter().all(|b| {
                let one_cell = || {
                    a.own
                        && b.own
                        && written
                            .iter()
                            .any(|view| self.places.same(*view, a.view) && self.places.same(*view, b.view))
                };
                !(a.write || b.write)
                    || one_cell()
                    || self.apart(a.view, b.view)
                    || self.other_rows(*a, *b, counter, bound)
            })
        })
    }

    /// Whether two views have no cell in common.
    fn apart(&self, x: Var, y: Var) -> bool {
        self.places.in_different_blocks(x, y)
            || self.places.in_one_block(x, y).is_some_and(|(x, y)| self.facts.disjoint(x, y))
    }

    /// Puts the iterations of the first loop into those of the second.
    fn fuse(&self, first: Statement, counter: Var, body: &mut Vec<Statement>) {
        let StatementKind::For { var, body: mut fused, .. } = first.kind else { return };
        replace(&mut fused, var, counter);
        let own = [Exp::Var(counter)];
        let second = accesses(body, None).unwrap_or_default();
        for statement in &fused {
            let StatementKind::Write { view, indices, value: value @ (Exp::Var(_) | Exp::Const(_)) } =
                &statement.kind
            else {
                continue;
            };
            let stays = |access: &Access| !access.write || self.apart(*view, access.view);
            let others = fused.iter().filter(|other| {
                matches!(&other.kind, StatementKind::Write { view: other, .. } if !self.apart(*view, *other))
            });
            if *indices == own && others.count() == 1 && second.iter().all(stays) {
                for statement in body.iter_mut() {
                    self.forward(&mut statement.kind, *view, &own, value);
                }
            }
        }
        fused.append(body);
        *body = fused;
    }

    /// Reads of a cell become its value.
    fn forward(&self, kind: &mut StatementKind, view: Var, cell: &[Exp], value: &Exp) {
        kind.for_each_exp_mut(&mut |exp| self.forward_in(exp, view, cell, value));
        kind.for_each_body_mut(&mut |body| {
            for statement in body {
                self.forward(&mut statement.kind, view, cell, value);
            }
        });
    }

    fn forward_in(&self, exp: &mut Exp, view: Var, cell: &[Exp], value: &Exp) {
        exp.for_each_child_mut(&mut |child| self.forward_in(child, view, cell, value));
        if let Exp::Read { view: from, indices } = exp
            && indices == cell
            && self.places.same(*from, view)
        {
            *exp = value.clone();
        }
    }
}

/// Whether a statement is one that fused loops may hold or have between them: it has no others inside, and cannot stop the program but for want of
/// memory.
pub(super) fn is_simple(statement: &Statement) -> bool {
    let mut fails = false;
    statement.kind.for_each_exp(&mut |exp| fails |= super::copy::can_fail(exp));
    !fails
        && matches!(
            statement.kind,
            StatementKind::Let { .. }
                | StatementKind::View { .. }
                | StatementKind::Alloc { .. }
                | StatementKind::Copy { .. }
                | StatementKind::Write { .. }
        )
}
