//! Compiles `library.o`: what libraries by machine code have beside their program, so that making one takes a linker alone.
//!
//! It consists of the C files that libraries by way of C have too, and of operators that machines have no instruction for, as functions
//! that take the numbers of operators and types. Most elementary functions are the C library's: nothing runs in vectors here.
#![allow(dead_code, reason = "modules of the crate, of which only parts are needed here")]

#[path = "src/helpers/elementary.rs"]
mod elementary;
#[path = "src/helpers/float.rs"]
mod float;
#[path = "src/helpers/integer.rs"]
mod integer;
#[path = "src/helpers/steps.rs"]
mod steps;
#[path = "src/types.rs"]
mod types;

use fun_base::prim::{BinOp, PrimType, UnOp};
use std::collections::BTreeSet;
use std::path::Path;
use std::{env, fs};
use types::{c_type, short};

/// The files in order; `OPERATORS` stands for the functions that are written here, and what these call.
const FILES: [&str; 18] = [
    "head.c",
    "OPERATORS",
    "pool.c",
    "tail.c",
    "library/interface.c",
    "library/context.c",
    "library/host_memory.c",
    "library/storage.c",
    "library/call.c",
    "library/types.c",
    "library/arrays.c",
    "library/opaque.c",
    "library/opaque_arrays.c",
    "library/store.c",
    "library/pending.c",
    "library/into.c",
    "library/sizes.c",
    "library/machine.c",
];

/// What is seen in other object files: Futhark's functions from everywhere, those that wrappers call within the library.
const BEFORE: &str = "#define FUN_EXPORT __attribute__((unused)) static\n\
     #define FUN_API __attribute__((visibility(\"default\"), used))\n\
     #define FUN_OPTIONAL __attribute__((visibility(\"hidden\"), used))\n";

/// The places that can fail are those of the program that runs.
const SITES: &str = "static const struct fun_site *fun_sites_of(const struct fun_context *context);\n\
     #define FUN_SITES(context) fun_sites_of(context)\n\n";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let operators = operators();
    let mut helpers = Helpers::default();
    let mut rest = String::new();
    for name in FILES {
        if name == "OPERATORS" {
            continue;
        }
        let path = Path::new("runtime").join(name);
        println!("cargo::rerun-if-changed={}", path.display());
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        helpers.need_for(&text);
        if name == "head.c" {
            rest = [BEFORE, &text, SITES].concat();
            helpers.need_for(&operators);
            continue;
        }
        helpers.behind.push_str(&text);
    }
    println!("cargo::rerun-if-changed=src/helpers");
    println!("cargo::rerun-if-changed=src/types.rs");
    let folder = env::var("OUT_DIR")?;
    let source = Path::new(&folder).join("library.c");
    let text = [rest, helpers.text, helpers.behind, operators].concat();
    let symbols = symbols(&text);
    fs::write(&source, text + &symbols)?;
    let objects = cc::Build::new()
        .file(&source)
        .std("c11")
        .pic(true)
        .opt_level(2)
        .debug(false)
        .warnings(true)
        .extra_warnings(true)
        .flag("-fvisibility=hidden")
        .flag("-fno-math-errno")
        .flag("-fno-trapping-math")
        .flag("-ffp-contract=off")
        .flag("-fno-strict-aliasing")
        .flag("-pthread")
        .try_compile_intermediates()?;
    let object = objects.first().ok_or("the C compiler made no object file")?;
    fs::copy(object, Path::new(&folder).join("library.o"))?;
    // for programs that have the runtime in themselves
    cc::Build::new().object(object).cargo_metadata(false).try_compile("fun_library")?;
    println!("cargo::rustc-link-search=native={folder}");
    println!("cargo::rustc-link-lib=static=fun_library");
    println!("cargo::rustc-link-lib=m");
    Ok(())
}

