//! Reverse mode: a body becomes its own statements, the forward sweep, and after them the return sweep, which goes through the
//! statements backwards and adds to the adjoint of each operand what the adjoint of the result says.
//!
//! - The forward sweep leaves every value in scope that the return sweep may want; so it copies an array before a statement
//!   that consumes it.
//! - Bodies inside of a statement run again in the return sweep, before their own return sweep: the values inside of a `map` or
//!   a branch are computed twice rather than kept. Only loops keep values (`tape`): what an iteration needs of those before it.
//! - Adjoints are values of their own, of the type of what they belong to; a variable without one does not matter to the
//!   results. Those of arrays are *owned* when nothing else refers to their cells: then they are updated in place.
//! - What adds to single elements of a part of an array adds to the array's adjoint, in place, where it has one (`parts`).
//! - A reading of one cell of an array inside of a `map` cannot add to the array's adjoint in parallel: such a `map` has a
//!   sequential loop as its return sweep (`soac`), or one for each of several chunks of its iterations (`chunks`);
//!   on devices such a `map` gives what it adds, and where (`elements`).

mod adjoint;
mod aliases;
mod chunks;
mod control;
mod elements;
mod parts;
mod soac;
mod statement;
mod tape;

use super::{activity, dead, sequential};
use crate::build::Builder;
use crate::ir::{Atom, Binder, Body, Dim, Exp, Fun, Lambda, Statement, Type};
use crate::visit::names::{Subst, rename_lambda};
use crate::visit::{Walk, walk_exp};
use adjoint::Adjoint;
pub use chunks::Chunks;
use elements::Collected;
use fun_base::name::Var;
use std::collections::{BTreeMap, BTreeSet};

/// The results of the function at the arguments, then the adjoints of the arguments.
pub(super) fn vjp(
    b: &mut Builder<'_>,
    chunks: Option<Chunks>,
    function: &Lambda,
    args: &[Atom],
    adjoints: &[Atom],
) -> Vec<Atom> {
    let function = sequential::sequential(b.names(), function);
    b.declare_lambda(&function);
    let active = activity::active(&function);
    let mut reverse = Reverse {
        b,
        active,
        adjoints: BTreeMap::new(),
        parts: BTreeMap::new(),
        collected: Collected::new(),
        originals: BTreeMap::new(),
        repeats: false,
        chunks,
        is_parallel: false,
        choices: 0,
        sizes_of_args: sizes(&function.params),
    };
    for (param, arg) in function.params.iter().zip(args) {
        reverse.b.bind(vec![param.clone()], Exp::Atom(*arg));
    }
    let seeds = adjoints.iter().map(|atom| Some(Adjoint { atom: *atom, owned: false })).collect();
    reverse.sweep(&function.body, seeds);
    let mut results = function.body.results.clone();
    for param in &function.params {
        let adjoint = reverse.take_or_zero(param.var, &param.ty);
        results.push(adjoint.atom);
    }
    results
}

struct Reverse<'b, 'n> {
    b: &'b mut Builder<'n>,
    /// The variables that depend on the arguments.
    active: BTreeSet<Var>,
    /// The adjoints so far.
    adjoints: BTreeMap<Var, Adjoint>,
    /// The array and the place there of what was read as a part of it (`parts`).
    parts: BTreeMap<Var, (Var, Vec<Dim>)>,
    /// What maps add to elements of arrays from outside, while these are swept (`elements`).
    collected: Collected,
    /// Whether an iteration of a loop of the return sweep is made.
    repeats: bool,
    /// The chunks of maps that add to arrays; without, these are loops.
    chunks: Option<Chunks>,
    /// Whether what is made runs beside other iterations.
    is_parallel: bool,
    /// How many choices between chunks and one loop are around what is made.
    choices: usize,
    /// The sizes of the arguments, which are not negative.
    sizes_of_args: BTreeSet<Var>,
    /// For each variable of a body that runs again the variable that it had.
    originals: BTreeMap<Var, Var>,
}

impl Reverse<'_, '_> {
    fn is_active(&self, atom: Atom) -> bool {
        atom.as_var().is_some_and(|var| self.active.contains(&var))
    }

    fn type_of(&self, atom: Atom) -> Type {
        self.b.type_of(atom).expect("invariant: types of all variables are known")
    }

