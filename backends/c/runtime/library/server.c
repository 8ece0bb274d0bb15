/* The program as a server: Futhark's protocol, a command a line on standard input, what it gives on standard output. */

/* A value under a name. */
struct fun_variable {
    char *name;
    const struct fun_named *type;
    /* a scalar, or a pointer to an array or opaque value */
    uint64_t value;
    struct fun_variable *next;
};

struct fun_server {
    struct futhark_context_config *config;
    struct futhark_context *ctx;
    struct fun_variable *variables;
    /* the words of the command, and how many there are behind its name */
    char **words;
    int count;
};

/* Scalars, which commands may name though no entry point does. */
#define FUN_SCALAR(name, tag) {name, FUN_PRIMITIVE, 1, &(const struct fun_leaf){tag, 0}, 0, NULL, 0, NULL, 0, NULL}
static const struct fun_named fun_scalars[] = {
    FUN_SCALAR("i8", FUN_I8), FUN_SCALAR("i16", FUN_I16), FUN_SCALAR("i32", FUN_I32), FUN_SCALAR("i64", FUN_I64),
    FUN_SCALAR("u8", FUN_U8), FUN_SCALAR("u16", FUN_U16), FUN_SCALAR("u32", FUN_U32), FUN_SCALAR("u64", FUN_U64),
    FUN_SCALAR("f16", FUN_F16), FUN_SCALAR("f32", FUN_F32), FUN_SCALAR("f64", FUN_F64), FUN_SCALAR("bool", FUN_BOOL),
};

/* What follows up to the end of the command is the reason why it failed. */
__attribute__((format(printf, 1, 2))) static void fun_failed(const char *format, ...) {
    printf("%%%%%% FAILURE\n");
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
}

/* Tells of an error in the context; says whether there is one. */
static bool fun_failed_with(struct fun_server *server, int status) {
    if (status != FUTHARK_SUCCESS) {
        char *error = futhark_context_get_error(server->ctx);
        fun_failed("%s", error == NULL ? "Error: no memory" : error);
        free(error);
    }
    return status != FUTHARK_SUCCESS;
}

static const struct fun_named *fun_find_type(const char *name) {
    for (const struct fun_named *type = fun_named; type->name != NULL; type++) {
        if (strcmp(type->name, name) == 0) {
            return type;
        }
    }
    for (size_t k = 0; k < sizeof fun_scalars / sizeof *fun_scalars; k++) {
        if (strcmp(fun_scalars[k].name, name) == 0) {
            return &fun_scalars[k];
        }
    }
    fun_failed("Unknown type: %s", name);
    return NULL;
}

static const struct fun_signature *fun_find_signature(const char *name) {
    for (const struct fun_signature *signature = fun_signatures; signature->entry != NULL; signature++) {
        if (strcmp(signature->entry->name, name) == 0) {
            return signature;
        }
    }
    fun_failed("Unknown entry point: %s", name);
    return NULL;
}

static bool fun_same_type(const struct fun_named *a, const struct fun_named *b) {
    return strcmp(a->name, b->name) == 0;
}

static bool fun_is_array(const struct fun_named *type) {
    return type->kind == FUN_ARRAY || type->kind == FUN_RECORD_ARRAY || type->kind == FUN_OPAQUE_ARRAY;
}

static uint32_t fun_rank_of(const struct fun_named *type) {
    return type->rank;
}

static const struct fun_named *fun_element_of(const struct fun_named *type) {
    return type->kind == FUN_ARRAY ? fun_find_type(fun_types[type->leaves[0].type].name) : type->element;
}

/* Where the pointer to a variable of this name is, or would be. */
static struct fun_variable **fun_place_of(struct fun_server *server, const char *name) {
    struct fun_variable **place = &server->variables;
    while (*place != NULL && strcmp((*place)->name, name) != 0) {
        place = &(*place)->next;
    }
    return place;
}

