//! Functions of our own on `f64`, those of the interpreters and those in C's loops that run in vectors, which have the same bits, beside what the C library computes in `long double`, which is exact to a thousandth
//! of the units that are counted here where that type has 64 digits or more.

use crate::common::{compiled, compiler};
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp, math};
use fun_base::rng::Rng;
use fun_base::value::{ArrayValue, Value};
use fun_c::RunControl;
use std::path::Path;
use std::process::Command;

const UNARY: [&str; 21] = [
    "exp", "log", "tanh", "sin", "cos", "tan", "asin", "acos", "atan", "exp2", "exp10", "log2", "log10",
    "expm1", "log1p", "sinh", "cosh", "asinh", "acosh", "atanh", "cbrt",
];
/// Functions that the C library does not have in `long double`, or not to that precision; `base` tests how near they are.
const OTHERS: [&str; 10] =
    ["sinpi", "cospi", "tanpi", "asinpi", "acospi", "atanpi", "erf", "erfc", "gamma", "lgamma"];
const BINARY: [&str; 3] = ["pow", "atan2", "hypot"];

/// A program that reads pairs of numbers and writes each result as a `double` and what that lacks.
fn exact_program() -> String {
    let unary = UNARY.iter().map(|name| format!("else if (!strcmp(name, \"{name}\")) y = {name}l(x[0]);\n"));
    let binary =
        BINARY.iter().map(|name| format!("else if (!strcmp(name, \"{name}\")) y = {name}l(x[0], x[1]);\n"));
    let calls: String = unary.chain(binary).collect();
    format!(
        "#define _GNU_SOURCE\n#include <math.h>\n#include <stdio.h>\n#include <string.h>\n\
         int main(int count, char **words) {{\n    const char *name = count > 1 ? words[1] : \"\";\n    double x[2];\n    \
         while (fread(x, sizeof x, 1, stdin) == 1) {{\n        long double y = 0;\n        if (count < 2) return 1;\n{calls}        \
         const double near = (double)y, parts[2] = {{near, (double)(y - near)}};\n        \
         if (fwrite(parts, sizeof parts, 1, stdout) != 1) return 1;\n    }}\n    return 0;\n}}\n"
    )
}

/// What the program says of a function.
fn exact(folder: &Path, name: &str, pairs: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let path = folder.join("pairs");
    let bytes: Vec<u8> =
        pairs.iter().flat_map(|(x, y)| [x.to_ne_bytes(), y.to_ne_bytes()].concat()).collect();
    std::fs::write(&path, bytes).unwrap();
    let input = std::fs::File::open(&path).unwrap();
    let output = Command::new(folder.join("exact")).arg(name).stdin(input).output().unwrap();
    assert!(output.status.success(), "{name}");
    let number = |bytes: &[u8]| f64::from_ne_bytes(bytes.try_into().unwrap());
    output.stdout.chunks_exact(16).map(|parts| (number(&parts[..8]), number(&parts[8..]))).collect()
}

/// How far a result is from the exact one, in units of its last place; infinite where one is a number or infinite or has a sign and the other does not.
fn units(found: f64, (near, rest): (f64, f64)) -> f64 {
    if found.is_nan() || near.is_nan() || found.is_infinite() || near.is_infinite() || found == 0.0 {
        let same = found.is_nan() && near.is_nan() || found.to_bits() == near.to_bits();
        let close = found.abs().to_bits().abs_diff(near.abs().to_bits()) <= 1;
        return match (same, close && !found.is_nan() && !near.is_nan()) {
            (true, _) => 0.0,
            (_, true) if found.is_sign_negative() == near.is_sign_negative() => 1.0,
            _ => f64::INFINITY,
        };
    }
    let unit = if near.abs() == f64::MAX { 2f64.powi(971) } else { near.abs().next_up() - near.abs() };
    ((found - near - rest) / unit).abs()
}

/// The function of the interpreters.
fn interpreted(name: &str) -> Box<dyn Fn(f64, f64) -> f64> {
    let unary = UnOp::ALL.iter().find(|op| format!("{op:?}").to_lowercase() == name);
    if let Some(function) = unary.and_then(|op| math::f64::unary(*op)) {
        return Box::new(move |x, _| function(x));
    }
    let binary = BinOp::ALL.iter().find(|op| format!("{op:?}").to_lowercase() == name);
    Box::new(binary.and_then(|op| math::f64::binary(*op)).unwrap())
}

