//! Sines, cosines and tangents of `f64` without branches, so that compilers run them in vectors.
//!
//! An angle becomes quarter turns as in `angles.rs`, for all sizes by one way: 32 exponents at a time have a row of 212 digits of their power of two over π/2,
//! modulo 4 (Payne and Hanek, 1983). The closest that a number comes to a multiple of π/2 is 2^-61, and sums without loss keep 53 digits behind that.
//! The polynomials interpolate at Chebyshev's points (in 300 bits, then rounded).

/// The text of the helper of this name, if it is one of these.
pub(super) fn text(name: &str) -> Option<&'static str> {
    Some(match name {
        // adds to a sum what fits, and to `low` what does not
        "plus_rest" => {
            r"FUN_INLINE double plus_rest(double x, double y, double *low) {
    const double sum = x + y, part = sum - x;
    *low = (x - (sum - part)) + (y - part);
    return sum;
}

"
        }
        // the quarter turns in an angle, and the angle that is left, in two parts
        "turn_f64" => {
            r"FUN_INLINE double turn_f64(double x, uint64_t *quarter, double *low) {
    static const double digits[32][4] = {
        {0x1.45f306dc9c883p-1, -0x1.6b01ec5417056p-55, -0x1.6447e493ad4cep-109, 0x1.e21c820ff28b2p-163},
        {0x1.45f306dc9c883p-21, -0x1.6b01ec5417056p-75, -0x1.6447e493ad4cep-129, 0x1.e21c820ff28b2p-183},
        {0x1.cc1b727220a95p+1, -0x1.ec54170565912p-59, 0x1.b6c52b3278872p-117, 0x1.07f9458eaf7afp-174},
        {0x1.054a7f09d5f48p-2, -0x1.596447e493ad5p-57, 0x1.93c439041fe51p-112, 0x1.8eaf7aef1586ep-166},
        {0x1.3abe8fa9a6eep+1, 0x1.b6c52b3278872p-53, 0x1.07f9458eaf7afp-110, -0x1.d4f246dc8e2dfp-167},
        {0x1.a6ee06db14acdp+1, -0x1.8778df7c035d4p-53, 0x1.d5ef5de2b0db9p-107, 0x1.1b8e909374b8p-162},
        {0x1.14acc9e21c821p+1, -0x1.ae9c5421443aap-60, 0x1.b7246e3a424ddp-116, 0x1.700324977504fp-171},
        {0x1.c820ff28b1d5fp-3, -0x1.443a9e48db91cp-60, -0x1.6f6c8b47fe6dbp-114, -0x1.115f62e6de302p-168},
        {0x1.163abdebbc562p+0, -0x1.236e4716f6c8bp-54, -0x1.1ff9b6d115f63p-108, 0x1.921cfe1deb1cbp-164},
        {0x1.de2b0db92371dp+1, 0x1.09374b801924cp-54, -0x1.15f62e6de301ep-108, -0x1.0a71a76b2c609p-163},
        {0x1.2371d2126e97p+1, 0x1.924bba8274648p-58, 0x1.cfe1deb1cb12ap-112, -0x1.63045df7282b4p-166},
        {0x1.ba5c00c925dd4p-1, 0x1.3a32439fc3bd6p-57, 0x1.cb129a73ee882p-112, 0x1.afa975da24275p-167},
        {0x1.25dd413a3243ap-1, -0x1.e214e34ed658cp-60, -0x1.177dca0ad144cp-116, 0x1.213a671c09ad1p-170},
        {0x1.1921cfe1deb1dp+0, -0x1.3b5963045df73p-54, 0x1.f52ebb4484e9ap-108, -0x1.c7eca5d040df6p-163},
        {0x1.deb1cb129a73fp+0, -0x1.77dca0ad144bbp-56, -0x1.ec598e3f652e8p-110, -0x1.037d8cdc538dp-165},
        {0x1.4d39f74411afbp+1, -0x1.a28976f62cc72p-53, 0x1.35a2fbf209cc9p-111, -0x1.4e33e566305b2p-167},
        {0x1.1afa975da2427p-3, 0x1.338e04d68befdp-57, -0x1.f633714e33e56p-111, -0x1.8c16c6f740e88p-165},
        {0x1.da24274ce3813p+1, 0x1.68befc827323bp-53, -0x1.c67cacc60b638p-108, 0x1.17e2ef7e4a0ecp-162},
        {0x1.c7026b45f7e41p+0, 0x1.cc8eb1cc1a99dp-55, -0x1.6c6f740e8840ep-113, 0x1.41d8ffc4bffefp-167},
        {0x1.f7e413991d63ap+0, -0x1.f2b3182d8dee8p-54, -0x1.d1081b5f13802p-110, 0x1.2fffbc0b301fep-165},
        {0x1.1d639835339f5p+0, -0x1.8dee81d1081b6p-54, 0x1.d8ffc4bffef03p-111, -0x1.9fc04343b9d29p-166},
        {0x1.339f49c845f8cp+0, -0x1.081b5f13801dap-54, -0x1.0fd33f8086877p-119, -0x1.d297d64b824b2p-174},
        {0x1.17e2ef7e4a0ecp-2, 0x1.ff897ffde0598p-56, 0x1.fde5e2316b415p-113, -0x1.2e092c98130d8p-168},
        {0x1.c941d8ffc4cp+1, -0x1.0fd33f8086877p-55, -0x1.d297d64b824b2p-110, -0x1.8130d834f648bp-164},
        {0x1.c4bffef02cc08p+1, -0x1.0d0ee74a5f593p-56, 0x1.f6d367ecf27cbp-112, 0x1.36e9e8c7ecd3dp-169},
        {0x1.6603fbcbc462dp-2, 0x1.a0a6d1f6d367fp-56, -0x1.86c1a7b24585dp-111, 0x1.fb34f2ff516bbp-167},
        {0x1.788c5ad05369p+1, -0x1.25930261b069fp-53, 0x1.b74f463f669e6p-108, -0x1.5d28ad8453814p-168},
        {0x1.4da3eda6cfd9ep-1, 0x1.3e584dba7a32p-55, -0x1.32c3402ba515bp-109, -0x1.14e050683a131p-166},
        {0x1.b3f6793e584dcp+1, -0x1.61738132c3403p-53, 0x1.16ba93dd63f5fp-107, 0x1.7c5ecf41ce7dep-162},
        {0x1.6136e9e8c7ecdp-1, 0x1.e5fea2d7527bbp-56, -0x1.c0a0d0742617cp-111, -0x1.8c10eb5ada2b3p-165},
        {0x1.8fd9a797fa8b6p-2, -0x1.5b08a7028341dp-57, -0x1.30be31821d6b6p-114, 0x1.2ea6bfb5fb12p-168},
        {0x1.fea2d7527bac8p+0, -0x1.41a0e84c2f8c6p-56, -0x1.0eb5ada2b2809p-113, -0x1.0277039517bd5p-167},
    };
    const uint64_t power = (f64_bits(x) >> 52) & 0x7ff, row = ((power - 1023) >> 5) & 31 & -(uint64_t)(power >= 1023);
    const double scaled = x * f64_of_bits((1023 + ((52 - 32 * row) & -(uint64_t)(row > 0))) << 52);
    const double a = digits[row][0], b = digits[row][1], c = digits[row][2], d = digits[row][3];
    const double whole = scaled * a, second = scaled * b, third = scaled * c;
    const double lost = fma(scaled, a, -whole), second_lost = fma(scaled, b, -second);
    double l0, l1, l2, l3, m0, m1, m2, m3;
    double sum = whole - 4.0 * rint(0.25 * whole);
    sum = plus_rest(sum, lost - ((lost + 0x1.8p54) - 0x1.8p54), &l0);
    sum = plus_rest(sum, second - ((second + 0x1.8p54) - 0x1.8p54), &l1);
    const double shifted = sum + 0x1.8p52;
    *quarter = f64_bits(shifted);
    sum = plus_rest(sum - (shifted - 0x1.8p52), third, &l2);
    sum = plus_rest(sum, second_lost, &l3);
    sum = plus_rest(sum, l0, &m0);
    sum = plus_rest(sum, l1, &m1);
    sum = plus_rest(sum, l2, &m2);
    sum = plus_rest(sum, l3, &m3);
    const double rest = m0 + m1 + m2 + m3 + fma(scaled, d, fma(scaled, c, -third));
    const double y = sum * 0x1.921fb54442d18p+0;
    *low = fma(sum, 0x1.921fb54442d18p+0, -y) + fma(sum, 0x1.1a62633145c07p-54, rest * 0x1.921fb54442d18p+0);
    return y;
}

"
        }
        // the sine of a small angle in two parts, and what the result lacks
        "sine_of_rest" => {
            r"FUN_INLINE double sine_of_rest(double r, double low, double *lost) {
    const double u = r * r;
    double g = fma(-0x1.ab16f5caa198ap-41, u, 0x1.61217d9252c03p-33);
    g = fma(g, u, -0x1.ae645410e937bp-26);
    g = fma(g, u, 0x1.71de3a545f836p-19);
    g = fma(g, u, -0x1.a01a01a01992fp-13);
    g = fma(g, u, 0x1.1111111111110p-7);
    g = fma(g, u, -0x1.5555555555555p-3);
    const double tail = fma(r * u, g, fma(-0.5 * u, low, low)), y = r + tail;
    *lost = (r - y) + tail;
    return y;
}

