//! Variables whose values go nowhere but into each other: what is assigned to them need not be.

use super::may_fail;
use fun_base::name::Var;
use imp::ir::{ImpType, Procedure, StatementKind};
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

/// The declared scalars of a procedure that neither its results nor any statement with an effect depends on.
pub(super) fn unneeded_variables(procedure: &Procedure) -> BTreeSet<Var> {
    let mut declared = BTreeSet::new();
    // what the value of a variable is computed from
    let mut operands: BTreeMap<Var, Vec<Var>> = BTreeMap::new();
    let mut needed = Vec::new();
    for_each_statement(&procedure.body, &mut |statement| {
        let kind = &statement.kind;
        let value_of = match kind {
            StatementKind::Let { var, .. } | StatementKind::Assign { var, .. } => Some(*var),
            StatementKind::Declare { var, ty, .. } => {
                if matches!(ty, ImpType::Prim(_)) {
                    declared.insert(*var);
                }
                Some(*var)
            }
            _ => None,
        };
        match value_of.filter(|_| !may_fail(kind)) {
            Some(var) => {
                let operands = operands.entry(var).or_default();
                kind.for_each_exp(&mut |exp| exp.for_each_var(&mut |operand| operands.push(operand)));
            }
            None => kind.for_each_use(&mut |var| needed.push(var)),
        }
    });
    procedure.results.iter().for_each(|(result, _)| result.for_each_var(&mut |var| needed.push(var)));
    while let Some(var) = needed.pop() {
        declared.remove(&var);
        needed.extend(operands.remove(&var).unwrap_or_default());
    }
    declared
}
