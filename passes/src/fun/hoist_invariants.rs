//! What is the same in all iterations of a loop or kernel, and takes long, is computed before it.
//!
//! ```text
//! let (ys: [n]f32) = kernel (i < n) {
//!   let (x: f32) = index xs[i]
//!   let (sum: f32) = kernel (j < n) reduce (+) (0.0f32) { let (y: f32) = index xs[j] in (y) }
//!   let (z: f32) = div.f32 x sum
//!   in (z)
//! }
//! ```
//! becomes
//! ```text
//! let (sum: f32) = kernel (j < n) reduce (+) (0.0f32) { let (y: f32) = index xs[j] in (y) }
//! let (ys: [n]f32) = kernel (i < n) { let (x: f32) = index xs[i] let (z: f32) = div.f32 x sum in (z) }
//! ```
//! Moved are reductions, loops and branches around these, and elementary functions, if they give numbers, with the scalars and arrays that they are computed from,
//! of which nothing else in the body uses an array: it could be consumed there. Other scalars stay: `hoist-scalars` moves them later.
//!
//! The loop may run no iteration; so nothing may be moved that can stop the program, does not end, or reads outside of an array. Reads are shown to be within bounds in front of the
//! loop; what stands behind a statement that may stop stays, as it may rest on that. Nothing that consumes an array is moved.
//!
//! Requires and ensures F1–F9. Before `fuse`, which finds more to put together then. Cost: for each loop and kernel with such statements, its statements times
//! those; a question to the prover for each index of each read in them.

use super::fuse::cost::{has_function, may_stop};
use super::operator_may_fail;
use crate::funmem::facts::PointFacts;
use fun::ir::{Atom, Binder, Body, Combine, Exp, Fun, Lambda, LoopForm, Program, Statement};
use fun::visit::names::free_in_statement;
use fun::visit::{Walk, for_each_body_mut, walk_exp};
use fun_base::name::Var;
use fun_index::poly::Poly;
use fun_index::prove;
use std::collections::{BTreeMap, BTreeSet};

/// Moves the invariants of a program.
pub fn run(mut program: Program) -> Program {
    for function in &mut program.functions {
        let mut hoisting = Hoisting::default();
        function.params.iter().for_each(|param| hoisting.facts.bind(&param.binder));
        hoisting.body(&mut function.body);
    }
    program
}

#[derive(Default)]
struct Hoisting {
    facts: PointFacts<Fun>,
}

impl Hoisting {
    fn body(&mut self, within: &mut Body) {
        let start = self.facts.mark();
        let mut done = Vec::with_capacity(within.statements.len());
        for mut statement in std::mem::take(&mut within.statements) {
            self.inside(&mut statement);
            for early in self.taken(&mut statement) {
                self.facts.statement(&early);
                done.push(early);
            }
            self.facts.statement(&statement);
            done.push(statement);
        }
        within.statements = done;
        self.facts.reset(start);
    }

    fn inside(&mut self, statement: &mut Statement) {
        let mark = self.facts.mark();
        match &mut statement.exp {
            Exp::If { condition, then, otherwise } => {
                for (arm, taken) in [(then, true), (otherwise, false)] {
                    self.facts.branch(*condition, taken);
                    self.body(arm);
                    self.facts.reset(mark);
                }
            }
            Exp::Loop { params, form, body } => {
                self.facts.enter_loop(params, form, body);
                self.body(body);
            }
            Exp::Kernel { space, body, .. } => {
                space.iter().for_each(|(counter, bound)| self.facts.counter(*counter, *bound));
                self.body(body);
            }
            other => for_each_body_mut(other, &mut |body| self.body(body)),
        }
        self.facts.reset(mark);
    }

    /// Takes out of a loop or kernel what may stand in front of it.
    fn taken(&mut self, statement: &mut Statement) -> Vec<Statement> {
        let mut bound = BTreeSet::new();
        let body = match &mut statement.exp {
            Exp::Loop { params, form, body } => {
                bound.extend(params.iter().map(|param| param.binder.var));
                if let LoopForm::For { var, .. } = form {
                    bound.insert(*var);
                }
                body
            }
            Exp::Kernel { space, body, .. } => {
                bound.extend(space.iter().map(|(counter, _)| *counter));
                body
            }
            _ => return Vec::new(),
        };
        if !body.statements.iter().any(|statement| takes_long(&statement.exp)) {
            return Vec::new();
        }
        let moved = chosen(body, &self.invariant(body, bound));
        let (mut taken, mut left) = (Vec::new(), Vec::new());
        for (at, statement) in std::mem::take(&mut body.statements).into_iter().enumerate() {
            if moved.contains(&at) { taken.push(statement) } else { left.push(statement) }
        }
        body.statements = left;
        taken
    }

    /// Which statements of a body could stand in front of it, where these variables are bound in each iteration.
    fn invariant(&mut self, body: &Body, mut bound: BTreeSet<Var>) -> BTreeSet<usize> {
        let mark = self.facts.mark();
        let mut found = BTreeSet::new();
        for (at, statement) in body.statements.iter().enumerate() {
            if may_stop(&statement.exp) {
                break;
            }
            if free_in_statement(statement).is_disjoint(&bound) && is_safe(&mut self.facts, &statement.exp) {
                self.facts.statement(statement);
                found.insert(at);
            } else {
                bound.extend(statement.pattern.iter().map(|binder| binder.var));
            }
        }
        self.facts.reset(mark);
        found
    }
}

