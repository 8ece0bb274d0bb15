//! Short loops and reductions in what combines many elements, or in loops of kernels, are written out.
//!
//! ```text
//! let (d: f32) (k: i64) = kernel (j < n) reduce_comm \… (f32.inf, -1) {
//!   let (sum: f32) = kernel (a < 2) reduce (+) (0.0f32) { let (x: f32) = index xs[j, a] let (y: f32) = mul.f32 x x in (y) }
//!   in (sum, j)
//! }
//! ```
//! becomes
//! ```text
//! let (d: f32) (k: i64) = kernel (j < n) reduce_comm \… (f32.inf, -1) {
//!   let (x_0: f32) = index xs[j, 0] let (y_0: f32) = mul.f32 x_0 x_0 let (s_0: f32) = add.f32 0.0f32 y_0
//!   let (x_1: f32) = index xs[j, 1] let (y_1: f32) = mul.f32 x_1 x_1 let (sum: f32) = add.f32 s_0 y_1
//!   in (sum, j)
//! }
//! ```
//! An element is scalars alone then: reductions with such elements may run in lanes, and what is the same for all of them (`index ys[a]`) is computed before. The statements run in the
//! order in which they ran. What is short in a map that is not in these stays: its elements are independent, and loops are written out when those of maps are known (`unroll-loops`).
//!
//! Done where all results are scalars and the body has scalar steps, assertions and branches between steps that touch no memory and can't fail, for at most [`MOST_ITERATIONS`] iterations by a constant and
//! [`MOST_STATEMENTS`] statements that come of all in a body. Around it stands a reduction or scan with more elements, or a loop of a kernel with more iterations, or a short one that does. Two
//! things take longer written out than before, when the loop itself or several elements at a time ran in vectors, and have limits of their own: elements far apart, as those of long rows
//! ([`MOST_OF_ROW`]), and iterations that wait for one another ([`LONGEST_WAIT`]).
//!
//! Requires and ensures F1–F9. Cost: linear in the size of the program, and in what is written out.

use super::operator_may_fail;
use fun::ir::{Atom, Body, Combine, Exp, Lambda, LoopForm, Program, Statement};
use fun::visit::names::{Subst, free_in_statement, name_source, rename_body};
use fun::visit::{for_each_body_mut, is_scalar_step};
use fun_base::name::{NameSource, Var};
use fun_base::prim::{BinOp, PrimType, UnOp};
use std::collections::{BTreeMap, BTreeSet};

/// The most iterations that are written out.
const MOST_ITERATIONS: i64 = 32;
/// The most elements of a row that each element of the loop around has.
const MOST_OF_ROW: i64 = 8;
/// The same of integers in a map: loops over these have vectors in themselves.
const MOST_OF_ROW_OF_INTEGERS: i64 = 4;
/// How many cycles iterations may wait for one another in all.
const LONGEST_WAIT: i64 = 64;
/// The most statements that come of the loops of one body together: C compilers take long for functions of thousands.
const MOST_STATEMENTS: usize = 320;

/// Writes out the short loops of a program.
pub fn run(mut program: Program) -> Program {
    let mut unrolling = Unrolling { names: name_source(&program), inside: BTreeSet::new() };
    for function in &mut program.functions {
        unrolling.body(&mut function.body, Place { in_kernel: false, many: false, in_map: false });
    }
    program
}

/// Where a body stands.
#[derive(Clone, Copy)]
struct Place {
    /// In a kernel.
    in_kernel: bool,
    /// It is evaluated many times, one after the other.
    many: bool,
    /// That is so for each point of a kernel around.
    in_map: bool,
}

struct Unrolling {
    names: NameSource,
    /// What differs between the times that the body at hand is evaluated, in the innermost loop that is not short.
    inside: BTreeSet<Var>,
}

