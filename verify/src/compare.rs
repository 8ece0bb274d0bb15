//! Runs a program under every semantics and finds the first disagreement.

use fun_base::run::{Limits, RunError, RunErrorKind};
use fun_base::value::Value;
use fun_cranelift::RunControl;
use fun_passes::pipeline::{PipelineError, run_passes};
use fun_passes::program::Program;
use fun_passes::registry::Pass;
use std::fmt;

/// How far the comparison goes.
#[derive(Clone, Debug)]
pub struct Options {
    /// Bounds on each interpreter run.
    pub limits: Limits,
    /// Relative tolerance on floats: reductions may be reassociated.
    pub tolerance: f64,
    /// Whether to run machine code too.
    pub jit: bool,
}

/// One way to run a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Semantics {
    /// The pass that made the program; `None` for the program as given.
    pub after: Option<&'static str>,
    /// How it is run.
    pub how: &'static str,
}

impl fmt::Display for Semantics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.after {
            None => write!(f, "{} of the program as given", self.how),
            Some(pass) => write!(f, "{} after pass `{pass}`", self.how),
        }
    }
}

/// What two semantics disagree about.
#[derive(Clone, Debug)]
pub enum Difference {
    /// Results differ: what `Value::close` or the counts say.
    Values(String),
    /// One gave values (or stopped at an assertion), the other did something else.
    Outcome {
        /// What the reference did.
        expected: String,
        /// What the other did.
        found: String,
        /// The error of the other, when it stopped, with its place.
        error: Option<RunError>,
    },
}

/// Two semantics of one program that disagree on some inputs.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The entry point.
    pub entry: String,
    /// Its arguments.
    pub inputs: Vec<Value>,
    /// The semantics that differs from the reference.
    pub semantics: Semantics,
    /// How.
    pub difference: Difference,
    /// The program that was run.
    pub program: Box<Program>,
}

/// The result of a comparison.
#[derive(Debug)]
pub enum Agreement {
    /// Every semantics gave the same values; this many were compared.
    Agreed(usize),
    /// Every semantics stopped with an assertion.
    AllFailed(RunError),
    /// The reference reached a limit, or refused the inputs: nothing was compared.
    Skipped(RunError),
    /// They disagree.
    Disagreed(Box<Disagreement>),
}

/// A program at each point of a pipeline, and as machine code.
pub struct Stages {
    programs: Vec<(Option<&'static str>, Program)>,
    compiled: Option<fun_cranelift::Compiled>,
}

/// Why there is no program at some point of a pipeline: a bug of FUN, or of a pass under test.
#[derive(Debug)]
pub enum StagesError {
    /// A pass does not fit, or the checker refuses what it made.
    Pipeline(PipelineError),
    /// There is no machine code for the last program.
    Machine(String),
}

impl fmt::Display for StagesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StagesError::Pipeline(error) => error.fmt(f),
            StagesError::Machine(message) => write!(f, "bug in FUN: no machine code: {message}"),
        }
    }
}

