//! Results, initial values and arguments against the binders that take them (M4), and blocks, which are no numbers.

use super::Checker;
use crate::ir::{Binder, Exp, MemType};
use fun::ir::{Atom, BinderType};
use fun::visit::{Walk, walk_exp};
use fun_base::name::Var;
use std::collections::BTreeMap;

impl<'p> Checker<'p> {
    /// M4: each atom is what its binder says once the binders' variables are replaced by the atoms, and those of `known` by
    /// what that says.
    pub(super) fn matches(
        &mut self,
        atoms: &[Atom],
        binders: &[&Binder],
        known: &BTreeMap<Var, Atom>,
        what: &str,
    ) {
        let mut subst = known.clone();
        subst.extend(binders.iter().map(|binder| binder.var).zip(atoms.iter().copied()));
        let mut kinds_agree = true;
        for (atom, binder) in atoms.iter().zip(binders) {
            let Some(ty) = self.type_of(*atom) else { continue };
            let agrees = match (&ty, &binder.ty) {
                (MemType::Prim(_), MemType::Prim(_)) | (MemType::Array { .. }, MemType::Array { .. }) => true,
                (MemType::Mem(given), MemType::Mem(wanted)) => given == wanted,
                (MemType::Prim(_) | MemType::Mem(_) | MemType::Array { .. }, _) => false,
            };
            if !agrees {
                kinds_agree = false;
                self.error("M4", format!("{what}: {atom} is of another kind than {}", binder.var));
            }
        }
        if !kinds_agree {
            return;
        }
        for (atom, binder) in atoms.iter().zip(binders) {
            if !self.fits(binder, &subst) {
                continue;
            }
            let wanted = binder.ty.map_vars(&mut |var| subst.get(&var).copied().unwrap_or(Atom::Var(var)));
            let (
                Some(MemType::Array { mem, lmad, .. }),
                MemType::Array { mem: wanted_mem, lmad: wanted, .. },
            ) = (self.type_of(*atom), wanted)
            else {
                continue;
            };
            if mem != wanted_mem {
                self.error("M4", format!("{what}: {atom} is in block {mem}, not {wanted_mem}"));
            } else if !self.same_place(&lmad, &wanted) {
                self.error("M4", format!("{what}: {atom} is at {lmad}, not {wanted}"));
            }
        }
    }

    /// Whether what replaces the variables of a place can stand there.
    fn fits(&mut self, binder: &Binder, subst: &BTreeMap<Var, Atom>) -> bool {
        let MemType::Array { shape: _, elem: _, mem, lmad } = &binder.ty else { return true };
        let constant = |var: Var| subst.get(&var).and_then(|atom| atom.as_const());
        let mut fits = constant(*mem).is_none();
        lmad.for_each_var(&mut |var| fits &= constant(var).is_none_or(|value| value.as_i64().is_some()));
        if !fits {
            self.error("M2", format!("the place of {} has a variable of another type", binder.var));
        }
        fits
    }

    /// Blocks are no operands, but where values are passed on.
    pub(super) fn operands(&mut self, exp: &'p Exp) {
        match exp {
            Exp::Atom(_) | Exp::Call { .. } => {}
            Exp::If { condition: atom, .. } => self.no_block(*atom),
            Exp::Loop { .. } | Exp::Kernel { .. } => {}
            Exp::Bin(..)
            | Exp::Un(..)
            | Exp::Fma(..)
            | Exp::Convert { .. }
            | Exp::Index { .. }
            | Exp::Slice { .. }
            | Exp::Update { .. }
            | Exp::Iota { .. }
            | Exp::Replicate { .. }
            | Exp::Scratch { .. }
            | Exp::ArrayLiteral { .. }
            | Exp::Concat { .. }
            | Exp::Copy(_)
            | Exp::Permute { .. }
            | Exp::Reshape { .. }
            | Exp::Reverse { .. }
            | Exp::Assert { .. }
            | Exp::Trace { .. }
            | Exp::Map { .. }
            | Exp::Reduce { .. }
            | Exp::Scan { .. }
            | Exp::Hist { .. }
            | Exp::Scatter { .. }
            | Exp::Derive { .. }
            | Exp::Op(_) => {
                let mut atoms = Atoms(Vec::new());
                walk_exp(&mut atoms, exp);
                atoms.0.into_iter().for_each(|atom| self.no_block(atom));
            }
        }
    }

    fn no_block(&mut self, atom: Atom) {
        if matches!(self.type_of(atom), Some(MemType::Mem(_))) {
            self.error("M2", format!("{atom} is a block, not a number"));
        }
    }
}

/// The atoms that an expression uses.
struct Atoms(Vec<Atom>);

impl Walk<crate::ir::Mem> for Atoms {
    fn atom(&mut self, atom: &Atom) {
        self.0.push(*atom);
    }
}
