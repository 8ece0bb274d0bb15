//! Loops in vectors of 32 bytes: registers that are not enough, values from and to the outside, and the reasons for vectors of 16 bytes.
//! What operators compute in them, beside the interpreter and with awkward values, is in `vectors`.

use crate::common::{array, i64, program, run};
use fun_base::prim::{PrimType, PrimValue};
use fun_base::value::{ArrayValue, Value};
use fun_cranelift::{Options, asm_text, compile, loops_text};
use std::fmt::Write;

/// Whether this machine has vectors of 32 bytes, as far as the reports of a plain loop tell.
fn machine_is_wide() -> bool {
    loops_text(&program(&sums(1))).unwrap().contains("32 bytes")
}

/// A loop that adds `count` products of each element up, and multiplies each of these by the sum: all are needed until the end.
fn sums(count: usize) -> String {
    let mut body = String::new();
    for k in 0..count {
        writeln!(body, "let x_{}: f32 = mul.f32(A_3[i_5], {k}.5f32)", 10 + k).unwrap();
    }
    let sum = (1..count).fold("x_10".to_owned(), |sum, k| format!("add.f32({sum}, x_{})", 10 + k));
    writeln!(body, "let s_9: f32 = {sum}").unwrap();
    let products = (0..count).fold("s_9".to_owned(), |sum, k| format!("fma.f32(s_9, x_{}, {sum})", 10 + k));
    format!(
        "entry proc main(n_0: i64, a_1: mem): (i64, mem) takes (f32[@0]@1) gives (f32[@0]@1) {{
        alloc c_2: f32[n_0]
        view A_3: f32 @ a_1 -> 0 + {{(n_0 : 1)}}
        view C_4: f32 @ c_2 -> 0 + {{(n_0 : 1)}}
        for i_5: i64 < n_0 simd {{ {body} C_4[i_5] := {products} }}
        return (n_0, c_2) }}"
    )
}

fn floats(count: i64) -> Value {
    array(PrimType::F32, &[count], (0..count).map(|k| k * 7 % 11 - 5))
}

#[test]
fn more_values_than_vector_registers() {
    for count in [3, 12, 16, 17, 20, 33, 60] {
        for n in [0, 1, 7, 8, 9, 33, 70] {
            run(&sums(count), &[floats(n)]).unwrap();
        }
    }
}

/// A loop over many arrays, each with a step between its rows that is known at run time.
fn arrays(count: usize) -> String {
    let (mut params, mut takes, mut views) = (String::new(), String::new(), String::new());
    let mut sum = "0.25f32".to_owned();
    for k in 0..count {
        write!(params, ", a_{}: mem", 100 + k).unwrap();
        let comma = if k == 0 { "" } else { ", " };
        write!(takes, "{comma}f32[@0][@1]@{}", 2 + k).unwrap();
        writeln!(views, "view A_{}: f32 @ a_{} -> 0 + {{(m_0 : n_1)(n_1 : 1)}}", 200 + k, 100 + k).unwrap();
        sum = format!("fma.f32({sum}, 0.5f32, A_{}[r_5, i_6])", 200 + k);
    }
    format!(
        "entry proc main(m_0: i64, n_1: i64{params}): (i64, i64, mem) takes ({takes}) gives (f32[@0][@1]@2) {{
        alloc c_2: f32[m_0][n_1]
        {views}
        view C_4: f32 @ c_2 -> 0 + {{(m_0 : n_1)(n_1 : 1)}}
        for r_5: i64 < m_0 seq {{ for i_6: i64 < n_1 simd {{ C_4[r_5, i_6] := {sum} }} }}
        return (m_0, n_1, c_2) }}"
    )
}

#[test]
fn more_addresses_than_general_registers() {
    for count in [2, 11, 13, 14, 20, 40] {
        for (m, n) in [(0, 3), (1, 8), (3, 19), (2, 64)] {
            let given: Vec<Value> = (0..count as i64)
                .map(|k| array(PrimType::F32, &[m, n], (0..m * n).map(|at| (at * 3 + k * 5) % 17 - 8)))
                .collect();
            run(&arrays(count), &given).unwrap();
        }
    }
}

