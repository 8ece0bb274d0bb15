//! The threads of a block in groups of 32, who exchange values without memory and without waiting for other groups: what each group has in all goes to a cell that the
//! block shares, and one barrier later every thread finds there what the groups before its own have.
//!
//! ```text
//! for s < 5 seq {
//!   shuffle other <- own down shl(1, s) in 32
//!   for t < 256 thread { if t % shl(2, s) == 0 { own[t] := op(own[t], other[t]) } }
//! }
//! for t < 256 thread { if t % 32 == 0 { all[t / 32] := own[t] } }
//! ```
//! is a reduction, after which the first thread combines the eight cells in order. In a scan threads get what lies `up`, and all of those that far from the first
//! combine it; the last thread of a group has what it has in all. Eight values are combined one after the other in less time than in three steps with barriers.

use super::super::Lowerer;
use super::super::kernel::{Accumulators, Operator};
use super::{Blocks, Cells, I64, steps};
use fun_base::name::Var;
use fun_base::prim::BinOp;
use imp::build::bin;
use imp::ir::{Direction, Exp, LoopKind, Space, StatementKind};

/// What the threads of a block combine in groups.
pub(super) struct Groups {
    pub(super) memory: Vec<Var>,
    /// What a thread has, and what it gets of another.
    pub(super) own: Cells,
    pub(super) other: Cells,
    /// What each group has in all.
    pub(super) all: Cells,
}

impl Lowerer {
    pub(super) fn groups(&mut self, sizes: Blocks, op: &Operator) -> Groups {
        let (mut memory, own) = self.cells("own", op.lambda, sizes.threads, Space::Register);
        let (more, other) = self.cells("other", op.lambda, sizes.threads, Space::Register);
        memory.extend(more);
        let (more, all) = self.cells("all", op.lambda, sizes.groups(), Space::Shared);
        memory.extend(more);
        Groups { memory, own, other, all }
    }

    /// What the threads of each group have is combined, in order.
    pub(super) fn combine_groups(&mut self, sizes: Blocks, groups: &Groups, op: &Operator) {
        self.each_step(sizes, groups, Direction::Down, |this, t, apart| {
            let twice = bin(BinOp::Mul, I64, apart, Exp::i64(2));
            let place = bin(BinOp::And, I64, t, bin(BinOp::Sub, I64, twice, Exp::i64(1)));
            this.when(bin(BinOp::Eq, I64, place, Exp::i64(0)), |this| {
                let (left, right) =
                    (this.cells_at(&groups.own, t.into()), this.cells_at(&groups.other, t.into()));
                this.write_combined(&groups.own, t.into(), op, (&left, &right));
            });
        });
        self.tell_group(sizes, groups, 0);
    }

    /// What the threads of each group have is scanned.
    pub(super) fn scan_groups(&mut self, sizes: Blocks, groups: &Groups, op: &Operator) {
        self.each_step(sizes, groups, Direction::Up, |this, t, apart| {
            this.when(bin(BinOp::Ge, I64, sizes.place_in_group(t), apart), |this| {
                let (left, right) =
                    (this.cells_at(&groups.other, t.into()), this.cells_at(&groups.own, t.into()));
                this.write_combined(&groups.own, t.into(), op, (&left, &right));
            });
        });
        self.tell_group(sizes, groups, sizes.grouped - 1);
    }

    /// Each thread gets what the one before it in its group has.
    pub(super) fn get_left(&mut self, sizes: Blocks, groups: &Groups) {
        self.exchange(sizes, groups, Direction::Up, &Exp::i64(1));
    }

    /// Combines what so many groups have in all, from the first on.
    pub(super) fn combine_all(
        &mut self,
        accumulators: &Accumulators,
        groups: &Groups,
        count: Exp,
        op: &Operator,
    ) {
        self.in_loop("g", count, LoopKind::Seq, |this, g| {
            let values = this.cells_at(&groups.all, g.into());
            this.combine(accumulators, op, &values);
        });
    }

    /// Steps in which threads get what others have that are one apart, two, and so on; `f` says what a thread does with it.
    fn each_step(
        &mut self,
        sizes: Blocks,
        groups: &Groups,
        direction: Direction,
        f: impl FnOnce(&mut Lowerer, Var, Var),
    ) {
        self.in_loop("s", Exp::i64(steps(sizes.grouped)), LoopKind::Seq, |this, s| {
            let apart = this.b.let_("apart", I64, bin(BinOp::Shl, I64, Exp::i64(1), s));
            this.exchange(sizes, groups, direction, &apart.into());
            this.in_loop("t", Exp::i64(sizes.threads), LoopKind::Thread, |this, t| f(this, t, apart));
        });
    }

    fn exchange(&mut self, sizes: Blocks, groups: &Groups, direction: Direction, by: &Exp) {
        for ((dest, _), (source, _)) in groups.other.iter().zip(&groups.own) {
            let (dest, source, by, group) = (*dest, *source, by.clone(), sizes.grouped);
            self.b.push(StatementKind::Shuffle { dest, source, direction, by, group });
        }
    }

    /// What the thread at a place of each group has is what the group has in all.
    fn tell_group(&mut self, sizes: Blocks, groups: &Groups, place: i64) {
        self.in_loop("t", Exp::i64(sizes.threads), LoopKind::Thread, |this, t| {
            this.when(bin(BinOp::Eq, I64, sizes.place_in_group(t), Exp::i64(place)), |this| {
                let group = this.b.let_("group", I64, sizes.group_of(t));
                let values = this.cells_at(&groups.own, t.into());
                this.write_atoms(&groups.all, &group.into(), &values);
            });
        });
    }
}

impl Blocks {
    /// How many groups a block has.
    pub(super) fn groups(self) -> i64 {
        self.threads / self.grouped
    }

    /// The number of a thread's group.
    pub(super) fn group_of(self, t: Var) -> Exp {
        bin(BinOp::Shr, I64, t, Exp::i64(steps(self.grouped)))
    }

    /// The number of a thread in its group.
    pub(super) fn place_in_group(self, t: Var) -> Exp {
        bin(BinOp::And, I64, t, Exp::i64(self.grouped - 1))
    }
}
