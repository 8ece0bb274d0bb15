//! Wrong rules on SOACs and kernels.

use super::rewrite::{exps, statements};
use fun::ir::{Atom, Binder, Body, Combine, Exp, Lambda, LoopForm, Program, Statement, Type};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};

/// The operands of an operator change places: wrong where it does not commute.
fn swapped(op: &Lambda) -> Lambda {
    let mut op = op.clone();
    let half = op.params.len() / 2;
    op.params.rotate_left(half);
    op
}

/// The parts of a reduction are combined in the wrong order.
pub(super) fn reduction_operands_swapped(program: Program) -> Program {
    exps(program, |_, exp| match exp {
        Exp::Kernel { space, combine: Combine::Reduce { op, neutral, commutative }, body } => {
            let combine =
                Combine::Reduce { op: swapped(op), neutral: neutral.clone(), commutative: *commutative };
            Some(Exp::Kernel { space: space.clone(), combine, body: body.clone() })
        }
        _ => None,
    })
}

/// The elements of a scan are combined with the sum before them from the wrong side.
pub(super) fn scan_operands_swapped(program: Program) -> Program {
    exps(program, |_, exp| match exp {
        Exp::Kernel { space, combine: Combine::Scan { op, neutral, epilogue }, body } => {
            let (op, neutral, epilogue) = (swapped(op), neutral.clone(), epilogue.clone());
            let combine = Combine::Scan { op, neutral, epilogue };
            Some(Exp::Kernel { space: space.clone(), combine, body: body.clone() })
        }
        _ => None,
    })
}

/// The epilogue of a scan is that of a map.
pub(super) fn epilogue_of_elements(program: Program) -> Program {
    exps(program, |_, exp| match exp {
        Exp::Kernel { space, combine: Combine::Scan { epilogue: Some(epilogue), .. }, body } => {
            let named = epilogue.params.iter().zip(&body.results).map(|(sum, element)| Statement {
                pattern: vec![sum.clone()],
                exp: Exp::Atom(*element),
                loc: None,
            });
            let statements = body.statements.iter().cloned().chain(named);
            let statements = statements.chain(epilogue.body.statements.iter().cloned()).collect();
            let body = Body { statements, results: epilogue.body.results.clone() };
            Some(Exp::Kernel { space: space.clone(), combine: Combine::Map, body })
        }
        _ => None,
    })
}

/// The second of the values that are reduced together is the first one.
pub(super) fn joined_alike(program: Program) -> Program {
    exps(program, |_, exp| match exp {
        Exp::Kernel { space, combine: combine @ Combine::Reduce { op, .. }, body } => {
            let [first, second, ..] = op.results.as_slice() else { return None };
            let mut body = body.clone();
            body.results[1] = body.results[0];
            let (space, combine) = (space.clone(), combine.clone());
            (first == second).then_some(Exp::Kernel { space, combine, body })
        }
        _ => None,
    })
}

/// What is computed from a reduction of each row has that of the first row.
pub(super) fn first_row_for_all(program: Program) -> Program {
    exps(program, |_, exp| match exp {
        Exp::Index { array, indices } if array.text.as_str() == "rows" => {
            let first = std::iter::once(Atom::i64(0));
            let indices = first.chain(indices.iter().skip(1).copied()).collect();
            Some(Exp::Index { array: *array, indices })
        }
        _ => None,
    })
}

/// The histograms of all rows, which are one, count in the cells of the first row.
pub(super) fn histograms_of_first_row(program: Program) -> Program {
    statements(program, &mut |_, mut statement| {
        let is_place = statement.pattern.first().is_some_and(|binder| binder.var.text.as_str() == "place");
        if let Exp::Bin(BinOp::Mul, PrimType::I64, ..) = statement.exp
            && is_place
        {
            statement.exp = Exp::Atom(Atom::i64(0));
        }
        statement
    })
}

