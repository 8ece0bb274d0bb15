//! Handing out seeds to workers until a limit, and saying what came of them.

use super::corpus::{self, Corpus, State};
use super::process::{Crash, Found, Worker};
use super::tally::{FOUND, PROGRAMS, Tally};
use crate::arguments::FuzzArguments;
use crate::compile::Failure;
use fun_verify::fuzz::Plan;
use fun_verify::generated::Language;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{IsTerminal, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Programs that a worker is given at once.
const BATCH: u64 = 25;

/// How long it goes on when no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(60);

/// What the workers share.
struct Campaign {
    state: Mutex<Progress>,
    stop: AtomicBool,
    corpus: Option<Corpus>,
    settings: Vec<String>,
    first_only: bool,
}

struct Progress {
    /// The next seed to hand out.
    next: u64,
    /// The seed to stop before.
    end: Option<u64>,
    /// All seeds before this one are done, and counted in `tally`.
    done: u64,
    tally: Tally,
    /// Batches that are done before earlier ones are, by their first seeds: how many programs, and what was counted.
    ahead: BTreeMap<u64, (u64, Tally)>,
    /// What was found, as the names of files begin: others like it are only counted.
    known: BTreeSet<String>,
    /// How many of those in this run.
    findings: usize,
    /// What keeps us from going on.
    error: Option<String>,
    /// Whether a line about the progress stands on the terminal.
    line: bool,
}

/// Fuzzes; whether nothing was found.
pub(super) fn run(arguments: &FuzzArguments, plan: &Plan, jobs: u32) -> Result<bool, Failure> {
    let settings = super::settings(arguments);
    let (corpus, before) = match &arguments.corpus {
        None => (None, State::default()),
        Some(folder) => {
            let (corpus, state) = Corpus::open(folder, &settings).map_err(Failure::Message)?;
            (Some(corpus), state)
        }
    };
    let first = before.next.unwrap_or(arguments.seed);
    let end = arguments.programs.map(|count| {
        let end = arguments.seed.checked_add(count);
        end.ok_or_else(|| Failure::Message(format!("there are not {count} seeds from {} on", arguments.seed)))
    });
    let end = end.transpose()?;
    let time = match (arguments.time, end) {
        (Some(seconds), _) => Duration::try_from_secs_f64(seconds).ok(),
        (None, Some(_)) => None,
        (None, None) => Some(DEFAULT_TIME),
    };
    let state = Progress {
        next: first,
        end,
        done: first,
        tally: before.tally.clone(),
        ahead: BTreeMap::new(),
        known: corpus.as_ref().map(Corpus::known).unwrap_or_default(),
        findings: 0,
        error: None,
        line: false,
    };
    let stop = AtomicBool::new(false);
    let campaign = Campaign { state: Mutex::new(state), stop, corpus, settings, first_only: arguments.first };
    static INTERRUPTED: AtomicBool = AtomicBool::new(false);
    // without a handler an interrupt ends us at once, which loses only what was not saved yet
    let _ = ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::Relaxed));
    let start = Instant::now();
    let began = before.tally.get(PROGRAMS);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs).map(|_| scope.spawn(|| campaign.serve(plan))).collect();
        let mut saved = Instant::now();
        while workers.iter().any(|worker| !worker.is_finished()) {
            std::thread::sleep(Duration::from_millis(20));
            if INTERRUPTED.load(Ordering::Relaxed) || time.is_some_and(|time| start.elapsed() > time) {
                campaign.stop.store(true, Ordering::Relaxed);
            }
            campaign.show(start.elapsed(), began, jobs);
            if saved.elapsed() > Duration::from_secs(5) {
                campaign.save(before.time + start.elapsed());
                saved = Instant::now();
            }
        }
    });
    campaign.save(before.time + start.elapsed());
    let mut progress = campaign.lock();
    progress.erase_line();
    if let Some(error) = progress.error.take() {
        return Err(Failure::Message(error));
    }
    let tally = progress.all();
    summary(&tally, start.elapsed(), began, jobs, arguments);
    Ok(tally.get(FOUND) == 0)
}

impl Campaign {
    fn lock(&self) -> MutexGuard<'_, Progress> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps one worker busy.
    fn serve(&self, plan: &Plan) {
        let mut worker: Option<Worker> = None;
        // what a worker that crashed has left over
        let mut left: Vec<(u64, u64)> = Vec::new();
        while let Some((first, count)) = left.pop().or_else(|| self.take()) {
            let mut running = match worker.take().map_or_else(|| Worker::start(&self.settings), Ok) {
                Ok(running) => running,
                Err(error) => return self.fail(error),
            };
            match running.batch(first, count, &mut |found| self.found(&found)) {
                Ok(tally) => {
                    worker = Some(running);
                    self.lock().finished(first, count, tally);
                }
                Err(Crash { seed: None, how }) => return self.fail(how),
                Err(Crash { seed: Some(seed), how }) => {
                    self.found(&crashed(seed, &how, plan));
                    let mut tally = Tally::default();
                    tally.add(PROGRAMS, 1);
                    tally.add(FOUND, 1);
                    self.lock().finished(seed, 1, tally);
                    // what was counted of the programs before it went down with the worker: they are done again
                    let before = seed.saturating_sub(first).min(count - 1);
                    left.extend(
                        [(seed + 1, count - 1 - before), (first, before)].into_iter().filter(|(_, n)| *n > 0),
                    );
                }
            }
        }
    }

