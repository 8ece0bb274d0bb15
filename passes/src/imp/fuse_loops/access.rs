//! What loops read and write, and where views lie.

use crate::imp::copy::declared_in;
use crate::imp::different_blocks::Known;
use fun_base::name::Var;
use fun_base::prim::PrimType;
use fun_index::lmad::Lmad;
use imp::ir::{Exp, Procedure, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

/// An access of a loop's body.
#[derive(Clone, Copy)]
pub(in crate::imp) struct Access {
    pub(in crate::imp) view: Var,
    pub(in crate::imp) write: bool,
    /// Whether its only index is the counter of the loop.
    pub(in crate::imp) own: bool,
    /// Whether its first index is.
    pub(super) in_row: bool,
}

/// The accesses of a body, if all of them are reads and writes of elements.
pub(in crate::imp) fn accesses(body: &[Statement], counter: Option<Var>) -> Option<Vec<Access>> {
    let (mut found, mut plain) = (Vec::new(), true);
    let access = |view: Var, write: bool, indices: &[Exp]| {
        let in_row = counter.is_some_and(|counter| indices.first() == Some(&Exp::Var(counter)));
        Access { view, write, own: in_row && indices.len() == 1, in_row }
    };
    for_each_statement(body, &mut |statement| {
        statement.kind.for_each_exp(&mut |exp| {
            exp.for_each_read(&mut |view, indices| {
                found.push(access(view, false, indices));
            });
        });
        match &statement.kind {
            StatementKind::Write { view, indices, .. } | StatementKind::Accumulate { view, indices, .. } => {
                found.push(access(*view, true, indices));
            }
            StatementKind::Let { .. }
            | StatementKind::Declare { .. }
            | StatementKind::Assign { .. }
            | StatementKind::Assert { .. }
            | StatementKind::If { .. }
            | StatementKind::For { .. } => {}
            _ => plain = false,
        }
    });
    plain.then_some(found)
}

/// The views that an expression reads.
pub(in crate::imp) fn reads_of(exp: &Exp) -> BTreeSet<Var> {
    let mut found = BTreeSet::new();
    exp.for_each_read(&mut |view, _| _ = found.insert(view));
    found
}

/// Where the views of a procedure lie.
pub(in crate::imp) struct Places {
    /// Views whose index functions and blocks do not change while they are there.
    views: BTreeMap<Var, (PrimType, Var, Lmad)>,
    /// Those whose blocks may: variables hold these.
    held: BTreeMap<Var, (PrimType, Var, Lmad)>,
    allocated: BTreeSet<Var>,
    params: BTreeSet<Var>,
    /// What is assigned.
    variables: BTreeSet<Var>,
    /// The loop that is looked at, if it is known which blocks variables hold there.
    within: Option<Within>,
}

/// A loop in which variables from outside do not change.
struct Within {
    /// What is known where it begins.
    known: Known,
    declared: BTreeSet<Var>,
    assigned: BTreeSet<Var>,
}

impl Places {
    pub(in crate::imp) fn of(procedure: &Procedure) -> Places {
        Places::of_all(std::slice::from_ref(procedure))
    }

    /// Where the views of several procedures lie; asked about views of one, it answers as for that one alone.
    pub(in crate::imp) fn of_all(procedures: &[Procedure]) -> Places {
        let params = procedures.iter().flat_map(|procedure| &procedure.params).map(|(var, _)| *var).collect();
        let mut places = Places {
            views: BTreeMap::new(),
            held: BTreeMap::new(),
            allocated: BTreeSet::new(),
            params,
            variables: BTreeSet::new(),
            within: None,
        };
        for procedure in procedures {
            for_each_statement(&procedure.body, &mut |statement| {
                if let StatementKind::Declare { var, .. } = &statement.kind {
                    places.variables.insert(*var);
                }
            });
        }
        for procedure in procedures {
            places.learn(&procedure.body);
        }
        places
    }

    /// The views of statements that were added.
    pub(in crate::imp) fn learn(&mut self, body: &[Statement]) {
        for_each_statement(body, &mut |statement| match &statement.kind {
            StatementKind::Alloc { var, .. } => _ = self.allocated.insert(*var),
            StatementKind::Declare { var, .. } => _ = self.variables.insert(*var),
            StatementKind::View { var, elem, mem, lmad } => {
                let mut fixed = true;
                lmad.for_each_var(&mut |var| fixed &= !self.variables.contains(&var));
                let place = (*elem, *mem, lmad.clone());
                match self.variables.contains(mem) {
                    false if fixed => _ = self.views.insert(*var, place),
                    true if fixed => _ = self.held.insert(*var, place),
                    _ => {}
                }
                self.within.iter_mut().for_each(|within| _ = within.declared.insert(*var));
            }
            _ => {}
        });
    }

    /// From here on the statements of this body are looked at, a loop's that is in no parallel one; this is known where it begins.
    pub(in crate::imp) fn enter(&mut self, known: Known, body: &[Statement]) {
        let mut assigned = BTreeSet::new();
        for_each_statement(body, &mut |statement| {
            if let StatementKind::Assign { var, .. } = &statement.kind {
                assigned.insert(*var);
            }
        });
        self.within = Some(Within { known, declared: declared_in(body), assigned });
    }

    /// Other statements are looked at.
    pub(in crate::imp) fn leave(&mut self) {
        self.within = None;
    }

    /// Of what type the cells of a view are, in which block, and where.
    pub(in crate::imp) fn place(&self, view: Var) -> Option<(PrimType, Var, &Lmad)> {
        let held = || {
            let within = self.within.as_ref()?;
            self.held.get(&view).filter(|(_, mem, _)| {
                let same = within.declared.contains(&view) || within.known.are_same(view, *mem);
                same && !within.declared.contains(mem) && !within.assigned.contains(mem)
            })
        };
        self.views.get(&view).or_else(held).map(|(elem, mem, lmad)| (*elem, *mem, lmad))
    }

    /// Whether the elements of a view of one dimension do not lie side by side.
    pub(super) fn is_strided(&self, view: Var) -> bool {
        self.views.get(&view).is_some_and(|(_, _, lmad)| match lmad.dims.as_slice() {
            [dim] => !matches!(dim.stride.as_constant(), Some(-1..=1)),
            _ => false,
        })
    }

    /// Whether two views are the same array.
    pub(in crate::imp) fn same(&self, x: Var, y: Var) -> bool {
        x == y || self.views.get(&x).is_some_and(|place| self.views.get(&y) == Some(place))
    }

    /// Whether two views certainly lie in different blocks.
    pub(in crate::imp) fn in_different_blocks(&self, x: Var, y: Var) -> bool {
        let (Some((_, x, _)), Some((_, y, _))) = (self.place(x), self.place(y)) else {
            return false;
        };
        self.are_different(x, y)
    }

    /// Whether a view certainly lies in another block than this one.
    pub(in crate::imp) fn is_elsewhere(&self, view: Var, block: Var) -> bool {
        self.place(view).is_some_and(|(_, other, _)| self.are_different(other, block))
    }

    /// Whether two variables certainly hold different blocks.
    pub(in crate::imp) fn are_different(&self, x: Var, y: Var) -> bool {
        let made = |block| self.allocated.contains(&block);
        let given = |block| self.params.contains(&block);
        let known = || self.within.as_ref().is_some_and(|within| within.known.are_different(x, y));
        x != y && ((made(x) && (made(y) || given(y))) || (given(x) && made(y)) || known())
    }

    /// The index functions of two views of cells of one size in one block.
    pub(in crate::imp) fn in_one_block(&self, x: Var, y: Var) -> Option<(&Lmad, &Lmad)> {
        let ((x_elem, x_mem, x), (y_elem, y_mem, y)) = (self.views.get(&x)?, self.views.get(&y)?);
        (x_mem == y_mem && x_elem.bytes() == y_elem.bytes()).then_some((x, y))
    }
}
