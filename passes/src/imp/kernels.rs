//! From parallel loops to kernels: a program for an accelerator, whose arrays lie in its memory, with the host's code around.
//!
//! ```text
//! for i < n par {
//!   alloc t : f32[m]
//!   …
//!   free t
//! }
//! ```
//! becomes
//! ```text
//! let blocks = min.i64(quot.i64(add.i64(n, 255), 256), 32)
//! let threads = mul.i64(max.i64(blocks, 1), 256)
//! let rounds = quot.i64(add.i64(n, sub.i64(threads, 1)), threads)
//! let copies = min.i64(threads, max.i64(n, 1))
//! alloc t : f32[copies][m] in device
//! for b < blocks block {
//!   for t < 256 thread {
//!     let thread = add.i64(mul.i64(b, 256), t)
//!     for k < rounds seq {
//!       let i = add.i64(thread, mul.i64(k, threads))
//!       if lt.i64(i, n) { … with the views of t in the interleaved form }
//!     }
//!   }
//! }
//! free t
//! ```
//! and where an iteration allocates nothing each thread has one of them, behind the guard `i < n`, or several where it does little (`points.rs`).
//!
//! Nests of parallel loops are one loop first, with a thread for each point (`flatten.rs`).
//!
//! A loop in order around a parallel one whose points keep to cells of their own goes inside (`exchanged.rs`).
//!
//! Loops that copy rows are copies of matrices (`copies.rs`).
//!
//! Blocks of threads that share memory, which the lowering makes, stay what they are (`blocks.rs`).
//!
//! Several cells that the host would write one after the other, as those of arrays in the source text, are a kernel of one thread.
//!
//! Short loops of threads over small arrays are written out (`unrolled.rs`), and remainders of places beside a point are comparisons (`../wrapped.rs`).
//!
//! What lay in the host's memory lies in `device`. Loops in a kernel run in order. A sequential loop that touches memory and has no
//! parallel one in it becomes a kernel of one thread (`sequential.rs`). What a kernel cannot have (calls, allocations whose size an
//! iteration decides) makes a parallel loop one of the host, in order, with kernels inside: always right, and slow. Entry points copy
//! their arguments to the device and results back (`entry.rs`); those of libraries take and give blocks of the device instead, so that
//! arrays stay there from call to call (`run_resident`).
//!
//! Requires I1–I9 and I11, and a program of the host but for kernels; ensures I1–I9 and I11. Cost: linear in the size of the program, times how deep loops nest.

mod blocks;
mod body;
mod bounds;
mod copies;
mod entry;
mod exchanged;
mod flatten;
mod points;
mod sequential;
mod unrolled;

use super::copy::{can_fail, constant};
use super::fuse_loops::access::Places;
use super::private::blocks_within;
use super::wrapped;
use body::{Body, Outer, Private};
pub(super) use body::{hoisted, is_size};
pub(super) use entry::number_of;
pub(super) use flatten::may_repeat;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::Expansion;
use fun_index::poly::Poly;
use imp::build::{Builder, bin};
use imp::in_order;
use imp::ir::{Exp, ImpType, LoopKind, Procedure, Program, Space, Statement, StatementKind};
use imp::visit::{for_each_statement, names_after};
use points::Points;
use std::collections::{BTreeMap, BTreeSet};

/// How kernels are launched.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    /// Threads of a block.
    threads: i64,
    /// The same where each runs loops: few of them, on many multiprocessors, are faster than on few.
    long_threads: i64,
    /// Blocks where each thread has memory of its own, at most …
    blocks: i64,
    /// … or as many as need no more bytes, but no more than this.
    private_bytes: i64,
    most_blocks: i64,
    /// Iterations of a thread where each does little.
    points: Points,
}

/// What devices want.
const USUAL: Sizes = Sizes {
    threads: 256,
    long_threads: 64,
    blocks: 128,
    private_bytes: 1 << 28,
    most_blocks: 4096,
    points: Points { each: 4, least: 1 << 20 },
};
/// What small test programs fill: several blocks, and a last one that is not full.
const SMALL: Sizes = Sizes {
    threads: 3,
    long_threads: 2,
    blocks: 2,
    private_bytes: 0,
    most_blocks: 2,
    points: Points { each: 2, least: 5 },
};

