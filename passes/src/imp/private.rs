//! Which blocks belong to one list of statements: it allocates and frees them, and nobody else gets hold of them.

use fun_base::name::Var;
use imp::ir::{Space, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::BTreeSet;

/// The blocks in the default space that these statements allocate and free, each once and neither inside of a loop or branch, and that
/// are otherwise only seen through views.
pub(super) fn private_blocks(body: &[Statement]) -> BTreeSet<Var> {
    let mut blocks: BTreeSet<Var> = body.iter().filter_map(allocated).collect();
    if blocks.is_empty() {
        return blocks;
    }
    let at_end: BTreeSet<Var> = body.iter().filter_map(freed).collect();
    blocks.retain(|block| at_end.contains(block));
    let (mut once, mut again) = (BTreeSet::new(), BTreeSet::new());
    let mut passed = BTreeSet::new();
    for_each_statement(body, &mut |statement| {
        if let Some(block) = freed(statement) {
            if !once.insert(block) {
                again.insert(block);
            }
        } else if !matches!(statement.kind, StatementKind::View { .. }) {
            statement.kind.for_each_use(&mut |var| _ = passed.insert(var));
        }
    });
    blocks.retain(|block| !again.contains(block) && !passed.contains(block));
    blocks
}

/// The block in the default space that the statement allocates.
pub(super) fn allocated(statement: &Statement) -> Option<Var> {
    match &statement.kind {
        StatementKind::Alloc { var, space: Space::Default, .. } => Some(*var),
        _ => None,
    }
}

/// The block that the statement frees.
pub(super) fn freed(statement: &Statement) -> Option<Var> {
    if let StatementKind::Free(var) = statement.kind { Some(var) } else { None }
}

/// Whether statements allocate in the default space, those inside of others too.
pub(super) fn allocates(body: &[Statement]) -> bool {
    let mut found = false;
    for_each_statement(body, &mut |statement| found |= allocated(statement).is_some());
    found
}

/// Whether statements allocate, or call what may.
pub(super) fn has_blocks(body: &[Statement]) -> bool {
    let mut found = false;
    for_each_statement(body, &mut |statement| {
        found |= matches!(
            statement.kind,
            StatementKind::Alloc { .. }
                | StatementKind::Share(_)
                | StatementKind::Free(_)
                | StatementKind::Call { .. }
        );
    });
    found
}
