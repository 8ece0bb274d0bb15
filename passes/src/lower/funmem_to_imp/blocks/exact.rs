//! Histograms by sums of `f32` or `f64` with many cells: values become integers, whose sums are the same in any order, so that all threads add to the cells by `atomic` and no
//! thread decides a bit. The error does not grow with the number of values.
//!
//! ```text
//! alloc exponents_mem : i32[size]  alloc high_mem : i64[size]  alloc low_mem : i64[size]
//! for c < size par { exponents[c] := exponent of dest[c]  high[c] := 0  low[c] := 0 }
//! for … block { for … thread { for … seq { atomic exponents[index] := max(exponent of the value) } } }
//! for … block { for … thread { for … seq {
//!   … the value in units of 2^(exponents[index] - bias - digits) and, below, of 2^-room of these …
//!   atomic high[index] := add(…)  if it has a low part { atomic low[index] := add(…) }
//! } } }
//! for c < size par { dest[c] := … high[c] and low[c] with the parts of dest[c] added, and exponents[c], as a float … }
//! ```
//! A float is an integer of 24 or 53 bits times 2^(exponent - bias). The value with the greatest exponent of a cell has `digits` zeros behind it, as many as leave room for
//! the sum of so many values in 62 bits: 38 or 9, less the bits of their number; of `f64` these are mostly less than none, and bits go. What is beyond goes to the low part, 62 bits less those
//! of the number of values. What is beyond these is left out: of a million values less than 2^-83 of the greatest of the cell for each, and 2^-63 for all; the sum as a float is rounded twice.
//!
//! Where the greatest exponent is that of infinities and NaN, the high part counts what is +∞ or NaN, and the low part what is -∞ or NaN. Results of an operator that are no such sums
//! are combined by `atomic` themselves. Where cells are so few that threads wait for one another, histograms have tables (`parts.rs`). It takes 20 bytes for each cell and sum; values that
//! take long are computed once, and take 12 bytes and more then.

use super::super::{Array, Lowerer, atom_exp};
use super::values::is_little;
use super::{Blocks, Cells, Fold, I64, types};
use crate::fun::single_operators;
use fun::ir::{Atom, Rep};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use funmem::ir::atom_poly;
use imp::build::{add, bin, convert, read, select, sub, un};
use imp::ir::{Exp, LoopKind, Space, StatementKind, is_atomic};

const I32: PrimType = PrimType::I32;

/// Bits of a sum, with those of the number of values.
const SUM: i64 = 62;

/// How a type of floats is made.
#[derive(Clone, Copy)]
struct Float {
    ty: PrimType,
    /// Unsigned integers of its width.
    bits: PrimType,
    /// Bits of the fraction, without the one that is not there.
    fraction: i64,
    /// The exponent of infinities and NaN, an odd number of which half is that of 1.
    not_finite: i64,
}

impl Float {
    fn of(ty: PrimType) -> Option<Float> {
        match ty {
            PrimType::F32 => Some(Float { ty, bits: PrimType::U32, fraction: 23, not_finite: 255 }),
            PrimType::F64 => Some(Float { ty, bits: PrimType::U64, fraction: 52, not_finite: 2047 }),
            _ => None,
        }
    }

    /// What the exponent of an integer is.
    fn bias(self) -> i64 {
        self.not_finite / 2 + self.fraction
    }

    /// 2 to the power of a number that is an exponent.
    fn power(self, exponent: Exp) -> Exp {
        let bits = op(BinOp::Shl, add(exponent, i64(self.not_finite / 2)), i64(self.fraction));
        un(UnOp::FromBits, self.bits, convert(self.bits, I64, bits))
    }

    fn constant(self, value: f64) -> Exp {
        Exp::Const(match self.ty {
            PrimType::F32 => PrimValue::F32(value as f32),
            _ => PrimValue::F64(value),
        })
    }
}

/// The operators of a histogram's results, if each is a sum of floats as above or one that `atomic` takes.
pub(crate) fn exact_sums<R: Rep>(op: &fun::ir::Lambda<R>, types: &[PrimType]) -> Option<Vec<BinOp>> {
    let ops = single_operators(op)?;
    let is_known = |(ty, op): (&PrimType, &BinOp)| sum_of(*op, *ty).is_some() || is_atomic(*op, *ty);
    types.iter().zip(&ops).all(is_known).then_some(ops)
}

