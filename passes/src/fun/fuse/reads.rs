//! The maps of a body, the views of their results, and the reads of these.

use super::survey::survey;
use fun::ir::{Atom, Body, Combine, Dim, Exp, Type};
use fun_base::name::Var;
use std::collections::{BTreeMap, BTreeSet};

/// Another view of an array, which its elements are read through.
#[derive(Clone)]
pub(super) enum View {
    Slice(Vec<Dim>, Var),
    /// Dimension `k` is dimension `perm[k]` of the array.
    Permute(Vec<usize>, Var),
    /// Reversed along a dimension, of this size.
    Reverse(usize, Atom, Var),
    /// In this shape: of a producer itself, that is elementwise ([`super::flat`]).
    Reshape(Vec<Atom>, Var),
    Same(Var),
}

impl View {
    pub(super) fn array(&self) -> Var {
        match self {
            View::Slice(_, array)
            | View::Permute(_, array)
            | View::Reverse(_, _, array)
            | View::Reshape(_, array)
            | View::Same(array) => *array,
        }
    }
}

/// What a view does, whatever array it is of.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Step {
    Slice(Vec<Dim>),
    Permute(Vec<usize>),
    Reverse(usize),
}

/// An element or row of a producer, whichever of its results it is read from.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Place {
    /// The result in another shape, if it is read from one.
    reshaped: Option<Var>,
    /// How views of it lead there, the last one first.
    steps: Vec<Step>,
    indices: Vec<Atom>,
}

/// A read of an element or row.
#[derive(Debug)]
pub(super) struct Site {
    /// The statement of the body that it is in.
    pub(super) consumer: usize,
    /// Which of the producer's results it reads.
    pub(super) result: usize,
    /// What it reads: other reads of the same need not compute it again.
    pub(super) place: Place,
    /// Whether it reads no element twice.
    pub(super) once: bool,
    /// Whether it stands in a branch.
    pub(super) conditional: bool,
    /// Whether it stands in what one thread does.
    pub(super) sequential: bool,
    /// Whether only maps are around it.
    pub(super) mapped: bool,
    /// The bounds of the counters that are the indices, if they are those around, each once.
    pub(super) counters: Option<Vec<Atom>>,
    /// The bound of each index that is a counter, where no view is between.
    pub(super) bounds: Vec<Option<Atom>>,
}

impl Site {
    /// Whether each element of the space is read.
    pub(super) fn covers(&self, space: &[(Var, Atom)]) -> bool {
        self.counters.as_ref().is_some_and(|bounds| bounds.iter().eq(space.iter().map(|(_, bound)| bound)))
    }
}

/// A map whose results may be computed where they are read.
#[derive(Default)]
pub(super) struct Producer {
    /// The reads, in the order of the text.
    pub(super) sites: Vec<Site>,
    /// Whether nothing but reads uses the results.
    pub(super) only_read: bool,
    /// Statements of the body that are views of it.
    pub(super) views: Vec<usize>,
    /// Statements of the body that views of it stand in.
    pub(super) with_views: BTreeSet<usize>,
    /// The size of its space.
    pub(super) rank: usize,
    /// Whether there are reads of it in another shape: then it must be elementwise.
    pub(super) reshaped: bool,
    /// Whether its points are scalars.
    pub(super) scalar: bool,
}

impl Producer {
    /// The reads by the statement of the body that they are in.
    pub(super) fn by_consumer(&self) -> BTreeMap<usize, Vec<&Site>> {
        let mut consumers: BTreeMap<usize, Vec<&Site>> = BTreeMap::new();
        for site in &self.sites {
            consumers.entry(site.consumer).or_default().push(site);
        }
        consumers
    }
}

/// The maps of a body, and where they are read.
pub(super) struct Reads {
    /// By their place in the body.
    pub(super) producers: BTreeMap<usize, Producer>,
    /// The producer of an array, and which of its results it is.
    pub(super) results: BTreeMap<Var, (usize, usize)>,
    /// Views of producers' results.
    pub(super) views: BTreeMap<Var, View>,
}

impl Reads {
    pub(super) fn of_body(body: &Body, types: &BTreeMap<Var, Type>) -> Reads {
        let mut reads =
            Reads { producers: BTreeMap::new(), results: BTreeMap::new(), views: BTreeMap::new() };
        for (at, statement) in body.statements.iter().enumerate() {
            let Exp::Kernel { space, combine: Combine::Map, .. } = &statement.exp else { continue };
            let ranks: BTreeSet<usize> = statement.pattern.iter().map(|binder| binder.ty.rank()).collect();
            // (scalars and rows at once would need rules for both)
            if ranks.len() != 1 {
                continue;
            }
            let scalar = ranks.contains(&space.len());
            for (k, binder) in statement.pattern.iter().enumerate() {
                reads.results.insert(binder.var, (at, k));
            }
            let producer = Producer { only_read: true, rank: space.len(), scalar, ..Producer::default() };
            reads.producers.insert(at, producer);
        }
        if reads.producers.is_empty() {
            return reads;
        }
        survey(reads, body, types)
    }

    /// The producer that the array belongs to, through views.
    pub(super) fn producer_of(&self, array: Var) -> Option<usize> {
        self.result_of(array).map(|(at, _)| at)
    }

    /// The producer that the array belongs to, through views, and which of its results it is.
    pub(super) fn result_of(&self, array: Var) -> Option<(usize, usize)> {
        let mut array = array;
        while let Some(view) = self.views.get(&array) {
            array = view.array();
        }
        self.results.get(&array).copied()
    }

    /// What is read from an array at these indices.
    pub(super) fn place(&self, array: Var, indices: &[Atom]) -> Place {
        let mut place = Place { reshaped: None, steps: Vec::new(), indices: indices.to_vec() };
        let mut array = array;
        while let Some(view) = self.views.get(&array) {
            match view {
                View::Slice(dims, _) => place.steps.push(Step::Slice(dims.clone())),
                View::Permute(perm, _) => place.steps.push(Step::Permute(perm.clone())),
                View::Reverse(dim, ..) => place.steps.push(Step::Reverse(*dim)),
                View::Reshape(..) => {
                    place.reshaped = Some(array);
                    break;
                }
                View::Same(_) => {}
            }
            array = view.array();
        }
        place
    }
}
