//! Reductions, scans and histograms as loops, so that the return sweep needs rules only for loops and for sums.
//! Arrays without contents get zeros.
//!
//! Sums (`+` on scalars, and elementwise on arrays) stay, and so do reductions by `min` and `max` of scalars: their rules are parallel. All others become loops over the elements
//! in order, whose values the rule for loops keeps.

use crate::build::Builder;
use crate::ir::{Atom, Binder, Body, Dim, Exp, Fun, Lambda, LoopForm, LoopParam, NoOp, Statement, Type};
use crate::visit::{Map, map_lambda, map_statement};
use fun_base::name::{NameSource, Var};
use fun_base::prim::{BinOp, PrimType};
use fun_base::source::Loc;

/// The function with loops in place of reductions, scans and histograms that are no sums.
pub(super) fn sequential(names: &mut NameSource, lambda: &Lambda) -> Lambda {
    map_lambda(&mut Sequential { names }, lambda)
}

/// What an operator on scalars, or on arrays as a whole, is alone: an expression of both operands.
fn combination(op: &Lambda) -> Option<&Exp> {
    let ([a, b], [statement]) = (op.params.as_slice(), op.body.statements.as_slice()) else { return None };
    let both = |x: Var, y: Var| (x, y) == (a.var, b.var) || (x, y) == (b.var, a.var);
    let of_both = match &statement.exp {
        Exp::Bin(_, _, Atom::Var(x), Atom::Var(y)) => both(*x, *y),
        Exp::Map { arrays, .. } => matches!(arrays.as_slice(), [x, y] if both(*x, *y)),
        _ => false,
    };
    let gives =
        matches!(statement.pattern.as_slice(), [result] if op.body.results == [Atom::Var(result.var)]);
    (of_both && gives).then_some(&statement.exp)
}

/// Whether an operator adds: scalars, or arrays element by element.
pub(super) fn is_sum(op: &Lambda) -> bool {
    match combination(op) {
        Some(Exp::Map { lambda, .. }) => is_sum(lambda),
        exp => matches!(exp, Some(Exp::Bin(BinOp::Add, ..))),
    }
}

/// Whether an operator is the minimum or the maximum of two scalars.
pub(super) fn is_extreme(op: &Lambda) -> bool {
    matches!(combination(op), Some(Exp::Bin(BinOp::Min | BinOp::Max, ..)))
}

struct Sequential<'a> {
    names: &'a mut NameSource,
}

