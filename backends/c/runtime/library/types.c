/* The types of entry points by their names, as tables that follow. */

enum fun_kind { FUN_PRIMITIVE, FUN_ARRAY, FUN_RECORD, FUN_SUM, FUN_RECORD_ARRAY, FUN_OPAQUE_ARRAY };

/* A scalar, or an array of `rank` dimensions: what values of all types consist of. */
struct fun_leaf {
    enum fun_type type;
    uint32_t rank;
};

/* A part of a value: a field, or one value of a payload. `leaves` says which leaves of the whole are its own, in order. */
struct fun_part {
    const char *name;
    const struct fun_named *type;
    const uint32_t *leaves;
};

struct fun_variant {
    const char *name;
    uint32_t count;
    const struct fun_part *payload;
};

/* A type. Records and arrays of records have fields, sums have variants. */
struct fun_named {
    const char *name;
    enum fun_kind kind;
    uint32_t leaf_count;
    const struct fun_leaf *leaves;
    /* of arrays */
    uint32_t rank;
    const struct fun_named *element;
    uint32_t field_count;
    const struct fun_part *fields;
    uint32_t variant_count;
    const struct fun_variant *variants;
};

struct fun_input {
    const char *name;
    const struct fun_named *type;
    bool consumed;
};

/* An entry point as the source declares it. */
struct fun_signature {
    const struct fun_entry *entry;
    uint32_t input_count;
    const struct fun_input *inputs;
    const struct fun_named *output;
    bool fresh;
    /* with NULL at the end */
    const char *const *attributes;
};

