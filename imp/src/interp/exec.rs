//! Statements and expressions.

use super::heap::BlockRef;
use super::order::Order;
use super::view::{Part, View, copy};
use super::{Machine, Slot};
use crate::ir::{Exp, ImpType, LoopKind, Procedure, Statement, StatementKind, WindowDim};
use crate::visit::for_each_binder;
use fun_base::name::Var;
use fun_base::prim::{BinOp, EvalError, PrimType, PrimValue, eval_bin, eval_conv, eval_fma, eval_un};
use fun_base::run::{MAX_CALL_DEPTH, RunError, fill_message, too_deep, with_stack};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use std::rc::Rc;

/// The run-time meaning of a failing operator.
fn failed(error: EvalError) -> RunError {
    match error {
        EvalError::DivisionByZero | EvalError::NegativeExponent => RunError::assert(error.to_string()),
        EvalError::Type => RunError::fault(format!("I2: {error}")),
    }
}

impl Machine<'_> {
    /// Runs a procedure; gives its results.
    pub(super) fn call(&mut self, procedure: &Procedure, args: Vec<Slot>) -> Result<Vec<Slot>, RunError> {
        if self.calls.len() == MAX_CALL_DEPTH {
            return Err(too_deep());
        }
        if args.len() != procedure.params.len() {
            return Err(RunError::fault(format!("I8: wrong number of arguments for `{}`", procedure.name)));
        }
        // What the outer call of the same procedure has in its variables must be there again afterwards.
        let mut kept = Vec::new();
        if self.calls.last() == Some(&procedure.name) {
            for_each_binder(procedure, &mut |var| {
                if let Some(place) = self.place(var) {
                    kept.push((place, std::mem::replace(&mut self.slots[place], Slot::Nothing)));
                }
            });
        }
        self.calls.push(procedure.name);
        let results = with_stack(|| self.call_body(procedure, args));
        self.calls.pop();
        for (place, slot) in kept {
            self.slots[place] = slot;
        }
        results.map_err(|error| error.in_function(procedure.name))
    }

    fn call_body(&mut self, procedure: &Procedure, args: Vec<Slot>) -> Result<Vec<Slot>, RunError> {
        for ((var, _), arg) in procedure.params.iter().zip(args) {
            self.set(*var, arg)?;
        }
        self.statements(&procedure.body)?;
        procedure.results.iter().map(|(exp, _)| self.operand(exp)).collect()
    }

    pub(super) fn statements(&mut self, statements: &[Statement]) -> Result<(), RunError> {
        for statement in statements {
            self.charge(1)?;
            self.statement(&statement.kind).map_err(|error| error.at(statement.loc))?;
        }
        Ok(())
    }

    pub(super) fn statement(&mut self, kind: &StatementKind) -> Result<(), RunError> {
        match kind {
            StatementKind::Let { var, value, .. } => {
                let value = self.scalar(value)?;
                self.set(*var, Slot::Scalar(value))
            }
            StatementKind::Declare { var, ty, value } => {
                let slot = match (value, ty) {
                    (Some(value), _) => self.operand(value)?,
                    (None, ImpType::Prim(ty)) => Slot::Scalar(ty.zero()),
                    (None, ImpType::Mem(_)) => Slot::Block(None),
                };
                self.set(*var, slot)
            }
            StatementKind::Assign { var, value } => {
                let slot = self.operand(value)?;
                self.set(*var, slot)
            }
            StatementKind::Alloc { var, elem, shape, .. } => {
                let sizes = self.indices(shape)?;
                let block = self.heap.alloc(*elem, &sizes)?;
                self.set(*var, Slot::Block(Some(block)))
            }
            StatementKind::Share(var) => self.block(*var)?.map_or(Ok(()), |block| self.heap.share(block)),
            StatementKind::Free(var) => self.block(*var)?.map_or(Ok(()), |block| self.heap.free(block)),
            StatementKind::View { var, elem, mem, lmad } => {
                let block = self
                    .block(*mem)?
                    .ok_or_else(|| RunError::fault(format!("I5: `{mem}` holds no block")))?;
                let view = self.eval_lmad(block, *elem, lmad)?;
                self.set(*var, Slot::View(Rc::new(view)))
            }
            StatementKind::Window { var, view, dims } => {
                let parts = dims.iter().map(|dim| self.part(dim)).collect::<Result<Vec<_>, _>>()?;
                let window = self.view(*view)?.window(&parts)?;
                self.set(*var, Slot::View(Rc::new(window)))
            }
            StatementKind::Write { view, indices, value } => {
                let (view, indices) = (self.view(*view)?, self.indices(indices)?);
                let value = self.scalar(value)?;
                self.heap.write(view.block, view.address(&indices)?, value)
            }
            StatementKind::Accumulate { view, indices, value } => {
                let (view, indices) = (self.view(*view)?, self.indices(indices)?);
                let value = self.scalar(value)?;
                let address = view.address(&indices)?;
                let old = self.heap.read(view.block, view.elem, address)?;
                self.heap.write(view.block, address, eval_bin(BinOp::Add, old, value).map_err(failed)?)
            }
            StatementKind::Atomic { view, indices, op, value } => {
                let (view, indices) = (self.view(*view)?, self.indices(indices)?);
                let value = self.scalar(value)?;
                let address = view.address(&indices)?;
                self.heap.atomic(view.block, address, *op, value)
            }
            StatementKind::Lock { view, indices, body } => {
                let (view, indices) = (self.view(*view)?, self.indices(indices)?);
                self.heap.lock(view.block, view.address(&indices)?)?;
                self.statements(body)?;
                self.heap.unlock();
                Ok(())
            }
            StatementKind::Ordered { .. } => {
                Err(RunError::fault("I14: an `ordered` region outside of the blocks of a chain loop"))
            }
            StatementKind::Shuffle { dest, source, direction, by, group } => {
                self.shuffle((*dest, *source), *direction, by, *group)
            }
            StatementKind::Copy { dest, source } => {
                let (dest, source) = (self.view(*dest)?, self.view(*source)?);
                self.charge(source.elements())?;
                copy(&mut self.heap, &dest, &source)
            }
            StatementKind::For { var, ty, bound, kind, body } => self.for_loop(*var, *ty, bound, *kind, body),
            StatementKind::While { condition, body } => {
                while self.condition(condition)? {
                    self.charge(1)?;
                    self.statements(body)?;
                }
                Ok(())
            }
            StatementKind::If { condition, then, otherwise } => {
                let taken = if self.condition(condition)? { then } else { otherwise };
                self.statements(taken)
            }
            StatementKind::Assert { condition, message, args } => {
                if self.condition(condition)? {
                    return Ok(());
                }
                Err(RunError::assert(fill_message(message, &self.indices(args)?)))
            }
            StatementKind::Call { results, procedure, args } => {
                let callee = *self
                    .procedures
                    .get(procedure)
                    .ok_or_else(|| RunError::fault(format!("I8: no procedure `{procedure}`")))?;
                let args = args.iter().map(|arg| self.operand(arg)).collect::<Result<Vec<_>, _>>()?;
                let values = self.call(callee, args)?;
                results.iter().zip(values).try_for_each(|(var, value)| self.set(*var, value))
            }
        }
    }

    fn for_loop(
        &mut self,
        var: Var,
        ty: PrimType,
        bound: &Exp,
        kind: LoopKind,
        body: &[Statement],
    ) -> Result<(), RunError> {
        let bound = self.bound(bound)?;
        if kind == LoopKind::Chain {
            return self.chain(var, bound, body);
        }
        let independent = kind.is_parallel() || kind == LoopKind::Scan;
        if independent {
            self.heap.enter_loop();
        }
        let order = match kind {
            LoopKind::Block | LoopKind::Thread => Order::any(bound, &mut self.random),
            LoopKind::Seq
            | LoopKind::Fold
            | LoopKind::Scan
            | LoopKind::Par
            | LoopKind::Simd
            | LoopKind::Unroll
            | LoopKind::Chain => Order::rising(bound),
        };
        for place in 0..bound {
            self.charge(1)?;
            // Every integer type's values fit 64 bits, and `of_i64` wraps.
            let iteration = order.iteration(place) as i64;
            if independent {
                self.heap.iteration(iteration);
            }
            self.set(var, Slot::Scalar(ty.of_i64(iteration)))?;
            self.statements(body)?;
        }
        if independent {
            self.heap.leave_loop();
        }
        Ok(())
    }

    /// The bound of a loop.
    pub(super) fn bound(&mut self, bound: &Exp) -> Result<i128, RunError> {
        let bound = self.scalar(bound)?;
        bound.as_int().ok_or_else(|| RunError::fault("I2: the bound of a loop is no integer"))
    }

    fn part(&mut self, dim: &WindowDim) -> Result<Part, RunError> {
        Ok(match dim {
            WindowDim::Fix(index) => Part::Fix(self.index(index)?),
            WindowDim::Range { offset, count, stride } => Part::Range {
                offset: self.index(offset)?,
                count: self.index(count)?,
                stride: self.index(stride)?,
            },
        })
    }

    fn eval_lmad(&mut self, block: BlockRef, elem: PrimType, lmad: &Lmad) -> Result<View, RunError> {
        let number = |poly: &Poly| {
            let value = poly.eval(&mut |var| match self.slot(var) {
                Ok(Slot::Scalar(value)) => value.as_i64(),
                _ => None,
            });
            value.ok_or_else(|| RunError::fault(format!("I2: `{poly}` has no value here")))
        };
        let dims = lmad.dims.iter().map(|dim| Ok((number(&dim.size)?, number(&dim.stride)?)));
        let view =
            View { block, elem, offset: number(&lmad.offset)?, dims: dims.collect::<Result<_, RunError>>()? };
        match view.dims.iter().find(|(size, _)| *size < 0) {
            Some((size, _)) => Err(RunError::fault(format!("I5: a view of negative size {size}"))),
            None => Ok(view),
        }
    }

    /// A scalar or a block.
    fn operand(&mut self, exp: &Exp) -> Result<Slot, RunError> {
        match exp {
            Exp::Var(var) => match self.slot(*var)? {
                Slot::View(_) => Err(RunError::fault(format!("I2: the view `{var}` is used as a value"))),
                slot => Ok(slot.clone()),
            },
            _ => Ok(Slot::Scalar(self.scalar(exp)?)),
        }
    }

    pub(super) fn condition(&mut self, exp: &Exp) -> Result<bool, RunError> {
        self.scalar(exp)?.as_bool().ok_or_else(|| RunError::fault("I2: a condition is no bool"))
    }

    pub(super) fn index(&mut self, exp: &Exp) -> Result<i64, RunError> {
        self.scalar(exp)?.as_i64().ok_or_else(|| RunError::fault("I2: an index or size is not i64"))
    }

    pub(super) fn indices(&mut self, exps: &[Exp]) -> Result<Vec<i64>, RunError> {
        exps.iter().map(|exp| self.index(exp)).collect()
    }

    pub(super) fn scalar(&mut self, exp: &Exp) -> Result<PrimValue, RunError> {
        match exp {
            Exp::Const(value) => Ok(*value),
            Exp::Var(var) => match self.slot(*var)? {
                Slot::Scalar(value) => Ok(*value),
                Slot::Nothing | Slot::Block(_) | Slot::View(_) => {
                    Err(RunError::fault(format!("I2: `{var}` is no scalar")))
                }
            },
            Exp::Bin(op, _, left, right) => {
                let (left, right) = (self.scalar(left)?, self.scalar(right)?);
                eval_bin(*op, left, right).map_err(failed)
            }
            Exp::Un(op, _, operand) => eval_un(*op, self.scalar(operand)?).map_err(failed),
            Exp::Fma(_, [a, b, c]) => {
                let (a, b, c) = (self.scalar(a)?, self.scalar(b)?, self.scalar(c)?);
                eval_fma(a, b, c).map_err(failed)
            }
            Exp::Convert { to, value, .. } => Ok(eval_conv(*to, self.scalar(value)?)),
            Exp::Select(condition, yes, no) => {
                let condition = self.condition(condition)?;
                let (yes, no) = (self.scalar(yes)?, self.scalar(no)?);
                Ok(if condition { yes } else { no })
            }
            Exp::Read { view, indices } => {
                let (view, indices) = (self.view(*view)?, self.indices(indices)?);
                self.heap.read(view.block, view.elem, view.address(&indices)?)
            }
            // programs differ in how many variables they have, so that all cases occur
            Exp::Threads => Ok(PrimValue::I64(self.slots.len() as i64 % 3 + 1)),
            // so that all versions occur
            Exp::Param { usual, .. } => {
                let numbers = [*usual, 0, i64::MAX];
                Ok(PrimValue::I64(numbers[self.random.below(numbers.len())]))
            }
        }
    }
}
