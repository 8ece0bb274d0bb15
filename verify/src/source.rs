//! Source-level programs: random programs in the source language with what they must mean.
//!
//! The source language has no interpreter of its own, so the meaning comes from below: a generated FUN program is written as
//! source text, in a random style, and what the front end makes of the text must give the same results, bit for bit. A style
//! chooses among forms of the source that mean the same.

mod array;
mod code;
mod consume;
mod control;
pub mod coverage;
mod folds;
mod kit;
mod modules;
pub mod mutate;
mod raise;
mod scalar;
mod soac;
mod statement;
mod style;
mod wrap;

use fun::check::{Phase, check_program};
use fun::r#gen::{Form, GenProgram};
use fun::ir::{Exp, Fun, Program};
use fun::visit::Walk;
use fun_base::name::Symbol;
use fun_base::run::{Limits, RunErrorKind};
use fun_base::source::Source;
use quickcheck::Arbitrary;
use style::{Feature, Style};

/// A generated program in the source language.
#[derive(Clone, Debug)]
pub struct GenSource {
    /// The source text; its entry point is called `main`.
    pub text: String,
    /// What it must mean, with arguments for `main`.
    pub reference: GenProgram,
    style: Style,
}

/// The program of a seed; `size` as for [`fun::gen::generate`].
pub fn generate(seed: u64, size: usize) -> GenSource {
    // Of a function that calls itself the source has no derivatives: another program then.
    let seeds = (0..).map(|k: u64| seed.wrapping_add(k.wrapping_mul(0x5851_f42d_4c95_7f2d)));
    let references = seeds.map(|seed| fun::r#gen::generate(seed, size, Form::Soac));
    let mut expressible = references.filter(|reference| !derives_recursion(&reference.program));
    raised(expressible.next().unwrap_or_else(|| unreachable!("the seeds do not end")), Style::new(seed))
}

/// Whether the program has derivatives, and functions that call themselves: these may be what is differentiated.
fn derives_recursion(program: &Program) -> bool {
    let mut found = Found::default();
    for function in &program.functions {
        found.function = Some(function.name);
        fun::visit::walk_body(&mut found, &function.body);
    }
    found.derivatives && found.recursion
}

#[derive(Default)]
struct Found {
    function: Option<Symbol>,
    derivatives: bool,
    recursion: bool,
}

impl Walk<Fun> for Found {
    fn exp(&mut self, exp: &Exp) {
        match exp {
            Exp::Derive { .. } => self.derivatives = true,
            Exp::Call { function, .. } => self.recursion |= self.function == Some(*function),
            _ => {}
        }
        fun::visit::walk_exp(self, exp);
    }
}

fn raised(reference: GenProgram, style: Style) -> GenSource {
    GenSource { text: raise::raise(&reference.program, style), reference, style }
}

impl GenSource {
    /// The text as the front end takes it.
    pub fn source(&self) -> Source {
        Source { name: Symbol::new("generated.fut"), text: self.text.as_str().into() }
    }

    /// What the front end makes of the text, if it gives the results of the reference under the value semantics.
    pub fn check(&self) -> Result<fun::ir::Program, String> {
        let source = self.source();
        let compiled = fun_frontend::compile::compile(&source).map_err(|errors| {
            let lines = errors.iter().map(|error| {
                let place = error.primary.as_ref().map(|(span, _)| source.loc(span.start).to_string());
                format!("{} {} {}", error.code, place.unwrap_or_default(), error.message)
            });
            format!("the front end refuses it: {}", lines.collect::<Vec<_>>().join("; "))
        })?;
        if let Err(errors) = check_program(&compiled.program, Phase::Any) {
            let first = errors.first().map(ToString::to_string).unwrap_or_default();
            return Err(format!("the front end gives a program that is not well-formed: {first}"));
        }
        let limits = Limits { steps: 20_000_000, ..Limits::default() };
        let run = |program| fun::interp::run(program, "main", &self.reference.inputs, limits);
        let (expected, found) = match (run(&self.reference.program), run(&compiled.program)) {
            (Ok(expected), Ok(found)) => (expected, found),
            // An assertion that does not hold, in both.
            (Err(expected), Err(found))
                if expected.kind == RunErrorKind::Assert && found.kind == RunErrorKind::Assert =>
            {
                return Ok(compiled.program);
            }
            (Err(error), _) => return Err(format!("the reference fails: {error}")),
            (_, Err(error)) => return Err(format!("running it fails: {error}")),
        };
        if expected.len() != found.len() {
            return Err(format!("{} results instead of {}", found.len(), expected.len()));
        }
        for (k, (expected, found)) in expected.iter().zip(&found).enumerate() {
            found.same_or(expected).map_err(|difference| format!("result {k}: {difference}"))?;
        }
        Ok(compiled.program)
    }

    /// The same in plainer styles, and smaller programs in this style.
    pub fn shrink(&self) -> Box<dyn Iterator<Item = GenSource>> {
        let (reference, style) = (self.reference.clone(), self.style);
        let plainer = [style.plain()].into_iter().chain(Feature::ALL.map(|feature| style.without(feature)));
        let (plain, text) = (reference.clone(), self.text.clone());
        let plainer =
            plainer.map(move |style| raised(plain.clone(), style)).filter(move |other| other.text != text);
        Box::new(plainer.chain(reference.shrink().map(move |smaller| raised(smaller, style))))
    }
}
