//! Angles and their sines for `f32`, without branches, so that compilers run them in vectors. They are computed in `f64`, so that results are
//! within 0.55 units in the last place of the exact ones.
//!
//! An argument becomes a number of quarter turns, whose nearest whole number says which of sine and cosine is meant and with which sign, and a rest of
//! at most half of one, where polynomials of least relative error do. Numbers from 2^46 on are whole multiples of powers of two, so that
//! whole turns can be left out of these powers' quarter turns beforehand (Payne and Hanek, 1983): four intervals of exponents, each with
//! 106 digits of its power over π/2 modulo 4, chosen by masks, since GCC makes no vectors of several choices by one condition.

/// The text of the helper of this name, if it is one of these.
pub(super) fn text(name: &str) -> Option<&'static str> {
    Some(match name {
        "turn_f32" => {
            "FUN_INLINE double turn_f32(float x, uint64_t *quarter) {\n    \
             const double wide = x, size = fabs(wide);\n    \
             const uint64_t a = -(uint64_t)(size >= 0x1p46), b = -(uint64_t)(size >= 0x1p68);\n    \
             const uint64_t c = -(uint64_t)(size >= 0x1p90), d = -(uint64_t)(size >= 0x1p112);\n    \
             const uint64_t power = 1023 - (a & 23) - (b & 22) - (c & 22) - (d & 22);\n    \
             const uint64_t high = 0x3fe45f306dc9c883 ^ (a & 0x1f2d424d608762) ^ (b & 0x1b26d5d03410a9)\n        \
             ^ (c & 0x7fef5d7204e0127f) ^ (d & 0x21686b9a14081);\n    \
             const uint64_t low = 0xbc86b01ec5417056 ^ (a & 0x800bef5911920755) ^ (b & 0x80f8c903aa9a4dd6)\n        \
             ^ (c & 0x80d99bf25710a911) ^ (d & 0x38a17fcb4511d4);\n    \
             const double part = wide * f64_of_bits(power << 52), turns = part * f64_of_bits(high);\n    \
             const double rest = fma(part, f64_of_bits(low), fma(part, f64_of_bits(high), -turns));\n    \
             const double shifted = turns + 0x1.8p52;\n    \
             *quarter = f64_bits(shifted);\n    \
             return turns - (shifted - 0x1.8p52) + rest;\n}\n\n"
        }
        "sine_of_turn" => {
            "FUN_INLINE double sine_of_turn(double r) {\n    \
             const double u = r * r;\n    \
             double g = fma(0x1.4bc1da23278e4p-13, u, -0x1.32ca8399cbbbap-8);\n    \
             g = fma(g, u, 0x1.466bba884ec7ep-4);\n    g = fma(g, u, -0x1.4abbce5647dfdp-1);\n    \
             return fma(g, u, 0x1.921fb5443af1ep+0) * r;\n}\n\n"
        }
        "cosine_of_turn" => {
            "FUN_INLINE double cosine_of_turn(double r) {\n    \
             const double u = r * r;\n    \
             double g = fma(0x1.d99e769da8e6cp-11, u, -0x1.55c4e6aa0bfa1p-6);\n    \
             g = fma(g, u, 0x1.03c1daa62998bp-2);\n    g = fma(g, u, -0x1.3bd3cc6e69dfcp+0);\n    \
             return fma(g, u, 0x1.ffffffff84763p-1);\n}\n\n"
        }
        "sin_f32" => {
            "FUN_INLINE float sin_f32(float x) {\n    \
             uint64_t quarter;\n    const double r = turn_f32(x, &quarter);\n    \
             const double s = sine_of_turn(r), c = cosine_of_turn(r), y = (quarter & 1) != 0 ? c : s;\n    \
             return fabsf(x) < 0x1p-13f ? x : (float)((quarter & 2) != 0 ? -y : y);\n}\n\n"
        }
        "cos_f32" => {
            "FUN_INLINE float cos_f32(float x) {\n    \
             uint64_t quarter;\n    const double r = turn_f32(x, &quarter);\n    \
             const double s = sine_of_turn(r), c = cosine_of_turn(r), y = (quarter & 1) != 0 ? s : c;\n    \
             return (float)(((quarter + 1) & 2) != 0 ? -y : y);\n}\n\n"
        }
        "tan_f32" => {
            "FUN_INLINE float tan_f32(float x) {\n    \
             uint64_t quarter;\n    const double r = turn_f32(x, &quarter);\n    \
             const double s = sine_of_turn(r), c = cosine_of_turn(r);\n    const bool odd = (quarter & 1) != 0;\n    \
             const double y = (odd ? -c : s) / (odd ? s : c);\n    \
             return fabsf(x) < 0x1p-13f ? x : (float)y;\n}\n\n"
        }
        // the angle of a point, where one coordinate over the other is in [0, 1]
        "angle_f64" => {
            "FUN_INLINE double angle_f64(double y, double x) {\n    \
             const double high = fabs(x), wide = fabs(y);\n    const bool steep = wide > high;\n    \
             const double over = steep ? high : wide, under = steep ? wide : high;\n    \
             const double t = over == under ? (under == 0 ? 0.0 : 1.0) : over / under, u = t * t;\n    \
             double g = fma(-0x1.cbc83399316b9p-10, u, 0x1.5f801853d919dp-7);\n    \
             g = fma(g, u, -0x1.f8b3cff9c827fp-6);\n    g = fma(g, u, 0x1.d7777d21dc4d0p-5);\n    \
             g = fma(g, u, -0x1.57228392fc0b1p-4);\n    g = fma(g, u, 0x1.c02f81686be23p-4);\n    \
             g = fma(g, u, -0x1.24159a8731f1cp-3);\n    g = fma(g, u, 0x1.999082506316ep-3);\n    \
             g = fma(g, u, -0x1.555533fc573dep-2);\n    g = fma(g, u, 0x1.ffffffeba5b73p-1);\n    \
             const double part = g * t, first = steep ? 0x1.921fb54442d18p+0 - part : part;\n    \
             const double half = 0x1.921fb54442d18p+0 - copysign(0x1.921fb54442d18p+0, x);\n    \
             return copysign(fma(copysign(1.0, x), first, half), y);\n}\n\n"
        }
        "atan2_f32" => {
            "FUN_INLINE float atan2_f32(float y, float x) {\n    return (float)angle_f64(y, x);\n}\n\n"
        }
        "atan_f32" => "FUN_INLINE float atan_f32(float x) {\n    return (float)angle_f64(x, 1.0);\n}\n\n",
        "asin_f32" => {
            "FUN_INLINE float asin_f32(float x) {\n    \
             const double wide = x;\n    return (float)angle_f64(wide, sqrt((1.0 - wide) * (1.0 + wide)));\n}\n\n"
        }
        "acos_f32" => {
            "FUN_INLINE float acos_f32(float x) {\n    \
             const double wide = x;\n    return (float)angle_f64(sqrt((1.0 - wide) * (1.0 + wide)), wide);\n}\n\n"
        }
        _ => return None,
    })
}
