//! Validity (paper Definition 3.1) of an entry point on many inputs: given ones, random ones, or all small ones.
//!
//! An input on which the program stops at an assertion must make it stop everywhere, but says nothing about values: where inputs
//! are drawn, another one is drawn for it.

use crate::compare::{Agreement, Disagreement, Options, Semantics, Stages, Verdict, agree_watched};
use crate::inputs::{Manner, Signature};
use crate::shrink::shrink_inputs;
use crate::small::SmallInputs;
use fun_base::prim::PrimValue;
use fun_base::rng::Rng;
use fun_base::run::RunError;
use fun_base::value::Value;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Draws for one input before giving up on it.
const DRAWS: u64 = 60;

/// The same once nothing that was drawn for the first inputs has passed.
const FEWER_DRAWS: u64 = 6;

/// Inputs after which it is known that draws don't pass.
const PATIENCE: u64 = 4;

/// Draws that take too long, after which another draw is not tried for an input; and after which, when nothing has
/// ever ended in time, no input is.
const SLOW: (u64, u64) = (2, 4);

/// Runs that shrinking may spend on one disagreement.
const SHRINK_BUDGET: usize = 1000;

/// Time that it may spend.
const SHRINK_TIME: Duration = Duration::from_secs(10);

/// Which inputs an entry point is run on.
#[derive(Clone, Debug)]
pub enum Inputs {
    /// These.
    Given(Vec<Vec<Value>>),
    /// Random ones.
    Random {
        /// How many that don't stop at an assertion.
        count: u64,
        /// The seed of the first.
        seed: u64,
    },
    /// All with sizes up to a bound over a few values.
    Small {
        /// The bound.
        largest: i64,
        /// Only the first so many; an error when there are more than [`MOST_SMALL`] and this is `None`.
        most: Option<u64>,
    },
}

/// How many small inputs are run without being asked to.
pub const MOST_SMALL: u64 = 100_000;

/// Changes values to ones that the source can write.
pub type Amend<'r> = Box<dyn Fn(&mut [Value]) + 'r>;

/// What makes inputs those of an entry point, beyond the types in its program.
pub struct Rules<'r> {
    /// Makes tags of sums those of constructors, and the like. Small inputs that it changes are left out.
    pub amend: Amend<'r>,
    /// Values of parameters that are not to be those of their types, by position, for small inputs.
    pub domains: BTreeMap<usize, Vec<PrimValue>>,
}

/// No further rules.
impl Default for Rules<'_> {
    fn default() -> Self {
        Rules { amend: Box::new(|_| {}), domains: BTreeMap::new() }
    }
}

/// What came out of one of [`Stages::points`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PointReport {
    /// What was run.
    pub semantics: Semantics,
    /// The position of the program among [`Stages::programs`].
    pub program: usize,
    /// On how many inputs it did what the reference did.
    pub same: u64,
    /// On how many it reached a limit, or was not run because another had.
    pub limited: u64,
    /// Time in it.
    pub time: Duration,
}

/// What came out of all inputs.
#[derive(Clone, Debug)]
pub struct Report {
    /// How many inputs there were to be; `None` as long as nobody knows.
    pub planned: Option<u128>,
    /// How many of those are done with.
    pub done: u64,
    /// Whether the entry has no parameters, so that there is one input.
    pub constant: bool,
    /// Whether only the first of them were to be run.
    pub capped: bool,
    /// Inputs on which all semantics gave the same values.
    pub agreed: u64,
    /// Inputs on which all semantics stopped at an assertion.
    pub stopped: u64,
    /// The first of these assertions.
    pub stop: Option<RunError>,
    /// Inputs on which the reference reached a limit, or which do not fit.
    pub skipped: u64,
    /// Why the first of these was skipped.
    pub skip: Option<RunError>,
    /// Random inputs for which no draw passed the assertions.
    pub unmet: u64,
    /// Every semantics of every program that its pass did not leave as it was.
    pub points: Vec<PointReport>,
    /// The smallest disagreement found, and the number of the point that disagrees.
    pub found: Option<(Disagreement, usize)>,
}

