//! Tests of the runtime without compiled code.

use crate::block::{IN_LOOP, allocate, allocate_shape, free, live, make_argument, room, share};
use crate::context::{Context, Failure, Shared};
use crate::control::RunControl;
use crate::copy::{CopyDim, copy};
use crate::par::parallel_for;
use crate::pool::{Pool, with_threads};
use crate::spare::Spares;
use std::iter;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

fn context(control: &RunControl) -> Context {
    Context::new(Arc::new(Shared::new(control, Arc::default())))
}

#[test]
fn blocks_are_aligned_counted_and_reused() {
    let mut context = context(&RunControl::new());
    let c = &raw mut context;
    // SAFETY: the context is valid, and blocks are used while they live
    unsafe {
        let a = allocate(c, 0, 8, 10);
        let b = allocate_shape(c, 0, 4, 2, [3i64, 5].as_ptr());
        assert_eq!((a as usize % 64, b as usize % 64), (0, 0));
        assert!(room(a) >= 80 && room(b) >= 60);
        assert_eq!((live(&*c), (*c).usage().bytes), (2, 140));
        share(c, a);
        free(c, a);
        assert_eq!(live(&*c), 2);
        free(c, a);
        assert_eq!((live(&*c), (*c).usage().bytes), (1, 60));
        assert_eq!(allocate(c, 0, 1, 128), a);
        free(c, std::ptr::null_mut());
        share(c, std::ptr::null_mut());
        assert_eq!((*c).usage().allocations, 3);
        assert_eq!(((*c).usage().peak_bytes, (*c).usage().allocated_bytes), (188, 268));
    }
}

#[test]
fn impossible_blocks_are_recorded_failures() {
    let sizes = |sizes: &[i64], element| {
        let mut context = context(&RunControl::new().with_memory_cap(1000));
        let c = &raw mut context;
        // SAFETY: the context and the sizes are valid
        let block = unsafe { allocate_shape(c, 7, element, sizes.len() as i64, sizes.as_ptr()) };
        if block.is_null() { Err(context.shared.failure()) } else { Ok(()) }
    };
    assert_eq!(sizes(&[10, 10], 8), Ok(()));
    assert_eq!(sizes(&[0, i64::MAX, i64::MAX], 8), Ok(()));
    assert_eq!(sizes(&[i64::MAX, 3], 0), Ok(()));
    assert_eq!(sizes(&[0, -3], 8), Err(Failure::NegativeSize { site: 7, size: -3 }));
    assert_eq!(sizes(&[126], 8), Err(Failure::Memory { site: 7, bytes: 1008, cap: Some(1000) }));
    assert_eq!(
        sizes(&[i64::MAX, i64::MAX, i64::MAX], 8),
        Err(Failure::Memory { site: 7, bytes: u128::MAX, cap: None })
    );
}

#[test]
fn copies_agree_with_their_definition() {
    // every pair of layouts of a 2 x 3 x 4 array
    let layouts = [[12i64, 4, 1], [1, 2, 6], [4, 8, 1], [12, 1, 3], [-12, -4, -1]];
    let mut context = Context::new(Arc::new(Shared::new(&RunControl::new(), Arc::default())));
    for to in layouts {
        for from in layouts {
            let start = |strides: [i64; 3]| if strides[0] < 0 { 23isize } else { 0 };
            let source: Vec<u32> = (0..24).collect();
            let mut dest = vec![0u32; 24];
            let dim = |k: usize| CopyDim { size: [2, 3, 4][k], dest: 4 * to[k], source: 4 * from[k] };
            let dims = [dim(0), dim(1), dim(2)];
            // SAFETY: all addresses are inside the vectors
            unsafe {
                let dest = dest.as_mut_ptr().offset(start(to)).cast();
                copy(&raw mut context, dest, source.as_ptr().offset(start(from)).cast(), 4, 3, dims.as_ptr());
            }
            for (i, j, k) in (0..24).map(|n| (n / 12, n / 4 % 3, n % 4)) {
                let at = |s: [i64; 3]| (start(s) as i64 + i * s[0] + j * s[1] + k * s[2]) as usize;
                assert_eq!(dest[at(to)], source[at(from)], "{to:?} {from:?}");
            }
        }
    }
    assert_eq!(context.usage().copied_bytes, 25 * 24 * 4);
}

