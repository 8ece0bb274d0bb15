//! The return sweep of a `map` that adds to arrays as it likes, in parallel: the iterations go in chunks of those that follow each other,
//! each chunk adds to adjoints of its own in order, and these are added up.
//!
//! ```text
//! let chunks = as many as have enough iterations each, and enough work for the adjoints that each makes
//! if chunks > 1
//! then let (part: [chunks][n]t) = map \(chunk) { loop adjoint = zeros for i in the chunk { … } } (iota chunks)
//!      in adjoint_a + the sum of part over its first dimension
//! else loop adjoint_a for i < iterations { … }
//! ```
//! How many chunks there are depends on sizes alone, so that the sums of floats do not change with the number of threads.

use super::Reverse;
use super::adjoint::Adjoint;
use super::elements::product;
use super::parts::reads_few;
use crate::build::Builder;
use crate::ir::{Atom, Body, Exp, Fun, Lambda, LoopForm, Type};
use crate::visit::{Walk, walk_exp};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use std::collections::BTreeSet;

const I64: Type = Type::Prim(PrimType::I64);

/// How many chunks iterations that add to arrays make.
#[derive(Clone, Copy, Debug)]
pub struct Chunks {
    /// Iterations of a chunk at least.
    pub least_iterations: i64,
    /// What a chunk does at least, in steps of its innermost loops.
    pub least_work: i64,
    /// How many of these steps a chunk has at least for each element of its adjoints, as it makes these and they are added up.
    pub work_for_each_element: i64,
    /// Chunks at most.
    pub most: i64,
    /// Elements of the adjoints of all chunks at most.
    pub most_elements: i64,
    /// Whether a device runs the program, for which nothing should be in order: what chunks have come to is added up by reductions rather than
    /// one after the other, and what is added to single elements by histograms.
    pub is_device: bool,
}

/// Maps that go in chunks or in order have others like them inside, and each has code for both: so deep at most.
const DEEPEST: usize = 2;

/// The chunks of a map, as the program computes them.
pub(super) struct InChunks {
    /// Whether there are several.
    pub(super) several: Atom,
    count: Atom,
    /// Iterations of each but the last.
    each: Atom,
}

impl Reverse<'_, '_> {
    /// The chunks of a map that adds to these variables, unless they cannot pay: each iteration of a chunk makes adjoints of its own elements, which are
    /// too much where it reads few numbers of long ones.
    pub(super) fn chunks_of(
        &mut self,
        width: Atom,
        lambda: &Lambda,
        arrays: &[Var],
        free: &[Var],
    ) -> Option<InChunks> {
        let Chunks { least_iterations, least_work, work_for_each_element, most, most_elements, .. } =
            self.chunks.filter(|_| !self.is_parallel && self.choices < DEEPEST)?;
        let known = width.as_const().and_then(|width| width.as_i64());
        if known.is_some_and(|width| width < least_iterations.saturating_mul(2)) {
            return None;
        }
        let mut inputs = lambda.params.iter().zip(arrays);
        if inputs.any(|(param, array)| {
            self.active.contains(array) && !free.contains(array) && reads_few(&lambda.body, param)
        }) {
            return None;
        }
        let min = |this: &mut Self, x, y| this.b.bin(BinOp::Min, PrimType::I64, x, y);
        let max = |this: &mut Self, x, y| this.b.bin(BinOp::Max, PrimType::I64, x, y);
        // (divisors are constants, or one at least)
        let quotient = |this: &mut Self, x, y| this.b.bin(BinOp::Quot, PrimType::I64, x, y);
        let mut elements = Atom::i64(0);
        for var in free {
            let size = product(self.b, self.type_of((*var).into()).shape());
            elements = self.b.add(elements, size);
        }
        let mut work = width;
        for factor in work_of(lambda) {
            work = self.b.mul(work, factor);
        }
        let elements = max(self, elements, Atom::i64(1));
        let room = quotient(self, Atom::i64(most_elements), elements);
        let paid = self.b.mul(elements, Atom::i64(work_for_each_element));
        let paid = max(self, paid, Atom::i64(1));
        let paid = quotient(self, work, paid);
        let by_width = quotient(self, width, Atom::i64(least_iterations));
        let count = min(self, paid, by_width);
        let by_work = quotient(self, work, Atom::i64(least_work));
        let count = min(self, count, by_work);
        let count = min(self, count, room);
        let count = min(self, count, Atom::i64(most));
        let count = max(self, count, Atom::i64(1));
        let ceiling = |this: &mut Self, x, y| {
            let before = this.b.sub(x, Atom::i64(1));
            let before = this.b.add(before, y);
            quotient(this, before, y)
        };
        let each = ceiling(self, width, count);
        let each = max(self, each, Atom::i64(1));
        let count = ceiling(self, width, each);
        let several = self.b.bin(BinOp::Lt, PrimType::I64, Atom::i64(1), count);
        Some(InChunks { several, count, each })
    }

