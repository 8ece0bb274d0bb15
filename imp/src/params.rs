//! Parameters: the numbers that a run says for names, which of them an entry point asks for, and behind which comparisons each is asked for.
//!
//! A comparison of a parameter is `size >= param` or `size < param`: whether the size reaches the number. A condition may be such comparisons and
//! others, all of which must hold; it stands in a branch or is the value of a name that does.

use crate::ir::{Exp, Procedure, Program, Statement, StatementKind};
use fun_base::name::{Symbol, Var};
use fun_base::prim::{BinOp, PrimType};
use std::collections::{BTreeMap, BTreeSet};

/// A parameter of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    /// Its name.
    pub name: Symbol,
    /// The number when nobody says another.
    pub usual: i64,
    /// Whether it is compared, and so can be tuned.
    pub compared: bool,
    /// What decides whether it matters: other parameters, outermost first, and whether their numbers must be reached.
    pub path: Vec<(Symbol, bool)>,
}

/// The parameters of a program, in the order of its text.
pub fn of_program(program: &Program) -> Vec<Param> {
    let mut finder = Finder::default();
    program.procedures.iter().for_each(|procedure| finder.procedure(procedure));
    finder.found
}

/// The numbers, in that order, of the parameters that an entry point asks for, or what it calls.
pub fn of_entry(program: &Program, all: &[Param], entry: Symbol) -> Vec<usize> {
    let (mut needed, mut finder) = (BTreeSet::from([entry]), Finder::default());
    // callers come after callees
    for procedure in program.procedures.iter().rev() {
        if needed.contains(&procedure.name) {
            finder.procedure(procedure);
            crate::visit::for_each_statement(&procedure.body, &mut |statement| {
                if let StatementKind::Call { procedure, .. } = &statement.kind {
                    needed.insert(*procedure);
                }
            });
        }
    }
    let asked: BTreeSet<Symbol> = finder.found.iter().map(|param| param.name).collect();
    (0..all.len()).filter(|at| asked.contains(&all[*at].name)).collect()
}

/// Gives every parameter its usual number, for code that no run tells others.
pub fn fix(program: &mut Program) {
    fn in_exp(exp: &mut Exp) {
        if let Exp::Param { usual, .. } = exp {
            *exp = Exp::i64(*usual);
        }
        exp.for_each_child_mut(&mut in_exp);
    }
    fn in_statements(list: &mut [Statement]) {
        for statement in list {
            statement.kind.for_each_exp_mut(&mut in_exp);
            statement.kind.for_each_body_mut(&mut |body| in_statements(body));
        }
    }
    for procedure in &mut program.procedures {
        in_statements(&mut procedure.body);
        procedure.results.iter_mut().for_each(|(exp, _)| in_exp(exp));
    }
}

/// A comparison of a parameter: its name and usual number, the size, and whether it holds when the size reaches the number.
pub fn comparison(exp: &Exp) -> Option<(Symbol, i64, &Exp, bool)> {
    match exp {
        Exp::Bin(op @ (BinOp::Ge | BinOp::Lt), PrimType::I64, size, number) => match &**number {
            Exp::Param { name, usual } => Some((*name, *usual, size, *op == BinOp::Ge)),
            _ => None,
        },
        _ => None,
    }
}

#[derive(Default)]
struct Finder {
    found: Vec<Param>,
    path: Vec<(Symbol, bool)>,
    /// The comparisons of conditions that have names.
    named: BTreeMap<Var, Vec<(Symbol, bool)>>,
}

impl Finder {
    fn procedure(&mut self, procedure: &Procedure) {
        self.statements(&procedure.body);
        procedure.results.iter().for_each(|(exp, _)| self.others(exp));
    }

    fn statements(&mut self, list: &[Statement]) {
        for statement in list {
            match &statement.kind {
                StatementKind::Let { var, value, .. } => {
                    let tests = self.condition(value);
                    self.named.insert(*var, tests);
                }
                StatementKind::If { condition, then, otherwise } => {
                    let tests = self.condition(condition);
                    let outer = self.path.len();
                    self.path.extend(&tests);
                    self.statements(then);
                    self.path.truncate(outer);
                    self.path.extend(tests.first().map(|(name, reached)| (*name, !reached)));
                    self.statements(otherwise);
                    self.path.truncate(outer);
                }
                kind => {
                    kind.for_each_exp(&mut |exp| self.others(exp));
                    kind.for_each_body(&mut |body| self.statements(body));
                }
            }
        }
    }

    /// The comparisons of parameters that must hold where a condition does.
    fn condition(&mut self, exp: &Exp) -> Vec<(Symbol, bool)> {
        let mut tests = Vec::new();
        let outer = self.path.len();
        self.conjuncts(exp, &mut tests);
        self.path.truncate(outer);
        tests
    }

    /// Adds those to `tests`, and to the path of those that follow.
    fn conjuncts(&mut self, exp: &Exp, tests: &mut Vec<(Symbol, bool)>) {
        match exp {
            Exp::Bin(BinOp::And, PrimType::Bool, left, right) => {
                self.conjuncts(left, tests);
                self.conjuncts(right, tests);
            }
            Exp::Var(var) => {
                let named = self.named.get(var).cloned().unwrap_or_default();
                self.path.extend(&named);
                tests.extend(named);
            }
            _ => match comparison(exp) {
                Some((name, usual, size, reached)) => {
                    self.others(size);
                    self.add(name, usual, true);
                    self.path.push((name, reached));
                    tests.push((name, reached));
                }
                None => self.others(exp),
            },
        }
    }

    /// The parameters of an expression that is no condition.
    fn others(&mut self, exp: &Exp) {
        if let Exp::Param { name, usual } = exp {
            self.add(*name, *usual, false);
        }
        exp.for_each_child(&mut |child| self.others(child));
    }

    fn add(&mut self, name: Symbol, usual: i64, compared: bool) {
        match self.found.iter_mut().find(|param| param.name == name) {
            Some(param) => param.compared |= compared,
            None => self.found.push(Param { name, usual, compared, path: self.path.clone() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_to_comparisons() {
        let text = r#"
proc g() : (i64) { return (param "d" 5) }
entry proc f(n_0: i64) : (i64) takes (i64 @ 0) gives (i64 @ 0) {
  var r_1: i64
  let wide_2: bool = and.bool(ge.i64(n_0, param "a" 3), lt.i64(n_0, param "b" 9))
  if wide_2 {
    r_1 := param "c" 1
  } else {
    if ge.i64(n_0, param "d" 4) { r_1 := 1i64 }
  }
  return (r_1)
}
"#;
        let source = fun_base::source::Source { name: "f.imp".into(), text: text.into() };
        let program = crate::text::parse_program(&source).unwrap();
        let found = of_program(&program);
        let shown: Vec<String> = found
            .iter()
            .map(|param| {
                let path = param
                    .path
                    .iter()
                    .map(|(name, reached)| format!(" {}{name}", if *reached { "" } else { "!" }));
                format!("{} {} {}{}", param.name, param.usual, param.compared, path.collect::<String>())
            })
            .collect();
        assert_eq!(shown, ["d 5 true", "a 3 true", "b 9 true a", "c 1 false a !b"]);
        let asked = |entry: &str| of_entry(&program, &found, Symbol::new(entry));
        assert_eq!((asked("f"), asked("g")), (vec![0, 1, 2, 3], vec![0]));
    }
}
