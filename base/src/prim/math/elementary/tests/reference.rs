//! Half turns, error and gamma functions in another way, to about 1e-15: by the system's sines and arcs, and those of the crate `libm`.

use std::f64::consts::PI;

/// `sin (pi * x)`.
pub(super) fn sinpi(x: f64) -> f64 {
    let turn = x % 2.0;
    if turn.fract() == 0.0 {
        return 0.0f64.copysign(x);
    }
    let size = turn.abs();
    let (size, sign) = if size > 1.0 { (size - 1.0, -1.0) } else { (size, 1.0) };
    let near = size.min(1.0 - size);
    let y = if near <= 0.25 { (PI * near).sin() } else { (PI * (0.5 - near)).cos() };
    sign * y.copysign(x)
}

/// `cos (pi * x)`.
pub(super) fn cospi(x: f64) -> f64 {
    let size = (x % 2.0).abs();
    let size = if size > 1.0 { 2.0 - size } else { size };
    let near = size.min(1.0 - size);
    let y = if near <= 0.25 { (PI * near).cos() } else { (PI * (0.5 - near)).sin() };
    if size > 0.5 { -y } else { y }
}

/// `tan (pi * x)`.
pub(super) fn tanpi(x: f64) -> f64 {
    sinpi(x) / cospi(x)
}

/// `asin x / pi`.
pub(super) fn asinpi(x: f64) -> f64 {
    x.asin() / PI
}

/// `acos x / pi`.
pub(super) fn acospi(x: f64) -> f64 {
    x.acos() / PI
}

/// `atan x / pi`.
pub(super) fn atanpi(x: f64) -> f64 {
    x.atan() / PI
}
