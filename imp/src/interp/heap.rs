//! Memory blocks byte by byte: owners, what has been written, and who touched what in the parallel loops around (I5, I6).

use super::mark::{Access, LockCell, Mark, ParLoop};
use crate::ir::ATOMIC_WORD;
use fun_base::prim::{BinOp, PrimType, PrimValue, eval_bin};
use fun_base::run::RunError;

/// A block. Places are reused, generations are not, so a reference to a dead block is recognised.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BlockRef {
    place: usize,
    generation: u64,
}

/// No machine serves more.
const LARGEST: u64 = 1 << 47;

struct Place {
    generation: u64,
    block: Option<Block>,
}

struct Block {
    bytes: Vec<u8>,
    /// Which bytes have defined contents.
    written: Vec<bool>,
    owners: u64,
    /// Arguments that the procedure may not overwrite.
    read_only: bool,
    /// How many parallel loops were around the allocation: iterations of those have a block each.
    birth: usize,
    /// Bytes that share a [`Mark`].
    unit: usize,
    /// For each parallel loop around, from `birth` on, the accesses of its iterations.
    marks: Vec<Vec<Mark>>,
}

/// All blocks.
pub(super) struct Heap {
    places: Vec<Place>,
    vacant: Vec<usize>,
    next_generation: u64,
    live: u64,
    limit: u64,
    loops: Vec<ParLoop>,
    executions: u64,
    /// The lock cell that whatever runs has.
    held: Option<LockCell>,
    /// Whether what runs is an `ordered` region.
    ordered: bool,
}

impl Heap {
    pub(super) fn new(limit: u64) -> Heap {
        Heap {
            places: Vec::new(),
            vacant: Vec::new(),
            next_generation: 0,
            live: 0,
            limit,
            loops: Vec::new(),
            executions: 0,
            held: None,
            ordered: false,
        }
    }

    /// A parallel loop begins.
    pub(super) fn enter_loop(&mut self) {
        self.executions += 1;
        self.loops.push(ParLoop { execution: self.executions, iteration: 0 });
    }

    /// The next iteration of the innermost parallel loop.
    pub(super) fn iteration(&mut self, iteration: i64) {
        if let Some(innermost) = self.loops.last_mut() {
            innermost.iteration = iteration;
        }
    }

    /// The innermost parallel loop ends.
    pub(super) fn leave_loop(&mut self) {
        self.loops.pop();
    }

    /// A block with room for the product of `sizes`, owned once.
    pub(super) fn alloc(&mut self, elem: PrimType, sizes: &[i64]) -> Result<BlockRef, RunError> {
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
        if self.live + bytes > self.limit {
            return Err(RunError::limit(format!("more than {} bytes of memory", self.limit)));
        }
        self.live += bytes;
        let block = Block {
            bytes: vec![0; bytes as usize],
            written: vec![false; bytes as usize],
            owners: 1,
            read_only: false,
            birth: self.loops.len(),
            unit: elem.bytes().max(1) as usize,
            marks: Vec::new(),
        };
        self.next_generation += 1;
        let fresh = Place { generation: self.next_generation, block: Some(block) };
        let place = match self.vacant.pop() {
            Some(place) => {
                self.places[place] = fresh;
                place
            }
            None => {
                self.places.push(fresh);
                self.places.len() - 1
            }
        };
        Ok(BlockRef { place, generation: self.next_generation })
    }

    fn block(&mut self, at: BlockRef) -> Result<&mut Block, RunError> {
        let place = &mut self.places[at.place];
        place
            .block
            .as_mut()
            .filter(|_| place.generation == at.generation)
            .ok_or_else(|| RunError::fault("I5: the block is no longer alive (freed by its last owner)"))
    }

    /// One owner more.
    pub(super) fn share(&mut self, at: BlockRef) -> Result<(), RunError> {
        self.block(at)?.owners += 1;
        Ok(())
    }

    /// One owner less.
    pub(super) fn free(&mut self, at: BlockRef) -> Result<(), RunError> {
        let depth = self.loops.len();
        let block = self.block(at)?;
        block.owners -= 1;
        if block.owners > 0 {
            return Ok(());
        }
        if block.birth < depth {
            return Err(RunError::fault("I6: an iteration of a parallel loop frees a block from outside"));
        }
        self.live -= block.bytes.len() as u64;
        self.places[at.place].block = None;
        self.vacant.push(at.place);
        Ok(())
    }

