//! The type checker: from the syntax tree to the typed tree.
//!
//! Each top-level definition is inferred on its own, in order: Hindley-Milner with overloaded literals and operators, whose
//! types default to `i32` and `f64` where nothing decides them, then generalised over the types and sizes that its
//! parameters leave open. Sizes are part of types (see [`unify`]); sizes that only a run decides get variables of their own
//! (`exts` in the typed tree). Local functions are generalised over sizes, and over types where they declare them.
//!
//! Checking goes on after an error: what failed has a type that fits everything, so that each mistake is reported once.

mod apply;
mod ascribe;
mod attempt;
mod branch;
mod builtin;
mod definition;
mod elaborate;
mod equations;
mod exhaustive;
mod exp;
mod function;
mod index;
mod infix;
mod levels;
mod literal;
mod loops;
mod matching;
mod module;
mod modules;
mod operators;
mod pattern;
mod record;
mod recursion;
mod report;
mod scope;
mod scoping;
mod size;
mod size_of;
mod spec;
#[cfg(test)]
mod tests;
mod type_exp;
mod unify;
mod unknown;
mod zonk;

pub(crate) use builtin::INTRINSICS;
pub use scope::Environment;

use crate::files::Files;
use crate::syntax;
use crate::typed::{DefId, Program};
use crate::types::{Size, Type};
use crate::uniqueness::check_consumption;
use fun_base::diag::Diagnostic;
use fun_base::name::{Symbol, Var};
use fun_base::prim::BinOp;
use fun_base::source::Span;
use modules::Module;
use scope::Scope;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use unknown::{SizeMeta, TypeMeta, VarInfo};

/// A program that has passed.
#[derive(Clone, Debug)]
pub struct Checked {
    /// All definitions of the environment and the program.
    pub program: Program,
    /// The environment after the program, for what comes next.
    pub environment: Environment,
    /// What the user should know.
    pub warnings: Vec<Diagnostic>,
}

/// The files of Futhark's prelude: importing one gives everything.
const PRELUDE_FILES: [&str; 8] = ["prelude", "soacs", "array", "math", "functional", "ad", "zip", "complex"];

/// The name that an expression is given by [`check_expression`].
pub const EXPRESSION_NAME: &str = "it";

/// Checks declarations in the environment of earlier ones.
pub fn check_program(
    environment: &Environment,
    program: &syntax::Program,
) -> Result<Checked, Vec<Diagnostic>> {
    let mut environment = environment.clone();
    let before = environment.definition_count();
    let (mut scope, mut found) = (environment.scope.clone(), Found::default());
    declare(&mut environment, &mut scope, program, None, &mut found);
    environment.scope = scope;
    finish(environment, before, found)
}

/// Checks a program of several files.
pub(crate) fn check_files(environment: &Environment, files: Files) -> Result<Checked, Vec<Diagnostic>> {
    let mut environment = environment.clone();
    let before = environment.definition_count();
    let mut found = Found { errors: files.errors, warnings: Vec::new() };
    environment.directories = (0u32..).zip(files.directories).collect();
    for file in files.imported {
        let module = match &file.program {
            Some(program) => {
                let mut scope = environment.prelude_scope.clone();
                let name = file.path.as_str();
                let name = name.rsplit_once('/').map_or(name, |(_, name)| name);
                let name = Symbol::new(name.strip_suffix(".fut").unwrap_or(name));
                let exports = declare(&mut environment, &mut scope, program, Some(name), &mut found);
                Module::Structure(Arc::new(exports))
            }
            None => Module::Failed,
        };
        environment.files.insert(file.path, module);
    }
    let mut scope = environment.scope.clone();
    declare(&mut environment, &mut scope, &files.main, None, &mut found);
    environment.scope = scope;
    finish(environment, before, found)
}

