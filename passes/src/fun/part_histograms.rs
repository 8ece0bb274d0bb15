//! Histograms of rows get tables for each of several threads, which are combined at the end.
//!
//! ```text
//! let (h_1: [k_2][m_3]f32) = hist n_4 \(a_5: [m_3]f32) (b_6: [m_3]f32): [m_3]f32 { … } (zeros_7) d_8 is_9 xs_10
//! ```
//! becomes, for `p` parts,
//! ```text
//! let (h_1: [k_2][m_3]f32) = if … n_4 is large enough beside k_2 …
//!   then {
//!     let (tables_11: [p][k_2][m_3]f32) = map p \(part_12: i64): [k_2][m_3]f32 {
//!       let (empty_13: [k_2][m_3]f32) = replicate k_2 zeros_7
//!       let (is_14: [count_15]i64) = slice is_9[start_16 : count_15 : 1]
//!       let (xs_17: [count_15][m_3]f32) = slice xs_10[start_16 : count_15 : 1, …]
//!       let (t_18: [k_2][m_3]f32) = hist count_15 \… (zeros_7) empty_13 is_14 xs_17
//!       in (t_18)
//!     } parts_19
//!     … row by row, what d_8 has combined with what the tables have, in their order …
//!   } else { … the histogram … }
//! ```
//! A map that makes `is_9` for nothing else goes into both versions. The algebra: operators of histograms are associative and commute, and have the
//! neutral element (F7). The parts are always as many, so results are the same on any number of threads.
//!
//! For hosts, where a histogram of rows is a loop in order (`soac_to_kernel/sequential.rs`); those of scalars get parts in IMP
//! (`imp/split_histograms.rs`). The tables take little time where there are many values for each cell: that is tested when the program runs. Not inside of
//! maps, whose threads have work (functions that maps call are not looked at); nor where the values are computed, which takes place where they are used;
//! nor by operators that may stop the program, or another value would be the first to do so; nor by operators on floats other than sums and products: minima
//! have no neutral element beside NaN, and of others it is not known.
//!
//! Requires and ensures F1–F9 before kernels. Cost: linear.

use super::applied;
use super::element_operators::{Computed, declare, element_operator, turned};
use super::fuse::cost::body_may_stop;
use fun::build::Builder;
use fun::ir::{Atom, Binder, Body, Dim, Exp, Fun, Lambda, NoOp, Program, Statement, Type};
use fun::visit::names::{Subst, name_source, rename_body, rename_lambda, use_counts};
use fun::visit::{Map, component_operators, map_program, map_statement, walk_program};
use fun_base::name::{NameSource, Var};
use fun_base::prim::{BinOp, PrimType, PrimValue, eval_conv};
use std::collections::BTreeMap;

const I64: PrimType = PrimType::I64;

/// How histograms are parted.
#[derive(Clone, Copy)]
struct Sizes {
    parts: i64,
    /// Scalars in all values below which there is one table.
    least: i64,
    /// Values for each cell below which there is.
    for_each_cell: i64,
}

/// What machines want. Rows go in vectors, so that there is less to gain from threads than for as many scalars that are counted one by one.
const USUAL: Sizes = Sizes { parts: 16, least: 65536, for_each_cell: 256 };
/// What small test programs come to.
const SMALL: Sizes = Sizes { parts: 3, least: 1, for_each_cell: 1 };

/// Parts the histograms of a program.
pub fn run(program: Program) -> Program {
    part(program, USUAL)
}

/// The same with few parts, for small inputs too.
pub fn run_small(program: Program) -> Program {
    part(program, SMALL)
}

fn part(program: Program, sizes: Sizes) -> Program {
    let mut computed = Computed::default();
    walk_program(&mut computed, &program);
    let (names, uses) = (name_source(&program), use_counts(&program));
    map_program(&mut PartHistograms { names, uses, computed, sizes }, &program)
}

struct PartHistograms {
    names: NameSource,
    /// How often each variable of the program is used.
    uses: BTreeMap<Var, usize>,
    computed: Computed,
    sizes: Sizes,
}

impl Map<Fun, Fun> for PartHistograms {
    fn op(&mut self, op: &NoOp) -> Exp {
        match *op {}
    }

    fn ty(&mut self, ty: &Type) -> Type {
        ty.clone()
    }

    fn statement(&mut self, statement: &Statement, out: &mut Vec<Statement>) {
        match &statement.exp {
            Exp::Hist { .. } => {
                if !self.parted(statement, out) {
                    out.push(statement.clone());
                }
            }
            // a thread's work
            Exp::Map { .. } | Exp::Reduce { .. } | Exp::Scan { .. } => out.push(statement.clone()),
            _ => out.push(map_statement(self, statement)),
        }
    }
}

/// A histogram of rows.
struct Histogram<'a> {
    width: Atom,
    op: &'a Lambda,
    neutral: &'a [Atom],
    dests: &'a [Var],
    indices: Var,
    values: &'a [Var],
    /// What combines the scalars of each result's rows, where that is one operator.
    ops: Vec<Option<BinOp>>,
    /// What it gives.
    types: Vec<Type>,
    /// How many cells there are.
    cells: Atom,
}

