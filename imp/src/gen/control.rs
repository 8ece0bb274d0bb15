//! Loops, branches, calls, and blocks that pass through them.

use super::chain::Chain;
use super::locked::Locked;
use super::shuffled::Exchange;
use super::{Block, Maker, Scalar, Scope, View};
use crate::build::{self, Builder, bin};
use crate::ir::{Exp, ImpType, LoopKind, Space, Statement, StatementKind, WindowDim};
use crate::prefix::is_prefix_operator;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;

impl Maker {
    /// Statements of a nested list, which frees what it owns.
    fn nested(&mut self, scope: &Scope) {
        let mut inner = Scope { owned: Vec::new(), depth: scope.depth + 1, ..scope.clone() };
        self.statements(&mut inner);
        self.free_owned(&inner);
    }

    pub(super) fn sequential_loop(&mut self, scope: &mut Scope) {
        if scope.depth >= self.deepest {
            return;
        }
        let ty = *self.random.pick(&[PrimType::I64, PrimType::I64, PrimType::U8, PrimType::I32]);
        let bound =
            if self.random.chance(1, 8) { 0 } else { self.random.between(1, 4 - scope.depth.min(3) as i64) };
        let bound = if ty.is_signed() && self.random.chance(1, 20) { -1 } else { bound };
        let kind = match self.random.below(8) {
            0 | 1 => LoopKind::Unroll,
            2 => LoopKind::Fold,
            _ => LoopKind::Seq,
        };
        let var = self.b.names.fresh("i");
        let mut inner = scope.clone();
        let below = (ty == PrimType::I64 && bound > 0).then_some(bound);
        inner.scalars.push(Scalar { var, ty, assignable: false, below });
        let outer = self.b.begin();
        self.nested(&inner);
        let body = self.b.end(outer);
        self.b.push(StatementKind::For { var, ty, bound: Exp::Const(ty.of_i64(bound)), kind, body });
    }

    /// A scan by one operator, of which each iteration writes its own cell of a vector. What is combined reads other blocks.
    pub(super) fn scan_loop(&mut self, scope: &mut Scope) {
        let fits = |view: &View| {
            view.writable
                && view.injective
                && view.shape.len() == 1
                && is_prefix_operator(BinOp::Add, view.elem)
        };
        let Some(target) = self.random.pick_where(&scope.views, fits).cloned() else { return };
        let operators = [BinOp::Add, BinOp::Min, BinOp::Max, BinOp::And, BinOp::Or, BinOp::Xor];
        let (op, ty) = (*self.random.pick(&operators), target.elem);
        let first = self.exp(scope, ty, 1);
        let acc = self.b.declare("acc", ImpType::Prim(ty), Some(first));
        let var = self.b.names.fresh("i");
        let mut inner = scope.clone();
        let below = target.shape.first().copied().filter(|bound| *bound > 0);
        inner.scalars.push(Scalar { var, ty: PrimType::I64, assignable: false, below });
        inner.views.retain(|view| view.roots.iter().all(|root| !target.roots.contains(root)));
        let bound = self.size(scope, target.shape[0]);
        let outer = self.b.begin();
        let value = self.exp(&inner, ty, 2);
        let value = self.b.let_("e", ty, value);
        if self.random.chance(1, 2) {
            let new = self.b.let_("x", ty, bin(op, ty, acc, value));
            self.b.assign(acc, new);
        } else {
            self.b.assign(acc, bin(op, ty, value, acc));
        }
        self.b.write(target.var, vec![var.into()], acc);
        let body = self.b.end(outer);
        self.b.push(StatementKind::For { var, ty: PrimType::I64, bound, kind: LoopKind::Scan, body });
        scope.scalars.push(Scalar { var: acc, ty, assignable: true, below: None });
    }

