//! Flat slices and updates: the elements of an array at an offset and so many steps from there in each of several dimensions.

use super::index::TRUE;
use super::value::{Ty, Value, ValueTy};
use super::{Lowerer, Outcome};
use fun::ir::{self, Atom, Dim, FlatDim, LoopParam};
use fun_base::prim::{BinOp, PrimType, UnOp};

const ZERO: Atom = Atom::i64(0);
const ONE: Atom = Atom::i64(1);

/// More elements than any array has: four times as many fit into an i64.
const FAR: i64 = 1 << 59;

impl<'t> Lowerer<'t> {
    /// `flat_index array offset n1 s1 n2 s2 …`.
    pub(super) fn flat_index(
        &mut self,
        array: &Value<'t>,
        offset: &Value<'t>,
        dims: &[Value<'t>],
    ) -> Outcome<Value<'t>> {
        let offset = self.scalar(offset)?;
        let mut flat = Vec::with_capacity(dims.len() / 2);
        for dim in dims.chunks_exact(2) {
            flat.push(FlatDim { count: self.scalar(&dim[0])?, stride: self.scalar(&dim[1])? });
        }
        let (size, element) = self.rows(array)?;
        self.check_flat_bounds(offset, &flat, size);
        let ty = flat.iter().rev().fold(element, |row, dim| Ty::array(dim.count, row));
        self.select_leaves(array, &[Dim::Flat { offset, dims: flat }], ty)
    }

    /// `flat_update array offset s1 s2 … value`.
    pub(super) fn flat_update(
        &mut self,
        array: &Value<'t>,
        offset: &Value<'t>,
        strides: &[Value<'t>],
        value: &Value<'t>,
    ) -> Outcome<Value<'t>> {
        let offset = self.scalar(offset)?;
        let mut flat = Vec::with_capacity(strides.len());
        let mut part: ValueTy = value.ty.clone();
        for stride in strides {
            let Ty::Array(count, row) = &part else {
                return Err(self.inconsistent("an array was expected"));
            };
            flat.push(FlatDim { count: *count, stride: self.scalar(stride)? });
            part = (**row).clone();
        }
        let (size, _) = self.rows(array)?;
        self.check_flat_bounds(offset, &flat, size);
        let overlaps = |(k, dim): (usize, &FlatDim)| {
            dim.stride == ZERO || flat[..k].iter().any(|before| before.stride == dim.stride)
        };
        if flat.iter().enumerate().any(overlaps) {
            return self.flat_update_in_order(array.clone(), offset, &flat, value);
        }
        self.check_flat_apart(&flat);
        self.update_part(array, &[Dim::Flat { offset, dims: flat }], value)
    }

