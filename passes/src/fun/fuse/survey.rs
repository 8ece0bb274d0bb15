//! Where the results of maps are read, and how often.

use super::reads::{Reads, Site, View};
use fun::ir::{Atom, Body, Combine, Dim, Exp, Fun, LoopForm, Statement, Type};
use fun::visit::names::free_in_lambda;
use fun::visit::{Walk, walk_body, walk_exp, walk_statement};
use fun_base::name::Var;
use fun_base::prim::{BinOp, PrimType};
use std::collections::{BTreeMap, BTreeSet};

/// Finds the reads of producers' results in a body, and other uses of them.
pub(super) fn survey(reads: Reads, body: &Body, types: &BTreeMap<Var, Type>) -> Reads {
    let mut survey = Survey {
        reads,
        types,
        current: 0,
        around: Vec::new(),
        bound: BTreeSet::new(),
        injective: BTreeMap::new(),
        moved: BTreeSet::new(),
        unknown: 0,
        conditional: 0,
        sequential: 0,
        folds: 0,
        parallel: 0,
        kernels: 0,
    };
    for (at, statement) in body.statements.iter().enumerate() {
        survey.current = at;
        survey.bound.clear();
        survey.injective.clear();
        survey.moved.clear();
        survey.statement(statement);
    }
    body.results.iter().for_each(|result| survey.atom(result));
    survey.reads
}

struct Survey<'t> {
    reads: Reads,
    types: &'t BTreeMap<Var, Type>,
    /// The statement of the body.
    current: usize,
    /// The counters around, with their bounds.
    around: Vec<(Var, Atom)>,
    /// What is bound inside of the statement.
    bound: BTreeSet<Var>,
    /// Scalars that differ for any two values of a counter, when all else stays.
    injective: BTreeMap<Var, Var>,
    /// Those of them that are a counter and a number that stays.
    moved: BTreeSet<Var>,
    /// How many things without counter are around: while loops, operators.
    unknown: usize,
    conditional: usize,
    sequential: usize,
    /// Loops, and kernels that combine their points.
    folds: usize,
    parallel: usize,
    kernels: usize,
}

/// An index: which counter it differs with.
#[derive(Clone, Copy)]
struct Component {
    counter: Option<Var>,
}

