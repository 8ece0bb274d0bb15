//! Machine code with vectors of 32 bytes, which Cranelift's own does not have: functions in Cranelift's intermediate code, of loops without calls,
//! become instructions of AVX2.
//!
//! Cranelift's passes come first (common expressions, what does not change in a loop); then instructions are chosen ([`select`]), constants of inner
//! loops go to registers that are left ([`constants`]), registers are assigned ([`assign`]) and bytes written ([`bytes`]). What has no instruction here is refused, with its name, and the loop is compiled by Cranelift with
//! vectors of 16 bytes.

mod assign;
mod bytes;
mod code;
mod constants;
mod listing;
mod moves;
mod select;
mod shield;

pub(crate) use listing::text;
pub(crate) use shield::{hidden, hidden_pair};

use cranelift_codegen::Context;
use cranelift_codegen::isa::TargetIsa;
use std::fmt;

/// Why a function is not compiled here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Unsupported(String);

impl Unsupported {
    pub(crate) fn new(what: impl Into<String>) -> Unsupported {
        Unsupported(what.into())
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A function as bytes.
pub(crate) struct Code {
    /// Instructions, and constants behind them.
    pub(crate) bytes: Vec<u8>,
    /// How many bytes are instructions.
    instructions: usize,
}

/// The alignment of functions.
pub(crate) const ALIGNMENT: u64 = 32;

/// The code of the function of a context: of at most two parameters and with one result, all in general registers, by the calling convention of Unix.
pub(crate) fn compile(context: &mut Context, isa: &dyn TargetIsa) -> Result<Code, Unsupported> {
    let optimised = context.optimize(isa, &mut Default::default());
    optimised.map_err(|error| Unsupported::new(format!("{error:#?}")))?;
    shield::reveal(&mut context.func);
    context.compute_loop_analysis();
    let mut draft = select::select(context)?;
    constants::keep(&mut draft);
    let assignment = assign::assign(&draft);
    bytes::bytes(&draft, &assignment)
}
