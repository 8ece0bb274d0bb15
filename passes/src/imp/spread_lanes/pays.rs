//! Whether lanes are worth it.

use super::chains;
use super::varying::Varying;
use super::while_loops::{has_assertions, touches_memory};
use crate::imp::copy::{has_loops, writes};
use crate::imp::fuse_loops::access::Places;
use crate::imp::numbers::Numbers;
use crate::imp::split_folds::accumulators;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, UnOp};
use fun_index::poly::Poly;
use imp::ir::{Exp, LoopKind, Statement, StatementKind};

/// How often a loop is taken to run where its bound is not known, and what it counts for at most otherwise.
const USUAL_COUNT: i64 = 64;
/// Loops that run less often in all are written out instead (`unroll-loops`).
const FEW: i64 = 32;
/// What it costs to copy a cell from or to a row, and how many statements of a vector loop take one cycle for a cell.
const CYCLES_TO_COPY: i64 = 5;
const IN_A_VECTOR: i64 = 4;
/// How many statements a machine runs in a cycle, and how many times as much they must take as copies of rows of a few cells.
const IN_ORDER: i64 = 4;
const MUCH_LESS: i64 = 2;
/// Rows whose iterations wait less than this in all are computed side by side by the machine.
const CYCLES_THAT_OVERLAP: i64 = 384;
/// Of so many statements, one may be such that lanes don't run it as vectors.
const GOOD_FOR_ONE: i64 = 8;

/// What a body does, as often as it does it.
pub(super) struct Tally<'a> {
    counter: Var,
    varying: &'a Varying<'a>,
    places: &'a Places,
    numbers: &'a Numbers,
    /// Statements in inner loops, as often as these run, and what of them is no vector in lanes.
    all: i64,
    bad: i64,
    /// The statements of innermost loops that would not run in vectors by themselves, and of those that would, as often as these run.
    needed: i64,
    in_vectors: i64,
    /// The cycles that iterations of innermost loops wait for those before them.
    waits: i64,
    /// How many cells are copied.
    copied: i64,
}

