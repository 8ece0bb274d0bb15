//! Wrong rules for conversions.

use super::rewrite::bodies;
use fun::ir::{Atom, Binder, Exp, Program, Statement, Type};
use fun::visit::names::name_source;
use fun_base::prim::BinOp;
use std::collections::BTreeMap;

/// A conversion to fewer bits goes to the operands of what depends on the highest bits of these, too: shifts to the right, minima and maxima.
pub(super) fn narrowed_too_early(mut program: Program) -> Program {
    let mut names = name_source(&program);
    bodies(&mut program, &mut |body| {
        let mut definitions = BTreeMap::new();
        let mut done = Vec::new();
        for mut statement in std::mem::take(&mut body.statements) {
            if let Exp::Convert { to, from, value: Atom::Var(wide) } = statement.exp
                && to.is_int()
                && from.is_int()
                && to.bits() < from.bits()
                && let Some(Exp::Bin(op, _, x, y)) = definitions.get(&wide)
                && matches!(op, BinOp::Shr | BinOp::ShrLogical | BinOp::Min | BinOp::Max)
            {
                let [x, y] = [*x, *y].map(|value| {
                    let var = names.fresh("x");
                    let (pattern, exp) =
                        (vec![Binder { var, ty: Type::Prim(to) }], Exp::Convert { to, from, value });
                    done.push(Statement { pattern, exp, loc: statement.loc });
                    Atom::Var(var)
                });
                statement.exp = Exp::Bin(*op, to, x, y);
            }
            if let [binder] = statement.pattern.as_slice() {
                definitions.insert(binder.var, statement.exp.clone());
            }
            done.push(statement);
        }
        body.statements = done;
    });
    program
}
