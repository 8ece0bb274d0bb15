/* Records, sums and arrays of them as bytes. */

/* A value as bytes: its leaves in the binary format. `n` becomes how many there are; where `p` is not NULL they are written to `*p`,
   which is allocated where it is NULL. */
FUN_OPTIONAL int fun_store(struct futhark_context *ctx, const struct fun_opaque *value, void **p, size_t *n) {
    if (value == NULL) {
        return FUN_FAIL(ctx, FUTHARK_PROGRAM_ERROR, "Error: the value to be stored is NULL");
    }
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
    int status = FUTHARK_SUCCESS;
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
        if (array == NULL) {
            memcpy(to, &value->leaves[k].scalar, bytes);
        } else if (bytes > 0 && status == 0) {
            status = fun_get(ctx, array->storage->data, 0, to, bytes);
        }
        to += bytes;
    }
    return status;
}

/* The value that bytes mean; NULL where they mean none of this type. */
FUN_OPTIONAL void *fun_restore(struct futhark_context *ctx, const struct fun_named *type, const void *p) {
    const char *from = p;
    union fun_cell leaves[type->leaf_count + 1];
    memset(leaves, 0, sizeof leaves);
    bool good = p != NULL;
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
        if (leaf.rank > 0) {
            leaves[k].array = fun_array_fresh(ctx, leaf.type, leaf.rank, shape);
            good = leaves[k].array != NULL;
        }
        const size_t bytes = good ? (size_t)fun_count(leaf.rank, shape) * fun_types[leaf.type].bytes : 0;
        if (leaf.rank == 0) {
            memcpy(&leaves[k].scalar, from, bytes);
        } else if (bytes > 0) {
            good = fun_put(ctx, leaves[k].array->storage->data, 0, from, bytes) == 0;
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

