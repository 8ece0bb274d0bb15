/* Commands of servers on variables and entry points. */

static void fun_cmd_types(struct fun_server *server) {
    (void)server;
    for (size_t k = 0; k < sizeof fun_scalars / sizeof *fun_scalars; k++) {
        puts(fun_scalars[k].name);
    }
    for (const struct fun_named *type = fun_named; type->name != NULL; type++) {
        if (type->kind != FUN_PRIMITIVE) {
            puts(type->name);
        }
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
    /* what was asked for before is no part of the call */
    if (fun_failed_with(server, futhark_context_sync(server->ctx))) {
        free(values);
        return;
    }
    clock_gettime(CLOCK_MONOTONIC, &start);
    int status = fun_call_signature(server->ctx, signature, &out, values);
    status = status == FUTHARK_SUCCESS ? futhark_context_sync(server->ctx) : status;
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
            if (type->leaves[j].rank == 0) {
                fun_write_value(file, true, type->leaves[j].type, 0, NULL, &leaves[j].scalar);
            } else if (fun_failed_with(server, fun_write_array(server->ctx, file, true, leaves[j].array))) {
                fclose(file);
                return;
            }
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

static void fun_cmd_tuning_params(struct fun_server *server) {
    const struct fun_signature *signature = fun_find_signature(server->words[1]);
    if (signature == NULL) {
        return;
    }
    const char *name;
    for (const int *k = fun_tuning_params_of((uint32_t)(signature - fun_signatures)); (name = futhark_get_tuning_param_name(*k)) != NULL; k++) {
        puts(name);
    }
}

static void fun_cmd_tuning_param_class(struct fun_server *server) {
    for (int k = 0; k < futhark_get_tuning_param_count(); k++) {
        const char *name = futhark_get_tuning_param_name(k), *class_name = futhark_get_tuning_param_class(k);
        if (name != NULL && class_name != NULL && strcmp(name, server->words[1]) == 0) {
            puts(class_name);
            return;
        }
    }
    fun_failed("Unknown tuning parameter: %s", server->words[1]);
}

static void fun_cmd_attributes(struct fun_server *server) {
    const struct fun_signature *signature = fun_find_signature(server->words[1]);
    for (uint32_t k = 0; signature != NULL && signature->attributes[k] != NULL; k++) {
        puts(signature->attributes[k]);
    }
}
