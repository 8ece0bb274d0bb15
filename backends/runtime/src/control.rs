//! What a caller may do to a run from outside: stop it, bound its memory, ask what it used.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// The stop flag of one run; compiled code polls it in loops. Zero while the run may go on.
pub type StopFlag = AtomicU32;

/// A handle on runs, shared freely between threads; any number of runs may use one.
#[derive(Clone, Default)]
pub struct RunControl {
    inner: Arc<Inner>,
    memory_cap: Option<u64>,
}

#[derive(Default)]
struct Inner {
    cancelled: AtomicBool,
    running: Mutex<Vec<Weak<StopFlag>>>,
}

impl RunControl {
    /// No bound on memory, not cancelled.
    pub fn new() -> RunControl {
        RunControl::default()
    }

    /// The same handle for runs that may have at most `bytes` in blocks at once.
    pub fn with_memory_cap(mut self, bytes: u64) -> RunControl {
        self.memory_cap = Some(bytes);
        self
    }

    /// The bound on memory.
    pub fn memory_cap(&self) -> Option<u64> {
        self.memory_cap
    }

    /// Stops all runs of this handle, present and future, at their next loop iterations or so.
    pub fn cancel(&self) {
        self.inner.cancelled.store(true, Ordering::SeqCst);
        for flag in self.lock().iter().filter_map(Weak::upgrade) {
            flag.store(1, Ordering::SeqCst);
        }
    }

    /// Lets future runs go on after a [`RunControl::cancel`].
    pub fn reset(&self) {
        self.inner.cancelled.store(false, Ordering::SeqCst);
    }

    /// Whether [`RunControl::cancel`] was called.
    pub fn is_cancelled(&self) -> bool {
        self.inner.cancelled.load(Ordering::SeqCst)
    }

    /// The stop flag for a new run.
    pub fn start(&self) -> Arc<StopFlag> {
        let flag = Arc::new(StopFlag::new(0));
        let mut running = self.lock();
        running.retain(|known| known.strong_count() > 0);
        running.push(Arc::downgrade(&flag));
        // under the lock, so that a `cancel` at the same time either sees the flag or is seen here
        if self.is_cancelled() {
            flag.store(1, Ordering::SeqCst);
        }
        flag
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Weak<StopFlag>>> {
        self.inner.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a run used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Usage {
    /// Blocks allocated so far; arguments are not counted, here and below.
    pub allocations: u64,
    /// Those that were allocated in loops.
    pub loop_allocations: u64,
    /// Bytes of all of them together, those that are gone included.
    pub allocated_bytes: u64,
    /// Bytes that copies of arrays moved.
    pub copied_bytes: u64,
    /// Bytes in blocks now.
    pub bytes: u64,
    /// The most bytes in blocks at once. Strands of parallel loops count in steps of 64 KiB.
    pub peak_bytes: u64,
}
