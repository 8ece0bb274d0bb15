//! The prelude: the part of the standard functions that is written in the source language itself. Its text is cut into
//! definitions without parsing them; the checker parses and checks a definition when a program first uses it, so that a
//! small program pays for nothing else.

use crate::check::Environment;
use crate::syntax::{Declaration, ModuleTypeExp, ValueDeclaration};
use fun_base::name::Symbol;
use fun_base::source::Source;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// The index that spans in the prelude carry.
pub const PRELUDE_FILE: u32 = u32::MAX;

/// The index that spans in the members of primitive types' modules carry; there is no text to show for them.
pub const MEMBERS_FILE: u32 = u32::MAX - 1;

/// A prelude's text and where its definitions are.
#[derive(Clone, Debug)]
pub struct Prelude {
    source: Source,
    definitions: BTreeMap<Symbol, Range<usize>>,
}

impl Prelude {
    /// Cuts a text in which each definition starts a line with `def `, and everything else that starts a line is a comment.
    pub fn new(source: Source) -> Prelude {
        let mut definitions = BTreeMap::new();
        let mut open: Option<(Symbol, usize)> = None;
        let mut at = 0;
        for line in source.text.split_inclusive('\n') {
            if line.starts_with("def ") || line.starts_with("--") {
                if let Some((name, start)) = open.take() {
                    definitions.insert(name, start..at);
                }
                if let Some(rest) = line.strip_prefix("def ") {
                    let name = match rest.strip_prefix('(') {
                        Some(operator) => operator.split(')').next(),
                        None => rest.split([' ', '\n']).next(),
                    };
                    open = name.map(|name| (Symbol::new(name), at));
                }
            }
            at += line.len();
        }
        if let Some((name, start)) = open {
            definitions.insert(name, start..at);
        }
        Prelude { source, definitions }
    }

    /// The names defined.
    pub fn names(&self) -> impl Iterator<Item = Symbol> {
        self.definitions.keys().copied()
    }

    /// The text, for places in it.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Parses a definition; `None` where there is none of the name or it has errors.
    pub(crate) fn parse(&self, name: Symbol) -> Option<ValueDeclaration> {
        let range = self.definitions.get(&name)?.clone();
        // Everything before is blanked out, so that places are those of the whole text.
        let before = &self.source.text[..range.start];
        let mut text: String = before.chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
        text.push_str(&self.source.text[range]);
        let source = Source { name: self.source.name, text: text.into() };
        let program = crate::parse::parse_program(&source, PRELUDE_FILE).ok()?;
        program.declarations.into_iter().find_map(|declaration| match declaration {
            Declaration::Value(value) if value.name.name == name => Some(value),
            _ => None,
        })
    }
}

/// The names of the prelude's module types.
pub(crate) const MODULE_TYPES: [&str; 5] = ["from_prim", "numeric", "integral", "real", "float"];

/// A module type of the prelude, over the prelude's scope.
pub(crate) fn module_type(name: Symbol) -> Option<Arc<ModuleTypeExp>> {
    static PARSED: OnceLock<BTreeMap<Symbol, Arc<ModuleTypeExp>>> = OnceLock::new();
    let parsed = PARSED.get_or_init(|| {
        let text = include_str!("prelude/module_types.fut");
        let source = Source { name: Symbol::new("prelude"), text: text.into() };
        let program = crate::parse::parse_program(&source, MEMBERS_FILE).unwrap_or_default();
        let types = program.declarations.into_iter().filter_map(|declaration| match declaration {
            Declaration::ModuleType(name, exp) => Some((name.name, exp)),
            _ => None,
        });
        types.collect()
    });
    parsed.get(&name).cloned()
}

/// FUN's own prelude.
pub fn prelude() -> &'static Arc<Prelude> {
    static PRELUDE: OnceLock<Arc<Prelude>> = OnceLock::new();
    PRELUDE.get_or_init(|| {
        let text = include_str!("prelude/prelude.fut");
        Arc::new(Prelude::new(Source { name: Symbol::new("prelude.fut"), text: text.into() }))
    })
}

/// The environment in which programs are checked.
pub fn environment() -> &'static Environment {
    static ENVIRONMENT: OnceLock<Environment> = OnceLock::new();
    ENVIRONMENT.get_or_init(|| Environment::new(prelude().clone()))
}
