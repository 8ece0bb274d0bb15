//! A look at numbers before the prover is asked: where two sets of addresses meet for plain numbers, they will hardly be shown not to.
//! This only saves time: at worst a copy stays that need not.

use fun_base::name::Var;
use fun_index::lmad::Lmad;
use fun_index::prove::Facts;
use std::collections::{BTreeMap, BTreeSet};

/// What sizes are taken to be: not a small number, so that offsets that are small are inside.
const SIZE: i64 = 11;
/// The most addresses that are looked at.
const MOST: u64 = 4096;

/// Whether the two sets meet where sizes are all one number, these variables what is given, and all others small and different, unless
/// that is known not to be so.
pub(super) fn meet(
    facts: &Facts,
    left: &Lmad,
    right: &Lmad,
    sizes: &BTreeSet<Var>,
    given: &[(Var, i64)],
) -> bool {
    let mut values: BTreeMap<Var, i64> = given.iter().copied().collect();
    let mut next = 0;
    let mut value = |var: Var| {
        let new = if sizes.contains(&var) {
            SIZE
        } else {
            next = (next + 1) % SIZE;
            next
        };
        Some(*values.entry(var).or_insert(new))
    };
    let (Some(left), Some(right)) = (left.eval(&mut value), right.eval(&mut value)) else { return false };
    if left.len() > MOST || right.len() > MOST {
        return false;
    }
    let addresses: BTreeSet<i64> = left.addresses().collect();
    right.addresses().any(|address| addresses.contains(&address)) && !facts.exclude(&values)
}
