//! Which functions run beside themselves: those that lambdas call, and what these call.

use crate::ir::{Exp, Fun, Lambda, Program};
use crate::visit::{Walk, walk_exp, walk_function, walk_lambda};
use fun_base::name::Symbol;
use std::collections::{BTreeMap, BTreeSet};

/// The functions of a program that parallel operations call, at once or by way of others.
pub(super) fn functions(program: &Program) -> BTreeSet<Symbol> {
    let mut calls: BTreeMap<Symbol, Calls> = BTreeMap::new();
    for function in &program.functions {
        let mut of_this = Calls::default();
        walk_function(&mut of_this, function);
        calls.insert(function.name, of_this);
    }
    let mut left: Vec<Symbol> = calls.values().flat_map(|calls| calls.in_lambdas.iter().copied()).collect();
    let mut found = BTreeSet::new();
    while let Some(name) = left.pop() {
        if found.insert(name) {
            left.extend(calls.get(&name).into_iter().flat_map(|calls| calls.all.iter().copied()));
        }
    }
    found
}

/// What a function calls.
#[derive(Default)]
struct Calls {
    all: BTreeSet<Symbol>,
    in_lambdas: BTreeSet<Symbol>,
    depth: usize,
}

impl Walk<Fun> for Calls {
    fn lambda(&mut self, lambda: &Lambda) {
        self.depth += 1;
        walk_lambda(self, lambda);
        self.depth -= 1;
    }

    fn exp(&mut self, exp: &Exp) {
        if let Exp::Call { function, .. } = exp {
            self.all.insert(*function);
            if self.depth > 0 {
                self.in_lambdas.insert(*function);
            }
        }
        walk_exp(self, exp);
    }
}
