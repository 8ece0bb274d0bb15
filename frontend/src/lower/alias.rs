//! Which results of a function are fresh: the source marks only some of them `*`, but callers may consume whatever aliases
//! nothing.

use fun::ir::{Atom, Body, Exp, Function, Statement};
use fun_base::name::{Symbol, Var};
use std::collections::{BTreeMap, BTreeSet};

type Roots = BTreeSet<Var>;

/// Which parameters of a function are consumed, and which results are fresh.
pub(super) struct Uniqueness {
    params: Vec<bool>,
    results: Vec<bool>,
}

impl Uniqueness {
    pub(super) fn of(function: &Function) -> Uniqueness {
        let unique = |params: &[fun::ir::Param]| params.iter().map(|param| param.unique).collect();
        Uniqueness { params: unique(&function.params), results: unique(&function.results) }
    }
}

impl Uniqueness {
    /// Whether the function consumes its parameter `i`.
    pub(super) fn consumes(&self, i: usize) -> bool {
        self.params.get(i).copied().unwrap_or(false)
    }
}

/// What each array variable may share its cells with.
struct Aliases<'p> {
    functions: &'p BTreeMap<Symbol, Uniqueness>,
    roots: BTreeMap<Var, Roots>,
}

/// For each result whether it aliases neither another result nor a parameter that may not be consumed.
pub(super) fn fresh_results(function: &Function, functions: &BTreeMap<Symbol, Uniqueness>) -> Vec<bool> {
    let mut aliases = Aliases { functions, roots: BTreeMap::new() };
    let mut foreign = Roots::new();
    for param in function.params.iter().filter(|param| param.binder.ty.rank() > 0) {
        aliases.roots.insert(param.binder.var, Roots::from([param.binder.var]));
        if !param.unique {
            foreign.insert(param.binder.var);
        }
    }
    let results = aliases.body(&function.body);
    let fresh = results.iter().enumerate().map(|(i, roots)| {
        let mut others = results.iter().enumerate().filter(|(k, _)| *k != i);
        function.results[i].binder.ty.rank() > 0
            && roots.is_disjoint(&foreign)
            && others.all(|(_, other)| roots.is_disjoint(other))
    });
    fresh.collect()
}

impl Aliases<'_> {
    fn of(&self, atom: Atom) -> Roots {
        atom.as_var().and_then(|var| self.roots.get(&var)).cloned().unwrap_or_default()
    }

    /// The roots of the results.
    fn body(&mut self, body: &Body) -> Vec<Roots> {
        body.statements.iter().for_each(|statement| self.statement(statement));
        body.results.iter().map(|atom| self.of(*atom)).collect()
    }

    fn statement(&mut self, statement: &Statement) {
        let results: Vec<Roots> = match &statement.exp {
            Exp::Atom(atom) => vec![self.of(*atom)],
            Exp::Slice { array, .. }
            | Exp::Permute { array, .. }
            | Exp::Reshape { array, .. }
            | Exp::Reverse { array, .. } => vec![self.of((*array).into())],
            Exp::If { condition: _, then, otherwise } => {
                let (then, otherwise) = (self.body(then), self.body(otherwise));
                then.iter().zip(&otherwise).map(|(a, b)| a.union(b).copied().collect()).collect()
            }
            Exp::Loop { params, form: _, body } => {
                for param in params {
                    self.roots.insert(param.binder.var, Roots::from([param.binder.var]));
                }
                let next = self.body(body);
                // A parameter stands for its initial and all its next values.
                let mut results: Vec<Roots> = params.iter().map(|param| self.of(param.init)).collect();
                loop {
                    let mut changed = false;
                    for (i, next) in next.iter().enumerate() {
                        let mut more = Roots::new();
                        for root in next {
                            match params.iter().position(|param| param.binder.var == *root) {
                                Some(k) => more.extend(results[k].iter().copied()),
                                None => _ = more.insert(*root),
                            }
                        }
                        let size = results[i].len();
                        results[i].extend(more);
                        changed |= results[i].len() > size;
                    }
                    if !changed {
                        break results;
                    }
                }
            }
            Exp::Call { function, args } => {
                let callee = self.functions.get(function);
                let consumed = |i: usize| callee.and_then(|callee| callee.params.get(i)) == Some(&true);
                let observed = args.iter().enumerate().filter(|(i, _)| !consumed(*i));
                let mut shared: Roots = observed.flat_map(|(_, arg)| self.of(*arg)).collect();
                shared.extend(statement.pattern.first().map(|binder| binder.var));
                let result = |(i, binder): (usize, &fun::ir::Binder)| {
                    let unique = callee.and_then(|callee| callee.results.get(i)) == Some(&true);
                    if unique { Roots::from([binder.var]) } else { shared.clone() }
                };
                statement.pattern.iter().enumerate().map(result).collect()
            }
            Exp::Derive { mode, function, args } => {
                let operands = args.iter().chain(mode.seeds());
                let mut shared: Roots = operands.flat_map(|atom| self.of(*atom)).collect();
                for (binder, arg) in function.params.iter().zip(args) {
                    self.roots.insert(binder.var, self.of(*arg));
                }
                shared.extend(self.body(&function.body).into_iter().flatten());
                vec![shared; statement.pattern.len()]
            }
            Exp::Bin(..)
            | Exp::Un(..)
            | Exp::Fma(..)
            | Exp::Convert { .. }
            | Exp::Index { .. }
            | Exp::Update { .. }
            | Exp::Iota { .. }
            | Exp::Replicate { .. }
            | Exp::Scratch { .. }
            | Exp::ArrayLiteral { .. }
            | Exp::Concat { .. }
            | Exp::Copy(_)
            | Exp::Assert { .. }
            | Exp::Trace { .. }
            | Exp::Map { .. }
            | Exp::Reduce { .. }
            | Exp::Scan { .. }
            | Exp::Hist { .. }
            | Exp::Scatter { .. }
            | Exp::Kernel { .. } => {
                statement.pattern.iter().map(|binder| Roots::from([binder.var])).collect()
            }
            Exp::Op(op) => match *op {},
        };
        for (binder, roots) in statement.pattern.iter().zip(results) {
            if binder.ty.rank() > 0 {
                self.roots.insert(binder.var, roots);
            }
        }
    }
}
