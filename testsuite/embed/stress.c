/* What a library of program.fut does under load: `stress SECONDS`. Threads share a context; memory stays flat; calls cost little. */
#include "program.h"
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 8, ROUNDS = 10000, SIZE = 5000 };

static struct futhark_context *ctx;
static double end;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static long resident_pages(void) {
    long all, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%ld %ld", &all, &resident) != 2) {
        resident = 0;
    }
    if (file != NULL) {
        fclose(file);
    }
    return resident;
}

/* A call with a result that is checked, and one that fails. */
static void round_of(int32_t seed, int32_t size) {
    int32_t data[SIZE], last;
    for (int32_t k = 0; k < size; k++) {
        data[k] = seed + k;
    }
    struct futhark_i32_1d *xs = fun_new_view_i32_1d(ctx, data, 0, 1, size), *ys;
    struct futhark_opaque_tup2_arr1d_i32_i32 *pair;
    assert(futhark_entry_main(ctx, &pair, xs, size - 1) == 0);
    assert(futhark_project_opaque_tup2_arr1d_i32_i32_0(ctx, &ys, pair) == 0);
    assert(futhark_project_opaque_tup2_arr1d_i32_i32_1(ctx, &last, pair) == 0 && last == seed + size - 1);
    const int32_t *given = (const int32_t *)futhark_values_raw_i32_1d(ctx, ys);
    for (int32_t k = 0; k < size; k++) {
        assert(given[k] == seed + k + 1);
    }
    futhark_free_opaque_tup2_arr1d_i32_i32(ctx, pair);
    futhark_free_i32_1d(ctx, ys);
    assert(futhark_entry_main(ctx, &pair, xs, size) == FUTHARK_PROGRAM_ERROR);
    free(futhark_context_get_error(ctx));
    futhark_free_i32_1d(ctx, xs);
}

static void *work(void *argument) {
    int *rounds = argument;
    unsigned seed = (unsigned)*rounds;
    for (*rounds = 0; now() < end; ++*rounds) {
        round_of((int32_t)(rand_r(&seed) % 1000), 1 + (int32_t)(rand_r(&seed) % SIZE));
    }
    return NULL;
}

/* The shortest time of a call in microseconds, of many tries. */
static double overhead(void) {
    double best = 1e9;
    for (int try = 0; try < 1000; try++) {
        int32_t y;
        const double start = now();
        for (int k = 0; k < 100; k++) {
            futhark_entry_bad(ctx, &y, 1);
        }
        const double time = (now() - start) * 1e6 / 100;
        best = time < best ? time : best;
    }
    return best;
}

int main(int count, char **words) {
    struct futhark_context_config *cfg = futhark_context_config_new();
    ctx = futhark_context_new(cfg);
    pthread_t threads[THREADS];
    int rounds[THREADS], all = 0;
    end = now() + (count > 1 ? atof(words[1]) : 60);
    for (int k = 0; k < THREADS; k++) {
        rounds[k] = k;
        pthread_create(&threads[k], NULL, work, &rounds[k]);
    }
    for (int k = 0; k < THREADS; k++) {
        pthread_join(threads[k], NULL);
        all += rounds[k];
    }
    printf("%d threads: %d rounds, each with the right result\n", THREADS, all);
    assert(fun_context_bytes(ctx) == 0);
    for (int k = 0; k < 100; k++) {
        round_of(k, SIZE);
    }
    const long before = resident_pages();
    for (int k = 0; k < ROUNDS; k++) {
        round_of(k, 1 + k % SIZE);
    }
    const long more = resident_pages() - before;
    printf("%d rounds: %ld pages more\n", ROUNDS, more);
    printf("a call: %.3f microseconds\n", overhead());
    futhark_context_free(ctx);
    futhark_context_config_free(cfg);
    return more > 64;
}
