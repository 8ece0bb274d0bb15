//! The whole body of a row by a block of threads, for a device: where a program has a version for that (`merge-rows`), the blocks of one kernel have a row each.
//!
//! ```text
//! for block < n block {
//!   alloc row_mem : f32[4096] in shared
//!   for t < 256 thread { for k < count seq { … one value of a map at t + k * 256 } }
//!   … a reduction or scan, as blocks do them (`blocks.rs`), whose result is in total[0]
//!   for t < 256 thread { own[t] := total[0] }
//!   for i < 10 seq { … the same for the body of a loop of the row }
//! }
//! ```
//! - What a row's scalars are that depend on memory, each thread computes for itself and keeps in registers (`own`), so all threads have the same; other scalars
//!   are the block's (I11). Sizes, bounds, places of arrays and conditions of branches with arrays may depend on the latter alone.
//! - Arrays of the row lie in shared memory: each has a part of one block for all of its element type, so a variable that holds one array or another, as double
//!   buffers have, is a number. That they fit is asked at run time, beside the thresholds.
//! - Loops of the row stand around thread loops.
//!
//! A row that has anything else (histograms, scatters, calls, loops with a condition, branches with arrays, threads that need memory of their own) has no such
//! version: then the program has the other one alone.

mod repeat;
mod statement;

use super::blocks::Blocks;
use super::{Array, Lowerer, atom_exp};
use crate::thresholds::Threshold;
use fun::ir::{Atom, Rep, Statement};
use fun::visit::for_each_body;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use funmem::ir::{Binder, Body, Combine, Exp as FunExp, MemOp};
use imp::build::{bin, read};
use imp::ir::{Exp, LoopKind, Space, StatementKind, constant_bytes};
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

const I64: PrimType = PrimType::I64;

/// A function of this name is asked by a program that has a version with a block of threads for each row: who lowers it for a device answers. Sources can give
/// the name to entry points alone, which nobody calls.
pub(crate) const ROWS_IN_BLOCKS: &str = "_rows_in_blocks";

/// Memory that a block may share, of the 48 KiB that all devices have.
const SHARED_BYTES: i64 = 40 << 10;

/// What becomes of the version with a block for each row.
#[derive(Default)]
pub(super) struct Version {
    /// What is in scope where the version is chosen.
    outside: BTreeSet<Var>,
    /// What must hold for it.
    fits: Vec<Exp>,
    /// How many values kernels of a row have, and how many rows there are.
    sizes: Vec<Exp>,
    rows: Vec<Exp>,
    /// Whether a row has a loop, which nobody else would do by many threads.
    repeats: bool,
    /// Whether something has no such version.
    failed: bool,
}

/// The row that a block works on.
pub(super) struct Row {
    blocks: Blocks,
    /// Scalars that each thread has for itself: registers.
    own: BTreeMap<Var, (Var, PrimType)>,
    /// Where arrays of the row lie.
    pools: BTreeMap<PrimType, Pool>,
    /// How many cells an array has whose size is no constant.
    room: i64,
}

/// A shared block for arrays of one type.
struct Pool {
    block: Var,
    /// The first cell that no array has.
    free: i64,
}

impl Lowerer {
    /// Two versions of the same: the first has a block for each row, where that is possible and pays.
    pub(super) fn versions(&mut self, pattern: &[Binder], then: &Body, otherwise: &Body) {
        let vars = self.declare_results(pattern);
        let before = (self.values.clone(), self.arrays.clone(), self.owned.clone());
        let outside = self.values.keys().copied().collect();
        self.version = Some(Version { outside, ..Version::default() });
        let then = self.arm(&vars, then);
        let version = self.version.take().unwrap_or_default();
        (self.values, self.arrays, self.owned) = before;
        let otherwise_made = self.arm(&vars, otherwise);
        match self.asked(version) {
            Some(condition) if shared_bytes(&then) <= SHARED_BYTES && !are_held(&then) => {
                self.b.push(StatementKind::If { condition, then, otherwise: otherwise_made });
            }
            _ => self.b.push_all(otherwise_made),
        }
        self.bind_results(pattern, &vars);
    }

