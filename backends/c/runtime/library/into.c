/* Calls whose results are written into memory of the caller's. */

/* Whether a run may use the caller's memory for a result as a block: it lies apart from arguments and from the other results. */
static bool fun_may_be_block(
    const struct fun_target *targets, uint32_t count, uint32_t k, const struct fun_entry *entry, const void *const *in,
    struct futhark_context *ctx) {
    const char *from = targets[k].data, *to = from + targets[k].bytes;
    bool apart = FUN_ON_HOST && targets[k].bytes > 0 && (uintptr_t)from % 64 == 0;
    for (uint32_t j = 0; j < count; j++) {
        const char *other = targets[j].data;
        apart &= j == k || targets[j].bytes == 0 || to <= other || other + targets[j].bytes <= from;
    }
    for (uint32_t j = 0; j < entry->takes_count; j++) {
        const struct fun_value *value = &entry->takes[j];
        const struct fun_storage *storage = value->rank == 0 ? NULL : fun_storage_for(ctx, value, in[j]);
        const char *start = storage == NULL ? NULL : storage->data;
        apart &= start == NULL || to <= start || start + fun_reach_of(value, in[j]) <= from;
    }
    return apart;
}

/* Where the array results go: one target for each of them. `sizes` has all their sizes, one after the other. */
static int fun_find_targets(struct futhark_context *ctx, const struct fun_entry *entry, void *const *outs, const int64_t *sizes,
    const void *const *in, struct fun_target *targets) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < entry->gives_count; k++) {
        const struct fun_value *value = &entry->gives[k];
        if (value->rank == 0) {
            continue;
        }
        if (!fun_fits(ctx, value->type, value->rank, sizes)) {
            return FUTHARK_PROGRAM_ERROR;
        }
        struct fun_target *target = &targets[count++];
        target->data = outs[k];
        target->bytes = (uint64_t)fun_count(value->rank, sizes) * fun_types[value->type].bytes;
        if (target->data == NULL && target->bytes > 0) {
            return FUN_FAIL(ctx, FUTHARK_PROGRAM_ERROR, "Error: the memory for result #%u of %s is NULL", k, entry->name);
        }
        sizes += value->rank;
    }
    for (uint32_t k = 0; k < count; k++) {
        targets[k].is_free = fun_may_be_block(targets, count, k, entry, in, ctx);
    }
    return FUTHARK_SUCCESS;
}

/* Puts the results of a run where they belong. */
static int fun_write_results(struct futhark_context *ctx, const struct fun_run *run, void *const *outs, const int64_t *sizes,
    const struct fun_target *targets) {
    const struct fun_entry *entry = run->entry;
    const void *moved[entry->gives_count + 1];
    uint32_t count = 0;
    int status = FUTHARK_SUCCESS;
    for (uint32_t k = 0; k < entry->gives_count && status == 0; k++) {
        const struct fun_value *value = &entry->gives[k];
        for (uint32_t d = 0; d < value->rank && status == 0; d++, sizes++) {
            const struct fun_size size = value->shape[d];
            const int64_t found = size.constant ? size.n : (int64_t)run->given[size.n];
            if (found != *sizes) {
                status = FUN_FAIL(ctx, FUTHARK_PROGRAM_ERROR,
                    "Error: dimension %u of result #%u of %s is %lld, and there is memory for %lld", d, k, entry->name,
                    (long long)found, (long long)*sizes);
            }
        }
    }
    /* a result may lie in the memory for another one: it is moved by way of memory of its own */
    for (uint32_t k = 0; k < entry->gives_count && status == 0; k++) {
        if (entry->gives[k].rank == 0) {
            continue;
        }
        const char *data = (const char *)(uintptr_t)run->given[entry->gives[k].at];
        const struct fun_target *own = &targets[count];
        bool elsewhere = false;
        for (uint64_t j = 0; j < run->context.target_count; j++) {
            const struct fun_target *other = &targets[j];
            elsewhere |= FUN_ON_HOST && j != count && data < other->data + other->bytes && other->data < data + own->bytes;
        }
        moved[count] = own->bytes == 0 ? NULL : data;
        if (elsewhere && own->bytes > 0) {
            void *copy = malloc(own->bytes);
            if (copy == NULL) {
                status = FUN_FAIL(ctx, FUTHARK_OUT_OF_MEMORY, "Error: no memory for the results of %s", entry->name);
            } else {
                memcpy(copy, data, own->bytes);
            }
            moved[count] = copy;
        }
        count++;
    }
    uint32_t next = 0;
    for (uint32_t k = 0; k < entry->gives_count; k++) {
        const struct fun_value *value = &entry->gives[k];
        const void *data = (const void *)(uintptr_t)run->given[value->at];
        if (value->rank == 0) {
            if (status == 0) {
                memcpy(outs[k], &run->given[value->at], fun_types[value->type].bytes);
            }
            continue;
        }
        if (next >= count) {
            break;
        }
        const struct fun_target *target = &targets[next];
        const void *from = moved[next++];
        if (status == 0 && from != NULL && from != target->data) {
            status = fun_get(ctx, from, 0, target->data, target->bytes);
            atomic_fetch_add(&ctx->copied, target->bytes);
        }
        if (from != data) {
            free((void *)(uintptr_t)from);
        }
    }
    return status;
}

/* Calls an entry point, whose results go to `outs`: scalars, and the elements of arrays in row order, of all of which `sizes` has the
   sizes. Where it fails, the memory for arrays holds anything. */
FUN_OPTIONAL int fun_call_into(struct futhark_context *ctx, const struct fun_signature *signature, void *const *outs,
    const int64_t *sizes, const void *const *values) {
    const struct fun_entry *entry = signature->entry;
    union fun_cell in[entry->takes_count + 1];
    const void *flat[entry->takes_count + 1];
    const char *names[entry->takes_count + 1];
    int status = fun_take_values(ctx, signature, values, in, flat, names);
    if (status != FUTHARK_SUCCESS) {
        return status;
    }
    entry = fun_version(entry, flat);
    uint64_t taken[entry->words_taken + 1], given[entry->words_given + 1];
    void *foreign[entry->takes_count + 1];
    struct fun_target targets[entry->gives_count + 1];
    struct fun_run run = {.entry = entry, .names = names, .in = flat, .taken = taken, .given = given, .foreign = foreign};
    status = fun_find_targets(ctx, entry, outs, sizes, flat, targets);
    if (status != FUTHARK_SUCCESS) {
        return status;
    }
    run.context.targets = targets;
    for (uint32_t k = 0; k < entry->gives_count; k++) {
        run.context.target_count += entry->gives[k].rank > 0;
    }
    status = fun_run(ctx, &run);
    status = status != 0 ? status : fun_write_results(ctx, &run, outs, sizes, targets);
    fun_end_run(&run.context);
    return status;
}
