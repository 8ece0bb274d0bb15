/* What C does with arrays of scalars. */

/* Arrays are at most as large as addresses reach. */
static bool fun_fits(struct futhark_context *ctx, enum fun_type type, uint32_t rank, const int64_t *shape) {
    const int64_t count = fun_count(rank, shape);
    int64_t bytes;
    if (count >= 0 && !__builtin_mul_overflow(count, (int64_t)fun_types[type].bytes, &bytes) && bytes <= PTRDIFF_MAX / 2) {
        return true;
    }
    fun_error(ctx, FUTHARK_PROGRAM_ERROR, fun_text("Error: an array of %s can't have these sizes", fun_types[type].name));
    return false;
}

/* A fresh array with room for its elements; NULL when there is no memory. */
static struct fun_array *fun_array_fresh(
    struct futhark_context *ctx, enum fun_type type, uint32_t rank, const int64_t *shape) {
    const int64_t count = fun_count(rank, shape);
    size_t bytes;
    if (count < 0 || __builtin_mul_overflow((size_t)count, fun_types[type].bytes, &bytes) || bytes > PTRDIFF_MAX / 2) {
        return NULL;
    }
    char *start = malloc(bytes + 128);
    return start == NULL ? NULL : fun_array_of(ctx, type, rank, shape, fun_block_at(start, bytes, 0));
}

/* A copy of row-major data; NULL, and an error, where that can't be. */
FUN_OPTIONAL struct fun_array *fun_array_new(
    struct futhark_context *ctx, enum fun_type type, uint32_t rank, const int64_t *shape, const void *data) {
    if (!fun_fits(ctx, type, rank, shape)) {
        return NULL;
    }
    const size_t bytes = (size_t)fun_count(rank, shape) * fun_types[type].bytes;
    if (data == NULL && bytes > 0) {
        fun_error(ctx, FUTHARK_PROGRAM_ERROR, fun_text("Error: the data of a new array is NULL"));
        return NULL;
    }
    struct fun_array *array = fun_array_fresh(ctx, type, rank, shape);
    if (array == NULL) {
        fun_error(ctx, FUTHARK_OUT_OF_MEMORY, fun_text("Error: no memory for an array of %zu bytes", bytes));
    } else if (bytes > 0) {
        memcpy(array->storage->data, data, bytes);
    }
    return array;
}

/* An array on the caller's memory, which is row-major and stays until the array is freed. */
FUN_OPTIONAL struct fun_array *fun_array_foreign(
    struct futhark_context *ctx, enum fun_type type, uint32_t rank, const int64_t *shape, void *data) {
    if (!fun_fits(ctx, type, rank, shape)) {
        return NULL;
    }
    if (fun_count(rank, shape) > 0 && (data == NULL || (uintptr_t)data % fun_types[type].bytes != 0)) {
        fun_error(ctx, FUTHARK_PROGRAM_ERROR,
            fun_text("Error: the data of a new array of %s is %s", fun_types[type].name, data == NULL ? "NULL" : "misaligned"));
        return NULL;
    }
    struct fun_array *array = fun_array_of(ctx, type, rank, shape, NULL);
    if (array != NULL) {
        array->storage->data = data;
        array->storage->foreign = true;
    }
    return array;
}

FUN_OPTIONAL int fun_array_values(struct futhark_context *ctx, const struct fun_array *array, void *data) {
    if (array == NULL) {
        return fun_error(ctx, FUTHARK_PROGRAM_ERROR, fun_text("Error: the array whose values are asked for is NULL"));
    }
    const size_t bytes = (size_t)fun_count(array->rank, array->shape) * fun_types[array->type].bytes;
    if (bytes > 0) {
        memcpy(data, array->storage->data, bytes);
    }
    return FUTHARK_SUCCESS;
}

FUN_OPTIONAL int fun_array_index(struct futhark_context *ctx, void *out, const struct fun_array *array, const int64_t *indices) {
    int64_t at = 0;
    for (uint32_t d = 0; d < array->rank; d++) {
        if (indices[d] < 0 || indices[d] >= array->shape[d]) {
            return fun_error(ctx, FUTHARK_PROGRAM_ERROR,
                fun_text("Error: index %lld of dimension %u is out of bounds for size %lld", (long long)indices[d], d,
                    (long long)array->shape[d]));
        }
        at = at * array->shape[d] + indices[d];
    }
    const size_t bytes = fun_types[array->type].bytes;
    memcpy(out, (const char *)array->storage->data + (size_t)at * bytes, bytes);
    return FUTHARK_SUCCESS;
}

