//! Value files: text in, text or errors out; every format reads back what it writes.

use super::binary::write_binary;
use super::npy::{read_npy, write_npy};
use super::*;
use crate::prim::{PrimType::*, PrimValue};
use quickcheck::{Arbitrary, Gen, quickcheck};

/// A type as [`ValueType`] displays it.
fn value_type(text: &str) -> ValueType {
    let rank = text.matches("[]").count();
    ValueType { elem: text[2 * rank..].parse().expect("a type"), rank }
}

/// Reads one value, expecting a type unless it is "", and prints it, or the error.
fn read(expected: &str, text: impl AsRef<[u8]>) -> String {
    let expected = (!expected.is_empty()).then(|| value_type(expected));
    match ValueReader::new(text.as_ref()).read(expected) {
        Ok(Some(value)) => value.to_string(),
        Ok(None) => "end".to_owned(),
        Err(e) => e.to_string(),
    }
}

fn array(shape: &[i64], data: ArrayData) -> Value {
    ArrayValue::new(shape.to_vec(), data).expect("an array").into()
}

fn binary(value: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_binary(value, &mut bytes).expect("a vector takes all");
    bytes
}

fn npy(value: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_npy(value, &mut bytes).expect("a vector takes all");
    bytes
}

/// A value of any type but unit, of rank at most 3, with sizes that may be 0.
#[derive(Clone, Debug)]
struct AnyValue(Value);

impl Arbitrary for AnyValue {
    fn arbitrary(g: &mut Gen) -> AnyValue {
        let t = *g.choose(&crate::prim::PrimType::NUMERIC_AND_BOOL).expect("not empty");
        let rank = usize::arbitrary(g) % 4;
        let mut x = || PrimValue::from_bits(t, u64::arbitrary(g));
        if rank == 0 {
            return AnyValue(x().into());
        }
        let bits = x().bits();
        let shape: Vec<i64> = (0..rank).map(|d| (bits >> (8 * d)) as i64 & 3).collect();
        let n = shape_len(&shape).expect("small");
        let data = ArrayData::from_prims(t, (0..n).map(|_| x())).expect("one type");
        AnyValue(array(&shape, data))
    }
}

quickcheck! {
    fn text_reads_back(value: AnyValue) -> bool {
        let text = value.0.to_string();
        let typed = ValueReader::new(text.as_bytes()).read(Some(value.0.value_type()));
        let inferred = ValueReader::new(text.as_bytes()).read(None);
        [typed, inferred].into_iter().all(|read| read.is_ok_and(|read| read.is_some_and(|read| read.same(&value.0))))
    }

    fn binary_reads_back(value: AnyValue) -> bool {
        let bytes = binary(&value.0);
        ValueReader::new(&bytes).read_exactly(&[value.0.value_type()]).is_ok_and(|read| read[0].same(&value.0))
    }

    fn npy_reads_back(value: AnyValue) -> bool {
        read_npy(&npy(&value.0)).is_ok_and(|read| read.same(&value.0))
    }

    fn truncated_files_are_errors(value: AnyValue, at: usize) -> bool {
        [binary(&value.0), npy(&value.0)].into_iter().all(|bytes| {
            ValueReader::new(&bytes[..1 + at % (bytes.len() - 1)]).read(None).is_err()
        })
    }

    fn no_bytes_make_the_reader_panic(start: u8, rest: Vec<u8>) -> bool {
        let starts: [&[u8]; 7] = [b"", b"b\x02\x01 i32", b"b\x02\x02  u8", b"[[", b"\x93NUMPY\x01\x00\x08\x00", b"empty(", b"0x"];
        let mut bytes = starts[start as usize % starts.len()].to_vec();
        bytes.extend(rest);
        // Whatever comes out prints and reads back.
        ValueReader::new(&bytes).read_all().map_or(true, |values| {
            values.iter().all(|v| ValueReader::new(v.to_string().as_bytes()).read(None).is_ok())
        })
    }
}

