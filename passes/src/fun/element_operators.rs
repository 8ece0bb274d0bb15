//! Operators that combine arrays element by element become operators on elements.
//!
//! ```text
//! let (s_3: [m_1]f32) = reduce n_0 \(a_4: [m_1]f32) (b_5: [m_1]f32): [m_1]f32 {
//!   let (c_6: [m_1]f32) = map m_1 \(x_7: f32) (y_8: f32): f32 { let (z_9: f32) = add.f32 x_7 y_8 in (z_9) } a_4 b_5
//!   in (c_6)
//! } (zeros_10) xs_2
//! ```
//! becomes
//! ```text
//! let (columns_11: [m_1][n_0]f32) = permute (1, 0) xs_2
//! let (s_3: [m_1]f32) = map m_1 \(column_12: [n_0]f32) (zero_13: f32): f32 {
//!   let (r_14: f32) = reduce n_0 \(x_7: f32) (y_8: f32): f32 { … } (zero_13) column_12
//!   in (r_14)
//! } columns_11 zeros_10
//! ```
//! The algebra: `reduce (map2 f) z xs = map2 (reduce f) z (transpose xs)`; of scans the result is transposed back. A histogram of rows is one of their
//! elements, in cells that lie as they do: row `c` of a matrix with `m` columns has the cells from `m * c` on.
//!
//! On devices such operators would be loops of the host, with a kernel in each step. What is inside of a map is a thread's work, and left alone. So are
//! operators that do anything besides, and histograms whose neutral element is not one scalar in all cells.
//!
//! Hosts do so with reductions of the rows of a matrix that lies in memory: columns are independent, so they go on threads, and few of them stay in registers
//! (`imp/spread_lanes.rs` reads whole rows in order where that is faster). What a map makes stays rows, since what is computed once for a row would be computed for each of
//! its elements; so do scans, which would write down columns, and elements of more dimensions, whose inner ones may be few.
//!
//! Requires and ensures F1–F9 before kernels. Cost: linear, times the dimensions of an element.

use fun::build::Builder;
use fun::ir::{Atom, Binder, Exp, Fun, Lambda, NoOp, Program, Statement, Type};
use fun::visit::names::{Subst, free_in_lambda, name_source, subst_body};
use fun::visit::{Map, Walk, map_program, map_statement, walk_program, walk_statement};
use fun_base::name::{NameSource, Var};
use fun_base::prim::{BinOp, PrimType};
use fun_base::source::Loc;
use std::collections::{BTreeMap, BTreeSet};

/// Makes operators on elements of the operators on arrays of a program.
pub fn run(program: Program) -> Program {
    let mut replicates = Replicates::default();
    walk_program(&mut replicates, &program);
    map_program(&mut ElementOperators { names: name_source(&program), replicates, computed: None }, &program)
}

/// The same of reductions of the rows of matrices that lie in memory, and nothing else.
pub fn run_reductions(program: Program) -> Program {
    let mut computed = Computed::default();
    walk_program(&mut computed, &program);
    let (names, replicates) = (name_source(&program), Replicates::default());
    map_program(&mut ElementOperators { names, replicates, computed: Some(computed) }, &program)
}

/// Arrays whose elements are computed where they are read, as far as fusion may have it so.
#[derive(Default)]
pub(super) struct Computed(BTreeSet<Var>);

impl Computed {
    /// Whether the array is one of them.
    pub(super) fn contains(&self, array: Var) -> bool {
        self.0.contains(&array)
    }
}

impl Walk<Fun> for Computed {
    fn statement(&mut self, statement: &Statement) {
        let computed = match &statement.exp {
            Exp::Map { .. } | Exp::Iota { .. } | Exp::Replicate { .. } | Exp::If { .. } => true,
            Exp::Slice { array, .. }
            | Exp::Permute { array, .. }
            | Exp::Reshape { array, .. }
            | Exp::Reverse { array, .. } => self.0.contains(array),
            Exp::Concat { arrays, .. } => arrays.iter().any(|array| self.0.contains(array)),
            _ => false,
        };
        if computed {
            self.0.extend(statement.pattern.iter().map(|binder| binder.var));
        }
        walk_statement(self, statement);
    }
}

