//! Scans in one pass, as Merrill and Garland (*Single-pass Parallel Prefix Scan with Decoupled Look-back*, 2016) have them: a block has a tile, tells those
//! behind it what the tile has in all as soon as it knows, and looks back for what lies before. Each value is computed once and written once.
//!
//! ```text
//! for block < tiles chain {
//!   … each thread combines its own of the tile, and all[0 … 7] is what groups of threads have
//!   aggregate[block] := all[0 … 7], combined in order
//!   publish flags[block] := 1
//!   await flags[first of group : tiles of the group before this one]
//!   … inner := the aggregates of these, combined in groups of threads and these in order
//!   if last of group { aggregate[group] := op(inner, aggregate[block]); publish flags[group] := 1 }
//!   from := the last group before this one whose flag is 2, awaiting those behind it
//!   carry := prefix[from], and the aggregates of the groups from there to this one, in order
//!   if last of group { prefix[group] := op(carry, aggregate[group]); publish flags[group] := 2 }
//!   carry := op(carry, inner)
//!   … the values of the tile behind carry are written
//! }
//! ```
//! Theirs is a look-back over tiles; this one is over groups of 256 tiles, and within a group over all tiles before. So what is combined with what depends
//! on the number of values alone, and not on which block was faster: the aggregates of a group always in the same way, groups always from the first on,
//! as a prefix is what they are combined to in that order. Sums of floats are the same bits in each run.
//!
//! Several scans are one such kernel too, where they are long and too few for the blocks of a device: blocks then look back within their row.

use super::super::array::rounded_up;
use super::super::kernel::{Accumulators, Operator};
use super::super::scanned::Scanned;
use super::super::{Lowerer, atom_exp};
use super::groups::Groups;
use super::{Blocks, Cells, Fold, I64};
use fun::ir::Atom;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use imp::build::bin;
use imp::ir::{COMPLETE, Exp, ImpType, LoopKind, Space, StatementKind};

/// The flag of a block that has told what its tile has, and of a group whose tiles have.
const KNOWN: i32 = 1;

/// What the blocks of a scan tell one another.
struct Told {
    /// For each tile, and behind those for each group.
    flags: Var,
    /// What a tile or group has in all.
    aggregate: Cells,
    /// What a group and all before it in its row have in all.
    prefix: Cells,
}

/// Where a block is.
struct Here {
    block: Var,
    /// Its group in its row, and its place there.
    group: Var,
    place: Var,
    /// The number of its row's first group, and the same in flags and aggregates.
    first: Var,
    first_flag: Var,
    /// Groups of a row.
    groups: Var,
}

impl Here {
    /// Whether the block's tile is the last one of its group.
    fn is_last(&self, sizes: Blocks) -> Exp {
        bin(BinOp::Eq, I64, self.place, Exp::i64(sizes.group - 1))
    }

    /// Where the group's flag and aggregate are.
    fn group_flag(&self) -> Exp {
        bin(BinOp::Add, I64, self.first_flag, self.group)
    }
}

