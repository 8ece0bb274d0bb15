//! Python modules that call libraries: a function for each entry point over NumPy arrays, and classes for records and sums.
//!
//! What does the work is the same in all modules, `backends/c/runtime/library/module.py` and `opaque.py`; here are the declarations behind it.

use super::api::TypeFunctions;
use super::extension;
use super::interface::{EntryInterface, Leaf, NamedType, TypeForm};
use super::names::{c_name, class_names, is_tuple, unique};
use crate::dialect::Dialect;
use fun_base::prim::PrimType;
use std::collections::{BTreeMap, BTreeSet};

/// The beginning: the imports, and the library beside the module.
const LOADER: &str = include_str!("../../runtime/library/loader.py");
/// The part that all modules have.
const MODULE: &str =
    concat!(include_str!("../../runtime/library/module.py"), include_str!("../../runtime/library/opaque.py"));

/// What modules have besides whose arrays lie on OpenCL's device, where nobody else can use their memory …
const OPENCL: &str = concat!(
    include_str!("../../runtime/library/device_arrays.py"),
    include_str!("../../runtime/library/opencl_arrays.py")
);
/// … and on CUDA's, where others can.
const CUDA: &str = concat!(
    include_str!("../../runtime/library/device_arrays.py"),
    include_str!("../../runtime/library/cuda_arrays.py")
);

/// What can't be the name of a function, parameter or field: Python's keywords, and what the module uses of its own and of Python's.
const RESERVED: [&str; 67] = [
    "False",
    "None",
    "True",
    "and",
    "as",
    "assert",
    "async",
    "await",
    "break",
    "class",
    "continue",
    "def",
    "del",
    "elif",
    "else",
    "except",
    "finally",
    "for",
    "from",
    "global",
    "if",
    "import",
    "in",
    "is",
    "lambda",
    "nonlocal",
    "not",
    "or",
    "pass",
    "raise",
    "return",
    "try",
    "while",
    "with",
    "yield",
    "Error",
    "OutOfMemory",
    "Usage",
    "DeviceArray",
    "configure",
    "usage",
    "reset_peak",
    "annotations",
    "self",
    "cls",
    "bool",
    "bytes",
    "float",
    "int",
    "tuple",
    "str",
    "property",
    "classmethod",
    "map",
    "zip",
    "len",
    "type",
    "any",
    "max",
    "list",
    "isinstance",
    "hasattr",
    "getattr",
    "enumerate",
    "RuntimeError",
    "TypeError",
    "ValueError",
];
/// The same for members of classes.
const MEMBERS: [&str; 6] = ["to_bytes", "from_bytes", "shape", "of", "variant", "payload"];

/// The whole module, by what is behind its beginning.
pub(super) fn module(declarations: &str, device: Option<Dialect>) -> String {
    let mut text =
        "\"\"\"Written by FUN: the entry points of a program, in the shared library beside this file.\n\n"
            .to_owned();
    text += if device.is_some() {
        "Results are arrays on the device (`DeviceArray`), which other calls take without a copy. NumPy's arrays and those of other libraries are\n\
         arguments too. A parameter that is consumed may be written over.\n\"\"\"\n\n"
    } else {
        "Arrays are NumPy's, or have `__dlpack__` or `__array_interface__`. Those in row order are used where they lie, and results lie\n\
         in memory of the library, which frees it after the last array on it. A parameter that is consumed may be written over.\n\"\"\"\n\n"
    };
    text += "from __future__ import annotations\n\n";
    text + LOADER + declarations
}

