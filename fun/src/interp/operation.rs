//! Scalar operators and operations on arrays.

use super::array::{Array, indices};
use super::{Env, Machine, Val};
use crate::ir::{Dim, Exp};
use fun_base::prim::{EvalError, PrimValue, eval_bin, eval_conv, eval_fma, eval_un};
use fun_base::run::RunError;
use std::collections::BTreeSet;

/// A failing operator stops the program; an operator on the wrong types is a fault.
fn operator_error(error: EvalError) -> RunError {
    match error {
        EvalError::DivisionByZero | EvalError::NegativeExponent => RunError::assert(error.to_string()),
        EvalError::Type => RunError::fault(format!("F2: {error}")),
    }
}

impl<'p> Machine<'p> {
    /// The value of an expression without bodies.
    #[inline(never)]
    pub(super) fn operation(&mut self, env: &Env, exp: &'p Exp) -> Result<Val, RunError> {
        match exp {
            Exp::Atom(atom) => self.value(env, *atom),
            Exp::Bin(op, _, left, right) => {
                let value = eval_bin(*op, self.prim(env, *left)?, self.prim(env, *right)?);
                value.map(Val::Prim).map_err(operator_error)
            }
            Exp::Un(op, _, value) => {
                eval_un(*op, self.prim(env, *value)?).map(Val::Prim).map_err(operator_error)
            }
            Exp::Fma(_, [a, b, c]) => {
                let (a, b, c) = (self.prim(env, *a)?, self.prim(env, *b)?, self.prim(env, *c)?);
                eval_fma(a, b, c).map(Val::Prim).map_err(operator_error)
            }
            Exp::Convert { to, from: _, value } => Ok(Val::Prim(eval_conv(*to, self.prim(env, *value)?))),
            Exp::Index { array, indices } => {
                let array = self.array_of(env, *array)?;
                let index = self.i64s(env, indices)?;
                self.cell(&array, &index)
            }
            Exp::Slice { array, dims } => {
                let array = self.array_of(env, *array)?;
                let slice = self.slice_of(env, dims)?;
                let mut cells = Vec::new();
                for index in indices(&slice.shape) {
                    cells.push(array.cells[array.position(&slice.index(&index))?]);
                }
                Ok(Val::Array(self.array(slice.shape, array.elem, cells)?))
            }
            Exp::Update { array, dims, value } => {
                let array = self.array_of(env, *array)?;
                let slice = self.slice_of(env, dims)?;
                let value = self.value(env, *value)?;
                self.update(&array, &slice, &value).map(Val::Array)
            }
            Exp::Iota { count, start, step, elem } => {
                let count = self.i64(env, *count)?;
                let (start, step) = (self.prim(env, *start)?, self.prim(env, *step)?);
                self.room(&[count], *elem)?;
                // Integers wrap: multiplying in i64 and cutting down to the type is the same.
                let bits = |k: i64| start.bits().wrapping_add((k as u64).wrapping_mul(step.bits()));
                let cells = (0..count).map(|k| Some(PrimValue::from_bits(*elem, bits(k))));
                Ok(Val::Array(self.array(vec![count], *elem, cells)?))
            }
            Exp::Replicate { shape, value } => {
                let outer = self.i64s(env, shape)?;
                let (inner, elem, cells) = match self.value(env, *value)? {
                    Val::Prim(value) => (Vec::new(), value.prim_type(), imbl::vector![Some(value)]),
                    Val::Array(array) => (array.shape, array.elem, array.cells),
                };
                let shape: Vec<i64> = outer.iter().chain(&inner).copied().collect();
                let count = self.room(&shape, elem)?;
                let cells = cells.iter().copied().cycle().take(count).collect::<Vec<_>>();
                Ok(Val::Array(self.array(shape, elem, cells)?))
            }
            Exp::Scratch { shape, elem } => {
                let shape = self.i64s(env, shape)?;
                let count = self.room(&shape, *elem)?;
                Ok(Val::Array(self.array(shape, *elem, std::iter::repeat_n(None, count))?))
            }
            Exp::ArrayLiteral { row, elems } => {
                let (rows, inner) = (self.values(env, elems)?, self.shape(env, row)?);
                let outer = rows.len() as i64;
                Ok(Val::Array(self.array_of_rows(&[outer], &inner, row.elem(), rows)?))
            }
            Exp::Concat { size, arrays } => {
                let size = self.i64(env, *size)?;
                let parts =
                    arrays.iter().map(|array| self.array_of(env, *array)).collect::<Result<Vec<_>, _>>()?;
                let Some(first) = parts.first() else {
                    return Err(RunError::fault("F2: nothing to concatenate"));
                };
                let (row, elem) = (first.shape[1..].to_vec(), first.elem);
                let rows: i64 = parts.iter().map(|part| part.shape[0]).sum();
                if rows != size || parts.iter().any(|part| part.shape[1..] != row) {
                    return Err(RunError::fault(format!(
                        "F6: concat of {rows} rows to {size}, or of different rows"
                    )));
                }
                let cells = parts.into_iter().fold(imbl::Vector::new(), |cells, part| cells + part.cells);
                let shape = [size].into_iter().chain(row).collect();
                Ok(Val::Array(self.array(shape, elem, cells)?))
            }
            Exp::Copy(array) => self.array_of(env, *array).map(Val::Array),
            Exp::Permute { perm, array } => {
                let array = self.array_of(env, *array)?;
                if perm.len() != array.shape.len() || (0..perm.len()).any(|k| !perm.contains(&k)) {
                    return Err(RunError::fault(format!("F2: {perm:?} is no permutation of the dimensions")));
                }
                let shape: Vec<i64> = perm.iter().map(|k| array.shape[*k]).collect();
                let mut cells = Vec::new();
                for index in indices(&shape) {
                    let mut from = vec![0; index.len()];
                    perm.iter().zip(&index).for_each(|(k, i)| from[*k] = *i);
                    cells.push(array.cells[array.position(&from)?]);
                }
                Ok(Val::Array(self.array(shape, array.elem, cells)?))
            }
            Exp::Reshape { shape, array } => {
                let array = self.array_of(env, *array)?;
                let shape = self.i64s(env, shape)?;
                let cells = self.room(&shape, array.elem)?;
                if cells != array.cells.len() {
                    return Err(RunError::fault(format!("F6: reshape of {:?} to {shape:?}", array.shape)));
                }
                Ok(Val::Array(array.with_shape(shape)))
            }
            Exp::Reverse { dim, array } => {
                let array = self.array_of(env, *array)?;
                let Some(size) = array.shape.get(*dim).copied() else {
                    return Err(RunError::fault(format!("F2: no dimension {dim}")));
                };
                let mut cells = Vec::new();
                for mut index in indices(&array.shape) {
                    index[*dim] = size - 1 - index[*dim];
                    cells.push(array.cells[array.position(&index)?]);
                }
                Ok(Val::Array(self.array(array.shape.clone(), array.elem, cells)?))
            }
            Exp::If { .. }
            | Exp::Loop { .. }
            | Exp::Call { .. }
            | Exp::Assert { .. }
            | Exp::Trace { .. }
            | Exp::Map { .. }
            | Exp::Reduce { .. }
            | Exp::Scan { .. }
            | Exp::Hist { .. }
            | Exp::Scatter { .. }
            | Exp::Derive { .. }
            | Exp::Kernel { .. } => Err(RunError::fault("an expression with bodies is no operation")),
            Exp::Op(op) => match *op {},
        }
    }

