//! Calls and custom adjoints inside of a function that is differentiated: the bodies of what is called stand in place of calls.

use crate::ir::{Atom, Binder, Body, Exp, Fun, Function, Lambda, NoOp, Program, Statement, Type};
use crate::visit::names::{Subst, name_source, rename_body, subst_atom, subst_type};
use crate::visit::{Map, Walk, map_lambda, map_program, map_statement, walk_exp};
use fun_base::name::{NameSource, Symbol, Var};
use fun_base::prim::PrimValue;
use std::collections::BTreeMap;

/// The function without calls.
pub(super) fn calls(
    names: &mut NameSource,
    functions: &BTreeMap<Symbol, Function>,
    lambda: &Lambda,
) -> Lambda {
    map_lambda(&mut Inline { names, functions: Some(functions), adjoints: true, subst: Subst::new() }, lambda)
}

/// The function without custom adjoints: each function that has one stands for itself.
pub(super) fn without_adjoints(names: &mut NameSource, lambda: &Lambda) -> Lambda {
    map_lambda(&mut Inline { names, functions: None, adjoints: false, subst: Subst::new() }, lambda)
}

/// The program without custom adjoints.
pub(super) fn forget_adjoints(program: &Program) -> Program {
    let mut names = name_source(program);
    map_program(
        &mut Inline { names: &mut names, functions: None, adjoints: false, subst: Subst::new() },
        program,
    )
}

struct Inline<'a> {
    names: &'a mut NameSource,
    /// What may be called; calls stay where there is nothing.
    functions: Option<&'a BTreeMap<Symbol, Function>>,
    /// Whether custom adjoints stay.
    adjoints: bool,
    /// What stands for the results of what has been put in place.
    subst: Subst,
}

impl Map<Fun, Fun> for Inline<'_> {
    fn ty(&mut self, ty: &Type) -> Type {
        subst_type(&self.subst, ty)
    }

    fn atom(&mut self, atom: &Atom) -> Atom {
        subst_atom(&self.subst, *atom)
    }

    fn op(&mut self, op: &NoOp) -> Exp {
        match *op {}
    }

    fn statement(&mut self, statement: &Statement, out: &mut Vec<Statement>) {
        let callee = |symbol: &Symbol| self.functions.and_then(|functions| functions.get(symbol));
        match &statement.exp {
            Exp::Call { function, args } if callee(function).is_some() => {
                let Some(callee) = callee(function) else { return };
                if calls_itself(callee) {
                    // The front end refuses this; in a program written by hand a wrong derivative must not pass for a right one.
                    let condition = Atom::Const(PrimValue::Bool(false));
                    let message =
                        format!("the derivative of {function}, which calls itself, is not supported");
                    let exp = Exp::Assert { condition, message, args: Vec::new() };
                    out.push(Statement { pattern: Vec::new(), exp, loc: statement.loc });
                    return out.push(map_statement(self, statement));
                }
                let params: Vec<Var> = callee.params.iter().map(|param| param.binder.var).collect();
                let body = callee.body.clone();
                self.place(&statement.pattern, &params, args, &body, out);
            }
            Exp::Derive { mode: _, function, args } if !self.adjoints => {
                let params: Vec<Var> = function.params.iter().map(|param| param.var).collect();
                self.place(&statement.pattern, &params, args, &function.body, out);
            }
            _ => out.push(map_statement(self, statement)),
        }
    }
}

/// Whether a function calls itself.
fn calls_itself(function: &Function) -> bool {
    struct Find(Symbol, bool);
    impl Walk<Fun> for Find {
        fn exp(&mut self, exp: &Exp) {
            self.1 |= matches!(exp, Exp::Call { function, .. } if *function == self.0);
            walk_exp(self, exp);
        }
    }
    let mut find = Find(function.name, false);
    find.body(&function.body);
    find.1
}

impl Inline<'_> {
    /// Puts a body with these arguments in place of a statement.
    fn place(
        &mut self,
        pattern: &[Binder],
        params: &[Var],
        args: &[Atom],
        body: &Body,
        out: &mut Vec<Statement>,
    ) {
        let args: Vec<Atom> = args.iter().map(|arg| subst_atom(&self.subst, *arg)).collect();
        let outer = self.subst.clone();
        let subst = outer.into_iter().chain(params.iter().copied().zip(args)).collect();
        let body = rename_body(self.names, subst, body);
        // What is called calls others in turn.
        for statement in &body.statements {
            self.statement(statement, out);
        }
        for (binder, result) in pattern.iter().zip(&body.results) {
            let result = subst_atom(&self.subst, *result);
            self.subst.insert(binder.var, result);
        }
    }
}