/// Variables from outside that a loop assigns and reads, of several types.
#[test]
fn variables_from_outside_come_back() {
    let text = "entry proc main(n_0: i64, a_1: mem): (f32, i64, bool, f64) takes (f32[@0]@1) gives (f32@0, i64@1, bool@2, f64@3) {
        view A_3: f32 @ a_1 -> 0 + {(n_0 : 1)}
        alloc b_4: f32[32i64] in stack
        view B_5: f32 @ b_4 -> 0 + {(32 : 1)}
        var sum_6: f32 = 0.5f32
        var count_7: i64 = 3i64
        var odd_8: bool = false
        var square_9: f64 = 1.5f64
        for r_10: i64 < n_0 seq {
          for l_11: i64 < 32i64 simd { B_5[l_11] := mul.f32(A_3[r_10], 0.5f32) }
          sum_6 := add.f32(sum_6, B_5[7i64])
          count_7 := add.i64(count_7, r_10)
          odd_8 := not.bool(odd_8)
          square_9 := fma.f64(convert.f64.f32(B_5[31i64]), 2.0f64, square_9)
        }
        free b_4
        return (sum_6, count_7, odd_8, square_9) }";
    for n in [0, 1, 2, 31, 100] {
        run(text, &[floats(n)]).unwrap();
    }
}

/// Elements of two widths.
const MIXED: &str = "entry proc main(n_0: i64, a_1: mem): (i64, mem) takes (i16[@0]@1) gives (i32[@0]@1) {
    alloc c_2: i32[n_0]
    view A_3: i16 @ a_1 -> 0 + {(n_0 : 1)}
    view C_4: i32 @ c_2 -> 0 + {(n_0 : 1)}
    for i_5: i64 < n_0 simd { C_4[i_5] := convert.i32.i16(A_3[i_5]) }
    return (n_0, c_2) }";

/// Where operands are the same or undo each other, Cranelift's rules make constants, but not of vectors of 32 bytes.
#[test]
fn integers_that_fall_together() {
    let forms = [
        "xor.T(x_6, y_7)",
        "sub.T(x_6, y_7)",
        "or.T(x_6, not.T(y_7))",
        "and.T(not.T(x_6), y_7)",
        "xor.T(x_6, not.T(y_7))",
        "add.T(not.T(x_6), y_7)",
        "neg.T(not.T(x_6))",
        "not.T(neg.T(x_6))",
        "sub.T(add.T(x_6, y_7), x_6)",
        "min.T(max.T(x_6, y_7), y_7)",
        "select(eq.T(x_6, y_7), x_6, neg.T(x_6))",
        "select(lt.T(sub.T(x_6, y_7), x_6), neg.T(x_6), y_7)",
        "select(ge.T(x_6, max.T(x_6, y_7)), abs.T(x_6), y_7)",
        "select(xor.bool(lt.T(x_6, y_7), lt.T(x_6, y_7)), x_6, not.T(y_7))",
    ];
    for ty in [PrimType::I8, PrimType::U16, PrimType::I32, PrimType::U32, PrimType::I64, PrimType::U64] {
        for form in forms {
            let text = format!(
                "entry proc main(n_0: i64, a_1: mem): (i64, mem) takes (T[@0]@1) gives (T[@0]@1) {{
                alloc c_2: T[n_0]
                view A_3: T @ a_1 -> 0 + {{(n_0 : 1)}}
                view C_4: T @ c_2 -> 0 + {{(n_0 : 1)}}
                for i_5: i64 < n_0 simd {{ let x_6: T = A_3[i_5] let y_7: T = A_3[i_5] C_4[i_5] := {form} }}
                return (n_0, c_2) }}"
            )
            .replace(".T(", &format!(".{ty}("))
            .replace(": T", &format!(": {ty}"))
            .replace("T[", &format!("{ty}["));
            if machine_is_wide() {
                let loops = loops_text(&program(&text)).unwrap();
                assert!(loops.contains("32 bytes each"), "{loops} in {text}");
            }
            for n in [0, 3, 70] {
                run(&text, &[array(ty, &[n], (0..n).map(|k| k * 77 % 251 - 120))]).unwrap();
            }
        }
    }
}

#[test]
fn what_is_narrow_says_why() {
    if !machine_is_wide() {
        return;
    }
    let one = |ty: &str, op: &str| {
        let text = format!(
            "entry proc main(n_0: i64, a_1: mem): (i64, mem) takes ({ty}[@0]@1) gives ({ty}[@0]@1) {{
            alloc c_2: {ty}[n_0]
            view A_3: {ty} @ a_1 -> 0 + {{(n_0 : 1)}}
            view C_4: {ty} @ c_2 -> 0 + {{(n_0 : 1)}}
            for i_5: i64 < n_0 simd {{ C_4[i_5] := {op}.{ty}(A_4[i_5], A_4[i_5]) }}
            return (n_0, c_2) }}"
        );
        loops_text(&program(&text.replace("A_4", "A_3"))).unwrap()
    };
    assert!(one("f32", "mul").contains("8 lanes, 32 bytes each"), "{}", one("f32", "mul"));
    assert!(one("f64", "max").contains("4 lanes, 32 bytes each"), "{}", one("f64", "max"));
    assert!(one("i32", "xor").contains("8 lanes, 32 bytes each"), "{}", one("i32", "xor"));
    assert!(one("u8", "max").contains("32 lanes, 32 bytes each"), "{}", one("u8", "max"));
    assert!(one("i64", "mul").contains("4 lanes, 32 bytes each"), "{}", one("i64", "mul"));
    let mixed = loops_text(&program(MIXED)).unwrap();
    assert!(mixed.contains("i_5: vectors of 16 bytes: no loop in vectors of 32 bytes"), "{mixed}");
}

