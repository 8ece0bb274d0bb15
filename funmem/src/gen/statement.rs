//! Statements.

use super::{Known, Maker};
use crate::ir::{Binder, Body, Combine, Exp, Lambda, MemType, Space, atom_poly};
use fun::ir::{Atom, Dim, Type};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::{Lmad, LmadDim, Slice};
use fun_index::poly::Poly;

/// The value of a constant size.
fn constant(size: Atom) -> Option<i64> {
    size.as_const().and_then(|value| value.as_i64())
}

/// A commutative and associative operator with a neutral element.
fn operator(elem: PrimType) -> (BinOp, Atom) {
    if elem.is_float() {
        (BinOp::Max, Atom::Const(elem.zero()))
    } else {
        (BinOp::Add, Atom::Const(elem.zero()))
    }
}

impl Maker {
    /// Appends a statement, with what it needs before it. Not every choice is possible every time.
    pub(super) fn statement(&mut self) {
        match self.rng.below(15) {
            0 => self.derive_permute(),
            1 => self.derive_reverse(),
            2 | 3 => self.derive_slice(),
            4 => self.derive_reshape(),
            5 => self.build_iota(),
            6 => self.build_replicate(),
            7 => self.build_copy(),
            8 => self.build_concat(),
            9 => self.build_literal(),
            10 => self.map(),
            11 => self.map_rows(),
            12 => self.reduce(),
            13 => self.change(),
            _ => self.branch(),
        }
    }

    fn derived(&mut self, array: &Known, shape: Vec<Atom>, lmad: Lmad, exp: Exp) {
        self.bound(Known { shape, lmad, ..array.clone() }, exp);
    }

    fn derive_permute(&mut self) {
        let Some(array) = self.pick(|array| array.shape.len() > 1) else { return };
        let mut perm: Vec<usize> = (0..array.shape.len()).collect();
        let turn = 1 + self.rng.below(array.shape.len() - 1);
        perm.rotate_left(turn);
        let shape = perm.iter().map(|k| array.shape[*k]).collect();
        self.derived(&array, shape, array.lmad.permute(&perm), Exp::Permute { perm, array: array.var });
    }

    fn derive_reverse(&mut self) {
        let Some(array) = self.pick(|_| true) else { return };
        let dim = self.rng.below(array.shape.len());
        self.derived(
            &array,
            array.shape.clone(),
            array.lmad.reverse(dim),
            Exp::Reverse { dim, array: array.var },
        );
    }

    /// A range inside of a dimension; the whole of a symbolic one. Steps keep indices apart.
    fn range(&mut self, size: Atom) -> (Atom, Atom, Atom) {
        let Some(size) = constant(size) else { return (Atom::i64(0), size, Atom::i64(1)) };
        if size == 0 {
            return (Atom::i64(0), Atom::i64(0), Atom::i64(1));
        }
        let offset = self.rng.below(size as usize) as i64;
        let stride = [1, 1, 2, -1, -2][self.rng.below(5)];
        let room = if stride > 0 { (size - 1 - offset) / stride + 1 } else { offset / -stride + 1 };
        let count = self.rng.below(room as usize + 1) as i64;
        (Atom::i64(offset), Atom::i64(count), Atom::i64(stride))
    }

    /// Dimensions of a slice and their counts; may fix indices, all of them only if asked to.
    fn dims(&mut self, array: &Known, all: bool) -> (Vec<Dim>, Vec<Atom>) {
        let (mut dims, mut counts) = (Vec::new(), Vec::new());
        let rank = array.shape.len();
        for (k, size) in array.shape.iter().enumerate() {
            let may_fix =
                constant(*size).is_some_and(|size| size > 0) && (all || k + 1 < rank || !counts.is_empty());
            let counter = self.counters.iter().find(|(_, bound)| bound == size).map(|(counter, _)| *counter);
            if may_fix && self.rng.chance(40) {
                let index = self.rng.below(constant(*size).unwrap_or(1) as usize);
                dims.push(Dim::Fix(Atom::i64(index as i64)));
            } else if let Some(counter) = counter.filter(|_| k + 1 < rank || !counts.is_empty()) {
                dims.push(Dim::Fix(Atom::Var(counter)));
            } else {
                let (offset, count, stride) = self.range(*size);
                counts.push(count);
                dims.push(Dim::Range { offset, count, stride });
            }
        }
        (dims, counts)
    }

