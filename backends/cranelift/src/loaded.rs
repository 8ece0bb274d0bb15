//! A program in memory with the tables and functions that make it a library, as callers in C see it.

use crate::compile::{CompileError, Options, machine};
use crate::tables::build;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::default_libcall_names;
use fun_base::name::Symbol;
use fun_runtime::library::{Table, Wrapper};
use imp::ir::Program;
use std::collections::BTreeMap;
use std::fmt;

/// A library in memory. Dropping it keeps its code, as nobody knows who still has an address of it: [`LoadedLibrary::free`] frees that.
pub struct LoadedLibrary {
    module: JITModule,
    functions: BTreeMap<String, usize>,
}

// SAFETY: code and data are complete and the module is touched by `free` alone, which owns it
unsafe impl Send for LoadedLibrary {}
// SAFETY: as above
unsafe impl Sync for LoadedLibrary {}

impl fmt::Debug for LoadedLibrary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LoadedLibrary").field("functions", &self.functions).finish_non_exhaustive()
    }
}

impl LoadedLibrary {
    /// The address of a function that callers see.
    pub fn function(&self, name: &str) -> Option<usize> {
        self.functions.get(name).copied()
    }

    /// Frees the code.
    ///
    /// # Safety
    ///
    /// Nobody may be in it or call it again.
    pub unsafe fn free(self) {
        // SAFETY: as above
        unsafe { self.module.free_memory() }
    }
}

/// Compiles a checked program into memory, with these tables and the functions that callers see. `known_as` says what messages call
/// a procedure; `runtime` has what all of these call.
pub fn load(
    program: &Program,
    tables: &[Table],
    wrappers: &[Wrapper],
    known_as: &dyn Fn(Symbol) -> Symbol,
    runtime: &[(&str, usize)],
) -> Result<LoadedLibrary, CompileError> {
    let options = Options::default();
    let mut builder = JITBuilder::with_isa(machine(options, false, false)?, default_libcall_names());
    for (name, address) in runtime {
        builder.symbol(*name, *address as *const u8);
    }
    let mut module = JITModule::new(builder);
    let made = build(&mut module, program, tables, wrappers, known_as, (options, false))?;
    module.finalize_definitions().map_err(CompileError::from_module)?;
    let address = |id| module.get_finalized_function(id) as usize;
    let functions = wrappers.iter().zip(made).map(|(wrapper, id)| (wrapper.name.clone(), address(id)));
    let functions = functions.collect();
    Ok(LoadedLibrary { module, functions })
}
