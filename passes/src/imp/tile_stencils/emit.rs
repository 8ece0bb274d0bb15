//! The kernel of a nest with tiles.

use super::Sizes;
use super::nest::{Group, Nest, Place};
use crate::imp::copy::{can_fail, declared_in, fresh};
use crate::imp::distance::{Axis, Numbers};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use imp::build::{Builder, add, bin, mul, read, sub};
use imp::ir::{Exp, LoopKind, Space, Statement, StatementKind, WindowDim};
use imp::visit::for_each_statement;
use std::collections::BTreeSet;

const I64: PrimType = PrimType::I64;

/// Statements of an iteration that may be written out for each of a thread's, at most.
const LITTLE: usize = 64;

/// A nest to be tiled.
pub(super) struct Tiling<'n> {
    pub(super) nest: &'n Nest,
    pub(super) groups: &'n [Group],
    pub(super) sizes: &'n Sizes,
}

/// The tile of a group.
struct Tile {
    memory: Var,
    view: Var,
    /// The place of its first cell in the array, for each axis.
    first: Vec<Var>,
}

fn quot(x: impl Into<Exp>, y: impl Into<Exp>) -> Exp {
    bin(BinOp::Quot, I64, x, y)
}

fn rem(x: impl Into<Exp>, y: impl Into<Exp>) -> Exp {
    bin(BinOp::Rem, I64, x, y)
}

fn at_least(x: impl Into<Exp>, least: i64) -> Exp {
    bin(BinOp::Max, I64, x, Exp::i64(least))
}

fn both(x: Exp, y: Exp) -> Exp {
    bin(BinOp::And, PrimType::Bool, x, y)
}

