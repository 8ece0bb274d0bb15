//! Scalar expressions that never fail and have one result everywhere (no sign of a NaN shows).

use super::{Maker, Scope, View};
use crate::build::{bin, convert, fma, read, un};
use crate::ir::Exp;
use fun_base::prim::{BinOp, PrimType, UnOp};

const COMPARISONS: [BinOp; 6] = [BinOp::Eq, BinOp::Ne, BinOp::Lt, BinOp::Le, BinOp::Gt, BinOp::Ge];
const INT_OPS: [BinOp; 12] = [
    BinOp::Add,
    BinOp::Sub,
    BinOp::Mul,
    BinOp::Min,
    BinOp::Max,
    BinOp::And,
    BinOp::Or,
    BinOp::Xor,
    BinOp::Shl,
    BinOp::Shr,
    BinOp::ShrLogical,
    BinOp::MulHi,
];
const FLOAT_OPS: [BinOp; 12] = [
    BinOp::Add,
    BinOp::Sub,
    BinOp::Mul,
    BinOp::Div,
    BinOp::Min,
    BinOp::Max,
    BinOp::Mod,
    BinOp::Pow,
    BinOp::Atan2,
    BinOp::Hypot,
    BinOp::NextAfter,
    BinOp::Ldexp,
];
/// The functions that are not [`SIMPLE_FUNCTIONS`].
const FLOAT_FUNCTIONS: [UnOp; 32] = [
    UnOp::Cbrt,
    UnOp::Rsqrt,
    UnOp::Exp,
    UnOp::Exp2,
    UnOp::Exp10,
    UnOp::Expm1,
    UnOp::Log,
    UnOp::Log2,
    UnOp::Log10,
    UnOp::Log1p,
    UnOp::Sin,
    UnOp::Cos,
    UnOp::Tan,
    UnOp::Asin,
    UnOp::Acos,
    UnOp::Atan,
    UnOp::Sinh,
    UnOp::Cosh,
    UnOp::Tanh,
    UnOp::Asinh,
    UnOp::Acosh,
    UnOp::Atanh,
    UnOp::Sinpi,
    UnOp::Cospi,
    UnOp::Tanpi,
    UnOp::Asinpi,
    UnOp::Acospi,
    UnOp::Atanpi,
    UnOp::Erf,
    UnOp::Erfc,
    UnOp::Gamma,
    UnOp::Lgamma,
];
const SIMPLE_FUNCTIONS: [UnOp; 8] =
    [UnOp::Neg, UnOp::Abs, UnOp::Sgn, UnOp::Sqrt, UnOp::Floor, UnOp::Ceil, UnOp::Trunc, UnOp::Round];

impl Maker {
    /// An expression of a type, about `depth` operators deep.
    pub(super) fn exp(&mut self, scope: &Scope, ty: PrimType, depth: usize) -> Exp {
        if depth == 0 || self.random.chance(1, 5) {
            return self.leaf(scope, ty);
        }
        match self.random.below(8) {
            0 => self.read_any(scope, ty).unwrap_or_else(|| self.leaf(scope, ty)),
            1 => {
                let from = self.any_type();
                let value = self.exp(scope, from, depth - 1);
                convert(ty, from, value)
            }
            2 => {
                let condition = self.exp(scope, PrimType::Bool, depth - 1);
                let (yes, no) = (self.exp(scope, ty, depth - 1), self.exp(scope, ty, depth - 1));
                Exp::Select(Box::new(condition), Box::new(yes), Box::new(no))
            }
            3 if ty.is_float() && self.random.chance(1, 3) => {
                let mut operand = || self.exp(scope, ty, depth - 1);
                fma(ty, operand(), operand(), operand())
            }
            3 | 4 => self.unary(scope, ty, depth - 1),
            _ => self.binary(scope, ty, depth - 1),
        }
    }

    fn leaf(&mut self, scope: &Scope, ty: PrimType) -> Exp {
        match self.random.pick_where(&scope.scalars, |scalar| scalar.ty == ty) {
            Some(scalar) if self.random.chance(3, 4) => Exp::Var(scalar.var),
            _ => Exp::Const(self.random.value(ty)),
        }
    }

    /// An element of some view.
    fn read_any(&mut self, scope: &Scope, ty: PrimType) -> Option<Exp> {
        let view =
            self.random.pick_where(&scope.views, |view| view.elem == ty && !view.shape.contains(&0))?;
        let view = view.clone();
        let indices = self.indices(scope, &view);
        Some(read(view.var, indices))
    }