    /// Writing to the block becomes a fault.
    pub(super) fn protect(&mut self, at: BlockRef) -> Result<(), RunError> {
        self.block(at)?.read_only = true;
        Ok(())
    }

    /// Number and bytes of the blocks that are alive.
    pub(super) fn alive(&self) -> (usize, u64) {
        (self.places.iter().filter(|place| place.block.is_some()).count(), self.live)
    }

    /// The element at an address (in elements).
    pub(super) fn read(&mut self, at: BlockRef, elem: PrimType, address: i64) -> Result<PrimValue, RunError> {
        let value = self.read_if_written(at, elem, address)?;
        value.ok_or_else(|| unwritten(elem, address))
    }

    /// The same; none where nothing has been written.
    pub(super) fn read_if_written(
        &mut self,
        at: BlockRef,
        elem: PrimType,
        address: i64,
    ) -> Result<Option<PrimValue>, RunError> {
        let (start, size) = self.place_of(at, elem, address)?;
        self.mark(at, start, size, Access::Read, elem)?;
        Ok(self.block(at)?.load(start, size, elem))
    }

    /// Makes the element at an address (in elements) one that nothing has been written to.
    pub(super) fn clear(&mut self, at: BlockRef, elem: PrimType, address: i64) -> Result<(), RunError> {
        self.write(at, address, elem.zero())?;
        let (start, size) = self.place_of(at, elem, address)?;
        self.block(at)?.written[start..start + size].fill(false);
        Ok(())
    }

    /// Writes the element at an address (in elements).
    pub(super) fn write(&mut self, at: BlockRef, address: i64, value: PrimValue) -> Result<(), RunError> {
        let elem = value.prim_type();
        let (start, size) = self.place_of(at, elem, address)?;
        self.mark(at, start, size, Access::Write, elem)?;
        self.block(at)?.store(start, size, value)
    }

    /// Combines the element at an address (in elements) with a value.
    pub(super) fn atomic(
        &mut self,
        at: BlockRef,
        address: i64,
        op: BinOp,
        value: PrimValue,
    ) -> Result<(), RunError> {
        let elem = value.prim_type();
        let (start, size) = self.place_of(at, elem, address)?;
        self.mark(at, start, size, Access::Atomic(op), elem)?;
        if size < ATOMIC_WORD {
            let word = start / ATOMIC_WORD * ATOMIC_WORD;
            let end = (word + ATOMIC_WORD).min(self.block(at)?.bytes.len() / size * size);
            for other in (word..end).step_by(size).filter(|other| *other != start) {
                self.mark(at, other, size, Access::Beside, elem)?;
            }
        }
        let block = self.block(at)?;
        let old = block.load(start, size, elem).ok_or_else(|| unwritten(elem, address))?;
        let new = eval_bin(op, old, value).map_err(|error| RunError::fault(format!("I12: {error}")))?;
        block.store(start, size, new)
    }

    /// Takes the lock cell at an address (in elements). Nothing else runs until it is given back.
    pub(super) fn lock(&mut self, at: BlockRef, address: i64) -> Result<(), RunError> {
        let (start, size) = self.place_of(at, PrimType::I32, address)?;
        self.mark(at, start, size, Access::Lock, PrimType::I32)?;
        match self.block(at)?.load(start, size, PrimType::I32) {
            Some(PrimValue::I32(0)) => {}
            Some(_) => return Err(RunError::fault("I15: a lock cell is not zero before the loop")),
            None => return Err(unwritten(PrimType::I32, address)),
        }
        self.held = Some((at.generation, address));
        Ok(())
    }

    /// Gives the lock cell back.
    pub(super) fn unlock(&mut self) {
        self.held = None;
    }

    /// An `ordered` region begins or ends.
    pub(super) fn ordered(&mut self, begins: bool) {
        self.ordered = begins;
    }

