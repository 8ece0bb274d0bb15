//! Common subexpressions: an expression equal to an earlier one in scope becomes another name for its result.
//!
//! ```text
//! let (a_2: i64) = add.i64 x_0 y_1
//! let (b_3: i64) = add.i64 y_1 x_0
//! ```
//! becomes
//! ```text
//! let (a_2: i64) = add.i64 x_0 y_1
//! let (b_3: i64) = a_2
//! ```
//!
//! Only scalar operators, conversions, and views (slice, permute, reshape, reverse) of arrays that nothing consumes: two fresh
//! arrays stay two, since one may be consumed. An `index` is shared only if its array is never consumed under any name.
//! Operands of commutative operators are sorted. Requires and ensures F1–F9. Cost: n log n.

use fun::ir::{Atom, Body, Dim, Exp, Fun, NoOp, Program, Statement, Type};
use fun::visit::{Map, Walk, map_body, map_program, map_statement, walk_exp, walk_program};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, UnOp};

/// Shares equal expressions in the whole program.
pub fn run(program: Program) -> Program {
    // Where anything at all is consumed, arrays may change between two reads of them: then only scalars are shared.
    let consumes = consumes(&program);
    map_program(&mut Cse { known: imbl::OrdMap::new(), consumes }, &program)
}

/// An expression as a key: equal keys have equal values wherever both are in scope.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Bin(BinOp, PrimType, Atom, Atom),
    Un(UnOp, PrimType, Atom),
    Convert(PrimType, PrimType, Atom),
    Index(Var, Vec<Atom>),
    Slice(Var, Vec<(Atom, Option<(Atom, Atom)>)>),
    Permute(Vec<usize>, Var),
    Reshape(Vec<Atom>, Var),
    Reverse(usize, Var),
}

struct Cse {
    known: imbl::OrdMap<Key, Var>,
    consumes: bool,
}

impl Map<Fun, Fun> for Cse {
    fn ty(&mut self, ty: &Type) -> Type {
        ty.clone()
    }

    fn op(&mut self, op: &NoOp) -> Exp {
        match *op {}
    }

    fn atom(&mut self, atom: &Atom) -> Atom {
        *atom
    }

    fn body(&mut self, body: &Body) -> Body {
        // What is known inside holds only inside.
        let outside = self.known.clone();
        let body = map_body(self, body);
        self.known = outside;
        body
    }

    fn statement(&mut self, statement: &Statement, out: &mut Vec<Statement>) {
        let mapped = map_statement(self, statement);
        let key = key(&mapped.exp, self.consumes);
        let (Some(key), [binder]) = (key, mapped.pattern.as_slice()) else { return out.push(mapped) };
        match self.known.get(&key) {
            Some(known) => {
                let exp = Exp::Atom(Atom::Var(*known));
                out.push(Statement { pattern: mapped.pattern, exp, loc: mapped.loc });
            }
            None => {
                self.known.insert(key, binder.var);
                out.push(mapped);
            }
        }
    }
}

fn key(exp: &Exp, consumes: bool) -> Option<Key> {
    match exp {
        Exp::Bin(op, ty, left, right) => {
            let (left, right) = if commutes(*op) && right < left { (right, left) } else { (left, right) };
            Some(Key::Bin(*op, *ty, *left, *right))
        }
        Exp::Un(op, ty, value) => Some(Key::Un(*op, *ty, *value)),
        Exp::Convert { to, from, value } => Some(Key::Convert(*to, *from, *value)),
        _ if consumes => None,
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
        | Exp::Map { .. }
        | Exp::Reduce { .. }
        | Exp::Scan { .. }
        | Exp::Hist { .. }
        | Exp::Scatter { .. }
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

/// Whether anything in the program consumes an array.
fn consumes(program: &Program) -> bool {
    struct Consumes(bool);
    impl Walk<Fun> for Consumes {
        fn exp(&mut self, exp: &Exp) {
            use fun::ir::Combine;
            self.0 |= match exp {
                Exp::Update { .. } | Exp::Hist { .. } | Exp::Scatter { .. } => true,
                Exp::Kernel { combine, .. } => {
                    matches!(combine, Combine::Hist { .. } | Combine::Scatter { .. })
                }
                _ => false,
            };
            walk_exp(self, exp);
        }
    }
    let mut found = Consumes(program.functions.iter().any(|f| f.params.iter().any(|param| param.unique)));
    walk_program(&mut found, program);
    found.0
}
