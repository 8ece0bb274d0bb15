//! Indexing, slicing and updates, with their bounds checks.

use super::value::{Env, Ty, Value, ValueTy};
use super::{Copies, Lowerer, Outcome};
use crate::typed::{DimIndex, Exp};
use fun::ir::{self, Atom, Dim};
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp};

/// Dimensions to select, and the type of what is selected.
struct Selection {
    dims: Vec<Dim>,
    ty: ValueTy,
    /// Whether all of it is inside the array.
    inside: Atom,
    /// What to say if it is not, and the numbers for that.
    message: String,
    numbers: Vec<Atom>,
}

/// A [`DimIndex`] with its parts evaluated.
enum Index {
    Fix(Atom),
    Slice { start: Option<Atom>, end: Option<Atom>, stride: Option<Atom> },
}

impl Index {
    /// Its text with `{}` for each number.
    fn describe(&self, numbers: &mut Vec<Atom>) -> String {
        match self {
            Index::Fix(index) => {
                numbers.push(*index);
                "{}".to_owned()
            }
            Index::Slice { start, end, stride } => {
                let mut part = |part: &Option<Atom>| {
                    numbers.extend(part);
                    if part.is_some() { "{}" } else { "" }
                };
                let mut text = format!("{}:{}", part(start), part(end));
                if stride.is_some() {
                    text = format!("{text}:{}", part(stride));
                }
                text
            }
        }
    }
}

pub(super) const TRUE: Atom = Atom::Const(PrimValue::Bool(true));

