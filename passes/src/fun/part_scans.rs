//! What takes long to compute of the values of a scan becomes a map in front of it.
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
//! On hosts most scans take their values in order, while the iterations of a map run on all threads, and side by side in vectors: 200,000 loops of 100 iterations took 94 ms in a scan
//! and 29 as a map, 15 on two threads; a million exponentials 3.8 and 0.9. The values are stored and read once more, so a value must have a call, loops that run more than a few
//! times, or a function that takes as long as dozens of operators.
//!
//! Done outside of other kernels, whose threads have work, where the operator cannot stop the program: a value's message would come before the operator's.
//!
//! Requires F8 and scans without epilogues; ensures F1–F9. Cost: linear.

use super::fuse::cost::{body_may_stop, has_functions};
use fun::ir::{Binder, Body, Combine, Exp, Fun, NoOp, Program, Statement, Type};
use fun::visit::names::name_source;
use fun::visit::{Map, map_program, map_statement, takes_long};
use fun_base::name::NameSource;

/// Loops of fewer iterations are no reason.
const MANY: i64 = 32;

/// Parts the scans of a program.
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

    fn statement(&mut self, statement: &Statement, out: &mut Vec<Statement>) {
        let Exp::Kernel { space, combine, body } = &statement.exp else {
            return out.push(map_statement(self, statement));
        };
        let (Combine::Scan { op, epilogue: None, .. }, [(_, bound)]) = (combine, space.as_slice()) else {
            return out.push(statement.clone());
        };
        let stops = body_may_stop(&op.body);
        if !takes_long(body, MANY) && !has_functions(body) || stops {
            return out.push(statement.clone());
        }
        let names = &mut self.names;
        let mut binder = |name: &str, ty: Type| Binder { var: names.fresh(name), ty };
        let values: Vec<Binder> = op
            .results
            .iter()
            .map(|ty| binder("values", Type::Array { shape: vec![*bound], elem: ty.elem() }))
            .collect();
        let elements: Vec<Binder> = op.results.iter().map(|ty| binder("value", ty.clone())).collect();
        let counter = names.fresh("i");
        let reads = values.iter().zip(elements).map(|(array, element)| Statement {
            exp: Exp::Index { array: array.var, indices: vec![counter.into()] },
            pattern: vec![element],
            loc: statement.loc,
        });
        let reads: Vec<Statement> = reads.collect();
        let results = reads.iter().flat_map(|read| &read.pattern).map(|binder| binder.var.into()).collect();
        let scan = Exp::Kernel {
            space: vec![(counter, *bound)],
            combine: combine.clone(),
            body: Body { statements: reads, results },
        };
        let map = Exp::Kernel { space: space.clone(), combine: Combine::Map, body: body.clone() };
        out.push(Statement { pattern: values, exp: map, loc: statement.loc });
        out.push(Statement { pattern: statement.pattern.clone(), exp: scan, loc: statement.loc });
    }
}