/// What there is to say about a program.
#[derive(Default)]
struct Found {
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

/// Checks the declarations of a file, the main file when it has no name. Gives those that can be seen outside.
fn declare(
    environment: &mut Environment,
    scope: &mut Scope,
    program: &syntax::Program,
    name: Option<Symbol>,
    found: &mut Found,
) -> Scope {
    let mut exports = Scope::default();
    let mut elaborator = elaborate::Elaborator::new(environment, name);
    elaborator.declarations(scope, &mut exports, &program.declarations);
    found.errors.append(&mut elaborator.errors);
    found.warnings.append(&mut elaborator.warnings);
    found.warnings.append(&mut crate::unused::unused_names(&program.declarations));
    exports
}

/// Checks the consumption in the definitions that were added to the first `before`, if all is well so far.
fn finish(environment: Environment, before: usize, found: Found) -> Result<Checked, Vec<Diagnostic>> {
    let Found { mut errors, mut warnings } = found;
    if !errors.is_empty() {
        fun_base::diag::sort(&mut errors);
        return Err(errors);
    }
    fun_base::diag::sort(&mut warnings);
    let program = environment.program();
    let mut errors = check_consumption(&program, before);
    if !errors.is_empty() {
        fun_base::diag::sort(&mut errors);
        return Err(errors);
    }
    Ok(Checked { program, environment, warnings })
}

/// Checks an expression as if it were the definition [`EXPRESSION_NAME`] without parameters, which is the result's last
/// definition.
pub fn check_expression(
    environment: &Environment,
    exp: &syntax::Exp,
) -> Result<(Checked, DefId), Vec<Diagnostic>> {
    let before = environment.definition_count();
    let mut environment = environment.clone();
    let name = syntax::Ident { name: Symbol::new(EXPRESSION_NAME), span: exp.span };
    let declaration = syntax::ValueDeclaration {
        entry: false,
        name,
        type_params: Vec::new(),
        params: Vec::new(),
        result: None,
        body: exp.clone(),
        attributes: Vec::new(),
        doc: None,
        span: exp.span,
    };
    let scope = environment.scope.clone();
    let checked = attempt::check_value(&mut environment, &scope, &declaration, definition::Place::default());
    let (def, warnings) = checked.map_err(|errors| match errors.is_empty() {
        true => vec![Diagnostic::error("E0201", "this uses a definition that has errors").at(exp.span)],
        false => errors,
    })?;
    Ok((finish(environment, before, Found { errors: Vec::new(), warnings })?, def))
}

/// The state of inferring one definition.
struct Infer<'g> {
    global: &'g mut Environment,
    metas: Vec<TypeMeta>,
    size_metas: Vec<SizeMeta>,
    vars: BTreeMap<Var, VarInfo>,
    /// How deep in functions, branches and loops.
    level: u32,
    /// Literals whose type is open; a constant of an unknown type holds the index of its literal.
    literals: Vec<syntax::Literal>,
    /// Equations of sizes that could not be solved yet.
    deferred: Vec<(Size, Size, Span)>,
    /// Sizes that instances of lifted type parameters made; they belong to the application at hand.
    pending_exts: Vec<Var>,
    /// The variables that stand for unknown sizes inside of expressions.
    stand_ins: BTreeMap<u32, Var>,
    /// Pairs of sizes that the branches at hand give, with the existential for each pair.
    branch_sizes: Vec<(Size, Size, Var)>,
    /// Places of applications whose function is evaluated before its last argument: `f <| x` and `(x op)`.
    function_first: BTreeSet<Span>,
    /// What is assumed of the sizes of loops.
    loops: attempt::LoopSizes,
    /// What the definition's uses of itself need.
    recursion: recursion::Recursion,
    /// Type parameters in scope that may be functions.
    lifted_params: BTreeSet<Var>,
    /// Type parameters in scope whose values may differ in their sizes.
    size_lifted: BTreeSet<Var>,
    /// The holes, for warnings that tell their types.
    holes: Vec<(Type, Span)>,
    /// What is being unified, for equations that fail later.
    current: Span,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    /// Whether something failed, here or in a definition that is used here: then nothing is said about what is undecided.
    tainted: bool,
}

impl<'g> Infer<'g> {
    fn new(global: &'g mut Environment) -> Infer<'g> {
        Infer {
            global,
            metas: Vec::new(),
            size_metas: Vec::new(),
            vars: BTreeMap::new(),
            level: 0,
            literals: Vec::new(),
            deferred: Vec::new(),
            pending_exts: Vec::new(),
            stand_ins: BTreeMap::new(),
            branch_sizes: Vec::new(),
            function_first: BTreeSet::new(),
            loops: attempt::LoopSizes::default(),
            recursion: recursion::Recursion::default(),
            lifted_params: BTreeSet::new(),
            size_lifted: BTreeSet::new(),
            holes: Vec::new(),
            current: Span::default(),
            errors: Vec::new(),
            warnings: Vec::new(),
            tainted: false,
        }
    }
}

/// A text that a [`Var`] may have: letters, digits and `_`, a letter first.
fn variable_text(name: &str) -> String {
    let text: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    let text = text.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
    if text.is_empty() { "x".to_owned() } else { text.to_owned() }
}

/// How the operator is written in the source language, or its name where it is a function there.
pub(crate) fn operator_text(op: BinOp) -> &'static str {
    operators::SYMBOLS.iter().find(|(_, known)| *known == op).map_or(op.name(), |(text, _)| text)
}
