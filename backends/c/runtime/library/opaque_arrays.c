/* Arrays of records or sums: one array of scalars for each leaf of their elements. */

/* The shape of an array of any kind. */
FUN_OPTIONAL const int64_t *fun_shape_of(const struct fun_named *type, const void *value) {
    if (type->kind == FUN_ARRAY && value != NULL) {
        return ((const struct fun_array *)value)->shape;
    }
    return value == NULL || type->leaf_count == 0 ? NULL : ((const struct fun_opaque *)value)->leaves[0].array->shape;
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

/* How many bytes an element has of an array over elements of `rank` dimensions; they follow each other. */
static size_t fun_bytes_of_element(const struct fun_array *array, uint32_t rank) {
    return (size_t)fun_count(array->rank - rank, array->shape + rank) * fun_types[array->type].bytes;
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
        const size_t bytes = fun_bytes_of_element(array, type->rank);
        const void *from = array->storage->data;
        int status = FUTHARK_SUCCESS;
        if (rank > 0) {
            leaves[k].array = fun_array_fresh(ctx, array->type, rank, array->shape + type->rank);
            if (leaves[k].array == NULL) {
                fun_free_leaves(ctx, type->element, leaves);
                return FUN_FAIL(ctx, FUTHARK_OUT_OF_MEMORY, "Error: no memory for an element of type %s", type->element->name);
            }
            status = bytes == 0 ? 0 : fun_move(ctx, leaves[k].array->storage->data, 0, from, (size_t)at * bytes, bytes);
        } else {
            status = bytes == 0 ? 0 : fun_get(ctx, from, (size_t)at * bytes, &leaves[k].scalar, bytes);
        }
        if (status != FUTHARK_SUCCESS) {
            fun_free_leaves(ctx, type->element, leaves);
            return status;
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
    int status = FUTHARK_SUCCESS;
    for (uint32_t k = 0; k < type->leaf_count && status == 0; k++) {
        const struct fun_array *array = whole[k].array;
        const size_t bytes = fun_bytes_of_element(array, type->rank);
        if (bytes == 0) {
            continue;
        }
        if (array->rank == type->rank) {
            status = fun_put(ctx, array->storage->data, (size_t)at * bytes, &element[k].scalar, bytes);
        } else {
            status = fun_move(ctx, array->storage->data, (size_t)at * bytes, element[k].array->storage->data, 0, bytes);
        }
    }
    return status;
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

