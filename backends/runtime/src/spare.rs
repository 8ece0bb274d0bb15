//! Dead blocks that are kept for the next ones: fresh pages cost more than most programs do with them.

use crate::block::{Header, release, room_of};
use std::sync::{Mutex, PoisonError};

/// Blocks with at least as many bytes are kept.
const KEPT_BYTES: usize = 64 << 10;

/// The blocks that are kept, for all runs of a program.
#[derive(Default)]
pub struct Spares(Mutex<List>);

#[derive(Default)]
struct List {
    /// The one that was used last is the last.
    blocks: Vec<Spare>,
    /// As many bytes as a run used at a time so far.
    most: u64,
}

/// A block that nothing uses.
struct Spare(*mut Header);

// SAFETY: whoever has it is its only owner
unsafe impl Send for Spare {}

impl Spares {
    /// A block with room for as much that is not much larger, for a run that comes to `used` bytes by it. If there is none, others are kept as
    /// far as all together are no more than a run used before: spare blocks must not take the room of those that are asked for.
    pub(crate) fn take(&self, room: usize, used: u64) -> Option<*mut Header> {
        if room < KEPT_BYTES {
            return None;
        }
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let List { blocks, most } = &mut *list;
        let kept = most.saturating_sub(used);
        *most = used.max(*most);
        let fits = |spare: &Spare| {
            // SAFETY: spare blocks are valid
            let has = unsafe { room_of(spare.0) };
            has >= room && has / 4 * 3 <= room
        };
        if let Some(at) = blocks.iter().rposition(fits) {
            return Some(blocks.remove(at).0);
        }
        let mut sum = 0;
        // SAFETY: spare blocks are valid
        let rooms = blocks.iter().rev().map(|spare| unsafe { room_of(spare.0) });
        let fitting = rooms.take_while(|room| {
            sum += *room as u64;
            sum <= kept
        });
        let dropped = blocks.len() - fitting.count();
        drop_all(blocks.drain(..dropped));
        None
    }

    /// Keeps a block, or gives it back to the system if it is small.
    ///
    /// # Safety
    /// The block came from [`crate::block`], and nothing uses it any more.
    pub(crate) unsafe fn keep(&self, header: *mut Header) {
        // SAFETY: by contract
        if unsafe { room_of(header) } < KEPT_BYTES {
            // SAFETY: by contract
            unsafe { release(header) };
            return;
        }
        self.0.lock().unwrap_or_else(PoisonError::into_inner).blocks.push(Spare(header));
    }
}

fn drop_all(spares: impl Iterator<Item = Spare>) {
    for spare in spares {
        // SAFETY: nothing uses spare blocks
        unsafe { release(spare.0) };
    }
}

impl Drop for Spares {
    fn drop(&mut self) {
        drop_all(self.0.get_mut().unwrap_or_else(PoisonError::into_inner).blocks.drain(..));
    }
}