impl Stages {
    /// The programs in order, each with the name of the pass that made it.
    pub fn programs(&self) -> &[(Option<&'static str>, Program)] {
        &self.programs
    }
}

/// Runs the passes once, keeping every program, so that many inputs can be compared.
pub fn stages(program: Program, passes: &[&'static Pass], options: &Options) -> Result<Stages, StagesError> {
    let mut programs = vec![(None, program.clone())];
    let result = run_passes(program, passes, true, &mut Vec::new(), &mut |pass, program| {
        programs.push((Some(pass.name), program.clone()));
    });
    let last = result.map_err(StagesError::Pipeline)?;
    let compiled = match &last {
        Program::Imp(imp) if options.jit => {
            let compiled = fun_cranelift::compile(imp, fun_cranelift::Options::default());
            Some(compiled.map_err(|error| StagesError::Machine(error.to_string()))?)
        }
        Program::Imp(_) | Program::Fun(_) | Program::FunMem(_) => None,
    };
    Ok(Stages { programs, compiled })
}

/// Compares all semantics on one set of inputs.
pub fn agree(stages: &Stages, entry: &str, inputs: &[Value], options: &Options) -> Agreement {
    let (_, given) = &stages.programs[0];
    let reference = run_value_semantics(given, entry, inputs, options.limits);
    if let Err(error) = &reference
        && matches!(error.kind, RunErrorKind::Limit | RunErrorKind::Input)
    {
        return Agreement::Skipped(error.clone());
    }
    let mut compared = 1;
    let mut differs = |semantics: Semantics, outcome: Result<Vec<Value>, RunError>, program: &Program| {
        compared += 1;
        let difference = difference(&reference, &outcome, options.tolerance)?;
        let (entry, inputs) = (entry.to_owned(), inputs.to_vec());
        let program = Box::new(program.clone());
        Some(Agreement::Disagreed(Box::new(Disagreement { entry, inputs, semantics, difference, program })))
    };
    if let Err(error) = &reference
        && error.kind == RunErrorKind::Fault
    {
        let semantics = Semantics { after: None, how: "the value semantics" };
        let difference = Difference::Outcome {
            expected: "values".to_owned(),
            found: outcome_text(&reference),
            error: reference.as_ref().err().cloned(),
        };
        let (entry, inputs, program) = (entry.to_owned(), inputs.to_vec(), Box::new(given.clone()));
        return Agreement::Disagreed(Box::new(Disagreement {
            entry,
            inputs,
            semantics,
            difference,
            program,
        }));
    }
    for (after, program) in &stages.programs {
        let how = match program {
            Program::Fun(_) => "the value semantics",
            Program::FunMem(_) => "the heap semantics",
            Program::Imp(_) => "the IMP interpreter",
        };
        if let Program::FunMem(_) = program
            && after.is_some()
        {
            let outcome = run_value_semantics(program, entry, inputs, options.limits);
            let semantics = Semantics { after: *after, how: "the value semantics" };
            if let Some(found) = differs(semantics, outcome, program) {
                return found;
            }
        }
        if after.is_none() && matches!(program, Program::Fun(_)) {
            continue; // this is the reference
        }
        let outcome = program.interpret(entry, inputs, options.limits);
        if let Some(found) = differs(Semantics { after: *after, how }, outcome, program) {
            return found;
        }
    }
    if let (Some(compiled), Some((after, program))) = (&stages.compiled, stages.programs.last()) {
        let outcome = compiled.run(entry, inputs, &RunControl::default());
        if let Some(found) = differs(Semantics { after: *after, how: "machine code" }, outcome, program) {
            return found;
        }
    }
    match reference {
        Ok(_) => Agreement::Agreed(compared),
        Err(error) => Agreement::AllFailed(error),
    }
}

/// The value semantics of a program: FUNMEM through its erasure; IMP has only its interpreter.
fn run_value_semantics(
    program: &Program,
    entry: &str,
    inputs: &[Value],
    limits: Limits,
) -> Result<Vec<Value>, RunError> {
    match program {
        Program::FunMem(program) => fun::interp::run(&funmem::erase::erase(program), entry, inputs, limits),
        Program::Fun(_) | Program::Imp(_) => program.interpret(entry, inputs, limits),
    }
}

/// What distinguishes two outcomes; `None` when they agree, or when the second only reached a limit.
fn difference(
    expected: &Result<Vec<Value>, RunError>,
    found: &Result<Vec<Value>, RunError>,
    tolerance: f64,
) -> Option<Difference> {
    match (expected, found) {
        (Ok(expected), Ok(found)) => {
            if expected.len() != found.len() {
                let text = format!("{} results instead of {}", found.len(), expected.len());
                return Some(Difference::Values(text));
            }
            let pairs = expected.iter().zip(found).enumerate();
            pairs.into_iter().find_map(|(i, (expected, found))| {
                let error = found.close(expected, tolerance).err()?;
                Some(Difference::Values(format!("result {i}: {error}")))
            })
        }
        (_, Err(error)) if error.kind == RunErrorKind::Limit => None,
        (Err(expected), Err(found)) if expected.kind == found.kind => None,
        (expected, found) => Some(Difference::Outcome {
            expected: outcome_text(expected),
            found: outcome_text(found),
            error: found.as_ref().err().cloned(),
        }),
    }
}

fn outcome_text(outcome: &Result<Vec<Value>, RunError>) -> String {
    match outcome {
        Ok(_) => "values".to_owned(),
        Err(error) => error.to_string(),
    }
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} disagrees with the value semantics of the source on entry `{}`",
            self.semantics, self.entry
        )?;
        match &self.difference {
            Difference::Values(text) => write!(f, "  {text}"),
            Difference::Outcome { expected, found, .. } => {
                write!(f, "  expected {expected}\n  found {found}")
            }
        }
    }
}
