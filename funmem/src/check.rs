//! The checker: that of FUN on the erasure, then what FUNMEM adds (M1–M7, M9, paper Figure 8). By design it does not ensure that the
//! program is valid (M8): the heap semantics finds that out, for given inputs.

mod matching;
mod place;

use crate::erase::erase;
use crate::ir::{
    Binder, Body, Combine, Exp, Function, Lambda, MemOp, MemType, Param, Program, Statement, atom_poly,
    place_variables,
};
use fun::check::Phase;
use fun::ir::{Atom, BinderType, LoopForm};
use fun::text::statement_head;
use fun_base::name::{Symbol, Var};
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use std::collections::{BTreeMap, BTreeSet};

pub use fun::check::{CheckError, errors_to_string};

/// Checks a program; gives every broken rule that it finds, in program order. Rules of FUNMEM are only looked at where the
/// erasure is a FUN program in kernel form.
pub fn check_program(program: &Program) -> Result<(), Vec<CheckError>> {
    fun::check::check_program(&erase(program), Phase::Kernel)?;
    let mut checker = Checker {
        functions: BTreeMap::new(),
        scope: BTreeMap::new(),
        trail: Vec::new(),
        function: Symbol::new(""),
        at: At::Params,
        definitions: BTreeMap::new(),
        steps: BTreeMap::new(),
        foreign: BTreeSet::new(),
        errors: Vec::new(),
    };
    for function in &program.functions {
        checker.functions.insert(function.name, function);
        checker.function(function);
    }
    if checker.errors.is_empty() { Ok(()) } else { Err(checker.errors) }
}

struct Checker<'p> {
    functions: BTreeMap<Symbol, &'p Function>,
    /// The variables in scope. Counters are i64 or another integer.
    scope: BTreeMap<Var, MemType>,
    /// The variables in scope in the order of their binding, to leave scopes.
    trail: Vec<Var>,
    function: Symbol,
    /// What is being checked.
    at: At<'p>,
    /// What i64 variables are, in variables that are no sum or product themselves. Big ones are left out.
    definitions: BTreeMap<Var, Poly>,
    /// What `i64` variables are of the operands of their definitions, each with a number larger than those of the operands.
    steps: BTreeMap<Var, (usize, Poly)>,
    /// The blocks that the function is given and may not write to.
    foreign: BTreeSet<Var>,
    errors: Vec<CheckError>,
}

/// What an error is about. Its text is only made when there is one.
#[derive(Clone, Copy)]
enum At<'p> {
    Params,
    Results,
    Statement(&'p Statement),
}

/// The most terms of a definition, and the most factors of each, that comparisons of places look through.
const DEFINITION_LIMIT: usize = 8;

/// The most terms of a difference that is followed back through definitions.
const DIFFERENCE_LIMIT: usize = 1024;

impl<'p> Checker<'p> {
    fn error(&mut self, invariant: &'static str, message: impl Into<String>) {
        let function = self.function;
        let statement = match self.at {
            At::Params => "(parameters)".to_owned(),
            At::Results => "(results)".to_owned(),
            At::Statement(statement) => statement_head(statement),
        };
        self.errors.push(CheckError { invariant, function, statement, message: message.into() });
    }

    /// Checks inside a scope that ends with it.
    fn scoped<T>(&mut self, check: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.trail.len();
        let result = check(self);
        for var in self.trail.drain(mark..) {
            self.scope.remove(&var);
        }
        result
    }

    fn bind_var(&mut self, var: Var, ty: MemType) {
        self.scope.insert(var, ty);
        self.trail.push(var);
    }

