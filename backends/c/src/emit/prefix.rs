//! Scans of integers by one operator in vectors: OpenMP has a form for them, of which GCC makes prefixes of lanes. Other compilers take the
//! loop as it stands.
//!
//! What comes before a new value and what is done with it are blocks of their own then, which share nothing but that value and the counter.

use super::vectors::runs_in_vectors;
use super::{Binding, Emit, Emitter};
use crate::names;
use crate::types::c_type;
use fun_base::name::Var;
use fun_base::prim::BinOp;
use imp::ir::{ImpType, Statement, StatementKind};
use imp::plain::is_plain;
use imp::prefix::Prefix;
use std::collections::HashSet;

impl<'p> Emitter<'_, 'p> {
    /// Emits a `scan` loop in that form; `false` if it does not fit.
    pub(super) fn prefix_loop(&mut self, head: &str, body: &'p [Statement]) -> Emit<bool> {
        let Some(prefix) = Prefix::of(body).filter(|_| is_plain(body) && runs_in_vectors(body)) else {
            return Ok(false);
        };
        let Prefix { acc, op, ty, value, named, before, after } = prefix;
        let used = uses(after);
        let again = needed(before, used.clone());
        let mut reads = false;
        for statement in &again {
            statement.kind.for_each_exp(&mut |exp| reads |= exp.reads());
        }
        if reads || self.kernel.is_some() || !matches!(self.lookup(acc)?, Binding::Mutable(_)) {
            return Ok(false);
        }
        let mut combined = HashSet::new();
        value.for_each_var(&mut |var| {
            combined.insert(var);
        });
        // sums of signed numbers wrap
        let chosen = matches!(op, BinOp::Min | BinOp::Max);
        let wide = if chosen { ty } else { ty.unsigned_of_width() };
        let (name, own, wide) = (names::variable(acc), c_type(ty), c_type(wide));
        let total = format!("{name}_total");
        self.lines.open("{");
        self.lines.push(format!("{wide} {total} = ({wide}){name};"));
        self.lines.push(format!("FUN_SCAN({}, {total})", symbol(op)));
        self.lines.open(head);
        self.depth += 1;
        let in_vectors = std::mem::replace(&mut self.in_vectors, true);
        self.lines.open("{");
        for statement in needed(before, combined) {
            self.body(std::slice::from_ref(statement))?;
        }
        let value = self.exp(value)?;
        let value = format!("({wide}){}", value.operand());
        self.lines.push(match op {
            BinOp::Min => format!("{total} = {total} < {value} ? {total} : {value};"),
            BinOp::Max => format!("{total} = {total} > {value} ? {total} : {value};"),
            _ => format!("{total} = ({wide})({total} {} {value});", symbol(op)),
        });
        self.lines.close("}");
        self.lines.push(format!("FUN_SCANNED({total})"));
        self.lines.open("{");
        for new in [Some(acc), named].into_iter().flatten().filter(|new| used.contains(new)) {
            let new_name = names::variable(new);
            self.lines.declare(&new_name, format!("const {own} {new_name} = ({own}){total};"));
        }
        if let Some(named) = named {
            self.env.insert(named, Binding::Fixed(ImpType::Prim(ty)));
        }
        for statement in again.into_iter().chain(after) {
            self.body(std::slice::from_ref(statement))?;
        }
        self.lines.close("}");
        self.in_vectors = in_vectors;
        self.depth -= 1;
        self.lines.close("}");
        self.assign(acc, &format!("({own}){total}"))?;
        self.lines.close("}");
        Ok(true)
    }
}

fn symbol(op: BinOp) -> &'static str {
    match op {
        BinOp::Min => "min",
        BinOp::Max => "max",
        BinOp::And => "&",
        BinOp::Or => "|",
        BinOp::Xor => "^",
        _ => "+",
    }
}

/// The variables that statements use.
fn uses(statements: &[Statement]) -> HashSet<Var> {
    let mut used = HashSet::new();
    for statement in statements {
        statement.kind.for_each_use(&mut |var| {
            used.insert(var);
        });
    }
    used
}

/// Those `let`s without which these variables are not known.
fn needed(lets: &[Statement], mut used: HashSet<Var>) -> Vec<&Statement> {
    let mut needed = Vec::new();
    for statement in lets.iter().rev() {
        if matches!(&statement.kind, StatementKind::Let { var, .. } if used.contains(var)) {
            used.extend(uses(std::slice::from_ref(statement)));
            needed.push(statement);
        }
    }
    needed.reverse();
    needed
}