    /// The return sweep in chunks.
    pub(super) fn back_map_in_chunks(
        &mut self,
        (width, chunks): (Atom, &InChunks),
        lambda: &Lambda,
        arrays: &[Var],
        adjoints: &[Option<Adjoint>],
        free: &[Var],
    ) {
        // What each iteration gives to an element of an array alone goes into an array of the chunk.
        let mut rows: Vec<(Var, Var)> = Vec::new();
        for (array, param) in arrays.iter().zip(&lambda.params) {
            let is_new = rows.iter().all(|(other, _)| other != array);
            if self.active.contains(array) && !free.contains(array) && is_new {
                let shape: Vec<Atom> =
                    std::iter::once(chunks.each).chain(param.ty.shape().iter().copied()).collect();
                let ty = Type::array_of(&shape, &Type::Prim(param.ty.elem()));
                let var = self.b.binder("rows", ty).var;
                self.active.insert(var);
                rows.push((*array, var));
            }
        }
        let targets: Vec<Var> = free.iter().copied().chain(rows.iter().map(|(_, rows)| *rows)).collect();
        let types: Vec<Type> = targets.iter().map(|var| self.type_of((*var).into())).collect();
        let outer_adjoints = std::mem::take(&mut self.adjoints);
        let outer = self.b.take();
        let was_parallel = std::mem::replace(&mut self.is_parallel, true);
        let chunk = self.b.binder("chunk", I64);
        let first = self.b.mul(chunk.var.into(), chunks.each);
        let left = self.b.sub(width, first);
        let count = self.b.bin(BinOp::Min, PrimType::I64, chunks.each, left);
        // No chunk is empty: `hoist-allocations` sees that by the maximum. (A mutant goes by the name.)
        let count = self.b.one("iterations", Exp::Bin(BinOp::Max, PrimType::I64, Atom::i64(1), count));
        self.accumulate(&targets, &[], count, |this, k| {
            let i = this.b.add(first, k);
            let mut elements = Vec::new();
            this.sweep_iteration(i, lambda, arrays, adjoints, |this, param, array| {
                let Some((_, rows)) = rows.iter().find(|(other, _)| *other == array) else { return false };
                let exp = this.element_exp(array, &param.ty, i);
                this.b.bind(vec![param.clone()], exp);
                elements.push((param.var, *rows));
                true
            });
            let mut written = BTreeSet::new();
            for (param, rows) in elements {
                let Some(element) = this.adjoints.remove(&param) else { continue };
                let whole = if written.insert(rows) { this.adjoints.remove(&rows) } else { None };
                if let Some(whole) = whole {
                    let whole = this.b.update(whole.array(), &[k], element.atom);
                    this.adjoints.insert(rows, Adjoint::owned(whole));
                } else {
                    let ty = this.type_of(rows.into());
                    this.contribute_at(rows, &Builder::row_dims(&ty, &[k]), element);
                }
            }
            Vec::new()
        });
        let results = targets.iter().zip(&types).map(|(var, ty)| self.take_or_zero(*var, ty).atom).collect();
        self.is_parallel = was_parallel;
        let body = Body { statements: self.b.replace(outer), results };
        self.adjoints = outer_adjoints;
        let exp =
            Exp::Iota { count: chunks.count, start: Atom::i64(0), step: Atom::i64(1), elem: PrimType::I64 };
        let numbers = self.b.array("i", exp);
        let lambda = Lambda { params: vec![chunk], results: types, body };
        let parts = self.b.many("adj", Exp::Map { width: chunks.count, lambda, arrays: vec![numbers] });
        let parts: Vec<Var> = parts.into_iter().filter_map(|part| part.as_var()).collect();
        self.add_parts(free, &parts, chunks.count);
        for ((array, _), part) in rows.iter().zip(&parts[free.len()..]) {
            let ty = self.type_of((*array).into());
            let all = self.b.mul(chunks.count, chunks.each);
            let shape: Vec<Atom> = std::iter::once(all).chain(ty.shape()[1..].iter().copied()).collect();
            let flat = self.b.array("flat", Exp::Reshape { shape, array: *part });
            let rows = self.b.slice(flat, Builder::row_dims(&ty, &[]));
            self.contribute_to_whole(*array, Adjoint::owned(rows));
        }
    }

