//! Wrong rules on arrays and their views.

use super::rewrite::{Site, exps, number};
use fun::ir::{Atom, Body, Dim, Exp, Program, Statement, Type};
use fun::visit::for_each_body_mut;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};

fn range(offset: Atom, count: Atom, stride: Atom) -> Dim {
    Dim::Range { offset, count, stride }
}

/// Where a slice of a slice is: by `join`, from the outer and the inner range.
/// What a range with these offset, count and stride is of a range with this offset and stride.
type Join = fn(&mut Site, (Atom, Atom), (Atom, Atom, Atom)) -> Dim;

fn slice_of_slice(program: Program, join: Join) -> Program {
    exps(program, |site, exp| {
        let Exp::Slice { array, dims: inner } = exp else { return None };
        let Exp::Slice { array: base, dims: outer } = site.definition(Atom::Var(*array))?.clone() else {
            return None;
        };
        let mut inner = inner.iter();
        let mut dims = Vec::with_capacity(outer.len());
        for dim in &outer {
            dims.push(match dim {
                Dim::Fix(_) => dim.clone(),
                Dim::Flat { .. } => return None,
                Dim::Range { offset, count: _, stride } => match inner.next()? {
                    Dim::Fix(index) => {
                        let Dim::Range { offset, .. } =
                            join(site, (*offset, *stride), (*index, Atom::i64(1), Atom::i64(1)))
                        else {
                            return None;
                        };
                        Dim::Fix(offset)
                    }
                    Dim::Flat { .. } => return None,
                    Dim::Range { offset: start, count, stride: step } => {
                        join(site, (*offset, *stride), (*start, *count, *step))
                    }
                },
            });
        }
        Some(Exp::Slice { array: base, dims })
    })
}

/// The offset of a slice of a slice is not scaled by the outer stride.
pub(super) fn slice_of_slice_offset(program: Program) -> Program {
    slice_of_slice(program, |site, (offset, stride), (start, count, step)| {
        let offset = site.i64(BinOp::Add, offset, start);
        range(offset, count, site.i64(BinOp::Mul, stride, step))
    })
}

/// The stride of a slice of a slice is the inner one.
pub(super) fn slice_of_slice_stride(program: Program) -> Program {
    slice_of_slice(program, |site, (offset, stride), (start, count, step)| {
        let scaled = site.i64(BinOp::Mul, start, stride);
        range(site.i64(BinOp::Add, offset, scaled), count, step)
    })
}

/// A slice that goes backwards is made to go forwards over the same elements.
pub(super) fn negative_stride_lost(program: Program) -> Program {
    exps(program, |site, exp| {
        let Exp::Slice { array, dims } = exp else { return None };
        let mut changed = false;
        let mut forwards = |dim: &Dim| match dim {
            Dim::Range { offset, count, stride } if number(*stride).is_some_and(|stride| stride < 0) => {
                changed = true;
                let most = site.i64(BinOp::Sub, *count, Atom::i64(1));
                let way = site.i64(BinOp::Mul, most, *stride);
                let start = site.i64(BinOp::Add, *offset, way);
                let step = Atom::i64(number(*stride).unwrap_or(-1).wrapping_neg());
                range(start, *count, step)
            }
            _ => dim.clone(),
        };
        let dims = dims.iter().map(&mut forwards).collect();
        changed.then_some(Exp::Slice { array: *array, dims })
    })
}

