//! Which cells the iterations of a loop touch, for a value of its counter.

use crate::imp::fuse_loops::access::{Places, for_each_read};
use crate::imp::fuse_loops::facts::LoopFacts;
use fun_base::name::Var;
use fun_base::prim::PrimType;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use imp::ir::{Exp, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::BTreeSet;

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
}

impl Touched {
    /// By statements; `None` if they touch memory in other ways than by reads, writes and copies.
    pub(super) fn by(statements: &[Statement], counter: Option<Var>) -> Option<Touched> {
        let (mut accesses, mut inside, mut plain) = (Vec::new(), BTreeSet::new(), true);
        for_each_statement(statements, &mut |statement| {
            inside.extend(statement.kind.declares());
            statement.kind.for_each_exp(&mut |exp| {
                for_each_read(exp, &mut |view, indices| {
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
                StatementKind::Let { .. } | StatementKind::View { .. } | StatementKind::Alloc { .. } => {}
                _ => plain = false,
            }
        });
        plain.then_some(Touched { accesses, counter, inside })
    }
}

/// What is known of views and numbers at a place.
pub(super) struct Cells<'k> {
    pub(super) places: &'k Places,
    pub(super) facts: &'k LoopFacts,
}

impl Cells<'_> {
    /// Whether two lists, each for one value of its counter, come to the same in either order: neither touches what the other writes.
    pub(super) fn commute(&self, (one, at): (&Touched, &Poly), (other, other_at): (&Touched, &Poly)) -> bool {
        one.accesses.iter().all(|x| {
            other.accesses.iter().all(|y| {
                let apart = || {
                    self.places.in_different_blocks(x.view, y.view)
                        || self.places.in_one_block(x.view, y.view).is_some_and(|(left, right)| {
                            let left = self.touched(x, left, one, at);
                            let right = self.touched(y, right, other, other_at);
                            self.facts.disjoint_exactly(&left, &right)
                        })
                };
                !(x.write || y.write) || apart()
            })
        })
    }

    /// The cells of an access for a value of the counter: all along the dimensions whose index is not known from outside. (Indices are inside of their
    /// dimensions, I2.)
    fn touched(&self, access: &Access, view: &Lmad, list: &Touched, at: &Poly) -> Lmad {
        let Some(indices) = &access.indices else { return view.clone() };
        let mut cells = Lmad { offset: view.offset.clone(), dims: Vec::new() };
        for (dim, index) in view.dims.iter().zip(indices) {
            let index = self.facts.poly(index).map(|index| match list.counter {
                Some(counter) => {
                    index.subst(&mut |var| if var == counter { at.clone() } else { Poly::var(var) })
                }
                None => index,
            });
            let mut is_known = true;
            if let Some(index) = &index {
                index.for_each_var(&mut |var| is_known &= !list.inside.contains(&var));
            }
            match index {
                Some(index) if is_known => cells.offset = cells.offset.add(&dim.stride.mul(&index)),
                _ => cells.dims.push(dim.clone()),
            }
        }
        cells
    }

    /// Where an element lies.
    pub(super) fn address(&self, view: Var, indices: &[Exp]) -> Option<Address> {
        let (elem, block, lmad) = self.places.place(view)?;
        let indices: Option<Vec<Poly>> = indices.iter().map(|index| self.facts.poly(index)).collect();
        Some(Address { elem, block, cell: self.facts.expand(&lmad.apply(&indices?)) })
    }
}