/// Reductions of columns begin with the neutral element of another operator.
pub(super) fn columns_begin_with_zero(program: Program) -> Program {
    exps(program, |_, exp| {
        let Exp::Map { width, lambda, arrays } = exp else { return None };
        let of_columns = arrays.first().is_some_and(|array| array.text.as_str() == "columns");
        let mut lambda = lambda.clone();
        let [Statement { exp: Exp::Reduce { op, neutral, .. }, .. }] = &mut lambda.body.statements[..] else {
            return None;
        };
        for (value, ty) in neutral.iter_mut().zip(&op.results) {
            if let Type::Prim(ty) = ty {
                *value = Atom::Const(ty.zero());
            }
        }
        of_columns.then(|| Exp::Map { width: *width, lambda, arrays: arrays.clone() })
    })
}

/// The last of the tables of a histogram's parts is not combined with the others.
pub(super) fn last_table_forgotten(program: Program) -> Program {
    let is_named = |var: &Var, name: &str| var.text.as_str() == name;
    exps(program, |_, exp| {
        let Exp::Loop { params, form: LoopForm::For { var, ty, bound }, body } = exp else { return None };
        let reads_table = body.statements.iter().any(
            |statement| matches!(&statement.exp, Exp::Index { array, .. } | Exp::Slice { array, .. } if is_named(array, "p")),
        );
        let tables = bound.as_const().and_then(|tables| tables.as_int())?;
        if tables != 3 || !reads_table || !params.iter().all(|param| is_named(&param.binder.var, "a")) {
            return None;
        }
        let form = LoopForm::For { var: *var, ty: *ty, bound: Atom::i64(2) };
        Some(Exp::Loop { params: params.clone(), form, body: body.clone() })
    })
}

/// Of each chunk of iterations that add to adjoints only the first adds.
pub(super) fn chunks_of_one(program: Program) -> Program {
    exps(program, |_, exp| {
        let Exp::Loop { params, form: LoopForm::For { var, ty, bound }, body } = exp else { return None };
        bound.as_var().filter(|bound| bound.text.as_str() == "iterations")?;
        let form = LoopForm::For { var: *var, ty: *ty, bound: Atom::i64(1) };
        Some(Exp::Loop { params: params.clone(), form, body: body.clone() })
    })
}

/// What is collected for the elements of an adjoint is not added to them.
pub(super) fn collected_in_vain(program: Program) -> Program {
    exps(program, |_, exp| {
        let Exp::Hist { dests, indices, .. } = exp else { return None };
        let is_ours = matches!(indices.text.as_str(), "adj" | "flat");
        dests.first().filter(|_| is_ours).map(|dest| Exp::Atom(Atom::Var(*dest)))
    })
}

/// What a loop begins with is not combined with what its iterations add up.
pub(super) fn first_value_forgotten(program: Program) -> Program {
    let is_total = |atom: &Atom| atom.as_var().is_some_and(|var| var.text.as_str() == "total");
    exps(program, |_, exp| match exp {
        Exp::Bin(_, _, _, total) if is_total(total) => Some(Exp::Atom(*total)),
        _ => None,
    })
}

/// An iteration that leaves an array writes to its first element.
pub(super) fn left_alone_is_first(program: Program) -> Program {
    statements(program, &mut |_, mut statement| {
        let is_ours = statement.pattern.iter().any(|binder| binder.var.text.as_str() == "value");
        if let Exp::If { then, otherwise, .. } = &mut statement.exp
            && is_ours
        {
            for result in then.results.iter_mut().chain(&mut otherwise.results) {
                if *result == Atom::i64(-1) {
                    *result = Atom::i64(0);
                }
            }
        }
        statement
    })
}

/// Rows that an iteration leaves as they are get zeros.
pub(super) fn rows_left_are_zero(program: Program) -> Program {
    statements(program, &mut |_, mut statement| {
        if let ([Binder { var, ty }], Exp::Index { .. }) = (&statement.pattern[..], &statement.exp)
            && var.text.as_str() == "before"
        {
            statement.exp = Exp::Atom(Atom::Const(ty.elem().zero()));
        }
        statement
    })
}

