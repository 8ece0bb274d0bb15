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
mod text;

pub use interface::{EntryInterface, Input, Leaf, NamedType, TAG, TypeForm};

use crate::CompileError;
use crate::compile::file_text;
use crate::dialect::Dialect;
use crate::emit::{SourceLines, emit_for};
use fun_base::name::Symbol;
use fun_runtime::library::{Argument, Table, Wrapper};
use imp::ir::{ImpType, Program, Space, StatementKind};
use imp::params::Param;
use imp::visit::for_each_statement;
use named::Types;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CStr, c_char};

/// What the tables consist of.
const INTERFACE: &str = include_str!("../runtime/library/interface.c");
/// Contexts and the memory of arrays, and calls.
const CONTEXT: &str = concat!(
    include_str!("../runtime/library/context.c"),
    "\n",
    include_str!("../runtime/library/host_memory.c"),
    "\n",
    include_str!("../runtime/library/storage.c"),
    "\n",
    include_str!("../runtime/library/call.c")
);
/// The same where arrays lie on a device.
const DEVICE_CONTEXT: &str = concat!(
    include_str!("../runtime/library/context.c"),
    "\n",
    include_str!("../runtime/library/device_memory.c"),
    "\n",
    include_str!("../runtime/library/storage.c"),
    "\n",
    include_str!("../runtime/library/call.c")
);
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
/// Calls that go on by themselves, calls that write into the caller's memory, and sizes of results.
const CALLS: &str = concat!(
    include_str!("../runtime/library/pending.c"),
    "\n",
    include_str!("../runtime/library/into.c"),
    "\n",
    include_str!("../runtime/library/sizes.c")
);
/// The queue of OpenCL for callers.
const OPENCL_QUEUE: &str = include_str!("../runtime/library/opencl_queue.c");
/// Arrays on CUDA's device for other libraries in the process.
const DLPACK: &str = include_str!("../runtime/library/dlpack.c");
/// The part that the headers of all libraries have.
const HEADER: &str = include_str!("../runtime/library/header.h");

/// Comes first: nothing is seen from outside.
const ALL_STATIC: &str = "#define FUN_EXPORT __attribute__((unused)) static\n#define FUN_API FUN_EXPORT\n";

/// Comes first in libraries: callers see Futhark's functions and nothing else.
const API_VISIBLE: &str = "#define FUN_EXPORT __attribute__((unused)) static\n\
                           #define FUN_API __attribute__((visibility(\"default\"), used))\n";

/// The language of kernels, if the program has blocks on a device.
fn used(dialect: Dialect, program: &Program) -> Option<Dialect> {
    let mut on_device = arrays_on_device(program);
    for procedure in &program.procedures {
        for_each_statement(&procedure.body, &mut |statement| {
            on_device |= matches!(&statement.kind, StatementKind::Alloc { space: Space::Device, .. });
        });
    }
    on_device.then_some(dialect)
}

/// Whether entry points take or give blocks of a device.
fn arrays_on_device(program: &Program) -> bool {
    let entries = program.procedures.iter().filter(|procedure| procedure.interface.is_some());
    let types = entries.flat_map(|procedure| {
        procedure.params.iter().map(|(_, ty)| ty).chain(procedure.results.iter().map(|(_, ty)| ty))
    });
    types.into_iter().any(|ty| *ty == ImpType::Mem(Space::Device))
}

/// Contexts, and the memory where the arrays of a program lie.
fn context(program: &Program) -> &'static str {
    if arrays_on_device(program) { DEVICE_CONTEXT } else { CONTEXT }
}

/// A checked program as a C file with a `main` that behaves as Futhark's executables do. Kernels, where it has some, are in this
/// language. `sources` gives source lines for comments.
pub fn executable_text(
    program: &Program,
    dialect: Dialect,
    sources: SourceLines<'_>,
) -> Result<String, CompileError> {
    let behind = [context(program), READ, WRITE, OPTIONS, EXECUTABLE].concat();
    let emitted = emit_for(program, sources, &behind, used(dialect, program))?;
    let names = entry_names(program);
    let tables = text::tables(&table::entries(program, &names, &BTreeMap::new()), &emitted.symbols);
    let asked = asked(program, &names, &emitted.params);
    Ok([ALL_STATIC, &file_text(&emitted), INTERFACE, &tables, &asked, &behind].concat())
}

