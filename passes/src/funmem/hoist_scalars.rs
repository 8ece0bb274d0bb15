//! Hoisting of scalars and assertions to the earliest place in their body.
//!
//! ```text
//! let (b: [m]f32 @ b_mem -> …) = kernel (i < m) { … }
//! let (x: bool) = lt.i64 k n
//! let = assert x "…"
//! let (ys: [n][m]f32 @ xs_mem -> …) = update xs[k, 0 : m : 1] b
//! ```
//! becomes
//! ```text
//! let (x: bool) = lt.i64 k n
//! let = assert x "…"
//! let (b: [m]f32 @ b_mem -> …) = kernel (i < m) { … }
//! let (ys: [n][m]f32 @ xs_mem -> …) = update xs[k, 0 : m : 1] b
//! ```
//! so that what says where an array goes is known, and checked, before the array is made. Operators that cannot fail move behind the last
//! of their operands, out of loops too: sizes that do not change are known before the loop. Out of a kernel go only those that the sizes of
//! its blocks are computed from; others would take a thread's registers. An assertion moves behind its condition and behind everything before it that may stop the program or run on
//! for ever: which message a program ends with stays the same. (It may now come before an allocation that fails.)
//!
//! Requires and ensures M1–M9. Cost: n log n in the size of the program, times how deep loops nest.

use super::interfaces::Interfaces;
use fun::ir::{Atom, LoopForm};
use fun::visit::{Walk, for_each_body_mut, walk_exp};
use fun_base::name::Var;
use funmem::ir::{Body, Exp, Mem, MemOp, MemType, Program, Statement};
use std::collections::{BTreeMap, BTreeSet};

/// Hoists the scalars and assertions of a program.
pub fn run(mut program: Program) -> Program {
    let interfaces = Interfaces::of_program(&program);
    for function in &mut program.functions {
        alone(&mut function.body, &interfaces);
    }
    program
}

/// Whether the statement computes scalars only, and always does.
fn is_pure(statement: &Statement) -> bool {
    let scalar = statement.pattern.iter().all(|binder| matches!(binder.ty, MemType::Prim(_)));
    scalar
        && match &statement.exp {
            Exp::Atom(_) | Exp::Un(..) | Exp::Fma(..) | Exp::Convert { .. } => true,
            // (a selection)
            Exp::If { then, otherwise, .. } => then.statements.is_empty() && otherwise.statements.is_empty(),
            Exp::Bin(op, ty, _, right) => {
                // (a divisor of -1 may overflow)
                let divisor = right.as_const().and_then(|value| value.as_i64());
                !op.can_fail(*ty) || divisor.is_some_and(|divisor| divisor > 0)
            }
            _ => false,
        }
}

/// The latest of the statements that bind what is used, counted from 1; 0 if all is bound before the body.
struct Latest<'p> {
    body: &'p Moves,
    latest: usize,
    /// Whether it uses what the loop around binds.
    bound_around: bool,
}

impl Walk<Mem> for Latest<'_> {
    fn atom(&mut self, atom: &Atom) {
        let Some(var) = atom.as_var() else { return };
        self.latest = self.latest.max(self.body.places.get(&var).copied().unwrap_or(0));
        self.bound_around |= self.body.bound_around.contains(&var);
    }
    fn ty(&mut self, _: &MemType) {}
}

/// What a body is that of.
#[derive(Default)]
enum Around {
    Loop,
    /// The scalars that the sizes of blocks in it are computed from.
    Kernel {
        sizes: BTreeSet<Var>,
    },
    #[default]
    Nothing,
}

/// The scalars that the sizes of blocks in a body are computed from.
fn sizes(within: &Body) -> BTreeSet<Var> {
    #[derive(Default)]
    struct Find {
        sizes: BTreeSet<Var>,
        /// What scalars are computed from, in the order of the text.
        scalars: Vec<(Var, Vec<Var>)>,
        operands: Vec<Var>,
    }
    impl Walk<Mem> for Find {
        fn atom(&mut self, atom: &Atom) {
            self.operands.extend(atom.as_var());
        }
        fn ty(&mut self, _: &MemType) {}
        fn statement(&mut self, statement: &Statement) {
            self.operands.clear();
            walk_exp(self, &statement.exp);
            if let Exp::Op(MemOp::Alloc { .. }) = &statement.exp {
                self.sizes.extend(self.operands.drain(..));
            } else if let [binder] = statement.pattern.as_slice()
                && is_pure(statement)
            {
                self.scalars.push((binder.var, std::mem::take(&mut self.operands)));
            }
        }
    }
    let mut find = Find::default();
    find.body(within);
    for (scalar, operands) in find.scalars.into_iter().rev() {
        if find.sizes.contains(&scalar) {
            find.sizes.extend(operands);
        }
    }
    find.sizes
}

