//! Maps of rows that get a second version, in which a block of threads does all that is done with a row.
//!
//! ```text
//! let (ys_3: [n_0][m_1]f32) = kernel (i_4 < n_0) { … s… }
//! ```
//! becomes
//! ```text
//! let (rows_9: bool) = _rows_in_blocks()
//! let (ys_3: [n_0][m_1]f32) = if rows_9
//!   then { let (ys_10: [n_0][m_1]f32) = kernel (i_11 < n_0) { … s'… } in (ys_10) }
//!   else { … the kernels over all rows … }
//! ```
//! The function says `false`. The lowering for devices knows it by its name: it asks for thresholds in its place (`lower/funmem_to_imp/rows.rs`).
//!
//! It pays where arrays between kernels would hold all rows otherwise, or where a row's loop would be a thread's: a row has a loop around kernels, or
//! several kernels of which one is a reduction or scan. And some kernel reads an array of the row: where all rows read the same, threads with a row each read
//! one cell at a time. What a block cannot do here is left to the one version that there was.

use super::{MergeRows, Rows, is_product, makes_product, may_have_points};
use crate::lower::funmem_to_imp::ROWS_IN_BLOCKS;
use fun::ir::{Atom, Binder, Body, Combine, Dim, Exp, Function, LoopForm, Param, Statement, Type};
use fun::visit::for_each_body;
use fun::visit::names::rename_body;
use fun_base::name::{NameSource, Symbol, Var};
use fun_base::prim::{PrimType, PrimValue};
use std::collections::BTreeSet;

/// The function that programs ask.
pub(super) fn question(names: &mut NameSource) -> Function {
    let binder = Binder { var: names.fresh("res"), ty: Type::Prim(PrimType::Bool) };
    Function {
        name: Symbol::new(ROWS_IN_BLOCKS),
        entry: false,
        noinline: true,
        params: Vec::new(),
        results: vec![Param { binder, implicit: false, unique: false }],
        body: Body { statements: Vec::new(), results: vec![Atom::Const(PrimValue::Bool(false))] },
    }
}

impl MergeRows {
    /// The map as it is, or what becomes of it otherwise.
    pub(super) fn two_versions(&mut self, map: Rows, body: Body, out: &mut Vec<Statement>) {
        self.asks = true;
        let Rows { pattern, space, loc } = map;
        let results: Vec<Atom> = pattern.iter().map(|binder| Atom::Var(binder.var)).collect();
        let whole = Exp::Kernel { space: space.clone(), combine: Combine::Map, body: body.clone() };
        let statements = vec![Statement { pattern: pattern.clone(), exp: whole, loc }];
        let then = rename_body(&mut self.names, Default::default(), &Body { statements, results });
        let others: Vec<Binder> = pattern
            .iter()
            .map(|binder| Binder { var: self.names.fresh_like(binder.var), ty: binder.ty.clone() })
            .collect();
        let results = others.iter().map(|binder| Atom::Var(binder.var)).collect();
        let mut statements = Vec::new();
        self.split(Rows { pattern: others, space, loc }, body, &mut statements);
        let answer = self.names.fresh("rows");
        let question = Exp::Call { function: Symbol::new(ROWS_IN_BLOCKS), args: Vec::new() };
        let answered = vec![Binder { var: answer, ty: Type::Prim(PrimType::Bool) }];
        out.push(Statement { pattern: answered, exp: question, loc });
        let condition = Atom::Var(answer);
        let choice = Exp::If { condition, then, otherwise: Body { statements, results } };
        out.push(Statement { pattern, exp: choice, loc });
    }
}

/// What there is in a row.
#[derive(Default)]
struct Found {
    kernels: usize,
    /// Reductions and scans.
    combine: bool,
    /// A loop with kernels.
    repeats: bool,
    /// More than a few values.
    long: bool,
    /// A kernel that reads an array of the row.
    own: bool,
    /// What a block does not do.
    other: bool,
}

/// Whether a map of rows may have the second version.
pub(super) fn pays(space: &[(Var, Atom)], body: &Body) -> bool {
    let mut found = Found::default();
    found.body(space, body, &mut space.iter().map(|(counter, _)| *counter).collect());
    !found.other && found.long && found.own && (found.repeats || found.kernels > 1 && found.combine)
}

impl Found {
    /// Looks at a body of the row, where `inside` is what the row has.
    fn body(&mut self, rows: &[(Var, Atom)], body: &Body, inside: &mut BTreeSet<Var>) {
        for (at, statement) in body.statements.iter().enumerate() {
            match &statement.exp {
                Exp::Kernel { space, combine, body: values } => {
                    let before = &body.statements[..at];
                    self.kernels += 1;
                    self.combine |= matches!(combine, Combine::Reduce { .. } | Combine::Scan { .. });
                    self.long |= may_have_points(space);
                    self.own |= reads_row(values, inside);
                    self.other |= matches!(combine, Combine::Hist { .. } | Combine::Scatter { .. })
                        || space
                            .iter()
                            .any(|(_, bound)| bound.as_var().is_some_and(|var| inside.contains(&var)))
                        || makes_arrays(values)
                        || is_product(rows, before, &statement.exp)
                        || makes_product(rows, before, &statement.exp);
                }
                Exp::Loop { params, form, body } => {
                    let kernels = self.kernels;
                    inside.extend(params.iter().map(|param| param.binder.var));
                    self.body(rows, body, inside);
                    let repeats = self.kernels > kernels;
                    self.repeats |= repeats;
                    self.other |= repeats && matches!(form, LoopForm::While(_));
                }
                Exp::Call { .. } => self.other = true,
                exp => {
                    let kernels = self.kernels;
                    for_each_body(exp, &mut |body| self.body(rows, body, inside));
                    self.other |= self.kernels > kernels;
                }
            }
            inside.extend(statement.pattern.iter().map(|binder| binder.var));
        }
    }
}

/// Whether values are read from an array that the row has, or that has a part for each row.
fn reads_row(body: &Body, inside: &BTreeSet<Var>) -> bool {
    let of_row = |atom: &Atom| atom.as_var().is_some_and(|var| inside.contains(&var));
    body.statements.iter().any(|statement| {
        let mut found = match &statement.exp {
            Exp::Index { array, indices } => {
                let others = indices.iter().filter(|index| !of_row(index)).count();
                inside.contains(array) || others > 0 && others < indices.len()
            }
            Exp::Slice { array, dims } => {
                let fixed = |dim: &Dim| matches!(dim, Dim::Fix(index) if of_row(index));
                inside.contains(array) || dims.iter().any(fixed)
            }
            _ => false,
        };
        for_each_body(&statement.exp, &mut |body| found |= reads_row(body, inside));
        found
    })
}

/// Whether the values of a kernel need arrays of their own.
pub(in crate::fun) fn makes_arrays(body: &Body) -> bool {
    body.statements.iter().any(|statement| {
        let mut found = match &statement.exp {
            Exp::Kernel { combine: Combine::Reduce { .. }, space, .. } => space.len() > 1,
            Exp::Kernel { .. }
            | Exp::Iota { .. }
            | Exp::Replicate { .. }
            | Exp::Scratch { .. }
            | Exp::ArrayLiteral { .. }
            | Exp::Concat { .. }
            | Exp::Copy(_)
            | Exp::Call { .. } => true,
            _ => false,
        };
        for_each_body(&statement.exp, &mut |body| found |= makes_arrays(body));
        found
    })
}
