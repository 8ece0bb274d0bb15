//! One more statement: scalars, parts of arrays, updates; control and SOACs are elsewhere.

use super::scope::{Entry, I64};
use super::{Form, Maker};
use crate::ir::{Atom, Dim, Exp, Type};
use crate::types::dims_shape;
use fun_base::prim::{BinOp, PrimType};

/// All of some dimensions.
fn whole(shape: &[Atom]) -> impl Iterator<Item = Dim> {
    shape.iter().map(|size| Dim::Range { offset: Atom::i64(0), count: *size, stride: Atom::i64(1) })
}

impl Maker {
    /// At most `most` more statements, nested ones not counted.
    pub(super) fn some_statements(&mut self, most: usize) {
        for _ in 0..self.rng.below(most + 1) {
            self.statement();
        }
    }

    /// One more thing to compute, with what it needs.
    pub(super) fn statement(&mut self) {
        if self.fuel == 0 {
            return;
        }
        match self.rng.below(55) {
            43.. => self.idiom_statement(),
            0..9 => self.scalar_statement(),
            9..12 => self.index_statement(),
            12..14 => self.slice_statement(),
            14..17 => self.update_statement(),
            17..19 => self.layout_statement(),
            19 => self.concat_statement(),
            20 | 21 => {
                let ty = self.array_type();
                self.fresh_array(&ty);
            }
            22 if self.rng.chance(30) => self.trace_statement(),
            22 if self.rng.chance(15) => self.guarded_statement(),
            22 => self.assert_statement(),
            23..26 if self.may_nest() => self.if_statement(),
            26 if self.may_nest() => self.sized_if_statement(),
            27 | 28 if self.may_nest() => self.for_statement(),
            29 if self.may_nest() => self.while_statement(),
            30 if self.may_nest() => self.resizing_loop(),
            31..34 => self.call_statement(),
            34 | 35 if self.may_nest() && self.form == Form::Soac && !self.integers => {
                self.derivative_statement()
            }
            34..43 if self.may_nest() => match self.form {
                Form::Soac => self.soac_statement(),
                Form::Kernel => self.kernel_statement(),
            },
            _ => self.scalar_statement(),
        }
    }

    pub(super) fn an_array(&mut self) -> Option<Entry> {
        let arrays = self.scope.arrays();
        self.choose_entry(&arrays)
    }

    /// Dimensions of a part of an array: ranges, and fixed indices where the size is known to be positive.
    fn part(&mut self, shape: &[Atom]) -> Vec<Dim> {
        let mut dims = Vec::new();
        for size in shape {
            let dim = if self.scope.is_positive(*size) && self.rng.chance(50) {
                Dim::Fix(self.index_below(*size))
            } else {
                self.range(*size)
            };
            dims.push(dim);
        }
        dims
    }

    fn slice_statement(&mut self) {
        if let Some(entry) = self.an_array() {
            self.slice_of(entry);
        }
    }

    /// Part of an array.
    pub(super) fn slice_of(&mut self, entry: Entry) {
        let dims = self.part(entry.ty.shape());
        let shape = dims_shape(&dims);
        if shape.is_empty() {
            self.element_of(entry.var, &entry.ty);
            return;
        }
        let ty = Type::Array { shape, elem: entry.ty.elem() };
        self.view("s", ty, Exp::Slice { array: entry.var, dims }, entry.var);
    }

    /// Changes an array that may be consumed, or a copy of one.
    fn update_statement(&mut self) {
        let arrays = self.scope.arrays();
        let own: Vec<Entry> =
            arrays.iter().filter(|entry| entry.roots.is_subset(&self.scope.consumable)).cloned().collect();
        let (array, ty) = match self.choose_entry(&own) {
            Some(entry) if self.rng.chance(80) => (entry.var, entry.ty),
            _ => {
                let Some(entry) = self.an_array() else { return };
                (self.fresh("y", entry.ty.clone(), Exp::Copy(entry.var)), entry.ty)
            }
        };
        self.update_of(array, &ty);
    }

