/* The sizes of results, without the results. */

/* Computes the sizes of what an entry point gives for these arguments, which it does not consume: those of each array result go to `outs`,
   one after the other, and to `bytes` what their elements take together; nothing goes to NULL. */
FUN_OPTIONAL int fun_call_sizes(struct futhark_context *ctx, const struct fun_signature *signature, const struct fun_entry *sizes,
    int64_t *bytes, void *const *outs, const void *const *values) {
    const struct fun_entry *entry = signature->entry;
    union fun_cell in[entry->takes_count + 1];
    const void *flat[entry->takes_count + 1];
    const char *names[entry->takes_count + 1];
    uint64_t taken[sizes->words_taken + 1], given[sizes->words_given + 1];
    void *foreign[entry->takes_count + 1];
    struct fun_run run = {.entry = sizes, .names = names, .in = flat, .taken = taken, .given = given, .foreign = foreign};
    int status = fun_take_values(ctx, signature, values, in, flat, names);
    if (status == FUTHARK_SUCCESS && sizes->code == NULL) {
        status = FUN_FAIL(ctx, FUN_OTHER_ERROR,
            "Error: the sizes of what %s gives depend on elements of arrays or on calls: they are known when it has run", entry->name);
    }
    if (status != FUTHARK_SUCCESS) {
        return status;
    }
    status = fun_run(ctx, &run);
    fun_end_run(&run.context);
    const int64_t *next = (const int64_t *)given;
    int64_t all = 0;
    for (uint32_t k = 0, array = 0; k < entry->gives_count && status == FUTHARK_SUCCESS; k++) {
        const struct fun_value *value = &entry->gives[k];
        if (value->rank == 0) {
            continue;
        }
        int64_t own = 0;
        const int64_t count = fun_count(value->rank, next);
        if (count < 0 || __builtin_mul_overflow(count, (int64_t)fun_types[value->type].bytes, &own) ||
            __builtin_add_overflow(all, own, &all)) {
            status = FUN_FAIL(ctx, FUTHARK_PROGRAM_ERROR, "Error: result #%u of %s can't have its sizes", k, entry->name);
        } else if (outs[array] != NULL) {
            memcpy(outs[array], next, value->rank * sizeof *next);
        }
        next += value->rank;
        array++;
    }
    if (status == FUTHARK_SUCCESS && bytes != NULL) {
        *bytes = all;
    }
    return status;
}
