//! Statements about sets of addresses, as statements about the indices of points in them.

use super::derivation::{Claim, Goal};
use super::exact::Exact;
use super::facts::Facts;
use super::node::{Node, Reason};
use super::{Answer, answer};
use crate::lmad::Lmad;
use crate::poly::Poly;
use fun_base::name::Var;
use std::rc::Rc;

/// A point in an LMAD: its indices and the premises about them.
struct Point {
    indices: Vec<Var>,
    premises: Vec<Rc<Node>>,
    address: Exact,
}

fn point(lmad: &Lmad, text: &str, tag: &mut u32) -> Option<Point> {
    let mut address = Exact::from(&lmad.offset);
    let (mut indices, mut premises) = (Vec::new(), Vec::new());
    for dim in &lmad.dims {
        let var = Var::new(text, *tag);
        *tag = tag.checked_add(1)?;
        let index = Exact::var(var);
        address = address.add(&Exact::from(&dim.stride).mul(&index)?)?;
        let last = Exact::from(&dim.size).plus(-1)?;
        for bound in [index.clone(), last.sub(&index)?] {
            premises.push(Node::new(Claim::Nonneg(bound), Reason::Premise));
        }
        indices.push(var);
    }
    Some(Point { indices, premises, address })
}

/// A tag above all in facts and LMADs.
fn fresh_tag(facts: &Facts, lmads: &[&Lmad]) -> Option<u32> {
    let mut most = facts.by_var.keys().next_back().map_or(0, |var| var.tag);
    for lmad in lmads {
        lmad.for_each_var(&mut |var| most = most.max(var.tag));
    }
    most.checked_add(1)
}

/// That the premises contradict each other because some size is at most 0.
fn empty(facts: &Facts, point: &Point, lmad: &Lmad) -> Option<Rc<Node>> {
    for (dim, bounds) in lmad.dims.iter().zip(point.premises.chunks(2)) {
        if let Some(node) = facts.shown(&Exact::from(&dim.size).scale(-1)?) {
            let one = Exact::constant(1);
            let terms = vec![
                (one.clone(), vec![bounds[0].clone()]),
                (one.clone(), vec![bounds[1].clone()]),
                (one, vec![node]),
            ];
            return Node::sum(Claim::Nonneg(Exact::constant(-1)), 1, terms);
        }
    }
    None
}

/// See [`super::disjoint`].
pub(super) fn disjoint(facts: &Facts, left: &Lmad, right: &Lmad) -> Answer {
    let search = || {
        let mut tag = fresh_tag(facts, &[left, right])?;
        let x = point(left, "x", &mut tag)?;
        let y = point(right, "y", &mut tag)?;
        let _ = x.address.sub(&y.address)?;
        let node = empty(facts, &x, left).or_else(|| empty(facts, &y, right))?;
        let goal = Goal::Disjoint {
            left: left.clone(),
            right: right.clone(),
            left_point: x.indices,
            right_point: y.indices,
        };
        Some(answer(goal, &[node]))
    };
    search().unwrap_or(Answer::Unknown(Vec::new()))
}

/// See [`super::contained`].
pub(super) fn contained(_facts: &Facts, _inner: &Lmad, _outer: &Lmad) -> Answer {
    Answer::Unknown(Vec::new())
}

/// See [`super::injective`].
pub(super) fn injective(_facts: &Facts, _lmad: &Lmad) -> Answer {
    Answer::Unknown(Vec::new())
}

/// See [`super::within`].
pub(super) fn within(_facts: &Facts, _lmad: &Lmad, _size: &Poly) -> Answer {
    Answer::Unknown(Vec::new())
}

/// See [`super::aggregate`].
pub(super) fn aggregate(_facts: &Facts, lmad: &Lmad, counter: Var, _bound: &Poly) -> Option<Lmad> {
    let mut occurs = false;
    lmad.for_each_var(&mut |var| occurs |= var == counter);
    (!occurs).then(|| lmad.clone())
}
