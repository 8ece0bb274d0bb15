//! What the sizes of results are computed from: for an entry point a procedure that gives these sizes without the results.
//!
//! ```text
//! entry proc f(n: i64, xs: mem, k: i64): (i64, mem)          entry proc f_sizes(n: i64, xs: mem, k: i64): (i64)
//!   takes (i32[@0] @ 1, i64 @ 2) gives (i32[@0] @ 1)           takes (i32[@0] @ 1, i64 @ 2) gives (i64 @ 0)
//! {                                                          {
//!   assert lt.i64(0, k) "…"                                    assert lt.i64(0, k) "…"
//!   let m: i64 = div.i64(n, k)                         →       let m: i64 = div.i64(n, k)
//!   alloc ys: i32[m]                                           return (m)
//!   …                                                        }
//!   return (m, ys)
//! }
//! ```
//! It has the statements on scalars that the sizes depend on, and the checks on the way that need no more. There is none where a size
//! depends on elements of arrays, on what a call gives, or on itself in a loop that does.
//!
//! Cost: the size of the procedure, for each variable that turns out to depend on memory.

use fun_base::name::{NameSource, Symbol, Var};
use imp::ir::{
    Exp, ImpType, Interface, InterfaceSize, InterfaceValue, Procedure, Program, Statement, StatementKind,
};
use imp::visit::names_after;
use std::collections::{BTreeMap, BTreeSet};

/// The program with a procedure for each entry point where that can be, which gives all sizes of its array results, in order and
/// one scalar each, constant ones too; and their names by those of the entry points. `views` says which procedures are versions of which for
/// arrays in any order: where there is such a version, the procedure takes its arguments, which stay where they lie then.
pub fn with_result_sizes(
    program: &Program,
    views: &BTreeMap<Symbol, Symbol>,
) -> (Program, BTreeMap<Symbol, Symbol>) {
    let mut names = names_after(program);
    let (mut whole, mut found) = (program.clone(), BTreeMap::new());
    let mut taken: BTreeSet<Symbol> = program.procedures.iter().map(|procedure| procedure.name).collect();
    for procedure in program.procedures.iter().filter(|procedure| !views.contains_key(&procedure.name)) {
        let version = |other: &&Procedure| views.get(&other.name) == Some(&procedure.name);
        let version = program.procedures.iter().find(version).unwrap_or(procedure);
        let Some(mut sizes) = of_entry(version, &mut names) else { continue };
        let mut name = format!("{}_sizes", procedure.name);
        while !taken.insert(Symbol::new(&name)) {
            name.push('_');
        }
        sizes.name = Symbol::new(&name);
        found.insert(procedure.name, sizes.name);
        whole.procedures.push(sizes);
    }
    (whole, found)
}

/// The procedure for one entry point.
fn of_entry(procedure: &Procedure, names: &mut NameSource) -> Option<Procedure> {
    let interface = procedure.interface.as_ref()?;
    let mut results = Vec::new();
    for value in &interface.gives {
        let InterfaceValue::Array { shape, .. } = value else { continue };
        for size in shape {
            results.push(match size {
                InterfaceSize::Const(size) => Exp::i64(*size),
                InterfaceSize::At(at) => procedure.results.get(*at)?.0.clone(),
            });
        }
    }
    let mut slice = Slice::default();
    let (mut before, mut hidden) = (usize::MAX, 0);
    while before != hidden {
        before = hidden;
        slice.hide(&procedure.body, false);
        hidden = slice.hidden.len();
    }
    if results.iter().any(|size| slice.is_hidden(size)) {
        return None;
    }
    results.iter().for_each(|size| slice.need(size));
    let mut before = usize::MAX;
    while before != slice.needed.len() {
        before = slice.needed.len();
        slice.collect(&procedure.body, &mut Vec::new(), false);
    }
    let mut body = slice.keep(&procedure.body, false);
    let mut takes = interface.takes.clone();
    for value in &mut takes {
        if let InterfaceValue::Array { consumed, .. } = value {
            *consumed = false;
        }
    }
    let give = |at| InterfaceValue::Scalar { at, ty: fun_base::prim::PrimType::I64 };
    let gives = (0..results.len()).map(give).collect();
    let mut renamed: BTreeMap<Var, Var> = BTreeMap::new();
    let mut rename = |var: Var| *renamed.entry(var).or_insert_with(|| names.fresh_like(var));
    let params = procedure.params.iter().map(|(var, ty)| (rename(*var), *ty)).collect();
    body.iter_mut().for_each(|statement| statement.kind.rename(&mut rename));
    results.iter_mut().for_each(|size| size.rename(&mut rename));
    let ty = ImpType::Prim(fun_base::prim::PrimType::I64);
    Some(Procedure {
        name: procedure.name,
        interface: Some(Interface { takes, gives }),
        params,
        body,
        results: results.into_iter().map(|size| (size, ty)).collect(),
    })
}

