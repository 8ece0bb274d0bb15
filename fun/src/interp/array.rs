//! Arrays of the interpreter.

use fun_base::prim::{PrimType, PrimValue};
use fun_base::run::RunError;
use imbl::Vector;
use std::cell::Cell;
use std::rc::Rc;

/// An array: row-major cells, those never written without value.
#[derive(Clone, Debug)]
pub(super) struct Array {
    pub(super) shape: Vec<i64>,
    pub(super) elem: PrimType,
    pub(super) cells: Vector<Option<PrimValue>>,
    charge: Rc<Charge>,
}

/// The share of an array in the bytes alive, given back when the last copy of it goes.
#[derive(Debug)]
struct Charge {
    bytes: u64,
    alive: Rc<Cell<u64>>,
}

impl Drop for Charge {
    fn drop(&mut self) {
        self.alive.set(self.alive.get().saturating_sub(self.bytes));
    }
}

impl Array {
    /// An array that counts among those alive. There are as many cells as the shape says.
    pub(super) fn new(
        shape: Vec<i64>,
        elem: PrimType,
        cells: Vector<Option<PrimValue>>,
        alive: &Rc<Cell<u64>>,
    ) -> Array {
        let bytes = cells.len() as u64 * u64::from(elem.bytes());
        alive.set(alive.get().saturating_add(bytes));
        Array { shape, elem, cells, charge: Rc::new(Charge { bytes, alive: Rc::clone(alive) }) }
    }

    /// The same cells under another shape with as many.
    pub(super) fn with_shape(&self, shape: Vec<i64>) -> Array {
        Array { shape, ..self.clone() }
    }

    /// The array with other cells, as many as before.
    pub(super) fn with_cells(&self, cells: Vector<Option<PrimValue>>) -> Array {
        let charge = Charge { bytes: self.charge.bytes, alive: Rc::clone(&self.charge.alive) };
        charge.alive.set(charge.alive.get().saturating_add(charge.bytes));
        Array { cells, charge: Rc::new(charge), ..self.clone() }
    }

    /// How many cells one row has.
    pub(super) fn row_len(&self) -> usize {
        self.shape[1..].iter().product::<i64>() as usize
    }

    /// The position of an index, if it is inside.
    pub(super) fn position(&self, index: &[i64]) -> Result<usize, RunError> {
        let inside = index.iter().zip(&self.shape).all(|(i, n)| (0..*n).contains(i));
        if index.len() != self.shape.len() || !inside {
            return Err(RunError::fault(format!(
                "F6: index {index:?} outside an array of shape {:?}",
                self.shape
            )));
        }
        Ok(index.iter().zip(&self.shape).fold(0, |position, (i, n)| position * n + i) as usize)
    }
}

/// All indices of a space in row-major order.
pub(super) fn indices(shape: &[i64]) -> impl Iterator<Item = Vec<i64>> {
    let empty = shape.iter().any(|n| *n <= 0);
    let mut next = (!empty).then(|| vec![0; shape.len()]);
    let shape = shape.to_vec();
    std::iter::from_fn(move || {
        let current = next.take()?;
        let mut following = current.clone();
        for k in (0..shape.len()).rev() {
            following[k] += 1;
            if following[k] < shape[k] {
                next = Some(following);
                break;
            }
            following[k] = 0;
        }
        Some(current)
    })
}
