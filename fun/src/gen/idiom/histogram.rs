//! Histograms of sums of floats, which are exact, of rows, and one for each row.

use super::super::Maker;
use super::super::scope::Roots;
use crate::ir::{Atom, Exp, Type};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};

impl Maker {
    /// Small whole numbers are summed by cell, so that the order of sums does not show; some belong to no cell, and several to most.
    pub(super) fn sums_by_cell(&mut self) {
        let elem = *self.rng.pick(&[PrimType::F16, PrimType::F32, PrimType::F64]).unwrap_or(&PrimType::F32);
        let scalar = Type::Prim(elem);
        let mut decide = self.rng.clone();
        let (width, size) = (Atom::i64(4 + self.rng.below(12) as i64), self.some_size(9));
        // (mostly more or fewer than threads have tables for in shared memory; what was drawn above keeps other programs as they were)
        let size = if decide.chance(70) { Atom::i64(3 + decide.below(6) as i64) } else { size };
        let cells = Type::Array { shape: vec![size], elem };
        let first = Exp::Replicate { shape: vec![size], value: Atom::Const(elem.of_i64(3)) };
        let dest = self.fresh("v", cells.clone(), first);
        let op = self.scalar_lambda(&[elem], |m, left, right| {
            let sum = Exp::Bin(BinOp::Add, elem, left[0].into(), right[0].into());
            vec![m.fresh("z", scalar.clone(), sum).into()]
        });
        let step = Atom::i64(1 + self.rng.below(9) as i64);
        let range = Atom::i64(if self.rng.chance(50) { 3 } else { 7 });
        let given = self.rng.chance(25);
        let int = Type::Prim(PrimType::I64);
        let row = |elem| Type::Array { shape: vec![width], elem };
        let iota = Exp::Iota { count: width, start: Atom::i64(0), step: Atom::i64(1), elem: PrimType::I64 };
        let counters = self.fresh("k", row(PrimType::I64), iota);
        // neighbours in one cell, by a divisor that is not known
        let divisor = decide.chance(30).then(|| {
            let any = self.scalar(PrimType::I64);
            let mut bin = |op, x, y| self.fresh("z", int.clone(), Exp::Bin(op, PrimType::I64, x, y)).into();
            let low: Atom = bin(BinOp::And, any, Atom::i64(3));
            let divisor: Atom = bin(BinOp::Add, low, Atom::i64(1));
            divisor
        });
        let lambda =
            self.lambda(&[(int.clone(), Roots::new())], &[int.clone(), scalar.clone()], |m, params| {
                let mut bin = |op, x, y| m.fresh("x", int.clone(), Exp::Bin(op, PrimType::I64, x, y)).into();
                let scaled: Atom = bin(BinOp::Mul, params[0].into(), step);
                let small: Atom = bin(BinOp::And, scaled, Atom::i64(15));
                let scaled = match divisor {
                    Some(divisor) => bin(BinOp::Quot, params[0].into(), divisor),
                    None => scaled,
                };
                let turned: Atom = bin(BinOp::Xor, scaled, Atom::i64(5));
                let place: Atom = bin(BinOp::And, turned, range);
                let place: Atom = bin(BinOp::Sub, place, Atom::i64(1));
                let index = if given { m.scalar(PrimType::I64) } else { place };
                let value = Exp::Convert { to: elem, from: PrimType::I64, value: small };
                vec![index, m.fresh("x", scalar.clone(), value).into()]
            });
        let map = Exp::Map { width, lambda, arrays: vec![counters] };
        let [indices, values] = self.fresh_all("m", &[row(PrimType::I64), row(elem)], map)[..] else {
            return;
        };
        let neutral = vec![Atom::Const(elem.of_i64(0))];
        let roots = self.scope.roots_of(Atom::Var(dest));
        self.scope.consume(&roots);
        let exp = Exp::Hist { width, op, neutral, dests: vec![dest], indices, values: vec![values] };
        self.fresh("h", cells, exp);
    }

    /// Rows of integers are summed by cell, of an array that is there, or small whole floats of them; some belong to no cell.
    pub(super) fn sums_of_rows_by_cell(&mut self) {
        let mut arrays = self.scope.arrays();
        arrays.retain(|entry| entry.ty.rank() > 1 && entry.ty.elem().is_int());
        let Some(entry) = self.choose_entry(&arrays) else { return };
        let width = entry.ty.shape()[0];
        let mut decide = self.rng.clone();
        let (values, elem) = match decide.chance(50) {
            true => {
                let elem = *decide.pick(&[PrimType::F16, PrimType::F32]).unwrap_or(&PrimType::F32);
                (self.small_floats(&entry.ty, entry.var, elem), elem)
            }
            false => (entry.var, entry.ty.elem()),
        };
        let row = Type::Array { shape: entry.ty.shape()[1..].to_vec(), elem };
        let size = self.some_size(4);
        // (shared memory has room for the tables of so few)
        let size = if decide.chance(50) { Atom::i64(1 + decide.below(2) as i64) } else { size };
        let cells = Type::Array { shape: [size].iter().chain(row.shape()).copied().collect(), elem };
        let filled = |m: &mut Maker, ty: &Type, value| {
            let value = Atom::Const(elem.of_i64(value));
            m.fresh("v", ty.clone(), Exp::Replicate { shape: ty.shape().to_vec(), value })
        };
        let dest = filled(self, &cells, 3);
        let neutral = filled(self, &row, 0);
        let int = Type::Prim(PrimType::I64);
        let indices = Type::Array { shape: vec![width], elem: PrimType::I64 };
        let iota = Exp::Iota { count: width, start: Atom::i64(0), step: Atom::i64(1), elem: PrimType::I64 };
        let counters = self.fresh("k", indices.clone(), iota);
        let turn = Atom::i64(self.rng.below(8) as i64);
        let lambda = self.lambda(&[(int.clone(), Roots::new())], std::slice::from_ref(&int), |m, params| {
            let mut bin = |op, x, y| m.fresh("x", int.clone(), Exp::Bin(op, PrimType::I64, x, y)).into();
            let turned: Atom = bin(BinOp::Xor, params[0].into(), turn);
            let place: Atom = bin(BinOp::And, turned, Atom::i64(3));
            vec![bin(BinOp::Sub, place, Atom::i64(1))]
        });
        let indices = self.fresh("m", indices, Exp::Map { width, lambda, arrays: vec![counters] });
        let sides = [(row.clone(), Roots::new()), (row.clone(), Roots::new())];
        let op =
            self.lambda(&sides, std::slice::from_ref(&row), |m, rows| vec![m.sum_of_rows(&row, rows).into()]);
        let roots = self.scope.roots_of(Atom::Var(dest));
        self.scope.consume(&roots);
        let (neutral, values) = (vec![neutral.into()], vec![values]);
        self.fresh("h", cells, Exp::Hist { width, op, neutral, dests: vec![dest], indices, values });
    }

