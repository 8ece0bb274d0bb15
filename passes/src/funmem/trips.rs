//! Whether a loop has an iteration, as a number for the size of what is allocated before it.

use fun::ir::{Atom, LoopForm, LoopParam};
use fun_base::name::NameSource;
use fun_base::prim::{BinOp, PrimType, PrimValue};
use fun_base::source::Loc;
use funmem::ir::{Binder, Exp, Mem, MemType, Statement};

/// Scalar statements to come before something, and names for them.
pub(super) struct Scalars<'n> {
    pub(super) names: &'n mut NameSource,
    pub(super) loc: Option<Loc>,
    pub(super) out: Vec<Statement>,
}

impl Scalars<'_> {
    /// Adds `let text = exp`.
    pub(super) fn scalar(&mut self, text: &str, ty: PrimType, exp: Exp) -> Atom {
        let var = self.names.fresh(text);
        let pattern = vec![Binder { var, ty: MemType::Prim(ty) }];
        self.out.push(Statement { pattern, exp, loc: self.loc });
        Atom::Var(var)
    }

    /// 1 if the loop has an iteration, and 0 if it has none.
    pub(super) fn some_iteration(&mut self, params: &[LoopParam<Mem>], form: &LoopForm) -> Atom {
        let condition = match form {
            LoopForm::For { var: _, ty, bound } => {
                let exp = Exp::Bin(BinOp::Lt, *ty, Atom::Const(ty.of_i64(0)), *bound);
                match bound.as_const().and_then(|bound| bound.as_int()) {
                    Some(bound) => return Atom::i64(i64::from(bound > 0)),
                    None => self.scalar("some", PrimType::Bool, exp),
                }
            }
            LoopForm::While(condition) => {
                let param = params.iter().find(|param| param.binder.var == *condition);
                param.map_or(Atom::Const(PrimValue::Bool(true)), |param| param.init)
            }
        };
        match condition {
            Atom::Const(value) => Atom::i64(i64::from(value == PrimValue::Bool(true))),
            Atom::Var(_) => {
                let number = Exp::Convert { to: PrimType::I64, from: PrimType::Bool, value: condition };
                self.scalar("some", PrimType::I64, number)
            }
        }
    }

    /// The sum of two numbers that are not negative.
    pub(super) fn sum(&mut self, x: Atom, y: Atom) -> Atom {
        let known = |atom: &Atom| atom.as_const().and_then(|number| number.as_i64());
        match (known(&x), known(&y)) {
            (Some(0), _) => y,
            (_, Some(0)) => x,
            (Some(x), Some(y)) => Atom::i64(x.wrapping_add(y)),
            _ => self.scalar("row", PrimType::I64, Exp::Bin(BinOp::Add, PrimType::I64, x, y)),
        }
    }

    /// The number, or 0 if it is negative.
    pub(super) fn at_least_zero(&mut self, size: Atom) -> Atom {
        match size.as_const().and_then(|size| size.as_i64()) {
            Some(constant) => Atom::i64(constant.max(0)),
            None => {
                self.scalar("size", PrimType::I64, Exp::Bin(BinOp::Max, PrimType::I64, size, Atom::i64(0)))
            }
        }
    }
}
