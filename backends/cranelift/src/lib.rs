//! IMP to machine code with Cranelift: compiled in memory and run at once.
//!
//! [`compile`] turns a checked IMP program into a [`Compiled`], whose entry points run on values; [`clif_text`] and
//! [`asm_text`] show the code. Every procedure becomes a function
//! `(context, parameters…, results: pointer) -> status`; a nonzero status ends the run through all frames. The bodies of
//! outermost parallel loops become functions of their own that the runtime calls on chunks. Views live in registers: an
//! address and strides. The generated code is a function of the program alone.
//! [`object()`] writes the same code as an object file, for libraries; [`load`] makes a library in memory.
#![allow(unsafe_code, reason = "calls the code that it generated")]

mod compile;
mod emit;
mod loaded;
mod object;
mod run;
mod tables;
mod unit;
mod uses;
#[cfg(target_arch = "x86_64")]
mod wide;
#[cfg(not(target_arch = "x86_64"))]
#[path = "wide/absent.rs"]
mod wide;

pub use compile::{CompileError, Compiled, Jit, Options, asm_text, clif_text, compile, loops_text};
pub use fun_runtime::control::{RunControl, Usage};
pub use fun_runtime::par::most_strands;
pub use fun_runtime::pool::with_threads;
pub use loaded::{LoadedLibrary, load};
pub use object::object;
pub use run::Run;
