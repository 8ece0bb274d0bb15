//! Variables of an iteration that hold one array or another, as double buffers do: the arrays are parts of one block, and the variables numbers that say
//! where a part begins.
//!
//! ```text
//! alloc x : f32[m]   alloc y : f32[m]   var new : mem = x
//! … view A : f32 @ new -> 0 + {(m : 1)}
//! ```
//! becomes, for iteration `i`,
//! ```text
//! var new : i64 = 0 * cells
//! … let place = new   view A : f32 @ parts -> i * 2 * cells + place + {(m : 1)}
//! ```
//! where `parts` has the shape `[iterations][2][cells]`. Refused are variables of arrays from outside or of two element types, those that are assigned in a
//! branch without parallel loops, and arrays that an iteration of a loop allocates and a variable holds.

use super::super::kernels::is_size;
use super::I64;
use super::block::is_structure;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::{Expansion, Lmad};
use fun_index::poly::Poly;
use imp::build::{Builder, bin, mul};
use imp::ir::{Exp, ImpType, Space, Statement, StatementKind};
use std::collections::{BTreeMap, BTreeSet};

/// The arrays of one element type that variables hold.
struct Parts {
    block: Var,
    /// How many cells the largest has.
    cells: Var,
    shapes: Vec<Vec<Exp>>,
}

impl Parts {
    fn cells_of_iteration(&self) -> Poly {
        Poly::var(self.cells).mul(&Poly::constant(self.shapes.len() as i64))
    }
}

/// What variables of an iteration hold.
#[derive(Default)]
pub(super) struct Buffers {
    /// The variables, and what the arrays that they hold are made of.
    variables: BTreeMap<Var, PrimType>,
    /// The blocks that they may hold: type and number.
    held: BTreeMap<Var, (PrimType, usize)>,
    parts: BTreeMap<PrimType, Parts>,
}

impl Buffers {
    /// The blocks and variables of an iteration whose scalars are `inner`, or nothing where they cannot be parts.
    pub(super) fn of(body: &[Statement], inner: &BTreeSet<Var>, b: &mut Builder) -> Option<Buffers> {
        let mut buffers = Buffers::default();
        let (mut variables, mut flows, mut allocated) = (BTreeSet::new(), Vec::new(), BTreeMap::new());
        for_each_of_block(body, &mut |kind| match kind {
            StatementKind::Declare { var, ty: ImpType::Mem(Space::Default), value } => {
                variables.insert(*var);
                flows.extend(value.iter().map(|value| (*var, value.clone())));
            }
            StatementKind::Assign { var, value } if variables.contains(var) => {
                flows.push((*var, value.clone()))
            }
            StatementKind::Alloc { var, elem, shape, space: Space::Default } => {
                allocated.insert(*var, (*elem, shape.clone()));
            }
            _ => {}
        });
        let mut types: BTreeMap<Var, PrimType> = BTreeMap::new();
        for _ in 0..=flows.len() {
            for (to, from) in &flows {
                let Exp::Var(from) = from else { return None };
                let ty = allocated.get(from).map(|(elem, _)| *elem).or(types.get(from).copied());
                let Some(ty) = ty else { continue };
                if types.insert(*to, ty).is_some_and(|other| other != ty) {
                    return None;
                }
            }
        }
        for (_, from) in &flows {
            let Exp::Var(from) = from else { return None };
            let Some((elem, shape)) = allocated.get(from) else {
                // another variable may be held, a block from outside not
                types.get(from)?;
                continue;
            };
            if !shape.iter().all(|size| is_size(size, inner)) {
                return None;
            }
            let parts = buffers.parts.entry(*elem).or_insert_with(|| Parts {
                block: b.names.fresh("parts"),
                cells: b.names.fresh("iteration_cells"),
                shapes: Vec::new(),
            });
            buffers.held.entry(*from).or_insert_with(|| {
                parts.shapes.push(shape.clone());
                (*elem, parts.shapes.len() - 1)
            });
        }
        if !variables.iter().all(|var| types.contains_key(var)) {
            return None;
        }
        buffers.variables = types;
        Some(buffers)
    }

    pub(super) fn holds(&self, block: Var) -> bool {
        self.held.contains_key(&block)
    }