    /// One cell, which must have been written.
    pub(super) fn cell(&self, array: &Array, index: &[i64]) -> Result<Val, RunError> {
        let cell = array.cells[array.position(index)?];
        cell.map(Val::Prim)
            .ok_or_else(|| RunError::fault(format!("the cell {index:?} is read and was never written")))
    }

    fn slice_of(&self, env: &Env, dims: &[Dim]) -> Result<SliceOf, RunError> {
        let mut slice = SliceOf { dims: Vec::new(), shape: Vec::new() };
        for dim in dims {
            let (offset, kept) = match dim {
                Dim::Fix(index) => (index, Vec::new()),
                Dim::Range { offset, count, stride } => (offset, vec![(count, stride)]),
                Dim::Flat { offset, dims } => {
                    (offset, dims.iter().map(|dim| (&dim.count, &dim.stride)).collect())
                }
            };
            let mut strides = Vec::with_capacity(kept.len());
            for (count, stride) in kept {
                let count = self.i64(env, *count)?;
                if count < 0 {
                    return Err(RunError::fault(format!("F6: a slice of negative size {count}")));
                }
                slice.shape.push(count);
                strides.push(self.i64(env, *stride)?);
            }
            slice.dims.push((self.i64(env, *offset)?, strides));
        }
        Ok(slice)
    }

    fn update(&mut self, array: &Array, slice: &SliceOf, value: &Val) -> Result<Array, RunError> {
        let mut cells = array.cells.clone();
        match value {
            Val::Prim(value) if slice.shape.is_empty() => {
                cells.set(array.position(&slice.index(&[]))?, Some(*value));
            }
            Val::Array(value) if value.shape == slice.shape => {
                self.charge(value.cells.len() as u64)?;
                let mut written = BTreeSet::new();
                for (index, cell) in indices(&slice.shape).zip(&value.cells) {
                    let position = array.position(&slice.index(&index))?;
                    if slice.may_repeat() && !written.insert(position) {
                        return Err(RunError::fault("F6: an update writes a cell twice"));
                    }
                    cells.set(position, *cell);
                }
            }
            Val::Prim(_) | Val::Array(_) => {
                return Err(RunError::fault("F2: an update by a value of another shape"));
            }
        }
        Ok(array.with_cells(cells))
    }
}

/// Part of an array: for each dimension an offset, and a stride for each dimension of the part that is made of it.
struct SliceOf {
    dims: Vec<(i64, Vec<i64>)>,
    shape: Vec<i64>,
}

impl SliceOf {
    /// The index in the whole array of an index in the part. Saturates, so that it is outside if it overflows.
    fn index(&self, inner: &[i64]) -> Vec<i64> {
        let mut inner = inner.iter();
        let mut next = |(offset, strides): &(i64, Vec<i64>)| {
            let mut at = i128::from(*offset);
            for (stride, i) in strides.iter().zip(&mut inner) {
                at = at.saturating_add(i128::from(*i).saturating_mul(i128::from(*stride)));
            }
            i64::try_from(at).unwrap_or(i64::MAX)
        };
        self.dims.iter().map(&mut next).collect()
    }

    /// Whether two indices in the part may be one in the whole array.
    fn may_repeat(&self) -> bool {
        self.dims.iter().any(|(_, strides)| strides.len() > 1 || strides.contains(&0))
    }
}
