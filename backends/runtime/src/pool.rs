//! The threads of parallel loops: they look out for work for some microseconds after each loop, and sleep then.
//!
//! The thread that comes to a loop takes part in it, and waits for nobody who has not come yet: those that are there do all of the work.
//! A loop that begins while the threads are busy with another caller's runs in order. This is what the C backend's pool does too
//! (`backends/c/runtime/pool.c`).

use std::cell::{Cell, UnsafeCell};
use std::collections::BTreeMap;
use std::hint;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicI64, AtomicU32, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, OnceLock, PoisonError};
use std::thread;

/// The iterations from one to another.
type Part<'l> = dyn Fn(i64, i64) + Sync + 'l;

/// Whether threads may join the loop; below this bit is how many are inside, above it the number of the loop.
const OPEN: u64 = 1 << 31;
const INSIDE: u64 = OPEN - 1;
/// Looks before a thread sleeps: about 50 microseconds.
const LOOKS: u32 = 2000;
/// Parts that a thread's portion is taken in, so that uneven iterations end at about the same time.
const PARTS: i64 = 8;
/// Of many iterations pieces have a multiple of so many, so that those that write a cell each begin on a line of the cache.
const GRAIN: i64 = 64;
const MOST_THREADS: usize = 1024;

thread_local! {
    /// How many threads loops of this thread have, where that was said; zero otherwise.
    static WANTED: Cell<usize> = const { Cell::new(0) };
}

/// Runs `f` with so many threads for the parallel loops that it comes to on this thread.
pub fn with_threads<T>(threads: usize, f: impl FnOnce() -> T) -> T {
    let before = WANTED.replace(threads.clamp(1, MOST_THREADS));
    let result = f();
    WANTED.set(before);
    result
}

/// How many threads run a loop of this thread: as many as [`with_threads`] says, or `FUN_NUM_THREADS`, or as there are processors.
pub(crate) fn threads() -> usize {
    // (asked for at each loop, by all threads at once)
    static USUAL: OnceLock<usize> = OnceLock::new();
    match WANTED.get() {
        0 => *USUAL.get_or_init(|| {
            let said = std::env::var("FUN_NUM_THREADS").ok().and_then(|count| count.trim().parse().ok());
            let count = said.filter(|count| *count > 0);
            let count = count.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
            count.min(MOST_THREADS)
        }),
        wanted => wanted,
    }
}

/// The iterations that one thread begins with, on a cache line of their own. Who has none left takes from others.
#[repr(align(64))]
#[derive(Default)]
struct Portion {
    next: AtomicI64,
    end: AtomicI64,
    /// By what name the system knows the thread; zero before it has begun, and for the caller's.
    thread: AtomicI32,
}

/// On a cache line of its own.
#[repr(align(64))]
#[derive(Default)]
struct Line<T>(T);

pub(crate) struct Pool {
    state: Line<AtomicU64>,
    /// The loop that the state tells of.
    part: UnsafeCell<Option<*const Part<'static>>>,
    chunk: AtomicI64,
    /// Whether a caller has the pool.
    busy: Line<AtomicBool>,
    /// Whether that caller sleeps until all have left the loop.
    waiting: AtomicBool,
    sleeping: AtomicU32,
    mutex: Mutex<()>,
    begun: Condvar,
    left: Condvar,
    /// The processor that the threads keep away from, the last caller's; negative when there is none.
    here: AtomicI32,
    /// As many as there are threads, the caller's first.
    portions: Box<[Portion]>,
}

// SAFETY: `part` is written only by the caller that has set `busy`, while no thread is inside and none can join, and read only by those
// that have joined after the state was stored; what it points to is `Sync`. All else is atomic.
unsafe impl Sync for Pool {}
// SAFETY: as above
unsafe impl Send for Pool {}

