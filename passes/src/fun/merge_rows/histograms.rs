//! Histograms of rows: one of all rows, whose cells are those of each row after one another.
//!
//! ```text
//! let (hs_3: [n_0][k_1]i32) = kernel (i_4 < n_0) {
//!   let (zeros_5: [k_1]i32) = replicate [k_1] 0i32
//!   let (h_6: [k_1]i32) = kernel (j_7 < m_2) hist \… (0i32) (zeros_5) { … in (cell_8, x_9) }
//!   in (h_6)
//! }
//! ```
//! becomes
//! ```text
//! let (cells_10: i64) = mul.i64 n_0 k_1
//! let (fill_11: [n_0][k_1]i32) = replicate [n_0][k_1] 0i32
//! let (flat_16: [cells_10]i32) = reshape [cells_10] fill_11
//! let (points_14: i64) = mul.i64 n_0 m_2
//! let (all_12: [cells_10]i32) = kernel (p_15 < points_14) hist \… (0i32) (flat_16) { let (j_7: i64) = rem.i64 p_15 m_2 … in (place_13, x_9) }
//! let (hs_3: [n_0][k_1]i32) = reshape [n_0][k_1] all_12
//! ```
//! where `place_13` is `i_4 * k_1 + cell_8` for the cells that there are, and `-1` for others. A histogram of one row would be a thread's, which goes along the whole of it. The algebra: operators of histograms commute (F7), and different rows have no cell in
//! common.
//!
//! Done for rows that may be long, where the histograms are results of the map, so that there is room for all of them in any case, what cells begin with is the same for all rows, operators are such that devices
//! have them for cells that several threads come to, only expressions that cost nothing stand before, and nothing behind it fails.

use super::{LEAST, MergeRows, Rows, is_harmless, may_have, row};
use crate::fun::single_operators;
use crate::fun::soac_to_kernel::costs_nothing;
use fun::ir::{Atom, Binder, Body, Combine, Exp, Statement, Type};
use fun::visit::names::{free_in_lambda, rename_body, use_counts_in_body};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use std::collections::BTreeSet;

const I64: PrimType = PrimType::I64;

/// A histogram of a row.
struct Histogram {
    /// The number of its statement.
    at: usize,
    /// Those of the statements that fill its cells, a fill for each.
    fills: Vec<usize>,
    size: Atom,
}

impl MergeRows {
    /// Adds histograms of all rows in place of those of the rows of a map, which reads the rows of them.
    pub(super) fn histograms(&mut self, map: &mut Rows, body: &mut Body, out: &mut Vec<Statement>) {
        while let Some(histogram) = Histogram::of(&map.space, body) {
            self.of_all_rows(&histogram, map, body, out);
        }
    }

