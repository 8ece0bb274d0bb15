/* What programs call. Nothing here ends the process: what goes wrong is recorded in the context, and procedures return a status
   that is not zero through all frames. */

static void fun_lock(struct fun_context *context) {
    while (atomic_flag_test_and_set_explicit(&context->lock, memory_order_acquire)) {
    }
}

static void fun_unlock(struct fun_context *context) {
    atomic_flag_clear_explicit(&context->lock, memory_order_release);
}

/* Records the first failure and stops all threads. A kernel that failed did so before the host did. */
static void fun_record(struct fun_context *context, const struct fun_failure *failure) {
    if (context->settle_device != NULL) {
        context->settle_device(context);
    }
    fun_lock(context);
    if (context->failure.reason == FUN_CANCELLED) {
        context->failure = *failure;
    }
    fun_unlock(context);
    atomic_store(context->stop, 1);
}

/* A condition of the program does not hold. */
FUN_RUNTIME void fun_fail(struct fun_context *context, uint32_t site, uint32_t count, const int64_t *numbers) {
    struct fun_failure failure = {.reason = FUN_ASSERT, .site = site, .count = count};
    for (uint32_t k = 0; k < count; k++) {
        failure.numbers[k] = numbers[k];
    }
    fun_record(context, &failure);
}

/* The lowest address of this thread's stack. */
static uintptr_t fun_stack_low(struct fun_context *context, uintptr_t here) {
    if (here >= context->stack_low && here < context->stack_high) {
        return context->stack_low;
    }
    static _Thread_local uintptr_t low;
    if (low == 0) {
        /* at least as much as any system gives to a thread */
        low = here - (256 << 10);
#ifdef __linux__
        pthread_attr_t attributes;
        if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
            void *address;
            size_t size;
            if (pthread_attr_getstack(&attributes, &address, &size) == 0) {
                low = (uintptr_t)address;
            }
            pthread_attr_destroy(&attributes);
        }
#endif
    }
    return low;
}

/* Before a procedure calls itself: not zero, and the run has failed, when the stack ends. */
FUN_RUNTIME uint32_t fun_enter(struct fun_context *context, uint32_t site) {
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (here - fun_stack_low(context, here) > (128 << 10)) {
        return 0;
    }
    const struct fun_failure failure = {.reason = FUN_STACK, .site = site};
    fun_record(context, &failure);
    return 1;
}

/* What precedes the data of a block. */
struct fun_block {
    _Atomic int64_t owners;
    uint64_t room;
    /* bytes counted as used; zero for arguments */
    uint64_t counted;
    struct fun_block *next, *previous;
    void *start;
};
_Static_assert(sizeof(struct fun_block) <= 64, "a header fits before the data");

/* The header of a block. Compilers take the data for memory that nothing else reaches, so they must not see this. */
static struct fun_block *fun_header(void *data) {
    char *header = (char *)data - 64;
    __asm__("" : "+r"(header));
    return (struct fun_block *)header;
}

/* Where the data of a block may begin that has `start` and room for 128 bytes more than its own. */
static char *fun_data_at(char *start) {
    return (char *)(((uintptr_t)start + 127) & ~(uintptr_t)63);
}

/* Makes the memory from `start` a block. */
static void *fun_block_at(char *start, uint64_t bytes, uint64_t counted) {
    char *data = fun_data_at(start);
    struct fun_block *block = fun_header(data);
    atomic_init(&block->owners, 1);
    block->room = bytes;
    block->counted = counted;
    block->next = block->previous = NULL;
    block->start = start;
    return data;
}

/* Fresh pages cost more than most programs do with them, so blocks from this size on are kept when they are free. */
#define FUN_KEPT_BYTES (64 << 10)
/* From this size on, large pages pay. */
#define FUN_LARGE_PAGE ((uint64_t)2 << 20)

static void fun_release_list(struct fun_block *block) {
    while (block != NULL) {
        struct fun_block *next = block->next;
        free(block->start);
        block = next;
    }
}

