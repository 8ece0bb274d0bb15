//! Statements that belong together: what simplifiers have rules for. Chance alone would hardly ever put them side by side.

mod carried;
mod columns;
mod counters;
mod elimination;
mod extremes;
mod histogram;
mod memory;
mod pipeline;
mod places;
mod recurrence;
mod rotation;
mod row_bodies;
mod scans;
mod separate;
mod stencil;
mod sweep;
mod turns;
mod walls;
mod window;

use super::scope::{Entry, I64};
use super::{Form, Maker};
use crate::ir::{Atom, Dim, Exp, Type};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, UnOp};

impl Maker {
    /// Some statements of which the later ones use the earlier ones.
    pub(super) fn idiom_statement(&mut self) {
        match self.rng.below(34) {
            0..3 => self.element_of_derived(),
            3..5 => self.derived_twice(),
            5 => self.read_around_update(),
            6 => self.same_operands(),
            7 | 8 => self.by_constant(),
            9 | 10 => self.converted_twice(),
            11 => self.branch_on_comparison(),
            12 => self.rows_of_one(),
            13 => self.built_for_one_place(),
            14 | 15 if self.may_nest() => self.kept_or_changed(),
            16 | 17
                if self.may_nest()
                    && self.form == Form::Soac
                    && !self.derived
                    && self.rng.clone().chance(30) =>
            {
                self.extremes()
            }
            16 | 17 if self.may_nest() => self.array_of_iteration(),
            18 if self.may_nest() => {
                if self.rng.chance(40) && self.form == Form::Kernel {
                    self.rearranged()
                } else {
                    self.read_by_columns()
                }
            }
            19 if self.may_nest() && self.rng.clone().chance(50) => self.separate_iterations(),
            19 if self.may_nest() => self.array_by_iterations(),
            // (here and below read from a copy, so that other programs stay what they are)
            20 | 26 | 27
                if self.may_nest()
                    && self.form == Form::Soac
                    && !self.integers
                    && !self.derived
                    && self.rng.clone().below(3) < 2 =>
            {
                self.sums_by_cell()
            }
            28 | 29
                if self.may_nest()
                    && self.form == Form::Soac
                    && !self.derived
                    && self.rng.clone().below(3) == 0 =>
            {
                self.rotations()
            }
            28 | 29
                if self.may_nest()
                    && self.form == Form::Soac
                    && !self.derived
                    && self.rng.clone().below(3) == 1 =>
            {
                self.sums_of_rows_by_cell()
            }
            20 if self.may_nest() && self.form == Form::Kernel => match self.rng.below(4) {
                0 => self.product_of_rows(),
                1 => self.elimination(),
                2 => self.columns(),
                _ => self.row_bodies(),
            },
            21 | 22 if self.may_nest() => self.stencil(),
            23 if self.may_nest() && self.rng.clone().chance(40) => self.turns(),
            23 if self.may_nest() => self.moving_window(),
            24 if self.may_nest() && !self.derived && self.rng.clone().chance(40) => self.places(),
            24 if self.may_nest() => self.recurrence(),
            25 if self.may_nest() && self.form == Form::Kernel && self.rng.clone().chance(40) => {
                self.swept_matrices()
            }
            25 if self.may_nest() => self.sweep(),
            30 if self.may_nest() && self.form == Form::Kernel && !self.derived && self.ahead(60) => {
                self.scans()
            }
            31 if self.may_nest() && self.form == Form::Kernel && !self.derived && self.ahead(60) => {
                self.row_bodies()
            }
            32 if self.may_nest() && self.form == Form::Soac && !self.derived && self.ahead(60) => {
                self.carried_elements()
            }
            33 if self.may_nest() && self.form == Form::Soac && !self.derived && self.ahead(40) => {
                self.histogram_of_each_row()
            }
            26 | 27 => self.sum_of_counters(),
            28.. if self.may_nest() => self.made_then_read(),
            _ => self.branch_on_comparison(),
        }
    }

    /// True so many times in a hundred; asked of a copy that is ahead, so that what is drawn next does not depend on it.
    fn ahead(&self, percent: usize) -> bool {
        let mut ahead = self.rng.clone();
        ahead.next_u64();
        ahead.chance(percent)
    }

