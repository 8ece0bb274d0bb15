//! The two halves of a histogram that is sorted: what stands in front of it, and its sums cell by cell.

use super::{Group, Histogram, I32, I64, Order, SORT, Sorting};
use crate::fun::fuse::cost::{body_may_stop, may_stop};
use crate::fun::{applied, hoist_invariants::are_safe};
use crate::lower::funmem_to_imp::SORTS_HISTOGRAM;
use fun::build::Builder;
use fun::ir::{Atom, Binder, Body, Combine, Exp, Statement, Type};
use fun::visit::names::{free_in_body, free_in_statement, rename_body};
use fun_base::name::{NameSource, Symbol, Var};
use fun_base::prim::{BinOp, PrimType, PrimValue};
use std::collections::BTreeSet;

const BOOL: PrimType = PrimType::Bool;

impl Sorting {
    /// What stands in front of a histogram: the question, and the sort if the answer is yes.
    pub(super) fn sorted(&mut self, histogram: &Histogram<'_>, cells: Atom, bytes: i64) -> (Group, Order) {
        let Histogram { counter, count, body, loc, .. } = *histogram;
        let needed = index_of(body, &|_| false);
        let mark = self.facts.mark();
        self.facts.counter(counter, count);
        let stops = body_may_stop(&needed);
        let safe = !stops && are_safe(&mut self.facts, &needed);
        self.facts.reset(mark);
        let made_of = if safe { needed } else { index_of(body, &|statement| may_stop(&statement.exp)) };
        self.sorts = true;
        let mut b = Builder::new(&mut self.names);
        b.at(loc);
        let question =
            Exp::Call { function: Symbol::new(SORTS_HISTOGRAM), args: vec![count, cells, Atom::i64(bytes)] };
        let answer = b.emit("sorts", &[Type::Prim(BOOL)], question)[0];
        // keys and places are i32
        let larger = b.bin(BinOp::Max, I64, count, cells);
        let fits = b.bin(BinOp::Lt, I64, larger, Atom::i64(i32::MAX.into()));
        let is_sorted = b.bin(BinOp::And, BOOL, answer, fits);
        let then = b.body(|b| {
            let point = b.names().fresh_like(counter);
            let keys = b.body(|b| {
                let copy = rename_body(b.names(), [(counter, Atom::Var(point))].into(), &made_of);
                copy.statements.into_iter().for_each(|statement| b.push(statement));
                vec![key(b, copy.results[0], cells)]
            });
            let keys = Exp::Kernel { space: vec![(point, count)], combine: Combine::Map, body: keys };
            let row = |size| Type::Array { shape: vec![size], elem: I32 };
            let keys = b.emit("keys", &[row(count)], keys)[0];
            let sort = Exp::Call { function: Symbol::new(SORT), args: vec![count, cells, keys] };
            let sorted = b.emit("sorted", &[row(count), row(count), row(cells)], sort);
            [count, cells].into_iter().chain(sorted).collect()
        });
        let otherwise = b.body(|b| {
            let none = |b: &mut Builder<'_>| {
                let empty = Exp::Scratch { shape: vec![Atom::i64(0)], elem: I32 };
                b.emit("none", &[Type::Array { shape: vec![Atom::i64(0)], elem: I32 }], empty)[0]
            };
            vec![Atom::i64(0), Atom::i64(0), none(b), none(b), none(b)]
        });
        let size = |b: &mut Builder<'_>, text| Binder { var: b.names().fresh(text), ty: Type::Prim(I64) };
        let (values, kept) = (size(&mut b, "n"), size(&mut b, "k"));
        let mut array = |text: &str, size: &Binder| Binder {
            var: b.names().fresh(text),
            ty: Type::Array { shape: vec![Atom::Var(size.var)], elem: I32 },
        };
        let arrays = [array("sorted", &values), array("order", &values), array("last", &kept)];
        let order = Order {
            is_sorted,
            count: Atom::Var(values.var),
            arrays: [0, 1, 2].map(|k: usize| arrays[k].var),
        };
        let pattern = [values, kept].into_iter().chain(arrays).collect();
        b.bind(pattern, Exp::If { condition: is_sorted, then, otherwise });
        let statements = b.take();
        let free = free_in_body(&Body { statements: statements.clone(), results: Vec::new() });
        (Group { statements, free, cells, keys: safe.then_some((counter, count, made_of)) }, order)
    }

    /// The sums of each cell, behind what the cell had before.
    pub(super) fn by_cell(&mut self, histogram: &Histogram<'_>, cells: Atom, order: &Order) -> Body {
        let Histogram { pattern, counter, op, neutral, dests, body, loc, .. } = *histogram;
        // (none where the values are not sorted: allocations may be moved in front of the branch)
        let count = order.count;
        let scalars: Vec<Type> = op.results.clone();
        let mut b = Builder::new(&mut self.names);
        b.at(loc);
        b.body(|b| {
            let [sorted, places, last] = order.arrays;
            let all = Type::Array { shape: vec![cells], elem: I32 };
            b.declare(last, all);
            let last = b.array("last", Exp::Reshape { shape: vec![cells], array: last });
            let flagged: Vec<Type> = [Type::Prim(BOOL)].into_iter().chain(scalars.iter().cloned()).collect();
            let both: Vec<Type> = flagged.iter().chain(&flagged).cloned().collect();
            let width = flagged.len();
            let segmented = b.lambda(&both, &flagged, |b, params| {
                let (old, new) = params.split_at(width);
                let begun = b.bin(BinOp::Or, BOOL, old[0], new[0]);
                let values = b.if_(
                    new[0],
                    &scalars,
                    |_| new[1..].to_vec(),
                    |b| applied(b, op, old[1..].iter().chain(&new[1..]).copied()),
                );
                [begun].into_iter().chain(values).collect()
            });
            let without = b.lambda(&flagged, &scalars, |_, params| params[1..].to_vec());
            let place = b.names().fresh("j");
            let values = b.body(|b| {
                let from = read(b, places, Atom::Var(place), I32);
                let from = b.convert(I64, I32, from);
                let copy = rename_body(b.names(), [(counter, from)].into(), body);
                copy.statements.into_iter().for_each(|statement| b.push(statement));
                let own = read(b, sorted, Atom::Var(place), I32);
                let before = b.sub(Atom::Var(place), Atom::i64(1));
                let before = b.bin(BinOp::Max, I64, before, Atom::i64(0));
                let other = read(b, sorted, before, I32);
                let first = b.emit("first", &[Type::Prim(BOOL)], Exp::Bin(BinOp::Ne, I32, own, other))[0];
                [first].into_iter().chain(copy.results[1..].iter().copied()).collect()
            });
            let combine = Combine::Scan {
                op: segmented,
                neutral: [Atom::Const(PrimValue::Bool(false))]
                    .into_iter()
                    .chain(neutral.iter().copied())
                    .collect(),
                epilogue: Some(Box::new(without)),
            };
            let rows: Vec<Type> = scalars.iter().map(|ty| Type::array_of(&[count], ty)).collect();
            let sums =
                b.emit("sums", &rows, Exp::Kernel { space: vec![(place, count)], combine, body: values });
            let cell = b.names().fresh("c");
            let combined = b.body(|b| {
                let at = Atom::Var(cell);
                let old: Vec<Atom> =
                    dests.iter().zip(&scalars).map(|(dest, ty)| read(b, *dest, at, ty.elem())).collect();
                let end = read(b, last, at, I32);
                let some = b.bin(BinOp::Ge, I32, end, Atom::Const(PrimValue::I32(0)));
                b.if_(
                    some,
                    &scalars,
                    |b| {
                        let end = b.convert(I64, I32, end);
                        let new: Vec<Atom> = sums
                            .iter()
                            .zip(&scalars)
                            .filter_map(|(sums, ty)| Some(read(b, sums.as_var()?, end, ty.elem())))
                            .collect();
                        applied(b, op, old.iter().chain(&new).copied())
                    },
                    |_| old.clone(),
                )
            });
            let types: Vec<Type> = pattern.iter().map(|binder| binder.ty.clone()).collect();
            b.emit(
                "cells",
                &types,
                Exp::Kernel { space: vec![(cell, cells)], combine: Combine::Map, body: combined },
            )
        })
    }
}

