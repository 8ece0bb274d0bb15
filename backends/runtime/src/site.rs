//! The places of a compiled program that can fail, and the error for a failure.

use crate::context::Failure;
use fun_base::name::Symbol;
use fun_base::run::{RunError, RunErrorKind, fill_message, too_deep};
use fun_base::source::Loc;

/// A place that can fail.
#[derive(Clone, Debug)]
pub struct Site {
    /// What the user is told; allocations have a message of their own.
    pub message: String,
    /// The source text.
    pub loc: Option<Loc>,
    /// The procedure.
    pub function: Symbol,
}

/// The error for a failure of a program with these places.
pub fn run_error(sites: &[Site], failure: Failure) -> RunError {
    let (site, kind, message) = match failure {
        Failure::Cancelled => return RunError::limit("interrupted"),
        Failure::Site { site, numbers } => {
            let message = sites.get(site as usize).map(|site| fill_message(&site.message, &numbers));
            (site, RunErrorKind::Assert, message)
        }
        Failure::Stack { site } => (site, RunErrorKind::Limit, Some(too_deep().message)),
        Failure::NegativeSize { site, size } => {
            (site, RunErrorKind::Assert, Some(format!("allocation of negative size {size}")))
        }
        Failure::Memory { site, bytes, cap: Some(cap) } => (
            site,
            RunErrorKind::Limit,
            Some(format!("allocation of {bytes} bytes failed: more than the limit of {cap} bytes")),
        ),
        Failure::Memory { site, bytes, cap: None } => (
            site,
            RunErrorKind::Assert,
            Some(format!("allocation of {bytes} bytes failed: more than the machine has")),
        ),
    };
    match sites.get(site as usize) {
        Some(site) => RunError::new(kind, message.unwrap_or_else(|| site.message.clone()))
            .at(site.loc)
            .in_function(site.function),
        None => RunError::fault("the run stopped at an unknown place"),
    }
}
