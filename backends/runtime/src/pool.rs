//! The threads of parallel loops: they look out for work for some microseconds after each loop, and sleep then.
//!
//! The thread that comes to a loop takes part in it, and waits for nobody who has not come yet: those that are there do all of the work.
//! A loop that begins while the threads are busy with another caller's runs in order. This is what the C backend's pool does too
//! (`backends/c/runtime/pool.c`).

use std::cell::{Cell, UnsafeCell};
use std::collections::BTreeMap;
use std::hint;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, OnceLock, PoisonError};
use std::thread;

/// What a thread does of a portion: the iterations from one to another, and those of the pieces that it takes then.
type Work<'l> = dyn Fn((i64, i64), &mut Pieces<'_>) + Sync + 'l;

/// Looks before a thread sleeps: about 50 microseconds.
const LOOKS: u32 = 2000;
/// Pieces that each thread's portion is taken in at most, so that uneven iterations end at about the same time.
const PIECES: u64 = 8;
/// Nanoseconds, by estimate, that a piece takes at least where there is another: taking one from another thread's portion takes as long as some hundred
/// cells.
const PIECE_WORK: f64 = 20_000.0;
/// Of many iterations pieces have a multiple of so many, so that those that write a cell each begin on a line of the cache.
const GRAIN: u64 = 64;
/// Loops after which the caller looks where it runs, if no thread sleeps.
const TURNS: u64 = 16;
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

/// A word with the number of a loop in the upper 48 bits and a number of pieces in the lower ones.
const fn word(turn: u64, pieces: u64) -> u64 {
    turn << 16 | pieces
}

const fn turn_of(word: u64) -> u64 {
    word >> 16
}

const fn count_of(word: u64) -> u64 {
    word & 0xffff
}

/// A thread, on a cache line of its own: what it says of the loops that it takes part in, by words that mean nothing for other loops.
#[repr(align(64))]
#[derive(Default)]
struct Seat {
    /// How many pieces of this thread's portion somebody has taken.
    taken: AtomicU64,
    /// How many pieces this thread has run, of any portion.
    done: AtomicU64,
    /// By what name the system knows the thread; zero before it has begun, and for the caller's.
    thread: AtomicI32,
}

/// The loop that the state tells of.
#[derive(Clone, Copy)]
struct Loop {
    work: *const Work<'static>,
    count: u64,
    /// Iterations of a portion and of a piece.
    portion: u64,
    piece: u64,
}

/// On a cache line of its own.
#[repr(align(64))]
#[derive(Default)]
struct Line<T>(T);

pub(crate) struct Pool {
    /// The last loop that was begun, and how many pieces each portion has.
    state: Line<AtomicU64>,
    shared: UnsafeCell<Option<Loop>>,
    /// Threads that sleep until there is a loop.
    sleeping: Line<AtomicU32>,
    /// Whether the caller sleeps until all pieces are done.
    waiting: AtomicBool,
    /// Whether a caller has the pool.
    busy: Line<AtomicBool>,
    mutex: Mutex<()>,
    begun: Condvar,
    finished: Condvar,
    /// The processor that the threads keep away from, the last caller's; negative when there is none.
    here: AtomicI32,
    /// As many as there are threads, the caller's first.
    seats: Box<[Seat]>,
}

