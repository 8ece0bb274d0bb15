//! Names in C: those of the program, with what C does not allow replaced.
//!
//! Variables end in `_` and their tag, so they are distinct from each other, from keywords, and from every other name in the
//! file: no function, type or helper ends so.

use fun_base::name::{Symbol, Var};
use std::collections::{BTreeMap, BTreeSet};

/// The name of a variable.
pub(crate) fn variable(var: Var) -> String {
    format!("{}_{}", identifier(var.text.as_str()), var.tag)
}

/// The text with an underscore for each character that an identifier can't have, beginning with a letter.
fn identifier(text: &str) -> String {
    let mut name: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        name.insert(0, 'v');
    }
    name
}

/// Names of procedures and of their parallel loops, all different.
#[derive(Default)]
pub(crate) struct Procedures {
    names: BTreeMap<Symbol, String>,
    taken: BTreeSet<String>,
}

impl Procedures {
    /// The name of a procedure, without the ending that its functions have; the same for each call.
    pub(crate) fn name(&mut self, procedure: Symbol) -> String {
        if let Some(known) = self.names.get(&procedure) {
            return known.clone();
        }
        let name = self.another(&identifier(procedure.as_str()));
        self.names.insert(procedure, name.clone());
        name
    }

    /// A name like this that nothing has.
    pub(crate) fn another(&mut self, plain: &str) -> String {
        let mut name = plain.to_owned();
        let mut number = 2;
        while !self.taken.insert(name.clone()) {
            name = format!("{plain}_v{number}");
            number += 1;
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_identifiers_and_differ() {
        assert_eq!(variable(Var::new("x", 3)), "x_3");
        assert_eq!(variable(Var::new("x'", 4)), "x__4");
        assert_eq!(variable(Var::new("größe", 5)), "gr__e_5");
        let mut names = Procedures::default();
        let of = |names: &mut Procedures, text: &str| names.name(Symbol::new(text));
        assert_eq!(of(&mut names, "f'"), "f_");
        assert_eq!(of(&mut names, "f_"), "f__v2");
        assert_eq!(of(&mut names, "f'"), "f_");
        assert_eq!(of(&mut names, "+"), "v_");
    }
}
