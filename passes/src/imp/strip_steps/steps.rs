//! What steps do, and whether elements need each other.

use super::super::copy::{can_fail, count, declared_in, has_loops, is_fixed};
use super::super::fuse_loops::access::{Places, reads_of};
use super::super::fuse_loops::facts::LoopFacts;
use super::super::sweeps;
use fun_base::name::Var;
use fun_base::prim::PrimType;
use imp::ir::{Exp, LoopKind, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::BTreeSet;

/// Steps whose elements do not need each other.
pub(super) struct Steps {
    /// How many iterations the parallel loops of a step have.
    pub(super) bound: Exp,
    /// How many elements an iteration has, as far as that is known before the steps; one, if it has no loop.
    pub(super) columns: Exp,
    /// The scalars from outside that a step assigns.
    pub(super) assigned: BTreeSet<Var>,
    /// How many statements its loops have.
    pub(super) weight: usize,
}

/// An access of an iteration.
struct Access {
    view: Var,
    write: bool,
    /// How many indices there are, if the first one is the counter.
    own: Option<usize>,
}

impl Steps {
    /// The steps of a loop by `counter` with this body.
    pub(super) fn of(counter: Var, body: &[Statement], places: &Places, facts: &LoopFacts) -> Option<Steps> {
        let mut changing = declared_in(body);
        changing.insert(counter);
        let (mut assigned, mut scalars, mut loops) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
        for statement in body {
            let mut fails = false;
            statement.kind.for_each_exp(&mut |exp| fails |= can_fail(exp));
            match &statement.kind {
                _ if fails => return None,
                StatementKind::View { .. } => {}
                StatementKind::Let { value, .. } | StatementKind::Declare { value: Some(value), .. } => {
                    scalars.extend(reads_of(value));
                }
                StatementKind::Assign { var, value } => {
                    scalars.extend(reads_of(value));
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
                }
                _ => return None,
            }
        }
        changing.extend(&assigned);
        let (_, bound, _) = *loops.first()?;
        let mut accesses = Vec::new();
        let mut columns = Exp::i64(1);
        for (counter, other, body) in &loops {
            if *other != bound || !is_fixed(bound, &changing) {
                return None;
            }
            if let Some(inner) =
                look(*counter, body, &mut accesses)?.filter(|inner| is_fixed(inner, &changing))
            {
                columns = inner.clone();
            }
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
            a.own.is_some()
                && a.own == b.own
                && places.same(a.view, b.view)
                && stays(a.view)
                && lies_apart(a.view, places)
        };
        let written: Vec<&Access> = accesses.iter().filter(|access| access.write).collect();
        let apart = written.iter().all(|a| {
            accesses.iter().all(|b| is_own(a, b) || is_apart(a.view, b.view))
                && scalars.iter().all(|view| is_apart(a.view, *view))
        });
        let assigned = assigned.into_iter().filter(|var| !declared_in(body).contains(var)).collect();
        let weight = loops.iter().map(|(_, _, body)| count(body)).sum();
        (apart && !written.is_empty()).then_some(Steps { bound: bound.clone(), columns, assigned, weight })
    }
}

/// Collects the accesses of an iteration that is made of scalars, choices and one loop, which has none inside; gives the bound of that.
fn look<'b>(counter: Var, body: &'b [Statement], accesses: &mut Vec<Access>) -> Option<Option<&'b Exp>> {
    let mut inner = None;
    for statement in body {
        if let StatementKind::For { bound, kind: LoopKind::Par | LoopKind::Simd, body: row, .. } =
            &statement.kind
        {
            if inner.replace(bound).is_some() || has_loops(row) {
                return None;
            }
        } else if has_loops(std::slice::from_ref(statement)) {
            return None;
        }
    }
    let mut is_plain = true;
    for_each_statement(body, &mut |statement| {
        let own = |indices: &[Exp]| (indices.first() == Some(&Exp::Var(counter))).then_some(indices.len());
        statement.kind.for_each_exp(&mut |exp| {
            is_plain &= !can_fail(exp);
            exp.for_each_read(&mut |view, indices| {
                accesses.push(Access { view, write: false, own: own(indices) });
            });
        });
        match &statement.kind {
            StatementKind::Write { view, indices, .. } => {
                accesses.push(Access { view: *view, write: true, own: own(indices) });
            }
            StatementKind::Let { .. }
            | StatementKind::Declare { .. }
            | StatementKind::Assign { .. }
            | StatementKind::If { .. }
            | StatementKind::For { .. } => {}
            _ => is_plain = false,
        }
    });
    is_plain.then_some(inner)
}

/// Whether the elements of a view lie in cells of their own.
fn lies_apart(view: Var, places: &Places) -> bool {
    places.place(view).is_some_and(|(_, _, lmad)| match &lmad.dims[..] {
        [dim] => dim.stride.as_constant().is_some_and(|stride| stride != 0),
        _ => sweeps::lies_apart(lmad),
    })
}
