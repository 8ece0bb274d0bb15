//! Which loops compilers run in vectors, and what such loops have of their own.

use super::exp::Text;
use super::{Binding, Emit, Emitter};
use crate::names;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, UnOp};
use imp::ir::{Exp, ImpType, Statement, StatementKind};
use imp::plain::is_plain;
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

impl<'p> Emitter<'_, 'p> {
    /// Emits a loop whose iterations are independent, and tells the compiler so where they can run in vectors.
    pub(super) fn independent_loop(
        &mut self,
        body: &'p [Statement],
        emit: impl FnOnce(&mut Self) -> Emit,
    ) -> Emit {
        let plain = is_plain(body);
        let vectors = plain && runs_in_vectors(body);
        let logarithms = if vectors { self.logarithms(body) } else { BTreeMap::new() };
        if plain {
            self.lines.push("FUN_INDEPENDENT");
        }
        let before = std::mem::replace(&mut self.in_vectors, vectors);
        let outer = std::mem::replace(&mut self.logarithms, logarithms);
        let result = emit(self);
        (self.in_vectors, self.logarithms) = (before, outer);
        result
    }

    /// Computes the logarithms of bases that are the same in all iterations, which is half of the work of a power. (Compilers would find that they are, but GCC
    /// leaves some of the choices in the loop, and makes no vectors then.)
    fn logarithms(&mut self, body: &[Statement]) -> BTreeMap<Var, Vec<String>> {
        let (mut own, mut bases) = (BTreeSet::new(), BTreeSet::new());
        for_each_statement(body, &mut |statement| {
            own.extend(statement.kind.declares());
            statement.kind.for_each_exp(&mut |exp| bases_in(exp, &mut bases));
        });
        let mut logarithms = BTreeMap::new();
        for base in bases.difference(&own).filter(|_| self.kernel.is_none()) {
            let Some(Binding::Fixed(ImpType::Prim(ty)) | Binding::Mutable(ImpType::Prim(ty))) =
                self.env.get(base)
            else {
                continue;
            };
            let (x, names) = (names::variable(*base), [self.temporaries + 1, self.temporaries + 2]);
            let [log, low] = names.map(|number| format!("t{number}"));
            let names = match ty {
                PrimType::F32 => {
                    self.unit.helpers.need("log_f64");
                    self.lines.declare(&log, format!("const double {log} = log_f64(fabs((double){x}));"));
                    vec![log]
                }
                PrimType::F64 => {
                    self.unit.helpers.need("log_pair_f64");
                    self.lines.declare(&low, format!("double {low};"));
                    self.lines.declare(&log, format!("const double {log} = log_pair_f64({x}, &{low});"));
                    vec![log, low]
                }
                _ => continue,
            };
            self.temporaries += names.len();
            logarithms.insert(*base, names);
        }
        logarithms
    }

    /// The power of a base whose logarithm is known.
    pub(super) fn power(&mut self, ty: PrimType, base: &Exp, y: &Exp) -> Emit<Option<Text>> {
        let Exp::Var(var) = base else { return Ok(None) };
        let Some(names) = self.logarithms.get(var).cloned() else { return Ok(None) };
        let (base, y) = (self.exp(base)?, self.exp(y)?);
        let known: Vec<Text> = names.into_iter().map(Text::name).collect();
        let operands: Vec<&Text> = [&base].into_iter().chain(&known).chain([&y]).collect();
        let function = if ty == PrimType::F32 { "pow_of_log_f32" } else { "pow_of_log_f64" };
        Ok(Some(self.call_helper(function, &operands)))
    }
}

/// Adds the variables of which an expression has powers.
fn bases_in(exp: &Exp, bases: &mut BTreeSet<Var>) {
    if let Exp::Bin(BinOp::Pow, PrimType::F32 | PrimType::F64, base, _) = exp
        && let Exp::Var(base) = &**base
    {
        bases.insert(*base);
    }
    exp.for_each_child(&mut |child| bases_in(child, bases));
}

/// Whether plain statements run in vectors, as far as one can tell from here: not where some iterations write and others don't, or operators have none.
pub(super) fn runs_in_vectors(body: &[Statement]) -> bool {
    let mut runs = true;
    for_each_statement(body, &mut |statement| {
        if let StatementKind::If { then, otherwise, .. } = &statement.kind {
            for arm in [then, otherwise] {
                for_each_statement(arm, &mut |inner| {
                    runs &= !writes(inner);
                    inner.kind.for_each_exp(&mut |exp| runs &= !looks_up(exp));
                });
            }
        }
        statement.kind.for_each_exp(&mut |exp| runs &= !divides_integers(exp));
    });
    runs
}

fn writes(statement: &Statement) -> bool {
    matches!(statement.kind, StatementKind::Write { .. } | StatementKind::Accumulate { .. })
}

/// Whether integers are divided in a way of which there are no vectors: by constants there are but of 64 bits, where they are no shifts.
fn divides_integers(exp: &Exp) -> bool {
    let mut found = match exp {
        Exp::Bin(BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem, ty, _, divisor) if !ty.is_float() => {
            match &**divisor {
                Exp::Const(value) => {
                    ty.bits() == 64 && value.as_int().is_none_or(|n| n <= 0 || n & (n - 1) != 0)
                }
                _ => true,
            }
        }
        _ => false,
    };
    exp.for_each_child(&mut |child| found |= divides_integers(child));
    found
}

/// Whether something is looked up in a table (`helpers/turns.rs`, and the roots of `lgamma`), which compilers leave to branches that do.
fn looks_up(exp: &Exp) -> bool {
    let mut found =
        matches!(exp, Exp::Un(UnOp::Sin | UnOp::Cos | UnOp::Tan | UnOp::Lgamma, PrimType::F64, _));
    exp.for_each_child(&mut |child| found |= looks_up(child));
    found
}