impl Tiling<'_> {
    /// Whether there are enough iterations, and a cell in each array.
    pub(super) fn is_large(&self, b: &mut Builder, least: &dyn Fn(&Exp) -> Exp) -> Exp {
        let loops = self.nest.around.iter().map(|(axis, _)| axis).chain(&self.nest.axes);
        let bounds: Vec<&Exp> = loops.map(|axis| &axis.bound).collect();
        let constants = bounds.iter().map(|bound| constant(bound)).collect::<Option<Vec<i64>>>();
        let constant = constants.and_then(|all| all.into_iter().try_fold(1, i64::checked_mul));
        let cells = constant.map(Exp::i64).unwrap_or_else(|| {
            let cells = bounds.iter().map(|bound| at_least((*bound).clone(), 0)).reduce(mul);
            b.let_("cells", I64, cells.unwrap_or(Exp::i64(1))).into()
        });
        let mut large = bin(BinOp::Ge, I64, cells.clone(), least(&cells));
        let tile = self.sizes.tile(self.nest.axes.len());
        for (axis, side) in self.nest.axes.iter().zip(tile).filter(|_| self.sizes.full) {
            large = both(large, bin(BinOp::Ge, I64, axis.bound.clone(), Exp::i64(side)));
        }
        let sizes: BTreeSet<Var> = self
            .groups
            .iter()
            .flat_map(|group| &group.sizes)
            .filter_map(|size| if let Exp::Var(size) = size { Some(*size) } else { None })
            .collect();
        sizes.into_iter().fold(large, |large, size| both(large, bin(BinOp::Gt, I64, size, Exp::i64(0))))
    }

    /// The kernel.
    pub(super) fn emit(&self, b: &mut Builder) {
        let Nest { around, axes, .. } = self.nest;
        let sides = self.sizes.tile(axes.len());
        let parts = axes.iter().zip(&sides).map(|(axis, side)| {
            let part = quot(add(at_least(axis.bound.clone(), 0), Exp::i64(side - 1)), Exp::i64(*side));
            b.let_("parts", I64, part)
        });
        let parts: Vec<Var> = parts.collect();
        let around_it = around.iter().map(|(axis, _)| at_least(axis.bound.clone(), 0));
        let blocks = around_it.chain(parts.iter().map(|part| Exp::Var(*part))).reduce(mul);
        let blocks = b.let_("blocks", I64, blocks.unwrap_or(Exp::i64(1)));
        b.for_("block", blocks, LoopKind::Block, |b, block| {
            let counts = around.iter().map(|(axis, _)| axis.bound.clone());
            let counts: Vec<Exp> = counts.chain(parts.iter().map(|part| Exp::Var(*part))).collect();
            let numbers = numbers(b, block, &counts);
            let (first, last) = numbers.split_at(around.len());
            for ((axis, _), number) in around.iter().zip(first) {
                b.push(StatementKind::Let { var: axis.counter, ty: I64, value: (*number).into() });
            }
            let starts = last.iter().zip(&sides);
            let starts: Vec<Var> =
                starts.map(|(number, side)| b.let_("start", I64, mul(*number, Exp::i64(*side)))).collect();
            around.iter().for_each(|(_, before)| b.push_all(before.clone()));
            let tiles: Vec<Tile> = self.groups.iter().map(|group| self.tile(b, group, &starts)).collect();
            b.for_("t", Exp::i64(self.sizes.threads()), LoopKind::Thread, |b, t| {
                self.groups.iter().zip(&tiles).for_each(|(group, tile)| self.fill(b, t, group, tile));
            });
            self.compute(b, &starts, &tiles);
            tiles.iter().for_each(|tile| b.push(StatementKind::Free(tile.memory)));
        });
    }

    fn tile(&self, b: &mut Builder, group: &Group, starts: &[Var]) -> Tile {
        let extents = group.extents(&self.sizes.tile(starts.len()));
        let shape = extents.iter().map(|extent| Exp::i64(*extent)).collect();
        let memory = b.alloc("tile_mem", group.elem, shape, Space::Shared);
        let shape: Vec<Poly> = extents.iter().map(|extent| Poly::constant(*extent)).collect();
        let view = b.view("tile", group.elem, memory, Lmad::row_major(Poly::constant(0), &shape));
        let first = starts.iter().zip(&group.reach);
        let first =
            first.map(|(start, (low, _))| b.let_("first", I64, add(*start, Exp::i64(*low)))).collect();
        Tile { memory, view, first }
    }

    /// All threads read the cells of a tile; of one that lies within the array no place need be brought there.
    fn fill(&self, b: &mut Builder, t: Var, group: &Group, tile: &Tile) {
        let extents = group.extents(&self.sizes.tile(tile.first.len()));
        let near = group.places.iter().zip(&group.sizes).filter_map(|(place, size)| match place {
            Place::Same(_) => None,
            Place::Near(axis) => Some((tile.first[*axis], extents[*axis], size)),
        });
        let within = near.map(|(first, extent, size)| {
            let end = bin(BinOp::Le, I64, add(first, Exp::i64(extent)), size.clone());
            both(bin(BinOp::Ge, I64, first, Exp::i64(0)), end)
        });
        let Some(within) = within.reduce(both) else { return self.fill_cells(b, t, group, tile, false) };
        let (then, ()) = b.nested(|b| self.fill_cells(b, t, group, tile, true));
        let (otherwise, ()) = b.nested(|b| self.fill_cells(b, t, group, tile, false));
        b.push(StatementKind::If { condition: within, then, otherwise });
    }

    fn fill_cells(&self, b: &mut Builder, t: Var, group: &Group, tile: &Tile, within: bool) {
        let extents = group.extents(&self.sizes.tile(tile.first.len()));
        let (columns, rows) = (self.sizes.columns, self.sizes.rows);
        match extents.as_slice() {
            // the threads of a row read a row, and then all of them what is right of that
            [down, across] if *across >= columns => {
                let (ty, tx) = self.place(b, t);
                b.for_("e", Exp::i64((down + rows - 1) / rows), LoopKind::Unroll, |b, e| {
                    let own = b.let_("own", I64, add(ty, mul(e, Exp::i64(rows))));
                    let fill = |b: &mut Builder| self.fill_cell(b, group, tile, &[own, tx], within);
                    if down % rows == 0 {
                        fill(b);
                    } else {
                        b.when(bin(BinOp::Lt, I64, own, Exp::i64(*down)), fill);
                    }
                });
                if *across > columns {
                    self.fill_part(b, t, group, tile, (&[*down, across - columns], columns), within);
                }
            }
            _ => self.fill_part(b, t, group, tile, (&extents, 0), within),
        }
    }

    /// All threads read a part of a tile that has so many cells along each axis, from this place of the last axis on.
    fn fill_part(
        &self,
        b: &mut Builder,
        t: Var,
        group: &Group,
        tile: &Tile,
        (extents, start): (&[i64], i64),
        within: bool,
    ) {
        let (cells, threads): (i64, i64) = (extents.iter().product(), self.sizes.threads());
        b.for_("e", Exp::i64((cells + threads - 1) / threads), LoopKind::Unroll, |b, e| {
            let cell = b.let_("cell", I64, add(mul(e, Exp::i64(threads)), t));
            let fill = |b: &mut Builder| {
                let mut rest = Exp::Var(cell);
                let mut own = Vec::new();
                for (at, extent) in extents.iter().enumerate().rev() {
                    let mut index = if at == 0 { rest.clone() } else { rem(rest.clone(), Exp::i64(*extent)) };
                    if at == extents.len() - 1 && start > 0 {
                        index = add(index, Exp::i64(start));
                    }
                    own.insert(0, b.let_("own", I64, index));
                    rest = quot(rest, Exp::i64(*extent));
                }
                self.fill_cell(b, group, tile, &own, within);
            };
            if cells % threads == 0 {
                fill(b);
            } else {
                b.when(bin(BinOp::Lt, I64, cell, Exp::i64(cells)), fill);
            }
        });
    }

    /// A cell of a tile is that of the array at its place.
    fn fill_cell(&self, b: &mut Builder, group: &Group, tile: &Tile, own: &[Var], within: bool) {
        let from = group.places.iter().zip(&group.sizes).map(|(place, size)| match place {
            Place::Same(index) => inside(index.clone(), size),
            Place::Near(axis) => {
                let index = add(tile.first[*axis], own[*axis]);
                if within {
                    index
                } else if group.wraps[*axis] {
                    bin(BinOp::Mod, I64, index, at_least(size.clone(), 1))
                } else {
                    inside(index, size)
                }
            }
        });
        let from: Vec<WindowDim> =
            from.map(|index| WindowDim::Fix(b.let_("from", I64, index).into())).collect();
        let to = own.iter().map(|index| WindowDim::Fix((*index).into())).collect();
        let to = b.window("to", tile.view, to);
        let from = b.window(group.view.text, group.view, from);
        b.copy(to, from);
    }

    /// The row and column of a thread in its block.
    fn place(&self, b: &mut Builder, t: Var) -> (Var, Var) {
        let row = b.let_("ty", I64, quot(t, Exp::i64(self.sizes.columns)));
        (row, b.let_("tx", I64, rem(t, Exp::i64(self.sizes.columns))))
    }

    /// All threads do what their iterations do, if there are such. Those of a thread are neighbours, so that it reads a cell for several of them once,
    /// where a full tile has them written out.
    fn compute(&self, b: &mut Builder, starts: &[Var], tiles: &[Tile]) {
        let axes = &self.nest.axes;
        let along = self.sizes.along(axes.len());
        b.for_("t", Exp::i64(self.sizes.threads()), LoopKind::Thread, |b, t| {
            let places = if axes.len() == 2 {
                let (row, column) = self.place(b, t);
                vec![row, column]
            } else {
                vec![t]
            };
            let rounds = self.sizes.rounds(axes.len());
            // neighbours along a row are those of other threads
            let (apart, near) = if axes.len() == 2 { (1, rounds) } else { (along[0], 1) };
            let counters = |b: &mut Builder, r: Var| {
                for (at, axis) in axes.iter().enumerate() {
                    let value = match at {
                        0 => add(mul(places[0], Exp::i64(near)), mul(r, Exp::i64(apart))),
                        _ => places[at].into(),
                    };
                    b.push(StatementKind::Let { var: axis.counter, ty: I64, value: add(starts[at], value) });
                }
            };
            let body = self.body(tiles);
            let (otherwise, ()) = b.nested(|b| {
                b.for_("r", Exp::i64(rounds), LoopKind::Seq, |b, r| {
                    counters(b, r);
                    let there_is = |axis: &Axis| bin(BinOp::Lt, I64, axis.counter, axis.bound.clone());
                    let all = axes.iter().map(there_is).reduce(both);
                    b.when(all.unwrap_or(Exp::Const(PrimValue::Bool(true))), |b| b.push_all(body.clone()));
                });
            });
            if axes.len() != 2 || !is_little(&body) {
                return b.push_all(otherwise);
            }
            let sides = starts.iter().zip(self.sizes.tile(axes.len()));
            let full = axes.iter().zip(sides).map(|(axis, (start, side))| {
                bin(BinOp::Le, I64, add(*start, Exp::i64(side)), axis.bound.clone())
            });
            let condition = full.reduce(both).unwrap_or(Exp::Const(PrimValue::Bool(true)));
            let (then, ()) = b.nested(|b| {
                b.for_("r", Exp::i64(rounds), LoopKind::Unroll, |b, r| {
                    counters(b, r);
                    b.push_all(body.clone());
                });
            });
            // names are those of one place alone
            let then = fresh(&then, &mut b.names);
            b.push(StatementKind::If { condition, then, otherwise });
        });
    }

    /// What an iteration does, with reads of tiles.
    fn body(&self, tiles: &[Tile]) -> Vec<Statement> {
        let mut body = self.nest.body.clone();
        let inside = declared_in(&body);
        let mut numbers = Numbers::new(&self.nest.axes, &inside);
        self.read_tiles(&mut body, &mut numbers, tiles);
        let mut used = BTreeSet::new();
        for_each_statement(&body, &mut |statement| {
            statement.kind.for_each_use(&mut |var| _ = used.insert(var))
        });
        self.drop_remainders(&mut body, &used);
        body
    }

    fn read_tiles(&self, list: &mut [Statement], numbers: &mut Numbers, tiles: &[Tile]) {
        for statement in list {
            let before = statement.clone();
            statement.kind.for_each_exp_mut(&mut |exp| self.read_tile(exp, numbers, tiles));
            numbers.passed(&before);
            statement.kind.for_each_body_mut(&mut |body| self.read_tiles(body, numbers, tiles));
        }
    }

    /// Drops remainders by what a counter counts up to that only tiled arrays had for indices.
    fn drop_remainders(&self, list: &mut Vec<Statement>, used: &BTreeSet<Var>) {
        list.retain(|statement| match &statement.kind {
            StatementKind::Let { var, value: Exp::Bin(BinOp::Mod, _, x, y), .. } => {
                let positive = self.nest.axes.iter().any(|axis| axis.bound == **y);
                used.contains(var) || !positive || can_fail(x)
            }
            _ => true,
        });
        for statement in list {
            statement.kind.for_each_body_mut(&mut |body| self.drop_remainders(body, used));
        }
    }

    fn read_tile(&self, exp: &mut Exp, numbers: &Numbers, tiles: &[Tile]) {
        exp.for_each_child_mut(&mut |child| self.read_tile(child, numbers, tiles));
        let Exp::Read { view, indices } = exp else { return };
        for (group, tile) in self.groups.iter().zip(tiles) {
            if let Some(indices) = group.indices(numbers, *view, indices) {
                let own = indices.into_iter().zip(&tile.first);
                let own = own.map(|(index, first)| sub(index, *first)).collect();
                *exp = read(tile.view, own);
                return;
            }
        }
    }
}

