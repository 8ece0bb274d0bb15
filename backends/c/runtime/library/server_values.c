/* Commands of servers that make arrays, records and sums, and take them apart. */

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
    const size_t count = (size_t)fun_count(leaf.rank, shape), bytes = fun_types[leaf.type].bytes;
    char *elements = malloc(count * bytes + 1);
    for (size_t k = 0; elements != NULL && k < count; k++) {
        memcpy(elements + k * bytes, values[k], bytes);
    }
    struct fun_array *array = elements == NULL ? NULL : fun_array_new(server->ctx, leaf.type, leaf.rank, shape, elements);
    free(elements);
    memcpy(out, &array, sizeof array);
    if (array != NULL) {
        return FUTHARK_SUCCESS;
    }
    return server->ctx->error == NULL ? fun_error(server->ctx, FUTHARK_OUT_OF_MEMORY, fun_text("Out of memory."))
                                      : FUTHARK_OUT_OF_MEMORY;
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
        fun_failed_with(server, fun_put(server->ctx, array->storage->data, (size_t)at * bytes, &value->value, bytes));
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
