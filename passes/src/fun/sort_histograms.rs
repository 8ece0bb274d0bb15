//! Histograms of floats that have too many cells for tables get a second version for devices: their values are sorted by cell and summed cell by cell.
//!
//! ```text
//! let (h_9: [k_1]f32) = kernel (i_2 < n_0) hist \… (0.0f32) (d_3) { let (at_4: i64) = index is_5[i_2] … in (at_4, x_6) }
//! ```
//! becomes
//! ```text
//! let (sorts_10: bool) = _sorts_histogram(n_0, k_1, 4)
//! let (n_11: i64) (k_12: i64) (sorted_13: [n_11]i32) (order_14: [n_11]i32) (last_15: [k_12]i32) = if sorts_10
//!   then { … keys: `at` of each value, or `k` where it lies outside; a call of `_sort_by_cell` (`sort_histograms/sort.fun`) … }
//!   else { … nothing … }
//! let (h_9: [k_1]f32) = if sorts_10
//!   then {
//!     let (sums_16: [n_11]f32) = kernel (j_17 < n_11) scan \… (false, 0.0f32) then … { … x at order_14[j_17], and whether a cell begins there … }
//!     let (h_18: [k_1]f32) = kernel (c_19 < k_1) { … d_3[c_19] and sums_16[last_15[c_19]], or d_3[c_19] alone … }
//!     in (h_18)
//!   } else { … the histogram … }
//! ```
//! The algebra: operators of histograms are associative and commute (F7), so values may come cell by cell. They come in the order of the source, whatever the device does: sums of
//! floats are the same in each run, which `atomic` would not give.
//!
//! The function says `false`; the lowering for devices knows it by its name and compares with tables (`lower/funmem_to_imp/blocks/parts.rs`). Where a loop has a histogram whose
//! indices are the same in each round, they are sorted in front of it, if it has a round: nothing of what they are made of may fail, reads must be shown to be within bounds there and
//! sizes not to be negative. The sort is one function of the program, so each histogram adds a scan and two maps.
//!
//! Not for operators that `atomic` takes, sums of `f32` and `f64` (`lower/funmem_to_imp/blocks/exact.rs`) or what could stand under locks (without floats), nor for values with more bytes than elements of a scan may have, nor where an operator may
//! stop the program or a value calls a function or prints. What stops a value stops the version too, maybe at another element first.
//!
//! Requires and ensures F1–F9 with kernels. Cost: linear but for what the prover is asked of reads that give indices.

mod versions;

use super::fuse::cost::body_may_stop;
use super::hoist_invariants::{are_safe, is_size};
use crate::funmem::facts::PointFacts;
use crate::lower::funmem_to_imp::{SCANNED_BYTES, SORTS_HISTOGRAM, exact_sums};
use fun::ir::{
    Atom, Binder, Body, Combine, Exp, Fun, Function, Lambda, LoopForm, Param, Program, Statement, Type,
};
use fun::text::parse_program;
use fun::visit::names::{name_source, rename_function};
use fun::visit::{Walk, for_each_body_mut, walk_body, walk_exp};
use fun_base::name::{NameSource, Symbol, Var};
use fun_base::prim::{PrimType, PrimValue};
use fun_base::source::{Loc, Source};
use std::collections::BTreeSet;

const I32: PrimType = PrimType::I32;
const I64: PrimType = PrimType::I64;

/// The function that sorts.
const SORT: &str = "_sort_by_cell";

/// Gives histograms of floats the version that sorts.
pub fn run(mut program: Program) -> Program {
    // an entry point may have any name
    if program.functions.iter().any(|function| [SORTS_HISTOGRAM, SORT].contains(&function.name.as_str())) {
        return program;
    }
    let names = name_source(&program);
    let mut sorting = Sorting { names, facts: PointFacts::default(), sorts: false };
    for function in &mut program.functions {
        let mark = sorting.facts.mark();
        function.params.iter().for_each(|param| sorting.facts.bind(&param.binder));
        let groups = sorting.body(&mut function.body);
        place(&mut function.body, groups);
        sorting.facts.reset(mark);
    }
    if sorting.sorts {
        let sort = rename_function(&mut sorting.names, &sort());
        program.functions.splice(0..0, [question(&mut sorting.names), sort]);
    }
    program
}

