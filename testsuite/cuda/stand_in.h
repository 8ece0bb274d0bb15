/* What kernels by FUN use of CUDA C, for a C++ compiler of a processor: `stand_in.c` puts this before their text. Its driver runs the
   threads of a block one after another, from barrier to barrier, and those of a warp from one exchange of values to the next. */

#include <math.h>
#include <string.h>
#include <utility>

struct stand_in_index {
    unsigned x;
};
/* The driver sets these before a thread goes on. */
extern "C" {
stand_in_index threadIdx, blockIdx, blockDim, gridDim;
void (*stand_in_barrier)();
void (*stand_in_meet)(unsigned mask);
/* What a block shares lies here, so that the driver can spoil it before each block. */
extern char __start_stand_in_shared[] __attribute__((weak)), __stop_stand_in_shared[] __attribute__((weak));
void stand_in_spoil() {
    if (__start_stand_in_shared != nullptr) {
        memset(__start_stand_in_shared, 0xa5, __stop_stand_in_shared - __start_stand_in_shared);
    }
}
}

#define __global__ __attribute__((visibility("default")))
#define __device__
#define __shared__ static __attribute__((section("stand_in_shared")))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(threads, blocks)
#define __syncthreads() stand_in_barrier()
#define __threadfence() ((void)0)

template <class To, class From> static inline To stand_in_bits(From value) {
    static_assert(sizeof(To) == sizeof(From), "bits stay");
    To result;
    memcpy(&result, &value, sizeof result);
    return result;
}
#define __float_as_uint(x) stand_in_bits<unsigned>((float)(x))
#define __uint_as_float(x) stand_in_bits<float>((unsigned)(x))
#define __int_as_float(x) stand_in_bits<float>((int)(x))
#define __double_as_longlong(x) stand_in_bits<long long>((double)(x))
#define __longlong_as_double(x) stand_in_bits<double>((long long)(x))

static inline long long __mul64hi(long long x, long long y) {
    return (long long)((__int128)x * y >> 64);
}
static inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    return (unsigned long long)((unsigned __int128)x * y >> 64);
}
static inline int __popcll(unsigned long long x) {
    return __builtin_popcountll(x);
}
static inline int __clzll(long long x) {
    return x == 0 ? 64 : __builtin_clzll((unsigned long long)x);
}
static inline int __ffsll(long long x) {
    return __builtin_ffsll(x);
}

/* No other thread runs meanwhile. */
#define STAND_IN_ATOMIC(name, type, result) \
    static inline type name(type *cell, type value) { \
        const type old = *cell; \
        *cell = result; \
        return old; \
    }
#define STAND_IN_ATOMICS(type) \
    STAND_IN_ATOMIC(atomicAdd, type, old + value) \
    STAND_IN_ATOMIC(atomicMin, type, value < old ? value : old) \
    STAND_IN_ATOMIC(atomicMax, type, value > old ? value : old) \
    STAND_IN_ATOMIC(atomicAnd, type, old & value) \
    STAND_IN_ATOMIC(atomicOr, type, old | value) \
    STAND_IN_ATOMIC(atomicXor, type, old ^ value) \
    STAND_IN_ATOMIC(atomicExch, type, value)
STAND_IN_ATOMICS(int)
STAND_IN_ATOMICS(unsigned)
STAND_IN_ATOMICS(long long)
STAND_IN_ATOMICS(unsigned long long)
template <class Cell> static inline Cell atomicCAS(Cell *cell, Cell expected, Cell value) {
    const Cell old = *cell;
    *cell = old == expected ? value : old;
    return old;
}

/* What another thread of the warp has: first all tell, then all look. */
static unsigned long long stand_in_told[1024];
template <class Value> static inline Value stand_in_shuffle(unsigned mask, Value value, unsigned from) {
    static_assert(sizeof value == 4 || sizeof value == 8, "words");
    memcpy(&stand_in_told[threadIdx.x], &value, sizeof value);
    stand_in_meet(mask);
    memcpy(&value, &stand_in_told[from], sizeof value);
    stand_in_meet(mask);
    return value;
}
template <class Value> static inline Value __shfl_down_sync(unsigned mask, Value value, unsigned by, int width) {
    const unsigned thread = threadIdx.x, place = thread % width;
    return stand_in_shuffle(mask, value, place + by % 32 < (unsigned)width ? thread + by % 32 : thread);
}
template <class Value> static inline Value __shfl_up_sync(unsigned mask, Value value, unsigned by, int width) {
    const unsigned thread = threadIdx.x, place = thread % width;
    return stand_in_shuffle(mask, value, place >= by % 32 ? thread - by % 32 : thread);
}

/* A kernel on parameters that lie where the pointers say. */
template <class... Types, size_t... Places>
static inline void stand_in_call(void (*kernel)(Types...), void **parameters, std::index_sequence<Places...>) {
    kernel(*(std::remove_const_t<Types> *)parameters[Places]...);
}
template <class... Types> static inline void stand_in_call(void (*kernel)(Types...), void **parameters) {
    stand_in_call(kernel, parameters, std::index_sequence_for<Types...>());
}

/* CUDA's widest integers are `long long`, the system's `long`. */
#define int64_t stand_in_int64
#define uint64_t stand_in_uint64
