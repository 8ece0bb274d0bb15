//! Tiles of sums that take more registers than some machines have.
//!
//! ```text
//! for k < m seq { for r < 12 unroll { let x = a[i, k]; for c < 32 simd { sums[r, c] := fma.f32(x, b[k, c], sums[r, c]) } } }
//! ```
//! The sums take 24 registers of 64 bytes, or 48 of 32, of which machines without AVX-512 have 16: there the loop runs for the first half of
//! the rows, and of these for the first half of the columns, then for the other ones. Which it is the C compiler decides (`FUN_SUM_BYTES`), so that
//! the text is the same for all machines.
//!
//! Legal where the nest writes nothing but cells of one's own row and column, in blocks on the stack, and reads no other cell of these: then
//! other rows and columns do not see when it does so.

use super::{Emit, Emitter};
use fun_base::name::Var;
use imp::ir::{Exp, LoopKind, Space, Statement, StatementKind};
use std::collections::BTreeMap;

/// Bytes of sums that registers hold: 24 of 64 bytes, or 12 of 32, which is what `FUN_SUM_BYTES` is for most machines.
const MANY: i64 = 1536;
const FEW: i64 = 384;
/// Columns that GCC writes out before it makes vectors of them. Of 24 vectors of such sums it keeps six in memory, and products of f64 take a quarter
/// longer; of 12 none.
const WRITTEN_OUT: i64 = 16;
/// Rows that are not halved: what is read of a column is to serve several.
const LEAST_ROWS: i64 = 6;
/// Bytes of a row below which parts would have no vectors.
const LEAST_ROW: i64 = 32;

/// A tile of sums.
struct Tile {
    /// Counts rows.
    row: Var,
    rows: i64,
    /// Counts columns.
    column: Var,
    columns: i64,
    /// Bytes of the sums of a row and column.
    cell_bytes: i64,
}

impl Tile {
    /// Into how many parts rows and columns are cut, so that the sums of each have so many bytes at most, if possible.
    fn cut(&self, bytes: i64) -> (i64, i64) {
        let (mut rows, mut columns) = (self.rows, self.columns);
        while rows * columns * self.cell_bytes > bytes && rows % 2 == 0 && rows > LEAST_ROWS {
            rows /= 2;
        }
        while rows * columns * self.cell_bytes > bytes
            && columns % 2 == 0
            && columns * self.cell_bytes >= 2 * LEAST_ROW
        {
            columns /= 2;
        }
        (self.rows / rows, self.columns / columns)
    }
}

/// Some of the rows or columns of a tile.
pub(super) struct Part {
    /// Counts them.
    counter: Var,
    from: i64,
    to: i64,
}

impl<'p> Emitter<'_, 'p> {
    /// Emits a loop in order around a tile of sums: for all of it at once, or for one part after another; `false`, and nothing, if it is another
    /// one or the sums are few.
    pub(super) fn tile_of_sums(&mut self, head: &str, bound: &Exp, body: &'p [Statement]) -> Emit<bool> {
        let Some(tile) = self.tile(body)? else { return Ok(false) };
        let many = if tile.columns > WRITTEN_OUT { MANY } else { MANY / 2 };
        let (large, small) = (tile.cut(many), tile.cut(FEW));
        if small == (1, 1) {
            return Ok(false);
        }
        if large != small {
            let bytes = tile.rows * tile.columns * tile.cell_bytes / (large.0 * large.1);
            self.lines.push(format!("#if FUN_SUM_BYTES >= {bytes}"));
            self.parts_of_tile(&tile, large, head, bound, body)?;
            self.lines.push("#else");
        }
        self.parts_of_tile(&tile, small, head, bound, body)?;
        if large != small {
            self.lines.push("#endif");
        }
        Ok(true)
    }

    /// The loop for each part of a tile that is cut so.
    fn parts_of_tile(
        &mut self,
        tile: &Tile,
        (rows, columns): (i64, i64),
        head: &str,
        bound: &Exp,
        body: &'p [Statement],
    ) -> Emit {
        let part = |counter, count: i64, parts: i64, at: i64| {
            let length = count / parts;
            (parts > 1).then_some(Part { counter, from: at * length, to: (at + 1) * length })
        };
        for at in 0..rows * columns {
            let row = part(tile.row, tile.rows, rows, at / columns);
            let column = part(tile.column, tile.columns, columns, at % columns);
            self.parts = row.into_iter().chain(column).collect();
            let done = self.plain_loop(head, bound, body, false);
            self.parts.clear();
            done?;
        }
        Ok(())
    }

    /// Where a loop begins and what it goes up to in what is emitted, if it is over the rows or columns of a tile of which some are.
    pub(super) fn part_of_loop(&self, counter: Var) -> Option<(i64, i64)> {
        self.parts.iter().find(|part| part.counter == counter).map(|part| (part.from, part.to))
    }

    /// The tile that a body computes, if it is one.
    fn tile(&self, body: &[Statement]) -> Emit<Option<Tile>> {
        let [statement] = body else { return Ok(None) };
        let Some((row, rows, LoopKind::Unroll, inner)) = statement.kind.constant_loop() else {
            return Ok(None);
        };
        let Some((last, of_row)) = inner.split_last() else { return Ok(None) };
        let Some((column, columns, LoopKind::Simd, of_column)) = last.kind.constant_loop() else {
            return Ok(None);
        };
        let own = [Exp::Var(row), Exp::Var(column)];
        // the view by which each block of sums is known
        let mut sums: BTreeMap<Var, Var> = BTreeMap::new();
        let mut cell_bytes = 0;
        for statement in of_column {
            match &statement.kind {
                StatementKind::Let { .. } => {}
                StatementKind::Write { view, indices, .. } if indices[..] == own => {
                    let place = self.view(*view)?;
                    let known = sums.insert(place.block, *view);
                    if place.space != Space::Stack || known.is_some() {
                        return Ok(None);
                    }
                    cell_bytes += i64::from(place.elem.bytes());
                }
                _ => return Ok(None),
            }
        }
        let mut private = of_row.iter().all(|statement| matches!(statement.kind, StatementKind::Let { .. }));
        for statement in of_row.iter().chain(of_column) {
            statement.kind.for_each_exp(&mut |exp| private &= self.reads_own(exp, &sums, &own));
        }
        Ok((private && cell_bytes > 0).then_some(Tile { row, rows, column, columns, cell_bytes }))
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
