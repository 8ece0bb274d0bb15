//! What a block of threads does of one iteration.

use super::super::copy::can_fail;
use super::super::fuse_loops::access::Places;
use super::super::kernels::number_of;
use super::super::private::private_blocks;
use super::buffers::Buffers;
use super::own::{Own, is_plain};
use super::{I64, Sizes, is_free_of};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::{Expansion, Lmad};
use fun_index::poly::Poly;
use imp::build::{Builder, add, bin, mul, read, sub};
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
struct Lifted {
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
    places: &'p Places,
    sizes: Sizes,
    own: Own,
    lifted: BTreeMap<Var, Lifted>,
    /// Blocks that are shared memory now.
    shared: BTreeSet<Var>,
    shared_bytes: i64,
}

impl<'p> Block<'p> {
    pub(super) fn new(
        counter: Var,
        count: Var,
        inner: &'p BTreeSet<Var>,
        places: &'p Places,
        sizes: Sizes,
    ) -> Block<'p> {
        let (lifted, shared) = (BTreeMap::new(), BTreeSet::new());
        let own = Own::new(sizes.threads);
        Block { counter, count, inner, places, sizes, own, lifted, shared, shared_bytes: 0 }
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
        if !has_blocks_of_threads(&body) {
            let kind = LoopKind::Block;
            return b.push(StatementKind::For { var, ty: I64, bound: count, kind, body });
        }
        let blocks = b.let_("blocks", I64, bin(BinOp::Min, I64, count.clone(), Exp::i64(self.sizes.blocks)));
        let some = bin(BinOp::Max, I64, blocks, Exp::i64(1));
        let rounds = bin(BinOp::Quot, I64, add(count.clone(), sub(blocks, Exp::i64(1))), some);
        let rounds = b.let_("rounds", I64, rounds);
        b.for_("block", blocks, LoopKind::Block, |b, block| {
            b.for_("round", rounds, LoopKind::Seq, |b, round| {
                b.push(StatementKind::Let { var, ty: I64, value: add(block, mul(round, blocks)) });
                b.when(bin(BinOp::Lt, I64, var, count), |b| b.push_all(body));
            });
        });
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
                        let is_size =
                            |size: &Exp| !size.reads() && !can_fail(size) && is_free_of(size, self.inner);
                        let once = !in_loop || own.contains(var);
                        if *space != Space::Default || !once || !shape.iter().all(is_size) {
                            return None;
                        }
                        let cells = b.names.fresh("cells");
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

    /// The points of a nest of parallel loops, dealt out: neighbouring threads have neighbouring points.
    fn points(&mut self, kind: StatementKind, b: &mut Builder) {
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
    fn copy(&mut self, dest: Var, source: Var, b: &mut Builder) {
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
        if to == from || !made(to) && !made(from) && !self.places.are_different(to, from) {
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

/// Whether threads have arrays of their own.
fn has_blocks_of_threads(body: &[Statement]) -> bool {
    body.iter().any(|statement| has(statement, &is_of_thread))
}

/// Whether a statement allocates what `kernels.rs` gives each thread.
pub(super) fn is_of_thread(kind: &StatementKind) -> bool {
    matches!(kind, StatementKind::Alloc { space: Space::Default, .. })
}

fn writes(kind: &StatementKind) -> bool {
    kind.writes().is_some()
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
    are_names && is_point(&last.kind) && !bound.reads() && !can_fail(bound) && is_free_of(bound, &declared)
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
