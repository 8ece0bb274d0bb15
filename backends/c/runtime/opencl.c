/* The device of a program with kernels, by OpenCL 1.2. The library is loaded when it is used, and there is one device, queue and program
   for all contexts of the process; the queue is in order, so that kernels and copies wait for those before them. */

#include <dlfcn.h>

typedef struct fun_cl_object *fun_cl;
#define FUN_CL_FUNCTIONS(call) \
    call(int32_t, clGetPlatformIDs, (uint32_t, fun_cl *, uint32_t *)) \
    call(int32_t, clGetDeviceIDs, (fun_cl, uint64_t, uint32_t, fun_cl *, uint32_t *)) \
    call(int32_t, clGetDeviceInfo, (fun_cl, uint32_t, size_t, void *, size_t *)) \
    call(fun_cl, clCreateContext, (const intptr_t *, uint32_t, const fun_cl *, void *, void *, int32_t *)) \
    call(fun_cl, clCreateCommandQueue, (fun_cl, fun_cl, uint64_t, int32_t *)) \
    call(fun_cl, clCreateProgramWithSource, (fun_cl, uint32_t, const char **, const size_t *, int32_t *)) \
    call(int32_t, clBuildProgram, (fun_cl, uint32_t, const fun_cl *, const char *, void *, void *)) \
    call(int32_t, clGetProgramBuildInfo, (fun_cl, fun_cl, uint32_t, size_t, void *, size_t *)) \
    call(fun_cl, clCreateKernel, (fun_cl, const char *, int32_t *)) \
    call(int32_t, clSetKernelArg, (fun_cl, uint32_t, size_t, const void *)) \
    call(fun_cl, clCreateBuffer, (fun_cl, uint64_t, size_t, void *, int32_t *)) \
    call(int32_t, clReleaseMemObject, (fun_cl)) \
    call(int32_t, clEnqueueNDRangeKernel, \
        (fun_cl, fun_cl, uint32_t, const size_t *, const size_t *, const size_t *, uint32_t, const fun_cl *, fun_cl *)) \
    call(int32_t, clEnqueueReadBuffer, \
        (fun_cl, fun_cl, uint32_t, size_t, size_t, void *, uint32_t, const fun_cl *, fun_cl *)) \
    call(int32_t, clEnqueueWriteBuffer, \
        (fun_cl, fun_cl, uint32_t, size_t, size_t, const void *, uint32_t, const fun_cl *, fun_cl *)) \
    call(int32_t, clEnqueueCopyBuffer, \
        (fun_cl, fun_cl, fun_cl, size_t, size_t, size_t, uint32_t, const fun_cl *, fun_cl *))

#define FUN_CL_POINTER(result, name, parameters) result(*name) parameters;
#define FUN_CL_TRUE 1
/* The numbers of a message begin at the third word: before them are the place, from 1, and how many there are. */
#define FUN_FAILURE_WORDS (2 + FUN_MAX_NUMBERS)
/* Bytes of free blocks that are kept for others of nearly their size. */
#define FUN_DEVICE_SPARE ((uint64_t)256 << 20)

/* A block; programs have its address as its handle. */
struct fun_device_block {
    fun_cl buffer;
    int64_t owners;
    uint64_t room, counted;
    struct fun_device_block *next, *previous;
};

static struct {
    FUN_CL_FUNCTIONS(FUN_CL_POINTER)
    fun_cl device, context, queue, failure, kernels[FUN_KERNELS + 1], copies[4];
    bool tried, ready;
    struct fun_device_block *spare;
    uint64_t spare_bytes;
    char error[4096];
} fun_cl_state;
static pthread_mutex_t fun_cl_mutex = PTHREAD_MUTEX_INITIALIZER;

/* Writes down what went wrong. */
static void fun_cl_says(const char *what, int32_t code) {
    snprintf(fun_cl_state.error, sizeof fun_cl_state.error, "OpenCL: %s fails with error %d", what, (int)code);
}

