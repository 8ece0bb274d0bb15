//! Kernels: iterations in order, each on its own in the trace.

use super::heap::Access;
use super::{Machine, Placed, Slot};
use crate::ir::{Binder, Body, Combine, Lambda};
use fun::ir::Atom;
use fun_base::name::Var;
use fun_base::prim::PrimValue;
use fun_base::run::RunError;
use fun_base::value::shape_len;
use fun_index::lmad::ConcreteLmad;
use std::rc::Rc;

impl<'p> Machine<'p> {
    /// Executes the kernel and binds its results.
    pub(super) fn kernel(
        &mut self,
        pattern: &'p [Binder],
        space: &'p [(Var, Atom)],
        combine: &'p Combine,
        body: &'p Body,
    ) -> Result<(), RunError> {
        let sizes = space.iter().map(|(_, bound)| self.i64(*bound)).collect::<Result<Vec<_>, _>>()?;
        if shape_len(&sizes).is_none() {
            return Err(RunError::fault(format!("F6: a kernel over {sizes:?}")));
        }
        let neutral = match combine {
            Combine::Map | Combine::Scatter { .. } => Vec::new(),
            Combine::Reduce { neutral, .. }
            | Combine::Scan { neutral, .. }
            | Combine::Hist { neutral, .. } => {
                neutral.iter().map(|atom| self.scalar(*atom)).collect::<Result<_, _>>()?
            }
        };
        let counters: Vec<Var> = space.iter().map(|(counter, _)| *counter).collect();
        self.heap.enter_kernel(sizes.clone());
        let kernel = Running { counters, sizes, body };
        let results = match combine {
            Combine::Map => self.map(pattern, &kernel),
            Combine::Reduce { op, .. } => self.reduce(pattern, &kernel, op, &neutral),
            Combine::Scan { op, .. } => self.scan(pattern, &kernel, op, &neutral),
            Combine::Hist { op, dests, .. } => self.hist(&kernel, op, dests),
            Combine::Scatter { dests } => self.scatter(&kernel, dests),
        }?;
        self.heap.leave_kernel();
        match combine {
            Combine::Map | Combine::Reduce { .. } | Combine::Scan { .. } => {
                for (binder, value) in pattern.iter().zip(results) {
                    self.set(binder.var, value)?;
                }
                Ok(())
            }
            Combine::Hist { .. } | Combine::Scatter { .. } => self.derived(pattern),
        }
    }

    /// The results of one point of the space.
    fn point(&mut self, kernel: &Running<'p>, number: u64, index: &[i64]) -> Result<Vec<Slot>, RunError> {
        self.charge(1)?;
        self.heap.iteration(number);
        for (counter, value) in kernel.counters.iter().zip(index) {
            self.set(*counter, Slot::Scalar(PrimValue::I64(*value)))?;
        }
        // What the body allocates lives until its results are stored.
        for statement in &kernel.body.statements {
            self.statement(statement)?;
        }
        kernel.body.results.iter().map(|atom| self.value(*atom)).collect()
    }

    fn map(&mut self, pattern: &'p [Binder], kernel: &Running<'p>) -> Result<Vec<Slot>, RunError> {
        let places = self.destinations(pattern, &kernel.sizes)?;
        let mut index = vec![0; kernel.sizes.len()];
        for number in 0..count(&kernel.sizes) {
            let scope = self.heap.scope();
            let values = self.point(kernel, number, &index)?;
            for (value, place) in values.iter().zip(&places) {
                self.store(value, &place.at(&index), Access::Write)?;
            }
            self.heap.end_scope(scope, &[]);
            advance(&mut index, &kernel.sizes);
        }
        Ok(places.into_iter().map(Slot::Array).collect())
    }

