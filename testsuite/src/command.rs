//! What the header of a case can ask for.
//!
//! - `check`: the program is well-formed; prints `ok`, or the errors (`CODE line:column message`).
//! - `pass P…`: applies passes and prints the program.
//! - `run [ENTRY] ( ARGUMENTS )`: runs every semantics after every pass of the default pipeline, of that with small tiles and of that with small kernels;
//!   all must agree; prints the results, or the error.
//! - `disagree [ENTRY] ( ARGUMENTS )`: the same, but two semantics must differ; prints which, and how.
//! - `c`: prints the C that the backend makes of a program in IMP, without what all files have.
//! - `stages`: prints the program at every stage, as the default pipeline makes it.
//!
//! Every program that a command meets goes through the laws 1 and 2: its text parses back to itself, and the checker takes it.

use crate::case::Case;
use fun::visit::names::rename_function;
use fun_base::diag::Diagnostic;
use fun_base::name::{NameSource, Symbol};
use fun_base::run::Limits;
use fun_base::source::{Source, Span};
use fun_base::value::{Value, ValueReader};
use fun_frontend::files::Sources;
use fun_passes::pipeline::{self, PIPELINES, Pipeline};
use fun_passes::program::{Program, Stage};
use fun_passes::registry;
use fun_verify::laws::program_laws;
use fun_verify::{Agreement, Options, agree, stages};

/// Runs the command of a case and gives what it prints.
pub fn run(case: &Case) -> Result<String, String> {
    let words: Vec<&str> = case.command.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["check"] => Ok(match load(case) {
            Ok(program) => {
                program_laws(&program)?;
                "ok".to_owned()
            }
            Err(errors) => errors,
        }),
        ["pass", names @ ..] => {
            let mut program = load(case)?;
            program_laws(&program)?;
            for name in names {
                let pass = registry::find(name).ok_or_else(|| format!("there is no pass `{name}`"))?;
                program = pass.run(program).map_err(|error| error.to_string())?;
                program_laws(&program)?;
            }
            Ok(program.print())
        }
        ["run", ..] => run_everywhere(case),
        ["disagree", ..] => disagreement(case),
        [name @ ("opencl" | "cuda")] => match load(case)? {
            Program::Imp(program) => {
                let dialect = if *name == "cuda" { fun_c::Dialect::Cuda } else { fun_c::Dialect::OpenCl };
                fun_c::kernel_functions(&program, dialect, &|_, _| None).map_err(|error| error.to_string())
            }
            Program::Fun(_) | Program::FunMem(_) => Err("kernels are written from IMP".to_owned()),
        },
        ["c"] => match load(case)? {
            Program::Imp(program) => {
                fun_c::c_procedures(&program, &|_, _| None).map_err(|error| error.to_string())
            }
            Program::Fun(_) | Program::FunMem(_) => Err("the C backend takes programs in IMP".to_owned()),
        },
        ["stages"] => all_stages(case),
        _ => Err(format!("unknown command `{}`", case.command.join(" "))),
    }
}

/// The program of a case at the first stage that its file gives; errors as text.
fn load(case: &Case) -> Result<Program, String> {
    let extension = case.path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    let name = case.path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
    let source = Source { name: Symbol::new(name), text: case.program.as_str().into() };
    let program = match Stage::from_name(extension) {
        Some(stage) => stage.parse(&source),
        None => {
            let directory = case.path.parent().map_or_else(String::new, |path| path.display().to_string());
            let mut sources = Sources::importing(source, &directory, &|path| {
                let text = std::fs::read_to_string(path).map_err(|_| "there is no such file".to_owned())?;
                let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
                Ok(Source { name: Symbol::new(name), text: text.into() })
            });
            let compiled = fun_frontend::compile::compile_sources(&mut sources)
                .map_err(|diagnostics| diagnostics_text(&sources.list, &diagnostics))?;
            let program = Program::Fun(renumbered(&compiled.program));
            let errors = program.check();
            return if errors.is_empty() { Ok(program) } else { Err(errors.join("\n")) };
        }
    };
    let program = program.map_err(|diagnostics| diagnostics_text(&[source], &diagnostics))?;
    let errors = program.check();
    if errors.is_empty() { Ok(program) } else { Err(errors.join("\n")) }
}

/// The program with tags counted from 0, so that expectations don't depend on how many names the front end drew.
fn renumbered(program: &fun::ir::Program) -> fun::ir::Program {
    let mut names = NameSource::default();
    let functions = program.functions.iter().map(|function| rename_function(&mut names, function));
    fun::ir::Program { functions: functions.collect() }
}

