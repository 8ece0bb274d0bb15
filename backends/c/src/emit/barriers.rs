//! Where the threads of a block wait for one another: before a thread loop that touches memory which an earlier one touched, if one of both writes it and no barrier
//! lies between. A thread has registers to itself, so loops that touch only those need none.

#[cfg(test)]
mod tests;

use fun_base::name::Var;
use fun_base::prim::BinOp;
use imp::ir::{Exp, LoopKind, Space, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

/// Memory that several threads see.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Memory {
    /// All of the device's, as two variables may hold one block.
    Device,
    /// A block that threads share.
    Shared(Var),
}

/// What was touched since the last barrier.
#[derive(Clone, Default)]
struct Touched {
    read: BTreeSet<Memory>,
    written: BTreeSet<Memory>,
}

impl Touched {
    fn add(&mut self, other: &Touched) {
        self.read.extend(&other.read);
        self.written.extend(&other.written);
    }

    /// Whether what comes later must wait.
    fn forbids(&self, later: &Touched) -> bool {
        let written = |x: &Touched, y: &Touched| {
            x.written.iter().any(|memory| y.read.contains(memory) || y.written.contains(memory))
        };
        written(self, later) || written(later, self)
    }
}

/// What was touched since the last barrier, by any thread or by the first one alone.
#[derive(Clone, Default)]
struct Since {
    any: Touched,
    first: Touched,
}

impl Since {
    fn add(&mut self, other: &Since) {
        self.any.add(&other.any);
        self.first.add(&other.first);
    }
}

/// The places that a barrier precedes, counted in the order of the text: thread loops and `ordered` regions.
pub(super) fn places(body: &[Statement], shuffles_wait: bool) -> BTreeSet<usize> {
    let mut planner = Planner {
        views: memories(body),
        shuffles_wait,
        next: 0,
        before: BTreeSet::new(),
        since: Since::default(),
    };
    planner.statements(body);
    planner.before
}

struct Planner {
    /// What views see of the memory of several threads.
    views: BTreeMap<Var, Memory>,
    /// Whether a barrier is part of each `shuffle`.
    shuffles_wait: bool,
    next: usize,
    before: BTreeSet<usize>,
    since: Since,
}

impl Planner {
    fn statements(&mut self, list: &[Statement]) {
        for statement in list {
            match &statement.kind {
                StatementKind::For { var, kind: LoopKind::Thread, body, .. } => {
                    let touched = self.touched(body);
                    self.place(&touched, is_for_first(*var, body));
                }
                StatementKind::Ordered { body, .. } => {
                    let touched = self.touched(body);
                    self.place(&touched, true);
                }
                StatementKind::Shuffle { .. } if self.shuffles_wait => self.since = Since::default(),
                // an iteration comes behind another, or there is none
                StatementKind::For { body, .. } | StatementKind::While { body, .. } => {
                    let before = self.since.clone();
                    let touched = self.touched(body);
                    self.since.any.add(&touched);
                    self.statements(body);
                    self.since.add(&before);
                }
                StatementKind::If { then, otherwise, .. } => {
                    let before = self.since.clone();
                    self.statements(then);
                    let after = std::mem::replace(&mut self.since, before);
                    self.statements(otherwise);
                    self.since.add(&after);
                }
                _ => {}
            }
        }
    }

    /// A place where this is touched, by all threads or by the first one alone, who sees what it did itself.
    fn place(&mut self, touched: &Touched, by_first: bool) {
        if self.since.any.forbids(touched) || !by_first && self.since.first.forbids(touched) {
            self.before.insert(self.next);
            self.since = Since::default();
        }
        let since = if by_first { &mut self.since.first } else { &mut self.since.any };
        since.add(touched);
        self.next += 1;
    }

    /// All that statements touch.
    fn touched(&self, body: &[Statement]) -> Touched {
        let mut touched = Touched::default();
        let see = |set: &mut BTreeSet<Memory>, view: Var| set.extend(self.views.get(&view));
        for_each_statement(body, &mut |statement| {
            if let Some(view) = statement.kind.writes() {
                see(&mut touched.written, view);
            }
            if let StatementKind::Copy { source, .. } = &statement.kind {
                see(&mut touched.read, *source);
            }
            statement
                .kind
                .for_each_exp(&mut |exp| exp.for_each_read(&mut |view, _| see(&mut touched.read, view)));
        });
        touched
    }
}

/// Whether the body of a thread loop is something for the first thread.
fn is_for_first(counter: Var, body: &[Statement]) -> bool {
    let [Statement { kind: StatementKind::If { condition, otherwise, .. }, .. }] = body else { return false };
    let zero = |exp: &Exp| matches!(exp, Exp::Const(value) if value.as_i64() == Some(0));
    let first = |x: &Exp, y: &Exp| *x == Exp::Var(counter) && zero(y);
    otherwise.is_empty() && matches!(condition, Exp::Bin(BinOp::Eq, _, x, y) if first(x, y))
}

/// What the views of a kernel see; all but registers and the stack. Views from outside are of the device's memory.
fn memories(body: &[Statement]) -> BTreeMap<Var, Memory> {
    let (mut blocks, mut views) = (BTreeMap::new(), BTreeMap::new());
    for_each_statement(body, &mut |statement| {
        match &statement.kind {
            StatementKind::Alloc { var, space, .. } => {
                let shared = (*space == Space::Shared).then_some(Memory::Shared(*var));
                blocks.insert(*var, shared);
            }
            StatementKind::View { var, mem, .. } => {
                views.insert(*var, blocks.get(mem).copied().unwrap_or(Some(Memory::Device)));
            }
            StatementKind::Window { var, view, .. } => {
                views.insert(*var, views.get(view).copied().unwrap_or(Some(Memory::Device)));
            }
            kind => {
                let mut outside = |view: Var| _ = views.entry(view).or_insert(Some(Memory::Device));
                kind.writes().into_iter().for_each(&mut outside);
                if let StatementKind::Copy { source, .. } = kind {
                    outside(*source);
                }
            }
        }
        statement.kind.for_each_exp(&mut |exp| {
            exp.for_each_read(&mut |view, _| _ = views.entry(view).or_insert(Some(Memory::Device)));
        });
    });
    views.into_iter().filter_map(|(view, memory)| Some((view, memory?))).collect()
}
