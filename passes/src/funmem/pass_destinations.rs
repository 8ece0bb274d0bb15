//! Destinations as parameters: a function builds its result where the caller wants it.
//!
//! ```text
//! fun f [n: i64] (x: f32) : [r_mem: mem] (r: [n]f32 @ r_mem -> 0 + {(n : 1)}) = {
//!   let (a_mem: mem) = alloc [n] f32
//!   let (a: [n]f32 @ a_mem -> 0 + {(n : 1)}) = kernel (i < n) { … }
//!   in (a_mem, a)
//! }
//! … let (b_mem: mem) (b: [m]f32 @ b_mem -> 0 + {(m : 1)}) = call f m y
//! ```
//! becomes
//! ```text
//! fun f [n: i64] (x: f32) [r_mem: mem] [r_off: i64] : (r: [n]f32 @ r_mem -> r_off + {(n : 1)}) = {
//!   let (a: [n]f32 @ r_mem -> r_off + {(n : 1)}) = kernel (i < n) { … }
//!   in (a)
//! }
//! … let (b_mem: mem) = alloc [m] f32
//!   let (b: [m]f32 @ b_mem -> 0 + {(m : 1)}) = call f m y b_mem 0i64
//! ```
//! so that callers have the allocation, which can leave their loops, be another block that is dead, or go where `b` is copied to
//! (`short-circuit`).
//!
//! # When
//! - The function is no entry point, whose interface is fixed, and the shape of the result is known before the call: in its parameters.
//! - The result, copied to the destination at the function's end, is built there by short-circuiting, with nothing left to copy.
//! - An allocation before the call is none too early: nothing that may stop the program comes before the result's block in the
//!   function, or an array exists that is about as large (see [`super::hoist_allocations`]).
//!
//! The destination has an offset of the caller's choice and the strides of a row-major array: the function's loops stay what they were,
//! and what is known of parts of the result does not depend on strides that nobody knows. Where a call's result is copied to a place with
//! other strides, such as a column, the function gets a second version, for such calls, whose callers choose the strides too.
//!
//! Callees come first (F9), so results of calls are built in the destination too. A function that calls itself is changed together with
//! its own calls.
//!
//! Requires M1–M9 and hoisted allocations. Ensures M1–M9. Cost: for each function that is not an entry point, what `short-circuit` spends
//! on a copy of each result, at most twice.

mod strided;

use super::blocks::{Blocks, Summaries, block, is_mem};
use super::hoist_allocations::modest_for_callers;
use super::interfaces::Interfaces;
use super::short_circuit::build_results;
use crate::evidence::PassEvidence;
use fun::ir::Atom;
use fun::visit::calls::drop_uncalled;
use fun::visit::for_each_body_mut;
use fun::visit::names::{name_source, rename_function};
use fun_base::name::{NameSource, Symbol, Var};
use fun_base::prim::PrimType;
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use funmem::ir::{
    Binder, Body, Exp, Function, MemOp, MemType, Param, Program, Space, Statement, atom_poly, poly_atom,
};
use std::collections::{BTreeMap, BTreeSet};

/// Gives the functions of a program destinations as parameters.
pub fn run(program: Program, given: &mut PassEvidence) -> Program {
    let mut names = name_source(&program);
    let strided = strided::find(&program);
    let taken: BTreeSet<Symbol> = program.functions.iter().map(|function| function.name).collect();
    let mut changed = Changes { strided: strided.arrays, versions: BTreeMap::new() };
    let (mut summaries, mut interfaces) = (Summaries::default(), Interfaces::default());
    let mut functions = Vec::with_capacity(program.functions.len());
    for mut function in program.functions {
        changed.tell_callees(&mut function.body, &mut names);
        let name = function.name;
        let wanted = candidates(&function, &interfaces);
        let other = strided.functions.contains(&name).then(|| {
            let other = with_name(&function, unused(&format!("{name}_strided"), &taken), &mut names);
            let mut wanted = candidates(&other, &interfaces);
            wanted.iter_mut().for_each(|moved| moved.strided = true);
            (other, wanted)
        });
        let mut build = |with: &mut Function, copies: &BTreeSet<Var>, names: &mut NameSource| {
            interfaces.learn(with);
            let blocks = Blocks::of_function(with, &mut summaries);
            build_results(with, copies, &blocks, &interfaces, names, given)
        };
        let mut versions = Versions::default();
        let mut all = Vec::with_capacity(2);
        if let Some((with, change)) = with_destinations(&function, wanted, &mut names, &mut build) {
            let other =
                other.and_then(|(other, wanted)| with_destinations(&other, wanted, &mut names, &mut build));
            if let Some((other, change)) = other {
                versions.strided = Some((other.name, change));
                all.push(other);
            }
            versions.row_major = Some(change);
            function = with;
        }
        changed.versions.insert(name, versions);
        all.push(function);
        for function in all {
            interfaces.learn(&function);
            Blocks::of_function(&function, &mut summaries);
            functions.push(function);
        }
    }
    drop_uncalled(Program { functions })
}

