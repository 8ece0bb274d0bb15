//! Wrong kernels: threads beyond the last iteration, memory of threads that lies in that of others, and threads of a block that do not
//! wait for one another.

use super::lowered::each;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::Lmad;
use fun_index::poly::Poly;
use imp::build::bin;
use imp::ir::{Exp, ImpType, LoopKind, Program, Space, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

/// All threads of the last block have an iteration, whether there are so many or not.
pub(super) fn tail_not_guarded(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::For { kind: LoopKind::Thread, body, .. } = kind {
            body.iter_mut().for_each(drop_guard);
        }
    });
    program
}

fn drop_guard(statement: &mut Statement) {
    match &mut statement.kind {
        StatementKind::If { condition, otherwise, .. } if otherwise.is_empty() => {
            if matches!(condition, Exp::Bin(BinOp::Lt, PrimType::I64, ..)) {
                *condition = Exp::Const(fun_base::prim::PrimValue::Bool(true));
            }
        }
        // points of a thread that are not all there
        StatementKind::If { otherwise, .. } => otherwise.iter_mut().for_each(drop_guard),
        StatementKind::For { body, .. } => body.iter_mut().for_each(drop_guard),
        _ => {}
    }
}

/// A thread takes all of its points for there if the first is.
pub(super) fn points_not_all_there(mut program: Program) -> Program {
    let mut firsts = BTreeMap::new();
    each(&mut program, &mut |kind| {
        if let StatementKind::Let { var, value: Exp::Bin(_, _, first, _), .. } = kind
            && var.text.as_str() == "last_point"
        {
            firsts.insert(*var, (**first).clone());
        }
    });
    each(&mut program, &mut |kind| {
        if let StatementKind::If { condition: Exp::Bin(BinOp::And, _, _, all), .. } = kind
            && let Exp::Bin(BinOp::Lt, _, last, _) = &mut **all
            && let Exp::Var(var) = &**last
            && let Some(first) = firsts.get(var)
        {
            **last = first.clone();
        }
    });
    program
}

/// What an entry point takes on the device is no copy of its own, and goes all the same.
pub(super) fn arguments_freed(mut program: Program) -> Program {
    for procedure in program.procedures.iter_mut().filter(|procedure| procedure.interface.is_some()) {
        let blocks = procedure.params.iter().filter(|(_, ty)| *ty == ImpType::Mem(Space::Device));
        let freed = blocks.map(|(var, _)| Statement { kind: StatementKind::Free(*var), loc: None });
        procedure.body.extend(freed);
    }
    program
}

/// In a sweep the threads of a block do not keep behind those above them: all are at the same column.
pub(super) fn sweep_not_skewed(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::For { kind: LoopKind::Thread, body, .. } = kind
            && let Some(Statement { kind: StatementKind::Let { var, value, .. }, .. }) = body.first_mut()
            && var.text.as_str() == "u"
            && let Exp::Bin(BinOp::Sub, _, step, _) = value
        {
            *value = (**step).clone();
        }
    });
    program
}

/// The inner index of a nest that became one loop goes on from row to row.
pub(super) fn rows_forgotten(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Let { value, .. } = kind
            && let Exp::Bin(BinOp::Sub, PrimType::I64, flat, _) = value
            && is_called(flat, "flat")
        {
            *value = (**flat).clone();
        }
    });
    program
}

/// Where a reduction is cut into pieces, the results of all pieces go to the cell of the first.
pub(super) fn pieces_in_one_cell(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Let { var, value: Exp::Bin(_, _, start, piece), .. } = kind
            && var.text.as_str() == "slot"
            && is_called(piece, "piece")
        {
            let value = (**start).clone();
            *kind = StatementKind::Let { var: *var, ty: PrimType::I64, value };
        }
    });
    program
}

/// Arrays of threads begin next to each other, but their elements do not keep the distance of all of them.
pub(super) fn expansion_not_strided(mut program: Program) -> Program {
    let mut copies: BTreeMap<Var, Var> = BTreeMap::new();
    for procedure in &program.procedures {
        for_each_statement(&procedure.body, &mut |statement| {
            if let StatementKind::Alloc { var, shape, space: Space::Device, .. } = &statement.kind
                && let [Exp::Var(first), _, ..] = shape.as_slice()
                && first.text.as_str() == "copies"
            {
                copies.insert(*var, *first);
            }
        });
    }
    each(&mut program, &mut |kind| {
        if let StatementKind::View { mem, lmad, .. } = kind
            && let Some(count) = copies.get(mem)
        {
            *lmad = lmad.subst(&mut |var| if var == *count { Poly::constant(1) } else { Poly::var(var) });
        }
    });
    program
}

/// The blocks of scalars that stay on the device, with the types of their cells.
fn kept_blocks(program: &Program) -> Vec<(Var, PrimType)> {
    let mut found = Vec::new();
    for procedure in &program.procedures {
        for_each_statement(&procedure.body, &mut |statement| {
            if let StatementKind::Alloc { var, elem, .. } = &statement.kind
                && var.text.as_str() == "kept_mem"
            {
                found.push((*var, *elem));
            }
        });
    }
    found
}

