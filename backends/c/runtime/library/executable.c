/* The program as a command: reads the arguments of an entry point from standard input, runs it and writes the results. */

/* The entry point that was asked for. */
static const struct fun_entry *fun_find_entry(const struct fun_options *options) {
    for (size_t k = 0; fun_entries[k].name != NULL; k++) {
        if (strcmp(fun_entries[k].name, options->entry) == 0) {
            return &fun_entries[k];
        }
    }
    fprintf(stderr, "No entry point '%s'.  Select another with --entry-point.  Options are:\n", options->entry);
    for (size_t k = 0; fun_entries[k].name != NULL; k++) {
        fprintf(stderr, "%s\n", fun_entries[k].name);
    }
    exit(1);
}

/* `[][]i32` */
static void fun_type_name(char *name, size_t room, const struct fun_value *value) {
    const uint32_t rank = value->rank < room / 2 - 8 ? value->rank : (uint32_t)(room / 2 - 8);
    for (uint32_t k = 0; k < rank; k++) {
        memcpy(name + 2 * k, "[]", 2);
    }
    strcpy(name + 2 * rank, fun_types[value->type].name);
}

/* Values as `fun_call` takes and gives them. */
struct fun_values {
    uint64_t *scalars;
    void **places;
};

static struct fun_values fun_values_new(const struct fun_options *options, uint32_t count) {
    struct fun_values values = {calloc(count + 1, sizeof(uint64_t)), calloc(count + 1, sizeof(void *))};
    if (values.scalars == NULL || values.places == NULL) {
        fun_end(options, 1, "Error: no memory");
    }
    return values;
}

static void fun_free_values(struct fun_values *values) {
    free(values->scalars);
    free(values->places);
}

/* Reads the arguments, and fails where there is more. */
static struct fun_values fun_read_input(
    const struct fun_options *options, struct futhark_context *ctx, const struct fun_entry *entry) {
    static struct fun_reader reader;
    reader.file = stdin;
    reader.line = 1;
    struct fun_values in = fun_values_new(options, entry->takes_count);
    for (uint32_t k = 0; k < entry->takes_count; k++) {
        const struct fun_value *value = &entry->takes[k];
        bool read;
        if (value->rank == 0) {
            in.places[k] = &in.scalars[k];
            read = fun_read_scalar(&reader, value->type, &in.scalars[k]);
        } else {
            in.places[k] = fun_read_array(ctx, &reader, value->type, value->rank);
            read = in.places[k] != NULL;
        }
        if (!read) {
            char name[64];
            fun_type_name(name, sizeof name, value);
            fun_end(options, 1, "%s input #%u of type %s (line %llu: %s).",
                value->rank == 0 ? "Error when reading" : "Cannot read", k, name, (unsigned long long)reader.line,
                reader.problem);
        }
    }
    if (fun_skip_blanks(&reader)) {
        fun_end(options, 1, "Expected EOF on stdin after reading input for \"%s\".", entry->name);
    }
    return in;
}

/* Frees arrays that an entry point took or gave. */
static void fun_free_arrays(
    struct futhark_context *ctx, uint32_t count, const struct fun_value *values, void *const *arrays) {
    for (uint32_t k = 0; k < count; k++) {
        if (values[k].rank > 0) {
            fun_array_free(ctx, arrays[k]);
        }
    }
}

