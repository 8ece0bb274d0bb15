//! Arrays that threads of a device go through side by side, each along a row of its own, are copied in another order first.
//!
//! ```text
//! let (s_1: [n_0]f32 @ …) = kernel (i_2 < n_0) {
//!   … loop … for j_3: i64 < m_0 { let (x_4: f32) = index a_5[i_2, j_3] … }
//! }
//! ```
//! becomes
//! ```text
//! let (turned_mem_6: mem) = alloc [n_0][m_0] f32
//! let (turned_7: [n_0][m_0]f32 @ turned_mem_6 -> 0 + {(n_0 : 1)(m_0 : n_0)}) = copy a_5
//! let (s_1: [n_0]f32 @ …) = kernel (i_2 < n_0) { … index turned_7[i_2, j_3] … }
//! ```
//! A device fetches as much for one cell as for a row of neighbours. In the copy neighbouring threads read neighbouring cells; it goes through tiles
//! (`device_copies.c`), so both of its sides do so too. The layout of an array of the program's own is chosen before (`choose-layouts-device`), which
//! leaves those that lie as their makers or callers want them.
//!
//! Only for maps whose threads read the whole array: at the counter that tells neighbours apart in one dimension, which goes over all of it, and at the counter
//! of a loop over all of the last. The copy stands before the loops around that do not make the array: while it is needed, nothing writes to its block.
//! Small arrays stay: they are in a cache as a whole. So do those of rows that blocks work on, whose threads go along a row (`merge-rows`).
//!
//! Requires and ensures M1–M9. Cost: n log n, times how deep loops nest.

use crate::lower::funmem_to_imp::answer;
use fun::ir::{Atom, LoopForm};
use fun::visit::names::{free_in_statement, name_source};
use fun::visit::{for_each_body, for_each_body_mut};
use fun_base::name::{NameSource, Var};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use funmem::ir::{
    Binder, Body, Combine, Exp, Function, MemOp, MemType, Program, Space, Statement, atom_poly,
};
use std::collections::{BTreeMap, BTreeSet};

/// Arrays of no more cells, where that is known, stay as they are.
const FEW_CELLS: i64 = 4096;

/// Turns arrays for the kernels of a program.
pub fn run(mut program: Program) -> Program {
    let mut names = name_source(&program);
    for function in &mut program.functions {
        let mut turner = Turner {
            types: types(function),
            names: &mut names,
            turned: BTreeSet::new(),
            answers: BTreeSet::new(),
        };
        turner.body(&mut function.body);
    }
    program
}

/// The types of all arrays.
fn types(function: &Function) -> BTreeMap<Var, MemType> {
    fn add(binder: &Binder, found: &mut BTreeMap<Var, MemType>) {
        found.insert(binder.var, binder.ty.clone());
    }
    fn within(body: &Body, found: &mut BTreeMap<Var, MemType>) {
        for statement in &body.statements {
            if let Exp::Loop { params, .. } = &statement.exp {
                params.iter().for_each(|param| add(&param.binder, found));
            }
            for_each_body(&statement.exp, &mut |inner| within(inner, found));
            statement.pattern.iter().for_each(|binder| add(binder, found));
        }
    }
    let mut found = BTreeMap::new();
    function.params.iter().for_each(|param| add(&param.binder, &mut found));
    within(&function.body, &mut found);
    found
}

/// An array, and the dimension whose neighbours should be neighbours in memory.
type Turn = (Var, usize);

struct Turner<'n> {
    types: BTreeMap<Var, MemType>,
    names: &'n mut NameSource,
    /// The blocks and arrays that were added.
    turned: BTreeSet<Var>,
    /// What tells whether rows are in blocks.
    answers: BTreeSet<Var>,
}

