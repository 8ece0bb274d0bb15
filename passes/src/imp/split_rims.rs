//! Loops over arrays with a rim: where a branch or a clamp on the counter goes one way but for a few iterations at the ends, those in
//! the middle run without it.
//!
//! ```text
//! for j < n simd {
//!   if and.bool(gt.i64(j, 0), lt.i64(j, sub.i64(n, 1))) { y[j] := add.f32(x[j - 1], x[j + 1]) } else { y[j] := x[j] }
//! }
//! ```
//! becomes
//! ```text
//! let first = max.i64(0, 1)
//! let last = min.i64(n, sub.i64(clamp(sub.i64(n, 1)), 0))
//! let inner = sub.i64(last, first)
//! if and.bool(gt.i64(inner, 0), le.i64(sub.i64(n, inner), 16)) {
//!   for t < inner simd { let j = add.i64(first, t); if true { … } else { … } }
//!   for t < sub.i64(n, inner) seq { let j = select(lt.i64(t, first), t, add.i64(t, inner)); … as before }
//! } else { … the loop as before }
//! ```
//!
//! Done for innermost loops whose iterations are independent (I6) and cannot fail, so that their order shows nowhere, where a branch that
//! reads or writes, a clamp, or what is left of an index when it is divided by the bound, depends on comparisons of `j + c` or `c - j` with numbers that stay the same. Comparisons with constants
//! are taken to hold above them, others below: where that is wrong, or the rim is not thin, the loop runs as it was, which is found out
//! when it runs; so it does where a number is beyond 2^61, as sums could wrap around. A loop of a few iterations, by a constant, stays.
//!
//! Requires and ensures I1–I10. Cost: linear in the size of the program; a loop of at most 80 statements is written three times.

mod middle;

use super::copy::{can_fail, fresh, replace};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use imp::build::{Builder, bin};
use imp::ir::{Exp, LoopKind, Program, Statement, StatementKind};
use imp::visit::{for_each_statement, names_after};
use middle::{Limit, Middle};
use std::collections::BTreeSet;

/// Iterations at the ends that are worth a loop of their own without vectors.
const RIM: i64 = 16;
/// Statements of a body that is written three times.
const MOST_STATEMENTS: usize = 80;
/// Counters and what is compared with them are below this, where sums cannot wrap around.
const FAR: i64 = 1 << 61;

/// Splits the loops of a program.
pub fn run(mut program: Program) -> Program {
    let mut builder = Builder::new(names_after(&program));
    for procedure in &mut program.procedures {
        let mut changing = BTreeSet::new();
        for_each_statement(&procedure.body, &mut |statement| match &statement.kind {
            StatementKind::Assign { var, .. } => drop(changing.insert(*var)),
            StatementKind::Call { results, .. } => changing.extend(results),
            _ => {}
        });
        statements(&mut procedure.body, &mut Bounds { changing, around: Vec::new() }, &mut builder);
    }
    program
}

/// What loops around a place count up to.
struct Bounds {
    /// Variables that are assigned somewhere.
    changing: BTreeSet<Var>,
    /// The bounds, those of inner loops last.
    around: Vec<Exp>,
}

impl Bounds {
    /// Whether evaluating the expression can stop the program: a bound is a divisor above 0 inside of its loop.
    fn can_fail(&self, exp: &Exp) -> bool {
        match exp {
            Exp::Bin(BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem, PrimType::I64, x, divisor)
                if self.around.contains(divisor) =>
            {
                self.can_fail(x)
            }
            _ => can_fail(exp),
        }
    }
}

fn statements(list: &mut Vec<Statement>, bounds: &mut Bounds, b: &mut Builder) {
    let mut done = Vec::with_capacity(list.len());
    for mut statement in std::mem::take(list) {
        let depth = bounds.around.len();
        if let StatementKind::For { ty: PrimType::I64, bound: bound @ Exp::Var(var), .. } = &statement.kind
            && !bounds.changing.contains(var)
        {
            bounds.around.push(bound.clone());
        }
        statement.kind.for_each_body_mut(&mut |body| statements(body, bounds, b));
        let outer = b.begin();
        b.loc = statement.loc;
        let split = split(&statement, bounds, b);
        bounds.around.truncate(depth);
        let new = b.end(outer);
        match split {
            Some(()) => done.extend(new),
            None => done.push(statement),
        }
    }
    *list = done;
}