#[test]
fn vectors_of_16_bytes_can_be_asked_for() {
    let options = Options { wide: false, ..Options::default() };
    let (narrow, wide) = (
        compile(&program(&sums(4)), options).unwrap(),
        compile(&program(&sums(4)), Options::default()).unwrap(),
    );
    if machine_is_wide() {
        assert_ne!(narrow.code_bytes(), wide.code_bytes());
    }
}

#[test]
fn listings_have_the_instructions_of_the_generator() {
    if !machine_is_wide() {
        return;
    }
    let text = asm_text(&program(&sums(2))).unwrap();
    let (_, function) = text.split_once("; main.wide5").unwrap();
    for part in ["vmulps", "%ymm", "block1:", "jl block", "vzeroupper", "ret"] {
        assert!(function.contains(part), "{part} in\n{function}");
    }
    assert_eq!(text, asm_text(&program(&sums(2))).unwrap());
}

/// A product by a power of two and a sum with a constant are one instruction where that rounds to the same, also at the ends of the range.
#[test]
fn exact_products_are_added_to_unrounded() {
    let of_bits = |ty: PrimType, bits: u64| match ty {
        PrimType::F32 => PrimValue::F32(f32::from_bits(bits as u32)),
        _ => PrimValue::F64(f64::from_bits(bits)),
    };
    let greatest = |ty: PrimType| match ty {
        PrimType::F32 => PrimValue::F32(f32::MAX),
        _ => PrimValue::F64(f64::MAX),
    };
    for ty in [PrimType::F32, PrimType::F64] {
        for (factor, addend, is_one) in [
            ("2", "1", true),
            ("1", "0.3", true),
            ("4096", "-1e19", true),
            ("3", "1", false),
            ("0.5", "1", false),
            ("2", "1e20", false),
        ] {
            let sum = format!("add.{ty}(mul.{ty}({factor}{ty}, A_3[i_5]), {addend}{ty})");
            let text = sums(1).replace("fma.f32(s_9, x_10, s_9)", &sum).replace("f32", &ty.to_string());
            if machine_is_wide() {
                let code = asm_text(&program(&text)).unwrap();
                let (_, function) = code.split_once("; main.wide5").unwrap();
                assert_eq!(!function.contains("vmulp"), is_one, "{factor} {addend} in {function}");
            }
            let mut numbers: Vec<PrimValue> =
                [-3i64, -1, 0, 1, 2, 7, i64::MAX, 1 << 40].into_iter().map(|n| ty.of_i64(n)).collect();
            for bits in [1u64, 3, 0x7f_ffff] {
                numbers.push(of_bits(ty, bits));
            }
            let top = greatest(ty).bits();
            let sign = 1u64 << (ty.bits() - 1);
            // the greatest numbers, half of them, infinity, no number, and all of these with the other sign
            let step = if ty == PrimType::F32 { 1u64 << 23 } else { 1 << 52 };
            for bits in
                [top, top - 1, top - step, top - step - 1, top - 12 * step, top + 1, top + 1 + step / 2]
            {
                numbers.extend([of_bits(ty, bits), of_bits(ty, bits | sign)]);
            }
            let array = ArrayValue::from_prims(ty, numbers).unwrap();
            run(&text, &[array.into()]).unwrap();
        }
    }
}

/// Any integer but zero is true, also those that are no byte of a bool: Cranelift leaves out the comparison with zero.
#[test]
fn conditions_that_are_integers_choose_between_whole_floats() {
    for ty in ["f32", "f64"] {
        let text = format!(
            "entry proc main(n_0: i64, c_1: u8): (i64, mem) takes (i64@0, u8@1) gives ({ty}[@0]@1) {{
            alloc d_2: {ty}[n_0]
            view D_3: {ty} @ d_2 -> 0 + {{(n_0 : 1)}}
            for i_4: i64 < n_0 simd {{ D_3[i_4] := select(convert.bool.u8(c_1), -2.4999998{ty}, 6.0{ty}) }}
            return (n_0, d_2) }}"
        );
        for condition in [0, 1, 3, 255] {
            run(&text, &[i64(40), Value::Prim(PrimValue::U8(condition))]).unwrap();
        }
    }
}
