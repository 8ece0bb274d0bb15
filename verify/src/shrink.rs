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
    // All at once: sizes that are one more or twice another stay so.
    for shorter in [|size: i64| size / 2, |size: i64| size - 1] {
        if sizes.len() > 1 {
            let each = |inputs: &[Value]| -> Vec<Value> {
                // ascending, so that no size is made smaller twice
                sizes.iter().filter(|size| **size > 0).fold(inputs.to_vec(), |inputs, size| {
                    inputs.iter().map(|value| resized(value, *size, shorter(*size))).collect()
                })
            };
            result.push(each(inputs));
        }
    }
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
    let (half, positive) = match (value.as_int(), value.as_f64()) {
        (Some(n), _) => (i64::try_from(n / 2).ok(), i64::try_from(n.abs()).ok()),
        (None, Some(x)) if x.is_finite() && x.abs() < 1e15 => (Some((x / 2.0) as i64), Some(x.abs() as i64)),
        (None, _) => (None, None),
    };
    // One less for small ones only: from large ones that would take forever.
    let less = value.as_int().filter(|n| (2..64).contains(&n.abs())).map(|n| (n - n.signum()) as i64);
    [Some(0), Some(1), half, positive, less]
        .into_iter()
        .flatten()
        .map(move |n| t.of_i64(n))
        .filter(move |smaller| size(*smaller) < size(value))
}

/// What shrinking makes smaller: the magnitude, NaN and infinity being the largest. A number without sign and fraction is
/// smaller than one with it.
fn size(value: PrimValue) -> f64 {
    match (value.as_int(), value.as_f64()) {
        (Some(n), _) => n.unsigned_abs() as f64 + if n < 0 { 0.5 } else { 0.0 },
        (None, Some(x)) if x.is_nan() => f64::INFINITY,
        (None, Some(x)) => {
            let (sign, fraction) = (x.is_sign_negative(), x.fract() != 0.0);
            x.abs() + if sign { 0.5 } else { 0.0 } + if fraction { 1.0 } else { 0.0 }
        }
        (None, None) => value.bits() as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fun_base::value::ValueReader;

    fn shrunk(values: &str, fails: impl Fn(&[Value]) -> bool) -> String {
        let values = ValueReader::new(values.as_bytes()).read_all().expect("values");
        assert!(fails(&values));
        let smallest = shrink_inputs(values, 1000, &mut |values| fails(values));
        smallest.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    fn size_of(value: &Value) -> i64 {
        value.shape()[0]
    }

    #[test]
    fn sizes_and_elements() {
        assert_eq!(shrunk("[7i32, -3i32, 9i32, 12i32] 5i64", |_| true), "empty([0]i32) 0i64");
        assert_eq!(shrunk("[7i32, -3i32, 9i32, 12i32]", |v| size_of(&v[0]) > 1), "[0i32, 0i32]");
        let has_large = |v: &[Value]| v[0].as_array().is_some_and(|a| a.iter().any(|x| x.as_int() > Some(4)));
        assert_eq!(shrunk("[7i32, -3i32, 40i32, 12i32]", has_large), "[5i32]");
    }

    #[test]
    fn sizes_that_depend_on_each_other() {
        let one_more = |v: &[Value]| size_of(&v[1]) == size_of(&v[0]) + 1;
        assert_eq!(shrunk("[1u8, 2u8, 3u8] [1u8, 2u8, 3u8, 4u8]", one_more), "empty([0]u8) [0u8]");
        let twice = |v: &[Value]| size_of(&v[1]) == 2 * size_of(&v[0]) && size_of(&v[0]) > 0;
        assert_eq!(shrunk("[1u8, 2u8] [1u8, 2u8, 3u8, 4u8]", twice), "[0u8] [0u8, 0u8]");
    }

    #[test]
    fn numbers_lose_sign_and_fraction() {
        let nonzero = |v: &[Value]| v[0].as_prim().is_some_and(|x| x.as_f64() != Some(0.0));
        assert_eq!(shrunk("-3.75f64", nonzero), "1.0f64");
        assert_eq!(shrunk("f32.nan", nonzero), "1.0f32");
        let odd = |v: &[Value]| v[0].as_prim().and_then(|x| x.as_int()).is_some_and(|x| x % 2 != 0);
        assert_eq!(shrunk("-77i8", odd), "1i8");
        let nan = |v: &[Value]| v[0].as_prim().and_then(|x| x.as_f64()).is_some_and(f64::is_nan);
        assert_eq!(shrunk("f32.nan", nan), "f32.nan");
    }
}
