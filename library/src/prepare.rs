//! Programs as libraries have them: results that are arguments without copies, and procedures that give the sizes of results.

use fun_base::name::Symbol;
use fun_c::library::{EntryInterface, Library, library};
use fun_c::{CompileError, Dialect};
use fun_passes::imp::result_sizes::with_result_sizes;
use fun_passes::imp::shared_results::share_results;
use imp::ir::Program;
use std::collections::BTreeMap;

/// A program for a library, and what the library has beside its code.
#[derive(Debug)]
pub struct LibraryProgram {
    /// The program, with procedures that are the library's own.
    pub program: Program,
    /// Tables, functions and texts.
    pub library: Library,
}

impl LibraryProgram {
    /// For a lowered program, of whose entry points the source says this; `views` says which procedures are versions of which for arrays in
    /// any order. Kernels, where it has some, are in this language.
    pub fn new(
        program: Program,
        views: &BTreeMap<Symbol, Symbol>,
        interfaces: &[EntryInterface],
        dialect: Dialect,
    ) -> Result<LibraryProgram, CompileError> {
        let (program, sizes) = with_result_sizes(&share_results(program), views);
        let library = library(&program, interfaces, views, &sizes, dialect)?;
        Ok(LibraryProgram { program, library })
    }
}
