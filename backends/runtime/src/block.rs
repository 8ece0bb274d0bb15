//! Blocks of memory with reference counts.
//!
//! A block is a header of 64 bytes followed by its data, both aligned to 64. Compiled code holds the address of the data;
//! zero is "no block". Blocks are linked into the context that made them: parallel strands neither make blocks that outlive
//! them nor end the life of others' (IMP invariant I6), so lists need no lock; counts are atomic because balanced
//! shares and frees of an outer block are harmless.

use crate::context::{Context, Failure};
use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;
use std::sync::atomic::{AtomicI64, Ordering};

/// Alignment of data and size of the header.
pub const ALIGN: usize = 64;
/// Blocks with at most this many times 64 bytes of data are kept for reuse when they die.
pub(crate) const SMALL_CLASSES: usize = 17;

/// Added to the number of a place that allocates in a loop, for the counts.
pub const IN_LOOP: u32 = 1 << 31;

/// What precedes the data of a block.
#[repr(C, align(64))]
pub struct Header {
    owners: AtomicI64,
    /// Usable bytes after the header, a multiple of 64.
    room: usize,
    /// Bytes counted as used; zero for arguments.
    counted: u64,
    next: *mut Header,
    previous: *mut Header,
}

const _: () = assert!(size_of::<Header>() == ALIGN);

/// From twice this size on, large pages pay.
const LARGE_PAGE: usize = 2 << 20;

fn layout(room: usize) -> Option<Layout> {
    let align = if room >= 2 * LARGE_PAGE { LARGE_PAGE } else { ALIGN };
    Layout::from_size_align(room.checked_add(ALIGN)?, align).ok()
}

/// Memory for a block from the system's allocator, whatever the program's: it gives large blocks back when they die. Null if there is none.
fn fresh(room: usize) -> Option<*mut Header> {
    let layout = layout(room)?;
    // SAFETY: the layout has at least the size of a header
    let start = unsafe { System.alloc(layout) };
    #[cfg(target_os = "linux")]
    if layout.align() == LARGE_PAGE && !start.is_null() {
        unsafe extern "C" {
            fn madvise(start: *mut u8, bytes: usize, advice: i32) -> i32;
        }
        const HUGE_PAGES: i32 = 14;
        // SAFETY: the range was just allocated; this is a wish, no more
        unsafe { madvise(start, layout.size(), HUGE_PAGES) };
    }
    Some(start.cast())
}

/// # Safety
/// The block is valid.
pub(crate) unsafe fn room_of(header: *mut Header) -> usize {
    // SAFETY: by contract
    unsafe { (*header).room }
}

/// The header of a block.
///
/// # Safety
/// `data` is the data address of a live block.
unsafe fn header_of(data: *mut u8) -> *mut Header {
    // SAFETY: data follows its header
    unsafe { data.sub(ALIGN).cast() }
}

/// A fresh block of at least `bytes` bytes, or `None` when the system has no memory. Its contents are undefined.
fn make(context: &mut Context, bytes: usize, counted: u64) -> Option<*mut u8> {
    let wanted = bytes.checked_next_multiple_of(ALIGN)?;
    let large = context.shared.spares.take(wanted, context.shared.used());
    // SAFETY: spare blocks are valid
    let room = large.map_or(wanted, |header| unsafe { room_of(header) });
    let class = room / ALIGN;
    let reused = context.spare.get(class).copied().unwrap_or(ptr::null_mut());
    let header = if let Some(header) = large {
        header
    } else if reused.is_null() {
        fresh(room)?
    } else {
        // SAFETY: spare blocks are valid, owned by the context alone, and linked by `next`
        context.spare[class] = unsafe { (*reused).next };
        reused
    };
    if header.is_null() {
        return None;
    }
    let next = context.blocks;
    // SAFETY: `header` is fresh memory of sufficient size and alignment; `next` is null or a live block of this context
    unsafe {
        header.write(Header { owners: AtomicI64::new(1), room, counted, next, previous: ptr::null_mut() });
        if !next.is_null() {
            (*next).previous = header;
        }
        context.blocks = header;
        Some(header.cast::<u8>().add(ALIGN))
    }
}

/// A block for an argument: linked into the context but not counted. `None` when the system has no memory.
pub fn make_argument(context: &mut Context, bytes: usize) -> Option<*mut u8> {
    make(context, bytes, 0)
}

/// A fresh block for `count` times `element` bytes; null after recording a failure.
///
/// # Safety
/// `context` is the one that the calling compiled code was given.
pub unsafe extern "C" fn allocate(context: *mut Context, site: u32, element: i64, count: i64) -> *mut u8 {
    // SAFETY: by contract
    let context = unsafe { &mut *context };
    if count < 0 {
        context.shared.fail(Failure::NegativeSize { site: site & !IN_LOOP, size: count });
        return ptr::null_mut();
    }
    serve(context, site, (count as u128) * (element as u128))
}

