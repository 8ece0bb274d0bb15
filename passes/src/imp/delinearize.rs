//! Loops whose counter is a row and a column become nests: delinearization (Maslov, PLDI 1992).
//!
//! ```text
//! for i < n par { let y = div.i64(i, w)   let x = mod.i64(i, w)   a[i] := f(y, x) }
//! ```
//! becomes
//! ```text
//! if and(le.i64(16, w), and(le.i64(w, div.i64(n, threads)), lt.i64(n, 2^61))) {
//!   let rows = div.i64(add.i64(n, sub.i64(w, 1)), w)
//!   for q < rows par {
//!     let first = mul.i64(q, w)
//!     let width = min.i64(w, sub.i64(n, first))
//!     for r < width par { let i = add.i64(first, r)   a[i] := f(q, r) }
//!   }
//! } else { … the loop as before }
//! ```
//! Programs that keep a matrix as one array take counters apart with divisions, each of which takes longer than what is done with a cell, and neither the quotient nor the remainder moves
//! evenly, so that no such loop runs in vectors. In the nest both do, and what the row decides is the same for all of it. Where a quotient is divided again, as there are more dimensions, the loop
//! over rows is the next one to become a nest; a product with the divisor divides the quotient by the other factor.
//!
//! Legal where iterations may run in any order, as those of `par` loops may (I6): the nest has each of them once. The divisor is above 0 and no sum or product wraps, as the condition says. Done for
//! divisors that are the same for the whole loop, in loops without loops inside but for such nests.
//!
//! Loops in order and folds over a window, of at most 9 rows of 3 to 9 columns, that take the place in it apart, as `k / 3` and `k % 3` of 9, become nests as well: their iterations stay in order.
//!
//! Requires and ensures I1–I10. Cost: linear in the size of the program, times the number of dimensions; a loop of at most 120 statements is written once more for each.

use super::copy::{constant, count, declared_in, for_each_part, fresh, has_loops, replace};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, PrimValue};
use imp::build::{Builder, bin};
use imp::ir::{Exp, LoopKind, Program, Statement, StatementKind};
use imp::visit::{for_each_statement, names_after};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

/// Statements of a loop that is written twice.
const MOST_STATEMENTS: usize = 120;
/// How many rows a window has, and how many columns: sums of two are as well off in the lanes of a longer loop.
const ROWS_OF_WINDOW: RangeInclusive<i64> = 2..=9;
const COLUMNS_OF_WINDOW: RangeInclusive<i64> = 3..=9;
/// Numbers beyond this could wrap around in sums.
const FAR: i64 = 1 << 61;
/// The least number of columns: shorter rows are fewer than a few vectors.
const USUAL: i64 = 16;
const SMALL: i64 = 2;
const I64: PrimType = PrimType::I64;

/// Writes the nests.
pub fn run(program: Program) -> Program {
    write(program, USUAL)
}

/// The same for rows of two columns, for tests.
pub fn run_small(program: Program) -> Program {
    write(program, SMALL)
}

fn write(mut program: Program, least: i64) -> Program {
    let mut b = Builder::new(names_after(&program));
    for procedure in &mut program.procedures {
        let (mut assigned, mut factors) = (BTreeSet::new(), BTreeMap::new());
        for_each_statement(&procedure.body, &mut |statement| match &statement.kind {
            StatementKind::Declare { var, .. } => _ = assigned.insert(*var),
            StatementKind::Let { var, value: Exp::Bin(BinOp::Mul, I64, x, y), .. } => {
                factors.insert(*var, ((**x).clone(), (**y).clone()));
            }
            _ => {}
        });
        Nests { least, assigned, factors, b: &mut b }.statements(&mut procedure.body);
    }
    program
}

struct Nests<'b> {
    /// The least number of columns.
    least: i64,
    /// Variables that have several values.
    assigned: BTreeSet<Var>,
    /// What variables are products of.
    factors: BTreeMap<Var, (Exp, Exp)>,
    b: &'b mut Builder,
}

