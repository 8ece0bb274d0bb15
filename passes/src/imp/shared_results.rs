//! Results that are arguments: an argument that an entry point gives back as it is, is not copied; its block is the result's.
//!
//! ```text
//! entry proc f(n: i64, xs: mem): (mem, i64)       entry proc f(n: i64, xs: mem): (mem, i64)
//! {                                               {
//!   view x: i32 @ xs -> 0 + {(n : 1)}               view x: i32 @ xs -> 0 + {(n : 1)}
//!   alloc ys: i32[n]                         →      share xs
//!   view y: i32 @ ys -> 0 + {(n : 1)}               return (xs, n)
//!   copy y <- x                                   }
//!   return (ys, n)
//! }
//! ```
//! For callers that count who uses the block of an argument, as libraries do; it belongs to no pipeline. The copies are those of whole
//! arguments that are not consumed, into blocks that nothing else uses.
//!
//! Cost: the size of the procedure, for each result.

use fun_base::name::Var;
use fun_index::lmad::Lmad;
use imp::ir::{Exp, InterfaceValue, Procedure, Program, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::BTreeSet;

/// The program without copies of arguments into results.
#[must_use]
pub fn share_results(mut program: Program) -> Program {
    for procedure in &mut program.procedures {
        for block in results(procedure) {
            share(procedure, block);
        }
    }
    program
}

/// The blocks of the results of an entry point.
fn results(procedure: &Procedure) -> Vec<Var> {
    let gives = procedure.interface.iter().flat_map(|interface| &interface.gives);
    let block = |value: &InterfaceValue| match value {
        InterfaceValue::Array { mem, .. } => match procedure.results.get(*mem)?.0 {
            Exp::Var(block) => Some(block),
            _ => None,
        },
        InterfaceValue::Scalar { .. } => None,
    };
    gives.filter_map(block).collect()
}

/// The blocks of arguments that are not consumed.
fn borrowed(procedure: &Procedure) -> BTreeSet<Var> {
    let takes = procedure.interface.iter().flat_map(|interface| &interface.takes);
    let block = |value: &InterfaceValue| match value {
        InterfaceValue::Array { mem, consumed: false, .. } => Some(procedure.params.get(*mem)?.0),
        InterfaceValue::Array { .. } | InterfaceValue::Scalar { .. } => None,
    };
    takes.filter_map(block).collect()
}

/// Where a view lies.
fn place(body: &[Statement], view: Var) -> Option<(Var, Lmad)> {
    body.iter().find_map(|statement| match &statement.kind {
        StatementKind::View { var, mem, lmad, .. } if *var == view => Some((*mem, lmad.clone())),
        _ => None,
    })
}

/// Makes this block of a result the argument's that it is a copy of, where it is one.
fn share(procedure: &mut Procedure, block: Var) {
    let body = &procedure.body;
    let at =
        |found: &dyn Fn(&StatementKind) -> bool| body.iter().position(|statement| found(&statement.kind));
    let allocated = at(&|kind| matches!(kind, StatementKind::Alloc { var, .. } if *var == block));
    let viewed = at(&|kind| matches!(kind, StatementKind::View { mem, .. } if *mem == block));
    let (Some(allocated), Some(viewed)) = (allocated, viewed) else { return };
    let StatementKind::View { var: view, lmad, .. } = &body[viewed].kind else { return };
    let copied = at(&|kind| matches!(kind, StatementKind::Copy { dest, .. } if dest == view));
    let Some(copied) = copied else { return };
    let StatementKind::Copy { source, .. } = body[copied].kind else { return };
    let Some((argument, whole)) = place(body, source) else { return };
    let mut uses = 0;
    for_each_statement(body, &mut |statement| {
        statement.kind.for_each_use(&mut |var| uses += usize::from(var == block || var == *view));
    });
    // by its view, and by the copy
    if uses != 2 || whole != *lmad || !borrowed(procedure).contains(&argument) {
        return;
    }
    procedure.body[copied].kind = StatementKind::Share(argument);
    let mut position = 0;
    procedure.body.retain(|_| {
        position += 1;
        position - 1 != allocated && position - 1 != viewed
    });
    for (result, _) in &mut procedure.results {
        result.rename(&mut |var| if var == block { argument } else { var });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fun_base::source::Source;
    use imp::text::{parse_program, print_program};

    fn shared(text: &str) -> String {
        let program = parse_program(&Source { name: "p.imp".into(), text: text.into() }).expect("a program");
        imp::check::check(&program).expect("well-formed");
        let program = share_results(program);
        imp::check::check(&program).expect("well-formed without copies");
        print_program(&program)
    }

    const COPIES: &str = "entry proc f(n_0: i64, m_1: mem): (mem, i64)
  takes (i32[@0] @ 1)
  gives (i32[@1] @ 0)
{
  view x_2: i32 @ m_1 -> 0 + {(n_0 : 1)}
  alloc r_3: i32[n_0]
  view y_4: i32 @ r_3 -> 0 + {(n_0 : 1)}
  copy y_4 <- x_2
  return (r_3, n_0)
}
";

    #[test]
    fn whole_arguments_are_not_copied() {
        let wanted = "entry proc f(n_0: i64, m_1: mem): (mem, i64)
  takes (i32[@0] @ 1)
  gives (i32[@1] @ 0)
{
  view x_2: i32 @ m_1 -> 0 + {(n_0 : 1)}
  share m_1
  return (m_1, n_0)
}
";
        assert_eq!(shared(COPIES), wanted);
    }

    #[test]
    fn what_changes_or_is_a_part_is_copied() {
        let changed = COPIES.replace("  return", "  y_4[0i64] := 1i32\n  return");
        let reversed = COPIES.replace("@ m_1 -> 0 + {(n_0 : 1)}", "@ m_1 -> n_0 + -1 + {(n_0 : -1)}");
        let consumed = COPIES.replace("takes (i32", "takes (*i32");
        for text in [changed, reversed, consumed] {
            assert_eq!(shared(&text), text);
        }
    }
}
