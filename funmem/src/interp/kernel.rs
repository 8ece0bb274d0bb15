//! Kernels: iterations in order, each on its own in the trace.

use super::heap::{Access, Part};
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
            Combine::Scan { op, epilogue, .. } => {
                self.scan(pattern, &kernel, (op, epilogue.as_deref()), &neutral)
            }
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
            Combine::Hist { dests, .. } | Combine::Scatter { dests } => {
                for (k, dest) in dests.iter().enumerate() {
                    let dest = self.array(*dest)?;
                    self.derived(pattern.get(k..=k).unwrap_or_default(), &dest)?;
                }
                Ok(())
            }
        }
    }

    /// The results of one point of the space.
    fn point(&mut self, kernel: &Running<'p>, number: u64, index: &[i64]) -> Result<Vec<Slot>, RunError> {
        self.charge(1)?;
        self.heap.part(Part::Point(number));
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
            self.results(values.iter(), &places, &index)?;
            self.end_scope(scope, &[]);
            advance(&mut index, &kernel.sizes);
        }
        Ok(self.whole(places))
    }

    /// Stores the results of a point, or of a row of points.
    fn results<'v>(
        &mut self,
        values: impl Iterator<Item = &'v Slot>,
        places: &[Placed],
        index: &[i64],
    ) -> Result<(), RunError> {
        self.heap.tick();
        if let [first, .., last] = places {
            self.heap.storing(first.lineage..last.lineage + 1);
        }
        for (value, place) in values.zip(places) {
            self.store(value, &place.at(index), Access::Write)?;
        }
        self.heap.storing(0..0);
        Ok(())
    }

    /// The results of a kernel that is done.
    fn whole(&mut self, places: Vec<Placed>) -> Vec<Slot> {
        let whole_since = self.heap.now();
        places.into_iter().map(|place| Slot::Array(Rc::new(Placed { whole_since, ..place }))).collect()
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
            for _ in 0..*inner {
                let values = self.values(kernel, number, &index)?;
                self.heap.part(Part::Operator(number));
                totals = self.apply(op, &totals, &values)?;
                number += 1;
                advance(&mut index, &kernel.sizes);
            }
            // A row without points leaves the index where it is.
            let outer_index = row_index(row, outer);
            self.heap.part(Part::Result(row));
            let values: Vec<Slot> = totals.iter().copied().map(Slot::Scalar).collect();
            self.results(values.iter(), &places, &outer_index)?;
        }
        if outer.is_empty() {
            return Ok(totals.into_iter().map(Slot::Scalar).collect());
        }
        Ok(self.whole(places))
    }

    fn scan(
        &mut self,
        pattern: &'p [Binder],
        kernel: &Running<'p>,
        (op, epilogue): (&'p Lambda, Option<&'p Lambda>),
        neutral: &[PrimValue],
    ) -> Result<Vec<Slot>, RunError> {
        let places = self.destinations(pattern, &kernel.sizes)?;
        let mut index = vec![0; kernel.sizes.len()];
        let mut totals = neutral.to_vec();
        for number in 0..count(&kernel.sizes) {
            if index.last() == Some(&0) {
                totals = neutral.to_vec();
            }
            let values = self.values(kernel, number, &index)?;
            self.heap.operator_begins();
            totals = self.apply(op, &totals, &values)?;
            self.heap.operator_ends();
            let made = epilogue.map(|epilogue| self.apply(epilogue, &totals, &[])).transpose()?;
            let values: Vec<Slot> =
                made.as_ref().unwrap_or(&totals).iter().copied().map(Slot::Scalar).collect();
            self.results(values.iter(), &places, &index)?;
            advance(&mut index, &kernel.sizes);
        }
        Ok(self.whole(places))
    }

    /// The results of one point, which are scalars: nothing else of it is left.
    fn values(
        &mut self,
        kernel: &Running<'p>,
        number: u64,
        index: &[i64],
    ) -> Result<Vec<PrimValue>, RunError> {
        let scope = self.heap.scope();
        let values = scalars(self.point(kernel, number, index)?)?;
        self.end_scope(scope, &[]);
        Ok(values)
    }

    fn hist(
        &mut self,
        kernel: &Running<'p>,
        op: &'p Lambda,
        dests: &'p [Var],
    ) -> Result<Vec<Slot>, RunError> {
        let dests = self.changed(dests)?;
        for number in 0..count(&kernel.sizes) {
            let mut values = self.values(kernel, number, &[number as i64])?;
            self.heap.tick();
            if let Some(at) = target(&mut values, &dests, |value| value.as_i64())? {
                let cell = |dest: &Placed| dest.lmad.apply(&[at]);
                let mut old = Vec::with_capacity(dests.len());
                for dest in &dests {
                    old.push(self.read(dest, cell(dest), Access::Combine)?);
                }
                let new = self.apply(op, &old, &values)?;
                for (value, dest) in new.into_iter().zip(&dests) {
                    self.write(dest, cell(dest), value, Access::Combine)?;
                }
            }
        }
        Ok(Vec::new())
    }

    fn scatter(&mut self, kernel: &Running<'p>, dests: &'p [Var]) -> Result<Vec<Slot>, RunError> {
        let dests = self.changed(dests)?;
        self.record_scatter();
        for number in 0..count(&kernel.sizes) {
            let scope = self.heap.scope();
            let mut values = self.point(kernel, number, &[number as i64])?;
            let index = |value: &Slot| if let Slot::Scalar(value) = value { value.as_i64() } else { None };
            if let Some(at) = target(&mut values, &dests, index)? {
                let rows: Vec<Placed> = dests.iter().map(|dest| dest.row(at)).collect();
                self.heap.tick();
                self.record_scattered(number, &values, &rows);
                self.store_all(values.iter().zip(&rows), Access::Combine)?;
            }
            self.end_scope(scope, &[]);
        }
        Ok(Vec::new())
    }

    /// The destinations of a kernel that changes them.
    fn changed(&mut self, dests: &'p [Var]) -> Result<Vec<Rc<Placed>>, RunError> {
        dests.iter().map(|dest| self.array(*dest)).collect()
    }

    /// The places of the results, which have these outer sizes.
    fn destinations(&mut self, pattern: &'p [Binder], outer: &[i64]) -> Result<Vec<Placed>, RunError> {
        let mut places = Vec::with_capacity(pattern.len());
        let first = self.heap.lineages(pattern.len());
        for (binder, lineage) in pattern.iter().zip(first..) {
            let place = Placed { lineage, whole_since: u64::MAX, ..self.destination(binder)? };
            self.set(binder.var, Slot::Array(Rc::new(place.clone())))?;
            let claimed = place.lmad.sizes().take(outer.len());
            if !claimed.eq(outer.iter().copied()) {
                return Err(RunError::fault(format!("F2: `{}` has the shape of another kernel", binder.var)));
            }
            places.push(place);
        }
        Ok(places)
    }

    /// Applies an operator of scalars, or an epilogue, which has nothing on the right.
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
        self.part(lmad)
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
