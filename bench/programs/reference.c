// The programs of this folder as one would write them in C to be fast: OpenMP, vectors where the compiler finds them. Speaks the protocol
// of `fun bench --vs`: for each line on standard input one run, and its microseconds. With files of what must come out and of the data it ends
// where its own results are others; within what, and why, is in bench/peers/common.py.
//   cc -O3 -march=native -ffast-math -fopenmp -o reference bench/programs/reference.c bench/programs/more.c -lm && ./reference nbody [nbody.out nbody.in]
#include "../reference.h"
#include <math.h>
#include <stdbool.h>

// What scalar results go to, so that no run can be left out.
static volatile double sink;

// The programs of the other file.
int more(int count, char **words);

enum { WIDE = 800, HIGH = 600 };

static void mandelbrot(const float *restrict columns, const float *restrict rows, int32_t *restrict out) {
#pragma omp parallel for schedule(dynamic, 4)
    for (int i = 0; i < HIGH; i++) {
        for (int j = 0; j < WIDE; j++) {
            const float re = columns[j] * 3 - 2, im = rows[i] * 2 - 1;
            float x = 0, y = 0;
            int32_t k = 0;
            while (x * x + y * y < 4 && k < 200) {
                const float next = x * x - y * y + re;
                y = 2 * x * y + im;
                x = next;
                k++;
            }
            out[i * WIDE + j] = k;
        }
    }
}

enum { BODIES = 4096 };

static void nbody(const float *restrict x, const float *restrict y, const float *restrict z, const float *restrict mass,
                  float *restrict out) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < BODIES; i++) {
        float a = 0, b = 0, c = 0;
#pragma omp simd reduction(+ : a, b, c)
        for (int j = 0; j < BODIES; j++) {
            const float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            const float r = dx * dx + dy * dy + dz * dz + 0.5f;
            const float s = mass[j] / sqrtf(r * r * r);
            a += dx * s;
            b += dy * s;
            c += dz * s;
        }
        out[i] = a;
        out[BODIES + i] = b;
        out[2 * BODIES + i] = c;
    }
}

enum { OPTIONS = 1000000 };

static inline float distribution(float d) {
    const float k = 1 / (1 + 0.2316419f * fabsf(d));
    const float tail = k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    const float w = 1 - 0.39894228f * expf(-0.5f * d * d) * tail;
    return d < 0 ? 1 - w : w;
}

static void black_scholes(const float *restrict p, const float *restrict s, const float *restrict y, float *restrict out) {
#pragma omp parallel for simd schedule(static)
    for (int k = 0; k < OPTIONS; k++) {
        const float price = p[k] * 100 + 1, strike = s[k] * 100 + 1, time = y[k] + 0.1f, spread = 0.3f * sqrtf(time);
        const float d = (logf(price / strike) + 0.065f * time) / spread;
        out[k] = price * distribution(d) - strike * expf(-0.02f * time) * distribution(d - spread);
    }
}

enum { ROWS = 131072, ENTRIES = 16 };

static void sparse(const float *restrict values, const int32_t *restrict columns, const float *restrict x, float *restrict out) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < ROWS; i++) {
        float sum = 0;
        for (int k = 0; k < ENTRIES; k++) {
            sum += values[i * ENTRIES + k] * x[columns[i * ENTRIES + k] & 131071];
        }
        out[i] = sum;
    }
}

enum { CENTRES = 20, POINTS = 20000, NUMBERS = 34 };

static void kmeans(const float *restrict first, const float *restrict points, float *restrict centres) {
    memcpy(centres, first, sizeof(float) * CENTRES * NUMBERS);
    for (int round = 0; round < 5; round++) {
        float sums[CENTRES][NUMBERS] = {{0}};
        int32_t counts[CENTRES] = {0};
#pragma omp parallel for schedule(static) reduction(+ : sums, counts)
        for (int p = 0; p < POINTS; p++) {
            int nearest = 0;
            float least = INFINITY;
            for (int c = 0; c < CENTRES; c++) {
                float distance = 0;
                for (int k = 0; k < NUMBERS; k++) {
                    const float d = points[p * NUMBERS + k] - centres[c * NUMBERS + k];
                    distance += d * d;
                }
                if (distance < least) {
                    least = distance;
                    nearest = c;
                }
            }
            counts[nearest]++;
            for (int k = 0; k < NUMBERS; k++) {
                sums[nearest][k] += points[p * NUMBERS + k];
            }
        }
        for (int c = 0; c < CENTRES; c++) {
            for (int k = 0; k < NUMBERS; k++) {
                centres[c * NUMBERS + k] = sums[c][k] / (float)(counts[c] > 1 ? counts[c] : 1);
            }
        }
    }
}