    /// Takes the word at an address (in elements) for a block.
    pub(super) fn word(&mut self, at: BlockRef, address: i64) -> Result<(), RunError> {
        let (start, size) = self.place_of(at, PrimType::I64, address)?;
        self.mark(at, start, size, Access::Word, PrimType::I64)?;
        match self.block(at)?.load(start, size, PrimType::I64) {
            Some(PrimValue::I64(0)) => self.block(at)?.store(start, size, PrimValue::I64(1)),
            Some(_) => Err(RunError::fault("I14: a word is not zero before the loop")),
            None => Err(unwritten(PrimType::I64, address)),
        }
    }

    /// First byte and number of bytes, inside the block.
    fn place_of(&mut self, at: BlockRef, elem: PrimType, address: i64) -> Result<(usize, usize), RunError> {
        let size = elem.bytes() as usize;
        let length = self.block(at)?.bytes.len();
        let start = usize::try_from(address).ok().and_then(|address| address.checked_mul(size));
        start.filter(|start| start.checked_add(size).is_some_and(|end| end <= length)).map_or_else(
            || {
                Err(RunError::fault(format!(
                    "I5: address {address} of {elem} is outside a block of {length} bytes"
                )))
            },
            |start| Ok((start, size)),
        )
    }

    /// Records an access and looks for races with other iterations of the loops around.
    fn mark(
        &mut self,
        at: BlockRef,
        start: usize,
        size: usize,
        access: Access,
        elem: PrimType,
    ) -> Result<(), RunError> {
        let Some(block) = self.places[at.place].block.as_mut() else { return Ok(()) };
        if block.birth >= self.loops.len() {
            return Ok(());
        }
        if !(start.is_multiple_of(block.unit) && size.is_multiple_of(block.unit)) {
            block.refine();
        }
        let units = start / block.unit..(start + size).div_ceil(block.unit);
        let length = block.bytes.len().div_ceil(block.unit);
        let (innermost, birth) = (self.loops.len() - 1, block.birth);
        for (level, parallel) in self.loops[birth..].iter().enumerate() {
            if block.marks.len() <= level {
                block.marks.push(vec![Mark::default(); length]);
            }
            for mark in &mut block.marks[level][units.clone()] {
                let reads_in_order = self.ordered && access == Access::Read && birth + level == innermost;
                if reads_in_order && mark.is_written(parallel) {
                    return Err(RunError::fault("I14: an `ordered` region reads what its loop writes"));
                }
                if !mark.access(parallel, access, self.held) {
                    let address = start / size.max(1);
                    let iteration = parallel.iteration;
                    let doing = match access {
                        Access::Read => "reads",
                        Access::Write => "writes",
                        Access::Atomic(_) => "combines",
                        Access::Beside => "combines a cell in the word of",
                        Access::Word => "has as a word",
                        Access::Lock => "takes as a lock",
                    };
                    return Err(RunError::fault(format!(
                        "I6: race: iteration {iteration} of a parallel loop {doing} {elem} at address {address}, which another \
                         iteration accesses too"
                    )));
                }
            }
        }
        Ok(())
    }
}

fn unwritten(elem: PrimType, address: i64) -> RunError {
    RunError::fault(format!("I5: {elem} at address {address} is read before it is written"))
}

impl Block {
    /// What is in some bytes; none where nothing has been written.
    fn load(&self, start: usize, size: usize, elem: PrimType) -> Option<PrimValue> {
        if self.written[start..start + size].contains(&false) {
            return None;
        }
        let mut bits = [0; 8];
        bits[..size].copy_from_slice(&self.bytes[start..start + size]);
        Some(PrimValue::from_bits(elem, u64::from_le_bytes(bits)))
    }

    fn store(&mut self, start: usize, size: usize, value: PrimValue) -> Result<(), RunError> {
        if self.read_only {
            return Err(RunError::fault("an argument that is not consumed is overwritten"));
        }
        self.bytes[start..start + size].copy_from_slice(&value.bits().to_le_bytes()[..size]);
        self.written[start..start + size].fill(true);
        Ok(())
    }

    /// Marks single bytes from now on: types of different widths live in the block.
    fn refine(&mut self) {
        for marks in &mut self.marks {
            *marks = marks.iter().flat_map(|mark| std::iter::repeat_n(*mark, self.unit)).collect();
        }
        self.unit = 1;
    }
}
