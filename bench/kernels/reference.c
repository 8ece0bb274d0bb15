// The ten kernels as one would write them in C to be fast: OpenMP, vectors where the compiler finds them, tiles where the work is
// bound by arithmetic. Speaks the protocol of `fun bench --vs`: for each line on standard input one run, and its microseconds.
// With the file of what must come out (`truth.c` writes it) it ends where its own result is another.
//   cc -O3 -march=native -ffast-math -fopenmp -o reference bench/kernels/reference.c -lm && ./reference dot [dot.out]
#include "../reference.h"
#include "sizes.h"
#include <math.h>
#include <omp.h>

// What floats may differ by from what they are in f64. Sums of ten million numbers in f32 lose that much in an order that vectors take: each of 16
// or 32 partial sums adds hundreds of thousands. Cells have at most some thousand roundings in them.
static const float SUMS = 1e-3f, CELLS = 1e-4f;

static float dot(const float *restrict a, const float *restrict b) {
    float sum = 0;
#pragma omp parallel for simd reduction(+ : sum) schedule(static)
    for (int k = 0; k < VECTOR; k++) {
        sum += a[k] * b[k];
    }
    return sum;
}

static float exp_sum(const float *restrict a) {
    float sum = 0;
#pragma omp parallel for simd reduction(+ : sum) schedule(static)
    for (int k = 0; k < VECTOR; k++) {
        sum += 2.0f * expf(a[k]) + 1.0f;
    }
    return sum;
}

// A panel of the right matrix is packed into strips as wide as a tile of registers; tiles of ROWS x 2 vectors stay in registers
// over a stretch of the inner dimension that leaves a strip in the first cache. Machines without AVX-512 have half as many registers.
#ifdef __AVX512F__
enum { ROWS = 8, LANES = 16 };
#else
enum { ROWS = 6, LANES = 8 };
#endif
enum { STRIP = 2 * LANES, DEPTH = 8192 / STRIP, BAND = 8 * ROWS };
typedef float vector __attribute__((vector_size(4 * LANES), aligned(4)));

// What DEPTH columns of the left matrix and rows of a strip add to the first `rows` rows of a tile, or what the tile is at first.
static inline __attribute__((always_inline)) void tile(int rows, int first, const float *restrict a, const float *restrict right, float *restrict c) {
    vector sum[ROWS][2] = {0};
    for (int k = 0; k < DEPTH; k++) {
        const vector low = *(const vector *)(right + k * STRIP);
        const vector high = *(const vector *)(right + k * STRIP + LANES);
#pragma GCC unroll 8
        for (int row = 0; row < rows; row++) {
            const float left = a[row * PRODUCT + k];
            sum[row][0] += left * low;
            sum[row][1] += left * high;
        }
    }
#pragma GCC unroll 8
    for (int row = 0; row < rows; row++) {
        vector *out = (vector *)(c + row * PRODUCT);
        out[0] = first ? sum[row][0] : out[0] + sum[row][0];
        out[1] = first ? sum[row][1] : out[1] + sum[row][1];
    }
}

static void matmul(const float *restrict a, const float *restrict b, float *restrict c, float *restrict packed) {
    const int n = PRODUCT;
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (int strip = 0; strip < n / STRIP; strip++) {
            for (int k = 0; k < n; k++) {
                memcpy(packed + (strip * n + k) * STRIP, b + k * n + strip * STRIP, sizeof(float) * STRIP);
            }
        }
        for (int from = 0; from < n; from += DEPTH) {
#pragma omp for schedule(static)
            for (int band = 0; band < n; band += BAND) {
                const int end = band + BAND < n ? band + BAND : n;
                for (int strip = 0; strip < n / STRIP; strip++) {
                    const float *right = packed + (strip * n + from) * STRIP;
                    int i = band;
                    for (; i + ROWS <= end; i += ROWS) {
                        tile(ROWS, from == 0, a + i * n + from, right, c + i * n + strip * STRIP);
                    }
                    if (i < end) {
                        tile(PRODUCT % ROWS, from == 0, a + i * n + from, right, c + i * n + strip * STRIP);
                    }
                }
            }
        }
    }
}

