//! Blocks of constants: those on the stack that are written once, cell by cell, with constants. They are constants in C, too, which nobody has
//! to write, and which a compiler may look into.

use crate::types::constant;
use fun_base::name::Var;
use fun_base::prim::{PrimType, PrimValue};
use imp::ir::{Exp, Procedure, Space, Statement, StatementKind, constant_bytes};
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

/// A block of constants.
#[derive(Clone, Debug)]
pub(super) struct ConstantBlock {
    pub(super) elem: PrimType,
    /// What C initialises it with, up to the last cell that is written.
    pub(super) cells: Vec<String>,
}

/// Those of a procedure, by their names, and the views of them.
#[derive(Default)]
pub(super) struct ConstantBlocks {
    blocks: BTreeMap<Var, ConstantBlock>,
    views: BTreeSet<Var>,
}

impl ConstantBlocks {
    /// Finds them.
    pub(super) fn of_procedure(procedure: &Procedure) -> ConstantBlocks {
        let mut views: BTreeMap<Var, Var> = BTreeMap::new();
        let mut writes: BTreeMap<Var, usize> = BTreeMap::new();
        for_each_statement(&procedure.body, &mut |statement| {
            let written = match &statement.kind {
                StatementKind::View { var, mem, .. } => {
                    views.insert(*var, *mem);
                    return;
                }
                StatementKind::Window { var, view, .. } => {
                    if let Some(mem) = views.get(view).copied() {
                        views.insert(*var, mem);
                    }
                    return;
                }
                kind => kind.writes(),
            };
            if let Some(mem) = written.and_then(|view| views.get(&view)) {
                *writes.entry(*mem).or_default() += 1;
            }
        });
        let mut found = ConstantBlocks::default();
        found.in_list(&procedure.body, &writes);
        for_each_statement(&procedure.body, &mut |statement| {
            statement.kind.for_each_body(&mut |body| found.in_list(body, &writes));
        });
        found.views =
            views.into_iter().filter(|(_, mem)| found.blocks.contains_key(mem)).map(|(var, _)| var).collect();
        found
    }

    /// Those that a list of statements allocates, if it makes all writes there are to them.
    fn in_list(&mut self, list: &[Statement], writes: &BTreeMap<Var, usize>) {
        let mut cells: BTreeMap<Var, (PrimType, usize, BTreeMap<usize, String>)> = BTreeMap::new();
        // the first cell of each view, and how many cells apart its elements are
        let mut views: BTreeMap<Var, (Var, i64, Vec<i64>)> = BTreeMap::new();
        for statement in list {
            match &statement.kind {
                StatementKind::Alloc { var, elem, shape, space: Space::Stack }
                    if writes.contains_key(var) =>
                {
                    let Some(bytes) = constant_bytes(*elem, shape) else { continue };
                    let count = bytes / i64::from(elem.bytes()).max(1);
                    cells.insert(*var, (*elem, usize::try_from(count).unwrap_or(0), BTreeMap::new()));
                }
                StatementKind::View { var, elem, mem, lmad } => {
                    let strides = lmad.dims.iter().map(|dim| dim.stride.as_constant()).collect();
                    let place = lmad.offset.as_constant().zip(strides);
                    if let (Some((block, ..)), Some((offset, strides))) = (cells.get(mem), place)
                        && block == elem
                    {
                        views.insert(*var, (*mem, offset, strides));
                    }
                }
                StatementKind::Write { view, indices, value: Exp::Const(value) } => {
                    let Some((mem, offset, strides)) = views.get(view) else { continue };
                    let indices = indices.iter().map(|index| match index {
                        Exp::Const(index) => index.as_i64(),
                        _ => None,
                    });
                    let steps =
                        indices.zip(strides).map(|(index, stride)| Some(index?.wrapping_mul(*stride)));
                    let cell = steps.sum::<Option<i64>>().map(|steps| steps.wrapping_add(*offset));
                    let cell = cell.and_then(|cell| usize::try_from(cell).ok());
                    let Some((_, count, cells)) = cells.get_mut(mem) else { continue };
                    if let (Some(cell), Some(text)) = (cell.filter(|cell| cell < count), initializer(*value))
                    {
                        cells.insert(cell, text);
                    }
                }
                _ => {}
            }
        }
        for (block, (elem, _, cells)) in cells {
            let all = writes.get(&block) == Some(&cells.len());
            if let (true, Some((last, _))) = (all, cells.last_key_value()) {
                let zero = "0".to_owned();
                let cells = (0..=*last).map(|cell| cells.get(&cell).unwrap_or(&zero).clone()).collect();
                self.blocks.insert(block, ConstantBlock { elem, cells });
            }
        }
    }

    /// The block, if it is one of constants.
    pub(super) fn get(&self, block: Var) -> Option<&ConstantBlock> {
        self.blocks.get(&block)
    }

    /// Whether the view is of such a block, so that it is not written.
    pub(super) fn has_view(&self, view: Var) -> bool {
        self.views.contains(&view)
    }
}

/// The constant as C wants it where a program starts; `None` if a function computes it.
fn initializer(value: PrimValue) -> Option<String> {
    let is_plain = match value {
        PrimValue::F32(x) => x.is_finite(),
        PrimValue::F64(x) => x.is_finite(),
        PrimValue::Unit => false,
        _ => true,
    };
    is_plain.then(|| constant(value).0)
}
