//! Batches of products: parallel loops around a nest that can be tiled, with nothing between but names of places and numbers.
//!
//! ```text
//! for g < batch par { view b : f32 @ bs -> m*p*g + … for i < n simd { for j < p simd { … } } }
//! ```
//! Each product has blocks of its own: the number of a block says which product it is of, and which tile of it. Views that are the same for a whole
//! product stand before its nest, also those that its loops had inside.

use crate::imp::copy::{can_fail, declared_in, fresh};
use crate::imp::tile_products::nest::Nest;
use crate::imp::tile_products::straight::straightened;
use fun_base::name::{NameSource, Var};
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::Lmad;
use imp::build::{Builder, bin};
use imp::ir::{Exp, LoopKind, Statement, StatementKind};

/// A nest that can be tiled, and the loops around it.
pub(super) struct Batch {
    /// What stands before all of it: views.
    before: Vec<Statement>,
    /// The loops around, the outermost first.
    loops: Vec<Around>,
    /// The nest.
    product: Statement,
}

/// A loop around a nest.
struct Around {
    counter: Var,
    bound: Exp,
    /// What stands before the next loop.
    before: Vec<Statement>,
}

impl Batch {
    /// The batch that a parallel loop is, with other names; a single product is one without loops around.
    pub(super) fn of(statement: &Statement, names: &mut NameSource) -> Option<Batch> {
        if !matches!(statement.kind, StatementKind::For { kind: LoopKind::Par, .. }) {
            return None;
        }
        Batch::found(statement)?;
        let [copy] = fresh(std::slice::from_ref(statement), names).try_into().ok()?;
        Batch::found(&copy)
    }

    fn found(statement: &Statement) -> Option<Batch> {
        let mut batch = Batch { before: Vec::new(), loops: Vec::new(), product: statement.clone() };
        while !batch.straighten() {
            batch.take_loop()?;
        }
        let nest = batch.nest()?;
        let inside = declared_in(std::slice::from_ref(statement));
        let bounds = batch.loops.iter().map(|around| &around.bound).chain([&nest.n, &nest.p, &nest.m]);
        let outside = |bound: &Exp| !matches!(bound, Exp::Var(var) if inside.contains(var));
        let known = bounds.into_iter().all(outside) && nest.rows.is_some();
        known.then_some(batch)
    }

    /// Calls `f` on each view that stands before the nest, and where it lies.
    pub(super) fn for_each_view(&self, f: &mut dyn FnMut(Var, &Lmad)) {
        let around = self.loops.iter().flat_map(|around| &around.before);
        for statement in self.before.iter().chain(around) {
            if let StatementKind::View { var, lmad, .. } = &statement.kind {
                f(*var, lmad);
            }
        }
    }

    /// The nest.
    pub(super) fn nest(&self) -> Option<Nest<'_>> {
        Nest::of(&self.product)
    }

    /// Brings what is left into the form of a nest; whether it can be tiled then.
    fn straighten(&mut self) -> bool {
        let (views, straight) = straightened(&self.product);
        self.loops.last_mut().map_or(&mut self.before, |around| &mut around.before).extend(views);
        self.product = straight;
        self.nest().is_some()
    }

    /// The outermost loop of what is left is one around a nest.
    fn take_loop(&mut self) -> Option<()> {
        let StatementKind::For { var, ty: PrimType::I64, bound, kind: LoopKind::Par | LoopKind::Simd, body } =
            &mut self.product.kind
        else {
            return None;
        };
        let bound = matches!(bound, Exp::Var(_) | Exp::Const(_)).then(|| bound.clone())?;
        let counter = *var;
        let mut before = std::mem::take(body);
        let product = before.pop()?;
        // the same for all threads of a block, which reads no memory for it
        let fits = |statement: &Statement| match &statement.kind {
            StatementKind::Let { value, .. } => !can_fail(value) && !value.reads(),
            StatementKind::View { .. } => true,
            _ => false,
        };
        before.iter().all(fits).then_some(())?;
        self.loops.push(Around { counter, bound, before });
        self.product = product;
        Some(())
    }

    /// Whether there is no loop around the nest.
    pub(super) fn is_single(&self) -> bool {
        self.loops.is_empty()
    }

    /// What stands before the kernel.
    pub(super) fn before(&self, b: &mut Builder) {
        b.push_all(self.before.clone());
    }

    /// How many blocks there are where each product has so many.
    pub(super) fn blocks(&self, b: &mut Builder, each: Var) -> Var {
        let none = Exp::i64(0);
        self.loops.iter().fold(each, |blocks, around| {
            let count = bin(BinOp::Max, I64, around.bound.clone(), none.clone());
            b.let_("blocks", I64, bin(BinOp::Mul, I64, blocks, count))
        })
    }

    /// The number of a block in its product, of which each has so many; the counters of the loops around become those of the product.
    pub(super) fn enter(&self, b: &mut Builder, block: Var, each: Var) -> Var {
        let Some((outermost, inner)) = self.loops.split_first() else { return block };
        let some = |count: Exp| bin(BinOp::Max, I64, count, Exp::i64(1));
        let own = b.let_("own", I64, bin(BinOp::Rem, I64, block, some(each.into())));
        let mut product = b.let_("product", I64, bin(BinOp::Quot, I64, block, some(each.into())));
        for around in inner.iter().rev() {
            let value = bin(BinOp::Rem, I64, product, some(around.bound.clone()));
            b.push(StatementKind::Let { var: around.counter, ty: I64, value });
            product = b.let_("product", I64, bin(BinOp::Quot, I64, product, some(around.bound.clone())));
        }
        b.push(StatementKind::Let { var: outermost.counter, ty: I64, value: product.into() });
        self.loops.iter().for_each(|around| b.push_all(around.before.clone()));
        own
    }
}

const I64: PrimType = PrimType::I64;
