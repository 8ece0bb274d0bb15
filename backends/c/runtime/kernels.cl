#pragma OPENCL FP_CONTRACT OFF
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#ifdef cl_khr_int64_base_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif
#ifdef cl_khr_int64_extended_atomics
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#endif

typedef char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef uchar uint8_t;
typedef ushort uint16_t;
typedef uint uint32_t;
typedef ulong uint64_t;
#define INT8_MIN CHAR_MIN
#define INT8_MAX CHAR_MAX
#define UINT8_MAX UCHAR_MAX
#define INT16_MIN SHRT_MIN
#define INT16_MAX SHRT_MAX
#define UINT16_MAX USHRT_MAX
#define INT32_MIN INT_MIN
#define INT32_MAX INT_MAX
#define UINT32_MAX UINT_MAX
#define INT64_MIN LONG_MIN
#define INT64_MAX LONG_MAX
#define UINT64_MAX ULONG_MAX
#define INT64_C(x) x##L
#define UINT64_C(x) x##UL

#define FUN_HELPER static inline
#define FUN_INLINE FUN_HELPER
#define FUN_ALIGNED __attribute__((aligned(64)))
#define __builtin_popcountll(x) ((int32_t)popcount((ulong)(x)))
#define __builtin_clzll(x) ((int32_t)clz((ulong)(x)))
#define __builtin_ctzll(x) ((int32_t)popcount(((ulong)(x) & (0 - (ulong)(x))) - 1))

#define fabsf fabs
#define sqrtf sqrt
#define cbrtf cbrt
#define exp2f exp2
#define exp10f exp10
#define expm1f expm1
#define log2f log2
#define log10f log10
#define log1pf log1p
#define sinf sin
#define cosf cos
#define tanf tan
#define asinf asin
#define acosf acos
#define atanf atan
#define sinhf sinh
#define coshf cosh
#define asinhf asinh
#define acoshf acosh
#define atanhf atanh
#define erff erf
#define erfcf erfc
#define tgammaf tgamma
#define lgammaf lgamma
#define floorf floor
#define ceilf ceil
#define truncf trunc
#define rintf rint
#define fmodf fmod
#define atan2f atan2
#define hypotf hypot
#define powf pow
#define copysignf copysign
#define nextafterf nextafter
#define ldexpf ldexp
#define fmaf fma

FUN_HELPER uint32_t f32_bits(float x) {
    return as_uint(x);
}

FUN_HELPER float f32_of_bits(uint32_t bits) {
    return as_float(bits);
}

FUN_HELPER int64_t mul_hi_i64(int64_t x, int64_t y) {
    return mul_hi(x, y);
}

FUN_HELPER uint64_t mul_hi_u64(uint64_t x, uint64_t y) {
    return mul_hi(x, y);
}

#ifdef cl_khr_fp64
FUN_HELPER uint64_t f64_bits(double x) {
    return as_ulong(x);
}

FUN_HELPER double f64_of_bits(uint64_t bits) {
    return as_double(bits);
}
#endif

/* The number of the thread that is so many further in this one's group, or before it; its own where there is none. */
FUN_HELPER int32_t fun_down(int64_t by, int32_t group) {
    const int32_t thread = (int32_t)get_local_id(0);
    return thread % group + by < group ? thread + (int32_t)by : thread;
}

FUN_HELPER int32_t fun_up(int64_t by, int32_t group) {
    const int32_t thread = (int32_t)get_local_id(0);
    return thread % group >= by ? thread - (int32_t)by : thread;
}

/* Whether this thread is the first that fails; it writes the numbers of the message behind. */
FUN_HELPER bool fun_claim(__global int64_t *failure, int32_t site, int64_t count) {
    if (atomic_cmpxchg((volatile __global int *)failure, 0, site + 1) != 0) {
        return false;
    }
    failure[1] = count;
    return true;
}

/* The word behind those of a failure: how many blocks of the kernel have begun. */
#define FUN_TICKET 18
/* Whether one block more serves those that do something one after the other: on a GPU. A processor may run one block at a time. */
#ifndef FUN_SERVED
#define FUN_SERVED 0
#endif

/* The number of this block among those that have begun. The last one sets the count back for the next kernel. */
FUN_HELPER int32_t fun_ticket(__global int64_t *failure) {
    volatile __global int *count = (volatile __global int *)(failure + FUN_TICKET);
    const int32_t number = atomic_inc(count);
    if (number == (int32_t)get_num_groups(0) - 1) {
        atomic_xchg(count, 0);
    }
    return number;
}

