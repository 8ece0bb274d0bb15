//! Which blocks belong to one list of statements: it allocates and frees them, and nobody else gets hold of them.

use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use imp::build::{bin, convert};
use imp::ir::{Exp, Space, Statement, StatementKind};
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

/// How many bytes an array takes, as f64: too many for an integer are no few. A negative size is none.
pub(crate) fn bytes(elem: PrimType, shape: &[Exp]) -> Exp {
    let number = |size: &Exp| {
        let size = bin(BinOp::Max, PrimType::I64, size.clone(), Exp::i64(0));
        convert(PrimType::F64, PrimType::I64, size)
    };
    let of_cell = Exp::Const(f64::from(elem.bytes()).into());
    shape.iter().map(number).fold(of_cell, |x, y| bin(BinOp::Mul, PrimType::F64, x, y))
}

/// How many blocks of so many threads, each with memory of so many bytes (as f64), there may be: as many as need no more than `limit` bytes, between these two.
pub(crate) fn blocks_within(limit: i64, of_thread: Exp, threads: i64, (least, most): (i64, i64)) -> Exp {
    let f64 = PrimType::F64;
    let float = |n: i64| Exp::Const((n as f64).into());
    let of_block = bin(BinOp::Mul, f64, of_thread, float(threads));
    // (sizes of zero, and of more than there is)
    let fitting = bin(BinOp::Div, f64, float(limit), bin(BinOp::Max, f64, of_block, float(1)));
    let fitting = convert(PrimType::I64, f64, bin(BinOp::Min, f64, fitting, float(most)));
    bin(BinOp::Max, PrimType::I64, fitting, Exp::i64(least))
}