/// The function that programs ask whether a histogram of so many values, cells, and bytes of a cell is by sorting.
fn question(names: &mut NameSource) -> Function {
    let mut param = |text: &str, ty: PrimType| Param {
        binder: Binder { var: names.fresh(text), ty: Type::Prim(ty) },
        implicit: false,
        unique: false,
    };
    Function {
        name: Symbol::new(SORTS_HISTOGRAM),
        entry: false,
        noinline: true,
        params: ["values", "cells", "bytes"].map(|text| param(text, I64)).to_vec(),
        results: vec![param("res", PrimType::Bool)],
        body: Body { statements: Vec::new(), results: vec![Atom::Const(PrimValue::Bool(false))] },
    }
}

/// The sort, which is there as text.
fn sort() -> Function {
    let source =
        Source { name: Symbol::new("sort.fun"), text: include_str!("sort_histograms/sort.fun").into() };
    let program: Program = parse_program(&source, 0).expect("invariant: the sort is a program");
    program.functions.into_iter().next().expect("invariant: the sort is a function")
}

struct Sorting {
    names: NameSource,
    facts: PointFacts<Fun>,
    /// Whether some histogram may be sorted.
    sorts: bool,
}

/// What a histogram is asked and sorted by, in front of it or of loops around it.
struct Group {
    statements: Vec<Statement>,
    /// What it uses.
    free: BTreeSet<Var>,
    /// How many cells there are.
    cells: Atom,
    /// What its keys are made of, for which counter and how many values; `None` if these may fail.
    keys: Option<(Var, Atom, Body)>,
}

/// A histogram.
struct Histogram<'a> {
    pattern: &'a [Binder],
    counter: Var,
    count: Atom,
    op: &'a Lambda,
    neutral: &'a [Atom],
    dests: &'a [Var],
    body: &'a Body,
    loc: Option<Loc>,
}

/// The order of a histogram's values: whether there is one, how many values it has (none if there is none), the sorted keys, the order, and the last value of each cell.
struct Order {
    is_sorted: Atom,
    count: Atom,
    arrays: [Var; 3],
}

impl Sorting {
    /// Gives the histograms of a body their versions; what these are sorted by is still to be placed, in front of statements of the body.
    fn body(&mut self, body: &mut Body) -> Vec<(usize, Group)> {
        let mark = self.facts.mark();
        let mut groups = Vec::new();
        for (at, statement) in body.statements.iter_mut().enumerate() {
            groups.extend(self.statement(statement).into_iter().map(|group| (at, group)));
            self.facts.statement(statement);
        }
        self.facts.reset(mark);
        groups
    }

    fn statement(&mut self, statement: &mut Statement) -> Vec<Group> {
        let mark = self.facts.mark();
        match &mut statement.exp {
            Exp::Kernel { .. } => self.histogram(statement).into_iter().collect(),
            Exp::Loop { params, form, body } => {
                params.iter().for_each(|param| self.facts.bind(&param.binder));
                self.facts.loop_form(form);
                let groups = self.body(body);
                self.facts.reset(mark);
                let mut bound: BTreeSet<Var> = params.iter().map(|param| param.binder.var).collect();
                if let LoopForm::For { var, .. } = form {
                    bound.insert(*var);
                }
                bound.extend(body.statements.iter().flat_map(|s| s.pattern.iter().map(|binder| binder.var)));
                let (mut before, mut inside) = (Vec::new(), Vec::new());
                for (at, mut group) in groups {
                    if let LoopForm::For { ty, bound: rounds, .. } = form
                        && group.free.is_disjoint(&bound)
                        && self.may_precede(&group)
                    {
                        group.before_loop((*ty, *rounds), &mut self.names);
                        before.push(group);
                    } else {
                        inside.push((at, group));
                    }
                }
                place(body, inside);
                before
            }
            Exp::If { condition, then, otherwise } => {
                for (arm, taken) in [(then, true), (otherwise, false)] {
                    self.facts.branch(*condition, taken);
                    let groups = self.body(arm);
                    place(arm, groups);
                    self.facts.reset(mark);
                }
                Vec::new()
            }
            exp => {
                for_each_body_mut(exp, &mut |body| {
                    let groups = self.body(body);
                    place(body, groups);
                });
                Vec::new()
            }
        }
    }

