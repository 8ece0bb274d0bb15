//! Lists of statements and the simple statements.

use super::{Block, Maker, Scalar, Scope, View};
use crate::build::{bin, read};
use crate::ir::{Exp, ImpType, LoopKind, Space, StatementKind, WindowDim};
use fun_base::name::{Symbol, Var};
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::{Lmad, Slice};
use fun_index::poly::Poly;

impl Maker {
    /// Some statements; what the scope owns afterwards is still to be freed.
    pub(super) fn statements(&mut self, scope: &mut Scope) {
        let count = 2 + self.random.below(6);
        for _ in 0..count {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            self.statement(scope);
        }
    }

    pub(super) fn free_owned(&mut self, scope: &Scope) {
        for block in &scope.owned {
            self.b.push(StatementKind::Free(*block));
        }
    }

    fn statement(&mut self, scope: &mut Scope) {
        match self.random.below(24) {
            0 | 1 => self.let_scalar(scope),
            2 => self.declare_scalar(scope),
            3 | 4 => self.assign_scalar(scope),
            5 => self.name_size(scope),
            6 if self.random.chance(1, 4) => self.array_elsewhere(scope),
            6 | 7 => {
                self.fresh_array(scope);
            }
            8 | 9 => self.new_view(scope),
            10 => self.new_window(scope),
            11..=13 => self.write(scope),
            14 => self.copy(scope),
            15 => self.share_and_free(scope),
            16 if self.random.chance(1, 4) => self.scan_loop(scope),
            16 | 17 => self.sequential_loop(scope),
            18 | 19 => self.parallel_loop(scope),
            20 => self.branch(scope),
            21 => self.repeat_while(scope),
            22 => self.chosen_block(scope),
            _ => match self.random.below(3) {
                0 => self.carried_block(scope),
                1 => self.call(scope),
                _ => self.assertion(scope),
            },
        }
    }

    fn let_scalar(&mut self, scope: &mut Scope) {
        let ty = self.any_type();
        let value = self.exp(scope, ty, 3);
        let var = self.b.let_("x", ty, value);
        scope.scalars.push(Scalar { var, ty, assignable: false, below: None });
    }

    fn declare_scalar(&mut self, scope: &mut Scope) {
        let ty = self.any_type();
        let value = if self.random.chance(1, 3) { None } else { Some(self.exp(scope, ty, 2)) };
        let var = self.b.declare("v", ImpType::Prim(ty), value);
        scope.scalars.push(Scalar { var, ty, assignable: true, below: None });
    }

    fn assign_scalar(&mut self, scope: &mut Scope) {
        match self.random.pick_where(&scope.scalars, |scalar| scalar.assignable).cloned() {
            Some(scalar) => {
                let value = self.exp(scope, scalar.ty, 3);
                self.b.assign(scalar.var, value);
            }
            None => self.declare_scalar(scope),
        }
    }

    fn name_size(&mut self, scope: &mut Scope) {
        // how many threads there are and what was said of a name may show nowhere
        let open = if scope.in_parallel { None } else { Some(self.random.below(8)) };
        let size = if open == Some(0) { 1 } else { self.random.between(1, 6) };
        let known = Exp::i64(size);
        let value = match open {
            Some(0) => bin(BinOp::Min, PrimType::I64, Exp::Threads, known),
            Some(1) => {
                let name = ["size", "f.device.size_1", "of \"two\""][self.random.below(3)];
                let number = Exp::Param { name: Symbol::new(name), usual: self.random.between(-1, 9) };
                let most = bin(BinOp::Min, PrimType::I64, number, known.clone());
                bin(BinOp::Max, PrimType::I64, most, known)
            }
            _ => known,
        };
        let var = self.b.let_("n", PrimType::I64, value);
        scope.sizes.push((var, size));
    }

    /// The constant, or a new name for it.
    fn named(&mut self, number: i64) -> Exp {
        if self.random.chance(4, 5) {
            return Exp::i64(number);
        }
        Exp::Var(self.b.let_("n", PrimType::I64, Exp::i64(number)))
    }

    /// An array in memory of another kind, which only its view is for.
    fn array_elsewhere(&mut self, scope: &mut Scope) {
        let (elem, shape) = (self.any_type(), self.any_shape());
        let space = match self.random.below(4) {
            0 => Space::Stack,
            1 => Space::Device,
            2 => Space::Shared,
            _ => Space::Named("scratchpad".into()),
        };
        let sizes = shape.iter().map(|size| Exp::i64(*size)).collect();
        let var = self.b.alloc("t", elem, sizes, space);
        let polys: Vec<Poly> = shape.iter().map(|size| Poly::constant(*size)).collect();
        let view = self.b.view("a", elem, var, Lmad::row_major(Poly::constant(0), &polys));
        self.fill(scope, view, elem, &shape, &mut Vec::new());
        let roots = vec![self.fresh_block()];
        scope.views.push(View { var: view, elem, shape, roots, writable: true, injective: true });
        scope.owned.push(var);
    }