/// The module of these entry points and types, whose functions are given with them, without its beginning; types of parts come before those
/// of wholes. Arrays may lie on a device.
pub(super) fn declarations(
    entries: &[EntryInterface],
    types: &[(&NamedType, TypeFunctions)],
    device: Option<Dialect>,
) -> String {
    let mut text = MODULE.to_owned();
    text += match device {
        None => "",
        Some(Dialect::OpenCl) => OPENCL,
        Some(Dialect::Cuda) => CUDA,
    };
    let writer = Writer::new(types, device);
    for (ty, functions) in types {
        text += &writer.definition(ty, functions);
    }
    let mut known = BTreeSet::new();
    for (k, entry) in entries.iter().enumerate() {
        text += &writer.entry(k, entry, &mut known);
    }
    text
}

/// Knows the names of types.
struct Writer<'t> {
    types: &'t [(&'t NamedType, TypeFunctions)],
    /// Of records that are no tuples, of sums, and of arrays of both.
    classes: BTreeMap<&'t str, String>,
    /// Where arrays lie, if not in the host's memory.
    device: Option<Dialect>,
}

impl<'t> Writer<'t> {
    fn new(types: &'t [(&'t NamedType, TypeFunctions)], device: Option<Dialect>) -> Writer<'t> {
        Writer { types, classes: class_names(types, &RESERVED), device }
    }

    fn class(&self, ty: &NamedType) -> &str {
        self.classes.get(ty.name.as_str()).map_or("", String::as_str)
    }

    /// The variable that holds what the module knows of a type.
    fn variable(&self, ty: &NamedType) -> String {
        if let TypeForm::Plain(Leaf { elem, rank: 0 }) = ty.form {
            // unit is the number zero
            return if elem == PrimType::Unit { "_u8".to_owned() } else { format!("_{elem}") };
        }
        let at = self.types.iter().position(|(known, _)| known.name == ty.name);
        format!("_type{}", at.unwrap_or(self.types.len()))
    }

    /// A type as docstrings have it: as the source writes it, or the name of a class.
    fn shown<'s>(&self, ty: &'s NamedType, text: &'s str) -> &'s str {
        if self.class(ty).is_empty() { text.trim_start_matches('*') } else { &ty.name }
    }

    /// A type as annotations have it.
    fn annotation(&self, ty: &NamedType) -> String {
        match &ty.form {
            TypeForm::Plain(Leaf { elem, rank: 0 }) => scalar(*elem).to_owned(),
            TypeForm::Plain(_) if self.device.is_some() => "DeviceArray".to_owned(),
            TypeForm::Plain(Leaf { elem, .. }) => format!("_npt.NDArray[_np.{}]", numpy(*elem)),
            TypeForm::Record(fields) if is_tuple(fields) => {
                self.tuple(&fields.iter().map(|(_, ty)| ty).collect::<Vec<_>>())
            }
            TypeForm::Record(_) | TypeForm::Sum { .. } | TypeForm::Array(..) => self.class(ty).to_owned(),
        }
    }

    /// A type as annotations of parameters have it.
    fn taken(&self, ty: &NamedType) -> String {
        match &ty.form {
            TypeForm::Plain(Leaf { elem, rank }) if *rank > 0 && self.device.is_some() => {
                format!("DeviceArray | _npt.NDArray[_np.{}]", numpy(*elem))
            }
            _ => self.annotation(ty),
        }
    }

    fn tuple(&self, parts: &[&NamedType]) -> String {
        let parts: Vec<String> = parts.iter().map(|ty| self.annotation(ty)).collect();
        if parts.is_empty() { "tuple[()]".to_owned() } else { format!("tuple[{}]", parts.join(", ")) }
    }

    /// `[("x", _f32, False), …]`.
    fn params<'p>(&self, params: impl Iterator<Item = (&'p str, &'p NamedType, bool)>) -> String {
        let row = |(name, ty, consumed): (&str, &NamedType, bool)| {
            let consumed = if consumed { "True" } else { "False" };
            format!("({}, {}, {consumed})", quoted(name), self.variable(ty))
        };
        format!("[{}]", params.map(row).collect::<Vec<_>>().join(", "))
    }

    /// What the module has of a type.
    fn definition(&self, ty: &NamedType, functions: &TypeFunctions) -> String {
        let variable = self.variable(ty);
        let function = |operation: &str| quoted(functions.names.get(operation).map_or("", String::as_str));
        let opaque = || {
            let [free, store, restore] = ["free", "store", "restore"].map(function);
            format!("{variable} = _OpaqueType({}, {free}, {store}, {restore})\n", self.class(ty))
        };
        match &ty.form {
            TypeForm::Plain(Leaf { elem, rank }) => {
                let leaf = Leaf { elem: *elem, rank: *rank };
                let own = |operation| quoted(&extension::name(operation, leaf));
                let names = ["new_raw", "free"].map(function).join(", ");
                let own = ["new_view", "describe", "hand_over"].map(own).join(", ");
                let (kind, more) = match self.device {
                    None => ("_Array", String::new()),
                    Some(device) => {
                        let dlpack = match device {
                            Dialect::Cuda => quoted(&extension::name("dlpack", leaf)),
                            Dialect::OpenCl => "None".to_owned(),
                        };
                        let [new, values] = ["new", "values"].map(function);
                        ("_ArrayOnDevice", format!(", {new}, {values}, {dlpack}"))
                    }
                };
                format!("{variable} = {kind}({}, {rank}, {names}, {own}{more})\n", quoted(numpy(*elem)))
            }
            TypeForm::Record(fields) if is_tuple(fields) => {
                let mut parts = String::new();
                for (name, part) in fields {
                    parts +=
                        &format!(", ({}, {})", self.variable(part), function(&format!("project {name}")));
                }
                let (name, new, free) = (quoted(&ty.name), function("new"), function("free"));
                format!("{variable} = _Tuple({name}, {new}, {free}{parts})\n")
            }
            TypeForm::Record(fields) => {
                let class = self.record(ty, functions, "_Record", "new", fields);
                class + "\n\n" + &opaque() + &self.constructor(ty, &function("new"), fields)
            }
            TypeForm::Sum { variants, .. } => self.sum(ty, functions, variants) + "\n\n" + &opaque(),
            TypeForm::Array(rank, element) => {
                let mut text = String::new();
                let mut constructor = String::new();
                if let TypeForm::Record(fields) = &element.form {
                    let fields: Vec<_> =
                        fields.iter().map(|(name, ty)| (name.clone(), ty.clone().array(*rank))).collect();
                    text += &self.record(ty, functions, "_OpaqueArray", "zip", &fields);
                    constructor = self.constructor(ty, &function("zip"), &fields);
                } else {
                    text += &self.class_head(ty, "_OpaqueArray");
                }
                let (class, elem) = (self.class(ty), self.annotation(element));
                text += &format!(
                    "\n    def __getitem__(self, indices: int | tuple[int, ...]) -> {elem}:\n        return self._element(indices)\n\n    \
                     @classmethod\n    def of(cls, elements: _t.Iterable[{elem}], shape: tuple[int, ...] | None = None) -> {class}:\n        \
                     \"\"\"An array of these elements, in row order.\"\"\"\n        return cls._listed(elements, shape)\n\n\n"
                );
                let [index, shape, new] = ["index", "shape", "new"].map(function);
                text += &opaque();
                text +=
                    &format!("{class}._array({}, {rank}, {index}, {shape}, {new})\n", self.variable(element));
                text + &constructor
            }
        }
    }

    fn class_head(&self, ty: &NamedType, base: &str) -> String {
        let doc = doc_text(&format!("The type {}.", ty.name));
        format!("\n\nclass {}({base}):\n    \"\"\"{doc}\"\"\"\n\n    __slots__ = ()\n", self.class(ty))
    }

    /// The constructor of a record or an array of records, behind the class.
    fn constructor(&self, ty: &NamedType, function: &str, fields: &[(String, NamedType)]) -> String {
        let params = self.params(fields.iter().map(|(name, ty)| (name.as_str(), ty, true)));
        let variable = self.variable(ty);
        format!("{variable}_new = _Callable({function}, {}, {params}, {variable})\n", quoted(self.class(ty)))
    }

    /// The class of a record, or of an array of records, of these fields.
    fn record(
        &self,
        ty: &NamedType,
        functions: &TypeFunctions,
        base: &str,
        operation: &str,
        fields: &[(String, NamedType)],
    ) -> String {
        let (mut known, variable) = (BTreeSet::new(), self.variable(ty));
        let names: Vec<String> = fields
            .iter()
            .map(|(name, _)| unique(&mut known, &field_name(name), &[&RESERVED, &MEMBERS]))
            .collect();
        let mut text = self.class_head(ty, base);
        let listed: Vec<String> = names.iter().map(|name| quoted(name) + ", ").collect();
        if operation == "new" {
            text += &format!("    _fields = ({})\n", listed.concat().trim_end());
        }
        let params: String = names
            .iter()
            .zip(fields)
            .map(|(name, (_, ty))| format!(", {name}: {}", self.annotation(ty)))
            .collect();
        let values: String = names.iter().map(|name| format!("{name}, ")).collect();
        text += &format!(
            "\n    def __init__(self{params}) -> None:\n        self._handle = {variable}_new.raw(({}), None).value\n",
            values.trim_end()
        );
        for (name, (field, field_type)) in names.iter().zip(fields) {
            let project =
                functions.names.get(&format!("project {field}")).map_or(String::new(), Clone::clone);
            text += &format!(
                "\n    @property\n    def {name}(self) -> {}:\n        return _Projection({}, {})(self._handle)\n",
                self.annotation(field_type),
                quoted(&project),
                self.variable(field_type)
            );
        }
        text
    }

    fn sum(
        &self,
        ty: &NamedType,
        functions: &TypeFunctions,
        variants: &[(String, Vec<NamedType>)],
    ) -> String {
        let (variable, mut known, mut text) =
            (self.variable(ty), BTreeSet::new(), self.class_head(ty, "_Opaque"));
        let of = |operation: &str| functions.names.get(operation).map_or("", String::as_str);
        let names: Vec<String> = variants.iter().map(|(name, _)| quoted(name)).collect();
        let payloads: BTreeSet<String> =
            variants.iter().map(|(_, payload)| self.tuple(&payload.iter().collect::<Vec<_>>())).collect();
        let payloads = payloads.into_iter().collect::<Vec<_>>().join(" | ");
        let (mut parts, variant) = (Vec::new(), of("variant"));
        for (name, payload) in variants {
            let kinds: String = payload.iter().map(|ty| format!("{}, ", self.variable(ty))).collect();
            parts.push(format!("(_lib.{}, ({}))", of(&format!("destruct {name}")), kinds.trim_end()));
        }
        let names = names.join(", ");
        text += &format!(
            "\n    @property\n    def variant(self) -> _t.Literal[{names}]:\n        \"\"\"The name of the variant.\"\"\"\n        \
             return ({names},)[_lib.{variant}(_ctx, _c.c_void_p(self._handle))]\n\n    \
             @property\n    def payload(self) -> {payloads}:\n        \"\"\"What the variant carries.\"\"\"\n        \
             variant = _lib.{variant}(_ctx, _c.c_void_p(self._handle))\n        \
             return _parts(*({},)[variant], self._handle)\n\n    \
             def __repr__(self) -> str:\n        return f\"{{type(self).__name__}}.{{self.variant}}{{self.payload!r}}\"\n",
            parts.join(", ")
        );
        for (name, payload) in variants {
            let shown = unique(&mut known, &field_name(name), &[&RESERVED, &MEMBERS]);
            let names: Vec<String> = (0..payload.len()).map(|k| format!("v{k}")).collect();
            let params: String = names
                .iter()
                .zip(payload)
                .map(|(name, ty)| format!(", {name}: {}", self.annotation(ty)))
                .collect();
            let rows = self.params(names.iter().zip(payload).map(|(name, ty)| (name.as_str(), ty, true)));
            let values: String = names.iter().map(|name| format!("{name}, ")).collect();
            let function = quoted(of(&format!("construct {name}")));
            text += &format!(
                "\n    @classmethod\n    def {shown}(cls{params}) -> {class}:\n        \
                 new = _Callable({function}, \"{class}.{shown}\", {rows}, {variable})\n        return new({})\n",
                values.trim_end_matches(", "),
                class = self.class(ty),
            );
        }
        text
    }

    fn entry(&self, k: usize, entry: &EntryInterface, known: &mut BTreeSet<String>) -> String {
        let name = unique(known, &shown_name(&entry.name), &[&RESERVED]);
        let mut taken = BTreeSet::new();
        let names: Vec<String> = entry
            .inputs
            .iter()
            .enumerate()
            .map(|(k, input)| match input.name.as_str() {
                "_" => unique(&mut taken, &format!("arg{k}"), &[&RESERVED]),
                name => unique(&mut taken, &shown_name(&name.replace('\'', "")), &[&RESERVED]),
            })
            .collect();
        let inputs = || names.iter().zip(&entry.inputs);
        let rows = self.params(inputs().map(|(name, input)| (name.as_str(), &input.ty, input.consumed)));
        let params: Vec<String> =
            inputs().map(|(name, input)| format!("{name}: {}", self.taken(&input.ty))).collect();
        let mut doc = doc_text(entry.doc.as_deref().unwrap_or_default());
        if !doc.is_empty() {
            doc += "\n\n";
        }
        for (name, input) in inputs() {
            let consumed = if input.consumed { ", which is consumed" } else { "" };
            doc += &doc_text(&format!("{name}: {}{consumed}\n", self.shown(&input.ty, &input.text)));
        }
        doc += &doc_text(&format!("Gives {}.\n", self.shown(&entry.output, &entry.output_text)));
        let doc = doc.replace('\n', "\n    ").replace("    \n", "\n");
        let call = c_name(&entry.name);
        format!(
            "\n\n_entry{k} = _Callable(\"futhark_entry_{call}\", {}, {rows}, {})\n\n\ndef {name}({}) -> {}:\n    \
             \"\"\"{doc}\"\"\"\n    return _entry{k}({})\n",
            quoted(&entry.name),
            self.variable(&entry.output),
            params.join(", "),
            self.annotation(&entry.output),
            names.join(", "),
        )
    }
}

