//! Reductions that are cut for threads, as `lower-to-imp` makes them.

use super::Refusal;
use super::legal::is_straight;
use crate::imp::copy::constant;
use crate::imp::split_folds::accumulators_beside_cells;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use imp::build::{add, bin, sub};
use imp::ir::{Exp, LoopKind, Statement, StatementKind};

const I64: PrimType = PrimType::I64;

/// A parallel loop over chunks, each of which is a fold over its elements.
pub(super) struct Reduction<'s> {
    /// What an element's index is called in an iteration of the fold.
    pub(super) index: Var,
    /// That iteration.
    pub(super) body: &'s [Statement],
    /// Where the results of chunks go.
    pub(super) partial: Vec<Var>,
}

impl<'s> Reduction<'s> {
    /// A reduction over all of `size` elements, each once, where these statements stand before it.
    pub(super) fn of(
        statement: &'s Statement,
        before: &[Statement],
        size: &Exp,
    ) -> Result<Reduction<'s>, Refusal> {
        let (chunk_loop, at) = chunks(statement).ok_or(Refusal::Kinds)?;
        let StatementKind::For { var: c, bound: chunks, body: chunk_body, .. } = &chunk_loop.kind else {
            return Err(Refusal::Kinds);
        };
        let (front, rest) = chunk_body.split_at(at);
        let StatementKind::For { var: k, bound: Exp::Var(count), body, .. } = &rest[0].kind else {
            return Err(Refusal::Kinds);
        };
        let Some(StatementKind::Let { var: index, value: place, .. }) = body.first().map(|first| &first.kind)
        else {
            return Err(Refusal::Kinds);
        };
        let straight = |statement: &Statement| match &statement.kind {
            StatementKind::Assign { .. } => true,
            _ => is_straight(std::slice::from_ref(statement)),
        };
        if !body.iter().all(straight) || accumulators_beside_cells(body, *k).is_none() {
            return Err(Refusal::Kinds);
        }
        let mut partial = Vec::new();
        for statement in &rest[1..] {
            match &statement.kind {
                StatementKind::Write { view, .. } => partial.push(*view),
                _ => return Err(Refusal::Kinds),
            }
        }
        // the parts: element `start + k` for `k < min(size - start, chunk)`, where `start = c * chunk`
        let start = front.iter().find_map(|statement| match &statement.kind {
            StatementKind::Let { var, value: Exp::Bin(BinOp::Mul, I64, by, chunk), .. }
                if **by == Exp::Var(*c) && *place == add(*var, *k) =>
            {
                Some((*var, &**chunk))
            }
            _ => None,
        });
        let (start, chunk) = start.ok_or(Refusal::Kinds)?;
        let left = sub(size.clone(), start);
        if value_of(front, *count) != Some(&bin(BinOp::Min, I64, left, chunk.clone())) {
            return Err(Refusal::Spaces);
        }
        match are_enough(before, size, chunks, chunk) {
            true => Ok(Reduction { index: *index, body, partial }),
            false => Err(Refusal::Spaces),
        }
    }
}

/// Whether a statement has the form of a reduction in chunks.
pub(super) fn looks_like(statement: &Statement) -> bool {
    chunks(statement).is_some()
}

/// The loop over chunks, and where in its body the fold stands.
fn chunks(statement: &Statement) -> Option<(&Statement, usize)> {
    let StatementKind::For { kind: LoopKind::Par, body, .. } = &statement.kind else { return None };
    let at = body.iter().position(|statement| matches!(statement.kind, StatementKind::For { .. }))?;
    let scalars = body[..at]
        .iter()
        .all(|statement| matches!(statement.kind, StatementKind::Let { .. } | StatementKind::Declare { .. }));
    let fold = matches!(body[at].kind, StatementKind::For { ty: I64, kind: LoopKind::Fold, .. });
    (scalars && fold).then_some((statement, at))
}

/// The name of an element's index in an iteration, and the iteration.
pub(super) fn iterations(statement: &mut Statement) -> Option<(Var, &mut Vec<Statement>)> {
    let (_, at) = chunks(statement)?;
    let StatementKind::For { body, .. } = &mut statement.kind else { return None };
    let StatementKind::For { body, .. } = &mut body[at].kind else { return None };
    let index = body.first()?.kind.declares()?;
    Some((index, body))
}

/// Whether so many chunks of so many elements are all elements: one of both numbers is at least 1, the other one the size by it, rounded up.
fn are_enough(before: &[Statement], size: &Exp, chunks: &Exp, chunk: &Exp) -> bool {
    if let (Some(size), Some(chunks), Some(chunk)) = (constant(size), constant(chunks), constant(chunk)) {
        return chunks.checked_mul(chunk).is_some_and(|all| all >= size);
    }
    let definition = |exp: &Exp| match exp {
        Exp::Var(var) => value_of(before, *var).cloned(),
        _ => None,
    };
    let positive = |exp: &Exp| constant(exp).is_some_and(|number| number >= 1);
    let at_least_one = |exp: &Exp| match definition(exp) {
        Some(Exp::Select(_, yes, no)) => positive(&yes) && positive(&no),
        _ => positive(exp),
    };
    let less_one = match constant(chunks) {
        Some(chunks) => Exp::i64(chunks - 1),
        None => sub(chunks.clone(), Exp::i64(1)),
    };
    let rounded_up = bin(BinOp::Quot, I64, add(size.clone(), less_one), chunks.clone());
    at_least_one(chunks) && definition(chunk) == Some(rounded_up)
}

/// What an immutable variable is.
fn value_of(statements: &[Statement], var: Var) -> Option<&Exp> {
    statements.iter().find_map(|statement| match &statement.kind {
        StatementKind::Let { var: other, value, .. } if *other == var => Some(value),
        _ => None,
    })
}
