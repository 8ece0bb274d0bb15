//! Case files: reading, comparing, blessing.

use std::path::{Path, PathBuf};

/// A case file, taken apart.
pub struct Case {
    /// Where it is.
    pub path: PathBuf,
    /// The words after `case:` in the first line.
    pub command: Vec<String>,
    /// The program: everything up to the separator, the header line included so that lines keep their numbers.
    pub program: String,
    /// What should come out.
    pub expected: String,
}

/// What a case came to.
#[derive(Debug)]
pub enum Verdict {
    /// As expected.
    Passed,
    /// `BLESS=1` wrote new expectations.
    Blessed,
    /// Not as expected: the text for the user.
    Failed(String),
}

/// How comments begin in a file, by its extension.
fn comment(path: &Path) -> &'static str {
    if path.extension().is_some_and(|extension| extension == "fut") { "--" } else { "//" }
}

/// The expectation without comment marks: with them in every line, the whole file is a program that the tools read.
fn uncommented(expected: &str, comment: &str) -> String {
    let line = |line: &str| {
        let rest = line.strip_prefix(comment)?;
        Some(rest.strip_prefix(' ').unwrap_or(rest).to_owned() + "\n")
    };
    expected.lines().map(line).collect::<Option<String>>().unwrap_or_else(|| expected.to_owned())
}

impl Case {
    /// Reads a case; the error is for the user.
    pub fn read(path: &Path) -> Result<Case, String> {
        let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
        let comment = comment(path);
        let header = text.lines().next().unwrap_or_default();
        let command = header
            .strip_prefix(comment)
            .and_then(|rest| rest.trim_start().strip_prefix("case:"))
            .ok_or_else(|| format!("the first line must be `{comment} case: COMMAND …`"))?;
        let separator = format!("\n{comment} ---\n");
        let (program, expected) = match text.split_once(&separator) {
            Some((program, expected)) => (format!("{program}\n"), uncommented(expected, comment)),
            None => (text.clone(), String::new()),
        };
        let command = command.split_whitespace().map(str::to_owned).collect();
        Ok(Case { path: path.to_owned(), command, program, expected })
    }

    /// Runs the case and compares, or rewrites the expectation when `bless`.
    pub fn run(&self, bless: bool) -> Verdict {
        let actual = match crate::command::run(self) {
            Ok(actual) => actual,
            Err(message) => return Verdict::Failed(message),
        };
        let actual = format!("{}\n", actual.trim_end());
        if actual == self.expected {
            return Verdict::Passed;
        }
        if bless {
            let comment = comment(&self.path);
            let lines = actual.lines().map(|line| format!("{comment} {line}").trim_end().to_owned() + "\n");
            let text = format!("{}{comment} ---\n{}", self.program, lines.collect::<String>());
            // (another case may import this one meanwhile)
            let new = self.path.with_extension("new");
            return match std::fs::write(&new, text).and_then(|()| std::fs::rename(&new, &self.path)) {
                Ok(()) => Verdict::Blessed,
                Err(error) => Verdict::Failed(error.to_string()),
            };
        }
        Verdict::Failed(difference(&self.expected, &actual))
    }
}

/// The first lines that differ, in their surroundings.
fn difference(expected: &str, actual: &str) -> String {
    let (expected, actual): (Vec<_>, Vec<_>) = (expected.lines().collect(), actual.lines().collect());
    let same = expected.iter().zip(&actual).take_while(|(a, b)| a == b).count();
    let mut text = format!("differs from line {} of the expectation on (BLESS=1 rewrites it):\n", same + 1);
    for line in &expected[same.saturating_sub(2)..same] {
        text += &format!("    {line}\n");
    }
    for line in expected[same..].iter().take(12) {
        text += &format!("  - {line}\n");
    }
    for line in actual[same..].iter().take(12) {
        text += &format!("  + {line}\n");
    }
    text
}

/// All case files below a folder, sorted.
pub fn find_cases(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|e| ["fut", "fun", "funmem", "imp"].iter().any(|x| e == *x))
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
