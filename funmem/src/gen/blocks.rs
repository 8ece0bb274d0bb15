//! Which block an array gets, and who else lives there.

use super::maker::{Maker, Place, Roots};
use crate::ir::{Exp, MemOp, Space, Statement, atom_poly};
use fun::ir::Atom;
use fun_base::name::{Symbol, Var};
use fun_base::prim::PrimType;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use std::collections::{BTreeMap, BTreeSet};

/// Part of a block, with room for the product of some factors.
#[derive(Clone, Debug)]
pub(super) struct Region {
    token: u32,
    mem: Var,
    /// Where it starts, in elements of `bytes` bytes.
    base: Poly,
    bytes: u32,
    /// Sorted.
    factors: Vec<Atom>,
    /// The body that it belongs to.
    body: u32,
    /// Whether nothing was put there so far.
    vacant: bool,
}

/// A kernel whose body is being made.
struct Around {
    body: u32,
    space: Vec<(Var, Atom)>,
    /// When it began: what is known at that time may be mentioned outside.
    start: u32,
    /// Allocations to be put before the kernel.
    allocs: Vec<Statement>,
}

/// Memory of the function at hand.
#[derive(Default)]
pub(super) struct Blocks {
    regions: Vec<Region>,
    /// Regions of arrays that the statement under construction uses.
    pinned: Roots,
    /// Regions that are all of a block of the default space, and nothing else was ever there.
    pub(super) whole: Roots,
    /// The block of each region.
    mems: BTreeMap<u32, Var>,
    kernels: Vec<Around>,
    /// The body at hand, and where in it the statement at hand is.
    body: u32,
    position: usize,
    /// The last statements of the body at hand that use a variable; the results count as one more.
    last_use: BTreeMap<Var, usize>,
    bodies: u32,
}

/// What is kept while an inner body is made.
pub(super) struct Outer {
    body: u32,
    position: usize,
    last_use: BTreeMap<Var, usize>,
    pinned: Roots,
}

impl Blocks {
    /// What lies there stays in use until the statement at hand is complete.
    pub(super) fn pin(&mut self, roots: &Roots) {
        self.pinned.extend(roots);
    }

    fn remember(&mut self, region: Region) {
        self.mems.insert(region.token, region.mem);
        self.regions.push(region);
    }

    /// The blocks of regions.
    pub(super) fn mems(&self, roots: &Roots) -> BTreeSet<Var> {
        roots.iter().filter_map(|token| self.mems.get(token).copied()).collect()
    }

    /// A body begins.
    pub(super) fn enter(&mut self, body: &fun::ir::Body) -> Outer {
        let mut last_use = BTreeMap::new();
        for (k, statement) in body.statements.iter().enumerate() {
            for var in fun::visit::names::free_in_statement(statement) {
                last_use.insert(var, k);
            }
        }
        for var in body.results.iter().filter_map(|atom| atom.as_var()) {
            last_use.insert(var, usize::MAX);
        }
        self.bodies += 1;
        Outer {
            body: std::mem::replace(&mut self.body, self.bodies),
            position: std::mem::replace(&mut self.position, 0),
            last_use: std::mem::replace(&mut self.last_use, last_use),
            pinned: std::mem::take(&mut self.pinned),
        }
    }

    /// The body ends, and what lies in it can no longer be used.
    pub(super) fn leave(&mut self, outer: Outer) {
        let body = self.body;
        self.regions.retain(|region| region.body != body);
        self.body = outer.body;
        self.position = outer.position;
        self.last_use = outer.last_use;
        self.pinned = outer.pinned;
    }

    /// The statement at this position of the body begins.
    pub(super) fn statement(&mut self, position: usize) {
        self.position = position;
        self.pinned.clear();
    }

    /// After the last statement: all that was in use still is.
    pub(super) fn end_of_body(&mut self) {
        self.position = usize::MAX;
    }

    pub(super) fn enter_kernel(&mut self, space: &[(Var, Atom)], start: u32) {
        // the body to come
        let body = self.bodies + 1;
        self.kernels.push(Around { body, space: space.to_vec(), start, allocs: Vec::new() });
    }

    pub(super) fn leave_kernel(&mut self) -> Vec<Statement> {
        self.kernels.pop().map_or(Vec::new(), |around| around.allocs)
    }
}

fn product(factors: &[Atom]) -> Poly {
    factors.iter().fold(Poly::constant(1), |product, factor| product.mul(&atom_poly(*factor)))
}

impl Maker {
    /// A place for a new array.
    pub(super) fn fresh_place(&mut self, shape: &[Atom], elem: PrimType) -> Place {
        let layout = self.layout(shape);
        let (mem, base, token) = self.room(layout.factors, elem);
        let lmad = Lmad { offset: layout.lmad.offset.add(&base), dims: layout.lmad.dims };
        Place { mem, lmad, injective: true, roots: Roots::from([token]) }
    }

    /// Row-major from offset 0 in a block of its own.
    pub(super) fn own_block(&mut self, shape: &[Atom], elem: PrimType) -> Place {
        let token = self.token();
        let mem = self.alloc(shape.to_vec(), elem, Space::Default);
        self.blocks.whole.insert(token);
        self.blocks.mems.insert(token, mem);
        Maker::row_major(mem, shape, Roots::from([token]))
    }