    fn reduce(
        &mut self,
        pattern: &'p [Binder],
        kernel: &Running<'p>,
        op: &'p Lambda,
        neutral: &[PrimValue],
    ) -> Result<Vec<Slot>, RunError> {
        let (inner, outer) =
            kernel.sizes.split_last().ok_or_else(|| RunError::fault("M5: a kernel without space"))?;
        let places = if outer.is_empty() { Vec::new() } else { self.destinations(pattern, outer)? };
        let mut index = vec![0; kernel.sizes.len()];
        let (mut number, mut totals) = (0, Vec::new());
        for row in 0..count(outer) {
            totals = neutral.to_vec();
            self.heap.iteration(row * (*inner as u64));
            for _ in 0..*inner {
                totals = self.combined(kernel, op, &totals, number, &index)?;
                number += 1;
                advance(&mut index, &kernel.sizes);
            }
            // A row without points leaves the index where it is.
            let outer_index = row_index(row, outer);
            for (value, place) in totals.iter().zip(&places) {
                self.store(&Slot::Scalar(*value), &place.at(&outer_index), Access::Write)?;
            }
        }
        if outer.is_empty() {
            return Ok(totals.into_iter().map(Slot::Scalar).collect());
        }
        Ok(places.into_iter().map(Slot::Array).collect())
    }

    fn scan(
        &mut self,
        pattern: &'p [Binder],
        kernel: &Running<'p>,
        op: &'p Lambda,
        neutral: &[PrimValue],
    ) -> Result<Vec<Slot>, RunError> {
        let places = self.destinations(pattern, &kernel.sizes)?;
        let mut index = vec![0; kernel.sizes.len()];
        let mut totals = neutral.to_vec();
        for number in 0..count(&kernel.sizes) {
            if index.last() == Some(&0) {
                totals = neutral.to_vec();
            }
            totals = self.combined(kernel, op, &totals, number, &index)?;
            for (value, place) in totals.iter().zip(&places) {
                self.store(&Slot::Scalar(*value), &place.at(&index), Access::Write)?;
            }
            advance(&mut index, &kernel.sizes);
        }
        Ok(places.into_iter().map(Slot::Array).collect())
    }

    /// The totals so far combined with the results of one point.
    fn combined(
        &mut self,
        kernel: &Running<'p>,
        op: &'p Lambda,
        totals: &[PrimValue],
        number: u64,
        index: &[i64],
    ) -> Result<Vec<PrimValue>, RunError> {
        let scope = self.heap.scope();
        let values = scalars(self.point(kernel, number, index)?)?;
        self.heap.end_scope(scope, &[]);
        self.apply(op, totals, &values)
    }

    fn hist(
        &mut self,
        kernel: &Running<'p>,
        op: &'p Lambda,
        dests: &'p [Var],
    ) -> Result<Vec<Slot>, RunError> {
        let dests = self.changed(dests)?;
        for number in 0..count(&kernel.sizes) {
            let scope = self.heap.scope();
            let mut values = scalars(self.point(kernel, number, &[number as i64])?)?;
            self.heap.end_scope(scope, &[]);
            if let Some(at) = target(&mut values, &dests, |value| value.as_i64())? {
                let cell = |dest: &Placed| dest.lmad.apply(&[at]);
                let mut old = Vec::with_capacity(dests.len());
                for dest in &dests {
                    old.push(self.heap.read(dest.block, dest.elem, cell(dest), Access::Combine, self.at)?);
                }
                let new = self.apply(op, &old, &values)?;
                for (value, dest) in new.into_iter().zip(&dests) {
                    self.heap.write(dest.block, cell(dest), value, Access::Combine, self.at)?;
                }
            }
        }
        Ok(Vec::new())
    }

    fn scatter(&mut self, kernel: &Running<'p>, dests: &'p [Var]) -> Result<Vec<Slot>, RunError> {
        let dests = self.changed(dests)?;
        for number in 0..count(&kernel.sizes) {
            let scope = self.heap.scope();
            let mut values = self.point(kernel, number, &[number as i64])?;
            let index = |value: &Slot| if let Slot::Scalar(value) = value { value.as_i64() } else { None };
            if let Some(at) = target(&mut values, &dests, index)? {
                let rows: Vec<Placed> = dests.iter().map(|dest| dest.row(at)).collect();
                self.store_all(values.iter().zip(&rows), Access::Combine)?;
            }
            self.heap.end_scope(scope, &[]);
        }
        Ok(Vec::new())
    }

