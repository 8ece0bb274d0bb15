//! Wrong code for what FUNMEM says: loops, tests, views, owners of blocks.

use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use imp::build::bin;
use imp::ir::{Exp, LoopKind, Program, Statement, StatementKind};
use std::collections::BTreeSet;

/// Calls `f` on every list of statements, inner ones first.
pub(super) fn lists(program: &mut Program, f: &mut dyn FnMut(&mut Vec<Statement>)) {
    fn list(statements: &mut Vec<Statement>, f: &mut dyn FnMut(&mut Vec<Statement>)) {
        for statement in statements.iter_mut() {
            statement.kind.for_each_body_mut(&mut |body| list(body, f));
        }
        f(statements);
    }
    program.procedures.iter_mut().for_each(|procedure| list(&mut procedure.body, f));
}

/// Calls `f` on every statement, inner ones first.
pub(super) fn each(program: &mut Program, f: &mut dyn FnMut(&mut StatementKind)) {
    lists(program, &mut |statements| statements.iter_mut().for_each(|statement| f(&mut statement.kind)));
}

/// The variables that some part of a view's index function mentions, in the whole program.
fn vars_in_views(program: &Program, part: fn(&Lmad) -> Vec<Poly>) -> BTreeSet<Var> {
    let mut vars = BTreeSet::new();
    for procedure in &program.procedures {
        imp::visit::for_each_statement(&procedure.body, &mut |statement| {
            if let StatementKind::View { lmad, .. } = &statement.kind {
                for poly in part(lmad) {
                    poly.for_each_var(&mut |var| {
                        vars.insert(var);
                    });
                }
            }
        });
    }
    vars
}

fn strides(lmad: &Lmad) -> Vec<Poly> {
    lmad.dims.iter().map(|dim| dim.stride.clone()).collect()
}

/// The second arm of a branch does not say what a variable is of which it is known what it is for.
fn not_assigned(mut program: Program, part: fn(&Lmad) -> Vec<Poly>) -> Program {
    let vars = vars_in_views(&program, part);
    each(&mut program, &mut |kind| {
        if let StatementKind::If { otherwise, .. } = kind {
            otherwise.retain(|statement| !matches!(&statement.kind, StatementKind::Assign { var, .. } if vars.contains(var)));
        }
    });
    program
}

/// An offset that comes back from a branch is missing in its second arm.
pub(super) fn offset_not_given_back(program: Program) -> Program {
    not_assigned(program, |lmad| vec![lmad.offset.clone()])
}

/// Strides that come back from a branch are missing in its second arm.
pub(super) fn strides_not_given_back(program: Program) -> Program {
    not_assigned(program, strides)
}

/// A size that comes back from a branch is missing in its second arm.
pub(super) fn size_not_given_back(program: Program) -> Program {
    not_assigned(program, |lmad| lmad.sizes())
}

/// The size of an array that grows in a loop stays what it was before the loop.
pub(super) fn stale_size(program: Program) -> Program {
    let sizes = vars_in_views(&program, |lmad| lmad.sizes());
    stale(program, &sizes)
}

/// The offset of an array that a loop takes rows from stays what it was before the loop.
pub(super) fn stale_offset(program: Program) -> Program {
    let offsets = vars_in_views(&program, |lmad| vec![lmad.offset.clone()]);
    stale(program, &offsets)
}

/// What loops make of variables is forgotten.
fn stale(mut program: Program, vars: &BTreeSet<Var>) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::For { body, .. } | StatementKind::While { body, .. } = kind {
            body.retain(|statement| !matches!(&statement.kind, StatementKind::Assign { var, .. } if vars.contains(var)));
        }
    });
    program
}

/// Whether a condition is that of a scatter or histogram: an index is in range.
fn range_test(condition: &Exp) -> bool {
    let Exp::Bin(BinOp::And, PrimType::Bool, low, high) = condition else { return false };
    matches!(**low, Exp::Bin(BinOp::Le, PrimType::I64, ..))
        && matches!(**high, Exp::Bin(BinOp::Lt, PrimType::I64, ..))
}

fn tests(mut program: Program, f: fn(Exp, Exp) -> Exp) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::If { condition, .. } = kind
            && range_test(condition)
            && let Exp::Bin(_, _, low, high) = condition.clone()
        {
            *condition = f(*low, *high);
        }
    });
    program
}

/// Scatters and histograms test that an index is not too large, not that it is not negative.
pub(super) fn negative_index_not_tested(program: Program) -> Program {
    tests(program, |_, high| high)
}

