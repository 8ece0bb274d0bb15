//! Loops whose iterations are steps over arrays that take turns, and how far the rows are that a row of a step needs.

use crate::imp::copy::{can_fail, declared_in};
use crate::imp::different_blocks::Known;
use crate::imp::distance::{Axis, Number, Numbers};
use fun_base::name::Var;
use fun_base::prim::PrimType;
use fun_index::lmad::Lmad;
use imp::ir::{Exp, ImpType, LoopKind, Procedure, Space, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

/// What must be known of the procedure around.
pub(super) struct Setting {
    views: BTreeMap<Var, (PrimType, Var, Lmad)>,
    /// What is assigned, so that its name stands for no single value.
    variables: BTreeMap<Var, ImpType>,
}

impl Setting {
    pub(super) fn of(procedure: &Procedure) -> Setting {
        let mut setting = Setting { views: BTreeMap::new(), variables: BTreeMap::new() };
        for_each_statement(&procedure.body, &mut |statement| match &statement.kind {
            StatementKind::View { var, elem, mem, lmad } => {
                setting.views.insert(*var, (*elem, *mem, lmad.clone()));
            }
            StatementKind::Declare { var, ty, .. } => _ = setting.variables.insert(*var, *ty),
            _ => {}
        });
        setting
    }
}

/// A loop whose iterations are steps: places and numbers, one parallel loop, and then blocks take turns.
pub(super) struct Steps<'s> {
    /// The counter of steps, its type, and how many there are.
    pub(super) step: Var,
    pub(super) ty: PrimType,
    pub(super) count: &'s Exp,
    /// What stands before the loop over rows.
    pub(super) before: &'s [Statement],
    /// The counter of rows, and how many there are.
    pub(super) row: Var,
    pub(super) rows: &'s Exp,
    pub(super) body: &'s [Statement],
    /// What stands behind it: owners of blocks, and which variable holds which.
    pub(super) behind: &'s [Statement],
    /// What the loop over steps declares.
    inside: BTreeSet<Var>,
}

/// What makes steps tiles.
pub(super) struct Stencil {
    /// How far the rows are that a row needs; one at least.
    pub(super) reach: i64,
    /// How many cells a row has, in one of its loops.
    pub(super) columns: Exp,
    /// The variables that hold other blocks behind a step.
    pub(super) turning: Vec<(Var, ImpType)>,
}

impl<'s> Steps<'s> {
    /// The steps that a statement is, as far as its form tells.
    pub(super) fn of(statement: &'s Statement) -> Option<Steps<'s>> {
        let StatementKind::For { var, ty, bound, kind: LoopKind::Seq, body } = &statement.kind else {
            return None;
        };
        if !matches!(ty, PrimType::I8 | PrimType::I16 | PrimType::I32 | PrimType::I64) {
            return None;
        }
        let at = body.iter().position(|statement| matches!(statement.kind, StatementKind::For { .. }))?;
        let StatementKind::For { var: row, ty: PrimType::I64, bound: rows, kind: LoopKind::Par, body: inner } =
            &body[at].kind
        else {
            return None;
        };
        let (before, behind) = (&body[..at], &body[at + 1..]);
        let named = |statement: &Statement| match &statement.kind {
            StatementKind::Let { value, .. } => !can_fail(value) && !value.reads(),
            StatementKind::View { .. } => true,
            _ => false,
        };
        if !before.iter().all(named) || !behind.iter().all(takes_turns) || !is_simple(inner) {
            return None;
        }
        Some(Steps {
            step: *var,
            ty: *ty,
            count: bound,
            before,
            row: *row,
            rows,
            body: inner,
            behind,
            inside: declared_in(std::slice::from_ref(statement)),
        })
    }

    /// What makes them tiles, if that is legal.
    pub(super) fn stencil(&self, setting: &Setting, blocks: &Known) -> Option<Stencil> {
        let stays = |var: Var| !self.inside.contains(&var) && !setting.variables.contains_key(&var);
        let fixed = |exp: &Exp| match exp {
            Exp::Const(_) => true,
            Exp::Var(var) => stays(*var),
            _ => false,
        };
        let turns = self.turns();
        let own = declared_in(self.behind);
        let taken = |(var, from): &(Var, Var)| match setting.variables.get(var) {
            Some(ty @ ImpType::Mem(_)) if own.contains(from) || !self.inside.contains(from) => {
                Some((*var, *ty))
            }
            _ => None,
        };
        let turning = turns.iter().map(taken).collect::<Option<Vec<(Var, ImpType)>>>()?;
        if !fixed(self.rows) || !fixed(self.count) {
            return None;
        }
        let accesses = self.accesses(setting)?;
        let written: BTreeSet<Var> =
            accesses.iter().filter(|access| access.write).map(|access| access.view).collect();
        // all that is written is one array
        let (elem, to, lmad) = setting.views.get(written.first()?)?;
        let alike =
            |view: &Var| setting.views.get(view).is_some_and(|(own, _, other)| own == elem && other == lmad);
        let held_by = |view: Var| setting.views.get(&view).map(|(_, mem, _)| *mem);
        let mut is_fixed =
            lmad.dims.len() > 1 && *lmad == Lmad::row_major(lmad.offset.clone(), &lmad.sizes());
        lmad.for_each_var(&mut |var| is_fixed &= stays(var));
        // the variable whose block a view shows in each step: one from outside shows what its variable held then
        let shows = |view: Var| held_by(view).filter(|_| self.inside.contains(&view));
        if !is_fixed || !written.iter().all(|view| alike(view) && shows(*view) == Some(*to)) {
            return None;
        }
        // what the next step reads is what this one wrote
        let from = turns.iter().find(|(_, now)| now == to).map(|(next, _)| *next)?;
        // whether no step writes what a view shows: it shows the same in all steps, and that is never in the block that is written
        let is_apart = |view: Var| {
            let turns = shows(view).is_some_and(|mem| turning.iter().any(|(turning, _)| *turning == mem));
            !turns && blocks.are_different(view, *to)
        };
        let axis = axis_of(&accesses)?;
        let mut reach = 1;
        for access in &accesses {
            let Some((low, high)) = access.rows.get(axis).copied().flatten() else {
                // not a row near its own
                if access.write || !is_apart(access.view) {
                    return None;
                }
                continue;
            };
            let shown = shows(access.view).filter(|_| alike(&access.view));
            if shown == Some(*to) {
                if (low, high) != (0, 0) {
                    return None;
                }
            } else if shown == Some(from) && blocks.are_different(access.view, *to) {
                reach = reach.max(-low).max(high);
            } else if !is_apart(access.view) {
                return None;
            }
        }
        let mut columns = None;
        for_each_statement(self.body, &mut |statement| {
            if let StatementKind::For { bound, kind: LoopKind::Simd | LoopKind::Par, .. } = &statement.kind
                && columns.is_none()
                && fixed(bound)
            {
                columns = Some(bound.clone());
            }
        });
        Some(Stencil { reach, columns: columns?, turning })
    }

    /// Which variables hold other blocks behind a step, and whose: each with the variable that held its block before.
    fn turns(&self) -> Vec<(Var, Var)> {
        let mut held: BTreeMap<Var, Var> = BTreeMap::new();
        for statement in self.behind {
            if let StatementKind::Declare { var, value: Some(Exp::Var(from)), .. }
            | StatementKind::Assign { var, value: Exp::Var(from) } = &statement.kind
            {
                let now = held.get(from).copied().unwrap_or(*from);
                held.insert(*var, now);
            }
        }
        held.into_iter().filter(|(var, _)| !self.inside.contains(var)).collect()
    }

    /// What a row reads and writes of arrays that it has not made itself.
    fn accesses(&self, setting: &Setting) -> Option<Vec<Access>> {
        let axes = [Axis { counter: self.row, bound: self.rows.clone() }];
        let own = declared_in(self.body);
        let mut survey =
            Survey { numbers: Numbers::new(&axes, &own), own: &own, found: Vec::new(), legal: true };
        survey.statements(self.body);
        let known = survey.found.iter().all(|access| setting.views.contains_key(&access.view));
        (survey.legal && known).then_some(survey.found)
    }
}

/// A read or a write.
struct Access {
    view: Var,
    write: bool,
    /// For each index how far it is from the number of the row, at least and at most, where that is known.
    rows: Vec<Option<(i64, i64)>>,
}

/// The dimension that rows are of: where what is written has the counter of the rows as its index.
fn axis_of(accesses: &[Access]) -> Option<usize> {
    let write = accesses.iter().find(|access| access.write)?;
    write.rows.iter().position(|rows| *rows == Some((0, 0)))
}

struct Survey<'n> {
    numbers: Numbers<'n>,
    own: &'n BTreeSet<Var>,
    found: Vec<Access>,
    legal: bool,
}

