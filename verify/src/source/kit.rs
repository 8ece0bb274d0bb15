//! Declarations that the forms of the source make use of: they stand before the functions of a program that needs them.

use std::collections::{BTreeMap, BTreeSet};

/// Declarations in the order in which they stand, those first that others use.
const DECLARATIONS: [(&str, &str); 17] = [
    ("vec", "type vec [n] 't = [n]t"),
    ("mat", "type mat [n] [m] 't = [n][m]t"),
    ("pair", "type pair 'a 'b = {x: a, y: b}"),
    ("answer", "type answer = #no | #yes"),
    ("option", "type option 't = #none | #some t"),
    ("function", "type^ function '^a '^b = a -> b"),
    ("some_of", "type~ some_of 't = ?[n].[n]t"),
    ("apply", "-- | Applies a function.\ndef apply '^a '^b (f: a -> b) (x: a): b = f x"),
    ("same", "def same '~a (x: a): a = x"),
    ("twice_const", "def first_of '^a '^b (x: a) (_: b): a = x"),
    ("called", "def called '^b (f: function i64 b) (x: i64): b = f x"),
    ("sized_call", "def sized_call 'a (f: (n: i64) -> [n]a) (k: i64): [k]a = f k"),
    ("limits", "module limits = { def most = 7i64  module inner = { def least = 1i64 } }"),
    ("arith", "module type arith = { type t  val op : t -> t -> t }"),
    (
        "arith_both",
        "module type arith_both = { include arith  val flipped : (y: t) -> (x: t) -> t }\n\
         module mk_both (N: arith) : arith_both with t = N.t = {\n  \
         type t = N.t\n  def op = N.op\n  def flipped (y: t) (x: t): t = N.op x y\n}",
    ),
    (
        "holder",
        "module type holder = { module held : arith_both }\n\
         module mk_held = \\(H: holder) -> { open H.held }",
    ),
    ("maker", "module type maker = (N: arith) -> arith_both with t = N.t\nmodule made: maker = mk_both"),
];

/// The declarations that a program needs.
#[derive(Default)]
pub(super) struct Kit {
    needed: BTreeSet<&'static str>,
    made: BTreeMap<String, String>,
}

impl Kit {
    /// Takes care that a declaration of the table is there.
    pub(super) fn needs(&mut self, name: &'static str) {
        self.needed.insert(name);
    }

    /// Takes care that this declaration is there, under a name that says what it declares.
    pub(super) fn makes(&mut self, name: &str, declaration: impl FnOnce() -> String) {
        self.made.entry(name.to_owned()).or_insert_with(declaration);
    }

    /// The declarations.
    pub(super) fn text(&self) -> String {
        let known = DECLARATIONS.iter().filter(|(name, _)| self.needed.contains(name));
        let known = known.map(|(_, text)| (*text).to_owned());
        let lines: Vec<String> = known.chain(self.made.values().cloned()).collect();
        if lines.is_empty() { String::new() } else { lines.join("\n") + "\n\n" }
    }
}
