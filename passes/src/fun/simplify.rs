//! Simplification: constants are folded, copies of names propagated, dead statements dropped, by a table of local rules.
//!
//! ```text
//! let (a_1: i64) = add.i64 x_0 0i64
//! let (b_2: i64) = mul.i64 a_1 4i64
//! let (c_3: i64) = sub.i64 b_2 b_2
//! in (b_2)
//! ```
//! becomes
//! ```text
//! let (b_2: i64) = mul.i64 x_0 4i64
//! in (b_2)
//! ```
//!
//! - An operator on constants that does not fail becomes its value; the rules of [`rules`] rewrite others.
//! - `let x = y` makes every use of `x` a use of `y`.
//! - `if` with a constant condition becomes the branch; a loop that runs zero times becomes its initial values.
//! - An `assert` of `true` goes. Others stay, as does what can fail: integer division is an `assert` away from its operands.
//! - A statement goes if nobody uses its results and it has no `assert` inside.
//!
//! Iterates until nothing changes. Requires and ensures F1–F9. Cost: linear for each round; rounds are few.

mod rules;

use fun::ir::{Atom, Binder, BinderType, Body, Exp, Fun, LoopForm, NoOp, Program, Statement, Type};
use fun::visit::names::{Subst, subst_atom, subst_type};
use fun::visit::{Map, Walk, map_body, map_program, map_statement, walk_exp, walk_statement};
use fun_base::name::Var;
use std::collections::BTreeMap;

/// Rounds after which the program is left as it is; each removes something, so this is a bound on time, not on correctness.
const MOST_ROUNDS: usize = 20;

/// Simplifies the whole program.
pub fn run(mut program: Program) -> Program {
    for _ in 0..MOST_ROUNDS {
        let simpler = drop_dead(map_program(&mut Simplify { subst: Subst::new() }, &program));
        if simpler == program {
            break;
        }
        program = simpler;
    }
    program
}

struct Simplify {
    /// What variables stand for: filled on the way, read by every later use.
    subst: Subst,
}

impl Map<Fun, Fun> for Simplify {
    fn ty(&mut self, ty: &Type) -> Type {
        subst_type(&self.subst, ty)
    }

    fn op(&mut self, op: &NoOp) -> Exp {
        match *op {}
    }

    fn atom(&mut self, atom: &Atom) -> Atom {
        subst_atom(&self.subst, *atom)
    }

    fn statement(&mut self, statement: &Statement, out: &mut Vec<Statement>) {
        let Statement { pattern, exp, loc } = map_statement(self, statement);
        match rules::rewrite(exp) {
            Exp::Atom(atom) => match pattern.as_slice() {
                [binder] => {
                    self.subst.insert(binder.var, atom);
                }
                _ => out.push(Statement { pattern, exp: Exp::Atom(atom), loc }),
            },
            Exp::If { condition, then, otherwise } => {
                match condition.as_const().and_then(|value| value.as_bool()) {
                    Some(true) => self.splice(pattern, then, out),
                    Some(false) => self.splice(pattern, otherwise, out),
                    None => out.push(Statement { pattern, exp: Exp::If { condition, then, otherwise }, loc }),
                }
            }
            Exp::Loop { params, form, body } => {
                if never_runs(&form) {
                    let inits = params.iter().map(|param| param.init).collect();
                    self.splice(pattern, Body { statements: Vec::new(), results: inits }, out);
                } else {
                    out.push(Statement { pattern, exp: Exp::Loop { params, form, body }, loc });
                }
            }
            Exp::Assert { condition, .. }
                if condition == Atom::Const(fun_base::prim::PrimValue::Bool(true)) => {}
            exp => out.push(Statement { pattern, exp, loc }),
        }
    }

    fn body(&mut self, body: &Body) -> Body {
        map_body(self, body)
    }
}

impl Simplify {
    /// Puts a body in place of the statement that had it.
    fn splice(&mut self, pattern: Vec<Binder>, body: Body, out: &mut Vec<Statement>) {
        for (binder, result) in pattern.into_iter().zip(body.results) {
            self.subst.insert(binder.var, result);
        }
        out.extend(body.statements);
    }
}

fn never_runs(form: &LoopForm) -> bool {
    match form {
        LoopForm::For { bound, .. } => {
            bound.as_const().and_then(|value| value.as_int()).is_some_and(|bound| bound <= 0)
        }
        LoopForm::While(_) => false,
    }
}

/// The program without statements that nobody needs.
fn drop_dead(mut program: Program) -> Program {
    for function in &mut program.functions {
        let mut live = Live::default();
        for result in &function.results {
            result.binder.ty.for_each_var(&mut |var| live.add(var));
        }
        live.body(&mut function.body);
    }
    program
}

/// How often each variable is used in what is kept so far, from the end of the program to its beginning.
#[derive(Default)]
struct Live {
    uses: BTreeMap<Var, usize>,
}

impl Live {
    fn add(&mut self, var: Var) {
        *self.uses.entry(var).or_default() += 1;
    }

    fn is_used(&self, binder: &Binder) -> bool {
        self.uses.contains_key(&binder.var)
    }

    fn body(&mut self, body: &mut Body) {
        body.results.iter().filter_map(|atom| atom.as_var()).for_each(|var| self.add(var));
        let statements = std::mem::take(&mut body.statements);
        for mut statement in statements.into_iter().rev() {
            if !statement.pattern.iter().any(|binder| self.is_used(binder)) && !has_effect(&statement) {
                continue;
            }
            fun::visit::for_each_body_mut(&mut statement.exp, &mut |inner| self.body(inner));
            // the uses of bodies are counted; what remains is the statement's own
            OwnUses(self).statement(&statement);
            body.statements.push(statement);
        }
        body.statements.reverse();
    }
}

/// Counts the uses of a statement outside its bodies: operands, and sizes in types.
struct OwnUses<'a>(&'a mut Live);

impl Walk<Fun> for OwnUses<'_> {
    fn atom(&mut self, atom: &Atom) {
        if let Some(var) = atom.as_var() {
            self.0.add(var);
        }
    }

    fn body(&mut self, _: &Body) {}

    fn statement(&mut self, statement: &Statement) {
        walk_statement(self, statement);
    }
}

/// Whether a statement must stay though nobody uses its results: it can stop the program.
fn has_effect(statement: &Statement) -> bool {
    struct Effect(bool);
    impl Walk<Fun> for Effect {
        fn exp(&mut self, exp: &Exp) {
            // A call may assert; a while loop may not end; an alloc of a negative or huge array stops the program, but asserts
            // guard sizes, and not allocating is no failure.
            self.0 |= match exp {
                Exp::Assert { .. } | Exp::Call { .. } | Exp::Loop { form: LoopForm::While(_), .. } => true,
                Exp::Bin(op, ty, ..) => op.can_fail(*ty),
                _ => false,
            };
            walk_exp(self, exp);
        }
    }
    let mut effect = Effect(false);
    effect.exp(&statement.exp);
    effect.0
}
