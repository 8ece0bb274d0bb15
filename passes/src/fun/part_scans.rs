//! What takes long to compute of the values of a scan or a histogram becomes a map in front of it.
//!
//! ```text
//! let (sums_1: [n_0]i64) = kernel (i_2 < n_0) scan \(a_3: i64) (b_4: i64): i64 { … } (0i64) {
//!   let (x_5: i64) = loop …
//!   in (x_5)
//! }
//! ```
//! becomes
//! ```text
//! let (values_6: [n_0]i64) = kernel (i_2 < n_0) {
//!   let (x_5: i64) = loop …
//!   in (x_5)
//! }
//! let (sums_1: [n_0]i64) = kernel (j_7 < n_0) scan \(a_3: i64) (b_4: i64): i64 { … } (0i64) {
//!   let (value_8: i64) = index values_6[j_7]
//!   in (value_8)
//! }
//! ```
//! On hosts most scans and histograms take their values in order, while the iterations of a map run on all threads, and side by side in vectors: 200,000 loops of 100 iterations took 94 ms in a scan
//! and 29 as a map, 15 on two threads; a million exponentials 3.8 and 0.9, a histogram of as many logarithms 7.3 and 1.8. The values are stored and read once more, so a value must have a call, loops that run more than a few
//! times, or a function that takes as long as dozens of operators.
//!
//! Done outside of other kernels, whose threads have work, where the operator cannot stop the program: a value's message would come before the operator's.
//!
//! Constants and elements at the place itself stay.
//!
//! Requires F8 and scans without epilogues; ensures F1–F9. Cost: linear.

use super::fuse::cost::{body_may_stop, has_functions};
use fun::ir::{Atom, Binder, Body, Combine, Exp, Fun, NoOp, Program, Statement, Type};
use fun::visit::names::{Subst, name_source, subst_atom, subst_exp};
use fun::visit::{Map, map_program, map_statement, takes_long};
use fun_base::name::{NameSource, Var};

/// Loops of fewer iterations are no reason.
const MANY: i64 = 32;

/// Parts the scans and histograms of a program.
pub fn run(program: Program) -> Program {
    map_program(&mut PartScans { names: name_source(&program) }, &program)
}

struct PartScans {
    names: NameSource,
}

impl Map<Fun, Fun> for PartScans {
    fn op(&mut self, op: &NoOp) -> Exp {
        match *op {}
    }

    fn ty(&mut self, ty: &Type) -> Type {
        ty.clone()
    }

    fn statement(&mut self, whole: &Statement, out: &mut Vec<Statement>) {
        let Exp::Kernel { space, combine, body } = &whole.exp else {
            return out.push(map_statement(self, whole));
        };
        let ([(old, bound)], true) = (space.as_slice(), takes_values_in_order(combine)) else {
            return out.push(whole.clone());
        };
        let stops = combine.lambda().is_some_and(|op| body_may_stop(&op.body));
        if !takes_long(body, MANY) && !has_functions(body) || stops {
            return out.push(whole.clone());
        }
        let counter = self.names.fresh("i");
        let here = Subst::from([(*old, counter.into())]);
        let mut values = Vec::new();
        let mut computed = Body { statements: body.statements.clone(), results: Vec::new() };
        let mut read = Body { statements: Vec::new(), results: Vec::new() };
        let is_own = |indices: &[Atom]| indices.iter().all(|index| *index == Atom::Var(*old));
        for result in &body.results {
            let made = result.as_var().and_then(|var| made_by(body, var));
            let Some((statement, binder)) = made else {
                // a constant, what is the same for all, or the counter
                read.results.push(subst_atom(&here, *result));
                continue;
            };
            let element = Binder { var: self.names.fresh("value"), ty: binder.ty.clone() };
            let exp = match &statement.exp {
                Exp::Index { array, indices } if is_own(indices) && made_by(body, *array).is_none() => {
                    subst_exp(&here, &statement.exp)
                }
                _ if binder.ty.rank() == 0 => {
                    let ty = Type::Array { shape: vec![*bound], elem: binder.ty.elem() };
                    let array = Binder { var: self.names.fresh("values"), ty };
                    let read = Exp::Index { array: array.var, indices: vec![counter.into()] };
                    values.push(array);
                    computed.results.push(*result);
                    read
                }
                _ => return out.push(whole.clone()),
            };
            read.results.push(element.var.into());
            read.statements.push(Statement { pattern: vec![element], exp, loc: whole.loc });
        }
        if values.is_empty() {
            return out.push(whole.clone());
        }
        let map = Exp::Kernel { space: space.clone(), combine: Combine::Map, body: computed };
        let rest = Exp::Kernel { space: vec![(counter, *bound)], combine: combine.clone(), body: read };
        out.push(Statement { pattern: values, exp: map, loc: whole.loc });
        out.push(Statement { pattern: whole.pattern.clone(), exp: rest, loc: whole.loc });
    }
}

/// Whether hosts take the values of a combination one after the other, as a rule.
fn takes_values_in_order(combine: &Combine) -> bool {
    match combine {
        Combine::Scan { epilogue, .. } => epilogue.is_none(),
        Combine::Hist { .. } => true,
        // (places of a scatter are computed while it waits for memory)
        Combine::Scatter { .. } | Combine::Map | Combine::Reduce { .. } => false,
    }
}

/// The statement of a body that binds a variable, and how.
fn made_by(body: &Body, var: Var) -> Option<(&Statement, &Binder)> {
    let binds = |statement: &Statement| statement.pattern.iter().any(|binder| binder.var == var);
    let statement = body.statements.iter().find(|statement| binds(statement))?;
    statement.pattern.iter().find(|binder| binder.var == var).map(|binder| (statement, binder))
}
