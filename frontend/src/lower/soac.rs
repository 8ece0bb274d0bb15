//! The array combinators: map, reduce, scan, filter, histograms and scatter.

use super::value::{Expected, Ty, Value, ValueTy};
use super::{Lowerer, Outcome};
use fun::ir::{self, Atom, Binder, Exp, Lambda, Type};
use fun_base::prim::{BinOp, PrimType, PrimValue};

const OPERATOR_SIZE: &str = "Operator returns a value of another size than its operands";

impl<'t> Lowerer<'t> {
    /// A lambda on FUN values of these types with one result of primitive type.
    pub(super) fn scalar_lambda(
        &mut self,
        types: &[Type],
        result: PrimType,
        f: impl FnOnce(&mut Self, &[Atom]) -> Atom,
    ) -> Lambda {
        self.open();
        let params: Vec<Binder> =
            types.iter().map(|ty| Binder { var: self.fresh("x"), ty: ty.clone() }).collect();
        let atoms: Vec<Atom> = params.iter().map(|param| param.var.into()).collect();
        let atom = f(self, &atoms);
        Lambda { params, results: vec![Type::Prim(result)], body: self.close_body(vec![atom]) }
    }

    /// `map f array`.
    pub(super) fn map(
        &mut self,
        f: &Value<'t>,
        array: &Value<'t>,
        expected: Option<Expected<'_, 't>>,
    ) -> Outcome<Value<'t>> {
        let (width, element) = self.rows(array)?;
        self.first_order(&element)?;
        self.open();
        let params = self.binders("x", &element);
        let mut arrays = Vec::with_capacity(params.len());
        for (param, array) in params.iter().zip(array.atoms()) {
            if let Some(count) = self.facts.iota_count(array) {
                self.facts.counts(param.var, count);
            }
            arrays.push(self.array(array)?);
        }
        let argument = Value::of_atoms(element, params.iter().map(|param| param.var.into()));
        let row = expected.and_then(Expected::element);
        let result = self.apply(f, vec![argument], row)?;
        self.first_order(&result.ty)?;
        let result = self.settle(result, row)?;
        let results = result.ty.leaf_types();
        let body = self.close_body(result.atoms());
        // Without elements the function never checks the sizes of the rows that the result has all the same.
        for size in result.ty.sizes() {
            self.check_size(size, "the rows of a map");
        }
        let ty = Ty::array(width, result.ty);
        if results.is_empty() {
            return Ok(Value::of_atoms(ty, []));
        }
        let lambda = Lambda { params, results, body };
        let pattern = self.binders("map", &ty);
        let atoms: Vec<Atom> = pattern.iter().map(|binder| binder.var.into()).collect();
        self.bind(pattern, Exp::Map { width, lambda, arrays });
        Ok(Value::of_atoms(ty, atoms))
    }

    /// The lambda of a binary operator on values of this type.
    fn operator(&mut self, op: &Value<'t>, ty: &ValueTy) -> Outcome<Lambda> {
        self.first_order(ty)?;
        self.open();
        let a = self.binders("a", ty);
        let b = self.binders("b", ty);
        let left = Value::of_atoms(ty.clone(), a.iter().map(|binder| binder.var.into()));
        let right = Value::of_atoms(ty.clone(), b.iter().map(|binder| binder.var.into()));
        let result = self.apply(op, vec![left, right], None)?;
        let result = self.coerce(result, ty, OPERATOR_SIZE)?;
        let body = self.close_body(result.atoms());
        Ok(Lambda { params: a.into_iter().chain(b).collect(), results: ty.leaf_types(), body })
    }

    /// `reduce op neutral array`.
    pub(super) fn reduce(
        &mut self,
        op: &Value<'t>,
        neutral: Value<'t>,
        array: &Value<'t>,
        commutative: bool,
    ) -> Outcome<Value<'t>> {
        let (width, element) = self.rows(array)?;
        let neutral =
            self.coerce(neutral, &element, "Neutral element has another shape than the elements")?;
        if element.count() == 0 {
            return Ok(neutral);
        }
        let op = self.operator(op, &element)?;
        let arrays = self.arrays(array)?;
        let pattern = self.binders("red", &element);
        let atoms: Vec<Atom> = pattern.iter().map(|binder| binder.var.into()).collect();
        let neutral = neutral.atoms();
        self.bind(pattern, Exp::Reduce { width, op, neutral, arrays, commutative });
        Ok(Value::of_atoms(element, atoms))
    }

    /// `scan op neutral array`.
    pub(super) fn scan(
        &mut self,
        op: &Value<'t>,
        neutral: Value<'t>,
        array: &Value<'t>,
    ) -> Outcome<Value<'t>> {
        let (width, element) = self.rows(array)?;
        let neutral =
            self.coerce(neutral, &element, "Neutral element has another shape than the elements")?;
        if element.count() == 0 {
            return Ok(array.clone());
        }
        let op = self.operator(op, &element)?;
        let arrays = self.arrays(array)?;
        let pattern = self.binders("scan", &array.ty);
        let atoms: Vec<Atom> = pattern.iter().map(|binder| binder.var.into()).collect();
        let neutral = neutral.atoms();
        self.bind(pattern, Exp::Scan { width, op, neutral, arrays });
        Ok(Value::of_atoms(array.ty.clone(), atoms))
    }

    /// `reduce_by_index destination op neutral indices values`.
    pub(super) fn hist(
        &mut self,
        destination: &Value<'t>,
        op: &Value<'t>,
        neutral: Value<'t>,
        indices: &Value<'t>,
        values: Value<'t>,
    ) -> Outcome<Value<'t>> {
        let (_, element) = self.rows(destination)?;
        let (width, _) = self.rows(indices)?;
        let neutral =
            self.coerce(neutral, &element, "Neutral element has another shape than the elements")?;
        let rows = Ty::array(width, element.clone());
        let values = self.coerce(values, &rows, "Indices and values have different sizes")?;
        if element.count() == 0 {
            return Ok(destination.clone());
        }
        let op = self.operator(op, &element)?;
        let dests = self.arrays(destination)?;
        let values = self.arrays(&values)?;
        let indices = self.sole_leaf(indices)?;
        let indices = self.array(indices)?;
        let pattern = self.binders("hist", &destination.ty);
        let atoms: Vec<Atom> = pattern.iter().map(|binder| binder.var.into()).collect();
        self.bind(pattern, Exp::Hist { width, op, neutral: neutral.atoms(), dests, indices, values });
        Ok(Value::of_atoms(destination.ty.clone(), atoms))
    }

    /// `scatter destination indices values`.
    pub(super) fn scatter(
        &mut self,
        destination: &Value<'t>,
        indices: &Value<'t>,
        values: Value<'t>,
    ) -> Outcome<Value<'t>> {
        let (_, element) = self.rows(destination)?;
        let (width, _) = self.rows(indices)?;
        let rows = Ty::array(width, element.clone());
        let values = self.coerce(values, &rows, "Indices and values have different sizes")?;
        if element.count() == 0 {
            return Ok(destination.clone());
        }
        let dests = self.arrays(destination)?;
        let values = self.arrays(&values)?;
        let indices = self.sole_leaf(indices)?;
        let indices = self.array(indices)?;
        let pattern = self.binders("scat", &destination.ty);
        let atoms: Vec<Atom> = pattern.iter().map(|binder| binder.var.into()).collect();
        self.bind(pattern, Exp::Scatter { width, dests, indices, values });
        Ok(Value::of_atoms(destination.ty.clone(), atoms))
    }

    /// `filter p array`: flags, their running count, and a scatter of what is kept.
    pub(super) fn filter(&mut self, p: &Value<'t>, array: &Value<'t>) -> Outcome<Value<'t>> {
        let (width, element) = self.rows(array)?;
        let flags = self.map(p, array, None)?;
        let flags = self.sole_leaf(&flags)?;
        let flags = self.array(flags)?;
        let i64_type = Type::Prim(PrimType::I64);
        let sizes_type = Type::Array { shape: vec![width], elem: PrimType::I64 };
        let as_count = self.scalar_lambda(&[Type::Prim(PrimType::Bool)], PrimType::I64, |this, atoms| {
            this.convert(PrimType::I64, PrimType::Bool, atoms[0])
        });
        let exp = Exp::Map { width, lambda: as_count, arrays: vec![flags] };
        let ones = self.emit("ones", sizes_type.clone(), exp);
        let plus = self.scalar_lambda(&[i64_type.clone(), i64_type.clone()], PrimType::I64, |this, atoms| {
            this.bin(BinOp::Add, PrimType::I64, atoms[0], atoms[1])
        });
        let exp = Exp::Scan { width, op: plus, neutral: vec![Atom::i64(0)], arrays: vec![ones] };
        let upto = self.emit("upto", sizes_type.clone(), exp);
        // How many are kept: the last running count.
        let empty = self.bin(BinOp::Eq, PrimType::I64, width, Atom::i64(0));
        self.open();
        let last = self.size_op(BinOp::Sub, width, Atom::i64(1));
        let total = self.emit("total", i64_type.clone(), Exp::Index { array: upto, indices: vec![last] });
        let otherwise = self.close_body(vec![total.into()]);
        let count: Atom = match empty {
            Atom::Const(PrimValue::Bool(true)) => Atom::i64(0),
            Atom::Const(_) | Atom::Var(_) => {
                let then = ir::Body { statements: Vec::new(), results: vec![Atom::i64(0)] };
                let var = self.emit("count", i64_type.clone(), Exp::If { condition: empty, then, otherwise });
                self.facts.natural(var);
                var.into()
            }
        };
        let place =
            self.scalar_lambda(&[Type::Prim(PrimType::Bool), i64_type], PrimType::I64, |this, atoms| {
                let at = this.size_op(BinOp::Sub, atoms[1], Atom::i64(1));
                this.choose(PrimType::I64, atoms[0], at, Atom::i64(-1))
            });
        let exp = Exp::Map { width, lambda: place, arrays: vec![flags, upto] };
        let indices = self.emit("places", sizes_type, exp);
        let ty = Ty::array(count, element);
        if ty.count() == 0 {
            return Ok(Value::of_atoms(ty, []));
        }
        let mut dests = Vec::new();
        for leaf in ty.leaf_types() {
            let exp = Exp::Scratch { shape: leaf.shape().to_vec(), elem: leaf.elem() };
            dests.push(self.emit("kept", leaf, exp));
        }
        let values = self.arrays(array)?;
        let pattern = self.binders("kept", &ty);
        let atoms: Vec<Atom> = pattern.iter().map(|binder| binder.var.into()).collect();
        self.bind(pattern, Exp::Scatter { width, dests, indices, values });
        Ok(Value::of_atoms(ty, atoms))
    }

    /// The arrays that a value consists of.
    fn arrays(&self, value: &Value<'t>) -> Outcome<Vec<fun_base::name::Var>> {
        value.atoms().into_iter().map(|atom| self.array(atom)).collect()
    }
}