static struct fun_variable *fun_find_variable(struct fun_server *server, const char *name) {
    struct fun_variable *variable = *fun_place_of(server, name);
    if (variable == NULL) {
        fun_failed("Unknown variable: %s", name);
    }
    return variable;
}

/* Whether a name is free for a new variable. */
static bool fun_is_new(struct fun_server *server, const char *name) {
    if (*fun_place_of(server, name) != NULL) {
        fun_failed("Variable already exists: %s", name);
        return false;
    }
    return true;
}

/* The value of a variable, as functions on values take it. */
static const void *fun_value_address(const struct fun_variable *variable) {
    return variable->type->kind == FUN_PRIMITIVE ? (const void *)&variable->value : (const void *)(uintptr_t)variable->value;
}

static void fun_free_value(struct fun_server *server, const struct fun_named *type, uint64_t value) {
    if (type->kind == FUN_ARRAY) {
        fun_array_free(server->ctx, (struct fun_array *)(uintptr_t)value);
    } else if (type->kind != FUN_PRIMITIVE) {
        fun_opaque_free(server->ctx, (struct fun_opaque *)(uintptr_t)value);
    }
}

/* A new variable, whose name is free; it takes the value over. */
static void fun_add_variable(struct fun_server *server, const char *name, const struct fun_named *type, uint64_t value) {
    struct fun_variable *variable = malloc(sizeof *variable);
    char *copy = fun_text("%s", name);
    if (variable == NULL || copy == NULL) {
        free(variable);
        free(copy);
        fun_free_value(server, type, value);
        fun_failed("Out of memory.");
        return;
    }
    *variable = (struct fun_variable){copy, type, value, server->variables};
    server->variables = variable;
}

static void fun_drop_variable(struct fun_server *server, struct fun_variable **place) {
    struct fun_variable *variable = *place;
    *place = variable->next;
    fun_free_value(server, variable->type, variable->value);
    free(variable->name);
    free(variable);
}

/* The values of the variables that are the words from `first` on, of the types that `type_of` gives; NULL, and a message, where they
   are others. The caller frees the list. */
static const void **fun_values_from(struct fun_server *server, int first, uint32_t count,
    const struct fun_named *(*type_of)(const void *, uint32_t), const void *of, const char *what) {
    if (server->count - first + 1 != (int)count) {
        fun_failed("Expected %u values, but got %d.", count, server->count - first + 1);
        return NULL;
    }
    const void **values = calloc(count + 1, sizeof *values);
    for (uint32_t k = 0; values != NULL && k < count; k++) {
        const struct fun_variable *variable = fun_find_variable(server, server->words[first + (int)k]);
        const struct fun_named *type = type_of(of, k);
        if (variable == NULL || !fun_same_type(variable->type, type)) {
            if (variable != NULL) {
                fun_failed("%s %u mismatch: expected type %s, got %s", what, k, type->name, variable->type->name);
            }
            free(values);
            return NULL;
        }
        values[k] = fun_value_address(variable);
    }
    return values;
}

static const struct fun_named *fun_part_type(const void *parts, uint32_t k) {
    return ((const struct fun_part *)parts)[k].type;
}

static const struct fun_named *fun_input_type(const void *inputs, uint32_t k) {
    return ((const struct fun_input *)inputs)[k].type;
}

static const struct fun_named *fun_one_type(const void *type, uint32_t k) {
    (void)k;
    return type;
}

/* Whole numbers from the word `first` on. */
static bool fun_numbers_from(struct fun_server *server, int first, uint32_t count, int64_t *numbers, const char *what) {
    for (uint32_t k = 0; k < count; k++) {
        char *end = NULL;
        const char *word = first + (int)k <= server->count ? server->words[first + (int)k] : "";
        numbers[k] = strtoll(word, &end, 10);
        if (*word == '\0' || *end != '\0') {
            fun_failed("Invalid %s `%s` of dimension %u.", what, word, k + 1);
            return false;
        }
    }
    return true;
}

static void fun_cmd_types(struct fun_server *server) {
    (void)server;
    for (const struct fun_named *type = fun_named; type->name != NULL; type++) {
        puts(type->name);
    }
}

