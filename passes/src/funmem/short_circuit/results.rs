//! Results of functions: copies to destinations at the end of a function as circuit points.

use super::Circuits;
use crate::evidence::PassEvidence;
use crate::funmem::blocks::Blocks;
use crate::funmem::interfaces::Interfaces;
use fun::ir::Atom;
use fun_base::name::{NameSource, Var};
use funmem::ir::{Binder, Body, Exp, Function};
use std::collections::{BTreeMap, BTreeSet};

/// Builds the results of a function that copies at the end of its body put elsewhere there, whatever happens before, and takes these copies
/// away; gives those for which it could. Certificates are those of these, if all could be built.
pub(in crate::funmem) fn build_results(
    function: &mut Function,
    copies: &BTreeSet<Var>,
    blocks: &Blocks,
    interfaces: &Interfaces,
    names: &mut NameSource,
    given: &mut PassEvidence,
) -> BTreeSet<Var> {
    let findings = given.findings(function.name);
    let mut circuits = Circuits::new(function, blocks, interfaces, std::mem::take(names), findings);
    let built = circuits.results(&mut function.body, copies);
    circuits.tell_calls(&mut function.body);
    circuits.drop_allocations(&mut function.body);
    *names = circuits.names;
    if built.len() == copies.len() {
        given.certificates.append(&mut circuits.certificates);
    }
    built
}

impl Circuits<'_> {
    /// Builds what these copies move where they put it; gives those that are gone then.
    fn results(&mut self, body: &mut Body, copies: &BTreeSet<Var>) -> BTreeSet<Var> {
        let mut marks = Vec::with_capacity(body.statements.len());
        for statement in &body.statements {
            marks.push(self.facts.mark());
            self.facts.statement(statement);
        }
        let mut built: BTreeMap<Var, Atom> = BTreeMap::new();
        for end in (0..body.statements.len()).rev() {
            let ([binder], Exp::Copy(value)) =
                (body.statements[end].pattern.as_slice(), &body.statements[end].exp)
            else {
                continue;
            };
            let (copy, value) = (binder.var, *value);
            if !copies.contains(&copy) {
                continue;
            }
            self.facts.reset(marks[end]);
            for mut circuit in self.circuits_at(&body.statements[end], end) {
                // The caller has made room for it.
                circuit.target.certain = true;
                if self.build_there(body, &circuit).is_ok() {
                    built.insert(copy, Atom::Var(value));
                }
                self.know_again(body, &mut marks, end);
            }
        }
        let gone = |binder: &Binder| built.contains_key(&binder.var);
        body.statements.retain(|statement| !statement.pattern.iter().any(gone));
        for result in &mut body.results {
            if let Some(value) = result.as_var().and_then(|var| built.get(&var)) {
                *result = *value;
            }
        }
        for copy in built.keys() {
            self.types.remove(copy);
        }
        built.into_keys().collect()
    }
}
