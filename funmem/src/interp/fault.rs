//! What faults say: both accesses, with their arrays, indices, iterations and statements.

use super::access::verb;
use super::heap::{Access, Facts, Part, Running, Violation};
use super::{Machine, Placed, Slot};
use crate::ir::{Exp, Statement};
use fun::text::statement_head;
use fun_base::name::Symbol;
use fun_base::run::RunError;
use fun_base::run::fault::{self, Fault, FaultRule, Iteration};
use fun_index::lmad::ConcreteLmad;

/// An access that took place: in which block, at which bytes, when and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    generation: u64,
    bytes: (i64, i64),
    time: u64,
    access: Access,
}

impl Machine<'_> {
    /// An access is about to happen.
    pub(super) fn note(&mut self, array: &Placed, address: i64, access: Access) {
        if self.watched.is_some() {
            self.watch(array, address, access);
        }
        if self.recorder.is_some() {
            self.record(array, address, access, verb(access));
        }
    }

    /// Looks whether an access is the one that is looked out for.
    pub(super) fn watch(&mut self, array: &Placed, address: i64, access: Access) {
        let Some(moment) = self.watched else { return };
        let (start, end) = bytes(array, address);
        let there =
            moment.generation == array.block.generation && moment.bytes.0 < end && start < moment.bytes.1;
        if there && moment.time == self.heap.now() && moment.access == access && self.seen.is_none() {
            self.seen = Some(self.access(array, address, verb(access)));
        }
    }

    /// The fault that an access is.
    #[cold]
    pub(super) fn fault(
        &mut self,
        found: Violation,
        array: &Placed,
        address: i64,
        verb: &'static str,
    ) -> RunError {
        let mut accesses = vec![self.access(array, address, verb)];
        accesses.extend(self.seen.take().map(|seen| match found.rule {
            FaultRule::Uninitialised => fault::Access { verb: "leaves undefined", ..seen },
            _ => seen,
        }));
        if let Some((time, access)) = found.other
            && accesses.len() == 1
        {
            let (generation, bytes) = (array.block.generation, bytes(array, address));
            self.wanted = Some(Moment { generation, bytes, time, access });
        }
        let block = self.heap.facts(array.block).map(|facts| self.block(&facts, array, address));
        RunError::memory(Fault { rule: found.rule, accesses, block })
    }

    pub(super) fn access(&self, array: &Placed, address: i64, verb: &'static str) -> fault::Access {
        let iterations = self.iterations();
        let whole = match self.slot(array.name) {
            Ok(Slot::Array(whole)) => &whole.lmad,
            Ok(Slot::Nothing | Slot::Scalar(_) | Slot::Block(_)) | Err(_) => &array.lmad,
        };
        // A kernel stores each result at the index of its point, even where several have one place.
        let stores = self.at.filter(|at| {
            matches!(at.exp, Exp::Kernel { .. }) && at.pattern.iter().any(|binder| binder.var == array.name)
        });
        let index = match (stores, iterations.first()) {
            (Some(_), Some(Iteration::Point(point) | Iteration::Result(point)))
                if point.len() + array.lmad.dims.len() == whole.dims.len() =>
            {
                index_of(&array.lmad, address).map(|inner| [point.as_slice(), &inner].concat())
            }
            _ => index_of(whole, address),
        };
        fault::Access {
            verb,
            array: array.name.to_string(),
            index,
            iterations,
            statement: shown(self.at, self.calls.last().copied()),
        }
    }

    /// The iterations of the loops and kernels around, innermost first.
    fn iterations(&self) -> Vec<Iteration> {
        let mut iterations = Vec::new();
        let mut loops = self.loops.iter().peekable();
        for depth in 0..=self.heap.kernels.len() {
            while let Some((_, number)) = loops.next_if(|(kernels, _)| *kernels == depth) {
                iterations.push(Iteration::Loop(*number));
            }
            iterations.extend(self.heap.kernels.get(depth).map(part));
        }
        iterations.reverse();
        iterations
    }

    fn block(&self, facts: &Facts, array: &Placed, address: i64) -> fault::Block {
        fault::Block {
            name: facts.name.to_string(),
            bytes: facts.bytes,
            cell: format!("{} {address}", array.elem),
            allocated: shown(facts.by, None),
            ended: facts.end.map(|(with, function)| shown(with, function)),
        }
    }
}

/// First byte of a cell, and the first one after it.
fn bytes(array: &Placed, address: i64) -> (i64, i64) {
    let size = i64::from(array.elem.bytes());
    (address.saturating_mul(size), address.saturating_add(1).saturating_mul(size))
}

pub(super) fn shown(statement: Option<&Statement>, function: Option<Symbol>) -> fault::Statement {
    let Some(statement) = statement else {
        return fault::Statement { function, ..fault::Statement::default() };
    };
    // The place is told on its own.
    let mut text = statement_head(statement);
    if statement.loc.is_some()
        && let Some(at) = text.rfind(" # \"")
    {
        text.truncate(at);
    }
    fault::Statement {
        text,
        binder: statement.pattern.first().map(|binder| binder.var.to_string()),
        loc: statement.loc,
        function,
    }
}

fn part(kernel: &Running) -> Iteration {
    let index = |sizes: &[i64], number: u64| {
        let mut rest = number as i64;
        let mut index = vec![0; sizes.len()];
        for (i, size) in index.iter_mut().zip(sizes).rev() {
            (*i, rest) = (rest % (*size).max(1), rest / (*size).max(1));
        }
        index
    };
    match kernel.part {
        Part::Point(number) => Iteration::Point(index(&kernel.sizes, number)),
        Part::Operator(number) => Iteration::Operator(index(&kernel.sizes, number)),
        Part::Result(row) => {
            let outer = kernel.sizes.len().saturating_sub(1);
            Iteration::Result(index(&kernel.sizes[..outer], row))
        }
    }
}

/// The index whose address this is.
fn index_of(lmad: &ConcreteLmad, address: i64) -> Option<Vec<i64>> {
    if lmad.is_empty() {
        return None;
    }
    // The dimensions with the largest steps first: then what the others reach leaves few choices.
    let mut order: Vec<usize> = (0..lmad.dims.len()).collect();
    order.sort_by_key(|dim| std::cmp::Reverse(lmad.dims[*dim].1.unsigned_abs()));
    let mut index = vec![0; lmad.dims.len()];
    let rest = i128::from(address) - i128::from(lmad.offset);
    solve(lmad, &order, rest, &mut index).then_some(index)
}

/// Whether indices of the dimensions in `order` reach `rest`; they are put into `index`.
fn solve(lmad: &ConcreteLmad, order: &[usize], rest: i128, index: &mut [i64]) -> bool {
    let Some((dim, others)) = order.split_first() else { return rest == 0 };
    let reach = |dim: usize| (i128::from(lmad.dims[dim].0) - 1) * i128::from(lmad.dims[dim].1);
    let low: i128 = others.iter().map(|dim| reach(*dim).min(0)).sum();
    let high: i128 = others.iter().map(|dim| reach(*dim).max(0)).sum();
    let (size, stride) = (i128::from(lmad.dims[*dim].0), i128::from(lmad.dims[*dim].1));
    let (first, last) = if stride == 0 {
        (0, 0)
    } else {
        // rest - i * stride is between low and high
        let (a, b) = ((rest - high) / stride, (rest - low) / stride);
        ((a.min(b) - 1).max(0), (a.max(b) + 1).min(size - 1))
    };
    (first..=last).any(|i| {
        index[*dim] = i as i64;
        let left = rest - i * stride;
        (low..=high).contains(&left) && solve(lmad, others, left, index)
    })
}
