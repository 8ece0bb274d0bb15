//! `fun compile`: executables, servers, libraries, `--emit`, and `--certify`, which checks the evidence of the passes.

use super::dev::named_passes;
use crate::arguments::{CompileArguments, CompileBackend, Emit};
use crate::compile::{Failure, Loaded, c_failure, load_tuned, to_imp_by, to_imp_with_views};
use crate::files;
use fun_base::source::Source;
use fun_c::library::EntryInterface;
use fun_c::{Dialect, SourceLines};
use fun_library::{LibraryProgram, interfaces};
use fun_passes::pipeline;
use fun_passes::program::{Program, Stage};
use fun_passes::registry;
use fun_passes::thresholds::Thresholds;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::PathBuf;

pub(super) fn run(arguments: &CompileArguments) -> Result<(), Failure> {
    let loaded = load_tuned(&arguments.program, files::tuning(&arguments.tuning)?)?;
    let Loaded { sources, program, entries, thresholds, .. } = loaded;
    let interfaces =
        if arguments.lib || arguments.server { interfaces(&sources, &entries) } else { Vec::new() };
    if arguments.certify {
        certify(program.clone(), arguments.emit.is_none())?;
    }
    let source_line = |file, line: u32| {
        let source = sources.iter().find(|source: &&Source| source.name == file)?;
        source.text.lines().nth(line.checked_sub(1)? as usize).map(str::to_owned)
    };
    if (arguments.exe || arguments.server) && arguments.backend == CompileBackend::Cranelift {
        return Err(Failure::Message(
            "--backend cranelift makes libraries alone: use --backend c".to_owned(),
        ));
    }
    let dialect = dialect(arguments);
    if arguments.exe || arguments.server {
        let passes = with_arrays_kept(arguments, &program)?;
        let program = to_imp_by(program, &passes, &thresholds, &mut Vec::new())?;
        let text = if arguments.exe {
            fun_c::library::executable_text(&program, dialect, &source_line)
        } else {
            fun_c::library::server_text(&program, &interfaces, dialect, &source_line)
        };
        return executable(arguments, &text.map_err(c_failure)?);
    }
    if arguments.lib {
        return library(arguments, &thresholds, program, &interfaces, &source_line);
    }
    let Some(emit) = arguments.emit else { return Ok(()) };
    let stage = match emit {
        Emit::Fun => Some(Stage::Fun),
        Emit::Funmem => Some(Stage::FunMem),
        Emit::Imp => Some(Stage::Imp),
        Emit::Clif | Emit::Loops | Emit::Asm | Emit::C | Emit::Opencl | Emit::Cuda => None,
    };
    let text = match (stage, emit) {
        (Some(_), _) if arguments.pipeline != pipeline::PIPELINES[0].name => {
            let message = "--pipeline is for machine code and C; `fun dev --pipeline` shows what passes make";
            return Err(Failure::Message(message.to_owned()));
        }
        (Some(stage), _) => at_stage(program, stage)?,
        (None, Emit::Loops) => code(fun_cranelift::loops_text(&lowered(arguments, &thresholds, program)?))?,
        (None, Emit::Clif) => code(fun_cranelift::clif_text(&lowered(arguments, &thresholds, program)?))?,
        (None, Emit::Asm) => code(fun_cranelift::asm_text(&lowered(arguments, &thresholds, program)?))?,
        (None, Emit::Opencl | Emit::Cuda) => {
            let dialect = if emit == Emit::Cuda { Dialect::Cuda } else { Dialect::OpenCl };
            code(fun_c::kernels_text(&lowered(arguments, &thresholds, program)?, dialect, &source_line))?
        }
        (None, _) => code(fun_c::c_text(&lowered(arguments, &thresholds, program)?, &source_line))?,
    };
    write(arguments, &text)
}

/// The language of kernels, where the program has some.
fn dialect(arguments: &CompileArguments) -> Dialect {
    if arguments.backend == CompileBackend::Cuda { Dialect::Cuda } else { Dialect::OpenCl }
}

/// The program in IMP, by the pipeline that was asked for.
fn lowered(
    arguments: &CompileArguments,
    thresholds: &Thresholds,
    program: Program,
) -> Result<imp::ir::Program, Failure> {
    let passes = named_passes(&[], &arguments.pipeline, &program)?;
    to_imp_by(program, &passes, thresholds, &mut Vec::new())
}

/// The passes of the pipeline that was asked for, but that arrays stay on a device from call to call; to modules for Rust they are slices.
fn with_arrays_kept(
    arguments: &CompileArguments,
    program: &Program,
) -> Result<Vec<&'static registry::Pass>, Failure> {
    let mut passes = named_passes(&[], &arguments.pipeline, program)?;
    if !arguments.rust
        && let Some(resident) = registry::find("kernels-resident")
    {
        passes.iter_mut().filter(|pass| pass.name == "kernels").for_each(|pass| *pass = resident);
    }
    Ok(passes)
}

