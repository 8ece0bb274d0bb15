//! Programs that run without FUN: what the C files of executables, servers and libraries have besides the program.
//!
//! The text is the program's, tables of what its entry points take and give, and C that reads these tables
//! (`backends/c/runtime/library/`). Servers and libraries also have tables of the types that the source names, and libraries a function for each operation of Futhark's
//! C interface. All else is `static`.

mod api;
mod extension;
mod interface;
mod manifest;
mod named;
mod names;
mod python;
mod rust;
mod table;

pub use interface::{EntryInterface, Input, Leaf, NamedType, TAG, TypeForm};

use crate::CompileError;
use crate::compile::file_text;
use crate::emit::{Emitted, SourceLines, emit};
use api::Function;
use imp::ir::Program;
use named::Types;

/// What the tables consist of.
const INTERFACE: &str = include_str!("../runtime/library/interface.c");
/// Contexts and the memory of arrays, and calls.
const CONTEXT: &str =
    concat!(include_str!("../runtime/library/context.c"), include_str!("../runtime/library/call.c"));
/// Values from streams.
const READ: &str = include_str!("../runtime/library/read.c");
/// Values to streams.
const WRITE: &str = include_str!("../runtime/library/write.c");
/// The command line.
const OPTIONS: &str = include_str!("../runtime/library/options.c");
/// The command.
const EXECUTABLE: &str = include_str!("../runtime/library/executable.c");
/// The server.
const SERVER: &str = concat!(
    include_str!("../runtime/library/server_variables.c"),
    "\n",
    include_str!("../runtime/library/server_commands.c"),
    "\n",
    include_str!("../runtime/library/server_values.c"),
    "\n",
    include_str!("../runtime/library/server.c")
);
/// What the tables of types consist of.
const TYPES: &str = include_str!("../runtime/library/types.c");
/// Arrays of scalars.
const ARRAYS: &str = include_str!("../runtime/library/arrays.c");
/// Records, sums and arrays of them.
const OPAQUE: &str = concat!(
    include_str!("../runtime/library/opaque.c"),
    include_str!("../runtime/library/opaque_arrays.c"),
    include_str!("../runtime/library/store.c")
);
/// The part that the headers of all libraries have.
const HEADER: &str = include_str!("../runtime/library/header.h");

/// Comes first: nothing is seen from outside.
const ALL_STATIC: &str = "#define FUN_EXPORT __attribute__((unused)) static\n#define FUN_API FUN_EXPORT\n";

/// Comes first in libraries: callers see Futhark's functions and nothing else.
const API_VISIBLE: &str = "#define FUN_EXPORT __attribute__((unused)) static\n\
                           #define FUN_API __attribute__((visibility(\"default\"), used))\n";

/// A checked program as a C file with a `main` that behaves as Futhark's executables do. `sources` gives source lines for comments.
pub fn executable_text(program: &Program, sources: SourceLines<'_>) -> Result<String, CompileError> {
    let behind = [CONTEXT, READ, WRITE, OPTIONS, EXECUTABLE].concat();
    let emitted = emit(program, sources, &behind)?;
    let tables = table::entries(program, &emitted.symbols);
    Ok([ALL_STATIC, &file_text(&emitted), INTERFACE, &tables, &behind].concat())
}

/// A checked program as a C file with a `main` that speaks Futhark's server protocol. `interfaces` says what the source says of its
/// entry points.
pub fn server_text(
    program: &Program,
    interfaces: &[EntryInterface],
    sources: SourceLines<'_>,
) -> Result<String, CompileError> {
    let behind = [ARRAYS, OPAQUE, READ, WRITE, OPTIONS, SERVER].concat();
    let emitted = emit(program, sources, &[CONTEXT, &behind].concat())?;
    let entries = known_entries(program, interfaces, &emitted)?;
    let (types, at) = (Types::of(&entries)?, |name: &str| place_of(&emitted, name));
    let tables = [CONTEXT, TYPES, &types.text(), &types.signatures(&entries, at)].concat();
    let of_entries = table::entries(program, &emitted.symbols);
    Ok([ALL_STATIC, &file_text(&emitted), INTERFACE, &of_entries, &tables, &behind].concat())
}

