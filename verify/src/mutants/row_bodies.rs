//! Wrong kernels whose blocks do all that is done with a row.

use super::lowered::each;
use fun_base::name::Var;
use fun_base::prim::PrimType;
use imp::ir::{Exp, LoopKind, Program, Space, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::BTreeSet;

/// The kernels whose blocks have a row each.
fn each_block(program: &mut Program, f: &mut dyn FnMut(Var, &mut Vec<Statement>)) {
    each(program, &mut |kind| {
        if let StatementKind::For { var, kind: LoopKind::Block, body, .. } = kind
            && has_row(body)
        {
            f(*var, body);
        }
    });
}

fn has_row(body: &[Statement]) -> bool {
    let mut found = false;
    for_each_statement(body, &mut |statement| {
        if let StatementKind::Alloc { var, space: Space::Shared, .. } = &statement.kind {
            found |= matches!(var.text.as_str(), "row_mem" | "total_mem");
        }
    });
    found
}

/// All lists of statements of a block, those of its loops among them.
fn lists(list: &mut Vec<Statement>, f: &mut dyn FnMut(&mut Vec<Statement>)) {
    f(list);
    for statement in list {
        statement.kind.for_each_body_mut(&mut |inner| lists(inner, f));
    }
}

/// Threads read what others put into an array of the row without waiting for them.
pub(super) fn not_awaited(mut program: Program) -> Program {
    each_block(&mut program, &mut |_, body| {
        let mut arrays = BTreeSet::new();
        for_each_statement(body, &mut |statement| {
            if let StatementKind::View { var, mem, .. } = &statement.kind
                && mem.text.as_str() == "row_mem"
            {
                arrays.insert(*var);
            }
        });
        lists(body, &mut |list| while run_together(list, &arrays) {});
    });
    program
}

/// Puts what a thread loop does behind what the one before it does, where the first writes an array of the row and the second reads it.
fn run_together(list: &mut Vec<Statement>, arrays: &BTreeSet<Var>) -> bool {
    let threads: Vec<usize> = (0..list.len())
        .filter(|at| matches!(list[*at].kind, StatementKind::For { kind: LoopKind::Thread, .. }))
        .collect();
    let between = |from: usize, to: usize| {
        list[from + 1..to].iter().all(|statement| {
            matches!(
                statement.kind,
                StatementKind::Let { .. } | StatementKind::View { .. } | StatementKind::Alloc { .. }
            )
        })
    };
    let pair = threads.windows(2).find(|pair| {
        between(pair[0], pair[1]) && touches(&list[pair[0]], arrays).0 && touches(&list[pair[1]], arrays).1
    });
    let Some([first, second]) = pair.map(|pair| [pair[0], pair[1]]) else { return false };
    let StatementKind::For { var, body: mut later, .. } = list.remove(second).kind else { return false };
    let earlier = list.remove(first);
    let StatementKind::For { var: t, ty, bound, kind, mut body } = earlier.kind else { return false };
    later.iter_mut().for_each(|statement| {
        statement.kind.rename(&mut |name| if name == var { t } else { name });
    });
    body.extend(later);
    list.insert(
        second - 1,
        Statement { kind: StatementKind::For { var: t, ty, bound, kind, body }, loc: earlier.loc },
    );
    true
}

/// Whether a statement writes one of the arrays, and whether it reads one.
fn touches(statement: &Statement, arrays: &BTreeSet<Var>) -> (bool, bool) {
    let (mut writes, mut reads) = (false, false);
    for_each_statement(std::slice::from_ref(statement), &mut |inner| {
        writes |= inner.kind.writes().into_iter().any(|view| arrays.contains(&view));
        inner.kind.for_each_exp(&mut |exp| {
            exp.for_each_read(&mut |view, _| reads |= arrays.contains(&view));
        });
    });
    (writes, reads)
}

/// All threads have as many values of a row as the first.
pub(super) fn tail_not_guarded(mut program: Program) -> Program {
    each_block(&mut program, &mut |_, body| {
        lists(body, &mut |list| {
            let spread: BTreeSet<Var> = list.iter().filter_map(bound_of_seq).collect();
            for statement in list {
                if let StatementKind::Let { var, value: Exp::Bin(_, _, _, more), .. } = &mut statement.kind
                    && spread.contains(var)
                    && matches!(&**more, Exp::Select(..))
                {
                    **more = Exp::i64(1);
                }
            }
        });
    });
    program
}

fn bound_of_seq(statement: &Statement) -> Option<Var> {
    match &statement.kind {
        StatementKind::For { bound: Exp::Var(bound), kind: LoopKind::Seq, .. } => Some(*bound),
        _ => None,
    }
}

/// The blocks of all rows work on the first.
pub(super) fn rows_alike(mut program: Program) -> Program {
    each_block(&mut program, &mut |block, body| {
        for statement in body {
            if let StatementKind::Let { ty: PrimType::I64, value, .. } = &mut statement.kind
                && *value == Exp::Var(block)
            {
                *value = Exp::i64(0);
            }
        }
    });
    program
}

/// What a reduction of a row gives, the first thread alone gets to know.
pub(super) fn scalar_not_told(mut program: Program) -> Program {
    each_block(&mut program, &mut |_, body| {
        lists(body, &mut |list| {
            for statement in list {
                let StatementKind::For { var, kind: LoopKind::Thread, body, .. } = &mut statement.kind else {
                    continue;
                };
                let told = body.iter().all(|inner| {
                    matches!(&inner.kind, StatementKind::Write { value: Exp::Read { view, .. }, .. } if view.text.as_str() == "total")
                });
                if told {
                    let then = std::mem::take(body);
                    let first = imp::build::bin(fun_base::prim::BinOp::Eq, PrimType::I64, *var, Exp::i64(0));
                    let kind = StatementKind::If { condition: first, then, otherwise: Vec::new() };
                    body.push(Statement { kind, loc: None });
                }
            }
        });
    });
    program
}

/// In a loop of a row an array that should be another in each iteration stays where it was.
pub(super) fn place_stays(mut program: Program) -> Program {
    each_block(&mut program, &mut |_, body| {
        lists(body, &mut |list| {
            list.retain(|statement| {
                !matches!(&statement.kind, StatementKind::Assign { var, .. } if var.text.as_str() == "place")
            });
        });
    });
    program
}
