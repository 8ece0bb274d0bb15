//! Sine and cosine of multiples of pi: the argument is reduced exactly before it is multiplied.

use std::f64::consts::PI;

/// `sin (pi * x)`.
pub(super) fn sin(x: f64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    // Exact: fmod is, and so are the differences of nearby floats below.
    let a = x.abs() % 2.0;
    let (a, flip) = if a >= 1.0 { (a - 1.0, true) } else { (a, false) };
    let y = if a == 0.0 {
        // As IEEE 754-2019: integers give a zero with the sign of x.
        return 0.0f64.copysign(x);
    } else if a <= 0.25 {
        libm::sin(PI * a)
    } else if a <= 0.75 {
        libm::cos(PI * (0.5 - a))
    } else {
        libm::sin(PI * (1.0 - a))
    };
    if flip != x.is_sign_negative() { -y } else { y }
}

/// `cos (pi * x)`.
pub(super) fn cos(x: f64) -> f64 {
    if !x.is_finite() {
        return f64::NAN;
    }
    let a = x.abs() % 2.0;
    let a = if a > 1.0 { 2.0 - a } else { a };
    if a <= 0.25 {
        libm::cos(PI * a)
    } else if a == 0.5 {
        0.0
    } else if a <= 0.75 {
        libm::sin(PI * (0.5 - a))
    } else {
        -libm::cos(PI * (1.0 - a))
    }
}
