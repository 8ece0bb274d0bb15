//! What the prover may assume at a point of a program in FUN or FUNMEM: sizes and counters are within bounds, scalars are what their
//! definitions say, assertions and the conditions of branches hold.
//!
//! A walk tells [`PointFacts`] what it passes, and takes it back with marks when it leaves a body.

mod decide;
mod invariants;
mod narrow;

use fun::ir::{Atom, Binder, BinderType, Body, Exp, LoopForm, Rep, Statement, Type};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp};
use fun_index::poly::Poly;
use fun_index::prove::{self, Facts, Findings, Why};
use funmem::ir::Mem;
use invariants::Invariants;
use narrow::integer;
use std::collections::{BTreeMap, BTreeSet};

/// The facts at a point. They are worked out when somebody asks for them.
pub struct PointFacts<R: Rep = Mem> {
    /// What the walk has passed.
    passed: Vec<Event<R>>,
    /// What was known before each of those that are worked out.
    marks: Vec<Known>,
    facts: Facts,
    /// Definitions of bools. Names are unique, so old ones do no harm.
    bools: BTreeMap<Var, Condition>,
    /// Shapes of arrays, likewise.
    shapes: BTreeMap<Var, Vec<Atom>>,
    /// Numbers that are one of two, likewise.
    cases: BTreeMap<Var, Case<R>>,
    /// Short definitions of scalars in terms of what has none. That a number of fewer bits is a sum or product may hang on facts that are forgotten, and
    /// is forgotten with them.
    definitions: BTreeMap<Var, Poly>,
    /// Whose these are, in the order in which they came.
    defined: Vec<Var>,
    /// Floats that are signed integers converted to f64, and square roots, of such integers or not; likewise.
    whole: BTreeSet<Var>,
    roots: BTreeMap<Var, bool>,
    /// The least and the greatest element of arrays of constants, likewise.
    ranges: BTreeMap<Var, [i64; 2]>,
    /// Bytes of an element, and the size, of arrays of rank 1 whose elements have a cell each; likewise.
    rows: BTreeMap<Var, (u32, Atom)>,
    /// What is known of loops that were entered, by their first parameter; likewise.
    invariants: BTreeMap<Var, Invariants>,
    /// Alternatives of which one holds, and it is not known yet which.
    open: Vec<Alternatives>,
}

/// Of two conditions, at least one has a value.
#[derive(Clone, Copy)]
struct Alternatives {
    conditions: [Atom; 2],
    value: bool,
    why: Why,
    /// How much was passed before.
    passed: usize,
}

/// How many alternatives are looked at again when more is known: the last ones.
const OPEN: usize = 8;

/// The square root of 2^63, which the largest i64 is as f64, rounded down.
const LARGEST_ROOT: i64 = 3_037_000_499;

/// How many terms definitions may have that others are put into.
const FEW_TERMS: usize = 8;

/// How much was known.
#[derive(Clone, Copy)]
struct Known {
    facts: prove::Mark,
    definitions: usize,
}

/// How much a walk had passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark(usize);

/// What a walk passes.
enum Event<R: Rep> {
    Bound(Binder<R>),
    Counter(Var, Atom),
    Branch(Atom, bool),
    Executed(Vec<Binder<R>>, Executed<R>),
    Fact(Poly, Why),
    Equation(Poly, Why),
}

/// What matters of a statement.
enum Executed<R: Rep> {
    Assert(Atom),
    Index(Var, Vec<Atom>),
    /// An operation on scalars.
    Scalar(Exp<R>),
    /// A branch that gives numbers, with short arms.
    Choice(Atom, Box<[Body<R>; 2]>),
    /// A loop behind which these are at least 0.
    Loop(Vec<Poly>),
    Other,
}

/// How a bool is computed.
#[derive(Clone, Copy)]
enum Condition {
    /// Both of two, or either of them.
    Both(BinOp, Atom, Atom),
    /// Not the other.
    Not(Atom),
    /// A comparison of i64 or i32.
    Compare(BinOp, Atom, Atom),
}

/// A number that is one of two.
#[derive(Clone)]
enum Case<R: Rep> {
    /// The lesser or the greater of two.
    Extreme(BinOp, Atom, Atom),
    /// The result of this number of the first body where the condition holds, otherwise of the second.
    Choice(Atom, Box<[Body<R>; 2]>, usize),
}

