//! Several rows of a sweep at a time, each a column behind the one above: they need not wait for each other.
//!
//! ```text
//! for i < n seq { for j < m seq { a[i + 1, j + 1] := max(a[i, j + 1], a[i + 1, j]) } }
//! ```
//! becomes, for two rows (there are four),
//! ```text
//! let groups = select(and.bool(le.i64(2, n), le.i64(32, m)), shr.i64(n, 1), 0)
//! for g < groups seq {
//!   let from = shl.i64(g, 1)
//!   { column 0 of row from }
//!   var above = a[from + 1, 1]
//!   var left = a[from + 2, 0]
//!   for t < m - 1 seq {
//!     let next = max(a[from, t + 2], above)  a[from + 1, t + 2] := next
//!     let next' = max(above, left)  a[from + 2, t + 1] := next'
//!     above := next  left := next'
//!   }
//!   { the last column of row from + 1 }
//! }
//! { the rows that are left, as before }
//! ```
//! Where branches ask for the first row or column, as `if j == 0 { … } else { … }`, that row comes before all groups, that column before the steps of each group, and the steps have no
//! such branches (`middle.rs`). What the same or the step before computed of another row of the group, and up to [`DEEPEST`] steps before, is in a scalar.
//!
//! In step `t` row `r` of a group is at column `t - r`. So iteration `(i, j)` comes before `(i + d, j + e)` where `d + e` is positive, or zero and `d` is positive: this
//! is legal where all cells that an iteration reads are made by iterations that came before it so as well, or by such as come after it so as well (they still have the
//! value from before). (Loop skewing and unroll-and-jam: Wolfe, Loop Skewing: The Wavefront Method Revisited, 1986; Callahan, Carr and Kennedy, 1990.)
//! Done where elements wait for those before them in their row; rows that wait for nothing run in vectors.
//!
//! Requires and ensures I1–I10. Cost: linear in the size of the program; what a sweep computes is there seven times, so large ones stay.

mod middle;

use super::copy::{count, fresh, replace, replace_exp};
use super::fuse_loops::access::Places;
use super::fuse_loops::facts::LoopFacts;
use super::numbers::Numbers;
use super::sweeps::Sweep;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use imp::build::{Builder, add, bin, read, sub};
use imp::ir::{Exp, ImpType, LoopKind, Program, Statement, StatementKind};
use imp::visit::names_after;
use middle::Middle;

/// The base-2 logarithm of how many rows are a group, and how many columns pay.
#[derive(Clone, Copy)]
struct Sizes {
    log_rows: i64,
    least: i64,
}

/// With four rows processors have enough to do while each of them waits.
const USUAL: Sizes = Sizes { log_rows: 2, least: 32 };
/// What small test programs come to.
const SMALL: Sizes = Sizes { log_rows: 1, least: 2 };

/// What was computed more steps before than this is read again: there are only so many registers.
const DEEPEST: i64 = 4;
/// Sweeps of more statements stay as they are.
const LARGEST: usize = 64;

/// Jams the sweeps of a program.
pub fn run(program: Program) -> Program {
    jam(program, USUAL)
}

/// The same with groups that small inputs fill.
pub fn run_small(program: Program) -> Program {
    jam(program, SMALL)
}

fn jam(mut program: Program, sizes: Sizes) -> Program {
    let mut builder = Builder::new(names_after(&program));
    for procedure in &mut program.procedures {
        let (places, numbers) = (Places::of(procedure), Numbers::of(procedure));
        let facts = LoopFacts::of(procedure);
        let mut jamming = Jamming { places, numbers, facts, sizes, b: &mut builder };
        jamming.statements(&mut procedure.body);
    }
    program
}

struct Jamming<'b> {
    places: Places,
    numbers: Numbers,
    facts: LoopFacts,
    sizes: Sizes,
    b: &'b mut Builder,
}

