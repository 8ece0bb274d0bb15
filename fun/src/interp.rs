//! The meaning of FUN (paper Figure 4, grown to the language): an interpreter over values, to compare everything else with.
//!
//! It is meant to be obviously correct, not quick. Arrays are persistent vectors, so an update is a new array whatever is
//! consumed. Cells of `scratch` have no value until they are written; copying them is fine, reading one is a fault. What a
//! binder says is compared with the value that it gets (F2–F4), preconditions (F6) are tested. Reductions and scans go from
//! left to right, starting from the neutral element; sums of floats are corrected by what was rounded off on the way.
//!
//! A derivative means what the program without it means ([`crate::ad`]).
//!
//! Errors: a failing `assert`, a zero divisor or negative exponent, or an array beyond all memory end a run as
//! [`RunErrorKind::Assert`](fun_base::run::RunErrorKind); broken rules of the language are faults.

mod array;
mod exec;
mod interface;
mod operation;
mod soac;
mod sum;

use crate::ir::{Atom, Binder, Body, Function, Program, Type};
use array::Array;
use fun_base::name::{Symbol, Var};
use fun_base::prim::{PrimType, PrimValue};
use fun_base::run::{Limits, MAX_CALL_DEPTH, RunError, too_deep, with_stack};
use fun_base::value::{Value, shape_len};
use imbl::OrdMap;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Runs an entry point. Arguments and results are the explicit ones: implicit sizes follow from the shapes of arguments, which
/// must agree where a size stands several times.
pub fn run(program: &Program, entry: &str, args: &[Value], limits: Limits) -> Result<Vec<Value>, RunError> {
    run_watched(program, entry, args, limits, &mut |_| {})
}

/// What a program says about itself while it runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// What it says.
    pub text: String,
    /// Whether the run should wait.
    pub pause: bool,
}

/// As [`run`]; gives each remark to `watcher`, which returns when the run may go on.
pub fn run_watched(
    program: &Program,
    entry: &str,
    args: &[Value],
    limits: Limits,
    watcher: &mut dyn FnMut(&Remark),
) -> Result<Vec<Value>, RunError> {
    if crate::ad::has_derivatives(program) {
        return run_watched(&crate::ad::eliminate(program, None), entry, args, limits, watcher);
    }
    let function =
        program.functions.iter().find(|function| function.entry && function.name.as_str() == entry);
    let function = function.ok_or_else(|| RunError::input(format!("no entry point `{entry}`")))?;
    let mut machine = Machine {
        functions: program.functions.iter().map(|function| (function.name, function)).collect(),
        limits,
        steps: 0,
        depth: 0,
        alive: Rc::new(Cell::new(0)),
        watcher,
    };
    machine.run_entry(function, args).map_err(|error| error.in_function(function.name))
}

/// What a variable is bound to.
#[derive(Clone, Debug)]
enum Val {
    Prim(PrimValue),
    Array(Array),
}

/// More bytes than this no machine has, whatever the limits say.
const LARGEST: u64 = 1 << 40;

/// The values of the variables in scope.
type Env = OrdMap<Var, Val>;

struct Machine<'p> {
    functions: BTreeMap<Symbol, &'p Function>,
    limits: Limits,
    steps: u64,
    /// Calls being run.
    depth: usize,
    /// Bytes of arrays alive.
    alive: Rc<Cell<u64>>,
    /// Is told what the program says.
    watcher: &'p mut dyn FnMut(&Remark),
}