impl Report {
    fn new(stages: &Stages) -> Report {
        let point = |(number, semantics): (usize, &Semantics)| PointReport {
            semantics: semantics.clone(),
            program: stages.program_of(number),
            same: 0,
            limited: 0,
            time: Duration::ZERO,
        };
        Report {
            planned: None,
            done: 0,
            constant: false,
            capped: false,
            agreed: 0,
            stopped: 0,
            stop: None,
            skipped: 0,
            skip: None,
            unmet: 0,
            points: stages.points().enumerate().map(point).collect(),
            found: None,
        }
    }

    /// Inputs on which anything was run.
    pub fn run(&self) -> u64 {
        self.agreed + self.stopped + self.skipped + u64::from(self.found.is_some())
    }
}

/// How an entry point is looked at.
pub struct Plan<'p> {
    /// The entry point.
    pub entry: &'p str,
    /// What it is run on.
    pub inputs: Inputs,
    /// Further rules for them.
    pub rules: Rules<'p>,
    /// Whether to go on after a disagreement, in search of one after an earlier pass.
    pub first_pass: bool,
    /// How each run is compared.
    pub options: &'p Options,
}

/// Runs an entry point under all semantics; `progress` hears of every input that is done with, and may end it. The error says why there are no inputs.
pub fn validate(
    stages: &Stages,
    plan: &Plan<'_>,
    progress: &mut dyn FnMut(&Report) -> ControlFlow<()>,
) -> Result<Report, String> {
    let given = &stages.programs()[0].1;
    let signature = Signature::of(given, plan.entry);
    let mut run = Run { stages, plan, report: Report::new(stages), end: usize::MAX, progress };
    run.report.constant = signature.is_empty();
    match &plan.inputs {
        Inputs::Given(inputs) => {
            run.report.planned = Some(inputs.len() as u128);
            for inputs in inputs {
                run.one(inputs);
                if run.done() {
                    break;
                }
            }
        }
        Inputs::Random { .. } if signature.is_empty() => {
            run.report.planned = Some(1);
            run.one(&[]);
            run.done();
        }
        Inputs::Random { count, seed } => {
            run.report.planned = Some((*count).into());
            run.random(&signature, *count, *seed)?;
        }
        Inputs::Small { largest, most } => {
            let small = SmallInputs::new(&signature, *largest, plan.rules.domains.clone())?;
            let count = small.count();
            if count > most.unwrap_or(MOST_SMALL).into() {
                let Some(most) = most else {
                    return Err(format!(
                        "there are {} inputs with sizes up to {largest}, which are many: `--most N` runs the first N, smallest first",
                        large(count)
                    ));
                };
                run.report.planned = Some((*most).into());
                run.report.capped = true;
            } else {
                run.report.planned = Some(count);
            }
            let most = most.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
            for inputs in small.iter().take(most) {
                let mut amended = inputs.clone();
                (plan.rules.amend)(&mut amended);
                if inputs.iter().zip(&amended).all(|(a, b)| a.same(b)) {
                    run.one(&inputs);
                }
                if run.done() {
                    break;
                }
            }
        }
    }
    Ok(run.finish())
}

/// A count, or how large it is at least.
fn large(count: u128) -> String {
    if count >= 1 << 64 { "more than 2^64".to_owned() } else { count.to_string() }
}

struct Run<'r> {
    stages: &'r Stages,
    plan: &'r Plan<'r>,
    report: Report,
    /// Points from here on are not run any more: a disagreement there is known.
    end: usize,
    progress: &'r mut dyn FnMut(&Report) -> ControlFlow<()>,
}

/// What one input came to.
enum Came {
    Agreed,
    Stopped,
    Skipped,
    Disagreed,
}

