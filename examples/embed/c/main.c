/* Blurs an image that it draws, and a part of it where it lies, and compares with a blur of its own.
   `fun compile --lib ../blur.fut -o blur`, `cc main.c ./blur.so`. */
#include "blur.h"
#include <math.h>
#include <stdlib.h>

enum { H = 60, W = 80, TOP = 10, LEFT = 20, PART_H = 30, PART_W = 40 };

/* The image: rings. */
static float image[H * W];

static int clamp(int x, int high) {
    return x < 0 ? 0 : x > high ? high : x;
}

/* The largest difference between `blurred` and the blur of the part of the image that begins at (top, left). */
static double difference(const float *blurred, int top, int left, int h, int w) {
    double worst = 0;
    for (int y = 0; y < h; y++) {
        for (int x = 0; x < w; x++) {
            double sum = 0;
            for (int v = -1; v <= 1; v++) {
                for (int u = -1; u <= 1; u++) {
                    sum += image[(top + clamp(y + v, h - 1)) * W + left + clamp(x + u, w - 1)];
                }
            }
            worst = fmax(worst, fabs(blurred[y * w + x] - sum / 9));
        }
    }
    return worst;
}

/* Ends the program with what the library says of its last error. */
static void fail(struct futhark_context *ctx) {
    char *text = futhark_context_get_error(ctx);
    fprintf(stderr, "%s\n", text == NULL ? "no memory" : text);
    free(text);
    exit(1);
}

/* Blurs an array, which is freed, and compares. */
static double blurred_difference(
    struct futhark_context *ctx, struct futhark_f32_2d *given, int top, int left, int h, int w) {
    struct futhark_f32_2d *blurred;
    if (given == NULL || futhark_entry_blur(ctx, &blurred, given) != FUTHARK_SUCCESS) {
        fail(ctx);
    }
    const double worst = difference((const float *)futhark_values_raw_f32_2d(ctx, blurred), top, left, h, w);
    futhark_free_f32_2d(ctx, given);
    futhark_free_f32_2d(ctx, blurred);
    return worst;
}

int main(void) {
    for (int y = 0; y < H; y++) {
        for (int x = 0; x < W; x++) {
            image[y * W + x] = (float)(0.5 + 0.5 * sin(hypot(y - 30, x - 40)));
        }
    }
    struct futhark_context_config *config = futhark_context_config_new();
    struct futhark_context *ctx = futhark_context_new(config);
    /* the whole image, its middle rows, and a part of these: each is read where it lies */
    double worst = blurred_difference(ctx, fun_new_view_f32_2d(ctx, image, 0, W, 1, H, W), 0, 0, H, W);
    worst = fmax(worst, blurred_difference(ctx, fun_new_view_f32_2d(ctx, image, TOP * W, W, 1, PART_H, W), TOP, 0, PART_H, W));
    worst = fmax(worst, blurred_difference(ctx, fun_new_view_f32_2d(ctx, image, TOP * W + LEFT, W, 1, PART_H, PART_W), TOP, LEFT, PART_H, PART_W));
    printf("%llu bytes copied\n", (unsigned long long)fun_context_copied_bytes(ctx));
    printf("blurred as expected: %s\n", worst < 1e-6 ? "yes" : "no");
    futhark_context_free(ctx);
    futhark_context_config_free(config);
    return worst < 1e-6 ? 0 : 1;
}
