//! Loops. Whether a loop parameter is consumed follows from its `*` or from what the body does with it.

use super::alias::{Aliases, Names, consumed_part, observed_part, payload_field, take_in, without};
use super::check::{Checker, variables};
use super::errors::{self, Consumption, How, Obstacle};
use crate::typed::{Exp, LoopForm, Pattern, PatternKind};
use crate::types::Type;
use fun_base::name::Var;
use fun_base::source::Span;
use std::collections::BTreeSet;

impl Checker<'_> {
    pub(super) fn loop_exp(
        &mut self,
        exp: &Exp,
        (pattern, kept): (&Pattern, &[Var]),
        init: &Exp,
        form: &LoopForm,
        body: &Exp,
    ) -> Aliases {
        let first = self.exp(init);
        let over = match form {
            LoopForm::For(_, bound) => {
                self.exp(bound);
                None
            }
            LoopForm::ForIn(element, array) => Some((element, self.exp(array))),
            LoopForm::While(_) => None,
        };
        self.recheck(&first, init.span);

        self.open_loop();
        // every parameter may be consumed in the body unless its type is written without `*`; those that are decide how
        // the initial values are taken
        self.bind_pattern(pattern, Aliases::fresh(&pattern.ty), None);
        self.keep(kept, Some(Obstacle::Parameter));
        match form {
            LoopForm::For(var, bound) => self.bind(*var, Aliases::none(), &bound.ty, bound.span, None),
            LoopForm::ForIn(..) | LoopForm::While(_) => {}
        }
        if let Some((element, array)) = &over {
            let aliases = Aliases::of_type(&element.ty, &array.all());
            self.bind_pattern(element, aliases, Some(Obstacle::Element));
        }
        let (next, consumed) = self.contained(|c| {
            if let LoopForm::While(condition) = form {
                c.exp(condition);
            }
            let next = c.exp(body);
            c.recheck(&next, body.span);
            next
        });
        let mut taken: BTreeSet<Var> = consumed.keys().map(|name| name.var).collect();
        let diet = loop {
            let diet = diet(pattern, &taken, false);
            let before = taken.len();
            let own: BTreeSet<Var> = variables(pattern).into_iter().map(|(var, _)| var).collect();
            taken.extend(
                consumed_part(&diet, &next).iter().map(|name| name.var).filter(|var| own.contains(var)),
            );
            if taken.len() == before {
                break diet;
            }
        };
        self.next_values(pattern, &diet, &next, body.span);
        let uses = self.close_loop();
        self.keep(kept, None);
        if let Some((element, _)) = &over {
            self.release_one(element);
        }

        let given = consumed_part(&diet, &first);
        if !given.is_empty() {
            self.initial_values(&diet, &first, &given, init.span);
            self.uses_of_given(&uses.into_iter().collect::<Vec<_>>(), &given, init.span);
        }
        let mut kept = observed_part(&diet, &first);
        kept.insert(self.intermediate("the result of this loop".into(), exp.span));
        let from_init = Aliases::of_result(&exp.ty, &diet, &kept);
        from_init.or(next).map_names(&|names| without(names, &consumed))
    }

    fn keep(&mut self, vars: &[Var], obstacle: Option<Obstacle>) {
        for var in vars {
            if let Some(entry) = self.entries.get_mut(var) {
                entry.obstacle = obstacle;
            }
        }
    }

    /// The new values of consumed parameters must be bound in the body, or be other consumed parameters, each once.
    fn next_values(&mut self, pattern: &Pattern, diet: &Type, next: &Aliases, span: Span) {
        let (mut taken, mut others) = (Names::new(), Names::new());
        for (var, consumed, names) in components(pattern, diet, next) {
            let text = self.text(var);
            let outside = |name: &&super::alias::Name| {
                self.entries
                    .get(&name.var)
                    .is_some_and(|e| e.level < self.frames.len() || e.obstacle.is_some())
            };
            if consumed && let Some(name) = names.iter().find(outside) {
                self.errors.push(errors::loop_value(&text, &self.text(name.var), span));
                return;
            }
            let clash =
                |name: &&super::alias::Name| taken.contains(*name) || consumed && others.contains(*name);
            if names.iter().any(|name| clash(&name)) {
                self.errors.push(errors::loop_value(&text, "the next value of another parameter", span));
                return;
            }
            take_in(if consumed { &mut taken } else { &mut others }, names);
        }
    }

    fn initial_values(&mut self, diet: &Type, first: &Aliases, given: &Names, span: Span) {
        if observed_part(diet, first).iter().any(|name| given.contains(name)) {
            self.errors.push(errors::argument_aliases(span, None));
            return;
        }
        self.consume(given, span, How::Loop);
    }

    /// The body must not use what the initial values took.
    fn uses_of_given(&mut self, uses: &[(Var, Span)], given: &Names, span: Span) {
        let by = Consumption { span, how: How::Loop };
        for (var, at) in uses {
            let names = self.entries.get(var).map(|e| e.aliases.all()).unwrap_or_default();
            if names.iter().any(|name| given.contains(name)) {
                let text = self.text(*var);
                self.errors.push(errors::used_after(&text, None, *at, &by));
            }
        }
    }
}

/// The type of the pattern with `*` at the parameters that are consumed.
fn diet(pattern: &Pattern, taken: &BTreeSet<Var>, unique: bool) -> Type {
    let unique = unique || matches!(pattern.ty, Type::Unique(_));
    let ty = pattern.ty.without_unique();
    match &pattern.kind {
        PatternKind::Var(var) if unique || taken.contains(var) => Type::Unique(Box::new(ty.clone())),
        PatternKind::Var(_) => ty.clone(),
        PatternKind::Wildcard if unique => Type::Unique(Box::new(ty.clone())),
        PatternKind::Wildcard | PatternKind::Literal(_) => ty.clone(),
        // A sum is consumed as a whole.
        PatternKind::Constructor(_, parts) => {
            let consumed = unique || parts.iter().flat_map(variables).any(|(var, _)| taken.contains(&var));
            if consumed { Type::Unique(Box::new(ty.clone())) } else { ty.clone() }
        }
        PatternKind::Record(fields) => {
            Type::Record(fields.iter().map(|(f, inner)| (*f, diet(inner, taken, unique))).collect())
        }
    }
}

/// Each parameter, whether it is consumed, and what its next value may be.
fn components(pattern: &Pattern, diet: &Type, next: &Aliases) -> Vec<(Var, bool, Names)> {
    match (&pattern.kind, diet) {
        (PatternKind::Var(var), diet) => vec![(*var, matches!(diet, Type::Unique(_)), next.all())],
        (PatternKind::Wildcard | PatternKind::Literal(_), _) => Vec::new(),
        (PatternKind::Constructor(name, parts), diet) => {
            let below = |(k, inner)| components(inner, diet, &next.field(payload_field(*name, k)));
            parts.iter().enumerate().flat_map(below).collect()
        }
        (PatternKind::Record(patterns), Type::Record(types)) => patterns
            .iter()
            .zip(types.iter())
            .flat_map(|((field, inner), (_, diet))| components(inner, diet, &next.field(*field)))
            .collect(),
        (PatternKind::Record(_), _) => Vec::new(),
    }
}
