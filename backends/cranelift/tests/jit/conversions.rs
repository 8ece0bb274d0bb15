//! Conversions in vectors: the same bits as one by one.

use crate::common::run;
use crate::vectors::{agree, in_vectors, loop_text, loops, numbers};
use fun_base::prim::{PrimType, PrimValue};
use fun_base::value::{ArrayValue, Value};

#[test]
fn conversions() {
    for from in numbers() {
        for to in numbers() {
            let body = format!("C_6[i_7] := convert.{to}.{from}(A_4[i_7])");
            agree(from, &loop_text(&from.to_string(), &to.to_string(), &body));
        }
    }
}

/// Numbers around those at which conversions change what they do, and numbers with any bits.
fn near_ends(ty: PrimType) -> Value {
    let powers = [0, 7, 8, 15, 16, 23, 24, 25, 31, 32, 51, 52, 53, 54, 62, 63, 64];
    let mut bits = 0x9e37_79b9_7f4a_7c15u64;
    let any = std::iter::from_fn(|| {
        bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        Some(bits ^ (bits >> 29))
    });
    let prims: Vec<PrimValue> = match ty {
        PrimType::F32 | PrimType::F64 => {
            let float = |x: f64| match ty {
                PrimType::F32 => PrimValue::F32(x as f32),
                _ => PrimValue::F64(x),
            };
            let of_bits = |bits: u64| match ty {
                PrimType::F32 => PrimValue::F32(f32::from_bits(bits as u32)),
                _ => PrimValue::F64(f64::from_bits(bits)),
            };
            // (every fourth of any bits has an exponent of a few dozen)
            let scaled = any.take(200).enumerate().map(|(k, bits)| match k % 4 {
                0 => float((bits as i64 as f64) / 2f64.powi((k % 64) as i32)),
                _ => of_bits(bits),
            });
            let around = powers.into_iter().flat_map(|power| {
                let x = 2f64.powi(power);
                let beside = [x, x - 1.0, x + 1.0, x - 0.5, x.next_down(), x.next_up()];
                let singles = [f64::from((x as f32).next_down()), f64::from((x as f32).next_up())];
                beside.into_iter().chain(singles).flat_map(|x| [x, -x])
            });
            around.map(float).chain(scaled).collect()
        }
        _ => {
            let around = powers.into_iter().flat_map(|power| {
                let x = 1i64.checked_shl(power as u32).unwrap_or(0);
                // (rounding first to 53 bits and then to 24 is wrong of the last of these)
                let tie = x | (x >> 24) | 1;
                [
                    x,
                    x.wrapping_sub(1),
                    x.wrapping_add(1),
                    x | (x >> 24),
                    x | (x >> 53),
                    x | (x >> 24) | (x >> 25),
                    tie,
                    tie.wrapping_sub(2),
                ]
                .into_iter()
                .flat_map(|x| [x, x.wrapping_neg()])
            });
            around.chain(any.take(200).map(|bits| bits as i64 >> (bits % 64))).map(|x| ty.of_i64(x)).collect()
        }
    };
    ArrayValue::from_prims(ty, prims).unwrap().into()
}

#[test]
fn conversions_near_ends() {
    for from in numbers() {
        for to in numbers() {
            let body = format!("C_6[i_7] := convert.{to}.{from}(A_4[i_7])");
            let text = loop_text(&from.to_string(), &to.to_string(), &body);
            in_vectors(&text);
            run(&text, &[near_ends(from), near_ends(from)]).unwrap();
        }
    }
}

#[test]
fn conversions_beside_others_of_the_same_width() {
    // in vectors of 32 bytes, and one by one behind them
    for (from, to) in [
        ("f32", "i32"),
        ("f32", "u32"),
        ("i32", "f32"),
        ("u32", "f32"),
        ("f64", "i64"),
        ("f64", "u64"),
        ("i64", "f64"),
    ] {
        let body = format!("C_6[i_7] := convert.{to}.{from}(A_4[i_7])");
        let text = loop_text(from, to, &body);
        let ty = numbers().find(|ty| ty.to_string() == from).unwrap();
        assert!(!loops(&text).contains("16 bytes each"), "{}", loops(&text));
        run(&text, &[near_ends(ty), near_ends(ty)]).unwrap();
    }
}

#[test]
fn what_grows_evenly_in_other_types() {
    for ty in ["f32", "f64", "i32", "u16", "i8", "u64"] {
        for index in [
            "i_7",
            "add.i64(i_7, 2147483600i64)",
            "sub.i64(i_7, 2147483680i64)",
            "mul.i64(i_7, 1234567i64)",
            "add.i64(i_7, 9223372036854775790i64)",
            "sub.i64(-9223372036854775790i64, i_7)",
        ] {
            let read = format!("convert.{ty}.i64({index})");
            let op = if ty.starts_with('f') { "add" } else { "xor" };
            let body = format!("C_6[i_7] := {op}.{ty}({read}, A_4[i_7])");
            agree(numbers().find(|known| known.to_string() == ty).unwrap(), &loop_text(ty, ty, &body));
        }
    }
}
