/* Reading values in Futhark's text and binary formats, from a stream that mixes them. What is read goes into the block that it stays
   in: nothing is copied. */

/* A stream of values. */
struct fun_reader {
    FILE *file;
    size_t at, end;
    uint64_t line;
    /* what is wrong, where reading failed */
    char problem[240];
    char buffer[16384];
};

/* The next character but `ahead`, which is less than the buffer's size; EOF at the end. */
static int fun_peek(struct fun_reader *reader, size_t ahead) {
    if (reader->at + ahead >= reader->end) {
        memmove(reader->buffer, reader->buffer + reader->at, reader->end - reader->at);
        reader->end -= reader->at;
        reader->at = 0;
        reader->end += fread(reader->buffer + reader->end, 1, sizeof reader->buffer - reader->end, reader->file);
    }
    return reader->at + ahead < reader->end ? (unsigned char)reader->buffer[reader->at + ahead] : EOF;
}

__attribute__((format(printf, 2, 3))) static bool fun_problem(struct fun_reader *reader, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->problem, sizeof reader->problem, format, arguments);
    va_end(arguments);
    return false;
}

/* Passes over spaces and comments, and says whether there is more. */
static bool fun_skip_blanks(struct fun_reader *reader) {
    for (;;) {
        const int c = fun_peek(reader, 0);
        if (c == EOF) {
            return false;
        }
        if (c == '-' && fun_peek(reader, 1) == '-') {
            while (fun_peek(reader, 0) != '\n' && fun_peek(reader, 0) != EOF) {
                reader->at++;
            }
        } else if (strchr(" \t\n\v\f\r", c) == NULL || c == '\0') {
            return true;
        } else {
            reader->line += c == '\n';
            reader->at++;
        }
    }
}

/* Takes a word: what makes up a number or name, or `()`; or one other character, which is never right. Of what is longer than `room`,
   too much is left for it to be one. */
static void fun_read_word(struct fun_reader *reader, char *word, size_t room) {
    size_t length = 0;
    while (length + 1 < room) {
        const int c = fun_peek(reader, 0);
        const bool in_word = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                             (c != EOF && c != '\0' && strchr(".+_:", c) != NULL) ||
                             (c == '-' && fun_peek(reader, 1) != '-') || (c == '(' && length == 0) ||
                             (c == ')' && length == 1 && word[0] == '(');
        if (!in_word) {
            break;
        }
        word[length++] = (char)c;
        reader->at++;
    }
    if (length == 0 && fun_peek(reader, 0) != EOF) {
        word[length++] = reader->buffer[reader->at++];
    }
    word[length] = '\0';
}

/* An integer; `rest` is where the digits end. NULL for what has none; `*large` where it has more than 64 bits. */
static const char *fun_digits(const char *text, uint64_t *number, bool *large) {
    unsigned base = 10;
    if (text[0] == '0' && strchr("xXbB", text[1]) != NULL && text[1] != '\0') {
        base = text[1] == 'x' || text[1] == 'X' ? 16 : 2;
        text += 2;
    }
    const char *start = text;
    *number = 0;
    *large = false;
    for (;; text++) {
        const char c = *text;
        unsigned digit = base;
        if (c >= '0' && c <= '9') {
            digit = (unsigned)(c - '0');
        } else if (base == 16 && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))) {
            digit = (unsigned)((c | 0x20) - 'a') + 10;
        } else if (c == '_' && text > start) {
            continue;
        }
        if (digit >= base) {
            return text == start ? NULL : text;
        }
        *large |= __builtin_mul_overflow(*number, (uint64_t)base, number);
        *large |= __builtin_add_overflow(*number, (uint64_t)digit, number);
    }
}

static bool fun_read_integer(struct fun_reader *reader, const char *word, enum fun_type type, void *out) {
    const bool negative = word[0] == '-';
    uint64_t magnitude;
    bool large;
    const char *rest = fun_digits(word + negative, &magnitude, &large);
    const char *name = fun_types[type].name;
    if (rest == NULL || (*rest != '\0' && strcmp(rest, name) != 0)) {
        return fun_problem(reader, "expected %s, found `%.30s`", name, word);
    }
    const unsigned bits = 8 * (unsigned)fun_types[type].bytes;
    const uint64_t most = UINT64_MAX >> (64 - bits);
    const uint64_t limit = type >= FUN_U8 ? (negative ? 0 : most) : (most >> 1) + negative;
    /* what says its type is cut down to it */
    if ((large || magnitude > limit) && *rest == '\0') {
        return fun_problem(reader, "`%.30s` does not fit %s", word, name);
    }
    const uint64_t value = negative ? 0 - magnitude : magnitude;
    memcpy(out, &value, fun_types[type].bytes);
    return true;
}

