//! A second version of nests for inner loops of few iterations, which then run in order.
//!
//! ```text
//! for i < n par {
//!   var s : f32 = 0
//!   for j < m fold { s := add.f32(s, a[i, j]) }
//!   b[i] := s
//! }
//! ```
//! becomes
//! ```text
//! if lt.i64(m, 32) {
//!   for i < n par { … for j < m seq { s := add.f32(s, a[i, j]) } … }
//! } else { … the nest as before }
//! ```
//! (Two versions of a nest chosen by sizes: Henriksen et al., PPoPP 2019.) What makes a parallel loop fast costs something each time that it begins: lanes are set up
//! and added up, a number of iterations is compared with those of vectors. A loop of three iterations takes longer for that than for what it does. In order, passes behind this one
//! see the loops of a program that has no inner parallelism, and may for instance run its rows in lanes (`spread-lanes`).
//!
//! Where all loops of a nest go over the cells of arrays alone, its version is one loop over them (`collapse.rs`).
//!
//! Legal wherever inner loops are `par`, `simd`, `fold` or `scan`: in order is one of the ways to run them (I6, I10, I16). Done where the bounds of all such loops in a nest are
//! known before it, but for constants, of which `unroll-loops` takes care. In sequential loops and before them nests without reductions have one version, since passes behind this one take what stands
//! side by side together (`pair-steps`, `drop-dead-cells`, `tile-sweeps`). In a nest of three levels and more there is also a version in which the innermost loops alone run in order, as those over the
//! channels of an image.
//!
//! Requires and ensures I1–I10. Cost: linear in the size of the program, times how deep loops nest; a nest of at most 60 statements is written two or three times.

mod collapse;

use super::copy::{self, can_fail, constant, declared_in, fresh};
use super::fuse_loops::access::Places;
use super::spread_lanes::Forecast;
use collapse::Collapse;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue};
use imp::build::{Builder, bin};
use imp::ir::{Exp, LoopKind, Procedure, Program, Statement, StatementKind};
use imp::visit::{for_each_statement, names_after};
use std::collections::BTreeSet;

/// Statements of a nest that is written several times.
const MOST_STATEMENTS: usize = 60;

/// Nests with fewer rows, by a constant, have one version.
const FEW_ROWS: i64 = 16;

/// From how many iterations on loops keep their parallelism (`bench/nests.sh` tells).
#[derive(Clone, Copy)]
struct Sizes {
    /// Loops in vectors: one of four lanes is worth it.
    vectors: i64,
    /// The same where some iterations at the ends go another way.
    rims: i64,
    /// Reductions: as many as there are lanes of the shorter form of `split-folds`.
    folds: i64,
    /// Loops around others.
    nests: i64,
    /// Reductions around others.
    sums_of_sums: i64,
    /// So many rows of these run in lanes, each lane in order, if the innermost have at most so many iterations.
    rows_in_lanes: (i64, i64),
    /// Whether these are the sizes of small test programs.
    small: bool,
    /// Loops over cells that become one.
    cells: i64,
    /// The innermost reductions of such nests: tiles of products begin there.
    products: i64,
}

const USUAL: Sizes = Sizes {
    vectors: 4,
    rims: 8,
    folds: 32,
    nests: 32,
    sums_of_sums: 128,
    rows_in_lanes: (256, 2048),
    small: false,
    cells: 32,
    products: 16,
};
/// Sizes of small test programs lie on both sides.
const SMALL: Sizes = Sizes {
    vectors: 2,
    rims: 3,
    folds: 2,
    nests: 3,
    sums_of_sums: 3,
    rows_in_lanes: (3, 4),
    small: true,
    cells: 3,
    products: 2,
};

/// Writes the second versions.
pub fn run(program: Program) -> Program {
    write(program, USUAL)
}

/// The same for sizes of small inputs.
pub fn run_small(program: Program) -> Program {
    write(program, SMALL)
}

fn write(mut program: Program, sizes: Sizes) -> Program {
    let mut b = Builder::new(names_after(&program));
    for procedure in &mut program.procedures {
        let before = procedure.clone();
        let (places, steps) = (Places::of(&before), Vec::new());
        Versions { places, procedure: &before, sizes, b: &mut b, in_steps: false, steps }
            .statements(&mut procedure.body);
    }
    program
}

