//! The iterations in the middle of a loop and those at its ends: which they are, and what the body is for them.

mod comparisons;

use super::linear::Linear;
use crate::imp::copy::count;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp};
use imp::ir::{Exp, ImpType, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

/// A bound of the iterations in the middle.
#[derive(Clone, PartialEq)]
pub(super) enum Limit {
    /// From this one on.
    From(Exp),
    /// Those before this one.
    Below(Exp),
}

/// The loops that a loop stands in, and itself.
#[derive(Clone, Copy)]
pub(super) struct Around<'s> {
    /// The counters of those around.
    pub(super) counters: &'s [Var],
    /// What they and the loop count up to, where those are variables that never change.
    pub(super) bounds: &'s [Exp],
    /// Variables that are sums of another one, which never changes, and a constant.
    pub(super) sums: &'s BTreeMap<Var, Exp>,
    /// Whether the loop is only asked to be in the middle as a whole: then a clamp may be one from above and below.
    pub(super) all_or_none: bool,
    /// Whether lanes run loops inside: a branch that all iterations take alike costs nothing beside these.
    pub(super) lanes_inside: bool,
}

/// The middle of a loop.
pub(super) struct Middle {
    /// The body, in which what is known there is constant.
    pub(super) body: Vec<Statement>,
    /// The body for the iterations before, where the limits from below are not all kept, and for those behind.
    pub(super) before: Vec<Statement>,
    pub(super) behind: Vec<Statement>,
    /// Which iterations they are.
    pub(super) limits: Vec<Limit>,
    /// Numbers that must be nearer to 0 than [`FAR`] for there to be a middle.
    pub(super) near_zero: Vec<Exp>,
    /// What else must hold for there to be one: that the loops around are in their middle.
    pub(super) assumed: Vec<Exp>,
}

/// A part of the iterations, in whose order they come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Before,
    Middle,
    Behind,
}

/// What is known of a comparison in a part of the iterations.
enum Known {
    /// It is as in the middle.
    Kept,
    /// It is so where this limit is kept, of which there is nothing known here.
    Limit(usize),
    /// Nothing.
    Open,
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
    part: Part,
    /// These three are found in the middle, and what the other parts may use.
    limits: Vec<Limit>,
    near_zero: Vec<Exp>,
    assumed: Vec<Exp>,
    /// Comparisons, the limits that they stand for, and what they are where those are not kept.
    comparisons: Vec<(Exp, usize, bool)>,
    /// What variables are where any of these limits is not kept.
    broken: BTreeMap<Var, (BTreeSet<usize>, bool)>,
    around: Around<'s>,
    /// The counters of loops inside, and their last values.
    inside: BTreeMap<Var, i64>,
    /// Whether a comparison that depends on those was assumed to hold.
    spread: bool,
    /// Whether something is gained.
    pays: bool,
    /// Truths that only assertions need, and whether one of them is looked at.
    asserted: &'s BTreeSet<Var>,
    asserting: bool,
    /// Whether comparisons with numbers that the program computes are taken to hold above these.
    above: bool,
    /// Whether the middle lacks an assertion, and whether it has one.
    checked: bool,
    may_fail: bool,
}

impl Middle {
    /// The middle of the loop `for counter < bound { body }`, where it is worth a loop of its own.
    pub(super) fn of(counter: Var, bound: &Exp, body: &[Statement], around: Around) -> Option<Middle> {
        let asserted = asserted(body);
        let with = |above| Middle::with((counter, bound), body, around, &asserted, above);
        let below = with(false);
        let above = if asserted.is_empty() { None } else { with(true) };
        let much = |middle: &Option<Middle>| middle.as_ref().map_or(0, |middle| count(&middle.body));
        if much(&above) > much(&below) { above } else { below }
    }

