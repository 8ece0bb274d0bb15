//! Tail calls: a function whose calls of itself are the last thing that it does becomes a loop.
//!
//! ```text
//! fun gcd (a_0: i64) (b_1: i64) : (r_2: i64) = {
//!   let (c_3: bool) = eq.i64 b_1 0i64
//!   let (x_4: i64) = if c_3 {
//!     in (a_0)
//!   } else {
//!     let (m_5: i64) = mod.i64 a_0 b_1
//!     let (y_6: i64) = call gcd b_1 m_5
//!     in (y_6)
//!   }
//!   in (x_4)
//! }
//! ```
//! becomes
//! ```text
//! fun gcd (a_0: i64) (b_1: i64) : (r_2: i64) = {
//!   let (c_7: bool) = eq.i64 b_1 0i64
//!   let (go_8: bool) = not c_7
//!   let (go_9: bool) (a_10: i64) (b_11: i64) = loop (go_12: bool = go_8) (a_13: i64 = a_0) (b_14: i64 = b_1) while go_12 {
//!     let (m_15: i64) = mod.i64 a_13 b_14
//!     let (c_16: bool) = eq.i64 m_15 0i64
//!     let (go_17: bool) = not c_16
//!     in (go_17, b_14, m_15)
//!   }
//!   in (a_10)
//! }
//! ```
//!
//! The body falls into three: the *test*, whether the function calls itself, the *step*, the arguments of that call, and the *end*, the results
//! without one. The loop repeats test and step. So depth costs nothing, the memory passes see arrays that a loop carries along, and
//! what does not call itself can be inlined.
//!
//! # When
//! - All calls of the function by itself are its last act, in arms of branches that are the last act themselves; some arm has none.
//! - The test costs next to nothing: scalars, reads, views. Array operations before a branch belong to step and end. What may stop the program before
//!   a branch belongs to the test, so that it stops for the same reason as before; scalars of the outermost test are computed once.
//!
//! Parameters that every call passes on as they are stay outside of the loop. Requires and ensures F1–F9. Cost: linear; code before branches stands
//! up to four times.

use super::simplify::dead::may_stop;
use fun::ir::{Atom, Binder, Body, Exp, Fun, Function, LoopForm, LoopParam, Program, Statement, Type};
use fun::visit::calls::calls_in;
use fun::visit::names::{Subst, free_in_body, name_source, rename_body, subst_type};
use fun::visit::{Walk, for_each_body, walk_statement};
use fun_base::name::{NameSource, Symbol, Var};
use fun_base::prim::{PrimType, PrimValue, UnOp};
use std::collections::BTreeSet;

const BOOL: Type = Type::Prim(PrimType::Bool);

/// Makes loops of the functions of a program that can be.
pub fn run(mut program: Program) -> Program {
    let mut names = name_source(&program);
    for function in &mut program.functions {
        if let Some(body) = as_loop(function, &mut names) {
            function.body = body;
        }
    }
    program
}

/// What the last act of a body is.
enum Last<'b> {
    /// The function calls itself with these.
    Call(&'b [Atom]),
    /// Something else.
    Other,
    /// One of two bodies decides.
    Branch(Atom, &'b Body, &'b Body),
}

/// What a body does before its last act, and that.
fn last(body: &Body, function: Symbol) -> (&[Statement], Last<'_>) {
    let Some((statement, before)) = body.statements.split_last() else { return (&[], Last::Other) };
    let given = statement.pattern.iter().map(|binder| Atom::Var(binder.var));
    if !given.eq(body.results.iter().copied()) {
        return (&body.statements, Last::Other);
    }
    match &statement.exp {
        Exp::Call { function: callee, args } if *callee == function => (before, Last::Call(args)),
        Exp::If { condition, then, otherwise } => (before, Last::Branch(*condition, then, otherwise)),
        _ => (&body.statements, Last::Other),
    }
}

/// The arguments of all calls that are a body's last act, and whether some arm has another last act.
fn calls<'b>(body: &'b Body, function: Symbol, found: &mut Vec<&'b [Atom]>) -> bool {
    match last(body, function).1 {
        Last::Call(args) => {
            found.push(args);
            false
        }
        Last::Other => true,
        Last::Branch(_, then, otherwise) => {
            let ends = calls(then, function, found);
            calls(otherwise, function, found) || ends
        }
    }
}

