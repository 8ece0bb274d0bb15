/* A stand-in for libcuda and libnvrtc on machines without a GPU: the functions of CUDA's driver and of its compiler that programs by FUN
   call, with kernels compiled by the system's C++ compiler and run on the processor. It tells what a driver would refuse: a thread without a
   context, copies outside of blocks, too many threads, blocks of which some threads end and others wait, warps of which not all exchange values; and what it would not: kernels
   that write beside blocks. It says nothing of speed, and nothing of what NVIDIA's compiler or a GPU does.

   The same library serves under both names: cc -shared -fPIC -DSTAND_IN_HEADER='"…/stand_in.h"' stand_in.c -o libcuda.so.1
   STAND_IN_CAPABILITY is the compute capability of the device, 90 when absent; 0 stands for a machine without devices.
   STAND_IN_SEED says in which order blocks and threads run. STAND_IN_VERSION is the driver's version. STAND_IN_COMPILED names a file that
   gets a line whenever kernels are compiled, STAND_IN_WAITS one that gets a line whenever the host would wait, STAND_IN_BLOCKS
   one that gets the bytes of each block. */

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum {
    SUCCESS,
    INVALID_VALUE,
    OUT_OF_MEMORY,
    NO_DEVICE = 100,
    INVALID_IMAGE = 200,
    INVALID_CONTEXT = 201,
    NOT_FOUND = 500,
    ILLEGAL_ADDRESS = 700,
    LAUNCH_FAILED = 719
};

static int capability(void) {
    const char *given = getenv("STAND_IN_CAPABILITY");
    return given == NULL ? 90 : atoi(given);
}

/* The compiler. */

struct program {
    char *text, *log, folder[32];
    /* a letter that says which kind of code was asked for, the bytes of the library as a number of this many digits, and these bytes */
    char *code;
    size_t bytes;
    bool to_code;
};
#define DIGITS 16

int nvrtcVersion(int *major, int *minor) {
    *major = 13;
    *minor = 0;
    return 0;
}

int nvrtcGetNumSupportedArchs(int *count) {
    *count = 3;
    return 0;
}

int nvrtcGetSupportedArchs(int *known) {
    known[0] = 75;
    known[1] = 80;
    known[2] = 90;
    return 0;
}

int nvrtcCreateProgram(struct program **program, const char *text, const char *name, int headers, const char *const *texts,
    const char *const *names) {
    (void)name, (void)headers, (void)texts, (void)names;
    *program = calloc(1, sizeof **program);
    (*program)->text = strdup(text);
    return 0;
}

int nvrtcDestroyProgram(struct program **program) {
    free((*program)->text);
    free((*program)->log);
    free((*program)->code);
    free(*program);
    *program = NULL;
    return 0;
}

/* Writes a function that calls the kernel of this name, and whether the kernel has barriers. */
static void write_call(FILE *file, const char *name, size_t length, bool barriers) {
    fprintf(file, "extern \"C\" void call_%.*s(void **parameters) { stand_in_call(%.*s, parameters); }\n", (int)length, name,
        (int)length, name);
    fprintf(file, "extern \"C\" const bool barriers_%.*s = %d;\n", (int)length, name, barriers);
}

/* Reads the library, and removes what compiling left. */
static bool take_code(struct program *program) {
    char path[64];
    snprintf(path, sizeof path, "%s/kernels.so", program->folder);
    FILE *file = fopen(path, "rb");
    if (file != NULL) {
        fseek(file, 0, SEEK_END);
        const size_t bytes = (size_t)ftell(file);
        rewind(file);
        program->bytes = 1 + DIGITS + bytes;
        program->code = calloc(1, program->bytes + 1);
        sprintf(program->code, "%c%0*zu", program->to_code ? 'c' : 'p', DIGITS, bytes);
        fread(program->code + 1 + DIGITS, 1, bytes, file);
        fclose(file);
    }
    static const char *const files[] = {"kernels.so", "kernels.cpp", "log"};
    for (int k = 0; k < 3; k++) {
        snprintf(path, sizeof path, "%s/%s", program->folder, files[k]);
        unlink(path);
    }
    rmdir(program->folder);
    return program->code != NULL;
}

