typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
#define INT8_MIN (-128)
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT16_MIN (-32768)
#define INT16_MAX 32767
#define UINT16_MAX 65535
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295u
#define INT64_MIN (-9223372036854775807LL - 1)
#define INT64_MAX 9223372036854775807LL
#define UINT64_MAX 18446744073709551615ULL
#define INT64_C(x) x##LL
#define UINT64_C(x) x##ULL
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif
#ifndef NAN
#define NAN __int_as_float(0x7fc00000)
#endif

#define FUN_HELPER __device__ inline
#define FUN_INLINE FUN_HELPER
#define FUN_ALIGNED __align__(64)
#define __builtin_popcountll(x) __popcll(x)
#define __builtin_clzll(x) __clzll((long long)(x))
#define __builtin_ctzll(x) (__ffsll((long long)(x)) - 1)

FUN_HELPER uint32_t f32_bits(float x) {
    return __float_as_uint(x);
}

FUN_HELPER float f32_of_bits(uint32_t bits) {
    return __uint_as_float(bits);
}

FUN_HELPER uint64_t f64_bits(double x) {
    return (uint64_t)__double_as_longlong(x);
}

FUN_HELPER double f64_of_bits(uint64_t bits) {
    return __longlong_as_double((long long)bits);
}

FUN_HELPER int64_t mul_hi_i64(int64_t x, int64_t y) {
    return __mul64hi(x, y);
}

FUN_HELPER uint64_t mul_hi_u64(uint64_t x, uint64_t y) {
    return __umul64hi(x, y);
}

/* Whether this thread is the first that fails; it writes the numbers of the message behind. */
FUN_HELPER bool fun_claim(int64_t *failure, int32_t site, int64_t count) {
    if (atomicCAS((int *)failure, 0, site + 1) != 0) {
        return false;
    }
    failure[1] = count;
    return true;
}

/* The word behind those of a failure: how many blocks of the kernel have begun. */
#define FUN_TICKET 18
/* Whether one block more serves those that do something one after the other. */
#ifndef FUN_SERVED
#define FUN_SERVED 1
#endif

/* The number of this block among those that have begun. The last one sets the count back for the next kernel. */
FUN_HELPER int32_t fun_ticket(int64_t *failure) {
    int *count = (int *)(failure + FUN_TICKET);
    const int32_t number = atomicAdd(count, 1);
    if (number == (int32_t)gridDim.x - 1) {
        atomicExch(count, 0);
    }
    return number;
}

/* Sets a word: half of it is the value, and the other half says that there is one. So who sees it need not see what was written before. Looks at a word, and
   whether a block has failed. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
FUN_HELPER void fun_tell(int64_t *word, uint32_t value) {
    asm volatile("st.relaxed.gpu.u64 [%0], %1;" : : "l"(word), "l"((uint64_t)1 << 32 | value) : "memory");
}
FUN_HELPER uint64_t fun_word(const int64_t *word) {
    uint64_t value;
    asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
    return value;
}
#else
FUN_HELPER void fun_tell(int64_t *word, uint32_t value) {
    *(volatile uint64_t *)word = (uint64_t)1 << 32 | value;
}
FUN_HELPER uint64_t fun_word(const int64_t *word) {
    return *(const volatile uint64_t *)word;
}
#endif
FUN_HELPER bool fun_has_failed(const int64_t *failure) {
    return fun_word(failure) != 0;
}

/* A word when it is set; 0 when a block has failed. */
FUN_HELPER uint64_t fun_wait(const int64_t *word, const int64_t *failure) {
    uint64_t value;
    while ((value = fun_word(word)) == 0) {
        if (fun_has_failed(failure)) {
            return 0;
        }
    }
    return value;
}

/* Puts a value where this word is what it was; gives what is there. */
FUN_HELPER unsigned int fun_swap(volatile unsigned int *at, unsigned int old, unsigned int value) {
    return atomicCAS((unsigned int *)at, old, value);
}
FUN_HELPER unsigned long long fun_swap(volatile unsigned long long *at, unsigned long long old, unsigned long long value) {
    return atomicCAS((unsigned long long *)at, old, value);
}

/* Puts a value into this word. */
FUN_HELPER void fun_put(volatile unsigned int *at, unsigned int value) {
    atomicExch((unsigned int *)at, value);
}

/* Cells of views of at most four dimensions: sizes and strides, in cells. */
#define FUN_COPY(name, type) \
    extern "C" __global__ void name(type *to, const type *from, int64_t to_offset, int64_t from_offset, int64_t count, \
        int64_t size1, int64_t size2, int64_t size3, int64_t to0, int64_t to1, int64_t to2, int64_t to3, int64_t from0, \
        int64_t from1, int64_t from2, int64_t from3) { \
        const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; \
        if (i < count) { \
            const int64_t k3 = i % size3, k2 = i / size3 % size2, k1 = i / size3 / size2 % size1, k0 = i / size3 / size2 / size1; \
            to[to_offset + k0 * to0 + k1 * to1 + k2 * to2 + k3 * to3] = \
                from[from_offset + k0 * from0 + k1 * from1 + k2 * from2 + k3 * from3]; \
        } \
    }

/* The same where both sides run fastest along other dimensions, `a` and `b`: by way of a tile of 64 by 64 cells that the block has, so that neighbouring threads
   read and write neighbouring cells. A row's cells change places within it, by the number of the row, so that columns use different banks. */
#define FUN_TURN(name, type) \
    extern "C" __global__ void name(type *to, const type *from, int64_t to_offset, int64_t from_offset, int64_t size_a, int64_t size_b, int64_t size_c, \
        int64_t to_a, int64_t to_b, int64_t to_c, int64_t to_d, int64_t from_a, int64_t from_b, int64_t from_c, int64_t from_d) { \
        __shared__ type tile[64 * 64]; \
        const uint32_t tiles_a = (uint32_t)((size_a + 63) / 64), tiles_b = (uint32_t)((size_b + 63) / 64), block = blockIdx.x; \
        const uint32_t batch = block / tiles_a / tiles_b, c = batch % (uint32_t)size_c, d = batch / (uint32_t)size_c; \
        const int64_t first_a = (int64_t)(block % tiles_a) * 64, first_b = (int64_t)(block / tiles_a % tiles_b) * 64; \
        const int32_t x = (int32_t)(threadIdx.x % 64), y = (int32_t)(threadIdx.x / 64); \
        const type *const of = from + from_offset + c * from_c + d * from_d; \
        type *const in = to + to_offset + c * to_c + d * to_d; \
        if (first_a + 64 <= size_a && first_b + 64 <= size_b) { \
            for (int32_t r = 0; r < 64; r += 4) { \
                tile[(r + y) * 64 + (x ^ (r + y))] = of[(first_a + r + y) * from_a + (first_b + x) * from_b]; \
            } \
        } else { \
            for (int32_t r = y; r < 64; r += 4) { \
                const int64_t a = first_a + r, b = first_b + x; \
                if (a < size_a && b < size_b) { \
                    tile[r * 64 + (x ^ r)] = of[a * from_a + b * from_b]; \
                } \
            } \
        } \
        __syncthreads(); \
        for (int32_t r = y; r < 64; r += 4) { \
            const int64_t a = first_a + x, b = first_b + r; \
            if (a < size_a && b < size_b) { \
                in[a * to_a + b * to_b] = tile[x * 64 + (r ^ x)]; \
            } \
        } \
    }
