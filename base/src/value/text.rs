//! Printing values in Futhark's text format: every number with its suffix, empty arrays as `empty([0][2]i32)`.
//! [`super::ValueReader`] reads back the same bits, but for the payload of NaNs.

use super::{ArrayValue, Value};
use crate::prim::{PrimValue, canonical_nan};
use std::io::{self, Write};

/// Writes a value, without a line end.
pub fn write_text(value: &Value, out: &mut impl Write) -> io::Result<()> {
    match value {
        Value::Prim(x) => write_prim(*x, out),
        Value::Array(a) if a.is_empty() => write!(out, "empty({}{})", Sizes(&a.shape), a.elem_type()),
        Value::Array(a) => write_array(a, out),
    }
}

/// As `Display`, but Futhark has one NaN.
fn write_prim(x: PrimValue, out: &mut impl Write) -> io::Result<()> {
    let is_nan = x.as_f64().is_some_and(f64::is_nan);
    write!(out, "{}", if is_nan { canonical_nan(x.prim_type()) } else { x })
}

fn write_array(a: &ArrayValue, out: &mut impl Write) -> io::Result<()> {
    // How many elements a row at each depth holds, the innermost first: where brackets open and close.
    let mut rows: Vec<usize> = Vec::new();
    for n in a.shape.iter().rev() {
        rows.push(rows.last().copied().unwrap_or(1).saturating_mul(usize::try_from(*n).unwrap_or(0)));
    }
    for (i, x) in a.iter().enumerate() {
        if i > 0 {
            out.write_all(b", ")?;
        }
        for _ in rows.iter().filter(|size| i % **size == 0) {
            out.write_all(b"[")?;
        }
        write_prim(x, out)?;
        for _ in rows.iter().filter(|size| (i + 1) % **size == 0) {
            out.write_all(b"]")?;
        }
    }
    Ok(())
}

/// `[0][2]`.
pub(super) struct Sizes<'a>(pub(super) &'a [i64]);

impl std::fmt::Display for Sizes<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|n| write!(f, "[{n}]"))
    }
}

/// The text format, as [`write_text`].
impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = Vec::new();
        write_text(self, &mut text).map_err(|_| std::fmt::Error)?;
        f.write_str(&String::from_utf8_lossy(&text))
    }
}
