//! Where variables are used for the last time: what they held matters no more after that.

use fun_base::name::Var;
use imp::ir::{Procedure, Statement, StatementKind};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A procedure's number, and positions in it.
#[derive(Clone, Copy)]
struct Span {
    procedure: usize,
    start: u32,
    end: u32,
}

/// The last uses of variables, by position in the text of their procedure.
#[derive(Default)]
pub(super) struct Ends {
    /// With the number of the procedure.
    last: BTreeMap<Var, (usize, u32)>,
    /// The first position in each statement and the last one, by address; statements stay where they are.
    spans: HashMap<*const Statement, Span>,
    next: u32,
    /// How many procedures there are.
    procedures: usize,
}

impl Ends {
    /// Adds a procedure.
    pub(super) fn add(&mut self, procedure: &Procedure) {
        if procedure.body.first().is_some_and(|first| self.spans.contains_key(&std::ptr::from_ref(first))) {
            return;
        }
        self.procedures += 1;
        self.list(&procedure.body, &mut BTreeSet::new());
        for (result, _) in &procedure.results {
            result.for_each_var(&mut |var| {
                self.last.insert(var, (self.procedures, u32::MAX));
            });
        }
    }

    fn list(&mut self, list: &[Statement], used: &mut BTreeSet<Var>) {
        for statement in list {
            let start = self.next;
            self.next += 1;
            let mut inside = BTreeSet::new();
            statement.kind.for_each_use(&mut |var| {
                inside.insert(var);
            });
            statement.kind.for_each_body(&mut |body| self.list(body, &mut inside));
            let end = self.next;
            // What a loop uses is used until its end.
            let repeats = matches!(statement.kind, StatementKind::For { .. } | StatementKind::While { .. });
            for var in &inside {
                let last = (self.procedures, if repeats { end } else { start });
                let known = self.last.entry(*var).or_insert(last);
                *known = last.max(*known);
            }
            used.extend(inside);
            self.spans.insert(std::ptr::from_ref(statement), Span { procedure: self.procedures, start, end });
        }
    }

    /// Whether a variable may be used in the statement or after it. Those of other procedures may be used when this one has ended.
    pub(super) fn lives_in(&self, var: Var, statement: &Statement) -> bool {
        self.lives(var, statement, |span| span.start)
    }

    /// Whether a variable may be used after the statement.
    pub(super) fn lives_after(&self, var: Var, statement: &Statement) -> bool {
        self.lives(var, statement, |span| span.end)
    }

    fn lives(&self, var: Var, statement: &Statement, from: impl Fn(&Span) -> u32) -> bool {
        let Some(span) = self.spans.get(&std::ptr::from_ref(statement)) else { return true };
        let last = self.last.get(&var);
        last.is_some_and(|(procedure, last)| *procedure != span.procedure || *last >= from(span))
    }
}
