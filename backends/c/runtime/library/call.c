/* Calls of entry points. */

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

/* Makes why a run stopped the last error; `sites` are those of its program. */
static int fun_run_error(struct futhark_context *ctx, const struct fun_site *sites, const struct fun_failure *failure) {
    char told[2048];
    int code = FUTHARK_PROGRAM_ERROR;
    const struct fun_site *site = &sites[failure->site];
    switch ((enum fun_reason)failure->reason) {
    case FUN_CANCELLED:
        return fun_error(ctx, FUN_OTHER_ERROR, fun_text("Error: interrupted"));
    case FUN_DEVICE:
        return fun_error(ctx, FUN_OTHER_ERROR, fun_text("Error: %s", failure->told));
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
    /* what the source calls the arguments; NULL where they are not known by name */
    const char *const *names;
    const void *const *in;
    void *const *out;
    uint64_t *taken, *given;
};

/* How messages call an argument. */
static const char *fun_name_of(const struct fun_run *run, uint32_t k, char room[16]) {
    snprintf(room, 16, "#%u", k);
    return run->names == NULL ? room : run->names[k];
}

/* The version of an entry point for its arguments: what only reads a view takes it where it lies. */
static const struct fun_entry *fun_version(const struct fun_entry *entry, const void *const *in) {
    for (uint32_t k = 0; k < entry->takes_count && entry->views != NULL; k++) {
        const struct fun_array *array = entry->takes[k].rank > 0 ? in[k] : NULL;
        if (array != NULL && array->strides != NULL && !entry->takes[k].consumed) {
            return entry->views;
        }
    }
    return entry;
}

/* The memory that a run uses for an array that it takes. */
static struct fun_storage *fun_storage_for(struct futhark_context *ctx, const struct fun_value *value, const struct fun_array *array) {
    return value->place == NULL ? fun_rows(ctx, array) : array->storage;
}

/* How many bytes of its memory an array reaches over that a run takes. */
static size_t fun_reach_of(const struct fun_value *value, const struct fun_array *array) {
    int64_t cells = fun_count(array->rank, array->shape);
    if (value->place != NULL && array->strides != NULL) {
        cells = array->offset + 1;
        for (uint32_t d = 0; d < array->rank; d++) {
            cells += array->strides[d] > 0 ? array->strides[d] * (array->shape[d] - 1) : 0;
        }
    }
    return (size_t)cells * fun_types[array->type].bytes;
}

/* Tells the run where an array lies in its memory. */
static void fun_take_place(struct fun_run *run, const struct fun_value *value, const struct fun_array *array) {
    int64_t step = 1;
    run->taken[value->place[0]] = (uint64_t)array->offset;
    for (uint32_t d = array->rank; d-- > 0; step *= array->shape[d]) {
        run->taken[value->place[1 + d]] = (uint64_t)(array->strides == NULL ? step : array->strides[d]);
    }
}

/* An array that the entry point may write over must lie apart from all other arguments. */
static int fun_check_distinct(struct futhark_context *ctx, const struct fun_run *run, uint32_t k) {
    const struct fun_entry *entry = run->entry;
    const struct fun_array *array = run->in[k];
    for (uint32_t j = 0; j < k; j++) {
        const struct fun_array *other = run->in[j];
        const struct fun_value *one_value = &entry->takes[j], *two_value = &entry->takes[k];
        if (one_value->rank == 0 || !(one_value->consumed || two_value->consumed)) {
            continue;
        }
        if (fun_meet(fun_storage_for(ctx, one_value, other)->data, fun_reach_of(one_value, other),
                fun_storage_for(ctx, two_value, array)->data, fun_reach_of(two_value, array))) {
            char one[16], two[16];
            return fun_error(ctx, FUTHARK_PROGRAM_ERROR,
                fun_text("Error: arguments %s and %s of %s share memory, and one of them is consumed", fun_name_of(run, j, one),
                    fun_name_of(run, k, two), entry->name));
        }
    }
    return FUTHARK_SUCCESS;
}

/* An argument that is consumed and that shares its memory, with the argument of an earlier call that gave it back, say, is copied: the
   others stay as they are. */
static int fun_take_copy(struct futhark_context *ctx, struct fun_run *run, uint32_t k, const struct fun_storage *storage) {
    const struct fun_array *array = run->in[k];
    const uint64_t bytes = (uint64_t)fun_count(array->rank, array->shape) * fun_types[array->type].bytes;
    if (bytes == 0) {
        return FUTHARK_SUCCESS;
    }
    void *copy = fun_block_of_run(&run->context, bytes);
    if (copy == NULL) {
        char name[16];
        return fun_error(ctx, FUTHARK_OUT_OF_MEMORY,
            fun_text("Error: no memory for a copy of argument %s of %s, which is consumed and shares its memory",
                fun_name_of(run, k, name), run->entry->name));
    }
    run->taken[run->entry->takes[k].at] = (uint64_t)(uintptr_t)copy;
    return fun_move(ctx, copy, 0, storage->data, 0, bytes);
}

/* Fills in the words that an entry point takes. */
static int fun_take_arguments(struct futhark_context *ctx, struct fun_run *run) {
    const struct fun_entry *entry = run->entry;
    bool *known = calloc(entry->words_taken + 1, 1);
    int status = known == NULL ? fun_error(ctx, FUTHARK_OUT_OF_MEMORY, NULL) : FUTHARK_SUCCESS;
    char name[16];
    /* scalars first, so that a size that is also an array's is compared with it */
    for (uint32_t k = 0; status == 0 && k < entry->takes_count; k++) {
        const struct fun_value *value = &entry->takes[k];
        if (run->in[k] == NULL) {
            status = fun_error(ctx, FUTHARK_PROGRAM_ERROR,
                fun_text("Error: argument %s of %s is NULL", fun_name_of(run, k, name), entry->name));
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
                fun_text("Error: argument %s of %s is an array of another type", fun_name_of(run, k, name), entry->name));
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
                    fun_text("Error: entry point arguments have invalid sizes: dimension %u of argument %s of %s "
                             "is %lld where %lld is needed",
                        d, fun_name_of(run, k, name), entry->name, (long long)array->shape[d], (long long)wanted));
            }
        }
        const struct fun_storage *storage = status != 0 ? NULL : fun_storage_for(ctx, value, array);
        if (storage == NULL) {
            status = status != 0 ? status : FUTHARK_OUT_OF_MEMORY;
            continue;
        }
        run->taken[value->at] = (uint64_t)(uintptr_t)storage->data;
        if (value->place != NULL) {
            fun_take_place(run, value, array);
        }
        if (storage->foreign) {
            run->foreign[run->context.foreign_count++] = storage->data;
        }
        status = fun_check_distinct(ctx, run, k);
        if (status == 0 && value->consumed && atomic_load(&storage->arrays) > 1) {
            status = fun_take_copy(ctx, run, k, storage);
        }
    }
    free(known);
    return status;
}

