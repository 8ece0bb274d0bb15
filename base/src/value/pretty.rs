//! Values for people: rows on lines, the middle of large arrays left out, the type at the end.

use super::text::Sizes;
use super::{ArrayValue, Value};
use crate::prim::PrimValue;

impl Value {
    /// Scalars as literals; arrays as `[0, 1, ..., 998, 999] : [1000]i32`, with at most about `max` elements shown.
    /// Empty arrays as in the text format.
    pub fn pretty(&self, max: usize) -> String {
        match self {
            Value::Prim(x) => x.to_string(),
            Value::Array(a) if a.is_empty() => self.to_string(),
            Value::Array(a) => {
                let mut text = String::new();
                pretty_rows(a, edge(a, max), 0, 0, &mut text);
                text + &format!(" : {}{}", Sizes(&a.shape), a.elem_type())
            }
        }
    }
}

/// How many entries to show at both ends of each dimension so that not many more than `max` elements are shown.
fn edge(a: &ArrayValue, max: usize) -> usize {
    let shown = |edge: usize| {
        let sizes = a.shape.iter().map(|n| usize::try_from(*n).unwrap_or(0).min(2 * edge));
        sizes.fold(1usize, usize::saturating_mul)
    };
    if a.len() <= max {
        return usize::MAX / 2;
    }
    // Any edge from max on shows more than max elements of an array that has them.
    (2..=max).take_while(|edge| shown(*edge) <= max).last().unwrap_or(1)
}

/// The row at `depth` whose first element is at `flat`.
fn pretty_rows(a: &ArrayValue, edge: usize, depth: usize, flat: usize, text: &mut String) {
    let Some(size) = a.shape.get(depth).map(|n| usize::try_from(*n).unwrap_or(0)) else {
        text.push_str(&a.get(flat).map(plain).unwrap_or_default());
        return;
    };
    let row: usize = a.shape[depth + 1..].iter().map(|n| usize::try_from(*n).unwrap_or(0)).product();
    let innermost = depth + 1 == a.rank();
    let separator = if innermost { ", ".to_owned() } else { format!(",\n{}", " ".repeat(depth + 1)) };
    text.push('[');
    let mut i = 0;
    while i < size {
        if i > 0 {
            text.push_str(&separator);
        }
        // Leaving out a single entry saves nothing.
        if i == edge && size - edge > edge + 1 {
            text.push_str("...");
            i = size - edge;
            continue;
        }
        pretty_rows(a, edge, depth + 1, flat + i * row, text);
        i += 1;
    }
    text.push(']');
}

/// A literal without its suffix; `nan` and `inf` without their type.
fn plain(x: PrimValue) -> String {
    let text = x.to_string();
    let name = x.prim_type().name();
    if x.as_f64().is_some_and(|x| !x.is_finite()) {
        return text.replacen(&format!("{name}."), "", 1);
    }
    text.strip_suffix(name).unwrap_or(&text).to_owned()
}
