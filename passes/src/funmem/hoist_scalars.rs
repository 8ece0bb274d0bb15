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
//! of their operands. An assertion moves behind its condition and behind everything before it that may stop the program or run on
//! for ever: which message a program ends with stays the same. (It may now come before an allocation that fails.)
//!
//! Requires and ensures M1–M8. Cost: n log n in the size of the program.

use fun::ir::{Atom, LoopForm};
use fun::visit::{Walk, for_each_body, for_each_body_mut};
use fun_base::name::Var;
use funmem::ir::{Body, Exp, Mem, MemType, Program, Statement};
use std::collections::BTreeMap;

/// Hoists the scalars and assertions of a program.
pub fn run(mut program: Program) -> Program {
    program.functions.iter_mut().for_each(|function| body(&mut function.body));
    program
}

/// Whether executing the statement may stop the program, or not end. Allocations, which fail for want of memory, are not counted.
pub(super) fn may_stop(statement: &Statement) -> bool {
    let mut stops = matches!(
        &statement.exp,
        Exp::Assert { .. } | Exp::Call { .. } | Exp::Loop { form: LoopForm::While(_), .. }
    );
    for_each_body(&statement.exp, &mut |body| stops |= body.statements.iter().any(may_stop));
    stops
}

/// Whether the statement computes scalars only, and always does.
fn is_pure(statement: &Statement) -> bool {
    let scalar = statement.pattern.iter().all(|binder| matches!(binder.ty, MemType::Prim(_)));
    scalar
        && match &statement.exp {
            Exp::Atom(_) | Exp::Un(..) | Exp::Fma(..) | Exp::Convert { .. } => true,
            Exp::Bin(op, ty, ..) => !op.can_fail(*ty),
            _ => false,
        }
}

/// The latest of the statements that bind what is used, counted from 1; 0 if all is bound outside.
struct Latest<'p> {
    places: &'p BTreeMap<Var, usize>,
    latest: usize,
}

impl Walk<Mem> for Latest<'_> {
    fn atom(&mut self, atom: &Atom) {
        if let Some(place) = atom.as_var().and_then(|var| self.places.get(&var)) {
            self.latest = self.latest.max(*place);
        }
    }
    fn ty(&mut self, _: &MemType) {}
}

fn body(within: &mut Body) {
    let statements = std::mem::take(&mut within.statements);
    let mut moved: Vec<Vec<Statement>> = vec![Vec::new(); statements.len() + 1];
    let mut stay: Vec<Option<Statement>> = Vec::with_capacity(statements.len());
    // Behind which of the statements that stay a variable is known.
    let mut places: BTreeMap<Var, usize> = BTreeMap::new();
    // Behind what an assertion stays.
    let mut last_stop = 0;
    for (at, mut statement) in statements.into_iter().enumerate() {
        for_each_body_mut(&mut statement.exp, &mut |inner| body(inner));
        let is_assert = matches!(statement.exp, Exp::Assert { .. });
        let mut latest = Latest { places: &places, latest: if is_assert { last_stop } else { 0 } };
        let moves = is_assert || is_pure(&statement);
        let place = if moves {
            latest.exp(&statement.exp);
            latest.latest
        } else {
            at + 1
        };
        if is_assert || may_stop(&statement) {
            last_stop = place;
        }
        places.extend(statement.pattern.iter().map(|binder| (binder.var, place)));
        if moves {
            moved[place].push(statement);
            stay.push(None);
        } else {
            stay.push(Some(statement));
        }
    }
    let stay = std::iter::once(None).chain(stay);
    within.statements = stay.zip(moved).flat_map(|(one, others)| one.into_iter().chain(others)).collect();
}