/// A scalar that stays on the device keeps the value from before a loop.
pub(super) fn kept_scalar_stays(mut program: Program) -> Program {
    let blocks = kept_blocks(&program);
    let mut views = BTreeSet::new();
    for procedure in &program.procedures {
        for_each_statement(&procedure.body, &mut |statement| {
            if let StatementKind::View { var, mem, .. } = &statement.kind
                && blocks.iter().any(|(block, _)| block == mem)
            {
                views.insert(*var);
            }
        });
    }
    each(&mut program, &mut |kind| {
        if let StatementKind::For { kind: LoopKind::Seq, body, .. } | StatementKind::While { body, .. } = kind
        {
            body.iter_mut().for_each(|statement| write_what_was(statement, &views));
        }
    });
    program
}

fn write_what_was(statement: &mut Statement, views: &BTreeSet<Var>) {
    if let StatementKind::Write { view, value, .. } = &mut statement.kind
        && views.contains(view)
    {
        *value = imp::build::read(*view, vec![Exp::i64(0)]);
    }
    statement
        .kind
        .for_each_body_mut(&mut |body| body.iter_mut().for_each(|inner| write_what_was(inner, views)));
}

/// Scalars of one type that stay on the device share a cell.
pub(super) fn kept_in_one_cell(mut program: Program) -> Program {
    let blocks = kept_blocks(&program);
    each(&mut program, &mut |kind| {
        if let StatementKind::View { mem, .. } = kind
            && let Some((_, ty)) = blocks.iter().find(|(block, _)| block == mem)
            && let Some((first, _)) = blocks.iter().find(|(_, other)| other == ty)
        {
            *mem = *first;
        }
    });
    program
}

/// The steps in which the threads of a block combine the lanes of short rows have no barrier between them.
pub(super) fn barrier_missing(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::For { kind, body, .. } = kind
            && kind.is_kernel()
        {
            body.iter_mut().for_each(run_through);
        }
    });
    program
}

/// A loop around a thread loop becomes one inside of it.
pub(super) fn run_through(statement: &mut Statement) {
    let StatementKind::For { kind, body, .. } = &mut statement.kind else { return };
    let is_threads =
        |inner: &Statement| matches!(inner.kind, StatementKind::For { kind: LoopKind::Thread, .. });
    let exchanges = |inner: &Statement| matches!(inner.kind, StatementKind::Shuffle { .. });
    let alone = body.iter().filter(|inner| is_threads(inner) || exchanges(inner)).count() == 1;
    if *kind != LoopKind::Seq || !body.last().is_some_and(is_threads) || !alone {
        body.iter_mut().for_each(run_through);
        return;
    }
    let Some(Statement { kind: StatementKind::For { var, ty, bound, body: inner, .. }, loc }) = body.pop()
    else {
        return;
    };
    body.extend(inner);
    let steps = std::mem::replace(&mut statement.kind, StatementKind::Free(var));
    let body = vec![Statement { kind: steps, loc }];
    statement.kind = StatementKind::For { var, ty, bound, kind: LoopKind::Thread, body };
}

/// Where rows share a block, the last lane of a row is combined with what lies behind it.
pub(super) fn rows_run_on(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::If { condition: Exp::Bin(BinOp::And, _, in_row, _), .. } = kind
            && matches!(&**in_row, Exp::Bin(BinOp::Lt, _, right, _) if is_called(right, "right"))
        {
            **in_row = Exp::Const(fun_base::prim::PrimValue::Bool(true));
        }
    });
    program
}

/// Where rows share a block, a scan goes on from a row to the next.
pub(super) fn rows_not_parted(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::If { condition: Exp::Bin(BinOp::Ge, _, place, apart), .. } = kind
            && is_called(apart, "apart")
            && let Exp::Convert { value, .. } = &mut **place
            && let Exp::Bin(BinOp::Rem, _, t, _) = &**value
        {
            *value = t.clone();
        }
    });
    program
}

/// Threads take neighbouring values where they should take every n-th.
pub(super) fn values_not_strided(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        kind.for_each_exp_mut(&mut |exp| drop_stride(exp));
    });
    program
}

fn drop_stride(exp: &mut Exp) {
    exp.for_each_child_mut(&mut |child| drop_stride(child));
    if let Exp::Bin(BinOp::Mul, PrimType::I64, left, right) = exp
        && is_called(left, "k")
        // (of one block, the number of threads is known: there are four in tests)
        && (is_called(right, "threads") || **right == Exp::i64(4))
    {
        **right = Exp::i64(1);
    }
}

/// Blocks forget what the blocks before them have in all.
pub(super) fn blocks_before_forgotten(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::If { condition: Exp::Bin(BinOp::Gt, _, block, _), then, .. } = kind
            && is_called(block, "block")
        {
            then.clear();
        }
    });
    program
}

/// The tiles of a scan forget what the tiles before them have in all.
pub(super) fn tiles_before_forgotten(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::For { var, kind: LoopKind::Seq, body, .. } = kind
            && var.text.as_str() == "tile"
        {
            drop_writes(body, "carry");
        }
    });
    program
}

