//! The definitions made so far, and the evaluation of an input in them.

use super::{colon, show};
use crate::compile::{Failure, Finished, Loaded, load_source, run_code, to_funmem, to_imp, to_machine_code};
use crate::{files, report};
use fun_base::name::Symbol;
use fun_base::run::{Limits, RunErrorKind};
use fun_base::source::Source;
use fun_base::value::Value;
use fun_cranelift::{Compiled, RunControl};
use fun_frontend::parse::{self, Input};
use fun_frontend::syntax::{Declaration, Program};
use fun_frontend::types::{Scheme, scheme_to_string};
use funmem::trace::Trace;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What an evaluated expression is called inside the program that evaluates it.
const RESULT: &str = "repl_result";

/// What takes longer in the interpreter that keeps traces is refused.
const TRACE_LIMITS: Limits = Limits { steps: 20_000_000, bytes: 1 << 30 };

/// A definition as it was typed or loaded.
struct Definition {
    name: String,
    text: String,
}

/// What evaluates expressions.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Semantics {
    Value,
    Heap,
    Imp,
    #[default]
    Jit,
}

impl Semantics {
    pub(super) const ALL: [Semantics; 4] =
        [Semantics::Value, Semantics::Heap, Semantics::Imp, Semantics::Jit];

    /// What `:semantics` calls it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Semantics::Value => "value",
            Semantics::Heap => "heap",
            Semantics::Imp => "imp",
            Semantics::Jit => "jit",
        }
    }

    /// In words.
    pub(super) fn about(self) -> &'static str {
        match self {
            Semantics::Value => "the value semantics of FUN (an interpreter)",
            Semantics::Heap => "the heap semantics of FUNMEM (an interpreter)",
            Semantics::Imp => "the interpreter of IMP",
            Semantics::Jit => "machine code",
        }
    }
}

/// The state of the REPL.
#[derive(Default)]
pub(super) struct Session {
    /// What evaluates expressions.
    pub(super) semantics: Semantics,
    definitions: Vec<Definition>,
    loaded: Option<PathBuf>,
    /// Ctrl-C stops the running program through this.
    pub(super) control: RunControl,
}

/// An expression, compiled with the definitions around it.
pub(super) struct Evaluation {
    /// What was compiled.
    pub(super) source: Source,
    /// The type of the expression.
    pub(super) scheme: Scheme,
    /// The program in FUN; `None` when the expression is a function.
    pub(super) program: Option<fun::ir::Program>,
}

/// A run of a compiled expression, and how long compiling it took.
pub(super) struct Run {
    pub(super) finished: Finished,
    pub(super) compile: Duration,
}

impl Session {
    /// Does what the input says; false when the REPL should end.
    pub(super) fn evaluate(&mut self, input: &str) -> bool {
        let input = input.trim();
        if input.is_empty() {
            return true;
        }
        if let Some(command) = input.strip_prefix(':') {
            return colon::run(self, command);
        }
        let source = Source { name: Symbol::new("input"), text: input.into() };
        match parse::parse_declaration_or_expression(&source, 0) {
            Ok(Input::Expression(_)) => match self.evaluate_expression(input) {
                Ok(text) => println!("{text}"),
                Err(failure) => failure.report(),
            },
            Ok(Input::Declarations(program)) => self.define(&source, &program),
            Err(diagnostics) => report::diagnostics(&[source], &diagnostics),
        }
        true
    }

