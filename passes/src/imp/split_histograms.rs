//! Histograms get parts for each of several threads, which are added up at the end.
//!
//! ```text
//! for i < n seq {
//!   let at = …
//!   let old = h[at]
//!   let new = add.i32(old, …)
//!   h[at] := new
//! }
//! ```
//! becomes, for `h` with `size` cells,
//! ```text
//! if and.bool(ge.i64(n, 65536), le.i64(size, quot.i64(n, 256))) {
//!   alloc parts_mem : i32[32, size]
//!   view parts : i32 @ parts_mem -> 0 + {(32 : size), (size : 1)}
//!   for c < 16 par {
//!     window even = parts[2 * c, 0 : size : 1]
//!     window odd = parts[2 * c + 1, 0 : size : 1]
//!     for j < size simd { even[j] := 0  odd[j] := 0 }
//!     for k < … seq {
//!       let i = … 2 * k … let i' = … 2 * k + 1 …
//!       even[at] := new
//!       odd[at'] := new'
//!     }
//!     for k < … seq { … the last one of an odd number, to even }
//!   }
//!   for j < size par {
//!     for c < 32 seq { h[j] := add.i32(h[j], parts[c, j]) }
//!   }
//!   free parts_mem
//! } else { … }
//! ```
//!
//! Legal where the loop does nothing but this to cells of one array, by an operator on integers that is associative and commutative and has a
//! neutral element, checks what it likes, and reads no other array that may lie in the same block. Integers are exact, so results are the same however the
//! iterations are grouped. Sums and products of floats are split where the loop is a `fold`, which may be regrouped (I10): the parts are
//! always as many, so results are the same on any number of threads. Not inside of parallel loops, whose threads have work. The parts take little time where there are many
//! elements for each cell: that is tested when the program runs. A thread has two parts, for its elements in turn: what comes next
//! need not wait where it counts in the same cell.
//!
//! Requires and ensures I1–I10. Cost: linear in the size of the program.

use super::copy::{can_fail, fresh, replace};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use imp::build::{Builder, bin, read};
use imp::ir::{Exp, ImpType, LoopKind, Procedure, Program, Space, Statement, StatementKind, WindowDim};
use imp::prefix::neutral;
use imp::visit::{for_each_statement, names_after};
use std::collections::{BTreeMap, BTreeSet};

/// How histograms are split.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    parts: i64,
    /// Iterations below which the loop stays as it is.
    least: i64,
    /// Iterations for each cell below which it does.
    for_each_cell: i64,
}

/// What machines want. The number of parts is fixed: threads take more than one.
const USUAL: Sizes = Sizes { parts: 16, least: 16384, for_each_cell: 256 };
/// What small test programs come to.
const SMALL: Sizes = Sizes { parts: 3, least: 1, for_each_cell: 1 };

/// Splits the histograms of a program.
pub fn run(program: Program) -> Program {
    split(program, USUAL)
}

/// The same with few parts, for small inputs too.
pub fn run_small(program: Program) -> Program {
    split(program, SMALL)
}

fn split(mut program: Program, sizes: Sizes) -> Program {
    let mut builder = Builder::new(names_after(&program));
    for procedure in &mut program.procedures {
        let places = Places::of(procedure);
        statements(&mut procedure.body, &places, sizes, &mut builder);
    }
    program
}

fn statements(list: &mut Vec<Statement>, places: &Places, sizes: Sizes, b: &mut Builder) {
    let mut done = Vec::with_capacity(list.len());
    for mut statement in std::mem::take(list) {
        if let Some(histogram) = Histogram::of(&statement, places) {
            let outer = b.begin();
            b.loc = statement.loc;
            histogram.split(sizes, &statement, b);
            done.extend(b.end(outer));
            continue;
        }
        if !matches!(&statement.kind, StatementKind::For { kind, .. } if kind.is_parallel()) {
            statement.kind.for_each_body_mut(&mut |body| statements(body, places, sizes, b));
        }
        done.push(statement);
    }
    *list = done;
}

/// Where the views of a procedure lie.
struct Places {
    /// Block and index function of each view, or the view that it is a window of.
    views: BTreeMap<Var, Place>,
    /// The blocks that the procedure allocates.
    allocated: BTreeSet<Var>,
    /// Its parameters, and what else can't be a block that it allocates later.
    given: BTreeSet<Var>,
}

