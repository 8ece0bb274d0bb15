//! Statements.

use super::heap::{Access, Taking, all_defined};
use super::{Machine, Placed, Slot, same_cells};
use crate::ir::{Binder, Body, Exp, MemOp, MemType, Statement};
use fun::ir::{Atom, Dim, FlatDim, LoopForm};
use fun_base::prim::{BinOp, EvalError, PrimValue, eval_bin, eval_conv, eval_fma, eval_un};
use fun_base::run::{MAX_CALL_DEPTH, RunError, fill_message, too_deep, with_stack};
use fun_base::value::shape_len;
use fun_index::lmad::ConcreteLmad;
use std::rc::Rc;

/// A failing operator stops the program; operands of wrong types are a fault.
fn failed(error: EvalError) -> RunError {
    match error {
        EvalError::DivisionByZero | EvalError::NegativeExponent => RunError::assert(error.to_string()),
        EvalError::Type => RunError::fault(format!("F2: {error}")),
    }
}

impl<'p> Machine<'p> {
    /// Executes a body and ends the blocks that it leaves behind.
    pub(super) fn body(&mut self, body: &'p Body) -> Result<Vec<Slot>, RunError> {
        let scope = self.heap.scope();
        for statement in &body.statements {
            self.statement(statement)?;
        }
        let results: Vec<Slot> =
            body.results.iter().map(|atom| self.value(*atom)).collect::<Result<_, _>>()?;
        self.end_scope(scope, &results);
        Ok(results)
    }

    pub(super) fn statement(&mut self, statement: &'p Statement) -> Result<(), RunError> {
        let around = self.at.replace(statement);
        self.heap.tick();
        self.charge(1)
            .and_then(|()| self.let_(&statement.pattern, &statement.exp))
            .map_err(|error| error.at(statement.loc))?;
        self.at = around;
        Ok(())
    }