impl Unrolling {
    fn body(&mut self, body: &mut Body, place: Place) {
        let mut done = Vec::with_capacity(body.statements.len());
        let mut room = MOST_STATEMENTS;
        for mut statement in std::mem::take(&mut body.statements) {
            match &mut statement.exp {
                Exp::Kernel { space, combine, body } => {
                    let folds = matches!(combine, Combine::Reduce { .. } | Combine::Scan { .. });
                    let short = space.last().is_some_and(|(_, bound)| is_short(*bound));
                    let many = folds && (!short || place.many);
                    let counters = space.iter().map(|(counter, _)| *counter).collect();
                    let in_map = if short { place.in_map } else { place.in_kernel };
                    self.within(body, counters, short, Place { in_kernel: true, many, in_map });
                }
                Exp::Loop { params, form, body } => {
                    let short = matches!(form, LoopForm::For { bound, .. } if is_short(*bound));
                    let many = if short { place.many } else { place.in_kernel };
                    let mut changing: BTreeSet<Var> = params.iter().map(|param| param.binder.var).collect();
                    if let LoopForm::For { var, .. } = form {
                        changing.insert(*var);
                    }
                    let in_map = if short { place.in_map } else { place.in_kernel };
                    self.within(body, changing, short, Place { many, in_map, ..place });
                }
                Exp::If { then, otherwise, .. } => {
                    [then, otherwise].into_iter().for_each(|arm| self.body(arm, place));
                }
                other => {
                    for_each_body_mut(other, &mut |body| self.body(body, Place { many: false, ..place }));
                }
            }
            self.inside.extend(statement.pattern.iter().map(|binder| binder.var));
            let fits = |short: &Short<'_>| {
                place.many && short.statements <= room && short.pays(&self.inside, place.in_map)
            };
            match Short::of(&statement).filter(fits) {
                Some(short) => {
                    room -= short.statements;
                    self.write_out(&short, &statement, &mut done);
                }
                None => done.push(statement),
            }
        }
        body.statements = done;
    }

    /// The body of a loop in which these change; a short one belongs to the loop around.
    fn within(&mut self, body: &mut Body, changing: BTreeSet<Var>, short: bool, place: Place) {
        let around = if short { self.inside.clone() } else { std::mem::take(&mut self.inside) };
        self.inside.extend(changing);
        self.body(body, place);
        self.inside = around;
    }

    fn write_out(&mut self, short: &Short<'_>, statement: &Statement, done: &mut Vec<Statement>) {
        let mut values = short.first.clone();
        for number in 0..short.count {
            let counter = Atom::Const(short.ty.of_i64(number));
            let mut subst = Subst::from([(short.counter, counter)]);
            subst.extend(short.carried.iter().copied().zip(values.iter().copied()));
            let results = self.copy(short.body, subst, done);
            values = match short.op {
                None => results,
                Some(op) => {
                    let params = op.params.iter().map(|param| param.var);
                    let subst = params.zip(values.into_iter().chain(results)).collect();
                    self.copy(&op.body, subst, done)
                }
            };
        }
        for (binder, value) in statement.pattern.iter().zip(values) {
            done.push(Statement { pattern: vec![binder.clone()], exp: Exp::Atom(value), loc: statement.loc });
        }
    }

    /// Adds the statements of a body, and gives its results.
    fn copy(&mut self, body: &Body, subst: Subst, done: &mut Vec<Statement>) -> Vec<Atom> {
        let copy = rename_body(&mut self.names, subst, body);
        done.extend(copy.statements);
        copy.results
    }
}

/// A loop that can be written out, or a reduction.
struct Short<'s> {
    counter: Var,
    ty: PrimType,
    count: i64,
    /// What iterations have from those before, and what the first one has; reductions combine it with their results.
    carried: Vec<Var>,
    first: Vec<Atom>,
    body: &'s Body,
    op: Option<&'s Lambda>,
    /// How many come of it.
    statements: usize,
}

impl Short<'_> {
    fn of(statement: &Statement) -> Option<Short<'_>> {
        let mut short = match &statement.exp {
            Exp::Kernel { space, combine: Combine::Reduce { op, neutral, .. }, body } => {
                let [(counter, bound)] = &space[..] else { return None };
                let (ty, carried) = (PrimType::I64, Vec::new());
                Short {
                    counter: *counter,
                    ty,
                    count: count(*bound)?,
                    carried,
                    first: neutral.clone(),
                    body,
                    op: Some(op),
                    statements: 0,
                }
            }
            Exp::Loop { params, form: LoopForm::For { var, ty, bound }, body } => {
                let carried = params.iter().map(|param| param.binder.var).collect();
                let first = params.iter().map(|param| param.init).collect();
                Short {
                    counter: *var,
                    ty: *ty,
                    count: count(*bound)?,
                    carried,
                    first,
                    body,
                    op: None,
                    statements: 0,
                }
            }
            _ => return None,
        };
        let each = size(short.body)? + short.op.map_or(Some(0), |op| size(&op.body))?;
        let times = usize::try_from(short.count).ok()?;
        short.statements = each * times;
        statement.pattern.iter().all(|binder| binder.ty.rank() == 0).then_some(short)
    }
}

