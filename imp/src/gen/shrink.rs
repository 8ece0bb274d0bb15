//! Smaller programs: without a procedure, a result or a statement, with one arm of a branch or one iteration of a loop instead of it,
//! with simpler expressions. Not all of them are valid; the caller sorts them out.

use super::{Argument, Generated};
use crate::ir::{Exp, ImpType, InterfaceSize, InterfaceValue, Procedure, Statement, StatementKind};
use fun_base::prim::PrimValue;

/// Candidates, those with more missing first.
pub(super) fn candidates(case: &Generated) -> Vec<Generated> {
    let mut found = Vec::new();
    for (p, procedure) in case.program.procedures.iter().enumerate() {
        if procedure.interface.is_none() {
            let mut smaller = case.clone();
            smaller.program.procedures.remove(p);
            found.push(smaller);
        }
        for result in 0..procedure.interface.as_ref().map_or(0, |interface| interface.gives.len()) {
            let mut smaller = case.clone();
            drop_result(&mut smaller.program.procedures[p], result);
            found.push(smaller);
        }
        for body in smaller_bodies(&procedure.body) {
            let mut smaller = case.clone();
            smaller.program.procedures[p].body = body;
            found.push(smaller);
        }
    }
    for (a, arg) in case.args.iter().enumerate() {
        if let Argument::Array(elem, values) = arg
            && !values.is_empty()
        {
            let mut smaller = case.clone();
            smaller.args[a] = Argument::Array(*elem, values[..values.len() / 2].to_vec());
            found.push(smaller);
        }
    }
    found
}

/// Drops a result of an entry point; frees its block.
fn drop_result(procedure: &mut Procedure, result: usize) {
    let Some(interface) = &mut procedure.interface else { return };
    let at = match interface.gives.remove(result) {
        InterfaceValue::Scalar { at, .. } => at,
        InterfaceValue::Array { mem, .. } => mem,
    };
    if let (Exp::Var(block), ImpType::Mem(_)) = procedure.results.remove(at) {
        procedure.body.push(Statement { kind: StatementKind::Free(block), loc: None });
    }
    let shift = |position: &mut usize| *position -= usize::from(*position > at);
    for value in &mut interface.gives {
        match value {
            InterfaceValue::Scalar { at, .. } => shift(at),
            InterfaceValue::Array { mem, shape, .. } => {
                shift(mem);
                for size in shape {
                    if let InterfaceSize::At(position) = size {
                        shift(position);
                    }
                }
            }
        }
    }
}

fn smaller_bodies(body: &[Statement]) -> Vec<Vec<Statement>> {
    let mut found = Vec::new();
    // Runs of statements, long ones first; then single ones replaced.
    let mut length = body.len();
    while length > 0 {
        for start in (0..=body.len() - length).step_by(length) {
            found.push([&body[..start], &body[start + length..]].concat());
        }
        length /= 2;
    }
    for (at, statement) in body.iter().enumerate() {
        for replacement in replacements(statement) {
            found.push([&body[..at], &replacement, &body[at + 1..]].concat());
        }
        if let Some(without) = without_owner(body, at) {
            found.push(without);
        }
    }
    found
}

/// Without a block and what is done to its owners.
fn without_owner(body: &[Statement], at: usize) -> Option<Vec<Statement>> {
    let block = body[at].kind.declares()?;
    let mentions = |statement: &Statement| {
        let mut found = statement.kind.declares() == Some(block);
        statement.kind.for_each_use(&mut |var| found |= var == block);
        found
    };
    Some(body.iter().filter(|statement| !mentions(statement)).cloned().collect())
}

