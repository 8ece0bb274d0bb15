/* Copies of cells between views, of which at least one is on the device. */

/* Bytes that lie next to each other on both sides. */
static int32_t fun_device_row(void *dest, bool dest_remote, int64_t to, const void *source, bool source_remote, int64_t from,
    uint64_t bytes) {
    if (!dest_remote) {
        const struct fun_device_block *block = source;
        return fun_driver_read(block->buffer, (uint64_t)from, bytes, (char *)dest + to);
    }
    const struct fun_device_block *target = dest;
    if (!source_remote) {
        return fun_driver_write(target->buffer, (uint64_t)to, bytes, (const char *)source + from);
    }
    const struct fun_device_block *block = source;
    if (block == target && from == to) {
        return 0;
    }
    return fun_driver_copy(target->buffer, (uint64_t)to, block->buffer, (uint64_t)from, bytes);
}

/* Cells of the device at most four dimensions; offsets and strides in cells. */
static int32_t fun_device_cells(uint32_t kind, const struct fun_device_block *dest, int64_t to,
    const struct fun_device_block *source, int64_t from, uint64_t rank, const int64_t *dims) {
    int64_t sizes[4] = {1, 1, 1, 1}, steps[8] = {0}, count = 1;
    for (uint64_t k = 0; k < rank; k++) {
        const uint64_t place = 4 - rank + k;
        sizes[place] = dims[3 * k];
        steps[place] = dims[3 * k + 1];
        steps[4 + place] = dims[3 * k + 2];
        count *= dims[3 * k];
    }
    const int64_t numbers[] = {to, from, count, sizes[1], sizes[2], sizes[3], steps[0], steps[1], steps[2], steps[3], steps[4],
        steps[5], steps[6], steps[7]};
    struct fun_kernel_argument arguments[16] = {{0, dest}, {0, source}};
    for (uint32_t k = 0; k < 14; k++) {
        arguments[2 + k].bytes = sizeof numbers[k];
        arguments[2 + k].value = &numbers[k];
    }
    const int64_t width = 256;
    return fun_device_enqueue((uint32_t)fun_copy_kernels[0][kind], (count + width - 1) / width, (uint64_t)width, 16, arguments);
}

/* The dimension of several in which neighbours are nearest, where from the third number on each has its step. */
static uint64_t fun_device_fastest(uint64_t rank, const int64_t *steps) {
    uint64_t best = 0;
    for (uint64_t k = 1; k < rank; k++) {
        best = llabs(steps[3 * k]) < llabs(steps[3 * best]) ? k : best;
    }
    return best;
}

/* From so many cells on in both dimensions tiles pay, and how many cells these have in both. */
#define FUN_TURNED 16
#define FUN_TILE 64

/* Cells of the device in two to four dimensions, through tiles, where the sides run fastest along different dimensions that are large; whether they do. */
static bool fun_device_turn(uint32_t kind, const struct fun_device_block *dest, int64_t to, const struct fun_device_block *source,
    int64_t from, uint64_t rank, const int64_t *dims, int32_t *code) {
    const uint64_t a = fun_device_fastest(rank, dims + 1), b = fun_device_fastest(rank, dims + 2);
    if (fun_copy_kernels[1][kind] < 0 || a == b || dims[3 * a] < FUN_TURNED || dims[3 * b] < FUN_TURNED) {
        return false;
    }
    /* a, b and the others: sizes, steps of the destination, steps of the source */
    int64_t each[3][4] = {{dims[3 * a], dims[3 * b], 1, 1}, {dims[3 * a + 1], dims[3 * b + 1], 0, 0}, {dims[3 * a + 2], dims[3 * b + 2], 0, 0}};
    for (uint64_t k = 0, place = 2; k < rank; k++) {
        if (k != a && k != b) {
            for (uint64_t what = 0; what < 3; what++) {
                each[what][place] = dims[3 * k + what];
            }
            place++;
        }
    }
    const int64_t numbers[] = {to, from, each[0][0], each[0][1], each[0][2], each[1][0], each[1][1], each[1][2], each[1][3], each[2][0],
        each[2][1], each[2][2], each[2][3]};
    struct fun_kernel_argument arguments[15] = {{0, dest}, {0, source}};
    for (uint32_t k = 0; k < 13; k++) {
        arguments[2 + k].bytes = sizeof numbers[k];
        arguments[2 + k].value = &numbers[k];
    }
    const int64_t blocks = (each[0][0] + FUN_TILE - 1) / FUN_TILE * ((each[0][1] + FUN_TILE - 1) / FUN_TILE) * each[0][2] * each[0][3];
    *code = fun_device_enqueue((uint32_t)fun_copy_kernels[1][kind], blocks, 256, 15, arguments);
    return true;
}

