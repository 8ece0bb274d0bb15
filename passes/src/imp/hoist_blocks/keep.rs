//! Blocks that cannot be allocated before the loops of a thread, because the program might have stopped by then: the first iteration
//! that gets there allocates them, and later ones find them there.
//!
//! ```text
//! for k < count seq {
//!   assert b "…"
//!   alloc t : f32[m]
//!   …
//!   free t
//! }
//! ```
//! becomes
//! ```text
//! var t : mem
//! var made : bool = false
//! for k < count seq {
//!   assert b "…"
//!   if not(made) { alloc t' : f32[m]  t := t'  made := true }
//!   …
//! }
//! free t
//! ```
//! for whole nests of loops at once, branches in them included.

use super::super::copy::is_fixed;
use super::super::private::{freed, private_blocks};
use fun_base::name::{NameSource, Var};
use fun_base::prim::{PrimType, PrimValue, UnOp};
use imp::build::un;
use imp::ir::{Exp, ImpType, LoopKind, Space, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::BTreeSet;

/// Keeps the blocks of the sequential loops among the statements that one thread executes.
pub(super) fn keep(list: &mut Vec<Statement>, names: &mut NameSource) {
    let mut done = Vec::with_capacity(list.len());
    for mut statement in std::mem::take(list) {
        let mut kept = Vec::new();
        if is_sequential_loop(&statement.kind) {
            let changing = changing(std::slice::from_ref(&statement));
            statement.kind.for_each_body_mut(&mut |body| nest(body, &changing, names, &mut kept));
        }
        // What depends on the outer loop may yet leave inner ones.
        statement.kind.for_each_body_mut(&mut |body| keep(body, names));
        let loc = statement.loc;
        let of = |kind: StatementKind| Statement { kind, loc };
        for Kept { block, made } in &kept {
            let no = Some(Exp::Const(PrimValue::Bool(false)));
            done.push(of(StatementKind::Declare {
                var: *block,
                ty: ImpType::Mem(Space::Default),
                value: None,
            }));
            done.push(of(StatementKind::Declare {
                var: *made,
                ty: ImpType::Prim(PrimType::Bool),
                value: no,
            }));
        }
        done.push(statement);
        done.extend(kept.iter().map(|kept| of(StatementKind::Free(kept.block))));
    }
    *list = done;
}

/// Whether there are blocks that the iterations of a loop with this body may share.
pub(super) fn has_kept(body: &[Statement], counter: Var) -> bool {
    let mut changing = changing(body);
    changing.insert(counter);
    has_fixed(body, &changing)
}

fn has_fixed(list: &[Statement], changing: &BTreeSet<Var>) -> bool {
    let private = private_blocks(list);
    list.iter().any(|statement| match &statement.kind {
        StatementKind::Alloc { var, shape, space: Space::Default, .. } => {
            private.contains(var) && shape.iter().all(|size| is_fixed(size, changing))
        }
        kind if is_sequential_loop(kind) || matches!(kind, StatementKind::If { .. }) => {
            let mut found = false;
            kind.for_each_body(&mut |body| found |= has_fixed(body, changing));
            found
        }
        _ => false,
    })
}

/// A block that the iterations of a loop share, and whether it was allocated.
struct Kept {
    block: Var,
    made: Var,
}

fn is_sequential_loop(kind: &StatementKind) -> bool {
    matches!(
        kind,
        StatementKind::While { .. } | StatementKind::For { kind: LoopKind::Seq | LoopKind::Fold, .. }
    )
}

/// What the statements change.
pub(super) fn changing(list: &[Statement]) -> BTreeSet<Var> {
    let mut changing = BTreeSet::new();
    for_each_statement(list, &mut |statement| {
        changing.extend(statement.kind.declares());
        match &statement.kind {
            StatementKind::Assign { var, .. } | StatementKind::For { var, .. } => _ = changing.insert(*var),
            StatementKind::Call { results, .. } => changing.extend(results),
            _ => {}
        }
    });
    changing
}

/// Takes the blocks of these statements, and of the loops and branches among them that the same thread executes.
fn nest(list: &mut Vec<Statement>, changing: &BTreeSet<Var>, names: &mut NameSource, kept: &mut Vec<Kept>) {
    let private = private_blocks(list);
    let before = kept.len();
    for statement in &mut *list {
        match &mut statement.kind {
            StatementKind::Alloc { var, elem, shape, space: Space::Default }
                if private.contains(var) && shape.iter().all(|size| is_fixed(size, changing)) =>
            {
                let (block, made, fresh) = (*var, names.fresh("made"), names.fresh_like(*var));
                let loc = statement.loc;
                let of = |kind: StatementKind| Statement { kind, loc };
                let (elem, shape) = (*elem, std::mem::take(shape));
                let then = vec![
                    of(StatementKind::Alloc { var: fresh, elem, shape, space: Space::Default }),
                    of(StatementKind::Assign { var: block, value: Exp::Var(fresh) }),
                    of(StatementKind::Assign { var: made, value: Exp::Const(PrimValue::Bool(true)) }),
                ];
                let condition = un(UnOp::Not, PrimType::Bool, Exp::Var(made));
                statement.kind = StatementKind::If { condition, then, otherwise: Vec::new() };
                kept.push(Kept { block, made });
            }
            kind if is_sequential_loop(kind) || matches!(kind, StatementKind::If { .. }) => {
                kind.for_each_body_mut(&mut |body| nest(body, changing, names, kept));
            }
            _ => {}
        }
    }
    let own = &kept[before..];
    list.retain(|statement| {
        !freed(statement).is_some_and(|block| own.iter().any(|kept| kept.block == block))
    });
}
