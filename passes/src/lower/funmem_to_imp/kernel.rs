//! Kernels become loops.

use super::blocks::{Fold, atomics, has_neutral};
use super::pieces::{Scan, in_vectors};
use super::scanned::{Scanned, values_of};
use super::{Array, Lowerer, atom_exp};
use fun::ir::Atom;
use fun::visit::takes_long;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use funmem::ir::{Binder, Body, Combine, Lambda, MemType};
use imp::build::{self, rounded_up};
use imp::ir::{Exp, ImpType, LoopKind, Space, StatementKind};

/// How reductions are cut for threads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunks {
    /// From so many elements on a reduction is cut into chunks.
    large: i64,
    /// How many. A fixed number: what a reduction of floats gives must not depend on the machine.
    count: i64,
}

/// What machines want.
pub(super) const USUAL: Chunks = Chunks { large: 4096, count: MOST_CHUNKS };
/// What small test programs come to.
pub(super) const SMALL: Chunks = Chunks { large: 4, count: 3 };

/// More chunks than this there are never.
const MOST_CHUNKS: i64 = 64;
/// Reductions whose elements take long are cut wherever there are two elements, so that threads have something to do: into so many chunks,
const FEW_CHUNKS: i64 = 8;
/// or into more of so many elements, as many as `spread-lanes` takes at a time.
const LANES: i64 = 32;
/// Scans of so many values are worth vectors.
const SHORT: i64 = 64;

/// Operator and neutral element of a reduction, scan or histogram.
pub(super) struct Operator<'a> {
    pub(super) lambda: &'a Lambda,
    pub(super) neutral: &'a [Atom],
}

/// An accumulator variable for each result.
pub(super) type Accumulators = Vec<(Var, ImpType)>;

