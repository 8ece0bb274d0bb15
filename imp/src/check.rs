//! The checker: invariants I1–I4, I6, I8, I9 and I11–I17 as far as the text of a program shows them. I5, I7 and what remains of I6 depend on
//! values; the interpreter checks them while running.

mod exp;
mod interface;
mod ordered;
mod register;
mod statement;

use crate::ir::{ImpType, Procedure, Program, Space};
use fun_base::name::{Symbol, Var};
use fun_base::prim::PrimType;
use fun_base::source::Loc;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A broken invariant.
#[derive(Clone, PartialEq, Debug)]
pub struct CheckError {
    /// What is wrong, beginning with the invariant.
    pub message: String,
    /// The procedure.
    pub procedure: Symbol,
    /// The source text of the statement, where it has one.
    pub loc: Option<Loc>,
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {}", self.message, self.procedure)?;
        self.loc.map_or(Ok(()), |loc| write!(f, " ({loc})"))
    }
}

impl std::error::Error for CheckError {}

/// Every broken invariant of a program, in the order of its text.
pub fn check(program: &Program) -> Result<(), Vec<CheckError>> {
    let mut checker = Checker::default();
    for procedure in &program.procedures {
        checker.procedure(procedure);
    }
    if checker.errors.is_empty() { Ok(()) } else { Err(checker.errors) }
}

/// What a variable in scope is.
#[derive(Clone, Debug)]
enum Meaning {
    /// `let`, counters, parameters, `alloc`: never assigned.
    Fixed(ImpType),
    /// `var`.
    Mutable(ImpType),
    /// `view`, `window`.
    /// `own`: of a block in registers (I13).
    View { elem: PrimType, rank: usize, own: Option<Own> },
}

/// What is known of a view of registers: the block, and the size of the dimension that is the threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Own {
    block: Var,
    threads: i64,
}

/// A variable in scope.
#[derive(Clone, Debug)]
struct Entry {
    meaning: Meaning,
    /// How many parallel loops are around the declaration.
    par_depth: usize,
}

/// The number of threads of a block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Threads {
    Unknown,
    Known(i64),
}

/// Types of parameters and results.
struct Signature {
    params: Vec<ImpType>,
    results: Vec<ImpType>,
}

#[derive(Default)]
struct Checker {
    errors: Vec<CheckError>,
    /// Everything declared so far, in any procedure.
    declared: BTreeSet<Var>,
    /// What is visible.
    scope: imbl::OrdMap<Var, Entry>,
    /// Parallel loops around the statement at hand.
    par_depth: usize,
    /// Within the statements of a block, the number of its threads, where one of its `thread` loops has said it (I11).
    block: Option<Threads>,
    /// Whether the kernel around is a `chain` loop (I14).
    in_chain: bool,
    /// Whether the statement at hand is in an `ordered` region.
    in_ordered: bool,
    /// What regions assign from outside of their loops.
    handed: BTreeSet<Var>,
    /// The counter of the `thread` loop around.
    thread: Option<Var>,
    /// Elements of the blocks in registers and how many of them a thread has.
    registers: BTreeMap<Var, (PrimType, i64)>,
    /// `par` and `simd` loops around the statement at hand.
    host_depth: usize,
    procedures: BTreeMap<Symbol, Signature>,
    procedure: Option<Symbol>,
    loc: Option<Loc>,
}

impl Checker {
    fn procedure(&mut self, procedure: &Procedure) {
        self.procedure = Some(procedure.name);
        self.loc = None;
        self.scope = imbl::OrdMap::new();
        for (var, ty) in &procedure.params {
            self.lasting(*ty, "a parameter");
            self.declare(*var, Meaning::Fixed(*ty));
        }
        if let Some(interface) = &procedure.interface {
            self.interface(procedure, interface);
        }
        let signature = Signature {
            params: procedure.params.iter().map(|(_, ty)| *ty).collect(),
            results: procedure.results.iter().map(|(_, ty)| *ty).collect(),
        };
        let (name, entry) = (procedure.name, procedure.interface.is_some());
        let (now, later) = if entry { (None, Some(signature)) } else { (Some(signature), None) };
        let mut again = now.is_some_and(|signature| self.procedures.insert(name, signature).is_some());
        self.statements(&procedure.body);
        self.loc = None;
        self.handed_alone(procedure);
        for (exp, ty) in &procedure.results {
            self.lasting(*ty, "a result");
            self.expect(exp, *ty, "a result");
        }
        again |= later.is_some_and(|signature| self.procedures.insert(name, signature).is_some());
        if again {
            self.error(format!("I8: a second procedure is called `{}`", procedure.name));
        }
    }

    fn error(&mut self, message: String) {
        let procedure = self.procedure.expect("invariant: errors are found inside procedures");
        self.errors.push(CheckError { message, procedure, loc: self.loc });
    }

    /// Reports a type of what may outlive a stack frame, or stand for more than one block, if blocks of the type may not (I9, I13).
    fn lasting(&mut self, ty: ImpType, what: &str) {
        match ty {
            ImpType::Mem(Space::Stack) => self.error(format!("I9: {what} is a block on the stack")),
            ImpType::Mem(Space::Register) => self.error(format!("I13: {what} is a block in registers")),
            ImpType::Prim(_) | ImpType::Mem(_) => {}
        }
    }

    fn declare(&mut self, var: Var, meaning: Meaning) {
        if !self.declared.insert(var) {
            self.error(format!("I1: `{var}` is declared twice"));
        }
        self.scope.insert(var, Entry { meaning, par_depth: self.par_depth });
    }

    fn lookup(&mut self, var: Var) -> Option<Entry> {
        let entry = self.scope.get(&var).cloned();
        if entry.is_none() {
            self.error(format!("I1: `{var}` is not in scope"));
        }
        entry
    }
}