/// Adds what takes the place of a loop; adds nothing where it stays.
fn split(statement: &Statement, bounds: &Bounds, b: &mut Builder) -> Option<()> {
    let i64 = PrimType::I64;
    let StatementKind::For { var, ty: PrimType::I64, bound, kind, body } = &statement.kind else {
        return None;
    };
    let short = matches!(bound, Exp::Const(count) if count.as_i64().is_some_and(|count| count <= 2 * RIM));
    if short || !matches!(kind, LoopKind::Par | LoopKind::Simd) || !is_simple(body, bounds) {
        return None;
    }
    let Middle { body: inside, limits, near_zero } = Middle::of(*var, bound, body)?;
    let count = Exp::Var(b.let_("count", i64, bound.clone()));
    let (mut first, mut last) = (Exp::i64(0), count.clone());
    for limit in limits {
        match limit {
            Limit::From(limit) => first = bin(BinOp::Max, i64, first, limit),
            Limit::Below(limit) => last = bin(BinOp::Min, i64, last, limit),
        }
    }
    let first = Exp::Var(b.let_("first", i64, first));
    let last = Exp::Var(b.let_("last", i64, last));
    let inner = Exp::Var(b.let_("inner", i64, bin(BinOp::Sub, i64, last, first.clone())));
    let rim = Exp::Var(b.let_("rim", i64, bin(BinOp::Sub, i64, count.clone(), inner.clone())));
    let both = |x, y| bin(BinOp::And, PrimType::Bool, x, y);
    let mut thin = both(
        bin(BinOp::Gt, i64, inner.clone(), Exp::i64(0)),
        bin(BinOp::Le, i64, rim.clone(), Exp::i64(RIM)),
    );
    thin = both(thin, bin(BinOp::Lt, i64, count, Exp::i64(FAR)));
    for number in near_zero {
        let above = bin(BinOp::Gt, i64, number.clone(), Exp::i64(-FAR));
        thin = both(thin, both(above, bin(BinOp::Lt, i64, number, Exp::i64(FAR))));
    }
    let (then, ()) = b.nested(|b| {
        let (same, inside) = what_is_the_same(fresh(&inside, &mut b.names), *var, bounds);
        b.push_all(same);
        b.for_("t", inner.clone(), *kind, |b, t| {
            let index = b.let_(var.text, i64, bin(BinOp::Add, i64, first.clone(), t));
            again(&inside, *var, index, b);
        });
        b.for_("t", rim, LoopKind::Seq, |b, t| {
            let before = Box::new(bin(BinOp::Lt, i64, t, first));
            let behind = Box::new(bin(BinOp::Add, i64, t, inner));
            let index = b.let_(var.text, i64, Exp::Select(before, Box::new(t.into()), behind));
            again(body, *var, index, b);
        });
    });
    b.push(StatementKind::If { condition: thin, then, otherwise: vec![statement.clone()] });
    Some(())
}

/// Scalars of a body that are the same in all iterations, of which there are some; and the rest of it.
fn what_is_the_same(body: Vec<Statement>, counter: Var, bounds: &Bounds) -> (Vec<Statement>, Vec<Statement>) {
    let mut own = BTreeSet::from([counter]);
    for_each_statement(&body, &mut |statement| own.extend(statement.kind.declares()));
    body.into_iter().partition(|statement| {
        let StatementKind::Let { var, value, .. } = &statement.kind else { return false };
        let mut same = !value.reads() && !bounds.can_fail(value);
        value.for_each_var(&mut |used| same &= !own.contains(&used));
        if same {
            own.remove(var);
        }
        same
    })
}

/// The body of a loop for an index.
fn again(body: &[Statement], var: Var, index: Var, b: &mut Builder) {
    let mut body = fresh(body, &mut b.names);
    replace(&mut body, var, index);
    b.push_all(body);
}

/// Whether a body is that of an innermost loop, cannot fail and is not too long.
fn is_simple(body: &[Statement], bounds: &Bounds) -> bool {
    let (mut simple, mut count) = (true, 0);
    for_each_statement(body, &mut |statement| {
        count += 1;
        statement.kind.for_each_exp(&mut |exp| simple &= !bounds.can_fail(exp));
        simple &= matches!(
            statement.kind,
            StatementKind::Let { .. }
                | StatementKind::Declare { .. }
                | StatementKind::Assign { .. }
                | StatementKind::Write { .. }
                | StatementKind::Accumulate { .. }
                | StatementKind::View { .. }
                | StatementKind::Window { .. }
                | StatementKind::If { .. }
        );
    });
    simple && count <= MOST_STATEMENTS
}
