/* What kernels need: a parameter is a scalar of so many bytes, or the handle of a block where there are none. */
struct fun_kernel_argument {
    uint64_t bytes;
    const void *value;
};

/* Each is explained where it is defined, at the end. Those that give a number have recorded a failure if it is not zero. */
FUN_RUNTIME void *fun_device_allocate(struct fun_context *context, uint32_t site, bool in_loop, uint64_t element,
    uint64_t rank, const int64_t *sizes);
FUN_RUNTIME void fun_device_share(void *handle);
FUN_RUNTIME void fun_device_free(struct fun_context *context, void *handle);
FUN_RUNTIME uint32_t fun_device_read(struct fun_context *context, const void *handle, int64_t at, uint64_t bytes, void *cell);
FUN_RUNTIME uint32_t fun_device_write(struct fun_context *context, const void *handle, int64_t at, uint64_t bytes,
    const void *cell);
FUN_RUNTIME uint32_t fun_device_copy(struct fun_context *context, int64_t element, void *dest, bool dest_remote,
    int64_t dest_offset, const void *source, bool source_remote, int64_t source_offset, uint64_t rank, const int64_t *dims);
FUN_RUNTIME uint32_t fun_launch(struct fun_context *context, uint32_t kernel, int64_t blocks, uint64_t threads, uint32_t count,
    const struct fun_kernel_argument *arguments);
FUN_RUNTIME uint32_t fun_device_settle(struct fun_context *context);

