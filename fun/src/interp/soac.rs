//! SOACs and kernels.

use super::array::{Array, indices};
use super::sum::Sums;
use super::{Env, Machine, Val};
use crate::ir::{Atom, Body, Combine, Exp, Lambda, Statement, Type};
use fun_base::name::Var;
use fun_base::prim::PrimValue;
use fun_base::run::RunError;
use std::collections::BTreeMap;

/// An index and what is put there, one value for each destination.
type Update = (i64, Vec<Val>);

impl<'p> Machine<'p> {
    /// The results of a SOAC form.
    #[inline(never)]
    pub(super) fn soac(&mut self, env: &Env, exp: &'p Exp) -> Result<Vec<Val>, RunError> {
        match exp {
            Exp::Map { width, lambda, arrays } => {
                let width = self.width(env, *width)?;
                let inputs = self.inputs(env, arrays, width)?;
                let mut rows = Vec::new();
                for i in 0..width {
                    let args: Vec<Val> =
                        inputs.iter().map(|array| self.row(array, i)).collect::<Result<_, _>>()?;
                    rows.push(self.apply(env, lambda, &args)?);
                }
                self.gather(env, &[width], &lambda.results, rows)
            }
            Exp::Reduce { width, op, neutral, arrays, commutative: _ } => {
                let width = self.width(env, *width)?;
                let inputs = self.inputs(env, arrays, width)?;
                let (mut total, mut sums) = (self.values(env, neutral)?, Sums::of(op));
                for i in 0..width {
                    let point = inputs.iter().map(|array| self.row(array, i)).collect::<Result<_, _>>()?;
                    total = self.combine(env, op, total, point, &mut sums)?;
                }
                Ok(sums.whole(&total))
            }
            Exp::Scan { width, op, neutral, arrays } => {
                let width = self.width(env, *width)?;
                let inputs = self.inputs(env, arrays, width)?;
                let (mut total, mut sums) = (self.values(env, neutral)?, Sums::of(op));
                let mut rows = Vec::new();
                for i in 0..width {
                    let point = inputs.iter().map(|array| self.row(array, i)).collect::<Result<_, _>>()?;
                    total = self.combine(env, op, total, point, &mut sums)?;
                    rows.push(sums.whole(&total));
                }
                self.gather(env, &[width], &op.results, rows)
            }
            Exp::Hist { width, op, neutral: _, dests, indices, values } => {
                let width = self.width(env, *width)?;
                let updates = self.updates(env, *indices, values, width)?;
                let dests = dests.iter().map(|dest| self.array_of(env, *dest)).collect::<Result<_, _>>()?;
                self.combine_at(env, dests, Some(op), updates)
            }
            Exp::Scatter { width, dests, indices, values } => {
                let width = self.width(env, *width)?;
                let updates = self.updates(env, *indices, values, width)?;
                let dests = dests.iter().map(|dest| self.array_of(env, *dest)).collect::<Result<_, _>>()?;
                self.combine_at(env, dests, None, updates)
            }
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
            | Exp::Reverse { .. }
            | Exp::If { .. }
            | Exp::Loop { .. }
            | Exp::Call { .. }
            | Exp::Assert { .. }
            | Exp::Trace { .. }
            | Exp::Derive { .. }
            | Exp::Kernel { .. } => Err(RunError::fault("only SOACs are SOACs")),
            Exp::Op(op) => match *op {},
        }
    }

    /// The outer size of a SOAC.
    fn width(&self, env: &Env, width: Atom) -> Result<i64, RunError> {
        let width = self.i64(env, width)?;
        if width < 0 { Err(RunError::fault(format!("F6: a negative width {width}"))) } else { Ok(width) }
    }

    /// Arrays of this outer size.
    fn inputs(&self, env: &Env, arrays: &[Var], width: i64) -> Result<Vec<Array>, RunError> {
        let input = |var: &Var| {
            let array = self.array_of(env, *var)?;
            if array.shape[0] != width {
                return Err(RunError::fault(format!(
                    "F6: {var} has outer size {}, not {width}",
                    array.shape[0]
                )));
            }
            Ok(array)
        };
        arrays.iter().map(input).collect()
    }

    /// One element of an array along its outermost dimension.
    pub(super) fn row(&mut self, array: &Array, i: i64) -> Result<Val, RunError> {
        if array.shape.len() == 1 {
            return self.cell(array, &[i]);
        }
        let length = array.row_len();
        let start = i as usize * length;
        let cells = array.cells.clone().slice(start..start + length);
        Ok(Val::Array(self.array(array.shape[1..].to_vec(), array.elem, cells)?))
    }