static void jacobi(float *first, float *second) {
    const int n = PLATE;
#pragma omp parallel
    for (int step = 0; step < STEPS; step++) {
        const float *restrict old = step % 2 == 0 ? first : second;
        float *restrict new = step % 2 == 0 ? second : first;
#pragma omp for schedule(static)
        for (int i = 1; i < n - 1; i++) {
            const float *restrict up = old + (i - 1) * n, *restrict row = old + i * n, *restrict down = old + (i + 1) * n;
            for (int j = 1; j < n - 1; j++) {
                new[i * n + j] = 0.2f * (row[j] + up[j] + down[j] + row[j - 1] + row[j + 1]);
            }
        }
    }
}

static void scan(const int32_t *restrict a, int32_t *restrict sums) {
    uint32_t before[257] = {0};
#pragma omp parallel
    {
        const int threads = omp_get_num_threads(), me = omp_get_thread_num();
        const int from = (int)((long)VECTOR * me / threads), to = (int)((long)VECTOR * (me + 1) / threads);
        uint32_t sum = 0;
        if (me + 1 < threads) {
            for (int k = from; k < to; k++) {
                sum += (uint32_t)a[k];
            }
            before[me + 1] = sum;
        }
#pragma omp barrier
        sum = 0;
        for (int other = 1; other <= me; other++) {
            sum += before[other];
        }
        for (int k = from; k < to; k++) {
            sum += (uint32_t)a[k];
            sums[k] = (int32_t)sum;
        }
    }
}

static void blur(const float *restrict image, float *restrict out) {
    const int w = IMAGE + 2;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < IMAGE; i++) {
        const float *restrict up = image + i * w, *restrict row = up + w, *restrict down = row + w;
        for (int j = 0; j < IMAGE; j++) {
            const float sum = up[j] + up[j + 1] + up[j + 2] + row[j] + row[j + 1] + row[j + 2] + down[j] + down[j + 1] + down[j + 2];
            out[i * IMAGE + j] = sum * (1.0f / 9.0f);
        }
    }
}

static inline int32_t larger(int32_t a, int32_t b) { return a > b ? a : b; }

static void nw_block(const int32_t *restrict similar, int32_t *restrict scores, int top, int left, int height, int width) {
    const int w = ALIGN + 1;
    for (int i = top; i < top + height; i++) {
        for (int j = left; j < left + width; j++) {
            const int32_t gap = larger(scores[i * w + j + 1], scores[(i + 1) * w + j]) - 10;
            scores[(i + 1) * w + j + 1] = larger(scores[i * w + j] + similar[i * ALIGN + j], gap);
        }
    }
}

// On one thread row by row; on more, blocks of an anti-diagonal at once.
static void nw(const int32_t *restrict similar, int32_t *restrict scores) {
    for (int k = 0; k <= ALIGN; k++) {
        scores[k] = scores[k * (ALIGN + 1)] = -10 * k;
    }
    if (omp_get_max_threads() == 1) {
        nw_block(similar, scores, 0, 0, ALIGN, ALIGN);
        return;
    }
    enum { SIDE = 128, BLOCKS = ALIGN / SIDE };
#pragma omp parallel
    for (int diagonal = 0; diagonal < 2 * BLOCKS - 1; diagonal++) {
        const int first = diagonal < BLOCKS ? 0 : diagonal - BLOCKS + 1, last = diagonal < BLOCKS ? diagonal : BLOCKS - 1;
#pragma omp for schedule(static)
        for (int i = first; i <= last; i++) {
            nw_block(similar, scores, i * SIDE, (diagonal - i) * SIDE, SIDE, SIDE);
        }
    }
}

