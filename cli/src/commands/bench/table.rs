//! Results for people, a line each.

use super::record::{File, Row};
use super::statistics::{Summary, summary};

/// The line for a program.
pub(super) fn heading(file: &File) {
    println!("{} ({}; compiled in {:.1} ms)", file.program, file.backend, file.compile.total);
}

/// The lines for a data set.
pub(super) fn row(row: &Row) {
    let Row { entry, data, .. } = row;
    if let Some(error) = &row.error {
        println!("  {entry} {data}: {error}");
    }
    let Some(measured) = &row.measured else { return };
    let Some(ours) = summary(&measured.times) else { return };
    let peak = measured.usage.peak_bytes as f64 / f64::from(1 << 20);
    println!("  {entry} {data}: {}, peak {peak:.1} MiB", times(&ours));
    for (name, of_peer) in &measured.peers {
        if let Some(theirs) = summary(of_peer) {
            let ratio = theirs.median / ours.median;
            println!("    {name}: {}; FUN is {ratio:.2}x as fast", times(&theirs));
        }
    }
}

fn times(summary: &Summary) -> String {
    let Summary { runs, mean, median, min, uncertainty } = *summary;
    let [median, mean, min] = [median, mean, min].map(time);
    format!("median {median}, mean {mean} ± {:.1} %, min {min}, {runs} runs", uncertainty * 100.0)
}

/// Microseconds, in milliseconds where that is one or more.
pub(super) fn time(us: f64) -> String {
    if us < 1e3 { format!("{us:.1} µs") } else { format!("{:.3} ms", us / 1e3) }
}
