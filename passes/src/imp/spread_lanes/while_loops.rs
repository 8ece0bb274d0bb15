//! Loops that lanes leave at different times, and assertions that may hold in some lanes alone.
//!
//! ```text
//! while c { let m = …   assert m < n   let x = a[m]   l := select(x < k, m, l)   c := … }
//! ```
//! becomes, of which each loop over lanes is one of vectors but for the one that reads,
//! ```text
//! while any lane goes on and none failed {
//!   for l < 32 simd { let go = c_lanes[l]   let m = …   let ok = m < n   failed[l] := or(failed[l], and(go, not(ok)))   goes_on[l] := and(go, ok)   m_lanes[l] := m }
//!   for l < 32 seq { if goes_on[l] { x_lanes[l] := a[m_lanes[l]] } }
//!   for l < 32 simd { let go = goes_on[l]   l_lanes[l] := select(and(go, x_lanes[l] < k), m_lanes[l], l_lanes[l])   c_lanes[l] := … }
//! }
//! ```
//! Lanes that are done run on in vectors, and keep what they have; memory they do not touch. Where no assertions stand in the loop or behind it, lanes that go on are counted, and the last few
//! finish it one after the other, without vectors: some may take many times as many iterations as others.
//! Where branches of a search can't be foretold, that costs more than all of this.
//! A lane that fails ends the loop; all iterations of its round then run again in order, so that the first of them stops the program, as nothing was written that they see. So they do where a
//! loop with assertions behind it takes very long: it may never end for one lane, while one in front of it would stop the program.

use super::emit::{Failed, Round, from_bool, is_shown, one, renamed, to_bool, zero};
use super::plan::{How, Segment};
use crate::imp::copy::{can_fail, declared_in, mentions};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp};
use imp::build::{Builder, bin, read, un};
use imp::ir::{Exp, ImpType, LoopKind, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

const I64: PrimType = PrimType::I64;
const BOOL: PrimType = PrimType::Bool;

/// Parts of a body: what vectors may compute for lanes that are done, too, and what lanes that go on do one after the other. The first may be empty; it is
/// where the condition is looked at. None where lanes can't run the loop so.
pub(super) fn parts<'s>(condition: &Exp, body: &'s [Statement]) -> Option<Vec<(Vec<&'s Statement>, How)>> {
    if condition.reads() || can_fail(condition) {
        return None;
    }
    let mut parts = vec![(Vec::new(), How::Together)];
    // variables without a value belong to what mentions them first: alone they would be a part that keeps what nobody set
    let mut unset: Vec<&Statement> = Vec::new();
    for statement in body {
        if matches!(statement.kind, StatementKind::Declare { ty: ImpType::Prim(_), value: None, .. }) {
            unset.push(statement);
            continue;
        }
        let how = match () {
            () if may_run_idly(statement) => How::Together,
            () if is_going(statement) => How::Going,
            () => return None,
        };
        let (mut added, others) = unset.into_iter().partition(|declared| {
            declared.kind.declares().is_some_and(|var| mentions(std::slice::from_ref(statement), var))
        });
        unset = others;
        added.push(statement);
        match parts.last_mut() {
            Some((last, same)) if *same == how => last.extend(added),
            _ => parts.push((added, how)),
        }
    }
    // nothing gives those a value
    unset.is_empty().then_some(parts)
}

/// Whether a lane that is done may run a statement, if what it assigns is not kept: it touches no memory, and cannot fail but by an assertion in front of all
/// that depends on it.
fn may_run_idly(statement: &Statement) -> bool {
    let mut may = !touches_memory(statement);
    for_each_statement(std::slice::from_ref(statement), &mut |inner| {
        inner.kind.for_each_exp(&mut |exp| may &= !can_fail(exp));
        may &= matches!(
            inner.kind,
            StatementKind::Let { .. }
                | StatementKind::Declare { ty: ImpType::Prim(_), .. }
                | StatementKind::Assign { .. }
                | StatementKind::If { .. }
        ) || matches!(inner.kind, StatementKind::Assert { .. }) && std::ptr::eq(inner, statement);
    });
    may
}

/// Whether a lane may run a statement, if it goes on: it has no loops.
pub(super) fn is_going(statement: &Statement) -> bool {
    let mut going = true;
    for_each_statement(std::slice::from_ref(statement), &mut |inner| {
        // (an operator that fails would stop the program before lanes in front)
        inner.kind.for_each_exp(&mut |exp| going &= !can_fail(exp));
        going &= matches!(
            inner.kind,
            StatementKind::Let { .. }
                | StatementKind::Declare { ty: ImpType::Prim(_), .. }
                | StatementKind::Assign { .. }
                | StatementKind::Write { .. }
                | StatementKind::Accumulate { .. }
                | StatementKind::Assert { .. }
                | StatementKind::If { .. }
        );
    });
    going
}

