//! Which cells the iterations of a loop touch, for a value of its counter.

use crate::imp::fuse_loops::access::Places;
use crate::imp::fuse_loops::facts::LoopFacts;
use fun_base::name::{NameSource, Var};
use fun_base::prim::PrimType;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use imp::ir::{Exp, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

/// A read or a write.
struct Access {
    view: Var,
    /// `None`: of all cells.
    indices: Option<Vec<Exp>>,
    write: bool,
}

/// Where an element lies.
#[derive(PartialEq)]
pub(super) struct Address {
    elem: PrimType,
    block: Var,
    cell: Poly,
}

/// Statements that run for each value of a counter, or once.
pub(super) struct Touched {
    accesses: Vec<Access>,
    counter: Option<Var>,
    /// What the statements declare themselves, counters of loops included.
    inside: BTreeSet<Var>,
    /// What of that is computed from other numbers, in order.
    definitions: Vec<(Var, Poly)>,
}

/// The cells that they touch for one value of the counter: in which view's block, whether they are written, and where.
pub(super) struct Instance(Vec<(Var, bool, Option<Lmad>)>);

impl Touched {
    /// By statements; `None` if they touch memory in other ways than by reads, writes and copies.
    pub(super) fn by(statements: &[Statement], counter: Option<Var>, facts: &LoopFacts) -> Option<Touched> {
        let (mut accesses, mut inside, mut plain) = (Vec::new(), BTreeSet::new(), true);
        let mut definitions = Vec::new();
        for_each_statement(statements, &mut |statement| {
            inside.extend(statement.kind.declares());
            statement.kind.for_each_exp(&mut |exp| {
                exp.for_each_read(&mut |view, indices| {
                    accesses.push(Access { view, indices: Some(indices.to_vec()), write: false });
                });
            });
            match &statement.kind {
                StatementKind::Write { view, indices, .. } => {
                    accesses.push(Access { view: *view, indices: Some(indices.clone()), write: true });
                }
                StatementKind::Copy { dest, source } => {
                    accesses.push(Access { view: *dest, indices: None, write: true });
                    accesses.push(Access { view: *source, indices: None, write: false });
                }
                StatementKind::For { var, .. } => _ = inside.insert(*var),
                StatementKind::Let { var, ty: PrimType::I64, value } => {
                    definitions.extend(facts.poly(value).map(|value| (*var, value)));
                }
                StatementKind::Let { .. } | StatementKind::View { .. } | StatementKind::Alloc { .. } => {}
                _ => plain = false,
            }
        });
        plain.then_some(Touched { accesses, counter, inside, definitions })
    }

    /// For a value of the counter. What the statements compute has other names in the facts then.
    pub(super) fn at(
        &self,
        at: &Poly,
        places: &Places,
        facts: &mut LoopFacts,
        names: &mut NameSource,
    ) -> Instance {
        let mut known: BTreeMap<Var, Poly> = self.counter.iter().map(|var| (*var, at.clone())).collect();
        for (var, value) in &self.definitions {
            if let Some(value) = self.outside(value, &known) {
                let named = names.fresh_like(*var);
                facts.define(named, value);
                known.insert(*var, Poly::var(named));
            }
        }
        let mut cells = Vec::new();
        for access in &self.accesses {
            let lmad = places.place(access.view).map(|(_, _, view)| self.cells(access, view, &known, facts));
            let found = (access.view, access.write, lmad);
            if !cells.contains(&found) {
                cells.push(found);
            }
        }
        Instance(cells)
    }

    /// The cells of an access: all along the dimensions whose index is not known from outside. (Indices are inside of their dimensions, I2.)
    fn cells(&self, access: &Access, view: &Lmad, known: &BTreeMap<Var, Poly>, facts: &LoopFacts) -> Lmad {
        let Some(indices) = &access.indices else { return view.clone() };
        let mut cells = Lmad { offset: view.offset.clone(), dims: Vec::new() };
        for (dim, index) in view.dims.iter().zip(indices) {
            match facts.poly(index).and_then(|index| self.outside(&index, known)) {
                Some(index) => cells.offset = cells.offset.add(&dim.stride.mul(&index)),
                None => cells.dims.push(dim.clone()),
            }
        }
        cells
    }

    /// A number without what the statements declare themselves; `None` if that is not known.
    fn outside(&self, poly: &Poly, known: &BTreeMap<Var, Poly>) -> Option<Poly> {
        let mut is_known = true;
        poly.for_each_var(&mut |var| is_known &= known.contains_key(&var) || !self.inside.contains(&var));
        is_known.then(|| poly.subst(&mut |var| known.get(&var).cloned().unwrap_or_else(|| Poly::var(var))))
    }
}

/// What is known of views and numbers at a place.
pub(super) struct Cells<'k> {
    pub(super) places: &'k Places,
    pub(super) facts: &'k LoopFacts,
}

impl Cells<'_> {
    /// Whether two lists, each for one value of its counter, come to the same in either order: neither touches what the other writes.
    pub(super) fn commute(&self, one: &Instance, other: &Instance) -> bool {
        one.0.iter().all(|(x, x_write, left)| {
            other.0.iter().all(|(y, y_write, right)| {
                let apart = || {
                    self.places.in_different_blocks(*x, *y)
                        || self.places.in_one_block(*x, *y).is_some()
                            && (left.as_ref().zip(right.as_ref()))
                                .is_some_and(|(left, right)| self.facts.disjoint_exactly(left, right))
                };
                !(*x_write || *y_write) || apart()
            })
        })
    }

    /// Where an element lies.
    pub(super) fn address(&self, view: Var, indices: &[Exp]) -> Option<Address> {
        let (elem, block, lmad) = self.places.place(view)?;
        let indices: Option<Vec<Poly>> = indices.iter().map(|index| self.facts.poly(index)).collect();
        Some(Address { elem, block, cell: self.facts.expand(&lmad.apply(&indices?)) })
    }
}
