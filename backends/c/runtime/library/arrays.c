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

/* Whether so many bytes more are over the limit of the context. */
static bool fun_is_over_limit(struct futhark_context *ctx, uint64_t bytes) {
    const uint64_t limit = ctx->config->limit, used = atomic_load(&ctx->bytes);
    return limit != 0 && (used > limit || bytes > limit - used);
}

/* Gives NULL, as an array of so many bytes can't be had. */
static struct fun_array *fun_no_array(struct futhark_context *ctx, uint64_t bytes) {
    char *text = fun_is_over_limit(ctx, bytes)
                     ? fun_text("Error: an array of %llu bytes is over the limit of %llu bytes, of which %llu are in use",
                           (unsigned long long)bytes, (unsigned long long)ctx->config->limit,
                           (unsigned long long)atomic_load(&ctx->bytes))
                     : fun_text("Error: no memory for an array of %llu bytes", (unsigned long long)bytes);
    fun_error(ctx, FUTHARK_OUT_OF_MEMORY, text);
    return NULL;
}

/* A fresh array with room for its elements; NULL when there is no memory. */
static struct fun_array *fun_array_fresh(
    struct futhark_context *ctx, enum fun_type type, uint32_t rank, const int64_t *shape) {
    const int64_t count = fun_count(rank, shape);
    size_t bytes;
    if (count < 0 || __builtin_mul_overflow((size_t)count, fun_types[type].bytes, &bytes) || bytes > PTRDIFF_MAX / 2) {
        return NULL;
    }
    char *start = fun_is_over_limit(ctx, bytes) ? NULL : malloc(bytes + 128);
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
        return fun_no_array(ctx, bytes);
    }
    if (bytes > 0) {
        memcpy(array->storage->data, data, bytes);
        atomic_fetch_add(&ctx->copied, bytes);
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

/* Whether elements with these steps between them follow each other in row order. */
static bool fun_is_row_major(uint32_t rank, const int64_t *strides, const int64_t *shape) {
    int64_t step = 1;
    for (uint32_t d = rank; d-- > 0; step *= shape[d]) {
        if (shape[d] != 1 && strides[d] != step) {
            return false;
        }
    }
    return true;
}

/* An array over elements of the caller's memory: the first one at `offset`, and so many elements from one to the next in each
   dimension. In row order they stay where they are, as entry points take them so; otherwise they are copied. */
FUN_OPTIONAL struct fun_array *fun_array_view(struct futhark_context *ctx, enum fun_type type, uint32_t rank, void *data,
    int64_t offset, const int64_t *strides, const int64_t *shape) {
    if (!fun_fits(ctx, type, rank, shape)) {
        return NULL;
    }
    const int64_t width = (int64_t)fun_types[type].bytes, bytes = fun_count(rank, shape) * width;
    char *first = data == NULL || bytes == 0 ? data : (char *)data + offset * width;
    if (bytes == 0 || first == NULL || (uintptr_t)first % (uintptr_t)width != 0 || fun_is_row_major(rank, strides, shape)) {
        return fun_array_foreign(ctx, type, rank, shape, first);
    }
    struct fun_array *array = fun_array_fresh(ctx, type, rank, shape);
    if (array == NULL) {
        return fun_no_array(ctx, (uint64_t)bytes);
    }
    int64_t dims[3 * rank], step = 1;
    for (uint32_t d = rank; d-- > 0; step *= shape[d]) {
        dims[3 * d] = shape[d];
        dims[3 * d + 1] = step;
        dims[3 * d + 2] = strides[d];
    }
    struct fun_context run;
    memset(&run, 0, sizeof run);
    fun_copy(&run, width, array->storage->data, 0, first, 0, rank, dims);
    atomic_fetch_add(&ctx->copied, (uint64_t)bytes);
    return array;
}

/* The address of the elements, and the sizes. */
FUN_OPTIONAL void fun_array_describe(const struct fun_array *array, int64_t *description) {
    description[0] = (int64_t)(intptr_t)array->storage->data;
    memcpy(description + 1, array->shape, array->rank * sizeof(int64_t));
}

/* Whether others lie in the memory of an array. */
FUN_OPTIONAL bool fun_array_is_shared(const struct fun_array *array) {
    return atomic_load(&array->storage->arrays) > 1;
}

/* Frees an array. Where it lies in the caller's memory and others do so too, gives true, and calls `release` once none does. */
FUN_OPTIONAL bool fun_array_hand_over(
    struct futhark_context *ctx, struct fun_array *array, void (*release)(void *), void *owner) {
    const bool shared = array != NULL && array->storage->foreign && atomic_load(&array->storage->arrays) > 1;
    if (shared) {
        array->storage->release = release;
        array->storage->owner = owner;
    }
    fun_array_free(ctx, array);
    return shared;
}

FUN_OPTIONAL int fun_array_values(struct futhark_context *ctx, const struct fun_array *array, void *data) {
    if (array == NULL) {
        return fun_error(ctx, FUTHARK_PROGRAM_ERROR, fun_text("Error: the array whose values are asked for is NULL"));
    }
    const size_t bytes = (size_t)fun_count(array->rank, array->shape) * fun_types[array->type].bytes;
    if (bytes > 0) {
        memcpy(data, array->storage->data, bytes);
        atomic_fetch_add(&ctx->copied, bytes);
    }
    return FUTHARK_SUCCESS;
}

/* The address of the elements. */
FUN_OPTIONAL void *fun_array_values_raw(struct futhark_context *ctx, const struct fun_array *array) {
    (void)ctx;
    return array == NULL ? NULL : array->storage->data;
}

FUN_OPTIONAL const int64_t *fun_array_shape(const struct fun_array *array) {
    return array == NULL ? NULL : array->shape;
}

FUN_OPTIONAL int fun_array_index(struct futhark_context *ctx, void *out, const struct fun_array *array, const int64_t *indices) {
    int64_t at = 0;
    if (array == NULL) {
        return fun_error(ctx, FUTHARK_PROGRAM_ERROR, fun_text("Error: the array that is indexed is NULL"));
    }
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

