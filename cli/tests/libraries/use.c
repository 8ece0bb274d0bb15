/* Calls every kind of function that the library of program.fut has; ends with a message and status 1 where one does what it should not. */
#include "program.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A call that must fail with this code and text, once. */
static void expect_error(struct futhark_context *ctx, int code, int wanted, const char *part) {
    char *error = futhark_context_get_error(ctx);
    if (code != wanted || error == NULL || strstr(error, part) == NULL) {
        fprintf(stderr, "code %d instead of %d, `%s` without `%s`\n", code, wanted, error == NULL ? "" : error, part);
        exit(1);
    }
    free(error);
    assert(futhark_context_get_error(ctx) == NULL);
}

/* A call that must not fail. */
#define OK(e) \
    do { \
        if ((e) != FUTHARK_SUCCESS) { \
            fprintf(stderr, "%s: %s\n", #e, futhark_context_get_error(ctx)); \
            exit(1); \
        } \
    } while (0)

static void count_release(void *count) {
    ++*(int *)count;
}

static void results_that_are_asked_for_or_shared(struct futhark_context *ctx, struct futhark_i32_1d *xs) {
    /* what results will take */
    int64_t bytes, shape[2] = {0, 0};
    struct futhark_f64_2d *rows = futhark_new_f64_2d(ctx, (double[6]){1, 2, 3, 4, 5, 6}, 2, 3);
    OK(fun_sizes_mat(ctx, &bytes, shape, rows));
    assert(bytes == 48 && shape[0] == 3 && shape[1] == 2);
    OK(futhark_free_f64_2d(ctx, rows));
    OK(fun_sizes_main(ctx, &bytes, NULL, xs, 1));
    assert(bytes == 12);
    OK(fun_sizes_part(ctx, NULL, shape, xs, 2));
    assert(shape[0] == 1);
    expect_error(ctx, fun_sizes_part(ctx, &bytes, shape, xs, 0), 2, "division by zero");
    expect_error(ctx, fun_sizes_part(ctx, &bytes, shape, NULL, 1), 2, "argument #0 (xs) of part is NULL");
    expect_error(ctx, fun_sizes_positive(ctx, &bytes, shape, xs), 1, "what positive gives depend on elements");
    assert(bytes == 12 && shape[0] == 1);
    /* results that are arguments: the same memory where the library has it, apart from what the caller lent; consumed without harm */
    struct futhark_f64_1d *own = futhark_new_f64_1d(ctx, (double[2]){5, 6}, 2), *same, *again;
    const uint64_t held = fun_context_bytes(ctx);
    OK(futhark_entry_ident(ctx, &same, own));
    assert(fun_is_shared_f64_1d(ctx, own) && fun_context_bytes(ctx) == held);
    OK(futhark_entry_first(ctx, &again, same));
    double seen[2];
    OK(futhark_values_f64_1d(ctx, again, seen));
    assert(seen[0] == 9 && seen[1] == 6);
    OK(futhark_values_f64_1d(ctx, own, seen));
    assert(seen[0] == 5 && seen[1] == 6);
    OK(futhark_free_f64_1d(ctx, own));
    OK(futhark_free_f64_1d(ctx, again));
    /* alone, it is written in place */
    unsigned char *where = futhark_values_raw_f64_1d(ctx, same);
    OK(futhark_entry_first(ctx, &again, same));
    assert(futhark_values_raw_f64_1d(ctx, again) == where);
    OK(futhark_free_f64_1d(ctx, same));
    OK(futhark_free_f64_1d(ctx, again));
    double lent[2] = {1, 2};
    own = futhark_new_raw_f64_1d(ctx, (unsigned char *)lent, 2);
    OK(futhark_entry_ident(ctx, &same, own));
    assert(futhark_values_raw_f64_1d(ctx, same) != (unsigned char *)lent);
    OK(futhark_free_f64_1d(ctx, own));
    OK(futhark_values_f64_1d(ctx, same, seen));
    assert(seen[1] == 2);
    OK(futhark_free_f64_1d(ctx, same));
}

/* Bad input of every kind: a code, a text with parameter and entry point, and the next call is right. */
static void misuse(struct futhark_context_config *cfg, struct futhark_context *ctx) {
    int64_t numbers[4] = {1, 2, 3, 4};
    struct futhark_i64_1d *good = futhark_new_i64_1d(ctx, numbers, 3), *short_one = futhark_new_i64_1d(ctx, numbers, 2);
    struct futhark_f64_2d *matrix = futhark_new_f64_2d(ctx, (double[4]){1, 2, 3, 4}, 2, 2);
    struct futhark_i64_1d *result, *raw = futhark_new_raw_i64_1d(ctx, (unsigned char *)numbers, 3);
    struct futhark_i64_1d *over = futhark_new_raw_i64_1d(ctx, (unsigned char *)(numbers + 1), 3);
    struct futhark_f64_1d *ident;
    int64_t sum;
#define RIGHT_AGAIN() \
    OK(futhark_entry_sized(ctx, &sum, 3, good)); \
    assert(sum == 6)
    /* rank, element type, nothing at all, sizes, memory that is shared, memory that is not aligned, and too much of it */
    expect_error(ctx, futhark_entry_ident(ctx, &ident, (struct futhark_f64_1d *)matrix), 2, "argument #0 (xs) of ident is not of type []f64");
    RIGHT_AGAIN();
    expect_error(ctx, futhark_entry_ident(ctx, &ident, (struct futhark_f64_1d *)good), 2, "argument #0 (xs) of ident is not of type []f64");
    RIGHT_AGAIN();
    expect_error(ctx, futhark_entry_sized(ctx, &sum, 3, NULL), 2, "argument #1 (xs) of sized is NULL");
    RIGHT_AGAIN();
    expect_error(ctx, futhark_entry_sized(ctx, &sum, 4, good), 2, "dimension 0 of argument xs of sized is 3 where 4 is needed");
    expect_error(ctx, futhark_entry_sized(ctx, &sum, -1, good), 2, "dimension 0 of argument xs of sized is 3 where -1 is needed");
    expect_error(ctx, futhark_entry_add(ctx, &result, good, short_one), 2, "dimension 0 of argument ys of add is 2 where 3 is needed");
    RIGHT_AGAIN();
    expect_error(ctx, futhark_entry_add(ctx, &result, raw, over), 2, "arguments xs and ys of add share memory, and one of them is consumed");
    expect_error(ctx, futhark_entry_add(ctx, &result, raw, raw), 2, "arguments xs and ys of add share memory, and one of them is consumed");
    assert(numbers[0] == 1 && numbers[3] == 4);
    RIGHT_AGAIN();
    assert(futhark_new_raw_i64_1d(ctx, (unsigned char *)numbers + 1, 1) == NULL);
    expect_error(ctx, 2, 2, "the data of a new array of i64 is misaligned");
    RIGHT_AGAIN();
    fun_context_config_set_memory_limit(cfg, fun_context_bytes(ctx) + 64);
    struct futhark_opaque_arr1d_pt *points;
    expect_error(ctx, futhark_entry_pts(ctx, &points, 1000), 3, "in pts");
    fun_context_config_set_memory_limit(cfg, 0);
    RIGHT_AGAIN();
    OK(futhark_free_i64_1d(ctx, good));
    OK(futhark_free_i64_1d(ctx, short_one));
    OK(futhark_free_i64_1d(ctx, raw));
    OK(futhark_free_i64_1d(ctx, over));
    OK(futhark_free_f64_2d(ctx, matrix));
}

int main(void) {
    struct futhark_context_config *cfg = futhark_context_config_new();
    struct futhark_context *ctx = futhark_context_new(cfg);
    assert(futhark_context_get_error(ctx) == NULL);
    int32_t data[3] = {1, 2, 3};
    struct futhark_i32_1d *xs = futhark_new_i32_1d(ctx, data, 3);
    struct futhark_opaque_tup2_arr1d_i32_i32 *pair;
    OK(futhark_entry_main(ctx, &pair, xs, 1));
    struct futhark_i32_1d *ys;
    int32_t y;
    OK(futhark_project_opaque_tup2_arr1d_i32_i32_0(ctx, &ys, pair));
    OK(futhark_project_opaque_tup2_arr1d_i32_i32_1(ctx, &y, pair));
    OK(futhark_free_opaque_tup2_arr1d_i32_i32(ctx, pair));
    int32_t got[3];
    OK(futhark_values_i32_1d(ctx, ys, got));
    OK(futhark_context_sync(ctx));
    assert(got[0] == 2 && got[2] == 4 && y == 2 && futhark_shape_i32_1d(ctx, ys)[0] == 3);
    OK(futhark_index_i32_1d(ctx, &y, ys, 2));
    assert(y == 4);
    expect_error(ctx, futhark_index_i32_1d(ctx, &y, ys, 3), 2, "out of bounds");
    pair = (void *)1;
    expect_error(ctx, futhark_entry_main(ctx, &pair, xs, 9), 2, "program.fut:2:");
    assert(pair == (void *)1);
    expect_error(ctx, futhark_entry_main(ctx, &pair, NULL, 9), 2, "argument #0 (xs) of main is NULL");
    /* records */
    struct futhark_opaque_r *r;
    OK(futhark_entry_mk(ctx, &r, 4));
    OK(futhark_project_opaque_r_a(ctx, &y, r));
    assert(y == 3);
    struct futhark_f32_1d *b;
    OK(futhark_project_opaque_r_b(ctx, &b, r));
    struct futhark_opaque_r *r2;
    OK(futhark_new_opaque_r(ctx, &r2, 10, b));
    struct futhark_f32_1d *c;
    OK(futhark_entry_unr(ctx, &c, r2));
    float fs[4];
    OK(futhark_values_f32_1d(ctx, c, fs));
    assert(fs[3] == 12);
    void *bytes = NULL;
    size_t n;
    OK(futhark_store_opaque_r(ctx, r2, &bytes, &n));
    struct futhark_opaque_r *r3 = futhark_restore_opaque_r(ctx, bytes);
    assert(r3);
    OK(futhark_free_f32_1d(ctx, c));
    OK(futhark_entry_unr(ctx, &c, r3));
    OK(futhark_values_f32_1d(ctx, c, fs));
    assert(fs[0] == 12);
    ((char *)bytes)[1] = 9;
    assert(futhark_restore_opaque_r(ctx, bytes) == NULL);
    expect_error(ctx, 2, 2, "no value of type r");
    free(bytes);
    OK(futhark_free_f32_1d(ctx, c));
    OK(futhark_free_f32_1d(ctx, b));
    OK(futhark_free_opaque_r(ctx, r));
    OK(futhark_free_opaque_r(ctx, r2));
    OK(futhark_free_opaque_r(ctx, r3));
    /* sums */
    struct futhark_opaque_s *s;
    OK(futhark_entry_mks(ctx, &s, xs));
    assert(futhark_variant_opaque_s(ctx, s) == 2);
    OK(futhark_entry_uns(ctx, &y, s));
    assert(y == 7);
    struct futhark_i32_1d *payload;
    bool flag;
    OK(futhark_destruct_opaque_s_some(ctx, &payload, &flag, s));
    assert(flag);
    expect_error(ctx, futhark_destruct_opaque_s_none(ctx, s), 2, "#none");
    OK(futhark_free_opaque_s(ctx, s));
    OK(futhark_new_opaque_s_one(ctx, &s, 42));
    OK(futhark_entry_uns(ctx, &y, s));
    assert(y == 42);
    OK(futhark_free_opaque_s(ctx, s));
    OK(futhark_new_opaque_s_some(ctx, &s, payload, false));
    OK(futhark_entry_uns(ctx, &y, s));
    assert(y == 6);
    OK(futhark_free_opaque_s(ctx, s));
    OK(futhark_free_i32_1d(ctx, payload));
    /* arrays of records */
    struct futhark_opaque_arr1d_pt *ps;
    OK(futhark_entry_pts(ctx, &ps, 5));
    assert(futhark_shape_opaque_arr1d_pt(ctx, ps)[0] == 5);
    struct futhark_opaque_pt *p;
    OK(futhark_index_opaque_arr1d_pt(ctx, &p, ps, 3));
    float x;
    OK(futhark_project_opaque_pt_x(ctx, &x, p));
    assert(x == 3);
    OK(futhark_set_opaque_arr1d_pt(ctx, ps, p, 0));
    OK(futhark_entry_sumpts(ctx, &x, ps));
    assert(x == 13);
    struct futhark_opaque_pt *elems[2] = {p, p};
    struct futhark_opaque_arr1d_pt *qs;
    OK(futhark_new_opaque_arr1d_pt(ctx, &qs, elems, 2));
    OK(futhark_entry_sumpts(ctx, &x, qs));
    assert(x == 6);
    struct futhark_f32_1d *vx;
    OK(futhark_project_opaque_arr1d_pt_x(ctx, &vx, ps));
    struct futhark_opaque_arr1d_pt *zs;
    OK(futhark_zip_opaque_arr1d_pt(ctx, &zs, vx, vx));
    OK(futhark_entry_sumpts(ctx, &x, zs));
    assert(x == 9+1+4+9+16);
    OK(futhark_free_opaque_arr1d_pt(ctx, zs));
    OK(futhark_free_opaque_arr1d_pt(ctx, qs));
    OK(futhark_free_opaque_arr1d_pt(ctx, ps));
    OK(futhark_free_opaque_pt(ctx, p));
    OK(futhark_free_f32_1d(ctx, vx));
    OK(futhark_new_opaque_arr1d_pt(ctx, &qs, NULL, 0));
    OK(futhark_entry_sumpts(ctx, &x, qs));
    assert(x == 0);
    OK(futhark_free_opaque_arr1d_pt(ctx, qs));
    /* the caller's memory: written in place, given back as it is */
    int64_t own[3] = {1, 2, 3};
    struct futhark_i64_1d *raw = futhark_new_raw_i64_1d(ctx, (unsigned char *)own, 3), *changed;
    OK(futhark_entry_upd(ctx, &changed, raw));
    assert(own[0] == 7 && futhark_values_raw_i64_1d(ctx, changed) == (unsigned char *)own);
    OK(futhark_free_i64_1d(ctx, raw));
    OK(futhark_free_i64_1d(ctx, changed));
    double ds[6] = {1, 2, 3, 4, 5, 6};
    struct futhark_f64_1d *d = futhark_new_raw_f64_1d(ctx, (unsigned char *)ds, 6), *e;
    OK(futhark_entry_ident(ctx, &e, d));
    { double same[6];
    OK(futhark_values_f64_1d(ctx, e, same));
    assert(same[5] == 6);
    }
    OK(futhark_free_f64_1d(ctx, d));
    OK(futhark_free_f64_1d(ctx, e));
    assert(futhark_new_raw_f64_1d(ctx, (unsigned char *)ds + 1, 5) == NULL);
    expect_error(ctx, 2, 2, "misaligned");
    struct futhark_f64_2d *m = futhark_new_f64_2d(ctx, ds, 2, 3), *t;
    OK(futhark_entry_mat(ctx, &t, m));
    double td[6]; OK(futhark_values_f64_2d(ctx, t, td)); assert(td[1] == 4 && futhark_shape_f64_2d(ctx, t)[0] == 3);
    OK(futhark_free_f64_2d(ctx, m));
    OK(futhark_free_f64_2d(ctx, t));
    assert(futhark_new_i32_1d(ctx, data, -1) == NULL);
    expect_error(ctx, 2, 2, "sizes");
    assert(futhark_new_i32_1d(ctx, NULL, 1) == NULL);
    expect_error(ctx, 2, 2, "NULL");
    expect_error(ctx, futhark_entry_bad(ctx, &y, -1), 2, "Assertion is false: (x > 0)");
    OK(futhark_entry_bad(ctx, &y, 5));
    assert(y == 5);
    /* what does not fit: the parameter and the entry point are named, and the context goes on */
    int64_t numbers[6] = {1, 2, 3, 4, 5, 6};
    struct futhark_i64_1d *first = fun_new_view_i64_1d(ctx, numbers, 0, 1, 3), *sum = NULL;
    struct futhark_i64_1d *near = fun_new_view_i64_1d(ctx, numbers, 2, 1, 3), *less = fun_new_view_i64_1d(ctx, numbers, 3, 1, 2);
    expect_error(ctx, futhark_entry_main(ctx, &pair, (struct futhark_i32_1d *)first, 0), 2, "argument #0 (xs) of main is not of type []i32");
    expect_error(ctx, futhark_entry_add(ctx, &sum, first, NULL), 2, "argument #1 (ys) of add is NULL");
    expect_error(ctx, futhark_entry_add(ctx, &sum, first, near), 2, "arguments xs and ys of add share memory");
    expect_error(ctx, futhark_entry_add(ctx, &sum, first, less), 2, "dimension 0 of argument ys of add is 2 where 3 is needed");
    assert(sum == NULL && numbers[0] == 1);
    OK(futhark_free_i64_1d(ctx, near));
    OK(futhark_free_i64_1d(ctx, less));
    assert(futhark_values_raw_i64_1d(ctx, NULL) == NULL && futhark_shape_i64_1d(ctx, NULL) == NULL);
    expect_error(ctx, futhark_index_i64_1d(ctx, &own[0], NULL, 0), 2, "NULL");
    /* views: they stay where they lie for calls that read them; what needs them in row order copies them, once */
    const uint64_t before = fun_context_copied_bytes(ctx);
    struct futhark_i64_1d *back = fun_new_view_i64_1d(ctx, numbers, 5, -1, 3), *third = fun_new_view_i64_1d(ctx, numbers, 0, 2, 3);
    struct futhark_i64_1d *one = fun_new_view_i64_1d(ctx, numbers, 2, 0, 3), *own_three = futhark_new_i64_1d(ctx, (int64_t[]){1, 2, 3}, 3);
    uint64_t copies = before + 24;
    OK(futhark_entry_add(ctx, &sum, own_three, back));
    OK(futhark_index_i64_1d(ctx, &own[0], sum, 0));
    OK(futhark_index_i64_1d(ctx, &own[1], back, 2));
    assert(own[0] == 7 && own[1] == 4 && fun_context_copied_bytes(ctx) == copies);
    expect_error(ctx, futhark_index_i64_1d(ctx, &own[1], back, 3), 2, "out of bounds");
    OK(futhark_values_i64_1d(ctx, third, own));
    assert(own[0] == 1 && own[1] == 3 && own[2] == 5 && fun_context_copied_bytes(ctx) == (copies += 24));
    OK(futhark_free_i64_1d(ctx, sum));
    OK(futhark_entry_add(ctx, &sum, third, one));
    OK(futhark_values_i64_1d(ctx, sum, own));
    assert(own[0] == 4 && own[1] == 6 && own[2] == 8 && numbers[0] == 1 && fun_context_copied_bytes(ctx) == (copies += 48));
    const int64_t *rows = (const int64_t *)futhark_values_raw_i64_1d(ctx, back);
    int64_t described[2];
    fun_describe_i64_1d(ctx, back, described);
    assert(rows[0] == 6 && rows[2] == 4 && (const int64_t *)(intptr_t)described[0] == rows && described[1] == 3);
    assert(fun_context_copied_bytes(ctx) == (copies += 24));
    /* what is written over may not lie in a view that is read; gaps of a view count as the view's */
    expect_error(ctx, futhark_entry_add(ctx, &sum, first, one), 2, "arguments xs and ys of add share memory");
    expect_error(ctx, futhark_entry_add(ctx, &sum, own_three, NULL), 2, "NULL");
    OK(futhark_free_i64_1d(ctx, own_three));
    OK(futhark_free_i64_1d(ctx, third));
    OK(futhark_free_i64_1d(ctx, one));
    OK(futhark_free_i64_1d(ctx, sum));
    assert(fun_new_view_i64_1d(ctx, numbers, 0, INT64_MAX / 2, 5) == NULL);
    expect_error(ctx, 2, 2, "strides of a view of i64 are too large");
    /* a consumed view is copied */
    OK(futhark_entry_add(ctx, &sum, back, first));
    OK(futhark_values_i64_1d(ctx, sum, own));
    assert(own[0] == 7 && own[1] == 7 && own[2] == 7 && numbers[5] == 6);
    /* a record of a view, and results in the caller's memory of one */
    const double grid[6] = {1, 2, 3, 4, 5, 6};
    struct futhark_f64_2d *columns = fun_new_view_f64_2d(ctx, (double *)grid, 2, -1, 3, 3, 2);
    double upright[6];
    copies = fun_context_copied_bytes(ctx);
    OK(fun_into_mat(ctx, upright, 2, 3, columns));
    assert(upright[0] == 3 && upright[1] == 2 && upright[2] == 1 && upright[3] == 6 && upright[5] == 4);
    assert(fun_context_copied_bytes(ctx) <= copies + 48);
    OK(futhark_free_f64_2d(ctx, columns));
    float halves[4] = {1, 2, 3, 4};
    struct futhark_f32_1d *odd = fun_new_view_f32_1d(ctx, halves, 3, -2, 2), *sums;
    struct futhark_opaque_r *of_view;
    OK(futhark_new_opaque_r(ctx, &of_view, 1, odd));
    OK(futhark_free_f32_1d(ctx, odd));
    OK(futhark_entry_unr(ctx, &sums, of_view));
    OK(futhark_values_f32_1d(ctx, sums, halves));
    assert(halves[0] == 5 && halves[1] == 3);
    OK(futhark_free_f32_1d(ctx, sums));
    OK(futhark_free_opaque_r(ctx, of_view));
    assert(fun_new_view_i64_1d(ctx, (int64_t *)((char *)numbers + 4), 0, 1, 2) == NULL);
    expect_error(ctx, 2, 2, "misaligned");
    /* memory that the caller hears of when nobody uses it any longer */
    int released = 0;
    struct futhark_i64_1d *given = fun_new_view_i64_1d(ctx, numbers, 0, 1, 3), *result;
    OK(futhark_entry_upd(ctx, &result, given));
    assert(fun_hand_over_i64_1d(ctx, given, count_release, &released) && released == 0);
    OK(futhark_free_i64_1d(ctx, result));
    assert(released == 1);
    assert(!fun_hand_over_i64_1d(ctx, back, count_release, &released) && !fun_hand_over_i64_1d(ctx, first, count_release, &released));
    OK(futhark_free_i64_1d(ctx, sum));
    /* calls that go on by themselves */
    struct fun_call *call, *other;
    OK(fun_start_main(ctx, &call, xs, 1));
    OK(fun_start_bad(ctx, &other, -1));
    OK(fun_wait_main(ctx, call, &pair));
    OK(futhark_project_opaque_tup2_arr1d_i32_i32_1(ctx, &y, pair));
    assert(y == 2);
    OK(futhark_free_opaque_tup2_arr1d_i32_i32(ctx, pair));
    while (!fun_call_is_done(other)) {
    }
    expect_error(ctx, fun_wait_bad(ctx, other, &y), 2, "Assertion is false: (x > 0)");
    OK(fun_start_bad(ctx, &call, 6));
    expect_error(ctx, fun_wait_sumpts(ctx, call, &x), 2, "no call of sumpts");
    OK(fun_wait_bad(ctx, call, &y));
    assert(y == 6);
    expect_error(ctx, fun_wait_bad(ctx, NULL, &y), 2, "no call of bad");
    /* results in the caller's memory */
    static int32_t into[32] __attribute__((aligned(64)));
    const uint64_t copied = fun_context_copied_bytes(ctx), bytes_before = fun_context_bytes(ctx);
    OK(fun_into_main(ctx, into, 3, &y, xs, 1));
    assert(into[0] == 2 && into[1] == 3 && into[2] == 4 && into[3] == 0 && y == 2);
    assert(fun_context_copied_bytes(ctx) == copied && fun_context_bytes(ctx) == bytes_before);
    OK(fun_into_main(ctx, into + 1, 3, &y, xs, 2));
    assert(into[0] == 2 && into[1] == 2 && into[3] == 4 && y == 3 && fun_context_copied_bytes(ctx) == copied + 12);
    expect_error(ctx, fun_into_main(ctx, into, 2, &y, xs, 1), 2, "dimension 0 of result #0 of main is 3, and there is memory for 2");
    expect_error(ctx, fun_into_main(ctx, NULL, 3, &y, xs, 1), 2, "the memory for result #0 of main is NULL");
    expect_error(ctx, fun_into_main(ctx, into, -1, &y, xs, 1), 2, "sizes");
    expect_error(ctx, fun_into_main(ctx, into, 3, &y, xs, 7), 2, "program.fut:2:");
    static int64_t wide[32] __attribute__((aligned(64)));
    for (int k = 0; k < 8; k++) {
        wide[k] = k;
    }
    struct futhark_i64_1d *eight = futhark_new_raw_i64_1d(ctx, (unsigned char *)wide, 8);
    /* over the argument itself, apart from it, in each other's order, and overlapping it */
    OK(fun_into_twins(ctx, wide + 8, 8, wide + 16, 8, eight));
    assert(wide[7] == 7 && wide[8] == 1 && wide[15] == 8 && wide[16] == 2 && wide[23] == 9);
    OK(fun_into_twins(ctx, wide + 16, 8, wide + 8, 8, eight));
    assert(wide[7] == 7 && wide[16] == 1 && wide[23] == 8 && wide[8] == 2 && wide[15] == 9);
    OK(fun_into_twins(ctx, wide, 8, wide + 8, 8, eight));
    assert(wide[0] == 1 && wide[7] == 8 && wide[8] == 2 && wide[15] == 9);
    OK(fun_into_upd(ctx, wide + 4, 8, eight));
    assert(wide[4] == 7 && wide[5] == 2 && wide[11] == 8);
    OK(futhark_free_i64_1d(ctx, eight));
    double turned[6];
    struct futhark_f64_2d *wider = futhark_new_f64_2d(ctx, (double[6]){1, 2, 3, 4, 5, 6}, 2, 3);
    OK(fun_into_mat(ctx, turned, 3, 2, wider));
    assert(turned[0] == 1 && turned[1] == 4 && turned[4] == 3 && turned[5] == 6);
    OK(futhark_free_f64_2d(ctx, wider));
    results_that_are_asked_for_or_shared(ctx, xs);
    misuse(cfg, ctx);
    /* a limit for memory */
    fun_context_config_set_memory_limit(cfg, fun_context_bytes(ctx) + 100);
    expect_error(ctx, futhark_entry_pts(ctx, &qs, 1000), 3, "more than the limit");
    assert(futhark_new_f64_1d(ctx, (double[20]){0}, 20) == NULL);
    expect_error(ctx, 3, 3, "an array of 160 bytes is over the limit");
    fun_context_config_set_memory_limit(cfg, 0);
    OK(futhark_entry_pts(ctx, &qs, 1000));
    OK(futhark_free_opaque_arr1d_pt(ctx, qs));
    assert(fun_context_peak_bytes(ctx) >= 4000);
    char *report = futhark_context_report(ctx);
    assert(report);
    free(report);
    OK(futhark_context_clear_caches(ctx));
    OK(futhark_free_i32_1d(ctx, xs));
    OK(futhark_free_i32_1d(ctx, ys));
    assert(fun_context_bytes(ctx) == 0);
    futhark_context_free(ctx);
    futhark_context_config_free(cfg);
    puts("all right");
    return 0;
}