impl Lowerer {
    /// A scan into arrays of one dimension, or of each row of some, where `own` is what [`Blocks::scanned`] says.
    pub(super) fn scan_in_chain(
        &mut self,
        sizes: Blocks,
        own: i64,
        outer: &[(Var, Atom)],
        fold: &Fold,
        scanned: &Scanned,
    ) {
        let (op, width) = (fold.op, sizes.threads);
        let size = atom_exp(self.atom(fold.last.1));
        let tile = own * width;
        let outer_sizes: Vec<Exp> = outer.iter().map(|(_, bound)| self.exp(*bound)).collect();
        let rows = outer_sizes.iter().cloned().reduce(|x, y| bin(BinOp::Mul, I64, x, y));
        let tiles = self.b.let_("tiles", I64, rounded_up(size.clone(), Exp::i64(tile)));
        let groups = self.b.let_("groups", I64, rounded_up(tiles.into(), Exp::i64(sizes.group)));
        let of_rows = |each: Var| rows.clone().map_or(each.into(), |rows| bin(BinOp::Mul, I64, rows, each));
        let blocks = self.b.let_("blocks", I64, of_rows(tiles));
        let prefixes = self.b.let_("prefixes", I64, of_rows(groups));
        let cells = self.b.let_("cells", I64, bin(BinOp::Add, I64, blocks, prefixes));
        let (mut memory, told) = self.told(op, cells, prefixes);
        self.in_loop("block", blocks.into(), LoopKind::Chain, |this, block| {
            let (row, number) = match outer {
                [] => (None, block),
                _ => {
                    // (there are tiles where there are blocks, but a test of that would stand between barriers)
                    let some = bin(BinOp::Max, I64, tiles, Exp::i64(1));
                    let row = this.b.let_("row", I64, bin(BinOp::Quot, I64, block, some));
                    let before = bin(BinOp::Mul, I64, row, tiles);
                    (Some(row), this.b.let_("number", I64, bin(BinOp::Sub, I64, block, before)))
                }
            };
            let indices = row.map(|row| this.position(row, outer, &outer_sizes)).unwrap_or_default();
            let start = this.b.let_("start", I64, bin(BinOp::Mul, I64, number, Exp::i64(tile)));
            let here = this.here(sizes, (block, number), row, (blocks, groups));
            let (mut shared, stage) = this.cells("stage", op.lambda, width * own, Space::Shared);
            let (more, carry) = this.cells("carry", op.lambda, 1, Space::Shared);
            shared.extend(more);
            let [groups, near] = [(); 2].map(|()| {
                let mut groups = this.groups(sizes, op);
                shared.append(&mut groups.memory);
                groups
            });
            let mut value = |this: &mut Lowerer, index: Var, accumulators: &Accumulators| {
                this.scanned_value(fold, index.into(), accumulators);
            };
            this.fill_stage(width, own, op, (start, &size, &mut value), &stage);
            this.scan_stage(sizes, own, op, (&stage, &groups));
            this.look_back(sizes, op, &here, &told, (&groups, &near, &carry));
            this.put_before(sizes, own, op, (&carry, &stage, &groups));
            this.in_loop("t", Exp::i64(width), LoopKind::Thread, |this, t| {
                let mut store = |this: &mut Lowerer, index: Var, values: &[Atom]| {
                    let at: Vec<Atom> = indices.iter().copied().chain([Atom::Var(index)]).collect();
                    this.store_scanned(scanned, &at, values);
                };
                this.store_staged(width, own, (start, t), (&size, &stage), &mut store);
            });
            shared.into_iter().for_each(|block| this.b.push(StatementKind::Free(block)));
        });
        memory.drain(..).for_each(|block| self.b.push(StatementKind::Free(block)));
    }

    /// What blocks tell one another, with no flag set.
    fn told(&mut self, op: &Operator, cells: Var, prefixes: Var) -> (Vec<Var>, Told) {
        let flags_memory = self.b.alloc("flags_mem", PrimType::I32, vec![cells.into()], Space::Default);
        let place = Lmad::row_major(Poly::constant(0), &[Poly::var(cells)]);
        let flags = self.b.view("flags", PrimType::I32, flags_memory, place);
        let mut array = |name: &str, count: Var| {
            self.array_of(name, op.lambda, (count.into(), Poly::var(count)), Space::Default)
        };
        let (mut memory, aggregate) = array("aggregate", cells);
        let (more, prefix) = array("prefix", prefixes);
        memory.extend(more);
        memory.push(flags_memory);
        self.in_loop("i", cells.into(), LoopKind::Par, |this, i| {
            this.b.write(flags, vec![i.into()], flag(0))
        });
        (memory, Told { flags, aggregate, prefix })
    }

    fn here(
        &mut self,
        sizes: Blocks,
        (block, number): (Var, Var),
        row: Option<Var>,
        (blocks, groups): (Var, Var),
    ) -> Here {
        let group = self.b.let_("group", I64, bin(BinOp::Quot, I64, number, Exp::i64(sizes.group)));
        let before = bin(BinOp::Mul, I64, group, Exp::i64(sizes.group));
        let place = self.b.let_("place", I64, bin(BinOp::Sub, I64, number, before));
        let first = row.map_or(Exp::i64(0), |row| bin(BinOp::Mul, I64, row, groups));
        let first = self.b.let_("first", I64, first);
        let first_flag = self.b.let_("first_flag", I64, bin(BinOp::Add, I64, blocks, first));
        Here { block, group, place, first, first_flag, groups }
    }

