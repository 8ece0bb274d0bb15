#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

/* (16: half floats are, too) */
_Static_assert(FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 16, "floats must be computed in their own type");
_Static_assert(sizeof(void *) == 8, "addresses must have 64 bits");

#ifndef FUN_EXPORT
#define FUN_EXPORT __attribute__((visibility("default"), used))
#endif
#define FUN_RUNTIME __attribute__((noinline, unused)) static
#define FUN_HELPER __attribute__((unused)) static inline
/* In loops that run in vectors a call would end that. */
#define FUN_INLINE __attribute__((unused, always_inline)) static inline
#define FUN_PRAGMA(text) _Pragma(#text)

/* A program may compare what cannot be below zero with zero. */
#pragma GCC diagnostic ignored "-Wtype-limits"

/* Iterations that touch no cell that another writes; iterations to be written out. */
#if defined(__clang__)
#define FUN_INDEPENDENT FUN_PRAGMA(clang loop vectorize(assume_safety))
#define FUN_UNROLL(count) FUN_PRAGMA(clang loop unroll_count(count))
#pragma clang diagnostic ignored "-Wpass-failed"
#else
#define FUN_INDEPENDENT FUN_PRAGMA(GCC ivdep)
#define FUN_UNROLL(count) FUN_PRAGMA(GCC unroll count)
#endif

/* What was written before is not written together with what comes behind, for all that a compiler knows. No loop with this runs in vectors. */
#define FUN_APART __asm__ volatile("" ::: "memory")

/* Loops that are scans, and where the new value is known: what GCC makes vectors of by `-fopenmp-simd`. */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 10
#define FUN_SCAN(op, total) FUN_PRAGMA(omp simd reduction(inscan, op : total))
#define FUN_SCANNED(total) FUN_PRAGMA(omp scan inclusive(total))
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#else
#define FUN_SCAN(op, total)
#define FUN_SCANNED(total)
#endif

/* Bytes of sums that the vector registers hold besides what is added to them. */
#if defined(__AVX512F__)
#define FUN_SUM_BYTES 1536
#elif defined(__x86_64__) && !defined(__AVX__)
#define FUN_SUM_BYTES 192
#else
#define FUN_SUM_BYTES 384
#endif

/* Bytes of the widest vectors, and of those that a few bytes are taken in. */
#if defined(__AVX512F__)
#define FUN_VECTOR_BYTES 64
#elif defined(__AVX__)
#define FUN_VECTOR_BYTES 32
#else
#define FUN_VECTOR_BYTES 16
#endif
#define FUN_PART(bytes) ((bytes) < FUN_VECTOR_BYTES ? (bytes) : FUN_VECTOR_BYTES)

/* Functions whose loops shorter vectors suit: those that read neighbours, or compute little for each cell. */
#if defined(__x86_64__) && !defined(__clang__)
#define FUN_SHORT_VECTORS __attribute__((noinline, target("prefer-vector-width=256")))
#else
#define FUN_SHORT_VECTORS
#endif

/* How many iterations come before one that writes at a multiple of 32 bytes, of `count`, when the first writes this cell of a block. */
FUN_HELPER int64_t fun_gap(const void *block, uint64_t cell, uint64_t bytes, int64_t count) {
    const int64_t gap = (int64_t)(-((uintptr_t)block + cell * bytes) % 32 / bytes);
    return gap < count ? gap : count;
}

/* Where a row of a block begins, as a pointer that compilers keep (and take to come from any object, so from the block's `restrict` pointer as well). */
FUN_HELPER void *fun_row(void *block, uint64_t bytes) {
    uintptr_t start = (uintptr_t)block + bytes;
    __asm__("" : "+r"(start));
    return (void *)start;
}

/* The work of `count` iterations that cost `cost` nanoseconds each; whether a parallel loop of so much is worth the way to other threads; and whether one of which
   that is a guess is worth looking at a clock. */
#define FUN_WORK(count, cost) ((double)(count) * (cost))
#define FUN_PAYS(work) ((work) > 40000)
#define FUN_MAY_PAY(work) ((work) > 400)

FUN_HELPER double fun_most(double x, double y) {
    return x > y ? x : y;
}

/* The most numbers that a message has. */
#define FUN_MAX_NUMBERS 16

/* A place that can fail: what the user is told (each {} stands for a number), the source text, the procedure. */
struct fun_site {
    const char *message, *place, *procedure;
};