"
        }
        // the cosine likewise
        "cosine_of_rest" => {
            r"FUN_INLINE double cosine_of_rest(double r, double low, double *lost) {
    const double u = r * r, halved = 0.5 * u, part = 1.0 - halved;
    double g = fma(-0x1.907cd8ff5ede7p-37, u, 0x1.1eeb67d026ec6p-29);
    g = fma(g, u, -0x1.27e4fa16cc2d1p-22);
    g = fma(g, u, 0x1.a01a019f4ddfdp-16);
    g = fma(g, u, -0x1.6c16c16c16963p-10);
    g = fma(g, u, 0x1.5555555555555p-5);
    const double tail = (1.0 - part) - halved + fma(u * u, g, -r * low), y = part + tail;
    *lost = (part - y) + tail;
    return y;
}

"
        }
        // the sine of an angle that is so many quarter turns further, from the sine and the cosine of the angle. Chosen by bits: where a loop has the sine and
        // the cosine of one number, GCC makes a branch of choices, as both have one condition
        "in_quarter" => {
            r"FUN_INLINE double in_quarter(uint64_t quarter, double s, double c) {
    const uint64_t sine = f64_bits(s), other = (sine ^ f64_bits(c)) & -(quarter & 1);
    return f64_of_bits(sine ^ other ^ (quarter & 2) << 62);
}

