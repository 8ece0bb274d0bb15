//! Blocks in registers and what sees them (I13).

use super::{Checker, Meaning};
use crate::ir::Exp;
use fun_base::name::Var;
use fun_base::prim::PrimType;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;

impl Checker {
    /// An allocation in registers.
    pub(super) fn registers(&mut self, var: Var, elem: PrimType, shape: &[Exp]) {
        if self.block.is_none() {
            self.error(format!("I13: `{var}` in registers is not allocated by a block of threads"));
        }
        let size = |size: &Exp| if let Exp::Const(size) = size { size.as_i64() } else { None };
        let sizes: Option<Vec<i64>> = shape.iter().map(size).collect();
        let cells = sizes.as_deref().and_then(|sizes| sizes.split_first()).and_then(|(_, own)| product(own));
        match cells {
            Some(cells) => _ = self.registers.insert(var, (elem, cells)),
            None => self.error(format!("I13: `{var}` in registers has no constant size for each thread")),
        }
    }

    /// Whether a view is one of a block in registers; reports one that may see cells of other threads in the place of a thread's own.
    pub(super) fn view_of_registers(&mut self, elem: PrimType, mem: Var, lmad: &Lmad) -> bool {
        let Some((of_block, cells)) = self.registers.get(&mem).copied() else { return false };
        let sizes: Vec<Poly> = lmad.dims.iter().map(|dim| dim.size.clone()).collect();
        let known: Option<Vec<i64>> = sizes.iter().map(Poly::as_constant).collect();
        let own = known.as_deref().and_then(|sizes| sizes.split_first()).and_then(|(_, own)| product(own));
        if own != Some(cells) || elem != of_block || *lmad != Lmad::row_major(Poly::constant(0), &sizes) {
            self.error(format!("I13: a view of `{mem}` that is not row-major with its threads first"));
        }
        true
    }

    /// Reports an access to a view of registers that may not be a thread's own.
    pub(super) fn own_cells(&mut self, view: Var, indices: &[Exp]) {
        let own = self.thread.map(Exp::Var);
        if self.is_own(view) && (own.is_none() || indices.first() != own.as_ref()) {
            self.error(format!("I13: the first index of `{view}` in registers is not the thread's number"));
        }
    }

    /// Reports what views of registers are not for.
    pub(super) fn not_own(&mut self, view: Var, what: &str) {
        if self.is_own(view) {
            self.error(format!("I13: {what} of `{view}` in registers"));
        }
    }

    fn is_own(&self, view: Var) -> bool {
        matches!(self.scope.get(&view).map(|entry| &entry.meaning), Some(Meaning::View { own: true, .. }))
    }
}

/// The product of sizes that are not negative, if it fits.
fn product(sizes: &[i64]) -> Option<i64> {
    sizes.iter().try_fold(1i64, |product, size| product.checked_mul(*size).filter(|_| *size >= 0))
}
