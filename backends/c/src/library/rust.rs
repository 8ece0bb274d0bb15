//! Rust modules that call libraries: a function for each entry point over views of slices.
//!
//! What does the work is the same in all modules, `backends/c/runtime/library/module.rs`; here are the declarations behind it. Records have
//! constructors and projections; values of sums and arrays of records can be handed from call to call.

use super::api::TypeFunctions;
use super::extension;
use super::interface::{EntryInterface, Leaf, NamedType, TypeForm};
use super::names::{c_name, class_names, is_tuple, unique};
use fun_base::prim::PrimType;
use std::collections::{BTreeMap, BTreeSet};

/// The part that all modules have.
const MODULE: &str = include_str!("../../runtime/library/module.rs");

/// What can't be a name, not even as `r#name`, and what the module has already.
const RESERVED: [&str; 11] =
    ["self", "super", "crate", "Self", "_", "ffi", "Array", "Context", "Element", "Error", "View"];

/// What the text declares of C.
const CONTEXT: &str = "        pub(super) fn free(text: *mut c_void);
        pub(super) fn futhark_context_config_new() -> *mut c_void;
        pub(super) fn futhark_context_config_free(config: *mut c_void);
        pub(super) fn futhark_context_config_set_num_threads(config: *mut c_void, n: c_int);
        pub(super) fn fun_context_config_set_memory_limit(config: *mut c_void, bytes: u64);
        pub(super) fn futhark_context_new(config: *mut c_void) -> *mut c_void;
        pub(super) fn futhark_context_free(ctx: *mut c_void);
        pub(super) fn futhark_context_get_error(ctx: *mut c_void) -> *mut c_char;
        pub(super) fn fun_context_copied_bytes(ctx: *mut c_void) -> u64;
        pub(super) fn fun_context_peak_bytes(ctx: *mut c_void) -> u64;
";

/// The module of these entry points and types, whose functions are given with them; types of parts come before those of wholes.
pub(super) fn module(entries: &[EntryInterface], types: &[(&NamedType, TypeFunctions)]) -> String {
    let mut writer = Writer::new(types);
    for (ty, functions) in types {
        writer.definition(ty, functions);
    }
    let mut known = BTreeSet::new();
    for entry in entries {
        writer.entry(entry, &mut known);
    }
    let Writer { text, declarations, .. } = writer;
    // a text that is included can't begin with its documentation
    let module = MODULE.split_once('\n').map_or(MODULE, |(_, rest)| rest);
    format!(
        "// Written by FUN: the entry points of a program, in a library that the program is linked with.\n{module}\n\
         #[allow(dead_code)]\nmod ffi {{\n    use std::ffi::{{c_char, c_int, c_void}};\n    unsafe extern \"C\" {{\n{CONTEXT}{declarations}    }}\n}}\n{text}"
    )
}

/// How an array reaches a function of C.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Where the caller has it, for as long as the call takes.
    Lent,
    /// In the context.
    Copied,
    /// In the context, and the caller loses it.
    Consumed,
}

/// Writes the parts of a module.
struct Writer<'t> {
    types: &'t [(&'t NamedType, TypeFunctions)],
    /// Of records that are no tuples, of sums, and of arrays of both.
    classes: BTreeMap<&'t str, String>,
    text: String,
    declarations: String,
}

