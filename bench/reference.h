// What C programs to compare with have in common: data, and the protocol of `fun bench --vs`.
#define _GNU_SOURCE
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

__attribute__((unused)) static double microseconds(void) {
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
__attribute__((unused)) static float *floats(size_t count) {
    float *data = block(count * sizeof *data);
    for (size_t k = 0; k < count; k++) {
        data[k] = (float)(draw() >> 8) / 16777216.0f;
    }
    return data;
}
__attribute__((unused)) static int32_t *integers(size_t count, unsigned bits) {
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

// Ends the program unless the words of a result are those at the end of this file: floats within `tolerance` times the larger of 1 and them;
// where that is 0 they are integers, and must be equal.
__attribute__((unused)) static void check(const char *path, const void *result, size_t count, float tolerance) {
    FILE *file = path == NULL ? NULL : fopen(path, "rb");
    if (path != NULL && (file == NULL || fseek(file, -4 * (long)count, SEEK_END) != 0)) {
        perror(path);
        exit(1);
    }
    for (size_t k = 0; file != NULL && k < count; k++) {
        const int32_t *integer = (const int32_t *)result + k;
        const float *number = (const float *)result + k;
        union {
            int32_t integer;
            float number;
        } wanted;
        const int read = fread(&wanted, sizeof wanted, 1, file) == 1;
        const float size = fmaxf(1, fabsf(wanted.number));
        // not the other way round: what is no number is wrong
        if (!read || !(tolerance > 0 ? fabsf(*number - wanted.number) <= tolerance * size : *integer == wanted.integer)) {
            fprintf(stderr, "the result differs from %s at %zu\n", path, k);
            exit(1);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
}