static void fun_cmd_entry_points(struct fun_server *server) {
    (void)server;
    for (const struct fun_signature *signature = fun_signatures; signature->entry != NULL; signature++) {
        puts(signature->entry->name);
    }
}

static void fun_cmd_call(struct fun_server *server) {
    const struct fun_signature *signature = fun_find_signature(server->words[1]);
    if (signature == NULL || !fun_is_new(server, server->words[2])) {
        return;
    }
    const void **values = fun_values_from(server, 3, signature->input_count, fun_input_type, signature->inputs, "Input");
    if (values == NULL) {
        return;
    }
    uint64_t out = 0;
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    const int status = fun_call_signature(server->ctx, signature, &out, values);
    clock_gettime(CLOCK_MONOTONIC, &end);
    free(values);
    printf("runtime: %lld\n", ((end.tv_sec - start.tv_sec) * 1000000000LL + (end.tv_nsec - start.tv_nsec)) / 1000);
    if (!fun_failed_with(server, status)) {
        fun_add_variable(server, server->words[2], signature->output, out);
    }
}

/* Reads a value of a type; the leaves of opaque ones follow each other. */
static bool fun_read_named(struct fun_server *server, struct fun_reader *reader, const struct fun_named *type, uint64_t *value) {
    union fun_cell leaves[type->leaf_count + 1];
    memset(leaves, 0, sizeof leaves);
    bool good = true;
    for (uint32_t k = 0; k < type->leaf_count && good; k++) {
        const struct fun_leaf leaf = type->leaves[k];
        if (leaf.rank == 0) {
            good = fun_read_scalar(reader, leaf.type, &leaves[k].scalar);
        } else {
            leaves[k].array = fun_read_array(server->ctx, reader, leaf.type, leaf.rank);
            good = leaves[k].array != NULL;
        }
    }
    if (!good) {
        fun_free_leaves(server->ctx, type, leaves);
    }
    return good && fun_value_of(server->ctx, type, leaves, value) == FUTHARK_SUCCESS;
}

static void fun_cmd_restore(struct fun_server *server) {
    static struct fun_reader reader;
    FILE *file = fopen(server->words[1], "rb");
    if (file == NULL) {
        fun_failed("Failed to open %s: %s", server->words[1], strerror(errno));
        return;
    }
    reader.file = file;
    reader.at = reader.end = 0;
    reader.line = 1;
    bool good = true;
    for (int k = 2; k < server->count && good; k += 2) {
        const char *name = server->words[k];
        const struct fun_named *type = fun_is_new(server, name) ? fun_find_type(server->words[k + 1]) : NULL;
        uint64_t value = 0;
        good = type != NULL;
        if (good && !fun_read_named(server, &reader, type, &value)) {
            good = false;
            fun_failed("Failed to restore variable %s.\nPossibly malformed data in %s (line %llu: %s)", name, server->words[1],
                (unsigned long long)reader.line, reader.problem);
        } else if (good) {
            fun_add_variable(server, name, type, value);
        }
    }
    if (good && fun_skip_blanks(&reader)) {
        fun_failed("Expected EOF after reading %d values from %s", (server->count - 1) / 2, server->words[1]);
    }
    fclose(file);
}

static void fun_cmd_store(struct fun_server *server) {
    FILE *file = fopen(server->words[1], "wb");
    if (file == NULL) {
        fun_failed("Failed to open %s: %s", server->words[1], strerror(errno));
        return;
    }
    for (int k = 2; k <= server->count; k++) {
        const struct fun_variable *variable = fun_find_variable(server, server->words[k]);
        if (variable == NULL) {
            break;
        }
        const struct fun_named *type = variable->type;
        union fun_cell leaves[type->leaf_count + 1];
        fun_leaves_of(type, fun_value_address(variable), leaves);
        for (uint32_t j = 0; j < type->leaf_count; j++) {
            const bool scalar = type->leaves[j].rank == 0;
            fun_write_value(file, true, type->leaves[j].type, type->leaves[j].rank, scalar ? NULL : leaves[j].array->shape,
                scalar ? (const void *)&leaves[j].scalar : leaves[j].array->storage->data);
        }
    }
    const bool written = ferror(file) == 0;
    if (fclose(file) != 0 || !written) {
        fun_failed("Failed to write %s: %s", server->words[1], strerror(errno));
    }
}