impl<'a> Tally<'a> {
    /// Of a body with enough iterations.
    pub(super) fn of(
        counter: Var,
        bound: &Exp,
        body: &[Statement],
        varying: &'a Varying<'a>,
        places: &'a Places,
        numbers: &'a Numbers,
    ) -> Option<Tally<'a>> {
        if matches!(bound, Exp::Const(count) if count.as_i64() < Some(FEW)) {
            return None;
        }
        let (all, bad, needed, in_vectors, waits, copied) = (0, 0, 0, 0, 0, 0);
        let mut tally =
            Tally { counter, varying, places, numbers, all, bad, needed, in_vectors, waits, copied };
        tally.body(body, 1, false);
        Some(tally)
    }

    /// Whether an inner loop would not run in vectors by itself, and lanes do.
    pub(super) fn pays(&self) -> bool {
        self.lanes_are_good() && self.needed > self.in_vectors
    }

    /// Whether copies of rows of a few cells pay, in whose loops nobody waits: these have many statements for each cell.
    pub(super) fn few_cells_pay(&self) -> bool {
        self.lanes_are_good()
            && self.waits == 0
            && self.all > (IN_ORDER * MUCH_LESS).saturating_mul(self.beside_waiting())
    }

    /// From which length on copies of rows pay: iterations of inner loops wait longer than cells are copied, and longer than it takes that those of shorter
    /// rows overlap.
    pub(super) fn least_row(&self) -> Option<i64> {
        let longer = self.waits > self.beside_waiting();
        (self.lanes_are_good() && longer && self.waits > 0)
            .then(|| USUAL_COUNT * CYCLES_THAT_OVERLAP / self.waits)
    }

    /// The cycles that copies of rows take, and loops that run in vectors by themselves.
    fn beside_waiting(&self) -> i64 {
        CYCLES_TO_COPY.saturating_mul(self.copied).saturating_add(self.in_vectors / IN_A_VECTOR)
    }

    fn lanes_are_good(&self) -> bool {
        self.bad.saturating_mul(GOOD_FOR_ONE) <= self.all
    }

    fn body(&mut self, body: &[Statement], weight: i64, in_loop: bool) {
        for statement in body {
            match &statement.kind {
                StatementKind::For { var, bound, kind, body, .. } => {
                    let count = match bound {
                        Exp::Const(count) => count.as_i64().unwrap_or(USUAL_COUNT).clamp(1, USUAL_COUNT),
                        _ => USUAL_COUNT,
                    };
                    let weight = weight.saturating_mul(count);
                    // lanes come together for each, so that in a loop that all leave at once little is left between them
                    let asserted = |statement: &&Statement| match &statement.kind {
                        StatementKind::Assert { condition, .. } => self.varying.exp(condition),
                        StatementKind::If { .. } => has_assertions([*statement]),
                        _ => false,
                    };
                    let asserted = i64::try_from(body.iter().filter(asserted).count()).unwrap_or(i64::MAX);
                    self.bad =
                        self.bad.saturating_add(weight.saturating_mul(asserted.saturating_mul(GOOD_FOR_ONE)));
                    let written_out = kind.is_parallel() && has_loops(body) && written_out(body) <= FEW;
                    if weight > FEW && written_out && self.runs_in_vectors(*var, *kind, body) {
                        // (its inner loops are statements of it)
                        let in_vectors =
                            self.in_vectors.saturating_add(weight.saturating_mul(statements_in(body)));
                        let needed = self.needed;
                        self.body(body, weight, true);
                        (self.needed, self.in_vectors) = (needed, in_vectors);
                        continue;
                    }
                    // (short ones that write arrays are not written out)
                    if (weight > FEW || writes(body)) && !has_loops(body) {
                        let statements = weight.saturating_mul(i64::try_from(body.len()).unwrap_or(i64::MAX));
                        match self.runs_in_vectors(*var, *kind, body) {
                            false => self.needed = self.needed.saturating_add(statements),
                            true => self.in_vectors = self.in_vectors.saturating_add(statements),
                        }
                        // a few more are written out rather than that rows are copied
                        if weight > 2 * FEW || !matches!(bound, Exp::Const(_)) {
                            let wait = chains::wait(*var, *kind, body, self.places, self.numbers);
                            self.waits = self.waits.saturating_add(weight.saturating_mul(wait));
                        }
                    }
                    self.body(body, weight, true);
                }
                StatementKind::If { condition, then, otherwise } => {
                    if self.varying.exp(condition) && in_loop {
                        let touches = |body: &[Statement]| body.iter().any(touches_memory);
                        let bad = GOOD_FOR_ONE * i64::from(touches(then) || touches(otherwise));
                        self.bad = self.bad.saturating_add(weight.saturating_mul(bad));
                    }
                    self.body(then, weight, in_loop);
                    self.body(otherwise, weight, in_loop);
                }
                // those who are done wait, which is what it costs; alone it would run in no vectors
                StatementKind::While { body, .. } => {
                    let weight = weight.saturating_mul(USUAL_COUNT);
                    let all = i64::try_from(body.len()).unwrap_or(i64::MAX);
                    if body.iter().any(touches_memory) && !halves(body) {
                        // it would be one lane that goes on while others wait
                        self.bad =
                            self.bad.saturating_add(weight.saturating_mul(all.saturating_mul(GOOD_FOR_ONE)));
                    }
                    if !body.iter().any(touches_memory) {
                        let bad = GOOD_FOR_ONE.saturating_mul(long_divisions(body));
                        self.bad = self.bad.saturating_add(weight.saturating_mul(bad));
                    }
                    let statements = weight.saturating_mul(i64::try_from(body.len()).unwrap_or(i64::MAX));
                    self.needed = self.needed.saturating_add(statements);
                    self.body(body, weight, true);
                }
                StatementKind::Copy { dest, source } => {
                    let cells = weight.saturating_mul(self.turned(*dest, *source));
                    self.copied = self.copied.saturating_add(cells);
                }
                _ if in_loop => self.statement(statement, weight),
                _ => {}
            }
        }
    }

    /// How many cells of a copy are near each other for lanes on one side alone.
    fn turned(&self, dest: Var, source: Var) -> i64 {
        let own =
            |view| self.varying.block_of(view).is_some_and(|block| self.varying.own_blocks.contains(&block));
        let Some((_, _, lmad)) = self.places.place(dest).filter(|_| own(dest) != own(source)) else {
            return 0;
        };
        let size = |size: &Poly| size.as_constant().unwrap_or(USUAL_COUNT).clamp(1, USUAL_COUNT);
        lmad.sizes().iter().map(size).fold(1, i64::saturating_mul)
    }

    fn statement(&mut self, statement: &Statement, weight: i64) {
        self.all = self.all.saturating_add(weight);
        let mut bad = 0;
        let mut access = |view: Var, indices: &[Exp]| bad += i64::from(!self.is_in_row(view, indices));
        statement.kind.for_each_exp(&mut |exp| exp.for_each_read(&mut access));
        if let StatementKind::Write { view, indices, .. } | StatementKind::Accumulate { view, indices, .. } =
            &statement.kind
        {
            access(*view, indices);
        }
        statement.kind.for_each_exp(&mut |exp| bad += self.without_vectors(exp));
        self.bad = self.bad.saturating_add(weight.saturating_mul(bad));
    }

    /// Whether lanes touch neighbouring cells, or the same one.
    fn is_in_row(&self, view: Var, indices: &[Exp]) -> bool {
        if self.varying.block_of(view).is_some_and(|block| self.varying.own_blocks.contains(&block)) {
            return !indices.iter().any(|index| self.varying.exp(index));
        }
        if !self.varying.has(view) && !indices.iter().any(|index| self.varying.exp(index)) {
            return true;
        }
        let address = self.places.place(view).and_then(|(_, _, lmad)| self.numbers.address(lmad, indices));
        address.is_some_and(|address| {
            let mut others = false;
            address.for_each_var(&mut |var| others |= var != self.counter && self.varying.has(var));
            !others && matches!(address.step(self.counter).as_constant(), Some(0 | 1))
        })
    }

    /// How many operators on what differs have no vectors, those that take long several times.
    fn without_vectors(&self, exp: &Exp) -> i64 {
        let mut count = 0;
        exp.for_each_child(&mut |child| count += self.without_vectors(child));
        let own = lacks_vectors(exp);
        count + GOOD_FOR_ONE * i64::from(own && self.varying.exp(exp))
    }

    /// Whether the iterations of an innermost loop run in vectors as they are.
    fn runs_in_vectors(&self, counter: Var, kind: LoopKind, body: &[Statement]) -> bool {
        let mut in_rows = true;
        let mut access = |view: Var, indices: &[Exp]| {
            let address =
                self.places.place(view).and_then(|(_, _, lmad)| self.numbers.address(lmad, indices));
            in_rows &=
                address.is_some_and(|address| matches!(address.step(counter).as_constant(), Some(-1..=1)));
        };
        imp::visit::for_each_statement(body, &mut |statement| {
            statement.kind.for_each_exp(&mut |exp| exp.for_each_read(&mut access));
            if let StatementKind::Write { view, indices, .. }
            | StatementKind::Accumulate { view, indices, .. } = &statement.kind
            {
                access(*view, indices);
            }
        });
        in_rows
            && match kind {
                LoopKind::Par | LoopKind::Simd => true,
                LoopKind::Fold => accumulators(body).is_some(),
                _ => false,
            }
    }
}

