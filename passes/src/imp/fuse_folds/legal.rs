//! What may be moved over what, and which iterations do not get in each other's way.

use super::reduction::Reduction;
use super::{Fusion, Map, Refusal};
use crate::imp::copy::{can_fail, declared_in};
use crate::imp::spread_lanes::pays::has_no_vectors;
use fun_base::name::Var;
use imp::ir::{Exp, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::BTreeSet;

/// An access of an iteration, where counters are called as those of the reduction's.
struct Touch {
    view: Var,
    indices: Vec<Exp>,
    write: bool,
}

/// What goes elsewhere: the cells that it touches and the variables that it uses must be the same there.
pub(super) struct Stays {
    reads: BTreeSet<Var>,
    writes: BTreeSet<Var>,
    uses: BTreeSet<Var>,
}

impl Stays {
    pub(super) fn of(statement: &Statement) -> Stays {
        let mut moved = Stays { reads: BTreeSet::new(), writes: BTreeSet::new(), uses: BTreeSet::new() };
        moved.add(statement);
        moved
    }

    pub(super) fn add(&mut self, statement: &Statement) {
        for_each_statement(std::slice::from_ref(statement), &mut |statement| {
            statement.kind.for_each_use(&mut |var| _ = self.uses.insert(var));
            statement.kind.for_each_exp(&mut |exp| {
                exp.for_each_read(&mut |view, _| _ = self.reads.insert(view));
            });
            self.writes.extend(statement.kind.writes());
        });
    }
}

impl Fusion {
    /// Whether a map does the same on either side of a statement, and the statement does.
    pub(super) fn stays(&self, moved: &Stays, statement: &Statement) -> bool {
        let touches = || moved.reads.union(&moved.writes);
        let mut stays = true;
        for_each_statement(std::slice::from_ref(statement), &mut |statement| {
            let mut reads = BTreeSet::new();
            statement.kind.for_each_exp(&mut |exp| {
                exp.for_each_read(&mut |view, _| _ = reads.insert(view));
            });
            stays &= match &statement.kind {
                StatementKind::Let { .. }
                | StatementKind::Declare { .. }
                | StatementKind::View { .. }
                | StatementKind::Window { .. }
                | StatementKind::Alloc { .. }
                | StatementKind::Share(_)
                | StatementKind::Assert { .. }
                | StatementKind::For { .. }
                | StatementKind::While { .. }
                | StatementKind::If { .. } => true,
                StatementKind::Assign { var, .. } => !moved.uses.contains(var),
                StatementKind::Free(block) => touches().all(|view| self.places.is_elsewhere(*view, *block)),
                StatementKind::Write { view, .. } | StatementKind::Accumulate { view, .. } => {
                    touches().all(|other| self.apart(*view, *other))
                }
                StatementKind::Copy { dest, source } => {
                    reads.insert(*source);
                    touches().all(|other| self.apart(*dest, *other))
                }
                _ => false,
            };
            stays &= reads.iter().all(|read| moved.writes.iter().all(|write| self.apart(*read, *write)));
        });
        stays
    }

    /// Whether a block may be allocated before a statement instead of after it: no program stops elsewhere, and none needs more memory.
    pub(super) fn lets_allocate(&self, statement: &Statement) -> bool {
        let mut fits = true;
        for_each_statement(std::slice::from_ref(statement), &mut |statement| {
            statement.kind.for_each_exp(&mut |exp| fits &= !can_fail(exp));
            fits &= match &statement.kind {
                StatementKind::Alloc { var, .. } | StatementKind::Free(var) => self.on_stack.contains(var),
                StatementKind::Assert { .. } | StatementKind::While { .. } | StatementKind::Call { .. } => {
                    false
                }
                _ => true,
            };
        });
        fits
    }

    /// The variables that hold the blocks in which statements read or write cells.
    pub(super) fn blocks(&self, statements: &[Statement]) -> BTreeSet<Var> {
        let mut found = BTreeSet::new();
        self.for_each_block(statements, &mut |block| _ = found.insert(block));
        found
    }

    /// Whether statements read or write cells in one of these blocks.
    pub(super) fn touch(&self, statements: &[Statement], blocks: &BTreeSet<Var>) -> bool {
        let mut found = false;
        self.for_each_block(statements, &mut |block| found |= blocks.contains(&block));
        found
    }

    fn for_each_block(&self, statements: &[Statement], f: &mut dyn FnMut(Var)) {
        for_each_statement(statements, &mut |statement| {
            let mut touch = |view| self.places.place(view).into_iter().for_each(|(_, block, _)| f(block));
            statement.kind.for_each_exp(&mut |exp| exp.for_each_read(&mut |view, _| touch(view)));
            statement.kind.writes().into_iter().for_each(touch);
        });
    }

    /// Whether the iterations of a map may run in those of a reduction, and it is worth it.
    pub(super) fn fits(&self, map: &Map, reduction: &Reduction) -> Result<(), Refusal> {
        let first = touches(map.body, map.counter, reduction.index);
        let second = touches(reduction.body, reduction.index, reduction.index);
        let mut outer = declared_in(map.body);
        outer.extend(declared_in(reduction.body));
        let own = |touch: &Touch| is_own(&touch.indices, reduction.index, &outer);
        if !first.iter().chain(&second).all(|touch| self.is_in_row(touch, reduction.index, &outer)) {
            return Err(Refusal::Kinds);
        }
        let one_element =
            |x: &Touch, y: &Touch| own(x) && x.indices == y.indices && self.places.same(x.view, y.view);
        if !first.iter().any(|x| second.iter().any(|y| one_element(x, y))) {
            return Err(Refusal::NothingShared);
        }
        // cells that are others for other iterations: those that some parallel loop wrote (I6)
        let written: Vec<&Touch> =
            first.iter().chain(&second).filter(|touch| touch.write && own(touch)).collect();
        let one_cell =
            |x: &Touch, y: &Touch| one_element(x, y) && written.iter().any(|write| one_element(write, x));
        let beside =
            |x: &Touch, y: &Touch| !(x.write || y.write) || one_cell(x, y) || self.apart(x.view, y.view);
        let fits = first.iter().all(|x| {
            second.iter().all(|y| beside(x, y))
                && reduction.partial.iter().all(|view| self.apart(x.view, *view))
        });
        if fits { Ok(()) } else { Err(Refusal::Cells) }
    }

    /// Whether iterations touch neighbouring cells, or all the same.
    fn is_in_row(&self, touch: &Touch, index: Var, inside: &BTreeSet<Var>) -> bool {
        let Some((_, _, lmad)) = self.places.place(touch.view) else { return false };
        let outside = |exp: &Exp| is_outside(exp, inside) && *exp != Exp::Var(index);
        lmad.dims.iter().zip(&touch.indices).all(|(dim, exp)| match exp {
            Exp::Var(var) if *var == index => matches!(dim.stride.as_constant(), Some(-1 | 1)),
            exp => outside(exp),
        }) && (!touch.write || is_own(&touch.indices, index, inside))
    }
}

/// Which of the statements before a loop declare what it needs, if they can be executed earlier.
pub(in crate::imp) fn needed(map: &Statement, before: &[Statement]) -> Option<Vec<usize>> {
    let mut uses = Stays::of(map).uses;
    let mut needed = Vec::new();
    for (at, statement) in before.iter().enumerate().rev() {
        if !statement.kind.declares().is_some_and(|var| uses.contains(&var)) {
            continue;
        }
        let mut pure = matches!(
            statement.kind,
            StatementKind::Let { .. } | StatementKind::View { .. } | StatementKind::Alloc { .. }
        );
        statement.kind.for_each_exp(&mut |exp| pure &= !can_fail(exp) && !exp.reads());
        if !pure {
            return None;
        }
        statement.kind.for_each_use(&mut |var| _ = uses.insert(var));
        needed.push(at);
    }
    needed.reverse();
    Some(needed)
}

/// Whether a body is straight-line code that writes cells, cannot stop the program, and has vectors for all that it computes.
pub(super) fn is_straight(body: &[Statement]) -> bool {
    body.iter().all(|statement| {
        let mut fits = matches!(statement.kind, StatementKind::Let { .. } | StatementKind::Write { .. });
        statement.kind.for_each_exp(&mut |exp| fits &= !can_fail(exp) && !has_no_vectors(exp));
        fits
    })
}

fn is_outside(exp: &Exp, inside: &BTreeSet<Var>) -> bool {
    match exp {
        Exp::Const(_) => true,
        Exp::Var(var) => !inside.contains(var),
        _ => false,
    }
}

/// Whether one of the indices is that of the iteration, and the others are the same for all.
fn is_own(indices: &[Exp], index: Var, inside: &BTreeSet<Var>) -> bool {
    let own = Exp::Var(index);
    indices.iter().filter(|exp| **exp == own).count() == 1
        && indices.iter().all(|exp| *exp == own || is_outside(exp, inside))
}

fn touches(body: &[Statement], counter: Var, called: Var) -> Vec<Touch> {
    let mut found = Vec::new();
    let mut touch = |view: Var, indices: &[Exp], write: bool| {
        let mut indices = indices.to_vec();
        let rename = &mut |var| if var == counter { called } else { var };
        indices.iter_mut().for_each(|index| index.rename(rename));
        found.push(Touch { view, indices, write });
    };
    for statement in body {
        statement.kind.for_each_exp(&mut |exp| {
            exp.for_each_read(&mut |view, indices| touch(view, indices, false));
        });
        if let StatementKind::Write { view, indices, .. } = &statement.kind {
            touch(*view, indices, true);
        }
    }
    found
}
