//! Accesses of statements to memory: what the heap finds wrong with them becomes a fault that names them.

use super::heap::{Access, BlockRef, Facts, Raw, Taking, Violation, all_defined};
use super::{Machine, Placed, Slot};
use fun_base::name::Var;
use fun_base::prim::{PrimType, PrimValue};
use fun_base::run::RunError;
use fun_base::run::fault::FaultRule;

impl<'p> Machine<'p> {
    /// A new block.
    pub(super) fn alloc(&mut self, name: Var, elem: PrimType, sizes: &[i64]) -> Result<BlockRef, RunError> {
        let block = self.heap.alloc(name, elem, sizes, self.at)?;
        if let (Some(recorder), Some(facts)) = (&mut self.recorder, self.heap.facts(block)) {
            recorder.alloc(&facts, elem, self.heap.now(), self.calls.last().copied());
        }
        Ok(block)
    }

    /// Ends the blocks allocated since `scope`, but for those that values are or lie in.
    pub(super) fn end_scope(&mut self, scope: usize, values: &[Slot]) {
        let block = |value: &Slot| match value {
            Slot::Block(block) => Some(*block),
            Slot::Array(array) => Some(array.block),
            Slot::Nothing | Slot::Scalar(_) => None,
        };
        let keep: Vec<BlockRef> = values.iter().filter_map(block).collect();
        let (with, now) = ((self.at, self.calls.last().copied()), self.heap.now());
        let recorder = &mut self.recorder;
        self.heap.end_scope(scope, &keep, with, &mut |facts: &Facts<'p>| {
            if let Some(recorder) = recorder {
                recorder.end(facts, now);
            }
        });
    }

    /// Reads a cell that must be defined.
    pub(super) fn read(
        &mut self,
        array: &Placed,
        address: i64,
        access: Access,
    ) -> Result<PrimValue, RunError> {
        self.note(array, address, access);
        self.heap
            .read(array, address, access)
            .map_err(|found| self.fault(found, array, address, verb(access)))
    }

    /// Reads a cell, defined or not.
    pub(super) fn read_raw(&mut self, array: &Placed, address: i64, access: Access) -> Result<Raw, RunError> {
        self.note(array, address, access);
        let raw = self.heap.read_raw(array, address, access);
        raw.map_err(|found| self.fault(found, array, address, verb(access)))
    }

    /// Writes a defined value.
    pub(super) fn write(
        &mut self,
        array: &Placed,
        address: i64,
        value: PrimValue,
        access: Access,
    ) -> Result<(), RunError> {
        let raw = (value.bits(), all_defined(value.prim_type()));
        self.write_raw(array, address, raw, Taking::Always, access)
    }

    /// Writes what [`Machine::read_raw`] gave.
    pub(super) fn write_raw(
        &mut self,
        array: &Placed,
        address: i64,
        raw: Raw,
        taking: Taking,
        access: Access,
    ) -> Result<(), RunError> {
        self.note(array, address, access);
        let written = self.heap.write_raw(array, address, raw, taking, access);
        written.map_err(|found| self.fault(found, array, address, verb(access)))
    }

    /// A value that lies where it should go, cell by cell, becomes part of the array there.
    pub(super) fn adopt(&mut self, value: &Placed, array: &Placed) -> Result<(), RunError> {
        self.charge(value.lmad.len())?;
        for address in value.lmad.addresses() {
            let adopted = self.heap.adopt(value, array, address);
            adopted.map_err(|found| self.fault(found, value, address, "takes over"))?;
        }
        Ok(())
    }

    /// Makes the cells of an array undefined.
    pub(super) fn forget(&mut self, array: &Placed) -> Result<(), RunError> {
        for address in array.lmad.addresses() {
            self.watch(array, address, Access::Write);
            let forgotten = self.heap.forget(array, address);
            forgotten.map_err(|found| self.fault(found, array, address, "claims"))?;
        }
        Ok(())
    }

    /// All cells of an array are inside its block.
    pub(super) fn in_bounds(&mut self, array: &Placed, verb: &'static str) -> Result<(), RunError> {
        match self.heap.beyond(array, &array.lmad) {
            Ok(None) => Ok(()),
            Ok(Some(address)) => Err(self.fault(Violation::from(FaultRule::Outside), array, address, verb)),
            Err(found) => Err(self.fault(found, array, array.lmad.offset, verb)),
        }
    }
}

/// What the access does to an array that it goes through, as a message says it.
pub(super) fn verb(access: Access) -> &'static str {
    match access {
        Access::Read => "reads",
        Access::Write => "writes",
        Access::Combine => "combines into",
    }
}
