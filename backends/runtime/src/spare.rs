//! Dead blocks that are kept for the next ones: fresh pages cost more than most programs do with them.

use crate::block::{Header, release, room_of};
use std::sync::{Mutex, PoisonError};

/// Blocks with at least as many bytes are kept.
const KEPT_BYTES: usize = 64 << 10;

/// The blocks that are kept, for all runs of a program.
#[derive(Default)]
pub struct Spares(Mutex<Vec<Spare>>);

/// A block that nothing uses.
struct Spare(*mut Header);

// SAFETY: whoever has it is its only owner
unsafe impl Send for Spare {}

impl Spares {
    /// A block with room for as much that is not much larger. If there is none, no block is spared any longer: memory that is asked for in
    /// other sizes is not kept.
    pub(crate) fn take(&self, room: usize) -> Option<*mut Header> {
        if room < KEPT_BYTES {
            return None;
        }
        let mut spares = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |spare: &Spare| {
            // SAFETY: spare blocks are valid
            let has = unsafe { room_of(spare.0) };
            has >= room && has / 4 * 3 <= room
        };
        match spares.iter().rposition(fits) {
            Some(at) => Some(spares.swap_remove(at).0),
            None => {
                drop_all(&mut spares);
                None
            }
        }
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
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(Spare(header));
    }
}

fn drop_all(spares: &mut Vec<Spare>) {
    for spare in spares.drain(..) {
        // SAFETY: nothing uses spare blocks
        unsafe { release(spare.0) };
    }
}

impl Drop for Spares {
    fn drop(&mut self) {
        drop_all(self.0.get_mut().unwrap_or_else(PoisonError::into_inner));
    }
}
