//! Rows of sums that go through an array of columns, which are products of matrices.
//!
//! ```text
//! let (cs_1: [n_0][p_2]f32) = kernel (i_3 < n_0) {
//!   let (zeros_4: [p_2]f32) = replicate [p_2] 0f32
//!   let (row_5: [p_2]f32) = loop (c_6: [p_2]f32 = zeros_4) for k_7: i64 < m_8 {
//!     let (next_9: [p_2]f32) = kernel (j_10 < p_2) { … c_6[j_10] + a_11[i_3, k_7] * b_12[k_7, j_10] … }
//!     in (next_9)
//!   }
//!   in (row_5)
//! }
//! ```
//! becomes a kernel over `i_3 < n_0, j_10 < p_2` of loops by `k_7`.

use super::Interchange;
use crate::fun::dependent;
use crate::fun::soac_to_kernel::{costs_nothing, merge_nest};
use fun::ir::{Atom, Body, Combine, Exp, Statement};
use fun::visit::names::{free_in_statement, use_counts_in_body};
use fun_base::name::Var;
use fun_base::prim::BinOp;
use std::collections::BTreeMap;

impl Interchange {
    /// Makes a product of a map of rows, if that is what it is.
    pub(super) fn product(&mut self, statement: &mut Statement) {
        let Exp::Kernel { space, combine: Combine::Map, body } = &statement.exp else { return };
        let Some((last, before)) = body.statements.split_last() else { return };
        let fills = |statement: &Statement| {
            statement.pattern.iter().all(|binder| self.fills.contains_key(&binder.var))
        };
        let is_free = |statement: &Statement| costs_nothing(&statement.exp) || fills(statement);
        let lacks = super::may_lack_contents(&last.exp, &self.scratch);
        if lacks || !matches!(last.exp, Exp::Loop { .. }) || !before.iter().all(is_free) {
            return;
        }
        let made = self.interchanged(last);
        // (scalars beside arrays would be a statement more)
        let Some([made]) = made.and_then(|made| <[Statement; 1]>::try_from(made).ok()) else {
            return;
        };
        let mut changed = Body { statements: before.to_vec(), results: body.results.clone() };
        changed.statements.push(made);
        let uses = use_counts_in_body(&changed);
        let is_used =
            |statement: &Statement| statement.pattern.iter().any(|binder| uses.contains_key(&binder.var));
        changed.statements.retain(|statement| costs_nothing(&statement.exp) || is_used(statement));
        let row = space.last().map(|(counter, _)| *counter);
        let nest = merge_nest(Exp::Kernel { space: space.clone(), combine: Combine::Map, body: changed });
        if row.is_some_and(|row| is_product(row, &nest)) {
            statement.exp = nest;
        }
    }
}

/// Whether a nest over rows and columns sums up what is read of rows and of columns, and of nothing that goes by both.
fn is_product(row: Var, nest: &Exp) -> bool {
    let Exp::Kernel { space, body, .. } = nest else { return false };
    let Some((Statement { exp: Exp::Loop { params, body: inner, .. }, .. }, before)) =
        body.statements.split_last()
    else {
        return false;
    };
    let [.., (above, _), (column, _)] = space[..] else { return false };
    let ([param], [Atom::Var(next)]) = (&params[..], &inner.results[..]) else { return false };
    // (tiles begin with one number for all)
    let bound_inside =
        |statement: &Statement| statement.pattern.iter().any(|b| param.init == Atom::Var(b.var));
    if before.iter().any(bound_inside) {
        return false;
    }
    let element = param.binder.var;
    // (what the maps read is the element itself, which the sum alone needs)
    let is_copy = |statement: &&Statement| statement.exp == Exp::Atom(Atom::Var(element));
    let copies: Vec<Var> = inner.statements.iter().filter(is_copy).map(|copy| copy.pattern[0].var).collect();
    let is_element = |atom: &Atom| atom.as_var().is_some_and(|var| var == element || copies.contains(&var));
    let is_sum = |statement: &&Statement| match &statement.exp {
        Exp::Bin(BinOp::Add | BinOp::Mul | BinOp::Min | BinOp::Max, _, x, y) => {
            statement.pattern[0].var == *next && is_element(x) != is_element(y)
        }
        _ => false,
    };
    let needs =
        |statement: &&Statement| free_in_statement(*statement).iter().any(|var| is_element(&(*var).into()));
    let needing: Vec<&Statement> =
        inner.statements.iter().filter(|statement| needs(statement) && !is_copy(statement)).collect();
    let is_sum = matches!(needing[..], [only] if is_sum(&only));
    let by = BTreeMap::from([(row, (true, false)), (column, (false, true))]);
    let (mut rows, mut columns, mut both) = (false, false, false);
    for (statement, on) in dependent(before.iter().chain(&inner.statements), by) {
        if let Exp::Index { .. } = statement.exp {
            rows |= on == (true, false);
            columns |= on == (false, true);
            both |= on == (true, true);
        }
    }
    above == row && is_sum && rows && columns && !both
}
