//! What the blocks of a `chain` loop know of one another (I14): a block that has awaited a flag may read what was written before that was published.
//! Each block counts what it publishes, and knows for each other block up to which of those it may read what that wrote.

use fun_base::run::RunError;
use std::collections::BTreeMap;

/// For each block, how many times it had published.
type Knowledge = BTreeMap<i64, u64>;

/// A flag that is set.
struct Flag {
    publisher: i64,
    value: i32,
    /// What its publisher knew, itself included.
    known: Knowledge,
}

/// The flags of one execution of a `chain` loop.
#[derive(Default)]
pub(super) struct Flags {
    /// By what tells one cell from another.
    set: BTreeMap<(u64, i64), Flag>,
    blocks: BTreeMap<i64, Knowledge>,
}

impl Flags {
    /// How many times a block has published.
    pub(super) fn published(&self, block: i64) -> u64 {
        self.up_to(block, block)
    }

    /// Whether a block may read what another wrote when it had published so many times.
    pub(super) fn knows(&self, block: i64, other: i64, published: u64) -> bool {
        self.up_to(block, other) > published
    }

    fn up_to(&self, block: i64, other: i64) -> u64 {
        self.blocks.get(&block).and_then(|known| known.get(&other)).copied().unwrap_or(0)
    }

    /// A block sets a flag whose cell holds `old`.
    pub(super) fn publish(
        &mut self,
        block: i64,
        cell: (u64, i64),
        old: i32,
        value: i32,
    ) -> Result<(), RunError> {
        if value <= 0 || value < old {
            return Err(RunError::fault(format!("I14: a flag is set to {value}, and was {old}")));
        }
        match self.set.get(&cell) {
            None if old != 0 => return Err(RunError::fault("I14: a flag is not zero when the loop begins")),
            Some(flag) if flag.publisher != block => {
                return Err(RunError::fault(format!(
                    "I14: block {block} sets a flag that block {} has set",
                    flag.publisher
                )));
            }
            None | Some(_) => {}
        }
        let known = self.blocks.entry(block).or_default();
        *known.entry(block).or_default() += 1;
        let known = known.clone();
        self.set.insert(cell, Flag { publisher: block, value, known });
        Ok(())
    }

    /// What a block sees of a flag whose cell holds `found`: zero, or what was published, and then it knows what its publisher did.
    pub(super) fn see(&mut self, block: i64, cell: (u64, i64), found: i32) -> Result<i32, RunError> {
        let Some(flag) = self.set.get(&cell) else {
            return match found {
                0 => Ok(0),
                _ => Err(RunError::fault("I14: a flag is not zero when the loop begins")),
            };
        };
        if flag.publisher >= block {
            return Err(RunError::fault(format!(
                "I14: block {block} awaits a flag of block {}, which may not have begun",
                flag.publisher
            )));
        }
        let known = self.blocks.entry(block).or_default();
        for (other, published) in &flag.known {
            let so_far = known.entry(*other).or_default();
            *so_far = (*so_far).max(*published);
        }
        Ok(flag.value)
    }
}