/// A slice of a reversed array becomes a slice of the array over the same elements, but in their order there.
pub(super) fn slice_of_reverse_goes_forwards(program: Program) -> Program {
    exps(program, |site, exp| {
        let Exp::Slice { array, dims } = exp else { return None };
        let Exp::Reverse { dim: reversed, array: base } = site.definition(Atom::Var(*array))?.clone() else {
            return None;
        };
        let size = *site.ty(base).shape().get(reversed)?;
        let mut dims = dims.clone();
        let last = site.i64(BinOp::Sub, size, Atom::i64(1));
        dims[reversed] = match &dims[reversed] {
            Dim::Flat { .. } => return None,
            Dim::Fix(index) => Dim::Fix(site.i64(BinOp::Sub, last, *index)),
            Dim::Range { offset, count, stride } => {
                let most = site.i64(BinOp::Sub, *count, Atom::i64(1));
                let way = site.i64(BinOp::Mul, most, *stride);
                let end = site.i64(BinOp::Add, *offset, way);
                range(site.i64(BinOp::Sub, last, end), *count, *stride)
            }
        };
        Some(Exp::Slice { array: base, dims })
    })
}

/// Two reversals cancel even where they are of different dimensions.
pub(super) fn reversals_cancel(program: Program) -> Program {
    exps(program, |site, exp| {
        let Exp::Reverse { array, .. } = exp else { return None };
        match site.definition(Atom::Var(*array))? {
            Exp::Reverse { array, .. } => Some(Exp::Atom(Atom::Var(*array))),
            _ => None,
        }
    })
}

/// An element of a reversed array is read where it was before.
pub(super) fn index_of_reverse(program: Program) -> Program {
    through(program, |site, exp, indices| match exp {
        Exp::Reverse { dim, array } if site.ty(*array).rank() > 1 && *dim > 0 => {
            Some((*array, indices.to_vec()))
        }
        _ => None,
    })
}

/// An element of an array with reordered dimensions is read by the reordering instead of its inverse.
pub(super) fn index_of_permute(program: Program) -> Program {
    through(program, |_, exp, indices| match exp {
        Exp::Permute { perm, array } => Some((*array, perm.iter().map(|k| indices[*k]).collect())),
        _ => None,
    })
}

/// An element of a flattened matrix is found by the number of rows instead of the number of columns.
pub(super) fn index_of_flat_is_column_major(program: Program) -> Program {
    through(program, |site, exp, indices| match (exp, indices) {
        (Exp::Reshape { shape, array }, [index]) if shape.len() == 1 => {
            let ty = site.ty(*array);
            let [rows, _] = ty.shape() else { return None };
            let column = site.i64(BinOp::Div, *index, *rows);
            let row = site.i64(BinOp::Mod, *index, *rows);
            Some((*array, vec![row, column]))
        }
        _ => None,
    })
}

/// An element of a slice is read without the stride.
pub(super) fn index_of_slice_without_stride(program: Program) -> Program {
    through(program, |site, exp, indices| {
        let Exp::Slice { array, dims } = exp else { return None };
        let mut rest = indices.iter();
        let mut found = Vec::with_capacity(dims.len());
        for dim in dims {
            found.push(match dim {
                Dim::Fix(index) => *index,
                Dim::Range { offset, .. } => site.i64(BinOp::Add, *offset, *rest.next()?),
                Dim::Flat { offset, dims } => {
                    let mut at = *offset;
                    for _ in dims {
                        at = site.i64(BinOp::Add, at, *rest.next()?);
                    }
                    at
                }
            });
        }
        Some((*array, found))
    })
}

/// An element of a replicated row is read by the outer index.
pub(super) fn index_of_replicated_row(program: Program) -> Program {
    through(program, |_, exp, indices| match exp {
        Exp::Replicate { shape, value: Atom::Var(row) } if shape.len() < indices.len() => {
            Some((*row, indices[..indices.len() - shape.len()].to_vec()))
        }
        _ => None,
    })
}

/// From where, and at which indices, an element is read of an array that is defined like this.
type Through = fn(&mut Site, &Exp, &[Atom]) -> Option<(Var, Vec<Atom>)>;

/// Reads through what defines the array, where `f` says from where.
fn through(program: Program, f: Through) -> Program {
    exps(program, |site, exp| {
        let Exp::Index { array, indices } = exp else { return None };
        let definition = site.definition(Atom::Var(*array))?.clone();
        let (array, indices) = f(site, &definition, indices)?;
        (site.ty(array).rank() == indices.len()).then_some(Exp::Index { array, indices })
    })
}