"
        }
        "sin_f64" => {
            r"FUN_INLINE double sin_f64(double x) {
    uint64_t quarter;
    double low, s_low, c_low;
    const double r = turn_f64(x, &quarter, &low), s = sine_of_rest(r, low, &s_low), c = cosine_of_rest(r, low, &c_low);
    return fabs(x) < 0x1p-27 ? x : in_quarter(quarter, s, c);
}

"
        }
        "cos_f64" => {
            r"FUN_INLINE double cos_f64(double x) {
    uint64_t quarter;
    double low, s_low, c_low;
    const double r = turn_f64(x, &quarter, &low), s = sine_of_rest(r, low, &s_low), c = cosine_of_rest(r, low, &c_low);
    return in_quarter(quarter + 1, s, c);
}

"
        }
        "tan_f64" => {
            r"FUN_INLINE double tan_f64(double x) {
    uint64_t quarter;
    double low, s_low, c_low;
    const double r = turn_f64(x, &quarter, &low), s = sine_of_rest(r, low, &s_low), c = cosine_of_rest(r, low, &c_low);
    const bool odd = (quarter & 1) != 0;
    const double over = odd ? -c : s, over_low = odd ? -c_low : s_low, under = odd ? s : c, under_low = odd ? s_low : c_low;
    const double part = 1.0 / under, near = over * part;
    const double y = near + part * (fma(-near, under, over) + fma(-near, under_low, over_low));
    return fabs(x) < 0x1p-28 ? x : y;
}

"
        }
        _ => return None,
    })
}
