//! Blocks: allocation, lifetimes, and the kernels that are being executed. What cells hold and who used them is in [`cells`].

mod cells;

use super::Placed;
use crate::ir::Statement;
use cells::Cells;
pub(super) use cells::{Access, Raw, Taking, all_defined};
use fun_base::name::{Symbol, Var};
use fun_base::prim::PrimType;
use fun_base::run::RunError;
use fun_base::run::fault::FaultRule;
use fun_index::lmad::ConcreteLmad;

/// A block. Places are reused, generations are not, so that a reference to a dead block is recognised.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BlockRef {
    place: usize,
    pub(super) generation: u64,
}

/// No machine serves more.
const LARGEST: u64 = 1 << 47;

struct Block<'p> {
    facts: Facts<'p>,
    /// Arguments that the program may not overwrite.
    read_only: bool,
    /// How many kernels were around the allocation: iterations of those have a block each.
    birth: usize,
    cells: Cells,
}

/// What is known of a block, also after its end.
#[derive(Clone, Copy)]
pub(super) struct Facts<'p> {
    pub(super) generation: u64,
    pub(super) name: Var,
    pub(super) bytes: u64,
    /// What allocated it; nothing for an argument.
    pub(super) by: Option<&'p Statement>,
    /// With a body of what it ended.
    pub(super) end: Option<(Option<&'p Statement>, Option<Symbol>)>,
}

/// Where a block is or was.
#[derive(Default)]
struct Place<'p> {
    block: Option<Block<'p>>,
    /// The last block that ended here.
    ended: Option<Facts<'p>>,
}

/// What part of a kernel is being executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// The body at the point of this number.
    Point(u64),
    /// The operator as it takes in the point.
    Operator(u64),
    /// Storing the result of the row of this number.
    Result(u64),
}

/// A kernel being executed.
pub(super) struct Running {
    /// When it began.
    start: u64,
    /// When the current part of it began: what is older is another iteration's.
    part_start: u64,
    /// When the operator of a scan took in the current point, once it has: it will do so again with other partial results, when what
    /// the point writes is written.
    operator: std::ops::Range<u64>,
    pub(super) part: Part,
    pub(super) sizes: Vec<i64>,
}

/// An access that breaks a rule.
pub(super) struct Violation {
    pub(super) rule: FaultRule,
    /// When and how the earlier access took place that it conflicts with.
    pub(super) other: Option<(u64, Access)>,
}

impl From<FaultRule> for Violation {
    fn from(rule: FaultRule) -> Violation {
        Violation { rule, other: None }
    }
}

/// All blocks.
pub(super) struct Heap<'p> {
    places: Vec<Place<'p>>,
    vacant: Vec<usize>,
    /// Blocks that are alive, in order of allocation.
    alive: Vec<BlockRef>,
    next_generation: u64,
    next_lineage: u64,
    bytes: u64,
    limit: u64,
    /// The logical time: it goes on with each statement and with each result that a kernel stores.
    now: u64,
    pub(super) kernels: Vec<Running>,
    /// The lineages of the results of the kernel that is storing some.
    results: std::ops::Range<u64>,
}

