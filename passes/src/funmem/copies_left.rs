//! The copies of arrays that a program still makes after the passes on memory, each with the reason why short-circuiting left it.

use super::short_circuit::refusal::{Reason, Refusal};
use fun::ir::Combine;
use fun::visit::for_each_body;
use fun_base::name::{Symbol, Var};
use fun_base::source::Loc;
use funmem::copies::Places;
use funmem::ir::{Binder, Body, Exp, Program, Statement};
use std::collections::BTreeMap;

/// A copy.
#[derive(Clone, PartialEq, Debug)]
pub struct CopyLeft {
    /// The function that makes it.
    pub function: Symbol,
    /// What is copied.
    pub value: Var,
    /// Where that is bound.
    pub value_loc: Option<Loc>,
    /// What copies: `update`, `concat`, …
    pub by: &'static str,
    /// What it is copied into.
    pub into: Option<Var>,
    /// Where the copy is made.
    pub loc: Option<Loc>,
    /// How many loops and kernels it stands in.
    pub depth: usize,
    /// Why; `None` where short-circuiting does not look.
    pub reason: Option<Reason>,
}

/// The copies of a program, in its order. `refusals` are those of a program before, whose variables kept their names.
pub fn copies_left(program: &Program, refusals: &[Refusal]) -> Vec<CopyLeft> {
    let reasons = refusals.iter().map(|refusal| ((refusal.value, refusal.into), &refusal.reason)).collect();
    let mut finder =
        Finder { places: Places::of(program), reasons, locs: BTreeMap::new(), found: Vec::new() };
    for function in &program.functions {
        finder.body(&function.body, function.name, 0);
    }
    let Finder { locs, mut found, .. } = finder;
    for copy in &mut found {
        copy.value_loc = locs.get(&copy.value).copied();
    }
    found
}

struct Finder<'r> {
    places: Places,
    /// By what is copied and what it is copied into.
    reasons: BTreeMap<(Var, Option<Var>), &'r Reason>,
    /// Where arrays are bound.
    locs: BTreeMap<Var, Loc>,
    found: Vec<CopyLeft>,
}

impl Finder<'_> {
    fn body(&mut self, body: &Body, function: Symbol, depth: usize) {
        for statement in &body.statements {
            self.statement(statement, function, depth);
        }
    }

    fn statement(&mut self, statement: &Statement, function: Symbol, depth: usize) {
        let Statement { pattern, exp, loc } = statement;
        if let Some(loc) = loc {
            self.locs.extend(pattern.iter().map(|binder| (binder.var, *loc)));
        }
        let inside = depth + usize::from(matches!(exp, Exp::Loop { .. } | Exp::Kernel { .. }));
        if let (Exp::Loop { params, .. }, Some(loc)) = (exp, loc) {
            self.locs.extend(params.iter().map(|param| (param.binder.var, *loc)));
        }
        for_each_body(exp, &mut |inner| self.body(inner, function, inside));
        let by = word(exp);
        for value in self.places.moved(statement) {
            let binder = into(statement, value);
            // The results of a kernel's body are copied at its end, for which a refusal has no statement.
            let at = if matches!(exp, Exp::Kernel { .. }) { None } else { binder };
            let reason = self.reasons.get(&(value, at)).map(|reason| (*reason).clone());
            let depth = if at.is_none() { inside } else { depth };
            let (into, loc, value_loc) = (binder, *loc, None);
            self.found.push(CopyLeft { function, value, value_loc, by, into, loc, depth, reason });
        }
    }
}

/// The binder that the value goes into.
fn into(statement: &Statement, value: Var) -> Option<Var> {
    let var = |binder: &Binder| binder.var;
    if let Exp::Kernel { body, combine, .. } = &statement.exp {
        // the first result of a scatter's body is the index
        let skip = usize::from(matches!(combine, Combine::Scatter { .. }));
        let at = body.results.iter().skip(skip).position(|result| result.as_var() == Some(value))?;
        return statement.pattern.get(at).map(var);
    }
    statement.pattern.first().map(var)
}

/// What a statement that copies is called.
fn word(exp: &Exp) -> &'static str {
    match exp {
        Exp::Copy(_) => "copy",
        Exp::Concat { .. } => "concat",
        Exp::ArrayLiteral { .. } => "array literal",
        Exp::Update { .. } => "update",
        Exp::Kernel { combine: Combine::Scatter { .. }, .. } => "scatter",
        _ => "row of a result",
    }
}
