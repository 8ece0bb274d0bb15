/* Contexts, arrays, and calls of entry points. Errors are codes, with a text in the context; nothing here ends the process. */

enum { FUTHARK_SUCCESS = 0, FUN_OTHER_ERROR = 1, FUTHARK_PROGRAM_ERROR = 2, FUTHARK_OUT_OF_MEMORY = 3 };

struct futhark_context_config {
    bool debugging, logging;
    /* for parallel loops; as many as there are processors where it is zero */
    int threads;
};

/* What lives from call to call. Several threads may use one context; each call has a `fun_context` of its own. */
struct futhark_context {
    struct futhark_context_config *config;
    atomic_flag lock;
    char *error;
    FILE *log;
    /* bytes in arrays now, and in arrays and blocks at most */
    _Atomic uint64_t bytes, peak;
    /* threads for parallel loops; a call that finds them busy does without */
    struct fun_pool *pool;
};

/* The memory of arrays, which may share it. */
struct fun_storage {
    _Atomic int64_t arrays;
    /* a block, or NULL where there is nothing to store */
    void *data;
    /* memory of the caller's instead */
    bool foreign;
};

/* An array, row-major. */
struct fun_array {
    enum fun_type type;
    uint32_t rank;
    struct fun_storage *storage;
    int64_t shape[];
};

static void fun_lock_library(struct futhark_context *ctx) {
    while (atomic_flag_test_and_set_explicit(&ctx->lock, memory_order_acquire)) {
    }
}

static void fun_unlock_library(struct futhark_context *ctx) {
    atomic_flag_clear_explicit(&ctx->lock, memory_order_release);
}

/* A text made as `printf` does it, in memory of its own; NULL where there is none. */
__attribute__((format(printf, 1, 2))) static char *fun_text(const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text != NULL) {
        vsnprintf(text, (size_t)length + 1, format, again);
    }
    va_end(again);
    return text;
}

/* Makes this text, which it takes over, the last error, and gives `code`. */
static int fun_error(struct futhark_context *ctx, int code, char *text) {
    fun_lock_library(ctx);
    char *before = ctx->error;
    ctx->error = text;
    fun_unlock_library(ctx);
    free(before);
    return code;
}

FUN_API struct futhark_context_config *futhark_context_config_new(void) {
    return calloc(1, sizeof(struct futhark_context_config));
}

FUN_API void futhark_context_config_free(struct futhark_context_config *cfg) {
    free(cfg);
}

FUN_API void futhark_context_config_set_debugging(struct futhark_context_config *cfg, int flag) {
    cfg->debugging = flag != 0;
    cfg->logging = cfg->logging || flag != 0;
}

FUN_API void futhark_context_config_set_logging(struct futhark_context_config *cfg, int flag) {
    cfg->logging = flag != 0;
}

FUN_API void futhark_context_config_set_profiling(struct futhark_context_config *cfg, int flag) {
    /* what is counted costs nothing: it is always collected */
    (void)cfg;
    (void)flag;
}

FUN_API void futhark_context_config_set_num_threads(struct futhark_context_config *cfg, int n) {
    cfg->threads = n < 1 ? 0 : n;
}

/* There is nothing to keep from one process to the next. */
FUN_API void futhark_context_config_set_cache_file(struct futhark_context_config *cfg, const char *fname) {
    (void)cfg;
    (void)fname;
}

/* No tuning parameter can be set when the program runs. */
FUN_API int futhark_context_config_set_tuning_param(
    struct futhark_context_config *cfg, const char *param_name, size_t new_value) {
    (void)cfg;
    (void)param_name;
    (void)new_value;
    return FUN_OTHER_ERROR;
}

FUN_API int futhark_get_tuning_param_count(void) {
    return 0;
}

FUN_API const char *futhark_get_tuning_param_name(int i) {
    (void)i;
    return NULL;
}

FUN_API const char *futhark_get_tuning_param_class(int i) {
    (void)i;
    return NULL;
}

FUN_API struct futhark_context *futhark_context_new(struct futhark_context_config *cfg) {
    struct futhark_context *ctx = calloc(1, sizeof *ctx);
    if (ctx != NULL) {
        ctx->config = cfg;
        ctx->log = stderr;
        ctx->pool = fun_pool_new((uint32_t)cfg->threads);
        atomic_flag_clear(&ctx->lock);
    }
    return ctx;
}

FUN_API void futhark_context_free(struct futhark_context *ctx) {
    fun_pool_free(ctx->pool);
    free(ctx->error);
    free(ctx);
}

/* The last error; the caller frees the text, and the next call gives NULL until there is another error. */
FUN_API char *futhark_context_get_error(struct futhark_context *ctx) {
    fun_lock_library(ctx);
    char *error = ctx->error;
    ctx->error = NULL;
    fun_unlock_library(ctx);
    return error;
}