impl<'t> Lowerer<'t> {
    /// `value[indices]`.
    pub(super) fn lower_index(
        &mut self,
        env: &mut Env<'t>,
        value: Value<'t>,
        indices: &'t [DimIndex],
    ) -> Outcome<Value<'t>> {
        let indices = self.lower_indices(env, indices)?;
        let selection = self.select(&value.ty, indices)?;
        self.check_with(selection.inside, selection.message, selection.numbers);
        self.select_leaves(&value, &selection.dims, selection.ty)
    }

    /// The element at `index` of an array, which must be in bounds.
    pub(super) fn element(&mut self, array: &Value<'t>, index: Atom) -> Outcome<Value<'t>> {
        let (_, element) = self.rows(array)?;
        self.select_leaves(array, &[Dim::Fix(index)], element)
    }

    /// The part of an array that `count` rows from `offset` in steps of `stride` make up.
    pub(super) fn part(
        &mut self,
        array: &Value<'t>,
        offset: Atom,
        count: Atom,
        stride: Atom,
    ) -> Outcome<Value<'t>> {
        let (_, element) = self.rows(array)?;
        self.select_leaves(array, &[Dim::Range { offset, count, stride }], Ty::array(count, element))
    }

    /// `array with [indices] = value`.
    pub(super) fn lower_update(
        &mut self,
        env: &mut Env<'t>,
        array: &'t Exp,
        indices: &'t [DimIndex],
        value: &'t Exp,
    ) -> Outcome<Value<'t>> {
        let mut array = self.lower_exp(env, array)?;
        if self.copies >= Copies::Updated {
            array = self.copy(&array)?;
        }
        let indices = self.lower_indices(env, indices)?;
        let value = self.lower_exp(env, value)?;
        self.update(array, indices, value)
    }

    fn update(&mut self, array: Value<'t>, indices: Vec<Index>, value: Value<'t>) -> Outcome<Value<'t>> {
        let selection = self.select(&array.ty, indices)?;
        self.check_with(selection.inside, selection.message, selection.numbers);
        let value = self.coerce(value, &selection.ty, "Shape of slice does not match shape of value")?;
        self.update_part(&array, &selection.dims, &value)
    }

    /// The array with this value in a part of it.
    pub(super) fn update_part(
        &mut self,
        array: &Value<'t>,
        dims: &[Dim],
        value: &Value<'t>,
    ) -> Outcome<Value<'t>> {
        let mut parts = value.atoms().into_iter();
        self.each_leaf(array, array.ty.clone(), |this, atom, ty, _| {
            let Some(value) = parts.next() else {
                return Err(this.inconsistent("components missing in an update"));
            };
            let array = this.array(atom)?;
            let exp = ir::Exp::Update { array, dims: complete(dims, ty), value };
            Ok(this.emit(array.text.as_str(), ty.clone(), exp).into())
        })
    }

    pub(super) fn select_leaves(
        &mut self,
        value: &Value<'t>,
        dims: &[Dim],
        ty: ValueTy,
    ) -> Outcome<Value<'t>> {
        self.each_leaf(value, ty, |this, atom, from, to| {
            let array = this.array(atom)?;
            let dims = complete(dims, from);
            if to.rank() > 0 {
                if dims.iter().zip(from.shape()).all(|(dim, size)| *dim == Self::whole(*size)) {
                    return Ok(atom);
                }
                return Ok(this.emit("slice", to.clone(), ir::Exp::Slice { array, dims }).into());
            }
            let indices =
                dims.iter().filter_map(|dim| if let Dim::Fix(index) = dim { Some(*index) } else { None });
            let exp = ir::Exp::Index { array, indices: indices.collect() };
            Ok(this.emit("elem", to.clone(), exp).into())
        })
    }

    /// Evaluates what stands between the brackets.
    fn lower_indices(&mut self, env: &mut Env<'t>, indices: &'t [DimIndex]) -> Outcome<Vec<Index>> {
        let lower = |this: &mut Self, env: &mut Env<'t>, part: &'t Option<Exp>| {
            part.as_ref().map(|part| this.lower_scalar(env, part)).transpose()
        };
        let mut lowered = Vec::with_capacity(indices.len());
        for index in indices {
            lowered.push(match index {
                DimIndex::Fix(index) => Index::Fix(self.lower_scalar(env, index)?),
                DimIndex::Slice { start, end, stride } => {
                    let start = lower(self, env, start)?;
                    let end = lower(self, env, end)?;
                    Index::Slice { start, end, stride: lower(self, env, stride)? }
                }
            });
        }
        Ok(lowered)
    }

    /// What indices select of an array, outermost first.
    fn select(&mut self, ty: &ValueTy, indices: Vec<Index>) -> Outcome<Selection> {
        let mut dims = Vec::with_capacity(indices.len());
        let mut inside = TRUE;
        let mut counts = Vec::new();
        let (mut parts, mut numbers, mut shape) = (Vec::new(), Vec::new(), Vec::new());
        let mut rest = ty;
        for index in indices {
            let Ty::Array(size, element) = rest else {
                return Err(self.inconsistent("an array was expected"));
            };
            shape.push(*size);
            parts.push(index.describe(&mut numbers));
            match index {
                Index::Fix(index) => {
                    let ok = self.in_bounds(index, *size);
                    inside = self.and(inside, ok);
                    dims.push(Dim::Fix(index));
                    counts.push(None);
                }
                Index::Slice { start, end, stride } => {
                    let (offset, count, stride, ok) = self.slice(*size, start, end, stride)?;
                    inside = self.and(inside, ok);
                    dims.push(Dim::Range { offset, count, stride });
                    counts.push(Some(count));
                }
            }
            rest = element;
        }
        numbers.extend(&shape);
        let shape = "[{}]".repeat(shape.len());
        let message = format!("Index [{}] out of bounds for array of shape {shape}", parts.join(", "));
        let ty = counts.into_iter().rev().flatten().fold(rest.clone(), |ty, count| Ty::array(count, ty));
        Ok(Selection { dims, ty, inside, message, numbers })
    }

    /// `0 <= index < size`.
    pub(super) fn in_bounds(&mut self, index: Atom, size: Atom) -> Atom {
        if !self.safe {
            return TRUE;
        }
        let low = self.bin(BinOp::Le, PrimType::I64, Atom::i64(0), index);
        let high = self.bin(BinOp::Lt, PrimType::I64, index, size);
        self.and(low, high)
    }

    /// Offset, count and stride of a slice, and whether it is inside.
    fn slice(
        &mut self,
        size: Atom,
        start: Option<Atom>,
        end: Option<Atom>,
        stride: Option<Atom>,
    ) -> Outcome<(Atom, Atom, Atom, Atom)> {
        let (zero, one) = (Atom::i64(0), Atom::i64(1));
        let stride = stride.unwrap_or(one);
        if stride == one {
            let from = start.unwrap_or(zero);
            let to = end.unwrap_or(size);
            let count = self.size_op(BinOp::Sub, to, from);
            let empty = self.bin(BinOp::Eq, PrimType::I64, from, to);
            let low = self.bin(BinOp::Le, PrimType::I64, zero, from);
            let order = self.bin(BinOp::Le, PrimType::I64, from, to);
            let high = self.bin(BinOp::Le, PrimType::I64, to, size);
            let ok = self.and(low, order);
            let ok = self.and(ok, high);
            // With a default on one side, an empty slice is inside when it is in order.
            let ok = if start.is_none() || end.is_none() { ok } else { self.or(empty, ok) };
            // The caller checks `ok`, so the count is not negative; noted only now, lest the check be folded by its own outcome.
            if let (Atom::Var(var), true) = (count, self.safe) {
                self.facts.natural(var);
            }
            return Ok((from, count, one, ok));
        }
        let last = self.size_op(BinOp::Sub, size, one);
        let backwards = self.bin(BinOp::Lt, PrimType::I64, stride, zero);
        let from = match start {
            Some(start) => start,
            None => self.choose(PrimType::I64, backwards, last, zero),
        };
        let to = match end {
            Some(end) => end,
            None => self.choose(PrimType::I64, backwards, Atom::i64(-1), size),
        };
        if stride == Atom::i64(-1) && start.is_none() && end.is_none() {
            return Ok((last, size, stride, TRUE));
        }
        // count = (to - from + stride - sign stride) quot stride
        // A stride of zero is outside, too; what is computed before that is said must not divide by it.
        let nonzero = self.bin(BinOp::Ne, PrimType::I64, stride, zero);
        let stride = self.choose(PrimType::I64, nonzero, stride, one);
        let distance = self.size_op(BinOp::Sub, to, from);
        let sign = self.un(UnOp::Sgn, PrimType::I64, stride);
        let slack = self.size_op(BinOp::Sub, stride, sign);
        let distance = self.size_op(BinOp::Add, distance, slack);
        let count = self.size_op(BinOp::Quot, distance, stride);
        let empty = self.bin(BinOp::Eq, PrimType::I64, from, to);
        let steps = self.size_op(BinOp::Sub, count, one);
        let reach = self.size_op(BinOp::Mul, steps, stride);
        let end = self.size_op(BinOp::Add, from, reach);
        let low = self.bin(BinOp::Le, PrimType::I64, zero, end);
        let high = self.bin(BinOp::Lt, PrimType::I64, end, size);
        let end_inside = self.and(low, high);
        let start_inside = self.in_bounds(from, size);
        let positive = self.bin(BinOp::Gt, PrimType::I64, count, zero);
        let ok = self.and(end_inside, start_inside);
        let ok = self.and(ok, positive);
        let ok = self.or(empty, ok);
        let ok = self.and(nonzero, ok);
        Ok((from, count, stride, ok))
    }

    /// One of two scalars.
    pub(super) fn choose(&mut self, prim: PrimType, condition: Atom, then: Atom, otherwise: Atom) -> Atom {
        match condition {
            Atom::Const(PrimValue::Bool(true)) => return then,
            Atom::Const(_) => return otherwise,
            Atom::Var(_) if then == otherwise => return then,
            Atom::Var(_) => {}
        }
        let branch = |atom| ir::Body { statements: Vec::new(), results: vec![atom] };
        let exp = ir::Exp::If { condition, then: branch(then), otherwise: branch(otherwise) };
        self.emit("x", ir::Type::Prim(prim), exp).into()
    }

    /// Outer size and type of the elements of an array.
    pub(super) fn rows(&self, array: &Value<'t>) -> Outcome<(Atom, ValueTy)> {
        match &array.ty {
            Ty::Array(size, element) => Ok((*size, (**element).clone())),
            Ty::Prim(_) | Ty::Record(_) | Ty::Sum(_) | Ty::Function => {
                Err(self.inconsistent("an array was expected"))
            }
        }
    }
}

/// The dimensions for a leaf: those of its elements are taken whole.
pub(super) fn complete(dims: &[Dim], ty: &ir::Type) -> Vec<Dim> {
    let whole = ty.shape().iter().skip(dims.len()).map(|size| Lowerer::whole(*size));
    dims.iter().cloned().chain(whole).collect()
}
