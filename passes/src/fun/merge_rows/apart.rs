//! Reductions whose elements have maps in loops of their own, or reductions: the elements become a map before, which may have a block of threads for each
//! (`iteration-blocks`, or as rows have it), where in a reduction a thread has to compute them by itself.
//!
//! ```text
//! let (s_1: f32) = kernel (i_2 < n_0) reduce \… (0.0f32) { … in (x_3) }
//! ```
//! becomes
//! ```text
//! let (elements_4: [n_0]f32) = kernel (i_2 < n_0) { … in (x_3) }
//! let (s_1: f32) = kernel (i_5 < n_0) reduce \… (0.0f32) { let (e_6: f32) = index elements_4[i_5] in (e_6) }
//! ```
//! The array of elements is small beside what the loops and reductions do. The operator must not fail: it would do so before later elements are computed.

use super::{MergeRows, is_harmless, is_long, may_have_points, row};
use fun::ir::{Atom, Binder, Body, Combine, Exp, Lambda, Statement, Type};
use fun::visit::for_each_body;
use fun_base::name::Var;
use std::collections::BTreeMap;

/// Whether a reduction has such elements, which are numbers.
pub(super) fn is_heavy(op: &Lambda, body: &Body) -> bool {
    let scalars = op.params.iter().all(|param| param.ty.rank() == 0);
    scalars
        && op.body.statements.iter().all(is_harmless)
        && body.statements.iter().any(|statement| repeats_maps(statement) || is_long(statement))
}

/// Whether a statement has a loop around maps of more than a few points.
fn repeats_maps(statement: &Statement) -> bool {
    match &statement.exp {
        Exp::Loop { body, .. } => body.statements.iter().any(has_map),
        exp => inside(exp, repeats_maps),
    }
}

fn has_map(statement: &Statement) -> bool {
    let own =
        matches!(&statement.exp, Exp::Kernel { space, combine: Combine::Map, .. } if may_have_points(space));
    own || inside(&statement.exp, has_map)
}

fn inside(exp: &Exp, is: fn(&Statement) -> bool) -> bool {
    let mut found = false;
    for_each_body(exp, &mut |body| found |= body.statements.iter().any(is));
    found
}

impl MergeRows {
    /// Adds the map of the elements of a reduction, and gives the reduction of what that makes.
    pub(super) fn elements_apart(&mut self, reduction: &Statement) -> Option<(Statement, Statement)> {
        let Statement { pattern, exp: Exp::Kernel { space, combine, body }, loc } = reduction else {
            return None;
        };
        let Combine::Reduce { op, .. } = combine else { return None };
        let shape: Vec<Atom> = space.iter().map(|(_, bound)| *bound).collect();
        let counters: Vec<(Var, Atom)> =
            space.iter().map(|(counter, bound)| (self.names.fresh_like(*counter), *bound)).collect();
        let (mut arrays, mut statements, mut results) = (Vec::new(), Vec::new(), Vec::new());
        let mut given: BTreeMap<Atom, Atom> = BTreeMap::new();
        let mut map = Body { statements: body.statements.clone(), results: Vec::new() };
        for (param, result) in op.params.iter().zip(&body.results) {
            // the same number, reduced by several operators, is one array
            if let Some(element) = given.get(result) {
                results.push(*element);
                continue;
            }
            map.results.push(*result);
            let array = self.names.fresh("elements");
            let element = self.names.fresh("element");
            arrays.push(Binder { var: array, ty: Type::array_of(&shape, &param.ty) });
            statements.push(Statement {
                pattern: vec![Binder { var: element, ty: param.ty.clone() }],
                exp: row(array, &counters, &param.ty),
                loc: *loc,
            });
            given.insert(*result, Atom::Var(element));
            results.push(Atom::Var(element));
        }
        let map = Exp::Kernel { space: space.clone(), combine: Combine::Map, body: map };
        let body = Body { statements, results };
        let reduced = Exp::Kernel { space: counters, combine: combine.clone(), body };
        let reduced = Statement { pattern: pattern.clone(), exp: reduced, loc: *loc };
        Some((Statement { pattern: arrays, exp: map, loc: *loc }, reduced))
    }
}
