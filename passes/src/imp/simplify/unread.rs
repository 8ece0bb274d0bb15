//! Arrays that nothing reads: what is written to them need not be.

use super::may_fail;
use fun_base::name::Var;
use imp::ir::{Exp, Procedure, StatementKind};
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

/// The views of blocks that the procedure allocates, writes at most and frees. The blocks themselves stay: sizes may be wrong, and memory is
/// counted.
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