/* The memory that a result lies in: that of an argument, or of one of `earlier` results; NULL where it is the run's own. */
static struct fun_storage *fun_known_storage(struct futhark_context *ctx, const struct fun_run *run,
    const struct fun_array *const *made, uint32_t earlier, const void *data) {
    for (uint32_t k = 0; k < run->entry->takes_count; k++) {
        const struct fun_value *value = &run->entry->takes[k];
        struct fun_storage *storage = value->rank == 0 ? NULL : fun_storage_for(ctx, value, run->in[k]);
        if (storage != NULL && storage->data == data) {
            return storage;
        }
    }
    for (uint32_t k = 0; k < earlier; k++) {
        if (made[k] != NULL && made[k]->storage->data == data) {
            return made[k]->storage;
        }
    }
    return NULL;
}

/* Whether this is memory of the caller's that it gave for reading only: no result lies there. */
static bool fun_is_lent(struct futhark_context *ctx, const struct fun_run *run, const struct fun_storage *storage) {
    bool lent = storage->foreign;
    for (uint32_t k = 0; k < run->entry->takes_count && lent; k++) {
        const struct fun_value *value = &run->entry->takes[k];
        lent = value->rank == 0 || !value->consumed || fun_storage_for(ctx, value, run->in[k]) != storage;
    }
    return lent;
}

