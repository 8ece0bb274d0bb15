/* The memory of arrays where that is the host's: a block is the address of its elements. `device_memory.c` stands in its place in libraries
   and programs whose arrays lie on a device. */

enum { FUN_ON_HOST = true };
/* What callers know a block by. */
typedef void *fun_raw;

/* Whether there can be arrays; otherwise an error is recorded. */
FUN_HELPER bool fun_has_memory(struct futhark_context *ctx) {
    (void)ctx;
    return true;
}

/* All calls have ended when they return. */
FUN_API int futhark_context_sync(struct futhark_context *ctx) {
    (void)ctx;
    return FUTHARK_SUCCESS;
}

/* A fresh block that is in no run; NULL where there is no memory. */
static void *fun_loose_block(struct futhark_context *ctx, size_t bytes) {
    if (fun_is_over_limit(ctx, bytes)) {
        return NULL;
    }
    void *data = fun_take_spare(&ctx->spares, bytes, UINT64_MAX);
    return data == NULL ? fun_fresh(bytes) : data;
}

/* Frees a block that no run knows. */
static void fun_free_loose_block(struct futhark_context *ctx, void *block) {
    if (block != NULL) {
        fun_spare(&ctx->spares, fun_header(block));
    }
}

/* How many bytes a block counts. */
static uint64_t fun_block_bytes(void *block) {
    return fun_room(block);
}

/* Memory of the caller's as a block, which is forgotten when no array uses it; NULL where there is no memory for that. */
FUN_HELPER void *fun_lent_block(fun_raw raw) {
    return raw;
}

FUN_HELPER void fun_forget_lent_block(void *block) {
    (void)block;
}

/* What `malloc` gave and elements were read into, as a loose block; NULL where that can't be, and it is freed. */
FUN_HELPER void *fun_block_of_read(struct futhark_context *ctx, char *start, size_t bytes) {
    (void)ctx;
    return fun_block_at(start, bytes, 0);
}

/* So many bytes of a block for the host to look at, until it gives them back; NULL, and an error, where that can't be. */
FUN_HELPER const void *fun_look(struct futhark_context *ctx, const void *block, size_t bytes) {
    (void)ctx;
    (void)bytes;
    return block;
}

FUN_HELPER void fun_looked(const void *bytes) {
    (void)bytes;
}

/* What the caller knows the block by; nothing for NULL. */
FUN_HELPER fun_raw fun_raw_of(void *block) {
    return block;
}

/* Bytes of the caller's into a block; not zero, and an error, where that fails. */
FUN_HELPER int fun_put(struct futhark_context *ctx, void *block, size_t at, const void *from, size_t bytes) {
    (void)ctx;
    memmove((char *)block + at, from, bytes);
    return FUTHARK_SUCCESS;
}

/* Bytes of a block to the caller. */
FUN_HELPER int fun_get(struct futhark_context *ctx, const void *block, size_t at, void *to, size_t bytes) {
    (void)ctx;
    memmove(to, (const char *)block + at, bytes);
    return FUTHARK_SUCCESS;
}

/* Bytes of a block to another one. */
static int fun_move(struct futhark_context *ctx, void *block, size_t at, const void *from, size_t from_at, size_t bytes) {
    (void)ctx;
    memcpy((char *)block + at, (const char *)from + from_at, bytes);
    return FUTHARK_SUCCESS;
}

/* Whether so many bytes of two blocks have any in common. */
static bool fun_meet(const void *one, size_t one_bytes, const void *two, size_t two_bytes) {
    const char *first = one, *second = two;
    return second < first + one_bytes && first < second + two_bytes;
}

/* A fresh block of a run, beside those that its code allocates; NULL where there is no memory, or the run may not have so much. */
static void *fun_block_of_run(struct fun_context *run, uint64_t bytes) {
    if (bytes > run->cap - run->bytes) {
        return NULL;
    }
    run->bytes += bytes;
    return fun_make(run, bytes, bytes);
}

/* The run is one owner of a block less. */
static void fun_disown(struct fun_context *run, void *block) {
    fun_free(run, block);
}

/* Takes a block from a run, which it outlives. */
static void fun_take_from_run(struct fun_context *run, void *block) {
    fun_release(run, block);
}