/// The floats that an operator adds up.
fn sum_of(op: BinOp, ty: PrimType) -> Option<Float> {
    Float::of(ty).filter(|_| op == BinOp::Add)
}

/// The cells of a sum.
struct Sum {
    float: Float,
    exponents: Var,
    high: Var,
    low: Var,
}

/// A value as an integer times 2^(exponent - bias).
struct Parts {
    exponent: Var,
    /// The integer without its sign, and whether it is negative.
    size: Var,
    negative: Exp,
    /// Whether it is +∞ or NaN, and -∞ or NaN, as numbers.
    counts: [Exp; 2],
}

fn i64(value: i64) -> Exp {
    Exp::i64(value)
}

fn op(op: BinOp, left: impl Into<Exp>, right: impl Into<Exp>) -> Exp {
    bin(op, I64, left, right)
}

/// By how many bits is to be shifted: by none if that is less.
fn shift(by: Exp) -> Exp {
    op(BinOp::Max, i64(0), op(BinOp::Min, by, i64(SUM)))
}

impl Lowerer {
    /// A histogram whose results are combined by these operators, some of them sums of floats.
    pub(super) fn hist_exactly(
        &mut self,
        sizes: Blocks,
        fold: &Fold,
        ops: &[BinOp],
        size: Atom,
        dests: &[Array],
    ) {
        let count = atom_exp(self.atom(fold.last.1));
        let blocks = self.blocks_for(sizes, &count, sizes.most_for(fold));
        let share = self.share(sizes, count.clone(), blocks.into(), true);
        // as many bits as the number of values has, with what is in a cell before
        let most = add(op(BinOp::Max, count.clone(), i64(0)), i64(1));
        let zeros = convert(I64, I32, un(UnOp::Clz, I64, most));
        let bits = self.b.let_("bits", I64, sub(i64(64), zeros));
        let room = self.b.let_("room", I64, op(BinOp::Max, i64(0), sub(i64(SUM), bits)));
        let mut memory = Vec::new();
        let array =
            |this: &mut Lowerer, memory: &mut Vec<Var>, text: &str, ty: PrimType, size: (Exp, Poly)| {
                let block = this.b.alloc(format!("{text}_mem").as_str(), ty, vec![size.0], Space::Default);
                memory.push(block);
                this.b.view(text, ty, block, Lmad::row_major(Poly::constant(0), &[size.1]))
            };
        let cells = (atom_exp(size), atom_poly(size));
        let sums: Vec<Option<Sum>> = (types(fold.op.lambda).iter().zip(ops))
            .map(|(ty, op)| {
                sum_of(*op, *ty).map(|float| Sum {
                    float,
                    exponents: array(self, &mut memory, "exponents", I32, cells.clone()),
                    high: array(self, &mut memory, "high", I64, cells.clone()),
                    low: array(self, &mut memory, "low", I64, cells.clone()),
                })
            })
            .collect();
        self.in_loop("c", atom_exp(size), LoopKind::Par, |this, c| {
            for (sum, dest) in sums.iter().zip(dests) {
                let Some(sum) = sum else { continue };
                let parts = this.parts_of_cell(sum, dest, c);
                this.b.write(sum.exponents, vec![c.into()], convert(I32, I64, parts.exponent));
                this.b.write(sum.high, vec![c.into()], i64(0));
                this.b.write(sum.low, vec![c.into()], i64(0));
            }
        });
        // exponents, and what is no such sum
        let first = |this: &mut Lowerer, index: Var, values: &[Atom]| {
            for (((value, sum), op), dest) in values.iter().zip(&sums).zip(ops).zip(dests) {
                match sum {
                    Some(sum) => {
                        let parts = this.parts(sum.float, *value);
                        let exponent = convert(I32, I64, parts.exponent);
                        this.atomic(sum.exponents, index.into(), BinOp::Max, exponent);
                    }
                    None => this.atomic(dest.view, index.into(), *op, atom_exp(*value)),
                }
            }
        };
        let of_value = (fold.last.0, fold.body);
        // (only to see how much they are)
        let (values_alone, ()) = self.written(|this| {
            this.in_loop("k", count.clone(), LoopKind::Seq, |this, k| {
                this.counted(fold.last.0, k.into());
                this.body(fold.body, |_, _| {});
            });
        });
        let second = |this: &mut Lowerer, index: Var, values: &[Atom]| {
            for (value, sum) in values.iter().zip(&sums) {
                let Some(sum) = sum else { continue };
                let parts = this.parts(sum.float, *value);
                let (high, low) = this.digits_of(&parts, sum, index, room);
                this.atomic(sum.high, index.into(), BinOp::Add, high.into());
                this.when(bin(BinOp::Ne, I64, low, i64(0)), |this| {
                    this.atomic(sum.low, index.into(), BinOp::Add, low.into());
                });
            }
        };
        if is_little(&values_alone) && !fold.allocates() {
            let each = |this: &mut Lowerer, f: &dyn Fn(&mut Lowerer, Var, &[Atom])| {
                this.each_own_value(sizes, (blocks, &share), of_value, &mut |this, results, _| {
                    this.if_inside(results, size, |this, index, values| {
                        let values: Vec<Atom> = values.iter().map(|value| this.atom(*value)).collect();
                        f(this, index, &values);
                    });
                });
            };
            each(self, &first);
            each(self, &second);
        } else {
            let values = (count.clone(), Poly::var(self.b.let_("values", I64, count)));
            let places = array(self, &mut memory, "places", I64, values.clone());
            let found: Cells = (types(fold.op.lambda).into_iter())
                .map(|ty| (array(self, &mut memory, "found", ty, values.clone()), ty))
                .collect();
            self.each_own_value(sizes, (blocks, &share), of_value, &mut |this, results, k| {
                let Some((index, values)) = results.split_first() else { return };
                let index = this.exp(*index);
                this.b.write(places, vec![k.into()], index.clone());
                let values: Vec<Atom> = values.iter().map(|value| this.atom(*value)).collect();
                this.write_atoms(&found, &k.into(), &values);
                this.if_cell(index, size, |this, index| first(this, index, &values));
            });
            self.each_share(sizes, (blocks, &share), &mut |this, k| {
                let k = this.b.let_("number", I64, k);
                this.if_cell(read(places, vec![k.into()]), size, |this, index| {
                    let values = this.cells_at(&found, k.into());
                    second(this, index, &values);
                });
            });
        }
        self.in_loop("c", atom_exp(size), LoopKind::Par, |this, c| {
            for (sum, dest) in sums.iter().zip(dests) {
                let Some(sum) = sum else { continue };
                let parts = this.parts_of_cell(sum, dest, c);
                let before = this.digits_of(&parts, sum, c, room);
                let result = this.float_of(sum, c, before, room);
                this.b.write(dest.view, vec![c.into()], result);
            }
        });
        memory.into_iter().for_each(|block| self.b.push(StatementKind::Free(block)));
    }

