//! Consumption (F5).
//!
//! Every array variable has a set of *roots*: tokens for the arrays that may share its cells. A fresh array is its own root;
//! `x`, `slice`, `permute`, `reshape`, `reverse` have the roots of their operand; an `if` those of both branches. Consuming a
//! variable consumes its roots; whatever has a consumed root may not be used. Inside a loop, kernel or lambda body only roots
//! made there may be consumed, and the loop's own parameters.
//!
//! Parameters of lambdas have the roots of the arrays whose elements they are. Results of kernels and SOACs are fresh. A call
//! gives fresh arrays for unique results; others may alias each other and every argument that is not consumed.
//!
//! For a consumed loop parameter p: its initial value is consumed before the loop, has no root in common with other initial
//! values and is not used in the body; its next value shares no root with other results, has no root from outside, and if it
//! is another parameter, then that one counts as consumed too.

use super::{CheckError, Place};
use crate::ir::{Atom, Body, Combine, Exp, Function, LoopParam, Mode, Param, Program, Statement};
use fun_base::name::{Symbol, Var};
use imbl::OrdSet;
use std::collections::{BTreeMap, BTreeSet};

/// Checks F5 in a program that keeps the other invariants.
pub(super) fn check_consumption(program: &Program) -> Vec<CheckError> {
    let mut signatures = BTreeMap::new();
    let mut errors = Vec::new();
    for function in &program.functions {
        signatures.insert(function.name, function);
        let mut checker = Consumption {
            signatures: &signatures,
            function: function.name,
            place: Place::Part("(parameters)"),
            roots: BTreeMap::new(),
            consumed: OrdSet::new(),
            consumable: OrdSet::new(),
            used: Vec::new(),
            newly: Vec::new(),
            errors: Vec::new(),
        };
        checker.function(function);
        errors.append(&mut checker.errors);
    }
    errors
}

/// Sets share what they have in common: in a chain of loops or branches each has the roots of the one before and a few more.
type Roots = OrdSet<Var>;

struct Consumption<'p> {
    signatures: &'p BTreeMap<Symbol, &'p Function>,
    function: Symbol,
    place: Place<'p>,
    /// Of array variables; scalars have none.
    roots: BTreeMap<Var, Roots>,
    /// Roots consumed so far on this path.
    consumed: Roots,
    /// The same, those of other branches of the `if`s around too, in the order in which they were consumed.
    newly: Vec<Var>,
    /// Roots that may be consumed here.
    consumable: Roots,
    /// Roots used so far in the innermost loop body.
    used: Vec<Roots>,
    errors: Vec<CheckError>,
}

impl<'p> Consumption<'p> {
    fn error(&mut self, message: String) {
        let (function, statement) = (self.function, self.place.to_string());
        self.errors.push(CheckError { invariant: "F5", function, statement, message });
    }

    fn roots_of(&self, atom: Atom) -> Roots {
        atom.as_var().and_then(|var| self.roots.get(&var)).cloned().unwrap_or_default()
    }

    fn fresh(&mut self, var: Var) {
        self.roots.insert(var, Roots::unit(var));
        self.consumable.insert(var);
    }

    fn observe(&mut self, atom: Atom) {
        let roots = self.roots_of(atom);
        if let Some(root) = common(&roots, &self.consumed) {
            let alias = if Atom::Var(root) == atom { String::new() } else { format!(" (through {root})") };
            self.error(format!("{atom} is used after it has been consumed{alias}"));
        }
        self.used.push(roots);
    }

    fn consume(&mut self, var: Var) {
        self.observe(Atom::Var(var));
        let roots = self.roots_of(Atom::Var(var));
        if let Some(root) = roots.iter().find(|root| !self.consumable.contains(*root)) {
            let alias = if *root == var { String::new() } else { format!(", an alias of {root},") };
            self.error(format!("{var}{alias} may not be consumed here"));
        }
        for root in roots {
            if self.consumed.insert(root).is_none() {
                self.newly.push(root);
            }
        }
    }

    fn function(&mut self, function: &'p Function) {
        for param in &function.params {
            if param.binder.ty.rank() > 0 {
                self.roots.insert(param.binder.var, Roots::unit(param.binder.var));
                if param.unique {
                    self.consumable.insert(param.binder.var);
                }
            }
        }
        self.body(&function.body);
        self.place = Place::Part("(results)");
        for (i, (param, atom)) in function.results.iter().zip(&function.body.results).enumerate() {
            if !param.unique {
                continue;
            }
            let roots = self.roots_of(*atom);
            if let Some(root) = roots.iter().find(|root| !self.consumable.contains(*root)) {
                self.error(format!("the unique result {} may alias {root}", param.binder.var));
            }
            let others = function.body.results.iter().enumerate().filter(|(k, _)| *k != i);
            if others.into_iter().any(|(_, other)| common(&self.roots_of(*other), &roots).is_some()) {
                self.error(format!("the unique result {} may alias another result", param.binder.var));
            }
        }
    }