enum { SIDE = 1024 };

static void convolution(const float *restrict image, const float *restrict filter, float *restrict out) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE; j++) {
            float sum = 0;
            if (i >= 2 && i < SIDE - 2 && j >= 2 && j < SIDE - 2) {
                continue;
            }
            for (int a = 0; a < 5; a++) {
                for (int b = 0; b < 5; b++) {
                    const int y = i + a - 2, x = j + b - 2;
                    if (y >= 0 && y < SIDE && x >= 0 && x < SIDE) {
                        sum += image[y * SIDE + x] * filter[a * 5 + b];
                    }
                }
            }
            out[i * SIDE + j] = sum;
        }
        if (i >= 2 && i < SIDE - 2) {
            for (int j = 2; j < SIDE - 2; j++) {
                float sum = 0;
#pragma GCC unroll 5
                for (int a = 0; a < 5; a++) {
#pragma GCC unroll 5
                    for (int b = 0; b < 5; b++) {
                        sum += image[(i + a - 2) * SIDE + j + b - 2] * filter[a * 5 + b];
                    }
                }
                out[i * SIDE + j] = sum;
            }
        }
    }
}

enum { LONG = 10000000 };

static void segments(const int32_t *restrict xs, int32_t *restrict sums) {
    uint32_t sum = 0;
    for (int k = 0; k < LONG; k++) {
        const uint32_t x = (uint32_t)xs[k];
        sum = (x & 63) == 0 ? x : sum + x;
        sums[k] = (int32_t)sum;
    }
}

enum { KEYS = 1000000 };

// Eight bits at a time, with the counts of all four rounds from one pass.
static void radix_sort(const uint32_t *restrict xs, uint32_t *restrict out, uint32_t *restrict spare) {
    static uint32_t counts[4][256];
    memset(counts, 0, sizeof counts);
    for (int k = 0; k < KEYS; k++) {
        for (int round = 0; round < 4; round++) {
            counts[round][xs[k] >> 8 * round & 255]++;
        }
    }
    const uint32_t *from = xs;
    for (int round = 0; round < 4; round++) {
        uint32_t *to = round % 2 == 0 ? spare : out, before = 0;
        for (int digit = 0; digit < 256; digit++) {
            const uint32_t count = counts[round][digit];
            counts[round][digit] = before;
            before += count;
        }
        for (int k = 0; k < KEYS; k++) {
            to[counts[round][from[k] >> 8 * round & 255]++] = from[k];
        }
        from = to;
    }
}

enum { EDGE = 128, CELLS = EDGE * EDGE * EDGE };

static void heat(const float *block, float *first, float *second) {
    memcpy(first, block, sizeof(float) * CELLS);
    memcpy(second, block, sizeof(float) * CELLS);
#pragma omp parallel
    for (int step = 0; step < 10; step++) {
        const float *restrict x = step % 2 == 0 ? first : second;
        float *restrict out = step % 2 == 0 ? second : first;
#pragma omp for schedule(static)
        for (int i = 1; i < EDGE - 1; i++) {
            for (int j = 1; j < EDGE - 1; j++) {
                const float *restrict at = x + (i * EDGE + j) * EDGE;
                for (int k = 1; k < EDGE - 1; k++) {
                    const float sum = at[k - EDGE * EDGE] + at[k + EDGE * EDGE] + at[k - EDGE] + at[k + EDGE] + at[k - 1] + at[k + 1];
                    out[(i * EDGE + j) * EDGE + k] = 0.15f * sum + 0.1f * at[k];
                }
            }
        }
    }
}

enum { PLACES = 512 };

static void paths(const int32_t *restrict distances, int32_t *restrict d) {
    memcpy(d, distances, sizeof(int32_t) * PLACES * PLACES);
#pragma omp parallel
    for (int k = 0; k < PLACES; k++) {
#pragma omp for schedule(static)
        for (int i = 0; i < PLACES; i++) {
            const int32_t way = d[i * PLACES + k];
            if (i != k) {
                const int32_t *restrict through = d + k * PLACES;
                int32_t *restrict row = d + i * PLACES;
                for (int j = 0; j < PLACES; j++) {
                    const int32_t other = way + through[j];
                    row[j] = row[j] < other ? row[j] : other;
                }
            }
        }
    }
}