    fn any_shape(&mut self) -> Vec<i64> {
        let mut shape: Vec<i64> = (0..self.random.below(4)).map(|_| self.random.between(1, 4)).collect();
        if self.random.chance(1, 12)
            && let Some(size) = shape.first_mut()
        {
            *size = 0;
        }
        shape
    }

    /// Allocates and fills an array; the scope owns it.
    pub(super) fn fresh_array(&mut self, scope: &mut Scope) -> Block {
        let (elem, shape) = (self.any_type(), self.any_shape());
        self.array_of(scope, elem, &shape)
    }

    pub(super) fn array_of(&mut self, scope: &mut Scope, elem: PrimType, shape: &[i64]) -> Block {
        let sizes = shape.iter().map(|size| self.size(scope, *size)).collect();
        let var = self.b.alloc("m", elem, sizes, Space::Default);
        let roots = vec![self.fresh_block()];
        let cells = shape.iter().product();
        let polys: Vec<Poly> = shape.iter().map(|size| self.poly(scope, *size)).collect();
        let view = self.b.view("a", elem, var, Lmad::row_major(Poly::constant(0), &polys));
        self.fill(scope, view, elem, shape, &mut Vec::new());
        let block = Block { var, elem, cells, roots: roots.clone(), writable: true };
        scope.blocks.push(block.clone());
        let injective = true;
        scope.views.push(View { var: view, elem, shape: shape.to_vec(), roots, writable: true, injective });
        scope.owned.push(var);
        block
    }

    /// Writes every cell of a view.
    fn fill(&mut self, scope: &Scope, view: Var, elem: PrimType, shape: &[i64], counters: &mut Vec<Var>) {
        let Some((size, inner)) = shape.split_first() else {
            let mut known = scope.clone();
            let counter = |var: &Var| Scalar { var: *var, ty: PrimType::I64, assignable: false, below: None };
            known.scalars.extend(counters.iter().map(counter));
            let value = self.exp(&known, elem, 2);
            return self.b.write(view, counters.iter().map(|var| Exp::Var(*var)).collect(), value);
        };
        let kinds = [LoopKind::Seq, LoopKind::Par, LoopKind::Simd, LoopKind::Unroll];
        let (kind, bound) = (*self.random.pick(&kinds), Exp::i64(*size));
        let var = self.b.names.fresh("i");
        let outer = self.b.begin();
        counters.push(var);
        self.fill(scope, view, elem, inner, counters);
        counters.pop();
        let body = self.b.end(outer);
        self.b.push(StatementKind::For { var, ty: PrimType::I64, bound, kind, body });
    }

    pub(super) fn poly(&mut self, scope: &Scope, size: i64) -> Poly {
        match self.size(scope, size) {
            Exp::Var(var) => Poly::var(var),
            _ => Poly::constant(size),
        }
    }

    /// Another view of a block: a shape of fitting size, then changes of layout.
    fn new_view(&mut self, scope: &mut Scope) {
        if scope.blocks.is_empty() {
            return;
        }
        let block = self.random.pick(&scope.blocks).clone();
        let shape = match block.cells {
            cells if cells > 0 && cells % 2 == 0 => vec![2, cells / 2],
            cells => vec![cells],
        };
        let polys: Vec<Poly> = shape.iter().map(|size| self.poly(scope, *size)).collect();
        let (mut lmad, mut shape) = (Lmad::row_major(Poly::constant(0), &polys), shape);
        for _ in 0..self.random.below(3) {
            let dim = self.random.below(shape.len());
            match self.random.below(3) {
                0 => {
                    let perm: Vec<usize> = (0..shape.len()).rev().collect();
                    lmad = lmad.permute(&perm);
                    shape.reverse();
                }
                1 => lmad = lmad.reverse(dim),
                _ => {
                    let (offset, count) = self.range(shape[dim]);
                    let slices = shape.iter().enumerate().map(|(k, size)| Slice::Range {
                        offset: Poly::constant(if k == dim { offset } else { 0 }),
                        count: Poly::constant(if k == dim { count } else { *size }),
                        stride: Poly::constant(1),
                    });
                    lmad = lmad.slice(&slices.collect::<Vec<_>>());
                    shape[dim] = count;
                }
            }
        }
        let mut injective = true;
        if self.random.chance(1, 6) && !shape.contains(&0) {
            lmad = lmad.broadcast(0, &Poly::constant(3));
            shape.insert(0, 3);
            injective = false;
        }
        let var = self.b.view("a", block.elem, block.var, lmad);
        let Block { elem, roots, writable, .. } = block;
        scope.views.push(View { var, elem, shape, roots, writable, injective });
    }

