//! Fuzzing: the laws on the program of each seed, and the smallest program that breaks one.

use crate::compare::Options;
use crate::generated::{Generated, Language, generate};
use crate::laws::{Finding, Kind, LawOptions, Outcome, check};
use fun_base::rng::Rng;
use fun_passes::pipeline::{PIPELINES, Pipeline, find, passes_from};
use fun_passes::program::Stage;
use fun_passes::registry::Pass;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// What is drawn and what it goes through.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The languages to draw programs of; one may stand here more than once.
    pub languages: Vec<Language>,
    /// About the number of statements of a function; 5 to 40 are good sizes.
    pub size: usize,
    /// The passes of a pipeline, from its first stage on; `None`: the default pipeline, and the shortest one for one seed in eight.
    pub passes: Option<Vec<&'static Pass>>,
    /// What is looked at.
    pub laws: LawOptions,
}

/// All languages at the default size through the compiler's own pipelines.
impl Default for Plan {
    fn default() -> Plan {
        use Language::{Fun, FunMem, Imp, Source};
        let languages = vec![Fun, Fun, Fun, Fun, FunMem, FunMem, Imp, Source];
        Plan { languages, size: DEFAULT_SIZE, passes: None, laws: LawOptions::default() }
    }
}

/// Size of programs where nothing else is said.
pub const DEFAULT_SIZE: usize = 15;

/// How far shrinking goes.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Candidates tried.
    pub candidates: usize,
    /// Time spent.
    pub time: Duration,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { candidates: 20_000, time: Duration::from_secs(20) }
    }
}

/// A broken law, and the smallest program found that breaks it in the same way.
#[derive(Clone, Debug)]
pub struct Found {
    /// The seed of the program that it was seen on first.
    pub seed: u64,
    /// The smallest program.
    pub smallest: Generated,
    /// What is wrong with that.
    pub finding: Finding,
}

impl Plan {
    /// The default pipeline with one more pass, behind the first run of the one named (`None`: before all). An error when there is no
    /// such pass, or when the new one does not fit there.
    pub fn with_pass(pass: &'static Pass, after: Option<&str>) -> Result<Plan, String> {
        let mut passes = passes_from(&PIPELINES[0], Stage::Fun);
        let at = match after {
            None => 0,
            Some(after) => {
                let behind = passes.iter().position(|other| other.name == after);
                behind.ok_or_else(|| format!("the default pipeline has no pass `{after}`"))? + 1
            }
        };
        let stage = if at == 0 { Stage::Fun } else { passes[at - 1].to };
        if (pass.from, pass.to) != (stage, stage) {
            let (name, from) = (pass.name, pass.from.name());
            return Err(format!("`{name}` takes {from}, but the program is {} there", stage.name()));
        }
        passes.insert(at, pass);
        Ok(Plan { passes: Some(passes), ..Plan::default() })
    }

    /// Checks the programs of these seeds in turn, until one breaks a law; makes that small.
    pub fn search(&self, seeds: std::ops::Range<u64>) -> Option<Found> {
        for seed in seeds {
            let generated = self.generate(seed);
            if let Err(finding) = self.check(seed, &generated) {
                let (smallest, finding) = self.shrink(seed, generated, finding, Budget::default());
                return Some(Found { seed, smallest, finding });
            }
        }
        None
    }

    /// The program of a seed.
    pub fn generate(&self, seed: u64) -> Generated {
        let language = choice(seed, 0).pick(&self.languages).copied().unwrap_or(Language::Fun);
        generate(language, seed, self.size)
    }

    /// The passes that a program of a seed goes through.
    pub fn passes(&self, seed: u64, generated: &Generated) -> Vec<&'static Pass> {
        let stage = generated.program.stage();
        match &self.passes {
            Some(passes) => passes.iter().copied().skip_while(|pass| pass.from < stage).collect(),
            None => passes_from(pipeline(seed), stage),
        }
    }

    /// How the program of a seed is compared: its blocks and threads have orders of their own, as do those of what it is shrunk to.
    pub fn compare(&self, seed: u64) -> Options {
        Options { order: choice(seed, 4).next_u64() >> 32, ..self.laws.compare.clone() }
    }

    /// The laws on a program; a panic is a broken one. Law 7 is looked at for one seed in eight, facts for one in four.
    pub fn check(&self, seed: u64, generated: &Generated) -> Result<Outcome, Finding> {
        let passes = self.passes(seed, generated);
        let mut facts = choice(seed, 3);
        let laws = LawOptions {
            compare: self.compare(seed),
            repeat: self.laws.repeat && choice(seed, 2).below(8) == 0,
            facts: self.laws.facts.map(|_| facts.below(16)).filter(|_| facts.below(4) == 0),
            ..self.laws.clone()
        };
        let checked = catch_unwind(AssertUnwindSafe(|| check(generated, &passes, &laws)));
        checked.unwrap_or_else(|payload| {
            let text = payload.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("(no message)");
            let message = format!("panic: {text}");
            Err(Finding {
                kind: Kind::Panic,
                after: None,
                by: "the compiler",
                message,
                broken: String::new(),
            })
        })
    }

    /// The smallest program found that breaks a law in the same way.
    pub fn shrink(
        &self,
        seed: u64,
        mut generated: Generated,
        mut finding: Finding,
        budget: Budget,
    ) -> (Generated, Finding) {
        let (start, mut tried) = (Instant::now(), 0);
        'smaller: loop {
            let mut candidates = generated.shrink();
            // What ends the search for smaller programs does not end the search for programs.
            while let Ok(Some(candidate)) = catch_unwind(AssertUnwindSafe(|| candidates.next())) {
                tried += 1;
                if tried > budget.candidates || start.elapsed() > budget.time {
                    return (generated, finding);
                }
                match self.check(seed, &candidate) {
                    // what was right as given must not become what is wrong as given: that is no doing of a pass
                    Err(found)
                        if found.kind == finding.kind && found.after.is_some() == finding.after.is_some() =>
                    {
                        (generated, finding) = (candidate, found);
                        continue 'smaller;
                    }
                    Ok(_) | Err(_) => {}
                }
            }
            return (generated, finding);
        }
    }
}

/// Numbers of a seed for one choice, independent of those for others and of those that make the program.
fn choice(seed: u64, what: u64) -> Rng {
    Rng::new(seed.wrapping_mul(0xd6e8_feb8_6659_fd93).wrapping_add(what))
}

/// The pipeline of a seed: mostly the default one, which is the first, or its forms for small inputs (two) and for arrays in any order; for
/// one in eight one with kernels, and for one the shortest.
fn pipeline(seed: u64) -> &'static Pipeline {
    let mut rng = choice(seed, 1);
    let name = match rng.below(8) {
        0 => "none",
        1 => "small",
        2 => "small-tiles",
        3 => "views",
        4 if rng.below(4) == 0 => "gpu-library",
        4 => "gpu-small",
        _ => "default",
    };
    find(name).unwrap_or(&PIPELINES[0])
}
