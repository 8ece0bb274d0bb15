//! `fun explain --fusion`: which arrays stay between maps or scans and what reads them, and why.

use super::json;
use crate::compile::Failure;
use crate::files;
use fun_library::report_text::{at, place};
use fun_passes::fun::fuse::kept::{Kept, kept};
use fun_passes::pipeline;
use fun_passes::program::{Program, Stage};

/// Prints what fusion leaves of a program.
pub(super) fn explain(file: &str, entry: &str, program: Program, as_json: bool) -> Result<(), Failure> {
    if program.stage() != Stage::Fun {
        return Err(Failure::Message(
            "fusion runs on the program in FUN, before it has memory: give the source or .fun".to_owned(),
        ));
    }
    let passes = pipeline::passes_from(&pipeline::PIPELINES[0], program.stage());
    let last = passes.iter().rposition(|pass| pass.name == "fuse-epilogues").map_or(0, |last| last + 1);
    let program = pipeline::run_passes(program, &passes[..last], true, &mut Vec::new(), &mut |_, _| {});
    let Program::Fun(program) = program.map_err(|error| Failure::Bug(error.to_string()))? else {
        return Err(Failure::Bug("bug in FUN: fusion gives no program in FUN".to_owned()));
    };
    let kept = kept(program);
    Ok(files::write_stdout(&if as_json { json::kept(file, entry, &kept) } else { text(file, entry, &kept) })?)
}

fn text(file: &str, entry: &str, kept: &[Kept]) -> String {
    let mut out =
        format!("{file}: arrays of `{entry}` that fusion leaves between maps and what reads them\n");
    for kept in kept {
        let places: Vec<String> = kept.read_at.iter().map(|loc| place(Some(*loc))).collect();
        let read = if places.is_empty() { String::new() } else { format!(", read in {}", places.join(", ")) };
        out += &format!("\n{}{}{read}\n  {}\n", kept.array.text, at(kept.loc), kept.refusal);
    }
    if kept.is_empty() {
        out += "\nthere are none\n";
    }
    out
}
