//! A pass of one's own, and the search for a program that it breaks: `cargo run --release -p fun-verify --example new_pass`.
//!
//! The pass turns `x > y` and `x >= y` round, so that later passes meet only two of four comparisons. Its first version forgot that
//! equal numbers are the other way round, too.

#![allow(clippy::print_stdout, reason = "an example that shows what it finds")]

use fun::ir::{Exp, Fun, NoOp, Program, Type};
use fun::visit::{Map, map_exp, map_program};
use fun_base::prim::BinOp;
use fun_passes::registry::Pass;
use fun_verify::fuzz::Plan;

struct Turn {
    greater_or_equal: BinOp,
}

impl Map<Fun, Fun> for Turn {
    fn ty(&mut self, ty: &Type) -> Type {
        ty.clone()
    }

    fn op(&mut self, op: &NoOp) -> Exp {
        match *op {}
    }

    fn exp(&mut self, exp: &Exp) -> Exp {
        match exp {
            Exp::Bin(BinOp::Gt, ty, x, y) => Exp::Bin(BinOp::Lt, *ty, *y, *x),
            Exp::Bin(BinOp::Ge, ty, x, y) => Exp::Bin(self.greater_or_equal, *ty, *y, *x),
            other => map_exp(self, other),
        }
    }
}

fn turn(program: Program) -> Program {
    map_program(&mut Turn { greater_or_equal: BinOp::Le }, &program)
}

fn turn_wrongly(program: Program) -> Program {
    map_program(&mut Turn { greater_or_equal: BinOp::Lt }, &program)
}

static TURN: Pass = Pass::on_fun("turn-comparisons", "x > y becomes y < x", turn);
static WRONG: Pass = Pass::on_fun("turn-wrongly", "the same without a thought for equality", turn_wrongly);

fn main() {
    for pass in [&TURN, &WRONG] {
        let plan = Plan::with_pass(pass, Some("ad")).unwrap_or_else(|error| panic!("{error}"));
        match plan.search(0..2000) {
            None => println!("{}: 2000 programs keep the laws", pass.name),
            Some(found) => {
                println!("{}: seed {} breaks a law: {}", pass.name, found.seed, found.finding.kind);
                println!("{}", found.smallest.case_text(&found.finding.message));
            }
        }
    }
}