    /// Where the version pays, if there is one.
    fn asked(&mut self, version: Version) -> Option<Exp> {
        let most = |sizes: Vec<Exp>| sizes.into_iter().reduce(|x, y| bin(BinOp::Max, I64, x, y));
        let (size, rows) = (most(version.sizes)?, most(version.rows)?);
        let blocks = self.blocks.filter(|_| !version.failed)?;
        let (function, loc) = (self.function, self.b.loc);
        let long = |size, from| bin(BinOp::Ge, I64, size, from);
        let (least, few, short) = blocks.rows_of();
        let pays = if version.repeats {
            let [from] = self.thresholds.ask(function, loc, [(Threshold::RowValues, least, &size)]);
            long(size, from)
        } else {
            let asked = [
                (Threshold::RowValues, least, &size),
                (Threshold::Rows, few, &rows),
                (Threshold::ShortRows, short, &size),
            ];
            let [from, many, short] = self.thresholds.ask(function, loc, asked);
            // a short row takes a block no longer than what else would be done takes to begin
            let soon_done = bin(BinOp::Lt, I64, size.clone(), short);
            let rows = bin(BinOp::Or, PrimType::Bool, long(rows, many), soon_done);
            bin(BinOp::And, PrimType::Bool, long(size, from), rows)
        };
        Some(version.fits.into_iter().fold(pays, |all, fits| bin(BinOp::And, PrimType::Bool, all, fits)))
    }

    /// A map of rows by a block for each; false where that is not what the map is.
    pub(super) fn by_rows(&mut self, pattern: &[Binder], space: &[(Var, Atom)], body: &Body) -> bool {
        let Some(blocks) = self.blocks.filter(|_| self.version.is_some() && !self.parallel) else {
            return false;
        };
        if !has_kernels(body) {
            return false;
        }
        let dests: Vec<Array> = pattern.iter().map(|binder| self.bind_dest(binder)).collect();
        let sizes: Vec<Exp> = space.iter().map(|(_, bound)| self.exp(*bound)).collect();
        let rows = self.count(&sizes, "rows");
        let bounds: Vec<Atom> = space.iter().map(|(_, bound)| *bound).collect();
        self.known_outside(&bounds);
        if let Some(version) = &mut self.version {
            version
                .rows
                .push(sizes.iter().cloned().reduce(|x, y| bin(BinOp::Mul, I64, x, y)).unwrap_or(Exp::i64(1)));
        }
        self.in_loop("block", rows, LoopKind::Block, |this, block| {
            let indices = this.position(block, space, &sizes);
            this.row = Some(this.row_of(blocks, body));
            let done = this.row_body(body, |this, results| {
                for (dest, result) in dests.iter().zip(results) {
                    this.store_of_row(dest, &indices, *result);
                }
                Some(())
            });
            if let (None, Some(version)) = (done, &mut this.version) {
                version.failed = true;
            }
            for pool in this.row.take().into_iter().flat_map(|row| row.pools.into_values()) {
                this.b.push(StatementKind::Free(pool.block));
            }
        });
        true
    }

    /// The shared memory of a row's arrays: those of constant size have what they need, and the others an equal number of cells of the rest.
    fn row_of(&mut self, blocks: Blocks, body: &Body) -> Row {
        let mut arrays = Vec::new();
        allocations(body, &mut arrays);
        let constant: i64 =
            arrays.iter().filter_map(|(elem, size)| Some(i64::from(elem.bytes()) * (*size)?)).sum();
        let open = arrays.iter().filter(|(_, size)| size.is_none());
        let open: i64 = open.map(|(elem, _)| i64::from(elem.bytes())).sum();
        let room = (blocks.row_bytes() - constant).max(0) / open.max(1);
        let mut cells: BTreeMap<PrimType, i64> = BTreeMap::new();
        for (elem, size) in arrays {
            *cells.entry(elem).or_default() += size.unwrap_or(room);
        }
        let mut pools = BTreeMap::new();
        for (elem, cells) in cells {
            let block = self.b.alloc("row_mem", elem, vec![Exp::i64(cells)], Space::Shared);
            pools.insert(elem, Pool { block, free: 0 });
        }
        Row { blocks, own: BTreeMap::new(), pools, room }
    }

