//! Rotated arrays, copies and maps that give rows of others, where these are only read, as maps of elements, so that they can be fused.
//!
//! ```text
//! let (most_1: i64) = max.i64 n_0 1i64
//! let (k_2: i64) = mod.i64 -1i64 most_1
//! let (rest_3: i64) = sub.i64 n_0 k_2
//! let (end_4: [rest_3]i32) = slice xs_5[k_2 : rest_3 : 1i64]
//! let (start_6: [k_2]i32) = slice xs_5[0i64 : k_2 : 1i64]
//! let (ys_7: [n_0]i32) = concat n_0 end_4 start_6
//! ```
//! is `rotate (-1) xs`, and becomes
//! ```text
//! let (ys_7: [n_0]i32) = kernel (i_8 < n_0) {
//!   let (far_9: i64) = add.i64 i_8 n_0
//!   let (from_10: i64) = sub.i64 far_9 1i64
//!   let (at_11: i64) = mod.i64 from_10 n_0
//!   let (x_12: i32) = index xs_5[at_11]
//!   in (x_12)
//! }
//! ```
//! and so does a map that rotates the rows of an array, with one counter more. A division by the bound of a counter can't fail; loops on hosts have none
//! of them but at their ends, or compare (`split-rims`), as kernels do (`imp/wrapped.rs`). For rotations by a few places.
//!
//! `copy xs` becomes the map of its elements. (That of a view stays: it may be there for how it lies in memory.)
//!
//! A map that gives rows of another array, `map (\i -> xs[max 0 (i - 1)]) (iota n)`, becomes one of the elements of these where elements of them are read.
//! (What reads whole rows has a row each in any case.)
//!
//! Done where the map would be fused into all that reads it, with all others that could be one. What reads rotations must be maps, too, whose ends can be split off: copying two parts takes less
//! time than dividing at each element.

use super::cost::may_stop;
use super::{Facts, Fusion, carried_by};
use crate::fun::fuse::reads::Reads;
use crate::fun::soac_to_kernel::merge_nest;
use fun::build::Builder;
use fun::ir::{Atom, Binder, Body, Combine, Dim, Exp, Fun, Function, Statement, Type};
use fun::visit::names::free_in_statement;
use fun::visit::{Walk, for_each_body_mut, walk_body, walk_statement};
use fun_base::name::{NameSource, Var};
use fun_base::prim::{BinOp, PrimType};
use fun_base::source::Loc;
use std::collections::{BTreeMap, BTreeSet};

const I64: PrimType = PrimType::I64;

/// How far a rotation may go: a loop is split where its ends are short.
const NEAR: i64 = 4;

/// The scalar operators and views of a function, by the variable that they give.
#[derive(Default)]
struct Definitions(BTreeMap<Var, Exp>);

impl Walk<Fun> for Definitions {
    fn statement(&mut self, statement: &Statement) {
        let view = matches!(
            &statement.exp,
            Exp::Slice { .. } | Exp::Permute { .. } | Exp::Reverse { .. } | Exp::Reshape { .. }
        );
        if let ([binder], true) = (&statement.pattern[..], view || matches!(statement.exp, Exp::Bin(..))) {
            self.0.insert(binder.var, statement.exp.clone());
        }
        walk_statement(self, statement);
    }
}

/// Makes maps of the rotations, copies and rows of a function that would be fused. Whether there was one.
pub(super) fn in_function(function: &mut Function, facts: &Facts, names: &mut NameSource) -> bool {
    let mut found = Found(false);
    walk_body(&mut found, &function.body);
    if !found.0 {
        return false;
    }
    let mut definitions = Definitions::default();
    walk_body(&mut definitions, &function.body);
    in_body(&mut function.body, &[], (facts, &definitions), names)
}

/// Whether there is a concatenation, a copy or a map that gives rows.
struct Found(bool);

impl Walk<Fun> for Found {
    fn statement(&mut self, statement: &Statement) {
        self.0 |=
            matches!(statement.exp, Exp::Concat { .. } | Exp::Copy(_)) || given_row(&statement.exp).is_some();
        walk_statement(self, statement);
    }
}

