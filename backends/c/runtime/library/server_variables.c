/* What a server knows: values under names, and the types that names have. */

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
