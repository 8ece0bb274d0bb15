//! IMP to C, as one readable file without dependencies but libc and libm; compiled with the system's compiler and run.
//!
//! [`c_text`] writes a checked IMP program as C11 with the extensions that GCC and Clang share; [`compile`] gives it to the compiler,
//! loads what that makes and gives a [`Compiled`], whose entry points run on values. Every procedure becomes a function
//! `(context, parameters…, results) -> status`; a status that is not zero ends the run through all frames. Views are typed pointers
//! with offsets and strides in variables. Parallel loops run on threads of the context's.
//!
//! [`library::executable_text`] adds a `main` to the text, and [`Compiler::build_executable`] makes a command of it that needs nothing of FUN.
//!
//! Results are those of the interpreters bit for bit, but for the elementary functions, which are the C library's
//! (`docs/backends.md` has the differences). The text is a function of the program and its source lines alone.
#![allow(unsafe_code, reason = "loads and calls the code that the C compiler made")]

mod compile;
mod compiler;
mod dialect;
mod emit;
mod groups;
mod helpers;
pub mod library;
mod lines;
pub mod linker;
mod names;
mod params;
mod run;
mod types;

pub use compile::{
    CompileError, Compiled, c_procedures, c_text, compile, compile_for_device, kernel_functions, kernels_text,
};
pub use compiler::{Compiler, Options};
pub use dialect::Dialect;
pub use emit::SourceLines;
pub use fun_runtime::control::{RunControl, Usage};
pub use run::Run;
