/* Writing values in Futhark's text and binary formats. Text reads back to the same bits, but for the payload of NaNs. */

/* The fewest decimal digits that read back to the number, and where the point goes: 0.DIGITS * 10^exponent. */
static int fun_shortest(enum fun_type type, double x, float narrow, uint16_t half, char digits[20]) {
    /* so many digits are there of every number that is not tiny, and those that are not needed are zeros */
    const int exact = type == FUN_F64 && x >= DBL_MIN ? 15 : type == FUN_F32 && narrow >= FLT_MIN ? 6 : 1;
    const int most = type == FUN_F64 ? 17 : type == FUN_F32 ? 9 : 5;
    char text[40];
    for (int count = exact; count <= most; count++) {
        snprintf(text, sizeof text, "%.*e", count - 1, x);
        if (type == FUN_F64   ? strtod(text, NULL) == x
            : type == FUN_F32 ? strtof(text, NULL) == narrow
                              : f16_of_f64(strtod(text, NULL)) == half) {
            break;
        }
    }
    int length = 0;
    const char *c = text;
    for (; *c != '\0' && *c != 'e'; c++) {
        if (*c >= '0' && *c <= '9') {
            digits[length++] = *c;
        }
    }
    while (length > 1 && digits[length - 1] == '0') {
        length--;
    }
    digits[length] = '\0';
    return atoi(c + 1) + 1;
}

/* A float: as a fraction, or with an exponent where that has many zeros. */
static void fun_write_float(FILE *file, enum fun_type type, const void *value) {
    double wide = 0;
    float narrow = 0;
    uint16_t half = 0;
    memcpy(type == FUN_F64 ? (void *)&wide : type == FUN_F32 ? (void *)&narrow : (void *)&half, value, fun_types[type].bytes);
    const double x = type == FUN_F64 ? wide : type == FUN_F32 ? (double)narrow : (double)f32_of_f16(half);
    const char *name = fun_types[type].name;
    if (isnan(x)) {
        fprintf(file, "%s.nan", name);
        return;
    }
    if (signbit(x)) {
        putc('-', file);
    }
    if (isinf(x)) {
        fprintf(file, "%s.inf", name);
        return;
    }
    char digits[20];
    const int point = fun_shortest(type, fabs(x), type == FUN_F32 ? fabsf(narrow) : 0, half & 0x7fff, digits);
    const int length = (int)strlen(digits);
    if (x == 0) {
        fputs("0.0", file);
    } else if (point < -3 || point > 16) {
        fprintf(file, "%c%s%se%d", digits[0], length > 1 ? "." : "", digits + 1, point - 1);
    } else if (point <= 0) {
        fprintf(file, "0.%.*s%s", -point, "0000", digits);
    } else if (point >= length) {
        fprintf(file, "%s%.*s.0", digits, point - length, "0000000000000000");
    } else {
        fprintf(file, "%.*s.%s", point, digits, digits + point);
    }
    fputs(name, file);
}

static void fun_write_text_scalar(FILE *file, enum fun_type type, const void *value) {
    uint64_t bits = 0;
    memcpy(&bits, value, fun_types[type].bytes);
    switch (type) {
    case FUN_BOOL:
        fputs(bits != 0 ? "true" : "false", file);
        return;
    case FUN_UNIT:
        fputs("()", file);
        return;
    case FUN_F16:
    case FUN_F32:
    case FUN_F64:
        fun_write_float(file, type, value);
        return;
    case FUN_I8:
    case FUN_I16:
    case FUN_I32:
    case FUN_I64: {
        const unsigned unused = 64 - 8 * (unsigned)fun_types[type].bytes;
        fprintf(file, "%lld%s", (long long)((int64_t)(bits << unused) >> unused), fun_types[type].name);
        return;
    }
    case FUN_U8:
    case FUN_U16:
    case FUN_U32:
    case FUN_U64:
        fprintf(file, "%llu%s", (unsigned long long)bits, fun_types[type].name);
        return;
    }
}

/* Rows in brackets, and the address behind their elements. */
static const char *fun_write_rows(FILE *file, enum fun_type type, uint32_t rank, const int64_t *shape, const char *data) {
    if (rank == 0) {
        fun_write_text_scalar(file, type, data);
        return data + fun_types[type].bytes;
    }
    putc('[', file);
    for (int64_t k = 0; k < shape[0]; k++) {
        if (k > 0) {
            fputs(", ", file);
        }
        data = fun_write_rows(file, type, rank - 1, shape + 1, data);
    }
    putc(']', file);
    return data;
}

/* Writes a value; a scalar has rank 0. What goes wrong, `ferror` tells. */
static void fun_write_value(
    FILE *file, bool binary, enum fun_type type, uint32_t rank, const int64_t *shape, const void *data) {
    const int64_t count = fun_count(rank, shape);
    if (binary) {
        fprintf(file, "b%c%c%4s", 2, (int)rank, fun_types[type].name);
        if (rank > 0) {
            fwrite(shape, sizeof(int64_t), rank, file);
        }
        if (count > 0) {
            fwrite(data, fun_types[type].bytes, (size_t)count, file);
        }
    } else if (count == 0) {
        fputs("empty(", file);
        for (uint32_t k = 0; k < rank; k++) {
            fprintf(file, "[%lld]", (long long)shape[k]);
        }
        fprintf(file, "%s)", fun_types[type].name);
    } else {
        fun_write_rows(file, type, rank, shape, data);
    }
}

/* Writes an array; not zero, and an error, where it can't be had. What goes wrong in writing, `ferror` tells. */
static int fun_write_array(struct futhark_context *ctx, FILE *file, bool binary, const struct fun_array *array) {
    const size_t bytes = (size_t)fun_count(array->rank, array->shape) * fun_types[array->type].bytes;
    const void *elements = bytes == 0 ? NULL : fun_look(ctx, array->storage->data, bytes);
    if (bytes > 0 && elements == NULL) {
        return FUTHARK_OUT_OF_MEMORY;
    }
    fun_write_value(file, binary, array->type, array->rank, array->shape, elements);
    if (bytes > 0) {
        fun_looked(elements);
    }
    return FUTHARK_SUCCESS;
}