impl Short<'_> {
    /// Whether it takes no longer written out, where these change from one time to the next.
    fn pays(&self, inside: &BTreeSet<Var>, in_map: bool) -> bool {
        let integers = self.body.results.iter().chain(&self.first).all(|atom| match atom {
            Atom::Const(value) => value.as_int().is_some(),
            Atom::Var(_) => true,
        });
        let most = if integers && in_map { MOST_OF_ROW_OF_INTEGERS } else { MOST_OF_ROW };
        let wait = match self.op {
            None => wait(self.body, &self.carried),
            Some(op) => {
                let old: Vec<Var> = op.params.iter().take(self.first.len()).map(|param| param.var).collect();
                wait(&op.body, &old)
            }
        };
        (self.count <= most || !self.reads_row(inside)) && self.count.saturating_mul(wait) <= LONGEST_WAIT
    }

    /// Whether it reads along a row that is another one each time.
    fn reads_row(&self, inside: &BTreeSet<Var>) -> bool {
        let mut moving = BTreeSet::from([self.counter]);
        self.body.statements.iter().any(|statement| {
            let moves = |atom: &Atom| atom.as_var().is_some_and(|var| moving.contains(&var));
            let differs = |atom: &Atom| atom.as_var().is_some_and(|var| inside.contains(&var));
            let along = match &statement.exp {
                Exp::Index { indices, .. } => indices
                    .split_last()
                    .is_some_and(|(last, others)| moves(last) && others.iter().any(differs)),
                _ => false,
            };
            if free_in_statement(statement).iter().any(|var| moving.contains(var)) {
                moving.extend(statement.pattern.iter().map(|binder| binder.var));
            }
            along
        })
    }
}

/// About how many cycles what a body gives waits for these variables.
fn wait(body: &Body, of: &[Var]) -> i64 {
    let mut known: BTreeMap<Var, i64> = of.iter().map(|var| (*var, 0)).collect();
    waits(body, &mut known).into_iter().flatten().max().unwrap_or(0)
}

/// The same for each result, if it depends on variables with known ones.
fn waits(body: &Body, known: &mut BTreeMap<Var, i64>) -> Vec<Option<i64>> {
    for statement in &body.statements {
        let used = free_in_statement(statement);
        let Some(start) = used.iter().filter_map(|var| known.get(var)).max().copied() else { continue };
        let wait = match &statement.exp {
            Exp::If { then, otherwise, .. } => {
                let arms = [then, otherwise].map(|arm| waits(arm, &mut known.clone()));
                1 + arms.into_iter().flatten().flatten().fold(start, i64::max)
            }
            exp => start + cycles(exp),
        };
        known.extend(statement.pattern.iter().map(|binder| (binder.var, wait)));
    }
    body.results.iter().map(|result| known.get(&result.as_var()?).copied()).collect()
}

/// About how many cycles an operator takes.
fn cycles(exp: &Exp) -> i64 {
    let by_shift = |right: &Atom| {
        right
            .as_const()
            .and_then(|right| right.as_int())
            .is_some_and(|right| right > 0 && right & (right - 1) == 0)
    };
    match exp {
        Exp::Atom(_) => 0,
        Exp::Bin(BinOp::Div | BinOp::Quot | BinOp::Mod | BinOp::Rem | BinOp::Pow, ty, _, right) => {
            if ty.is_int() && by_shift(right) { 1 } else { 12 }
        }
        Exp::Bin(op, ty, ..) if ty.is_float() || *op == BinOp::Mul => 4,
        Exp::Un(UnOp::Neg | UnOp::Abs | UnOp::Not, ..) | Exp::Bin(..) => 1,
        Exp::Un(..) => 20,
        _ => 4,
    }
}

/// How often a short loop runs.
fn count(bound: Atom) -> Option<i64> {
    let count = bound.as_const()?.as_int().and_then(|count| i64::try_from(count).ok())?;
    (count <= MOST_ITERATIONS).then_some(count.max(0))
}

fn is_short(bound: Atom) -> bool {
    count(bound).is_some()
}

/// How many statements a body has, if they can be written out.
fn size(body: &Body) -> Option<usize> {
    body.statements.iter().try_fold(0, |total, statement| {
        let own = match &statement.exp {
            Exp::Assert { .. } => 1,
            Exp::If { then, otherwise, .. } => 1 + size_of_arm(then)? + size_of_arm(otherwise)?,
            exp => is_scalar_step(exp).then_some(1)?,
        };
        Some(total + own)
    })
}

/// How many an arm of a branch has, if lanes could take both: it computes scalars, without reads and what may fail.
fn size_of_arm(arm: &Body) -> Option<usize> {
    arm.statements.iter().try_fold(0, |total, statement| {
        let own = match &statement.exp {
            Exp::If { then, otherwise, .. } => 1 + size_of_arm(then)? + size_of_arm(otherwise)?,
            Exp::Bin(op, ty, _, right) => (!operator_may_fail(*op, *ty, *right)).then_some(1)?,
            Exp::Index { .. } => return None,
            exp => is_scalar_step(exp).then_some(1)?,
        };
        Some(total + own)
    })
}
