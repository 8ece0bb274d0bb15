//! FUNMEM: the tree of FUN whose binders also say where arrays live. This file is its contract and grammar.
//!
//! Three things are added to FUN (`fun::ir`, which holds for everything not said here): the type `mem` of memory blocks, the
//! operation `alloc`, and on every array binder a block and an LMAD. The annotations are non-semantic: [`crate::erase`]
//! deletes them and gives a FUN program (paper Figure 9: `mem` becomes `i64`, `alloc` becomes `0i64`). A program has two
//! semantics, that of its erasure and the heap semantics (Figure 10, corrected); it is *valid* iff they agree (Definition
//! 3.1). The type rules do not ensure validity: every pass must, and `fun verify` tests it.
//!
//! What happens in memory, by expression:
//! - *derived* (nothing): `x`, `slice`, `permute`, `reverse`, `reshape`: the binder has the operand's block and the LMAD that
//!   the operation computes from the operand's. A `reshape` that no single LMAD expresses must act on a `copy`.
//! - *fresh* (writes the whole result at the binder's place): `iota`, `replicate`, `array`, `concat`, `copy`, `kernel` with map,
//!   reduce or scan. `scratch` claims a place and writes nothing. Any block and any LMAD that is injective may be chosen. A `copy`, and each
//!   part of a `concat` in turn, is read before it is written: it may move within a block, along its first dimension.
//! - *in place*: `update`, `kernel … hist`, `kernel … scatter`: the binder has block and LMAD of the (first, second, …)
//!   destination; only the changed cells are written. When the value of an update already lies there, nothing is written.
//! - `if`, `loop`, `call`: results are where the bodies left them; block, offset and strides come back as further results
//!   wherever they differ between branches or iterations (paper section 3.5). A result of a function may also lie in a block that is a
//!   parameter, at an offset (and with strides) that are parameters: its *destination*, of the caller's choice. The call writes there as
//!   a fresh array is written.
//! - A kernel's body may leave its array results anywhere; they are copied to their place in the kernel's result.
//!
//! # Invariants, beyond F1–F9
//! - M1 Array binders have as many LMAD dimensions as type dimensions, of equal sizes.
//! - M2 The block and every variable of an LMAD are in scope at the binder, or bound in the same pattern (or parameter list).
//! - M3 Derived and in-place binders have exactly the block and LMAD that the rules above give (equal as polynomials, after
//!   putting in the i64 sums and products that define variables; as in M4). Fresh arrays have no two indices in one cell.
//! - M4 Results of bodies match their pattern after substitution, blocks and LMADs included (Figure 8).
//! - M5 Only kernel forms; `kernel` with reduce and a space of one dimension gives scalars, which are never in memory.
//! - M6 Array parameters and results of entry points are row-major from offset 0 of blocks of their own, or are results that are one array:
//!   `[xs_mem: mem] (xs: [n]f32 @ xs_mem -> 0 + {(n : 1)})`. Parameters that are not consumed may lie anywhere in their block instead, which
//!   the caller says in implicit parameters: `[xs_mem: mem] [o: i64] [s: i64] (xs: [n]f32 @ xs_mem -> o + {(n : s)})`.
//! - M7 The lambdas of a combine have scalar parameters and results.
//! - M8 Not checked but required: race freedom (equation 4) of kernels, also between the points of a reduction, its operator and its
//!   result; reads only of written cells, and through an array only of cells that no write through another array has changed since
//!   the array was made; accesses inside blocks that have not ended. The heap semantics finds what breaks it. (The result of a
//!   reduction lies where none of its points reads, its own row included: how a row is split is left open.)
//! - M9 A function writes to blocks that it allocates, to those of arrays that it consumes and to those that its results lie in; of others it
//!   reads what its arrays show. (Checked for arrays whose block is a parameter by that name.)
//!
//! # Grammar, beyond FUN's
//! ```text
//! type ::= … | "mem" [space] | ("[" atom "]")+ prim "@" var "->" lmad
//! lmad ::= poly "+" "{" ("(" poly ":" poly ")")* "}"            size : stride
//! poly ::= term ("+" term)*        term ::= [int "*"] var ("*" var)* | int
//! expression ::= … | "alloc" [space] ("[" atom "]")+ prim        room for that many elements
//! space ::= "stack" | "device" | "shared" | string              default when absent
//! ```

use fun::ir::{Atom, BinderType, Dim, ExtraOp, FlatDim, Rep, Type};
use fun_base::name::{Symbol, Var};
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::{Lmad, LmadDim, Slice};
use fun_index::poly::Poly;

/// The representation of FUNMEM.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mem;

impl Rep for Mem {
    type Type = MemType;
    type Op = MemOp;
}

/// A FUNMEM program.
pub type Program = fun::ir::Program<Mem>;
/// A FUNMEM function.
pub type Function = fun::ir::Function<Mem>;
/// A FUNMEM parameter or result.
pub type Param = fun::ir::Param<Mem>;
/// A FUNMEM binder.
pub type Binder = fun::ir::Binder<Mem>;
/// A FUNMEM body.
pub type Body = fun::ir::Body<Mem>;
/// A FUNMEM statement.
pub type Statement = fun::ir::Statement<Mem>;
/// A FUNMEM lambda.
pub type Lambda = fun::ir::Lambda<Mem>;
/// A FUNMEM expression.
pub type Exp = fun::ir::Exp<Mem>;
/// A FUNMEM kernel combination.
pub type Combine = fun::ir::Combine<Mem>;

/// A kind of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Space {
    /// The heap of the host.
    Default,
    /// The stack frame of the procedure: constant size.
    Stack,
    /// Global memory of an accelerator.
    Device,
    /// Memory of a thread group.
    Shared,
    /// Declared by a hardware library.
    Named(Symbol),
}

