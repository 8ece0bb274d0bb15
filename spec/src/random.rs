//! Random values for `random input`: the same ones on every machine and in every run.
//!
//! As `futhark dataset` makes them: integers from the whole range of their type, floats between 0 and 1, either bool.

use fun_base::prim::{PrimType, PrimValue, eval_conv};
use fun_base::rng::Rng;
use fun_base::value::{ArrayData, ArrayValue, Value, ValueReader, ValueType, shape_len};

/// No array is made of more bytes: filling it would take the machine down before anything could be said.
const LARGEST: usize = 8 << 30;

/// The values for a text such as `[100]f32 10i32 bool`: types with sizes, and constants.
pub(crate) fn values(text: &str) -> Result<Vec<Value>, String> {
    let items = text.split_whitespace().enumerate();
    items.map(|(k, item)| value(item, &mut Rng::new(k as u64 + 1))).collect()
}

fn value(item: &str, rng: &mut Rng) -> Result<Value, String> {
    let mut shape = Vec::new();
    let mut rest = item;
    while let Some((size, after)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        let size = size.trim().replace('_', "");
        let size = size.strip_suffix("i64").unwrap_or(&size);
        let size = size.parse::<i64>().map_err(|_| format!("`{size}` is no size, in `{item}`"))?;
        shape.push(size);
        rest = after;
    }
    match PrimType::from_name(rest) {
        Some(ty) => of_type(ty, shape, rng).map_err(|why| format!("{item}: {why}")),
        None if shape.is_empty() => {
            let constant = ValueReader::new(item.as_bytes()).read(None);
            constant
                .map_err(|_| ())
                .and_then(|value| value.ok_or(()))
                .map_err(|()| format!("`{item}` is no type and no constant"))
        }
        None => Err(format!("`{rest}` is no type of elements, in `{item}`")),
    }
}

/// A random value of a type.
pub(crate) fn of_type(ty: PrimType, shape: Vec<i64>, rng: &mut Rng) -> Result<Value, String> {
    if shape.is_empty() {
        return Ok(Value::Prim(scalar(ty, rng)));
    }
    let bytes = shape_len(&shape).and_then(|cells| cells.checked_mul(ty.bytes() as usize));
    if shape.iter().all(|size| *size >= 0) && bytes.is_none_or(|bytes| bytes > LARGEST) {
        return Err(format!("more than {} GiB of data", LARGEST >> 30));
    }
    let mut array = ArrayValue::zeroed(ty, shape).map_err(|error| error.to_string())?;
    match &mut array.data {
        ArrayData::I8(v) => v.iter_mut().for_each(|x| *x = rng.next_u64() as i8),
        ArrayData::I16(v) => v.iter_mut().for_each(|x| *x = rng.next_u64() as i16),
        ArrayData::I32(v) => v.iter_mut().for_each(|x| *x = rng.next_u64() as i32),
        ArrayData::I64(v) => v.iter_mut().for_each(|x| *x = rng.next_u64() as i64),
        ArrayData::U8(v) => v.iter_mut().for_each(|x| *x = rng.next_u64() as u8),
        ArrayData::U16(v) => v.iter_mut().for_each(|x| *x = rng.next_u64() as u16),
        ArrayData::U32(v) => v.iter_mut().for_each(|x| *x = rng.next_u64() as u32),
        ArrayData::U64(v) => v.iter_mut().for_each(|x| *x = rng.next_u64()),
        ArrayData::F32(v) => v.iter_mut().for_each(|x| *x = unit(rng) as f32),
        ArrayData::F64(v) => v.iter_mut().for_each(|x| *x = unit(rng)),
        ArrayData::Bool(v) => v.iter_mut().for_each(|x| *x = rng.next_u64() & 1 == 1),
        data @ ArrayData::F16(_) => {
            for k in 0..data.len() {
                // the position and the type are right
                let _ = data.set(k, scalar(ty, rng));
            }
        }
        ArrayData::Unit(_) => {}
    }
    Ok(array.into())
}

fn scalar(ty: PrimType, rng: &mut Rng) -> PrimValue {
    if ty.is_float() {
        return eval_conv(ty, PrimValue::F64(unit(rng)));
    }
    PrimValue::from_bits(ty, rng.next_u64())
}

/// A number from 0 on and below 1 that a f32 holds exactly.
fn unit(rng: &mut Rng) -> f64 {
    (rng.next_u64() >> 40) as f64 / (1u64 << 24) as f64
}

/// Whether values are arguments for parameters of these types; the error names the first that is not.
pub(crate) fn fits(values: &[Value], types: &[ValueType]) -> Result<(), String> {
    if values.len() != types.len() {
        return Err(format!("the entry point takes {} values and is given {}", types.len(), values.len()));
    }
    match values.iter().zip(types).position(|(value, ty)| value.value_type() != *ty) {
        None => Ok(()),
        Some(k) => Err(format!("argument {k} should be {}, but is {}", types[k], values[k].value_type())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_and_constants() {
        let made = values("[3][2]f32 10 2i64 bool 0.5f16").expect("values");
        let types: Vec<String> = made.iter().map(|value| value.value_type().to_string()).collect();
        assert_eq!(types, ["[][]f32", "i32", "i64", "bool", "f16"]);
        assert_eq!(made[0].shape(), [3, 2]);
        let array = made[0].as_array().expect("an array");
        assert!(array.iter().all(|x| x.as_f64().is_some_and(|x| (0.0..1.0).contains(&x))));
        assert!(array.get(0) != array.get(1));
        // the same again
        let again = values("[3][2]f32 10 2i64 bool 0.5f16").expect("values");
        assert!(made.iter().zip(&again).all(|(a, b)| a.same(b)));
    }

    #[test]
    fn mistakes() {
        for (text, message) in [
            ("[n]i32", "`n` is no size, in `[n]i32`"),
            ("[2]int", "`int` is no type of elements, in `[2]int`"),
            ("[100000][100000]f32", "[100000][100000]f32: more than 8 GiB of data"),
            ("[-1]i32", "[-1]i32: array of negative size -1"),
            ("foo", "`foo` is no type and no constant"),
            ("[4611686018427387904]i64", "[4611686018427387904]i64: more than 8 GiB of data"),
        ] {
            assert_eq!(values(text).expect_err("a mistake"), message);
        }
    }
}