impl Map<Fun, Fun> for Sequential<'_> {
    fn ty(&mut self, ty: &Type) -> Type {
        ty.clone()
    }

    fn op(&mut self, op: &NoOp) -> Exp {
        match *op {}
    }

    fn statement(&mut self, statement: &Statement, out: &mut Vec<Statement>) {
        let Statement { pattern, exp, loc } = map_statement(self, statement);
        match exp {
            Exp::Reduce { width, op, neutral, arrays, .. } if !is_sum(&op) && !is_extreme(&op) => {
                let inits = self.inits(&op, &neutral, loc, out);
                let (params, mut statements) = self.iteration(op.clone(), inits);
                let i = self.names.fresh("i");
                let mut body = elements(&op, &arrays, i, loc);
                body.append(&mut statements);
                let body = Body { statements: body, results: op.body.results };
                let form = LoopForm::For { var: i, ty: PrimType::I64, bound: width };
                out.push(Statement { pattern, exp: Exp::Loop { params, form, body }, loc });
            }
            Exp::Scan { width, op, neutral, arrays } if !(is_sum(&op) && op.results[0].rank() == 0) => {
                let inits = self.inits(&op, &neutral, loc, out);
                let (mut params, mut statements) = self.iteration(op.clone(), inits);
                let i = self.names.fresh("i");
                let mut body = elements(&op, &arrays, i, loc);
                body.append(&mut statements);
                let mut results = op.body.results.clone();
                let mut bound: Vec<Binder> = Vec::new();
                for ty in &op.results {
                    bound.push(Binder { var: self.names.fresh("last"), ty: ty.clone() });
                }
                for (binder, result) in pattern.iter().zip(&op.body.results) {
                    let ty = binder.ty.clone();
                    let init = self.names.fresh("scan");
                    let exp = zeros(ty.shape().to_vec(), ty.elem());
                    out.push(Statement { pattern: vec![Binder { var: init, ty: ty.clone() }], exp, loc });
                    let so_far = Binder { var: self.names.fresh("scan"), ty: ty.clone() };
                    let next = Binder { var: self.names.fresh("scan"), ty: ty.clone() };
                    let dims = Builder::row_dims(&ty, &[i.into()]);
                    results.push(next.var.into());
                    body.push(Statement {
                        pattern: vec![next],
                        exp: Exp::Update { array: so_far.var, dims, value: *result },
                        loc,
                    });
                    params.push(LoopParam { binder: so_far, init: init.into() });
                }
                bound.extend(pattern);
                let body = Body { statements: body, results };
                let form = LoopForm::For { var: i, ty: PrimType::I64, bound: width };
                out.push(Statement { pattern: bound, exp: Exp::Loop { params, form, body }, loc });
            }
            Exp::Hist { width, op, neutral: _, dests, indices, values } if !is_sum(&op) => {
                let operands = Operands { width, dests, indices, values };
                self.hist(pattern, op, &operands, loc, out);
            }
            // The return sweep copies arrays that are not written yet; cells that nobody has written may not be read.
            Exp::Scratch { shape, elem } => out.push(Statement { pattern, exp: zeros(shape, elem), loc }),
            exp => out.push(Statement { pattern, exp, loc }),
        }
    }
}

fn zeros(shape: Vec<Atom>, elem: PrimType) -> Exp {
    Exp::Replicate { shape, value: Atom::Const(elem.zero()) }
}

/// What a histogram is applied to.
struct Operands {
    width: Atom,
    dests: Vec<Var>,
    indices: Var,
    values: Vec<Var>,
}

type Place = Option<Loc>;