/// The host writes fewer cells by itself: each takes half as long as the launch of a kernel.
const FEW_CELLS: usize = 4;
/// Cells that one kernel writes, at most.
const MOST_CELLS: usize = 256;

/// Where the arrays lie that entry points take and give.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Arrays {
    /// In the host's memory: entry points copy.
    Host,
    /// In the device's.
    Device,
}

/// Turns the parallel loops of a program into kernels.
pub fn run(program: Program) -> Program {
    convert(program, USUAL, Arrays::Host)
}

/// The same for libraries: entry points take and give blocks of the device.
pub fn run_resident(program: Program) -> Program {
    convert(program, USUAL, Arrays::Device)
}

/// The same with few threads, so that small inputs fill several blocks.
pub fn run_small(program: Program) -> Program {
    convert(program, SMALL, Arrays::Host)
}

fn convert(program: Program, sizes: Sizes, arrays: Arrays) -> Program {
    let mut program = entry::apart(program);
    program.procedures.iter_mut().for_each(wrapped::in_procedure);
    let mut types = BTreeMap::new();
    for procedure in &program.procedures {
        for_each_statement(&procedure.body, &mut |statement| {
            if let StatementKind::Declare { var, ty: ImpType::Prim(ty), .. } = &statement.kind {
                types.insert(*var, *ty);
            }
        });
    }
    let places = Places::of_all(&program.procedures);
    let mut host = Host { b: Builder::new(names_after(&program)), sizes, arrays, types, places };
    let mut procedures: Vec<Procedure> =
        program.procedures.into_iter().map(|procedure| host.procedure(procedure)).collect();
    for procedure in &mut procedures {
        unrolled::in_kernels(&mut procedure.body, &host.places);
    }
    Program { procedures }
}

/// Writes the host's code.
struct Host {
    b: Builder,
    sizes: Sizes,
    arrays: Arrays,
    /// The types of the scalar variables that are assigned.
    types: BTreeMap<Var, PrimType>,
    /// Where views lie.
    places: Places,
}

impl Host {
    fn procedure(&mut self, procedure: Procedure) -> Procedure {
        if self.arrays == Arrays::Host
            && let Some(interface) = procedure.interface.clone()
        {
            return self.entry(procedure, &interface);
        }
        let Procedure { name, interface, params, body, results } = procedure;
        let params = params.into_iter().map(|(var, ty)| (var, on_device(ty))).collect();
        let outer = self.b.begin();
        self.statements(body);
        let body = self.b.end(outer);
        let results = results.into_iter().map(|(exp, ty)| (exp, on_device(ty))).collect();
        Procedure { name, interface, params, body, results }
    }

    fn statements(&mut self, list: Vec<Statement>) {
        let mut cells = Vec::new();
        for statement in list {
            let is_cell = is_cell(&statement.kind);
            if !is_cell || cells.len() == MOST_CELLS {
                self.written(std::mem::take(&mut cells));
            }
            if is_cell {
                cells.push(statement);
                continue;
            }
            self.b.loc = statement.loc;
            self.statement(statement.kind);
        }
        self.written(cells);
    }

    /// Cells that the host would write one after the other, as those of arrays that are written out: one thread of the device does it, if they are some.
    fn written(&mut self, list: Vec<Statement>) {
        let Some(Statement { loc, .. }) = list.first() else { return };
        self.b.loc = *loc;
        if list.len() < FEW_CELLS {
            return self.b.push_all(list);
        }
        self.b.for_("block", Exp::i64(1), LoopKind::Block, |b, _| {
            b.for_("t", Exp::i64(1), LoopKind::Thread, |b, _| b.push_all(list));
        });
    }

    fn nested(&mut self, list: Vec<Statement>) -> Vec<Statement> {
        let outer = self.b.begin();
        self.statements(list);
        self.b.end(outer)
    }

