//! The checker of FUN: the type rules (paper Figure 3, grown to the language) and the invariants F1–F9 of [`crate::ir`], as far
//! as they can be checked without running the program. F6 and F7 are preconditions that nobody checks here.
//!
//! It reports what it finds and goes on; an operand of unknown type is not reported twice.

mod bind;
mod consume;
mod exp;
mod soac;

use crate::ir::{Atom, Body, Function, Program, Statement, Type};
use crate::text::statement_head;
use fun_base::name::{Symbol, Var};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Which forms a program may contain (F8).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// `map`, `reduce`, `scan`, `hist`, `scatter`; no kernels.
    Soac,
    /// Kernels only.
    Kernel,
    /// Both, as inside a pass.
    Any,
}

/// One broken rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckError {
    /// `F1` to `F9`.
    pub invariant: &'static str,
    /// In which function.
    pub function: Symbol,
    /// The first line of the statement, or what else it is about.
    pub statement: String,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {}: {}\n  {}", self.invariant, self.function, self.message, self.statement)
    }
}

impl std::error::Error for CheckError {}

/// Checks a program; gives every broken rule that it finds, in program order.
pub fn check_program(program: &Program, phase: Phase) -> Result<(), Vec<CheckError>> {
    let mut checker = Checker {
        phase,
        functions: BTreeMap::new(),
        bound: BTreeSet::new(),
        scope: BTreeMap::new(),
        trail: Vec::new(),
        function: Symbol::new(""),
        place: Place::Part("(program)"),
        errors: Vec::new(),
    };
    for function in &program.functions {
        let mut again = !function.entry && checker.functions.insert(function.name, function).is_some();
        checker.function(function);
        again |= function.entry && checker.functions.insert(function.name, function).is_some();
        if again {
            checker.error("F9", format!("there are two functions {}", function.name));
        }
    }
    let mut errors = checker.errors;
    // Alias sets need a program whose variables mean one thing.
    if errors.is_empty() {
        errors = consume::check_consumption(program);
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// All errors as one text, for tests and internal failures.
pub fn errors_to_string(errors: &[CheckError]) -> String {
    let lines: Vec<String> = errors.iter().map(CheckError::to_string).collect();
    lines.join("\n")
}

/// What is being checked, for messages.
#[derive(Clone, Copy)]
enum Place<'p> {
    Part(&'static str),
    Statement(&'p Statement),
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Part(name) => f.write_str(name),
            Place::Statement(statement) => f.write_str(&statement_head(statement)),
        }
    }
}

struct Checker<'p> {
    phase: Phase,
    /// The functions that may be called.
    functions: BTreeMap<Symbol, &'p Function>,
    /// Every variable bound so far in the program.
    bound: BTreeSet<Var>,
    /// The variables in scope.
    scope: BTreeMap<Var, Type>,
    /// The variables in scope in the order of their binding, to leave scopes.
    trail: Vec<Var>,
    function: Symbol,
    place: Place<'p>,
    errors: Vec<CheckError>,
}

impl<'p> Checker<'p> {
    fn error(&mut self, invariant: &'static str, message: impl Into<String>) {
        let (function, statement) = (self.function, self.place.to_string());
        self.errors.push(CheckError { invariant, function, statement, message: message.into() });
    }

    /// Checks inside a scope that ends with it.
    fn scoped<T>(&mut self, check: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.trail.len();
        let result = check(self);
        for var in self.trail.drain(mark..) {
            self.scope.remove(&var);
        }
        result
    }

    fn function(&mut self, function: &'p Function) {
        self.function = function.name;
        self.place = Place::Part("(parameters)");
        self.scoped(|c| {
            let params: Vec<_> = function.params.iter().map(|param| &param.binder).collect();
            c.bind(&params);
            c.scoped(|c| {
                c.place = Place::Part("(results)");
                let results: Vec<_> = function.results.iter().map(|param| &param.binder).collect();
                c.bind(&results);
            });
            for param in function.params.iter().chain(&function.results) {
                if param.implicit && param.binder.ty != Type::Prim(fun_base::prim::PrimType::I64) {
                    c.error("F2", format!("{} is implicit and no i64", param.binder.var));
                }
            }
            let expected: Vec<_> =
                function.results.iter().map(|param| (param.binder.var, param.binder.ty.clone())).collect();
            c.body(&function.body, &expected);
        });
    }

    /// Checks a body in its own scope, and its results against binders (F4).
    fn body(&mut self, body: &'p Body, expected: &[(Var, Type)]) {
        self.scoped(|c| {
            let outer = c.place;
            c.statements(&body.statements);
            c.place = outer;
            c.results(&body.results, expected, "result of the body");
        });
    }

    /// Checks a body in its own scope whose results have just these types.
    fn body_of_types(&mut self, body: &'p Body, expected: &[Type]) {
        self.scoped(|c| {
            let outer = c.place;
            c.statements(&body.statements);
            c.place = outer;
            if c.count(body.results.len(), expected.len(), "results of the body") {
                for (atom, ty) in body.results.iter().zip(expected) {
                    c.expect(*atom, ty, "result of the body");
                }
            }
        });
    }

    fn statements(&mut self, statements: &'p [Statement]) {
        for statement in statements {
            self.place = Place::Statement(statement);
            self.exp(statement);
        }
    }

    /// Paper T-RESULT: each atom has the type of its binder, after replacing the binders' variables by the atoms.
    fn results(&mut self, atoms: &[Atom], binders: &[(Var, Type)], what: &str) {
        if !self.count(atoms.len(), binders.len(), what) {
            return;
        }
        let subst = binders.iter().map(|(var, _)| *var).zip(atoms.iter().copied()).collect();
        for (atom, (_, ty)) in atoms.iter().zip(binders) {
            self.expect_by("F4", *atom, &crate::visit::names::subst_type(&subst, ty), what);
        }
    }

    fn count(&mut self, given: usize, expected: usize, what: &str) -> bool {
        if given != expected {
            self.error("F2", format!("{given} instead of {expected}: {what}"));
        }
        given == expected
    }
}

#[cfg(test)]
mod tests;