impl Nests<'_> {
    fn statements(&mut self, list: &mut [Statement]) {
        for statement in list {
            self.window(statement);
            if !self.nest(statement, false) {
                statement.kind.for_each_body_mut(&mut |body| self.statements(body));
            }
        }
    }

    /// Makes a nest of a loop over a window, whose counter is divided by the number of its columns.
    fn window(&mut self, statement: &mut Statement) {
        let StatementKind::For {
            var: counter,
            ty: I64,
            bound: Exp::Const(bound),
            kind: kind @ (LoopKind::Seq | LoopKind::Fold),
            body,
        } = &statement.kind
        else {
            return;
        };
        let divisor = self.divisor(*counter, body, *COLUMNS_OF_WINDOW.start());
        let (Some(bound), Some(columns)) = (bound.as_i64(), divisor.as_ref().and_then(constant)) else {
            return;
        };
        let rows = bound / columns;
        if bound % columns != 0 || !COLUMNS_OF_WINDOW.contains(&columns) || !ROWS_OF_WINDOW.contains(&rows) {
            return;
        }
        let (counter, kind, divisor) = (*counter, *kind, Exp::i64(columns));
        let outer = self.b.begin();
        self.b.loc = statement.loc;
        self.b.for_("q", Exp::i64(rows), LoopKind::Seq, |b, q| {
            let first = bin(BinOp::Mul, I64, q, divisor.clone());
            let products = BTreeMap::new();
            Row { counter, body, divisor: &divisor, products: &products, quotient: q, first }.write(
                divisor.clone(),
                kind,
                b,
            );
        });
        if let Some(nest) = self.b.end(outer).pop() {
            *statement = nest;
            // rows may be those of planes
            self.window(statement);
        }
    }

    /// Makes a nest of a loop, if its counter is divided; `of_rows`: it is one over the rows of such a nest.
    fn nest(&mut self, statement: &mut Statement, of_rows: bool) -> bool {
        let StatementKind::For {
            var: counter,
            ty: I64,
            bound,
            kind: kind @ (LoopKind::Par | LoopKind::Simd),
            body,
        } = &statement.kind
        else {
            return false;
        };
        // (the bound is looked at in each row; where iterations have loops, divisions are little beside them)
        if count(body) > MOST_STATEMENTS || bound.reads() || has_loops(body) && !of_rows {
            return false;
        }
        let Some(divisor) = self.divisor(*counter, body, self.least) else { return false };
        let products = self.products(*counter, &divisor, body);
        let outer = self.b.begin();
        self.b.loc = statement.loc;
        let up = bin(BinOp::Add, I64, bound.clone(), bin(BinOp::Sub, I64, divisor.clone(), Exp::i64(1)));
        let rows = self.b.let_("rows", I64, bin(BinOp::Div, I64, up, divisor.clone()));
        let q = self.b.names.fresh("q");
        let (rows_body, ()) = self.b.nested(|b| {
            let first = b.let_("first", I64, bin(BinOp::Mul, I64, q, divisor.clone()));
            let left = bin(BinOp::Sub, I64, bound.clone(), first);
            let width = b.let_("width", I64, bin(BinOp::Min, I64, divisor.clone(), left));
            // as lowering has it: loops inside a parallel one without loops of their own run in vectors
            let row = Row {
                counter: *counter,
                body,
                divisor: &divisor,
                products: &products,
                quotient: q,
                first: first.into(),
            };
            row.write(width.into(), LoopKind::Simd, b);
        });
        let kind = *kind;
        let mut nest = Statement {
            kind: StatementKind::For { var: q, ty: I64, bound: rows.into(), kind, body: rows_body },
            loc: statement.loc,
        };
        // the quotient may be divided again
        if !self.nest(&mut nest, true) {
            nest.kind.for_each_body_mut(&mut |body| self.statements(body));
        }
        self.b.push_all(vec![nest]);
        let then = self.b.end(outer);
        let and = |x: Exp, y: Exp| bin(BinOp::And, PrimType::Bool, x, y);
        let at_least_a_row_for_each_thread = match self.least {
            SMALL => bound.clone(),
            _ => bin(BinOp::Div, I64, bound.clone(), bin(BinOp::Max, I64, Exp::Threads, Exp::i64(1))),
        };
        let mut condition = and(
            bin(BinOp::Le, I64, Exp::i64(self.least), divisor.clone()),
            and(
                bin(BinOp::Le, I64, divisor.clone(), at_least_a_row_for_each_thread),
                bin(BinOp::Lt, I64, bound.clone(), Exp::i64(FAR)),
            ),
        );
        for (product, factor) in products {
            // the product did not wrap
            let positive = bin(BinOp::Lt, I64, Exp::i64(0), product);
            let divided = bin(BinOp::Div, I64, product, bin(BinOp::Max, I64, divisor.clone(), Exp::i64(1)));
            condition = and(condition, and(positive, bin(BinOp::Eq, I64, divided, factor)));
        }
        statement.kind = StatementKind::If { condition, then, otherwise: vec![statement.clone()] };
        true
    }

    /// What divides the counter: the number whose remainders are asked for, if there is one. A constant is `least` at least.
    fn divisor(&self, counter: Var, body: &[Statement], least: i64) -> Option<Exp> {
        let mut changing = declared_in(body);
        changing.insert(counter);
        for_each_statement(body, &mut |statement| {
            if let StatementKind::Assign { var, .. } = &statement.kind {
                changing.insert(*var);
            }
        });
        let (mut of_remainder, mut of_quotient) = (None, None);
        let mut look = |exp: &Exp| {
            if let Exp::Bin(op, I64, x, divisor) = exp
                && **x == Exp::Var(counter)
                && is_fixed(divisor, &changing, least)
            {
                let found = match op {
                    BinOp::Mod | BinOp::Rem => &mut of_remainder,
                    BinOp::Div | BinOp::Quot => &mut of_quotient,
                    _ => return,
                };
                found.get_or_insert_with(|| (**divisor).clone());
            }
        };
        for_each_statement(body, &mut |statement| {
            statement.kind.for_each_exp(&mut |exp| for_each_part(exp, &mut look));
        });
        of_remainder.or(of_quotient)
    }

    /// Products of the divisor and another number that divide the counter, with this number.
    fn products(&self, counter: Var, divisor: &Exp, body: &[Statement]) -> BTreeMap<Var, Exp> {
        let (mut found, declared) = (BTreeMap::new(), declared_in(body));
        // it may not be any more what it was when the product was made
        if matches!(divisor, Exp::Var(var) if self.assigned.contains(var)) {
            return found;
        }
        for_each_statement(body, &mut |statement| {
            statement.kind.for_each_exp(&mut |exp| {
                for_each_part(exp, &mut |exp| {
                    let Exp::Bin(BinOp::Div | BinOp::Quot, I64, x, by) = exp else { return };
                    let Exp::Var(product) = **by else { return };
                    let Some((left, right)) = self.factors.get(&product) else { return };
                    let other = if left == divisor { right } else { left };
                    if **x == Exp::Var(counter)
                        && (left == divisor || right == divisor)
                        && !declared.contains(&product)
                        && matches!(other, Exp::Var(var) if !self.assigned.contains(var))
                    {
                        found.insert(product, other.clone());
                    }
                });
            });
        });
        found
    }
}

