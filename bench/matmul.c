// The triple loop that `bench/matmul.fut` is compared with: row-major, i j k, one accumulator. Prints milliseconds.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void matmul(int n, const float *a, const float *b, float *c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1024;
  int runs = argc > 2 ? atoi(argv[2]) : 5;
  size_t cells = (size_t)n * n;
  float *a = malloc(cells * sizeof *a), *b = malloc(cells * sizeof *b), *c = malloc(cells * sizeof *c);
  for (size_t i = 0; i < cells; i++) {
    a[i] = (float)(i % 7) / 7;
    b[i] = (float)(i % 5) / 5;
  }
  for (int run = 0; run < runs; run++) {
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    matmul(n, a, b, c);
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("%.1f\n", (end.tv_sec - start.tv_sec) * 1e3 + (end.tv_nsec - start.tv_nsec) / 1e6);
  }
  fprintf(stderr, "checksum %g\n", c[0] + c[cells / 2] + c[cells - 1]);
  return 0;
}