    fn with(
        (counter, bound): (Var, &Exp),
        body: &[Statement],
        around: Around,
        asserted: &BTreeSet<Var>,
        above: bool,
    ) -> Option<Middle> {
        let mut own = BTreeSet::from([counter]);
        let mut numbers = BTreeSet::new();
        for_each_statement(body, &mut |statement| {
            own.extend(statement.kind.declares());
            if let StatementKind::For { var, .. } = &statement.kind {
                own.insert(*var);
            }
            if let StatementKind::Declare { var, ty: ImpType::Prim(PrimType::I64), .. } = &statement.kind {
                numbers.insert(*var);
            }
        });
        let begin = |near_zero| Finder {
            counter,
            bound,
            own: own.clone(),
            linear: BTreeMap::new(),
            known: BTreeMap::new(),
            numbers: numbers.clone(),
            decided: BTreeSet::new(),
            part: Part::Middle,
            limits: Vec::new(),
            near_zero,
            assumed: Vec::new(),
            comparisons: Vec::new(),
            broken: BTreeMap::new(),
            around,
            inside: BTreeMap::new(),
            spread: false,
            pays: false,
            asserted,
            asserting: false,
            above,
            checked: false,
            may_fail: false,
        };
        let mut finder = begin(Vec::new());
        let mut middle = finder.body(body);
        if !finder.near_zero.is_empty() {
            // again with what is known now: one number then is one limit wherever it stands
            finder = begin(finder.near_zero);
            middle = finder.body(body);
        }
        // (what is the same in all iterations compilers decide before the loop)
        if !finder.pays || finder.may_fail || (finder.limits.is_empty() && !finder.spread && !finder.checked)
        {
            return None;
        }
        let [before, behind] = [Part::Before, Part::Behind].map(|part| {
            finder.part = part;
            finder.linear.clear();
            finder.known.clear();
            finder.decided.clear();
            finder.comparisons.clear();
            finder.broken.clear();
            finder.body(body)
        });
        let Finder { limits, near_zero, assumed, .. } = finder;
        Some(Middle { body: middle, before, behind, limits, near_zero, assumed })
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
                self.asserting = match &kind {
                    StatementKind::Let { var, .. } => self.asserted.contains(var),
                    kind => matches!(kind, StatementKind::Assert { .. }),
                };
                kind.for_each_exp_mut(&mut |exp| *exp = self.exp(exp));
                self.asserting = false;
            }
            if let StatementKind::Assert { condition, .. } = &kind {
                if is_true(condition) == Some(true) {
                    (self.pays, self.checked) = (true, true);
                    continue;
                }
                self.may_fail |= self.part == Part::Middle;
            }
            if let StatementKind::For { var, bound: Exp::Const(count), body, .. } = &mut kind {
                self.inside.extend(count.as_i64().map(|count| (*var, count - 1)));
                *body = self.body(body);
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
                    // what uses it has the constant
                    self.known.insert(*var, known);
                    continue;
                }
                if let Some(broken) = self.broken(value) {
                    self.broken.insert(*var, broken);
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
                | StatementKind::Atomic { .. }
                | StatementKind::Lock { .. }
                | StatementKind::Ordered { .. }
                | StatementKind::Shuffle { .. } => true,
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
        let exp = found.unwrap_or(exp);
        let every = |limits: &BTreeSet<usize>| self.limits_here().all(|limit| limits.contains(&limit));
        match self.broken(&exp) {
            Some((limits, value)) if every(&limits) => truth(value),
            _ => exp,
        }
    }
}

/// The part in which a limit may not be kept.
fn part_of(limit: &Limit) -> Part {
    if matches!(limit, Limit::From(_)) { Part::Before } else { Part::Behind }
}

fn truth(holds: bool) -> Exp {
    Exp::Const(PrimValue::Bool(holds))
}

fn is_true(exp: &Exp) -> Option<bool> {
    if let Exp::Const(PrimValue::Bool(holds)) = exp { Some(*holds) } else { None }
}

/// The truths of a body that only assertions need.
fn asserted(body: &[Statement]) -> BTreeSet<Var> {
    let (mut asserted, mut others) = (BTreeSet::new(), BTreeSet::new());
    let mut made_of: BTreeMap<Var, Vec<Var>> = BTreeMap::new();
    for_each_statement(body, &mut |statement| {
        let mut used = Vec::new();
        statement.kind.for_each_exp(&mut |exp| exp.for_each_var(&mut |var| used.push(var)));
        match &statement.kind {
            StatementKind::Assert { condition, .. } => {
                condition.for_each_var(&mut |var| _ = asserted.insert(var))
            }
            StatementKind::Let { var, ty: PrimType::Bool, .. } => _ = made_of.insert(*var, used),
            _ => others.extend(used),
        }
    });
    let reach = |from: BTreeSet<Var>| {
        let (mut reached, mut open) = (BTreeSet::new(), Vec::from_iter(from));
        while let Some(var) = open.pop() {
            if let Some(used) = made_of.get(&var).filter(|_| reached.insert(var)) {
                open.extend(used);
            }
        }
        reached
    };
    let others = reach(others);
    reach(asserted).into_iter().filter(|var| !others.contains(var)).collect()
}
