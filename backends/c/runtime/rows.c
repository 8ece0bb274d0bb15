/* Loops that read neighbours (`a[i - 1] + a[i] + a[i + 1]`) as vectors of 64 bytes, with GCC and AVX-512. Of a row that has neighbours each vector is
   loaded once, and the neighbours are made of it and those beside it. Vectors begin where the ones that are written begin at a multiple of
   64 bytes; at the ends of the loop some of the lanes are loaded and stored. */
#if defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__)
#define FUN_ROWS

typedef float fun_f32s __attribute__((vector_size(64)));
typedef double fun_f64s __attribute__((vector_size(64)));
typedef uint32_t fun_u32s __attribute__((vector_size(64)));
typedef uint64_t fun_u64s __attribute__((vector_size(64)));
/* What comparisons give: all bits of a lane or none. */
typedef int32_t fun_i32s __attribute__((vector_size(64)));
typedef int64_t fun_i64s __attribute__((vector_size(64)));

/* A vector as words of 4 bytes, whatever its cells, and one in memory. */
typedef int32_t fun_words __attribute__((vector_size(64)));
typedef fun_words fun_words_at __attribute__((aligned(4), may_alias));

FUN_INLINE fun_f32s fun_all_f32s(float x) {
    return (fun_f32s){x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x};
}

FUN_INLINE fun_f64s fun_all_f64s(double x) {
    return (fun_f64s){x, x, x, x, x, x, x, x};
}

FUN_INLINE fun_u32s fun_all_u32s(uint32_t x) {
    return (fun_u32s){x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x};
}

FUN_INLINE fun_u64s fun_all_u64s(uint64_t x) {
    return (fun_u64s){x, x, x, x, x, x, x, x};
}

/* Where the mask says so lanes of one vector, elsewhere of another. */
FUN_INLINE fun_words fun_select(fun_words mask, fun_words x, fun_words y) {
    return (mask & x) | (~mask & y);
}

/* As of numbers: a zero with a sign is less than one without, and what is no number gives way. */
#define FUN_MIN_MAX(ts, masks) \
    FUN_INLINE fun_##ts fun_min_##ts(fun_##ts x, fun_##ts y) { \
        const fun_##masks first = (x < y) | (y != y) | ((x == y) & ((fun_##masks)x < 0)); \
        return (fun_##ts)fun_select((fun_words)first, (fun_words)x, (fun_words)y); \
    } \
    FUN_INLINE fun_##ts fun_max_##ts(fun_##ts x, fun_##ts y) { \
        const fun_##masks first = (x > y) | (y != y) | ((x == y) & ((fun_##masks)x >= 0)); \
        return (fun_##ts)fun_select((fun_words)first, (fun_words)x, (fun_words)y); \
    }
FUN_MIN_MAX(f32s, i32s)
FUN_MIN_MAX(f64s, i64s)

/* The words of two vectors, one behind the other, from one of them on. */
FUN_INLINE fun_words fun_between(fun_words x, fun_words y, int32_t word) {
    const fun_words from_first = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return __builtin_shuffle(x, y, from_first + word);
}

/* Where the vector begins that the first cell of a loop is in: so many cells before it, as a negative number. */
FUN_INLINE int64_t fun_before(const void *block, int64_t cell, int64_t bytes) {
    return -(int64_t)(((uintptr_t)block + (uint64_t)cell * (uint64_t)bytes) % 64 / (uint64_t)bytes);
}

FUN_INLINE uint32_t fun_words_before(int64_t cells, int64_t bytes) {
    return cells <= 0 ? 0 : cells >= 64 / bytes ? 0xffff : (1u << (cells * (bytes / 4))) - 1;
}

/* Which words of the vector that begins at `at` are of cells from `from` on and before `to`. */
FUN_INLINE uint16_t fun_within(int64_t at, int64_t from, int64_t to, int64_t bytes) {
    return (uint16_t)(fun_words_before(to - at, bytes) & ~fun_words_before(from - at, bytes));
}

/* The cells of a block from one on: all of a vector, or those of some words, and zeros. */
FUN_INLINE fun_words fun_row_load(const void *block, int64_t cell, int64_t bytes) {
    return *(const fun_words_at *)((uintptr_t)block + (uint64_t)cell * (uint64_t)bytes);
}

FUN_INLINE fun_words fun_row_load_some(const void *block, int64_t cell, int64_t bytes, uint16_t words) {
    const int32_t *const from = (const int32_t *)((uintptr_t)block + (uint64_t)cell * (uint64_t)bytes);
    return __builtin_ia32_loaddqusi512_mask(from, (fun_words){0}, words);
}

FUN_INLINE void fun_row_store(void *block, int64_t cell, int64_t bytes, fun_words words) {
    *(fun_words_at *)((uintptr_t)block + (uint64_t)cell * (uint64_t)bytes) = words;
}

FUN_INLINE void fun_row_store_some(void *block, int64_t cell, int64_t bytes, fun_words words, uint16_t some) {
    __builtin_ia32_storedqusi512_mask((int32_t *)((uintptr_t)block + (uint64_t)cell * (uint64_t)bytes), words, some);
}
#endif