    fn statement(&mut self, kind: StatementKind) {
        match kind {
            StatementKind::Declare { var, ty, value } => {
                self.b.push(StatementKind::Declare { var, ty: on_device(ty), value });
            }
            StatementKind::Alloc { var, elem, shape, space: _ } => {
                self.b.push(StatementKind::Alloc { var, elem, shape, space: Space::Device });
            }
            StatementKind::For { var, ty, bound, kind, body } if kind.is_parallel() => {
                if !kind.is_kernel() && self.copies(var, &bound, &body).is_some() {
                    return;
                }
                let (var, bound, body) =
                    if kind.is_kernel() { (var, bound, body) } else { self.flatten((var, bound, body)) };
                let made = if kind.is_kernel() {
                    self.blocks(kind, var, &bound, body)
                } else {
                    self.kernel(var, &bound, body)
                };
                if let Err(body) = made {
                    let body = in_order::statements(&mut self.b, body);
                    let body = self.nested(body);
                    self.b.push(StatementKind::For { var, ty, bound, kind: LoopKind::Seq, body });
                }
            }
            StatementKind::For { var, ty, bound, kind, body } => {
                let kind = StatementKind::For { var, ty, bound, kind, body };
                if let Some(kind) = self.exchanged(&kind) {
                    return self.statement(kind);
                }
                if let Err(kind) = self.sequential(kind) {
                    let StatementKind::For { var, ty, bound, kind, body } = kind else { return };
                    let body = self.nested(body);
                    self.b.push(StatementKind::For { var, ty, bound, kind, body });
                }
            }
            StatementKind::While { condition, body } => {
                if let Err(kind) = self.sequential(StatementKind::While { condition, body }) {
                    let StatementKind::While { condition, body } = kind else { return };
                    let body = self.nested(body);
                    self.b.push(StatementKind::While { condition, body });
                }
            }
            StatementKind::If { condition, then, otherwise } => {
                let (then, otherwise) = (self.nested(then), self.nested(otherwise));
                self.b.push(StatementKind::If { condition, then, otherwise });
            }
            // the host does what threads would have done, one after the other
            StatementKind::Lock { body, .. } | StatementKind::Ordered { body, .. } => self.statements(body),
            kind @ (StatementKind::Let { .. }
            | StatementKind::Assign { .. }
            | StatementKind::Share(_)
            | StatementKind::Free(_)
            | StatementKind::View { .. }
            | StatementKind::Window { .. }
            | StatementKind::Write { .. }
            | StatementKind::Accumulate { .. }
            | StatementKind::Atomic { .. }
            | StatementKind::Shuffle { .. }
            | StatementKind::Copy { .. }
            | StatementKind::Assert { .. }
            | StatementKind::Call { .. }) => self.b.push(kind),
        }
    }

    /// A parallel loop as a kernel; gives its body back where that cannot be one.
    fn kernel(&mut self, var: Var, bound: &Exp, body: Vec<Statement>) -> Result<(), Vec<Statement>> {
        let Some(body) = Body::of(&body, &Outer::parallel(var)) else { return Err(body) };
        let loc = self.b.loc;
        let i64 = PrimType::I64;
        let has_loops = body.statements.iter().any(has_loop);
        let width = if has_loops { self.sizes.long_threads } else { self.sizes.threads };
        self.b.push_all(body.invariant.clone());
        let count = self.b.let_("count", i64, bound.clone());
        let full = bin(BinOp::Quot, i64, bin(BinOp::Add, i64, count, Exp::i64(width - 1)), Exp::i64(width));
        if body.private.is_empty() {
            let few = constant(bound).is_some_and(|count| count < self.sizes.points.least);
            if let Some(reads) = points::first_statements(&body.statements).filter(|_| !few) {
                self.points(var, count, body.statements, reads);
                return Ok(());
            }
            let blocks = self.b.let_("blocks", i64, full);
            self.grid(blocks, width, |b, thread| {
                b.push(StatementKind::Let { var, ty: i64, value: thread.into() });
                guarded(b, var, count, body.statements);
            });
            return Ok(());
        }
        let most = self.blocks_with_memory(&body.private, width);
        let blocks = self.b.let_("blocks", i64, bin(BinOp::Min, i64, full, most));
        let some = bin(BinOp::Max, i64, blocks, Exp::i64(1));
        let threads = self.b.let_("threads", i64, bin(BinOp::Mul, i64, some, Exp::i64(width)));
        let last = bin(BinOp::Sub, i64, threads, Exp::i64(1));
        let rounds = bin(BinOp::Quot, i64, bin(BinOp::Add, i64, count, last), threads);
        let rounds = self.b.let_("rounds", i64, rounds);
        // no more than there are iterations: an array may be large, and iterations few
        let few = bin(BinOp::Min, i64, threads, bin(BinOp::Max, i64, count, Exp::i64(1)));
        let copies = self.b.let_("copies", i64, few);
        let mut statements = body.statements.clone();
        for private in &body.private {
            private.allocate(&mut self.b, copies.into());
        }
        self.grid(blocks, width, |b, thread| {
            let expansion = Expansion::Interleaved { thread: Poly::var(thread), threads: Poly::var(copies) };
            body.expand(&mut statements, &expansion);
            b.for_("k", rounds, LoopKind::Seq, |b, k| {
                let skipped = bin(BinOp::Mul, i64, k, threads);
                b.push(StatementKind::Let { var, ty: i64, value: bin(BinOp::Add, i64, thread, skipped) });
                guarded(b, var, count, statements);
            });
        });
        self.b.loc = loc;
        body.private.iter().for_each(|block| self.b.push(StatementKind::Free(block.var)));
        Ok(())
    }

