//! The helper functions that a program needs, one for each operator and type that C does not have as FUN means it.
//!
//! Integers are computed unsigned and wide enough that nothing overflows; the conversion back to a signed type keeps the bits, as
//! GCC and Clang define it. The names are those of the operators with the type behind them. Where C has the operator, the program
//! has it in place and there is no helper.

mod angles;
mod arcs;
mod elementary;
mod float;
mod hyperbolic;
mod integer;
mod pairs;
mod powers;
mod steps;
mod turns;
mod widened;

use std::collections::BTreeSet;

pub(crate) use float::{binary_function, unary_function};

/// The helpers asked for, those that others call before them.
#[derive(Default)]
pub(crate) struct Helpers {
    known: BTreeSet<String>,
    texts: Vec<(String, String)>,
}

impl Helpers {
    /// Adds a helper by its name, and those that it calls.
    pub(crate) fn need(&mut self, name: &str) {
        if self.known.contains(name) {
            return;
        }
        self.known.insert(name.to_owned());
        if let Some(text) = text(name) {
            for called in calls(&text).filter(|called| *called != name) {
                self.need(called);
            }
            self.texts.push((name.to_owned(), text));
        }
    }

    /// Adds the helpers that a text calls.
    pub(crate) fn need_for(&mut self, text: &str) {
        for called in calls(text) {
            self.need(called);
        }
    }

    /// The helpers that `body` calls, directly or not, without those that are there already.
    pub(crate) fn text(&self, body: &str, is_there: &dyn Fn(&str) -> bool) -> String {
        let mut wanted: BTreeSet<&str> = calls(body).collect();
        let mut kept = Vec::new();
        for (name, text) in self.texts.iter().rev() {
            if wanted.contains(name.as_str()) && !is_there(name) {
                wanted.extend(calls(text));
                kept.push(text.as_str());
            }
        }
        kept.reverse();
        kept.concat()
    }
}

/// The function of our own that stands for one of C, or for one that is for single numbers, in loops of hosts that run in vectors.
pub(crate) fn in_vectors(function: &str) -> Option<String> {
    if let Some((extreme @ ("min" | "max"), ty)) = function.split_once('_') {
        return Some(format!("{extreme}_in_vectors_{ty}"));
    }
    let name = function.strip_suffix('f').map_or(format!("{function}_f64"), |name| format!("{name}_f32"));
    steps::of(function).or_else(|| own(&name).map(|_| name))
}

/// A function of our own, for places where it is called once at a time: there the compiler decides whether the code grows by it.
pub(crate) fn alone(function: &str) -> Option<String> {
    if let Some((extreme @ ("min" | "max"), ty)) = function.split_once('_') {
        return Some(format!("{extreme}_alone_{ty}"));
    }
    if let Some(own) = steps::of(function) {
        return Some(format!("one_{own}"));
    }
    elementary::text(function).map(|_| format!("one_{function}"))
}

/// The text of a helper.
fn text(name: &str) -> Option<String> {
    if let Some(function) = name.strip_prefix("one_") {
        let ty = if function.ends_with("f32") { "float" } else { "double" };
        return Some(format!("FUN_HELPER {ty} {name}({ty} x) {{\n    return {function}(x);\n}}\n\n"));
    }
    let own = || own(name).map(str::to_owned).or_else(|| steps::text(name));
    integer::text(name).or_else(own).or_else(|| float::text(name))
}

/// The text of an elementary function of our own, or of a part of one.
fn own(name: &str) -> Option<&'static str> {
    let texts = [
        elementary::text,
        angles::text,
        widened::text,
        pairs::text,
        powers::text,
        hyperbolic::text,
        arcs::text,
        turns::text,
    ];
    texts.into_iter().find_map(|text| text(name))
}

/// The words of a text that are followed by a parenthesis.
fn calls(text: &str) -> impl Iterator<Item = &str> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.split('(').map(move |before| {
        let rest = before.trim_end_matches(is_word);
        &before[rest.len()..]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn helpers_come_with_what_they_call_and_only_where_they_are_called() {
        let mut helpers = Helpers::default();
        helpers.need("cbrt_f32");
        helpers.need("add_i32");
        let text = helpers.text("x = cbrt_f32(y);", &|_| false);
        let places: Vec<_> = ["double log_f64(", "float cbrt_f32("].map(|name| text.find(name)).to_vec();
        assert!(places[0].is_some() && places[0] < places[1], "{text}");
        assert!(!text.contains("add_i32"), "{text}");
    }
}