/// Whether an expression that may not stop the program consumes nothing and reads only what there is.
fn is_safe(facts: &mut PointFacts<Fun>, exp: &Exp) -> bool {
    let mark = facts.mark();
    let safe = match exp {
        Exp::Bin(..) | Exp::Un(..) | Exp::Fma(..) | Exp::Convert { .. } => true,
        Exp::Permute { .. } | Exp::Reverse { .. } => true,
        Exp::Index { array, indices } => facts.in_bounds(*array, indices),
        Exp::If { condition, then, otherwise } => {
            [(then, true), (otherwise, false)].into_iter().all(|(arm, taken)| {
                facts.branch(*condition, taken);
                let safe = are_safe(facts, arm);
                facts.reset(mark);
                safe
            })
        }
        Exp::Loop { params, form: form @ LoopForm::For { .. }, body } => {
            params.iter().all(|param| is_number(&param.binder)) && {
                params.iter().for_each(|param| facts.bind(&param.binder));
                facts.loop_form(form);
                are_safe(facts, body)
            }
        }
        Exp::Kernel { space, combine, body } => {
            let operators_are_safe = match combine {
                Combine::Map => true,
                Combine::Reduce { op, .. } | Combine::Scan { op, epilogue: None, .. } => is_scalar(op),
                _ => false,
            };
            operators_are_safe && space.iter().all(|(_, bound)| is_size(facts, *bound)) && {
                space.iter().for_each(|(counter, bound)| facts.counter(*counter, *bound));
                are_safe(facts, body)
            }
        }
        _ => false,
    };
    facts.reset(mark);
    safe
}

/// The same of the statements of a body, one after the other.
pub(super) fn are_safe(facts: &mut PointFacts<Fun>, body: &Body) -> bool {
    let mark = facts.mark();
    let safe = body.statements.iter().all(|statement| {
        let safe = is_safe(facts, &statement.exp);
        facts.statement(statement);
        safe
    });
    facts.reset(mark);
    safe
}

/// Whether a number is certainly not negative.
pub(super) fn is_size(facts: &mut PointFacts<Fun>, bound: Atom) -> bool {
    let poly = match bound {
        Atom::Const(value) => value.as_i64().map(Poly::constant),
        Atom::Var(var) => Some(Poly::var(var)),
    };
    poly.is_some_and(|poly| prove::nonneg(facts.known(), &poly).is_proved())
}

/// Those of a body's invariant statements that are worth moving, with what they need.
fn chosen(body: &Body, invariant: &BTreeSet<usize>) -> BTreeSet<usize> {
    let statements = &body.statements;
    let free: Vec<BTreeSet<Var>> = statements.iter().map(free_in_statement).collect();
    let mut made_by = BTreeMap::new();
    for at in invariant {
        made_by.extend(statements[*at].pattern.iter().map(|binder| (binder.var, *at)));
    }
    let needs = |root: usize| {
        let (mut found, mut open) = (BTreeSet::from([root]), vec![root]);
        while let Some(at) = open.pop() {
            let needed = free[at].iter().filter_map(|var| made_by.get(var));
            open.extend(needed.filter(|at| found.insert(**at)));
        }
        found
    };
    let is_worth = |at: &usize| {
        let Statement { pattern, exp, .. } = &statements[*at];
        pattern.iter().all(is_number) && takes_long(exp)
    };
    let mut roots: Vec<BTreeSet<usize>> = invariant.iter().copied().filter(is_worth).map(needs).collect();
    loop {
        let moved: BTreeSet<usize> = roots.iter().flatten().copied().collect();
        // arrays that are used by what stays
        let mut used: BTreeSet<Var> = BTreeSet::new();
        let staying = free.iter().enumerate().filter(|(at, _)| !moved.contains(at));
        staying.for_each(|(_, free)| used.extend(free));
        used.extend(body.results.iter().filter_map(|result| result.as_var()));
        let stays = |at: &usize| {
            statements[*at].pattern.iter().any(|binder| !is_number(binder) && used.contains(&binder.var))
        };
        let count = roots.len();
        roots.retain(|root| !root.iter().any(stays));
        if roots.len() == count {
            return moved;
        }
    }
}

fn is_number(binder: &Binder) -> bool {
    binder.ty.rank() == 0
}

/// Whether an operator is made of scalar operators that cannot fail.
fn is_scalar(operator: &Lambda) -> bool {
    operator.body.statements.iter().all(|statement| match &statement.exp {
        Exp::Bin(op, ty, _, right) => !operator_may_fail(*op, *ty, *right),
        Exp::Atom(_) | Exp::Un(..) | Exp::Fma(..) | Exp::Convert { .. } => true,
        Exp::If { then, otherwise, .. } => [then, otherwise]
            .iter()
            .all(|arm| arm.statements.iter().all(|statement| matches!(statement.exp, Exp::Atom(_)))),
        _ => false,
    })
}

/// Whether an expression has loops, or functions that take many operators of a machine.
fn takes_long(exp: &Exp) -> bool {
    struct Long(bool);
    impl Walk<Fun> for Long {
        fn exp(&mut self, exp: &Exp) {
            self.0 |= matches!(exp, Exp::Kernel { .. } | Exp::Loop { .. }) || has_function(exp);
            walk_exp(self, exp);
        }
    }
    let mut long = Long(false);
    long.exp(exp);
    long.0
}
