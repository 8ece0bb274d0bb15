//! Parallel loops: OpenMP's, where the compiler has it. Iterations that fail go to the end of their body; the run stops behind the
//! loop.

use super::statement::{is_plain, takes_long};
use super::{Binding, Emit, Emitter, Parallel};
use crate::names;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use imp::cost::{MEMORY, UNKNOWN_COUNT, constant_count, statement_cost};
use imp::ir::{Exp, ImpType, Statement, StatementKind};
use std::collections::HashMap;

/// Operators in the count of a loop that is worth a forecast.
const FORECAST_OPERATORS: usize = 8;

/// Half of a count.
fn middle(count: &Exp) -> Exp {
    Exp::Bin(BinOp::Shr, PrimType::I64, Box::new(count.clone()), Box::new(Exp::i64(1)))
}

/// What is known of the variables of statements that have not run yet.
type Forecast = HashMap<Var, Exp>;

impl<'p> Emitter<'_, 'p> {
    /// The iterations of `body`, by threads if that pays.
    pub(super) fn parallel_loop(
        &mut self,
        var: Var,
        bound: &Exp,
        end: &str,
        head: &str,
        body: &'p [Statement],
    ) -> Emit {
        // the middle iteration is typical of triangular loops as well; the loop's own count is not cut further
        let mut forecast = Forecast::new();
        forecast.insert(var, middle(bound));
        self.env.remove(&var);
        let cost = self.cost(&mut forecast, body)?;
        self.env.insert(var, Binding::Fixed(ImpType::Prim(PrimType::I64)));
        let directive = if is_plain(body) { "FUN_PARALLEL_SIMD" } else { "FUN_PARALLEL" };
        self.lines.push(format!("{directive}({end}, {cost})"));
        let label = format!("{}_done", names::variable(var));
        self.depth += 1;
        self.parallel =
            Some(Parallel { label: label.clone(), jumps: false, stops: false, depth: self.depth });
        self.lines.open(head);
        if takes_long(bound, body) {
            self.poll();
        }
        self.body(body)?;
        self.depth -= 1;
        let parallel = self.parallel.take();
        if parallel.as_ref().is_some_and(|parallel| parallel.jumps) {
            self.lines.push(format!("{label}:;"));
        }
        self.lines.close("}");
        if parallel.is_some_and(|parallel| parallel.stops) {
            self.poll();
        }
        Ok(())
    }

    /// The cost of statements, as an expression; the counts of loops are used where they can be computed before the statements run.
    fn cost(&mut self, forecast: &mut Forecast, body: &'p [Statement]) -> Emit<String> {
        let mut known = 0.0;
        let mut terms = Vec::new();
        for statement in body {
            let (var, bound, inner) = match &statement.kind {
                StatementKind::For { var, ty: _, bound, kind: _, body } => (*var, bound, body),
                kind => {
                    if let StatementKind::Let { var, ty: _, value } = kind {
                        forecast.insert(*var, value.clone());
                    }
                    let callees = &self.unit.callees;
                    known += statement_cost(kind, &|callee| callees.get(&callee).map(|callee| callee.cost));
                    continue;
                }
            };
            let count = match constant_count(bound) {
                Some(n) => Err(n),
                None => match self.forecast(forecast, bound, FORECAST_OPERATORS) {
                    Some(count) => {
                        forecast.insert(var, middle(&count));
                        Ok(count)
                    }
                    None => Err(UNKNOWN_COUNT),
                },
            };
            let inner = self.cost(forecast, inner)?;
            match (count, inner.parse::<f64>()) {
                (Err(n), Ok(cost)) => known += n * (cost + MEMORY),
                (Err(n), Err(_)) => terms.push(format!("{n:?} * ({inner} + {MEMORY:?})")),
                (Ok(count), _) => {
                    let count = self.exp(&count)?;
                    terms.push(format!("(double){} * ({inner} + {MEMORY:?})", count.operand()));
                }
            }
        }
        if known != 0.0 || terms.is_empty() {
            terms.push(format!("{known:?}"));
        }
        Ok(terms.join(" + "))
    }

    /// The value that an i64 expression will have, where operators that can't fail give it from what is known here.
    fn forecast(&self, forecast: &Forecast, exp: &Exp, operators: usize) -> Option<Exp> {
        match exp {
            Exp::Const(_) => Some(exp.clone()),
            Exp::Var(var) => match (self.env.get(var), forecast.get(var)) {
                (Some(Binding::Fixed(ImpType::Prim(PrimType::I64))), _) => Some(exp.clone()),
                (Some(Binding::Mutable(ImpType::Prim(PrimType::I64))), _) => Some(exp.clone()),
                (_, Some(value)) => self.forecast(forecast, value, operators),
                (_, None) => None,
            },
            Exp::Bin(op, PrimType::I64, x, y)
                if operators > 0
                    && matches!(
                        op,
                        BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Min | BinOp::Max | BinOp::Shr
                    ) =>
            {
                let x = self.forecast(forecast, x, operators / 2)?;
                let y = self.forecast(forecast, y, operators / 2)?;
                Some(Exp::Bin(*op, PrimType::I64, Box::new(x), Box::new(y)))
            }
            Exp::Bin(..)
            | Exp::Un(..)
            | Exp::Fma(..)
            | Exp::Convert { .. }
            | Exp::Select(..)
            | Exp::Read { .. } => None,
        }
    }
}
