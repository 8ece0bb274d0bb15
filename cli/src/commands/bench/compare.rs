//! Two files of results, row by row.

use super::record::{Read, from_json};
use super::statistics::{same_distribution, summary};
use super::table::time;
use crate::compile::Failure;
use crate::files::read_source;
use std::path::Path;

/// Differences that come by chance more often than this are not called differences.
const SIGNIFICANCE: f64 = 0.01;

/// Prints how the times of `new` relate to those of `old`.
pub(super) fn run(old: &Path, new: &Path) -> Result<(), Failure> {
    let (old, new) = (read(old)?, read(new)?);
    let width = new.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    for row in &new {
        let name = &row.name;
        let before = old.iter().find(|before| before.name == *name);
        let said = before.map_or("only in the new file".to_owned(), |before| verdict(before, row));
        println!("{name:width$}  {said}");
    }
    for row in old.iter().filter(|row| new.iter().all(|other| other.name != row.name)) {
        println!("{:width$}  only in the old file", row.name);
    }
    Ok(())
}

fn read(path: &Path) -> Result<Vec<Read>, String> {
    let source = read_source(path)?;
    from_json(&source.text).map_err(|why| format!("{}: no results of `fun bench`: {why}", path.display()))
}

/// The ratio of the medians, and whether it means anything.
fn verdict(old: &Read, new: &Read) -> String {
    let (Some(before), Some(after)) = (summary(&old.times), summary(&new.times)) else {
        return "not timed in both files".to_owned();
    };
    let ratio = before.median / after.median;
    let chance = same_distribution(&old.times, &new.times);
    let word = if chance >= SIGNIFICANCE {
        "no significant difference"
    } else if ratio > 1.0 {
        "faster"
    } else {
        "slower"
    };
    format!("{} -> {}: {ratio:.2}x, {word} (p = {chance:.2e})", time(before.median), time(after.median))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts() {
        let read = |times: Vec<f64>| Read { name: "x".to_owned(), times };
        let slow = || read((200..220).map(f64::from).collect());
        let fast = || read((100..120).map(f64::from).collect());
        assert!(verdict(&slow(), &fast()).contains("1.91x, faster"), "{}", verdict(&slow(), &fast()));
        assert!(verdict(&fast(), &slow()).contains("slower"));
        assert!(verdict(&fast(), &fast()).contains("1.00x, no significant difference"));
        assert_eq!(verdict(&fast(), &read(Vec::new())), "not timed in both files");
    }
}
