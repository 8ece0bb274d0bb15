//! Integers of fewer than 64 bits: what the prover may assume of them, where nothing wraps.
//!
//! Programs count in i32 and read bytes, and index with what they convert from these. As numbers, such values are those of i64; only sums and
//! products wrap elsewhere, so they are what they seem where the prover shows them to be an i32.

use super::PointFacts;
use fun::ir::{Atom, Rep};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue};
use fun_index::poly::Poly;
use fun_index::prove::{self, Why};
use funmem::ir::atom_poly;

/// An atom of type i64 or i32 as a polynomial.
pub(super) fn integer(atom: Atom) -> Poly {
    match atom {
        Atom::Const(PrimValue::I32(value)) => Poly::constant(value.into()),
        _ => atom_poly(atom),
    }
}

impl<R: Rep> PointFacts<R> {
    /// The variable is a sum, difference or product in i32.
    pub(super) fn narrow(&mut self, var: Var, op: BinOp, x: Atom, y: Atom) {
        let (x, y) = (integer(x), integer(y));
        let value = match op {
            BinOp::Add => x.add(&y),
            BinOp::Sub => x.sub(&y),
            BinOp::Mul => x.mul(&y),
            _ => return,
        };
        if self.is_i32(&value) {
            self.define(var, value);
        }
    }

    /// The variable is a value of another type of integers.
    pub(super) fn converted(&mut self, var: Var, to: PrimType, from: PrimType, value: Atom) {
        match (to, from) {
            (PrimType::I64, PrimType::I64 | PrimType::I32) => self.define(var, integer(value)),
            (PrimType::I32, PrimType::I64) if self.is_i32(&integer(value)) => {
                self.define(var, integer(value));
            }
            (PrimType::I64 | PrimType::I32, PrimType::U8 | PrimType::U16)
            | (PrimType::I64, PrimType::U32) => {
                let most = Poly::constant((1 << from.bits()) - 1);
                self.facts.assume_nonneg(Poly::var(var), Why::Definition(var));
                self.facts.assume_nonneg(most.sub(&Poly::var(var)), Why::Definition(var));
            }
            _ => {}
        }
    }

    /// Whether the prover shows that the number is an i32.
    fn is_i32(&self, value: &Poly) -> bool {
        let above = value.sub(&Poly::constant(i32::MIN.into()));
        let below = Poly::constant(i32::MAX.into()).sub(value);
        [above, below].iter().all(|room| prove::nonneg(&self.facts, room).is_proved())
    }
}
