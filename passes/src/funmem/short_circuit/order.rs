//! Another order of the statements between an array's first write and its circuit point.
//!
//! ```text
//! let (b: [m]f32 @ b_mem -> …) = kernel (i < m) { … }
//! let (xs: [n][m]f32 @ xs_mem -> …) = replicate [n][m] 0f32
//! let (ys: [n][m]f32 @ xs_mem -> …) = update xs[k, 0 : m : 1] b
//! ```
//! The destination is filled after `b` was made, so `b` can't be built in it. But nothing keeps it from being filled before: what `b` is
//! made by, and what depends on that, may come after all else. That it may is seen from blocks: none of what moves up writes to a block
//! that what it overtakes accesses, or the other way round; and what moves down can't stop the program, so no message comes in another
//! order. Scalars move by their uses alone.

use super::Circuits;
use super::candidate::{Circuit, Mentions};
use fun::ir::{Atom, BinderType};
use fun::visit::{Walk, walk_statement};
use fun_base::name::Var;
use funmem::ir::{Body, Exp, Mem, MemType, Statement};
use std::collections::BTreeSet;
use std::ops::Range;

/// The most statements that are put in another order.
const WINDOW: usize = 256;

impl Circuits<'_> {
    /// Builds the value at its target after the statements that don't depend on its block have moved before its first write, if they
    /// may; then its range is the one given but for these. Nothing has changed otherwise.
    pub(super) fn build_in_other_order(
        &mut self,
        body: &mut Body,
        own: Var,
        range: Range<usize>,
        circuit: &Circuit,
    ) -> Option<()> {
        let (first, end) = (range.start, circuit.end);
        let met = self.met.take();
        let order = self.other_order(&body.statements[first..end], own);
        let done = order.and_then(|(up, order)| {
            let before: Vec<Statement> = body.statements[first..end].to_vec();
            let moved = order.iter().map(|at| before[*at].clone());
            body.statements.splice(first..end, moved.collect::<Vec<_>>());
            let built = self.build(body, first + up..range.end, circuit);
            if built.is_err() {
                body.statements.splice(first..end, before);
            }
            built.ok().map(|()| self.reordered = Some(first))
        });
        self.met = met;
        done
    }

    /// How many statements move up, and the places of all in their new order.
    fn other_order(&self, window: &[Statement], own: Var) -> Option<(usize, Vec<usize>)> {
        if window.len() > WINDOW {
            return None;
        }
        // What stays behind, with its effects and binders.
        let (mut down, mut bound): (Vec<(usize, Effects)>, BTreeSet<Var>) = Default::default();
        let mut up = Vec::new();
        for (at, statement) in window.iter().enumerate() {
            let mut mentions = Mentions::default();
            mentions.statement(statement);
            let mut depends = mentions.uses.keys().any(|var| bound.contains(var));
            // (sizes and places in types are variables too)
            let mut named = Named { bound: &bound, found: false };
            Walk::<Mem>::statement(&mut named, statement);
            depends |= named.found;
            let effects = self.effects(statement)?;
            if depends || effects.writes.contains(&own) || effects.reads.contains(&own) {
                if self.interfaces.may_stop(statement) {
                    return None;
                }
                bound.extend(mentions.bound);
                down.push((at, effects));
            } else if down.iter().any(|(_, other)| self.conflict(&effects, other)) {
                return None;
            } else {
                up.push(at);
            }
        }
        let count = up.len();
        let moves = up.iter().any(|at| down.first().is_some_and(|(first, _)| at > first));
        up.extend(down.into_iter().map(|(at, _)| at));
        moves.then_some((count, up))
    }

    /// Whether one writes what the other one accesses.
    fn conflict(&self, left: &Effects, right: &Effects) -> bool {
        let meet = |some: &BTreeSet<Var>, others: &BTreeSet<Var>| {
            some.iter().any(|one| others.iter().any(|other| self.blocks.may_be_same(*one, *other)))
        };
        meet(&left.writes, &right.writes)
            || meet(&left.writes, &right.reads)
            || meet(&left.reads, &right.writes)
    }

    /// The blocks that a statement accesses; `None` if they are not known.
    fn effects(&self, statement: &Statement) -> Option<Effects> {
        let mut collector = Collector { circuits: self, effects: Effects::default(), unknown: false };
        collector.statement(statement);
        (!collector.unknown).then_some(collector.effects)
    }
}

/// The blocks that a statement accesses.
#[derive(Default)]
struct Effects {
    reads: BTreeSet<Var>,
    writes: BTreeSet<Var>,
}

struct Collector<'c, 'b> {
    circuits: &'c Circuits<'b>,
    effects: Effects,
    unknown: bool,
}

impl Walk<Mem> for Collector<'_, '_> {
    fn ty(&mut self, _: &MemType) {}

    fn atom(&mut self, atom: &Atom) {
        // Only what is named is read.
        if let Some(MemType::Array { mem, .. }) = atom.as_var().and_then(|var| self.circuits.types.get(&var))
        {
            self.effects.reads.insert(*mem);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        self.unknown |= matches!(statement.exp, Exp::Call { .. });
        let is_view = matches!(
            statement.exp,
            Exp::Slice { .. }
                | Exp::Permute { .. }
                | Exp::Reverse { .. }
                | Exp::Reshape { .. }
                | Exp::Atom(_)
        );
        if is_view {
            // No cell is read, but what has been consumed may not even be named (F5).
            return walk_statement(self, statement);
        }
        let written = statement.pattern.iter().filter_map(|binder| match &binder.ty {
            MemType::Array { mem, .. } => Some(*mem),
            MemType::Prim(_) | MemType::Mem(_) => None,
        });
        self.effects.writes.extend(written);
        walk_statement(self, statement);
    }
}

/// Whether any of these variables is named, in types too.
struct Named<'b> {
    bound: &'b BTreeSet<Var>,
    found: bool,
}

impl Walk<Mem> for Named<'_> {
    fn atom(&mut self, atom: &Atom) {
        self.found |= atom.as_var().is_some_and(|var| self.bound.contains(&var));
    }
    fn ty(&mut self, ty: &MemType) {
        ty.for_each_var(&mut |var| self.found |= self.bound.contains(&var));
    }
}
