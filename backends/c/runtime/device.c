/* What a program with kernels asks of its device, by the functions of the driver before this. */

/* A block; programs have its address as its handle. */
struct fun_device_block {
    fun_buffer buffer;
    /* arrays of libraries may be in several runs at once */
    _Atomic int64_t owners;
    uint64_t room, counted;
    struct fun_device_block *next, *previous;
};

/* Writes down what the driver refused. */
static void fun_device_refused(const char *what, int32_t code) {
    const char *name = fun_driver_error(code);
    fun_device_says(FUN_DRIVER ": %s fails with error %d%s%s", what, (int)code, *name == 0 ? "" : " ", name);
}

/* Records that the driver refused something; gives 1. */
static uint32_t fun_device_failed(struct fun_context *context, const char *what, int32_t code) {
    fun_device_refused(what, code);
    const struct fun_failure failure = {.reason = FUN_DEVICE, .told = fun_device_state.error};
    fun_record(context, &failure);
    return 1;
}

static void fun_device_drop(struct fun_device_block *block) {
    fun_driver_drop(block->buffer);
    free(block);
}

/* Keeps a free block for others, or lets it go. */
static void fun_device_keep(struct fun_device_block *block) {
    if (block->room > fun_device_state.most_spare - fun_device_state.spare_bytes) {
        fun_device_drop(block);
        return;
    }
    fun_device_state.spare_bytes += block->room;
    block->next = fun_device_state.spare;
    fun_device_state.spare = block;
}

/* Says how often each kernel ran since this was said before, and how long in all. */
static void fun_device_tell_times(void) {
    const int32_t code = fun_driver_times();
    if (code != 0) {
        fprintf(stderr, "what the kernels took is not known (error %d)\n", (int)code);
    }
    for (uint32_t k = 0; k < FUN_KERNELS; k++) {
        if (fun_device_state.launches[k] > 0) {
            fprintf(stderr, "kernel %s: %llu launches, %.1f us\n", fun_kernel_names[k],
                (unsigned long long)fun_device_state.launches[k], fun_device_state.microseconds[k]);
        }
        fun_device_state.launches[k] = 0;
        fun_device_state.microseconds[k] = 0;
    }
}

/* The blocks of a run that is over. */
static void fun_device_release(struct fun_context *context) {
    pthread_mutex_lock(&fun_device_mutex);
    fun_driver_enter();
    if (fun_device_state.timed) {
        fun_device_tell_times();
    }
    for (struct fun_device_block *block = context->device_blocks, *next; block != NULL; block = next) {
        next = block->next;
        fun_device_keep(block);
    }
    context->device_blocks = NULL;
    /* the next run needs zeros there */
    if (context->device_failure != NULL) {
        if (context->device_failed || context->device_pending > 0 || fun_device_state.failure != NULL) {
            fun_device_drop(context->device_failure);
        } else {
            fun_device_state.failure = context->device_failure;
        }
        context->device_failure = NULL;
    }
    pthread_mutex_unlock(&fun_device_mutex);
}

/* Comes before this code is unloaded, or the process ends. A run may be over before its last kernels are: nobody waits for what nobody reads. */
static void fun_device_end(void) {
    if (fun_device_state.ready && fun_driver_enter() == 0) {
        fun_driver_end();
    }
}

/* A spare block for so many bytes, that is not much larger; NULL if there is none. */
static struct fun_device_block *fun_device_take(uint64_t bytes) {
    struct fun_device_block **place = &fun_device_state.spare;
    while (*place != NULL && ((*place)->room < bytes || (*place)->room / 4 * 3 > bytes)) {
        place = &(*place)->next;
    }
    struct fun_device_block *block = *place;
    if (block != NULL) {
        *place = block->next;
        fun_device_state.spare_bytes -= block->room;
    }
    return block;
}

/* Lets all spare blocks go. */
static void fun_device_trim(void) {
    for (struct fun_device_block *block = fun_device_state.spare, *next; block != NULL; block = next) {
        next = block->next;
        fun_device_drop(block);
    }
    fun_device_state.spare = NULL;
    fun_device_state.spare_bytes = 0;
}

/* A fresh block with room for so many bytes; NULL if the device has none. */
static struct fun_device_block *fun_device_make(uint64_t bytes) {
    struct fun_device_block *block = fun_device_take(bytes);
    if (block != NULL) {
        return block;
    }
    block = calloc(1, sizeof *block);
    if (block == NULL) {
        return NULL;
    }
    block->room = bytes;
    if (fun_driver_make(bytes, &block->buffer) != 0) {
        fun_device_trim();
        if (fun_driver_make(bytes, &block->buffer) != 0) {
            free(block);
            return NULL;
        }
    }
    return block;
}