/// Whether a loop divides a number by a constant, as searches by halving do: then lanes leave it after about as many iterations. Where chains are followed, or rows read to their ends, some
/// take many times as many as others.
fn halves(body: &[Statement]) -> bool {
    fn divides(exp: &Exp) -> bool {
        let mut found = matches!(exp, Exp::Bin(BinOp::Div | BinOp::Quot | BinOp::Shr | BinOp::ShrLogical, ty, _, by) if ty.is_int() && matches!(**by, Exp::Const(_)));
        exp.for_each_child(&mut |child| found |= divides(child));
        found
    }
    let mut found = false;
    imp::visit::for_each_statement(body, &mut |statement| {
        statement.kind.for_each_exp(&mut |exp| found |= divides(exp));
    });
    found
}

/// How many divisions by constants are no shifts. Vectors take longer for these: sums of the decimal digits of a million numbers took 18.6 ms in lanes and 7.6 in order (`i32`: 17.3 and 4.3), and by
/// the JIT, which has none, 27.2 and 25.0 (20.3 and 16.0).
fn long_divisions(body: &[Statement]) -> i64 {
    fn divisions(exp: &Exp) -> i64 {
        let divides = |op: &BinOp| matches!(op, BinOp::Div | BinOp::Quot | BinOp::Mod | BinOp::Rem);
        let is_shift = |by: &Exp| matches!(by, Exp::Const(by) if by.as_int().is_some_and(|by| by > 0 && by & (by - 1) == 0));
        let own = matches!(exp, Exp::Bin(op, ty, _, by) if divides(op) && ty.is_int() && !is_shift(by));
        let mut count = i64::from(own);
        exp.for_each_child(&mut |child| count += divisions(child));
        count
    }
    let mut count = 0;
    imp::visit::for_each_statement(body, &mut |statement| {
        statement.kind.for_each_exp(&mut |exp| count += divisions(exp));
    });
    count
}