    /// A lambda applied to values.
    #[inline(never)]
    pub(super) fn apply(
        &mut self,
        env: &Env,
        lambda: &'p Lambda,
        args: &[Val],
    ) -> Result<Vec<Val>, RunError> {
        let mut inner = env.clone();
        self.charge(1)?;
        self.bind(&mut inner, lambda.params.iter(), args)?;
        self.body(&inner, &lambda.body)
    }

    /// An operator applied to what there is and what comes.
    fn combine(
        &mut self,
        env: &Env,
        op: &'p Lambda,
        total: Vec<Val>,
        point: Vec<Val>,
        sums: &mut Sums,
    ) -> Result<Vec<Val>, RunError> {
        let args: Vec<Val> = total.iter().chain(&point).cloned().collect();
        let new = self.apply(env, op, &args)?;
        sums.note(&total, &point, &new);
        Ok(new)
    }

    /// Arrays over a space from the results at its points; `types` are those of the results at one point.
    pub(super) fn gather(
        &mut self,
        env: &Env,
        space: &[i64],
        types: &[Type],
        points: Vec<Vec<Val>>,
    ) -> Result<Vec<Val>, RunError> {
        let mut columns: Vec<Vec<Val>> = vec![Vec::with_capacity(points.len()); types.len()];
        for point in points {
            if point.len() != types.len() {
                return Err(RunError::fault(format!(
                    "F2: {} results instead of {}",
                    point.len(),
                    types.len()
                )));
            }
            for (column, value) in columns.iter_mut().zip(point) {
                column.push(value);
            }
        }
        let mut results = Vec::new();
        for (column, ty) in columns.into_iter().zip(types) {
            let row = self.shape(env, ty)?;
            results.push(Val::Array(self.array_of_rows(space, &row, ty.elem(), column)?));
        }
        Ok(results)
    }

    /// The updates that a SOAC form of hist or scatter says.
    fn updates(&mut self, env: &Env, at: Var, values: &[Var], width: i64) -> Result<Vec<Update>, RunError> {
        let at = self.inputs(env, &[at], width)?;
        let values = self.inputs(env, values, width)?;
        let mut updates = Vec::new();
        for i in 0..width {
            let index = self.row(&at[0], i)?;
            let row: Vec<Val> = values.iter().map(|array| self.row(array, i)).collect::<Result<_, _>>()?;
            updates.push((as_index(index)?, row));
        }
        Ok(updates)
    }

    /// Destinations after updates in order (F7): replaced, or combined with what was there. Indices outside are skipped.
    pub(super) fn combine_at(
        &mut self,
        env: &Env,
        mut dests: Vec<Array>,
        op: Option<&'p Lambda>,
        updates: Vec<Update>,
    ) -> Result<Vec<Val>, RunError> {
        let mut sums: BTreeMap<i64, Sums> = BTreeMap::new();
        for (index, values) in updates {
            let Some(first) = dests.first() else { return Err(RunError::fault("F2: no destination")) };
            if !(0..first.shape[0]).contains(&index) {
                continue;
            }
            let values = match op {
                None => values,
                Some(op) => {
                    let old = dests.iter().map(|dest| self.row(dest, index)).collect::<Result<_, _>>()?;
                    let sums = sums.entry(index).or_insert_with(|| Sums::of(op));
                    self.combine(env, op, old, values, sums)?
                }
            };
            if values.len() != dests.len() {
                return Err(RunError::fault("F2: as many values as destinations"));
            }
            for (dest, value) in dests.iter_mut().zip(values) {
                *dest = put_row(dest, index, value)?;
            }
        }
        for (index, sums) in sums {
            let total: Vec<Val> = dests.iter().map(|dest| self.row(dest, index)).collect::<Result<_, _>>()?;
            for (dest, value) in dests.iter_mut().zip(sums.whole(&total)) {
                *dest = put_row(dest, index, value)?;
            }
        }
        Ok(dests.into_iter().map(Val::Array).collect())
    }

