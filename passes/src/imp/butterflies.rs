//! Loops that read what is at their counter with some bits flipped, as sorting networks and Fourier transforms do, run in blocks of neighbours.
//!
//! ```text
//! for i < n par { let x = xor.i64(k, i)   assert x < n   b[i] := min(a[i], a[x]) }
//! ```
//! becomes
//! ```text
//! if le.i64(16, n) {
//!   let aligned = eq.i64(and.i64(k, 15), 0)
//!   for r < shr.i64(n, 4) par {
//!     let first = mul.i64(r, 16)
//!     let flipped = xor.i64(and.i64(k, -16), first)
//!     if and(le.i64(0, flipped), lt.i64(add.i64(flipped, 15), n)) {
//!       if aligned { for l < 16 simd { let i = add.i64(first, l)   let x = add.i64(flipped, l)   b[i] := min(a[i], a[x]) } }
//!       else {
//!         for l < 16 seq { cells[l] := a[xor.i64(k, add.i64(first, l))] }
//!         for l < 16 simd { let i = add.i64(first, l)   b[i] := min(a[i], cells[l]) }
//!       }
//!     } else { for l < 16 seq { … as before } }
//!   }
//!   for l < and.i64(n, 15) seq { … the iterations that fill no block, as before }
//! } else { … the loop as before }
//! ```
//! A block whose lowest bits are not flipped reads neighbours from a place that one number says; another one reads the cells of one such place in another order. Either way one look at the place of the
//! block is enough to know that all of them are there, and the rest runs in vectors.
//!
//! Legal where iterations may run in any order, as those of `par` loops may (I6); that an index is there is asked as before, for all of a block at once. Done for innermost loops in which nothing else stops the
//! program.
//!
//! Requires and ensures I1–I10. Cost: linear in the size of the program; a loop of at most 60 statements is written five times.

use super::convert_branches::convert_in_lanes;
use super::copy::{can_fail, count, declared_in, fresh, replace};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use imp::build::{Builder, bin, read};
use imp::ir::{Exp, LoopKind, Program, Space, Statement, StatementKind};
use imp::visit::{for_each_statement, names_after};
use std::collections::{BTreeMap, BTreeSet};

/// Statements of a loop that is written five times.
const MOST_STATEMENTS: usize = 60;
const I64: PrimType = PrimType::I64;
const BOOL: PrimType = PrimType::Bool;

/// Cuts such loops into blocks of 16 iterations: a vector of small numbers on any machine.
pub fn run(program: Program) -> Program {
    cut(program, 4)
}

/// The same in blocks of two, for tests.
pub fn run_small(program: Program) -> Program {
    cut(program, 1)
}

fn cut(mut program: Program, log_block: i64) -> Program {
    let mut b = Builder::new(names_after(&program));
    for procedure in &mut program.procedures {
        statements(&mut procedure.body, log_block, &mut b);
    }
    program
}

fn statements(list: &mut [Statement], log_block: i64, b: &mut Builder) {
    for statement in list {
        let StatementKind::For { var, ty: I64, bound, kind: LoopKind::Par | LoopKind::Simd, body } =
            &statement.kind
        else {
            statement.kind.for_each_body_mut(&mut |body| statements(body, log_block, b));
            continue;
        };
        match Flips::of(*var, bound, body, log_block) {
            Some(flips) => {
                let outer = b.begin();
                b.loc = statement.loc;
                flips.blocks(b);
                let then = b.end(outer);
                let condition = bin(BinOp::Le, I64, Exp::i64(flips.block()), bound.clone());
                statement.kind = StatementKind::If { condition, then, otherwise: vec![statement.clone()] };
            }
            None => statement.kind.for_each_body_mut(&mut |body| statements(body, log_block, b)),
        }
    }
}

/// A loop whose counter has bits flipped.
struct Flips<'s> {
    counter: Var,
    bound: &'s Exp,
    body: &'s [Statement],
    log_block: i64,
    /// The variables that are the counter with bits flipped, and which.
    flipped: BTreeMap<Var, &'s Exp>,
    /// The bits, each with a number that the counter with these flipped is asked to be below, by a `let` of its own. A block is looked at for all of these, and for being above 0.
    limits: Vec<(&'s Exp, &'s Exp)>,
    /// What the counter is masked with.
    masks: Vec<&'s Exp>,
    /// What the body declares or assigns.
    changing: BTreeSet<Var>,
}