    fn derive_slice(&mut self) {
        let Some(array) = self.pick(|_| true) else { return };
        let (dims, counts) = self.dims(&array, false);
        let slice = |dim: &Dim| match dim {
            Dim::Fix(index) => Slice::Fix(atom_poly(*index)),
            Dim::Range { offset, count, stride } => Slice::Range {
                offset: atom_poly(*offset),
                count: atom_poly(*count),
                stride: atom_poly(*stride),
            },
        };
        let lmad = array.lmad.slice(&dims.iter().map(slice).collect::<Vec<_>>());
        self.derived(&array, counts, lmad, Exp::Slice { array: array.var, dims });
    }

    /// Merges or splits dimensions where an LMAD can say so.
    fn derive_reshape(&mut self) {
        let Some(array) = self.pick(|array| array.shape.iter().all(|size| constant(*size).is_some())) else {
            return;
        };
        let total: i64 = array.shape.iter().filter_map(|size| constant(*size)).product();
        let shapes = [vec![total], vec![total, 1], vec![1, total], vec![2, total / 2], vec![total / 3, 3]];
        let fitting: Vec<_> = shapes.iter().filter(|shape| shape.iter().product::<i64>() == total).collect();
        let Some(shape) = self.rng.pick(&fitting) else { return };
        let shape: Vec<Atom> = shape.iter().map(|size| Atom::i64(*size)).collect();
        let sizes: Vec<Poly> = shape.iter().map(|size| atom_poly(*size)).collect();
        if let Some(lmad) = array.lmad.reshape(&sizes) {
            self.derived(&array, shape.clone(), lmad, Exp::Reshape { shape, array: array.var });
        }
    }

    fn some_size(&mut self) -> Atom {
        let sizes: Vec<Atom> = self.arrays.iter().flat_map(|array| array.shape.clone()).collect();
        if self.rng.chance(50) {
            return Atom::i64(self.rng.below(4) as i64);
        }
        self.rng.pick(&sizes).copied().unwrap_or(Atom::i64(2))
    }

    fn build_iota(&mut self) {
        let (count, elem) = (self.some_size(), PrimType::I32);
        let (start, step) = (Atom::Const(elem.of_i64(5)), Atom::Const(elem.of_i64(-2)));
        self.fresh(&[count], elem, Exp::Iota { count, start, step, elem });
    }

    fn build_replicate(&mut self) {
        let outer = vec![self.some_size()];
        match self.pick(|array| array.shape.len() < 3).filter(|_| self.rng.chance(60)) {
            Some(array) => {
                let shape = [outer.as_slice(), &array.shape].concat();
                let exp = Exp::Replicate { shape: outer, value: Atom::Var(array.var) };
                self.fresh(&shape, array.elem, exp);
            }
            None => {
                let value = *self.scalars.last().unwrap_or(&Atom::i64(1));
                self.fresh(&outer.clone(), PrimType::I64, Exp::Replicate { shape: outer, value });
            }
        }
    }

    fn build_copy(&mut self) {
        let Some(array) = self.pick(|_| true) else { return };
        self.fresh(&array.shape, array.elem, Exp::Copy(array.var));
    }

    fn build_concat(&mut self) {
        let Some(first) = self.pick(|array| constant(array.shape[0]).is_some()) else { return };
        let fits = |array: &Known| {
            constant(array.shape[0]).is_some()
                && array.shape[1..] == first.shape[1..]
                && array.elem == first.elem
        };
        let Some(second) = self.pick(fits) else { return };
        let outer = |array: &Known| constant(array.shape[0]).unwrap_or(0);
        let size = Atom::i64(outer(&first) + outer(&second));
        let shape = [&[size], &first.shape[1..]].concat();
        self.fresh(&shape, first.elem, Exp::Concat { size, arrays: vec![first.var, second.var] });
    }

    fn build_literal(&mut self) {
        let Some(first) = self.pick(|array| array.shape.len() < 3) else { return };
        let Some(second) = self.pick(|array| array.shape == first.shape && array.elem == first.elem) else {
            return;
        };
        let row = Type::Array { shape: first.shape.clone(), elem: first.elem };
        let shape = [&[Atom::i64(2)], first.shape.as_slice()].concat();
        let elems = vec![Atom::Var(first.var), Atom::Var(second.var)];
        self.fresh(&shape, first.elem, Exp::ArrayLiteral { row, elems });
    }