/// Whether a divisor is the same for the whole loop, of whose variables `changing` are the others, and may be large enough.
fn is_fixed(divisor: &Exp, changing: &BTreeSet<Var>, least: i64) -> bool {
    match divisor {
        Exp::Var(var) => !changing.contains(var),
        Exp::Const(value) => value.as_i64().is_some_and(|value| (least..FAR).contains(&value)),
        _ => false,
    }
}

/// A row of a nest.
struct Row<'r> {
    /// The counter of the loop that was, and its body.
    counter: Var,
    body: &'r [Statement],
    divisor: &'r Exp,
    products: &'r BTreeMap<Var, Exp>,
    quotient: Var,
    /// The counter in the first column.
    first: Exp,
}

impl Row<'_> {
    /// Writes the loop over so many columns.
    fn write(&self, width: Exp, kind: LoopKind, b: &mut Builder) {
        b.for_("r", width, kind, |b, r| {
            let i = b.let_("i", I64, bin(BinOp::Add, I64, self.first.clone(), r));
            let mut body = fresh(self.body, &mut b.names);
            replace(&mut body, self.counter, i);
            let (divisor, products, quotient) = (self.divisor, self.products, self.quotient);
            let digits = Digits { counter: i, divisor, products, quotient, remainder: r };
            digits.put(&mut body, &mut BTreeMap::new());
            b.push_all(body);
        });
    }
}

