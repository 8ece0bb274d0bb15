//! The iterations in the middle of a loop: which they are, and what the body is for them.

use super::FAR;
use crate::imp::copy::can_fail;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp};
use imp::build::bin;
use imp::ir::{Exp, ImpType, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

/// A bound of the iterations in the middle.
pub(super) enum Limit {
    /// From this one on.
    From(Exp),
    /// Those before this one.
    Below(Exp),
}

/// The middle of a loop.
pub(super) struct Middle {
    /// The body, in which what is known there is constant.
    pub(super) body: Vec<Statement>,
    /// Which iterations they are.
    pub(super) limits: Vec<Limit>,
    /// Numbers that must be nearer to 0 than [`FAR`] for there to be a middle.
    pub(super) near_zero: Vec<Exp>,
}

/// An i64 that is `rest`, or `rest` and the counter, or `rest` without the counter.
#[derive(Clone)]
struct Linear {
    counter: i64,
    rest: Exp,
}

struct Finder<'s> {
    counter: Var,
    bound: &'s Exp,
    /// What the body declares.
    own: BTreeSet<Var>,
    linear: BTreeMap<Var, Linear>,
    known: BTreeMap<Var, bool>,
    /// Variables that change and are i64.
    numbers: BTreeSet<Var>,
    /// Variables with truths that are simpler in the middle.
    decided: BTreeSet<Var>,
    limits: Vec<Limit>,
    near_zero: Vec<Exp>,
    /// Whether something is gained.
    pays: bool,
}

impl Middle {
    /// The middle of the loop `for counter < bound { body }`, where it is worth a loop of its own.
    pub(super) fn of(counter: Var, bound: &Exp, body: &[Statement]) -> Option<Middle> {
        let mut own = BTreeSet::from([counter]);
        let mut numbers = BTreeSet::new();
        for_each_statement(body, &mut |statement| {
            own.extend(statement.kind.declares());
            if let StatementKind::Declare { var, ty: ImpType::Prim(PrimType::I64), .. } = &statement.kind {
                numbers.insert(*var);
            }
        });
        let mut finder = Finder {
            counter,
            bound,
            own,
            linear: BTreeMap::new(),
            known: BTreeMap::new(),
            numbers,
            decided: BTreeSet::new(),
            limits: Vec::new(),
            near_zero: Vec::new(),
            pays: false,
        };
        let body = finder.body(body);
        (finder.pays && !finder.limits.is_empty()).then_some(Middle {
            body,
            limits: finder.limits,
            near_zero: finder.near_zero,
        })
    }
}

