//! A nest of parallel loops over all cells of arrays becomes one loop.
//!
//! ```text
//! view a : f32 @ mem -> 0 + {(n : m)(m : 1)}
//! for i < n par { for j < m simd { a[i, j] := mul.f32(a[i, j], 2) } }
//! ```
//! becomes
//! ```text
//! view cells : f32 @ mem -> 0 + {(n*m : 1)}
//! for t < mul.i64(n, m) par { cells[t] := mul.f32(cells[t], 2) }
//! ```
//! Legal where the loops have nothing between them, their counters are used in accesses alone, all of them side by side, and the dimensions of these are one in memory: as one
//! iteration touches the cells that it touched before, what held for iterations of the nest (I6) holds for those of the loop.

use crate::imp::copy::fresh;
use crate::imp::fuse_loops::access::Places;
use fun_base::name::Var;
use fun_base::prim::PrimType;
use fun_index::lmad::{Lmad, LmadDim};
use fun_index::poly::Poly;
use imp::build::{Builder, mul};
use imp::ir::{Exp, LoopKind, Statement, StatementKind};
use std::collections::BTreeMap;

/// Loops that can be one.
pub(super) struct Collapse<'n> {
    loops: Vec<(Var, &'n Exp)>,
    body: &'n [Statement],
    kind: LoopKind,
    /// The views that are accessed by the counters.
    views: BTreeMap<Var, Cells>,
}

/// A view that has the dimensions of the counters as one.
struct Cells {
    /// At which index.
    at: usize,
    elem: PrimType,
    mem: Var,
    lmad: Lmad,
}