fn diagnostics_text(sources: &[Source], diagnostics: &[Diagnostic]) -> String {
    let place = |span: &Span| match sources.get(span.file as usize) {
        Some(source) => {
            let loc = source.loc(span.start);
            // Other files than the case are named.
            let file = if span.file > 0 { format!("{}:", source.name) } else { String::new() };
            format!("{file}{}:{}", loc.line, loc.column)
        }
        None => "prelude".to_owned(),
    };
    let lines = diagnostics.iter().map(|diagnostic| {
        let mut text = diagnostic.code.to_owned();
        if let Some((span, label)) = &diagnostic.primary {
            text += &format!(" {} {}", place(span), diagnostic.message);
            if !label.is_empty() {
                text += &format!("\n  {label}");
            }
        } else {
            text += &format!(" {}", diagnostic.message);
        }
        for (span, label) in &diagnostic.labels {
            text += &format!("\n  {} {label}", place(span));
        }
        for note in diagnostic.notes.iter().chain(&diagnostic.help) {
            text += &format!("\n  {note}");
        }
        text
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The pipelines that a case which runs goes through besides the default one.
const OTHER_PIPELINES: [&str; 2] = ["small", "gpu-small"];

fn run_everywhere(case: &Case) -> Result<String, String> {
    let program = match load(case) {
        Ok(program) => program,
        Err(errors) => return Ok(errors),
    };
    let mut compared = compare(case, &program, &PIPELINES[0])?;
    for name in OTHER_PIPELINES {
        if matches!(compared.agreement, Agreement::Agreed { .. } | Agreement::AllFailed(_)) {
            let pipeline = pipeline::find(name).ok_or_else(|| format!("there is no pipeline `{name}`"))?;
            compared = compare(case, &program, pipeline)?;
        }
    }
    match compared.agreement {
        Agreement::Agreed { .. } => {}
        Agreement::AllFailed(error) | Agreement::Skipped(error) => return Ok(error.to_string()),
        Agreement::Disagreed(found) => return Err(format!("{found}\n{}", found.program.print())),
    }
    let results = program.interpret(&compared.entry, &compared.inputs, Limits::default());
    let results = results.map_err(|error| error.to_string())?;
    Ok(results.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

/// What a program does that no semantics should: found by comparing.
fn disagreement(case: &Case) -> Result<String, String> {
    let program = load(case)?;
    match compare(case, &program, &PIPELINES[0])?.agreement {
        Agreement::Disagreed(found) => Ok(found.to_string()),
        Agreement::Agreed { .. } => Err("all semantics agree".to_owned()),
        Agreement::AllFailed(error) | Agreement::Skipped(error) => Err(error.to_string()),
    }
}

/// What came of running a case under every semantics.
struct Compared {
    entry: String,
    inputs: Vec<Value>,
    agreement: Agreement,
}

fn compare(case: &Case, program: &Program, pipeline: &Pipeline) -> Result<Compared, String> {
    program_laws(program)?;
    let (entry, inputs) = call(case, program)?;
    let options = Options { limits: Limits::default(), tolerance: 1e-5, jit: true, order: 0 };
    let passes = pipeline::passes_from(pipeline, program.stage());
    let stages = stages(program.clone(), &passes, &options).map_err(|error| error.to_string())?;
    let agreement = agree(&stages, &entry, &inputs, &options);
    Ok(Compared { entry, inputs, agreement })
}

/// The entry point that a case runs, and its arguments.
fn call(case: &Case, program: &Program) -> Result<(String, Vec<Value>), String> {
    let line = case.command[1..].join(" ");
    let (entry, arguments) = line.split_once('(').ok_or("the command needs arguments in parentheses")?;
    let entry = if entry.trim().is_empty() { "main" } else { entry.trim() };
    let arguments = arguments.trim_end().strip_suffix(')').ok_or("the arguments must end in `)`")?;
    let entries = program.entries();
    let types =
        &entries.iter().find(|e| e.name == entry).ok_or(format!("there is no entry `{entry}`"))?.takes;
    let mut reader = ValueReader::new(arguments.as_bytes());
    let mut inputs = Vec::new();
    for ty in types {
        let value = reader.read(Some(*ty)).map_err(|error| error.to_string())?;
        inputs.push(value.ok_or("an argument is missing")?);
    }
    Ok((entry.to_owned(), inputs))
}

/// A case at the end of its pipeline.
pub struct Lowered {
    /// Its program.
    pub program: imp::ir::Program,
    /// The entry point and its arguments, where the case says `run`.
    pub call: Option<(String, Vec<Value>)>,
}

/// Lowers the program of a case; gives nothing where it is refused, wrong on purpose, or for a device. The error is a text for the user.
pub fn lowered(case: &Case) -> Result<Option<Lowered>, String> {
    let command = case.command.first().map(String::as_str);
    let Ok(program) = load(case) else { return Ok(None) };
    if !matches!(command, Some("run" | "check" | "pass" | "stages")) {
        return Ok(None);
    }
    let call = if command == Some("run") { Some(call(case, &program)?) } else { None };
    let passes = pipeline::passes_from(&PIPELINES[0], program.stage());
    let last = pipeline::run_passes(program, &passes, false, &mut Vec::new(), &mut |_, _| {});
    match last.map_err(|error| error.to_string())? {
        Program::Imp(program) => Ok(Some(Lowered { program, call })),
        Program::Fun(_) | Program::FunMem(_) => Err("the pipeline does not end in IMP".to_owned()),
    }
}

fn all_stages(case: &Case) -> Result<String, String> {
    let program = load(case)?;
    program_laws(&program)?;
    let mut text = String::new();
    let mut show = |stage: &str, program: &Program| {
        text += &format!("// {stage}\n{}\n", program.print().trim_end());
    };
    show(program.stage().name(), &program);
    let mut last = program.stage();
    let passes = pipeline::passes_from(&PIPELINES[0], last);
    let mut current = program;
    let mut broken = Ok(());
    for (i, pass) in passes.iter().enumerate() {
        current = pass.run(current).map_err(|error| error.to_string())?;
        broken = broken.and(program_laws(&current));
        // the last program of each stage is the one that the next stage starts from
        if current.stage() != Stage::Fun && passes.get(i + 1).is_none_or(|next| next.to != current.stage()) {
            show(current.stage().name(), &current);
        } else if current.stage() == Stage::Fun && passes.get(i + 1).is_some_and(|next| next.to != Stage::Fun)
        {
            show("fun, optimised, in kernel form", &current);
        }
        last = current.stage();
    }
    broken?;
    if last != Stage::Imp {
        return Err("the pipeline does not end in IMP".to_owned());
    }
    Ok(text)
}
