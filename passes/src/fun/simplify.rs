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
//! - An operator on constants that does not fail becomes its value; the rules of [`rules`] rewrite others. Powers of integers by small constants are products
//!   ([`powers`]).
//! - `let x = y` makes every use of `x` a use of `y`. So do views that change nothing; views of views become one, and elements of rows
//!   elements of the array ([`arrays`]).
//! - A loop whose counter is only ever converted to i64 counts in i64 ([`control`]).
//! - A conversion of 64 bits to 32 goes to the operands of a sum or product ([`conversions`]).
//! - An element of an `iota`, of a scalar `replicate` or of an array literal is computed instead of read ([`arrays`]).
//! - A `replicate` of a `replicate` of a scalar, or of an array that has no other use, is one of more dimensions.
//! - A result of a map that is an input as it came, or one scalar, needs no map ([`unchanged`]).
//! - `if` with a constant condition becomes the branch; in a branch the condition is known; results that nobody uses, or that are
//!   the same on both sides, go. An arm of a few scalars that cannot fail, of which `&&` or `||` makes a truth, is computed before. A comparison of what
//!   a branch chooses among constants is its condition, if that decides it ([`choices`]). Loops that run not at all or once go, and so do parameters that never change, whichever arms of branches run, or that nobody
//!   needs ([`control`]).
//! - Results of maps, reductions and scans that neither the program nor the results that it needs use go ([`kernels`]).
//! - A sum of integers that are linear in the counter, and a reduction of equal ones, is a formula ([`closed_forms`]).
//! - An `assert` of `true` goes. Others stay, as does what can fail: integer division is an `assert` away from its operands.
//! - A statement goes if nobody uses its results and it cannot stop the program ([`dead`]).
//!
//! Iterates until nothing changes. Requires and ensures F1–F9. Cost: linear for each round; rounds are few.

mod arrays;
mod chains;
mod choices;
mod closed_forms;
mod control;
mod conversions;
pub(super) mod dead;
mod kernels;
mod linear;
mod powers;
mod rules;
mod unchanged;

use arrays::Definition;
use choices::Choice;
use fun::ir::{Atom, Binder, Exp, Fun, LoopForm, NoOp, Program, Statement, Type};
use fun::visit::names::{Subst, name_source, subst_atom, subst_type, use_counts};
use fun::visit::{Map, Walk, map_exp, map_program, map_statement, walk_exp, walk_program};
use fun_base::name::{NameSource, Var};
use fun_base::prim::{PrimType, PrimValue};
use fun_base::source::Loc;
use std::collections::BTreeMap;
use unchanged::Kept;

/// Rounds after which the program is left as it is; each removes something, so this is a bound on time, not on correctness.
const MOST_ROUNDS: usize = 20;

/// Simplifies the whole program.
pub fn run(mut program: Program) -> Program {
    let mut names = name_source(&program);
    for _ in 0..MOST_ROUNDS {
        let mut types = Types::default();
        walk_program(&mut types, &program);
        let uses = use_counts(&program);
        let mut round = Simplify {
            subst: Subst::new(),
            names: &mut names,
            types: types.types,
            counters: BTreeMap::new(),
            has_scratch: types.has_scratch,
            kept: Kept::of(&program),
            uses,
            definitions: BTreeMap::new(),
            choices: BTreeMap::new(),
        };
        let simpler = dead::drop_dead(map_program(&mut round, &program));
        if simpler == program {
            break;
        }
        program = simpler;
    }
    program
}

/// The types of all variables before the round.
#[derive(Default)]
struct Types {
    types: BTreeMap<Var, Type>,
    /// Whether any array is made without contents.
    has_scratch: bool,
}

impl Walk<Fun> for Types {
    fn bind(&mut self, var: Var, ty: Option<&Type>) {
        self.types.extend(ty.map(|ty| (var, ty.clone())));
    }

    fn exp(&mut self, exp: &Exp) {
        self.has_scratch |= matches!(exp, Exp::Scratch { .. });
        walk_exp(self, exp);
    }
}

struct Simplify<'n> {
    /// What variables stand for: filled on the way, read by every later use.
    subst: Subst,
    names: &'n mut NameSource,
    types: BTreeMap<Var, Type>,
    /// The counters of kernels and loops around, and what they stay below.
    counters: BTreeMap<Var, Atom>,
    has_scratch: bool,
    /// Which arrays were never consumed before the round.
    kept: Kept,
    /// How often each variable was used before the round, or is by now where it stands for others.
    uses: BTreeMap<Var, usize>,
    /// What is known of arrays.
    definitions: BTreeMap<Var, Definition>,
    /// Integers that branches choose among constants.
    choices: BTreeMap<Var, Choice>,
}

