//! From an IMP program to a C file, and to code in memory.

use crate::compiler::Compiler;
use crate::dialect::Dialect;
use crate::emit::kernels::KernelFacts;
use crate::emit::{Emitted, EmittedKernels, SourceLines, emit, emit_for};
use crate::run::Functions;
use fun_base::name::Symbol;
use fun_runtime::site::Site;
use imp::ir::{Interface, Program};
use imp::params::Param;
use std::collections::BTreeMap;
use std::fmt;

/// Declarations that every file begins with.
const HEAD: &str = include_str!("../runtime/head.c");
/// What loops that run as vectors of rows need.
const ROWS: &str = include_str!("../runtime/rows.c");
/// The functions that run parallel loops.
const POOL: &str = include_str!("../runtime/pool.c");
/// The functions that programs call.
const TAIL: &str = include_str!("../runtime/tail.c");

/// What programs for an accelerator declare besides.
const DEVICE_HEAD: &str = include_str!("../runtime/device_head.c");
/// What is known of the device, before the driver.
const DEVICE_STATE: &str = include_str!("../runtime/device_state.c");
/// Compiled kernels on disk, which the driver reads and writes.
const KERNEL_CACHE: &str = include_str!("../runtime/kernel_cache.c");
/// The functions that they call, behind the driver.
const DEVICE: &str = include_str!("../runtime/device.c");
/// Those that copy.
const DEVICE_COPIES: &str = include_str!("../runtime/device_copies.c");

/// A program that can't be compiled: it breaks an invariant of IMP, or there is no C compiler that takes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileError {
    message: String,
    /// The program or FUN is wrong, not the machine.
    is_bug: bool,
}

impl CompileError {
    pub(crate) fn new(message: impl Into<String>) -> CompileError {
        CompileError { message: message.into(), is_bug: true }
    }

    /// What the user can mend: a compiler is missing, or a folder can't be written.
    pub(crate) fn of_machine(message: impl Into<String>) -> CompileError {
        CompileError { message: message.into(), is_bug: false }
    }

