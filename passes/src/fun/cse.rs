//! Common subexpressions: the result of an expression equal to an earlier one in scope is replaced by the earlier one's.
//!
//! ```text
//! let (a_2: i64) = add.i64 x_0 y_1
//! let (b_3: i64) = add.i64 y_1 x_0
//! ```
//! becomes
//! ```text
//! let (a_2: i64) = add.i64 x_0 y_1
//! ```
//!
//! Only scalar operators, conversions, reads, and views (slice, permute, reshape, reverse): two fresh arrays stay two, since one
//! may be consumed. Two views of one array alias each other and the array (F5), so whatever is consumed, one may stand for the
//! other wherever both may be used. Operands of commutative operators are sorted. An `assert` of what has been asserted before
//! goes. Requires and ensures F1–F9. Cost: n log n.

use fun::ir::{Atom, Body, Dim, Exp, Fun, NoOp, Program, Statement, Type};
use fun::visit::names::{Subst, subst_atom, subst_type};
use fun::visit::{Map, map_body, map_program, map_statement};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, UnOp};

/// Shares equal expressions in the whole program.
pub fn run(program: Program) -> Program {
    let mut cse = Cse { known: imbl::OrdMap::new(), asserted: imbl::OrdSet::new(), subst: Subst::new() };
    map_program(&mut cse, &program)
}

/// An expression as a key: equal keys have equal values wherever both are in scope.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Bin(BinOp, PrimType, Atom, Atom),
    Un(UnOp, PrimType, Atom),
    Fma(PrimType, [Atom; 3]),
    Convert(PrimType, PrimType, Atom),
    Index(Var, Vec<Atom>),
    Slice(Var, Vec<(Atom, Option<(Atom, Atom)>)>),
    Permute(Vec<usize>, Var),
    Reshape(Vec<Atom>, Var),
    Reverse(usize, Var),
}

struct Cse {
    known: imbl::OrdMap<Key, Var>,
    /// Conditions that hold here.
    asserted: imbl::OrdSet<Atom>,
    /// What stands for the results of expressions that were known.
    subst: Subst,
}

impl Map<Fun, Fun> for Cse {
    fn ty(&mut self, ty: &Type) -> Type {
        subst_type(&self.subst, ty)
    }

    fn op(&mut self, op: &NoOp) -> Exp {
        match *op {}
    }

    fn atom(&mut self, atom: &Atom) -> Atom {
        subst_atom(&self.subst, *atom)
    }

    fn body(&mut self, body: &Body) -> Body {
        // What is known inside holds only inside.
        let (known, asserted) = (self.known.clone(), self.asserted.clone());
        let body = map_body(self, body);
        (self.known, self.asserted) = (known, asserted);
        body
    }

    fn statement(&mut self, statement: &Statement, out: &mut Vec<Statement>) {
        let mapped = map_statement(self, statement);
        if let Exp::Assert { condition, .. } = &mapped.exp {
            if self.asserted.insert(*condition).is_none() {
                out.push(mapped);
            }
            return;
        }
        let key = key(&mapped.exp);
        let (Some(key), [binder]) = (key, mapped.pattern.as_slice()) else { return out.push(mapped) };
        match self.known.get(&key) {
            Some(known) => {
                self.subst.insert(binder.var, Atom::Var(*known));
            }
            None => {
                self.known.insert(key, binder.var);
                out.push(mapped);
            }
        }
    }
}

fn key(exp: &Exp) -> Option<Key> {
    match exp {
        Exp::Bin(op, ty, left, right) => {
            let (left, right) = if commutes(*op) && right < left { (right, left) } else { (left, right) };
            Some(Key::Bin(*op, *ty, *left, *right))
        }
        Exp::Un(op, ty, value) => Some(Key::Un(*op, *ty, *value)),
        Exp::Fma(ty, operands) => Some(Key::Fma(*ty, *operands)),
        Exp::Convert { to, from, value } => Some(Key::Convert(*to, *from, *value)),
        Exp::Index { array, indices } => Some(Key::Index(*array, indices.clone())),
        Exp::Slice { array, dims } => {
            let dims = dims.iter().map(|dim| match dim {
                Dim::Fix(index) => (*index, None),
                Dim::Range { offset, count, stride } => (*offset, Some((*count, *stride))),
            });
            Some(Key::Slice(*array, dims.collect()))
        }
        Exp::Permute { perm, array } => Some(Key::Permute(perm.clone(), *array)),
        Exp::Reshape { shape, array } => Some(Key::Reshape(shape.clone(), *array)),
        Exp::Reverse { dim, array } => Some(Key::Reverse(*dim, *array)),
        Exp::Atom(_)
        | Exp::Update { .. }
        | Exp::Iota { .. }
        | Exp::Replicate { .. }
        | Exp::Scratch { .. }
        | Exp::ArrayLiteral { .. }
        | Exp::Concat { .. }
        | Exp::Copy(_)
        | Exp::If { .. }
        | Exp::Loop { .. }
        | Exp::Call { .. }
        | Exp::Assert { .. }
        | Exp::Trace { .. }
        | Exp::Map { .. }
        | Exp::Reduce { .. }
        | Exp::Scan { .. }
        | Exp::Hist { .. }
        | Exp::Scatter { .. }
        | Exp::Derive { .. }
        | Exp::Kernel { .. }
        | Exp::Op(_) => None,
    }
}

/// Whether the operands can change places without any change of the result, NaN payloads included.
fn commutes(op: BinOp) -> bool {
    matches!(
        op,
        BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Eq | BinOp::Ne | BinOp::MulHi | BinOp::Add | BinOp::Mul
    )
}