    fn of_all_rows(
        &mut self,
        histogram: &Histogram,
        map: &mut Rows,
        body: &mut Body,
        out: &mut Vec<Statement>,
    ) {
        let Statement { pattern, exp, loc } = body.statements[histogram.at].clone();
        let Exp::Kernel { space, combine: Combine::Hist { op, neutral, .. }, body: inner } = exp else {
            return;
        };
        let mut made = |text: &str, ty: Type, exp: Exp, to: &mut Vec<Statement>| {
            let var = self.names.fresh(text);
            to.push(Statement { pattern: vec![Binder { var, ty }], exp, loc });
            var
        };
        let scalar = Type::Prim(I64);
        let cells = map.space.iter().fold(histogram.size, |product, (_, bound)| {
            made("cells", scalar.clone(), Exp::Bin(BinOp::Mul, I64, product, *bound), out).into()
        });
        let flat = |elem: PrimType| Type::Array { shape: vec![cells], elem };
        let shape: Vec<Atom> = map.space.iter().map(|(_, bound)| *bound).chain([histogram.size]).collect();
        let mut dests = Vec::new();
        for (fill, binder) in histogram.fills.iter().zip(&pattern) {
            let Exp::Replicate { value, .. } = body.statements[*fill].exp else { return };
            // (that there is room for all is checked where the array has its sizes, whose product may wrap around)
            let elem = binder.ty.elem();
            let exp = Exp::Replicate { shape: shape.clone(), value };
            let fill = made("fill", Type::Array { shape: shape.clone(), elem }, exp, out);
            let exp = Exp::Reshape { shape: vec![cells], array: fill };
            dests.push(made("flat", flat(elem), exp, out));
        }
        let counters: Vec<(Var, Atom)> = map.space.iter().chain(&space).copied().collect();
        let points = counters[1..].iter().fold(counters[0].1, |product, (_, bound)| {
            made("points", scalar.clone(), Exp::Bin(BinOp::Mul, I64, product, *bound), out).into()
        });
        let widths: Vec<Atom> = counters[1..]
            .iter()
            .map(|(_, bound)| {
                made("width", scalar.clone(), Exp::Bin(BinOp::Max, I64, *bound, Atom::i64(1)), out).into()
            })
            .collect();
        let before = body.statements[..histogram.at].iter().filter(|statement| costs_nothing(&statement.exp));
        let mut statements = Vec::new();
        let point = made("p", scalar.clone(), Exp::Atom(Atom::i64(0)), &mut Vec::new());
        let mut rest = Atom::Var(point);
        for ((counter, _), width) in counters[1..].iter().zip(&widths).rev() {
            let exp = Exp::Bin(BinOp::Rem, I64, rest, *width);
            let ty = scalar.clone();
            statements.push(Statement { pattern: vec![Binder { var: *counter, ty }], exp, loc });
            let exp = Exp::Bin(BinOp::Quot, I64, rest, *width);
            rest = made("rest", scalar.clone(), exp, &mut statements).into();
        }
        let outermost = Binder { var: counters[0].0, ty: scalar.clone() };
        statements.push(Statement { pattern: vec![outermost], exp: Exp::Atom(rest), loc });
        statements.extend(before.cloned().chain(inner.statements));
        let (index, values) = (inner.results[0], &inner.results[1..]);
        let mut number =
            |ty, op, of, x, y| Atom::from(made("place", ty, Exp::Bin(op, of, x, y), &mut statements));
        let bool = Type::Prim(PrimType::Bool);
        let row_number =
            map.space[1..].iter().fold(Atom::Var(map.space[0].0), |number_so_far, (counter, bound)| {
                let scaled = number(scalar.clone(), BinOp::Mul, I64, number_so_far, *bound);
                number(scalar.clone(), BinOp::Add, I64, scaled, (*counter).into())
            });
        let first = number(scalar.clone(), BinOp::Mul, I64, row_number, histogram.size);
        let place = number(scalar.clone(), BinOp::Add, I64, first, index);
        let low = number(bool.clone(), BinOp::Le, I64, Atom::i64(0), index);
        let high = number(bool.clone(), BinOp::Lt, I64, index, histogram.size);
        let inside = number(bool, BinOp::And, PrimType::Bool, low, high);
        let given = |atom| Body { statements: Vec::new(), results: vec![atom] };
        let choice = Exp::If { condition: inside, then: given(place), otherwise: given(Atom::i64(-1)) };
        let place = made("place", scalar, choice, &mut statements);
        let results = std::iter::once(Atom::Var(place)).chain(values.iter().copied()).collect();
        let combine = Combine::Hist { op, neutral, dests };
        let exp = Exp::Kernel { space: vec![(point, points)], combine, body: Body { statements, results } };
        let all: Vec<Binder> = pattern
            .iter()
            .map(|binder| Binder { var: self.names.fresh("all"), ty: flat(binder.ty.elem()) })
            .collect();
        let whole = Statement { pattern: Vec::new(), exp, loc };
        // (the map keeps the names)
        let renamed = Body { statements: vec![whole], results: Vec::new() };
        let renamed = rename_body(&mut self.names, Default::default(), &renamed);
        out.extend(
            renamed.statements.into_iter().map(|statement| Statement { pattern: all.clone(), ..statement }),
        );
        self.rows_of(histogram, map, body, &all, out);
    }

