//! Loops in vectors whose branch goes one way throughout, where something that is the same in all iterations says so, do without it there.
//!
//! ```text
//! for k < n simd {
//!   let rim = or.bool(eq.i64(i, 0), eq.i64(k, 0))
//!   if rim { … } else { … }
//! }
//! ```
//! becomes
//! ```text
//! if eq.i64(i, 0) {
//!   for k < n simd { let rim = …  … }           the first arm alone
//! } else {
//!   for k < n simd { …  if rim { … } else { … } }
//! }
//! ```
//! These are the rows of a stencil that lie on its rim as a whole: `split-rims` makes loops without branches of the other rows. (Loop unswitching: Allen and Cocke, A Catalogue of
//! Optimizing Transformations, 1972.) Vectors compute both arms, with what happens to be in the lanes that do not want one: numbers so small that processors take a hundred
//! cycles for a sum (a stencil of seven points took 9.6 ms, 5.0 of them for such rows).
//!
//! Done for innermost loops of one branch, whose condition is the same in all iterations, or a disjunction (or a conjunction, for the second arm) of scalars of which some are; these, if
//! they are computed by operators that cannot stop the program, are asked for before the loop.
//!
//! Requires and ensures I1–I10. Cost: linear in the size of the program; such a loop is there twice, so large ones stay.

use super::copy::{can_fail, count, fresh, has_loops, is_fixed};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use imp::build::{Builder, bin};
use imp::ir::{Exp, ImpType, LoopKind, Program, Statement, StatementKind};
use imp::visit::{for_each_statement, names_after};
use std::collections::{BTreeMap, BTreeSet};

/// The most statements of a loop.
const MOST: usize = 100;

/// Does so in a program.
pub fn run(mut program: Program) -> Program {
    let mut builder = Builder::new(names_after(&program));
    for procedure in &mut program.procedures {
        statements(&mut procedure.body, &mut builder);
    }
    program
}

fn statements(list: &mut Vec<Statement>, b: &mut Builder) {
    let mut done = Vec::with_capacity(list.len());
    for mut statement in std::mem::take(list) {
        if let Some(switch) = Switch::of(&statement) {
            b.loc = statement.loc;
            let (unswitched, ()) = b.nested(|b| switch.unswitch(&statement, b));
            done.extend(unswitched);
            continue;
        }
        statement.kind.for_each_body_mut(&mut |body| statements(body, b));
        done.push(statement);
    }
    *list = done;
}

/// A loop with a branch that something outside may decide.
struct Switch<'s> {
    body: &'s [Statement],
    /// Where the branch stands.
    at: usize,
    /// Whether one of `asked` decides for the first arm by being true, or for the second by being false.
    first: bool,
    /// Whether they are the condition.
    all: bool,
    /// The parts of the condition that are the same in all iterations.
    asked: Exp,
    /// What they are computed by.
    known: Vec<&'s Statement>,
}

impl<'s> Switch<'s> {
    fn of(statement: &'s Statement) -> Option<Switch<'s>> {
        let StatementKind::For { var, kind: LoopKind::Simd | LoopKind::Par, body, .. } = &statement.kind
        else {
            return None;
        };
        if has_loops(body) || count(body) > MOST {
            return None;
        }
        let is_branch = |statement: &Statement| matches!(statement.kind, StatementKind::If { .. });
        let at = body.iter().position(is_branch)?;
        let StatementKind::If { condition, .. } = &body[at].kind else { return None };
        // (what may stop the program in the condition would go with the branch)
        if body[at + 1..].iter().any(is_branch) || can_fail(condition) {
            return None;
        }
        let lets: BTreeMap<Var, &Exp> = body[..at].iter().filter_map(let_of).collect();
        let named = |exp: &'s Exp| match exp {
            Exp::Var(var) => lets.get(var).copied().unwrap_or(exp),
            _ => exp,
        };
        // what changes from one iteration to the next
        let mut changing: BTreeSet<Var> = body.iter().filter_map(|inner| inner.kind.declares()).collect();
        changing.insert(*var);
        let mut known = Vec::new();
        for statement in &body[..at] {
            if let Some((var, value)) = let_of(statement)
                && is_known(value, &changing)
            {
                changing.remove(&var);
                known.push(statement);
            }
        }
        let all = is_known(condition, &changing);
        let first = match named(condition) {
            Exp::Bin(BinOp::And, PrimType::Bool, ..) => false,
            Exp::Bin(BinOp::Or, PrimType::Bool, ..) => true,
            _ if all => true,
            _ => return None,
        };
        let op = if first { BinOp::Or } else { BinOp::And };
        let mut asked: Vec<Exp> = Vec::new();
        let (mut parts, mut seen) = (vec![condition], BTreeSet::new());
        while let Some(part) = parts.pop() {
            // (a part may be there often)
            if matches!(part, Exp::Var(var) if !seen.insert(*var)) {
                continue;
            }
            match named(part) {
                _ if is_known(part, &changing) => asked.push(part.clone()),
                Exp::Bin(other, PrimType::Bool, x, y) if *other == op => parts.extend([&**x, &**y]),
                _ => {}
            }
        }
        if asked.iter().all(|part| matches!(part, Exp::Const(_))) {
            return None;
        }
        let mut needed = BTreeSet::new();
        asked.iter().for_each(|part| part.for_each_var(&mut |var| _ = needed.insert(var)));
        known.reverse();
        known.retain(|statement| {
            let is_needed = statement.kind.declares().is_some_and(|var| needed.contains(&var));
            if is_needed {
                statement.kind.for_each_exp(&mut |exp| exp.for_each_var(&mut |var| _ = needed.insert(var)));
            }
            is_needed
        });
        known.reverse();
        let asked = asked.into_iter().reduce(|x, y| bin(op, PrimType::Bool, x, y))?;
        Some(Switch { body, at, first, all, asked, known })
    }

