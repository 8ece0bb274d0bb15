//! Parts of arrays that add to the array's adjoint rather than to one of their own.
//!
//! ```text
//! let r = slice a[i, 0 : m : 1]     … for every i
//! let x = index r[k]
//! ```
//! An adjoint of `r` would be zeros but for one element, made and added up for each `i`: where `a` has an adjoint, what belongs to
//! `r[k]` is added to its element `[i, k]` instead. What a map gives for all of `r` is added to row `i` by that map. What else belongs to
//! all of a part goes to an adjoint of the part, which is added to that of the array where the part was read.

use super::Reverse;
use super::adjoint::{Adjoint, may_repeat};
use crate::build::Builder;
use crate::ir::{Atom, Binder, Body, Dim, Exp, Fun, Statement};
use crate::visit::{Walk, walk_exp};
use fun_base::name::Var;
use std::collections::BTreeMap;

/// Rows of so few elements get an adjoint of their own even where single elements are added to in a loop ([`Reverse::adds_to_elements`]).
const FEW_ELEMENTS: i64 = 16;

/// A part of an array whose adjoint is that part of the array's.
pub(super) struct Part {
    pub(super) whole: Var,
    pub(super) dims: Vec<Dim>,
    /// The part of the adjoint as it is so far.
    pub(super) so_far: Var,
}

impl Reverse<'_, '_> {
    /// Those of these arrays that are parts of others whose adjoints nothing else of them adds to.
    pub(super) fn parts_alone(&mut self, arrays: &[Var]) -> BTreeMap<Var, Part> {
        let mut found = BTreeMap::new();
        let last = |this: &Self, array: Var| *this.wholes(array).last().unwrap_or(&array);
        let wholes: Vec<Var> = arrays.iter().map(|array| last(self, *array)).collect();
        for (array, whole) in arrays.iter().zip(&wholes) {
            let alone = wholes.iter().zip(arrays).all(|(other, from)| other != whole || from == array);
            if array == whole || !alone || !self.active.contains(array) || found.contains_key(array) {
                continue;
            }
            let ty = self.type_of((*array).into());
            let (whole, dims) = self.place_of(*array, &Builder::row_dims(&ty, &[]));
            if let Some(adjoint) = self.adjoints.get(&whole).copied() {
                let so_far = self.b.slice(adjoint.array(), dims.clone());
                found.insert(*array, Part { whole, dims, so_far });
            }
        }
        found
    }

    /// Puts what a part of an adjoint has become in its place.
    pub(super) fn put_part(&mut self, part: &Part, value: Atom) {
        if let Some(adjoint) = self.adjoints.remove(&part.whole) {
            let (array, dims) = (self.own(adjoint).array(), part.dims.clone());
            let adjoint = self.b.array("adj", Exp::Update { array, dims, value });
            self.adjoints.insert(part.whole, Adjoint::owned(adjoint));
        }
    }

    /// Notes what a slice is a part of, if no cell is read twice.
    pub(super) fn note_part(&mut self, statement: &Statement, array: Var, dims: &[Dim]) {
        if let [binder] = statement.pattern.as_slice()
            && !dims.iter().any(may_repeat)
        {
            self.parts.insert(binder.var, (array, dims.to_vec()));
        }
    }

    /// The arrays that one without an adjoint is a part of, from the inside, up to the first with an adjoint, or whose elements are collected; empty
    /// if there is none.
    pub(super) fn wholes(&self, array: Var) -> Vec<Var> {
        let mut found = Vec::new();
        let mut at = array;
        while !self.adjoints.contains_key(&at) && !self.collected.contains_key(&at) {
            let Some((whole, _)) = self.parts.get(&at) else { return Vec::new() };
            found.push(*whole);
            at = *whole;
        }
        found
    }

    /// The array whose adjoint takes what belongs to this place of an array, and where in it.
    pub(super) fn place_of(&mut self, array: Var, dims: &[Dim]) -> (Var, Vec<Dim>) {
        let wholes = self.wholes(array);
        let (mut at, mut place) = (array, dims.to_vec());
        if place.iter().any(|dim| matches!(dim, Dim::Flat { .. })) {
            return (at, place);
        }
        for whole in wholes {
            let Some((_, outer)) = self.parts.get(&at).cloned() else { break };
            place = self.within_part(&outer, &place);
            at = whole;
        }
        (at, place)
    }

    /// A place in a part, as a place in the array.
    fn within_part(&mut self, part: &[Dim], place: &[Dim]) -> Vec<Dim> {
        let mut inner = place.iter();
        let mut dims = Vec::new();
        for dim in part {
            let Dim::Range { offset, stride, .. } = dim else {
                dims.push(dim.clone());
                continue;
            };
            let mut cell = |index: Atom| {
                let step = self.b.mul(index, *stride);
                self.b.add(*offset, step)
            };
            match inner.next() {
                Some(Dim::Fix(index)) => dims.push(Dim::Fix(cell(*index))),
                Some(Dim::Range { offset, count, stride: step }) => {
                    let offset = cell(*offset);
                    dims.push(Dim::Range { offset, count: *count, stride: self.b.mul(*step, *stride) });
                }
                Some(Dim::Flat { .. }) | None => {}
            }
        }
        dims
    }

    /// The arrays whose adjoints a loop carries for these, and those of these that are parts of others of them.
    pub(super) fn carried(&self, targets: &[Var]) -> (Vec<Var>, Vec<Var>) {
        let (mut carried, mut handed_over) = (Vec::new(), Vec::new());
        for target in targets {
            let wholes = self.wholes(*target);
            let at = *wholes.last().unwrap_or(target);
            if at != *target {
                handed_over.push(*target);
            }
            if !carried.contains(&at) {
                carried.push(at);
            }
        }
        (carried, handed_over)
    }

    /// Adds what has come together for parts to the arrays whose adjoints are carried in their stead.
    pub(super) fn hand_over(&mut self, parts: &[Var]) {
        for part in parts {
            if let Some(adjoint) = self.adjoints.remove(part)
                && let Some((array, dims)) = self.parts.get(part).cloned()
            {
                self.contribute_at(array, &dims, adjoint);
            }
        }
    }

    /// Whether a map adds to single elements of long rows of an array that has an adjoint already, in a loop: then the other elements cost
    /// more than the order of the iterations.
    pub(super) fn adds_to_elements(&self, params: &[Binder], body: &Body, arrays: &[Var]) -> bool {
        self.repeats
            && params.iter().zip(arrays).any(|(param, array)| {
                self.active.contains(array)
                    && (self.adjoints.contains_key(array) || !self.wholes(*array).is_empty())
                    && reads_few(body, param)
            })
    }
}

/// Whether a body reads elements or parts of a long row.
pub(super) fn reads_few(body: &Body, row: &Binder) -> bool {
    let mut elements = Some(1i64);
    for size in row.ty.shape() {
        let size = size.as_const().and_then(|size| size.as_i64());
        elements = elements.zip(size).and_then(|(all, size)| all.checked_mul(size));
    }
    row.ty.rank() > 0
        && elements.is_none_or(|elements| elements > FEW_ELEMENTS)
        && reads_elements(body, row.var)
}

/// Whether a body reads elements or parts of an array.
fn reads_elements(body: &Body, of: Var) -> bool {
    struct Find(Var, bool);
    impl Walk<Fun> for Find {
        fn exp(&mut self, exp: &Exp) {
            self.1 |= matches!(exp, Exp::Index { array, .. } | Exp::Slice { array, .. } if *array == self.0);
            walk_exp(self, exp);
        }
    }
    let mut find = Find(of, false);
    find.body(body);
    find.1
}
