//! Elements that are known: what an update has just put there, or what was read before. An update leaves the elements of which it is known that they are others.
//!
//! ```text
//! let (a_2: [n_0]i64) = update a_1[i_3] x_4
//! let (e_5: i64) = index a_2[i_3]
//! ```
//! `e_5` is `x_4`. What is written where others read soon waits in memory otherwise, and keeps compilers from using vectors.

use super::{Cse, Key};
use fun::ir::{Atom, Dim, Exp, Type};
use fun_base::name::Var;

/// So many elements of an array are remembered: of those that updates put the last ones, of those that are read the first ones.
const MOST: usize = 32;

/// The elements of an array that are known, the last ones at the end: their indices and values.
pub(super) type Elements = Vec<(Vec<Atom>, Atom)>;

impl Cse {
    /// Notes which elements of an array are known by what it is made of.
    pub(super) fn note_elements(&mut self, array: Var, exp: &Exp) {
        let elements = match exp {
            Exp::Update { array: old, dims, value } => {
                let before = self.elements.get(old).cloned().unwrap_or_default();
                let fixed =
                    dims.iter().map(|dim| if let Dim::Fix(index) = dim { Some(*index) } else { None });
                // (behind an update of a row nothing is: few programs would gain by it)
                let Some(indices) = fixed.collect::<Option<Vec<Atom>>>() else { return };
                let others = before.into_iter().filter(|(other, _)| self.are_apart(&indices, other));
                let mut elements: Elements = others.collect();
                elements.push((indices, *value));
                elements
            }
            Exp::Copy(old) => self.elements.get(old).cloned().unwrap_or_default(),
            _ => return,
        };
        let first = elements.len().saturating_sub(MOST);
        let elements = elements[first..].to_vec();
        for (indices, value) in &elements {
            self.known.insert(Key::Index(array, indices.clone()), *value);
        }
        if !elements.is_empty() {
            self.elements.insert(array, elements);
        }
    }

    /// Notes an element that was read.
    pub(super) fn note_read(&mut self, result: Var, ty: &Type, exp: &Exp) {
        let Exp::Index { array, indices } = exp else { return };
        if ty.rank() == 0 {
            let mut elements = self.elements.get(array).cloned().unwrap_or_default();
            if elements.len() < MOST {
                elements.push((indices.clone(), Atom::Var(result)));
                self.elements.insert(*array, elements);
            }
        }
    }

    /// Whether two places are known to differ: an index by a constant.
    fn are_apart(&self, one: &[Atom], other: &[Atom]) -> bool {
        let differ = |(one, other): (&Atom, &Atom)| {
            let difference = self.number_of(one).sub(&self.number_of(other));
            difference.as_constant().is_some_and(|difference| difference != 0)
        };
        one.iter().zip(other).any(differ)
    }
}
