//! The laws on one program: its text parses back to itself (1), the checker takes what every pass makes of it (2), all semantics
//! agree (3, 4), and the passes give the same the second time (7).

use crate::compare::{Agreement, Difference, Options, Stages, StagesError, agree, stages};
use crate::facts::check_facts;
use crate::generated::{ENTRY, Generated};
use fun_base::name::Symbol;
use fun_base::run::{Limits, RunErrorKind};
use fun_base::source::Source;
use fun_passes::pipeline::{PipelineError, run_passes};
use fun_passes::program::Program;
use fun_passes::registry::Pass;
use std::fmt;

/// How much is looked at.
#[derive(Clone, Debug)]
pub struct LawOptions {
    /// The comparison of all semantics.
    pub compare: Options,
    /// Whether every program goes through its text and back (law 1).
    pub text: bool,
    /// Whether the passes run a second time (law 7).
    pub repeat: bool,
    /// Of which program with memory, counted around, what the prover takes for given is looked at in a run ([`check_facts`]).
    pub facts: Option<usize>,
}

/// Everything, bit for bit: generated programs are such that any order of evaluation gives equal bits.
impl Default for LawOptions {
    fn default() -> LawOptions {
        let limits = Limits { steps: 60_000_000, ..Limits::default() };
        LawOptions {
            compare: Options { limits, tolerance: 0.0, jit: true, order: 0 },
            text: true,
            repeat: true,
            facts: Some(0),
        }
    }
}

/// What kind of law a program breaks. Shrinking keeps the kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Kind {
    /// The front end refuses a source, or gives it another meaning.
    FrontEnd,
    /// The text is not the program (law 1).
    Text,
    /// The checker refuses it (law 2) or what a pass shows for it, or there is no machine code for it.
    Refused,
    /// Two semantics give different values (law 3).
    Values,
    /// One semantics gives values, another stops (law 3).
    Outcome,
    /// A run breaks a rule of its language: a race, an undefined read, … (law 4).
    Fault,
    /// Another result the second time (law 7).
    Unsteady,
    /// The prover is told what does not hold.
    Fact,
    /// The compiler panics (law 8).
    Panic,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::FrontEnd => "the front end is wrong",
            Kind::Text => "the text is another program",
            Kind::Refused => "the checker refuses",
            Kind::Values => "values differ",
            Kind::Outcome => "outcomes differ",
            Kind::Fault => "a fault",
            Kind::Unsteady => "another result the second time",
            Kind::Fact => "a false fact",
            Kind::Panic => "a panic",
        })
    }
}

/// A broken law.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What kind of law.
    pub kind: Kind,
    /// The pass whose result breaks it; `None` when the program did so as given.
    pub after: Option<&'static str>,
    /// Who noticed: a semantics, the checker, the parser.
    pub by: &'static str,
    /// What to tell the user.
    pub message: String,
    /// The program that breaks it: what the pass made of the one that was given. Empty where there is none.
    pub broken: String,
}

/// What a comparison of a good program came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Every semantics gave the same values.
    Agreed,
    /// Every semantics stopped at an assertion.
    Asserted,
    /// The reference reached a limit: nothing was compared.
    Skipped,
}

/// Laws 1 and 2 on one program of any language; the error says which is broken.
pub fn program_laws(program: &Program) -> Result<(), String> {
    let errors = program.check();
    let checked =
        if errors.is_empty() { Ok(()) } else { Err(format!("the checker refuses:\n{}", errors.join("\n"))) };
    text_law(program).and(checked).map_err(|message| format!("{message}\n{}", program.print()))
}

/// Law 1.
fn text_law(program: &Program) -> Result<(), String> {
    let text = program.print();
    let source = Source { name: Symbol::new("printed"), text: text.as_str().into() };
    let parsed = program.stage().parse(&source).map_err(|diagnostics| {
        let messages: Vec<String> = diagnostics
            .iter()
            .map(|diagnostic| {
                let place = diagnostic.primary.as_ref().map(|(span, _)| source.loc(span.start));
                let place = place.map(|loc| format!("{}:{} ", loc.line, loc.column)).unwrap_or_default();
                format!("{place}{}", diagnostic.message)
            })
            .collect();
        format!("the printed program does not parse:\n{}", messages.join("\n"))
    })?;
    if parsed != *program || parsed.print() != text {
        return Err(format!("parse(print(p)) is another program; parsed back:\n{}", parsed.print()));
    }
    Ok(())
}