    /// The statements, and the use of the results.
    fn body(&mut self, body: &'p Body) {
        let outer = self.place;
        for statement in &body.statements {
            self.place = Place::Statement(statement);
            self.statement(statement);
        }
        self.place = outer;
        body.results.iter().for_each(|atom| self.observe(*atom));
    }

    /// A body that may be evaluated many times, or not at all: it consumes only what it makes, and these roots.
    fn inner(&mut self, body: &'p Body, own: &[Var]) {
        let consumable = std::mem::replace(&mut self.consumable, own.iter().copied().collect());
        self.body(body);
        // What the body made may leave it as a result.
        self.consumable = consumable.union(std::mem::take(&mut self.consumable));
    }

    /// A lambda, its parameters having the roots of these arrays.
    fn lambda(&mut self, lambda: &'p crate::ir::Lambda, arrays: &[Var]) {
        for (i, binder) in lambda.params.iter().enumerate() {
            if binder.ty.rank() > 0 {
                // Operators have twice as many parameters as there are arrays.
                let array = arrays.get(i % arrays.len().max(1));
                let roots = array.map_or(Roots::unit(binder.var), |array| self.roots_of(Atom::Var(*array)));
                self.roots.insert(binder.var, roots);
            }
        }
        self.inner(&lambda.body, &[]);
    }

    fn statement(&mut self, statement: &'p Statement) {
        let arrays: Vec<Var> = statement.pattern.iter().filter(|b| b.ty.rank() > 0).map(|b| b.var).collect();
        match &statement.exp {
            Exp::Atom(atom) => {
                self.observe(*atom);
                self.alias(&arrays, *atom);
            }
            Exp::Slice { array, .. }
            | Exp::Permute { array, .. }
            | Exp::Reshape { array, .. }
            | Exp::Reverse { array, .. } => {
                self.observe(Atom::Var(*array));
                self.alias(&arrays, Atom::Var(*array));
            }
            Exp::Update { array, value, .. } => {
                self.consume(*array);
                self.observe(*value);
                self.all_fresh(&arrays);
            }
            Exp::If { condition: _, then, otherwise } => self.branches(statement, then, otherwise),
            Exp::Loop { params, body, .. } => self.loop_(statement, params, body),
            Exp::Call { function, args } => self.call(statement, *function, args),
            Exp::Map { lambda, arrays: inputs, .. } => {
                inputs.iter().for_each(|array| self.observe(Atom::Var(*array)));
                self.lambda(lambda, inputs);
                self.all_fresh(&arrays);
            }
            Exp::Reduce { op, neutral, arrays: inputs, .. }
            | Exp::Scan { op, neutral, arrays: inputs, .. } => {
                inputs.iter().for_each(|array| self.observe(Atom::Var(*array)));
                neutral.iter().for_each(|atom| self.observe(*atom));
                self.lambda(op, inputs);
                self.all_fresh(&arrays);
            }
            Exp::Hist { op, neutral, dests, indices, values, .. } => {
                dests.iter().for_each(|dest| self.consume(*dest));
                neutral.iter().for_each(|atom| self.observe(*atom));
                values.iter().chain([indices]).for_each(|array| self.observe(Atom::Var(*array)));
                self.lambda(op, values);
                self.all_fresh(&arrays);
            }
            Exp::Scatter { dests, indices, values, .. } => {
                dests.iter().for_each(|dest| self.consume(*dest));
                values.iter().chain([indices]).for_each(|array| self.observe(Atom::Var(*array)));
                self.all_fresh(&arrays);
            }
            Exp::Kernel { combine, body, .. } => {
                match combine {
                    Combine::Hist { dests, .. } | Combine::Scatter { dests } => {
                        dests.iter().for_each(|dest| self.consume(*dest));
                    }
                    Combine::Map | Combine::Reduce { .. } | Combine::Scan { .. } => {}
                }
                for lambda in combine.lambda().into_iter().chain(combine.epilogue()) {
                    self.lambda(lambda, &[]);
                }
                self.inner(body, &[]);
                self.all_fresh(&arrays);
            }
            Exp::Derive { mode, function, args } => {
                let operands = args.iter().chain(mode.seeds());
                operands.clone().for_each(|atom| self.observe(*atom));
                let mut shared: Roots = operands.flat_map(|atom| self.roots_of(*atom)).collect();
                for (binder, arg) in function.params.iter().zip(args) {
                    let roots = self.roots_of(*arg);
                    self.roots.insert(binder.var, roots);
                }
                self.inner(&function.body, &[]);
                shared.extend(function.body.results.iter().flat_map(|atom| self.roots_of(*atom)));
                if let Mode::Custom { adjoint } = mode {
                    // (scalars refer to nothing)
                    adjoint.params.iter().filter(|binder| binder.ty.rank() > 0).for_each(|binder| {
                        self.roots.insert(binder.var, Roots::unit(binder.var));
                    });
                    self.inner(&adjoint.body, &[]);
                }
                self.roots.extend(arrays.iter().map(|var| (*var, shared.clone())));
            }
            Exp::Index { array, .. } => self.observe(Atom::Var(*array)),
            Exp::Replicate { value, .. } => {
                self.observe(*value);
                self.all_fresh(&arrays);
            }
            Exp::ArrayLiteral { elems, .. } => {
                elems.iter().for_each(|atom| self.observe(*atom));
                self.all_fresh(&arrays);
            }
            Exp::Concat { arrays: parts, .. } => {
                parts.iter().for_each(|array| self.observe(Atom::Var(*array)));
                self.all_fresh(&arrays);
            }
            Exp::Copy(array) => {
                self.observe(Atom::Var(*array));
                self.all_fresh(&arrays);
            }
            Exp::Iota { .. } | Exp::Scratch { .. } => self.all_fresh(&arrays),
            Exp::Trace { args, .. } => args.iter().for_each(|atom| self.observe(*atom)),
            Exp::Bin(..) | Exp::Un(..) | Exp::Fma(..) | Exp::Convert { .. } | Exp::Assert { .. } => {}
            Exp::Op(op) => match *op {},
        }
    }