impl Finder<'_> {
    fn body(&mut self, body: &[Statement]) -> Vec<Statement> {
        let mut done = Vec::with_capacity(body.len());
        for statement in body {
            let mut kind = statement.kind.clone();
            if let StatementKind::If { condition, then, otherwise } = &mut kind {
                let before = condition.clone();
                *condition = self.exp(condition);
                let decided = self.is_decided(&before, condition);
                self.pays |= decided && (self.matters(then) || self.matters(otherwise));
                match is_true(condition) {
                    Some(holds) => {
                        done.extend(self.body(if holds { then } else { otherwise }));
                        continue;
                    }
                    None => {
                        *then = self.body(then);
                        *otherwise = self.body(otherwise);
                    }
                }
            } else {
                kind.for_each_exp_mut(&mut |exp| *exp = self.exp(exp));
            }
            if let (StatementKind::Let { value: before, .. }, StatementKind::Let { var, ty, value }) =
                (&statement.kind, &kind)
            {
                if *ty == PrimType::Bool && self.is_decided(before, value) {
                    self.decided.insert(*var);
                }
                if let (PrimType::I64, Some(linear)) = (ty, self.linear(value)) {
                    self.linear.insert(*var, linear);
                }
                if let Some(known) = is_true(value) {
                    self.known.insert(*var, known);
                }
            }
            done.push(Statement { kind, loc: statement.loc });
        }
        done
    }

    /// Whether a branch into this body keeps a loop from running in vectors: it reads or writes, or says where others do.
    fn matters(&self, body: &[Statement]) -> bool {
        let mut found = false;
        for_each_statement(body, &mut |statement| {
            statement.kind.for_each_exp(&mut |exp| found |= exp.reads());
            found |= match &statement.kind {
                StatementKind::Write { .. }
                | StatementKind::Accumulate { .. }
                | StatementKind::Atomic { .. } => true,
                StatementKind::Assign { var, .. } => self.numbers.contains(var),
                _ => false,
            };
        });
        found
    }

    /// Whether an expression is another one in the middle, by its own comparisons or by those of what it uses.
    fn is_decided(&self, before: &Exp, inside: &Exp) -> bool {
        let mut decided = before != inside;
        inside.for_each_var(&mut |var| decided |= self.decided.contains(&var));
        decided
    }

    /// The expression in the middle, which it adds to the limits of.
    fn exp(&mut self, exp: &Exp) -> Exp {
        let mut exp = exp.clone();
        exp.for_each_child_mut(&mut |child| *child = self.exp(child));
        let found = match &exp {
            Exp::Var(var) => self.known.get(var).map(|known| truth(*known)),
            Exp::Bin(op @ (BinOp::And | BinOp::Or), PrimType::Bool, x, y) => {
                // what decides, and what leaves the other one
                let decides = *op == BinOp::Or;
                match (is_true(x), is_true(y)) {
                    (Some(known), _) => Some(if known == decides { truth(decides) } else { (**y).clone() }),
                    (_, Some(known)) => Some(if known == decides { truth(decides) } else { (**x).clone() }),
                    (None, None) => None,
                }
            }
            Exp::Un(UnOp::Not, PrimType::Bool, x) => is_true(x).map(|known| truth(!known)),
            Exp::Select(condition, x, y) => {
                is_true(condition).map(|holds| if holds { (**x).clone() } else { (**y).clone() })
            }
            Exp::Bin(op, PrimType::I64, x, y) => match op {
                BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::Eq | BinOp::Ne => {
                    self.compare(*op, x, y)
                }
                BinOp::Min | BinOp::Max => self.clamp(*op, x, y),
                BinOp::Mod | BinOp::Rem => self.remainder(x, y),
                _ => None,
            },
            _ => None,
        };
        found.unwrap_or(exp)
    }

    /// What a comparison is in the middle.
    fn compare(&mut self, op: BinOp, x: &Exp, y: &Exp) -> Option<Exp> {
        let (x, y) = (self.linear(x)?, self.linear(y)?);
        let falls = x.counter < 0 || y.counter < 0;
        // from here on, counter + linear `op` other
        let (op, linear, other) = match (x.counter, y.counter) {
            (1, 0) => (op, x, y),
            (0, 1) => (mirrored(op), y, x),
            (-1, 0) => (mirrored(op), Linear { counter: 1, ..y }, Linear { counter: 0, ..x }),
            (0, -1) => (op, Linear { counter: 1, ..x }, Linear { counter: 0, ..y }),
            _ => return None,
        };
        if falls {
            self.near(&other.rest);
        }
        let above = self.is_low(&other.rest, &linear.rest);
        let (op, holds) = match (op, above) {
            (BinOp::Eq, true) => (BinOp::Gt, false),
            (BinOp::Eq, false) => (BinOp::Lt, false),
            (BinOp::Ne, true) => (BinOp::Gt, true),
            (BinOp::Ne, false) => (BinOp::Lt, true),
            (BinOp::Gt | BinOp::Ge, true) | (BinOp::Lt | BinOp::Le, false) => (op, true),
            (BinOp::Gt, false) => (BinOp::Le, false),
            (BinOp::Ge, false) => (BinOp::Lt, false),
            (BinOp::Lt, true) => (BinOp::Ge, false),
            (BinOp::Le, true) => (BinOp::Gt, false),
            _ => return None,
        };
        self.limit(op, linear.rest, other.rest);
        Some(truth(holds))
    }

    /// The operand of `min` or `max` that moves with the counter.
    fn clamp(&mut self, op: BinOp, x: &Exp, y: &Exp) -> Option<Exp> {
        let (left, right) = (self.linear(x)?, self.linear(y)?);
        let holds = if op == BinOp::Max { BinOp::Ge } else { BinOp::Le };
        let (chosen, linear, other) = match (left.counter, right.counter) {
            (1, 0) => (x, left, right),
            (0, 1) => (y, right, left),
            _ => return None,
        };
        // what is compared with must be at the end where the clamp acts
        if self.is_low(&other.rest, &linear.rest) != (op == BinOp::Max) {
            return None;
        }
        self.limit(holds, linear.rest, other.rest);
        self.pays = true;
        Some(chosen.clone())
    }

    /// What is left of a number that moves with the counter, divided by the bound of the loop: the number itself.
    fn remainder(&mut self, x: &Exp, divisor: &Exp) -> Option<Exp> {
        let linear = self.linear(x).filter(|linear| linear.counter == 1 && divisor == self.bound)?;
        self.limit(BinOp::Ge, linear.rest.clone(), Exp::i64(0));
        self.limit(BinOp::Lt, linear.rest, divisor.clone());
        self.pays = true;
        Some(x.clone())
    }

    /// The middle is where `counter + offset op number`.
    fn limit(&mut self, op: BinOp, offset: Exp, number: Exp) {
        let i64 = PrimType::I64;
        let clamped = |number| bin(BinOp::Max, i64, number, Exp::i64(-2 * FAR));
        let clamped = |number| bin(BinOp::Min, i64, clamped(number), Exp::i64(2 * FAR - 1));
        let within = if is_near(&number) { number } else { clamped(number) };
        let limit = added(BinOp::Sub, within, offset.clone());
        let next = || added(BinOp::Add, limit.clone(), Exp::i64(1));
        self.limits.push(match op {
            BinOp::Gt => Limit::From(next()),
            BinOp::Ge => Limit::From(limit),
            BinOp::Le => Limit::Below(next()),
            _ => Limit::Below(limit),
        });
        self.near(&offset);
    }

    /// There is no middle where this number is far from 0.
    fn near(&mut self, number: &Exp) {
        if !is_near(number) && !self.near_zero.contains(number) {
            self.near_zero.push(number.clone());
        }
    }

    /// Whether the counter reaches `number - offset` at its first iterations rather than at its last.
    fn is_low(&self, number: &Exp, offset: &Exp) -> bool {
        let constant = |exp: &Exp| if let Exp::Const(x) = exp { x.as_i64() } else { None };
        let (Some(number), Some(offset)) = (constant(number), constant(offset)) else { return false };
        constant(self.bound).is_none_or(|bound| number.saturating_sub(offset) < bound / 2)
    }

    /// How an i64 moves with the counter.
    fn linear(&self, exp: &Exp) -> Option<Linear> {
        if let Some(linear) = self.sum(exp) {
            return Some(linear);
        }
        self.is_fixed(exp).then(|| Linear { counter: 0, rest: exp.clone() })
    }

    fn sum(&self, exp: &Exp) -> Option<Linear> {
        match exp {
            Exp::Var(var) if *var == self.counter => Some(Linear { counter: 1, rest: Exp::i64(0) }),
            Exp::Var(var) => self.linear.get(var).cloned(),
            Exp::Bin(op @ (BinOp::Add | BinOp::Sub), PrimType::I64, x, y) if !self.is_fixed(exp) => {
                let (x, y) = (self.linear(x)?, self.linear(y)?);
                let counter = if *op == BinOp::Add { x.counter + y.counter } else { x.counter - y.counter };
                let rest = added(*op, x.rest, y.rest);
                ((-1..=1).contains(&counter) && size(&rest) <= 12).then_some(Linear { counter, rest })
            }
            _ => None,
        }
    }

    /// Whether an expression is the same in all iterations, and can be computed before them.
    fn is_fixed(&self, exp: &Exp) -> bool {
        let mut fixed = !exp.reads() && !can_fail(exp);
        exp.for_each_var(&mut |var| fixed &= !self.own.contains(&var));
        fixed && size(exp) <= 12
    }
}