/* A fresh block for so many bytes, with one owner; NULL if the device has none. */
static struct fun_device_block *fun_device_block_for(uint64_t bytes) {
    /* whole words: an atomic of a narrow cell takes the word that it lies in */
    const uint64_t room = bytes < 16 ? 16 : (bytes + 3) / 4 * 4;
    pthread_mutex_lock(&fun_device_mutex);
    struct fun_device_block *block = fun_driver_enter() == 0 ? fun_device_make(room) : NULL;
    pthread_mutex_unlock(&fun_device_mutex);
    if (block != NULL) {
        atomic_init(&block->owners, 1);
        block->counted = bytes;
    }
    return block;
}

/* Keeps a block that no run has, for others. */
static void fun_device_return(struct fun_device_block *block) {
    pthread_mutex_lock(&fun_device_mutex);
    fun_driver_enter();
    fun_device_keep(block);
    pthread_mutex_unlock(&fun_device_mutex);
}

/* Takes a block from the run that made it, which it outlives. */
static void fun_device_leave(struct fun_context *context, struct fun_device_block *block) {
    if (block->previous == NULL) {
        context->device_blocks = block->next;
    } else {
        block->previous->next = block->next;
    }
    if (block->next != NULL) {
        block->next->previous = block->previous;
    }
    context->bytes -= block->counted;
}

