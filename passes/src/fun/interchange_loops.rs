//! Loops of maps become maps of loops: each element goes through all iterations by itself.
//!
//! ```text
//! let (ys_1: [n_0]f32) = loop (xs_2: [n_0]f32 = as_3) (t_4: f32 = 0f32) for k_5: i64 < steps_6 {
//!   let (u_7: f32) = add.f32 t_4 0.1f32
//!   let (zs_8: [n_0]f32) = kernel (i_9 < n_0) {
//!     let (x_10: f32) = index xs_2[i_9]
//!     let (z_11: f32) = mul.f32 x_10 t_4
//!     in (z_11)
//!   }
//!   in (zs_8, u_7)
//! }
//! ```
//! becomes
//! ```text
//! let (ys_1: [n_0]f32) = kernel (i_9 < n_0) {
//!   let (first_12: f32) = index as_3[i_9]
//!   let (last_13: f32) (t_14: f32) = loop (x_15: f32 = first_12) (t_4: f32 = 0f32) for k_5: i64 < steps_6 {
//!     let (u_7: f32) = add.f32 t_4 0.1f32
//!     let (x_10: f32) = x_15
//!     let (z_11: f32) = mul.f32 x_10 t_4
//!     in (z_11, u_7)
//!   }
//!   in (last_13)
//! }
//! ```
//! An element then stays in a register from one iteration to the next, threads wait for each other once and not in each iteration, and a device has one kernel and not one for
//! each iteration. (Loop interchange: Allen and Kennedy, 2001, section 5.2; `iterate f . map = map . iterate f`.)
//!
//! Legal where every array that goes to the next iteration has the shape of the maps, and an iteration reads of these, and of what its own maps give, the element of its own place alone: then no
//! element waits for another one. Scalars that go to the next iteration depend on scalars alone; each element computes them again, and, where they are used, a loop of their own does.
//!
//! Done where iterations are made of scalar operators, reads, and choices of a few of them, none of which may fail: it would be another iteration, or another element, that fails first. What
//! scalars take must be next to nothing, as each element computes them. Not for fewer than eight elements in all, by a constant, nor for arrays that were made without contents, which no iteration need have read. Where an
//! array is copied right before the loop, elements come from what was copied.
//!
//! On a host only what is a product then: in each row of a map sums that go through an array of columns, `loop row for k do map2 (\c x -> c + a[i, k] * x) row b[k]`, which becomes a map over rows and columns of sums,
//! and has tiles (`tile-products`, [`products`]). Other loops go strip by strip there (`strip-steps`): an element would wait for what it was itself.
//!
//! Requires F8, in kernel form; requires and ensures F1–F9. After fusion, which leaves few maps in an iteration. Cost: linear, times how deep loops nest.

mod products;
mod steps;

use super::early_reads::may_lack_contents;
use super::soac_to_kernel::costs_nothing;
use fun::ir::{Atom, Binder, Body, Combine, Exp, LoopForm, LoopParam, Program, Statement, Type};
use fun::visit::for_each_body_mut;
use fun::visit::names::{Subst, name_source, rename_body};
use fun_base::name::{NameSource, Var};
use std::collections::{BTreeMap, BTreeSet};
use steps::Steps;

/// Fewer elements, by a constant, are too few to go their own ways.
const FEWEST: i64 = 8;

/// Interchanges the loops of a program.
pub fn run(program: Program) -> Program {
    interchange(program, false)
}

/// Those that are products then.
pub fn run_host(program: Program) -> Program {
    interchange(program, true)
}

fn interchange(mut program: Program, products: bool) -> Program {
    let names = name_source(&program);
    let mut pass = Interchange {
        products,
        names,
        scratch: BTreeSet::new(),
        fills: BTreeMap::new(),
        copies: BTreeMap::new(),
    };
    for function in &mut program.functions {
        // (who calls may give what has no contents)
        if !function.entry {
            let arrays =
                function.params.iter().map(|param| &param.binder).filter(|binder| binder.ty.rank() > 0);
            pass.scratch.extend(arrays.map(|binder| binder.var));
        }
        pass.body(&mut function.body);
    }
    program
}

struct Interchange {
    /// Whether only products are made.
    products: bool,
    names: NameSource,
    /// Arrays that were made without contents, and what has to do with these.
    scratch: BTreeSet<Var>,
    /// Arrays that have the same number everywhere.
    fills: BTreeMap<Var, Atom>,
    /// Copies that were made in the body that is looked at, after which nothing there can have changed what was copied.
    copies: BTreeMap<Var, Var>,
}

impl Interchange {
    fn body(&mut self, body: &mut Body) {
        let mut done = Vec::with_capacity(body.statements.len());
        let outside = std::mem::take(&mut self.copies);
        for mut statement in std::mem::take(&mut body.statements) {
            let lacks = may_lack_contents(&statement.exp, &self.scratch);
            if lacks {
                self.scratch.extend(statement.pattern.iter().map(|binder| binder.var));
                if let Exp::Loop { params, .. } = &statement.exp {
                    self.scratch.extend(params.iter().map(|param| param.binder.var));
                }
            }
            if let Exp::Replicate { value, .. } = &statement.exp
                && statement.pattern[0].ty.rank() == 1
            {
                self.fills.insert(statement.pattern[0].var, *value);
            }
            for_each_body_mut(&mut statement.exp, &mut |body| self.body(body));
            if self.products {
                done.extend(self.product(&mut statement));
            }
            let changed = if lacks || self.products { None } else { self.interchanged(&statement) };
            match &statement.exp {
                Exp::Copy(array) => _ = self.copies.insert(statement.pattern[0].var, *array),
                Exp::Replicate { .. } | Exp::Iota { .. } => {}
                exp if costs_nothing(exp) => {}
                _ => self.copies.clear(),
            }
            match changed {
                Some(statements) => done.extend(statements),
                None => done.push(statement),
            }
        }
        body.statements = done;
        self.copies = outside;
    }