/// A histogram by the elements of rows has all of a row in the first of its cells.
pub(super) fn rows_in_one_cell(program: Program) -> Program {
    let is_called = |atom: &Atom, name: &str| atom.as_var().is_some_and(|var| var.text.as_str() == name);
    exps(program, |_, exp| match exp {
        Exp::Bin(BinOp::Add, PrimType::I64, start, column)
            if is_called(start, "mul") && is_called(column, "sub") =>
        {
            Some(Exp::Atom(*start))
        }
        _ => None,
    })
}

/// Rewrites the operators of reductions and scans that were on small arrays.
fn unpacked(program: Program, f: fn(&Lambda) -> Lambda) -> Program {
    let of_cells = |arrays: &[Var]| arrays.iter().any(|array| array.text.as_str() == "cells");
    exps(program, move |_, exp| match exp {
        Exp::Reduce { width, op, neutral, arrays, commutative } if of_cells(arrays) => Some(Exp::Reduce {
            op: f(op),
            width: *width,
            neutral: neutral.clone(),
            arrays: arrays.clone(),
            commutative: *commutative,
        }),
        Exp::Scan { width, op, neutral, arrays } if of_cells(arrays) => {
            let (width, neutral, arrays) = (*width, neutral.clone(), arrays.clone());
            Some(Exp::Scan { width, op: f(op), neutral, arrays })
        }
        _ => None,
    })
}

/// An operator on the scalars of small arrays gets its operands in the other order.
pub(super) fn unpacked_operands_swapped(program: Program) -> Program {
    unpacked(program, swapped)
}

/// Two scalars of a small array are what the operator gives for the first of them.
pub(super) fn lanes_alike(program: Program) -> Program {
    unpacked(program, |op| {
        let mut op = op.clone();
        if let ([first, second, ..], [one, other, ..]) = (&op.results[..], &mut op.body.results[..])
            && first == second
        {
            *other = *one;
        }
        op
    })
}

/// Rewrites the permutations of arrays that maps were found to copy in another order, which come with the binder.
fn turned(program: Program, f: impl Fn(&[usize], &Binder) -> Vec<usize>) -> Program {
    statements(program, &mut |_, mut statement| {
        if let [binder] = statement.pattern.as_slice()
            && binder.var.text.as_str() == "turned"
            && let Exp::Permute { perm, .. } = &mut statement.exp
        {
            *perm = f(perm, binder);
        }
        statement
    })
}

/// The dimensions of a result are taken for those of the array that they come from.
pub(super) fn turned_back(program: Program) -> Program {
    turned(program, |perm, _| {
        let mut back = vec![0; perm.len()];
        perm.iter().enumerate().for_each(|(k, from)| back[*from] = k);
        back
    })
}

/// Of dimensions of one size the first of the result is the first of the array.
pub(super) fn squares_copied(program: Program) -> Program {
    turned(program, |perm, binder| {
        let shape = binder.ty.shape();
        let mut sorted = perm.to_vec();
        for (k, size) in shape.iter().enumerate() {
            for (other, _) in shape.iter().enumerate().skip(k + 1).filter(|(_, same)| *same == size) {
                if sorted[other] < sorted[k] {
                    sorted.swap(k, other);
                }
            }
        }
        sorted
    })
}

/// The neutral element of a minimum or maximum of numbers is zero.
pub(super) fn neutral_element_is_zero(program: Program) -> Program {
    let zeros = |op: &Lambda, neutral: &[Atom]| {
        let extreme = |exp: &Exp| matches!(exp, Exp::Bin(BinOp::Min | BinOp::Max, t, ..) if t.is_number());
        op.body.statements.iter().any(|statement| extreme(&statement.exp)).then(|| {
            let zero =
                |atom: &Atom| atom.as_const().map_or(*atom, |value| Atom::Const(value.prim_type().zero()));
            neutral.iter().map(zero).collect::<Vec<Atom>>()
        })
    };
    exps(program, move |_, exp| match exp {
        Exp::Reduce { width, op, neutral, arrays, commutative } => Some(Exp::Reduce {
            neutral: zeros(op, neutral)?,
            width: *width,
            op: op.clone(),
            arrays: arrays.clone(),
            commutative: *commutative,
        }),
        _ => None,
    })
}

