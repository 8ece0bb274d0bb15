//! Wrong kernels: threads beyond the last iteration, and memory of threads that lies in that of others.

use super::lowered::each;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_index::poly::Poly;
use imp::ir::{Exp, LoopKind, Program, Space, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::BTreeMap;

/// All threads of the last block have an iteration, whether there are so many or not.
pub(super) fn tail_not_guarded(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::For { kind: LoopKind::Thread, body, .. } = kind {
            body.iter_mut().for_each(drop_guard);
        }
    });
    program
}

fn drop_guard(statement: &mut Statement) {
    match &mut statement.kind {
        StatementKind::If { condition, otherwise, .. } if otherwise.is_empty() => {
            if matches!(condition, Exp::Bin(BinOp::Lt, PrimType::I64, ..)) {
                *condition = Exp::Const(fun_base::prim::PrimValue::Bool(true));
            }
        }
        StatementKind::For { body, .. } => body.iter_mut().for_each(drop_guard),
        _ => {}
    }
}

/// Arrays of threads begin next to each other, but their elements do not keep the distance of all of them.
pub(super) fn expansion_not_strided(mut program: Program) -> Program {
    let mut copies: BTreeMap<Var, Var> = BTreeMap::new();
    for procedure in &program.procedures {
        for_each_statement(&procedure.body, &mut |statement| {
            if let StatementKind::Alloc { var, shape, space: Space::Device, .. } = &statement.kind
                && let [Exp::Var(first), _, ..] = shape.as_slice()
                && first.text.as_str() == "copies"
            {
                copies.insert(*var, *first);
            }
        });
    }
    each(&mut program, &mut |kind| {
        if let StatementKind::View { mem, lmad, .. } = kind
            && let Some(count) = copies.get(mem)
        {
            *lmad = lmad.subst(&mut |var| if var == *count { Poly::constant(1) } else { Poly::var(var) });
        }
    });
    program
}