impl Group {
    /// The same in front of a loop, where nothing is sorted unless there is a round.
    pub(super) fn before_loop(&mut self, (ty, bound): (PrimType, Atom), names: &mut NameSource) {
        let asked = self.statements.len() - 2;
        let Statement { exp: Exp::Bin(BinOp::And, BOOL, _, fits), loc, .. } = &mut self.statements[asked]
        else {
            unreachable!("invariant: the sort stands behind what is asked");
        };
        let mut b = Builder::new(names);
        b.at(*loc);
        let zero = Atom::Const(ty.zero());
        let some = b.emit("some", &[Type::Prim(BOOL)], Exp::Bin(BinOp::Lt, ty, zero, bound))[0];
        let both = Exp::Bin(BinOp::And, BOOL, *fits, some);
        *fits = b.emit("fits", &[Type::Prim(BOOL)], both)[0];
        self.free.extend(bound.as_var());
        self.statements.splice(asked..asked, b.take());
    }
}

/// The key of an index: itself as i32, or the number of cells where there is none of it.
fn key(b: &mut Builder<'_>, index: Atom, cells: Atom) -> Atom {
    let from = b.bin(BinOp::Ge, I64, index, Atom::i64(0));
    let to = b.bin(BinOp::Lt, I64, index, cells);
    let inside = b.bin(BinOp::And, BOOL, from, to);
    let key = b.if_(inside, &[Type::Prim(I64)], |_| vec![index], |_| vec![cells])[0];
    b.convert(I32, I64, key)
}

fn read(b: &mut Builder<'_>, array: Var, at: Atom, elem: PrimType) -> Atom {
    b.emit("x", &[Type::Prim(elem)], Exp::Index { array, indices: vec![at] })[0]
}

/// What an index is made of in the body of a histogram, and what is wanted anyway with all that it needs.
fn index_of(body: &Body, wanted: &dyn Fn(&Statement) -> bool) -> Body {
    let index = body.results[0];
    let mut needed = BTreeSet::from_iter(index.as_var());
    let mut statements = Vec::new();
    for statement in body.statements.iter().rev() {
        if wanted(statement) || statement.pattern.iter().any(|binder| needed.contains(&binder.var)) {
            needed.extend(free_in_statement(statement));
            statements.push(statement.clone());
        }
    }
    statements.reverse();
    Body { statements, results: vec![index] }
}