static void fun_store_float(double wide, float narrow, enum fun_type type, void *out) {
    const uint16_t half = type == FUN_F16 ? f16_of_f64(wide) : 0;
    memcpy(out, type == FUN_F64 ? (void *)&wide : type == FUN_F32 ? (void *)&narrow : (void *)&half, fun_types[type].bytes);
}

static bool fun_read_float(struct fun_reader *reader, const char *word, enum fun_type type, void *out) {
    const char *name = fun_types[type].name;
    const bool negative = word[0] == '-';
    const char *special = word + negative;
    if (strncmp(special, name, 3) == 0 && special[3] == '.') {
        special += 4;
    }
    const bool nan = strcmp(special, "nan") == 0 && !negative;
    if (nan || strcmp(special, "inf") == 0) {
        const double value = nan ? (double)NAN : negative ? -(double)INFINITY : (double)INFINITY;
        fun_store_float(value, (float)value, type, out);
        return true;
    }
    char digits[sizeof reader->problem];
    size_t length = 0;
    for (const char *c = word; *c != '\0' && length + 1 < sizeof digits; c++) {
        if (*c != '_') {
            digits[length++] = *c;
        }
    }
    digits[length] = '\0';
    const char *start = digits + (digits[0] == '-');
    const bool hexadecimal = start[0] == '0' && (start[1] | 0x20) == 'x';
    bool suffix = false;
    if (length > 3 && strcmp(digits + length - 3, name) == 0 && (!hexadecimal || strpbrk(digits, "pP") != NULL)) {
        suffix = true;
        digits[length - 3] = '\0';
    }
    if (start[0] >= '0' && start[0] <= '9') {
        char *end, *end_narrow;
        double wide = strtod(digits, &end);
        float narrow = strtof(digits, &end_narrow);
        if (start[0] == '0' && (start[1] | 0x20) == 'b') {
            uint64_t number;
            bool large;
            const char *rest = fun_digits(start, &number, &large);
            end = rest == NULL || large ? digits : digits + (rest - digits);
            wide = negative ? -(double)number : (double)number;
            narrow = negative ? -(float)number : (float)number;
        }
        if (*end == '\0') {
            fun_store_float(wide, narrow, type, out);
            const bool infinite = type == FUN_F64   ? isinf(wide)
                                  : type == FUN_F32 ? isinf(narrow)
                                                    : (f16_of_f64(wide) & 0x7fff) == 0x7c00;
            return !infinite || suffix || fun_problem(reader, "`%.30s` does not fit %s", word, name);
        }
    }
    return fun_problem(reader, "expected %s, found `%.30s`", name, word);
}

/* A scalar in the text format. */
static bool fun_read_text_scalar(struct fun_reader *reader, enum fun_type type, void *out) {
    char word[sizeof reader->problem];
    fun_read_word(reader, word, sizeof word);
    if (type == FUN_F16 || type == FUN_F32 || type == FUN_F64) {
        return fun_read_float(reader, word, type, out);
    }
    if (type == FUN_UNIT && strcmp(word, "()") == 0) {
        return true;
    }
    if (type == FUN_BOOL && (strcmp(word, "true") == 0 || strcmp(word, "false") == 0)) {
        *(bool *)out = word[0] == 't';
        return true;
    }
    if (type < FUN_F16) {
        return fun_read_integer(reader, word, type, out);
    }
    return fun_problem(reader, "expected %s, found `%.30s`", fun_types[type].name, word);
}

/* Memory that becomes a block when it is known how much there is. */
struct fun_growing {
    char *start, *data;
    size_t room, used;
};

static bool fun_grow_to(struct fun_growing *growing, size_t room) {
    const size_t before = growing->start == NULL ? 0 : (size_t)(growing->data - growing->start);
    char *start = room > SIZE_MAX / 2 ? NULL : realloc(growing->start, room + 128);
    if (start == NULL) {
        return false;
    }
    growing->start = start;
    growing->data = fun_data_at(start);
    if (growing->used > 0) {
        memmove(growing->data, start + before, growing->used);
    }
    growing->room = room;
    return true;
}