/// Whether what an iteration does is so little that it may be written out several times.
fn is_little(body: &[Statement]) -> bool {
    let (mut statements, mut loops) = (0, false);
    for_each_statement(body, &mut |statement| {
        statements += 1;
        loops |= matches!(statement.kind, StatementKind::For { .. } | StatementKind::While { .. });
    });
    !loops && statements <= LITTLE
}

/// The nearest index that an array of this size has.
fn inside(index: Exp, size: &Exp) -> Exp {
    bin(BinOp::Max, I64, bin(BinOp::Min, I64, index, sub(size.clone(), Exp::i64(1))), Exp::i64(0))
}

fn constant(exp: &Exp) -> Option<i64> {
    if let Exp::Const(value) = exp { value.as_i64().filter(|value| *value >= 0) } else { None }
}

/// The numbers, each below its count, that one number stands for in a mixed radix.
fn numbers(b: &mut Builder, number: Var, counts: &[Exp]) -> Vec<Var> {
    let (mut rest, mut found) = (number, Vec::new());
    for (at, count) in counts.iter().enumerate().rev() {
        if at == 0 {
            found.push(rest);
        } else {
            found.push(b.let_("own", I64, rem(rest, at_least(count.clone(), 1))));
            rest = b.let_("rest", I64, quot(rest, at_least(count.clone(), 1)));
        }
    }
    found.reverse();
    found
}