impl<'t> Writer<'t> {
    fn new(types: &'t [(&'t NamedType, TypeFunctions)]) -> Writer<'t> {
        let classes = class_names(types, &RESERVED);
        Writer { types, classes, text: String::new(), declarations: String::new() }
    }

    fn class(&self, ty: &NamedType) -> &str {
        self.classes.get(ty.name.as_str()).map_or("", String::as_str)
    }

    fn declare(&mut self, name: &str, params: &str, result: &str) {
        self.declarations += &format!("        pub(super) fn {name}({params}) -> {result};\n");
    }

    /// The C function that does this on a type.
    fn function(&self, ty: &NamedType, operation: &str) -> &'t str {
        let functions = self.types.iter().find(|(known, _)| known.name == ty.name);
        functions.and_then(|(_, functions)| functions.names.get(operation)).map_or("", String::as_str)
    }

    /// The type of results.
    fn result(&self, ty: &NamedType) -> String {
        match &ty.form {
            TypeForm::Plain(Leaf { elem, rank: 0 }) => scalar(*elem).to_owned(),
            TypeForm::Plain(Leaf { elem, rank }) => format!("Array<{}, {rank}>", scalar(*elem)),
            TypeForm::Record(fields) if is_tuple(fields) => {
                let parts: String = fields.iter().map(|(_, ty)| self.result(ty) + ", ").collect();
                format!("({})", parts.trim_end())
            }
            TypeForm::Record(_) | TypeForm::Sum { .. } | TypeForm::Array(..) => self.class(ty).to_owned(),
        }
    }

    /// What is declared as the parameter or result of C's function.
    fn c_type(ty: &NamedType) -> &'static str {
        if let TypeForm::Plain(Leaf { elem, rank: 0 }) = ty.form { scalar(elem) } else { "*mut c_void" }
    }

    /// The type of a parameter, how it is made ready (as `{name}`), and what C gets; nothing where it can't be given.
    fn parameter(&self, name: &str, ty: &NamedType, way: Way) -> Option<(String, String, String)> {
        match &ty.form {
            TypeForm::Plain(Leaf { elem, rank: 0 }) => {
                Some((scalar(*elem).to_owned(), String::new(), name.to_owned()))
            }
            TypeForm::Plain(Leaf { elem, rank }) => {
                let (elem, given) = (scalar(*elem), format!("{name}.held.raw"));
                let (array, view) =
                    (format!("Array<{elem}, {rank}>"), format!("impl Into<View<'a, {elem}, {rank}>>"));
                let (ty, made) = match way {
                    Way::Lent => (view, format!("context.lend({name}.into())")),
                    Way::Copied => (view, format!("context.array({name})")),
                    Way::Consumed => (array, format!("{name}.alone()")),
                };
                Some((ty, format!("    let {name} = {made}?;\n"), given))
            }
            TypeForm::Record(fields) if is_tuple(fields) => None,
            TypeForm::Record(_) | TypeForm::Sum { .. } | TypeForm::Array(..) => (way != Way::Consumed)
                .then(|| (format!("&{}", self.class(ty)), String::new(), format!("{name}.0.raw"))),
        }
    }

    /// An expression for the value of a type that C put into this variable.
    fn given(&self, ty: &NamedType, variable: &str) -> String {
        match &ty.form {
            TypeForm::Plain(Leaf { rank: 0, .. }) => variable.to_owned(),
            TypeForm::Plain(_) => format!("unsafe {{ Array::of(context, {variable}) }}"),
            TypeForm::Record(fields) if is_tuple(fields) => {
                let mut text = format!(
                    "{{\n        let whole = Opaque {{ raw: {variable}, context: context.clone(), free: ffi::{} }};\n        (",
                    self.function(ty, "free")
                );
                for (name, part) in fields {
                    text += &self.projected(ty, name, part, "whole.raw");
                    text += ", ";
                }
                text + ")\n    }"
            }
            TypeForm::Record(_) | TypeForm::Sum { .. } | TypeForm::Array(..) => format!(
                "{}(Opaque {{ raw: {variable}, context: context.clone(), free: ffi::{} }})",
                self.class(ty),
                self.function(ty, "free")
            ),
        }
    }

    /// An expression for a field.
    fn projected(&self, ty: &NamedType, field: &str, part: &NamedType, whole: &str) -> String {
        let project = self.function(ty, &format!("project {field}"));
        format!(
            "{{\n            let mut part = unsafe {{ std::mem::zeroed() }};\n            \
             context.done(unsafe {{ ffi::{project}(context.0.raw, &mut part, {whole}) }})?;\n            {}\n        }}",
            self.given(part, "part")
        )
    }

    /// What the module has of a type.
    fn definition(&mut self, ty: &NamedType, functions: &TypeFunctions) {
        let address = "*mut c_void";
        let context = format!("ctx: {address}");
        if let TypeForm::Plain(leaf) = &ty.form {
            let (elem, rank, own) =
                (scalar(leaf.elem), leaf.rank, |operation| extension::name(operation, *leaf));
            let names = ["new", "free"].map(|name| functions.names.get(name).cloned().unwrap_or_default());
            let [new, free] = names;
            let [view, describe, is_shared] = ["new_view", "describe", "is_shared"].map(own);
            let numbers = |name: &str| (0..rank).map(|k| format!(", {name}{k}: i64")).collect::<String>();
            let given = |name: &str| (0..rank).map(|k| format!(", {name}[{k}]")).collect::<String>();
            let array = format!("{context}, array: {address}");
            self.declare(&new, &format!("{context}, data: *const c_void{}", numbers("dim")), address);
            let viewed =
                format!("{context}, data: {address}, offset: i64{}{}", numbers("stride"), numbers("dim"));
            self.declare(&view, &viewed, address);
            self.declare(&describe, &format!("{array}, description: *mut i64"), "()");
            self.declare(&is_shared, &array, "bool");
            self.declare(&free, &array, "c_int");
            self.text += &format!(
                "
impl Element<{rank}> for {elem} {{
    unsafe fn view(ctx: *mut c_void, data: *mut c_void, strides: [i64; {rank}], shape: [i64; {rank}]) -> *mut c_void {{
        unsafe {{ ffi::{view}(ctx, data, 0{}{}) }}
    }}

    unsafe fn copied(ctx: *mut c_void, data: *const c_void, shape: [i64; {rank}]) -> *mut c_void {{
        unsafe {{ ffi::{new}(ctx, data{}) }}
    }}

    unsafe fn describe(ctx: *mut c_void, array: *mut c_void, description: *mut i64) {{
        unsafe {{ ffi::{describe}(ctx, array, description) }}
    }}

    unsafe fn is_shared(ctx: *mut c_void, array: *mut c_void) -> bool {{
        unsafe {{ ffi::{is_shared}(ctx, array) }}
    }}

    unsafe fn free(ctx: *mut c_void, array: *mut c_void) -> c_int {{
        unsafe {{ ffi::{free}(ctx, array) }}
    }}
}}
",
                given("strides"),
                given("shape"),
                given("shape")
            );
            return;
        }
        let value = format!("{context}, value: {address}");
        self.declare(self.function(ty, "free"), &value, "c_int");
        if let TypeForm::Record(fields) = &ty.form {
            for (name, part) in fields {
                let params = format!("{context}, out: *mut {}, value: {address}", Writer::c_type(part));
                self.declare(self.function(ty, &format!("project {name}")), &params, "c_int");
            }
            if !is_tuple(fields) {
                self.record(ty, fields);
                return;
            }
        }
        if !self.class(ty).is_empty() {
            let class = self.class(ty).to_owned();
            self.text += &format!("\n/// The type `{}`.\npub struct {class}(Opaque);\n", ty.name);
        }
    }

    fn record(&mut self, ty: &NamedType, fields: &[(String, NamedType)]) {
        let (class, mut known) = (self.class(ty).to_owned(), BTreeSet::new());
        let names: Vec<String> =
            fields.iter().map(|(name, _)| identifier(&mut known, name, &["new", "context"])).collect();
        let mut text =
            format!("\n/// The type `{}`.\npub struct {class}(Opaque);\n\nimpl {class} {{\n", ty.name);
        let new = self.function(ty, "new");
        let (mut params, mut ready, mut given, mut possible) =
            (String::new(), String::new(), String::new(), true);
        let mut declared = "ctx: *mut c_void, out: *mut *mut c_void".to_owned();
        for (k, (name, (_, part))) in names.iter().zip(fields).enumerate() {
            declared += &format!(", field{k}: {}", Writer::c_type(part));
            // records share the memory of their arrays
            match self.parameter(name, part, Way::Copied) {
                Some((ty, made, value)) => {
                    params += &format!(", {name}: {ty}");
                    ready += &made;
                    given += &format!(", {value}");
                }
                None => possible = false,
            }
        }
        self.declare(new, &declared, "c_int");
        let result = self.given(ty, "out").replace('\n', "\n    ");
        if possible {
            text += &format!(
                "    /// The record of these fields.\n    pub fn new<'a>(context: &Context{params}) -> Result<{class}, Error> {{\n        \
                 let mut out = null_mut();\n    {}        context.done(unsafe {{ ffi::{new}(context.0.raw, &mut out{given}) }})?;\n        \
                 Ok({result})\n    }}\n",
                ready.replace("    let", "        let").trim_start_matches("    "),
            );
        }
        for (name, (field, part)) in names.iter().zip(fields) {
            let value = self.projected(ty, field, part, "self.0.raw");
            let is_array = matches!(&part.form, TypeForm::Plain(leaf) if leaf.rank > 0);
            let value = if is_array {
                format!("let part: {} = {value};\n        part.copied()", self.result(part))
            } else {
                format!("Ok({value})")
            };
            text += &format!(
                "\n    /// The field `{field}`.\n    pub fn {name}(&self) -> Result<{}, Error> {{\n        \
                 let context = &self.0.context;\n        {value}\n    }}\n",
                self.result(part)
            );
        }
        self.text += &(text + "}\n");
    }

    fn entry(&mut self, entry: &EntryInterface, functions: &mut BTreeSet<String>) {
        let (name, mut known) = (identifier(functions, &c_name(&entry.name), &[]), BTreeSet::new());
        let c_function = format!("futhark_entry_{}", c_name(&entry.name));
        let (mut params, mut ready, mut given) = (String::new(), String::new(), String::new());
        let mut declared = format!("ctx: *mut c_void, out: *mut {}", Writer::c_type(&entry.output));
        let mut doc = entry.doc.clone().unwrap_or_default();
        if !doc.is_empty() {
            doc += "\n\n";
        }
        for (k, input) in entry.inputs.iter().enumerate() {
            let name = input.name.replace('\'', "");
            let wanted = if name == "_" { format!("arg{k}") } else { c_name(&name) };
            let param = identifier(&mut known, &wanted, &["context", "out"]);
            declared += &format!(", in{k}: {}", Writer::c_type(&input.ty));
            let way = if input.consumed { Way::Consumed } else { Way::Lent };
            let Some((ty, made, value)) = self.parameter(&param, &input.ty, way) else {
                self.text += &format!(
                    "\n// {name} is not here: its parameter {} is a tuple, or a record, sum or array of them that is consumed\n",
                    input.name
                );
                return;
            };
            params += &format!(", {param}: {ty}");
            ready += &made;
            given += &format!(", {value}");
            doc += &format!("- `{}`: `{}`\n", input.name, input.text);
        }
        doc += &format!("\nGives `{}`.", entry.output_text);
        let doc: String =
            doc.lines().map(|line| format!("/// {line}").trim_end().to_owned() + "\n").collect();
        self.declare(&c_function, &declared, "c_int");
        self.text += &format!(
            "\n{doc}pub fn {name}<'a>(context: &Context{params}) -> Result<{}, Error> {{\n{ready}    \
             let mut out = unsafe {{ std::mem::zeroed() }};\n    \
             context.done(unsafe {{ ffi::{c_function}(context.0.raw, &mut out{given}) }})?;\n    Ok({})\n}}\n",
            self.result(&entry.output),
            self.given(&entry.output, "out"),
        );
    }
}

/// A name of Rust that is not taken yet, as near to this one as that allows.
fn identifier(known: &mut BTreeSet<String>, name: &str, more: &[&str]) -> String {
    let name = if name.starts_with(|c: char| c.is_ascii_digit()) { format!("f{name}") } else { c_name(name) };
    let name = unique(known, &name, &[&RESERVED, more]);
    if KEYWORDS.contains(&name.as_str()) { format!("r#{name}") } else { name }
}

/// What is a name only as `r#name`.
const KEYWORDS: [&str; 46] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
    "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait",
    "true", "try", "type", "typeof", "unsafe", "unsized", "use", "where", "while",
];

/// The type of scalars; `f16` is its bits, and unit a byte that is zero.
fn scalar(ty: PrimType) -> &'static str {
    match ty {
        PrimType::I8 => "i8",
        PrimType::I16 => "i16",
        PrimType::I32 => "i32",
        PrimType::I64 => "i64",
        PrimType::U8 | PrimType::Unit => "u8",
        PrimType::U16 | PrimType::F16 => "u16",
        PrimType::U32 => "u32",
        PrimType::U64 => "u64",
        PrimType::F32 => "f32",
        PrimType::F64 => "f64",
        PrimType::Bool => "bool",
    }
}
