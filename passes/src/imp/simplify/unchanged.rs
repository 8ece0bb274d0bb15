//! Writes that change nothing: a cell gets what was just read from it.
//!
//! ```text
//! view X : f32 @ m -> 0 + {(n : 1)}
//! view Y : f32 @ m -> 0 + {(n : 1)}
//! let x = X[i]
//! Y[i] := x
//! ```
//! loses its last line. Legal where nothing between the read and the write writes to memory or assigns a variable.

use super::may_fail;
use fun_base::name::Var;
use fun_base::prim::PrimType;
use fun_index::lmad::Lmad;
use imp::ir::{Exp, Procedure, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

/// Drops such writes.
pub(super) fn drop_unchanged(procedure: &mut Procedure) {
    let (mut views, mut variables) = (BTreeMap::new(), BTreeSet::new());
    for_each_statement(&procedure.body, &mut |statement| match &statement.kind {
        StatementKind::Declare { var, .. } => _ = variables.insert(*var),
        StatementKind::View { var, elem, mem, lmad } => {
            views.insert(*var, (*elem, *mem, lmad.clone()));
        }
        _ => {}
    });
    // these stand for the same place wherever they are declared
    views.retain(|_, (_, mem, lmad)| {
        let mut fixed = !variables.contains(mem);
        lmad.for_each_var(&mut |var| fixed &= !variables.contains(&var));
        fixed
    });
    drop_in(&mut procedure.body, &Views(views));
}

struct Views(BTreeMap<Var, (PrimType, Var, Lmad)>);

impl Views {
    fn same(&self, x: Var, y: Var) -> bool {
        x == y || self.0.get(&x).is_some_and(|place| self.0.get(&y) == Some(place))
    }
}

fn drop_in(body: &mut Vec<Statement>, views: &Views) {
    // what the variables hold that were read since the last change of memory
    let mut read: BTreeMap<Var, (Var, Vec<Exp>)> = BTreeMap::new();
    body.retain_mut(|statement| {
        statement.kind.for_each_body_mut(&mut |inner| drop_in(inner, views));
        match &statement.kind {
            StatementKind::Let { var, value: Exp::Read { view, indices }, .. } => {
                read.insert(*var, (*view, indices.clone()));
            }
            StatementKind::Write { view, indices, value } => {
                let origin = match value {
                    Exp::Var(var) => read.get(var).map(|(from, at)| (*from, at)),
                    Exp::Read { view: from, indices: at } => Some((*from, at)),
                    _ => None,
                };
                let same = origin.is_some_and(|(from, at)| at == indices && views.same(from, *view));
                if same && !may_fail(&statement.kind) {
                    return false;
                }
                read.clear();
            }
            StatementKind::Let { .. }
            | StatementKind::View { .. }
            | StatementKind::Window { .. }
            | StatementKind::Alloc { .. }
            | StatementKind::Declare { .. }
            | StatementKind::Assert { .. } => {}
            _ => read.clear(),
        }
        true
    });
}
