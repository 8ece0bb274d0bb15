//! `chain` loops (I14): blocks that begin in the order of their numbers, of which a few run at a time and take turns as a seed says: after each flag that one
//! sets, and where one has to wait. How many run at a time is drawn too: with one at a time, what waits for a later block waits for ever.

use super::{Machine, Slot};
use crate::ir::{COMPLETE, Exp, LoopKind, Statement, StatementKind};
use crate::visit::for_each_statement;
use fun_base::name::Var;
use fun_base::prim::{PrimType, PrimValue};
use fun_base::run::RunError;

/// As many blocks run at a time, at most.
const MOST: u64 = 4;

/// A block that has begun and not ended.
struct Begun<'s> {
    number: i64,
    /// What is left to do, the innermost list of statements last.
    frames: Vec<Frame<'s>>,
    /// What its variables hold while other blocks run.
    slots: Vec<Slot>,
    /// Whether it waits for a flag, and no other has been set since it looked.
    waits: bool,
}

enum Frame<'s> {
    Statements(&'s [Statement]),
    Loop { var: Var, ty: PrimType, next: i128, bound: i128, body: &'s [Statement] },
}

/// Why a block pauses.
enum Pause {
    Ended,
    Published,
    Waits,
}

impl Machine<'_> {
    /// All blocks of a `chain` loop.
    pub(super) fn chain(&mut self, var: Var, bound: i128, body: &[Statement]) -> Result<(), RunError> {
        let mut places: Vec<usize> = self.place(var).into_iter().collect();
        for_each_statement(body, &mut |statement| {
            let counter =
                if let StatementKind::For { var, .. } = &statement.kind { Some(*var) } else { None };
            places.extend(
                counter.into_iter().chain(statement.kind.declares()).filter_map(|var| self.place(var)),
            );
        });
        self.heap.enter_loop();
        let most = 1 + (self.random.next_u64() % MOST) as usize;
        let (mut begun, mut next): (Vec<Begun>, i128) = (Vec::new(), 0);
        while next < bound || !begun.is_empty() {
            let mut ready: Vec<usize> = (0..begun.len()).filter(|at| !begun[*at].waits).collect();
            if next < bound && begun.len() < most {
                ready.push(begun.len());
            }
            if ready.is_empty() {
                let waiting: Vec<String> = begun.iter().map(|block| block.number.to_string()).collect();
                let waiting = waiting.join(", ");
                return Err(RunError::fault(format!(
                    "I14: blocks wait for flags that nobody sets: {waiting}"
                )));
            }
            let chosen = ready[(self.random.next_u64() % ready.len() as u64) as usize];
            if chosen == begun.len() {
                self.charge(1)?;
                let frames = vec![Frame::Statements(body)];
                let mut slots = vec![Slot::Nothing; places.len()];
                slots[0] = Slot::Scalar(PrimValue::I64(next as i64));
                begun.push(Begun { number: next as i64, frames, slots, waits: false });
                next += 1;
            }
            let block = &mut begun[chosen];
            self.heap.iteration(block.number);
            self.swap(&places, &mut block.slots);
            let paused = self.until_pause(&mut block.frames);
            self.swap(&places, &mut block.slots);
            match paused? {
                Pause::Ended => _ = begun.remove(chosen),
                Pause::Published => begun.iter_mut().for_each(|block| block.waits = false),
                Pause::Waits => block.waits = true,
            }
        }
        self.heap.leave_loop();
        Ok(())
    }

    /// Exchanges what the variables at these places hold.
    fn swap(&mut self, places: &[usize], slots: &mut [Slot]) {
        for (place, slot) in places.iter().zip(slots) {
            std::mem::swap(&mut self.slots[*place], slot);
        }
    }

    /// Runs a block until it pauses.
    fn until_pause<'s>(&mut self, frames: &mut Vec<Frame<'s>>) -> Result<Pause, RunError> {
        while let Some(frame) = frames.last_mut() {
            match frame {
                Frame::Statements(rest) => {
                    let all: &'s [Statement] = rest;
                    let Some((statement, later)) = all.split_first() else {
                        frames.pop();
                        continue;
                    };
                    *rest = later;
                    self.charge(1)?;
                    let paused = self.step(statement, frames).map_err(|error| error.at(statement.loc))?;
                    match paused {
                        Some(Pause::Waits) => {
                            // it comes here again
                            if let Some(Frame::Statements(rest)) = frames.last_mut() {
                                *rest = all;
                            }
                            return Ok(Pause::Waits);
                        }
                        Some(pause) => return Ok(pause),
                        None => {}
                    }
                }
                Frame::Loop { var, ty, next, bound, body } => {
                    if *next >= *bound {
                        frames.pop();
                        continue;
                    }
                    let (var, counter, body) = (*var, ty.of_i64(*next as i64), *body);
                    *next += 1;
                    self.charge(1)?;
                    self.set(var, Slot::Scalar(counter))?;
                    frames.push(Frame::Statements(body));
                }
            }
        }
        Ok(Pause::Ended)
    }

    /// One statement of a block; what a pause may stand in becomes a frame.
    fn step<'s>(
        &mut self,
        statement: &'s Statement,
        frames: &mut Vec<Frame<'s>>,
    ) -> Result<Option<Pause>, RunError> {
        match &statement.kind {
            StatementKind::For { var, ty, bound, kind: LoopKind::Seq, body } => {
                let bound = self.bound(bound)?;
                frames.push(Frame::Loop { var: *var, ty: *ty, next: 0, bound, body });
                Ok(None)
            }
            StatementKind::If { condition, then, otherwise } => {
                let taken = if self.condition(condition)? { then } else { otherwise };
                frames.push(Frame::Statements(taken));
                Ok(None)
            }
            StatementKind::Publish { view, indices, value } => {
                let (view, indices) = (self.view(*view)?, self.indices(indices)?);
                let value = self.scalar(value)?;
                self.heap.publish(view.block, view.address(&indices)?, value)?;
                Ok(Some(Pause::Published))
            }
            StatementKind::Await { var, view, first, count } => {
                let Some(last) = self.awaited(*view, first, count)? else { return Ok(Some(Pause::Waits)) };
                self.set(*var, Slot::Scalar(PrimValue::I64(last)))?;
                Ok(None)
            }
            kind => self.statement(kind).map(|()| None),
        }
    }

    /// The last complete one of some flags, or -1; nothing while one of them is zero.
    fn awaited(&mut self, view: Var, first: &Exp, count: &Exp) -> Result<Option<i64>, RunError> {
        let view = self.view(view)?;
        let (first, count) = (self.index(first)?, self.index(count)?);
        let (mut last, mut all) = (-1, true);
        for at in first..first.saturating_add(count.max(0)) {
            self.charge(1)?;
            match self.heap.see(view.block, view.address(&[at])?)? {
                0 => all = false,
                COMPLETE => last = at,
                _ => {}
            }
        }
        Ok(all.then_some(last))
    }
}