/// Arrays that have one value in all rows: their outer dimensions, and the value.
#[derive(Default)]
struct Replicates(BTreeMap<Var, (Vec<Atom>, Atom)>);

impl Replicates {
    /// An array of these rows, if they are all alike.
    fn of_rows(&self, row: &Type, elems: &[Atom]) -> Option<(Vec<Atom>, Atom)> {
        let [first, others @ ..] = elems else { return None };
        let of = |elem: &Atom| match row {
            Type::Prim(_) => Some((Vec::new(), *elem)),
            _ => self.0.get(&elem.as_var()?).cloned(),
        };
        let (shape, value) = of(first)?;
        let alike = others.iter().all(|other| of(other).is_some_and(|other| other == (shape.clone(), value)));
        let size = Atom::i64(i64::try_from(elems.len()).ok()?);
        alike.then(|| ([size].into_iter().chain(shape).collect(), value))
    }
}

impl Walk<Fun> for Replicates {
    fn statement(&mut self, statement: &Statement) {
        let replicated = match &statement.exp {
            Exp::Replicate { shape, value } => Some((shape.clone(), *value)),
            Exp::ArrayLiteral { row, elems } => self.of_rows(row, elems),
            _ => None,
        };
        if let (Some(replicated), [binder]) = (replicated, &statement.pattern[..]) {
            self.0.insert(binder.var, replicated);
        }
        walk_statement(self, statement);
    }
}

struct ElementOperators {
    names: NameSource,
    replicates: Replicates,
    /// Where only reductions of rows that lie in memory are taken: what does not.
    computed: Option<Computed>,
}

impl ElementOperators {
    fn takes(&self, exp: &Exp) -> bool {
        match (&self.computed, exp) {
            (None, _) => true,
            (Some(Computed(computed)), Exp::Reduce { op, arrays, .. }) => {
                op.results.iter().all(|ty| ty.rank() == 1)
                    && arrays.iter().all(|array| !computed.contains(array))
            }
            (Some(_), _) => false,
        }
    }
}

impl Map<Fun, Fun> for ElementOperators {
    fn op(&mut self, op: &NoOp) -> Exp {
        match *op {}
    }

    fn ty(&mut self, ty: &Type) -> Type {
        ty.clone()
    }

    fn statement(&mut self, statement: &Statement, out: &mut Vec<Statement>) {
        let Statement { pattern, exp, loc } = statement;
        let takes = self.takes(exp);
        let (loc, mut b) = (*loc, Builder::new(&mut self.names));
        b.at(loc);
        let results = match exp {
            Exp::Reduce { width, op, neutral, arrays, commutative } if takes => {
                declare(&mut b, *width, op, arrays);
                let combine = Combine::Reduce { commutative: *commutative };
                combined(&mut b, *width, op, neutral, arrays, combine)
            }
            Exp::Scan { width, op, neutral, arrays } if takes => {
                declare(&mut b, *width, op, arrays);
                combined(&mut b, *width, op, neutral, arrays, Combine::Scan)
            }
            Exp::Hist { width, op, neutral, dests, indices, values } if takes => {
                declare(&mut b, *width, op, values);
                dests.iter().zip(pattern).for_each(|(dest, binder)| b.declare(*dest, binder.ty.clone()));
                b.declare(*indices, Type::Array { shape: vec![*width], elem: PrimType::I64 });
                let operands = Histogram { neutral: neutral.clone(), dests, indices: *indices, values };
                histogram(&mut b, &mut self.replicates, *width, op, operands)
            }
            // the operator's and a thread's work
            Exp::Reduce { .. } | Exp::Map { .. } => return out.push(statement.clone()),
            _ => return out.push(map_statement(self, statement)),
        };
        let Some(results) = results else { return out.push(statement.clone()) };
        out.extend(b.take());
        out.extend(named(pattern, &results, loc));
    }
}

