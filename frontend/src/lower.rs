//! From the typed tree to FUN.
//!
//! Lowering is static evaluation: an expression evaluates to a [`value::Value`] whose scalars and arrays are FUN atoms, and
//! the statements that compute them are written on the way. Functions are closures that exist only here; the language
//! guarantees that they are known statically. Applying one lowers its body in place, so higher-order functions and
//! polymorphism are gone in the result. First-order top-level functions become FUN functions, once for each instance; so do large local ones
//! that are used several times ([`local`]).
//!
//! Sizes: a value knows the atoms of its own shape. Type annotations are evaluated only where no value tells a size. Where two
//! shapes must be the same and their atoms differ, an assertion and a `reshape` make them so (F3).
//!
//! Every operation that can fail is preceded by an `assert` with the source location; code of the prelude takes the location
//! of the call that brought it in.

mod accumulator;
mod alias;
mod apply;
mod array;
mod call;
mod capture;
mod constant;
mod control;
mod derive;
mod emit;
mod exp;
mod flat;
mod index;
mod info;
mod intrinsic;
mod layout;
mod local;
mod matching;
mod recursion;
mod sizes;
mod soac;
mod sum;
mod value;

#[cfg(test)]
mod tests;

pub use info::EntryInfo;
pub use layout::Layout;

use crate::typed;
use emit::{Facts, Scope};
use fun::check::{CheckError, Phase, check_program};
use fun::ir;
use fun_base::diag::Diagnostic;
use fun_base::name::NameSource;
use fun_base::source::{Loc, Source, Span};
use std::collections::BTreeMap;
use value::{Ty, Value};

/// What a step of lowering gives. Errors are limitations and, should the checker have let one pass, inconsistencies.
type Outcome<T> = Result<T, Box<Diagnostic>>;

/// The state of lowering.
struct Lowerer<'t> {
    program: &'t typed::Program,
    sources: &'t [Source],
    /// Where the lines of each source begin.
    lines: Vec<Vec<u32>>,
    names: NameSource,
    /// Open scopes of the function being lowered, innermost last.
    scopes: Vec<Scope>,
    /// The scope of each variable, by tag.
    scope_of: Vec<u32>,
    /// Whether the scope of this number is open.
    alive: Vec<bool>,
    facts: Facts,
    /// Values of the constants that the function being lowered has used.
    constants: BTreeMap<typed::DefId, Value<'t>>,
    /// Parameters for constants of the function being lowered; `None` in an entry point, which computes them.
    constant_params: Option<Vec<constant::ConstantParam>>,
    /// The expression being lowered.
    place: Span,
    /// The function being made.
    function: Option<fun_base::name::Symbol>,
    /// Whether checks are written (`#[unsafe]` switches them off).
    safe: bool,
    /// Whether `#[warn(safety_checks)]` asks about the checks that are written.
    noting: bool,
    /// Whether the next loop is attributed `#[unroll]`.
    unrolling: bool,
    /// What attributes ask to be told.
    warnings: Vec<Diagnostic>,
    /// What is copied.
    copies: Copies,
    /// The operators of the accumulators that are open, innermost last; none where values are written. No function can
    /// write to any but the innermost.
    accumulators: Vec<Option<Value<'t>>>,
    /// Functions finished so far, callees first.
    functions: Vec<ir::Function>,
    /// The entry points finished so far.
    entries: Vec<EntryInfo>,
    instances: call::Instances,
    /// The local functions that are called, and what was made for them.
    large: local::Large,
    local_instances: local::LocalInstances<'t>,
}

/// What lowering makes of a program.
#[derive(Clone, PartialEq, Debug)]
pub struct Lowered {
    /// The entry points and the functions that they call, callees first.
    pub program: ir::Program,
    /// The entry points in source terms.
    pub entries: Vec<EntryInfo>,
    /// What attributes ask to be told.
    pub warnings: Vec<Diagnostic>,
}

/// Lowers the entry points and what they call. `sources` are the texts that spans refer to; files beyond them are the
/// prelude's.
pub fn lower_program(program: &typed::Program, sources: &[Source]) -> Result<Lowered, Vec<Diagnostic>> {
    let mut lowered = lower_functions(program, sources, Copies::None)?;
    let aliased = |errors: &[CheckError]| errors.iter().all(|error| error.invariant == "F5");
    for copies in [Copies::Rearranged, Copies::Updated] {
        match check_program(&lowered.program, Phase::Soac) {
            Err(errors) if aliased(&errors) => lowered = lower_functions(program, sources, copies)?,
            Ok(()) | Err(_) => break,
        }
    }
    Ok(lowered)
}

/// What is copied for the sake of consumption alone. The source tracks it by component and through calls, FUN does not:
/// the few programs where that matters get copies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Copies {
    /// Nothing.
    None,
    /// The results of functions that the prelude declares to give fresh arrays, but which only rearrange components.
    Rearranged,
    /// Also the target of each update, what a call consumes, and constants of modules where they are used.
    Updated,
}

