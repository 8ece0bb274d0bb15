//! Rendering: diagnostics through ariadne, run-time errors with their place.

use ariadne::{Color, Config, IndexType, Label, Report, ReportKind};
use fun_base::diag::{Diagnostic, Severity};
use fun_base::run::RunError;
use fun_base::source::{Source, Span};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};

/// A span as ariadne wants it: the name of the source and a range of bytes.
type AriadneSpan = (String, std::ops::Range<usize>);

/// Whether warnings are printed.
static WARNINGS: AtomicBool = AtomicBool::new(true);

/// Decides whether warnings are printed from now on.
pub(crate) fn print_warnings(print: bool) {
    WARNINGS.store(print, Ordering::Relaxed);
}

/// Prints warnings to standard error, unless they are switched off.
pub(crate) fn warnings(sources: &[Source], warnings: &[Diagnostic]) {
    if WARNINGS.load(Ordering::Relaxed) {
        diagnostics(sources, warnings);
    }
}

/// Prints diagnostics to standard error.
pub(crate) fn diagnostics(sources: &[Source], diagnostics: &[Diagnostic]) {
    eprint!("{}", render(sources, diagnostics, std::io::stderr().is_terminal()));
}

/// Diagnostics as text.
pub(crate) fn render(sources: &[Source], diagnostics: &[Diagnostic], colour: bool) -> String {
    let mut out = Vec::new();
    for diagnostic in diagnostics {
        render_one(sources, diagnostic, colour, &mut out);
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn render_one(sources: &[Source], diagnostic: &Diagnostic, colour: bool, out: &mut Vec<u8>) {
    let kind = match diagnostic.severity {
        Severity::Error => ReportKind::Error,
        Severity::Warning => ReportKind::Warning,
    };
    let place = |span: Span| -> Option<AriadneSpan> {
        let source = sources.get(span.file as usize)?;
        let end = source.text.len();
        let start = (span.start as usize).min(end);
        Some((source.name.to_string(), start..(span.end as usize).clamp(start, end)))
    };
    let at = diagnostic.primary.as_ref().and_then(|(span, _)| place(*span));
    let Some(at) = at else {
        out.extend(format!("[{}] {}\n", diagnostic.code, diagnostic.message).bytes());
        out.extend(diagnostic.notes.iter().flat_map(|note| format!("  note: {note}\n").into_bytes()));
        return;
    };
    let config = Config::default().with_color(colour).with_index_type(IndexType::Byte);
    let mut report = Report::build(kind, at.clone())
        .with_config(config)
        .with_code(diagnostic.code)
        .with_message(&diagnostic.message);
    if let Some((_, text)) = &diagnostic.primary {
        report = report.with_label(Label::new(at).with_message(text).with_color(Color::Red).with_order(0));
    }
    for (span, text) in &diagnostic.labels {
        if let Some(span) = place(*span) {
            report =
                report.with_label(Label::new(span).with_message(text).with_color(Color::Blue).with_order(1));
        }
    }
    for note in &diagnostic.notes {
        report = report.with_note(note);
    }
    if let Some(help) = &diagnostic.help {
        report = report.with_help(help);
    }
    let cache = ariadne::sources(sources.iter().map(|s| (s.name.to_string(), s.text.to_string())));
    // Writing to memory fails only when ariadne meets a span outside its source, which `place` excludes.
    if report.finish().write(cache, &mut *out).is_err() {
        out.extend(format!("[{}] {}\n", diagnostic.code, diagnostic.message).bytes());
    }
}

/// Prints why a run stopped to standard error, with the source line where it is known.
pub(crate) fn run_error(sources: &[Source], error: &RunError) {
    eprintln!("{}", run_error_text(sources, error));
}

/// Why a run stopped, with the source line where it is known.
pub(crate) fn run_error_text(sources: &[Source], error: &RunError) -> String {
    let mut text = format!("Error: {error}");
    let Some(loc) = error.loc else { return text };
    if let Some(source) = sources.iter().find(|source| source.name == loc.file)
        && let Some(line) = source.text.lines().nth(loc.line as usize - 1)
    {
        let number = loc.line.to_string();
        let caret = " ".repeat(loc.column as usize - 1);
        let margin = " ".repeat(number.len());
        text += &format!("\n {number} | {line}\n {margin} | {caret}^");
    }
    text
}
