//! Inlining: the body of a function in place of a call.
//!
//! ```text
//! fun square (x_0: i32) : (r_1: i32) = { let (y_2: i32) = mul.i32 x_0 x_0 in (y_2) }
//! entry main (a_3: i32) : (r_4: i32) = { let (b_5: i32) = call square a_3 in (b_5) }
//! ```
//! becomes
//! ```text
//! entry main (a_3: i32) : (r_4: i32) = { let (y_6: i32) = mul.i32 a_3 a_3 in (y_6) }
//! ```
//!
//! A function that does not call itself, and whose definition does not ask to be called (`#[noinline]`), is inlined if it is called once, or once by each of some entry points, or is small; in loops and
//! parallel code also if that makes the program grow little, since the passes on memory see what becomes of its results only in its caller. What is then called no longer is
//! dropped, unless it is an entry point.
//! Copied bodies get fresh names, and what they give stands wherever the results of the call stood, in types too. Requires and ensures F1–F9.
//! Cost: linear in the result, whose size is at most the program's plus [`SMALL`] for each call and [`GROWTH`] or [`OF_ENTRIES`] for each
//! function.

use fun::ir::{Atom, Body, Exp, Fun, Function, NoOp, Program, Statement, Type};
use fun::visit::calls::{calls_in, drop_uncalled};
use fun::visit::names::Subst;
use fun::visit::{Map, Walk, map_function, map_statement, names, walk_body, walk_exp};
use fun_base::name::{NameSource, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// A function with at most this many statements, those inside others included, is inlined wherever it is called.
const SMALL: usize = 30;
/// A function is inlined in loops and parallel code if its copies there have at most this many statements together: eight quarter rounds of ChaCha20, with their
/// checks, which as calls run in no lanes.
const GROWTH: usize = 1000;

/// A function that only entry points call, each of them once, is inlined if its copies have at most this many statements together: each
/// entry point is then what it would be in a program of its own.
const OF_ENTRIES: usize = 2000;

/// Inlines calls in the whole program.
pub fn run(program: Program) -> Program {
    let mut names = names::name_source(&program);
    let calls = count_calls(&program);
    // What is called once, and by others only, moves to its caller: a long chain of such functions is gone through once.
    let moves = |function: &&Function| {
        !function.entry
            && !function.noinline
            && calls.get(&function.name) == Some(&1)
            && !calls_itself(function)
    };
    let moved = program.functions.iter().filter(moves).map(|function| (function.name, function)).collect();
    let repeated = count_repeated_calls(&program);
    let mut by_others: BTreeSet<Symbol> = BTreeSet::new();
    for caller in &program.functions {
        let of_entry = caller.entry || moves(&caller);
        by_others.extend(
            calls_in(caller).into_iter().filter(|(_, count)| !of_entry || *count > 1).map(|(name, _)| name),
        );
    }
    let mut copied: BTreeMap<Symbol, (Function, Where)> = BTreeMap::new();
    let mut done = Vec::new();
    for function in program.functions.iter().filter(|function| !moves(function)) {
        // Callees come first (F9), so what is copied has had its own calls inlined.
        let (names, subst) = (&mut names, Subst::new());
        let mut inliner = Inliner { names, copied: &copied, moved: &moved, subst, repeated: false };
        let function = map_function(&mut inliner, function);
        let (size, often) = (size(&function.body), repeated.get(&function.name).copied().unwrap_or(0));
        let copies = calls.get(&function.name).copied().unwrap_or(0);
        let of_entries = !by_others.contains(&function.name) && size.saturating_mul(copies) <= OF_ENTRIES;
        let everywhere = !function.noinline && (size <= SMALL || of_entries);
        let where_ = if everywhere { Where::Everywhere } else { Where::Repeated };
        if (everywhere || size.saturating_mul(often) <= GROWTH) && !calls_itself(&function) {
            copied.insert(function.name, (function.clone(), where_));
        }
        done.push(function);
    }
    drop_uncalled(Program { functions: done })
}

/// Which calls of a function are inlined.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Where {
    Everywhere,
    /// Those in loops and parallel code.
    Repeated,
}

