//! The loops over lanes.

use super::Sizes;
use super::copies::even_step;
use super::plan::{How, Node, Plan, Segment};
use super::while_loops::has_assertions;
use fun_base::name::{Symbol, Var};
use fun_base::prim::{BinOp, PrimType, PrimValue};
use fun_index::lmad::{Expansion, Lmad, LmadDim};
use fun_index::poly::Poly;
use imp::build::{Builder, bin, read};
use imp::ir::{Exp, ImpType, LoopKind, Space, Statement, StatementKind};
use std::collections::BTreeMap;

const I64: PrimType = PrimType::I64;

/// Whether an assertion did not hold: in any of the lanes, as a variable, and in each of them, as cells of a view.
#[derive(Clone, Copy)]
pub(super) struct Failed {
    pub(super) any: Var,
    pub(super) in_lanes: Var,
}

/// The body for some lanes.
pub(super) struct Round<'p, 's> {
    pub(super) plan: &'p Plan<'s>,
    pub(super) sizes: Sizes,
    /// The iteration of the first lane, and how many lanes there are.
    first: Var,
    pub(super) width: Exp,
    /// Where lanes say so, if assertions may fail.
    pub(super) failed: Option<Failed>,
    /// Whether lanes keep scalars on the heap, as there may be many.
    pub(super) on_heap: bool,
    /// What variables are called in this copy of the body.
    names: BTreeMap<Var, Var>,
    /// Where lanes keep scalars between segments.
    pub(super) kept: BTreeMap<Var, Var>,
}

impl<'p, 's> Round<'p, 's> {
    pub(super) fn new(plan: &'p Plan<'s>, sizes: Sizes, first: Var, width: Exp) -> Round<'p, 's> {
        let (names, kept) = (BTreeMap::new(), BTreeMap::new());
        Round { plan, sizes, first, width, failed: None, on_heap: false, names, kept }
    }

    pub(super) fn build(&mut self, b: &mut Builder) {
        let mut blocks = Vec::new();
        for (var, crossing) in &self.plan.crossing {
            let name = var.text;
            let (block, view) = self.cells(name, crossing.cell(), b);
            self.kept.insert(*var, view);
            blocks.push(block);
        }
        self.nodes(&self.plan.nodes, b);
        blocks.into_iter().for_each(|block| b.push(StatementKind::Free(block)));
    }

    /// A cell for each lane.
    pub(super) fn cells(&self, name: Symbol, elem: PrimType, b: &mut Builder) -> (Var, Var) {
        let lanes = self.sizes.lanes();
        let (cells, number, space) = match self.on_heap {
            true => (self.width.clone(), self.lanes_there(), Space::Default),
            false => (Exp::i64(lanes), Poly::constant(lanes), Space::Stack),
        };
        let block = b.alloc(name, elem, vec![cells], space);
        let place = Lmad::row_major(Poly::constant(0), &[number]);
        (block, b.view(name, elem, block, place))
    }

