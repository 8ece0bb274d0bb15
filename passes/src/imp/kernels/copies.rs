//! Parallel loops that copy rows, and nothing else, as copies of matrices: all threads of the device do these, where one would have a row.
//!
//! ```text
//! for i < n par {
//!   view to : f32 @ a -> m*i + {(m : 1)}   window part = to[0 : k : 1]
//!   view from : f32 @ b -> m*i + 1 + {(k : 1)}
//!   copy part <- from
//! }
//! ```
//! becomes
//! ```text
//! if lt.i64(0, n) {
//!   view to : f32 @ a -> 0 + {(n : m)(m : 1)}   window part = to[0 : n : 1, 0 : k : 1]
//!   view from : f32 @ b -> 1 + {(n : m)(k : 1)}
//!   copy part <- from
//! }
//! ```
//! Iterations do not touch what others write (I6), so all may do their first copy before any does its second. Both sides of a copy lie in different blocks:
//! within one an array may move along its one dimension (I7), and a matrix may not. What is outside of the loop's iterations
//! where there are none need not lie in its block: so nothing is done then.

use super::super::copy::can_fail;
use super::Host;
use super::body::hoisted;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::{Lmad, LmadDim};
use fun_index::poly::Poly;
use imp::build::bin;
use imp::ir::{Exp, Statement, StatementKind, WindowDim};
use std::collections::{BTreeMap, BTreeSet};

impl Host {
    /// The loop as copies; nothing where it is something else.
    pub(super) fn copies(&mut self, counter: Var, bound: &Exp, body: &[Statement]) -> Option<()> {
        if !body.iter().any(|statement| matches!(statement.kind, StatementKind::Copy { .. })) {
            return None;
        }
        let mut inner = BTreeSet::from([counter]);
        inner.extend(body.iter().filter_map(|statement| statement.kind.declares()));
        let mut rest = body.to_vec();
        let invariant = hoisted(&mut rest, &mut inner);
        let mut rows = Rows { counter, count: self.b.names.fresh("count"), inner };
        let (mut known, places) = (BTreeMap::new(), &self.places);
        let (then, made) = self.b.nested(|b| {
            for statement in &rest {
                b.loc = statement.loc;
                match &statement.kind {
                    // the first iteration would stop the program as well
                    StatementKind::Let { var, value, .. } if rows.is_same(value) => {
                        rows.inner.remove(var);
                        b.push(statement.kind.clone());
                    }
                    StatementKind::View { var, elem, mem, lmad } => {
                        let view = b.view(var.text, *elem, *mem, rows.matrix(lmad)?);
                        known.insert(*var, (view, *mem));
                    }
                    StatementKind::Window { var, view, dims }
                        if dims.iter().all(|dim| rows.is_fixed(dim)) =>
                    {
                        let (offset, stride) = (Exp::i64(0), Exp::i64(1));
                        let all = WindowDim::Range { offset, count: rows.count.into(), stride };
                        let dims = [all].into_iter().chain(dims.iter().cloned()).collect();
                        let (matrix, mem) = *known.get(view)?;
                        known.insert(*var, (b.window(var.text, matrix, dims), mem));
                    }
                    StatementKind::Copy { dest, source } => {
                        let ((to, to_mem), (from, from_mem)) = (*known.get(dest)?, *known.get(source)?);
                        places.are_different(to_mem, from_mem).then_some(())?;
                        b.copy(to, from);
                    }
                    _ => return None,
                }
            }
            Some(())
        });
        made?;
        self.b.push_all(invariant);
        let value = bound.clone();
        self.b.push(StatementKind::Let { var: rows.count, ty: PrimType::I64, value });
        self.b.when(bin(BinOp::Lt, PrimType::I64, Exp::i64(0), rows.count), |b| b.push_all(then));
        Some(())
    }
}

/// The iterations, as rows of matrices.
struct Rows {
    counter: Var,
    count: Var,
    /// What differs between them.
    inner: BTreeSet<Var>,
}

impl Rows {
    /// The cells that all iterations see, those of one behind those of the one before.
    fn matrix(&self, row: &Lmad) -> Option<Lmad> {
        let stride = row.offset.step(self.counter);
        let offset = row.offset.subst(&mut |var| match var == self.counter {
            true => Poly::constant(0),
            false => Poly::var(var),
        });
        let dims: Vec<LmadDim> = [LmadDim { size: Poly::var(self.count), stride }]
            .into_iter()
            .chain(row.dims.iter().cloned())
            .collect();
        let matrix = Lmad { offset, dims };
        let mut fixed = true;
        matrix.for_each_var(&mut |var| fixed &= !self.inner.contains(&var));
        fixed.then_some(matrix)
    }

    fn is_fixed(&self, dim: &WindowDim) -> bool {
        let fixed = |exp: &Exp| self.is_same(exp) && !can_fail(exp);
        match dim {
            WindowDim::Fix(index) => fixed(index),
            WindowDim::Range { offset, count, stride } => fixed(offset) && fixed(count) && fixed(stride),
        }
    }
    /// Whether a number is the same in all iterations.
    fn is_same(&self, exp: &Exp) -> bool {
        let mut same = !exp.reads();
        exp.for_each_var(&mut |var| same &= !self.inner.contains(&var));
        same
    }
}