struct Inliner<'a> {
    names: &'a mut NameSource,
    /// Functions that are copied.
    copied: &'a BTreeMap<Symbol, (Function, Where)>,
    /// Functions that move to their only call.
    moved: &'a BTreeMap<Symbol, &'a Function>,
    /// What stands for parameters of moved functions, and for the results of inlined calls.
    subst: Subst,
    /// In a loop or parallel code.
    repeated: bool,
}

impl Map<Fun, Fun> for Inliner<'_> {
    fn ty(&mut self, ty: &Type) -> Type {
        names::subst_type(&self.subst, ty)
    }

    fn atom(&mut self, atom: &Atom) -> Atom {
        names::subst_atom(&self.subst, *atom)
    }

    fn op(&mut self, op: &NoOp) -> Exp {
        match *op {}
    }

    fn statement(&mut self, statement: &Statement, out: &mut Vec<Statement>) {
        let Exp::Call { function, args } = &statement.exp else {
            let outer = self.repeated;
            self.repeated |= repeats(&statement.exp);
            out.push(map_statement(self, statement));
            self.repeated = outer;
            return;
        };
        let args = args.iter().map(|arg| names::subst_atom(&self.subst, *arg));
        if let Some(callee) = self.moved.get(function) {
            let args: Vec<Atom> = args.collect();
            self.subst.extend(callee.params.iter().map(|param| param.binder.var).zip(args));
            fun_base::run::with_stack(|| {
                callee.body.statements.iter().for_each(|statement| self.statement(statement, out));
            });
            let results: Vec<Atom> =
                callee.body.results.iter().map(|atom| names::subst_atom(&self.subst, *atom)).collect();
            self.subst.extend(statement.pattern.iter().map(|binder| binder.var).zip(results));
            return;
        }
        let fits = |(_, place): &&(Function, Where)| *place == Where::Everywhere || self.repeated;
        let Some((callee, _)) = self.copied.get(function).filter(fits) else {
            return out.push(map_statement(self, statement));
        };
        let subst = callee.params.iter().map(|param| param.binder.var).zip(args).collect();
        let body = names::rename_body(self.names, subst, &callee.body);
        out.extend(body.statements);
        let results = statement.pattern.iter().map(|binder| binder.var).zip(body.results);
        self.subst.extend(results);
    }
}

/// Whether what stands inside of the expression may be run more than once.
fn repeats(exp: &Exp) -> bool {
    !matches!(exp, Exp::If { .. })
}

/// Whether a function is recursive.
fn calls_itself(function: &Function) -> bool {
    calls_in(function).contains_key(&function.name)
}

/// Number of statements, those inside others included.
fn size(body: &Body) -> usize {
    struct Count(usize);
    impl Walk<Fun> for Count {
        fn body(&mut self, body: &Body) {
            self.0 += body.statements.len();
            walk_body(self, body);
        }
    }
    let mut count = Count(0);
    count.body(body);
    count.0
}

/// The calls of each function by others.
fn count_calls(program: &Program) -> BTreeMap<Symbol, usize> {
    let mut calls: BTreeMap<Symbol, usize> = BTreeMap::new();
    for function in &program.functions {
        for (callee, count) in calls_in(function).into_iter().filter(|(callee, _)| *callee != function.name) {
            *calls.entry(callee).or_default() += count;
        }
    }
    calls
}

/// The calls of each function in loops and parallel code, as they stand.
fn count_repeated_calls(program: &Program) -> BTreeMap<Symbol, usize> {
    struct Repeated(BTreeMap<Symbol, usize>, bool);
    impl Walk<Fun> for Repeated {
        fn exp(&mut self, exp: &Exp) {
            if let Exp::Call { function, .. } = exp {
                *self.0.entry(*function).or_default() += usize::from(self.1);
            }
            let outer = self.1;
            self.1 |= repeats(exp);
            walk_exp(self, exp);
            self.1 = outer;
        }
    }
    let mut calls = Repeated(BTreeMap::new(), false);
    program.functions.iter().for_each(|function| walk_body(&mut calls, &function.body));
    calls.0
}