impl Turner<'_> {
    /// The statements of the host.
    fn body(&mut self, body: &mut Body) {
        let mut copies: BTreeMap<Turn, Var> = BTreeMap::new();
        for mut statement in std::mem::take(&mut body.statements) {
            self.answers.extend(answer(&statement));
            match &mut statement.exp {
                Exp::Kernel { space, combine: Combine::Map, body: threads } => {
                    let wanted = space.last().map(|last| self.wanted(*last, threads));
                    for turn in wanted.into_iter().flatten() {
                        let copy = copies.get(&turn).copied().or_else(|| {
                            let (var, made) = self.copy(turn, statement.loc)?;
                            body.statements.extend(made);
                            Some(var)
                        });
                        if let (Some(copy), Some((thread, _))) = (copy, space.last()) {
                            copies.insert(turn, copy);
                            read_copy(threads, turn, *thread, copy);
                        }
                    }
                }
                // the threads of a block go along a row
                Exp::If { condition: Atom::Var(answer), otherwise, .. } if self.answers.contains(answer) => {
                    self.body(otherwise);
                }
                Exp::Loop { .. } | Exp::If { .. } => {
                    for_each_body_mut(&mut statement.exp, &mut |inner| self.body(inner));
                    body.statements.extend(self.lifted(&mut statement.exp));
                }
                _ => {}
            }
            body.statements.push(statement);
        }
    }

    /// The copies in a loop that may stand before it, taken out.
    fn lifted(&self, exp: &mut Exp) -> Vec<Statement> {
        let Exp::Loop { params, form, body } = exp else { return Vec::new() };
        let mut bound: BTreeSet<Var> = params.iter().map(|param| param.binder.var).collect();
        if let LoopForm::For { var, .. } = form {
            bound.insert(*var);
        }
        let block_of = |statement: &Statement| match (&statement.exp, &statement.pattern[..]) {
            (Exp::Op(MemOp::Alloc { .. }), [binder]) => {
                Some(binder.var).filter(|var| self.turned.contains(var))
            }
            _ => None,
        };
        let own = |statement: &&Statement| statement.pattern.iter().all(|b| !self.turned.contains(&b.var));
        bound.extend(body.statements.iter().filter(own).flat_map(|s| s.pattern.iter().map(|b| b.var)));
        let (mut lifted, mut left) = (Vec::new(), Vec::new());
        let mut statements = std::mem::take(&mut body.statements).into_iter();
        while let Some(statement) = statements.next() {
            if block_of(&statement).is_none() {
                left.push(statement);
                continue;
            }
            // the copy stands behind its block
            let both: Vec<Statement> = [statement].into_iter().chain(statements.next()).collect();
            let seen = both.iter().all(|statement| free_in_statement(statement).is_disjoint(&bound));
            if seen { &mut lifted } else { &mut left }.extend(both);
        }
        body.statements = left;
        lifted
    }

    /// What the threads of a map want in another order.
    fn wanted(&self, thread: (Var, Atom), body: &Body) -> BTreeSet<Turn> {
        let mut wanted = BTreeSet::new();
        self.reads(thread, body, &mut BTreeMap::new(), &mut wanted);
        // what a thread has itself is not there before
        let mut own = BTreeSet::new();
        bound(body, &mut own);
        wanted.retain(|(array, _)| !own.contains(array));
        wanted
    }

    fn reads(
        &self,
        thread: (Var, Atom),
        body: &Body,
        counters: &mut BTreeMap<Var, Atom>,
        wanted: &mut BTreeSet<Turn>,
    ) {
        for statement in &body.statements {
            match &statement.exp {
                Exp::Index { array, indices } => {
                    wanted.extend(self.long_steps(thread, *array, indices, counters));
                }
                Exp::Loop { form: LoopForm::For { var, bound, .. }, .. } => {
                    counters.insert(*var, *bound);
                }
                Exp::Kernel { space, .. } => counters.extend(space.iter().copied()),
                _ => {}
            }
            for_each_body(&statement.exp, &mut |inner| self.reads(thread, inner, counters, wanted));
        }
    }

    /// The dimension in which threads go through an array side by side.
    fn long_steps(
        &self,
        (thread, threads): (Var, Atom),
        array: Var,
        indices: &[Atom],
        counters: &BTreeMap<Var, Atom>,
    ) -> Option<Turn> {
        let MemType::Array { shape, lmad, .. } = self.types.get(&array)? else { return None };
        let sizes: Vec<Poly> = shape.iter().map(|size| atom_poly(*size)).collect();
        let last = shape.len().checked_sub(1)?;
        let along = indices.last()?.as_var().and_then(|counter| counters.get(&counter));
        let at = indices.iter().position(|index| *index == Atom::Var(thread))?;
        let whole = at < last && shape[at] == threads && along == Some(&shape[last]);
        let constant = |size: &Atom| size.as_const().and_then(|size| size.as_i64());
        let cells = shape.iter().try_fold(1i64, |cells, size| cells.checked_mul(constant(size)?));
        let large = cells.is_none_or(|cells| cells > FEW_CELLS);
        (whole && large && *lmad == Lmad::row_major(Poly::constant(0), &sizes)).then_some((array, at))
    }

    /// A copy in the order that is wanted, and the statements that make it.
    fn copy(
        &mut self,
        (array, at): Turn,
        loc: Option<fun_base::source::Loc>,
    ) -> Option<(Var, [Statement; 2])> {
        let MemType::Array { shape, elem, .. } = self.types.get(&array)?.clone() else { return None };
        let order: Vec<usize> = (0..shape.len()).filter(|dim| *dim != at).chain([at]).collect();
        let sizes: Vec<Poly> = order.iter().map(|dim| atom_poly(shape[*dim])).collect();
        let lmad = Lmad::row_major(Poly::constant(0), &sizes).unpermute(&order);
        let (mem, var) = (self.names.fresh("turned_mem"), self.names.fresh("turned"));
        self.turned.extend([mem, var]);
        let exp = Exp::Op(MemOp::Alloc { space: Space::Default, shape: shape.clone(), elem });
        let pattern = vec![Binder { var: mem, ty: MemType::Mem(Space::Default) }];
        let alloc = Statement { pattern, exp, loc };
        let pattern = vec![Binder { var, ty: MemType::Array { shape, elem, mem, lmad } }];
        Some((var, [alloc, Statement { pattern, exp: Exp::Copy(array), loc }]))
    }
}

/// The variables that a body binds.
fn bound(body: &Body, out: &mut BTreeSet<Var>) {
    for statement in &body.statements {
        if let Exp::Loop { params, .. } = &statement.exp {
            out.extend(params.iter().map(|param| param.binder.var));
        }
        for_each_body(&statement.exp, &mut |inner| bound(inner, out));
        out.extend(statement.pattern.iter().map(|binder| binder.var));
    }
}

/// Makes threads read the copy.
fn read_copy(body: &mut Body, turn: Turn, thread: Var, copy: Var) {
    for statement in &mut body.statements {
        if let Exp::Index { array, indices } = &mut statement.exp
            && *array == turn.0
            && indices[turn.1] == Atom::Var(thread)
        {
            *array = copy;
        }
        for_each_body_mut(&mut statement.exp, &mut |inner| read_copy(inner, turn, thread, copy));
    }
}