impl<'p> Heap<'p> {
    pub(super) fn new(limit: u64) -> Heap<'p> {
        Heap {
            places: Vec::new(),
            vacant: Vec::new(),
            alive: Vec::new(),
            next_generation: 0,
            next_lineage: 0,
            bytes: 0,
            limit,
            now: 0,
            kernels: Vec::new(),
            results: 0..0,
        }
    }

    pub(super) fn now(&self) -> u64 {
        self.now
    }

    /// What is written from now on is younger than every array that there is.
    pub(super) fn tick(&mut self) {
        self.now += 1;
    }

    /// The first of `count` new lineages.
    pub(super) fn lineages(&mut self, count: usize) -> u64 {
        let first = self.next_lineage + 1;
        self.next_lineage += count as u64;
        first
    }

    /// A kernel over a space of these sizes begins.
    pub(super) fn enter_kernel(&mut self, sizes: Vec<i64>) {
        self.tick();
        let (start, part) = (self.now, Part::Point(0));
        self.kernels.push(Running { start, part_start: start, operator: 0..0, part, sizes });
    }

    /// The next part of the innermost kernel begins.
    pub(super) fn part(&mut self, part: Part) {
        self.tick();
        if let Some(innermost) = self.kernels.last_mut() {
            (innermost.part, innermost.part_start) = (part, self.now);
            innermost.operator = 0..0;
        }
    }

    /// The operator of the innermost kernel, a scan, begins to take in the current point.
    pub(super) fn operator_begins(&mut self) {
        self.tick();
        if let Some(innermost) = self.kernels.last_mut() {
            innermost.operator = self.now..self.now;
        }
    }

    /// It has done so.
    pub(super) fn operator_ends(&mut self) {
        self.tick();
        if let Some(innermost) = self.kernels.last_mut() {
            innermost.operator.end = self.now;
        }
    }

    /// From now on, results of these lineages are stored.
    pub(super) fn storing(&mut self, results: std::ops::Range<u64>) {
        self.results = results;
    }

    /// The innermost kernel ends.
    pub(super) fn leave_kernel(&mut self) {
        self.kernels.pop();
        self.tick();
    }

    /// A block with room for the product of `sizes`.
    pub(super) fn alloc(
        &mut self,
        name: Var,
        elem: PrimType,
        sizes: &[i64],
        by: Option<&'p Statement>,
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
        let facts = Facts { generation, name, bytes, by, end: None };
        let cells = Cells::new(bytes as usize, elem.bytes().max(1) as usize);
        let block = Block { facts, read_only: false, birth: self.kernels.len(), cells };
        let place = self.vacant.pop().unwrap_or_else(|| {
            self.places.push(Place::default());
            self.places.len() - 1
        });
        self.places[place].block = Some(block);
        let at = BlockRef { place, generation };
        self.alive.push(at);
        Ok(at)
    }

    /// How many blocks are alive: what [`Heap::end_scope`] takes.
    pub(super) fn scope(&self) -> usize {
        self.alive.len()
    }

    /// Ends the blocks allocated since `scope`, but for some, with a body of a statement or with a function.
    pub(super) fn end_scope(
        &mut self,
        scope: usize,
        keep: &[BlockRef],
        with: (Option<&'p Statement>, Option<Symbol>),
        ended: &mut dyn FnMut(&Facts<'p>),
    ) {
        let mut kept = scope;
        for k in scope..self.alive.len() {
            let at = self.alive[k];
            let place = &mut self.places[at.place];
            if keep.contains(&at) {
                self.alive[kept] = at;
                kept += 1;
            } else if let Some(block) = place.block.take() {
                self.bytes -= block.facts.bytes;
                let facts = Facts { end: Some(with), ..block.facts };
                ended(&facts);
                place.ended = Some(facts);
                self.vacant.push(at.place);
            }
        }
        self.alive.truncate(kept);
    }

    /// Writing to the block becomes a fault.
    pub(super) fn protect(&mut self, at: BlockRef) {
        if let Some(block) = &mut self.places[at.place].block {
            block.read_only = true;
        }
    }

    /// What is known of a block; nothing if it ended and another one has ended in its place since.
    pub(super) fn facts(&self, at: BlockRef) -> Option<Facts<'p>> {
        let place = &self.places[at.place];
        let known = [place.block.as_ref().map(|block| block.facts), place.ended];
        known.into_iter().flatten().find(|facts| facts.generation == at.generation)
    }

    fn block(&mut self, at: BlockRef) -> Result<&mut Block<'p>, Violation> {
        let block = self.places[at.place].block.as_mut();
        block.filter(|block| block.facts.generation == at.generation).ok_or(FaultRule::Ended.into())
    }

    /// The first address of an LMAD that is outside of the block, if one is.
    pub(super) fn beyond(&mut self, array: &Placed, lmad: &ConcreteLmad) -> Result<Option<i64>, Violation> {
        if lmad.is_empty() {
            return Ok(None);
        }
        let size = array.elem.bytes() as usize;
        let Some((low, high)) = lmad.span() else { return Ok(Some(i64::MAX)) };
        let cells = &self.block(array.block)?.cells;
        Ok([low, high].into_iter().find(|address| cells.start(size, *address).is_none()))
    }
}