fn write(arguments: &CompileArguments, text: &str) -> Result<(), Failure> {
    match &arguments.output {
        Some(path) => {
            files::keep_input(&arguments.program, path)?;
            Ok(files::write_file(path, text.as_bytes())?)
        }
        None => Ok(files::write_stdout(text)?),
    }
}

/// Makes an executable of its C, or writes that.
fn executable(arguments: &CompileArguments, text: &str) -> Result<(), Failure> {
    if writes_c(arguments)? {
        return write(arguments, text);
    }
    let path = output_path(arguments)?;
    let made = fun_c::Compiler::find(fun_c::Options::default())
        .and_then(|compiler| compiler.build_executable(text, &path));
    made.map_err(c_failure)
}

/// Makes a library with its header and manifest, or writes its C.
fn library(
    arguments: &CompileArguments,
    thresholds: &Thresholds,
    program: Program,
    interfaces: &[EntryInterface],
    source_line: SourceLines<'_>,
) -> Result<(), Failure> {
    let passes = with_arrays_kept(arguments, &program)?;
    // devices are given arrays row after row, whatever order they have
    let on_device = matches!(arguments.backend, CompileBackend::Opencl | CompileBackend::Cuda);
    let dialect = dialect(arguments);
    let (mut program, views) = if arguments.no_views || on_device {
        (to_imp_by(program, &passes, thresholds, &mut Vec::new())?, BTreeMap::new())
    } else {
        to_imp_with_views(program, &passes)?
    };
    let by_way_of_c = arguments.backend != CompileBackend::Cranelift;
    if !by_way_of_c {
        imp::params::fix(&mut program);
    }
    let prepared = LibraryProgram::new(program, &views, interfaces, dialect).map_err(c_failure)?;
    let LibraryProgram { program, library: texts } = prepared;
    if writes_c(arguments)? {
        if !by_way_of_c {
            let message = "libraries by machine code have no C: --emit c goes with --backend c";
            return Err(Failure::Message(message.to_owned()));
        }
        return write(arguments, &texts.c_text(&program, dialect, source_line).map_err(c_failure)?);
    }
    let path = output_path(arguments)?;
    let beside = |ending: &str| {
        let mut name = path.clone().into_os_string();
        name.push(ending);
        PathBuf::from(name)
    };
    // Python takes prog.so for a module of its own, before prog.py
    if arguments.python && beside(".so").exists() {
        let message = format!(
            "Python would load {} instead of the module beside it: remove it, or choose another name with -o",
            beside(".so").display()
        );
        return Err(Failure::Message(message));
    }
    let shared = match path.file_name().filter(|_| arguments.python) {
        Some(name) => path.with_file_name(format!("lib{}.so", name.to_string_lossy())),
        None => beside(".so"),
    };
    let made = if by_way_of_c {
        let source = texts.c_text(&program, dialect, source_line).map_err(c_failure)?;
        fun_c::Compiler::find(fun_c::Options::default()).and_then(|compiler| {
            if arguments.static_library {
                compiler.build_static_library(&source, &path)
            } else {
                compiler.build_library(&source, &path, &shared)
            }
        })
    } else {
        let object = code(fun_cranelift::object(&program, &texts.tables(), texts.wrappers(), &|name| {
            texts.known_as(name)
        }))?;
        let objects = [&object[..], fun_c::library::RUNTIME];
        if arguments.static_library {
            fun_c::linker::static_library(&objects, &beside(".a"))
        } else {
            fun_c::linker::shared_library(&objects, &shared)
        }
    };
    made.map_err(c_failure)?;
    if arguments.python {
        files::write_file(&beside(".py"), texts.python.as_bytes())?;
    }
    if arguments.rust {
        files::write_file(&beside(".rs"), texts.rust.as_bytes())?;
    }
    files::write_file(&beside(".h"), texts.header.as_bytes())?;
    Ok(files::write_file(&beside(".json"), texts.manifest.as_bytes())?)
}

/// Whether only C is to be written of what is made by way of it.
fn writes_c(arguments: &CompileArguments) -> Result<bool, Failure> {
    match arguments.emit {
        Some(Emit::C) => Ok(true),
        Some(_) => {
            let message = "executables and libraries are made by way of C: they go with --emit c";
            Err(Failure::Message(message.to_owned()))
        }
        None => Ok(false),
    }
}

/// Where to put what is made: a file that is there is replaced, if it is one and not the program.
fn output_path(arguments: &CompileArguments) -> Result<PathBuf, Failure> {
    let path = arguments.output.clone().unwrap_or_else(|| arguments.program.with_extension(""));
    files::keep_input(&arguments.program, &path)?;
    if path.metadata().is_ok_and(|there| !there.is_file()) {
        let message = format!("{} is there and no file: choose another name with -o", path.display());
        return Err(Failure::Message(message));
    }
    Ok(path)
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

fn code<T, E: Display>(result: Result<T, E>) -> Result<T, Failure> {
    result.map_err(|error| Failure::Bug(format!("bug in FUN: {error}")))
}