    fn unary(&mut self, scope: &Scope, ty: PrimType, depth: usize) -> Exp {
        let (op, operand) = match ty {
            PrimType::Bool if self.random.chance(1, 2) => (UnOp::Not, ty),
            PrimType::Bool => (*self.random.pick(&[UnOp::IsNan, UnOp::IsInf]), PrimType::F64),
            PrimType::I32 if self.random.chance(1, 2) => {
                let ints = [PrimType::I8, PrimType::U16, PrimType::I32, PrimType::U64];
                (*self.random.pick(&[UnOp::Popc, UnOp::Clz, UnOp::Ctz]), *self.random.pick(&ints))
            }
            _ if ty.is_float() && self.random.chance(1, 10) => (UnOp::FromBits, bits_of(ty)),
            _ if ty.is_float() && self.random.chance(1, 3) => (*self.random.pick(&FLOAT_FUNCTIONS), ty),
            _ if ty.is_float() => (*self.random.pick(&SIMPLE_FUNCTIONS), ty),
            _ => (*self.random.pick(&[UnOp::Neg, UnOp::Not, UnOp::Abs, UnOp::Sgn]), ty),
        };
        let value = self.exp(scope, operand, depth);
        un(op, operand, value)
    }

    fn binary(&mut self, scope: &Scope, ty: PrimType, depth: usize) -> Exp {
        let operand = if ty == PrimType::Bool && self.random.chance(2, 3) { self.any_type() } else { ty };
        let op = match ty {
            PrimType::Bool if operand != PrimType::Bool => *self.random.pick(&COMPARISONS),
            PrimType::Bool => *self.random.pick(&[BinOp::And, BinOp::Or, BinOp::Xor, BinOp::Eq, BinOp::Lt]),
            _ if ty.is_float() => *self.random.pick(&FLOAT_OPS),
            _ if self.random.chance(1, 5) => return self.division(scope, ty, depth),
            _ => *self.random.pick(&INT_OPS),
        };
        let (left, right) = (self.exp(scope, operand, depth), self.exp(scope, operand, depth));
        bin(op, operand, left, right)
    }

    /// Division by a constant that is not zero, or a small power.
    fn division(&mut self, scope: &Scope, ty: PrimType, depth: usize) -> Exp {
        let left = self.exp(scope, ty, depth);
        if self.random.chance(1, 5) {
            return bin(BinOp::Pow, ty, left, Exp::Const(ty.of_i64(self.random.between(0, 5))));
        }
        let divisor = loop {
            let divisor = self.random.value(ty);
            if divisor.as_int() != Some(0) {
                break divisor;
            }
        };
        let op = *self.random.pick(&[BinOp::Div, BinOp::Mod, BinOp::Quot, BinOp::Rem]);
        bin(op, ty, left, Exp::Const(divisor))
    }

    /// Indices inside a view without empty dimensions.
    pub(super) fn indices(&mut self, scope: &Scope, view: &View) -> Vec<Exp> {
        view.shape.iter().map(|size| self.index(scope, *size)).collect()
    }

    fn index(&mut self, scope: &Scope, size: i64) -> Exp {
        let small = |bound: Option<i64>| bound.is_some_and(|bound| bound <= size);
        if self.random.chance(2, 3)
            && let Some(scalar) = self.random.pick_where(&scope.scalars, |scalar| small(scalar.below))
        {
            return Exp::Var(scalar.var);
        }
        if self.random.chance(1, 2) {
            return Exp::i64(self.random.between(0, size - 1));
        }
        let any = self.exp(scope, PrimType::I64, 1);
        bin(BinOp::Mod, PrimType::I64, any, Exp::i64(size))
    }

    /// The constant, or a variable with its value.
    pub(super) fn size(&mut self, scope: &Scope, size: i64) -> Exp {
        match self.random.pick_where(&scope.sizes, |(_, known)| *known == size) {
            Some((var, _)) if self.random.chance(2, 3) => Exp::Var(*var),
            _ => Exp::i64(size),
        }
    }
}

/// The unsigned integer that has as many bits as the float.
fn bits_of(ty: PrimType) -> PrimType {
    match ty.bits() {
        16 => PrimType::U16,
        32 => PrimType::U32,
        _ => PrimType::U64,
    }
}