impl<R: Rep> Default for PointFacts<R> {
    fn default() -> PointFacts<R> {
        PointFacts {
            passed: Vec::new(),
            marks: Vec::new(),
            facts: Facts::for_proofs(&Findings::default()),
            bools: BTreeMap::new(),
            shapes: BTreeMap::new(),
            cases: BTreeMap::new(),
            definitions: BTreeMap::new(),
            defined: Vec::new(),
            whole: BTreeSet::new(),
            roots: BTreeMap::new(),
            ranges: BTreeMap::new(),
            rows: BTreeMap::new(),
            invariants: BTreeMap::new(),
            open: Vec::new(),
        }
    }
}

impl<R: Rep> PointFacts<R> {
    /// Nothing is known yet but what was found out from facts that may come again.
    pub fn with_findings(findings: &Findings) -> PointFacts<R> {
        PointFacts { facts: Facts::for_proofs(findings), ..PointFacts::default() }
    }

    /// Nothing is known yet; what the prover refutes comes with a witness, which takes it longer.
    pub fn with_witnesses() -> PointFacts<R> {
        PointFacts { facts: Facts::new(), ..PointFacts::default() }
    }

    /// What has been passed now, to come back to.
    pub fn mark(&self) -> Mark {
        Mark(self.passed.len())
    }

    /// Forgets what came after the mark.
    pub fn reset(&mut self, mark: Mark) {
        if let Some(known) = self.marks.get(mark.0) {
            self.forget(*known);
        }
        self.marks.truncate(mark.0);
        self.passed.truncate(mark.0);
        self.open.retain(|alternatives| alternatives.passed < mark.0);
    }

    fn knows(&self) -> Known {
        Known { facts: self.facts.mark(), definitions: self.defined.len() }
    }

    /// Forgets what has become known since.
    fn forget(&mut self, since: Known) {
        self.facts.reset(since.facts);
        for var in self.defined.drain(since.definitions..) {
            self.definitions.remove(&var);
        }
    }

    /// Asks what was known before the last statements that have been executed, this many.
    pub fn before<T>(&mut self, statements: usize, ask: impl FnOnce(&mut Facts) -> T) -> T {
        let mark = Mark(self.passed.len().saturating_sub(statements));
        let later = self.passed.split_off(mark.0);
        self.reset(mark);
        let answer = ask(self.known());
        self.passed.extend(later);
        answer
    }

    /// A binder has come into scope.
    pub fn bind(&mut self, binder: &Binder<R>) {
        self.passed.push(Event::Bound(binder.clone()));
    }

    /// A counter from 0 is in scope, where it is below this bound.
    pub fn counter(&mut self, counter: Var, bound: Atom) {
        self.passed.push(Event::Counter(counter, bound));
    }

    /// The counter of a loop is in scope.
    pub fn loop_form(&mut self, form: &LoopForm) {
        if let LoopForm::For { var, ty, bound } = form
            && matches!(ty, PrimType::I64 | PrimType::I32)
        {
            self.counter(*var, *bound);
            if let (PrimType::I32, Some(bound)) = (ty, bound.as_var()) {
                let room = Poly::constant(i32::MAX.into()).sub(&Poly::var(bound));
                self.push_fact(room, Why::Bound(bound));
            }
        }
    }

    /// The branch of this condition was taken, or the other one.
    pub fn branch(&mut self, condition: Atom, taken: bool) {
        self.passed.push(Event::Branch(condition, taken));
    }

    /// `poly ≥ 0` is granted.
    pub fn assume_nonneg(&mut self, poly: Poly) {
        self.push_fact(poly, Why::Assumed);
    }

    fn push_fact(&mut self, poly: Poly, why: Why) {
        self.passed.push(Event::Fact(poly, why));
    }

    /// `poly = 0` is granted.
    pub fn assume_zero(&mut self, poly: Poly) {
        self.passed.push(Event::Equation(poly, Why::Assumed));
    }

    /// The statement has been executed.
    pub fn statement(&mut self, statement: &Statement<R>) {
        let what = match (&statement.exp, statement.pattern.as_slice()) {
            (Exp::Assert { condition, .. }, _) => Executed::Assert(*condition),
            (Exp::Index { array, indices }, _) => Executed::Index(*array, indices.clone()),
            (exp @ (Exp::Atom(_) | Exp::Bin(..) | Exp::Un(..) | Exp::Convert { .. }), [binder])
                if binder.ty.has_constants() =>
            {
                Executed::Scalar(exp.clone())
            }
            (Exp::If { condition, then, otherwise }, _) if is_short(then) && is_short(otherwise) => {
                Executed::Choice(*condition, Box::new([then.clone(), otherwise.clone()]))
            }
            (Exp::ArrayLiteral { elems, .. }, [binder]) => {
                let range = self.range(elems);
                self.ranges.extend(range.map(|range| (binder.var, range)));
                Executed::Other
            }
            (Exp::Loop { .. }, _) => self.behind(statement).map_or(Executed::Other, Executed::Loop),
            _ => Executed::Other,
        };
        self.passed.push(Event::Executed(statement.pattern.clone(), what));
    }

