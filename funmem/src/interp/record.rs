//! Keeping a trace of a run.

use super::fault::shown;
use super::heap::{Access, Facts, Raw, all_defined};
use super::{Machine, Placed, Slot};
use crate::ir::{MemOp, Space, Statement};
use crate::trace::{
    ArrayTrace, BlockTrace, Conflict, Life, MOST_ACCESSES, MOST_CONFLICTS, MOST_LIVES, Trace, UseTrace,
};
use fun::ir::Exp;
use fun_base::name::{Symbol, Var};
use fun_base::prim::PrimType;
use fun_index::lmad::ConcreteLmad;
use std::collections::BTreeMap;

/// A trace in the making.
#[derive(Default)]
pub(super) struct Recorder {
    trace: Trace,
    /// Blocks that are alive, by generation: positions of the allocation and of the life in it.
    alive: BTreeMap<u64, (usize, usize)>,
    /// Positions in the trace of allocations (by variable), arrays (by allocation and variable) and uses.
    allocations: BTreeMap<u32, usize>,
    arrays: BTreeMap<(usize, u32), (usize, u64)>,
    uses: BTreeMap<(usize, usize, u32), usize>,
    bytes: u64,
    /// What the scatter that is running has written: by block and address, the iteration and the value. At most [`MOST_SCATTERED`].
    scattered: BTreeMap<(u64, i64), (u64, Raw)>,
}

/// So many cells of a scatter are looked at.
const MOST_SCATTERED: usize = 1 << 16;

/// The statement as a number that it shares with no other.
fn identity(statement: Option<&Statement>) -> usize {
    statement.map_or(0, |statement| std::ptr::from_ref(statement).addr())
}

impl Recorder {
    pub(super) fn alloc(&mut self, facts: &Facts, elem: PrimType, now: u64, function: Option<Symbol>) {
        let space = match facts.by.map(|by| &by.exp) {
            Some(Exp::Op(MemOp::Alloc { space, .. })) => *space,
            Some(_) | None => Space::Default,
        };
        let life = Life { bytes: facts.bytes, start: now, first_write: None, last_use: None, end: u64::MAX };
        let at = *self.allocations.entry(facts.name.tag).or_insert_with(|| {
            self.trace.blocks.push(BlockTrace {
                name: facts.name.to_string(),
                elem,
                space,
                allocated: shown(facts.by, function),
                count: 0,
                bytes: 0,
                lives: Vec::new(),
                whole: life,
                arrays: Vec::new(),
                uses: Vec::new(),
            });
            self.trace.blocks.len() - 1
        });
        let block = &mut self.trace.blocks[at];
        block.count += 1;
        block.bytes = block.bytes.max(facts.bytes);
        if block.lives.len() < MOST_LIVES {
            block.lives.push(life);
        }
        self.alive.insert(facts.generation, (at, block.count as usize - 1));
        self.trace.total = self.trace.total.saturating_add(facts.bytes);
        self.bytes = self.bytes.saturating_add(facts.bytes);
        if self.bytes > self.trace.peak.0 {
            self.trace.peak = (self.bytes, now);
        }
    }

    pub(super) fn end(&mut self, facts: &Facts, now: u64) {
        let Some((at, life)) = self.alive.remove(&facts.generation) else { return };
        self.bytes = self.bytes.saturating_sub(facts.bytes);
        let block = &mut self.trace.blocks[at];
        block.whole.end = now;
        if let Some(life) = block.lives.get_mut(life) {
            life.end = now;
        }
    }

    /// An array has got its place.
    pub(super) fn bind(&mut self, name: Var, array: &Placed, now: u64) {
        let Some((block, _)) = self.alive.get(&array.block.generation) else { return };
        let arrays = &mut self.trace.blocks[*block].arrays;
        let (at, lineage) = self.arrays.entry((*block, name.tag)).or_insert_with(|| {
            arrays.push(ArrayTrace {
                name: name.to_string(),
                shape: array.lmad.sizes().collect(),
                elem: array.elem,
                lives: Vec::new(),
                whole: (now, now),
                count: 0,
            });
            (arrays.len() - 1, 0)
        });
        let known = &mut arrays[*at];
        if array.lmad.len() > ConcreteLmad::row_major(0, &known.shape).len() {
            known.shape = array.lmad.sizes().collect();
        }
        if *lineage != array.lineage {
            // The same array under the same name, as in a loop that changes it in place, lives on.
            *lineage = array.lineage;
            known.count += 1;
            if known.lives.len() < MOST_LIVES {
                known.lives.push((now, now));
            }
        }
    }

