//! Moves that happen at once, one after the other.

use super::assign::Place;

/// One of the moves in turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// To the first from the second.
    Copy(Place, Place),
    /// The contents of two registers change places.
    Swap(u8, u8),
}

/// Moves, each to a place of its own, such that all read what was there before. `spare` is used where a circle goes through slots.
pub(super) fn in_turn(mut moves: Vec<(Place, Place)>, spare: Place) -> Vec<Step> {
    let mut steps = Vec::with_capacity(moves.len());
    loop {
        moves.retain(|(to, from)| to != from && *to != Place::Nowhere);
        let Some((to, from)) = moves.last().copied() else { return steps };
        let free = moves.iter().position(|(to, _)| moves.iter().all(|(_, from)| from != to));
        match (free, to, from) {
            (Some(free), ..) => {
                let (to, from) = moves.swap_remove(free);
                steps.push(Step::Copy(to, from));
            }
            (None, Place::Register(x), Place::Register(y)) => {
                steps.push(Step::Swap(x, y));
                moves.pop();
                for (_, other) in &mut moves {
                    if *other == to {
                        *other = from;
                    } else if *other == from {
                        *other = to;
                    }
                }
            }
            _ => {
                steps.push(Step::Copy(spare, to));
                for (_, other) in &mut moves {
                    if *other == to {
                        *other = spare;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Whether the moves leave in each place what was in the other one.
    fn holds(moves: &[(Place, Place)]) {
        let spare = Place::Register(15);
        let mut contents: HashMap<Place, Place> = HashMap::new();
        for step in in_turn(moves.to_vec(), spare) {
            let get = |place: Place| contents.get(&place).copied().unwrap_or(place);
            match step {
                Step::Copy(to, from) => {
                    let value = get(from);
                    contents.insert(to, value);
                }
                Step::Swap(x, y) => {
                    let (x, y) = (Place::Register(x), Place::Register(y));
                    let (of_x, of_y) = (get(x), get(y));
                    contents.insert(x, of_y);
                    contents.insert(y, of_x);
                }
            }
        }
        for (to, from) in moves {
            assert_eq!(contents.get(to).copied().unwrap_or(*to), *from, "{moves:?}");
        }
    }

    #[test]
    fn chains_circles_and_slots() {
        let r = Place::Register;
        let s = Place::Slot;
        holds(&[(r(0), r(1)), (r(1), r(2))]);
        holds(&[(r(0), r(1)), (r(1), r(0))]);
        holds(&[(r(0), r(1)), (r(1), r(2)), (r(2), r(0)), (r(3), r(0)), (s(8), r(1))]);
        holds(&[(r(0), s(0)), (s(0), r(0))]);
        holds(&[(s(0), s(8)), (s(8), s(16)), (s(16), s(0)), (r(1), s(16))]);
        holds(&[(r(0), r(1)), (r(1), s(0)), (s(0), r(0)), (r(5), r(6)), (r(6), r(5))]);
    }
}
