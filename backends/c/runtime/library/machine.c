/* What machine code calls: the runtime, with arguments as machine code passes them. Names are those of the functions in
   backends/runtime/src/symbols.rs, which do the same for machine code in memory. */

#define FUN_CODE __attribute__((visibility("hidden"), used))

/* The places of the program that a run is of: one copy of the runtime may serve several programs. */
static const struct fun_site *fun_sites_of(const struct fun_context *context) {
    return ((const struct fun_run *)context)->entry->sites;
}

/* Added to the number of a place that allocates in a loop. */
#define FUN_IN_LOOP ((uint32_t)1 << 31)

FUN_CODE void fun_code_fail(struct fun_context *context, uint32_t site, const int64_t *numbers, int64_t count) {
    fun_fail(context, site, count < FUN_MAX_NUMBERS ? (uint32_t)count : FUN_MAX_NUMBERS, numbers);
}

FUN_CODE uint32_t fun_code_enter(struct fun_context *context, uint32_t site) {
    return fun_enter(context, site);
}

FUN_CODE void *fun_code_allocate_shape(
    struct fun_context *context, uint32_t site, int64_t element, int64_t rank, const int64_t *sizes) {
    const bool in_loop = (site & FUN_IN_LOOP) != 0;
    return fun_allocate(context, site & ~FUN_IN_LOOP, in_loop, (uint64_t)element, (uint64_t)rank, sizes);
}

FUN_CODE void *fun_code_allocate(struct fun_context *context, uint32_t site, int64_t element, int64_t count) {
    return fun_code_allocate_shape(context, site, element, 1, &count);
}

FUN_CODE void fun_code_share(struct fun_context *context, void *data) {
    fun_share(context, data);
}

FUN_CODE void fun_code_free(struct fun_context *context, void *data) {
    fun_free(context, data);
}

/* The body of a parallel loop, and what it uses of the procedure around it. */
struct fun_code_loop {
    uint32_t (*body)(struct fun_context *, const uint64_t *, int64_t, int64_t);
    const uint64_t *captured;
};

static void fun_code_iterations(struct fun_context *context, const void *captured, int64_t from, int64_t to) {
    const struct fun_code_loop *loop = captured;
    /* a failure is in the context */
    (void)loop->body(context, loop->captured, from, to);
}

FUN_CODE uint32_t fun_code_parallel_for(struct fun_context *context,
    uint32_t (*body)(struct fun_context *, const uint64_t *, int64_t, int64_t), const uint64_t *captured, int64_t count,
    double cost) {
    /* (less than nothing is a guess) */
    const double work = FUN_WORK(count, cost < 0 ? -cost : cost);
    if (!(cost < 0 ? FUN_MAY_PAY(work) : FUN_PAYS(work))) {
        return body(context, captured, 0, count);
    }
    const struct fun_code_loop loop = {body, captured};
    (cost < 0 ? fun_parallel_if_it_pays : fun_parallel)(context, count, work, fun_code_iterations, &loop);
    return fun_stopped(context);
}

FUN_CODE int64_t fun_code_threads(struct fun_context *context) {
    return fun_threads(context);
}

/* Sizes, and strides in bytes. */
FUN_CODE void fun_code_copy(
    struct fun_context *context, void *dest, const void *source, int64_t element, int64_t rank, const int64_t *dims) {
    if (element == 0) {
        return;
    }
    int64_t in_elements[3 * rank + 1];
    for (int64_t k = 0; k < 3 * rank; k++) {
        in_elements[k] = k % 3 == 0 ? dims[k] : dims[k] / element;
    }
    fun_copy(context, element, dest, 0, source, 0, (uint64_t)rank, in_elements);
}
