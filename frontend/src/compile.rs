//! The front end as functions from source text: to a checked program, and on to FUN.

use crate::check::check_files;
use crate::files::{Sources, load};
use crate::lower::EntryInfo;
use crate::typed::Program;
use crate::types::Scheme;
use crate::types::scheme_to_string;
use fun_base::diag::Diagnostic;
use fun_base::name::Symbol;
use fun_base::source::Source;
use std::collections::BTreeMap;
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
    /// What was said of tuning parameters, those of later stages among them.
    pub parameters: BTreeMap<Symbol, i64>,
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

/// Parses and checks a text that imports nothing; its spans have file 0.
pub fn check(source: &Source) -> Result<Checked, Vec<Diagnostic>> {
    check_sources(&mut Sources::alone(source.clone()))
}

/// Parses and checks a main file with all that it imports.
pub fn check_sources(sources: &mut Sources) -> Result<Checked, Vec<Diagnostic>> {
    let mut times = Vec::new();
    let mut start = Instant::now();
    let mut lap = |name| {
        times.push((name, start.elapsed()));
        start = Instant::now();
    };
    let files = load(sources)?;
    lap("parse");
    let checked = check_files(crate::prelude::environment(), files)?;
    lap("types, sizes, consumption");
    Ok(Checked { program: checked.program, warnings: checked.warnings, times })
}

/// Parses, checks and lowers a text that imports nothing; its spans have file 0.
pub fn compile(source: &Source) -> Result<Compiled, Vec<Diagnostic>> {
    compile_sources(&mut Sources::alone(source.clone()))
}

/// Parses, checks and lowers a main file with all that it imports.
pub fn compile_sources(sources: &mut Sources) -> Result<Compiled, Vec<Diagnostic>> {
    let Checked { mut program, mut warnings, mut times } = check_sources(sources)?;
    program.parameters = sources.parameters.clone();
    let start = Instant::now();
    let lowered = crate::lower::lower_program(&program, &sources.list)?;
    times.push(("lower", start.elapsed()));
    warnings.extend(lowered.warnings);
    let parameters = sources.parameters.clone();
    Ok(Compiled { program: lowered.program, entries: lowered.entries, warnings, parameters, times })
}
