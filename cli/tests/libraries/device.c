/* A library whose arrays lie on a device (CUDA's, or what stands for it): what goes there and back, who frees what, and what goes wrong.
   STAND_IN_WAITS names a file with a line for whatever makes the host wait. */

#include "resident.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) \
    if (!(condition)) { \
        char *error = futhark_context_get_error(ctx); \
        printf("line %d: %s: %s\n", __LINE__, #condition, error == NULL ? "" : error); \
        exit(1); \
    }

/* The driver, of which callers have memory too. */
int cuMemAlloc_v2(uint64_t *, size_t);
int cuMemFree_v2(uint64_t);
int cuMemcpyDtoH_v2(void *, uint64_t, size_t);
int cuMemcpyHtoD_v2(uint64_t, const void *, size_t);

static struct futhark_context *ctx;
static struct futhark_context_config *config;

/* How often the host waited for a reason since this was asked before. */
struct waits {
    int reads, writes, all;
};

static struct waits waits(void) {
    struct waits found = {0, 0, 0};
    const char *name = getenv("STAND_IN_WAITS");
    FILE *list = fopen(name, "r");
    char line[64];
    while (list != NULL && fgets(line, sizeof line, list) != NULL) {
        found.reads += strcmp(line, "read\n") == 0;
        found.writes += strcmp(line, "write\n") == 0;
        found.all += strcmp(line, "all\n") == 0;
    }
    if (list != NULL) {
        fclose(list);
        remove(name);
    }
    return found;
}

static bool has(struct futhark_f32_1d *array, int count, const float *wanted) {
    float got[16];
    if (futhark_shape_f32_1d(ctx, array)[0] != count || futhark_values_f32_1d(ctx, array, got) != 0) {
        return false;
    }
    return memcmp(got, wanted, (size_t)count * sizeof(float)) == 0;
}

static bool fails_with(const char *part) {
    char *error = futhark_context_get_error(ctx);
    const bool found = error != NULL && strstr(error, part) != NULL;
    if (!found) {
        printf("the error is %s\n", error == NULL ? "none" : error);
    }
    free(error);
    return found;
}

static const float given[] = {1, 2, 3, 4};

/* Chains of calls copy what the caller asks for alone. */
static void chains(void) {
    struct futhark_f32_1d *xs = futhark_new_f32_1d(ctx, given, 4), *ys = NULL, *zs = NULL;
    CHECK(xs != NULL);
    struct waits seen = waits();
    CHECK(seen.writes == 1 && seen.reads == 0 && seen.all == 0);
    /* the first call of the process makes the words where kernels of all calls write that they failed */
    CHECK(futhark_entry_twice(ctx, &ys, xs) == 0 && futhark_free_f32_1d(ctx, ys) == 0);
    seen = waits();
    CHECK(seen.writes == 1 && seen.reads == 0 && seen.all == 0);
    CHECK(futhark_entry_twice(ctx, &ys, xs) == 0);
    CHECK(futhark_entry_add(ctx, &zs, ys, xs) == 0);
    seen = waits();
    CHECK(seen.writes == 0 && seen.reads == 0 && seen.all == 0);
    CHECK(has(zs, 4, (const float[]){3, 6, 9, 12}));
    seen = waits();
    CHECK(seen.writes == 0 && seen.reads == 1 && seen.all == 0);
    float sum = 0;
    CHECK(futhark_entry_total(ctx, &sum, zs) == 0 && sum == 30);
    seen = waits();
    CHECK(seen.writes == 0 && seen.reads == 1);
    CHECK(futhark_context_sync(ctx) == 0);
    seen = waits();
    CHECK(seen.all == 1 && seen.reads == 0);
    CHECK(futhark_entry_first(ctx, &sum, zs) == 0 && sum == 3);
    CHECK(futhark_index_f32_1d(ctx, &sum, zs, 2) == 0 && sum == 9);
    CHECK(futhark_index_f32_1d(ctx, &sum, zs, 4) != 0 && fails_with("out of bounds"));
    CHECK(fun_context_bytes(ctx) == 3 * sizeof given);
    CHECK(futhark_free_f32_1d(ctx, xs) == 0 && futhark_free_f32_1d(ctx, ys) == 0);
    CHECK(has(zs, 4, (const float[]){3, 6, 9, 12}));
    CHECK(futhark_free_f32_1d(ctx, zs) == 0 && fun_context_bytes(ctx) == 0);
}

/* Results on the memory of arguments, and arguments that are written over. */
static void sharing(void) {
    struct futhark_f32_1d *xs = futhark_new_f32_1d(ctx, given, 4), *ys = NULL, *zs = NULL;
    CHECK(futhark_entry_same(ctx, &ys, xs) == 0 && fun_is_shared_f32_1d(ctx, xs));
    CHECK(futhark_values_raw_f32_1d(ctx, xs) == futhark_values_raw_f32_1d(ctx, ys));
    CHECK(fun_context_bytes(ctx) == sizeof given);
    /* what is shared is copied before it is written over */
    (void)waits();
    CHECK(futhark_entry_first_is(ctx, &zs, ys, 7) == 0);
    struct waits seen = waits();
    CHECK(seen.writes == 0 && seen.reads == 0);
    CHECK(has(xs, 4, given) && has(ys, 4, given) && has(zs, 4, (const float[]){7, 2, 3, 4}));
    futhark_free_f32_1d(ctx, xs);
    futhark_free_f32_1d(ctx, ys);
    /* and what is not is written over where it lies */
    CHECK(futhark_entry_first_is(ctx, &xs, zs, 8) == 0);
    CHECK(futhark_values_raw_f32_1d(ctx, xs) == futhark_values_raw_f32_1d(ctx, zs));
    CHECK(futhark_free_f32_1d(ctx, zs) == 0 && has(xs, 4, (const float[]){8, 2, 3, 4}));
    struct futhark_opaque_tup2_arr1d_f32_arr1d_f32 *pair = NULL;
    CHECK(futhark_entry_both(ctx, &pair, xs) == 0);
    CHECK(futhark_project_opaque_tup2_arr1d_f32_arr1d_f32_0(ctx, &ys, pair) == 0);
    CHECK(futhark_project_opaque_tup2_arr1d_f32_arr1d_f32_1(ctx, &zs, pair) == 0);
    CHECK(futhark_free_opaque_tup2_arr1d_f32_arr1d_f32(ctx, pair) == 0);
    CHECK(has(ys, 4, (const float[]){8, 2, 3, 4}) && has(zs, 4, (const float[]){9, 3, 4, 5}));
    CHECK(fun_context_bytes(ctx) == 2 * sizeof given);
    futhark_free_f32_1d(ctx, xs);
    futhark_free_f32_1d(ctx, ys);
    futhark_free_f32_1d(ctx, zs);
    CHECK(fun_context_bytes(ctx) == 0);
}

/* The caller's own memory on the device. */
static void lent(void) {
    uint64_t raw = 0;
    float got[4];
    CHECK(cuMemAlloc_v2(&raw, sizeof given) == 0 && cuMemcpyHtoD_v2(raw, given, sizeof given) == 0);
    struct futhark_f32_1d *xs = futhark_new_raw_f32_1d(ctx, raw, 4), *ys = NULL, *part = futhark_new_raw_f32_1d(ctx, raw + 8, 2);
    CHECK(xs != NULL && part != NULL && futhark_values_raw_f32_1d(ctx, xs) == raw && fun_context_bytes(ctx) == 0);
    (void)waits();
    CHECK(futhark_entry_twice(ctx, &ys, xs) == 0);
    struct waits seen = waits();
    CHECK(seen.writes == 0 && seen.reads == 0);
    CHECK(cuMemcpyDtoH_v2(got, futhark_values_raw_f32_1d(ctx, ys), sizeof got) == 0 && got[3] == 8);
    futhark_free_f32_1d(ctx, ys);
    CHECK(futhark_entry_twice(ctx, &ys, part) == 0 && has(ys, 2, (const float[]){6, 8}));
    futhark_free_f32_1d(ctx, ys);
    /* what was lent for reading is not given back */
    CHECK(futhark_entry_same(ctx, &ys, xs) == 0 && futhark_values_raw_f32_1d(ctx, ys) != raw && has(ys, 4, given));
    futhark_free_f32_1d(ctx, ys);
    /* arguments that are consumed lie apart from all others */
    struct futhark_f32_1d *end = futhark_new_raw_f32_1d(ctx, raw + 8, 2);
    CHECK(futhark_entry_add(ctx, &ys, part, end) == 0 && has(ys, 2, (const float[]){6, 8}));
    futhark_free_f32_1d(ctx, ys);
    futhark_free_f32_1d(ctx, end);
    CHECK(futhark_entry_first_is(ctx, &ys, xs, 5) == 0 && futhark_values_raw_f32_1d(ctx, ys) == raw);
    CHECK(cuMemcpyDtoH_v2(got, raw, sizeof got) == 0 && got[0] == 5 && got[1] == 2);
    futhark_free_f32_1d(ctx, ys);
    futhark_free_f32_1d(ctx, xs);
    futhark_free_f32_1d(ctx, part);
    CHECK(futhark_new_raw_f32_1d(ctx, raw + 1, 1) == NULL && fails_with("misaligned"));
    CHECK(futhark_new_raw_f32_1d(ctx, 0, 1) == NULL && fails_with("NULL"));
    CHECK(cuMemFree_v2(raw) == 0);
}

/* Sizes, elements and failures in kernels. */
static void failures(void) {
    const int64_t good[] = {3, 0}, bad[] = {3, 9};
    struct futhark_f32_1d *xs = futhark_new_f32_1d(ctx, given, 4), *ys = NULL, *few = futhark_new_f32_1d(ctx, given, 3);
    struct futhark_i64_1d *is = futhark_new_i64_1d(ctx, good, 2), *wrong = futhark_new_i64_1d(ctx, bad, 2);
    for (int k = 0; k < 3; k++) {
        CHECK(futhark_entry_gather(ctx, &ys, xs, wrong) == FUTHARK_PROGRAM_ERROR && fails_with("Index [9] out of bounds"));
        CHECK(futhark_entry_gather(ctx, &ys, xs, is) == 0 && has(ys, 2, (const float[]){4, 1}));
        futhark_free_f32_1d(ctx, ys);
    }
    CHECK(futhark_entry_add(ctx, &ys, xs, few) == FUTHARK_PROGRAM_ERROR && fails_with("invalid sizes"));
    CHECK(fun_context_bytes(ctx) == 7 * sizeof(float) + 4 * sizeof(int64_t));
    /* an array and its double: not with room for one */
    fun_context_config_set_memory_limit(config, fun_context_bytes(ctx) + 15);
    CHECK(futhark_entry_twice(ctx, &ys, xs) == FUTHARK_OUT_OF_MEMORY && fails_with("more than the limit"));
    CHECK(futhark_new_f32_1d(ctx, given, 4) == NULL && fails_with("over the limit"));
    fun_context_config_set_memory_limit(config, fun_context_bytes(ctx) + 16);
    CHECK(futhark_entry_twice(ctx, &ys, xs) == 0);
    fun_context_config_set_memory_limit(config, 0);
    futhark_free_f32_1d(ctx, xs);
    futhark_free_f32_1d(ctx, ys);
    futhark_free_f32_1d(ctx, few);
    futhark_free_i64_1d(ctx, is);
    futhark_free_i64_1d(ctx, wrong);
    struct futhark_f32_1d *none = futhark_new_f32_1d(ctx, NULL, 0);
    float sum = 1;
    CHECK(none != NULL && futhark_entry_total(ctx, &sum, none) == 0 && sum == 0);
    CHECK(futhark_entry_twice(ctx, &ys, none) == 0 && futhark_shape_f32_1d(ctx, ys)[0] == 0);
    futhark_free_f32_1d(ctx, none);
    futhark_free_f32_1d(ctx, ys);
    CHECK(fun_context_bytes(ctx) == 0);
}

/* Records, arrays of records, views of the host's memory, and the functions of FUN's own. */
static void values(void) {
    struct futhark_f32_1d *ys = futhark_new_f32_1d(ctx, given, 4), *zs = NULL;
    struct futhark_opaque_point *point = NULL;
    CHECK(futhark_entry_point(ctx, &point, 10, ys) == 0 && futhark_entry_moved(ctx, &zs, point) == 0);
    CHECK(has(zs, 4, (const float[]){11, 12, 13, 14}));
    futhark_free_f32_1d(ctx, zs);
    void *bytes = NULL;
    size_t count = 0;
    CHECK(futhark_store_opaque_point(ctx, point, &bytes, &count) == 0 && futhark_free_opaque_point(ctx, point) == 0);
    point = futhark_restore_opaque_point(ctx, bytes);
    CHECK(point != NULL && futhark_project_opaque_point_ys(ctx, &zs, point) == 0 && has(zs, 4, given));
    free(bytes);
    futhark_free_opaque_point(ctx, point);
    futhark_free_f32_1d(ctx, zs);
    struct futhark_opaque_arr1d_tup2_f32_bool *pairs = NULL;
    struct futhark_opaque_tup2_f32_bool *pair = NULL;
    CHECK(futhark_entry_pairs(ctx, &pairs, ys) == 0);
    float x = 0;
    bool b = false;
    CHECK(futhark_index_opaque_arr1d_tup2_f32_bool(ctx, &pair, pairs, 1) == 0);
    CHECK(futhark_set_opaque_arr1d_tup2_f32_bool(ctx, pairs, pair, 0) == 0 && futhark_free_opaque_tup2_f32_bool(ctx, pair) == 0);
    CHECK(futhark_index_opaque_arr1d_tup2_f32_bool(ctx, &pair, pairs, 0) == 0);
    CHECK(futhark_project_opaque_tup2_f32_bool_0(ctx, &x, pair) == 0 && futhark_project_opaque_tup2_f32_bool_1(ctx, &b, pair) == 0);
    CHECK(x == 2 && b);
    futhark_free_opaque_tup2_f32_bool(ctx, pair);
    futhark_free_opaque_arr1d_tup2_f32_bool(ctx, pairs);
    float matrix[] = {1, 2, 3, 4, 5, 6}, turned[6] = {0};
    struct futhark_f32_2d *view = fun_new_view_f32_2d(ctx, matrix, 0, 1, 3, 3, 2), *back = NULL;
    CHECK(view != NULL && futhark_entry_turned(ctx, &back, view) == 0 && futhark_values_f32_2d(ctx, back, turned) == 0);
    CHECK(memcmp(turned, matrix, sizeof matrix) == 0);
    futhark_free_f32_2d(ctx, view);
    futhark_free_f32_2d(ctx, back);
    float into[4] = {0};
    int64_t room = 0, shape = 0;
    CHECK(fun_into_twice(ctx, into, 4, ys) == 0 && into[0] == 2 && into[3] == 8);
    CHECK(fun_into_twice(ctx, into, 3, ys) == FUTHARK_PROGRAM_ERROR && fails_with("there is memory for 3"));
    CHECK(fun_sizes_twice(ctx, &room, &shape, ys) == 0 && room == 16 && shape == 4);
    struct fun_call *calls[8];
    for (int k = 0; k < 8; k++) {
        CHECK(fun_start_twice(ctx, &calls[k], ys) == 0);
    }
    for (int k = 0; k < 8; k++) {
        CHECK(fun_wait_twice(ctx, calls[k], &zs) == 0 && has(zs, 4, (const float[]){2, 4, 6, 8}));
        futhark_free_f32_1d(ctx, zs);
    }
    futhark_free_f32_1d(ctx, ys);
    CHECK(fun_context_bytes(ctx) == 0);
}

int main(void) {
    config = futhark_context_config_new();
    ctx = futhark_context_new(config);
    chains();
    sharing();
    lent();
    failures();
    values();
    futhark_context_free(ctx);
    futhark_context_config_free(config);
    puts("all right");
    return 0;
}
