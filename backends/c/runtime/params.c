/* Numbers that choose between versions of the program's code. `fun_params` has them in a program that has some. */

/* What the run says, or else the usual one. */
FUN_RUNTIME int64_t fun_param(struct fun_context *context, uint32_t k) {
    return context->params == NULL ? fun_params[k].usual : context->params[k];
}

/* Whether a size reaches such a number; who wants to know is told of it, those who tune by the log in the words of Futhark's programs. */
FUN_RUNTIME bool fun_reaches(struct fun_context *context, uint32_t k, int64_t size) {
    const bool reached = fun_param(context, k) <= size;
    if (__builtin_expect(context->log != NULL, 0)) {
        fprintf(context->log, "Compared %s <= %lld: %s.\n", fun_params[k].name, (long long)size, reached ? "true" : "false");
    }
    if (__builtin_expect(context->compared != NULL, 0)) {
        context->compared(context->compared_to, k, size);
    }
    return reached;
}

/* Gives a run numbers, one for each name, and a function that hears of the sizes that are compared with them. */
FUN_EXPORT void fun_context_tune(
    struct fun_context *context, const int64_t *params, void (*compared)(void *to, uint32_t param, int64_t size), void *to) {
    context->params = params;
    context->compared = compared;
    context->compared_to = to;
}

