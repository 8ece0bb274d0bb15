//! What a thread does with a tile: it combines the elements of its rows and columns into its sums.

use super::tiles::{At, Own, Side};
use super::{I64, Tiling, inside, quot, rem};
use crate::imp::copy::{replace, write_to};
use crate::imp::tile_products::nest::Nest;
use fun_base::name::Var;
use fun_base::prim::BinOp;
use imp::build::{Builder, add, bin, mul, read};
use imp::ir::{Exp, LoopKind, StatementKind};

/// Bytes that a thread reads from shared memory at once, at most.
const READ_BYTES: i64 = 16;

impl Tiling<'_> {
    /// A thread combines so many inner indices of a half into its sums; those of a full tile are written out, so many at a time, so that what the
    /// next one needs comes from shared memory while one is computed.
    pub(super) fn count(&self, b: &mut Builder, t: Var, at: At, (half, deep): (Var, Var), own: &Own<'_>) {
        let place = self.place(b, t);
        let full = bin(BinOp::Eq, I64, deep, Exp::i64(self.depth));
        let (then, ()) = b.nested(|b| {
            let parts = self.depth / self.unrolled.min(self.depth);
            b.for_("part", Exp::i64(parts), LoopKind::Seq, |b, part| {
                b.for_("s", Exp::i64(self.depth / parts), LoopKind::Unroll, |b, s| {
                    let q = b.let_("q", I64, add(mul(part, Exp::i64(self.depth / parts)), s));
                    self.count_one(b, t, at, (half, q, place), own);
                });
            });
        });
        let (otherwise, ()) = b.nested(|b| {
            b.for_("q", deep, LoopKind::Seq, |b, q| self.count_one(b, t, at, (half, q, place), own));
        });
        b.push(StatementKind::If { condition: full, then, otherwise });
    }

    /// A thread combines an inner index of a half into its sums.
    fn count_one(
        &self,
        b: &mut Builder,
        t: Var,
        at: At,
        (half, q, (ty, tx)): (Var, Var, (Var, Var)),
        own: &Own<'_>,
    ) {
        let Nest { j, n, p, accumulators, .. } = self.nest;
        let k = b.let_(self.nest.k.text, I64, add(at.start, q));
        b.for_("r", Exp::i64(self.sums), LoopKind::Unroll, |b, r| {
            let down = b.let_("down", I64, self.apart(Side::Row, r, ty));
            let i = b.let_(self.nest.i.text, I64, inside(add(at.row, down), n));
            let c = b.names.fresh("c");
            let across = b.names.fresh("across");
            let of = |side: Side, place: Var| -> Vec<Exp> {
                let operands = own.operands.iter().filter(|operand| operand.side == side);
                operands
                    .map(|operand| read(operand.tiles, vec![half.into(), q.into(), place.into()]))
                    .collect()
            };
            let (lefts, rights) = (of(Side::Row, down), of(Side::Column, across));
            let split = self.nest.split(&mut b.names, (i, k), (&rights, &lefts));
            b.push_all(split.of_row);
            let outer = b.begin();
            b.push(StatementKind::Let { var: across, ty: I64, value: self.apart(Side::Column, c, tx) });
            let column = b.let_(j.text, I64, inside(add(at.column, across), p));
            let mut body = split.of_column;
            replace(&mut body, *j, column);
            for (sum, view) in accumulators.iter().zip(&own.sums) {
                let cell = vec![t.into(), r.into(), c.into()];
                let old = b.let_("old", sum.ty, read(*view, cell.clone()));
                write_to(&mut body, sum.var, *view, &cell);
                replace(&mut body, sum.var, old);
            }
            b.push_all(body);
            let (body, bound) = (b.end(outer), Exp::i64(self.sums));
            b.push(StatementKind::For { var: c, ty: I64, bound, kind: LoopKind::Unroll, body });
        });
    }

    /// The row (or column) of a tile that one of a thread's rows (columns) of sums is: as many as 16 bytes of the operand are neighbours, which a
    /// thread reads at once.
    pub(super) fn apart(&self, side: Side, own: impl Into<Exp>, thread: Var) -> Exp {
        let near = self.near(side);
        let own = own.into();
        let group = mul(quot(own.clone(), Exp::i64(near)), Exp::i64(near * self.threads));
        add(group, add(mul(thread, Exp::i64(near)), rem(own, Exp::i64(near))))
    }

    /// How many neighbouring rows (columns) of sums a thread has.
    pub(super) fn near(&self, side: Side) -> i64 {
        let of = if side == Side::Row { self.rows } else { &self.nest.packed };
        let widest = of.iter().map(|packed| i64::from(packed.elem.bytes())).max().unwrap_or(1);
        (READ_BYTES / widest).min(self.sums)
    }
}
