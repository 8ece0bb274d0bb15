//! Statements about sets of addresses, as statements about the indices of points in them.

use super::context::Context;
use super::derivation::{Claim, Goal};
use super::equation::CASES;
use super::exact::Exact;
use super::facts::Facts;
use super::node::{Node, Reason};
use super::{Answer, Witness, answer, witness};
use crate::lmad::Lmad;
use crate::poly::Poly;
use fun_base::name::Var;
use std::rc::Rc;

/// A point in an LMAD: its indices, its address, and the premises about it.
struct Point {
    indices: Vec<Var>,
    address: Exact,
    premises: Vec<Rc<Node>>,
}

/// Where a search starts: what is known of points in some sets.
struct Setting {
    context: Context,
    tag: u32,
}

impl Setting {
    fn new(facts: &Facts, lmads: &[&Lmad], others: &[&Poly]) -> Option<Setting> {
        let mut vars = Vec::new();
        lmads.iter().for_each(|lmad| lmad.for_each_var(&mut |var| vars.push(var)));
        others.iter().for_each(|poly| poly.for_each_var(&mut |var| vars.push(var)));
        let tag = facts.fresh_tag(&vars)?;
        Some(Setting { context: Context::of_addresses(facts, vars, tag), tag })
    }

    /// A point, of which the context learns.
    fn point(&mut self, lmad: &Lmad, text: &str) -> Option<Point> {
        let mut point =
            Point { indices: Vec::new(), address: Exact::from(&lmad.offset), premises: Vec::new() };
        for dim in &lmad.dims {
            let var = Var::new(text, self.tag);
            self.tag = self.tag.checked_add(1)?;
            let index = Exact::var(var);
            point.address = point.address.add(&Exact::from(&dim.stride).mul(&index)?)?;
            let last = Exact::from(&dim.size).plus(-1)?;
            for bound in [index.clone(), last.sub(&index)?] {
                point.premises.push(Node::new(Claim::Nonneg(bound), Reason::Premise));
            }
            point.indices.push(var);
        }
        point.premises.iter().for_each(|premise| self.context.learn(premise.clone()));
        Some(point)
    }

    /// The premise that two points have the same address.
    fn same_address(left: &Point, right: &Point) -> Option<Rc<Node>> {
        Some(Node::new(Claim::Zero(left.address.sub(&right.address)?), Reason::Premise))
    }

    /// What to say if nothing was found: a witness, or else what was lacking, in variables of the program.
    fn open(mut self, refute: impl FnOnce(&mut u64) -> Option<Witness>) -> Answer {
        if let Some(witness) = refute(&mut self.context.work) {
            return Answer::Refuted(witness);
        }
        let noted = std::mem::take(&mut self.context.lacking);
        let mut lacking: Vec<Poly> = Vec::new();
        for poly in noted.iter().filter_map(|poly| self.context.without_points(poly)?.to_poly()) {
            if poly.as_constant().is_none() && !lacking.contains(&poly) {
                lacking.push(poly);
            }
        }
        Answer::Unknown(lacking)
    }
}

/// See [`super::disjoint`].
pub(super) fn disjoint(facts: &Facts, left: &Lmad, right: &Lmad) -> Answer {
    let Some(mut setting) = Setting::new(facts, &[left, right], &[]) else {
        return Answer::Unknown(Vec::new());
    };
    let search = |setting: &mut Setting| {
        let x = setting.point(left, "x")?;
        let y = setting.point(right, "y")?;
        let equation = Setting::same_address(&x, &y)?;
        let open = setting.context.resolve(equation);
        // Where sets overlap, small numbers show it sooner than all else is tried.
        if setting.context.absurd.is_none()
            && let Some(witness) =
                witness::overlap(facts, left, right, witness::FEW, &mut setting.context.work)
        {
            return Some(Answer::Refuted(witness));
        }
        let node = setting.context.refute(&open, CASES).or_else(|| setting.context.refuted_exactly())?;
        let goal = Goal::Disjoint {
            left: left.clone(),
            right: right.clone(),
            left_point: x.indices,
            right_point: y.indices,
        };
        Some(answer(goal, &[node]))
    };
    let found = search(&mut setting);
    found.unwrap_or_else(|| setting.open(|work| witness::overlap(facts, left, right, witness::MANY, work)))
}

/// See [`super::injective`].
pub(super) fn injective(facts: &Facts, lmad: &Lmad) -> Answer {
    let Some(mut setting) = Setting::new(facts, &[lmad], &[]) else { return Answer::Unknown(Vec::new()) };
    let search = |setting: &mut Setting| {
        let x = setting.point(lmad, "x")?;
        let y = setting.point(lmad, "y")?;
        let equation = Setting::same_address(&x, &y)?;
        setting.context.resolve(equation);
        let mut shows = Vec::new();
        for (x, y) in x.indices.iter().zip(&y.indices) {
            shows.push(setting.context.shown_zero(&Exact::var(*x).sub(&Exact::var(*y))?)?);
        }
        let goal = Goal::Injective { lmad: lmad.clone(), first: x.indices, second: y.indices };
        Some(answer(goal, &shows))
    };
    let found = search(&mut setting);
    found.unwrap_or_else(|| setting.open(|work| witness::repetition(facts, lmad, work)))
}