    /// Whether keys can be computed here, whatever happens next.
    fn may_precede(&mut self, group: &Group) -> bool {
        let Some((counter, bound, body)) = &group.keys else { return false };
        if !is_size(&mut self.facts, group.cells) || !is_size(&mut self.facts, *bound) {
            return false;
        }
        let mark = self.facts.mark();
        self.facts.counter(*counter, *bound);
        let safe = are_safe(&mut self.facts, body);
        self.facts.reset(mark);
        safe
    }

    /// Gives a statement two versions if it is a histogram that may be sorted.
    fn histogram(&mut self, statement: &mut Statement) -> Option<Group> {
        let Exp::Kernel { space, combine: Combine::Hist { op, neutral, dests }, body } = &statement.exp
        else {
            return None;
        };
        let [(counter, count)] = space[..] else { return None };
        let types: Vec<PrimType> = op.results.iter().map(Type::elem).collect();
        let bytes: i64 = types.iter().map(|ty| i64::from(ty.bytes())).sum();
        // (such are the same in any order without being sorted)
        let any_order = exact_sums(op, &types).is_some();
        let floats = types.iter().any(|ty| ty.is_float());
        let stops = body_may_stop(&op.body);
        if any_order || !floats || bytes >= SCANNED_BYTES || stops || calls_or_prints(body) {
            return None;
        }
        let cells = *statement.pattern.first()?.ty.shape().first()?;
        let histogram = Histogram {
            pattern: &statement.pattern,
            counter,
            count,
            op,
            neutral,
            dests,
            body,
            loc: statement.loc,
        };
        let (group, order) = self.sorted(&histogram, cells, bytes);
        let then = self.by_cell(&histogram, cells, &order);
        let fresh = |names: &mut NameSource| -> Vec<Binder> {
            let other = |binder: &Binder| Binder { var: names.fresh_like(binder.var), ty: binder.ty.clone() };
            statement.pattern.iter().map(other).collect()
        };
        let pattern = fresh(&mut self.names);
        let results = pattern.iter().map(|binder| Atom::Var(binder.var)).collect();
        let exp = std::mem::replace(&mut statement.exp, Exp::Atom(order.is_sorted));
        let otherwise = Body { statements: vec![Statement { pattern, exp, loc: statement.loc }], results };
        statement.exp = Exp::If { condition: order.is_sorted, then, otherwise };
        Some(group)
    }
}

/// Puts what histograms are sorted by in front of the statements of these places.
fn place(body: &mut Body, groups: Vec<(usize, Group)>) {
    if groups.is_empty() {
        return;
    }
    let mut groups = groups.into_iter().peekable();
    let mut placed = Vec::new();
    for (at, statement) in std::mem::take(&mut body.statements).into_iter().enumerate() {
        while let Some((_, group)) = groups.next_if(|(before, _)| *before == at) {
            placed.extend(group.statements);
        }
        placed.push(statement);
    }
    body.statements = placed;
}

/// Whether a value calls a function or prints: it must not be computed twice then.
fn calls_or_prints(body: &Body) -> bool {
    struct Found(bool);
    impl Walk<Fun> for Found {
        fn exp(&mut self, exp: &Exp) {
            self.0 |= matches!(exp, Exp::Call { .. } | Exp::Trace { .. });
            walk_exp(self, exp);
        }
    }
    let mut found = Found(false);
    walk_body(&mut found, body);
    found.0
}