impl Lowerer {
    pub(super) fn kernel(
        &mut self,
        pattern: &[Binder],
        space: &[(Var, Atom)],
        combine: &Combine,
        body: &Body,
    ) {
        match combine {
            Combine::Map if self.by_rows(pattern, space, body) => {}
            Combine::Map => {
                let dests: Vec<Array> = pattern.iter().map(|binder| self.bind_dest(binder)).collect();
                self.nest(space, &mut Vec::new(), &mut |this, indices| {
                    this.body(body, |this, results| {
                        for (dest, result) in dests.iter().zip(results) {
                            this.store(dest, indices, *result);
                        }
                    });
                });
            }
            Combine::Reduce { op, neutral, commutative } => {
                let op = Operator { lambda: op, neutral };
                let [outer @ .., last] = space else { unreachable!("invariant: a kernel has a dimension") };
                let fold = Fold { op: &op, commutative: *commutative, last: *last, body };
                if outer.is_empty() {
                    return match self.in_blocks(op.lambda, last.1).filter(|_| !self.parallel) {
                        Some(blocks) => self.reduce_in_blocks(blocks, pattern, &fold),
                        None if !self.parallel => self.reduce_in_chunks(pattern, &fold),
                        None => _ = self.reduce_over(pattern, &fold),
                    };
                }
                let dests: Vec<Array> = pattern.iter().map(|binder| self.bind_dest(binder)).collect();
                let mut by_threads = |this: &mut Lowerer| {
                    this.nest(outer, &mut Vec::new(), &mut |this, indices| {
                        let accumulators = this.reduce_over(pattern, &fold);
                        this.write_all(&dests, indices, &accumulators);
                    });
                };
                match self.sharing(op.lambda).filter(|_| !self.parallel) {
                    Some(blocks) => self.reduce_segments(blocks, outer, &fold, &dests, &mut by_threads),
                    None => by_threads(self),
                }
            }
            Combine::Scan { op, neutral, epilogue } => {
                let op = Operator { lambda: op, neutral };
                let dests: Vec<Array> = pattern.iter().map(|binder| self.bind_dest(binder)).collect();
                let [outer @ .., (var, bound)] = space else {
                    unreachable!("invariant: a kernel has a dimension")
                };
                let blocks = match outer {
                    [] => self.in_blocks(op.lambda, *bound),
                    _ => self.sharing(op.lambda),
                };
                let blocks = blocks.filter(|_| !self.parallel);
                let blocks = blocks.and_then(|blocks| Some((blocks, blocks.scanned(op.lambda)?)));
                let fold = Fold { op: &op, commutative: false, last: (*var, *bound), body };
                let scanned = Scanned { counter: *var, epilogue: epilogue.as_deref(), dests: &dests };
                if let ([], Some((blocks, own))) = (outer, blocks) {
                    if let ([sums], None) = (pattern, epilogue) {
                        self.note_counted(sums.var, (*var, *bound), op.lambda, op.neutral, body);
                    }
                    return self.scan_in_blocks(blocks, own, &fold, &scanned);
                }
                let pieces = self.pieces.filter(|_| outer.is_empty() && !self.parallel);
                // (few of them are written out)
                let known = self.atom(*bound).as_const().and_then(|size| size.as_i64());
                let many = known.is_none_or(|size| size >= SHORT);
                let vectors = pieces.is_some() && many && in_vectors(&op, body);
                let kind = if vectors { LoopKind::Scan } else { LoopKind::Seq };
                let mut by_threads = |this: &mut Lowerer| {
                    this.nest(outer, &mut Vec::new(), &mut |this, indices| {
                        let accumulators = this.fresh_accumulators(&op);
                        let (bound, counter) = (this.exp(*bound), this.bind(*var));
                        this.in_loop_with(counter, bound, kind, |this| {
                            this.step(&accumulators, &op, body);
                            let indices: Vec<Atom> =
                                indices.iter().copied().chain([Atom::Var(counter)]).collect();
                            this.store_scanned(&scanned, &indices, &values_of(&accumulators));
                        });
                    });
                };
                match blocks {
                    Some((blocks, own)) => {
                        self.scan_segments(blocks, own, outer, &fold, &scanned, &mut by_threads);
                    }
                    None => match pieces {
                        Some(pieces) => {
                            let scan = Scan { bound: *bound, op: &op, body, scanned: &scanned };
                            self.scan_in_pieces(pieces, &scan, &mut by_threads);
                        }
                        None => by_threads(self),
                    },
                }
            }
            Combine::Hist { op, neutral, dests: _ } => {
                let op = Operator { lambda: op, neutral };
                if let [last @ (_, bound)] = space
                    && !self.parallel
                    && (has_neutral(op.lambda) || atomics(op.lambda).is_some())
                    && let Some(blocks) = self.in_blocks(op.lambda, *bound)
                {
                    let dests: Vec<Array> = pattern.iter().map(|binder| self.bind_dest(binder)).collect();
                    let fold = Fold { op: &op, commutative: true, last: *last, body };
                    return match atomics(op.lambda) {
                        Some(ops) => self.hist_in_blocks(blocks, &fold, &ops, &dests),
                        None => self.hist_in_parts(blocks, &fold, &dests),
                    };
                }
                // the order of floats shows, and may still be another one: of `reduce_by_index`, not of a program's own loop
                let shows = pattern
                    .iter()
                    .any(|binder| matches!(binder.ty, MemType::Array { elem, .. } if elem.is_float()));
                let kind = if shows { LoopKind::Fold } else { LoopKind::Seq };
                self.in_order(pattern, space, kind, body, |this, dests, index, values| {
                    let here = vec![Exp::Var(index)];
                    let old = dests.iter().map(|dest| {
                        let value = build::read(dest.view, here.clone());
                        Atom::Var(this.b.let_("old", dest.elem, value))
                    });
                    let old: Vec<Atom> = old.collect();
                    let values: Vec<Atom> = values.iter().map(|value| this.atom(*value)).collect();
                    this.apply(&op, &old, &values, |this, sums| {
                        for (dest, sum) in dests.iter().zip(sums) {
                            let sum = this.exp(*sum);
                            this.b.write(dest.view, here.clone(), sum);
                        }
                    });
                });
            }
            Combine::Scatter { dests: _ } => {
                if let [last @ (_, bound)] = space
                    && !self.parallel
                    && let Some(blocks) = self.scattering(*bound)
                {
                    let dests: Vec<Array> = pattern.iter().map(|binder| self.bind_dest(binder)).collect();
                    return self.scatter_in_blocks(blocks, *last, body, &dests);
                }
                self.in_order(pattern, space, LoopKind::Seq, body, |this, dests, index, values| {
                    for (dest, value) in dests.iter().zip(values) {
                        this.store(dest, &[Atom::Var(index)], *value);
                    }
                })
            }
        }
    }