    /// Writes only to what it allocates and to its own row of one array, whose block nobody else may touch.
    pub(super) fn parallel_loop(&mut self, scope: &mut Scope) {
        if scope.depth >= self.deepest {
            return;
        }
        let fits =
            |view: &View| view.writable && view.injective && view.shape.first().is_some_and(|size| *size > 0);
        let target = self.random.pick_where(&scope.views, fits).cloned();
        let bound = target.as_ref().map_or_else(|| self.random.between(0, 4), |target| target.shape[0]);
        let kind = match self.random.below(12) {
            0 | 1 => LoopKind::Simd,
            2 | 3 if !scope.in_parallel => LoopKind::Block,
            _ => LoopKind::Par,
        };
        let bound_exp = self.size(scope, bound);
        let var = self.b.names.fresh("i");
        let mut inner = Scope { in_parallel: true, ..scope.clone() };
        inner.scalars.iter_mut().for_each(|scalar| scalar.assignable = false);
        let below = (bound > 0).then_some(bound);
        inner.scalars.push(Scalar { var, ty: PrimType::I64, assignable: false, below });
        if let Some(target) = &target {
            let free = |roots: &[u32]| roots.iter().all(|root| !target.roots.contains(root));
            inner.views.retain(|view| free(&view.roots));
            inner.blocks.retain(|block| free(&block.roots));
        }
        inner.views.iter_mut().for_each(|view| view.writable = false);
        inner.blocks.iter_mut().for_each(|block| block.writable = false);
        let outer = self.b.begin();
        if let Some(target) = target {
            let mut dims = vec![WindowDim::Fix(Exp::Var(var))];
            dims.extend(target.shape[1..].iter().map(|size| WindowDim::Range {
                offset: Exp::i64(0),
                count: Exp::i64(*size),
                stride: Exp::i64(1),
            }));
            let row = self.b.window("row", target.var, dims);
            let shape = target.shape[1..].to_vec();
            inner.views.push(View { var: row, shape, ..target });
        }
        self.nested(&inner);
        let body = self.b.end(outer);
        if kind == LoopKind::Block {
            return self.kernel(var, bound, body);
        }
        self.b.push(StatementKind::For { var, ty: PrimType::I64, bound: bound_exp, kind, body });
    }

    /// The iterations of a parallel loop, by blocks of threads; not all of the last block have one. In some kernels the threads of a block
    /// give one another numbers by way of shared memory first, in some they exchange numbers
    /// in groups, in some the blocks do so one after the other, or all threads by way of locks.
    fn kernel(&mut self, var: Var, bound: i64, body: Vec<Statement>) {
        let i64 = PrimType::I64;
        let width = self.random.between(1, 4);
        let blocks = (bound + width - 1) / width;
        let (shares, by_atomics) = (self.random.chance(1, 3), self.random.chance(1, 2));
        let narrow_too = [PrimType::I64, PrimType::I32, PrimType::U16, PrimType::I8];
        let combined = (shares && by_atomics).then(|| *self.random.pick(&narrow_too));
        let exchange = self.random.chance(1, 4).then(|| Exchange::any(&mut self.random, width));
        let chain = self.random.chance(1, 4).then(|| Chain::new(&mut self.b, blocks));
        let kind = if chain.is_some() { LoopKind::Chain } else { LoopKind::Block };
        let locked = (chain.is_none() && self.random.chance(1, 4)).then(|| Locked::new(&mut self.b));
        self.b.for_("block", Exp::i64(blocks), kind, |b, block| {
            if let Some(locked) = &locked {
                locked.sum(b, width, block);
            }
            let summed = chain.as_ref().map(|chain| chain.sum(b, width, block));
            let lanes = shares.then(|| lanes(b, width, block, combined));
            let exchanged = exchange.map(|exchange| (exchange, exchange.make(b, width)));
            b.for_("t", Exp::i64(width), LoopKind::Thread, |b, t| {
                let start = bin(BinOp::Mul, i64, block, Exp::i64(width));
                b.push(StatementKind::Let { var, ty: i64, value: bin(BinOp::Add, i64, start, t) });
                let mut condition = bin(BinOp::Lt, i64, var, Exp::i64(bound));
                if let Some((_, view)) = lanes {
                    // the sum of what the threads wrote is known: all come in
                    let sum =
                        build::convert(i64, combined.unwrap_or(i64), build::read(view, vec![Exp::i64(0)]));
                    let all = bin(BinOp::Eq, i64, sum, Exp::i64(width * (width + 1) / 2));
                    condition = bin(BinOp::And, PrimType::Bool, condition, all);
                }
                if let Some((exchange, (_, got))) = exchanged {
                    condition = bin(BinOp::And, PrimType::Bool, condition, exchange.is_right(got, t));
                }
                if let Some((summed, _)) = &summed {
                    condition = bin(BinOp::And, PrimType::Bool, condition, summed.clone());
                }
                b.push(StatementKind::If { condition, then: body, otherwise: Vec::new() });
            });
            lanes.into_iter().for_each(|(memory, _)| b.push(StatementKind::Free(memory)));
            let handed = summed.into_iter().flat_map(|(_, memory)| memory);
            handed.for_each(|memory| b.push(StatementKind::Free(memory)));
            let memory = exchanged.into_iter().flat_map(|(_, (memory, _))| memory);
            memory.for_each(|memory| b.push(StatementKind::Free(memory)));
        });
        if let Some(chain) = chain {
            chain.free(&mut self.b);
        }
        if let Some(locked) = locked {
            locked.check(&mut self.b, blocks, width);
        }
    }

