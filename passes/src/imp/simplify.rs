//! Folds constants, forwards names of scalars, and drops what has no effect: unused `let`s and views, what is assigned to variables that nothing
//! depends on, what is written to arrays that nothing reads, blocks of frames and groups that nothing looks at, writes of what lies there
//! already, branches that are never taken, empty loops and assertions that hold. Asks once how many threads there are ([`threads`]).
//!
//! Keeps every failing operator that the program would reach: only expressions that cannot fail are dropped. Cost: linear in the
//! size of the program, times the number of nested dead bodies.

mod exp;
mod threads;
mod unchanged;
mod unneeded;
mod unread;

use super::copy::can_fail;
use exp::fold;
use fun_base::name::Var;
use fun_base::prim::PrimValue;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use imp::ir::{Exp, ImpType, Procedure, Program, Statement, StatementKind};
use imp::visit::names_after;
use std::collections::{BTreeMap, BTreeSet};
use unchanged::drop_unchanged;
use unneeded::unneeded_variables;
use unread::{drop_unseen_blocks, unread_views};

/// The simplified program.
pub fn run(mut program: Program) -> Program {
    let mut names = names_after(&program);
    for procedure in &mut program.procedures {
        simplify(procedure);
        threads::ask_once(procedure, &mut names);
    }
    program
}

fn simplify(procedure: &mut Procedure) {
    let mut forward = Forward::default();
    forward.fixed.extend(procedure.params.iter().map(|(var, _)| *var));
    let body = std::mem::take(&mut procedure.body);
    forward.statements(body, &mut procedure.body);
    let mut used = BTreeSet::new();
    for (result, ty) in &mut procedure.results {
        if let ImpType::Prim(_) = ty {
            forward.exp(result);
        }
        result.for_each_var(&mut |var| {
            used.insert(var);
        });
    }
    drop_unchanged(procedure);
    let idle = Idle { views: unread_views(procedure), variables: unneeded_variables(procedure) };
    drop_unused(&mut procedure.body, &mut used, &idle);
    drop_unseen_blocks(procedure);
}

/// Forward: what variables are known to be, and which statements are left.
#[derive(Default)]
struct Forward {
    /// Scalars that are never assigned.
    fixed: BTreeSet<Var>,
    /// Constants and other names for `let`s.
    known: BTreeMap<Var, Exp>,
}

impl Forward {
    fn statements(&mut self, statements: Vec<Statement>, out: &mut Vec<Statement>) {
        for mut statement in statements {
            statement.kind.for_each_exp_mut(&mut |exp| self.exp(exp));
            match &mut statement.kind {
                StatementKind::Let { var, value, .. } => {
                    self.fixed.insert(*var);
                    let name = matches!(value, Exp::Var(other) if self.fixed.contains(other));
                    if name || matches!(value, Exp::Const(_)) {
                        self.known.insert(*var, value.clone());
                    }
                }
                StatementKind::View { lmad, .. } => *lmad = self.lmad(lmad),
                StatementKind::If { condition: Exp::Const(condition), then, otherwise } => {
                    // Names are unique, so the statements of the branch can stand in its place.
                    let taken = if *condition == PrimValue::Bool(true) { then } else { otherwise };
                    self.statements(std::mem::take(taken), out);
                    continue;
                }
                StatementKind::For { var, bound, .. } => {
                    if let Exp::Const(bound) = bound
                        && bound.as_int().is_some_and(|bound| bound <= 0)
                    {
                        continue;
                    }
                    self.fixed.insert(*var);
                }
                StatementKind::While { condition: Exp::Const(PrimValue::Bool(false)), .. }
                | StatementKind::Assert { condition: Exp::Const(PrimValue::Bool(true)), .. } => continue,
                StatementKind::Declare { .. }
                | StatementKind::Assign { .. }
                | StatementKind::Alloc { .. }
                | StatementKind::Share(_)
                | StatementKind::Free(_)
                | StatementKind::Window { .. }
                | StatementKind::Write { .. }
                | StatementKind::Accumulate { .. }
                | StatementKind::Atomic { .. }
                | StatementKind::Lock { .. }
                | StatementKind::Ordered { .. }
                | StatementKind::Shuffle { .. }
                | StatementKind::Copy { .. }
                | StatementKind::While { .. }
                | StatementKind::If { .. }
                | StatementKind::Assert { .. }
                | StatementKind::Call { .. } => {}
            }
            statement.kind.for_each_body_mut(&mut |body| {
                let inner = std::mem::take(body);
                self.statements(inner, body);
            });
            out.push(statement);
        }
    }

    fn exp(&self, exp: &mut Exp) {
        exp.for_each_child_mut(&mut |child| self.exp(child));
        if let Exp::Var(var) = exp
            && let Some(known) = self.known.get(var)
        {
            *exp = known.clone();
        }
        fold(exp);
    }

    fn lmad(&self, lmad: &Lmad) -> Lmad {
        lmad.subst(&mut |var| match self.known.get(&var) {
            Some(Exp::Const(PrimValue::I64(size))) => Poly::constant(*size),
            Some(Exp::Var(other)) => Poly::var(*other),
            _ => Poly::var(var),
        })
    }
}

/// What goes nowhere.
struct Idle {
    /// Views of blocks that nothing reads.
    views: BTreeSet<Var>,
    /// Variables that nothing depends on.
    variables: BTreeSet<Var>,
}

/// Backward: drops statements without effect whose variable nobody uses.
fn drop_unused(body: &mut Vec<Statement>, used: &mut BTreeSet<Var>, idle: &Idle) {
    let mut kept = Vec::with_capacity(body.len());
    for mut statement in std::mem::take(body).into_iter().rev() {
        statement.kind.for_each_body_mut(&mut |inner| drop_unused(inner, used, idle));
        if has_effect(&statement.kind, used, idle) {
            statement.kind.for_each_use(&mut |var| {
                used.insert(var);
            });
            kept.push(statement);
        }
    }
    kept.reverse();
    *body = kept;
}

fn has_effect(kind: &StatementKind, used: &BTreeSet<Var>, idle: &Idle) -> bool {
    let fails = may_fail(kind);
    match kind {
        StatementKind::Let { var, .. }
        | StatementKind::View { var, .. }
        | StatementKind::Window { var, .. } => fails || used.contains(var),
        StatementKind::If { then, otherwise, .. } => fails || !then.is_empty() || !otherwise.is_empty(),
        StatementKind::For { body, .. } | StatementKind::Lock { body, .. } => fails || !body.is_empty(),
        StatementKind::Write { view, .. }
        | StatementKind::Accumulate { view, .. }
        | StatementKind::Atomic { view, .. } => fails || !idle.views.contains(view),
        StatementKind::Copy { dest, .. } | StatementKind::Shuffle { dest, .. } => !idle.views.contains(dest),
        StatementKind::Declare { var, .. } | StatementKind::Assign { var, .. } => {
            fails || !idle.variables.contains(var)
        }
        StatementKind::Alloc { .. }
        | StatementKind::Share(_)
        | StatementKind::Free(_)
        | StatementKind::Ordered { .. }
        | StatementKind::While { .. }
        | StatementKind::Assert { .. }
        | StatementKind::Call { .. } => true,
    }
}

/// Whether an operand of a statement may stop the program.
fn may_fail(kind: &StatementKind) -> bool {
    let mut fails = false;
    kind.for_each_exp(&mut |exp| fails |= can_fail(exp));
    fails
}
