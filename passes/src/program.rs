//! A program at any stage, with what every stage can do: print, parse, check, run.

pub use ::fun::interp::Remark;
use ::fun::ir::{BinderType, Function, Param, Rep};
use ::fun::visit::calls::drop_uncalled;
use ::imp::ir::InterfaceValue;
use fun_base::diag::Diagnostic;
use fun_base::run::{Limits, RunError};
use fun_base::source::Source;
use fun_base::value::{Value, ValueType};
use std::collections::BTreeSet;

/// The languages below the source, in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Stage {
    /// Values only.
    Fun,
    /// Values with memory annotations.
    FunMem,
    /// Statements over memory.
    Imp,
}

/// A program of one of the languages.
#[derive(Clone, PartialEq, Debug)]
pub enum Program {
    /// FUN.
    Fun(::fun::ir::Program),
    /// FUNMEM.
    FunMem(::funmem::ir::Program),
    /// IMP.
    Imp(::imp::ir::Program),
}

impl Stage {
    /// All stages, in order.
    pub const ALL: [Stage; 3] = [Stage::Fun, Stage::FunMem, Stage::Imp];

    /// The stage's name, which is also the extension of its files.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Fun => "fun",
            Stage::FunMem => "funmem",
            Stage::Imp => "imp",
        }
    }

    /// The stage of this name.
    pub fn from_name(name: &str) -> Option<Stage> {
        Stage::ALL.into_iter().find(|stage| stage.name() == name)
    }

    /// Parses a program of this stage from its text; spans are in file 0.
    pub fn parse(self, source: &Source) -> Result<Program, Vec<Diagnostic>> {
        let program = match self {
            Stage::Fun => ::fun::text::parse_program(source, 0).map(Program::Fun),
            Stage::FunMem => ::fun::text::parse_program(source, 0).map(Program::FunMem),
            Stage::Imp => ::imp::text::parse_program(source).map(Program::Imp),
        };
        program.map_err(|error| vec![error.into()])
    }
}

impl Program {
    /// The language that the program is in.
    pub fn stage(&self) -> Stage {
        match self {
            Program::Fun(_) => Stage::Fun,
            Program::FunMem(_) => Stage::FunMem,
            Program::Imp(_) => Stage::Imp,
        }
    }

    /// The canonical text; [`Stage::parse`] gives the same program back.
    pub fn print(&self) -> String {
        match self {
            Program::Fun(program) => ::fun::text::program_to_string(program),
            Program::FunMem(program) => ::fun::text::program_to_string(program),
            Program::Imp(program) => ::imp::text::print_program(program),
        }
    }

    /// The violations of the language's invariants, as messages; empty when well-formed.
    pub fn check(&self) -> Vec<String> {
        match self {
            Program::Fun(program) => messages(::fun::check::check_program(program, ::fun::check::Phase::Any)),
            Program::FunMem(program) => messages(::funmem::check::check_program(program)),
            Program::Imp(program) => messages(::imp::check::check(program)),
        }
    }

    /// Runs an entry point in the language's own interpreter; FUNMEM under its heap semantics, IMP in the order of seed 0.
    pub fn interpret(&self, entry: &str, args: &[Value], limits: Limits) -> Result<Vec<Value>, RunError> {
        self.interpret_in_order(entry, args, limits, 0)
    }

    /// As [`Program::interpret`]; blocks and threads of kernels in IMP run in orders drawn from the seed `order` ([`::imp::interp::run_in_order`]).
    pub fn interpret_in_order(
        &self,
        entry: &str,
        args: &[Value],
        limits: Limits,
        order: u64,
    ) -> Result<Vec<Value>, RunError> {
        match self {
            Program::Fun(program) => ::fun::interp::run(program, entry, args, limits),
            Program::FunMem(program) => ::funmem::interp::run(program, entry, args, limits),
            Program::Imp(program) => ::imp::interp::run_in_order(program, entry, args, limits, order),
        }
    }

