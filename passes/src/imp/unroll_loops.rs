//! Short loops in loops that could run in vectors are written out.
//!
//! ```text
//! for j < n simd {
//!   var sum : f32 = 0
//!   for a < 3 fold { sum := add.f32(sum, mul.f32(X[add.i64(j, a)], F[a])) }
//!   Y[j] := sum
//! }
//! ```
//! becomes
//! ```text
//! for j < n simd {
//!   var sum : f32 = 0
//!   sum := add.f32(sum, mul.f32(X[add.i64(j, 0)], F[0]))
//!   sum := add.f32(sum, mul.f32(X[add.i64(j, 1)], F[1]))
//!   sum := add.f32(sum, mul.f32(X[add.i64(j, 2)], F[2]))
//!   Y[j] := sum
//! }
//! ```
//! The outer loop is the innermost one then, whose iterations are independent (I6), and each of its vectors has that many points; the sums of a
//! short loop would be too few to fill one. The statements run in the order in which they ran.
//!
//! Done where nothing but short loops, by constants, stands inside of the outer loop, which write no arrays, while there are at most [`MOST_ITERATIONS`] of them in all
//! and [`MOST_STATEMENTS`] statements come of it. Branches would have to be decided for each lane: they may stand there where they can be choices (`convert-branches`), and become that, or,
//! without loops and writes inside, where an elementary function is computed, whose vectors gain more than lanes lose that take both ways.
//!
//! A short loop around a longer one, both independent, goes into it and is written out there as well, if some of what it reads is the same in all its
//! iterations, and so is read once:
//!
//! ```text
//! for h < 2 simd { for r < s simd { let x = X[r] … Y[h, r] := … } }
//! ```
//! becomes
//! ```text
//! for r < s simd { let x = X[r] … Y[0, r] := … … Y[1, r] := … }
//! ```
//! No iteration writes what another reads (I6), so what is the same in all of them can be read before any of them writes.
//!
//! Requires and ensures I1–I10. Cost: linear in the size of the program, and in what is written out.

use super::convert_branches::{can_be_choices, convert_in_lanes};
use super::copy::{can_fail, fresh};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, UnOp};
use fun_base::source::Loc;
use imp::build::Builder;
use imp::ir::{Exp, LoopKind, Program, Statement, StatementKind};
use imp::visit::{for_each_statement, names_after};
use std::collections::BTreeSet;

/// The most iterations of short loops in one iteration of the loop around, of the product of their bounds.
const MOST_ITERATIONS: i64 = 32;
/// The most copies of the body of a loop that goes into another.
const MOST_COPIES: i64 = 4;
/// The most statements that come of one loop.
const MOST_STATEMENTS: i64 = 640;

/// Unrolls in a program.
pub fn run(mut program: Program) -> Program {
    let mut builder = Builder::new(names_after(&program));
    for procedure in &mut program.procedures {
        statements(&mut procedure.body, &mut builder);
    }
    program
}

fn statements(list: &mut [Statement], b: &mut Builder) {
    for statement in list {
        if let Some(inside) = Inside::of(statement) {
            statement.kind = inside.written_out(b);
            continue;
        }
        if let StatementKind::For { kind: LoopKind::Par | LoopKind::Simd, body, bound, .. } =
            &mut statement.kind
            && count(bound).is_none()
            && body.iter().any(|inner| matches!(inner.kind, StatementKind::For { .. }))
            && let branches = if is_elementary_in(body) { Branches::Plain } else { Branches::Choices }
            && size(body, None, branches).is_some_and(|size| size <= MOST_STATEMENTS)
        {
            let outer = b.begin();
            written_out(std::mem::take(body), b);
            *body = b.end(outer);
            if branches == Branches::Choices {
                *body = convert_in_lanes(std::mem::take(body), b);
            }
        } else {
            statement.kind.for_each_body_mut(&mut |body| statements(body, b));
        }
    }
}

/// A short loop around a longer one, to be written out inside of it.
struct Inside<'s> {
    short: Var,
    count: i64,
    /// The longer loop, as it runs when the short one is gone.
    var: Var,
    bound: &'s Exp,
    kind: LoopKind,
    /// What is the same in all iterations of the short one, and what is not.
    shared: Vec<Statement>,
    own: Vec<Statement>,
    loc: Option<Loc>,
}

