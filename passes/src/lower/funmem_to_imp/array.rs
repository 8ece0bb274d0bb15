//! Fresh arrays, updates and copies.

use super::{Array, Lowerer, atom_exp};
use fun::ir::{Atom, Dim};
use fun_base::name::Var;
use fun_base::prim::PrimType;
use fun_index::lmad::{Lmad, Slice};
use fun_index::poly::{Monomial, Poly};
use funmem::ir::{Binder, atom_poly, slices};
use imp::build;
use imp::ir::{Exp, LoopKind, Statement, StatementKind, WindowDim};

/// Loops of at most this many iterations, where the number is known, are not worth starting threads for.
const FEW: i64 = 1024;

impl Lowerer {
    /// Binds a fresh or changed array and gives what is known of it.
    pub(super) fn bind_dest(&mut self, binder: &Binder) -> Array {
        self.bind_array(binder);
        self.array(binder.var).clone()
    }

    /// How a loop that only writes runs here.
    fn filling(&self, count: Atom) -> LoopKind {
        let few = count.as_const().and_then(|count| count.as_i64()).is_some_and(|count| count <= FEW);
        if self.parallel || few { LoopKind::Seq } else { LoopKind::Par }
    }

    pub(super) fn iota(&mut self, binder: &Binder, count: Atom, start: Atom, step: Atom, elem: PrimType) {
        let (count, start, step) = (self.atom(count), self.exp(start), self.exp(step));
        let dest = self.bind_dest(binder);
        let kind = self.filling(count);
        self.b.for_("i", atom_exp(count), kind, |b, i| {
            let index = build::convert(elem, PrimType::I64, i);
            b.write(dest.view, vec![i.into()], Lowerer::affine(start, index, step, elem));
        });
    }

    pub(super) fn replicate(&mut self, binder: &Binder, shape: &[Atom], value: Atom) {
        let shape: Vec<Atom> = shape.iter().map(|size| self.atom(*size)).collect();
        let dest = self.bind_dest(binder);
        let source = self.as_array(value).cloned();
        if self.blocks.is_some() && !self.parallel && source.as_ref().is_none_or(|of| of.mem != dest.mem) {
            return self.replicate_by_threads(&dest, shape.len(), value, source.as_ref(), Vec::new());
        }
        self.replicate_at(&dest, &shape, value, Vec::new());
    }

    /// On a device each cell is a thread's.
    fn replicate_by_threads(
        &mut self,
        dest: &Array,
        outer: usize,
        value: Atom,
        source: Option<&Array>,
        indices: Vec<Exp>,
    ) {
        if let Some(size) = dest.shape.get(indices.len()).copied() {
            return self.in_loop("i", atom_exp(size), LoopKind::Par, |this, i| {
                let indices = indices.into_iter().chain([i.into()]).collect();
                this.replicate_by_threads(dest, outer, value, source, indices);
            });
        }
        let value = match source {
            Some(source) => build::read(source.view, indices[outer..].to_vec()),
            None => self.exp(value),
        };
        self.b.write(dest.view, indices, value);
    }

    fn replicate_at(&mut self, dest: &Array, shape: &[Atom], value: Atom, indices: Vec<Atom>) {
        let Some((size, inner)) = shape.split_first() else { return self.store(dest, &indices, value) };
        let kind = self.filling(*size);
        self.in_loop("i", atom_exp(*size), kind, |this, i| {
            let indices = indices.into_iter().chain([Atom::Var(i)]).collect();
            this.replicate_at(dest, inner, value, indices);
        });
    }

    /// The statements that `f` adds, taken out.
    pub(super) fn written<T>(&mut self, f: impl FnOnce(&mut Lowerer) -> T) -> (Vec<Statement>, T) {
        let outer = self.b.begin();
        let result = f(self);
        (self.b.end(outer), result)
    }

    /// What `f` adds runs where the condition holds.
    pub(super) fn when(&mut self, condition: Exp, f: impl FnOnce(&mut Lowerer)) {
        let (then, ()) = self.written(f);
        self.b.push(StatementKind::If { condition, then, otherwise: Vec::new() });
    }

    /// A loop over i64 whose body `f` adds.
    pub(super) fn in_loop(
        &mut self,
        text: &str,
        bound: Exp,
        kind: LoopKind,
        f: impl FnOnce(&mut Lowerer, Var),
    ) {
        let var = self.b.names.fresh(text);
        self.in_loop_with(var, bound, kind, |this| f(this, var));
    }

    /// A loop over i64 with this counter.
    pub(super) fn in_loop_with(
        &mut self,
        var: Var,
        bound: Exp,
        kind: LoopKind,
        f: impl FnOnce(&mut Lowerer),
    ) {
        let outer = self.b.begin();
        let (parallel, thread) = (self.parallel, self.thread);
        self.parallel |= kind.is_parallel();
        if kind == LoopKind::Thread {
            self.thread = Some(var);
        }
        f(self);
        (self.parallel, self.thread) = (parallel, thread);
        let body = self.b.end(outer);
        self.b.push(StatementKind::For { var, ty: PrimType::I64, bound, kind, body });
    }

