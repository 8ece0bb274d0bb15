//! What maps add to single elements of arrays from outside, on devices: each iteration gives the numbers of the cells and what is added to
//! them, and histograms add these up.
//!
//! ```text
//! map n \(i) { let x = index a[i + 1] … }
//! ```
//! whose return sweep would be a loop in order becomes
//! ```text
//! let (places: [n]i64) (values: [n]t) = map n \(i) (adj) { … in (i + 1, the adjoint of x) }
//! let adjoint_a = hist (+) into adjoint_a, values at places
//! ```
//! Maps inside of such a map and branches give what they collect to the map around. A branch that is not taken has the number -1, which
//! histograms leave out. What an iteration adds to several elements is an array in its turn. The cells of arrays in several dimensions are numbered row by row.

use super::Reverse;
use super::adjoint::{Adjoint, may_repeat, plus};
use crate::build::Builder;
use crate::ir::{Atom, Body, Dim, Exp, Fun, Lambda, Statement, Type};
use crate::visit::{Walk, walk_exp};
use fun_base::name::Var;
use fun_base::prim::PrimType;
use std::collections::{BTreeMap, BTreeSet};

const I64: Type = Type::Prim(PrimType::I64);

/// For arrays whose adjoints are not at hand: the numbers of cells and what is added to them, so far; scalars, or arrays of one shape.
pub(super) type Collected = BTreeMap<Var, Vec<(Atom, Atom)>>;

impl Reverse<'_, '_> {
    /// Whether what belongs to an array, or to the array that it is a part of, is collected.
    pub(super) fn is_collected(&self, array: Var) -> bool {
        let whole = *self.wholes(array).last().unwrap_or(&array);
        self.collected.contains_key(&whole)
    }

    /// Those of these arrays from outside of a map whose elements are to be collected: all, if the map reads nothing but elements and rows
    /// of them, at places that it computes. (What reads all of an array adds less often to each element than it takes to write that down.)
    pub(super) fn to_collect(&self, lambda: &Lambda, free: &[Var]) -> Vec<Var> {
        if self.is_parallel || !self.chunks.is_some_and(|chunks| chunks.is_device) {
            return Vec::new();
        }
        let is_array = |var: &&Var| self.type_of((**var).into()).rank() > 0;
        let arrays: Vec<Var> = free.iter().filter(is_array).copied().collect();
        let mut readers = Readers {
            sweep: self,
            arrays: arrays.iter().copied().collect(),
            parts: BTreeSet::new(),
            bound: super::bound(lambda).into_iter().collect(),
            in_branch: false,
        };
        if readers.body(&lambda.body) { arrays } else { Vec::new() }
    }

    /// Notes what is added to a part of an array.
    pub(super) fn collect(&mut self, array: Var, dims: &[Dim], value: Atom) {
        let shape = self.type_of(array.into()).shape().to_vec();
        let places = places(self.b, &shape, dims, Atom::i64(0));
        self.collected.entry(array).or_default().push((places, value));
    }

    /// What has been collected, single elements as one array of them: a histogram for each would take longer.
    pub(super) fn together(&mut self, parts: Vec<(Atom, Atom)>) -> Vec<(Atom, Atom)> {
        let is_element = |this: &Self, part: &(Atom, Atom)| this.type_of(part.0).rank() == 0;
        let (elements, mut all): (Vec<_>, Vec<_>) =
            parts.into_iter().partition(|part| is_element(self, part));
        let Some((_, first)) = elements.first().filter(|_| elements.len() > 1) else {
            all.extend(elements);
            return all;
        };
        let row = self.type_of(*first);
        let (places, values) = elements.into_iter().unzip();
        let places = self.b.one("places", Exp::ArrayLiteral { row: I64, elems: places });
        all.push((places, self.b.one("values", Exp::ArrayLiteral { row, elems: values })));
        all
    }

    /// Adds values to the elements of an array's adjoint that have these numbers.
    pub(super) fn add_collected(&mut self, array: Var, places: Atom, values: Atom) {
        let ty = self.type_of(array.into());
        let is_part = !self.wholes(array).is_empty();
        let adjoint = if is_part { self.zero(&ty) } else { self.take_or_zero(array, &ty) };
        let adjoint = self.own(adjoint);
        let size = product(self.b, ty.shape());
        let dest = self.flat(adjoint.array(), size);
        let (Atom::Var(places), Atom::Var(values)) = (places, values) else { return };
        let width = product(self.b, self.type_of(places.into()).shape());
        let (indices, values) = (self.flat(places, width), self.flat(values, width));
        let (op, neutral) = (plus(self.b, ty.elem()), vec![Atom::Const(ty.elem().zero())]);
        let exp = Exp::Hist { width, op, neutral, dests: vec![dest], indices, values: vec![values] };
        let sums = Adjoint::owned(self.b.array("adj", exp));
        let sums = self.conform(sums, &ty);
        if is_part {
            self.contribute_to_whole(array, sums);
        } else {
            self.adjoints.insert(array, sums);
        }
    }

