//! The heap semantics (paper Figure 10, 0-based): arrays are places in blocks of bytes, and only what the contract of `ir` says
//! is read and written.
//!
//! While running it checks what the type rules leave open (M8): accesses inside blocks, cells written before they are read, no cell
//! read through an array after a write through another one changed it, and race freedom of kernels (equation 4): a cell written by
//! one iteration is not used by another. The combining writes of `hist` and `scatter` don't race with each other within their kernel
//! (F7). A copy may move undefined cells, an index or a result may not read them. All cells of a copy are read before the first is
//! written (equation 5).
//!
//! Cells remember times only, which is cheap. To say what happened at the time of the earlier one of two accesses that conflict,
//! the program is run again with an eye on that time: it does the same again.
//!
//! Blocks are bytes, so arrays of several element types may share one; what is read is what the bytes say. A block ends
//! when the body that allocated it ends, unless a result is in it (the paper never ends one).

mod access;
mod exec;
mod fault;
mod heap;
mod interface;
mod kernel;
mod record;

use crate::ir::{Binder, Function, MemType, Program, Statement};
use crate::trace::Trace;
use fault::Moment;
use fun::ir::Atom;
use fun::visit::{Walk, walk_program};
use fun_base::name::{Symbol, Var};
use fun_base::prim::{PrimType, PrimValue};
use fun_base::run::{Limits, RunError};
use fun_base::value::Value;
use fun_index::lmad::{ConcreteLmad, Lmad};
use heap::{BlockRef, Heap};
use record::Recorder;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Runs an entry point. Arguments and results are those of the source: implicit parameters and results are left out.
pub fn run(program: &Program, entry: &str, args: &[Value], limits: Limits) -> Result<Vec<Value>, RunError> {
    let mut machine = Machine::new(program, limits);
    let outcome = machine.run(program, entry, args);
    let Some(moment) = machine.wanted else { return outcome };
    let mut again = Machine::new(program, limits);
    again.watched = Some(moment);
    again.run(program, entry, args)
}

/// The same, with a trace of what happens in memory up to the end or the error.
pub fn run_traced(
    program: &Program,
    entry: &str,
    args: &[Value],
    limits: Limits,
) -> (Result<Vec<Value>, RunError>, Trace) {
    let mut machine = Machine::new(program, limits);
    machine.recorder = Some(Box::default());
    let outcome = machine.run(program, entry, args);
    let end = machine.heap.now();
    let trace = machine.recorder.take().map(|recorder| recorder.finish(end)).unwrap_or_default();
    // Faults of two accesses take a second run.
    (if machine.wanted.is_some() { run(program, entry, args, limits) } else { outcome }, trace)
}

impl<'p> Machine<'p> {
    fn run(&mut self, program: &'p Program, entry: &str, args: &[Value]) -> Result<Vec<Value>, RunError> {
        let function =
            program.functions.iter().find(|function| function.entry && function.name.as_str() == entry);
        let Some(function) = function else {
            return Err(RunError::input(format!("no entry point `{entry}`")));
        };
        self.run_entry(function, args).map_err(|error| error.in_function(function.name))
    }
}

/// An array in memory, or a part of one.
#[derive(Clone, Debug)]
struct Placed {
    block: BlockRef,
    elem: PrimType,
    lmad: ConcreteLmad,
    /// The variable that holds the whole array.
    name: Var,
    /// What in-place changes keep, and derived arrays.
    lineage: u64,
    /// Since when it has its value, but for changes of its own lineage.
    whole_since: u64,
}

/// What a variable holds.
#[derive(Clone, Debug)]
enum Slot {
    /// Not bound yet.
    Nothing,
    Scalar(PrimValue),
    Block(BlockRef),
    Array(Rc<Placed>),
}

struct Machine<'p> {
    functions: BTreeMap<Symbol, &'p Function>,
    heap: Heap<'p>,
    /// Indexed by [`Machine::position`]. A function that calls itself keeps those of the outer call meanwhile.
    slots: Vec<Slot>,
    /// Where variables have their slots, if not at their tag.
    positions: Option<BTreeMap<Var, usize>>,
    steps: u64,
    limits: Limits,
    /// The statement being executed.
    at: Option<&'p Statement>,
    /// The functions being run, outermost first.
    calls: Vec<Symbol>,
    /// The loops being run, outermost first: how many kernels are around, and the iteration.
    loops: Vec<(usize, u64)>,
    /// The earlier access that a fault conflicts with.
    wanted: Option<Moment>,
    /// An access to look out for.
    watched: Option<Moment>,
    /// What was seen of it.
    seen: Option<fun_base::run::fault::Access>,
    /// The trace, if one is kept.
    recorder: Option<Box<Recorder>>,
}

/// Finds the highest tag and all binders.
struct Binders(Vec<Var>);

impl Walk<crate::ir::Mem> for Binders {
    fn bind(&mut self, var: Var, _: Option<&MemType>) {
        self.0.push(var);
    }
}