    /// Takes new definitions if the program with them is well-typed, and says their types.
    fn define(&mut self, source: &Source, program: &Program) {
        let mut next: Vec<(String, String)> =
            self.definitions.iter().map(|d| (d.name.clone(), d.text.clone())).collect();
        let mut names = Vec::new();
        for (declaration, span) in program.declarations.iter().zip(&program.spans) {
            let (name, text) = match declaration {
                Declaration::Value(value) => {
                    (value.name.name.to_string(), slice(&source.text, value.span, value.entry))
                }
                Declaration::Type(ty) => {
                    (format!("type {}", ty.name.name), slice(&source.text, ty.span, false))
                }
                Declaration::Module(module, _) => {
                    (format!("module {}", module.name), slice(&source.text, *span, false))
                }
                Declaration::ModuleType(ty, _) => {
                    (format!("module type {}", ty.name), slice(&source.text, *span, false))
                }
                Declaration::Open(_) | Declaration::Import(_) | Declaration::Local(_) => {
                    let text = slice(&source.text, *span, false);
                    (text.clone(), text)
                }
            };
            names.push(name.clone());
            // In the place of the old one, so that what uses it still finds it; at the end otherwise.
            match next.iter_mut().find(|(known, _)| *known == name) {
                Some(known) => known.1 = text,
                None => next.push((name, text)),
            }
        }
        let mut result = self.check(&next);
        if result.is_err() && names.iter().any(|name| self.definitions.iter().any(|d| d.name == *name)) {
            // The new definition may use later ones: then it goes to the end.
            let (moved, mut rest): (Vec<_>, Vec<_>) =
                next.into_iter().partition(|(name, _)| names.contains(name));
            rest.extend(moved);
            next = rest;
            result = self.check(&next);
        }
        match result {
            Ok(types) => {
                self.definitions = next.into_iter().map(|(name, text)| Definition { name, text }).collect();
                for name in names {
                    let ty = types.iter().rev().find(|(known, _)| *known == name);
                    println!("{}", ty.map_or_else(|| name.clone(), |(_, ty)| format!("{name} : {ty}")));
                }
            }
            Err(failure) => failure.report(),
        }
    }

    /// What imports are relative to: the place of the file that was loaded.
    fn directory(&self) -> Option<&Path> {
        self.loaded.as_deref().and_then(Path::parent)
    }

    /// Types of the definitions of a program, by name.
    fn check(&self, definitions: &[(String, String)]) -> Result<Vec<(String, String)>, Failure> {
        let text: String = definitions.iter().map(|(_, text)| format!("{text}\n")).collect();
        let source = Source { name: Symbol::new("input"), text: text.into() };
        let mut sources = files::sources(source, self.directory());
        match fun_frontend::compile::check_sources(&mut sources) {
            Ok(checked) => {
                let typed = |(name, _): &(String, String)| Some((name.clone(), checked.type_text(name)?));
                Ok(definitions.iter().filter_map(typed).collect())
            }
            Err(diagnostics) => Err(Failure::Diagnostics(sources.list, diagnostics)),
        }
    }

    /// Compiles an expression among the definitions, up to FUN.
    pub(super) fn compile_expression(&self, expression: &str) -> Result<Evaluation, Failure> {
        let line = |keyword: &str| self.text(keyword, expression);
        let source = Source { name: Symbol::new("input"), text: line("def").into() };
        let mut sources = files::sources(source, self.directory());
        let checked = match fun_frontend::compile::check_sources(&mut sources) {
            Ok(checked) => checked,
            Err(diagnostics) => return Err(Failure::Diagnostics(sources.list, diagnostics)),
        };
        let scheme = checked.scheme(RESULT).cloned();
        let scheme = scheme.ok_or_else(|| Failure::Bug("bug in FUN: the expression is lost".to_owned()))?;
        if show::is_functional(&scheme.ty.revealed()) {
            let source = Source { name: Symbol::new("input"), text: line("entry").into() };
            return Ok(Evaluation { source, scheme, program: None });
        }
        let loaded = self.compile_entry(expression)?;
        let fun_passes::program::Program::Fun(program) = loaded.program else {
            return Err(Failure::Bug("bug in FUN: the front end gave no FUN program".to_owned()));
        };
        let source = loaded.sources.into_iter().next();
        let source = source.ok_or_else(|| Failure::Bug("bug in FUN: the source is lost".to_owned()))?;
        Ok(Evaluation { source, scheme, program: Some(program) })
    }

    /// The definitions, and the expression as one more of a kind.
    fn text(&self, keyword: &str, expression: &str) -> String {
        let definitions: String = self.definitions.iter().map(|d| format!("{}\n", d.text)).collect();
        format!("{definitions}{keyword} {RESULT} =\n{expression}\n")
    }

    /// Compiles an expression among the definitions as an entry point. If it is a function, the entry point takes its parameters.
    pub(super) fn compile_entry(&self, expression: &str) -> Result<Loaded, Failure> {
        let source = Source { name: Symbol::new("input"), text: self.text("entry", expression).into() };
        load_source(source, self.directory(), Default::default())
    }

    /// What to ask for input with: says which semantics evaluates it, where that is not machine code.
    pub(super) fn prompt(&self) -> String {
        match self.semantics {
            Semantics::Jit => "fun> ".to_owned(),
            Semantics::Value | Semantics::Heap | Semantics::Imp => format!("fun {}> ", self.semantics.name()),
        }
    }