/// Whether evaluating an expression takes operators without vectors.
pub(in crate::imp) fn has_no_vectors(exp: &Exp) -> bool {
    let mut found = lacks_vectors(exp);
    exp.for_each_child(&mut |child| found |= has_no_vectors(child));
    found
}

/// Whether the operator of an expression has no vectors.
fn lacks_vectors(exp: &Exp) -> bool {
    match exp {
        Exp::Bin(op, ty, _, divisor) => match op {
            BinOp::Div | BinOp::Quot | BinOp::Rem | BinOp::Mod if !ty.is_float() => {
                !matches!(**divisor, Exp::Const(_))
            }
            BinOp::Mod | BinOp::Rem | BinOp::NextAfter | BinOp::Ldexp => true,
            _ => *ty == PrimType::F16,
        },
        Exp::Un(op, ty, _) => match op {
            UnOp::Neg | UnOp::Not | UnOp::Abs | UnOp::Floor | UnOp::Ceil | UnOp::Trunc => false,
            UnOp::ToBits | UnOp::FromBits | UnOp::IsNan | UnOp::IsInf => false,
            UnOp::Sqrt | UnOp::Cbrt | UnOp::Rsqrt | UnOp::Round => *ty == PrimType::F16,
            UnOp::Exp | UnOp::Exp2 | UnOp::Exp10 | UnOp::Expm1 => *ty == PrimType::F16,
            UnOp::Log | UnOp::Log2 | UnOp::Log10 | UnOp::Log1p => *ty == PrimType::F16,
            UnOp::Sin | UnOp::Cos | UnOp::Tan | UnOp::Asin | UnOp::Acos | UnOp::Atan => *ty == PrimType::F16,
            UnOp::Sinh | UnOp::Cosh | UnOp::Tanh => *ty == PrimType::F16,
            UnOp::Asinh | UnOp::Acosh | UnOp::Atanh => *ty == PrimType::F16,
            UnOp::Sinpi | UnOp::Cospi | UnOp::Tanpi => *ty == PrimType::F16,
            UnOp::Asinpi | UnOp::Acospi | UnOp::Atanpi => *ty == PrimType::F16,
            UnOp::Erf | UnOp::Erfc | UnOp::Gamma | UnOp::Lgamma => *ty == PrimType::F16,
            _ => true,
        },
        _ => false,
    }
}

/// How often the innermost statements run in loops that all have few iterations, so that these are written out; more than [`FEW`] where others are inside.
fn written_out(body: &[Statement]) -> i64 {
    let of = |statement: &Statement| match &statement.kind {
        StatementKind::For { bound: Exp::Const(count), body, .. } => {
            count.as_i64().unwrap_or(USUAL_COUNT).max(1).saturating_mul(written_out(body))
        }
        StatementKind::For { .. } | StatementKind::While { .. } | StatementKind::Call { .. } => FEW + 1,
        StatementKind::If { then, otherwise, .. } => written_out(then).max(written_out(otherwise)),
        _ => 1,
    };
    body.iter().map(of).fold(1, i64::max)
}

/// How many statements run in a body, with loops of known numbers of iterations inside.
fn statements_in(body: &[Statement]) -> i64 {
    let of = |statement: &Statement| match &statement.kind {
        StatementKind::For { bound: Exp::Const(count), body, .. } => {
            count.as_i64().unwrap_or(USUAL_COUNT).max(0).saturating_mul(statements_in(body))
        }
        StatementKind::If { then, otherwise, .. } => {
            statements_in(then).saturating_add(statements_in(otherwise))
        }
        _ => 1,
    };
    body.iter().map(of).fold(0, i64::saturating_add)
}
