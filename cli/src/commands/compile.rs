//! `fun compile --emit`, and `--certify`, which checks the evidence of the passes.

use crate::arguments::{CompileArguments, Emit};
use crate::compile::{Failure, Loaded, load, to_imp};
use crate::files;
use fun_passes::pipeline;
use fun_passes::program::{Program, Stage};
use std::fmt::Display;

pub(super) fn run(arguments: &CompileArguments) -> Result<(), Failure> {
    let Loaded { sources, program, .. } = load(&arguments.program)?;
    if arguments.certify {
        certify(program.clone(), arguments.emit.is_none())?;
    }
    let Some(emit) = arguments.emit else { return Ok(()) };
    let text = match emit {
        Emit::Fun => at_stage(program, Stage::Fun)?,
        Emit::Funmem => at_stage(program, Stage::FunMem)?,
        Emit::Imp => at_stage(program, Stage::Imp)?,
        Emit::Clif => code(fun_cranelift::clif_text(&to_imp(program, &mut Vec::new())?))?,
        Emit::Asm => code(fun_cranelift::asm_text(&to_imp(program, &mut Vec::new())?))?,
        Emit::C => {
            let line = |file, line: u32| {
                let source = sources.iter().find(|source| source.name == file)?;
                source.text.lines().nth(line.checked_sub(1)? as usize).map(str::to_owned)
            };
            code(fun_c::c_text(&to_imp(program, &mut Vec::new())?, &line))?
        }
    };
    match &arguments.output {
        Some(path) => Ok(files::write_file(path, text.as_bytes())?),
        None => Ok(files::write_stdout(&text)?),
    }
}

/// Runs the default pipeline and checks the certificates of its passes.
fn certify(program: Program, alone: bool) -> Result<(), Failure> {
    let passes = pipeline::passes_from(&pipeline::PIPELINES[0], program.stage());
    let mut certificates = Vec::new();
    pipeline::run_passes_certified(
        program,
        &passes,
        true,
        &mut Vec::new(),
        &mut certificates,
        &mut |_, _| {},
    )
    .map_err(|error| Failure::Bug(error.to_string()))?;
    let tally = fun_certify::check_all(&certificates);
    // The program goes to standard output, if one is written.
    if alone {
        files::write_stdout(&tally.to_string())?;
    } else {
        eprint!("{tally}");
    }
    if tally.broken.is_empty() { Ok(()) } else { Err(Failure::Reported) }
}

/// The text of the program when the default pipeline first reaches the stage.
pub(crate) fn at_stage(program: Program, stage: Stage) -> Result<String, Failure> {
    let given = program.stage();
    if given > stage {
        let (given, stage) = (given.name(), stage.name());
        return Err(Failure::Message(format!(
            "the program is at stage {given} already, which is after {stage}"
        )));
    }
    let passes = pipeline::passes_from(&pipeline::PIPELINES[0], given);
    let passes: Vec<_> = passes
        .into_iter()
        .take_while(|pass| pass.from < stage || pass.to == Stage::Imp && stage == Stage::Imp)
        .collect();
    let passes = if stage == Stage::Fun { Vec::new() } else { passes };
    let program = pipeline::run_passes(program, &passes, true, &mut Vec::new(), &mut |_, _| {})
        .map_err(|error| Failure::Bug(error.to_string()))?;
    Ok(program.print())
}

fn code<E: Display>(result: Result<String, E>) -> Result<String, Failure> {
    result.map_err(|error| Failure::Bug(format!("bug in FUN: {error}")))
}