enum Place {
    View(PrimType, Var, Lmad),
    Window(Var),
}

impl Places {
    fn of(procedure: &Procedure) -> Places {
        let given = procedure.params.iter().map(|(var, _)| *var).collect();
        let mut places = Places { views: BTreeMap::new(), allocated: BTreeSet::new(), given };
        for_each_statement(&procedure.body, &mut |statement| match &statement.kind {
            StatementKind::Alloc { var, .. } => {
                places.allocated.insert(*var);
            }
            StatementKind::View { var, elem, mem, lmad } => {
                places.views.insert(*var, Place::View(*elem, *mem, lmad.clone()));
            }
            StatementKind::Window { var, view, dims: _ } => {
                places.views.insert(*var, Place::Window(*view));
            }
            _ => {}
        });
        places
    }

    /// The block variable that a view is on.
    fn block(&self, view: Var) -> Option<Var> {
        match self.views.get(&view)? {
            Place::View(_, mem, _) => Some(*mem),
            Place::Window(view) => self.block(*view),
        }
    }

    /// Whether a view certainly lies in another block than the one allocated as `block`.
    fn apart(&self, view: Var, block: Var) -> bool {
        self.block(view).is_some_and(|other| {
            other != block && (self.allocated.contains(&other) || self.given.contains(&other))
        })
    }
}

/// A histogram that can be split.
struct Histogram<'s> {
    var: Var,
    bound: &'s Exp,
    body: &'s [Statement],
    view: Var,
    elem: PrimType,
    size: Poly,
    op: BinOp,
    neutral: PrimValue,
}

