//! Accumulators: arrays that a function of each element of another array writes to. They are written in the order of that
//! array, as a loop.

use super::index::complete;
use super::sizes::Effort;
use super::value::{InstanceOf, Ty, Value};
use super::{Lowerer, Outcome};
use crate::types::ACCUMULATOR;
use fun::ir::{self, Atom, Dim};
use fun_base::name::Symbol;
use fun_base::prim::{BinOp, PrimType};

impl<'t> Lowerer<'t> {
    /// `scatter_stream destination f array`, or `hist_stream destination op neutral f array`.
    pub(super) fn stream(
        &mut self,
        destination: &Value<'t>,
        op: Option<Value<'t>>,
        f: &Value<'t>,
        array: &Value<'t>,
    ) -> Outcome<Value<'t>> {
        let field = Symbol::new(ACCUMULATOR);
        let start = Value::record(vec![(field, destination.clone())]);
        self.accumulators.push(op);
        let result = self.foldl(f, start, array);
        self.accumulators.pop();
        match result?.field(field) {
            Some(array) => Ok(array),
            None => Err(self.inconsistent("a stream that gives no accumulator")),
        }
    }

    /// `acc_write accumulator index value`: outside the array nothing happens.
    pub(super) fn accumulate(
        &mut self,
        accumulator: &Value<'t>,
        index: Atom,
        value: Value<'t>,
    ) -> Outcome<Value<'t>> {
        let field = Symbol::new(ACCUMULATOR);
        let (Some(array), Some(op)) = (accumulator.field(field), self.accumulators.last().cloned()) else {
            return Err(self.inconsistent("an accumulator was expected"));
        };
        let (size, element) = self.rows(&array)?;
        let low = self.bin(BinOp::Le, PrimType::I64, Atom::i64(0), index);
        let high = self.bin(BinOp::Lt, PrimType::I64, index, size);
        let inside = self.and(low, high);
        self.open();
        let value = match op {
            Some(op) => {
                let old = self.element(&array, index)?;
                self.apply(&op, vec![old, value], None)?
            }
            None => value,
        };
        let value = self.coerce(value, &element, "Value has another shape than the elements")?;
        let mut parts = value.atoms().into_iter();
        let written = self.each_leaf(&array, array.ty.clone(), |this, atom, ty, _| {
            let Some(value) = parts.next() else {
                return Err(this.inconsistent("components missing in a write"));
            };
            let array = this.array(atom)?;
            let dims = complete(&[Dim::Fix(index)], ty);
            Ok(this.emit(array.text.as_str(), ty.clone(), ir::Exp::Update { array, dims, value }).into())
        })?;
        let then = self.close_body(written.atoms());
        let otherwise = ir::Body { statements: Vec::new(), results: array.atoms() };
        let pattern = self.binders("acc", &array.ty);
        let result = Value::of_atoms(array.ty.clone(), pattern.iter().map(|binder| binder.var.into()));
        self.bind(pattern, ir::Exp::If { condition: inside, then, otherwise });
        Ok(Value::record(vec![(field, result)]))
    }

    /// `scratch n`; its elements have the sizes of the instance.
    pub(super) fn scratch(&mut self, count: Atom, instance: &InstanceOf<'t>) -> Outcome<Value<'t>> {
        self.check_size(count, "scratch");
        let Some(element) = instance.instance.types.first() else {
            return Err(self.inconsistent("scratch of no type"));
        };
        let element = self.eval_type(&instance.env, element, Effort::Full);
        self.first_order(&element)?;
        // A size that is not known before is checked against the rows that are written.
        let ty = Ty::array(count, element.map_sizes(&mut |size| size.unwrap_or(Atom::i64(0))));
        let mut atoms = Vec::new();
        for leaf in ty.leaf_types() {
            let exp = ir::Exp::Scratch { shape: leaf.shape().to_vec(), elem: leaf.elem() };
            atoms.push(Atom::Var(self.emit("scratch", leaf, exp)));
        }
        Ok(Value::of_atoms(ty, atoms))
    }
}
