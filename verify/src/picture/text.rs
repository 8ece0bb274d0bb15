//! The picture as text.

use super::{Axis, DRAWN_ARRAYS, DRAWN_BLOCKS, array_lives, array_type, cut, lives, origin, size, summary};
use funmem::trace::{BlockTrace, Life, Trace};

/// Widths of the columns before and after the bars.
const NAME: usize = 24;
const SIZE: usize = 8;
const ORIGIN: usize = 13;

/// The lives of blocks and of what lies in them, in lines of at most `width` characters (but at least 70).
pub fn text(trace: &Trace, width: usize) -> String {
    let axis = Axis::new(trace);
    let columns = width.max(70) - NAME - SIZE - ORIGIN - 3;
    let column = |time: u64| ((axis.place(time) * columns as f64) as usize).min(columns - 1);
    let mut out = format!("{}\n", summary(trace));
    if trace.blocks.is_empty() {
        return out;
    }
    out += "time goes right; ░ nothing written yet   █ from first write to last use   ▒ no longer used\n\n";
    let mut line = |name: &str, size: &str, bar: &[char], note: &str| {
        let bar: String = bar.iter().collect();
        let (name, note) = (cut(name, NAME), cut(note, ORIGIN));
        let text = format!("{name:NAME$} {size:>SIZE$} {bar} {note}");
        out += text.trim_end();
        out.push('\n');
    };
    for block in trace.blocks.iter().take(DRAWN_BLOCKS) {
        line(&block.name, &size(block.bytes), &block_bar(block, columns, &column), &origin(block));
        for array in block.arrays.iter().take(DRAWN_ARRAYS) {
            let mut bar = vec![' '; columns];
            for (from, to) in array_lives(array) {
                let (from, to) = (column(from), column(to));
                bar[from..=to].fill('─');
                (bar[from], bar[to]) = if from == to { ('│', '│') } else { ('├', '┤') };
            }
            let times = if array.count > 1 { format!("×{}", array.count) } else { String::new() };
            line(&format!("  {} {}", array.name, array_type(array)), "", &bar, &times);
        }
        if block.arrays.len() > DRAWN_ARRAYS {
            line(&format!("  and {} more arrays", block.arrays.len() - DRAWN_ARRAYS), "", &[], "");
        }
    }
    if trace.blocks.len() > DRAWN_BLOCKS {
        line(&format!("and {} more allocations", trace.blocks.len() - DRAWN_BLOCKS), "", &[], "");
    }
    line("alive", &size(trace.peak.0), &load_bar(trace, &axis, columns), "at the peak");
    out
}

fn block_bar(block: &BlockTrace, columns: usize, column: &dyn Fn(u64) -> usize) -> Vec<char> {
    let mut bar = vec![' '; columns];
    for life in lives(block) {
        let Life { start, first_write, last_use, end, bytes: _ } = life;
        // What ends with the run reaches the right edge.
        let until = column(end).max(column(start) + 1).min(columns);
        let until = if column(end) == columns - 1 { columns } else { until };
        bar[column(start)..until].fill('▒');
        let written = first_write.map_or(until, column);
        bar[column(start)..written.min(until)].fill('░');
        if let (Some(first), Some(last)) = (first_write, last_use) {
            bar[column(first)..=column(last).max(column(first))].fill('█');
        }
    }
    bar
}

/// How much is alive, by height.
fn load_bar(trace: &Trace, axis: &Axis, columns: usize) -> Vec<char> {
    const HEIGHTS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let load = axis.load(trace);
    let most = load.iter().copied().max().unwrap_or(0).max(1);
    let height = |column: usize| {
        // The times that share a column: the most of them counts.
        let first = column * load.len() / columns;
        let last = ((column + 1) * load.len()).div_ceil(columns).max(first + 1).min(load.len());
        let bytes = load[first.min(load.len() - 1)..last].iter().copied().max().unwrap_or(0);
        HEIGHTS[(bytes as f64 / most as f64 * 8.0).ceil() as usize]
    };
    (0..columns).map(height).collect()
}