    /// The next batch for a worker.
    fn take(&self) -> Option<(u64, u64)> {
        let mut progress = self.lock();
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let first = progress.next;
        let end = progress.end.unwrap_or(u64::MAX);
        let count = BATCH.min(end.saturating_sub(first));
        progress.next = first + count;
        if count == 0 {
            return None;
        }
        Some((first, count))
    }

    fn fail(&self, error: String) {
        self.stop.store(true, Ordering::Relaxed);
        self.lock().error.get_or_insert(error);
    }

    /// Prints and keeps a finding, unless one like it is known.
    fn found(&self, found: &Found) {
        let mut progress = self.lock();
        if !progress.known.insert(corpus::slug(&found.key)) {
            return;
        }
        progress.findings += 1;
        if self.first_only {
            self.stop.store(true, Ordering::Relaxed);
        }
        progress.erase_line();
        println!("seed {} breaks a law: {}", found.seed, found.key);
        match self.corpus.as_ref().map(|corpus| corpus.keep(found)) {
            None => println!("{}", found.case),
            Some(Ok(path)) => println!("  kept as {}", path.display()),
            Some(Err(error)) => {
                println!("{}", found.case);
                drop(progress);
                self.fail(error);
            }
        }
    }

    fn save(&self, time: Duration) {
        let Some(corpus) = &self.corpus else { return };
        let progress = self.lock();
        let state = State { next: Some(progress.done), time, tally: progress.tally.clone() };
        drop(progress);
        if let Err(error) = corpus.save(&state) {
            self.fail(error);
        }
    }

    /// The line about the progress, on a terminal.
    fn show(&self, time: Duration, began: u64, jobs: u32) {
        if !std::io::stderr().is_terminal() {
            return;
        }
        let mut progress = self.lock();
        let tally = progress.all();
        let programs = tally.get(PROGRAMS) - began;
        let of = progress.end.map(|end| format!(" of {}", programs + end.saturating_sub(progress.next)));
        let text = format!(
            "{programs}{} programs, {:.0} a second on {jobs} processes, {} findings, {} constructs",
            of.unwrap_or_default(),
            programs as f64 / time.as_secs_f64().max(0.001),
            progress.findings,
            constructs(&tally).iter().filter(|(_, share)| *share > 0.0).count()
        );
        progress.line = true;
        // a terminal that has gone away is no reason to stop
        let _ = write!(std::io::stderr(), "\r\x1b[K{text}");
    }
}

impl Progress {
    /// The programs of these seeds are done.
    fn finished(&mut self, first: u64, count: u64, tally: Tally) {
        self.ahead.insert(first, (count, tally));
        while let Some((count, tally)) = self.ahead.remove(&self.done) {
            self.tally.merge(&tally);
            self.done += count;
        }
    }

    /// What was counted so far, in whatever order.
    fn all(&self) -> Tally {
        let mut all = self.tally.clone();
        self.ahead.values().for_each(|(_, tally)| all.merge(tally));
        all
    }

    fn erase_line(&mut self) {
        if std::mem::take(&mut self.line) {
            // a terminal that has gone away is no reason to stop
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// A program that ended its worker, as it was drawn: shrinking would end more of them.
fn crashed(seed: u64, how: &str, plan: &Plan) -> Found {
    let generated = catch_unwind(AssertUnwindSafe(|| plan.generate(seed)));
    let (language, case) = match generated {
        Ok(generated) => (generated.language.name().to_owned(), generated.case_head(how)),
        Err(_) => ("txt".to_owned(), format!("// seed {seed} ends the generator: {how}\n")),
    };
    Found { seed, language, key: format!("the compiler, or what it made, crashed: {how}"), case }
}

/// Constructs of the languages drawn so far, with the share of programs that have them, the rarest first.
fn constructs(tally: &Tally) -> Vec<(String, f64)> {
    let mut found = Vec::new();
    for language in Language::ALL {
        let name = language.name();
        let all = tally.get(&format!("language {name}"));
        for construct in language.constructs().into_iter().filter(|_| all > 0) {
            let count = tally.get(&format!("construct {name}: {construct}"));
            found.push((format!("{name}: {construct}"), count as f64 / all as f64));
        }
    }
    found.sort_by(|a, b| a.1.total_cmp(&b.1).then_with(|| a.0.cmp(&b.0)));
    found
}

fn summary(tally: &Tally, time: Duration, began: u64, jobs: u32, arguments: &FuzzArguments) {
    let programs = tally.get(PROGRAMS) - began;
    let seconds = time.as_secs_f64();
    println!(
        "{programs} programs in {seconds:.1} s, {:.0} a second on {jobs} processes",
        programs as f64 / seconds.max(0.001)
    );
    let all = if began > 0 { format!("{} in all: ", tally.get(PROGRAMS)) } else { String::new() };
    println!("{all}{}", tally.outcomes());
    let constructs = constructs(tally);
    if arguments.coverage {
        constructs.iter().for_each(|(name, share)| println!("{:6.2} % of programs: {name}", 100.0 * share));
    } else if let Some((name, share)) = constructs.first() {
        let count = constructs.len();
        let seen = constructs.iter().filter(|(_, share)| *share > 0.0).count();
        println!("{seen} of {count} constructs; the rarest in {:.2} % of programs: {name}", 100.0 * share);
    }
}
