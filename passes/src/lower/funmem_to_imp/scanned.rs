//! Where the sums of a scan go: they are stored, or what its epilogue makes of them is.

use super::kernel::Accumulators;
use super::{Array, Lowerer, atom_exp};
use fun::ir::Atom;
use fun_base::name::Var;
use fun_base::prim::PrimType;
use funmem::ir::Lambda;
use imp::ir::StatementKind;

/// What becomes of the sums of a scan.
pub(super) struct Scanned<'a> {
    /// The counter of the values, which the epilogue sees.
    pub(super) counter: Var,
    /// What is stored in place of the sums.
    pub(super) epilogue: Option<&'a Lambda>,
    /// Where.
    pub(super) dests: &'a [Array],
}

impl Lowerer {
    /// Stores the sums at these indices, or what the epilogue makes of them. The counters around are bound.
    pub(super) fn store_scanned(&mut self, scanned: &Scanned, indices: &[Atom], sums: &[Atom]) {
        let Some(epilogue) = scanned.epilogue else { return self.write_values(scanned.dests, indices, sums) };
        if let Some(index) = indices.last()
            && self.values.get(&scanned.counter) != Some(index)
        {
            let counter = self.bind(scanned.counter);
            self.b.push(StatementKind::Let { var: counter, ty: PrimType::I64, value: atom_exp(*index) });
        }
        for (param, sum) in epilogue.params.iter().zip(sums) {
            self.values.insert(param.var, *sum);
        }
        self.body(&epilogue.body, |this, results| {
            let results: Vec<Atom> = results.iter().map(|result| this.atom(*result)).collect();
            this.write_values(scanned.dests, indices, &results);
        });
    }
}

/// What accumulators have.
pub(super) fn values_of(accumulators: &Accumulators) -> Vec<Atom> {
    accumulators.iter().map(|(var, _)| Atom::Var(*var)).collect()
}