    /// A kernel: its body at every point of the space, then the combination.
    #[inline(never)]
    pub(super) fn kernel(
        &mut self,
        env: &Env,
        statement: &'p Statement,
        space: &'p [(Var, Atom)],
        combine: &'p Combine,
        body: &'p Body,
    ) -> Result<Vec<Val>, RunError> {
        let bounds: Vec<Atom> = space.iter().map(|(_, bound)| *bound).collect();
        let sizes = self.i64s(env, &bounds)?;
        if let Some(size) = sizes.iter().find(|size| **size < 0) {
            return Err(RunError::fault(format!("F6: a kernel over a negative size {size}")));
        }
        let mut points = Vec::new();
        for index in indices(&sizes) {
            self.charge(1)?;
            points.push(self.body(&at_point(env, space, &index), body)?);
        }
        let Some((last, outer)) = sizes.split_last() else {
            return Err(RunError::fault("F2: a kernel without space"));
        };
        let result_types = |depth: usize| -> Result<Vec<Type>, RunError> {
            let deep_enough = statement.pattern.iter().all(|binder| binder.ty.rank() >= depth);
            let types = statement.pattern.iter().map(|binder| &binder.ty);
            if deep_enough {
                Ok(types.map(|ty| ty.peel(depth)).collect())
            } else {
                Err(RunError::fault("F2: a kernel's result"))
            }
        };
        match combine {
            Combine::Map => {
                let types = result_types(sizes.len())?;
                self.gather(env, &sizes, &types, points)
            }
            Combine::Reduce { op, neutral, commutative: _ } => {
                let neutral = self.values(env, neutral)?;
                let mut points = points.into_iter();
                let mut totals = Vec::new();
                for _ in indices(outer) {
                    let (mut total, mut sums) = (neutral.clone(), Sums::of(op));
                    for point in points.by_ref().take(*last as usize) {
                        total = self.combine(env, op, total, point, &mut sums)?;
                    }
                    totals.push(sums.whole(&total));
                }
                if outer.is_empty() {
                    return Ok(totals.pop().unwrap_or(neutral));
                }
                let types = result_types(outer.len())?;
                self.gather(env, outer, &types, totals)
            }
            Combine::Scan { op, neutral, epilogue } => {
                let neutral = self.values(env, neutral)?;
                let mut totals = Vec::new();
                let (mut total, mut sums) = (Vec::new(), Sums::of(op));
                for ((k, point), index) in points.into_iter().enumerate().zip(indices(&sizes)) {
                    if k as i64 % *last == 0 {
                        (total, sums) = (neutral.clone(), Sums::of(op));
                    }
                    total = self.combine(env, op, total, point, &mut sums)?;
                    let whole = sums.whole(&total);
                    totals.push(match epilogue {
                        Some(epilogue) => self.apply(&at_point(env, space, &index), epilogue, &whole)?,
                        None => whole,
                    });
                }
                let types = result_types(sizes.len())?;
                self.gather(env, &sizes, &types, totals)
            }
            Combine::Hist { op, neutral: _, dests } => self.kernel_updates(env, dests, Some(op), points),
            Combine::Scatter { dests } => self.kernel_updates(env, dests, None, points),
        }
    }

    fn kernel_updates(
        &mut self,
        env: &Env,
        dests: &[Var],
        op: Option<&'p Lambda>,
        points: Vec<Vec<Val>>,
    ) -> Result<Vec<Val>, RunError> {
        let dests = dests.iter().map(|dest| self.array_of(env, *dest)).collect::<Result<_, _>>()?;
        let split = |mut point: Vec<Val>| {
            if point.is_empty() {
                return Err(RunError::fault("F2: a body without index"));
            }
            let values = point.split_off(1);
            Ok((as_index(point.remove(0))?, values))
        };
        let updates = points.into_iter().map(split).collect::<Result<_, _>>()?;
        self.combine_at(env, dests, op, updates)
    }
}

/// Where the counters of a space have these values.
fn at_point(env: &Env, space: &[(Var, Atom)], index: &[i64]) -> Env {
    let mut inner = env.clone();
    for ((var, _), i) in space.iter().zip(index) {
        inner.insert(*var, Val::Prim(PrimValue::I64(*i)));
    }
    inner
}

fn as_index(value: Val) -> Result<i64, RunError> {
    match value {
        Val::Prim(PrimValue::I64(index)) => Ok(index),
        Val::Prim(_) | Val::Array(_) => Err(RunError::fault("F2: an index is an i64")),
    }
}

/// The array with one row replaced.
fn put_row(array: &Array, i: i64, value: Val) -> Result<Array, RunError> {
    let length = array.row_len();
    let start = i as usize * length;
    let mut cells = array.cells.clone();
    match value {
        Val::Prim(value) if array.shape.len() == 1 => {
            cells.set(start, Some(value));
        }
        Val::Array(row) if row.shape == array.shape[1..] => {
            for (k, cell) in row.cells.iter().enumerate() {
                cells.set(start + k, *cell);
            }
        }
        Val::Prim(_) | Val::Array(_) => return Err(RunError::fault("F6: a row of another shape")),
    }
    Ok(array.with_cells(cells))
}