    /// Loops over the space, outermost first; `f` gets the counters, `outer` are those of the loops around.
    pub(super) fn nest(
        &mut self,
        space: &[(Var, Atom)],
        outer: &mut Vec<Atom>,
        f: &mut dyn FnMut(&mut Lowerer, &[Atom]),
    ) {
        let Some(((var, bound), inner)) = space.split_first() else { return f(self, outer) };
        let kind = if self.parallel { LoopKind::Simd } else { LoopKind::Par };
        let (bound, counter) = (self.exp(*bound), self.bind(*var));
        self.in_loop_with(counter, bound, kind, |this| {
            outer.push(Atom::Var(counter));
            this.nest(inner, outer, f);
            outer.pop();
        });
    }

    /// A histogram or scatter, one iteration after the other: `f` gets an index in bounds and the other results of the body.
    fn in_order(
        &mut self,
        pattern: &[Binder],
        space: &[(Var, Atom)],
        kind: LoopKind,
        body: &Body,
        f: impl FnOnce(&mut Lowerer, &[Array], Var, &[Atom]),
    ) {
        let [(var, bound)] = space else {
            unreachable!("invariant: histograms and scatters have one dimension")
        };
        let dests: Vec<Array> = pattern.iter().map(|binder| self.bind_dest(binder)).collect();
        let size = dests.first().and_then(|dest| dest.shape.first()).copied();
        let (bound, counter) = (self.exp(*bound), self.bind(*var));
        self.in_loop_with(counter, bound, kind, |this| {
            this.body(body, |this, results| {
                let (Some((index, values)), Some(size)) = (results.split_first(), size) else { return };
                let index = this.exp(*index);
                let index = this.b.let_("at", PrimType::I64, index);
                let low = build::bin(BinOp::Le, PrimType::I64, Exp::i64(0), index);
                let high = build::bin(BinOp::Lt, PrimType::I64, index, atom_exp(size));
                let condition = build::bin(BinOp::And, PrimType::Bool, low, high);
                this.when(condition, |this| f(this, &dests, index, values));
            });
        });
    }

    /// Declares an accumulator with the neutral element for each result, under the result's name.
    pub(super) fn accumulators(&mut self, names: impl Iterator<Item = Var>, op: &Operator) -> Accumulators {
        let mut accumulators = Vec::new();
        for ((name, param), neutral) in names.zip(&op.lambda.params).zip(op.neutral) {
            let MemType::Prim(ty) = param.ty else { unreachable!("invariant M7: operators take scalars") };
            let value = Some(self.exp(*neutral));
            // Where the result is an array, its own name is that of a view.
            let var =
                if self.arrays.contains_key(&name) { self.b.names.fresh("acc") } else { self.bind(name) };
            self.b.push(StatementKind::Declare { var, ty: ImpType::Prim(ty), value });
            accumulators.push((var, ImpType::Prim(ty)));
        }
        accumulators
    }

    /// A reduction by one thread; gives its accumulators.
    pub(super) fn reduce_over(&mut self, pattern: &[Binder], fold: &Fold) -> Accumulators {
        let accumulators = self.accumulators(pattern.iter().map(|binder| binder.var), fold.op);
        let bound = self.exp(fold.last.1);
        if let Some(lanes) = self.lanes_of(fold) {
            self.reduce_values(fold, Some(lanes), &accumulators, Exp::i64(0), bound);
        } else {
            let counter = self.bind(fold.last.0);
            let step = |this: &mut Lowerer| this.step(&accumulators, fold.op, fold.body);
            self.in_loop_with(counter, bound, LoopKind::Fold, step);
        }
        accumulators
    }

    /// The body at one point, and its results combined into the accumulators.
    pub(super) fn step(&mut self, accumulators: &Accumulators, op: &Operator, body: &Body) {
        self.body(body, |this, results| {
            let values: Vec<Atom> = results.iter().map(|result| this.atom(*result)).collect();
            this.combine(accumulators, op, &values);
        });
    }

    /// `accumulators := op accumulators values`
    pub(super) fn combine(&mut self, accumulators: &Accumulators, op: &Operator, values: &[Atom]) {
        let old: Vec<Atom> = accumulators.iter().map(|(var, _)| Atom::Var(*var)).collect();
        self.apply(op, &old, values, |this, sums| {
            let sums: Vec<Atom> = sums.iter().map(|sum| this.atom(*sum)).collect();
            this.assign_all(accumulators, &sums);
        });
    }