    /// A range inside a dimension.
    fn range(&mut self, size: i64) -> (i64, i64) {
        let offset = self.random.between(0, size);
        (offset.min((size - 1).max(0)), self.random.between(0, size - offset))
    }

    fn new_window(&mut self, scope: &mut Scope) {
        let Some(view) = self.random.pick_where(&scope.views, |view| !view.shape.contains(&0)).cloned()
        else {
            return;
        };
        let mut shape = Vec::new();
        let mut dims = Vec::new();
        let indices = self.indices(scope, &view);
        for (size, index) in view.shape.iter().zip(indices) {
            if self.random.chance(1, 3) {
                dims.push(WindowDim::Fix(index));
                continue;
            }
            let (backwards, step) = (self.random.chance(1, 3), self.random.between(1, 2));
            let (offset, room) = self.range(*size);
            let count = (room + step - 1) / step;
            let last = offset + (count - 1) * step;
            let (first, stride) = if backwards && count > 0 { (last, -step) } else { (offset, step) };
            let (offset, stride) = (self.named(first), self.named(stride));
            dims.push(WindowDim::Range { offset, count: self.size(scope, count), stride });
            shape.push(count);
        }
        let var = self.b.window("w", view.var, dims);
        scope.views.push(View { var, shape, ..view });
    }

    fn write(&mut self, scope: &mut Scope) {
        let fits = |view: &View| view.writable && !view.shape.contains(&0);
        let Some(view) = self.random.pick_where(&scope.views, fits).cloned() else { return };
        let indices = self.indices(scope, &view);
        let value = self.exp(scope, view.elem, 3);
        if view.elem.is_number() && self.random.chance(1, 3) {
            self.b.push(StatementKind::Accumulate { view: view.var, indices, value });
        } else {
            self.b.write(view.var, indices, value);
        }
    }

    /// Rows of an array go to where others of it are.
    fn move_rows(&mut self, scope: &mut Scope) {
        let fits =
            |view: &View| view.writable && view.injective && view.shape.first().is_some_and(|rows| *rows > 1);
        let Some(view) = self.random.pick_where(&scope.views, fits).cloned() else { return };
        let rows = view.shape[0];
        let count = self.random.between(1, rows - 1);
        let window = |this: &mut Self| {
            let first = this.random.between(0, rows - count);
            let part = |this: &mut Self, offset, count| WindowDim::Range {
                offset: this.named(offset),
                count: this.size(scope, count),
                stride: Exp::i64(1),
            };
            let mut dims = vec![part(this, first, count)];
            dims.extend(view.shape[1..].iter().map(|size| part(this, 0, *size)));
            this.b.window("w", view.var, dims)
        };
        let (dest, source) = (window(self), window(self));
        self.b.copy(dest, source);
    }

    /// A copy to another block, or of a fresh one of the same shape.
    fn copy(&mut self, scope: &mut Scope) {
        if scope.views.is_empty() {
            return;
        }
        if self.random.chance(1, 3) {
            return self.move_rows(scope);
        }
        let source = self.random.pick(&scope.views).clone();
        let fits = |dest: &View| {
            let apart = dest.roots.iter().all(|root| !source.roots.contains(root));
            dest.elem == source.elem && dest.shape == source.shape && dest.writable && dest.injective && apart
        };
        if let Some(dest) = self.random.pick_where(&scope.views, fits) {
            let dest = dest.var;
            return self.b.copy(dest, source.var);
        }
        self.array_of(scope, source.elem, &source.shape);
        if let Some(dest) = scope.views.last() {
            self.b.copy(dest.var, source.var);
        }
    }

    fn share_and_free(&mut self, scope: &mut Scope) {
        if let Some(block) = self.random.pick_where(&scope.blocks, |_| true).cloned() {
            self.b.push(StatementKind::Share(block.var));
            self.let_scalar(scope);
            self.b.push(StatementKind::Free(block.var));
        }
    }

    fn assertion(&mut self, scope: &mut Scope) {
        let condition = if self.random.chance(1, 10) {
            self.exp(scope, PrimType::Bool, 2)
        } else {
            let value = self.exp(scope, PrimType::I32, 2);
            crate::build::bin(
                fun_base::prim::BinOp::Le,
                PrimType::I32,
                Exp::Const(PrimType::I32.of_i64(i64::MIN)),
                value,
            )
        };
        let args = vec![self.exp(scope, PrimType::I64, 0)];
        self.b.push(StatementKind::Assert { condition, message: "generated: {}".to_owned(), args });
    }

    /// A scalar read from a view.
    pub(super) fn element(&mut self, scope: &Scope, view: &View) -> Exp {
        let indices = self.indices(scope, view);
        read(view.var, indices)
    }
}
