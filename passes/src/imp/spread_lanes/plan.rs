//! The body of a loop, cut into what runs once for all lanes and segments that each lane runs.

use super::Sizes;
use super::copies::{self, Side};
use super::varying::Varying;
use super::while_loops::{self, has_assertions};
use crate::imp::copy::{can_fail, declared_in};
use crate::imp::fuse_loops::access::Places;
use fun_base::name::Var;
use fun_base::prim::PrimType;
use imp::ir::{Exp, ImpType, STACK_BLOCK_BYTES, Space, Statement, StatementKind, constant_bytes};
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

/// The most statements of a loop that is taken.
const MOST_STATEMENTS: usize = 400;
/// How much of the stack the lanes of a loop may take (less than `stack-blocks` allows in a procedure).
const MOST_BYTES: i64 = 8 << 10;

/// The most factors of the size of a block that lanes get, so that their product is a number.
const MOST_FACTORS: usize = 4;

/// How a loop is spread.
pub(super) struct Plan<'s> {
    pub(super) counter: Var,
    pub(super) nodes: Vec<Node<'s>>,
    pub(super) segments: Vec<Segment<'s>>,
    /// Scalars that several segments mention.
    pub(super) crossing: BTreeMap<Var, Crossing>,
    /// Views that differ between iterations, in order.
    pub(super) views: Vec<&'s Statement>,
    /// Those that windows are parts of.
    pub(super) parted: BTreeSet<Var>,
    /// The sizes of blocks of the heap that each iteration has, known before the loop.
    pub(super) blocks: Vec<&'s [Exp]>,
    /// Whether iterations have blocks for rows.
    pub(super) rows: bool,
    /// A length that is to be at least so much.
    pub(super) least: Option<(Exp, i64)>,
    /// Whether an assertion may hold in some lanes and not in others: nothing but what lanes keep is written before the last of these, so that the iterations can
    /// run again in order.
    pub(super) fails: bool,
    /// Whether there are assertions behind loops that lanes leave at different times.
    pub(super) may_fail_behind_while: bool,
    pub(super) varying: Varying<'s>,
}

