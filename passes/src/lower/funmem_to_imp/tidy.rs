//! What the lowering leaves behind: views that nothing uses go, and blocks are freed right after their last use, which may make sharing them
//! unnecessary.

use fun_base::name::Var;
use imp::ir::{Exp, ImpType, Statement, StatementKind};
use std::collections::{BTreeMap, BTreeSet};

/// Tidies the body of a procedure.
pub(super) fn tidy(body: &mut Vec<Statement>, results: &[(Exp, ImpType)]) {
    let mut used = BTreeSet::new();
    for (result, _) in results {
        result.for_each_var(&mut |var| {
            used.insert(var);
        });
    }
    drop_views(body, &mut used);
    free_early(body);
}

/// Drops unused views, from the last statement to the first: uses come after declarations.
fn drop_views(body: &mut Vec<Statement>, used: &mut BTreeSet<Var>) {
    let mut kept = Vec::with_capacity(body.len());
    for mut statement in std::mem::take(body).into_iter().rev() {
        if let StatementKind::View { var, .. } | StatementKind::Window { var, .. } = &statement.kind
            && !used.contains(var)
        {
            continue;
        }
        // The arms of a branch don't see each other's views, so their order does not matter.
        statement.kind.for_each_body_mut(&mut |inner| drop_views(inner, used));
        statement.kind.for_each_use(&mut |var| {
            used.insert(var);
        });
        kept.push(statement);
    }
    kept.reverse();
    *body = kept;
}

/// Moves each `free` up, behind the last statement of the same list that mentions the block or a view on it. Gives the variables from
/// outside of the list that are mentioned anywhere in it.
fn free_early(body: &mut Vec<Statement>) -> BTreeSet<Var> {
    let mut outside = BTreeSet::new();
    let mut last_use: BTreeMap<Var, usize> = BTreeMap::new();
    // Which blocks a view is on. Only views of this list: those declared deeper are used deeper.
    let mut block_of: BTreeMap<Var, Var> = BTreeMap::new();
    // Statements to come behind each statement.
    let mut moved: Vec<Vec<Statement>> = vec![Vec::new(); body.len()];
    let mut stay = Vec::with_capacity(body.len());
    for (at, mut statement) in std::mem::take(body).into_iter().enumerate() {
        let mut mentioned = BTreeSet::new();
        statement.kind.for_each_body_mut(&mut |inner| mentioned.append(&mut free_early(inner)));
        statement.kind.for_each_use(&mut |var| {
            mentioned.insert(var);
        });
        outside.extend(&mentioned);
        if let StatementKind::Free(block) = statement.kind
            && let Some(last) = last_use.get(&block)
        {
            moved[*last].push(statement);
            stay.push(None);
            continue;
        }
        match &statement.kind {
            StatementKind::View { var, mem, .. } => {
                block_of.insert(*var, *mem);
            }
            StatementKind::Window { var, view, .. } => {
                if let Some(block) = block_of.get(view).copied() {
                    block_of.insert(*var, block);
                }
            }
            _ => {}
        }
        last_use.extend(statement.kind.declares().map(|var| (var, at)));
        for var in mentioned {
            last_use.insert(var, at);
            if let Some(block) = block_of.get(&var) {
                last_use.insert(*block, at);
            }
        }
        stay.push(Some(statement));
    }
    for statement in
        stay.into_iter().zip(moved).flat_map(|(statement, moved)| statement.into_iter().chain(moved))
    {
        push_or_cancel(body, statement);
    }
    for var in body.iter().flat_map(|statement| statement.kind.declares()) {
        outside.remove(&var);
    }
    outside
}

/// Appends a statement. A `free` of what was just shared takes the `share` away instead: someone else is the owner now.
fn push_or_cancel(body: &mut Vec<Statement>, statement: Statement) {
    if let StatementKind::Free(block) = statement.kind {
        let harmless =
            |kind: &StatementKind| matches!(kind, StatementKind::Declare { .. } | StatementKind::Share(_));
        let recent = body.iter().rposition(|earlier| {
            matches!(earlier.kind, StatementKind::Share(var) if var == block) || !harmless(&earlier.kind)
        });
        if let Some(at) = recent
            && matches!(body[at].kind, StatementKind::Share(_))
        {
            body.remove(at);
            return;
        }
    }
    body.push(statement);
}
