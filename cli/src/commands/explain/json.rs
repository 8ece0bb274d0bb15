//! What `fun explain` says as JSON.

use fun_base::source::Loc;
use fun_library::report::{Allocation, CopyReport, Place, Report};
use fun_passes::fun::fuse::kept::Kept;
use fun_passes::imp::coalescing::Access;
use fun_verify::peak::Measured;

/// The report as one JSON object.
pub(super) fn report(report: &Report) -> String {
    let (peak, no_peak) = match &report.peak {
        Ok(list) => (texts(list), "null".to_owned()),
        Err(reason) => ("null".to_owned(), text(reason)),
    };
    let object = object(&[
        ("file", text(&report.file)),
        ("entry", text(&report.entry)),
        ("peak", peak),
        ("no_peak", no_peak),
        ("computed", list(&report.computed, named)),
        ("strands", report.strands.map_or("null".to_owned(), |strands| strands.to_string())),
        ("allocations", list(&report.allocations, allocation)),
        ("copies", list(&report.copies, copy)),
        ("measured", report.measured.as_ref().map_or("null".to_owned(), measured)),
    ]);
    format!("{object}\n")
}

/// The accesses of kernels as one JSON object. A step is a number of cells, a formula, or null where it is not known.
pub(super) fn accesses(file: &str, entry: &str, accesses: &[Access]) -> String {
    let access = |access: &Access| {
        let step = access.step.as_ref().map_or("null".to_owned(), |step| match step.as_constant() {
            Some(step) => step.to_string(),
            None => text(&step.show(&|var| var.text.to_string())),
        });
        object(&[
            ("procedure", text(access.procedure.as_str())),
            ("kernel", access.kernel.to_string()),
            ("array", text(access.array.as_str())),
            ("does", text(super::kernels::kind(access.kind))),
            ("step", step),
            ("loops", access.loops.to_string()),
            ("at", place(access.loc)),
        ])
    };
    let object =
        object(&[("file", text(file)), ("entry", text(entry)), ("accesses", list(accesses, access))]);
    format!("{object}\n")
}

/// What fusion leaves as one JSON object.
pub(super) fn kept(file: &str, entry: &str, kept: &[Kept]) -> String {
    let one = |kept: &Kept| {
        object(&[
            ("function", text(kept.function.as_str())),
            ("array", text(kept.array.text.as_str())),
            ("at", place(kept.loc)),
            ("read_at", list(&kept.read_at, |loc| place(Some(*loc)))),
            ("reason", text(&kept.refusal.to_string())),
        ])
    };
    let object = object(&[("file", text(file)), ("entry", text(entry)), ("kept", list(kept, one))]);
    format!("{object}\n")
}

fn allocation(allocation: &Allocation) -> String {
    object(&[
        ("block", text(&allocation.block)),
        ("argument", allocation.argument.to_string()),
        ("bytes", texts(&allocation.bytes)),
        ("from", place(allocation.loc)),
        ("to", place(allocation.until)),
        ("result", allocation.result.to_string()),
        ("times", allocation.times.as_deref().map_or("null".to_owned(), text)),
        ("loops", list(&allocation.loops, |loc| place(*loc))),
        ("strands", allocation.strands.to_string()),
        ("space", allocation.space.as_deref().map_or("null".to_owned(), text)),
        ("arrays", list(&allocation.arrays, named)),
    ])
}

fn copy(copy: &CopyReport) -> String {
    object(&[
        ("value", named(&copy.value)),
        ("into", copy.into.as_deref().map_or("null".to_owned(), text)),
        ("by", text(copy.by)),
        ("at", place(copy.loc)),
        ("loops", copy.depth.to_string()),
        ("reason", text(&copy.reason)),
    ])
}

fn measured(measured: &Measured) -> String {
    let (one, most) = measured
        .formula
        .map_or(("null".to_owned(), "null".to_owned()), |(one, most)| (one.to_string(), most.to_string()));
    let peak = measured.peak_bytes.to_string();
    object(&[("peak_bytes", peak), ("formula", one), ("formula_with_all_strands", most)])
}

fn named(named: &Place) -> String {
    object(&[("name", text(&named.name)), ("at", place(named.loc))])
}

fn place(loc: Option<Loc>) -> String {
    loc.map_or("null".to_owned(), |loc| {
        object(&[
            ("file", text(loc.file.as_str())),
            ("line", loc.line.to_string()),
            ("column", loc.column.to_string()),
        ])
    })
}

fn object(fields: &[(&str, String)]) -> String {
    let fields: Vec<String> = fields.iter().map(|(name, value)| format!("{}:{value}", text(name))).collect();
    format!("{{{}}}", fields.join(","))
}

fn list<T>(items: &[T], show: impl Fn(&T) -> String) -> String {
    format!("[{}]", items.iter().map(show).collect::<Vec<_>>().join(","))
}

fn texts(items: &[String]) -> String {
    list(items, |item| text(item))
}

/// A string of JSON.
fn text(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
