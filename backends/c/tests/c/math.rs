//! How far the C library's elementary functions are from those of the interpreters. `docs/backends.md` says it to readers.

use crate::common::{compiled, skipped};
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp, eval_bin, eval_un, math};
use fun_base::rng::Rng;
use fun_base::value::{ArrayValue, Value};
use fun_c::RunControl;

/// Values for each function.
const COUNT: usize = 4000;

/// The functions, with the most floats that may lie between results, for `f32` and `f64`.
const UNARY: [(UnOp, u64, u64); 31] = [
    (UnOp::Cbrt, 4, 4),
    (UnOp::Exp, 0, 0),
    (UnOp::Exp2, 4, 4),
    (UnOp::Exp10, 4, 4),
    (UnOp::Expm1, 4, 4),
    (UnOp::Log, 0, 0),
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
    (UnOp::Tanh, 0, 0),
    (UnOp::Asinh, 4, 4),
    (UnOp::Acosh, 4, 4),
    (UnOp::Atanh, 4, 4),
    (UnOp::Sinpi, 0, 0),
    (UnOp::Cospi, 0, 0),
    (UnOp::Tanpi, 0, 0),
    (UnOp::Asinpi, 0, 0),
    (UnOp::Acospi, 0, 0),
    (UnOp::Atanpi, 0, 0),
    (UnOp::Erf, 0, 0),
    (UnOp::Erfc, 0, 0),
    (UnOp::Gamma, 0, 0),
    (UnOp::Lgamma, 0, 0),
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

/// The functions of our own, with what they are in `f64`, mostly by the system's library.
type Own = (&'static str, fn(f64) -> f64);
const OWN: [Own; 31] = [
    ("exp", f64::exp),
    ("log", f64::ln),
    ("tanh", f64::tanh),
    ("sin", f64::sin),
    ("cos", f64::cos),
    ("tan", f64::tan),
    ("asin", f64::asin),
    ("acos", f64::acos),
    ("atan", f64::atan),
    ("exp2", f64::exp2),
    ("exp10", |x| 10f64.powf(x)),
    ("log2", f64::log2),
    ("log10", f64::log10),
    ("expm1", f64::exp_m1),
    ("log1p", f64::ln_1p),
    ("sinh", f64::sinh),
    ("cosh", f64::cosh),
    ("asinh", f64::asinh),
    ("acosh", f64::acosh),
    ("atanh", f64::atanh),
    ("cbrt", f64::cbrt),
    // those of `f64` are tested in `base`
    ("sinpi", math::f64::sinpi),
    ("cospi", math::f64::cospi),
    ("tanpi", math::f64::tanpi),
    ("asinpi", math::f64::asinpi),
    ("acospi", math::f64::acospi),
    ("atanpi", math::f64::atanpi),
    ("erf", math::f64::erf),
    ("erfc", math::f64::erfc),
    ("gamma", math::f64::gamma),
    ("lgamma", math::f64::lgamma),
];

/// Programs that compute each of these for a vector.
fn own_functions(ty: &str) -> String {
    let program = |(k, (name, _)): (usize, &Own)| {
        let t: Vec<usize> = (6 * k..6 * k + 6).collect();
        format!(
            "entry proc {name}(n_{0}: i64, xs_{1}: mem): (i64, mem) takes ({ty}[@0]@1) gives ({ty}[@0]@1) {{
             alloc ys_{2}: {ty}[n_{0}]
             view X_{3}: {ty} @ xs_{1} -> 0 + {{(n_{0} : 1)}}
             view Y_{4}: {ty} @ ys_{2} -> 0 + {{(n_{0} : 1)}}
             for i_{5}: i64 < n_{0} par {{ Y_{4}[i_{5}] := {name}.{ty}(X_{3}[i_{5}]) }}
             return (n_{0}, ys_{2}) }}\n",
            t[0], t[1], t[2], t[3], t[4], t[5]
        )
    };
    OWN.iter().enumerate().map(program).collect()
}

/// How far a result is from the exact one, in units of its last place; infinite where one is a number and the other is none.
fn units(found: f32, exact: f64) -> f64 {
    let near = exact as f32;
    if found == near && found.is_sign_negative() == near.is_sign_negative() || found.is_nan() && near.is_nan()
    {
        return (f64::from(found) - exact).abs().min(0.5);
    }
    let size = near.abs();
    let distance = (f64::from(found) - exact).abs() / f64::from(size.next_up() - size);
    if distance.is_nan() { f64::INFINITY } else { distance }
}

