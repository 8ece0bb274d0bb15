//! Wrong tiles of products on a device: threads that do not wait for one another, tiles that are not the next one, and results beyond the edges.

use super::kernels::{run_through, writes};
use super::lowered::{each, lists};
use fun_base::prim::{BinOp, PrimType};
use imp::ir::{Exp, LoopKind, Program, StatementKind};

/// The tile loop of a product, and not one of scans.
fn is_tile_loop(kind: &StatementKind) -> bool {
    matches!(kind, StatementKind::For { var, kind: LoopKind::Seq, body, .. } if var.text.as_str() == "tile" && writes(body, "left"))
}

/// The threads of a block use a tile before all of them have filled it: each goes through all tiles by itself.
pub(super) fn tile_not_awaited(mut program: Program) -> Program {
    lists(&mut program, &mut |list| {
        list.iter_mut().filter(|statement| is_tile_loop(&statement.kind)).for_each(run_through);
    });
    program
}

/// The next tile goes where others still read the present one.
pub(super) fn tile_halves_alike(mut program: Program) -> Program {
    in_tile_loops(&mut program, "other", &|value| {
        if let Exp::Bin(BinOp::Sub, _, _, half) = value {
            *value = (**half).clone();
        }
    });
    program
}

/// The next tile is the present one once more.
pub(super) fn next_tile_alike(mut program: Program) -> Program {
    in_tile_loops(&mut program, "next", &|value| {
        if let Exp::Bin(BinOp::Add, _, start, _) = value {
            *value = (**start).clone();
        }
    });
    program
}

/// Changes the value of a variable in the tile loops of products.
fn in_tile_loops(program: &mut Program, name: &str, change: &dyn Fn(&mut Exp)) {
    each(program, &mut |kind| {
        if !is_tile_loop(kind) {
            return;
        }
        kind.for_each_body_mut(&mut |body| {
            for statement in body {
                if let StatementKind::Let { var, value, .. } = &mut statement.kind
                    && var.text.as_str() == name
                {
                    change(value);
                }
            }
        });
    });
}

/// The threads of a block compute with the first tile before anybody has read it.
pub(super) fn first_tile_forgotten(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::If { condition: Exp::Bin(BinOp::Lt, _, none, _), then, .. } = kind
            && **none == Exp::i64(0)
            && writes(then, "left")
        {
            then.clear();
        }
    });
    program
}

/// The last tile is counted in full, whether there are so many inner indices or not.
pub(super) fn tile_rest_counted(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Let { var, value, .. } = kind
            && var.text.as_str() == "deep"
            && let Exp::Bin(BinOp::Min, _, _, whole) = value
        {
            *value = (**whole).clone();
        }
    });
    program
}

/// The blocks of all products of a batch have the operands of the first.
pub(super) fn products_alike(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Let { var, value, .. } = kind
            && var.text.as_str() == "product"
        {
            *value = Exp::i64(0);
        }
    });
    program
}

/// Tiles at the edges write beyond them.
pub(super) fn tile_ends_written(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::If { condition, .. } = kind
            && let Exp::Bin(BinOp::And, PrimType::Bool, row, column) = condition
            && matches!((&**row, &**column), (Exp::Bin(BinOp::Lt, ..), Exp::Bin(BinOp::Lt, ..)))
        {
            *condition = (**row).clone();
        }
    });
    program
}
