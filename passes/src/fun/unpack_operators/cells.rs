//! Small arrays as the scalars in them.

use fun::ir::{Atom, Type};
use fun_base::prim::PrimType;

/// A scalar or an array of constant shape, by its scalars in row-major order.
#[derive(Clone)]
pub(super) struct Cells {
    pub(super) elem: PrimType,
    /// Sizes, outermost first; empty for a scalar.
    pub(super) shape: Vec<usize>,
    pub(super) cells: Vec<Atom>,
}

impl Cells {
    pub(super) fn scalar(elem: PrimType, cell: Atom) -> Cells {
        Cells { elem, shape: Vec::new(), cells: vec![cell] }
    }

    /// The next cells of a row in which the scalars of several values follow one another.
    pub(super) fn next_of(cells: &mut impl Iterator<Item = Atom>, elem: PrimType, shape: &[usize]) -> Cells {
        let cells = cells.take(shape.iter().product()).collect();
        Cells { elem, shape: shape.to_vec(), cells }
    }

    /// Values of one shape above each other.
    pub(super) fn stacked(rows: Vec<Cells>, elem: PrimType, row: &[usize]) -> Cells {
        let shape = [rows.len()].iter().chain(row).copied().collect();
        Cells { elem, shape, cells: rows.into_iter().flat_map(|row| row.cells).collect() }
    }

    /// The part with this index in a dimension, if that is within bounds; the dimension disappears.
    pub(super) fn fixed(&self, dim: usize, index: usize) -> Option<Cells> {
        let mut shape = self.shape.clone();
        if index >= shape.remove(dim) {
            return None;
        }
        let before = |place: &[usize]| {
            let (outer, inner) = place.split_at(dim);
            outer.iter().chain(&[index]).chain(inner).copied().collect()
        };
        Some(self.rearranged(shape, before))
    }

    /// Dimension `k` of the result is dimension `perm[k]`.
    pub(super) fn permuted(&self, perm: &[usize]) -> Cells {
        let shape = perm.iter().map(|k| self.shape[*k]).collect();
        self.rearranged(shape, |place| {
            let mut from = vec![0; perm.len()];
            perm.iter().zip(place).for_each(|(k, index)| from[*k] = *index);
            from
        })
    }

    /// Backwards along a dimension.
    pub(super) fn reversed(&self, dim: usize) -> Cells {
        self.rearranged(self.shape.clone(), |place| {
            let mut from = place.to_vec();
            from[dim] = self.shape[dim] - 1 - from[dim];
            from
        })
    }

    /// An array of this shape whose cells are those at the places that `from` says.
    fn rearranged(&self, shape: Vec<usize>, from: impl Fn(&[usize]) -> Vec<usize>) -> Cells {
        let offset = |place: Vec<usize>| place.iter().zip(&self.shape).fold(0, |at, (i, size)| at * size + i);
        let cells = places(&shape).iter().map(|place| self.cells[offset(from(place))]).collect();
        Cells { elem: self.elem, shape, cells }
    }
}

/// All indices of a shape, in row-major order.
pub(super) fn places(shape: &[usize]) -> Vec<Vec<usize>> {
    let dims: Vec<Vec<usize>> = shape.iter().map(|size| (0..*size).collect()).collect();
    product(&dims)
}

/// All ways to choose one of each list, the last ones changing fastest.
pub(super) fn product<T: Copy>(lists: &[Vec<T>]) -> Vec<Vec<T>> {
    let none = vec![Vec::new()];
    lists.iter().fold(none, |chosen, list| {
        let with = |before: &Vec<T>, item: &T| before.iter().copied().chain([*item]).collect();
        chosen.iter().flat_map(|before| list.iter().map(move |item| with(before, item))).collect()
    })
}

/// The number that a constant size is.
pub(super) fn size(atom: Atom) -> Option<usize> {
    usize::try_from(atom.as_const()?.as_i64()?).ok()
}

/// The types of the scalars of values.
pub(super) fn scalar_types(values: &[Cells]) -> Vec<Type> {
    values.iter().flat_map(|value| value.cells.iter().map(|_| Type::Prim(value.elem))).collect()
}

/// The scalars of values, in order.
pub(super) fn scalars(values: &[Cells]) -> Vec<Atom> {
    values.iter().flat_map(|value| value.cells.iter().copied()).collect()
}
