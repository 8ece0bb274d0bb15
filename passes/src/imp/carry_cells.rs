//! Cells that an iteration writes and the next one reads are carried in a scalar.
//!
//! ```text
//! for j < n seq {
//!   let left = row[j]
//!   let x = max.i32(above[add.i64(j, 1)], left)
//!   row[add.i64(j, 1)] := x
//! }
//! ```
//! becomes
//! ```text
//! var cell : i32
//! if lt.i64(0, n) { cell := row[0] }
//! for j < n seq {
//!   let left = cell
//!   let x = max.i32(above[add.i64(j, 1)], left)
//!   row[add.i64(j, 1)] := x
//!   cell := x
//! }
//! ```
//! What comes back through memory costs several cycles more than what stays in a register, and iterations of a recurrence wait for it.
//!
//! Done in sequential loops without loops, branches or calls inside, where the address that is read in the next iteration is, as a polynomial, the one
//! that is written in this one, and all other writes of the loop go to other blocks. The first value is read before the loop, so nothing
//! in front of the read may stop the program, and the address of the first must be known there.
//!
//! Requires and ensures I1–I10. Cost: for each such loop, its reads times its writes; polynomials have at most [`MOST_TERMS`](super::numbers::MOST_TERMS) terms.

use super::copy::{can_fail, replace_exp};
use super::fuse_loops::access::Places;
use super::numbers::Numbers;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use imp::build::{Builder, bin, read};
use imp::ir::{Exp, ImpType, LoopKind, Program, Statement, StatementKind};
use imp::visit::names_after;
use std::collections::BTreeSet;

/// Carries cells in the loops of a program.
pub fn run(mut program: Program) -> Program {
    let mut builder = Builder::new(names_after(&program));
    for procedure in &mut program.procedures {
        let numbers = Numbers::of(procedure);
        let mut carrying = Carrying { places: Places::of(procedure), numbers, b: &mut builder };
        carrying.statements(&mut procedure.body);
    }
    program
}

/// A cell that goes from one iteration to the next.
struct Carried {
    elem: PrimType,
    mem: Var,
    /// The address of the first one.
    first: Poly,
    /// The statement that writes the next one.
    writes: usize,
    /// The reads of it: the statement and what is read there.
    reads: Vec<(usize, Exp)>,
}

struct Carrying<'b> {
    places: Places,
    numbers: Numbers,
    b: &'b mut Builder,
}

impl Carrying<'_> {
    fn statements(&mut self, list: &mut Vec<Statement>) {
        for mut statement in std::mem::take(list) {
            if let StatementKind::For { var, ty: PrimType::I64, bound, kind: LoopKind::Seq, body } =
                &mut statement.kind
                && matches!(bound, Exp::Var(_) | Exp::Const(_))
                && is_plain(body)
            {
                if let Some(carried) = self.carried(*var, body) {
                    let outer = self.b.begin();
                    self.carry(&carried, bound, body);
                    let mut before = self.b.end(outer);
                    before.iter_mut().for_each(|new| new.loc = statement.loc);
                    list.append(&mut before);
                }
            } else {
                statement.kind.for_each_body_mut(&mut |body| self.statements(body));
            }
            list.push(statement);
        }
    }

    /// The first cell that can be carried in a loop with this counter.
    fn carried(&self, counter: Var, body: &[Statement]) -> Option<Carried> {
        let mut bound: BTreeSet<Var> =
            body.iter().filter_map(|statement| statement.kind.declares()).collect();
        bound.insert(counter);
        let stops = |statement: &Statement| {
            let mut stops = matches!(statement.kind, StatementKind::Assert { .. });
            statement.kind.for_each_exp(&mut |exp| stops |= can_fail(exp));
            stops
        };
        let safe = body.iter().position(stops).map_or(body.len(), |at| at + 1);
        body.iter().enumerate().find_map(|(writes, statement)| {
            let StatementKind::Write { view, indices, .. } = &statement.kind else { return None };
            let (elem, mem, lmad) = self.places.place(*view)?;
            let written = self.numbers.address(lmad, indices)?;
            let others = body.iter().enumerate().filter(|(at, _)| *at != writes);
            let mut others = others.filter_map(|(_, other)| match &other.kind {
                StatementKind::Write { view, .. } => Some(*view),
                _ => None,
            });
            if elem == PrimType::Unit || !others.all(|other| self.places.in_different_blocks(other, *view)) {
                return None;
            }
            let (mut reads, mut first) = (Vec::new(), None);
            for (at, statement) in body[..(writes + 1).min(safe)].iter().enumerate() {
                statement.kind.for_each_exp(&mut |exp| {
                    for_each_read(exp, &mut |exp, from, indices| {
                        let there = self.places.place(from).filter(|place| (place.0, place.1) == (elem, mem));
                        let address = there.and_then(|(_, _, lmad)| self.numbers.address(lmad, indices));
                        let Some(address) = address else { return };
                        let from = |by: Poly| {
                            address.subst(&mut |var| if var == counter { by.clone() } else { Poly::var(var) })
                        };
                        if from(Poly::var(counter).add(&Poly::constant(1))) == written {
                            first = Some(from(Poly::constant(0)));
                            reads.push((at, exp.clone()));
                        }
                    });
                });
            }
            let first = first?;
            let mut outside = true;
            first.for_each_var(&mut |var| outside &= !bound.contains(&var));
            outside.then_some(Carried { elem, mem, first, writes, reads })
        })
    }

    /// Rewrites the body; what comes before the loop is built.
    fn carry(&mut self, carried: &Carried, bound: &Exp, body: &mut Vec<Statement>) {
        let Carried { elem, mem, first, writes, reads } = carried;
        let cell = self.b.declare("cell", ImpType::Prim(*elem), None);
        self.b.when(bin(BinOp::Lt, PrimType::I64, Exp::i64(0), bound.clone()), |b| {
            let view = b.view("first", *elem, *mem, Lmad { offset: first.clone(), dims: Vec::new() });
            b.assign(cell, read(view, Vec::new()));
        });
        for (at, old) in reads {
            body[*at].kind.for_each_exp_mut(&mut |exp| replace_exp(exp, old, cell));
        }
        let loc = body[*writes].loc;
        let StatementKind::Write { value, .. } = &mut body[*writes].kind else { return };
        let outer = self.b.begin();
        if !matches!(value, Exp::Var(_) | Exp::Const(_)) {
            let new = self.b.let_("next", *elem, value.clone());
            *value = Exp::Var(new);
        }
        let value = value.clone();
        let named = self.b.end(outer);
        let outer = self.b.begin();
        self.b.assign(cell, value);
        let assigned = self.b.end(outer);
        body.splice(writes + 1..writes + 1, assigned.into_iter().map(|new| Statement { loc, ..new }));
        body.splice(*writes..*writes, named.into_iter().map(|new| Statement { loc, ..new }));
    }
}

/// Whether nothing in the body has a body, calls or changes blocks, or combines cells.
fn is_plain(body: &[Statement]) -> bool {
    body.iter().all(|statement| {
        matches!(
            statement.kind,
            StatementKind::Let { .. }
                | StatementKind::Declare { .. }
                | StatementKind::Assign { .. }
                | StatementKind::View { .. }
                | StatementKind::Window { .. }
                | StatementKind::Write { .. }
                | StatementKind::Assert { .. }
        )
    })
}

fn for_each_read(exp: &Exp, f: &mut dyn FnMut(&Exp, Var, &[Exp])) {
    if let Exp::Read { view, indices } = exp {
        f(exp, *view, indices);
    }
    exp.for_each_child(&mut |child| for_each_read(child, f));
}