    fn let_(&mut self, pattern: &'p [Binder], exp: &'p Exp) -> Result<(), RunError> {
        match exp {
            Exp::Atom(atom) => match self.value(*atom)? {
                Slot::Array(array) => self.derived(pattern, &array),
                value => self.bind(pattern, vec![value]),
            },
            Exp::Bin(op, _, left, right) => {
                let value = self.eval_bin(*op, *left, *right)?;
                self.bind_scalar(pattern, value)
            }
            Exp::Un(op, _, operand) => {
                let value = eval_un(*op, self.scalar(*operand)?).map_err(failed)?;
                self.bind_scalar(pattern, value)
            }
            Exp::Fma(_, [a, b, c]) => {
                let value = eval_fma(self.scalar(*a)?, self.scalar(*b)?, self.scalar(*c)?).map_err(failed)?;
                self.bind_scalar(pattern, value)
            }
            Exp::Convert { to, from: _, value } => {
                let value = eval_conv(*to, self.scalar(*value)?);
                self.bind_scalar(pattern, value)
            }
            Exp::Index { array, indices } => {
                let (array, indices) = (self.array(*array)?, self.i64s(indices)?);
                for (index, size) in indices.iter().zip(array.lmad.sizes()) {
                    if !(0..size).contains(index) {
                        return Err(RunError::fault(format!(
                            "F6: index {index} of a dimension of size {size}"
                        )));
                    }
                }
                let address = array.lmad.apply(&indices);
                let value = self.read(&array, address, Access::Read)?;
                self.bind_scalar(pattern, value)
            }
            Exp::Slice { array, dims } => {
                let array = self.array(*array)?;
                self.slice(&array.lmad, dims)?;
                self.derived(pattern, &array)
            }
            Exp::Permute { array, .. } | Exp::Reverse { array, .. } => {
                let array = self.array(*array)?;
                self.derived(pattern, &array)
            }
            Exp::Reshape { shape, array } => {
                let (shape, array) = (self.i64s(shape)?, self.array(*array)?);
                if shape_len(&shape).is_none_or(|length| length as u64 != array.lmad.len()) {
                    let old: Vec<i64> = array.lmad.sizes().collect();
                    return Err(RunError::fault(format!("F6: reshape of {old:?} to {shape:?}")));
                }
                self.derived(pattern, &array)
            }
            Exp::Update { array, dims, value } => {
                let array = self.array(*array)?;
                let lmad = self.slice(&array.lmad, dims)?;
                let value = self.value(*value)?;
                self.derived(pattern, &array)?;
                let name = pattern.first().map_or(array.name, |binder| binder.var);
                self.store(&value, &Placed { name, ..array.part(lmad) }, Access::Write)
            }
            Exp::Iota { count, start, step, elem: _ } => {
                let (count, step) = (self.i64(*count)?, self.scalar(*step)?);
                let mut next = self.scalar(*start)?;
                let place = self.fresh(pattern, &[count])?;
                for address in place.lmad.addresses() {
                    self.write(&place, address, next, Access::Write)?;
                    next = eval_bin(BinOp::Add, next, step).map_err(failed)?;
                }
                Ok(())
            }
            Exp::Replicate { shape, value } => {
                let shape = self.i64s(shape)?;
                let value = self.value(*value)?;
                let inner =
                    if let Slot::Array(array) = &value { array.lmad.sizes().collect() } else { Vec::new() };
                let place = self.fresh(pattern, &[shape.as_slice(), &inner].concat())?;
                let mut part = (*place).clone();
                let outer =
                    ConcreteLmad { offset: place.lmad.offset, dims: place.lmad.dims[..shape.len()].to_vec() };
                part.lmad.dims.drain(..shape.len());
                // copies of an empty row cost no stores
                self.charge(outer.len())?;
                for address in outer.addresses() {
                    part.lmad.offset = address;
                    self.store(&value, &part, Access::Write)?;
                }
                Ok(())
            }
            Exp::Scratch { shape, elem: _ } => {
                let shape = self.i64s(shape)?;
                let place = self.fresh(pattern, &shape)?;
                self.forget(&place)
            }
            Exp::ArrayLiteral { row: _, elems } => {
                let rows: Vec<Slot> = elems.iter().map(|atom| self.value(*atom)).collect::<Result<_, _>>()?;
                let inner = match rows.first() {
                    Some(Slot::Array(array)) => array.lmad.sizes().collect(),
                    Some(Slot::Scalar(_)) => Vec::new(),
                    Some(Slot::Nothing | Slot::Block(_)) | None => self.inner_sizes(pattern)?,
                };
                let place = self.fresh(pattern, &[&[rows.len() as i64], inner.as_slice()].concat())?;
                let parts: Vec<Placed> = (0..rows.len() as i64).map(|k| place.row(k)).collect();
                self.store_all(rows.iter().zip(&parts), Access::Write)
            }
            Exp::Concat { size, arrays } => {
                let size = self.i64(*size)?;
                let arrays: Vec<Slot> =
                    arrays.iter().map(|var| self.slot(*var).cloned()).collect::<Result<_, _>>()?;
                self.concat(pattern, size, &arrays)
            }
            Exp::Copy(array) => {
                let array = self.array(*array)?;
                let shape: Vec<i64> = array.lmad.sizes().collect();
                let place = self.fresh(pattern, &shape)?;
                self.store(&Slot::Array(array), &place, Access::Write)
            }
            Exp::If { condition, then, otherwise } => {
                let taken = if self.bool(*condition)? { then } else { otherwise };
                let results = self.body(taken)?;
                self.bind(pattern, results)
            }
            Exp::Loop { params, form, body } => {
                let binders: Vec<&'p Binder> = params.iter().map(|param| &param.binder).collect();
                let first = params.iter().map(|param| self.value(param.init)).collect::<Result<_, _>>()?;
                let results = self.repeat(&binders, first, form, body)?;
                self.bind(pattern, results)
            }
            Exp::Call { function, args } => {
                let called = self.functions.get(function).copied();
                let called =
                    called.ok_or_else(|| RunError::fault(format!("F9: no function `{function}`")))?;
                let args = args.iter().map(|atom| self.value(*atom)).collect::<Result<_, _>>()?;
                let results = self.call(called, args)?;
                self.bind(pattern, results)
            }
            Exp::Assert { condition, message, args } => {
                if self.bool(*condition)? {
                    return Ok(());
                }
                Err(RunError::assert(fill_message(message, &self.i64s(args)?)))
            }
            Exp::Trace { .. } => Ok(()),
            Exp::Kernel { space, combine, body } => self.kernel(pattern, space, combine, body),
            Exp::Map { .. }
            | Exp::Reduce { .. }
            | Exp::Scan { .. }
            | Exp::Hist { .. }
            | Exp::Scatter { .. }
            | Exp::Derive { .. } => Err(RunError::fault("M5: only kernels run in memory")),
            Exp::Op(MemOp::Alloc { space: _, shape, elem }) => {
                let shape = self.i64s(shape)?;
                let [binder] = pattern else { return Err(RunError::fault("F2: one block has one binder")) };
                let block = self.alloc(binder.var, *elem, &shape)?;
                self.bind(pattern, vec![Slot::Block(block)])
            }
        }
    }