struct Versions<'b> {
    places: Places,
    /// As it was before there were versions.
    procedure: &'b Procedure,
    sizes: Sizes,
    b: &'b mut Builder,
    /// Whether the walk is in a sequential loop.
    in_steps: bool,
    /// The sequential loops around: counters and bounds.
    steps: Vec<(Var, Exp)>,
}

impl Versions<'_> {
    fn statements(&mut self, list: &mut [Statement]) {
        let is_steps = |statement: &Statement| {
            matches!(
                statement.kind,
                StatementKind::For { kind: LoopKind::Seq, .. } | StatementKind::While { .. }
            )
        };
        let last_steps = list.iter().rposition(is_steps);
        for (at, statement) in list.iter_mut().enumerate() {
            let steps = is_steps(statement);
            let around = self.in_steps;
            self.in_steps |= steps;
            match Nest::of(statement).filter(|_| !steps) {
                // several steps may be taken at once, and with them what stands before the first
                Some(nest) if nest.has_folds || !self.in_steps && Some(at) > last_steps => {
                    self.versions(&nest, statement);
                }
                Some(_) => {}
                None => {
                    let before = self.steps.len();
                    if let StatementKind::For { var, bound, kind: LoopKind::Seq, .. } = &statement.kind {
                        self.steps.push((*var, bound.clone()));
                    }
                    statement.kind.for_each_body_mut(&mut |body| self.statements(body));
                    self.steps.truncate(before);
                }
            }
            self.in_steps = around;
        }
    }

    /// Puts the versions and the choice in place of a nest.
    fn versions(&mut self, of: &Nest, statement: &mut Statement) {
        let (nest, sizes) = (statement.clone(), self.sizes);
        let mut bounds = of.inner.bounds.clone();
        if let Some(collapse) = Collapse::of(&nest, &self.places) {
            choose(statement, few(&bounds, sizes.cells), collapse.build(nest.loc, self.b));
            return;
        }
        let innermost = |folds: i64| match of.inner {
            Level { only_folds: true, .. } => folds,
            Level { has_rims: true, .. } => sizes.rims,
            Level { .. } => sizes.vectors,
        };
        let mut counters = of.inner.counters.clone();
        if of.outer.bounds.is_empty() {
            choose(statement, few(&bounds, innermost(sizes.folds)), in_order(&nest, &counters, self.b));
            return;
        }
        bounds.extend(of.outer.bounds.iter().filter(|bound| !of.inner.bounds.contains(bound)).cloned());
        // otherwise the version for the innermost loops is never taken
        if bounds.len() > of.inner.bounds.len() {
            let few = few(&of.inner.bounds, innermost(sizes.products));
            choose(statement, few, in_order(&nest, &counters, self.b));
        }
        counters.extend(&of.outer.counters);
        let sums_of_sums = of.inner.only_folds && of.outer.only_folds;
        let version = in_order(&nest, &counters, self.b);
        if !sums_of_sums {
            return choose(statement, few(&bounds, sizes.nests), version);
        }
        let mut condition = few(&bounds, sizes.sums_of_sums);
        if let StatementKind::For { bound: rows, kind: LoopKind::Par, .. } = &nest.kind
            && self.runs_in_lanes(&version)
        {
            let (least, most) = sizes.rows_in_lanes;
            let many = bin(BinOp::Le, PrimType::I64, Exp::i64(least), rows.clone());
            let lanes = bin(BinOp::And, PrimType::Bool, many, few(&of.inner.bounds, most + 1));
            condition = bin(BinOp::Or, PrimType::Bool, condition, lanes);
        }
        choose(statement, condition, version);
    }

    /// Whether lanes take the rows of a version, in which inner loops run in order.
    fn runs_in_lanes(&mut self, version: &[Statement]) -> bool {
        let [nest] = version else { return false };
        Forecast::of(self.procedure, self.sizes.small).takes(nest, &self.steps, self.b)
    }
}

/// Puts a version in front of what is there.
fn choose(statement: &mut Statement, few: Exp, then: Vec<Statement>) {
    let otherwise = vec![statement.clone()];
    statement.kind = StatementKind::If { condition: few, then, otherwise };
}

/// The parallel loops inside of one, whose bounds are known before it.
struct Nest {
    /// The innermost, and those around them.
    inner: Level,
    outer: Level,
    /// Whether there are reductions among them.
    has_folds: bool,
}