impl<'n> Collapse<'n> {
    /// The loops of a perfect nest from this one on, if they can be one.
    pub(super) fn of(nest: &'n Statement, places: &Places) -> Option<Collapse<'n>> {
        let mut loops = Vec::new();
        let (mut statement, mut kind) = (nest, LoopKind::Simd);
        let body = loop {
            let StatementKind::For { var, ty: PrimType::I64, bound, kind: own, body } = &statement.kind
            else {
                return None;
            };
            match own {
                LoopKind::Par => kind = LoopKind::Par,
                LoopKind::Simd => {}
                _ => return None,
            }
            loops.push((*var, bound));
            match &body[..] {
                [inner @ Statement { kind: StatementKind::For { .. }, .. }] => statement = inner,
                _ => break body,
            }
        };
        let mut collapse = Collapse { loops, body, kind, views: BTreeMap::new() };
        (collapse.loops.len() > 1 && collapse.takes(body, places)).then_some(collapse)
    }

    fn takes(&mut self, body: &[Statement], places: &Places) -> bool {
        body.iter().all(|statement| {
            let plain = match &statement.kind {
                StatementKind::Let { .. } | StatementKind::Declare { .. } | StatementKind::Assign { .. } => {
                    true
                }
                StatementKind::Write { view, indices, .. } => self.access(*view, indices, places),
                StatementKind::If { then, otherwise, .. } => {
                    self.takes(then, places) && self.takes(otherwise, places)
                }
                _ => false,
            };
            let mut all = plain;
            match &statement.kind {
                // the indices are those of an access
                StatementKind::Write { value, .. } => all = all && self.exp(value, places),
                kind => kind.for_each_exp(&mut |exp| all = all && self.exp(exp, places)),
            }
            all
        })
    }

    fn exp(&mut self, exp: &Exp, places: &Places) -> bool {
        match exp {
            Exp::Var(var) => !self.is_counter(var),
            Exp::Read { view, indices } => self.access(*view, indices, places),
            _ => {
                let mut all = true;
                exp.for_each_child(&mut |child| all = all && self.exp(child, places));
                all
            }
        }
    }

    fn is_counter(&self, var: &Var) -> bool {
        self.loops.iter().any(|(counter, _)| counter == var)
    }

    /// Whether the counters are indices side by side, or none is in any.
    fn access(&mut self, view: Var, indices: &[Exp], places: &Places) -> bool {
        let count = self.loops.len();
        let (first, _) = self.loops[0];
        let at = indices.iter().position(|index| *index == Exp::Var(first));
        let others = match at {
            None => indices.to_vec(),
            Some(at) => {
                let counters = self.loops.iter().map(|(counter, _)| Exp::Var(*counter));
                if !counters.eq(indices.iter().skip(at).take(count).cloned()) {
                    return false;
                }
                [&indices[..at], &indices[at + count..]].concat()
            }
        };
        if !others.iter().all(|index| self.exp(index, places)) {
            return false;
        }
        let Some(at) = at else { return true };
        if let Some(cells) = self.views.get(&view) {
            return cells.at == at;
        }
        let Some(cells) = self.cells(view, at, places) else { return false };
        self.views.insert(view, cells);
        true
    }

    /// A view with the dimensions of the counters as one, if they are one in memory.
    fn cells(&self, view: Var, at: usize, places: &Places) -> Option<Cells> {
        let (elem, mem, lmad) = places.place(view)?;
        let dims = lmad.dims.get(at..at + self.loops.len())?;
        let (mut size, mut same) = (dims[0].size.clone(), true);
        for (pair, (_, bound)) in dims.windows(2).zip(&self.loops[1..]) {
            let bound = match bound {
                Exp::Var(var) => Poly::var(*var),
                Exp::Const(count) => Poly::constant(count.as_i64()?),
                _ => return None,
            };
            same &= pair[1].size == bound && pair[0].stride == pair[1].size.mul(&pair[1].stride);
            size = size.mul(&bound);
        }
        let stride = dims.last()?.stride.clone();
        let mut lmad = lmad.clone();
        lmad.dims.splice(at..at + self.loops.len(), [LmadDim { size, stride }]);
        same.then_some(Cells { at, elem, mem, lmad })
    }

    /// The one loop, and the views in front of it.
    pub(super) fn build(&self, loc: Option<fun_base::source::Loc>, b: &mut Builder) -> Vec<Statement> {
        let outer = std::mem::replace(&mut b.loc, loc);
        let (built, ()) = b.nested(|b| {
            let mut views = BTreeMap::new();
            for (view, Cells { at, elem, mem, lmad }) in &self.views {
                views.insert(*view, (*at, b.view(view.text, *elem, *mem, lmad.clone())));
            }
            let bounds = self.loops.iter().map(|(_, bound)| (*bound).clone());
            let count = bounds.reduce(mul).unwrap_or(Exp::i64(0));
            let count = Exp::Var(b.let_("count", PrimType::I64, count));
            b.for_("t", count, self.kind, |b, t| {
                let mut body = fresh(self.body, &mut b.names);
                self.redirect(&mut body, t, &views);
                b.push_all(body);
            });
        });
        b.loc = outer;
        built
    }

    fn redirect(&self, body: &mut [Statement], t: Var, views: &BTreeMap<Var, (usize, Var)>) {
        let access = |view: &mut Var, indices: &mut Vec<Exp>| {
            if let Some((at, own)) = views.get(view)
                && indices.iter().any(|index| *index == Exp::Var(self.loops[0].0))
            {
                *view = *own;
                indices.splice(*at..*at + self.loops.len(), [Exp::Var(t)]);
            }
        };
        for statement in body {
            statement.kind.for_each_exp_mut(&mut |exp| reads(exp, &access));
            if let StatementKind::Write { view, indices, .. } = &mut statement.kind {
                access(view, indices);
            }
            statement.kind.for_each_body_mut(&mut |inner| self.redirect(inner, t, views));
        }
    }
}

fn reads(exp: &mut Exp, access: &dyn Fn(&mut Var, &mut Vec<Exp>)) {
    exp.for_each_child_mut(&mut |child| reads(child, access));
    if let Exp::Read { view, indices } = exp {
        access(view, indices);
    }
}