/// Scatters and histograms take the size itself to be an index.
pub(super) fn index_test_off_by_one(program: Program) -> Program {
    tests(program, |low, high| match high {
        Exp::Bin(_, ty, index, size) => {
            bin(BinOp::And, PrimType::Bool, low, Exp::Bin(BinOp::Le, ty, index, size))
        }
        high => bin(BinOp::And, PrimType::Bool, low, high),
    })
}

/// The iterations of a scatter or histogram run in parallel, though they may write to one cell.
pub(super) fn scatter_in_parallel(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::For { kind: kind @ LoopKind::Seq, body, .. } = kind {
            let tests = |statement: &Statement| matches!(&statement.kind, StatementKind::If { condition, .. } if range_test(condition));
            if body.iter().any(tests) {
                *kind = LoopKind::Par;
            }
        }
    });
    program
}

/// A loop that changes an array in place runs in parallel, as nothing but arrays goes from one iteration to the next.
pub(super) fn sequential_loop_in_parallel(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        let StatementKind::For { kind: kind @ LoopKind::Seq, body, ty: PrimType::I64, .. } = kind else {
            return;
        };
        let mut declared = BTreeSet::new();
        let mut independent = true;
        imp::visit::for_each_statement(body, &mut |statement| {
            declared.extend(statement.kind.declares());
            match &statement.kind {
                StatementKind::Assign { var, .. } => independent &= declared.contains(var),
                StatementKind::Free(_) | StatementKind::Share(_) | StatementKind::Call { .. } => {
                    independent = false
                }
                _ => {}
            }
        });
        if independent {
            *kind = LoopKind::Par;
        }
    });
    program
}

fn less(bound: &Exp) -> Exp {
    bin(BinOp::Sub, PrimType::I64, bound.clone(), Exp::i64(1))
}

/// The results of the last chunk of a reduction are not combined with the others.
pub(super) fn last_partial_result_lost(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::For { bound, kind: LoopKind::Seq, body, .. } = kind
            && let Some(Statement { kind: StatementKind::Let { var, value: Exp::Read { .. }, .. }, .. }) =
                body.first()
            && var.text.as_str() == "part"
        {
            *bound = less(bound);
        }
    });
    program
}

/// The last cell of a filled array is not written.
pub(super) fn last_cell_not_filled(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::For { bound, body, .. } = kind
            && let [Statement { kind: StatementKind::Write { value: Exp::Var(_) | Exp::Const(_), .. }, .. }] =
                &body[..]
        {
            *bound = less(bound);
        }
    });
    program
}

/// The last term of an offset is lost.
pub(super) fn offset_loses_a_term(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::View { lmad, .. } = kind
            && lmad.offset.terms().count() > 1
        {
            let terms: Vec<Poly> =
                lmad.offset.terms().map(|(monomial, factor)| Poly::term(monomial.clone(), factor)).collect();
            lmad.offset = terms[..terms.len() - 1].iter().fold(Poly::constant(0), |sum, term| sum.add(term));
        }
    });
    program
}

/// The strides of a square matrix that is not row-major change places.
pub(super) fn strides_transposed(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::View { lmad, .. } = kind
            && let [first, second, ..] = &mut lmad.dims[..]
            && first.size == second.size
        {
            std::mem::swap(&mut first.stride, &mut second.stride);
        }
    });
    program
}

/// The stride of rows is the number of rows instead of their length.
pub(super) fn stride_from_wrong_size(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::View { lmad, .. } = kind
            && let [rows, columns] = &mut lmad.dims[..]
            && rows.stride == columns.size
            && lmad.offset.as_constant() == Some(0)
        {
            rows.stride = rows.size.clone();
        }
    });
    program
}

/// A scan writes the sum before an element instead of the sum with it.
pub(super) fn scan_is_exclusive(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        let StatementKind::For { kind: LoopKind::Seq | LoopKind::Scan, body, .. } = kind else { return };
        let assigned: BTreeSet<Var> = body
            .iter()
            .filter_map(|statement| match &statement.kind {
                StatementKind::Assign { var, .. } => Some(*var),
                _ => None,
            })
            .collect();
        let sums = |statement: &Statement| matches!(&statement.kind, StatementKind::Write { value: Exp::Var(sum), .. } if assigned.contains(sum));
        let (mut writes, rest): (Vec<Statement>, Vec<Statement>) = body.drain(..).partition(sums);
        writes.extend(rest);
        *body = writes;
    });
    program
}

/// The pieces of a scan stay as if nothing came before them.
pub(super) fn pieces_not_finished(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::For { var, kind: LoopKind::Par, body, .. } = kind
            && var.text.as_str() == "p"
        {
            body.retain(|statement| !matches!(statement.kind, StatementKind::If { .. }));
        }
    });
    program
}

