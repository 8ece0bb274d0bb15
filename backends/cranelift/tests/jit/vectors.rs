//! Loops in vectors: the same bits as one by one, for all numbers of iterations, and a reason for each loop that is not.

use crate::common::{array, program, run};
use fun_base::prim::{PrimType, PrimValue};
use fun_base::value::{ArrayValue, Value};
use fun_cranelift::loops_text;

/// Numbers of iterations around those that fill lanes and copies.
const COUNTS: [i64; 17] = [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 130];

/// A loop over `n` elements of two arrays `A` and `B` of type `ty`, that writes `C`.
pub(crate) fn loop_text(ty: &str, out: &str, body: &str) -> String {
    format!(
        "entry proc main(n_0: i64, a_1: mem, b_2: mem): (i64, mem)
        takes ({ty}[@0]@1, {ty}[@0]@2) gives ({out}[@0]@1) {{
        alloc c_3: {out}[n_0]
        view A_4: {ty} @ a_1 -> 0 + {{(n_0 : 1)}}
        view B_5: {ty} @ b_2 -> 0 + {{(n_0 : 1)}}
        view C_6: {out} @ c_3 -> 0 + {{(n_0 : 1)}}
        for i_7: i64 < n_0 simd {{ {body} }}
        return (n_0, c_3) }}"
    )
}

/// What is said of the loops of a program.
pub(crate) fn loops(text: &str) -> String {
    loops_text(&program(text)).unwrap()
}

pub(crate) fn in_vectors(text: &str) {
    let loops = loops(text);
    assert!(loops.contains("lanes"), "{loops}in\n{text}");
}

/// Values at which operators change what they do, in an order in which all meet.
pub(crate) fn edges(ty: PrimType, count: i64, seed: i64) -> Value {
    let specials: &[f64] = match ty.is_float() {
        true => &[
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            2.5,
            -3.5,
            1e30,
            -1e30,
            1e-40,
            -1e-40,
            88.5,
            -87.5,
            104.0,
            710.5,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
        ],
        false => &[0.0, 1.0, 2.0, 3.0, 7.0, 100.0, 127.0],
    };
    let prims = (0..count).map(|k| {
        let at = (k * (seed + 1) + seed * 5 + k / 11).rem_euclid(2 * specials.len() as i64) as usize;
        match ty {
            PrimType::F32 => PrimValue::F32(specials[at % specials.len()] as f32),
            PrimType::F64 => PrimValue::F64(specials[at % specials.len()]),
            PrimType::Bool => PrimValue::Bool(at.is_multiple_of(3)),
            _ if at >= specials.len() => ty.of_i64(-1 - (at as i64)),
            _ => ty.of_i64(specials[at] as i64),
        }
    });
    ArrayValue::from_prims(ty, prims).unwrap().into()
}

pub(crate) fn agree(ty: PrimType, text: &str) {
    in_vectors(text);
    for count in COUNTS {
        for seed in 0..3 {
            run(text, &[edges(ty, count, seed), edges(ty, count, seed + 1)]).unwrap();
        }
    }
}

/// All types that vectors hold as numbers.
pub(crate) fn numbers() -> impl Iterator<Item = PrimType> {
    let others = [PrimType::F16, PrimType::Bool];
    PrimType::NUMERIC_AND_BOOL.into_iter().filter(move |ty| !others.contains(ty))
}

#[test]
fn operators() {
    for ty in numbers() {
        let mut operators = vec!["add", "sub", "min", "max"];
        operators.extend(if ty.is_float() { vec!["mul", "div"] } else { vec!["and", "or", "xor"] });
        if !ty.is_float() && ty.bits() > 8 {
            operators.push("mul");
        }
        for op in operators {
            let body = format!("C_6[i_7] := {op}.{ty}(A_4[i_7], B_5[i_7])");
            agree(ty, &loop_text(&ty.to_string(), &ty.to_string(), &body));
        }
    }
}

#[test]
fn comparisons_and_choices() {
    for ty in numbers() {
        for op in ["eq", "ne", "lt", "le", "gt", "ge"] {
            let body = format!("C_6[i_7] := select({op}.{ty}(A_4[i_7], B_5[i_7]), A_4[i_7], B_5[i_7])");
            agree(ty, &loop_text(&ty.to_string(), &ty.to_string(), &body));
            let body = format!("C_6[i_7] := {op}.{ty}(A_4[i_7], B_5[i_7])");
            agree(ty, &loop_text(&ty.to_string(), "bool", &body));
        }
    }
}