static void fun_cmd_free(struct fun_server *server) {
    for (int k = 1; k <= server->count; k++) {
        if (fun_find_variable(server, server->words[k]) == NULL) {
            return;
        }
        fun_drop_variable(server, fun_place_of(server, server->words[k]));
    }
}

static void fun_cmd_rename(struct fun_server *server) {
    struct fun_variable *variable = fun_find_variable(server, server->words[1]);
    if (variable != NULL && fun_is_new(server, server->words[2])) {
        char *name = fun_text("%s", server->words[2]);
        if (name == NULL) {
            fun_failed("Out of memory.");
            return;
        }
        free(variable->name);
        variable->name = name;
    }
}

static void fun_cmd_inputs(struct fun_server *server) {
    const struct fun_signature *signature = fun_find_signature(server->words[1]);
    for (uint32_t k = 0; signature != NULL && k < signature->input_count; k++) {
        printf("%s%s\n", signature->inputs[k].consumed ? "*" : "", signature->inputs[k].type->name);
    }
}

static void fun_cmd_output(struct fun_server *server) {
    const struct fun_signature *signature = fun_find_signature(server->words[1]);
    if (signature != NULL) {
        printf("%s%s\n", signature->fresh ? "*" : "", signature->output->name);
    }
}

static void fun_cmd_clear(struct fun_server *server) {
    fun_failed_with(server, futhark_context_clear_caches(server->ctx));
}

static void fun_cmd_kind(struct fun_server *server) {
    const struct fun_named *type = fun_find_type(server->words[1]);
    if (type != NULL) {
        const char *others = type->kind == FUN_RECORD ? "record" : type->kind == FUN_SUM ? "sum" : "primitive";
        puts(fun_is_array(type) ? "array" : others);
    }
}

static void fun_cmd_type(struct fun_server *server) {
    const struct fun_variable *variable = fun_find_variable(server, server->words[1]);
    if (variable != NULL) {
        puts(variable->type->name);
    }
}

static void fun_cmd_pause_profiling(struct fun_server *server) {
    futhark_context_pause_profiling(server->ctx);
}

static void fun_cmd_unpause_profiling(struct fun_server *server) {
    futhark_context_unpause_profiling(server->ctx);
}

static void fun_cmd_report(struct fun_server *server) {
    char *report = futhark_context_report(server->ctx);
    if (report == NULL) {
        fun_failed("Out of memory.");
    } else {
        puts(report);
    }
    free(report);
}

static void fun_cmd_set_tuning_param(struct fun_server *server) {
    const long value = atol(server->words[2]);
    if (futhark_context_config_set_tuning_param(server->config, server->words[1], (size_t)value) != 0) {
        fun_failed("Failed to set tuning parameter %s to %ld", server->words[1], value);
    }
}

/* None is for any entry point. */
static void fun_cmd_tuning_params(struct fun_server *server) {
    fun_find_signature(server->words[1]);
}

static void fun_cmd_tuning_param_class(struct fun_server *server) {
    fun_failed("Unknown tuning parameter: %s", server->words[1]);
}

static void fun_cmd_attributes(struct fun_server *server) {
    const struct fun_signature *signature = fun_find_signature(server->words[1]);
    for (uint32_t k = 0; signature != NULL && signature->attributes[k] != NULL; k++) {
        puts(signature->attributes[k]);
    }
}

/* The array type of a name. */
static const struct fun_named *fun_array_type(const char *name) {
    const struct fun_named *type = fun_find_type(name);
    if (type != NULL && !fun_is_array(type)) {
        fun_failed("Not an array type");
        return NULL;
    }
    return type;
}