    fn access(&mut self, array: &Placed, access: Access, by: (Option<&Statement>, Option<Symbol>), now: u64) {
        let Some((at, life)) = self.alive.get(&array.block.generation).copied() else { return };
        let block = &mut self.trace.blocks[at];
        for life in block.lives.get_mut(life).into_iter().chain([&mut block.whole]) {
            life.last_use = Some(now);
            if access != Access::Read {
                life.first_write.get_or_insert(now);
            }
        }
        if let Some((array, _)) = self.arrays.get(&(at, array.name.tag)) {
            let array = &mut block.arrays[*array];
            array.whole.1 = now;
            if array.count as usize == array.lives.len()
                && let Some((_, last)) = array.lives.last_mut()
            {
                *last = now;
            }
        }
        let key = (at, identity(by.0), array.name.tag);
        let uses = &mut block.uses;
        let position = *self.uses.entry(key).or_insert_with(|| {
            let (statement, array) = (shown(by.0, by.1), array.name.to_string());
            uses.push(UseTrace { statement, array, reads: 0, writes: 0, times: (now, now) });
            uses.len() - 1
        });
        let of = &mut uses[position];
        of.times.1 = now;
        *(if access == Access::Read { &mut of.reads } else { &mut of.writes }) += 1;
        self.trace.count += 1;
    }

    pub(super) fn finish(mut self, now: u64) -> Trace {
        for block in &mut self.trace.blocks {
            for life in block.lives.iter_mut().chain([&mut block.whole]) {
                life.end = life.end.min(now);
            }
        }
        // What lives on ends with the run, even if others of its allocation ended before.
        for (at, _) in self.alive.values() {
            self.trace.blocks[*at].whole.end = now;
        }
        self.trace.end = now;
        self.trace
    }
}

impl Machine<'_> {
    /// A scatter begins.
    pub(super) fn record_scatter(&mut self) {
        if let Some(recorder) = &mut self.recorder {
            recorder.scattered.clear();
        }
    }

    /// An iteration of a scatter is about to write these values to these places.
    pub(super) fn record_scattered(&mut self, iteration: u64, values: &[Slot], rows: &[Placed]) {
        let Some(mut recorder) = self.recorder.take() else { return };
        for (value, row) in values.iter().zip(rows) {
            let new: Vec<Raw> = match value {
                Slot::Scalar(value) => vec![(value.bits(), all_defined(row.elem))],
                Slot::Array(array) => {
                    let cells = array.lmad.addresses().map(|address| self.heap.peek(array, address));
                    cells.map(Option::unwrap_or_default).collect()
                }
                Slot::Nothing | Slot::Block(_) => Vec::new(),
            };
            for (address, raw) in row.lmad.addresses().zip(new) {
                let key = (row.block.generation, address);
                let old = match recorder.scattered.get(&key) {
                    None if recorder.scattered.len() >= MOST_SCATTERED => continue,
                    _ => recorder.scattered.insert(key, (iteration, raw)),
                };
                if let Some((first, old)) = old
                    && old != raw
                    && recorder.trace.conflicts.len() < MOST_CONFLICTS
                {
                    let access = self.access(row, address, "writes");
                    recorder.trace.conflicts.push(Conflict {
                        array: access.array,
                        index: access.index,
                        iterations: (first, iteration),
                        statement: access.statement,
                    });
                }
            }
        }
        self.recorder = Some(recorder);
    }

    /// Keeps an access, if a trace is kept.
    pub(super) fn record(&mut self, array: &Placed, address: i64, access: Access, verb: &'static str) {
        let Some(mut recorder) = self.recorder.take() else { return };
        let now = self.heap.now();
        recorder.access(array, access, (self.at, self.calls.last().copied()), now);
        if recorder.trace.accesses.len() < MOST_ACCESSES
            && let Some((block, _)) = recorder.alive.get(&array.block.generation)
        {
            let access = self.access(array, address, verb);
            recorder.trace.accesses.push(crate::trace::AccessTrace {
                time: now,
                verb,
                array: access.array,
                index: access.index,
                block: *block,
                address,
                statement: access.statement,
            });
        }
        self.recorder = Some(recorder);
    }
}
