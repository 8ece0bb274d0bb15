//! Operators of which one operand does not change in a loop, which have code of their own: each gives what the interpreter gives, to the bit.

use crate::common::{run, skipped};
use fun_base::prim::{PrimType, PrimValue};
use fun_base::value::{ArrayValue, Value};

const SPECIAL: [f64; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    0.5,
    -0.5,
    3.0,
    -3.0,
    2.5,
    -7.25,
    1e30,
    -1e-30,
    1e-42,
];

fn of(ty: PrimType, x: f64) -> PrimValue {
    if ty == PrimType::F32 { PrimValue::F32(x as f32) } else { PrimValue::F64(x) }
}

fn array(ty: PrimType) -> Value {
    ArrayValue::from_prims(ty, SPECIAL.into_iter().map(|x| of(ty, x))).unwrap().into()
}

/// Compares what an expression of `x_7` and `Y_4[i_8]` gives, of which the first is the same in all iterations of the inner loop.
fn compare(ty: PrimType, exp: &str) {
    let text = format!(
        "entry proc main(n_0: i64, xs_1: mem, ys_2: mem): (i64, mem) takes ({ty}[@0]@1, {ty}[@0]@2) gives ({ty}[@0][@0]@1) {{
         alloc zs_3: {ty}[n_0][n_0]
         view X_9: {ty} @ xs_1 -> 0 + {{(n_0 : 1)}}
         view Y_4: {ty} @ ys_2 -> 0 + {{(n_0 : 1)}}
         view Z_5: {ty} @ zs_3 -> 0 + {{(n_0 : n_0)(n_0 : 1)}}
         for k_6: i64 < n_0 seq {{
           let x_7: {ty} = X_9[k_6]
           for i_8: i64 < n_0 simd {{ Z_5[k_6, i_8] := {exp} }}
         }}
         return (n_0, zs_3) }}"
    );
    run(&text, &[array(ty), array(ty)]).unwrap();
}

#[test]
fn powers_of_one_base() {
    if skipped() {
        return;
    }
    // (squares are products in the interpreter: no 2 is among the exponents)
    compare(PrimType::F32, "pow.f32(x_7, Y_4[i_8])");
    compare(PrimType::F64, "pow.f64(x_7, Y_4[i_8])");
}

#[test]
fn least_and_greatest_of_a_number_and_what_is_bounded() {
    if skipped() {
        return;
    }
    for ty in [PrimType::F32, PrimType::F64] {
        for op in ["min", "max"] {
            for constant in ["0.0", "-0.0", "0.5", "-7.25"] {
                let constant = format!("{constant}{ty}");
                // the sign of a zero shows in its inverse
                let inverse =
                    |x: &str, y: &str| compare(ty, &format!("div.{ty}(1.0{ty}, {op}.{ty}({x}, {y}))"));
                inverse("Y_4[i_8]", &constant);
                inverse(&constant, "Y_4[i_8]");
                inverse("x_7", &format!("max.{ty}(Y_4[i_8], {constant})"));
                inverse(&format!("min.{ty}(Y_4[i_8], {constant})"), "x_7");
            }
        }
    }
}
