//! Kernels in order: on a host, where the blocks of a `chain` loop run one after the other, nobody waits, and an `ordered` region is what stands inside. The
//! threads of a block run one after the other, too: what was a kernel is loops. Where threads exchange what is in registers, these are arrays, and a `shuffle` is
//! a loop over the threads.

use crate::build::{Builder, bin, read};
use crate::ir::{Direction, Exp, LoopKind, Program, Space, Statement, StatementKind};
use crate::visit::{for_each_statement, names_after};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use std::borrow::Cow;
use std::collections::BTreeMap;

const I64: PrimType = PrimType::I64;

/// A program without `chain` loops, `ordered` regions and `shuffle`.
#[must_use]
pub fn run(program: &Program) -> Cow<'_, Program> {
    if !program.procedures.iter().any(|procedure| needs_order(&procedure.body)) {
        return Cow::Borrowed(program);
    }
    let mut b = Builder::new(names_after(program));
    let mut program = program.clone();
    for procedure in &mut program.procedures {
        procedure.body = statements(&mut b, std::mem::take(&mut procedure.body));
    }
    Cow::Owned(program)
}

/// The same for statements, which may be those of a block: then its `thread` loops stay.
pub fn statements(b: &mut Builder, list: Vec<Statement>) -> Vec<Statement> {
    InOrder { b, threads: BTreeMap::new() }.statements(list, false)
}

/// Whether there is what only devices do.
fn needs_order(list: &[Statement]) -> bool {
    let mut found = false;
    for_each_statement(list, &mut |statement| {
        found |= matches!(
            statement.kind,
            StatementKind::For { kind: LoopKind::Chain, .. } | StatementKind::Shuffle { .. }
        );
    });
    found
}

struct InOrder<'b> {
    b: &'b mut Builder,
    /// The first dimension of views, where it is constant.
    threads: BTreeMap<Var, i64>,
}

impl InOrder<'_> {
    /// Statements; with `inside` as those of a block whose threads run one after the other.
    fn statements(&mut self, list: Vec<Statement>, inside: bool) -> Vec<Statement> {
        let outer = self.b.begin();
        for mut statement in list {
            self.b.loc = statement.loc;
            match &mut statement.kind {
                StatementKind::Ordered { body, .. } => {
                    let body = self.statements(std::mem::take(body), inside);
                    self.b.push_all(body);
                    continue;
                }
                StatementKind::Shuffle { dest, source, direction, by, group } => {
                    self.exchange((*dest, *source), *direction, by.clone(), *group);
                    continue;
                }
                StatementKind::View { var, lmad, .. } => {
                    let size = lmad.dims.first().and_then(|dim| dim.size.as_constant());
                    self.threads.extend(size.map(|size| (*var, size)));
                }
                StatementKind::Alloc { space, .. } if inside && *space == Space::Register => {
                    *space = Space::Default;
                }
                _ => {}
            }
            let inner = inside || is_ordered(&statement.kind);
            if let StatementKind::For { kind, .. } = &mut statement.kind
                && inner
            {
                *kind = match *kind {
                    LoopKind::Chain | LoopKind::Thread => LoopKind::Seq,
                    LoopKind::Block => LoopKind::Par,
                    kind => kind,
                };
            }
            statement.kind.for_each_body_mut(&mut |body| {
                *body = self.statements(std::mem::take(body), inner);
            });
            self.b.push_all(vec![statement]);
        }
        self.b.end(outer)
    }

    /// What the threads of groups exchange, of two blocks.
    fn exchange(&mut self, (dest, source): (Var, Var), direction: Direction, by: Exp, group: i64) {
        let by = self.b.let_("by", I64, by);
        let threads = self.threads.get(&source).copied().unwrap_or_default();
        self.b.for_("t", Exp::i64(threads), LoopKind::Par, |b, t| {
            let place = bin(BinOp::And, I64, t, Exp::i64(group - 1));
            let (is_there, other) = match direction {
                Direction::Down => {
                    let further = bin(BinOp::Add, I64, place, by);
                    (bin(BinOp::Lt, I64, further, Exp::i64(group)), bin(BinOp::Add, I64, t, by))
                }
                Direction::Up => (bin(BinOp::Ge, I64, place, by), bin(BinOp::Sub, I64, t, by)),
            };
            let from = Exp::Select(Box::new(is_there), Box::new(other), Box::new(t.into()));
            b.write(dest, vec![t.into()], read(source, vec![from]));
        });
    }
}

/// Whether a loop's blocks do what only devices do.
fn is_ordered(kind: &StatementKind) -> bool {
    match kind {
        StatementKind::For { kind: LoopKind::Chain, .. } => true,
        StatementKind::For { kind: LoopKind::Block, body, .. } => needs_order(body),
        _ => false,
    }
}