/// See [`super::within`].
pub(super) fn within(facts: &Facts, lmad: &Lmad, size: &Poly) -> Answer {
    let Some(mut setting) = Setting::new(facts, &[lmad], &[size]) else { return Answer::Unknown(Vec::new()) };
    let search = |setting: &mut Setting| {
        let x = setting.point(lmad, "x")?;
        let low = setting.context.shown(&x.address)?;
        let high = setting.context.shown(&Exact::from(size).plus(-1)?.sub(&x.address)?)?;
        let goal = Goal::Within { lmad: lmad.clone(), size: size.clone(), point: x.indices };
        Some(answer(goal, &[low, high]))
    };
    let found = search(&mut setting);
    found.unwrap_or_else(|| setting.open(|work| witness::outside(facts, lmad, size, work)))
}

/// See [`super::contained`].
pub(super) fn contained(facts: &Facts, inner: &Lmad, outer: &Lmad) -> Answer {
    let Some(mut setting) = Setting::new(facts, &[inner, outer], &[]) else {
        return Answer::Unknown(Vec::new());
    };
    let search = |setting: &mut Setting| {
        let x = setting.point(inner, "x")?;
        if let Some(absurd) = setting.context.shown_quietly(&Exact::constant(-1)) {
            // The inner set is empty.
            let image = vec![Exact::default(); outer.rank()];
            let goal = containment(inner, outer, &x, image);
            return Some(answer(goal, &vec![absurd; 2 * outer.rank() + 1]));
        }
        let outer_dims = outer.dims.iter().enumerate();
        let mut dims: Vec<(usize, Exact)> =
            outer_dims.map(|(k, dim)| (k, Exact::from(&dim.stride))).collect();
        // Largest strides first.
        dims.sort_by_cached_key(|(_, stride)| {
            let size = stride.as_constant().unwrap_or(0).abs();
            std::cmp::Reverse((stride.degree(), size))
        });
        let target = x.address.sub(&Exact::from(&outer.offset))?;
        let mut image = vec![Exact::default(); outer.rank()];
        locate(&mut setting.context, outer, &dims, &target, &mut image)?;
        let shows = shown_image(&mut setting.context, outer, &x, &image)?;
        Some(answer(containment(inner, outer, &x, image), &shows))
    };
    let found = search(&mut setting);
    found.unwrap_or_else(|| setting.open(|work| witness::excess(facts, inner, outer, work)))
}

/// Whether the address of every point of the inner set is that of the given indices of the outer set.
pub(super) fn contained_at(
    facts: &Facts,
    inner: &Lmad,
    outer: &Lmad,
    image: &dyn Fn(&[Var]) -> Option<Vec<Exact>>,
) -> Option<Answer> {
    let mut setting = Setting::new(facts, &[inner, outer], &[])?;
    let x = setting.point(inner, "x")?;
    let image = image(&x.indices)?;
    let shows = shown_image(&mut setting.context, outer, &x, &image)?;
    Some(answer(containment(inner, outer, &x, image), &shows))
}

fn containment(inner: &Lmad, outer: &Lmad, x: &Point, image: Vec<Exact>) -> Goal {
    Goal::Contained { inner: inner.clone(), outer: outer.clone(), point: x.indices.clone(), image }
}

/// The claims that make the indices those of the point in the outer set.
fn shown_image(context: &mut Context, outer: &Lmad, x: &Point, image: &[Exact]) -> Option<Vec<Rc<Node>>> {
    let mut shows = Vec::new();
    let mut difference = x.address.sub(&Exact::from(&outer.offset))?;
    for (dim, index) in outer.dims.iter().zip(image) {
        shows.push(context.shown(index)?);
        shows.push(context.shown(&Exact::from(&dim.size).plus(-1)?.sub(index)?)?);
        difference = difference.sub(&Exact::from(&dim.stride).mul(index)?)?;
    }
    shows.push(context.shown_zero(&difference)?);
    Some(shows)
}

/// Indices in the outer set whose steps add up to the target, dimension by dimension.
fn locate(
    context: &mut Context,
    outer: &Lmad,
    dims: &[(usize, Exact)],
    target: &Exact,
    image: &mut [Exact],
) -> Option<()> {
    let target = context.reduce(target)?.0;
    let Some(((k, stride), inner)) = dims.split_first() else {
        return target.is_zero().then_some(());
    };
    let stride = context.reduce(stride)?.0;
    let (quotient, _) =
        super::equation::quotient(&target, &stride).unwrap_or_else(|| (Exact::default(), target.clone()));
    let last = Exact::from(&outer.dims[*k].size).plus(-1)?;
    for nudge in [0, -1, 1] {
        if nudge != 0 && stride.is_zero() {
            break;
        }
        let index = quotient.plus(nudge)?;
        let bounds = (context.shown(&index), context.shown(&last.sub(&index)?));
        let (Some(_), Some(_)) = bounds else { continue };
        let rest = target.sub(&stride.mul(&index)?)?;
        if locate(context, outer, inner, &rest, image).is_some() {
            image[*k] = index;
            return Some(());
        }
    }
    None
}

impl Facts {
    /// A tag above those of all variables of the facts, and of these.
    pub(super) fn fresh_tag(&self, vars: &[Var]) -> Option<u32> {
        let known = [self.by_var.keys().next_back(), self.by_operand.keys().next_back()];
        known.into_iter().flatten().chain(vars).map(|var| var.tag).max().unwrap_or(0).checked_add(1)
    }
}

/// The work that a question about disjointness takes.
#[cfg(test)]
pub(super) fn work_of_disjoint(facts: &Facts, left: &Lmad, right: &Lmad) -> u64 {
    let mut setting = Setting::new(facts, &[left, right], &[]).expect("tags");
    let (x, y) = (setting.point(left, "x").expect("numbers"), setting.point(right, "y").expect("numbers"));
    let open = setting.context.resolve(Setting::same_address(&x, &y).expect("numbers"));
    assert!(setting.context.refute(&open, CASES).is_some());
    setting.context.work
}
