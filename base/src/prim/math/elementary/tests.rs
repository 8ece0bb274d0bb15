//! How far the functions are from the exact results: those of `f32` beside the system's in `f64`. Those of `f64` are compared with 80-bit results in
//! `backends/c/tests/c/exact.rs`, but for those of half turns and the error and gamma functions: of these `points.txt` has results of 400 bits.

mod reference;

use super::{Within, unary_within};
use crate::prim::math::{f32 as single, f64 as double};
use crate::prim::{BinOp, UnOp};

/// An operator and what the system computes for it.
type Unary = (UnOp, fn(f64) -> f64);
type Binary = (BinOp, fn(f64, f64) -> f64);

const UNARY: [Unary; 21] = [
    (UnOp::Exp, f64::exp),
    (UnOp::Log, f64::ln),
    (UnOp::Tanh, f64::tanh),
    (UnOp::Sin, f64::sin),
    (UnOp::Cos, f64::cos),
    (UnOp::Tan, f64::tan),
    (UnOp::Asin, f64::asin),
    (UnOp::Acos, f64::acos),
    (UnOp::Atan, f64::atan),
    (UnOp::Exp2, f64::exp2),
    (UnOp::Exp10, |x| 10f64.powf(x)),
    (UnOp::Log2, f64::log2),
    (UnOp::Log10, f64::log10),
    (UnOp::Expm1, f64::exp_m1),
    (UnOp::Log1p, f64::ln_1p),
    (UnOp::Sinh, f64::sinh),
    (UnOp::Cosh, f64::cosh),
    // not the standard library's, which loses digits
    (UnOp::Asinh, libm::asinh),
    (UnOp::Acosh, |x| if x < 1.0 { f64::NAN } else { libm::acosh(x) }),
    (UnOp::Atanh, libm::atanh),
    (UnOp::Cbrt, f64::cbrt),
];
const OTHERS: [Unary; 10] = [
    (UnOp::Sinpi, reference::sinpi),
    (UnOp::Cospi, reference::cospi),
    (UnOp::Tanpi, reference::tanpi),
    (UnOp::Asinpi, reference::asinpi),
    (UnOp::Acospi, reference::acospi),
    (UnOp::Atanpi, reference::atanpi),
    (UnOp::Erf, libm::erf),
    (UnOp::Erfc, libm::erfc),
    (UnOp::Gamma, libm::tgamma),
    (UnOp::Lgamma, libm::lgamma),
];
const BINARY: [Binary; 3] = [(BinOp::Pow, f64::powf), (BinOp::Atan2, f64::atan2), (BinOp::Hypot, f64::hypot)];

const SPECIAL: [f64; 22] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    0.5,
    -0.5,
    2.0,
    3.0,
    -3.0,
    2.5,
    -2.5,
    1e-45,
    -1e-45,
    1e-40,
    3e38,
    -3e38,
    88.5,
    16_777_215.0,
    -16_777_215.0,
];

/// How far a result is from the exact one, in units of its last place; infinite where only one is a number, or the sign of a zero differs.
fn units(found: f32, exact: f64) -> f64 {
    let near = exact as f32;
    let same_sign = found.is_sign_negative() == near.is_sign_negative();
    if found.is_nan() && near.is_nan() || found == near && same_sign {
        return 0.0;
    }
    if found.is_nan() || near.is_nan() || !same_sign {
        return f64::INFINITY;
    }
    // infinity counts as the float behind the greatest
    let size = near.abs().min(f32::MAX.next_down());
    (f64::from(found.clamp(f32::MIN, f32::MAX)) - exact).abs() / f64::from(size.next_up() - size)
}

/// The most units of every `step`th float, on so many threads.
fn check(functions: &[Unary], step: usize, threads: usize) {
    for (op, exact) in functions {
        let function = single::unary(*op).unwrap();
        let worst_of = |floats: &mut dyn Iterator<Item = f32>| {
            floats.fold((0.0, 0.0), |worst, x| {
                let distance = units(function(x), exact(f64::from(x)));
                if distance > worst.0 { (distance, x) } else { worst }
            })
        };
        let every = |first: usize| {
            (first as u64..1 << 32).step_by(step * threads).map(|bits| f32::from_bits(bits as u32))
        };
        let special = worst_of(&mut SPECIAL.into_iter().map(|x| x as f32));
        let worst = std::thread::scope(|scope| {
            let parts: Vec<_> =
                (0..threads).map(|part| scope.spawn(move || worst_of(&mut every(part * step)))).collect();
            let parts = parts.into_iter().map(|part| part.join().unwrap());
            parts.fold(special, |worst, part| if part.0 > worst.0 { part } else { worst })
        });
        // those computed in `f64` are rounded once more
        let most = if unary_within(*op) == Some(Within::Double) { 1.0 } else { 2.0 };
        assert!(worst.0 <= most, "{op:?} of {:?} is {:?}: {} units", worst.1, function(worst.1), worst.0);
        eprintln!("{op:?}: {:.3} units at {:?}", worst.0, worst.1);
    }
}

#[test]
fn within_two_units_in_the_last_place() {
    check(&UNARY, 65_537, 1);
    check(&OTHERS, 65_537, 1);
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, |count| count.get())
}

/// Slow: `cargo test --release -p fun-base -- --ignored all_floats`.
#[test]
#[ignore = "runs functions on all floats"]
fn within_two_units_on_all_floats() {
    check(&UNARY, 1, threads());
}

