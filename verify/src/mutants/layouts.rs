//! Layouts: an array in a block of its own in another order of its dimensions.

use super::memory::{Sees, allocs, is_fresh, move_to, place, residents};
use super::rewrite::{bodies, statements};
use fun_index::poly::Poly;
use funmem::ir::Program;

/// The dimensions of a matrix change places in memory, but their strides are computed from the wrong sizes.
pub(super) fn strides_of_other_sizes(mut program: Program) -> Program {
    bodies(&mut program, &mut |body| {
        for alloc in allocs(body) {
            // the block and one array
            if residents(body, alloc.block, Sees::ALL).len() != 2 {
                continue;
            }
            for statement in body.statements.iter_mut().filter(|statement| is_fresh(&statement.exp)) {
                for binder in &mut statement.pattern {
                    let Some((mem, lmad)) = place(&binder.ty) else { continue };
                    let [rows, columns] = &lmad.dims[..] else { continue };
                    if mem == alloc.block && rows.size != columns.size {
                        let mut turned = lmad.clone();
                        turned.dims[0].stride = Poly::constant(1);
                        turned.dims[1].stride = columns.size.clone();
                        move_to(binder, mem, turned);
                    }
                }
            }
        }
    });
    program
}

/// An array that is copied in another order for threads has strides from the wrong sizes.
pub(super) fn turned_by_other_sizes(program: Program) -> Program {
    statements(program, &mut |_, mut statement| {
        for binder in statement.pattern.iter_mut().filter(|binder| binder.var.text.as_str() == "turned") {
            let Some((mem, lmad)) = place(&binder.ty) else { continue };
            let mut other = lmad.clone();
            for dim in other.dims.iter_mut().filter(|dim| dim.stride.as_constant() != Some(1)) {
                dim.stride = dim.size.clone();
            }
            move_to(binder, mem, other);
        }
        statement
    })
}
