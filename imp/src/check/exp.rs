//! Types of expressions (I1, I2, I4).

use super::{Checker, Meaning};
use crate::ir::{Exp, ImpType, Space};
use fun_base::name::Var;
use fun_base::prim::PrimType;

impl Checker {
    /// Reports when the expression has another type.
    pub(super) fn expect(&mut self, exp: &Exp, wanted: ImpType, what: &str) {
        if let Some(found) = self.type_of(exp)
            && found != wanted
        {
            self.error(format!("I2: {what} must be {wanted}, but `{exp}` is {found}"));
        }
    }

    /// Reports when the expression is not of this primitive type.
    pub(super) fn expect_prim(&mut self, exp: &Exp, wanted: PrimType, what: &str) {
        self.expect(exp, ImpType::Prim(wanted), what);
    }

    /// The type; `None` after reporting why there is none.
    pub(super) fn type_of(&mut self, exp: &Exp) -> Option<ImpType> {
        match exp {
            Exp::Const(value) => Some(ImpType::Prim(value.prim_type())),
            Exp::Var(var) => self.type_of_var(*var),
            Exp::Bin(op, ty, left, right) => {
                self.expect_prim(left, *ty, "the operand");
                self.expect_prim(right, *ty, "the operand");
                self.defined(op.result_type(*ty), || format!("I2: {op} is not defined on {ty}"))
            }
            Exp::Un(op, ty, operand) => {
                self.expect_prim(operand, *ty, "the operand");
                self.defined(op.result_type(*ty), || format!("I2: {op} is not defined on {ty}"))
            }
            Exp::Fma(ty, operands) => {
                operands.iter().for_each(|operand| self.expect_prim(operand, *ty, "the operand"));
                self.defined(ty.is_float().then_some(*ty), || format!("I2: fma is not defined on {ty}"))
            }
            Exp::Convert { to, from, value } => {
                self.expect_prim(value, *from, "the operand");
                let known = *to != PrimType::Unit && *from != PrimType::Unit;
                self.defined(known.then_some(*to), || format!("I2: no conversion from {from} to {to}"))
            }
            Exp::Select(condition, yes, no) => {
                self.expect_prim(condition, PrimType::Bool, "a condition");
                let ty = self.type_of(yes)?;
                self.expect(no, ty, "the other choice");
                if let ImpType::Mem(_) = ty {
                    self.error("I2: `select` chooses between scalars".to_owned());
                }
                Some(ty)
            }
            Exp::Read { view, indices } => {
                let elem = self.access(*view, indices)?;
                Some(ImpType::Prim(elem))
            }
            Exp::Threads | Exp::Param { .. } => Some(ImpType::Prim(PrimType::I64)),
        }
    }

    fn defined(&mut self, ty: Option<PrimType>, message: impl FnOnce() -> String) -> Option<ImpType> {
        if ty.is_none() {
            self.error(message());
        }
        ty.map(ImpType::Prim)
    }

    /// The type of a scalar or block variable.
    pub(super) fn type_of_var(&mut self, var: Var) -> Option<ImpType> {
        match self.lookup(var)?.meaning {
            Meaning::Fixed(ty) | Meaning::Mutable(ty) => Some(ty),
            Meaning::View { .. } => {
                self.error(format!("I2: the view `{var}` is used as a scalar or block"));
                None
            }
        }
    }

    /// Element type and rank of a view.
    pub(super) fn view(&mut self, var: Var) -> Option<(PrimType, usize)> {
        match self.lookup(var)?.meaning {
            Meaning::View { elem, rank, .. } => Some((elem, rank)),
            Meaning::Fixed(_) | Meaning::Mutable(_) => {
                self.error(format!("I4: `{var}` is not a view"));
                None
            }
        }
    }

    /// Checks an indexed access and gives the element type.
    pub(super) fn access(&mut self, view: Var, indices: &[Exp]) -> Option<PrimType> {
        for index in indices {
            self.expect_prim(index, PrimType::I64, "an index");
        }
        let (elem, rank) = self.view(view)?;
        if rank != indices.len() {
            self.error(format!("I4: `{view}` has {rank} dimensions and is indexed with {}", indices.len()));
        }
        self.own_cells(view, indices);
        Some(elem)
    }

    /// The space of a block; reports when the variable is none.
    pub(super) fn block(&mut self, var: Var) -> Option<Space> {
        match self.type_of_var(var)? {
            ImpType::Mem(space) => Some(space),
            ImpType::Prim(ty) => {
                self.error(format!("I2: `{var}` must be a block and is {ty}"));
                None
            }
        }
    }
}
