//! What a block of threads does of one iteration.

use super::super::copy::can_fail;
use super::super::different_blocks::Known;
use super::super::fuse_loops::access::Places;
use super::super::kernels::is_size;
use super::super::private::{allocates, private_blocks};
use super::buffers::Buffers;
use super::own::{Own, is_plain};
use super::{I64, Sizes};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::Expansion;
use fun_index::poly::Poly;
use imp::build::{Builder, add, bin, mul, sub};
use imp::ir::{Exp, ImpType, LoopKind, Space, Statement, StatementKind, constant_bytes};
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

/// Whether iterations of a loop may run at the same time.
pub(super) fn is_point(kind: &StatementKind) -> bool {
    matches!(kind, StatementKind::For { kind: LoopKind::Par | LoopKind::Simd, .. })
}

/// Whether there are such loops in a statement.
fn has_points(statement: &Statement) -> bool {
    has(statement, &|kind| is_point(kind))
}

fn has(statement: &Statement, is: &dyn Fn(&StatementKind) -> bool) -> bool {
    let mut found = false;
    for_each_statement(std::slice::from_ref(statement), &mut |inner| found |= is(&inner.kind));
    found
}

/// An array that an iteration allocates and that all iterations have before.
pub(super) struct Lifted {
    elem: PrimType,
    shape: Vec<Exp>,
    /// How many cells an iteration has.
    cells: Var,
}

/// The iteration of a block.
pub(super) struct Block<'p> {
    /// The counter of the loop, whose iterations are blocks.
    counter: Var,
    count: Var,
    /// What an iteration declares.
    inner: &'p BTreeSet<Var>,
    /// Where the views of the procedure lie.
    pub(super) places: &'p Places,
    /// What is known of blocks where the loop begins.
    pub(super) known: Option<&'p Known>,
    pub(super) sizes: Sizes,
    pub(super) own: Own,
    pub(super) lifted: BTreeMap<Var, Lifted>,
    /// Blocks that are shared memory now.
    pub(super) shared: BTreeSet<Var>,
    shared_bytes: i64,
}