int nvrtcCompileProgram(struct program *program, int count, const char *const *options) {
    static const char kernel[] = "extern \"C\" __global__ void ", *const copies[] = {"\nFUN_COPY(", "\nFUN_TURN("};
    bool known = false;
    const char *defined = "";
    for (int k = 0; k < count; k++) {
        defined = strncmp(options[k], "-D", 2) == 0 ? options[k] : defined;
        known |= strcmp(options[k], "--gpu-architecture=sm_90") == 0 || strcmp(options[k], "--gpu-architecture=compute_90") == 0 ||
            strcmp(options[k], "--gpu-architecture=sm_80") == 0;
        program->to_code |= strncmp(options[k], "--gpu-architecture=sm_", 22) == 0;
    }
    const char *compiled = getenv("STAND_IN_COMPILED");
    FILE *list = compiled == NULL ? NULL : fopen(compiled, "a");
    if (list != NULL) {
        fputs("compiled\n", list);
        fclose(list);
    }
    strcpy(program->folder, "/tmp/stand_in_XXXXXX");
    if (!known || mkdtemp(program->folder) == NULL) {
        return 5;
    }
    char path[64];
    snprintf(path, sizeof path, "%s/kernels.cpp", program->folder);
    FILE *file = fopen(path, "w");
    fprintf(file, "#include \"%s\"\n%s\n", STAND_IN_HEADER, program->text);
    for (int turns = 0; turns < 2; turns++) {
        for (const char *at = program->text; (at = strstr(at, copies[turns])) != NULL;) {
            at += strlen(copies[turns]);
            write_call(file, at, strcspn(at, ","), turns == 1);
        }
    }
    for (const char *at = program->text; (at = strstr(at, kernel)) != NULL;) {
        at += sizeof kernel - 1;
        if (strncmp(at, "__launch_bounds__", 17) == 0) {
            at = strchr(at, ')') + 2;
        }
        const char *end = strstr(at, kernel), *barrier = strstr(at, "__syncthreads"), *shuffle = strstr(at, "__shfl_");
        if (barrier == NULL || (shuffle != NULL && shuffle < barrier)) {
            barrier = shuffle;
        }
        if (strncmp(at, "name(", 5) != 0) {
            write_call(file, at, strcspn(at, "("), barrier != NULL && (end == NULL || barrier < end));
        }
    }
    fclose(file);
    char command[512];
    snprintf(command, sizeof command,
        "cd %s && ${CXX:-c++} -std=c++17 -O1 -w -ffp-contract=off -fno-strict-aliasing -fPIC -shared %s kernels.cpp -o kernels.so 2>log",
        program->folder, defined);
    const int status = system(command);
    snprintf(path, sizeof path, "%s/log", program->folder);
    file = fopen(path, "r");
    program->log = calloc(1, 4096);
    if (file != NULL) {
        fread(program->log, 1, 4095, file);
        fclose(file);
    }
    return take_code(program) && status == 0 ? 0 : 6;
}

int nvrtcGetProgramLogSize(struct program *program, size_t *bytes) {
    *bytes = program->log == NULL ? 1 : strlen(program->log) + 1;
    return 0;
}

int nvrtcGetProgramLog(struct program *program, char *log) {
    strcpy(log, program->log == NULL ? "" : program->log);
    return 0;
}

int nvrtcGetPTXSize(struct program *program, size_t *bytes) {
    *bytes = program->bytes;
    return 0;
}

int nvrtcGetPTX(struct program *program, char *text) {
    memcpy(text, program->code, program->bytes);
    *text = 'p';
    return 0;
}

int nvrtcGetCUBINSize(struct program *program, size_t *bytes) {
    *bytes = program->to_code ? program->bytes : 0;
    return 0;
}

int nvrtcGetCUBIN(struct program *program, char *code) {
    memcpy(code, program->code, program->to_code ? program->bytes : 0);
    return program->to_code ? 0 : 4;
}

/* The driver. */

struct index {
    unsigned x;
};

struct module {
    void *library;
    struct index *thread, *block, *size, *grid;
    void (**barrier)(void);
    void (**meet)(unsigned);
    void (*spoil)(void);
};

struct kernel {
    struct module *module;
    void (*call)(void **);
    bool barriers;
};

/* Bytes before and behind each block, which nobody may write. */
#define MARGIN 64
struct block {
    char *bytes;
    size_t count;
    struct block *next;
};
static struct block *blocks;
static int context;
static __thread bool is_current;
static bool ready;

int cuInit(unsigned flags) {
    ready = flags == 0 && capability() > 0;
    return ready ? SUCCESS : NO_DEVICE;
}

int cuGetErrorName(int code, const char **name) {
    *name = code == INVALID_VALUE ? "CUDA_ERROR_INVALID_VALUE"
        : code == OUT_OF_MEMORY   ? "CUDA_ERROR_OUT_OF_MEMORY"
        : code == NO_DEVICE       ? "CUDA_ERROR_NO_DEVICE"
        : code == ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS"
        : code == LAUNCH_FAILED   ? "CUDA_ERROR_LAUNCH_FAILED"
                                  : NULL;
    return *name == NULL ? INVALID_VALUE : SUCCESS;
}

