/* The driver of a program with kernels: OpenCL 1.2. The library is loaded when it is used, and there is one device, queue and program
   for all contexts of the process; the queue is in order, so that kernels and copies wait for those before them. */

#define FUN_DRIVER "OpenCL"

typedef struct fun_cl_object *fun_cl;
typedef fun_cl fun_buffer;
#define FUN_CL_FUNCTIONS(call) \
    call(int32_t, clGetPlatformIDs, (uint32_t, fun_cl *, uint32_t *)) \
    call(int32_t, clGetDeviceIDs, (fun_cl, uint64_t, uint32_t, fun_cl *, uint32_t *)) \
    call(int32_t, clGetDeviceInfo, (fun_cl, uint32_t, size_t, void *, size_t *)) \
    call(fun_cl, clCreateContext, (const intptr_t *, uint32_t, const fun_cl *, void *, void *, int32_t *)) \
    call(fun_cl, clCreateCommandQueue, (fun_cl, fun_cl, uint64_t, int32_t *)) \
    call(fun_cl, clCreateProgramWithSource, (fun_cl, uint32_t, const char **, const size_t *, int32_t *)) \
    call(fun_cl, clCreateProgramWithBinary, \
        (fun_cl, uint32_t, const fun_cl *, const size_t *, const unsigned char **, int32_t *, int32_t *)) \
    call(int32_t, clBuildProgram, (fun_cl, uint32_t, const fun_cl *, const char *, void *, void *)) \
    call(int32_t, clGetProgramBuildInfo, (fun_cl, fun_cl, uint32_t, size_t, void *, size_t *)) \
    call(int32_t, clGetProgramInfo, (fun_cl, uint32_t, size_t, void *, size_t *)) \
    call(int32_t, clReleaseProgram, (fun_cl)) \
    call(fun_cl, clCreateKernel, (fun_cl, const char *, int32_t *)) \
    call(int32_t, clReleaseKernel, (fun_cl)) \
    call(int32_t, clSetKernelArg, (fun_cl, uint32_t, size_t, const void *)) \
    call(fun_cl, clCreateBuffer, (fun_cl, uint64_t, size_t, void *, int32_t *)) \
    call(int32_t, clReleaseMemObject, (fun_cl)) \
    call(int32_t, clEnqueueNDRangeKernel, \
        (fun_cl, fun_cl, uint32_t, const size_t *, const size_t *, const size_t *, uint32_t, const fun_cl *, fun_cl *)) \
    call(int32_t, clFinish, (fun_cl)) \
    call(int32_t, clWaitForEvents, (uint32_t, const fun_cl *)) \
    call(int32_t, clGetEventProfilingInfo, (fun_cl, uint32_t, size_t, void *, size_t *)) \
    call(int32_t, clReleaseEvent, (fun_cl)) \
    call(int32_t, clEnqueueReadBuffer, \
        (fun_cl, fun_cl, uint32_t, size_t, size_t, void *, uint32_t, const fun_cl *, fun_cl *)) \
    call(int32_t, clEnqueueWriteBuffer, \
        (fun_cl, fun_cl, uint32_t, size_t, size_t, const void *, uint32_t, const fun_cl *, fun_cl *)) \
    call(int32_t, clEnqueueFillBuffer, \
        (fun_cl, fun_cl, const void *, size_t, size_t, size_t, uint32_t, const fun_cl *, fun_cl *)) \
    call(int32_t, clEnqueueCopyBuffer, \
        (fun_cl, fun_cl, fun_cl, size_t, size_t, size_t, uint32_t, const fun_cl *, fun_cl *))

#define FUN_CL_POINTER(result, name, parameters) result(*name) parameters;
#define FUN_CL_TRUE 1

static struct {
    FUN_CL_FUNCTIONS(FUN_CL_POINTER)
    fun_cl device, context, queue, kernels[FUN_KERNELS];
} fun_cl_state;

/* What a code is called; there are no names but in the header. */
static const char *fun_driver_error(int32_t code) {
    (void)code;
    return "";
}

/* Makes the driver ready for calls by this thread. */
static int32_t fun_driver_enter(void) {
    return 0;
}

/* Waits until all is done that was asked for in the queue. */
FUN_HELPER int32_t fun_driver_wait(void) {
    return fun_cl_state.clFinish(fun_cl_state.queue);
}

/* Waits for the last kernels: PoCL compiles one in a thread of its own when it comes to run, and the end of the process takes the compiler apart. */
static void fun_driver_end(void) {
    fun_driver_wait();
}

/* Whether so many bytes of two blocks have any in common: those of a buffer, as parts of one are not told from others. */
FUN_HELPER bool fun_driver_meet(fun_buffer one, uint64_t one_bytes, fun_buffer two, uint64_t two_bytes) {
    return one == two && one_bytes > 0 && two_bytes > 0;
}

static int32_t fun_driver_make(uint64_t bytes, fun_buffer *buffer) {
    int32_t code = 0;
    *buffer = fun_cl_state.clCreateBuffer(fun_cl_state.context, 1, bytes, NULL, &code);
    return code;
}