    /// An array of the row: the next part of the shared block.
    fn place_in_row(&mut self, var: Var, elem: PrimType, shape: &[Atom]) -> Option<()> {
        let constant = constant_size(shape);
        // what threads have for themselves is no size
        if shape.iter().any(|size| size.as_var().is_some_and(|var| self.is_own(var))) {
            return None;
        }
        if constant.is_none() {
            self.known_outside(shape);
        }
        let factors: Vec<Exp> = shape.iter().map(|size| self.exp(*size)).collect();
        let row = self.row.as_mut()?;
        let room = row.room;
        let pool = row.pools.get_mut(&elem)?;
        let place = Poly::constant(pool.free);
        pool.free = pool.free.checked_add(constant.unwrap_or(room))?;
        let block = pool.block;
        self.values.insert(var, Atom::Var(block));
        self.places.insert(var, place);
        if constant.is_none() {
            // each factor, too: the product of large ones may be anything
            let product = factors.iter().cloned().reduce(|x, y| bin(BinOp::Mul, I64, x, y));
            let parts = if factors.len() > 1 { product } else { None };
            let fits = factors.into_iter().chain(parts).map(|size| bin(BinOp::Le, I64, size, Exp::i64(room)));
            self.version.as_mut()?.fits.extend(fits);
        }
        Some(())
    }

    /// These sizes are asked for where the version is chosen: there is none where they are not known there.
    fn known_outside(&mut self, sizes: &[Atom]) {
        if let Some(version) = &mut self.version {
            let unknown = |size: &Atom| size.as_var().is_some_and(|var| !version.outside.contains(&var));
            version.failed |= sizes.iter().any(unknown);
        }
    }

    /// The threads that have something for each of so many cells of an index space, neighbours having neighbouring cells; `f` gets the indices.
    fn spread(
        &mut self,
        (space, sizes): (&[(Var, Atom)], &[Exp]),
        used: &BTreeSet<Var>,
        f: &mut dyn FnMut(&mut Lowerer, &[Atom]),
    ) {
        let Some(blocks) = self.row.as_ref().map(|row| row.blocks) else { return };
        let count = self.count(sizes, "cells");
        let share = self.share(blocks, count, Exp::i64(1), true);
        self.by_threads(used, |this, t| {
            let (first, own) = this.part(&share, t);
            this.in_loop("k", own.into(), LoopKind::Seq, |this, k| {
                let step = bin(BinOp::Mul, I64, k, Exp::i64(blocks.width()));
                let at = this.b.let_("at", I64, bin(BinOp::Add, I64, first, step));
                let indices = this.position(at, space, sizes);
                f(this, &indices);
            });
        });
    }

    /// What each thread does, with its own of the scalars that are used.
    fn by_threads(&mut self, used: &BTreeSet<Var>, f: impl FnOnce(&mut Lowerer, Var)) {
        let Some(width) = self.row.as_ref().map(|row| row.blocks.width()) else { return };
        self.in_loop("t", Exp::i64(width), LoopKind::Thread, |this, t| {
            this.load(used);
            f(this, t);
        });
        self.unload(used);
    }

    /// In a thread loop, the thread's own of the scalars that are used.
    fn load(&mut self, used: &BTreeSet<Var>) {
        let (Some(row), Some(t)) = (&self.row, self.thread) else { return };
        for (var, (view, ty)) in row.own.iter().filter(|(var, _)| used.contains(var)) {
            let value = self.b.let_("own", *ty, read(*view, vec![t.into()]));
            self.values.insert(*var, Atom::Var(value));
        }
    }

    /// Behind a thread loop they are unknown again.
    fn unload(&mut self, used: &BTreeSet<Var>) {
        if let Some(row) = &self.row {
            self.values.retain(|var, _| !used.contains(var) || !row.own.contains_key(var));
        }
    }

    /// A register for a scalar.
    fn register(&mut self, ty: PrimType) -> Option<Var> {
        let width = self.row.as_ref()?.blocks.width();
        // a unit takes no memory
        if ty == PrimType::Unit {
            return None;
        }
        let block = self.b.alloc("own_mem", ty, vec![Exp::i64(width)], Space::Register);
        self.own(block);
        let place = Lmad::row_major(Poly::constant(0), &[Poly::constant(width)]);
        Some(self.b.view("own", ty, block, place))
    }

    /// Whether a row's statements are being lowered, outside of thread loops.
    fn at_block(&self) -> bool {
        self.row.is_some() && self.thread.is_none()
    }

    /// Whether a variable is a scalar that threads have for themselves.
    fn is_own(&self, var: Var) -> bool {
        self.row.as_ref().is_some_and(|row| row.own.contains_key(&var))
    }