    /// Adds the forward sweep and the return sweep of a body whose results have these adjoints.
    fn sweep(&mut self, body: &Body, seeds: Vec<Option<Adjoint>>) {
        let mut all = self.b.take();
        body.statements.iter().for_each(|statement| self.primal(statement));
        let mut forward = self.b.take();
        for (result, seed) in body.results.iter().zip(seeds) {
            if let Some(seed) = seed {
                self.contribute(*result, seed);
            }
        }
        for statement in body.statements.iter().rev() {
            self.b.at(statement.loc);
            self.back(statement, &mut forward);
        }
        all.append(&mut forward);
        all.append(&mut self.b.take());
        self.b.replace(all);
    }

    /// A statement of the forward sweep. What it consumes is copied before, for the return sweep may still read it.
    fn primal(&mut self, statement: &Statement) {
        self.b.at(statement.loc);
        let mut exp = statement.exp.clone();
        match &mut exp {
            Exp::Update { array, .. } => *array = self.copy(*array),
            Exp::Hist { dests, .. } | Exp::Scatter { dests, .. } => {
                dests.iter_mut().for_each(|dest| *dest = self.copy(*dest));
            }
            Exp::Loop { params, body, .. } if consumes(body) => {
                for param in params.iter_mut().filter(|param| param.binder.ty.rank() > 0) {
                    if let Atom::Var(init) = param.init {
                        param.init = self.copy(init).into();
                    }
                }
            }
            Exp::If { then, otherwise, .. } => {
                for branch in [then, otherwise] {
                    let outer = self.b.take();
                    branch.statements.iter().for_each(|statement| self.primal(statement));
                    branch.statements = self.b.replace(outer);
                }
            }
            Exp::Derive { function, args, .. } => {
                for (param, arg) in function.params.iter().zip(args.iter()) {
                    self.b.bind(vec![param.clone()], Exp::Atom(*arg));
                }
                function.body.statements.iter().for_each(|statement| self.primal(statement));
                for (binder, result) in statement.pattern.iter().zip(&function.body.results) {
                    self.b.bind(vec![binder.clone()], Exp::Atom(*result));
                }
                return;
            }
            Exp::Slice { array, dims } => self.note_part(statement, *array, dims),
            _ => {}
        }
        self.b.push(Statement { pattern: statement.pattern.clone(), exp, loc: statement.loc });
    }

    fn copy(&mut self, array: Var) -> Var {
        self.b.array("copy", Exp::Copy(array))
    }

    /// A copy of a body, with these parameters, to run it again: other names, and no assertions, which have held already.
    fn again(&mut self, params: &[Binder], body: &Body) -> (Vec<Binder>, Body) {
        let (params, mut body) = self.before(params, body);
        dead::without_asserts(&mut body);
        (params, body)
    }

    /// The same to run it before: nothing has been asserted yet.
    fn before(&mut self, params: &[Binder], body: &Body) -> (Vec<Binder>, Body) {
        let lambda = Lambda { params: params.to_vec(), results: Vec::new(), body: body.clone() };
        let copy = rename_lambda(self.b.names(), Subst::new(), &lambda);
        for (old, new) in bound(&lambda).into_iter().zip(bound(&copy)) {
            if self.active.contains(&old) {
                self.active.insert(new);
            }
            self.originals.insert(new, old);
        }
        self.b.declare_lambda(&copy);
        (copy.params, copy.body)
    }

    /// The active variables that a body takes from outside.
    fn free_active(&self, body: &Body, params: &[Binder]) -> Vec<Var> {
        let free = crate::visit::names::free_in_body(body);
        let own = |var: &Var| params.iter().any(|param| param.var == *var);
        free.into_iter().filter(|var| self.active.contains(var) && !own(var)).collect()
    }
}

/// The variables that are sizes of these.
fn sizes(params: &[Binder]) -> BTreeSet<Var> {
    params.iter().flat_map(|param| param.ty.shape()).filter_map(|size| size.as_var()).collect()
}

/// Everything that a lambda binds, in the order of a walk.
fn bound(lambda: &Lambda) -> Vec<Var> {
    struct Bound(Vec<Var>);
    impl Walk<Fun> for Bound {
        fn bind(&mut self, var: Var, _: Option<&Type>) {
            self.0.push(var);
        }
    }
    let mut bound = Bound(Vec::new());
    bound.lambda(lambda);
    bound.0
}

/// Whether something is consumed in a body.
fn consumes(body: &Body) -> bool {
    struct Find(bool);
    impl Walk<Fun> for Find {
        fn exp(&mut self, exp: &Exp) {
            self.0 |= matches!(exp, Exp::Update { .. } | Exp::Hist { .. } | Exp::Scatter { .. });
            walk_exp(self, exp);
        }
    }
    let mut find = Find(false);
    find.body(body);
    find.0
}
