//! What differs between the iterations of a loop, and what is the same for all of them.

use crate::imp::fuse_loops::access::Places;
use crate::imp::private::private_blocks;
use fun_base::name::Var;
use imp::ir::{Exp, Space, Statement, StatementKind};
use imp::visit::for_each_statement;
use std::collections::{BTreeMap, BTreeSet};

/// What differs between the iterations of a loop.
pub(super) struct Varying<'p> {
    /// Scalars and views.
    vars: BTreeSet<Var>,
    /// Blocks that each iteration has for itself.
    pub(super) own_blocks: BTreeSet<Var>,
    /// Views that the loop writes.
    written: BTreeSet<Var>,
    /// In which blocks the views lie that the loop makes.
    blocks: BTreeMap<Var, Var>,
    places: &'p Places,
}

impl<'p> Varying<'p> {
    pub(super) fn of(counter: Var, body: &[Statement], places: &'p Places) -> Varying<'p> {
        let (mut own_blocks, mut written, mut blocks) = (BTreeSet::new(), BTreeSet::new(), BTreeMap::new());
        own_blocks.extend(private_blocks(body));
        for_each_statement(body, &mut |statement| match &statement.kind {
            StatementKind::Alloc { var, space: Space::Stack, .. } => _ = own_blocks.insert(*var),
            StatementKind::For { body, .. } => own_blocks.extend(private_blocks(body)),
            StatementKind::Write { view, .. } | StatementKind::Accumulate { view, .. } => {
                written.insert(*view);
            }
            StatementKind::Copy { dest, .. } => _ = written.insert(*dest),
            StatementKind::View { var, mem, .. } => _ = blocks.insert(*var, *mem),
            StatementKind::Window { var, view, .. } => {
                let block = blocks.get(view).copied();
                blocks.extend(block.map(|block| (*var, block)));
            }
            _ => {}
        });
        let mut varying = Varying { vars: BTreeSet::from([counter]), own_blocks, written, blocks, places };
        loop {
            let before = varying.vars.len();
            varying.visit(body, false);
            if varying.vars.len() == before {
                return varying;
            }
        }
    }

    /// Whether a scalar or view differs.
    pub(super) fn has(&self, var: Var) -> bool {
        self.vars.contains(&var)
    }

    /// The block of a view, if the loop makes the view.
    pub(super) fn block_of(&self, view: Var) -> Option<Var> {
        self.blocks.get(&view).copied()
    }

    /// Whether the value of an expression differs, or may.
    pub(super) fn exp(&self, exp: &Exp) -> bool {
        let mut found = match exp {
            Exp::Var(var) => self.has(*var),
            Exp::Read { view, .. } => {
                // what the loop itself writes is not looked at
                self.has(*view) || self.may_change(*view)
            }
            _ => false,
        };
        exp.for_each_child(&mut |child| found |= self.exp(child));
        found
    }

    /// Whether the loop may write cells of a view from outside.
    pub(super) fn may_change(&self, view: Var) -> bool {
        self.written.iter().any(|other| !self.places.in_different_blocks(view, *other))
    }

    /// Whether nothing in the statement differs, so that once is enough.
    pub(super) fn is_same(&self, statement: &Statement) -> bool {
        let mut same = true;
        let own = |var: Var| self.has(var) || self.own_blocks.contains(&var);
        for_each_statement(std::slice::from_ref(statement), &mut |statement| {
            same &= !matches!(statement.kind, StatementKind::Write { .. } | StatementKind::Accumulate { .. });
            statement.kind.for_each_use(&mut |var| same &= !own(var));
            statement.kind.for_each_exp(&mut |exp| same &= !self.exp(exp));
            same &= statement.kind.declares().is_none_or(|var| !own(var));
        });
        same
    }

    fn visit(&mut self, body: &[Statement], in_varying: bool) {
        for statement in body {
            match &statement.kind {
                StatementKind::Let { var, value, .. } | StatementKind::Assign { var, value } => {
                    self.insert_if(*var, in_varying || self.exp(value));
                }
                StatementKind::Declare { var, value, .. } => {
                    self.insert_if(*var, in_varying || value.as_ref().is_some_and(|value| self.exp(value)));
                }
                StatementKind::View { var, .. } | StatementKind::Window { var, .. } => {
                    let mut differs = in_varying;
                    statement.kind.for_each_use(&mut |used| {
                        differs |= self.has(used) || self.own_blocks.contains(&used);
                    });
                    statement.kind.for_each_exp(&mut |exp| differs |= self.exp(exp));
                    self.insert_if(*var, differs);
                }
                StatementKind::If { condition, .. } => {
                    let differs = in_varying || self.exp(condition);
                    statement.kind.for_each_body(&mut |body| self.visit(body, differs));
                }
                // lanes that are done wait for the others
                StatementKind::While { body, .. } => self.visit(body, true),
                StatementKind::For { var, bound, .. } => {
                    let differs = in_varying || self.exp(bound);
                    self.insert_if(*var, differs);
                    statement.kind.for_each_body(&mut |body| self.visit(body, differs));
                }
                _ => {}
            }
        }
    }

    fn insert_if(&mut self, var: Var, differs: bool) {
        if differs {
            self.vars.insert(var);
        }
    }
}