/// A piece of a scan of integers begins as if nothing came before it, though its group knows.
pub(super) fn piece_begins_anew(mut program: Program) -> Program {
    lists(&mut program, &mut |list| {
        let scans =
            |statement: &Statement| matches!(statement.kind, StatementKind::For { kind: LoopKind::Scan, .. });
        if list.iter().any(scans) {
            list.retain(|statement| {
                !matches!(statement.kind, StatementKind::Assign { value: Exp::Read { .. }, .. })
            });
        }
    });
    program
}

/// The last piece of each group of a scan is left out.
pub(super) fn last_piece_left_out(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::For { var, bound, kind: LoopKind::Par, .. } = kind
            && var.text.as_str() == "p"
        {
            *bound = less(bound);
        }
    });
    program
}

/// All iterations of a parallel loop write to its first row.
pub(super) fn all_write_first_row(program: Program) -> Program {
    written_rows(program, |_, _| Exp::i64(0))
}

/// Each iteration of a parallel loop writes the row of the next one.
pub(super) fn next_row_written(program: Program) -> Program {
    written_rows(program, |counter, bound| {
        let next = bin(BinOp::Add, PrimType::I64, counter, Exp::i64(1));
        bin(BinOp::Mod, PrimType::I64, next, bound.clone())
    })
}

fn written_rows(mut program: Program, row: fn(Var, &Exp) -> Exp) -> Program {
    each(&mut program, &mut |kind| {
        let StatementKind::For { var, bound, kind: LoopKind::Par, body, .. } = kind else { return };
        // A constant bound would be there in time to be folded.
        for statement in body.iter_mut() {
            if let StatementKind::Write { indices, .. } = &mut statement.kind
                && indices.first() == Some(&Exp::Var(*var))
            {
                indices[0] = row(*var, bound);
            }
        }
    });
    program
}

/// Indices of a matrix are given in the order of the other layout.
pub(super) fn indices_swapped(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        kind.for_each_exp_mut(&mut |exp| {
            if let Exp::Read { indices, .. } = exp
                && let [first, second] = &mut indices[..]
            {
                std::mem::swap(first, second);
            }
        });
    });
    program
}

/// Where a block's last use is looked for.
fn freed_early(mut program: Program, views: bool, nested: bool) -> Program {
    lists(&mut program, &mut |statements| {
        let frees: Vec<Var> = statements
            .iter()
            .filter_map(|statement| match statement.kind {
                StatementKind::Free(block) => Some(block),
                _ => None,
            })
            .collect();
        for block in frees {
            let Some(at) = statements
                .iter()
                .position(|statement| matches!(statement.kind, StatementKind::Free(b) if b == block))
            else {
                continue;
            };
            let mut names = BTreeSet::from([block]);
            let mut last = None;
            for (k, statement) in statements[..at].iter().enumerate() {
                match &statement.kind {
                    StatementKind::View { var, mem, .. } if views && names.contains(mem) => {
                        names.insert(*var);
                    }
                    StatementKind::Window { var, view, .. } if views && names.contains(view) => {
                        names.insert(*var);
                    }
                    _ => {}
                }
                let mut found = statement.kind.declares() == Some(block);
                statement.kind.for_each_use(&mut |var| found |= names.contains(&var));
                if nested {
                    statement.kind.for_each_body(&mut |body| {
                        imp::visit::for_each_statement(body, &mut |inner| {
                            inner.kind.for_each_use(&mut |var| found |= names.contains(&var));
                        });
                    });
                }
                if found {
                    last = Some(k);
                }
            }
            if let Some(last) = last {
                let free = statements.remove(at);
                statements.insert(last + 1, free);
            }
        }
    });
    program
}

/// A block is freed after its last mention, though views of it are still used.
pub(super) fn freed_before_views(program: Program) -> Program {
    freed_early(program, false, true)
}

/// A block is freed before the branch or loop that still uses it.
pub(super) fn freed_before_nested_use(program: Program) -> Program {
    freed_early(program, true, false)
}

/// A branch gives a block back without becoming one of its owners.
pub(super) fn branch_does_not_share(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::If { then, otherwise, .. } = kind {
            for arm in [then, otherwise] {
                arm.retain(|statement| !matches!(statement.kind, StatementKind::Share(_)));
            }
        }
    });
    program
}

/// A loop frees the block of each iteration, and forgets that of the last.
pub(super) fn old_block_not_freed(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::For { body, .. } = kind {
            let assigned: BTreeSet<Var> = body
                .iter()
                .filter_map(|statement| match &statement.kind {
                    StatementKind::Assign { var, .. } => Some(*var),
                    _ => None,
                })
                .collect();
            body.retain(|statement| !matches!(statement.kind, StatementKind::Free(block) if assigned.contains(&block)));
        }
    });
    program
}
