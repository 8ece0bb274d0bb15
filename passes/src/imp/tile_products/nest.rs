//! What can be tiled: two independent loops around a fold, and what its body depends on.

use crate::imp::copy::{can_fail, fresh, replace};
use crate::imp::split_folds::accumulators;
use fun_base::name::{NameSource, Var};
use fun_base::prim::{BinOp, PrimType};
use imp::build::Builder;
use imp::ir::{Exp, ImpType, LoopKind, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::BTreeMap;

/// A nest that can be tiled: `for i < n { for j < p { var sum…; for k < m fold { body } rest } }`; the innermost loop may be `seq`, as each sum keeps its order.
pub(in crate::imp) struct Nest<'s> {
    pub(in crate::imp) i: Var,
    pub(in crate::imp) j: Var,
    pub(in crate::imp) k: Var,
    pub(in crate::imp) n: Exp,
    pub(in crate::imp) p: Exp,
    pub(in crate::imp) m: Exp,
    /// Of loops over rows or tiles: shared among threads, or in order.
    pub(in crate::imp) kind: LoopKind,
    pub(in crate::imp) accumulators: Vec<Sum>,
    /// Of the fold: `let`s, and assignments of the accumulators.
    pub(in crate::imp) body: &'s [Statement],
    /// Whether the innermost loop is a sequential one: a product is rounded before it is added.
    pub(in crate::imp) in_order: bool,
    /// What follows the fold.
    pub(in crate::imp) rest: &'s [Statement],
    /// The elements that depend on the column and not on the row.
    pub(in crate::imp) packed: Vec<Packed>,
    /// The elements that depend on the row and not on the column, if all of them have names.
    pub(in crate::imp) rows: Option<Vec<Packed>>,
    /// Which statements of the body depend on the column.
    of_column: Vec<bool>,
}

/// An accumulator.
pub(in crate::imp) struct Sum {
    pub(in crate::imp) var: Var,
    pub(in crate::imp) ty: PrimType,
    /// Its value before the fold.
    pub(in crate::imp) first: Exp,
}

/// An element that is read for a column or row.
#[derive(Clone)]
pub(in crate::imp) struct Packed {
    /// The variable that it is read into.
    pub(in crate::imp) var: Var,
    pub(in crate::imp) elem: PrimType,
    pub(in crate::imp) value: Exp,
    /// Its statement in the body.
    at: usize,
    /// The statements of the body that its indices come from.
    pub(in crate::imp) before: Vec<usize>,
}

/// What a variable depends on.
#[derive(Clone, Copy, Default)]
struct Depends {
    row: bool,
    column: bool,
}

/// The body of a fold for one row.
pub(in crate::imp) struct Split {
    /// The same for all columns.
    pub(in crate::imp) of_row: Vec<Statement>,
    /// For one column.
    pub(in crate::imp) of_column: Vec<Statement>,
}

