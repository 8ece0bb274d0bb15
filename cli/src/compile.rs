//! From a file to a program at a stage, and on to machine code.

use crate::{files, report};
use fun_base::diag::{Diagnostic, Severity};
use fun_base::name::Symbol;
use fun_base::run::RunError;
use fun_base::source::Source;
use fun_base::value::Value;
use fun_cranelift::{Compiled, RunControl, Usage};
use fun_frontend::lower::EntryInfo;
use fun_passes::pipeline::{self, PassTime};
use fun_passes::program::{Program, Stage};
use fun_passes::registry::Pass;
use fun_passes::thresholds::Thresholds;
use fun_passes::views::run_with_views;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// Why a command stops; printed once, by [`Failure::report`].
pub(crate) enum Failure {
    /// Errors in a program.
    Diagnostics(Vec<Source>, Vec<Diagnostic>),
    /// Anything else that the user did or can mend.
    Message(String),
    /// Our fault.
    Bug(String),
    /// Everything has been printed already.
    Reported,
}

impl From<String> for Failure {
    fn from(message: String) -> Failure {
        Failure::Message(message)
    }
}

impl Failure {
    /// Prints the failure to standard error.
    pub(crate) fn report(&self) {
        match self {
            Failure::Diagnostics(sources, diagnostics) => report::diagnostics(sources, diagnostics),
            Failure::Message(message) => eprintln!("Error: {message}"),
            Failure::Bug(message) => eprintln!("{message}"),
            Failure::Reported => {}
        }
    }
}

