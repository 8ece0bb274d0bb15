//! Tests of the parser: snippets in, shape of the tree or problems out.

use super::*;
mod expressions;
mod limits;
mod literals;
mod problems;
mod show;
mod top_level;

fn source(text: &str) -> Source {
    Source { name: "t".into(), text: text.into() }
}

/// The text with all structure visible, or what was wrong.
fn shown(text: &str) -> String {
    match parse_expression(&source(text), 0) {
        Ok(exp) => show::exp(&exp),
        Err(problems) => listed(text, &problems).join("; "),
    }
}

/// `line:column: code: message` of each problem.
fn listed(text: &str, problems: &[Diagnostic]) -> Vec<String> {
    let line = |d: &Diagnostic| {
        let place = source(text).loc(d.span().expect("syntax errors have a place").start);
        format!("{}:{}: {}: {}", place.line, place.column, d.code, d.message)
    };
    problems.iter().map(line).collect()
}

/// Checks a table of expressions with their structure.
fn check(table: &[(&str, &str)]) {
    for (text, expected) in table {
        assert_eq!(shown(text), *expected, "for {text}");
    }
}