// SAFETY: `shared` is written only by the caller that has set `busy`, before it stores the state and after all pieces of the loop before
// are done, and read only by those that have taken a piece of the loop that the state tells of, which does not end before the piece is
// done; what it points to is `Sync`. All else is atomic.
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
            shared: UnsafeCell::new(None),
            sleeping: Line::default(),
            waiting: AtomicBool::new(false),
            busy: Line::default(),
            mutex: Mutex::new(()),
            begun: Condvar::new(),
            finished: Condvar::new(),
            here: AtomicI32::new(-1),
            seats: (0..threads).map(|_| Seat::default()).collect(),
        }));
        for number in 1..threads {
            // where the system has no more threads, those that are there do the work
            let _ = thread::Builder::new().name(format!("fun-{number}")).spawn(move || pool.work(number));
        }
        pool
    }

    /// Runs `work` on the iterations `0..count`, which take about `nanoseconds` together; whether it did: the threads may have another loop
    /// to run.
    pub(crate) fn run(&self, count: i64, nanoseconds: f64, work: &Work<'_>) -> bool {
        let Ok(count) = u64::try_from(count) else { return true };
        if count == 0 {
            return true;
        }
        if self.busy.0.swap(true, Ordering::Acquire) {
            return false;
        }
        let threads = self.seats.len() as u64;
        let grain = if count / GRAIN / GRAIN / PIECES >= threads { GRAIN } else { 1 };
        // (what is no number is at least 1)
        let most = ((nanoseconds / threads as f64 / PIECE_WORK).max(1.0) as u64).min(PIECES);
        let portion = count.div_ceil(grain).div_ceil(threads);
        let piece = portion.div_ceil(most);
        let pieces = portion.div_ceil(piece);
        let work = std::ptr::from_ref(work);
        // SAFETY: only the lifetime changes, and all pieces are done before this returns
        let work = unsafe { std::mem::transmute::<*const Work<'_>, *const Work<'static>>(work) };
        // SAFETY: this caller has the pool, and nobody has a piece
        unsafe {
            *self.shared.get() = Some(Loop { work, count, portion: portion * grain, piece: piece * grain })
        };
        let turn = turn_of(self.state.0.load(Ordering::Relaxed)) + 1;
        self.state.0.store(word(turn, pieces), Ordering::SeqCst);
        let some_sleep = self.sleeping.0.load(Ordering::SeqCst) > 0;
        if some_sleep || turn % TURNS == 1 {
            self.keep_away();
        }
        if some_sleep {
            let _guard = self.mutex.lock().unwrap_or_else(PoisonError::into_inner);
            self.begun.notify_all();
        }
        let others = threads * pieces - self.take_part(0, word(turn, pieces));
        self.wait(turn, others);
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
            _ => self.seats[1..].iter().map(|seat| seat.thread.load(Ordering::Relaxed)).collect(),
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

    /// Until others have done as many pieces of a loop.
    fn wait(&self, turn: u64, pieces: u64) {
        let done = || {
            let words = self.seats[1..].iter().map(|seat| seat.done.load(Ordering::SeqCst));
            words.filter(|done| turn_of(*done) == turn).map(count_of).sum::<u64>() == pieces
        };
        for look in 0..LOOKS {
            if done() {
                return;
            }
            pause(look);
        }
        let mut guard = self.mutex.lock().unwrap_or_else(PoisonError::into_inner);
        self.waiting.store(true, Ordering::SeqCst);
        while !done() {
            guard = self.finished.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
        self.waiting.store(false, Ordering::SeqCst);
    }

    /// Takes pieces of the loop that `state` tells of until there are none left, those of this thread's portion first, and runs them; how many
    /// it had.
    fn take_part(&self, number: usize, state: u64) -> u64 {
        let (turn, count) = (turn_of(state), count_of(state));
        let mut mine = 0;
        for distance in 0..self.seats.len() {
            let whose = (number + distance) % self.seats.len();
            let mut pieces = Pieces { pool: self, whose, turn, count, taken: 0 };
            if let Some((shared, from, to)) = pieces.take_one() {
                // SAFETY: the caller waits for this piece, of which it is told below
                unsafe { (*shared.work)((from, to), &mut pieces) };
                // (all are taken, also where the work is left undone)
                while pieces.take_one().is_some() {}
            }
            mine += pieces.taken;
            // before looking at other threads' portions, which takes a while, and when nothing of the work is left here
            if number > 0 && pieces.taken > 0 {
                self.tell(number, word(turn, mine));
            }
        }
        mine
    }

    /// Tells the caller how many pieces of a loop a thread has run so far.
    fn tell(&self, number: usize, done: u64) {
        self.seats[number].done.store(done, Ordering::SeqCst);
        if self.waiting.load(Ordering::SeqCst) {
            let _guard = self.mutex.lock().unwrap_or_else(PoisonError::into_inner);
            self.finished.notify_one();
        }
    }

    /// What a thread does.
    fn work(&self, number: usize) {
        let seat = &self.seats[number];
        #[cfg(target_os = "linux")]
        // SAFETY: it takes nothing
        seat.thread.store(unsafe { libc::gettid() }, Ordering::Relaxed);
        let mut last = 0;
        loop {
            let state = self.news(last);
            last = turn_of(state);
            self.take_part(number, state);
        }
    }

    /// The state when there is a loop to take part in, another than the last.
    fn news(&self, last: u64) -> u64 {
        let news = || Some(self.state.0.load(Ordering::SeqCst)).filter(|state| turn_of(*state) != last);
        for look in 0..LOOKS {
            if let Some(state) = news() {
                return state;
            }
            pause(look);
        }
        let mut guard = self.mutex.lock().unwrap_or_else(PoisonError::into_inner);
        self.sleeping.0.fetch_add(1, Ordering::SeqCst);
        let state = loop {
            if let Some(state) = news() {
                break state;
            }
            guard = self.begun.wait(guard).unwrap_or_else(PoisonError::into_inner);
        };
        self.sleeping.0.fetch_sub(1, Ordering::SeqCst);
        state
    }
}

/// Pieces of a portion that a thread takes. A piece that was taken is that loop's: it does not end before the piece is done.
pub(crate) struct Pieces<'p> {
    pool: &'p Pool,
    /// Whose portion it is.
    whose: usize,
    turn: u64,
    /// Of the portion.
    count: u64,
    /// By this thread.
    taken: u64,
}

impl Pieces<'_> {
    /// Takes a piece that has iterations: the loop, and from where to where.
    fn take_one(&mut self) -> Option<(Loop, i64, i64)> {
        loop {
            let next = self.next_one()?;
            self.taken += 1;
            // SAFETY: this thread has a piece, so the loop is there
            let shared = unsafe { *self.pool.shared.get() }?;
            let start = self.whose as u64 * shared.portion;
            let end = shared.count.min(start + shared.portion);
            let from = start + next * shared.piece;
            if from < end {
                return Some((shared, from as i64, end.min(from + shared.piece) as i64));
            }
        }
    }

    /// The next piece, which is taken.
    fn next_one(&self) -> Option<u64> {
        // nobody has taken any where the word is of the loop before; that of a later one tells who comes late
        let next = |taken| if turn_of(taken) == self.turn { count_of(taken) } else { 0 };
        let take = |taken| {
            let some = next(taken) < self.count && turn_of(taken) <= self.turn;
            some.then(|| word(self.turn, next(taken) + 1))
        };
        let taken = &self.pool.seats[self.whose].taken;
        taken.fetch_update(Ordering::SeqCst, Ordering::SeqCst, take).ok().map(next)
    }
}

impl Iterator for Pieces<'_> {
    type Item = (i64, i64);

    fn next(&mut self) -> Option<(i64, i64)> {
        self.take_one().map(|(_, from, to)| (from, to))
    }
}

/// Between two looks. Now and then others may run: the thread that is waited for may need this processor.
fn pause(look: u32) {
    if look % 64 == 63 {
        thread::yield_now();
    }
    hint::spin_loop();
}
