//! What `fun explain` says in words.

use fun_base::name::{Symbol, Var};
use fun_base::source::Loc;
use fun_passes::funmem::copies_left::CopyLeft;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Names for readers: without tags, unless two variables have the same text.
#[derive(Default)]
pub(super) struct Names(RefCell<BTreeMap<Symbol, Var>>);

impl Names {
    pub(super) fn of(&self, var: Var) -> String {
        let first = *self.0.borrow_mut().entry(var.text).or_insert(var);
        if first == var { var.text.to_string() } else { var.to_string() }
    }
}

/// ` (12:5)`, or nothing.
pub(super) fn at(loc: Option<Loc>) -> String {
    loc.map_or(String::new(), |loc| format!(" ({}:{})", loc.line, loc.column))
}

/// The copies that remain, with reasons.
pub(super) fn copies(copies: &[CopyLeft]) -> String {
    if copies.is_empty() {
        return "no array is copied\n".to_owned();
    }
    let mut out = "copies that remain:\n".to_owned();
    for copy in copies {
        let names = Names::default();
        let name = |var: Var| names.of(var);
        let value = format!("{}{}", name(copy.value), at(copy.value_loc));
        let into = copy.into.map_or(String::new(), |var| format!(" into {}", name(var)));
        let inside = match copy.depth {
            0 => "",
            1 => ", in a loop",
            _ => ", in nested loops",
        };
        out += &format!("  {value}{into} by {}{}{inside}\n", copy.by, at(copy.loc));
        let reason = copy.reason.as_ref().map(|reason| reason.describe(&name));
        out += &format!("    {}\n", reason.unwrap_or_else(|| no_reason(copy).to_owned()));
    }
    out
}

/// Where short-circuiting does not look.
fn no_reason(copy: &CopyLeft) -> &'static str {
    match copy.by {
        "array literal" => "the rows of an array literal are always copied",
        "scatter" => "what a scatter writes is always copied, since its place depends on an index",
        _ => "no pass tried to do without",
    }
}