/* All calls have ended when they return. */
FUN_API int futhark_context_sync(struct futhark_context *ctx) {
    (void)ctx;
    return FUTHARK_SUCCESS;
}

FUN_API int futhark_context_clear_caches(struct futhark_context *ctx) {
    atomic_store(&ctx->peak, atomic_load(&ctx->bytes));
    return FUTHARK_SUCCESS;
}

FUN_API void futhark_context_pause_profiling(struct futhark_context *ctx) {
    (void)ctx;
}

FUN_API void futhark_context_unpause_profiling(struct futhark_context *ctx) {
    (void)ctx;
}

FUN_API void futhark_context_set_logging_file(struct futhark_context *ctx, FILE *f) {
    ctx->log = f;
}

/* What was measured, as JSON; the caller frees the text. */
FUN_API char *futhark_context_report(struct futhark_context *ctx) {
    return fun_text("{\"memory\":{\"default space\":%llu},\"events\":[]}", (unsigned long long)atomic_load(&ctx->peak));
}

/* The number of elements; negative where there can't be so many. */
static int64_t fun_count(uint32_t rank, const int64_t *shape) {
    int64_t count = 1;
    bool empty = false, too_many = false;
    for (uint32_t k = 0; k < rank; k++) {
        if (shape[k] < 0) {
            return -1;
        }
        empty |= shape[k] == 0;
    }
    for (uint32_t k = 0; k < rank && !empty; k++) {
        too_many |= __builtin_mul_overflow(count, shape[k], &count);
    }
    return empty ? 0 : too_many ? -1 : count;
}

/* Frees a block that no run knows. */
static void fun_free_loose_block(void *data) {
    if (data != NULL) {
        free(fun_header(data)->start);
    }
}

static void fun_use_bytes(struct futhark_context *ctx, uint64_t bytes) {
    const uint64_t now = atomic_fetch_add(&ctx->bytes, bytes) + bytes;
    uint64_t peak = atomic_load(&ctx->peak);
    while (peak < now && !atomic_compare_exchange_weak(&ctx->peak, &peak, now)) {
    }
}

/* An array on a loose block, which it takes over; NULL, and the block is freed, when there is no memory. */
static struct fun_array *fun_array_of(
    struct futhark_context *ctx, enum fun_type type, uint32_t rank, const int64_t *shape, void *data) {
    struct fun_storage *storage = malloc(sizeof *storage);
    struct fun_array *array = malloc(sizeof *array + rank * sizeof(int64_t));
    if (storage == NULL || array == NULL) {
        free(storage);
        free(array);
        fun_free_loose_block(data);
        return NULL;
    }
    atomic_init(&storage->arrays, 1);
    storage->data = data;
    storage->foreign = false;
    array->type = type;
    array->rank = rank;
    array->storage = storage;
    memcpy(array->shape, shape, rank * sizeof(int64_t));
    fun_use_bytes(ctx, fun_room(data));
    return array;
}

/* Another array on the same memory. */
static struct fun_array *fun_array_sharing(
    struct fun_storage *storage, enum fun_type type, uint32_t rank, const int64_t *shape) {
    struct fun_array *array = malloc(sizeof *array + rank * sizeof(int64_t));
    if (array != NULL) {
        array->type = type;
        array->rank = rank;
        array->storage = storage;
        memcpy(array->shape, shape, rank * sizeof(int64_t));
        atomic_fetch_add_explicit(&storage->arrays, 1, memory_order_relaxed);
    }
    return array;
}

static void fun_array_free(struct futhark_context *ctx, struct fun_array *array) {
    if (array == NULL) {
        return;
    }
    struct fun_storage *storage = array->storage;
    free(array);
    if (atomic_fetch_sub_explicit(&storage->arrays, 1, memory_order_acq_rel) == 1) {
        if (!storage->foreign) {
            atomic_fetch_sub(&ctx->bytes, fun_room(storage->data));
            fun_free_loose_block(storage->data);
        }
        free(storage);
    }
}

/* `message` with the numbers of a failure for each {}. */
static void fun_fill_message(char *text, size_t room, const char *message, const struct fun_failure *failure) {
    size_t used = 0;
    for (uint32_t k = 0; *message != '\0' && used + 1 < room;) {
        if (k < failure->count && message[0] == '{' && message[1] == '}') {
            const int length = snprintf(text + used, room - used, "%lld", (long long)failure->numbers[k++]);
            used += (size_t)length < room - used ? (size_t)length : room - used - 1;
            message += 2;
        } else {
            text[used++] = *message++;
        }
    }
    text[used] = '\0';
}