/// Where cells of the matrix are: the address of the one that an iteration writes.
struct Written {
    elem: PrimType,
    mem: Var,
    address: Poly,
}

/// A row of a group, or of those that are left.
struct Row {
    /// What is computed for it.
    prelude: Vec<Statement>,
    /// The counter of its columns, and what is computed for each.
    j: Var,
    body: Vec<Statement>,
}

/// What the rows of a group keep in registers of what they computed.
struct Kept {
    /// The value of this step, where a later row wants it.
    now: Option<Var>,
    /// That of the step before, of the one before that, and so on.
    last: Vec<Var>,
}

/// Some columns of a row.
struct Part {
    row: Exp,
    first: Exp,
    width: Exp,
}

impl Jamming<'_> {
    fn statements(&mut self, list: &mut Vec<Statement>) {
        let mark = self.facts.mark();
        for mut statement in std::mem::take(list) {
            let sweep = Sweep::of(&statement, &self.places, &self.numbers, Some(&mut self.facts));
            let sweep = sweep.filter(|sweep| is_legal(sweep) && pays(sweep));
            if let Some((written, sweep)) = sweep.and_then(|sweep| Some((self.written(&sweep)?, sweep))) {
                let outer = self.b.begin();
                self.b.loc = statement.loc;
                self.jammed(&sweep, &Middle::of(&sweep), &written);
                list.append(&mut self.b.end(outer));
                continue;
            }
            let inside = self.facts.mark();
            if let StatementKind::For { var, bound, .. } = &statement.kind {
                self.facts.counter(*var, bound);
            }
            statement.kind.for_each_body_mut(&mut |body| self.statements(body));
            self.facts.reset(inside);
            self.facts.passed(&statement);
            list.push(statement);
        }
        self.facts.reset(mark);
    }

    fn written(&self, sweep: &Sweep<'_>) -> Option<Written> {
        let (elem, mem, lmad) = self.places.place(sweep.view)?;
        let mut indices = sweep.body.iter().filter_map(|statement| match &statement.kind {
            StatementKind::Write { indices, .. } => Some(indices),
            _ => None,
        });
        let address = self.numbers.address(lmad, indices.next()?)?;
        Some(Written { elem, mem, address })
    }

    fn jammed(&mut self, sweep: &Sweep<'_>, middle: &Middle, written: &Written) {
        let Sizes { log_rows, least } = self.sizes;
        let (rows, [above, before]) = (1 << log_rows, middle.first);
        let top = self.b.let_("top", I64, bin(BinOp::Min, I64, Exp::i64(above), sweep.rows.clone()));
        if above > 0 {
            self.rows(sweep, Exp::i64(0), top.into());
        }
        let left = self.b.let_("left", I64, sub(sweep.rows.clone(), top));
        let enough = bin(BinOp::Le, I64, Exp::i64(rows), left);
        let wide = bin(BinOp::Le, I64, Exp::i64(least.max(rows + before)), sweep.columns.clone());
        let condition = bin(BinOp::And, PrimType::Bool, enough, wide);
        let most = bin(BinOp::Shr, I64, left, Exp::i64(log_rows));
        let groups = Exp::Select(Box::new(condition), Box::new(most), Box::new(Exp::i64(0)));
        let groups = self.b.let_("groups", I64, groups);
        let outer = self.b.begin();
        let group = self.b.names.fresh("g");
        let from = self.b.let_("from", I64, add(top, bin(BinOp::Shl, I64, group, Exp::i64(log_rows))));
        self.corner(sweep, |r| Part {
            row: add(from, r),
            first: Exp::i64(0),
            width: sub(Exp::i64(rows - 1 + before), r),
        });
        self.group(sweep, middle, written, from);
        let columns = sweep.columns.clone();
        self.corner(sweep, |r| Part { row: add(from, r), first: sub(columns, r), width: r.into() });
        let body = self.b.end(outer);
        let kind = LoopKind::Seq;
        self.b.push(StatementKind::For { var: group, ty: I64, bound: groups.into(), kind, body });
        let done = self.b.let_("done", I64, add(top, bin(BinOp::Shl, I64, groups, Exp::i64(log_rows))));
        self.rows(sweep, done.into(), sub(sweep.rows.clone(), done));
    }

    /// Whole rows, one after the other.
    fn rows(&mut self, sweep: &Sweep<'_>, first: Exp, count: Exp) {
        self.b.for_("r", count, LoopKind::Seq, |b, r| {
            let i = b.let_("i", I64, add(first, r));
            let row = Row::of(sweep, sweep.body, i, b);
            b.push_all(row.prelude);
            let (bound, kind) = (sweep.columns.clone(), LoopKind::Seq);
            b.push(StatementKind::For { var: row.j, ty: I64, bound, kind, body: row.body });
        });
    }

    /// What the first steps or the last ones of a group do: the rows one after the other.
    fn corner(&mut self, sweep: &Sweep<'_>, part: impl FnOnce(Var) -> Part) {
        let rows = 1 << self.sizes.log_rows;
        self.b.for_("r", Exp::i64(rows), LoopKind::Seq, |b, r| {
            let Part { row, width, first } = part(r);
            let i = b.let_("i", I64, row);
            let mut at = Row::of(sweep, sweep.body, i, b);
            b.push_all(std::mem::take(&mut at.prelude));
            b.for_("c", width, LoopKind::Seq, |b, c| {
                let j = b.let_("j", I64, add(first, c));
                b.push_all(at.column(j));
            });
        });
    }

    /// The steps in which all rows of a group are at a column.
    fn group(&mut self, sweep: &Sweep<'_>, middle: &Middle, written: &Written, from: Var) {
        let rows = 1 << self.sizes.log_rows;
        let (reads, before) = (kept_reads(sweep, &middle.body), middle.first[1]);
        let (mut kept, mut all): (Vec<Kept>, Vec<Row>) = (Vec::new(), Vec::new());
        for r in 0..rows {
            let i = self.b.let_("i", I64, add(from, Exp::i64(r)));
            // the steps after which rows of the group read what this one computes
            let wanted = reads.iter().filter(|(_, [down, _])| r + down < rows);
            let wanted: Vec<i64> = wanted.map(|(_, [down, right])| down + right).collect();
            let ty = ImpType::Prim(written.elem);
            let now = wanted.contains(&0).then(|| self.b.declare("now", ty, None));
            let mut last = Vec::new();
            for step in 1..=wanted.into_iter().max().unwrap_or(0) {
                let column = before + rows - 1 - r - step;
                let offset = written.address.subst(&mut |var| match var {
                    var if var == sweep.i => Poly::var(i),
                    var if var == sweep.j => Poly::constant(column),
                    var => Poly::var(var),
                });
                let view = self.b.view("cell", written.elem, written.mem, Lmad { offset, dims: Vec::new() });
                last.push(self.b.declare("last", ty, Some(read(view, Vec::new()))));
            }
            kept.push(Kept { now, last });
            let mut body = middle.body.clone();
            for (old, [down, right]) in &reads {
                let Some(above) = usize::try_from(r - down).ok().and_then(|row| kept.get(row)) else {
                    continue;
                };
                let by = match usize::try_from(down + right - 1) {
                    Ok(before) => above.last.get(before).copied(),
                    Err(_) => above.now,
                };
                let Some(by) = by else { continue };
                for statement in &mut body {
                    statement.kind.for_each_exp_mut(&mut |exp| replace_exp(exp, old, by));
                }
            }
            let mut row = Row::of(sweep, &body, i, self.b);
            self.b.push_all(std::mem::take(&mut row.prelude));
            all.push(row);
        }
        let bound = sub(sweep.columns.clone(), Exp::i64(before + rows - 1));
        self.b.for_("t", bound, LoopKind::Seq, |b, t| {
            let mut next = Vec::new();
            for ((r, row), kept) in (0..).zip(all).zip(&kept) {
                let j = b.let_("j", I64, add(t, Exp::i64(before + rows - 1 - r)));
                next.push(row.keeping(j, written.elem, kept.now, b));
            }
            for (kept, next) in kept.iter().zip(next) {
                for (later, earlier) in kept.last.iter().zip(kept.last.iter().skip(1)).rev() {
                    b.assign(*earlier, *later);
                }
                if let Some(first) = kept.last.first() {
                    b.assign(*first, next);
                }
            }
        });
    }
}

