//! Which loops compilers run in vectors, and what such loops have of their own.

use super::statement::is_plain;
use super::{Emit, Emitter};
use fun_base::prim::BinOp;
use imp::ir::{Exp, Statement, StatementKind};
use imp::visit::for_each_statement;

impl<'p> Emitter<'_, 'p> {
    /// Emits a loop whose iterations are independent, and tells the compiler so where they can run in vectors.
    pub(super) fn independent_loop(
        &mut self,
        body: &'p [Statement],
        emit: impl FnOnce(&mut Self) -> Emit,
    ) -> Emit {
        let plain = is_plain(body);
        if plain {
            self.lines.push("FUN_INDEPENDENT");
        }
        let before = std::mem::replace(&mut self.in_vectors, plain && runs_in_vectors(body));
        let result = emit(self);
        self.in_vectors = before;
        result
    }
}

/// Whether plain statements run in vectors, as far as one can tell from here: not where some iterations touch memory and others don't, or operators have none.
pub(super) fn runs_in_vectors(body: &[Statement]) -> bool {
    let mut runs = true;
    for_each_statement(body, &mut |statement| {
        if let StatementKind::If { then, otherwise, .. } = &statement.kind {
            for_each_statement(then, &mut |inner| runs &= !touches_memory(inner));
            for_each_statement(otherwise, &mut |inner| runs &= !touches_memory(inner));
        }
        statement.kind.for_each_exp(&mut |exp| runs &= !divides_integers(exp));
    });
    runs
}

fn touches_memory(statement: &Statement) -> bool {
    let mut touches =
        matches!(statement.kind, StatementKind::Write { .. } | StatementKind::Accumulate { .. });
    statement.kind.for_each_exp(&mut |exp| touches |= exp.reads());
    touches
}

fn divides_integers(exp: &Exp) -> bool {
    let mut found = match exp {
        Exp::Bin(BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem, ty, _, divisor) => {
            !ty.is_float() && !matches!(**divisor, Exp::Const(_))
        }
        _ => false,
    };
    exp.for_each_child(&mut |child| found |= divides_integers(child));
    found
}