/// Whether a statement reads or writes.
pub(super) fn touches_memory(statement: &Statement) -> bool {
    let mut touches = false;
    for_each_statement(std::slice::from_ref(statement), &mut |inner| {
        touches |= matches!(inner.kind, StatementKind::Write { .. } | StatementKind::Accumulate { .. });
        inner.kind.for_each_exp(&mut |exp| touches |= exp.reads());
    });
    touches
}

/// Whether a statement could do harm where an assertion before it does not hold, or stop the program itself.
pub(super) fn may_need_assertions(statement: &Statement) -> bool {
    let mut may = touches_memory(statement)
        || matches!(
            statement.kind,
            StatementKind::Assert { .. } | StatementKind::View { .. } | StatementKind::Window { .. }
        );
    statement.kind.for_each_exp(&mut |exp| may |= can_fail(exp));
    may
}

/// Whether there are assertions among statements.
pub(super) fn has_assertions<'a>(body: impl IntoIterator<Item = &'a Statement>) -> bool {
    let mut found = false;
    for statement in body {
        for_each_statement(std::slice::from_ref(statement), &mut |inner| {
            found |= matches!(inner.kind, StatementKind::Assert { .. });
        });
    }
    found
}

impl<'s> Round<'_, 's> {
    /// A `while` loop for all lanes.
    pub(super) fn while_any(&self, statement: &Statement, parts: &[usize], b: &mut Builder) {
        let StatementKind::While { condition, body } = &statement.kind else { return };
        let segments = || parts.iter().map(|at| &self.plan.segments[*at]);
        let failed = self.failed.filter(|_| has_assertions(body));
        let (block, goes_on) = self.cells("goes_on".into(), PrimType::I32, b);
        self.clear(segments(), b);
        let limit = self.failed.filter(|_| self.plan.is_limited(parts));
        let taken = limit.map(|_| b.declare("taken", ImpType::Prim(I64), Some(Exp::i64(0))));
        // where nothing that a lane comes to could end the loop for others
        let in_order = failed.or(limit).is_none();
        let (few, add) = if in_order { (self.few(segments()), BinOp::Add) } else { (0, BinOp::Or) };
        let number = |n: i64| Exp::Const(PrimType::I32.of_i64(n));
        let going = b.declare("going", ImpType::Prim(PrimType::I32), Some(number(self.sizes.lanes())));
        let declared = declared_in(body);
        let (steps, ()) = b.nested(|b| {
            b.for_("s", Exp::i64(self.sizes.steps), LoopKind::Seq, |b, _| {
                let mut first = true;
                for segment in segments() {
                    let shown = self.shown(segment, b);
                    let kind = if segment.how == How::Going { LoopKind::Seq } else { LoopKind::Simd };
                    b.for_("l", self.width.clone(), kind, |b, l| match segment.how {
                        How::Going => self.in_going_lane(segment, l, &shown, Some(goes_on), b),
                        _ => {
                            let lanes = Lanes { condition, first, failed, goes_on, declared: &declared };
                            self.in_any_lane(segment, l, &shown, &lanes, b);
                        }
                    });
                    first = false;
                }
            });
            b.assign(going, zero());
            b.for_("l", self.width.clone(), LoopKind::Fold, |b, l| {
                b.assign(going, bin(add, PrimType::I32, going, read(goes_on, vec![l.into()])));
            });
            if failed.is_some() {
                self.find_failed(b);
            }
            if let (Some(limit), Some(taken)) = (limit, taken) {
                b.assign(taken, bin(BinOp::Add, I64, taken, Exp::i64(1)));
                let many = bin(BinOp::Gt, I64, taken, Exp::i64(self.sizes.most_steps));
                b.when(many, |b| b.assign(limit.any, one()));
            }
            if let Some(failed) = failed.or(limit) {
                b.when(to_bool(failed.any), |b| b.assign(going, zero()));
            }
        });
        let condition = bin(BinOp::Gt, PrimType::I32, going, number(few));
        b.push(StatementKind::While { condition, body: steps });
        if in_order {
            b.when(to_bool(going), |b| self.last_lanes(statement, &Segment::of_all(segments()), goes_on, b));
        }
        b.push(StatementKind::Free(block));
    }

    /// How many lanes are too few for vectors: of 32, Collatz steps of i64 took 3.9 ms to the end, 3.4 with two or four lanes left and 4.3 with 16 (by the JIT 20.6, 18.5, 16.9 and 12.8), and the points of
    /// Mandelbrot's set in f32, in any order, 9.4, 8.8 with two, 10.5 with four and 31.7 with 16.
    fn few<'p>(&self, mut parts: impl Iterator<Item = &'p Segment<'s>>) -> i64
    where
        's: 'p,
    {
        let is_wide =
            |var: &Var| self.plan.crossing.get(var).is_some_and(|crossing| crossing.ty.bytes() == 8);
        let few = if parts.any(|part| part.assigned.iter().any(is_wide)) {
            2 * self.sizes.few
        } else {
            self.sizes.few
        };
        few.min(self.sizes.lanes() - 1)
    }

    /// The lanes that still go on with a `while` loop, one after the other, each from what it keeps.
    fn last_lanes(&self, statement: &Statement, all: &Segment<'s>, goes_on: Var, b: &mut Builder) {
        let StatementKind::While { condition, .. } = &statement.kind else { return };
        let shown = self.shown(all, b);
        b.for_("l", self.width.clone(), LoopKind::Seq, |b, l| {
            b.when(to_bool(read(goes_on, vec![l.into()])), |b| {
                let mut names = self.names_in_lane(all, l, &shown, b);
                let condition = renamed(condition, &names);
                self.rename_declared(all, &shown, &mut names, b);
                let (body, ()) = b.nested(|b| {
                    let statements = all.statements.iter().filter(|statement| !is_shown(&shown, statement));
                    statements
                        .for_each(|statement| b.push_all(vec![self.for_lane(statement, l, &names, &shown)]));
                });
                b.push(StatementKind::While { condition, body });
                self.keep_assigned(all, l, &names, b);
            });
        });
    }

    /// What lanes that go on alone give a value is there for those that are done, too.
    fn clear<'p>(&self, segments: impl Iterator<Item = &'p Segment<'s>>, b: &mut Builder)
    where
        's: 'p,
    {
        let mut cells = Vec::new();
        for segment in segments.filter(|segment| segment.how == How::Going) {
            let crossing = segment.declared.iter().filter_map(|var| self.plan.crossing.get_key_value(var));
            cells.extend(crossing.map(|(var, crossing)| (self.kept[var], crossing.cell())));
        }
        if !cells.is_empty() {
            b.for_("l", self.width.clone(), LoopKind::Simd, |b, l| {
                for (view, ty) in cells {
                    b.write(view, vec![l.into()], Exp::Const(ty.zero()));
                }
            });
        }
    }

    /// Part of an iteration in a lane, which may be done. (Several in a row, whose conditions imply each other, become branches with GCC.)
    fn in_any_lane(
        &self,
        segment: &Segment<'s>,
        l: Var,
        shown: &BTreeMap<Var, Var>,
        lanes: &Lanes<'_>,
        b: &mut Builder,
    ) {
        let mut names = self.names_in_lane(segment, l, shown, b);
        let condition = match (lanes.first, lanes.failed) {
            (false, _) => to_bool(read(lanes.goes_on, vec![l.into()])),
            (true, None) => renamed(lanes.condition, &names),
            // what a lane kept before its assertion and what it did not get to behind it belong to no iteration: it does not go on from there
            (true, Some(failed)) => {
                let holds = bin(BinOp::Eq, PrimType::I32, read(failed.in_lanes, vec![l.into()]), zero());
                bin(BinOp::And, BOOL, renamed(lanes.condition, &names), holds)
            }
        };
        let mut go = b.let_("go", BOOL, condition);
        let mut changed = lanes.first;
        self.rename_declared(segment, shown, &mut names, b);
        for statement in segment.statements.iter().filter(|statement| !is_shown(shown, statement)) {
            if let (StatementKind::Assert { condition, .. }, Some(failed)) = (&statement.kind, self.failed) {
                let holds = b.let_("holds", BOOL, renamed(condition, &names));
                let fails = bin(BinOp::And, BOOL, go, un(UnOp::Not, BOOL, holds));
                let fails = Exp::Select(Box::new(fails), Box::new(one()), Box::new(zero()));
                self.note_failure(failed, l, fails, b);
                go = b.let_("go", BOOL, bin(BinOp::And, BOOL, go, holds));
                changed = true;
                continue;
            }
            let mut statement = (*statement).clone();
            self.keep_unless(std::slice::from_mut(&mut statement), go, lanes);
            b.push_all(vec![self.for_lane(&statement, l, &names, shown)]);
        }
        if changed {
            b.write(lanes.goes_on, vec![l.into()], from_bool(go));
        }
        self.keep(segment, l, &names, b);
    }

    /// What the statements assign and the loop's body does not declare stays as it is unless `go` holds. Bools are not selected, as GCC has no vectors of that where
    /// numbers of several widths decide.
    fn keep_unless(&self, body: &mut [Statement], go: Var, lanes: &Lanes<'_>) {
        for statement in body {
            if let StatementKind::Assign { var, value } = &mut statement.kind
                && !lanes.declared.contains(var)
            {
                let (new, old) = (value.clone(), Exp::Var(*var));
                let is_bool = self.plan.crossing.get(var).is_some_and(|crossing| crossing.ty == BOOL);
                let and = |x: Exp, y: Exp| bin(BinOp::And, BOOL, x, y);
                *value = match is_bool {
                    // it is false already where a lane is done
                    true if *lanes.condition == old => and(go.into(), new),
                    true => bin(BinOp::Or, BOOL, and(go.into(), new), and(un(UnOp::Not, BOOL, go), old)),
                    false => Exp::Select(Box::new(go.into()), Box::new(new), Box::new(old)),
                };
            }
            statement.kind.for_each_body_mut(&mut |body| self.keep_unless(body, go, lanes));
        }
    }

    /// Part of an iteration in a lane that is not done, as `goes_on` says where there is a loop.
    pub(super) fn in_going_lane(
        &self,
        segment: &Segment<'s>,
        l: Var,
        shown: &BTreeMap<Var, Var>,
        goes_on: Option<Var>,
        b: &mut Builder,
    ) {
        let run = |b: &mut Builder| {
            let mut names = self.names_in_lane(segment, l, shown, b);
            self.rename_declared(segment, shown, &mut names, b);
            let (body, ()) = b.nested(|b| {
                let statements = segment.statements.iter().filter(|statement| !is_shown(shown, statement));
                statements.for_each(|statement| b.push_all(vec![self.for_lane(statement, l, &names, shown)]));
                self.keep(segment, l, &names, b);
            });
            let Some(failed) = self.failed.filter(|_| has_assertions(&body)) else { return b.push_all(body) };
            let holds = b.declare("holds", ImpType::Prim(BOOL), Some(Exp::Const(PrimValue::Bool(true))));
            b.push_all(checked(body, holds));
            b.when(un(UnOp::Not, BOOL, holds), |b| {
                b.write(failed.in_lanes, vec![l.into()], one());
                if let Some(goes_on) = goes_on {
                    b.write(goes_on, vec![l.into()], zero());
                }
            });
        };
        match goes_on {
            Some(goes_on) => b.when(to_bool(read(goes_on, vec![l.into()])), run),
            None => run(b),
        }
    }
}