impl Map<Fun, Fun> for Simplify<'_> {
    fn ty(&mut self, ty: &Type) -> Type {
        subst_type(&self.subst, ty)
    }

    fn op(&mut self, op: &NoOp) -> Exp {
        match *op {}
    }

    fn atom(&mut self, atom: &Atom) -> Atom {
        subst_atom(&self.subst, *atom)
    }

    fn exp(&mut self, exp: &Exp) -> Exp {
        if let Exp::If { condition, then, otherwise } = exp {
            let condition = self.atom(condition);
            let then = self.knowing(condition, true, |s| s.body(then));
            let otherwise = self.knowing(condition, false, |s| s.body(otherwise));
            return Exp::If { condition, then, otherwise };
        }
        match exp {
            Exp::Kernel { space, .. } => {
                for (counter, bound) in space {
                    let bound = self.atom(bound);
                    self.counters.insert(*counter, bound);
                }
            }
            Exp::Loop { form: LoopForm::For { var, ty: PrimType::I64, bound }, .. } => {
                let bound = self.atom(bound);
                self.counters.insert(*var, bound);
            }
            _ => {}
        }
        map_exp(self, exp)
    }

    fn statement(&mut self, statement: &Statement, out: &mut Vec<Statement>) {
        let Statement { pattern, exp, loc } = map_statement(self, statement);
        let exp = self.rewrite_array(rules::rewrite(exp), loc, out);
        let exp = rules::rewrite(self.rewrite_comparison(exp));
        let exp = chains::rewrite(&exp, &|operand| self.operator_of(operand)).map_or(exp, rules::rewrite);
        let exp = self.rewrite_conversion(exp, loc, out);
        let exp = self.rewrite_power(exp, loc, out);
        let (pattern, exp) = self.map_results(pattern, exp, loc, out);
        match exp {
            Exp::Atom(atom) => match pattern.as_slice() {
                [binder] => {
                    self.replace(binder.var, atom);
                }
                _ => out.push(Statement { pattern, exp: Exp::Atom(atom), loc }),
            },
            Exp::If { condition, then, otherwise } => {
                self.branches(pattern, condition, then, otherwise, loc, out);
            }
            Exp::Loop { params, form, body } => self.loop_(pattern, params, form, body, loc, out),
            Exp::Assert { condition: Atom::Const(PrimValue::Bool(true)), .. } | Exp::Trace { .. } => {}
            Exp::Kernel { space, mut combine, mut body } => {
                if let Some(result) = self.reduced(&space, &combine, &body, loc, out) {
                    return self.stand_for(&pattern, &[result]);
                }
                let mut pattern = pattern;
                self.drop_results(&mut pattern, &mut combine, &mut body);
                let exp = Exp::Kernel { space, combine, body };
                self.define(&pattern, &exp);
                out.push(Statement { pattern, exp, loc });
            }
            exp => {
                self.define(&pattern, &exp);
                out.push(Statement { pattern, exp, loc });
            }
        }
    }
}

impl Simplify<'_> {
    /// Maps with the condition known to be this.
    fn knowing<T>(&mut self, condition: Atom, value: bool, map: impl FnOnce(&mut Self) -> T) -> T {
        let Atom::Var(var) = condition else { return map(self) };
        self.subst.insert(var, Atom::Const(PrimValue::Bool(value)));
        let mapped = map(self);
        self.subst.remove(&var);
        mapped
    }

    /// The operator that gives a scalar.
    fn operator_of(&self, scalar: Atom) -> Option<Exp> {
        match self.definition(scalar.as_var()?)? {
            Definition::Binary(op, ty, x, y) => Some(Exp::Bin(op, ty, x, y)),
            Definition::Unary(op, ty, x) => Some(Exp::Un(op, ty, x)),
            _ => None,
        }
    }

    /// The result of a scalar expression: an atom at once, or of a statement that is added.
    fn scalar(&mut self, exp: Exp, ty: Type, loc: Option<Loc>, out: &mut Vec<Statement>) -> Atom {
        match rules::rewrite(exp) {
            Exp::Atom(atom) => atom,
            exp => {
                let var = self.names.fresh("x");
                out.push(Statement { pattern: vec![Binder { var, ty }], exp, loc });
                Atom::Var(var)
            }
        }
    }

    /// Makes these atoms stand for the pattern.
    fn stand_for(&mut self, pattern: &[Binder], atoms: &[Atom]) {
        for (binder, atom) in pattern.iter().zip(atoms) {
            // What stands for the pattern may itself have been replaced since it was mapped.
            let atom = subst_atom(&self.subst, *atom);
            self.replace(binder.var, atom);
        }
    }

    /// From here on the atom is used where the variable was.
    fn replace(&mut self, var: Var, atom: Atom) {
        if let (Some(other), Some(uses)) = (atom.as_var(), self.uses.get(&var).copied()) {
            *self.uses.entry(other).or_default() += uses;
        }
        self.subst.insert(var, atom);
    }

    fn is_used(&self, var: Var) -> bool {
        self.uses.contains_key(&var)
    }
}
