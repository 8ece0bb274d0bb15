//! Rules on kernels: results that nobody needs go, and what only they need with them.
//!
//! ```text
//! let (s_1: [n]f32) (t_2: [n]f32) = kernel (i_3 < n) scan \(a_4 …) (b_5 …) (c_6 …) (d_7 …) : f32, f32 {
//!   let (x_8: f32) = add.f32 a_4 d_7             only for s_1, which is not used
//!   let (y_9: f32) = add.f32 b_5 d_7
//!   in (x_8, y_9)
//! } (0f32, 0f32) { … in (v_10, w_11) }
//! ```
//! becomes
//! ```text
//! let (t_2: [n]f32) = kernel (i_3 < n) scan \(b_5 …) (d_7 …) : f32 {
//!   let (y_9: f32) = add.f32 b_5 d_7
//!   in (y_9)
//! } (0f32) { … in (w_11) }
//! ```

use super::dead::may_stop;
use super::{Simplify, control::only};
use fun::ir::{Atom, Binder, Body, Combine, Lambda};
use fun::visit::Walk;
use fun_base::name::Var;
use std::collections::{BTreeMap, BTreeSet};

impl Simplify<'_> {
    /// Drops the results of a kernel that nobody needs; one stays.
    pub(super) fn drop_results(&self, pattern: &mut Vec<Binder>, combine: &mut Combine, body: &mut Body) {
        let used: Vec<bool> = pattern.iter().map(|binder| self.is_used(binder.var)).collect();
        if used.iter().all(|used| *used) || !used.contains(&true) {
            return;
        }
        let keep = match combine {
            Combine::Map => used,
            Combine::Scan { op, neutral, epilogue: Some(epilogue) } => {
                epilogue.results = only(&used, &epilogue.results);
                epilogue.body.results = only(&used, &epilogue.body.results);
                *pattern = only(&used, pattern);
                let sums = used_in(epilogue, &vec![true; epilogue.results.len()]);
                let none = epilogue.params.iter().all(|param| !sums.contains(&param.var));
                // (a scan has something to combine)
                let wanted = |(at, param): (usize, &Binder)| sums.contains(&param.var) || none && at == 0;
                let wanted = epilogue.params.iter().enumerate().map(wanted).collect();
                let keep = needed(op, wanted);
                keep_components(op, neutral, &keep);
                epilogue.params = only(&keep, &epilogue.params);
                body.results = only(&keep, &body.results);
                return;
            }
            Combine::Reduce { op, neutral, .. } | Combine::Scan { op, neutral, epilogue: None } => {
                let keep = needed(op, used);
                keep_components(op, neutral, &keep);
                keep
            }
            Combine::Hist { .. } | Combine::Scatter { .. } => return,
        };
        *pattern = only(&keep, pattern);
        body.results = only(&keep, &body.results);
    }
}

/// The operator of these components, and their neutral elements.
fn keep_components(op: &mut Lambda, neutral: &mut Vec<Atom>, keep: &[bool]) {
    let both: Vec<bool> = keep.iter().chain(keep).copied().collect();
    op.params = only(&both, &op.params);
    op.results = only(keep, &op.results);
    op.body.results = only(keep, &op.body.results);
    *neutral = only(keep, neutral);
}

/// Which components of an operator those that are wanted need.
fn needed(operator: &Lambda, wanted: Vec<bool>) -> Vec<bool> {
    let mut keep = wanted;
    let count = keep.len();
    let component: BTreeMap<Var, usize> =
        operator.params.iter().enumerate().map(|(at, param)| (param.var, at % count)).collect();
    loop {
        let used = used_in(operator, &keep);
        let more: Vec<usize> =
            used.iter().filter_map(|var| component.get(var).copied()).filter(|at| !keep[*at]).collect();
        if more.is_empty() {
            return keep;
        }
        more.into_iter().for_each(|at| keep[at] = true);
    }
}

/// The variables that the results which are wanted of a lambda need, and what may stop the program.
fn used_in(lambda: &Lambda, wanted: &[bool]) -> BTreeSet<Var> {
    let mut used = Used::default();
    lambda.body.results.iter().zip(wanted).filter(|(_, wanted)| **wanted).for_each(|(result, _)| {
        used.atom(result);
    });
    for statement in lambda.body.statements.iter().rev() {
        let is_used = statement.pattern.iter().any(|binder| used.0.contains(&binder.var));
        if is_used || may_stop(&statement.exp) {
            used.statement(statement);
        }
    }
    used.0
}

/// The variables that occur.
#[derive(Default)]
struct Used(BTreeSet<Var>);

impl Walk<fun::ir::Fun> for Used {
    fn atom(&mut self, atom: &Atom) {
        self.0.extend(atom.as_var());
    }
}
