//! What is known while memory is introduced, and the small statements that introduction adds.

use super::survey::Survey;
use fun::ir::{Atom, Type};
use fun_base::name::{NameSource, Symbol, Var};
use fun_base::prim::{BinOp, PrimType};
use fun_base::source::Loc;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use funmem::ir::{Binder, Exp, MemOp, MemType, Space, Statement, atom_poly, poly_atom};
use imbl::OrdSet;
use std::collections::BTreeMap;

/// The blocks that a block variable may stand for: allocations and parameters of the function. Sets share what they have in common.
pub(super) type Roots = OrdSet<Var>;

/// Whether two sets have a block in common.
pub(super) fn meet(left: &Roots, right: &Roots) -> bool {
    let (few, many) = if left.len() <= right.len() { (left, right) } else { (right, left) };
    few.iter().any(|root| many.contains(root))
}

/// How a function takes a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Passing {
    /// A scalar.
    Scalar,
    /// With its block; row-major from offset 0: entry points and consumed parameters.
    RowMajor,
    /// With its block, offset and strides.
    Anywhere,
}

/// Where an array lies.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Place {
    /// The block.
    pub(super) mem: Var,
    /// Where in it.
    pub(super) lmad: Lmad,
    /// Whether no two indices share a cell for sure: else it is copied before it is written.
    pub(super) injective: bool,
}

/// What is known of a variable.
struct Known {
    ty: MemType,
    injective: bool,
    /// When it was bound: tells whether it is in scope outside the body at hand.
    time: u32,
}

/// The state of introduction.
pub(super) struct Context {
    pub(super) names: NameSource,
    /// How loop parameters are carried.
    pub(super) survey: Survey,
    /// How the functions so far take their parameters, and which they consume.
    pub(super) signatures: BTreeMap<Symbol, Vec<(Passing, bool)>>,
    /// Statements of the body at hand.
    pub(super) out: Vec<Statement>,
    /// Where the statement at hand comes from.
    pub(super) loc: Option<Loc>,
    /// What block variables stand for.
    pub(super) roots: BTreeMap<Var, Roots>,
    /// Blocks that the function allocates, and when.
    pub(super) allocated: BTreeMap<Var, u32>,
    /// Blocks of consumed parameters.
    pub(super) consumable: Roots,
    /// Blocks in which something was changed in place.
    pub(super) written: Roots,
    known: BTreeMap<Var, Known>,
    time: u32,
}

impl Context {
    pub(super) fn new(names: NameSource, survey: Survey) -> Context {
        Context {
            names,
            survey,
            signatures: BTreeMap::new(),
            out: Vec::new(),
            loc: None,
            roots: BTreeMap::new(),
            allocated: BTreeMap::new(),
            consumable: Roots::new(),
            written: Roots::new(),
            known: BTreeMap::new(),
            time: 0,
        }
    }

    /// Forgets the variables of the function before.
    pub(super) fn enter_function(&mut self) {
        self.known.clear();
        self.roots.clear();
        self.allocated.clear();
        self.consumable.clear();
        self.written.clear();
        self.loc = None;
    }

    /// The point in time: variables bound later are not in scope where it was taken.
    pub(super) fn now(&self) -> u32 {
        self.time
    }

    /// Whether a variable was bound before a point in time.
    pub(super) fn bound_before(&self, var: Var, time: u32) -> bool {
        self.known.get(&var).is_some_and(|known| known.time < time)
    }

    /// Registers a binder.
    pub(super) fn bind(&mut self, var: Var, ty: MemType, injective: bool) -> Binder {
        self.time += 1;
        self.known.insert(var, Known { ty: ty.clone(), injective, time: self.time });
        Binder { var, ty }
    }

    /// Registers a scalar.
    pub(super) fn bind_prim(&mut self, var: Var, ty: PrimType) -> Binder {
        self.bind(var, MemType::Prim(ty), true)
    }