int cuDeviceGetCount(int *count) {
    *count = 1;
    return ready ? SUCCESS : INVALID_CONTEXT;
}

int cuDeviceGet(int *device, int number) {
    *device = 7;
    return ready && number == 0 ? SUCCESS : INVALID_VALUE;
}

int cuDriverGetVersion(int *version) {
    const char *given = getenv("STAND_IN_VERSION");
    *version = given == NULL ? 13000 : atoi(given);
    return SUCCESS;
}

int cuDeviceGetName(char *name, int room, int device) {
    snprintf(name, (size_t)room, "stand-in %d", capability());
    return device == 7 ? SUCCESS : INVALID_VALUE;
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
    /* 16: multiprocessors */
    *value = attribute == 16 ? 1 : attribute == 75 ? capability() / 10 : capability() % 10;
    return device == 7 && (attribute == 16 || attribute == 75 || attribute == 76) ? SUCCESS : INVALID_VALUE;
}

int cuDeviceTotalMem_v2(size_t *bytes, int device) {
    *bytes = (size_t)1 << 30;
    return device == 7 ? SUCCESS : INVALID_VALUE;
}

int cuDevicePrimaryCtxRetain(void **made, int device) {
    *made = &context;
    return device == 7 ? SUCCESS : INVALID_VALUE;
}

/* What makes the host wait for the device; STAND_IN_WAITS names a file that gets a line for each. */
static void wait_for(const char *what) {
    const char *waits = getenv("STAND_IN_WAITS");
    FILE *list = waits == NULL ? NULL : fopen(waits, "a");
    if (list != NULL) {
        fprintf(list, "%s\n", what);
        fclose(list);
    }
}

int cuCtxSetCurrent(void *given) {
    is_current = given == &context;
    return SUCCESS;
}

int cuCtxSynchronize(void) {
    wait_for("all");
    return is_current ? SUCCESS : INVALID_CONTEXT;
}

int cuModuleLoadData(struct module **module, const void *image) {
    const char *code = image;
    char path[] = "/tmp/stand_in_XXXXXX";
    if (!is_current || *code != (capability() == 90 || capability() == 80 ? 'c' : 'p')) {
        return INVALID_CONTEXT;
    }
    /* a driver looks at what it is given before it believes lengths */
    if (memcmp(code + 1 + DIGITS, "\177ELF", 4) != 0) {
        return INVALID_IMAGE;
    }
    const int file = mkstemp(path);
    const size_t bytes = strtoull(code + 1, NULL, 10);
    if (file < 0 || write(file, code + 1 + DIGITS, bytes) != (ssize_t)bytes) {
        return NOT_FOUND;
    }
    close(file);
    *module = calloc(1, sizeof **module);
    (*module)->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    unlink(path);
    if ((*module)->library == NULL) {
        return NOT_FOUND;
    }
    (*module)->thread = dlsym((*module)->library, "threadIdx");
    (*module)->block = dlsym((*module)->library, "blockIdx");
    (*module)->size = dlsym((*module)->library, "blockDim");
    (*module)->grid = dlsym((*module)->library, "gridDim");
    *(void **)&(*module)->barrier = dlsym((*module)->library, "stand_in_barrier");
    *(void **)&(*module)->meet = dlsym((*module)->library, "stand_in_meet");
    *(void **)&(*module)->spoil = dlsym((*module)->library, "stand_in_spoil");
    /* it may be what was kept of an older stand-in */
    return (*module)->meet == NULL ? INVALID_IMAGE : SUCCESS;
}

int cuModuleUnload(struct module *module) {
    dlclose(module->library);
    free(module);
    return SUCCESS;
}

int cuModuleGetFunction(struct kernel **kernel, struct module *module, const char *name) {
    char symbol[256];
    *kernel = calloc(1, sizeof **kernel);
    (*kernel)->module = module;
    snprintf(symbol, sizeof symbol, "barriers_%s", name);
    const bool *barriers = dlsym(module->library, symbol);
    snprintf(symbol, sizeof symbol, "call_%s", name);
    *(void **)&(*kernel)->call = dlsym(module->library, symbol);
    if (barriers == NULL || (*kernel)->call == NULL) {
        return NOT_FOUND;
    }
    (*kernel)->barriers = *barriers;
    return SUCCESS;
}