    /// Adds what all chunks have come to.
    fn add_parts(&mut self, free: &[Var], parts: &[Var], count: Atom) {
        if self.chunks.is_some_and(|chunks| chunks.is_device) {
            for (var, part) in free.iter().zip(parts) {
                let sum = self.sum_outer(*part, 1);
                self.contribute_to_whole(*var, Adjoint::owned(sum));
            }
        } else {
            self.accumulate(free, &[], count, |this, chunk| {
                for (var, part) in free.iter().zip(parts) {
                    let atom = this.b.element(*part, &[chunk]);
                    this.contribute_to_whole(*var, Adjoint { atom, owned: false });
                }
                Vec::new()
            });
        }
    }

    /// Adds to the adjoint of a variable, or of what it is a part of.
    pub(super) fn contribute_to_whole(&mut self, var: Var, value: Adjoint) {
        let ty = self.type_of(var.into());
        let value = self.conform(value, &ty);
        if self.wholes(var).is_empty() {
            self.contribute(var.into(), value);
        } else {
            self.contribute_at(var, &Builder::row_dims(&ty, &[]), value);
        }
    }
}

/// Factors of what each iteration does, from sizes that are known before: the widths and bounds of its deepest nest outside of branches.
fn work_of(lambda: &Lambda) -> Vec<Atom> {
    struct Deepest {
        bound: BTreeSet<Var>,
        around: Vec<Atom>,
        found: Vec<Atom>,
    }
    /// Sizes that are known at run time alone count more than all constants.
    fn depth(factors: &[Atom]) -> (usize, i64) {
        let constants = factors.iter().filter_map(|factor| factor.as_const().and_then(|size| size.as_i64()));
        let variables = factors.iter().filter(|factor| factor.as_var().is_some()).count();
        (variables, constants.fold(1, i64::saturating_mul))
    }
    impl Walk<Fun> for Deepest {
        fn exp(&mut self, exp: &Exp) {
            let width = match exp {
                Exp::If { .. } => return,
                Exp::Map { width, .. }
                | Exp::Reduce { width, .. }
                | Exp::Scan { width, .. }
                | Exp::Hist { width, .. }
                | Exp::Loop { form: LoopForm::For { ty: PrimType::I64, bound: width, .. }, .. } => {
                    Some(*width)
                }
                _ => None,
            };
            let width = width.filter(|width| width.as_var().is_none_or(|var| !self.bound.contains(&var)));
            self.around.extend(width);
            if depth(&self.around) > depth(&self.found) {
                self.found.clone_from(&self.around);
            }
            walk_exp(self, exp);
            if width.is_some() {
                self.around.pop();
            }
        }
    }
    let bound = super::bound(lambda).into_iter().collect();
    let mut deepest = Deepest { bound, around: Vec::new(), found: Vec::new() };
    deepest.body(&lambda.body);
    deepest.found
}
