//! Kernels over arrays that are concatenated, as kernels over the parts.
//!
//! ```text
//! let (both_1: [s_2]i32) = concat s_2 xs_3 ys_4
//! let (zs_5: [s_2]i32) = kernel (i_6 < s_2) {
//!   let (x_7: i32) = index both_1[i_6]
//!   in (mul.i32 x_7 2i32)
//! }
//! ```
//! becomes
//! ```text
//! let (zs_8: [n_9]i32) = kernel (i_10 < n_9) { … index xs_3[i_10] … }
//! let (zs_11: [m_12]i32) = kernel (i_13 < m_12) { … index ys_4[i_13] … }
//! let (zs_5: [s_2]i32) = concat s_2 zs_8 zs_11
//! ```
//! so that what computes a part can be fused, and elements are not copied before they are read: the parts of the last array are built where
//! they belong ([short-circuiting](crate::funmem)). A reduction of integers becomes one of each part, whose results its operator combines.
//!
//! Legal where nothing else uses the concatenated array, each read of it is of the row at the first counter of the kernel, and nothing in between consumes
//! a part. Not for floats, whose sums depend on what is added first, nor for long bodies, which would be there several times. Results that an update
//! puts somewhere are made there as one: its array may be what the parts are of, which must then be read before.

use super::cost::Cost;
use super::{Facts, Fusion, carried_by};
use fun::ir::{Atom, Binder, Body, Combine, Dim, Exp, Fun, NoOp, Statement, Type};
use fun::visit::names::{Subst, rename_body, rename_lambda, use_counts_in_body};
use fun::visit::{Map, for_each_body_mut, map_statement};
use fun_base::name::{NameSource, Var};
use fun_base::prim::{BinOp, PrimType};
use fun_base::source::Loc;
use std::collections::BTreeMap;

/// The most statements that all kernels over the parts may have together.
const LARGEST: usize = 200;

/// Splits where it can, in a body, of a loop that carries these variables if it is one's, and in those inside of it. Whether there was something.
pub(super) fn split_in(body: &mut Body, carried: &[Var], facts: &Facts, names: &mut NameSource) -> bool {
    let mut changed = false;
    for statement in &mut body.statements {
        let carried = carried_by(&statement.exp);
        for_each_body_mut(&mut statement.exp, &mut |inner| {
            changed |= split_in(inner, &carried, facts, names)
        });
    }
    if !body.statements.iter().any(|statement| matches!(statement.exp, Exp::Concat { .. })) {
        return changed;
    }
    let uses = use_counts_in_body(body);
    let mut fusion = Fusion::new(body, carried, facts);
    for at in 0..fusion.statements.len() {
        if let Some(split) = Split::find(&fusion, at, &uses) {
            let statements = split.apply(&fusion, names);
            fusion.statements[at].clear();
            fusion.statements[split.consumer] = statements;
            changed = true;
        }
    }
    body.statements = fusion.statements.into_iter().flatten().collect();
    changed
}

/// A concatenation, and the kernel that alone reads it.
struct Split {
    array: Var,
    parts: Vec<Var>,
    consumer: usize,
}

impl Split {
    fn find(fusion: &Fusion<'_>, at: usize, uses: &BTreeMap<Var, usize>) -> Option<Split> {
        let [Statement { pattern, exp: Exp::Concat { size, arrays }, .. }] = fusion.statements[at].as_slice()
        else {
            return None;
        };
        let array = pattern.first()?;
        let reads = |statements: &Vec<Statement>| match statements.as_slice() {
            [Statement { pattern, exp: Exp::Kernel { space, combine, body }, .. }] => {
                let floats = pattern.iter().any(|binder| binder.ty.elem().is_float());
                let fits = match combine {
                    Combine::Map => true,
                    Combine::Reduce { .. } => space.len() == 1 && !floats,
                    Combine::Scan { .. } | Combine::Hist { .. } | Combine::Scatter { .. } => false,
                };
                let (counter, bound) = space[0];
                let mut rows = Rows { array: array.var, counter, part: array.var, own: counter, found: 0 };
                Map::<Fun, Fun>::body(&mut rows, body);
                let all = rows.found > 0 && uses.get(&array.var) == Some(&rows.found);
                fits && bound == *size && all && arrays.len() * Cost::of(body).statements <= LARGEST
            }
            _ => false,
        };
        let consumer = at + 1 + fusion.statements[at + 1..].iter().position(reads)?;
        let keeps = |part: &Var| {
            !fusion.may_be_consumed(*part, array.ty.elem(), at + 1..=consumer)
                && fusion.facts.types.contains_key(part)
        };
        let results = fusion.statements[consumer].iter().flat_map(|statement| &statement.pattern);
        let mut put = results.map(|binder| Atom::Var(binder.var));
        let behind = &fusion.statements[consumer + 1..];
        let is_put = |result: Atom| {
            let puts = |exp: &Exp| matches!(exp, Exp::Update { value, .. } if *value == result);
            behind.iter().flatten().any(|statement| puts(&statement.exp))
        };
        let legal = arrays.len() > 1 && arrays.iter().all(keeps) && !put.any(is_put);
        legal.then(|| Split { array: array.var, parts: arrays.clone(), consumer })
    }

