//! The table of what is counted.

use fun_passes::program::Stage;

/// Constructs of one kind.
pub struct Group {
    /// What they have in common.
    pub about: &'static str,
    /// Their names.
    pub names: &'static [&'static str],
}

/// What is counted, by language. (That no program has arrays of units is a rule of the languages.)
pub static ALL: &[(Stage, &[&Group])] = &[
    (
        Stage::Fun,
        &[&TYPES, &SCALARS, &ARRAYS, &PARTS, &CONTROL, &FUN_ONLY, &KERNELS, &NESTING, &SIZES, &FUNCTIONS],
    ),
    (
        Stage::FunMem,
        &[&TYPES, &SCALARS, &ARRAYS, &PARTS, &CONTROL, &KERNELS, &NESTING, &SIZES, &FUNCTIONS, &MEMORY],
    ),
    (
        Stage::Imp,
        &[&TYPES_IMP, &SCALARS, &IMP_EXPS, &IMP_STATEMENTS, &IMP_VIEWS, &IMP_NESTING, &IMP_PROCEDURES],
    ),
];

static TYPES: Group = Group {
    about: "types",
    names: &[
        "i8",
        "i16",
        "i32",
        "i64",
        "u8",
        "u16",
        "u32",
        "u64",
        "f16",
        "f32",
        "f64",
        "bool",
        "unit",
        "[]i8",
        "[]i16",
        "[]i32",
        "[]i64",
        "[]u8",
        "[]u16",
        "[]u32",
        "[]u64",
        "[]f16",
        "[]f32",
        "[]f64",
        "[]bool",
        "rank 1",
        "rank 2",
        "rank 3",
        "rank 4 or more",
    ],
};

static SCALARS: Group = Group {
    about: "operators",
    names: &[
        "sum or product",
        "integer division",
        "float division",
        "power",
        "minimum or maximum",
        "logical connective",
        "bitwise operator",
        "shift",
        "high half of a product",
        "function of two floats",
        "equality",
        "order",
        "negation",
        "complement",
        "absolute value or sign",
        "count of bits",
        "root",
        "exponential or logarithm",
        "trigonometric function",
        "hyperbolic function",
        "error or gamma function",
        "rounding",
        "test of a float",
        "bits of a float",
        "fma",
        "convert from bool",
        "convert to bool",
        "convert integers",
        "convert integer to float",
        "convert float to integer",
        "convert floats",
    ],
};

static ARRAYS: Group = Group {
    about: "making and deriving arrays",
    names: &[
        "another name",
        "iota",
        "replicate of scalars",
        "replicate of arrays",
        "scratch",
        "literal of scalars",
        "literal of arrays",
        "concat",
        "concat of three or more",
        "copy",
        "permute",
        "reshape",
        "reshape to fewer dimensions",
        "reshape to more dimensions",
        "reverse",
        "reverse of an inner dimension",
        "several derivations of one array",
    ],
};

static PARTS: Group = Group {
    about: "parts of arrays",
    names: &[
        "index",
        "slice",
        "slice with a stride",
        "slice backwards",
        "slice repeating an element",
        "slice fixing a dimension",
        "flat slice",
        "update of an element",
        "update of a slice",
        "update with a stride",
        "update backwards",
        "flat update",
        "update in a loop",
        "update of a loop's parameter",
        "update in parallel code",
        "update in a branch",
    ],
};

static CONTROL: Group = Group {
    about: "control",
    names: &[
        "if",
        "if giving arrays",
        "if giving several results",
        "for loop",
        "for loop with a narrow counter",
        "while loop",
        "loop carrying several values",
        "loop carrying arrays",
        "loop carrying several arrays",
        "loop whose arrays change size",
        "call",
        "assert",
        "trace",
        "break",
    ],
};

static FUN_ONLY: Group = Group {
    about: "SOACs and derivatives",
    names: &[
        "map",
        "map over no array",
        "map over several arrays",
        "map giving arrays",
        "reduce",
        "reduce_comm",
        "reduce of several arrays",
        "reduce of rows",
        "scan",
        "scan of several arrays",
        "scan of rows",
        "hist",
        "hist of several arrays",
        "hist of rows",
        "scatter",
        "scatter of rows",
        "SOAC in SOAC",
        "SOAC in loop",
        "SOAC in branch",
        "loop in SOAC",
        "if in SOAC",
        "call in SOAC",
        "jvp",
        "vjp",
        "with_vjp",
    ],
};

