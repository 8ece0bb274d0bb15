//! What the i64 variables of a procedure are, as polynomials of others.

use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use imp::ir::{Exp, Procedure, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

/// Numbers of more terms are not looked at.
pub(super) const MOST_TERMS: usize = 12;
/// Nor those with more factors in a term: in a chain of squares their number doubles with each.
const MOST_FACTORS: usize = 16;

/// What i64 variables of a procedure are, as polynomials of others that are not defined as such.
pub(super) struct Numbers {
    /// What is assigned, so that its name stands for no single value.
    variables: BTreeSet<Var>,
    definitions: BTreeMap<Var, Poly>,
}

impl Numbers {
    pub(super) fn of(procedure: &Procedure) -> Numbers {
        let mut numbers = Numbers { variables: BTreeSet::new(), definitions: BTreeMap::new() };
        numbers.learn(&procedure.body);
        numbers
    }

    /// The variables of statements that were added.
    pub(super) fn learn(&mut self, body: &[Statement]) {
        for_each_statement(body, &mut |statement| {
            if let StatementKind::Declare { var, .. } = &statement.kind {
                self.variables.insert(*var);
            }
        });
        for_each_statement(body, &mut |statement| {
            if let StatementKind::Let { var, ty: PrimType::I64, value } = &statement.kind
                && let Some(value) = self.poly(value)
            {
                self.definitions.insert(*var, value);
            }
        });
    }

    /// The number, if it is made of sums and products.
    pub(super) fn poly(&self, exp: &Exp) -> Option<Poly> {
        let poly = match exp {
            Exp::Const(value) => value.as_i64().map(Poly::constant),
            Exp::Var(var) => self.of_var(*var),
            Exp::Bin(op @ (BinOp::Add | BinOp::Sub | BinOp::Mul), PrimType::I64, x, y) => {
                let (x, y) = (self.poly(x)?, self.poly(y)?);
                Some(match op {
                    BinOp::Add => x.add(&y),
                    BinOp::Sub => x.sub(&y),
                    _ => x.mul(&y),
                })
            }
            _ => None,
        };
        poly.filter(|poly| poly.terms().count() <= MOST_TERMS && poly.degree() <= MOST_FACTORS)
    }

    /// Whether the variable is one that is assigned.
    pub(super) fn is_assigned(&self, var: Var) -> bool {
        self.variables.contains(&var)
    }

    fn of_var(&self, var: Var) -> Option<Poly> {
        let known = || self.definitions.get(&var).cloned().unwrap_or_else(|| Poly::var(var));
        (!self.variables.contains(&var)).then(known)
    }

    /// The address of an element.
    pub(super) fn address(&self, lmad: &Lmad, indices: &[Exp]) -> Option<Poly> {
        let indices = indices.iter().map(|index| self.poly(index)).collect::<Option<Vec<Poly>>>()?;
        let mut known = true;
        lmad.for_each_var(&mut |var| known &= !self.variables.contains(&var));
        let lmad = lmad.subst(&mut |var| self.of_var(var).unwrap_or_else(|| Poly::var(var)));
        let fits = known && lmad.rank() == indices.len();
        fits.then(|| lmad.apply(&indices)).filter(|poly| poly.terms().count() <= MOST_TERMS)
    }
}

/// The comparison that holds when the operands are exchanged.
pub(super) fn mirrored(op: BinOp) -> BinOp {
    match op {
        BinOp::Lt => BinOp::Gt,
        BinOp::Le => BinOp::Ge,
        BinOp::Gt => BinOp::Lt,
        BinOp::Ge => BinOp::Le,
        other => other,
    }
}
