//! Sweeps: nests of two loops that go over a matrix in place, cell by cell, as dynamic programming and relaxation do.
//!
//! ```text
//! for i < n seq { for j < m seq { a[i + 1, j + 1] := max(a[i, j + 1], a[i + 1, j]) } }
//! ```
//! Every iteration writes one cell, `(i + row, j + column)` with numbers that are the same for all, and reads cells of the matrix at constant distances from it. Iteration
//! `(i, j)` reads the cell that iteration `(i - down, j - right)` writes, if there is one; as indices are inside of the matrix (I2) and its cells lie
//! at different places, no other iteration touches it.

use super::copy::can_fail;
use super::fuse_loops::access::Places;
use super::fuse_loops::facts::LoopFacts;
use super::numbers::Numbers;
use fun_base::name::Var;
use fun_base::prim::PrimType;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use imp::ir::{Exp, ImpType, LoopKind, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::BTreeSet;

/// Cells that lie further apart are none that one would wait for.
const FAR: i64 = 1 << 20;

/// A sweep.
pub(super) struct Sweep<'s> {
    /// The counter of the rows, and how many there are.
    pub(super) i: Var,
    pub(super) rows: &'s Exp,
    /// What is computed for a row.
    pub(super) prelude: &'s [Statement],
    /// The counter of the columns, and how many there are: as many in each row.
    pub(super) j: Var,
    pub(super) columns: &'s Exp,
    pub(super) body: &'s [Statement],
    /// A view of the matrix.
    pub(super) view: Var,
    /// Which cell the first iteration writes.
    pub(super) first: [Poly; 2],
    /// What an iteration reads of the matrix, and how many rows and columns before it those lie that write that.
    pub(super) reads: Vec<(Exp, [i64; 2])>,
}

impl<'s> Sweep<'s> {
    /// The sweep that a statement is, if it is one and cannot stop the program.
    /// Where something is known of numbers, what it reads elsewhere may lie in the block of the matrix.
    pub(super) fn of(
        statement: &'s Statement,
        places: &Places,
        numbers: &Numbers,
        facts: Option<&mut LoopFacts>,
    ) -> Option<Sweep<'s>> {
        let (i, rows, outer) = in_order(statement)?;
        let (last, prelude) = outer.split_last()?;
        let (j, columns, body) = in_order(last)?;
        let (view, indices) = only_write(prelude, body)?;
        let (_, _, lmad) = places.place(view)?;
        let made: BTreeSet<Var> = prelude.iter().filter_map(|statement| statement.kind.declares()).collect();
        let stays = |exp: &Exp| match exp {
            Exp::Const(_) => true,
            Exp::Var(var) => *var != i && !made.contains(var) && !numbers.is_assigned(*var),
            _ => false,
        };
        let mut inside = BTreeSet::from([i, j]);
        for_each_statement(outer, &mut |statement| inside.extend(statement.kind.declares()));
        let mut is_fixed = true;
        lmad.for_each_var(&mut |var| is_fixed &= !inside.contains(&var));
        if !stays(rows) || !stays(columns) || !is_fixed || !lies_apart(lmad) {
            return None;
        }
        let place = |indices: &[Exp]| -> Option<[Poly; 2]> {
            let [row, column] = indices else { return None };
            let behind = |exp, counter| {
                let first = numbers.poly(exp)?.sub(&Poly::var(counter));
                let mut is_fixed = true;
                first.for_each_var(&mut |var| is_fixed &= !inside.contains(&var));
                is_fixed.then_some(first)
            };
            Some([behind(row, i)?, behind(column, j)?])
        };
        let first = place(indices)?;
        let distance = |indices: &[Exp]| {
            let [row, column] = place(indices)?;
            let between = |first: &Poly, other| first.sub(other).as_constant().filter(|n| n.abs() < FAR);
            Some([between(&first[0], &row)?, between(&first[1], &column)?])
        };
        let (mut reads, mut others) = (Vec::new(), Vec::new());
        let mut read = |at: Var, indices: &[Exp]| {
            if places.in_different_blocks(at, view) {
                return;
            }
            match distance(indices).filter(|_| places.same(at, view)) {
                Some(distance) => reads.push((Exp::Read { view: at, indices: indices.to_vec() }, distance)),
                None => others.push((at, indices.to_vec())),
            }
        };
        for_each_statement(outer, &mut |statement| {
            statement.kind.for_each_exp(&mut |exp| exp.for_each_read(&mut read));
        });
        let sweep = Sweep { i, rows, prelude, j, columns, body, view, first, reads };
        let are_elsewhere = others.is_empty()
            || facts.is_some_and(|facts| {
                let mark = facts.mark();
                sweep.inside(facts);
                let are = others.iter().all(|(at, indices)| elsewhere(*at, indices, lmad, places, facts));
                facts.reset(mark);
                are
            });
        are_elsewhere.then_some(sweep)
    }

    /// What is known inside of an iteration.
    fn inside(&self, facts: &mut LoopFacts) {
        facts.counter(self.i, self.rows);
        self.prelude.iter().for_each(|statement| facts.passed(statement));
        facts.counter(self.j, self.columns);
        for_each_statement(self.body, &mut |statement| facts.passed(statement));
    }

    /// How many rows and columns before an iteration those lie that write what it reads.
    pub(super) fn distances(&self) -> impl Iterator<Item = [i64; 2]> {
        self.reads.iter().map(|(_, distance)| *distance)
    }
}

