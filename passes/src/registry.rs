//! All passes. Flags, help and the tests' folders come from this list: a pass is added here and nowhere else.

use crate::program::{Program, Stage};

/// A pass: a named function from a program of one stage to a program of the same or the next stage.
pub struct Pass {
    /// What flags, files and folders call it.
    pub name: &'static str,
    /// One line for the help.
    pub about: &'static str,
    /// The stage that it takes.
    pub from: Stage,
    /// The stage that it gives.
    pub to: Stage,
    run: Run,
}

enum Run {
    Fun(fn(::fun::ir::Program) -> ::fun::ir::Program),
    FunToFunMem(fn(::fun::ir::Program) -> ::funmem::ir::Program),
    FunMemToImp(fn(::funmem::ir::Program) -> ::imp::ir::Program),
    Imp(fn(::imp::ir::Program) -> ::imp::ir::Program),
}

/// A pass was given a program of another stage.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrongStage {
    /// The pass.
    pub pass: &'static str,
    /// What it takes.
    pub takes: Stage,
    /// What it was given.
    pub given: Stage,
}

impl std::fmt::Display for WrongStage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (takes, given) = (self.takes.name(), self.given.name());
        write!(f, "pass `{}` takes a {takes} program, but the program is at stage {given}", self.pass)
    }
}

impl Pass {
    /// Applies the pass.
    pub fn run(&self, program: Program) -> Result<Program, WrongStage> {
        match (&self.run, program) {
            (Run::Fun(run), Program::Fun(program)) => Ok(Program::Fun(run(program))),
            (Run::FunToFunMem(run), Program::Fun(program)) => Ok(Program::FunMem(run(program))),
            (Run::FunMemToImp(run), Program::FunMem(program)) => Ok(Program::Imp(run(program))),
            (Run::Imp(run), Program::Imp(program)) => Ok(Program::Imp(run(program))),
            (Run::Fun(_) | Run::FunToFunMem(_) | Run::FunMemToImp(_) | Run::Imp(_), program) => {
                Err(WrongStage { pass: self.name, takes: self.from, given: program.stage() })
            }
        }
    }
}

const fn fun_pass(
    name: &'static str,
    about: &'static str,
    run: fn(::fun::ir::Program) -> ::fun::ir::Program,
) -> Pass {
    Pass { name, about, from: Stage::Fun, to: Stage::Fun, run: Run::Fun(run) }
}

/// Every pass, by stage.
pub static PASSES: &[Pass] = &[
    fun_pass("ad", "turn jvp and vjp into the derivatives that they name", crate::fun::ad::run),
    fun_pass("inline", "put the bodies of functions in place of calls", crate::fun::inline::run),
    fun_pass("simplify", "fold constants, propagate copies, drop dead code", crate::fun::simplify::run),
    fun_pass("cse", "compute equal expressions once", crate::fun::cse::run),
    fun_pass("soac-to-kernel", "turn map, reduce, scan, … into kernels", crate::fun::soac_to_kernel::run),
    Pass {
        name: "introduce-memory",
        about: "say for every array where it lies in memory",
        from: Stage::Fun,
        to: Stage::FunMem,
        run: Run::FunToFunMem(crate::lower::fun_to_funmem::run),
    },
    Pass {
        name: "lower-to-imp",
        about: "forget values: loops, views, reads and writes",
        from: Stage::FunMem,
        to: Stage::Imp,
        run: Run::FunMemToImp(crate::lower::funmem_to_imp::run),
    },
    Pass {
        name: "simplify-imp",
        about: "fold constants, forward names, drop unused scalars and views",
        from: Stage::Imp,
        to: Stage::Imp,
        run: Run::Imp(crate::imp::simplify::run),
    },
];

/// The pass of this name.
pub fn find(name: &str) -> Option<&'static Pass> {
    PASSES.iter().find(|pass| pass.name == name)
}
