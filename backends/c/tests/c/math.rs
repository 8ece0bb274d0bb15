//! How far the C library's elementary functions are from those of the interpreters. `docs/backends.md` says it to readers.

use crate::common::{compiled, skipped};
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp, eval_bin, eval_un};
use fun_base::rng::Rng;
use fun_base::value::{ArrayValue, Value};
use fun_c::RunControl;

/// Values for each function.
const COUNT: usize = 4000;

/// The functions, with the most floats that may lie between results, for `f32` and `f64`. Without `acosh`: below 1 the crate libm gives
/// some numbers where there are none.
const UNARY: [(UnOp, u64, u64); 28] = [
    (UnOp::Cbrt, 4, 4),
    (UnOp::Exp, 4, 4),
    (UnOp::Exp2, 4, 4),
    (UnOp::Exp10, 4, 4),
    (UnOp::Expm1, 4, 4),
    (UnOp::Log, 4, 4),
    (UnOp::Log2, 4, 4),
    (UnOp::Log10, 4, 4),
    (UnOp::Log1p, 4, 4),
    (UnOp::Sin, 4, 4),
    (UnOp::Cos, 4, 4),
    (UnOp::Tan, 4, 4),
    (UnOp::Asin, 4, 4),
    (UnOp::Acos, 4, 4),
    (UnOp::Atan, 4, 4),
    (UnOp::Sinh, 4, 4),
    (UnOp::Cosh, 4, 4),
    (UnOp::Tanh, 4, 4),
    (UnOp::Asinh, 4, 4),
    (UnOp::Atanh, 4, 4),
    (UnOp::Sinpi, 4, 4),
    (UnOp::Cospi, 4, 4),
    (UnOp::Tanpi, 4, 4),
    (UnOp::Asinpi, 4, 4),
    (UnOp::Acospi, 4, 4),
    (UnOp::Atanpi, 4, 4),
    (UnOp::Erf, 4, 4),
    (UnOp::Erfc, 4, 4),
];
const BINARY: [(BinOp, u64, u64); 3] = [(BinOp::Pow, 4, 4), (BinOp::Atan2, 4, 4), (BinOp::Hypot, 4, 4)];

/// Numbers of all sizes, more of them near 1.
fn inputs(ty: PrimType, seed: u64) -> Vec<PrimValue> {
    let mut rng = Rng::new(seed);
    let mut number = |k: usize| {
        let unit = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        let sign = if rng.next_u64() & 1 == 0 { 1.0 } else { -1.0 };
        sign * match k % 3 {
            0 => unit,
            1 => 20.0 * unit,
            _ => 2f64.powf(60.0 * unit - 30.0),
        }
    };
    let of = |x: f64| if ty == PrimType::F32 { PrimValue::F32(x as f32) } else { PrimValue::F64(x) };
    (0..COUNT).map(|k| of(number(k))).collect()
}

/// The most floats that lie between results; where one has no number and the other has, as many as there are.
fn farthest(found: &[PrimValue], wanted: &[PrimValue]) -> u64 {
    let distance = |(x, y): (&PrimValue, &PrimValue)| match (x.as_f64(), y.as_f64()) {
        (Some(a), Some(b)) if a.is_nan() && b.is_nan() || a == b => 0,
        (Some(a), Some(b)) if a.is_sign_negative() == b.is_sign_negative() && !a.is_nan() && !b.is_nan() => {
            x.bits().abs_diff(y.bits())
        }
        _ => u64::MAX,
    };
    found.iter().zip(wanted).map(distance).max().unwrap_or(0)
}

