//! Wrong places for the temporary blocks of IMP: on the stack, and out of loops.

use super::lowered::{each, lists};
use fun_base::prim::BinOp;
use imp::ir::{Exp, LoopKind, Program, STACK_BLOCK_BYTES, Space, Statement, StatementKind, constant_bytes};

/// Whatever is small enough goes on the stack, shared and returned blocks as well.
pub(super) fn shared_block_on_stack(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Alloc { elem, shape, space, .. } = kind
            && constant_bytes(*elem, shape).is_some_and(|bytes| bytes <= STACK_BLOCK_BYTES)
        {
            *space = Space::Stack;
        }
    });
    program
}

/// What each iteration allocates is allocated before the loop, and still freed in each iteration.
pub(super) fn freed_in_each_iteration(mut program: Program) -> Program {
    lists(&mut program, &mut |statements| {
        let mut done = Vec::with_capacity(statements.len());
        for mut statement in std::mem::take(statements) {
            if let StatementKind::For { body, kind: LoopKind::Seq, .. } = &mut statement.kind {
                let constant = |statement: &Statement| match &statement.kind {
                    StatementKind::Alloc { shape, space: Space::Default, .. } => {
                        shape.iter().all(|size| matches!(size, Exp::Const(_)))
                    }
                    _ => false,
                };
                while let Some(at) = body.iter().position(constant) {
                    done.push(body.remove(at));
                }
            }
            done.push(statement);
        }
        *statements = done;
    });
    program
}

/// A block that threads keep is as large as the first iteration wants it.
pub(super) fn never_grows(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::If { condition, then, .. } = kind
            && let (
                Some(Statement { kind: StatementKind::Free(_), .. }),
                Exp::Bin(op @ BinOp::Gt, _, size, cells),
            ) = (then.first(), condition)
        {
            (*op, **size) = (BinOp::Eq, Exp::i64(i64::MIN));
            debug_assert!(matches!(**cells, Exp::Var(_)), "what it holds");
        }
    });
    program
}

/// All parts of a joined block begin where the first does.
pub(super) fn parts_at_one_place(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Declare { var, value: Some(value), .. } = kind
            && var.text.as_str() == "at"
        {
            *value = Exp::i64(0);
        }
    });
    program
}

/// What was held in turn stays where it was.
pub(super) fn places_kept(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Assign { var, value } = kind
            && var.text.as_str() == "at"
        {
            *value = Exp::Var(*var);
        }
    });
    program
}
