//! Programs that run without FUN: what the C file of an executable has besides the program.
//!
//! The text is the program's, tables of what its entry points take and give, and C that reads these tables
//! (`backends/c/runtime/library/`). All of it is `static`.

mod table;

use crate::CompileError;
use crate::compile::file_text;
use crate::emit::{SourceLines, emit};
use imp::ir::Program;

/// What the tables consist of.
const INTERFACE: &str = include_str!("../runtime/library/interface.c");
/// Contexts, arrays and calls.
const CONTEXT: &str = include_str!("../runtime/library/context.c");
/// Values from streams.
const READ: &str = include_str!("../runtime/library/read.c");
/// Values to streams.
const WRITE: &str = include_str!("../runtime/library/write.c");
/// The command.
const EXECUTABLE: &str = include_str!("../runtime/library/executable.c");

/// Comes first: nothing is seen from outside.
const ALL_STATIC: &str = "#define FUN_EXPORT __attribute__((unused)) static\n";

/// A checked program as a C file with a `main` that behaves as Futhark's executables do. `sources` gives source lines for comments.
pub fn executable_text(program: &Program, sources: SourceLines<'_>) -> Result<String, CompileError> {
    let behind = [CONTEXT, READ, WRITE, EXECUTABLE].concat();
    let emitted = emit(program, sources, &behind)?;
    let tables = table::entries(program, &emitted.symbols);
    Ok([ALL_STATIC, &file_text(&emitted), INTERFACE, &tables, &behind].concat())
}
