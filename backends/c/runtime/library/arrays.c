/* What C does with arrays of scalars. */

/* Arrays are at most as large as addresses reach. */
static bool fun_fits(struct futhark_context *ctx, enum fun_type type, uint32_t rank, const int64_t *shape) {
    if (!fun_has_memory(ctx)) {
        return false;
    }
    const int64_t count = fun_count(rank, shape);
    int64_t bytes;
    if (count >= 0 && !__builtin_mul_overflow(count, (int64_t)fun_types[type].bytes, &bytes) && bytes <= PTRDIFF_MAX / 2) {
        return true;
    }
    fun_error(ctx, FUTHARK_PROGRAM_ERROR, fun_text("Error: an array of %s can't have these sizes", fun_types[type].name));
    return false;
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
    void *data = fun_loose_block(ctx, bytes);
    return data == NULL ? NULL : fun_array_of(ctx, type, rank, shape, data);
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
        if (fun_put(ctx, array->storage->data, 0, data, bytes) != 0) {
            fun_array_free(ctx, array);
            return NULL;
        }
        atomic_fetch_add(&ctx->copied, bytes);
    }
    return array;
}

/* An array on the caller's memory, which is row-major and stays until the array is freed. */
FUN_OPTIONAL struct fun_array *fun_array_foreign(
    struct futhark_context *ctx, enum fun_type type, uint32_t rank, const int64_t *shape, fun_raw raw) {
    if (!fun_fits(ctx, type, rank, shape)) {
        return NULL;
    }
    const bool none = (uintptr_t)raw == 0;
    if (fun_count(rank, shape) > 0 && (none || (uintptr_t)raw % fun_types[type].bytes != 0)) {
        fun_error(ctx, FUTHARK_PROGRAM_ERROR,
            fun_text("Error: the data of a new array of %s is %s", fun_types[type].name, none ? "NULL" : "misaligned"));
        return NULL;
    }
    void *block = none ? NULL : fun_lent_block(raw);
    struct fun_array *array = block == NULL && !none ? NULL : fun_array_of(ctx, type, rank, shape, NULL);
    if (array == NULL) {
        fun_forget_lent_block(block);
        return fun_no_array(ctx, 0);
    }
    array->storage->data = block;
    array->storage->foreign = true;
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

/* How far the elements of a view lie before and behind the first one; false where that is too far. */
static bool fun_reach(uint32_t rank, const int64_t *strides, const int64_t *shape, int64_t *before, int64_t *behind) {
    *before = *behind = 0;
    bool too_far = false;
    for (uint32_t d = 0; d < rank; d++) {
        int64_t reach;
        too_far |= __builtin_mul_overflow(strides[d], shape[d] - 1, &reach);
        int64_t *side = strides[d] < 0 ? before : behind;
        too_far |= __builtin_add_overflow(*side, reach, side);
    }
    return !too_far && -*before < PTRDIFF_MAX / 16 && *behind < PTRDIFF_MAX / 16;
}

/* An array on row-major memory of the host; for a device, a copy. */
static struct fun_array *fun_array_on_host(
    struct futhark_context *ctx, enum fun_type type, uint32_t rank, const int64_t *shape, void *data) {
    return FUN_ON_HOST ? fun_array_foreign(ctx, type, rank, shape, (fun_raw)data) : fun_array_new(ctx, type, rank, shape, data);
}

/* An array on a device, of elements of the host's memory: the first one at `first`, and so many elements from one to the next. */
static struct fun_array *fun_array_gathered(struct futhark_context *ctx, enum fun_type type, uint32_t rank, void *first,
    const int64_t *strides, const int64_t *shape) {
    if (first == NULL) {
        return fun_array_new(ctx, type, rank, shape, NULL);
    }
    struct fun_storage lent = {.data = first};
    struct fun_array *view = fun_array_on(&lent, type, rank, shape, strides);
    void *rows = malloc((size_t)fun_count(rank, shape) * fun_types[type].bytes);
    struct fun_array *array = NULL;
    if (view == NULL || rows == NULL) {
        fun_no_array(ctx, 0);
    } else {
        fun_gather(ctx, view, rows);
        array = fun_array_new(ctx, type, rank, shape, rows);
    }
    free(view);
    free(rows);
    return array;
}

/* An array over elements of the caller's memory, which stay where they are, but for a device, which has copies: the first one at `offset`, and so many elements from one to
   the next in each dimension. */
FUN_OPTIONAL struct fun_array *fun_array_view(struct futhark_context *ctx, enum fun_type type, uint32_t rank, void *data,
    int64_t offset, const int64_t *strides, const int64_t *shape) {
    if (!fun_fits(ctx, type, rank, shape)) {
        return NULL;
    }
    const int64_t width = (int64_t)fun_types[type].bytes;
    const bool empty = fun_count(rank, shape) == 0;
    char *first = data == NULL || empty ? data : (char *)data + offset * width;
    if (empty || fun_is_row_major(rank, strides, shape)) {
        return fun_array_on_host(ctx, type, rank, shape, first);
    }
    int64_t before, behind;
    if (!fun_reach(rank, strides, shape, &before, &behind)) {
        fun_error(ctx, FUTHARK_PROGRAM_ERROR, fun_text("Error: the strides of a view of %s are too large", fun_types[type].name));
        return NULL;
    }
    if (!FUN_ON_HOST) {
        return fun_array_gathered(ctx, type, rank, first, strides, shape);
    }
    struct fun_array *whole = fun_array_on_host(ctx, type, rank, shape, first);
    struct fun_array *view = whole == NULL ? NULL : fun_array_on(whole->storage, type, rank, shape, strides);
    if (view == NULL) {
        fun_array_free(ctx, whole);
        return whole == NULL ? NULL : fun_no_array(ctx, 0);
    }
    free(whole);
    view->storage->data = first + before * width;
    view->offset = -before;
    return view;
}

/* The address of the elements in row order, and the sizes. The address is 0 where a view cannot be had so. */
FUN_OPTIONAL void fun_array_describe(struct futhark_context *ctx, const struct fun_array *array, int64_t *description) {
    const struct fun_storage *rows = fun_rows(ctx, array);
    description[0] = rows == NULL ? 0 : (int64_t)(intptr_t)fun_raw_of(rows->data);
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
    if (array->strides != NULL) {
        fun_gather(ctx, array, data);
    } else if (bytes > 0) {
        atomic_fetch_add(&ctx->copied, bytes);
        return fun_get(ctx, array->storage->data, 0, data, bytes);
    }
    return FUTHARK_SUCCESS;
}

/* Where the elements are, in row order: their address, or what a driver calls it. */
FUN_OPTIONAL fun_raw fun_array_values_raw(struct futhark_context *ctx, const struct fun_array *array) {
    const struct fun_storage *rows = array == NULL ? NULL : fun_rows(ctx, array);
    return fun_raw_of(rows == NULL ? NULL : rows->data);
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
        at = array->strides == NULL ? at * array->shape[d] + indices[d] : at + indices[d] * array->strides[d];
    }
    at += array->offset;
    const size_t bytes = fun_types[array->type].bytes;
    return bytes == 0 ? FUTHARK_SUCCESS : fun_get(ctx, array->storage->data, (size_t)at * bytes, out, bytes);
}

