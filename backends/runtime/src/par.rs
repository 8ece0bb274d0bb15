//! Parallel loops.

use crate::context::Context;
use crate::pool::{self, Pieces, Pool};
use std::iter;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

/// The compiled body of a parallel loop: runs the iterations `lo..hi`, returns nonzero to stop the run.
pub type Body = unsafe extern "C" fn(context: *mut Context, env: *const u64, lo: i64, hi: i64) -> u32;

/// Work (in about nanoseconds) below which a loop runs in order.
const SEQUENTIAL_WORK: f64 = 40_000.0;

/// Guessed work from which on it is worth looking at a clock.
const MAY_PAY: f64 = 400.0;

/// How many strands run at once at most.
pub fn most_strands() -> usize {
    pool::threads()
}

/// A pointer that pieces on other threads may use.
#[derive(Clone, Copy)]
struct Env(*const u64);
// SAFETY: the captured values are only read, and outlive the loop
unsafe impl Send for Env {}
// SAFETY: as above
unsafe impl Sync for Env {}

impl Env {
    fn get(self) -> *const u64 {
        self.0
    }
}

/// How many threads the parallel loops of this thread have, whose context `_context` is. (In libraries contexts say.)
pub extern "C" fn threads(_context: *mut Context) -> i64 {
    pool::threads() as i64
}

/// Runs the iterations `0..count`, in parallel when that pays; `cost` estimates the work of one iteration. Less than nothing is a guess (of the same size), since some of it runs
/// so often as nobody knows: then the first iteration tells if it says too little.
///
/// # Safety
/// `context` is the one that the calling compiled code was given, `body` and `env` belong together, and the iterations
/// are independent.
pub unsafe extern "C" fn parallel_for(
    context: *mut Context,
    body: Body,
    env: *const u64,
    count: i64,
    cost: f64,
) -> u32 {
    if count <= 0 {
        return 0;
    }
    // SAFETY: by contract
    let (parallel, shared) = unsafe { ((*context).parallel, &(*context).shared) };
    let threads = pool::threads();
    let mut work = count as f64 * cost.abs();
    let mut start = 0;
    // (what is no number does not)
    let mut pays = work >= SEQUENTIAL_WORK;
    if !parallel && threads > 1 && count > 2 && !pays && cost < 0.0 && work > MAY_PAY {
        let before = Instant::now();
        // SAFETY: by contract
        let status = unsafe { body(context, env, 0, 1) };
        if status != 0 {
            return status;
        }
        start = 1;
        work = before.elapsed().as_nanos() as f64 * (count - 1) as f64;
        pays = work >= SEQUENTIAL_WORK;
    }
    if parallel || count == 1 || threads == 1 || !pays {
        // SAFETY: by contract
        return unsafe { body(context, env, start, count) };
    }
    let env = Env(env);
    let status = AtomicU32::new(0);
    let on_thread = |first: (i64, i64), rest: &mut Pieces<'_>| {
        let mut strand = Context::strand(Arc::clone(shared));
        for (from, to) in iter::once(first).chain(rest) {
            // SAFETY: iterations are independent, captured values outlive the loop, and the strand is its own
            if shared.stopped() || unsafe { body(&raw mut strand, env.get(), from + start, to + start) } != 0
            {
                status.store(1, Ordering::Relaxed);
                return;
            }
        }
    };
    if !Pool::of(threads).run(count - start, work, &on_thread) {
        let mut strand = Context::strand(Arc::clone(shared));
        // SAFETY: as above
        return unsafe { body(&raw mut strand, env.get(), start, count) };
    }
    status.into_inner()
}