    /// Whether the program or FUN is wrong, and not the machine.
    pub fn is_bug(&self) -> bool {
        self.is_bug
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CompileError {}

/// A checked program as a C file. `sources` gives source lines for comments.
pub fn c_text(program: &Program, sources: SourceLines<'_>) -> Result<String, CompileError> {
    Ok(file_text(&emit(program, sources, "")?))
}

/// The part of the C file that differs from program to program, but for the table of places.
pub fn c_procedures(program: &Program, sources: SourceLines<'_>) -> Result<String, CompileError> {
    let Emitted { helpers, procedures, .. } = emit(program, sources, "")?;
    Ok(format!("{helpers}{procedures}"))
}

/// The kernels of a checked program for an accelerator. `sources` gives source lines for comments.
pub fn kernels_text(
    program: &Program,
    dialect: Dialect,
    sources: SourceLines<'_>,
) -> Result<String, CompileError> {
    let emitted = emit_for(program, sources, "", Some(dialect))?;
    Ok(emitted.kernels.map(|kernels| kernel_text(&kernels, &copies(&kernels))).unwrap_or_default())
}

/// The part of this text that differs from program to program.
pub fn kernel_functions(
    program: &Program,
    dialect: Dialect,
    sources: SourceLines<'_>,
) -> Result<String, CompileError> {
    let emitted = emit_for(program, sources, "", Some(dialect))?;
    Ok(emitted.kernels.map(|kernels| kernels.functions).unwrap_or_default())
}

pub(crate) fn file_text(emitted: &Emitted) -> String {
    let mut text = "/* Written by FUN. Needs GCC or Clang; compile with -ffp-contract=off -fno-strict-aliasing (and not -ffast-math),\n   \
                    and link with -lm and -pthread. */\n"
        .to_owned();
    if emitted.groups {
        text += crate::groups::SHORTER_VECTORS;
    }
    text += HEAD;
    let Emitted { helpers, procedures, entries, sites, symbols: _, kernels, params, groups: _ } = emitted;
    text += &crate::params::text(params);
    if kernels.is_some() {
        text += DEVICE_HEAD;
    }
    if procedures.contains("FUN_ROWS") {
        text += ROWS;
    }
    for part in [helpers, procedures] {
        text += part;
    }
    text += "/* Entry points: machine words for parameters and results, in order. */\n";
    text += entries;
    text += "FUN_EXPORT const struct fun_site fun_sites[] = {\n";
    for Site { message, loc, function } in sites {
        let place = loc.map(|loc| loc.to_string()).unwrap_or_default();
        let strings = [message.as_str(), &place, function.as_str()].map(c_string).join(", ");
        text += &format!("    {{{strings}}},\n");
    }
    text += "    {\"\", \"\", \"\"},\n};\n\n";
    text = text + POOL + TAIL;
    if let Some(kernels) = kernels {
        let copies = copies(kernels);
        let names =
            kernels.facts.iter().map(|kernel| &kernel.name).chain(copies.iter().map(|copy| &copy.name));
        text += &format!("#define FUN_KERNELS {}\n", names.clone().count());
        text += "static const char *const fun_kernel_names[] = {\n";
        for name in names {
            text += &format!("    {},\n", c_string(name));
        }
        text += "};\n/* Which of them take the buffer of failures, which can stop the run, and in which one block more serves the others. */\n";
        let flags = |of: fn(&KernelFacts) -> bool| {
            let flags = kernels.facts.iter().map(|kernel| u32::from(of(kernel)).to_string());
            flags.chain(["0".to_owned()]).collect::<Vec<String>>().join(", ")
        };
        text += &format!(
            "static const bool fun_kernel_watches[FUN_KERNELS + 1] = {{{}}};\n",
            flags(|kernel| kernel.watches)
        );
        text += &format!(
            "static const bool fun_kernel_stops[FUN_KERNELS + 1] = {{{}}};\n",
            flags(|kernel| kernel.stops)
        );
        text += &format!(
            "static const bool fun_kernel_serves[FUN_KERNELS + 1] = {{{}}};\n",
            flags(|kernel| kernel.serves)
        );
        text += "/* The kernels that copy cells of 1, 2, 4 and 8 bytes, one by one and through tiles; -1 where the program needs none. */\n";
        let number = |bytes: u64, turns: bool| {
            let at = copies.iter().position(|copy| (copy.bytes, copy.turns) == (bytes, turns));
            at.map_or("-1".to_owned(), |at| (kernels.facts.len() + at).to_string())
        };
        let row = |turns: bool| [1, 2, 4, 8].map(|bytes| number(bytes, turns)).join(", ");
        text += &format!(
            "static const int32_t fun_copy_kernels[2][4] = {{{{{}}}, {{{}}}}};\n",
            row(false),
            row(true)
        );
        text += "static const char fun_kernel_text[] =\n";
        for line in kernel_text(kernels, &copies).lines() {
            text += &format!("    {}\n", c_string(&format!("{line}\n")));
        }
        text += "    \"\";\n\n";
        for part in [DEVICE_STATE, KERNEL_CACHE, kernels.dialect.driver(), DEVICE, DEVICE_COPIES] {
            text += part;
        }
    }
    text
}

/// A kernel that copies.
struct CopyKernel {
    name: String,
    bytes: u64,
    /// Whether it does so through tiles.
    turns: bool,
}

/// The kernels that copy what a program copies on the device. There is one at least if the program has no other.
fn copies(kernels: &EmittedKernels) -> Vec<CopyKernel> {
    let mut copies = Vec::new();
    for (bytes, several) in &kernels.copied {
        let copy = |way: &str, turns| CopyKernel { name: format!("fun_{way}{bytes}"), bytes: *bytes, turns };
        copies.push(copy("copy", false));
        if *several {
            copies.push(copy("turn", true));
        }
    }
    if copies.is_empty() && kernels.facts.is_empty() {
        copies.push(CopyKernel { name: "fun_copy1".to_owned(), bytes: 1, turns: false });
    }
    copies
}

/// All that the device's compiler sees.
fn kernel_text(kernels: &EmittedKernels, copies: &[CopyKernel]) -> String {
    let mut text = kernels.dialect.head().to_owned();
    for CopyKernel { name, bytes, turns } in copies {
        let way = if *turns { "FUN_TURN" } else { "FUN_COPY" };
        text += &format!("{way}({name}, {})\n", kernels.dialect.cell(*bytes));
    }
    text + &kernels.functions
}

/// A string literal.
pub(crate) fn c_string(text: &str) -> String {
    let mut literal = "\"".to_owned();
    for c in text.chars() {
        match c {
            '"' | '\\' => literal.extend(['\\', c]),
            '\n' => literal.push_str("\\n"),
            // so that nothing reads as a trigraph
            '?' => literal.push_str("\\?"),
            c if c.is_control() => literal.push_str(&format!("\\{:03o}", u32::from(c) & 0o377)),
            c => literal.push(c),
        }
    }
    literal + "\""
}

/// An entry point of a compiled program.
#[derive(Clone, Debug)]
pub(crate) struct EntryPoint {
    pub(crate) interface: Interface,
    pub(crate) params: usize,
    pub(crate) results: usize,
    pub(crate) symbol: String,
}

/// A compiled program. Dropping it unloads the code.
pub struct Compiled {
    pub(crate) entries: BTreeMap<&'static str, EntryPoint>,
    pub(crate) sites: Vec<Site>,
    pub(crate) params: Vec<Param>,
    pub(crate) functions: Functions,
}

impl fmt::Debug for Compiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compiled").field("entries", &self.entries).finish_non_exhaustive()
    }
}

