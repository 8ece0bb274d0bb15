//! Inverse trigonometric functions of `f64` without branches: a polynomial for the small angle, which is added to a multiple of π/2 in two parts.

/// The text of the helper of this name, if it is one of these.
pub(super) fn text(name: &str) -> Option<&'static str> {
    Some(match name {
        "atan2_f64" => {
            r"FUN_INLINE double atan2_f64(double y, double x) {
    const double high = fabs(x), wide = fabs(y);
    const bool steep = wide > high, back = copysign(1.0, x) < 0;
    const double over = steep ? high : wide, under = steep ? wide : high;
    const double t = over == under ? (under == 0 ? 0.0 : 1.0) : over / under, u = t * t;
    double g = fma(0x1.2f07811f9f6e9p-16, u, -0x1.a359b96a4eee4p-13);
    g = fma(g, u, 0x1.1325b2f8964bep-10);
    g = fma(g, u, -0x1.ca3677db66678p-9);
    g = fma(g, u, 0x1.123baedb61abdp-7);
    g = fma(g, u, -0x1.fd0e4de8fed90p-7);
    g = fma(g, u, 0x1.843f4bca23369p-6);
    g = fma(g, u, -0x1.00390504e9f2fp-5);
    g = fma(g, u, 0x1.3328700bb8169p-5);
    g = fma(g, u, -0x1.5d02278205cc7p-5);
    g = fma(g, u, 0x1.841dcf603a209p-5);
    g = fma(g, u, -0x1.aebbb1647a168p-5);
    g = fma(g, u, 0x1.e1d0239d392a6p-5);
    g = fma(g, u, -0x1.110fff599e4d2p-4);
    g = fma(g, u, 0x1.3b1399d1dcdc7p-4);
    g = fma(g, u, -0x1.745d15ee35819p-4);
    g = fma(g, u, 0x1.c71c71bb00a6cp-4);
    g = fma(g, u, -0x1.24924924753ecp-3);
    g = fma(g, u, 0x1.9999999999620p-3);
    g = fma(g, u, -0x1.5555555555555p-2);
    const double sign = steep != back ? -1.0 : 1.0, near = sign * t, tail = near * u * g;
    const double from = steep ? 0x1.921fb54442d18p+0 : back ? 0x1.921fb54442d18p+1 : 0.0;
    const double from_low = steep ? 0x1.1a62633145c07p-54 : back ? 0x1.1a62633145c07p-53 : 0.0;
    const double sum = from + near;
    return copysign(sum + ((from - sum) + near + (from_low + tail)), y);
}

"
        }
        "atan_f64" => {
            r"FUN_INLINE double atan_f64(double x) {
    return atan2_f64(x, 1.0);
}

"
        }
        // arc sine of a size up to 1/2, or of the root of what a larger one lacks of 1, halved: the argument and what is added
        "asin_tail" => {
            r"FUN_INLINE double asin_tail(double size, double *near) {
    const bool far = size > 0.5;
    const double u = far ? 0.5 - 0.5 * size : size * size, root = sqrt(u), z = far ? root : size;
    double g = fma(0x1.d72b2bc8155f8p-6, u, -0x1.e6aaa8a0a04ccp-7);
    g = fma(g, u, 0x1.1d189408314eep-6);
    g = fma(g, u, 0x1.65a9c4dfcf8b2p-8);
    g = fma(g, u, 0x1.52420b04b37bep-7);
    g = fma(g, u, 0x1.782651caa6547p-7);
    g = fma(g, u, 0x1.c9cf07674736ap-7);
    g = fma(g, u, 0x1.1c4d35cf95421p-6);
    g = fma(g, u, 0x1.6e8bb1c8209a2p-6);
    g = fma(g, u, 0x1.f1c71c1db0623p-6);
    g = fma(g, u, 0x1.6db6db6e31f13p-5);
    g = fma(g, u, 0x1.3333333332ecap-4);
    g = fma(g, u, 0x1.5555555555556p-3);
    const double lost = far & (z > 0) ? fma(-z, z, u) / (2.0 * z) : 0.0;
    *near = z;
    return fma(z * u, g, lost);
}

"
        }
        "asin_f64" => {
            r"FUN_INLINE double asin_f64(double x) {
    double z;
    const double size = fabs(x), tail = asin_tail(size, &z), high = 0x1.921fb54442d18p+0 - 2.0 * z;
    const double far = high + ((0x1.921fb54442d18p+0 - high) - 2.0 * z + fma(-2.0, tail, 0x1.1a62633145c07p-54));
    return copysign(size > 0.5 ? far : z + tail, x);
}

"
        }
        "acos_f64" => {
            r"FUN_INLINE double acos_f64(double x) {
    double z;
    const double size = fabs(x), tail = asin_tail(size, &z);
    const bool far = size > 0.5, back = x < 0;
    const double sign = far ? (back ? -2.0 : 2.0) : (back ? 1.0 : -1.0), near = sign * z;
    const double from = far ? (back ? 0x1.921fb54442d18p+1 : 0.0) : 0x1.921fb54442d18p+0;
    const double from_low = far ? (back ? 0x1.1a62633145c07p-53 : 0.0) : 0x1.1a62633145c07p-54;
    const double sum = from + near;
    return sum + ((from - sum) + near + fma(sign, tail, from_low));
}

"
        }
        _ => return None,
    })
}