#[test]
fn bools() {
    for op in ["and", "or", "xor", "eq", "ne"] {
        let body = format!("C_6[i_7] := not.bool({op}.bool(A_4[i_7], B_5[i_7]))");
        agree(PrimType::Bool, &loop_text("bool", "bool", &body));
    }
    for ty in numbers() {
        let body = format!("C_6[i_7] := convert.{ty}.bool(A_4[i_7])");
        agree(PrimType::Bool, &loop_text("bool", &ty.to_string(), &body));
        let body = format!("C_6[i_7] := convert.bool.{ty}(A_4[i_7])");
        agree(ty, &loop_text(&ty.to_string(), "bool", &body));
    }
}

/// A scan that begins with 5; what it leaves goes to the first cell in the end.
fn scan_text(ty: PrimType, body: &str) -> String {
    let text = loop_text(&ty.to_string(), &ty.to_string(), body);
    let text = text.replace("for i_7", &format!("var s_8: {ty} = 5{ty} for i_7")).replace("simd {", "scan {");
    text.replace("return", "if lt.i64(0i64, n_0) { C_6[0i64] := s_8 } return")
}

#[test]
fn scans() {
    for ty in numbers().filter(|ty| ty.is_int()) {
        for op in ["add", "min", "and"] {
            let body = format!(
                "let x_9: {ty} = {op}.{ty}(s_8, A_4[i_7]) s_8 := x_9 C_6[i_7] := sub.{ty}(x_9, B_5[i_7])"
            );
            agree(ty, &scan_text(ty, &body));
        }
        for op in ["max", "or", "xor"] {
            let body = format!(
                "let e_9: {ty} = xor.{ty}(A_4[i_7], B_5[i_7]) s_8 := {op}.{ty}(e_9, s_8) C_6[i_7] := s_8"
            );
            agree(ty, &scan_text(ty, &body));
        }
    }
}

#[test]
fn scans_of_another_form_run_one_by_one() {
    let bodies = [
        "s_8 := mul.i32(s_8, A_4[i_7]) C_6[i_7] := s_8",
        "s_8 := sub.i32(s_8, A_4[i_7]) C_6[i_7] := s_8",
        "s_8 := add.i32(s_8, and.i32(s_8, A_4[i_7])) C_6[i_7] := s_8",
        "C_6[i_7] := s_8 s_8 := add.i32(s_8, A_4[i_7])",
    ];
    for body in bodies {
        let text = scan_text(PrimType::I32, body);
        let loops = loops(&text);
        assert!(loops.contains("another scan than by one operator"), "{loops}in\n{text}");
        run(&text, &[edges(PrimType::I32, 33, 0), edges(PrimType::I32, 33, 1)]).unwrap();
    }
}

#[test]
fn functions_of_one_number() {
    for ty in numbers() {
        let mut operators = vec!["neg", "abs"];
        match ty.is_float() {
            true => {
                operators.extend(["sqrt", "rsqrt", "floor", "ceil", "trunc", "round", "exp", "log", "tanh"])
            }
            false => operators.push("not"),
        }
        for op in operators {
            let body = format!("C_6[i_7] := {op}.{ty}(A_4[i_7])");
            agree(ty, &loop_text(&ty.to_string(), &ty.to_string(), &body));
        }
    }
}

#[test]
fn counters_and_what_does_not_change() {
    let body = "let x_8: f32 = mul.f32(A_4[0i64], B_5[i_7])
        C_6[i_7] := add.f32(x_8, convert.f32.i64(sub.i64(mul.i64(i_7, 3i64), 7i64)))";
    agree(PrimType::F32, &loop_text("f32", "f32", body));
    let body = "C_6[i_7] := select(lt.i64(i_7, 5i64), A_4[i_7], B_5[sub.i64(sub.i64(n_0, 1i64), i_7)])";
    agree(PrimType::I32, &loop_text("i32", "i32", body));
    // in place: each iteration reads its own cell before it writes it
    let body = "C_6[i_7] := A_4[i_7]
        C_6[i_7] += B_5[i_7]
        C_6[i_7] := mul.i32(C_6[i_7], C_6[i_7])";
    agree(PrimType::I32, &loop_text("i32", "i32", body));
}

