//! The names that Futhark's C interface gives to types and entry points, and those that other languages see.

use super::api::TypeFunctions;
use super::interface::{NamedType, TypeForm};
use std::collections::{BTreeMap, BTreeSet};

/// The name of an opaque type: `opaque_point`; `opaque_tup2_i32_f32` for `(i32, f32)`; `opaque_arr1d_point` for `[]point`;
/// `opaque_rec__a_i32__b_f32` for a record without a name; a number for what has no readable name.
pub(super) fn opaque_name(name: &str) -> String {
    match (Reader { rest: name }).whole() {
        Some(readable) if is_name(&readable) => format!("opaque_{readable}"),
        _ => format!("opaque_{:016x}", hash(name)),
    }
}

/// An identifier for a name of the source: itself, or as GHC encodes names in symbols ("Z-encoding"), which Futhark's C interface has for
/// entry points and fields: `x'` is `xzq`.
pub(super) fn c_name(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.chars().all(plain) { name.to_owned() } else { name.chars().map(encoded).collect() }
}

/// A character of a name that is no identifier.
fn encoded(c: char) -> String {
    let letters = match c {
        '(' => "ZL",
        ')' => "ZR",
        '[' => "ZM",
        ']' => "ZN",
        ':' => "ZC",
        'Z' => "ZZ",
        'z' => "zz",
        '&' => "za",
        '|' => "zb",
        '^' => "zc",
        '$' => "zd",
        '=' => "ze",
        '>' => "zg",
        '#' => "zh",
        '.' => "zi",
        '<' => "zl",
        '-' => "zm",
        '!' => "zn",
        '+' => "zp",
        '\'' => "zq",
        '\\' => "zr",
        '/' => "zs",
        '*' => "zt",
        '%' => "zv",
        c if c.is_ascii_alphanumeric() || c == '_' => return c.to_string(),
        c => {
            // a digit comes first, so that the code is no letter of those above
            let code = format!("{:x}", u32::from(c));
            let zero = if code.starts_with(|digit: char| digit.is_ascii_digit()) { "" } else { "0" };
            return format!("z{zero}{code}U");
        }
    };
    letters.to_owned()
}

/// Whether the fields are those of a tuple.
pub(super) fn is_tuple(fields: &[(String, NamedType)]) -> bool {
    fields.iter().enumerate().all(|(k, (name, _))| *name == k.to_string())
}

/// By the names of types, what Python and Rust call records that are no tuples, sums, and arrays of both.
pub(super) fn class_names<'t>(
    types: &'t [(&'t NamedType, TypeFunctions)],
    reserved: &[&str],
) -> BTreeMap<&'t str, String> {
    let mut known = BTreeSet::new();
    let opaque = types.iter().map(|(ty, _)| *ty).filter(|ty| match &ty.form {
        TypeForm::Plain(_) => false,
        TypeForm::Record(fields) => !is_tuple(fields),
        TypeForm::Sum { .. } | TypeForm::Array(..) => true,
    });
    opaque
        .map(|ty| (ty.name.as_str(), unique(&mut known, &class_name(&opaque_name(&ty.name)), &[reserved])))
        .collect()
}

/// `Arr1dPoint` for `opaque_arr1d_point`: the name of a class or type in Python and Rust.
fn class_name(opaque: &str) -> String {
    let words = opaque.trim_start_matches("opaque_").split('_').filter(|word| !word.is_empty());
    let name: String = words.map(|word| word[..1].to_uppercase() + &word[1..]).collect();
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("Type{name}") } else { name }
}

/// A name that is neither known, from now on, nor in one of these lists, as near to this one as that allows.
pub(super) fn unique(known: &mut BTreeSet<String>, name: &str, taken: &[&[&str]]) -> String {
    let mut name = name.to_owned();
    while known.contains(&name) || taken.iter().any(|list| list.contains(&name.as_str())) {
        name.push('_');
    }
    known.insert(name.clone());
    name
}

fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// FNV-1a.
fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// Reads a type's name.
struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    fn whole(mut self) -> Option<String> {
        let found = self.ty()?;
        self.rest.is_empty().then_some(found)
    }

    fn take(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn ty(&mut self) -> Option<String> {
        let mut rank = 0;
        while self.take("[]") {
            rank += 1;
        }
        if rank > 0 {
            return Some(format!("arr{rank}d_{}", self.ty()?));
        }
        if self.take("(") {
            let parts = self.list(")", Reader::ty)?;
            return Some(match parts.len() {
                0 => "unit".to_owned(),
                count => format!("tup{count}_{}", parts.join("_")),
            });
        }
        if self.take("{") {
            let field = |reader: &mut Reader<'_>| {
                let name = reader.atom()?;
                (reader.take(": ") || reader.take(":")).then_some(())?;
                Some(format!("{name}_{}", reader.ty()?))
            };
            return Some(format!("rec__{}", self.list("}", field)?.join("__")));
        }
        let mut name = self.atom()?;
        if self.take(".") {
            name = format!("{name}_{}", self.atom()?);
        }
        Some(name)
    }

    fn list(&mut self, end: &str, mut part: impl FnMut(&mut Self) -> Option<String>) -> Option<Vec<String>> {
        let mut parts = Vec::new();
        while !self.take(end) {
            if !parts.is_empty() {
                (self.take(", ") || self.take(",")).then_some(())?;
            }
            parts.push(part(self)?);
        }
        Some(parts)
    }

    fn atom(&mut self) -> Option<String> {
        let end = self.rest.find(|c| "[]{}(),.:".contains(c)).unwrap_or(self.rest.len());
        let (atom, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!atom.is_empty()).then(|| atom.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_the_names_that_futhark_gives_them() {
        for (name, expected) in [
            ("point", "opaque_point"),
            ("(i32, []f32)", "opaque_tup2_i32_arr1d_f32"),
            ("[][]point", "opaque_arr2d_point"),
            ("{a: i32, b: (f32, bool)}", "opaque_rec__a_i32__b_tup2_f32_bool"),
            ("()", "opaque_unit"),
            ("geometry.point", "opaque_geometry_point"),
        ] {
            assert_eq!(opaque_name(name), expected);
        }
        let hashed = opaque_name("#a i32 | #b");
        assert!(hashed.len() == "opaque_".len() + 16 && is_name(&hashed), "{hashed}");
        // what Futhark 0.25.27 calls entry points of these names
        for (name, expected) in [
            ("f_1", "f_1"),
            ("f'", "fzq"),
            ("Zig_zag'", "ZZig_zzagzq"),
            ("<+>=", "zlzpzgze"),
            ("**-/%", "ztztzmzszv"),
            ("&&|^!", "zazazbzczn"),
        ] {
            assert_eq!(c_name(name), expected);
        }
    }
}
