//! Operators on small arrays of constant size become operators on the scalars in them.
//!
//! ```text
//! let (s_1: [n_0][2]i32) = scan n_0 \(a_2: [2]i32) (b_3: [2]i32): [2]i32 {
//!   let (w_4: i32) = index a_2[0i64] … let (y_8: [2]i32) = array i32 [u_6, v_7] in (y_8)
//! } (ne_9) xs_5
//! ```
//! becomes
//! ```text
//! let (cells_10: [n_0]i32) = slice xs_5[0i64 : n_0 : 1i64, 0i64] … let (x_12: i32) = index ne_9[0i64] …
//! let (lanes_14: [n_0]i32) (lanes_15: [n_0]i32) = scan n_0 \(p_16: i32) (p_17: i32) (p_18: i32) (p_19: i32): i32, i32 {
//!   … in (u_20, v_21)
//! } (x_12, x_13) cells_10 cells_11
//! let (packed_22: [2][n_0]i32) = array [n_0]i32 [lanes_14, lanes_15]
//! let (s_1: [n_0][2]i32) = permute (1, 0) packed_22
//! ```
//!
//! Products of small matrices, compositions of automata and of affine maps are such operators. Reductions and scans by them would be loops in order
//! (`soac_to_kernel/sequential.rs`): of the host, with a kernel in each step, where there is a device.
//!
//! The body is evaluated with arrays as the scalars in them ([`evaluate`]): maps, reductions and short loops of constant size are written out, an element whose
//! index is known at run time alone is chosen among all. What does anything else, has sizes that are no constants, or becomes too long stays as it is; so do
//! operators that combine element by element, which [`super::element_operators`] knows, what is inside of a map, which is a thread's work, and histograms.
//!
//! Requires and ensures F1–F9 before kernels. Cost: linear, times what an operator may become.

mod cells;
mod evaluate;

use super::element_operators::{declare, element_operator, named};
use cells::{Cells, places, scalar_types, scalars, size};
use evaluate::Evaluator;
use fun::build::Builder;
use fun::ir::{Atom, Binder, Body, Dim, Exp, Fun, Lambda, NoOp, Program, Statement, Type};
use fun::visit::names::name_source;
use fun::visit::{Map, Walk, map_program, map_statement, walk_program, walk_statement};
use fun_base::name::{NameSource, Var};
use std::collections::BTreeMap;

/// What an operator may become.
#[derive(Clone, Copy)]
struct Limits {
    /// How many scalars one operand may have.
    each: usize,
    /// How many scalars all operands on one side may have.
    all: usize,
    /// How often one scalar may be chosen among those of an array, by an index that is not known.
    choices: usize,
}

/// What a device can do with: otherwise there would be a kernel for each element.
const DEVICE: Limits = Limits { each: 16, all: 32, choices: 512 };
/// On hosts loops in order are faster than these: scans of 4 by 4 products took twice as long, reductions by automata of 8 states as well.
const HOST: Limits = Limits { each: 9, all: 18, choices: 32 };

/// Makes operators on scalars of the operators on small arrays of a program.
pub fn run(program: Program) -> Program {
    unpack(program, HOST)
}

/// The same for a device.
pub fn run_device(program: Program) -> Program {
    unpack(program, DEVICE)
}

fn unpack(program: Program, limits: Limits) -> Program {
    let mut literals = Literals::default();
    walk_program(&mut literals, &program);
    map_program(&mut UnpackOperators { names: name_source(&program), literals, limits }, &program)
}

/// The scalars of arrays that are written out, in row-major order: neutral elements often are, and those of devices would be fetched.
#[derive(Default)]
struct Literals(BTreeMap<Var, Vec<Atom>>);

