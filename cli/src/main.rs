//! The `fun` command: the only crate that reads files, prints, or knows ariadne.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is the program that talks to the user")]

mod arguments;
mod commands;
mod compile;
mod data;
mod files;
mod repl;
mod report;

use clap::Parser;
use std::panic::PanicHookInfo;
use std::process::ExitCode;

/// The compiler allocates many small things: with glibc's allocator, LUD took 143 ms instead of 115, and `fun fuzz` a fifth longer. It
/// costs 2 ms and 8 MiB at the start.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Stack for the compiler's recursive passes: bad input nests deeply, and must end in an error message.
const STACK_BYTES: usize = 512 << 20;

fn main() -> ExitCode {
    let arguments = arguments::Arguments::parse();
    report::print_warnings(!arguments.no_warnings);
    end_quietly_when_nobody_reads();
    let worker = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(|| commands::run(arguments));
    let Ok(worker) = worker else {
        eprintln!("fun: can't start a thread");
        return ExitCode::FAILURE;
    };
    // A panic has been printed by the panic hook: it is a bug in FUN, and the exit status says so.
    worker.join().unwrap_or(ExitCode::from(commands::BUG))
}

/// `fun … | head`: when standard output is closed, printing panics. That is no bug in FUN: the process ends, as others do.
fn end_quietly_when_nobody_reads() {
    let others = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info: &PanicHookInfo<'_>| {
        let text = info.payload().downcast_ref::<String>().map_or("", String::as_str);
        if text.starts_with("failed printing to stdout") {
            std::process::exit(i32::from(commands::CLOSED));
        }
        others(info);
    }));
}
