//! What an iteration of a sweep does that is in neither the first row nor the first column.

use crate::imp::copy::constant;
use crate::imp::numbers::mirrored;
use crate::imp::sweeps::Sweep;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, UnOp};
use imp::ir::{Exp, Statement, StatementKind};
use std::collections::BTreeMap;

/// The middle of a sweep.
pub(super) struct Middle {
    /// Its first row and column: 1 where branches ask for it, and 0 otherwise.
    pub(super) first: [i64; 2],
    pub(super) body: Vec<Statement>,
}

impl Middle {
    pub(super) fn of(sweep: &Sweep<'_>) -> Middle {
        let mut deciding = Deciding { counters: [sweep.i, sweep.j], known: BTreeMap::new(), first: [0, 0] };
        for statement in sweep.prelude {
            deciding.learn(statement);
        }
        let body = deciding.statements(sweep.body);
        Middle { first: deciding.first, body }
    }
}

struct Deciding {
    /// Of rows and columns; both at least 1.
    counters: [Var; 2],
    /// Conditions with names that are known, and for which of the two that has to be so.
    known: BTreeMap<Var, (bool, [bool; 2])>,
    first: [i64; 2],
}

impl Deciding {
    fn learn(&mut self, statement: &Statement) {
        if let StatementKind::Let { var, ty: PrimType::Bool, value } = &statement.kind
            && let Some(known) = self.condition(value)
        {
            self.known.insert(*var, known);
        }
    }

    /// The statements without branches by conditions that are known.
    fn statements(&mut self, list: &[Statement]) -> Vec<Statement> {
        let mut left = Vec::with_capacity(list.len());
        for statement in list {
            self.learn(statement);
            let StatementKind::If { condition, then, otherwise } = &statement.kind else {
                left.push(statement.clone());
                continue;
            };
            if let Some((holds, asked)) = self.condition(condition) {
                for (first, asked) in self.first.iter_mut().zip(asked) {
                    *first |= i64::from(asked);
                }
                left.append(&mut self.statements(if holds { then } else { otherwise }));
            } else {
                let (condition, then, otherwise) =
                    (condition.clone(), self.statements(then), self.statements(otherwise));
                let kind = StatementKind::If { condition, then, otherwise };
                left.push(Statement { kind, loc: statement.loc });
            }
        }
        left
    }

    /// Whether a condition holds, if that is known.
    fn condition(&self, exp: &Exp) -> Option<(bool, [bool; 2])> {
        match exp {
            Exp::Const(value) => value.as_bool().map(|holds| (holds, [false; 2])),
            Exp::Var(var) => self.known.get(var).copied(),
            Exp::Un(UnOp::Not, PrimType::Bool, x) => self.condition(x).map(|(holds, asked)| (!holds, asked)),
            Exp::Bin(op @ (BinOp::And | BinOp::Or), PrimType::Bool, x, y) => {
                // one of the two decides if it is this
                let deciding = *op == BinOp::Or;
                match (self.condition(x), self.condition(y)) {
                    (Some((x, asked)), _) if x == deciding => Some((deciding, asked)),
                    (_, Some((y, asked))) if y == deciding => Some((deciding, asked)),
                    (Some((x, one)), Some((_, other))) => Some((x, [one[0] || other[0], one[1] || other[1]])),
                    _ => None,
                }
            }
            Exp::Bin(op, PrimType::I64, x, y) => {
                let counter = |exp: &Exp| self.counters.iter().position(|counter| *exp == Exp::Var(*counter));
                // the counter on the left
                let (at, op, number) = match (counter(x), counter(y)) {
                    (Some(at), _) => (at, *op, constant(y)?),
                    (_, Some(at)) => (at, mirrored(*op), constant(x)?),
                    _ => return None,
                };
                let holds = match (op, number) {
                    (BinOp::Eq | BinOp::Le, 0) | (BinOp::Lt, 1) => false,
                    (BinOp::Ne | BinOp::Gt, 0) | (BinOp::Ge, 1) => true,
                    _ => return None,
                };
                Some((holds, [at == 0, at == 1]))
            }
            _ => None,
        }
    }
}
