//! Tiles of operands in memory that the threads of a block share: two of each operand, which take turns.
//!
//! While threads compute with one half, each has the elements of the next tile that it is to store in registers: it asks for them before it
//! computes and stores them into the other half after that, so that the device's memory answers meanwhile. Threads store where none reads before
//! the next barrier, which is the only one for a tile.
//!
//! Neighbouring threads read neighbouring cells of the device's memory: along the rows of an operand, or along its columns where it lies in memory by
//! columns. Where they then write a tile column by column, its rows have some cells more than they need, so that a group of threads uses all banks:
//! with 16 inner indices, a row would best begin 8 bytes, which are two banks, further on than the one before it; it begins 16 bytes further on,
//! so that what a thread reads of it at once lies as devices want it, and two threads of 32 share a bank when they write.

use super::{I64, Tiling, inside, quot, rem};
use crate::imp::tile_products::nest::{Nest, Packed};
use fun_base::name::Var;
use fun_base::prim::PrimType;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use imp::build::{Builder, add, mul, read};
use imp::ir::{Exp, LoopKind, Space, StatementKind};

/// Which operand a tile is of.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Side {
    Row,
    Column,
}

/// An operand, and views of what a block has of it.
pub(super) struct Operand<'n> {
    pub(super) side: Side,
    packed: &'n Packed,
    /// Its tiles: the half, the inner index, the row or column.
    pub(super) tiles: Var,
    /// What a thread has of the next tile.
    next: Var,
}

/// What a block has of its own.
pub(super) struct Own<'n> {
    pub(super) operands: Vec<Operand<'n>>,
    /// The sums of each thread.
    pub(super) sums: Vec<Var>,
    memory: Vec<Var>,
}

/// Where a tile is: its first row, column and inner index.
#[derive(Clone, Copy)]
pub(super) struct At {
    pub(super) row: Var,
    pub(super) column: Var,
    pub(super) start: Var,
}

/// Tiles of an operand: the one that threads compute with, and the next one.
pub(super) const HALVES: i64 = 2;

/// The bytes of all banks of shared memory, which threads use at a time.
const BANKS_BYTES: i64 = 128;

impl Own<'_> {
    pub(super) fn free(&self, b: &mut Builder) {
        self.memory.iter().for_each(|memory| b.push(StatementKind::Free(*memory)));
    }
}

