//! Which loops run as vectors of rows, and what is known of these.

use super::super::reads::distance;
use super::super::view::{Dim, Number};
use super::super::{Emit, Emitter};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, UnOp};
use imp::ir::{Exp, ImpType, Statement, StatementKind};
use imp::plain::is_plain;
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of a vector.
const VECTOR_BYTES: i64 = 64;
/// Operators in an index that is compared with others.
const MOST_OPERATORS: usize = 32;

/// Cells side by side that an iteration reads at constant distances from its number.
pub(super) struct Row {
    pub(super) view: Var,
    pub(super) elem: PrimType,
    /// All indices but the last.
    pub(super) outer: Vec<Exp>,
    /// The least and the greatest distance.
    pub(super) least: i64,
    pub(super) greatest: i64,
    /// What the indices are when what the loop computes for all iterations is put in.
    known: Vec<Known>,
}

impl Row {
    /// Whether there are several distances.
    pub(super) fn has_neighbours(&self) -> bool {
        self.least < self.greatest
    }
}

/// Where a loop writes: a view, all indices but the last, and the distance.
pub(super) struct Place {
    pub(super) view: Var,
    pub(super) outer: Vec<Exp>,
    pub(super) distance: i64,
}

/// A number as another one and a constant that is added.
type Known = (Exp, i64);

/// What an expression is in a vector of iterations.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The same for all iterations: a scalar.
    Same,
    /// A vector of numbers.
    Lanes(PrimType),
    /// A vector of truth values: all bits of a lane or none.
    Mask,
}

/// A loop that runs as vectors.
pub(super) struct Plan {
    /// Bytes of a cell, 4 or 8.
    pub(super) bytes: i64,
    pub(super) rows: Vec<Row>,
    /// In the order of the statements.
    pub(super) writes: Vec<Place>,
    /// The variables that vectors need, of those that the loop declares.
    pub(super) needed: BTreeSet<Var>,
    /// Of these, what rows begin with: computed before the loop.
    pub(super) before: BTreeSet<Var>,
    /// The reads of rows, with the row and the distance.
    reads: Vec<(Exp, usize, i64)>,
    kinds: BTreeMap<Var, Kind>,
    /// How far indices are from the counter.
    distances: BTreeMap<Var, i64>,
    /// What the loop declares.
    inside: BTreeSet<Var>,
    /// Numbers that are the same for all iterations and need no memory.
    known: BTreeMap<Var, Known>,
}

impl Emitter<'_, '_> {
    /// How the loop over `counter` runs as vectors, if it can and that saves loads: it has no branches, all cells that iterations touch are of one width and
    /// those of different ones lie side by side, it reads before it writes, vectors have its operators, and of some row it reads neighbours.
    pub(super) fn plan_of_rows(&self, counter: Var, body: &[Statement]) -> Emit<Option<Plan>> {
        if !is_plain(body) {
            return Ok(None);
        }
        let mut plan = Plan {
            bytes: 0,
            rows: Vec::new(),
            writes: Vec::new(),
            needed: BTreeSet::new(),
            before: BTreeSet::new(),
            reads: Vec::new(),
            kinds: BTreeMap::new(),
            distances: BTreeMap::from([(counter, 0)]),
            inside: BTreeSet::from([counter]),
            known: BTreeMap::new(),
        };
        let used = used(body);
        for statement in body {
            let is_unused = target(&statement.kind).is_some_and(|var| !used.contains(&var));
            let fits = match statement.kind {
                StatementKind::Let { .. } if is_unused => true,
                // it would be computed without vectors alone, and compilers warn of what nobody uses
                _ => !is_unused && self.plan_statement(&mut plan, &statement.kind)?,
            };
            if !fits {
                return Ok(None);
            }
        }
        let Some(first) = plan.writes.first() else { return Ok(None) };
        // distances are from the cell that is written, which lies where a vector begins
        let (origin, lanes) = (first.distance, VECTOR_BYTES / plan.bytes.max(1));
        let near = |at: i64| at.checked_sub(origin).is_some_and(|at| at.unsigned_abs() < lanes as u64);
        let mut neighbours = plan.rows.iter().filter(|row| row.has_neighbours()).peekable();
        if neighbours.peek().is_none() || !neighbours.all(|row| near(row.least) && near(row.greatest)) {
            return Ok(None);
        }
        let width = plan.bytes;
        let one_width = |kind: &Kind| !matches!(kind, Kind::Lanes(ty) if i64::from(ty.bytes()) != width);
        if !plan.kinds.values().all(one_width) {
            return Ok(None);
        }
        plan.find_needed(body);
        Ok(Some(plan))
    }