impl<'p> Block<'p> {
    pub(super) fn new(
        (counter, count): (Var, Var),
        inner: &'p BTreeSet<Var>,
        places: &'p Places,
        known: Option<&'p Known>,
        sizes: Sizes,
    ) -> Block<'p> {
        let (lifted, shared) = (BTreeMap::new(), BTreeSet::new());
        let own = Own::new(sizes.threads);
        Block { counter, count, inner, places, known, sizes, own, lifted, shared, shared_bytes: 0 }
    }

    /// Adds the loop over blocks, or nothing that stays where a block cannot do an iteration.
    pub(super) fn emit(&mut self, mut body: Vec<Statement>, b: &mut Builder) -> Option<()> {
        if !body.iter().all(|statement| !has(statement, &is_refused)) {
            return None;
        }
        let buffers = Buffers::of(&body, self.inner, b)?;
        if !once(&body, &buffers, false) {
            return None;
        }
        buffers.rewrite(&mut body, self.counter, true, b)?;
        self.allocations(&mut body, false, b)?;
        if !self.are_only_seen(&body) {
            return None;
        }
        self.expand(&mut body)?;
        self.own.learn(&body);
        let (made, done) = b.nested(|b| self.list(body, b));
        done?;
        buffers.allocate(self.count, b);
        for (var, lifted) in &self.lifted {
            let positive = |size: &Exp| bin(BinOp::Max, I64, size.clone(), Exp::i64(0));
            let product = lifted.shape.iter().map(positive).reduce(mul).unwrap_or(Exp::i64(1));
            b.push(StatementKind::Let { var: lifted.cells, ty: I64, value: product });
            // (a run with no iteration at all allocates nothing)
            let shape =
                std::iter::once(Exp::from(self.count)).chain(lifted.shape.iter().map(positive)).collect();
            b.push(StatementKind::Alloc { var: *var, elem: lifted.elem, shape, space: Space::Default });
        }
        self.blocks(made, b);
        self.lifted.keys().for_each(|var| b.push(StatementKind::Free(*var)));
        buffers.free(b);
        Some(())
    }

    /// The loop over blocks. Where threads have arrays of their own there are no more than so many blocks, which take turns.
    fn blocks(&self, body: Vec<Statement>, b: &mut Builder) {
        let (var, count) = (self.counter, Exp::from(self.count));
        if !allocates(&body) {
            let kind = LoopKind::Block;
            return b.push(StatementKind::For { var, ty: I64, bound: count, kind, body });
        }
        let blocks = b.let_("blocks", I64, bin(BinOp::Min, I64, count.clone(), Exp::i64(self.sizes.blocks)));
        b.for_("block", blocks, LoopKind::Block, |b, block| {
            // as many as this block has: PoCL makes wrong code of barriers in a branch, which a guard would be
            let left = sub(add(count, sub(blocks, Exp::i64(1))), block);
            let rounds = b.let_("rounds", I64, bin(BinOp::Quot, I64, left, blocks));
            b.for_("round", rounds, LoopKind::Seq, |b, round| {
                b.push(StatementKind::Let { var, ty: I64, value: add(block, mul(round, blocks)) });
                b.push_all(body);
            });
        });
    }

    /// Whether the block's arrays are only seen through views: a thread's variable could hold the one of another iteration.
    fn are_only_seen(&self, body: &[Statement]) -> bool {
        let mut seen = true;
        for_each_statement(body, &mut |statement| {
            if !matches!(statement.kind, StatementKind::View { .. } | StatementKind::Free(_)) {
                let is_array = |var| self.shared.contains(&var) || self.lifted.contains_key(&var);
                statement.kind.for_each_use(&mut |var| seen &= !is_array(var));
            }
        });
        seen
    }

    /// Says where the arrays lie that the block allocates: in shared memory or in a part of one block for all iterations. What threads allocate is left to
    /// `kernels.rs`.
    fn allocations(&mut self, list: &mut Vec<Statement>, in_loop: bool, b: &mut Builder) -> Option<()> {
        let own = private_blocks(list);
        for mut statement in std::mem::take(list) {
            let structure = is_structure(&statement.kind);
            match &mut statement.kind {
                StatementKind::Alloc { var, elem, shape, space } => {
                    let fits = constant_bytes(*elem, shape).map(|bytes| bytes + self.shared_bytes);
                    if let Some(bytes) = fits.filter(|bytes| *bytes <= self.sizes.shared_bytes) {
                        self.shared_bytes = bytes;
                        *space = Space::Shared;
                        self.shared.insert(*var);
                    } else {
                        let once = !in_loop || own.contains(var);
                        if *space != Space::Default
                            || !once
                            || !shape.iter().all(|size| is_size(size, self.inner))
                        {
                            return None;
                        }
                        let cells = b.names.fresh("iteration_cells");
                        self.lifted.insert(*var, Lifted { elem: *elem, shape: shape.clone(), cells });
                        continue;
                    }
                }
                StatementKind::Free(var) if self.lifted.contains_key(var) => continue,
                StatementKind::Share(_) => return None,
                StatementKind::Free(var) if !self.shared.contains(var) => return None,
                StatementKind::For { body, .. } if structure => {
                    self.allocations(body, true, b)?;
                }
                StatementKind::If { then, otherwise, .. } if structure => {
                    self.allocations(then, in_loop, b)?;
                    self.allocations(otherwise, in_loop, b)?;
                }
                _ => {}
            }
            list.push(statement);
        }
        Some(())
    }

    /// The views of what was lifted see the cells of their iteration.
    fn expand(&self, list: &mut [Statement]) -> Option<()> {
        for statement in list {
            if let StatementKind::View { mem, lmad, elem, .. } = &mut statement.kind
                && let Some(lifted) = self.lifted.get(mem)
            {
                // cells of one width: those of iterations lie next to each other
                if elem.bytes() != lifted.elem.bytes() {
                    return None;
                }
                let expansion =
                    Expansion::Blocked { thread: Poly::var(self.counter), size: Poly::var(lifted.cells) };
                *lmad = lmad.expand(&expansion);
            }
            let mut possible = Some(());
            statement.kind.for_each_body_mut(&mut |body| possible = possible.and(self.expand(body)));
            possible?;
        }
        Some(())
    }

    fn list(&mut self, list: Vec<Statement>, b: &mut Builder) -> Option<()> {
        let registers = self.own.begin();
        // what all threads do alike, or the first one alone
        let mut group: Vec<Statement> = Vec::new();
        let mut by_first = false;
        for statement in list {
            b.loc = statement.loc;
            let first = match self.how(&statement)? {
                How::Threads { first } => first,
                How::Plain if is_name(&statement.kind) => {
                    b.push(statement.kind);
                    continue;
                }
                how => {
                    self.own.by_threads(std::mem::take(&mut group), by_first, b);
                    self.alone(statement, how, b)?;
                    continue;
                }
            };
            // what one writes others see behind a barrier alone
            if first != by_first {
                self.own.by_threads(std::mem::take(&mut group), by_first, b);
            }
            by_first = first;
            group.push(statement);
        }
        self.own.by_threads(group, by_first, b);
        self.own.end(registers, b);
        Some(())
    }

    fn how(&self, statement: &Statement) -> Option<How> {
        let own = &self.own;
        Some(match &statement.kind {
            StatementKind::For { bound, .. } if is_point(&statement.kind) => {
                // threads ask for it one after the other, when some may have written already
                let at_once = !bound.reads() && !can_fail(bound);
                at_once.then_some(How::Points)?
            }
            kind if is_structure(kind)
                && own.is_uniform(kind)
                && !matches!(kind, StatementKind::While { .. }) =>
            {
                How::Structure
            }
            _ if has_points(statement) => return None,
            StatementKind::Alloc { .. } | StatementKind::Free(_) => How::Plain,
            StatementKind::Declare { ty: ImpType::Mem(_), .. } | StatementKind::Share(_) => return None,
            StatementKind::View { .. } | StatementKind::Window { .. } if own.is_uniform(&statement.kind) => {
                How::Plain
            }
            StatementKind::View { .. } | StatementKind::Window { .. } => How::OwnView,
            StatementKind::Copy { .. } => How::Copy,
            _ if is_plain(statement, own.vars()) => How::Plain,
            // threads can't own what is the block's
            _ if has(statement, &|kind| self.is_of_block(kind)) => return None,
            _ => How::Threads { first: has(statement, &writes) },
        })
    }

    /// Whether a statement allocates or frees what all threads have.
    fn is_of_block(&self, kind: &StatementKind) -> bool {
        match kind {
            StatementKind::Alloc { var, .. } | StatementKind::Free(var) => {
                self.shared.contains(var) || self.lifted.contains_key(var)
            }
            _ => false,
        }
    }

    fn alone(&mut self, statement: Statement, how: How, b: &mut Builder) -> Option<()> {
        match (how, statement.kind) {
            (How::Structure, StatementKind::For { var, ty, bound, kind: _, body }) => {
                let (body, done) = b.nested(|b| self.list(body, b));
                done?;
                b.push(StatementKind::For { var, ty, bound, kind: LoopKind::Seq, body });
            }
            (How::Structure, StatementKind::If { condition, then, otherwise }) => {
                let (then, done) = b.nested(|b| self.list(then, b));
                done?;
                let (otherwise, done) = b.nested(|b| self.list(otherwise, b));
                done?;
                b.push(StatementKind::If { condition, then, otherwise });
            }
            (How::Points, kind) => self.points(kind, b),
            (How::Copy, StatementKind::Copy { dest, source }) => self.copy(dest, source, b),
            (How::OwnView, kind) => self.own.view(kind)?,
            (_, kind) => b.push(kind),
        }
        Some(())
    }
}