/* Makes why a run stopped the last error. */
static int fun_run_error(struct futhark_context *ctx, const struct fun_failure *failure) {
    char told[2048];
    int code = FUTHARK_PROGRAM_ERROR;
    const struct fun_site *site = &fun_sites[failure->site];
    switch ((enum fun_reason)failure->reason) {
    case FUN_CANCELLED:
        return fun_error(ctx, FUN_OTHER_ERROR, fun_text("Error: interrupted"));
    case FUN_ASSERT:
    case FUN_STACK:
        fun_fill_message(told, sizeof told, site->message, failure);
        break;
    case FUN_NEGATIVE_SIZE:
        snprintf(told, sizeof told, "allocation of negative size %lld", (long long)failure->numbers[0]);
        break;
    case FUN_NO_MEMORY:
    case FUN_OVER_CAP:
        code = FUTHARK_OUT_OF_MEMORY;
        const char *than = failure->reason == FUN_OVER_CAP ? "the limit" : "the machine has";
        if (failure->bytes_high != 0) {
            snprintf(told, sizeof told, "allocation of more than 2^64 bytes failed: more than %s", than);
        } else {
            snprintf(told, sizeof told, "allocation of %llu bytes failed: more than %s",
                (unsigned long long)failure->bytes_low, than);
        }
        break;
    }
    const char *place = site->place[0] == '\0' ? "an unknown place" : site->place;
    return fun_error(ctx, code, fun_text("Error: %s\n\nBacktrace:\n-> #0  %s in %s", told, place, site->procedure));
}

/* A run of an entry point: its words, and what it is given. */
struct fun_run {
    struct fun_context context;
    /* the arguments on the caller's memory */
    void **foreign;
    const struct fun_entry *entry;
    const void *const *in;
    void *const *out;
    uint64_t *taken, *given;
};

/* Where the elements of an array end. */
static const char *fun_end_of(const struct fun_array *array) {
    return (const char *)array->storage->data +
           (size_t)fun_count(array->rank, array->shape) * fun_types[array->type].bytes;
}

/* An array that the entry point may write over must lie apart from all other arguments. */
static int fun_check_distinct(struct futhark_context *ctx, const struct fun_run *run, uint32_t k) {
    const struct fun_entry *entry = run->entry;
    const struct fun_array *array = run->in[k];
    for (uint32_t j = 0; j < k; j++) {
        const struct fun_array *other = run->in[j];
        if (entry->takes[j].rank == 0 || !(entry->takes[j].consumed || entry->takes[k].consumed)) {
            continue;
        }
        if ((const char *)array->storage->data < fun_end_of(other) && (const char *)other->storage->data < fun_end_of(array)) {
            return fun_error(ctx, FUTHARK_PROGRAM_ERROR,
                fun_text("Error: arguments #%u and #%u of %s share memory, and one of them is consumed", j, k, entry->name));
        }
    }
    return FUTHARK_SUCCESS;
}

/* Fills in the words that an entry point takes. */
static int fun_take_arguments(struct futhark_context *ctx, struct fun_run *run) {
    const struct fun_entry *entry = run->entry;
    bool *known = calloc(entry->words_taken + 1, 1);
    int status = known == NULL ? fun_error(ctx, FUTHARK_OUT_OF_MEMORY, NULL) : FUTHARK_SUCCESS;
    /* scalars first, so that a size that is also an array's is compared with it */
    for (uint32_t k = 0; status == 0 && k < entry->takes_count; k++) {
        const struct fun_value *value = &entry->takes[k];
        if (run->in[k] == NULL) {
            status = fun_error(ctx, FUTHARK_PROGRAM_ERROR, fun_text("Error: argument #%u of %s is NULL", k, entry->name));
        } else if (value->rank == 0) {
            memcpy(&run->taken[value->at], run->in[k], fun_types[value->type].bytes);
            known[value->at] = true;
        }
    }
    for (uint32_t k = 0; status == 0 && k < entry->takes_count; k++) {
        const struct fun_value *value = &entry->takes[k];
        const struct fun_array *array = run->in[k];
        if (value->rank == 0) {
            continue;
        }
        if (array->type != value->type || array->rank != value->rank) {
            status = fun_error(ctx, FUTHARK_PROGRAM_ERROR,
                fun_text("Error: argument #%u of %s is an array of another type", k, entry->name));
        }
        for (uint32_t d = 0; status == 0 && d < value->rank; d++) {
            const struct fun_size size = value->shape[d];
            int64_t wanted = size.n;
            if (!size.constant) {
                if (!known[size.n]) {
                    known[size.n] = true;
                    run->taken[size.n] = (uint64_t)array->shape[d];
                }
                wanted = (int64_t)run->taken[size.n];
            }
            if (array->shape[d] != wanted) {
                status = fun_error(ctx, FUTHARK_PROGRAM_ERROR,
                    fun_text("Error: entry point arguments have invalid sizes: dimension %u of argument #%u of %s "
                             "is %lld where %lld is needed",
                        d, k, entry->name, (long long)array->shape[d], (long long)wanted));
            }
        }
        run->taken[value->at] = (uint64_t)(uintptr_t)array->storage->data;
        if (array->storage->foreign) {
            run->foreign[run->context.foreign_count++] = array->storage->data;
        }
        status = status != 0 ? status : fun_check_distinct(ctx, run, k);
    }
    free(known);
    return status;
}