/* Finds the device, compiles the kernels and makes what all runs need. */
static bool fun_device_start(void) {
    fun_device_state.timed = getenv("FUN_DEVICE_TIMES") != NULL;
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    if (!fun_driver_start()) {
        return false;
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    if (fun_device_state.timed) {
        fprintf(stderr, "device ready, kernels %s: %.1f us\n", fun_device_state.kept ? "kept from before" : "compiled",
            (double)(end.tv_sec - begin.tv_sec) * 1e6 + (double)(end.tv_nsec - begin.tv_nsec) / 1e3);
    }
    return true;
}

/* Finds the device, once; NULL, or why there is none. */
FUN_EXPORT const char *fun_device_open(void) {
    pthread_mutex_lock(&fun_device_mutex);
    if (!fun_device_state.tried) {
        fun_device_state.tried = true;
        fun_device_state.ready = fun_device_start();
    }
    const bool ready = fun_device_state.ready;
    pthread_mutex_unlock(&fun_device_mutex);
    return ready ? NULL : fun_device_state.error;
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
    context->end_device = fun_device_end;
    context->loop_allocations += in_loop;
    context->allocations++;
    struct fun_failure failure = {.reason = FUN_OVER_CAP, .site = site, .bytes_low = bytes};
    if (bytes > context->cap || context->bytes > context->cap - bytes) {
        fun_record(context, &failure);
        return NULL;
    }
    struct fun_device_block *block = fun_device_block_for(bytes);
    if (block == NULL) {
        failure.reason = FUN_NO_MEMORY;
        fun_record(context, &failure);
        return NULL;
    }
    block->previous = NULL;
    block->next = context->device_blocks;
    if (block->next != NULL) {
        block->next->previous = block;
    }
    context->device_blocks = block;
    context->allocated_bytes += bytes;
    context->bytes += bytes;
    context->peak = context->bytes > context->peak ? context->bytes : context->peak;
    return block;
}

/* One more owner; nothing for NULL. */
FUN_RUNTIME void fun_device_share(void *handle) {
    struct fun_device_block *block = handle;
    if (block != NULL) {
        atomic_fetch_add_explicit(&block->owners, 1, memory_order_relaxed);
    }
}

/* One owner less; the block dies with its last. Nothing for NULL. */
FUN_RUNTIME void fun_device_free(struct fun_context *context, void *handle) {
    struct fun_device_block *block = handle;
    if (block == NULL || atomic_fetch_sub_explicit(&block->owners, 1, memory_order_acq_rel) != 1) {
        return;
    }
    fun_device_leave(context, block);
    fun_device_return(block);
}

/* The cell at an address, in cells. */
FUN_RUNTIME uint32_t fun_device_read(struct fun_context *context, const void *handle, int64_t at, uint64_t bytes, void *cell) {
    const struct fun_device_block *block = handle;
    if (fun_device_settle(context) != 0) {
        return 1;
    }
    int32_t code = fun_driver_enter();
    if (code == 0) {
        code = fun_driver_read(block->buffer, (uint64_t)at * bytes, bytes, cell);
    }
    return code == 0 ? 0 : fun_device_failed(context, "reading a cell", code);
}

FUN_RUNTIME uint32_t fun_device_write(struct fun_context *context, const void *handle, int64_t at, uint64_t bytes,
    const void *cell) {
    const struct fun_device_block *block = handle;
    int32_t code = fun_driver_enter();
    if (code == 0) {
        code = fun_driver_fill(block->buffer, (uint64_t)at * bytes, bytes, cell);
    }
    return code == 0 ? 0 : fun_device_failed(context, "writing a cell", code);
}

/* Sets the parameters of a kernel, blocks as buffers, and enqueues it. */
static int32_t fun_device_enqueue(uint32_t number, int64_t blocks, uint64_t threads, uint32_t count,
    const struct fun_kernel_argument *arguments) {
    static const fun_buffer none;
    struct fun_kernel_argument given[count + 1];
    for (uint32_t k = 0; k < count; k++) {
        given[k] = arguments[k];
        if (given[k].bytes == 0) {
            const struct fun_device_block *block = arguments[k].value;
            given[k].bytes = sizeof block->buffer;
            given[k].value = block == NULL ? &none : &block->buffer;
        }
    }
    fun_device_state.launches[number] += fun_device_state.timed;
    return fun_driver_launch(number, blocks, threads, count, given);
}

/* Gives a run the words where its kernels write down that they failed, and, behind them, how many blocks have begun (kernels.cl). */
static int32_t fun_device_watch(struct fun_context *context) {
    if (context->device_failure != NULL) {
        return 0;
    }
    context->settle_device = fun_device_settle;
    context->release_device = fun_device_release;
    context->end_device = fun_device_end;
    context->device_failure = fun_device_state.failure;
    fun_device_state.failure = NULL;
    if (context->device_failure != NULL) {
        return 0;
    }
    const int64_t zeros[FUN_FAILURE_WORDS + 1] = {0};
    struct fun_device_block *block = calloc(1, sizeof *block);
    int32_t code = block == NULL ? -1 : fun_driver_make(sizeof zeros, &block->buffer);
    if (code != 0) {
        free(block);
        return code;
    }
    block->room = sizeof zeros;
    context->device_failure = block;
    return fun_driver_write(block->buffer, 0, sizeof zeros, zeros);
}

/* Looks whether a kernel has failed since the host looked, and waits for those that may; not zero if so, and the run has failed. */
FUN_RUNTIME uint32_t fun_device_settle(struct fun_context *context) {
    if (context->device_pending == 0) {
        return 0;
    }
    context->device_pending = 0;
    int64_t words[FUN_FAILURE_WORDS] = {0};
    pthread_mutex_lock(&fun_device_mutex);
    int32_t code = fun_driver_enter();
    if (code == 0) {
        code = fun_driver_read(context->device_failure->buffer, 0, sizeof words, words);
    }
    pthread_mutex_unlock(&fun_device_mutex);
    context->device_failed = code != 0 || words[0] != 0;
    if (code != 0) {
        return fun_device_failed(context, "running the kernels", code);
    }
    if (words[0] != 0) {
        fun_fail(context, (uint32_t)words[0] - 1, (uint32_t)words[1], words + 2);
        return 1;
    }
    return 0;
}

/* The host looks whether a kernel has failed after so many at most, as it might run for ever otherwise. */
#define FUN_DEVICE_PENDING 1024

/* Has a kernel run on so many blocks of threads, when those before it are done. If one of these has failed, it ends at once. */
FUN_RUNTIME uint32_t fun_launch(struct fun_context *context, uint32_t kernel, int64_t blocks, uint64_t threads, uint32_t count,
    const struct fun_kernel_argument *arguments) {
    if (fun_stopped(context)) {
        return 1;
    }
    if (blocks <= 0) {
        return 0;
    }
    const bool watches = fun_kernel_watches[kernel];
    blocks += fun_kernel_serves[kernel] && fun_device_state.serves;
    struct fun_kernel_argument given[count + 1];
    for (uint32_t k = 0; k < count; k++) {
        given[watches + k] = arguments[k];
    }
    pthread_mutex_lock(&fun_device_mutex);
    int32_t code = fun_driver_enter();
    if (code == 0 && watches) {
        code = fun_device_watch(context);
        given[0].bytes = 0;
        given[0].value = context->device_failure;
    }
    if (code == 0) {
        code = fun_device_enqueue(kernel, blocks, threads, watches + count, given);
    }
    pthread_mutex_unlock(&fun_device_mutex);
    if (code != 0) {
        return fun_device_failed(context, fun_kernel_names[kernel], code);
    }
    context->device_pending += fun_kernel_stops[kernel];
    return context->device_pending < FUN_DEVICE_PENDING ? 0 : fun_device_settle(context);
}
