//! Scans of many values on a host, outside of parallel loops: pieces of them at a time, so few that they are still in the cache when what comes before
//! each is known.
//!
//! ```text
//! for r < rounds + 1 seq {                              a group of pieces
//!   for p < 16 par {
//!     if r > 0 { … }                                    the piece of the group before: op(total before it, value) for each of its values
//!     var acc = neutral
//!     for k < count seq { acc := op(acc, value)  scan[start + k] := acc }
//!     totals[p] := acc
//!   }
//!   for t < 16 seq { let part = totals[t]  totals[t] := before  before := op(before, part) }
//! }
//! ```
//! A piece of floats has several chains, each with its own values next to each other, which do not wait for one another: so one thread gains too. Iterations of a
//! scan may come in any order, as those of a map, so each value is computed once, also where it is replaced by its sum; and the operator is
//! associative. How values are grouped depends on their number alone.
//!
//! Integers that one operator combines run in vectors (`scan` loops, I16), which one thread does as fast as it gets them. Several threads take pieces
//! of them: their totals alone at first, and in the next round the piece itself, from what is before it. Values are computed twice then, so only
//! those that are simple. Others are taken one after the other.

use super::blocks::types;
use super::kernel::{Accumulators, Operator};
use super::scanned::{Scanned, values_of};
use super::{Lowerer, atom_exp};
use fun::ir::Atom;
use fun::visit::is_scalar_step;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use funmem::ir::{Body, Exp as FunExp};
use imp::build::{bin, read};
use imp::ir::{Exp, LoopKind, Space, StatementKind};
use imp::prefix::is_prefix_operator;

const I64: PrimType = PrimType::I64;

/// How scans are cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pieces {
    /// Pieces of a group: what threads can be busy with.
    pieces: i64,
    /// Bytes of the results of a piece. Chains are so many bytes apart that they do not meet in a cache: no power of two.
    bytes: i64,
    /// The same where totals come first.
    summed: i64,
    /// Values from which on a scan is cut.
    least: i64,
    /// Binary logarithm of the number of chains of a piece, where the values are simple.
    chains: u32,
    /// Statements of a value and the operator with which chains still are worth it.
    simple: usize,
    /// Whether others than floats and what vectors combine are cut too.
    others: bool,
}

/// What machines want: a group is what two of their caches of the second level hold along with what it is computed from.
pub(super) const USUAL: Pieces = Pieces {
    pieces: 16,
    bytes: 8 * 4416,
    summed: 16 * 4416,
    least: 1 << 14,
    chains: 3,
    simple: 8,
    others: false,
};
/// What small test programs come to; integers show any mistake.
pub(super) const SMALL: Pieces =
    Pieces { pieces: 3, bytes: 16, summed: 16, least: 1, chains: 1, simple: 8, others: true };

/// A scan along one dimension.
pub(super) struct Scan<'a> {
    pub(super) bound: Atom,
    pub(super) op: &'a Operator<'a>,
    pub(super) body: &'a Body,
    pub(super) scanned: &'a Scanned<'a>,
}

/// A scan that is cut: what all of its parts know.
struct Cut<'a> {
    scan: &'a Scan<'a>,
    /// How many values there are, in a piece, in a group.
    size: Exp,
    piece: i64,
    group: i64,
    /// Whether only the totals are computed at first.
    summed: bool,
    /// Binary logarithm of the number of chains.
    chains: u32,
    /// For each sum, its type, and the total of each chain of a group, and then that of all before it.
    totals: Vec<(Var, PrimType)>,
    /// For each sum, a place for those of a group before they are whole, if the results have none: an epilogue makes something else of them, or
    /// reads what lies there.
    unfinished: Option<Vec<Var>>,
}

/// The part of a piece that there is.
struct Piece {
    start: Var,
    /// Values of each chain; the last one has what is left too.
    own: Var,
    left: Var,
}

