//! Declarations that the forms of the source make use of: they stand before the functions of a program that needs them.

use std::collections::BTreeMap;

/// Declarations in the order in which they stand, those first that others use.
const DECLARATIONS: [(&str, &str); 8] = [
    ("vec", "type vec [n] 't = [n]t"),
    ("mat", "type mat [n] [m] 't = [n][m]t"),
    ("answer", "type answer = #no | #yes"),
    ("option", "type option 't = #none | #some t"),
    ("apply", "def apply '^a '^b (f: a -> b) (x: a): b = f x"),
    ("select", "def select 't (c: bool) (x: t) (y: t): t = if c then x else y"),
    ("two", "def two 'a 'b (x: a) (y: b): (a, b) = (x, y)"),
    ("then", "def (|>>) '^a '^b (x: a) (f: a -> b): b = f x"),
];

/// The declarations that a program needs.
#[derive(Default)]
pub(super) struct Kit {
    needed: BTreeMap<&'static str, ()>,
    made: BTreeMap<String, String>,
}

impl Kit {
    /// Takes care that a declaration of the table is there.
    pub(super) fn needs(&mut self, name: &'static str) {
        self.needed.insert(name, ());
    }

    /// Takes care that this declaration is there, under a name that says what it declares.
    pub(super) fn makes(&mut self, name: &str, declaration: impl FnOnce() -> String) {
        self.made.entry(name.to_owned()).or_insert_with(declaration);
    }

    /// The declarations.
    pub(super) fn text(&self) -> String {
        let known = DECLARATIONS.iter().filter(|(name, _)| self.needed.contains_key(name));
        let known = known.map(|(_, text)| (*text).to_owned());
        let lines: Vec<String> = known.chain(self.made.values().cloned()).collect();
        if lines.is_empty() { String::new() } else { lines.join("\n") + "\n\n" }
    }
}