fn in_body(body: &mut Body, carried: &[Var], known: (&Facts, &Definitions), names: &mut NameSource) -> bool {
    let mut changed = false;
    for statement in &mut body.statements {
        let carried = carried_by(&statement.exp);
        for_each_body_mut(&mut statement.exp, &mut |inner| changed |= in_body(inner, &carried, known, names));
    }
    let (facts, definitions) = known;
    let as_map = |statement: &Statement, names: &mut NameSource| -> Option<Statement> {
        let Statement { pattern, exp, loc } = statement;
        let [binder] = &pattern[..] else { return None };
        let exp = match exp {
            Exp::Copy(array) if !definitions.0.contains_key(array) => elements(*array, binder, *loc, names),
            Exp::Concat { .. } => Rotation::of(exp, facts, definitions)?.as_kernel(binder, *loc, names),
            Exp::Kernel { space, combine: Combine::Map, body } => {
                if given_row(exp).is_some() {
                    return rows_by_elements(statement, names);
                }
                let body = rotated_rows(body, facts, definitions, *loc, names)?;
                merge_nest(Exp::Kernel { space: space.clone(), combine: Combine::Map, body })
            }
            _ => return None,
        };
        Some(Statement { pattern: pattern.clone(), exp, loc: *loc })
    };
    let mut maps: BTreeMap<usize, Statement> = BTreeMap::new();
    for (at, statement) in body.statements.iter().enumerate() {
        maps.extend(as_map(statement, names).map(|map| (at, map)));
    }
    // whole rows are read as they are
    if maps.keys().any(|at| given_row(&body.statements[*at].exp).is_some()) {
        let reads = Reads::of_body(body, &facts.types);
        maps.retain(|at, _| reads.producers.get(at).is_none_or(|producer| !producer.only_read));
    }
    // those that stay keep others from being fused
    while !maps.is_empty() {
        let mut tried = body.clone();
        for (at, map) in &maps {
            tried.statements[*at] = map.clone();
        }
        let reads = Reads::of_body(&tried, &facts.types);
        let fusion = Fusion::new(&mut tried, carried, facts);
        let before = maps.len();
        maps.retain(|at, _| {
            reads.producers.get(at).is_some_and(|producer| {
                let exp = &body.statements[*at].exp;
                let divides = !matches!(exp, Exp::Copy(_)) && given_row(exp).is_none();
                (!divides || producer.sites.iter().all(|site| site.mapped))
                    && fusion.may_fuse(*at, producer).is_ok()
            })
        });
        if maps.len() == before {
            break;
        }
    }
    changed |= !maps.is_empty();
    for (at, map) in maps {
        body.statements[at] = map;
    }
    changed
}

/// All elements of an array.
fn elements(array: Var, binder: &Binder, loc: Option<Loc>, names: &mut NameSource) -> Exp {
    let space: Vec<(Var, Atom)> = binder.ty.shape().iter().map(|size| (names.fresh("i"), *size)).collect();
    let mut b = Builder::new(names);
    b.at(loc);
    let indices = space.iter().map(|(counter, _)| Atom::Var(*counter)).collect();
    let results = b.emit("x", &[Type::Prim(binder.ty.elem())], Exp::Index { array, indices });
    let body = Body { statements: b.take(), results };
    Exp::Kernel { space, combine: Combine::Map, body }
}

/// The row of another array that a map gives, behind anything else.
pub(in crate::fun) fn given_row(exp: &Exp) -> Option<&Statement> {
    let Exp::Kernel { combine: Combine::Map, body, .. } = exp else { return None };
    let row @ Statement { pattern, exp: Exp::Slice { .. }, .. } = body.statements.last()? else {
        return None;
    };
    (body.results == [Atom::Var(pattern[0].var)]).then_some(row)
}

/// Whether a map gives rows and may stop the program: without the checks that do it may be one of elements.
pub(super) fn gives_rows_and_may_stop(statement: &Statement) -> bool {
    given_row(&statement.exp).is_some() && may_stop(&statement.exp)
}

/// The elements of the rows that a map gives, if nothing else in it takes long or may fail.
pub(in crate::fun) fn rows_by_elements(statement: &Statement, names: &mut NameSource) -> Option<Statement> {
    let Statement { pattern, exp, loc } = statement;
    let (row, Exp::Kernel { space, body, .. }) = (given_row(exp)?, exp) else { return None };
    let given = Binder { var: names.fresh_like(row.pattern[0].var), ty: row.pattern[0].ty.clone() };
    let of_row = elements(row.pattern[0].var, &given, row.loc, names);
    let mut body = body.clone();
    body.results = vec![Atom::Var(given.var)];
    body.statements.push(Statement { pattern: vec![given], exp: of_row, loc: row.loc });
    let exp = merge_nest(Exp::Kernel { space: space.clone(), combine: Combine::Map, body });
    let merged = matches!(&exp, Exp::Kernel { space: merged, .. } if merged.len() == pattern[0].ty.rank());
    merged.then(|| Statement { pattern: pattern.clone(), exp, loc: *loc })
}

/// An array that is another one, rotated along a dimension.
struct Rotation {
    array: Var,
    /// The dimension of the result, that of the other array, and the indices of dimensions before it.
    fixed: Vec<Atom>,
    size: Atom,
    /// Element `i` is that at `i + by`.
    by: i64,
}

