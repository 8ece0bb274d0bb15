//! Loops that take long steps through memory and stand behind the nest that comes by the same places: they run at the end of its iterations.

use super::super::different_blocks::{Known, at_loops};
use super::super::fuse_folds::needed;
use super::access::{Access, accesses};
use super::facts::{LoopFacts, Walk};
use super::is_simple;
use crate::imp::copy::has_loops;
use crate::imp::copy::{declared_in, replace};
use fun_base::name::Var;
use fun_base::prim::PrimType;
use fun_index::lmad::Lmad;
use imp::ir::{Exp, ImpType, LoopKind, Procedure, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

/// Fuses the loops of a procedure with nests before them.
pub(super) fn run(procedure: &mut Procedure) {
    let mut behind =
        Behind { views: BTreeMap::new(), known: BTreeMap::new(), facts: LoopFacts::of(procedure) };
    behind.learn(&procedure.body);
    let mut counters = BTreeSet::new();
    for_each_statement(&procedure.body, &mut |statement| {
        counters.extend(behind.strided(statement).map(|(counter, ..)| counter));
    });
    if !counters.is_empty() {
        behind.known = at_loops(procedure, &counters);
        behind.statements(&mut procedure.body);
    }
}

struct Behind {
    /// The cells of views whose index functions do not change.
    views: BTreeMap<Var, (PrimType, Lmad)>,
    /// Which views lie in different blocks, where loops with these counters begin.
    known: BTreeMap<Var, Known>,
    facts: LoopFacts,
}

impl Walk for Behind {
    fn facts(&mut self) -> &mut LoopFacts {
        &mut self.facts
    }

    fn take(&mut self, statement: Statement, before: &mut Vec<Statement>) {
        match self.nest_before(before, &statement) {
            Some((nest, needed)) => put_in(before, nest, &needed, statement),
            None => before.push(statement),
        }
    }
}

impl Behind {
    fn learn(&mut self, body: &[Statement]) {
        let mut variables = BTreeSet::new();
        for_each_statement(body, &mut |statement| {
            if let StatementKind::Declare { var, ty: ImpType::Prim(_), .. } = &statement.kind {
                variables.insert(*var);
            }
        });
        for_each_statement(body, &mut |statement| {
            if let StatementKind::View { var, elem, lmad, .. } = &statement.kind {
                let mut fixed = true;
                lmad.for_each_var(&mut |var| fixed &= !variables.contains(&var));
                if fixed {
                    self.views.insert(*var, (*elem, lmad.clone()));
                }
            }
        });
    }

    /// Counter, bound and accesses of a loop without loops inside that writes cells which do not lie side by side.
    fn strided<'s>(&self, statement: &'s Statement) -> Option<(Var, &'s Exp, Vec<Access>)> {
        let StatementKind::For { var, ty: PrimType::I64, bound, kind: LoopKind::Par, body } = &statement.kind
        else {
            return None;
        };
        let plain = |statement: &Statement| {
            is_simple(statement)
                && matches!(statement.kind, StatementKind::Let { .. } | StatementKind::Write { .. })
        };
        if !body.iter().all(plain) {
            return None;
        }
        let accesses = accesses(body, Some(*var))?;
        let strided =
            |access: &Access| match self.views.get(&access.view).map(|(_, lmad)| lmad.dims.as_slice()) {
                Some([dim]) => access.write && !matches!(dim.stride.as_constant(), Some(-1..=1)),
                _ => false,
            };
        accesses.iter().any(strided).then_some((*var, bound, accesses))
    }

    /// The nest before a loop in whose iterations it may run, and what goes in front of the nest for that, by places behind it.
    fn nest_before(&self, before: &[Statement], statement: &Statement) -> Option<(usize, Vec<usize>)> {
        let (counter, bound, own) = self.strided(statement)?;
        let known = self.known.get(&counter)?;
        for (at, other) in before.iter().enumerate().rev() {
            if let StatementKind::For { var, bound: others, kind: LoopKind::Par, body, .. } = &other.kind
                && others == bound
                && has_loops(body)
            {
                let theirs = accesses(body, Some(*var))?;
                if !self.apart(known, &own, &theirs) {
                    return None;
                }
                let needed = needed(statement, &before[at + 1..])?;
                let allocates = |at_behind: &usize| {
                    matches!(before[at + 1 + at_behind].kind, StatementKind::Alloc { .. })
                };
                return (!needed.iter().any(allocates)).then_some((at, needed));
            }
            if !self.passes(known, &own, other) {
                return None;
            }
        }
        None
    }

    /// Whether a loop with these accesses, which cannot stop the program, does the same in front of a statement, and the statement does.
    fn passes(&self, known: &Known, own: &[Access], statement: &Statement) -> bool {
        let touches = match &statement.kind {
            StatementKind::Let { .. }
            | StatementKind::View { .. }
            | StatementKind::Assert { .. }
            | StatementKind::Write { .. }
            | StatementKind::For { .. } => accesses_of(statement),
            _ => None,
        };
        touches.is_some_and(|touches| self.apart(known, own, &touches))
    }

    /// Whether no cell that one of two writes is touched by the other.
    fn apart(&self, known: &Known, own: &[Access], others: &[Access]) -> bool {
        own.iter()
            .all(|x| others.iter().all(|y| !(x.write || y.write) || self.are_apart(known, x.view, y.view)))
    }

    fn are_apart(&self, known: &Known, x: Var, y: Var) -> bool {
        if known.are_different(x, y) {
            return true;
        }
        let (Some((x_elem, x_cells)), Some((y_elem, y_cells))) = (self.views.get(&x), self.views.get(&y))
        else {
            return false;
        };
        known.are_same(x, y)
            && x_elem.bytes() == y_elem.bytes()
            && (self.facts.disjoint(x_cells, y_cells) || self.facts.disjoint_exactly(x_cells, y_cells))
    }
}

/// What a statement touches, if that is elements alone and it assigns nothing that is there before it.
fn accesses_of(statement: &Statement) -> Option<Vec<Access>> {
    if let StatementKind::View { .. } = &statement.kind {
        return Some(Vec::new());
    }
    let list = std::slice::from_ref(statement);
    let own = declared_in(list);
    let mut changes = false;
    for_each_statement(list, &mut |statement| {
        changes |= matches!(&statement.kind, StatementKind::Assign { var, .. } if !own.contains(var));
    });
    accesses(list, None).filter(|_| !changes)
}

/// Puts the iterations of a loop at the end of those of a nest, and what it needs in front of that.
fn put_in(done: &mut Vec<Statement>, nest: usize, needed: &[usize], statement: Statement) {
    let StatementKind::For { var: counter, body: mut moved, .. } = statement.kind else { return };
    for (count, behind) in needed.iter().enumerate() {
        let earlier = done.remove(nest + 1 + behind);
        done.insert(nest + count, earlier);
    }
    if let StatementKind::For { var, body, .. } = &mut done[nest + needed.len()].kind {
        replace(&mut moved, counter, *var);
        body.append(&mut moved);
    }
}