    /// A map in place of a loop, and a loop of the scalars before it.
    fn interchanged(&mut self, statement: &Statement) -> Option<Vec<Statement>> {
        let Exp::Loop { params, form, body } = &statement.exp else { return None };
        let shape = params.iter().find(|param| param.binder.ty.rank() > 0)?.binder.ty.shape();
        let known = |size: &Atom| size.as_const()?.as_i64();
        let elements = shape.iter().try_fold(1i64, |product, size| product.checked_mul(known(size)?));
        if elements.is_some_and(|elements| elements < FEWEST) {
            return None;
        }
        // (a size that changes from one iteration to the next is a parameter)
        let is_carried = |size: &Atom| params.iter().any(|param| Atom::Var(param.binder.var) == *size);
        if shape.iter().any(is_carried) {
            return None;
        }
        let steps = Steps::of(params, shape, body)?;
        let counters: Vec<Var> = shape.iter().map(|_| self.names.fresh("i")).collect();
        let mut first = Vec::new();
        let mut inner = Vec::new();
        let mut subst = Subst::new();
        for LoopParam { binder, init } in params {
            if binder.ty.rank() == 0 {
                inner.push(LoopParam { binder: binder.clone(), init: *init });
                continue;
            }
            let scalar = Type::Prim(binder.ty.elem());
            let element = Binder { var: self.names.fresh("x"), ty: scalar.clone() };
            subst.insert(binder.var, element.var.into());
            if let Some(value) = self.fills.get(&init.as_var()?) {
                inner.push(LoopParam { binder: element, init: *value });
                continue;
            }
            let read = Binder { var: self.names.fresh("first"), ty: scalar };
            inner.push(LoopParam { binder: element, init: read.var.into() });
            let indices = counters.iter().map(|counter| Atom::Var(*counter)).collect();
            let init = init.as_var()?;
            let array = self.copies.get(&init).copied().unwrap_or(init);
            let exp = Exp::Index { array, indices };
            first.push(Statement { pattern: vec![read], exp, loc: statement.loc });
        }
        let scalars = self.scalars(statement, params, form, &steps);
        let body = steps.of_element(&counters, subst, &body.results);
        // (what is bound again: the scalars have a loop of their own)
        let fresh = params.iter().zip(&statement.pattern).map(|(param, after)| {
            let ty = Type::Prim(param.binder.ty.elem());
            Binder { var: self.names.fresh_like(after.var), ty }
        });
        let last: Vec<Binder> = fresh.collect();
        let is_array = |at: &usize| params[*at].binder.ty.rank() > 0;
        let arrays: Vec<usize> = (0..params.len()).filter(is_array).collect();
        let results = arrays.iter().map(|at| last[*at].var.into()).collect();
        first.push(Statement {
            pattern: last,
            exp: Exp::Loop { params: inner, form: form.clone(), body },
            loc: statement.loc,
        });
        let kernel = Statement {
            pattern: arrays.iter().map(|at| statement.pattern[*at].clone()).collect(),
            exp: Exp::Kernel {
                space: counters.into_iter().zip(shape.iter().copied()).collect(),
                combine: Combine::Map,
                body: Body { statements: first, results },
            },
            loc: statement.loc,
        };
        Some(scalars.into_iter().chain([kernel]).collect())
    }

    /// The loop of the scalars that go from one iteration to the next, under other names but for what it gives.
    fn scalars(
        &mut self,
        statement: &Statement,
        params: &[LoopParam<fun::ir::Fun>],
        form: &LoopForm,
        steps: &Steps,
    ) -> Option<Statement> {
        let Exp::Loop { body, .. } = &statement.exp else { return None };
        let (mut pattern, mut own, mut results) = (Vec::new(), Vec::new(), Vec::new());
        for ((param, result), after) in params.iter().zip(&body.results).zip(&statement.pattern) {
            if param.binder.ty.rank() == 0 {
                pattern.push(after.clone());
                own.push(param.clone());
                results.push(*result);
            }
        }
        if own.is_empty() {
            return None;
        }
        let mut subst = Subst::new();
        let mut renamed = |names: &mut NameSource, var: &mut Var| {
            let fresh = names.fresh_like(*var);
            subst.insert(*var, fresh.into());
            *var = fresh;
        };
        own.iter_mut().for_each(|param| renamed(&mut self.names, &mut param.binder.var));
        let mut form = form.clone();
        if let LoopForm::For { var, .. } = &mut form {
            renamed(&mut self.names, var);
        }
        if let LoopForm::While(condition) = &mut form {
            *condition = subst.get(condition)?.as_var()?;
        }
        let body = Body { statements: steps.scalars(), results };
        let body = rename_body(&mut self.names, subst, &body);
        Some(Statement { pattern, exp: Exp::Loop { params: own, form, body }, loc: statement.loc })
    }
}
