//! Rendering: diagnostics through ariadne, run-time errors with their place.

use ariadne::{Color, Config, IndexType, Label, Report, ReportKind};
use fun_base::diag::{Diagnostic, Severity};
use fun_base::run::RunError;
use fun_base::run::fault::{Fault, Statement};
use fun_base::source::{Loc, Source, Span};
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

/// Why a run stopped, with the source line where it is known; with those of all accesses, if it is a fault in memory.
pub(crate) fn run_error_text(sources: &[Source], error: &RunError) -> String {
    if let Some(text) = error.fault.as_ref().and_then(|fault| fault_text(sources, error, fault)) {
        return text;
    }
    let mut text = format!("Error: {error}");
    let Some(loc) = error.loc else { return text };
    let source = sources.iter().find(|source| source.name == loc.file);
    // Intermediate programs may claim any place.
    let line = source.and_then(|source| source.text.lines().nth((loc.line as usize).checked_sub(1)?));
    if let Some(line) = line
        && let Some(before) = (loc.column as usize).checked_sub(1)
        && before <= line.chars().count()
    {
        let number = loc.line.to_string();
        let caret = " ".repeat(before);
        let margin = " ".repeat(number.len());
        text += &format!("\n {number} | {line}\n {margin} | {caret}^");
    }
    text
}

/// A fault with a label at each access and at the allocation; nothing if no access is in a source.
fn fault_text(sources: &[Source], error: &RunError, fault: &Fault) -> Option<String> {
    let mut labels: Vec<(Span, String)> = Vec::new();
    let mut notes = Vec::new();
    for access in &fault.accesses {
        match statement_span(sources, &access.statement) {
            Some(span) => {
                labels.push((span, access.what()));
                // Where the statement is the compiler's, its line in the source does not say it all.
                if access
                    .statement
                    .loc
                    .is_some_and(|loc| sources.iter().any(|source| source.name == loc.file))
                {
                    notes.push(access.to_string());
                }
            }
            None => notes.push(access.to_string()),
        }
    }
    let primary = if labels.is_empty() { return None } else { labels.remove(0) };
    if let Some(block) = &fault.block {
        match statement_span(sources, &block.allocated) {
            Some(span) if block.ended.is_none() => {
                labels.push((span, format!("allocates `{}`, {} bytes", block.name, block.bytes)));
            }
            _ => notes.push(block.history()),
        }
    }
    let function = error.function.map(|function| format!(" in {function}")).unwrap_or_default();
    let diagnostic = Diagnostic {
        severity: Severity::Error,
        code: "fault",
        message: format!("{}{function}", error.message),
        primary: Some(primary),
        labels,
        notes,
        help: None,
    };
    let mut out = Vec::new();
    render_one(sources, &diagnostic, std::io::stderr().is_terminal(), &mut out);
    Some(String::from_utf8_lossy(&out).trim_end().to_owned())
}

/// Where a statement stands: at its place in the source, or where an intermediate program binds its first variable.
fn statement_span(sources: &[Source], statement: &Statement) -> Option<Span> {
    let file = |loc: &Loc| sources.iter().position(|source| source.name == loc.file);
    if let Some(loc) = statement.loc
        && let Some(file) = file(&loc)
    {
        let text = &sources[file].text;
        let line = (loc.line as usize).checked_sub(1)?;
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let in_line: usize = text[start..]
            .lines()
            .next()?
            .chars()
            .take((loc.column as usize).saturating_sub(1))
            .map(char::len_utf8)
            .sum();
        let rest = &text[start + in_line..];
        let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').filter(|length| *length > 0);
        let length = word.unwrap_or_else(|| rest.chars().next().map_or(0, char::len_utf8));
        return Some(span(file, start + in_line, start + in_line + length));
    }
    let binder = format!("{}:", statement.binder.as_ref()?);
    let text = &sources.first()?.text;
    let line_start = |at: usize| text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let is_binder = |at: &usize| {
        let comment = text[line_start(*at)..*at].contains("//");
        !comment && text[..*at].ends_with(['(', ' ', '*'])
    };
    let at = text.match_indices(&binder).map(|(at, _)| at).find(is_binder)?;
    let start = line_start(at);
    let end = at + text[at..].find('\n').unwrap_or(text.len() - at);
    let indent = text[start..].len() - text[start..].trim_start().len();
    Some(span(0, start + indent, end.max(start + indent)))
}

fn span(file: usize, start: usize, end: usize) -> Span {
    Span { file: file as u32, start: start as u32, end: end as u32 }
}
