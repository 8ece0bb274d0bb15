//! What an iteration computes or reads twice, it computes and reads once.

use super::Fusion;
use fun_base::name::Var;
use imp::ir::{Exp, Statement, StatementKind};
use std::collections::{BTreeMap, BTreeSet};

impl Fusion {
    /// Scalars of a straight body that are equal become one, and reads of cells that it wrote or read become the values.
    pub(super) fn share(&self, body: &mut Vec<Statement>) {
        let assigned: BTreeSet<Var> = body
            .iter()
            .filter_map(|statement| match &statement.kind {
                StatementKind::Assign { var, .. } => Some(*var),
                _ => None,
            })
            .collect();
        let mut known: Vec<(Exp, Exp)> = Vec::new();
        let mut renamed: BTreeMap<Var, Var> = BTreeMap::new();
        body.retain_mut(|statement| {
            statement.kind.rename(&mut |var| renamed.get(&var).copied().unwrap_or(var));
            statement.kind.for_each_exp_mut(&mut |exp| self.read_once(exp, &known));
            match &mut statement.kind {
                StatementKind::Let { var, value, .. } => {
                    if let Some((_, same)) = known.iter().find(|(exp, _)| exp == value) {
                        *value = same.clone();
                    }
                    if let Exp::Var(same) = value {
                        if !assigned.contains(same) {
                            renamed.insert(*var, *same);
                            return false;
                        }
                        return true;
                    }
                    let mut fixed = true;
                    value.for_each_var(&mut |var| fixed &= !assigned.contains(&var));
                    if fixed && !matches!(value, Exp::Const(_)) {
                        known.push((value.clone(), Exp::Var(*var)));
                    }
                }
                StatementKind::Write { view, indices, value } => {
                    known.retain(|(exp, _)| {
                        let mut stays = true;
                        exp.for_each_read(&mut |other, _| stays &= self.apart(*view, other));
                        stays
                    });
                    let fixed = match value {
                        Exp::Var(var) => !assigned.contains(var),
                        Exp::Const(_) => true,
                        _ => false,
                    };
                    if fixed {
                        known.push((Exp::Read { view: *view, indices: indices.clone() }, value.clone()));
                    }
                }
                _ => {}
            }
            true
        });
    }

    /// Reads of cells whose value is known become that.
    fn read_once(&self, exp: &mut Exp, known: &[(Exp, Exp)]) {
        exp.for_each_child_mut(&mut |child| self.read_once(child, known));
        let Exp::Read { view, indices } = exp else { return };
        let same = known.iter().find_map(|(read, value)| match read {
            Exp::Read { view: other, indices: cell }
                if cell == indices && self.places.same(*other, *view) =>
            {
                Some(value.clone())
            }
            _ => None,
        });
        if let Some(same) = same {
            *exp = same;
        }
    }
}
