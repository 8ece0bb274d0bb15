//! The tape: what the iterations of a loop leave for the return sweep.
//!
//! It is one array for each parameter that the return sweep wants, with the value before each iteration. Where the return sweep
//! wants only some cells or rows of an array, which the iteration reads itself, the tape keeps these instead of the whole array.

use super::Reverse;
use crate::build::Builder;
use crate::ir::{Atom, Binder, Body, Exp, Fun, LoopParam, Statement, Type};
use crate::visit::{Walk, names};
use fun_base::name::Var;
use fun_base::prim::PrimType;
use std::collections::BTreeSet;

/// How often a loop runs, and what counts its iterations.
pub(super) struct Count {
    pub(super) count: Atom,
    pub(super) counter: Binder,
}

/// What is kept of each iteration.
struct Kept {
    /// A parameter of the loop, or a variable that the iteration binds.
    of: Var,
    array: Binder,
    /// Whether `of` is a parameter.
    param: bool,
}

pub(super) struct Tape {
    count: Atom,
    /// For each parameter the array of its values, where it is kept.
    pub(super) params: Vec<Binder>,
    binders: Vec<Binder>,
    kept: Vec<Kept>,
}

impl Tape {
    pub(super) fn new(b: &mut Builder<'_>, binders: &[Binder], count: Atom) -> Tape {
        let array = |binder: &Binder| b.binder("tape", Type::array_of(&[count], &binder.ty));
        let params = binders.iter().map(array).collect();
        Tape { count, params, binders: binders.to_vec(), kept: Vec::new() }
    }

    /// Decides what is kept: what one iteration of the return sweep reads.
    pub(super) fn keep_what_is_read(&mut self, reverse: &mut Reverse<'_, '_>, body: &Body, back: &mut Body) {
        let used = names::free_in_body(back);
        let local: BTreeSet<Var> = bound_in(body).chain(self.binders.iter().map(|b| b.var)).collect();
        for (param, array) in self.binders.iter().zip(&self.params) {
            if !used.contains(&array.var) {
                continue;
            }
            if !keep_reads(reverse, body, back, array, self.count, &local, &mut self.kept) {
                self.kept.push(Kept { of: param.var, array: array.clone(), param: true });
            }
        }
    }

    /// Makes the loop that binds `first` in the forward sweep record the tape.
    pub(super) fn record(
        self,
        reverse: &mut Reverse<'_, '_>,
        first: Option<Var>,
        counter: &Binder,
        forward: &mut Vec<Statement>,
    ) {
        let Some(place) = position(forward, first).filter(|_| !self.kept.is_empty()) else { return };
        let outer = reverse.b.take();
        let mut scratches = Vec::new();
        for kept in &self.kept {
            let ty = &kept.array.ty;
            let exp = Exp::Scratch { shape: ty.shape().to_vec(), elem: ty.elem() };
            scratches.push(reverse.b.one("tape", exp));
        }
        let before = reverse.b.take();
        let index = reverse.b.convert(PrimType::I64, counter.ty.elem(), counter.var.into());
        let convert = reverse.b.take();
        if let Statement { pattern, exp: Exp::Loop { params, body, .. }, .. } = &mut forward[place] {
            let mut statements = convert;
            let mut record = |reverse: &mut Reverse<'_, '_>, kept: &Kept, init: &Atom| {
                let so_far = reverse.b.binder("tape", kept.array.ty.clone());
                let next = reverse.b.update(so_far.var, &[index], kept.of.into());
                params.push(LoopParam { binder: so_far, init: *init });
                body.results.push(next.into());
                pattern.push(kept.array.clone());
            };
            for (kept, init) in self.kept.iter().zip(&scratches).filter(|(kept, _)| kept.param) {
                record(reverse, kept, init);
            }
            statements.extend(reverse.b.take());
            for statement in std::mem::take(&mut body.statements) {
                let bound: Vec<Var> = statement.pattern.iter().map(|binder| binder.var).collect();
                statements.push(statement);
                let here = |kept: &Kept| !kept.param && bound.contains(&kept.of);
                for (kept, init) in self.kept.iter().zip(&scratches).filter(|(kept, _)| here(kept)) {
                    record(reverse, kept, init);
                }
                statements.extend(reverse.b.take());
            }
            body.statements = statements;
        }
        reverse.b.replace(outer);
        forward.splice(place..place, before);
    }
}

/// Where the statement that binds this variable stands.
pub(super) fn position(statements: &[Statement], first: Option<Var>) -> Option<usize> {
    let first = first?;
    statements.iter().rposition(|statement| statement.pattern.iter().any(|binder| binder.var == first))
}

/// The variables bound by the statements of a body itself.
fn bound_in(body: &Body) -> impl Iterator<Item = Var> + '_ {
    body.statements.iter().flat_map(|statement| &statement.pattern).map(|binder| binder.var)
}

/// If all that the return sweep wants of an array are cells or rows that the iteration reads: keeps these instead, and says so.
fn keep_reads(
    reverse: &mut Reverse<'_, '_>,
    body: &Body,
    back: &mut Body,
    array: &Binder,
    count: Atom,
    local: &BTreeSet<Var>,
    kept: &mut Vec<Kept>,
) -> bool {
    let restores = |statement: &Statement| matches!(&statement.exp, Exp::Slice { array: from, .. } if *from == array.var);
    let Some(at) = back.statements.iter().position(restores) else { return false };
    let Exp::Slice { dims, .. } = &back.statements[at].exp else { return false };
    let Some(crate::ir::Dim::Fix(iteration)) = dims.first().cloned() else { return false };
    let value = back.statements[at].pattern[0].var;
    let reads = |statement: &Statement| {
        matches!(&statement.exp,
            Exp::Index { array, .. } | Exp::Slice { array, .. } if *array == value)
    };
    let own: BTreeSet<Var> = bound_in(body).collect();
    let mut found: Vec<(usize, Var)> = Vec::new();
    for (k, statement) in back.statements.iter().enumerate().filter(|(_, statement)| reads(statement)) {
        let original = reverse.originals.get(&statement.pattern[0].var).copied();
        let Some(original) = original.filter(|original| own.contains(original)) else { return false };
        let mut plain = true;
        let ty = reverse.type_of(original.into());
        crate::ir::BinderType::for_each_var(&ty, &mut |var| plain &= !local.contains(&var));
        if !plain {
            return false;
        }
        found.push((k, original));
    }
    if uses(back, array.var) != 1 || uses(back, value) != found.len() || found.len() > 4 {
        return false;
    }
    for (k, original) in found {
        let ty = reverse.type_of(original.into());
        let tape = reverse.b.binder("tape", Type::array_of(&[count], &ty));
        let statement = &mut back.statements[k];
        statement.exp = reverse.element_exp(tape.var, &statement.pattern[0].ty, iteration);
        kept.push(Kept { of: original, array: tape, param: false });
    }
    back.statements.remove(at);
    true
}

/// How often a variable is used in a body.
fn uses(body: &Body, var: Var) -> usize {
    struct Count(Var, usize);
    impl Walk<Fun> for Count {
        fn atom(&mut self, atom: &Atom) {
            self.1 += usize::from(*atom == Atom::Var(self.0));
        }
    }
    let mut count = Count(var, 0);
    count.body(body);
    count.1
}
