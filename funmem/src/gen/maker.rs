//! What is known while places are chosen, and the small statements that are added.

use crate::ir::{Binder, Exp, MemType, Program, Space, Statement, atom_poly, poly_atom};
use fun::ir::{Atom, BinderType, Type};
use fun_base::name::{NameSource, Symbol, Var};
use fun_base::prim::{BinOp, PrimType};
use fun_base::rng::Rng;
use fun_base::source::Loc;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use std::collections::{BTreeMap, BTreeSet};

/// Tokens for the regions of memory in which an array may lie.
pub(super) type Roots = BTreeSet<u32>;

/// Where an array lies.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Place {
    pub(super) mem: Var,
    pub(super) lmad: Lmad,
    /// Whether no two indices share a cell for sure: else it is copied before it is written.
    pub(super) injective: bool,
    pub(super) roots: Roots,
}

/// What is known of a variable.
struct Known {
    ty: MemType,
    injective: bool,
    roots: Roots,
    /// When it was bound: tells whether it is in scope outside the body at hand.
    time: u32,
}

/// How a function takes an array or gives it back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Passing {
    Scalar,
    /// Row-major from offset 0 of a block that comes with it.
    RowMajor,
    /// With block, offset and strides.
    Anywhere,
}

/// How a function is called.
#[derive(Clone, Debug, Default)]
pub(super) struct Signature {
    pub(super) params: Vec<Passing>,
    pub(super) results: Vec<Passing>,
}

/// A program under construction.
pub(super) struct Maker {
    pub(super) rng: Rng,
    pub(super) names: NameSource,
    pub(super) signatures: BTreeMap<Symbol, Signature>,
    /// Statements of the body at hand.
    pub(super) out: Vec<Statement>,
    pub(super) loc: Option<Loc>,
    /// The spaces of blocks that are not in the default one.
    pub(super) spaces: BTreeMap<Var, Space>,
    pub(super) blocks: super::blocks::Blocks,
    /// Places that were chosen for arrays before these are made: rows of kernels, second buffers of loops.
    pub(super) chosen: BTreeMap<Var, Place>,
    known: BTreeMap<Var, Known>,
    /// The variables whose cells may be in each region.
    users: BTreeMap<u32, Vec<Var>>,
    /// What i64 variables are, as the checker sees it.
    definitions: BTreeMap<Var, Poly>,
    time: u32,
    next_token: u32,
}

/// The most terms of a definition, and the most factors of each, that the checker looks through.
const DEFINITION_LIMIT: usize = 8;

/// The program with a place for every array.
pub(super) fn place(program: fun::ir::Program, rng: Rng) -> Program {
    let mut maker = Maker {
        rng,
        names: fun::visit::names::name_source(&program),
        signatures: BTreeMap::new(),
        out: Vec::new(),
        loc: None,
        spaces: BTreeMap::new(),
        blocks: super::blocks::Blocks::default(),
        chosen: BTreeMap::new(),
        known: BTreeMap::new(),
        users: BTreeMap::new(),
        definitions: BTreeMap::new(),
        time: 0,
        next_token: 0,
    };
    Program { functions: program.functions.into_iter().map(|function| maker.function(function)).collect() }
}

impl Maker {
    pub(super) fn now(&self) -> u32 {
        self.time
    }

    /// Whether a variable was bound before a point in time.
    pub(super) fn bound_before(&self, var: Var, time: u32) -> bool {
        self.known.get(&var).is_some_and(|known| known.time < time)
    }

    /// When a variable was bound.
    pub(super) fn time_of(&self, var: Var) -> Option<u32> {
        self.known.get(&var).map(|known| known.time)
    }

    pub(super) fn token(&mut self) -> u32 {
        self.next_token += 1;
        self.next_token
    }

    fn bind(&mut self, var: Var, ty: MemType, injective: bool, roots: Roots) -> Binder {
        self.time += 1;
        for root in &roots {
            self.users.entry(*root).or_default().push(var);
        }
        self.known.insert(var, Known { ty: ty.clone(), injective, roots, time: self.time });
        Binder { var, ty }
    }

    /// Registers a scalar.
    pub(super) fn bind_prim(&mut self, var: Var, ty: PrimType) -> Binder {
        self.bind(var, MemType::Prim(ty), true, Roots::new())
    }

    /// Registers a block.
    pub(super) fn bind_mem(&mut self, var: Var, space: Space) -> Binder {
        if space != Space::Default {
            self.spaces.insert(var, space);
        }
        self.bind(var, MemType::Mem(space), true, Roots::new())
    }

    /// Registers an array at a place.
    pub(super) fn bind_array(&mut self, var: Var, shape: &[Atom], elem: PrimType, place: Place) -> Binder {
        let ty = MemType::Array { shape: shape.to_vec(), elem, mem: place.mem, lmad: place.lmad };
        self.bind(var, ty, place.injective, place.roots)
    }

    /// Where an array lies; `None` for scalars.
    pub(super) fn place(&self, var: Var) -> Option<Place> {
        let known = self.known.get(&var)?;
        match &known.ty {
            MemType::Prim(_) | MemType::Mem(_) => None,
            MemType::Array { shape: _, elem: _, mem, lmad } => {
                let (lmad, roots) = (lmad.clone(), known.roots.clone());
                Some(Place { mem: *mem, lmad, injective: known.injective, roots })
            }
        }
    }