impl Run<'_> {
    /// Counts an input as done with; whether further ones could say nothing more.
    fn done(&mut self) -> bool {
        self.report.done += 1;
        let stopped = (self.progress)(&self.report).is_break();
        stopped || self.report.found.is_some() && (!self.plan.first_pass || self.end <= 1)
    }

    fn one(&mut self, inputs: &[Value]) -> Came {
        let points = &mut self.report.points;
        let mut different = None;
        let mut watcher = |number: usize, verdict, time| {
            let point = &mut points[number];
            point.time += time;
            match verdict {
                Verdict::Same => point.same += 1,
                Verdict::Limited | Verdict::NotRun => point.limited += 1,
                Verdict::Different => different = Some(number),
            }
        };
        let (entry, options) = (self.plan.entry, self.plan.options);
        let agreement = agree_watched(self.stages, entry, inputs, options, self.end, &mut watcher);
        match agreement {
            Agreement::Agreed { .. } => {
                self.report.agreed += 1;
                Came::Agreed
            }
            Agreement::AllFailed(error) => {
                self.report.stopped += 1;
                self.report.stop.get_or_insert(error);
                Came::Stopped
            }
            Agreement::Skipped(error) => {
                self.report.skipped += 1;
                self.report.skip.get_or_insert(error);
                Came::Skipped
            }
            Agreement::Disagreed(found) => {
                let number = different.unwrap_or(0);
                self.end = number;
                self.report.found = Some((*found, number));
                Came::Disagreed
            }
        }
    }

    fn random(&mut self, signature: &Signature, count: u64, seed: u64) -> Result<(), String> {
        // the manner that passed last
        let mut good = None;
        for k in 0..count {
            let hopeless = self.report.agreed == 0 && k >= PATIENCE;
            let draws = if hopeless { FEWER_DRAWS } else { DRAWS };
            let mut rng = Rng::new(seed.wrapping_add(k));
            let (mut met, mut slow) = (false, 0);
            // Where wild numbers mostly take too long, few inputs begin with them.
            let wild = self.report.skipped < SLOW.1 || self.report.skipped * 2 < k || k % 8 == 0;
            for draw in u64::from(!wild)..draws {
                let manner = match draw {
                    0 => Manner::Any,
                    1 => good.unwrap_or(Manner::Fitting),
                    _ => Manner::ALL[(draw as usize - 1) % Manner::ALL.len()],
                };
                let own = if draw == 0 { seed.wrapping_add(k) } else { rng.next_u64() };
                let mut inputs = signature.draw(own, manner)?;
                (self.plan.rules.amend)(&mut inputs);
                match self.one(&inputs) {
                    Came::Agreed => {
                        good = if draw == 0 { good } else { Some(manner) };
                        met = true;
                        break;
                    }
                    Came::Disagreed => {
                        met = true;
                        break;
                    }
                    Came::Stopped => {}
                    Came::Skipped => {
                        slow += 1;
                        if slow == SLOW.0 {
                            break;
                        }
                    }
                }
            }
            self.report.unmet += u64::from(!met);
            if self.report.agreed + self.report.stopped == 0 && self.report.skipped >= SLOW.1 {
                break;
            }
            if self.done() {
                break;
            }
        }
        Ok(())
    }

    /// The report, its disagreement on the smallest inputs found.
    fn finish(mut self) -> Report {
        if let Some((found, number)) = self.report.found.take() {
            let inputs = found.inputs.clone();
            let mut best = (found, number);
            let start = Instant::now();
            shrink_inputs(inputs, SHRINK_BUDGET, &mut |inputs| {
                if start.elapsed() > SHRINK_TIME {
                    return false;
                }
                let mut different = 0;
                let mut watcher = |number, verdict, _| {
                    if verdict == Verdict::Different {
                        different = number;
                    }
                };
                let (entry, options) = (self.plan.entry, self.plan.options);
                let end = best.1 + 1;
                match agree_watched(self.stages, entry, inputs, options, end, &mut watcher) {
                    // another kind of failure on smaller inputs is another bug
                    Agreement::Disagreed(smaller) if smaller.kind() == best.0.kind() => {
                        best = (*smaller, different);
                        true
                    }
                    Agreement::Disagreed(_)
                    | Agreement::Agreed { .. }
                    | Agreement::AllFailed(_)
                    | Agreement::Skipped(_) => false,
                }
            });
            self.report.found = Some(best);
        }
        self.report
    }
}
