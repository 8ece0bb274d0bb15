//! Several steps of a loop at a time: what one step writes the next one takes over while it is in a register, so that a matrix that all go
//! through comes by once.
//!
//! ```text
//! for k < n - 1 seq {
//!   copy row <- a[k, k + 1 :]
//!   for i < n - k - 1 par {
//!     let f = div.f32(a[k + 1 + i, k], a[k, k])
//!     a[k + 1 + i, k] := f
//!     for j < n - k - 1 simd { a[k + 1 + i, k + 1 + j] := sub.f32(a[k + 1 + i, k + 1 + j], mul.f32(f, row[j])) }
//!   }
//! }
//! ```
//! becomes, with two steps in each round, `k' = 2 round` and `k = 2 round + 1`,
//! ```text
//! for round < (n - 1) / 2 seq {
//!   copy row' <- a[k', k' + 1 :]
//!   { the first iteration of step k', for row k }
//!   copy row <- a[k, k + 1 :]
//!   for i < n - k - 1 par {
//!     let f' = … ; a[k + 1 + i, k'] := f'
//!     { the first iteration of the loop over columns of step k', for column k }
//!     let f = … ; a[k + 1 + i, k] := f
//!     for j < n - k - 1 simd {
//!       let x = sub.f32(a[k + 1 + i, k + 1 + j], mul.f32(f', row'[j + 1]))
//!       a[k + 1 + i, k + 1 + j] := sub.f32(x, mul.f32(f, row[j]))
//!     }
//!   }
//! }
//! { the last step, if their number is odd }
//! ```
//! and two such pairs are put together once more in the same way, so that the matrix comes by once for four steps; up to three are left then.
//!
//! A step is statements that run once, loops of simple statements among them, and then one loop whose iterations are independent (I6), of simple
//! statements or of such a list once more. The loop of the second step has as many iterations as that of the first, or up to two less: then the
//! first iterations of the first step's loop come before all others. Legal where
//! - nothing of it can stop the program but for want of memory;
//! - what the second step does before its loop touches no cell that the other iterations of the first one write, and writes none that they read;
//! - so it is with iteration `i` of the second loop and all iterations of the first one but that which comes to run right before it.
//!
//! Both are shown by the prover, for any two iterations: cells of different rows lie apart. What the first step's innermost loop writes and
//! the second one's reads again in the same iteration is a scalar then; it is not written where the second one overwrites it. Done where
//! that happens: otherwise nothing would be gained. Four steps at a time, and not eight: what is read and written is half as much then, but the time of a
//! decomposition is bound by arithmetic from four on.
//!
//! Requires and ensures I1–I10. Cost: linear in the size of the program, and two questions to the prover for each pair of accesses of a pair.

mod cells;

use super::copy::{fresh, replace};
use super::fuse_loops::access::Places;
use super::fuse_loops::facts::LoopFacts;
use super::fuse_loops::is_simple;
use cells::{Cells, Instance, Touched};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_index::poly::Poly;
use imp::build::{Builder, bin};
use imp::ir::{Exp, LoopKind, Program, Statement, StatementKind};
use imp::visit::names_after;

const I64: PrimType = PrimType::I64;

/// How many steps become one, the best first.
const TOGETHER: [usize; 2] = [4, 2];

/// How many iterations a loop may have more than the one that it is joined with.
const MOST_AHEAD: i64 = 2;

/// Pairs the steps of a program's loops.
pub fn run(mut program: Program) -> Program {
    let mut builder = Builder::new(names_after(&program));
    for procedure in &mut program.procedures {
        let places = Places::of(procedure);
        let mut pairing = Pairing { facts: LoopFacts::of(procedure), places, b: &mut builder };
        pairing.statements(&mut procedure.body);
    }
    program
}

/// A list of statements that ends in a loop whose iterations are independent.
struct Step<'s> {
    head: &'s [Statement],
    counter: Var,
    bound: &'s Exp,
    kind: LoopKind,
    body: &'s [Statement],
    /// Ends of blocks.
    tail: &'s [Statement],
}