    /// The histograms by rows, which are results of the map.
    fn rows_of(
        &mut self,
        histogram: &Histogram,
        map: &mut Rows,
        body: &mut Body,
        all: &[Binder],
        out: &mut Vec<Statement>,
    ) {
        let Statement { pattern, loc, .. } = body.statements[histogram.at].clone();
        let shape: Vec<Atom> = map.space.iter().map(|(_, bound)| *bound).chain([histogram.size]).collect();
        let mut views = Vec::new();
        for (all, binder) in all.iter().zip(&pattern) {
            let Some(at) = body.results.iter().position(|result| *result == Atom::Var(binder.var)) else {
                continue;
            };
            body.results.remove(at);
            let exp = Exp::Reshape { shape: shape.clone(), array: all.var };
            let given = map.pattern.remove(at);
            // (what is behind may read the row, too)
            views.push(Statement {
                pattern: vec![binder.clone()],
                exp: row(given.var, &map.space, &binder.ty),
                loc,
            });
            out.push(Statement { pattern: vec![given], exp, loc });
        }
        body.statements.splice(histogram.at..=histogram.at, views);
        let mut fills = histogram.fills.clone();
        fills.sort_unstable();
        fills.into_iter().rev().for_each(|fill| _ = body.statements.remove(fill));
    }
}

impl Histogram {
    /// The first of a map over a space that can be one of all rows.
    fn of(space: &[(Var, Atom)], body: &Body) -> Option<Histogram> {
        let is_histogram = |statement: &Statement| {
            matches!(&statement.exp, Exp::Kernel { combine: Combine::Hist { .. }, .. })
        };
        let at = body.statements.iter().position(is_histogram)?;
        let (before, behind) = (&body.statements[..at], &body.statements[at + 1..]);
        let mut inside: BTreeSet<Var> = space.iter().map(|(counter, _)| *counter).collect();
        inside.extend(before.iter().flat_map(|statement| statement.pattern.iter().map(|binder| binder.var)));
        let outside = |atom: &Atom| atom.as_var().is_none_or(|var| !inside.contains(&var));
        let Exp::Kernel { space: own, combine: Combine::Hist { op, neutral, dests }, .. } =
            &body.statements[at].exp
        else {
            return None;
        };
        let uses = use_counts_in_body(body);
        let fill = |dest: &Var| {
            let made =
                |statement: &Statement| matches!(&statement.pattern[..], [binder] if binder.var == *dest);
            let fill = before.iter().position(made)?;
            let Exp::Replicate { shape, value } = &before[fill].exp else { return None };
            let [size] = shape[..] else { return None };
            let is_scalar = before[fill].pattern[0].ty.rank() == 1;
            (is_scalar && outside(&size) && outside(value) && uses.get(dest) == Some(&1))
                .then_some((fill, size))
        };
        let found: Vec<(usize, Atom)> = dests.iter().map(fill).collect::<Option<_>>()?;
        let size = found.first()?.1;
        let fills: Vec<usize> = found.iter().map(|(fill, _)| *fill).collect();
        let scalars = op.params.iter().all(|param| param.ty.rank() == 0);
        let is_result = |binder: &Binder| body.results.contains(&Atom::Var(binder.var));
        let given = body.statements[at].pattern.iter().all(is_result);
        let same = given
            && scalars
            && single_operators(op).is_some()
            && neutral.iter().all(outside)
            && free_in_lambda(op).is_disjoint(&inside);
        let free = before
            .iter()
            .enumerate()
            .all(|(at, statement)| fills.contains(&at) || is_fill_or_free(statement));
        let harmless = |statement: &Statement| match &statement.exp {
            Exp::Kernel { combine: Combine::Hist { op, .. }, body, .. } => {
                op.body.statements.iter().chain(&body.statements).all(is_harmless)
            }
            _ => is_harmless(statement),
        };
        let fits = same
            && free
            && may_have(own, LEAST)
            && own.iter().all(|(_, bound)| outside(bound))
            && found.iter().all(|(_, other)| *other == size)
            && behind.iter().all(harmless);
        fits.then_some(Histogram { at, fills, size })
    }
}

/// Whether a statement costs nothing, or fills what another histogram begins with.
fn is_fill_or_free(statement: &Statement) -> bool {
    costs_nothing(&statement.exp) || matches!(&statement.exp, Exp::Replicate { value: Atom::Const(_), .. })
}
