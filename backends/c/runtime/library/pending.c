/* Calls that go on in a thread of their own. */

/* A call, and what it is given and gives. The arrays among its values stay the caller's. */
struct fun_call {
    struct futhark_context *ctx;
    const struct fun_signature *signature;
    pthread_t thread;
    _Atomic bool is_done;
    int status;
    union fun_cell out;
    const void **values;
    union fun_cell cells[];
};

static void *fun_call_go_on(void *argument) {
    struct fun_call *call = argument;
    call->status = fun_call_signature(call->ctx, call->signature, &call->out, call->values);
    atomic_store(&call->is_done, true);
    return NULL;
}

/* Starts a call of an entry point. Its arrays must stay until it was waited for, which frees the call. */
FUN_OPTIONAL int fun_call_start(struct futhark_context *ctx, const struct fun_signature *signature, struct fun_call **out,
    const void *const *values) {
    const uint32_t count = signature->input_count;
    struct fun_call *call = calloc(1, sizeof *call + count * (sizeof(union fun_cell) + sizeof(void *)));
    const char *name = signature->entry->name;
    if (call == NULL) {
        return FUN_FAIL(ctx, FUTHARK_OUT_OF_MEMORY, "Error: no memory for a call of %s", name);
    }
    call->ctx = ctx;
    call->signature = signature;
    call->values = (const void **)(call->cells + count);
    for (uint32_t k = 0; k < count; k++) {
        const struct fun_named *type = signature->inputs[k].type;
        call->values[k] = values[k];
        if (type->kind == FUN_PRIMITIVE) {
            memcpy(&call->cells[k].scalar, values[k], fun_types[type->leaves[0].type].bytes);
            call->values[k] = &call->cells[k].scalar;
        }
    }
    /* signals are for the threads of the program that this is part of */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int failed = pthread_create(&call->thread, NULL, fun_call_go_on, call);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed != 0) {
        free(call);
        return FUN_FAIL(ctx, FUN_OTHER_ERROR, "Error: no thread for a call of %s", name);
    }
    *out = call;
    return FUTHARK_SUCCESS;
}

/* Waits for a call of this entry point and frees it; gives what the call did, and its result. */
FUN_OPTIONAL int fun_call_wait(
    struct futhark_context *ctx, const struct fun_signature *signature, struct fun_call *call, void *out) {
    const char *name = signature->entry->name;
    if (call == NULL || call->signature != signature || call->ctx != ctx) {
        return FUN_FAIL(ctx, FUTHARK_PROGRAM_ERROR, "Error: what is waited for is no call of %s in this context", name);
    }
    pthread_join(call->thread, NULL);
    const int status = call->status;
    if (status == FUTHARK_SUCCESS) {
        const struct fun_named *type = signature->output;
        memcpy(out, &call->out, type->kind == FUN_PRIMITIVE ? fun_types[type->leaves[0].type].bytes : sizeof(void *));
    }
    free(call);
    return status;
}

/* Whether a call has ended, so that waiting for it takes no time. */
FUN_API bool fun_call_is_done(const struct fun_call *call) {
    return atomic_load(&call->is_done);
}
