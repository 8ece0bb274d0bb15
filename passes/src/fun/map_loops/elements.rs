//! Arrays of which each iteration writes its own row.

use super::super::dead_stores::is_row;
use super::{counters, position};
use fun::ir::{Atom, Binder, Body, Exp, Lambda, LoopForm, Statement, Type};
use fun_base::name::{NameSource, Var};
use fun_base::prim::PrimType;
use std::collections::BTreeMap;

/// The rows that the iterations of a loop write to one of its parameters.
pub(super) struct Rows<'p> {
    /// How often each variable is used.
    pub(super) uses: &'p BTreeMap<Var, usize>,
    pub(super) names: &'p mut NameSource,
    /// The array in this iteration.
    pub(super) array: Var,
    /// The same before the loop.
    pub(super) init: Var,
    /// The whole shape, and the type of an element.
    pub(super) shape: &'p [Atom],
    pub(super) elem: PrimType,
    /// How many uses of the array were met.
    pub(super) seen: usize,
}

impl Rows<'_> {
    /// Makes a body give the row with these first indices in place of the array, which is its result of this number; none where it does more
    /// with the array.
    pub(super) fn give(&mut self, body: &mut Body, at: usize, row: &[Atom]) -> Option<()> {
        let result = body.results[at].as_var()?;
        if result == self.array {
            self.seen += 1;
            body.results[at] = self.as_before(body, row)?;
            return Some(());
        }
        if self.uses.get(&result) != Some(&1) {
            return None;
        }
        let (number, at_pattern) = position(body, result)?;
        let ty = self.row_type(row);
        let statement = &mut body.statements[number];
        match &mut statement.exp {
            Exp::Update { array, dims, value } => {
                if *array != self.array || !is_row(dims, row, self.shape) {
                    return None;
                }
                self.seen += 1;
                body.results[at] = *value;
                body.statements.remove(number);
            }
            Exp::If { then, otherwise, .. } => {
                self.give(then, at_pattern, row)?;
                self.give(otherwise, at_pattern, row)?;
                statement.pattern[at_pattern].ty = ty;
            }
            Exp::Loop { params, form: LoopForm::For { var, ty: PrimType::I64, bound }, body: inside } => {
                let ([param], Some(width)) = (&params[..], self.shape.get(row.len())) else { return None };
                if param.init != Atom::Var(self.array) || bound != width {
                    return None;
                }
                self.seen += 1;
                let (array, counter) = (param.binder.var, *var);
                let row: Vec<Atom> = row.iter().copied().chain([Atom::Var(counter)]).collect();
                let mut rows = Rows { names: self.names, array, seen: 0, ..*self };
                rows.give(inside, 0, &row)?;
                if self.uses.get(&array) != Some(&rows.seen) {
                    return None;
                }
                let (is, counters) = counters(self.names, *width, statement.loc);
                let lambda = Lambda {
                    params: vec![Binder { var: counter, ty: Type::Prim(PrimType::I64) }],
                    results: vec![self.row_type(&row)],
                    body: inside.clone(),
                };
                statement.exp = Exp::Map { width: *width, lambda, arrays: vec![is] };
                statement.pattern[at_pattern].ty = ty;
                body.statements.insert(number, counters);
            }
            _ => return None,
        }
        Some(())
    }

    /// Adds a read of an element as it was before the loop. (Of a whole row the array before would be kept.)
    fn as_before(&mut self, body: &mut Body, row: &[Atom]) -> Option<Atom> {
        if row.len() < self.shape.len() {
            return None;
        }
        let binder = Binder { var: self.names.fresh("before"), ty: self.row_type(row) };
        let var = binder.var;
        let exp = Exp::Index { array: self.init, indices: row.to_vec() };
        body.statements.push(Statement { pattern: vec![binder], exp, loc: None });
        Some(Atom::Var(var))
    }

    /// The type of a row with as many first indices.
    fn row_type(&self, row: &[Atom]) -> Type {
        Type::array_of(&self.shape[row.len()..], &Type::Prim(self.elem))
    }
}