    /// How many blocks of so many threads may have memory of their own.
    fn blocks_with_memory(&self, private: &[Private], width: i64) -> Exp {
        let Sizes { blocks, private_bytes, most_blocks, .. } = self.sizes;
        let bytes = private.iter().map(Private::bytes).reduce(|x, y| bin(BinOp::Add, PrimType::F64, x, y));
        let bytes = bytes.unwrap_or(Exp::Const(0f64.into()));
        blocks_within(private_bytes, bytes, width, (blocks, most_blocks))
    }

    /// A launch of so many blocks of this width; `f` writes what a thread does, whose number it is given.
    fn grid(&mut self, blocks: Var, width: i64, f: impl FnOnce(&mut Builder, Var)) {
        let (i64, width) = (PrimType::I64, Exp::i64(width));
        self.b.for_("block", blocks, LoopKind::Block, |b, block| {
            b.for_("t", width.clone(), LoopKind::Thread, |b, t| {
                let start = bin(BinOp::Mul, i64, block, width);
                let thread = b.let_("thread", i64, bin(BinOp::Add, i64, start, t));
                f(b, thread);
            });
        });
    }
}

/// Statements for those iterations that there are.
fn guarded(b: &mut Builder, var: Var, count: Var, body: Vec<Statement>) {
    b.when(bin(BinOp::Lt, PrimType::I64, var, count), |b| b.push_all(body));
}

/// Whether a statement writes a cell without reading any, and cannot fail.
fn is_cell(kind: &StatementKind) -> bool {
    let mut plain = matches!(kind, StatementKind::Write { .. });
    kind.for_each_exp(&mut |exp| plain &= !exp.reads() && !can_fail(exp));
    plain
}

/// Whether a statement has loops.
fn has_loop(statement: &Statement) -> bool {
    let mut found = false;
    for_each_statement(std::slice::from_ref(statement), &mut |inner| {
        found |= matches!(inner.kind, StatementKind::For { .. } | StatementKind::While { .. });
    });
    found
}

/// Whether a loop of blocks can be a kernel; other statements are none.
pub(super) fn possible_in_blocks(kind: &StatementKind) -> bool {
    match kind {
        StatementKind::For { var, kind, body, .. } if kind.is_kernel() => {
            Body::of(body, &Outer::blocks(*var, BTreeSet::new())).is_some()
        }
        _ => true,
    }
}

/// The type of a variable whose block was the host's.
fn on_device(ty: ImpType) -> ImpType {
    match ty {
        ImpType::Mem(_) => ImpType::Mem(Space::Device),
        ImpType::Prim(_) => ty,
    }
}

/// Whether there is a parallel loop in statements.
fn has_parallel(body: &[Statement]) -> bool {
    let mut found = false;
    for_each_statement(body, &mut |statement| {
        found |= matches!(&statement.kind, StatementKind::For { kind, .. } if kind.is_parallel());
    });
    found
}
