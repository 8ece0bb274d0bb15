//! Wrong formulas for sums of counters.

use super::rewrite::{Site, exps, statements};
use fun::ir::{Atom, Exp, Program};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};

/// `n >>> 1` is multiplied by `n - 1`, also where `n` is odd and the half has lost something.
pub(super) fn odd_number_is_halved(program: Program) -> Program {
    exps(program, |site, exp| match exp {
        Exp::Bin(BinOp::Or, PrimType::I64, before, one) if *one == Atom::i64(1) => {
            let Exp::Bin(BinOp::Sub, _, _, one) = site.definition(*before)? else { return None };
            (*one == Atom::i64(1)).then_some(Exp::Atom(*before))
        }
        _ => None,
    })
}

/// Whether a variable, or what it is in 64 bits, is halved.
fn is_halved(site: &Site, var: Var) -> bool {
    site.definitions.values().any(|exp| {
        let Exp::Bin(BinOp::ShrLogical, PrimType::I64, count, one) = exp else { return false };
        let converted = match site.definition(*count) {
            Some(Exp::Convert { value, .. }) => *value == Atom::Var(var),
            _ => false,
        };
        *one == Atom::i64(1) && (converted || *count == Atom::Var(var))
    })
}

/// The bound of a loop whose counters are summed counts as what it is, not as 0, where it is less.
pub(super) fn sum_to_below_zero(program: Program) -> Program {
    statements(program, &mut |site, mut statement| {
        if let ([binder], Exp::Bin(BinOp::Max, ty, bound, zero)) =
            (statement.pattern.as_slice(), &statement.exp)
            && *zero == Atom::Const(ty.zero())
            && is_halved(site, binder.var)
        {
            statement.exp = Exp::Atom(*bound);
        }
        statement
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generated::{Language, generate};
    use fun_passes::fun::simplify;
    use fun_passes::program::Program as Any;

    /// As for constructs: one program of 200 at least.
    #[test]
    fn generated_programs_sum_counters() {
        let programs = 2_000;
        let summed = (0..programs).filter(|seed| {
            let Any::Fun(program) = generate(Language::Fun, *seed, 15).program else { return false };
            let simple = simplify::run(program);
            odd_number_is_halved(simple.clone()) != simple
        });
        let summed = summed.count();
        assert!(summed * 200 >= programs as usize, "{summed} of {programs}");
    }
}
