//! Loops that run in the iterations of others, wrongly.

use super::lowered::{each, lists};
use imp::build::sub;
use imp::ir::{Exp, LoopKind, Program, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::BTreeMap;

/// Where a fold with writes of its own ends, it ends an iteration too early.
pub(super) fn last_lost(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::For { kind: LoopKind::Fold, bound, body, .. } = kind
            && has_map(body)
        {
            *bound = sub(bound.clone(), Exp::i64(1));
        }
    });
    program
}

/// What a fold has of a cell that a map in it makes in place is what was there before.
pub(super) fn old_value(mut program: Program) -> Program {
    let mut blocks = BTreeMap::new();
    for procedure in &program.procedures {
        for_each_statement(&procedure.body, &mut |statement| {
            if let StatementKind::View { var, mem, .. } = &statement.kind {
                blocks.insert(*var, *mem);
            }
        });
    }
    each(&mut program, &mut |kind| {
        let StatementKind::For { kind: LoopKind::Fold, body, .. } = kind else { return };
        let mut cells = Vec::new();
        let mut renamed = BTreeMap::new();
        for statement in body {
            statement.kind.rename(&mut |var| renamed.get(&var).copied().unwrap_or(var));
            match &statement.kind {
                StatementKind::Let { var, value: Exp::Read { view, indices }, .. } => {
                    cells.push((blocks.get(view).copied(), indices.clone(), *var));
                }
                StatementKind::Write { view, indices, value: Exp::Var(new) } => {
                    let block = blocks.get(view).copied();
                    let old = cells.iter().find(|(other, at, _)| *other == block && at == indices);
                    renamed.extend(old.map(|(.., old)| (*new, *old)));
                }
                _ => {}
            }
        }
    });
    program
}

/// Maps run right before the next reduction in chunks.
pub(super) fn over_reads(mut program: Program) -> Program {
    lists(&mut program, &mut |statements| {
        let Some(reduction) = statements.iter().rposition(is_chunked) else { return };
        let map = |statement: &Statement| {
            matches!(&statement.kind, StatementKind::For { kind: LoopKind::Par, .. })
                && !is_chunked(statement)
        };
        if let Some(at) = statements[..reduction].iter().rposition(map) {
            let map = statements.remove(at);
            statements.insert(reduction - 1, map);
        }
    });
    program
}

/// Writes of a map are where the count of the chunk says, not that of the reduction.
pub(super) fn in_first_chunk(mut program: Program) -> Program {
    lists(&mut program, &mut |statements| {
        let mut counts = Vec::new();
        for statement in statements.iter_mut() {
            match &mut statement.kind {
                StatementKind::Let { var, value: Exp::Bin(_, _, start, count), .. } => {
                    if let (Exp::Var(start), Exp::Var(count)) = (&**start, &**count)
                        && start.text.as_str() == "start"
                    {
                        counts.push((*var, *count));
                    }
                }
                StatementKind::Write { indices, .. } => {
                    for index in indices {
                        if let Some((_, count)) = counts.iter().find(|(var, _)| *index == Exp::Var(*var)) {
                            *index = Exp::Var(*count);
                        }
                    }
                }
                _ => {}
            }
        }
    });
    program
}

/// A loop right behind a nest with as many iterations runs at the end of these, whatever both touch.
pub(super) fn behind_anything(mut program: Program) -> Program {
    lists(&mut program, &mut |statements| {
        let parallel = |statement: &Statement, nest: bool| match &statement.kind {
            StatementKind::For { bound, kind: LoopKind::Par, body, .. } => {
                let loops = body.iter().any(|inner| matches!(inner.kind, StatementKind::For { .. }));
                (loops == nest).then(|| bound.clone())
            }
            _ => None,
        };
        let Some(nest) = statements.iter().position(|statement| parallel(statement, true).is_some()) else {
            return;
        };
        let Some(behind) = statements[nest + 1..].iter().position(|statement| {
            !matches!(statement.kind, StatementKind::Let { .. } | StatementKind::View { .. })
        }) else {
            return;
        };
        let at = nest + 1 + behind;
        if parallel(&statements[at], false) != parallel(&statements[nest], true) {
            return;
        }
        let StatementKind::For { var: counter, body: mut moved, .. } = statements.remove(at).kind else {
            return;
        };
        // what stands between may be what it needs
        statements[nest..at].rotate_left(1);
        if let StatementKind::For { var, body, .. } = &mut statements[at - 1].kind {
            let own = *var;
            for statement in &mut moved {
                statement.kind.rename(&mut |var| if var == counter { own } else { var });
            }
            body.append(&mut moved);
        }
    });
    program
}

fn has_map(body: &[Statement]) -> bool {
    let has = |is: fn(&StatementKind) -> bool| body.iter().any(|statement| is(&statement.kind));
    has(|kind| matches!(kind, StatementKind::Write { .. }))
        && has(|kind| matches!(kind, StatementKind::Assign { .. }))
}

fn is_chunked(statement: &Statement) -> bool {
    let StatementKind::For { kind: LoopKind::Par, body, .. } = &statement.kind else { return false };
    body.iter().any(|statement| matches!(statement.kind, StatementKind::For { kind: LoopKind::Fold, .. }))
}

/// What an iteration copies for itself before its loops is the first element of all.
pub(super) fn copied_first(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        let StatementKind::For { var, kind: LoopKind::Par, body, .. } = kind else { return };
        let own = [Exp::Var(*var)];
        if let [copied, written, rest @ ..] = body.as_mut_slice()
            && let (
                StatementKind::Let { var: elem, value: Exp::Read { indices: from, .. }, .. },
                StatementKind::Write { indices: to, value: Exp::Var(value), .. },
            ) = (&mut copied.kind, &written.kind)
            && value == elem
            && *from == own
            && *to == own
            && rest.iter().any(|statement| matches!(statement.kind, StatementKind::For { .. }))
        {
            *from = vec![Exp::i64(0)];
        }
    });
    program
}