/// The most units of every `step`th float, whose results are those of the interpreters.
fn check_f32(step: u64) {
    let code = compiled(&own_functions("f32"));
    for (name, function) in OWN {
        let op = UNARY.iter().find(|(op, ..)| format!("{op:?}").to_lowercase() == name).unwrap().0;
        let by_interpreters = math::f32::unary(op).unwrap();
        let mut worst = (0.0, 0.0);
        let special = [
            0.0,
            1.0,
            f32::INFINITY,
            f32::NAN,
            f32::MAX,
            f32::MIN_POSITIVE,
            1e-45,
            2f32.powi(46),
            2f32.powi(112),
        ];
        let special = special.into_iter().flat_map(|x| [x, -x]);
        let mut bits =
            special.chain((0..1u64 << 32).step_by(step as usize).map(|bits| f32::from_bits(bits as u32)));
        loop {
            let xs: Vec<f32> = bits.by_ref().take(1 << 20).collect();
            if xs.is_empty() {
                break;
            }
            let values = xs.iter().map(|x| PrimValue::F32(*x));
            let array = Value::from(ArrayValue::from_prims(PrimType::F32, values).unwrap());
            let found = code.run(name, &[array], &RunControl::new()).unwrap();
            let Value::Array(found) = &found[0] else { panic!("an array") };
            for (x, y) in xs.iter().zip(found.iter()) {
                let PrimValue::F32(y) = y else { panic!("a f32") };
                let ours = by_interpreters(*x);
                let same = ours.to_bits() == y.to_bits() || ours.is_nan() && y.is_nan();
                assert!(same, "{name} of {x:?}: {y:?}, not {ours:?}");
                let distance = units(y, function(f64::from(*x)));
                worst = if distance > worst.0 { (distance, *x) } else { worst };
            }
        }
        assert!(worst.0 <= 2.0, "{name} {:?}: {} units", worst.1, worst.0);
        eprintln!("{name}: {:.3} units at {:?}", worst.0, worst.1);
    }
}

#[test]
fn functions_of_our_own_are_within_two_units_in_the_last_place() {
    if !skipped() {
        check_f32(4099);
    }
}

/// Slow: `cargo test --release -p fun-c -- --ignored all_floats`.
#[test]
#[ignore = "runs functions on all floats"]
fn functions_of_our_own_on_all_floats() {
    if !skipped() {
        check_f32(1);
    }
}

#[test]
fn special_values_are_those_of_the_interpreters() {
    if skipped() {
        return;
    }
    let special = [0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e300, -1e300, 5e-324];
    let code = compiled(&own_functions("f64"));
    let array = |values: &[f64]| {
        Value::from(ArrayValue::from_prims(PrimType::F64, values.iter().map(|x| PrimValue::F64(*x))).unwrap())
    };
    for (op, ..) in UNARY {
        let name = format!("{op:?}").to_lowercase();
        if OWN.iter().all(|(own, _)| *own != name) {
            continue;
        }
        let found = code.run(&name, &[array(&special)], &RunControl::new()).unwrap();
        let Value::Array(found) = &found[0] else { panic!("an array") };
        let wanted: Vec<PrimValue> =
            special.iter().map(|x| eval_un(op, PrimValue::F64(*x)).unwrap()).collect();
        let found: Vec<PrimValue> = found.iter().collect();
        assert!(farthest(&found, &wanted) <= 2, "{name}: {found:?}, not {wanted:?}");
    }
}

#[test]
fn functions_of_two_arguments_are_within_two_units_for_special_values() {
    if skipped() {
        return;
    }
    let special = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        f32::INFINITY,
        -f32::INFINITY,
        f32::NAN,
        0.5,
        -0.5,
        3.0,
        -3.0,
        2.5,
        -2.5,
        3e38,
        1e-45,
    ];
    let pairs: Vec<(f32, f32)> = special.iter().flat_map(|x| special.iter().map(|y| (*x, *y))).collect();
    let of = |values: Vec<f32>| {
        Value::from(ArrayValue::from_prims(PrimType::F32, values.into_iter().map(PrimValue::F32)).unwrap())
    };
    let arguments =
        [of(pairs.iter().map(|pair| pair.0).collect()), of(pairs.iter().map(|pair| pair.1).collect())];
    type Exact = fn(f64, f64) -> f64;
    let functions: [(&str, Exact); 3] = [("pow", f64::powf), ("atan2", f64::atan2), ("hypot", f64::hypot)];
    for (name, exact) in functions {
        let code = compiled(&format!(
            "entry proc main(n_0: i64, xs_1: mem, ys_2: mem): (i64, mem) takes (f32[@0]@1, f32[@0]@2) gives (f32[@0]@1) {{
             alloc zs_3: f32[n_0]
             view X_4: f32 @ xs_1 -> 0 + {{(n_0 : 1)}}
             view Y_5: f32 @ ys_2 -> 0 + {{(n_0 : 1)}}
             view Z_6: f32 @ zs_3 -> 0 + {{(n_0 : 1)}}
             for i_7: i64 < n_0 par {{ Z_6[i_7] := {name}.f32(X_4[i_7], Y_5[i_7]) }}
             return (n_0, zs_3) }}",
        ));
        let found = code.run("main", &arguments, &RunControl::new()).unwrap();
        let Value::Array(found) = &found[0] else { panic!("an array") };
        for ((x, y), z) in pairs.iter().zip(found.iter()) {
            let PrimValue::F32(z) = z else { panic!("a f32") };
            let distance = units(z, exact(f64::from(*x), f64::from(*y)));
            assert!(distance <= 2.0, "{name} of {x:?} and {y:?} is {z:?}");
        }
    }
}