fn arguments(count: usize) -> Vec<(f64, f64)> {
    let special = [
        0.0,
        0.5,
        1.0,
        1.5,
        2.0,
        2.5,
        3.0,
        1.0f64.next_up(),
        1.0f64.next_down(),
        f64::INFINITY,
        f64::NAN,
        f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
        1e-310,
        1e300,
        2f64.powi(28),
        2f64.powi(-28),
        2f64.powi(500),
        2f64.powi(-600),
        709.782712893384,
        745.1,
        1023.9999,
        1074.5,
        std::f64::consts::FRAC_PI_2,
        std::f64::consts::PI,
        // the number that is closest to a multiple of π/2
        6381956970095103.0 * 2f64.powi(797),
    ];
    let special: Vec<f64> = special.into_iter().flat_map(|x| [x, -x]).collect();
    let mut pairs: Vec<(f64, f64)> = special.iter().flat_map(|x| special.iter().map(|y| (*x, *y))).collect();
    let mut rng = Rng::new(1);
    let mut unit = move || (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    let mut number = |k: usize| {
        let sign = if unit() < 0.5 { 1.0 } else { -1.0 };
        match k % 7 {
            0 => sign * unit(),
            1 => sign * 2.0 * unit(),
            2 => sign * 20.0 * unit(),
            3 => sign * 750.0 * unit(),
            4 => sign * 2f64.powf(60.0 * unit() - 30.0),
            5 => 1.0 + sign * 2f64.powf(-40.0 * unit()),
            _ => sign * 2f64.powf(1024.0 - 2100.0 * unit()),
        }
    };
    for k in 0..count {
        let x = number(k);
        // powers that are numbers
        let y = if k % 3 == 0 { number(3) / x.abs().ln() } else { number(k / 7) };
        pairs.push((x, y));
    }
    pairs
}

/// A program that computes a function in a loop by vectors.
fn call(name: &str, operands: &str) -> String {
    format!(
        "entry proc {name}(n_0: i64, xs_1: mem, ys_2: mem): (i64, mem) takes (f64[@0]@1, f64[@0]@2) gives (f64[@0]@1) {{
         alloc zs_3: f64[n_0]
         view X_4: f64 @ xs_1 -> 0 + {{(n_0 : 1)}}
         view Y_5: f64 @ ys_2 -> 0 + {{(n_0 : 1)}}
         view Z_6: f64 @ zs_3 -> 0 + {{(n_0 : 1)}}
         for i_7: i64 < n_0 par {{ Z_6[i_7] := {name}.f64({operands}) }}
         return (n_0, zs_3) }}"
    )
}

/// The first ones and the second ones.
fn arrays(pairs: &[(f64, f64)]) -> [Value; 2] {
    let array = |of: fn(&(f64, f64)) -> f64| {
        let values = pairs.iter().map(|pair| PrimValue::F64(of(pair)));
        Value::from(ArrayValue::from_prims(PrimType::F64, values).unwrap())
    };
    [array(|pair| pair.0), array(|pair| pair.1)]
}

fn check(count: usize) {
    let Some(compiler) = compiler() else { return };
    let folder = tempfile::tempdir().unwrap();
    compiler.build_executable(&exact_program(), &folder.path().join("exact")).unwrap();
    let unary = UNARY.iter().map(|name| (*name, call(name, "X_4[i_7]")));
    let binary = BINARY.iter().map(|name| (*name, call(name, "X_4[i_7], Y_5[i_7]")));
    let pairs = arguments(count);
    let operands = arrays(&pairs);
    for (name, text) in unary.chain(binary) {
        let found = compiled(&text).run(name, &operands, &RunControl::new()).unwrap();
        let Value::Array(found) = &found[0] else { panic!("an array") };
        let mut worst = (0.0, (0.0, 0.0), 0.0);
        let by_interpreters = interpreted(name);
        for ((pair, exact), found) in pairs.iter().zip(exact(folder.path(), name, &pairs)).zip(found.iter()) {
            let PrimValue::F64(found) = found else { panic!("a f64") };
            let ours = by_interpreters(pair.0, pair.1);
            // squares are products there
            let same = ours.to_bits() == found.to_bits() || ours.is_nan() && found.is_nan();
            assert!(same || name == "pow" && pair.1 == 2.0, "{name} of {pair:?}: {found:?}, not {ours:?}");
            let distance = units(found, exact).max(units(ours, exact));
            worst = if distance > worst.0 { (distance, *pair, found) } else { worst };
        }
        assert!(worst.0 <= 2.0, "{name} of {:?} is {:?}: {} units", worst.1, worst.2, worst.0);
        eprintln!("{name}: {:.3} units at {:?}", worst.0, worst.1);
    }
}

#[test]
fn functions_of_f64_are_within_two_units_in_the_last_place() {
    check(20_000);
}

/// Slow: `cargo test --release -p fun-c -- --ignored many_f64s`.
#[test]
#[ignore = "runs functions on millions of numbers"]
fn functions_of_our_own_on_many_f64s() {
    check(5_000_000);
}

#[test]
fn half_turns_error_and_gamma_functions_have_the_bits_of_the_interpreters() {
    if compiler().is_none() {
        return;
    }
    let pairs = arguments(50_000);
    for name in OTHERS {
        let found = compiled(&call(name, "X_4[i_7]")).run(name, &arrays(&pairs), &RunControl::new()).unwrap();
        let Value::Array(found) = &found[0] else { panic!("an array") };
        let by_interpreters = interpreted(name);
        for ((x, _), found) in pairs.iter().zip(found.iter()) {
            let PrimValue::F64(found) = found else { panic!("a f64") };
            let ours = by_interpreters(*x, 0.0);
            let same = ours.to_bits() == found.to_bits() || ours.is_nan() && found.is_nan();
            assert!(same, "{name} of {x:?}: {found:?}, not {ours:?}");
        }
    }
}