/// The same for the product of `rank` sizes at `sizes`.
///
/// # Safety
/// As for [`allocate`], and `sizes` points to `rank` numbers.
pub unsafe extern "C" fn allocate_shape(
    context: *mut Context,
    site: u32,
    element: i64,
    rank: i64,
    sizes: *const i64,
) -> *mut u8 {
    // SAFETY: by contract
    let (context, sizes) = unsafe { (&mut *context, std::slice::from_raw_parts(sizes, rank as usize)) };
    if let Some(size) = sizes.iter().find(|size| **size < 0) {
        context.shared.fail(Failure::NegativeSize { site: site & !IN_LOOP, size: *size });
        return ptr::null_mut();
    }
    // an empty array takes no memory, however large its other sizes
    let bytes = if sizes.contains(&0) {
        0
    } else {
        sizes.iter().fold(element as u128, |product, size| product.saturating_mul(*size as u128))
    };
    serve(context, site, bytes)
}

fn serve(context: &mut Context, site_and_loop: u32, bytes: u128) -> *mut u8 {
    let site = site_and_loop & !IN_LOOP;
    let Some(size) = u64::try_from(bytes).ok().filter(|size| *size <= isize::MAX as u64 / 2) else {
        context.shared.fail(Failure::Memory { site, bytes, cap: None });
        return ptr::null_mut();
    };
    if site_and_loop & IN_LOOP != 0 {
        context.loop_allocations += 1;
    }
    if !context.take_bytes(size) {
        let cap = context.shared.cap();
        context.shared.fail(Failure::Memory { site, bytes, cap: Some(cap) });
        return ptr::null_mut();
    }
    match make(context, size as usize, size) {
        Some(data) => {
            context.allocated_bytes += size;
            data
        }
        None => {
            context.give_bytes(size);
            context.shared.fail(Failure::Memory { site, bytes, cap: None });
            ptr::null_mut()
        }
    }
}

/// One more owner; nothing for null.
///
/// # Safety
/// `data` is null or the data address of a live block.
pub unsafe extern "C" fn share(_context: *mut Context, data: *mut u8) {
    if !data.is_null() {
        // SAFETY: by contract
        unsafe { (*header_of(data)).owners.fetch_add(1, Ordering::Relaxed) };
    }
}

/// One owner less; the block dies with its last. Nothing for null.
///
/// # Safety
/// `context` is the one that the calling compiled code was given; `data` is null or the data address of a live block,
/// and if its last owner goes, of one that this context made.
pub unsafe extern "C" fn free(context: *mut Context, data: *mut u8) {
    if data.is_null() {
        return;
    }
    // SAFETY: by contract the block is live; with the last owner gone nothing else uses it, and its neighbours in the
    // list are live blocks of the same context
    unsafe {
        let header = header_of(data);
        if (*header).owners.fetch_sub(1, Ordering::AcqRel) != 1 {
            return;
        }
        let context = &mut *context;
        let Header { next, previous, counted, room, .. } = *header;
        if previous.is_null() {
            context.blocks = next;
        } else {
            (*previous).next = next;
        }
        if !next.is_null() {
            (*next).previous = previous;
        }
        context.give_bytes(counted);
        match context.spare.get_mut(room / ALIGN) {
            Some(spare) => {
                (*header).next = *spare;
                *spare = header;
            }
            None => context.shared.spares.keep(header),
        }
    }
}

/// Usable bytes of a block.
///
/// # Safety
/// `data` is the data address of a live block.
pub unsafe fn room(data: *mut u8) -> usize {
    // SAFETY: by contract
    unsafe { room_of(header_of(data)) }
}

/// Number of live blocks of a context.
pub fn live(context: &Context) -> usize {
    let mut count = 0;
    let mut header = context.blocks;
    while !header.is_null() {
        count += 1;
        // SAFETY: the list holds live blocks
        header = unsafe { (*header).next };
    }
    count
}

/// Gives all memory of a context back to the system.
pub(crate) fn release_all(context: &mut Context) {
    let mut header = std::mem::replace(&mut context.blocks, ptr::null_mut());
    while !header.is_null() {
        // SAFETY: the list holds live blocks of this context, which nothing uses any more
        let (next, counted) = unsafe { ((*header).next, (*header).counted) };
        context.give_bytes(counted);
        // SAFETY: as above, and it was unlinked
        unsafe { context.shared.spares.keep(header) };
        header = next;
    }
    for class in 0..SMALL_CLASSES {
        let mut header = std::mem::replace(&mut context.spare[class], ptr::null_mut());
        while !header.is_null() {
            // SAFETY: spare blocks belong to the context alone
            let next = unsafe { (*header).next };
            // SAFETY: as above
            unsafe { release(header) };
            header = next;
        }
    }
}

/// # Safety
/// `header` came from `make`, and nothing uses it any more.
pub(crate) unsafe fn release(header: *mut Header) {
    // SAFETY: by contract
    let room = unsafe { room_of(header) };
    let layout = layout(room).expect("invariant: the block was made with this layout");
    // SAFETY: by contract, with the layout it was made with
    unsafe { System.dealloc(header.cast(), layout) };
}
