//! The loops over lanes.

use super::Sizes;
use super::plan::{Node, Plan, Segment};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use fun_index::lmad::{Expansion, Lmad};
use fun_index::poly::Poly;
use imp::build::{Builder, bin, read};
use imp::ir::{Exp, ImpType, LoopKind, Space, Statement, StatementKind};
use std::collections::BTreeMap;

const I64: PrimType = PrimType::I64;

/// Whether a loop has enough iterations.
pub(super) fn enough(bound: &Exp, sizes: Sizes) -> Exp {
    bin(BinOp::Le, I64, Exp::i64(sizes.least), bound.clone())
}

/// The loop over rounds of lanes.
pub(super) fn rounds(plan: &Plan<'_>, bound: &Exp, kind: LoopKind, sizes: Sizes, b: &mut Builder) {
    let lanes = 1i64 << sizes.log_lanes;
    let filled = bin(BinOp::Add, I64, bound.clone(), Exp::i64(lanes - 1));
    let rounds = b.let_("rounds", I64, bin(BinOp::Shr, I64, filled, Exp::i64(sizes.log_lanes)));
    let kind = if kind.is_parallel() { kind } else { LoopKind::Seq };
    b.for_("r", rounds, kind, |b, r| {
        let first = b.let_("first", I64, bin(BinOp::Mul, I64, r, Exp::i64(lanes)));
        let left = bin(BinOp::Sub, I64, bound.clone(), first);
        let width = b.let_("width", I64, bin(BinOp::Min, I64, Exp::i64(lanes), left));
        let (then, ()) = b.nested(|b| Round::new(plan, first, Exp::i64(lanes), lanes).build(b));
        let (otherwise, ()) = b.nested(|b| Round::new(plan, first, width.into(), lanes).build(b));
        let condition = bin(BinOp::Eq, I64, width, Exp::i64(lanes));
        b.push(StatementKind::If { condition, then, otherwise });
    });
}

/// The body for some lanes.
struct Round<'p, 's> {
    plan: &'p Plan<'s>,
    /// The iteration of the first lane, and how many lanes there are, of at most `most`.
    first: Var,
    width: Exp,
    most: i64,
    /// What variables are called in this copy of the body.
    names: BTreeMap<Var, Var>,
    /// Where lanes keep scalars between segments.
    kept: BTreeMap<Var, Var>,
}

impl<'p, 's> Round<'p, 's> {
    fn new(plan: &'p Plan<'s>, first: Var, width: Exp, most: i64) -> Round<'p, 's> {
        Round { plan, first, width, most, names: BTreeMap::new(), kept: BTreeMap::new() }
    }

    fn build(&mut self, b: &mut Builder) {
        let mut blocks = Vec::new();
        for (var, crossing) in &self.plan.crossing {
            let name = var.text;
            let block = b.alloc(name, crossing.ty, vec![Exp::i64(self.most)], Space::Stack);
            let place = Lmad::row_major(Poly::constant(0), &[Poly::constant(self.most)]);
            self.kept.insert(*var, b.view(name, crossing.ty, block, place));
            blocks.push(block);
        }
        self.nodes(&self.plan.nodes, b);
        blocks.into_iter().for_each(|block| b.push(StatementKind::Free(block)));
    }

