//! Libraries in memory: a source text is compiled and can be called at once, without files, a C compiler or a linker.

use crate::{LibraryProgram, explained, interfaces, report_text};
use fun_base::diag::{Diagnostic, Severity};
use fun_base::source::{Loc, Source};
use fun_c::Dialect;
use fun_c::library::runtime_symbols;
use fun_cranelift::{LoadedLibrary, load};
use fun_frontend::files::Sources;
use fun_passes::pipeline::{PIPELINES, passes_from};
use fun_passes::program::Program;
use fun_passes::views::run_with_views;
use std::collections::BTreeMap;
use std::fmt;

/// Why there is no library.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    /// What the user is told, with places and lines of the source.
    pub message: String,
    /// The place of the first error.
    pub loc: Option<Loc>,
}

impl Refused {
    fn elsewhere(message: impl fmt::Display) -> Refused {
        Refused { message: message.to_string(), loc: None }
    }

    /// The errors in these sources.
    fn of(diagnostics: &[Diagnostic], sources: &[Source]) -> Refused {
        let errors = || diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
        let place = |diagnostic: &Diagnostic| {
            let span = diagnostic.span()?;
            let source = sources.get(span.file as usize)?;
            Some((source, source.loc(span.start)))
        };
        let told = |diagnostic: &Diagnostic| {
            let Some((source, loc)) = place(diagnostic) else { return diagnostic.to_string() };
            let line = source.text.lines().nth(loc.line as usize - 1).unwrap_or_default();
            let before = " ".repeat(loc.column as usize - 1);
            format!("{loc}: {diagnostic}\n    {line}\n    {before}^")
        };
        let messages: Vec<String> = errors().map(told).collect();
        Refused {
            message: messages.join("\n"),
            loc: errors().find_map(|diagnostic| place(diagnostic).map(|(_, loc)| loc)),
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refused {}

/// A library in memory, with the declarations of its module for Python.
#[derive(Debug)]
pub struct InMemory {
    loaded: LoadedLibrary,
    runtime: BTreeMap<&'static str, usize>,
    python: String,
    /// The name of the source, and the program, for reports.
    name: String,
    program: Program,
    entries: Vec<(String, String)>,
}

impl InMemory {
    /// Compiles the sources, of which the first is the main one.
    pub fn compile(mut sources: Sources<'_>) -> Result<InMemory, Refused> {
        let compiled = fun_frontend::compile::compile_sources(&mut sources);
        let compiled = compiled.map_err(|errors| Refused::of(&errors, &sources.list))?;
        let declared = interfaces(&sources.list, &compiled.entries);
        let program = Program::Fun(compiled.program);
        let passes = passes_from(&PIPELINES[0], program.stage());
        let lowered =
            run_with_views(program.clone(), &passes, &mut Vec::new()).map_err(Refused::elsewhere)?;
        let (Program::Imp(lowered), views) = lowered else {
            return Err(Refused::elsewhere("bug in FUN: the pipeline does not end in IMP"));
        };
        let prepared =
            LibraryProgram::new(lowered, &views, &declared, Dialect::OpenCl).map_err(Refused::elsewhere)?;
        let symbols = runtime_symbols();
        let (tables, wrappers) = (prepared.library.tables(), prepared.library.wrappers());
        let known_as = |procedure| prepared.library.known_as(procedure);
        let loaded = load(&prepared.program, &tables, wrappers, &known_as, &symbols);
        let loaded = loaded.map_err(Refused::elsewhere)?;
        let entries = declared.iter().map(|entry| {
            let params = entry.inputs.iter().map(|input| format!("({}: {})", input.name, input.text));
            let params: Vec<String> = params.collect();
            (entry.name.clone(), format!("{} -> {}", params.join(" -> "), entry.output_text))
        });
        let entries = entries.map(|(name, ty)| (name, ty.trim_start_matches(" -> ").to_owned())).collect();
        let name = sources.list.first().map(|source| source.name.to_string()).unwrap_or_default();
        let python = prepared.library.python_declarations.clone();
        Ok(InMemory { loaded, runtime: symbols.into_iter().collect(), python, name, program, entries })
    }

    /// The address of a function of the library.
    pub fn function(&self, name: &str) -> Option<usize> {
        self.loaded.function(name).or_else(|| self.runtime.get(name).copied())
    }

    /// The Python module of the library but for its beginning, which finds the library.
    pub fn python(&self) -> &str {
        &self.python
    }

    /// The entry points with their types as the source writes them.
    pub fn entries(&self) -> &[(String, String)] {
        &self.entries
    }

    /// Where the memory of an entry point goes, as `fun explain` says it.
    pub fn explain(&self, entry: &str) -> Result<String, Refused> {
        let missing = || Refused::elsewhere(format!("there is no entry point {entry}"));
        if !self.entries.iter().any(|(name, _)| name == entry) {
            return Err(missing());
        }
        let program = self.program.clone().with_only(entry);
        let explained = explained::to_funmem(program).map_err(Refused::elsewhere)?;
        let imp =
            explained::to_imp(Program::FunMem(explained.program.clone())).map_err(Refused::elsewhere)?;
        let report = explained::report(self.name.clone(), Some(&explained), &imp, entry);
        report.map(|(_, report)| report_text::report(&report)).ok_or_else(missing)
    }

    /// Frees the code.
    ///
    /// # Safety
    ///
    /// Nobody may be in it or call it again.
    pub unsafe fn free(self) {
        // SAFETY: as above
        unsafe { self.loaded.free() }
    }
}