int cuMemAlloc_v2(uint64_t *handle, size_t bytes) {
    if (!is_current || bytes == 0) {
        return INVALID_VALUE;
    }
    struct block *block = calloc(1, sizeof *block);
    block->bytes = aligned_alloc(256, (bytes + 4 * MARGIN + 255) / 256 * 256 + 256);
    if (block->bytes == NULL) {
        free(block);
        return OUT_OF_MEMORY;
    }
    block->count = bytes;
    const char *made = getenv("STAND_IN_BLOCKS");
    FILE *list = made == NULL ? NULL : fopen(made, "a");
    if (list != NULL) {
        fprintf(list, "%zu\n", bytes);
        fclose(list);
    }
    /* what is not written yet is no number that a program has */
    memset(block->bytes, 0x5a, bytes + 256 + MARGIN);
    block->next = blocks;
    blocks = block;
    *handle = (uint64_t)(uintptr_t)(block->bytes + 256);
    return SUCCESS;
}

int cuMemFree_v2(uint64_t handle) {
    for (struct block **place = &blocks; *place != NULL; place = &(*place)->next) {
        struct block *block = *place;
        if (is_current && (uint64_t)(uintptr_t)(block->bytes + 256) == handle) {
            *place = block->next;
            free(block->bytes);
            free(block);
            return SUCCESS;
        }
    }
    return INVALID_VALUE;
}

/* Whether the bytes lie in one block. */
static bool inside(uint64_t from, size_t bytes) {
    for (const struct block *block = blocks; block != NULL; block = block->next) {
        const uint64_t begin = (uint64_t)(uintptr_t)(block->bytes + 256);
        if (from >= begin && bytes <= block->count && from - begin <= block->count - bytes) {
            return is_current;
        }
    }
    return false;
}

int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
    wait_for("read");
    if (!inside(from, bytes) || inside((uint64_t)(uintptr_t)to, 1)) {
        return INVALID_VALUE;
    }
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    return SUCCESS;
}

int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) {
    wait_for("write");
    if (!inside(to, bytes) || inside((uint64_t)(uintptr_t)from, 1)) {
        return INVALID_VALUE;
    }
    memcpy((void *)(uintptr_t)to, from, bytes);
    return SUCCESS;
}

