//! Dead stores: what is written to an array and written again before anything reads it is not written the first time.
//!
//! ```text
//! let (a_1: [n_0]i64) = replicate [n_0] 0i64
//! let (b_2: [n_0]i64) = loop (p_3: [n_0]i64 = a_1) for i_4 < n_0 {
//!   let (x_5: i64) = mul.i64 i_4 i_4
//!   let (q_6: [n_0]i64) = update p_3[i_4] x_5
//!   in (q_6)
//! }
//! ```
//! becomes the same with `scratch [n_0]i64` for the `replicate`.
//!
//! - A fill: an array that nothing uses but a loop that writes its rows one after the other, each in the iteration of its number, and reads
//!   none of them. A row may be written by such a loop in turn. The loop then runs to its end or stops the program.
//! - An update: nothing uses its result but another one of the same cells.
//!
//! Requires and ensures F1–F9. Cost: linear, times the depth of loops.

use fun::ir::{Atom, Body, Dim, Exp, Fun, LoopForm, LoopParam, NoOp, Program, Statement, Type};
use fun::visit::names::use_counts;
use fun::visit::{Map, map_exp, map_program};
use fun_base::name::Var;
use fun_base::prim::PrimType;
use std::collections::BTreeMap;

/// Drops the dead stores of a program.
pub fn run(program: Program) -> Program {
    let uses = use_counts(&program);
    map_program(&mut DeadStores { uses }, &program)
}

struct DeadStores {
    /// How often each variable is used.
    uses: BTreeMap<Var, usize>,
}

impl Map<Fun, Fun> for DeadStores {
    fn op(&mut self, op: &NoOp) -> Exp {
        match *op {}
    }

    fn ty(&mut self, ty: &Type) -> Type {
        ty.clone()
    }

    fn exp(&mut self, exp: &Exp) -> Exp {
        map_exp(self, exp)
    }

    fn body(&mut self, body: &Body) -> Body {
        let mut body = fun::visit::map_body(self, body);
        self.updates(&mut body.statements);
        self.fills(&mut body.statements);
        body
    }
}

impl DeadStores {
    fn used_once(&self, var: Var) -> bool {
        self.uses.get(&var) == Some(&1)
    }

    /// Drops updates whose cells the only use of their result overwrites.
    fn updates(&self, statements: &mut Vec<Statement>) {
        let mut made: BTreeMap<Var, (Var, Vec<Dim>)> = BTreeMap::new();
        let mut dead: Vec<Var> = Vec::new();
        for statement in statements.iter_mut() {
            let (Exp::Update { array, dims, .. }, [binder]) = (&mut statement.exp, &statement.pattern[..])
            else {
                continue;
            };
            if let Some((before, overwritten)) = made.get(array)
                && overwritten == dims
                && self.used_once(*array)
            {
                dead.push(std::mem::replace(array, *before));
            }
            made.insert(binder.var, (*array, dims.clone()));
        }
        statements.retain(|statement| !statement.pattern.iter().any(|binder| dead.contains(&binder.var)));
    }

    /// Turns what fills arrays that a loop overwrites whole into claims of room.
    fn fills(&self, statements: &mut [Statement]) {
        let mut overwritten: Vec<Var> = Vec::new();
        for statement in statements.iter() {
            if let Exp::Loop { params, form, body } = &statement.exp {
                let whole =
                    params.iter().enumerate().filter(|(k, _)| self.overwrites(params, form, body, *k, &[]));
                let fills = whole.filter_map(|(_, param)| param.init.as_var());
                overwritten.extend(fills.filter(|init| self.used_once(*init)));
            }
        }
        for statement in statements {
            if let [binder] = &statement.pattern[..]
                && overwritten.contains(&binder.var)
                && is_fill(&statement.exp)
                && let Type::Array { shape, elem } = &binder.ty
            {
                statement.exp = Exp::Scratch { shape: shape.clone(), elem: *elem };
            }
        }
    }

    /// Whether a loop writes every cell of its `k`-th parameter, or every cell of the row with these first indices, and reads none.
    fn overwrites(&self, params: &[LoopParam], form: &LoopForm, body: &Body, k: usize, row: &[Atom]) -> bool {
        let param = &params[k].binder;
        let LoopForm::For { var: counter, ty: PrimType::I64, bound } = form else { return false };
        let shape = param.ty.shape();
        if shape.get(row.len()) != Some(bound) || !self.used_once(param.var) {
            return false;
        }
        let row: Vec<Atom> = row.iter().copied().chain([Atom::Var(*counter)]).collect();
        body.statements.iter().any(|statement| {
            let bound = |binder: &fun::ir::Binder| Atom::Var(binder.var) == body.results[k];
            let Some(result) = statement.pattern.iter().position(bound) else { return false };
            match &statement.exp {
                Exp::Update { array, dims, .. } => *array == param.var && is_row(dims, &row, shape),
                Exp::Loop { params, form, body } => {
                    params[result].init == Atom::Var(param.var)
                        && self.overwrites(params, form, body, result, &row)
                }
                _ => false,
            }
        })
    }
}

/// Whether an expression makes a new array and does nothing else.
fn is_fill(exp: &Exp) -> bool {
    matches!(
        exp,
        Exp::Replicate { .. }
            | Exp::Iota { .. }
            | Exp::ArrayLiteral { .. }
            | Exp::Concat { .. }
            | Exp::Copy(_)
    )
}

/// Whether these are all cells with these first indices.
pub(super) fn is_row(dims: &[Dim], row: &[Atom], shape: &[Atom]) -> bool {
    dims.len() == shape.len()
        && dims.iter().zip(row).all(|(dim, index)| *dim == Dim::Fix(*index))
        && dims.iter().zip(shape).skip(row.len()).all(|(dim, size)| {
            *dim == Dim::Range { offset: Atom::i64(0), count: *size, stride: Atom::i64(1) }
        })
}