fn replacements(statement: &Statement) -> Vec<Vec<Statement>> {
    let mut found = Vec::new();
    let with = |kind: StatementKind| vec![Statement { kind, loc: statement.loc }];
    match &statement.kind {
        StatementKind::If { condition, then, otherwise } => {
            found.extend([then.clone(), otherwise.clone()]);
            found.extend(smaller_bodies(then).into_iter().map(|then| {
                let (condition, otherwise) = (condition.clone(), otherwise.clone());
                with(StatementKind::If { condition, then, otherwise })
            }));
            found.extend(smaller_bodies(otherwise).into_iter().map(|otherwise| {
                let (condition, then) = (condition.clone(), then.clone());
                with(StatementKind::If { condition, then, otherwise })
            }));
        }
        StatementKind::For { var, ty, bound, kind, body } => {
            let (var, ty, kind) = (*var, *ty, *kind);
            let first = StatementKind::Let { var, ty, value: Exp::Const(ty.zero()) };
            found.push(with(first).into_iter().chain(body.iter().cloned()).collect());
            found.extend(smaller_bodies(body).into_iter().map(|body| {
                let bound = bound.clone();
                with(StatementKind::For { var, ty, bound, kind, body })
            }));
        }
        StatementKind::While { condition, body } => {
            found.push(body.clone());
            found.extend(smaller_bodies(body).into_iter().map(|body| {
                let condition = condition.clone();
                with(StatementKind::While { condition, body })
            }));
        }
        StatementKind::Lock { view, indices, body } => {
            found.push(body.clone());
            found.extend(smaller_bodies(body).into_iter().map(|body| {
                let indices = indices.clone();
                with(StatementKind::Lock { view: *view, indices, body })
            }));
        }
        StatementKind::Ordered { words, body } => {
            found.extend(
                smaller_bodies(body)
                    .into_iter()
                    .map(|body| with(StatementKind::Ordered { words: *words, body })),
            );
        }
        StatementKind::Let { .. }
        | StatementKind::Declare { .. }
        | StatementKind::Assign { .. }
        | StatementKind::Alloc { .. }
        | StatementKind::Share(_)
        | StatementKind::Free(_)
        | StatementKind::View { .. }
        | StatementKind::Window { .. }
        | StatementKind::Write { .. }
        | StatementKind::Accumulate { .. }
        | StatementKind::Atomic { .. }
        | StatementKind::Shuffle { .. }
        | StatementKind::Copy { .. }
        | StatementKind::Assert { .. }
        | StatementKind::Call { .. } => {}
    }
    let mut number = 0;
    statement.kind.for_each_exp(&mut |_| number += 1);
    for target in 0..number {
        for choice in 0..4 {
            let mut changed = statement.clone();
            let (mut k, mut done) = (0, false);
            changed.kind.for_each_exp_mut(&mut |exp| {
                if k == target {
                    done = simplify(exp, choice);
                }
                k += 1;
            });
            if done {
                found.push(vec![changed]);
            }
        }
    }
    found
}

/// Replaces the expression by one of its operands or a zero; false if there is no such choice.
fn simplify(exp: &mut Exp, choice: usize) -> bool {
    let mut children = Vec::new();
    exp.for_each_child(&mut |child| children.push(child.clone()));
    let replacement = match (choice, &*exp) {
        (0, Exp::Bin(op, ty, ..)) => op.result_type(*ty).map(|ty| Exp::Const(ty.zero())),
        (0, Exp::Un(op, ty, _)) => op.result_type(*ty).map(|ty| Exp::Const(ty.zero())),
        (0, Exp::Fma(ty, _)) => Some(Exp::Const(ty.zero())),
        (0, Exp::Convert { to, .. }) => Some(Exp::Const(to.zero())),
        (0, Exp::Const(value)) => {
            let zero: PrimValue = value.prim_type().zero();
            (zero != *value).then_some(Exp::Const(zero))
        }
        (0, Exp::Var(_) | Exp::Select(..) | Exp::Read { .. } | Exp::Threads | Exp::Param { .. }) => None,
        (choice, Exp::Bin(..) | Exp::Un(..) | Exp::Fma(..) | Exp::Select(..)) => {
            children.get(choice - 1).cloned()
        }
        (
            _,
            Exp::Const(_)
            | Exp::Var(_)
            | Exp::Convert { .. }
            | Exp::Read { .. }
            | Exp::Threads
            | Exp::Param { .. },
        ) => None,
    };
    let done = replacement.is_some();
    if let Some(replacement) = replacement {
        *exp = replacement;
    }
    done
}