#[test]
fn choices_that_do_not_change_by_numbers_of_another_width() {
    // 1/3 has bits in both halves
    for (of, chosen) in [("f32", PrimType::F64), ("f64", PrimType::F32), ("f32", PrimType::F32)] {
        let body = format!(
            "C_6[i_7] := select(lt.{of}(convert.{of}.i64(n_0), 9.0{of}), div.{chosen}(1.0{chosen}, 3.0{chosen}), 254.0{chosen})"
        );
        agree(chosen, &loop_text(&chosen.to_string(), &chosen.to_string(), &body));
    }
}

#[test]
fn branches_on_the_counter_split_the_range() {
    let inside = "and.bool(gt.i64(i_7, 0i64), lt.i64(i_7, sub.i64(n_0, 1i64)))";
    let stencil = format!(
        "let in_8: bool = {inside}
        var x_9: f32
        if in_8 {{ x_9 := add.f32(A_4[sub.i64(i_7, 1i64)], A_4[add.i64(i_7, 1i64)]) }} else {{ x_9 := B_5[i_7] }}
        C_6[i_7] := x_9"
    );
    agree(PrimType::F32, &loop_text("f32", "f32", &stencil));
    let clamped = "let l_8: i64 = max.i64(sub.i64(i_7, 2i64), 0i64)
        let r_9: i64 = min.i64(add.i64(i_7, 1i64), sub.i64(n_0, 1i64))
        C_6[i_7] := sub.f32(A_4[l_8], B_5[r_9])";
    agree(PrimType::F32, &loop_text("f32", "f32", clamped));
    let either = "if or.bool(lt.i64(i_7, 3i64), ge.i64(i_7, 20i64)) { C_6[i_7] := A_4[i_7] }
        else { C_6[i_7] := B_5[sub.i64(i_7, 3i64)] }";
    agree(PrimType::I64, &loop_text("i64", "i64", either));
    // sums that wrap are no ranges
    let wraps = "let j_8: i64 = add.i64(i_7, 9223372036854775790i64)
        if gt.i64(j_8, 0i64) { C_6[i_7] := A_4[i_7] } else { C_6[i_7] := B_5[i_7] }";
    agree(PrimType::I64, &loop_text("i64", "i64", wraps));
    let never = "if gt.i64(n_0, 32i64) { C_6[i_7] := A_4[i_7] } else { C_6[i_7] := B_5[i_7] }";
    agree(PrimType::I8, &loop_text("i8", "i8", never));
}

#[test]
fn branches_on_elements_choose() {
    let body = "let x_8: f64 = A_4[i_7]
        var y_9: f64 = B_5[i_7]
        if lt.f64(x_8, y_9) { let z_10: f64 = mul.f64(x_8, 2.0f64)
          y_9 := add.f64(z_10, y_9) } else { if gt.f64(x_8, 1.0f64) { y_9 := x_8 } }
        C_6[i_7] := y_9";
    agree(PrimType::F64, &loop_text("f64", "f64", body));
}

#[test]
fn strides() {
    let text = "entry proc main(n_0: i64, a_1: mem, b_2: mem): (i64, mem)
        takes (i32[@0]@1, i32[@0]@2) gives (i32[@0]@1) {
        alloc c_3: i32[n_0]
        let last_8: i64 = sub.i64(n_0, 1i64)
        view A_4: i32 @ a_1 -> last_8 + {(n_0 : -1)}
        view B_5: i32 @ b_2 -> 0 + {(n_0 : 1)}
        view C_6: i32 @ c_3 -> 0 + {(n_0 : 1)}
        for i_7: i64 < n_0 par { C_6[i_7] := sub.i32(A_4[i_7], B_5[i_7]) }
        return (n_0, c_3) }";
    agree(PrimType::I32, text);
}

#[test]
fn sums_in_lanes() {
    let text = "entry proc main(n_0: i64, a_1: mem): (i32)
        takes (i32[@0]@1) gives (i32@0) {
        view A_4: i32 @ a_1 -> 0 + {(n_0 : 1)}
        let rounds_5: i64 = quot.i64(n_0, 8i64)
        alloc lanes_6: i32[8i64] in stack
        view L_7: i32 @ lanes_6 -> 0 + {(8 : 1)}
        for l_8: i64 < 8i64 simd { L_7[l_8] := 0i32 }
        for r_9: i64 < rounds_5 seq { for l_10: i64 < 8i64 simd {
          let i_11: i64 = add.i64(mul.i64(r_9, 8i64), l_10)
          let old_12: i32 = L_7[l_10]
          L_7[l_10] := add.i32(old_12, A_4[i_11]) } }
        var s_13: i32
        for l_14: i64 < 8i64 seq { s_13 := add.i32(s_13, L_7[l_14]) }
        free lanes_6
        return (s_13) }";
    in_vectors(text);
    for count in COUNTS {
        run(text, &[edges(PrimType::I32, count, 1)]).unwrap();
    }
}

