//! Quotients and remainders of lanes by constants.

use crate::common::{program, run};
use fun_base::prim::{PrimType, PrimValue};
use fun_base::value::{ArrayValue, Value};
use fun_cranelift::loops_text;

/// Numbers around multiples of a divisor and at the ends, several times, as many as fill lanes and copies and some more.
fn numerators(ty: PrimType, divisor: i64) -> Value {
    let (least, most) =
        if ty.is_signed() { (i64::from(i32::MIN), i64::from(i32::MAX)) } else { (0, i64::from(u32::MAX)) };
    let ends = [least, least + 1, -2, -1, 0, 1, 2, most / 2, most / 2 + 1, most - 1, most];
    let multiples = [-3, -2, -1, 1, 2, 3, most / divisor - 1, most / divisor, least / divisor]
        .into_iter()
        .flat_map(|k| [k * divisor - 1, k * divisor, k * divisor + 1]);
    let all: Vec<i64> = ends.into_iter().chain(multiples).filter(|n| (least..=most).contains(n)).collect();
    let numbers = all.iter().cycle().take(131).map(|n| ty.of_i64(*n));
    ArrayValue::from_prims(ty, numbers).unwrap().into()
}

/// A loop over an array that writes the quotients as another type.
fn text(ty: PrimType, out: PrimType, op: &str, divisor: PrimValue) -> String {
    let quotient = format!("{op}.{ty}(A_3[i_5], {divisor})");
    let value = if out == ty { quotient } else { format!("convert.{out}.{ty}({quotient})") };
    format!(
        "entry proc main(n_0: i64, a_1: mem): (i64, mem)
        takes ({ty}[@0]@1) gives ({out}[@0]@1) {{
        alloc c_2: {out}[n_0]
        view A_3: {ty} @ a_1 -> 0 + {{(n_0 : 1)}}
        view C_4: {out} @ c_2 -> 0 + {{(n_0 : 1)}}
        for i_5: i64 < n_0 simd {{ C_4[i_5] := {value} }}
        return (n_0, c_2) }}"
    )
}

/// In vectors of both lengths: where lanes of different widths meet they have 16 bytes.
#[test]
fn quotients_by_constants() {
    for ty in [PrimType::I32, PrimType::U32] {
        let mut divisors =
            vec![1, 2, 3, 5, 6, 7, 10, 12, 16, 28, 641, 1000, 65536, 65537, i64::from(i32::MAX)];
        if ty == PrimType::U32 {
            divisors.extend([1 << 31, (1 << 31) + 1, (1 << 32) - 2, (1 << 32) - 1]);
        }
        for divisor in divisors {
            for op in ["div", "mod", "quot", "rem"] {
                for out in [ty, PrimType::I64] {
                    let text = text(ty, out, op, ty.of_i64(divisor));
                    let loops = loops_text(&program(&text)).unwrap();
                    assert!(loops.contains("lanes"), "{loops}in\n{text}");
                    run(&text, &[numerators(ty, divisor)]).unwrap();
                }
            }
        }
    }
}

/// Those of other types have none.
#[test]
fn other_quotients_run_one_by_one() {
    let text = text(PrimType::I64, PrimType::I64, "div", PrimValue::I64(7));
    let loops = loops_text(&program(&text)).unwrap();
    assert!(loops.contains("Div of i64"), "{loops}in\n{text}");
    run(&text, &[numerators(PrimType::I64, 7)]).unwrap();
}
