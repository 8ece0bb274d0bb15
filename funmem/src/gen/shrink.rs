//! Smaller programs that still check and whose two semantics still agree. The edits are those of FUN.

use super::GenProgram;
use crate::check::check_program;
use crate::erase::erase;
use crate::interp;
use crate::ir::Mem;
use fun::r#gen::shrink::{Shrunk, candidates};
use fun_base::run::{Limits, RunErrorKind};

/// Candidates that are good.
pub(super) fn shrink(whole: &GenProgram) -> Box<dyn Iterator<Item = GenProgram>> {
    let found = candidates::<Mem>(&whole.program, &whole.inputs, whole.next);
    let made = found.map(|Shrunk { program, inputs, next }| GenProgram { program, inputs, next });
    Box::new(made.filter(is_good))
}

/// Whether the program checks and is valid for its inputs (Definition 3.1).
fn is_good(candidate: &GenProgram) -> bool {
    let limits = Limits { steps: 1_000_000, bytes: 1 << 24 };
    if check_program(&candidate.program).is_err() {
        return false;
    }
    let values = fun::interp::run(&erase(&candidate.program), "main", &candidate.inputs, limits);
    let heap = interp::run(&candidate.program, "main", &candidate.inputs, limits);
    match (values, heap) {
        (Ok(values), Ok(heap)) => values.iter().zip(&heap).all(|(value, found)| value.same(found)),
        (Err(values), Err(heap)) => values.kind == RunErrorKind::Assert && heap.kind == RunErrorKind::Assert,
        (Ok(_), Err(_)) | (Err(_), Ok(_)) => false,
    }
}