    /// As [`Program::interpret_in_order`]; `watcher` gets what a FUN program says of itself.
    pub fn interpret_watched(
        &self,
        entry: &str,
        args: &[Value],
        limits: Limits,
        order: u64,
        watcher: &mut dyn FnMut(&Remark),
    ) -> Result<Vec<Value>, RunError> {
        match self {
            Program::Fun(program) => ::fun::interp::run_watched(program, entry, args, limits, watcher),
            Program::FunMem(_) | Program::Imp(_) => self.interpret_in_order(entry, args, limits, order),
        }
    }
}

fn messages<E: std::fmt::Display>(result: Result<(), Vec<E>>) -> Vec<String> {
    result.err().into_iter().flatten().map(|error| error.to_string()).collect()
}

/// An entry point as a user sees it: names and types of what it takes and gives, implicit values left out.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Types of the arguments.
    pub takes: Vec<ValueType>,
    /// Types of the results.
    pub gives: Vec<ValueType>,
}

impl Program {
    /// The FUN program with one entry point and what it calls; a program of another stage as it is. Other entry points cost compile time, and
    /// what is called once moves to its caller, where the passes see what becomes of its results.
    #[must_use]
    pub fn with_only(self, entry: &str) -> Program {
        let Program::Fun(mut program) = self else { return self };
        program.functions.iter_mut().for_each(|function| function.entry &= function.name.as_str() == entry);
        Program::Fun(drop_uncalled(program))
    }

    /// What no argument of an entry point gives, so that nobody can call it: implicit parameters that are the size of no array, as messages.
    pub fn not_given(&self) -> Vec<String> {
        match self {
            Program::Fun(program) => program.functions.iter().flat_map(not_given).collect(),
            Program::FunMem(program) => program.functions.iter().flat_map(not_given).collect(),
            Program::Imp(_) => Vec::new(),
        }
    }

    /// The entry points, in order.
    pub fn entries(&self) -> Vec<Entry> {
        match self {
            Program::Fun(program) => program.functions.iter().filter(|f| f.entry).map(entry).collect(),
            Program::FunMem(program) => program.functions.iter().filter(|f| f.entry).map(entry).collect(),
            Program::Imp(program) => program
                .procedures
                .iter()
                .filter_map(|procedure| {
                    let interface = procedure.interface.as_ref()?;
                    let types = |values: &[InterfaceValue]| values.iter().map(interface_type).collect();
                    let name = procedure.name.to_string();
                    Some(Entry { name, takes: types(&interface.takes), gives: types(&interface.gives) })
                })
                .collect(),
        }
    }
}

fn entry<R: Rep>(function: &Function<R>) -> Entry {
    let types = |params: &[Param<R>]| {
        let explicit = params.iter().filter(|param| !param.implicit);
        explicit
            .map(|param| {
                let ty = param.binder.ty.erased();
                ValueType { elem: ty.elem(), rank: ty.rank() }
            })
            .collect()
    };
    Entry { name: function.name.to_string(), takes: types(&function.params), gives: types(&function.results) }
}

fn not_given<R: Rep>(function: &Function<R>) -> Vec<String> {
    let mut sizes = BTreeSet::new();
    for param in function.params.iter().filter(|param| !param.implicit) {
        param.binder.ty.erased().for_each_var(&mut |var| {
            sizes.insert(var);
        });
    }
    let scalar = |param: &&Param<R>| param.implicit && param.binder.ty.has_constants();
    let missing = function.params.iter().filter(|param| function.entry && !sizes.contains(&param.binder.var));
    let message = |param: &Param<R>| {
        let (var, function) = (param.binder.var, function.name);
        format!(
            "no argument of entry point {function} gives its parameter {var}: in brackets are sizes of arrays, in parentheses arguments"
        )
    };
    missing.filter(scalar).map(message).collect()
}

fn interface_type(value: &InterfaceValue) -> ValueType {
    match value {
        InterfaceValue::Scalar { ty, .. } => ValueType { elem: *ty, rank: 0 },
        InterfaceValue::Array { elem, shape, .. } => ValueType { elem: *elem, rank: shape.len() },
    }
}
