//! Hyperbolic functions, their inverses and roots of `f64` without branches.
//!
//! With `n` powers of two in `e^x` and a rest `r`, hyperbolic functions are sums of those of `r` with the half sum and the half difference of `2^n` and
//! `2^-n`, which is exact near 0. The inverse ones are logarithms of sums in two parts. The cube root is a step of Newton's from `exp` and `log`.

/// The text of the helper of this name, if it is one of these.
pub(super) fn text(name: &str) -> Option<&'static str> {
    Some(match name {
        "sinh_f64" => {
            r"FUN_INLINE double sinh_f64(double x) {
    double rest;
    const double size = fabs(x), to = size > 710.5 ? 710.5 : size, shifted = exp_shift(to), n = shifted - 0x1.80000000007fep52;
    const double r = exp_rest(to, n, &rest), u = r * r;
    double odd = fma(0x1.61c2c1ba3877dp-33, u, 0x1.ae642ad2afd38p-26);
    odd = fma(odd, u, 0x1.71de3a5af94e9p-19);
    odd = fma(odd, u, 0x1.a01a01a0195e6p-13);
    odd = fma(odd, u, 0x1.1111111111111p-7);
    odd = fma(odd, u, 0x1.5555555555555p-3);
    double even = fma(0x1.1f6949e9931a3p-29, u, 0x1.27e4e0ede8585p-22);
    even = fma(even, u, 0x1.a01a01a4bf4ccp-16);
    even = fma(even, u, 0x1.6c16c16c16789p-10);
    even = fma(even, u, 0x1.5555555555555p-5);
    even = fma(even, u, 0.5);
    const uint64_t k = f64_bits(shifted);
    const double grown = f64_of_bits((k - 1025) << 52), shrunk = n > 60.0 ? 0.0 : f64_of_bits((3067 - k) << 52);
    const double more = grown + shrunk, less = grown - shrunk;
    const double part = more * r, sum = less + part;
    const double tail = fma(less, fma(u, even, r * rest), more * fma(r * u, odd, rest));
    const double y = 2.0 * (sum + ((less - sum) + part + tail));
    return size < 0x1p-28 ? x : x == x ? copysign(y, x) : x;
}

"
        }
        "cosh_f64" => {
            r"FUN_INLINE double cosh_f64(double x) {
    double rest;
    const double size = fabs(x), to = size > 710.5 ? 710.5 : size, shifted = exp_shift(to), n = shifted - 0x1.80000000007fep52;
    const double r = exp_rest(to, n, &rest), u = r * r;
    double odd = fma(0x1.61c2c1ba3877dp-33, u, 0x1.ae642ad2afd38p-26);
    odd = fma(odd, u, 0x1.71de3a5af94e9p-19);
    odd = fma(odd, u, 0x1.a01a01a0195e6p-13);
    odd = fma(odd, u, 0x1.1111111111111p-7);
    odd = fma(odd, u, 0x1.5555555555555p-3);
    double even = fma(0x1.1f6949e9931a3p-29, u, 0x1.27e4e0ede8585p-22);
    even = fma(even, u, 0x1.a01a01a4bf4ccp-16);
    even = fma(even, u, 0x1.6c16c16c16789p-10);
    even = fma(even, u, 0x1.5555555555555p-5);
    even = fma(even, u, 0.5);
    const uint64_t k = f64_bits(shifted);
    const double grown = f64_of_bits((k - 1025) << 52), shrunk = n > 60.0 ? 0.0 : f64_of_bits((3067 - k) << 52);
    const double more = grown + shrunk, less = grown - shrunk;
    const double part = less * r, sum = more + part;
    const double tail = fma(more, fma(u, even, r * rest), less * fma(r * u, odd, rest));
    return 2.0 * (sum + ((more - sum) + part + tail));
}

"
        }
        "asinh_f64" => {
            r"FUN_INLINE double asinh_f64(double x) {
    const double size = fabs(x), square = size * size, part = square / (1.0 + sqrt(1.0 + square)), sum = size + part;
    double rest = (size - sum) + part;
    const double near = plus_one(sum, &rest);
    const bool far = size > 0x1p28;
    const double y = log_of_pair(far ? size : near, far ? 0.0 : rest, far ? 1.0 : 0.0);
    return (size > 0x1p-28) & (size < (double)INFINITY) ? copysign(y, x) : x;
}

"
        }
        "acosh_f64" => {
            r"FUN_INLINE double acosh_f64(double x) {
    const double part = x - 1.0, root = sqrt(fma(part, part, 2.0 * part)), sum = root + part;
    double rest = (root - sum) + part;
    const double near = plus_one(sum, &rest);
    const bool far = x > 0x1p28;
    const double y = log_of_pair(far ? x : near, far ? 0.0 : rest, far ? 1.0 : 0.0);
    return x >= 1 ? x < (double)INFINITY ? y : x : (double)NAN;
}

"
        }
        "atanh_f64" => {
            r"FUN_INLINE double atanh_f64(double x) {
    const double size = fabs(x), under = 1.0 - size, under_low = (1.0 - under) - size, twice = 2.0 * size;
    const double part = twice / under;
    double rest = (fma(-part, under, twice) - part * under_low) / under;
    const double sum = plus_one(part, &rest), y = copysign(0.5 * log_of_pair(sum, rest, 0.0), x);
    return size < 0x1p-28 ? x : size < 1 ? y : size == 1 ? copysign((double)INFINITY, x) : (double)NAN;
}

"
        }
        "cbrt_f64" => {
            r"FUN_INLINE double cbrt_f64(double x) {
    const double size = fabs(x);
    const bool tiny = size < 0x1p-900;
    const double scaled = tiny ? size * 0x1p600 : size, near = exp_f64(log_f64(scaled) * 0x1.5555555555555p-2);
    const double square = near * near, rest = fma(square, near, -scaled) + fma(near, near, -square) * near;
    const double y = near - rest / (3.0 * square);
    return (size > 0) & (size < (double)INFINITY) ? copysign(tiny ? y * 0x1p-200 : y, x) : x;
}

"
        }
        "hypot_f64" => {
            r"FUN_INLINE double hypot_f64(double x, double y) {
    const double wide = fabs(x), high = fabs(y), most = wide > high ? wide : high, least = wide > high ? high : wide;
    const bool large = most > 0x1p500, tiny = most < 0x1p-400;
    const double scale = large ? 0x1p-600 : tiny ? 0x1p600 : 1.0, back = large ? 0x1p600 : tiny ? 0x1p-600 : 1.0;
    const double a = most * scale, b = least * scale;
    const bool far = (wide == (double)INFINITY) | (high == (double)INFINITY);
    return far ? (double)INFINITY : sqrt(fma(a, a, b * b)) * back;
}

"
        }
        _ => return None,
    })
}
