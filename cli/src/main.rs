//! The `fun` command: the only crate that reads files, prints, or knows ariadne.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is the program that talks to the user")]

mod arguments;
mod commands;
mod compile;
mod files;
mod repl;
mod report;

use clap::Parser;
use std::process::ExitCode;

/// Stack for the compiler's recursive passes: bad input nests deeply, and must end in an error message.
const STACK_BYTES: usize = 512 << 20;

fn main() -> ExitCode {
    let arguments = arguments::Arguments::parse();
    report::print_warnings(!arguments.no_warnings);
    let worker = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(|| commands::run(arguments));
    let Ok(worker) = worker else {
        eprintln!("fun: can't start a thread");
        return ExitCode::FAILURE;
    };
    // A panic has been printed by the panic hook: it is a bug in FUN, and the exit status says so.
    worker.join().unwrap_or(ExitCode::from(commands::BUG))
}