    /// Adds a statement to the plan; `false` if vectors do not have it.
    fn plan_statement(&self, plan: &mut Plan, kind: &StatementKind) -> Emit<bool> {
        let mut fits = true;
        match kind {
            StatementKind::Let { var, ty, value } => {
                plan.inside.insert(*var);
                if *ty == PrimType::I64
                    && let Some(distance) = distance(value, &plan.distances)
                {
                    plan.distances.insert(*var, distance);
                    return Ok(true);
                }
                fits &= self.plan_reads(plan, value)?;
                let kind = plan.kind(value);
                if kind == Some(Kind::Same) && *ty == PrimType::I64 && !value.reads() {
                    let known = plan.known(value);
                    plan.known.insert(*var, known);
                }
                plan.kinds.extend(kind.map(|kind| (*var, kind)));
                fits &= kind.is_some();
            }
            StatementKind::Declare { var, ty, value } => {
                let ImpType::Prim(ty) = ty else { return Ok(false) };
                plan.inside.insert(*var);
                plan.kinds.insert(*var, Kind::Lanes(*ty));
                fits &= has_lanes(*ty);
                if let Some(value) = value {
                    fits &= self.plan_reads(plan, value)? && plan.fits(value, *ty);
                }
            }
            StatementKind::Assign { var, value } => {
                let Some(Kind::Lanes(ty)) = plan.kinds.get(var).copied() else { return Ok(false) };
                fits &= self.plan_reads(plan, value)? && plan.fits(value, ty);
            }
            StatementKind::Write { view, indices, value } => {
                let elem = self.view(*view)?.elem;
                fits &= self.plan_reads(plan, value)? && plan.fits(value, elem);
                fits &= self.plan_cells(plan, *view)? && !self.constants.has_view(*view);
                let Some(place) = plan.place(*view, indices) else { return Ok(false) };
                plan.writes.push(place);
            }
            _ => fits = false,
        }
        Ok(fits)
    }

    /// Adds what an expression reads; `false` if vectors can't.
    fn plan_reads(&self, plan: &mut Plan, exp: &Exp) -> Emit<bool> {
        let mut fits = true;
        exp.for_each_child(&mut |child| fits = fits && matches!(self.plan_reads(plan, child), Ok(true)));
        let Exp::Read { view, indices } = exp else { return Ok(fits) };
        // cells that were written may be read: vectors would have the old ones
        fits &= plan.writes.is_empty();
        if indices.iter().all(|index| plan.is_same(index)) || plan.reads.iter().any(|(read, ..)| read == exp)
        {
            return Ok(fits);
        }
        let Some(Place { outer, distance, .. }) = plan.place(*view, indices) else { return Ok(false) };
        let known: Vec<Known> = outer.iter().map(|index| plan.known(index)).collect();
        let row = plan.rows.iter().position(|row| row.view == *view && row.known == known);
        let row = row.unwrap_or(plan.rows.len());
        match plan.rows.get_mut(row) {
            Some(row) => {
                (row.least, row.greatest) = (row.least.min(distance), row.greatest.max(distance));
            }
            None => {
                let (least, greatest) = (distance, distance);
                let elem = self.view(*view)?.elem;
                plan.rows.push(Row { view: *view, elem, outer, least, greatest, known });
            }
        }
        plan.reads.push((exp.clone(), row, distance));
        Ok(fits && self.plan_cells(plan, *view)?)
    }

    /// Whether the cells of a view are of the width that the others have, and lie side by side.
    fn plan_cells(&self, plan: &mut Plan, view: Var) -> Emit<bool> {
        let place = self.view(view)?;
        let bytes = i64::from(place.elem.bytes());
        let known = std::mem::replace(&mut plan.bytes, bytes);
        let side_by_side = matches!(place.dims.last(), Some(Dim { stride: Number::Const(1), .. }));
        Ok(has_lanes(place.elem) && (known == bytes || known == 0) && side_by_side && !self.is_remote(&place))
    }
}