impl Survey<'_> {
    fn statements(&mut self, list: &[Statement]) {
        for statement in list {
            statement.kind.for_each_exp(&mut |exp| {
                self.legal &= !can_fail(exp);
                exp.for_each_read(&mut |view, indices| self.access(view, indices, false));
            });
            if let StatementKind::Write { view, indices, .. }
            | StatementKind::Accumulate { view, indices, .. } = &statement.kind
            {
                self.access(*view, indices, true);
            }
            self.numbers.passed(statement);
            statement.kind.for_each_body(&mut |body| self.statements(body));
        }
    }

    fn access(&mut self, view: Var, indices: &[Exp], write: bool) {
        if self.own.contains(&view) {
            return;
        }
        let rows = indices.iter().map(|index| match self.numbers.of(index) {
            Some(Number::Near { axis: Some(_), low, high }) => Some((low, high)),
            _ => None,
        });
        self.found.push(Access { view, write, rows: rows.collect() });
    }
}

/// Whether a statement says who owns a block, or which variable holds which.
fn takes_turns(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Share(_) | StatementKind::Free(_) => true,
        StatementKind::Declare { ty: ImpType::Mem(_), value, .. } => matches!(value, Some(Exp::Var(_))),
        StatementKind::Assign { value, .. } => matches!(value, Exp::Var(_)),
        _ => false,
    }
}

/// Whether iterations need no memory but what is there and on the stack, and nothing in them can stop the program by its form.
fn is_simple(body: &[Statement]) -> bool {
    let own = declared_in(body);
    let mut simple = true;
    for_each_statement(body, &mut |statement| {
        simple &= match &statement.kind {
            StatementKind::Let { .. }
            | StatementKind::Declare { ty: ImpType::Prim(_), .. }
            | StatementKind::Alloc { space: Space::Stack, .. }
            | StatementKind::Write { .. }
            | StatementKind::Accumulate { .. }
            | StatementKind::If { .. } => true,
            StatementKind::Assign { var, .. } | StatementKind::Free(var) => own.contains(var),
            StatementKind::View { mem, .. } => own.contains(mem),
            StatementKind::Window { view, .. } => own.contains(view),
            StatementKind::For { kind, .. } => {
                matches!(
                    kind,
                    LoopKind::Seq | LoopKind::Fold | LoopKind::Unroll | LoopKind::Simd | LoopKind::Par
                )
            }
            _ => false,
        };
    });
    simple
}
