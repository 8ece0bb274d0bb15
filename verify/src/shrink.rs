//! Smaller inputs that still show a disagreement.
//!
//! Arrays share sizes, so a candidate shortens one size wherever an argument has it: every dimension of the same length. A
//! candidate that breaks the entry's size types is refused by the run itself and so does not count as showing anything.

use fun_base::prim::PrimValue;
use fun_base::value::{ArrayData, ArrayValue, Value};

/// Shrinks `inputs` as long as `fails` holds of a smaller candidate, for at most `budget` runs.
pub fn shrink_inputs(
    inputs: Vec<Value>,
    mut budget: usize,
    fails: &mut dyn FnMut(&[Value]) -> bool,
) -> Vec<Value> {
    let mut best = inputs;
    'again: loop {
        for candidate in candidates(&best) {
            if budget == 0 {
                return best;
            }
            budget -= 1;
            if fails(&candidate) {
                best = candidate;
                continue 'again;
            }
        }
        return best;
    }
}

/// Smaller inputs, the most daring first: sizes, then scalars, then elements.
fn candidates(inputs: &[Value]) -> Vec<Vec<Value>> {
    let mut result = Vec::new();
    let mut sizes: Vec<i64> = inputs.iter().flat_map(shape).copied().collect();
    sizes.sort_unstable();
    sizes.dedup();
    for size in sizes {
        for smaller in [0, size / 2, size - 1] {
            if (0..size).contains(&smaller) {
                result.push(inputs.iter().map(|value| resized(value, size, smaller)).collect());
            }
        }
    }
    for (i, value) in inputs.iter().enumerate() {
        let replace = |smaller: Value| {
            let mut candidate = inputs.to_vec();
            candidate[i] = smaller;
            candidate
        };
        match value {
            Value::Prim(scalar) => result.extend(smaller_scalars(*scalar).map(|s| replace(Value::Prim(s)))),
            Value::Array(array) => {
                for (at, element) in array.iter().enumerate().take(32) {
                    for scalar in smaller_scalars(element) {
                        let mut changed = (**array).clone();
                        if changed.set(at, scalar).is_some() {
                            result.push(replace(Value::from(changed)));
                        }
                    }
                }
            }
        }
    }
    result
}

fn shape(value: &Value) -> &[i64] {
    match value {
        Value::Prim(_) => &[],
        Value::Array(array) => &array.shape,
    }
}

/// The value with every dimension (and i64 scalar) of `from` made `to` long, keeping the first elements.
fn resized(value: &Value, from: i64, to: i64) -> Value {
    match value {
        Value::Prim(PrimValue::I64(n)) if *n == from => Value::Prim(PrimValue::I64(to)),
        Value::Prim(_) => value.clone(),
        Value::Array(array) if !array.shape.contains(&from) => value.clone(),
        Value::Array(array) => {
            let shape: Vec<i64> = array.shape.iter().map(|n| if *n == from { to } else { *n }).collect();
            let kept = array.iter().enumerate().filter_map(|(flat, element)| {
                let index = array.index_of(flat);
                index.iter().zip(&shape).all(|(i, n)| i < n).then_some(element)
            });
            let data = ArrayData::from_prims(array.elem_type(), kept);
            let smaller = data.and_then(|data| ArrayValue::new(shape, data).ok());
            smaller.map_or_else(|| value.clone(), Value::from)
        }
    }
}

fn smaller_scalars(value: PrimValue) -> impl Iterator<Item = PrimValue> {
    let t = value.prim_type();
    let half = match value.as_int() {
        Some(n) => i64::try_from(n / 2).ok().map(|n| t.of_i64(n)),
        None => None,
    };
    [Some(t.zero()), Some(t.of_i64(1)), half]
        .into_iter()
        .flatten()
        .filter(move |smaller| size(*smaller) < size(value))
}

/// What shrinking makes smaller: the magnitude, NaN and infinity being the largest.
fn size(value: PrimValue) -> f64 {
    match (value.as_int(), value.as_f64()) {
        (Some(n), _) => n.unsigned_abs() as f64,
        (None, Some(x)) if x.is_nan() => f64::INFINITY,
        (None, Some(x)) => x.abs(),
        (None, None) => value.bits() as f64,
    }
}
