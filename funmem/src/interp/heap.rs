//! Blocks byte by byte: what has been written, and which iterations of the kernels around used it.

use super::Placed;
use crate::ir::Statement;
use fun::text::statement_head;
use fun_base::prim::{PrimType, PrimValue};
use fun_base::run::RunError;
use fun_index::lmad::ConcreteLmad;

/// A block. Places are reused, generations are not, so that a reference to a dead block is recognised.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BlockRef {
    place: usize,
    generation: u64,
}

/// What an iteration does to a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Access {
    Read,
    Write,
    /// The combining write of a histogram or scatter: no race with others of the same kernel.
    Combine,
}

/// The bits of a cell, and which of its bytes have been written.
pub(super) type Raw = (u64, u8);

/// No machine serves more.
const LARGEST: u64 = 1 << 47;

struct Block<'p> {
    generation: u64,
    name: String,
    bytes: Vec<u8>,
    written: Vec<bool>,
    /// Arguments that the program may not overwrite.
    read_only: bool,
    /// How many kernels were around the allocation: iterations of those have a block each.
    birth: usize,
    /// Bytes that share a [`Mark`].
    unit: usize,
    /// For each kernel around, from `birth` on, who used the units.
    marks: Vec<Vec<Mark<'p>>>,
}

/// Iteration of a kernel and statement.
type Use<'p> = (u64, Option<&'p Statement>);

/// Which iterations of one execution of a kernel used a unit. Two readers (or combiners) stand for all: a third one conflicts
/// with an access only if one of these two does. Marks of other executions count as empty.
#[derive(Clone, Copy, Default)]
struct Mark<'p> {
    execution: u64,
    writer: Option<Use<'p>>,
    readers: [Option<Use<'p>>; 2],
    combiners: [Option<Use<'p>>; 2],
}

/// A kernel being executed.
struct Running {
    /// Unique number of the execution, from 1.
    execution: u64,
    iteration: u64,
    sizes: Vec<i64>,
}

/// All blocks.
pub(super) struct Heap<'p> {
    places: Vec<Option<Block<'p>>>,
    vacant: Vec<usize>,
    /// Blocks that are alive, in order of allocation.
    alive: Vec<BlockRef>,
    next_generation: u64,
    bytes: u64,
    limit: u64,
    kernels: Vec<Running>,
    executions: u64,
}