static void fun_driver_drop(fun_buffer buffer) {
    fun_cl_state.clReleaseMemObject(buffer);
}

/* Bytes from a block to the host, when all before is done. */
static int32_t fun_driver_read(fun_buffer buffer, uint64_t from, uint64_t bytes, void *to) {
    return fun_cl_state.clEnqueueReadBuffer(fun_cl_state.queue, buffer, FUN_CL_TRUE, from, bytes, to, 0, NULL, NULL);
}

/* Bytes from the host to a block; they are the caller's again when this returns. */
static int32_t fun_driver_write(fun_buffer buffer, uint64_t to, uint64_t bytes, const void *from) {
    return fun_cl_state.clEnqueueWriteBuffer(fun_cl_state.queue, buffer, FUN_CL_TRUE, to, bytes, from, 0, NULL, NULL);
}

/* A cell of 1, 2, 4 or 8 bytes; nothing waits. */
static int32_t fun_driver_fill(fun_buffer buffer, uint64_t to, uint64_t bytes, const void *cell) {
    return fun_cl_state.clEnqueueFillBuffer(fun_cl_state.queue, buffer, cell, bytes, to, bytes, 0, NULL, NULL);
}

/* Bytes from a block to another, or to other bytes of the same one. */
static int32_t fun_driver_copy(fun_buffer target, uint64_t to, fun_buffer source, uint64_t from, uint64_t bytes) {
    return fun_cl_state.clEnqueueCopyBuffer(fun_cl_state.queue, source, target, from, to, bytes, 0, NULL, NULL);
}

/* Enqueues a kernel with its parameters, whose blocks are buffers. Where its time is asked for, this waits for its end. */
static int32_t fun_driver_launch(uint32_t number, int64_t blocks, uint64_t threads, uint32_t count,
    const struct fun_kernel_argument *arguments) {
    const fun_cl kernel = fun_cl_state.kernels[number];
    for (uint32_t k = 0; k < count; k++) {
        const int32_t code = fun_cl_state.clSetKernelArg(kernel, k, arguments[k].bytes, arguments[k].value);
        if (code != 0) {
            return code;
        }
    }
    const size_t width = threads, all = (uint64_t)blocks * threads;
    fun_cl event = NULL;
    int32_t code = fun_cl_state.clEnqueueNDRangeKernel(fun_cl_state.queue, kernel, 1, NULL, &all, &width, 0, NULL,
        fun_device_state.timed ? &event : NULL);
    if (!fun_device_state.timed || code != 0) {
        return code;
    }
    uint64_t begin = 0, end = 0;
    code = fun_cl_state.clWaitForEvents(1, &event);
    if (code == 0) {
        code = fun_cl_state.clGetEventProfilingInfo(event, 0x1282, sizeof begin, &begin, NULL);
    }
    if (code == 0) {
        code = fun_cl_state.clGetEventProfilingInfo(event, 0x1283, sizeof end, &end, NULL);
    }
    fun_cl_state.clReleaseEvent(event);
    fun_device_state.microseconds[number] += (double)(end - begin) / 1e3;
    return code;
}

/* Kernels are timed when they are launched. */
static int32_t fun_driver_times(void) {
    return 0;
}