impl<'s> Flips<'s> {
    /// Of a loop that is such a one.
    fn of(counter: Var, bound: &'s Exp, body: &'s [Statement], log_block: i64) -> Option<Flips<'s>> {
        let mut changing = declared_in(body);
        changing.insert(counter);
        // (the bound is looked at again behind the blocks)
        let mut straight = count(body) <= MOST_STATEMENTS && !bound.reads();
        for_each_statement(body, &mut |statement| {
            if let StatementKind::Assign { var, .. } = &statement.kind {
                changing.insert(*var);
            }
            statement.kind.for_each_exp(&mut |exp| straight &= !can_fail(exp));
            straight &= matches!(
                statement.kind,
                StatementKind::Let { .. }
                    | StatementKind::Declare { .. }
                    | StatementKind::Assign { .. }
                    | StatementKind::Write { .. }
                    | StatementKind::Assert { .. }
                    | StatementKind::If { .. }
            );
        });
        if !straight {
            return None;
        }
        let (flipped, limits, masks) = (BTreeMap::new(), Vec::new(), Vec::new());
        let mut flips = Flips { counter, bound, body, log_block, flipped, limits, masks, changing };
        for statement in body {
            let StatementKind::Let { var, value, .. } = &statement.kind else { continue };
            match value {
                Exp::Bin(BinOp::Xor, I64, x, y) => {
                    if let Some(bits) = flips.beside_counter(x, y) {
                        flips.flipped.insert(*var, bits);
                    }
                }
                Exp::Bin(BinOp::And, I64, x, y) => {
                    let mask = flips.beside_counter(x, y).filter(|mask| matches!(mask, Exp::Var(_)));
                    flips.masks.extend(mask.filter(|mask| !flips.masks.contains(mask)));
                }
                Exp::Bin(BinOp::Lt, I64, x, limit) if flips.is_fixed(limit) => {
                    let bits = if let Exp::Var(x) = **x { flips.flipped.get(&x) } else { None };
                    flips.limits.extend(bits.map(|bits| (*bits, &**limit)));
                }
                _ => {}
            }
        }
        let mut known = BTreeSet::new();
        let stops = |statement: &Statement| matches!(statement.kind, StatementKind::Assert { .. });
        let mut inside = body.to_vec();
        flips.hold(&mut inside, &mut known);
        let mut fails = false;
        for_each_statement(&inside, &mut |statement| fails |= stops(statement));
        (flips.are_read() && !fails).then_some(flips)
    }

    /// Whether something is read at the counter with bits flipped. (Where numbers are drawn from it, vectors need no blocks.)
    fn are_read(&self) -> bool {
        let mut found = false;
        for_each_statement(self.body, &mut |statement| {
            statement.kind.for_each_exp(&mut |exp| {
                exp.for_each_read(&mut |_, indices| {
                    found |= indices
                        .iter()
                        .any(|index| matches!(index, Exp::Var(var) if self.flipped.contains_key(var)));
                });
            });
        });
        found
    }

    /// Whether an expression is a number that is the same in all iterations.
    fn is_fixed(&self, exp: &Exp) -> bool {
        match exp {
            Exp::Var(var) => !self.changing.contains(var),
            Exp::Const(_) => true,
            _ => false,
        }
    }

    /// The operand that is the same in all iterations, if the other one is the counter.
    fn beside_counter<'e>(&self, x: &'e Exp, y: &'e Exp) -> Option<&'e Exp> {
        let counter = Exp::Var(self.counter);
        let other = if *x == counter { y } else { x };
        ((*x == counter || *y == counter) && self.is_fixed(other)).then_some(other)
    }

    fn block(&self) -> i64 {
        1 << self.log_block
    }

    /// The bits that are flipped.
    fn bits(&self) -> Vec<&'s Exp> {
        let mut bits: Vec<&Exp> = Vec::new();
        for one in self.flipped.values() {
            if !bits.contains(one) {
                bits.push(one);
            }
        }
        bits
    }

    /// The loop over blocks, and what is left.
    fn blocks(&self, b: &mut Builder) {
        let (size, mask) = (Exp::i64(self.block()), Exp::i64(self.block() - 1));
        let bits = self.bits();
        let mut looked_at = bits.clone();
        looked_at.extend(self.masks.iter().filter(|mask| !bits.contains(mask)));
        let any = looked_at.into_iter().cloned().reduce(|x, y| bin(BinOp::Or, I64, x, y));
        let low = bin(BinOp::And, I64, any.unwrap_or(Exp::i64(0)), mask.clone());
        let aligned = b.let_("aligned", BOOL, bin(BinOp::Eq, I64, low, Exp::i64(0)));
        let blocks =
            b.let_("blocks", I64, bin(BinOp::Shr, I64, self.bound.clone(), Exp::i64(self.log_block)));
        b.for_("r", blocks, LoopKind::Par, |b, r| {
            let first = b.let_("first", I64, bin(BinOp::Mul, I64, r, size.clone()));
            let places: Vec<(&Exp, Var)> = bits
                .iter()
                .map(|bits| {
                    let high = bin(BinOp::And, I64, (*bits).clone(), Exp::i64(-self.block()));
                    (*bits, b.let_("flipped", I64, bin(BinOp::Xor, I64, high, first)))
                })
                .collect();
            let (inside, ()) = b.nested(|b| {
                let (then, ()) = b.nested(|b| self.neighbours(first, &places, b));
                let (otherwise, ()) = b.nested(|b| self.in_another_order(first, b));
                b.push(StatementKind::If { condition: aligned.into(), then, otherwise });
            });
            let (otherwise, ()) = b.nested(|b| self.in_order(size.clone(), first.into(), b));
            match self.is_inside(&places) {
                Some(condition) => b.push(StatementKind::If { condition, then: inside, otherwise }),
                None => b.push_all(inside),
            }
        });
        let unblocked = b.let_("unblocked", I64, bin(BinOp::And, I64, self.bound.clone(), mask));
        self.in_order(unblocked.into(), bin(BinOp::Sub, I64, self.bound.clone(), unblocked), b);
    }

    /// Whether all places of a block are where they are asked to be.
    fn is_inside(&self, places: &[(&Exp, Var)]) -> Option<Exp> {
        let conditions = self.limits.iter().filter_map(|(bits, limit)| {
            let (_, place) = places.iter().find(|(other, _)| other == bits)?;
            // (a multiple of the size of a block: the last one does not wrap)
            let last = bin(BinOp::Add, I64, *place, Exp::i64(self.block() - 1));
            let above = bin(BinOp::Le, I64, Exp::i64(0), *place);
            Some(bin(BinOp::And, BOOL, above, bin(BinOp::Lt, I64, last, (*limit).clone())))
        });
        conditions.reduce(|x, y| bin(BinOp::And, BOOL, x, y))
    }

    /// A block whose lowest bits stay, and are not looked at.
    fn neighbours(&self, first: Var, places: &[(&Exp, Var)], b: &mut Builder) {
        let mut body = self.body.to_vec();
        self.hold(&mut body, &mut BTreeSet::new());
        // what is the same for the block comes before it
        let (mut same, mut rest) = (BTreeSet::new(), Vec::new());
        let body = fresh(&body, &mut b.names);
        let inside = declared_in(&body);
        for mut statement in body {
            if let StatementKind::Let { var, ty, value } = &mut statement.kind {
                if let Exp::Bin(BinOp::And, I64, x, y) = &*value
                    && let Some(mask) = self.beside_counter(x, y).filter(|mask| self.masks.contains(mask))
                {
                    *value = bin(BinOp::And, I64, mask.clone(), first);
                }
                let mut is_same = !value.reads() && !matches!(value, Exp::Const(_)) && *ty != PrimType::Unit;
                value.for_each_var(&mut |var| {
                    is_same &= same.contains(&var) || !inside.contains(&var) && !self.changing.contains(&var);
                });
                if is_same {
                    same.insert(*var);
                    b.push_all(vec![statement]);
                    continue;
                }
            }
            rest.push(statement);
        }
        let decided = |statement: &Statement| matches!(&statement.kind, StatementKind::If { condition: Exp::Var(var), .. } if same.contains(var));
        let Some(at) = rest.iter().position(decided) else {
            return self.neighbours_in_lanes(&rest, first, places, b);
        };
        let StatementKind::If { condition, then, otherwise } = rest[at].kind.clone() else { return };
        let mut either = |way: Vec<Statement>| {
            let mut body = rest.clone();
            body.splice(at..=at, way);
            let (statements, ()) = b.nested(|b| self.neighbours_in_lanes(&body, first, places, b));
            statements
        };
        let (then, otherwise) = (either(then), either(otherwise));
        b.push(StatementKind::If { condition, then, otherwise });
    }

    fn neighbours_in_lanes(&self, body: &[Statement], first: Var, places: &[(&Exp, Var)], b: &mut Builder) {
        b.for_("l", Exp::i64(self.block()), LoopKind::Simd, |b, l| {
            let mut body = body.to_vec();
            for statement in &mut body {
                if let StatementKind::Let { value: value @ Exp::Bin(BinOp::Xor, ..), .. } =
                    &mut statement.kind
                    && let Exp::Bin(BinOp::Xor, I64, x, y) = &*value
                    && let Some(bits) = self.beside_counter(x, y)
                    && let Some((_, place)) = places.iter().find(|(other, _)| *other == bits)
                {
                    *value = bin(BinOp::Add, I64, *place, l);
                }
            }
            self.iteration(&body, first.into(), l, b);
        });
    }

    /// A block whose cells come in another order, which is put right first.
    fn in_another_order(&self, first: Var, b: &mut Builder) {
        let mut body = self.body.to_vec();
        self.hold(&mut body, &mut BTreeSet::new());
        let (mut blocks, mut cells) = (Vec::new(), BTreeMap::new());
        for statement in &body {
            match &statement.kind {
                StatementKind::Let { var, ty, value: Exp::Read { view, indices } }
                    if *ty != PrimType::Unit =>
                {
                    let [Exp::Var(x)] = indices[..] else { continue };
                    let Some(bits) = self.flipped.get(&x) else { continue };
                    let block = b.alloc(var.text, *ty, vec![Exp::i64(self.block())], Space::Stack);
                    let place = Lmad::row_major(Poly::constant(0), &[Poly::constant(self.block())]);
                    cells.insert(*var, (b.view(var.text, *ty, block, place), *view, (*bits).clone()));
                    blocks.push(block);
                }
                StatementKind::Let { .. } | StatementKind::Declare { .. } | StatementKind::Assign { .. } => {}
                // what follows may read what this wrote
                _ => break,
            }
        }
        b.for_("l", Exp::i64(self.block()), LoopKind::Seq, |b, l| {
            for (cell, view, bits) in cells.values() {
                let x = bin(BinOp::Xor, I64, bits.clone(), bin(BinOp::Add, I64, first, l));
                b.write(*cell, vec![l.into()], read(*view, vec![x]));
            }
        });
        b.for_("l", Exp::i64(self.block()), LoopKind::Simd, |b, l| {
            for statement in &mut body {
                if let StatementKind::Let { var, value, .. } = &mut statement.kind
                    && let Some((cell, ..)) = cells.get(var)
                {
                    *value = read(*cell, vec![l.into()]);
                }
            }
            let body = convert_in_lanes(body, b);
            self.iteration(&body, first.into(), l, b);
        });
        blocks.into_iter().for_each(|block| b.push(StatementKind::Free(block)));
    }

    /// Some iterations one after the other, as they were.
    fn in_order(&self, number: Exp, first: Exp, b: &mut Builder) {
        b.for_("l", number, LoopKind::Seq, |b, l| self.iteration(self.body, first, l, b));
    }

    fn iteration(&self, body: &[Statement], first: Exp, l: Var, b: &mut Builder) {
        let i = b.let_("i", I64, bin(BinOp::Add, I64, first, l));
        let mut body = fresh(body, &mut b.names);
        replace(&mut body, self.counter, i);
        b.push_all(body);
    }

    /// Takes out what a block that is inside need not ask. `known` has truths.
    fn hold(&self, body: &mut Vec<Statement>, known: &mut BTreeSet<Var>) {
        body.retain_mut(|statement| {
            statement.kind.for_each_exp_mut(&mut |exp| self.hold_in(exp, known));
            statement.kind.for_each_body_mut(&mut |body| self.hold(body, known));
            match &statement.kind {
                StatementKind::Let { var, value, .. } if *value == truth() => {
                    known.insert(*var);
                    true
                }
                StatementKind::Assert { condition, .. } => *condition != truth(),
                _ => true,
            }
        });
    }

    fn hold_in(&self, exp: &mut Exp, known: &BTreeSet<Var>) {
        exp.for_each_child_mut(&mut |child| self.hold_in(child, known));
        let bits = |exp: &Exp| if let Exp::Var(var) = exp { self.flipped.get(var).copied() } else { None };
        let new = match &*exp {
            Exp::Var(var) if known.contains(var) => truth(),
            Exp::Bin(BinOp::And, BOOL, x, y) if **x == truth() => (**y).clone(),
            Exp::Bin(BinOp::And, BOOL, x, y) if **y == truth() => (**x).clone(),
            // whoever has a limit is asked for being above 0, too (`is_inside`)
            Exp::Bin(BinOp::Le, I64, x, y)
                if **x == Exp::i64(0) && self.limits.iter().any(|(limited, _)| bits(y) == Some(limited)) =>
            {
                truth()
            }
            Exp::Bin(BinOp::Lt, I64, x, y)
                if self.limits.iter().any(|(limited, limit)| bits(x) == Some(limited) && **y == **limit) =>
            {
                truth()
            }
            _ => return,
        };
        *exp = new;
    }
}

fn truth() -> Exp {
    Exp::Const(PrimValue::Bool(true))
}
