//! Arrays at whose elements iterations write, or add something, at places that they compute: scatters and histograms.

use super::position;
use super::sums::neutral;
use fun::ir::{Atom, Binder, Body, Dim, Exp, Type};
use fun_base::name::{NameSource, Var};
use fun_base::prim::{BinOp, PrimType};
use std::collections::BTreeMap;

/// The element that an iteration of a loop writes to one of its parameters.
pub(super) struct Places<'p> {
    /// How often each variable is used.
    pub(super) uses: &'p BTreeMap<Var, usize>,
    pub(super) names: &'p mut NameSource,
    /// The array, and the type of its elements.
    pub(super) array: Var,
    pub(super) elem: PrimType,
    /// How the elements are combined with what was there, once a write was met; none where they replace it.
    pub(super) op: Option<Option<BinOp>>,
    /// How many uses of the array were met.
    pub(super) seen: usize,
}

/// Where an iteration that leaves the array writes: nowhere.
const NOWHERE: i64 = -1;

impl Places<'_> {
    /// Makes a body give the place in place of the array, which is its result of this number, and what is written there as a further result; none where it
    /// does more with the array.
    pub(super) fn give(&mut self, body: &mut Body, at: usize) -> Option<()> {
        let result = body.results[at].as_var()?;
        if result == self.array {
            self.seen += 1;
            body.results[at] = Atom::i64(NOWHERE);
            body.results.push(Atom::Const(self.elem.zero()));
            return Some(());
        }
        if self.uses.get(&result) != Some(&1) {
            return None;
        }
        let (number, at_pattern) = position(body, result)?;
        let statement = &mut body.statements[number];
        match &mut statement.exp {
            Exp::Update { array, dims, value } => {
                let [Dim::Fix(place)] = dims[..] else { return None };
                if *array != self.array {
                    return None;
                }
                let value = *value;
                self.seen += 1;
                body.statements.remove(number);
                let combined = self.combined(body, place, value);
                let (op, value) = combined.map_or((None, value), |(op, value)| (Some(op), value));
                if self.op.is_some_and(|other| other != op) {
                    return None;
                }
                self.op = Some(op);
                body.results[at] = place;
                body.results.push(value);
            }
            Exp::If { then, otherwise, .. } => {
                self.give(then, at_pattern)?;
                self.give(otherwise, at_pattern)?;
                statement.pattern[at_pattern].ty = Type::Prim(PrimType::I64);
                let value = self.names.fresh("value");
                statement.pattern.push(Binder { var: value, ty: Type::Prim(self.elem) });
                body.results.push(Atom::Var(value));
            }
            _ => return None,
        }
        Some(())
    }

    /// The operator by which a value is the element at the place combined with another one, which takes its place.
    fn combined(&mut self, body: &mut Body, place: Atom, value: Atom) -> Option<(BinOp, Atom)> {
        let once = |var: Var| (self.uses.get(&var) == Some(&1)).then_some(var);
        let (number, _) = position(body, once(value.as_var()?)?)?;
        let Exp::Bin(op, ty, left, right) = body.statements[number].exp else { return None };
        neutral(op, ty).filter(|_| ty == self.elem)?;
        let read = |operand: Atom| {
            let (read, _) = position(body, once(operand.as_var()?)?)?;
            let element = Exp::Index { array: self.array, indices: vec![place] };
            (body.statements[read].exp == element).then_some(read)
        };
        let (read, other) = match (read(left), read(right)) {
            (Some(read), _) => (read, right),
            (None, Some(read)) => (read, left),
            (None, None) => return None,
        };
        self.seen += 1;
        // (the read stands before)
        body.statements.remove(number);
        body.statements.remove(read);
        Some((op, other))
    }
}