/// How a block does a statement.
enum How {
    /// As it stands.
    Plain,
    /// The same around thread loops.
    Structure,
    Points,
    Copy,
    /// A view whose place depends on memory.
    OwnView,
    /// All threads alike, or the first for all.
    Threads {
        first: bool,
    },
}

/// Whether a statement gives a name to what may as well have it earlier.
fn is_name(kind: &StatementKind) -> bool {
    match kind {
        StatementKind::Let { value, .. } => !can_fail(value),
        StatementKind::View { .. } | StatementKind::Window { .. } => true,
        _ => false,
    }
}

/// What no block does.
fn is_refused(kind: &StatementKind) -> bool {
    match kind {
        StatementKind::Call { .. }
        | StatementKind::Atomic { .. }
        | StatementKind::Lock { .. }
        | StatementKind::Ordered { .. }
        | StatementKind::Shuffle { .. } => true,
        StatementKind::Let { ty, .. } | StatementKind::Declare { ty: ImpType::Prim(ty), .. } => {
            *ty == PrimType::Unit
        }
        StatementKind::For { kind, .. } => kind.is_kernel() || *kind == LoopKind::Thread,
        StatementKind::Alloc { space, .. } => !matches!(space, Space::Default | Space::Stack),
        _ => false,
    }
}

/// Whether a loop with a counter or a branch has parallel loops or copies in it, which stand around thread loops then.
pub(super) fn is_structure(kind: &StatementKind) -> bool {
    let mut found = false;
    kind.for_each_body(&mut |body| {
        found |= body.iter().any(|statement| {
            has(statement, &|kind| is_point(kind) || matches!(kind, StatementKind::Copy { .. }))
        });
    });
    found && !is_point(kind) && !matches!(kind, StatementKind::While { .. })
}

/// Whether blocks that variables hold are allocated once: what an iteration of a loop allocates may live on in the next.
fn once(body: &[Statement], buffers: &Buffers, in_loop: bool) -> bool {
    body.iter().all(|statement| {
        let here = match &statement.kind {
            StatementKind::Alloc { var, .. } => !in_loop || !buffers.holds(*var),
            _ => true,
        };
        let in_loop = in_loop || !matches!(statement.kind, StatementKind::If { .. });
        let mut inside = true;
        statement.kind.for_each_body(&mut |body| inside &= once(body, buffers, in_loop));
        here && inside
    })
}

fn writes(kind: &StatementKind) -> bool {
    kind.writes().is_some()
}
