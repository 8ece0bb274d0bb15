// Writes the data of a kernel, those that the C reference draws, and what must come out, in Futhark's binary format: KERNEL.in and KERNEL.out.
// Everything is computed in the plainest way, floats in f64 throughout, so that sums are exact but for the last rounding to f32, in whatever
// order others add.
//   cc -O3 -march=native -o truth bench/kernels/truth.c -lm && ./truth dot FOLDER
#include "../reference.h"
#include "sizes.h"
#include <math.h>

static FILE *open_file(const char *folder, const char *kernel, const char *ending) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.%s", folder, kernel, ending);
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    return file;
}

static void put(FILE *file, const char *type, int rank, const int64_t *sizes, const void *data, size_t bytes) {
    const unsigned char head[3] = {'b', 2, (unsigned char)rank};
    if (fwrite(head, 1, 3, file) != 3 || fwrite(type, 1, 4, file) != 4 || fwrite(sizes, 8, (size_t)rank, file) != (size_t)rank ||
        fwrite(data, 1, bytes, file) != bytes) {
        perror("can't write");
        exit(1);
    }
}

// One or two dimensions of four bytes; a scalar where the first is 0.
static void words(FILE *file, const char *type, int64_t height, int64_t width, const void *data) {
    const int64_t sizes[2] = {height, width};
    put(file, type, height == 0 ? 0 : width == 0 ? 1 : 2, sizes, data, 4 * (size_t)(height > 0 ? height : 1) * (size_t)(width > 0 ? width : 1));
}

// Rounds numbers to f32.
static float *rounded(const double *data, size_t count) {
    float *out = block(count * sizeof *out);
    for (size_t k = 0; k < count; k++) {
        out[k] = (float)data[k];
    }
    return out;
}

static double *wide(const float *data, size_t count) {
    double *out = block(count * sizeof *out);
    for (size_t k = 0; k < count; k++) {
        out[k] = data[k];
    }
    return out;
}

static void jacobi(FILE *in, FILE *out) {
    const int n = PLATE;
    const int64_t steps = STEPS;
    const float *plate = floats((size_t)n * n);
    put(in, " i64", 0, NULL, &steps, 8);
    words(in, " f32", n, n, plate);
    double *old = wide(plate, (size_t)n * n), *new = wide(plate, (size_t)n * n);
    for (int step = 0; step < STEPS; step++) {
        for (int i = 1; i < n - 1; i++) {
            for (int j = 1; j < n - 1; j++) {
                const double *at = old + i * n + j;
                new[i * n + j] = (at[0] + at[-n] + at[n] + at[-1] + at[1]) / 5;
            }
        }
        double *other = old;
        old = new;
        new = other;
    }
    words(out, " f32", n, n, rounded(old, (size_t)n * n));
}

static void matmul(FILE *in, FILE *out) {
    const int n = PRODUCT;
    const float *a = floats((size_t)n * n), *b = floats((size_t)n * n);
    words(in, " f32", n, n, a);
    words(in, " f32", n, n, b);
    double *c = block(sizeof *c * n * n);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            for (int j = 0; j < n; j++) {
                c[i * n + j] += (double)a[i * n + k] * b[k * n + j];
            }
        }
    }
    words(out, " f32", n, n, rounded(c, (size_t)n * n));
}

static void lu(FILE *in, FILE *out) {
    const int n = PRODUCT;
    float *data = floats((size_t)n * n);
    for (int k = 0; k < n; k++) {
        data[k * n + k] += n;
    }
    words(in, " f32", n, n, data);
    double *a = wide(data, (size_t)n * n);
    for (int k = 0; k < n; k++) {
        for (int i = k + 1; i < n; i++) {
            const double factor = a[i * n + k] /= a[k * n + k];
            for (int j = k + 1; j < n; j++) {
                a[i * n + j] -= factor * a[k * n + j];
            }
        }
    }
    words(out, " f32", n, n, rounded(a, (size_t)n * n));
}