    /// What comes in place of the kernel.
    fn apply(&self, fusion: &Fusion<'_>, names: &mut NameSource) -> Vec<Statement> {
        let [consumer @ Statement { pattern, exp: Exp::Kernel { space, combine, .. }, loc }] =
            fusion.statements[self.consumer].as_slice()
        else {
            return fusion.statements[self.consumer].clone();
        };
        let mut out = Vec::new();
        // the results of each part
        let mut results: Vec<Vec<Var>> = Vec::new();
        let mut start = None;
        for part in &self.parts {
            let width = fusion.facts.types[part].shape()[0];
            let kernel = self.kernel_of(consumer, (*part, width), start, names);
            results.push(kernel.pattern.iter().map(|binder| binder.var).collect());
            out.push(kernel);
            if results.len() < self.parts.len() {
                start = Some(start.map_or(width, |start| sum(start, width, *loc, names, &mut out)));
            }
        }
        let give = |binder: &Binder, exp| Statement { pattern: vec![binder.clone()], exp, loc: *loc };
        match combine {
            Combine::Reduce { op, .. } => {
                let atoms = |vars: &Vec<Var>| vars.iter().copied().map(Atom::Var).collect::<Vec<Atom>>();
                let mut so_far = atoms(&results[0]);
                for part in &results[1..] {
                    let operands = so_far.into_iter().chain(atoms(part));
                    let subst: Subst = op.params.iter().map(|param| param.var).zip(operands).collect();
                    let combined = rename_body(names, subst, &op.body);
                    out.extend(combined.statements);
                    so_far = combined.results;
                }
                out.extend(
                    pattern.iter().zip(so_far).map(|(binder, result)| give(binder, Exp::Atom(result))),
                );
            }
            _ => out.extend(pattern.iter().enumerate().map(|(k, binder)| {
                let arrays = results.iter().map(|part| part[k]).collect();
                give(binder, Exp::Concat { size: space[0].1, arrays })
            })),
        }
        out
    }

    /// The kernel over a part of this many rows, which begins at this row of the whole array, or at its first one.
    fn kernel_of(
        &self,
        consumer: &Statement,
        (part, width): (Var, Atom),
        start: Option<Atom>,
        names: &mut NameSource,
    ) -> Statement {
        let Statement { pattern, exp: Exp::Kernel { space, combine, body }, loc } = consumer else {
            return consumer.clone();
        };
        let counter = space[0].0;
        // (all counters are bound anew)
        let own: Vec<Var> = space.iter().map(|(var, _)| names.fresh(var.text.as_str())).collect();
        let mut statements = Vec::new();
        let mut subst: Subst =
            space.iter().map(|(var, _)| *var).zip(own.iter().copied().map(Atom::Var)).collect();
        if let Some(start) = start {
            subst.insert(counter, sum(start, own[0].into(), *loc, names, &mut statements));
        }
        let mut rows = Rows { array: self.array, counter, part, own: own[0], found: 0 };
        let inner = rename_body(names, subst, &Map::<Fun, Fun>::body(&mut rows, body));
        statements.extend(inner.statements);
        let body = Body { statements, results: inner.results };
        let (is_map, combine) = match combine {
            Combine::Reduce { op, neutral, commutative } => {
                let op = rename_lambda(names, Subst::new(), op);
                (false, Combine::Reduce { op, neutral: neutral.clone(), commutative: *commutative })
            }
            other => (true, other.clone()),
        };
        let of_part = |binder: &Binder| {
            let shape = std::iter::once(width).chain(binder.ty.shape().iter().skip(1).copied()).collect();
            let ty = if is_map { Type::Array { shape, elem: binder.ty.elem() } } else { binder.ty.clone() };
            Binder { var: names.fresh(binder.var.text.as_str()), ty }
        };
        let pattern = pattern.iter().map(of_part).collect();
        let bounds = std::iter::once(width).chain(space[1..].iter().map(|(_, bound)| *bound));
        let space = own.into_iter().zip(bounds).collect();
        Statement { pattern, exp: Exp::Kernel { space, combine, body }, loc: *loc }
    }
}

/// A sum of numbers of rows.
fn sum(left: Atom, right: Atom, loc: Option<Loc>, names: &mut NameSource, out: &mut Vec<Statement>) -> Atom {
    let var = names.fresh("row");
    let pattern = vec![Binder { var, ty: Type::Prim(PrimType::I64) }];
    out.push(Statement { pattern, exp: Exp::Bin(BinOp::Add, PrimType::I64, left, right), loc });
    var.into()
}

/// Reads of the row of an array at a counter, as those of a part at its own.
struct Rows {
    array: Var,
    counter: Var,
    part: Var,
    own: Var,
    /// How many there are.
    found: usize,
}

impl Map<Fun, Fun> for Rows {
    fn ty(&mut self, ty: &Type) -> Type {
        ty.clone()
    }

    fn op(&mut self, op: &NoOp) -> Exp {
        match *op {}
    }

    fn statement(&mut self, statement: &Statement, out: &mut Vec<Statement>) {
        let here = Atom::Var(self.counter);
        let exp = match &statement.exp {
            Exp::Index { array, indices } if *array == self.array && indices.first() == Some(&here) => {
                let mut indices = indices.clone();
                indices[0] = self.own.into();
                Exp::Index { array: self.part, indices }
            }
            Exp::Slice { array, dims } if *array == self.array && dims.first() == Some(&Dim::Fix(here)) => {
                let mut dims = dims.clone();
                dims[0] = Dim::Fix(self.own.into());
                Exp::Slice { array: self.part, dims }
            }
            _ => return out.push(map_statement(self, statement)),
        };
        self.found += 1;
        out.push(Statement { exp, ..statement.clone() });
    }
}