    fn parts(&mut self, float: Float, value: Atom) -> Parts {
        let bits = convert(I64, float.bits, un(UnOp::ToBits, float.ty, atom_exp(value)));
        let bits = self.b.let_("bits", I64, bits);
        let field = op(BinOp::And, op(BinOp::Shr, bits, i64(float.fraction)), i64(float.not_finite));
        let field = self.b.let_("field", I64, field);
        let exponent = self.b.let_("exponent", I64, op(BinOp::Max, field, i64(1)));
        let fraction = self.b.let_("fraction", I64, op(BinOp::And, bits, i64((1 << float.fraction) - 1)));
        let normal = bin(BinOp::Gt, I64, field, i64(0));
        let size = select(normal, op(BinOp::Or, fraction, i64(1 << float.fraction)), fraction);
        let size = self.b.let_("size", I64, size);
        let sign = op(BinOp::Shr, bits, i64(i64::from(float.ty.bits()) - 1));
        let negative = self.b.let_("negative", I64, op(BinOp::And, sign, i64(1)));
        let is_negative = bin(BinOp::Ne, I64, negative, i64(0));
        let is_nan = bin(BinOp::Ne, I64, fraction, i64(0));
        let other = |sign: i64| select(is_nan.clone(), i64(1), op(BinOp::Xor, negative, i64(sign)));
        let no_number = bin(BinOp::Eq, I64, field, i64(float.not_finite));
        let counts = [1, 0].map(|sign| select(no_number.clone(), other(sign), i64(0)));
        Parts { exponent, size, negative: is_negative, counts }
    }

