//! Statements and control.

use super::{Env, Machine, Val};
use crate::ir::{Atom, Binder, Body, Exp, LoopForm, LoopParam, Statement};
use fun_base::name::Symbol;
use fun_base::run::{RunError, fill_message};

impl<'p> Machine<'p> {
    /// Evaluates the expression and binds the pattern.
    pub(super) fn statement(&mut self, env: &mut Env, statement: &'p Statement) -> Result<(), RunError> {
        let values = self.exp(env, statement)?;
        self.bind(env, statement.pattern.iter(), &values)
    }

    /// The values of an expression. What has bodies is in functions that are not inlined, to keep the stack of nested bodies small.
    #[inline(never)]
    fn exp(&mut self, env: &Env, statement: &'p Statement) -> Result<Vec<Val>, RunError> {
        match &statement.exp {
            Exp::If { condition, then, otherwise } => {
                let body = if self.bool(env, *condition)? { then } else { otherwise };
                self.body(env, body)
            }
            Exp::Loop { params, form, body } => self.loop_(env, params, form, body),
            Exp::Call { function, args } => self.call_by_name(env, *function, args),
            Exp::Assert { condition, message, args } => {
                if self.bool(env, *condition)? {
                    return Ok(Vec::new());
                }
                Err(RunError::assert(fill_message(message, &self.i64s(env, args)?)))
            }
            Exp::Trace { text, args, pause } => {
                self.trace(env, text, args, *pause)?;
                Ok(Vec::new())
            }
            Exp::Map { .. }
            | Exp::Reduce { .. }
            | Exp::Scan { .. }
            | Exp::Hist { .. }
            | Exp::Scatter { .. } => self.soac(env, &statement.exp),
            Exp::Derive { .. } => Err(RunError::fault("derivatives are taken before the run")),
            Exp::Kernel { space, combine, body } => self.kernel(env, statement, space, combine, body),
            Exp::Atom(_)
            | Exp::Bin(..)
            | Exp::Un(..)
            | Exp::Fma(..)
            | Exp::Convert { .. }
            | Exp::Index { .. }
            | Exp::Slice { .. }
            | Exp::Update { .. }
            | Exp::Iota { .. }
            | Exp::Replicate { .. }
            | Exp::Scratch { .. }
            | Exp::ArrayLiteral { .. }
            | Exp::Concat { .. }
            | Exp::Copy(_)
            | Exp::Permute { .. }
            | Exp::Reshape { .. }
            | Exp::Reverse { .. } => Ok(vec![self.operation(env, &statement.exp)?]),
            Exp::Op(op) => match *op {},
        }
    }

    #[inline(never)]
    fn call_by_name(&mut self, env: &Env, function: Symbol, args: &[Atom]) -> Result<Vec<Val>, RunError> {
        let args = self.values(env, args)?;
        let callee = self.functions.get(&function).copied();
        self.call(callee.ok_or_else(|| RunError::fault(format!("F9: no function `{function}`")))?, &args)
    }

    #[inline(never)]
    fn loop_(
        &mut self,
        env: &Env,
        params: &'p [LoopParam],
        form: &'p LoopForm,
        body: &'p Body,
    ) -> Result<Vec<Val>, RunError> {
        let inits: Vec<Atom> = params.iter().map(|param| param.init).collect();
        let binders: Vec<&Binder> = params.iter().map(|param| &param.binder).collect();
        let mut values = self.values(env, &inits)?;
        let bound = match form {
            LoopForm::For { bound, .. } => self.prim(env, *bound)?.as_int(),
            LoopForm::While(_) => None,
        };
        let mut count = 0i64;
        loop {
            self.charge(1)?;
            let mut inner = env.clone();
            self.bind(&mut inner, binders.iter().copied(), &values)?;
            let goes_on = match form {
                LoopForm::For { var, ty, bound: _ } => {
                    inner.insert(*var, Val::Prim(ty.of_i64(count)));
                    let bound = bound.ok_or_else(|| RunError::fault("F2: a loop bound is an integer"))?;
                    i128::from(count) < bound
                }
                LoopForm::While(var) => self.bool(&inner, Atom::Var(*var))?,
            };
            if !goes_on {
                return Ok(values);
            }
            values = self.body(&inner, body)?;
            count += 1;
        }
    }
}
