/* The memory of arrays where these stay on a device from call to call: a block is a `struct fun_device_block`.
   `host_memory.c` says what each function does. */

enum { FUN_ON_HOST = false };
/* What the driver calls a block. */
typedef fun_buffer fun_raw;

/* Makes the driver ready for a call of this thread alone. */
static int32_t fun_begin_driver(void) {
    pthread_mutex_lock(&fun_device_mutex);
    return fun_driver_enter();
}

/* Ends that; where the driver refused the call, that is the last error. */
static int fun_end_driver(struct futhark_context *ctx, const char *what, int32_t code) {
    char *text = NULL;
    if (code != 0) {
        fun_device_refused(what, code);
        text = fun_text("Error: %s", fun_device_state.error);
    }
    pthread_mutex_unlock(&fun_device_mutex);
    return code == 0 ? FUTHARK_SUCCESS : fun_error(ctx, FUN_OTHER_ERROR, text);
}

FUN_HELPER bool fun_has_memory(struct futhark_context *ctx) {
    const char *missing = fun_device_open();
    if (missing != NULL) {
        fun_error(ctx, FUN_OTHER_ERROR, fun_text("Error: %s", missing));
    }
    return missing == NULL;
}

/* Waits until the device has done what was asked of it, by this library and by others in its context. */
FUN_API int futhark_context_sync(struct futhark_context *ctx) {
    if (!fun_has_memory(ctx)) {
        return FUN_OTHER_ERROR;
    }
    /* other threads may go on meanwhile */
    int32_t code = fun_driver_enter();
    code = code == 0 ? fun_driver_wait() : code;
    pthread_mutex_lock(&fun_device_mutex);
    return fun_end_driver(ctx, "waiting", code);
}

static void *fun_loose_block(struct futhark_context *ctx, size_t bytes) {
    if (fun_is_over_limit(ctx, bytes) || fun_device_open() != NULL) {
        return NULL;
    }
    return fun_device_block_for(bytes);
}

static void fun_free_loose_block(struct futhark_context *ctx, void *block) {
    (void)ctx;
    if (block != NULL) {
        fun_device_return(block);
    }
}

static uint64_t fun_block_bytes(const struct fun_device_block *block) {
    return block == NULL ? 0 : block->counted;
}

FUN_HELPER void *fun_lent_block(fun_raw raw) {
    struct fun_device_block *block = calloc(1, sizeof *block);
    if (block != NULL) {
        block->buffer = raw;
        atomic_init(&block->owners, 1);
    }
    return block;
}

FUN_HELPER void fun_forget_lent_block(void *block) {
    free(block);
}

FUN_HELPER fun_raw fun_raw_of(const struct fun_device_block *block) {
    return block == NULL ? (fun_raw)0 : block->buffer;
}

FUN_HELPER int fun_put(struct futhark_context *ctx, const struct fun_device_block *block, size_t at, const void *from, size_t bytes) {
    int32_t code = fun_begin_driver();
    code = code == 0 ? fun_driver_write(block->buffer, at, bytes, from) : code;
    return fun_end_driver(ctx, "copying to the device", code);
}

FUN_HELPER int fun_get(struct futhark_context *ctx, const struct fun_device_block *block, size_t at, void *to, size_t bytes) {
    int32_t code = fun_begin_driver();
    code = code == 0 ? fun_driver_read(block->buffer, at, bytes, to) : code;
    return fun_end_driver(ctx, "copying from the device", code);
}

FUN_HELPER void *fun_block_of_read(struct futhark_context *ctx, char *start, size_t bytes) {
    void *block = fun_loose_block(ctx, bytes);
    if (block != NULL && bytes > 0 && fun_put(ctx, block, 0, fun_data_at(start), bytes) != 0) {
        fun_free_loose_block(ctx, block);
        block = NULL;
    }
    free(start);
    return block;
}

FUN_HELPER const void *fun_look(struct futhark_context *ctx, const struct fun_device_block *block, size_t bytes) {
    void *copy = malloc(bytes + 1);
    if (copy == NULL) {
        fun_error(ctx, FUTHARK_OUT_OF_MEMORY, fun_text("Error: no memory for %llu bytes of the device", (unsigned long long)bytes));
    } else if (bytes > 0 && fun_get(ctx, block, 0, copy, bytes) != 0) {
        free(copy);
        copy = NULL;
    }
    return copy;
}

FUN_HELPER void fun_looked(const void *bytes) {
    free((void *)(uintptr_t)bytes);
}

static int fun_move(struct futhark_context *ctx, const struct fun_device_block *block, size_t at, const struct fun_device_block *from,
    size_t from_at, size_t bytes) {
    int32_t code = fun_begin_driver();
    code = code == 0 ? fun_driver_copy(block->buffer, at, from->buffer, from_at, bytes) : code;
    return fun_end_driver(ctx, "copying on the device", code);
}

static bool fun_meet(const struct fun_device_block *one, size_t one_bytes, const struct fun_device_block *two, size_t two_bytes) {
    return one != NULL && two != NULL && fun_driver_meet(one->buffer, one_bytes, two->buffer, two_bytes);
}

static void *fun_block_of_run(struct fun_context *run, uint64_t bytes) {
    return fun_device_allocate(run, 0, false, bytes, 0, NULL);
}

static void fun_disown(struct fun_context *run, void *block) {
    fun_device_free(run, block);
}

static void fun_take_from_run(struct fun_context *run, struct fun_device_block *block) {
    fun_device_leave(run, block);
}