impl PartHistograms {
    /// Adds two versions of a histogram of rows that lie in memory; whether it is one.
    fn parted(&mut self, statement: &Statement, out: &mut Vec<Statement>) -> bool {
        let Some(histogram) = self.histogram(statement) else { return false };
        let keys = self.keys(histogram.indices, out).map(|at| out.remove(at));
        let sizes = self.sizes;
        let mut b = Builder::new(&mut self.names);
        b.at(statement.loc);
        histogram.declare(&mut b);
        let condition = histogram.is_large(sizes, &mut b);
        let then = b.body(|b| {
            keys.iter().for_each(|keys| b.push(keys.clone()));
            let tables = histogram.tables(sizes, b);
            histogram.combined(sizes, &tables, b)
        });
        let pattern: Vec<Binder> =
            statement.pattern.iter().map(|binder| b.binder(binder.var.text, binder.ty.clone())).collect();
        let results = pattern.iter().map(|binder| binder.var.into()).collect();
        let whole = Statement { pattern, exp: statement.exp.clone(), loc: statement.loc };
        let whole = Body { statements: keys.into_iter().chain([whole]).collect(), results };
        let otherwise = rename_body(b.names(), Subst::new(), &whole);
        b.bind(statement.pattern.clone(), Exp::If { condition, then, otherwise });
        out.extend(b.take());
        true
    }

    fn histogram<'s>(&mut self, statement: &'s Statement) -> Option<Histogram<'s>> {
        let Exp::Hist { width, op, neutral, dests, indices, values } = &statement.exp else { return None };
        let rows = op.results.iter().all(|ty| ty.rank() > 0);
        let stops = body_may_stop(&op.body);
        if !rows || stops || values.iter().any(|value| self.computed.contains(*value)) {
            return None;
        }
        let types: Vec<Type> = statement.pattern.iter().map(|binder| binder.ty.clone()).collect();
        let cells = *types.first()?.shape().first()?;
        let ops = scalar_operators(&mut Builder::new(&mut self.names), op);
        let exact = |(ty, op): (&Type, &Option<BinOp>)| {
            !ty.elem().is_float() || matches!(op, Some(BinOp::Add | BinOp::Mul))
        };
        types.iter().zip(&ops).all(exact).then_some(Histogram {
            width: *width,
            op,
            neutral,
            dests,
            indices: *indices,
            values,
            ops,
            types,
            cells,
        })
    }

    /// Where a map stands that makes the indices for this histogram alone, with nothing behind it that it must stay in front of: each version may compute
    /// them where it needs them.
    fn keys(&self, indices: Var, before: &[Statement]) -> Option<usize> {
        let at = before.iter().rposition(|statement| statement.pattern.iter().any(|b| b.var == indices))?;
        let free = |exp: &Exp| {
            matches!(
                exp,
                Exp::Atom(_)
                    | Exp::Iota { .. }
                    | Exp::Replicate { .. }
                    | Exp::Slice { .. }
                    | Exp::Permute { .. }
                    | Exp::Reshape { .. }
            )
        };
        let alone = matches!(before[at].exp, Exp::Map { .. }) && before[at].pattern.len() == 1;
        let own = self.uses.get(&indices) == Some(&1);
        (alone && own && before[at + 1..].iter().all(|statement| free(&statement.exp))).then_some(at)
    }
}