impl<'p> Machine<'p> {
    fn charge(&mut self, steps: u64) -> Result<(), RunError> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > self.limits.steps {
            return Err(RunError::limit(format!("more than {} steps", self.limits.steps)));
        }
        Ok(())
    }

    /// Room for a fresh array: how many cells it has. Its cells count as steps.
    fn room(&mut self, shape: &[i64], elem: PrimType) -> Result<usize, RunError> {
        if let Some(size) = shape.iter().find(|size| **size < 0) {
            return Err(RunError::fault(format!("F6: an array of negative size {size}")));
        }
        let bytes = |cells: usize| (cells as u64).checked_mul(u64::from(elem.bytes()));
        let cells = shape_len(shape).filter(|cells| bytes(*cells).is_some_and(|bytes| bytes <= LARGEST));
        let cells = cells.ok_or_else(|| {
            let sizes: String = shape.iter().map(|size| format!("[{size}]")).collect();
            RunError::assert(format!("allocation of {sizes}{elem} is more than the machine has"))
        })?;
        if self.alive.get().saturating_add(cells as u64 * u64::from(elem.bytes())) > self.limits.bytes {
            return Err(RunError::limit(format!("more than {} bytes of memory", self.limits.bytes)));
        }
        self.charge(cells as u64)?;
        Ok(cells)
    }

    /// A fresh array of these cells.
    fn array(
        &mut self,
        shape: Vec<i64>,
        elem: PrimType,
        cells: impl IntoIterator<Item = Option<PrimValue>>,
    ) -> Result<Array, RunError> {
        let count = self.room(&shape, elem)?;
        let cells: imbl::Vector<Option<PrimValue>> = cells.into_iter().take(count).collect();
        if cells.len() != count {
            return Err(RunError::fault(format!("{} cells for an array of {count}", cells.len())));
        }
        Ok(Array::new(shape, elem, cells, &self.alive))
    }

    /// An array of these rows, which have this shape.
    fn array_of_rows(
        &mut self,
        outer: &[i64],
        row: &[i64],
        elem: PrimType,
        rows: Vec<Val>,
    ) -> Result<Array, RunError> {
        let mut cells = imbl::Vector::new();
        for value in rows {
            match value {
                Val::Prim(value) => cells.push_back(Some(value)),
                Val::Array(array) if array.shape == row => cells.append(array.cells),
                Val::Array(array) => {
                    return Err(RunError::fault(format!(
                        "a row of shape {:?} among rows of {row:?}",
                        array.shape
                    )));
                }
            }
        }
        self.array(outer.iter().chain(row).copied().collect(), elem, cells)
    }

    /// Binds values that are bound together, and compares them with the types of their binders.
    #[inline(never)]
    fn bind<'a>(
        &self,
        env: &mut Env,
        binders: impl ExactSizeIterator<Item = &'a Binder> + Clone,
        values: &[Val],
    ) -> Result<(), RunError> {
        if binders.len() != values.len() {
            return Err(RunError::fault(format!(
                "F2: {} values for {} variables",
                values.len(),
                binders.len()
            )));
        }
        for (binder, value) in binders.clone().zip(values) {
            env.insert(binder.var, value.clone());
        }
        for (binder, value) in binders.zip(values) {
            let (elem, shape) = match value {
                Val::Prim(value) => (value.prim_type(), [].as_slice()),
                Val::Array(array) => (array.elem, array.shape.as_slice()),
            };
            if elem != binder.ty.elem() || shape != self.shape(env, &binder.ty)? {
                let sizes: String = shape.iter().map(|size| format!("[{size}]")).collect();
                return Err(RunError::fault(format!(
                    "F4: {}: {} gets a {sizes}{elem}",
                    binder.var, binder.ty
                )));
            }
        }
        Ok(())
    }

    fn value(&self, env: &Env, atom: Atom) -> Result<Val, RunError> {
        match atom {
            Atom::Const(value) => Ok(Val::Prim(value)),
            Atom::Var(var) => {
                env.get(&var).cloned().ok_or_else(|| RunError::fault(format!("F1: {var} has no value")))
            }
        }
    }

    fn values(&self, env: &Env, atoms: &[Atom]) -> Result<Vec<Val>, RunError> {
        atoms.iter().map(|atom| self.value(env, *atom)).collect()
    }

    fn prim(&self, env: &Env, atom: Atom) -> Result<PrimValue, RunError> {
        match self.value(env, atom)? {
            Val::Prim(value) => Ok(value),
            Val::Array(_) => Err(RunError::fault(format!("F2: {atom} is no scalar"))),
        }
    }

    fn i64(&self, env: &Env, atom: Atom) -> Result<i64, RunError> {
        let value = self.prim(env, atom)?;
        value.as_i64().ok_or_else(|| RunError::fault(format!("F2: {atom} is no i64")))
    }

    fn i64s(&self, env: &Env, atoms: &[Atom]) -> Result<Vec<i64>, RunError> {
        atoms.iter().map(|atom| self.i64(env, *atom)).collect()
    }

    fn bool(&self, env: &Env, atom: Atom) -> Result<bool, RunError> {
        let value = self.prim(env, atom)?;
        value.as_bool().ok_or_else(|| RunError::fault(format!("F2: {atom} is no bool")))
    }

    fn array_of(&self, env: &Env, var: Var) -> Result<Array, RunError> {
        match self.value(env, Atom::Var(var))? {
            Val::Array(array) => Ok(array),
            Val::Prim(_) => Err(RunError::fault(format!("F2: {var} is no array"))),
        }
    }

    /// The sizes in a type.
    fn shape(&self, env: &Env, ty: &Type) -> Result<Vec<i64>, RunError> {
        self.i64s(env, ty.shape())
    }

    /// The results of a body.
    #[inline(never)]
    fn body(&mut self, env: &Env, body: &'p Body) -> Result<Vec<Val>, RunError> {
        let mut env = env.clone();
        for statement in &body.statements {
            self.charge(1)?;
            self.statement(&mut env, statement).map_err(|error| error.at(statement.loc))?;
        }
        self.values(&env, &body.results)
    }

    /// Calls a function with all its arguments.
    #[inline(never)]
    fn call(&mut self, function: &'p Function, args: &[Val]) -> Result<Vec<Val>, RunError> {
        let run = |machine: &mut Self| {
            let mut env = Env::new();
            machine.bind(&mut env, function.params.iter().map(|param| &param.binder), args)?;
            let results = machine.body(&env, &function.body)?;
            machine.bind(&mut env, function.results.iter().map(|param| &param.binder), &results)?;
            Ok(results)
        };
        if self.depth == MAX_CALL_DEPTH {
            return Err(too_deep());
        }
        self.depth += 1;
        let results = with_stack(|| run(self));
        self.depth -= 1;
        results.map_err(|error: RunError| error.in_function(function.name))
    }
}

#[cfg(test)]
mod tests;