pub(super) fn writes(body: &[Statement], name: &str) -> bool {
    let mut found = false;
    for_each_statement(body, &mut |statement| {
        found |= matches!(&statement.kind, StatementKind::Write { view, .. } if view.text.as_str() == name);
    });
    found
}

fn drop_writes(body: &mut Vec<Statement>, name: &str) {
    body.retain(|statement| !matches!(&statement.kind, StatementKind::Write { view, .. } if view.text.as_str() == name));
    body.iter_mut()
        .for_each(|statement| statement.kind.for_each_body_mut(&mut |body| drop_writes(body, name)));
}

/// All threads of a histogram count in one table.
pub(super) fn tables_shared(mut program: Program) -> Program {
    let first = |view: &Var, indices: &mut Vec<Exp>| {
        if view.text.as_str() == "table"
            && let Some(part) = indices.last_mut()
        {
            *part = Exp::i64(0);
        }
    };
    each(&mut program, &mut |kind| {
        if let StatementKind::Write { view, indices, .. } = kind {
            first(view, indices);
        }
        kind.for_each_exp_mut(&mut |exp| {
            if let Exp::Read { view, indices } = exp {
                first(view, indices);
            }
        });
    });
    program
}

/// All values of a scatter write their cell, not only the one whose number is found.
pub(super) fn last_not_asked(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::If { condition, .. } = kind
            && let Exp::Bin(BinOp::Eq, PrimType::I64, left, _) = condition
            && let Exp::Read { view, .. } = &**left
            && view.text.as_str() == "last"
        {
            *condition = Exp::Const(fun_base::prim::PrimValue::Bool(true));
        }
    });
    program
}

/// The cells for the numbers of values begin with that of the second one: where only the first is for a cell, nothing is written.
pub(super) fn last_not_emptied(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Write { view, value, .. } = kind
            && view.text.as_str() == "last"
        {
            *value = Exp::i64(1);
        }
    });
    program
}

/// Histograms write what they should combine.
pub(super) fn atomics_written(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Atomic { view, indices, value, .. } = kind {
            *kind = StatementKind::Write { view: *view, indices: indices.clone(), value: value.clone() };
        }
    });
    program
}

/// Sums of narrow cells are those of the words that they lie in: what does not fit goes on in the next cell.
pub(super) fn sums_carry(mut program: Program) -> Program {
    let mut narrow: BTreeMap<Var, (PrimType, Var)> = BTreeMap::new();
    each(&mut program, &mut |kind| {
        if let StatementKind::View { var, elem, mem, lmad } = kind
            && elem.is_int()
            && elem.bytes() < 4
            && lmad.offset.as_constant() == Some(0)
            && let [dim] = lmad.dims.as_slice()
            && dim.stride.as_constant() == Some(1)
        {
            narrow.insert(*var, (*elem, *mem));
        }
    });
    let mut names = imp::visit::names_after(&program);
    each(&mut program, &mut |kind| {
        if let StatementKind::Atomic { view, indices, op: BinOp::Add, value } = kind
            && let [at] = indices.as_slice()
            && let Some((elem, mem)) = narrow.get(view)
        {
            let cells = i64::from(4 / elem.bytes());
            let (word, bits) = (PrimType::U32, i64::from(elem.bits()));
            let own = imp::build::convert(elem.unsigned_of_width(), *elem, value.clone());
            let rest = bin(BinOp::Rem, PrimType::I64, at.clone(), Exp::i64(cells));
            let shift = bin(BinOp::Mul, PrimType::I64, rest, Exp::i64(bits));
            let value = bin(
                BinOp::Shl,
                word,
                imp::build::convert(word, elem.unsigned_of_width(), own),
                imp::build::convert(word, PrimType::I64, shift),
            );
            let index = bin(BinOp::Quot, PrimType::I64, at.clone(), Exp::i64(cells));
            let words = names.fresh("words");
            let lmad = Lmad::row_major(Poly::constant(0), &[Poly::constant(i64::from(u32::MAX))]);
            let seen = StatementKind::View { var: words, elem: word, mem: *mem, lmad };
            let added = StatementKind::Atomic { view: words, indices: vec![index], op: BinOp::Add, value };
            let then = [seen, added].map(|kind| Statement { kind, loc: None }).to_vec();
            let condition = Exp::Const(fun_base::prim::PrimValue::Bool(true));
            *kind = StatementKind::If { condition, then, otherwise: Vec::new() };
        }
    });
    program
}

pub(super) fn is_called(exp: &Exp, name: &str) -> bool {
    matches!(exp, Exp::Var(var) if var.text.as_str() == name)
}

/// Remainders that became comparisons begin again one place too late.
pub(super) fn wrapped_late(mut program: Program) -> Program {
    each(&mut program, &mut |kind| {
        if let StatementKind::Let { value: Exp::Select(condition, _, no), .. } = kind
            && let Exp::Bin(op @ BinOp::Lt, PrimType::I64, _, bound) = &mut **condition
            && matches!(&**no, Exp::Bin(BinOp::Sub, PrimType::I64, _, by) if by == bound)
        {
            *op = BinOp::Le;
        }
    });
    program
}