    /// Changes part of an array, which it consumes; the result comes into scope.
    pub(super) fn update_of(&mut self, array: fun_base::name::Var, ty: &Type) -> fun_base::name::Var {
        // Where two indices may be one element, nothing may be written.
        let repeats = |dim: &Dim| match dim {
            Dim::Fix(_) => false,
            Dim::Range { stride, .. } => *stride == Atom::i64(0),
            // `Maker::flat` makes rows that overlap of as many as fit, one element apart.
            Dim::Flat { dims, .. } => dims[0].stride == Atom::i64(1) && dims[0].count.as_var().is_some(),
        };
        let mut dims = self.part(ty.shape());
        for (dim, size) in dims.iter_mut().zip(ty.shape()) {
            if repeats(dim) {
                *dim = Dim::Range { offset: Atom::i64(0), count: *size, stride: Atom::i64(1) };
            }
        }
        // The value may not share cells with the array: it is made after the array has left the scope.
        let roots = self.scope.roots_of(Atom::Var(array));
        self.scope.consume(&roots);
        let value = self.value(&Type::array_of(&dims_shape(&dims), &Type::Prim(ty.elem())));
        self.fresh("u", ty.clone(), Exp::Update { array, dims, value })
    }

    fn layout_statement(&mut self) {
        if let Some(entry) = self.an_array() {
            self.layout_of(entry);
        }
    }

    /// The cells of an array in another order or shape.
    pub(super) fn layout_of(&mut self, entry: Entry) {
        let (array, shape, elem) = (entry.var, entry.ty.shape().to_vec(), entry.ty.elem());
        match self.rng.below(4) {
            0 => {
                let dim = self.rng.below(shape.len());
                self.view("b", entry.ty.clone(), Exp::Reverse { dim, array }, array);
            }
            1 => {
                let mut perm: Vec<usize> = (0..shape.len()).collect();
                for k in (1..perm.len()).rev() {
                    perm.swap(k, self.rng.below(k + 1));
                }
                let shape = perm.iter().map(|k| shape[*k]).collect();
                self.view("p", Type::Array { shape, elem }, Exp::Permute { perm, array }, array);
            }
            2 => {
                // All dimensions become one, or the other way round; ones may be added anywhere.
                let mut shape = shape;
                shape.insert(self.rng.below(shape.len() + 1), Atom::i64(1));
                if shape.len() > 2 && self.rng.chance(50) {
                    shape.swap(0, 1);
                }
                self.view(
                    "r",
                    Type::Array { shape: shape.clone(), elem },
                    Exp::Reshape { shape, array },
                    array,
                );
            }
            _ => {
                let max: i64 = shape.iter().map(|size| self.scope.size_max(*size).unwrap_or(0)).product();
                let mut total = shape[0];
                for (k, size) in shape.iter().enumerate().skip(1) {
                    let most =
                        shape[..=k].iter().map(|size| self.scope.size_max(*size).unwrap_or(0)).product();
                    total = self.size("n", most, Exp::Bin(BinOp::Mul, PrimType::I64, total, *size));
                }
                if max <= 64 {
                    let shape = vec![total];
                    let ty = Type::Array { shape: shape.clone(), elem };
                    self.view("f", ty, Exp::Reshape { shape, array }, array);
                }
            }
        }
    }

    /// Some arrays one after the other, in any order.
    fn concat_statement(&mut self) {
        let Some(first) = self.an_array() else { return };
        let row = first.ty.peel(1);
        let mut parts = vec![first.clone()];
        for _ in 0..self.rng.below(3) {
            let fits: Vec<Entry> = self
                .scope
                .arrays()
                .into_iter()
                .filter(|entry| entry.ty.peel(1) == row && entry.ty.elem() == first.ty.elem())
                .collect();
            let at = self.rng.below(parts.len() + 1);
            if let Some(part) = self.choose_entry(&fits) {
                parts.insert(at, part);
            }
        }
        let mut total = Atom::i64(0);
        let mut max = 0;
        for part in &parts {
            let size = part.ty.shape()[0];
            max += self.scope.size_max(size).unwrap_or(0);
            total = self.size("n", max, Exp::Bin(BinOp::Add, PrimType::I64, total, size));
        }
        if max > 16 {
            return;
        }
        let arrays = parts.iter().map(|part| part.var).collect();
        let ty = Type::array_of(&[total], &row);
        self.fresh("a", ty, Exp::Concat { size: total, arrays });
    }