/// Part of a body.
pub(super) enum Node<'s> {
    /// The same for all lanes.
    Once(&'s Statement),
    /// A segment, by its number.
    Lanes(usize),
    /// A copy of all lanes, to one side from the other.
    Copy(&'s Statement, Box<[Side; 2]>),
    /// A loop that runs equally often for all lanes.
    Loop(&'s Statement, Vec<Node<'s>>),
    /// A loop that lanes leave at different times: the segments of its body, in order.
    While(&'s Statement, Vec<usize>),
    /// A branch that all lanes take.
    Branch(&'s Statement, Vec<Node<'s>>, Vec<Node<'s>>),
}

/// How lanes run a segment.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// At the same time.
    Together,
    /// One after the other.
    InOrder,
    /// One after the other, those alone that are not done with the `while` loop around; what follows an assertion, in those for which it holds.
    Going,
}

/// What a lane does before the next one does.
pub(super) struct Segment<'s> {
    pub(super) statements: Vec<&'s Statement>,
    pub(super) how: How,
    /// What it declares, mentions from elsewhere, and assigns.
    pub(super) declared: BTreeSet<Var>,
    pub(super) used: BTreeSet<Var>,
    pub(super) assigned: BTreeSet<Var>,
}

/// A scalar that several segments mention.
#[derive(Clone, Copy)]
pub(super) struct Crossing {
    pub(super) ty: PrimType,
    /// Whether it is assigned.
    pub(super) mutable: bool,
}

impl Crossing {
    /// The type of the cells that it is kept in: GCC makes no vectors of bools in memory beside numbers.
    pub(super) fn cell(self) -> PrimType {
        if self.ty == PrimType::Bool { PrimType::I32 } else { self.ty }
    }
}

impl<'s> Plan<'s> {
    /// How to spread a loop, if that is legal.
    pub(super) fn of(
        counter: Var,
        parallel: bool,
        body: &'s [Statement],
        sizes: Sizes,
        places: &'s Places,
    ) -> Option<Plan<'s>> {
        let mut count = 0;
        let (mut assigned, mut mutable) = (BTreeSet::new(), BTreeSet::new());
        let mut declared = declared_in(body);
        declared.insert(counter);
        for_each_statement(body, &mut |statement| {
            count += 1;
            if let StatementKind::Assign { var, .. } = &statement.kind {
                assigned.insert(*var);
            }
            if let StatementKind::Declare { var, .. } = &statement.kind {
                mutable.insert(*var);
            }
        });
        let carried: BTreeSet<Var> = assigned.difference(&declared).copied().collect();
        let mentions = |statement: &Statement| {
            let mut found = false;
            for_each_statement(std::slice::from_ref(statement), &mut |inner| {
                inner.kind.for_each_use(&mut |var| found |= carried.contains(&var));
            });
            found
        };
        let tail = body.iter().position(mentions).unwrap_or(body.len());
        if count > MOST_STATEMENTS || (parallel && !carried.is_empty()) {
            return None;
        }
        let varying = Varying::of(counter, body, places);
        let mut planning = Planning {
            counter,
            places,
            parallel,
            lanes: sizes.lanes(),
            bytes: 0,
            width_of: BTreeMap::new(),
            declared: &declared,
            mutable: &mutable,
            blocks: Vec::new(),
            varying: &varying,
            segments: Vec::new(),
            views: Vec::new(),
            fails: false,
            writes: false,
            whiles: false,
            may_fail_behind_while: false,
        };
        let mut nodes = planning.nodes(&body[..tail])?;
        let is_free = |statement: &&Statement| matches!(statement.kind, StatementKind::Free(_));
        let (freed, rest): (Vec<_>, Vec<_>) = body[tail..].iter().partition(is_free);
        if !rest.is_empty() {
            if !rest.iter().all(|statement| planning.may_be_in_order(statement, &carried)) {
                return None;
            }
            nodes.push(planning.segment(rest, How::InOrder));
        }
        nodes.extend(planning.nodes_of(freed.into_iter())?);
        let Planning { segments, views, bytes, blocks, fails, may_fail_behind_while, .. } = planning;
        if fails && !varying.own_blocks.is_empty() {
            return None;
        }
        let mut parted = BTreeSet::new();
        for_each_statement(body, &mut |statement| {
            if let StatementKind::Window { view, .. } = &statement.kind {
                parted.insert(*view);
            }
        });
        let mut plan = Plan {
            counter,
            nodes,
            segments,
            crossing: BTreeMap::new(),
            views,
            parted,
            blocks,
            rows: false,
            least: None,
            fails,
            may_fail_behind_while,
            varying,
        };
        plan.find_crossing(body, &mutable);
        let failed = if fails { i64::from(PrimType::I32.bytes()) * sizes.lanes() } else { 0 };
        let lanes: i64 =
            plan.crossing.values().map(|scalar| i64::from(scalar.cell().bytes()) * sizes.lanes()).sum();
        // (no block has cells of units)
        let has_cells = plan.crossing.values().all(|scalar| scalar.ty != PrimType::Unit);
        (has_cells && bytes + failed + lanes <= MOST_BYTES).then_some(plan)
    }

    /// Whether assertions inside may hold in some lanes and not in others.
    pub(super) fn may_fail(&self, node: &Node<'s>) -> bool {
        let in_segment = |at: &usize| has_assertions(self.segments[*at].statements.iter().copied());
        match node {
            Node::Once(_) | Node::Copy(..) => false,
            Node::Lanes(at) => in_segment(at),
            Node::While(_, parts) => parts.iter().any(in_segment),
            Node::Loop(_, body) => body.iter().any(|node| self.may_fail(node)),
            Node::Branch(_, then, otherwise) => then.iter().chain(otherwise).any(|node| self.may_fail(node)),
        }
    }

    fn find_crossing(&mut self, body: &[Statement], mutable: &BTreeSet<Var>) {
        // who mentions a view mentions what it is made of
        for segment in &mut self.segments {
            for view in self.views.iter().rev() {
                let Some(var) = view.kind.declares() else { continue };
                if segment.used.contains(&var) && !segment.declared.contains(&var) {
                    view.kind.for_each_use(&mut |used| _ = segment.used.insert(used));
                }
            }
        }
        for_each_statement(body, &mut |statement| {
            let (StatementKind::Let { var, ty, .. }
            | StatementKind::Declare { var, ty: ImpType::Prim(ty), .. }) = &statement.kind
            else {
                return;
            };
            let home = self.segments.iter().position(|segment| segment.declared.contains(var));
            let elsewhere =
                |(at, segment): (usize, &Segment<'_>)| Some(at) != home && segment.used.contains(var);
            if home.is_some() && self.segments.iter().enumerate().any(elsewhere) {
                self.crossing.insert(*var, Crossing { ty: *ty, mutable: mutable.contains(var) });
            }
        });
    }
}

struct Planning<'a, 's> {
    counter: Var,
    places: &'s Places,
    parallel: bool,
    lanes: i64,
    /// What the blocks of lanes take.
    bytes: i64,
    /// The widths of the cells of blocks of lanes, in bytes.
    width_of: BTreeMap<Var, u32>,
    declared: &'a BTreeSet<Var>,
    mutable: &'a BTreeSet<Var>,
    blocks: Vec<&'s [Exp]>,
    varying: &'a Varying<'s>,
    segments: Vec<Segment<'s>>,
    views: Vec<&'s Statement>,
    /// Whether an assertion may hold in some lanes alone, and whether lanes write what others see.
    fails: bool,
    writes: bool,
    /// Whether there was a loop that lanes leave at different times, and an assertion behind one.
    whiles: bool,
    may_fail_behind_while: bool,
}

impl<'s> Planning<'_, 's> {
    fn nodes(&mut self, list: &'s [Statement]) -> Option<Vec<Node<'s>>> {
        self.nodes_of(list.iter())
    }

    /// The nodes of statements, if they can be spread.
    fn nodes_of(&mut self, list: impl Iterator<Item = &'s Statement>) -> Option<Vec<Node<'s>>> {
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
                    if self.whiles && matches!(statement.kind, StatementKind::Assert { .. }) {
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
                    let fails_outside = std::mem::take(&mut self.fails);
                    let body = self.nodes(body)?;
                    // the next iteration asserts behind what this one does
                    if self.fails {
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
                    self.whiles = true;
                    // a number for each lane says whether it goes on
                    self.bytes += self.lanes * i64::from(PrimType::I32.bytes());
                    let first = self.segments.len();
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
        may
    }

    /// Whether lanes may run the statement in order, after what comes before it in all of them.
    fn may_be_in_order(&self, statement: &Statement, carried: &BTreeSet<Var>) -> bool {
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
        self.may_fail_behind_while |= self.whiles;
        (!self.writes).then_some(())
    }

    /// Assertions hold before the memory is touched that they are about.
    fn flush_assertions(&mut self, nodes: &mut Vec<Node<'s>>, pending: &mut Vec<&'s Statement>) {
        if pending.iter().any(|statement| matches!(statement.kind, StatementKind::Assert { .. })) {
            self.flush(nodes, pending);
        }
    }

    fn flush(&mut self, nodes: &mut Vec<Node<'s>>, pending: &mut Vec<&'s Statement>) {
        let is_view = |statement: &&Statement| {
            matches!(statement.kind, StatementKind::View { .. } | StatementKind::Window { .. })
        };
        if pending.iter().all(is_view) {
            // they are made again where they are used
            pending.clear();
        } else {
            nodes.push(self.segment(std::mem::take(pending), How::Together));
        }
    }

    fn segment(&mut self, statements: Vec<&'s Statement>, how: How) -> Node<'s> {
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