    fn unswitch(&self, whole: &Statement, b: &mut Builder) {
        let mut before: Vec<Statement> = self.known.iter().map(|statement| (*statement).clone()).collect();
        // (with what it uses, which gets other names)
        let (var, value) = (b.names.fresh("decided"), self.asked.clone());
        before
            .push(Statement { kind: StatementKind::Let { var, ty: PrimType::Bool, value }, loc: whole.loc });
        let before = fresh(&before, &mut b.names);
        let Some(decided) = before.last().and_then(|statement| statement.kind.declares()) else {
            unreachable!("invariant: the last one was declared here")
        };
        b.push_all(before);
        let one_way = fresh(&[self.with_arm(whole, self.first)], &mut b.names);
        let rest = vec![if self.all { self.with_arm(whole, !self.first) } else { whole.clone() }];
        let (then, otherwise) = if self.first { (one_way, rest) } else { (rest, one_way) };
        b.push(StatementKind::If { condition: decided.into(), then, otherwise });
    }

    /// The loop with one arm in place of the branch.
    fn with_arm(&self, whole: &Statement, first: bool) -> Statement {
        let mut whole = whole.clone();
        if let (StatementKind::For { body, .. }, StatementKind::If { then, otherwise, .. }) =
            (&mut whole.kind, &self.body[self.at].kind)
        {
            let arm = if first { then } else { otherwise };
            body.splice(self.at..=self.at, arm.iter().cloned());
            name_results(body);
        }
        whole
    }
}

/// Variables for the results of a branch that is gone, which its arm assigned once, are names of these: what is written then is seen to be what was read.
fn name_results(body: &mut Vec<Statement>) {
    let mut assigned: BTreeMap<Var, usize> = BTreeMap::new();
    for_each_statement(body, &mut |statement| {
        if let StatementKind::Assign { var, .. } = &statement.kind {
            *assigned.entry(*var).or_default() += 1;
        }
    });
    let once = |statement: &Statement| match &statement.kind {
        // (not inside of another branch)
        StatementKind::Assign { var, .. } if assigned.get(var) == Some(&1) => Some(*var),
        _ => None,
    };
    let once: BTreeSet<Var> = body.iter().filter_map(once).collect();
    let mut types = BTreeMap::new();
    body.retain(|statement| match &statement.kind {
        StatementKind::Declare { var, ty: ImpType::Prim(ty), value: None } if once.contains(var) => {
            types.insert(*var, *ty);
            false
        }
        _ => true,
    });
    for statement in body {
        if let StatementKind::Assign { var, value } = &statement.kind
            && let Some(ty) = types.get(var)
        {
            statement.kind = StatementKind::Let { var: *var, ty: *ty, value: value.clone() };
        }
    }
}

fn let_of(statement: &Statement) -> Option<(Var, &Exp)> {
    match &statement.kind {
        StatementKind::Let { var, value, .. } => Some((*var, value)),
        _ => None,
    }
}

/// Whether an expression is the same in all iterations, and may be evaluated before them.
fn is_known(exp: &Exp, changing: &BTreeSet<Var>) -> bool {
    is_fixed(exp, changing) && !can_fail(exp)
}