    /// A kernel over a space of these sizes. Its body is made by `make`, which gives the results.
    fn kernel(
        &mut self,
        sizes: &[Atom],
        make: impl FnOnce(&mut Maker, &[Var]) -> Vec<Atom>,
    ) -> (Vec<(Var, Atom)>, Body) {
        let space: Vec<(Var, Atom)> = sizes.iter().map(|size| (self.names.fresh("i"), *size)).collect();
        let counters: Vec<Var> = space.iter().map(|(counter, _)| *counter).collect();
        let outer = std::mem::take(&mut self.statements);
        let (arrays, scalars, around) = (self.arrays.clone(), self.scalars.clone(), self.counters.clone());
        // What is outside may not be consumed inside.
        self.arrays.iter_mut().for_each(|array| array.owned = false);
        self.counters.extend(&space);
        self.scalars.extend(counters.iter().map(|counter| Atom::Var(*counter)));
        let results = make(self, &counters);
        (self.arrays, self.scalars, self.counters) = (arrays, scalars, around);
        let statements = std::mem::replace(&mut self.statements, outer);
        (space, Body { statements, results })
    }

    /// An element changed a little.
    fn element(&mut self, array: &Known, counters: &[Var]) -> Atom {
        let indices = counters.iter().map(|counter| Atom::Var(*counter)).collect();
        let element = self.scalar("e", array.elem, Exp::Index { array: array.var, indices });
        let (op, _) = operator(array.elem);
        let one = Atom::Const(array.elem.of_i64(1));
        self.scalar("e", array.elem, Exp::Bin(op, array.elem, element, one))
    }

    fn map(&mut self) {
        let Some(array) = self.pick(|_| true) else { return };
        let (space, body) =
            self.kernel(&array.shape, |maker, counters| vec![maker.element(&array, counters)]);
        self.fresh(&array.shape, array.elem, Exp::Kernel { space, combine: Combine::Map, body });
    }

    /// A kernel over the rows of an array whose body makes arrays.
    fn map_rows(&mut self) {
        let Some(array) = self.pick(|array| array.shape.len() > 1) else { return };
        if self.counters.len() > 1 {
            return;
        }
        let mut given = None;
        let (space, body) = self.kernel(&array.shape[..1], |maker, counters| {
            let mut dims = vec![Dim::Fix(Atom::Var(counters[0]))];
            let mut slices = vec![Slice::Fix(Poly::var(counters[0]))];
            for size in &array.shape[1..] {
                let (offset, count, stride) = (Atom::i64(0), *size, Atom::i64(1));
                dims.push(Dim::Range { offset, count, stride });
                let [offset, count, stride] = [offset, count, stride].map(atom_poly);
                slices.push(Slice::Range { offset, count, stride });
            }
            let lmad = array.lmad.slice(&slices);
            maker.derived(
                &Known { owned: false, ..array.clone() },
                array.shape[1..].to_vec(),
                lmad,
                Exp::Slice { array: array.var, dims },
            );
            for _ in 0..maker.rng.below(5) {
                maker.statement();
            }
            // Sizes of the result are known outside: no size comes into being inside.
            let result = maker.arrays.last().cloned().unwrap_or(array.clone());
            let atom = Atom::Var(result.var);
            given = Some(result);
            vec![atom]
        });
        if let Some(result) = given {
            let shape = [&array.shape[..1], result.shape.as_slice()].concat();
            self.fresh(&shape, result.elem, Exp::Kernel { space, combine: Combine::Map, body });
        }
    }

    fn lambda(&mut self, elem: PrimType) -> (Lambda, Atom) {
        let (op, neutral) = operator(elem);
        let params: Vec<Binder> =
            ["x", "y"].map(|text| Binder { var: self.names.fresh(text), ty: MemType::Prim(elem) }).to_vec();
        let outer = std::mem::take(&mut self.statements);
        let [x, y] = [0, 1].map(|k: usize| Atom::Var(params[k].var));
        let result = self.scalar("z", elem, Exp::Bin(op, elem, x, y));
        let statements = std::mem::replace(&mut self.statements, outer);
        (
            Lambda {
                params,
                results: vec![Type::Prim(elem)],
                body: Body { statements, results: vec![result] },
            },
            neutral,
        )
    }

    /// A reduction or scan of the innermost dimension.
    fn reduce(&mut self) {
        let Some(array) = self.pick(|_| true) else { return };
        let (op, neutral) = self.lambda(array.elem);
        let (space, body) =
            self.kernel(&array.shape, |maker, counters| vec![maker.element(&array, counters)]);
        let outer = &array.shape[..array.shape.len() - 1];
        if self.rng.chance(40) {
            let combine = Combine::Scan { op, neutral: vec![neutral] };
            self.fresh(&array.shape, array.elem, Exp::Kernel { space, combine, body });
            return;
        }
        let combine = Combine::Reduce { op, neutral: vec![neutral], commutative: true };
        let exp = Exp::Kernel { space, combine, body };
        if !outer.is_empty() {
            self.fresh(outer, array.elem, exp);
        } else {
            let total = self.scalar("s", array.elem, exp);
            if array.elem == PrimType::I64 {
                self.scalars.push(total);
            }
        }
    }

