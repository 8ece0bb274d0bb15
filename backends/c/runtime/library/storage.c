/* Arrays, which may share their memory. */

/* An array or view on memory that has a user more by it; NULL where there is no memory for it. */
static struct fun_array *fun_array_on(
    struct fun_storage *storage, enum fun_type type, uint32_t rank, const int64_t *shape, const int64_t *strides) {
    const size_t sizes = rank * sizeof(int64_t);
    struct fun_array *array = malloc(sizeof *array + (strides == NULL ? 1 : 2) * sizes);
    if (array != NULL) {
        array->type = type;
        array->rank = rank;
        array->storage = storage;
        array->strides = NULL;
        array->offset = 0;
        atomic_init(&array->rows, NULL);
        memcpy(array->shape, shape, sizes);
        if (strides != NULL) {
            array->strides = memcpy(array->shape + rank, strides, sizes);
        }
    }
    return array;
}

/* Memory of which an array that is to come is the only user; NULL where there is none, and the block is freed. */
static struct fun_storage *fun_storage_of(struct futhark_context *ctx, void *data) {
    struct fun_storage *storage = malloc(sizeof *storage);
    if (storage == NULL) {
        fun_free_loose_block(ctx, data);
        return NULL;
    }
    atomic_init(&storage->arrays, 1);
    storage->data = data;
    storage->foreign = false;
    storage->release = NULL;
    fun_use_bytes(ctx, fun_block_bytes(data));
    return storage;
}

/* One user less. */
static void fun_storage_free(struct futhark_context *ctx, struct fun_storage *storage) {
    if (storage != NULL && atomic_fetch_sub_explicit(&storage->arrays, 1, memory_order_acq_rel) == 1) {
        if (!storage->foreign) {
            atomic_fetch_sub(&ctx->bytes, fun_block_bytes(storage->data));
            fun_free_loose_block(ctx, storage->data);
        } else {
            fun_forget_lent_block(storage->data);
            if (storage->release != NULL) {
                storage->release(storage->owner);
            }
        }
        free(storage);
    }
}

/* An array on a loose block, which it takes over; NULL, and the block is freed, when there is no memory. */
static struct fun_array *fun_array_of(
    struct futhark_context *ctx, enum fun_type type, uint32_t rank, const int64_t *shape, void *data) {
    struct fun_storage *storage = fun_storage_of(ctx, data);
    struct fun_array *array = storage == NULL ? NULL : fun_array_on(storage, type, rank, shape, NULL);
    if (array == NULL) {
        fun_storage_free(ctx, storage);
    }
    return array;
}

/* Another array on the same memory. */
static struct fun_array *fun_array_sharing(
    struct fun_storage *storage, enum fun_type type, uint32_t rank, const int64_t *shape) {
    struct fun_array *array = fun_array_on(storage, type, rank, shape, NULL);
    if (array != NULL) {
        atomic_fetch_add_explicit(&storage->arrays, 1, memory_order_relaxed);
    }
    return array;
}

/* The elements of a view, to `data`, in row order. */
static void fun_gather(struct futhark_context *ctx, const struct fun_array *view, void *data) {
    int64_t dims[3 * view->rank], step = 1;
    for (uint32_t d = view->rank; d-- > 0; step *= view->shape[d]) {
        dims[3 * d] = view->shape[d];
        dims[3 * d + 1] = step;
        dims[3 * d + 2] = view->strides[d];
    }
    const int64_t width = (int64_t)fun_types[view->type].bytes;
    struct fun_context run;
    memset(&run, 0, sizeof run);
    fun_copy(&run, width, data, 0, view->storage->data, view->offset, view->rank, dims);
    atomic_fetch_add(&ctx->copied, (uint64_t)(fun_count(view->rank, view->shape) * width));
}

/* The memory with the elements of an array in row order; those of a view are copied, once. NULL, and an error, where there is none. */
static struct fun_storage *fun_rows(struct futhark_context *ctx, const struct fun_array *array) {
    if (array->strides == NULL) {
        return array->storage;
    }
    struct fun_storage *_Atomic *place = &((struct fun_array *)array)->rows;
    struct fun_storage *rows = atomic_load(place), *before = NULL;
    if (rows != NULL) {
        return rows;
    }
    const size_t bytes = (size_t)fun_count(array->rank, array->shape) * fun_types[array->type].bytes;
    void *data = fun_loose_block(ctx, bytes);
    rows = data == NULL ? NULL : fun_storage_of(ctx, data);
    if (rows == NULL) {
        fun_error(ctx, FUTHARK_OUT_OF_MEMORY,
            fun_text("Error: no memory for a view of %llu bytes in row order", (unsigned long long)bytes));
        return NULL;
    }
    fun_gather(ctx, array, data);
    if (!atomic_compare_exchange_strong(place, &before, rows)) {
        /* another thread was first */
        fun_storage_free(ctx, rows);
        return before;
    }
    return rows;
}

FUN_OPTIONAL int fun_array_free(struct futhark_context *ctx, struct fun_array *array) {
    if (array != NULL) {
        fun_storage_free(ctx, array->storage);
        fun_storage_free(ctx, atomic_load(&array->rows));
        free(array);
    }
    return FUTHARK_SUCCESS;
}
