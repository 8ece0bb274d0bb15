//! Scopes and types of atoms: F1, F2, F3.

use super::Checker;
use crate::ir::{Atom, Binder, Type};
use crate::types::atom_type;
use fun_base::name::Var;
use fun_base::prim::PrimType;

impl Checker<'_> {
    /// Takes variables that are bound together into scope (F1) and checks their types, which may mention them all (F3).
    pub(super) fn bind(&mut self, binders: &[&Binder]) {
        for binder in binders {
            self.bind_var(binder.var, binder.ty.clone());
        }
        for binder in binders {
            self.well_formed(&binder.ty);
        }
    }

    /// Takes a variable into scope (F1).
    pub(super) fn bind_var(&mut self, var: Var, ty: Type) {
        if !self.bound.insert(var) {
            self.error("F1", format!("{var} is bound twice in the program"));
        }
        if self.scope.insert(var, ty).is_none() {
            self.trail.push(var);
        }
    }

    /// F3: sizes are i64 in scope; elements are not of type unit.
    pub(super) fn well_formed(&mut self, ty: &Type) {
        if let Type::Array { shape, elem } = ty {
            if shape.is_empty() || *elem == PrimType::Unit {
                self.error("F2", format!("{ty} is no type of arrays"));
            }
            for size in shape {
                self.size(*size);
            }
        }
    }

    /// F3: an i64 atom in scope.
    pub(super) fn size(&mut self, size: Atom) {
        if let Some(ty) = self.atom(size)
            && ty != Type::Prim(PrimType::I64)
        {
            self.error("F3", format!("the size {size} has type {ty}, not i64"));
        }
    }

    /// The type of an atom. `None`, and an error, if it is a variable out of scope.
    pub(super) fn atom(&mut self, atom: Atom) -> Option<Type> {
        let ty = atom_type(atom, &|var| self.scope.get(&var).cloned());
        if ty.is_none() {
            self.error("F1", format!("{atom} is not in scope"));
        }
        ty
    }

    /// F2: the atom has this type.
    pub(super) fn expect(&mut self, atom: Atom, expected: &Type, what: &str) {
        self.expect_by("F2", atom, expected, what);
    }

    /// The atom has this type, by this invariant.
    pub(super) fn expect_by(&mut self, invariant: &'static str, atom: Atom, expected: &Type, what: &str) {
        if let Some(ty) = self.atom(atom)
            && ty != *expected
        {
            self.error(invariant, format!("{what}: {atom} has type {ty}, not {expected}"));
        }
    }

    /// F2: the atom is a scalar of this type.
    pub(super) fn expect_prim(&mut self, atom: Atom, expected: PrimType, what: &str) {
        self.expect(atom, &Type::Prim(expected), what);
    }

    /// The type of an array; an error if it is none.
    pub(super) fn array(&mut self, var: Var) -> Option<Type> {
        let ty = self.atom(Atom::Var(var))?;
        if ty.rank() == 0 {
            self.error("F2", format!("{var} has type {ty}, but must be an array"));
            return None;
        }
        Some(ty)
    }

    /// The type of the rows of an array with this outer size.
    pub(super) fn rows(&mut self, var: Var, width: Atom) -> Option<Type> {
        let ty = self.array(var)?;
        if ty.shape()[0] != width {
            self.error("F2", format!("{var} has outer size {}, not {width}", ty.shape()[0]));
            return None;
        }
        Some(ty.peel(1))
    }
}
