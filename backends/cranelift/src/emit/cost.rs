//! Estimates of what statements cost, in about nanoseconds: parallel loops that are not worth it run in order.

use super::Emitter;
use crate::unit::Unit;
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, UnOp};
use imp::ir::{Exp, ImpType, Statement, StatementKind, WindowDim};
use std::collections::HashMap;

/// Iterations of a loop about which nothing is known.
const UNKNOWN_COUNT: f64 = 16.0;
const MEMORY: f64 = 1.0;
const FUNCTION: f64 = 20.0;
const ALLOCATION: f64 = 50.0;
const COPY: f64 = 50.0;
/// A call of the procedure itself, however often that calls itself.
const RECURSION: f64 = 1000.0;

/// A cost, with the part that is known only at run time.
#[derive(Clone, Copy)]
pub(super) enum Cost {
    Const(f64),
    Value(Value),
}

/// The cost of statements when nothing is known about the counts of loops.
pub(crate) fn static_cost(unit: &Unit<'_>, body: &[Statement]) -> f64 {
    body.iter()
        .map(|statement| statement_cost(unit, &statement.kind, &mut |body| static_cost(unit, body)))
        .sum()
}

/// The cost of a statement, its bodies by `inner`, one iteration of each loop.
fn statement_cost(unit: &Unit<'_>, kind: &StatementKind, inner: &mut dyn FnMut(&[Statement]) -> f64) -> f64 {
    match kind {
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
        StatementKind::Accumulate { view: _, indices, value } => {
            2.0 * MEMORY + exps_cost(indices) + exp_cost(value)
        }
        StatementKind::Copy { .. } => COPY,
        StatementKind::For { var: _, ty: _, bound, kind: _, body } => {
            exp_cost(bound) + constant_count(bound).unwrap_or(UNKNOWN_COUNT) * inner(body)
        }
        StatementKind::While { condition, body } => UNKNOWN_COUNT * (exp_cost(condition) + inner(body)),
        StatementKind::If { condition, then, otherwise } => {
            exp_cost(condition) + inner(then).max(inner(otherwise))
        }
        StatementKind::Assert { condition, message: _, args: _ } => exp_cost(condition),
        StatementKind::Call { results: _, procedure, args } => {
            // Only the procedure itself is not known yet.
            let callee = unit.callees.get(procedure).map_or(RECURSION, |callee| callee.cost);
            MEMORY + callee + exps_cost(args)
        }
    }
}

fn constant_count(bound: &Exp) -> Option<f64> {
    match bound {
        Exp::Const(n) => n.as_int().map(|n| n.max(0) as f64),
        Exp::Var(_)
        | Exp::Bin(..)
        | Exp::Un(..)
        | Exp::Fma(..)
        | Exp::Convert { .. }
        | Exp::Select(..)
        | Exp::Read { .. } => None,
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
    }
}

/// What is known of the variables of statements that have not run yet.
#[derive(Default)]
pub(super) struct Forecast<'e> {
    lets: HashMap<Var, &'e Exp>,
    /// Values computed for a typical iteration; `None` where there is none.
    values: HashMap<Var, Option<Value>>,
}

impl Emitter<'_, '_> {
    /// The cost of one iteration of a loop that will run `count` times.
    pub(super) fn iteration_cost(&mut self, var: Var, count: Value, body: &[Statement]) -> Cost {
        let mut forecast = Forecast::default();
        // the middle iteration, which is typical of triangular loops as well
        let middle = self.b.ins().sshr_imm_u(count, 1);
        forecast.values.insert(var, Some(middle));
        self.cost(&mut forecast, body)
    }

