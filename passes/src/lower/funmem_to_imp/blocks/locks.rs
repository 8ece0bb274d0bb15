//! Histograms by operators that `atomic` does not take, where threads could have few tables (`parts.rs`): every thread combines its values into the cells,
//! each of which has a lock.
//!
//! ```text
//! alloc locks_mem : i32[size]
//! for c < size par { locks[c] := 0 }
//! for block < blocks block {
//!   for t < 256 thread { for k < own seq { lock locks[index] { dest[index] := op(dest[index], value) } } }
//! }
//! ```
//! Who comes to a cell first is open. So operators on floats, of which each order of sums gives others, have tables, and those that may fail, loop or
//! need memory, as others wait meanwhile.

use super::super::{Array, Lowerer, atom_exp};
use super::{Blocks, Cells, Fold, types};
use fun::ir::Atom;
use fun_base::prim::{PrimType, PrimValue};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use funmem::ir::atom_poly;
use imp::ir::{Exp, ImpType, LoopKind, Space, Statement, StatementKind};
use imp::lock;
use imp::visit::for_each_statement;

impl Lowerer {
    /// A histogram with locks, if its operator may come in any order and stand under a lock.
    pub(super) fn hist_with_locks(
        &mut self,
        sizes: Blocks,
        fold: &Fold,
        dests: &[Array],
    ) -> Option<Vec<Statement>> {
        let size = dests.first().and_then(|dest| dest.shape.first()).copied()?;
        if !types(fold.op.lambda).iter().all(|ty| ty.is_int() || *ty == PrimType::Bool) {
            return None;
        }
        let (statements, fits) = self.written(|this| this.combine_with_locks(sizes, fold, size, dests));
        fits.then_some(statements)
    }

    /// The same; false if the operator does not fit.
    fn combine_with_locks(&mut self, sizes: Blocks, fold: &Fold, size: Atom, dests: &[Array]) -> bool {
        let i32 = PrimType::I32;
        let memory = self.b.alloc("locks_mem", i32, vec![atom_exp(size)], Space::Default);
        let place = Lmad::row_major(Poly::constant(0), &[atom_poly(size)]);
        let locks = self.b.view("locks", i32, memory, place);
        self.in_loop("c", atom_exp(size), LoopKind::Par, |this, c| {
            this.b.write(locks, vec![c.into()], Exp::Const(PrimValue::I32(0)));
        });
        let count = atom_exp(self.atom(fold.last.1));
        let blocks = self.blocks_for(sizes, &count, sizes.most_for(fold));
        let share = self.share(sizes, count, blocks.into(), true);
        let cells: Cells = dests.iter().map(|dest| (dest.view, dest.elem)).collect();
        let mut fits = true;
        self.each_own_value(sizes, (blocks, &share), (fold.last.0, fold.body), &mut |this, results, _| {
            this.if_inside(results, size, |this, index, values| {
                let values: Vec<Atom> = values.iter().map(|value| this.atom(*value)).collect();
                let (body, ()) = this.written(|this| {
                    let old = this.cells_at(&cells, index.into());
                    this.write_combined(&cells, index.into(), fold.op, (&old, &values));
                });
                fits &= lock::fits(&body) && is_exact(&body);
                this.b.push(StatementKind::Lock { view: locks, indices: vec![index.into()], body });
            });
        });
        self.b.push(StatementKind::Free(memory));
        fits
    }
}

/// Whether statements compute without floats.
fn is_exact(body: &[Statement]) -> bool {
    let mut exact = true;
    for_each_statement(body, &mut |statement| {
        if let StatementKind::Let { ty, .. } | StatementKind::Declare { ty: ImpType::Prim(ty), .. } =
            &statement.kind
        {
            exact &= !ty.is_float();
        }
    });
    exact
}