    /// The least and the greatest of constants and of the elements of arrays of these.
    fn range(&self, elems: &[Atom]) -> Option<[i64; 2]> {
        let mut all = [i64::MAX, i64::MIN];
        for elem in elems {
            let [least, greatest] = match elem {
                Atom::Const(PrimValue::I32(value)) => [i64::from(*value); 2],
                Atom::Const(PrimValue::I64(value)) => [*value; 2],
                Atom::Var(row) => *self.ranges.get(row)?,
                Atom::Const(_) => return None,
            };
            all = [all[0].min(least), all[1].max(greatest)];
        }
        (!elems.is_empty()).then_some(all)
    }

    /// All that is known.
    pub fn known(&mut self) -> &mut Facts {
        let passed = std::mem::take(&mut self.passed);
        for event in &passed[self.marks.len()..] {
            self.marks.push(self.knows());
            self.work_out(event);
        }
        self.passed = passed;
        &mut self.facts
    }

    fn work_out(&mut self, event: &Event<R>) {
        match event {
            Event::Bound(binder) => self.bound(binder),
            Event::Counter(counter, bound) => {
                self.facts.assume_nonneg(Poly::var(*counter), Why::Bound(*counter));
                self.nonneg(difference(&integer(*bound), &Poly::var(*counter), 1), Why::Bound(*counter));
            }
            Event::Branch(condition, taken) => {
                if let Some(var) = condition.as_var() {
                    self.holds(*condition, *taken, Why::Branch(var));
                }
            }
            Event::Fact(poly, why) => self.facts.assume_nonneg(poly.clone(), *why),
            Event::Equation(poly, why) => self.facts.assume_zero(poly.clone(), *why),
            Event::Executed(pattern, what) => {
                pattern.iter().for_each(|binder| self.bound(binder));
                self.executed(pattern, what);
            }
        }
    }

    fn bound(&mut self, binder: &Binder<R>) {
        let Type::Array { shape, .. } = binder.ty.erased() else { return };
        for size in shape.iter().filter_map(|size| size.as_var()) {
            self.facts.assume_nonneg(Poly::var(size), Why::Size(size));
        }
        // Views may repeat elements, and have any number of them.
        if shape.len() > 1 && binder.ty.has_cells() {
            let sizes = shape.iter().map(|size| integer(*size));
            let count = sizes.fold(Poly::constant(1), |count, size| count.mul(&size));
            self.facts.assume_nonneg(Poly::constant(i64::MAX).sub(&count), Why::Extent(binder.var));
        }
        if let ([size], true) = (&shape[..], binder.ty.has_cells()) {
            self.rows.insert(binder.var, (binder.ty.erased().elem().bytes(), *size));
        }
        self.shapes.insert(binder.var, shape);
    }

    fn executed(&mut self, pattern: &[Binder<R>], what: &Executed<R>) {
        match (what, pattern) {
            (Executed::Assert(condition), _) => {
                if let Some(var) = condition.as_var() {
                    self.holds(*condition, true, Why::Assert(var));
                    let before = self.open.len().saturating_sub(OPEN);
                    for Alternatives { conditions, value, why, .. } in self.open.split_off(before) {
                        self.one_holds(conditions, value, why);
                    }
                }
            }
            // Reading an element needs an index within bounds (F6).
            (Executed::Index(array, indices), [binder]) => {
                let shape = self.shapes.get(array).cloned().unwrap_or_default();
                for (index, size) in indices.iter().zip(shape) {
                    let index = integer(*index);
                    let room = difference(&integer(size), &index, 1);
                    for fact in [Some(index), room] {
                        self.nonneg(fact.filter(|fact| fact.as_constant().is_none()), Why::Index(binder.var));
                    }
                }
                if let Some([least, greatest]) = self.ranges.get(array).copied() {
                    let elem = Poly::var(binder.var);
                    for room in [
                        difference(&elem, &Poly::constant(least), 0),
                        difference(&Poly::constant(greatest), &elem, 0),
                    ] {
                        self.nonneg(room, Why::Definition(binder.var));
                    }
                }
            }
            (Executed::Scalar(exp), [binder]) => self.scalar(binder, exp),
            (Executed::Choice(condition, arms), pattern) => {
                for (result, binder) in pattern.iter().enumerate() {
                    self.cases.insert(binder.var, Case::Choice(*condition, arms.clone(), result));
                }
            }
            (Executed::Loop(behind), [first, ..]) => {
                let why = Why::Invariant(first.var);
                behind.iter().for_each(|room| self.facts.assume_nonneg(room.clone(), why));
            }
            _ => {}
        }
    }