impl Sequential<'_> {
    /// First values for the left operands; arrays are copied, because the results of a reduction are fresh.
    fn inits(&mut self, op: &Lambda, neutral: &[Atom], loc: Place, out: &mut Vec<Statement>) -> Vec<Atom> {
        let mut init = |(atom, ty): (&Atom, &Type)| match atom {
            Atom::Var(array) if ty.rank() > 0 => {
                let var = self.names.fresh("neutral");
                let pattern = vec![Binder { var, ty: ty.clone() }];
                out.push(Statement { pattern, exp: Exp::Copy(*array), loc });
                Atom::Var(var)
            }
            atom => *atom,
        };
        neutral.iter().zip(&op.results).map(&mut init).collect()
    }

    /// Loop parameters for the left operands, and the statements of the operator.
    fn iteration(&mut self, op: Lambda, inits: Vec<Atom>) -> (Vec<LoopParam>, Vec<Statement>) {
        let half = inits.len();
        let left = op.params.into_iter().take(half);
        let params = left.zip(inits).map(|(binder, init)| LoopParam { binder, init }).collect();
        (params, op.body.statements)
    }

    fn scalar(&mut self, text: &str, ty: PrimType, exp: Exp, out: &mut Vec<Statement>) -> Atom {
        let var = self.names.fresh(text);
        out.push(Statement { pattern: vec![Binder { var, ty: Type::Prim(ty) }], exp, loc: None });
        var.into()
    }

    /// A loop that reads a cell of each destination, combines it and writes it back. An index outside writes back what it
    /// read from cell 0; without cells there are no iterations.
    fn hist(
        &mut self,
        pattern: Vec<Binder>,
        op: Lambda,
        operands: &Operands,
        loc: Place,
        out: &mut Vec<Statement>,
    ) {
        let (i64_, bool_) = (PrimType::I64, PrimType::Bool);
        let zero = Atom::i64(0);
        let size = pattern[0].ty.shape()[0];
        let none = self.scalar("none", bool_, Exp::Bin(BinOp::Le, i64_, size, zero), out);
        let choice = |condition, a: Atom, b: Atom| Exp::If {
            condition,
            then: Body { statements: Vec::new(), results: vec![a] },
            otherwise: Body { statements: Vec::new(), results: vec![b] },
        };
        let bound = self.scalar("bound", i64_, choice(none, zero, operands.width), out);
        let i = self.names.fresh("i");
        let mut body = Vec::new();
        let exp = Exp::Index { array: operands.indices, indices: vec![i.into()] };
        let index = self.scalar("index", i64_, exp, &mut body);
        let from = self.scalar("c", bool_, Exp::Bin(BinOp::Le, i64_, zero, index), &mut body);
        let upto = self.scalar("c", bool_, Exp::Bin(BinOp::Lt, i64_, index, size), &mut body);
        let inside = self.scalar("inside", bool_, Exp::Bin(BinOp::And, bool_, from, upto), &mut body);
        let at = self.scalar("at", i64_, choice(inside, index, zero), &mut body);
        let half = operands.dests.len();
        let mut params: Vec<LoopParam> = Vec::new();
        let mut old = Vec::new();
        for ((binder, dest), cell) in pattern.iter().zip(&operands.dests).zip(&op.params[..half]) {
            let so_far = Binder { var: self.names.fresh("hist"), ty: binder.ty.clone() };
            if cell.ty.rank() == 0 {
                let exp = Exp::Index { array: so_far.var, indices: vec![at] };
                body.push(Statement { pattern: vec![cell.clone()], exp, loc });
            } else {
                let row = Binder { var: self.names.fresh("row"), ty: cell.ty.clone() };
                let copy = Exp::Copy(row.var);
                let exp = Exp::Slice { array: so_far.var, dims: Builder::row_dims(&so_far.ty, &[at]) };
                body.push(Statement { pattern: vec![row], exp, loc });
                body.push(Statement { pattern: vec![cell.clone()], exp: copy, loc });
            }
            old.push(Atom::Var(cell.var));
            params.push(LoopParam { binder: so_far, init: (*dest).into() });
        }
        body.extend(elements(&op, &operands.values, i, loc));
        let results: Vec<Binder> =
            op.results.iter().map(|ty| Binder { var: self.names.fresh("new"), ty: ty.clone() }).collect();
        let then = op.body;
        let otherwise = Body { statements: Vec::new(), results: old };
        let exp = Exp::If { condition: inside, then, otherwise };
        body.push(Statement { pattern: results.clone(), exp, loc });
        let mut next = Vec::new();
        for (param, result) in params.iter().zip(&results) {
            let ty = param.binder.ty.clone();
            let dims: Vec<Dim> = Builder::row_dims(&ty, &[at]);
            let binder = Binder { var: self.names.fresh("hist"), ty };
            next.push(Atom::Var(binder.var));
            let exp = Exp::Update { array: param.binder.var, dims, value: result.var.into() };
            body.push(Statement { pattern: vec![binder], exp, loc });
        }
        let form = LoopForm::For { var: i, ty: i64_, bound };
        let body = Body { statements: body, results: next };
        out.push(Statement { pattern, exp: Exp::Loop { params, form, body }, loc });
    }
}

/// The right operands of an operator: the elements at `i` of the arrays.
fn elements(op: &Lambda, arrays: &[Var], i: Var, loc: Place) -> Vec<Statement> {
    let params = op.params.iter().skip(op.params.len() - arrays.len());
    let element = |(binder, array): (&Binder, &Var)| {
        let exp = if binder.ty.rank() == 0 {
            Exp::Index { array: *array, indices: vec![i.into()] }
        } else {
            let row = Builder::row_dims(&Type::array_of(&[Atom::i64(0)], &binder.ty), &[i.into()]);
            Exp::Slice { array: *array, dims: row }
        };
        Statement { pattern: vec![binder.clone()], exp, loc }
    };
    params.zip(arrays).map(element).collect()
}
