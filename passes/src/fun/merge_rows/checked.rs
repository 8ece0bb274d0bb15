//! Maps of rows with checks: those of sizes that are the same for all rows are made before the map, and those of places by a map of the places.
//!
//! ```text
//! let (ys_1: [n_0]f32) = kernel (i_2 < n_0) {
//!   let = assert ok_3 "…" w_4
//!   let (s_5: f32) = kernel (j_6 < w_4) reduce …
//!   in (s_5)
//! }
//! ```
//! where `ok_3` is `le.i64 0i64 w_4` becomes
//! ```text
//! let (none_7: bool) = le.i64 n_0 0i64
//! let (fine_8: bool) = or.bool none_7 ok_3
//! let = assert fine_8 "…" w_4
//! let (w_9: i64) = max.i64 w_4 0i64
//! let (ys_1: [n_0]f32) = kernel (i_2 < n_0) { let (s_5: f32) = kernel (j_6 < w_9) reduce … in (s_5) }
//! ```
//! as a map without rows checks nothing, and its first row would stop the program with the same message. (A kernel over all rows wants a size, also where there are no rows.
//! What is the size of an array outside of the map stays: it is one.) And
//! ```text
//! let (ys_1: [k_0][m_2]f32) = kernel (t_3 < k_0) {
//!   let (i_4: i64) = index is_5[t_3]
//!   let = assert ok_6 "…" i_4
//!   let (row_7: [m_2]f32) = slice xs_8[i_4, 0i64 : m_2 : 1i64]
//!   in (row_7)
//! }
//! ```
//! becomes
//! ```text
//! let (places_9: [k_0]i64) = kernel (t_3 < k_0) { let (i_4: i64) = index is_5[t_3] let = assert ok_6 "…" i_4 in (i_4) }
//! let (ys_1: [k_0][m_2]f32) = kernel (t_10 < k_0, j_11 < m_2) { let (i_12: i64) = index places_9[t_10] … }
//! ```
//! A thread that copies a row would write far from its neighbours. Without checks the places are found for each element.

use super::{MergeRows, row};
use crate::fun::fuse::cost::may_stop;
use crate::fun::fuse::read_only::{given_row, rows_by_elements};
use crate::fun::soac_to_kernel::costs_nothing;
use fun::ir::{Atom, Binder, Body, Combine, Exp, Fun, Statement, Type};
use fun::visit::names::{free_in_exp, free_in_statement, subst_body};
use fun::visit::{Walk, walk_statement};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_base::source::Loc;
use std::collections::{BTreeMap, BTreeSet};

impl MergeRows {
    /// Takes the checks of sizes from the start of a map's body that are the same at all points.
    pub(super) fn checks_before(&mut self, space: &[(Var, Atom)], body: &mut Body, out: &mut Vec<Statement>) {
        let mut inside: BTreeSet<Var> = space.iter().map(|(counter, _)| *counter).collect();
        // scalars that are the same at all points
        let mut same = BTreeMap::new();
        let mut moved = BTreeSet::new();
        for (at, statement) in body.statements.iter().enumerate() {
            let fixed = free_in_statement(statement).is_disjoint(&inside);
            match (&statement.exp, &statement.pattern[..]) {
                (Exp::Assert { condition: Atom::Var(condition), .. }, _)
                    if fixed && self.sizes.contains_key(condition) =>
                {
                    moved.insert(at);
                }
                (exp, [binder]) if fixed && is_scalar(exp) => {
                    same.insert(binder.var, at);
                }
                (exp, pattern) if !may_stop(exp) => inside.extend(pattern.iter().map(|binder| binder.var)),
                _ => break,
            }
        }
        if moved.is_empty() {
            return;
        }
        // sizes of arrays outside keep their names (what the pass makes has those of kernels)
        let mut within = SizeChecks::default();
        within.body(body);
        let checked: BTreeSet<Var> = moved
            .iter()
            .filter_map(|at| match &body.statements[*at].exp {
                Exp::Assert { condition, .. } => self.sizes.get(&condition.as_var()?)?.as_var(),
                _ => None,
            })
            .collect();
        if checked.iter().any(|size| self.dims.get(size) != within.dims.get(size)) {
            return;
        }
        // what the checks need
        let mut open: Vec<usize> = moved.iter().copied().collect();
        while let Some(at) = open.pop() {
            let needed = free_in_statement(&body.statements[at]).into_iter();
            let needed = needed.filter_map(|var| same.get(&var).copied());
            open.extend(needed.filter(|at| moved.insert(*at)));
        }
        let mut none: Option<Atom> = None;
        let checked_at = moved.iter().find(|at| matches!(body.statements[**at].exp, Exp::Assert { .. }));
        let loc = checked_at.and_then(|at| body.statements[*at].loc);
        for (_, bound) in space {
            let empty = Exp::Bin(BinOp::Le, PrimType::I64, *bound, Atom::i64(0));
            let empty = self.bool("none", empty, loc, out);
            none = Some(match none {
                None => empty,
                Some(none) => self.bool("none", Exp::Bin(BinOp::Or, PrimType::Bool, none, empty), loc, out),
            });
        }
        let Some(none) = none else { return };
        let mut left = Vec::with_capacity(body.statements.len());
        for (at, mut statement) in std::mem::take(&mut body.statements).into_iter().enumerate() {
            if !moved.contains(&at) {
                left.push(statement);
                continue;
            }
            if let Exp::Assert { condition, .. } = &mut statement.exp {
                let either = Exp::Bin(BinOp::Or, PrimType::Bool, none, *condition);
                *condition = self.bool("fine", either, statement.loc, out);
            }
            out.push(statement);
        }
        body.statements = left;
        let mut sizes = BTreeMap::new();
        for size in checked {
            let at_least = Exp::Bin(BinOp::Max, PrimType::I64, Atom::Var(size), Atom::i64(0));
            let var = self.names.fresh_like(size);
            let pattern = vec![Binder { var, ty: Type::Prim(PrimType::I64) }];
            out.push(Statement { pattern, exp: at_least, loc });
            sizes.insert(size, Atom::Var(var));
        }
        *body = subst_body(&sizes, body);
    }