    pub(super) fn eval_bin(&self, op: BinOp, left: Atom, right: Atom) -> Result<PrimValue, RunError> {
        eval_bin(op, self.scalar(left)?, self.scalar(right)?).map_err(failed)
    }

    fn bind_scalar(&mut self, pattern: &'p [Binder], value: PrimValue) -> Result<(), RunError> {
        match pattern {
            [binder] => self.set(binder.var, Slot::Scalar(value)),
            _ => Err(RunError::fault("F2: a scalar has one binder")),
        }
    }

    /// Binds values to binders. Arrays must lie where the binders say.
    pub(super) fn bind<'b>(
        &mut self,
        binders: impl IntoIterator<Item = &'b Binder> + Clone,
        values: Vec<Slot>,
    ) -> Result<(), RunError> {
        let count = binders.clone().into_iter().count();
        if count != values.len() {
            return Err(RunError::fault(format!("F4: {} values for {count} binders", values.len())));
        }
        // First what places are made of.
        for (binder, value) in binders.clone().into_iter().zip(&values) {
            match (&binder.ty, value) {
                (MemType::Prim(_), Slot::Scalar(_)) | (MemType::Mem(_), Slot::Block(_)) => {
                    self.set(binder.var, value.clone())?;
                }
                (MemType::Array { .. }, Slot::Array(_)) => {}
                (MemType::Prim(_) | MemType::Mem(_) | MemType::Array { .. }, _) => {
                    return Err(RunError::fault(format!(
                        "F2: the value of `{}` is of another kind",
                        binder.var
                    )));
                }
            }
        }
        for (binder, value) in binders.into_iter().zip(values) {
            let Slot::Array(value) = value else { continue };
            let Some(mut place) = self.place_of(binder)? else { continue };
            if place.block != value.block || !same_cells(&place.lmad, &value.lmad) {
                return Err(RunError::fault(format!("M4: `{}` is not where its binder says", binder.var)));
            }
            (place.lineage, place.whole_since) = (value.lineage, value.whole_since);
            self.set(binder.var, Slot::Array(Rc::new(place)))?;
        }
        Ok(())
    }

    /// Binds what is derived from an array, or the array after a change in place, to the place that the binder says, without touching
    /// memory (M3 has checked the place).
    pub(super) fn derived(&mut self, pattern: &'p [Binder], from: &Placed) -> Result<(), RunError> {
        for binder in pattern {
            let place = self.place_of(binder)?;
            let mut place =
                place.ok_or_else(|| RunError::fault(format!("F2: `{}` is an array", binder.var)))?;
            (place.lineage, place.whole_since) = (from.lineage, from.whole_since);
            self.set(binder.var, Slot::Array(Rc::new(place)))?;
        }
        Ok(())
    }

    /// Binds the one array of a pattern, which is about to be written, to its place.
    fn fresh(&mut self, pattern: &'p [Binder], shape: &[i64]) -> Result<Rc<Placed>, RunError> {
        if let Some(size) = shape.iter().find(|size| **size < 0) {
            return Err(RunError::fault(format!("F6: an array of negative size {size}")));
        }
        let [binder] = pattern else { return Err(RunError::fault("F2: one array has one binder")) };
        let lineage = self.heap.lineages(1);
        let place = Rc::new(Placed { lineage, ..self.destination(binder)? });
        if !place.lmad.sizes().eq(shape.iter().copied()) {
            let claimed: Vec<i64> = place.lmad.sizes().collect();
            return Err(RunError::fault(format!(
                "F2: `{}` has shape {shape:?} and not {claimed:?}",
                binder.var
            )));
        }
        self.charge(place.lmad.len())?;
        self.set(binder.var, Slot::Array(Rc::clone(&place)))?;
        Ok(place)
    }

    /// The place of a binder, inside its block.
    pub(super) fn destination(&mut self, binder: &'p Binder) -> Result<Placed, RunError> {
        let place = self.place_of(binder)?;
        let place = place.ok_or_else(|| RunError::fault(format!("F2: `{}` is an array", binder.var)))?;
        self.in_bounds(&place, "has a cell at")?;
        Ok(place)
    }

    /// The sizes inside the outermost one that the binder says.
    fn inner_sizes(&self, pattern: &'p [Binder]) -> Result<Vec<i64>, RunError> {
        let [binder] = pattern else { return Err(RunError::fault("F2: one array has one binder")) };
        let place = self.place_of(binder)?;
        Ok(place.map_or_else(Vec::new, |place| place.lmad.sizes().skip(1).collect()))
    }

    /// The slice of an LMAD, in bounds.
    fn slice(&self, lmad: &ConcreteLmad, dims: &[Dim]) -> Result<ConcreteLmad, RunError> {
        let mut part = ConcreteLmad { offset: lmad.offset, dims: Vec::with_capacity(dims.len()) };
        for (dim, (size, step)) in dims.iter().zip(&lmad.dims) {
            let start = match dim {
                Dim::Fix(index) => {
                    let index = self.i64(*index)?;
                    if !(0..*size).contains(&index) {
                        return Err(RunError::fault(format!(
                            "F6: index {index} of a dimension of size {size}"
                        )));
                    }
                    index
                }
                Dim::Range { offset, count, stride } => {
                    let (offset, count, stride) = (self.i64(*offset)?, self.i64(*count)?, self.i64(*stride)?);
                    let last = i128::from(offset) + (i128::from(count) - 1) * i128::from(stride);
                    let inside = |index: i128| (0..i128::from(*size)).contains(&index);
                    if count < 0 || (count > 0 && !(inside(offset.into()) && inside(last))) {
                        return Err(RunError::fault(format!(
                            "F6: slice {offset} : {count} : {stride} of a dimension of size {size}"
                        )));
                    }
                    part.dims.push((count, step.wrapping_mul(stride)));
                    offset
                }
                Dim::Flat { offset, dims } => {
                    let offset = self.i64(*offset)?;
                    let (mut first, mut last) = (i128::from(offset), i128::from(offset));
                    let (mut all, mut some) = (true, true);
                    for FlatDim { count, stride } in dims {
                        let (count, stride) = (self.i64(*count)?, self.i64(*stride)?);
                        let reach = (i128::from(count) - 1).saturating_mul(i128::from(stride));
                        (first, last) =
                            (first.saturating_add(reach.min(0)), last.saturating_add(reach.max(0)));
                        (all, some) = (all && count >= 0, some && count > 0);
                        part.dims.push((count, step.wrapping_mul(stride)));
                    }
                    if !all || (some && !(first >= 0 && last < i128::from(*size))) {
                        return Err(RunError::fault(format!(
                            "F6: slice from {first} to {last} of a dimension of size {size}"
                        )));
                    }
                    offset
                }
            };
            part.offset = part.offset.wrapping_add(step.wrapping_mul(start));
        }
        Ok(part)
    }

    /// Copies a value to a place (the paper's memcopy). Nothing happens to an array that is there already.
    pub(super) fn store(&mut self, value: &Slot, place: &Placed, access: Access) -> Result<(), RunError> {
        self.store_all([(value, place)], access)
    }

    /// Copies values to places, all reads before all writes.
    pub(super) fn store_all<'v>(
        &mut self,
        pairs: impl IntoIterator<Item = (&'v Slot, &'v Placed)>,
        access: Access,
    ) -> Result<(), RunError> {
        let mut moved = Vec::new();
        for (value, place) in pairs {
            match value {
                Slot::Scalar(value) => {
                    let raw = (value.bits(), all_defined(value.prim_type()));
                    moved.push((place, place.lmad.offset, raw, Taking::Always));
                }
                Slot::Array(array) => {
                    if !array.lmad.sizes().eq(place.lmad.sizes()) || array.elem != place.elem {
                        return Err(RunError::fault("F2: an array is written to a place of another type"));
                    }
                    if array.block == place.block && same_cells(&array.lmad, &place.lmad) {
                        self.adopt(array, place)?;
                        continue;
                    }
                    self.charge(array.lmad.len())?;
                    for (from, to) in array.lmad.addresses().zip(place.lmad.addresses()) {
                        let raw = self.read_raw(array, from, Access::Read)?;
                        moved.push((place, to, raw, Taking::Changed));
                    }
                }
                Slot::Nothing | Slot::Block(_) => {
                    return Err(RunError::fault("F2: a block is written to memory"));
                }
            }
        }
        for (place, address, raw, taking) in moved {
            self.write_raw(place, address, raw, taking, access)?;
        }
        Ok(())
    }

    fn concat(&mut self, pattern: &'p [Binder], size: i64, arrays: &[Slot]) -> Result<(), RunError> {
        let mut shape = self.inner_sizes(pattern)?;
        shape.insert(0, size);
        let place = self.fresh(pattern, &shape)?;
        let mut parts = Vec::with_capacity(arrays.len());
        let mut start = 0i64;
        for array in arrays {
            let Slot::Array(array) = array else { return Err(RunError::fault("F2: concat takes arrays")) };
            let mut part = (*place).clone();
            let (count, stride) = (array.lmad.dims[0].0, part.lmad.dims[0].1);
            part.lmad.offset = part.lmad.offset.wrapping_add(stride.wrapping_mul(start));
            part.lmad.dims[0].0 = count;
            parts.push(part);
            start = start.saturating_add(count);
        }
        if start != size {
            return Err(RunError::fault(format!("F6: concat of {start} rows to {size}")));
        }
        // one part after the other, as compiled code does
        arrays.iter().zip(&parts).try_for_each(|(array, part)| self.store(array, part, Access::Write))
    }

    fn repeat(
        &mut self,
        binders: &[&'p Binder],
        mut values: Vec<Slot>,
        form: &LoopForm,
        body: &'p Body,
    ) -> Result<Vec<Slot>, RunError> {
        let scope = self.heap.scope();
        let bound = match form {
            LoopForm::For { bound, .. } => Some(self.scalar(*bound)?),
            LoopForm::While(_) => None,
        };
        let bound = bound
            .map(|bound| bound.as_int().ok_or_else(|| RunError::fault("F2: a loop bound is an integer")));
        let bound = bound.transpose()?;
        let mut count = 0i128;
        self.loops.push((self.heap.kernels.len(), 0));
        loop {
            self.charge(1)?;
            if let Some((_, iteration)) = self.loops.last_mut() {
                *iteration = count as u64;
            }
            self.bind(binders.iter().copied(), values.clone())?;
            let goes_on = match form {
                LoopForm::For { var, ty, bound: _ } => {
                    let counter = ty.of_i64(count as i64);
                    self.set(*var, Slot::Scalar(counter))?;
                    bound.is_some_and(|bound| count < bound)
                }
                LoopForm::While(var) => self.bool(Atom::Var(*var))?,
            };
            if !goes_on {
                self.loops.pop();
                return Ok(values);
            }
            values = self.body(body)?;
            self.end_scope(scope, &values);
            count += 1;
        }
    }

    /// Calls a function with all its arguments.
    pub(super) fn call(
        &mut self,
        function: &'p crate::ir::Function,
        args: Vec<Slot>,
    ) -> Result<Vec<Slot>, RunError> {
        if self.calls.len() == MAX_CALL_DEPTH {
            return Err(too_deep());
        }
        // What the outer call of the same function has bound must be there again afterwards.
        let kept: Vec<(usize, Slot)> = if self.calls.last() == Some(&function.name) {
            let positions = self.positions_in(function).into_iter();
            positions
                .map(|position| (position, std::mem::replace(&mut self.slots[position], Slot::Nothing)))
                .collect()
        } else {
            Vec::new()
        };
        let around = self.at.take();
        self.calls.push(function.name);
        let run = with_stack(|| {
            self.bind(function.params.iter().map(|param| &param.binder), args)?;
            let results = self.body(&function.body)?;
            self.bind(function.results.iter().map(|result| &result.binder), results.clone())?;
            Ok(results)
        });
        self.calls.pop();
        for (position, slot) in kept {
            self.slots[position] = slot;
        }
        let results = run.map_err(|error: RunError| error.in_function(function.name))?;
        self.at = around;
        Ok(results)
    }
}

impl Placed {
    /// Index `k` of the outermost dimension.
    pub(super) fn row(&self, k: i64) -> Placed {
        self.part(self.lmad.fix_outer(k))
    }

    /// The part at these cells.
    pub(super) fn part(&self, lmad: ConcreteLmad) -> Placed {
        let Placed { block, elem, lmad: _, name, lineage, whole_since } = *self;
        Placed { block, elem, lmad, name, lineage, whole_since }
    }
}
