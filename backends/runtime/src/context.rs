//! The state of a run: what all its strands share, and the context of each strand.

use crate::block::{self, Header, SMALL_CLASSES};
use crate::control::{RunControl, StopFlag, Usage};
use crate::spare::Spares;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Why a run stopped. `site` numbers the places of the compiled program that can fail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The condition of a place did not hold.
    Site {
        /// The place.
        site: u32,
        /// What its message is about.
        numbers: Vec<i64>,
    },
    /// A size was negative.
    NegativeSize {
        /// The place.
        site: u32,
        /// The size.
        size: i64,
    },
    /// No memory.
    Memory {
        /// The place.
        site: u32,
        /// What was asked for; saturates.
        bytes: u128,
        /// The bound of the run, when that was the reason.
        cap: Option<u64>,
    },
    /// Calls within each other took all of the stack.
    Stack {
        /// The place.
        site: u32,
    },
    /// Stopped from outside.
    Cancelled,
}

/// What all strands of a run share.
pub struct Shared {
    stop: Arc<StopFlag>,
    failure: Mutex<Option<Failure>>,
    cap: u64,
    bytes: AtomicU64,
    peak: AtomicU64,
    allocations: AtomicU64,
    loop_allocations: AtomicU64,
    allocated_bytes: AtomicU64,
    copied_bytes: AtomicU64,
    pub(crate) spares: Arc<Spares>,
}

impl Shared {
    /// For a new run, with blocks that earlier ones left.
    pub fn new(control: &RunControl, spares: Arc<Spares>) -> Shared {
        Shared {
            spares,
            stop: control.start(),
            failure: Mutex::new(None),
            cap: control.memory_cap().unwrap_or(u64::MAX),
            bytes: AtomicU64::new(0),
            peak: AtomicU64::new(0),
            allocations: AtomicU64::new(0),
            loop_allocations: AtomicU64::new(0),
            allocated_bytes: AtomicU64::new(0),
            copied_bytes: AtomicU64::new(0),
        }
    }

    /// Records the first failure and stops all strands.
    pub fn fail(&self, failure: Failure) {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure);
        self.stop.store(1, Ordering::SeqCst);
    }

    /// Whether strands should end.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) != 0
    }

    /// Why a run that returned with a nonzero status did so.
    pub fn failure(&self) -> Failure {
        let recorded = self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone();
        recorded.unwrap_or(Failure::Cancelled)
    }

    /// The bound on memory.
    pub(crate) fn cap(&self) -> u64 {
        self.cap
    }

    /// What the run used.
    pub fn usage(&self) -> Usage {
        Usage {
            allocations: self.allocations.load(Ordering::Relaxed),
            loop_allocations: self.loop_allocations.load(Ordering::Relaxed),
            allocated_bytes: self.allocated_bytes.load(Ordering::Relaxed),
            copied_bytes: self.copied_bytes.load(Ordering::Relaxed),
            bytes: self.bytes.load(Ordering::Relaxed),
            peak_bytes: self.peak.load(Ordering::Relaxed),
        }
    }

    /// Bytes in use.
    pub(crate) fn used(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Counts `bytes` more, unless that is over the cap.
    fn reserve(&self, bytes: u64) -> bool {
        let add = |now: u64| now.checked_add(bytes).filter(|sum| *sum <= self.cap);
        match self.bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add) {
            Ok(before) => {
                self.peak.fetch_max(before + bytes, Ordering::Relaxed);
                true
            }
            Err(_) => false,
        }
    }
}

/// A parallel strand takes and returns memory from the shared count in steps of this many bytes.
const QUANTUM: u64 = 64 << 10;

/// The context of one sequential strand. Compiled code gets a pointer to it and reads only `stop`, at offset 0.
#[repr(C)]
pub struct Context {
    stop: *const StopFlag,
    /// What the strands share.
    pub shared: Arc<Shared>,
    /// Blocks alive that this strand made.
    pub(crate) blocks: *mut Header,
    /// Dead small blocks by size class, linked by `next`.
    pub(crate) spare: [*mut Header; SMALL_CLASSES],
    /// Inside a parallel loop: nested ones run in order.
    pub(crate) parallel: bool,
    /// Bytes reserved in the shared count but not used (parallel strands).
    credit: u64,
    allocations: u64,
    pub(crate) loop_allocations: u64,
    pub(crate) allocated_bytes: u64,
    pub(crate) copied_bytes: u64,
}