/// A name that is no hidden one.
fn shown_name(name: &str) -> String {
    if name.starts_with('_') { format!("{}_", c_name(name)) } else { c_name(name) }
}

/// The name of a field or variant; those of tuples are numbers.
fn field_name(name: &str) -> String {
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("f{name}") } else { shown_name(name) }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A text in a long string.
fn doc_text(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

fn scalar(ty: PrimType) -> &'static str {
    match ty {
        PrimType::F16 | PrimType::F32 | PrimType::F64 => "float",
        PrimType::Bool => "bool",
        PrimType::I8 | PrimType::I16 | PrimType::I32 | PrimType::I64 => "int",
        PrimType::U8 | PrimType::U16 | PrimType::U32 | PrimType::U64 | PrimType::Unit => "int",
    }
}

/// NumPy's name of a type; unit is a byte that is zero.
fn numpy(ty: PrimType) -> &'static str {
    match ty {
        PrimType::I8 => "int8",
        PrimType::I16 => "int16",
        PrimType::I32 => "int32",
        PrimType::I64 => "int64",
        PrimType::U8 | PrimType::Unit => "uint8",
        PrimType::U16 => "uint16",
        PrimType::U32 => "uint32",
        PrimType::U64 => "uint64",
        PrimType::F16 => "float16",
        PrimType::F32 => "float32",
        PrimType::F64 => "float64",
        PrimType::Bool => "bool",
    }
}