    /// An assertion that holds: sizes are not negative.
    fn assert_statement(&mut self) {
        let size = self.some_size(16);
        let test = Exp::Bin(BinOp::Ge, PrimType::I64, size, Atom::i64(0));
        let condition = Atom::Var(self.fresh("t", Type::Prim(PrimType::Bool), test));
        self.push(
            Vec::new(),
            Exp::Assert { condition, message: "negative: {}".to_owned(), args: vec![size] },
        );
    }

    /// A use of an array that is in bounds only if an assertion holds, which may stop the program: a read of one row, or an update of
    /// some by a value that is made before the assertion.
    fn guarded_statement(&mut self) {
        let Some(entry) = self.an_array() else { return };
        let (shape, elem) = (entry.ty.shape().to_vec(), entry.ty.elem());
        let at = self.scalar(PrimType::I64);
        if self.rng.chance(50) {
            self.assert_in_bounds(at, Atom::i64(1), shape[0]);
            let one = Dim::Range { offset: at, count: Atom::i64(1), stride: Atom::i64(1) };
            let dims = [one].into_iter().chain(whole(&shape[1..])).collect();
            let rows = [Atom::i64(1)].into_iter().chain(shape[1..].iter().copied()).collect();
            self.view(
                "s",
                Type::Array { shape: rows, elem },
                Exp::Slice { array: entry.var, dims },
                entry.var,
            );
            return;
        }
        let array = self.fresh("y", entry.ty.clone(), Exp::Copy(entry.var));
        self.scope.consume(&self.scope.roots_of(Atom::Var(array)));
        let count = Atom::i64(1 + self.rng.below(2) as i64);
        let rows = Type::array_of(&[count], &entry.ty.peel(1));
        let value = Atom::Var(self.fresh_array(&rows));
        self.assert_in_bounds(at, count, shape[0]);
        let some = Dim::Range { offset: at, count, stride: Atom::i64(1) };
        let dims = [some].into_iter().chain(whole(&shape[1..])).collect();
        self.fresh("u", entry.ty, Exp::Update { array, dims, value });
    }

    /// Asserts that so many indices from one on are below a size.
    pub(super) fn assert_in_bounds(&mut self, at: Atom, count: Atom, size: Atom) {
        let bool_type = Type::Prim(PrimType::Bool);
        let most = self.fresh("x", I64, Exp::Bin(BinOp::Sub, PrimType::I64, size, count));
        let low = self.fresh("t", bool_type.clone(), Exp::Bin(BinOp::Le, PrimType::I64, Atom::i64(0), at));
        let high = self.fresh("t", bool_type.clone(), Exp::Bin(BinOp::Le, PrimType::I64, at, most.into()));
        let both = self.fresh("t", bool_type, Exp::Bin(BinOp::And, PrimType::Bool, low.into(), high.into()));
        let message = "index {} out of bounds for size {}".to_owned();
        self.push(Vec::new(), Exp::Assert { condition: both.into(), message, args: vec![at, size] });
    }

    /// A remark about what is known: no pass may mind it.
    fn trace_statement(&mut self) {
        let mut args = vec![self.scalar(PrimType::I32)];
        args.extend(self.an_array().map(|array| Atom::Var(array.var)));
        let pause = self.rng.chance(20);
        self.push(Vec::new(), Exp::Trace { text: "at {}: {}".to_owned(), args, pause });
    }

    /// Adds an i64 that counts: `x + 1`.
    pub(super) fn successor(&mut self, x: Atom) -> Atom {
        Atom::Var(self.fresh("x", I64, Exp::Bin(BinOp::Add, PrimType::I64, x, Atom::i64(1))))
    }
}