/// Where the statements of a body go.
#[derive(Default)]
struct Moves {
    /// Behind which of the statements that stay a variable is known.
    places: BTreeMap<Var, usize>,
    /// What the loop or kernel around binds, and what depends on it. Empty where the body is that of neither.
    bound_around: BTreeSet<Var>,
    around: Around,
    /// The statements that move, by that number.
    moved: Vec<Vec<Statement>>,
    /// Those that leave the loop.
    out: Vec<Statement>,
}

impl Moves {
    /// Moves a pure statement, or an assertion behind the given place.
    fn take(&mut self, statement: Statement, not_before: usize) -> usize {
        let mut latest = Latest { body: self, latest: not_before, bound_around: false };
        latest.exp(&statement.exp);
        let Latest { latest: place, bound_around, .. } = latest;
        let leaves = match &self.around {
            Around::Loop => true,
            Around::Kernel { sizes } => statement.pattern.iter().any(|binder| sizes.contains(&binder.var)),
            Around::Nothing => false,
        };
        if leaves && place == 0 && !bound_around && !matches!(statement.exp, Exp::Assert { .. }) {
            self.out.push(statement);
            return 0;
        }
        let binders = || statement.pattern.iter().map(|binder| binder.var);
        self.bound_around.extend(binders().filter(|_| bound_around));
        self.places.extend(binders().map(|var| (var, place)));
        self.moved[place].push(statement);
        place
    }
}

/// Moves the statements of a body that nothing leaves.
fn alone(within: &mut Body, interfaces: &Interfaces) {
    body(within, Around::Nothing, BTreeSet::new(), interfaces);
}

/// Moves the statements of a body; gives those that leave it, if it is that of a loop or kernel, which binds these.
fn body(
    within: &mut Body,
    around: Around,
    bound_around: BTreeSet<Var>,
    interfaces: &Interfaces,
) -> Vec<Statement> {
    let statements = std::mem::take(&mut within.statements);
    let mut moves = Moves { around, bound_around, ..Moves::default() };
    moves.moved.resize_with(statements.len() + 1, Vec::new);
    let mut stay: Vec<Option<Statement>> = Vec::with_capacity(statements.len());
    // Behind what an assertion stays.
    let mut last_stop = 0;
    for (at, mut statement) in statements.into_iter().enumerate() {
        match &mut statement.exp {
            Exp::Loop { params, form, body: inner } => {
                let mut bound: BTreeSet<Var> = params.iter().map(|param| param.binder.var).collect();
                bound.extend(match form {
                    LoopForm::For { var, .. } => Some(*var),
                    LoopForm::While(_) => None,
                });
                for out in body(inner, Around::Loop, bound, interfaces) {
                    moves.take(out, 0);
                }
            }
            Exp::Kernel { space, combine, body: inner } => {
                let lambda = combine.lambda_mut().map(|lambda| &mut lambda.body);
                lambda.into_iter().for_each(|inner| alone(inner, interfaces));
                let epilogue = combine.epilogue_mut().map(|lambda| &mut lambda.body);
                epilogue.into_iter().for_each(|inner| alone(inner, interfaces));
                let counters = space.iter().map(|(counter, _)| *counter).collect();
                let around = Around::Kernel { sizes: sizes(inner) };
                for out in body(inner, around, counters, interfaces) {
                    moves.take(out, 0);
                }
            }
            exp => for_each_body_mut(exp, &mut |inner| alone(inner, interfaces)),
        }
        let is_assert = matches!(statement.exp, Exp::Assert { .. });
        let stops = interfaces.may_stop(&statement);
        if is_assert || is_pure(&statement) {
            let place = moves.take(statement, if is_assert { last_stop } else { 0 });
            last_stop = if stops { place } else { last_stop };
            stay.push(None);
        } else {
            last_stop = if stops { at + 1 } else { last_stop };
            moves.places.extend(statement.pattern.iter().map(|binder| (binder.var, at + 1)));
            stay.push(Some(statement));
        }
    }
    let stay = std::iter::once(None).chain(stay);
    within.statements =
        stay.zip(moves.moved).flat_map(|(one, others)| one.into_iter().chain(others)).collect();
    moves.out
}