impl Nest<'_> {
    /// The nest that a statement is, if it can be tiled and that pays.
    pub(in crate::imp) fn of(statement: &Statement) -> Option<Nest<'_>> {
        let (i, n, kind @ (LoopKind::Par | LoopKind::Simd), outer) = counted(statement)? else { return None };
        // in lanes: inside of a parallel loop
        let kind = if kind == LoopKind::Par { LoopKind::Par } else { LoopKind::Seq };
        let [inner] = outer else { return None };
        let (j, p, LoopKind::Par | LoopKind::Simd, inner) = counted(inner)? else { return None };
        let at = inner.iter().position(|statement| matches!(statement.kind, StatementKind::For { .. }))?;
        let (declared, rest) = (&inner[..at], &inner[at + 1..]);
        let (k, m, fold @ (LoopKind::Fold | LoopKind::Seq), body) = counted(&inner[at])? else { return None };
        let mut sums = Vec::new();
        for statement in declared {
            let StatementKind::Declare { var, ty: ImpType::Prim(ty), value: Some(first) } = &statement.kind
            else {
                return None;
            };
            let fixed =
                matches!(first, Exp::Const(_)) || matches!(first, Exp::Var(var) if *var != i && *var != j);
            if !fixed {
                return None;
            }
            sums.push(Sum { var: *var, ty: *ty, first: first.clone() });
        }
        let assigned = accumulators(body)?;
        let all = assigned.iter().all(|accumulator| sums.iter().any(|sum| sum.var == accumulator.var));
        if !all || assigned.len() != sums.len() || !is_simple(rest, &sums) || [&n, &p].contains(&&Exp::Var(i))
        {
            return None;
        }
        if [&m, &p].iter().any(|size| [Exp::Var(i), Exp::Var(j)].contains(size)) {
            return None;
        }
        let mut nest = Nest {
            i,
            j,
            k,
            n,
            p,
            m,
            kind,
            accumulators: sums,
            body,
            in_order: fold == LoopKind::Seq,
            rest,
            packed: Vec::new(),
            rows: Some(Vec::new()),
            of_column: Vec::new(),
        };
        nest.survey()?;
        Some(nest)
    }

    /// Whether there are sums of 8 bytes.
    pub(in crate::imp) fn has_long_sums(&self) -> bool {
        self.accumulators.iter().any(|sum| sum.ty.bytes() == 8)
    }

    /// Finds what depends on what; nothing when tiling does not pay.
    fn survey(&mut self) -> Option<()> {
        let mut known: BTreeMap<Var, Depends> = BTreeMap::new();
        known.insert(self.i, Depends { row: true, column: false });
        known.insert(self.j, Depends { row: false, column: true });
        let (mut rows, mut columns) = (0, 0);
        for (at, statement) in self.body.iter().enumerate() {
            let (StatementKind::Let { value, .. } | StatementKind::Assign { value, .. }) = &statement.kind
            else {
                return None;
            };
            let own = depends(value, &known);
            let mut reads = 0;
            let (mut fits, mut named) = (true, true);
            for_each_read(value, &mut |read| {
                let on = depends(read, &known);
                reads += 1;
                fits &= !(on.row && on.column);
                rows += usize::from(on.row);
                columns += usize::from(on.column);
                // what is packed has a name
                fits &= !on.column || read == value;
                named &= !on.row || read == value;
            });
            if !fits {
                return None;
            }
            if !named {
                self.rows = None;
            }
            let sums = |var: Var| self.accumulators.iter().any(|sum| sum.var == var);
            let mut of_sum = false;
            value.for_each_var(&mut |var| of_sum |= sums(var));
            match &statement.kind {
                StatementKind::Let { var, ty, value } => {
                    let packed = || {
                        let before = self.needed(at, value);
                        Packed { var: *var, elem: *ty, value: value.clone(), at, before }
                    };
                    if reads == 1 && own.column {
                        let packed = packed();
                        self.packed.push(packed);
                    } else if reads == 1 && own.row && named {
                        let packed = packed();
                        self.rows.iter_mut().for_each(|rows| rows.push(packed.clone()));
                    }
                    known.insert(*var, Depends { column: own.column || of_sum, ..own });
                    self.of_column.push(own.column || of_sum);
                }
                _ => self.of_column.push(true),
            }
        }
        (rows > 0 && columns > 0).then_some(())
    }

    /// The statements before a place that an expression needs.
    fn needed(&self, at: usize, exp: &Exp) -> Vec<usize> {
        let mut wanted = Vec::new();
        exp.for_each_var(&mut |var| wanted.push(var));
        let mut needed = Vec::new();
        for (index, statement) in self.body[..at].iter().enumerate().rev() {
            if let StatementKind::Let { var, value, .. } = &statement.kind
                && wanted.contains(var)
            {
                value.for_each_var(&mut |var| wanted.push(var));
                needed.push(index);
            }
        }
        needed.reverse();
        needed
    }

    /// The value of an element, computed from its indices, which have other names now.
    pub(in crate::imp) fn value(&self, b: &mut Builder, packed: &Packed, indices: &[(Var, Var)]) -> Exp {
        let mut body: Vec<Statement> = packed.before.iter().map(|index| self.body[*index].clone()).collect();
        let kind = StatementKind::Let { var: packed.var, ty: packed.elem, value: packed.value.clone() };
        body.push(Statement { kind, loc: b.loc });
        let mut body = fresh(&body, &mut b.names);
        for (index, by) in indices {
            replace(&mut body, *index, *by);
        }
        let last = body.pop();
        for statement in body {
            b.push(statement.kind);
        }
        match last.map(|statement| statement.kind) {
            Some(StatementKind::Let { value, .. }) => value,
            _ => unreachable!("invariant: what is packed is a `let`"),
        }
    }

    /// The body for the row `i` and the inner index `k`, what is packed read by `packs`, and what is read for the row by `of_row`, as far as there
    /// are so many; the accumulators are as they were.
    pub(in crate::imp) fn split(
        &self,
        names: &mut NameSource,
        (i, k): (Var, Var),
        (packs, of_row): (&[Exp], &[Exp]),
    ) -> Split {
        let mut body = fresh(self.body, names);
        replace(&mut body, self.i, i);
        replace(&mut body, self.k, k);
        let rows = self.rows.iter().flatten().zip(of_row);
        for (packed, pack) in self.packed.iter().zip(packs).chain(rows) {
            if let StatementKind::Let { value, .. } = &mut body[packed.at].kind {
                *value = pack.clone();
            }
        }
        for sum in self.accumulators.iter().filter(|_| !self.in_order) {
            contract(&mut body, sum.var);
        }
        let (mut of_row, mut of_column) = (Vec::new(), Vec::new());
        for (statement, is_of_column) in body.into_iter().zip(&self.of_column) {
            if *is_of_column { of_column.push(statement) } else { of_row.push(statement) }
        }
        Split { of_row, of_column }
    }
}

