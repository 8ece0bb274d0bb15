//! When a block is known to be large enough.
//!
//! What counts is the true product of an allocation's factors, while definitions of scalars hold modulo 2^64 only. A block that
//! was allocated is smaller than that; from this follows what is needed:
//! - The factors of the block are a constant and variables. Those of the array are put in as far as they are a product: no part of a
//!   product of the block's own factors wraps, unless one factor is 0, and then both are empty. So the array is as large as the block
//!   where the variables are the same, times the quotient of the constants.
//! - Where the array has a single factor and an element as large as the block's, that is a number below 2^63, which it shares modulo
//!   2^64 with the block's number of elements; so they are equal if their polynomials are.

use fun::ir::Atom;
use fun::visit::Walk;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_index::poly::{Monomial, Poly};
use funmem::ir::{Exp, Function, Mem, MemType, Statement, atom_poly};
use std::collections::BTreeMap;

/// The most terms, and factors of a term, of a definition that is put in.
const TERMS: usize = 8;

/// The size of a block or array.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Size {
    elem: i128,
    /// The constant factor, in elements.
    constant: i128,
    /// The variable factors.
    vars: Monomial,
}

/// What the i64 scalars of a function are.
#[derive(Default)]
pub(super) struct Sizes {
    definitions: BTreeMap<Var, Poly>,
    /// Other names of scalars.
    names: BTreeMap<Var, Atom>,
}

impl Sizes {
    pub(super) fn of_function(function: &Function) -> Sizes {
        let mut sizes = Sizes::default();
        Walk::<Mem>::body(&mut sizes, &function.body);
        sizes
    }

    pub(super) fn size(&self, shape: &[Atom], elem: PrimType) -> Size {
        let mut size = Size { elem: i128::from(elem.bytes()), constant: 1, vars: Monomial::new() };
        for atom in shape {
            let named = atom.as_var().and_then(|var| self.names.get(&var)).copied();
            match named.unwrap_or(*atom) {
                Atom::Var(var) => size.vars.push(var),
                Atom::Const(value) => {
                    let factor = value.as_i64().unwrap_or(i64::MAX);
                    size.constant = size.constant.saturating_mul(i128::from(factor));
                }
            }
        }
        size.vars.sort_unstable();
        size
    }

    /// Whether an array of the first size fits where there is room for the second.
    pub(super) fn fits(&self, array: &Size, block: &Size) -> bool {
        self.fits_by_factors(array, block) || self.is_same_number(array, block)
    }

    fn fits_by_factors(&self, array: &Size, block: &Size) -> bool {
        let mut constant = array.elem.saturating_mul(array.constant);
        let mut vars = Monomial::new();
        for var in &array.vars {
            match self.definitions.get(var).map(|poly| poly.terms().collect::<Vec<_>>()).as_deref() {
                Some([(monomial, coefficient)]) if *coefficient > 0 => {
                    constant = constant.saturating_mul(i128::from(*coefficient));
                    vars.extend(monomial.iter().copied());
                }
                _ => vars.push(*var),
            }
        }
        vars.sort_unstable();
        let same = vars == block.vars || array.vars == block.vars;
        let constant = if vars == block.vars { constant } else { array.elem.saturating_mul(array.constant) };
        same && constant >= 0 && constant <= block.elem.saturating_mul(block.constant)
    }

    fn is_same_number(&self, array: &Size, block: &Size) -> bool {
        let number = |size: &Size| {
            let constant = i64::try_from(size.constant).ok()?;
            let factors = size.vars.iter().map(|var| self.poly(Atom::Var(*var)));
            Some(factors.fold(Poly::constant(constant), |product, factor| product.mul(&factor)))
        };
        let single = array.vars.len() == 1 && array.constant == 1;
        single && array.elem == block.elem && number(array).is_some_and(|size| number(block) == Some(size))
    }

    /// The atom with definitions put in.
    fn poly(&self, atom: Atom) -> Poly {
        match atom {
            Atom::Var(var) => self.definitions.get(&var).cloned().unwrap_or_else(|| Poly::var(var)),
            Atom::Const(_) => atom_poly(atom),
        }
    }
}

impl Walk<Mem> for Sizes {
    fn ty(&mut self, _: &MemType) {}

    fn statement(&mut self, statement: &Statement) {
        fun::visit::walk_statement(self, statement);
        let [binder] = statement.pattern.as_slice() else { return };
        if binder.ty != MemType::Prim(PrimType::I64) {
            return;
        }
        let poly = match &statement.exp {
            Exp::Atom(atom) => {
                let named = atom.as_var().and_then(|var| self.names.get(&var)).copied();
                self.names.insert(binder.var, named.unwrap_or(*atom));
                self.poly(*atom)
            }
            Exp::Bin(BinOp::Add, PrimType::I64, left, right) => self.poly(*left).add(&self.poly(*right)),
            Exp::Bin(BinOp::Sub, PrimType::I64, left, right) => self.poly(*left).sub(&self.poly(*right)),
            Exp::Bin(BinOp::Mul, PrimType::I64, left, right) => self.poly(*left).mul(&self.poly(*right)),
            _ => return,
        };
        let small = poly.terms().all(|(monomial, _)| monomial.len() <= TERMS);
        if small && poly.terms().count() <= TERMS {
            self.definitions.insert(binder.var, poly);
        }
    }
}