/// A part of a procedure.
#[derive(Default)]
struct Slice {
    /// Variables that depend on memory or calls.
    hidden: BTreeSet<Var>,
    /// Variables that the part computes.
    needed: BTreeSet<Var>,
}

impl Slice {
    fn is_hidden(&self, exp: &Exp) -> bool {
        let mut hidden = exp.reads();
        exp.for_each_var(&mut |var| hidden |= self.hidden.contains(&var));
        hidden
    }

    fn need(&mut self, exp: &Exp) {
        exp.for_each_var(&mut |var| {
            self.needed.insert(var);
        });
    }

    /// Finds variables that depend on memory; `within`: whether what decides if the list is executed does.
    fn hide(&mut self, list: &[Statement], within: bool) {
        for statement in list {
            let value_hidden = |exp: &Exp| within || self.is_hidden(exp);
            match &statement.kind {
                StatementKind::Let { var, value, .. } | StatementKind::Assign { var, value } => {
                    if value_hidden(value) {
                        self.hidden.insert(*var);
                    }
                }
                StatementKind::Declare { var, ty, value } => {
                    if matches!(ty, ImpType::Mem(_)) || value.as_ref().is_some_and(value_hidden) {
                        self.hidden.insert(*var);
                    }
                }
                StatementKind::Alloc { var, .. }
                | StatementKind::View { var, .. }
                | StatementKind::Window { var, .. } => {
                    self.hidden.insert(*var);
                }
                StatementKind::Call { results, .. } => self.hidden.extend(results),
                StatementKind::For { var, bound, kind, body, .. } => {
                    let inside = kind.is_parallel() || value_hidden(bound);
                    if inside {
                        self.hidden.insert(*var);
                    }
                    self.hide(body, inside);
                }
                StatementKind::While { condition, body } => self.hide(body, value_hidden(condition)),
                StatementKind::If { condition, then, otherwise } => {
                    let inside = value_hidden(condition);
                    self.hide(then, inside);
                    self.hide(otherwise, inside);
                }
                StatementKind::Lock { body, .. } | StatementKind::Ordered { body, .. } => {
                    self.hide(body, within)
                }
                StatementKind::Share(_)
                | StatementKind::Free(_)
                | StatementKind::Write { .. }
                | StatementKind::Accumulate { .. }
                | StatementKind::Atomic { .. }
                | StatementKind::Shuffle { .. }
                | StatementKind::Copy { .. }
                | StatementKind::Assert { .. } => {}
            }
        }
    }

    /// Whether a check can stay: one that is in a loop would run for nothing else.
    fn stays(&self, statement: &Statement, in_loop: bool) -> bool {
        let StatementKind::Assert { condition, args, .. } = &statement.kind else { return false };
        !in_loop && !self.is_hidden(condition) && !args.iter().any(|arg| self.is_hidden(arg))
    }