    fn nodes(&mut self, nodes: &[Node<'s>], b: &mut Builder) {
        for node in nodes {
            match node {
                Node::Once(statement) => self.once(statement, b),
                Node::Lanes(at) => self.segment(&self.plan.segments[*at], b),
                Node::Loop(statement, inside) => {
                    let StatementKind::For { var, ty, bound, kind, .. } = &statement.kind else { continue };
                    let counter = b.names.fresh_like(*var);
                    self.names.insert(*var, counter);
                    let bound = self.renamed(bound);
                    let (body, ()) = b.nested(|b| self.nodes(inside, b));
                    let kind = if has_lanes(inside) { LoopKind::Seq } else { *kind };
                    let kind = StatementKind::For { var: counter, ty: *ty, bound, kind, body };
                    b.push_all(vec![Statement { kind, loc: statement.loc }]);
                }
                Node::Branch(statement, then, otherwise) => {
                    let StatementKind::If { condition, .. } = &statement.kind else { continue };
                    let condition = self.renamed(condition);
                    let (then, ()) = b.nested(|b| self.nodes(then, b));
                    let (otherwise, ()) = b.nested(|b| self.nodes(otherwise, b));
                    let kind = StatementKind::If { condition, then, otherwise };
                    b.push_all(vec![Statement { kind, loc: statement.loc }]);
                }
            }
        }
    }

    fn renamed(&self, exp: &Exp) -> Exp {
        let mut exp = exp.clone();
        exp.rename(&mut |var| self.names.get(&var).copied().unwrap_or(var));
        exp
    }

    fn once(&mut self, statement: &Statement, b: &mut Builder) {
        let mut statement = statement.clone();
        if let Some(var) = statement.kind.declares() {
            self.names.insert(var, b.names.fresh_like(var));
        }
        if let StatementKind::Alloc { shape, .. } = &mut statement.kind {
            shape.push(Exp::i64(self.most));
        }
        statement.kind.rename(&mut |var| self.names.get(&var).copied().unwrap_or(var));
        b.push_all(vec![statement]);
    }

    fn segment(&self, segment: &Segment<'s>, b: &mut Builder) {
        let loc = segment.statements.first().and_then(|statement| statement.loc);
        let outer = std::mem::replace(&mut b.loc, loc);
        let kind = if segment.in_order { LoopKind::Seq } else { LoopKind::Simd };
        b.for_("l", self.width.clone(), kind, |b, l| {
            let mut names = self.names.clone();
            if segment.used.contains(&self.plan.counter) {
                names.insert(self.plan.counter, b.let_("i", I64, bin(BinOp::Add, I64, self.first, l)));
            }
            for (var, crossing) in &self.plan.crossing {
                if segment.used.contains(var) && !segment.declared.contains(var) {
                    let kept = read(self.kept[var], vec![l.into()]);
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
            };
            for statement in self.plan.views.iter().filter(elsewhere) {
                names.extend(statement.kind.declares().map(|var| (var, b.names.fresh_like(var))));
                b.push_all(vec![self.in_lane(statement, l, &names)]);
            }
            names.extend(segment.declared.iter().map(|var| (*var, b.names.fresh_like(*var))));
            for statement in &segment.statements {
                b.push_all(vec![self.in_lane(statement, l, &names)]);
            }
            for var in self.plan.crossing.keys() {
                if segment.declared.contains(var) || segment.assigned.contains(var) {
                    b.write(self.kept[var], vec![l.into()], names[var]);
                }
            }
        });
        b.loc = outer;
    }

    fn in_lane(&self, statement: &Statement, lane: Var, names: &BTreeMap<Var, Var>) -> Statement {
        let mut statement = statement.clone();
        self.expand(&mut statement, lane);
        statement.kind.rename(&mut |var| names.get(&var).copied().unwrap_or(var));
        statement
    }

    /// Views of blocks that each iteration has for itself show the cells of a lane.
    fn expand(&self, statement: &mut Statement, lane: Var) {
        if let StatementKind::View { mem, lmad, .. } = &mut statement.kind
            && self.plan.varying.own_blocks.contains(mem)
        {
            let (thread, threads) = (Poly::var(lane), Poly::constant(self.most));
            *lmad = lmad.expand(&Expansion::Interleaved { thread, threads });
        }
        let inside = &mut |body: &mut Vec<Statement>| body.iter_mut().for_each(|inner| self.expand(inner, lane));
        statement.kind.for_each_body_mut(inside);
    }
}

fn has_lanes(nodes: &[Node<'_>]) -> bool {
    nodes.iter().any(|node| match node {
        Node::Once(_) => false,
        Node::Lanes(_) => true,
        Node::Loop(_, body) => has_lanes(body),
        Node::Branch(_, then, otherwise) => has_lanes(then) || has_lanes(otherwise),
    })
}