/* The first device of the platforms: one that is no processor, or else any. */
static bool fun_cl_find_device(void) {
    fun_cl platforms[16];
    uint32_t count = 0;
    if (fun_cl_state.clGetPlatformIDs(16, platforms, &count) != 0 || count == 0) {
        fun_device_says("no OpenCL device: there is no platform (driver)");
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
    fun_device_says("no OpenCL device: no platform has one");
    return false;
}

/* The text that the device answers to a question, before a line end. */
static void fun_cl_about(uint32_t question, char *said, size_t room) {
    char answer[256] = "";
    fun_cl_state.clGetDeviceInfo(fun_cl_state.device, question, sizeof answer - 1, answer, NULL);
    const size_t length = strlen(said);
    snprintf(said + length, room - length, "%s\n", answer);
}

/* Makes the kernels of a compiled program; those of none if one is missing. */
static int32_t fun_cl_make_kernels(fun_cl program) {
    int32_t code = 0;
    for (uint32_t k = 0; k < FUN_KERNELS && code == 0; k++) {
        fun_cl_state.kernels[k] = fun_cl_state.clCreateKernel(program, fun_kernel_names[k], &code);
        for (uint32_t made = 0; code != 0 && made < k; made++) {
            fun_cl_state.clReleaseKernel(fun_cl_state.kernels[made]);
        }
    }
    return code;
}

/* Makes the kernels from the code that is kept for a purpose, if there is some that the driver takes. */
static bool fun_cl_take_kept(const char *purpose, const char *options) {
    size_t bytes = 0;
    char *kept = fun_kept_kernels(purpose, &bytes);
    if (kept == NULL) {
        return false;
    }
    const unsigned char *binary = (const unsigned char *)kept;
    int32_t status = 0, code = 0;
    fun_cl program = fun_cl_state.clCreateProgramWithBinary(
        fun_cl_state.context, 1, &fun_cl_state.device, &bytes, &binary, &status, &code);
    free(kept);
    if (code != 0) {
        return false;
    }
    code = status != 0 ? status : fun_cl_state.clBuildProgram(program, 1, &fun_cl_state.device, options, NULL, NULL);
    if (code == 0) {
        code = fun_cl_make_kernels(program);
    }
    if (code != 0) {
        fun_cl_state.clReleaseProgram(program);
    }
    return code == 0;
}

/* Keeps the code of a compiled program, which has one device. Nobody asks for code that is not kept: PoCL compiles all kernels to answer, for work-groups
   of any size, and those that are launched once more, for their size. */
static void fun_cl_keep(fun_cl program, const char *purpose) {
    char path[4096];
    size_t bytes = 0;
    if (!fun_kernel_path(purpose, path, sizeof path) ||
        fun_cl_state.clGetProgramInfo(program, 0x1165, sizeof bytes, &bytes, NULL) != 0 || bytes == 0) {
        return;
    }
    char *code = malloc(bytes);
    if (code != NULL && fun_cl_state.clGetProgramInfo(program, 0x1166, sizeof code, &code, NULL) == 0) {
        fun_keep_kernels(purpose, code, bytes);
    }
    free(code);
}

/* Makes the kernels from their text; the code is kept. */
static bool fun_cl_compile(const char *purpose, const char *options) {
    const char *text = fun_kernel_text;
    int32_t code = 0;
    fun_cl program = fun_cl_state.clCreateProgramWithSource(fun_cl_state.context, 1, &text, NULL, &code);
    if (code != 0) {
        fun_device_refused("making a program", code);
        return false;
    }
    code = fun_cl_state.clBuildProgram(program, 1, &fun_cl_state.device, options, NULL, NULL);
    if (code != 0) {
        char said[sizeof fun_device_state.error / 2] = "";
        fun_cl_state.clGetProgramBuildInfo(program, fun_cl_state.device, 0x1183, sizeof said - 1, said, NULL);
        fun_device_says("OpenCL does not compile the kernels:\n%s", said);
        return false;
    }
    code = fun_cl_make_kernels(program);
    if (code != 0) {
        fun_device_refused("making a kernel", code);
        return false;
    }
    fun_cl_keep(program, purpose);
    return true;
}

/* Loads the library, finds a device and compiles the kernels. */
static bool fun_driver_start(void) {
    void *library = fun_device_library("libOpenCL.so.1", "libOpenCL.so", NULL);
    if (library == NULL) {
        fun_device_says("no OpenCL: libOpenCL.so.1 can't be loaded");
        return false;
    }
#define FUN_CL_LOAD(result, name, parameters) \
    *(void **)&fun_cl_state.name = dlsym(library, #name); \
    if (fun_cl_state.name == NULL) { \
        fun_device_says("no OpenCL: the library has no " #name); \
        return false; \
    }
    FUN_CL_FUNCTIONS(FUN_CL_LOAD)
    if (!fun_cl_find_device()) {
        return false;
    }
    int32_t code = 0;
    fun_cl_state.context = fun_cl_state.clCreateContext(NULL, 1, &fun_cl_state.device, NULL, NULL, &code);
    if (code == 0) {
        fun_cl_state.queue = fun_cl_state.clCreateCommandQueue(fun_cl_state.context, fun_cl_state.device,
            fun_device_state.timed ? 2 : 0, &code);
    }
    if (code != 0) {
        fun_device_refused("making a context and a queue", code);
        return false;
    }
    /* division and square root of floats are rounded as everywhere else, where the device can do that */
    uint64_t floats = 0;
    fun_cl_state.clGetDeviceInfo(fun_cl_state.device, 0x101b, sizeof floats, &floats, NULL);
    /* a device of one compute unit may run one block at a time: none could serve the others */
    uint64_t kind = 0;
    uint32_t units = 0;
    fun_cl_state.clGetDeviceInfo(fun_cl_state.device, 0x1000, sizeof kind, &kind, NULL);
    fun_cl_state.clGetDeviceInfo(fun_cl_state.device, 0x1002, sizeof units, &units, NULL);
    fun_device_state.serves = (kind & 1 << 2) && units > 1;
    char options[128];
    snprintf(options, sizeof options, "-cl-std=CL1.2 -w%s%s", floats & 1 << 7 ? " -cl-fp32-correctly-rounded-divide-sqrt" : "",
        fun_device_state.serves ? " -DFUN_SERVED=1" : "");
    char purpose[1024] = "";
    snprintf(purpose, sizeof purpose, "OpenCL %s\n", options);
    /* the names of vendor and device, and the versions of driver and device */
    static const uint32_t questions[] = {0x102c, 0x102b, 0x102d, 0x102f};
    for (uint32_t k = 0; k < 4; k++) {
        fun_cl_about(questions[k], purpose, sizeof purpose);
    }
    fun_device_state.kept = fun_cl_take_kept(purpose, options);
    return fun_device_state.kept || fun_cl_compile(purpose, options);
}