/// An element of an `iota` is computed without the step.
pub(super) fn element_of_iota_without_step(program: Program) -> Program {
    exps(program, |site, exp| {
        let Exp::Index { array, indices } = exp else { return None };
        let Exp::Iota { start, elem, .. } = site.definition(Atom::Var(*array))?.clone() else { return None };
        let ty = Type::Prim(elem);
        let index = site.emit(ty, Exp::Convert { to: elem, from: PrimType::I64, value: indices[0] });
        Some(Exp::Bin(BinOp::Add, elem, start, index.into()))
    })
}

/// Start and step of an `iota` change places.
pub(super) fn iota_start_and_step_swapped(program: Program) -> Program {
    exps(program, |_, exp| match exp {
        Exp::Iota { count, start, step, elem } if start != step => {
            Some(Exp::Iota { count: *count, start: *step, step: *start, elem: *elem })
        }
        _ => None,
    })
}

/// An array literal whose first two rows are equal becomes a `replicate`.
pub(super) fn literal_is_replicate(program: Program) -> Program {
    exps(program, |_, exp| match exp {
        Exp::ArrayLiteral { elems, .. } if elems.len() > 2 && elems[0] == elems[1] => {
            Some(Exp::Replicate { shape: vec![Atom::i64(elems.len() as i64)], value: elems[0] })
        }
        _ => None,
    })
}

/// A slice of the whole of one dimension is taken to be all of the array although it goes backwards or stands still.
pub(super) fn full_slice_is_identity(program: Program) -> Program {
    exps(program, |site, exp| {
        let Exp::Slice { array, dims } = exp else { return None };
        let ty = site.ty(*array);
        let whole = |(dim, size): (&Dim, &Atom)| matches!(dim, Dim::Range { count, .. } if count == size);
        let plain = |dim: &Dim| matches!(dim, Dim::Range { stride, .. } if *stride == Atom::i64(1));
        let all = dims.iter().zip(ty.shape()).all(whole);
        (all && !dims.iter().all(plain)).then_some(Exp::Atom(Atom::Var(*array)))
    })
}

/// Concatenations in a concatenation are put at its end instead of where they stand.
pub(super) fn concat_of_concat_order(program: Program) -> Program {
    exps(program, |site, exp| {
        let Exp::Concat { size, arrays } = exp else { return None };
        let (mut flat, mut last, mut found) = (Vec::new(), Vec::new(), false);
        for array in arrays {
            match site.definition(Atom::Var(*array)) {
                Some(Exp::Concat { arrays: inner, .. }) => {
                    last.extend(inner.iter().copied());
                    found = true;
                }
                _ => flat.push(*array),
            }
        }
        flat.extend(last);
        found.then_some(Exp::Concat { size: *size, arrays: flat })
    })
}

/// A reshape of an array with reordered dimensions becomes a reshape of the array itself.
pub(super) fn reshape_of_permute(program: Program) -> Program {
    exps(program, |site, exp| {
        let Exp::Reshape { shape, array } = exp else { return None };
        match site.definition(Atom::Var(*array))? {
            Exp::Permute { array, .. } => Some(Exp::Reshape { shape: shape.clone(), array: *array }),
            _ => None,
        }
    })
}

/// An update with a range writes it without its stride.
pub(super) fn update_without_stride(program: Program) -> Program {
    exps(program, |_, exp| {
        let Exp::Update { array, dims, value } = exp else { return None };
        let mut changed = false;
        let mut plain = |dim: &Dim| match dim {
            Dim::Range { offset, count, stride } if number(*stride).is_some_and(|stride| stride > 1) => {
                changed = true;
                range(*offset, *count, Atom::i64(1))
            }
            _ => dim.clone(),
        };
        let dims = dims.iter().map(&mut plain).collect();
        changed.then_some(Exp::Update { array: *array, dims, value: *value })
    })
}

