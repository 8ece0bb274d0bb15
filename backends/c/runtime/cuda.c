/* The driver of a program with kernels: CUDA's, with NVRTC to compile them. Both libraries are loaded when they are used. All contexts of
   the process use the first device, its primary context (which other libraries in the process share) and that one's default stream, which
   is in order, so that kernels and copies wait for those before them. */

#define FUN_DRIVER "CUDA"

typedef uint64_t fun_buffer;
typedef struct fun_cu_object *fun_cu;
#define FUN_CU_FUNCTIONS(call) \
    call(cuInit, (uint32_t)) \
    call(cuGetErrorName, (int32_t, const char **)) \
    call(cuDriverGetVersion, (int32_t *)) \
    call(cuDeviceGetCount, (int32_t *)) \
    call(cuDeviceGet, (int32_t *, int32_t)) \
    call(cuDeviceGetName, (char *, int32_t, int32_t)) \
    call(cuDeviceGetAttribute, (int32_t *, int32_t, int32_t)) \
    call(cuDeviceTotalMem_v2, (size_t *, int32_t)) \
    call(cuDevicePrimaryCtxRetain, (fun_cu *, int32_t)) \
    call(cuCtxSetCurrent, (fun_cu)) \
    call(cuCtxSynchronize, (void)) \
    call(cuModuleLoadData, (fun_cu *, const void *)) \
    call(cuModuleUnload, (fun_cu)) \
    call(cuModuleGetFunction, (fun_cu *, fun_cu, const char *)) \
    call(cuEventCreate, (fun_cu *, uint32_t)) \
    call(cuEventRecord, (fun_cu, fun_cu)) \
    call(cuEventSynchronize, (fun_cu)) \
    call(cuEventElapsedTime, (float *, fun_cu, fun_cu)) \
    call(cuLaunchHostFunc, (fun_cu, void (*)(void *), void *)) \
    call(cuMemAlloc_v2, (fun_buffer *, size_t)) \
    call(cuMemFree_v2, (fun_buffer)) \
    call(cuMemcpyDtoH_v2, (void *, fun_buffer, size_t)) \
    call(cuMemcpyHtoD_v2, (fun_buffer, const void *, size_t)) \
    call(cuMemcpyDtoD_v2, (fun_buffer, fun_buffer, size_t)) \
    call(cuMemsetD8_v2, (fun_buffer, unsigned char, size_t)) \
    call(cuMemsetD16_v2, (fun_buffer, unsigned short, size_t)) \
    call(cuMemsetD32_v2, (fun_buffer, unsigned int, size_t)) \
    call(cuLaunchKernel, \
        (fun_cu, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, fun_cu, void **, void **))
#define FUN_NVRTC_FUNCTIONS(call) \
    call(nvrtcVersion, (int32_t *, int32_t *)) \
    call(nvrtcGetNumSupportedArchs, (int32_t *)) \
    call(nvrtcGetSupportedArchs, (int32_t *)) \
    call(nvrtcCreateProgram, (fun_cu *, const char *, const char *, int32_t, const char *const *, const char *const *)) \
    call(nvrtcDestroyProgram, (fun_cu *)) \
    call(nvrtcCompileProgram, (fun_cu, int32_t, const char *const *)) \
    call(nvrtcGetProgramLogSize, (fun_cu, size_t *)) \
    call(nvrtcGetProgramLog, (fun_cu, char *)) \
    call(nvrtcGetCUBINSize, (fun_cu, size_t *)) \
    call(nvrtcGetCUBIN, (fun_cu, char *)) \
    call(nvrtcGetPTXSize, (fun_cu, size_t *)) \
    call(nvrtcGetPTX, (fun_cu, char *))

#define FUN_CU_POINTER(name, parameters) int32_t(*name) parameters;
/* The most parameters that a kernel has here: CUDA takes 4 KiB of them, of 8 bytes each at most. */
#define FUN_CU_PARAMETERS 512
/* Kernels at most that are timed before the host waits for their end. */
#define FUN_CU_TIMED 1024

static struct {
    FUN_CU_FUNCTIONS(FUN_CU_POINTER)
    FUN_NVRTC_FUNCTIONS(FUN_CU_POINTER)
    int32_t device;
    fun_cu context, module, kernels[FUN_KERNELS];
    /* kernels whose times are asked for: events before and behind each, and which it is */
    fun_cu begin[FUN_CU_TIMED], end[FUN_CU_TIMED];
    uint32_t timed[FUN_CU_TIMED], count;
    /* which kernels have run: a first launch may wait for the device, and must not find a gate closed */
    bool ran[FUN_KERNELS];
} fun_cu_state;
/* How many gates before kernels that are timed there have been, and how many of them are open. */
static _Atomic uint64_t fun_cu_gates, fun_cu_open;