enum { WAVES = 262144 };

// The same steps as in FUN's program (Stockham), with the factors in a table.
static void fourier(const float *re, const float *im, float *room) {
    enum { HALF = WAVES / 2 };
    float *cosines = room, *sines = room + HALF, *buffers[4];
    for (int k = 0; k < 4; k++) {
        buffers[k] = room + WAVES * (k + 1);
    }
#pragma omp parallel
    {
#pragma omp for simd schedule(static)
        for (int k = 0; k < HALF; k++) {
            const float angle = -3.14159265f * (float)k / HALF;
            cosines[k] = cosf(angle);
            sines[k] = sinf(angle);
        }
        const float *x = re, *y = im;
        int next = 0;
        for (int s = 1; s < WAVES; s *= 2) {
            const int groups = HALF / s;
            float *u = buffers[next], *v = buffers[next + 1];
#pragma omp for schedule(static)
            for (int k = 0; k < HALF; k++) {
                const int r = k & (s - 1), to = 2 * (k - r) + r;
                const float c = cosines[r * groups], d = sines[r * groups];
                const float a = x[k + HALF] * c - y[k + HALF] * d, b = x[k + HALF] * d + y[k + HALF] * c;
                u[to] = x[k] + a;
                v[to] = y[k] + b;
                u[to + s] = x[k] - a;
                v[to + s] = y[k] - b;
            }
            x = u;
            y = v;
            next = 2 - next;
        }
    }
}

enum { LIFE = 512 };

// One round: a row with its ends repeated beside it, so that no cell is at the rim.
static void life(const uint8_t *cells, uint8_t *first, uint8_t *second) {
    memcpy(first, cells, LIFE * LIFE);
#pragma omp parallel
    for (int round = 0; round < 50; round++) {
        const uint8_t *restrict x = round % 2 == 0 ? first : second;
        uint8_t *restrict out = round % 2 == 0 ? second : first;
#pragma omp for schedule(static)
        for (int i = 0; i < LIFE; i++) {
            const uint8_t *rows[3] = {x + (i + LIFE - 1) % LIFE * LIFE, x + i * LIFE, x + (i + 1) % LIFE * LIFE};
            uint8_t sums[LIFE + 2];
            for (int j = 0; j < LIFE; j++) {
                sums[j + 1] = (uint8_t)(rows[0][j] + rows[1][j] + rows[2][j]);
            }
            sums[0] = sums[LIFE];
            sums[LIFE + 1] = sums[1];
            for (int j = 0; j < LIFE; j++) {
                const uint8_t own = rows[1][j], around = (uint8_t)(sums[j] + sums[j + 1] + sums[j + 2] - own);
                out[i * LIFE + j] = (around == 3) | ((around == 2) & own);
            }
        }
    }
}

enum { WORD = 4096 };

// Anti-diagonals of the table, of which the last two are kept.
static int32_t subsequence(const uint8_t *restrict a, const uint8_t *restrict b) {
    static int32_t rows[3][WORD + 1];
    static uint8_t backwards[WORD];
    memset(rows, 0, sizeof rows);
    for (int j = 0; j < WORD; j++) {
        backwards[WORD - 1 - j] = b[j] & 3;
    }
    for (int d = 0; d < 2 * WORD; d++) {
        int32_t *restrict next = rows[d % 3];
        const int32_t *restrict one = rows[(d + 2) % 3], *restrict two = rows[(d + 1) % 3];
        const int from = d + 1 > WORD ? d + 1 - WORD : 1, to = d < WORD ? d : WORD;
        if (d < WORD) {
            next[0] = next[d + 1] = 0;
        }
        for (int i = from; i <= to; i++) {
            const int32_t more = two[i - 1] + 1, most = one[i - 1] > one[i] ? one[i - 1] : one[i];
            next[i] = (a[i - 1] & 3) == backwards[WORD - 1 - (d - i)] ? more : most;
        }
    }
    return rows[(2 * WORD - 1) % 3][WORD];
}

