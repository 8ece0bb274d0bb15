//! The verbs of the command line. Exit statuses: 0 all went well; 1 the program is refused, failed or disagrees; 2 wrong usage, or no test
//! to run; 70 a bug in FUN. `fun verify` has more of them.

mod autotune;
mod bench;
mod check;
mod compile;

mod dev;
mod explain;
mod fuzz;
mod repl;
mod run;
mod test;
mod verify;

pub(crate) use compile::at_stage;
pub(crate) use dev::passes_help;
pub(crate) use verify::verify_expression;

use crate::arguments::{Arguments, Command};
use crate::compile::Failure;
use std::process::ExitCode;

/// Exit status for a bug in FUN.
pub(crate) const BUG: u8 = 70;

/// Exit status when nobody reads standard output any more: that of a process ended by SIGPIPE.
pub(crate) const CLOSED: u8 = 141;

/// Does what the command line says.
pub(crate) fn run(arguments: Arguments) -> ExitCode {
    let result = match arguments.command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Repl(arguments) => repl::run(&arguments),
        Command::Test(arguments) => return test::run(&arguments),
        Command::Bench(arguments) => match bench::run(&arguments) {
            Ok(status) => return status,
            Err(failure) => Err(failure),
        },
        Command::Autotune(arguments) => autotune::run(&arguments),
        Command::Verify(arguments) => return verify::run(&arguments),
        Command::Fuzz(arguments) => return fuzz::run(&arguments),
        Command::Compile(arguments) => compile::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Dev(arguments) => dev::run(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.report();
            match failure {
                Failure::Bug(_) => ExitCode::from(BUG),
                Failure::Diagnostics(..) | Failure::Message(_) | Failure::Reported => ExitCode::FAILURE,
            }
        }
    }
}