/// The laws on a generated program and everything that the passes make of it.
pub fn check(
    generated: &Generated,
    passes: &[&'static Pass],
    options: &LawOptions,
) -> Result<Outcome, Finding> {
    let program = generated.lowered().map_err(|message| Finding {
        kind: Kind::FrontEnd,
        after: None,
        by: "the front end",
        message,
        broken: generated.program.print(),
    })?;
    let stages = stages(program.clone(), passes, &options.compare).map_err(refused)?;
    if options.text {
        for (_, (after, program)) in
            stages.programs().iter().enumerate().filter(|(k, _)| !stages.is_unchanged(*k))
        {
            text_law(program).map_err(|message| Finding {
                kind: Kind::Text,
                after: *after,
                by: "the parser",
                message,
                broken: program.print(),
            })?;
        }
    }
    if options.repeat {
        let again = run_passes(program, passes, false, &mut Vec::new(), &mut |_, _| {});
        let again = again.map_err(|error| refused(StagesError::Pipeline(error)))?;
        if stages.programs().last().is_some_and(|(_, last)| last.print() != again.print()) {
            let message = "the passes make another program the second time".to_owned();
            let broken = again.print();
            return Err(Finding { kind: Kind::Unsteady, after: None, by: "the pipeline", message, broken });
        }
    }
    if let Some(which) = options.facts {
        false_fact(&stages, which, generated, options)?;
    }
    match agree(&stages, ENTRY, &generated.inputs, &options.compare) {
        Agreement::Agreed { limited: None, .. } => Ok(Outcome::Agreed),
        // generated programs end soon: a pass has made one that does not, or that takes far more memory
        Agreement::Agreed { limited: Some(found), .. } => Err(Finding {
            kind: Kind::Outcome,
            after: found.after,
            by: found.how,
            message: format!("{found} reaches a limit that the program as given does not"),
            broken: stages
                .programs()
                .iter()
                .find(|(after, _)| *after == found.after)
                .map(|(_, p)| p.print())
                .unwrap_or_default(),
        }),
        Agreement::AllFailed(_) => Ok(Outcome::Asserted),
        Agreement::Skipped(_) => Ok(Outcome::Skipped),
        Agreement::Disagreed(found) => {
            let kind = match &found.difference {
                Difference::Values(_) => Kind::Values,
                Difference::Outcome { error: Some(error), .. } if error.kind == RunErrorKind::Fault => {
                    Kind::Fault
                }
                Difference::Outcome { .. } => Kind::Outcome,
            };
            let (message, broken) = (found.to_string(), found.program.print());
            Err(Finding { kind, after: found.semantics.after, by: found.semantics.how, message, broken })
        }
    }
}

/// Looks at the facts of one program with memory.
fn false_fact(
    stages: &Stages,
    which: usize,
    generated: &Generated,
    options: &LawOptions,
) -> Result<(), Finding> {
    let with_memory: Vec<_> = stages
        .programs()
        .iter()
        .enumerate()
        .filter(|(k, _)| !stages.is_unchanged(*k))
        .filter_map(|(_, (after, program))| match program {
            Program::FunMem(memory) => Some((*after, memory, program)),
            Program::Fun(_) | Program::Imp(_) => None,
        })
        .collect();
    let at = which.checked_rem(with_memory.len()).unwrap_or(0);
    let Some((after, memory, program)) = with_memory.get(at).copied() else { return Ok(()) };
    let found = check_facts(memory, ENTRY, &generated.inputs, options.compare.limits);
    found.map(|_| ()).map_err(|found| Finding {
        kind: Kind::Fact,
        after,
        by: "the facts",
        message: found.to_string(),
        broken: program.print(),
    })
}

fn refused(error: StagesError) -> Finding {
    let (after, by) = match &error {
        StagesError::Pipeline(PipelineError::Broken(broken)) => (broken.pass, "the checker"),
        StagesError::Pipeline(PipelineError::WrongStage(_)) => (None, "the pipeline"),
        StagesError::Certificate(broken) => (Some(broken.pass), "the checker of certificates"),
        StagesError::Machine(_) => (None, "the code generator"),
    };
    let broken = match &error {
        StagesError::Pipeline(PipelineError::Broken(broken)) => broken.program.print(),
        StagesError::Pipeline(PipelineError::WrongStage(_))
        | StagesError::Certificate(_)
        | StagesError::Machine(_) => String::new(),
    };
    Finding { kind: Kind::Refused, after, by, message: error.to_string(), broken }
}