    fn bool(&mut self, name: &'static str, exp: Exp, loc: Option<Loc>, out: &mut Vec<Statement>) -> Atom {
        let var = self.names.fresh(name);
        let pattern = vec![Binder { var, ty: Type::Prim(PrimType::Bool) }];
        out.push(Statement { pattern, exp, loc });
        Atom::Var(var)
    }

    /// A map that gives rows of another array, as one of their elements if that is possible.
    pub(super) fn rows_of_another(&mut self, statement: &Statement, out: &mut Vec<Statement>) {
        let plain = match may_stop(&statement.exp) {
            true => self.places_apart(statement).map(|(places, rows)| (Some(places), rows)),
            false => Some((None, statement.clone())),
        };
        let made = plain.and_then(|(places, rows)| Some((places, rows_by_elements(&rows, &mut self.names)?)));
        match made {
            Some((places, elements)) => {
                out.extend(places);
                out.push(elements);
            }
            None => out.push(statement.clone()),
        }
    }

    /// The map of the places of rows, with the checks, and that of the rows at these places.
    fn places_apart(&mut self, statement: &Statement) -> Option<(Statement, Statement)> {
        let Statement { pattern, exp, loc } = statement;
        let (taken, Exp::Kernel { space, body, .. }) = (given_row(exp)?, exp) else { return None };
        let inside: BTreeMap<Var, &Binder> = body.statements[..body.statements.len() - 1]
            .iter()
            .flat_map(|statement| &statement.pattern)
            .map(|binder| (binder.var, binder))
            .collect();
        let free = free_in_exp(&taken.exp);
        let needed: Vec<&Binder> = free.iter().filter_map(|var| inside.get(var).copied()).collect();
        if needed.is_empty() || needed.iter().any(|binder| binder.ty.rank() > 0) {
            return None;
        }
        let shape: Vec<Atom> = space.iter().map(|(_, bound)| *bound).collect();
        let counters: Vec<(Var, Atom)> =
            space.iter().map(|(counter, bound)| (self.names.fresh_like(*counter), *bound)).collect();
        let (mut arrays, mut statements, mut results) = (Vec::new(), Vec::new(), Vec::new());
        let mut renaming = BTreeMap::new();
        for binder in needed {
            let (array, place) = (self.names.fresh("places"), self.names.fresh_like(binder.var));
            arrays.push(Binder { var: array, ty: Type::array_of(&shape, &binder.ty) });
            let exp = row(array, &counters, &binder.ty);
            statements.push(Statement {
                pattern: vec![Binder { var: place, ty: binder.ty.clone() }],
                exp,
                loc: *loc,
            });
            results.push(Atom::Var(binder.var));
            renaming.insert(binder.var, Atom::Var(place));
        }
        renaming.extend(space.iter().zip(&counters).map(|((old, _), (new, _))| (*old, Atom::Var(*new))));
        statements.push(taken.clone());
        let rows = Body { statements, results: body.results.clone() };
        let rows = subst_body(&renaming, &rows);
        let before = body.statements[..body.statements.len() - 1].to_vec();
        let places = Body { statements: before, results };
        let map = |space: Vec<(Var, Atom)>, body: Body| Exp::Kernel { space, combine: Combine::Map, body };
        let places = Statement { pattern: arrays, exp: map(space.clone(), places), loc: *loc };
        let rows = Statement { pattern: pattern.clone(), exp: map(counters, rows), loc: *loc };
        Some((places, rows))
    }
}

/// Whether an expression is a scalar operator that cannot fail.
fn is_scalar(exp: &Exp) -> bool {
    matches!(exp, Exp::Bin(..) | Exp::Un(..) | Exp::Convert { .. }) && costs_nothing(exp)
}

/// What a program says of sizes.
#[derive(Default)]
pub(super) struct SizeChecks {
    /// The variables that say whether a number is a size, and that number.
    pub(super) sizes: BTreeMap<Var, Atom>,
    /// How many arrays have a variable as a size.
    pub(super) dims: BTreeMap<Var, usize>,
}

impl Walk<Fun> for SizeChecks {
    fn bind(&mut self, _: Var, ty: Option<&Type>) {
        for size in ty.iter().flat_map(|ty| ty.shape()).filter_map(|size| size.as_var()) {
            *self.dims.entry(size).or_default() += 1;
        }
    }

    fn statement(&mut self, statement: &Statement) {
        if let ([binder], Exp::Bin(BinOp::Le, PrimType::I64, zero, number)) =
            (&statement.pattern[..], &statement.exp)
            && *zero == Atom::i64(0)
        {
            self.sizes.insert(binder.var, *number);
        }
        walk_statement(self, statement);
    }
}
