//! Concatenations over what they are made from: the parts that come from there move, then the others are put between them.
//!
//! ```text
//! let (y: [n]f32 @ y_mem -> …) = concat n tail new
//! ```
//! where `tail` is part of `x`, which lies where `y` will, becomes
//! ```text
//! let (hole: [1]f32 @ x_mem -> …) = slice x[m : 1 : 1]
//! let (moved: [n]f32 @ y_mem -> …) = concat n tail hole
//! let (y: [n]f32 @ y_mem -> …) = update moved[m : 1 : 1] new
//! ```
//! What is in the hole until then lies there already, and `new` can be built there after the others have moved (`short-circuit`).

use crate::funmem::short_circuit::in_place::{Moving, Part};
use crate::funmem::trips::Scalars;
use fun::ir::{Atom, Dim};
use fun_base::name::{NameSource, Var};
use funmem::ir::{Binder, Body, Exp, MemType, Statement, slices};

/// Lets a concatenation move parts of what lies where it goes, and puts the others there afterwards.
pub(super) fn move_parts(body: &mut Body, made: Var, moving: &Moving, names: &mut NameSource) {
    let makes = |statement: &Statement| statement.pattern.iter().any(|binder| binder.var == made);
    let Some(at) = body.statements.iter().position(makes) else { return };
    let Statement { pattern, exp, loc } = &body.statements[at];
    let (Exp::Concat { size, arrays: _ }, [binder]) = (exp, pattern.as_slice()) else { return };
    let MemType::Array { shape, elem, mem: home, lmad } = &moving.old.ty else { return };
    let (size, loc, ty) = (*size, *loc, binder.ty.clone());
    let range = |offset, count| Dim::Range { offset, count, stride: Atom::i64(1) };
    let mut scalars = Scalars { names, loc, out: Vec::new() };
    let (mut holes, mut arrays, mut updates) = (Vec::new(), Vec::new(), Vec::new());
    for (k, Part { array, rows, moves }) in moving.parts.iter().enumerate() {
        if *moves {
            arrays.push(*array);
        } else {
            let before = moving.parts[..k].iter();
            let first = before.fold(Atom::i64(0), |row, part| scalars.sum(row, part.rows));
            let mut dims = vec![range(first, *rows)];
            dims.extend(shape[1..].iter().map(|size| range(Atom::i64(0), *size)));
            let hole = scalars.names.fresh("hole");
            let mut sizes = shape.clone();
            sizes[0] = *rows;
            let ty =
                MemType::Array { shape: sizes, elem: *elem, mem: *home, lmad: lmad.slice(&slices(&dims)) };
            let exp = Exp::Slice { array: moving.old.var, dims: dims.clone() };
            holes.push(Statement { pattern: vec![Binder { var: hole, ty }], exp, loc });
            arrays.push(hole);
            updates.push((dims, *array));
        }
    }
    let mut out = scalars.out;
    out.append(&mut holes);
    // the last one is the array
    let mut result = if updates.is_empty() { made } else { names.fresh_like(made) };
    let bind = |var: Var| vec![Binder { var, ty: ty.clone() }];
    out.push(Statement { pattern: bind(result), exp: Exp::Concat { size, arrays }, loc });
    let count = updates.len();
    for (k, (dims, value)) in updates.into_iter().enumerate() {
        let next = if k + 1 == count { made } else { names.fresh_like(made) };
        let exp = Exp::Update { array: result, dims, value: Atom::Var(value) };
        out.push(Statement { pattern: bind(next), exp, loc });
        result = next;
    }
    body.statements.splice(at..=at, out);
}