/// The function's body with a loop for its calls of itself, if they can be one.
fn as_loop(function: &Function, names: &mut NameSource) -> Option<Body> {
    let mut found = Vec::new();
    let ends = calls(&function.body, function.name, &mut found);
    if !ends || found.is_empty() || calls_in(function).get(&function.name) != Some(&found.len()) {
        return None;
    }
    let is_passed_on =
        |at: usize, var: Var| found.iter().all(|args| args.get(at).and_then(|arg| arg.as_var()) == Some(var));
    let binders = function.params.iter().map(|param| &param.binder).enumerate();
    let varying: Vec<usize> =
        binders.filter(|(at, binder)| !is_passed_on(*at, binder.var)).map(|(at, _)| at).collect();
    let loc = function.body.statements.last().and_then(|statement| statement.loc);

    let mut split = Split { function, varying: &varying, names };
    let mut test = split.test(&function.body)?;
    // The scalars of the test are at hand afterwards.
    let at_hand: BTreeSet<Var> = scalars(&test.statements).map(|binder| binder.var).collect();
    let mut rest = function.body.clone();
    rest.statements.retain(|statement| !statement.pattern.iter().any(|binder| at_hand.contains(&binder.var)));
    let step = split.prune(&rest, Part::Step)?;
    let end = split.prune(&rest, Part::End)?;
    let used = free_in_body(&rest);
    let carried = scalars(&test.statements).filter(|binder| used.contains(&binder.var)).cloned();
    let mut carried: Vec<Binder> = carried.collect();
    test.results.extend(carried.iter().map(|binder| Atom::Var(binder.var)));
    let params = varying.iter().map(|at| function.params[*at].binder.clone());

    let first = rename_body(names, Subst::new(), &test);
    let inits = first.results.into_iter().chain(params.clone().map(|binder| Atom::Var(binder.var)));
    let mut statements = first.statements;
    let scalars = carried.len();
    carried.extend(params);
    let state = |names: &mut NameSource| {
        let fresh: Vec<Var> = carried.iter().map(|binder| names.fresh_like(binder.var)).collect();
        let known = carried.iter().map(|binder| binder.var).zip(fresh.iter().copied().map(Atom::Var));
        let known: Subst = known.collect();
        let binder = |(old, var): (&Binder, Var)| Binder { var, ty: subst_type(&known, &old.ty) };
        let go = Binder { var: names.fresh("go"), ty: BOOL };
        let binders = std::iter::once(go).chain(carried.iter().zip(fresh).map(binder));
        (binders.collect::<Vec<Binder>>(), known)
    };
    let (params, inside) = state(names);
    let (pattern, after) = state(names);

    let step = rename_body(names, inside, &step);
    let args = carried[scalars..].iter().map(|binder| binder.var).zip(step.results.iter().copied());
    let again = rename_body(names, args.collect(), &test);
    let mut inner = step.statements;
    inner.extend(again.statements);
    let body = Body { statements: inner, results: again.results.into_iter().chain(step.results).collect() };
    let form = LoopForm::While(params[0].var);
    let params = params.into_iter().zip(inits).map(|(binder, init)| LoopParam { binder, init });
    let exp = Exp::Loop { params: params.collect(), form, body };
    statements.push(Statement { pattern, exp, loc });
    let end = rename_body(names, after, &end);
    statements.extend(end.statements);
    Some(Body { statements, results: end.results })
}

/// The scalars that statements bind.
fn scalars(statements: &[Statement]) -> impl Iterator<Item = &Binder> {
    let all = |statement: &&Statement| statement.pattern.iter().all(|binder| binder.ty.rank() == 0);
    statements.iter().filter(all).flat_map(|statement| &statement.pattern)
}

/// What of the function is wanted.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    /// The arguments of the call, where it calls itself.
    Step,
    /// The results, where it does not.
    End,
}

struct Split<'f> {
    function: &'f Function,
    /// The positions of the parameters that change from call to call.
    varying: &'f [usize],
    names: &'f mut NameSource,
}

