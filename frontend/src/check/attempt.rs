//! Attempts: what is tried where a definition fails.
//!
//! The dimensions of a loop's parameter are unknown while its body is looked at (see [`super::loops`]), and some bodies need
//! to know more: branches that give two of the parameters have no size in common, and a loop inside may have to decide a size
//! of the one outside. So where a definition fails, its loops are taken to keep the sizes of their initial values, but for
//! those whose bodies give others: each attempt finds more of these, until one finds none and decides. What passes first is
//! never checked again.
//!
//! It is the whole definition that is checked again, not the loop: nothing that has been inferred must be undone, and loops
//! in loops are not tried once for each way to check those around them.

use super::Infer;
use super::definition::Place;
use super::scope::{Environment, Scope};
use crate::syntax::ValueDeclaration;
use crate::typed::{DefId, Definition};
use crate::types::{Size, Type};
use fun_base::diag::Diagnostic;
use fun_base::source::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How often a definition is checked again at most. Mostly the first time finds all dimensions that change, and the second decides.
const ATTEMPTS: u32 = 5;

/// A definition with its warnings, or what is wrong with it.
pub(crate) type Outcome = Result<(Definition, Vec<Diagnostic>), Vec<Diagnostic>>;

/// What is assumed of the dimensions of loops' parameters.
#[derive(Clone, Default)]
pub(crate) struct LoopSizes {
    /// Whether there are any.
    seen: bool,
    /// Whether they are taken to stay the same.
    keep: bool,
    /// Those that do not: the place of the loop, and which one it is of the initial value's.
    changing: BTreeSet<(Span, usize)>,
}

/// The dimensions of a loop's parameter that are taken to stay the same.
pub(crate) struct Kept {
    /// The type of the parameter as it is without the pattern.
    ty: Type,
    /// The unknowns in it that stand for them, each with its entry in [`LoopSizes`].
    dims: BTreeMap<u32, (Span, usize)>,
}

/// Checks a definition and adds it to the environment's definitions; binding its name is up to the caller.
pub(crate) fn check_value(
    environment: &mut Environment,
    scope: &Scope,
    value: &ValueDeclaration,
    place: Place,
) -> Result<(DefId, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (checked, used) = check_loops(environment, scope, value, place, false);
    let name = value.name.name;
    let (definition, warnings) = match (checked, used) {
        // Programs older than recursion mean by the name what it meant before; those that cannot be recursive still do.
        (Err(errors), Some(used)) if !errors.is_empty() && scope.values.contains_key(&name) => {
            let (checked, _) = check_loops(environment, scope, value, place, true);
            let (definition, mut warnings) = checked.map_err(|_| errors)?;
            let message = format!("this `{name}` is the earlier one: the function cannot call itself here");
            warnings.push(Diagnostic::warning("W0511", message).at(used));
            (definition, warnings)
        }
        (checked, _) => checked?,
    };
    let def = DefId(environment.definitions.len() as u32);
    environment.definitions.push_back(Arc::new(definition));
    Ok((def, warnings))
}

/// Checks a definition, whose name means in it what it meant before where it is `earlier`; gives too where it is used as
/// the definition itself.
fn check_loops(
    environment: &mut Environment,
    scope: &Scope,
    value: &ValueDeclaration,
    place: Place,
    earlier: bool,
) -> (Outcome, Option<Span>) {
    let mut check = |loops: LoopSizes| {
        let mut infer = Infer::new(environment);
        infer.recursion.earlier = earlier;
        infer.loops = loops;
        let definition = infer.value(scope, value, place);
        let (used, loops) = (infer.recursion.used, std::mem::take(&mut infer.loops));
        (infer.outcome(definition), used, loops)
    };
    let (first, used, loops) = check(LoopSizes::default());
    if first.is_ok() || !loops.seen {
        return (first, used);
    }
    let mut assumed = LoopSizes { keep: true, ..LoopSizes::default() };
    for _ in 0..ATTEMPTS {
        let (outcome, _, found) = check(assumed.clone());
        if found.changing.len() == assumed.changing.len() {
            // The errors are those of the first time: they do not depend on assumptions.
            return (outcome.or(first), used);
        }
        assumed = found;
    }
    (first, used)
}

impl Infer<'_> {
    /// Takes the loop at `span` to keep sizes, if that is to be tried; `ty` is the type of its initial value with unknown
    /// sizes.
    pub(crate) fn keep_sizes(&mut self, ty: &Type, init: &Type, span: Span) -> Kept {
        let (mut params, mut inits, mut dims) = (Vec::new(), Vec::new(), BTreeMap::new());
        self.dims(ty, &mut params);
        self.dims(init, &mut inits);
        self.loops.seen |= !params.is_empty();
        for (number, (param, init)) in params.iter().zip(inits).enumerate() {
            let entry = (span, number);
            if let Size::Meta(meta) = param
                && self.loops.keep
                && !self.loops.changing.contains(&entry)
            {
                self.size_metas[*meta as usize].solution = Some(init);
                dims.insert(*meta, entry);
            }
        }
        Kept { ty: ty.clone(), dims }
    }

    /// Finds those dimensions that the body changes after all. They are unknown again, so that what follows can tell what
    /// else changes; this attempt has failed.
    pub(crate) fn find_changing(&mut self, kept: &mut Kept, init: &Type, body: &Type) {
        let (mut params, mut inits, mut nexts) = (Vec::new(), Vec::new(), Vec::new());
        self.dims(&kept.ty, &mut params);
        self.dims(init, &mut inits);
        self.dims(body, &mut nexts);
        // One that takes the size of another changes with it.
        let mut more = true;
        while std::mem::take(&mut more) {
            for ((param, init), next) in params.iter().zip(&inits).zip(&nexts) {
                let Size::Meta(meta) = param else { continue };
                let Some(entry) = kept.dims.get(meta).copied() else { continue };
                let next = self.resolve_size(next);
                if !self.sizes_equal(init, &next) && !self.stays_by_choice(&next, Some(init)) {
                    self.size_metas[*meta as usize].solution = None;
                    kept.dims.remove(meta);
                    self.loops.changing.insert(entry);
                    more = true;
                }
            }
        }
    }
}
