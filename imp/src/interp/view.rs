//! Views with known numbers: addresses, windows and copies (I4, I5, I7).

use super::heap::{BlockRef, Heap};
use fun_base::prim::PrimType;
use fun_base::run::RunError;
use std::collections::BTreeMap;

/// A view whose LMAD is evaluated.
#[derive(Clone, Debug)]
pub(super) struct View {
    pub(super) block: BlockRef,
    pub(super) elem: PrimType,
    pub(super) offset: i64,
    /// Size and stride, outermost first.
    pub(super) dims: Vec<(i64, i64)>,
}

/// One dimension of a window, evaluated.
pub(super) enum Part {
    Fix(i64),
    Range { offset: i64, count: i64, stride: i64 },
}

impl View {
    /// The address of an index, checked against the sizes.
    pub(super) fn address(&self, indices: &[i64]) -> Result<i64, RunError> {
        if indices.len() != self.dims.len() {
            return Err(RunError::fault(format!(
                "I4: {} indices for {} dimensions",
                indices.len(),
                self.dims.len()
            )));
        }
        let mut address = self.offset;
        for (index, (size, stride)) in indices.iter().zip(&self.dims) {
            if index < &0 || index >= size {
                return Err(RunError::fault(format!(
                    "I5: index {indices:?} is outside a view of shape {}",
                    self.shape()
                )));
            }
            address = address.wrapping_add(index.wrapping_mul(*stride));
        }
        Ok(address)
    }

    fn shape(&self) -> String {
        self.dims.iter().map(|(size, _)| format!("[{size}]")).collect()
    }

    /// Number of elements.
    pub(super) fn elements(&self) -> u64 {
        if self.dims.iter().any(|(size, _)| *size <= 0) {
            return 0;
        }
        self.dims.iter().fold(1, |product: u64, (size, _)| product.saturating_mul(*size as u64))
    }

    /// Part of the view, which must lie inside.
    pub(super) fn window(&self, parts: &[Part]) -> Result<View, RunError> {
        if parts.len() != self.dims.len() {
            return Err(RunError::fault(format!(
                "I4: a window of {} in {} dimensions",
                parts.len(),
                self.dims.len()
            )));
        }
        let mut window = View { dims: Vec::new(), ..self.clone() };
        for (part, (size, step)) in parts.iter().zip(&self.dims) {
            let inside = |index: i128| 0 <= index && index < i128::from(*size);
            let (first, good) = match part {
                Part::Fix(index) => (*index, inside((*index).into())),
                Part::Range { offset, count, stride } => {
                    let last = i128::from(*offset) + (i128::from(*count) - 1) * i128::from(*stride);
                    window.dims.push((*count, stride.wrapping_mul(*step)));
                    (*offset, *count == 0 || (*count > 0 && inside((*offset).into()) && inside(last)))
                }
            };
            if !good {
                return Err(RunError::fault(format!(
                    "I5: the window is outside a view of shape {}",
                    self.shape()
                )));
            }
            window.offset = window.offset.wrapping_add(first.wrapping_mul(*step));
        }
        Ok(window)
    }

    /// If it is the other one, of the same shape, moved along the first dimension: by how many elements in row-major order (I7).
    fn moved_from(&self, other: &View) -> Option<i64> {
        // by size, and by stride here and there
        let mut dims: Vec<(i64, i64, i64)> = Vec::new();
        for ((size, here), (_, there)) in
            self.dims.iter().zip(&other.dims).filter(|((size, _), _)| *size != 1)
        {
            match dims.last_mut() {
                Some(outer)
                    if outer.1 == size.wrapping_mul(*here) && outer.2 == size.wrapping_mul(*there) =>
                {
                    *outer = (outer.0.wrapping_mul(*size), *here, *there);
                }
                _ => dims.push((*size, *here, *there)),
            }
        }
        // (a single cell is moved by nothing, or overlaps nothing)
        let Some(((_, step, _), inner)) = dims.split_first() else { return Some(0) };
        let distance = self.offset.wrapping_sub(other.offset);
        let along =
            distance.checked_rem(*step) == Some(0) && dims.iter().all(|(_, here, there)| here == there);
        let row = inner.iter().fold(1i64, |row, (size, ..)| row.wrapping_mul(*size));
        along.then(|| (distance / step).wrapping_mul(row))
    }

    /// Calls `f` on the address of every index in row-major order.
    pub(super) fn for_each_address(
        &self,
        f: &mut dyn FnMut(i64) -> Result<(), RunError>,
    ) -> Result<(), RunError> {
        fn go(
            dims: &[(i64, i64)],
            base: i64,
            f: &mut dyn FnMut(i64) -> Result<(), RunError>,
        ) -> Result<(), RunError> {
            let Some(((size, stride), inner)) = dims.split_first() else { return f(base) };
            (0..*size).try_for_each(|index| go(inner, base.wrapping_add(index.wrapping_mul(*stride)), f))
        }
        go(&self.dims, self.offset, f)
    }
}

/// `copy dest <- source`.
pub(super) fn copy(heap: &mut Heap, dest: &View, source: &View) -> Result<(), RunError> {
    let sizes = |view: &View| view.dims.iter().map(|(size, _)| *size).collect::<Vec<_>>();
    if dest.elem != source.elem || sizes(dest) != sizes(source) {
        return Err(RunError::fault(format!(
            "I7: copy of {}{} to {}{}",
            source.shape(),
            source.elem,
            dest.shape(),
            dest.elem
        )));
    }
    let mut from = Vec::new();
    source.for_each_address(&mut |address| {
        from.push(address);
        Ok(())
    })?;
    let mut to = Vec::with_capacity(from.len());
    dest.for_each_address(&mut |address| {
        to.push(address);
        Ok(())
    })?;
    if dest.block == source.block {
        let numbered = |cells: &[i64]| (0i64..).zip(cells.to_vec()).collect::<Vec<_>>();
        let place: BTreeMap<i64, i64> = numbered(&to).into_iter().map(|(i, address)| (address, i)).collect();
        let moved = dest.moved_from(source);
        let fits = |i: i64, at: i64| moved.is_some_and(|moved| at == i - moved);
        if numbered(&from).iter().any(|(i, address)| place.get(address).is_some_and(|at| !fits(*i, *at))) {
            return Err(RunError::fault("I7: source and destination of a copy overlap"));
        }
    }
    let cells = from.into_iter().map(|from| heap.read_if_written(source.block, source.elem, from));
    let cells = cells.collect::<Result<Vec<_>, _>>()?;
    for (cell, to) in cells.into_iter().zip(to) {
        match cell {
            Some(value) => heap.write(dest.block, to, value)?,
            None => heap.clear(dest.block, dest.elem, to)?,
        }
    }
    Ok(())
}