/* What a code is called. */
static const char *fun_driver_error(int32_t code) {
    const char *name = NULL;
    return fun_cu_state.cuGetErrorName != NULL && fun_cu_state.cuGetErrorName(code, &name) == 0 && name != NULL ? name : "";
}

/* Makes the driver ready for calls by this thread. */
static int32_t fun_driver_enter(void) {
    return fun_cu_state.cuCtxSetCurrent(fun_cu_state.context);
}

/* Waits until all is done that was asked for in the context. */
FUN_HELPER int32_t fun_driver_wait(void) {
    return fun_cu_state.cuCtxSynchronize();
}

/* Kernels that still run when the process ends are the driver's matter. */
static void fun_driver_end(void) {
}

/* Whether so many bytes of two blocks have any in common. */
FUN_HELPER bool fun_driver_meet(fun_buffer one, uint64_t one_bytes, fun_buffer two, uint64_t two_bytes) {
    return two < one + one_bytes && one < two + two_bytes;
}

static int32_t fun_driver_make(uint64_t bytes, fun_buffer *buffer) {
    return fun_cu_state.cuMemAlloc_v2(buffer, bytes);
}

static void fun_driver_drop(fun_buffer buffer) {
    fun_cu_state.cuMemFree_v2(buffer);
}

/* Bytes from a block to the host, when all before is done. */
static int32_t fun_driver_read(fun_buffer buffer, uint64_t from, uint64_t bytes, void *to) {
    return fun_cu_state.cuMemcpyDtoH_v2(to, buffer + from, bytes);
}

/* Bytes from the host to a block; they are the caller's again when this returns. */
static int32_t fun_driver_write(fun_buffer buffer, uint64_t to, uint64_t bytes, const void *from) {
    return fun_cu_state.cuMemcpyHtoD_v2(buffer + to, from, bytes);
}

/* A cell of 1, 2, 4 or 8 bytes; nothing waits, as nothing is copied. */
static int32_t fun_driver_fill(fun_buffer buffer, uint64_t to, uint64_t bytes, const void *cell) {
    uint32_t words[2] = {0};
    memcpy(words, cell, bytes);
    if (bytes == 1) {
        return fun_cu_state.cuMemsetD8_v2(buffer + to, (unsigned char)words[0], 1);
    }
    if (bytes == 2) {
        return fun_cu_state.cuMemsetD16_v2(buffer + to, (unsigned short)words[0], 1);
    }
    const int32_t code = fun_cu_state.cuMemsetD32_v2(buffer + to, words[0], 1);
    return code != 0 || bytes == 4 ? code : fun_cu_state.cuMemsetD32_v2(buffer + to + 4, words[1], 1);
}

/* Bytes from a block to another, or to other bytes of the same one. */
static int32_t fun_driver_copy(fun_buffer target, uint64_t to, fun_buffer source, uint64_t from, uint64_t bytes) {
    return fun_cu_state.cuMemcpyDtoD_v2(target + to, source + from, bytes);
}

/* Adds the times of the kernels that were timed since, when they have ended. */
static int32_t fun_driver_times(void) {
    int32_t code = 0;
    for (uint32_t k = 0; k < fun_cu_state.count && code == 0; k++) {
        float milliseconds = 0;
        code = fun_cu_state.cuEventSynchronize(fun_cu_state.end[k]);
        if (code == 0) {
            code = fun_cu_state.cuEventElapsedTime(&milliseconds, fun_cu_state.begin[k], fun_cu_state.end[k]);
        }
        fun_device_state.microseconds[fun_cu_state.timed[k]] += 1e3 * (double)milliseconds;
    }
    fun_cu_state.count = 0;
    return code;
}

/* The event before or behind the next kernel that is timed, which is asked for now. */
static int32_t fun_cu_mark(fun_cu *event) {
    const int32_t code = *event == NULL ? fun_cu_state.cuEventCreate(event, 0) : 0;
    return code != 0 ? code : fun_cu_state.cuEventRecord(*event, NULL);
}

/* The device waits here until a gate is open. */
static void fun_cu_gate(void *number) {
    while (atomic_load(&fun_cu_open) < (uint64_t)(uintptr_t)number) {
        sched_yield();
    }
}

/* Enqueues a kernel with its parameters, whose blocks are buffers. Where it is timed, the device begins when all of that has been asked for: else a device
   that has nothing else to do would reach the first event while the host is still at the launch, which would count as the kernel's time. */