#[test]
fn scalars_take_the_expected_type() {
    for (expected, text, result) in [
        ("", "5", "5i32"),
        ("", "-5", "-5i32"),
        ("", "1.5", "1.5f64"),
        ("", "1e3", "1000.0f64"),
        ("", "true", "true"),
        ("", "()", "()"),
        ("f32", "5", "5.0f32"),
        ("f32", "1f32", "1.0f32"),
        ("u8", "0xff", "255u8"),
        ("i8", "-0x80i8", "-128i8"),
        ("i8", "255i8", "-1i8"),
        ("i8", "0b11111111i8", "-1i8"),
        ("u16", "-1u16", "65535u16"),
        ("f16", "1e5f16", "f16.inf"),
        ("i64", "0b101", "5i64"),
        ("i64", "1_000_000", "1000000i64"),
        ("i32", "0x7fff_ffff", "2147483647i32"),
        ("u64", "18446744073709551615", "18446744073709551615u64"),
        ("i64", "-9223372036854775808i64", "-9223372036854775808i64"),
        ("i32", "007", "7i32"),
        ("f32", "f32.nan", "f32.nan"),
        ("f64", "-f64.inf", "-f64.inf"),
        ("f16", "f16.inf", "f16.inf"),
        ("f32", "0x1.8p1", "3.0f32"),
        ("", "-0x.8p-1f32", "-0.25f32"),
        ("f64", "0x10", "16.0f64"),
        ("f32", "1.5e-3", "0.0015f32"),
        ("f64", "-0.0", "-0.0f64"),
        ("f32", "1_0.2_5", "10.25f32"),
        ("", "  -- a comment\n -- another\n\t7i8--x", "7i8"),
        ("", " -- only a comment", "end"),
        ("[]u8", r#""a\"\n""#, "[97u8, 34u8, 10u8]"),
        ("[][]u8", r#"["ab", "cd"]"#, "[[97u8, 98u8], [99u8, 100u8]]"),
        ("", r#"[["a"], ["b"]]"#, "[[[97u8]], [[98u8]]]"),
        ("", "[empty([0]i32), empty([0]i32)]", "empty([2][0]i32)"),
    ] {
        assert_eq!(read(expected, text), result, "{expected} {text}");
    }
}

#[test]
fn wrong_scalars_are_errors_with_a_place() {
    for (expected, text, result) in [
        ("i32", "2147483648", "1:1: `2147483648` does not fit i32"),
        ("", "2147483648", "1:1: `2147483648` does not fit i32"),
        ("u8", "\n -1", "2:2: `-1` does not fit u8"),
        ("i8", "0x80", "1:1: `0x80` does not fit i8"),
        ("f32", "1e39", "1:1: `1e39` does not fit f32"),
        ("f16", "65520", "1:1: `65520` does not fit f16"),
        ("f32", "1f64", "1:1: expected f32, found `1f64` of type f64"),
        ("i32", "1i64", "1:1: expected i32, found `1i64` of type i64"),
        ("i32", "1.5", "1:1: expected i32, found the fractional number `1.5`"),
        ("", "1.5i32", "1:1: expected i32, found the fractional number `1.5i32`"),
        ("bool", "1", "1:1: expected bool, found `1` of type i32"),
        ("i32", "true", "1:1: expected i32, found `true` of type bool"),
        ("f32", "f64.nan", "1:1: expected f32, found `f64.nan` of type f64"),
        ("i32", "hello", "1:1: expected a value, found `hello`"),
        ("", "1x", "1:1: expected a value, found `1x`"),
        ("", "1.2.3", "1:1: expected a value, found `1.2.3`"),
        ("", "0x", "1:1: expected a value, found `0x`"),
        ("", "0b12", "1:1: expected a value, found `0b12`"),
        ("", "-", "1:1: expected a value, found `-`"),
        ("", "\u{e9}", "1:1: expected a value, found `\u{fffd}`"),
        ("i32", "[1]", "1:1: expected i32, found an array"),
        ("[]i32", "1", "1:1: expected []i32, found `1`"),
        ("", r#"["ab", "c"]"#, "1:8: this row has another size than earlier ones"),
        ("", r#"["ab", 1u8]"#, "1:8: expected `[`, found a scalar, as elsewhere in the array at this depth"),
        ("[]u8", r#"["ab"]"#, "1:2: found an array of another rank, in an array of type []u8"),
        ("", "\"abc", "1:1: the string that begins here is not closed"),
        ("", "\"a\\q\"", "1:4: unknown escape in a string"),
    ] {
        assert_eq!(read(expected, text), result, "{expected} {text}");
    }
}

#[test]
fn arrays() {
    for (expected, text, result) in [
        ("", "[1, 2]", "[1i32, 2i32]"),
        ("", "[1u8, 2]", "[1u8, 2u8]"),
        ("[][]f32", "[[1,2.5] , -- row\n [3,f32.nan]]", "[[1.0f32, 2.5f32], [3.0f32, f32.nan]]"),
        ("", "[[[true]], [[false]]]", "[[[true]], [[false]]]"),
        ("", "empty([0][2]i32)", "empty([0][2]i32)"),
        ("[][]i32", " empty ( [2] [0]i32 ) ", "empty([2][0]i32)"),
        ("[]i32", "[]", "empty([0]i32)"),
        ("[][]i32", "[]", "empty([0][0]i32)"),
        ("[][]i32", "[[], []]", "empty([2][0]i32)"),
        ("[][][]i8", "[[]]", "empty([1][0][0]i8)"),
        ("", "[]", "1:1: the type of this empty array is not known: write it as `empty([0]i32)`"),
        ("[]f32", "[]f32", "empty([0]f32)"),
        ("", "[1, 2", "1:1: the array that begins here is not closed"),
        ("", "[1 2]", "1:4: expected `,` or `]`, found `2`"),
        ("", "[1,]", "1:4: expected a value, found `]`"),
        ("", "[,1]", "1:2: expected a value, found `,`"),
        ("", "[[1, 2], [3]]", "1:12: this row has size 1, but earlier ones have size 2"),
        ("", "[[1], []]", "1:8: this row has size 0, but earlier ones have size 1"),
        ("", "[[1], 2]", "1:7: expected `[`, found a scalar, as elsewhere in the array at this depth"),
        ("", "[[], 2]", "1:6: expected `[`, found a scalar, as elsewhere in the array at this depth"),
        ("", "[1, [2]]", "1:5: expected a scalar, found `[`, as elsewhere in the array at this depth"),
        ("[]i32", "[[1]]", "1:2: expected a scalar, found `[`, in an array of type []i32"),
        ("[][]i32", "[1]", "1:2: expected `[`, found a scalar, in an array of type [][]i32"),
        ("[]i32", "[1, 2i64]", "1:5: expected i32, found `2i64` of type i64"),
        ("", "[1, 2.5]", "1:5: expected i32, found the fractional number `2.5`"),
        ("[]i32", "empty([0]f32)", "1:1: expected a value of type []i32, found one of type []f32"),
        ("", "empty([1]f32)", "1:6: this array is not empty: no size is 0"),
        ("", "empty([-1]f32)", "1:8: expected the size of a dimension"),
        ("", "empty([0]foo)", "1:10: expected an element type, found `foo`"),
        ("", "empty([0]i32", "1:13: expected `)`, but the input ends"),
        ("", "empty([0][9223372036854775807][9]i32)", "1:6: array too large for memory"),
        ("", "]", "1:1: expected a value, found `]`"),
    ] {
        assert_eq!(read(expected, text), result, "{expected} {text}");
    }
}

#[test]
fn deep_nesting_is_refused_without_recursion() {
    let deep = "[".repeat(100_000);
    assert_eq!(read("", &deep), "1:256: arrays have at most 255 dimensions");
    let deepest = "[".repeat(255) + "1" + &"]".repeat(255);
    assert_eq!(read("", &deepest), deepest.replace('1', "1i32"));
    let sizes = format!("empty({}i32)", "[0]".repeat(100_000));
    assert!(read("", sizes).ends_with("arrays have at most 255 dimensions"));
}

#[test]
fn values_of_all_formats_follow_each_other() {
    let matrix = array(&[2, 1], ArrayData::F32(vec![1.5, -2.0]));
    let mut stream = b" -- first\n1i8 ".to_vec();
    stream.extend(binary(&matrix));
    stream.extend(b"[2]");
    stream.extend(npy(&matrix));
    stream.extend(binary(&Value::Prim(PrimValue::Bool(true))));
    stream.extend(b"\n 3 -- end");
    let types = ["i8", "[][]f32", "[]i64", "[][]f32", "bool", "u16"].map(value_type);
    let values = ValueReader::new(&stream).read_exactly(&types).unwrap();
    let texts: Vec<String> = values.iter().map(Value::to_string).collect();
    let expected = ["1i8", "[[1.5f32], [-2.0f32]]", "[2i64]", "[[1.5f32], [-2.0f32]]", "true", "3u16"];
    assert_eq!(texts, expected);
    let few = ValueReader::new(&stream).read_exactly(&types[..5]).unwrap_err();
    assert_eq!((few.line, few.message.as_str()), (few.line, "expected 5 values, but more are given"));
    let many = ValueReader::new(b"1").read_exactly(&[value_type("i32"); 2]).unwrap_err();
    assert_eq!(many.to_string(), "1:2: expected 2 values, but only 1 are given");
}

#[test]
fn binary_has_the_documented_bytes() {
    let value = array(&[2], ArrayData::I16(vec![1, -2]));
    assert_eq!(binary(&value), b"b\x02\x01 i16\x02\0\0\0\0\0\0\0\x01\0\xfe\xff");
    assert_eq!(binary(&Value::Prim(PrimValue::U8(7))), b"b\x02\x00  u8\x07");
}

#[test]
fn wrong_binary_is_an_error() {
    let huge = b"b\x02\x02 f64\xff\xff\xff\xff\0\0\0\0\xff\xff\xff\xff\0\0\0\0";
    for (bytes, message) in [
        (&b"b\x01\x00 i32\0\0\0\0"[..], "1:2: expected version 2 of the binary format, found 1"),
        (b"b\x02\x00 i33\0\0\0\0", "1:4: unknown element type \" i33\""),
        (b"b\x02\x00 i32\0\0", "1:10: the binary value is truncated: 4 bytes of elements expected, 2 found"),
        (b"b\x02\x01 i32\x01", "1:9: the binary value is truncated"),
        (b"b", "1:2: the binary value is truncated"),
        (huge, "1:8: the sizes are too large"),
        (b"b\x02\x01 i32\xff\xff\xff\xff\xff\xff\xff\xff", "1:8: the size 18446744073709551615 is too large"),
        (
            b"b\x02\x01  i8\0\0\0\0\0\x01\0\0",
            "1:16: the binary value is truncated: 1099511627776 bytes of elements expected, 0 found",
        ),
        (b"b\x02\x00bool\x02", "1:8: a bool is neither 0 nor 1"),
    ] {
        assert_eq!(read("", bytes), message);
    }
    let mismatch = read("[]f32", binary(&Value::Prim(PrimValue::I32(1))));
    assert_eq!(mismatch, "1:1: expected a value of type []f32, found one of type i32");
    let unit = Value::Prim(PrimValue::Unit);
    assert!(write_binary(&unit, &mut Vec::new()).is_err() && write_npy(&unit, &mut Vec::new()).is_err());
}

/// A `.npy` file of version 1 with this header and these elements.
fn npy_file(header: &str, elements: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(elements);
    bytes
}

#[test]
fn npy_orders_and_refusals() {
    let read = |header: &str, elements: &[u8]| match read_npy(&npy_file(header, elements)) {
        Ok(value) => value.to_string(),
        Err(message) => message,
    };
    let six = [1, 2, 3, 4, 5, 6];
    let header = |descr: &str, fortran: &str, shape: &str| {
        format!("{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {shape}, }}")
    };
    assert_eq!(read(&header("'|u1'", "False", "(2, 3)"), &six), "[[1u8, 2u8, 3u8], [4u8, 5u8, 6u8]]");
    assert_eq!(read(&header("'|u1'", "True", "(2, 3)"), &six), "[[1u8, 3u8, 5u8], [2u8, 4u8, 6u8]]");
    assert_eq!(read(&header("'|i1'", "True", "(1, 3, 2)"), &six), "[[[1i8, 4i8], [2i8, 5i8], [3i8, 6i8]]]");
    assert_eq!(read(&header("'>i2'", "False", "(3,)"), &six), "[258i16, 772i16, 1286i16]");
    assert_eq!(read(&header("'<u2'", "False", "()"), &six[..2]), "513u16");
    assert_eq!(read(&header("'<f8'", "True", "(0, 4)"), &[]), "empty([0][4]f64)");
    assert_eq!(read(&header("'|b1'", "False", "(1,)"), &[2]), "a bool is neither 0 nor 1");
    assert_eq!(
        read(&header("'<u2'", "False", "(3,)"), &six[..4]),
        "the file is truncated: 6 bytes of elements expected, 4 found"
    );
    assert_eq!(read(&header("'|u1'", "False", "(3,)"), &six), "3 bytes follow the array");
    assert_eq!(read(&header("'<c8'", "False", "(1,)"), &six), "arrays of '<c8' have no counterpart here");
    assert!(read(&header("[('a', '<f4')]", "False", "(1,)"), &six).ends_with("have no counterpart here"));
    assert_eq!(read(&header("'<f8'", "False", "(4294967296, 4294967296, 0)"), &[]), "the array is too large");
    assert_eq!(read(&"(".repeat(60_000), &[]), "the .npy header is not of a plain array");
    assert!(read("{'descr': ", &[]).starts_with("not a .npy file that can be read"));
    assert!(read(&format!("{}1", "(".repeat(16)), &[]).starts_with("not a .npy file that can be read"));
    assert_eq!(read_npy(b"\x93NUMPY\x02\x00\xff\xff\xff\xff{").unwrap_err(), "the .npy header is truncated");
    assert_eq!(
        read_npy(b"\x93NUMPY\x09\x00\xff\xff\xff\xff{").unwrap_err(),
        "unknown version 9 of the .npy format"
    );
}

#[test]
fn sizes_are_checked() {
    assert_eq!(shape_len(&[]), Some(1));
    assert_eq!(shape_len(&[3, 0, 5]), Some(0));
    assert_eq!(shape_len(&[3, -1]), None);
    assert_eq!(shape_len(&[1 << 32, 1 << 32, 0]), None);
    assert_eq!(ArrayValue::zeroed(F64, vec![1 << 61]).unwrap_err(), SizeError::TooLarge);
    assert_eq!(ArrayValue::zeroed(F64, vec![-1]).unwrap_err(), SizeError::Negative(-1));
    assert_eq!(ArrayData::with_capacity(I64, usize::MAX).unwrap_err(), SizeError::TooLarge);
    let mismatch = ArrayValue::new(vec![2, 2], ArrayData::U8(vec![1])).unwrap_err();
    assert_eq!(mismatch.to_string(), "array shape asks for 4 elements, but 1 are given");
    assert_eq!(ArrayValue::zeroed(Unit, vec![1 << 40]).unwrap().len(), 1 << 40);
}

#[test]
fn elements() {
    for t in crate::prim::PrimType::NUMERIC_AND_BOOL.into_iter().chain([Unit]) {
        let mut data = ArrayData::zeroed(t, 2).unwrap();
        assert_eq!(data.push(t.of_i64(1)), Some(()));
        assert_eq!(data.set(1, t.of_i64(1)), Some(()));
        assert_eq!(data.set(3, t.of_i64(1)), None);
        let other = if t == Bool { I8 } else { Bool };
        assert_eq!((data.push(other.zero()), data.set(0, other.zero())), (None, None));
        assert_eq!(data.iter().collect::<Vec<_>>(), [t.of_i64(0), t.of_i64(1), t.of_i64(1)]);
        assert_eq!((data.len(), data.elem_type(), data.get(3)), (3, t, None));
        let bytes = data.to_bytes();
        assert_eq!(bytes.len(), 3 * t.bytes() as usize);
        if t != Unit {
            let back = ArrayValue::vector(ArrayData::from_bytes(t, &bytes).unwrap());
            assert!(Value::from(back).same(&ArrayValue::vector(data).into()));
        }
    }
    assert!(ArrayData::from_bytes(I32, &[1, 2, 3]).is_none());
    assert!(ArrayData::from_prims(I32, [PrimValue::I64(1)]).is_none());
}

#[test]
fn comparison() {
    let read = |text: &str| ValueReader::new(text.as_bytes()).read(None).unwrap().unwrap();
    let other_nan = Value::Prim(PrimValue::F32(f32::from_bits(0xffc0_0001)));
    assert!(other_nan.same(&read("f32.nan")));
    for (left, right, same, close) in [
        ("1i32", "1i32", true, ""),
        ("1i32", "1i64", false, "type i32 instead of i64"),
        ("0.0", "-0.0", false, ""),
        ("[1, 2]", "[1, 2, 3]", false, "shape [2] instead of [3]"),
        ("[[1.0, 2.0], [3.0, 4.0]]", "[[1.0, 2.0], [3.1, 4.0]]", false, "3.0f64 instead of 3.1f64 at [1, 0]"),
        ("1000.0f32", "1000.9f32", false, ""),
        ("0.0f32", "0.0009f32", false, ""),
        ("0.0f32", "0.0011f32", false, "0.0f32 instead of 0.0011f32"),
        ("[f64.nan]", "[f64.nan]", true, ""),
        ("f64.nan", "1.0", false, "f64.nan instead of 1.0f64"),
        ("f64.inf", "f64.inf", true, ""),
        ("f64.inf", "1e308", false, "f64.inf instead of 1e308f64"),
        ("f64.inf", "-f64.inf", false, "f64.inf instead of -f64.inf"),
        ("[1000, 1]", "[1001, 1]", false, "1000i32 instead of 1001i32 at [0]"),
        ("empty([0][2]i8)", "empty([0][2]i8)", true, ""),
        ("empty([0][2]i8)", "empty([0][3]i8)", false, "shape [0, 2] instead of [0, 3]"),
    ] {
        let (left, right) = (read(left), read(right));
        assert_eq!(left.same(&right), same, "{left} {right}");
        let difference = left.close(&right, 0.001).map_or_else(|d| d.to_string(), |()| String::new());
        assert_eq!(difference, close, "{left} {right}");
    }
}

#[test]
fn pretty() {
    let iota = |n: i32| array(&[n.into()], ArrayData::I32((0..n).collect()));
    assert_eq!(iota(1000).pretty(6), "[0, 1, 2, ..., 997, 998, 999] : [1000]i32");
    assert_eq!(iota(7).pretty(6), "[0, 1, 2, 3, 4, 5, 6] : [7]i32");
    assert_eq!(iota(3).pretty(0), "[0, 1, 2] : [3]i32");
    assert_eq!(iota(0).pretty(6), "empty([0]i32)");
    assert_eq!(Value::Prim(PrimValue::F32(1.0)).pretty(6), "1.0f32");
    let specials = array(&[4], ArrayData::F32(vec![f32::NAN, f32::NEG_INFINITY, 1e-9, 2.0]));
    assert_eq!(specials.pretty(6), "[nan, -inf, 1e-9, 2.0] : [4]f32");
    let square = array(&[9, 9], ArrayData::U8((0..81).collect()));
    assert_eq!(square.pretty(4), "[[0, ..., 8],\n ...,\n [72, ..., 80]] : [9][9]u8");
    assert_eq!(
        array(&[2, 2], ArrayData::Bool(vec![true; 4])).pretty(4),
        "[[true, true],\n [true, true]] : [2][2]bool"
    );
}
