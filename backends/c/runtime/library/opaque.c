/* Values of types that C has no notation for: records, sums and arrays of them. A value is its leaves, scalars and arrays, which it
   shares with the values that it is made of and taken apart to. In what follows, a value of any type is given as an address: of a
   scalar, or the array or opaque value itself; and taken by an address: where the scalar or pointer goes. */

union fun_cell {
    uint64_t scalar;
    struct fun_array *array;
};

struct fun_opaque {
    const struct fun_named *type;
    union fun_cell leaves[];
};

/* Makes a text the last error; gives `code`. */
#define FUN_FAIL(ctx, code, ...) fun_error(ctx, code, fun_text(__VA_ARGS__))

/* Whether a value has its type. */
static bool fun_has_type(const struct fun_named *type, const void *value) {
    if (value == NULL || type->kind == FUN_PRIMITIVE) {
        return value != NULL;
    }
    if (type->kind == FUN_ARRAY) {
        const struct fun_array *array = value;
        return array->type == type->leaves[0].type && array->rank == type->leaves[0].rank;
    }
    return ((const struct fun_opaque *)value)->type == type;
}

/* The leaves of a value. */
static void fun_leaves_of(const struct fun_named *type, const void *value, union fun_cell *leaves) {
    if (type->kind == FUN_PRIMITIVE) {
        leaves[0].scalar = 0;
        memcpy(&leaves[0].scalar, value, fun_types[type->leaves[0].type].bytes);
    } else if (type->kind == FUN_ARRAY) {
        memcpy(&leaves[0].array, &value, sizeof value);
    } else {
        memcpy(leaves, ((const struct fun_opaque *)value)->leaves, type->leaf_count * sizeof *leaves);
    }
}

static void fun_free_leaves(struct futhark_context *ctx, const struct fun_named *type, const union fun_cell *leaves) {
    for (uint32_t k = 0; k < type->leaf_count; k++) {
        if (type->leaves[k].rank > 0) {
            fun_array_free(ctx, leaves[k].array);
        }
    }
}

/* The value of these leaves, which it takes over; also when there is no memory for it. */
static int fun_value_of(
    struct futhark_context *ctx, const struct fun_named *type, const union fun_cell *leaves, void *out) {
    if (type->kind == FUN_PRIMITIVE) {
        memcpy(out, &leaves[0].scalar, fun_types[type->leaves[0].type].bytes);
    } else if (type->kind == FUN_ARRAY) {
        memcpy(out, &leaves[0].array, sizeof(void *));
    } else {
        struct fun_opaque *value = malloc(sizeof *value + type->leaf_count * sizeof *leaves);
        if (value == NULL) {
            fun_free_leaves(ctx, type, leaves);
            return FUN_FAIL(ctx, FUTHARK_OUT_OF_MEMORY, "Error: no memory for a value of type %s", type->name);
        }
        value->type = type;
        memcpy(value->leaves, leaves, type->leaf_count * sizeof *leaves);
        memcpy(out, &value, sizeof value);
    }
    return FUTHARK_SUCCESS;
}

/* The value of these leaves, with which it shares memory. */
static int fun_value_sharing(
    struct futhark_context *ctx, const struct fun_named *type, const union fun_cell *leaves, void *out) {
    union fun_cell own[type->leaf_count + 1];
    memset(own, 0, sizeof own);
    for (uint32_t k = 0; k < type->leaf_count; k++) {
        own[k] = leaves[k];
        if (type->leaves[k].rank > 0) {
            const struct fun_array *array = leaves[k].array;
            struct fun_storage *rows = fun_rows(ctx, array);
            own[k].array = rows == NULL ? NULL : fun_array_sharing(rows, array->type, array->rank, array->shape);
            if (own[k].array == NULL) {
                for (uint32_t j = 0; j < k; j++) {
                    fun_array_free(ctx, type->leaves[j].rank > 0 ? own[j].array : NULL);
                }
                return FUN_FAIL(ctx, FUTHARK_OUT_OF_MEMORY, "Error: no memory for a value of type %s", type->name);
            }
        }
    }
    return fun_value_of(ctx, type, own, out);
}

FUN_OPTIONAL int fun_opaque_free(struct futhark_context *ctx, struct fun_opaque *value) {
    if (value != NULL) {
        fun_free_leaves(ctx, value->type, value->leaves);
        free(value);
    }
    return FUTHARK_SUCCESS;
}

/* Puts the leaves of parts into those of the whole. */
static int fun_assemble(struct futhark_context *ctx, const struct fun_named *type, uint32_t count,
    const struct fun_part *parts, const void *const *values, union fun_cell *whole) {
    for (uint32_t k = 0; k < count; k++) {
        const struct fun_named *part = parts[k].type;
        if (!fun_has_type(part, values[k])) {
            return FUN_FAIL(ctx, FUTHARK_PROGRAM_ERROR, "Error: part %s of a value of type %s must have type %s",
                parts[k].name, type->name, part->name);
        }
        union fun_cell leaves[part->leaf_count + 1];
        fun_leaves_of(part, values[k], leaves);
        for (uint32_t j = 0; j < part->leaf_count; j++) {
            whole[parts[k].leaves[j]] = leaves[j];
        }
    }
    return FUTHARK_SUCCESS;
}

/* A part of a value. */
static int fun_take_part(struct futhark_context *ctx, const struct fun_part *part, const struct fun_opaque *whole, void *out) {
    union fun_cell leaves[part->type->leaf_count + 1];
    for (uint32_t k = 0; k < part->type->leaf_count; k++) {
        leaves[k] = whole->leaves[part->leaves[k]];
    }
    return fun_value_sharing(ctx, part->type, leaves, out);
}