impl Lowerer {
    /// A scan where a parallel loop may start; `in_order` writes it as one loop.
    pub(super) fn scan_in_pieces(
        &mut self,
        pieces: Pieces,
        scan: &Scan,
        in_order: &mut dyn FnMut(&mut Lowerer),
    ) {
        let floats = types(scan.op.lambda).iter().any(|ty| ty.is_float());
        let size = self.atom(scan.bound);
        let known = size.as_const().and_then(|size| size.as_i64());
        let few = known.is_some_and(|size| size < pieces.least);
        let summed = in_vectors(scan.op, scan.body)
            && simple_statements(scan.body).is_some_and(|statements| statements < pieces.simple);
        let cut = floats || summed || pieces.others;
        if few || !cut || simple_statements(&scan.op.lambda.body).is_none() {
            return in_order(self);
        }
        let mut condition = bin(BinOp::Ge, I64, atom_exp(size), Exp::i64(pieces.least));
        if summed {
            let several = bin(BinOp::Lt, I64, Exp::i64(1), Exp::Threads);
            condition = bin(BinOp::And, PrimType::Bool, condition, several);
        }
        let (then, ()) = self.written(|this| this.cut(pieces, atom_exp(size), summed, scan));
        let (otherwise, ()) = self.written(in_order);
        self.b.push(StatementKind::If { condition, then, otherwise });
    }

    fn cut(&mut self, pieces: Pieces, size: Exp, summed: bool, scan: &Scan) {
        let types = types(scan.op.lambda);
        let bytes: i64 = types.iter().map(|ty| i64::from(ty.bytes())).sum();
        let statements = simple_statements(scan.body).zip(simple_statements(&scan.op.lambda.body));
        let chains = match statements {
            Some((value, op)) if value + op <= pieces.simple && !summed => pieces.chains,
            _ => 0,
        };
        let piece = (if summed { pieces.summed } else { pieces.bytes } / bytes).max(1);
        let group = piece * pieces.pieces;
        let rounded = bin(BinOp::Add, I64, size.clone(), Exp::i64(group - 1));
        let rounds = self.b.let_("rounds", I64, bin(BinOp::Quot, I64, rounded, Exp::i64(group)));
        let cells = pieces.pieces << chains;
        let mut blocks = Vec::new();
        let mut totals = Vec::new();
        for ty in &types {
            let block = self.b.alloc("totals_mem", *ty, vec![Exp::i64(cells)], Space::Default);
            let place = Lmad::row_major(Poly::constant(0), &[Poly::constant(cells)]);
            totals.push((self.b.view("totals", *ty, block, place), *ty));
            blocks.push(block);
        }
        let unfinished = (scan.scanned.epilogue.is_some() && !summed).then(|| {
            let cells = bin(BinOp::Min, I64, size.clone(), Exp::i64(group));
            let cells = self.b.let_("cells", I64, cells);
            let place = Lmad::row_major(Poly::constant(0), &[Poly::var(cells)]);
            let mut views = Vec::new();
            for ty in &types {
                let block = self.b.alloc("sums_mem", *ty, vec![cells.into()], Space::Default);
                views.push(self.b.view("sums", *ty, block, place.clone()));
                blocks.push(block);
            }
            views
        });
        let before = self.chain_accumulators("before", scan);
        let cut = Cut { scan, size, piece, group, summed, chains, totals, unfinished };
        let and_last = bin(BinOp::Add, I64, rounds, Exp::i64(1));
        self.in_loop("r", and_last, LoopKind::Seq, |this, r| {
            this.in_loop("p", Exp::i64(pieces.pieces), LoopKind::Par, |this, p| {
                let behind_first = bin(BinOp::Gt, I64, r, Exp::i64(0));
                let group = bin(BinOp::Sub, I64, r, Exp::i64(1));
                this.when(behind_first, |this| match cut.summed {
                    true => this.scan_from_total(&cut, group, p),
                    false => this.finish_piece(&cut, group, p),
                });
                match cut.summed {
                    true => this.sum_piece(&cut, r.into(), p),
                    false => this.scan_piece(&cut, r.into(), p),
                }
            });
            this.in_loop("t", Exp::i64(cells), LoopKind::Seq, |this, t| {
                let mut parts = Vec::new();
                for ((totals, ty), (before, _)) in cut.totals.iter().zip(&before) {
                    parts.push(Atom::Var(this.b.let_("part", *ty, read(*totals, vec![t.into()]))));
                    this.b.write(*totals, vec![t.into()], *before);
                }
                this.combine(&before, scan.op, &parts);
            });
        });
        blocks.iter().for_each(|block| self.b.push(StatementKind::Free(*block)));
    }