int cuMemcpyDtoD_v2(uint64_t to, uint64_t from, size_t bytes) {
    if (!inside(to, bytes) || !inside(from, bytes)) {
        return INVALID_VALUE;
    }
    memmove((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes);
    return SUCCESS;
}

/* Numbers of one size, each this one. */
static int fill(uint64_t to, const void *number, size_t size, size_t count) {
    if (to % size != 0 || !inside(to, size * count)) {
        return INVALID_VALUE;
    }
    for (size_t k = 0; k < count; k++) {
        memcpy((char *)(uintptr_t)to + k * size, number, size);
    }
    return SUCCESS;
}

int cuMemsetD8_v2(uint64_t to, unsigned char number, size_t count) {
    return fill(to, &number, sizeof number, count);
}

int cuMemsetD16_v2(uint64_t to, unsigned short number, size_t count) {
    return fill(to, &number, sizeof number, count);
}

int cuMemsetD32_v2(uint64_t to, unsigned number, size_t count) {
    return fill(to, &number, sizeof number, count);
}

/* An event is when it was recorded: all before is done when a call returns. */
int cuEventCreate(double **event, unsigned flags) {
    *event = calloc(1, sizeof **event);
    return is_current && flags == 0 ? SUCCESS : INVALID_VALUE;
}

int cuEventRecord(double *event, void *stream) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    *event = (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
    return is_current && stream == NULL ? SUCCESS : INVALID_VALUE;
}

/* What a function of the host waits for comes with calls behind this one, and nothing here runs beside the caller: so it is not called. */
int cuLaunchHostFunc(void *stream, void (*function)(void *), void *data) {
    (void)data;
    return is_current && stream == NULL && function != NULL ? SUCCESS : INVALID_VALUE;
}

int cuEventSynchronize(double *event) {
    return *event > 0 ? SUCCESS : INVALID_VALUE;
}

int cuEventElapsedTime(float *milliseconds, const double *begin, const double *end) {
    *milliseconds = (float)(*end - *begin);
    return SUCCESS;
}

/* The threads of a block that have barriers are contexts of one thread of the system. */
#define STACK ((size_t)256 << 10)
#define MOST_THREADS 1024
static ucontext_t scheduler, contexts[MOST_THREADS];
static char *stacks[MOST_THREADS];
static enum { RUNS, MEETS, WAITS, ENDED } states[MOST_THREADS];
static unsigned running, present;
static bool wrong_mask;
static struct kernel *launched;
static void **given;
#define WARP 32

static void pause_as(int state) {
    states[running] = state;
    swapcontext(&contexts[running], &scheduler);
}

static void wait(void) {
    pause_as(WAITS);
}

/* Waits for the others of the warp, whom the mask must name, all of them. */
static void meet(unsigned mask) {
    const unsigned first = running / WARP * WARP, count = present - first < WARP ? present - first : WARP;
    wrong_mask |= mask != (count == WARP ? ~0u : (1u << count) - 1);
    pause_as(MEETS);
}

static void run_thread(void) {
    launched->call(given);
    states[running] = ENDED;
}

/* The threads of a warp go on until all wait at a barrier, or have ended; false where some meet and others don't come. */
static bool run_warp(unsigned first, unsigned count, unsigned turn, bool down) {
    for (;;) {
        unsigned met = 0;
        for (unsigned k = 0; k < count; k++) {
            running = first + ((down ? count - 1 - k : k) + turn) % count;
            if (states[running] == RUNS) {
                launched->module->thread->x = running;
                swapcontext(&scheduler, &contexts[running]);
            }
            met += states[running] == MEETS;
        }
        if (met != count) {
            return met == 0;
        }
        for (unsigned k = 0; k < count; k++) {
            states[first + k] = RUNS;
        }
    }
}

/* The threads go on from barrier to barrier, in another order each time; all end together. Warps don't wait for one another in between. */
static int run_together(unsigned threads, unsigned *seed) {
    for (unsigned k = 0; k < threads; k++) {
        if (stacks[k] == NULL) {
            stacks[k] = malloc(STACK);
        }
        getcontext(&contexts[k]);
        contexts[k].uc_stack.ss_sp = stacks[k];
        contexts[k].uc_stack.ss_size = STACK;
        contexts[k].uc_link = &scheduler;
        states[k] = RUNS;
        makecontext(&contexts[k], run_thread, 0);
    }
    present = threads;
    wrong_mask = false;
    const unsigned warps = (threads + WARP - 1) / WARP;
    for (unsigned over = 0; over == 0;) {
        *seed = *seed * 1664525 + 1013904223;
        const unsigned turn = *seed >> 8, down = *seed >> 4 & 1;
        for (unsigned k = 0; k < warps; k++) {
            const unsigned warp = ((down ? warps - 1 - k : k) + turn % warps) % warps, first = warp * WARP;
            if (!run_warp(first, threads - first < WARP ? threads - first : WARP, turn >> 8, *seed >> 5 & 1)) {
                return LAUNCH_FAILED;
            }
        }
        for (unsigned k = 0; k < threads; k++) {
            over += states[k] == ENDED;
            states[k] = states[k] == WAITS ? RUNS : states[k];
        }
        if ((over != 0 && over != threads) || wrong_mask) {
            return LAUNCH_FAILED;
        }
    }
    return SUCCESS;
}

int cuLaunchKernel(struct kernel *kernel, unsigned x, unsigned y, unsigned z, unsigned threads, unsigned threads_y, unsigned threads_z,
    unsigned shared, void *stream, void **parameters, void **extra) {
    if (!is_current || x == 0 || y != 1 || z != 1 || threads == 0 || threads > MOST_THREADS || threads_y != 1 || threads_z != 1 ||
        shared != 0 || stream != NULL || extra != NULL) {
        return INVALID_VALUE;
    }
    static unsigned seed;
    static bool is_seeded;
    const char *given_seed = getenv("STAND_IN_SEED");
    if (!is_seeded && given_seed != NULL) {
        seed = (unsigned)strtoull(given_seed, NULL, 10);
    }
    is_seeded = true;
    const unsigned first = seed >> 8;
    launched = kernel;
    given = parameters;
    *kernel->module->barrier = wait;
    *kernel->module->meet = meet;
    kernel->module->size->x = threads;
    kernel->module->grid->x = x;
    for (unsigned k = 0; k < x; k++) {
        kernel->module->block->x = (k + first) % x;
        kernel->module->spoil();
        if (kernel->barriers) {
            const int code = run_together(threads, &seed);
            if (code != SUCCESS) {
                return code;
            }
            continue;
        }
        for (unsigned thread = 0; thread < threads; thread++) {
            kernel->module->thread->x = thread;
            kernel->call(parameters);
        }
    }
    seed = seed * 1664525 + 1013904223;
    for (const struct block *block = blocks; block != NULL; block = block->next) {
        for (size_t k = 1; k <= MARGIN; k++) {
            if (block->bytes[256 - k] != 0x5a || block->bytes[256 + block->count + k - 1] != 0x5a) {
                return ILLEGAL_ADDRESS;
            }
        }
    }
    return SUCCESS;
}