static int32_t fun_driver_launch(uint32_t number, int64_t blocks, uint64_t threads, uint32_t count,
    const struct fun_kernel_argument *arguments) {
    void *parameters[FUN_CU_PARAMETERS];
    /* what does not fit is an invalid value to the driver, too */
    if (count > FUN_CU_PARAMETERS || blocks > INT32_MAX) {
        return 1;
    }
    for (uint32_t k = 0; k < count; k++) {
        memcpy(&parameters[k], &arguments[k].value, sizeof parameters[k]);
    }
    const bool timed = fun_device_state.timed;
    int32_t code = timed && fun_cu_state.count == FUN_CU_TIMED ? fun_driver_times() : 0;
    const uint32_t place = fun_cu_state.count;
    if (code == 0 && timed && fun_cu_state.ran[number]) {
        code = fun_cu_state.cuLaunchHostFunc(NULL, fun_cu_gate, (void *)(uintptr_t)(atomic_fetch_add(&fun_cu_gates, 1) + 1));
    }
    if (code == 0 && timed) {
        code = fun_cu_mark(&fun_cu_state.begin[place]);
    }
    if (code == 0) {
        code = fun_cu_state.cuLaunchKernel(fun_cu_state.kernels[number], (uint32_t)blocks, 1, 1, (uint32_t)threads, 1, 1, 0, NULL,
            parameters, NULL);
    }
    if (code == 0 && timed) {
        code = fun_cu_mark(&fun_cu_state.end[place]);
        fun_cu_state.timed[place] = number;
        fun_cu_state.count += code == 0;
    }
    atomic_store(&fun_cu_open, atomic_load(&fun_cu_gates));
    fun_cu_state.ran[number] = true;
    return code;
}