impl Pool {
    /// The pool of so many threads, the caller's among them. It is made once and stays.
    pub(crate) fn of(threads: usize) -> &'static Pool {
        static POOLS: Mutex<BTreeMap<usize, &'static Pool>> = Mutex::new(BTreeMap::new());
        thread_local! {
            static LAST: Cell<Option<(usize, &'static Pool)>> = const { Cell::new(None) };
        }
        if let Some((count, pool)) = LAST.get()
            && count == threads
        {
            return pool;
        }
        let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
        let pool = *pools.entry(threads).or_insert_with(|| Pool::start(threads));
        LAST.set(Some((threads, pool)));
        pool
    }

    fn start(threads: usize) -> &'static Pool {
        let pool: &'static Pool = Box::leak(Box::new(Pool {
            state: Line::default(),
            part: UnsafeCell::new(None),
            chunk: AtomicI64::new(1),
            busy: Line::default(),
            waiting: AtomicBool::new(false),
            sleeping: AtomicU32::new(0),
            mutex: Mutex::new(()),
            begun: Condvar::new(),
            left: Condvar::new(),
            here: AtomicI32::new(-1),
            portions: (0..threads).map(|_| Portion::default()).collect(),
        }));
        for number in 1..threads {
            // where the system has no more threads, those that are there do the work
            let _ = thread::Builder::new().name(format!("fun-{number}")).spawn(move || pool.work(number));
        }
        pool
    }

    /// Runs `part` on the iterations `0..count`, in pieces of at least `least` where there are as many; whether it did: the threads may
    /// have another loop to run.
    pub(crate) fn run(&self, count: i64, least: i64, part: &Part<'_>) -> bool {
        if self.busy.0.swap(true, Ordering::Acquire) {
            return false;
        }
        let threads = self.portions.len() as i64;
        let grain = if count / GRAIN / GRAIN / PARTS >= threads { GRAIN } else { 1 };
        let units = count / grain + i64::from(count % grain != 0);
        let (each, more) = (units / threads, units % threads);
        self.chunk.store(((each / PARTS + 1) * grain).max(least), Ordering::Relaxed);
        let mut from = 0;
        for (portion, k) in self.portions.iter().zip(0..) {
            portion.next.store(from, Ordering::Relaxed);
            // (never beyond the last i64)
            from = if k + 1 < threads { from + (each + i64::from(k < more)) * grain } else { count };
            portion.end.store(from, Ordering::Relaxed);
        }
        // SAFETY: this caller has the pool, and nobody is inside
        unsafe {
            *self.part.get() = Some(std::mem::transmute::<*const Part<'_>, *const Part<'static>>(part))
        };
        self.keep_away();
        let turn = (self.state.0.load(Ordering::SeqCst) >> 32).wrapping_add(1) & u64::from(u32::MAX);
        self.state.0.store(turn << 32 | OPEN, Ordering::SeqCst);
        if self.sleeping.load(Ordering::SeqCst) > 0 {
            let _guard = self.mutex.lock().unwrap_or_else(PoisonError::into_inner);
            self.begun.notify_all();
        }
        self.portions(0, part);
        self.state.0.fetch_and(!OPEN, Ordering::SeqCst);
        self.wait();
        self.busy.0.store(false, Ordering::Release);
        true
    }

    /// Lets the threads run anywhere but where the caller does, if there is a processor for each. Linux wakes a thread where its waker runs,
    /// if that has just slept itself: the two would take turns on one processor while another has nothing to do.
    #[cfg(target_os = "linux")]
    fn keep_away(&self) {
        // SAFETY: it takes nothing
        let here = unsafe { libc::sched_getcpu() };
        let threads: Vec<i32> = match self.here.load(Ordering::Relaxed) {
            there if there == here || here < 0 => return,
            _ => self.portions[1..].iter().map(|portion| portion.thread.load(Ordering::Relaxed)).collect(),
        };
        let size = size_of::<libc::cpu_set_t>();
        // SAFETY: a set of processors is plain bits, and as large as is said
        let (known, mut set) = unsafe {
            let mut set: libc::cpu_set_t = std::mem::zeroed();
            (libc::sched_getaffinity(0, size, &mut set) == 0, set)
        };
        // SAFETY: as above
        let processors = unsafe { libc::CPU_COUNT(&set) };
        // (threads that have not begun yet are told next time)
        let in_set = here as usize / 8 < size;
        if !known || !in_set || processors as usize <= threads.len() || threads.contains(&0) {
            return;
        }
        self.here.store(here, Ordering::Relaxed);
        // SAFETY: the number is that of a processor, so it is in range; the threads are this pool's
        unsafe {
            libc::CPU_CLR(here as usize, &mut set);
            for thread in threads {
                libc::sched_setaffinity(thread, size, &set);
            }
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn keep_away(&self) {}

    /// Until all have left the loop.
    fn wait(&self) {
        let inside = || self.state.0.load(Ordering::SeqCst) & INSIDE != 0;
        for look in 0..LOOKS {
            if !inside() {
                return;
            }
            pause(look);
        }
        let mut guard = self.mutex.lock().unwrap_or_else(PoisonError::into_inner);
        self.waiting.store(true, Ordering::SeqCst);
        while inside() {
            guard = self.left.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
        self.waiting.store(false, Ordering::SeqCst);
    }

    /// Iterations until there are none left, those of this thread's portion first.
    fn portions(&self, number: usize, part: &Part<'_>) {
        let chunk = self.chunk.load(Ordering::Relaxed);
        for k in 0..self.portions.len() {
            let portion = &self.portions[(number + k) % self.portions.len()];
            let end = portion.end.load(Ordering::Relaxed);
            // (a sum might be beyond the last i64)
            let after = |from: i64| end.min(from.saturating_add(chunk));
            let take = |next: i64| (next < end).then(|| after(next));
            while let Ok(from) = portion.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take) {
                part(from, after(from));
            }
        }
    }

    /// What a thread does.
    fn work(&self, number: usize) {
        #[cfg(target_os = "linux")]
        // SAFETY: it takes nothing
        self.portions[number].thread.store(unsafe { libc::gettid() }, Ordering::Relaxed);
        let mut last = 0;
        loop {
            let state = self.news(last);
            if self.state.0.compare_exchange(state, state + 1, Ordering::SeqCst, Ordering::SeqCst).is_err() {
                continue;
            }
            last = state >> 32;
            // SAFETY: the caller waits until this thread has left
            if let Some(part) = unsafe { *self.part.get() } {
                // SAFETY: as above
                self.portions(number, unsafe { &*part });
            }
            let before = self.state.0.fetch_sub(1, Ordering::SeqCst);
            if (before - 1) & (OPEN | INSIDE) == 0 && self.waiting.load(Ordering::SeqCst) {
                let _guard = self.mutex.lock().unwrap_or_else(PoisonError::into_inner);
                self.left.notify_one();
            }
        }
    }

    /// The state when there is a loop to join, another than the last.
    fn news(&self, last: u64) -> u64 {
        let news = || {
            let state = self.state.0.load(Ordering::SeqCst);
            (state & OPEN != 0 && state >> 32 != last).then_some(state)
        };
        for look in 0..LOOKS {
            if let Some(state) = news() {
                return state;
            }
            pause(look);
        }
        let mut guard = self.mutex.lock().unwrap_or_else(PoisonError::into_inner);
        self.sleeping.fetch_add(1, Ordering::SeqCst);
        let state = loop {
            if let Some(state) = news() {
                break state;
            }
            guard = self.begun.wait(guard).unwrap_or_else(PoisonError::into_inner);
        };
        self.sleeping.fetch_sub(1, Ordering::SeqCst);
        state
    }
}

/// Between two looks. Now and then others may run: the thread that is waited for may need this processor.
fn pause(look: u32) {
    if look % 64 == 63 {
        thread::yield_now();
    }
    hint::spin_loop();
}
