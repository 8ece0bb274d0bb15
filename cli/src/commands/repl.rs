//! `fun repl`.

use crate::arguments::ReplArguments;
use crate::compile::Failure;

pub(super) fn run(arguments: &ReplArguments) -> Result<(), Failure> {
    crate::repl::run(arguments.program.as_deref())
}
