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
            own[k].array = fun_array_sharing(array->storage, array->type, array->rank, array->shape);
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

/* The number of the variant of a sum. */
FUN_OPTIONAL int fun_variant_of(const struct fun_opaque *value) {
    return (int)value->leaves[0].scalar;
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

/* The shape of an array of any kind. */
FUN_OPTIONAL const int64_t *fun_shape_of(const struct fun_named *type, const void *value) {
    if (type->kind == FUN_ARRAY) {
        return ((const struct fun_array *)value)->shape;
    }
    return type->leaf_count == 0 ? NULL : ((const struct fun_opaque *)value)->leaves[0].array->shape;
}

/* The number of the element at `indices`; negative, and an error, where there is none. */
static int64_t fun_element_at(
    struct futhark_context *ctx, const struct fun_named *type, const int64_t *shape, const int64_t *indices) {
    int64_t at = 0;
    for (uint32_t d = 0; d < type->rank; d++) {
        if (indices[d] < 0 || indices[d] >= shape[d]) {
            fun_error(ctx, FUTHARK_PROGRAM_ERROR,
                fun_text("Error: index %lld of dimension %u is out of bounds for an array of type %s with size %lld",
                    (long long)indices[d], d, type->name, (long long)shape[d]));
            return -1;
        }
        at = at * shape[d] + indices[d];
    }
    return at;
}

/* Where the element of this number lies in an array over elements of `rank` dimensions, and how many bytes it has. */
static char *fun_part_of_array(const struct fun_array *array, uint32_t rank, int64_t at, size_t *bytes) {
    *bytes = (size_t)fun_count(array->rank - rank, array->shape + rank) * fun_types[array->type].bytes;
    return *bytes == 0 ? NULL : (char *)array->storage->data + (size_t)at * *bytes;
}

/* A copy of an element of an array of records or sums. */
FUN_OPTIONAL int fun_opaque_index(struct futhark_context *ctx, const struct fun_named *type, void *out,
    const struct fun_opaque *value, const int64_t *indices) {
    if (!fun_has_type(type, value) || type->leaf_count == 0) {
        return FUN_FAIL(ctx, FUTHARK_PROGRAM_ERROR, "Error: what is indexed is no value of type %s", type->name);
    }
    const int64_t at = fun_element_at(ctx, type, fun_shape_of(type, value), indices);
    if (at < 0) {
        return FUTHARK_PROGRAM_ERROR;
    }
    union fun_cell leaves[type->leaf_count];
    memset(leaves, 0, sizeof leaves);
    for (uint32_t k = 0; k < type->leaf_count; k++) {
        const struct fun_array *array = value->leaves[k].array;
        const uint32_t rank = array->rank - type->rank;
        size_t bytes;
        const char *from = fun_part_of_array(array, type->rank, at, &bytes);
        char *to = (char *)&leaves[k].scalar;
        if (rank > 0) {
            leaves[k].array = fun_array_fresh(ctx, array->type, rank, array->shape + type->rank);
            if (leaves[k].array == NULL) {
                fun_free_leaves(ctx, type->element, leaves);
                return FUN_FAIL(ctx, FUTHARK_OUT_OF_MEMORY, "Error: no memory for an element of type %s", type->element->name);
            }
            to = leaves[k].array->storage->data;
        }
        if (bytes > 0) {
            memcpy(to, from, bytes);
        }
    }
    return fun_value_of(ctx, type->element, leaves, out);
}

/* Writes an element over that of this number. */
static int fun_write_element(struct futhark_context *ctx, const struct fun_named *type, const union fun_cell *whole,
    const union fun_cell *element, int64_t at) {
    for (uint32_t k = 0; k < type->leaf_count; k++) {
        const struct fun_array *array = whole[k].array;
        const uint32_t rank = array->rank - type->rank;
        if (rank > 0 && memcmp(element[k].array->shape, array->shape + type->rank, rank * sizeof(int64_t)) != 0) {
            return FUN_FAIL(ctx, FUTHARK_PROGRAM_ERROR, "Error: an element of an array of type %s has other sizes", type->name);
        }
    }
    for (uint32_t k = 0; k < type->leaf_count; k++) {
        const struct fun_array *array = whole[k].array;
        size_t bytes;
        char *to = fun_part_of_array(array, type->rank, at, &bytes);
        if (bytes > 0) {
            memcpy(to, array->rank > type->rank ? element[k].array->storage->data : (const void *)&element[k].scalar, bytes);
        }
    }
    return FUTHARK_SUCCESS;
}

/* Writes an element into an array of records or sums. */
FUN_OPTIONAL int fun_opaque_set(struct futhark_context *ctx, const struct fun_named *type, struct fun_opaque *value,
    const void *element, const int64_t *indices) {
    if (!fun_has_type(type, value) || !fun_has_type(type->element, element)) {
        return FUN_FAIL(ctx, FUTHARK_PROGRAM_ERROR, "Error: array or element have another type than %s", type->name);
    }
    const int64_t at = type->leaf_count == 0 ? 0 : fun_element_at(ctx, type, fun_shape_of(type, value), indices);
    union fun_cell leaves[type->leaf_count + 1];
    fun_leaves_of(type->element, element, leaves);
    return at < 0 ? FUTHARK_PROGRAM_ERROR : fun_write_element(ctx, type, value->leaves, leaves, at);
}

/* An array of records or sums of its elements. */
FUN_OPTIONAL int fun_opaque_array_new(struct futhark_context *ctx, const struct fun_named *type, void *out,
    const void *const *elements, const int64_t *dims) {
    const int64_t count = fun_count(type->rank, dims);
    if (count < 0) {
        return FUN_FAIL(ctx, FUTHARK_PROGRAM_ERROR, "Error: an array of type %s can't have these sizes", type->name);
    }
    union fun_cell whole[type->leaf_count + 1], element[type->leaf_count + 1];
    memset(whole, 0, sizeof whole);
    int status = FUTHARK_SUCCESS;
    for (int64_t at = 0; at < (count > 0 ? count : 1) && status == 0; at++) {
        if (count > 0 && !fun_has_type(type->element, elements[at])) {
            status = FUN_FAIL(ctx, FUTHARK_PROGRAM_ERROR, "Error: element %lld of an array of type %s has another type",
                (long long)at, type->name);
        } else if (count > 0) {
            fun_leaves_of(type->element, elements[at], element);
        }
        for (uint32_t k = 0; at == 0 && k < type->leaf_count && status == 0; k++) {
            const struct fun_leaf leaf = type->leaves[k];
            int64_t shape[leaf.rank];
            memset(shape, 0, sizeof shape);
            memcpy(shape, dims, type->rank * sizeof(int64_t));
            if (count > 0 && leaf.rank > type->rank) {
                memcpy(shape + type->rank, element[k].array->shape, (leaf.rank - type->rank) * sizeof(int64_t));
            }
            whole[k].array = fun_array_fresh(ctx, leaf.type, leaf.rank, shape);
            if (whole[k].array == NULL) {
                status = FUN_FAIL(ctx, FUTHARK_OUT_OF_MEMORY, "Error: no memory for an array of type %s", type->name);
            }
        }
        if (count > 0 && status == 0) {
            status = fun_write_element(ctx, type, whole, element, at);
        }
    }
    if (status != 0) {
        fun_free_leaves(ctx, type, whole);
        return status;
    }
    return fun_value_of(ctx, type, whole, out);
}

/* A value as bytes: its leaves in the binary format. `n` becomes how many there are; where `p` is not NULL they are written to `*p`,
   which is allocated where it is NULL. */
FUN_OPTIONAL int fun_store(struct futhark_context *ctx, const struct fun_opaque *value, void **p, size_t *n) {
    const struct fun_named *type = value->type;
    size_t room = 0;
    for (uint32_t k = 0; k < type->leaf_count; k++) {
        const struct fun_leaf leaf = type->leaves[k];
        const size_t count = leaf.rank == 0 ? 1 : (size_t)fun_count(leaf.rank, value->leaves[k].array->shape);
        room += 7 + leaf.rank * sizeof(int64_t) + count * fun_types[leaf.type].bytes;
    }
    *n = room;
    if (p == NULL) {
        return FUTHARK_SUCCESS;
    }
    if (*p == NULL && (*p = malloc(room + 1)) == NULL) {
        return FUN_FAIL(ctx, FUTHARK_OUT_OF_MEMORY, "Error: no memory to store a value of type %s", type->name);
    }
    char *to = *p;
    for (uint32_t k = 0; k < type->leaf_count; k++) {
        const struct fun_leaf leaf = type->leaves[k];
        const struct fun_array *array = leaf.rank == 0 ? NULL : value->leaves[k].array;
        const size_t count = array == NULL ? 1 : (size_t)fun_count(leaf.rank, array->shape);
        char head[8];
        snprintf(head, sizeof head, "b%c%c%4s", 2, (int)leaf.rank, fun_types[leaf.type].name);
        memcpy(to, head, 7);
        memcpy(to + 7, array == NULL ? (const void *)head : array->shape, leaf.rank * sizeof(int64_t));
        to += 7 + leaf.rank * sizeof(int64_t);
        const size_t bytes = count * fun_types[leaf.type].bytes;
        if (bytes > 0) {
            memcpy(to, array == NULL ? (const void *)&value->leaves[k].scalar : array->storage->data, bytes);
        }
        to += bytes;
    }
    return FUTHARK_SUCCESS;
}

/* The value that bytes mean; NULL where they mean none of this type. */
FUN_OPTIONAL void *fun_restore(struct futhark_context *ctx, const struct fun_named *type, const void *p) {
    const char *from = p;
    union fun_cell leaves[type->leaf_count + 1];
    memset(leaves, 0, sizeof leaves);
    bool good = true;
    for (uint32_t k = 0; k < type->leaf_count && good; k++) {
        const struct fun_leaf leaf = type->leaves[k];
        char head[8];
        snprintf(head, sizeof head, "b%c%c%4s", 2, (int)leaf.rank, fun_types[leaf.type].name);
        good = memcmp(from, head, 7) == 0;
        if (!good) {
            break;
        }
        int64_t shape[leaf.rank + 1];
        memcpy(shape, from + 7, leaf.rank * sizeof(int64_t));
        from += 7 + leaf.rank * sizeof(int64_t);
        char *to = (char *)&leaves[k].scalar;
        if (leaf.rank > 0) {
            leaves[k].array = fun_array_fresh(ctx, leaf.type, leaf.rank, shape);
            good = leaves[k].array != NULL;
            to = good ? leaves[k].array->storage->data : NULL;
        }
        const size_t bytes = good ? (size_t)fun_count(leaf.rank, shape) * fun_types[leaf.type].bytes : 0;
        if (bytes > 0) {
            memcpy(to, from, bytes);
        }
        from += bytes;
    }
    void *value = NULL;
    if (!good) {
        fun_free_leaves(ctx, type, leaves);
        fun_error(ctx, FUTHARK_PROGRAM_ERROR, fun_text("Error: the bytes are no value of type %s", type->name));
    } else if (fun_value_of(ctx, type, leaves, &value) != 0) {
        return NULL;
    }
    return value;
}

/* Calls an entry point with values of the types that the source declares. */
FUN_OPTIONAL int fun_call_signature(
    struct futhark_context *ctx, const struct fun_signature *signature, void *out, const void *const *values) {
    const struct fun_entry *entry = signature->entry;
    union fun_cell in[entry->takes_count + 1], given[entry->gives_count + 1];
    const void *flat[entry->takes_count + 1];
    void *places[entry->gives_count + 1];
    uint32_t next = 0;
    for (uint32_t k = 0; k < signature->input_count; k++) {
        const struct fun_input *input = &signature->inputs[k];
        if (!fun_has_type(input->type, values[k])) {
            return FUN_FAIL(ctx, FUTHARK_PROGRAM_ERROR, "Error: argument #%u (%s) of %s is %s %s", k, input->name, entry->name,
                values[k] == NULL ? "NULL instead of a value of type" : "not of type", input->type->name);
        }
        fun_leaves_of(input->type, values[k], &in[next]);
        for (uint32_t j = 0; j < input->type->leaf_count; j++, next++) {
            flat[next] = input->type->leaves[j].rank > 0 ? (const void *)in[next].array : (const void *)&in[next].scalar;
        }
    }
    memset(given, 0, sizeof given);
    for (uint32_t k = 0; k < entry->gives_count; k++) {
        places[k] = &given[k];
    }
    const int status = fun_call(ctx, entry, flat, places);
    return status != 0 ? status : fun_value_of(ctx, signature->output, given, out);
}