    /// Puts numbers in place of blocks; `of_block` says whether the list is the block's, and not what a thread does.
    pub(super) fn rewrite(
        &self,
        list: &mut Vec<Statement>,
        counter: Var,
        of_block: bool,
        b: &mut Builder,
    ) -> Option<()> {
        for mut statement in std::mem::take(list) {
            let loc = statement.loc;
            match &mut statement.kind {
                StatementKind::Alloc { var, .. } if self.holds(*var) => continue,
                StatementKind::Free(var) | StatementKind::Share(var)
                    if self.holds(*var) || self.variables.contains_key(var) =>
                {
                    continue;
                }
                StatementKind::Declare { var, ty, value } if self.variables.contains_key(var) => {
                    *ty = ImpType::Prim(I64);
                    *value = match value.take() {
                        Some(from) => Some(self.place(&from)?),
                        None => None,
                    };
                }
                StatementKind::Assign { var, value } if self.variables.contains_key(var) => {
                    if !of_block {
                        return None;
                    }
                    *value = self.place(value)?;
                }
                StatementKind::View { mem, elem, lmad, .. } => {
                    let part = self.held.get(mem).map(|(ty, number)| (*ty, Some(*number)));
                    if let Some((ty, number)) = part.or(self.variables.get(mem).map(|ty| (*ty, None))) {
                        // cells of one width: arrays lie next to each other
                        if ty.bytes() != elem.bytes() {
                            return None;
                        }
                        let parts = self.parts.get(&ty)?;
                        let place = match number {
                            Some(number) => Poly::var(parts.cells).mul(&Poly::constant(number as i64)),
                            None => {
                                let place = b.names.fresh("place");
                                let value = Exp::Var(*mem);
                                list.push(Statement {
                                    kind: StatementKind::Let { var: place, ty: I64, value },
                                    loc,
                                });
                                Poly::var(place)
                            }
                        };
                        let expansion = Expansion::Blocked {
                            thread: Poly::var(counter),
                            size: parts.cells_of_iteration(),
                        };
                        let expanded = lmad.expand(&expansion);
                        *lmad = Lmad { offset: expanded.offset.add(&place), dims: expanded.dims };
                        *mem = parts.block;
                    }
                }
                kind => {
                    let mut used = false;
                    kind.for_each_use(&mut |var| {
                        used |= self.holds(var) || self.variables.contains_key(&var)
                    });
                    if used {
                        return None;
                    }
                }
            }
            let of_block = of_block && is_structure(&statement.kind);
            let mut done = Some(());
            statement.kind.for_each_body_mut(&mut |body| {
                done = done.and_then(|()| self.rewrite(body, counter, of_block, b))
            });
            done?;
            list.push(statement);
        }
        Some(())
    }

    /// Where the array begins that a block or a variable is.
    fn place(&self, from: &Exp) -> Option<Exp> {
        let Exp::Var(from) = from else { return None };
        match self.held.get(from) {
            Some((ty, number)) => Some(mul(Exp::i64(*number as i64), self.parts.get(ty)?.cells)),
            None => self.variables.contains_key(from).then_some(Exp::Var(*from)),
        }
    }

    /// Allocates the parts for so many iterations.
    pub(super) fn allocate(&self, count: Var, b: &mut Builder) {
        for (elem, parts) in &self.parts {
            let positive = |size: &Exp| bin(BinOp::Max, I64, size.clone(), Exp::i64(0));
            let products = parts
                .shapes
                .iter()
                .map(|shape| shape.iter().map(positive).reduce(mul).unwrap_or(Exp::i64(1)));
            let most = products.reduce(|x, y| bin(BinOp::Max, I64, x, y)).unwrap_or(Exp::i64(0));
            b.push(StatementKind::Let { var: parts.cells, ty: I64, value: most });
            let shape = vec![count.into(), Exp::i64(parts.shapes.len() as i64), parts.cells.into()];
            b.push(StatementKind::Alloc { var: parts.block, elem: *elem, shape, space: Space::Default });
        }
    }

    pub(super) fn free(&self, b: &mut Builder) {
        self.parts.values().for_each(|parts| b.push(StatementKind::Free(parts.block)));
    }
}

/// Calls `f` on the statements of a block, but for what its threads do.
fn for_each_of_block(body: &[Statement], f: &mut dyn FnMut(&StatementKind)) {
    for statement in body {
        f(&statement.kind);
        if is_structure(&statement.kind) {
            statement.kind.for_each_body(&mut |body| for_each_of_block(body, f));
        }
    }
}
