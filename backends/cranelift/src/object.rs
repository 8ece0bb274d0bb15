//! A program as an object file, with the tables and functions that make it a library: what a linker joins with the runtime.

use crate::compile::{CompileError, Options, machine};
use crate::tables::build;
use cranelift_module::default_libcall_names;
use cranelift_object::{ObjectBuilder, ObjectModule};
use fun_base::name::Symbol;
use fun_runtime::library::{Table, Wrapper};
use imp::ir::Program;

/// A checked program as an object file in the machine's format, with these tables and the functions that callers see. `known_as` says
/// what messages call a procedure.
pub fn object(
    program: &Program,
    tables: &[Table],
    wrappers: &[Wrapper],
    known_as: &dyn Fn(Symbol) -> Symbol,
) -> Result<Vec<u8>, CompileError> {
    let options = Options::default();
    let isa = machine(options, false, true)?;
    let builder = ObjectBuilder::new(isa, "program", default_libcall_names());
    let mut module = ObjectModule::new(builder.map_err(CompileError::from_module)?);
    build(&mut module, program, tables, wrappers, known_as, (options, true))?;
    let made = module.finish().emit();
    made.map_err(|error| CompileError::new(format!("the object file can't be written: {error}")))
}