static void fun_lock_spares(struct fun_spares *spares) {
    while (atomic_flag_test_and_set_explicit(&spares->lock, memory_order_acquire)) {
    }
}

static void fun_unlock_spares(struct fun_spares *spares) {
    atomic_flag_clear_explicit(&spares->lock, memory_order_release);
}

/* Frees a block, or spares it where it is large and others leave room. */
static void fun_spare(struct fun_spares *spares, struct fun_block *block) {
    if (block->room < FUN_KEPT_BYTES) {
        free(block->start);
        return;
    }
    fun_lock_spares(spares);
    const bool kept = block->room <= spares->most && spares->bytes <= spares->most - block->room;
    if (kept) {
        block->next = spares->first;
        spares->first = block;
        spares->bytes += block->room;
    }
    fun_unlock_spares(spares);
    if (!kept) {
        free(block->start);
    }
}

/* Data of a spare block with room for `bytes` that is not much larger, or NULL. If there is none, all but `kept` bytes of the others are
   freed: spare blocks must not take the room of those that are asked for. */
static void *fun_take_spare(struct fun_spares *spares, uint64_t bytes, uint64_t kept) {
    if (bytes < FUN_KEPT_BYTES) {
        return NULL;
    }
    fun_lock_spares(spares);
    struct fun_block **place = &spares->first, **end = place, *dropped = NULL;
    while (*place != NULL && ((*place)->room < bytes || (*place)->room / 4 * 3 > bytes)) {
        if ((*place)->room <= kept) {
            kept -= (*place)->room;
            end = &(*place)->next;
        } else {
            kept = 0;
        }
        place = &(*place)->next;
    }
    struct fun_block *found = *place;
    if (found != NULL) {
        *place = found->next;
        spares->bytes -= found->room;
    } else {
        dropped = *end;
        *end = NULL;
        for (struct fun_block *block = dropped; block != NULL; block = block->next) {
            spares->bytes -= block->room;
        }
    }
    fun_unlock_spares(spares);
    fun_release_list(dropped);
    if (found == NULL) {
        return NULL;
    }
    atomic_init(&found->owners, 1);
    found->counted = 0;
    found->next = found->previous = NULL;
    return (char *)found + 64;
}

/* Frees all spare blocks. */
static void fun_release_spares(struct fun_spares *spares) {
    fun_lock_spares(spares);
    struct fun_block *dropped = spares->first;
    spares->first = NULL;
    spares->bytes = 0;
    fun_unlock_spares(spares);
    fun_release_list(dropped);
}

/* Data with room for `bytes` behind a header. */
static void *fun_fresh(uint64_t bytes) {
    char *start;
#ifdef __linux__
    if (bytes >= 2 * FUN_LARGE_PAGE) {
        start = aligned_alloc(FUN_LARGE_PAGE, (bytes + 64 + FUN_LARGE_PAGE - 1) / FUN_LARGE_PAGE * FUN_LARGE_PAGE);
        if (start == NULL) {
            return NULL;
        }
        /* a wish, no more */
        (void)madvise(start, bytes + 64, MADV_HUGEPAGE);
    } else
#endif
    {
        start = malloc(bytes + 128);
        if (start == NULL) {
            return NULL;
        }
    }
    return fun_block_at(start, bytes, 0);
}

/* Data of a spare block for a run, or NULL; what the run uses in all with it is noted. */
static void *fun_take_for_run(struct fun_context *context, uint64_t bytes, uint64_t counted) {
    struct fun_spares *spares = context->spares;
    if (bytes < FUN_KEPT_BYTES) {
        return NULL;
    }
    fun_lock(context);
    context->argument_bytes += counted == 0 ? bytes : 0;
    const uint64_t used = context->bytes + context->argument_bytes;
    fun_unlock(context);
    fun_lock_spares(spares);
    const uint64_t most = spares->most;
    spares->most = used > most ? used : most;
    fun_unlock_spares(spares);
    return fun_take_spare(spares, bytes, used < most ? most - used : 0);
}

