//! Erasure: FUNMEM without its annotations is FUN (paper Figure 9). `mem` becomes `i64`, `alloc` becomes `0i64`, array binders
//! keep their shape. Nothing else changes, names included.

use crate::ir::{Mem, MemOp, MemType, Program};
use fun::ir::{Atom, BinderType, Exp, Fun, Type};
use fun::visit::{Map, map_program};

/// The FUN program that is left.
pub fn erase(program: &Program) -> fun::ir::Program {
    map_program(&mut Erase, program)
}

struct Erase;

impl Map<Mem, Fun> for Erase {
    fn ty(&mut self, ty: &MemType) -> Type {
        ty.erased()
    }

    fn op(&mut self, op: &MemOp) -> Exp {
        match op {
            MemOp::Alloc { .. } => Exp::Atom(Atom::i64(0)),
        }
    }
}