/// A checked program as a C file with a `main` that speaks Futhark's server protocol. `interfaces` says what the source says of its
/// entry points; kernels, where it has some, are in this language.
pub fn server_text(
    program: &Program,
    interfaces: &[EntryInterface],
    dialect: Dialect,
    sources: SourceLines<'_>,
) -> Result<String, CompileError> {
    let context = context(program);
    let behind = [ARRAYS, OPAQUE, READ, WRITE, OPTIONS, SERVER].concat();
    let emitted = emit_for(program, sources, &[context, &behind].concat(), used(dialect, program))?;
    let names = entry_names(program);
    let entries = known_entries(program, interfaces, &names)?;
    let of_types = type_tables(&Types::of(&entries)?, &entries, &names);
    let of_types = text::tables(&of_types, &emitted.symbols);
    let of_entries = text::tables(&table::entries(program, &names, &BTreeMap::new()), &emitted.symbols);
    let asked = asked(program, &names, &emitted.params);
    Ok([ALL_STATIC, &file_text(&emitted), INTERFACE, &of_entries, &asked, context, TYPES, &of_types, &behind]
        .concat())
}

/// Which parameters these entry points ask for.
fn asked(program: &Program, names: &[Symbol], params: &[Param]) -> String {
    let asked: Vec<_> = names.iter().map(|name| imp::params::of_entry(program, params, *name)).collect();
    crate::params::of_entries(params, &asked)
}

/// The entry points of a program, sorted.
fn entry_names(program: &Program) -> Vec<Symbol> {
    let entries = program.procedures.iter().filter(|procedure| procedure.interface.is_some());
    let names: BTreeSet<Symbol> = entries.map(|procedure| procedure.name).collect();
    names.into_iter().collect()
}

/// The tables of types and of what the source says of entry points.
fn type_tables(types: &Types, entries: &[EntryInterface], names: &[Symbol]) -> Vec<Table> {
    let at = |name: &str| names.iter().position(|known| known.as_str() == name).unwrap_or_default();
    [types.tables(), types.signatures(entries, at)].concat()
}

/// What there is to a library beside the code of its program: the same whichever backend that is from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Library {
    /// What callers include; C99 and C++.
    pub header: String,
    /// JSON that describes the interface.
    pub manifest: String,
    /// A Python module that calls the shared library beside it.
    pub python: String,
    /// The same without its beginning, which finds the library: for one in memory.
    pub python_declarations: String,
    /// A Rust module that calls the library.
    pub rust: String,
    /// The tables of entry points.
    entries: Vec<Table>,
    /// Their names, in that order.
    names: Vec<Symbol>,
    /// The tables of types.
    types: Vec<Table>,
    /// What callers see, but for contexts.
    wrappers: Vec<Wrapper>,
    /// `struct`s that callers see.
    structs: String,
    /// What procedures are called in messages, where it is not their name.
    known_as: BTreeMap<Symbol, Symbol>,
    /// The language of kernels, where arrays lie on a device.
    device: Option<Dialect>,
}

/// The library of a checked program, with Futhark's C interface. `interfaces` says what the source says of its entry points; `views` which
/// procedures are versions of which for arrays in any order, and `sizes` which give the sizes of the results of which: no entry points of the
/// library, though they have interfaces. Kernels, where the program has some, are in this language; where its entry points take and give
/// blocks of a device, the library's arrays lie there.
pub fn library(
    program: &Program,
    interfaces: &[EntryInterface],
    views: &BTreeMap<Symbol, Symbol>,
    sizes: &BTreeMap<Symbol, Symbol>,
    dialect: Dialect,
) -> Result<Library, CompileError> {
    let device = arrays_on_device(program).then_some(dialect);
    let mut known_as = views.clone();
    known_as.extend(sizes.iter().map(|(entry, procedure)| (*procedure, *entry)));
    let mut names = entry_names(program);
    names.retain(|name| !known_as.contains_key(name));
    let entries = known_entries(program, interfaces, &names)?;
    let types = Types::of(&entries)?;
    let shown: Vec<_> = types.shown().map(|ty| (ty, api::of_type(&types, ty, device))).collect();
    let mut wrappers: Vec<Wrapper> =
        shown.iter().flat_map(|(_, of_type)| of_type.functions.iter().cloned()).collect();
    wrappers.extend(entries.iter().enumerate().flat_map(|(k, entry)| api::of_entry(entry, k)));
    wrappers.extend(shown.iter().flat_map(|(ty, _)| extension::of_type(ty, device)));
    wrappers.extend(entries.iter().enumerate().flat_map(|(k, entry)| extension::of_entry(entry, k)));
    let mut tables = table::entries(program, &names, views);
    let asks = |argument: &Argument| matches!(argument, Argument::Row(table::SIZES, _));
    if wrappers.iter().any(|wrapper| wrapper.arguments.iter().any(asks)) {
        tables.extend(table::result_sizes(program, &names, sizes));
    }
    let structs: Vec<String> = shown.iter().map(|(ty, _)| format!("{};\n", api::c_struct(ty))).collect();
    let structs = device.map_or("", Dialect::raw_declaration).to_owned() + &structs.concat();
    let declarations: Vec<String> =
        wrappers.iter().map(|wrapper| format!("{};\n", text::head(wrapper))).collect();
    let header =
        HEADER.replace("/* TYPES */\n", &structs).replace("/* FUNCTIONS */\n", &declarations.concat());
    let backend = device.map_or("c", Dialect::name);
    let header = header.replace("FUTHARK_BACKEND_c", &format!("FUTHARK_BACKEND_{backend}"));
    let params = imp::params::of_program(program);
    let asked = |entry| {
        let asked = imp::params::of_entry(program, &params, entry);
        asked.into_iter().map(|at| params[at].name.as_str()).collect()
    };
    let with_params: Vec<(_, Vec<&str>)> =
        entries.iter().map(|entry| (entry, asked(Symbol::new(&entry.name)))).collect();
    let python_declarations = python::declarations(&entries, &shown, device);
    Ok(Library {
        header,
        manifest: manifest::manifest(backend, env!("CARGO_PKG_VERSION"), &with_params, &shown),
        python: python::module(&python_declarations, device),
        python_declarations,
        rust: rust::module(&entries, &shown),
        entries: tables,
        types: type_tables(&types, &entries, &names),
        names,
        wrappers,
        structs,
        known_as,
        device,
    })
}