/* The first device of the platforms: one that is no processor, or else any. */
static bool fun_cl_find_device(void) {
    fun_cl platforms[16];
    uint32_t count = 0;
    if (fun_cl_state.clGetPlatformIDs(16, platforms, &count) != 0 || count == 0) {
        snprintf(fun_cl_state.error, sizeof fun_cl_state.error, "no OpenCL device: there is no platform (driver)");
        return false;
    }
    const uint64_t kinds[] = {1 << 2 | 1 << 3, 0xffffffff};
    for (uint32_t kind = 0; kind < 2; kind++) {
        for (uint32_t k = 0; k < count && k < 16; k++) {
            uint32_t devices = 0;
            if (fun_cl_state.clGetDeviceIDs(platforms[k], kinds[kind], 1, &fun_cl_state.device, &devices) == 0 && devices > 0) {
                return true;
            }
        }
    }
    snprintf(fun_cl_state.error, sizeof fun_cl_state.error, "no OpenCL device: no platform has one");
    return false;
}

/* Loads the library, finds a device and compiles the kernels. */
static bool fun_cl_start(void) {
    void *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        library = dlopen("libOpenCL.so", RTLD_NOW | RTLD_LOCAL);
    }
    if (library == NULL) {
        snprintf(fun_cl_state.error, sizeof fun_cl_state.error, "no OpenCL: libOpenCL.so.1 can't be loaded");
        return false;
    }