    /// An element of an array that was just made of another, or of nothing.
    fn element_of_derived(&mut self) {
        let Some(entry) = self.a_matrix() else { return };
        let made = match self.rng.below(7) {
            0 => {
                let size = self.any_size();
                let (start, step) = (self.scalar(PrimType::I64), self.scalar(PrimType::I64));
                let ty = Type::Array { shape: vec![size], elem: PrimType::I64 };
                let iota = Exp::Iota { count: size, start, step, elem: PrimType::I64 };
                Entry { var: self.fresh("k", ty.clone(), iota), ty, ..entry }
            }
            1 => {
                let shape = vec![self.some_size(3)];
                let ty = Type::array_of(&shape, &entry.ty);
                let rows = Exp::Replicate { shape, value: Atom::Var(entry.var) };
                if self.cells(&ty).is_none_or(|cells| cells > 64) {
                    return;
                }
                Entry { var: self.fresh("y", ty.clone(), rows), ty, ..entry }
            }
            _ => match self.derived(&entry) {
                Some(made) => made,
                None => return,
            },
        };
        self.element_of(made.var, &made.ty);
    }

    /// An array, if possible of several dimensions: mistakes with one are few.
    fn a_matrix(&mut self) -> Option<Entry> {
        if self.rng.chance(50) {
            return Some(self.numbered());
        }
        let mut arrays = self.scope.arrays();
        if self.rng.chance(70) && arrays.iter().any(|entry| entry.ty.rank() > 1) {
            arrays.retain(|entry| entry.ty.rank() > 1);
        }
        self.choose_entry(&arrays)
    }

    /// A new array whose cells all differ: what goes wrong with indices shows.
    fn numbered(&mut self) -> Entry {
        let sizes: Vec<i64> = (0..1 + self.rng.below(3)).map(|_| 1 + self.rng.below(3) as i64).collect();
        self.numbered_of(&sizes)
    }

    /// The same of these sizes.
    fn numbered_of(&mut self, sizes: &[i64]) -> Entry {
        let count = Atom::i64(sizes.iter().product());
        let flat = Type::Array { shape: vec![count], elem: PrimType::I64 };
        let (start, step) = (self.scalar(PrimType::I64), Atom::i64(1));
        let array = self.fresh("k", flat, Exp::Iota { count, start, step, elem: PrimType::I64 });
        let shape: Vec<Atom> = sizes.iter().copied().map(Atom::i64).collect();
        let ty = Type::Array { shape: shape.clone(), elem: PrimType::I64 };
        let var = self.view("r", ty.clone(), Exp::Reshape { shape, array }, array);
        Entry { var, ty, roots: self.scope.roots_of(Atom::Var(var)) }
    }

    /// How many cells an array of this type has at most.
    fn cells(&self, ty: &Type) -> Option<i64> {
        ty.shape().iter().try_fold(1i64, |cells, size| cells.checked_mul(self.scope.size_max(*size)?))
    }

    /// An array derived from this one, where one can be.
    fn derived(&mut self, entry: &Entry) -> Option<Entry> {
        let before = self.scope.entries.len();
        if self.rng.chance(60) {
            self.layout_of(entry.clone())
        } else {
            self.slice_of(entry.clone())
        }
        // What else has been added are sizes.
        self.scope.entries.get(before..)?.iter().rev().find(|new| new.ty.rank() > 0).cloned()
    }

    /// An array derived from one that was just derived from another; a concatenation with one.
    fn derived_twice(&mut self) {
        let Some(entry) = self.a_matrix() else { return };
        if self.rng.chance(35) {
            self.concat_twice();
        } else if self.rng.chance(20) {
            let mut array = entry.var;
            for _ in 0..2 {
                let dim = self.rng.below(entry.ty.rank());
                array = self.view("b", entry.ty.clone(), Exp::Reverse { dim, array }, array);
            }
        } else if let Some(first) = self.derived(&entry) {
            self.derived(&first);
        }
    }

    /// A concatenation, one of whose parts is one.
    fn concat_twice(&mut self) {
        let first = self.numbered();
        let row = first.ty.peel(1);
        let count = |m: &mut Maker| Atom::i64(1 + m.rng.below(2) as i64);
        let mut whole = (first.var, first.ty.shape()[0]);
        for _ in 0..2 {
            let added = count(self);
            let part = self.fresh_array(&Type::array_of(&[added], &row));
            let total = [whole.1, added].iter().filter_map(|size| size.as_const()?.as_i64()).sum();
            let size = Atom::i64(total);
            let mut arrays = vec![whole.0, part];
            if self.rng.chance(30) {
                arrays.reverse();
            }
            whole = (self.fresh("a", Type::array_of(&[size], &row), Exp::Concat { size, arrays }), size);
        }
    }

