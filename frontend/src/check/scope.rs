//! What names mean: scopes, and the environment that lasts from declaration to declaration.

use super::builtin;
use super::modules::{self, Module, ModuleTypeBinding, View};
use crate::prelude::Prelude;
use crate::syntax::Liftedness;
use crate::typed::{DefId, Definition, Intrinsic, Program};
use crate::types::{Scheme, Type};
use fun_base::name::{NameSource, Symbol, Var};
use fun_base::prim::PrimType;
use fun_base::source::Span;
use imbl::OrdMap;
use std::sync::Arc;

/// What a name for values means.
#[derive(Clone, Debug)]
pub(crate) enum Binding {
    /// A local variable.
    Local(Var, Type),
    /// A local function with parameters of its type.
    LocalDef(Var, Arc<Scheme>),
    /// A checked top-level definition.
    Def(DefId),
    /// A built-in function.
    Builtin(Arc<Scheme>, Intrinsic),
    /// An overloaded operator.
    Operator(super::operators::Operator),
    /// A member of the module of a primitive type that has been opened.
    Member(PrimType),
    /// A definition of the prelude, checked when it is first used.
    Prelude,
    /// The definition being checked, in its own parameters (nothing) and in its body.
    Recursive(Option<Arc<Scheme>>),
    /// A module.
    Module(Module),
    /// A value of a module, seen through its module type.
    View(Arc<View>),
    /// A definition that has errors: its uses cause no further ones.
    Failed,
}

/// What a name for types means.
#[derive(Clone, Debug)]
pub(crate) enum TypeBinding {
    /// A primitive type.
    Prim(PrimType),
    /// A type parameter.
    Param(Var),
    /// An abbreviation.
    Abbreviation(Arc<Abbreviation>),
    /// An abbreviation that has errors.
    Failed,
}

/// A parameter of an abbreviation, in the order of the declaration.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum AbbreviationParam {
    Size(Var),
    Type(Var, Liftedness),
}

/// A checked type abbreviation.
#[derive(Clone, Debug)]
pub(crate) struct Abbreviation {
    pub(crate) params: Vec<AbbreviationParam>,
    /// Sizes that were left open (`[]`): each use has its own.
    pub(crate) open: Vec<Var>,
    pub(crate) ty: Type,
    /// Declared with `type~` or `type^`.
    pub(crate) liftedness: Liftedness,
}

/// The names that can be used at a place. Cloning is cheap.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    pub(crate) values: OrdMap<Symbol, Binding>,
    pub(crate) types: OrdMap<Symbol, TypeBinding>,
    pub(crate) module_types: OrdMap<Symbol, ModuleTypeBinding>,
    /// Whether names are missing because a module that was opened has errors.
    pub(crate) incomplete: bool,
}

impl Scope {
    /// Brings everything in `other` into this scope.
    pub(crate) fn open(&mut self, other: &Scope) {
        self.values = other.values.clone().union(std::mem::take(&mut self.values));
        self.types = other.types.clone().union(std::mem::take(&mut self.types));
        self.module_types = other.module_types.clone().union(std::mem::take(&mut self.module_types));
        self.incomplete |= other.incomplete;
    }
}

/// What declarations have defined so far, on top of the built-in functions and the prelude. Cloning is cheap, so that a
/// caller can keep the environment before a declaration.
#[derive(Clone, Debug)]
pub struct Environment {
    pub(crate) scope: Scope,
    pub(crate) prelude: Arc<Prelude>,
    /// The scope of the prelude's definitions: built-in functions and all of the prelude.
    pub(crate) prelude_scope: Scope,
    /// The definitions of the prelude that have been used.
    pub(crate) used: OrdMap<Symbol, DefId>,
    pub(crate) definitions: imbl::Vector<Arc<Definition>>,
    pub(crate) names: NameSource,
    /// The modules of files that have been checked, by path.
    pub(crate) files: OrdMap<Symbol, Module>,
    /// The directory of each file, by the index that its spans carry.
    pub(crate) directories: OrdMap<u32, Symbol>,
    /// What the user declared, for completion.
    pub(crate) declared: OrdMap<Symbol, Span>,
}

impl Environment {
    /// The built-in functions and this prelude.
    pub fn new(prelude: Arc<Prelude>) -> Environment {
        let mut names = NameSource::default();
        let mut scope = Scope::default();
        for t in PrimType::NUMERIC_AND_BOOL {
            scope.types.insert(Symbol::new(t.name()), TypeBinding::Prim(t));
            scope.values.insert(Symbol::new(t.name()), Binding::Module(modules::of_prim(t)));
        }
        builtin::declare(&mut scope, &mut names);
        for name in prelude.names() {
            scope.values.insert(name, Binding::Prelude);
        }
        for name in crate::prelude::MODULE_TYPES {
            scope.module_types.insert(Symbol::new(name), ModuleTypeBinding::Prelude);
        }
        let definitions = imbl::Vector::new();
        Environment {
            prelude_scope: scope.clone(),
            scope,
            prelude,
            used: OrdMap::new(),
            definitions,
            names,
            files: OrdMap::new(),
            directories: OrdMap::new(),
            declared: OrdMap::new(),
        }
    }

    /// Every definition so far, those of the prelude that were used among them.
    pub fn program(&self) -> Program {
        Program {
            definitions: self.definitions.iter().cloned().collect(),
            next_tag: self.names.next_tag(),
            ..Program::default()
        }
    }

    /// How many definitions there are so far.
    pub(crate) fn definition_count(&self) -> usize {
        self.definitions.len()
    }

    /// The newest definition of a name.
    pub fn definition(&self, name: &str) -> Option<(DefId, &Arc<Definition>)> {
        match self.scope.values.get(&Symbol::new(name)) {
            Some(Binding::Def(id)) => self.definitions.get(id.0 as usize).map(|definition| (*id, definition)),
            _ => None,
        }
    }

    /// All names of values and types that can be used, for completion.
    pub fn visible_names(&self) -> impl Iterator<Item = &'static str> {
        let values = self.scope.values.keys().map(|name| name.as_str());
        values.chain(self.scope.types.keys().map(|name| name.as_str()))
    }

    /// The names that the user has declared, sorted.
    pub fn declared_names(&self) -> impl Iterator<Item = &'static str> {
        self.declared.keys().map(|name| name.as_str())
    }
}
