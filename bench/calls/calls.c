/* The shortest time of a call, of 3,000 times 100: with a number, and with an array of ten numbers whose result is freed. */
#include "calls.h"
#include <assert.h>
#include <time.h>

enum { TRIES = 3000, CALLS = 100 };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

int main(void) {
    struct futhark_context_config *cfg = futhark_context_config_new();
    struct futhark_context *ctx = futhark_context_new(cfg);
    double data[10] = {0}, number = 1e9, array = 1e9;
    struct futhark_f64_1d *xs = futhark_new_f64_1d(ctx, data, 10), *ys;
    for (int try = 0; try < TRIES; try++) {
        double start = now();
        for (int k = 0; k < CALLS; k++) {
            int32_t y;
            const int status = futhark_entry_number(ctx, &y, 1);
            assert(status == 0 && y == 1);
        }
        double time = (now() - start) / CALLS;
        number = time < number ? time : number;
        start = now();
        for (int k = 0; k < CALLS; k++) {
            const int status = futhark_entry_array(ctx, &ys, xs);
            assert(status == 0);
            futhark_free_f64_1d(ctx, ys);
        }
        time = (now() - start) / CALLS;
        array = time < array ? time : array;
    }
    printf("a number %.3f, an array %.3f microseconds\n", number, array);
    futhark_free_f64_1d(ctx, xs);
    futhark_context_free(ctx);
    futhark_context_config_free(cfg);
    return 0;
}