    /// Registers a block that may be any of `roots`.
    pub(super) fn bind_mem(&mut self, var: Var, roots: Roots) -> Binder {
        self.roots.insert(var, roots);
        self.bind(var, MemType::Mem(Space::Default), true)
    }

    /// Registers an array at a place.
    pub(super) fn bind_array(&mut self, var: Var, shape: &[Atom], elem: PrimType, place: Place) -> Binder {
        let ty = MemType::Array { shape: shape.to_vec(), elem, mem: place.mem, lmad: place.lmad };
        self.bind(var, ty, place.injective)
    }

    /// Where an array lies; `None` for scalars.
    pub(super) fn place(&self, var: Var) -> Option<Place> {
        let known = self.known.get(&var)?;
        match &known.ty {
            MemType::Prim(_) | MemType::Mem(_) => None,
            MemType::Array { shape: _, elem: _, mem, lmad } => {
                Some(Place { mem: *mem, lmad: lmad.clone(), injective: known.injective })
            }
        }
    }

    /// Where an array lies.
    pub(super) fn array_place(&self, var: Var) -> Place {
        self.place(var).expect("invariant F2: an array is expected here and was bound before")
    }

    /// The FUN type of a variable.
    pub(super) fn type_of(&self, var: Var) -> Type {
        use fun::ir::BinderType;
        self.known.get(&var).expect("invariant F1: variables are bound before use").ty.erased()
    }

    /// What a block may be.
    pub(super) fn roots_of(&self, mem: Var) -> Roots {
        self.roots.get(&mem).cloned().unwrap_or_else(|| Roots::unit(mem))
    }

    /// Whether the array lies in row-major order from offset 0.
    pub(super) fn is_row_major(&self, place: &Place) -> bool {
        place.lmad.equivalent(&Lmad::row_major(Poly::constant(0), &place.lmad.sizes()))
    }

    /// Row-major from offset 0 of a block.
    pub(super) fn row_major(mem: Var, shape: &[Atom]) -> Place {
        let sizes: Vec<Poly> = shape.iter().map(|atom| atom_poly(*atom)).collect();
        Place { mem, lmad: Lmad::row_major(Poly::constant(0), &sizes), injective: true }
    }

    /// Appends a statement.
    pub(super) fn emit(&mut self, pattern: Vec<Binder>, exp: Exp) {
        self.out.push(Statement { pattern, exp, loc: self.loc });
    }

    /// A name for the block of an array.
    pub(super) fn mem_name(&mut self, array: Var) -> Var {
        self.names.fresh(format!("{}_mem", array.text).as_str())
    }

    /// Appends the allocation of a block for an array.
    pub(super) fn alloc(&mut self, array: Var, shape: &[Atom], elem: PrimType) -> Place {
        let mem = self.mem_name(array);
        let binder = self.bind_mem(mem, Roots::unit(mem));
        self.allocated.insert(mem, self.time);
        self.emit(vec![binder], Exp::Op(MemOp::Alloc { space: Space::Default, shape: shape.to_vec(), elem }));
        Context::row_major(mem, shape)
    }

    /// Appends a copy of an array to a fresh row-major block; gives the copy's name.
    pub(super) fn copy(&mut self, array: Var) -> Var {
        let ty = self.type_of(array);
        let copy = self.names.fresh_like(array);
        let place = self.alloc(copy, ty.shape(), ty.elem());
        let binder = self.bind_array(copy, ty.shape(), ty.elem(), place);
        self.emit(vec![binder], Exp::Copy(array));
        copy
    }

    /// The array itself if it can be written to: else a copy of it. Remembers that its block is written.
    pub(super) fn writable(&mut self, array: Var) -> Var {
        let array = if self.array_place(array).injective { array } else { self.copy(array) };
        let roots = self.roots_of(self.array_place(array).mem);
        self.written.extend(roots);
        array
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
}
