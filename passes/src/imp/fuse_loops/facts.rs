//! What the prover may assume at a place of a procedure: sizes of arrays and counters are within bounds, and scalars are what their
//! definitions say.

use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use fun_index::prove::{self, Facts, Findings, Mark, Why};
use imp::ir::{Exp, InterfaceSize, InterfaceValue, Procedure, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

/// A walk over the statements of a procedure that stand in no parallel loop, with what is known at each place.
pub(in crate::imp) trait Walk {
    /// What is known at the place where the walk is.
    fn facts(&mut self) -> &mut LoopFacts;

    /// Adds a statement, inside of which the walk was, to those before it in its list.
    fn take(&mut self, statement: Statement, before: &mut Vec<Statement>);

    /// Goes through a list.
    fn statements(&mut self, list: &mut Vec<Statement>) {
        let mark = self.facts().mark();
        let mut done = Vec::with_capacity(list.len());
        for mut statement in std::mem::take(list) {
            match &mut statement.kind {
                StatementKind::For { kind, .. } if kind.is_parallel() => {}
                StatementKind::For { var, bound, body, .. } => {
                    let inside = self.facts().mark();
                    self.facts().counter(*var, bound);
                    self.statements(body);
                    self.facts().reset(inside);
                }
                kind => kind.for_each_body_mut(&mut |body| self.statements(body)),
            }
            self.facts().passed(&statement);
            self.take(statement, &mut done);
        }
        *list = done;
        self.facts().reset(mark);
    }
}

/// The facts at a place.
pub(in crate::imp) struct LoopFacts {
    facts: Facts,
    /// What is assigned, so that its name stands for no single value.
    variables: BTreeSet<Var>,
    /// What conditions with names are.
    conditions: BTreeMap<Var, Exp>,
}

impl LoopFacts {
    /// At the beginning of a procedure.
    pub(in crate::imp) fn of(procedure: &Procedure) -> LoopFacts {
        let mut variables = BTreeSet::new();
        for_each_statement(&procedure.body, &mut |statement| {
            if let StatementKind::Declare { var, .. } = &statement.kind {
                variables.insert(*var);
            }
        });
        let facts = Facts::for_proofs(&Findings::default());
        let mut facts = LoopFacts { facts, variables, conditions: BTreeMap::new() };
        for value in procedure.interface.iter().flat_map(|interface| &interface.takes) {
            let InterfaceValue::Array { mem, shape, place, .. } = value else { continue };
            let size = |size: &InterfaceSize| match size {
                InterfaceSize::At(at) => procedure.params.get(*at).map(|(var, _)| Poly::var(*var)),
                InterfaceSize::Const(size) => Some(Poly::constant(*size)),
            };
            if let Some((block, _)) = procedure.params.get(*mem)
                && let Some(sizes) = shape.iter().map(size).collect::<Option<Vec<Poly>>>()
            {
                // (elements of one that lies anywhere may be one cell, and any number)
                facts.array(*block, &sizes, place.is_none());
            }
        }
        facts
    }

    /// What is known now, to come back to.
    pub(in crate::imp) fn mark(&self) -> Mark {
        self.facts.mark()
    }

    /// Forgets what came after the mark.
    pub(in crate::imp) fn reset(&mut self, mark: Mark) {
        self.facts.reset(mark);
    }

    /// The counter of a loop is in scope.
    pub(in crate::imp) fn counter(&mut self, counter: Var, bound: &Exp) {
        let why = Why::Bound(counter);
        self.facts.assume_nonneg(Poly::var(counter), why);
        let bound = match bound {
            Exp::Var(var) if !self.variables.contains(var) => Poly::var(*var),
            Exp::Const(value) => match value.as_i64() {
                Some(value) => Poly::constant(value),
                None => return,
            },
            _ => return,
        };
        self.facts.assume_nonneg(bound.sub(&Poly::var(counter)).sub(&Poly::constant(1)), why);
    }

    /// A statement was executed.
    pub(in crate::imp) fn passed(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Let { var, ty: PrimType::I64, value } => {
                if let Some(value) = self.poly(value) {
                    self.facts.define(*var, value);
                } else if let Exp::Bin(op @ (BinOp::Div | BinOp::Quot), _, x, y) = value
                    && let (Some(x), Some(y)) = (self.poly(x), self.poly(y))
                {
                    match op {
                        BinOp::Div => self.facts.divide_down(*var, None, x, y),
                        _ => self.facts.divide(*var, None, x, y),
                    }
                }
            }
            StatementKind::Let { var, ty: PrimType::Bool, value } => {
                self.conditions.insert(*var, value.clone());
            }
            StatementKind::Assert { condition: Exp::Var(var), .. } => self.holds(&Exp::Var(*var), *var),
            StatementKind::Alloc { var, shape, .. } => {
                if let Some(sizes) = shape.iter().map(|size| self.poly(size)).collect::<Option<Vec<Poly>>>() {
                    self.array(*var, &sizes, true);
                }
            }
            _ => {}
        }
    }

    /// There is an array of these sizes: none is negative, and elements in cells of their own can be counted.
    fn array(&mut self, array: Var, sizes: &[Poly], has_cells: bool) {
        let mut count = Poly::constant(1);
        for size in sizes {
            self.facts.assume_nonneg(size.clone(), Why::Extent(array));
            count = count.mul(size);
        }
        if has_cells {
            self.facts.assume_nonneg(Poly::constant(i64::MAX).sub(&count), Why::Extent(array));
        }
    }

    /// A condition holds, as an assertion of this variable says.
    fn holds(&mut self, condition: &Exp, asserted: Var) {
        match condition {
            Exp::Var(var) => {
                if let Some(condition) = self.conditions.get(var).cloned() {
                    self.holds(&condition, asserted);
                }
            }
            Exp::Bin(BinOp::And, PrimType::Bool, x, y) => {
                self.holds(x, asserted);
                self.holds(y, asserted);
            }
            // (sums could have wrapped around)
            Exp::Bin(op @ (BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge), PrimType::I64, x, y)
                if [x, y].iter().all(|side| matches!(***side, Exp::Var(_) | Exp::Const(_))) =>
            {
                if let (Some(x), Some(y)) = (self.poly(x), self.poly(y)) {
                    let (less, more) = if matches!(op, BinOp::Lt | BinOp::Le) { (x, y) } else { (y, x) };
                    let apart = Poly::constant(i64::from(matches!(op, BinOp::Lt | BinOp::Gt)));
                    self.facts.assume_nonneg(more.sub(&less).sub(&apart), Why::Assert(asserted));
                }
            }
            _ => {}
        }
    }

    /// This is the definition of a variable.
    pub(in crate::imp) fn define(&mut self, var: Var, value: Poly) {
        self.facts.define(var, value);
    }

    /// A number that bounds a counter is at least 0.
    pub(in crate::imp) fn nonneg(&mut self, poly: Poly, counter: Var) {
        self.facts.assume_nonneg(poly, Why::Bound(counter));
    }

    /// Whether a number is at least 0.
    pub(in crate::imp) fn is_nonneg(&self, poly: &Poly) -> bool {
        prove::nonneg(&self.facts, &self.exactly(poly)).is_proved()
    }

    /// A number with definitions in place of variables as far as these are equations between integers.
    fn exactly(&self, poly: &Poly) -> Poly {
        self.facts.expand_exactly(poly).unwrap_or_else(|| poly.clone())
    }

    /// Looks for what the definitions that the numbers rest on say of integers, the earliest first: a proof that begins with the last one goes only so deep.
    pub(in crate::imp) fn settle<'p>(&self, numbers: impl Iterator<Item = &'p Poly>) {
        let mut wanted = BTreeSet::new();
        numbers.for_each(|number| number.for_each_var(&mut |var| _ = wanted.insert(var)));
        let definitions: Vec<(&Var, &Poly)> = self.facts.definitions().collect();
        let mut found = Vec::new();
        for (var, value) in definitions.into_iter().rev() {
            if wanted.contains(var) {
                found.push(*var);
                value.for_each_var(&mut |var| _ = wanted.insert(var));
            }
        }
        for var in found.into_iter().rev() {
            self.facts.expand_exactly(&Poly::var(var));
        }
    }

    /// Whether two index functions have no cell in common, when definitions stand in them.
    pub(in crate::imp) fn disjoint_exactly(&self, x: &Lmad, y: &Lmad) -> bool {
        let [x, y] = [x, y].map(|lmad| {
            let mut lmad = lmad.clone();
            lmad.offset = self.exactly(&lmad.offset);
            for dim in &mut lmad.dims {
                (dim.size, dim.stride) = (self.exactly(&dim.size), self.exactly(&dim.stride));
            }
            lmad
        });
        prove::disjoint(&self.facts, &x, &y).is_proved()
    }

    /// A number with definitions in place of the variables that have some; equal modulo 2^64.
    pub(in crate::imp) fn expand(&self, poly: &Poly) -> Poly {
        self.facts.expand(poly)
    }

    /// Whether two index functions have no cell in common.
    pub(in crate::imp) fn disjoint(&self, x: &Lmad, y: &Lmad) -> bool {
        prove::disjoint(&self.facts, x, y).is_proved()
    }

    /// An i64 that sums and products are.
    pub(in crate::imp) fn poly(&self, exp: &Exp) -> Option<Poly> {
        match exp {
            Exp::Const(value) => value.as_i64().map(Poly::constant),
            Exp::Var(var) => (!self.variables.contains(var)).then(|| Poly::var(*var)),
            Exp::Bin(op, PrimType::I64, x, y) => {
                let (x, y) = (self.poly(x)?, self.poly(y)?);
                match op {
                    BinOp::Add => Some(x.add(&y)),
                    BinOp::Sub => Some(x.sub(&y)),
                    BinOp::Mul => Some(x.mul(&y)),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