    /// Consumes an array: an update, a scatter or a histogram.
    fn change(&mut self) {
        let Some(array) = self.pick(|array| array.owned) else { return };
        let exp = match self.rng.below(3) {
            0 if array.shape.len() == 1 => {
                let (op, neutral) = self.lambda(array.elem);
                let one = Atom::Const(array.elem.of_i64(1));
                let (space, body) =
                    self.kernel(&[Atom::i64(5)], |_, counters| vec![Atom::Var(counters[0]), one]);
                let combine = Combine::Hist { op, neutral: vec![neutral], dests: vec![array.var] };
                Exp::Kernel { space, combine, body }
            }
            1 => {
                // Rows from an array of another group.
                let fits = |other: &Known| {
                    other.group != array.group && other.elem == array.elem && other.shape == array.shape[1..]
                };
                let value =
                    if array.shape.len() > 1 { self.pick(fits).map(|row| Atom::Var(row.var)) } else { None };
                let one = (array.shape.len() == 1).then_some(Atom::Const(array.elem.of_i64(1)));
                let Some(value) = value.or(one) else { return };
                let (space, body) =
                    self.kernel(&[Atom::i64(3)], |_, counters| vec![Atom::Var(counters[0]), value]);
                Exp::Kernel { space, combine: Combine::Scatter { dests: vec![array.var] }, body }
            }
            _ => {
                let (dims, counts) = self.dims(&array, true);
                let fits = |other: &Known| {
                    other.group != array.group && other.elem == array.elem && other.shape == counts
                };
                let value = if counts.is_empty() {
                    Some(Atom::Const(array.elem.of_i64(1)))
                } else {
                    self.pick(fits).map(|part| Atom::Var(part.var))
                };
                let Some(value) = value else { return };
                Exp::Update { array: array.var, dims, value }
            }
        };
        self.arrays.retain(|other| other.group != array.group);
        let group = self.group();
        self.bound(Known { group, ..array }, exp);
    }

    /// A branch that gives an array or a fresh copy of it, with block, offset and strides.
    fn branch(&mut self) {
        let known = |array: &Known| array.lmad.as_concrete().is_some();
        let Some(array) = self.pick(known) else { return };
        let Some(concrete) = array.lmad.as_concrete() else { return };
        let (Some(left), true) = (self.scalars.last().copied(), self.scalars.len() > 1) else { return };
        let condition =
            self.scalar("c", PrimType::Bool, Exp::Bin(BinOp::Lt, PrimType::I64, left, self.scalars[0]));
        let supports = |mem: Var, concrete: &fun_index::lmad::ConcreteLmad, var: Var| {
            let mut atoms = vec![Atom::Var(mem), Atom::i64(concrete.offset)];
            atoms.extend(concrete.dims.iter().map(|(_, stride)| Atom::i64(*stride)));
            atoms.push(Atom::Var(var));
            atoms
        };
        let then = Body { statements: Vec::new(), results: supports(array.mem, &concrete, array.var) };
        let outer = std::mem::take(&mut self.statements);
        let arrays = self.arrays.clone();
        let copy = self.fresh(&array.shape, array.elem, Exp::Copy(array.var));
        self.arrays = arrays;
        let statements = std::mem::replace(&mut self.statements, outer);
        let Some(place) = copy.lmad.as_concrete() else { return };
        let otherwise = Body { statements, results: supports(copy.mem, &place, copy.var) };

        let mem = self.names.fresh("m");
        let mut pattern = vec![Binder { var: mem, ty: MemType::Mem(Space::Default) }];
        let mut number = |maker: &mut Maker| {
            let var = maker.names.fresh("o");
            pattern.push(Binder { var, ty: MemType::Prim(PrimType::I64) });
            Poly::var(var)
        };
        let offset = number(self);
        let mut dims = Vec::new();
        for size in &array.shape {
            dims.push(LmadDim { size: atom_poly(*size), stride: number(self) });
        }
        let var = self.names.fresh("b");
        let lmad = Lmad { offset, dims };
        let ty = MemType::Array { shape: array.shape.clone(), elem: array.elem, mem, lmad: lmad.clone() };
        pattern.push(Binder { var, ty });
        self.emit(pattern, Exp::If { condition, then, otherwise });
        self.arrays.push(Known { var, mem, lmad, ..array });
    }
}
