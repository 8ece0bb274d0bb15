/* The queue that everything is done in, for callers who make buffers in its context; NULL, and an error, where there is no device. */
FUN_API struct _cl_command_queue *futhark_context_get_command_queue(struct futhark_context *ctx) {
    return fun_has_memory(ctx) ? (struct _cl_command_queue *)fun_cl_state.queue : NULL;
}
