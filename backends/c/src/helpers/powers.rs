//! Powers and logarithms of `f64` without branches, from the two parts of `pairs.rs`.

/// The text of the helper of this name, if it is one of these.
pub(super) fn text(name: &str) -> Option<&'static str> {
    Some(match name {
        "pow_f64" => {
            r"FUN_INLINE double pow_f64(double x, double y) {
    double low;
    const double log = log_pair_f64(x, &low);
    return pow_of_log_f64(x, log, low, y);
}

"
        }
        // the logarithm of the size of a number, and what it lacks
        "log_pair_f64" => {
            r"FUN_INLINE double log_pair_f64(double x, double *lost) {
    double f, low;
    const double size = fabs(x), n = log_split(size, &f), near = log_near(f, 0.0, &low), high = n * 0x1.62e42fefa2p-1;
    const double sum = high + near;
    *lost = (high - sum) + near + fma(n, 0x1.9ef35793c7673p-41, low);
    return log_ends(size, sum);
}

"
        }
        "pow_of_log_f64" => {
            r"FUN_INLINE double pow_of_log_f64(double x, double log, double log_low, double y) {
    double rest;
    const double product = y * log;
    const bool far = !(fabs(product) < 1000.0);
    const double product_low = far ? 0.0 : fma(y, log, -product) + y * log_low;
    const double to = product < -746.0 ? -746.0 : product > 710.0 ? 710.0 : product;
    const double shifted = exp_shift(to), r = exp_rest(to, shifted - 0x1.80000000007fep52, &rest);
    const double more = rest + product_low, exponent = r + more;
    const double positive = exp_of_rest(exponent, (r - exponent) + more, shifted);
    const bool whole = trunc(y) == y, odd = whole & (trunc(0.5 * y) != 0.5 * y);
    const bool none = (x < 0) & (x > -(double)INFINITY) & !whole;
    const double power = none ? (double)NAN : (odd & (copysign(1.0, x) < 0)) ? -positive : positive;
    return (y == 0) | (x == 1) | ((x == -1) & (fabs(y) == (double)INFINITY)) ? 1.0 : power;
}

"
        }
        "exp2_f64" => {
            r"FUN_INLINE double exp2_f64(double x) {
    const double to = x < -1080.0 ? -1080.0 : x > 1025.0 ? 1025.0 : x;
    const double shifted = to + 0x1.80000000007fep52, part = to - (shifted - 0x1.80000000007fep52);
    const double r = part * 0x1.62e42fefa39efp-1;
    return exp_of_rest(r, fma(part, 0x1.62e42fefa39efp-1, -r) + part * 0x1.abc9e3b39803fp-56, shifted);
}

"
        }
        "exp10_f64" => {
            r"FUN_INLINE double exp10_f64(double x) {
    const double to = x < -325.0 ? -325.0 : x > 310.0 ? 310.0 : x;
    const double shifted = to * 0x1.a934f0979a371p+1 + 0x1.80000000007fep52, n = shifted - 0x1.80000000007fep52;
    const double near = fma(n, -0x1.34413509f6p-2, to), part = fma(n, -0x1.9fef311f12b36p-42, near);
    const double lost = fma(n, -0x1.9fef311f12b36p-42, near - part), r = part * 0x1.26bb1bbb55516p+1;
    const double rest = fma(part, 0x1.26bb1bbb55516p+1, -r) + fma(part, -0x1.f48ad494ea3e9p-53, lost * 0x1.26bb1bbb55516p+1);
    return exp_of_rest(r, rest, shifted);
}

"
        }
        "expm1_f64" => {
            r"FUN_INLINE double expm1_f64(double x) {
    double rest;
    const double to = x < -40.0 ? -40.0 : x > 710.0 ? 710.0 : x, shifted = exp_shift(to);
    const double r = exp_rest(to, shifted - 0x1.80000000007fep52, &rest);
    double g = fma(0x1.af3924be99a57p-26, r, 0x1.2891e963ab1f9p-22);
    g = fma(g, r, 0x1.71de0d7a972efp-19);
    g = fma(g, r, 0x1.a019b8b8f8697p-16);
    g = fma(g, r, 0x1.a01a01a7d176dp-13);
    g = fma(g, r, 0x1.6c16c178a18c1p-10);
    g = fma(g, r, 0x1.11111111109a2p-7);
    g = fma(g, r, 0x1.5555555553d2bp-5);
    g = fma(g, r, 0x1.5555555555556p-3);
    g = fma(g, r, 0.5);
    const double tail = fma(r * r, g, fma(r, rest, rest)), half = f64_of_bits((f64_bits(shifted) - 1024) << 52);
    const double whole = half - 0.5, part = half * r, sum = whole + part;
    const double y = 2.0 * (sum + ((whole - sum) + part + half * tail));
    return fabs(x) < 0x1p-54 ? x : y;
}

"
        }
        "log2_f64" => {
            r"FUN_INLINE double log2_f64(double x) {
    double f, low;
    const double n = log_split(x, &f), near = log_near(f, 0.0, &low), part = near * 0x1.71547652b82fep+0;
    const double rest = fma(near, 0x1.71547652b82fep+0, -part) + fma(near, 0x1.777d0ffda0d24p-56, low * 0x1.71547652b82fep+0);
    const double y = n + part;
    return log_ends(x, y + ((n - y) + part + rest));
}

"
        }
        "log10_f64" => {
            r"FUN_INLINE double log10_f64(double x) {
    double f, low;
    const double n = log_split(x, &f), near = log_near(f, 0.0, &low), part = near * 0x1.bcb7b1526e50ep-2;
    const double rest = fma(near, 0x1.bcb7b1526e50ep-2, -part) + fma(near, 0x1.95355baaafad3p-57, low * 0x1.bcb7b1526e50ep-2);
    const double high = n * 0x1.34413509f6p-2, y = high + part;
    return log_ends(x, y + ((high - y) + part + fma(n, 0x1.9fef311f12b36p-42, rest)));
}

"
        }
        // 1 + x, in two parts
        "plus_one" => {
            r"FUN_INLINE double plus_one(double x, double *rest) {
    const double sum = 1.0 + x, part = sum - 1.0;
    *rest += (1.0 - (sum - part)) + (x - part);
    return sum;
}

"
        }
        "log1p_f64" => {
            r"FUN_INLINE double log1p_f64(double x) {
    double rest = 0.0;
    const double sum = plus_one(x, &rest), y = log_of_pair(sum, rest, 0.0);
    const double other = x < -1 ? (double)NAN : x == -1 ? -(double)INFINITY : x;
    return (x > -1) & (fabs(x) >= 0x1p-54) & (x < (double)INFINITY) ? y : other;
}

"
        }
        _ => return None,
    })
}
