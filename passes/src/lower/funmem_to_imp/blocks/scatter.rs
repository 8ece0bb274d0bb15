//! Scatters by all threads: of several values for a cell the last one stays, whichever thread is first. So threads combine the numbers of
//! their values into a cell each, and then the value writes whose number is there.
//!
//! ```text
//! alloc last_mem : i64[size]
//! for c < size par { last[c] := -1 }
//! for block < blocks block { for t < 256 thread { for k < own seq { atomic last[index] := max(i) } } }
//! for block < blocks block { for t < 256 thread { for k < own seq { if last[index] == i { dest[index] := value } } } }
//! ```
//! `i` is the number of the value that the thread is at, every n-th from its own on. The index is computed in both kernels, as the value may be:
//! what the first does not need goes with the passes behind. Values outside of the array write nothing. It costs 8 bytes for each cell of the
//! array, and a kernel that fills them, even where there are few values; where so few are known that they do not fill a block, one thread writes them.
//!
//! Where all values have cells of their own they are written at once (`distinct.rs`).
//!
//! Where every value is `true`, as in the flags of segments, it does not matter which one stays: `for … { atomic dest[index] := or(true) }` is all, and `and` for `false`.

use super::super::{Array, Lowerer, atom_exp};
use super::{Blocks, I64, Share, allocates};
use fun::ir::Atom;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimValue};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use funmem::ir::{Body, atom_poly};
use imp::build::{bin, read};
use imp::ir::{Exp, LoopKind, Space, StatementKind};

/// What is done with a value of a scatter: its index in the destination, its number, and the values.
type OfValue<'f> = dyn FnMut(&mut Lowerer, Var, Var, &[Atom]) + 'f;

impl Lowerer {
    /// The blocks whose threads may scatter so many values, if there are devices and the values are not known to be few.
    pub(in super::super) fn scattering(&self, bound: Atom) -> Option<Blocks> {
        let known = self.atom(bound).as_const().and_then(|size| size.as_i64());
        self.blocks.filter(|blocks| known.is_none_or(|size| size >= blocks.threads))
    }

    /// A scatter: `last` is the counter of the values and how many there are.
    pub(in super::super) fn scatter_in_blocks(
        &mut self,
        sizes: Blocks,
        (var, bound): (Var, Atom),
        body: &Body,
        dests: &[Array],
    ) {
        let Some(size) = dests.first().and_then(|dest| dest.shape.first()).copied() else { return };
        let count = atom_exp(self.atom(bound));
        let most = if allocates(body) { sizes.few } else { sizes.most };
        let own = self.has_own_places((var, bound), body);
        let has_values = dests.iter().all(|dest| !self.scratch.contains(&dest.mem));
        if let Some(flags) = flags(body).filter(|_| has_values && !own) {
            let blocks = self.blocks_for(sizes, &count, most);
            let share = self.share(sizes, count, blocks.into(), true);
            return self.each_value((sizes, blocks, &share), (var, body, size), &mut |this, index, _, _| {
                for (dest, flag) in dests.iter().zip(&flags) {
                    let op = if *flag { BinOp::Or } else { BinOp::And };
                    this.atomic(dest.view, index.into(), op, Exp::Const(PrimValue::Bool(*flag)));
                }
            });
        }
        if own {
            let blocks = self.blocks_for(sizes, &count, most);
            let share = self.share(sizes, count, blocks.into(), true);
            return self.each_value(
                (sizes, blocks, &share),
                (var, body, size),
                &mut |this, index, _, values| {
                    for (dest, value) in dests.iter().zip(values) {
                        this.store(dest, &[Atom::Var(index)], *value);
                    }
                },
            );
        }
        let block = self.b.alloc("last_mem", I64, vec![atom_exp(size)], Space::Default);
        let place = Lmad::row_major(Poly::constant(0), &[atom_poly(size)]);
        let last = self.b.view("last", I64, block, place);
        self.in_loop("c", atom_exp(size), LoopKind::Par, |this, c| {
            this.b.write(last, vec![c.into()], Exp::i64(-1));
        });
        let blocks = self.blocks_for(sizes, &count, most);
        let share = self.share(sizes, count, blocks.into(), true);
        let around = (sizes, blocks, &share);
        self.each_value(around, (var, body, size), &mut |this, index, value, _| {
            this.atomic(last, index.into(), BinOp::Max, value.into());
        });
        self.each_value(around, (var, body, size), &mut |this, index, value, values| {
            let (then, ()) = this.written(|this| {
                for (dest, value) in dests.iter().zip(values) {
                    this.store(dest, &[Atom::Var(index)], *value);
                }
            });
            let condition = bin(BinOp::Eq, I64, read(last, vec![index.into()]), value);
            this.b.push(StatementKind::If { condition, then, otherwise: Vec::new() });
        });
        self.b.push(StatementKind::Free(block));
    }

    /// A kernel of so many blocks with a thread for every n-th value, where `f` gets the index of one, if that is in the array, its number
    /// and the value.
    fn each_value(
        &mut self,
        (sizes, blocks, share): (Blocks, Var, &Share),
        (var, body, size): (Var, &Body, Atom),
        f: &mut OfValue<'_>,
    ) {
        self.each_own_value(sizes, (blocks, share), (var, body), &mut |this, results, number| {
            this.if_inside(results, size, |this, index, values| f(this, index, number, values));
        });
    }
}

/// The truth values that a scatter writes, if these are the same for each index.
fn flags(body: &Body) -> Option<Vec<bool>> {
    let flag = |value: &Atom| match value.as_const() {
        Some(PrimValue::Bool(flag)) => Some(flag),
        _ => None,
    };
    body.results.iter().skip(1).map(flag).collect()
}
