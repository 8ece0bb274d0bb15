//! Tests whether indices are in range: by comparisons of 32 and of 64 bits, in branches and in assertions.

use crate::common::{array, i64, program, run};
use fun_base::prim::{PrimType, PrimValue};
use fun_base::value::Value;
use fun_cranelift::clif_text;

/// Indices around a range of a few cells and far from it; narrow types have their lowest bits.
const INDICES: [i64; 16] = [
    0,
    1,
    4,
    5,
    6,
    7,
    -1,
    -5,
    1000,
    -1000,
    i32::MAX as i64,
    i32::MIN as i64,
    2,
    0x7fff_fffb,
    -0x7fff_fffb,
    3,
];

fn indices(ty: PrimType) -> Value {
    array(ty, &[INDICES.len() as i64], INDICES)
}

fn widened(ty: &str) -> String {
    if ty == "i64" { "x_10".to_owned() } else { format!("convert.i64.{ty}(x_10)") }
}

/// Counts the indices from 0 to before a bound, which may be less than the cells; both arms, and what comes behind, use the index.
fn counts(ty: &str, bound: &str) -> String {
    let index = widened(ty);
    format!(
        "entry proc main(m_0: i64, n_1: i64, a_2: mem): (i64, mem, i64, i64)
          takes (i64@0, {ty}[@1]@2) gives (i32[@0]@1, i64@2, i64@3) {{
        alloc c_3: i32[m_0]
        view A_4: {ty} @ a_2 -> 0 + {{(n_1 : 1)}}
        view C_5: i32 @ c_3 -> 0 + {{(m_0 : 1)}}
        for j_6: i64 < m_0 seq {{ C_5[j_6] := 0i32 }}
        var inside_7: i64 = 0i64
        var all_8: i64 = 0i64
        let less_13: i64 = sub.i64(m_0, 1i64)
        for i_9: i64 < n_1 seq {{
          let x_10: {ty} = A_4[i_9]
          let c_11: i64 = {index}
          if and.bool(le.i64(0i64, c_11), lt.i64(c_11, {bound})) {{
            let old_12: i32 = C_5[c_11]
            C_5[c_11] := add.i32(old_12, 1i32)
            inside_7 := add.i64(inside_7, c_11)
          }} else {{
            inside_7 := sub.i64(inside_7, mul.i64(3i64, c_11))
          }}
          all_8 := add.i64(all_8, mul.i64(c_11, c_11))
        }}
        return (m_0, c_3, inside_7, all_8) }}"
    )
}

const TYPES: [(&str, PrimType); 4] =
    [("i8", PrimType::I8), ("i16", PrimType::I16), ("i32", PrimType::I32), ("i64", PrimType::I64)];

#[test]
fn indices_of_all_types_are_in_range_or_not() {
    for (name, ty) in TYPES {
        for m in [0, 1, 5, 7] {
            // less by one: nothing is below a bound of -1
            for bound in ["m_0", "less_13"] {
                run(&counts(name, bound), &[i64(m), indices(ty)]).unwrap();
            }
        }
        for m in [5, 9] {
            run(&counts(name, "5i64"), &[i64(m), indices(ty)]).unwrap();
        }
    }
}

#[test]
fn indices_of_32_bits_are_compared_as_such() {
    for bound in ["m_0", "5i64"] {
        let text = clif_text(&program(&counts("i32", bound))).unwrap();
        assert!(text.contains("uload32"), "{text}");
    }
}

/// An assertion in one arm says nothing behind that arm, nor in the other.
fn assertion_in_an_arm(ty: &str) -> String {
    let index = widened(ty);
    format!(
        "entry proc main(m_0: i64, n_1: i64, a_2: mem): (i64) takes (i64@0, {ty}[@1]@2) gives (i64@0) {{
        view A_4: {ty} @ a_2 -> 0 + {{(n_1 : 1)}}
        var sum_7: i64 = 0i64
        for i_9: i64 < n_1 seq {{
          let x_10: {ty} = A_4[i_9]
          let c_11: i64 = {index}
          if lt.i64(5i64, c_11) {{
            assert and.bool(le.i64(0i64, c_11), lt.i64(c_11, m_0)) \"{{}} is out of range\" (c_11)
            sum_7 := add.i64(sum_7, c_11)
          }} else {{ sum_7 := sub.i64(sum_7, c_11) }}
          sum_7 := mul.i64(add.i64(sum_7, c_11), 3i64)
        }}
        return (sum_7) }}"
    )
}

#[test]
fn assertions_fail_as_in_the_interpreter() {
    for (name, ty) in TYPES {
        let most = i64(i64::from(i32::MAX) + 1);
        run(&assertion_in_an_arm(name), &[most, indices(ty)]).unwrap();
        for m in [-7, 0, 6, 7] {
            let found = run(&assertion_in_an_arm(name), &[i64(m), indices(ty)]);
            assert!(found.is_err(), "{name} {m}");
        }
    }
}

/// Two indices in one condition, of which one is assigned and so keeps its form.
#[test]
fn two_indices_at_once() {
    let text = "entry proc main(m_0: i64, n_1: i64, a_2: mem): (i64) takes (i64@0, i32[@1]@2) gives (i64@0) {
        view A_4: i32 @ a_2 -> 0 + {(n_1 : 1)}
        var sum_7: i64 = 0i64
        var last_8: i64 = 0i64
        for i_9: i64 < n_1 seq {
          let c_11: i64 = convert.i64.i32(A_4[i_9])
          if and.bool(and.bool(le.i64(0i64, last_8), lt.i64(last_8, m_0)), and.bool(le.i64(0i64, c_11), lt.i64(c_11, 5i64))) {
            last_8 := sub.i64(last_8, 1000i64)
            sum_7 := add.i64(mul.i64(sum_7, c_11), last_8)
          } else { last_8 := c_11 }
        }
        return (add.i64(sum_7, last_8)) }";
    for m in [0, 3, 5, 100] {
        run(text, &[i64(m), indices(PrimType::I32)]).unwrap();
    }
}

/// What a call gives is loaded, and behind the branch a variable is another name of it; the load becomes one of 64 bits.
#[test]
fn a_word_that_is_loaded_before_a_branch_is_widened_behind_it() {
    let text = "proc same(x_1: i32): (i32) {
           return (x_1)
         }
         entry proc main(n_2: i32): (i32) takes (i32 @ 0) gives (i32 @ 0) {
           var s_3: i32
           call s_3 = same(n_2)
           if eq.i32(n_2, 3i32) {}
           s_3 := mulhi.i32(not.i32(s_3), s_3)
           return (s_3)
         }";
    for n in [0, 3, -1, 0x4000_0000, i32::MIN] {
        let high = ((i64::from(!n) * i64::from(n)) >> 32) as i32;
        let [Value::Prim(found)] = run(text, &[Value::Prim(PrimValue::I32(n))]).unwrap()[..] else {
            panic!("one number")
        };
        assert_eq!(found, PrimValue::I32(high), "{n}");
    }
}