impl Walk<Fun> for Literals {
    fn statement(&mut self, statement: &Statement) {
        let known = |array: &Var| self.0.get(array).cloned();
        let scalars = match &statement.exp {
            Exp::ArrayLiteral { row: Type::Prim(_), elems } => Some(elems.clone()),
            Exp::ArrayLiteral { elems, .. } => {
                let rows = elems.iter().map(|row| known(&row.as_var()?)).collect::<Option<Vec<_>>>();
                rows.map(|rows| rows.concat())
            }
            Exp::Atom(Atom::Var(array)) | Exp::Copy(array) | Exp::Reshape { array, .. } => known(array),
            _ => None,
        };
        if let (Some(scalars), [binder]) = (scalars, &statement.pattern[..])
            && scalars.len() <= DEVICE.each
        {
            self.0.insert(binder.var, scalars);
        }
        walk_statement(self, statement);
    }
}

struct UnpackOperators {
    names: NameSource,
    literals: Literals,
    limits: Limits,
}

impl Map<Fun, Fun> for UnpackOperators {
    fn op(&mut self, op: &NoOp) -> Exp {
        match *op {}
    }

    fn ty(&mut self, ty: &Type) -> Type {
        ty.clone()
    }

    fn statement(&mut self, statement: &Statement, out: &mut Vec<Statement>) {
        let Statement { pattern, exp, loc } = statement;
        let mut b = Builder::new(&mut self.names);
        b.at(*loc);
        let limits = self.limits;
        let results = match exp {
            Exp::Reduce { width, op, neutral, arrays, commutative } => {
                let combine = Combine::Reduce { commutative: *commutative };
                unpacked(&mut b, &self.literals, limits, *width, op, (neutral, arrays), combine)
            }
            Exp::Scan { width, op, neutral, arrays } => {
                unpacked(&mut b, &self.literals, limits, *width, op, (neutral, arrays), Combine::Scan)
            }
            // the operator's and a thread's work
            Exp::Hist { .. } | Exp::Map { .. } => None,
            _ => return out.push(map_statement(self, statement)),
        };
        let Some(results) = results else { return out.push(statement.clone()) };
        out.extend(b.take());
        out.extend(named(pattern, &results, *loc));
    }
}

/// How elements are put together.
#[derive(Clone, Copy)]
enum Combine {
    Reduce { commutative: bool },
    Scan,
}

/// The values of a type as scalars, which are still to be named; `None` if it is no scalar and no small array of constant shape.
fn layout(ty: &Type, limits: Limits) -> Option<Cells> {
    let shape = ty.shape().iter().map(|atom| size(*atom)).collect::<Option<Vec<usize>>>()?;
    let count = shape.iter().try_fold(1usize, |count, size| count.checked_mul(*size))?;
    let zero = Atom::Const(ty.elem().zero());
    (1..=limits.each).contains(&count).then(|| Cells { elem: ty.elem(), shape, cells: vec![zero; count] })
}

/// A reduction or scan by an operator on scalars; `None` if the operator has none or needs none.
fn unpacked(
    b: &mut Builder,
    literals: &Literals,
    limits: Limits,
    width: Atom,
    op: &Lambda,
    (neutral, arrays): (&[Atom], &[Var]),
    combine: Combine,
) -> Option<Vec<Atom>> {
    let loc = b.loc();
    if op.results.iter().all(|ty| ty.rank() == 0) || element_operator(b, op).is_some() {
        return None;
    }
    let values = op.results.iter().map(|ty| layout(ty, limits)).collect::<Option<Vec<Cells>>>()?;
    let types = scalar_types(&values);
    if types.len() > limits.all {
        return None;
    }
    let both: Vec<Cells> = values.iter().chain(&values).cloned().collect();
    declare(b, width, op, arrays);
    let op = scalar_operator(b, op, &both, limits)?;
    b.at(loc);
    let (mut first, mut inputs) = (Vec::new(), Vec::new());
    for ((value, neutral), array) in values.iter().zip(neutral).zip(arrays) {
        if value.shape.is_empty() {
            first.push(*neutral);
            inputs.push(*array);
            continue;
        }
        let neutral = neutral.as_var()?;
        let known = literals.0.get(&neutral);
        let whole = Dim::Range { offset: Atom::i64(0), count: width, stride: Atom::i64(1) };
        for (k, place) in places(&value.shape).into_iter().enumerate() {
            let place: Vec<Atom> = place.iter().map(|index| Atom::i64(*index as i64)).collect();
            let dims = [whole.clone()].into_iter().chain(place.iter().copied().map(Dim::Fix)).collect();
            inputs.push(b.array("cells", Exp::Slice { array: *array, dims }));
            first.push(match known.and_then(|scalars| scalars.get(k)) {
                Some(scalar) => *scalar,
                None => {
                    let neutral = Exp::Index { array: neutral, indices: place };
                    b.emit("neutral", &[Type::Prim(value.elem)], neutral)[0]
                }
            });
        }
    }
    match combine {
        Combine::Reduce { commutative } => {
            let exp = Exp::Reduce { width, op, neutral: first, arrays: inputs, commutative };
            let mut lanes = b.emit("lanes", &types, exp).into_iter();
            Some(values.iter().map(|value| packed(b, &mut lanes, value)).collect())
        }
        Combine::Scan => {
            let columns: Vec<Type> = types.iter().map(|ty| Type::array_of(&[width], ty)).collect();
            let exp = Exp::Scan { width, op, neutral: first, arrays: inputs };
            let mut lanes = b.emit("lanes", &columns, exp).into_iter();
            values.iter().map(|value| packed_rows(b, width, &mut lanes, value)).collect()
        }
    }
}