impl Context {
    /// The context of a run's main strand.
    pub fn new(shared: Arc<Shared>) -> Context {
        Context {
            stop: &raw const *shared.stop,
            shared,
            blocks: ptr::null_mut(),
            spare: [ptr::null_mut(); SMALL_CLASSES],
            parallel: false,
            credit: 0,
            allocations: 0,
            loop_allocations: 0,
            allocated_bytes: 0,
            copied_bytes: 0,
        }
    }

    /// The context of a thread for a portion of a parallel loop.
    pub(crate) fn strand(shared: Arc<Shared>) -> Context {
        let mut context = Context::new(shared);
        context.parallel = true;
        context
    }

    /// Counts a block of `bytes`, unless that is over the cap.
    pub(crate) fn take_bytes(&mut self, bytes: u64) -> bool {
        self.allocations += 1;
        if self.credit >= bytes {
            self.credit -= bytes;
            return true;
        }
        if self.parallel && self.shared.reserve((bytes - self.credit).saturating_add(QUANTUM)) {
            self.credit = QUANTUM;
            return true;
        }
        if self.shared.reserve(bytes - self.credit) {
            self.credit = 0;
            return true;
        }
        false
    }

    /// Counts a block of `bytes` as gone.
    pub(crate) fn give_bytes(&mut self, bytes: u64) {
        self.credit += bytes;
        let keep = if self.parallel { QUANTUM } else { 0 };
        if self.credit > 2 * keep {
            self.shared.bytes.fetch_sub(self.credit - keep, Ordering::Relaxed);
            self.credit = keep;
        }
    }

    /// Adds what this strand counted to the shared counts.
    pub(crate) fn settle(&mut self) {
        self.shared.bytes.fetch_sub(std::mem::take(&mut self.credit), Ordering::Relaxed);
        let counts = [
            (&self.shared.allocations, &mut self.allocations),
            (&self.shared.loop_allocations, &mut self.loop_allocations),
            (&self.shared.allocated_bytes, &mut self.allocated_bytes),
            (&self.shared.copied_bytes, &mut self.copied_bytes),
        ];
        for (shared, own) in counts {
            shared.fetch_add(std::mem::take(own), Ordering::Relaxed);
        }
    }

    /// What the run used, this strand included.
    pub fn usage(&mut self) -> Usage {
        self.settle();
        self.shared.usage()
    }
}

/// Releases the strand's blocks.
impl Drop for Context {
    fn drop(&mut self) {
        block::release_all(self);
        self.settle();
    }
}

/// Called where a condition of the program fails.
///
/// # Safety
/// `context` is the one that the calling compiled code was given; `numbers` points to `count` numbers, if that is not 0.
pub unsafe extern "C" fn fail(context: *mut Context, site: u32, numbers: *const i64, count: i64) {
    // SAFETY: by contract the pointer is valid and not otherwise used during the call
    let context = unsafe { &mut *context };
    let numbers = match usize::try_from(count) {
        // SAFETY: by contract there are as many
        Ok(count) if count > 0 => unsafe { std::slice::from_raw_parts(numbers, count) }.to_vec(),
        _ => Vec::new(),
    };
    context.shared.fail(Failure::Site { site, numbers });
}

/// Stack that a call must leave: for the callee's own frame and for what the runtime does below it.
const STACK_RESERVE: usize = 256 << 10;

/// Called before a function that calls itself is called: nonzero, and the run has failed, when the stack ends.
///
/// # Safety
/// `context` is the one that the calling compiled code was given.
pub unsafe extern "C" fn enter(context: *mut Context, site: u32) -> u32 {
    if stacker::remaining_stack().is_none_or(|bytes| bytes > STACK_RESERVE) {
        return 0;
    }
    // SAFETY: by contract the pointer is valid and not otherwise used during the call
    unsafe { &*context }.shared.fail(Failure::Stack { site });
    1
}