/* The outer dimensions one after another, until what is left is a row or few enough dimensions of the device. */
static int32_t fun_device_rows(int64_t element, void *dest, bool dest_remote, int64_t to, const void *source, bool source_remote,
    int64_t from, uint64_t rank, const int64_t *dims) {
    if (rank == 0 || (rank == 1 && dims[1] == 1 && dims[2] == 1)) {
        const int64_t cells = rank == 0 ? 1 : dims[0];
        return fun_device_row(dest, dest_remote, to * element, source, source_remote, from * element, (uint64_t)(cells * element));
    }
    const uint32_t kind = element == 1 ? 0 : element == 2 ? 1 : element == 4 ? 2 : 3;
    int32_t code = 0;
    if (dest_remote && source_remote && rank <= 4) {
        const bool turned = rank > 1 && fun_device_turn(kind, dest, to, source, from, rank, dims, &code);
        return turned ? code : fun_device_cells(kind, dest, to, source, from, rank, dims);
    }
    for (int64_t k = 0; k < dims[0] && code == 0; k++) {
        code = fun_device_rows(element, dest, dest_remote, to + k * dims[1], source, source_remote, from + k * dims[2], rank - 1,
            dims + 3);
    }
    return code;
}

/* Whether a copy within a block reads what it writes elsewhere: the cells move along the first dimension, by less than its size. */
static bool fun_device_overlaps(const void *dest, int64_t to, const void *source, int64_t from, uint64_t rank, const int64_t *dims) {
    if (dest != source || rank == 0 || to == from || dims[1] != dims[2] || dims[1] == 0) {
        return false;
    }
    const int64_t steps = (to - from) / dims[1];
    return (to - from) % dims[1] == 0 && (steps < 0 ? -steps : steps) < dims[0];
}

/* Such a copy, by way of another block: threads come in any order. */
static int32_t fun_device_move(int64_t element, void *block, int64_t to, int64_t from, struct fun_device_block *aside, uint64_t rank,
    const int64_t *dims) {
    int64_t away[3 * rank], back[3 * rank], cells = 1;
    for (uint64_t k = rank; k-- > 0; cells *= dims[3 * k]) {
        away[3 * k] = back[3 * k] = dims[3 * k];
        away[3 * k + 1] = back[3 * k + 2] = cells;
        away[3 * k + 2] = back[3 * k + 1] = dims[3 * k + 1];
    }
    const int32_t code = fun_device_rows(element, aside, true, 0, block, true, from, rank, away);
    return code != 0 ? code : fun_device_rows(element, block, true, to, aside, true, 0, rank, back);
}

/* Makes dimensions that step alike one, and leaves out those of one cell; gives how many there are then. */
static uint64_t fun_device_merge(uint64_t rank, int64_t *dims) {
    uint64_t count = 0;
    for (uint64_t k = 0; k < rank; k++) {
        const int64_t size = dims[3 * k], to = dims[3 * k + 1], from = dims[3 * k + 2];
        int64_t *outer = dims + 3 * (count == 0 ? 0 : count - 1);
        if (size == 1) {
            continue;
        }
        if (count > 0 && outer[1] == size * to && outer[2] == size * from) {
            outer[0] *= size;
            outer[1] = to;
            outer[2] = from;
        } else {
            memmove(dims + 3 * count, dims + 3 * k, 3 * sizeof *dims);
            count++;
        }
    }
    return count;
}

/* Puts the dimensions in the order of the destination's memory, so that neighbouring threads write neighbouring cells. */
static void fun_device_sort(uint64_t rank, int64_t *dims) {
    for (uint64_t k = 1; k < rank; k++) {
        for (uint64_t at = k; at > 0 && llabs(dims[3 * at - 2]) < llabs(dims[3 * at + 1]); at--) {
            for (uint64_t what = 0; what < 3; what++) {
                const int64_t before = dims[3 * at - 3 + what];
                dims[3 * at - 3 + what] = dims[3 * at + what];
                dims[3 * at + what] = before;
            }
        }
    }
}

/* As `fun_copy`, where at least one side is remote: on the device. */
FUN_RUNTIME uint32_t fun_device_copy(struct fun_context *context, int64_t element, void *dest, bool dest_remote,
    int64_t dest_offset, const void *source, bool source_remote, int64_t source_offset, uint64_t rank, const int64_t *dims) {
    int64_t merged[3 * (rank + 1)], cells = 1;
    for (uint64_t k = 0; k < rank; k++) {
        if (dims[3 * k] <= 0) {
            return 0;
        }
        cells *= dims[3 * k];
        memcpy(merged + 3 * k, dims + 3 * k, 3 * sizeof *dims);
    }
    uint64_t count = fun_device_merge(rank, merged);
    atomic_fetch_add_explicit(&context->copied_bytes, (uint64_t)(cells * element), memory_order_relaxed);
    pthread_mutex_lock(&fun_device_mutex);
    int32_t code = fun_driver_enter();
    if (code == 0 && fun_device_overlaps(dest, dest_offset, source, source_offset, count, merged)) {
        struct fun_device_block *aside = fun_device_make((uint64_t)(cells * element));
        if (aside == NULL) {
            pthread_mutex_unlock(&fun_device_mutex);
            const struct fun_failure failure = {.reason = FUN_DEVICE, .told = "no memory to copy cells of a block over itself"};
            fun_record(context, &failure);
            return 1;
        }
        code = fun_device_move(element, dest, dest_offset, source_offset, aside, count, merged);
        fun_device_keep(aside);
    } else if (code == 0) {
        fun_device_sort(count, merged);
        count = fun_device_merge(count, merged);
        code = fun_device_rows(element, dest, dest_remote, dest_offset, source, source_remote, source_offset, count, merged);
    }
    pthread_mutex_unlock(&fun_device_mutex);
    return code == 0 ? 0 : fun_device_failed(context, "copying", code);
}
