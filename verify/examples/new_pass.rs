//! A pass of one's own, and the search for a program that it breaks: `cargo run --release -p fun-verify --example new_pass`.
//!
//! An array that is reversed twice along the same dimension is what it was. A pass that forgets to compare the dimensions is
//! wrong, and is found within a few hundred programs.

#![allow(clippy::print_stdout, reason = "an example that shows what it finds")]

use fun::ir::{Atom, Exp, Fun, NoOp, Program, Statement, Type};
use fun::visit::{Map, map_program, map_statement};
use fun_base::name::Var;
use fun_passes::registry::Pass;
use fun_verify::fuzz::Plan;
use std::collections::BTreeMap;

/// Where reversed arrays come from.
#[derive(Default)]
struct Reversals<const CAREFUL: bool>(BTreeMap<Var, (usize, Var)>);

impl<const CAREFUL: bool> Map<Fun, Fun> for Reversals<CAREFUL> {
    fn ty(&mut self, ty: &Type) -> Type {
        ty.clone()
    }

    fn op(&mut self, op: &NoOp) -> Exp {
        match *op {}
    }

    fn statement(&mut self, statement: &Statement, out: &mut Vec<Statement>) {
        let mut statement = map_statement(self, statement);
        if let Exp::Reverse { dim, array } = statement.exp {
            match self.0.get(&array) {
                Some((inner, source)) if dim == *inner || !CAREFUL => {
                    statement.exp = Exp::Atom(Atom::Var(*source))
                }
                _ => drop(self.0.insert(statement.pattern[0].var, (dim, array))),
            }
        }
        out.push(statement);
    }
}

fn reversals<const CAREFUL: bool>(program: Program) -> Program {
    map_program(&mut Reversals::<CAREFUL>::default(), &program)
}

static RIGHT: Pass = Pass::on_fun("reversals", "reversing twice is nothing", reversals::<true>);
static WRONG: Pass = Pass::on_fun("reversals-wrong", "the same for any two dimensions", reversals::<false>);

fn main() {
    for pass in [&RIGHT, &WRONG] {
        let plan = Plan::with_pass(pass, Some("ad"));
        match plan.search(0..4000) {
            None => println!("{}: 4000 programs keep the laws", pass.name),
            Some(found) => {
                println!("{}: seed {} breaks a law: {}", pass.name, found.seed, found.finding.kind);
                println!("{}", found.smallest.case_text(&found.finding.message));
            }
        }
    }
}
