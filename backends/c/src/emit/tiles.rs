//! Tiles of sums that take more registers than some machines have.
//!
//! ```text
//! for k < m seq { for r < 6 unroll { let x = a[i, k]; for c < 32 simd { sums[r, c] := fma.f32(x, b[k, c], sums[r, c]) } } }
//! ```
//! The sums take 12 registers of 64 bytes, or 24 of 32, of which machines without AVX-512 have 16: there the loop runs for the first half of
//! the columns, then for the other one. Which it is the C compiler decides (`FUN_SUM_BYTES`), so that the text is the same for all machines.
//!
//! Legal where the nest writes nothing but cells of one's own row and column, in blocks on the stack, and reads no other cell of these: then
//! other columns do not see when it does so.

use super::{Emit, Emitter};
use fun_base::name::Var;
use imp::ir::{Exp, LoopKind, Space, Statement, StatementKind};
use std::collections::BTreeMap;

/// Bytes of sums that 12 registers of 32 bytes hold: what `FUN_SUM_BYTES` is for most machines.
const SUM_BYTES: i64 = 384;
/// Bytes of a row below which parts would have no vectors.
const LEAST_ROW: i64 = 32;

/// A tile of sums.
struct Tile {
    rows: i64,
    columns: i64,
    /// Counts columns.
    counter: Var,
    /// Bytes of the sums of a row and column.
    column_bytes: i64,
}

/// Some of the columns of a tile.
#[derive(Clone, Copy)]
pub(super) struct Columns {
    /// Counts columns.
    counter: Var,
    from: i64,
    to: i64,
}

impl<'p> Emitter<'_, 'p> {
    /// Emits a loop in order around a tile of sums: for all columns at once, or for one part of them after another; `false`, and nothing, if
    /// it is another one or the sums are few.
    pub(super) fn tile_of_sums(&mut self, head: &str, bound: &Exp, body: &'p [Statement]) -> Emit<bool> {
        let Some(Tile { counter, rows, columns, column_bytes }) = self.tile(body)? else { return Ok(false) };
        let bytes = rows * columns * column_bytes;
        let mut parts = 1;
        while bytes > SUM_BYTES * parts
            && columns % (2 * parts) == 0
            && columns * column_bytes >= LEAST_ROW * 2 * parts
        {
            parts *= 2;
        }
        if parts == 1 {
            return Ok(false);
        }
        self.lines.push(format!("#if FUN_SUM_BYTES >= {bytes}"));
        self.plain_loop(head, bound, body)?;
        self.lines.push("#else");
        for part in 0..parts {
            let columns = columns / parts;
            self.columns = Some(Columns { counter, from: part * columns, to: (part + 1) * columns });
            let done = self.plain_loop(head, bound, body);
            self.columns = None;
            done?;
        }
        self.lines.push("#endif");
        Ok(true)
    }

    /// Where a loop begins and what it goes up to in what is emitted, if it is over the columns of a tile of which some are.
    pub(super) fn some_columns(&self, counter: Var) -> Option<(i64, i64)> {
        self.columns.filter(|columns| columns.counter == counter).map(|columns| (columns.from, columns.to))
    }

    /// The tile that a body computes, if it is one.
    fn tile(&self, body: &[Statement]) -> Emit<Option<Tile>> {
        let [statement] = body else { return Ok(None) };
        let Some((row, rows, LoopKind::Unroll, inner)) = statement.kind.constant_loop() else {
            return Ok(None);
        };
        let Some((last, of_row)) = inner.split_last() else { return Ok(None) };
        let Some((counter, columns, LoopKind::Simd, of_column)) = last.kind.constant_loop() else {
            return Ok(None);
        };
        let own = [Exp::Var(row), Exp::Var(counter)];
        // the view by which each block of sums is known
        let mut sums: BTreeMap<Var, Var> = BTreeMap::new();
        let mut column_bytes = 0;
        for statement in of_column {
            match &statement.kind {
                StatementKind::Let { .. } => {}
                StatementKind::Write { view, indices, .. } if indices[..] == own => {
                    let place = self.view(*view)?;
                    let known = sums.insert(place.block, *view);
                    if place.space != Space::Stack || known.is_some() {
                        return Ok(None);
                    }
                    column_bytes += i64::from(place.elem.bytes());
                }
                _ => return Ok(None),
            }
        }
        let mut private = of_row.iter().all(|statement| matches!(statement.kind, StatementKind::Let { .. }));
        for statement in of_row.iter().chain(of_column) {
            statement.kind.for_each_exp(&mut |exp| private &= self.reads_own(exp, &sums, &own));
        }
        Ok((private && column_bytes > 0).then_some(Tile { rows, columns, counter, column_bytes }))
    }

    /// Whether an expression reads no sums but those of its row and column.
    fn reads_own(&self, exp: &Exp, sums: &BTreeMap<Var, Var>, own: &[Exp]) -> bool {
        let mut fine = match exp {
            Exp::Read { view, indices } => self.view(*view).is_ok_and(|place| match sums.get(&place.block) {
                Some(known) => known == view && indices[..] == *own,
                None => true,
            }),
            _ => true,
        };
        exp.for_each_child(&mut |child| fine &= self.reads_own(child, sums, own));
        fine
    }
}
