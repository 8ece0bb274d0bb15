//! Which views certainly lie in different blocks, at given places of a procedure, also where variables hold blocks and take turns in loops.
//!
//! ```text
//! alloc x : f32[n]   alloc y : f32[n]
//! var old : mem = x   var new : mem = y
//! for t < steps seq {
//!   view a : f32 @ old -> …   view b : f32 @ new -> …      a and b lie in different blocks
//!   var rest : mem = old   old := new   new := rest
//! }
//! ```
//! What a variable holds has a number. A block that is allocated is different from all that there is then. At the head of a loop, what is assigned in it
//! has a number of its own; which of these are different is what the way in and each iteration leave so, found by trying the most and dropping
//! what does not hold, until all does. A view has the number of the block that its variable held when it was declared.
//!
//! Cost: a walk for each fact that is dropped, times the variables that hold blocks and are mentioned later, or were a few statements before.

use fun_base::name::Var;
use imp::ir::{Exp, ImpType, Procedure, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

/// So many statements of a procedure behind the last that mentions a variable, it is forgotten: long programs have many blocks that live for a few statements.
/// (Who asks may look at loops some statements before.)
const REMEMBERED: usize = 64;

/// The number of what a variable holds.
type Held = usize;

/// What is known at a place.
#[derive(Clone, Default)]
pub(super) struct Known {
    held: BTreeMap<Var, Held>,
    /// Pairs of numbers of different blocks, the smaller first.
    different: BTreeSet<(Held, Held)>,
}

impl Known {
    /// Whether two views, or variables that hold blocks, are certainly of different blocks.
    pub(super) fn are_different(&self, x: Var, y: Var) -> bool {
        let (Some(x), Some(y)) = (self.held.get(&x), self.held.get(&y)) else { return false };
        self.different.contains(&pair(*x, *y))
    }

    /// Forgets variables, and the numbers that only these had.
    fn forget(&mut self, dead: &dyn Fn(Var) -> bool) {
        let before = self.held.len();
        self.held.retain(|var, _| !dead(*var));
        if self.held.len() < before {
            let numbers: BTreeSet<Held> = self.held.values().copied().collect();
            self.different.retain(|(x, y)| numbers.contains(x) && numbers.contains(y));
        }
    }

    /// Whether two views, or variables that hold blocks, are certainly of one block.
    pub(super) fn are_same(&self, x: Var, y: Var) -> bool {
        self.held.get(&x).is_some_and(|held| self.held.get(&y) == Some(held))
    }
}

fn pair(x: Held, y: Held) -> (Held, Held) {
    (x.min(y), x.max(y))
}

/// What is known where the loops with these counters begin. They stand in no parallel loop.
pub(super) fn at_loops(procedure: &Procedure, counters: &BTreeSet<Var>) -> BTreeMap<Var, Known> {
    let mut walk = Walk { known: Known::default(), next: 0, counters, found: BTreeMap::new() };
    for (var, ty) in &procedure.params {
        if matches!(ty, ImpType::Mem(_)) {
            walk.fresh(*var);
        }
    }
    let mut last = BTreeMap::new();
    for (at, statement) in procedure.body.iter().enumerate() {
        for_each_statement(std::slice::from_ref(statement), &mut |statement| {
            statement.kind.declares().into_iter().for_each(|var| _ = last.insert(var, at));
            statement.kind.for_each_use(&mut |var| _ = last.insert(var, at));
        });
    }
    for (at, statement) in procedure.body.iter().enumerate() {
        walk.statement(&statement.kind);
        if at % REMEMBERED == 0 {
            walk.known.forget(&|var| last.get(&var).is_none_or(|last| last + REMEMBERED <= at));
        }
    }
    walk.found
}

struct Walk<'c> {
    known: Known,
    next: Held,
    counters: &'c BTreeSet<Var>,
    found: BTreeMap<Var, Known>,
}