/* An array in brackets; the rows opened first say what the sizes are. */
static bool fun_read_rows(
    struct fun_reader *reader, enum fun_type type, uint32_t rank, int64_t *shape, struct fun_growing *growing) {
    int64_t counts[rank];
    uint32_t depth = 0;
    bool value_next = true;
    for (uint32_t k = 0; k < rank; k++) {
        shape[k] = -1;
    }
    do {
        const int c = fun_skip_blanks(reader) ? fun_peek(reader, 0) : EOF;
        if (c == EOF) {
            return fun_problem(reader, "the array is not closed");
        }
        if (c == ']' && depth > 0) {
            const int64_t count = counts[--depth];
            if (shape[depth] >= 0 && shape[depth] != count) {
                return fun_problem(reader, "a row has size %lld, but earlier ones have size %lld", (long long)count,
                    (long long)shape[depth]);
            }
            shape[depth] = count;
            if (depth > 0) {
                counts[depth - 1]++;
            }
            value_next = false;
            reader->at++;
        } else if (c == ',' && !value_next) {
            value_next = true;
            reader->at++;
        } else if (!value_next) {
            return fun_problem(reader, "expected `,` or `]`, found `%c`", c);
        } else if (c == '[') {
            if (depth == rank) {
                return fun_problem(reader, "expected a scalar, found `[`");
            }
            counts[depth++] = 0;
            reader->at++;
        } else {
            if (depth < rank) {
                return fun_problem(reader, "expected `[`, found `%c`", c);
            }
            const size_t bytes = fun_types[type].bytes;
            if (growing->used + bytes > growing->room && !fun_grow_to(growing, growing->room * 2 + 1024)) {
                return fun_problem(reader, "there is no memory for the array");
            }
            if (!fun_read_text_scalar(reader, type, growing->data + growing->used)) {
                return false;
            }
            growing->used += bytes;
            counts[depth - 1]++;
            value_next = false;
        }
    } while (depth > 0);
    for (uint32_t k = 0; k < rank; k++) {
        shape[k] = shape[k] < 0 ? 0 : shape[k];
    }
    return true;
}

/* Takes `punctuation`. */
static bool fun_expect(struct fun_reader *reader, char punctuation) {
    if (!fun_skip_blanks(reader) || fun_peek(reader, 0) != punctuation) {
        return fun_problem(reader, "expected `%c`", punctuation);
    }
    reader->at++;
    return true;
}

/* `empty([0][2]i32)` */
static bool fun_read_empty(struct fun_reader *reader, enum fun_type type, uint32_t rank, int64_t *shape) {
    char word[32];
    fun_read_word(reader, word, sizeof word);
    if (strcmp(word, "empty") != 0) {
        return fun_problem(reader, "expected an array, found `%s`", word);
    }
    bool empty = false;
    if (!fun_expect(reader, '(')) {
        return false;
    }
    for (uint32_t k = 0; k < rank; k++) {
        if (!fun_expect(reader, '[') || !fun_skip_blanks(reader) || !fun_read_text_scalar(reader, FUN_I64, &shape[k]) ||
            !fun_expect(reader, ']')) {
            return false;
        }
        if (shape[k] < 0) {
            return fun_problem(reader, "the size %lld is negative", (long long)shape[k]);
        }
        empty |= shape[k] == 0;
    }
    fun_skip_blanks(reader);
    fun_read_word(reader, word, sizeof word);
    if (strcmp(word, fun_types[type].name) != 0) {
        return fun_problem(reader, "expected an array of %s, found one of `%s`", fun_types[type].name, word);
    }
    return fun_expect(reader, ')') && (empty || fun_problem(reader, "the array is not empty: no size is 0"));
}

/* This many bytes. */
static bool fun_read_bytes(struct fun_reader *reader, void *bytes, size_t count) {
    const size_t ready = reader->end - reader->at, first = count < ready ? count : ready;
    memcpy(bytes, reader->buffer + reader->at, first);
    reader->at += first;
    return fread((char *)bytes + first, 1, count - first, reader->file) == count - first ||
           fun_problem(reader, "the binary value is truncated");
}

