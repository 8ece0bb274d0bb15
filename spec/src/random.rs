//! Random values for `random input`: the same ones on every machine and in every run.
//!
//! As `futhark dataset` makes them: integers from the whole range of their type, floats between 0 and 1, either bool.

use crate::run::Host;
use fun_base::prim::{PrimType, PrimValue, eval_conv};
use fun_base::rng::Rng;
use fun_base::value::{ArrayData, ArrayValue, Value, ValueReader, ValueType, shape_len};

/// No array is made of more bytes: filling it would take the machine down before anything could be said.
const LARGEST: usize = 8 << 30;

/// Which numbers a seed gives: another number here where they change, so that data from before are not taken for theirs.
const GENERATION: u32 = 1;

/// Arrays of fewer bytes are made anew as quickly as they are read.
const WORTH_KEEPING: usize = 1 << 20;

/// The values for a text such as `[100]f32 10i32 bool`: types with sizes, and constants. Large arrays that the host has are not made again.
pub(crate) fn values(text: &str, host: &dyn Host) -> Result<Vec<Value>, String> {
    let items = text.split_whitespace().enumerate();
    items.map(|(k, item)| value(item, k as u64 + 1, host)).collect()
}

fn value(item: &str, seed: u64, host: &dyn Host) -> Result<Value, String> {
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
        Some(ty) => kept(ty, shape, seed, host).map_err(|why| format!("{item}: {why}")),
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

/// The random value of a type and a seed, from the host if that has it.
fn kept(ty: PrimType, shape: Vec<i64>, seed: u64, host: &dyn Host) -> Result<Value, String> {
    let bytes = shape_len(&shape).and_then(|cells| cells.checked_mul(ty.bytes() as usize));
    if shape.is_empty() || !bytes.is_some_and(|bytes| (WORTH_KEEPING..=LARGEST).contains(&bytes)) {
        return of_type(ty, shape, &mut Rng::new(seed));
    }
    let sizes: Vec<String> = shape.iter().map(ToString::to_string).collect();
    let name = format!("{}.{}.seed{seed}.v{GENERATION}", sizes.join("x"), ty.name());
    let fits = |value: &Value| {
        value.value_type() == ValueType::array(ty, shape.len()) && value.shape() == shape.as_slice()
    };
    if let Some(value) = host.recall(&name).filter(fits) {
        return Ok(value);
    }
    let value = of_type(ty, shape, &mut Rng::new(seed))?;
    host.remember(&name, &value);
    Ok(value)
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
    use crate::run::Refusal;
    use fun_frontend::compile::Compiled;
    use std::cell::RefCell;
    use std::collections::BTreeMap;

    /// Remembers, and has no program.
    #[derive(Default)]
    struct Memory(RefCell<BTreeMap<String, Value>>);

    impl Host for Memory {
        fn read(&self, name: &str) -> Result<Vec<u8>, String> {
            Err(name.to_owned())
        }
        fn begin(&self, _line: usize, _title: &str) {}
        fn keep(&self, _line: usize, _entry: &str, _expected: &[Value], _found: &[Value]) {}
        fn recall(&self, name: &str) -> Option<Value> {
            self.0.borrow().get(name).cloned()
        }
        fn remember(&self, name: &str, value: &Value) {
            self.0.borrow_mut().insert(name.to_owned(), value.clone());
        }
        fn compile(&self) -> Result<Compiled, Refusal> {
            Err(Refusal { diagnostics: Vec::new(), text: String::new() })
        }
    }

    #[test]
    fn types_and_constants() {
        let host = Memory::default();
        let made = values("[3][2]f32 10 2i64 bool 0.5f16", &host).expect("values");
        let types: Vec<String> = made.iter().map(|value| value.value_type().to_string()).collect();
        assert_eq!(types, ["[][]f32", "i32", "i64", "bool", "f16"]);
        assert_eq!(made[0].shape(), [3, 2]);
        let array = made[0].as_array().expect("an array");
        assert!(array.iter().all(|x| x.as_f64().is_some_and(|x| (0.0..1.0).contains(&x))));
        assert!(array.get(0) != array.get(1));
        // the same again
        let again = values("[3][2]f32 10 2i64 bool 0.5f16", &host).expect("values");
        assert!(made.iter().zip(&again).all(|(a, b)| a.same(b)));
        assert!(host.0.borrow().is_empty());
    }

    #[test]
    fn large_arrays_are_made_once() {
        let host = Memory::default();
        let text = "[512][1024]i16 [1048576]u8 [1048575]u8";
        let made = values(text, &host).expect("values");
        let names: Vec<String> = host.0.borrow().keys().cloned().collect();
        assert_eq!(names, ["1048576.u8.seed2.v1", "512x1024.i16.seed1.v1"]);
        // these are what comes from now on, where they are of the type and the sizes
        let ones =
            Value::from(ArrayValue::new(vec![1 << 20], ArrayData::U8(vec![1; 1 << 20])).expect("ones"));
        host.remember(&names[0], &ones);
        host.remember(&names[1], &ones);
        let again = values(text, &host).expect("values");
        assert!(again[0].same(&made[0]) && again[1].same(&ones) && again[2].same(&made[2]));
        assert!(host.0.borrow()[&names[1]].same(&made[0]));
    }

    /// SplitMix64 as published gives these from seed 1 on; who changes what a seed gives changes the number of the generation, too.
    #[test]
    fn numbers_of_this_generation() {
        let made = values("[2]u64", &Memory::default()).expect("values");
        let wanted = ArrayData::U64(vec![0x910a_2dec_8902_5cc1, 0xbeeb_8da1_658e_ec67]);
        assert!(made[0].same(&Value::from(ArrayValue::new(vec![2], wanted).expect("numbers"))));
        assert_eq!(GENERATION, 1);
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
            assert_eq!(values(text, &Memory::default()).expect_err("a mistake"), message);
        }
    }
}
