//! SOACs whose elements are arrays, as sequential loops.

use super::{Loc, element, row_dims};
use fun::ir::{Atom, Binder, Body, Combine, Exp, Lambda, LoopForm, LoopParam, Statement, Type};
use fun_base::name::{NameSource, Var};
use fun_base::prim::{BinOp, PrimType};

/// A loop over the elements that keeps the reduction so far.
pub(super) fn reduce(
    names: &mut NameSource,
    width: Atom,
    op: Lambda,
    neutral: Vec<Atom>,
    arrays: &[Var],
    loc: Loc,
) -> Exp {
    let i = names.fresh("i");
    let (accumulators, elements) = halves(&op);
    let mut statements: Vec<_> = elements
        .into_iter()
        .zip(arrays)
        .map(|(binder, array)| element(binder, *array, i.into(), loc))
        .collect();
    statements.extend(op.body.statements);
    let body = Body { statements, results: op.body.results };
    let params = accumulators.into_iter().zip(neutral).map(|(binder, init)| LoopParam { binder, init });
    Exp::Loop { params: params.collect(), form: counted(i, width), body }
}

/// The same, which also writes each prefix to an array made before.
pub(super) fn scan(
    names: &mut NameSource,
    pattern: Vec<Binder>,
    width: Atom,
    op: Lambda,
    neutral: Vec<Atom>,
    arrays: &[Var],
    loc: Loc,
) -> Vec<Statement> {
    let mut out = Vec::new();
    let mut params = Vec::new();
    let mut prefixes = Vec::new();
    for binder in &pattern {
        let start = names.fresh_like(binder.var);
        let exp = Exp::Scratch { shape: binder.ty.shape().to_vec(), elem: binder.ty.elem() };
        out.push(Statement { pattern: vec![Binder { var: start, ty: binder.ty.clone() }], exp, loc });
        let var = names.fresh_like(binder.var);
        params.push(LoopParam { binder: Binder { var, ty: binder.ty.clone() }, init: start.into() });
        prefixes.push(var);
    }
    let Exp::Loop { params: accumulators, form, mut body } = reduce(names, width, op, neutral, arrays, loc)
    else {
        return out;
    };
    let LoopForm::For { var: i, .. } = form else { return out };
    let mut results = Vec::new();
    for ((prefix, binder), value) in prefixes.into_iter().zip(&pattern).zip(body.results.clone()) {
        let var = names.fresh_like(prefix);
        let dims = row_dims(i.into(), &binder.ty.peel(1));
        let exp = Exp::Update { array: prefix, dims, value };
        body.statements.push(Statement { pattern: vec![Binder { var, ty: binder.ty.clone() }], exp, loc });
        results.push(Atom::Var(var));
    }
    results.extend(std::mem::take(&mut body.results));
    body.results = results;
    let mut all = pattern;
    for accumulator in accumulators {
        let LoopParam { binder, init } = accumulator;
        all.push(Binder { var: names.fresh_like(binder.var), ty: binder.ty.clone() });
        params.push(LoopParam { binder, init });
    }
    out.push(Statement { pattern: all, exp: Exp::Loop { params, form, body }, loc });
    out
}

/// The arrays of a histogram.
pub(super) struct Hist<'a> {
    pub(super) pattern: &'a [Binder],
    pub(super) dests: &'a [Var],
    pub(super) indices: Var,
    pub(super) values: &'a [Var],
}

