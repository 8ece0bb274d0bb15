//! What a run did to memory, for people: tables of reads and writes, and the lives of blocks as text or as an SVG figure.
//!
//! Time goes right in both pictures. What happens to blocks and arrays is evenly spaced, so that a kernel of a million points takes
//! no more room than the statement after it.

mod svg;
mod table;
mod text;

use funmem::ir::Space;
use funmem::trace::{ArrayTrace, BlockTrace, Life, Trace};

pub use svg::svg;
pub use table::table;
pub use text::text;

/// Blocks of one allocation that are drawn one by one; more are drawn as one.
const DRAWN_LIVES: usize = 8;

/// Rows of arrays in a block, and of blocks.
const DRAWN_ARRAYS: usize = 12;
const DRAWN_BLOCKS: usize = 60;

/// A block as it is drawn: its lives, or one that stands for many.
fn lives(block: &BlockTrace) -> Vec<Life> {
    if block.count as usize <= DRAWN_LIVES { block.lives.clone() } else { vec![block.whole] }
}

/// The same for an array.
fn array_lives(array: &ArrayTrace) -> Vec<(u64, u64)> {
    if array.count as usize <= DRAWN_LIVES { array.lives.clone() } else { vec![array.whole] }
}

/// Places for the times at which something happens.
struct Axis {
    /// Sorted, each once.
    times: Vec<u64>,
}

impl Axis {
    fn new(trace: &Trace) -> Axis {
        let mut times = vec![trace.end];
        for block in trace.blocks.iter().take(DRAWN_BLOCKS) {
            for life in lives(block) {
                times.extend([life.start, life.end]);
                times.extend(life.first_write);
                times.extend(life.last_use);
            }
            for array in block.arrays.iter().take(DRAWN_ARRAYS) {
                times.extend(array_lives(array).into_iter().flat_map(|(from, to)| [from, to]));
            }
        }
        times.sort_unstable();
        times.dedup();
        Axis { times }
    }

    /// Where a time lies between 0 and 1; the end lies before 1, so that it has a width.
    fn place(&self, time: u64) -> f64 {
        self.times.partition_point(|other| *other < time) as f64 / self.times.len() as f64
    }

    /// How many bytes are alive from each of the times on, as far as blocks are drawn.
    fn load(&self, trace: &Trace) -> Vec<u64> {
        let alive = |time: u64| {
            let all = trace.blocks.iter().flat_map(lives);
            all.filter(|life| (life.start..life.end).contains(&time)).map(|life| life.bytes).sum()
        };
        self.times.iter().map(|time| alive(*time)).collect()
    }
}

/// A number of bytes, in at most eight characters.
fn size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];
    if bytes < 10_000 {
        return format!("{bytes} B");
    }
    let mut scaled = bytes as f64 / 1024.0;
    let mut unit = 0;
    while scaled >= 1000.0 && unit + 1 < UNITS.len() {
        scaled /= 1024.0;
        unit += 1;
    }
    if scaled < 10.0 {
        format!("{scaled:.1} {}", UNITS[unit])
    } else {
        format!("{scaled:.0} {}", UNITS[unit])
    }
}

/// `[2][3]f32`.
fn array_type(array: &ArrayTrace) -> String {
    let sizes: String = array.shape.iter().map(|size| format!("[{size}]")).collect();
    format!("{sizes}{}", array.elem)
}

/// What a block is: an argument, or allocated at a place, in a space, so many times.
fn origin(block: &BlockTrace) -> String {
    let mut text = match block.allocated.loc {
        _ if block.allocated.text.is_empty() => "argument".to_owned(),
        Some(loc) => format!("{}:{}", loc.line, loc.column),
        None => String::new(),
    };
    let space = match block.space {
        Space::Default => "",
        Space::Stack => "stack",
        Space::Device => "device",
        Space::Shared => "shared",
        Space::Named(name) => name.as_str(),
    };
    let times = if block.count > 1 { format!("×{}", block.count) } else { String::new() };
    for part in [space, &times] {
        if !part.is_empty() {
            text = format!("{text} {part}");
        }
    }
    text.trim().to_owned()
}

/// How much memory the run used, in a sentence.
fn summary(trace: &Trace) -> String {
    let count: u64 = trace.blocks.iter().map(|block| block.count).sum();
    if count == 0 {
        return "no blocks: there are only scalars".to_owned();
    }
    let plural = if count == 1 { "" } else { "s" };
    let (peak, total) = (size(trace.peak.0), size(trace.total));
    format!("{count} block{plural}, {total} in all, at most {peak} at once")
}

/// At most `width` characters of a text.
fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}
