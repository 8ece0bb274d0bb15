//! Estimates of what statements cost, in about nanoseconds: backends run parallel loops that are not worth it in order.

use crate::ir::{Exp, Program, Statement, StatementKind, WindowDim};
use fun_base::name::Symbol;
use fun_base::prim::{BinOp, PrimType, UnOp};
use std::collections::BTreeSet;

/// Iterations of a loop about which nothing is known.
pub const UNKNOWN_COUNT: f64 = 16.0;
/// An access, or a step of a loop.
pub const MEMORY: f64 = 1.0;
const FUNCTION: f64 = 20.0;
const ALLOCATION: f64 = 50.0;
const COPY: f64 = 50.0;

/// What statements cost.
#[derive(Clone, Copy, Debug)]
pub struct Estimate {
    /// In about nanoseconds.
    pub cost: f64,
    /// Whether that is a guess: loops run so often as nobody knows.
    pub guessed: bool,
}

impl Estimate {
    /// A call of the procedure itself, however often that calls itself.
    const RECURSION: Estimate = Estimate { cost: 1000.0, guessed: true };

    fn known(cost: f64) -> Estimate {
        Estimate { cost, guessed: false }
    }

    fn plus(self, more: Estimate) -> Estimate {
        Estimate { cost: self.cost + more.cost, guessed: self.guessed || more.guessed }
    }

    /// So many times, as far as that is known.
    fn times(self, count: Option<f64>) -> Estimate {
        let guessed = self.guessed || count.is_none();
        Estimate { cost: count.unwrap_or(UNKNOWN_COUNT) * self.cost, guessed }
    }
}

/// The cost of statements when nothing is known about the counts of loops. `callee` gives that of earlier procedures.
pub fn static_cost(body: &[Statement], callee: &dyn Fn(Symbol) -> Option<Estimate>) -> Estimate {
    let costs = body.iter().map(|statement| statement_cost(&statement.kind, callee));
    costs.fold(Estimate::known(0.0), Estimate::plus)
}

/// The cost of a statement.
pub fn statement_cost(kind: &StatementKind, callee: &dyn Fn(Symbol) -> Option<Estimate>) -> Estimate {
    let inner = |body: &[Statement]| static_cost(body, callee);
    let own = match kind {
        StatementKind::Let { var: _, ty: _, value } | StatementKind::Assign { var: _, value } => {
            exp_cost(value)
        }
        StatementKind::Declare { var: _, ty: _, value } => exps_cost(value),
        StatementKind::Alloc { .. } | StatementKind::Free(_) => ALLOCATION,
        StatementKind::Share(_) => FUNCTION,
        StatementKind::View { .. } => MEMORY,
        StatementKind::Window { var: _, view: _, dims } => dims
            .iter()
            .map(|dim| match dim {
                WindowDim::Fix(index) => exp_cost(index),
                WindowDim::Range { offset, count: _, stride } => exp_cost(offset) + exp_cost(stride),
            })
            .sum(),
        StatementKind::Write { view: _, indices, value } => MEMORY + exps_cost(indices) + exp_cost(value),
        StatementKind::Accumulate { view: _, indices, value }
        | StatementKind::Atomic { view: _, indices, op: _, value } => {
            2.0 * MEMORY + exps_cost(indices) + exp_cost(value)
        }
        StatementKind::Lock { view: _, indices, body: _ } => 2.0 * MEMORY + exps_cost(indices),
        StatementKind::Ordered { words: _, body: _ } => 2.0 * MEMORY,
        StatementKind::Shuffle { dest: _, source: _, direction: _, by, group: _ } => {
            2.0 * MEMORY + exp_cost(by)
        }
        StatementKind::Copy { .. } => COPY,
        StatementKind::For { var: _, ty: _, bound, kind: _, body: _ } => exp_cost(bound),
        StatementKind::While { condition, body: _ } => UNKNOWN_COUNT * exp_cost(condition),
        StatementKind::If { condition, then: _, otherwise: _ } => exp_cost(condition),
        StatementKind::Assert { condition, message: _, args: _ } => exp_cost(condition),
        StatementKind::Call { results: _, procedure: _, args } => MEMORY + exps_cost(args),
    };
    let inside = match kind {
        StatementKind::For { bound, body, .. } => inner(body).times(constant_count(bound)),
        StatementKind::While { body, .. } => inner(body).times(None),
        StatementKind::If { then, otherwise, .. } => {
            let (then, otherwise) = (inner(then), inner(otherwise));
            Estimate { cost: then.cost.max(otherwise.cost), guessed: then.guessed || otherwise.guessed }
        }
        StatementKind::Lock { body, .. } | StatementKind::Ordered { body, .. } => inner(body),
        // only the procedure itself is not known yet
        StatementKind::Call { procedure, .. } => callee(*procedure).unwrap_or(Estimate::RECURSION),
        _ => Estimate::known(0.0),
    };
    Estimate::known(own).plus(inside)
}

