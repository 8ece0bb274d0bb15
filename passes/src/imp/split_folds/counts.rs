//! Counts in the lanes of a fold: sums of bools as numbers.
//!
//! ```text
//! for p < quot.i64(add.i64(rounds, 126), 127) seq {
//!   let first = mul.i64(p, 127)
//!   for l < 256 simd { counts[l] := 0 }
//!   for r < min.i64(127, sub.i64(rounds, first)) seq {
//!     for l < 256 simd { … let b = ne.u8(x, y)   let c : i8 = convert.i8.bool(b)   counts[l] := add.i8(counts[l], c) }
//!   }
//!   for l < 256 simd { lanes[l] := add.i64(lanes[l], convert.i64.i8(counts[l])) }
//! }
//! ```

use super::{Accumulator, uses};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, UnOp};
use imp::build::{Builder, bin, read};
use imp::ir::{Exp, LoopKind, Statement, StatementKind};

/// What an accumulator counts.
pub(super) struct Count {
    /// The type of its counters: integers as wide as what is compared.
    pub(super) ty: PrimType,
    /// The variable with the number of a bool, where it has a name.
    number: Option<Var>,
    /// The variable with the sum, where it has a name.
    sum: Option<Var>,
    accumulator: Var,
}

impl Count {
    /// If an accumulator of the body of a fold counts something narrower than itself.
    pub(super) fn of(body: &[Statement], accumulator: &Accumulator) -> Option<Count> {
        let mut assigned = body.iter().filter_map(|statement| match &statement.kind {
            StatementKind::Assign { var, value } if *var == accumulator.var => Some(value),
            _ => None,
        });
        let value = assigned.next()?;
        let (sum, value) = match value {
            Exp::Var(sum) => (Some(*sum), named(body, *sum)?),
            _ => (None, value),
        };
        let Exp::Bin(BinOp::Add, ty, x, y) = value else { return None };
        let addend = if **x == Exp::Var(accumulator.var) { y } else { x };
        let (number, addend) = match &**addend {
            Exp::Var(number) if uses(body, *number) == 1 => (Some(*number), named(body, *number)?),
            addend => (None, addend),
        };
        let Exp::Convert { from: PrimType::Bool, value, .. } = addend else { return None };
        let counted = match bytes_compared(body, value)? {
            1 => PrimType::I8,
            2 => PrimType::I16,
            4 => PrimType::I32,
            _ => return None,
        };
        let narrower = ty.is_int() && counted.bits() < ty.bits();
        narrower.then_some(Count { ty: counted, number, sum, accumulator: accumulator.var })
    }

    /// As many rounds are counted before the count might wrap.
    pub(super) fn most(&self) -> i64 {
        (1 << (self.ty.bits() - 1)) - 1
    }

    /// Counts in few bits in a copy of the body.
    pub(super) fn narrow(&self, body: &mut [Statement]) {
        for statement in body {
            match &mut statement.kind {
                StatementKind::Let { var, ty, value }
                    if Some(*var) == self.number || Some(*var) == self.sum =>
                {
                    *ty = self.ty;
                    self.narrow_exp(value);
                }
                StatementKind::Assign { var, value } if *var == self.accumulator => self.narrow_exp(value),
                _ => {}
            }
        }
    }

    fn narrow_exp(&self, exp: &mut Exp) {
        match exp {
            Exp::Bin(_, ty, x, y) => {
                *ty = self.ty;
                self.narrow_exp(x);
                self.narrow_exp(y);
            }
            Exp::Convert { to, .. } => *to = self.ty,
            _ => {}
        }
    }
}

/// The value of a `let` of the body.
fn named(body: &[Statement], name: Var) -> Option<&Exp> {
    body.iter().find_map(|statement| match &statement.kind {
        StatementKind::Let { var, value, .. } if *var == name => Some(value),
        _ => None,
    })
}

/// The most bytes of what is compared for a bool.
fn bytes_compared(body: &[Statement], exp: &Exp) -> Option<u32> {
    match exp {
        Exp::Var(var) => named(body, *var).and_then(|value| bytes_compared(body, value)),
        Exp::Const(_) | Exp::Read { .. } => Some(1),
        Exp::Bin(_, PrimType::Bool, x, y) => Some(bytes_compared(body, x)?.max(bytes_compared(body, y)?)),
        Exp::Bin(_, ty, ..) | Exp::Un(UnOp::IsNan, ty, _) => Some(ty.bytes()),
        Exp::Un(_, PrimType::Bool, x) => bytes_compared(body, x),
        _ => None,
    }
}

/// Counters begin again.
pub(super) fn clear(counts: &[Option<Count>], counters: &[Option<Var>], lanes: &Exp, b: &mut Builder) {
    b.for_("l", lanes.clone(), LoopKind::Simd, |b, l| {
        for (count, counter) in counts.iter().flatten().zip(counters.iter().flatten()) {
            b.write(*counter, vec![l.into()], Exp::Const(count.ty.zero()));
        }
    });
}

/// What was counted is added to the totals.
pub(super) fn add<'a>(
    totals: impl Iterator<Item = (&'a Accumulator, &'a Var)>,
    counts: &[Option<Count>],
    counters: &[Option<Var>],
    lanes: &Exp,
    b: &mut Builder,
) {
    b.for_("l", lanes.clone(), LoopKind::Simd, |b, l| {
        for ((total, view), (count, counter)) in totals.zip(counts.iter().zip(counters)) {
            let (Some(count), Some(counter)) = (count, counter) else { continue };
            let counted = Exp::Convert {
                to: total.ty,
                from: count.ty,
                value: Box::new(read(*counter, vec![l.into()])),
            };
            let sum = bin(BinOp::Add, total.ty, read(*view, vec![l.into()]), counted);
            b.write(*view, vec![l.into()], sum);
        }
    });
}