impl Compiled {
    /// The names of the entry points, sorted.
    pub fn entry_names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().copied()
    }

    /// The numbers that choose between versions of the code, in the order in which [`crate::Run::tune`] takes others.
    pub fn params(&self) -> &[Param] {
        &self.params
    }

    /// The interface of an entry point.
    pub fn interface(&self, entry: &str) -> Option<&Interface> {
        self.entries.get(entry).map(|entry| &entry.interface)
    }
}

/// Compiles a checked program with a C compiler, or takes what that made of the same text before.
pub fn compile(program: &Program, compiler: &Compiler) -> Result<Compiled, CompileError> {
    compiled(program, compiler, None)
}

/// Compiles a checked program with kernels in this language, which the driver of the machine's device compiles now. It is an error of the
/// machine if there is no driver or device.
pub fn compile_for_device(
    program: &Program,
    compiler: &Compiler,
    dialect: Dialect,
) -> Result<Compiled, CompileError> {
    compiled(program, compiler, Some(dialect))
}

fn compiled(
    program: &Program,
    compiler: &Compiler,
    dialect: Option<Dialect>,
) -> Result<Compiled, CompileError> {
    let emitted = emit_for(program, &|_, _| None, "", dialect)?;
    let entry = |name: &Symbol, symbol: &String| {
        let procedure = program.procedures.iter().find(|procedure| procedure.name == *name)?;
        let point = EntryPoint {
            interface: procedure.interface.clone()?,
            params: procedure.params.len(),
            results: procedure.results.len(),
            symbol: symbol.clone(),
        };
        Some((Symbol::as_str(*name), point))
    };
    let entries: BTreeMap<_, _> =
        emitted.symbols.iter().filter_map(|(name, symbol)| entry(name, symbol)).collect();
    let functions = compiler.build(&file_text(&emitted), |library| {
        Functions::load(library, entries.values().map(|point: &EntryPoint| point.symbol.as_str()))
    })?;
    if dialect.is_some() {
        functions.open_device()?;
    }
    Ok(Compiled { entries, sites: emitted.sites, params: emitted.params, functions })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_literals() {
        assert_eq!(c_string("a \"b\" \\ ??/ \n\u{1}é"), "\"a \\\"b\\\" \\\\ \\?\\?/ \\n\\001é\"");
    }
}
