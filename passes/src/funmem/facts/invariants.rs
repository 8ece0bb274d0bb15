//! What holds before every iteration of a loop, and behind the loop: by induction over its iterations.
//!
//! ```text
//! loop (go = c) (lo = 0) (hi = n) while go do {
//!   let mid = div.i64 (add.i64 lo hi) 2
//!   let (lo', hi') = if … { in (mid + 1, hi) } else { in (lo, mid) }
//!   let go' = lt.i64 lo' hi'
//!   in (go', lo', hi')
//! }
//! ```
//! has `lo ≥ 0`, `hi ≤ n` and `lo < hi` before every iteration, so that `mid` is in bounds, and `lo ≥ 0`, `hi ≤ n`, `lo ≤ hi` behind it.
//!
//! Candidates are that a number never falls below or rises above the one it began with, that it rises by one in each iteration at most, and, of
//! what a `while` asks, the same but for the last step. Those that hold at the beginning are taken for given together, and those that an iteration then
//! does not keep are dropped, until all that are left are kept (Houdini: Flanagan and Leino 2001). What a `while` asks holds without that: of the numbers
//! of the first iteration it is shown, of all others it was asked. An iteration that comes to its end has passed its assertions, so these may be used to show what
//! it keeps; whether an assertion itself may go is asked with what is known before it.

use super::PointFacts;
use super::decide::room;
use super::narrow::integer;
use fun::ir::{Atom, BinderType, Body, Exp, LoopForm, LoopParam, Rep, Statement};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp};
use fun_index::poly::Poly;
use fun_index::prove::{self, Why};
use std::collections::{BTreeMap, BTreeSet};

/// How many loops inside of each other are looked into at once.
const DEEP: usize = 2;

/// How often candidates are dropped before all are.
const ROUNDS: usize = 4;

/// The most candidates: each is asked about with all others taken for given.
const CANDIDATES: usize = 16;

/// A number that a claim about a loop is about.
#[derive(Clone, Copy, Debug)]
enum Side {
    /// A loop parameter, by its place.
    Param(usize),
    /// What is the same in every iteration.
    Same(Atom),
}

impl Side {
    fn among(self, values: &[Atom]) -> Atom {
        match self {
            Side::Param(at) => values[at],
            Side::Same(atom) => atom,
        }
    }
}

/// `left ≥ right + more`, or `left + i ≥ right + more` for the counter `i` of the loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claim {
    left: Side,
    right: Side,
    more: i64,
    counts: bool,
}

impl Claim {
    /// What is at least 0 if the claim holds of these values, after so many iterations; `None` if that is no polynomial.
    fn room(&self, values: &[Atom], iterations: &Poly) -> Option<Poly> {
        let [left, right] = [self.left, self.right].map(|side| integer(side.among(values)));
        let more = Poly::constant(self.more);
        room(&left, &right, &if self.counts { more.sub(iterations) } else { more })
    }
}

/// What is known of a loop.
#[derive(Clone)]
pub(super) struct Invariants {
    claims: Vec<Claim>,
    /// The bound of a loop that counts.
    bound: Option<Atom>,
}

impl<R: Rep> PointFacts<R> {
    /// The parameters and the counter of a loop are in scope, and what holds before every iteration.
    pub fn enter_loop(&mut self, params: &[LoopParam<R>], form: &LoopForm, body: &Body<R>) {
        let conditions = self.asked(params, form, body);
        let invariants = self.invariants(params, form, body, &conditions, DEEP);
        self.begin_iteration(params, form, body, &conditions);
        self.assume(&invariants.claims, params, form);
        if let Some(first) = params.first() {
            self.invariants.insert(first.binder.var, invariants);
        }
    }

    /// What is at least 0 behind a loop that was entered before.
    pub(super) fn behind(&self, statement: &Statement<R>) -> Option<Vec<Poly>> {
        let Exp::Loop { params, .. } = &statement.exp else { return None };
        let invariants = self.invariants.get(&params.first()?.binder.var)?;
        Some(invariants.behind(statement))
    }

    fn begin_iteration(
        &mut self,
        params: &[LoopParam<R>],
        form: &LoopForm,
        body: &Body<R>,
        conditions: &[Claim],
    ) {
        params.iter().for_each(|param| self.bind(&param.binder));
        self.loop_form(form);
        self.assume(conditions, params, form);
        // The cells of an array from outside have some bytes each, and are no more than fit in a block: so a search may add two numbers below its size.
        if let LoopForm::While(_) = form {
            let made_here = |array: &Var| {
                body.statements.iter().any(|made| made.pattern.iter().any(|binder| binder.var == *array))
            };
            for statement in &body.statements {
                let Exp::Index { array, .. } = &statement.exp else { continue };
                if let Some((bytes, size)) =
                    self.rows.get(array).filter(|(bytes, _)| *bytes > 1 && !made_here(array))
                {
                    let most = Poly::constant(i64::MAX / i64::from(*bytes));
                    self.push_fact(most.sub(&integer(*size)), Why::Extent(*array));
                }
            }
        }
    }

