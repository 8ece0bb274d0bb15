//! The interpreter. It runs entry points on values, and while running checks what the checker can't: accesses inside views and
//! blocks, blocks alive, cells written before they are read (I5), races of parallel loops (I6), overlapping copies (I7), and at the
//! end that every owner is accounted for. Parallel loops run in order: without races that gives the only possible result. Blocks and
//! threads of kernels run in orders drawn from the seed of the run, so that what depends on an order shows; those of `chain` loops take turns.

mod chain;
mod exec;
mod heap;
mod interface;
mod mark;
mod order;
mod shuffle;
mod view;

use crate::ir::{Exp, LoopKind, Procedure, Program, StatementKind};
use crate::visit::{for_each_binder, for_each_statement};
use fun_base::name::{Symbol, Var};
use fun_base::prim::PrimValue;
use fun_base::rng::Rng;
use fun_base::run::{Limits, RunError};
use fun_base::value::Value;
use heap::{BlockRef, Heap};
use std::collections::BTreeMap;
use std::rc::Rc;
use view::View;

/// Runs an entry point on the values of its interface, in the order of seed 0.
pub fn run(program: &Program, entry: &str, args: &[Value], limits: Limits) -> Result<Vec<Value>, RunError> {
    run_in_order(program, entry, args, limits, 0)
}

/// As [`run`]; `order` is the seed of the orders in which blocks and threads of kernels run, and of the values that parameters of tuning have.
pub fn run_in_order(
    program: &Program,
    entry: &str,
    args: &[Value],
    limits: Limits,
    order: u64,
) -> Result<Vec<Value>, RunError> {
    let mut machine = Machine::new(program, limits, order);
    let found = program.procedures.iter().find(|procedure| procedure.name.as_str() == entry);
    let Some((procedure, interface)) = found.and_then(|found| Some((found, found.interface.as_ref()?)))
    else {
        return Err(RunError::input(format!("no entry point `{entry}`")));
    };
    let given = machine.take(procedure, interface, args)?;
    let results = machine.call(procedure, given.clone())?;
    let values = machine.give(interface, &results).map_err(|error| error.in_function(procedure.name))?;
    for slot in given.iter().chain(&results) {
        if let Slot::Block(Some(block)) = slot {
            machine.heap.free(*block).map_err(|error| error.in_function(procedure.name))?;
        }
    }
    match machine.heap.alive() {
        (0, _) => Ok(values),
        (count, bytes) => {
            let leak = format!("{count} blocks of {bytes} bytes in all are never freed");
            Err(RunError::fault(leak).in_function(procedure.name))
        }
    }
}

/// Whether runs of a program may differ by their seeds: those of any other do the same whatever the seed.
pub fn has_orders(program: &Program) -> bool {
    fn has_param(exp: &Exp) -> bool {
        let mut found = matches!(exp, Exp::Param { .. });
        exp.for_each_child(&mut |child| found |= has_param(child));
        found
    }
    let mut found = false;
    for procedure in &program.procedures {
        for_each_statement(&procedure.body, &mut |statement| {
            if let StatementKind::For { kind: LoopKind::Block | LoopKind::Thread | LoopKind::Chain, .. } =
                statement.kind
            {
                found = true;
            }
            statement.kind.for_each_exp(&mut |exp| found |= has_param(exp));
        });
    }
    found
}

/// What a variable holds.
#[derive(Clone, Debug)]
enum Slot {
    /// Not declared yet.
    Nothing,
    Scalar(PrimValue),
    Block(Option<BlockRef>),
    View(Rc<View>),
}

struct Machine<'a> {
    procedures: BTreeMap<Symbol, &'a Procedure>,
    heap: Heap,
    /// Indexed by [`Machine::place`]. A procedure that calls itself keeps those of the outer call meanwhile.
    slots: Vec<Slot>,
    places: Places,
    steps_left: u64,
    steps: u64,
    /// The procedures being run, outermost first.
    calls: Vec<Symbol>,
    /// Where the orders of blocks and threads come from, and the values of parameters.
    random: Rng,
}

/// Where variables have their slots.
enum Places {
    /// At their tag.
    ByTag,
    /// Tags are too far apart for that.
    Sparse(BTreeMap<Var, usize>),
}

impl<'a> Machine<'a> {
    fn new(program: &'a Program, limits: Limits, order: u64) -> Machine<'a> {
        let (mut sparse, mut highest) = (BTreeMap::new(), 0);
        for procedure in &program.procedures {
            for_each_binder(procedure, &mut |var| {
                let place = sparse.len();
                sparse.entry(var).or_insert(place);
                highest = highest.max(var.tag as usize);
            });
        }
        let (places, count) = if highest < 1000 + 16 * sparse.len() {
            (Places::ByTag, highest + 1)
        } else {
            let count = sparse.len();
            (Places::Sparse(sparse), count)
        };
        Machine {
            procedures: program.procedures.iter().map(|procedure| (procedure.name, procedure)).collect(),
            heap: Heap::new(limits.bytes),
            slots: vec![Slot::Nothing; count],
            places,
            steps_left: limits.steps,
            steps: limits.steps,
            calls: Vec::new(),
            random: Rng::new(order),
        }
    }

    fn place(&self, var: Var) -> Option<usize> {
        match &self.places {
            Places::ByTag => Some(var.tag as usize).filter(|place| *place < self.slots.len()),
            Places::Sparse(places) => places.get(&var).copied(),
        }
    }

    fn slot(&self, var: Var) -> Result<&Slot, RunError> {
        match self.place(var).map(|place| &self.slots[place]) {
            None | Some(Slot::Nothing) => {
                Err(RunError::fault(format!("I1: `{var}` is used before it is declared")))
            }
            Some(slot) => Ok(slot),
        }
    }

    fn set(&mut self, var: Var, slot: Slot) -> Result<(), RunError> {
        let place = self.place(var).ok_or_else(|| RunError::fault(format!("I1: `{var}` is not declared")))?;
        self.slots[place] = slot;
        Ok(())
    }

    fn block(&self, var: Var) -> Result<Option<BlockRef>, RunError> {
        match self.slot(var)? {
            Slot::Block(block) => Ok(*block),
            Slot::Nothing | Slot::Scalar(_) | Slot::View(_) => {
                Err(RunError::fault(format!("I2: `{var}` is not a block")))
            }
        }
    }

    fn view(&self, var: Var) -> Result<Rc<View>, RunError> {
        match self.slot(var)? {
            Slot::View(view) => Ok(Rc::clone(view)),
            Slot::Nothing | Slot::Scalar(_) | Slot::Block(_) => {
                Err(RunError::fault(format!("I4: `{var}` is not a view")))
            }
        }
    }

    /// Counts steps towards the limit.
    fn charge(&mut self, steps: u64) -> Result<(), RunError> {
        match self.steps_left.checked_sub(steps) {
            Some(left) => {
                self.steps_left = left;
                Ok(())
            }
            None => Err(RunError::limit(format!("more than {} steps", self.steps))),
        }
    }
}