impl<'s> Histogram<'s> {
    fn of(statement: &'s Statement, places: &Places) -> Option<Histogram<'s>> {
        let StatementKind::For { var, ty: PrimType::I64, bound, kind, body } = &statement.kind else {
            return None;
        };
        if !matches!(kind, LoopKind::Seq | LoopKind::Fold) {
            return None;
        }
        let mut found = Found::default();
        found.look(body)?;
        let (view, at, value, list) = found.write?;
        let Some(Place::View(elem, block, lmad)) = places.views.get(&view) else { return None };
        let ([dim], [at]) = (lmad.dims.as_slice(), at) else { return None };
        let op = update(list, view, at, value)?;
        let own = places.allocated.contains(block);
        let apart = found.read.iter().all(|other| *other == view || places.apart(*other, *block));
        // the loop's own counter and variables are not known outside of it
        let mut outside = true;
        dim.size.for_each_var(&mut |var| outside &= !found.declared.contains(&var));
        if !(own && apart && outside && !found.declared.contains(&view) && found.reads_of(body, view) == 1) {
            return None;
        }
        let neutral = match op {
            _ if !elem.is_float() => neutral(op, *elem)?,
            // nothing is neutral beside NaN for minima and maxima
            BinOp::Add if *kind == LoopKind::Fold => negated_zero(*elem)?,
            BinOp::Mul if *kind == LoopKind::Fold => neutral(op, *elem)?,
            _ => return None,
        };
        Some(Histogram { var: *var, bound, body, view, elem: *elem, size: dim.size.clone(), op, neutral })
    }

    fn split(&self, sizes: Sizes, whole: &Statement, b: &mut Builder) {
        let i64 = PrimType::I64;
        let count = Exp::Var(b.let_("count", i64, self.bound.clone()));
        let size = self.size_in(b);
        let many = bin(BinOp::Ge, i64, count.clone(), Exp::i64(sizes.least));
        let most = bin(BinOp::Quot, i64, count.clone(), Exp::i64(sizes.for_each_cell));
        let condition = bin(BinOp::And, PrimType::Bool, many, bin(BinOp::Le, i64, size, most));
        let (then, ()) = b.nested(|b| self.in_parts(sizes, &count, size, b));
        let mut rest = whole.clone();
        if let StatementKind::For { bound, .. } = &mut rest.kind {
            *bound = count;
        }
        b.push(StatementKind::If { condition, then, otherwise: vec![rest] });
    }

    /// The size of the array in a variable.
    fn size_in(&self, b: &mut Builder) -> Var {
        let i64 = PrimType::I64;
        let mut sum = Exp::i64(0);
        for (monomial, coefficient) in self.size.terms() {
            let product = monomial
                .iter()
                .fold(Exp::i64(coefficient), |product, var| bin(BinOp::Mul, i64, product, *var));
            sum = bin(BinOp::Add, i64, sum, product);
        }
        b.let_("size", i64, sum)
    }

    fn in_parts(&self, sizes: Sizes, count: &Exp, size: Var, b: &mut Builder) {
        let i64 = PrimType::I64;
        let parts = Exp::i64(sizes.parts);
        let rows = 2 * sizes.parts;
        let block = b.alloc("parts_mem", self.elem, vec![Exp::i64(rows), size.into()], Space::Default);
        let shape = [Poly::constant(rows), Poly::var(size)];
        let all = b.view("parts", self.elem, block, Lmad::row_major(Poly::constant(0), &shape));
        let rounded = bin(BinOp::Add, i64, count.clone(), Exp::i64(sizes.parts - 1));
        let share = b.let_("share", i64, bin(BinOp::Quot, i64, rounded, parts.clone()));
        b.for_("c", parts, LoopKind::Par, |b, c| {
            let twice = b.let_("row", i64, bin(BinOp::Mul, i64, c, Exp::i64(2)));
            let row = || WindowDim::Range { offset: Exp::i64(0), count: size.into(), stride: Exp::i64(1) };
            let even = b.window("even", all, vec![WindowDim::Fix(twice.into()), row()]);
            let next = bin(BinOp::Add, i64, twice, Exp::i64(1));
            let odd = b.window("odd", all, vec![WindowDim::Fix(next), row()]);
            b.for_("j", size, LoopKind::Simd, |b, j| {
                b.write(even, vec![j.into()], Exp::Const(self.neutral));
                b.write(odd, vec![j.into()], Exp::Const(self.neutral));
            });
            let start = b.let_("start", i64, bin(BinOp::Mul, i64, c, share));
            let left = bin(BinOp::Sub, i64, count.clone(), start);
            // (backends that weigh what a part costs understand a shift, not a division)
            let here = bin(BinOp::Max, i64, bin(BinOp::Min, i64, left, share), Exp::i64(0));
            let here = b.let_("here", i64, here);
            let pairs = b.let_("pairs", i64, bin(BinOp::Shr, i64, here, Exp::i64(1)));
            b.for_("k", pairs, LoopKind::Seq, |b, k| {
                let both = bin(BinOp::Mul, i64, k, Exp::i64(2));
                let first = b.let_("i", i64, bin(BinOp::Add, i64, start, both));
                let second = b.let_("i", i64, bin(BinOp::Add, i64, first, Exp::i64(1)));
                let mut iterations =
                    [(first, even), (second, odd)].map(|(i, part)| self.iteration(i, part, b));
                // (compilers do not know that the parts are apart from what the second one reads)
                let before = self.before();
                let ends = iterations.each_mut().map(|body| body.split_off(before));
                iterations.into_iter().chain(ends).for_each(|statements| b.push_all(statements));
            });
            let paired = b.let_("paired", i64, bin(BinOp::Mul, i64, pairs, Exp::i64(2)));
            b.for_("k", bin(BinOp::Sub, i64, here, paired), LoopKind::Seq, |b, k| {
                let behind = bin(BinOp::Add, i64, start, paired);
                let last = b.let_("i", i64, bin(BinOp::Add, i64, behind, k));
                let body = self.iteration(last, even, b);
                b.push_all(body);
            });
        });
        b.for_("j", size, LoopKind::Par, |b, j| {
            let sum = b.declare("sum", ImpType::Prim(self.elem), Some(read(self.view, vec![j.into()])));
            b.for_("c", Exp::i64(rows), LoopKind::Seq, |b, c| {
                let part = read(all, vec![c.into(), j.into()]);
                b.assign(sum, bin(self.op, self.elem, sum, part));
            });
            b.write(self.view, vec![j.into()], sum);
        });
        b.push(StatementKind::Free(block));
    }

    /// The body for one index, with the cells of a part.
    fn iteration(&self, index: Var, part: Var, b: &mut Builder) -> Vec<Statement> {
        let mut body = fresh(self.body, &mut b.names);
        replace(&mut body, self.var, index);
        replace(&mut body, self.view, part);
        body
    }

    /// How many statements come before the first that has to do with the cells; none where an assertion, which alone can stop it ([`Found::look`]), is behind it and would come late then.
    fn before(&self) -> usize {
        let count = |counts: &dyn Fn(&Statement) -> bool, of: &[Statement]| {
            let mut found = 0;
            for_each_statement(of, &mut |statement| found += usize::from(counts(statement)));
            found
        };
        let uses = |statement: &Statement| {
            let mut found = false;
            statement.kind.for_each_use(&mut |used| found |= used == self.view);
            found
        };
        let is_before = |statement: &&Statement| count(&uses, std::slice::from_ref(*statement)) == 0;
        let before = self.body.iter().take_while(is_before).count();
        let stops = |statement: &Statement| matches!(statement.kind, StatementKind::Assert { .. });
        if count(&stops, &self.body[before..]) > 0 { 0 } else { before }
    }
}

/// The number that added to `-0.0` leaves it so.
fn negated_zero(elem: PrimType) -> Option<PrimValue> {
    match elem {
        PrimType::F32 => Some(PrimValue::F32(-0.0)),
        PrimType::F64 => Some(PrimValue::F64(-0.0)),
        _ => None,
    }
}

/// What a loop's body does.
#[derive(Default)]
struct Found<'s> {
    /// The view of the only write, its indices and value, and the statements around it.
    write: Option<(Var, &'s [Exp], &'s Exp, &'s [Statement])>,
    read: BTreeSet<Var>,
    declared: BTreeSet<Var>,
}

impl<'s> Found<'s> {
    /// Looks through statements; `None` where there is something else than computing and one write.
    fn look(&mut self, body: &'s [Statement]) -> Option<()> {
        for statement in body {
            let mut fails = false;
            statement.kind.for_each_exp(&mut |exp| {
                fails |= can_fail(exp);
                self.reads_in(exp);
            });
            self.declared.extend(statement.kind.declares());
            match &statement.kind {
                StatementKind::Let { .. }
                | StatementKind::View { .. }
                | StatementKind::Window { .. }
                | StatementKind::Assert { .. } => {}
                StatementKind::If { condition: _, then, otherwise } => {
                    self.look(then)?;
                    self.look(otherwise)?;
                }
                StatementKind::Write { view, indices, value } if self.write.is_none() => {
                    self.write = Some((*view, indices, value, body));
                }
                _ => return None,
            }
            if fails {
                return None;
            }
        }
        Some(())
    }