impl Survey<'_> {
    fn component(&self, atom: &Atom) -> Component {
        let var = atom.as_var();
        let counter = var.and_then(|var| match self.around.iter().any(|(counter, _)| *counter == var) {
            true => Some(var),
            false => self.injective.get(&var).copied(),
        });
        Component { counter }
    }

    fn is_invariant(&self, atom: &Atom) -> bool {
        atom.as_var()
            .is_none_or(|var| !self.bound.contains(&var) && !self.around.iter().any(|(c, _)| *c == var))
    }

    /// The producer and the components of an index of one of its results, through views.
    fn resolve(&self, array: Var, components: Vec<Component>) -> Option<(usize, Vec<Component>)> {
        let (mut array, mut components) = (array, components);
        while let Some(view) = self.reads.views.get(&array) {
            components = match view {
                View::Same(_) | View::Reverse(..) | View::Reshape(..) => components,
                View::Permute(perm, _) => {
                    let mut inner = components.clone();
                    for (component, at) in components.iter().zip(perm) {
                        *inner.get_mut(*at)? = *component;
                    }
                    inner
                }
                View::Slice(dims, _) => {
                    let mut outer = components.into_iter();
                    let mut inner = Vec::with_capacity(dims.len());
                    for dim in dims {
                        inner.push(match dim {
                            Dim::Fix(index) => self.component(index),
                            Dim::Range { offset, stride, .. } => {
                                let Component { counter } = outer.next()?;
                                let moves = stride.as_const().and_then(|step| step.as_i64()) != Some(0)
                                    && stride.as_const().is_some()
                                    && self.is_invariant(offset);
                                Component { counter: counter.filter(|_| moves) }
                            }
                            Dim::Flat { dims, .. } => {
                                outer.nth(dims.len().checked_sub(1)?)?;
                                Component { counter: None }
                            }
                        });
                    }
                    inner
                }
            };
            array = view.array();
        }
        self.reads.results.get(&array).map(|(at, _)| (*at, components))
    }

    /// Notes a read.
    fn read(&mut self, array: Var, indices: &[Atom]) {
        let components = indices.iter().map(|index| self.component(index)).collect();
        let Some((at, components)) = self.resolve(array, components) else { return };
        let Some((_, result)) = self.reads.result_of(array) else { return };
        let met: BTreeSet<Var> = components.iter().filter_map(|component| component.counter).collect();
        let once = self.unknown == 0 && self.around.iter().all(|(counter, _)| met.contains(counter));
        let plain = self.reads.results.contains_key(&array);
        let bound = |index: &Atom| {
            let found = self.around.iter().find(|(counter, _)| Atom::Var(*counter) == *index);
            found.map(|(_, bound)| *bound)
        };
        let bounds: Vec<Option<Atom>> = indices.iter().filter(|_| plain).map(bound).collect();
        let counters: Option<Vec<Atom>> = indices.iter().map(bound).collect();
        // (met has as many as there are around, so each index is another)
        let counters = counters.filter(|_| plain && once && self.around.len() == indices.len());
        let site = Site {
            consumer: self.current,
            result,
            place: self.reads.place(array, indices),
            once,
            conditional: self.conditional > 0,
            sequential: self.sequential > 0 || self.parallel == 0,
            mapped: self.folds == 0,
            counters,
            bounds,
        };
        if let Some(producer) = self.reads.producers.get_mut(&at) {
            // (an element of a row is no row)
            producer.only_read &= producer.scalar || producer.rank == components.len();
            // A row that is made anew may be consumed or given back. One of an array from outside of a kernel can't be.
            producer.only_read &= producer.scalar || self.kernels > 0;
            producer.sites.push(site);
        }
    }

    /// Notes a view of a producer whose points are scalars.
    fn view(&mut self, statement: &Statement, view: View) {
        let Some(at) = self.reads.producer_of(view.array()) else {
            return walk_statement(self, statement);
        };
        let Some(producer) = self.reads.producers.get_mut(&at) else { return };
        if !producer.scalar {
            producer.only_read = false;
        }
        let top =
            self.around.is_empty() && self.parallel + self.sequential + self.conditional + self.unknown == 0;
        if let View::Reshape(_, array) = &view {
            producer.only_read &= top && self.reads.results.contains_key(array);
            producer.reshaped = true;
        }
        if top {
            producer.views.push(self.current);
        } else {
            producer.with_views.insert(self.current);
        }
        for binder in &statement.pattern {
            self.reads.views.insert(binder.var, view.clone());
        }
    }

    /// The row indices of a slice that takes whole rows of a producer whose points are arrays.
    fn row(&self, array: Var, dims: &[Dim]) -> Option<Vec<Atom>> {
        let (at, _) = self.reads.results.get(&array)?;
        let producer = self.reads.producers.get(at).filter(|producer| !producer.scalar)?;
        let shape = self.types.get(&array)?.shape();
        let (fixed, rest) = dims.split_at_checked(producer.rank)?;
        let whole = rest.iter().zip(shape.get(producer.rank..)?).all(|(dim, size)| {
            *dim == Dim::Range { offset: Atom::i64(0), count: *size, stride: Atom::i64(1) }
        });
        let index = |dim: &Dim| match dim {
            Dim::Fix(index) => Some(*index),
            Dim::Range { .. } | Dim::Flat { .. } => None,
        };
        whole.then(|| fixed.iter().map(index).collect()).flatten()
    }

    /// Whether a scalar is a counter, or one and a number that stays.
    fn is_moved(&self, atom: &Atom) -> bool {
        atom.as_var().is_some_and(|var| {
            self.moved.contains(&var) || self.around.iter().any(|(counter, _)| *counter == var)
        })
    }

    fn note_scalar(&mut self, statement: &Statement) {
        let ([binder], Exp::Bin(op, PrimType::I64, left, right)) =
            (statement.pattern.as_slice(), &statement.exp)
        else {
            return;
        };
        let step = |atom: &Atom| atom.as_const().and_then(|value| value.as_i64()).is_some_and(|k| k % 2 != 0);
        let counter = match (op, self.component(left).counter, self.component(right).counter) {
            (BinOp::Add | BinOp::Sub, Some(counter), _) if self.is_invariant(right) => Some(counter),
            (BinOp::Add | BinOp::Sub, _, Some(counter)) if self.is_invariant(left) => Some(counter),
            // (even factors lose the highest bit)
            (BinOp::Mul, Some(counter), _) if step(right) => Some(counter),
            (BinOp::Mul, _, Some(counter)) if step(left) => Some(counter),
            // (below its bound, which is what the remainder is of)
            (BinOp::Mod, Some(counter), _)
                if self.around.contains(&(counter, *right)) && self.is_moved(left) =>
            {
                Some(counter)
            }
            _ => None,
        };
        let from_left = matches!(op, BinOp::Add | BinOp::Sub) && self.is_moved(left);
        if counter.is_some() && (from_left || *op == BinOp::Add && self.is_moved(right)) {
            self.moved.insert(binder.var);
        }
        self.injective.extend(counter.map(|counter| (binder.var, counter)));
    }
}

