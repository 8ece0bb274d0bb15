//! Reductions of flattened maps: `reduce op e (flatten xss)` is `reduce op e (map (reduce op e) xss)`, as `op` is associative and `e` neutral.
//!
//! Where a map alone makes `xss`, nothing of it is kept in memory then: each row is reduced as it is computed. Done for rows of a constant
//! number of elements, at most [`MOST`]: loops over longer ones might be too few for all threads.

use super::{Loc, all_scalar};
use fun::ir::{Binder, Body, Exp, Lambda, Statement, Type};
use fun::visit::names::{Subst, rename_lambda};
use fun_base::name::{NameSource, Var};
use std::collections::BTreeMap;

/// The most elements that a row may have.
const MOST: i64 = 64;

/// The body with reductions of rows in place of those of flattened maps.
pub(super) fn reduce_rows(body: &Body, uses: &mut BTreeMap<Var, usize>, names: &mut NameSource) -> Body {
    let once = |var: &Var| uses.get(var) == Some(&1);
    let mut reduced = Vec::new();
    // arrays that a map makes, and those under another shape, with that from which they come
    let mut maps: BTreeMap<Var, &Type> = BTreeMap::new();
    let mut flat: BTreeMap<Var, (Var, &Type)> = BTreeMap::new();
    let mut statements = Vec::with_capacity(body.statements.len());
    for statement in &body.statements {
        match &statement.exp {
            Exp::Map { .. } => {
                let made = statement.pattern.iter().filter(|binder| once(&binder.var));
                maps.extend(made.map(|binder| (binder.var, &binder.ty)));
            }
            Exp::Reshape { shape, array } if shape.len() == 1 => {
                if let ([binder], Some(ty)) = (statement.pattern.as_slice(), maps.get(array))
                    && once(&binder.var)
                    && has_short_rows(ty)
                {
                    flat.insert(binder.var, (*array, ty));
                }
            }
            Exp::Reduce { op, neutral, arrays, commutative, .. } if all_scalar(op) => {
                let sources: Option<Vec<(Var, &Type)>> =
                    arrays.iter().map(|array| flat.get(array).copied()).collect();
                if let Some(sources) = sources
                    && let Some((_, first)) = sources.first()
                    && sources.iter().all(|(_, ty)| ty.shape() == first.shape())
                {
                    let arrays: Vec<Var> = sources.iter().map(|(array, _)| *array).collect();
                    let types: Vec<Type> = sources.iter().map(|(_, ty)| (*ty).clone()).collect();
                    let reduce = |op, arrays, width| Exp::Reduce {
                        width,
                        op,
                        neutral: neutral.clone(),
                        arrays,
                        commutative: *commutative,
                    };
                    let before = statements.len();
                    let exp = nested(&arrays, &types, op, &reduce, &mut statements, names, statement.loc);
                    reduced.extend(statements[before..].iter().flat_map(|map| &map.pattern).map(|b| b.var));
                    statements.push(Statement {
                        pattern: statement.pattern.clone(),
                        exp,
                        loc: statement.loc,
                    });
                    continue;
                }
            }
            _ => {}
        }
        statements.push(statement.clone());
    }
    uses.extend(reduced.into_iter().map(|var| (var, 1)));
    Body { statements, results: body.results.clone() }
}

/// Whether rows of arrays of this type are short.
fn has_short_rows(ty: &Type) -> bool {
    let sizes = ty.shape().get(1..).unwrap_or_default();
    let count = sizes.iter().try_fold(1i64, |count, size| count.checked_mul(size.as_const()?.as_i64()?));
    !sizes.is_empty() && count.is_some_and(|count| (1..=MOST).contains(&count))
}

/// The reduction of arrays of several dimensions. What it needs is added.
fn nested(
    arrays: &[Var],
    types: &[Type],
    op: &Lambda,
    reduce: &impl Fn(Lambda, Vec<Var>, fun::ir::Atom) -> Exp,
    out: &mut Vec<Statement>,
    names: &mut NameSource,
    loc: Loc,
) -> Exp {
    let width = types[0].shape()[0];
    let op = rename_lambda(names, Subst::new(), op);
    if types[0].rank() == 1 {
        return reduce(op, arrays.to_vec(), width);
    }
    let rows: Vec<Type> = types.iter().map(|ty| ty.peel(1)).collect();
    let params: Vec<Binder> =
        rows.iter().map(|ty| Binder { var: names.fresh("row"), ty: ty.clone() }).collect();
    let of_row: Vec<Var> = params.iter().map(|binder| binder.var).collect();
    let mut statements = Vec::new();
    let exp = nested(&of_row, &rows, &op, reduce, &mut statements, names, loc);
    let results: Vec<Binder> =
        op.results.iter().map(|ty| Binder { var: names.fresh("red"), ty: ty.clone() }).collect();
    let values = results.iter().map(|binder| binder.var.into()).collect();
    statements.push(Statement { pattern: results, exp, loc });
    let lambda = Lambda { params, results: op.results.clone(), body: Body { statements, results: values } };
    let reduced: Vec<Binder> = op
        .results
        .iter()
        .map(|ty| Binder { var: names.fresh("reduced"), ty: Type::array_of(&[width], ty) })
        .collect();
    let arrays_of_reduced = reduced.iter().map(|binder| binder.var).collect();
    out.push(Statement { pattern: reduced, exp: Exp::Map { width, lambda, arrays: arrays.to_vec() }, loc });
    reduce(op, arrays_of_reduced, width)
}