impl<'p> Heap<'p> {
    pub(super) fn new(limit: u64) -> Heap<'p> {
        Heap {
            places: Vec::new(),
            vacant: Vec::new(),
            alive: Vec::new(),
            next_generation: 0,
            bytes: 0,
            limit,
            kernels: Vec::new(),
            executions: 0,
        }
    }

    /// A kernel over a space of these sizes begins.
    pub(super) fn enter_kernel(&mut self, sizes: Vec<i64>) {
        self.executions += 1;
        self.kernels.push(Running { execution: self.executions, iteration: 0, sizes });
    }

    /// The next iteration of the innermost kernel.
    pub(super) fn iteration(&mut self, iteration: u64) {
        if let Some(innermost) = self.kernels.last_mut() {
            innermost.iteration = iteration;
        }
    }

    /// The innermost kernel ends.
    pub(super) fn leave_kernel(&mut self) {
        self.kernels.pop();
    }

    /// A block with room for the product of `sizes`.
    pub(super) fn alloc(
        &mut self,
        name: String,
        elem: PrimType,
        sizes: &[i64],
    ) -> Result<BlockRef, RunError> {
        if let Some(size) = sizes.iter().find(|size| **size < 0) {
            return Err(RunError::assert(format!("allocation of negative size {size}")));
        }
        let mut factors = sizes.iter().map(|size| *size as u64);
        let bytes = if sizes.contains(&0) {
            Some(0)
        } else {
            factors.try_fold(u64::from(elem.bytes()), u64::checked_mul)
        };
        let Some(bytes) = bytes.filter(|bytes| *bytes <= LARGEST) else {
            let sizes: String = sizes.iter().map(|size| format!("[{size}]")).collect();
            return Err(RunError::assert(format!(
                "allocation of {sizes}{elem} is more than the machine has"
            )));
        };
        if self.bytes.saturating_add(bytes) > self.limit {
            return Err(RunError::limit(format!("more than {} bytes of memory", self.limit)));
        }
        self.bytes += bytes;
        self.next_generation += 1;
        let generation = self.next_generation;
        let block = Block {
            generation,
            name,
            bytes: vec![0; bytes as usize],
            written: vec![false; bytes as usize],
            read_only: false,
            birth: self.kernels.len(),
            unit: elem.bytes().max(1) as usize,
            marks: Vec::new(),
        };
        let place = self.vacant.pop().unwrap_or_else(|| {
            self.places.push(None);
            self.places.len() - 1
        });
        self.places[place] = Some(block);
        let at = BlockRef { place, generation };
        self.alive.push(at);
        Ok(at)
    }

    /// How many blocks are alive: what [`Heap::end_scope`] takes.
    pub(super) fn scope(&self) -> usize {
        self.alive.len()
    }

    /// Ends the blocks allocated since `scope`, but for some.
    pub(super) fn end_scope(&mut self, scope: usize, keep: &[BlockRef]) {
        let mut kept = scope;
        for k in scope..self.alive.len() {
            let at = self.alive[k];
            if keep.contains(&at) {
                self.alive[kept] = at;
                kept += 1;
            } else if let Some(block) = self.places[at.place].take() {
                self.bytes -= block.bytes.len() as u64;
                self.vacant.push(at.place);
            }
        }
        self.alive.truncate(kept);
    }

    /// Writing to the block becomes a fault.
    pub(super) fn protect(&mut self, at: BlockRef) -> Result<(), RunError> {
        self.block(at)?.read_only = true;
        Ok(())
    }

    fn block(&mut self, at: BlockRef) -> Result<&mut Block<'p>, RunError> {
        let block = self.places[at.place].as_mut().filter(|block| block.generation == at.generation);
        block.ok_or_else(|| RunError::fault("M8: the block is no longer alive"))
    }

    /// Reads a cell that must be defined.
    pub(super) fn read(
        &mut self,
        at: BlockRef,
        elem: PrimType,
        address: i64,
        access: Access,
        by: Option<&'p Statement>,
    ) -> Result<PrimValue, RunError> {
        let (bits, defined) = self.read_raw(at, elem, address, access, by)?;
        if defined != all_defined(elem) {
            let name = &self.block(at)?.name;
            return Err(RunError::fault(format!(
                "M8: {elem} {address} of `{name}` is read before it is written"
            )));
        }
        Ok(PrimValue::from_bits(elem, bits))
    }

    /// Reads a cell, defined or not.
    pub(super) fn read_raw(
        &mut self,
        at: BlockRef,
        elem: PrimType,
        address: i64,
        access: Access,
        by: Option<&'p Statement>,
    ) -> Result<Raw, RunError> {
        let (start, size) = self.cell(at, elem, address)?;
        self.mark(at, start, size, access, by)?;
        let block = self.block(at)?;
        let (mut bits, mut defined) = (0u64, 0u8);
        for k in 0..size {
            bits |= u64::from(block.bytes[start + k]) << (8 * k);
            defined |= u8::from(block.written[start + k]) << k;
        }
        Ok((bits, defined))
    }

    /// Writes a defined value.
    pub(super) fn write(
        &mut self,
        at: BlockRef,
        address: i64,
        value: PrimValue,
        access: Access,
        by: Option<&'p Statement>,
    ) -> Result<(), RunError> {
        let elem = value.prim_type();
        self.write_raw(at, elem, address, (value.bits(), all_defined(elem)), access, by)
    }

    /// Writes what [`Heap::read_raw`] gave.
    pub(super) fn write_raw(
        &mut self,
        at: BlockRef,
        elem: PrimType,
        address: i64,
        (bits, defined): Raw,
        access: Access,
        by: Option<&'p Statement>,
    ) -> Result<(), RunError> {
        let (start, size) = self.cell(at, elem, address)?;
        self.mark(at, start, size, access, by)?;
        let block = self.block(at)?;
        if block.read_only {
            return Err(RunError::fault(format!(
                "F5: `{}`, an argument that is not consumed, is overwritten",
                block.name
            )));
        }
        for k in 0..size {
            block.bytes[start + k] = (bits >> (8 * k)) as u8;
            block.written[start + k] = (defined >> k) & 1 == 1;
        }
        Ok(())
    }

    /// Makes the cells of an array undefined. No access: it says that nobody relies on their contents.
    pub(super) fn forget(&mut self, array: &Placed) -> Result<(), RunError> {
        self.in_bounds(array.block, array.elem, &array.lmad)?;
        for address in array.lmad.addresses() {
            let (start, size) = self.cell(array.block, array.elem, address)?;
            self.block(array.block)?.written[start..start + size].fill(false);
        }
        Ok(())
    }

    /// Whether all addresses of an LMAD are inside the block.
    pub(super) fn in_bounds(
        &mut self,
        at: BlockRef,
        elem: PrimType,
        lmad: &ConcreteLmad,
    ) -> Result<(), RunError> {
        if lmad.is_empty() {
            return Ok(());
        }
        let beyond = || RunError::fault("M8: an array reaches beyond what can be addressed");
        let (low, high) = lmad.span().ok_or_else(beyond)?;
        self.cell(at, elem, low)?;
        self.cell(at, elem, high)?;
        Ok(())
    }

    /// First byte and number of bytes of a cell, inside the block.
    fn cell(&mut self, at: BlockRef, elem: PrimType, address: i64) -> Result<(usize, usize), RunError> {
        let size = elem.bytes() as usize;
        let block = self.block(at)?;
        let start = usize::try_from(address).ok().and_then(|address| address.checked_mul(size));
        match start.filter(|start| start.checked_add(size).is_some_and(|end| end <= block.bytes.len())) {
            Some(start) => Ok((start, size)),
            None => {
                let (name, length) = (&block.name, block.bytes.len());
                Err(RunError::fault(format!(
                    "M8: {elem} {address} is outside of `{name}`, which has {length} bytes"
                )))
            }
        }
    }

    /// Records an access and looks for races with other iterations of the kernels around.
    fn mark(
        &mut self,
        at: BlockRef,
        start: usize,
        size: usize,
        access: Access,
        by: Option<&'p Statement>,
    ) -> Result<(), RunError> {
        let Some(block) = self.places[at.place].as_mut() else { return Ok(()) };
        if block.birth >= self.kernels.len() {
            return Ok(());
        }
        if !(start.is_multiple_of(block.unit) && size.is_multiple_of(block.unit)) {
            block.refine();
        }
        let units = start / block.unit..(start + size).div_ceil(block.unit);
        let length = block.bytes.len().div_ceil(block.unit);
        let innermost = self.kernels.len() - 1;
        for (level, kernel) in self.kernels.iter().enumerate().skip(block.birth) {
            let here = level - block.birth;
            if block.marks.len() <= here {
                block.marks.push(vec![Mark::default(); length]);
            }
            let access = if access == Access::Combine && level < innermost { Access::Write } else { access };
            for mark in &mut block.marks[here][units.clone()] {
                if let Some(other) = mark.access(kernel, access, by) {
                    let cell = start / size.max(1);
                    return Err(race(&block.name, cell, kernel, (access, by), other));
                }
            }
        }
        Ok(())
    }
}

