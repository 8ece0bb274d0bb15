//! Dead statements of a body: a return sweep leaves much of the code that it runs again without use.

use crate::ir::Atom;
use crate::ir::{Body, Exp, Fun, Statement};
use crate::visit::{Walk, for_each_body_mut, walk_statement};
use fun_base::name::Var;
use std::collections::BTreeSet;

/// Removes statements whose results nobody uses, here and in the bodies inside. Assertions go as well: what is run again has
/// already kept them.
pub(super) fn prune(body: &mut Body) {
    let mut live = Uses(body.results.iter().filter_map(|atom| atom.as_var()).collect());
    let mut kept = Vec::new();
    for mut statement in std::mem::take(&mut body.statements).into_iter().rev() {
        let used = statement.pattern.iter().any(|binder| live.0.contains(&binder.var));
        if !used {
            continue;
        }
        for_each_body_mut(&mut statement.exp, &mut prune);
        live.statement(&statement);
        kept.push(statement);
    }
    kept.reverse();
    body.statements = kept;
}

/// The body without assertions and traces, here and in the bodies inside.
pub(super) fn without_asserts(body: &mut Body) {
    body.statements.retain(|statement| !matches!(statement.exp, Exp::Assert { .. } | Exp::Trace { .. }));
    for statement in &mut body.statements {
        for_each_body_mut(&mut statement.exp, &mut without_asserts);
    }
}

struct Uses(BTreeSet<Var>);

impl Walk<Fun> for Uses {
    fn atom(&mut self, atom: &Atom) {
        self.0.extend(atom.as_var());
    }
    fn statement(&mut self, statement: &Statement) {
        walk_statement(self, statement);
    }
}