/// The parts of a loop over i64 whose count is a variable or a constant.
fn counted(statement: &Statement) -> Option<(Var, Exp, LoopKind, &[Statement])> {
    match &statement.kind {
        StatementKind::For { var, ty: PrimType::I64, bound, kind, body }
            if matches!(bound, Exp::Var(_) | Exp::Const(_)) =>
        {
            Some((*var, bound.clone(), *kind, body))
        }
        _ => None,
    }
}

/// Whether what follows the fold is straight-line code that can't fail and leaves the accumulators alone.
fn is_simple(rest: &[Statement], sums: &[Sum]) -> bool {
    let mut simple = true;
    for_each_statement(rest, &mut |statement| {
        simple &= match &statement.kind {
            StatementKind::Let { .. }
            | StatementKind::Declare { ty: ImpType::Prim(_), .. }
            | StatementKind::Write { .. }
            | StatementKind::If { .. } => true,
            StatementKind::Assign { var, .. } => sums.iter().all(|sum| sum.var != *var),
            _ => false,
        };
        statement.kind.for_each_exp(&mut |exp| simple &= !can_fail(exp));
    });
    simple
}

fn depends(exp: &Exp, known: &BTreeMap<Var, Depends>) -> Depends {
    let mut depends = Depends::default();
    exp.for_each_var(&mut |var| {
        if let Some(on) = known.get(&var) {
            depends.row |= on.row;
            depends.column |= on.column;
        }
    });
    depends
}

fn for_each_read<'e>(exp: &'e Exp, f: &mut dyn FnMut(&'e Exp)) {
    if let Exp::Read { .. } = exp {
        f(exp);
    }
    match exp {
        Exp::Bin(_, _, x, y) => [x, y].into_iter().for_each(|exp| for_each_read(exp, f)),
        Exp::Un(_, _, x) | Exp::Convert { value: x, .. } => for_each_read(x, f),
        Exp::Fma(_, operands) => operands.iter().for_each(|exp| for_each_read(exp, f)),
        Exp::Select(c, x, y) => [c, x, y].into_iter().for_each(|exp| for_each_read(exp, f)),
        Exp::Read { indices, .. } => indices.iter().for_each(|exp| for_each_read(exp, f)),
        Exp::Const(_) | Exp::Var(_) | Exp::Threads | Exp::Param { .. } => {}
    }
}

/// `let z = mul(x, y)`, `let s = add(sum, z)` become `let s = fma(x, y, sum)` where `z` is a float that nothing else uses.
fn contract(body: &mut [Statement], sum: Var) {
    let uses = |body: &[Statement], var: Var| {
        let mut count = 0;
        for_each_statement(body, &mut |statement| {
            statement.kind.for_each_use(&mut |used| count += usize::from(used == var));
        });
        count
    };
    let added = body.iter().enumerate().find_map(|(at, statement)| match &statement.kind {
        StatementKind::Let { value: Exp::Bin(BinOp::Add, ty, x, y), .. }
        | StatementKind::Assign { value: Exp::Bin(BinOp::Add, ty, x, y), .. }
            if matches!(ty, PrimType::F32 | PrimType::F64) =>
        {
            match (&**x, &**y) {
                (Exp::Var(old), Exp::Var(z)) | (Exp::Var(z), Exp::Var(old)) if *old == sum => {
                    Some((at, *ty, *z))
                }
                _ => None,
            }
        }
        _ => None,
    });
    let Some((at, ty, z)) = added else { return };
    if uses(body, z) != 1 {
        return;
    }
    let product = body.iter().find_map(|statement| match &statement.kind {
        StatementKind::Let { var, value: Exp::Bin(BinOp::Mul, _, x, y), .. } if *var == z => {
            Some((x.clone(), y.clone()))
        }
        _ => None,
    });
    if let (Some((x, y)), StatementKind::Let { value, .. } | StatementKind::Assign { value, .. }) =
        (product, &mut body[at].kind)
    {
        *value = Exp::Fma(ty, [x, y, Box::new(Exp::Var(sum))]);
    }
}