/* Loads both libraries. */
static bool fun_cu_load(void) {
    void *library = fun_device_library("libcuda.so.1", "libcuda.so", NULL);
    if (library == NULL) {
        fun_device_says("no CUDA: libcuda.so.1, which NVIDIA's driver brings, can't be loaded");
        return false;
    }
    const char *of = "libcuda.so.1";
#define FUN_CU_LOAD(name, parameters) \
    *(void **)&fun_cu_state.name = dlsym(library, #name); \
    if (fun_cu_state.name == NULL) { \
        fun_device_says("no CUDA: %s has no %s", of, #name); \
        return false; \
    }
    FUN_CU_FUNCTIONS(FUN_CU_LOAD)
    library = fun_device_library("libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so");
    of = "libnvrtc.so";
    if (library == NULL) {
        fun_device_says("no CUDA: libnvrtc.so.13 or libnvrtc.so.12, CUDA's compiler of kernels, can't be loaded");
        return false;
    }
    FUN_NVRTC_FUNCTIONS(FUN_CU_LOAD)
    return true;
}

/* The newest architecture that NVRTC knows and that is no newer than the device's, as a number such as 90; 0 if there is none. */
static int32_t fun_cu_architecture(int32_t device) {
    int32_t count = 0, best = 0;
    if (fun_cu_state.nvrtcGetNumSupportedArchs(&count) != 0 || count <= 0) {
        return 0;
    }
    int32_t known[count];
    if (fun_cu_state.nvrtcGetSupportedArchs(known) != 0) {
        return 0;
    }
    for (int32_t k = 0; k < count; k++) {
        best = known[k] <= device && known[k] > best ? known[k] : best;
    }
    return best;
}

/* How kernels are compiled: for an architecture, to its machine code or to PTX. */
struct fun_cu_target {
    bool exact;
    const char *options[4];
    char architecture[64], purpose[512];
};

/* Finds that out for the device, and what the code is for then. */
static bool fun_cu_find_target(struct fun_cu_target *target) {
    int32_t major = 0, minor = 0;
    /* the two numbers of the device's compute capability */
    fun_cu_state.cuDeviceGetAttribute(&major, 75, fun_cu_state.device);
    fun_cu_state.cuDeviceGetAttribute(&minor, 76, fun_cu_state.device);
    const int32_t device = 10 * major + minor, architecture = fun_cu_architecture(device);
    if (architecture == 0) {
        fun_device_says("no CUDA: libnvrtc.so compiles for no device of compute capability %d.%d", major, minor);
        return false;
    }
    target->exact = architecture == device;
    snprintf(target->architecture, sizeof target->architecture, "--gpu-architecture=%s_%d", target->exact ? "sm" : "compute",
        architecture);
    target->options[0] = target->architecture;
    target->options[1] = "--std=c++17";
    /* sums of products are rounded twice, as everywhere else */
    target->options[2] = "--fmad=false";
    /* a device of one multiprocessor may run one block at a time: none could serve the others */
    int32_t multiprocessors = 0;
    fun_cu_state.cuDeviceGetAttribute(&multiprocessors, 16, fun_cu_state.device);
    fun_device_state.serves = multiprocessors > 1;
    target->options[3] = fun_device_state.serves ? "-DFUN_SERVED=1" : "-DFUN_SERVED=0";
    char name[256] = "";
    int32_t driver = 0, compiler[2] = {0};
    fun_cu_state.cuDeviceGetName(name, sizeof name - 1, fun_cu_state.device);
    fun_cu_state.cuDriverGetVersion(&driver);
    fun_cu_state.nvrtcVersion(&compiler[0], &compiler[1]);
    snprintf(target->purpose, sizeof target->purpose, "CUDA %d, NVRTC %d.%d, %s %s %s %s\n%s\n", (int)driver, (int)compiler[0],
        (int)compiler[1], target->options[0], target->options[1], target->options[2], target->options[3], name);
    return true;
}

/* The kernels as machine code of so many bytes, or as PTX where NVRTC does not know the device; NULL if that fails. */
static char *fun_cu_compile(const struct fun_cu_target *target, size_t *bytes) {
    fun_cu program = NULL;
    int32_t code = fun_cu_state.nvrtcCreateProgram(&program, fun_kernel_text, "kernels.cu", 0, NULL, NULL);
    if (code == 0) {
        code = fun_cu_state.nvrtcCompileProgram(program, 4, target->options);
    }
    if (code != 0) {
        size_t length = 0;
        char *said = NULL;
        if (program != NULL && fun_cu_state.nvrtcGetProgramLogSize(program, &length) == 0) {
            said = calloc(1, length + 1);
        }
        if (said != NULL) {
            fun_cu_state.nvrtcGetProgramLog(program, said);
        }
        fun_device_says("CUDA does not compile the kernels (error %d):\n%s", (int)code, said == NULL ? "" : said);
        free(said);
        return NULL;
    }
    const bool exact = target->exact;
    code = exact ? fun_cu_state.nvrtcGetCUBINSize(program, bytes) : fun_cu_state.nvrtcGetPTXSize(program, bytes);
    char *image = code == 0 ? calloc(1, *bytes + 1) : NULL;
    if (image == NULL || (exact ? fun_cu_state.nvrtcGetCUBIN(program, image) : fun_cu_state.nvrtcGetPTX(program, image)) != 0) {
        fun_device_says("CUDA: there is no code of the kernels");
        free(image);
        return NULL;
    }
    fun_cu_state.nvrtcDestroyProgram(&program);
    return image;
}

/* Loads code and finds the kernels in it; what was loaded is gone if one is missing. */
static int32_t fun_cu_load_kernels(const char *image) {
    int32_t code = fun_cu_state.cuModuleLoadData(&fun_cu_state.module, image);
    if (code != 0) {
        return code;
    }
    for (uint32_t k = 0; k < FUN_KERNELS && code == 0; k++) {
        code = fun_cu_state.cuModuleGetFunction(&fun_cu_state.kernels[k], fun_cu_state.module, fun_kernel_names[k]);
    }
    if (code != 0) {
        fun_cu_state.cuModuleUnload(fun_cu_state.module);
    }
    return code;
}

/* Makes the kernels: from the code that is kept, if there is some that the driver takes, or from their text. */
static bool fun_cu_make_kernels(void) {
    struct fun_cu_target target;
    if (!fun_cu_find_target(&target)) {
        return false;
    }
    size_t bytes = 0;
    char *image = fun_kept_kernels(target.purpose, &bytes);
    fun_device_state.kept = image != NULL && fun_cu_load_kernels(image) == 0;
    free(image);
    if (fun_device_state.kept) {
        return true;
    }
    image = fun_cu_compile(&target, &bytes);
    if (image == NULL) {
        return false;
    }
    const int32_t code = fun_cu_load_kernels(image);
    if (code == 0) {
        fun_keep_kernels(target.purpose, image, bytes);
    } else {
        fun_device_refused("loading the kernels", code);
    }
    free(image);
    return code == 0;
}

/* Loads the libraries, finds a device and compiles the kernels. */
static bool fun_driver_start(void) {
    if (!fun_cu_load()) {
        return false;
    }
    int32_t devices = 0, code = fun_cu_state.cuInit(0);
    if (code == 0) {
        code = fun_cu_state.cuDeviceGetCount(&devices);
    }
    if (code != 0 || devices == 0) {
        fun_device_says("no CUDA device: the driver has none (error %d %s)", (int)code, code == 0 ? "" : fun_driver_error(code));
        return false;
    }
    size_t memory = 0;
    code = fun_cu_state.cuDeviceGet(&fun_cu_state.device, 0);
    if (code == 0) {
        code = fun_cu_state.cuDevicePrimaryCtxRetain(&fun_cu_state.context, fun_cu_state.device);
    }
    if (code == 0) {
        code = fun_driver_enter();
    }
    if (code == 0) {
        code = fun_cu_state.cuDeviceTotalMem_v2(&memory, fun_cu_state.device);
    }
    if (code != 0) {
        fun_device_refused("making a context", code);
        return false;
    }
    /* allocations wait for the device and cost much more than kernels */
    fun_device_state.most_spare = memory / 4;
    return fun_cu_make_kernels();
}
