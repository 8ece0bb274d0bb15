//! Arrays that nothing reads: what is written to them need not be, and blocks of a frame or a group that nothing looks at need not be there.

use super::may_fail;
use fun_base::name::Var;
use imp::ir::{Exp, Procedure, Space, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

/// The views of blocks that the procedure allocates, writes at most and frees. (Which of the blocks stay: [`drop_unseen_blocks`].)
pub(super) fn unread_views(procedure: &Procedure) -> BTreeSet<Var> {
    let (mut unread, mut views) = (BTreeSet::new(), BTreeMap::new());
    for_each_statement(&procedure.body, &mut |statement| match &statement.kind {
        StatementKind::Alloc { var, .. } => {
            unread.insert(*var);
        }
        StatementKind::View { var, mem, .. } => {
            views.insert(*var, *mem);
        }
        StatementKind::Window { var, view, .. } => {
            if let Some(block) = views.get(view).copied() {
                views.insert(*var, block);
            }
        }
        _ => {}
    });
    let read = |exp: &Exp, unread: &mut BTreeSet<Var>| {
        exp.for_each_read(&mut |view, _| {
            views.get(&view).map(|block| unread.remove(block));
        });
    };
    for_each_statement(&procedure.body, &mut |statement| {
        statement.kind.for_each_exp(&mut |exp| read(exp, &mut unread));
        match &statement.kind {
            StatementKind::Free(_) | StatementKind::View { .. } => {}
            StatementKind::Copy { source, .. } | StatementKind::Shuffle { source, .. } => {
                views.get(source).map(|block| unread.remove(block));
            }
            // other blocks look at words, and other threads at lock cells
            StatementKind::Ordered { words: view, .. } | StatementKind::Lock { view, .. } => {
                views.get(view).map(|block| unread.remove(block));
            }
            // what may fail stays, and adds to what was written before
            StatementKind::Accumulate { view, .. } | StatementKind::Atomic { view, .. }
                if may_fail(&statement.kind) =>
            {
                views.get(view).map(|block| unread.remove(block));
            }
            kind => kind.for_each_use(&mut |var| {
                unread.remove(&var);
            }),
        }
    });
    for (result, _) in &procedure.results {
        read(result, &mut unread);
        result.for_each_var(&mut |var| {
            unread.remove(&var);
        });
    }
    views.into_iter().filter(|(_, block)| unread.contains(block)).map(|(view, _)| view).collect()
}

/// Drops blocks of constant size in stack frames, groups or threads that are only allocated and freed. Those of the heap stay: sizes may be
/// wrong, and memory is counted.
pub(super) fn drop_unseen_blocks(procedure: &mut Procedure) {
    let (mut unseen, mut seen) = (BTreeSet::new(), BTreeSet::new());
    for_each_statement(&procedure.body, &mut |statement| match &statement.kind {
        StatementKind::Alloc {
            var, shape, space: Space::Stack | Space::Shared | Space::Register, ..
        } if shape.iter().all(|factor| matches!(factor, Exp::Const(_))) => {
            unseen.insert(*var);
        }
        StatementKind::Free(_) => {}
        kind => kind.for_each_use(&mut |var| {
            seen.insert(var);
        }),
    });
    for (result, _) in &procedure.results {
        result.for_each_var(&mut |var| {
            seen.insert(var);
        });
    }
    unseen.retain(|block| !seen.contains(block));
    if !unseen.is_empty() {
        drop_blocks(&mut procedure.body, &unseen);
    }
}

fn drop_blocks(body: &mut Vec<Statement>, blocks: &BTreeSet<Var>) {
    body.retain_mut(|statement| {
        statement.kind.for_each_body_mut(&mut |inner| drop_blocks(inner, blocks));
        !matches!(&statement.kind, StatementKind::Alloc { var, .. } | StatementKind::Free(var) if blocks.contains(var))
    });
}
