//! Remainders of the places beside a point are comparisons: dividing 64 bits takes long. For kernels, and for what `split-rims` leaves of them.
//!
//! ```text
//! for i < n par { let x = add.i64(i, 1) let at = mod.i64(x, n) … }
//! ```
//! becomes
//! ```text
//! for i < n par { let x = add.i64(i, 1) let at = select(lt.i64(x, n), x, sub.i64(x, n)) … }
//! ```
//! and so do `i + n - 1` and `i - 1`. What lies `c` places away, up to four, is at most `c` times the bound away, as that may be 1: so many comparisons say how often.
//!
//! Legal as `i` is from 0 to below `n` there, and all points are run, so `n` is far below what sums could wrap around at.

use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use imp::build::{bin, convert};
use imp::ir::{Exp, LoopKind, Procedure, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

const I64: PrimType = PrimType::I64;

/// Farther away than this a division takes no longer.
const NEAR: i64 = 4;
/// Farther away than this nothing is known.
const FAR: i64 = 1 << 31;

/// A counter, so many times its bound, and so much more.
#[derive(Clone, Copy)]
struct Place {
    counter: Var,
    bounds: i64,
    more: i64,
}

/// What is known where a statement stands.
struct Points {
    /// Variables that are assigned somewhere.
    changing: BTreeSet<Var>,
    /// Counters of loops that run all of their points, with their bounds.
    counters: BTreeMap<Var, Exp>,
    places: BTreeMap<Var, Place>,
}

/// Writes the remainders in the parallel loops of a procedure as comparisons.
pub(super) fn in_procedure(procedure: &mut Procedure) {
    let mut changing = BTreeSet::new();
    for_each_statement(&procedure.body, &mut |statement| match &statement.kind {
        StatementKind::Assign { var, .. } => _ = changing.insert(*var),
        StatementKind::Call { results, .. } => changing.extend(results),
        _ => {}
    });
    Points { changing, counters: BTreeMap::new(), places: BTreeMap::new() }.statements(&mut procedure.body);
}

impl Points {
    fn statements(&mut self, list: &mut [Statement]) {
        for statement in list {
            statement.kind.for_each_exp_mut(&mut |exp| self.rewrite(exp));
            match &mut statement.kind {
                StatementKind::For {
                    var,
                    ty: I64,
                    bound,
                    kind: LoopKind::Par | LoopKind::Simd | LoopKind::Fold,
                    ..
                } if self.is_fixed(bound) => {
                    self.counters.insert(*var, bound.clone());
                }
                StatementKind::Let { var, ty: I64, value } => {
                    let place = self.place(value);
                    self.places.extend(place.map(|place| (*var, place)));
                }
                _ => {}
            }
            statement.kind.for_each_body_mut(&mut |body| self.statements(body));
        }
    }

    fn is_fixed(&self, bound: &Exp) -> bool {
        match bound {
            Exp::Var(var) => !self.changing.contains(var),
            Exp::Const(_) => true,
            _ => false,
        }
    }

    /// Which place a number is, if it is one beside a counter.
    fn place(&self, exp: &Exp) -> Option<Place> {
        match exp {
            Exp::Var(var) if self.counters.contains_key(var) => {
                Some(Place { counter: *var, bounds: 0, more: 0 })
            }
            Exp::Var(var) => self.places.get(var).copied(),
            Exp::Bin(op @ (BinOp::Add | BinOp::Sub), I64, x, y) => {
                let (of, by, commutes) = match self.place(x) {
                    Some(of) => (of, y, *op == BinOp::Add),
                    None => (self.place(y).filter(|_| *op == BinOp::Add)?, x, true),
                };
                if commutes && self.counters.get(&of.counter) == Some(&**by) {
                    return Some(Place { bounds: of.bounds + 1, ..of });
                }
                let Exp::Const(by) = &**by else { return None };
                let by = by.as_i64().filter(|by| (-FAR..FAR).contains(by))?;
                let more = if *op == BinOp::Add { of.more + by } else { of.more - by };
                (-FAR..FAR).contains(&more).then_some(Place { more, ..of })
            }
            _ => None,
        }
    }

    fn rewrite(&self, exp: &mut Exp) {
        exp.for_each_child_mut(&mut |child| self.rewrite(child));
        let Exp::Bin(BinOp::Mod, I64, x, by) = &*exp else { return };
        let Some(Place { counter, bounds, more }) = self.place(x) else { return };
        if self.counters.get(&counter) != Some(&**by) {
            return;
        }
        let (x, n) = ((**x).clone(), (**by).clone());
        let choice = |condition: Exp, yes: Exp, no: Exp| Exp::Select(condition.into(), yes.into(), no.into());
        let from_start = |x: Exp| {
            choice(bin(BinOp::Lt, I64, x.clone(), n.clone()), x.clone(), bin(BinOp::Sub, I64, x, n.clone()))
        };
        if (bounds, more) == (1, -1) {
            *exp = from_start(x);
            return;
        }
        // what lies so many bounds and places beside the counter, without the bounds
        let x = (0..bounds).fold(x, |x, _| bin(BinOp::Sub, I64, x, n.clone()));
        let times = |k: i64| bin(BinOp::Mul, I64, n.clone(), Exp::i64(k));
        let bounds_off = |tests: Vec<Exp>| {
            let count = |test| convert(I64, PrimType::Bool, test);
            let all = tests.into_iter().map(count).reduce(|sum, test| bin(BinOp::Add, I64, sum, test));
            bin(BinOp::Mul, I64, n.clone(), all.unwrap_or(Exp::i64(0)))
        };
        *exp = match more {
            0 => x,
            1 => from_start(x),
            -1 => choice(
                bin(BinOp::Lt, I64, x.clone(), Exp::i64(0)),
                bin(BinOp::Add, I64, x.clone(), n.clone()),
                x,
            ),
            2..=NEAR => {
                let passed = (1..=more).map(|k| bin(BinOp::Ge, I64, x.clone(), times(k))).collect();
                bin(BinOp::Sub, I64, x, bounds_off(passed))
            }
            _ if (-NEAR..=-2).contains(&more) => {
                let missing = (0..-more)
                    .map(|k| bin(BinOp::Lt, I64, bin(BinOp::Add, I64, x.clone(), times(k)), Exp::i64(0)));
                let missing = missing.collect();
                bin(BinOp::Add, I64, x, bounds_off(missing))
            }
            _ => return,
        };
    }
}