    /// An element before and after an update of the array, at the same or other indices.
    fn read_around_update(&mut self) {
        let Some(entry) = self.an_array() else { return };
        let shape = entry.ty.shape().to_vec();
        let elem = Type::Prim(entry.ty.elem());
        let value = self.scalar(entry.ty.elem());
        let (array, filled) = if self.rng.chance(50) {
            let filler = self.scalar(entry.ty.elem());
            (self.fresh("y", entry.ty.clone(), Exp::Replicate { shape: shape.clone(), value: filler }), true)
        } else {
            (self.fresh("y", entry.ty.clone(), Exp::Copy(entry.var)), false)
        };
        let Some(condition) = self.all_positive(&shape) else {
            return self.reads_and_update(array, &entry.ty, value, filled);
        };
        // Where there may be no elements, all of it is in a branch.
        let (then, _) = self.body(self.shared_scope(), |m| {
            let at = m.some_indices(&shape);
            let old = Atom::Var(m.fresh("e", elem.clone(), Exp::Index { array, indices: at.clone() }));
            let dims = at.iter().copied().map(Dim::Fix).collect();
            let own = m.fresh("y", Type::array_of(&shape, &elem), Exp::Copy(array));
            m.scope.consume(&m.scope.roots_of(Atom::Var(own)));
            let after = m.fresh("u", Type::array_of(&shape, &elem), Exp::Update { array: own, dims, value });
            let indices = if m.rng.chance(50) { at } else { m.some_indices(&shape) };
            let new = Atom::Var(m.fresh("e", elem.clone(), Exp::Index { array: after, indices }));
            vec![old, new]
        });
        let default = self.constant(entry.ty.elem());
        let (otherwise, _) = self.body(self.shared_scope(), |_| vec![default, default]);
        self.fresh_all("e", &[elem.clone(), elem], Exp::If { condition, then, otherwise });
    }

    fn reads_and_update(&mut self, array: Var, ty: &Type, value: Atom, filled: bool) {
        let elem = Type::Prim(ty.elem());
        let at = self.indices(ty.shape());
        if !filled {
            self.fresh("e", elem.clone(), Exp::Index { array, indices: at.clone() });
        }
        let roots = self.scope.roots_of(Atom::Var(array));
        self.scope.consume(&roots);
        let dims = at.iter().copied().map(Dim::Fix).collect();
        let after = self.fresh("u", ty.clone(), Exp::Update { array, dims, value });
        let indices = if self.rng.chance(50) { at } else { self.indices(ty.shape()) };
        self.fresh("e", elem, Exp::Index { array: after, indices });
    }

    /// Indices of an array that is known to have elements.
    fn some_indices(&mut self, shape: &[Atom]) -> Vec<Atom> {
        let mut indices = Vec::with_capacity(shape.len());
        for size in shape {
            let any = self.scalar(PrimType::I64);
            let index = Exp::Bin(BinOp::Mod, PrimType::I64, any, *size);
            indices.push(Atom::Var(self.fresh("i", I64, index)));
        }
        indices
    }

    /// Two operations on the same operands, in one order and the other.
    fn same_operands(&mut self) {
        let t = self.prim();
        let (x, y) = (self.scalar(t), self.scalar(t));
        if t.is_float() && self.rng.chance(40) {
            // On numbers the results are known, so often it is none, or infinite.
            let x = if self.rng.chance(50) {
                let dividend = Atom::Const(t.of_i64(self.rng.below(2) as i64));
                let over_zero = Exp::Bin(BinOp::Div, t, dividend, Atom::Const(t.zero()));
                Atom::Var(self.fresh("far", Type::Prim(t), over_zero))
            } else {
                x
            };
            let (op, right) = match self.rng.below(3) {
                0 => (BinOp::Sub, x),
                1 => (BinOp::Div, x),
                _ => (BinOp::Mul, Atom::Const(t.zero())),
            };
            self.fresh(op.name(), Type::Prim(t), Exp::Bin(op, t, x, right));
            return;
        }
        if self.rng.chance(50) {
            let ops = [BinOp::Sub, BinOp::Shl, BinOp::Shr, BinOp::Lt, BinOp::Le, BinOp::Min, BinOp::Add];
            let op = *self.rng.pick(&ops).unwrap_or(&BinOp::Add);
            if let Some(result) = op.result_type(t).filter(|_| !op.can_fail(t)) {
                self.fresh(op.name(), Type::Prim(result), Exp::Bin(op, t, x, y));
                self.fresh(op.name(), Type::Prim(result), Exp::Bin(op, t, y, x));
            }
            return;
        }
        let ops = [UnOp::Neg, UnOp::Not, UnOp::Abs, UnOp::Sgn, UnOp::Sqrt, UnOp::Floor, UnOp::Ceil];
        for _ in 0..2 {
            let op = *self.rng.pick(&ops).unwrap_or(&UnOp::Neg);
            if let Some(result) = op.result_type(t) {
                self.fresh(op.name(), Type::Prim(result), Exp::Un(op, t, x));
            }
        }
    }

