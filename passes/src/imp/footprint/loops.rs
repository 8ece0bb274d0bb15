//! Execution of loops on symbolic heaps: until what is known at the head stays the same.

use super::Around;
use super::ends::Ends;
use super::execute::{Machine, State, declared};
use super::sizes::{Atom, Sizes};
use super::world::{larger, united};
use fun_base::name::Var;
use fun_index::poly::Poly;
use imp::ir::Statement;
use std::collections::{BTreeMap, BTreeSet};

/// A loop is executed at most so often.
const MOST_PASSES: usize = 16;

impl<'p> Machine<'p> {
    /// A loop: its body until what is known at its head stays the same.
    pub(super) fn repeat(
        &mut self,
        statement: &Statement,
        body: &'p [Statement],
        around: Around,
        parallel: bool,
        state: &mut State,
    ) {
        let outer = self.parallel;
        self.parallel |= parallel;
        let loc = self.loc;
        self.loops.push(around);
        let declared = declared(body);
        let mut changed: BTreeSet<Var> = BTreeSet::new();
        let keep = |ends: &Ends, state: &mut State| {
            state.worlds.iter_mut().for_each(|world| world.keep(&|var| ends.lives_in(var, statement)));
        };
        keep(&self.ends, state);
        let mut head = state.clone();
        for pass in 0.. {
            if pass == MOST_PASSES {
                let place = self.place();
                self.give_up(|| format!("the sizes that a loop carries along do not settle ({place})"));
            }
            self.loc = loc;
            let (peaks, sites, order) = (self.peaks.clone(), self.sites.clone(), self.order.clone());
            let mut end = head.clone();
            self.time += 1;
            self.inner(body, &mut end);
            self.time += 1;
            keep(&self.ends, &mut end);
            if self.failed.is_some() {
                break;
            }
            let moved: BTreeSet<Var> = end
                .vars
                .iter()
                .filter(|(var, value)| !changed.contains(var) && head.vars.get(var) != Some(value))
                .map(|(var, _)| *var)
                .collect();
            let next = if moved.is_empty() {
                self.head_again(state, &changed, &declared, end)
            } else {
                changed.extend(&moved);
                self.loc = loc;
                let mut start = state.clone();
                for var in &changed {
                    let value = self.computed(*var);
                    start.vars.insert(*var, value);
                }
                start
            };
            let settled = next.vars == head.vars && next.worlds == head.worlds;
            head = next;
            if settled {
                break;
            }
            (self.peaks, self.sites, self.order) = (peaks, sites, order);
        }
        self.loops.pop();
        self.loc = loc;
        self.parallel = outer;
        *state = head;
    }

    /// What is known at the head of a loop after one more iteration: `changed` are the variables whose values differ from one
    /// iteration to the next.
    fn head_again(
        &mut self,
        entry: &State,
        changed: &BTreeSet<Var>,
        declared: &BTreeSet<Var>,
        end: State,
    ) -> State {
        // Sizes in terms of the values that variables have in the next iteration.
        let mut renamed: BTreeMap<Var, Poly> = BTreeMap::new();
        let mut scaled: Vec<(Var, i64)> = Vec::new();
        for var in changed {
            let Some(new) = end.vars.get(var) else { continue };
            let step = new.sub(&Poly::var(*var));
            let mut fixed = true;
            step.for_each_var(&mut |part| fixed &= !changed.contains(&part) && !declared.contains(&part));
            let factor = new.terms().next().map(|(_, factor)| factor).filter(|factor| *factor > 1);
            match (new.as_var(), factor) {
                (Some(other), _) if declared.contains(&other) => {
                    renamed.insert(other, Poly::var(*var));
                }
                (_, Some(factor)) if *new == Poly::var(*var).scale(factor) => scaled.push((*var, factor)),
                _ if fixed => {
                    renamed.insert(*var, Poly::var(*var).sub(&step));
                }
                _ => {}
            }
        }
        let mut next = State { vars: entry.vars.clone(), worlds: end.worlds };
        for var in changed {
            next.vars.insert(*var, Poly::var(*var));
        }
        let known: BTreeSet<Var> =
            scaled.iter().map(|(var, _)| *var).chain(renamed.keys().copied()).collect();
        let sizes = &mut self.sizes;
        for world in &mut next.worlds {
            world.map_sizes(&mut |size| {
                let stale =
                    |part: &Var| (changed.contains(part) || declared.contains(part)) && !known.contains(part);
                let mut size = size.subst(&mut |part| match renamed.get(&part) {
                    Some(now) => now.clone(),
                    None if stale(&part) => sizes.made(Atom::Largest(part)),
                    None => Poly::var(part),
                });
                for (var, factor) in &scaled {
                    size = divided(&size, *var, *factor)
                        .unwrap_or_else(|| size.subst(&mut |part| largest_of(sizes, part, *var)));
                }
                // No block has a negative size.
                if let Some((monomial, 1..)) = size.terms().next().filter(|_| size.terms().count() == 1)
                    && let [var] = monomial.as_slice()
                {
                    sizes.is_size(&Poly::var(*var));
                }
                size
            });
        }
        let entry_values = entry.vars.clone();
        next.worlds = entry.worlds.iter().cloned().chain(next.worlds).collect();
        next.worlds = united(next.worlds, &mut self.sizes, &mut |sizes, first, again| {
            // What holds in each iteration holds in the first.
            let at_entry =
                again.subst(&mut |var| match entry_values.get(&var).filter(|_| changed.contains(&var)) {
                    Some(value) => value.clone(),
                    None => Poly::var(var),
                });
            if at_entry == *first { again.clone() } else { larger(sizes, first, again) }
        });
        next
    }
}

fn largest_of(sizes: &mut Sizes, part: Var, var: Var) -> Poly {
    if part == var { sizes.made(Atom::Largest(var)) } else { Poly::var(part) }
}

/// The polynomial in terms of a variable that is `factor` times what it was, if that has whole coefficients.
fn divided(size: &Poly, var: Var, factor: i64) -> Option<Poly> {
    let mut result = Poly::default();
    for (monomial, coefficient) in size.terms() {
        let mut coefficient = coefficient;
        for _ in monomial.iter().filter(|part| **part == var) {
            if coefficient % factor != 0 {
                return None;
            }
            coefficient /= factor;
        }
        result = result.add(&Poly::term(monomial.clone(), coefficient));
    }
    Some(result)
}
