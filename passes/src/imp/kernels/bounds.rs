//! Sizes that an iteration decides, such as `2 * i64.min 50 (steps x) + 1`: what all iterations can do with.

use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use imp::ir::{Exp, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::BTreeMap;

/// Names and operations that are looked at for one size, at most.
const STEPS: u32 = 64;
/// Bounds beyond this are none: threads would have memory that they do not need.
const LARGEST: i64 = 4096;

/// The expressions of the names that statements give.
pub(super) struct Bounds(BTreeMap<Var, Exp>);

impl Bounds {
    pub(super) fn of(list: &[Statement]) -> Bounds {
        let mut named = BTreeMap::new();
        for_each_statement(list, &mut |statement| {
            if let StatementKind::Let { var, ty: PrimType::I64, value } = &statement.kind {
                named.insert(*var, value.clone());
            }
        });
        Bounds(named)
    }

    /// A constant that, unless arithmetic has wrapped, is no less than this.
    pub(super) fn most(&self, size: &Exp) -> Option<i64> {
        self.upper(size, &mut { STEPS }).filter(|most| (0..=LARGEST).contains(most))
    }

    fn upper(&self, exp: &Exp, left: &mut u32) -> Option<i64> {
        *left = left.checked_sub(1)?;
        match exp {
            Exp::Const(value) => value.as_i64(),
            Exp::Var(var) => self.upper(self.0.get(var)?, left),
            Exp::Bin(BinOp::Min, PrimType::I64, x, y) => match (self.upper(x, left), self.upper(y, left)) {
                (Some(x), Some(y)) => Some(x.min(y)),
                (x, y) => x.or(y),
            },
            Exp::Bin(op, PrimType::I64, x, y) => {
                let (x_most, y_most) = (self.upper(x, left)?, self.upper(y, left)?);
                match op {
                    BinOp::Max => Some(x_most.max(y_most)),
                    BinOp::Add => x_most.checked_add(y_most),
                    BinOp::Sub if is_constant(y) => x_most.checked_sub(y_most),
                    BinOp::Mul if is_constant(x) && x_most >= 0 || is_constant(y) && y_most >= 0 => {
                        x_most.checked_mul(y_most)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

fn is_constant(exp: &Exp) -> bool {
    matches!(exp, Exp::Const(_))
}