    /// Takes variables that are bound together into scope and checks where the arrays among them lie (M1, M2).
    fn bind<'b>(&mut self, binders: impl Iterator<Item = &'b Binder> + Clone) {
        for binder in binders.clone() {
            self.bind_var(binder.var, binder.ty.clone());
        }
        for binder in binders {
            let MemType::Array { shape, elem: _, mem, lmad } = &binder.ty else { continue };
            let sizes = shape.iter().map(|atom| atom_poly(*atom));
            if !sizes.eq(lmad.sizes()) {
                self.error("M1", format!("the LMAD of {} has other sizes than its type", binder.var));
            }
            if !matches!(self.scope.get(mem), Some(MemType::Mem(_))) {
                self.error("M2", format!("{mem}, the block of {}, is no block in scope", binder.var));
            }
            let mut missing = BTreeSet::new();
            lmad.for_each_var(&mut |var| {
                if self.scope.get(&var) != Some(&MemType::Prim(PrimType::I64)) {
                    missing.insert(var);
                }
            });
            for var in missing {
                self.error("M2", format!("{var} in the LMAD of {} is no i64 in scope", binder.var));
            }
        }
    }

    fn function(&mut self, function: &'p Function) {
        self.function = function.name;
        self.at = At::Params;
        let owned = function.params.iter().filter(|param| param.unique);
        let may_write = owned.chain(&function.results).filter_map(|param| match &param.binder.ty {
            MemType::Array { mem, .. } => Some(*mem),
            MemType::Prim(_) | MemType::Mem(_) => None,
        });
        let may_write: BTreeSet<Var> = may_write.collect();
        let given = function.params.iter().filter(|param| matches!(param.binder.ty, MemType::Mem(_)));
        self.foreign = given.map(|param| param.binder.var).filter(|mem| !may_write.contains(mem)).collect();
        self.scoped(|c| {
            c.bind(function.params.iter().map(|param| &param.binder));
            c.scoped(|c| {
                c.at = At::Results;
                c.bind(function.results.iter().map(|param| &param.binder));
            });
            if function.entry {
                c.entry(function);
            }
            let expected: Vec<&Binder> = function.results.iter().map(|param| &param.binder).collect();
            c.at = At::Results;
            c.body(&function.body, &expected);
        });
    }

    /// M6: arrays of an entry point are row-major in blocks of their own, or where the caller says.
    fn entry(&mut self, function: &'p Function) {
        for (list, params) in [(&function.params, true), (&function.results, false)] {
            let mut blocks = BTreeSet::new();
            for param in list {
                let MemType::Array { shape, elem: _, mem, lmad } = &param.binder.ty else { continue };
                let var = param.binder.var;
                let chosen = params && !param.unique && is_callers_place(list, lmad);
                if !place::is_row_major(shape, lmad) && !chosen {
                    self.error("M6", format!("{var} of an entry point is not row-major from offset 0"));
                }
                if !blocks.insert(*mem) {
                    self.error("M6", format!("{var} of an entry point shares its block with another array"));
                }
                if !list.iter().any(|other| other.binder.var == *mem && other.implicit) {
                    self.error("M6", format!("{mem}, the block of {var}, is not implicit next to it"));
                }
            }
        }
    }

    /// Checks a body in its own scope, and its results against binders (M4).
    fn body(&mut self, body: &'p Body, expected: &[&Binder]) {
        self.scoped(|c| {
            c.statements(body);
            c.matches(&body.results, expected, &BTreeMap::new(), "result of the body");
        });
    }

    fn statements(&mut self, body: &'p Body) {
        let outer = self.at;
        for statement in &body.statements {
            self.at = At::Statement(statement);
            self.exp(statement);
        }
        self.at = outer;
    }

    /// Checks a statement and takes its pattern into scope.
    fn exp(&mut self, statement: &'p Statement) {
        let pattern: Vec<&Binder> = statement.pattern.iter().collect();
        self.operands(&statement.exp);
        self.define(statement);
        match &statement.exp {
            Exp::If { condition: _, then, otherwise } => {
                self.body(then, &pattern);
                self.body(otherwise, &pattern);
                self.bind(pattern.into_iter());
            }
            Exp::Loop { params, form, body } => {
                let binders: Vec<&Binder> = params.iter().map(|param| &param.binder).collect();
                let inits: Vec<Atom> = params.iter().map(|param| param.init).collect();
                self.matches(&inits, &binders, &BTreeMap::new(), "initial value");
                self.scoped(|c| {
                    if let LoopForm::For { var, ty, bound: _ } = form {
                        c.bind_var(*var, MemType::Prim(*ty));
                    }
                    c.bind(binders.iter().copied());
                    c.body(body, &binders);
                });
                self.bind(pattern.iter().copied());
                let results: Vec<Atom> = pattern.iter().map(|binder| Atom::Var(binder.var)).collect();
                self.matches(&results, &binders, &BTreeMap::new(), "result of the loop");
            }
            Exp::Call { function, args } => {
                self.bind(pattern.iter().copied());
                let Some(function) = self.functions.get(function).copied() else { return };
                let params: Vec<&Binder> = function.params.iter().map(|param| &param.binder).collect();
                self.matches(args, &params, &BTreeMap::new(), "argument");
                let known = params.iter().map(|binder| binder.var).zip(args.iter().copied()).collect();
                let results: Vec<&Binder> = function.results.iter().map(|result| &result.binder).collect();
                let given: Vec<Atom> = pattern.iter().map(|binder| Atom::Var(binder.var)).collect();
                self.matches(&given, &results, &known, "result of the call");
            }
            Exp::Kernel { space, combine, body } => {
                self.scoped(|c| {
                    for (counter, _) in space {
                        c.bind_var(*counter, MemType::Prim(PrimType::I64));
                    }
                    if let Some(epilogue) = combine.epilogue() {
                        c.operator(epilogue);
                    }
                    c.statements(body);
                    for result in &body.results {
                        if matches!(c.type_of(*result), Some(MemType::Mem(_))) {
                            c.error("M4", format!("{result}, a result of a kernel's body, is a block"));
                        }
                    }
                });
                match combine {
                    Combine::Map | Combine::Scatter { .. } => {}
                    Combine::Reduce { op, .. } | Combine::Scan { op, .. } | Combine::Hist { op, .. } => {
                        self.operator(op);
                    }
                }
                self.bind(pattern.into_iter());
                self.places(statement);
            }
            Exp::Op(MemOp::Alloc { space, .. }) => {
                if !matches!(&statement.pattern[..], [binder] if binder.ty == MemType::Mem(*space)) {
                    self.error("M2", "the result of alloc is a block of its space");
                }
                self.bind(pattern.into_iter());
            }
            Exp::Atom(_)
            | Exp::Bin(..)
            | Exp::Un(..)
            | Exp::Fma(..)
            | Exp::Convert { .. }
            | Exp::Index { .. }
            | Exp::Slice { .. }
            | Exp::Update { .. }
            | Exp::Iota { .. }
            | Exp::Replicate { .. }
            | Exp::Scratch { .. }
            | Exp::ArrayLiteral { .. }
            | Exp::Concat { .. }
            | Exp::Copy(_)
            | Exp::Permute { .. }
            | Exp::Reshape { .. }
            | Exp::Reverse { .. }
            | Exp::Assert { .. }
            | Exp::Trace { .. } => {
                self.bind(pattern.into_iter());
                self.places(statement);
            }
            Exp::Map { .. }
            | Exp::Reduce { .. }
            | Exp::Scan { .. }
            | Exp::Hist { .. }
            | Exp::Scatter { .. }
            | Exp::Derive { .. } => {
                self.error("M5", "only kernels have a meaning in memory");
                self.bind(pattern.into_iter());
            }
        }
    }

    /// M7: an operator combines scalars.
    fn operator(&mut self, op: &'p Lambda) {
        let scalars = op.params.iter().all(|param| matches!(param.ty, MemType::Prim(_)));
        if !scalars || op.results.iter().any(|ty| ty.rank() > 0) {
            self.error(
                "M7",
                "the operator or epilogue of a kernel has parameters or results that are no scalars",
            );
        }
        self.scoped(|c| {
            c.bind(op.params.iter());
            c.statements(&op.body);
        });
    }

    /// Remembers what an i64 variable is.
    fn define(&mut self, statement: &'p Statement) {
        let [binder] = &statement.pattern[..] else { return };
        if binder.ty != MemType::Prim(PrimType::I64) {
            return;
        }
        let step = if let Exp::Atom(atom) = &statement.exp {
            atom_poly(*atom)
        } else if let Exp::Bin(op, PrimType::I64, left, right) = &statement.exp {
            let (left, right) = (atom_poly(*left), atom_poly(*right));
            match op {
                BinOp::Add => left.add(&right),
                BinOp::Sub => left.sub(&right),
                BinOp::Mul => left.mul(&right),
                _ => return,
            }
        } else {
            return;
        };
        let value = self.expand_poly(&step);
        self.steps.insert(binder.var, (self.steps.len(), step));
        let small = value.terms().count() <= DEFINITION_LIMIT
            && value.terms().all(|(monomial, _)| monomial.len() <= DEFINITION_LIMIT);
        if small {
            self.definitions.insert(binder.var, value);
        }
    }

    fn expand_poly(&self, poly: &Poly) -> Poly {
        poly.subst(&mut |var| self.definitions.get(&var).cloned().unwrap_or_else(|| Poly::var(var)))
    }

    /// The LMAD with definitions put in: equal LMADs become equal texts.
    fn expand(&self, lmad: &Lmad) -> Lmad {
        lmad.subst(&mut |var| self.definitions.get(&var).cloned().unwrap_or_else(|| Poly::var(var)))
    }

    /// Whether both LMADs are the same, sums and products in scope put in.
    fn same_place(&self, left: &Lmad, right: &Lmad) -> bool {
        let same = |left: &Poly, right: &Poly| left == right || self.same_number(left, right);
        let mut dims = left.dims.iter().zip(&right.dims);
        left.equivalent(right)
            || self.expand(left).equivalent(&self.expand(right))
            || left.rank() == right.rank()
                && dims
                    .all(|(left, right)| same(&left.size, &right.size) && same(&left.stride, &right.stride))
                && same(&left.offset, &right.offset)
    }

    /// Whether both are the same number: definitions are put into the difference, the last first, until nothing is left.
    /// Offsets of slices of slices are sums of any length.
    fn same_number(&self, left: &Poly, right: &Poly) -> bool {
        let mut difference = left.sub(right);
        while difference.as_constant() != Some(0) {
            let mut last: Option<(usize, Var, &Poly)> = None;
            difference.for_each_var(&mut |var| {
                if let Some((at, value)) = self.steps.get(&var)
                    && last.is_none_or(|(known, ..)| known < *at)
                {
                    last = Some((*at, var, value));
                }
            });
            let Some((_, var, value)) = last else { return false };
            difference = difference.subst(&mut |v| if v == var { value.clone() } else { Poly::var(v) });
            if difference.terms().count() > DIFFERENCE_LIMIT {
                return false;
            }
        }
        true
    }

    fn type_of(&self, atom: Atom) -> Option<MemType> {
        match atom {
            Atom::Var(var) => self.scope.get(&var).cloned(),
            Atom::Const(value) => Some(MemType::Prim(value.prim_type())),
        }
    }
}

#[cfg(test)]
mod tests;

/// Whether offset and strides of a place are implicit parameters that say nothing else.
fn is_callers_place(params: &[Param], lmad: &Lmad) -> bool {
    let Some((offset, strides)) = place_variables(lmad) else { return false };
    [offset].iter().chain(&strides).all(|var| {
        let mut mentioned = 0;
        for param in params {
            param.binder.ty.for_each_var(&mut |other| mentioned += usize::from(other == *var));
        }
        let own = params.iter().find(|param| param.binder.var == *var);
        mentioned == 1 && own.is_some_and(|own| own.implicit && own.binder.ty == MemType::Prim(PrimType::I64))
    })
}
