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

// Files in Futhark's binary format: of what must come out, and of the data. Where there are none, nothing is compared, and data are drawn.
static FILE *wanted, *given;

// Opens those that a call names: `reference NAME [OUT [IN]]`.
__attribute__((unused)) static void open_files(int count, char **words) {
    FILE **files[2] = {&wanted, &given};
    for (int k = 2; k < count && k < 4; k++) {
        *files[k - 2] = fopen(words[k], "rb");
        if (*files[k - 2] == NULL) {
            perror(words[k]);
            exit(1);
        }
    }
}

// The next array of a file: its bytes, and in `type` the type of its elements.
static void *next(FILE *file, size_t *bytes, char type[5]) {
    unsigned char head[3];
    type[4] = 0;
    int whole = fread(head, 1, 3, file) == 3 && fread(type, 1, 4, file) == 4;
    *bytes = whole ? strtoul(type + strcspn(type, "0123456789"), NULL, 10) / 8 : 0;
    for (int k = 0; whole && k < head[2]; k++) {
        int64_t size = 0;
        whole = fread(&size, sizeof size, 1, file) == 1;
        *bytes *= (size_t)size;
    }
    void *data = block(*bytes);
    if (!whole || fread(data, 1, *bytes, file) != *bytes) {
        fprintf(stderr, "a file ends too soon\n");
        exit(1);
    }
    return data;
}

// The next array of the data.
static void *take(size_t bytes) {
    size_t found;
    char type[5];
    void *data = next(given, &found, type);
    if (found != bytes) {
        fprintf(stderr, "data of %zu bytes instead of %zu\n", found, bytes);
        exit(1);
    }
    return data;
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
    if (given != NULL) {
        return take(count * sizeof(float));
    }
    float *data = block(count * sizeof *data);
    for (size_t k = 0; k < count; k++) {
        data[k] = (float)(draw() >> 8) / 16777216.0f;
    }
    return data;
}
__attribute__((unused)) static int32_t *integers(size_t count, unsigned bits) {
    if (given != NULL) {
        return take(count * sizeof(int32_t));
    }
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

// Ends the program unless the words of results are those of the file: floats within `tolerance` times the larger of 1 and them; of integers this is
// the part that may be others.
__attribute__((unused)) static void check(const void *results, size_t count, float tolerance) {
    const int32_t *result = results, *end = result + count;
    while (wanted != NULL && result < end) {
        size_t bytes, others = 0;
        char type[5];
        const int32_t *right = next(wanted, &bytes, type);
        const size_t words = bytes / sizeof *right;
        const int floats = type[1] == 'f';
        for (size_t k = 0; k < words && result + k < end; k++) {
            float number, other;
            memcpy(&number, result + k, sizeof number);
            memcpy(&other, right + k, sizeof other);
            // not the other way round: what is no number is wrong
            others += floats ? !(fabsf(number - other) <= tolerance * fmaxf(1, fabsf(other))) : result[k] != right[k];
        }
        if (words == 0 || result + words > end || (float)others > (floats ? 0 : tolerance * (float)words)) {
            fprintf(stderr, "wrong: %zu of %zu words of the result\n", others, words);
            exit(1);
        }
        result += words;
    }
}

// One run, whose results are compared, and then one for each line on standard input.
#define CHECKED_RUNS(results, count, tolerance, ...) \
    __VA_ARGS__; \
    check(results, count, tolerance); \
    TIMES(__VA_ARGS__)
