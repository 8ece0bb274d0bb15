//! What a value of a sum type consists of: a tag, the position of the constructor, then slots for the payloads.
//!
//! Scalars of one primitive type in the payloads of different constructors share slots; arrays and functions have slots of
//! their own, so the slots do not depend on sizes.

use super::Type;
use fun_base::prim::PrimType;

/// The type of tags.
pub const TAG: PrimType = PrimType::U8;

/// What stands in a slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// A scalar.
    Scalar(PrimType),
    /// An array or a function.
    Own,
}

/// Where the leaves of payloads stand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slots {
    /// What follows the tag.
    pub slots: Vec<Slot>,
    /// For each constructor the slot of each leaf of its payload.
    pub places: Vec<Vec<usize>>,
}

impl Slots {
    /// The slots for the leaves of each constructor's payload.
    pub(crate) fn of(constructors: impl Iterator<Item = Vec<Slot>>) -> Slots {
        let mut slots: Vec<Slot> = Vec::new();
        let mut places = Vec::new();
        for leaves in constructors {
            let mut taken = vec![false; slots.len()];
            let mut place = |leaf: Slot| {
                let shared = matches!(leaf, Slot::Scalar(_));
                let found = (0..slots.len()).find(|k| shared && slots[*k] == leaf && !taken[*k]);
                let k = found.unwrap_or(slots.len());
                if found.is_none() {
                    slots.push(leaf);
                    taken.push(false);
                }
                taken[k] = true;
                k
            };
            places.push(leaves.into_iter().map(&mut place).collect());
        }
        Slots { slots, places }
    }

    /// The slots of a sum type whose payloads have no type parameters.
    pub fn of_type(ty: &Type) -> Option<Slots> {
        let Type::Sum(constructors) = ty.without_unique() else { return None };
        Some(Slots::of(constructors.iter().map(|(_, payload)| payload.iter().flat_map(leaves).collect())))
    }
}

/// The leaves that a value of the type consists of.
fn leaves(ty: &Type) -> Vec<Slot> {
    match ty {
        Type::Prim(prim) => vec![Slot::Scalar(*prim)],
        Type::Array(_, element) => vec![Slot::Own; leaf_count(element)],
        Type::Record(fields) => fields.iter().flat_map(|(_, ty)| leaves(ty)).collect(),
        Type::Sum(_) => {
            let tag = Slot::Scalar(TAG);
            let slots = Slots::of_type(ty).map(|slots| slots.slots).unwrap_or_default();
            std::iter::once(tag).chain(slots).collect()
        }
        Type::Unique(inner) => leaves(inner),
        Type::Named(name, args) => match name.reveal(args) {
            Some(ty) => leaves(&ty),
            None => vec![Slot::Own],
        },
        Type::Arrow(_) | Type::Param(_) | Type::Meta(_) => vec![Slot::Own],
    }
}

/// How many primitive values or arrays a value of the type consists of.
pub fn leaf_count(ty: &Type) -> usize {
    match ty {
        Type::Array(_, inner) | Type::Unique(inner) => leaf_count(inner),
        _ => leaves(ty).len(),
    }
}