/// What parts of a loop's body have to know.
struct Lanes<'l> {
    condition: &'l Exp,
    /// Whether it is to be looked at, as this is the first part.
    first: bool,
    /// Where lanes say that an assertion of the loop did not hold, if it has any.
    failed: Option<Failed>,
    /// Which lanes are in the middle of an iteration: set by its first part, and taken back by assertions.
    goes_on: Var,
    /// What the body declares.
    declared: &'l BTreeSet<Var>,
}

/// Statements of which none runs behind an assertion that does not hold: then `holds` becomes false.
fn checked(body: Vec<Statement>, holds: Var) -> Vec<Statement> {
    let mut checked_ones = Vec::new();
    let mut rest = body.into_iter();
    while let Some(mut statement) = rest.next() {
        if !has_assertions(std::slice::from_ref(&statement)) {
            checked_ones.push(statement);
            continue;
        }
        let loc = statement.loc;
        let then = checked(rest.collect(), holds);
        let (condition, otherwise) = match statement.kind {
            StatementKind::Assert { condition, .. } => {
                let value = Exp::Const(PrimValue::Bool(false));
                (condition, vec![Statement { kind: StatementKind::Assign { var: holds, value }, loc }])
            }
            _ => {
                statement.kind.for_each_body_mut(&mut |body| *body = checked(std::mem::take(body), holds));
                checked_ones.push(statement);
                (Exp::Var(holds), Vec::new())
            }
        };
        checked_ones.push(Statement { kind: StatementKind::If { condition, then, otherwise }, loc });
        break;
    }
    checked_ones
}
