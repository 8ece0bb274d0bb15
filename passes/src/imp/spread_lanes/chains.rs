//! How long an iteration of an inner loop waits for what the one before it computes.
//!
//! ```text
//! for k < m - 1 seq {
//!   let t : f64 = mul.f64(0.7, y[k])
//!   y[k + 1] := add.f64(x[k], t)         a load, a product, a sum and a store: what is read of x is there before
//! }
//! ```

use crate::imp::fuse_loops::access::Places;
use crate::imp::numbers::Numbers;
use crate::imp::split_folds::accumulators;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, UnOp};
use fun_index::poly::Poly;
use imp::ir::{Exp, LoopKind, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::BTreeMap;

/// Cycles from a store to what is loaded of it.
const STORE_TO_LOAD: i64 = 4;

/// The cycles of the longest chain from one iteration to the next; 0 if none waits for another.
pub(super) fn wait(
    counter: Var,
    kind: LoopKind,
    body: &[Statement],
    places: &Places,
    numbers: &Numbers,
) -> i64 {
    if kind.is_parallel() || (kind == LoopKind::Fold && accumulators(body).is_some()) {
        return 0;
    }
    let mut chain =
        Chain { counter, places, numbers, written: Vec::new(), depths: BTreeMap::new(), longest: 0 };
    let mut declared = Vec::new();
    for_each_statement(body, &mut |statement| {
        declared.extend(statement.kind.declares());
        if let StatementKind::Write { view, indices, .. } | StatementKind::Accumulate { view, indices, .. } =
            &statement.kind
        {
            chain.written.push((*view, indices.clone()));
        }
    });
    for_each_statement(body, &mut |statement| {
        if let StatementKind::Assign { var, .. } = &statement.kind
            && !declared.contains(var)
        {
            chain.depths.insert(*var, 0);
        }
    });
    let carried: Vec<Var> = chain.depths.keys().copied().collect();
    chain.statements(body, &carried);
    chain.longest
}

struct Chain<'c> {
    counter: Var,
    places: &'c Places,
    numbers: &'c Numbers,
    written: Vec<(Var, Vec<Exp>)>,
    /// When what depends on the iteration before is there, in cycles from when that is.
    depths: BTreeMap<Var, i64>,
    longest: i64,
}

impl Chain<'_> {
    fn statements(&mut self, body: &[Statement], carried: &[Var]) {
        for statement in body {
            match &statement.kind {
                StatementKind::Let { var, value, .. }
                | StatementKind::Declare { var, value: Some(value), .. } => {
                    if let Some(depth) = self.exp(value) {
                        self.depths.insert(*var, depth);
                    }
                }
                StatementKind::Assign { var, value } => {
                    let Some(depth) = self.exp(value) else { continue };
                    if carried.contains(var) {
                        self.longest = self.longest.max(depth);
                    } else {
                        let known = self.depths.entry(*var).or_insert(depth);
                        *known = (*known).max(depth);
                    }
                }
                StatementKind::Write { value, .. } | StatementKind::Accumulate { value, .. } => {
                    self.longest = self.longest.max(self.exp(value).unwrap_or(0));
                }
                _ => {}
            }
            statement.kind.for_each_body(&mut |inner| self.statements(inner, carried));
        }
    }

    fn exp(&self, exp: &Exp) -> Option<i64> {
        match exp {
            Exp::Var(var) => self.depths.get(var).copied(),
            Exp::Read { view, indices } => self.is_of_earlier(*view, indices).then_some(STORE_TO_LOAD),
            _ => {
                let mut depth = None;
                exp.for_each_child(&mut |child| depth = depth.max(self.exp(child)));
                depth.map(|depth| depth + cycles(exp))
            }
        }
    }

    /// Whether an earlier iteration writes the cell.
    fn is_of_earlier(&self, view: Var, indices: &[Exp]) -> bool {
        let address = |view: Var, indices: &[Exp]| -> Option<Poly> {
            self.numbers.address(self.places.place(view)?.2, indices)
        };
        let Some(read) = address(view, indices) else { return false };
        let step = read.step(self.counter).as_constant().unwrap_or(0);
        self.written.iter().any(|(other, at)| {
            self.places.in_one_block(view, *other).is_some()
                && address(*other, at).is_some_and(|written| {
                    let ahead = written.sub(&read).as_constant().unwrap_or(0);
                    step == written.step(self.counter).as_constant().unwrap_or(0)
                        && ahead.signum() * step.signum() > 0
                })
        })
    }
}

/// How many cycles an operator takes, about.
fn cycles(exp: &Exp) -> i64 {
    match exp {
        Exp::Bin(op, ty, ..) => match op {
            BinOp::Div | BinOp::Quot | BinOp::Rem | BinOp::Mod => 12,
            BinOp::Pow | BinOp::Atan2 | BinOp::Hypot => 40,
            _ if ty.is_float() => 4,
            BinOp::Mul => 3,
            _ => 1,
        },
        Exp::Un(op, ty, _) => match op {
            UnOp::Sqrt => 16,
            UnOp::Neg | UnOp::Not | UnOp::Abs | UnOp::ToBits | UnOp::FromBits => 1,
            _ if *ty == PrimType::Bool || ty.is_int() => 1,
            _ => 40,
        },
        Exp::Fma(..) | Exp::Convert { .. } => 4,
        _ => 1,
    }
}
