//! The front end as functions from source text: to a checked program, and on to FUN.

use crate::check::check_program;
use crate::lower::EntryInfo;
use crate::typed::Program;
use crate::types::Scheme;
use crate::types::scheme_to_string;
use fun_base::diag::Diagnostic;
use fun_base::source::Source;
use std::time::{Duration, Instant};

/// A well-typed program.
pub struct Checked {
    /// The typed tree.
    pub program: Program,
    /// What the user should know.
    pub warnings: Vec<Diagnostic>,
    /// Time spent in each step.
    pub times: Vec<(&'static str, Duration)>,
}

/// What the front end makes of a source text.
pub struct Compiled {
    /// The program in FUN.
    pub program: fun::ir::Program,
    /// Its entry points as the source declares them.
    pub entries: Vec<EntryInfo>,
    /// What the user should know.
    pub warnings: Vec<Diagnostic>,
    /// Time spent in each step.
    pub times: Vec<(&'static str, Duration)>,
}

impl Checked {
    /// The type of the last definition of this name in the source.
    pub fn scheme(&self, name: &str) -> Option<&Scheme> {
        let definition = self.program.definitions.iter().rev().find(|d| d.name.as_str() == name)?;
        Some(&definition.scheme)
    }

    /// The same as text.
    pub fn type_text(&self, name: &str) -> Option<String> {
        self.scheme(name).map(scheme_to_string)
    }
}

/// Parses and checks `source`, whose spans have file 0.
pub fn check(source: &Source) -> Result<Checked, Vec<Diagnostic>> {
    let mut times = Vec::new();
    let mut start = Instant::now();
    let mut lap = |name| {
        times.push((name, start.elapsed()));
        start = Instant::now();
    };
    let syntax = crate::parse::parse_program(source, 0)?;
    lap("parse");
    let checked = check_program(crate::prelude::environment(), &syntax)?;
    lap("types, sizes, consumption");
    Ok(Checked { program: checked.program, warnings: checked.warnings, times })
}

/// Parses, checks and lowers `source`, whose spans have file 0.
pub fn compile(source: &Source) -> Result<Compiled, Vec<Diagnostic>> {
    let Checked { program, mut warnings, mut times } = check(source)?;
    let start = Instant::now();
    let lowered = crate::lower::lower_program(&program, std::slice::from_ref(source))?;
    times.push(("lower", start.elapsed()));
    warnings.extend(lowered.warnings);
    Ok(Compiled { program: lowered.program, entries: lowered.entries, warnings, times })
}