/* The variable of a name, which must be an array. */
static struct fun_variable *fun_array_variable(struct fun_server *server, const char *name) {
    struct fun_variable *variable = fun_find_variable(server, name);
    if (variable != NULL && !fun_is_array(variable->type)) {
        fun_failed("Not an array type");
        return NULL;
    }
    return variable;
}

static void fun_cmd_rank(struct fun_server *server) {
    const struct fun_named *type = fun_array_type(server->words[1]);
    if (type != NULL) {
        printf("%u\n", fun_rank_of(type));
    }
}

static void fun_cmd_elemtype(struct fun_server *server) {
    const struct fun_named *type = fun_array_type(server->words[1]);
    if (type != NULL) {
        puts(fun_element_of(type)->name);
    }
}

static void fun_cmd_shape(struct fun_server *server) {
    const struct fun_variable *variable = fun_array_variable(server, server->words[1]);
    if (variable != NULL) {
        const int64_t *shape = fun_shape_of(variable->type, fun_value_address(variable));
        for (uint32_t d = 0; d < fun_rank_of(variable->type); d++) {
            printf("%lld\n", (long long)(shape == NULL ? 0 : shape[d]));
        }
    }
}

/* An array of scalars of their values. */
static int fun_scalar_array_new(
    struct fun_server *server, const struct fun_named *type, uint64_t *out, const void *const *values, const int64_t *shape) {
    const struct fun_leaf leaf = type->leaves[0];
    struct fun_array *array = fun_array_fresh(server->ctx, leaf.type, leaf.rank, shape);
    const size_t bytes = fun_types[leaf.type].bytes;
    for (size_t k = 0; array != NULL && values[k] != NULL; k++) {
        memcpy((char *)array->storage->data + k * bytes, values[k], bytes);
    }
    memcpy(out, &array, sizeof array);
    return array == NULL ? fun_error(server->ctx, FUTHARK_OUT_OF_MEMORY, fun_text("Out of memory.")) : FUTHARK_SUCCESS;
}

static void fun_cmd_new_array(struct fun_server *server) {
    const struct fun_named *type = fun_is_new(server, server->words[1]) ? fun_array_type(server->words[2]) : NULL;
    if (type == NULL) {
        return;
    }
    const uint32_t rank = fun_rank_of(type);
    int64_t shape[rank];
    if (!fun_numbers_from(server, 3, rank, shape, "size")) {
        return;
    }
    const int64_t count = fun_count(rank, shape);
    if (count < 0 || count > INT32_MAX) {
        fun_failed("Invalid array size.");
        return;
    }
    const struct fun_named *element = fun_element_of(type);
    const void **values = fun_values_from(server, 3 + (int)rank, (uint32_t)count, fun_one_type, element, "Value");
    if (values == NULL) {
        return;
    }
    uint64_t out = 0;
    const int status = type->kind == FUN_ARRAY ? fun_scalar_array_new(server, type, &out, values, shape)
                                               : fun_opaque_array_new(server->ctx, type, &out, values, shape);
    free(values);
    if (!fun_failed_with(server, status)) {
        fun_add_variable(server, server->words[1], type, out);
    }
}

/* The indices of an element, from the word `first` on. */
static bool fun_indices_from(struct fun_server *server, int first, const struct fun_named *type, int64_t *indices) {
    if (server->count - first + 1 != (int)fun_rank_of(type)) {
        fun_failed("%u indices expected but %d values provided.", fun_rank_of(type), server->count - first + 1);
        return false;
    }
    return fun_numbers_from(server, first, fun_rank_of(type), indices, "index");
}