#[test]
fn sums_of_tiles_stay_in_registers() {
    for m in [0, 1, 3, 4, 5, 9] {
        let text = "entry proc main(m_0: i64, p_1: i64, a_2: mem, b_3: mem): (i64, mem)
            takes (f32[6][@0]@2, f32[@0][@1]@3) gives (f32[6][16]@1) {
            alloc c_4: f32[6i64][16i64]
            view A_5: f32 @ a_2 -> 0 + {(6 : m_0)(m_0 : 1)}
            view B_6: f32 @ b_3 -> 0 + {(m_0 : p_1)(p_1 : 1)}
            view C_7: f32 @ c_4 -> 0 + {(6 : 16)(16 : 1)}
            alloc sums_8: f32[6i64][16i64] in stack
            view S_9: f32 @ sums_8 -> 0 + {(6 : 16)(16 : 1)}
            for r_10: i64 < 6i64 unroll { for c_11: i64 < 16i64 simd { S_9[r_10, c_11] := 0.5f32 } }
            for k_12: i64 < m_0 seq { for r_13: i64 < 6i64 unroll {
              let x_14: f32 = A_5[r_13, k_12]
              for c_15: i64 < 16i64 simd {
                S_9[r_13, c_15] := fma.f32(x_14, B_6[k_12, c_15], S_9[r_13, c_15]) } } }
            copy C_7 <- S_9
            free sums_8
            return (0i64, c_4) }";
        assert!(loops(text).contains("k_12: 12 vectors of "), "{}", loops(text));
        let a = array(PrimType::F32, &[6, m], (0..6 * m).map(|k| k * 7 % 11 - 5));
        let b = array(PrimType::F32, &[m, 16], (0..16 * m).map(|k| k * 5 % 13 - 6));
        run(text, &[a, b]).unwrap();
    }
}

#[test]
fn what_is_refused_says_why() {
    let refused = |body: &str, why: &str| {
        let text = loop_text("i32", "i32", body);
        let loops = loops(&text);
        assert!(loops.contains(why), "{loops}instead of {why} in\n{text}");
        for count in COUNTS {
            let ones = array(PrimType::I32, &[count], (0..count).map(|_| 1));
            run(&text, &[ones.clone(), ones]).unwrap();
        }
    };
    refused("C_6[i_7] := div.i32(A_4[i_7], B_5[i_7])", "may fail");
    refused("C_6[i_7] := popc.i32(A_4[i_7])", "no form for vectors");
    refused("C_6[i_7] := convert.i32.i64(mul.i64(i_7, n_0))", "known only at run time");
    refused("var j_8: i64 = mul.i64(i_7, n_0) C_6[i_7] := convert.i32.i64(j_8)", "known only at run time");
    refused("C_6[i_7] := A_4[mod.i64(i_7, 3i64)]", "no form for vectors");
    refused(
        "C_6[i_7] := 0i32 if lt.i32(A_4[i_7], B_5[i_7]) { C_6[i_7] := A_4[i_7] }",
        "a branch on elements",
    );
    let text = loop_text("i32", "i32", "C_6[i_7] := A_4[i_7]").replace("simd", "seq");
    assert_eq!(loops(&text), "", "loops in order stay in order");
}

#[test]
fn loops_in_order_that_overlap_stay_in_order() {
    let text = "entry proc main(n_0: i64, a_1: mem): (i64, mem)
        takes (*i32[@0]@1) gives (i32[@0]@1) {
        view A_4: i32 @ a_1 -> 0 + {(n_0 : 1)}
        for i_7: i64 < sub.i64(n_0, 1i64) seq { A_4[add.i64(i_7, 1i64)] := add.i32(A_4[i_7], A_4[add.i64(i_7, 1i64)]) }
        share a_1
        return (n_0, a_1) }";
    for count in COUNTS {
        run(text, &[edges(PrimType::I32, count, 2)]).unwrap();
    }
}
