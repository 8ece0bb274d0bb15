// Further programs of this folder in C; `reference.c` calls this for what it does not have itself.
#include "../reference.h"

// What scalar results go to, so that no run can be left out.
static volatile double sink;

enum { THINGS = 1000, ROOM = 8192 };

// From one array to another and back, so that threads can share a row; on one thread the compiler's vectors do the rest.
static int32_t knapsack(const int32_t *weights, const int32_t *values, int32_t *first, int32_t *second) {
    memset(first, 0, sizeof *first * ROOM);
#pragma omp parallel
    for (int k = 0; k < THINGS; k++) {
        const int32_t *restrict old = k % 2 == 0 ? first : second;
        int32_t *restrict new = k % 2 == 0 ? second : first;
        const int32_t weight = weights[k], value = values[k];
#pragma omp for simd schedule(static)
        for (int r = 0; r < ROOM; r++) {
            const int32_t with = r < weight ? 0 : old[r - weight] + value;
            new[r] = with > old[r] ? with : old[r];
        }
    }
    return (THINGS % 2 == 0 ? first : second)[ROOM - 1];
}

enum { SORTED = 262144 };

// In place: each pair is one comparison.
static void bitonic(const float *data, float *restrict xs) {
    memcpy(xs, data, sizeof *xs * SORTED);
#pragma omp parallel
    for (int size = 2; size <= SORTED; size *= 2) {
        for (int apart = size / 2; apart > 0; apart /= 2) {
#pragma omp for schedule(static)
            for (int pair = 0; pair < SORTED / 2; pair++) {
                const int i = 2 * (pair & -apart) + (pair & (apart - 1));
                const float x = xs[i], y = xs[i + apart];
                const float low = x < y ? x : y, high = x < y ? y : x;
                const int rising = (i & size) == 0;
                xs[i] = rising ? low : high;
                xs[i + apart] = rising ? high : low;
            }
        }
    }
}

enum { WALKS = 100000, LENGTH = 64 };

static inline float number(uint32_t x) {
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return (float)(int32_t)((x ^ x >> 16) >> 8) / 8388608.0f - 1;
}

static float monte_carlo(void) {
    float sum = 0;
#pragma omp parallel for simd reduction(+ : sum) schedule(static)
    for (int walk = 0; walk < WALKS; walk++) {
        float at = 0, high = 0;
        for (int step = 0; step < LENGTH; step++) {
            at += number((uint32_t)(walk * LENGTH + step));
            high = at > high ? at : high;
        }
        sum += high;
    }
    return sum / WALKS;
}

int more(int count, char **words) {
    const char *name = count >= 2 ? words[1] : "";
    open_files(count, words);
    char *line = NULL;
    size_t room = 0;
    if (strcmp(name, "knapsack") == 0) {
        int32_t *weights = integers(THINGS, 8), *values = integers(THINGS, 10);
        for (int k = 0; k < THINGS && given == NULL; k++) {
            weights[k]++;
        }
        int32_t *first = block(sizeof *first * ROOM), *second = block(sizeof *second * ROOM), most;
        CHECKED_RUNS(&most, 1, 0, most = knapsack(weights, values, first, second); sink = most)
    } else if (strcmp(name, "bitonic") == 0) {
        const float *data = floats(SORTED);
        float *xs = block(sizeof *xs * SORTED);
        CHECKED_RUNS(xs, SORTED, 0, bitonic(data, xs))
    } else if (strcmp(name, "monte_carlo") == 0) {
        float mean;
        CHECKED_RUNS(&mean, 1, 1e-3f, mean = monte_carlo(); sink = mean)
    } else {
        fprintf(stderr, "usage: reference PROGRAM [OUT [IN]]\n");
        return 2;
    }
    free(line);
    return 0;
}