impl Row {
    /// A copy of a sweep's row `i` with this for a body.
    fn of(sweep: &Sweep<'_>, body: &[Statement], i: Var, b: &mut Builder) -> Row {
        let mut prelude = sweep.prelude.to_vec();
        let (kind, body) = (LoopKind::Seq, body.to_vec());
        let columns = StatementKind::For { var: sweep.j, ty: I64, bound: sweep.columns.clone(), kind, body };
        prelude.push(Statement { kind: columns, loc: b.loc });
        prelude = fresh(&prelude, &mut b.names);
        replace(&mut prelude, sweep.i, i);
        match prelude.pop().map(|statement| statement.kind) {
            Some(StatementKind::For { var: j, body, .. }) => Row { prelude, j, body },
            _ => unreachable!("invariant: the columns come last"),
        }
    }

    /// What is computed for column `j`.
    fn column(mut self, j: Var) -> Vec<Statement> {
        replace(&mut self.body, self.j, j);
        self.body
    }

    /// The same, built; gives what is written, which goes to `now`, too.
    fn keeping(self, j: Var, elem: PrimType, now: Option<Var>, b: &mut Builder) -> Exp {
        let mut written = None;
        for mut statement in self.column(j) {
            let StatementKind::Write { value, .. } = &mut statement.kind else {
                b.push_all(vec![statement]);
                continue;
            };
            let next = b.let_("next", elem, std::mem::replace(value, Exp::i64(0)));
            *value = next.into();
            b.push_all(vec![statement]);
            if let Some(now) = now {
                b.assign(now, next);
            }
            written = Some(next);
        }
        written.map(Exp::Var).unwrap_or_else(|| unreachable!("invariant: a sweep writes"))
    }
}