    /// Scans the chains of a piece, each as if it were the first, and leaves their totals.
    fn scan_piece(&mut self, cut: &Cut, group: Exp, p: Var) {
        let first = self.first_of_group(cut, group);
        let piece = self.extent(cut, first, p);
        let store = |this: &mut Lowerer, index: Var, chain: &Accumulators| match &cut.unfinished {
            None => this.write_values(cut.scan.scanned.dests, &[Atom::Var(index)], &values_of(chain)),
            Some(unfinished) => {
                let at = this.b.let_("at", I64, bin(BinOp::Sub, I64, index, first));
                for (unfinished, (sum, _)) in unfinished.iter().zip(chain) {
                    this.b.write(*unfinished, vec![at.into()], *sum);
                }
            }
        };
        let starts: Vec<Var> = (0..1i64 << cut.chains)
            .map(|chain| {
                let skipped = bin(BinOp::Mul, I64, piece.own, Exp::i64(chain));
                self.b.let_("from", I64, bin(BinOp::Add, I64, piece.start, skipped))
            })
            .collect();
        let chains: Vec<Accumulators> =
            starts.iter().map(|_| self.chain_accumulators("acc", cut.scan)).collect();
        self.in_loop("k", piece.own.into(), LoopKind::Seq, |this, k| {
            for (start, chain) in starts.iter().zip(&chains) {
                let index = this.next_value(cut, bin(BinOp::Add, I64, *start, k), chain);
                store(this, index, chain);
            }
        });
        if let (true, Some(start), Some(last)) = (cut.chains > 0, starts.last(), chains.last()) {
            let rest = self.b.let_("rest", I64, bin(BinOp::Add, I64, *start, piece.own));
            self.in_loop("k", piece.left.into(), LoopKind::Seq, |this, k| {
                let index = this.next_value(cut, bin(BinOp::Add, I64, rest, k), last);
                store(this, index, last);
            });
        }
        let first = self.first_total(cut, p);
        for (at, chain) in chains.iter().enumerate() {
            for ((totals, _), (total, _)) in cut.totals.iter().zip(chain) {
                self.b.write(*totals, vec![bin(BinOp::Add, I64, first, Exp::i64(at as i64))], *total);
            }
        }
    }

    /// Leaves the total of a piece.
    fn sum_piece(&mut self, cut: &Cut, group: Exp, p: Var) {
        let first = self.first_of_group(cut, group);
        let piece = self.extent(cut, first, p);
        let sums = self.chain_accumulators("sum", cut.scan);
        self.in_loop("k", piece.own.into(), LoopKind::Fold, |this, k| {
            this.next_value(cut, bin(BinOp::Add, I64, piece.start, k), &sums);
        });
        for ((totals, _), (sum, _)) in cut.totals.iter().zip(&sums) {
            self.b.write(*totals, vec![p.into()], *sum);
        }
    }

    /// Scans a piece of which what comes before is known.
    fn scan_from_total(&mut self, cut: &Cut, group: Exp, p: Var) {
        let first = self.first_of_group(cut, group);
        let piece = self.extent(cut, first, p);
        let sums = self.chain_accumulators("acc", cut.scan);
        for ((totals, _), (sum, _)) in cut.totals.iter().zip(&sums) {
            self.b.assign(*sum, read(*totals, vec![p.into()]));
        }
        self.in_loop("k", piece.own.into(), LoopKind::Scan, |this, k| {
            let index = this.next_value(cut, bin(BinOp::Add, I64, piece.start, k), &sums);
            this.store_scanned(cut.scan.scanned, &[Atom::Var(index)], &values_of(&sums));
        });
    }

    /// One more value of a chain, and its index.
    fn next_value(&mut self, cut: &Cut, index: Exp, chain: &Accumulators) -> Var {
        let counter = self.bind(cut.scan.scanned.counter);
        self.b.push(StatementKind::Let { var: counter, ty: I64, value: index });
        self.step(chain, cut.scan.op, cut.scan.body);
        counter
    }