impl Walk<Fun> for Survey<'_> {
    fn atom(&mut self, atom: &Atom) {
        let at = atom.as_var().and_then(|var| self.reads.producer_of(var));
        if let Some(producer) = at.and_then(|at| self.reads.producers.get_mut(&at)) {
            producer.only_read = false;
        }
    }

    fn bind(&mut self, var: Var, _: Option<&Type>) {
        self.bound.insert(var);
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.exp {
            Exp::Index { array, indices } if self.reads.producer_of(*array).is_some() => {
                self.read(*array, indices);
            }
            Exp::Slice { array, dims } => match self.row(*array, dims) {
                Some(indices) => self.read(*array, &indices),
                None => self.view(statement, View::Slice(dims.clone(), *array)),
            },
            Exp::Permute { perm, array } => self.view(statement, View::Permute(perm.clone(), *array)),
            Exp::Reverse { dim, array } => {
                let size = self.types.get(array).and_then(|ty| ty.shape().get(*dim)).copied();
                match size {
                    Some(size) => self.view(statement, View::Reverse(*dim, size, *array)),
                    None => walk_statement(self, statement),
                }
            }
            Exp::Reshape { shape, array } => self.view(statement, View::Reshape(shape.clone(), *array)),
            Exp::Atom(Atom::Var(array)) => self.view(statement, View::Same(*array)),
            _ => {
                walk_statement(self, statement);
                self.note_scalar(statement);
            }
        }
        self.bound.extend(statement.pattern.iter().map(|binder| binder.var));
    }

    fn exp(&mut self, exp: &Exp) {
        let before = self.around.len();
        match exp {
            Exp::Kernel { space, combine, body } => {
                space.iter().for_each(|(_, bound)| self.atom(bound));
                if let Combine::Hist { dests, .. } | Combine::Scatter { dests } = combine {
                    dests.iter().for_each(|dest| self.atom(&Atom::Var(*dest)));
                }
                if let Combine::Reduce { neutral, .. }
                | Combine::Scan { neutral, .. }
                | Combine::Hist { neutral, .. } = combine
                {
                    neutral.iter().for_each(|atom| self.atom(atom));
                }
                self.unknown += 1;
                combine.lambda().into_iter().for_each(|lambda| self.lambda(lambda));
                self.unknown -= 1;
                // (an epilogue has no room for what a producer is made of)
                for var in combine.epilogue().map(free_in_lambda).unwrap_or_default() {
                    self.atom(&Atom::Var(var));
                }
                let parallel = matches!(combine, Combine::Map | Combine::Reduce { .. });
                *if parallel { &mut self.parallel } else { &mut self.sequential } += 1;
                self.kernels += 1;
                let folds = usize::from(!matches!(combine, Combine::Map));
                self.folds += folds;
                self.around.extend(space.iter().copied());
                walk_body(self, body);
                self.kernels -= 1;
                self.folds -= folds;
                *if parallel { &mut self.parallel } else { &mut self.sequential } -= 1;
            }
            Exp::Loop { params, form, body } => {
                for param in params {
                    self.atom(&param.init);
                    self.bound.insert(param.binder.var);
                }
                let sequential = usize::from(self.parallel == 0);
                self.sequential += sequential;
                self.folds += 1;
                match form {
                    LoopForm::For { var, bound, .. } => {
                        self.atom(bound);
                        self.around.push((*var, *bound));
                        walk_body(self, body);
                    }
                    LoopForm::While(_) => {
                        self.unknown += 1;
                        walk_body(self, body);
                        self.unknown -= 1;
                    }
                }
                self.sequential -= sequential;
                self.folds -= 1;
            }
            Exp::If { condition, then, otherwise } => {
                self.atom(condition);
                self.conditional += 1;
                walk_body(self, then);
                walk_body(self, otherwise);
                self.conditional -= 1;
            }
            _ => walk_exp(self, exp),
        }
        self.around.truncate(before);
    }
}