/// A copy of a function under another name, which calls itself where the function did.
fn with_name(function: &Function, name: Symbol, names: &mut NameSource) -> Function {
    fn rename_calls(body: &mut Body, from: Symbol, to: Symbol) {
        for statement in &mut body.statements {
            match &mut statement.exp {
                Exp::Call { function, .. } if *function == from => *function = to,
                exp => for_each_body_mut(exp, &mut |inner| rename_calls(inner, from, to)),
            }
        }
    }
    let mut copy = rename_function(names, function);
    rename_calls(&mut copy.body, function.name, name);
    copy.name = name;
    copy
}

/// A name for a function that no function has.
fn unused(text: &str, taken: &BTreeSet<Symbol>) -> Symbol {
    let mut name = Symbol::from(text);
    while taken.contains(&name) {
        name = Symbol::from(format!("{name}_").as_str());
    }
    name
}

/// How the calls of all functions must change.
struct Changes {
    /// The results of calls that go to places that are not row-major.
    strided: BTreeSet<Var>,
    versions: BTreeMap<Symbol, Versions>,
}

/// How the calls of a function must change, by what becomes of their results.
#[derive(Default)]
struct Versions {
    row_major: Option<Changed>,
    /// Calls another function.
    strided: Option<(Symbol, Changed)>,
}

/// How the calls of one version of a function must change.
#[derive(Clone)]
struct Changed {
    /// The variables of the function's parameters before.
    params: Vec<Var>,
    /// The results with destinations: where the block was among the results, and the shape in terms of the parameters.
    results: Vec<Moved>,
}

/// A result with a destination.
#[derive(Clone)]
struct Moved {
    /// Where its block is among the results.
    mem: usize,
    /// Where it is itself.
    array: usize,
    shape: Vec<Atom>,
    elem: PrimType,
    /// Whether its strides are the caller's choice; those of a row-major array otherwise.
    strided: bool,
}

/// Builds what these copies at the end of a function move where they put it; gives those for which it could.
type Build<'b> = &'b mut dyn FnMut(&mut Function, &BTreeSet<Var>, &mut NameSource) -> BTreeSet<Var>;

/// The function with as many destinations of those that are wanted as it can have, if any.
fn with_destinations(
    function: &Function,
    mut wanted: Vec<Moved>,
    names: &mut NameSource,
    build: Build<'_>,
) -> Option<(Function, Changed)> {
    // Those that are built remain; without the others, what is built is the same.
    for _ in 0..2 {
        if wanted.is_empty() {
            return None;
        }
        let change = Changed {
            params: function.params.iter().map(|param| param.binder.var).collect(),
            results: wanted.clone(),
        };
        let mut with = function.clone();
        let copies = change.give(&mut with, names);
        let own = Versions { row_major: Some(change.clone()), strided: None };
        let own = BTreeMap::from([(function.name, own)]);
        Changes { strided: BTreeSet::new(), versions: own }.tell_callees(&mut with.body, names);
        let built = build(&mut with, &copies.iter().copied().collect(), names);
        if built.len() == copies.len() {
            return Some((with, change));
        }
        let mut kept = copies.iter().map(|copy| built.contains(copy));
        wanted.retain(|_| kept.next().unwrap_or(false));
    }
    None
}

/// The results that may have destinations, as far as is seen without trying.
fn candidates(function: &Function, interfaces: &Interfaces) -> Vec<Moved> {
    if function.entry {
        return Vec::new();
    }
    let params: BTreeSet<Var> = function.params.iter().map(|param| param.binder.var).collect();
    let results = || function.results.iter().map(|result| &result.binder);
    let fits = |(array, binder): (usize, &Binder)| {
        let MemType::Array { shape, elem, mem, lmad } = &binder.ty else { return None };
        let known = shape.iter().all(|size| size.as_var().is_none_or(|var| params.contains(&var)));
        let sizes: Vec<Poly> = shape.iter().map(|size| atom_poly(*size)).collect();
        let row_major = *lmad == Lmad::row_major(Poly::constant(0), &sizes);
        let alone = results().filter(|other| block(&other.ty) == Some(*mem)).count() == 1;
        let at = results().position(|other| other.var == *mem && is_mem(other))?;
        let in_time = modest_for_callers(function, shape, *elem) || made_for_sure(function, at, interfaces);
        let moved = Moved { mem: at, array, shape: shape.clone(), elem: *elem, strided: false };
        (known && row_major && alone && in_time).then_some(moved)
    };
    results().enumerate().filter_map(fits).collect()
}

/// Whether nothing before that brings the block of this result into the function, itself included, may stop the program.
fn made_for_sure(function: &Function, result: usize, interfaces: &Interfaces) -> bool {
    let Some(mem) = function.body.results.get(result).and_then(|atom| atom.as_var()) else { return false };
    let statements = &function.body.statements;
    let makes = |statement: &Statement| statement.pattern.iter().any(|binder| binder.var == mem);
    let made = statements.iter().position(makes);
    made.is_some_and(|at| !statements[..=at].iter().any(|before| interfaces.may_stop(before)))
}

