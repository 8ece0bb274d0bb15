//! Which blocks certainly have a value in every cell.
//!
//! Arguments of entry points have. So has a block that was allocated and copied to from one that has, as a whole, or whose cells a nest of parallel loops writes, each under its counters,
//! until something is copied to it of which that is not known, or a procedure gets it.

use super::access::Places;
use fun_base::name::Var;
use fun_base::prim::PrimType;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use imp::ir::{Exp, ImpType, Procedure, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

/// What is known where a walk over a procedure is.
pub(super) struct Filled {
    blocks: BTreeSet<Var>,
    /// The types of the cells of blocks that are allocated, and their shapes.
    shapes: BTreeMap<Var, (PrimType, Vec<Exp>)>,
}

impl Filled {
    /// At the beginning of a procedure.
    pub(super) fn of(procedure: &Procedure) -> Filled {
        // (others than entry points may be given blocks to fill)
        let is_block = |ty: &ImpType| procedure.interface.is_some() && matches!(ty, ImpType::Mem(_));
        let blocks = procedure.params.iter().filter(|(_, ty)| is_block(ty)).map(|(var, _)| *var).collect();
        let mut shapes = BTreeMap::new();
        for_each_statement(&procedure.body, &mut |statement| {
            if let StatementKind::Alloc { var, elem, shape, .. } = &statement.kind {
                shapes.insert(*var, (*elem, shape.clone()));
            }
        });
        Filled { blocks, shapes }
    }

    /// Whether all cells that a view shows have a value.
    pub(super) fn has(&self, view: Var, places: &Places) -> bool {
        places.place(view).is_some_and(|(_, block, _)| self.blocks.contains(&block))
    }

    /// A statement was executed, and what is inside of it was or was not.
    pub(super) fn passed(&mut self, statement: &Statement, places: &Places) {
        for_each_statement(std::slice::from_ref(statement), &mut |inner| match &inner.kind {
            StatementKind::Copy { dest, source } if !self.has(*source, places) => {
                self.blocks.retain(|block| places.is_elsewhere(*dest, *block));
            }
            StatementKind::Call { args, .. } => {
                args.iter().for_each(|arg| arg.for_each_var(&mut |var| _ = self.blocks.remove(&var)));
            }
            _ => {}
        });
        statement.kind.for_each_body(&mut |body| {
            for_each_statement(body, &mut |inner| {
                if let Some(block) = self.target(inner, places) {
                    self.blocks.remove(&block);
                }
            });
        });
        let copied = match &statement.kind {
            StatementKind::Copy { source, .. } => self.has(*source, places),
            _ => true,
        };
        self.blocks.extend(self.target(statement, places).filter(|_| copied));
    }

    /// The block that a statement fills, a copy if it copies values.
    fn target(&self, statement: &Statement, places: &Places) -> Option<Var> {
        match &statement.kind {
            StatementKind::Copy { dest, .. } => self.whole(*dest, places),
            StatementKind::For { .. } => {
                let (mut inner, mut counters, mut bounds) = (statement, Vec::new(), Vec::new());
                while let StatementKind::For { var, bound, kind, body, .. } = &inner.kind
                    && kind.is_parallel()
                {
                    counters.push(Exp::Var(*var));
                    bounds.push(bound.clone());
                    let written = body.iter().find_map(|statement| match &statement.kind {
                        StatementKind::Write { view, indices, .. } if *indices == counters => Some(*view),
                        _ => None,
                    });
                    if let Some(view) = written {
                        let block = self.whole(view, places)?;
                        return self
                            .shapes
                            .get(&block)
                            .is_some_and(|(_, shape)| *shape == bounds)
                            .then_some(block);
                    }
                    inner = body.last()?;
                }
                None
            }
            _ => None,
        }
    }

    /// The block of a view that shows all of its cells.
    fn whole(&self, view: Var, places: &Places) -> Option<Var> {
        let (elem, block, lmad) = places.place(view)?;
        let (_, shape) = self.shapes.get(&block).filter(|(cells, _)| cells.bytes() == elem.bytes())?;
        let sizes = shape.iter().map(|size| match size {
            Exp::Var(size) => Some(Poly::var(*size)),
            Exp::Const(size) => size.as_i64().map(Poly::constant),
            _ => None,
        });
        let sizes = sizes.collect::<Option<Vec<Poly>>>()?;
        (*lmad == Lmad::row_major(Poly::constant(0), &sizes)).then_some(block)
    }
}