static KERNELS: Group = Group {
    about: "kernels",
    names: &[
        "kernel",
        "kernel of several dimensions",
        "kernel giving several results",
        "kernel giving arrays",
        "kernel reduce",
        "kernel reduce_comm",
        "kernel reduce of several results",
        "kernel reduce of an inner dimension",
        "kernel scan",
        "kernel scan with an epilogue",
        "kernel scan of several results",
        "kernel scan of an inner dimension",
        "kernel hist",
        "kernel hist of several results",
        "kernel scatter",
        "kernel scatter of rows",
        "operator of several statements",
        "kernel in kernel",
        "kernel in loop",
        "kernel in branch",
        "loop in kernel",
        "if in kernel",
        "call in kernel",
    ],
};

static NESTING: Group = Group {
    about: "nesting",
    names: &[
        "loop in loop",
        "loop in branch",
        "if in if",
        "if in loop",
        "call in loop",
        "call in branch",
        "nested three deep",
    ],
};

static SIZES: Group = Group {
    about: "sizes",
    names: &[
        "constant size",
        "size that is a parameter",
        "size computed in the body",
        "size from if",
        "size from loop",
        "size from call",
        "size from an implicit result",
    ],
};

static FUNCTIONS: Group = Group {
    about: "functions",
    names: &[
        "several functions",
        "recursive function",
        "several results",
        "array result",
        "consumed parameter",
        "result that aliases no parameter",
        "function taking arrays",
        "function whose calls stay",
        "function without parameters",
    ],
};

static MEMORY: Group = Group {
    about: "memory",
    names: &[
        "alloc",
        "alloc of several factors",
        "alloc of a constant size",
        "alloc in loop",
        "alloc in kernel",
        "alloc in branch",
        "space stack",
        "space device",
        "space shared",
        "space with a name",
        "block from if",
        "block from loop",
        "block from call",
        "offset from if",
        "offset from loop",
        "offset from call",
        "stride from if",
        "stride from loop",
        "stride from call",
        "array anywhere as parameter",
        "several arrays in one block",
        "element types mixed in a block",
        "fresh array not in row-major order",
        "fresh array at an offset",
        "fresh array with gaps",
        "fresh array backwards",
        "update of what lies there",
        "two blocks swapped by a loop",
    ],
};

static TYPES_IMP: Group = Group {
    about: "types",
    names: &[
        "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64", "bool", "[]i8", "[]i16",
        "[]i32", "[]i64", "[]u8", "[]u16", "[]u32", "[]u64", "[]f16", "[]f32", "[]f64", "[]bool", "rank 0",
        "rank 1", "rank 2", "rank 3",
    ],
};

static IMP_EXPS: Group =
    Group { about: "expressions", names: &["constant", "variable", "select", "read", "threads", "param"] };

static IMP_STATEMENTS: Group = Group {
    about: "statements",
    names: &[
        "let",
        "var",
        "var without a value",
        "var of a block",
        "assignment",
        "assignment of a block",
        "alloc",
        "alloc of several factors",
        "space stack",
        "space device",
        "space shared",
        "space register",
        "space with a name",
        "share",
        "free",
        "write",
        "accumulate",
        "atomic",
        "atomic on a part of a word",
        "lock",
        "ordered",
        "shuffle down",
        "shuffle up",
        "copy",
        "seq loop",
        "fold loop",
        "scan loop",
        "par loop",
        "simd loop",
        "unroll loop",
        "block loop",
        "chain loop",
        "thread loop",
        "loop with a narrow counter",
        "while loop",
        "if",
        "if with else",
        "assert",
        "assert with numbers",
        "call",
    ],
};

static IMP_VIEWS: Group = Group {
    about: "views",
    names: &[
        "view",
        "view in another order",
        "view backwards",
        "view repeating cells",
        "view at an offset",
        "view over variables",
        "window",
        "window of a window",
        "window fixing a dimension",
        "window with a stride",
        "window backwards",
        "window over variables",
    ],
};

static IMP_NESTING: Group = Group {
    about: "nesting",
    names: &[
        "parallel loop in parallel loop",
        "parallel loop in sequential loop",
        "sequential loop in parallel loop",
        "sequential loop in sequential loop",
        "if in loop",
        "loop in if",
        "while in loop",
        "alloc in parallel loop",
        "alloc in loop",
        "call in loop",
        "call in parallel loop",
        "copy in parallel loop",
        "share in parallel loop",
        "accumulate in loop",
        "accumulate in parallel loop",
        "assert in parallel loop",
    ],
};

static IMP_PROCEDURES: Group = Group {
    about: "procedures",
    names: &[
        "several procedures",
        "recursive procedure",
        "array parameter",
        "array parameter anywhere",
        "overwritten array parameter",
        "scalar parameter",
        "array result",
        "scalar result",
        "array of several dimensions in the interface",
    ],
};