/// A program as it was loaded.
pub(crate) struct Loaded {
    /// The source texts; the main one first.
    pub(crate) sources: Vec<Source>,
    /// The program: FUN when it came from a `.fut` file.
    pub(crate) program: Program,
    /// Its entry points as the source declares them; none when it is no source program.
    pub(crate) entries: Vec<EntryInfo>,
    /// What was said of thresholds.
    pub(crate) thresholds: Thresholds,
    /// Steps of the front end and how long they took.
    pub(crate) times: Vec<(&'static str, Duration)>,
}

/// Loads a program; the extension says what it is.
pub(crate) fn load(path: &Path) -> Result<Loaded, Failure> {
    load_tuned(path, BTreeMap::new())
}

/// The same with values for tuning parameters.
pub(crate) fn load_tuned(path: &Path, parameters: BTreeMap<Symbol, i64>) -> Result<Loaded, Failure> {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    let stage = Stage::from_name(extension);
    if stage.is_none() && extension != "fut" {
        let path = path.display();
        return Err(Failure::Message(format!(
            "{path}: don't know what this is: source files end in .fut, others in .fun, .funmem or .imp"
        )));
    }
    let said = Thresholds::of(&parameters)?;
    let source = files::read_source(path)?;
    let start = Instant::now();
    let Some(stage) = stage else { return load_source(source, path.parent(), parameters) };
    let program = match stage.parse(&source) {
        Ok(program) => program,
        Err(diagnostics) => return Err(Failure::Diagnostics(vec![source], diagnostics)),
    };
    let times = vec![("parse", start.elapsed())];
    let errors = program.check();
    if !errors.is_empty() {
        let path = path.display();
        return Err(Failure::Message(format!("{path} is not well-formed:\n{}", errors.join("\n"))));
    }
    let thresholds = said.for_entries(entry_names(&program));
    Ok(Loaded { sources: vec![source], program, entries: Vec::new(), thresholds, times })
}

/// Runs the front end on a source text, whose imports are relative to a directory; prints its warnings.
pub(crate) fn load_source(
    source: Source,
    directory: Option<&Path>,
    parameters: BTreeMap<Symbol, i64>,
) -> Result<Loaded, Failure> {
    let mut sources = files::sources(source, directory);
    sources.parameters = parameters;
    let compiled = fun_frontend::compile::compile_sources(&mut sources);
    let sources = sources.list;
    match compiled {
        Ok(compiled) => {
            let mut warnings = compiled.warnings;
            warnings.retain(|warning| warning.severity == Severity::Warning);
            report::warnings(&sources, &warnings);
            let (entries, times) = (compiled.entries, compiled.times);
            let program = Program::Fun(compiled.program);
            let thresholds = Thresholds::of(&compiled.parameters)?.for_entries(entry_names(&program));
            Ok(Loaded { sources, program, entries, thresholds, times })
        }
        Err(diagnostics) => Err(Failure::Diagnostics(sources, diagnostics)),
    }
}

fn entry_names(program: &Program) -> Vec<Symbol> {
    program.entries().iter().map(|entry| Symbol::new(&entry.name)).collect()
}

/// Brings a program to IMP with the default pipeline.
pub(crate) fn to_imp(program: Program, times: &mut Vec<PassTime>) -> Result<imp::ir::Program, Failure> {
    let passes = pipeline::passes_from(&pipeline::PIPELINES[0], program.stage());
    to_imp_by(program, &passes, &Thresholds::default(), times)
}

/// Refuses entry points that nobody can call.
pub(crate) fn refuse_not_given(program: &Program) -> Result<(), Failure> {
    let not_given = program.not_given();
    if not_given.is_empty() { Ok(()) } else { Err(Failure::Message(not_given.join("\n"))) }
}

/// Brings a program to IMP with these passes, of a whole pipeline.
pub(crate) fn to_imp_by(
    program: Program,
    passes: &[&'static Pass],
    thresholds: &Thresholds,
    times: &mut Vec<PassTime>,
) -> Result<imp::ir::Program, Failure> {
    refuse_not_given(&program)?;
    let program = pipeline::run_passes_tuned(program, passes, thresholds, true, times, &mut |_, _| {})
        .map_err(|error| Failure::Bug(error.to_string()))?;
    thresholds.refuse_unknown()?;
    match program {
        Program::Imp(program) => Ok(program),
        Program::Fun(_) | Program::FunMem(_) => {
            Err(Failure::Bug("bug in FUN: the pipeline does not end in IMP".to_owned()))
        }
    }
}

/// The same with second versions of entry points for arrays in any order, and what these are versions of.
pub(crate) fn to_imp_with_views(
    program: Program,
    passes: &[&'static Pass],
) -> Result<(imp::ir::Program, BTreeMap<Symbol, Symbol>), Failure> {
    refuse_not_given(&program)?;
    match run_with_views(program, passes, &mut Vec::new()) {
        Ok((Program::Imp(program), views)) => Ok((program, views)),
        Ok(_) => Err(Failure::Bug("bug in FUN: the pipeline does not end in IMP".to_owned())),
        Err(error) => Err(Failure::Bug(error.to_string())),
    }
}

/// Brings a program to FUNMEM.
pub(crate) fn to_funmem(program: Program) -> Result<funmem::ir::Program, Failure> {
    let passes = pipeline::passes_from(&pipeline::PIPELINES[0], program.stage());
    let passes: Vec<_> = passes.into_iter().take_while(|pass| pass.to < Stage::Imp).collect();
    let program = pipeline::run_passes(program, &passes, true, &mut Vec::new(), &mut |_, _| {})
        .map_err(|error| Failure::Bug(error.to_string()))?;
    match program {
        Program::FunMem(program) => Ok(program),
        Program::Imp(_) => Err(Failure::Message(
            "the program is in IMP already, where memory has no arrays: give the source, .fun or .funmem"
                .to_owned(),
        )),
        Program::Fun(_) => {
            Err(Failure::Bug("bug in FUN: the default pipeline does not pass through FUNMEM".to_owned()))
        }
    }
}

/// Compiles IMP to machine code.
pub(crate) fn to_machine_code(program: &imp::ir::Program) -> Result<Compiled, Failure> {
    fun_cranelift::compile(program, fun_cranelift::Options::default())
        .map_err(|error| Failure::Bug(format!("bug in FUN: {error}")))
}

/// Compiles IMP to C and that to machine code.
pub(crate) fn to_c(program: &imp::ir::Program) -> Result<fun_c::Compiled, Failure> {
    let compiled = fun_c::Compiler::find(fun_c::Options::default())
        .and_then(|compiler| fun_c::compile(program, &compiler));
    compiled.map_err(c_failure)
}

/// Compiles IMP with kernels to C and kernels in this language, and those to machine code.
pub(crate) fn to_kernels(
    program: &imp::ir::Program,
    dialect: fun_c::Dialect,
) -> Result<fun_c::Compiled, Failure> {
    let compiled = fun_c::Compiler::find(fun_c::Options::default())
        .and_then(|compiler| fun_c::compile_for_device(program, &compiler, dialect));
    compiled.map_err(c_failure)
}

/// What the user is told of an error of the C backend.
pub(crate) fn c_failure(error: fun_c::CompileError) -> Failure {
    if error.is_bug() {
        Failure::Bug(format!("bug in FUN: {error}"))
    } else {
        Failure::Message(error.to_string())
    }
}

/// A run of machine code: its results, how long the code itself took, and the memory it used.
pub(crate) struct Finished {
    pub(crate) values: Vec<Value>,
    pub(crate) time: Duration,
    pub(crate) usage: Usage,
}

/// Runs an entry point of compiled code; conversion of arguments and results is not timed.
pub(crate) fn run_code(
    compiled: &Compiled,
    entry: &str,
    arguments: &[Value],
    control: &RunControl,
) -> Result<Finished, RunError> {
    let mut run = compiled.prepare(entry, arguments, control)?;
    let start = Instant::now();
    run.call()?;
    let time = start.elapsed();
    Ok(Finished { values: run.results()?, time, usage: run.usage() })
}

/// The same for code that came by way of C.
pub(crate) fn run_c(
    compiled: &fun_c::Compiled,
    entry: &str,
    arguments: &[Value],
    control: &RunControl,
) -> Result<Finished, RunError> {
    let mut run = compiled.prepare(entry, arguments, control)?;
    let start = Instant::now();
    run.call()?;
    let time = start.elapsed();
    Ok(Finished { values: run.results()?, time, usage: run.usage() })
}

/// Prints the time that each step and pass took, and the total.
pub(crate) fn print_times(steps: &[(&'static str, Duration)], passes: &[PassTime], code: Option<Duration>) {
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let mut total = Duration::ZERO;
    for (name, time) in steps {
        total += *time;
        eprintln!("{:24} {:9.3} ms", name, ms(*time));
    }
    for pass in passes {
        total += pass.pass + pass.check;
        eprintln!("{:24} {:9.3} ms   check {:9.3} ms", pass.name, ms(pass.pass), ms(pass.check));
    }
    if let Some(time) = code {
        total += time;
        eprintln!("{:24} {:9.3} ms", "machine code", ms(time));
    }
    eprintln!("{:24} {:9.3} ms", "total", ms(total));
}