#define FUN_CL_LOAD(result, name, parameters) \
    *(void **)&fun_cl_state.name = dlsym(library, #name); \
    if (fun_cl_state.name == NULL) { \
        snprintf(fun_cl_state.error, sizeof fun_cl_state.error, "no OpenCL: the library has no " #name); \
        return false; \
    }
    FUN_CL_FUNCTIONS(FUN_CL_LOAD)
    if (!fun_cl_find_device()) {
        return false;
    }
    int32_t code = 0;
    fun_cl_state.context = fun_cl_state.clCreateContext(NULL, 1, &fun_cl_state.device, NULL, NULL, &code);
    if (code == 0) {
        fun_cl_state.queue = fun_cl_state.clCreateCommandQueue(fun_cl_state.context, fun_cl_state.device, 0, &code);
    }
    if (code == 0) {
        fun_cl_state.failure = fun_cl_state.clCreateBuffer(fun_cl_state.context, 1, 8 * FUN_FAILURE_WORDS, NULL, &code);
    }
    const int64_t zeros[FUN_FAILURE_WORDS] = {0};
    if (code == 0) {
        code = fun_cl_state.clEnqueueWriteBuffer(fun_cl_state.queue, fun_cl_state.failure, FUN_CL_TRUE, 0, sizeof zeros, zeros, 0,
            NULL, NULL);
    }
    const char *text = fun_kernel_text;
    fun_cl program = NULL;
    if (code == 0) {
        program = fun_cl_state.clCreateProgramWithSource(fun_cl_state.context, 1, &text, NULL, &code);
    }
    if (code != 0) {
        fun_cl_says("making a context, queue and program", code);
        return false;
    }
    /* division and square root of floats are rounded as everywhere else, where the device can do that */
    uint64_t floats = 0;
    fun_cl_state.clGetDeviceInfo(fun_cl_state.device, 0x101b, sizeof floats, &floats, NULL);
    const char *options =
        floats & 1 << 7 ? "-cl-std=CL1.2 -w -cl-fp32-correctly-rounded-divide-sqrt" : "-cl-std=CL1.2 -w";
    code = fun_cl_state.clBuildProgram(program, 1, &fun_cl_state.device, options, NULL, NULL);
    if (code != 0) {
        const int length = snprintf(fun_cl_state.error, sizeof fun_cl_state.error, "OpenCL does not compile the kernels:\n");
        fun_cl_state.clGetProgramBuildInfo(program, fun_cl_state.device, 0x1183, sizeof fun_cl_state.error - (size_t)length - 1,
            fun_cl_state.error + length, NULL);
        return false;
    }
    static const char *const copies[] = {"fun_copy1", "fun_copy2", "fun_copy4", "fun_copy8"};
    for (uint32_t k = 0; k < 4 && code == 0; k++) {
        fun_cl_state.copies[k] = fun_cl_state.clCreateKernel(program, copies[k], &code);
    }
    for (uint32_t k = 0; fun_kernel_names[k] != NULL && code == 0; k++) {
        fun_cl_state.kernels[k] = fun_cl_state.clCreateKernel(program, fun_kernel_names[k], &code);
    }
    if (code != 0) {
        fun_cl_says("making a kernel", code);
        return false;
    }
    return true;
}

/* Finds the device, once; NULL, or why there is none. */
FUN_EXPORT const char *fun_device_open(void) {
    pthread_mutex_lock(&fun_cl_mutex);
    if (!fun_cl_state.tried) {
        fun_cl_state.tried = true;
        fun_cl_state.ready = fun_cl_start();
    }
    const bool ready = fun_cl_state.ready;
    pthread_mutex_unlock(&fun_cl_mutex);
    return ready ? NULL : fun_cl_state.error;
}

/* Records that the driver refused something; gives 1. */
static uint32_t fun_device_failed(struct fun_context *context, const char *what, int32_t code) {
    fun_cl_says(what, code);
    const struct fun_failure failure = {.reason = FUN_DEVICE, .told = fun_cl_state.error};
    fun_record(context, &failure);
    return 1;
}

static void fun_device_drop(struct fun_device_block *block) {
    fun_cl_state.clReleaseMemObject(block->buffer);
    free(block);
}

/* Keeps a free block for others, or lets it go. */
static void fun_device_keep(struct fun_device_block *block) {
    if (block->room > FUN_DEVICE_SPARE - fun_cl_state.spare_bytes) {
        fun_device_drop(block);
        return;
    }
    fun_cl_state.spare_bytes += block->room;
    block->next = fun_cl_state.spare;
    fun_cl_state.spare = block;
}

/* The blocks of a run that is over. */
static void fun_device_release(struct fun_context *context) {
    pthread_mutex_lock(&fun_cl_mutex);
    for (struct fun_device_block *block = context->device_blocks, *next; block != NULL; block = next) {
        next = block->next;
        fun_device_keep(block);
    }
    context->device_blocks = NULL;
    pthread_mutex_unlock(&fun_cl_mutex);
}

/* A spare block for so many bytes, that is not much larger; NULL if there is none. */
static struct fun_device_block *fun_device_take(uint64_t bytes) {
    struct fun_device_block **place = &fun_cl_state.spare;
    while (*place != NULL && ((*place)->room < bytes || (*place)->room / 4 * 3 > bytes)) {
        place = &(*place)->next;
    }
    struct fun_device_block *block = *place;
    if (block != NULL) {
        *place = block->next;
        fun_cl_state.spare_bytes -= block->room;
    }
    return block;
}

/* A fresh block with room for so many bytes; NULL if the device has none. */
static struct fun_device_block *fun_device_make(uint64_t bytes) {
    struct fun_device_block *block = fun_device_take(bytes);
    if (block != NULL) {
        return block;
    }
    block = calloc(1, sizeof *block);
    int32_t code = 0;
    if (block != NULL) {
        block->room = bytes;
        block->buffer = fun_cl_state.clCreateBuffer(fun_cl_state.context, 1, bytes, NULL, &code);
    }
    if (block == NULL || code != 0) {
        free(block);
        return NULL;
    }
    return block;
}

/* A block in the device's memory; as `fun_allocate`. */
FUN_RUNTIME void *fun_device_allocate(struct fun_context *context, uint32_t site, bool in_loop, uint64_t element,
    uint64_t rank, const int64_t *sizes) {
    uint64_t bytes;
    if (!fun_bytes_of(context, site, element, rank, sizes, &bytes)) {
        return NULL;
    }
    const char *missing = fun_device_open();
    if (missing != NULL) {
        const struct fun_failure failure = {.reason = FUN_DEVICE, .told = missing};
        fun_record(context, &failure);
        return NULL;
    }
    context->release_device = fun_device_release;
    context->loop_allocations += in_loop;
    context->allocations++;
    struct fun_failure failure = {.reason = FUN_OVER_CAP, .site = site, .bytes_low = bytes};
    if (bytes > context->cap || context->bytes > context->cap - bytes) {
        fun_record(context, &failure);
        return NULL;
    }
    pthread_mutex_lock(&fun_cl_mutex);
    struct fun_device_block *block = fun_device_make(bytes < 16 ? 16 : bytes);
    pthread_mutex_unlock(&fun_cl_mutex);
    if (block == NULL) {
        failure.reason = FUN_NO_MEMORY;
        fun_record(context, &failure);
        return NULL;
    }
    block->owners = 1;
    block->counted = bytes;
    block->previous = NULL;
    block->next = context->device_blocks;
    if (block->next != NULL) {
        block->next->previous = block;
    }
    context->device_blocks = block;
    context->bytes += bytes;
    context->peak = context->bytes > context->peak ? context->bytes : context->peak;
    return block;
}

/* One more owner; nothing for NULL. */
FUN_RUNTIME void fun_device_share(void *handle) {
    struct fun_device_block *block = handle;
    if (block != NULL) {
        block->owners++;
    }
}

/* One owner less; the block dies with its last. Nothing for NULL. */
FUN_RUNTIME void fun_device_free(struct fun_context *context, void *handle) {
    struct fun_device_block *block = handle;
    if (block == NULL || --block->owners > 0) {
        return;
    }
    if (block->previous == NULL) {
        context->device_blocks = block->next;
    } else {
        block->previous->next = block->next;
    }
    if (block->next != NULL) {
        block->next->previous = block->previous;
    }
    context->bytes -= block->counted;
    pthread_mutex_lock(&fun_cl_mutex);
    fun_device_keep(block);
    pthread_mutex_unlock(&fun_cl_mutex);
}

/* The cell at an address, in cells. */
FUN_RUNTIME uint32_t fun_device_read(struct fun_context *context, const void *handle, int64_t at, uint64_t bytes, void *cell) {
    const struct fun_device_block *block = handle;
    const int32_t code = fun_cl_state.clEnqueueReadBuffer(fun_cl_state.queue, block->buffer, FUN_CL_TRUE, (uint64_t)at * bytes,
        bytes, cell, 0, NULL, NULL);
    return code == 0 ? 0 : fun_device_failed(context, "reading a cell", code);
}

FUN_RUNTIME uint32_t fun_device_write(struct fun_context *context, const void *handle, int64_t at, uint64_t bytes,
    const void *cell) {
    const struct fun_device_block *block = handle;
    const int32_t code = fun_cl_state.clEnqueueWriteBuffer(fun_cl_state.queue, block->buffer, FUN_CL_TRUE,
        (uint64_t)at * bytes, bytes, cell, 0, NULL, NULL);
    return code == 0 ? 0 : fun_device_failed(context, "writing a cell", code);
}

/* Bytes that lie next to each other on both sides. */
static int32_t fun_device_row(void *dest, bool dest_remote, int64_t to, const void *source, bool source_remote, int64_t from,
    uint64_t bytes) {
    if (!dest_remote) {
        const struct fun_device_block *block = source;
        return fun_cl_state.clEnqueueReadBuffer(fun_cl_state.queue, block->buffer, FUN_CL_TRUE, (uint64_t)from, bytes,
            (char *)dest + to, 0, NULL, NULL);
    }
    const struct fun_device_block *target = dest;
    if (!source_remote) {
        return fun_cl_state.clEnqueueWriteBuffer(fun_cl_state.queue, target->buffer, FUN_CL_TRUE, (uint64_t)to, bytes,
            (const char *)source + from, 0, NULL, NULL);
    }
    const struct fun_device_block *block = source;
    if (block == target && from == to) {
        return 0;
    }
    return fun_cl_state.clEnqueueCopyBuffer(fun_cl_state.queue, block->buffer, target->buffer, (uint64_t)from, (uint64_t)to, bytes,
        0, NULL, NULL);
}

/* Cells of the device at most four dimensions; offsets and strides in cells. */
static int32_t fun_device_cells(uint32_t kind, const struct fun_device_block *dest, int64_t to,
    const struct fun_device_block *source, int64_t from, uint64_t rank, const int64_t *dims) {
    int64_t sizes[4] = {1, 1, 1, 1}, steps[8] = {0}, count = 1;
    for (uint64_t k = 0; k < rank; k++) {
        const uint64_t place = 4 - rank + k;
        sizes[place] = dims[3 * k];
        steps[place] = dims[3 * k + 1];
        steps[4 + place] = dims[3 * k + 2];
        count *= dims[3 * k];
    }
    const int64_t numbers[] = {to, from, count, sizes[1], sizes[2], sizes[3], steps[0], steps[1], steps[2], steps[3], steps[4],
        steps[5], steps[6], steps[7]};
    const fun_cl kernel = fun_cl_state.copies[kind];
    int32_t code = fun_cl_state.clSetKernelArg(kernel, 0, sizeof dest->buffer, &dest->buffer);
    if (code == 0) {
        code = fun_cl_state.clSetKernelArg(kernel, 1, sizeof source->buffer, &source->buffer);
    }
    for (uint32_t k = 0; k < 14 && code == 0; k++) {
        code = fun_cl_state.clSetKernelArg(kernel, 2 + k, sizeof numbers[k], &numbers[k]);
    }
    const size_t width = 256, all = ((uint64_t)count + width - 1) / width * width;
    if (code == 0) {
        code = fun_cl_state.clEnqueueNDRangeKernel(fun_cl_state.queue, kernel, 1, NULL, &all, &width, 0, NULL, NULL);
    }
    return code;
}

/* The outer dimensions one after another, until what is left is a row or few enough dimensions of the device. */
static int32_t fun_device_rows(int64_t element, void *dest, bool dest_remote, int64_t to, const void *source, bool source_remote,
    int64_t from, uint64_t rank, const int64_t *dims) {
    if (rank == 0 || (rank == 1 && dims[1] == 1 && dims[2] == 1)) {
        const int64_t cells = rank == 0 ? 1 : dims[0];
        return fun_device_row(dest, dest_remote, to * element, source, source_remote, from * element, (uint64_t)(cells * element));
    }
    const uint32_t kind = element == 1 ? 0 : element == 2 ? 1 : element == 4 ? 2 : 3;
    if (dest_remote && source_remote && rank <= 4) {
        return fun_device_cells(kind, dest, to, source, from, rank, dims);
    }
    int32_t code = 0;
    for (int64_t k = 0; k < dims[0] && code == 0; k++) {
        code = fun_device_rows(element, dest, dest_remote, to + k * dims[1], source, source_remote, from + k * dims[2], rank - 1,
            dims + 3);
    }
    return code;
}

/* As `fun_copy`, where at least one side is remote: on the device. */
FUN_RUNTIME uint32_t fun_device_copy(struct fun_context *context, int64_t element, void *dest, bool dest_remote,
    int64_t dest_offset, const void *source, bool source_remote, int64_t source_offset, uint64_t rank, const int64_t *dims) {
    int64_t merged[3 * (rank + 1)], cells = 1;
    uint64_t count = 0;
    for (uint64_t k = 0; k < rank; k++) {
        const int64_t size = dims[3 * k], to = dims[3 * k + 1], from = dims[3 * k + 2];
        if (size <= 0) {
            return 0;
        }
        cells *= size;
        int64_t *outer = merged + 3 * (count == 0 ? 0 : count - 1);
        if (size == 1) {
            continue;
        }
        /* dimensions that step alike are one */
        if (count > 0 && outer[1] == size * to && outer[2] == size * from) {
            outer[0] *= size;
            outer[1] = to;
            outer[2] = from;
        } else {
            merged[3 * count] = size;
            merged[3 * count + 1] = to;
            merged[3 * count + 2] = from;
            count++;
        }
    }
    atomic_fetch_add_explicit(&context->copied_bytes, (uint64_t)(cells * element), memory_order_relaxed);
    pthread_mutex_lock(&fun_cl_mutex);
    const int32_t code =
        fun_device_rows(element, dest, dest_remote, dest_offset, source, source_remote, source_offset, count, merged);
    pthread_mutex_unlock(&fun_cl_mutex);
    return code == 0 ? 0 : fun_device_failed(context, "copying", code);
}

/* Sets the parameters of a kernel and enqueues it. */
static int32_t fun_device_enqueue(uint32_t number, int64_t blocks, uint64_t threads, bool stops, uint32_t count,
    const struct fun_kernel_argument *arguments) {
    const fun_cl kernel = fun_cl_state.kernels[number];
    uint32_t place = 0;
    int32_t code = 0;
    if (stops) {
        code = fun_cl_state.clSetKernelArg(kernel, place++, sizeof fun_cl_state.failure, &fun_cl_state.failure);
    }
    for (uint32_t k = 0; k < count && code == 0; k++) {
        const struct fun_device_block *block = arguments[k].value;
        if (arguments[k].bytes != 0) {
            code = fun_cl_state.clSetKernelArg(kernel, place++, arguments[k].bytes, arguments[k].value);
        } else {
            const fun_cl buffer = block == NULL ? NULL : block->buffer;
            code = fun_cl_state.clSetKernelArg(kernel, place++, sizeof buffer, &buffer);
        }
    }
    const size_t width = threads, all = (uint64_t)blocks * threads;
    if (code == 0) {
        code = fun_cl_state.clEnqueueNDRangeKernel(fun_cl_state.queue, kernel, 1, NULL, &all, &width, 0, NULL, NULL);
    }
    return code;
}

/* Runs a kernel on so many blocks of threads; waits for it if it can stop the run. */
FUN_RUNTIME uint32_t fun_launch(struct fun_context *context, uint32_t kernel, int64_t blocks, uint64_t threads, bool stops,
    uint32_t count, const struct fun_kernel_argument *arguments) {
    if (fun_stopped(context)) {
        return 1;
    }
    if (blocks <= 0) {
        return 0;
    }
    int64_t words[FUN_FAILURE_WORDS] = {0};
    pthread_mutex_lock(&fun_cl_mutex);
    int32_t code = fun_device_enqueue(kernel, blocks, threads, stops, count, arguments);
    if (stops && code == 0) {
        code = fun_cl_state.clEnqueueReadBuffer(fun_cl_state.queue, fun_cl_state.failure, FUN_CL_TRUE, 0, sizeof words, words, 0,
            NULL, NULL);
        if (code == 0 && words[0] != 0) {
            const int64_t zeros[FUN_FAILURE_WORDS] = {0};
            code = fun_cl_state.clEnqueueWriteBuffer(fun_cl_state.queue, fun_cl_state.failure, FUN_CL_TRUE, 0, sizeof zeros,
                zeros, 0, NULL, NULL);
        }
    }
    pthread_mutex_unlock(&fun_cl_mutex);
    if (code != 0) {
        return fun_device_failed(context, fun_kernel_names[kernel], code);
    }
    if (words[0] != 0) {
        fun_fail(context, (uint32_t)words[0] - 1, (uint32_t)words[1], words + 2);
        return 1;
    }
    return 0;
}