/* What precedes the elements in the binary format. */
static bool fun_read_header(struct fun_reader *reader, enum fun_type type, uint32_t rank, int64_t *shape) {
    unsigned char head[7];
    if (!fun_read_bytes(reader, head, sizeof head)) {
        return false;
    }
    if (head[1] != 2) {
        return fun_problem(reader, "expected version 2 of the binary format, found %u", head[1]);
    }
    if (head[2] != rank) {
        return fun_problem(reader, "expected %u dimensions, found %u", rank, head[2]);
    }
    char name[5];
    snprintf(name, sizeof name, "%4s", fun_types[type].name);
    if (memcmp(head + 3, name, 4) != 0) {
        return fun_problem(reader, "expected elements of type %s, found `%.4s`", fun_types[type].name, (char *)head + 3);
    }
    return rank == 0 || fun_read_bytes(reader, shape, rank * sizeof(int64_t));
}

/* Whether bytes are bools. */
static bool fun_are_bools(struct fun_reader *reader, const char *bytes, size_t count) {
    for (size_t k = 0; k < count; k++) {
        if ((unsigned char)bytes[k] > 1) {
            return fun_problem(reader, "a bool is neither 0 nor 1");
        }
    }
    return true;
}

/* Reads a scalar; `out` has room for eight bytes. Where it fails, `problem` says why. */
static bool fun_read_scalar(struct fun_reader *reader, enum fun_type type, void *out) {
    if (!fun_skip_blanks(reader)) {
        return fun_problem(reader, "the input ends");
    }
    if (fun_peek(reader, 0) != 'b') {
        return fun_read_text_scalar(reader, type, out);
    }
    const size_t bytes = fun_types[type].bytes;
    return fun_read_header(reader, type, 0, NULL) && fun_read_bytes(reader, out, bytes) &&
           (type != FUN_BOOL || fun_are_bools(reader, out, bytes));
}

static bool fun_read_elements(
    struct fun_reader *reader, enum fun_type type, uint32_t rank, int64_t *shape, struct fun_growing *growing) {
    if (!fun_skip_blanks(reader)) {
        return fun_problem(reader, "the input ends");
    }
    if (fun_peek(reader, 0) == '[') {
        return fun_read_rows(reader, type, rank, shape, growing);
    }
    if (fun_peek(reader, 0) != 'b') {
        return fun_read_empty(reader, type, rank, shape);
    }
    if (!fun_read_header(reader, type, rank, shape)) {
        return false;
    }
    const int64_t count = fun_count(rank, shape);
    size_t bytes;
    if (count < 0 || __builtin_mul_overflow((size_t)count, fun_types[type].bytes, &bytes)) {
        return fun_problem(reader, "the sizes are too large");
    }
    /* what says how large it is need not be there: memory grows with what is */
    while (growing->used < bytes) {
        const size_t left = bytes - growing->used, most = growing->used + ((size_t)1 << 20);
        const size_t part = left < most ? left : most;
        if (!fun_grow_to(growing, growing->used + part)) {
            return fun_problem(reader, "there is no memory for the array");
        }
        if (!fun_read_bytes(reader, growing->data + growing->used, part)) {
            return false;
        }
        growing->used += part;
    }
    return type != FUN_BOOL || fun_are_bools(reader, growing->data, bytes);
}

/* Reads an array; NULL where it fails, and `problem` says why. */
static struct fun_array *fun_read_array(
    struct futhark_context *ctx, struct fun_reader *reader, enum fun_type type, uint32_t rank) {
    if (!fun_has_memory(ctx)) {
        fun_problem(reader, "%s", ctx->error == NULL ? "there is no memory" : ctx->error);
        return NULL;
    }
    int64_t shape[rank];
    struct fun_growing growing = {NULL, NULL, 0, 0};
    if (!fun_read_elements(reader, type, rank, shape, &growing)) {
        free(growing.start);
        return NULL;
    }
    struct fun_array *array = NULL;
    if (fun_grow_to(&growing, growing.used)) {
        void *data = fun_block_of_read(ctx, growing.start, growing.used);
        array = data == NULL ? NULL : fun_array_of(ctx, type, rank, shape, data);
    } else {
        free(growing.start);
    }
    if (array == NULL) {
        fun_problem(reader, "%s", ctx->error == NULL ? "there is no memory for the array" : ctx->error);
    }
    return array;
}