/// A flat update writes rows that follow one another, whatever their strides are.
pub(super) fn flat_update_without_gaps(program: Program) -> Program {
    exps(program, |site, exp| {
        let Exp::Update { array, dims, value } = exp else { return None };
        let mut changed = false;
        let mut dense = |dim: &Dim| {
            let Dim::Flat { offset, dims } = dim else { return dim.clone() };
            let mut stride = Atom::i64(1);
            let mut inner = dims.clone();
            for dim in inner.iter_mut().rev() {
                changed |= dim.stride != stride;
                dim.stride = stride;
                stride = site.i64(BinOp::Mul, stride, dim.count);
            }
            Dim::Flat { offset: *offset, dims: inner }
        };
        let dims = dims.iter().map(&mut dense).collect();
        changed.then_some(Exp::Update { array: *array, dims, value: *value })
    })
}

/// A flat slice has its two outermost dimensions the other way round where they have as many elements.
pub(super) fn flat_slice_other_way(program: Program) -> Program {
    exps(program, |_, exp| {
        let Exp::Slice { array, dims } = exp else { return None };
        let mut changed = false;
        let mut swapped = |dim: &Dim| match dim {
            Dim::Flat { offset, dims } if dims.len() > 1 => {
                let mut inner = dims.clone();
                (inner[0].stride, inner[1].stride) = (dims[1].stride, dims[0].stride);
                changed = true;
                Dim::Flat { offset: *offset, dims: inner }
            }
            _ => dim.clone(),
        };
        let dims = dims.iter().map(&mut swapped).collect();
        changed.then_some(Exp::Slice { array: *array, dims })
    })
}

/// An element that an update did not write is read from before the update, where the indices are other atoms: they may still be
/// the same numbers.
pub(super) fn read_passes_update(program: Program) -> Program {
    exps(program, |site, exp| {
        let Exp::Index { array, indices } = exp else { return None };
        let Exp::Update { array: before, dims, .. } = site.definition(Atom::Var(*array))?.clone() else {
            return None;
        };
        let Exp::Replicate { value, shape } = site.definition(Atom::Var(before))?.clone() else {
            return None;
        };
        let other = dims.iter().zip(indices).any(|(dim, index)| matches!(dim, Dim::Fix(at) if at != index));
        (other && shape.len() == indices.len()).then_some(Exp::Atom(value))
    })
}

/// Of a slice at an index that is no constant, the first one is copied: what a loop saves of an array is saved once, before it.
pub(super) fn saved_slice_is_the_first(program: Program) -> Program {
    exps(program, |site, exp| {
        let Exp::Copy(part) = exp else { return None };
        let Exp::Slice { array, dims } = site.definition(Atom::Var(*part))?.clone() else { return None };
        let first = |dim: &Dim| match dim {
            Dim::Fix(Atom::Var(_)) => Dim::Fix(Atom::i64(0)),
            other => other.clone(),
        };
        let ty = site.ty(*part);
        let slice = Exp::Slice { array, dims: dims.iter().map(first).collect() };
        Some(Exp::Copy(site.emit(ty, slice)))
    })
}

/// What a branch reads is read in front of it, whether that is within bounds or not.
pub(super) fn reads_beyond_branches(mut program: Program) -> Program {
    program.functions.iter_mut().for_each(|function| read_early(&mut function.body));
    program
}

fn read_early(body: &mut Body) {
    for mut statement in std::mem::take(&mut body.statements) {
        for_each_body_mut(&mut statement.exp, &mut read_early);
        if let Exp::If { then, otherwise, .. } = &mut statement.exp {
            for arm in [then, otherwise] {
                let is_read = |statement: &Statement| matches!(statement.exp, Exp::Index { .. });
                let end = arm.statements.iter().rposition(is_read).map_or(0, |at| at + 1);
                body.statements.extend(arm.statements.drain(..end));
            }
        }
        body.statements.push(statement);
    }
}