    /// Finds what needed variables are computed from; `around` decides whether the list is executed.
    fn collect<'p>(&mut self, list: &'p [Statement], around: &mut Vec<&'p Exp>, in_loop: bool) {
        for statement in list {
            let used: Vec<&Exp> = match &statement.kind {
                StatementKind::Let { var, value, .. } | StatementKind::Assign { var, value }
                    if self.needed.contains(var) =>
                {
                    vec![value]
                }
                StatementKind::Declare { var, value, .. } if self.needed.contains(var) => {
                    value.iter().collect()
                }
                StatementKind::Assert { condition, args, .. }
                    if self.stays(statement, in_loop) && !around.iter().any(|exp| self.is_hidden(exp)) =>
                {
                    [condition].into_iter().chain(args).collect()
                }
                StatementKind::For { bound: condition, .. }
                | StatementKind::While { condition, .. }
                | StatementKind::If { condition, .. } => {
                    let is_branch = matches!(statement.kind, StatementKind::If { .. });
                    around.push(condition);
                    let inside = in_loop || !is_branch;
                    match &statement.kind {
                        StatementKind::If { then, otherwise, .. } => {
                            self.collect(then, around, inside);
                            self.collect(otherwise, around, inside);
                        }
                        StatementKind::For { body, .. } | StatementKind::While { body, .. } => {
                            self.collect(body, around, inside);
                        }
                        _ => {}
                    }
                    around.pop();
                    continue;
                }
                _ => continue,
            };
            used.into_iter().chain(around.iter().copied()).for_each(|exp| self.need(exp));
        }
    }

    /// The part of a list.
    fn keep(&self, list: &[Statement], in_loop: bool) -> Vec<Statement> {
        let mut kept = Vec::new();
        for statement in list {
            let mut statement = statement.clone();
            let stays = match &mut statement.kind {
                StatementKind::Let { var, .. }
                | StatementKind::Assign { var, .. }
                | StatementKind::Declare { var, .. } => self.needed.contains(var),
                StatementKind::For { body, bound, .. } => {
                    *body = self.keep(body, true);
                    !body.is_empty() && !self.is_hidden(bound)
                }
                StatementKind::While { body, condition } => {
                    *body = self.keep(body, true);
                    !body.is_empty() && !self.is_hidden(condition)
                }
                StatementKind::If { condition, then, otherwise } => {
                    *then = self.keep(then, in_loop);
                    *otherwise = self.keep(otherwise, in_loop);
                    !(self.is_hidden(condition) || then.is_empty() && otherwise.is_empty())
                }
                _ => self.stays(&statement, in_loop),
            };
            if stays {
                kept.push(statement);
            }
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fun_base::source::Source;
    use imp::text::{parse_program, print_procedure};

    fn sizes(text: &str) -> Option<String> {
        let program = parse_program(&Source { name: "p.imp".into(), text: text.into() }).expect("a program");
        imp::check::check(&program).expect("well-formed");
        let (whole, found) = with_result_sizes(&program, &BTreeMap::new());
        imp::check::check(&whole).expect("well-formed with sizes");
        let name = found.get(&Symbol::new("f"))?;
        let made = whole.procedures.iter().find(|procedure| procedure.name == *name);
        Some(print_procedure(made.expect("the procedure")))
    }

    #[test]
    fn what_sizes_depend_on_stays() {
        let text = "entry proc f(n_0: i64, m_1: mem, k_2: i64): (i64, mem)
  takes (i32[@0] @ 1, i64 @ 2)
  gives (i32[@0][3] @ 1)
{
  view x_3: i32 @ m_1 -> 0 + {(n_0 : 1)}
  let first_4: i32 = x_3[0i64]
  assert gt.i32(first_4, 0i32) \"elements\"
  assert lt.i64(0i64, k_2) \"numbers\"
  var s_5: i64 = 1i64
  if lt.i64(k_2, n_0) {
    let half_6: i64 = div.i64(n_0, k_2)
    s_5 := half_6
  }
  alloc r_7: i32[s_5][3i64]
  view ys_8: i32 @ r_7 -> 0 + {(s_5 : 3)(3 : 1)}
  for i_9: i64 < 3i64 par {
    ys_8[0i64, i_9] := first_4
  }
  return (s_5, r_7)
}
";
        // views over variables that change are refused: the sizes are computed all the same
        let text = text.replace(
            "view ys_8: i32 @ r_7 -> 0 + {(s_5 : 3)(3 : 1)}",
            "view ys_8: i32 @ r_7 -> 0 + {(1 : 3)(3 : 1)}",
        );
        let wanted = "entry proc f_sizes(n_10: i64, m_11: mem, k_12: i64): (i64, i64)
  takes (i32[@0] @ 1, i64 @ 2)
  gives (i64 @ 0, i64 @ 1)
{
  assert lt.i64(0i64, k_12) \"numbers\"
  var s_13: i64 = 1i64
  if lt.i64(k_12, n_10) {
    let half_14: i64 = div.i64(n_10, k_12)
    s_13 := half_14
  }
  return (s_13, 3i64)
}
";
        assert_eq!(sizes(&text).expect("sizes"), wanted);
    }

    #[test]
    fn sizes_that_depend_on_elements_are_not_known() {
        let text = "entry proc f(n_0: i64, m_1: mem): (i64, mem)
  takes (i64[@0] @ 1)
  gives (i64[@0] @ 1)
{
  view x_2: i64 @ m_1 -> 0 + {(n_0 : 1)}
  var s_3: i64
  for i_4: i64 < n_0 seq {
    if lt.i64(0i64, x_2[i_4]) {
      s_3 := add.i64(s_3, 1i64)
    }
  }
  alloc r_5: i64[s_3]
  return (s_3, r_5)
}
";
        assert_eq!(sizes(text), None);
    }
}