/* A block with room for `bytes`; NULL when the system has no memory. */
static void *fun_make(struct fun_context *context, uint64_t bytes, uint64_t counted) {
    if (bytes > (uint64_t)PTRDIFF_MAX / 2) {
        return NULL;
    }
    void *data = fun_take_for_run(context, bytes, counted);
    if (data == NULL) {
        data = fun_fresh(bytes);
    }
    if (data == NULL) {
        fun_release_spares(context->spares);
        data = fun_fresh(bytes);
    }
    if (data == NULL) {
        return NULL;
    }
    struct fun_block *block = fun_header(data);
    atomic_init(&block->owners, 1);
    block->counted = counted;
    block->previous = NULL;
    fun_lock(context);
    block->next = context->blocks;
    if (block->next != NULL) {
        block->next->previous = block;
    }
    context->blocks = block;
    /* what could not be made does not count */
    context->peak = context->bytes > context->peak ? context->bytes : context->peak;
    fun_unlock(context);
    return data;
}

/* The caller's memory for a result of so many bytes, once; NULL where there is none. */
static void *fun_take_target(struct fun_context *context, uint64_t bytes) {
    void *data = NULL;
    fun_lock(context);
    for (uint64_t k = 0; k < context->target_count && data == NULL; k++) {
        if (context->targets[k].is_free && context->targets[k].bytes == bytes) {
            context->targets[k].is_free = false;
            context->allocations++;
            context->allocated_bytes += bytes;
            data = context->targets[k].data;
        }
    }
    fun_unlock(context);
    return data;
}

/* The places of the program that a run is of. */
#ifndef FUN_SITES
#define FUN_SITES(context) fun_sites
#endif

/* How many bytes the product of `rank` sizes takes, of `element` bytes each. False after recording a failure: a size is negative, or no
   machine has so much. */
static bool fun_bytes_of(struct fun_context *context, uint32_t site, uint64_t element, uint64_t rank, const int64_t *sizes,
    uint64_t *result) {
    struct fun_failure failure = {.site = site};
    unsigned __int128 bytes = element;
    bool empty = false;
    for (uint64_t k = 0; k < rank; k++) {
        if (sizes[k] < 0) {
            failure.reason = FUN_NEGATIVE_SIZE;
            failure.count = 1;
            failure.numbers[0] = sizes[k];
            fun_record(context, &failure);
            return false;
        }
        empty |= sizes[k] == 0;
    }
    /* an empty array takes no memory, however large its other sizes */
    for (uint64_t k = 0; k < rank && !empty; k++) {
        if (__builtin_mul_overflow(bytes, (unsigned __int128)sizes[k], &bytes)) {
            bytes = ~(unsigned __int128)0;
        }
    }
    bytes = empty ? 0 : bytes;
    failure.bytes_low = (uint64_t)bytes;
    failure.bytes_high = (uint64_t)(bytes >> 64);
    failure.reason = FUN_NO_MEMORY;
    if (bytes > (uint64_t)PTRDIFF_MAX / 2) {
        fun_record(context, &failure);
        return false;
    }
    *result = (uint64_t)bytes;
    return true;
}

/* A fresh block for the product of `rank` sizes, of `element` bytes each; NULL after recording a failure. */
FUN_RUNTIME void *fun_allocate(struct fun_context *context, uint32_t site, bool in_loop, uint64_t element, uint64_t rank,
    const int64_t *sizes) {
    uint64_t bytes;
    if (!fun_bytes_of(context, site, element, rank, sizes, &bytes)) {
        return NULL;
    }
    struct fun_failure failure = {.site = site, .bytes_low = bytes};
    if (!in_loop && context->target_count > 0) {
        void *target = fun_take_target(context, bytes);
        if (target != NULL) {
            return target;
        }
    }
    fun_lock(context);
    context->loop_allocations += in_loop;
    context->allocations++;
    const bool fits = bytes <= context->cap && context->bytes <= context->cap - bytes;
    if (fits) {
        context->allocated_bytes += bytes;
        context->bytes += bytes;
    }
    fun_unlock(context);
    if (__builtin_expect(context->log != NULL, 0)) {
        fprintf(context->log, "Allocating %llu bytes at %s (currently allocated: %llu bytes).\n", (unsigned long long)bytes,
            FUN_SITES(context)[site].place, (unsigned long long)(context->bytes - (fits ? bytes : 0)));
    }
    void *data = fits ? fun_make(context, bytes, bytes) : NULL;
    if (data == NULL) {
        fun_lock(context);
        context->bytes -= fits ? bytes : 0;
        fun_unlock(context);
        failure.reason = fits ? FUN_NO_MEMORY : FUN_OVER_CAP;
        fun_record(context, &failure);
    }
    return data;
}