    /// The cells of an array, which are so many, in one dimension.
    fn flat(&mut self, array: Var, size: Atom) -> Var {
        if self.type_of(array.into()).shape() == [size] {
            return array;
        }
        self.b.array("flat", Exp::Reshape { shape: vec![size], array })
    }
}

/// The number of cells of an array of this shape.
pub(super) fn product(b: &mut Builder<'_>, shape: &[Atom]) -> Atom {
    shape.iter().fold(Atom::i64(1), |all, size| b.mul(all, *size))
}

/// The numbers of the cells of a part of an array of this shape, of which so many rows of all cells here lie before; a scalar for one cell.
fn places(b: &mut Builder<'_>, shape: &[Atom], dims: &[Dim], rows_before: Atom) -> Atom {
    let ([size, inner @ ..], [dim, rest @ ..]) = (shape, dims) else { return rows_before };
    let start = b.mul(rows_before, *size);
    match dim {
        Dim::Fix(index) => {
            let at = b.add(start, *index);
            places(b, inner, rest, at)
        }
        Dim::Range { offset, count, stride } => {
            let first = b.add(start, *offset);
            if rest.iter().all(|dim| matches!(dim, Dim::Fix(_))) {
                let first = places(b, inner, rest, first);
                let cells = product(b, inner);
                let step = b.mul(*stride, cells);
                return b.one("places", Exp::Iota { count: *count, start: first, step, elem: PrimType::I64 });
            }
            let exp = Exp::Iota { count: *count, start: first, step: *stride, elem: PrimType::I64 };
            let rows = b.array("rows", exp);
            let counts: Vec<Atom> = crate::types::dims_shape(rest);
            let ty = Type::array_of(&counts, &I64);
            let lambda = b.lambda(&[I64], &[ty], |b, row| vec![places(b, inner, rest, row[0])]);
            b.one("places", Exp::Map { width: *count, lambda, arrays: vec![rows] })
        }
        // parts that may read a cell twice are not collected
        Dim::Flat { .. } => rows_before,
    }
}

/// Looks whether nothing but elements and rows of arrays are read.
struct Readers<'r, 'b, 'n> {
    sweep: &'r Reverse<'b, 'n>,
    arrays: BTreeSet<Var>,
    /// Rows of them.
    parts: BTreeSet<Var>,
    /// What the map binds: sizes of what is collected must come from outside.
    bound: BTreeSet<Var>,
    /// Whether a branch is looked at.
    in_branch: bool,
}

impl Readers<'_, '_, '_> {
    fn body(&mut self, body: &Body) -> bool {
        body.statements.iter().all(|statement| self.statement(statement))
            && body.results.iter().all(|result| result.as_var().is_none_or(|var| !self.knows(var)))
    }

    fn statement(&mut self, statement: &Statement) -> bool {
        match &statement.exp {
            Exp::Index { .. } => true,
            Exp::Slice { array, dims } if self.knows(*array) => {
                let mut counts = dims.iter().filter_map(|dim| match dim {
                    Dim::Range { count, .. } => Some(*count),
                    Dim::Fix(_) | Dim::Flat { .. } => None,
                });
                let is_row =
                    counts.next().is_some_and(|count| self.is_outer(count)) && counts.next().is_none();
                self.parts.extend(statement.pattern.iter().map(|binder| binder.var));
                is_row && !self.in_branch && !dims.iter().any(may_repeat)
            }
            Exp::Map { width, lambda, arrays } => {
                let inner = self.sweep.free_active(&lambda.body, &lambda.params);
                if arrays.iter().any(|array| self.arrays.contains(array)) {
                    return false;
                }
                if !inner.iter().chain(arrays).any(|var| self.knows(*var)) {
                    return true;
                }
                // arrays of the iteration would be added to in order
                let is_array = |var: &Var| self.sweep.type_of((*var).into()).rank() > 0;
                !self.in_branch
                    && self.is_outer(*width)
                    && inner.iter().all(|var| self.knows(*var) || !is_array(var))
                    && self.body(&lambda.body)
            }
            Exp::If { then, otherwise, .. } => {
                let outer = std::mem::replace(&mut self.in_branch, true);
                let is_fine = self.body(then) && self.body(otherwise);
                self.in_branch = outer;
                is_fine
            }
            exp => !self.mentions(exp),
        }
    }

    fn knows(&self, var: Var) -> bool {
        self.arrays.contains(&var) || self.parts.contains(&var)
    }

    fn is_outer(&self, size: Atom) -> bool {
        size.as_var().is_none_or(|size| !self.bound.contains(&size))
    }

    fn mentions(&self, exp: &Exp) -> bool {
        struct Find<'r, 'a, 'b, 'n>(&'r Readers<'a, 'b, 'n>, bool);
        impl Walk<Fun> for Find<'_, '_, '_, '_> {
            fn atom(&mut self, atom: &Atom) {
                self.1 |= atom.as_var().is_some_and(|var| self.0.knows(var));
            }
        }
        let mut find = Find(self, false);
        walk_exp(&mut find, exp);
        find.1
    }
}
