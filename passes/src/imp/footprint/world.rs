//! Heaps whose blocks have symbolic sizes: which block each variable holds, and how many owners each block has.

use super::sizes::Sizes;
use fun_base::name::Var;
use fun_index::poly::Poly;
use std::collections::{BTreeMap, BTreeSet};

/// A block.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Block {
    owners: i64,
    /// In bytes; 0 for arguments, which are not counted.
    pub(super) size: Poly,
    /// The allocations that it may come from.
    pub(super) sites: BTreeSet<Var>,
}

/// One of the states that the heap may be in at a point of a program.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct World {
    /// What block variables and views are about.
    refs: BTreeMap<Var, usize>,
    blocks: BTreeMap<usize, Block>,
    next: usize,
    /// The values of variables that say whether something has happened.
    flags: BTreeMap<Var, bool>,
}

impl World {
    /// A fresh block with one owner.
    pub(super) fn alloc(&mut self, var: Var, size: Poly) {
        self.blocks.insert(self.next, Block { owners: 1, size, sites: BTreeSet::from([var]) });
        self.refs.insert(var, self.next);
        self.next += 1;
    }

    /// The first holds, or is a view of, the block of the second.
    pub(super) fn set(&mut self, var: Var, other: Option<Var>) {
        match other.and_then(|other| self.refs.get(&other)).copied() {
            Some(id) => self.refs.insert(var, id),
            None => self.refs.remove(&var),
        };
    }

    /// The block of a variable.
    pub(super) fn block(&self, var: Var) -> Option<&Block> {
        self.refs.get(&var).and_then(|id| self.blocks.get(id))
    }

    pub(super) fn share(&mut self, var: Var) {
        if let Some(block) = self.refs.get(&var).and_then(|id| self.blocks.get_mut(id)) {
            block.owners += 1;
        }
    }

    /// One owner less.
    pub(super) fn free(&mut self, var: Var) {
        let Some(id) = self.refs.get(&var).copied() else { return };
        let Some(block) = self.blocks.get_mut(&id) else { return };
        block.owners -= 1;
        if block.owners == 0 {
            self.blocks.remove(&id);
            self.refs.retain(|_, other| *other != id);
        }
    }

    /// Forgets variables that are out of scope.
    pub(super) fn leave(&mut self, declared: &BTreeSet<Var>) {
        self.refs.retain(|var, _| !declared.contains(var));
        self.flags.retain(|var, _| !declared.contains(var));
    }

    /// Forgets variables that are not used any more.
    pub(super) fn keep(&mut self, lives: &dyn Fn(Var) -> bool) {
        self.refs.retain(|var, _| lives(*var));
        self.flags.retain(|var, _| lives(*var));
    }

    /// A flag is raised or lowered, or not known any more.
    pub(super) fn set_flag(&mut self, var: Var, value: Option<bool>) {
        match value {
            Some(value) => self.flags.insert(var, value),
            None => self.flags.remove(&var),
        };
    }

    /// Whether a flag may have this value.
    pub(super) fn may_be(&self, flag: Var, value: bool) -> bool {
        self.flags.get(&flag).is_none_or(|known| *known == value)
    }

    /// Whether the variable is a flag.
    pub(super) fn has_flag(&self, var: Var) -> bool {
        self.flags.contains_key(&var)
    }

    /// Bytes in blocks.
    pub(super) fn total(&self) -> Poly {
        self.blocks.values().fold(Poly::default(), |sum, block| sum.add(&block.size))
    }

    /// The allocations of blocks that live.
    pub(super) fn living(&self) -> impl Iterator<Item = Var> {
        self.blocks.values().flat_map(|block| block.sites.iter().copied())
    }

    /// Changes all sizes.
    pub(super) fn map_sizes(&mut self, f: &mut dyn FnMut(&Poly) -> Poly) {
        for block in self.blocks.values_mut() {
            block.size = f(&block.size);
        }
    }

    /// Numbers blocks by the variables that hold them, so that worlds of one shape look alike.
    fn renumber(&mut self) {
        let mut new: BTreeMap<usize, usize> = BTreeMap::new();
        for id in self.refs.values().chain(self.blocks.keys()) {
            let next = new.len();
            new.entry(*id).or_insert(next);
        }
        let number = |id: &usize| new.get(id).copied().unwrap_or(*id);
        self.refs.values_mut().for_each(|id| *id = number(id));
        let blocks = std::mem::take(&mut self.blocks);
        self.blocks = blocks.into_iter().map(|(id, block)| (number(&id), block)).collect();
        self.next = new.len();
    }

    fn same_shape(&self, other: &World) -> bool {
        let owners = |world: &World| -> Vec<(usize, i64)> {
            world.blocks.iter().map(|(id, block)| (*id, block.owners)).collect()
        };
        self.refs == other.refs && self.flags == other.flags && owners(self) == owners(other)
    }
}

/// How two sizes of what is one block from here on become one.
pub(super) type Unite<'u> = &'u mut dyn FnMut(&mut Sizes, &Poly, &Poly) -> Poly;

/// The worlds, those of one shape as one.
pub(super) fn united(worlds: Vec<World>, sizes: &mut Sizes, unite: Unite<'_>) -> Vec<World> {
    let mut kept: Vec<World> = Vec::new();
    for mut world in worlds {
        world.renumber();
        let Some(known) = kept.iter_mut().find(|known| known.same_shape(&world)) else {
            kept.push(world);
            continue;
        };
        for (block, other) in known.blocks.values_mut().zip(world.blocks.values()) {
            if block.size != other.size {
                block.size = unite(sizes, &block.size, &other.size);
            }
            block.sites.extend(&other.sites);
        }
    }
    kept
}

/// The larger of two sizes.
pub(super) fn larger(sizes: &mut Sizes, left: &Poly, right: &Poly) -> Poly {
    sizes.most(vec![left.clone(), right.clone()])
}