/// The names of a pattern for these values.
pub(super) fn named(pattern: &[Binder], values: &[Atom], loc: Option<Loc>) -> Vec<Statement> {
    let name = |(binder, value): (&Binder, &Atom)| Statement {
        pattern: vec![binder.clone()],
        exp: Exp::Atom(*value),
        loc,
    };
    pattern.iter().zip(values).map(name).collect()
}

/// Says of the inputs of an operator what they are.
pub(super) fn declare(b: &mut Builder, width: Atom, op: &Lambda, arrays: &[Var]) {
    for (array, param) in arrays.iter().zip(&op.params) {
        b.declare(*array, Type::array_of(&[width], &param.ty));
    }
}

/// How elements are put together.
#[derive(Clone, Copy)]
enum Combine {
    Reduce { commutative: bool },
    Scan,
}

/// What an operator on arrays does with their elements, and how many those are; `None` if it does anything else.
pub(super) fn element_operator(b: &mut Builder, op: &Lambda) -> Option<(Atom, Lambda)> {
    let [Statement { pattern, exp: Exp::Map { width, lambda, arrays }, .. }] = &op.body.statements[..] else {
        return None;
    };
    let same_size = |param: &Binder| param.ty.shape().first() == Some(width);
    let gives_all = pattern.len() == op.body.results.len()
        && pattern.iter().zip(&op.body.results).all(|(binder, result)| Atom::Var(binder.var) == *result);
    let free = free_in_lambda(lambda);
    if !gives_all || !op.params.iter().all(same_size) || op.params.iter().any(|p| free.contains(&p.var)) {
        return None;
    }
    let mut subst = Subst::new();
    let params: Vec<Binder> =
        op.params.iter().map(|param| b.binder(param.var.text, param.ty.peel(1))).collect();
    for (inner, array) in lambda.params.iter().zip(arrays) {
        let place = op.params.iter().position(|param| param.var == *array)?;
        subst.insert(inner.var, params[place].var.into());
    }
    let results = op.results.iter().map(|ty| ty.peel(1)).collect();
    Some((*width, Lambda { params, results, body: subst_body(&subst, &lambda.body) }))
}

/// The order of dimensions in which the first two change places.
pub(super) fn turned(rank: usize) -> Vec<usize> {
    [1, 0].into_iter().chain(2..rank).collect()
}

/// A reduction or scan by an operator on elements; `None` if the operator does not combine arrays so.
fn combined(
    b: &mut Builder,
    width: Atom,
    op: &Lambda,
    neutral: &[Atom],
    arrays: &[Var],
    combine: Combine,
) -> Option<Vec<Atom>> {
    let (size, inner) = element_operator(b, op)?;
    let mut inputs = Vec::new();
    for (array, result) in arrays.iter().zip(&op.results) {
        let perm = turned(result.rank() + 1);
        inputs.push(b.array("columns", Exp::Permute { perm, array: *array }));
    }
    let columns = inner.results.iter().map(|ty| Type::array_of(&[width], ty));
    let params: Vec<Type> = columns.chain(inner.results.iter().cloned()).collect();
    for (value, ty) in neutral.iter().zip(&op.results) {
        let array = value.as_var()?;
        b.declare(array, ty.clone());
        inputs.push(array);
    }
    let results: Vec<Type> = match combine {
        Combine::Reduce { .. } => inner.results.clone(),
        Combine::Scan => params[..arrays.len()].to_vec(),
    };
    let lambda = b.lambda(&params, &results, |b, params| {
        let (columns, neutral) = params.split_at(arrays.len());
        let columns: Vec<Var> = columns.iter().filter_map(|column| column.as_var()).collect();
        if let Some(results) = combined(b, width, &inner, neutral, &columns, combine) {
            return results;
        }
        let (op, neutral, arrays) = (inner, neutral.to_vec(), columns);
        let exp = match combine {
            Combine::Reduce { commutative } => Exp::Reduce { width, op, neutral, arrays, commutative },
            Combine::Scan => Exp::Scan { width, op, neutral, arrays },
        };
        b.emit("r", &results, exp)
    });
    let types: Vec<Type> = results.iter().map(|ty| Type::array_of(&[size], ty)).collect();
    let made = b.emit("columns", &types, Exp::Map { width: size, lambda, arrays: inputs });
    Some(match combine {
        Combine::Reduce { .. } => made,
        Combine::Scan => {
            let turn = |(array, ty): (Atom, &Type)| {
                Some(b.one("rows", Exp::Permute { perm: turned(ty.rank()), array: array.as_var()? }))
            };
            made.into_iter().zip(&types).map(turn).collect::<Option<_>>()?
        }
    })
}