    fn all_fresh(&mut self, arrays: &[Var]) {
        arrays.iter().for_each(|var| self.fresh(*var));
    }

    fn alias(&mut self, arrays: &[Var], of: Atom) {
        let roots = self.roots_of(of);
        self.roots.extend(arrays.iter().map(|var| (*var, roots.clone())));
    }

    fn branches(&mut self, statement: &'p Statement, then: &'p Body, otherwise: &'p Body) {
        let (before, start) = (self.consumed.clone(), self.newly.len());
        self.body(then);
        let by_then = self.newly.len();
        self.consumed = before;
        self.body(otherwise);
        self.consumed.extend(self.newly[start..by_then].iter().copied());
        let newly: BTreeSet<Var> = self.newly[start..].iter().copied().collect();
        // What only one branch consumed, the other may return: nothing but the results can refer to it any more.
        let mut left_over: BTreeMap<Var, Var> = BTreeMap::new();
        for (binder, (left, right)) in
            statement.pattern.iter().zip(then.results.iter().zip(&otherwise.results))
        {
            if binder.ty.rank() == 0 {
                continue;
            }
            let mut roots = self.roots_of(*left).union(self.roots_of(*right));
            for root in &newly {
                if roots.remove(root).is_some() {
                    let token = *left_over.entry(*root).or_insert(binder.var);
                    self.consumable.insert(token);
                    roots.insert(token);
                }
            }
            self.roots.insert(binder.var, roots);
        }
    }

    fn loop_(&mut self, statement: &'p Statement, params: &'p [LoopParam], body: &'p Body) {
        params.iter().for_each(|param| self.observe(param.init));
        let arrays = params.iter().map(|param| param.binder.ty.rank() > 0);
        let own: Vec<Var> =
            params.iter().zip(arrays).filter(|(_, array)| *array).map(|(p, _)| p.binder.var).collect();
        self.roots.extend(own.iter().map(|var| (*var, Roots::unit(*var))));
        let outer_used = std::mem::take(&mut self.used);
        let outer_consumable = self.consumable.clone();
        self.inner(body, &own);
        let used = std::mem::replace(&mut self.used, outer_used);
        let made = |checker: &Self, root: &Var| {
            checker.consumable.contains(root) && !outer_consumable.contains(root)
        };

        let results: BTreeMap<Var, Roots> = params
            .iter()
            .zip(&body.results)
            .map(|(param, atom)| (param.binder.var, self.roots_of(*atom)))
            .collect();
        let consumed = close_over(&own, &results, &self.consumed);
        self.loop_consumption(params, &results, &consumed, &used, &made);
        self.used.extend(used);

        // Roots of the results: of the initial values and of the next values, where a parameter stands for its results.
        let mut roots: BTreeMap<Var, Roots> = BTreeMap::new();
        for (param, binder) in params.iter().zip(&statement.pattern) {
            let var = param.binder.var;
            let start =
                if consumed.contains(&var) { Roots::unit(binder.var) } else { self.roots_of(param.init) };
            roots.insert(var, start);
        }
        loop {
            let mut changed = false;
            for (var, next) in &results {
                let before = roots.get(var).cloned().unwrap_or_default();
                let mut known = before.clone();
                for root in next.iter().filter(|root| *root != var) {
                    known = known.union(roots.get(root).cloned().unwrap_or(Roots::unit(*root)));
                }
                changed |= known.len() > before.len();
                roots.insert(*var, known);
            }
            if !changed {
                break;
            }
        }
        for (param, binder) in params.iter().zip(&statement.pattern) {
            if binder.ty.rank() > 0 {
                self.consumable.extend(consumed.contains(&param.binder.var).then_some(binder.var));
                let roots = roots.remove(&param.binder.var).unwrap_or_default();
                self.roots.insert(binder.var, roots);
            }
        }
    }

