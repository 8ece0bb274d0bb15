//! The program under test: compiled once, run on many inputs.

use super::{Backend, Options, Outcome};
use crate::judge::matches;
use crate::structure::{self, Comparison};
use fun_base::name::Symbol;
use fun_base::run::{Limits, RunError};
use fun_base::value::Value;
use fun_cranelift::RunControl;
use fun_frontend::compile::Compiled;
use fun_frontend::lower::EntryInfo;
use fun_passes::pipeline;
use fun_passes::program::{Entry, Program, Stage};
use fun_passes::thresholds::Thresholds;
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Bytes that a run may have in arrays at once.
const MEMORY: u64 = 8 << 30;

/// A program that compiles.
pub(super) struct Subject {
    /// FUN, as lowered from the source: what the interpreter runs.
    pub(super) program: Program,
    /// Its entry points.
    pub(super) entries: Vec<Entry>,
    /// The same as the source has them.
    pub(super) infos: Vec<EntryInfo>,
    /// The last program of each stage.
    stages: Vec<Program>,
    warnings: Vec<String>,
    /// When its tests began.
    pub(super) started: Instant,
    code: Code,
}

/// Compiled code.
enum Code {
    Machine(Box<fun_cranelift::Compiled>),
    C(fun_c::Compiled),
}

fn c_compiler() -> Result<fun_c::Compiler, String> {
    fun_c::Compiler::find(fun_c::Options::default()).map_err(|error| error.to_string())
}

/// Kernels for the device of the machine.
fn for_device(
    program: &Program,
    thresholds: &Thresholds,
    dialect: fun_c::Dialect,
) -> Result<fun_c::Compiled, String> {
    let passes = pipeline::find("gpu").map(|gpu| pipeline::passes_from(gpu, program.stage()));
    let passes = passes.ok_or("bug in FUN: there is no pipeline `gpu`")?;
    let times = &mut Vec::new();
    let last = pipeline::run_passes_tuned(program.clone(), &passes, thresholds, true, times, &mut |_, _| {});
    let last = last.map_err(|error| error.to_string())?;
    thresholds.refuse_unknown()?;
    let Program::Imp(imp) = last else {
        return Err("bug in FUN: the pipeline `gpu` does not end in IMP".to_owned());
    };
    fun_c::compile_for_device(&imp, &c_compiler()?, dialect).map_err(|error| error.to_string())
}

impl Subject {
    /// Compiles a program; the error is a message for the user.
    pub(super) fn new(front: Compiled, backend: Backend) -> Result<Subject, String> {
        let thresholds = Thresholds::of(&front.parameters)?;
        let warnings = front.warnings.iter().map(ToString::to_string).collect();
        let program = Program::Fun(front.program);
        let entries = program.entries();
        let thresholds = thresholds.for_entries(entries.iter().map(|entry| Symbol::new(&entry.name)));
        let for_c = pipeline::find("c").filter(|_| matches!(backend, Backend::C));
        let passes = pipeline::passes_from(for_c.unwrap_or(&pipeline::PIPELINES[0]), program.stage());
        let mut stages: Vec<Program> = Vec::new();
        let last =
            pipeline::run_passes(program.clone(), &passes, true, &mut Vec::new(), &mut |_, program| {
                stages.retain(|earlier| earlier.stage() != program.stage());
                stages.push(program.clone());
            });
        let Program::Imp(imp) = last.map_err(|error| error.to_string())? else {
            return Err("bug in FUN: the default pipeline does not end in IMP".to_owned());
        };
        let code = match backend {
            Backend::Jit => {
                let code = fun_cranelift::compile(&imp, fun_cranelift::Options::default());
                Code::Machine(Box::new(code.map_err(|error| format!("bug in FUN: {error}"))?))
            }
            Backend::C => Code::C(fun_c::compile(&imp, &c_compiler()?).map_err(|error| error.to_string())?),
            Backend::Kernels(dialect) => Code::C(for_device(&program, &thresholds, dialect)?),
        };
        Ok(Subject {
            started: Instant::now(),
            stages,
            entries,
            infos: front.entries,
            program,
            warnings,
            code,
        })
    }