    /// The operator's body on IMP operands; `f` gets its results.
    pub(super) fn apply(
        &mut self,
        op: &Operator,
        left: &[Atom],
        right: &[Atom],
        f: impl FnOnce(&mut Lowerer, &[Atom]),
    ) {
        for (param, value) in op.lambda.params.iter().zip(left.iter().chain(right)) {
            self.values.insert(param.var, *value);
        }
        self.body(&op.lambda.body, f);
    }

    pub(super) fn write_all(&mut self, dests: &[Array], indices: &[Atom], accumulators: &Accumulators) {
        for (dest, (value, _)) in dests.iter().zip(accumulators) {
            self.b.write(dest.view, indices.iter().map(|index| atom_exp(*index)).collect(), *value);
        }
    }

    /// A reduction to scalars where a parallel loop may start: chunks in parallel, their results then in order. Small ones are a
    /// single chunk, unless their elements take long.
    fn reduce_in_chunks(&mut self, pattern: &[Binder], fold: &Fold) {
        let (i64, op) = (PrimType::I64, fold.op);
        let size = self.atom(fold.last.1);
        let known = size.as_const().and_then(|size| size.as_i64());
        let long = takes_long(fold.body, LANES);
        if known.is_some_and(|size| size < if long { 2 } else { self.chunks.large }) {
            self.reduce_over(pattern, fold);
            return;
        }
        let lanes = self.lanes_of(fold);
        let (chunks, chunk) = if long {
            let rounds = rounded_up(atom_exp(size), Exp::i64(MOST_CHUNKS * LANES));
            let several = build::bin(BinOp::Mul, i64, rounds, Exp::i64(LANES));
            let even = rounded_up(atom_exp(size), Exp::i64(FEW_CHUNKS));
            let chunk = build::bin(BinOp::Max, i64, build::bin(BinOp::Min, i64, even, several), Exp::i64(1));
            let chunk = self.b.let_("chunk", i64, chunk);
            (self.b.let_("chunks", i64, rounded_up(atom_exp(size), Exp::Var(chunk))), chunk)
        } else {
            let large = build::bin(BinOp::Ge, i64, atom_exp(size), Exp::i64(self.chunks.large));
            let count =
                Exp::Select(Box::new(large), Box::new(Exp::i64(self.chunks.count)), Box::new(Exp::i64(1)));
            let chunks = self.b.let_("chunks", i64, count);
            // Rounded up; at most 63 of the last chunks are empty.
            (chunks, self.b.let_("chunk", i64, rounded_up(atom_exp(size), Exp::Var(chunks))))
        };
        let mut partial = Vec::new();
        let mut blocks = Vec::new();
        for param in &op.lambda.params[..pattern.len()] {
            let MemType::Prim(ty) = param.ty else { unreachable!("invariant M7: operators take scalars") };
            let block = self.b.alloc("partial_mem", ty, vec![Exp::i64(MOST_CHUNKS)], Space::Default);
            let place = Lmad::row_major(Poly::constant(0), &[Poly::constant(MOST_CHUNKS)]);
            partial.push((self.b.view("partial", ty, block, place), ty));
            blocks.push(block);
        }
        self.in_loop("c", Exp::Var(chunks), LoopKind::Par, |this, c| {
            let start = this.b.let_("start", i64, build::bin(BinOp::Mul, i64, c, chunk));
            let left = build::bin(BinOp::Sub, i64, atom_exp(size), start);
            let count = this.b.let_("count", i64, build::bin(BinOp::Min, i64, left, chunk));
            let names: Vec<Var> = pattern.iter().map(|_| this.b.names.fresh("acc")).collect();
            let accumulators = this.accumulators(names.into_iter(), op);
            this.reduce_values(fold, lanes, &accumulators, start.into(), count.into());
            for ((view, _), (value, _)) in partial.iter().zip(&accumulators) {
                this.b.write(*view, vec![c.into()], *value);
            }
        });
        let accumulators = self.accumulators(pattern.iter().map(|binder| binder.var), op);
        self.in_loop("c", Exp::Var(chunks), LoopKind::Seq, |this, c| {
            let values: Vec<Atom> = partial
                .iter()
                .map(|(view, ty)| Atom::Var(this.b.let_("part", *ty, build::read(*view, vec![c.into()]))))
                .collect();
            this.combine(&accumulators, op, &values);
        });
        for block in blocks {
            self.b.push(StatementKind::Free(block));
        }
    }
}