/// A loop over indices and values that updates the destinations.
pub(super) fn hist(names: &mut NameSource, width: Atom, op: Lambda, operands: Hist<'_>, loc: Loc) -> Exp {
    let i = names.fresh("i");
    let bool_type = Type::Prim(PrimType::Bool);
    let at = names.fresh("index");
    let mut statements =
        vec![element(Binder { var: at, ty: Type::Prim(PrimType::I64) }, operands.indices, i.into(), loc)];
    let mut test = |op, left: Atom, right: Atom, ty: PrimType| {
        let var = names.fresh("inside");
        let pattern = vec![Binder { var, ty: bool_type.clone() }];
        statements.push(Statement { pattern, exp: Exp::Bin(op, ty, left, right), loc });
        Atom::Var(var)
    };
    let from = test(BinOp::Le, Atom::i64(0), at.into(), PrimType::I64);
    let size = operands.pattern.first().and_then(|binder| binder.ty.shape().first().copied());
    let to = test(BinOp::Lt, at.into(), size.unwrap_or(Atom::i64(0)), PrimType::I64);
    let inside = test(BinOp::And, from, to, PrimType::Bool);

    let reads_only = reads_only(&op.body) && op.body.results.iter().all(|result| is_fresh(&op.body, *result));
    let (lefts, rights) = halves(&op);
    let mut params: Vec<LoopParam> = Vec::new();
    let mut then = Vec::new();
    for ((binder, dest), left) in operands.pattern.iter().zip(operands.dests).zip(lefts) {
        let var = names.fresh_like(*dest);
        params.push(LoopParam { binder: Binder { var, ty: binder.ty.clone() }, init: (*dest).into() });
        let row = names.fresh("row");
        then.push(element(Binder { var: row, ty: left.ty.clone() }, var, at.into(), loc));
        // A row is read before it is overwritten, unless the operator does that itself.
        let is_row = left.ty.rank() > 0;
        let exp = if reads_only || !is_row { Exp::Atom(row.into()) } else { Exp::Copy(row) };
        then.push(Statement { pattern: vec![left], exp, loc });
    }
    for (right, values) in rights.into_iter().zip(operands.values) {
        then.push(element(right, *values, i.into(), loc));
    }
    then.extend(op.body.statements);
    let mut changed = Vec::new();
    for (param, value) in params.iter().zip(op.body.results) {
        let var = names.fresh_like(param.binder.var);
        let dims = row_dims(at.into(), &param.binder.ty.peel(1));
        let exp = Exp::Update { array: param.binder.var, dims, value };
        then.push(Statement { pattern: vec![Binder { var, ty: param.binder.ty.clone() }], exp, loc });
        changed.push(Atom::Var(var));
    }
    let unchanged = params.iter().map(|param| Atom::Var(param.binder.var)).collect();
    let pattern: Vec<Binder> = params
        .iter()
        .map(|p| Binder { var: names.fresh_like(p.binder.var), ty: p.binder.ty.clone() })
        .collect();
    let results = pattern.iter().map(|binder| Atom::Var(binder.var)).collect();
    let exp = Exp::If {
        condition: inside,
        then: Body { statements: then, results: changed },
        otherwise: Body { statements: Vec::new(), results: unchanged },
    };
    statements.push(Statement { pattern, exp, loc });
    Exp::Loop { params, form: counted(i, width), body: Body { statements, results } }
}

fn counted(var: Var, bound: Atom) -> LoopForm {
    LoopForm::For { var, ty: PrimType::I64, bound }
}

/// The parameters of an operator: those of the left operand, those of the right.
fn halves(op: &Lambda) -> (Vec<Binder>, Vec<Binder>) {
    let (left, right) = op.params.split_at(op.params.len() / 2);
    (left.to_vec(), right.to_vec())
}

/// Whether a body certainly changes no array.
fn reads_only(body: &Body) -> bool {
    body.statements.iter().all(|statement| match &statement.exp {
        Exp::Map { lambda, .. } => reads_only(&lambda.body),
        Exp::Kernel { combine: Combine::Map, body, .. } => reads_only(body),
        Exp::Atom(_) | Exp::Bin(..) | Exp::Un(..) | Exp::Convert { .. } | Exp::Index { .. } => true,
        _ => false,
    })
}

/// Whether a result is an array that the body makes.
fn is_fresh(body: &Body, result: Atom) -> bool {
    let makes = |statement: &Statement| matches!(statement.exp, Exp::Map { .. } | Exp::Kernel { .. });
    let binds =
        |statement: &Statement| statement.pattern.iter().any(|binder| Atom::Var(binder.var) == result);
    body.statements.iter().any(|statement| makes(statement) && binds(statement))
}
