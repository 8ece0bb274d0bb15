//! Making and rearranging arrays: literals, ranges, zip, concat, transpose and the like.

use super::sizes::Effort;
use super::value::{Env, Expected, Leaf, PartialTy, Ty, Value, ValueTy};
use super::{Copies, Lowerer, Outcome};
use crate::typed::{Exp, RangeEnd};
use fun::ir::{self, Atom};
use fun_base::name::Symbol;
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp};
use std::rc::Rc;

impl<'t> Lowerer<'t> {
    /// `[a, b, c]`: one array literal for each component of the elements.
    pub(super) fn lower_array_literal(
        &mut self,
        env: &mut Env<'t>,
        exp: &'t Exp,
        elements: &'t [Exp],
    ) -> Outcome<Value<'t>> {
        let mut values: Vec<Value<'t>> = Vec::with_capacity(elements.len());
        for element in elements {
            let value = self.lower_exp(env, element)?;
            let value = match values.first() {
                Some(first) => {
                    let row = first.ty.clone();
                    self.coerce(value, &row, "Elements of array literal have different shapes")?
                }
                None => value,
            };
            values.push(value);
        }
        let size = Atom::i64(values.len() as i64);
        let Some(first) = values.first() else {
            let ty = self.eval_type(env, &exp.ty, Effort::Full);
            let Ty::Array(_, row) = ty else {
                return Err(self.inconsistent("an array literal of another type"));
            };
            self.first_order(&*row)?;
            let row = row.map_sizes(&mut |size| size.unwrap_or(Atom::i64(0)));
            let rows = row.leaf_types();
            let ty = Ty::array(size, row);
            let atoms = rows.into_iter().map(|row| {
                let array_ty = ir::Type::array_of(&[size], &row);
                self.emit("lit", array_ty, ir::Exp::ArrayLiteral { row, elems: Vec::new() }).into()
            });
            let atoms: Vec<Atom> = atoms.collect();
            return Ok(Value::of_atoms(ty, atoms));
        };
        self.first_order(&first.ty)?;
        let row = first.ty.clone();
        let columns: Vec<Vec<Atom>> = values.iter().map(Value::atoms).collect();
        let atoms: Vec<Atom> = row
            .leaf_types()
            .into_iter()
            .enumerate()
            .map(|(k, row)| {
                let elems = columns.iter().map(|column| column[k]).collect();
                let array_ty = ir::Type::array_of(&[size], &row);
                self.emit("lit", array_ty, ir::Exp::ArrayLiteral { row, elems }).into()
            })
            .collect();
        Ok(Value::of_atoms(Ty::array(size, row), atoms))
    }

    /// `first..second...end` and its kin.
    pub(super) fn lower_range(
        &mut self,
        env: &mut Env<'t>,
        first: &'t Exp,
        second: Option<&'t Exp>,
        end: &'t RangeEnd,
    ) -> Outcome<Value<'t>> {
        let Ty::Prim(prim) = self.eval_type(env, &first.ty, Effort::Cheap) else {
            return Err(self.inconsistent("a range of something else than integers"));
        };
        let start = self.lower_scalar(env, first)?;
        let second = second.map(|second| self.lower_scalar(env, second)).transpose()?;
        let (RangeEnd::Inclusive(end_exp) | RangeEnd::UpTo(end_exp) | RangeEnd::DownTo(end_exp)) = end;
        let stop = self.lower_scalar(env, end_exp)?;
        let (zero, one) = (Atom::Const(prim.zero()), Atom::Const(prim.of_i64(1)));
        let default_step = prim.of_i64(if matches!(end, RangeEnd::DownTo(_)) { -1 } else { 1 });
        let (message, numbers) = self.range_message(prim, start, second, end, stop);
        let step = match second {
            Some(second) => self.bin(BinOp::Sub, prim, second, start),
            None => Atom::Const(default_step),
        };
        // Whether it runs downwards; for unsigned types that shows in the order of the first two elements.
        let downwards = match (end, second) {
            (RangeEnd::DownTo(_), _) => Atom::Const(PrimValue::Bool(true)),
            (RangeEnd::UpTo(_), _) | (RangeEnd::Inclusive(_), None) => Atom::Const(PrimValue::Bool(false)),
            (RangeEnd::Inclusive(_), Some(second)) => self.bin(BinOp::Lt, prim, second, start),
        };
        if let Some(second) = second {
            let ok = match end {
                RangeEnd::Inclusive(_) => self.bin(BinOp::Ne, prim, second, start),
                RangeEnd::UpTo(_) => self.bin(BinOp::Gt, prim, second, start),
                RangeEnd::DownTo(_) => self.bin(BinOp::Lt, prim, second, start),
            };
            self.check_with(ok, message.as_str(), numbers.clone());
        }
        let up = self.bin(BinOp::Le, prim, start, stop);
        let down = self.bin(BinOp::Ge, prim, start, stop);
        let ordered = self.choose(PrimType::Bool, downwards, down, up);
        self.check_with(ordered, message, numbers);
        let upwards_distance = self.bin(BinOp::Sub, prim, stop, start);
        let downwards_distance = self.bin(BinOp::Sub, prim, start, stop);
        let distance = self.choose(prim, downwards, downwards_distance, upwards_distance);
        let negated = self.un(UnOp::Neg, prim, step);
        let stride = self.choose(prim, downwards, negated, step);
        // Distances fit the unsigned type of the same width.
        let wide = |this: &mut Self, atom: Atom| {
            let unsigned = this.convert(prim.unsigned_of_width(), prim, atom);
            this.convert(PrimType::I64, prim.unsigned_of_width(), unsigned)
        };
        let distance = if prim == PrimType::I64 { distance } else { wide(self, distance) };
        let stride = if prim == PrimType::I64 { stride } else { wide(self, stride) };
        let count = match end {
            RangeEnd::Inclusive(_) => {
                let steps = self.size_op(BinOp::Quot, distance, stride);
                self.size_op(BinOp::Add, steps, Atom::i64(1))
            }
            RangeEnd::UpTo(_) | RangeEnd::DownTo(_) => {
                let slack = self.size_op(BinOp::Sub, stride, Atom::i64(1));
                let padded = self.size_op(BinOp::Add, distance, slack);
                self.size_op(BinOp::Quot, padded, stride)
            }
        };
        if let (Atom::Var(var), true) = (count, self.safe) {
            self.facts.natural(var);
        }
        let array_ty = ir::Type::Array { shape: vec![count], elem: prim };
        let array = self.emit("range", array_ty, ir::Exp::Iota { count, start, step, elem: prim });
        if prim == PrimType::I64 && start == zero && step == one {
            self.facts.iota(array, count);
        }
        Ok(Value::of_atoms(Ty::array(count, Ty::Prim(prim)), [array.into()]))
    }

    /// What to say of a range that is invalid, and the numbers for that.
    fn range_message(
        &mut self,
        prim: PrimType,
        start: Atom,
        second: Option<Atom>,
        end: &RangeEnd,
        stop: Atom,
    ) -> (String, Vec<Atom>) {
        let second_text = if second.is_some() { "..{}" } else { "" };
        let dots = match end {
            RangeEnd::Inclusive(_) => "...",
            RangeEnd::UpTo(_) => "..<",
            RangeEnd::DownTo(_) => "..>",
        };
        let numbers = [Some(start), second, Some(stop)].into_iter().flatten();
        let numbers = numbers.map(|number| self.convert(PrimType::I64, prim, number)).collect();
        (format!("Range {{}}{second_text}{dots}{{}} is invalid"), numbers)
    }

    /// An array of tuples from arrays.
    pub(super) fn zip(&mut self, arrays: Vec<Value<'t>>) -> Outcome<Value<'t>> {
        let Some(first) = arrays.first() else { return Err(self.inconsistent("zip of nothing")) };
        let (size, _) = self.rows(first)?;
        let mut types = Vec::with_capacity(arrays.len());
        let mut leaves = Vec::new();
        for array in arrays {
            let (_, element) = self.rows(&array)?;
            let target = Ty::array(size, element.clone());
            leaves.extend(self.coerce(array, &target, "Arrays to be zipped have different sizes")?.leaves);
            types.push(element);
        }
        Ok(Value { ty: Ty::array(size, Ty::tuple(types)), leaves })
    }

    /// `zip` as the prelude has it: its result is fresh.
    pub(super) fn fresh_zip(&mut self, arrays: Vec<Value<'t>>) -> Outcome<Value<'t>> {
        let zipped = self.zip(arrays)?;
        if self.copies >= Copies::Rearranged { self.copy(&zipped) } else { Ok(zipped) }
    }

    /// A tuple of arrays from an array of tuples.
    pub(super) fn unzip(&mut self, array: &Value<'t>) -> Outcome<Value<'t>> {
        let (size, element) = self.rows(array)?;
        let Ty::Record(fields) = element else {
            return Err(self.inconsistent("unzip of an array of other than tuples"));
        };
        let fields: Rc<[(Symbol, ValueTy)]> =
            fields.iter().map(|(name, ty)| (*name, Ty::array(size, ty.clone()))).collect();
        Ok(Value { ty: Ty::Record(fields), leaves: array.leaves.clone() })
    }

    /// `iota n`.
    pub(super) fn iota(&mut self, count: Atom) -> Outcome<Value<'t>> {
        let ok = self.bin(BinOp::Le, PrimType::I64, Atom::i64(0), count);
        let message = "Range 0..1..<{} is invalid: negative size given to iota";
        self.check_with(ok, message, vec![count]);
        let array_ty = ir::Type::Array { shape: vec![count], elem: PrimType::I64 };
        let exp = ir::Exp::Iota { count, start: Atom::i64(0), step: Atom::i64(1), elem: PrimType::I64 };
        let array = self.emit("iota", array_ty, exp);
        self.facts.iota(array, count);
        Ok(Value::of_atoms(Ty::array(count, Ty::Prim(PrimType::I64)), [array.into()]))
    }

    /// `replicate n value`.
    pub(super) fn replicate(&mut self, count: Atom, value: &Value<'t>) -> Outcome<Value<'t>> {
        self.check_size(count, "replicate");
        self.each_leaf(value, Ty::array(count, value.ty.clone()), |this, value, _, to| {
            let exp = ir::Exp::Replicate { shape: vec![count], value };
            Ok(this.emit("repl", to.clone(), exp).into())
        })
    }

    /// Checks that a size is not negative, and notes so.
    pub(super) fn check_size(&mut self, count: Atom, function: &str) {
        let ok = self.bin(BinOp::Le, PrimType::I64, Atom::i64(0), count);
        self.check_with(ok, format!("Negative size {{}} given to {function}"), vec![count]);
    }

    /// Fresh copies of all arrays.
    pub(super) fn copy(&mut self, value: &Value<'t>) -> Outcome<Value<'t>> {
        self.each_leaf(value, value.ty.clone(), |this, atom, ty, _| {
            if ty.rank() == 0 {
                return Ok(atom);
            }
            let array = this.array(atom)?;
            Ok(this.emit("copy", ty.clone(), ir::Exp::Copy(array)).into())
        })
    }

    /// `transpose`.
    pub(super) fn transpose(&mut self, array: &Value<'t>) -> Outcome<Value<'t>> {
        let (n, row) = self.rows(array)?;
        let Ty::Array(m, element) = row else {
            return Err(self.inconsistent("transpose needs two dimensions"));
        };
        let ty = Ty::array(m, Ty::Array(n, element));
        self.each_leaf(array, ty, |this, atom, from, to| {
            let array = this.array(atom)?;
            let perm = [1, 0].into_iter().chain(2..from.rank()).collect();
            Ok(this.emit("transp", to.clone(), ir::Exp::Permute { perm, array }).into())
        })
    }

    /// The array under another type with the same number of elements.
    pub(super) fn reshape(&mut self, array: &Value<'t>, ty: ValueTy) -> Outcome<Value<'t>> {
        self.each_leaf(array, ty, |this, atom, _, to| {
            let array = this.array(atom)?;
            let exp = ir::Exp::Reshape { shape: to.shape().to_vec(), array };
            Ok(this.emit("resh", to.clone(), exp).into())
        })
    }

    /// `flatten`.
    pub(super) fn flatten(&mut self, array: &Value<'t>) -> Outcome<Value<'t>> {
        let (n, row) = self.rows(array)?;
        let Ty::Array(m, element) = row else {
            return Err(self.inconsistent("flatten needs two dimensions"));
        };
        let size = self.size_op(BinOp::Mul, n, m);
        self.reshape(array, Ty::Array(size, element))
    }

    /// `unflatten`: the sizes come from the type of the result.
    pub(super) fn unflatten(
        &mut self,
        array: &Value<'t>,
        sizes: Option<(Atom, Atom)>,
        expected: Option<Expected<'_, 't>>,
    ) -> Outcome<Value<'t>> {
        let (size, element) = self.rows(array)?;
        let wanted = expected.map(|expected| self.eval_type(expected.env, expected.ty, Effort::Full));
        let of_type = wanted.and_then(|ty| outer_two(&ty));
        let Some((n, m)) = of_type.or(sizes) else {
            return Err(self.limitation("`unflatten` to sizes that are not known here"));
        };
        let product = self.size_op(BinOp::Mul, n, m);
        let equal = self.bin(BinOp::Eq, PrimType::I64, product, size);
        let message = "Cannot unflatten array of shape [{}] to array of shape [{}][{}]";
        self.check_with(equal, message, vec![size, n, m]);
        for part in [n, m] {
            let natural = self.bin(BinOp::Ge, PrimType::I64, part, Atom::i64(0));
            self.check_with(natural, message, vec![size, n, m]);
        }
        self.reshape(array, Ty::array(n, Ty::array(m, element)))
    }

    /// `reverse`.
    pub(super) fn reverse(&mut self, array: &Value<'t>) -> Outcome<Value<'t>> {
        self.each_leaf(array, array.ty.clone(), |this, atom, ty, _| {
            let array = this.array(atom)?;
            Ok(this.emit("rev", ty.clone(), ir::Exp::Reverse { dim: 0, array }).into())
        })
    }

    /// `rotate k array`: element `i` is element `(i + k) mod n`.
    pub(super) fn rotate(&mut self, by: Atom, array: &Value<'t>) -> Outcome<Value<'t>> {
        let (size, _) = self.rows(array)?;
        let divisor = self.size_op(BinOp::Max, size, Atom::i64(1));
        let by = self.size_op(BinOp::Mod, by, divisor);
        let rest = self.size_op(BinOp::Sub, size, by);
        let front = self.part(array, by, rest, Atom::i64(1))?;
        let back = self.part(array, Atom::i64(0), by, Atom::i64(1))?;
        self.join(&front, &back, size)
    }

    /// `concat`.
    pub(super) fn concat(&mut self, a: &Value<'t>, b: Value<'t>) -> Outcome<Value<'t>> {
        let (n, row) = self.rows(a)?;
        let (m, _) = self.rows(&b)?;
        let size = self.size_op(BinOp::Add, n, m);
        let b = self.coerce(b, &Ty::array(m, row), "Rows of concatenated arrays have different shapes")?;
        self.join(a, &b, size)
    }

    /// Arrays of equal rows after each other, `size` rows in all.
    fn join(&mut self, a: &Value<'t>, b: &Value<'t>, size: Atom) -> Outcome<Value<'t>> {
        let (_, row) = self.rows(a)?;
        let mut others = b.atoms().into_iter();
        self.each_leaf(a, Ty::array(size, row), |this, atom, _, to| {
            let Some(other) = others.next() else {
                return Err(this.inconsistent("components missing in concat"));
            };
            let arrays = vec![this.array(atom)?, this.array(other)?];
            Ok(this.emit("conc", to.clone(), ir::Exp::Concat { size, arrays }).into())
        })
    }

    /// `a == b` on any first-order type.
    pub(super) fn equal(&mut self, a: &Value<'t>, b: &Value<'t>) -> Outcome<Atom> {
        self.first_order(&a.ty)?;
        if let Ty::Sum(_) = &a.ty {
            return self.equal_sums(a, b);
        }
        if let (Some(fields), Some(others)) = (a.fields(), b.fields()) {
            let mut all = Atom::Const(PrimValue::Bool(true));
            for ((_, a), (_, b)) in fields.iter().zip(&others) {
                let equal = self.equal(a, b)?;
                all = self.and(all, equal);
            }
            return Ok(all);
        }
        let mut same_shape = Atom::Const(PrimValue::Bool(true));
        for (a, b) in a.ty.sizes().into_iter().zip(b.ty.sizes()) {
            let equal = self.bin(BinOp::Eq, PrimType::I64, a, b);
            same_shape = self.and(same_shape, equal);
        }
        if same_shape == Atom::Const(PrimValue::Bool(true)) {
            return self.equal_leaves(a, b);
        }
        self.open();
        self.assume(same_shape);
        let b = self.coerce(b.clone(), &a.ty, "Shapes differ")?;
        let equal = self.equal_leaves(a, &b)?;
        let then = self.close_body(vec![equal]);
        let otherwise =
            ir::Body { statements: Vec::new(), results: vec![Atom::Const(PrimValue::Bool(false))] };
        let exp = ir::Exp::If { condition: same_shape, then, otherwise };
        Ok(self.emit("eq", ir::Type::Prim(PrimType::Bool), exp).into())
    }

    /// Whether all components are equal; the shapes are.
    fn equal_leaves(&mut self, a: &Value<'t>, b: &Value<'t>) -> Outcome<Atom> {
        let mut all = Atom::Const(PrimValue::Bool(true));
        for ((a, b), ty) in a.atoms().into_iter().zip(b.atoms()).zip(a.ty.leaf_types()) {
            let equal = if ty.rank() == 0 {
                self.bin(BinOp::Eq, ty.elem(), a, b)
            } else {
                self.equal_arrays(a, b, &ty)?
            };
            all = self.and(all, equal);
        }
        Ok(all)
    }

    fn equal_arrays(&mut self, a: Atom, b: Atom, ty: &ir::Type) -> Outcome<Atom> {
        let (a, b) = (self.array(a)?, self.array(b)?);
        let size =
            ty.shape().iter().fold(Atom::i64(1), |product, size| self.size_op(BinOp::Mul, product, *size));
        let flat_ty = ir::Type::Array { shape: vec![size], elem: ty.elem() };
        let flat = |this: &mut Self, array| match ty.rank() {
            1 => array,
            _ => this.emit("flat", flat_ty.clone(), ir::Exp::Reshape { shape: vec![size], array }),
        };
        let (a, b) = (flat(self, a), flat(self, b));
        let boolean = ir::Type::Prim(PrimType::Bool);
        let equal = self.scalar_lambda(
            &[ir::Type::Prim(ty.elem()), ir::Type::Prim(ty.elem())],
            PrimType::Bool,
            |this, atoms| this.bin(BinOp::Eq, ty.elem(), atoms[0], atoms[1]),
        );
        let equals_ty = ir::Type::Array { shape: vec![size], elem: PrimType::Bool };
        let exp = ir::Exp::Map { width: size, lambda: equal, arrays: vec![a, b] };
        let equals = self.emit("eqs", equals_ty, exp);
        let op = self.scalar_lambda(&[boolean.clone(), boolean.clone()], PrimType::Bool, |this, atoms| {
            this.and(atoms[0], atoms[1])
        });
        let exp = ir::Exp::Reduce {
            width: size,
            op,
            neutral: vec![Atom::Const(PrimValue::Bool(true))],
            arrays: vec![equals],
            commutative: true,
        };
        Ok(self.emit("eq", boolean, exp).into())
    }

    /// The type of an array's leaves as FUN sees them, for values that are arrays of scalars.
    pub(super) fn sole_leaf(&self, value: &Value<'t>) -> Outcome<Atom> {
        match value.leaves.as_slice() {
            [Leaf::Atom(atom)] => Ok(*atom),
            _ => Err(self.inconsistent("an array of scalars was expected")),
        }
    }
}

/// The two outermost sizes, when known.
fn outer_two(ty: &PartialTy) -> Option<(Atom, Atom)> {
    let Ty::Array(n, row) = ty else { return None };
    let Ty::Array(m, _) = &**row else { return None };
    Some(((*n)?, (*m)?))
}