/// An operator on the scalars of both operands that does what this one does; `None` if more than scalars is left, or too much.
fn scalar_operator(b: &mut Builder, op: &Lambda, operands: &[Cells], limits: Limits) -> Option<Lambda> {
    let types = scalar_types(operands);
    let params: Vec<Binder> = types.iter().map(|ty| b.binder("p", ty.clone())).collect();
    let mut names = params.iter().map(|param| Atom::Var(param.var));
    let operands =
        operands.iter().map(|value| Cells::next_of(&mut names, value.elem, &value.shape)).collect();
    let outer = b.take();
    let results = Evaluator::new(b, limits.choices).apply(op, operands);
    let statements = b.replace(outer);
    let results = results?;
    Some(Lambda {
        params,
        results: scalar_types(&results),
        body: Body { statements, results: scalars(&results) },
    })
}

fn shape_of(value: &Cells) -> Vec<Atom> {
    value.shape.iter().map(|size| Atom::i64(*size as i64)).collect()
}

/// A row of the next scalars.
fn row(b: &mut Builder, lanes: &mut impl Iterator<Item = Atom>, value: &Cells) -> Atom {
    let elems = lanes.take(value.cells.len()).collect();
    b.one("packed", Exp::ArrayLiteral { row: Type::Prim(value.elem), elems })
}

/// The value that the next scalars are.
fn packed(b: &mut Builder, lanes: &mut impl Iterator<Item = Atom>, value: &Cells) -> Atom {
    if value.shape.is_empty() {
        return lanes.next().unwrap_or(value.cells[0]);
    }
    let flat = row(b, lanes, value);
    match flat.as_var() {
        Some(array) if value.shape.len() > 1 => {
            b.one("packed", Exp::Reshape { shape: shape_of(value), array })
        }
        _ => flat,
    }
}

/// The array of the values whose scalars the next columns have: the columns above each other, turned round.
fn packed_rows(
    b: &mut Builder,
    width: Atom,
    columns: &mut impl Iterator<Item = Atom>,
    value: &Cells,
) -> Option<Atom> {
    if value.shape.is_empty() {
        return columns.next();
    }
    let elems = columns.take(value.cells.len()).collect();
    let row = Type::Array { shape: vec![width], elem: value.elem };
    let mut array = b.array("packed", Exp::ArrayLiteral { row, elems });
    let rank = value.shape.len();
    if rank > 1 {
        let shape = shape_of(value).into_iter().chain([width]).collect();
        array = b.array("packed", Exp::Reshape { shape, array });
    }
    let perm = [rank].into_iter().chain(0..rank).collect();
    Some(b.one("rows", Exp::Permute { perm, array }))
}