/* Sets a word: half of it is the value, and the other half says that there is one. So who sees it need not see what was written before. Looks at a word, and
   whether a block has failed. */
#ifdef cl_khr_int64_base_atomics
FUN_HELPER void fun_tell(__global int64_t *word, uint32_t value) {
    atom_xchg((volatile __global long *)word, (long)((uint64_t)1 << 32 | value));
}
FUN_HELPER uint64_t fun_word(__global int64_t *word) {
    return (uint64_t)atom_add((volatile __global long *)word, 0);
}
#else
FUN_HELPER void fun_tell(__global int64_t *word, uint32_t value) {
    volatile __global int *halves = (volatile __global int *)word;
    atomic_xchg(halves, (int)value);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(halves + 1, 1);
}
FUN_HELPER uint64_t fun_word(__global int64_t *word) {
    volatile __global int *halves = (volatile __global int *)word;
    const uint64_t high = (uint32_t)atomic_or(halves + 1, 0);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    return high == 0 ? 0 : high << 32 | (uint32_t)atomic_or(halves, 0);
}
#endif
FUN_HELPER bool fun_has_failed(__global int64_t *failure) {
    return atomic_or((volatile __global int *)failure, 0) != 0;
}

/* A word when it is set; 0 when a block has failed. */
FUN_HELPER uint64_t fun_wait(__global int64_t *word, __global int64_t *failure) {
    uint64_t value;
    while ((value = fun_word(word)) == 0) {
        if (fun_has_failed(failure)) {
            return 0;
        }
    }
    return value;
}

/* Cells of views of at most four dimensions: sizes and strides, in cells. */
#define FUN_COPY(name, type) \
    __kernel void name(__global type *to, __global const type *from, long to_offset, long from_offset, long count, \
        long size1, long size2, long size3, long to0, long to1, long to2, long to3, long from0, long from1, long from2, \
        long from3) { \
        const long i = get_global_id(0); \
        if (i < count) { \
            const long k3 = i % size3, k2 = i / size3 % size2, k1 = i / size3 / size2 % size1, k0 = i / size3 / size2 / size1; \
            to[to_offset + k0 * to0 + k1 * to1 + k2 * to2 + k3 * to3] = \
                from[from_offset + k0 * from0 + k1 * from1 + k2 * from2 + k3 * from3]; \
        } \
    }

/* The same where both sides run fastest along other dimensions, `a` and `b`: by way of a tile of 64 by 64 cells that the block has, so that neighbouring threads
   read and write neighbouring cells. A row's cells change places within it, by the number of the row, so that columns use different banks. */
#define FUN_TURN(name, type) \
    __kernel void name(__global type *to, __global const type *from, long to_offset, long from_offset, long size_a, long size_b, long size_c, \
        long to_a, long to_b, long to_c, long to_d, long from_a, long from_b, long from_c, long from_d) { \
        __local type tile[64 * 64]; \
        const uint32_t tiles_a = (uint32_t)((size_a + 63) / 64), tiles_b = (uint32_t)((size_b + 63) / 64), block = (uint32_t)get_group_id(0); \
        const uint32_t batch = block / tiles_a / tiles_b, c = batch % (uint32_t)size_c, d = batch / (uint32_t)size_c; \
        const long first_a = (long)(block % tiles_a) * 64, first_b = (long)(block / tiles_a % tiles_b) * 64; \
        const int32_t x = (int32_t)(get_local_id(0) % 64), y = (int32_t)(get_local_id(0) / 64); \
        __global const type *const of = from + from_offset + c * from_c + d * from_d; \
        __global type *const in = to + to_offset + c * to_c + d * to_d; \
        if (first_a + 64 <= size_a && first_b + 64 <= size_b) { \
            for (int32_t r = 0; r < 64; r += 4) { \
                tile[(r + y) * 64 + (x ^ (r + y))] = of[(first_a + r + y) * from_a + (first_b + x) * from_b]; \
            } \
        } else { \
            for (int32_t r = y; r < 64; r += 4) { \
                const long a = first_a + r, b = first_b + x; \
                if (a < size_a && b < size_b) { \
                    tile[r * 64 + (x ^ r)] = of[a * from_a + b * from_b]; \
                } \
            } \
        } \
        barrier(CLK_LOCAL_MEM_FENCE); \
        for (int32_t r = y; r < 64; r += 4) { \
            const long a = first_a + x, b = first_b + r; \
            if (a < size_a && b < size_b) { \
                in[a * to_a + b * to_b] = tile[x * 64 + (r ^ x)]; \
            } \
        } \
    }