    /// Room for so many elements: the block, the first element, and what the region is called.
    fn room(&mut self, mut factors: Vec<Atom>, elem: PrimType) -> (Var, Poly, u32) {
        if self.rng.chance(35)
            && let Some(found) = self.unused(&factors, elem)
        {
            return found;
        }
        if self.rng.chance(20)
            && let Some(found) = self.row_of_kernel(&factors, elem)
        {
            return found;
        }
        let token = self.token();
        let (body, bytes) = (self.blocks.body, elem.bytes());
        if self.rng.chance(25) {
            // room for a second one
            let second = self.token();
            let base = product(&factors);
            let mem = self.alloc([factors.as_slice(), &[Atom::i64(2)]].concat(), elem, Space::Default);
            factors.sort();
            let region =
                Region { token: second, mem, base, bytes, factors: factors.clone(), body, vacant: true };
            self.blocks.remember(region);
            self.blocks.remember(Region {
                token,
                mem,
                base: Poly::constant(0),
                bytes,
                factors,
                body,
                vacant: false,
            });
            return (mem, Poly::constant(0), token);
        }
        let space = self.some_space(&factors);
        let mem = self.alloc(factors.clone(), elem, space);
        if space == Space::Default {
            self.blocks.whole.insert(token);
        }
        factors.sort();
        self.blocks.remember(Region {
            token,
            mem,
            base: Poly::constant(0),
            bytes,
            factors,
            body,
            vacant: false,
        });
        (mem, Poly::constant(0), token)
    }

    fn some_space(&mut self, factors: &[Atom]) -> Space {
        if !self.rng.chance(8) {
            return Space::Default;
        }
        match self.rng.below(4) {
            0 if factors.iter().all(|factor| factor.as_const().is_some()) => Space::Stack,
            0 | 1 => Space::Device,
            2 => Space::Shared,
            _ => Space::Named(Symbol::new("scratchpad")),
        }
    }

    /// A region of this size of the body at hand in which nothing is that is still used.
    fn unused(&mut self, factors: &[Atom], elem: PrimType) -> Option<(Var, Poly, u32)> {
        let mut factors = factors.to_vec();
        factors.sort();
        let fits = |region: &Region| {
            region.body == self.blocks.body
                && region.factors == factors
                && region.bytes.is_multiple_of(elem.bytes())
                && (region.vacant || self.is_dead(region.token))
        };
        let fitting: Vec<usize> =
            (0..self.blocks.regions.len()).filter(|k| fits(&self.blocks.regions[*k])).collect();
        let at = *self.rng.pick(&fitting)?;
        let token = self.token();
        let region = &mut self.blocks.regions[at];
        let base = region.base.scale(i64::from(region.bytes / elem.bytes()));
        (region.token, region.vacant) = (token, false);
        let mem = region.mem;
        self.blocks.mems.insert(token, mem);
        Some((mem, base, token))
    }

    /// Whether no array that may lie there is used from the statement at hand on.
    fn is_dead(&self, token: u32) -> bool {
        let used =
            |var: &Var| self.blocks.last_use.get(var).is_some_and(|last| *last >= self.blocks.position);
        !self.blocks.pinned.contains(&token) && !self.users(token).iter().any(used)
    }

    /// A part for each point of the kernel around, of one block outside of it.
    fn row_of_kernel(&mut self, factors: &[Atom], elem: PrimType) -> Option<(Var, Poly, u32)> {
        let around = self.blocks.kernels.last().filter(|around| around.body == self.blocks.body)?;
        let (start, space) = (around.start, around.space.clone());
        let outside = |factor: &Atom| factor.as_var().is_none_or(|var| self.bound_before(var, start));
        if !factors.iter().all(outside) {
            return None;
        }
        let mut number = Poly::constant(0);
        for (counter, bound) in &space {
            number = number.mul(&atom_poly(*bound)).add(&Poly::var(*counter));
        }
        let base = number.mul(&product(factors));
        let bounds = space.iter().map(|(_, bound)| *bound);
        let outer = std::mem::take(&mut self.out);
        let mem = self.alloc(bounds.chain(factors.iter().copied()).collect(), elem, Space::Default);
        let allocs = std::mem::replace(&mut self.out, outer);
        if let Some(around) = self.blocks.kernels.last_mut() {
            around.allocs.extend(allocs);
        }
        let token = self.token();
        self.blocks.mems.insert(token, mem);
        Some((mem, base, token))
    }

    /// Appends the allocation of a block.
    pub(super) fn alloc(&mut self, shape: Vec<Atom>, elem: PrimType, space: Space) -> Var {
        let mem = self.names.fresh("m");
        let binder = self.bind_mem(mem, space);
        self.emit(vec![binder], Exp::Op(MemOp::Alloc { space, shape, elem }));
        mem
    }

    /// Takes some allocations of a body out of it: those whose sizes are known outside, and that `stays` says nothing of.
    pub(super) fn hoist(
        &mut self,
        statements: Vec<Statement>,
        start: u32,
        stays: &BTreeSet<Var>,
    ) -> (Vec<Statement>, Vec<Statement>) {
        let mut moved = Vec::new();
        let mut kept = Vec::new();
        for statement in statements {
            let may_move = match (&statement.exp, statement.pattern.as_slice()) {
                (Exp::Op(MemOp::Alloc { shape, space, elem: _ }), [binder]) => {
                    let outside = |size: &Atom| size.as_var().is_none_or(|var| self.bound_before(var, start));
                    *space == Space::Default && !stays.contains(&binder.var) && shape.iter().all(outside)
                }
                _ => false,
            };
            let list = if may_move && self.rng.chance(30) { &mut moved } else { &mut kept };
            list.push(statement);
        }
        (moved, kept)
    }
}