    fn assume(&mut self, claims: &[Claim], params: &[LoopParam<R>], form: &LoopForm) {
        let Some(first) = params.first() else { return };
        let values: Vec<Atom> = params.iter().map(|param| Atom::Var(param.binder.var)).collect();
        let counter = counter(form);
        for claim in claims {
            if let Some(room) = claim.room(&values, &counter) {
                self.push_fact(room, Why::Invariant(first.binder.var));
            }
        }
    }

    /// What every iteration keeps.
    fn invariants(
        &mut self,
        params: &[LoopParam<R>],
        form: &LoopForm,
        body: &Body<R>,
        conditions: &[Claim],
        deep: usize,
    ) -> Invariants {
        let bound = match form {
            LoopForm::For { bound, .. } => Some(*bound),
            LoopForm::While(_) => None,
        };
        let mut claims = self.candidates(params, form, conditions);
        let counter = counter(form);
        for _ in 0..ROUNDS {
            if claims.is_empty() {
                break;
            }
            let mark = self.mark();
            self.begin_iteration(params, form, body, conditions);
            self.assume(&claims, params, form);
            body.statements.iter().for_each(|statement| self.passes(statement, deep));
            self.known();
            let before = claims.len();
            claims.retain(|claim| {
                let [left, right] = [claim.left, claim.right].map(|side| side.among(&body.results));
                let more = Poly::constant(claim.more);
                let more = if claim.counts { more.sub(&counter).sub(&Poly::constant(1)) } else { more };
                self.is_at_least(left, right, &more)
            });
            self.reset(mark);
            if claims.len() == before {
                return Invariants { claims, bound };
            }
        }
        Invariants { claims: Vec::new(), bound }
    }

    /// A statement of an iteration, and what is known behind it if it is a loop.
    fn passes(&mut self, statement: &Statement<R>, deep: usize) {
        let inside = match &statement.exp {
            Exp::Loop { params, form, body } if deep > 1 => {
                let conditions = self.asked(params, form, body);
                self.invariants(params, form, body, &conditions, deep - 1).behind(statement)
            }
            _ => Vec::new(),
        };
        self.statement(statement);
        inside.into_iter().for_each(|room| self.push_fact(room, Why::Invariant(statement.pattern[0].var)));
    }

    /// What may hold before every iteration, and holds before the first.
    fn candidates(&mut self, params: &[LoopParam<R>], form: &LoopForm, conditions: &[Claim]) -> Vec<Claim> {
        let inits: Vec<Atom> = params.iter().map(|param| param.init).collect();
        let last = conditions.iter().map(|asked| Claim { more: asked.more - 1, ..*asked });
        let last = last.filter(|claim| {
            let room = claim.room(&inits, &Poly::default());
            room.is_some_and(|room| prove::nonneg(self.known(), &room).is_proved())
        });
        let mut claims: Vec<Claim> = last.collect();
        let counts = matches!(form, LoopForm::For { ty: PrimType::I64, .. });
        for (at, LoopParam { binder, init }) in params.iter().enumerate() {
            if !binder.ty.has_constants() || !is_integer(binder.ty.erased().elem()) {
                continue;
            }
            let (param, first) = (Side::Param(at), Side::Same(*init));
            claims.push(Claim { left: param, right: first, more: 0, counts: false });
            claims.push(Claim { left: first, right: param, more: 0, counts: false });
            if counts && binder.ty.erased().elem() == PrimType::I64 {
                claims.push(Claim { left: first, right: param, more: 0, counts: true });
            }
        }
        claims.truncate(CANDIDATES);
        claims
    }

    /// What a loop asks before every iteration, as far as that is understood and holds of the first one.
    fn asked(&mut self, params: &[LoopParam<R>], form: &LoopForm, body: &Body<R>) -> Vec<Claim> {
        let LoopForm::While(asked) = form else { return Vec::new() };
        let Some(at) = params.iter().position(|param| param.binder.var == *asked) else { return Vec::new() };
        let mut conditions = Conditions::of(params, body);
        conditions.hold(body.results[at], true);
        let inits: Vec<Atom> = params.iter().map(|param| param.init).collect();
        let mark = self.mark();
        self.branch(params[at].init, true);
        self.known();
        conditions.found.retain(|claim| {
            let [left, right] = [claim.left, claim.right].map(|side| side.among(&inits));
            self.is_at_least(left, right, &Poly::constant(claim.more))
        });
        self.reset(mark);
        conditions.found
    }
}