    /// Tells others what the tile has in all, and finds what lies before it.
    fn look_back(
        &mut self,
        sizes: Blocks,
        op: &Operator,
        here: &Here,
        told: &Told,
        (groups, near, carry): (&Groups, &Groups, &Cells),
    ) {
        let width = sizes.threads;
        let in_all = |this: &mut Lowerer, groups: &Groups, dests: &Cells, at: Var| {
            let accumulators = this.fresh_accumulators(op);
            this.combine_all(&accumulators, groups, Exp::i64(sizes.groups()), op);
            this.write_lanes(dests, at.into(), &accumulators);
        };
        self.by_first(width, |this, _| in_all(this, groups, &told.aggregate, here.block));
        self.publish(told, here.block.into(), KNOWN);
        // those before in the group
        let nearest = self.b.let_("nearest", I64, bin(BinOp::Sub, I64, here.block, here.place));
        self.await_flags("near", told, nearest.into(), here.place.into());
        self.in_loop("t", Exp::i64(width), LoopKind::Thread, |this, t| {
            let accumulators = this.fresh_accumulators(op);
            this.when(bin(BinOp::Lt, I64, t, here.place), |this| {
                let values = this.cells_at(&told.aggregate, bin(BinOp::Add, I64, nearest, t));
                this.combine(&accumulators, op, &values);
            });
            this.write_lanes(&near.own, t.into(), &accumulators);
        });
        self.combine_groups(sizes, near, op);
        self.by_first(width, |this, t| in_all(this, near, &near.own, t));
        self.when(here.is_last(sizes), |this| {
            this.by_first(width, |this, t| {
                let inner = this.cells_at(&near.own, t.into());
                let own = this.cells_at(&told.aggregate, here.block.into());
                this.write_combined(&told.aggregate, here.group_flag(), op, (&inner, &own));
            });
            this.publish(told, here.group_flag(), KNOWN);
        });
        let from = self.last_complete(sizes, here, told);
        self.by_first(width, |this, t| {
            let accumulators = this.fresh_accumulators(op);
            this.when(bin(BinOp::Ge, I64, from, Exp::i64(0)), |this| {
                let values = this.cells_at(&told.prefix, bin(BinOp::Add, I64, here.first, from));
                this.assign_all(&accumulators, &values);
            });
            let next = this.b.let_("next", I64, bin(BinOp::Add, I64, from, Exp::i64(1)));
            let behind = this.b.let_("behind", I64, bin(BinOp::Add, I64, here.first_flag, next));
            this.in_loop("k", bin(BinOp::Sub, I64, here.group, next), LoopKind::Seq, |this, k| {
                let values = this.cells_at(&told.aggregate, bin(BinOp::Add, I64, behind, k));
                this.combine(&accumulators, op, &values);
            });
            let before: Vec<Atom> = accumulators.iter().map(|(var, _)| Atom::Var(*var)).collect();
            this.when(here.is_last(sizes), |this| {
                let all = this.cells_at(&told.aggregate, here.group_flag());
                let at = bin(BinOp::Add, I64, here.first, here.group);
                this.write_combined(&told.prefix, at, op, (&before, &all));
            });
            let inner = this.cells_at(&near.own, t.into());
            this.write_combined(carry, Exp::i64(0), op, (&before, &inner));
        });
        self.when(here.is_last(sizes), |this| this.publish(told, here.group_flag(), COMPLETE));
    }

    /// The last group of the row before this one whose prefix is known, or -1; the aggregates of those behind it are known.
    fn last_complete(&mut self, sizes: Blocks, here: &Here, told: &Told) -> Var {
        let i64 = ImpType::Prim(I64);
        let at = self.b.declare("at", i64, Some(here.group.into()));
        let from = self.b.declare("from", i64, Some(Exp::i64(-1)));
        let windows = rounded_up(here.groups.into(), Exp::i64(sizes.group));
        self.in_loop("w", windows, LoopKind::Seq, |this, _| {
            this.when(bin(BinOp::Gt, I64, at, Exp::i64(0)), |this| {
                let low = bin(BinOp::Sub, I64, at, Exp::i64(sizes.group));
                let low = this.b.let_("low", I64, bin(BinOp::Max, I64, low, Exp::i64(0)));
                let (first, count) =
                    (bin(BinOp::Add, I64, here.first_flag, low), bin(BinOp::Sub, I64, at, low));
                let last = this.await_flags("last", told, first, count);
                let found = |yes: Exp, no: Exp| {
                    let is_found = bin(BinOp::Ge, I64, last, Exp::i64(0));
                    Exp::Select(Box::new(is_found), Box::new(yes), Box::new(no))
                };
                let group = bin(BinOp::Sub, I64, last, here.first_flag);
                this.b.assign(from, found(group, from.into()));
                this.b.assign(at, found(Exp::i64(0), low.into()));
            });
        });
        from
    }

    fn publish(&mut self, told: &Told, at: Exp, value: i32) {
        self.b.push(StatementKind::Publish { view: told.flags, indices: vec![at], value: flag(value) });
    }

    fn await_flags(&mut self, name: &str, told: &Told, first: Exp, count: Exp) -> Var {
        let var = self.b.names.fresh(name);
        self.b.push(StatementKind::Await { var, view: told.flags, first, count });
        var
    }
}

fn flag(value: i32) -> Exp {
    Exp::Const(PrimValue::I32(value))
}