/* The memory that a result lies in: that of an argument, or of one of `earlier` results; NULL where it is the run's own. */
static struct fun_storage *fun_known_storage(
    const struct fun_run *run, const struct fun_array *const *made, uint32_t earlier, const void *data) {
    for (uint32_t k = 0; k < run->entry->takes_count; k++) {
        const struct fun_array *array = run->in[k];
        if (run->entry->takes[k].rank > 0 && array->storage->data == data) {
            return array->storage;
        }
    }
    for (uint32_t k = 0; k < earlier; k++) {
        if (made[k] != NULL && made[k]->storage->data == data) {
            return made[k]->storage;
        }
    }
    return NULL;
}

/* The array that a result is; NULL when there is no memory. */
static struct fun_array *fun_result_array(struct futhark_context *ctx, struct fun_run *run,
    const struct fun_array *const *made, uint32_t result) {
    const struct fun_value *value = &run->entry->gives[result];
    int64_t shape[value->rank];
    for (uint32_t d = 0; d < value->rank; d++) {
        shape[d] = value->shape[d].constant ? value->shape[d].n : (int64_t)run->given[value->shape[d].n];
    }
    void *data = (void *)(uintptr_t)run->given[value->at];
    struct fun_storage *known = data == NULL ? NULL : fun_known_storage(run, made, result, data);
    if (known != NULL) {
        /* the library is one owner of the block, however many arrays there are */
        fun_free(&run->context, data);
        return fun_array_sharing(known, value->type, value->rank, shape);
    }
    if (data != NULL) {
        fun_release(&run->context, data);
    }
    return fun_array_of(ctx, value->type, value->rank, shape, data);
}

/* Hands out what the run gave: all of it, or nothing where there is no memory. */
static int fun_give_results(struct futhark_context *ctx, struct fun_run *run) {
    const struct fun_entry *entry = run->entry;
    struct fun_array *made[entry->gives_count + 1];
    memset(made, 0, sizeof made);
    bool all = true;
    for (uint32_t k = 0; k < entry->gives_count && all; k++) {
        if (entry->gives[k].rank > 0) {
            made[k] = fun_result_array(ctx, run, (const struct fun_array *const *)made, k);
            all = made[k] != NULL;
        }
    }
    for (uint32_t k = 0; k < entry->gives_count; k++) {
        if (!all) {
            fun_array_free(ctx, made[k]);
        } else if (made[k] != NULL) {
            *(struct fun_array **)run->out[k] = made[k];
        } else {
            memcpy(run->out[k], &run->given[entry->gives[k].at], fun_types[entry->gives[k].type].bytes);
        }
    }
    return all ? FUTHARK_SUCCESS
               : fun_error(ctx, FUTHARK_OUT_OF_MEMORY, fun_text("Error: no memory for the results of %s", entry->name));
}

/* Calls an entry point. For each value that it takes, `in` has the address of a scalar, or an array; for each that it gives, `out`
   has where the scalar or a fresh array goes. Where it fails, nothing is written there. */
static int fun_call(
    struct futhark_context *ctx, const struct fun_entry *entry, const void *const *in, void *const *out) {
    uint64_t taken[entry->words_taken + 1], given[entry->words_given + 1];
    memset(taken, 0, sizeof taken);
    memset(given, 0, sizeof given);
    void *foreign[entry->takes_count + 1];
    struct fun_run run = {.entry = entry, .in = in, .out = out, .taken = taken, .given = given, .foreign = foreign};
    run.context.foreign = foreign;
    run.context.stop = &run.context.own_stop;
    run.context.cap = UINT64_MAX;
    run.context.pool = ctx->pool;
    run.context.log = ctx->config->logging ? ctx->log : NULL;
    atomic_flag_clear(&run.context.lock);
    int status = fun_take_arguments(ctx, &run);
    if (status != FUTHARK_SUCCESS) {
        return status;
    }
    const uint32_t failed = entry->code(&run.context, taken, given);
    fun_use_bytes(ctx, run.context.peak);
    atomic_fetch_sub(&ctx->bytes, run.context.peak);
    status = failed != 0 ? fun_run_error(ctx, &run.context.failure) : fun_give_results(ctx, &run);
    fun_free_blocks(&run.context);
    return status;
}

