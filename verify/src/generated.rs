//! Generated programs of every language, behind one type.

use crate::compare::run_value_semantics;
use crate::coverage::{self, Constructs};
use crate::source::{self, GenSource};
use fun::r#gen::Form;
use fun_base::rng::Rng;
use fun_base::value::Value;
use fun_passes::program::{Program, Stage};
use quickcheck::Arbitrary;

/// The entry point of generated programs.
pub const ENTRY: &str = "main";

/// What a generated program is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Language {
    /// The source language: goes through the front end and every pass.
    Source,
    /// FUN: goes through every pass.
    Fun,
    /// FUNMEM, in layouts that memory introduction never chooses.
    FunMem,
    /// IMP.
    Imp,
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 4] = [Language::Source, Language::Fun, Language::FunMem, Language::Imp];

    /// Its name on the command line, which is also the extension of its files.
    pub fn name(self) -> &'static str {
        match self {
            Language::Source => "fut",
            Language::Fun => Stage::Fun.name(),
            Language::FunMem => Stage::FunMem.name(),
            Language::Imp => Stage::Imp.name(),
        }
    }

    /// All constructs that its programs can have.
    pub fn constructs(self) -> Vec<&'static str> {
        let of = |stage| coverage::groups(stage).iter().flat_map(|group| group.names).copied().collect();
        match self {
            Language::Source => source::coverage::ALL.to_vec(),
            Language::Fun => of(Stage::Fun),
            Language::FunMem => of(Stage::FunMem),
            Language::Imp => of(Stage::Imp),
        }
    }

    /// The language of this name.
    pub fn from_name(name: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|language| language.name() == name)
    }
}

/// A generated program with arguments for its entry point [`ENTRY`].
#[derive(Clone, Debug)]
pub struct Generated {
    /// What it is written in.
    pub language: Language,
    /// The program; for one of the source language, the FUN program that says what it must mean.
    pub program: Program,
    /// The arguments.
    pub inputs: Vec<Value>,
    origin: Origin,
}

/// What knows how to shrink it.
#[derive(Clone, Debug)]
enum Origin {
    Source(Box<GenSource>),
    Fun(fun::r#gen::GenProgram),
    FunMem(funmem::r#gen::GenProgram),
    Imp(imp::r#gen::Generated),
}

/// The program of a seed. `size` is about the number of statements of a function. Equal seeds and sizes give equal programs.
pub fn generate(language: Language, seed: u64, size: usize) -> Generated {
    let origin = match language {
        Language::Source => Origin::Source(Box::new(source::generate(seed, size))),
        Language::Fun => {
            // SOACs need more passes than kernels, which are one of their results
            let form = if Rng::new(seed).chance(25) { Form::Kernel } else { Form::Soac };
            Origin::Fun(fun::r#gen::generate(seed, size, form))
        }
        Language::FunMem => Origin::FunMem(funmem::r#gen::generate(seed, size)),
        Language::Imp => Origin::Imp(imp::r#gen::generate(seed, size)),
    };
    Generated::new(origin)
}

impl Generated {
    fn new(origin: Origin) -> Generated {
        let (language, program, inputs) = match &origin {
            Origin::Source(made) => {
                let GenSource { reference, .. } = &**made;
                (Language::Source, Program::Fun(reference.program.clone()), reference.inputs.clone())
            }
            Origin::Fun(made) => (Language::Fun, Program::Fun(made.program.clone()), made.inputs.clone()),
            Origin::FunMem(made) => {
                (Language::FunMem, Program::FunMem(made.program.clone()), made.inputs.clone())
            }
            Origin::Imp(made) => (Language::Imp, Program::Imp(made.program.clone()), made.values()),
        };
        Generated { language, program, inputs, origin }
    }

    /// Smaller programs that are still good, bold ones first.
    pub fn shrink(&self) -> Box<dyn Iterator<Item = Generated>> {
        match &self.origin {
            Origin::Source(made) => {
                Box::new(made.shrink().map(|made| Generated::new(Origin::Source(Box::new(made)))))
            }
            Origin::Fun(made) => Box::new(made.shrink().map(|made| Generated::new(Origin::Fun(made)))),
            Origin::FunMem(made) => Box::new(made.shrink().map(|made| Generated::new(Origin::FunMem(made)))),
            Origin::Imp(made) => Box::new(made.shrink().map(|made| Generated::new(Origin::Imp(made)))),
        }
    }

    /// The program where the passes begin. An error when the front end refuses the source, or gives it another meaning.
    pub fn lowered(&self) -> Result<Program, String> {
        match &self.origin {
            Origin::Source(made) => made.check().map(Program::Fun),
            Origin::Fun(_) | Origin::FunMem(_) | Origin::Imp(_) => Ok(self.program.clone()),
        }
    }

    /// The constructs in it: those of [`Language::constructs`].
    pub fn constructs(&self) -> Constructs {
        match &self.origin {
            Origin::Source(made) => source::coverage::constructs(&made.source()),
            Origin::Fun(_) | Origin::FunMem(_) | Origin::Imp(_) => coverage::constructs(&self.program),
        }
    }

    /// The text of the program in its language.
    pub fn text(&self) -> String {
        match &self.origin {
            Origin::Source(made) => made.text.clone(),
            Origin::Fun(_) | Origin::FunMem(_) | Origin::Imp(_) => self.program.print(),
        }
    }

    /// The beginning of a case file, up to the end of the program. `remark` says what is wrong with it.
    pub fn case_head(&self, remark: &str) -> String {
        let inputs: Vec<String> = self.inputs.iter().map(ToString::to_string).collect();
        let remark = self.comment(remark);
        let text = self.text();
        let end = if text.ends_with('\n') { "" } else { "\n" };
        self.comment(&format!("case: run {ENTRY} ( {} )", inputs.join(" "))) + &remark + &text + end
    }

    /// A case file for the suite that runs the program everywhere. Its expectation is what its own semantics gives.
    pub fn case_text(&self, remark: &str) -> String {
        let limits = fun_base::run::Limits::default();
        let reference = run_value_semantics(&self.program, ENTRY, &self.inputs, limits);
        let expected = match reference {
            Ok(values) => values.iter().map(|value| value.to_string() + "\n").collect(),
            Err(error) => error.to_string(),
        };
        self.case_head(remark) + &self.comment("---") + &self.comment(&expected)
    }

    /// Lines as comments of the language.
    fn comment(&self, text: &str) -> String {
        let mark = if self.language == Language::Source { "--" } else { "//" };
        text.lines().map(|line| format!("{mark} {line}").trim_end().to_owned() + "\n").collect()
    }
}