/// The count of a loop, where it is a constant.
pub fn constant_count(bound: &Exp) -> Option<f64> {
    match bound {
        Exp::Const(n) => n.as_int().map(|n| n.max(0) as f64),
        Exp::Var(_)
        | Exp::Bin(..)
        | Exp::Un(..)
        | Exp::Fma(..)
        | Exp::Convert { .. }
        | Exp::Select(..)
        | Exp::Read { .. }
        | Exp::Threads
        | Exp::Param { .. } => None,
    }
}

fn exps_cost<'e>(exps: impl IntoIterator<Item = &'e Exp>) -> f64 {
    exps.into_iter().map(exp_cost).sum()
}

fn exp_cost(exp: &Exp) -> f64 {
    match exp {
        Exp::Const(_) | Exp::Var(_) => 0.0,
        Exp::Bin(op, ty, x, y) => {
            let own = match op {
                _ if *ty == PrimType::F16 => FUNCTION,
                BinOp::Pow | BinOp::Atan2 | BinOp::Hypot | BinOp::NextAfter | BinOp::Ldexp => FUNCTION,
                BinOp::Mod if ty.is_float() => FUNCTION,
                BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem => 5.0,
                _ => 0.5,
            };
            own + exp_cost(x) + exp_cost(y)
        }
        Exp::Un(op, ty, x) => {
            let own = match op {
                UnOp::Neg | UnOp::Not | UnOp::Abs | UnOp::ToBits | UnOp::FromBits => 0.5,
                UnOp::Sqrt | UnOp::Rsqrt => 5.0,
                _ if ty.is_float() => FUNCTION,
                _ => 0.5,
            };
            own + exp_cost(x)
        }
        Exp::Fma(ty, operands) => {
            let own = if *ty == PrimType::F16 { FUNCTION } else { 0.5 };
            own + operands.iter().map(|operand| exp_cost(operand)).sum::<f64>()
        }
        Exp::Convert { to: _, from: _, value } => 0.5 + exp_cost(value),
        Exp::Select(c, x, y) => 0.5 + exp_cost(c) + exp_cost(x) + exp_cost(y),
        Exp::Read { view: _, indices } => MEMORY + exps_cost(indices),
        Exp::Threads | Exp::Param { .. } => FUNCTION,
    }
}

/// The procedures that loops call, directly or not.
pub fn called_in_loops(program: &Program) -> BTreeSet<Symbol> {
    let mut found = BTreeSet::new();
    // callers come after callees
    for procedure in program.procedures.iter().rev() {
        let in_loop = found.contains(&procedure.name);
        find_called(&procedure.body, in_loop, &mut found);
    }
    found
}

/// The procedures that statements call in loops; `in_loop` says whether they stand in one themselves.
fn find_called(body: &[Statement], in_loop: bool, found: &mut BTreeSet<Symbol>) {
    for statement in body {
        if let StatementKind::Call { procedure, .. } = &statement.kind
            && in_loop
        {
            found.insert(*procedure);
        }
        let is_loop = matches!(statement.kind, StatementKind::For { .. } | StatementKind::While { .. });
        statement.kind.for_each_body(&mut |body| find_called(body, in_loop || is_loop, found));
    }
}