impl Changed {
    /// Adds the parameters, and copies of the results to where they say; gives these copies.
    fn give(&self, function: &mut Function, names: &mut NameSource) -> Vec<Var> {
        let mut copies = Vec::with_capacity(self.results.len());
        for Moved { mem: _, array, shape, elem, strided } in &self.results {
            let result = &mut function.results[*array].binder;
            let text = result.var.text;
            let mut param = |suffix: &str, ty: MemType| {
                let var = names.fresh(format!("{text}_{suffix}").as_str());
                function.params.push(Param { binder: Binder { var, ty }, implicit: true, unique: false });
                var
            };
            let to = param("mem", MemType::Mem(Space::Default));
            let offset = param("off", MemType::Prim(PrimType::I64));
            let sizes: Vec<Poly> = shape.iter().map(|size| atom_poly(*size)).collect();
            let mut lmad = Lmad::row_major(Poly::var(offset), &sizes);
            if *strided {
                lmad.dims
                    .iter_mut()
                    .for_each(|dim| dim.stride = Poly::var(param("step", MemType::Prim(PrimType::I64))));
            }
            let ty = MemType::Array { shape: shape.clone(), elem: *elem, mem: to, lmad };
            result.ty = ty.clone();
            let Some(value) = function.body.results[*array].as_var() else { continue };
            let copy = names.fresh_like(value);
            let loc = function.body.statements.iter().rev().find_map(|statement| {
                statement.pattern.iter().any(|binder| binder.var == value).then_some(statement.loc)
            });
            let pattern = vec![Binder { var: copy, ty }];
            let exp = Exp::Copy(value);
            function.body.statements.push(Statement { pattern, exp, loc: loc.flatten() });
            function.body.results[*array] = Atom::Var(copy);
            copies.push(copy);
        }
        let gone: BTreeSet<usize> = self.results.iter().map(|moved| moved.mem).collect();
        retain_others(&mut function.results, &gone);
        retain_others(&mut function.body.results, &gone);
        copies
    }

    /// Allocates before a call what the function had allocated, and tells the call.
    fn tell(&self, statement: &mut Statement, names: &mut NameSource, before: &mut Vec<Statement>) {
        let loc = statement.loc;
        let Exp::Call { args, .. } = &mut statement.exp else { return };
        let known: BTreeMap<Var, Atom> = self.params.iter().copied().zip(args.iter().copied()).collect();
        for Moved { mem, array: _, shape, elem, strided } in &self.results {
            let in_caller = |size: &Atom| match size {
                Atom::Var(var) => known.get(var).copied().unwrap_or(*size),
                Atom::Const(_) => *size,
            };
            let shape: Vec<Atom> = shape.iter().map(in_caller).collect();
            let room = statement.pattern[*mem].clone();
            args.extend([Atom::Var(room.var), Atom::i64(0)]);
            if *strided {
                let sizes: Vec<Poly> = shape.iter().map(|size| atom_poly(*size)).collect();
                let mut product = |op, left, right| {
                    let var = names.fresh("step");
                    let pattern = vec![Binder { var, ty: MemType::Prim(PrimType::I64) }];
                    before.push(Statement { pattern, exp: Exp::Bin(op, PrimType::I64, left, right), loc });
                    Atom::Var(var)
                };
                let row_major = Lmad::row_major(Poly::constant(0), &sizes);
                args.extend(row_major.dims.iter().map(|dim| poly_atom(&dim.stride, &mut product)));
            }
            let exp = Exp::Op(MemOp::Alloc { space: Space::Default, shape, elem: *elem });
            before.push(Statement { pattern: vec![room], exp, loc });
        }
        let gone: BTreeSet<usize> = self.results.iter().map(|moved| moved.mem).collect();
        retain_others(&mut statement.pattern, &gone);
    }
}

impl Changes {
    /// Changes the calls in a body.
    fn tell_callees(&self, body: &mut Body, names: &mut NameSource) {
        let mut statements = Vec::with_capacity(body.statements.len());
        for mut statement in std::mem::take(&mut body.statements) {
            for_each_body_mut(&mut statement.exp, &mut |inner| self.tell_callees(inner, names));
            if let Exp::Call { function, .. } = &mut statement.exp
                && let Some(Versions { row_major, strided }) = self.versions.get(function)
            {
                let goes_elsewhere =
                    statement.pattern.iter().any(|binder| self.strided.contains(&binder.var));
                let strided = strided.as_ref().filter(|_| goes_elsewhere);
                if let Some((name, _)) = strided {
                    *function = *name;
                }
                if let Some(change) = strided.map(|(_, change)| change).or(row_major.as_ref()) {
                    change.tell(&mut statement, names, &mut statements);
                }
            }
            statements.push(statement);
        }
        body.statements = statements;
    }
}

/// Drops the elements at these positions.
fn retain_others<T>(list: &mut Vec<T>, gone: &BTreeSet<usize>) {
    let mut at = 0..;
    list.retain(|_| !at.next().is_some_and(|at| gone.contains(&at)));
}