    pub(super) fn branch(&mut self, scope: &mut Scope) {
        let condition = self.exp(scope, PrimType::Bool, 2);
        let outer = self.b.begin();
        self.nested(scope);
        let then = self.b.end(outer);
        let outer = self.b.begin();
        if self.random.chance(2, 3) {
            self.nested(scope);
        }
        let otherwise = self.b.end(outer);
        self.b.push(StatementKind::If { condition, then, otherwise });
    }

    /// A loop that counts by itself.
    pub(super) fn repeat_while(&mut self, scope: &mut Scope) {
        if scope.depth >= self.deepest {
            return;
        }
        let counter = self.b.declare("k", ImpType::Prim(PrimType::I64), None);
        let bound = self.random.between(0, 4);
        let condition = bin(BinOp::Lt, PrimType::I64, counter, Exp::i64(bound));
        let mut inner = scope.clone();
        let below = (bound > 0).then_some(bound);
        inner.scalars.push(Scalar { var: counter, ty: PrimType::I64, assignable: false, below });
        let outer = self.b.begin();
        self.nested(&inner);
        self.b.assign(counter, bin(BinOp::Add, PrimType::I64, counter, Exp::i64(1)));
        let body = self.b.end(outer);
        self.b.push(StatementKind::While { condition, body });
    }

    /// A block variable that holds a fresh block or one of those in scope.
    pub(super) fn chosen_block(&mut self, scope: &mut Scope) {
        let Some(old) = self.random.pick_where(&scope.blocks, |block| block.cells > 0).cloned() else {
            return;
        };
        let condition = self.exp(scope, PrimType::Bool, 2);
        let var = self.b.declare("c", ImpType::Mem(Space::Default), None);
        let outer = self.b.begin();
        let mut inner = scope.clone();
        let fresh = self.array_of(&mut inner, old.elem, &[old.cells]);
        self.b.assign(var, fresh.var);
        let then = self.b.end(outer);
        let outer = self.b.begin();
        self.b.push(StatementKind::Share(old.var));
        self.b.assign(var, old.var);
        let otherwise = self.b.end(outer);
        self.b.push(StatementKind::If { condition, then, otherwise });
        let roots = old.roots.iter().copied().chain(fresh.roots).collect();
        self.adopt(scope, Block { var, roots, ..old });
    }

    /// A block variable that each iteration of a loop gives a new block, made from the old one.
    pub(super) fn carried_block(&mut self, scope: &mut Scope) {
        let first = self.fresh_array(scope);
        self.b.push(StatementKind::Share(first.var));
        let var = self.b.declare("p", ImpType::Mem(Space::Default), Some(Exp::Var(first.var)));
        let root = self.fresh_block();
        let roots: Vec<u32> = first.roots.iter().copied().chain([root]).collect();
        let bound = self.random.between(0, 3);
        let counter = self.b.names.fresh("i");
        let outer = self.b.begin();
        let mut inner = Scope { owned: Vec::new(), depth: scope.depth + 1, ..scope.clone() };
        let old = self.row(var, &first);
        inner.views.push(View { roots: roots.clone(), writable: false, ..old.clone() });
        let next = self.array_of(&mut inner, first.elem, &[first.cells]);
        if first.cells > 0 {
            let value = self.element(&inner, &old);
            let new = self.row(next.var, &first);
            let indices = self.indices(&inner, &new);
            self.b.write(new.var, indices, value);
        }
        self.b.push(StatementKind::Free(var));
        self.b.assign(var, next.var);
        let body = self.b.end(outer);
        let (ty, bound) = (PrimType::I64, Exp::i64(bound));
        self.b.push(StatementKind::For { var: counter, ty, bound, kind: LoopKind::Seq, body });
        self.adopt(scope, Block { var, roots, ..first });
    }