/* An array with memory of its own and what is in this one; NULL when there is no memory. */
static struct fun_array *fun_array_from_storage(struct futhark_context *ctx, const struct fun_storage *storage, enum fun_type type,
    uint32_t rank, const int64_t *shape) {
    const size_t bytes = (size_t)fun_count(rank, shape) * fun_types[type].bytes;
    void *data = fun_loose_block(ctx, bytes);
    if (data == NULL) {
        return NULL;
    }
    if (bytes > 0 && fun_move(ctx, data, 0, storage->data, 0, bytes) != 0) {
        fun_free_loose_block(ctx, data);
        return NULL;
    }
    atomic_fetch_add(&ctx->copied, bytes);
    return fun_array_of(ctx, type, rank, shape, data);
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
    struct fun_storage *known = data == NULL ? NULL : fun_known_storage(ctx, run, made, result, data);
    if (known != NULL) {
        /* the library is one owner of the block, however many arrays there are */
        fun_disown(&run->context, data);
        return fun_is_lent(ctx, run, known) ? fun_array_from_storage(ctx, known, value->type, value->rank, shape)
                                       : fun_array_sharing(known, value->type, value->rank, shape);
    }
    if (data != NULL) {
        fun_take_from_run(&run->context, data);
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

/* Runs an entry point; `run` has its arguments, and room for its words. What it leaves is in the context of the run. */
static int fun_run(struct futhark_context *ctx, struct fun_run *run) {
    memset(run->taken, 0, run->entry->words_taken * sizeof(uint64_t));
    memset(run->given, 0, run->entry->words_given * sizeof(uint64_t));
    run->context.foreign = run->foreign;
    run->context.stop = &run->context.own_stop;
    const uint64_t limit = ctx->config->limit, used = atomic_load(&ctx->bytes);
    run->context.cap = limit == 0 ? UINT64_MAX : limit < used ? 0 : limit - used;
    run->context.spares = &ctx->spares;
    run->context.pool = ctx->pool;
    run->context.log = ctx->config->logging ? ctx->log : NULL;
#ifdef FUN_PARAMS
    run->context.params = ctx->config->params;
#endif
    atomic_flag_clear(&run->context.lock);
    const int status = fun_take_arguments(ctx, run);
    if (status != FUTHARK_SUCCESS) {
        return status;
    }
    const uint32_t failed = run->entry->code(&run->context, run->taken, run->given);
    fun_use_bytes(ctx, run->context.peak);
    atomic_fetch_sub(&ctx->bytes, run->context.peak);
    return failed != 0 ? fun_run_error(ctx, run->entry->sites, &run->context.failure) : FUTHARK_SUCCESS;
}

/* Ends a run: what it allocated and did not give is spare. */
static void fun_end_run(struct fun_context *run) {
    if (run->release_device != NULL) {
        run->release_device(run);
    }
    fun_spare_blocks(run);
}

/* Calls an entry point. For each value that it takes, `in` has the address of a scalar, or an array; for each that it gives, `out`
   has where the scalar or a fresh array goes. `names` may say what messages call the arguments. Where it fails, nothing is written. */
static int fun_call(struct futhark_context *ctx, const struct fun_entry *entry, const char *const *names, const void *const *in,
    void *const *out) {
    entry = fun_version(entry, in);
    uint64_t taken[entry->words_taken + 1], given[entry->words_given + 1];
    void *foreign[entry->takes_count + 1];
    struct fun_run run = {.entry = entry, .names = names, .in = in, .out = out, .taken = taken, .given = given, .foreign = foreign};
    int status = fun_run(ctx, &run);
    status = status != 0 ? status : fun_give_results(ctx, &run);
    fun_end_run(&run.context);
    return status;
}
