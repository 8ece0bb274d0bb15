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
//! becomes a kernel over `i_3 < n_0, j_10 < p_2` of loops by `k_7`, where there are rows enough for tiles.

use super::Interchange;
use crate::fun::dependent;
use crate::fun::soac_to_kernel::{costs_nothing, merge_nest};
use fun::ir::{Atom, Binder, Body, Combine, Exp, Statement, Type};
use fun::visit::names::{free_in_statement, rename_body, use_counts_in_body};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use std::collections::BTreeMap;

/// As many rows as a tile has: for fewer a row at a time is as fast or faster.
const FEWEST_ROWS: i64 = 12;

impl Interchange {
    /// Makes a product of a map of rows, if that is what it is and there are rows enough; gives the statement that asks that, if the number is not known.
    pub(super) fn product(&mut self, statement: &mut Statement) -> Option<Statement> {
        let Exp::Kernel { space, combine: Combine::Map, body } = &statement.exp else { return None };
        let (last, before) = body.statements.split_last()?;
        let fills = |statement: &Statement| {
            statement.pattern.iter().all(|binder| self.fills.contains_key(&binder.var))
        };
        let is_free = |statement: &Statement| costs_nothing(&statement.exp) || fills(statement);
        let lacks = super::may_lack_contents(&last.exp, &self.scratch);
        if lacks || !matches!(last.exp, Exp::Loop { .. }) || !before.iter().all(is_free) {
            return None;
        }
        // (scalars beside arrays would be a statement more)
        let [made] = <[Statement; 1]>::try_from(self.interchanged(last)?).ok()?;
        let mut changed = Body { statements: before.to_vec(), results: body.results.clone() };
        changed.statements.push(made);
        let uses = use_counts_in_body(&changed);
        let is_used =
            |statement: &Statement| statement.pattern.iter().any(|binder| uses.contains_key(&binder.var));
        changed.statements.retain(|statement| costs_nothing(&statement.exp) || is_used(statement));
        let (row, rows) = *space.last()?;
        let nest = merge_nest(Exp::Kernel { space: space.clone(), combine: Combine::Map, body: changed });
        let few = rows.as_const().and_then(|rows| rows.as_i64()).map(|rows| rows < FEWEST_ROWS);
        if !is_product(row, &nest) || few == Some(true) {
            return None;
        }
        let as_it_was = std::mem::replace(&mut statement.exp, nest);
        if few == Some(false) {
            return None;
        }
        let condition = Binder { var: self.names.fresh("many"), ty: Type::Prim(PrimType::Bool) };
        let is_many = Exp::Bin(BinOp::Le, PrimType::I64, Atom::i64(FEWEST_ROWS), rows);
        let mut arm = |exp: Exp| {
            let results = statement.pattern.iter().map(|binder| Atom::Var(binder.var)).collect();
            let made = Statement { pattern: statement.pattern.clone(), exp, loc: statement.loc };
            rename_body(&mut self.names, Default::default(), &Body { statements: vec![made], results })
        };
        let (then, otherwise) = (arm(statement.exp.clone()), arm(as_it_was));
        statement.exp = Exp::If { condition: condition.var.into(), then, otherwise };
        Some(Statement { pattern: vec![condition], exp: is_many, loc: statement.loc })
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