/// Slow as well.
#[test]
#[ignore = "runs functions on all floats"]
fn half_turns_on_all_floats() {
    check(&OTHERS[..6], 1, threads());
}

/// And so are these.
#[test]
#[ignore = "runs functions on all floats"]
fn error_and_gamma_functions_on_all_floats() {
    check(&OTHERS[6..], 1, threads());
}

#[test]
fn two_arguments() {
    let mut rng = crate::rng::Rng::new(3);
    let mut any = || f64::from(f32::from_bits(rng.next_u64() as u32));
    let random: Vec<(f64, f64)> = (0..20_000).map(|_| (any(), any())).collect();
    let near: Vec<(f64, f64)> = random
        .iter()
        .map(|(x, y)| (f64::from((x.abs() % 20.0) as f32), f64::from((y % 30.0) as f32)))
        .collect();
    let special =
        SPECIAL.iter().flat_map(|x| SPECIAL.iter().map(|y| (f64::from(*x as f32), f64::from(*y as f32))));
    let pairs: Vec<(f64, f64)> = special.chain(random).chain(near).collect();
    for (op, exact) in BINARY {
        let function = single::binary(op).unwrap();
        for (x, y) in &pairs {
            let found = function(*x as f32, *y as f32);
            let distance = units(found, exact(*x, *y));
            assert!(distance <= 2.0, "{op:?} of {x:?} and {y:?} is {found:?}: {distance} units");
        }
    }
}

#[test]
fn special_values_of_f64() {
    let finite = |x: f64| if x.is_finite() { 4.0 * f64::EPSILON * x.abs() } else { 0.0 };
    let same = |found: f64, exact: f64| {
        found.is_nan() && exact.is_nan()
            || found.is_sign_negative() == exact.is_sign_negative()
                && (found == exact || (found - exact).abs() <= finite(exact))
    };
    let special =
        SPECIAL.iter().chain(&[1e300, -1e300, 5e-324, -5e-324, f64::MIN_POSITIVE, 710.0, -745.0, f64::MAX]);
    let special: Vec<f64> = special.copied().collect();
    for (op, exact) in UNARY.into_iter().chain(OTHERS) {
        let function = double::unary(op).unwrap();
        for x in &special {
            assert!(
                // `libm`'s is exact to 1e-16 there
                same(function(*x), exact(*x)) || op == UnOp::Lgamma && *x == -2.5,
                "{op:?} of {x:?} is {:?}, not {:?}",
                function(*x),
                exact(*x)
            );
        }
    }
    for (op, exact) in BINARY {
        let function = double::binary(op).unwrap();
        for (x, y) in special.iter().flat_map(|x| special.iter().map(move |y| (*x, *y))) {
            let (found, exact) = (function(x, y), exact(x, y));
            assert!(same(found, exact), "{op:?} of {x:?} and {y:?} is {found:?}, not {exact:?}");
        }
    }
}

/// Where the sine of a rounded argument cannot be told from another by chance: the double nearest to a multiple of π/2.
#[test]
fn angles_of_all_sizes() {
    let x = 6_381_956_970_095_103.0 * 2f64.powi(797);
    assert_eq!(double::cos(x), -4.687165924254628e-19);
    assert_eq!(double::sin(x).abs(), 1.0);
    assert_eq!(double::sin(1e22), -0.8522008497671888);
    assert_eq!(double::cos(1.5 * 2f64.powi(1023)), 0.7816138088997944);
}

/// The points of `points.txt`: an argument, the nearest result, and what that lacks in units of its last place.
fn points(of: UnOp) -> impl Iterator<Item = (f64, f64, f64)> {
    let name = format!("{of:?}").to_lowercase();
    let lines = include_str!("tests/points.txt").lines().skip_while(move |line| *line != name).skip(1);
    let number = |word: &str| Some(f64::from_bits(u64::from_str_radix(word, 16).ok()?));
    lines.map_while(move |line| {
        let mut words = line.split(' ');
        Some((number(words.next()?)?, number(words.next()?)?, words.next()?.parse().ok()?))
    })
}

#[test]
fn half_turns_error_and_gamma_functions_of_f64() {
    for (op, _) in OTHERS {
        let function = double::unary(op).unwrap();
        let (mut worst, mut count) = ((0.0, 0.0), 0);
        for (x, near, rest) in points(op) {
            let found = function(x);
            let unit = near.abs().min(f64::MAX.next_down()).next_up() - near.abs().min(f64::MAX.next_down());
            let distance = if found == near { rest.abs() } else { ((found - near) / unit - rest).abs() };
            count += 1;
            if distance.is_nan() || distance > worst.0 {
                worst = (distance, x);
            }
        }
        assert!(count > 100, "{count} points of {op:?}");
        assert!(worst.0 < 1.75, "{op:?} of {:?} is {:?}: {} units", worst.1, function(worst.1), worst.0);
        eprintln!("{op:?}: {:.3} units at {:?} of {count} numbers", worst.0, worst.1);
    }
}

#[test]
fn gamma_of_integers_is_exact() {
    let mut product = 1.0;
    for n in 1..=23 {
        assert_eq!(double::gamma(f64::from(n)), product, "gamma of {n}");
        product *= f64::from(n);
    }
}