/// A table of the functions that are seen in other object files, with their names: for machine code in memory.
fn symbols(text: &str) -> String {
    let seen = ["FUN_API ", "FUN_OPTIONAL ", "FUN_CODE ", "__attribute__((visibility(\"hidden\"), used)) "];
    let mut rows = String::new();
    for line in text.lines() {
        let head =
            seen.iter().find_map(|start| line.strip_prefix(start)).and_then(|rest| rest.split_once('('));
        let Some((head, _)) = head else { continue };
        let name = head.rsplit([' ', '*']).next().unwrap_or_default();
        rows += &format!("    {{\"{name}\", (const void *)(uintptr_t){name}}},\n");
    }
    format!(
        "/* What is seen from outside, by name. */\n\nstruct fun_symbol {{\n    const char *name;\n    const void *address;\n}};\n\n\
         __attribute__((visibility(\"hidden\"), used)) const struct fun_symbol fun_symbols[] = {{\n{rows}    {{NULL, NULL}},\n}};\n"
    )
}

/// The helpers that are needed, each behind those that it calls, and the files that follow.
#[derive(Default)]
struct Helpers {
    known: BTreeSet<String>,
    text: String,
    behind: String,
}

impl Helpers {
    fn need_for(&mut self, text: &str) {
        for before in text.split('(') {
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let name = &before[before.trim_end_matches(is_word).len()..];
            let found = integer::text(name)
                .or_else(|| elementary::text(name).map(str::to_owned))
                .or_else(|| steps::text(name))
                .or_else(|| float::text(name));
            if let Some(found) = found
                && self.known.insert(name.to_owned())
            {
                self.need_for(&found);
                self.text.push_str(&found);
            }
        }
    }
}

/// The C library's function for one of the elementary functions of our own, where that is as near.
fn of_the_library(function: String) -> String {
    if let Some(own) = steps::of(&function) {
        return own;
    }
    for name in ["exp", "log", "tanh", "pow"] {
        for (suffix, end) in [("_f32", "f"), ("_f64", "")] {
            if function == format!("{name}{suffix}") {
                return format!("{name}{end}");
            }
        }
    }
    function
}

/// A function for a table of cases.
fn switch(head: &str, on: &str, cases: &str, otherwise: &str) -> String {
    format!(
        "__attribute__((visibility(\"hidden\"), used)) {head} {{\n    \
         switch ({on}) {{\n{cases}    default: return {otherwise};\n    }}\n}}\n\n"
    )
}

/// The functions of operators, as `backends/runtime/src/symbols.rs` lists them.
fn operators() -> String {
    let mut text = "/* Operators by number. */\n\n".to_owned();
    for (ty, c) in [(PrimType::F32, "float"), (PrimType::F64, "double")] {
        let (mut unary, mut binary) = (String::new(), String::new());
        for (number, op) in UnOp::ALL.into_iter().enumerate() {
            if let Some(function) = float::unary_function(op, ty).map(of_the_library) {
                unary += &format!("    case {number}: return {function}(x);\n");
            }
        }
        for (number, op) in BinOp::ALL.into_iter().enumerate() {
            if let Some(function) = float::binary_function(op, ty).map(of_the_library) {
                binary += &format!("    case {number}: return {function}(x, y);\n");
            }
        }
        let name = short(ty);
        text += &switch(&format!("{c} fun_code_unary_{name}(uint32_t op, {c} x)"), "op", &unary, "x");
        text +=
            &switch(&format!("{c} fun_code_binary_{name}(uint32_t op, {c} x, {c} y)"), "op", &binary, "x");
        let fma = if ty == PrimType::F32 { "fmaf" } else { "fma" };
        text += &format!(
            "__attribute__((visibility(\"hidden\"), used)) {c} fun_code_fma_{name}({c} x, {c} y, {c} z) {{\n    \
             return {fma}(x, y, z);\n}}\n\n"
        );
    }
    text += "__attribute__((visibility(\"hidden\"), used)) uint64_t fun_code_fma_f16(uint64_t x, uint64_t y, uint64_t z) {\n    \
             return fma_f16((uint16_t)x, (uint16_t)y, (uint16_t)z);\n}\n\n";
    // only those of f16 are asked for
    text += "__attribute__((visibility(\"hidden\"), used)) uint64_t fun_code_unary(uint32_t op, uint32_t type, uint64_t x) {\n    \
             (void)type;\n    return f16_of_f32(fun_code_unary_f32(op, f32_of_f16((uint16_t)x)));\n}\n\n";
    text + &half_binary() + &binary() + &convert()
}

