//! Random programs: well-typed, in bounds and terminating by construction, so that every semantics must give the same values.
//! A few stop at an assertion.
//!
//! What keeps them so: indices come from counters below a size, from `mod` by a size known to be positive, or stand under a
//! test; divisors are made odd; sizes are constants, parameters, or computed with a known bound; operators come from a catalogue
//! of associative ones with their neutral elements; float operators are those that IEEE 754 defines exactly, and floats are
//! reduced by minimum and maximum only, so that any order gives equal bits. Arrays are consumed by the rules of F5.
//!
//! A program is determined by a seed and a size. [`GenProgram`] is quickcheck's view, with shrinking.

mod build;
mod control;
mod derive;
mod function;
mod idiom;
mod inputs;
mod scalar;
mod scope;
pub mod shrink;
mod small_rows;
mod soac;
mod statement;
mod value;

pub use inputs::{SMALL_SIZES, inputs_for, inputs_up_to};

use crate::ir::{Function, Program, Statement};
use fun_base::name::{NameSource, Symbol};
use fun_base::rng::Rng;
use fun_base::value::Value;
use quickcheck::{Arbitrary, Gen};
use scope::Scope;
use std::collections::BTreeSet;

/// How large a program gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scale {
    /// About how many statements `main` has, those in bodies included; helpers have half as many.
    pub statements: usize,
    /// How deep bodies nest.
    pub depth: usize,
    /// The greatest size of arrays in inputs, and of constant sizes.
    pub array_size: i64,
    /// How many functions there are besides `main` at most.
    pub helpers: usize,
}

impl Scale {
    /// What `size` means for [`generate`]: that many statements; nesting, arrays and helpers grow much more slowly.
    pub fn of(size: usize) -> Scale {
        let (depth, array_size, helpers) = match size {
            0..30 => (3, SMALL_SIZES, 2),
            30..100 => (4, SMALL_SIZES + 1, 3),
            _ => (5, SMALL_SIZES + 3, 5),
        };
        Scale { statements: size, depth, array_size, helpers }
    }
}

/// Which forms a generated program has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// SOAC forms only.
    Soac,
    /// Kernel forms only.
    Kernel,
}

/// A generated program, an entry point `main` in it, and arguments for it.
#[derive(Clone, Debug)]
pub struct GenProgram {
    /// The program; its entry point is called `main`.
    pub program: Program,
    /// The explicit arguments of `main`.
    pub inputs: Vec<Value>,
    /// Where shrinking goes on.
    next: usize,
}

/// As [`generate`] in SOAC form, with numbers of type i64 only and no derivatives: what is linear in them is so exactly.
pub fn generate_integers(seed: u64, size: usize) -> GenProgram {
    generate_with(seed, Scale::of(size), Form::Soac, true)
}

/// The program of a seed. `size` is about the number of statements of `main`; 10 to 30 are good sizes ([`Scale::of`]).
pub fn generate(seed: u64, size: usize, form: Form) -> GenProgram {
    generate_with(seed, Scale::of(size), form, false)
}

/// As [`generate`], with all bounds chosen by the caller.
pub fn generate_scaled(seed: u64, scale: Scale, form: Form) -> GenProgram {
    generate_with(seed, scale, form, false)
}

fn generate_with(seed: u64, scale: Scale, form: Form, integers: bool) -> GenProgram {
    let mut maker = Maker {
        rng: Rng::new(seed),
        names: NameSource::default(),
        scale,
        form,
        integers,
        functions: Vec::new(),
        recursive: BTreeSet::new(),
        calls_recursive: false,
        derived: false,
        scope: Scope::default(),
        statements: Vec::new(),
        fuel: 0,
        depth: 0,
    };
    let helpers = maker.rng.below(scale.helpers + 1);
    for i in 0..helpers {
        maker.function(&format!("helper{i}"), false, scale.statements / 2);
    }
    maker.function("main", true, scale.statements);
    let mut rng = maker.rng;
    let program = Program { functions: maker.functions };
    let inputs =
        program.functions.last().map_or(Vec::new(), |main| inputs_up_to(main, scale.array_size, &mut rng));
    GenProgram { program, inputs, next: 0 }
}

/// A program under construction.
struct Maker {
    rng: Rng,
    names: NameSource,
    scale: Scale,
    form: Form,
    /// Whether all numbers are i64.
    integers: bool,
    /// The functions that may be called.
    functions: Vec<Function>,
    /// Those of them that call themselves, or call such a one: they have no derivatives.
    recursive: BTreeSet<Symbol>,
    /// Whether the function at hand calls such a one.
    calls_recursive: bool,
    /// Whether what is made is for a derivative.
    derived: bool,
    scope: Scope,
    /// The statements of the body under construction.
    statements: Vec<Statement>,
    /// How many more statements the function may get, roughly.
    fuel: usize,
    /// How deep the body under construction is nested.
    depth: usize,
}

impl GenProgram {
    /// The first smaller program that fails as well.
    pub fn shrink_step(&self, fails: impl Fn(&GenProgram) -> bool) -> Option<GenProgram> {
        self.shrink().find(|candidate| fails(candidate))
    }
}

impl Arbitrary for GenProgram {
    fn arbitrary(g: &mut Gen) -> GenProgram {
        let form = if bool::arbitrary(g) { Form::Soac } else { Form::Kernel };
        generate(u64::arbitrary(g), 5 + g.size() / 5, form)
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = GenProgram>> {
        shrink::shrink(self)
    }
}

#[cfg(test)]
mod tests;
