//! Saved slices: what a step of a loop reads beside its own element is copied before the step, so that it can write in place.
//!
//! ```text
//! let (d_9: [n_0][n_0]i32) = loop (d_1: [n_0][n_0]i32 = xs_2) for k_3: i64 < n_0 {
//!   let (ys_4: [n_0][n_0]i32) = kernel (i_5 < n_0, j_6 < n_0) {
//!     … index d_1[i_5, j_6] … index d_1[k_3, j_6] … index d_1[i_5, k_3] …
//!   }
//!   in (ys_4)
//! }
//! ```
//! becomes
//! ```text
//! let (start_7: [n_0][n_0]i32) = copy xs_2
//! let (d_9: [n_0][n_0]i32) = loop (d_1: [n_0][n_0]i32 = start_7) for k_3: i64 < n_0 {
//!   let (part_8: [n_0]i32) = slice d_1[k_3, 0i64:n_0:1i64]
//!   let (saved_10: [n_0]i32) = copy part_8
//!   let (part_11: [n_0]i32) = slice d_1[0i64:n_0:1i64, k_3]
//!   let (saved_12: [n_0]i32) = copy part_11
//!   let (ys_4: [n_0][n_0]i32) = kernel (i_5 < n_0, j_6 < n_0) {
//!     … index d_1[i_5, j_6] … index saved_10[j_6] … index saved_12[i_5] …
//!   }
//!   in (ys_4)
//! }
//! ```
//! The algebra: `(copy (d[k, :]))[j] = d[k, j]`. Shortest ways and eliminations have this form. The kernel then writes over what it reads
//! (`short_circuit/in_place.rs`), where a second array would have been written in each iteration, and read in the next.
//!
//! Done for a parameter of a counted loop whose next value is all that a map gives, of scalars over the shape of the parameter; in each
//! dimension the map reads it at its own counter, or at the loop's, which is below that size: so a slice is there whether or not the map has
//! a point. Before the map nothing but reads may use the parameter, behind it nothing at all. One copy of a slice for each kind of read, and
//! one of the array before the loop.
//!
//! Requires and ensures F1–F9. Cost: linear, times the depth of loops.

use fun::ir::{
    Atom, Binder, Body, Combine, Dim, Exp, Fun, LoopForm, LoopParam, NoOp, Program, Statement, Type,
};
use fun::visit::names::{name_source, use_counts_in_body};
use fun::visit::{Map, Walk, map_body, map_program, map_statement, walk_body, walk_exp};
use fun_base::name::{NameSource, Var};
use fun_base::prim::PrimType;
use std::collections::{BTreeMap, BTreeSet};

/// Saves the slices of a program.
pub fn run(program: Program) -> Program {
    let names = name_source(&program);
    map_program(&mut SaveSlices { names }, &program)
}

struct SaveSlices {
    names: NameSource,
}

impl Map<Fun, Fun> for SaveSlices {
    fn op(&mut self, op: &NoOp) -> Exp {
        match *op {}
    }

    fn ty(&mut self, ty: &Type) -> Type {
        ty.clone()
    }

    fn statement(&mut self, statement: &Statement, out: &mut Vec<Statement>) {
        let mut statement = map_statement(self, statement);
        let loc = statement.loc;
        if let Exp::Loop { params, form: LoopForm::For { var, ty: PrimType::I64, bound }, body } =
            &mut statement.exp
        {
            let own: BTreeSet<Var> = params.iter().map(|param| param.binder.var).collect();
            for k in 0..params.len() {
                let Some(step) = Step::of(k, params, (*var, *bound), &own, body) else { continue };
                step.save(body, &mut self.names);
                let LoopParam { binder, init } = &mut params[k];
                let Atom::Var(array) = *init else { continue };
                let start = Binder { var: self.names.fresh("start"), ty: binder.ty.clone() };
                *init = start.var.into();
                out.push(Statement { pattern: vec![start], exp: Exp::Copy(array), loc });
            }
        }
        out.push(statement);
    }
}

/// A map that gives the next value of a loop parameter.
struct Step {
    param: Binder,
    counter: Var,
    /// Where it is in the body of the loop.
    at: usize,
    /// The counters of its space.
    space: Vec<Var>,
    /// For each kind of read which dimensions are at the counter of the loop.
    fixed: BTreeSet<Vec<bool>>,
}

