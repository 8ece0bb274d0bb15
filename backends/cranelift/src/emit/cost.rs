//! Estimates of what iterations of parallel loops cost, as values of the program: what is not worth it runs in order.

use super::Emitter;
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use fun_base::name::Var;
use imp::cost::{MEMORY, UNKNOWN_COUNT, constant_count, statement_cost};
use imp::ir::{Exp, ImpType, Statement, StatementKind};
use imp::plain::is_plain;
use std::collections::HashMap;

/// Iterations of plain bodies that run at once, more or less: those in vectors are not known yet.
const LANES: f64 = 4.0;

/// A cost, with the part that is known only at run time.
#[derive(Clone, Copy)]
enum Cost {
    Const(f64),
    Value(Value),
}

/// What is known of the variables of statements that have not run yet.
#[derive(Default)]
struct Forecast<'e> {
    lets: HashMap<Var, &'e Exp>,
    /// Values computed for a typical iteration; `None` where there is none.
    values: HashMap<Var, Option<Value>>,
    /// Whether loops run so often as nobody knows.
    guessed: bool,
}

impl Emitter<'_, '_> {
    /// The cost of one iteration of a loop that will run `count` times; negated where it is a guess.
    pub(super) fn iteration_cost(&mut self, var: Var, count: Value, body: &[Statement]) -> Value {
        let mut forecast = Forecast::default();
        // the middle iteration, which is typical of triangular loops as well
        let middle = self.b.ins().sshr_imm_u(count, 1);
        forecast.values.insert(var, Some(middle));
        let cost = self.cost(&mut forecast, body);
        let cost = self.in_lanes(cost, body);
        let cost = match cost {
            Cost::Const(_) => self.cost_value(cost),
            // (counts may be negative)
            Cost::Value(cost) => {
                let least = self.b.ins().f64const(0.0);
                self.b.ins().fmax(cost, least)
            }
        };
        if forecast.guessed { self.b.ins().fneg(cost) } else { cost }
    }

    /// The cost of an iteration whose body has this cost, where iterations are independent.
    fn in_lanes(&mut self, cost: Cost, body: &[Statement]) -> Cost {
        if !is_plain(body) {
            return cost;
        }
        match cost {
            Cost::Const(cost) => Cost::Const(cost / LANES),
            Cost::Value(cost) => {
                let share = self.b.ins().f64const(1.0 / LANES);
                Cost::Value(self.b.ins().fmul(cost, share))
            }
        }
    }

    /// The cost of statements; the counts of loops are used where they can be computed before the statements run.
    fn cost<'e>(&mut self, forecast: &mut Forecast<'e>, body: &'e [Statement]) -> Cost {
        let mut known = 0.0;
        let mut rest: Option<Value> = None;
        for statement in body {
            let (var, ty, bound, kind, inner) = match &statement.kind {
                StatementKind::For { var, ty, bound, kind, body } => (*var, *ty, bound, *kind, body),
                StatementKind::If { condition: _, then, otherwise } => {
                    match (self.cost(forecast, then), self.cost(forecast, otherwise)) {
                        (Cost::Const(then), Cost::Const(otherwise)) => known += then.max(otherwise),
                        (then, otherwise) => {
                            let (then, otherwise) = (self.cost_value(then), self.cost_value(otherwise));
                            let most = self.b.ins().fmax(then, otherwise);
                            rest = Some(self.sum_of(rest, most));
                        }
                    }
                    continue;
                }
                StatementKind::While { condition: _, body } => {
                    forecast.guessed = true;
                    match self.cost(forecast, body) {
                        Cost::Const(step) => known += UNKNOWN_COUNT * (step + MEMORY),
                        Cost::Value(step) => {
                            known += UNKNOWN_COUNT * MEMORY;
                            let count = self.b.ins().f64const(UNKNOWN_COUNT);
                            let all = self.b.ins().fmul(count, step);
                            rest = Some(self.sum_of(rest, all));
                        }
                    }
                    continue;
                }
                kind => {
                    if let StatementKind::Let { var, ty: _, value } = kind {
                        forecast.lets.insert(*var, value);
                    }
                    let estimate = statement_cost(kind, &|callee| self.unit.callee_cost(callee));
                    forecast.guessed |= estimate.guessed;
                    known += estimate.cost;
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
                    None => {
                        forecast.guessed = true;
                        Cost::Const(UNKNOWN_COUNT)
                    }
                },
            };
            let mut cost = self.cost(forecast, inner);
            if kind.is_parallel() {
                cost = self.in_lanes(cost, inner);
            }
            match (count, cost) {
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
                    rest = Some(self.sum_of(rest, product));
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

    fn sum_of(&mut self, costs: Option<Value>, more: Value) -> Value {
        match costs {
            Some(costs) => self.b.ins().fadd(costs, more),
            None => more,
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
            Exp::Threads | Exp::Param { .. } => None,
        }
    }

    /// A cost as a value.
    fn cost_value(&mut self, cost: Cost) -> Value {
        match cost {
            Cost::Const(cost) => self.b.ins().f64const(cost),
            Cost::Value(value) => value,
        }
    }
}