/// Some of the loops of a nest.
#[derive(Default)]
struct Level {
    counters: BTreeSet<Var>,
    /// The different bounds.
    bounds: Vec<Exp>,
    /// Whether all are reductions.
    only_folds: bool,
    /// Whether iterations differ in what they do.
    has_rims: bool,
}

impl Nest {
    fn of(statement: &Statement) -> Option<Nest> {
        let StatementKind::For { var, ty: PrimType::I64, bound, kind, body } = &statement.kind else {
            return None;
        };
        let takes = matches!(kind, LoopKind::Par | LoopKind::Simd | LoopKind::Fold);
        // a few short rows take no time
        let is_short = constant(bound).is_some_and(|rows| rows < FEW_ROWS);
        if !takes || is_short || copy::count(body) > MOST_STATEMENTS {
            return None;
        }
        let mut declared = declared_in(body);
        declared.insert(*var);
        let level = || Level { only_folds: true, ..Level::default() };
        let mut nest = Nest { inner: level(), outer: level(), has_folds: false };
        let mut known = true;
        for_each_statement(body, &mut |statement| {
            let Some((counter, bound, inside)) = inner_loop(statement) else { return };
            known &= !bound.reads() && !can_fail(bound);
            bound.for_each_var(&mut |var| known &= !declared.contains(&var));
            let mut innermost = true;
            for_each_statement(inside, &mut |statement| innermost &= inner_loop(statement).is_none());
            let level = if innermost { &mut nest.inner } else { &mut nest.outer };
            level.counters.insert(counter);
            level.has_rims |= has_rims(inside);
            let folds = matches!(statement.kind, StatementKind::For { kind: LoopKind::Fold, .. });
            level.only_folds &= folds;
            nest.has_folds |= folds;
            if !level.bounds.contains(bound) {
                level.bounds.push(bound.clone());
            }
        });
        (known && !nest.inner.bounds.is_empty()).then_some(nest)
    }
}

/// Whether all these numbers of iterations are below one.
fn few(bounds: &[Exp], least: i64) -> Exp {
    let is_below = |bound: &Exp| bin(BinOp::Lt, PrimType::I64, bound.clone(), Exp::i64(least));
    let all = bounds.iter().map(is_below).reduce(|x, y| bin(BinOp::And, PrimType::Bool, x, y));
    all.unwrap_or(Exp::Const(PrimValue::Bool(true)))
}

/// Whether some iterations may go another way than others: by a branch, or a clamp of an index.
fn has_rims(body: &[Statement]) -> bool {
    fn clamps(exp: &Exp) -> bool {
        let mut found = matches!(exp, Exp::Bin(BinOp::Min | BinOp::Max, PrimType::I64, ..) | Exp::Select(..));
        exp.for_each_child(&mut |child| found |= clamps(child));
        found
    }
    let mut found = false;
    for_each_statement(body, &mut |statement| {
        found |= matches!(statement.kind, StatementKind::If { .. });
        statement.kind.for_each_exp(&mut |exp| found |= clamps(exp));
    });
    found
}

/// The counter, the bound and the body of a parallel loop whose number of iterations is not a constant.
fn inner_loop(statement: &Statement) -> Option<(Var, &Exp, &[Statement])> {
    match &statement.kind {
        StatementKind::For { var, ty: PrimType::I64, bound, kind, body }
            if matches!(kind, LoopKind::Par | LoopKind::Simd | LoopKind::Fold | LoopKind::Scan)
                && constant(bound).is_none() =>
        {
            Some((*var, bound, body))
        }
        _ => None,
    }
}

/// A copy of a nest in which the loops with these counters run in order.
fn in_order(nest: &Statement, counters: &BTreeSet<Var>, b: &mut Builder) -> Vec<Statement> {
    let mut copy = nest.clone();
    sequential(std::slice::from_mut(&mut copy), counters);
    fresh(&[copy], &mut b.names)
}

fn sequential(list: &mut [Statement], counters: &BTreeSet<Var>) {
    for statement in list {
        if let StatementKind::For { var, kind, .. } = &mut statement.kind
            && counters.contains(var)
        {
            *kind = LoopKind::Seq;
        }
        statement.kind.for_each_body_mut(&mut |body| sequential(body, counters));
    }
}