#[test]
fn turned_copies_agree_with_their_definition() {
    // whole squares, and what is left of them on either side
    let mut context = Context::new(Arc::new(Shared::new(&RunControl::new(), Arc::default())));
    for (rows, columns) in [(8i64, 8i64), (17, 20), (3, 32), (32, 9)] {
        let cells = (rows * columns) as usize;
        let source: Vec<u64> = (0..cells as u64).collect();
        for [(to_row, to_column), (from_row, from_column)] in
            [[(columns, 1), (1, rows)], [(1, rows), (columns, 1)], [(1, rows), (-columns, 1)]]
        {
            let mut dest = vec![0u64; cells];
            let dims = [
                CopyDim { size: rows, dest: 8 * to_row, source: 8 * from_row },
                CopyDim { size: columns, dest: 8 * to_column, source: 8 * from_column },
            ];
            let start = if from_row < 0 { (1 - rows) * from_row } else { 0 };
            // SAFETY: all addresses are inside the vectors
            unsafe {
                let from = source.as_ptr().offset(start as isize).cast();
                copy(&raw mut context, dest.as_mut_ptr().cast(), from, 8, 2, dims.as_ptr());
            }
            for (i, j) in (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))) {
                let (to, from) = (i * to_row + j * to_column, start + i * from_row + j * from_column);
                assert_eq!(dest[to as usize], source[from as usize], "{rows} {columns} {i} {j}");
            }
        }
    }
}

#[test]
fn allocations_in_loops_are_counted_apart() {
    let mut context = Context::new(Arc::new(Shared::new(&RunControl::new(), Arc::default())));
    for site in [3, 3 | IN_LOOP, 4 | IN_LOOP] {
        // SAFETY: the context is valid
        let block = unsafe { allocate(&raw mut context, site, 8, 10) };
        assert!(!block.is_null());
    }
    let usage = context.usage();
    assert_eq!((usage.allocations, usage.loop_allocations), (3, 2));
    // SAFETY: as above
    unsafe { allocate(&raw mut context, 5 | IN_LOOP, 8, -1) };
    assert_eq!(context.shared.failure(), Failure::NegativeSize { site: 5, size: -1 });
}

/// Adds its range to a counter, or fails at iteration 5000.
unsafe extern "C" fn body(context: *mut Context, env: *const u64, lo: i64, hi: i64) -> u32 {
    // SAFETY: `env` holds the address of a counter that outlives the loop
    let sum = unsafe { &*(*env as *const AtomicI64) };
    for i in lo..hi {
        if i == 5000 {
            // SAFETY: the context is the one given
            unsafe { crate::context::fail(context, 3, [7, 8].as_ptr(), 2) };
            return 1;
        }
        sum.fetch_add(i, Ordering::Relaxed);
    }
    0
}

#[test]
fn parallel_loops_do_every_iteration_once() {
    // (guesses are less than nothing)
    let guesses = [(0, -1e6), (1, -1e6), (2, -1e3), (5000, -1e6), (5000, -1.0), (7, -1e3)];
    for (count, cost) in
        [(0, 1e6), (-4, 1e6), (1, 1e6), (5000, 1e6), (5000, 1.0), (7, 1e6)].into_iter().chain(guesses)
    {
        let mut context = context(&RunControl::new());
        let (sum, c) = (AtomicI64::new(0), &raw mut context as usize);
        let env = [&raw const sum as u64];
        let env = env.as_ptr() as usize;
        // SAFETY: everything outlives the loop
        let run = || unsafe { parallel_for(c as *mut Context, body, env as *const u64, count, cost) };
        assert_eq!(with_threads(3, run), 0);
        assert_eq!(sum.into_inner(), (0..count.max(0)).sum::<i64>());
    }
    let mut context = context(&RunControl::new());
    let (sum, c) = (AtomicI64::new(0), &raw mut context as usize);
    let env = [&raw const sum as u64];
    let env = env.as_ptr() as usize;
    // SAFETY: as above
    let run = || unsafe { parallel_for(c as *mut Context, body, env as *const u64, 100_000, 1.0) };
    assert_ne!(with_threads(3, run), 0);
    assert_eq!(context.shared.failure(), Failure::Site { site: 3, numbers: vec![7, 8] });
}

/// Waits for another thread to take part, at most ten seconds for each iteration, and counts those that had company.
unsafe extern "C" fn meet(_context: *mut Context, env: *const u64, lo: i64, hi: i64) -> u32 {
    // SAFETY: `env` holds the address of numbers that outlive the loop
    let [here, met] = unsafe { &*(*env as *const [AtomicI64; 2]) };
    for i in lo..hi {
        if i == 0 {
            std::thread::sleep(Duration::from_millis(20));
            continue;
        }
        here.fetch_add(1, Ordering::Relaxed);
        let start = Instant::now();
        while here.load(Ordering::Relaxed) < 2 && start.elapsed() < Duration::from_secs(10) {
            std::thread::yield_now();
        }
        if here.load(Ordering::Relaxed) >= 2 {
            met.fetch_add(1, Ordering::Relaxed);
        }
    }
    0
}

