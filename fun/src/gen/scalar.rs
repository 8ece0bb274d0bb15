//! Scalars: constants, operators that cannot fail, indices.

use super::Maker;
use super::scope::I64;
use crate::ir::{Atom, Dim, Exp, FlatDim, Type};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue, UnOp};
use fun_base::rng::Rng;

/// Operators that are defined exactly, on the types that have them. Those that can fail are guarded by the generator.
const BIN_OPS: [BinOp; 27] = [
    BinOp::Add,
    BinOp::Sub,
    BinOp::Mul,
    BinOp::Div,
    BinOp::Mod,
    BinOp::Quot,
    BinOp::Rem,
    BinOp::Pow,
    BinOp::Min,
    BinOp::Max,
    BinOp::And,
    BinOp::Or,
    BinOp::Xor,
    BinOp::Shl,
    BinOp::Shr,
    BinOp::ShrLogical,
    BinOp::MulHi,
    BinOp::Atan2,
    BinOp::Hypot,
    BinOp::NextAfter,
    BinOp::Ldexp,
    BinOp::Eq,
    BinOp::Ne,
    BinOp::Lt,
    BinOp::Le,
    BinOp::Gt,
    BinOp::Ge,
];

/// Likewise. None that tells one NaN from another, so neither the sign nor the bits of a float.
const UN_OPS: [UnOp; 15] = [
    UnOp::Neg,
    UnOp::Not,
    UnOp::Abs,
    UnOp::Sgn,
    UnOp::Popc,
    UnOp::Clz,
    UnOp::Ctz,
    UnOp::Sqrt,
    UnOp::Floor,
    UnOp::Ceil,
    UnOp::Trunc,
    UnOp::Round,
    UnOp::IsNan,
    UnOp::IsInf,
    UnOp::FromBits,
];

/// The functions of one float, by kind.
const FUNCTIONS: [&[UnOp]; 6] = [
    &[UnOp::Sqrt, UnOp::Cbrt, UnOp::Rsqrt],
    &[UnOp::Exp, UnOp::Exp2, UnOp::Exp10, UnOp::Expm1, UnOp::Log, UnOp::Log2, UnOp::Log10, UnOp::Log1p],
    &[
        UnOp::Sin,
        UnOp::Cos,
        UnOp::Tan,
        UnOp::Asin,
        UnOp::Acos,
        UnOp::Atan,
        UnOp::Sinpi,
        UnOp::Cospi,
        UnOp::Tanpi,
        UnOp::Asinpi,
        UnOp::Acospi,
        UnOp::Atanpi,
    ],
    &[UnOp::Sinh, UnOp::Cosh, UnOp::Tanh, UnOp::Asinh, UnOp::Acosh, UnOp::Atanh],
    &[UnOp::Erf, UnOp::Erfc, UnOp::Gamma, UnOp::Lgamma],
    &[UnOp::Floor, UnOp::Ceil, UnOp::Trunc, UnOp::Round],
];

impl Maker {
    /// A type of scalars; i64 often.
    pub(super) fn prim(&mut self) -> PrimType {
        if self.integers {
            return PrimType::I64;
        }
        let all = PrimType::NUMERIC_AND_BOOL;
        match self.rng.below(10) {
            0..3 => PrimType::I64,
            3 => PrimType::I32,
            4 => PrimType::F32,
            5 => PrimType::Bool,
            _ => *self.rng.pick(&all).unwrap_or(&PrimType::I64),
        }
    }

    /// A constant: small numbers and extremes.
    pub(super) fn constant(&mut self, t: PrimType) -> Atom {
        Atom::Const(random_value(&mut self.rng, t))
    }

    /// An atom of a primitive type.
    pub(super) fn scalar(&mut self, t: PrimType) -> Atom {
        let known = self.scope.of_type(&Type::Prim(t));
        match self.choose(&known) {
            Some(var) if self.rng.chance(80) => Atom::Var(var),
            _ => self.constant(t),
        }
    }

