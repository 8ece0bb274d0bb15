/* What the entry points of the program take and give, as tables that follow. */

#include <stdarg.h>

/* A function that not every program calls. */
#ifndef FUN_OPTIONAL
#define FUN_OPTIONAL __attribute__((unused)) static
#endif

enum fun_type {
    FUN_I8, FUN_I16, FUN_I32, FUN_I64, FUN_U8, FUN_U16, FUN_U32, FUN_U64, FUN_F16, FUN_F32, FUN_F64, FUN_BOOL, FUN_UNIT
};

static const struct {
    const char *name;
    size_t bytes;
} fun_types[] = {
    [FUN_I8] = {"i8", 1}, [FUN_I16] = {"i16", 2}, [FUN_I32] = {"i32", 4}, [FUN_I64] = {"i64", 8},
    [FUN_U8] = {"u8", 1}, [FUN_U16] = {"u16", 2}, [FUN_U32] = {"u32", 4}, [FUN_U64] = {"u64", 8},
    [FUN_F16] = {"f16", 2}, [FUN_F32] = {"f32", 4}, [FUN_F64] = {"f64", 8},
    [FUN_BOOL] = {"bool", 1}, [FUN_UNIT] = {"unit", 0},
};

/* The size of a dimension: `n` itself where it is constant, otherwise the number in word `n`. */
struct fun_size {
    bool constant;
    int64_t n;
};

/* A scalar, or an array of `rank` dimensions: word `at` is the scalar or the block. */
struct fun_value {
    enum fun_type type;
    uint32_t rank, at;
    /* the entry point may write over the array */
    bool consumed;
    const struct fun_size *shape;
    /* the words of its offset and strides; NULL where it must be row-major from the start of the block */
    const uint32_t *place;
};

/* An entry point: `code` takes and gives words, one for each parameter and result of its procedure. */
struct fun_entry {
    const char *name;
    uint32_t (*code)(struct fun_context *, const uint64_t *, uint64_t *);
    uint32_t words_taken, words_given, takes_count, gives_count;
    const struct fun_value *takes, *gives;
    /* the same for arrays that lie anywhere; NULL where there is none */
    const struct fun_entry *views;
    /* the places of the program that can fail */
    const struct fun_site *sites;
};