/// A loop whose work was guessed too low by far is shared out when its first iteration has run.
#[test]
fn the_first_iteration_tells_of_a_wrong_guess() {
    let mut context = context(&RunControl::new());
    let (numbers, c) = ([AtomicI64::new(0), AtomicI64::new(0)], &raw mut context as usize);
    let env = [&raw const numbers as u64];
    let env = env.as_ptr() as usize;
    // SAFETY: everything outlives the loop
    let run = || unsafe { parallel_for(c as *mut Context, meet, env as *const u64, 5, -100.0) };
    assert_eq!(with_threads(2, run), 0);
    assert_eq!(numbers[1].load(Ordering::Relaxed), 4);
}

#[test]
fn cancelling_reaches_runs_before_during_and_after() {
    let control = RunControl::new();
    let before = Shared::new(&control, Arc::default());
    assert!(!before.stopped());
    control.clone().cancel();
    assert!(before.stopped() && Shared::new(&control, Arc::default()).stopped() && control.is_cancelled());
    assert_eq!(before.failure(), Failure::Cancelled);
    control.reset();
    assert!(!Shared::new(&control, Arc::default()).stopped());
}

#[test]
fn large_blocks_serve_later_runs_where_they_fit() {
    let spares = Arc::new(Spares::default());
    let run = || Context::new(Arc::new(Shared::new(&RunControl::new(), spares.clone())));
    let make = |context: &mut Context, bytes: usize| {
        let data = make_argument(context, bytes).expect("memory");
        // SAFETY: the block is fresh
        unsafe { data.write_bytes(7, bytes) };
        assert_eq!(data as usize % 64, 0);
        data
    };
    let sizes = [100, 64 << 10, 1 << 20, 4 << 20, (9 << 20) + 1];
    let mut first = run();
    let made = sizes.map(|bytes| make(&mut first, bytes));
    drop(first);
    let mut second = run();
    let again = sizes.map(|bytes| make(&mut second, bytes));
    assert_eq!(again[1..], made[1..]);
    drop(second);
    // much smaller than what is there, so that nothing is kept
    let mut third = run();
    make(&mut third, 2 << 20);
    // SAFETY: the block is live
    let room = |data: *mut u8| unsafe { room(data) };
    let largest = make(&mut third, 9 << 20);
    assert_eq!(room(largest), 9 << 20);
}

#[test]
fn loops_that_follow_each_other_do_every_iteration_once() {
    for threads in [2, 4, 7] {
        let pool = Pool::of(threads);
        for turn in 0..2000_i64 {
            let count = turn * 37 % 301;
            let times: Vec<AtomicI64> = (0..count).map(|_| AtomicI64::new(0)).collect();
            let ran = pool.run(count, count as f64 * 2000.0, &|first, rest| {
                for (from, to) in iter::once(first).chain(rest) {
                    times[from as usize..to as usize].iter().for_each(|times| {
                        times.fetch_add(1, Ordering::Relaxed);
                    });
                }
            });
            assert!(ran && times.iter().all(|times| times.load(Ordering::Relaxed) == 1));
        }
    }
}

#[test]
fn pieces_of_loops_as_long_as_can_be_end_where_the_loop_does() {
    let (last, pieces, empty) = (AtomicI64::new(0), AtomicI64::new(0), AtomicI64::new(0));
    let ran = Pool::of(5).run(i64::MAX, 1e18, &|first, rest| {
        for (from, to) in iter::once(first).chain(rest) {
            last.fetch_max(to, Ordering::Relaxed);
            pieces.fetch_add(1, Ordering::Relaxed);
            empty.fetch_add(i64::from(from >= to), Ordering::Relaxed);
        }
    });
    assert!(ran && last.into_inner() == i64::MAX && pieces.into_inner() == 40 && empty.into_inner() == 0);
}

#[test]
fn work_that_is_no_number_is_done() {
    let sum = AtomicI64::new(0);
    let ran = Pool::of(6).run(100, f64::NAN, &|first, rest| {
        for (from, to) in iter::once(first).chain(rest) {
            sum.fetch_add((from..to).sum(), Ordering::Relaxed);
        }
    });
    assert!(ran && sum.into_inner() == 4950);
}

/// Blocks that iterations make and free are settled when their loop ends, whichever thread had them.
#[test]
fn what_threads_have_is_gone_when_their_loop_ends() {
    unsafe extern "C" fn body(context: *mut Context, _: *const u64, from: i64, to: i64) -> u32 {
        for _ in from..to * 50 - from * 49 {
            // SAFETY: the context is that of a strand, and the block is freed once
            unsafe {
                let block = allocate(context, IN_LOOP, 8, 100);
                free(context, block);
            }
        }
        0
    }
    let mut context = context(&RunControl::new());
    let c = &raw mut context as usize;
    for turn in 1..=500 {
        // SAFETY: everything outlives the loop
        let run = || unsafe { parallel_for(c as *mut Context, body, std::ptr::null(), 200, 1e6) };
        assert_eq!(with_threads(8, run), 0);
        assert_eq!(context.usage().allocations, 10_000 * turn);
    }
}