impl Invariants {
    /// What is at least 0 behind the loop.
    fn behind<R: Rep>(&self, statement: &Statement<R>) -> Vec<Poly> {
        let values: Vec<Atom> = statement.pattern.iter().map(|binder| Atom::Var(binder.var)).collect();
        // (of another bound it is not known whether it is negative, and then there are no iterations)
        let bound = self.bound.and_then(|bound| match bound {
            Atom::Const(value) => value.as_i64().filter(|bound| *bound >= 0).map(Poly::constant),
            Atom::Var(_) => None,
        });
        let known = self.claims.iter().filter(|claim| bound.is_some() || !claim.counts);
        known.filter_map(|claim| claim.room(&values, &bound.clone().unwrap_or_default())).collect()
    }
}

/// The counter of a loop that counts.
fn counter(form: &LoopForm) -> Poly {
    match form {
        LoopForm::For { var, .. } => Poly::var(*var),
        LoopForm::While(_) => Poly::default(),
    }
}

fn is_integer(ty: PrimType) -> bool {
    matches!(ty, PrimType::I64 | PrimType::I32)
}

/// The comparisons that a loop goes on by.
struct Conditions<'b, R: Rep> {
    params: &'b [LoopParam<R>],
    body: &'b Body<R>,
    /// What names of the body mean, and which result of it where there are several.
    definitions: BTreeMap<Var, (&'b Exp<R>, usize)>,
    bound: BTreeSet<Var>,
    found: Vec<Claim>,
}

impl<'b, R: Rep> Conditions<'b, R> {
    fn of(params: &'b [LoopParam<R>], body: &'b Body<R>) -> Conditions<'b, R> {
        let bound = params.iter().map(|param| param.binder.var).collect();
        let mut conditions =
            Conditions { params, body, definitions: BTreeMap::new(), bound, found: Vec::new() };
        conditions.define(body);
        conditions
    }

    fn define(&mut self, body: &'b Body<R>) {
        for statement in &body.statements {
            for (result, binder) in statement.pattern.iter().enumerate() {
                self.bound.insert(binder.var);
                self.definitions.insert(binder.var, (&statement.exp, result));
            }
        }
    }

    /// The condition has this value where the loop goes on.
    fn hold(&mut self, condition: Atom, truth: bool) {
        let Some((exp, result)) = condition.as_var().and_then(|var| self.definitions.get(&var)).copied()
        else {
            return;
        };
        match exp {
            Exp::Bin(op @ (BinOp::And | BinOp::Or), PrimType::Bool, x, y) if (*op == BinOp::And) == truth => {
                self.hold(*x, truth);
                self.hold(*y, truth);
            }
            Exp::Un(UnOp::Not, PrimType::Bool, x) => self.hold(*x, !truth),
            Exp::If { condition, then, otherwise } => {
                let other = Atom::Const(PrimValue::Bool(!truth));
                for (arm, untaken, taken) in [(then, otherwise, true), (otherwise, then, false)] {
                    if untaken.results[result] == other {
                        self.hold(*condition, taken);
                        self.define(arm);
                        self.hold(arm.results[result], truth);
                    }
                }
            }
            Exp::Bin(op, ty, x, y) if is_integer(*ty) => {
                let (Some(x), Some(y)) = (self.side(*x), self.side(*y)) else { return };
                let (left, right, more) = match (op, truth) {
                    (BinOp::Lt, true) | (BinOp::Ge, false) => (y, x, 1),
                    (BinOp::Le, true) | (BinOp::Gt, false) => (y, x, 0),
                    (BinOp::Gt, true) | (BinOp::Le, false) => (x, y, 1),
                    (BinOp::Ge, true) | (BinOp::Lt, false) => (x, y, 0),
                    _ => return,
                };
                self.found.push(Claim { left, right, more, counts: false });
            }
            _ => {}
        }
    }

    /// What a number of an iteration is in the next one.
    fn side(&self, atom: Atom) -> Option<Side> {
        match atom {
            Atom::Var(var) if self.bound.contains(&var) => {
                let mut results = self.body.results.iter().take(self.params.len());
                results.position(|result| *result == atom).map(Side::Param)
            }
            _ => Some(Side::Same(atom)),
        }
    }
}
