//! Elements of arrays that are the scalars in them, read and written at indices of which some are known at run time alone.

use super::super::cells::{Cells, places, size};
use super::{CELLS, Evaluator};
use fun::ir::{Atom, Body, Dim, Exp};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};

/// Where an element is read from.
pub(super) enum Source {
    Cells(Cells),
    /// An array from outside.
    Outside(Var, PrimType),
}

impl Evaluator<'_, '_> {
    pub(super) fn source(&self, array: Var, elem: PrimType) -> Source {
        self.values.get(&array).map_or(Source::Outside(array, elem), |value| Source::Cells(value.clone()))
    }

    /// The indices that a slice takes of each dimension, and its shape.
    pub(super) fn dims(&mut self, dims: &[Dim]) -> Option<(Vec<Vec<Atom>>, Vec<usize>)> {
        let (mut lists, mut shape) = (Vec::new(), Vec::new());
        for dim in dims {
            lists.push(match dim {
                Dim::Fix(index) => vec![self.scalar(*index)?],
                Dim::Range { offset, count, stride } => {
                    let count = size(self.scalar(*count)?).filter(|count| *count <= CELLS)?;
                    let (offset, stride) = (self.scalar(*offset)?, self.scalar(*stride)?);
                    shape.push(count);
                    let all = (0..count as i64).map(|k| self.number(PrimType::I64, offset, stride, k));
                    all.collect::<Option<_>>()?
                }
                Dim::Flat { .. } => return None,
            });
        }
        Some((lists, shape))
    }

    /// The element there. Indices are within bounds (F6), so the last one is what is left.
    pub(super) fn read(&mut self, source: &Source, place: &[Atom]) -> Option<Atom> {
        let mut part = match source {
            Source::Cells(value) => value.clone(),
            Source::Outside(array, elem) => {
                return self.emit(*elem, Exp::Index { array: *array, indices: place.to_vec() });
            }
        };
        let mut unknown = Vec::new();
        for (dim, index) in place.iter().enumerate() {
            match index {
                Atom::Const(_) => part = part.fixed(unknown.len(), size(*index)?)?,
                Atom::Var(_) => unknown.push(place[dim]),
            }
        }
        for index in unknown {
            let count = part.shape[0];
            let mut chosen = part.fixed(0, count.checked_sub(1)?)?;
            self.choices = self.choices.checked_sub((count - 1) * chosen.cells.len())?;
            for k in (0..count - 1).rev() {
                let this = part.fixed(0, k)?;
                let condition = self.bin(BinOp::Eq, PrimType::I64, index, Atom::i64(k as i64))?;
                for (cell, other) in chosen.cells.iter_mut().zip(this.cells) {
                    *cell = self.choice(part.elem, condition, other, *cell)?;
                }
            }
            part = chosen;
        }
        part.cells.first().copied()
    }

    /// Writes an element.
    pub(super) fn write(&mut self, value: &mut Cells, place: &[Atom], new: Atom) -> Option<()> {
        'cells: for (at, cell) in places(&value.shape).iter().zip(&mut value.cells) {
            let mut condition = None;
            for (index, here) in place.iter().zip(at) {
                let here = Atom::i64(*here as i64);
                match self.bin(BinOp::Eq, PrimType::I64, *index, here)? {
                    Atom::Const(same) if same.as_bool()? => {}
                    Atom::Const(_) => continue 'cells,
                    same @ Atom::Var(_) => {
                        condition = Some(match condition {
                            None => same,
                            Some(before) => self.bin(BinOp::And, PrimType::Bool, before, same)?,
                        });
                    }
                }
            }
            *cell = match condition {
                None => new,
                Some(condition) => self.choice(value.elem, condition, new, *cell)?,
            };
        }
        Some(())
    }

    /// One of two scalars.
    fn choice(&mut self, elem: PrimType, condition: Atom, yes: Atom, no: Atom) -> Option<Atom> {
        let just = |result| Body { statements: Vec::new(), results: vec![result] };
        match yes == no {
            true => Some(yes),
            false => self.emit(elem, Exp::If { condition, then: just(yes), otherwise: just(no) }),
        }
    }
}