    fn reads_in(&mut self, exp: &Exp) {
        exp.for_each_read(&mut |view, _| _ = self.read.insert(view));
    }

    /// How often statements mention a view, but for the write.
    fn reads_of(&self, body: &[Statement], view: Var) -> usize {
        let mut count = 0;
        for_each_statement(body, &mut |statement| {
            statement.kind.for_each_use(&mut |used| count += usize::from(used == view));
        });
        count - 1
    }
}

/// The operator of `let old = view[at]; …; view[at] := op(old, e)`, where nothing else uses `old`.
fn update(list: &[Statement], view: Var, at: &Exp, value: &Exp) -> Option<BinOp> {
    let named = |name: &Exp| {
        let Exp::Var(name) = name else { return None };
        list.iter().find_map(|statement| match &statement.kind {
            StatementKind::Let { var, value, .. } if var == name => Some(value),
            _ => None,
        })
    };
    let uses = |name: &Exp| {
        let mut count = 0;
        for_each_statement(list, &mut |statement| {
            statement.kind.for_each_use(&mut |used| count += usize::from(Exp::Var(used) == *name));
        });
        count
    };
    let Exp::Bin(op, _, x, y) = named(value).unwrap_or(value) else { return None };
    let is_old = |exp: &Exp| {
        let Exp::Read { view: from, indices } = named(exp).unwrap_or(exp) else { return false };
        *from == view && *indices == [at.clone()] && (!matches!(exp, Exp::Var(_)) || uses(exp) == 1)
    };
    let is_name = matches!(value, Exp::Var(_));
    (is_old(x) != is_old(y) && (!is_name || uses(value) == 1)).then_some(*op)
}
