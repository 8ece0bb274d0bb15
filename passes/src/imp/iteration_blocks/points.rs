//! What the threads of a block share: the points of nests of parallel loops, and the cells of copies.

use super::super::copy::can_fail;
use super::super::kernels::{is_size, number_of};
use super::I64;
use super::block::{Block, is_point};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use imp::build::{Builder, add, bin, mul, read, sub};
use imp::ir::{Exp, LoopKind, Statement, StatementKind};
use std::collections::BTreeSet;

impl Block<'_> {
    /// The points of a nest of parallel loops, dealt out: neighbouring threads have neighbouring points.
    pub(super) fn points(&mut self, kind: StatementKind, b: &mut Builder) {
        let (mut counters, mut bounds, mut names) = (Vec::new(), Vec::new(), Vec::new());
        let mut at = kind;
        let body = loop {
            let StatementKind::For { var, bound, mut body, .. } = at else { return };
            counters.push(var);
            bounds.push(bound);
            if !is_nest(&counters, &names, &body) {
                break body;
            }
            let Some(last) = body.pop() else { return };
            names.extend(body);
            at = last.kind;
        };
        let l = b.names.fresh("l");
        let width = Exp::i64(self.sizes.threads);
        let (code, ()) = b.nested(|b| {
            let positive = |bound: &Exp| bin(BinOp::Max, I64, bound.clone(), Exp::i64(0));
            let sizes: Vec<Exp> =
                bounds.iter().map(|bound| b.let_("size", I64, positive(bound)).into()).collect();
            let count = sizes.iter().cloned().reduce(mul).unwrap_or(Exp::i64(1));
            let left = sub(add(count, Exp::i64(self.sizes.threads - 1)), l);
            let share = b.let_("share", I64, bin(BinOp::Quot, I64, left, width.clone()));
            b.for_("r", share, LoopKind::Seq, |b, r| {
                let mut at = b.let_("at", I64, add(l, mul(r, width.clone())));
                for (level, counter) in counters.iter().enumerate() {
                    let below = sizes[level + 1..].iter().cloned().reduce(mul);
                    let Some(below) = below else {
                        b.push(StatementKind::Let { var: *counter, ty: I64, value: at.into() });
                        break;
                    };
                    let some = bin(BinOp::Max, I64, below.clone(), Exp::i64(1));
                    b.push(StatementKind::Let {
                        var: *counter,
                        ty: I64,
                        value: bin(BinOp::Quot, I64, at, some),
                    });
                    at = b.let_("at", I64, sub(at, mul(*counter, below)));
                }
                b.push_all(names);
                let mut body = body;
                in_order(&mut body);
                b.push_all(body);
            });
        });
        self.own.in_threads(l, code, false, b);
    }

    /// A copy of an array, cell by cell if its sides certainly lie in different blocks.
    pub(super) fn copy(&mut self, dest: Var, source: Var, b: &mut Builder) {
        match self.sizes_of(dest, source) {
            Some(sizes) => {
                let counters: Vec<Var> = sizes.iter().map(|_| b.names.fresh("i")).collect();
                let indices: Vec<Exp> = counters.iter().map(|counter| (*counter).into()).collect();
                let (mut body, ()) = b.nested(|b| b.write(dest, indices.clone(), read(source, indices)));
                for (var, bound) in counters.into_iter().zip(sizes).rev() {
                    let kind = StatementKind::For { var, ty: I64, bound, kind: LoopKind::Simd, body };
                    body = vec![Statement { kind, loc: b.loc }];
                }
                match body.pop() {
                    Some(nest) if is_point(&nest.kind) => self.points(nest.kind, b),
                    cell => self.own.by_threads(cell.into_iter().collect(), true, b),
                }
            }
            None => {
                let statement = Statement { kind: StatementKind::Copy { dest, source }, loc: b.loc };
                self.own.by_threads(vec![statement], true, b);
            }
        }
    }

    /// The shape of what is copied, where all may be copied at once.
    fn sizes_of(&self, dest: Var, source: Var) -> Option<Vec<Exp>> {
        let place =
            |view| self.own.place(view).or_else(|| self.places.place(view).map(|(_, mem, lmad)| (mem, lmad)));
        let ((to, lmad), (from, _)): ((Var, &Lmad), _) = (place(dest)?, place(source)?);
        // what an iteration allocates is no other block
        let made = |mem| self.lifted.contains_key(&mem) || self.shared.contains(&mem);
        let known = || self.known.is_some_and(|known| known.are_different(to, from));
        if to == from || !made(to) && !made(from) && !self.places.are_different(to, from) && !known() {
            return None;
        }
        lmad.dims.iter().map(|dim| self.size_exp(&dim.size)).collect()
    }

    fn size_exp(&self, size: &Poly) -> Option<Exp> {
        let mut fixed = true;
        size.for_each_var(&mut |var| fixed &= !self.own.is_assigned(var));
        fixed.then(|| number_of(size))
    }
}

/// Whether a body is one more parallel loop behind names that cannot fail.
fn is_nest(counters: &[Var], names: &[Statement], body: &[Statement]) -> bool {
    let Some((last, before)) = body.split_last() else { return false };
    let StatementKind::For { bound, .. } = &last.kind else { return false };
    let mut declared: BTreeSet<Var> = counters.iter().copied().collect();
    declared.extend(names.iter().chain(before).filter_map(|statement| statement.kind.declares()));
    let are_names = before.iter().all(|statement| {
        let mut harmless = matches!(
            statement.kind,
            StatementKind::Let { .. } | StatementKind::View { .. } | StatementKind::Window { .. }
        );
        statement.kind.for_each_exp(&mut |exp| harmless &= !can_fail(exp) && !exp.reads());
        harmless
    });
    are_names && is_point(&last.kind) && is_size(bound, &declared)
}

/// A thread does parallel loops in order.
fn in_order(list: &mut [Statement]) {
    for statement in list {
        if let StatementKind::For { kind, .. } = &mut statement.kind
            && kind.is_parallel()
        {
            *kind = LoopKind::Seq;
        }
        statement.kind.for_each_body_mut(&mut |body| in_order(body));
    }
}

/// Makes parallel loops of those that fill arrays: each of their iterations writes other cells, with what memory does not decide.
pub(super) fn fills_are_points(list: &mut [Statement]) {
    for statement in list {
        if is_fill(statement, &mut Vec::new()) {
            run_at_once(statement);
        } else {
            statement.kind.for_each_body_mut(&mut |body| fills_are_points(body));
        }
    }
}

fn is_fill(statement: &Statement, counters: &mut Vec<Var>) -> bool {
    match &statement.kind {
        StatementKind::For { var, ty: PrimType::I64, bound, kind: LoopKind::Seq, body } => {
            let [only] = body.as_slice() else { return false };
            let at_once = !bound.reads() && !can_fail(bound);
            let mut same = true;
            bound.for_each_var(&mut |used| same &= !counters.contains(&used));
            counters.push(*var);
            at_once && same && is_fill(only, counters)
        }
        StatementKind::Write { indices, value, .. } => {
            let is_index = |counter: &Var| indices.contains(&Exp::Var(*counter));
            let plain = |exp: &Exp| !exp.reads() && !can_fail(exp);
            !counters.is_empty() && counters.iter().all(is_index) && indices.iter().chain([value]).all(plain)
        }
        _ => false,
    }
}

fn run_at_once(fill: &mut Statement) {
    if let StatementKind::For { kind, body, .. } = &mut fill.kind {
        *kind = LoopKind::Par;
        body.iter_mut().for_each(run_at_once);
    }
}