impl Block<'_> {
    /// Marks single bytes from now on: types of different widths live in the block.
    fn refine(&mut self) {
        for marks in &mut self.marks {
            *marks = marks.iter().flat_map(|mark| std::iter::repeat_n(*mark, self.unit)).collect();
        }
        self.unit = 1;
    }
}

impl<'p> Mark<'p> {
    /// Records the access; gives the access of another iteration that it races with.
    fn access(
        &mut self,
        kernel: &Running,
        access: Access,
        by: Option<&'p Statement>,
    ) -> Option<(Access, Use<'p>)> {
        if self.execution != kernel.execution {
            *self = Mark { execution: kernel.execution, ..Mark::default() };
        }
        let this = kernel.iteration;
        let other = |uses: &[Option<Use<'p>>]| {
            uses.iter().flatten().find(|(iteration, _)| *iteration != this).copied()
        };
        let written = other(&[self.writer]).map(|found| (Access::Write, found));
        let read = other(&self.readers).map(|found| (Access::Read, found));
        let combined = other(&self.combiners).map(|found| (Access::Combine, found));
        let (conflict, uses) = match access {
            Access::Read => (written.or(combined), &mut self.readers),
            Access::Combine => (written.or(read), &mut self.combiners),
            Access::Write => {
                self.writer = Some((this, by));
                return written.or(read).or(combined);
            }
        };
        match uses {
            [None, _] => uses[0] = Some((this, by)),
            [Some((first, _)), None] if *first != this => uses[1] = Some((this, by)),
            _ => {}
        }
        conflict
    }
}

fn all_defined(elem: PrimType) -> u8 {
    ((1u16 << elem.bytes()) - 1) as u8
}

fn race(
    block: &str,
    cell: usize,
    kernel: &Running,
    (access, by): (Access, Option<&Statement>),
    (other_access, (other, other_by)): (Access, Use),
) -> RunError {
    let index = |flat: u64| {
        let mut rest = flat as i64;
        let mut index: Vec<String> = Vec::new();
        for size in kernel.sizes.iter().rev() {
            index.push((rest % (*size).max(1)).to_string());
            rest /= (*size).max(1);
        }
        index.reverse();
        index.join(", ")
    };
    let doing = |access: Access, by: Option<&Statement>| {
        let verb = match access {
            Access::Read => "reads",
            Access::Write => "writes",
            Access::Combine => "combines into",
        };
        let loc = by.and_then(|by| by.loc).map(|loc| format!(" ({loc})")).unwrap_or_default();
        let place = by.map(|by| format!(" at `{}`{loc}", statement_head(by))).unwrap_or_default();
        (verb, place)
    };
    let ((verb, place), (other_verb, other_place)) = (doing(access, by), doing(other_access, other_by));
    let (this, other) = (index(kernel.iteration), index(other));
    RunError::fault(format!(
        "M8: race on cell {cell} of `{block}`: iteration ({this}) of a kernel {verb} it{place}, which iteration ({other}) \
         {other_verb}{other_place}"
    ))
}
