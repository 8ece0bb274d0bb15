//! Statements.

use super::recurrence::recurrences;
use super::vector::NARROW;
use super::{Binding, Emit, Emitter, array_access};
use crate::CompileError;
use crate::unit::{LoopReport, POINTER, machine_imp_type, machine_type};
use crate::uses::has_loop_or_call;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, StackSlotData, StackSlotKind, Type, Value, types};
use cranelift_frontend::Variable;
use fun_base::name::{Symbol, Var};
use fun_base::prim::{BinOp, PrimType, PrimValue};
use fun_base::run::{too_deep, with_stack};
use fun_runtime::block::IN_LOOP;
use fun_runtime::symbols::Function;
use imp::choice::{chosen_write, place_or_none};
use imp::ir::{Exp, ImpType, LoopKind, Space, Statement, StatementKind, constant_bytes};
use std::collections::BTreeMap;

/// Iterations of an innermost loop between two looks at the stop flag.
const POLL_EVERY: i64 = 1 << 16;
/// Iterations that are not worth a look at it.
pub(super) const FEW: i64 = 4096;
/// How blocks on the stack are aligned, as a power of two: enough for vectors of 16 bytes.
const STACK_ALIGNMENT: u8 = 4;

impl<'p> Emitter<'_, 'p> {
    pub(super) fn body(&mut self, body: &'p [Statement]) -> Emit {
        // bodies within bodies
        with_stack(|| {
            let first = self.assumed.len();
            if self.vector_bytes == NARROW {
                self.in_lanes.extend(recurrences(body));
            }
            // the variables of the builder, by the statement after which they are free
            let mut ending: BTreeMap<usize, Vec<(Type, Variable)>> = BTreeMap::new();
            for (k, statement) in body.iter().enumerate() {
                self.loc = statement.loc;
                self.statement(&statement.kind)?;
                if let StatementKind::Declare { var, ty, .. } = &statement.kind
                    && let Binding::Mutable(variable) = self.lookup(*var)?.binding
                {
                    let last = self.unit.last_uses.get(var).copied().unwrap_or(usize::MAX);
                    ending.entry(last).or_default().push((self.variable_type(*var, *ty), variable));
                }
                for (ty, variable) in ending.remove(&k).into_iter().flatten() {
                    self.unused.entry(ty).or_default().push(variable);
                }
            }
            self.forget(first);
            Ok(())
        })
    }

    fn statement(&mut self, kind: &'p StatementKind) -> Emit {
        match kind {
            StatementKind::Let { var, ty, value } => {
                if place_or_none(value).is_some() {
                    self.choices.insert(*var);
                }
                let value = self.exp(value)?;
                self.bind(*var, Binding::Fixed(value), Some(ImpType::Prim(*ty)));
            }
            StatementKind::Declare { var, ty, value } => {
                let value = match (value, ty) {
                    (Some(value), _) => self.exp(value)?,
                    (None, ImpType::Prim(ty)) => self.constant(ty.zero()),
                    (None, ImpType::Mem(_)) => self.i64(0),
                };
                let machine = self.variable_type(*var, *ty);
                let unused = self.unused.get_mut(&machine).and_then(Vec::pop);
                let variable = unused.unwrap_or_else(|| self.b.declare_var(machine));
                self.bind(*var, Binding::Mutable(variable), Some(*ty));
                self.assign(*var, value)?;
            }
            StatementKind::Assign { var, value } => {
                let value = self.exp(value)?;
                self.assign(*var, value)?;
            }
            StatementKind::Alloc { var, elem, shape, space } => {
                let block = self.block(*elem, shape, *space)?;
                self.bind(*var, Binding::Fixed(block), Some(ImpType::Mem(*space)));
            }
            StatementKind::Share(var) => {
                let block = self.use_var(*var)?;
                self.call_runtime(Function::Share, &[self.context, block])?;
            }
            StatementKind::Free(var) => self.free(*var)?,
            StatementKind::View { var, elem, mem, lmad } => self.declare_view(*var, *elem, *mem, lmad)?,
            StatementKind::Window { var, view, dims } => self.declare_window(*var, *view, dims)?,
            StatementKind::Write { view, indices, value } => self.write(*view, indices, value, None)?,
            StatementKind::Accumulate { view, indices, value } => {
                self.write(*view, indices, value, Some(BinOp::Add))?
            }
            // kernels run in order here
            StatementKind::Atomic { view, indices, op, value } => {
                self.write(*view, indices, value, Some(*op))?;
            }
            StatementKind::Lock { body, .. } => self.body(body)?,
            StatementKind::Ordered { .. } | StatementKind::Shuffle { .. } => {
                return Err(CompileError::new("an ordered region or a shuffle where kernels run in order"));
            }
            StatementKind::Copy { dest, source } => self.copy(*dest, *source)?,
            StatementKind::For { var, ty, bound, kind, body } => {
                let count = self.exp(bound)?;
                match kind {
                    LoopKind::Par if !self.outlined => self.par(*var, count, body)?,
                    _ => {
                        let zero = self.b.ins().iconst(machine_type(*ty), 0);
                        let bound = if let Exp::Const(bound) = bound { bound.as_i64() } else { None };
                        self.counted((*var, *ty), *kind, zero, count, bound, body)?;
                    }
                }
            }
            StatementKind::While { condition, body } => self.while_loop(condition, body)?,
            StatementKind::If { condition, then, otherwise } => self.branch(condition, then, otherwise)?,
            StatementKind::Assert { condition, message, args } => {
                if *condition != Exp::Const(PrimValue::Bool(true)) {
                    let (holds, known) = self.condition(condition)?;
                    self.check_with(holds, message, args)?;
                    // statements behind this one, in the same body, are reached only where it holds
                    self.assume(known);
                }
            }
            StatementKind::Call { results, procedure, args } => self.call(results, *procedure, args)?,
        }
        Ok(())
    }

    /// The machine type of a variable that is assigned.
    fn variable_type(&self, var: Var, ty: ImpType) -> Type {
        if self.in_lanes.contains(&var) { types::I32X4 } else { machine_imp_type(ty) }
    }

    pub(super) fn assign(&mut self, var: Var, value: Value) -> Emit {
        match self.lookup(var)?.binding {
            Binding::Mutable(variable) => {
                let value = if self.in_lanes.contains(&var) { self.in_lane(value) } else { value };
                self.b.def_var(variable, value);
                Ok(())
            }
            Binding::Fixed(_) | Binding::View(_) => {
                Err(CompileError::new(format!("{var} is assigned but not declared by var here")))
            }
        }
    }

    fn alloc(&mut self, elem: PrimType, shape: &[Exp]) -> Emit<Value> {
        let sizes = self.exps(shape)?;
        let site = self.unit.site("allocation", self.loc, self.procedure);
        let in_loop = self.depth > 0 || self.outlined || self.unit.called_in_loops.contains(&self.procedure);
        let site = self.i32(if in_loop { site | IN_LOOP } else { site });
        let element = self.i64(i64::from(elem.bytes()));
        let block = match sizes[..] {
            [] => {
                let one = self.i64(1);
                self.call_runtime_value(Function::Allocate, &[self.context, site, element, one])?
            }
            [size] => self.call_runtime_value(Function::Allocate, &[self.context, site, element, size])?,
            _ => {
                let numbers: Vec<_> = sizes.iter().map(|size| super::view::Number::Value(*size)).collect();
                let address = self.store_scratch(&numbers);
                let rank = self.i64(sizes.len() as i64);
                let args = [self.context, site, element, rank, address];
                self.call_runtime_value(Function::AllocateShape, &args)?
            }
        };
        let missing = self.b.ins().icmp_imm_s(IntCC::Equal, block, 0);
        self.check_status(missing);
        Ok(block)
    }

    /// A fresh block.
    fn block(&mut self, elem: PrimType, shape: &[Exp], space: Space) -> Emit<Value> {
        match constant_bytes(elem, shape).filter(|_| space == Space::Stack) {
            Some(bytes) => Ok(self.stack_block(bytes)),
            None => self.alloc(elem, shape),
        }
    }

    fn free(&mut self, var: Var) -> Emit {
        // what is on the stack goes with the frame
        if self.lookup(var)?.ty != Some(ImpType::Mem(Space::Stack)) {
            let block = self.use_var(var)?;
            self.call_runtime(Function::Free, &[self.context, block])?;
        }
        Ok(())
    }

    /// A block in the frame, the same one for each iteration of a loop.
    fn stack_block(&mut self, bytes: i64) -> Value {
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes.max(8) as u32, STACK_ALIGNMENT);
        let slot = self.b.create_sized_stack_slot(data);
        self.b.ins().stack_addr(POINTER, slot, 0)
    }

    fn write(&mut self, view: Var, indices: &[Exp], value: &Exp, op: Option<BinOp>) -> Emit {
        let view = self.view(view)?;
        let value = self.exp(value)?;
        if view.elem == PrimType::Unit {
            self.exps(indices)?;
            return Ok(());
        }
        let (address, offset) = self.address(&view, indices)?;
        let value = if let Some(op) = op {
            let old = self.b.ins().load(machine_type(view.elem), array_access(), address, offset);
            self.binary(op, view.elem, old, value, None)?
        } else {
            value
        };
        let value = self.stored(value);
        self.b.ins().store(array_access(), value, address, offset);
        Ok(())
    }

    /// Writes if the condition holds, and otherwise somewhere where it does not matter ([`imp::choice`]).
    fn write_or_not(&mut self, condition: Value, view: Var, at: &[Exp], value: &Exp) -> Emit {
        let view = self.view(view)?;
        let value = self.exp(value)?;
        let (address, offset) = self.address(&view, at)?;
        if view.elem == PrimType::Unit {
            return Ok(());
        }
        let there = self.b.ins().iadd_imm_s(address, i64::from(offset));
        let nowhere = self.stack_block(i64::from(view.elem.bytes()));
        let cell = self.b.ins().select(condition, there, nowhere);
        let value = self.stored(value);
        self.b.ins().store(array_access(), value, cell, 0);
        Ok(())
    }

    /// The iterations `from..to`, in vectors where that can be; with their number if it is known.
    pub(super) fn counted(
        &mut self,
        (var, ty): (Var, PrimType),
        kind: LoopKind,
        from: Value,
        to: Value,
        bound: Option<i64>,
        body: &'p [Statement],
    ) -> Emit {
        if ty == PrimType::I64 && self.wide_loop(var, kind, (from, to), bound, body)? {
            return Ok(());
        }
        let independent = kind.is_parallel() || kind == LoopKind::Scan;
        if ty == PrimType::I64 && independent && !has_loop_or_call(body) {
            let outcome = self.vector_loop(var, kind, from, to, bound, body)?;
            let done = outcome.is_ok();
            self.unit.loops.push(LoopReport { var, outcome });
            if done {
                return Ok(());
            }
        }
        if ty == PrimType::I64
            && !kind.is_parallel()
            && let Some(widths) = self.tile(var, to, body)?
        {
            self.unit.loops.push(LoopReport { var, outcome: Ok(widths) });
            return Ok(());
        }
        let few = bound.is_some_and(|bound| bound <= FEW);
        self.one_by_one(var, ty, from, to, few, body)
    }

    /// The iterations `from..to`, in pieces between which it is looked at the stop flag; `few`: not worth that.
    pub(super) fn pieces(
        &mut self,
        from: Value,
        to: Value,
        few: bool,
        piece: impl FnOnce(&mut Self, Value, Value) -> Emit,
    ) -> Emit {
        if few {
            return piece(self, from, to);
        }
        self.rounds(from, to, |e, first| {
            e.poll();
            let end = e.piece_end(first, to);
            piece(e, first, end)?;
            Ok(end)
        })
    }

    /// Rounds from `from` on, each of which says where the next begins, until that is not below `to`.
    pub(super) fn rounds(
        &mut self,
        from: Value,
        to: Value,
        round: impl FnOnce(&mut Self, Value) -> Emit<Value>,
    ) -> Emit {
        let after = self.b.create_block();
        let (head, first) = self.block_with(types::I64);
        let enter = self.b.ins().icmp(IntCC::SignedLessThan, from, to);
        self.b.ins().brif(enter, head, &[from.into()], after, &[]);
        self.b.switch_to_block(head);
        let next = round(self, first)?;
        let more = self.b.ins().icmp(IntCC::SignedLessThan, next, to);
        self.b.ins().brif(more, head, &[next.into()], after, &[]);
        self.b.seal_block(head);
        self.b.seal_block(after);
        self.b.switch_to_block(after);
        Ok(())
    }

    /// The end of the piece that begins at `first`.
    fn piece_end(&mut self, first: Value, to: Value) -> Value {
        let rest = self.b.ins().isub(to, first);
        let long = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThan, rest, POLL_EVERY);
        let next = self.b.ins().iadd_imm_s(first, POLL_EVERY);
        self.b.ins().select(long, next, to)
    }

    /// The iterations `from..to` in order. `few`: not worth a look at the stop flag.
    pub(super) fn one_by_one(
        &mut self,
        var: Var,
        ty: PrimType,
        from: Value,
        to: Value,
        few: bool,
        body: &'p [Statement],
    ) -> Emit {
        let less = if ty.is_signed() { IntCC::SignedLessThan } else { IntCC::UnsignedLessThan };
        let machine = machine_type(ty);
        let innermost = !has_loop_or_call(body);
        let blocked = innermost && !few && ty.bits() >= 32;
        let after = self.b.create_block();
        let (head, i) = self.block_with(machine);
        let enter = self.b.ins().icmp(less, from, to);
        // an innermost loop runs in pieces, so that only pieces look at the stop flag
        let (outer, piece) = if blocked {
            let (outer, first) = self.block_with(machine);
            self.b.ins().brif(enter, outer, &[from.into()], after, &[]);
            self.b.switch_to_block(outer);
            self.poll();
            let end = self.piece_end(first, to);
            self.jump(head, &[first]);
            (Some(outer), end)
        } else {
            self.b.ins().brif(enter, head, &[from.into()], after, &[]);
            (None, to)
        };
        self.b.switch_to_block(head);
        self.depth += 1;
        if !innermost {
            self.poll();
        }
        self.bind(var, Binding::Fixed(i), Some(ImpType::Prim(ty)));
        let outside = self.counter.replace(i);
        self.body(body)?;
        self.counter = outside;
        self.depth -= 1;
        let next = self.b.ins().iadd_imm_s(i, 1);
        let more = self.b.ins().icmp(less, next, piece);
        match outer {
            None => {
                self.b.ins().brif(more, head, &[next.into()], after, &[]);
            }
            Some(outer) => {
                let latch = self.b.create_block();
                self.b.ins().brif(more, head, &[next.into()], latch, &[]);
                self.b.seal_block(latch);
                self.b.switch_to_block(latch);
                let more = self.b.ins().icmp(less, next, to);
                self.b.ins().brif(more, outer, &[next.into()], after, &[]);
                self.b.seal_block(outer);
            }
        }
        self.b.seal_block(head);
        self.b.seal_block(after);
        self.b.switch_to_block(after);
        Ok(())
    }

    fn while_loop(&mut self, condition: &Exp, body: &'p [Statement]) -> Emit {
        let head = self.b.create_block();
        let inside = self.b.create_block();
        let after = self.b.create_block();
        self.b.ins().jump(head, &[]);
        self.b.switch_to_block(head);
        self.depth += 1;
        let condition = self.exp(condition)?;
        self.b.ins().brif(condition, inside, &[], after, &[]);
        self.b.seal_block(inside);
        self.b.switch_to_block(inside);
        self.poll();
        self.body(body)?;
        self.depth -= 1;
        self.b.ins().jump(head, &[]);
        self.b.seal_block(head);
        self.b.seal_block(after);
        self.b.switch_to_block(after);
        Ok(())
    }

    fn branch(&mut self, condition: &Exp, then: &'p [Statement], otherwise: &'p [Statement]) -> Emit {
        let (condition, mut known) = self.condition(condition)?;
        if let Some((view, at, value)) = chosen_write(then, otherwise, |at| self.choices.contains(&at)) {
            return self.write_or_not(condition, view, at, value);
        }
        let (yes, after) = (self.b.create_block(), self.b.create_block());
        let no = if otherwise.is_empty() { after } else { self.b.create_block() };
        self.b.ins().brif(condition, yes, &[], no, &[]);
        for (block, body) in [(yes, then), (no, otherwise)].into_iter().filter(|(block, _)| *block != after) {
            self.b.seal_block(block);
            self.b.switch_to_block(block);
            let first = self.assumed.len();
            if block == yes {
                self.assume(std::mem::take(&mut known));
            }
            self.body(body)?;
            self.forget(first);
            self.b.ins().jump(after, &[]);
        }
        self.b.seal_block(after);
        self.b.switch_to_block(after);
        Ok(())
    }

    fn call(&mut self, results: &[Var], procedure: Symbol, args: &[Exp]) -> Emit {
        let callee = self.unit.callees.get(&procedure).cloned();
        let callee = callee.ok_or_else(|| CompileError::new(format!("there is no procedure {procedure}")))?;
        if callee.recursive {
            let site = self.unit.site(&too_deep().message, self.loc, self.procedure);
            let site = self.i32(site);
            let status = self.call_runtime_value(Function::Enter, &[self.context, site])?;
            self.check_status(status);
        }
        let mut values = vec![self.context];
        values.extend(self.exps(args)?);
        let out = self.scratch(8 * results.len());
        values.push(out);
        let function = self.import(callee.id);
        let call = self.b.ins().call(function, &values);
        let status = self.b.inst_results(call)[0];
        self.check_status(status);
        for (i, (var, ty)) in results.iter().zip(&callee.results).enumerate() {
            let ty = machine_imp_type(*ty);
            let value = self.b.ins().load(ty, MemFlagsData::trusted(), out, 8 * i as i32);
            self.assign(*var, value)?;
        }
        debug_assert_eq!(self.b.func.dfg.value_type(status), types::I32);
        Ok(())
    }
}