impl<'s> Step<'s> {
    fn of(list: &'s [Statement]) -> Option<Step<'s>> {
        let at = list.iter().rposition(|statement| matches!(statement.kind, StatementKind::For { .. }))?;
        let StatementKind::For { var, ty: I64, bound, kind, body } = &list[at].kind else { return None };
        let (head, tail) = (&list[..at], &list[at + 1..]);
        let ends = tail.iter().all(|statement| matches!(statement.kind, StatementKind::Free { .. }));
        let row = |statement: &Statement| match &statement.kind {
            StatementKind::For { kind: LoopKind::Simd, body, .. } => body.iter().all(is_simple),
            _ => is_simple(statement),
        };
        let fits = ends
            && match kind {
                LoopKind::Par => {
                    head.iter().all(row)
                        && Step::of(body)
                            .is_some_and(|inner| inner.kind == LoopKind::Simd && inner.tail.is_empty())
                }
                LoopKind::Simd => head.iter().chain(body).all(is_simple),
                _ => false,
            };
        let step = Step { head, counter: *var, bound, kind: *kind, body, tail };
        fits.then_some(step)
    }
}

struct Pairing<'b> {
    places: Places,
    facts: LoopFacts,
    b: &'b mut Builder,
}

impl Pairing<'_> {
    fn statements(&mut self, list: &mut Vec<Statement>) {
        let mark = self.facts.mark();
        let mut done: Vec<Statement> = Vec::with_capacity(list.len());
        for mut statement in std::mem::take(list) {
            self.b.loc = statement.loc;
            if let Some(paired) = self.paired(&statement) {
                done.extend(paired);
                continue;
            }
            let inside = self.facts.mark();
            match &mut statement.kind {
                StatementKind::For { kind, .. } if kind.is_parallel() => {}
                StatementKind::For { var, bound, body, .. } => {
                    self.facts.counter(*var, bound);
                    self.statements(body);
                }
                kind => kind.for_each_body_mut(&mut |body| self.statements(body)),
            }
            self.facts.reset(inside);
            self.facts.passed(&statement);
            done.push(statement);
        }
        *list = done;
        self.facts.reset(mark);
    }

    /// A loop in order with several steps in each iteration, if it is one of steps and gains by that.
    fn paired(&mut self, statement: &Statement) -> Option<Vec<Statement>> {
        let StatementKind::For { var, ty: I64, bound, kind: LoopKind::Seq, body } = &statement.kind else {
            return None;
        };
        Step::of(body)?;
        self.facts.poly(bound)?;
        TOGETHER.iter().find_map(|count| {
            let counters: Vec<Var> = (0..*count).map(|_| self.b.names.fresh_like(*var)).collect();
            let mark = self.facts.mark();
            let joined = self.joined(*var, bound, body, &counters);
            self.facts.reset(mark);
            Some(self.rounds((*var, bound, body), &counters, joined?))
        })
    }

    /// A loop of rounds, in which these counters have values one after the other, and one of the steps that are left.
    fn rounds(
        &mut self,
        (var, bound, body): (Var, &Exp, &[Statement]),
        counters: &[Var],
        joined: Vec<Statement>,
    ) -> Vec<Statement> {
        let outer = self.b.begin();
        let each = Exp::i64(counters.len() as i64);
        let rounds = self.b.let_("rounds", I64, bin(BinOp::Quot, I64, bound.clone(), each.clone()));
        let done = self.b.let_("done", I64, bin(BinOp::Mul, I64, rounds, each.clone()));
        let round = self.b.names.fresh("round");
        let mut all = vec![self.define(counters[0], bin(BinOp::Mul, I64, round, each))];
        for (at, counter) in (1..).zip(&counters[1..]) {
            all.push(self.define(*counter, bin(BinOp::Add, I64, counters[0], Exp::i64(at))));
        }
        all.extend(joined);
        let seq = |var, bound, body| StatementKind::For { var, ty: I64, bound, kind: LoopKind::Seq, body };
        self.b.push(seq(round, rounds.into(), all));
        let left = self.b.let_("left", I64, bin(BinOp::Sub, I64, bound.clone(), done));
        let rest = self.b.names.fresh("rest");
        let mut last = vec![self.define(var, bin(BinOp::Add, I64, done, rest))];
        last.extend_from_slice(body);
        self.b.push(seq(rest, left.into(), last));
        self.b.end(outer)
    }

    /// What the steps of these counters, which follow each other, are together.
    fn joined(
        &mut self,
        counter: Var,
        bound: &Exp,
        body: &[Statement],
        counters: &[Var],
    ) -> Option<Vec<Statement>> {
        for (at, step) in (0..).zip(counters) {
            if at > 0 {
                self.facts.define(*step, Poly::var(counters[0]).add(&Poly::constant(at)));
            }
            self.facts.counter(*step, bound);
        }
        let mut steps: Vec<_> = counters.iter().map(|step| self.copy(body, counter, *step)).collect();
        while let [_, _, ..] = steps.as_slice() {
            let pairs = steps.chunks(2);
            steps = pairs
                .map(|pair| self.join(&Step::of(&pair[0])?, &Step::of(&pair[1])?))
                .collect::<Option<_>>()?;
        }
        steps.pop()
    }

    /// A copy of statements with another variable in place of a counter.
    fn copy(&mut self, body: &[Statement], counter: Var, by: Var) -> Vec<Statement> {
        let mut copied = fresh(body, &mut self.b.names);
        replace(&mut copied, counter, by);
        self.places.learn(&copied);
        copied
    }

    /// One list that does what two steps do after each other, if that is legal and gains something.
    fn join(&mut self, first: &Step, second: &Step) -> Option<Vec<Statement>> {
        if first.kind != second.kind {
            return None;
        }
        for statement in first.head.iter().chain(second.head) {
            self.facts.passed(statement);
        }
        let (many, few) = (self.facts.poly(first.bound)?, self.facts.poly(second.bound)?);
        let ahead = self.facts.expand(&many.sub(&few)).as_constant()?;
        if !(ahead == 0 || (1..=MOST_AHEAD).contains(&ahead) && self.facts.is_nonneg(&few)) {
            return None;
        }
        self.are_independent(first, second, ahead)?;
        let mut list = first.head.to_vec();
        for at in 0..ahead {
            let early = self.b.names.fresh_like(first.counter);
            list.push(self.define(early, Exp::i64(at)));
            list.extend(self.copy(first.body, first.counter, early));
        }
        list.extend_from_slice(second.head);
        let mark = self.facts.mark();
        let own = second.counter;
        self.facts.counter(own, second.bound);
        let mut one = first.body.to_vec();
        let mut body = Vec::new();
        if ahead > 0 {
            let next = self.define(first.counter, bin(BinOp::Add, I64, own, Exp::i64(ahead)));
            self.facts.passed(&next);
            body.push(next);
        } else {
            replace(&mut one, first.counter, own);
        }
        let joined = match (Step::of(&one), Step::of(second.body)) {
            (Some(one), Some(other)) => self.join(&one, &other),
            (None, None) => self.handed_over(one, second.body),
            _ => None,
        };
        self.facts.reset(mark);
        body.extend(joined?);
        let kind =
            StatementKind::For { var: own, ty: I64, bound: second.bound.clone(), kind: second.kind, body };
        list.push(Statement { kind, loc: self.b.loc });
        list.extend(first.tail.iter().chain(second.tail).cloned());
        Some(list)
    }

    fn define(&self, var: Var, value: Exp) -> Statement {
        Statement { kind: StatementKind::Let { var, ty: I64, value }, loc: self.b.loc }
    }

    /// Whether iteration `i` of the second loop may come right after iteration `i + ahead` of the first one, and what is before the second one
    /// before all but the first `ahead`.
    fn are_independent(&mut self, first: &Step, second: &Step, ahead: i64) -> Option<()> {
        let facts = &self.facts;
        let one = Touched::by(first.body, Some(first.counter), facts)?;
        let other = Touched::by(second.body, Some(second.counter), facts)?;
        let head = Touched::by(second.head, None, facts)?;
        let mark = self.facts.mark();
        let [i, further] = ["i", "further"].map(|name| self.b.names.fresh(name));
        let now = Poly::var(i);
        let later = now.add(&Poly::var(further)).add(&Poly::constant(1));
        let before = |second: &Poly| second.add(&Poly::constant(ahead));
        self.facts.counter(i, second.bound);
        let (before_now, head) = (self.instance(&one, &before(&now)), self.instance(&head, &now));
        let mut independent = self.commute(&before_now, &head);
        self.facts.nonneg(Poly::var(further), further);
        if let Some(bound) = self.facts.poly(second.bound) {
            self.facts.nonneg(bound.sub(&later).sub(&Poly::constant(1)), further);
        }
        let (other_now, other_later) = (self.instance(&other, &now), self.instance(&other, &later));
        let before_later = self.instance(&one, &before(&later));
        independent =
            independent && self.commute(&before_now, &other_later) && self.commute(&before_later, &other_now);
        self.facts.reset(mark);
        independent.then_some(())
    }

    fn instance(&mut self, list: &Touched, at: &Poly) -> Instance {
        list.at(at, &self.places, &mut self.facts, &mut self.b.names)
    }

    fn commute(&self, one: &Instance, other: &Instance) -> bool {
        Cells { places: &self.places, facts: &self.facts }.commute(one, other)
    }

    /// The statements of one iteration behind those of another: what these write, and the others read and write again, is handed over and not
    /// written. `None` if there is no such cell.
    fn handed_over(&mut self, mut one: Vec<Statement>, other: &[Statement]) -> Option<Vec<Statement>> {
        for statement in one.iter().chain(other) {
            self.facts.passed(statement);
        }
        let cells = Cells { places: &self.places, facts: &self.facts };
        let mut other = other.to_vec();
        for at in (0..one.len()).rev() {
            let StatementKind::Write { view, indices, value: value @ (Exp::Var(_) | Exp::Const(_)) } =
                &one[at].kind
            else {
                continue;
            };
            let Some(address) = cells.address(*view, indices) else { continue };
            let elsewhere = |other: Var| self.places.in_different_blocks(*view, other);
            let is_same = |view: Var, indices: &[Exp]| {
                cells.address(view, indices).is_some_and(|found| found == address)
            };
            // until the cell is written again it is read for the value alone, and from then on nothing of the block
            let (mut overwritten, mut fits) = (false, true);
            for statement in one[at + 1..].iter().chain(&other) {
                let ours = !overwritten;
                statement.kind.for_each_exp(&mut |exp| {
                    exp.for_each_read(&mut |view, indices| {
                        fits &= elsewhere(view) || ours && is_same(view, indices)
                    });
                });
                match &statement.kind {
                    StatementKind::Write { view, indices, .. } if !elsewhere(*view) => {
                        fits &= ours && is_same(*view, indices);
                        overwritten = true;
                    }
                    StatementKind::Copy { .. } => fits = false,
                    _ => {}
                }
            }
            if !fits || !overwritten {
                continue;
            }
            let value = value.clone();
            let mut read = false;
            let (_, behind) = one.split_at_mut(at + 1);
            for statement in behind.iter_mut().chain(&mut other) {
                statement.kind.for_each_exp_mut(&mut |exp| read |= hand_over(exp, &is_same, &value));
            }
            if read {
                one.remove(at);
                one.append(&mut other);
                return Some(one);
            }
        }
        None
    }
}

/// Puts a value in place of reads of its cell; whether there are any.
fn hand_over(exp: &mut Exp, is_same: &dyn Fn(Var, &[Exp]) -> bool, value: &Exp) -> bool {
    if let Exp::Read { view, indices } = exp
        && is_same(*view, indices)
    {
        *exp = value.clone();
        return true;
    }
    let mut found = false;
    exp.for_each_child_mut(&mut |child| found |= hand_over(child, is_same, value));
    found
}