    /// The destinations of a kernel that changes them.
    fn changed(&mut self, dests: &'p [Var]) -> Result<Vec<Rc<Placed>>, RunError> {
        dests.iter().map(|dest| self.array(*dest)).collect()
    }

    /// The places of the results, which have these outer sizes.
    fn destinations(&mut self, pattern: &'p [Binder], outer: &[i64]) -> Result<Vec<Rc<Placed>>, RunError> {
        let mut places = Vec::with_capacity(pattern.len());
        for binder in pattern {
            let place = self.destination(binder)?;
            let claimed = place.lmad.sizes().take(outer.len());
            if !claimed.eq(outer.iter().copied()) {
                return Err(RunError::fault(format!("F2: `{}` has the shape of another kernel", binder.var)));
            }
            places.push(place);
        }
        Ok(places)
    }

    /// Applies an operator of scalars.
    fn apply(
        &mut self,
        op: &'p Lambda,
        left: &[PrimValue],
        right: &[PrimValue],
    ) -> Result<Vec<PrimValue>, RunError> {
        let args = left.iter().chain(right).map(|value| Slot::Scalar(*value)).collect();
        self.bind(&op.params, args)?;
        scalars(self.body(&op.body)?)
    }
}

/// What is the same for all points of a kernel.
struct Running<'p> {
    counters: Vec<Var>,
    sizes: Vec<i64>,
    body: &'p Body,
}

impl Placed {
    /// The part at an index of the outer dimensions.
    fn at(&self, index: &[i64]) -> Placed {
        let offset = self.lmad.apply(index);
        let lmad = ConcreteLmad { offset, dims: self.lmad.dims[index.len()..].to_vec() };
        Placed { block: self.block, elem: self.elem, lmad }
    }
}

/// Number of points, which [`shape_len`] has found to be countable.
fn count(sizes: &[i64]) -> u64 {
    sizes.iter().map(|size| *size as u64).product()
}

/// The next index in row-major order.
fn advance(index: &mut [i64], sizes: &[i64]) {
    for (i, size) in index.iter_mut().zip(sizes).rev() {
        *i += 1;
        if *i < *size {
            return;
        }
        *i = 0;
    }
}

/// The index with this number.
fn row_index(number: u64, sizes: &[i64]) -> Vec<i64> {
    let mut rest = number as i64;
    let mut index = vec![0; sizes.len()];
    for (i, size) in index.iter_mut().zip(sizes).rev() {
        (*i, rest) = (rest % size, rest / size);
    }
    index
}

/// Takes the index from the front of the results; `None` if it is outside of the destinations.
fn target<T>(
    values: &mut Vec<T>,
    dests: &[Rc<Placed>],
    number: impl Fn(&T) -> Option<i64>,
) -> Result<Option<i64>, RunError> {
    let misfit = || {
        RunError::fault("F2: the body of a hist or scatter gives an index and a value for each destination")
    };
    if values.len() != dests.len() + 1 {
        return Err(misfit());
    }
    let at = number(&values.remove(0)).ok_or_else(misfit)?;
    let inside = dests.iter().all(|dest| (0..dest.lmad.dims[0].0).contains(&at));
    Ok(inside.then_some(at))
}

fn scalars(values: Vec<Slot>) -> Result<Vec<PrimValue>, RunError> {
    let scalar = |value| match value {
        Slot::Scalar(value) => Ok(value),
        Slot::Nothing | Slot::Block(_) | Slot::Array(_) => {
            Err(RunError::fault("M7: operators combine scalars"))
        }
    };
    values.into_iter().map(scalar).collect()
}
