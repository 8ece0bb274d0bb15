/* The device of a program with kernels, as the driver behind this finds it: there is one for all contexts of the process. */

#include <dlfcn.h>
#include <stdarg.h>

/* The numbers of a message begin at the third word: before them are the place, from 1, and how many there are. */
#define FUN_FAILURE_WORDS (2 + FUN_MAX_NUMBERS)
_Static_assert(FUN_FAILURE_WORDS == 18, "FUN_TICKET of kernels is the word behind");
static struct {
    bool tried, ready;
    /* whether kernels whose blocks do something one after the other have one block more, which serves them */
    bool serves;
    /* where the kernels of a run write down that they failed: zeros, for the next run; NULL while one has it */
    struct fun_device_block *failure;
    /* where FUN_DEVICE_TIMES is set: how often each kernel ran in this run, and how long */
    bool timed;
    uint64_t launches[FUN_KERNELS];
    double microseconds[FUN_KERNELS];
    /* free blocks that are kept for others of nearly their size, how many bytes they are, and how many they may be */
    struct fun_device_block *spare;
    uint64_t spare_bytes, most_spare;
    /* where the caller wants compiled kernels to be kept, and whether those of this run were */
    char *kernel_file;
    bool kept;
    char error[4096];
} fun_device_state = {.most_spare = (uint64_t)256 << 20};
static pthread_mutex_t fun_device_mutex = PTHREAD_MUTEX_INITIALIZER;

/* Writes down what went wrong. */
__attribute__((format(printf, 1, 2))) static void fun_device_says(const char *format, ...) {
    va_list parts;
    va_start(parts, format);
    vsnprintf(fun_device_state.error, sizeof fun_device_state.error, format, parts);
    va_end(parts);
}

/* The first of these libraries that can be loaded; NULL if none can, or if it is NULL. */
static void *fun_device_library(const char *first, const char *second, const char *third) {
    const char *const names[] = {first, second, third};
    void *library = NULL;
    for (uint32_t k = 0; k < 3 && names[k] != NULL && library == NULL; k++) {
        library = dlopen(names[k], RTLD_NOW | RTLD_LOCAL);
    }
    return library;
}

static void fun_device_refused(const char *what, int32_t code);