    /// The same element by element: where several elements get one place, as their strides show, the last one stays.
    fn flat_update_in_order(
        &mut self,
        array: Value<'t>,
        offset: Atom,
        flat: &[FlatDim],
        value: &Value<'t>,
    ) -> Outcome<Value<'t>> {
        let Some((FlatDim { count, stride }, rest)) = flat.split_first() else {
            return self.update_part(&array, &[Dim::Fix(offset)], value);
        };
        self.open();
        let binders = self.binders("part", &array.ty);
        let var = self.fresh("i");
        self.facts.counts(var, *count);
        let so_far = Value::of_atoms(array.ty.clone(), binders.iter().map(|binder| binder.var.into()));
        let row = self.element(value, var.into())?;
        let steps = self.bin(BinOp::Mul, PrimType::I64, var.into(), *stride);
        let at = self.bin(BinOp::Add, PrimType::I64, offset, steps);
        let next = self.flat_update_in_order(so_far, at, rest, &row)?;
        let body = self.close_body(next.atoms());
        let params = binders.into_iter().zip(array.atoms()).map(|(binder, init)| LoopParam { binder, init });
        let params = params.collect();
        let pattern = self.binders("part", &array.ty);
        let result = Value::of_atoms(array.ty, pattern.iter().map(|binder| binder.var.into()));
        let form = ir::LoopForm::For { var, ty: PrimType::I64, bound: *count };
        self.bind(pattern, ir::Exp::Loop { params, form, body });
        Ok(result)
    }

    /// Checks that all elements are inside an array of this size: that there are none, or that the lowest and the highest are.
    fn check_flat_bounds(&mut self, offset: Atom, flat: &[FlatDim], size: Atom) {
        if !self.safe {
            return;
        }
        let i64_ = PrimType::I64;
        let (mut natural, mut inside) = (TRUE, TRUE);
        let (mut low, mut high) = (offset, offset);
        for FlatDim { count, stride } in flat {
            let ok = self.bin(BinOp::Le, i64_, ZERO, *count);
            natural = self.and(natural, ok);
            let most = self.bin(BinOp::Sub, i64_, *count, ONE);
            let short = self.is_short(most, *stride);
            inside = self.and(inside, short);
            let reach = self.bin(BinOp::Mul, i64_, most, *stride);
            let down = self.bin(BinOp::Min, i64_, reach, ZERO);
            low = self.bin(BinOp::Add, i64_, low, down);
            let up = self.bin(BinOp::Max, i64_, reach, ZERO);
            high = self.bin(BinOp::Add, i64_, high, up);
        }
        // The sums may have overflowed, but not twice. (That the first element is inside follows; it helps who shows that nothing wraps.)
        let first = self.in_bounds(offset, size);
        inside = self.and(inside, first);
        let order = [
            (BinOp::Le, ZERO, low),
            (BinOp::Le, low, offset),
            (BinOp::Le, offset, high),
            (BinOp::Lt, high, size),
        ];
        for (op, left, right) in order {
            let ok = self.bin(op, i64_, left, right);
            inside = self.and(inside, ok);
        }
        for dim in flat {
            let empty = self.bin(BinOp::Eq, i64_, dim.count, ZERO);
            inside = self.or(empty, inside);
        }
        let inside = self.and(natural, inside);
        let dims = "({} : {})".repeat(flat.len());
        let message = format!("Flat slice {{}} + {{{dims}}} out of bounds for array of shape [{{}}]");
        let parts = flat.iter().flat_map(|dim| [dim.count, dim.stride]);
        self.check_with(inside, message, [offset].into_iter().chain(parts).chain([size]).collect());
    }

    /// Whether a step, and so many of them, lead at most [`FAR`] away.
    fn is_short(&mut self, steps: Atom, stride: Atom) -> Atom {
        let i64_ = PrimType::I64;
        let back = self.bin(BinOp::Sub, i64_, ZERO, stride);
        let length = self.bin(BinOp::Max, i64_, stride, back);
        let length = self.bin(BinOp::Max, i64_, length, ONE);
        let most = self.bin(BinOp::Quot, i64_, Atom::i64(FAR), length);
        let mut short = self.bin(BinOp::Le, i64_, steps, most);
        // (the least i64 has no opposite)
        for (low, high) in [(Atom::i64(-FAR), stride), (stride, Atom::i64(FAR))] {
            let ok = self.bin(BinOp::Le, i64_, low, high);
            short = self.and(short, ok);
        }
        short
    }

    /// Checks that no two indices are one element: by rising strides, each step leads behind all that those before it reach.
    fn check_flat_apart(&mut self, flat: &[FlatDim]) {
        if !self.safe {
            return;
        }
        let i64_ = PrimType::I64;
        let strides: Vec<Atom> = flat.iter().map(|dim| self.un(UnOp::Abs, i64_, dim.stride)).collect();
        let mut apart = TRUE;
        for (k, dim) in flat.iter().enumerate() {
            let mut reach = ZERO;
            for (j, other) in flat.iter().enumerate().filter(|(j, _)| *j != k) {
                let op = if j > k { BinOp::Le } else { BinOp::Lt };
                let before = self.bin(op, i64_, strides[j], strides[k]);
                let most = self.bin(BinOp::Sub, i64_, other.count, ONE);
                let step = self.bin(BinOp::Mul, i64_, most, strides[j]);
                let step = self.choose(i64_, before, step, ZERO);
                reach = self.bin(BinOp::Add, i64_, reach, step);
            }
            let behind = self.bin(BinOp::Lt, i64_, reach, strides[k]);
            let single = self.bin(BinOp::Le, i64_, dim.count, ONE);
            let ok = self.or(single, behind);
            apart = self.and(apart, ok);
        }
        for dim in flat {
            let empty = self.bin(BinOp::Eq, i64_, dim.count, ZERO);
            apart = self.or(empty, apart);
        }
        let dims = "({} : {})".repeat(flat.len());
        let message = format!("Flat update {{{dims}}} may write an element twice");
        let parts = flat.iter().flat_map(|dim| [dim.count, dim.stride]);
        self.check_with(apart, message, parts.collect());
    }
}