    /// The cost of statements; the counts of loops are used where they can be computed before the statements run.
    fn cost<'e>(&mut self, forecast: &mut Forecast<'e>, body: &'e [Statement]) -> Cost {
        let mut known = 0.0;
        let mut rest: Option<Value> = None;
        for statement in body {
            let (var, ty, bound, inner) = match &statement.kind {
                StatementKind::For { var, ty, bound, kind: _, body } => (*var, *ty, bound, body),
                kind => {
                    if let StatementKind::Let { var, ty: _, value } = kind {
                        forecast.lets.insert(*var, value);
                    }
                    known += statement_cost(self.unit, kind, &mut |body| static_cost(self.unit, body));
                    continue;
                }
            };
            let count = match constant_count(bound) {
                Some(n) => Cost::Const(n),
                None => match self.forecast(forecast, bound) {
                    Some(n) => {
                        let wide = self.widen(ty, n, types::I64);
                        let middle = self.b.ins().sshr_imm_u(n, 1);
                        forecast.values.insert(var, Some(middle));
                        Cost::Value(self.b.ins().fcvt_from_sint(types::F64, wide))
                    }
                    None => Cost::Const(UNKNOWN_COUNT),
                },
            };
            let inner = self.cost(forecast, inner);
            match (count, inner) {
                (Cost::Const(n), Cost::Const(cost)) => known += n * (cost + MEMORY),
                (n, cost) => {
                    let (n, cost) = (self.cost_value(n), self.cost_value(cost));
                    // a negative count is none
                    let zero = self.b.ins().f64const(0.0);
                    let positive = self.b.ins().fcmp(FloatCC::GreaterThan, n, zero);
                    let n = self.b.ins().select(positive, n, zero);
                    let step = self.b.ins().f64const(MEMORY);
                    let cost = self.b.ins().fadd(cost, step);
                    let product = self.b.ins().fmul(n, cost);
                    rest = Some(match rest {
                        Some(rest) => self.b.ins().fadd(rest, product),
                        None => product,
                    });
                }
            }
        }
        match rest {
            None => Cost::Const(known),
            Some(rest) => {
                let known = self.b.ins().f64const(known);
                Cost::Value(self.b.ins().fadd(rest, known))
            }
        }
    }

    /// The value that an expression will have, where operators that can't fail give it from what is known.
    fn forecast(&mut self, forecast: &mut Forecast<'_>, exp: &Exp) -> Option<Value> {
        match exp {
            Exp::Const(value) => Some(self.constant(*value)),
            Exp::Var(var) => {
                if let Some(known) = forecast.values.get(var) {
                    return *known;
                }
                let value = match (self.env.get(var).map(|bound| bound.ty), forecast.lets.get(var)) {
                    (Some(Some(ImpType::Prim(_))), _) => self.use_var(*var).ok(),
                    (_, Some(value)) => {
                        let value: &Exp = value;
                        self.forecast(forecast, value)
                    }
                    (_, None) => None,
                };
                forecast.values.insert(*var, value);
                value
            }
            Exp::Bin(op, ty, x, y) if !op.can_fail(*ty) && !ty.is_float() => {
                let x = self.forecast(forecast, x)?;
                let y = self.forecast(forecast, y)?;
                self.binary(*op, *ty, x, y, None).ok()
            }
            Exp::Convert { to, from, value } if to.is_int() && from.is_int() => {
                let value = self.forecast(forecast, value)?;
                self.convert(*to, *from, value).ok()
            }
            Exp::Select(condition, x, y) => {
                let condition = self.forecast(forecast, condition)?;
                let x = self.forecast(forecast, x)?;
                let y = self.forecast(forecast, y)?;
                Some(self.b.ins().select(condition, x, y))
            }
            Exp::Bin(..) | Exp::Un(..) | Exp::Fma(..) | Exp::Convert { .. } | Exp::Read { .. } => None,
        }
    }

    /// A cost as a value.
    pub(super) fn cost_value(&mut self, cost: Cost) -> Value {
        match cost {
            Cost::Const(cost) => self.b.ins().f64const(cost),
            Cost::Value(value) => value,
        }
    }
}