/// The neutral element of a scan is used for every result of the operator: that of the first.
pub(super) fn neutral_elements_shared(program: Program) -> Program {
    exps(program, |_, exp| match exp {
        Exp::Scan { width, op, neutral, arrays } if neutral.len() > 1 => {
            let types: Vec<Type> = op.results.clone();
            let same = types.iter().all(|ty| *ty == types[0]);
            same.then(|| Exp::Scan {
                width: *width,
                op: op.clone(),
                neutral: vec![neutral[0]; neutral.len()],
                arrays: arrays.clone(),
            })
        }
        _ => None,
    })
}

/// Results of one type of a map are given in reverse order, after some were dropped or merged.
pub(super) fn map_results_swapped(program: Program) -> Program {
    exps(program, |_, exp| match exp {
        Exp::Map { width, lambda, arrays } => {
            let mut lambda = lambda.clone();
            let pair = lambda.results.windows(2).position(|pair| pair[0] == pair[1])?;
            lambda.body.results.swap(pair, pair + 1);
            Some(Exp::Map { width: *width, lambda, arrays: arrays.clone() })
        }
        _ => None,
    })
}

/// A result of a map that is one of its inputs as it came is taken to be the first one.
pub(super) fn unchanged_is_first(program: Program) -> Program {
    exps(program, |_, exp| match exp {
        Exp::Map { width, lambda, arrays } => {
            let mut lambda = lambda.clone();
            let first = lambda.params.first()?.clone();
            let others = |atom: &Atom| {
                lambda.params.iter().any(|param| param.ty == first.ty && *atom == Atom::Var(param.var))
            };
            let at =
                lambda.body.results.iter().position(|atom| others(atom) && *atom != Atom::Var(first.var))?;
            lambda.body.results[at] = Atom::Var(first.var);
            Some(Exp::Map { width: *width, lambda, arrays: arrays.clone() })
        }
        _ => None,
    })
}

/// The dimensions of a nest of kernels are merged in the wrong order, where their bounds are equal.
pub(super) fn space_order_swapped(program: Program) -> Program {
    exps(program, |_, exp| match exp {
        Exp::Kernel { space, combine: combine @ Combine::Map, body } => {
            let pair = space.windows(2).position(|pair| pair[0].1 == pair[1].1)?;
            let mut space = space.clone();
            let (first, second) = (space[pair].0, space[pair + 1].0);
            space[pair].0 = second;
            space[pair + 1].0 = first;
            Some(Exp::Kernel { space, combine: combine.clone(), body: body.clone() })
        }
        _ => None,
    })
}

/// A scatter runs from its last iteration to its first, so that the first write wins.
pub(super) fn scatter_runs_backwards(program: Program) -> Program {
    backwards(program, |combine| matches!(combine, Combine::Scatter { .. }))
}

fn backwards(program: Program, fits: fn(&Combine) -> bool) -> Program {
    exps(program, |site, exp| {
        let Exp::Kernel { space, combine, body } = exp else { return None };
        let [(counter, bound)] = space[..] else { return None };
        if !fits(combine) {
            return None;
        }
        let last = site.i64(BinOp::Sub, bound, Atom::i64(1));
        let turned = site.names.fresh_like(counter);
        let mut body = body.clone();
        let ty = Type::Prim(PrimType::I64);
        let exp = Exp::Bin(BinOp::Sub, PrimType::I64, last, turned.into());
        let first = fun::ir::Statement { pattern: vec![Binder { var: counter, ty }], exp, loc: None };
        body.statements.insert(0, first);
        Some(Exp::Kernel { space: vec![(turned, bound)], combine: combine.clone(), body })
    })
}