    fn scalar(&mut self, binder: &Binder<R>, exp: &Exp<R>) {
        let var = binder.var;
        let is_i64 = binder.ty.has_constants() && binder.ty.erased().elem() == PrimType::I64;
        let poly = integer;
        match exp {
            Exp::Atom(atom) if is_i64 => self.define(var, poly(*atom)),
            Exp::Bin(BinOp::Add, PrimType::I64, x, y) => self.define(var, poly(*x).add(&poly(*y))),
            Exp::Bin(BinOp::Sub, PrimType::I64, x, y) => self.define(var, poly(*x).sub(&poly(*y))),
            Exp::Bin(BinOp::Mul, PrimType::I64, x, y) => self.define(var, poly(*x).mul(&poly(*y))),
            Exp::Bin(BinOp::Min, PrimType::I64 | PrimType::I32, x, y) => {
                self.cases.insert(var, Case::Extreme(BinOp::Min, *x, *y));
                for other in [x, y] {
                    self.nonneg(difference(&poly(*other), &Poly::var(var), 0), Why::Definition(var));
                }
            }
            Exp::Bin(BinOp::Max, PrimType::I64 | PrimType::I32, x, y) => {
                self.cases.insert(var, Case::Extreme(BinOp::Max, *x, *y));
                for other in [x, y] {
                    self.nonneg(difference(&Poly::var(var), &poly(*other), 0), Why::Definition(var));
                }
            }
            Exp::Bin(BinOp::Div, PrimType::I64 | PrimType::I32, x, y) => {
                self.facts.divide_down(var, None, poly(*x), poly(*y));
            }
            Exp::Bin(BinOp::Quot, PrimType::I64 | PrimType::I32, x, y) => {
                self.facts.divide(var, None, poly(*x), poly(*y))
            }
            Exp::Bin(BinOp::Mod, PrimType::I64 | PrimType::I32, _, y) => {
                // Of the sign of the divisor, if that is positive.
                let divisor = poly(*y);
                let above_zero = difference(&divisor, &Poly::default(), 1);
                if above_zero.is_some_and(|goal| prove::nonneg(&self.facts, &goal).is_proved()) {
                    self.facts.assume_nonneg(Poly::var(var), Why::Definition(var));
                    self.nonneg(difference(&divisor, &Poly::var(var), 1), Why::Definition(var));
                }
            }
            // (no bit but those of a number that is not negative)
            Exp::Bin(BinOp::And, PrimType::I64 | PrimType::I32, x, y) => {
                for mask in [x, y].map(|mask| poly(*mask)) {
                    if prove::nonneg(&self.facts, &mask).is_proved() {
                        self.facts.assume_nonneg(Poly::var(var), Why::Definition(var));
                        self.nonneg(difference(&mask, &Poly::var(var), 0), Why::Definition(var));
                    }
                }
            }
            Exp::Bin(op @ (BinOp::And | BinOp::Or), PrimType::Bool, x, y) => {
                self.bools.insert(var, Condition::Both(*op, *x, *y));
            }
            Exp::Un(UnOp::Not, PrimType::Bool, x) => {
                self.bools.insert(var, Condition::Not(*x));
            }
            Exp::Convert { to: PrimType::F64, from, .. } if from.is_signed() => {
                self.whole.insert(var);
            }
            Exp::Un(UnOp::Sqrt, _, value) => {
                let of_integer = value.as_var().is_some_and(|value| self.whole.contains(&value));
                self.roots.insert(var, of_integer);
            }
            Exp::Bin(op @ (BinOp::Add | BinOp::Sub | BinOp::Mul), PrimType::I32, x, y) => {
                self.narrow(var, *op, *x, *y);
            }
            Exp::Convert { to, from, value } if to.is_int() && from.is_int() => {
                self.converted(var, *to, *from, *value);
            }
            // (what is no number, or infinite, becomes 0)
            Exp::Convert { to: PrimType::I64, value, .. } => {
                let root = value.as_var().and_then(|value| self.roots.get(&value)).copied();
                if let Some(of_integer) = root {
                    self.facts.assume_nonneg(Poly::var(var), Why::Definition(var));
                    let most = if of_integer { LARGEST_ROOT } else { i64::MAX };
                    self.nonneg(difference(&Poly::constant(most), &Poly::var(var), 0), Why::Definition(var));
                }
            }
            Exp::Bin(
                op @ (BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::Eq | BinOp::Ne),
                PrimType::I64 | PrimType::I32,
                x,
                y,
            ) => {
                self.bools.insert(var, Condition::Compare(*op, *x, *y));
            }
            _ => {}
        }
    }