static void fun_cmd_index(struct fun_server *server) {
    const struct fun_variable *variable =
        fun_is_new(server, server->words[1]) ? fun_array_variable(server, server->words[2]) : NULL;
    if (variable == NULL) {
        return;
    }
    int64_t indices[fun_rank_of(variable->type)];
    if (!fun_indices_from(server, 3, variable->type, indices)) {
        return;
    }
    uint64_t out = 0;
    const void *array = fun_value_address(variable);
    const int status = variable->type->kind == FUN_ARRAY
                           ? fun_array_index(server->ctx, &out, array, indices)
                           : fun_opaque_index(server->ctx, variable->type, &out, array, indices);
    if (!fun_failed_with(server, status)) {
        fun_add_variable(server, server->words[1], fun_element_of(variable->type), out);
    }
}

static void fun_cmd_set(struct fun_server *server) {
    struct fun_variable *variable = fun_array_variable(server, server->words[1]);
    const struct fun_variable *value = variable == NULL ? NULL : fun_find_variable(server, server->words[2]);
    if (value == NULL) {
        return;
    }
    const struct fun_named *type = variable->type, *element = fun_element_of(type);
    int64_t indices[fun_rank_of(type)];
    if (!fun_same_type(value->type, element)) {
        fun_failed("Type mismatch: expected element of type %s, got %s", element->name, value->type->name);
        return;
    }
    if (!fun_indices_from(server, 3, type, indices)) {
        return;
    }
    if (type->kind != FUN_ARRAY) {
        struct fun_opaque *array = (struct fun_opaque *)(uintptr_t)variable->value;
        fun_failed_with(server, fun_opaque_set(server->ctx, type, array, fun_value_address(value), indices));
        return;
    }
    const struct fun_array *array = fun_value_address(variable);
    const int64_t at = fun_element_at(server->ctx, type, array->shape, indices);
    const size_t bytes = fun_types[array->type].bytes;
    if (at < 0) {
        fun_failed_with(server, FUTHARK_PROGRAM_ERROR);
    } else {
        memcpy((char *)array->storage->data + (size_t)at * bytes, &value->value, bytes);
    }
}

/* A record, or an array of records. */
static void fun_new_of_fields(struct fun_server *server, enum fun_kind kind, const char *not_so) {
    const struct fun_named *type = fun_is_new(server, server->words[1]) ? fun_find_type(server->words[2]) : NULL;
    if (type == NULL || type->kind != kind) {
        if (type != NULL) {
            fun_failed("%s", not_so);
        }
        return;
    }
    const void **values = fun_values_from(server, 3, type->field_count, fun_part_type, type->fields, "Field");
    uint64_t out = 0;
    if (values != NULL && !fun_failed_with(server, fun_record_new(server->ctx, type, &out, values))) {
        fun_add_variable(server, server->words[1], type, out);
    }
    free(values);
}

static void fun_cmd_new(struct fun_server *server) {
    fun_new_of_fields(server, FUN_RECORD, "Not a record type");
}

static void fun_cmd_zip(struct fun_server *server) {
    fun_new_of_fields(server, FUN_RECORD_ARRAY, "Cannot zip this array type");
}

static void fun_cmd_unzip(struct fun_server *server) {
    const struct fun_variable *variable = fun_array_variable(server, server->words[1]);
    if (variable == NULL || variable->type->kind != FUN_RECORD_ARRAY) {
        if (variable != NULL) {
            fun_failed("Cannot unzip this array type");
        }
        return;
    }
    const struct fun_named *type = variable->type;
    if (server->count - 1 != (int)type->field_count) {
        fun_failed("%u arrays expected but %d values provided.", type->field_count, server->count - 1);
        return;
    }
    for (uint32_t k = 0; k < type->field_count; k++) {
        uint64_t out = 0;
        const char *name = server->words[2 + (int)k];
        if (!fun_is_new(server, name) ||
            fun_failed_with(server, fun_project(server->ctx, type, k, &out, fun_value_address(variable)))) {
            return;
        }
        fun_add_variable(server, name, type->fields[k].type, out);
    }
}

static void fun_cmd_fields(struct fun_server *server) {
    const struct fun_named *type = fun_find_type(server->words[1]);
    if (type != NULL && type->kind != FUN_RECORD && type->kind != FUN_RECORD_ARRAY) {
        fun_failed("Not a record type");
        return;
    }
    for (uint32_t k = 0; type != NULL && k < type->field_count; k++) {
        printf("%s %s\n", type->fields[k].name, type->fields[k].type->name);
    }
}

