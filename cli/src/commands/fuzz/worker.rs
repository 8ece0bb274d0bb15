//! The process that checks programs: reads `FIRST COUNT` lines, says which seed it is at, what it finds, and its counts.

use super::process::key;
use super::tally::{FOUND, PROGRAMS, Tally, outcome_name};
use fun_verify::fuzz::{Budget, Plan};
use fun_verify::laws::{Finding, Kind};
use std::io::{BufRead, Write};
use std::sync::Mutex;

/// What the last panic said, with its place.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

pub(super) fn run(plan: &Plan) {
    std::panic::set_hook(Box::new(|info| {
        if let Ok(mut last) = PANIC.lock() {
            *last = Some(info.to_string());
        }
    }));
    // which findings were shrunk: others of the same kind are only counted
    let mut known = std::collections::BTreeSet::new();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let mut numbers = line.split(' ').map_while(|word| word.parse::<u64>().ok());
        let (Some(first), Some(count)) = (numbers.next(), numbers.next()) else { return };
        let mut tally = Tally::default();
        for k in 0..count {
            let seed = first.wrapping_add(k);
            say(&format!("at {seed}"), "");
            let generated = plan.generate(seed);
            tally.add(PROGRAMS, 1);
            let language = generated.language;
            tally.add(&format!("language {}", language.name()), 1);
            for construct in generated.constructs() {
                tally.add(&format!("construct {}: {construct}", language.name()), 1);
            }
            match plan.check(seed, &generated) {
                Ok(outcome) => tally.add(outcome_name(outcome), 1),
                Err(finding) => {
                    tally.add(FOUND, 1);
                    if known.insert(key(&finding, &message(&finding))) {
                        let (smallest, finding) = plan.shrink(seed, generated, finding, Budget::default());
                        let message = message(&finding);
                        let key = key(&finding, &message);
                        let head = format!("found {seed} {} {key}", smallest.language.name());
                        say(&head, &smallest.case_text(&message));
                    }
                }
            }
        }
        say("done", &tally.lines());
    }
}

/// What to tell of a finding; a panic with its place.
fn message(finding: &Finding) -> String {
    let last = PANIC.lock().ok().and_then(|last| last.clone());
    match last {
        Some(text) if finding.kind == Kind::Panic => text,
        Some(_) | None => finding.message.clone(),
    }
}

/// A line for the process that started this one, with a text after it whose length the line tells.
fn say(line: &str, text: &str) {
    let mut out = std::io::stdout().lock();
    let written = write!(out, "{line} {}\n{text}", text.len()).and_then(|()| out.flush());
    if written.is_err() {
        // nobody listens any more
        std::process::exit(1);
    }
}