/* Why a run stopped. */
enum fun_reason { FUN_CANCELLED, FUN_ASSERT, FUN_NEGATIVE_SIZE, FUN_NO_MEMORY, FUN_OVER_CAP, FUN_STACK, FUN_DEVICE };
struct fun_failure {
    uint32_t reason, site, count;
    int64_t numbers[FUN_MAX_NUMBERS];
    uint64_t bytes_low, bytes_high;
    /* of FUN_DEVICE: what the driver of an accelerator refused; the text stays */
    const char *told;
};

struct fun_context;
struct fun_pool;

/* Some iterations of a parallel loop, with what they use of the procedure around it. */
typedef void fun_loop(struct fun_context *context, const void *captured, int64_t from, int64_t to);

/* Memory of the caller's that a result is to be written to. */
struct fun_target {
    char *data;
    uint64_t bytes;
    /* it may become a block */
    bool is_free;
};

/* Large blocks that nobody uses, for those to come, the one that was used last first. */
struct fun_spares {
    atomic_flag lock;
    struct fun_block *first;
    /* what they take, and as much as a run used at a time so far: they take no more than that */
    uint64_t bytes, most;
};

/* A number that chooses between versions of the program's code: its name, that of all of its kind, what those who tune are told of it, and the
   number when nobody says another. */
struct fun_param {
    const char *name, *kind, *class_name;
    int64_t usual;
};

/* The state of a run. All threads of its parallel loops share it. */
struct fun_context {
    _Atomic uint32_t *stop;
    _Atomic uint32_t own_stop;
    atomic_flag lock;
    struct fun_block *blocks;
    /* those of the library's context, which outlives runs, or else its own */
    struct fun_spares *spares;
    struct fun_spares own_spares;
    struct fun_failure failure;
    uint64_t cap, bytes, peak, allocations, loop_allocations, allocated_bytes;
    /* bytes of arguments, which do not count as used */
    uint64_t argument_bytes;
    _Atomic uint64_t copied_bytes;
    uintptr_t stack_low, stack_high;
    /* for parallel loops, which run in order where it is NULL */
    struct fun_pool *pool;
    /* where to tell of allocations; NULL for nowhere */
    FILE *log;
    /* the arguments that are no blocks, but memory of the caller's: nobody counts their owners */
    void *const *foreign;
    uint64_t foreign_count;
    /* memory of the caller's for results, which serves as blocks of just these sizes */
    struct fun_target *targets;
    uint64_t target_count;
    /* blocks in the memory of an accelerator, what releases them, and what comes before this code is unloaded */
    struct fun_device_block *device_blocks;
    void (*release_device)(struct fun_context *context);
    void (*end_device)(void);
    /* where kernels write down that they failed, whether one did, how many that can have been launched since the host looked, and what looks */
    struct fun_device_block *device_failure;
    bool device_failed;
    uint32_t device_pending;
    uint32_t (*settle_device)(struct fun_context *context);
    /* the numbers that choose between versions, or NULL for the usual ones; and who hears of the sizes that are compared with them */
    const int64_t *params;
    void (*compared)(void *to, uint32_t param, int64_t size);
    void *compared_to;
};

static inline bool fun_stopped(struct fun_context *context) {
    return __builtin_expect(atomic_load_explicit(context->stop, memory_order_relaxed) != 0, 0);
}

/* Each is explained where it is defined, at the end. */
FUN_RUNTIME void fun_fail(struct fun_context *context, uint32_t site, uint32_t count, const int64_t *numbers);
FUN_RUNTIME uint32_t fun_enter(struct fun_context *context, uint32_t site);
__attribute__((malloc, assume_aligned(64))) FUN_RUNTIME void *fun_allocate(struct fun_context *context, uint32_t site,
    bool in_loop, uint64_t element, uint64_t rank, const int64_t *sizes);
FUN_RUNTIME void fun_share(struct fun_context *context, void *data);
FUN_RUNTIME void fun_free(struct fun_context *context, void *data);
FUN_RUNTIME void fun_copy(struct fun_context *context, int64_t element, void *dest, int64_t dest_offset,
    const void *source, int64_t source_offset, uint64_t rank, const int64_t *dims);
FUN_RUNTIME int64_t fun_threads(struct fun_context *context);
FUN_RUNTIME void fun_parallel(struct fun_context *context, int64_t count, double work, fun_loop *loop, const void *captured);
FUN_RUNTIME void fun_parallel_if_it_pays(struct fun_context *context, int64_t count, double work, fun_loop *loop, const void *captured);

