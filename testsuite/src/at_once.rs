//! Several tests at a time.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Threads at most: each may need much memory.
const MOST: usize = 8;

/// What becomes of each of these, in order, as many at a time as there are processors, on stacks as large as that of the `fun` command. Panics if one does.
pub fn map<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let (next, results) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { return };
            let result = f(item);
            results.lock().unwrap_or_else(PoisonError::into_inner).insert(at, result);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from).min(MOST) {
            let thread = std::thread::Builder::new().stack_size(256 << 20);
            thread.spawn_scoped(scope, work).expect("a thread starts");
        }
    });
    results.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect()
}