/// The place of an entry point in the table of all.
fn place_of(emitted: &Emitted, name: &str) -> usize {
    emitted.symbols.keys().position(|known| known.as_str() == name).unwrap_or_default()
}

/// The texts of a library.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Library {
    /// C.
    pub source: String,
    /// What callers include; C99 and C++.
    pub header: String,
    /// JSON that describes the interface.
    pub manifest: String,
    /// A Python module that calls the shared library beside it.
    pub python: String,
    /// A Rust module that calls the library.
    pub rust: String,
}

/// A checked program as a library with Futhark's C interface. `interfaces` says what the source says of its entry points.
pub fn library(
    program: &Program,
    interfaces: &[EntryInterface],
    sources: SourceLines<'_>,
) -> Result<Library, CompileError> {
    let behind = [CONTEXT, TYPES, ARRAYS, OPAQUE].concat();
    let emitted = emit(program, sources, &behind)?;
    let entries = known_entries(program, interfaces, &emitted)?;
    let types = Types::of(&entries)?;
    let shown: Vec<_> = types.shown().map(|ty| (ty, api::of_type(&types, ty))).collect();
    let at = |name: &str| place_of(&emitted, name);
    let mut functions = Vec::new();
    for (_, of_type) in &shown {
        functions.extend(of_type.functions.iter());
    }
    let of_entries: Vec<Function> =
        entries.iter().enumerate().flat_map(|(k, entry)| api::of_entry(entry, k)).collect();
    functions.extend(of_entries.iter());
    let own: Vec<Function> = shown.iter().flat_map(|(ty, _)| extension::of_type(ty)).collect();
    functions.extend(own.iter());
    let structs: Vec<String> = shown.iter().map(|(ty, _)| format!("{};\n", api::c_struct(ty))).collect();
    let structs = structs.concat();
    let mut source =
        [API_VISIBLE, &file_text(&emitted), INTERFACE, &table::entries(program, &emitted.symbols)].concat();
    source +=
        &[CONTEXT, TYPES, &types.text(), &types.signatures(&entries, at), ARRAYS, OPAQUE, &structs, "\n"]
            .concat();
    let mut declarations = String::new();
    for Function { head, body } in functions {
        source += &format!("FUN_API {head} {{\n{body}}}\n\n");
        declarations += &format!("{head};\n");
    }
    let header = HEADER.replace("/* TYPES */\n", &structs).replace("/* FUNCTIONS */\n", &declarations);
    let manifest = manifest::manifest("c", env!("CARGO_PKG_VERSION"), &entries, &shown);
    let (python, rust) = (python::module(&entries, &shown), rust::module(&entries, &shown));
    Ok(Library { source, header, manifest, python, rust })
}

/// The entry points of a program with what the source says of them; those of which it says nothing take and give their leaves.
fn known_entries(
    program: &Program,
    interfaces: &[EntryInterface],
    emitted: &Emitted,
) -> Result<Vec<EntryInterface>, CompileError> {
    let mut entries = Vec::new();
    for name in emitted.symbols.keys() {
        let procedure = program.procedures.iter().find(|procedure| procedure.name == *name);
        let Some(interface) = procedure.and_then(|procedure| procedure.interface.as_ref()) else { continue };
        let known = interfaces.iter().find(|known| known.name == name.as_str());
        let entry = known.cloned().unwrap_or_else(|| named::of_leaves(name.as_str(), interface));
        if !named::agree(&entry, interface) {
            let message = format!("entry point {name} takes or gives other values than its source says");
            return Err(CompileError::new(message));
        }
        entries.push(entry);
    }
    Ok(entries)
}
