//! Cells: what has been written, when they last changed and through which array, and when the kernels around used them.
//!
//! An array *value* has a *lineage*, which in-place changes keep, and a time since when it is whole. A cell remembers the lineage
//! and the time of the last write that changed its bits. Reading it through an array of another lineage that was whole before is a
//! fault: what the array held is gone. A copy that moves bits to where the same bits are changes nothing ([`Taking`]).
//!
//! For each kernel around, from those on that began after the block, a cell remembers its first read, write and combining write in
//! that kernel. As the iterations take place one after the other, an iteration before the current one used the cell in a way iff
//! the first such use is older than the current iteration.

use super::super::Placed;
use super::{Heap, Running, Violation};
use fun_base::prim::{PrimType, PrimValue};
use fun_base::run::fault::FaultRule;

/// What an iteration does to a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum Access {
    Read,
    Write,
    /// The combining write of a histogram or scatter: no race with others of the same kernel.
    Combine,
}

/// When a write takes a cell for its array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum Taking {
    /// It was computed: that the same bits were there is an accident of these inputs.
    Always,
    /// It was copied: where the same bits are already, the copy could have been left out.
    Changed,
}

/// The bits of a cell, and which of its bytes have been written.
pub(in super::super) type Raw = (u64, u8);

/// The time of the last change of a unit, and the lineage of the array through which it changed.
type Stamp = [u64; 2];

/// The times of the first write, read and combining write of a unit in an execution of a kernel. Older times count as none.
type Mark = [u64; 3];

/// The lineage of what every array may read.
const SHARED: u64 = 0;

/// The cells of a block. What is all zeros costs nothing before it is used: blocks may be large and hardly written.
pub(super) struct Cells {
    bytes: Vec<u8>,
    written: Vec<bool>,
    /// Bytes that share a [`Stamp`] and a [`Mark`].
    unit: usize,
    stamps: Vec<Stamp>,
    /// For each kernel around, from the birth of the block on.
    marks: Vec<Vec<Mark>>,
}

impl Cells {
    pub(super) fn new(bytes: usize, unit: usize) -> Cells {
        Cells {
            bytes: vec![0; bytes],
            written: vec![false; bytes],
            unit,
            stamps: vec![[0; 2]; bytes.div_ceil(unit)],
            marks: Vec::new(),
        }
    }

    /// First byte of a cell, if it is inside the block.
    pub(super) fn start(&self, size: usize, address: i64) -> Option<usize> {
        let start = usize::try_from(address).ok()?.checked_mul(size)?;
        (start.checked_add(size)? <= self.bytes.len()).then_some(start)
    }

    /// The units of a cell.
    fn units(&mut self, start: usize, size: usize) -> std::ops::Range<usize> {
        if size == self.unit {
            let unit = start / size;
            return unit..unit + 1;
        }
        if !(start.is_multiple_of(self.unit) && size.is_multiple_of(self.unit)) {
            self.refine();
        }
        start / self.unit..(start + size) / self.unit
    }

    /// Single bytes become units: types of different widths live in the block.
    fn refine(&mut self) {
        let (unit, length) = (self.unit, self.bytes.len());
        self.stamps = (0..length).map(|k| self.stamps[k / unit]).collect();
        for marks in &mut self.marks {
            *marks = (0..length).map(|k| marks[k / unit]).collect();
        }
        self.unit = 1;
    }

    fn raw(&self, start: usize, size: usize) -> Raw {
        let (mut bits, mut defined) = (0u64, 0u8);
        for k in 0..size {
            bits |= u64::from(self.bytes[start + k]) << (8 * k);
            defined |= u8::from(self.written[start + k]) << k;
        }
        (bits, defined)
    }

    /// The last change of the units, if an array may not read them any more.
    fn clobbered(&self, units: std::ops::Range<usize>, array: &Placed) -> Option<Violation> {
        let foreign = |[time, lineage]: &&Stamp| {
            *time > array.whole_since && *lineage != array.lineage && *lineage != SHARED
        };
        let [time, _] = self.stamps[units].iter().find(foreign)?;
        Some(Violation { rule: FaultRule::Clobber, other: Some((*time, Access::Write)) })
    }

    /// Records the access and looks for races with earlier iterations of the kernels around, which are those since the block's birth.
    fn mark(
        &mut self,
        kernels: &[Running],
        units: std::ops::Range<usize>,
        access: Access,
        now: u64,
    ) -> Result<(), Violation> {
        for (level, kernel) in kernels.iter().enumerate() {
            if self.marks.len() <= level {
                self.marks.push(vec![[0; 3]; self.stamps.len()]);
            }
            // To a kernel around the one that combines, it is a write.
            let access =
                if level + 1 < kernels.len() && access == Access::Combine { Access::Write } else { access };
            let (own, conflicts): (usize, &[usize]) = match access {
                Access::Write => (0, &[0, 1, 2]),
                Access::Read => (1, &[0, 2]),
                Access::Combine => (2, &[0, 1]),
            };
            for mark in &mut self.marks[level][units.clone()] {
                for which in conflicts {
                    let time = &mark[*which];
                    if (kernel.start..kernel.part_start).contains(time) || kernel.operator.contains(time) {
                        let how = [Access::Write, Access::Read, Access::Combine][*which];
                        return Err(Violation { rule: FaultRule::Race, other: Some((mark[*which], how)) });
                    }
                }
                // What the operator of a scan does counts more than what the same point did before.
                if mark[own] < kernel.start || (kernel.operator.start > 0 && mark[own] >= kernel.part_start) {
                    mark[own] = now;
                }
            }
        }
        Ok(())
    }
}

