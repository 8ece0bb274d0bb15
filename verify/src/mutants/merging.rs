//! Merging of memory blocks, as register allocation merges registers: an allocation goes when an earlier block of the same size is not
//! used any more. Each mutant misses one kind of use, or one condition. And merging of maps.

use super::memory::{Alloc, Sees, allocs, last_use, rename_block, residents};
use super::rewrite::{bodies, number, used};
use fun::ir::{BinderType, Combine};
use fun::visit::for_each_body_mut;
use funmem::ir::{Body, Exp, Program, Statement};

/// Whether the room of the first block is enough for the second.
type Enough = fn(&Alloc, &Alloc) -> bool;

fn same_room(old: &Alloc, new: &Alloc) -> bool {
    old.elem == new.elem && old.shape == new.shape
}

/// Merges blocks. `late` is how many statements after the allocation the old block may still be used.
fn merge(mut program: Program, sees: Sees, enough: Enough, late: usize) -> Program {
    bodies(&mut program, &mut |body| while merge_one(body, sees, enough, late) {});
    program
}

fn merge_one(body: &mut Body, sees: Sees, enough: Enough, late: usize) -> bool {
    let all = allocs(body);
    for (k, new) in all.iter().enumerate() {
        // What the function gives back must stay a block of its own.
        let dead = |old: &&Alloc| enough(old, new) && last_use(body, old.block, sees) < new.at + late + 1;
        let old = all[..k].iter().filter(|old| last_use(body, old.block, sees) > old.at).find(dead);
        if let Some(old) = old {
            let (old, new) = (old.clone(), new.clone());
            rename_block(body, new.at, new.block, old.block);
            return true;
        }
    }
    false
}

/// Other names that a block gets from branches, loops and calls are forgotten (the shape of Futhark's #1545).
pub(super) fn aliases_forgotten(program: Program) -> Program {
    merge(program, Sees { aliases: false, ..Sees::ALL }, same_room, 0)
}

/// Arrays derived from one in the block are forgotten.
pub(super) fn views_forgotten(program: Program) -> Program {
    merge(program, Sees { views: false, ..Sees::ALL }, same_room, 0)
}

/// Uses inside branches, loops and kernels are not seen.
pub(super) fn nested_uses_forgotten(program: Program) -> Program {
    merge(program, Sees { nested: false, ..Sees::ALL }, same_room, 0)
}

/// That a body gives the block back is not seen.
pub(super) fn results_forgotten(program: Program) -> Program {
    merge(program, Sees { results: false, ..Sees::ALL }, same_room, 0)
}

/// Arguments of calls are not seen (the shape of Futhark's #1755: last uses were looked for in one part of the program).
pub(super) fn arguments_forgotten(program: Program) -> Program {
    merge(program, Sees { calls: false, ..Sees::ALL }, same_room, 0)
}

/// The statement that writes to the new block may still read the old one.
pub(super) fn last_use_one_late(program: Program) -> Program {
    merge(program, Sees::ALL, same_room, 1)
}

/// Sizes are compared by their number only.
pub(super) fn rank_is_size(program: Program) -> Program {
    merge(program, Sees::ALL, |old, new| old.elem == new.elem && old.shape.len() == new.shape.len(), 0)
}

/// Sizes are compared in elements though the elements of the new block are larger.
pub(super) fn element_size_forgotten(program: Program) -> Program {
    merge(program, Sees::ALL, |old, new| old.shape == new.shape && old.elem.bytes() < new.elem.bytes(), 0)
}

/// A constant size that is one too small is enough.
pub(super) fn room_off_by_one(program: Program) -> Program {
    let enough: Enough = |old, new| {
        let size = |alloc: &Alloc| alloc.shape.iter().try_fold(1, |size, atom| Some(size * number(*atom)?));
        old.elem == new.elem && size(old).zip(size(new)).is_some_and(|(old, new)| old + 1 == new)
    };
    merge(program, Sees::ALL, enough, 0)
}

/// Two allocations of one size are one, as if they were equal expressions.
pub(super) fn equal_allocations_shared(program: Program) -> Program {
    let nothing = Sees { aliases: false, views: false, nested: false, results: true, calls: false };
    merge(program, nothing, |old, new| same_room(old, new) && old.at + 2 == new.at, 1)
}

/// An allocation in a loop uses a block from outside that the loop reads only before it: but the next iteration reads it again.
pub(super) fn next_iteration_forgotten(mut program: Program) -> Program {
    bodies(&mut program, &mut |body| {
        let outside = allocs(body);
        for at in 0..body.statements.len() {
            let last_here = |old: &&Alloc| old.at < at && last_use(body, old.block, Sees::ALL) == at;
            let dying: Vec<&Alloc> = outside.iter().filter(last_here).collect();
            for old in dying {
                let there = residents(body, old.block, Sees::ALL);
                let statement = &mut body.statements[at];
                if !matches!(statement.exp, Exp::Loop { .. }) {
                    continue;
                }
                for_each_body_mut(&mut statement.exp, &mut |inner| {
                    let uses = |statement: &Statement| !used(statement).is_disjoint(&there);
                    let Some(last) = inner.statements.iter().rposition(uses) else { return };
                    let dead = |new: &&Alloc| same_room(old, new) && last < new.at;
                    if let Some(new) = allocs(inner).iter().find(dead) {
                        rename_block(inner, new.at, new.block, old.block);
                    }
                });
            }
        }
    });
    program
}

/// Two maps that were joined give each other's results, where these have one type.
pub(super) fn joined_results_swapped(mut program: Program) -> Program {
    bodies(&mut program, &mut |body| {
        for statement in &mut body.statements {
            let Exp::Kernel { combine: Combine::Map, body: inner, .. } = &mut statement.exp else { continue };
            let types: Vec<_> = statement.pattern.iter().map(|binder| binder.ty.erased()).collect();
            if let Some(first) = types.windows(2).position(|pair| pair[0] == pair[1]) {
                inner.results.swap(first, first + 1);
            }
        }
    });
    program
}

/// The operands of two operators that were joined stand in turn, each left one beside its right one, where all have one type.
pub(super) fn joined_operands_mixed(mut program: Program) -> Program {
    bodies(&mut program, &mut |body| {
        for statement in &mut body.statements {
            let Exp::Kernel { combine: Combine::Reduce { op, .. }, .. } = &mut statement.exp else {
                continue;
            };
            let one_type = op.params.windows(2).all(|pair| pair[0].ty.erased() == pair[1].ty.erased());
            if op.results.len() == 2 && one_type {
                op.params.swap(1, 2);
            }
        }
    });
    program
}