/* A record, or an array of records, of its fields. */
FUN_OPTIONAL int fun_record_new(
    struct futhark_context *ctx, const struct fun_named *type, void *out, const void *const *values) {
    union fun_cell leaves[type->leaf_count + 1];
    int status = fun_assemble(ctx, type, type->field_count, type->fields, values, leaves);
    for (uint32_t k = 1; status == 0 && type->kind == FUN_RECORD_ARRAY && k < type->leaf_count; k++) {
        for (uint32_t d = 0; d < type->rank; d++) {
            if (leaves[k].array->shape[d] != leaves[0].array->shape[d]) {
                return FUN_FAIL(ctx, FUTHARK_PROGRAM_ERROR, "Error: the arrays for a value of type %s differ in size", type->name);
            }
        }
    }
    return status != 0 ? status : fun_value_sharing(ctx, type, leaves, out);
}

/* A field of a record, or of the records of an array. */
FUN_OPTIONAL int fun_project(struct futhark_context *ctx, const struct fun_named *type, uint32_t field, void *out, const void *value) {
    if (!fun_has_type(type, value)) {
        return FUN_FAIL(ctx, FUTHARK_PROGRAM_ERROR, "Error: what is projected from is no value of type %s", type->name);
    }
    return fun_take_part(ctx, &type->fields[field], value, out);
}

/* The number of the variant of a sum; negative for NULL. */
FUN_OPTIONAL int fun_variant_of(const struct fun_opaque *value) {
    return value == NULL ? -1 : (int)value->leaves[0].scalar;
}

/* An array of no elements. */
static struct fun_array *fun_empty_array(struct futhark_context *ctx, struct fun_leaf leaf) {
    int64_t shape[leaf.rank];
    memset(shape, 0, sizeof shape);
    return fun_array_of(ctx, leaf.type, leaf.rank, shape, NULL);
}

/* A value of a sum. What its variant does not use is zero or empty. */
FUN_OPTIONAL int fun_construct(struct futhark_context *ctx, const struct fun_named *type, uint32_t variant, void *out,
    const void *const *values) {
    const struct fun_variant *chosen = &type->variants[variant];
    union fun_cell leaves[type->leaf_count];
    memset(leaves, 0, sizeof leaves);
    int status = fun_assemble(ctx, type, chosen->count, chosen->payload, values, leaves);
    leaves[0].scalar = variant;
    bool made[type->leaf_count];
    for (uint32_t k = 0; k < type->leaf_count; k++) {
        made[k] = status == 0 && type->leaves[k].rank > 0 && leaves[k].array == NULL;
        if (made[k]) {
            leaves[k].array = fun_empty_array(ctx, type->leaves[k]);
            if (leaves[k].array == NULL) {
                status = FUN_FAIL(ctx, FUTHARK_OUT_OF_MEMORY, "Error: no memory for a value of type %s", type->name);
            }
        }
    }
    status = status != 0 ? status : fun_value_sharing(ctx, type, leaves, out);
    for (uint32_t k = 0; k < type->leaf_count; k++) {
        if (made[k]) {
            fun_array_free(ctx, leaves[k].array);
        }
    }
    return status;
}

/* The payload of a variant. */
FUN_OPTIONAL int fun_destruct(struct futhark_context *ctx, const struct fun_named *type, uint32_t variant, void *const *outs,
    const struct fun_opaque *value) {
    if (!fun_has_type(type, value) || fun_variant_of(value) != (int)variant) {
        return FUN_FAIL(ctx, FUTHARK_PROGRAM_ERROR, "Error: what is destructed is not #%s of type %s",
            type->variants[variant].name, type->name);
    }
    int status = FUTHARK_SUCCESS;
    for (uint32_t k = 0; k < type->variants[variant].count && status == 0; k++) {
        status = fun_take_part(ctx, &type->variants[variant].payload[k], value, outs[k]);
    }
    return status;
}

/* Takes the arguments of an entry point, values of the types that the source declares, apart: `flat` is for `fun_run`. */
static int fun_take_values(struct futhark_context *ctx, const struct fun_signature *signature, const void *const *values,
    union fun_cell *in, const void **flat, const char **names) {
    uint32_t next = 0;
    for (uint32_t k = 0; k < signature->input_count; k++) {
        const struct fun_input *input = &signature->inputs[k];
        if (!fun_has_type(input->type, values[k])) {
            return FUN_FAIL(ctx, FUTHARK_PROGRAM_ERROR, "Error: argument #%u (%s) of %s is %s %s", k, input->name,
                signature->entry->name, values[k] == NULL ? "NULL instead of a value of type" : "not of type",
                input->type->name);
        }
        fun_leaves_of(input->type, values[k], &in[next]);
        for (uint32_t j = 0; j < input->type->leaf_count; j++, next++) {
            names[next] = input->name;
            flat[next] = input->type->leaves[j].rank > 0 ? (const void *)in[next].array : (const void *)&in[next].scalar;
        }
    }
    return FUTHARK_SUCCESS;
}

/* Calls an entry point with values of the types that the source declares. */
FUN_OPTIONAL int fun_call_signature(
    struct futhark_context *ctx, const struct fun_signature *signature, void *out, const void *const *values) {
    const struct fun_entry *entry = signature->entry;
    union fun_cell in[entry->takes_count + 1], given[entry->gives_count + 1];
    const void *flat[entry->takes_count + 1];
    const char *names[entry->takes_count + 1];
    void *places[entry->gives_count + 1];
    memset(given, 0, sizeof given);
    for (uint32_t k = 0; k < entry->gives_count; k++) {
        places[k] = &given[k];
    }
    int status = fun_take_values(ctx, signature, values, in, flat, names);
    status = status != 0 ? status : fun_call(ctx, entry, names, flat, places);
    return status != 0 ? status : fun_value_of(ctx, signature->output, given, out);
}