impl Histogram<'_> {
    fn declare(&self, b: &mut Builder) {
        declare(b, self.width, self.op, self.values);
        b.declare(self.indices, Type::Array { shape: vec![self.width], elem: I64 });
        self.dests.iter().zip(&self.types).for_each(|(dest, ty)| b.declare(*dest, ty.clone()));
    }

    /// Whether there are many values, all in all and for each cell.
    fn is_large(&self, sizes: Sizes, b: &mut Builder) -> Atom {
        let mut scalars = Atom::i64(0);
        for ty in &self.op.results {
            let row = ty.shape().iter().fold(Atom::i64(1), |product, size| b.mul(product, *size));
            scalars = b.add(scalars, row);
        }
        let all = b.mul(self.width, scalars);
        let many = b.bin(BinOp::Le, I64, Atom::i64(sizes.least), all);
        let most = b.bin(BinOp::Quot, I64, self.width, Atom::i64(sizes.for_each_cell));
        let few = b.bin(BinOp::Le, I64, self.cells, most);
        b.bin(BinOp::And, PrimType::Bool, many, few)
    }

    /// The histogram of each part, in cells that begin with the neutral element.
    fn tables(&self, sizes: Sizes, b: &mut Builder) -> Vec<Var> {
        let parts = Atom::i64(sizes.parts);
        let rounded = b.add(self.width, Atom::i64(sizes.parts - 1));
        let share = b.bin(BinOp::Quot, I64, rounded, parts);
        let numbers = Exp::Iota { count: parts, start: Atom::i64(0), step: Atom::i64(1), elem: I64 };
        let numbers = b.array("parts", numbers);
        let lambda = b.lambda(&[Type::Prim(I64)], &self.types, |b, part| {
            let first = b.mul(part[0], share);
            let start = b.bin(BinOp::Min, I64, first, self.width);
            let left = b.sub(self.width, start);
            let count = b.bin(BinOp::Min, I64, left, share);
            let own = |b: &mut Builder, array: Var| {
                let ty = b.type_of(array.into()).expect("invariant: values and indices are declared");
                let mut dims = Builder::row_dims(&ty, &[]);
                dims[0] = Dim::Range { offset: start, count, stride: Atom::i64(1) };
                b.slice(array, dims)
            };
            let indices = own(b, self.indices);
            let values = self.values.iter().map(|value| own(b, *value)).collect();
            let dests = (0..self.types.len())
                .filter_map(|at| b.emit("empty", &self.types[at..=at], self.empty(at))[0].as_var())
                .collect();
            let op = rename_lambda(b.names(), Subst::new(), self.op);
            let neutral = self.neutral.to_vec();
            b.emit("table", &self.types, Exp::Hist { width: count, op, neutral, dests, indices, values })
        });
        let tables: Vec<Type> = self.types.iter().map(|ty| Type::array_of(&[parts], ty)).collect();
        let made = b.emit("tables", &tables, Exp::Map { width: parts, lambda, arrays: vec![numbers] });
        made.into_iter().filter_map(|table| table.as_var()).collect()
    }

    /// A table with nothing in it.
    fn empty(&self, at: usize) -> Exp {
        let (ty, value) = (&self.types[at], self.neutral[at]);
        if self.ops[at] == Some(BinOp::Add) && ty.elem().is_float() {
            // 0 is not neutral for -0
            let zero = eval_conv(ty.elem(), PrimValue::F64(-0.0));
            return Exp::Replicate { shape: ty.shape().to_vec(), value: Atom::Const(zero) };
        }
        Exp::Replicate { shape: vec![self.cells], value }
    }

    /// The destinations, where each cell has what it had combined with what the tables have, in their order.
    fn combined(&self, sizes: Sizes, tables: &[Var], b: &mut Builder) -> Vec<Atom> {
        let op = rename_lambda(b.names(), Subst::new(), self.op);
        let cells = each(b, self.cells, &op, self.dests, tables, &|b, old, columns| {
            in_order(b, sizes.parts, &op, old, columns)
        });
        // in place, as the other version: the memory of the tables is larger
        self.dests.iter().zip(cells).map(|(dest, cells)| b.update(*dest, &[], cells).into()).collect()
    }
}

/// The operator on the scalars of each result's rows, where it is one.
fn scalar_operators(b: &mut Builder, op: &Lambda) -> Vec<Option<BinOp>> {
    match element_operator(b, op) {
        Some((_, inner)) => scalar_operators(b, &inner),
        None => component_operators(op),
    }
}

/// What becomes of old values and the columns of tables.
type Inside<'i> = dyn Fn(&mut Builder, &[Atom], &[Var]) -> Vec<Atom> + 'i;

/// A map over old values and, for each of them, what the tables have there; `inside` gets these.
fn each(
    b: &mut Builder,
    size: Atom,
    op: &Lambda,
    old: &[Var],
    tables: &[Var],
    inside: &Inside<'_>,
) -> Vec<Atom> {
    let mut arrays = old.to_vec();
    for table in tables {
        let perm = turned(b.type_of((*table).into()).map_or(0, |ty| ty.rank()));
        arrays.push(b.array("columns", Exp::Permute { perm, array: *table }));
    }
    let params: Vec<Type> = arrays
        .iter()
        .map(|array| b.type_of((*array).into()).expect("invariant: operands are declared").peel(1))
        .collect();
    let lambda = b.lambda(&params, &op.results, |b, params| {
        let (old, columns) = params.split_at(tables.len());
        let columns: Vec<Var> = columns.iter().filter_map(|column| column.as_var()).collect();
        inside(b, old, &columns)
    });
    let types: Vec<Type> = op.results.iter().map(|ty| Type::array_of(&[size], ty)).collect();
    b.emit("cells", &types, Exp::Map { width: size, lambda, arrays })
}

/// A value combined with all of its column: element by element where the operator is one on elements.
fn in_order(b: &mut Builder, parts: i64, op: &Lambda, old: &[Atom], columns: &[Var]) -> Vec<Atom> {
    if let Some((size, inner)) = element_operator(b, op) {
        let arrays: Vec<Var> = old.iter().filter_map(|old| old.as_var()).collect();
        return each(b, size, &inner, &arrays, columns, &|b, old, columns| {
            in_order(b, parts, &inner, old, columns)
        });
    }
    let inits: Vec<(Type, Atom)> = op.results.iter().cloned().zip(old.iter().copied()).collect();
    b.for_(Atom::i64(parts), &inits, |b, part, sums| {
        let new: Vec<Atom> = columns.iter().map(|column| b.element(*column, &[part])).collect();
        applied(b, op, sums.iter().chain(&new).copied())
    })
}