    pub(super) fn call(&mut self, scope: &mut Scope) {
        if scope.depth >= self.deepest {
            return;
        }
        let Some(callee) = self.random.pick_where(&self.signatures, |_| true).cloned() else { return };
        let mut args: Vec<Exp> = callee.scalars.iter().map(|ty| self.exp(scope, *ty, 2)).collect();
        for (elem, cells) in &callee.blocks {
            let fits = |block: &Block| block.elem == *elem && block.cells >= *cells;
            let block = self.random.pick_where(&scope.blocks, fits).cloned();
            let block = block.unwrap_or_else(|| self.array_of(scope, *elem, &[*cells]));
            args.push(Exp::Var(block.var));
        }
        let ty = callee.scalar_result;
        let scalar = self.b.declare("s", ImpType::Prim(ty), None);
        let block = self.b.declare("b", ImpType::Mem(Space::Default), None);
        self.b.push(StatementKind::Call { results: vec![scalar, block], procedure: callee.name, args });
        scope.scalars.push(Scalar { var: scalar, ty, assignable: true, below: None });
        let (elem, cells) = callee.block_result;
        let roots = vec![self.fresh_block()];
        self.adopt(scope, Block { var: block, elem, cells, roots, writable: true });
    }

    /// The scope owns the block and has a view of it.
    fn adopt(&mut self, scope: &mut Scope, block: Block) {
        scope.owned.push(block.var);
        let view = self.row(block.var, &block);
        scope.views.push(view);
        scope.blocks.push(block);
    }

    /// A view of all of a block, through the variable.
    fn row(&mut self, var: Var, block: &Block) -> View {
        let lmad = Lmad::row_major(Poly::constant(0), &[Poly::constant(block.cells)]);
        let Block { elem, cells, roots, writable, .. } = block.clone();
        let view = self.b.view("a", elem, var, lmad);
        View { var: view, elem, shape: vec![cells], roots, writable, injective: true }
    }
}

/// Memory that a block shares, with the sum of 1 to `width` in its first cell: thread `t` adds `t + 1`, by atomics on cells of a type or otherwise.
fn lanes(b: &mut Builder, width: i64, block: Var, combined: Option<PrimType>) -> (Var, Var) {
    let i64 = PrimType::I64;
    let elem = combined.unwrap_or(i64);
    let memory = b.alloc("lanes_mem", elem, vec![Exp::i64(width)], Space::Shared);
    let place = Lmad::row_major(Poly::constant(0), &[Poly::constant(width)]);
    let lanes = b.view("lanes", elem, memory, place);
    // what is the same for all threads
    let one = b.let_("one", i64, bin(BinOp::Sub, i64, bin(BinOp::Add, i64, block, Exp::i64(1)), block));
    b.for_("t", Exp::i64(width), LoopKind::Thread, |b, t| {
        b.write(lanes, vec![t.into()], build::convert(elem, i64, bin(BinOp::Add, i64, t, one)));
    });
    if combined.is_some() {
        b.for_("t", Exp::i64(width), LoopKind::Thread, |b, t| {
            let zero = Exp::Const(elem.zero());
            b.when(bin(BinOp::Eq, i64, t, Exp::i64(0)), |b| b.write(lanes, vec![t.into()], zero));
        });
        b.for_("t", Exp::i64(width), LoopKind::Thread, |b, t| {
            let value = build::convert(elem, i64, bin(BinOp::Add, i64, t, one));
            b.push(StatementKind::Atomic { view: lanes, indices: vec![Exp::i64(0)], op: BinOp::Add, value });
        });
        return (memory, lanes);
    }
    let own_memory = b.alloc("own_mem", i64, vec![Exp::i64(width), Exp::i64(2)], Space::Register);
    let place = Lmad::row_major(Poly::constant(0), &[Poly::constant(width), Poly::constant(2)]);
    let own = b.view("own", i64, own_memory, place);
    b.for_("t", Exp::i64(width), LoopKind::Thread, |b, t| {
        let value = build::read(lanes, vec![t.into()]);
        b.write(own, vec![t.into(), Exp::i64(1)], value);
    });
    b.for_("s", Exp::i64(width - 1), LoopKind::Seq, |b, s| {
        let next = b.let_("next", i64, bin(BinOp::Add, i64, s, Exp::i64(1)));
        b.for_("t", Exp::i64(width), LoopKind::Thread, |b, t| {
            b.when(bin(BinOp::Eq, i64, t, next), |b| {
                let sum = build::read(lanes, vec![Exp::i64(0)]);
                let own = build::read(own, vec![t.into(), Exp::i64(1)]);
                b.write(lanes, vec![Exp::i64(0)], bin(BinOp::Add, i64, sum, own));
            });
        });
    });
    b.push(StatementKind::Free(own_memory));
    (memory, lanes)
}