impl Walk<'_> {
    /// A variable holds something of which nothing is known.
    fn fresh(&mut self, var: Var) -> Held {
        self.next += 1;
        self.known.held.insert(var, self.next);
        self.next
    }

    fn same(&mut self, var: Var, as_other: Var) {
        match self.known.held.get(&as_other).copied() {
            Some(held) => _ = self.known.held.insert(var, held),
            None => _ = self.fresh(var),
        }
    }

    fn statements(&mut self, list: &[Statement]) {
        list.iter().for_each(|statement| self.statement(&statement.kind));
    }

    fn statement(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::Alloc { var, .. } => {
                let others: BTreeSet<Held> = self.known.held.values().copied().collect();
                let own = self.fresh(*var);
                self.known.different.extend(others.into_iter().map(|other| pair(own, other)));
            }
            StatementKind::Declare { var, ty: ImpType::Mem(_), value } => match value {
                Some(Exp::Var(from)) => self.same(*var, *from),
                _ => _ = self.fresh(*var),
            },
            StatementKind::Assign { var, value } if self.known.held.contains_key(var) => match value {
                Exp::Var(from) => self.same(*var, *from),
                _ => _ = self.fresh(*var),
            },
            StatementKind::View { var, mem, .. } => self.same(*var, *mem),
            StatementKind::Window { var, view, .. } => self.same(*var, *view),
            StatementKind::Call { results, .. } => {
                for result in results {
                    if self.known.held.contains_key(result) {
                        self.fresh(*result);
                    }
                }
            }
            StatementKind::For { var, kind, .. } if kind.is_parallel() => {
                // it assigns nothing from outside
                if self.counters.contains(var) {
                    self.found.insert(*var, self.known.clone());
                }
            }
            StatementKind::For { body, .. } | StatementKind::While { body, .. } => self.repeated(body),
            StatementKind::If { then, otherwise, .. } => {
                let before = self.known.clone();
                self.statements(then);
                let after = std::mem::replace(&mut self.known, before.clone());
                self.statements(otherwise);
                let changed = assigned(then.iter().chain(otherwise));
                let ways = [after, std::mem::take(&mut self.known)];
                self.known = self.joined(&before, &changed, &ways);
            }
            StatementKind::Lock { body, .. } | StatementKind::Ordered { body, .. } => self.statements(body),
            StatementKind::Let { .. }
            | StatementKind::Declare { .. }
            | StatementKind::Assign { .. }
            | StatementKind::Share(_)
            | StatementKind::Free(_)
            | StatementKind::Write { .. }
            | StatementKind::Accumulate { .. }
            | StatementKind::Atomic { .. }
            | StatementKind::Shuffle { .. }
            | StatementKind::Copy { .. }
            | StatementKind::Assert { .. } => {}
        }
    }

    fn repeated(&mut self, body: &[Statement]) {
        let entry = self.known.clone();
        let changed = assigned(body.iter());
        let mut ways = vec![entry.clone()];
        loop {
            let head = self.joined(&entry, &changed, &ways);
            self.known = head.clone();
            self.statements(body);
            ways.push(std::mem::replace(&mut self.known, head));
            let kept = self.joined(&entry, &changed, &ways);
            if kept.different.len() == self.known.different.len() {
                return;
            }
        }
    }

    /// What holds whichever way was taken: what was assigned has a number of its own, all else that was there before keeps its number.
    fn joined(&mut self, before: &Known, changed: &BTreeSet<Var>, ways: &[Known]) -> Known {
        let own = std::mem::replace(&mut self.known, before.clone());
        let changed: Vec<Var> = changed.iter().filter(|var| before.held.contains_key(var)).copied().collect();
        changed.iter().for_each(|var| _ = self.fresh(*var));
        let mut joined = std::mem::replace(&mut self.known, own);
        for x in &changed {
            for y in before.held.keys().filter(|y| *y != x) {
                if ways.iter().all(|way| way.are_different(*x, *y)) {
                    joined.different.insert(pair(joined.held[x], joined.held[y]));
                }
            }
        }
        joined
    }
}

/// What statements assign.
fn assigned<'s>(list: impl Iterator<Item = &'s Statement>) -> BTreeSet<Var> {
    let mut found = BTreeSet::new();
    for statement in list {
        for_each_statement(std::slice::from_ref(statement), &mut |statement| match &statement.kind {
            StatementKind::Assign { var, .. } => _ = found.insert(*var),
            StatementKind::Call { results, .. } => found.extend(results),
            _ => {}
        });
    }
    found
}
