//! Reads that an iteration may make whichever way a branch goes: of cells that are there, and that no other iteration writes.

use crate::imp::copy::can_fail;
use crate::imp::different_blocks::{Known, at_loops};
use fun_base::name::Var;
use fun_index::poly::Poly;
use imp::ir::{Exp, ImpType, Procedure, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

/// An index that is at least 0 and below a size.
type Inside = (Exp, Poly);

/// What is known where a walk over a procedure is.
pub(super) struct Reads {
    /// The sizes of views, where these do not change.
    sizes: BTreeMap<Var, Vec<Poly>>,
    /// Scalars that are assigned.
    variables: BTreeSet<Var>,
    /// Which blocks differ, at the parallel loops that stand in no other.
    blocks: BTreeMap<Var, Known>,
    /// The one of these that the walk is in, and the views that it writes.
    around: Option<(Var, BTreeSet<Var>)>,
    inside: Vec<Inside>,
}

/// A place of the walk to come back to.
pub(super) struct Mark {
    inside: usize,
    leaves: bool,
}

impl Reads {
    pub(super) fn of(procedure: &Procedure) -> Reads {
        let (mut variables, mut counters) = (BTreeSet::new(), BTreeSet::new());
        for_each_statement(&procedure.body, &mut |statement| match &statement.kind {
            StatementKind::Declare { var, ty: ImpType::Prim(_), .. } => _ = variables.insert(*var),
            StatementKind::For { var, kind, .. } if kind.is_parallel() => _ = counters.insert(*var),
            _ => {}
        });
        let mut sizes = BTreeMap::new();
        for_each_statement(&procedure.body, &mut |statement| {
            if let StatementKind::View { var, lmad, .. } = &statement.kind {
                let dims: Vec<Poly> = lmad.dims.iter().map(|dim| dim.size.clone()).collect();
                let mut fixed = true;
                dims.iter().for_each(|size| size.for_each_var(&mut |var| fixed &= !variables.contains(&var)));
                if fixed {
                    sizes.insert(*var, dims);
                }
            }
        });
        let blocks = at_loops(procedure, &counters);
        Reads { sizes, variables, blocks, around: None, inside: Vec::new() }
    }

    /// Goes into a loop.
    pub(super) fn enter(&mut self, counter: Var, bound: &Exp, body: &[Statement]) -> Mark {
        let outermost = self.around.is_none() && self.blocks.contains_key(&counter);
        if outermost {
            self.around = written(body).map(|written| (counter, written));
        }
        let mark = Mark { inside: self.inside.len(), leaves: outermost };
        let size = match bound {
            Exp::Var(var) if !self.variables.contains(var) => Some(Poly::var(*var)),
            Exp::Const(value) => value.as_i64().map(Poly::constant),
            _ => None,
        };
        self.inside.extend(size.map(|size| (Exp::Var(counter), size)));
        mark
    }

    /// Goes into a list whose statements run one after the other: where none can stop the program, what the last one touches is there at the first one, too.
    pub(super) fn enter_list(&mut self, list: &[Statement]) -> Mark {
        let mark = Mark { inside: self.inside.len(), leaves: false };
        if !list.iter().any(stops) {
            list.iter().for_each(|statement| self.passed(statement));
        }
        mark
    }

    /// A statement was executed.
    pub(super) fn passed(&mut self, statement: &Statement) {
        let found = self.touched(statement);
        self.inside
            .extend(found.into_iter().filter(|found| !self.inside.contains(found)).collect::<Vec<_>>());
    }

    pub(super) fn leave(&mut self, mark: Mark) {
        self.inside.truncate(mark.inside);
        if mark.leaves {
            self.around = None;
        }
    }

    /// What either way of a branch touches.
    pub(super) fn either_way(&self, then: &[Statement], otherwise: &[Statement]) -> Vec<Inside> {
        let [mut then, otherwise] = [then, otherwise]
            .map(|way| way.iter().flat_map(|statement| self.touched(statement)).collect::<Vec<_>>());
        then.retain(|inside| otherwise.contains(inside));
        then
    }

    /// Whether all reads of an expression may be made, where these indices are known to be inside as well.
    pub(super) fn may_read(&self, exp: &Exp, inside: &[Inside]) -> bool {
        let Some((counter, written)) = &self.around else { return false };
        let Some(known) = self.blocks.get(counter) else { return false };
        let mut may = true;
        exp.for_each_read(&mut |view, indices| {
            may &= written.iter().all(|other| known.are_different(view, *other))
                && self.sizes.get(&view).is_some_and(|sizes| {
                    indices.iter().zip(sizes).all(|(index, size)| {
                        let holds = |found: &Inside| found.0 == *index && found.1 == *size;
                        self.inside.iter().any(holds) || inside.iter().any(holds)
                    })
                });
        });
        may
    }

    /// The indices with which a statement itself reads and writes cells.
    fn touched(&self, statement: &Statement) -> Vec<Inside> {
        let mut found = Vec::new();
        let mut touch = |view: Var, indices: &[Exp]| {
            for (index, size) in indices.iter().zip(self.sizes.get(&view).into_iter().flatten()) {
                let mut fixed = !index.reads();
                index.for_each_var(&mut |var| fixed &= !self.variables.contains(&var));
                if fixed {
                    found.push((index.clone(), size.clone()));
                }
            }
        };
        match &statement.kind {
            StatementKind::Let { .. }
            | StatementKind::Declare { .. }
            | StatementKind::Assign { .. }
            | StatementKind::Write { .. }
            | StatementKind::Accumulate { .. } => {
                statement.kind.for_each_exp(&mut |exp| exp.for_each_read(&mut touch));
            }
            _ => return found,
        }
        if let StatementKind::Write { view, indices, .. } | StatementKind::Accumulate { view, indices, .. } =
            &statement.kind
        {
            touch(*view, indices);
        }
        found
    }
}

/// Whether a statement can stop the program, or never end.
fn stops(statement: &Statement) -> bool {
    let mut stops = false;
    for_each_statement(std::slice::from_ref(statement), &mut |inner| {
        inner.kind.for_each_exp(&mut |exp| stops |= can_fail(exp));
        stops |= !matches!(
            inner.kind,
            StatementKind::Let { .. }
                | StatementKind::Declare { .. }
                | StatementKind::Assign { .. }
                | StatementKind::Write { .. }
                | StatementKind::Accumulate { .. }
                | StatementKind::View { .. }
                | StatementKind::If { .. }
                | StatementKind::For { .. }
        );
    });
    stops
}

/// The views that statements write, if that is all that they write.
fn written(body: &[Statement]) -> Option<BTreeSet<Var>> {
    let (mut written, mut all) = (BTreeSet::new(), true);
    for_each_statement(body, &mut |statement| match &statement.kind {
        StatementKind::Write { view, .. }
        | StatementKind::Accumulate { view, .. }
        | StatementKind::Atomic { view, .. }
        | StatementKind::Copy { dest: view, .. } => _ = written.insert(*view),
        StatementKind::Call { .. }
        | StatementKind::Publish { .. }
        | StatementKind::Await { .. }
        | StatementKind::Shuffle { .. } => all = false,
        _ => {}
    });
    all.then_some(written)
}