    /// The rules for consumed loop parameters.
    fn loop_consumption(
        &mut self,
        params: &[LoopParam],
        results: &BTreeMap<Var, Roots>,
        consumed: &Roots,
        used: &[Roots],
        made: &dyn Fn(&Self, &Var) -> bool,
    ) {
        for param in params.iter().filter(|param| consumed.contains(&param.binder.var)) {
            let (var, init) = (param.binder.var, self.roots_of(param.init));
            if used.iter().any(|used| common(used, &init).is_some()) {
                self.error(format!(
                    "the loop consumes the initial value {} of {var}, and its body uses it",
                    param.init
                ));
            }
            if let Atom::Var(init) = param.init {
                // Also finds initial values that share roots: the second one is consumed already.
                self.consume(init);
            }
            for other in params.iter().filter(|other| !consumed.contains(&other.binder.var)) {
                if common(&self.roots_of(other.init), &init).is_some() {
                    self.error(format!(
                        "the initial values of {var}, which is consumed, and {} alias",
                        other.binder.var
                    ));
                }
            }
            let next = &results[&var];
            if let Some(outer) = next.iter().find(|root| !made(self, root) && !results.contains_key(root)) {
                self.error(format!(
                    "the next value of {var}, which the loop consumes, may alias {outer} from outside"
                ));
            }
            if results.iter().any(|(other, roots)| *other != var && common(roots, next).is_some()) {
                self.error(format!(
                    "the next value of {var}, which the loop consumes, may alias another result"
                ));
            }
        }
    }

    fn call(&mut self, statement: &'p Statement, function: Symbol, args: &[Atom]) {
        let Some(function) = self.signatures.get(&function) else { return };
        let unique = |param: &Param| param.unique && param.binder.ty.rank() > 0;
        let mut shared = Roots::new();
        for (param, arg) in function.params.iter().zip(args) {
            if let (true, Some(var)) = (unique(param), arg.as_var()) {
                self.consume(var);
            }
        }
        for (param, arg) in function.params.iter().zip(args) {
            if !unique(param) {
                self.observe(*arg);
                shared.extend(self.roots_of(*arg));
            }
        }
        let results = function.results.iter().zip(&statement.pattern);
        let results: Vec<_> = results.filter(|(_, binder)| binder.ty.rank() > 0).collect();
        // Results that are not unique may alias each other: they share the first one's root.
        if let Some((_, binder)) = results.iter().find(|(param, _)| !param.unique) {
            shared.insert(binder.var);
            self.consumable.insert(binder.var);
        }
        for (param, binder) in results {
            if param.unique {
                self.fresh(binder.var);
            } else {
                self.roots.insert(binder.var, shared.clone());
            }
        }
    }
}

/// The first root that two sets have in common.
fn common(left: &Roots, right: &Roots) -> Option<Var> {
    let (few, many) = if left.len() <= right.len() { (left, right) } else { (right, left) };
    few.iter().find(|root| many.contains(*root)).copied()
}

/// The loop parameters that are consumed, directly or because the next value of one that is consumed is another one.
fn close_over(own: &[Var], results: &BTreeMap<Var, Roots>, consumed: &Roots) -> Roots {
    let mut closed: Roots = own.iter().copied().filter(|var| consumed.contains(var)).collect();
    loop {
        let size = closed.len();
        let next: Roots = closed.iter().flat_map(|var| results[var].iter().copied()).collect();
        closed.extend(own.iter().copied().filter(|var| next.contains(var)));
        if closed.len() == size {
            return closed;
        }
    }
}
