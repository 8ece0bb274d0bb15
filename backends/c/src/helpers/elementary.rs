//! Elementary functions of our own, without branches or tables, so that compilers run them in vectors: `exp`, `log` and `tanh`, and `pow`
//! of `f32`. At most 2 units in the last place from the exact results (`docs/backends.md` has the figures).
//!
//! Each takes its argument apart into a power of two and a rest on a small interval, where a polynomial of least relative error (found by
//! Remez's exchange in 300 bits) does. `log` adds the square of the rest apart from the polynomial, since it has more digits than a
//! product keeps; `exp` bounds the power (as an integer, for which vectors have an instruction, and GCC takes it where the bound has a name) and not the
//! argument from above, as the rest may be large where the result is infinite; `tanh` is a polynomial up to 0.55 and comes from `exp` beyond; `pow` of `f32` is computed in `f64`.

/// The text of the helper of this name, if it is one of these.
pub(super) fn text(name: &str) -> Option<&'static str> {
    Some(match name {
        "exp_f32" => {
            "FUN_INLINE float exp_f32(float x) {\n    \
             const float y = x < -104.0f ? -104.0f : x;\n    \
             const int32_t shifted = (int32_t)f32_bits(fmaf(y, 0x1.715476p+0f, 0x1.8001fcp23f));\n    \
             const int32_t most = 0x4b400180, power = shifted < most ? shifted : most;\n    \
             const uint32_t k = (uint32_t)power, halved = k >> 1;\n    \
             const float n = f32_of_bits(k) - 0x1.8001fcp23f;\n    \
             const float r = fmaf(n, -0x1.c85fdep-10f, fmaf(n, -0x1.62p-1f, y));\n    \
             float g = fmaf(0x1.6d119ap-10f, r, 0x1.120cp-7f);\n    \
             g = fmaf(g, r, 0x1.555518p-5f);\n    g = fmaf(g, r, 0x1.5554dcp-3f);\n    g = fmaf(g, r, 0.5f);\n    \
             const float part = fmaf(fmaf(g, r, 1.0f), r, 1.0f);\n    \
             return part * f32_of_bits((k - halved) << 23) * f32_of_bits(halved << 23);\n}\n\n"
        }
        "exp_f64" => {
            "FUN_INLINE double exp_f64(double x) {\n    \
             const double y = x < -746.0 ? -746.0 : x;\n    \
             const int64_t shifted = (int64_t)f64_bits(fma(y, 0x1.71547652b82fep+0, 0x1.80000000007fep52));\n    \
             const int64_t most = 0x4338000000000c00, power = shifted < most ? shifted : most;\n    \
             const uint64_t k = (uint64_t)power, halved = k >> 1;\n    \
             const double n = f64_of_bits(k) - 0x1.80000000007fep52;\n    \
             const double r = fma(n, -0x1.fdf473de6af28p-22, fma(n, -0x1.62e42p-1, y));\n    \
             double g = fma(0x1.af3924be99a57p-26, r, 0x1.2891e963ab1f9p-22);\n    \
             g = fma(g, r, 0x1.71de0d7a972efp-19);\n    g = fma(g, r, 0x1.a019b8b8f8697p-16);\n    \
             g = fma(g, r, 0x1.a01a01a7d176dp-13);\n    g = fma(g, r, 0x1.6c16c178a18c1p-10);\n    \
             g = fma(g, r, 0x1.11111111109a2p-7);\n    g = fma(g, r, 0x1.5555555553d2bp-5);\n    \
             g = fma(g, r, 0x1.5555555555556p-3);\n    g = fma(g, r, 0.5);\n    \
             const double part = fma(fma(g, r, 1.0), r, 1.0);\n    \
             return part * f64_of_bits(halved << 52) * f64_of_bits((k - halved) << 52);\n}\n\n"
        }
        "log_f32" => {
            "FUN_INLINE float log_f32(float x) {\n    \
             const bool tiny = x < 0x1p-126f;\n    \
             const uint32_t bits = f32_bits(tiny ? x * 0x1p23f : x), power = (bits - 0x3f3504f3 + 0x3f800000) >> 23;\n    \
             const float f = f32_of_bits(bits - ((power - 127) << 23)) - 1.0f;\n    \
             const float n = (float)(int32_t)power - (tiny ? 150.0f : 127.0f);\n    \
             float g = fmaf(0x1.1456e2p-4f, f, -0x1.de3b6ap-4f);\n    \
             g = fmaf(g, f, 0x1.e6f066p-4f);\n    \
             g = fmaf(g, f, -0x1.fc2224p-4f);\n    \
             g = fmaf(g, f, 0x1.23376ap-3f);\n    \
             g = fmaf(g, f, -0x1.555c4cp-3f);\n    \
             g = fmaf(g, f, 0x1.99a4b6p-3f);\n    \
             g = fmaf(g, f, -0x1.000006p-2f);\n    \
             g = fmaf(g, f, 0x1.555548p-2f);\n    \
             const float square = f * f;\n    \
             const float part = fmaf(n, -0x1.bd0106p-13f, fmaf(square, -0.5f, square * f * g));\n    \
             const float y = fmaf(n, 0x1.63p-1f, part + f);\n    \
             return x > 0 ? x < (float)INFINITY ? y : x : x == 0 ? -(float)INFINITY : (float)NAN;\n\
             }\n\n"
        }
        "log_f64" => {
            "FUN_INLINE double log_f64(double x) {\n    \
             const bool tiny = x < 0x1p-1022;\n    \
             const uint64_t bits = f64_bits(tiny ? x * 0x1p52 : x);\n    \
             const uint64_t power = (bits - 0x3fe6a09e667f3bcd + 0x3ff0000000000000) >> 52;\n    \
             const double f = f64_of_bits(bits - ((power - 1023) << 52)) - 1.0;\n    \
             const double n = f64_of_bits(0x4330000000000000 | power) - (tiny ? 0x1p52 + 1075 : 0x1p52 + 1023);\n    \
             const double s = f / (2.0 + f), z = s * s;\n    \
             double g = fma(0x1.2b5f05f7e7855p-3, z, 0x1.39fdc837ea917p-3);\n    \
             g = fma(g, z, 0x1.7462b9b5393fcp-3);\n    \
             g = fma(g, z, 0x1.c71c62d1cfcb2p-3);\n    \
             g = fma(g, z, 0x1.2492492e02ab1p-2);\n    \
             g = fma(g, z, 0x1.999999999522ep-2);\n    \
             g = fma(g, z, 0x1.5555555555558p-1);\n    \
             const double halved = 0.5 * f * f, part = fma(n, 0x1.a39ef35793c76p-33, s * fma(z, g, halved));\n    \
             const double y = fma(n, 0x1.62e42feep-1, f - (halved - part));\n    \
             return x > 0 ? x < (double)INFINITY ? y : x : x == 0 ? -(double)INFINITY : (double)NAN;\n\
             }\n\n"
        }
        "tanh_f32" => {
            "FUN_INLINE float tanh_f32(float x) {\n    \
             const float size = fabsf(x), z = x * x;\n    \
             float g = fmaf(0x1.4bb17p-9f, z, -0x1.177eecp-7f);\n    \
             g = fmaf(g, z, 0x1.657cc4p-6f);\n    \
             g = fmaf(g, z, -0x1.ba146p-5f);\n    \
             g = fmaf(g, z, 0x1.111106p-3f);\n    \
             g = fmaf(g, z, -0x1.555556p-2f);\n    \
             const float near = fmaf(size * z, g, size), far = 1.0f - 2.0f / (exp_f32(2.0f * size) + 1.0f);\n    \
             return copysignf(size < 0.55f ? near : far, x);\n\
             }\n\n"
        }
        "tanh_f64" => {
            "FUN_INLINE double tanh_f64(double x) {\n    \
             const double size = fabs(x), z = x * x;\n    \
             double g = fma(-0x1.5a3c7dc87fde1p-16, z, 0x1.6535a435fc913p-14);\n    \
             g = fma(g, z, -0x1.ec229cfe75a91p-13);\n    \
             g = fma(g, z, 0x1.34c744037e181p-11);\n    \
             g = fma(g, z, -0x1.7d97fc171c9c7p-10);\n    \
             g = fma(g, z, 0x1.d6d33c2650f7cp-9);\n    \
             g = fma(g, z, -0x1.226e32ff5d53cp-7);\n    \
             g = fma(g, z, 0x1.664f48776e922p-6);\n    \
             g = fma(g, z, -0x1.ba1ba1b9ffdd1p-5);\n    \
             g = fma(g, z, 0x1.111111111103cp-3);\n    \
             g = fma(g, z, -0x1.5555555555555p-2);\n    \
             const double near = fma(size * z, g, size), far = 1.0 - 2.0 / (exp_f64(2.0 * size) + 1.0);\n    \
             return copysign(size < 0.55 ? near : far, x);\n\
             }\n\n"
        }
        "pow_f32" => {
            "FUN_INLINE float pow_f32(float x, float y) {\n    \
             return pow_of_log_f32(x, log_f64(fabs((double)x)), y);\n}\n\n"
        }
        "pow_of_log_f32" => {
            "FUN_INLINE float pow_of_log_f32(float x, double log, float y) {\n    \
             const bool whole = truncf(y) == y, odd = whole & (truncf(0.5f * y) != 0.5f * y);\n    \
             const float size = (float)exp_f64((double)y * log);\n    \
             const bool none = (x < 0) & (x > -(float)INFINITY) & !whole;\n    \
             const float power = none ? (float)NAN : (odd & (signbit(x) != 0)) ? -size : size;\n    \
             return (y == 0) | (x == 1) | ((x == -1) & (fabsf(y) == (float)INFINITY)) ? 1.0f : power;\n}\n\n"
        }
        _ => return None,
    })
}