    /// A new scalar variable.
    pub(super) fn scalar_statement(&mut self) {
        let t = self.prim();
        match self.rng.below(10) {
            0..6 => self.bin_statement(t),
            6 | 7 => {
                let ops = match self.rng.pick(&FUNCTIONS) {
                    Some(kind) if t.is_float() && self.rng.chance(55) => *kind,
                    Some(_) | None => &UN_OPS,
                };
                let ops: Vec<UnOp> = ops.iter().copied().filter(|op| op.result_type(t).is_some()).collect();
                let Some(op) = self.rng.pick(&ops).copied() else { return };
                let value = self.scalar(t);
                if let Some(result) = op.result_type(t) {
                    self.fresh(op.name(), Type::Prim(result), Exp::Un(op, t, value));
                }
            }
            8 if t.is_float() && self.rng.chance(40) => {
                let operands = [self.scalar(t), self.scalar(t), self.scalar(t)];
                self.fresh("fma", Type::Prim(t), Exp::Fma(t, operands));
            }
            8 => {
                let from = match t {
                    _ if t.is_float() && self.rng.chance(30) => PrimType::F64,
                    _ => self.prim(),
                };
                let value = self.scalar(from);
                self.fresh("c", Type::Prim(t), Exp::Convert { to: t, from, value });
            }
            _ if t.is_float() && self.rng.chance(40) => {
                let bits = match t.bits() {
                    16 => PrimType::U16,
                    32 => PrimType::U32,
                    _ => PrimType::U64,
                };
                let value = self.scalar(bits);
                self.fresh("f", Type::Prim(t), Exp::Un(UnOp::FromBits, bits, value));
            }
            _ => {
                let value = self.scalar(t);
                self.fresh("x", Type::Prim(t), Exp::Atom(value));
            }
        }
    }

    fn bin_statement(&mut self, t: PrimType) {
        let ops: Vec<BinOp> = BIN_OPS.into_iter().filter(|op| op.result_type(t).is_some()).collect();
        let Some(op) = self.rng.pick(&ops).copied() else { return };
        let (left, mut right) = (self.scalar(t), self.scalar(t));
        if op.can_fail(t) {
            let (guard, mask) = if op == BinOp::Pow { (BinOp::And, 3) } else { (BinOp::Or, 1) };
            let mask = Atom::Const(t.of_i64(mask));
            right = Atom::Var(self.fresh("g", Type::Prim(t), Exp::Bin(guard, t, right, mask)));
        }
        if let Some(result) = op.result_type(t) {
            self.fresh(op.name(), Type::Prim(result), Exp::Bin(op, t, left, right));
        }
    }

    /// An index below a size that is positive.
    pub(super) fn index_below(&mut self, size: Atom) -> Atom {
        let counters: Vec<Atom> = self
            .scope
            .counters
            .iter()
            .filter(|(_, bound)| *bound == size)
            .map(|(counter, _)| Atom::Var(*counter))
            .collect();
        if let Some(counter) = self.rng.pick(&counters)
            && self.rng.chance(75)
        {
            return *counter;
        }
        if self.rng.chance(20) {
            return Atom::i64(0);
        }
        let any = self.scalar(PrimType::I64);
        Atom::Var(self.fresh("i", I64, Exp::Bin(BinOp::Mod, PrimType::I64, any, size)))
    }

    /// Indices inside an array whose sizes are all positive.
    pub(super) fn indices(&mut self, shape: &[Atom]) -> Vec<Atom> {
        shape.iter().map(|size| self.index_below(*size)).collect()
    }

    /// A bool that is true if all sizes are positive; `None` if that is known anyway.
    pub(super) fn all_positive(&mut self, shape: &[Atom]) -> Option<Atom> {
        let mut condition = None;
        for size in shape {
            if self.scope.is_positive(*size) {
                continue;
            }
            let bool_type = Type::Prim(PrimType::Bool);
            let test = Exp::Bin(BinOp::Gt, PrimType::I64, *size, Atom::i64(0));
            let test = Atom::Var(self.fresh("t", bool_type.clone(), test));
            condition = Some(match condition {
                None => test,
                Some(before) => {
                    let both = Exp::Bin(BinOp::And, PrimType::Bool, before, test);
                    Atom::Var(self.fresh("t", bool_type, both))
                }
            });
        }
        condition
    }

    /// A slice of one dimension of this size, inside it whatever the size is, and how many indices it keeps at most.
    pub(super) fn range(&mut self, size: Atom) -> Dim {
        let max = self.scope.size_max(size).unwrap_or(0);
        let whole = Dim::Range { offset: Atom::i64(0), count: size, stride: Atom::i64(1) };
        let i64_bin = |op, x, y| Exp::Bin(op, PrimType::I64, x, y);
        match self.rng.below(7) {
            0 => self.flat(size),
            // All of it, backwards: from the last index down.
            1 => {
                let last = Atom::Var(self.fresh("l", I64, i64_bin(BinOp::Sub, size, Atom::i64(1))));
                Dim::Range { offset: last, count: size, stride: Atom::i64(-1) }
            }
            // Every second.
            2 => {
                let more = Atom::Var(self.fresh("m", I64, i64_bin(BinOp::Add, size, Atom::i64(1))));
                let half = i64_bin(BinOp::Div, more, Atom::i64(2));
                let count = self.size("h", (max + 1) / 2, half);
                Dim::Range { offset: Atom::i64(0), count, stride: Atom::i64(2) }
            }
            // The last few.
            3 | 4 => {
                let some = self.some_size(max);
                let most = self.scope.size_max(some).unwrap_or(0).min(max);
                let count = self.size("c", most, i64_bin(BinOp::Min, some, size));
                let offset = Atom::Var(self.fresh("o", I64, i64_bin(BinOp::Sub, size, count)));
                Dim::Range { offset, count, stride: Atom::i64(1) }
            }
            // One element, again and again.
            5 if self.scope.is_positive(size) => {
                let offset = self.index_below(size);
                Dim::Range { offset, count: self.some_size(3), stride: Atom::i64(0) }
            }
            _ => whole,
        }
    }