static void fun_cmd_project(struct fun_server *server) {
    const struct fun_variable *variable =
        fun_is_new(server, server->words[1]) ? fun_find_variable(server, server->words[2]) : NULL;
    if (variable == NULL) {
        return;
    }
    const struct fun_named *type = variable->type;
    if (type->kind != FUN_RECORD && type->kind != FUN_RECORD_ARRAY) {
        fun_failed("Not a record type");
        return;
    }
    for (uint32_t k = 0; k < type->field_count; k++) {
        if (strcmp(type->fields[k].name, server->words[3]) == 0) {
            uint64_t out = 0;
            if (!fun_failed_with(server, fun_project(server->ctx, type, k, &out, fun_value_address(variable)))) {
                fun_add_variable(server, server->words[1], type->fields[k].type, out);
            }
            return;
        }
    }
    fun_failed("No such field");
}

/* The sum type of a name. */
static bool fun_is_sum(const struct fun_named *type) {
    if (type != NULL && type->kind != FUN_SUM) {
        fun_failed("Not a sum type");
    }
    return type != NULL && type->kind == FUN_SUM;
}

static void fun_cmd_variants(struct fun_server *server) {
    const struct fun_named *type = fun_find_type(server->words[1]);
    if (!fun_is_sum(type)) {
        return;
    }
    for (uint32_t k = 0; k < type->variant_count; k++) {
        puts(type->variants[k].name);
        for (uint32_t j = 0; j < type->variants[k].count; j++) {
            printf("- %s\n", type->variants[k].payload[j].type->name);
        }
    }
}

static void fun_cmd_construct(struct fun_server *server) {
    const struct fun_named *type = fun_is_new(server, server->words[1]) ? fun_find_type(server->words[2]) : NULL;
    if (!fun_is_sum(type)) {
        return;
    }
    for (uint32_t k = 0; k < type->variant_count; k++) {
        const struct fun_variant *variant = &type->variants[k];
        if (strcmp(variant->name, server->words[3]) == 0) {
            const void **values = fun_values_from(server, 4, variant->count, fun_part_type, variant->payload, "Value");
            uint64_t out = 0;
            if (values != NULL && !fun_failed_with(server, fun_construct(server->ctx, type, k, &out, values))) {
                fun_add_variable(server, server->words[1], type, out);
            }
            free(values);
            return;
        }
    }
    fun_failed("No such variant");
}

static void fun_cmd_destruct(struct fun_server *server) {
    const struct fun_variable *variable = fun_find_variable(server, server->words[1]);
    if (variable == NULL || !fun_is_sum(variable->type)) {
        return;
    }
    const struct fun_opaque *value = fun_value_address(variable);
    const struct fun_variant *variant = &variable->type->variants[fun_variant_of(value)];
    if (server->count - 1 != (int)variant->count) {
        fun_failed("%u values expected but %d values provided.", variant->count, server->count - 1);
        return;
    }
    for (uint32_t k = 0; k < variant->count; k++) {
        uint64_t out = 0;
        const char *name = server->words[2 + (int)k];
        if (!fun_is_new(server, name) ||
            fun_failed_with(server, fun_take_part(server->ctx, &variant->payload[k], value, &out))) {
            return;
        }
        fun_add_variable(server, name, variant->payload[k].type, out);
    }
}

static void fun_cmd_variant(struct fun_server *server) {
    const struct fun_variable *variable = fun_find_variable(server, server->words[1]);
    if (variable != NULL && fun_is_sum(variable->type)) {
        puts(variable->type->variants[fun_variant_of(fun_value_address(variable))].name);
    }
}

