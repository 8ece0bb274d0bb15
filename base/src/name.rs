//! Names. A [`Var`] is what binders of all three intermediate languages introduce: a readable text and
//! a tag that alone decides identity, printed as `text_tag`.

use rustc_hash::FxHashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{OnceLock, RwLock};

/// An interned string: equality compares addresses, order compares texts.
///
/// One pointer wide, as compilers move variables about all the time.
#[derive(Clone, Copy)]
pub struct Symbol(&'static &'static str);

/// The strings interned so far. Interned text lives as long as the process: names are few and shared.
fn interner() -> &'static RwLock<FxHashMap<&'static str, Symbol>> {
    static TABLE: OnceLock<RwLock<FxHashMap<&'static str, Symbol>>> = OnceLock::new();
    TABLE.get_or_init(|| RwLock::new(FxHashMap::default()))
}

impl Symbol {
    /// The symbol for `text`; equal texts give the same symbol.
    pub fn new(text: &str) -> Symbol {
        let table = interner();
        if let Some(known) = table.read().unwrap_or_else(|poisoned| poisoned.into_inner()).get(text) {
            return *known;
        }
        let mut table = table.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(known) = table.get(text) {
            return *known;
        }
        let leaked: &'static str = Box::leak(text.to_owned().into_boxed_str());
        let symbol = Symbol(Box::leak(Box::new(leaked)));
        table.insert(leaked, symbol);
        symbol
    }

    /// The text of the symbol.
    pub fn as_str(self) -> &'static str {
        self.0
    }
}

impl PartialEq for Symbol {
    fn eq(&self, other: &Symbol) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Symbol {}

impl Hash for Symbol {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::hash(self.0, state);
    }
}

impl PartialOrd for Symbol {
    fn partial_cmp(&self, other: &Symbol) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Symbol {
    fn cmp(&self, other: &Symbol) -> std::cmp::Ordering {
        if self == other { std::cmp::Ordering::Equal } else { self.0.cmp(other.0) }
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl From<&str> for Symbol {
    fn from(text: &str) -> Symbol {
        Symbol::new(text)
    }
}

/// A variable of FUN, FUNMEM or IMP. Two variables are the same iff their tags are; the text is for readers.
#[derive(Clone, Copy)]
pub struct Var {
    /// Decides identity. Unique among all binders of a program.
    pub tag: u32,
    /// What the programmer or the pass called it: a letter, then letters, digits and `_`.
    pub text: Symbol,
}

impl Var {
    /// The variable `text_tag`.
    pub fn new(text: impl Into<Symbol>, tag: u32) -> Var {
        Var { tag, text: text.into() }
    }
}

impl PartialEq for Var {
    #[inline]
    fn eq(&self, other: &Var) -> bool {
        self.tag == other.tag
    }
}
impl Eq for Var {}
impl std::hash::Hash for Var {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.tag.hash(state);
    }
}
impl PartialOrd for Var {
    #[inline]
    fn partial_cmp(&self, other: &Var) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Var {
    #[inline]
    fn cmp(&self, other: &Var) -> std::cmp::Ordering {
        self.tag.cmp(&other.tag)
    }
}
impl fmt::Display for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text.as_str())?;
        f.write_str("_")?;
        fmt::Display::fmt(&self.tag, f)
    }
}
impl fmt::Debug for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Where fresh variables come from: a counter above every tag in the program at hand.
#[derive(Clone, Debug, Default)]
pub struct NameSource {
    next: u32,
}

impl NameSource {
    /// A source whose first tag is `next`.
    pub fn starting_at(next: u32) -> NameSource {
        NameSource { next }
    }

    /// A variable that nothing else in the program is called.
    pub fn fresh(&mut self, text: impl Into<Symbol>) -> Var {
        let tag = self.next;
        self.next += 1;
        Var { tag, text: text.into() }
    }

    /// A fresh variable with the text of `var`.
    pub fn fresh_like(&mut self, var: Var) -> Var {
        self.fresh(var.text)
    }

    /// Makes sure that `var` is not handed out again.
    pub fn avoid(&mut self, var: Var) {
        self.next = self.next.max(var.tag.saturating_add(1));
    }

    /// The first tag that is still free.
    pub fn next_tag(&self) -> u32 {
        self.next
    }
}