/* Runs the entry point once; gives arrays in `arrays`. `last`: the arguments are not needed any more. */
static void fun_run_once(const struct fun_options *options, struct futhark_context *ctx, const struct fun_entry *entry,
    const struct fun_values *in, struct fun_values *out, bool last, bool timed) {
    struct fun_values given = fun_values_new(options, entry->takes_count);
    for (uint32_t k = 0; k < entry->takes_count; k++) {
        const struct fun_value *value = &entry->takes[k];
        given.places[k] = in->places[k];
        if (value->consumed && !last) {
            const struct fun_array *array = in->places[k];
            given.places[k] = fun_array_from_storage(ctx, array->storage, array->type, array->rank, array->shape);
            if (given.places[k] == NULL && ctx->error != NULL) {
                fun_end_with_error(options, ctx);
            }
            if (given.places[k] == NULL) {
                fun_end(options, 1, "Error: no memory for input #%u", k);
            }
        }
    }
    void *places[entry->gives_count + 1];
    for (uint32_t k = 0; k < entry->gives_count; k++) {
        places[k] = entry->gives[k].rank > 0 ? (void *)&out->places[k] : (void *)&out->scalars[k];
    }
    struct timespec start, end;
    /* copies of what is consumed are no part of the run */
    if (futhark_context_sync(ctx) != FUTHARK_SUCCESS) {
        fun_end_with_error(options, ctx);
    }
    clock_gettime(CLOCK_MONOTONIC, &start);
    int status = fun_call(ctx, entry, NULL, (const void *const *)given.places, places);
    status = status == FUTHARK_SUCCESS ? futhark_context_sync(ctx) : status;
    clock_gettime(CLOCK_MONOTONIC, &end);
    if (status != FUTHARK_SUCCESS) {
        fun_end_with_error(options, ctx);
    }
    if (timed && options->times != NULL) {
        const long long nanoseconds = (end.tv_sec - start.tv_sec) * 1000000000LL + (end.tv_nsec - start.tv_nsec);
        fprintf(options->times, "%lld\n", nanoseconds / 1000);
        fflush(options->times);
    }
    for (uint32_t k = 0; k < entry->takes_count; k++) {
        if (given.places[k] != in->places[k]) {
            fun_array_free(ctx, given.places[k]);
        }
    }
    fun_free_values(&given);
}

int main(int count, char **words) {
    struct fun_options options = {.program = words[0], .entry = "main"};
    struct futhark_context_config *config = futhark_context_config_new();
    if (config == NULL) {
        fun_end(&options, 1, "Error: no memory");
    }
    fun_read_options(&options, config, count, words);
    const struct fun_entry *entry = fun_find_entry(&options);
    struct futhark_context *ctx = fun_begin(&options, config);
    struct fun_values in = fun_read_input(&options, ctx, entry), out = fun_values_new(&options, entry->gives_count);
    const int runs = options.runs == 0 ? 1 : options.runs + 1;
    for (int run = 0; run < runs; run++) {
        const bool last = run + 1 == runs;
        fun_run_once(&options, ctx, entry, &in, &out, last, run > 0 || options.runs == 0);
        if (!last) {
            fun_free_arrays(ctx, entry->gives_count, entry->gives, out.places);
        }
    }
    fun_free_arrays(ctx, entry->takes_count, entry->takes, in.places);
    for (uint32_t k = 0; k < entry->gives_count && !options.quiet; k++) {
        const struct fun_value *value = &entry->gives[k];
        const struct fun_array *array = out.places[k];
        if (array == NULL) {
            fun_write_value(stdout, options.binary, value->type, 0, NULL, &out.scalars[k]);
        } else if (fun_write_array(ctx, stdout, options.binary, array) != FUTHARK_SUCCESS) {
            fun_end_with_error(&options, ctx);
        }
        putchar('\n');
    }
    fun_free_arrays(ctx, entry->gives_count, entry->gives, out.places);
    if (config->debugging) {
        fprintf(stderr, "Peak memory usage for default space: %llu bytes.\n", (unsigned long long)atomic_load(&ctx->peak));
    }
    fun_free_values(&in);
    fun_free_values(&out);
    futhark_context_free(ctx);
    futhark_context_config_free(config);
    const bool unwritten = options.times != NULL && ferror(options.times);
    if (options.times != NULL && (fclose(options.times) != 0 || unwritten)) {
        fun_end(&options, 1, "Cannot write the times: %s", strerror(errno));
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fun_end(&options, 1, "Cannot write to standard output: %s", strerror(errno));
    }
    return 0;
}
