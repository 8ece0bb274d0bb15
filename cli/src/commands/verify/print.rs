//! What `fun verify` says.

use crate::compile::Loaded;
use crate::report;
use fun_verify::validity::{Inputs, PointReport, Report};
use fun_verify::{Difference, Disagreement, Stages};
use similar::{ChangeTag, TextDiff};
use std::time::Duration;

/// Longer differences between programs are not shown.
const MOST_LINES: usize = 40;

/// `1 input`, `2 inputs`.
fn inputs_text(count: u64) -> String {
    if count == 1 { "1 input".to_owned() } else { format!("{count} inputs") }
}

/// On how many inputs everything agrees, and what became of the others.
pub(super) fn summary(name: &str, loaded: &Loaded, inputs: &Inputs, report: &Report) {
    let mut parts = Vec::new();
    if report.agreed > 0 {
        let agree = if report.agreed == 1 { "agrees" } else { "agree" };
        let under = match report.points.len() {
            1 => {
                "end without a fault; no pass changes the program, so there was nothing to compare".to_owned()
            }
            count => format!("{agree} under {count} semantics"),
        };
        parts.push(match inputs {
            Inputs::Small { largest, .. } => {
                let which = if report.capped { "the first" } else { "all" };
                let run = inputs_text(report.run());
                format!("{which} {run} with sizes up to {largest}: {} {under}", report.agreed)
            }
            Inputs::Random { .. } if report.constant => format!("{} semantics agree", report.points.len()),
            Inputs::Given(_) | Inputs::Random { .. } => format!("{} {under}", inputs_text(report.agreed)),
        });
    }
    let random = matches!(inputs, Inputs::Random { .. });
    let stop = match (random && report.agreed > 0, report.stopped) {
        (_, 0) => None,
        (true, count) => {
            Some(format!("{} not counted: the program stops at an assertion", inputs_text(count)))
        }
        (false, 1) => Some("1 stops at an assertion in each".to_owned()),
        (false, count) => Some(format!("{count} stop at an assertion in each")),
    };
    parts.extend(stop);
    if report.unmet > 0 && report.agreed > 0 {
        parts.push(format!("{} fewer than asked for, since no draw passed", report.unmet));
    }
    let limited = report.points.iter().map(|point| point.limited).max().unwrap_or(0);
    if limited > 0 {
        parts
            .push(format!("{} reach a limit in some semantics, which is not compared", inputs_text(limited)));
    }
    if report.skipped > 0 {
        parts.push(format!("{} skipped", report.skipped));
    }
    if report.planned == Some(0) {
        parts.push("what it asserts of sizes leaves no input".to_owned());
    }
    let nothing = if report.agreed == 0 { "nothing was tested: " } else { "" };
    println!("{name}{nothing}{}", parts.join("; "));
    if let Some(error) = report.stop.as_ref().filter(|_| report.agreed == 0) {
        println!("the first of these assertions:\n{}", report::run_error_text(&loaded.sources, error));
    }
    if let Some(error) = &report.skip {
        println!("why the first was skipped: {error}");
    }
}

/// A line for each pass, up to the one that breaks the program.
pub(super) fn passes(name: &str, stages: &Stages, report: &Report) {
    println!("{}", name.trim_end());
    let end = report.found.as_ref().map(|(_, point)| point + 1);
    let points = &report.points[..end.unwrap_or(report.points.len())];
    let last = end.and_then(|_| Some(points.last()?.program));
    for (number, (after, _)) in
        stages.programs().iter().enumerate().take(last.map_or(usize::MAX, |last| last + 1))
    {
        let of_program: Vec<&PointReport> = points.iter().filter(|point| point.program == number).collect();
        let after = after.unwrap_or("(as given)");
        if of_program.is_empty() {
            println!("  {after:18} leaves it as it was");
        } else {
            println!("  {after:18} {}", pass_line(&of_program, last == Some(number)));
        }
    }
}

/// What was run after a pass, how that went and how long it took.
fn pass_line(points: &[&PointReport], disagrees: bool) -> String {
    let how: Vec<&str> = points.iter().map(|point| point.semantics.how.trim_start_matches("the ")).collect();
    let limited = points.iter().map(|point| point.limited).max().unwrap_or(0);
    let time = points.iter().map(|point| point.time).sum::<Duration>();
    let mut outcome = match points.iter().map(|point| point.same).min() {
        _ if disagrees => "DISAGREES".to_owned(),
        same => inputs_text(same.unwrap_or(0)),
    };
    if limited > 0 {
        outcome += &format!(", {limited} too long");
    }
    format!("{:33} {outcome:22} {:9.1} ms", how.join(", "), time.as_secs_f64() * 1e3)
}

/// Who disagrees, about what, on which inputs.
pub(super) fn disagreement(name: &str, loaded: &Loaded, found: &Disagreement) {
    println!("{name}{}", found.headline());
    match &found.difference {
        Difference::Values(text) => println!("  {text}"),
        Difference::Outcome { error: Some(error), .. } if found.is_stuck() => {
            println!("{}", report::run_error_text(&loaded.sources, error));
            // The front end puts an assertion before whatever can break a rule.
            println!(
                "{}",
                match loaded.entries.is_empty() {
                    true => "what it takes for granted of its arguments needs an `assert`",
                    false => "no source program can do that: this is a bug in FUN",
                }
            );
        }
        Difference::Outcome { expected, error: Some(error), .. } => {
            println!("expected {expected}, found:\n{}", report::run_error_text(&loaded.sources, error));
        }
        Difference::Outcome { expected, found, .. } => println!("  expected {expected}\n  found {found}"),
    }
    if let Some(order) = found.order {
        println!("blocks and threads in the order of seed {order} (`--order {order}`)");
    }
    if !found.inputs.is_empty() {
        println!("inputs:");
    }
    for value in &found.inputs {
        println!("  {value}");
    }
}

/// The pass to blame, which is the first whose program disagrees, and what it did.
pub(super) fn first_broken(stages: &Stages, found: &Disagreement, point: usize) {
    let (Some(pass), Some((before, after))) = (found.semantics.after, stages.around(point)) else {
        println!("the program is not valid as given: no pass is to blame");
        return;
    };
    println!("pass `{pass}` is the first after which it disagrees");
    if before.stage() != after.stage() {
        println!("it goes from {} to {}", before.stage().name(), after.stage().name());
    } else {
        println!("{}", difference(&before.print(), &after.print()));
    }
    println!("`fun dev --print-before {pass} --print-after {pass}` shows the programs");
}

/// What distinguishes two texts, or how much where that is long.
fn difference(before: &str, after: &str) -> String {
    if before == after {
        return "it changed nothing".to_owned();
    }
    let diff = TextDiff::from_lines(before, after);
    let text = diff.unified_diff().context_radius(2).to_string();
    if text.lines().count() <= MOST_LINES {
        return format!("what it changed:\n{}", text.trim_end());
    }
    let changed = diff.iter_all_changes().filter(|change| change.tag() != ChangeTag::Equal);
    format!("it changed {} lines", changed.count())
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn differences_are_shown_where_short() {
        assert_eq!(difference("a\n", "a\n"), "it changed nothing");
        let text = difference("a\nb\nc\nd\ne\n", "a\nb\nC\nd\ne\n");
        assert_eq!(text, "what it changed:\n@@ -1,5 +1,5 @@\n a\n b\n-c\n+C\n d\n e");
        let long: String = (0..100).map(|k| format!("{k}\n")).collect();
        assert_eq!(difference("", &long), "it changed 100 lines");
    }
}
