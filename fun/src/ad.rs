//! Differentiation: `jvp`, `vjp` and `with_vjp` become programs without them.
//!
//! ```text
//! let (y_1: f64) (dy_2: f64) = jvp \(x_3: f64): f64 { let (r_4: f64) = mul.f64 x_3 x_3 in (r_4) } (a_5) (1f64)
//! ```
//! becomes
//! ```text
//! let (x_3: f64) = a_5
//! let (r_4: f64) = mul.f64 x_3 x_3
//! let (u_6: f64) = mul.f64 1f64 x_3
//! let (v_7: f64) = mul.f64 1f64 x_3
//! let (w_8: f64) = add.f64 u_6 v_7
//! let (y_1: f64) = r_4
//! let (dy_2: f64) = w_8
//! ```
//!
//! Forward mode ([`forward`]) follows every statement by one for the tangents. Reverse mode ([`reverse`]) runs the statements, then
//! a return sweep that goes through them backwards and adds up adjoints; see Schenck, Rønning, Henriksen and Oancea, *AD for an
//! Array Language with Nested Parallelism* (SC 2022). Derivatives inside of others are taken first. What the derivative of an
//! operator is stands in [`partial`]; only what depends on the arguments is followed ([`activity`]).
//!
//! The program that comes out is first-order FUN in SOAC form and keeps F1–F9.

mod activity;
mod dead;
mod forward;
mod inline;
mod parallel;
mod partial;
mod reverse;
mod sequential;

use crate::build::Builder;
use crate::ir::{Atom, Binder, Exp, Fun, Function, Lambda, LoopForm, Mode, NoOp, Program, Statement, Type};
use crate::visit::names::{free_in_lambda, name_source};
use crate::visit::{Map, Walk, map_function, map_statement, walk_exp, walk_function, walk_program};
use fun_base::name::{NameSource, Symbol, Var};
use fun_base::prim::PrimType;
pub use reverse::Chunks;
use std::collections::BTreeMap;

/// Whether derivatives occur in a program.
pub fn has_derivatives(program: &Program) -> bool {
    struct Find(bool);
    impl Walk<Fun> for Find {
        fn exp(&mut self, exp: &Exp) {
            self.0 |= matches!(exp, Exp::Derive { .. });
            walk_exp(self, exp);
        }
    }
    let mut find = Find(false);
    walk_program(&mut find, program);
    find.0
}

/// The program without derivatives. With `chunks`, return sweeps of maps that add to arrays run in parallel.
pub fn eliminate(program: &Program, chunks: Option<Chunks>) -> Program {
    let mut names = name_source(program);
    let in_parallel = parallel::functions(program);
    // Custom adjoints are kept until every derivative that may want them is taken.
    let mut done: BTreeMap<Symbol, Function> = BTreeMap::new();
    let mut functions = Vec::new();
    for function in &program.functions {
        let mut types = Types(BTreeMap::new());
        walk_function(&mut types, function);
        let chunks = chunks.filter(|_| !in_parallel.contains(&function.name));
        let mut eliminate = Eliminate { names: &mut names, functions: &done, types: types.0, chunks };
        let function = map_function(&mut eliminate, function);
        functions.push(function.clone());
        done.insert(function.name, function);
    }
    inline::forget_adjoints(&Program { functions })
}

/// The types of all variables of a function.
struct Types(BTreeMap<Var, Type>);

impl Walk<Fun> for Types {
    fn bind(&mut self, var: Var, ty: Option<&Type>) {
        self.0.extend(ty.map(|ty| (var, ty.clone())));
    }

    fn exp(&mut self, exp: &Exp) {
        // Counters are bound without a type.
        match exp {
            Exp::Loop { form: LoopForm::For { var, ty, .. }, .. } => {
                self.0.insert(*var, Type::Prim(*ty));
            }
            Exp::Kernel { space, .. } => {
                self.0.extend(space.iter().map(|(var, _)| (*var, Type::Prim(PrimType::I64))));
            }
            _ => {}
        }
        walk_exp(self, exp);
    }
}

struct Eliminate<'a> {
    names: &'a mut NameSource,
    /// The functions before this one, without derivatives.
    functions: &'a BTreeMap<Symbol, Function>,
    types: BTreeMap<Var, Type>,
    /// The chunks of maps that add to arrays, where nothing runs beside them.
    chunks: Option<Chunks>,
}

impl Map<Fun, Fun> for Eliminate<'_> {
    fn ty(&mut self, ty: &Type) -> Type {
        ty.clone()
    }

    fn op(&mut self, op: &NoOp) -> Exp {
        match *op {}
    }

    fn statement(&mut self, statement: &Statement, out: &mut Vec<Statement>) {
        // Derivatives inside of this one first. What is in the lambda of a map is not alone; the return sweep of chunks would be long.
        let chunks = self.chunks;
        let is_alone = match &statement.exp {
            Exp::Derive { mode, .. } => matches!(mode, Mode::Jvp { .. }),
            exp => matches!(exp, Exp::If { .. } | Exp::Loop { .. }),
        };
        if !is_alone {
            self.chunks = None;
        }
        let Statement { pattern, exp, loc } = map_statement(self, statement);
        self.chunks = chunks;
        match exp {
            Exp::Derive { mode: Mode::Jvp { tangents }, function, args } => {
                let function = inline::calls(self.names, self.functions, &function);
                let function = inline::without_adjoints(self.names, &function);
                let mut b = self.builder(&function, &pattern, args.iter().chain(&tangents));
                b.at(loc);
                let results = forward::jvp(&mut b, &function, &args, &tangents);
                for (binder, result) in pattern.into_iter().zip(results) {
                    b.bind(vec![binder], Exp::Atom(result));
                }
                out.extend(b.take());
            }
            Exp::Derive { mode: Mode::Vjp { adjoints }, function, args } => {
                let function = inline::calls(self.names, self.functions, &function);
                let mut b = self.builder(&function, &pattern, args.iter().chain(&adjoints));
                b.at(loc);
                let results = reverse::vjp(&mut b, chunks, &function, &args, &adjoints);
                for (binder, result) in pattern.into_iter().zip(results) {
                    b.bind(vec![binder], Exp::Atom(result));
                }
                out.extend(b.take());
            }
            exp => out.push(Statement { pattern, exp, loc }),
        }
    }
}

impl Eliminate<'_> {
    /// A builder that knows the types of what the function uses.
    fn builder<'a>(
        &mut self,
        function: &Lambda,
        pattern: &[Binder],
        operands: impl Iterator<Item = &'a Atom>,
    ) -> Builder<'_> {
        let free = free_in_lambda(function);
        let mut b = Builder::new(self.names);
        for var in free.into_iter().chain(operands.filter_map(|atom| atom.as_var())) {
            if let Some(ty) = self.types.get(&var) {
                b.declare(var, ty.clone());
            }
        }
        b.declare_lambda(function);
        for binder in pattern {
            b.declare(binder.var, binder.ty.clone());
        }
        b
    }
}

#[cfg(test)]
mod tests;
