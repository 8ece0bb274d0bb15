// The programs of this folder in C, as one would write them by hand: `bench` with the arguments of `arguments.sh`, input included.
// usage: reference PROGRAM          one run for each line on standard input, and its microseconds
//        reference PROGRAM result   what it computes
#include "reference.h"
#include <omp.h>

// Hashes of indices, as in the programs.
static inline uint32_t hash(uint32_t seed, uint32_t k) {
    uint32_t x = k * 747796405u + seed * 2891336453u + 1;
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}
static inline float fraction(uint32_t seed, uint32_t k) {
    return (float)(int32_t)(hash(seed, k) >> 8) / 16777216.0f;
}

enum { ALIGN = 2048, WIDTH = ALIGN + 1, SIDE = 128, TILES = ALIGN / SIDE };

// Rows in two passes: what comes from above for all cells at once, then from the left.
static void align(const int32_t *restrict similar, int32_t *restrict scores, int top, int left, int height, int width) {
    for (int i = top; i < top + height; i++) {
        const int32_t *above = scores + i * WIDTH + left, *like = similar + i * ALIGN + left;
        int32_t *row = scores + (i + 1) * WIDTH + left + 1;
        for (int j = 0; j < width; j++) {
            const int32_t diagonal = above[j] + like[j], down = above[j + 1] - 10;
            row[j] = diagonal > down ? diagonal : down;
        }
        int32_t best = row[-1];
        for (int j = 0; j < width; j++) {
            best = best - 10 > row[j] ? best - 10 : row[j];
            row[j] = best;
        }
    }
}

static void nw(int32_t *restrict similar, int32_t *restrict scores, double results[2]) {
    int32_t letters[2][ALIGN], like[24][24];
    for (uint32_t k = 0; k < ALIGN; k++) {
        letters[0][k] = (int32_t)(hash(1, k) % 24);
        letters[1][k] = (int32_t)(hash(2, k) % 24);
    }
    for (int x = 0; x < 24; x++) {
        for (int y = 0; y < 24; y++) {
            const int low = x < y ? x : y, high = x < y ? y : x;
            like[x][y] = x == y ? 5 : (int32_t)(hash(3, (uint32_t)(low * 24 + high)) % 6) - 4;
        }
    }
    for (int k = 0; k <= ALIGN; k++) {
        scores[k] = scores[k * WIDTH] = -10 * k;
    }
    int64_t sum = 0;
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (int i = 0; i < ALIGN; i++) {
            const int32_t *of_letter = like[letters[0][i]];
            for (int j = 0; j < ALIGN; j++) {
                similar[i * ALIGN + j] = of_letter[letters[1][j]];
            }
        }
        for (int diagonal = 0; diagonal < 2 * TILES - 1; diagonal++) {
            const int first = diagonal < TILES ? 0 : diagonal - TILES + 1, last = diagonal < TILES ? diagonal : TILES - 1;
#pragma omp for schedule(static)
            for (int i = first; i <= last; i++) {
                align(similar, scores, i * SIDE, (diagonal - i) * SIDE, SIDE, SIDE);
            }
        }
#pragma omp for schedule(static) reduction(+ : sum)
        for (int k = 0; k < WIDTH * WIDTH; k++) {
            sum += scores[k];
        }
    }
    results[0] = scores[WIDTH * WIDTH - 1];
    results[1] = (double)sum;
}

enum { MATRIX = 1024, PANEL = 32 };

// Panels of PANEL rows and columns; the rest loses one product for all of them, four rows and 32 columns at a time.
static double lud(float *restrict a) {
    enum { HIGH = 4, WIDE = 32 };
    const int n = MATRIX;
    double sum = 0;
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                a[i * n + j] = fraction(1, (uint32_t)(i * n + j)) + (i == j ? (float)n : 0);
            }
        }
        for (int from = 0; from < n; from += PANEL) {
            const int to = from + PANEL;
#pragma omp single
            for (int k = from; k < to; k++) {
                for (int i = k + 1; i < to; i++) {
                    const float factor = a[i * n + k] /= a[k * n + k];
                    for (int j = k + 1; j < to; j++) {
                        a[i * n + j] -= factor * a[k * n + j];
                    }
                }
            }
#pragma omp for schedule(static) nowait
            for (int right = to; right < n; right += WIDE) {
                for (int k = from; k < to; k++) {
                    for (int i = k + 1; i < to; i++) {
                        for (int j = right; j < right + WIDE; j++) {
                            a[i * n + j] -= a[i * n + k] * a[k * n + j];
                        }
                    }
                }
            }
#pragma omp for schedule(static)
            for (int i = to; i < n; i++) {
                for (int k = from; k < to; k++) {
                    const float factor = a[i * n + k] /= a[k * n + k];
                    for (int j = k + 1; j < to; j++) {
                        a[i * n + j] -= factor * a[k * n + j];
                    }
                }
            }
#pragma omp for schedule(static)
            for (int i = to; i < n; i += HIGH) {
                for (int right = to; right < n; right += WIDE) {
                    float rest[HIGH][WIDE];
                    for (int h = 0; h < HIGH; h++) {
                        memcpy(rest[h], a + (i + h) * n + right, sizeof rest[h]);
                    }
                    for (int k = from; k < to; k++) {
                        for (int h = 0; h < HIGH; h++) {
                            for (int j = 0; j < WIDE; j++) {
                                rest[h][j] -= a[(i + h) * n + k] * a[k * n + right + j];
                            }
                        }
                    }
                    for (int h = 0; h < HIGH; h++) {
                        memcpy(a + (i + h) * n + right, rest[h], sizeof rest[h]);
                    }
                }
            }
        }