    /// The variable is the polynomial modulo 2^64, and what comes of that if the definitions of its variables are put in, too: what
    /// cancels out there need not be shown to be an i64.
    fn define(&mut self, var: Var, poly: Poly) {
        let expanded = poly.subst(&mut |other| match self.definitions.get(&other) {
            Some(definition) => definition.clone(),
            None => Poly::var(other),
        });
        let differs = expanded != poly;
        self.facts.define(var, poly);
        if expanded.terms().count() <= FEW_TERMS && expanded.terms().all(|(monomial, _)| monomial.len() <= 2)
        {
            self.definitions.insert(var, expanded.clone());
            self.defined.push(var);
            if differs {
                self.facts.define(var, expanded);
            }
        }
    }

    /// One of the conditions has this value.
    fn one_holds(&mut self, conditions: [Atom; 2], value: bool, why: Why) {
        let [x, y] = conditions;
        if self.is_plainly(y, !value) {
            self.holds(x, value, why);
        } else if self.is_plainly(x, !value) {
            self.holds(y, value, why);
        } else {
            self.open.push(Alternatives { conditions, value, why, passed: self.marks.len() });
        }
    }

    /// The condition has this value.
    fn holds(&mut self, condition: Atom, truth: bool, why: Why) {
        let Some(var) = condition.as_var() else { return };
        let Some(known) = self.bools.get(&var).copied() else { return self.chosen(var, truth, why) };
        let (op, x, y) = match known {
            Condition::Not(other) => return self.holds(other, !truth, why),
            Condition::Both(op, x, y) => {
                if (op == BinOp::And) == truth {
                    self.holds(x, truth, why);
                    self.holds(y, truth, why);
                } else {
                    self.one_holds([x, y], truth, why);
                }
                return;
            }
            Condition::Compare(op, x, y) => (op, integer(x), integer(y)),
        };
        let fact = match (op, truth) {
            (BinOp::Lt, true) | (BinOp::Ge, false) => difference(&y, &x, 1),
            (BinOp::Gt, true) | (BinOp::Le, false) => difference(&x, &y, 1),
            (BinOp::Gt, false) | (BinOp::Le, true) => difference(&y, &x, 0),
            _ => difference(&x, &y, 0),
        };
        let Some(fact) = fact else { return };
        match (op, truth) {
            (BinOp::Eq, true) | (BinOp::Ne, false) => self.facts.assume_zero(fact, why),
            (BinOp::Eq, false) | (BinOp::Ne, true) => self.facts.assume_nonzero(fact, why),
            _ => self.facts.assume_nonneg(fact, why),
        }
    }

    /// A bool that a branch gives has this value: an arm that gives the other one was not taken, and what the arm that was taken gives
    /// has this value.
    fn chosen(&mut self, var: Var, truth: bool, why: Why) {
        let Some(Case::Choice(condition, arms, result)) = self.cases.get(&var).cloned() else { return };
        let other = Atom::Const(PrimValue::Bool(!truth));
        for (arm, untaken, taken) in [(&arms[0], &arms[1], true), (&arms[1], &arms[0], false)] {
            if untaken.results.get(result) != Some(&other) {
                continue;
            }
            self.holds(condition, taken, why);
            for statement in &arm.statements {
                if let [binder] = &statement.pattern[..] {
                    self.scalar(binder, &statement.exp);
                }
            }
            if let Some(value) = arm.results.get(result) {
                self.holds(*value, truth, why);
            }
        }
    }

    /// The polynomial, if it is one of integers, is not negative.
    fn nonneg(&mut self, poly: Option<Poly>, why: Why) {
        if let Some(poly) = poly {
            self.facts.assume_nonneg(poly, why);
        }
    }
}

/// Whether a body is a few operations on scalars.
fn is_short<R: Rep>(body: &Body<R>) -> bool {
    let is_scalar =
        |statement: &Statement<R>| matches!(statement.exp, Exp::Atom(_) | Exp::Bin(..) | Exp::Un(..));
    body.statements.len() <= 4 && body.statements.iter().all(is_scalar)
}

/// `left - right - less` over the integers, of which facts and goals are. Where it wraps there is none: `x - MIN` is not `x + MIN`.
fn difference(left: &Poly, right: &Poly, less: i64) -> Option<Poly> {
    decide::room(left, right, &Poly::constant(less))
}