/// Whether there are vectors of a type.
fn has_lanes(ty: PrimType) -> bool {
    let is_number = ty.is_float() || ty.is_int();
    is_number && matches!(ty.bytes(), 4 | 8)
}

impl Plan {
    /// Cells of a vector.
    pub(super) fn lanes(&self) -> i64 {
        VECTOR_BYTES / self.bytes
    }

    /// The distance of the cell that is written first.
    pub(super) fn origin(&self) -> i64 {
        self.writes.first().map_or(0, |to| to.distance)
    }

    /// The least and the greatest distance of a row from the cell that is written first.
    pub(super) fn around(&self, row: &Row) -> (i64, i64) {
        (row.least - self.origin(), row.greatest - self.origin())
    }

    /// The type of a vector of numbers.
    pub(super) fn number_type(&self, exp: &Exp) -> Option<PrimType> {
        match self.kind(exp) {
            Some(Kind::Lanes(ty)) => Some(ty),
            _ => None,
        }
    }

    /// The row and the distance of a cell that is read, unless all iterations read the same.
    pub(super) fn row_of(&self, exp: &Exp) -> Option<(usize, i64)> {
        self.reads.iter().find(|(read, ..)| read == exp).map(|(_, row, distance)| (*row, *distance))
    }

    /// What an expression is; `None` if vectors have no such thing.
    pub(super) fn kind(&self, exp: &Exp) -> Option<Kind> {
        if self.is_same(exp) {
            return Some(Kind::Same);
        }
        match exp {
            Exp::Var(var) => self.kinds.get(var).copied(),
            Exp::Read { .. } => self.row_of(exp).map(|(row, _)| Kind::Lanes(self.rows[row].elem)),
            Exp::Bin(op, ty, x, y) => {
                // once for each operand, or the time doubles with each level
                let kinds = [self.kind(x), self.kind(y)];
                let masks = kinds.iter().all(|kind| *kind == Some(Kind::Mask));
                let lanes = kinds.iter().all(|kind| is_number(*kind, *ty));
                match op {
                    BinOp::And | BinOp::Or if masks => Some(Kind::Mask),
                    BinOp::Add | BinOp::Sub | BinOp::Mul if lanes => Some(Kind::Lanes(*ty)),
                    BinOp::And | BinOp::Or | BinOp::Xor if lanes && ty.is_int() => Some(Kind::Lanes(*ty)),
                    BinOp::Div | BinOp::Min | BinOp::Max if lanes && ty.is_float() => Some(Kind::Lanes(*ty)),
                    BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge
                        if lanes && ty.is_float() =>
                    {
                        Some(Kind::Mask)
                    }
                    _ => None,
                }
            }
            Exp::Un(UnOp::Neg, ty, x) => self.fits(x, *ty).then_some(Kind::Lanes(*ty)),
            Exp::Un(UnOp::Not, PrimType::Bool, x) => self.kind(x).filter(|kind| *kind == Kind::Mask),
            Exp::Select(condition, x, y) => {
                let both = [x, y].map(|exp| self.kind(exp));
                let lanes = both.into_iter().flatten().find(|kind| matches!(kind, Kind::Lanes(_)));
                let fit = both.iter().all(|kind| *kind == lanes || *kind == Some(Kind::Same));
                lanes.filter(|_| fit && self.kind(condition) == Some(Kind::Mask))
            }
            _ => None,
        }
    }

    /// Whether all iterations compute the same.
    fn is_same(&self, exp: &Exp) -> bool {
        let mut same = true;
        exp.for_each_var(&mut |var| {
            same &= !self.inside.contains(&var) || self.kinds.get(&var) == Some(&Kind::Same);
        });
        same
    }

    /// Where cells with these indices lie, if those of successive iterations lie one after the other.
    fn place(&self, view: Var, indices: &[Exp]) -> Option<Place> {
        let (last, outer) = indices.split_last()?;
        let outer_same = outer.iter().all(|index| self.is_same(index) && !index.reads());
        let distance = distance(last, &self.distances).filter(|_| outer_same)?;
        Some(Place { view, outer: outer.to_vec(), distance })
    }

