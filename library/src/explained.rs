//! What there is to say of the memory of an entry point: by its passes, what they refused, and the formulas of its allocations.

use crate::report::Report;
use fun_base::name::Symbol;
use fun_passes::funmem::copies_left::copies_left;
use fun_passes::funmem::short_circuit::refusal::{Refusal, refusals};
use fun_passes::imp::footprint::{Footprint, of_entry};
use fun_passes::pipeline;
use fun_passes::program::{Program, Stage};
use std::collections::BTreeSet;

/// A program as the default pipeline leaves it in FUNMEM, and why its copies were not done without.
pub struct Explained {
    /// The program.
    pub program: funmem::ir::Program,
    /// Why short-circuiting left copies.
    pub refusals: Vec<Refusal>,
}

/// Brings a program in FUN or FUNMEM to the end of FUNMEM; the error is a bug of ours.
pub fn to_funmem(program: Program) -> Result<Explained, String> {
    let (mut before, mut found) = (None, Vec::new());
    if let Program::FunMem(program) = &program {
        before = Some(program.clone());
    }
    let passes = pipeline::passes_from(&pipeline::PIPELINES[0], program.stage());
    let passes: Vec<_> = passes.into_iter().take_while(|pass| pass.to < Stage::Imp).collect();
    let program = pipeline::run_passes(program, &passes, true, &mut Vec::new(), &mut |pass, after| {
        let Program::FunMem(after) = after else { return };
        if pass.name == "short-circuit" {
            found.extend(before.take().map(refusals).unwrap_or_default());
        }
        before = Some(after.clone());
    });
    match program.map_err(|error| error.to_string())? {
        Program::FunMem(program) => Ok(Explained { program, refusals: found }),
        Program::Fun(_) | Program::Imp(_) => {
            Err("bug in FUN: the default pipeline does not pass through FUNMEM".to_owned())
        }
    }
}

/// Brings a program in FUNMEM or IMP that has had the default pipeline's passes on FUNMEM to the IMP that is compiled; the error is a bug.
pub fn to_imp(program: Program) -> Result<imp::ir::Program, String> {
    let passes = pipeline::passes_from(&pipeline::PIPELINES[0], program.stage());
    let passes: Vec<_> = passes.into_iter().filter(|pass| pass.to == Stage::Imp).collect();
    let program = pipeline::run_passes(program, &passes, true, &mut Vec::new(), &mut |_, _| {});
    match program.map_err(|error| error.to_string())? {
        Program::Imp(program) => Ok(program),
        Program::Fun(_) | Program::FunMem(_) => {
            Err("bug in FUN: the pipeline does not end in IMP".to_owned())
        }
    }
}

/// The report on an entry point of the program of a file, lowered to `imp`; `None` if there is none of this name. Without `explained`
/// nothing is known of copies.
pub fn report(
    file: String,
    explained: Option<&Explained>,
    imp: &imp::ir::Program,
    entry: &str,
) -> Option<(Footprint, Report)> {
    let copies = explained.map(|explained| copies_left(&explained.program, &explained.refusals));
    let called = called(imp, entry);
    let mut copies = copies.unwrap_or_default();
    copies.retain(|copy| called.contains(copy.function.as_str()));
    let footprint = of_entry(imp, entry)?;
    let report = Report::new(file, entry.to_owned(), &footprint, &copies);
    Some((footprint, report))
}

/// The procedures that an entry point calls, itself included.
fn called(program: &imp::ir::Program, entry: &str) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    let mut open: Vec<Symbol> = vec![Symbol::new(entry)];
    while let Some(name) = open.pop() {
        if !found.insert(name.as_str()) {
            continue;
        }
        for procedure in program.procedures.iter().filter(|procedure| procedure.name == name) {
            imp::visit::for_each_statement(&procedure.body, &mut |statement| {
                if let imp::ir::StatementKind::Call { procedure, .. } = &statement.kind {
                    open.push(*procedure);
                }
            });
        }
    }
    found
}