/// Operators on two `f16`.
fn half_binary() -> String {
    let mut cases = String::new();
    for (number, op) in BinOp::ALL.into_iter().enumerate() {
        let infix = match op {
            BinOp::Add => "+",
            BinOp::Sub => "-",
            BinOp::Mul => "*",
            BinOp::Div => "/",
            BinOp::Eq => "==",
            BinOp::Ne => "!=",
            BinOp::Lt => "<",
            BinOp::Le => "<=",
            BinOp::Gt => ">",
            BinOp::Ge => ">=",
            BinOp::NextAfter => {
                cases += &format!("    case {number}: return nextafter_f16(x, y);\n");
                continue;
            }
            _ => continue,
        };
        let compares = op.result_type(PrimType::F16) == Some(PrimType::Bool);
        let result = format!("a {infix} b");
        let result = if compares { result } else { format!("f16_of_f32({result})") };
        cases += &format!("    case {number}: return {result};\n");
    }
    format!(
        "static uint64_t fun_half_binary(uint32_t op, uint16_t x, uint16_t y) {{\n    \
         const float a = f32_of_f16(x), b = f32_of_f16(y);\n    switch (op) {{\n{cases}    \
         default: return f16_of_f32(fun_code_binary_f32(op, a, b));\n    }}\n}}\n\n"
    )
}

/// The other operators on two operands: powers of integers.
fn binary() -> String {
    let mut cases = String::new();
    for (number, ty) in PrimType::NUMERIC_AND_BOOL.into_iter().enumerate() {
        let (c, name) = (c_type(ty), short(ty));
        if ty.is_int() {
            cases += &format!("    case {number}: return (uint64_t)pow_{name}(({c})x, ({c})y);\n");
        } else if ty == PrimType::F16 {
            cases += &format!("    case {number}: return fun_half_binary(op, (uint16_t)x, (uint16_t)y);\n");
        }
    }
    switch(
        "uint64_t fun_code_binary(uint32_t op, uint32_t type, uint64_t x, uint64_t y)",
        "type",
        &cases,
        "op",
    )
}

/// Conversions from `f16` and to it.
fn convert() -> String {
    let (mut from_half, mut to_half, mut half) = (String::new(), String::new(), 0);
    for (number, ty) in PrimType::NUMERIC_AND_BOOL.into_iter().enumerate() {
        let (c, name) = (c_type(ty), short(ty));
        let (from, to) = match ty {
            PrimType::F16 => {
                half = number;
                continue;
            }
            PrimType::F32 => ("f32_bits(wide)".to_owned(), "f16_of_f32(f32_of_bits((uint32_t)x))".to_owned()),
            PrimType::F64 => ("f64_bits(wide)".to_owned(), "f16_of_f64(f64_of_bits(x))".to_owned()),
            PrimType::Bool => ("wide != 0".to_owned(), "f16_of_f64(x != 0)".to_owned()),
            _ => (format!("(uint64_t){name}_of_f32(wide)"), format!("f16_of_f64((double)({c})x)")),
        };
        from_half += &format!("        case {number}: return {from};\n");
        to_half += &format!("    case {number}: return {to};\n");
    }
    let from_half = format!(
        "    case {half}: {{\n        const float wide = f32_of_f16((uint16_t)x);\n        switch (to) {{\n{from_half}        \
         default: return x;\n        }}\n    }}\n"
    );
    let head = "uint64_t fun_code_convert(uint32_t to, uint32_t from, uint64_t x)";
    switch(head, "from", &(from_half + &to_half), "x")
}