/// Lowers all entry points.
fn lower_functions(
    program: &typed::Program,
    sources: &[Source],
    copies: Copies,
) -> Result<Lowered, Vec<Diagnostic>> {
    let lines = sources.iter().map(|source| {
        let breaks =
            source.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at as u32 + 1);
        std::iter::once(0).chain(breaks).collect()
    });
    let mut lowerer = Lowerer {
        program,
        sources,
        lines: lines.collect(),
        names: NameSource::starting_at(program.next_tag),
        scopes: Vec::new(),
        scope_of: Vec::new(),
        alive: Vec::new(),
        facts: Facts::default(),
        constants: BTreeMap::new(),
        constant_params: None,
        place: Span::default(),
        function: None,
        safe: true,
        noting: false,
        unrolling: false,
        warnings: Vec::new(),
        copies,
        accumulators: Vec::new(),
        functions: Vec::new(),
        entries: Vec::new(),
        instances: call::Instances::default(),
        large: local::Large::new(),
        local_instances: local::LocalInstances::new(),
    };
    let mut repeats = local::Repeats::default();
    for (index, definition) in program.definitions.iter().enumerate() {
        if !lowerer.in_prelude(definition.span) {
            repeats.find_large(typed::DefId(index as u32), definition, &mut lowerer.large);
        }
    }
    let mut errors = Vec::new();
    lowerer.reserve_entry_names();
    for (index, definition) in program.definitions.iter().enumerate() {
        // A later definition of the name hides an earlier one. (The prelude's come when something uses them.)
        let later = &program.definitions[index + 1..];
        let hides =
            |later: &typed::Definition| later.name == definition.name && !lowerer.in_prelude(later.span);
        if definition.entry
            && !later.iter().any(|later| hides(later))
            && let Err(error) = lowerer.lower_entry(typed::DefId(index as u32))
        {
            errors.push(*error);
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let Lowerer { functions, entries, mut warnings, .. } = lowerer;
    fun_base::diag::sort(&mut warnings);
    Ok(Lowered { program: ir::Program { functions }, entries, warnings })
}

impl<'t> Lowerer<'t> {
    /// The location of the expression being lowered.
    fn loc(&self) -> Option<Loc> {
        let source = self.sources.get(self.place.file as usize)?;
        let lines = self.lines.get(self.place.file as usize)?;
        let line = lines.partition_point(|start| *start <= self.place.start).max(1);
        let from = lines.get(line - 1).copied().unwrap_or(0) as usize;
        let before = source.text.get(from..self.place.start as usize).unwrap_or("");
        Some(Loc { file: source.name, line: line as u32, column: before.chars().count() as u32 + 1 })
    }

    /// Whether a place is in the prelude.
    fn in_prelude(&self, span: Span) -> bool {
        self.sources.get(span.file as usize).is_none()
    }

    /// Runs `f` with `span` as the place, unless that is in the prelude.
    fn at<T>(&mut self, span: Span, f: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        if self.in_prelude(span) {
            return f(self);
        }
        let before = std::mem::replace(&mut self.place, span);
        let result = f(self);
        self.place = before;
        result
    }

    /// Notes a warning about a place, once.
    fn warn(&mut self, code: &'static str, message: &str, place: Span) {
        let known = |warning: &Diagnostic| warning.code == code && warning.span() == Some(place);
        if !self.warnings.iter().any(known) {
            self.warnings.push(Diagnostic::warning(code, message).at(place));
        }
    }

    /// The source text of a place, in one line, when short.
    fn text(&self, span: Span) -> Option<&str> {
        let text = self.sources.get(span.file as usize)?.text.get(span.start as usize..span.end as usize)?;
        (!text.is_empty() && text.len() <= 60 && !text.contains('\n') && !self.in_prelude(span))
            .then_some(text)
    }

    /// An error: the program is correct but uses what lowering cannot express.
    fn limitation(&self, what: impl std::fmt::Display) -> Box<Diagnostic> {
        Box::new(Diagnostic::error("limitation", format!("not supported: {what}")).at(self.place))
    }

    /// An error: the typed tree contradicts its contract.
    fn inconsistent(&self, what: impl std::fmt::Display) -> Box<Diagnostic> {
        let message = format!("the compiler contradicts itself: {what}");
        Box::new(Diagnostic::error("internal", message).at(self.place).help("please report this program"))
    }

    /// Refuses functions where only first-order values can stand.
    fn first_order<D: Clone>(&self, ty: &Ty<D>) -> Outcome<()> {
        if ty.has_functions() {
            return Err(self.limitation("a function where only values of first-order type can stand"));
        }
        Ok(())
    }
}