impl Heap<'_> {
    /// Reads a cell that must be defined.
    pub(in super::super) fn read(
        &mut self,
        array: &Placed,
        address: i64,
        access: Access,
    ) -> Result<PrimValue, Violation> {
        let (bits, defined) = self.read_raw(array, address, access)?;
        if defined == all_defined(array.elem) {
            return Ok(PrimValue::from_bits(array.elem, bits));
        }
        let (_, _, units) = self.used(array, address, access)?;
        let stamps = &self.block(array.block)?.cells.stamps[units];
        let left = stamps.iter().map(|[time, _]| *time).find(|time| *time > 0);
        let other = left.map(|time| (time, Access::Write));
        Err(Violation { rule: FaultRule::Uninitialised, other })
    }

    /// What a cell holds, without access.
    pub(in super::super) fn peek(&mut self, array: &Placed, address: i64) -> Option<Raw> {
        let size = array.elem.bytes() as usize;
        let cells = &self.block(array.block).ok()?.cells;
        Some(cells.raw(cells.start(size, address)?, size))
    }

    /// Reads a cell, defined or not.
    pub(in super::super) fn read_raw(
        &mut self,
        array: &Placed,
        address: i64,
        access: Access,
    ) -> Result<Raw, Violation> {
        let (start, size, units) = self.used(array, address, access)?;
        let cells = &self.block(array.block)?.cells;
        match cells.clobbered(units, array) {
            Some(violation) => Err(violation),
            None => Ok(cells.raw(start, size)),
        }
    }

    /// Writes what [`Heap::read_raw`] gave.
    pub(in super::super) fn write_raw(
        &mut self,
        array: &Placed,
        address: i64,
        (bits, defined): Raw,
        taking: Taking,
        access: Access,
    ) -> Result<(), Violation> {
        let (start, size, units) = self.used(array, address, access)?;
        let (now, results) = (self.now, self.results.clone());
        let block = self.block(array.block)?;
        if block.read_only {
            return Err(FaultRule::Kept.into());
        }
        let cells = &mut block.cells;
        let changes = taking == Taking::Always || cells.raw(start, size) != (bits, defined);
        for [time, lineage] in &mut cells.stamps[units] {
            if !changes {
                // What another array put there is what this one holds, too.
                if *time > array.whole_since && *lineage != array.lineage {
                    *lineage = SHARED;
                }
                if *time == 0 {
                    // Nothing moved to where nothing was: to be told if it is looked at.
                    (*time, *lineage) = (now, SHARED);
                }
                continue;
            }
            if *lineage != array.lineage && results.contains(lineage) {
                return Err(Violation { rule: FaultRule::Clobber, other: Some((*time, Access::Write)) });
            }
            (*time, *lineage) = (now, array.lineage);
        }
        for k in 0..size {
            cells.bytes[start + k] = (bits >> (8 * k)) as u8;
            cells.written[start + k] = (defined >> k) & 1 == 1;
        }
        Ok(())
    }

    /// A value that lies where it should go becomes part of the array there. Nothing is read or written.
    pub(in super::super) fn adopt(
        &mut self,
        value: &Placed,
        array: &Placed,
        address: i64,
    ) -> Result<(), Violation> {
        let size = value.elem.bytes() as usize;
        let cells = &mut self.block(value.block)?.cells;
        let start = cells.start(size, address).ok_or(FaultRule::Outside)?;
        let units = cells.units(start, size);
        if let Some(violation) = cells.clobbered(units.clone(), value) {
            return Err(violation);
        }
        for [time, lineage] in &mut cells.stamps[units] {
            // A result of a kernel is not whole yet: that its cells are taken is all that counts.
            let old = *time <= array.whole_since && array.whole_since < u64::MAX;
            if !old && *lineage != array.lineage {
                // Both go on reading it.
                *lineage = if *time > value.whole_since { SHARED } else { array.lineage };
            }
        }
        Ok(())
    }

    /// Makes a cell undefined. No access: it says that nobody relies on what is there.
    pub(in super::super) fn forget(&mut self, array: &Placed, address: i64) -> Result<(), Violation> {
        let (size, now) = (array.elem.bytes() as usize, self.now);
        let cells = &mut self.block(array.block)?.cells;
        let start = cells.start(size, address).ok_or(FaultRule::Outside)?;
        let units = cells.units(start, size);
        if cells.written[start..start + size].contains(&true) {
            cells.stamps[units].fill([now, array.lineage]);
            cells.written[start..start + size].fill(false);
        } else {
            cells.stamps[units]
                .iter_mut()
                .filter(|[time, _]| *time == 0)
                .for_each(|stamp| *stamp = [now, SHARED]);
        }
        Ok(())
    }

    /// First byte, size and units of a cell that is accessed.
    fn used(
        &mut self,
        array: &Placed,
        address: i64,
        access: Access,
    ) -> Result<(usize, usize, std::ops::Range<usize>), Violation> {
        let (size, now) = (array.elem.bytes() as usize, self.now);
        let place = &mut self.places[array.block.place];
        let block = place.block.as_mut().filter(|block| block.facts.generation == array.block.generation);
        let block = block.ok_or(FaultRule::Ended)?;
        let start = block.cells.start(size, address).ok_or(FaultRule::Outside)?;
        let units = block.cells.units(start, size);
        if let Some(kernels @ [_, ..]) = self.kernels.get(block.birth..) {
            block.cells.mark(kernels, units.clone(), access, now)?;
        }
        Ok((start, size, units))
    }
}

pub(in super::super) fn all_defined(elem: PrimType) -> u8 {
    ((1u16 << elem.bytes()) - 1) as u8
}