/// Whether a cell that is read lies outside of a matrix.
fn elsewhere(at: Var, indices: &[Exp], matrix: &Lmad, places: &Places, facts: &LoopFacts) -> bool {
    let Some((_, _, from)) = places.place(at) else { return false };
    let cell = from.dims.iter().zip(indices).try_fold(from.offset.clone(), |cell, (dim, index)| {
        Some(cell.add(&dim.stride.mul(&facts.poly(index)?)))
    });
    from.rank() == indices.len()
        && cell.is_some_and(|offset| {
            facts.settle([&offset, &matrix.offset].into_iter());
            facts.disjoint_exactly(&Lmad { offset, dims: Vec::new() }, matrix)
        })
}

/// A sequential loop over i64.
fn in_order(statement: &Statement) -> Option<(Var, &Exp, &[Statement])> {
    match &statement.kind {
        StatementKind::For { var, ty: PrimType::I64, bound, kind: LoopKind::Seq, body } => {
            Some((*var, bound, body))
        }
        _ => None,
    }
}

/// The one write, in each iteration, of loops that do nothing else that is seen outside and cannot fail.
fn only_write<'s>(prelude: &[Statement], body: &'s [Statement]) -> Option<(Var, &'s [Exp])> {
    let (mut plain, mut own, mut writes, mut may_fail) = (true, BTreeSet::new(), None, false);
    let mut look = |statement: &Statement| {
        statement.kind.for_each_exp(&mut |exp| plain &= !can_fail(exp));
        plain &= match &statement.kind {
            StatementKind::Let { .. } | StatementKind::View { .. } | StatementKind::If { .. } => true,
            StatementKind::Declare { var, ty: ImpType::Prim(_), .. } => own.insert(*var),
            StatementKind::Assign { var, .. } => own.contains(var),
            _ => false,
        };
    };
    let is_definition = |statement: &Statement| {
        matches!(statement.kind, StatementKind::Let { .. } | StatementKind::View { .. })
    };
    if !prelude.iter().all(is_definition) {
        return None;
    }
    for_each_statement(prelude, &mut look);
    for statement in body {
        match &statement.kind {
            StatementKind::Write { view, indices, .. } if writes.is_none() => {
                writes = Some((*view, indices.as_slice()));
                statement.kind.for_each_exp(&mut |exp| may_fail |= can_fail(exp));
            }
            _ => for_each_statement(std::slice::from_ref(statement), &mut look),
        }
    }
    writes.filter(|_| plain && !may_fail)
}

/// Whether no two cells of a matrix are at one place: rows or columns lie one after the other.
pub(super) fn lies_apart(lmad: &Lmad) -> bool {
    let [rows, columns] = lmad.dims.as_slice() else { return false };
    let dense = |inner: &Poly, outer: &Poly, size: &Poly| inner.as_constant() == Some(1) && outer == size;
    dense(&columns.stride, &rows.stride, &columns.size) || dense(&rows.stride, &columns.stride, &rows.size)
}
