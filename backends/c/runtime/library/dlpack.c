/* Arrays on CUDA's first device for other libraries in the process, as DLPack 1 describes them. */

struct fun_dl_tensor {
    void *data;
    int32_t device_type, device_id, rank;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t *shape, *strides;
    uint64_t byte_offset;
};

/* What is handed over; whoever has it calls its deleter. */
struct fun_dl_managed {
    struct fun_dl_tensor tensor;
    void *manager;
    void (*deleter)(struct fun_dl_managed *);
};

struct fun_dl_versioned {
    uint32_t major, minor;
    void *manager;
    void (*deleter)(struct fun_dl_versioned *);
    uint64_t flags;
    struct fun_dl_tensor tensor;
};

/* What stands behind it: an array on the same memory, and sizes and strides. */
struct fun_dl_export {
    struct futhark_context *ctx;
    struct fun_array *array;
    union {
        struct fun_dl_managed managed;
        struct fun_dl_versioned versioned;
    } handed;
    int64_t numbers[];
};

static void fun_dl_end(struct fun_dl_export *export) {
    /* whoever had the memory may have used it in another stream, and it will have another use */
    (void)futhark_context_sync(export->ctx);
    fun_array_free(export->ctx, export->array);
    free(export);
}

static void fun_dl_delete_managed(struct fun_dl_managed *managed) {
    fun_dl_end(managed->manager);
}

static void fun_dl_delete_versioned(struct fun_dl_versioned *versioned) {
    fun_dl_end(versioned->manager);
}

/* An array as a DLManagedTensorVersioned, or the DLManagedTensor from before there were versions; NULL, and an error, where there is no memory. */
FUN_OPTIONAL void *fun_array_dlpack(struct futhark_context *ctx, const struct fun_array *array, bool versioned) {
    struct fun_dl_export *export = array == NULL ? NULL : calloc(1, sizeof *export + 2 * array->rank * sizeof(int64_t));
    if (export != NULL) {
        export->array = fun_array_sharing(array->storage, array->type, array->rank, array->shape);
    }
    if (export == NULL || export->array == NULL) {
        free(export);
        fun_error(ctx, FUTHARK_OUT_OF_MEMORY, fun_text("Error: no array, or no memory to hand it over"));
        return NULL;
    }
    export->ctx = ctx;
    int64_t *strides = export->numbers + array->rank, step = 1;
    for (uint32_t d = array->rank; d-- > 0; step *= array->shape[d]) {
        export->numbers[d] = array->shape[d];
        strides[d] = step;
    }
    const enum fun_type type = array->type;
    struct fun_dl_tensor *tensor = versioned ? &export->handed.versioned.tensor : &export->handed.managed.tensor;
    tensor->data = (void *)(uintptr_t)fun_raw_of(array->storage->data);
    tensor->device_type = 2;
    tensor->rank = (int32_t)array->rank;
    tensor->code = type == FUN_BOOL ? 6 : type <= FUN_I64 ? 0 : type <= FUN_U64 ? 1 : 2;
    tensor->bits = (uint8_t)(8 * fun_types[type].bytes);
    tensor->lanes = 1;
    tensor->shape = export->numbers;
    tensor->strides = strides;
    if (versioned) {
        export->handed.versioned.major = 1;
        export->handed.versioned.manager = export;
        export->handed.versioned.deleter = fun_dl_delete_versioned;
    } else {
        export->handed.managed.manager = export;
        export->handed.managed.deleter = fun_dl_delete_managed;
    }
    return &export->handed;
}

/* Python's PyCapsule_IsValid and PyCapsule_GetPointer, which its modules say. */
static int (*fun_capsule_is)(void *capsule, const char *name);
static void *(*fun_capsule_pointer)(void *capsule, const char *name);

FUN_API void fun_dlpack_python(int (*is)(void *, const char *), void *(*pointer)(void *, const char *)) {
    fun_capsule_is = is;
    fun_capsule_pointer = pointer;
}

/* A capsule of Python dies, of which nobody has taken what is in it: then its name is still the first one. */
FUN_API void fun_dlpack_drop_capsule(void *capsule) {
    if (fun_capsule_is(capsule, "dltensor")) {
        fun_dl_delete_managed(fun_capsule_pointer(capsule, "dltensor"));
    } else if (fun_capsule_is(capsule, "dltensor_versioned")) {
        fun_dl_delete_versioned(fun_capsule_pointer(capsule, "dltensor_versioned"));
    }
}
