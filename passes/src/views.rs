//! Second versions of entry points, for arrays that lie in any order: what libraries have beside the usual ones, whose code knows that
//! rows lie one after the other.

use crate::pipeline::{PassTime, PipelineError, run_passes};
use crate::program::Program;
use crate::registry::{self, Pass};
use fun_base::name::Symbol;
use imp::ir::{self, InterfaceValue, Procedure};
use imp::visit::{calls, names_after, rename_procedures};
use std::collections::{BTreeMap, BTreeSet};

/// The program that passes from FUN to IMP make, with second versions of the entry points that have arrays to read and of what these call,
/// and by the names of such versions the names of what they are versions of. There are none where the passes don't introduce memory.
pub fn run_with_views(
    program: Program,
    passes: &[&'static Pass],
    times: &mut Vec<PassTime>,
) -> Result<(Program, BTreeMap<Symbol, Symbol>), PipelineError> {
    let mut run =
        |program, passes: &[&'static Pass]| run_passes(program, passes, true, times, &mut |_, _| {});
    let split = passes.iter().position(|pass| pass.name == "introduce-memory");
    let (Some(split), Some(views)) = (split, registry::find("introduce-memory-views")) else {
        return Ok((run(program, passes)?, BTreeMap::new()));
    };
    let values = run(program, &passes[..split])?;
    let second = only_readers(&values);
    let mut first = run(values, &passes[split..])?;
    let mut names = BTreeMap::new();
    if let Some(second) = second {
        let passes: Vec<_> = [views].into_iter().chain(passes[split + 1..].iter().copied()).collect();
        if let (Program::Imp(first), Program::Imp(second)) = (&mut first, run(second, &passes)?) {
            names = add(first, second);
        }
    }
    Ok((first, names))
}

/// The program in which only those functions are entry points that have arrays to read, if there are any.
fn only_readers(program: &Program) -> Option<Program> {
    let Program::Fun(program) = program else { return None };
    let mut program = program.clone();
    for function in &mut program.functions {
        let reads = |param: &fun::ir::Param| param.binder.ty.rank() > 0 && !param.unique;
        function.entry &= function.params.iter().any(reads);
    }
    program.functions.iter().any(|function| function.entry).then_some(Program::Fun(program))
}

/// Adds the entry points of another program, with what they call, under names of their own; gives what these were before.
fn add(program: &mut ir::Program, mut other: ir::Program) -> BTreeMap<Symbol, Symbol> {
    let mut needed = BTreeSet::new();
    // callees come first
    for procedure in other.procedures.iter().rev() {
        let by = |caller: &Procedure| needed.contains(&caller.name) && calls(&caller.body, procedure.name);
        if has_views(procedure) || other.procedures.iter().any(by) {
            needed.insert(procedure.name);
        }
    }
    other.procedures.retain(|procedure| needed.contains(&procedure.name));
    let taken: BTreeSet<Symbol> = program.procedures.iter().map(|procedure| procedure.name).collect();
    let mut suffix = "_views".to_owned();
    let named = |name: &Symbol, suffix: &str| Symbol::from(format!("{name}{suffix}").as_str());
    while needed.iter().any(|name| taken.contains(&named(name, &suffix))) {
        suffix.push('_');
    }
    let names = needed.iter().map(|name| (named(name, &suffix), *name)).collect();
    rename_procedures(&mut other, &|name| named(&name, &suffix));
    let mut fresh = names_after(program);
    for procedure in &mut other.procedures {
        let mut renamed = BTreeMap::new();
        procedure.rename(&mut |var| *renamed.entry(var).or_insert_with(|| fresh.fresh_like(var)));
    }
    program.procedures.extend(other.procedures);
    names
}

/// Whether an entry point takes arrays anywhere.
fn has_views(procedure: &Procedure) -> bool {
    let takes = procedure.interface.iter().flat_map(|interface| &interface.takes);
    takes.into_iter().any(|value| matches!(value, InterfaceValue::Array { place: Some(_), .. }))
}