    /// Each row of a matrix of integers is counted or summed by cell, by its lowest bits; some elements belong to no cell.
    pub(super) fn histogram_of_each_row(&mut self) {
        let shape = [0; 2].map(|_| if self.rng.chance(70) { self.computed_size(4) } else { self.any_size() });
        let (elem, size) = (self.any_int(), self.some_size(4));
        let matrix = self.fresh_array(&Type::Array { shape: shape.to_vec(), elem });
        let of = |size: Atom, elem: PrimType| Type::Array { shape: vec![size], elem };
        let (row, cells, width) = (of(shape[1], elem), of(size, elem), shape[1]);
        let counts = self.rng.chance(50);
        let lambda = self.lambda(&[(row, Roots::new())], std::slice::from_ref(&cells), |m, rows| {
            let value = Atom::Const(elem.of_i64(m.rng.below(3) as i64));
            let dest = m.fresh("v", cells.clone(), Exp::Replicate { shape: vec![size], value });
            let int = Type::Prim(PrimType::I64);
            let bits =
                m.lambda(&[(Type::Prim(elem), Roots::new())], std::slice::from_ref(&int), |m, params| {
                    let three = Atom::Const(elem.of_i64(3));
                    let low =
                        m.fresh("x", Type::Prim(elem), Exp::Bin(BinOp::And, elem, params[0].into(), three));
                    let wide = Exp::Convert { to: PrimType::I64, from: elem, value: low.into() };
                    let wide = m.fresh("x", int.clone(), wide);
                    let place = Exp::Bin(BinOp::Sub, PrimType::I64, wide.into(), Atom::i64(1));
                    vec![m.fresh("x", int.clone(), place).into()]
                });
            let exp = Exp::Map { width, lambda: bits, arrays: vec![rows[0]] };
            let indices = m.fresh("m", of(width, PrimType::I64), exp);
            let one = Exp::Replicate { shape: vec![width], value: Atom::Const(elem.of_i64(1)) };
            let values = if counts { m.fresh("v", of(width, elem), one) } else { rows[0] };
            let op = m.scalar_lambda(&[elem], |m, left, right| {
                let sum = Exp::Bin(BinOp::Add, elem, left[0].into(), right[0].into());
                vec![m.fresh("z", Type::Prim(elem), sum).into()]
            });
            let (neutral, values) = (vec![Atom::Const(elem.of_i64(0))], vec![values]);
            let exp = Exp::Hist { width, op, neutral, dests: vec![dest], indices, values };
            vec![m.fresh("h", cells.clone(), exp).into()]
        });
        let ty = Type::Array { shape: vec![shape[0], size], elem };
        self.fresh("hs", ty, Exp::Map { width: shape[0], lambda, arrays: vec![matrix] });
    }

    /// The lowest bits of the integers of an array of this type, or of one, as floats.
    fn small_floats(&mut self, ty: &Type, of: Var, elem: PrimType) -> Var {
        if let Type::Prim(int) = ty {
            let (three, scalar) = (Atom::Const(int.of_i64(3)), Type::Prim(elem));
            let low = self.fresh("x", ty.clone(), Exp::Bin(BinOp::And, *int, of.into(), three));
            return self.fresh("x", scalar, Exp::Convert { to: elem, from: *int, value: low.into() });
        }
        let element = ty.peel(1);
        let result = Type::array_of(element.shape(), &Type::Prim(elem));
        let lambda =
            self.lambda(&[(element.clone(), Roots::new())], std::slice::from_ref(&result), |m, rows| {
                vec![m.small_floats(&element, rows[0], elem).into()]
            });
        let exp = Exp::Map { width: ty.shape()[0], lambda, arrays: vec![of] };
        self.fresh("m", Type::Array { shape: ty.shape().to_vec(), elem }, exp)
    }

    /// The sum of two arrays of this type, or of two numbers.
    fn sum_of_rows(&mut self, ty: &Type, rows: &[Var]) -> Var {
        if let Type::Prim(elem) = ty {
            return self.fresh("z", ty.clone(), Exp::Bin(BinOp::Add, *elem, rows[0].into(), rows[1].into()));
        }
        let element = ty.peel(1);
        let params = [(element.clone(), Roots::new()), (element.clone(), Roots::new())];
        let lambda = self.lambda(&params, std::slice::from_ref(&element), |m, rows| {
            vec![m.sum_of_rows(&element, rows).into()]
        });
        let exp = Exp::Map { width: ty.shape()[0], lambda, arrays: rows.to_vec() };
        self.fresh("m", ty.clone(), exp)
    }
}
