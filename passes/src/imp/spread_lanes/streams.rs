//! What goes down the columns of a large matrix goes along all of a row, with a lane for each column.
//!
//! Rounds of some columns read a piece of each row, and what lies behind it in memory is not what they read next: the processor can't fetch it before it is
//! asked. With all columns at once the whole matrix comes by in order, and what is computed of each column waits in the cache. That is faster where there is
//! little to do for each cell, as in sums, and the matrix does not lie in a near cache.

use super::plan::{How, Node, Plan};
use super::{Known, Sizes};
use crate::imp::copy::declared_in;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType, UnOp};
use imp::build::bin;
use imp::ir::{Exp, Statement, StatementKind};

const I64: PrimType = PrimType::I64;

/// Which matrices go row by row.
#[derive(Clone, Copy)]
pub(super) struct Streams {
    /// The least and the most columns: fewer stay in registers, more leave the cache.
    columns: (i64, i64),
    /// The least number of cells.
    cells: i64,
    /// How many cells rows are apart at least: nearer ones lie in the same few lines.
    apart: i64,
    /// Up to so many threads: more read faster than memory is, whatever the order.
    threads: i64,
}

/// A matrix of 2 MiB, of which rows have 256 bytes to 16 KiB, for cells of four bytes.
pub(super) const USUAL: Streams = Streams { columns: (64, 4096), cells: 1 << 19, apart: 64, threads: 2 };
/// What small test programs come to: other numbers of columns than this go in rounds.
pub(super) const SMALL: Streams = Streams { columns: (3, 3), cells: 0, apart: 2, threads: i64::MAX };

/// The most statements for each cell.
const MOST_STATEMENTS: usize = 6;

/// When all lanes at once are better than rounds of some, for a loop over lanes that has one loop in it that reads much and computes little.
pub(super) fn condition(plan: &Plan<'_>, bound: &Exp, body: &[Statement], known: &Known) -> Option<Exp> {
    let Sizes { streams: Streams { columns: (least, most), cells, threads, .. }, .. } = known.sizes;
    if matches!(bound, Exp::Const(count) if !(Some(least)..=Some(most)).contains(&count.as_i64())) {
        return None;
    }
    let mut looped = None;
    for node in &plan.nodes {
        match node {
            Node::Loop(statement, inside) if looped.is_none() => looped = Some((*statement, inside)),
            Node::Once(_) | Node::Lanes(_) => {}
            Node::Loop(..) | Node::While(..) | Node::Copy(..) | Node::Branch(..) => return None,
        }
    }
    let (statement, inside) = looped?;
    let StatementKind::For { var, ty: I64, bound: steps, .. } = &statement.kind else { return None };
    let declared = declared_in(body);
    let mut from_outside = !steps.reads();
    steps.for_each_var(&mut |var| from_outside &= !declared.contains(&var));
    let in_lanes: Vec<_> = inside.iter().filter(|node| !matches!(node, Node::Once(_))).collect();
    let [Node::Lanes(at)] = in_lanes[..] else { return None };
    let segment = &plan.segments[*at];
    let fits = from_outside
        && plan.varying.own_blocks.is_empty()
        && !plan.fails
        && segment.how == How::Together
        && segment.statements.len() <= MOST_STATEMENTS
        && segment.statements.iter().all(|statement| is_cheap(statement))
        && reads_along_rows(plan, *var, &segment.statements, known);
    if !fits {
        return None;
    }
    let at_most = |x: Exp, y: Exp| bin(BinOp::Le, I64, x, y);
    let conditions = [
        at_most(Exp::i64(least), bound.clone()),
        at_most(bound.clone(), Exp::i64(most)),
        at_most(Exp::i64(cells), bin(BinOp::Mul, I64, steps.clone(), bound.clone())),
        at_most(Exp::Threads, Exp::i64(threads)),
    ];
    conditions.into_iter().reduce(|x, y| bin(BinOp::And, PrimType::Bool, x, y))
}

/// Whether a statement computes a scalar with operators that take about a cycle.
fn is_cheap(statement: &Statement) -> bool {
    fn operators_are(exp: &Exp) -> bool {
        let mut cheap = match exp {
            Exp::Bin(op, ..) => !matches!(
                op,
                BinOp::Div | BinOp::Mod | BinOp::Quot | BinOp::Rem | BinOp::Pow | BinOp::Atan2 | BinOp::Hypot
            ),
            Exp::Un(op, ..) => matches!(op, UnOp::Neg | UnOp::Not | UnOp::Abs),
            _ => true,
        };
        exp.for_each_child(&mut |child| cheap &= operators_are(child));
        cheap
    }
    let mut cheap = matches!(
        statement.kind,
        StatementKind::Let { .. } | StatementKind::Declare { .. } | StatementKind::Assign { .. }
    );
    statement.kind.for_each_exp(&mut |exp| cheap &= operators_are(exp));
    cheap
}

/// Whether lanes read neighbouring cells, and each of them cells that are far apart.
fn reads_along_rows(plan: &Plan<'_>, step: Var, statements: &[&Statement], known: &Known) -> bool {
    let (mut along, mut all) = (false, true);
    let mut read = |view: Var, indices: &[Exp]| {
        let address = known.places.place(view).and_then(|(_, _, lmad)| known.numbers.address(lmad, indices));
        let Some(address) = address else { return all = false };
        match address.step(plan.counter).as_constant() {
            Some(1) => {
                along |= address
                    .step(step)
                    .as_constant()
                    .is_none_or(|cells| cells.abs() >= known.sizes.streams.apart);
            }
            Some(0) => {}
            _ => all = false,
        }
    };
    for statement in statements {
        statement.kind.for_each_exp(&mut |exp| exp.for_each_read(&mut read));
    }
    along && all
}