    /// Two dimensions made of one of this size: rows of so many elements in either order, from the end, with gaps, or one that
    /// overlaps the next.
    fn flat(&mut self, size: Atom) -> Dim {
        let max = self.scope.size_max(size).unwrap_or(0);
        let i64_bin = |op, x, y| Exp::Bin(op, PrimType::I64, x, y);
        let row = 1 + self.rng.below(3) as i64;
        let rows = self.size("q", max / row, i64_bin(BinOp::Quot, size, Atom::i64(row)));
        let dim = |count, stride| FlatDim { count, stride: Atom::i64(stride) };
        let zero = Atom::i64(0);
        match self.rng.below(5) {
            0 => Dim::Flat { offset: zero, dims: vec![dim(rows, row), dim(Atom::i64(row), 1)] },
            1 => Dim::Flat { offset: zero, dims: vec![dim(Atom::i64(row), 1), dim(rows, row)] },
            2 => {
                let last = Atom::Var(self.fresh("l", I64, i64_bin(BinOp::Sub, size, Atom::i64(1))));
                Dim::Flat { offset: last, dims: vec![dim(rows, -row), dim(Atom::i64(row), -1)] }
            }
            3 => Dim::Flat { offset: zero, dims: vec![dim(rows, row), dim(Atom::i64(row - row / 2), 1)] },
            _ => Dim::Flat { offset: zero, dims: vec![dim(rows, 1), dim(Atom::i64(row.min(2)), row - 1)] },
        }
    }

    /// Adds one scalar of an array, or a default where the array is empty.
    pub(super) fn index_statement(&mut self) {
        let arrays = self.scope.arrays();
        let Some(entry) = self.choose_entry(&arrays) else { return };
        self.element_of(entry.var, &entry.ty);
    }

    /// One scalar of the array.
    pub(super) fn element_of(&mut self, array: Var, ty: &Type) -> Atom {
        let elem = Type::Prim(ty.elem());
        let shape = ty.shape().to_vec();
        match self.all_positive(&shape) {
            None => {
                let indices = self.indices(&shape);
                Atom::Var(self.fresh("e", elem, Exp::Index { array, indices }))
            }
            Some(condition) => {
                let (then, _) = self.body(self.shared_scope(), |m| {
                    let mut indices = Vec::new();
                    for size in &shape {
                        let any = m.scalar(PrimType::I64);
                        let index = Exp::Bin(BinOp::Mod, PrimType::I64, any, *size);
                        indices.push(Atom::Var(m.fresh("i", I64, index)));
                    }
                    vec![Atom::Var(m.fresh("e", elem.clone(), Exp::Index { array, indices }))]
                });
                let default = self.constant(ty.elem());
                let (otherwise, _) = self.body(self.shared_scope(), |_| vec![default]);
                Atom::Var(self.fresh("e", elem, Exp::If { condition, then, otherwise }))
            }
        }
    }
}

/// A value: small numbers, extremes, special floats.
pub(super) fn random_value(rng: &mut Rng, t: PrimType) -> PrimValue {
    let small = rng.below(9) as i64 - 3;
    match (t, rng.below(8)) {
        (PrimType::Bool, n) => PrimValue::Bool(n % 2 == 0),
        (PrimType::Unit, _) => PrimValue::Unit,
        (_, 0) if t.is_float() => {
            let specials = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 1e30, 1e-30, 65504.0, 0.1];
            let special = *rng.pick(&specials).unwrap_or(&0.0);
            fun_base::prim::eval_conv(t, PrimValue::F64(special))
        }
        (_, 1 | 2) if t.is_float() => {
            let quarter = PrimValue::F64((rng.below(200) as f64 - 100.0) / 4.0);
            fun_base::prim::eval_conv(t, quarter)
        }
        (_, 0) if t.is_int() => {
            let extremes = [0, u64::MAX, 1 << (t.bits() - 1), (1 << (t.bits() - 1)) - 1];
            PrimValue::from_bits(t, *rng.pick(&extremes).unwrap_or(&0))
        }
        (_, 1) if t.is_int() => PrimValue::from_bits(t, rng.next_u64()),
        _ => t.of_i64(small),
    }
}