#[test]
fn elementary_functions_are_near_those_of_the_interpreters() {
    if skipped() {
        return;
    }
    let types = [PrimType::F32, PrimType::F64];
    let mut text = String::new();
    let mut tag = 0;
    let mut entry = |name: String, ty: PrimType, call: &dyn Fn(&str, &str) -> String| {
        let t: Vec<u32> = (tag..tag + 7).collect();
        tag += 7;
        let exp = call(&format!("X_{}[i_{}]", t[3], t[6]), &format!("Y_{}[i_{}]", t[4], t[6]));
        text += &format!(
            "entry proc {name}(n_{0}: i64, xs_{1}: mem, ys_{2}: mem): (i64, mem)
             takes ({ty}[@0]@1, {ty}[@0]@2) gives ({ty}[@0]@1) {{
             alloc zs_{5}: {ty}[n_{0}]
             view X_{3}: {ty} @ xs_{1} -> 0 + {{(n_{0} : 1)}}
             view Y_{4}: {ty} @ ys_{2} -> 0 + {{(n_{0} : 1)}}
             view Z_{6}00000: {ty} @ zs_{5} -> 0 + {{(n_{0} : 1)}}
             for i_{6}: i64 < n_{0} seq {{ Z_{6}00000[i_{6}] := {exp} }}
             return (n_{0}, zs_{5}) }}\n",
            t[0], t[1], t[2], t[3], t[4], t[5], t[6]
        );
    };
    for ty in types {
        for (op, ..) in UNARY {
            entry(format!("{op:?}_{ty}"), ty, &|x, _| format!("{op}.{ty}({x})"));
        }
        for (op, ..) in BINARY {
            entry(format!("{op:?}_{ty}"), ty, &|x, y| format!("{op}.{ty}({x}, {y})"));
        }
    }
    let code = compiled(&text);
    let mut wrong = Vec::new();
    for ty in types {
        let (xs, ys) = (inputs(ty, 1), inputs(ty, 2));
        let array =
            |values: &[PrimValue]| Value::from(ArrayValue::from_prims(ty, values.iter().copied()).unwrap());
        let mut compare = |name: String, limits: (u64, u64), wanted: Vec<PrimValue>| {
            let found = code.run(&name, &[array(&xs), array(&ys)], &RunControl::new()).unwrap();
            let Value::Array(found) = &found[0] else { panic!("{name} gives an array") };
            let found: Vec<PrimValue> = found.iter().collect();
            let limit = if ty == PrimType::F32 { limits.0 } else { limits.1 };
            let most = farthest(&found, &wanted);
            if most > limit {
                wrong.push(format!("{name}: {most}, not {limit}"));
            }
        };
        for (op, f32s, f64s) in UNARY {
            let wanted = xs.iter().map(|x| eval_un(op, *x).unwrap()).collect();
            compare(format!("{op:?}_{ty}"), (f32s, f64s), wanted);
        }
        for (op, f32s, f64s) in BINARY {
            let wanted = xs.iter().zip(&ys).map(|(x, y)| eval_bin(op, *x, *y).unwrap()).collect();
            compare(format!("{op:?}_{ty}"), (f32s, f64s), wanted);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every f32, and as many f64. Slow: `cargo test --release -p fun-c -- --ignored exp`.
#[test]
#[ignore = "runs a function on all floats"]
fn exp_is_within_two_units_in_the_last_place() {
    if skipped() {
        return;
    }
    let text = |ty: &str| {
        format!(
            "entry proc e(n_0: i64, xs_1: mem): (i64, mem) takes ({ty}[@0]@1) gives ({ty}[@0]@1) {{
             alloc ys_2: {ty}[n_0]
             view X_3: {ty} @ xs_1 -> 0 + {{(n_0 : 1)}}
             view Y_4: {ty} @ ys_2 -> 0 + {{(n_0 : 1)}}
             for i_5: i64 < n_0 par {{ Y_4[i_5] := exp.{ty}(X_3[i_5]) }}
             return (n_0, ys_2) }}"
        )
    };
    let code = compiled(&text("f32"));
    let mut worst = 0f64;
    for block in 0..1u64 << 12 {
        let bits = |k: u64| f32::from_bits((block << 20 | k) as u32);
        let xs: Vec<f32> = (0..1 << 20).map(bits).collect();
        let values = xs.iter().map(|x| PrimValue::F32(*x));
        let array = Value::from(ArrayValue::from_prims(PrimType::F32, values).unwrap());
        let found = code.run("e", &[array], &RunControl::new()).unwrap();
        let Value::Array(found) = &found[0] else { panic!("an array") };
        for (x, y) in xs.iter().zip(found.iter()) {
            let PrimValue::F32(y) = y else { panic!("a f32") };
            let exact = f64::from(*x).exp();
            if (exact as f32).is_infinite() || y.is_infinite() || x.is_nan() {
                assert!(y == exact as f32 || y.is_nan() && x.is_nan(), "exp {x} is {y}");
                continue;
            }
            let unit = f64::from(y.abs().next_up() - y.abs());
            worst = worst.max((f64::from(y) - exact).abs() / unit);
        }
    }
    assert!(worst <= 2.0, "{worst}");
}