    /// Combines what is before each chain of a piece with its values.
    fn finish_piece(&mut self, cut: &Cut, group: Exp, p: Var) {
        let of_group = self.first_of_group(cut, group);
        let piece = self.extent(cut, of_group, p);
        let first = self.first_total(cut, p);
        let last = (1i64 << cut.chains) - 1;
        self.in_loop("c", Exp::i64(last + 1), LoopKind::Seq, |this, c| {
            let mut before = Vec::new();
            for (totals, ty) in &cut.totals {
                let total = read(*totals, vec![bin(BinOp::Add, I64, first, c)]);
                before.push(Atom::Var(this.b.let_("before", *ty, total)));
            }
            let skipped = bin(BinOp::Mul, I64, c, piece.own);
            let start = this.b.let_("from", I64, bin(BinOp::Add, I64, piece.start, skipped));
            let all = bin(BinOp::Add, I64, piece.own, piece.left);
            let is_last = bin(BinOp::Eq, I64, c, Exp::i64(last));
            let count = Exp::Select(Box::new(is_last), Box::new(all), Box::new(piece.own.into()));
            let count = this.b.let_("count", I64, count);
            this.in_loop("k", count.into(), LoopKind::Simd, |this, k| {
                let index = this.b.let_("i", I64, bin(BinOp::Add, I64, start, k));
                let (views, at): (Vec<Var>, Var) = match &cut.unfinished {
                    None => (cut.scan.scanned.dests.iter().map(|dest| dest.view).collect(), index),
                    Some(unfinished) => {
                        let at = bin(BinOp::Sub, I64, index, of_group);
                        (unfinished.clone(), this.b.let_("at", I64, at))
                    }
                };
                let own = views
                    .iter()
                    .zip(&cut.totals)
                    .map(|(view, (_, ty))| Atom::Var(this.b.let_("own", *ty, read(*view, vec![at.into()]))));
                let own: Vec<Atom> = own.collect();
                this.apply(cut.scan.op, &before, &own, |this, sums| {
                    let sums: Vec<Atom> = sums.iter().map(|sum| this.atom(*sum)).collect();
                    this.store_scanned(cut.scan.scanned, &[Atom::Var(index)], &sums);
                });
            });
        });
    }

    /// The index of the first value of a group.
    fn first_of_group(&mut self, cut: &Cut, group: Exp) -> Var {
        self.b.let_("of_group", I64, bin(BinOp::Mul, I64, group, Exp::i64(cut.group)))
    }

    /// The `p`th piece of a group that begins here, as far as there are values.
    fn extent(&mut self, cut: &Cut, of_group: Var, p: Var) -> Piece {
        let start = bin(BinOp::Add, I64, of_group, bin(BinOp::Mul, I64, p, Exp::i64(cut.piece)));
        let start = self.b.let_("start", I64, start);
        let left = bin(BinOp::Sub, I64, cut.size.clone(), start);
        let here = bin(BinOp::Max, I64, bin(BinOp::Min, I64, left, Exp::i64(cut.piece)), Exp::i64(0));
        let here = self.b.let_("here", I64, here);
        // (backends that weigh what a piece costs understand a shift, not a division)
        let own = bin(BinOp::Shr, I64, here, Exp::i64(i64::from(cut.chains)));
        let own = self.b.let_("own", I64, own);
        let of_chains = bin(BinOp::Shl, I64, own, Exp::i64(i64::from(cut.chains)));
        let left = self.b.let_("left", I64, bin(BinOp::Sub, I64, here, of_chains));
        Piece { start, own, left }
    }

    /// Where the total of the first chain of a piece is.
    fn first_total(&mut self, cut: &Cut, p: Var) -> Var {
        self.b.let_("first", I64, bin(BinOp::Shl, I64, p, Exp::i64(i64::from(cut.chains))))
    }

    fn chain_accumulators(&mut self, name: &str, scan: &Scan) -> Accumulators {
        let names: Vec<Var> = scan.op.neutral.iter().map(|_| self.b.names.fresh(name)).collect();
        self.accumulators(names.into_iter(), scan.op)
    }
}

/// Whether vectors combine the values of a scan, which are computed without blocks of their own, and their prefixes.
pub(super) fn in_vectors(op: &Operator, body: &Body) -> bool {
    let ([statement], [first, second]) = (op.lambda.body.statements.as_slice(), op.lambda.params.as_slice())
    else {
        return false;
    };
    let FunExp::Bin(op, ty, x, y) = statement.exp else { return false };
    let params = [Atom::Var(first.var), Atom::Var(second.var)];
    let of_both = [x, y] == params || [y, x] == params;
    of_both && is_prefix_operator(op, ty) && simple_statements(body).is_some()
}

/// How many statements a body has, if all of them are scalars and reads.
fn simple_statements(body: &Body) -> Option<usize> {
    let simple = body.statements.iter().all(|statement| is_scalar_step(&statement.exp));
    simple.then_some(body.statements.len())
}