/// Whether this is a constant nearer to 0 than [`FAR`].
fn is_near(number: &Exp) -> bool {
    matches!(number, Exp::Const(x) if x.as_i64().is_some_and(|x| (-FAR + 1..FAR).contains(&x)))
}

/// The sum or difference, where constants are put together.
fn added(op: BinOp, x: Exp, y: Exp) -> Exp {
    match (&x, &y) {
        (Exp::Const(a), Exp::Const(b)) => match (a.as_i64(), b.as_i64()) {
            (Some(a), Some(b)) => {
                Exp::i64(if op == BinOp::Add { a.wrapping_add(b) } else { a.wrapping_sub(b) })
            }
            _ => bin(op, PrimType::I64, x, y),
        },
        (_, Exp::Const(PrimValue::I64(0))) => x,
        (Exp::Const(PrimValue::I64(0)), _) if op == BinOp::Add => y,
        _ => bin(op, PrimType::I64, x, y),
    }
}

/// The comparison that holds when the operands are exchanged.
fn mirrored(op: BinOp) -> BinOp {
    match op {
        BinOp::Lt => BinOp::Gt,
        BinOp::Le => BinOp::Ge,
        BinOp::Gt => BinOp::Lt,
        BinOp::Ge => BinOp::Le,
        other => other,
    }
}

fn truth(holds: bool) -> Exp {
    Exp::Const(PrimValue::Bool(holds))
}

fn is_true(exp: &Exp) -> Option<bool> {
    if let Exp::Const(PrimValue::Bool(holds)) = exp { Some(*holds) } else { None }
}

fn size(exp: &Exp) -> usize {
    let mut total = 1;
    exp.for_each_child(&mut |child| total += size(child));
    total
}