    /// A copy of an array to a view of its shape; all threads do it where a row's statement does. There, both may not lie in one block unless their
    /// parts of it differ.
    pub(super) fn copy(&mut self, (to, dest): (Var, &Array), source: &Array) {
        if !self.at_block() {
            return self.b.copy(to, source.view);
        }
        let apart = dest.place.sub(&source.place).as_constant().is_some_and(|by| by != 0);
        if dest.mem == source.mem
            && !apart
            && let Some(version) = &mut self.version
        {
            version.failed = true;
        }
        let counters: Vec<(Var, Atom)> =
            source.shape.iter().map(|size| (self.b.names.fresh("i"), *size)).collect();
        let sizes: Vec<Exp> = source.shape.iter().map(|size| atom_exp(*size)).collect();
        self.spread((&counters, &sizes), &BTreeSet::new(), &mut |this, indices| {
            let indices: Vec<Exp> = indices.iter().map(|index| atom_exp(*index)).collect();
            this.b.write(to, indices.clone(), read(source.view, indices));
        });
    }

    /// A result of the row, a scalar or an array.
    fn store_of_row(&mut self, dest: &Array, indices: &[Atom], result: Atom) {
        if self.as_array(result).is_some() {
            return self.store(dest, indices, result);
        }
        let used = result.as_var().into_iter().collect();
        self.by_threads(&used, |this, t| {
            this.when(bin(BinOp::Eq, I64, t, Exp::i64(0)), |this| this.store(dest, indices, result));
        });
    }
}

/// The answer that a statement gets to whether rows are in blocks.
pub(crate) fn answer<R: Rep>(statement: &Statement<R>) -> Option<Var> {
    let asks =
        matches!(&statement.exp, fun::ir::Exp::Call { function, .. } if function.as_str() == ROWS_IN_BLOCKS);
    statement.pattern.first().filter(|_| asks).map(|binder| binder.var)
}

/// Whether there are kernels among the statements of a body or of its loops.
pub(crate) fn has_kernels(body: &Body) -> bool {
    body.statements.iter().any(|statement| {
        let mut found = matches!(statement.exp, FunExp::Kernel { .. });
        for_each_body(&statement.exp, &mut |body| found |= has_kernels(body));
        found
    })
}

/// The arrays that the statements of a row and of its loops allocate, with their sizes where these are constant.
fn allocations(body: &Body, out: &mut Vec<(PrimType, Option<i64>)>) {
    for statement in &body.statements {
        match &statement.exp {
            FunExp::Op(MemOp::Alloc { shape, elem, .. }) => out.push((*elem, constant_size(shape))),
            FunExp::Kernel { .. } => {}
            exp => for_each_body(exp, &mut |body| allocations(body, out)),
        }
    }
}

fn constant_size(shape: &[Atom]) -> Option<i64> {
    let size = |size: &Atom| size.as_const()?.as_i64().filter(|size| *size >= 0);
    shape.iter().try_fold(1i64, |product, factor| product.checked_mul(size(factor)?))
}

/// Whether threads need memory of their own for a kernel's values or for its operator.
fn allocates(combine: &Combine, body: &Body) -> bool {
    let lambdas = [combine.lambda(), combine.epilogue()];
    super::blocks::allocates(body)
        || lambdas.into_iter().flatten().any(|lambda| super::blocks::allocates(&lambda.body))
}

/// Whether variables hold shared blocks: arrays of a row have parts of these, of which a thread's variable would know nothing.
fn are_held(list: &[imp::ir::Statement]) -> bool {
    let (mut shared, mut held) = (BTreeSet::new(), false);
    for_each_statement(list, &mut |statement| match &statement.kind {
        StatementKind::Alloc { var, space: Space::Shared, .. } => _ = shared.insert(*var),
        StatementKind::Declare { value: Some(Exp::Var(from)), .. }
        | StatementKind::Assign { value: Exp::Var(from), .. } => held |= shared.contains(from),
        _ => {}
    });
    held
}

/// The bytes of all shared blocks.
fn shared_bytes(list: &[imp::ir::Statement]) -> i64 {
    let mut bytes = 0i64;
    for_each_statement(list, &mut |statement| {
        if let StatementKind::Alloc { elem, shape, space: Space::Shared, .. } = &statement.kind {
            bytes = bytes.saturating_add(constant_bytes(*elem, shape).unwrap_or(i64::MAX));
        }
    });
    bytes
}