/// What each iteration reads of cells that rows of its group may have in registers, and how many rows and columns before it those were written.
fn kept_reads(sweep: &Sweep<'_>, body: &[Statement]) -> Vec<(Exp, [i64; 2])> {
    let mut reads: Vec<(Exp, [i64; 2])> = Vec::new();
    for statement in body {
        statement.kind.for_each_exp(&mut |exp| {
            exp.for_each_read(&mut |view, indices| {
                let read = Exp::Read { view, indices: indices.to_vec() };
                let Some((_, distance)) = sweep.reads.iter().find(|(other, _)| *other == read) else {
                    return;
                };
                let near = *distance > [0, 0] && (0..=DEEPEST).contains(&(distance[0] + distance[1]));
                if near && reads.iter().all(|(other, _)| *other != read) {
                    reads.push((read, *distance));
                }
            });
        });
    }
    reads
}

/// Whether what an iteration reads was written before it, or is written after it, with rows in groups as well.
fn is_legal(sweep: &Sweep<'_>) -> bool {
    sweep.distances().all(|distance| {
        let steps = distance[0].saturating_add(distance[1]);
        if distance > [0, 0] { steps >= 0 } else { steps <= 0 }
    })
}

/// Whether elements of a row wait for those before them, and read what other rows have.
fn pays(sweep: &Sweep<'_>) -> bool {
    let waits = sweep.distances().any(|[down, right]| down == 0 && right > 0);
    let is_short = count(sweep.prelude) + count(sweep.body) <= LARGEST;
    waits && is_short
}

const I64: PrimType = PrimType::I64;
