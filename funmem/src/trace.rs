//! What a run did to memory: when each block lived, what lived in it, and who read and wrote it.
//!
//! The trace is of bounded size, whatever the run does: blocks of one allocation are told together, accesses are counted by
//! statement and array, and only the first ones of each are kept one by one.

use crate::ir::Space;
use fun_base::prim::PrimType;
use fun_base::run::fault::Statement;

/// How many lives of one allocation, or of one array, are kept one by one.
pub const MOST_LIVES: usize = 64;

/// How many accesses are kept one by one.
pub const MOST_ACCESSES: usize = 4096;

/// How many conflicts of scatters are kept.
pub const MOST_CONFLICTS: usize = 16;

/// A run's use of memory. Times count statements and results that kernels store.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Trace {
    /// By allocation, in order of the first one.
    pub blocks: Vec<BlockTrace>,
    /// The first accesses, in order.
    pub accesses: Vec<AccessTrace>,
    /// How many accesses there were.
    pub count: u64,
    /// The time when the run ended.
    pub end: u64,
    /// The largest number of bytes in blocks at once, and when that was first so.
    pub peak: (u64, u64),
    /// The bytes of all allocations and arguments together.
    pub total: u64,
    /// The first places to which iterations of a scatter write different values, at most [`MOST_CONFLICTS`]. That is no fault: the last
    /// one counts (F7). But it depends on the order, which other compilers leave open.
    pub conflicts: Vec<Conflict>,
}

/// Two iterations of a scatter that write different values to one place.
#[derive(Clone, PartialEq, Debug)]
pub struct Conflict {
    /// The destination.
    pub array: String,
    /// The index in it.
    pub index: Option<Vec<i64>>,
    /// The two iterations, in order.
    pub iterations: (u64, u64),
    /// The scatter.
    pub statement: Statement,
}

/// The blocks of one allocation, or the block of an argument.
#[derive(Clone, PartialEq, Debug)]
pub struct BlockTrace {
    /// The variable of the block.
    pub name: String,
    /// What its size was given in.
    pub elem: PrimType,
    /// Its kind of memory.
    pub space: Space,
    /// What allocates it; without text for an argument.
    pub allocated: Statement,
    /// How many blocks this was.
    pub count: u64,
    /// The largest one's size.
    pub bytes: u64,
    /// The first of them, at most [`MOST_LIVES`].
    pub lives: Vec<Life>,
    /// From the beginning of the first to the end of the last.
    pub whole: Life,
    /// What lived in them, in order of appearance.
    pub arrays: Vec<ArrayTrace>,
    /// Reads and writes by statement and array, in order of the first one.
    pub uses: Vec<UseTrace>,
}

/// The life of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Life {
    /// How large it is.
    pub bytes: u64,
    /// When it was allocated.
    pub start: u64,
    /// When it was first written.
    pub first_write: Option<u64>,
    /// When it was last read or written.
    pub last_use: Option<u64>,
    /// When it ended: the end of the run, if it outlived that.
    pub end: u64,
}

/// An array that lived in a block.
#[derive(Clone, PartialEq, Debug)]
pub struct ArrayTrace {
    /// Its variable.
    pub name: String,
    /// Its sizes when it was largest.
    pub shape: Vec<i64>,
    /// Its element type.
    pub elem: PrimType,
    /// From binding to last use, at most [`MOST_LIVES`] times.
    pub lives: Vec<(u64, u64)>,
    /// From the first binding to the last use.
    pub whole: (u64, u64),
    /// How often it came up.
    pub count: u64,
}

/// What a statement does to a block through an array.
#[derive(Clone, PartialEq, Debug)]
pub struct UseTrace {
    /// The statement; without text for taking arguments and giving results.
    pub statement: Statement,
    /// The array.
    pub array: String,
    /// How many cells it read.
    pub reads: u64,
    /// How many it wrote; combining writes of histograms and scatters among them.
    pub writes: u64,
    /// When the first and when the last of these took place.
    pub times: (u64, u64),
}

/// One access.
#[derive(Clone, PartialEq, Debug)]
pub struct AccessTrace {
    /// When.
    pub time: u64,
    /// `reads`, `writes` or `combines into`.
    pub verb: &'static str,
    /// The array.
    pub array: String,
    /// The index in the array.
    pub index: Option<Vec<i64>>,
    /// Position in [`Trace::blocks`].
    pub block: usize,
    /// The address in the block, in elements of the array.
    pub address: i64,
    /// The statement; without text for taking arguments and giving results.
    pub statement: Statement,
}

impl Trace {
    /// How many cells were read and how many written.
    pub fn totals(&self) -> (u64, u64) {
        let uses = self.blocks.iter().flat_map(|block| &block.uses);
        uses.fold((0, 0), |(reads, writes), of| (reads + of.reads, writes + of.writes))
    }
}