static bool fun_is_foreign(const struct fun_context *context, const void *data) {
    for (uint64_t k = 0; k < context->foreign_count; k++) {
        if (context->foreign[k] == data) {
            return true;
        }
    }
    for (uint64_t k = 0; k < context->target_count; k++) {
        if (context->targets[k].data == data) {
            return true;
        }
    }
    return false;
}

/* One more owner; nothing for NULL. */
FUN_RUNTIME void fun_share(struct fun_context *context, void *data) {
    if (data != NULL && !fun_is_foreign(context, data)) {
        atomic_fetch_add_explicit(&fun_header(data)->owners, 1, memory_order_relaxed);
    }
}

/* Takes a block out of the run's list: it outlives the run. */
static void fun_release(struct fun_context *context, void *data) {
    struct fun_block *block = fun_header(data);
    fun_lock(context);
    if (block->previous == NULL) {
        context->blocks = block->next;
    } else {
        block->previous->next = block->next;
    }
    if (block->next != NULL) {
        block->next->previous = block->previous;
    }
    context->bytes -= block->counted;
    fun_unlock(context);
}

/* One owner less; the block dies with its last. Nothing for NULL. */
FUN_RUNTIME void fun_free(struct fun_context *context, void *data) {
    if (data == NULL || fun_is_foreign(context, data)) {
        return;
    }
    struct fun_block *block = fun_header(data);
    if (atomic_fetch_sub_explicit(&block->owners, 1, memory_order_acq_rel) != 1) {
        return;
    }
    fun_release(context, data);
    if (__builtin_expect(context->log != NULL, 0)) {
        fprintf(context->log, "%llu bytes freed (now allocated: %llu bytes)\n", (unsigned long long)block->counted,
            (unsigned long long)context->bytes);
    }
    fun_spare(context->spares, block);
}

/* Where one side goes on in one dimension and the other in the other: squares of 8 times 8 cells, so that what is loaded of a cache line is used before it is
   gone. Whole squares of neighbouring cells are rows of vectors, which three rounds of pairs turn. */
#define FUN_TURN_CELLS(type, rows, columns) \
    for (int64_t a = 0; a < (rows); a++) { \
        for (int64_t b = 0; b < (columns); b++) { \
            type cell; \
            memcpy(&cell, from + a * from_row + b * from_column, sizeof cell); \
            memcpy(to + a * to_row + b * to_column, &cell, sizeof cell); \
        } \
    }
#if defined(__GNUC__) && !defined(__clang__)
#define FUN_TURN_ROUND(y, x) \
    for (int b = 0; b < 4; b++) { \
        y[2 * b] = __builtin_shuffle(x[b], x[b + 4], first); \
        y[2 * b + 1] = __builtin_shuffle(x[b], x[b + 4], second); \
    }
#define FUN_TURN_SQUARE(type) \
    if (from_row == sizeof(type) && to_column == sizeof(type)) { \
        typedef type cells __attribute__((vector_size(8 * sizeof(type)))); \
        typedef cells cells_at __attribute__((aligned(1), may_alias)); \
        const cells first = {0, 8, 1, 9, 2, 10, 3, 11}, second = {4, 12, 5, 13, 6, 14, 7, 15}; \
        cells x[8], y[8]; \
        for (int b = 0; b < 8; b++) { \
            x[b] = *(const cells_at *)(from + b * from_column); \
        } \
        FUN_TURN_ROUND(y, x) \
        FUN_TURN_ROUND(x, y) \
        FUN_TURN_ROUND(y, x) \
        for (int a = 0; a < 8; a++) { \
            *(cells_at *)(to + a * to_row) = y[a]; \
        } \
        continue; \
    }
