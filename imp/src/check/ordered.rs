//! What the blocks of a `chain` loop do one after the other (I14).

use super::Checker;
use crate::ir::{Exp, LoopKind, Procedure, Statement, StatementKind};
use crate::ordered::{Ordered, SharedView, may_stand, shared_views};
use crate::visit::for_each_statement;
use fun_base::name::Var;
use fun_base::prim::PrimType;
use std::collections::{BTreeMap, BTreeSet};

impl Checker {
    /// A region.
    pub(super) fn ordered(&mut self, words: Var, body: &[Statement]) {
        // (of others the check of the loop says where they stand)
        if !self.in_chain {
            self.error("I14: an `ordered` region that is no statement of a block of a chain loop".to_owned());
        }
        if self.view(words).is_some_and(|found| found != (PrimType::I64, 2)) {
            self.error(format!("I14: `{words}` is no view of words: i64 in two dimensions"));
        }
        self.not_own(words, "a word");
        // one thread does it for all
        let around = (self.block.take(), self.thread.take(), std::mem::replace(&mut self.in_ordered, true));
        self.nested(body);
        (self.block, self.thread, self.in_ordered) = around;
    }

    /// The body of a `chain` loop: where its region stands, and what that touches.
    pub(super) fn chain(&mut self, list: &[Statement]) {
        let is_region = |statement: &Statement| matches!(statement.kind, StatementKind::Ordered { .. });
        let mut regions = 0;
        for_each_statement(list, &mut |statement| regions += usize::from(is_region(statement)));
        if regions > 1 || regions > list.iter().filter(|statement| is_region(statement)).count() {
            self.error("I14: a second `ordered` region in a loop, or one in a branch or loop".to_owned());
        }
        let Some(region) = Ordered::of(list) else { return };
        let shared = shared_views(list);
        let (mut outside, mut declared) = (BTreeSet::new(), BTreeSet::new());
        outside_of_regions(list, &mut |statement| {
            declared.extend(statement.kind.declares());
            statement.kind.for_each_use(&mut |var| _ = outside.insert(var));
        });
        if outside.contains(&region.words)
            || declared.contains(&region.words)
            || uses(region.body, region.words)
        {
            self.error(format!(
                "I14: words of `{}` are used in the loop, or a view of them is declared there",
                region.words
            ));
        }
        let mut local = BTreeSet::new();
        for_each_statement(region.body, &mut |statement| {
            statement.kind.for_each_use(&mut |var| {
                if declared.contains(&var) && !shared.contains_key(&var) {
                    local.insert(var);
                }
            });
            if !may_be_ordered(&statement.kind, &shared) {
                self.error("I14: a statement that may not be in an `ordered` region".to_owned());
            }
        });
        for var in local {
            self.error(format!(
                "I14: an `ordered` region uses `{var}` of the block, which is no shared memory"
            ));
        }
        let block = |view: &Var| shared.get(view).map(|place| place.block);
        let given: BTreeSet<Var> = region.given.iter().filter_map(block).collect();
        for (view, indices, _) in &region.told {
            if block(view).is_none_or(|block| given.contains(&block)) || !are_constant(indices) {
                self.error(format!(
                    "I14: what an `ordered` region reads of `{view}` is written there, or no constant cell"
                ));
            }
        }
        for var in region.state {
            if !self.handed.insert(var) {
                self.error(format!("I14: `{var}` is assigned in two `ordered` regions"));
            }
        }
    }

    /// Reports what a region of one of these statements hands on and another list declares: loops between would run it again with what it has then.
    pub(super) fn handed_from_here(&mut self, list: &[Statement]) {
        let mut declared = BTreeSet::new();
        for statement in list {
            if let StatementKind::Declare { var, .. } = statement.kind {
                declared.insert(var);
            }
            if let StatementKind::For { kind: LoopKind::Chain, body, .. } = &statement.kind
                && let Some(region) = Ordered::of(body)
            {
                for var in region.state.iter().filter(|var| !declared.contains(var)) {
                    self.error(format!(
                        "I14: `{var}`, which an `ordered` region hands on, is not declared beside its loop"
                    ));
                }
            }
        }
    }

    /// Reports what regions assign and others use: its value would have to come back from where they are done.
    pub(super) fn handed_alone(&mut self, procedure: &Procedure) {
        let handed = std::mem::take(&mut self.handed);
        if handed.is_empty() {
            return;
        }
        let mut used = BTreeSet::new();
        let mut see = |var: Var| {
            if handed.contains(&var) {
                used.insert(var);
            }
        };
        outside_of_regions(&procedure.body, &mut |statement| statement.kind.for_each_use(&mut see));
        procedure.results.iter().for_each(|(exp, _)| exp.for_each_var(&mut see));
        for var in used {
            self.error(format!("I14: `{var}` is assigned in an `ordered` region and used outside of it"));
        }
    }
}

/// Whether a statement may stand in a region; what it writes is a constant cell of shared memory.
fn may_be_ordered(kind: &StatementKind, shared: &BTreeMap<Var, SharedView>) -> bool {
    let fits = match kind {
        StatementKind::Write { view, indices, .. } => shared.contains_key(view) && are_constant(indices),
        // the block's views are seen as they are
        StatementKind::View { var, .. } | StatementKind::Window { var, .. } => !shared.contains_key(var),
        _ => true,
    };
    fits && may_stand(kind)
}

/// Whether statements use a variable.
fn uses(list: &[Statement], var: Var) -> bool {
    let mut found = false;
    for_each_statement(list, &mut |statement| statement.kind.for_each_use(&mut |used| found |= used == var));
    found
}

fn are_constant(indices: &[Exp]) -> bool {
    indices.iter().all(|index| matches!(index, Exp::Const(_)))
}

/// Calls `f` on each statement that is not inside a region.
fn outside_of_regions(list: &[Statement], f: &mut dyn FnMut(&Statement)) {
    for statement in list {
        let StatementKind::Ordered { .. } = statement.kind else {
            f(statement);
            statement.kind.for_each_body(&mut |body| outside_of_regions(body, f));
            continue;
        };
    }
}
