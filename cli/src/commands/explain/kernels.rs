//! `fun explain --kernels`: how far apart the cells are that neighbouring threads of a device touch.

use super::json;
use crate::compile::Failure;
use crate::files;
use fun_library::report_text::place;
use fun_passes::imp::coalescing::{Access, AccessKind, accesses};
use fun_passes::pipeline;
use fun_passes::program::Program;

/// Prints the accesses of the kernels that the pipeline for devices makes of a program.
pub(super) fn explain(file: &str, entry: &str, program: Program, as_json: bool) -> Result<(), Failure> {
    let found = pipeline::find("gpu");
    let passes = found.map(|found| pipeline::passes_from(found, program.stage())).unwrap_or_default();
    let program = pipeline::run_passes(program, &passes, true, &mut Vec::new(), &mut |_, _| {});
    let Program::Imp(program) = program.map_err(|error| Failure::Bug(error.to_string()))? else {
        return Err(Failure::Bug("bug in FUN: the pipeline does not end in IMP".to_owned()));
    };
    let accesses = accesses(&program);
    let text = if as_json { json::accesses(file, entry, &accesses) } else { text(file, entry, &accesses) };
    Ok(files::write_stdout(&text)?)
}

fn text(file: &str, entry: &str, accesses: &[Access]) -> String {
    let mut out = format!("{file}: accesses of the kernels of `{entry}`\n");
    let mut last = None;
    for access in accesses {
        if last != Some((access.procedure, access.kernel)) {
            last = Some((access.procedure, access.kernel));
            out += &format!("\nkernel {} of {}\n", access.kernel, access.procedure);
        }
        let place = place(access.loc);
        let loops = match access.loops {
            0 => String::new(),
            1 => " in a loop".to_owned(),
            n => format!(" in {n} loops"),
        };
        out += &format!("{place:>9}  {} {}{loops}: {}\n", kind(access.kind), access.array, step(access));
    }
    if accesses.is_empty() {
        out += "\nthere are none\n";
    }
    out
}

/// What is done, in a word.
pub(super) fn kind(kind: AccessKind) -> &'static str {
    match kind {
        AccessKind::Read => "reads",
        AccessKind::Write => "writes",
        AccessKind::Atomic => "combines",
        AccessKind::Lock => "locks",
    }
}

fn step(access: &Access) -> String {
    match &access.step {
        None => "cells that are not known".to_owned(),
        Some(step) => match step.as_constant() {
            Some(0) => "one cell for all threads".to_owned(),
            Some(1 | -1) => "neighbouring cells".to_owned(),
            _ => format!("cells that are {} apart", step.show(&|var| var.text.to_string())),
        },
    }
}
