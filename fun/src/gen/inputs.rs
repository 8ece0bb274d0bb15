//! Arguments for an entry point.

use super::scalar::random_value;
use crate::ir::{Atom, Function, Type};
use fun_base::name::Var;
use fun_base::prim::PrimValue;
use fun_base::rng::Rng;
use fun_base::value::{ArrayData, ArrayValue, Value};
use std::collections::BTreeMap;

/// The sizes of inputs are from 0 to this, unless said otherwise.
pub const SMALL_SIZES: i64 = 4;

/// Values for the explicit parameters of a function: small sizes that agree, and scalars with extremes, infinities and NaN
/// among them. An i64 parameter that is also a size is small.
pub fn inputs_for(function: &Function, rng: &mut Rng) -> Vec<Value> {
    inputs_up_to(function, SMALL_SIZES, rng)
}

/// As [`inputs_for`], with sizes from 0 to `most`.
pub fn inputs_up_to(function: &Function, most: i64, rng: &mut Rng) -> Vec<Value> {
    let mut sizes: BTreeMap<Var, i64> = BTreeMap::new();
    for param in &function.params {
        for var in param.binder.ty.shape().iter().filter_map(|size| size.as_var()) {
            // 0 and 1 more often than they would come by themselves.
            let n = if rng.chance(30) { rng.below(2) } else { rng.below(most as usize + 1) };
            sizes.entry(var).or_insert(n as i64);
        }
    }
    let size = |atom: &Atom| match atom {
        Atom::Var(var) => sizes.get(var).copied().unwrap_or(0),
        Atom::Const(value) => value.as_i64().unwrap_or(0),
    };
    let mut inputs = Vec::new();
    for param in function.params.iter().filter(|param| !param.implicit) {
        inputs.push(match &param.binder.ty {
            Type::Prim(t) => match sizes.get(&param.binder.var) {
                Some(n) => Value::Prim(PrimValue::I64(*n)),
                None => Value::Prim(random_value(rng, *t)),
            },
            Type::Array { shape, elem } => {
                let shape: Vec<i64> = shape.iter().map(size).collect();
                let count = shape.iter().product::<i64>();
                let cells = (0..count).map(|_| random_value(rng, *elem));
                let data = ArrayData::from_prims(*elem, cells).expect("invariant: cells of one type");
                Value::from(ArrayValue::new(shape, data).expect("invariant: as many cells as the shape says"))
            }
        });
    }
    inputs
}