/// A histogram starts from its neutral element, not from what is in the destination.
pub(super) fn histogram_forgets_destination(program: Program) -> Program {
    statements(program, &mut |site, mut statement| {
        if let Exp::Hist { dests, neutral, .. } = &mut statement.exp {
            for (dest, value) in dests.iter_mut().zip(neutral) {
                let ty = site.ty(*dest);
                if ty.rank() == 1 {
                    *dest =
                        site.emit(ty.clone(), Exp::Replicate { shape: ty.shape().to_vec(), value: *value });
                }
            }
        }
        statement
    })
}

/// A reduction over the rows of a matrix, in a map, becomes one over its columns where rows and columns are as many.
pub(super) fn reduced_dimension_confused(program: Program) -> Program {
    exps(program, |_, exp| match exp {
        Exp::Kernel { space, combine: combine @ (Combine::Reduce { .. } | Combine::Scan { .. }), body } => {
            let [.., (outer, m), (inner, n)] = space[..] else { return None };
            let mut space = space.clone();
            let last = space.len() - 1;
            space[last - 1].0 = inner;
            space[last].0 = outer;
            (m == n).then(|| Exp::Kernel { space, combine: combine.clone(), body: body.clone() })
        }
        _ => None,
    })
}

/// A map is fused into a reduction of another width: the reduction runs over the width of the map's first array less one.
pub(super) fn last_element_not_reduced(program: Program) -> Program {
    exps(program, |site, exp| match exp {
        Exp::Kernel { space, combine: combine @ Combine::Reduce { .. }, body }
            if body.statements.len() > 1 =>
        {
            let mut space = space.clone();
            let (_, bound) = space.last_mut()?;
            let less = site.i64(BinOp::Sub, *bound, Atom::i64(1));
            *bound = site.i64(BinOp::Max, less, Atom::i64(0));
            Some(Exp::Kernel { space, combine: combine.clone(), body: body.clone() })
        }
        _ => None,
    })
}

/// A kernel over a part of a concatenated array takes the part for the first one: it does not add what comes before to its counter.
pub(super) fn parts_before_forgotten(program: Program) -> Program {
    exps(program, |_, exp| match exp {
        Exp::Kernel { space, combine, body } => {
            let (counter, mut body) = (Atom::Var(space[0].0), body.clone());
            let first = body.statements.first_mut()?;
            let Exp::Bin(BinOp::Add, PrimType::I64, _, right) = first.exp else { return None };
            first.exp = Exp::Atom(counter);
            (right == counter).then(|| Exp::Kernel { space: space.clone(), combine: combine.clone(), body })
        }
        _ => None,
    })
}

/// The tangents, or adjoints, of the first two arguments of one type change places.
pub(super) fn seeds_swapped(program: Program) -> Program {
    use fun::ir::Mode;
    exps(program, |site, exp| {
        let Exp::Derive { mode, function, args } = exp else { return None };
        let mut seeds = mode.seeds().to_vec();
        let same = |pair: &[Atom]| pair[0] != pair[1] && site.atom_ty(pair[0]) == site.atom_ty(pair[1]);
        let pair = seeds.windows(2).position(same)?;
        seeds.swap(pair, pair + 1);
        let mode = match mode {
            Mode::Jvp { .. } => Mode::Jvp { tangents: seeds },
            Mode::Vjp { .. } => Mode::Vjp { adjoints: seeds },
            Mode::Custom { .. } => return None,
        };
        Some(Exp::Derive { mode, function: function.clone(), args: args.clone() })
    })
}

/// Of equal elements of a reduction to the first or the last one, the one at the other end is taken.
pub(super) fn tie_other_way(program: Program) -> Program {
    statements(program, &mut |_, mut statement| {
        let decides = statement.pattern.first().is_some_and(|binder| binder.var.text.as_str() == "before");
        if let Exp::Bin(order @ (BinOp::Lt | BinOp::Gt), PrimType::I64, ..) = &mut statement.exp
            && decides
        {
            *order = if *order == BinOp::Lt { BinOp::Gt } else { BinOp::Lt };
        }
        statement
    })
}