    /// What follows an assertion that may hold in some lanes alone runs if it holds in all of them.
    fn nodes(&mut self, nodes: &[Node<'s>], b: &mut Builder) {
        for (at, node) in nodes.iter().enumerate() {
            self.node(node, b);
            let rest = &nodes[at + 1..];
            if let Some(failed) = self.failed.filter(|_| self.plan.may_fail(node) && !rest.is_empty()) {
                b.when(not_set(failed.any), |b| self.nodes(rest, b));
                return;
            }
        }
    }

    fn node(&mut self, node: &Node<'s>, b: &mut Builder) {
        match node {
            Node::Once(statement) => self.once(statement, b),
            Node::Lanes(at) => self.segment(&self.plan.segments[*at], b),
            Node::While(statement, parts) => {
                let outer = std::mem::replace(&mut b.loc, statement.loc);
                self.while_any(statement, parts, b);
                b.loc = outer;
            }
            Node::Copy(statement, sides) => {
                let outer = std::mem::replace(&mut b.loc, statement.loc);
                let [to, from] =
                    sides.each_ref().map(|side| side.view(&self.lanes_there(), &|var| self.now(var), b));
                b.copy(to, from);
                b.loc = outer;
            }
            Node::Loop(statement, inside) => {
                let StatementKind::For { var, ty, bound, kind, .. } = &statement.kind else { return };
                let counter = b.names.fresh_like(*var);
                self.names.insert(*var, counter);
                let bound = self.renamed(bound);
                let failed = self.failed.filter(|_| self.plan.may_fail(node));
                let (body, ()) = b.nested(|b| match failed {
                    Some(failed) => b.when(not_set(failed.any), |b| self.nodes(inside, b)),
                    None => self.nodes(inside, b),
                });
                let kind = if has_lanes(inside) { LoopKind::Seq } else { *kind };
                let kind = StatementKind::For { var: counter, ty: *ty, bound, kind, body };
                b.push_all(vec![Statement { kind, loc: statement.loc }]);
            }
            Node::Branch(statement, then, otherwise) => {
                let StatementKind::If { condition, .. } = &statement.kind else { return };
                let condition = self.renamed(condition);
                let (then, ()) = b.nested(|b| self.nodes(then, b));
                let (otherwise, ()) = b.nested(|b| self.nodes(otherwise, b));
                let kind = StatementKind::If { condition, then, otherwise };
                b.push_all(vec![Statement { kind, loc: statement.loc }]);
            }
        }
    }

    /// What a variable is in the iteration of the first lane, where it is the same for all but for the counter.
    fn now(&self, var: Var) -> Var {
        if var == self.plan.counter { self.first } else { self.names.get(&var).copied().unwrap_or(var) }
    }

    /// How many lanes there are, as a number.
    fn lanes_there(&self) -> Poly {
        match self.width {
            Exp::Var(width) => Poly::var(width),
            _ => Poly::constant(self.sizes.lanes()),
        }
    }

    fn renamed(&self, exp: &Exp) -> Exp {
        renamed(exp, &self.names)
    }

    fn once(&mut self, statement: &Statement, b: &mut Builder) {
        let mut statement = statement.clone();
        if let Some(var) = statement.kind.declares() {
            self.names.insert(var, b.names.fresh_like(var));
        }
        if let StatementKind::Alloc { shape, .. } = &mut statement.kind {
            shape.push(Exp::i64(self.sizes.lanes()));
        }
        statement.kind.rename(&mut |var| self.names.get(&var).copied().unwrap_or(var));
        b.push_all(vec![statement]);
    }

    fn segment(&self, segment: &Segment<'s>, b: &mut Builder) {
        let loc = segment.statements.first().and_then(|statement| statement.loc);
        let outer = std::mem::replace(&mut b.loc, loc);
        let kind = if segment.how == How::Together { LoopKind::Simd } else { LoopKind::Seq };
        let shown = self.shown(segment, b);
        b.for_("l", self.width.clone(), kind, |b, l| match segment.how {
            How::Going => self.in_going_lane(segment, l, &shown, None, b),
            _ => self.in_lane(segment, l, &shown, b),
        });
        if has_assertions(segment.statements.iter().copied()) {
            self.find_failed(b);
        }
        b.loc = outer;
    }

    /// Whether an assertion did not hold in any lane.
    pub(super) fn find_failed(&self, b: &mut Builder) {
        let Some(Failed { any, in_lanes }) = self.failed else { return };
        b.for_("l", self.width.clone(), LoopKind::Fold, |b, l| {
            b.assign(any, bin(BinOp::Or, PrimType::I32, any, read(in_lanes, vec![l.into()])));
        });
    }

    /// A segment in a lane.
    fn in_lane(&self, segment: &Segment<'s>, l: Var, shown: &BTreeMap<Var, Var>, b: &mut Builder) {
        let mut names = self.names_in_lane(segment, l, shown, b);
        self.rename_declared(segment, shown, &mut names, b);
        for statement in segment.statements.iter().filter(|statement| !is_shown(shown, statement)) {
            let statement = self.for_lane(statement, l, &names, shown);
            match (&statement.kind, self.failed) {
                (StatementKind::Assert { condition, .. }, Some(failed)) => {
                    let fails = Exp::Select(Box::new(condition.clone()), Box::new(zero()), Box::new(one()));
                    self.note_failure(failed, l, fails, b);
                }
                _ => b.push_all(vec![statement]),
            }
        }
        self.keep(segment, l, &names, b);
    }

    /// Sets the cell of a lane if a number is 1.
    pub(super) fn note_failure(&self, failed: Failed, l: Var, fails: Exp, b: &mut Builder) {
        let before = read(failed.in_lanes, vec![l.into()]);
        b.write(failed.in_lanes, vec![l.into()], bin(BinOp::Or, PrimType::I32, before, fails));
    }

    /// What a segment mentions from elsewhere, in a lane.
    pub(super) fn names_in_lane(
        &self,
        segment: &Segment<'s>,
        l: Var,
        shown: &BTreeMap<Var, Var>,
        b: &mut Builder,
    ) -> BTreeMap<Var, Var> {
        let mut names = self.names.clone();
        if segment.used.contains(&self.plan.counter) {
            names.insert(self.plan.counter, b.let_("i", I64, bin(BinOp::Add, I64, self.first, l)));
        }
        for (var, crossing) in &self.plan.crossing {
            if segment.used.contains(var) && !segment.declared.contains(var) {
                let kept = read(self.kept[var], vec![l.into()]);
                let kept = if crossing.ty == PrimType::Bool { to_bool(kept) } else { kept };
                let name = var.text;
                let new = match crossing.mutable {
                    true => b.declare(name, ImpType::Prim(crossing.ty), Some(kept)),
                    false => b.let_(name, crossing.ty, kept),
                };
                names.insert(*var, new);
            }
        }
        let elsewhere = |view: &&&Statement| {
            let var = view.kind.declares();
            var.is_some_and(|var| segment.used.contains(&var) && !segment.declared.contains(&var))
                && !is_shown(shown, view)
        };
        for statement in self.plan.views.iter().filter(elsewhere) {
            names.extend(statement.kind.declares().map(|var| (var, b.names.fresh_like(var))));
            b.push_all(vec![self.for_lane(statement, l, &names, shown)]);
        }
        names
    }

    /// Gives what a segment declares fresh names.
    pub(super) fn rename_declared(
        &self,
        segment: &Segment<'s>,
        shown: &BTreeMap<Var, Var>,
        names: &mut BTreeMap<Var, Var>,
        b: &mut Builder,
    ) {
        names.extend(segment.declared.iter().map(|var| (*var, b.names.fresh_like(*var))));
        names.extend(shown);
    }

    /// Keeps what other segments mention, in the cells of a lane.
    pub(super) fn keep(&self, segment: &Segment<'s>, l: Var, names: &BTreeMap<Var, Var>, b: &mut Builder) {
        let changed = |var: &Var| segment.declared.contains(var) || segment.assigned.contains(var);
        self.keep_those(changed, l, names, b);
    }

    /// Keeps what is there before a loop and assigned in it.
    pub(super) fn keep_assigned(
        &self,
        of_loop: &Segment<'s>,
        l: Var,
        names: &BTreeMap<Var, Var>,
        b: &mut Builder,
    ) {
        let changed = |var: &Var| of_loop.assigned.contains(var) && !of_loop.declared.contains(var);
        self.keep_those(changed, l, names, b);
    }

    fn keep_those(&self, which: impl Fn(&Var) -> bool, l: Var, names: &BTreeMap<Var, Var>, b: &mut Builder) {
        for (var, crossing) in self.plan.crossing.iter().filter(|(var, _)| which(var)) {
            let is_bool = crossing.ty == PrimType::Bool;
            let value = if is_bool { from_bool(names[var]) } else { names[var].into() };
            b.write(self.kept[var], vec![l.into()], value);
        }
    }

    /// Views that show the cells of all lanes, the lane as the last index: of blocks of iterations those that are the same for all but for the block, as machine
    /// code has vectors of these; of other blocks those that move on evenly, as C compilers make no vectors of cells whose place is computed in the loop.
    pub(super) fn shown(&self, segment: &Segment<'s>, b: &mut Builder) -> BTreeMap<Var, Var> {
        let mut shown = BTreeMap::new();
        for statement in &self.plan.views {
            let StatementKind::View { var, elem, mem, lmad } = &statement.kind else { continue };
            if self.plan.parted.contains(var) || !segment.used.contains(var) {
                continue;
            }
            let cells = if self.plan.varying.own_blocks.contains(mem) {
                self.cells_of_own(lmad)
            } else {
                self.cells_apart(lmad).filter(|_| !self.plan.varying.has(*mem))
            };
            if let Some(cells) = cells {
                let cells = cells.subst(&mut |var| Poly::var(self.now(var)));
                shown.insert(*var, b.view(var.text, *elem, self.now(*mem), cells));
            }
        }
        shown
    }

    /// The cells of all lanes in a block that each iteration has for itself.
    fn cells_of_own(&self, lmad: &Lmad) -> Option<Lmad> {
        let mut same = true;
        lmad.for_each_var(&mut |var| same &= !self.plan.varying.has(var));
        let (thread, threads) = (Poly::constant(0), Poly::constant(self.sizes.lanes()));
        let mut cells = lmad.expand(&Expansion::Interleaved { thread, threads: threads.clone() });
        cells.dims.push(LmadDim { size: threads, stride: Poly::constant(1) });
        same.then_some(cells)
    }

    /// The cells of all lanes in a block of others, where those of each are equally far from those of the one before.
    fn cells_apart(&self, lmad: &Lmad) -> Option<Lmad> {
        let mut cells = lmad.clone();
        for statement in self.plan.views.iter().rev() {
            if let StatementKind::Let { var, value: Exp::Bin(op, _, x, y), .. } = &statement.kind
                && let (Some(x), Some(y)) = (number(x), number(y))
            {
                let place = match op {
                    BinOp::Add => x.add(&y),
                    BinOp::Sub => x.sub(&y),
                    _ => continue,
                };
                cells.offset = cells
                    .offset
                    .subst(&mut |other| if other == *var { place.clone() } else { Poly::var(other) });
            }
        }
        let step = even_step(&cells, self.plan.counter, &self.plan.varying)?;
        cells.dims.push(LmadDim { size: self.lanes_there(), stride: step });
        Some(cells)
    }

    /// A statement in a lane.
    pub(super) fn for_lane(
        &self,
        statement: &Statement,
        lane: Var,
        names: &BTreeMap<Var, Var>,
        shown: &BTreeMap<Var, Var>,
    ) -> Statement {
        let mut statement = statement.clone();
        self.expand(&mut statement, lane);
        add_index(&mut statement, lane, shown);
        statement.kind.rename(&mut |var| names.get(&var).copied().unwrap_or(var));
        statement
    }

    /// Views of blocks that each iteration has for itself show the cells of a lane.
    fn expand(&self, statement: &mut Statement, lane: Var) {
        if let StatementKind::View { mem, lmad, .. } = &mut statement.kind
            && self.plan.varying.own_blocks.contains(mem)
        {
            let (thread, threads) = (Poly::var(lane), Poly::constant(self.sizes.lanes()));
            *lmad = lmad.expand(&Expansion::Interleaved { thread, threads });
        }
        let inside =
            &mut |body: &mut Vec<Statement>| body.iter_mut().for_each(|inner| self.expand(inner, lane));
        statement.kind.for_each_body_mut(inside);
    }
}

/// An operand as a number.
fn number(exp: &Exp) -> Option<Poly> {
    match exp {
        Exp::Var(var) => Some(Poly::var(*var)),
        Exp::Const(value) => value.as_i64().map(Poly::constant),
        _ => None,
    }
}

/// Whether a statement declares one of the views that show the cells of all lanes.
pub(super) fn is_shown(shown: &BTreeMap<Var, Var>, statement: &Statement) -> bool {
    statement.kind.declares().is_some_and(|var| shown.contains_key(&var))
}

/// What is accessed of views that show the cells of all lanes is that of one.
fn add_index(statement: &mut Statement, lane: Var, shown: &BTreeMap<Var, Var>) {
    fn in_exp(exp: &mut Exp, lane: Var, shown: &BTreeMap<Var, Var>) {
        if let Exp::Read { view, indices } = exp
            && shown.contains_key(view)
        {
            indices.push(lane.into());
        }
        exp.for_each_child_mut(&mut |child| in_exp(child, lane, shown));
    }
    statement.kind.for_each_exp_mut(&mut |exp| in_exp(exp, lane, shown));
    if let StatementKind::Write { view, indices, .. } | StatementKind::Accumulate { view, indices, .. } =
        &mut statement.kind
        && shown.contains_key(view)
    {
        indices.push(lane.into());
    }
    let inside =
        &mut |body: &mut Vec<Statement>| body.iter_mut().for_each(|inner| add_index(inner, lane, shown));
    statement.kind.for_each_body_mut(inside);
}

pub(super) fn zero() -> Exp {
    Exp::Const(PrimValue::I32(0))
}

pub(super) fn one() -> Exp {
    Exp::Const(PrimValue::I32(1))
}

/// A bool as it is kept.
pub(super) fn from_bool(value: Var) -> Exp {
    Exp::Select(Box::new(value.into()), Box::new(one()), Box::new(zero()))
}

/// A bool that was kept.
pub(super) fn to_bool(kept: impl Into<Exp>) -> Exp {
    bin(BinOp::Ne, PrimType::I32, kept, zero())
}

/// Whether a bool that was kept does not hold.
fn not_set(kept: Var) -> Exp {
    bin(BinOp::Eq, PrimType::I32, kept, zero())
}

fn has_lanes(nodes: &[Node<'_>]) -> bool {
    nodes.iter().any(|node| match node {
        Node::Once(_) => false,
        Node::Lanes(_) | Node::While(..) | Node::Copy(..) => true,
        Node::Loop(_, body) => has_lanes(body),
        Node::Branch(_, then, otherwise) => has_lanes(then) || has_lanes(otherwise),
    })
}

/// An expression whose variables have other names.
pub(super) fn renamed(exp: &Exp, names: &BTreeMap<Var, Var>) -> Exp {
    let mut exp = exp.clone();
    exp.rename(&mut |var| names.get(&var).copied().unwrap_or(var));
    exp
}
