//! What `fun explain` says in words.

use crate::report::{Allocation, CopyReport, Place, Report};
use fun_base::source::Loc;
use fun_verify::peak::Measured;

/// The report.
pub fn report(report: &Report) -> String {
    let mut out = format!("{}: memory of `{}`\n{}", report.file, report.entry, peak(report));
    if let Some(measured) = &report.measured {
        out += &format!("{}\n", run(measured));
    }
    out.push('\n');
    for allocation in &report.allocations {
        out += &block(allocation);
    }
    if report.allocations.iter().all(|allocation| allocation.argument) {
        out += "nothing is allocated\n";
    }
    out.push('\n');
    if report.copies.is_empty() {
        out += "no array is copied\n";
    } else {
        out += "copies that remain:\n";
    }
    report.copies.iter().for_each(|copy| out += &remains(copy));
    out
}

/// `12:5`, or nothing.
pub fn place(loc: Option<Loc>) -> String {
    loc.map_or(String::new(), |loc| format!("{}:{}", loc.line, loc.column))
}

/// ` (12:5)`, or nothing.
pub fn at(loc: Option<Loc>) -> String {
    loc.map_or(String::new(), |loc| format!(" ({}:{})", loc.line, loc.column))
}

/// The largest of some formulas.
fn largest(list: &[String]) -> String {
    match list {
        [] => "0".to_owned(),
        [only] => only.clone(),
        _ => format!("max({})", list.join(", ")),
    }
}

fn peak(report: &Report) -> String {
    let mut out = match &report.peak {
        Err(reason) => format!("peak: no formula: {reason}\n"),
        Ok(list) if list.is_empty() => "peak: 0 bytes\n".to_owned(),
        Ok(list) => format!("peak: {} bytes\n", largest(list)),
    };
    let computed: Vec<String> =
        report.computed.iter().map(|Place { name, loc }| format!("{name}{}", at(*loc))).collect();
    if !computed.is_empty() {
        out += &format!("  computed by the program: {}; the largest value counts\n", computed.join(", "));
    }
    if let Some(strands) = report.strands {
        out += &format!("  strands: how many threads run a parallel loop, here at most {strands}\n");
    }
    out
}

fn run(measured: &Measured) -> String {
    let peak = measured.peak_bytes;
    match measured.formula {
        Some((one, most)) if one == most => format!("measured: {peak} bytes; by the formula: {one}"),
        Some((one, most)) => {
            format!("measured: {peak} bytes; by the formula: {one} with one strand, {most} with all")
        }
        None => format!("measured: {peak} bytes; the formula has numbers that only the program knows"),
    }
}

fn block(allocation: &Allocation) -> String {
    let Allocation { block, bytes, loc, until, loops, .. } = allocation;
    let mut words = vec![format!("{} bytes", largest(bytes))];
    if let Some(space) = &allocation.space {
        words.push(format!("in {space} memory, not counted"));
    }
    if allocation.argument {
        words.push("argument".to_owned());
    } else if loops.is_empty() {
        words.push("allocated once".to_owned());
    } else {
        let loops: Vec<String> =
            loops.iter().map(|loc| place(*loc)).filter(|text| !text.is_empty()).collect();
        let inside = if loops.is_empty() {
            "in a loop".to_owned()
        } else {
            format!("in loops at {}", loops.join(", "))
        };
        words.push(match &allocation.times {
            Some(times) => format!("allocated {inside}, at most {times} times"),
            None => format!("allocated {inside}, in each iteration"),
        });
    }
    if allocation.strands {
        words.push("each strand has its own".to_owned());
    }
    words.push(match (loc, until, allocation.result) {
        (Some(from), _, true) => format!("from line {} to the end, as a result", from.line),
        (None, _, true) => "to the end, as a result".to_owned(),
        (Some(from), Some(to), false) => format!("from line {} to line {}", from.line, to.line),
        (Some(from), None, false) => format!("from line {}", from.line),
        (None, Some(to), false) => format!("last used in line {}", to.line),
        (None, None, false) => "not used by a line".to_owned(),
    });
    let mut out = format!("{block}: {}\n", words.join("; "));
    let arrays: Vec<String> =
        allocation.arrays.iter().map(|Place { name, loc }| format!("{name}{}", at(*loc))).collect();
    if !arrays.is_empty() {
        out += &format!("  holds {}\n", arrays.join(", "));
    }
    out
}

fn remains(copy: &CopyReport) -> String {
    let value = format!("{}{}", copy.value.name, at(copy.value.loc));
    let into = copy.into.as_ref().map_or(String::new(), |name| format!(" into {name}"));
    let inside = match copy.depth {
        0 => "",
        1 => ", in a loop",
        _ => ", in nested loops",
    };
    format!("  {value}{into} by {}{}{inside}\n    {}\n", copy.by, at(copy.loc), copy.reason)
}
