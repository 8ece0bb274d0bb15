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
//! An element is scalars alone then: reductions with such elements run in lanes, and what is the same for all of them (`index ys[a]`) is computed before. The statements run in the
//! order in which they ran. What is short in a map that is not in these stays: its elements are independent, and loops are written out when those of maps are known (`unroll-loops`).
//!
//! Done where all results are scalars and the body has scalar steps, assertions and branches between steps that touch no memory and can't fail, for at most [`MOST_ITERATIONS`] iterations by a constant and
//! [`MOST_STATEMENTS`] statements that come of all in a body. Around it stands a reduction or scan with more elements, or a loop of a kernel with more iterations, or a short one that does.
//!
//! Requires and ensures F1–F9. Cost: linear in the size of the program, and in what is written out.

use super::operator_may_fail;
use fun::ir::{Atom, Body, Combine, Exp, Lambda, LoopForm, Program, Statement};
use fun::visit::names::{Subst, name_source, rename_body};
use fun::visit::{for_each_body_mut, is_scalar_step};
use fun_base::name::{NameSource, Var};
use fun_base::prim::PrimType;

/// The most iterations that are written out.
const MOST_ITERATIONS: i64 = 32;
/// The most statements that come of the loops of one body together: C compilers take long for functions of thousands.
const MOST_STATEMENTS: usize = 320;

/// Writes out the short loops of a program.
pub fn run(mut program: Program) -> Program {
    let mut unrolling = Unrolling { names: name_source(&program) };
    for function in &mut program.functions {
        unrolling.body(&mut function.body, Place { in_kernel: false, many: false });
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
}

struct Unrolling {
    names: NameSource,
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
                    let many = if short { place.many } else { folds };
                    self.body(body, Place { in_kernel: true, many: folds && many });
                }
                Exp::Loop { form, body, .. } => {
                    let short = matches!(form, LoopForm::For { bound, .. } if is_short(*bound));
                    self.body(
                        body,
                        Place { many: if short { place.many } else { place.in_kernel }, ..place },
                    );
                }
                Exp::If { then, otherwise, .. } => {
                    [then, otherwise].into_iter().for_each(|arm| self.body(arm, place))
                }
                other => {
                    for_each_body_mut(other, &mut |body| self.body(body, Place { many: false, ..place }))
                }
            }
            match Short::of(&statement).filter(|short| place.many && short.statements <= room) {
                Some(short) => {
                    room -= short.statements;
                    self.write_out(&short, &statement, &mut done);
                }
                None => done.push(statement),
            }
        }
        body.statements = done;
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