#else
#define FUN_TURN_SQUARE(type)
#endif
#define FUN_TURN(type) \
    static void fun_turn_##type(char *dest, const char *source, const int64_t *row, const int64_t *column) { \
        const int64_t to_row = row[1], from_row = row[2], to_column = column[1], from_column = column[2]; \
        for (int64_t j = 0; j < column[0]; j += 8) { \
            for (int64_t i = 0; i < row[0]; i += 8) { \
                char *to = dest + i * to_row + j * to_column; \
                const char *from = source + i * from_row + j * from_column; \
                const int64_t rows = row[0] - i, columns = column[0] - j; \
                if (rows >= 8 && columns >= 8) { \
                    FUN_TURN_SQUARE(type) \
                    FUN_TURN_CELLS(type, 8, 8) \
                } else { \
                    FUN_TURN_CELLS(type, rows < 8 ? rows : 8, columns < 8 ? columns : 8) \
                } \
            } \
        } \
    }
FUN_TURN(uint32_t)
FUN_TURN(uint64_t)

/* Rows of `row` bytes; the same ones may be copied onto themselves. Each dimension has a size and two strides, in bytes. */
static void fun_copy_rows(char *dest, const char *source, int64_t row, uint64_t rank, const int64_t *dims) {
    if (rank == 0) {
        memmove(dest, source, (size_t)row);
        return;
    }
    const int64_t size = dims[0], to = dims[1], from = dims[2];
    if (rank == 2 && (row == 4 || row == 8)) {
        const int64_t *inner = dims + 3;
        void (*const turn)(char *, const char *, const int64_t *, const int64_t *) =
            row == 4 ? fun_turn_uint32_t : fun_turn_uint64_t;
        if (llabs(to) > llabs(inner[1]) && llabs(from) < llabs(inner[2])) {
            turn(dest, source, dims, inner);
            return;
        }
        if (llabs(to) < llabs(inner[1]) && llabs(from) > llabs(inner[2])) {
            turn(dest, source, inner, dims);
            return;
        }
    }
#define FUN_COPY_CELLS(type) \
    for (int64_t k = 0; k < size; k++) { \
        type cell; \
        memcpy(&cell, source + k * from, sizeof cell); \
        memcpy(dest + k * to, &cell, sizeof cell); \
    }
    if (rank == 1 && row == 1) {
        FUN_COPY_CELLS(uint8_t)
    } else if (rank == 1 && row == 2) {
        FUN_COPY_CELLS(uint16_t)
    } else if (rank == 1 && row == 4) {
        FUN_COPY_CELLS(uint32_t)
    } else if (rank == 1 && row == 8) {
        FUN_COPY_CELLS(uint64_t)
    } else {
        for (int64_t k = 0; k < size; k++) {
            fun_copy_rows(dest + k * to, source + k * from, row, rank - 1, dims + 3);
        }
    }
}

