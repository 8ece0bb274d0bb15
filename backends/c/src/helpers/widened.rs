//! Elementary functions of `f32` that come from `exp` and `log` of `f64`, without branches, so that compilers run them in vectors. Where the result is
//! nearly the argument, digits would cancel out, and the first terms of its series are the result.

/// The text of the helper of this name, if it is one of these.
pub(super) fn text(name: &str) -> Option<&'static str> {
    Some(match name {
        "exp2_f32" => {
            "FUN_INLINE float exp2_f32(float x) {\n    return (float)exp_f64(x * 0x1.62e42fefa39efp-1);\n}\n\n"
        }
        "exp10_f32" => {
            "FUN_INLINE float exp10_f32(float x) {\n    return (float)exp_f64(x * 0x1.26bb1bbb55516p+1);\n}\n\n"
        }
        "log2_f32" => {
            "FUN_INLINE float log2_f32(float x) {\n    return (float)(log_f64(x) * 0x1.71547652b82fep+0);\n}\n\n"
        }
        "log10_f32" => {
            "FUN_INLINE float log10_f32(float x) {\n    return (float)(log_f64(x) * 0x1.bcb7b1526e50ep-2);\n}\n\n"
        }
        "expm1_f32" => {
            "FUN_INLINE float expm1_f32(float x) {\n    \
             const double wide = x, near = fma(0.5 * wide, wide, wide);\n    \
             return fabsf(x) < 0x1p-15f ? copysignf((float)near, x) : (float)(exp_f64(wide) - 1.0);\n}\n\n"
        }
        "log1p_f32" => {
            "FUN_INLINE float log1p_f32(float x) {\n    \
             const double wide = x, near = fma(-0.5 * wide, wide, wide);\n    \
             return fabsf(x) < 0x1p-15f ? (float)near : (float)log_f64(1.0 + wide);\n}\n\n"
        }
        "sinh_f32" => {
            "FUN_INLINE float sinh_f32(float x) {\n    \
             const double grown = exp_f64(x);\n    \
             return fabsf(x) < 0x1p-13f ? x : (float)(0.5 * (grown - 1.0 / grown));\n}\n\n"
        }
        "cosh_f32" => {
            "FUN_INLINE float cosh_f32(float x) {\n    \
             const double grown = exp_f64(x);\n    return (float)(0.5 * (grown + 1.0 / grown));\n}\n\n"
        }
        "asinh_f32" => {
            "FUN_INLINE float asinh_f32(float x) {\n    \
             const double size = fabs((double)x), y = log_f64(size + sqrt(fma(size, size, 1.0)));\n    \
             return fabsf(x) < 0x1p-13f ? x : copysignf((float)y, x);\n}\n\n"
        }
        "acosh_f32" => {
            "FUN_INLINE float acosh_f32(float x) {\n    \
             const double wide = x, y = log_f64(wide + sqrt((wide - 1.0) * (wide + 1.0)));\n    \
             return x >= 1 ? (float)y : (float)NAN;\n}\n\n"
        }
        "atanh_f32" => {
            "FUN_INLINE float atanh_f32(float x) {\n    \
             const double wide = x;\n    \
             return fabsf(x) < 0x1p-13f ? x : (float)(0.5 * log_f64((1.0 + wide) / (1.0 - wide)));\n}\n\n"
        }
        "cbrt_f32" => {
            "FUN_INLINE float cbrt_f32(float x) {\n    \
             const float y = (float)exp_f64(log_f64(fabs((double)x)) / 3.0);\n    \
             return (x == 0) | (fabsf(x) == (float)INFINITY) ? x : copysignf(y, x);\n}\n\n"
        }
        "hypot_f32" => {
            "FUN_INLINE float hypot_f32(float x, float y) {\n    \
             const double wide = x, high = y;\n    const bool far = (fabsf(x) == (float)INFINITY) | (fabsf(y) == (float)INFINITY);\n    \
             return far ? (float)INFINITY : (float)sqrt(fma(wide, wide, high * high));\n}\n\n"
        }
        _ => return None,
    })
}