static void nw(FILE *in, FILE *out) {
    const int n = ALIGN, w = ALIGN + 1;
    int32_t *similar = integers((size_t)n * n, 4), *scores = block(sizeof *scores * w * w);
    for (int k = 0; k < n * n; k++) {
        similar[k] -= 8;
    }
    words(in, " i32", n, n, similar);
    for (int k = 0; k <= n; k++) {
        scores[k] = scores[k * w] = -10 * k;
    }
    for (int i = 1; i <= n; i++) {
        for (int j = 1; j <= n; j++) {
            const int32_t pair = scores[(i - 1) * w + j - 1] + similar[(i - 1) * n + j - 1];
            const int32_t up = scores[(i - 1) * w + j] - 10, left = scores[i * w + j - 1] - 10;
            const int32_t gap = up > left ? up : left;
            scores[i * w + j] = pair > gap ? pair : gap;
        }
    }
    words(out, " i32", w, w, scores);
}

static void blur(FILE *in, FILE *out) {
    const int n = IMAGE, w = IMAGE + 2;
    const float *image = floats((size_t)w * w);
    words(in, " f32", w, w, image);
    float *mean = block(sizeof *mean * n * n);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < 9; k++) {
                sum += image[(i + k / 3) * w + j + k % 3];
            }
            mean[i * n + j] = (float)(sum / 9);
        }
    }
    words(out, " f32", n, n, mean);
}

static void sums(FILE *in, FILE *out, const char *kernel) {
    const int pairs = strcmp(kernel, "dot") == 0;
    const float *a = floats(VECTOR), *b = pairs ? floats(VECTOR) : a;
    words(in, " f32", VECTOR, 0, a);
    if (pairs) {
        words(in, " f32", VECTOR, 0, b);
    }
    double sum = 0;
    for (int k = 0; k < VECTOR; k++) {
        sum += pairs ? (double)a[k] * b[k] : 2 * exp(a[k]) + 1;
    }
    const float result = (float)sum;
    words(out, " f32", 0, 0, &result);
}

static void counted(FILE *in, FILE *out, const char *kernel) {
    const int scan = strcmp(kernel, "scan") == 0;
    int32_t *values = integers(VECTOR, scan ? 8 : 10), counts[BINS] = {0};
    words(in, " i32", VECTOR, 0, values);
    for (int k = 0; k < VECTOR; k++) {
        if (scan) {
            values[k] += k > 0 ? values[k - 1] : 0;
        } else {
            counts[values[k]]++;
        }
    }
    words(out, " i32", scan ? VECTOR : BINS, 0, scan ? values : counts);
}

static void triad(FILE *in, FILE *out) {
    const float *a = floats(LONG), *b = floats(LONG);
    words(in, " f32", LONG, 0, a);
    words(in, " f32", LONG, 0, b);
    float *c = block(sizeof *c * LONG);
    for (int k = 0; k < LONG; k++) {
        c[k] = (float)(a[k] + 3.0 * b[k]);
    }
    words(out, " f32", LONG, 0, c);
}

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "usage: truth KERNEL FOLDER\n");
        return 2;
    }
    const char *kernel = arguments[1], *folder = arguments[2];
    static const struct {
        const char *name;
        void (*write)(FILE *in, FILE *out);
    } own[] = {{"jacobi", jacobi}, {"matmul", matmul}, {"lu", lu}, {"nw", nw}, {"blur", blur}, {"triad", triad}};
    FILE *in = open_file(folder, kernel, "in"), *out = open_file(folder, kernel, "out");
    int known = 0;
    for (size_t k = 0; k < sizeof own / sizeof *own; k++) {
        if (strcmp(kernel, own[k].name) == 0) {
            own[k].write(in, out);
            known = 1;
        }
    }
    if (strcmp(kernel, "dot") == 0 || strcmp(kernel, "exp_sum") == 0) {
        sums(in, out, kernel);
    } else if (strcmp(kernel, "scan") == 0 || strcmp(kernel, "histogram") == 0) {
        counted(in, out, kernel);
    } else if (!known) {
        fprintf(stderr, "there is no kernel %s\n", kernel);
        return 2;
    }
    return fclose(in) != 0 || fclose(out) != 0;
}
