/* Contexts, and the memory of arrays. Errors are codes, with a text in the context; nothing here ends the process. */

enum { FUTHARK_SUCCESS = 0, FUN_OTHER_ERROR = 1, FUTHARK_PROGRAM_ERROR = 2, FUTHARK_OUT_OF_MEMORY = 3 };

struct futhark_context_config {
    bool debugging, logging;
    /* for parallel loops; as many as there are processors where it is zero */
    int threads;
    /* bytes that arrays and a run may use; no limit where it is zero */
    uint64_t limit;
    /* where compiled kernels are kept; NULL for the usual place */
    char *cache_file;
#ifdef FUN_PARAMS
    /* the numbers that choose between versions, and which of them were said by their own name */
    int64_t params[FUN_PARAMS];
    bool own[FUN_PARAMS];
#endif
};

/* What lives from call to call. Several threads may use one context; each call has a `fun_context` of its own. */
struct futhark_context {
    struct futhark_context_config *config;
    atomic_flag lock;
    char *error;
    FILE *log;
    /* bytes in arrays now, and in arrays and blocks at most */
    _Atomic uint64_t bytes, peak;
    /* bytes that went from the caller's memory to the library's or back */
    _Atomic uint64_t copied;
    /* threads for parallel loops; a call that finds them busy does without */
    struct fun_pool *pool;
    /* blocks that no array and no call uses */
    struct fun_spares spares;
};

/* The memory of arrays, which may share it. */
struct fun_storage {
    _Atomic int64_t arrays;
    /* a block, or NULL where there is nothing to store */
    void *data;
    /* memory of the caller's instead, who may want to know when no array uses it any longer */
    bool foreign;
    void (*release)(void *);
    void *owner;
};

/* An array, row-major, or a view: the first element at `offset` of the memory, and so many elements from one to the next in each
   dimension. */
struct fun_array {
    enum fun_type type;
    uint32_t rank;
    struct fun_storage *storage;
    /* NULL where it is row-major */
    const int64_t *strides;
    int64_t offset;
    /* the elements of a view in row order, once somebody needed them so */
    struct fun_storage *_Atomic rows;
    /* followed by the strides of a view */
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
    struct futhark_context_config *cfg = calloc(1, sizeof *cfg);
#ifdef FUN_PARAMS
    for (uint32_t k = 0; cfg != NULL && k < FUN_PARAMS; k++) {
        cfg->params[k] = fun_params[k].usual;
    }
#endif
    return cfg;
}

FUN_API void futhark_context_config_free(struct futhark_context_config *cfg) {
    free(cfg->cache_file);
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

/* How many bytes the arrays of a context and a call together may use; none for no limit. What is in use is not touched. */
FUN_API void fun_context_config_set_memory_limit(struct futhark_context_config *cfg, uint64_t bytes) {
    cfg->limit = bytes;
}

/* The file that keeps compiled kernels from one process to the next. The process has one device: what its first context says counts. */
FUN_API void futhark_context_config_set_cache_file(struct futhark_context_config *cfg, const char *fname) {
    free(cfg->cache_file);
    cfg->cache_file = fname == NULL ? NULL : strdup(fname);
}

/* Sets a number that chooses between versions, or by the name of a kind all that were not set by their own; not zero where there is none of
   the name. Calls that begin behind this have it. */
FUN_API int futhark_context_config_set_tuning_param(
    struct futhark_context_config *cfg, const char *param_name, size_t new_value) {
    int status = FUN_OTHER_ERROR;
#ifdef FUN_PARAMS
    for (uint32_t k = 0; k < FUN_PARAMS; k++) {
        const bool own = strcmp(fun_params[k].name, param_name) == 0;
        if (own || strcmp(fun_params[k].kind, param_name) == 0) {
            status = FUTHARK_SUCCESS;
            if (own || !cfg->own[k]) {
                cfg->params[k] = (int64_t)new_value;
                cfg->own[k] = own;
            }
        }
    }
#else
    (void)cfg;
    (void)param_name;
    (void)new_value;
#endif
    return status;
}

FUN_API int futhark_get_tuning_param_count(void) {
#ifdef FUN_PARAMS
    return FUN_PARAMS;
#else
    return 0;
#endif
}

FUN_API const char *futhark_get_tuning_param_name(int i) {
#ifdef FUN_PARAMS
    return i >= 0 && i < FUN_PARAMS ? fun_params[i].name : NULL;
#else
    (void)i;
    return NULL;
#endif
}

FUN_API const char *futhark_get_tuning_param_class(int i) {
#ifdef FUN_PARAMS
    return i >= 0 && i < FUN_PARAMS ? fun_params[i].class_name : NULL;
#else
    (void)i;
    return NULL;
#endif
}

/* The numbers of the parameters that an entry point depends on, with -1 at the end. */
FUN_OPTIONAL const int *fun_tuning_params_of(uint32_t entry) {
#ifdef FUN_PARAMS
    return fun_asked[entry];
#else
    static const int none[] = {-1};
    (void)entry;
    return none;
#endif
}

/* A context; NULL where there is no memory for it. Where the program's device is missing, that is its first error. */
FUN_API struct futhark_context *futhark_context_new(struct futhark_context_config *cfg) {
    struct futhark_context *ctx = calloc(1, sizeof *ctx);
    if (ctx != NULL) {
        ctx->config = cfg;
        ctx->log = stderr;
        ctx->pool = fun_pool_new((uint32_t)cfg->threads);
        atomic_flag_clear(&ctx->lock);
        atomic_flag_clear(&ctx->spares.lock);
#ifdef FUN_KERNELS
        if (cfg->cache_file != NULL) {
            fun_keep_kernels_in(cfg->cache_file);
        }
        const char *missing = fun_device_open();
        if (missing != NULL) {
            fun_error(ctx, FUN_OTHER_ERROR, fun_text("Error: %s", missing));
        }
#endif
    }
    return ctx;
}

FUN_API void futhark_context_free(struct futhark_context *ctx) {
#ifdef FUN_KERNELS
    fun_device_end();
#endif
    fun_pool_free(ctx->pool);
    fun_release_spares(&ctx->spares);
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

FUN_API int futhark_context_clear_caches(struct futhark_context *ctx) {
    fun_release_spares(&ctx->spares);
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

/* Bytes that were copied at the boundary: by `new` and `values`, and by views that are not in row order. */
FUN_API uint64_t fun_context_copied_bytes(struct futhark_context *ctx) {
    return atomic_load(&ctx->copied);
}

/* Bytes in arrays. */
FUN_API uint64_t fun_context_bytes(struct futhark_context *ctx) {
    return atomic_load(&ctx->bytes);
}

/* Bytes in arrays and the blocks of a call at most, since the context was made or its caches were cleared. */
FUN_API uint64_t fun_context_peak_bytes(struct futhark_context *ctx) {
    return atomic_load(&ctx->peak);
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

static void fun_use_bytes(struct futhark_context *ctx, uint64_t bytes) {
    const uint64_t now = atomic_fetch_add(&ctx->bytes, bytes) + bytes;
    uint64_t peak = atomic_load(&ctx->peak);
    while (peak < now && !atomic_compare_exchange_weak(&ctx->peak, &peak, now)) {
    }
}

/* Whether so many bytes more are over the limit of the context. */
static bool fun_is_over_limit(struct futhark_context *ctx, uint64_t bytes) {
    const uint64_t limit = ctx->config->limit, used = atomic_load(&ctx->bytes);
    return limit != 0 && (used > limit || bytes > limit - used);
}