    /// An index with what the loop computes put in, as far as it stays short: equal ones are equal numbers.
    fn known(&self, exp: &Exp) -> Known {
        let constant = |exp: &Exp| if let Exp::Const(value) = exp { value.as_i64() } else { None };
        let whole = |exp: &Exp| match self.known(exp) {
            (exp, 0) => exp,
            (exp, n) => Exp::Bin(BinOp::Add, PrimType::I64, exp.into(), Exp::i64(n).into()),
        };
        let known = match exp {
            Exp::Const(_) => constant(exp).map(|n| (Exp::i64(0), n)),
            Exp::Var(var) => self.known.get(var).cloned(),
            Exp::Bin(op, PrimType::I64, x, y) => {
                let (base, n) = match (op, constant(x), constant(y)) {
                    (BinOp::Add, Some(n), None) => (Some(y), n),
                    (BinOp::Add, None, Some(n)) => (Some(x), n),
                    (BinOp::Sub, None, Some(n)) => (Some(x), n.wrapping_neg()),
                    _ => (None, 0),
                };
                Some(match base.map(|base| self.known(base)) {
                    Some((base, more)) => (base, more.wrapping_add(n)),
                    None => (Exp::Bin(*op, PrimType::I64, whole(x).into(), whole(y).into()), 0),
                })
            }
            _ => None,
        };
        known.filter(|(base, _)| operators(base) <= MOST_OPERATORS).unwrap_or_else(|| (exp.clone(), 0))
    }

    /// Finds the variables that vectors need, from what they write back to where they come from.
    fn find_needed(&mut self, body: &[Statement]) {
        let mut before = BTreeSet::new();
        let places = self.rows.iter().map(|row| &row.outer).chain(self.writes.iter().map(|to| &to.outer));
        places.flatten().for_each(|index| index.for_each_var(&mut |var| _ = before.insert(var)));
        let mut needed = before.clone();
        loop {
            let found = (before.len(), needed.len());
            for statement in body.iter().rev() {
                match &statement.kind {
                    StatementKind::Let { var, value, .. } => {
                        if before.contains(var) {
                            value.for_each_var(&mut |var| _ = before.insert(var));
                        }
                        if needed.contains(var) {
                            self.uses(value, &mut needed);
                        }
                    }
                    StatementKind::Declare { var, value: Some(value), .. }
                    | StatementKind::Assign { var, value }
                        if needed.contains(var) =>
                    {
                        self.uses(value, &mut needed);
                    }
                    StatementKind::Write { value, .. } => self.uses(value, &mut needed),
                    _ => {}
                }
            }
            if found == (before.len(), needed.len()) {
                break;
            }
        }
        (self.before, self.needed) = (before, needed);
    }

    /// The variables that a vector of an expression needs.
    fn uses(&self, exp: &Exp, needed: &mut BTreeSet<Var>) {
        match exp {
            Exp::Var(var) => _ = needed.insert(*var),
            Exp::Read { .. } if self.row_of(exp).is_some() => {}
            _ => exp.for_each_child(&mut |child| self.uses(child, needed)),
        }
    }

    /// Whether an expression is, or can become, a vector of numbers of a type.
    fn fits(&self, exp: &Exp, ty: PrimType) -> bool {
        is_number(self.kind(exp), ty)
    }
}

/// Whether what is of a kind is, or can become, a vector of numbers of a type.
fn is_number(kind: Option<Kind>, ty: PrimType) -> bool {
    has_lanes(ty) && (kind == Some(Kind::Same) || kind == Some(Kind::Lanes(ty)))
}

/// The variable that a statement gives a value, if it does nothing else.
fn target(kind: &StatementKind) -> Option<Var> {
    match kind {
        StatementKind::Let { var, .. }
        | StatementKind::Declare { var, .. }
        | StatementKind::Assign { var, .. } => Some(*var),
        _ => None,
    }
}

/// The variables that statements need for what they write.
fn used(body: &[Statement]) -> BTreeSet<Var> {
    let mut used = BTreeSet::new();
    loop {
        let found = used.len();
        for statement in body.iter().rev() {
            if target(&statement.kind).is_none_or(|var| used.contains(&var)) {
                statement.kind.for_each_use(&mut |var| _ = used.insert(var));
            }
        }
        if found == used.len() {
            return used;
        }
    }
}

/// How many operators an expression has.
fn operators(exp: &Exp) -> usize {
    let mut count = 1;
    exp.for_each_child(&mut |child| count += operators(child));
    count
}