    /// The entry point of this name.
    pub(super) fn entry(&self, name: &str) -> Result<&Entry, String> {
        self.entries.iter().find(|entry| entry.name == name).ok_or_else(|| {
            let names: Vec<&str> = self.entries.iter().map(|entry| entry.name.as_str()).collect();
            let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            format!("there is no entry point `{name}`; there are: {known}")
        })
    }

    /// Runs machine code, at most this long.
    pub(super) fn run_code(
        &self,
        entry: &str,
        inputs: &[Value],
        time: Duration,
    ) -> Result<Vec<Value>, RunError> {
        let control = RunControl::new().with_memory_cap(MEMORY);
        let watched = control.clone();
        let (done, finished) = mpsc::channel::<()>();
        let watch = std::thread::spawn(move || {
            let late = finished.recv_timeout(time) == Err(mpsc::RecvTimeoutError::Timeout);
            if late {
                watched.cancel();
            }
        });
        let result = match &self.code {
            Code::Machine(code) => code.run(entry, inputs, &control),
            Code::C(code) => code.run(entry, inputs, &control),
        };
        drop(done);
        // the watcher only waits and cancels: it does not panic
        let _ = watch.join();
        match result {
            Err(error) if control.is_cancelled() => {
                Err(RunError { message: format!("no result after {} s", time.as_secs_f64()), ..error })
            }
            other => other,
        }
    }

    /// Runs the interpreter of the value semantics.
    pub(super) fn interpret(
        &self,
        entry: &str,
        inputs: &[Value],
        steps: u64,
    ) -> Result<Vec<Value>, RunError> {
        self.program.interpret(entry, inputs, Limits { steps, bytes: 1 << 30 })
    }

    /// Runs machine code on one thread.
    pub(super) fn run_code_alone(
        &self,
        entry: &str,
        inputs: &[Value],
        time: Duration,
    ) -> Result<Vec<Value>, RunError> {
        fun_cranelift::with_threads(1, || self.run_code(entry, inputs, time))
    }

    /// A test that counts nodes. Futhark's sequential stage with memory is like FUNMEM in what it allocates, so its numbers of
    /// allocations are bounds; what else it counts is its own.
    pub(super) fn structure(&self, pipeline: Option<&str>, counts: &[(String, usize)]) -> Outcome {
        let pipeline = pipeline.unwrap_or("SOACS");
        let (stage, comparison) = match pipeline {
            "seq-mem" => (Stage::FunMem.name(), Comparison::AtMost),
            name => (name, Comparison::Exactly),
        };
        let Some(program) = self.stages.iter().find(|program| program.stage().name() == stage) else {
            return Outcome::Skipped(format!("`{pipeline}` is not a stage of FUN"));
        };
        let shared = |name: &str| comparison == Comparison::Exactly || name == "Alloc";
        let counts: Vec<_> = counts.iter().filter(|(name, _)| shared(name)).cloned().collect();
        if counts.is_empty() {
            return Outcome::Skipped(format!("only `Alloc` of `{pipeline}` means something in FUN"));
        }
        match structure::difference(program, &counts, comparison) {
            None => Outcome::Passed(None),
            Some(difference) => Outcome::Failed(difference),
        }
    }

    /// A test that expects a warning; the pattern `^$` asks that there is none.
    pub(super) fn warns(&self, pattern: &str, options: &Options) -> Outcome {
        let warnings = self.warnings.join("\n");
        if matches(pattern, &warnings) {
            return Outcome::Passed(None);
        }
        let remark = format!("no warning matches `{pattern}`:\n{warnings}");
        if options.strict_errors || warnings.is_empty() || pattern == "^$" {
            Outcome::Failed(remark)
        } else {
            Outcome::Passed(Some(remark))
        }
    }
}
