//! Logarithms and exponentials of `f64` in two parts, a number and what it lacks, so that what comes of them is within 2 units in the last place.
//! Without branches, so that compilers run them in vectors.
//!
//! `log (1 + f)` is twice the inverse hyperbolic tangent of `s = f / (2 + f)`: the first two terms of the series in two parts, the rest a polynomial in `s^2`
//! that interpolates at Chebyshev's points, as the polynomials of `hyperbolic.rs` and `arcs.rs` do (in 300 bits, then rounded).

/// The text of the helper of this name, if it is one of these.
pub(super) fn text(name: &str) -> Option<&'static str> {
    Some(match name {
        // log (1 + f + rest), where the sum is near 1
        "log_near" => {
            r"FUN_INLINE double log_near(double f, double rest, double *low) {
    const double sum = 2.0 + f, over = 1.0 / sum, lost = (2.0 - sum) + f + rest;
    const double s = f * over, s_low = over * (fma(-s, sum, f) + fma(-s, lost, rest));
    const double z = s * s, z_low = fma(s, s, -z) + 2.0 * s * s_low;
    const double cube = z * s, cube_low = fma(z, s, -cube) + fma(z, s_low, z_low * s);
    double g = fma(0x1.e0b2fadc317e7p-4, z, 0x1.df700c050c69dp-4);
    g = fma(g, z, 0x1.11190514d902bp-3);
    g = fma(g, z, 0x1.3b1394b0a7753p-3);
    g = fma(g, z, 0x1.745d177d4ef6cp-3);
    g = fma(g, z, 0x1.c71c71c6e78a1p-3);
    g = fma(g, z, 0x1.249249249252cp-2);
    g = fma(g, z, 0x1.999999999999ap-2);
    const double tail = z * g, third = 0x1.5555555555555p-1 + tail;
    const double third_low = (0x1.5555555555555p-1 - third) + tail + 0x1.5555555555555p-55;
    const double part = cube * third, part_low = fma(cube, third, -part) + fma(cube, third_low, cube_low * third);
    const double high = 2.0 * s, y = high + part;
    *low = (high - y) + part + fma(2.0, s_low, part_low);
    return y;
}

"
        }
        // the power of two in a number, and the rest less 1
        "log_split" => {
            r"FUN_INLINE double log_split(double x, double *f) {
    const bool tiny = x < 0x1p-1022;
    const uint64_t bits = f64_bits(tiny ? x * 0x1p52 : x);
    const uint64_t power = (bits - 0x3fe6a09e667f3bcd + 0x3ff0000000000000) >> 52;
    *f = f64_of_bits(bits - ((power - 1023) << 52)) - 1.0;
    return f64_of_bits(0x4330000000000000 | power) - (tiny ? 0x1p52 + 1075 : 0x1p52 + 1023);
}

"
        }
        "log_ends" => {
            r"FUN_INLINE double log_ends(double x, double y) {
    return x > 0 ? x < (double)INFINITY ? y : x : x == 0 ? -(double)INFINITY : (double)NAN;
}

"
        }
        // the logarithm of a sum from 2^-53 on, `more` powers of two added
        "log_of_pair" => {
            r"FUN_INLINE double log_of_pair(double x, double rest, double more) {
    double low;
    const uint64_t bits = f64_bits(x), power = (bits - 0x3fe6a09e667f3bcd + 0x3ff0000000000000) >> 52;
    const double f = f64_of_bits(bits - ((power - 1023) << 52)) - 1.0;
    const double n = f64_of_bits(0x4330000000000000 | power) - (0x1p52 + 1023) + more;
    const double scaled = x > 0x1p200 ? 0.0 : rest * f64_of_bits((2046 - power) << 52), sum = f + scaled;
    const double near = log_near(sum, (f - sum) + scaled, &low), high = n * 0x1.62e42fefa2p-1, y = high + near;
    return y + ((high - y) + near + fma(n, 0x1.9ef35793c7673p-41, low));
}

"
        }
        // a power of two, in the last bits of `shifted`, times e to a small number
        "exp_of_rest" => {
            r"FUN_INLINE double exp_of_rest(double r, double rest, double shifted) {
    double g = fma(0x1.af3924be99a57p-26, r, 0x1.2891e963ab1f9p-22);
    g = fma(g, r, 0x1.71de0d7a972efp-19);
    g = fma(g, r, 0x1.a019b8b8f8697p-16);
    g = fma(g, r, 0x1.a01a01a7d176dp-13);
    g = fma(g, r, 0x1.6c16c178a18c1p-10);
    g = fma(g, r, 0x1.11111111109a2p-7);
    g = fma(g, r, 0x1.5555555553d2bp-5);
    g = fma(g, r, 0x1.5555555555556p-3);
    g = fma(g, r, 0.5);
    const double one = 1.0 + r, lost = (1.0 - one) + r;
    const double part = one + (lost + fma(r * r, g, fma(r, rest, rest)));
    const uint64_t k = f64_bits(shifted), halved = k >> 1;
    return part * f64_of_bits(halved << 52) * f64_of_bits((k - halved) << 52);
}

"
        }
        // what is left of a number without `n log 2`
        "exp_rest" => {
            r"FUN_INLINE double exp_rest(double x, double n, double *rest) {
    const double near = fma(n, -0x1.62e42p-1, x), r = fma(n, -0x1.fdf473de6af28p-22, near);
    *rest = fma(n, -0x1.fdf473de6af28p-22, near - r);
    return r;
}

"
        }
        // so many powers of two as the last bits
        "exp_shift" => {
            r"FUN_INLINE double exp_shift(double x) {
    return x * 0x1.71547652b82fep+0 + 0x1.80000000007fep52;
}

"
        }
        _ => return None,
    })
}