impl Rotation {
    fn of(exp: &Exp, facts: &Facts, Definitions(defined): &Definitions) -> Option<Rotation> {
        let Exp::Concat { size, arrays } = exp else { return None };
        let [end, start] = arrays[..] else { return None };
        let (Exp::Slice { array, dims: behind }, Exp::Slice { array: same, dims: before }) =
            (defined.get(&end)?, defined.get(&start)?)
        else {
            return None;
        };
        let shape = facts.types.get(array)?.shape();
        if array != same || behind.len() != shape.len() || before.len() != shape.len() {
            return None;
        }
        let fixed: Vec<Atom> = behind
            .iter()
            .map_while(|dim| match dim {
                Dim::Fix(index) => Some(*index),
                _ => None,
            })
            .collect();
        let at = fixed.len();
        let (Dim::Range { offset, count, stride }, rest) = behind.get(at..)?.split_first()? else {
            return None;
        };
        let first = Dim::Range { offset: Atom::i64(0), count: *offset, stride: Atom::i64(1) };
        let whole = |(dim, size): (&Dim, &Atom)| {
            *dim == Dim::Range { offset: Atom::i64(0), count: *size, stride: Atom::i64(1) }
        };
        let fits = behind[..at] == before[..at]
            && before[at] == first
            && before[at + 1..] == *rest
            && rest.iter().zip(&shape[at + 1..]).all(whole)
            && *stride == Atom::i64(1)
            && shape[at] == *size;
        if !fits {
            return None;
        }
        let number = |atom: &Atom| atom.as_const().and_then(|value| value.as_i64());
        let made = |atom: &Atom| defined.get(&atom.as_var()?);
        let by = match (number(size), number(offset), made(offset)) {
            (Some(size), Some(from), _) => (number(count) == Some(size - from))
                .then(|| if from > size / 2 { from - size } else { from })?,
            (_, _, Some(Exp::Bin(BinOp::Mod, I64, by, most))) => {
                let one = Atom::i64(1);
                let Exp::Bin(BinOp::Max, I64, x, y) = made(most)? else { return None };
                let Exp::Bin(BinOp::Sub, I64, all, less) = made(count)? else { return None };
                let sizes =
                    *all == *size && less == offset && [(*size, one), (one, *size)].contains(&(*x, *y));
                number(by).filter(|_| sizes)?
            }
            _ => return None,
        };
        (by != 0 && (-NEAR..=NEAR).contains(&by)).then_some(Rotation {
            array: *array,
            fixed,
            size: *size,
            by,
        })
    }

    /// The elements, one by one.
    fn as_kernel(&self, binder: &Binder, loc: Option<Loc>, names: &mut NameSource) -> Exp {
        let Rotation { array, fixed, size, by } = self;
        let shape = binder.ty.shape().to_vec();
        let counters: Vec<Var> = shape.iter().map(|_| names.fresh("i")).collect();
        let mut b = Builder::new(names);
        b.at(loc);
        let first = Atom::Var(counters[0]);
        let moved = if *by > 0 {
            b.add(first, Atom::i64(*by))
        } else {
            let far = b.add(first, *size);
            b.sub(far, Atom::i64(-by))
        };
        let place = b.bin(BinOp::Mod, I64, moved, *size);
        let others = counters[1..].iter().map(|counter| Atom::Var(*counter));
        let indices = fixed.iter().copied().chain([place]).chain(others).collect();
        let elem = Type::Prim(binder.ty.elem());
        let results = b.emit("x", &[elem], Exp::Index { array: *array, indices });
        let body = Body { statements: b.take(), results };
        Exp::Kernel { space: counters.into_iter().zip(shape).collect(), combine: Combine::Map, body }
    }
}

/// The body of a map that gives a row rotated, where the row is a map.
fn rotated_rows(
    body: &Body,
    facts: &Facts,
    definitions: &Definitions,
    loc: Option<Loc>,
    names: &mut NameSource,
) -> Option<Body> {
    let (last, before) = body.statements.split_last()?;
    let [binder] = &last.pattern[..] else { return None };
    if body.results != [Atom::Var(binder.var)] {
        return None;
    }
    let rotation = Rotation::of(&last.exp, facts, definitions)?;
    let exp = rotation.as_kernel(binder, loc, names);
    let row = Statement { pattern: last.pattern.clone(), exp, loc: last.loc };
    // what the parts were found by can't fail
    let mut used: BTreeSet<Var> = free_in_statement(&row);
    let mut statements = vec![row];
    for statement in before.iter().rev() {
        if statement.pattern.iter().any(|binder| used.contains(&binder.var)) {
            used.extend(free_in_statement(statement));
            statements.push(statement.clone());
        } else if !matches!(statement.exp, Exp::Bin(..) | Exp::Slice { .. }) {
            return None;
        }
    }
    statements.reverse();
    Some(Body { statements, results: body.results.clone() })
}
