//! What steps do, and whether elements need each other.

use super::super::copy::{can_fail, declared_in, has_loops, is_fixed};
use super::super::fuse_loops::access::{Access, Places, accesses, reads_of};
use super::super::fuse_loops::facts::LoopFacts;
use fun_base::name::Var;
use fun_base::prim::PrimType;
use imp::cost::static_cost;
use imp::ir::{Exp, LoopKind, Statement, StatementKind};
use std::collections::BTreeSet;

/// The most pairs of accesses that the prover is asked about.
const MOST_PAIRS: usize = 256;

/// What the scalars of a step may cost, in about nanoseconds: each strip computes them again.
const MOST_FOR_SCALARS: f64 = 8.0;

/// Steps whose elements do not need each other.
pub(super) struct Steps {
    /// How many iterations the parallel loops of a step have.
    pub(super) bound: Exp,
    /// The scalars from outside that a step assigns.
    pub(super) assigned: BTreeSet<Var>,
    /// What a step costs for an element, in about nanoseconds; above 0.
    pub(super) cost: f64,
    /// Of the widest elements that are written.
    pub(super) bytes: i64,
}

impl Steps {
    /// The steps of a loop by `counter` with this body.
    pub(super) fn of(counter: Var, body: &[Statement], places: &Places, facts: &LoopFacts) -> Option<Steps> {
        let declared = declared_in(body);
        let mut changing = declared.clone();
        changing.insert(counter);
        let (mut assigned, mut read, mut loops) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
        let mut scalars = Vec::new();
        for statement in body {
            let mut fails = false;
            statement.kind.for_each_exp(&mut |exp| fails |= can_fail(exp));
            match &statement.kind {
                _ if fails => return None,
                StatementKind::View { .. } => continue,
                StatementKind::Let { value, .. } | StatementKind::Declare { value: Some(value), .. } => {
                    read.extend(reads_of(value));
                }
                StatementKind::Assign { var, value } => {
                    read.extend(reads_of(value));
                    assigned.insert(*var);
                }
                StatementKind::For {
                    var,
                    ty: PrimType::I64,
                    bound,
                    kind: LoopKind::Par | LoopKind::Simd,
                    body,
                } => {
                    loops.push((*var, bound, &body[..]));
                    continue;
                }
                _ => return None,
            }
            scalars.push(statement.clone());
        }
        changing.extend(&assigned);
        let (_, bound, _) = *loops.first()?;
        let (mut all, mut cost) = (Vec::new(), 0.0);
        for (counter, other, body) in &loops {
            if *other != bound || !is_fixed(bound, &changing) || !is_plain(body) {
                return None;
            }
            all.extend(accesses(body, Some(*counter))?);
            cost += static_cost(body, &|_| None).cost;
        }
        let written: Vec<&Access> = all.iter().filter(|access| access.write).collect();
        let pairs = written.len() * (all.len() + read.len());
        if written.is_empty()
            || pairs > MOST_PAIRS
            || static_cost(&scalars, &|_| None).cost > MOST_FOR_SCALARS
        {
            return None;
        }
        // (where a view lies elsewhere in the next step, elements of different places may meet)
        let stays = |view: Var| {
            let mut stays = true;
            let place = places.place(view);
            place
                .iter()
                .for_each(|(_, _, lmad)| lmad.for_each_var(&mut |var| stays &= !changing.contains(&var)));
            stays && place.is_some()
        };
        let is_apart = |x: Var, y: Var| {
            let in_one = || places.in_one_block(x, y).is_some_and(|(x, y)| facts.disjoint(x, y));
            places.in_different_blocks(x, y) || stays(x) && stays(y) && in_one()
        };
        let is_own = |a: &Access, b: &Access| {
            a.own && b.own && places.same(a.view, b.view) && stays(a.view) && lies_apart(a.view, places)
        };
        let apart = written.iter().all(|a| {
            all.iter().all(|b| is_own(a, b) || is_apart(a.view, b.view))
                && read.iter().all(|view| is_apart(a.view, *view))
        });
        let bytes =
            written.iter().filter_map(|access| places.place(access.view)).map(|(elem, _, _)| elem.bytes());
        let bytes = i64::from(bytes.max()?);
        assigned.retain(|var| !declared.contains(var));
        apart.then(|| Steps { bound: bound.clone(), assigned, cost: cost.max(1.0), bytes })
    }
}

/// Whether an iteration is made of scalars, choices, reads and writes, of which none can fail.
fn is_plain(body: &[Statement]) -> bool {
    let mut plain = !has_loops(body);
    imp::visit::for_each_statement(body, &mut |statement| {
        statement.kind.for_each_exp(&mut |exp| plain &= !can_fail(exp));
        plain &= !matches!(statement.kind, StatementKind::Assert { .. } | StatementKind::Accumulate { .. });
    });
    plain
}

/// Whether the elements of an array of one dimension lie in cells of their own.
fn lies_apart(view: Var, places: &Places) -> bool {
    places.place(view).is_some_and(|(_, _, lmad)| match &lmad.dims[..] {
        [dim] => dim.stride.as_constant().is_some_and(|stride| stride != 0),
        _ => false,
    })
}