/* Every element of `source` to the same index of `dest`. Each dimension has a size and two strides, in elements. */
FUN_RUNTIME void fun_copy(struct fun_context *context, int64_t element, void *dest, int64_t dest_offset,
    const void *source, int64_t source_offset, uint64_t rank, const int64_t *dims) {
    int64_t cells = 1;
    for (uint64_t k = 0; k < rank; k++) {
        if (dims[3 * k] <= 0) {
            return;
        }
        cells *= dims[3 * k];
    }
    atomic_fetch_add_explicit(&context->copied_bytes, (uint64_t)(cells * element), memory_order_relaxed);
    /* dimensions that step alike are one; the innermost ones without gaps are part of the row */
    int64_t merged[3 * (rank + 1)];
    uint64_t count = 0;
    for (uint64_t k = 0; k < rank; k++) {
        const int64_t size = dims[3 * k], to = dims[3 * k + 1] * element, from = dims[3 * k + 2] * element;
        int64_t *outer = merged + 3 * (count == 0 ? 0 : count - 1);
        if (size == 1) {
            continue;
        }
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
    int64_t row = element;
    if (count > 0 && merged[3 * count - 2] == row && merged[3 * count - 1] == row) {
        row *= merged[3 * count - 3];
        count--;
    }
    char *to = (char *)dest + dest_offset * element;
    const char *from = (const char *)source + source_offset * element;
    /* what moves to where later elements are starts with the last one */
    if (count > 0 && merged[1] == merged[2] && ((uintptr_t)to > (uintptr_t)from) == (merged[1] > 0)) {
        const int64_t last = (merged[0] - 1) * merged[1];
        to += last;
        from += last;
        merged[1] = -merged[1];
        merged[2] = -merged[2];
    }
    fun_copy_rows(to, from, row, count, merged);
}

/* The blocks of a run that ended are spare. */
static void fun_spare_blocks(struct fun_context *context) {
    struct fun_block *block = context->blocks;
    context->blocks = NULL;
    while (block != NULL) {
        struct fun_block *next = block->next;
        fun_spare(context->spares, block);
        block = next;
    }
}

/* Ends what a context has on an accelerator. */
static void fun_leave_device(struct fun_context *context) {
    if (context->release_device != NULL) {
        context->release_device(context);
        context->end_device();
    }
}

/* Makes a context that was used ready for another run. Its blocks are spare. */
FUN_EXPORT void fun_context_reset(struct fun_context *context, uint64_t cap, uint32_t *stop) {
    fun_leave_device(context);
    fun_spare_blocks(context);
    const struct fun_spares spares = context->own_spares;
    struct fun_pool *pool = context->pool;
    memset(context, 0, sizeof *context);
    context->own_spares = spares;
    context->spares = &context->own_spares;
    context->pool = pool;
    context->stop = stop == NULL ? &context->own_stop : (_Atomic uint32_t *)stop;
    context->cap = cap;
    atomic_flag_clear(&context->lock);
}

/* What callers use. A context is for one run; `stop` may be NULL, or a word that ends the run when it is set to 1. */
FUN_EXPORT struct fun_context *fun_context_new(uint64_t cap, uint32_t *stop) {
    struct fun_context *context = calloc(1, sizeof *context);
    if (context != NULL) {
        context->pool = fun_pool_new(0);
        fun_context_reset(context, cap, stop);
    }
    return context;
}

/* Releases all blocks, the threads and the context. */
FUN_EXPORT void fun_context_free(struct fun_context *context) {
    fun_leave_device(context);
    fun_pool_free(context->pool);
    fun_release_list(context->blocks);
    fun_release_spares(&context->own_spares);
    free(context);
}

/* Where the stack of the calling thread lies, as far as the run may use it. */
FUN_EXPORT void fun_context_stack(struct fun_context *context, uint64_t low, uint64_t high) {
    context->stack_low = (uintptr_t)low;
    context->stack_high = (uintptr_t)high;
}

/* A block for an argument; NULL when there is no memory. Arguments are distinct blocks, and the caller's. */
FUN_EXPORT void *fun_argument(struct fun_context *context, uint64_t bytes) {
    return fun_make(context, bytes, 0);
}

/* How many bytes a block has. */
FUN_EXPORT uint64_t fun_room(void *data) {
    return data == NULL ? 0 : fun_header(data)->room;
}

/* Why the run failed. */
FUN_EXPORT void fun_context_failure(const struct fun_context *context, struct fun_failure *failure) {
    *failure = context->failure;
}

/* Allocations, those in loops, bytes of all of them, bytes copied, bytes in blocks now and at most, blocks alive. */
FUN_EXPORT void fun_context_usage(const struct fun_context *context, uint64_t usage[7]) {
    usage[0] = context->allocations;
    usage[1] = context->loop_allocations;
    usage[2] = context->allocated_bytes;
    usage[3] = atomic_load(&context->copied_bytes);
    usage[4] = context->bytes;
    usage[5] = context->peak;
    usage[6] = 0;
    for (const struct fun_block *block = context->blocks; block != NULL; block = block->next) {
        usage[6]++;
    }
}