    /// Where an array lies.
    pub(super) fn array_place(&self, var: Var) -> Place {
        self.place(var).expect("invariant F2: an array is expected here and was bound before")
    }

    /// The FUN type of a variable.
    pub(super) fn type_of(&self, var: Var) -> Type {
        self.known.get(&var).expect("invariant F1: variables are bound before use").ty.erased()
    }

    /// The variables whose cells may be in a region.
    pub(super) fn users(&self, token: u32) -> &[Var] {
        self.users.get(&token).map_or(&[], Vec::as_slice)
    }

    pub(super) fn space(&self, mem: Var) -> Space {
        self.spaces.get(&mem).copied().unwrap_or(Space::Default)
    }

    /// Row-major from offset 0 of a block.
    pub(super) fn row_major(mem: Var, shape: &[Atom], roots: Roots) -> Place {
        let sizes: Vec<Poly> = shape.iter().map(|atom| atom_poly(*atom)).collect();
        Place { mem, lmad: Lmad::row_major(Poly::constant(0), &sizes), injective: true, roots }
    }

    pub(super) fn is_row_major(place: &Place) -> bool {
        place.lmad.equivalent(&Lmad::row_major(Poly::constant(0), &place.lmad.sizes()))
    }

    /// Appends a statement.
    pub(super) fn emit(&mut self, pattern: Vec<Binder>, exp: Exp) {
        self.define(&pattern, &exp);
        self.out.push(Statement { pattern, exp, loc: self.loc });
    }

    /// Remembers what an i64 variable is, as the checker does.
    fn define(&mut self, pattern: &[Binder], exp: &Exp) {
        let [Binder { var, ty: MemType::Prim(PrimType::I64) }] = pattern else { return };
        let poly = |atom: &Atom| self.expand(&atom_poly(*atom));
        let value = if let Exp::Atom(atom) = exp {
            poly(atom)
        } else if let Exp::Bin(op, PrimType::I64, left, right) = exp {
            match op {
                BinOp::Add => poly(left).add(&poly(right)),
                BinOp::Sub => poly(left).sub(&poly(right)),
                BinOp::Mul => poly(left).mul(&poly(right)),
                _ => return,
            }
        } else {
            return;
        };
        if is_small(&value) {
            self.definitions.insert(*var, value);
        }
    }

    fn expand(&self, poly: &Poly) -> Poly {
        poly.subst(&mut |var| self.definitions.get(&var).cloned().unwrap_or_else(|| Poly::var(var)))
    }

    /// Whether the checker sees that a variable computed as this polynomial is this polynomial.
    pub(super) fn is_sayable(&self, poly: &Poly) -> bool {
        poly.as_var().is_some() || is_small(&self.expand(poly))
    }

    /// An atom with the value of a polynomial, computed by appended statements unless it is one already.
    pub(super) fn poly_atom(&mut self, poly: &Poly, text: &str) -> Atom {
        poly_atom(poly, &mut |op, left, right| self.i64_op(op, left, right, text))
    }

    fn i64_op(&mut self, op: BinOp, left: Atom, right: Atom, text: &str) -> Atom {
        let var = self.names.fresh(text);
        let binder = self.bind_prim(var, PrimType::I64);
        self.emit(vec![binder], Exp::Bin(op, PrimType::I64, left, right));
        Atom::Var(var)
    }

    /// Appends a copy of an array to a fresh place; gives the copy's name.
    pub(super) fn copy(&mut self, array: Var) -> Var {
        self.copy_with(array, |maker, ty| maker.fresh_place(ty.shape(), ty.elem()))
    }

    /// Appends a copy of an array to a fresh place in row-major order in a block of its own.
    pub(super) fn copy_row_major(&mut self, array: Var) -> Var {
        self.copy_with(array, |maker, ty| maker.own_block(ty.shape(), ty.elem()))
    }

    /// Appends a copy of an array whose place is easily said.
    pub(super) fn copy_sayable(&mut self, array: Var) -> Var {
        self.copy_with(array, |maker, ty| {
            let place = maker.own_block(ty.shape(), ty.elem());
            let mut lmad = place.lmad;
            for dim in &mut lmad.dims {
                let stride = maker.poly_atom(&dim.stride, "step");
                dim.stride = atom_poly(stride);
            }
            Place { lmad, ..place }
        })
    }

    fn copy_with(&mut self, array: Var, place: impl FnOnce(&mut Maker, &Type) -> Place) -> Var {
        let ty = self.type_of(array);
        let place = place(self, &ty);
        let copy = self.names.fresh_like(array);
        self.blocks.pin(&place.roots);
        let binder = self.bind_array(copy, ty.shape(), ty.elem(), place);
        self.emit(vec![binder], Exp::Copy(array));
        copy
    }

    /// The array itself if it can be written to: else a copy of it.
    pub(super) fn writable(&mut self, array: Var) -> Var {
        if self.array_place(array).injective { array } else { self.copy(array) }
    }
}

fn is_small(poly: &Poly) -> bool {
    poly.terms().count() <= DEFINITION_LIMIT
        && poly.terms().all(|(monomial, _)| monomial.len() <= DEFINITION_LIMIT)
}
