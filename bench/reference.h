// What C programs to compare with have in common: data, and the protocol of `fun bench --vs`.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

static double microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

// Zeroed memory in large pages.
static void *block(size_t bytes) {
    void *data;
    if (posix_memalign(&data, 2 << 20, bytes) != 0) {
        exit(1);
    }
    madvise(data, bytes, MADV_HUGEPAGE);
    return memset(data, 0, bytes);
}

// xorshift: numbers that differ enough
static uint32_t state = 2463534242u;
static uint32_t draw(void) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}
static float *floats(size_t count) {
    float *data = block(count * sizeof *data);
    for (size_t k = 0; k < count; k++) {
        data[k] = (float)(draw() >> 8) / 16777216.0f;
    }
    return data;
}
static int32_t *integers(size_t count, unsigned bits) {
    int32_t *data = block(count * sizeof *data);
    for (size_t k = 0; k < count; k++) {
        data[k] = (int32_t)(draw() >> (32 - bits));
    }
    return data;
}

// For each line on standard input one run, and its microseconds.
#define TIMES(...) \
    while (getline(&line, &room, stdin) > 0) { \
        const double start = microseconds(); \
        __VA_ARGS__; \
        printf("%.1f\n", microseconds() - start); \
        fflush(stdout); \
    }