    pub(super) fn literal(&mut self, binder: &Binder, elems: &[Atom]) {
        let dest = self.bind_dest(binder);
        for (i, elem) in elems.iter().enumerate() {
            self.store(&dest, &[Atom::i64(i as i64)], *elem);
        }
    }

    pub(super) fn concat(&mut self, binder: &Binder, arrays: &[Var]) {
        let dest = self.bind_dest(binder);
        let mut offset = Poly::constant(0);
        for array in arrays {
            let part = self.array(*array).clone();
            let count = part.shape[0];
            let mut slices = vec![Slice::Range {
                offset: offset.clone(),
                count: atom_poly(count),
                stride: Poly::constant(1),
            }];
            slices.extend(dest.shape[1..].iter().map(whole));
            self.store_slice(&dest, &slices, &part);
            offset = offset.add(&atom_poly(count));
        }
    }

    pub(super) fn copy_array(&mut self, binder: &Binder, array: Var) {
        let source = self.array(array).clone();
        let dest = self.bind_dest(binder);
        if !in_place(&source, &dest.lmad, dest.mem) {
            self.copy((dest.view, &dest), &source);
        }
    }

    pub(super) fn update(&mut self, binder: &Binder, dims: &[Dim], value: Atom) {
        let fixed: Option<Vec<Atom>> = dims
            .iter()
            .map(|dim| match dim {
                Dim::Fix(index) => Some(self.atom(*index)),
                Dim::Range { .. } | Dim::Flat { .. } => None,
            })
            .collect();
        let dims: Vec<Dim> = dims.iter().map(|dim| dim.map_atoms(&mut |part| self.atom(*part))).collect();
        let slices = slices(&dims);
        let dest = self.bind_dest(binder);
        if let Some(indices) = fixed {
            self.store(&dest, &indices, value);
        } else if let Some(source) = self.as_array(value).cloned() {
            self.store_slice(&dest, &slices, &source);
        }
    }

    /// `dest[indices] := value`, which is a scalar or an array of the dimensions that are left. Indices are in terms of IMP, the
    /// value is not.
    pub(super) fn store(&mut self, dest: &Array, indices: &[Atom], value: Atom) {
        if let Some(source) = self.as_array(value).cloned() {
            let fixed = indices.iter().map(|index| Slice::Fix(atom_poly(*index)));
            let slices: Vec<Slice> = fixed.chain(dest.shape[indices.len()..].iter().map(whole)).collect();
            self.store_slice(dest, &slices, &source);
        } else {
            let value = self.exp(value);
            self.b.write(dest.view, indices.iter().map(|index| atom_exp(*index)).collect(), value);
        }
    }

    /// Copies an array to a part of another, unless it lies there already.
    fn store_slice(&mut self, dest: &Array, slices: &[Slice], source: &Array) {
        let part = dest.lmad.slice(slices);
        if in_place(source, &part, dest.mem) {
            return;
        }
        let window = |slice: &Slice| match slice {
            Slice::Fix(index) => Some(WindowDim::Fix(self.poly_exp(index))),
            Slice::Range { offset, count, stride } => Some(WindowDim::Range {
                offset: self.poly_exp(offset),
                count: self.poly_exp(count),
                stride: self.poly_exp(stride),
            }),
            Slice::Flat(_) => None,
        };
        let part = match slices.iter().map(window).collect() {
            Some(dims) => self.b.window("part", dest.view, dims),
            None => self.b.view("part", dest.elem, dest.mem, part),
        };
        self.copy((part, dest), source);
    }

    /// The value of a polynomial over IMP variables.
    pub(super) fn poly_exp(&self, poly: &Poly) -> Exp {
        use fun_base::prim::BinOp;
        let term = |(monomial, coefficient): (&Monomial, i64)| {
            let factors = monomial.iter().map(|var| Exp::Var(*var));
            let constant = (coefficient != 1 || monomial.is_empty()).then(|| Exp::i64(coefficient));
            constant.into_iter().chain(factors).reduce(|x, y| build::bin(BinOp::Mul, PrimType::I64, x, y))
        };
        let sum = poly.terms().filter_map(term).reduce(|x, y| build::bin(BinOp::Add, PrimType::I64, x, y));
        sum.unwrap_or_else(|| Exp::i64(0))
    }
}

/// All of a dimension.
fn whole(size: &Atom) -> Slice {
    Slice::Range { offset: Poly::constant(0), count: atom_poly(*size), stride: Poly::constant(1) }
}

/// Whether the array lies exactly there.
fn in_place(source: &Array, lmad: &Lmad, mem: Var) -> bool {
    source.mem == mem && source.lmad.equivalent(lmad)
}