impl<'p> Machine<'p> {
    fn new(program: &'p Program, limits: Limits) -> Machine<'p> {
        let mut binders = Binders(Vec::new());
        walk_program(&mut binders, program);
        let highest = binders.0.iter().map(|var| var.tag as usize).max().unwrap_or(0);
        let dense = highest < 1000 + 16 * binders.0.len();
        let count = if dense { highest + 1 } else { binders.0.len() };
        let positions = || binders.0.iter().enumerate().map(|(position, var)| (*var, position)).collect();
        Machine {
            functions: program.functions.iter().map(|function| (function.name, function)).collect(),
            heap: Heap::new(limits.bytes),
            slots: vec![Slot::Nothing; count],
            positions: if dense { None } else { Some(positions()) },
            steps: 0,
            limits,
            at: None,
            calls: Vec::new(),
            loops: Vec::new(),
            wanted: None,
            watched: None,
            seen: None,
            recorder: None,
        }
    }

    /// Where the variables of a function have their slots.
    fn positions_in(&self, function: &crate::ir::Function) -> Vec<usize> {
        let mut binders = Binders(Vec::new());
        fun::visit::walk_function(&mut binders, function);
        binders.0.into_iter().filter_map(|var| self.position(var)).collect()
    }

    fn position(&self, var: Var) -> Option<usize> {
        match &self.positions {
            None => Some(var.tag as usize).filter(|position| *position < self.slots.len()),
            Some(positions) => positions.get(&var).copied(),
        }
    }

    fn slot(&self, var: Var) -> Result<&Slot, RunError> {
        match self.position(var).map(|position| &self.slots[position]) {
            None | Some(Slot::Nothing) => Err(RunError::fault(format!("F1: `{var}` is not bound"))),
            Some(slot) => Ok(slot),
        }
    }

    fn set(&mut self, var: Var, slot: Slot) -> Result<(), RunError> {
        let position =
            self.position(var).ok_or_else(|| RunError::fault(format!("F1: no binder of `{var}`")))?;
        if let Some(recorder) = &mut self.recorder
            && let Slot::Array(array) = &slot
        {
            recorder.bind(var, array, self.heap.now());
        }
        self.slots[position] = slot;
        Ok(())
    }

    fn value(&self, atom: Atom) -> Result<Slot, RunError> {
        match atom {
            Atom::Var(var) => self.slot(var).cloned(),
            Atom::Const(value) => Ok(Slot::Scalar(value)),
        }
    }

    fn scalar(&self, atom: Atom) -> Result<PrimValue, RunError> {
        match atom {
            Atom::Const(value) => Ok(value),
            Atom::Var(var) => match self.slot(var)? {
                Slot::Scalar(value) => Ok(*value),
                Slot::Nothing | Slot::Block(_) | Slot::Array(_) => {
                    Err(RunError::fault(format!("F2: `{var}` is no scalar")))
                }
            },
        }
    }

    fn i64(&self, atom: Atom) -> Result<i64, RunError> {
        let value = self.scalar(atom)?;
        value.as_i64().ok_or_else(|| RunError::fault(format!("F2: {value} is no i64")))
    }

    fn i64s(&self, atoms: &[Atom]) -> Result<Vec<i64>, RunError> {
        atoms.iter().map(|atom| self.i64(*atom)).collect()
    }

    fn bool(&self, atom: Atom) -> Result<bool, RunError> {
        let value = self.scalar(atom)?;
        value.as_bool().ok_or_else(|| RunError::fault(format!("F2: {value} is no bool")))
    }

    fn array(&self, var: Var) -> Result<Rc<Placed>, RunError> {
        match self.slot(var)? {
            Slot::Array(placed) => Ok(Rc::clone(placed)),
            Slot::Nothing | Slot::Scalar(_) | Slot::Block(_) => {
                Err(RunError::fault(format!("F2: `{var}` is no array")))
            }
        }
    }

    /// The place that the binder of `name` says, with what its variables are now.
    fn place(&self, name: Var, elem: PrimType, mem: Var, lmad: &Lmad) -> Result<Placed, RunError> {
        let Slot::Block(block) = *self.slot(mem)? else {
            return Err(RunError::fault(format!("M2: `{mem}` is no block")));
        };
        let mut value = |var| match self.slot(var) {
            Ok(Slot::Scalar(value)) => value.as_i64(),
            Ok(Slot::Nothing | Slot::Block(_) | Slot::Array(_)) | Err(_) => None,
        };
        let lmad = lmad.eval(&mut value);
        let lmad = lmad.ok_or_else(|| RunError::fault("M2: an LMAD has a variable that is no number"))?;
        Ok(Placed { block, elem, lmad, name, lineage: 0, whole_since: self.heap.now() })
    }

    /// The place of an array binder; `None` for other binders.
    fn place_of(&self, binder: &Binder) -> Result<Option<Placed>, RunError> {
        match &binder.ty {
            MemType::Prim(_) | MemType::Mem(_) => Ok(None),
            MemType::Array { shape: _, elem, mem, lmad } => {
                self.place(binder.var, *elem, *mem, lmad).map(Some)
            }
        }
    }

    /// Counts steps towards the limit.
    fn charge(&mut self, steps: u64) -> Result<(), RunError> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps <= self.limits.steps {
            Ok(())
        } else {
            Err(RunError::limit(format!("more than {} steps", self.limits.steps)))
        }
    }
}

/// Whether two places have the same address for each index.
fn same_cells(a: &ConcreteLmad, b: &ConcreteLmad) -> bool {
    let same_sizes = a.sizes().eq(b.sizes());
    let mut strides = a.dims.iter().zip(&b.dims);
    same_sizes && (a.is_empty() || (a.offset == b.offset && strides.all(|(a, b)| a.1 == b.1 || a.0 == 1)))
}

#[cfg(test)]
mod tests;