#pragma omp for schedule(static) reduction(+ : sum)
        for (int k = 0; k < n * n; k++) {
            sum += a[k];
        }
    }
    return sum;
}

enum { CHIP = 1024, HEATINGS = 10 };

// From one array to the other and back; what is outside is as warm as the cell at the edge.
static double hotspot(float *restrict first, float *restrict second, float *restrict power) {
    const int n = CHIP;
    const float side = 0.016f / n, capacity = 0.5f * 1.75e6f * 0.0005f * side * side;
    const float r = side / (2 * 100 * 0.0005f * side), rz = 0.0005f / (100 * side * side);
    const float step = 0.001f / (3e6f / (0.5f * 0.0005f * 1.75e6f)) / capacity, by_r = 1 / r, by_rz = 1 / rz;
    double sum = 0;
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (int k = 0; k < n * n; k++) {
            first[k] = 323 + 20 * fraction(1, (uint32_t)k);
            power[k] = 0.0001f * fraction(2, (uint32_t)k);
        }
        for (int t = 0; t < HEATINGS; t++) {
            const float *restrict from = t % 2 == 0 ? first : second;
            float *restrict to = t % 2 == 0 ? second : first;
#pragma omp for schedule(static)
            for (int i = 0; i < n; i++) {
                const float *row = from + i * n, *above = i > 0 ? row - n : row, *below = i < n - 1 ? row + n : row;
                const float *watts = power + i * n;
                float *out = to + i * n;
#define NEXT(J, LEFT, RIGHT) \
    out[J] = row[J] + step * (watts[J] + (above[J] + below[J] - 2 * row[J]) * by_r + (row[LEFT] + row[RIGHT] - 2 * row[J]) * by_r + \
                              (80 - row[J]) * by_rz)
                NEXT(0, 0, 1);
                for (int j = 1; j < n - 1; j++) {
                    NEXT(j, j - 1, j + 1);
                }
                NEXT(n - 1, n - 2, n - 1);
#undef NEXT
            }
        }
        const float *last = HEATINGS % 2 == 0 ? first : second;
#pragma omp for schedule(static) reduction(+ : sum)
        for (int k = 0; k < n * n; k++) {
            sum += last[k];
        }
    }
    return sum / (n * n);
}

enum { PLACES = 855280, NEAREST = 100 };

// For each round the least distance, in vectors, then where it is first.
static void nn(float *restrict distances, double results[2]) {
#pragma omp parallel for schedule(static)
    for (int k = 0; k < PLACES; k++) {
        const float y = 7 + 56 * fraction(1, (uint32_t)k) - 30, x = 358 * fraction(2, (uint32_t)k) - 90;
        distances[k] = sqrtf(y * y + x * x);
    }
    int64_t found = 0;
    float far = 0;
    for (int round = 0; round < NEAREST; round++) {
        float least = 3e38f;
#pragma omp parallel for simd schedule(static) reduction(min : least)
        for (int k = 0; k < PLACES; k++) {
            least = distances[k] < least ? distances[k] : least;
        }
        int at = 0;
        while (distances[at] != least) {
            at++;
        }
        distances[at] = 3e38f;
        found += at;
        far += least;
    }
    results[0] = (double)found;
    results[1] = far;
}

int main(int count, char **words) {
    const char *name = count >= 2 ? words[1] : "";
    const int once = count == 3 && strcmp(words[2], "result") == 0;
    char *line = NULL;
    size_t room = 0;
    double results[2] = {0, 0};
    int how_many = 1;
// One run that prints its result, or one for each line.
#define RUNS(...) \
    if (once) { \
        __VA_ARGS__; \
    } else { \
        TIMES(__VA_ARGS__) \
    }
    if (strcmp(name, "nw") == 0) {
        int32_t *similar = block(sizeof *similar * ALIGN * ALIGN), *scores = block(sizeof *scores * WIDTH * WIDTH);
        how_many = 2;
        RUNS(nw(similar, scores, results))
    } else if (strcmp(name, "lud") == 0) {
        float *a = block(sizeof *a * MATRIX * MATRIX);
        RUNS(results[0] = lud(a))
    } else if (strcmp(name, "hotspot") == 0) {
        float *first = block(sizeof *first * CHIP * CHIP), *second = block(sizeof *second * CHIP * CHIP);
        float *power = block(sizeof *power * CHIP * CHIP);
        RUNS(results[0] = hotspot(first, second, power))
    } else if (strcmp(name, "nn") == 0) {
        float *distances = block(sizeof *distances * PLACES);
        how_many = 2;
        RUNS(nn(distances, results))
    } else if (strcmp(name, "lbm") == 0) {
        lbm_start();
        RUNS(results[0] = lbm())
    } else if (strcmp(name, "option_pricing") == 0) {
        RUNS(results[0] = option_pricing())
    } else if (strcmp(name, "locvolcalib") == 0) {
        RUNS(results[0] = locvolcalib())
    } else {
        fprintf(stderr, "usage: reference nw|lud|hotspot|nn|lbm|option_pricing|locvolcalib [result]\n");
        return 2;
    }
    for (int k = 0; once && k < how_many; k++) {
        printf("%.17g\n", results[k]);
    }
    free(line);
    return 0;
}
