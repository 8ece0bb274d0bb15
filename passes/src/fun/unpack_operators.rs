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
//! let (packed_22: [n_0][2]i32) = map n_0 \(p_23: i32) (p_24: i32): [2]i32 { let (p_25: [2]i32) = array i32 [p_23, p_24] in (p_25) } lanes_14 lanes_15
//! ```
//!
//! Products of small matrices, compositions of automata and of affine maps are such operators. Reductions and scans by them would be loops in order
//! (`soac_to_kernel/sequential.rs`): of the host, with a kernel in each step, where there is a device.
//!
//! The body is evaluated with arrays as the scalars in them ([`evaluate`]): maps, reductions and short loops of constant size are written out, an element whose
//! index is known at run time alone is chosen among all. What does anything else, has sizes that are no constants, or becomes too long stays as it is; so do
//! operators that combine element by element, which [`super::element_operators`] knows, what is inside of a map, which is a thread's work, and histograms.
//!
//! Requires and ensures F1–F9 before kernels. Cost: linear in the code made, of which there is at most a constant times as much.

mod cells;
mod evaluate;

use super::element_operators::{declare, element_operator, named};
use cells::{Cells, places, scalar_types, scalars, size};
use evaluate::Evaluator;
use fun::build::Builder;
use fun::ir::{Atom, Binder, Body, Dim, Exp, Fun, Lambda, NoOp, Program, Statement, Type};
use fun::visit::names::name_source;
use fun::visit::{Map, map_program, map_statement};
use fun_base::name::{NameSource, Var};

/// How many scalars one operand may have.
const EACH: usize = 16;
/// How many scalars all operands on one side may have.
const ALL: usize = 32;

/// Makes operators on scalars of the operators on small arrays of a program.
pub fn run(program: Program) -> Program {
    map_program(&mut UnpackOperators { names: name_source(&program) }, &program)
}

struct UnpackOperators {
    names: NameSource,
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
        let results = match exp {
            Exp::Reduce { width, op, neutral, arrays, commutative } => {
                let combine = Combine::Reduce { commutative: *commutative };
                unpacked(&mut b, *width, op, neutral, arrays, combine)
            }
            Exp::Scan { width, op, neutral, arrays } => {
                unpacked(&mut b, *width, op, neutral, arrays, Combine::Scan)
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
fn layout(ty: &Type) -> Option<Cells> {
    let shape = ty.shape().iter().map(|atom| size(*atom)).collect::<Option<Vec<usize>>>()?;
    let count = shape.iter().try_fold(1usize, |count, size| count.checked_mul(*size))?;
    let zero = Atom::Const(ty.elem().zero());
    (1..=EACH).contains(&count).then(|| Cells { elem: ty.elem(), shape, cells: vec![zero; count] })
}

/// A reduction or scan by an operator on scalars; `None` if the operator has none or needs none.
fn unpacked(
    b: &mut Builder,
    width: Atom,
    op: &Lambda,
    neutral: &[Atom],
    arrays: &[Var],
    combine: Combine,
) -> Option<Vec<Atom>> {
    let loc = b.loc();
    if op.results.iter().all(|ty| ty.rank() == 0) || element_operator(b, op).is_some() {
        return None;
    }
    let values = op.results.iter().map(layout).collect::<Option<Vec<Cells>>>()?;
    let types = scalar_types(&values);
    if types.len() > ALL {
        return None;
    }
    let both: Vec<Cells> = values.iter().chain(&values).cloned().collect();
    declare(b, width, op, arrays);
    let op = scalar_operator(b, op, &both)?;
    b.at(loc);
    let (mut first, mut inputs) = (Vec::new(), Vec::new());
    for ((value, neutral), array) in values.iter().zip(neutral).zip(arrays) {
        if value.shape.is_empty() {
            first.push(*neutral);
            inputs.push(*array);
            continue;
        }
        let whole = Dim::Range { offset: Atom::i64(0), count: width, stride: Atom::i64(1) };
        for place in places(&value.shape) {
            let place: Vec<Atom> = place.iter().map(|index| Atom::i64(*index as i64)).collect();
            let dims = [whole.clone()].into_iter().chain(place.iter().copied().map(Dim::Fix)).collect();
            inputs.push(b.array("cells", Exp::Slice { array: *array, dims }));
            let neutral = Exp::Index { array: neutral.as_var()?, indices: place };
            first.extend(b.emit("neutral", &[Type::Prim(value.elem)], neutral));
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
            let lanes = b.emit("lanes", &columns, exp);
            packed_rows(b, width, &values, lanes)
        }
    }
}

/// An operator on the scalars of both operands that does what this one does; `None` if more than scalars is left, or too much.
fn scalar_operator(b: &mut Builder, op: &Lambda, operands: &[Cells]) -> Option<Lambda> {
    let types = scalar_types(operands);
    let params: Vec<Binder> = types.iter().map(|ty| b.binder("p", ty.clone())).collect();
    let mut names = params.iter().map(|param| Atom::Var(param.var));
    let operands =
        operands.iter().map(|value| Cells::next_of(&mut names, value.elem, &value.shape)).collect();
    let outer = b.take();
    let results = Evaluator::new(b).apply(op, operands);
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

/// The arrays of values whose scalars are in these, one for each.
fn packed_rows(b: &mut Builder, width: Atom, values: &[Cells], lanes: Vec<Atom>) -> Option<Vec<Atom>> {
    let mut lanes = lanes.into_iter();
    let columns: Vec<Vec<Atom>> =
        values.iter().map(|value| lanes.by_ref().take(value.cells.len()).collect()).collect();
    let arrays = || values.iter().filter(|value| !value.shape.is_empty());
    let params: Vec<Type> =
        arrays().flat_map(|value| value.cells.iter().map(|_| Type::Prim(value.elem))).collect();
    let flat =
        |value: &Cells| Type::Array { shape: vec![Atom::i64(value.cells.len() as i64)], elem: value.elem };
    let results: Vec<Type> = arrays().map(flat).collect();
    let lambda = b.lambda(&params, &results, |b, lanes| {
        let mut lanes = lanes.iter().copied();
        arrays().map(|value| row(b, &mut lanes, value)).collect()
    });
    let pairs = || values.iter().zip(&columns);
    let inputs = pairs().filter(|(value, _)| !value.shape.is_empty()).flat_map(|(_, columns)| columns);
    let arrays = inputs.map(|column| column.as_var()).collect::<Option<Vec<Var>>>()?;
    let mut rows = b.many("rows", Exp::Map { width, lambda, arrays }).into_iter();
    let mut made = Vec::new();
    for (value, columns) in pairs() {
        made.push(match value.shape.len() {
            0 => *columns.first()?,
            1 => rows.next()?,
            _ => {
                let shape = [width].into_iter().chain(shape_of(value)).collect();
                b.one("rows", Exp::Reshape { shape, array: rows.next()?.as_var()? })
            }
        });
    }
    Some(made)
}
