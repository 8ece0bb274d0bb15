//! Loops in vectors that read where elements say, with tests of these indices: the same results, and the same failures as one by one.

use crate::common::{array, program, run};
use fun_base::prim::PrimType;
use fun_cranelift::loops_text;

const CHECK: &str = "assert and.bool(le.i64(0i64, j_8), lt.i64(j_8, n_0)) \"out of range\"";

/// A loop over `m` indices into an array of `n` numbers.
fn text(ty: &str, index: &str, body: &str) -> String {
    format!(
        "entry proc main(n_0: i64, m_1: i64, a_2: mem, b_3: mem): (i64, mem)
        takes ({ty}[@0]@2, {index}[@1]@3) gives ({ty}[@0]@1) {{
        alloc c_4: {ty}[m_1]
        view A_5: {ty} @ a_2 -> 0 + {{(n_0 : 1)}}
        view B_6: {index} @ b_3 -> 0 + {{(m_1 : 1)}}
        view C_7: {ty} @ c_4 -> 0 + {{(m_1 : 1)}}
        for i_9: i64 < m_1 simd {{ let k_10: {index} = B_6[i_9] let j_8: i64 = {} {body} }}
        return (m_1, c_4) }}",
        if index == "i64" { "k_10".to_owned() } else { format!("convert.i64.{index}(k_10)") }
    )
}

fn check(text: &str, ty: PrimType, index: PrimType) {
    let loops = loops_text(&program(text)).unwrap();
    assert!(loops.contains("lanes"), "{loops}in\n{text}");
    for m in [0, 1, 3, 4, 5, 8, 16, 33, 130] {
        let numbers = array(ty, &[17], (0..17).map(|k| k * 5 % 7 - 2));
        let right = array(index, &[m], (0..m).map(|k| k * 7 % 17));
        run(text, &[numbers.clone(), right]).unwrap();
        // one that is out of range, and others behind it that are so too
        for wrong in [-1, 17, i64::from(i32::MIN), i64::from(i32::MAX)] {
            for place in [0, 1, m / 2, m - 2, m - 1] {
                let at = |k: i64| if k >= place && k % 3 == place.rem_euclid(3) { wrong } else { k * 7 % 17 };
                let indices = array(index, &[m], (0..m).map(at));
                let found = run(text, &[numbers.clone(), indices]);
                assert_eq!(found.is_err(), (0..m).any(|k| at(k) == wrong), "{wrong} from {place} of {m}");
            }
        }
    }
}

#[test]
fn reads_by_indices_of_all_widths() {
    for ty in [PrimType::F32, PrimType::F64, PrimType::I32, PrimType::I64, PrimType::U8] {
        for index in [PrimType::I32, PrimType::I64] {
            let body = format!("{CHECK} let x_11: {ty} = A_5[j_8] C_7[i_9] := add.{ty}(x_11, x_11)");
            check(&text(&ty.to_string(), &index.to_string(), &body), ty, index);
        }
    }
}

#[test]
fn tests_that_are_named_or_of_other_numbers() {
    let body = "let l_12: bool = le.i64(0i64, j_8) let h_13: bool = lt.i64(j_8, n_0) let r_14: bool = and.bool(l_12, h_13)
        assert r_14 \"out of range\" C_7[i_9] := mul.f32(A_5[j_8], 2.5f32)";
    check(&text("f32", "i32", body), PrimType::F32, PrimType::I32);
    // what follows from the index, the same for all, and two of them
    let body = "let d_12: i64 = sub.i64(16i64, j_8) assert gt.i64(add.i64(n_0, m_1), 0i64) \"none\"
        assert and.bool(and.bool(le.i64(0i64, j_8), lt.i64(j_8, n_0)), and.bool(ge.i64(d_12, 0i64), lt.i64(d_12, n_0))) \"out of range\"
        C_7[i_9] := sub.f32(A_5[j_8], A_5[d_12])";
    check(&text("f32", "i32", body), PrimType::F32, PrimType::I32);
}

#[test]
fn what_stays_one_by_one_says_why() {
    let loops = |body: &str| loops_text(&program(&text("f32", "i32", body))).unwrap();
    let behind = format!("C_7[i_9] := 1.0f32 {CHECK} C_7[i_9] := A_5[j_8]");
    assert!(loops(&behind).contains("an assertion behind a write"), "{}", loops(&behind));
    let scatters = format!("{CHECK} C_7[j_8] := A_5[i_9]");
    assert!(loops(&scatters).contains("what is written is not linear"), "{}", loops(&scatters));
}

/// Without tests, beside a loop that has vectors of 32 bytes where the machine has such, in the same function.
#[test]
fn reads_in_functions_of_long_vectors() {
    let text = "entry proc main(n_0: i64, m_1: i64, a_2: mem, b_3: mem): (i64, mem)
        takes (f32[@0]@2, i32[@1]@3) gives (f32[@0]@1) {
        alloc c_4: f32[m_1]
        view A_5: f32 @ a_2 -> 0 + {(n_0 : 1)}
        view B_6: i32 @ b_3 -> 0 + {(m_1 : 1)}
        view C_7: f32 @ c_4 -> 0 + {(m_1 : 1)}
        for i_8: i64 < m_1 simd { C_7[i_8] := 1.5f32 }
        for r_9: i64 < 3i64 seq {
          for i_10: i64 < m_1 simd { C_7[i_10] := mul.f32(C_7[i_10], 0.5f32) }
          for i_11: i64 < m_1 simd { C_7[i_11] := add.f32(C_7[i_11], A_5[convert.i64.i32(B_6[i_11])]) } }
        return (m_1, c_4) }";
    for m in [0, 1, 7, 16, 33] {
        let numbers = array(PrimType::F32, &[17], (0..17).map(|k| k * 5 % 7 - 2));
        run(text, &[numbers, array(PrimType::I32, &[m], (0..m).map(|k| k * 7 % 17))]).unwrap();
    }
}
