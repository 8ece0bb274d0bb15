//! Where derived, fresh and in-place arrays lie (M3).

use super::Checker;
use crate::ir::{Binder, Combine, Exp, MemType, Statement, atom_poly, slices};
use fun::ir::Atom;
use fun_base::name::Var;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;

/// Whether the LMAD is row-major from offset 0.
pub(super) fn is_row_major(shape: &[Atom], lmad: &Lmad) -> bool {
    let sizes: Vec<Poly> = shape.iter().map(|atom| atom_poly(*atom)).collect();
    lmad.equivalent(&Lmad::row_major(Poly::constant(0), &sizes))
}

impl<'p> Checker<'p> {
    /// Checks the binders of a statement whose pattern is in scope.
    pub(super) fn places(&mut self, statement: &'p Statement) {
        let pattern = &statement.pattern;
        match &statement.exp {
            Exp::Atom(Atom::Var(var)) => self.derived(pattern, *var, |_, lmad| Some(lmad.clone())),
            Exp::Slice { array, dims } => {
                self.derived(pattern, *array, |_, lmad| Some(lmad.slice(&slices(dims))))
            }
            Exp::Permute { perm, array } => self.derived(pattern, *array, |_, lmad| Some(lmad.permute(perm))),
            Exp::Reverse { dim, array } => self.derived(pattern, *array, |_, lmad| Some(lmad.reverse(*dim))),
            Exp::Reshape { shape, array } => {
                let sizes: Vec<Poly> = shape.iter().map(|atom| atom_poly(*atom)).collect();
                let place = |checker: &Self, lmad: &Lmad| {
                    let whole = checker.expand(&Lmad::row_major(Poly::constant(0), &sizes));
                    let same = || checker.expand(lmad).reshape(&whole.sizes());
                    lmad.reshape(&sizes).or_else(same)
                };
                self.derived(pattern, *array, place);
            }
            Exp::Update { array, .. } => self.in_place(pattern, &[*array]),
            Exp::Kernel { combine: Combine::Hist { dests, .. } | Combine::Scatter { dests }, .. } => {
                self.in_place(pattern, dests);
            }
            Exp::Iota { .. }
            | Exp::Replicate { .. }
            | Exp::Scratch { .. }
            | Exp::ArrayLiteral { .. }
            | Exp::Concat { .. }
            | Exp::Copy(_)
            | Exp::Kernel { combine: Combine::Map | Combine::Reduce { .. } | Combine::Scan { .. }, .. } => {
                self.fresh(pattern);
            }
            Exp::Atom(Atom::Const(_))
            | Exp::Bin(..)
            | Exp::Un(..)
            | Exp::Fma(..)
            | Exp::Convert { .. }
            | Exp::Index { .. }
            | Exp::If { .. }
            | Exp::Loop { .. }
            | Exp::Call { .. }
            | Exp::Assert { .. }
            | Exp::Trace { .. }
            | Exp::Map { .. }
            | Exp::Reduce { .. }
            | Exp::Scan { .. }
            | Exp::Hist { .. }
            | Exp::Scatter { .. }
            | Exp::Derive { .. }
            | Exp::Op(_) => self.no_arrays(pattern),
        }
    }

    /// The binder has the operand's block and the LMAD that the operation makes of the operand's.
    fn derived(&mut self, pattern: &'p [Binder], operand: Var, op: impl Fn(&Self, &Lmad) -> Option<Lmad>) {
        for binder in pattern {
            let of_operand = self.scope.get(&operand).cloned();
            match (&binder.ty, of_operand) {
                (MemType::Array { mem, lmad, .. }, Some(MemType::Array { mem: from, lmad: source, .. })) => {
                    if *mem != from {
                        self.error("M3", format!("{} is in block {mem}, its operand in {from}", binder.var));
                    }
                    match op(self, &source) {
                        None => {
                            self.error("M3", format!("no LMAD expresses this of {source}: it needs a copy"))
                        }
                        Some(expected) if !self.same_place(lmad, &expected) => {
                            self.error("M3", format!("{} is at {lmad}, not {expected}", binder.var));
                        }
                        Some(_) => {}
                    }
                }
                // Another name for a scalar or block.
                (MemType::Prim(_), Some(MemType::Prim(_))) => {}
                (MemType::Mem(given), Some(MemType::Mem(wanted))) if *given == wanted => {}
                (MemType::Prim(_) | MemType::Mem(_) | MemType::Array { .. }, _) => {
                    self.error("M3", format!("{} is of another kind than {operand}", binder.var));
                }
            }
        }
    }

    fn in_place(&mut self, pattern: &'p [Binder], dests: &[Var]) {
        for (binder, dest) in pattern.iter().zip(dests) {
            self.derived(std::slice::from_ref(binder), *dest, |_, lmad| Some(lmad.clone()));
        }
    }

    /// Any place, where no two indices are known to share a cell.
    fn fresh(&mut self, pattern: &'p [Binder]) {
        for binder in pattern {
            match &binder.ty {
                MemType::Array { lmad, .. } if lmad.injective() == Some(false) => {
                    self.error("M3", format!("two indices of {} have the same cell", binder.var));
                }
                MemType::Array { mem, .. } if self.foreign.contains(mem) => {
                    let var = binder.var;
                    self.error(
                        "M9",
                        format!("{var} is written to {mem}, the block of an array that is only read"),
                    );
                }
                MemType::Array { .. } | MemType::Prim(_) => {}
                MemType::Mem(_) => self.error("M2", format!("{} is no block", binder.var)),
            }
        }
    }

    fn no_arrays(&mut self, pattern: &'p [Binder]) {
        for binder in pattern {
            if matches!(binder.ty, MemType::Mem(_)) {
                self.error("M2", format!("{} is no block", binder.var));
            }
        }
    }
}