/// What a histogram combines.
struct Histogram<'a> {
    neutral: Vec<Atom>,
    dests: &'a [Var],
    indices: Var,
    values: &'a [Var],
}

/// A histogram by an operator on elements; `None` if the operator does not combine arrays so, or its neutral element is not the same in all cells.
fn histogram(
    b: &mut Builder,
    replicates: &mut Replicates,
    width: Atom,
    op: &Lambda,
    operands: Histogram,
) -> Option<Vec<Atom>> {
    let (size, inner) = element_operator(b, op)?;
    let Histogram { neutral, dests, indices, values } = operands;
    let mut cells = Vec::new();
    for value in &neutral {
        let (shape, value) = replicates.0.get(&value.as_var()?)?.clone();
        cells.push(match shape.get(1..)? {
            [] => value,
            rest => {
                let all = b.one("neutral", Exp::Replicate { shape: rest.to_vec(), value });
                replicates.0.insert(all.as_var()?, (rest.to_vec(), value));
                all
            }
        });
    }
    let dest_types: Vec<Type> = dests.iter().map(|dest| b.type_of((*dest).into())).collect::<Option<_>>()?;
    let rows = *dest_types.first()?.shape().first()?;
    let (all, places) = (b.mul(width, size), b.mul(rows, size));
    let flat = |b: &mut Builder, outer: Atom, array: Var, ty: &Type| {
        let shape = [outer].iter().chain(ty.shape()).copied().collect();
        b.array("flat", Exp::Reshape { shape, array })
    };
    let dests: Vec<Var> =
        dests.iter().zip(&inner.results).map(|(dest, ty)| flat(b, places, *dest, ty)).collect();
    let values: Vec<Var> =
        values.iter().zip(&inner.results).map(|(value, ty)| flat(b, all, *value, ty)).collect();
    let i64 = [Type::Prim(PrimType::I64)];
    let numbers = Exp::Iota { count: all, start: Atom::i64(0), step: Atom::i64(1), elem: PrimType::I64 };
    let numbers = b.array("numbers", numbers);
    let place = b.lambda(&i64, &i64, |b, params| {
        let row = b.bin(BinOp::Quot, PrimType::I64, params[0], size);
        let before = b.mul(row, size);
        let column = b.sub(params[0], before);
        let index = b.index(indices, &[row]);
        let low = b.bin(BinOp::Le, PrimType::I64, Atom::i64(0), index);
        let high = b.bin(BinOp::Lt, PrimType::I64, index, rows);
        let inside = b.bin(BinOp::And, PrimType::Bool, low, high);
        let at = |b: &mut Builder| {
            let start = b.mul(index, size);
            vec![b.add(start, column)]
        };
        // what a row outside would have is outside, too
        b.if_(inside, &i64, at, |_| vec![Atom::i64(-1)])
    });
    let indices = b.array("places", Exp::Map { width: all, lambda: place, arrays: vec![numbers] });
    let (op, outer) = (&inner, [places]);
    let operands = Histogram { neutral: cells.clone(), dests: &dests, indices, values: &values };
    let made = match histogram(b, replicates, all, op, operands) {
        Some(made) => made,
        None => {
            let types: Vec<Type> = op.results.iter().map(|ty| Type::array_of(&outer, ty)).collect();
            let (dests, op) = (dests.clone(), inner.clone());
            b.emit("hist", &types, Exp::Hist { width: all, op, neutral: cells, dests, indices, values })
        }
    };
    let back = |(array, ty): (Atom, &Type)| {
        Some(b.one("hist", Exp::Reshape { shape: ty.shape().to_vec(), array: array.as_var()? }))
    };
    made.into_iter().zip(&dest_types).map(back).collect()
}