enum { BELOW = 2000000 };

static int64_t sieve(uint8_t *restrict prime) {
    memset(prime, 1, BELOW);
    for (int k = 2; k * k < BELOW; k++) {
        if (prime[k]) {
            for (int m = k * k; m < BELOW; m += k) {
                prime[m] = 0;
            }
        }
    }
    int64_t count = 0;
    for (int k = 2; k < BELOW; k++) {
        count += prime[k];
    }
    return count;
}

enum { TREES = 1024, STEPS = 256 };

static void binomial(const float *restrict prices, const float *restrict strikes, float *restrict out) {
    const float time = 1.0f / STEPS, up = expf(0.3f * sqrtf(time)), less = expf(-0.02f * time);
    const float p = (expf(0.02f * time) - 1 / up) / (up - 1 / up);
    float powers[2 * STEPS + 1];
    for (int k = 0; k <= 2 * STEPS; k++) {
        powers[k] = powf(up, (float)(k - STEPS));
    }
#pragma omp parallel for schedule(static)
    for (int t = 0; t < TREES; t++) {
        const float price = prices[t] * 20 + 40, strike = strikes[t] * 20 + 40;
        float values[STEPS + 1];
        for (int j = 0; j <= STEPS; j++) {
            values[j] = fmaxf(0, strike - price * powers[2 * j]);
        }
        for (int step = STEPS - 1; step >= 0; step--) {
            for (int j = 0; j <= step; j++) {
                const float worth = fmaxf(0, strike - price * powers[2 * j - step + STEPS]);
                values[j] = fmaxf(worth, less * (p * values[j + 1] + (1 - p) * values[j]));
            }
        }
        out[t] = values[0];
    }
}

enum { SORTED = 1000000 };

