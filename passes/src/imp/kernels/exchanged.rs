//! Loops in order around parallel loops whose points keep to cells of their own change places with them: one kernel, where there would be one for each round.
//!
//! ```text
//! for k < n seq { for j < m par { sum[j] := add.f32(sum[j], a[k, j]) } }
//! ```
//! becomes
//! ```text
//! for j < m par { for k < n seq { sum[j] := add.f32(sum[j], a[k, j]) } }
//! ```
//! So are reductions by `map2 (+)` inside of a map, and loops that add rows to an array. Legal where nothing fails and what is written has one place for
//! all rounds and, in each access, one index for each parallel counter and no others: then no point reads or writes what another one writes in any round.

use super::super::copy::can_fail;
use super::super::sweeps::lies_apart;
use super::Host;
use super::body::is_size;
use fun_base::name::Var;
use fun_base::prim::PrimType;
use imp::ir::{Exp, ImpType, LoopKind, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::BTreeSet;

/// Parallel loops that have nothing but one another and names in them.
struct Nest<'s> {
    /// Their counters and bounds, outermost first.
    loops: Vec<(Var, &'s Exp, LoopKind)>,
    names: Vec<Statement>,
    body: &'s [Statement],
}

impl Host {
    /// The parallel loop that a loop in order becomes, if it does.
    pub(super) fn exchanged(&self, kind: &StatementKind) -> Option<StatementKind> {
        let StatementKind::For { var, ty, bound, kind: LoopKind::Seq, body } = kind else { return None };
        if bound.reads() || can_fail(bound) {
            return None;
        }
        let nest = nest_of(body)?;
        let mut inner = BTreeSet::from([*var]);
        for_each_statement(body, &mut |statement| inner.extend(statement.kind.declares()));
        inner.extend(nest.loops.iter().map(|(counter, ..)| *counter));
        let sizes_stay = nest.loops.iter().all(|(_, bound, _)| is_size(bound, &inner));
        if !sizes_stay || !is_plain(&nest) || !self.keeps_to_own_cells(&nest, &inner) {
            return None;
        }
        let rounds = StatementKind::For {
            var: *var,
            ty: *ty,
            bound: bound.clone(),
            kind: LoopKind::Seq,
            body: nest.names.iter().chain(nest.body).cloned().collect(),
        };
        let loc = self.b.loc;
        Some(nest.loops.iter().rev().fold(rounds, |inside, (var, bound, kind)| StatementKind::For {
            var: *var,
            ty: PrimType::I64,
            bound: (*bound).clone(),
            kind: *kind,
            body: vec![Statement { kind: inside, loc }],
        }))
    }

    /// Whether all accesses to what is written are to the cells of a point.
    fn keeps_to_own_cells(&self, nest: &Nest<'_>, inner: &BTreeSet<Var>) -> bool {
        let counters: BTreeSet<Var> = nest.loops.iter().map(|(counter, ..)| *counter).collect();
        let (mut written, mut accesses) = (BTreeSet::new(), Vec::new());
        for_each_statement(nest.body, &mut |statement| {
            if let StatementKind::Write { view, indices, .. } = &statement.kind {
                written.insert(*view);
                accesses.push((*view, indices.clone()));
            }
            statement.kind.for_each_exp(&mut |exp| {
                exp.for_each_read(&mut |view, indices| accesses.push((view, indices.to_vec())));
            });
        });
        let always = nest.body.iter().filter_map(|statement| match &statement.kind {
            StatementKind::Write { view, .. } => Some(*view),
            _ => None,
        });
        let always: Vec<Var> = always.collect();
        let is_fixed = |view: &Var| {
            self.places.place(*view).is_some_and(|(_, mem, lmad)| {
                let mut fixed = !inner.contains(&mem);
                lmad.for_each_var(&mut |var| fixed &= !inner.contains(&var));
                let apart = || match lmad.dims.as_slice() {
                    [dim] => dim.stride.as_constant().is_some_and(|stride| stride != 0),
                    _ => lies_apart(lmad),
                };
                // what all points of a round write is nowhere twice (I6)
                fixed && (always.iter().any(|to| self.places.same(*to, *view)) || apart())
            })
        };
        let is_own = |indices: &[Exp]| {
            let vars: BTreeSet<Var> = indices
                .iter()
                .filter_map(|index| match index {
                    Exp::Var(var) => Some(*var),
                    _ => None,
                })
                .collect();
            indices.len() == counters.len() && vars == counters
        };
        written.iter().all(is_fixed)
            && accesses.iter().all(|(view, indices)| {
                written.iter().all(|to| {
                    self.places.in_different_blocks(*view, *to)
                        || self.places.same(*view, *to) && is_fixed(view) && is_own(indices)
                })
            })
    }
}

/// The parallel loops that a body is.
fn nest_of(mut body: &[Statement]) -> Option<Nest<'_>> {
    let (mut loops, mut names) = (Vec::new(), Vec::new());
    while let Some((last, before)) = body.split_last()
        && let StatementKind::For {
            var,
            ty: PrimType::I64,
            bound,
            kind: kind @ (LoopKind::Par | LoopKind::Simd),
            body: inside,
        } = &last.kind
        && before.iter().all(is_name)
    {
        names.extend(before.iter().cloned());
        loops.push((*var, bound, *kind));
        body = inside;
    }
    (!loops.is_empty()).then_some(Nest { loops, names, body })
}

/// Whether a statement gives a name to what cannot fail and is not read.
fn is_name(statement: &Statement) -> bool {
    let mut plain = matches!(
        statement.kind,
        StatementKind::Let { .. } | StatementKind::View { .. } | StatementKind::Window { .. }
    );
    statement.kind.for_each_exp(&mut |exp| plain &= !exp.reads() && !can_fail(exp));
    plain
}

/// Whether points compute, read and write, and nothing else.
fn is_plain(nest: &Nest<'_>) -> bool {
    let (mut plain, mut own, mut writes) = (true, BTreeSet::new(), false);
    for_each_statement(nest.body, &mut |statement| {
        statement.kind.for_each_exp(&mut |exp| plain &= !can_fail(exp));
        plain &= match &statement.kind {
            StatementKind::Let { .. } | StatementKind::View { .. } | StatementKind::If { .. } => true,
            StatementKind::Declare { var, ty: ImpType::Prim(_), .. } => own.insert(*var),
            StatementKind::Assign { var, .. } => own.contains(var),
            StatementKind::Write { .. } => {
                writes = true;
                true
            }
            StatementKind::For { kind, .. } => !kind.is_kernel(),
            _ => false,
        };
    });
    plain && writes
}
