//! Sizes that an iteration decides, such as `2 * i64.min 50 (steps x) + 1`: what all iterations can do with.

use super::body::is_size;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use imp::build::bin;
use imp::ir::{Exp, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

/// Names that are looked up for one size, at most.
const MOST: u32 = 64;

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

    /// A number that is the same in all iterations and, unless arithmetic has wrapped, no less than this one; `inner` is what may differ between them.
    pub(super) fn most(&self, size: &Exp, inner: &BTreeSet<Var>) -> Option<Exp> {
        let most = self.upper(size, inner, &mut { MOST })?;
        is_size(&most, inner).then_some(most)
    }

    fn upper(&self, exp: &Exp, inner: &BTreeSet<Var>, left: &mut u32) -> Option<Exp> {
        *left = left.checked_sub(1)?;
        match exp {
            _ if is_size(exp, inner) => Some(exp.clone()),
            Exp::Var(var) => self.upper(self.0.get(var)?, inner, left),
            Exp::Bin(op, PrimType::I64, x, y) => {
                let mut of = |exp: &Exp| self.upper(exp, inner, left);
                match op {
                    BinOp::Min => match (of(x), of(y)) {
                        (Some(x), Some(y)) => Some(bin(BinOp::Min, PrimType::I64, x, y)),
                        (x, y) => x.or(y),
                    },
                    BinOp::Max | BinOp::Add => Some(bin(*op, PrimType::I64, of(x)?, of(y)?)),
                    BinOp::Sub if is_size(y, inner) => {
                        Some(bin(BinOp::Sub, PrimType::I64, of(x)?, Exp::clone(y)))
                    }
                    BinOp::Mul => {
                        let (factor, other) = if is_positive(x) { (x, y) } else { (y, x) };
                        is_positive(factor).then_some(())?;
                        let factor = Exp::clone(factor);
                        Some(bin(BinOp::Mul, PrimType::I64, factor, of(other)?))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

fn is_positive(exp: &Exp) -> bool {
    super::super::copy::constant(exp).is_some_and(|n| n > 0)
}