static void search(const uint32_t *restrict sorted, const uint32_t *restrict keys, int64_t *restrict out) {
#pragma omp parallel for schedule(static)
    for (int k = 0; k < SORTED; k++) {
        int64_t low = 0, high = SORTED;
        while (low < high) {
            const int64_t middle = (low + high) / 2;
            if (sorted[middle] < keys[k]) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        out[k] = low;
    }
}

enum { PAIRS = 100000 };

static void batch(const float *restrict a, const float *restrict b, float *restrict out) {
#pragma omp parallel for schedule(static)
    for (int n = 0; n < PAIRS; n++) {
        for (int i = 0; i < 4; i++) {
            float row[4] = {0};
            for (int k = 0; k < 4; k++) {
                for (int j = 0; j < 4; j++) {
                    row[j] += a[n * 16 + i * 4 + k] * b[n * 16 + k * 4 + j];
                }
            }
            memcpy(out + n * 16 + i * 4, row, sizeof row);
        }
    }
}

int main(int count, char **words) {
    const char *name = count >= 2 ? words[1] : "";
    open_files(count, words);
    char *line = NULL;
    size_t room = 0;
    if (strcmp(name, "mandelbrot") == 0) {
        const float *columns = floats(WIDE), *rows = floats(HIGH);
        int32_t *out = block(sizeof *out * WIDE * HIGH);
        CHECKED_RUNS(out, WIDE * HIGH, 0.005f, mandelbrot(columns, rows, out))
    } else if (strcmp(name, "nbody") == 0) {
        const float *x = floats(BODIES), *y = floats(BODIES), *z = floats(BODIES), *mass = floats(BODIES);
        float *out = block(sizeof *out * 3 * BODIES);
        CHECKED_RUNS(out, 3 * BODIES, 1e-4f, nbody(x, y, z, mass, out))
    } else if (strcmp(name, "black_scholes") == 0) {
        const float *p = floats(OPTIONS), *s = floats(OPTIONS), *y = floats(OPTIONS);
        float *out = block(sizeof *out * OPTIONS);
        CHECKED_RUNS(out, OPTIONS, 1e-4f, black_scholes(p, s, y, out))
    } else if (strcmp(name, "sparse") == 0) {
        const float *values = floats(ROWS * ENTRIES);
        const int32_t *columns = integers(ROWS * ENTRIES, 32);
        const float *x = floats(ROWS);
        float *out = block(sizeof *out * ROWS);
        CHECKED_RUNS(out, ROWS, 1e-4f, sparse(values, columns, x, out))
    } else if (strcmp(name, "kmeans") == 0) {
        const float *first = floats(CENTRES * NUMBERS), *points = floats(POINTS * NUMBERS);
        float *centres = block(sizeof *centres * CENTRES * NUMBERS);
        CHECKED_RUNS(centres, CENTRES * NUMBERS, 5e-3f, kmeans(first, points, centres))
    } else if (strcmp(name, "convolution") == 0) {
        const float *image = floats(SIDE * SIDE), *filter = floats(25);
        float *out = block(sizeof *out * SIDE * SIDE);
        CHECKED_RUNS(out, SIDE * SIDE, 1e-4f, convolution(image, filter, out))
    } else if (strcmp(name, "segments") == 0) {
        const int32_t *xs = integers(LONG, 32);
        int32_t *sums = block(sizeof *sums * LONG);
        CHECKED_RUNS(sums, LONG, 0, segments(xs, sums))
    } else if (strcmp(name, "radix_sort") == 0) {
        const uint32_t *xs = (const uint32_t *)integers(KEYS, 32);
        uint32_t *out = block(sizeof *out * KEYS), *spare = block(sizeof *spare * KEYS);
        CHECKED_RUNS(out, KEYS, 0, radix_sort(xs, out, spare))
    } else if (strcmp(name, "heat") == 0) {
        const float *warm = floats(CELLS);
        float *first = block(sizeof *first * CELLS), *second = block(sizeof *second * CELLS);
        CHECKED_RUNS(first, CELLS, 1e-4f, heat(warm, first, second))
    } else if (strcmp(name, "paths") == 0) {
        const int32_t *distances = integers(PLACES * PLACES, 10);
        int32_t *d = block(sizeof *d * PLACES * PLACES);
        CHECKED_RUNS(d, PLACES * PLACES, 0, paths(distances, d))
    } else if (strcmp(name, "fourier") == 0) {
        const float *re = floats(WAVES), *im = floats(WAVES);
        float *work = block(sizeof *work * WAVES * 5);
        // after an even number of steps, the results are in the last two of its arrays
        CHECKED_RUNS(work + 3 * WAVES, 2 * WAVES, 1e-3f, fourier(re, im, work))
    } else if (strcmp(name, "life") == 0) {
        uint8_t *cells = block(LIFE * LIFE), *first = block(LIFE * LIFE), *second = block(LIFE * LIFE);
        for (uint32_t k = 0; k < LIFE * LIFE; k++) {
            cells[k] = ((k * 2654435761u + 12345) >> 16 & 3) == 0;
        }
        CHECKED_RUNS(first, LIFE * LIFE / 4, 0, life(cells, first, second))
    } else if (strcmp(name, "subsequence") == 0) {
        const uint8_t *a = (const uint8_t *)integers(WORD / 4, 32), *b = (const uint8_t *)integers(WORD / 4, 32);
        int32_t length;
        CHECKED_RUNS(&length, 1, 0, length = subsequence(a, b); sink = length)
    } else if (strcmp(name, "sieve") == 0) {
        uint8_t *prime = block(BELOW);
        int64_t primes;
        CHECKED_RUNS(&primes, 2, 0, primes = sieve(prime); sink = (double)primes)
    } else if (strcmp(name, "binomial") == 0) {
        const float *prices = floats(TREES), *strikes = floats(TREES);
        float *out = block(sizeof *out * TREES);
        CHECKED_RUNS(out, TREES, 1e-3f, binomial(prices, strikes, out))
    } else if (strcmp(name, "search") == 0) {
        uint32_t *sorted = block(sizeof *sorted * SORTED), *keys = block(sizeof *keys * SORTED);
        for (uint32_t k = 0; k < SORTED; k++) {
            sorted[k] = 4000 * k;
            keys[k] = (k * 2654435761u + 12345) ^ 0x5bd1e995;
        }
        int64_t *out = block(sizeof *out * SORTED);
        CHECKED_RUNS(out, 2 * SORTED, 0, search(sorted, keys, out))
    } else if (strcmp(name, "batch") == 0) {
        const float *a = floats(PAIRS * 16), *b = floats(PAIRS * 16);
        float *out = block(sizeof *out * PAIRS * 16);
        CHECKED_RUNS(out, PAIRS * 16, 1e-4f, batch(a, b, out))
    } else {
        return more(count, words);
    }
    free(line);
    return 0;
}