/* The commands, and how many words must follow at least. */
static const struct {
    const char *name;
    void (*run)(struct fun_server *);
    int least;
} fun_commands[] = {
    {"types", fun_cmd_types, 0}, {"entry_points", fun_cmd_entry_points, 0}, {"call", fun_cmd_call, 2},
    {"restore", fun_cmd_restore, 1}, {"store", fun_cmd_store, 1}, {"free", fun_cmd_free, 0}, {"rename", fun_cmd_rename, 2},
    {"inputs", fun_cmd_inputs, 1}, {"output", fun_cmd_output, 1}, {"clear", fun_cmd_clear, 0}, {"kind", fun_cmd_kind, 1},
    {"type", fun_cmd_type, 1}, {"pause_profiling", fun_cmd_pause_profiling, 0},
    {"unpause_profiling", fun_cmd_unpause_profiling, 0}, {"report", fun_cmd_report, 0},
    {"set_tuning_param", fun_cmd_set_tuning_param, 2}, {"tuning_params", fun_cmd_tuning_params, 1},
    {"tuning_param_class", fun_cmd_tuning_param_class, 1}, {"attributes", fun_cmd_attributes, 1}, {"rank", fun_cmd_rank, 1},
    {"elemtype", fun_cmd_elemtype, 1}, {"new_array", fun_cmd_new_array, 2}, {"set", fun_cmd_set, 2},
    {"shape", fun_cmd_shape, 1}, {"index", fun_cmd_index, 2}, {"zip", fun_cmd_zip, 2}, {"unzip", fun_cmd_unzip, 1},
    {"fields", fun_cmd_fields, 1}, {"new", fun_cmd_new, 2}, {"project", fun_cmd_project, 3},
    {"variants", fun_cmd_variants, 1}, {"construct", fun_cmd_construct, 3}, {"destruct", fun_cmd_destruct, 1},
    {"variant", fun_cmd_variant, 1},
};

/* Cuts a line into words, which blanks part but not within quotes. Gives how many there are; `words` has room for one in two characters. */
static int fun_split(char *line, char **words) {
    int count = 0;
    char *c = line;
    for (;;) {
        c += strspn(c, " \t\r\n");
        if (*c == '\0') {
            return count;
        }
        const bool quoted = *c == '"';
        c += quoted;
        words[count++] = c;
        c += strcspn(c, quoted ? "\"\n" : " \t\r\n");
        if (*c == '\0') {
            return count;
        }
        *c++ = '\0';
    }
}

static void fun_run_command(struct fun_server *server) {
    for (size_t k = 0; k < sizeof fun_commands / sizeof *fun_commands; k++) {
        if (strcmp(fun_commands[k].name, server->words[0]) == 0) {
            if (server->count < fun_commands[k].least) {
                fun_failed("The command %s needs %d arguments or more.", fun_commands[k].name, fun_commands[k].least);
            } else {
                fun_commands[k].run(server);
            }
            return;
        }
    }
    fun_failed("Unknown command: %s", server->words[0]);
}

int main(int count, char **words) {
    struct fun_options options = {.program = words[0], .entry = "main"};
    struct fun_server server = {.config = futhark_context_config_new()};
    if (server.config == NULL) {
        fun_end(&options, 1, "Error: no memory");
    }
    fun_read_options(&options, server.config, count, words);
    server.ctx = futhark_context_new(server.config);
    if (server.ctx == NULL) {
        fun_end(&options, 1, "Error: no memory");
    }
    char *line = NULL;
    size_t room = 0;
    do {
        puts("%%% OK");
        fflush(stdout);
        const ssize_t length = getline(&line, &room, stdin);
        if (length < 0) {
            break;
        }
        char **list = malloc(((size_t)length / 2 + 2) * sizeof *list);
        if (list == NULL) {
            fun_failed("Out of memory.");
            continue;
        }
        server.words = list;
        server.count = fun_split(line, list) - 1;
        if (server.count >= 0) {
            fun_run_command(&server);
        }
        free(list);
    } while (true);
    free(line);
    while (server.variables != NULL) {
        fun_drop_variable(&server, &server.variables);
    }
    futhark_context_free(server.ctx);
    futhark_context_config_free(server.config);
    return 0;
}