/// What a FUNMEM binder says.
#[derive(Clone, PartialEq, Debug)]
pub enum MemType {
    /// A scalar; never in memory.
    Prim(PrimType),
    /// A memory block.
    Mem(Space),
    /// An array and its place.
    Array {
        /// Sizes, outermost first.
        shape: Vec<Atom>,
        /// Element type.
        elem: PrimType,
        /// The block.
        mem: Var,
        /// Where in the block each index lies.
        lmad: Lmad,
    },
}

/// What FUNMEM does that FUN does not.
#[derive(Clone, PartialEq, Debug)]
pub enum MemOp {
    /// A fresh block with room for the product of `shape` elements of `elem`. The product is computed without overflow;
    /// more than the machine has is a run-time error. Contents are undefined.
    Alloc {
        /// Kind of memory.
        space: Space,
        /// Factors of the number of elements.
        shape: Vec<Atom>,
        /// What it is measured in; a block may hold arrays of any element type.
        elem: PrimType,
    },
}

/// The polynomial of an i64 atom. Panics on other constants: sizes and indices are i64 (F2).
pub fn atom_poly(atom: Atom) -> Poly {
    match atom {
        Atom::Var(var) => Poly::var(var),
        Atom::Const(value) => Poly::constant(value.as_i64().expect("invariant F2: sizes are i64")),
    }
}

/// The variables that are offset and strides of an LMAD, where each is one: the place of an array that lies where a caller says.
pub fn place_variables(lmad: &Lmad) -> Option<(Var, Vec<Var>)> {
    let strides = lmad.dims.iter().map(|dim| dim.stride.as_var());
    Some((lmad.offset.as_var()?, strides.collect::<Option<_>>()?))
}

/// The slices of an LMAD that the dimensions of a slice or update say.
pub fn slices(dims: &[Dim]) -> Vec<Slice> {
    let slice = |dim: &Dim| match dim {
        Dim::Fix(index) => Slice::Fix(atom_poly(*index)),
        Dim::Range { offset, count, stride } => {
            Slice::Range { offset: atom_poly(*offset), count: atom_poly(*count), stride: atom_poly(*stride) }
        }
        Dim::Flat { offset, dims } => {
            let step = |dim: &FlatDim| LmadDim { size: atom_poly(dim.count), stride: atom_poly(dim.stride) };
            Slice::Flat(Lmad { offset: atom_poly(*offset), dims: dims.iter().map(step).collect() })
        }
    };
    dims.iter().map(slice).collect()
}

/// An atom with the value of a polynomial. `op` appends a statement with the sum or product of two atoms and gives its result; it is
/// not asked for constants and variables.
pub fn poly_atom(poly: &Poly, op: &mut dyn FnMut(BinOp, Atom, Atom) -> Atom) -> Atom {
    if let Some(constant) = poly.as_constant() {
        return Atom::i64(constant);
    }
    let mut sum = None;
    for (monomial, coefficient) in poly.terms() {
        let mut factors = monomial.iter().copied().map(Atom::Var);
        let coefficient = (coefficient != 1).then(|| Atom::i64(coefficient));
        let first = coefficient.or_else(|| factors.next()).unwrap_or(Atom::i64(1));
        let term = factors.fold(first, |product, factor| op(BinOp::Mul, product, factor));
        sum = Some(match sum {
            None => term,
            Some(sum) => op(BinOp::Add, sum, term),
        });
    }
    sum.unwrap_or(Atom::i64(0))
}

impl BinderType for MemType {
    fn erased(&self) -> Type {
        match self {
            MemType::Prim(elem) => Type::Prim(*elem),
            MemType::Mem(_) => Type::Prim(PrimType::I64),
            MemType::Array { shape, elem, .. } => Type::Array { shape: shape.clone(), elem: *elem },
        }
    }

    fn has_constants(&self) -> bool {
        matches!(self, MemType::Prim(_))
    }

    fn has_cells(&self) -> bool {
        let MemType::Array { shape, lmad, .. } = self else { return false };
        let sizes: Vec<Poly> = shape.iter().map(|size| atom_poly(*size)).collect();
        lmad.equivalent(&Lmad::row_major(lmad.offset.clone(), &sizes))
    }

    fn for_each_var(&self, f: &mut dyn FnMut(Var)) {
        if let MemType::Array { shape, mem, lmad, .. } = self {
            shape.iter().copied().filter_map(Atom::as_var).for_each(&mut *f);
            f(*mem);
            lmad.for_each_var(f);
        }
    }

    fn map_vars(&self, f: &mut dyn FnMut(Var) -> Atom) -> MemType {
        match self {
            MemType::Prim(elem) => MemType::Prim(*elem),
            MemType::Mem(space) => MemType::Mem(*space),
            MemType::Array { shape, elem, mem, lmad } => MemType::Array {
                shape: shape.iter().map(|atom| atom.as_var().map_or(*atom, &mut *f)).collect(),
                elem: *elem,
                mem: f(*mem).as_var().expect("invariant M2: a block is a variable"),
                lmad: lmad.subst(&mut |var| atom_poly(f(var))),
            },
        }
    }
}

impl ExtraOp for MemOp {
    fn for_each_atom(&self, f: &mut dyn FnMut(&Atom)) {
        match self {
            MemOp::Alloc { shape, .. } => shape.iter().for_each(f),
        }
    }

    fn map_atoms(&self, f: &mut dyn FnMut(&Atom) -> Atom) -> MemOp {
        match self {
            MemOp::Alloc { space, shape, elem } => {
                MemOp::Alloc { space: *space, shape: shape.iter().map(f).collect(), elem: *elem }
            }
        }
    }
}