impl Library {
    /// The whole library as C: with its program, of which it was made. Kernels, where it has some, are in this language.
    pub fn c_text(
        &self,
        program: &Program,
        dialect: Dialect,
        sources: SourceLines<'_>,
    ) -> Result<String, CompileError> {
        let context = if self.device.is_some() { DEVICE_CONTEXT } else { CONTEXT };
        let own = match self.device {
            None => "",
            Some(Dialect::OpenCl) => OPENCL_QUEUE,
            Some(Dialect::Cuda) => DLPACK,
        };
        let behind = [context, TYPES, ARRAYS, OPAQUE, CALLS, own].concat();
        let mut emitted = emit_for(program, sources, &behind, used(dialect, program))?;
        for site in &mut emitted.sites {
            site.function = self.known_as(site.function);
        }
        let entries = text::tables(&self.entries, &emitted.symbols);
        let types = text::tables(&self.types, &emitted.symbols);
        let asked = asked(program, &self.names, &emitted.params);
        let mut source =
            [API_VISIBLE, &file_text(&emitted), INTERFACE, &entries, &asked, context, TYPES, &types].concat();
        source += &[ARRAYS, OPAQUE, CALLS, &self.structs, own, "\n"].concat();
        for wrapper in &self.wrappers {
            source += &format!("FUN_API {} {}\n", text::head(wrapper), text::body(wrapper));
        }
        Ok(source)
    }

    /// The tables that [`RUNTIME`] and the wrappers need beside the code of the program.
    pub fn tables(&self) -> Vec<Table> {
        [&self.entries[..], &self.types].concat()
    }

    /// What messages call a procedure.
    pub fn known_as(&self, procedure: Symbol) -> Symbol {
        self.known_as.get(&procedure).copied().unwrap_or(procedure)
    }

    /// The functions that callers see and that [`RUNTIME`] has not.
    pub fn wrappers(&self) -> &[Wrapper] {
        &self.wrappers
    }
}

/// An object file with what the library of any program consists of beside machine code, tables and wrappers: contexts, arrays, opaque
/// values, calls, and what machine code calls. Compiled when FUN was.
pub const RUNTIME: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/library.o"));

/// The functions of [`RUNTIME`], by name with their addresses: it is part of the programs that ask for them, which may have several libraries
/// in memory on it.
pub fn runtime_symbols() -> Vec<(&'static str, usize)> {
    #[repr(C)]
    struct Row {
        name: *const c_char,
        address: *const u8,
    }
    unsafe extern "C" {
        #[link_name = "fun_symbols"]
        static FIRST: Row;
    }
    let (mut list, mut row) = (Vec::new(), &raw const FIRST);
    // SAFETY: the table is constant, its names are texts of C, and its last row has none
    unsafe {
        while !(*row).name.is_null() {
            let name = CStr::from_ptr((*row).name).to_str().unwrap_or_default();
            list.push((name, (*row).address as usize));
            row = row.add(1);
        }
    }
    list
}

/// The entry points of a program with what the source says of them; those of which it says nothing take and give their leaves.
fn known_entries(
    program: &Program,
    interfaces: &[EntryInterface],
    names: &[Symbol],
) -> Result<Vec<EntryInterface>, CompileError> {
    let mut entries = Vec::new();
    for name in names {
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
