//! How the body of a loop is cut: what stays as it is for all lanes, what each lane runs, and what neither can be.

use super::copies;
use super::plan::{How, Node, Segment};
use super::varying::Varying;
use super::while_loops::{self, has_assertions};
use crate::imp::copy::can_fail;
use crate::imp::fuse_loops::access::Places;
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use imp::ir::{Exp, ImpType, STACK_BLOCK_BYTES, Space, Statement, StatementKind, constant_bytes};
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

/// The most factors of the size of a block that lanes get, so that their product is a number.
const MOST_FACTORS: usize = 4;

/// What is known of a body while it is cut.
pub(super) struct Planning<'a, 's> {
    pub(super) counter: Var,
    pub(super) places: &'s Places,
    pub(super) parallel: bool,
    pub(super) lanes: i64,
    /// What the blocks of lanes take.
    pub(super) bytes: i64,
    /// The widths of the cells of blocks of lanes, in bytes.
    pub(super) width_of: BTreeMap<Var, u32>,
    pub(super) declared: &'a BTreeSet<Var>,
    pub(super) mutable: &'a BTreeSet<Var>,
    pub(super) blocks: Vec<&'s [Exp]>,
    pub(super) varying: &'a Varying<'s>,
    pub(super) segments: Vec<Segment<'s>>,
    pub(super) views: Vec<&'s Statement>,
    /// Whether the body has assertions, which may have to hold before something is read.
    pub(super) asserts: bool,
    /// Whether an assertion may hold in some lanes alone, and whether lanes write what others see.
    pub(super) fails: bool,
    pub(super) writes: bool,
    /// The loops so far that lanes leave at different times, and those with assertions behind them, by their first segments.
    pub(super) whiles: BTreeSet<usize>,
    pub(super) limited: BTreeSet<usize>,
}