impl Step {
    fn of(
        k: usize,
        params: &[LoopParam],
        (counter, bound): (Var, Atom),
        own: &BTreeSet<Var>,
        body: &Body,
    ) -> Option<Step> {
        let param = params[k].binder.clone();
        let shape = param.ty.shape();
        let result = body.results[k].as_var()?;
        if shape.len() < 2 || shape.iter().any(|size| size.as_var().is_some_and(|size| own.contains(&size))) {
            return None;
        }
        let gives = |statement: &Statement| statement.pattern.iter().any(|binder| binder.var == result);
        let at = body.statements.iter().position(gives)?;
        let Exp::Kernel { space, combine: Combine::Map, body: points } = &body.statements[at].exp else {
            return None;
        };
        let whole = space.iter().map(|(_, bound)| bound).eq(shape);
        let scalars = body.statements[at].pattern.iter().all(|binder| binder.ty.rank() == space.len());
        let uses = use_counts_in_body(body);
        if !whole || !scalars || uses.get(&result) != Some(&1) {
            return None;
        }
        let before = |statement: &Statement| match &statement.exp {
            Exp::Index { .. } | Exp::Kernel { combine: Combine::Map | Combine::Reduce { .. }, .. } => {
                reads_of(param.var, |walk| walk.exp(&statement.exp)).map_or(0, |reads| reads.len())
            }
            _ => 0,
        };
        let here = reads_of(param.var, |walk| walk_body(walk, points))?;
        let earlier: usize = body.statements[..at].iter().map(before).sum();
        // (all uses are these)
        if uses.get(&param.var) != Some(&(here.len() + earlier)) {
            return None;
        }
        let mut fixed = BTreeSet::new();
        for indices in &here {
            let mut at_counter = Vec::with_capacity(shape.len());
            for ((index, (own, _)), size) in indices.iter().zip(space).zip(shape) {
                let is_fixed = *index == Atom::Var(counter);
                if *index != Atom::Var(*own) && !(is_fixed && *size == bound) {
                    return None;
                }
                at_counter.push(is_fixed);
            }
            if at_counter.contains(&true) {
                fixed.insert(at_counter);
            }
        }
        let space = space.iter().map(|(own, _)| *own).collect();
        (!fixed.is_empty()).then_some(Step { param, counter, at, space, fixed })
    }

    /// Puts the copies before the map, and reads them instead.
    fn save(self, body: &mut Body, names: &mut NameSource) {
        let Step { param, counter, at, space, fixed } = self;
        let shape = param.ty.shape();
        let loc = body.statements[at].loc;
        let mut saved = BTreeMap::new();
        let mut copies = Vec::new();
        for kind in fixed {
            let left: Vec<Atom> =
                shape.iter().zip(&kind).filter(|(_, fixed)| !**fixed).map(|(size, _)| *size).collect();
            let ty = Type::array_of(&left, &Type::Prim(param.ty.elem()));
            let var = names.fresh("saved");
            if left.is_empty() {
                let exp = Exp::Index { array: param.var, indices: vec![counter.into(); shape.len()] };
                copies.push(Statement { pattern: vec![Binder { var, ty }], exp, loc });
            } else {
                let whole =
                    |size: &Atom| Dim::Range { offset: Atom::i64(0), count: *size, stride: Atom::i64(1) };
                let dim = |(size, fixed): (&Atom, &bool)| {
                    if *fixed { Dim::Fix(counter.into()) } else { whole(size) }
                };
                let dims = shape.iter().zip(&kind).map(dim).collect();
                let part = names.fresh("part");
                let slice = Exp::Slice { array: param.var, dims };
                copies.push(Statement {
                    pattern: vec![Binder { var: part, ty: ty.clone() }],
                    exp: slice,
                    loc,
                });
                copies.push(Statement { pattern: vec![Binder { var, ty }], exp: Exp::Copy(part), loc });
            }
            saved.insert(kind, var);
        }
        if let Exp::Kernel { body: points, .. } = &mut body.statements[at].exp {
            *points = map_body(&mut Redirect { array: param.var, space: &space, saved: &saved }, points);
        }
        body.statements.splice(at..at, copies);
    }
}

/// The indices of the reads of an array's elements in what is walked, if nothing else is done with it there.
fn reads_of(array: Var, walk: impl FnOnce(&mut Elements)) -> Option<Vec<Vec<Atom>>> {
    let mut elements = Elements { array, reads: Vec::new(), uses: 0 };
    walk(&mut elements);
    (elements.uses == elements.reads.len()).then_some(elements.reads)
}

struct Elements {
    array: Var,
    reads: Vec<Vec<Atom>>,
    /// All uses, those of reads included.
    uses: usize,
}

impl Walk<Fun> for Elements {
    fn atom(&mut self, atom: &Atom) {
        self.uses += usize::from(*atom == Atom::Var(self.array));
    }

    fn exp(&mut self, exp: &Exp) {
        if let Exp::Index { array, indices } = exp
            && *array == self.array
        {
            self.reads.push(indices.clone());
        }
        walk_exp(self, exp);
    }
}

/// Reads of what was saved.
struct Redirect<'s> {
    array: Var,
    space: &'s [Var],
    saved: &'s BTreeMap<Vec<bool>, Var>,
}

impl Map<Fun, Fun> for Redirect<'_> {
    fn op(&mut self, op: &NoOp) -> Exp {
        match *op {}
    }

    fn ty(&mut self, ty: &Type) -> Type {
        ty.clone()
    }

    fn exp(&mut self, exp: &Exp) -> Exp {
        if let Exp::Index { array, indices } = exp
            && *array == self.array
        {
            let is_own = |(index, own): (&Atom, &Var)| *index == Atom::Var(*own);
            let kind: Vec<bool> = indices.iter().zip(self.space).map(|pair| !is_own(pair)).collect();
            if let Some(saved) = self.saved.get(&kind) {
                let left = indices.iter().zip(&kind).filter(|(_, fixed)| !**fixed);
                let indices: Vec<Atom> = left.map(|(index, _)| *index).collect();
                return match indices.is_empty() {
                    true => Exp::Atom(Atom::Var(*saved)),
                    false => Exp::Index { array: *saved, indices },
                };
            }
        }
        fun::visit::map_exp(self, exp)
    }
}