    /// The parts of what is in a cell before.
    fn parts_of_cell(&mut self, sum: &Sum, dest: &Array, c: Var) -> Parts {
        let old = self.b.let_("old", sum.float.ty, read(dest.view, vec![c.into()]));
        self.parts(sum.float, Atom::Var(old))
    }

    /// What a value is in the units of its cell, and of the low part. There is room for so many bits of a value.
    fn digits_of(&mut self, parts: &Parts, sum: &Sum, index: Var, room: Var) -> (Var, Var) {
        let greatest = convert(I64, I32, read(sum.exponents, vec![index.into()]));
        let greatest = self.b.let_("greatest", I64, greatest);
        // how many digits it has beyond the unit, less than zero where it has none
        let apart = sub(greatest, parts.exponent);
        let digits = sub(room, i64(sum.float.fraction + 1));
        let beyond = self.b.let_("beyond", I64, sub(apart, digits));
        let left = op(BinOp::Shl, parts.size, shift(sub(i64(0), beyond)));
        let right = self.b.let_("right", I64, shift(beyond.into()));
        let whole = self.b.let_("whole", I64, op(BinOp::Shr, parts.size, right));
        let rest = sub(parts.size, op(BinOp::Shl, whole, right));
        let more = self.b.let_("more", I64, sub(room, beyond));
        let lower = op(BinOp::Shl, rest, shift(more.into()));
        let lower = op(BinOp::Shr, lower, shift(sub(i64(0), more)));
        let has_more = bin(BinOp::Gt, I64, beyond, i64(0));
        let [high, low] = [select(has_more, whole, left), lower].map(|part| self.b.let_("part", I64, part));
        let is_finite = bin(BinOp::Lt, I64, greatest, i64(sum.float.not_finite));
        let mut signed = |text: &str, part: Var, other: &Exp| {
            let value = select(parts.negative.clone(), sub(i64(0), part), part);
            self.b.let_(text, I64, select(is_finite.clone(), value, other.clone()))
        };
        let [plus, minus] = &parts.counts;
        (signed("high", high, plus), signed("low", low, minus))
    }

    /// The sum of a cell as a float, with what was there before.
    fn float_of(&mut self, sum: &Sum, c: Var, before: (Var, Var), room: Var) -> Exp {
        let float = sum.float;
        let mut cell = |text: &str, view: Var, before: Var| {
            self.b.let_(text, I64, add(read(view, vec![c.into()]), before))
        };
        let (high, low) = (cell("high", sum.high, before.0), cell("low", sum.low, before.1));
        let greatest = convert(I64, I32, read(sum.exponents, vec![c.into()]));
        let greatest = self.b.let_("greatest", I64, greatest);
        // to the nearest, so that what is left is small where nothing else is
        let half = op(BinOp::Shr, op(BinOp::Shl, i64(1), room), i64(1));
        let carried = self.b.let_("carried", I64, op(BinOp::Shr, add(low, half), room));
        let whole = add(high, carried);
        let left = sub(low, op(BinOp::Shl, carried, room));
        let part = |value: Exp| convert(float.ty, I64, value);
        let smaller = bin(BinOp::Mul, float.ty, part(left), float.power(sub(i64(0), room)));
        let value = self.b.let_("value", float.ty, bin(BinOp::Add, float.ty, part(whole), smaller));
        // in two steps, as neither the one nor the other may be the exponent of a float
        let digits = sub(room, i64(float.fraction + 1));
        let unit = sub(sub(greatest, i64(float.bias())), digits);
        let unit = self.b.let_("unit", I64, unit);
        let half = self.b.let_("half", I64, op(BinOp::Quot, unit, i64(2)));
        let scaled = bin(BinOp::Mul, float.ty, value, float.power(half.into()));
        let scaled = bin(BinOp::Mul, float.ty, scaled, float.power(sub(unit, half)));
        let some = |of: Var| bin(BinOp::Gt, I64, of, i64(0));
        let infinity = select(some(high), float.constant(f64::INFINITY), float.constant(f64::NEG_INFINITY));
        let other = select(
            bin(BinOp::And, PrimType::Bool, some(high), some(low)),
            float.constant(f64::NAN),
            infinity,
        );
        select(bin(BinOp::Lt, I64, greatest, i64(float.not_finite)), scaled, other)
    }
}
