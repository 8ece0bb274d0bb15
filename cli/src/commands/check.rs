//! `fun check`: types, sizes and consumption of source files, well-formedness of intermediate programs.

use crate::arguments::CheckArguments;
use crate::compile::{Failure, load};

pub(super) fn run(arguments: &CheckArguments) -> Result<(), Failure> {
    let mut refused = false;
    for path in &arguments.programs {
        if let Err(failure) = load(path) {
            failure.report();
            refused = true;
        }
    }
    if refused { Err(Failure::Reported) } else { Ok(()) }
}