impl Split<'_> {
    /// Whether the function calls itself, as a body; `None` if that costs too much.
    fn test(&mut self, body: &Body) -> Option<Body> {
        let answer =
            |go: bool| Body { statements: Vec::new(), results: vec![Atom::Const(PrimValue::Bool(go))] };
        let (before, condition, then, otherwise) = match last(body, self.function.name) {
            (_, Last::Call(_)) => return Some(answer(true)),
            (_, Last::Other) => return Some(answer(false)),
            (before, Last::Branch(condition, then, otherwise)) => (before, condition, then, otherwise),
        };
        let (then, otherwise) = (self.test(then)?, self.test(otherwise)?);
        let go = Binder { var: self.names.fresh("go"), ty: BOOL };
        let exp = if then == otherwise && then.statements.is_empty() {
            Exp::Atom(then.results[0])
        } else if then == answer(true) && otherwise == answer(false) {
            Exp::Atom(condition)
        } else if then == answer(false) && otherwise == answer(true) {
            Exp::Un(UnOp::Not, PrimType::Bool, condition)
        } else {
            Exp::If { condition, then, otherwise }
        };
        let results = vec![Atom::Var(go.var)];
        let decide = Statement { pattern: vec![go], exp, loc: None };
        let mut needed = Needed::default();
        walk_statement(&mut needed, &decide);
        let mut statements = vec![decide];
        for statement in before.iter().rev() {
            let is_needed = statement.pattern.iter().any(|binder| needed.0.contains(&binder.var));
            if !is_needed && !may_stop(&statement.exp) {
                continue;
            }
            if !is_cheap(&statement.exp) {
                return None;
            }
            walk_statement(&mut needed, statement);
            statements.push(statement.clone());
        }
        statements.reverse();
        Some(Body { statements, results })
    }

    /// The body with those of its arms that are of this part; what the test has asserted is not asserted again.
    fn prune(&mut self, body: &Body, part: Part) -> Option<Body> {
        let (before, condition, then, otherwise) = match last(body, self.function.name) {
            (before, Last::Call(args)) => {
                let results = self.varying.iter().map(|at| args[*at]).collect();
                return (part == Part::Step).then(|| Body { statements: before.to_vec(), results });
            }
            (_, Last::Other) => return (part == Part::End).then(|| body.clone()),
            (before, Last::Branch(condition, then, otherwise)) => (before, condition, then, otherwise),
        };
        let asserted = |statement: &&Statement| !matches!(statement.exp, Exp::Assert { .. });
        let mut statements: Vec<Statement> = before.iter().filter(asserted).cloned().collect();
        let results = match (self.prune(then, part), self.prune(otherwise, part)) {
            (None, None) => return None,
            (Some(only), None) | (None, Some(only)) => {
                statements.extend(only.statements);
                only.results
            }
            (Some(then), Some(otherwise)) => {
                let pattern = self.pattern(part);
                let results = pattern.iter().map(|binder| Atom::Var(binder.var)).collect();
                let exp = Exp::If { condition, then, otherwise };
                let loc = body.statements.last().and_then(|statement| statement.loc);
                statements.push(Statement { pattern, exp, loc });
                results
            }
        };
        Some(Body { statements, results })
    }

    /// New variables for what a part gives.
    fn pattern(&mut self, part: Part) -> Vec<Binder> {
        let binders: Vec<&Binder> = match part {
            Part::Step => self.varying.iter().map(|at| &self.function.params[*at].binder).collect(),
            Part::End => self.function.results.iter().map(|result| &result.binder).collect(),
        };
        let fresh: Vec<Var> = binders.iter().map(|binder| self.names.fresh_like(binder.var)).collect();
        let known: Subst =
            binders.iter().map(|binder| binder.var).zip(fresh.iter().copied().map(Atom::Var)).collect();
        let binder = |(old, var): (&&Binder, Var)| Binder { var, ty: subst_type(&known, &old.ty) };
        binders.iter().zip(fresh).map(binder).collect()
    }
}

/// The variables that statements use.
#[derive(Default)]
struct Needed(BTreeSet<Var>);

impl Walk<Fun> for Needed {
    fn atom(&mut self, atom: &Atom) {
        self.0.extend(atom.as_var());
    }
}

/// Whether computing this again in each iteration costs next to nothing.
fn is_cheap(exp: &Exp) -> bool {
    let mut cheap = matches!(
        exp,
        Exp::Atom(_)
            | Exp::Bin(..)
            | Exp::Un(..)
            | Exp::Fma(..)
            | Exp::Convert { .. }
            | Exp::Index { .. }
            | Exp::Assert { .. }
            | Exp::If { .. }
            | Exp::Slice { .. }
            | Exp::Permute { .. }
            | Exp::Reshape { .. }
            | Exp::Reverse { .. }
    );
    let mut inside = |body: &Body| cheap &= body.statements.iter().all(|statement| is_cheap(&statement.exp));
    for_each_body(exp, &mut inside);
    cheap
}