impl<'n> Tiling<'n> {
    /// What a block has of its own.
    pub(super) fn own(&self, b: &mut Builder) -> Own<'n> {
        let mut memory = Vec::new();
        let mut view = |b: &mut Builder, name: &str, elem: PrimType, shape: &[i64], space: Space| {
            let sizes = shape.iter().map(|size| Exp::i64(*size)).collect();
            let block = b.alloc(format!("{name}_mem").as_str(), elem, sizes, space);
            memory.push(block);
            let sizes: Vec<Poly> = shape.iter().map(|size| Poly::constant(*size)).collect();
            b.view(name, elem, block, Lmad::row_major(Poly::constant(0), &sizes))
        };
        let next = [self.width(), self.each_takes()];
        let mut operand = |b: &mut Builder, side: Side, packed: &'n Packed| {
            let (name, later) =
                if side == Side::Row { ("left", "next_left") } else { ("right", "next_right") };
            let tiles = [HALVES, self.depth, self.pitch(side, packed)];
            let tiles = view(b, name, packed.elem, &tiles, Space::Shared);
            Operand { side, packed, tiles, next: view(b, later, packed.elem, &next, Space::Register) }
        };
        let rows = self.rows.iter().map(|packed| operand(b, Side::Row, packed)).collect::<Vec<_>>();
        let columns = self.nest.packed.iter().map(|packed| operand(b, Side::Column, packed));
        let operands = rows.into_iter().chain(columns.collect::<Vec<_>>()).collect();
        let cells = [self.width(), self.sums, self.sums];
        let sums = self.nest.accumulators.iter();
        let sums = sums.map(|sum| view(b, "sums", sum.ty, &cells, Space::Register)).collect();
        Own { operands, sums, memory }
    }

    /// What all tiles of a block take.
    pub(super) fn shared_bytes(&self) -> i64 {
        let bytes = |side: Side, packed: &Packed| {
            HALVES * self.depth * self.pitch(side, packed) * i64::from(packed.elem.bytes())
        };
        let rows = self.rows.iter().map(|packed| bytes(Side::Row, packed));
        rows.chain(self.nest.packed.iter().map(|packed| bytes(Side::Column, packed))).sum()
    }

    /// How many cells a row of an operand's tile has, those that nobody uses included.
    fn pitch(&self, side: Side, packed: &Packed) -> i64 {
        let spare = (BANKS_BYTES / (self.depth * i64::from(packed.elem.bytes()))).max(1);
        let near = self.near(side);
        self.side() + if self.runs_along(side, packed) { 0 } else { (spare + near - 1) / near * near }
    }

    /// How many elements of a tile a thread reads.
    fn each_takes(&self) -> i64 {
        self.side() * self.depth / self.width()
    }

    /// A thread reads its part of the first tiles into the first half.
    pub(super) fn fill(&self, b: &mut Builder, t: Var, at: At, own: &Own<'_>) {
        for operand in &own.operands {
            self.each_element(b, t, operand, |b, _, cell| {
                let value = self.element(b, at, false, operand, cell);
                let [deep, own] = cell;
                b.write(operand.tiles, vec![Exp::i64(0), deep.into(), own.into()], value);
            });
        }
    }

    /// A thread reads its part of tiles into registers; of tiles that are whole, so that no place need be compared with the edges.
    pub(super) fn ask(&self, b: &mut Builder, t: Var, at: At, whole: bool, own: &Own<'_>) {
        for operand in &own.operands {
            self.each_element(b, t, operand, |b, e, cell| {
                let value = self.element(b, at, whole, operand, cell);
                b.write(operand.next, vec![t.into(), e.into()], value);
            });
        }
    }

    /// A thread stores what it has in registers into a half.
    pub(super) fn store(&self, b: &mut Builder, t: Var, half: Var, own: &Own<'_>) {
        for operand in &own.operands {
            self.each_element(b, t, operand, |b, e, [deep, own]| {
                let value = read(operand.next, vec![t.into(), e.into()]);
                b.write(operand.tiles, vec![half.into(), deep.into(), own.into()], value);
            });
        }
    }

    /// What a thread does for each of its elements of a tile: `f` gets the number of the element, and its inner index and row or column in the tile.
    fn each_element(
        &self,
        b: &mut Builder,
        t: Var,
        operand: &Operand<'_>,
        f: impl FnOnce(&mut Builder, Var, [Var; 2]),
    ) {
        let along = self.runs_along(operand.side, operand.packed);
        b.for_("e", Exp::i64(self.each_takes()), LoopKind::Unroll, |b, e| {
            let (width, length) = (self.width(), if along { self.side() } else { self.depth });
            let (outer, inner) = if width % length == 0 {
                // elements of a thread are whole rows apart, which its compiler need not find out
                let outer = add(quot(t, Exp::i64(length)), mul(e, Exp::i64(width / length)));
                (outer, rem(t, Exp::i64(length)))
            } else {
                let cell = b.let_("cell", I64, add(mul(e, Exp::i64(width)), t));
                (quot(cell, Exp::i64(length)), rem(cell, Exp::i64(length)))
            };
            let (outer, inner) = (b.let_("outer", I64, outer), b.let_("inner", I64, inner));
            f(b, e, if along { [outer, inner] } else { [inner, outer] });
        });
    }

    /// The element of an operand at a place of a tile.
    fn element(
        &self,
        b: &mut Builder,
        at: At,
        whole: bool,
        operand: &Operand<'_>,
        [deep, own]: [Var; 2],
    ) -> Exp {
        let Nest { i, j, k, n, p, m, .. } = self.nest;
        let (counter, size, first) =
            if operand.side == Side::Row { (*i, n, at.row) } else { (*j, p, at.column) };
        let within = |index: Exp, size: &Exp| if whole { index } else { inside(index, size) };
        let x = b.let_(counter.text, I64, within(add(first, own), size));
        let y = b.let_(k.text, I64, within(add(at.start, deep), m));
        self.nest.value(b, operand.packed, &[(counter, x), (*k, y)])
    }

    /// Whether neighbouring cells of what is read are those of neighbouring rows (columns), and not of neighbouring inner indices.
    fn runs_along(&self, side: Side, packed: &Packed) -> bool {
        let counter = if side == Side::Row { self.nest.i } else { self.nest.j };
        let stride = |var: Var| {
            let Exp::Read { view, indices } = &packed.value else { return None };
            let lmad = self.views.get(view)?;
            let mut strides = indices.iter().zip(&lmad.dims).filter(|(index, _)| **index == Exp::Var(var));
            strides.next().and_then(|(_, dim)| dim.stride.as_constant())
        };
        match (stride(counter), stride(self.nest.k)) {
            (Some(1), _) => true,
            (_, Some(1)) => false,
            _ => side == Side::Column,
        }
    }
}
