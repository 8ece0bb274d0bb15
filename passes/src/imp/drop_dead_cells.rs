//! What a matrix begins with is not computed where a sweep that follows writes every cell before it reads it.
//!
//! ```text
//! for i < w par { for j < w simd { a[i, j] := init } }
//! for i < n seq { for j < n seq { a[i + 1, j + 1] := max(a[i, j + 1], a[i + 1, j]) } }
//! ```
//! where `w = n + 1` becomes, as only the first row and column are read before they are written,
//! ```text
//! for i < w par { for j < select(1 <= i && i < 1 + n, min(1, w), w) simd { a[i, j] := init } }
//! ```
//! and the sweep as it was. Done where the sweep writes to the end of the rows, reads no cell that it writes later, and only definitions
//! that read no memory and that the number of its rows does not come from lie between the two, and where the values that are not computed could not
//! stop the program.
//!
//! Requires and ensures I1–I10. Cost: linear in the size of the program, for each matrix in that of the sweep behind it.

use super::copy::can_fail;
use super::fuse_loops::access::Places;
use super::numbers::Numbers;
use super::sweeps::Sweep;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_index::poly::Poly;
use imp::build::bin;
use imp::ir::{Exp, LoopKind, Program, Statement, StatementKind};
use imp::visit::for_each_statement;

/// Drops dead cells from the first values of a program's matrices.
pub fn run(mut program: Program) -> Program {
    for procedure in &mut program.procedures {
        let (places, numbers) = (Places::of(procedure), Numbers::of(procedure));
        statements(&mut procedure.body, &places, &numbers);
    }
    program
}

fn statements(list: &mut [Statement], places: &Places, numbers: &Numbers) {
    for at in 0..list.len() {
        list[at].kind.for_each_body_mut(&mut |body| statements(body, places, numbers));
        let (before, behind) = list.split_at_mut(at + 1);
        let touches_memory = |statement: &&Statement| {
            let mut touches =
                !matches!(statement.kind, StatementKind::Let { .. } | StatementKind::View { .. });
            statement.kind.for_each_exp(&mut |exp| touches |= exp.reads());
            touches
        };
        if let Some(fill) = Fill::of(&before[at])
            && let Some(next) = behind.iter().position(|statement| touches_memory(&statement))
            && let Some(sweep) = Sweep::of(&behind[next], places, numbers, None)
            && behind[..next].iter().all(|statement| !declares(statement, sweep.rows))
            && let Some(width) = fill.live_width(&sweep, places, numbers)
        {
            fill_only(&mut before[at], width);
        }
    }
}

/// Whether a statement declares what an operand names.
fn declares(statement: &Statement, operand: &Exp) -> bool {
    statement.kind.declares().is_some_and(|var| *operand == Exp::Var(var))
}

/// Loops that write each cell of a matrix.
struct Fill<'s> {
    view: Var,
    i: Var,
    width: &'s Exp,
}

impl<'s> Fill<'s> {
    fn of(statement: &'s Statement) -> Option<Fill<'s>> {
        let (i, _, outer) = independent(statement)?;
        let [row] = outer else { return None };
        let (j, width, body) = independent(row)?;
        let (last, before) = body.split_last()?;
        let StatementKind::Write { view, indices, .. } = &last.kind else { return None };
        let own = indices.as_slice() == [Exp::Var(i), Exp::Var(j)];
        let mut plain = before.iter().all(|statement| matches!(statement.kind, StatementKind::Let { .. }));
        for_each_statement(body, &mut |statement| {
            statement.kind.for_each_exp(&mut |exp| plain &= !can_fail(exp));
        });
        let simple = matches!(width, Exp::Const(_) | Exp::Var(_));
        (own && plain && simple).then_some(Fill { view: *view, i, width })
    }

    /// How many cells of row `i` the sweep may read before it writes them.
    fn live_width(&self, sweep: &Sweep<'_>, places: &Places, numbers: &Numbers) -> Option<Exp> {
        let [row, column] = [sweep.first[0].as_constant()?, sweep.first[1].as_constant()?];
        let earlier = sweep.distances().all(|distance| distance > [0, 0]);
        let to_the_end =
            numbers.poly(sweep.columns)?.add(&Poly::constant(column)) == numbers.poly(self.width)?;
        if !places.same(self.view, sweep.view) || !earlier || !to_the_end || row < 0 || column < 0 {
            return None;
        }
        let i64 = PrimType::I64;
        let from = bin(BinOp::Le, i64, Exp::i64(row), self.i);
        let to = bin(BinOp::Lt, i64, bin(BinOp::Sub, i64, self.i, Exp::i64(row)), sweep.rows.clone());
        let written = bin(BinOp::And, PrimType::Bool, from, to);
        let before = bin(BinOp::Min, i64, Exp::i64(column), self.width.clone());
        Some(Exp::Select(Box::new(written), Box::new(before), Box::new(self.width.clone())))
    }
}

/// A loop over i64 whose iterations are independent.
fn independent(statement: &Statement) -> Option<(Var, &Exp, &[Statement])> {
    match &statement.kind {
        StatementKind::For { var, ty: PrimType::I64, bound, kind: LoopKind::Par | LoopKind::Simd, body } => {
            Some((*var, bound, body))
        }
        _ => None,
    }
}

/// Gives the rows of a fill another width.
fn fill_only(fill: &mut Statement, width: Exp) {
    if let StatementKind::For { body: outer, .. } = &mut fill.kind
        && let [Statement { kind: StatementKind::For { bound, .. }, .. }] = outer.as_mut_slice()
    {
        *bound = width;
    }
}