impl<'s> Planning<'_, 's> {
    pub(super) fn nodes(&mut self, list: &'s [Statement]) -> Option<Vec<Node<'s>>> {
        self.nodes_of(list.iter())
    }

    /// The nodes of statements, if they can be spread.
    pub(super) fn nodes_of(&mut self, list: impl Iterator<Item = &'s Statement>) -> Option<Vec<Node<'s>>> {
        let (mut nodes, mut pending) = (Vec::new(), Vec::new());
        for statement in list {
            match &statement.kind {
                StatementKind::Alloc { var, elem, shape, space: Space::Default }
                    if self.varying.own_blocks.contains(var) =>
                {
                    // whether lanes have room for it is asked before the loop
                    let from_outside = |size: &Exp| match size {
                        Exp::Const(_) => true,
                        Exp::Var(var) => !self.declared.contains(var),
                        _ => false,
                    };
                    (shape.len() <= MOST_FACTORS && shape.iter().all(from_outside)).then_some(())?;
                    self.width_of.insert(*var, elem.bytes());
                    self.blocks.push(shape);
                    nodes.push(Node::Once(statement));
                }
                StatementKind::Alloc { var, elem, shape, space: Space::Stack } => {
                    let bytes = constant_bytes(*elem, shape)? * self.lanes;
                    self.bytes += bytes;
                    self.width_of.insert(*var, elem.bytes());
                    (bytes <= STACK_BLOCK_BYTES).then_some(())?;
                    nodes.push(Node::Once(statement));
                }
                StatementKind::Free(block) if self.varying.own_blocks.contains(block) => {
                    self.flush(&mut nodes, &mut pending);
                    nodes.push(Node::Once(statement));
                }
                StatementKind::Let { .. }
                | StatementKind::Declare { ty: ImpType::Prim(_), .. }
                | StatementKind::View { .. }
                | StatementKind::Window { .. }
                | StatementKind::Assert { .. }
                    if self.varying.is_same(statement) =>
                {
                    // nothing of a segment that is pending changes what it uses, but an assertion there may be what it needs
                    if while_loops::may_need_assertions(statement) {
                        self.flush_assertions(&mut nodes, &mut pending);
                    }
                    // a lane that is still in a loop keeps nobody from failing here
                    if !self.whiles.is_empty() && matches!(statement.kind, StatementKind::Assert { .. }) {
                        self.note_assertion()?;
                    }
                    nodes.push(Node::Once(statement));
                }
                StatementKind::Assign { .. } if self.varying.is_same(statement) => {
                    self.flush(&mut nodes, &mut pending);
                    nodes.push(Node::Once(statement));
                }
                StatementKind::For { bound, body, .. } => {
                    self.flush(&mut nodes, &mut pending);
                    if self.varying.exp(bound) {
                        return None;
                    }
                    let (fails_outside, whiles) = (std::mem::take(&mut self.fails), self.whiles.len());
                    let asserts = has_assertions(body);
                    let body = self.nodes(body)?;
                    // the next iteration asserts behind what this one does
                    if self.fails || asserts && self.whiles.len() > whiles {
                        self.note_assertion()?;
                    }
                    self.fails |= fails_outside;
                    nodes.push(Node::Loop(statement, body));
                }
                StatementKind::If { condition, then, otherwise } if !self.varying.exp(condition) => {
                    self.flush(&mut nodes, &mut pending);
                    let (then, otherwise) = (self.nodes(then)?, self.nodes(otherwise)?);
                    nodes.push(Node::Branch(statement, then, otherwise));
                }
                StatementKind::While { condition, body } => {
                    self.flush(&mut nodes, &mut pending);
                    let parts = while_loops::parts(condition, body)?;
                    let may = body.iter().all(|inner| self.may_be_in_lanes(inner));
                    may.then_some(())?;
                    if has_assertions(body) {
                        self.note_assertion()?;
                    }
                    // a number for each lane says whether it goes on
                    self.bytes += self.lanes * i64::from(PrimType::I32.bytes());
                    let first = self.segments.len();
                    self.whiles.insert(first);
                    for (statements, how) in parts {
                        self.segment(statements, how);
                    }
                    condition.for_each_var(&mut |var| _ = self.segments[first].used.insert(var));
                    nodes.push(Node::While(statement, (first..self.segments.len()).collect()));
                }
                StatementKind::Assert { condition, .. } if !can_fail(condition) => {
                    if condition.reads() {
                        self.flush_assertions(&mut nodes, &mut pending);
                    }
                    self.note_assertion()?;
                    pending.push(statement);
                }
                StatementKind::If { .. }
                    if while_loops::is_going(statement)
                        && has_assertions(std::slice::from_ref(statement)) =>
                {
                    self.flush(&mut nodes, &mut pending);
                    self.may_be_in_lanes(statement).then_some(())?;
                    self.note_assertion()?;
                    nodes.push(self.segment(vec![statement], How::Going));
                }
                StatementKind::Copy { dest, source } if self.parallel || self.is_own(*dest) => {
                    self.flush(&mut nodes, &mut pending);
                    self.writes |= !self.is_own(*dest);
                    let views = (*dest, *source);
                    let (to, from) =
                        copies::sides(views, self.counter, self.lanes, self.varying, self.places)?;
                    nodes.push(Node::Copy(statement, Box::new([to, from])));
                }
                _ if is_straight(statement) && self.may_be_in_lanes(statement) => {
                    if while_loops::may_need_assertions(statement) {
                        self.flush_assertions(&mut nodes, &mut pending);
                    }
                    pending.push(statement);
                }
                _ => return None,
            }
        }
        self.flush(&mut nodes, &mut pending);
        Some(nodes)
    }

    /// Whether a lane may run the statement after earlier lanes went on from here.
    fn may_be_in_lanes(&mut self, statement: &'s Statement) -> bool {
        let mut may = true;
        for_each_statement(std::slice::from_ref(statement), &mut |inner| match &inner.kind {
            StatementKind::Write { view, .. } | StatementKind::Accumulate { view, .. } => {
                // iterations in order may touch the same cells
                may &= self.parallel || self.is_own(*view);
                self.writes |= !self.is_own(*view);
            }
            StatementKind::View { elem, mem, .. } => {
                // cells of one block have one width, so that those of a lane are its own
                may &= self.width_of.get(mem).is_none_or(|bytes| *bytes == elem.bytes());
            }
            _ => {}
        });
        if matches!(statement.kind, StatementKind::View { .. } | StatementKind::Window { .. }) {
            // it is made again where it is used
            statement.kind.for_each_use(&mut |var| may &= !self.mutable.contains(&var));
            statement.kind.for_each_exp(&mut |exp| may &= !exp.reads());
            self.views.push(statement);
        }
        if self.is_made_again(statement) {
            self.views.push(statement);
        }
        may
    }

    /// Whether a scalar is made again where it is used, rather than that each lane keeps it.
    fn is_made_again(&self, statement: &Statement) -> bool {
        self.is_place(statement) || self.is_neighbour(statement)
    }

    /// Whether a statement reads what lies beside that of the lane before, in an array that the loop does not change: to read it again costs no more than what was kept.
    fn is_neighbour(&self, statement: &Statement) -> bool {
        let StatementKind::Let { value: Exp::Read { view, indices }, .. } = &statement.kind else {
            return false;
        };
        let Some((last, outer)) = indices.split_last() else { return false };
        let step = self.places.place(*view).and_then(|(_, _, lmad)| lmad.dims.last()?.stride.as_constant());
        !self.asserts
            && !self.declared.contains(view)
            && !self.varying.may_change(*view)
            && step == Some(1)
            && *last == Exp::Var(self.counter)
            && outer.iter().all(|index| self.is_outside(index))
    }

    /// Whether a number is the same for all lanes, and known before the loop.
    fn is_outside(&self, exp: &Exp) -> bool {
        match exp {
            Exp::Var(var) => !self.varying.has(*var) && !self.declared.contains(var),
            exp => matches!(exp, Exp::Const(_)),
        }
    }

    /// Whether a statement adds something that is the same for all lanes to the counter: it is made again where it is used, so that lanes see neighbours.
    fn is_place(&self, statement: &Statement) -> bool {
        let StatementKind::Let { var, ty: PrimType::I64, value: Exp::Bin(BinOp::Add | BinOp::Sub, _, x, y) } =
            &statement.kind
        else {
            return false;
        };
        let is_there = |exp: &Exp| *exp == Exp::Var(self.counter) || self.is_outside(exp);
        self.varying.has(*var) && is_there(x) && is_there(y)
    }

    /// Whether lanes may run the statement in order, after what comes before it in all of them.
    pub(super) fn may_be_in_order(&self, statement: &Statement, carried: &BTreeSet<Var>) -> bool {
        let mut may = is_straight(statement);
        for_each_statement(std::slice::from_ref(statement), &mut |inner| match &inner.kind {
            StatementKind::Write { view, .. } | StatementKind::Accumulate { view, .. } => {
                may &= self.is_own(*view);
            }
            // a variable that is there once for all lanes is nothing that each of them assigns
            StatementKind::Assign { var, .. } => may &= carried.contains(var) || self.varying.has(*var),
            _ => {}
        });
        may
    }

    fn is_own(&self, view: Var) -> bool {
        self.varying.block_of(view).is_some_and(|block| self.varying.own_blocks.contains(&block))
    }

    /// Notes an assertion that may hold in some lanes alone, or be one that not all of them come to. None if the iterations could not run again, as something was written.
    fn note_assertion(&mut self) -> Option<()> {
        self.fails = true;
        self.limited.extend(&self.whiles);
        (!self.writes).then_some(())
    }

    /// Assertions hold before the memory is touched that they are about.
    fn flush_assertions(&mut self, nodes: &mut Vec<Node<'s>>, pending: &mut Vec<&'s Statement>) {
        if pending.iter().any(|statement| matches!(statement.kind, StatementKind::Assert { .. })) {
            self.flush(nodes, pending);
        }
    }

    fn flush(&mut self, nodes: &mut Vec<Node<'s>>, pending: &mut Vec<&'s Statement>) {
        let is_made_again = |statement: &&Statement| {
            matches!(statement.kind, StatementKind::View { .. } | StatementKind::Window { .. })
                || self.is_made_again(statement)
        };
        if pending.iter().all(is_made_again) {
            // they are made again where they are used
            pending.clear();
        } else {
            nodes.push(self.segment(std::mem::take(pending), How::Together));
        }
    }

    pub(super) fn segment(&mut self, statements: Vec<&'s Statement>, how: How) -> Node<'s> {
        let (declared, used, assigned) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let mut segment = Segment { statements, how, declared, used, assigned };
        for statement in &segment.statements {
            for_each_statement(std::slice::from_ref(*statement), &mut |inner| {
                segment.declared.extend(inner.kind.declares());
                inner.kind.for_each_use(&mut |var| _ = segment.used.insert(var));
                if let StatementKind::Assign { var, .. } = &inner.kind {
                    segment.assigned.insert(*var);
                }
            });
        }
        self.segments.push(segment);
        Node::Lanes(self.segments.len() - 1)
    }
}

/// Whether a statement has no loops, and cannot fail.
fn is_straight(statement: &Statement) -> bool {
    let mut straight = true;
    for_each_statement(std::slice::from_ref(statement), &mut |inner| {
        inner.kind.for_each_exp(&mut |exp: &Exp| straight &= !can_fail(exp));
        straight &= matches!(
            inner.kind,
            StatementKind::Let { .. }
                | StatementKind::Declare { ty: ImpType::Prim(_), .. }
                | StatementKind::Assign { .. }
                | StatementKind::View { .. }
                | StatementKind::Window { .. }
                | StatementKind::Write { .. }
                | StatementKind::Accumulate { .. }
                | StatementKind::If { .. }
        );
    });
    straight
}