    /// A division, modulus or shift by a constant, powers of two and shifts by more than the width among them.
    fn by_constant(&mut self) {
        let ints: Vec<PrimType> = PrimType::NUMERIC_AND_BOOL.iter().copied().filter(|t| t.is_int()).collect();
        let t = if self.integers { PrimType::I64 } else { *self.rng.pick(&ints).unwrap_or(&PrimType::I64) };
        let ops =
            [BinOp::Div, BinOp::Div, BinOp::Mod, BinOp::Quot, BinOp::Rem, BinOp::Shl, BinOp::Shr, BinOp::Mul];
        let op = *self.rng.pick(&ops).unwrap_or(&BinOp::Div);
        // Neither 0 nor -1: neither can fail.
        let n = match self.rng.below(3) {
            0 => 2 << self.rng.below(6),
            1 if matches!(op, BinOp::Shl | BinOp::Shr) => i64::from(t.bits()) + self.rng.below(3) as i64 - 1,
            _ => 2 + self.rng.below(60) as i64,
        };
        let mut x = self.scalar(t);
        if self.rng.chance(50) {
            // most numbers are not negative
            x = Atom::Var(self.fresh("not", Type::Prim(t), Exp::Un(UnOp::Not, t, x)));
        }
        let n = Atom::Const(t.of_i64(n));
        self.fresh(op.name(), Type::Prim(t), Exp::Bin(op, t, x, n));
    }

    /// A conversion of a conversion; the first may lose something. From small integers floats get zeros, which have signs.
    fn converted_twice(&mut self) {
        if self.integers {
            return;
        }
        let (from, over) = (self.prim(), self.prim());
        let to = if self.rng.chance(50) { from } else { self.prim() };
        let value = self.scalar(from);
        let middle = self.fresh("c", Type::Prim(over), Exp::Convert { to: over, from, value });
        if over.is_float() && self.rng.chance(50) {
            // Only division tells the zeros apart.
            let negated = self.fresh("neg", Type::Prim(over), Exp::Un(UnOp::Neg, over, Atom::Var(middle)));
            let one = Atom::Const(over.of_i64(1));
            self.fresh("div", Type::Prim(over), Exp::Bin(BinOp::Div, over, one, Atom::Var(negated)));
            return;
        }
        self.fresh("c", Type::Prim(to), Exp::Convert { to, from: over, value: Atom::Var(middle) });
    }

    /// A loop whose parameter stays what it is in one arm of a branch.
    fn kept_or_changed(&mut self) {
        let elem = self.prim();
        let ty = Type::Prim(elem);
        let init = self.value(&ty);
        let bound = if self.rng.chance(50) { Atom::i64(3) } else { self.some_size(4) };
        self.fold(elem, init, bound, &mut |m, kept, _| {
            m.scalar_statement();
            // Often what decides, or what it becomes, depends on what it is.
            let other = m.value(&ty);
            let less = Exp::Bin(BinOp::Lt, elem, kept, other);
            let condition = if m.rng.chance(50) && BinOp::Lt.result_type(elem).is_some() {
                Atom::Var(m.fresh("t", Type::Prim(PrimType::Bool), less))
            } else {
                m.scalar(PrimType::Bool)
            };
            let changed = if m.rng.chance(50) { m.combined(elem, kept, other) } else { m.value(&ty) };
            let arms = if m.rng.chance(50) { [changed, kept] } else { [kept, changed] };
            let [then, otherwise] = arms.map(|result| m.body(m.shared_scope(), |_| vec![result]).0);
            Atom::Var(m.fresh("x", ty.clone(), Exp::If { condition, then, otherwise }))
        });
    }

    /// One of two scalars by a comparison of others.
    fn branch_on_comparison(&mut self) {
        let (t, given) = (self.prim(), self.prim());
        let ops = [BinOp::Lt, BinOp::Le, BinOp::Gt, BinOp::Ge, BinOp::Eq, BinOp::Ne];
        let op = *self.rng.pick(&ops).unwrap_or(&BinOp::Lt);
        if op.result_type(t).is_none() {
            return;
        }
        let (x, mut y) = (self.scalar(t), self.scalar(t));
        if t.is_float() && self.rng.chance(40) {
            // often no number
            y = Atom::Var(self.fresh("sqrt", Type::Prim(t), Exp::Un(UnOp::Sqrt, t, y)));
        }
        let condition = Atom::Var(self.fresh("t", Type::Prim(PrimType::Bool), Exp::Bin(op, t, x, y)));
        let (then, _) = self.body(self.shared_scope(), |m| vec![m.scalar(given)]);
        let (otherwise, _) = self.body(self.shared_scope(), |m| vec![m.constant(given)]);
        self.fresh("x", Type::Prim(given), Exp::If { condition, then, otherwise });
    }
}
