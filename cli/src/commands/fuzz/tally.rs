//! Counting: programs, what they came to, and the constructs in them.

use fun_verify::laws::Outcome;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Numbers by name. Constructs have names that begin with their language: `fun: loop in kernel`.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Tally {
    counts: BTreeMap<String, u64>,
}

/// All programs.
pub(super) const PROGRAMS: &str = "programs";
/// Those that break a law.
pub(super) const FOUND: &str = "found";

/// The count of an outcome.
pub(super) fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Agreed => "agreed",
        Outcome::Asserted => "asserted",
        Outcome::Skipped => "skipped",
    }
}

impl Tally {
    pub(super) fn add(&mut self, name: &str, count: u64) {
        match self.counts.get_mut(name) {
            Some(known) => *known += count,
            None => {
                self.counts.insert(name.to_owned(), count);
            }
        }
    }

    pub(super) fn get(&self, name: &str) -> u64 {
        self.counts.get(name).copied().unwrap_or(0)
    }

    pub(super) fn merge(&mut self, other: &Tally) {
        other.counts.iter().for_each(|(name, count)| self.add(name, *count));
    }

    /// One line for each number, which [`Tally::read`] takes.
    pub(super) fn lines(&self) -> String {
        self.counts.iter().fold(String::new(), |mut text, (name, count)| {
            // writing to a string does not fail
            let _ = writeln!(text, "{count}\t{name}");
            text
        })
    }

    /// Adds the number of a line; false if it is none.
    pub(super) fn read(&mut self, line: &str) -> bool {
        let read = line.split_once('\t').and_then(|(count, name)| Some((count.parse().ok()?, name)));
        if let Some((count, name)) = read {
            self.add(name, count);
        }
        read.is_some()
    }

    /// `12 agree, 3 stop at the same assertion everywhere`.
    pub(super) fn outcomes(&self) -> String {
        let mut parts = vec![format!("{} agree", self.get(outcome_name(Outcome::Agreed)))];
        let mut part = |name: &str, text: &str| match self.get(name) {
            0 => {}
            count => parts.push(format!("{count} {text}")),
        };
        part(outcome_name(Outcome::Asserted), "stop at the same assertion everywhere");
        part(outcome_name(Outcome::Skipped), "too long for the interpreter");
        part(FOUND, "break a law");
        parts.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back() {
        let mut tally = Tally::default();
        tally.add(PROGRAMS, 3);
        tally.add("construct fun: loop in kernel", 1);
        tally.add(PROGRAMS, 4);
        let mut read = Tally::default();
        assert!(tally.lines().lines().all(|line| read.read(line)));
        assert_eq!(read, tally);
        assert!(!read.read("programs 3"));
    }
}
