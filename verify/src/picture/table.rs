//! Tables of reads and writes.

use super::{cut, origin, size, summary};
use fun_base::run::fault::Statement;
use funmem::trace::Trace;

/// Single accesses are listed if there are no more than these.
const LISTED: u64 = 24;

/// Reads and writes per block, then per statement and array, in lines of at most `width` characters (but at least 70).
pub fn table(trace: &Trace, width: usize) -> String {
    let width = width.max(70);
    let mut out = format!("{}\n", summary(trace));
    if trace.blocks.is_empty() {
        return out;
    }
    let name_width = trace.blocks.iter().map(|block| block.name.len()).max().unwrap_or(0).clamp(5, 24);
    out += &format!("\n{:name_width$} {:>9} {:>11} {:>11}  from\n", "block", "size", "reads", "writes");
    let mut row = |name: &str, bytes: u64, reads: u64, writes: u64, from: &str| {
        let (name, size) = (cut(name, name_width), size(bytes));
        out += format!("{name:name_width$} {size:>9} {reads:>11} {writes:>11}  {from}").trim_end();
        out.push('\n');
    };
    for block in &trace.blocks {
        let of = |count: &dyn Fn(&funmem::trace::UseTrace) -> u64| block.uses.iter().map(count).sum();
        row(&block.name, block.bytes, of(&|of| of.reads), of(&|of| of.writes), &origin(block));
    }
    let (reads, writes) = trace.totals();
    row("all", trace.peak.0, reads, writes, "size at the peak");
    for block in trace.blocks.iter().filter(|block| !block.uses.is_empty()) {
        let head = if block.allocated.text.is_empty() {
            format!("{}, an argument", block.name)
        } else {
            what(&block.allocated)
        };
        out += &format!("\n{}\n", cut(&head, width));
        let array_width = block.uses.iter().map(|of| of.array.len()).max().unwrap_or(0).min(20);
        for of in &block.uses {
            let (reads, writes) = (count(of.reads, "read"), count(of.writes, "write"));
            let place = of.statement.loc.map(|loc| format!("{}:{}", loc.line, loc.column));
            let (place, array) = (place.unwrap_or_default(), cut(&of.array, array_width));
            let line = format!(
                "  {reads:>13} {writes:>13}  {array:array_width$} {place:>7}  {}",
                what(&of.statement)
            );
            out += &cut(&line, width);
            out.push('\n');
        }
    }
    if !trace.conflicts.is_empty() {
        out += "\nwritten twice by one scatter, with different values; the last one counts:\n";
        for conflict in &trace.conflicts {
            let index: Vec<String> = conflict.index.iter().flatten().map(i64::to_string).collect();
            let (first, last) = conflict.iterations;
            let element = format!("{}[{}]", conflict.array, index.join(", "));
            let line = format!("  {element} in iterations {first} and {last}  {}", what(&conflict.statement));
            out += &cut(&line, width);
            out.push('\n');
        }
    }
    if trace.count <= LISTED {
        out += "\none by one:\n";
        for access in &trace.accesses {
            let index: Vec<String> = access.index.iter().flatten().map(i64::to_string).collect();
            let (block, element) =
                (&trace.blocks[access.block].name, format!("{}[{}]", access.array, index.join(", ")));
            let line = format!(
                "  {:>4} {:13} {element:16} cell {} of {block}  {}",
                access.time,
                access.verb,
                access.address,
                what(&access.statement)
            );
            out += &cut(&line, width);
            out.push('\n');
        }
    }
    out
}

fn count(count: u64, what: &str) -> String {
    match count {
        0 => String::new(),
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}

/// The statement without the types of what it binds.
fn what(statement: &Statement) -> String {
    match (statement.text.split_once(") = "), &statement.binder) {
        (Some((_, exp)), Some(binder)) => format!("{binder} = {exp}"),
        _ if statement.text.is_empty() => "(arguments and results)".to_owned(),
        _ => statement.text.clone(),
    }
}
