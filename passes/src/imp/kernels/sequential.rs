//! Sequential loops over arrays as kernels of one thread, so that the host does not fetch each element.
//!
//! ```text
//! for i < n seq { sum := add.i32(sum, a[i]) }
//! ```
//! becomes
//! ```text
//! alloc cell : i32[1] in device
//! for block < 1 block {
//!   for t < 1 thread {
//!     var sum' : i32 = sum
//!     for i < n seq { sum' := add.i32(sum', a[i]) }
//!     cell[0] := sum'
//!   }
//! }
//! sum := cell[0]
//! free cell
//! ```

use super::body::{Body, Outer};
use super::{Host, has_parallel};
use crate::imp::copy::replace;
use fun_base::name::Var;
use fun_base::prim::PrimType;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use imp::build::read;
use imp::ir::{Exp, ImpType, LoopKind, Space, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

/// What each variable of the host that a loop assigns holds.
type Assigned = BTreeMap<Var, PrimType>;

impl Host {
    /// The loop as a kernel; gives it back where it cannot be one, or needs none.
    pub(super) fn sequential(&mut self, kind: StatementKind) -> Result<(), StatementKind> {
        let statement = Statement { kind, loc: self.b.loc };
        self.one_thread(std::slice::from_ref(&statement)).ok_or(statement.kind)
    }

    fn one_thread(&mut self, list: &[Statement]) -> Option<()> {
        if has_parallel(list) || self.copies_matrices(list) || !touches_memory(list) {
            return None;
        }
        let assigned = self.assigned(list)?;
        let mut body = Body::of(list, &Outer::sequential(assigned.keys().copied().collect()))?;
        let loc = self.b.loc;
        self.b.push_all(std::mem::take(&mut body.invariant));
        body.private.iter().for_each(|block| block.allocate(&mut self.b, Exp::i64(1)));
        let mut cells = Vec::new();
        for (var, ty) in &assigned {
            // there is one value of type unit
            let cell = (*ty != PrimType::Unit).then(|| {
                let block = self.b.alloc("cell_mem", *ty, vec![Exp::i64(1)], Space::Device);
                let place = Lmad::row_major(Poly::constant(0), &[Poly::constant(1)]);
                (block, self.b.view("cell", *ty, block, place))
            });
            cells.push((*var, *ty, cell));
        }
        self.b.for_("block", Exp::i64(1), LoopKind::Block, |b, _| {
            b.for_("t", Exp::i64(1), LoopKind::Thread, |b, _| {
                let mut own = Vec::new();
                for (var, ty, _) in &cells {
                    let local = b.declare(var.text, ImpType::Prim(*ty), Some(Exp::Var(*var)));
                    replace(&mut body.statements, *var, local);
                    own.push(local);
                }
                b.push_all(std::mem::take(&mut body.statements));
                for ((_, _, cell), local) in cells.iter().zip(own) {
                    if let Some((_, view)) = cell {
                        b.write(*view, vec![Exp::i64(0)], local);
                    }
                }
            });
        });
        self.b.loc = loc;
        for (var, _, cell) in cells {
            if let Some((block, view)) = cell {
                self.b.assign(var, read(view, vec![Exp::i64(0)]));
                self.b.push(StatementKind::Free(block));
            }
        }
        body.private.iter().for_each(|block| self.b.push(StatementKind::Free(block.var)));
        Some(())
    }

    /// Whether statements copy arrays of several dimensions whose size is no constant: all threads of the device do that.
    fn copies_matrices(&self, list: &[Statement]) -> bool {
        let mut found = false;
        for_each_statement(list, &mut |statement| {
            if let StatementKind::Copy { dest, source } = &statement.kind {
                let place = self.places.place(*dest).or_else(|| self.places.place(*source));
                found |= place.is_some_and(|(_, _, lmad)| {
                    lmad.rank() > 1 && lmad.sizes().iter().any(|size| size.as_constant().is_none())
                });
            }
        });
        found
    }

    /// The variables from outside that statements assign, if all are scalars of known type.
    fn assigned(&self, list: &[Statement]) -> Option<Assigned> {
        let (mut declared, mut assigned) = (BTreeSet::new(), BTreeSet::new());
        for_each_statement(list, &mut |statement| {
            declared.extend(statement.kind.declares());
            if let StatementKind::Assign { var, .. } = &statement.kind {
                assigned.insert(*var);
            }
        });
        let outer = assigned.into_iter().filter(|var| !declared.contains(var));
        outer.map(|var| self.types.get(&var).map(|ty| (var, *ty))).collect()
    }
}

fn touches_memory(list: &[Statement]) -> bool {
    let mut touches = false;
    for_each_statement(list, &mut |statement| {
        touches |= matches!(
            statement.kind,
            StatementKind::Write { .. }
                | StatementKind::Accumulate { .. }
                | StatementKind::Atomic { .. }
                | StatementKind::Copy { .. }
        );
        statement.kind.for_each_exp(&mut |exp| touches |= exp.reads());
    });
    touches
}
