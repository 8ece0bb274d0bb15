//! Smaller programs that are still well-typed and still run. Generic in the representation: FUNMEM shrinks the same way.
//!
//! The edits of a program are numbered, bold ones first: whole functions, runs of statements, then one statement at a time, then
//! parameters, inputs and names. Whoever shrinks goes on behind the edit that helped last ([`Shrunk::next`]), so that each is
//! tried a few times and not once for every step.

mod edit;
mod interface;

use super::GenProgram;
use crate::check::{Phase, check_program};
use crate::interp;
use crate::ir::{Fun, Program, Rep};
use edit::{KINDS, Kind, Rest, count_statements, edit_statements};
use fun_base::run::{Limits, RunErrorKind};
use fun_base::value::Value;

/// A smaller program with its inputs, not checked yet.
#[derive(Clone, Debug)]
pub struct Shrunk<R: Rep> {
    /// The program.
    pub program: Program<R>,
    /// Arguments of its entry point.
    pub inputs: Vec<Value>,
    /// Where to go on, if this one is good.
    pub next: usize,
}

/// One way to make a program smaller.
#[derive(Clone, Copy, Debug)]
enum Change {
    /// Without statements that nobody uses.
    Unused,
    /// Without functions that nobody calls.
    Functions,
    /// Without this result of the entry point.
    Result(usize),
    /// With the bodies of functions in place of all calls.
    Inline,
    /// Simple values in place of a run of statements.
    Run(usize, usize),
    /// One statement less, or simpler; with or without what only it needed.
    Statement(usize, Kind, Rest),
    /// Without a parameter of a function, or with a constant in its place.
    Param(usize, usize),
    /// Without a result of a function that is called.
    Given(usize, usize),
    /// Simpler inputs: one of a list.
    Inputs(usize),
    /// Names numbered from 0.
    Renumbered,
}

/// Smaller programs, from an edit on and then from the first. Most are not well-typed: the caller sorts them out.
pub fn candidates<R: Rep>(
    program: &Program<R>,
    inputs: &[Value],
    from: usize,
) -> Box<dyn Iterator<Item = Shrunk<R>>> {
    let changes = changes(program, inputs);
    let from = if changes.is_empty() { 0 } else { from % changes.len() };
    let (program, inputs) = (program.clone(), inputs.to_vec());
    let order = (from..changes.len()).chain(0..from);
    Box::new(order.filter_map(move |k| {
        let (program, inputs) = apply(&program, &inputs, changes[k])?;
        Some(Shrunk { program, inputs, next: k })
    }))
}

fn changes<R: Rep>(program: &Program<R>, inputs: &[Value]) -> Vec<Change> {
    let mut all = vec![Change::Unused, Change::Functions];
    let entry = program.functions.iter().find(|function| function.entry);
    let results = entry.map_or(0, |function| function.results.len());
    all.extend((0..results).map(Change::Result));
    all.push(Change::Inline);
    let count = count_statements(program);
    let mut length = count / 2;
    while length > 1 {
        all.extend((0..count).step_by(length).rev().map(|start| Change::Run(start, length)));
        length /= 2;
    }
    for at in (0..count).rev() {
        all.extend(KINDS.into_iter().map(|kind| Change::Statement(at, kind, Rest::Goes)));
        all.extend([Kind::Drop, Kind::Default].map(|kind| Change::Statement(at, kind, Rest::Stays)));
    }
    for (f, function) in program.functions.iter().enumerate() {
        all.extend((0..function.params.len()).rev().map(|param| Change::Param(f, param)));
        if !function.entry {
            all.extend((0..function.results.len()).rev().map(|result| Change::Given(f, result)));
        }
    }
    all.extend((0..interface::simpler_inputs(inputs).len()).map(Change::Inputs));
    all.push(Change::Renumbered);
    all
}

fn apply<R: Rep>(program: &Program<R>, inputs: &[Value], change: Change) -> Option<(Program<R>, Vec<Value>)> {
    let same_inputs = |program: Program<R>| (program, inputs.to_vec());
    match change {
        Change::Unused => edit::without_unused(program).map(same_inputs),
        Change::Functions => interface::fewer_functions(program).map(same_inputs),
        Change::Result(result) => interface::without_result(program, result).map(same_inputs),
        Change::Inline => interface::inlined(program).map(same_inputs),
        Change::Run(start, length) => {
            edit_statements(program, &(start..start + length), Kind::Default, Rest::Goes).map(same_inputs)
        }
        Change::Statement(at, kind, rest) => {
            edit_statements(program, &(at..at + 1), kind, rest).map(same_inputs)
        }
        Change::Param(function, param) => interface::without_param(program, inputs, function, param),
        Change::Given(function, result) => {
            interface::without_given(program, function, result).map(same_inputs)
        }
        Change::Inputs(which) => {
            Some((program.clone(), interface::simpler_inputs(inputs).into_iter().nth(which)?))
        }
        Change::Renumbered => interface::renumbered(program).map(same_inputs),
    }
}

/// Candidates that check and run.
pub(super) fn shrink(whole: &GenProgram) -> Box<dyn Iterator<Item = GenProgram>> {
    let found = candidates::<Fun>(&whole.program, &whole.inputs, whole.next);
    let made = found.map(|Shrunk { program, inputs, next }| GenProgram { program, inputs, next });
    Box::new(made.filter(is_good))
}

/// Whether the program checks and runs, to its end or to an assertion.
fn is_good(candidate: &GenProgram) -> bool {
    let limits = Limits { steps: 1_000_000, bytes: 1 << 24 };
    let runs = || match interp::run(&candidate.program, "main", &candidate.inputs, limits) {
        Ok(_) => true,
        Err(error) => error.kind == RunErrorKind::Assert,
    };
    check_program(&candidate.program, Phase::Any).is_ok() && runs()
}
