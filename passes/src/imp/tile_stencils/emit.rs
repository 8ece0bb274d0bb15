//! The kernel of a nest with tiles.

use super::Sizes;
use super::nest::{Group, Nest, Place};
use crate::imp::copy::{can_fail, declared_in};
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

    /// All threads read the cells of a tile.
    fn fill(&self, b: &mut Builder, t: Var, group: &Group, tile: &Tile) {
        let extents = group.extents(&self.sizes.tile(tile.first.len()));
        let (cells, threads): (i64, i64) = (extents.iter().product(), self.sizes.threads());
        b.for_("e", Exp::i64((cells + threads - 1) / threads), LoopKind::Unroll, |b, e| {
            let cell = b.let_("cell", I64, add(mul(e, Exp::i64(threads)), t));
            let fill = |b: &mut Builder| {
                let mut rest = Exp::Var(cell);
                let mut own = Vec::new();
                for (at, extent) in extents.iter().enumerate().rev() {
                    let index = if at == 0 { rest.clone() } else { rem(rest.clone(), Exp::i64(*extent)) };
                    own.insert(0, b.let_("own", I64, index));
                    rest = quot(rest, Exp::i64(*extent));
                }
                let from = group.places.iter().zip(&group.sizes).map(|(place, size)| match place {
                    Place::Same(index) => inside(index.clone(), size),
                    Place::Near(axis) => {
                        let index = add(tile.first[*axis], own[*axis]);
                        if group.wraps[*axis] {
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
            };
            if cells % threads == 0 {
                fill(b);
            } else {
                b.when(bin(BinOp::Lt, I64, cell, Exp::i64(cells)), fill);
            }
        });
    }

    /// All threads do what their iterations do, if there are such.
    fn compute(&self, b: &mut Builder, starts: &[Var], tiles: &[Tile]) {
        let axes = &self.nest.axes;
        let along = self.sizes.along(axes.len());
        b.for_("t", Exp::i64(self.sizes.threads()), LoopKind::Thread, |b, t| {
            let places = match along.as_slice() {
                [_, columns] => {
                    let row = b.let_("ty", I64, quot(t, Exp::i64(*columns)));
                    vec![row, b.let_("tx", I64, rem(t, Exp::i64(*columns)))]
                }
                _ => vec![t],
            };
            b.for_("r", Exp::i64(self.sizes.rounds(axes.len())), LoopKind::Seq, |b, r| {
                for (at, axis) in axes.iter().enumerate() {
                    let mut value = add(starts[at], places[at]);
                    if at == 0 {
                        value = add(value, mul(r, Exp::i64(along[0])));
                    }
                    b.push(StatementKind::Let { var: axis.counter, ty: I64, value });
                }
                let there_is = |axis: &Axis| bin(BinOp::Lt, I64, axis.counter, axis.bound.clone());
                let all = axes.iter().map(there_is).reduce(both);
                b.when(all.unwrap_or(Exp::Const(PrimValue::Bool(true))), |b| {
                    b.push_all(self.body(tiles));
                });
            });
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
