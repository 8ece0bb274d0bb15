//! Blocks in registers and what sees them (I13), and what threads exchange of theirs (I17).

use super::{Checker, Meaning, Own, Threads};
use crate::ir::{Exp, MOST_IN_GROUP};
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

    /// What is known of a view, if it is one of a block in registers; reports one that may see cells of other threads in the place of a thread's own.
    pub(super) fn view_of_registers(&mut self, elem: PrimType, mem: Var, lmad: &Lmad) -> Option<Own> {
        let (of_block, cells) = self.registers.get(&mem).copied()?;
        let sizes: Vec<Poly> = lmad.dims.iter().map(|dim| dim.size.clone()).collect();
        let known: Option<Vec<i64>> = sizes.iter().map(Poly::as_constant).collect();
        let parts = known.as_deref().and_then(|sizes| sizes.split_first());
        let own = parts.and_then(|(_, own)| product(own));
        if own != Some(cells) || elem != of_block || *lmad != Lmad::row_major(Poly::constant(0), &sizes) {
            self.error(format!("I13: a view of `{mem}` that is not row-major with its threads first"));
        }
        Some(Own { block: mem, threads: parts.map_or(0, |(threads, _)| *threads) })
    }

    /// Reports an access to a view of registers that may not be a thread's own.
    pub(super) fn own_cells(&mut self, view: Var, indices: &[Exp]) {
        let own = self.thread.map(Exp::Var);
        if self.own(view).is_some() && (own.is_none() || indices.first() != own.as_ref()) {
            self.error(format!("I13: the first index of `{view}` in registers is not the thread's number"));
        }
    }

    /// Reports what views of registers are not for.
    pub(super) fn not_own(&mut self, view: Var, what: &str) {
        if self.own(view).is_some() {
            self.error(format!("I13: {what} of `{view}` in registers"));
        }
    }

    /// What threads exchange.
    pub(super) fn shuffle(&mut self, dest: Var, source: Var, by: &Exp, group: i64) {
        self.expect_prim(by, PrimType::I64, "a number of threads");
        let types = (self.view(dest), self.view(source));
        if types.0 != types.1 || types.0.is_some_and(|(_, rank)| rank != 1) {
            self.error(format!("I17: `{dest}` and `{source}` are not one value of a type for each thread"));
        }
        let (Some(to), Some(from)) = (self.own(dest), self.own(source)) else {
            return self.error(format!("I17: `{dest}` or `{source}` is not in registers"));
        };
        if to.block == from.block {
            self.error(format!("I17: `{dest}` and `{source}` are of one block"));
        }
        if to.threads != from.threads {
            self.error(format!("I17: `{dest}` and `{source}` are of other numbers of threads"));
        }
        if !(1..=MOST_IN_GROUP).contains(&group) || group.count_ones() != 1 || to.threads % group != 0 {
            self.error(format!("I17: {} threads in groups of {group}", to.threads));
        }
        match self.block {
            None => self.error("I17: a `shuffle` that is no statement of a block".to_owned()),
            Some(Threads::Known(count)) if count != to.threads => {
                self.error(format!("I17: {count} threads, and `{dest}` is of {}", to.threads));
            }
            Some(_) => self.block = Some(Threads::Known(to.threads)),
        }
    }

    fn own(&self, view: Var) -> Option<Own> {
        match self.scope.get(&view).map(|entry| &entry.meaning) {
            Some(Meaning::View { own, .. }) => *own,
            _ => None,
        }
    }
}

/// The product of sizes that are not negative, if it fits.
fn product(sizes: &[i64]) -> Option<i64> {
    sizes.iter().try_fold(1i64, |product, size| product.checked_mul(*size).filter(|_| *size >= 0))
}
