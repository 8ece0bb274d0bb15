//! Which names of blocks are in use at a time.

use crate::funmem::last_use::{Span, Time};
use fun_base::name::Var;

/// Names by when they are bound, under a tree with the latest end of each part of them.
pub(super) struct InUse {
    names: Vec<(Span, Var)>,
    /// The names are leaves from `names.len()` on; each place has the later one of the ends at `2 k` and `2 k + 1`.
    latest: Vec<Time>,
}

impl InUse {
    /// From when a name is bound to its last use.
    pub(super) fn new(mut names: Vec<(Span, Var)>) -> InUse {
        names.sort_unstable();
        let mut latest = vec![0; names.len()];
        latest.extend(names.iter().map(|(span, _)| span.end));
        for place in (1..names.len()).rev() {
            latest[place] = latest[2 * place].max(latest[2 * place + 1]);
        }
        InUse { names, latest }
    }

    /// Those bound at this time or earlier, and used later.
    pub(super) fn beyond(&self, time: Time) -> Vec<(Span, Var)> {
        let count = self.names.len();
        let bound = self.names.partition_point(|(span, _)| span.start <= time);
        // The places that together have these names below them.
        let (mut left, mut right) = (count, count + bound);
        let mut open = Vec::new();
        while left < right {
            if left % 2 == 1 {
                open.push(left);
                left += 1;
            }
            if right % 2 == 1 {
                right -= 1;
                open.push(right);
            }
            (left, right) = (left / 2, right / 2);
        }
        let mut found = Vec::new();
        while let Some(place) = open.pop() {
            if self.latest[place] <= time {
                continue;
            }
            match place.checked_sub(count) {
                Some(name) => found.push(self.names[name]),
                None => open.extend([2 * place, 2 * place + 1]),
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fun_base::name::NameSource;
    use quickcheck::quickcheck;

    quickcheck! {
        fn finds_what_a_look_at_all_finds(spans: Vec<(u8, u8)>, time: u8) -> bool {
            let mut names = NameSource::default();
            let spans = spans.into_iter().map(|(start, length)| {
                let start = Time::from(start);
                (Span { start, end: start + Time::from(length) }, names.fresh("x"))
            });
            let all: Vec<(Span, Var)> = spans.collect();
            let time = Time::from(time);
            let mut found = InUse::new(all.clone()).beyond(time);
            found.sort_unstable();
            let mut expected: Vec<(Span, Var)> =
                all.into_iter().filter(|(span, _)| span.start <= time && time < span.end).collect();
            expected.sort_unstable();
            found == expected
        }
    }
}