/// What a counter is made of.
struct Digits<'d> {
    counter: Var,
    divisor: &'d Exp,
    /// Numbers that are the divisor times another one.
    products: &'d BTreeMap<Var, Exp>,
    quotient: Var,
    remainder: Var,
}

impl Digits<'_> {
    /// Puts digits where the counter is divided, and nothing where an assertion says that a divisor is not zero. `known` has variables that are digits or true.
    fn put(&self, body: &mut Vec<Statement>, known: &mut BTreeMap<Var, Exp>) {
        body.retain_mut(|statement| {
            statement.kind.for_each_exp_mut(&mut |exp| self.exp(exp, known));
            statement.kind.for_each_body_mut(&mut |body| self.put(body, known));
            match &statement.kind {
                StatementKind::Let { var, value, .. } if is_true(value) || self.is_digit(value) => {
                    known.insert(*var, value.clone());
                    true
                }
                StatementKind::Assert { condition, .. } => !is_true(condition),
                _ => true,
            }
        });
    }

    fn is_digit(&self, exp: &Exp) -> bool {
        *exp == Exp::Var(self.quotient) || *exp == Exp::Var(self.remainder)
    }

    fn exp(&self, exp: &mut Exp, known: &BTreeMap<Var, Exp>) {
        exp.for_each_child_mut(&mut |child| self.exp(child, known));
        let new = match &*exp {
            Exp::Var(var) => known.get(var).cloned(),
            Exp::Bin(op, I64, x, y) if **x == Exp::Var(self.counter) => self.divided(*op, y),
            Exp::Bin(BinOp::Ne, I64, x, y) if self.is_positive(x) && **y == Exp::i64(0) => {
                Some(Exp::Const(PrimValue::Bool(true)))
            }
            _ => None,
        };
        if let Some(new) = new {
            *exp = new;
        }
    }

    fn is_positive(&self, exp: &Exp) -> bool {
        exp == self.divisor || matches!(exp, Exp::Var(var) if self.products.contains_key(var))
    }

    /// What is left of the counter, divided by a number.
    fn divided(&self, op: BinOp, by: &Exp) -> Option<Exp> {
        let quotient = Exp::Var(self.quotient);
        match (op, by) {
            (BinOp::Div | BinOp::Quot, _) if by == self.divisor => Some(quotient),
            (BinOp::Mod | BinOp::Rem, _) if by == self.divisor => Some(Exp::Var(self.remainder)),
            (BinOp::And, Exp::Const(_)) => {
                let columns = constant(self.divisor)?;
                let is_rest = columns.count_ones() == 1 && constant(by)? == columns - 1;
                is_rest.then_some(Exp::Var(self.remainder))
            }
            (BinOp::Div | BinOp::Quot, Exp::Const(_)) => {
                let (columns, by) = (constant(self.divisor)?, constant(by)?);
                (by % columns == 0).then(|| bin(BinOp::Div, I64, quotient, Exp::i64(by / columns)))
            }
            (BinOp::Div | BinOp::Quot, Exp::Var(product)) => {
                let factor = self.products.get(product)?;
                Some(bin(BinOp::Div, I64, quotient, factor.clone()))
            }
            _ => None,
        }
    }
}

fn is_true(exp: &Exp) -> bool {
    *exp == Exp::Const(PrimValue::Bool(true))
}
