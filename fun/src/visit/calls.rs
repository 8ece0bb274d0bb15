//! Calls: which functions a function calls, and programs without those that nobody calls.

use super::{Walk, walk_body, walk_exp};
use crate::ir::{Exp, Function, Program, Rep};
use fun_base::name::Symbol;
use std::collections::{BTreeMap, BTreeSet};

/// How often a function calls others and itself, as its text stands.
pub fn calls_in<R: Rep>(function: &Function<R>) -> BTreeMap<Symbol, usize> {
    struct Calls(BTreeMap<Symbol, usize>);
    impl<R: Rep> Walk<R> for Calls {
        fn exp(&mut self, exp: &Exp<R>) {
            if let Exp::Call { function, .. } = exp {
                *self.0.entry(*function).or_default() += 1;
            }
            walk_exp(self, exp);
        }
    }
    let mut calls = Calls(BTreeMap::new());
    walk_body(&mut calls, &function.body);
    calls.0
}

/// The program without functions that no entry point needs.
pub fn drop_uncalled<R: Rep>(mut program: Program<R>) -> Program<R> {
    let mut needed: BTreeSet<Symbol> = BTreeSet::new();
    // Callees come first (F9).
    for function in program.functions.iter().rev() {
        if function.entry || needed.contains(&function.name) {
            needed.extend(calls_in(function).into_keys());
        }
    }
    program.functions.retain(|function| function.entry || needed.contains(&function.name));
    program
}
