//! The body of a loop, cut into what runs once for all lanes and segments that each lane runs.

use super::Sizes;
use super::copies::Side;
use super::planning::Planning;
use super::varying::Varying;
use super::while_loops::has_assertions;
use crate::imp::copy::declared_in;
use crate::imp::fuse_loops::access::Places;
use fun_base::name::Var;
use fun_base::prim::PrimType;
use imp::ir::{Exp, ImpType, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

/// The most statements of a loop that is taken.
const MOST_STATEMENTS: usize = 400;
/// How much of the stack the lanes of a loop may take (less than `stack-blocks` allows in a procedure).
const MOST_BYTES: i64 = 8 << 10;

/// How a loop is spread.
pub(super) struct Plan<'s> {
    pub(super) counter: Var,
    pub(super) nodes: Vec<Node<'s>>,
    pub(super) segments: Vec<Segment<'s>>,
    /// Scalars that several segments mention.
    pub(super) crossing: BTreeMap<Var, Crossing>,
    /// Views that differ between iterations, in order; places, which are the counter but for what is the same for all; and elements of arrays that nothing changes, side by side. They are
    /// made again where they are used.
    pub(super) views: Vec<&'s Statement>,
    /// Those that windows are parts of.
    pub(super) parted: BTreeSet<Var>,
    /// The sizes of blocks of the heap that each iteration has, known before the loop.
    pub(super) blocks: Vec<&'s [Exp]>,
    /// A length that is to be at least so much.
    pub(super) least: Option<(Exp, i64)>,
    /// Whether an assertion may hold in some lanes and not in others: nothing but what lanes keep is written before the last of these, so that the iterations can
    /// run again in order.
    pub(super) fails: bool,
    /// Of the loops that lanes leave at different times, those with assertions behind them, by their first segments: nothing was written before these that others see.
    pub(super) limited: BTreeSet<usize>,
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

impl<'s> Segment<'s> {
    /// What a lane does in several of them, one after the other.
    pub(super) fn of_all<'p>(parts: impl Iterator<Item = &'p Segment<'s>>) -> Segment<'s>
    where
        's: 'p,
    {
        let (declared, used, assigned) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let mut all = Segment { statements: Vec::new(), how: How::InOrder, declared, used, assigned };
        for part in parts {
            all.statements.extend(&part.statements);
            all.declared.extend(&part.declared);
            all.used.extend(&part.used);
            all.assigned.extend(&part.assigned);
        }
        all
    }
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
            asserts: has_assertions(body),
            fails: false,
            writes: false,
            whiles: BTreeSet::new(),
            limited: BTreeSet::new(),
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
        let Planning { segments, views, bytes, blocks, fails, limited, .. } = planning;
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
            least: None,
            fails,
            limited,
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

    /// Whether lanes may have to run again in order behind a node.
    pub(super) fn may_fail(&self, node: &Node<'s>) -> bool {
        let in_segment = |at: &usize| has_assertions(self.segments[*at].statements.iter().copied());
        match node {
            Node::Once(_) | Node::Copy(..) => false,
            Node::Lanes(at) => in_segment(at),
            Node::While(_, parts) => self.is_limited(parts) || parts.iter().any(in_segment),
            Node::Loop(_, body) => body.iter().any(|node| self.may_fail(node)),
            Node::Branch(_, then, otherwise) => then.iter().chain(otherwise).any(|node| self.may_fail(node)),
        }
    }

    /// Whether a loop of these segments is given up if it takes very long.
    pub(super) fn is_limited(&self, parts: &[usize]) -> bool {
        parts.first().is_some_and(|first| self.limited.contains(first))
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
            let again = self.views.iter().any(|place| place.kind.declares() == Some(*var));
            if home.is_some() && !again && self.segments.iter().enumerate().any(elsewhere) {
                self.crossing.insert(*var, Crossing { ty: *ty, mutable: mutable.contains(var) });
            }
        });
    }
}