impl Inside<'_> {
    fn of(statement: &Statement) -> Option<Inside<'_>> {
        let StatementKind::For { var: short, ty: PrimType::I64, bound: Exp::Const(count), kind: outer, body } =
            &statement.kind
        else {
            return None;
        };
        let [Statement { kind: StatementKind::For { var, ty: PrimType::I64, bound, kind, body }, loc }] =
            body.as_slice()
        else {
            return None;
        };
        let count = count.as_i64().filter(|count| (2..=MOST_COPIES).contains(count))?;
        let parallel = |kind: &LoopKind| matches!(kind, LoopKind::Par | LoopKind::Simd);
        if !parallel(outer) || !parallel(kind) || !matches!(bound, Exp::Var(other) if other != short) {
            return None;
        }
        // variables that are not the same in all iterations of the short loop
        let mut own = BTreeSet::from([*short]);
        let (mut simple, mut size) = (true, 0);
        for_each_statement(body, &mut |statement| {
            size += 1;
            simple &= matches!(
                statement.kind,
                StatementKind::Let { .. }
                    | StatementKind::Declare { .. }
                    | StatementKind::Assign { .. }
                    | StatementKind::View { .. }
                    | StatementKind::Window { .. }
                    | StatementKind::Write { .. }
                    | StatementKind::If { .. }
            );
            statement.kind.for_each_exp(&mut |exp| simple &= !can_fail(exp));
            let mut differs = !matches!(statement.kind, StatementKind::Let { .. });
            statement.kind.for_each_use(&mut |var| differs |= own.contains(&var));
            own.extend(statement.kind.declares().filter(|_| differs));
        });
        if !simple || size * count > MOST_STATEMENTS {
            return None;
        }
        let is_shared = |statement: &Statement| match &statement.kind {
            StatementKind::Let { var, .. } => !own.contains(var),
            _ => false,
        };
        let (shared, own): (Vec<Statement>, Vec<Statement>) = body.iter().cloned().partition(is_shared);
        let reads = |statement: &Statement| matches!(&statement.kind, StatementKind::Let { value, .. } if value.reads());
        let kind = if *outer == LoopKind::Par { *outer } else { *kind };
        shared.iter().any(reads).then(|| Inside {
            short: *short,
            count,
            var: *var,
            bound,
            kind,
            shared,
            own,
            loc: *loc,
        })
    }

    fn written_out(&self, b: &mut Builder) -> StatementKind {
        let mut body = self.shared.clone();
        for k in 0..self.count {
            let counter = StatementKind::Let { var: self.short, ty: PrimType::I64, value: Exp::i64(k) };
            let mut copy = vec![Statement { kind: counter, loc: self.loc }];
            copy.extend(self.own.iter().cloned());
            body.extend(fresh(&copy, &mut b.names));
        }
        StatementKind::For {
            var: self.var,
            ty: PrimType::I64,
            bound: self.bound.clone(),
            kind: self.kind,
            body,
        }
    }
}

/// How often a short loop runs.
fn count(bound: &Exp) -> Option<i64> {
    let Exp::Const(count) = bound else { return None };
    count.as_i64().filter(|count| (0..=MOST_ITERATIONS).contains(count))
}

/// Which branches may be written out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Branches {
    /// Those that do nothing but compute.
    Plain,
    /// Those that can be choices.
    Choices,
}

/// How many statements come of a body, if it can be written out; if it is that of short loops, they run so many times.
fn size(body: &[Statement], times: Option<i64>, branches: Branches) -> Option<i64> {
    body.iter().try_fold(0, |total, statement| {
        let own = match &statement.kind {
            StatementKind::For { ty: PrimType::I64, bound, body, .. } => {
                let times = times.unwrap_or(1) * count(bound)?.max(1);
                (times <= MOST_ITERATIONS).then_some(())?;
                size(body, Some(times), branches)?
            }
            StatementKind::If { then, otherwise, .. } => {
                let (mut count, mut computes) = (1, true);
                for arm in [then, otherwise] {
                    for_each_statement(arm, &mut |inner| {
                        count += 1;
                        computes &= matches!(
                            inner.kind,
                            StatementKind::Let { .. }
                                | StatementKind::Declare { .. }
                                | StatementKind::Assign { .. }
                                | StatementKind::If { .. }
                        );
                    });
                }
                let may = match branches {
                    Branches::Plain => computes,
                    Branches::Choices => can_be_choices(then, otherwise),
                };
                may.then_some(count * times.unwrap_or(1))?
            }
            StatementKind::Let { .. }
            | StatementKind::Declare { .. }
            | StatementKind::Assign { .. }
            | StatementKind::View { .. }
            | StatementKind::Window { .. } => times.unwrap_or(1),
            StatementKind::Write { .. } if times.is_none() => 1,
            _ => return None,
        };
        Some(total + own)
    })
}

/// Whether a body computes elementary functions.
fn is_elementary_in(body: &[Statement]) -> bool {
    let mut found = false;
    for_each_statement(body, &mut |statement| {
        statement.kind.for_each_exp(&mut |exp| found |= is_elementary(exp));
    });
    found
}

fn is_elementary(exp: &Exp) -> bool {
    let mut found = match exp {
        Exp::Un(op, PrimType::F32 | PrimType::F64, _) => matches!(
            op,
            UnOp::Exp
                | UnOp::Exp2
                | UnOp::Exp10
                | UnOp::Expm1
                | UnOp::Log
                | UnOp::Log2
                | UnOp::Log10
                | UnOp::Log1p
                | UnOp::Sin
                | UnOp::Cos
                | UnOp::Tan
                | UnOp::Asin
                | UnOp::Acos
                | UnOp::Atan
                | UnOp::Sinh
                | UnOp::Cosh
                | UnOp::Tanh
        ),
        Exp::Bin(op, PrimType::F32 | PrimType::F64, ..) => matches!(op, BinOp::Pow | BinOp::Atan2),
        _ => false,
    };
    exp.for_each_child(&mut |child| found |= is_elementary(child));
    found
}

/// Adds the statements of a body without its loops.
fn written_out(body: Vec<Statement>, b: &mut Builder) {
    for statement in body {
        b.loc = statement.loc;
        let StatementKind::For { var, ty, bound, body, .. } = &statement.kind else {
            b.push(statement.kind);
            continue;
        };
        for k in 0..count(bound).unwrap_or(0) {
            let counter = StatementKind::Let { var: *var, ty: *ty, value: Exp::i64(k) };
            let mut copy = vec![Statement { kind: counter, loc: statement.loc }];
            copy.extend(body.iter().cloned());
            written_out(fresh(&copy, &mut b.names), b);
        }
    }
}
