//! The picture as an SVG figure that needs nothing else: what a shape is shows when the pointer rests on it.

use super::{Axis, DRAWN_ARRAYS, DRAWN_BLOCKS, array_lives, array_type, cut, lives, origin, size, summary};
use funmem::trace::{BlockTrace, Life, Trace};
use std::fmt::Write;

/// Where the bars are, and how high rows are.
const LEFT: f64 = 250.0;
const BARS: f64 = 640.0;
const WIDTH: f64 = LEFT + BARS + 130.0;
const TOP: f64 = 64.0;
const BLOCK_ROW: f64 = 24.0;
const ARRAY_ROW: f64 = 16.0;
const LOAD: f64 = 60.0;

/// Colours of rows, by block.
const COLOURS: [&str; 6] = ["#4477aa", "#228833", "#aa3377", "#b8860b", "#008b8b", "#cc6677"];

/// The figure, with a title.
pub fn svg(trace: &Trace, title: &str) -> String {
    let axis = Axis::new(trace);
    let x = |time: u64| LEFT + axis.place(time) * BARS;
    let mut rows = String::new();
    let mut y = TOP;
    for (k, block) in trace.blocks.iter().take(DRAWN_BLOCKS).enumerate() {
        block_rows(&mut rows, block, COLOURS[k % COLOURS.len()], &x, &mut y);
    }
    if trace.blocks.len() > DRAWN_BLOCKS {
        let more = format!("and {} more allocations", trace.blocks.len() - DRAWN_BLOCKS);
        label(&mut rows, 8.0, y + 14.0, "name", &more);
        y += BLOCK_ROW;
    }
    load(&mut rows, trace, &axis, y + 8.0);
    let height = y + LOAD + 44.0;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <style>.name{{font-family:monospace}} .small{{fill:#555;font-size:11px}} .array{{font-family:monospace;fill:#444;font-size:11px}}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"8\" y=\"20\" font-size=\"15\">{}</text>\n\
         <text x=\"8\" y=\"38\" class=\"small\">{}. Time goes right. Pale: allocated; full: from first write to last use; \
         thin: an array, from where it is bound to its last use.</text>\n\
         {rows}</svg>\n",
        escape(title),
        escape(&summary(trace)),
    )
}

/// The block, and the arrays in it below.
fn block_rows(out: &mut String, block: &BlockTrace, colour: &str, x: &dyn Fn(u64) -> f64, y: &mut f64) {
    label(out, 8.0, *y + 14.0, "name", &cut(&block.name, 22));
    let bytes = size(block.bytes);
    end_label(out, LEFT - 8.0, *y + 14.0, &bytes);
    label(out, LEFT + BARS + 8.0, *y + 14.0, "small", &cut(&origin(block), 20));
    let statement = if block.allocated.text.is_empty() { "an argument" } else { &block.allocated.text };
    let place = block.allocated.loc.map(|loc| format!(" ({loc})")).unwrap_or_default();
    for life in lives(block) {
        let Life { start, first_write, last_use, end, bytes } = life;
        let step = |time: Option<u64>| time.map_or("never".to_owned(), |time| time.to_string());
        let title = format!(
            "{}: {}\n{statement}{place}\nallocated at {start}, first written at {}, last used at {}, ends at {end}",
            block.name,
            size(bytes),
            step(first_write),
            step(last_use),
        );
        let mut bar = |from: f64, to: f64, opacity: &str| {
            let width = (to - from).max(2.0);
            let _ = writeln!(
                out,
                "<rect x=\"{from:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"16\" rx=\"2\" fill=\"{colour}\" fill-opacity=\"{opacity}\">\
                 <title>{}</title></rect>",
                *y + 2.0,
                escape(&title),
            );
        };
        bar(x(start), x(end), "0.25");
        if let (Some(first), Some(last)) = (first_write, last_use) {
            bar(x(first), x(last), "0.85");
        }
    }
    *y += BLOCK_ROW;
    for array in block.arrays.iter().take(DRAWN_ARRAYS) {
        let name = format!("{} {}", array.name, array_type(array));
        label(out, 22.0, *y + 9.0, "array", &cut(&name, 34));
        for (from, to) in array_lives(array) {
            let (from, to) = (x(from), x(to));
            let _ = writeln!(
                out,
                "<rect x=\"{from:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"5\" fill=\"{colour}\"><title>{}</title></rect>",
                *y + 3.0,
                (to - from).max(2.0),
                escape(&format!("{name} in {}, from {} to {}", block.name, array.whole.0, array.whole.1)),
            );
        }
        *y += ARRAY_ROW;
    }
    if block.arrays.len() > DRAWN_ARRAYS {
        let more = format!("and {} more arrays", block.arrays.len() - DRAWN_ARRAYS);
        label(out, 22.0, *y + 9.0, "array", &more);
        *y += ARRAY_ROW;
    }
}

/// How many bytes are alive, as an area.
fn load(out: &mut String, trace: &Trace, axis: &Axis, y: f64) {
    let bytes = axis.load(trace);
    let most = bytes.iter().copied().max().unwrap_or(0).max(1) as f64;
    let mut path = format!("M{LEFT:.1} {:.1}", y + LOAD);
    for (time, bytes) in axis.times.iter().zip(&bytes) {
        let x = LEFT + axis.place(*time) * BARS;
        let height = y + LOAD - LOAD * *bytes as f64 / most;
        let _ = write!(path, " H{x:.1} V{height:.1}");
    }
    let _ = writeln!(
        out,
        "<path d=\"{path} H{:.1} V{:.1} Z\" fill=\"#999\" fill-opacity=\"0.4\"><title>{} at the peak, at time {}</title></path>",
        LEFT + BARS,
        y + LOAD,
        size(trace.peak.0),
        trace.peak.1,
    );
    label(out, 8.0, y + LOAD - 4.0, "name", "alive");
    end_label(out, LEFT - 8.0, y + LOAD - 4.0, &size(trace.peak.0));
    label(out, LEFT, y + LOAD + 16.0, "small", "start");
    end_label(out, LEFT + BARS, y + LOAD + 16.0, &format!("end, after {} steps", trace.end));
}

fn label(out: &mut String, x: f64, y: f64, class: &str, text: &str) {
    let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\">{}</text>", escape(text));
}

fn end_label(out: &mut String, x: f64, y: f64, text: &str) {
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"small\" text-anchor=\"end\">{}</text>",
        escape(text)
    );
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