    /// Evaluates an expression; gives the text to print.
    fn evaluate_expression(&self, expression: &str) -> Result<String, Failure> {
        let evaluation = self.compile_expression(expression)?;
        let Some(program) = evaluation.program.clone() else {
            return Ok(format!("function : {}", scheme_to_string(&evaluation.scheme)));
        };
        let values = match self.semantics {
            Semantics::Jit => self.run(&evaluation.source, program)?.finished.values,
            Semantics::Value | Semantics::Heap | Semantics::Imp => {
                self.interpret(&evaluation.source, program)?
            }
        };
        Ok(show::values_text(&evaluation.scheme.ty.revealed(), values))
    }

    /// Runs an expression in the interpreter that was chosen.
    fn interpret(&self, source: &Source, program: fun::ir::Program) -> Result<Vec<Value>, Failure> {
        let program = fun_passes::program::Program::Fun(program);
        let program = match self.semantics {
            Semantics::Value => program,
            Semantics::Heap => fun_passes::program::Program::FunMem(to_funmem(program)?),
            Semantics::Imp | Semantics::Jit => {
                fun_passes::program::Program::Imp(to_imp(program, &mut Vec::new())?)
            }
        };
        program.interpret(RESULT, &[], Limits::default()).map_err(|error| {
            report::run_error(std::slice::from_ref(source), &error);
            Failure::Reported
        })
    }

    /// Runs a compiled expression.
    pub(super) fn run(&self, source: &Source, program: fun::ir::Program) -> Result<Run, Failure> {
        let start = Instant::now();
        let imp = to_imp(fun_passes::program::Program::Fun(program), &mut Vec::new())?;
        let compiled: Compiled = to_machine_code(&imp)?;
        let compile = start.elapsed();
        match run_code(&compiled, RESULT, &[], &self.control) {
            Ok(finished) => Ok(Run { finished, compile }),
            Err(error) if error.kind == RunErrorKind::Limit => Err(Failure::Message(error.message)),
            Err(error) => {
                report::run_error(std::slice::from_ref(source), &error);
                Err(Failure::Reported)
            }
        }
    }

    /// Runs an expression under the heap semantics, with a trace.
    pub(super) fn trace(&self, source: &Source, program: fun::ir::Program) -> Result<Trace, Failure> {
        let program = to_funmem(fun_passes::program::Program::Fun(program))?;
        let (outcome, trace) = funmem::interp::run_traced(&program, RESULT, &[], TRACE_LIMITS);
        match outcome {
            Ok(_) => Ok(trace),
            Err(error) => {
                report::run_error(std::slice::from_ref(source), &error);
                Err(Failure::Reported)
            }
        }
    }

    /// Replaces the definitions by those of a file.
    pub(super) fn load(&mut self, path: &Path) {
        self.loaded = Some(path.to_owned());
        let source = match files::read_source(path) {
            Ok(source) => source,
            Err(message) => return Failure::Message(message).report(),
        };
        match parse::parse_program(&source, 0) {
            Ok(program) => {
                let before = std::mem::take(&mut self.definitions);
                self.define(&source, &program);
                if self.definitions.is_empty() {
                    self.definitions = before;
                }
            }
            Err(diagnostics) => report::diagnostics(&[source], &diagnostics),
        }
    }

    /// Loads the last file again.
    pub(super) fn reload(&mut self) {
        match self.loaded.clone() {
            Some(path) => self.load(&path),
            None => println!("nothing has been loaded yet: `:load FILE`"),
        }
    }

    /// Names that can be completed.
    pub(super) fn names(&self) -> Vec<String> {
        let own = self.definitions.iter().map(|d| d.name.clone());
        let commands = colon::COMMANDS.iter().map(|command| format!(":{}", command.name));
        let mut names: Vec<String> = own
            .chain(fun_frontend::prelude::prelude().names().map(|name| name.to_string()))
            .chain(commands)
            .collect();
        names.sort();
        names.dedup();
        names
    }
}

/// The text of a declaration; `entry` becomes `def`, since every input is run on its own.
fn slice(text: &str, span: fun_base::source::Span, entry: bool) -> String {
    let text = &text[span.start as usize..span.end as usize];
    match text.strip_prefix("entry") {
        Some(rest) if entry => format!("def{rest}"),
        _ => text.to_owned(),
    }
}
