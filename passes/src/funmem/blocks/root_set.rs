//! Sets of roots by their numbers, as runs of consecutive numbers: in chains of loops and branches the sets are large, and their runs few.

/// Consecutive numbers, from `start` up to but not `end`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// The first number.
    pub start: u32,
    /// One more than the last.
    pub end: u32,
}

/// A set of numbers: runs in order that neither overlap nor touch.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RootSet(Vec<Run>);

impl RootSet {
    /// The empty set.
    pub const EMPTY: &'static RootSet = &RootSet(Vec::new());

    /// One number.
    pub fn of(number: u32) -> RootSet {
        RootSet(vec![Run { start: number, end: number + 1 }])
    }

    /// In order.
    pub fn runs(&self) -> &[Run] {
        &self.0
    }

    /// The numbers in order.
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        self.0.iter().flat_map(|run| run.start..run.end)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The only number, if there is one.
    pub fn single(&self) -> Option<u32> {
        match self.0[..] {
            [Run { start, end }] if end == start + 1 => Some(start),
            _ => None,
        }
    }

    /// Whether a number is in it.
    pub fn contains(&self, number: u32) -> bool {
        let next = self.0.partition_point(|run| run.end <= number);
        self.0.get(next).is_some_and(|run| run.start <= number)
    }

    /// What both have, in order.
    pub fn common<'s>(&'s self, other: &'s RootSet) -> impl Iterator<Item = Run> + 's {
        let (few, many) =
            if self.0.len() <= other.0.len() { (&self.0, &other.0) } else { (&other.0, &self.0) };
        few.iter().flat_map(move |run| {
            let from = many.partition_point(|other| other.end <= run.start);
            let there = many[from..].iter().take_while(|other| other.start < run.end);
            there.map(|other| Run { start: run.start.max(other.start), end: run.end.min(other.end) })
        })
    }

    /// Whether they have a number in common.
    pub fn meets(&self, other: &RootSet) -> bool {
        self.common(other).next().is_some()
    }

    /// Takes in another one; whether that has more.
    pub fn take_in(&mut self, other: &RootSet) -> bool {
        if other.0.iter().all(|run| self.covers(*run)) {
            return false;
        }
        self.0.extend_from_slice(&other.0);
        self.0.sort_unstable_by_key(|run| run.start);
        self.0.dedup_by(|next, last| {
            let joins = next.start <= last.end;
            if joins {
                last.end = last.end.max(next.end);
            }
            joins
        });
        true
    }

    fn covers(&self, run: Run) -> bool {
        let next = self.0.partition_point(|other| other.end <= run.start);
        self.0.get(next).is_some_and(|other| other.start <= run.start && run.end <= other.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;
    use std::collections::BTreeSet;

    fn set(numbers: &BTreeSet<u8>) -> RootSet {
        let mut set = RootSet::default();
        numbers.iter().for_each(|number| {
            set.take_in(&RootSet::of(u32::from(*number)));
        });
        set
    }

    fn numbers(runs: impl Iterator<Item = Run>) -> Vec<u32> {
        runs.flat_map(|run| run.start..run.end).collect()
    }

    quickcheck! {
        fn as_sets_do(left: BTreeSet<u8>, right: BTreeSet<u8>, number: u8) -> bool {
            let (one, other) = (set(&left), set(&right));
            let mut both = one.clone();
            let more = both.take_in(&other);
            let union: BTreeSet<u8> = left.union(&right).copied().collect();
            let common: Vec<u32> = left.intersection(&right).map(|number| u32::from(*number)).collect();
            let single = if left.len() == 1 { left.first().map(|number| u32::from(*number)) } else { None };
            both == set(&union)
                && more == (union.len() > left.len())
                && one.numbers().eq(left.iter().map(|number| u32::from(*number)))
                && numbers(one.common(&other)) == common
                && one.meets(&other) != common.is_empty()
                && one.contains(u32::from(number)) == left.contains(&number)
                && one.single() == single
                && one.is_empty() == left.is_empty()
                && one.runs().windows(2).all(|pair| pair[0].end < pair[1].start)
        }
    }
}