// Panels of PANEL columns; what is right of and below a panel takes one update for all of its columns, in tiles of 4 x 64.
static void lu(float *restrict a) {
    enum { PANEL = 32, TALL = 4, WIDE = 64 };
    const int n = PRODUCT;
    for (int from = 0; from < n; from += PANEL) {
        const int to = from + PANEL;
        for (int k = from; k < to; k++) {
            const float inverse = 1.0f / a[k * n + k];
            for (int i = k + 1; i < to; i++) {
                const float factor = a[i * n + k] *= inverse;
                for (int j = k + 1; j < to; j++) {
                    a[i * n + j] -= factor * a[k * n + j];
                }
            }
        }
#pragma omp parallel
        {
#pragma omp for schedule(static) nowait
            for (int right = to; right < n; right += PANEL) {
                for (int k = from; k < to; k++) {
                    for (int i = k + 1; i < to; i++) {
                        const float factor = a[i * n + k];
                        for (int j = right; j < right + PANEL; j++) {
                            a[i * n + j] -= factor * a[k * n + j];
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
#ifdef __AVX512F__
#pragma omp for schedule(static)
            for (int i = to; i < n; i += TALL) {
                for (int j = to; j < n; j += WIDE) {
                    const int width = n - j < WIDE ? n - j : WIDE;
                    float tile[TALL][WIDE] = {{0}};
                    for (int k = from; k < to; k++) {
                        for (int row = 0; row < TALL; row++) {
                            const float factor = a[(i + row) * n + k];
                            if (width == WIDE) {
                                for (int c = 0; c < WIDE; c++) {
                                    tile[row][c] += factor * a[k * n + j + c];
                                }
                            } else {
                                for (int c = 0; c < width; c++) {
                                    tile[row][c] += factor * a[k * n + j + c];
                                }
                            }
                        }
                    }
                    for (int row = 0; row < TALL; row++) {
                        for (int c = 0; c < width; c++) {
                            a[(i + row) * n + j + c] -= tile[row][c];
                        }
                    }
                }
            }
#else
            // tiles of 4 x 2 vectors, from rows that are copied together: where they are, all begin in the same set of the cache
            float packed[PANEL][STRIP];
#pragma omp for schedule(static)
            for (int j = to; j < n; j += STRIP) {
                for (int k = 0; k < PANEL; k++) {
                    memcpy(packed[k], a + (from + k) * n + j, sizeof packed[k]);
                }
                for (int i = to; i < n; i += TALL) {
                    vector sum[TALL][2] = {0};
                    for (int k = 0; k < PANEL; k++) {
                        const vector low = *(const vector *)packed[k], high = *(const vector *)(packed[k] + LANES);
#pragma GCC unroll 4
                        for (int row = 0; row < TALL; row++) {
                            const float factor = a[(i + row) * n + from + k];
                            sum[row][0] += factor * low;
                            sum[row][1] += factor * high;
                        }
                    }
#pragma GCC unroll 4
                    for (int row = 0; row < TALL; row++) {
                        vector *out = (vector *)(a + (i + row) * n + j);
                        out[0] -= sum[row][0];
                        out[1] -= sum[row][1];
                    }
                }
            }
#endif
        }
    }
}

static void histogram(const int32_t *restrict values, int32_t *restrict counts) {
    memset(counts, 0, BINS * sizeof *counts);
#pragma omp parallel
    {
        // two copies, so that equal neighbours do not wait for each other
        int32_t even[BINS] = {0}, odd[BINS] = {0};
#pragma omp for schedule(static) nowait
        for (int k = 0; k < VECTOR / 2; k++) {
            even[values[2 * k]]++;
            odd[values[2 * k + 1]]++;
        }
#pragma omp critical
        for (int bin = 0; bin < BINS; bin++) {
            counts[bin] += even[bin] + odd[bin];
        }
    }
}

static void triad(const float *restrict a, const float *restrict b, float *restrict c) {
#pragma omp parallel for simd schedule(static)
    for (int k = 0; k < LONG; k++) {
        c[k] = a[k] + 3.0f * b[k];
    }
}

int main(int count, char **words) {
    const char *kernel = count >= 2 ? words[1] : "";
    open_files(count, words);
    float sum;
    char *line = NULL;
    size_t room = 0;
    if (strcmp(kernel, "dot") == 0) {
        const float *a = floats(VECTOR), *b = floats(VECTOR);
        CHECKED_RUNS(&sum, 1, SUMS, sum = dot(a, b))
    } else if (strcmp(kernel, "exp_sum") == 0) {
        const float *a = floats(VECTOR);
        CHECKED_RUNS(&sum, 1, SUMS, sum = exp_sum(a))
    } else if (strcmp(kernel, "matmul") == 0) {
        const float *a = floats(PRODUCT * PRODUCT), *b = floats(PRODUCT * PRODUCT);
        float *c = block(sizeof(float) * PRODUCT * PRODUCT), *packed = block(sizeof(float) * PRODUCT * PRODUCT);
        CHECKED_RUNS(c, PRODUCT * PRODUCT, CELLS, matmul(a, b, c, packed))
    } else if (strcmp(kernel, "jacobi") == 0) {
        const float *plate = floats(PLATE * PLATE);
        float *first = block(sizeof(float) * PLATE * PLATE), *second = block(sizeof(float) * PLATE * PLATE);
        CHECKED_RUNS(first, PLATE * PLATE, CELLS, memcpy(first, plate, sizeof(float) * PLATE * PLATE);
            memcpy(second, plate, sizeof(float) * PLATE * PLATE); jacobi(first, second))
    } else if (strcmp(kernel, "scan") == 0) {
        const int32_t *a = integers(VECTOR, 8);
        int32_t *sums = block(sizeof(int32_t) * VECTOR);
        CHECKED_RUNS(sums, VECTOR, 0, scan(a, sums))
    } else if (strcmp(kernel, "blur") == 0) {
        const float *image = floats((size_t)(IMAGE + 2) * (IMAGE + 2));
        float *out = block(sizeof(float) * IMAGE * IMAGE);
        CHECKED_RUNS(out, IMAGE * IMAGE, CELLS, blur(image, out))
    } else if (strcmp(kernel, "nw") == 0) {
        int32_t *similar = integers((size_t)ALIGN * ALIGN, 4);
        for (int k = 0; k < ALIGN * ALIGN; k++) {
            similar[k] -= 8;
        }
        int32_t *scores = block(sizeof(int32_t) * (ALIGN + 1) * (ALIGN + 1));
        CHECKED_RUNS(scores, (ALIGN + 1) * (ALIGN + 1), 0, nw(similar, scores))
    } else if (strcmp(kernel, "lu") == 0) {
        float *a = floats(PRODUCT * PRODUCT), *work = block(sizeof(float) * PRODUCT * PRODUCT);
        for (int k = 0; k < PRODUCT; k++) {
            a[k * PRODUCT + k] += PRODUCT;
        }
        CHECKED_RUNS(work, PRODUCT * PRODUCT, CELLS, memcpy(work, a, sizeof(float) * PRODUCT * PRODUCT); lu(work))
    } else if (strcmp(kernel, "histogram") == 0) {
        const int32_t *values = integers(VECTOR, 10);
        int32_t counts[BINS];
        CHECKED_RUNS(counts, BINS, 0, histogram(values, counts))
    } else if (strcmp(kernel, "triad") == 0) {
        const float *a = floats(LONG), *b = floats(LONG);
        float *c = block(sizeof(float) * LONG);
        CHECKED_RUNS(c, LONG, CELLS, triad(a, b, c))
    } else {
        fprintf(stderr, "usage: reference dot|exp_sum|matmul|jacobi|scan|blur|nw|lu|histogram|triad [FILE]\n");
        return 2;
    }
    free(line);
    return 0;
}
