//! Applications, and what functions give back.

use super::alias::{Aliases, Names, consumes, has_function, stands_for, take_in};
use super::check::Checker;
use super::errors::{self, How, Obstacle};
use crate::typed::{Exp, Pattern};
use crate::types::{Arrow, Type};
use fun_base::name::Var;
use fun_base::source::Span;
use std::collections::BTreeMap;
use std::sync::Arc;

impl Checker<'_> {
    pub(super) fn apply(&mut self, exp: &Exp, function: &Exp, args: &[Exp]) -> Aliases {
        let callee = self.exp(function);
        let text = self.function_text(function);
        let mut values = Vec::new();
        for arg in args {
            let (aliases, new) = self.contained(|c| c.exp(arg));
            if !new.is_empty() && has_function(&arg.ty) {
                self.errors.push(errors::function_consumes(arg.span));
            }
            self.consumed.extend(new);
            values.push(aliases);
        }
        for (aliases, arg) in values.iter().zip(args) {
            self.recheck(aliases, arg.span);
        }
        let (mut observed, mut rest) = match callee {
            Aliases::Function(captured, arrow) => (captured, Some(Type::Arrow(Arc::new(arrow)))),
            other => (other.all(), None),
        };
        for (at, (aliases, arg)) in values.iter().zip(args).enumerate() {
            let next = match rest {
                Some(Type::Arrow(arrow)) => Arc::unwrap_or_clone(arrow),
                // a function of unknown type observes what it is given
                _ => Arrow { name: None, param: arg.ty.clone(), exts: Vec::new(), result: exp.ty.clone() },
            };
            self.argument(&next.param, &values, args, at, text.clone());
            if !consumes(&next.param) {
                take_in(&mut observed, aliases.all());
            }
            let last = at + 1 == args.len();
            rest = Some(if last { next.result } else { next.result.without_unique().clone() });
        }
        let what =
            text.map_or_else(|| "the result of this function".into(), |name| format!("the result of {name}"));
        // parts of one result may share memory with each other
        observed.insert(self.intermediate(what, exp.span));
        Aliases::of_result(&exp.ty, rest.as_ref().unwrap_or(&exp.ty), &observed)
    }

    /// The argument at index `at` meets its parameter.
    fn argument(
        &mut self,
        param: &Type,
        values: &[Aliases],
        args: &[Exp],
        at: usize,
        function: Option<String>,
    ) {
        let (aliases, arg) = (&values[at], &args[at]);
        if let (Aliases::Function(_, actual), Type::Arrow(_)) = (aliases, param)
            && !stands_for(&Type::Arrow(Arc::new(actual.clone())), param)
        {
            self.errors.push(errors::function_differs(arg.span));
        }
        // a `*` anywhere in the type of a parameter is one on the whole
        let taken = if consumes(param) { aliases.all() } else { Names::new() };
        if taken.is_empty() {
            return;
        }
        if shares_with_itself(aliases) {
            self.errors.push(errors::argument_aliases(arg.span, None));
        }
        let others = values.iter().zip(args).enumerate().filter(|(other, _)| *other != at);
        for (_, (other, other_arg)) in others {
            if other.all().iter().any(|name| taken.contains(name)) {
                self.errors.push(errors::argument_aliases(arg.span, Some(other_arg.span)));
                return;
            }
        }
        self.consume(&taken, arg.span, How::Argument(function));
    }

    /// Whether a name may be given away by the function at hand: bound in it, and not a parameter that the caller keeps.
    fn is_free(&self, var: Var) -> bool {
        self.entries
            .get(&var)
            .is_none_or(|entry| entry.level >= self.frames.len() && entry.obstacle.is_none())
    }

    /// Checks the `*` in a result type against what the result may be.
    pub(super) fn check_result(&mut self, params: &[Pattern], result: &Type, aliases: &Aliases, span: Span) {
        if !params.is_empty() {
            // A parametric module cannot tell which values of its parameter are constants, so as in Futhark those of
            // modules can be given away; lowering copies where that is needed.
            let constant = |var: &Var| {
                let entry = self.entries.get(var);
                entry.is_some_and(|e| e.obstacle == Some(Obstacle::Constant) && !e.text.contains('.'))
            };
            if let Some(name) = aliases.of_data().into_iter().find(|name| constant(&name.var)) {
                self.errors.push(errors::result_is_constant(&self.text(name.var), span));
                return;
            }
        }
        if let (Aliases::Function(_, actual), Type::Arrow(_)) = (aliases, result)
            && !stands_for(&Type::Arrow(Arc::new(actual.clone())), result)
        {
            self.errors.push(errors::function_differs(span));
            return;
        }
        let mut components = Vec::new();
        by_component(result, aliases, &mut components);
        let (mut unique, mut shared) = (Names::new(), Names::new());
        for (is_unique, names) in components {
            if is_unique && let Some(kept) = names.iter().find(|name| !self.is_free(name.var)) {
                self.errors.push(errors::result_aliases(&self.text(kept.var), span));
                return;
            }
            let clash = names.iter().any(|name| unique.contains(name) || is_unique && shared.contains(name));
            if clash {
                self.errors.push(errors::result_shares(span));
                return;
            }
            take_in(if is_unique { &mut unique } else { &mut shared }, names);
        }
    }

    /// The result type with `*` at every component that is fresh, whatever is declared.
    pub(super) fn inferred(&self, result: &Type, aliases: &Aliases) -> Type {
        let mut counts: BTreeMap<Var, usize> = BTreeMap::new();
        for names in aliases.parts() {
            let vars: std::collections::BTreeSet<Var> = names.iter().map(|name| name.var).collect();
            vars.into_iter().for_each(|var| *counts.entry(var).or_default() += 1);
        }
        self.infer(result, aliases, &counts)
    }

    fn infer(&self, result: &Type, aliases: &Aliases, counts: &BTreeMap<Var, usize>) -> Type {
        match (result, aliases) {
            (Type::Record(types), Aliases::Record(fields)) => {
                let fields = types.iter().zip(fields.iter());
                Type::Record(fields.map(|((f, t), (_, a))| (*f, self.infer(t, a, counts))).collect())
            }
            (Type::Array(..), Aliases::Leaf(names)) => {
                let fresh = |var: &Var| self.is_free(*var) && counts.get(var).is_none_or(|count| *count == 1);
                let free = names.iter().all(|name| fresh(&name.var));
                if free { Type::Unique(Box::new(result.clone())) } else { result.clone() }
            }
            // a sum is fresh as a whole
            (Type::Sum(_), aliases) => {
                let fresh = |var: &Var| self.is_free(*var) && counts.get(var).is_none_or(|count| *count == 1);
                let free = aliases.all().iter().all(|name| fresh(&name.var));
                if free { Type::Unique(Box::new(result.clone())) } else { result.clone() }
            }
            // parts of a value of unknown type may share memory with each other
            (Type::Param(_) | Type::Named(..), Aliases::Leaf(names)) if names.is_empty() => {
                Type::Unique(Box::new(result.clone()))
            }
            _ => result.clone(),
        }
    }
}

/// Whether two components of a value may share memory.
fn shares_with_itself(aliases: &Aliases) -> bool {
    let mut seen = Names::new();
    aliases.parts().into_iter().any(|names| {
        let again = names.iter().any(|name| seen.contains(name));
        take_in(&mut seen, names);
        again
    })
}

/// The names of each component of a result, with whether its type says `*`.
fn by_component(result: &Type, aliases: &Aliases, into: &mut Vec<(bool, Names)>) {
    match (result, aliases) {
        (Type::Record(types), Aliases::Record(fields)) => {
            types.iter().zip(fields.iter()).for_each(|((_, t), (_, a))| by_component(t, a, into));
        }
        (Type::Unique(inner), aliases) => {
            let mut below = Vec::new();
            by_component(inner, aliases, &mut below);
            into.extend(below.into_iter().map(|(_, names)| (true, names)));
        }
        (_, aliases) => into.push((false, aliases.all())),
    }
}
